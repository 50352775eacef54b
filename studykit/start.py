"""The `study` command: the paths that must be fast go first, everything else is the Typer application."""

import sys


def main() -> None:
    """Run `study` with the process's own arguments and end the process with its exit code."""
    from studykit.cli.app import run  # noqa: PLC0415 - Typer costs 25 ms that `due --short` need not pay

    sys.exit(run(sys.argv[1:]))
