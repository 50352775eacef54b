"""The `study` command: the paths that must be fast go first, everything else is the Typer application."""

import sys
from collections.abc import Sequence


def main() -> None:
    """Run `study` with the process's own arguments and end the process with its exit code."""
    from studykit.cli.exit import ended

    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # a terminal without a glyph shows a mark, not a traceback
    sys.exit(ended(_application, sys.argv[1:]))


def _application(arguments: Sequence[str]) -> int:
    if arguments[:2] == ["due", "--short"]:
        from studykit.cli.prompt import short

        if (code := short(arguments)) is not None:
            return code
    if arguments in (["review"], ["r"], ["review", "--plain"], ["r", "--plain"]):
        from studykit.cli.commands.review_loop import Wishes, reviewed
        from studykit.cli.context import Context

        return reviewed(Context.from_environment(), Wishes(plain=len(arguments) > 1))
    from studykit.cli.app import run

    return run(arguments)


if __name__ == "__main__":
    main()
