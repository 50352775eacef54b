"""Where the keys of a TOML text stand, which Python's reader does not tell."""


def places(text: str) -> dict[str, int]:
    """The line of each table and each key by its dotted name, where it first seems to be."""
    found: dict[str, int] = {}
    table = ""
    for number, line in enumerate(text.splitlines(), 1):
        told = line.strip()
        if told.startswith("["):
            table = _name(told.partition("]")[0].lstrip("["))
            found.setdefault(table, number)
        elif "=" in told and not told.startswith("#"):
            key = _name(told.partition("=")[0])
            found.setdefault(f"{table}.{key}" if table else key, number)
    return found


def _name(text: str) -> str:
    return ".".join(part.strip(" \t\"'") for part in text.split("."))
