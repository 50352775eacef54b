"""Why a rewrite is wrong, in words; nothing here decides whether it is."""
