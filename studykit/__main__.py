"""The `study` command: the paths that must be fast go first, everything else is the Typer application."""

import gc
import os
import sys
from collections.abc import Mapping, Sequence

EXERCISE_COMMANDS = {"SET", "list", "show", "check", "trust", "untrust"}
"""Words behind `study exercise` that name no set."""


def main() -> None:
    """Run `study` with the process's own arguments and end the process with its exit code."""
    gc.set_threshold(10_000)  # not 700: what is imported stays, however often it is looked through for garbage
    from studykit.cli.exit import run_program

    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # a terminal without a glyph shows a mark, not a traceback
    sys.exit(run_program(_application, sys.argv[1:]))


def _application(arguments: Sequence[str]) -> int:
    if (code := _quickly(arguments)) is not None:
        return code
    from studykit.cli.app import run

    return run(arguments)


def _quickly(arguments: Sequence[str]) -> int | None:
    """The exit code of a verb on its usual words, run without Typer, whose import takes longer than most verbs.

    None for all else, which Typer reads: completion, options with values, and every mistake.
    """
    if "_STUDY_COMPLETE" in os.environ:
        return None
    if arguments in (["--help"], ["-h"]):
        from studykit.cli.context import Context
        from studykit.cli.help_text import write_help

        return write_help(Context.from_environment())
    said, words = _places(arguments)
    flags = sorted({*words} & {"--short", "--json", "--plain"})
    names = [word for word in words if word not in flags]
    verb_first = words[:1] == names[:1]
    if not verb_first or any(not name or name.startswith("-") for name in names):
        return None
    return _run_verb(names, flags, said)


def _run_verb(names: list[str], flags: list[str], said: Mapping[str, str | None]) -> int | None:
    from studykit.cli.context import Context

    def context() -> Context:
        from studykit.cli.after_recording import back_up_after_recording

        back_up_after_recording()
        return Context.from_environment(*said.values())

    match names, flags:
        case ["due"], ["--short"]:
            from studykit.cli.prompt import short

            return short(Context.from_environment(*said.values()))
        case ["due"], ["--json"]:
            from studykit.cli.due_run import agenda_of, write_document

            run = context()
            write_document(run, *agenda_of(run, None)[1:])
        case ["review" | "r", *decks], [] | ["--plain"]:
            from studykit.cli.review_run import ReviewRequest, run_review

            return run_review(context(), ReviewRequest(tuple(decks), plain=bool(flags)))
        case ["show", card], [] | ["--json"]:
            from studykit.cli.show_run import show

            show(context(), card, json=bool(flags))
        case ["answer", card, grade], [] | ["--json"]:
            from studykit.cli.answer_run import answer

            answer(context(), card, grade, json=bool(flags))
        case ["grade", exercise, *file], [] | ["--json"] if len(file) <= 1:
            from pathlib import Path

            from studykit.cli import grade_run

            return grade_run.grade(context(), exercise, Path(file[0]) if file else None, json=bool(flags))
        case ["exercise", name], [] | ["--plain"] if "=" not in name and name not in EXERCISE_COMMANDS:
            from studykit.cli.authors import attach_authors
            from studykit.cli.exercise_run import practise
            from studykit.practice.kind import SetRequest

            run = context()
            attach_authors(run)
            return practise(run, [name], SetRequest("", plain=bool(flags)))
        case _:
            return None
    return 0


def _places(arguments: Sequence[str]) -> tuple[dict[str, str | None], list[str]]:
    """Values of `--db`, `--config` and `--learner`, wherever they stand, and the other words."""
    said: dict[str, str | None] = {"--db": None, "--config": None, "--learner": None}
    words = []
    rest = iter(arguments)
    for word in rest:
        name, equals, value = word.partition("=")
        if name in said and (value or (not equals and (value := next(rest, "")))):
            said[name] = value
        else:
            words.append(word)
    return said, words


if __name__ == "__main__":
    main()
