"""The `study` command: the paths that must be fast go first, everything else is the Typer application."""

import sys
from collections.abc import Sequence


def main() -> None:
    """Run `study` with the process's own arguments and end the process with its exit code."""
    from studykit.cli.ending import ended  # noqa: PLC0415 - a prompt's `due --short` pays for no import it can spare

    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # a terminal without a glyph shows a mark, not a traceback
    sys.exit(ended(_application, sys.argv[1:]))


def _application(arguments: Sequence[str]) -> int:
    if arguments[:2] == ["due", "--short"]:
        from studykit.cli.short import short  # noqa: PLC0415 - the one verb that a shell prompt runs

        if (code := short(arguments)) is not None:
            return code
    if arguments in (["review"], ["r"], ["review", "--plain"], ["r", "--plain"]):
        from studykit.cli.reviewing import Wishes, reviewed  # noqa: PLC0415 - the verb of every day
        from studykit.cli.world import World  # noqa: PLC0415 - with it

        return reviewed(World.from_environment(), Wishes(plain=len(arguments) > 1))
    from studykit.cli.app import run  # noqa: PLC0415 - Typer costs 25 ms

    return run(arguments)
