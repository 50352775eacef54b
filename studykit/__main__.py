"""Run the `study` command: `due --short` without loading Typer, for a shell prompt, and all else with Typer."""

import gc
import os
import sys
from collections.abc import Sequence


def main() -> None:
    """Run `study` with the process's arguments, and end the process with its exit code."""
    gc.set_threshold(50_000)  # not 700, because searching imported modules for garbage finds none
    from studykit.cli.exit import run_program

    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # unprintable characters become ?, not a traceback
    sys.exit(run_program(_application, sys.argv[1:]))


def _application(arguments: Sequence[str]) -> int:
    if (code := _prompt(arguments)) is not None:
        return code
    from studykit.cli.app import run

    return run(arguments)


def _prompt(arguments: Sequence[str]) -> int | None:
    """Run `due --short` without loading Typer and return its exit code, or None if Typer must run the command."""
    if "_STUDY_COMPLETE" in os.environ:
        return None
    places, words = _places(arguments)
    if words != ["due", "--short"]:
        return None
    from studykit.cli.context import Context
    from studykit.cli.prompt import short

    return short(Context.from_environment(*places.values()))


def _places(arguments: Sequence[str]) -> tuple[dict[str, str | None], list[str]]:
    """Split a command line into the values of `--db`, `--config` and `--learner`, and its other words."""
    places: dict[str, str | None] = {"--db": None, "--config": None, "--learner": None}
    words = []
    remaining_words = iter(arguments)
    for word in remaining_words:
        name, equals, value = word.partition("=")
        if name in places and (value or (not equals and (value := next(remaining_words, "")))):
            places[name] = value
        else:
            words.append(word)
    return places, words


if __name__ == "__main__":
    main()
