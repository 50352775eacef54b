"""Back up everything that is a learner's own into one file, and restore it.

`creation` makes backups and `restore` brings one back. `archive` defines a backup file, and `backup_folder`
decides which ones are kept.
"""
