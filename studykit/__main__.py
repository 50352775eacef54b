"""The `study` command: the paths that must be fast go first, everything else is the Typer application."""

import sys
from collections.abc import Sequence


def main() -> None:
    """Run `study` with the process's own arguments and end the process with its exit code."""
    from studykit.cli.exit import run_program

    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # a terminal without a glyph shows a mark, not a traceback
    sys.exit(run_program(_application, sys.argv[1:]))


def _application(arguments: Sequence[str]) -> int:
    said, words = _places(arguments)
    match words:
        case ["due", "--short"]:
            from studykit.cli.context import Context
            from studykit.cli.prompt import short

            if (code := short(Context.from_environment(*said.values()))) is not None:
                return code
        case ["due", "--json"]:
            from studykit.cli.after_recording import back_up_after_recording
            from studykit.cli.context import Context
            from studykit.cli.due_run import agenda_of, write_document

            back_up_after_recording()
            context = Context.from_environment(*said.values())
            write_document(context, *agenda_of(context, None)[1:])
            return 0
        case ["review" | "r"] | ["review" | "r", "--plain"]:
            from studykit.cli.after_recording import back_up_after_recording
            from studykit.cli.context import Context
            from studykit.cli.review_run import ReviewRequest, run_review

            back_up_after_recording()
            context = Context.from_environment(*said.values())
            return run_review(context, ReviewRequest(plain=len(words) > 1))
        case _:
            pass
    from studykit.cli.app import run

    return run(arguments)


def _places(arguments: Sequence[str]) -> tuple[dict[str, str | None], list[str]]:
    """Values of `--db`, `--config` and `--learner`, wherever they stand, and the other words."""
    said: dict[str, str | None] = {"--db": None, "--config": None, "--learner": None}
    words = []
    rest = iter(arguments)
    for word in rest:
        name, equals, value = word.partition("=")
        if name in said and (equals or (value := next(rest, ""))):
            said[name] = value
        else:
            words.append(word)
    return said, words


if __name__ == "__main__":
    main()
