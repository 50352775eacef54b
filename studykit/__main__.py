"""The `study` command: a shell prompt goes first, everything else is the Typer application."""

import gc
import os
import sys
from collections.abc import Sequence


def main() -> None:
    """Run `study` with the process's own arguments and end the process with its exit code."""
    gc.set_threshold(50_000)  # not 700: what is imported stays, however often it is looked through for garbage
    from studykit.cli.exit import run_program

    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # a terminal without a glyph shows a mark, not a traceback
    sys.exit(run_program(_application, sys.argv[1:]))


def _application(arguments: Sequence[str]) -> int:
    if (code := _prompt(arguments)) is not None:
        return code
    from studykit.cli.app import run

    return run(arguments)


def _prompt(arguments: Sequence[str]) -> int | None:
    """The exit code of `due --short`, run without waiting for Typer; None for all else."""
    if "_STUDY_COMPLETE" in os.environ:
        return None
    places, words = _places(arguments)
    if words != ["due", "--short"]:
        return None
    from studykit.cli.context import Context
    from studykit.cli.prompt import short

    return short(Context.from_environment(*places.values()))


def _places(arguments: Sequence[str]) -> tuple[dict[str, str | None], list[str]]:
    """Values of `--db`, `--config` and `--learner`, wherever they stand, and the other words."""
    places: dict[str, str | None] = {"--db": None, "--config": None, "--learner": None}
    words = []
    rest = iter(arguments)
    for word in rest:
        name, equals, value = word.partition("=")
        if name in places and (value or (not equals and (value := next(rest, "")))):
            places[name] = value
        else:
            words.append(word)
    return places, words


if __name__ == "__main__":
    main()
