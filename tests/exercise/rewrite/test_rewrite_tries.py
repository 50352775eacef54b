"""Tries at a rewrite that is left open: kept behind its card however it is left, and offered again."""

from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from random import Random
from types import SimpleNamespace

import pytest
import rewrites
from live import environ_of
from scripted_ui import InterruptedUi, ScriptedUi
from shell import Result, Shell

from studykit.cards.card import CardId
from studykit.cli.context import Context
from studykit.cli.display import services
from studykit.errors import MissingError
from studykit.exercise.rewrite.dialogue import converse
from studykit.exercise.rewrite.rewrite import Rewrite
from studykit.exercise.verdict import Correct, Incorrect, Malformed, Verdict
from studykit.graders.host.grade import Graded
from studykit.graders.host.place import Place
from studykit.graders.rewrite.judge import Judgment
from studykit.scheduling.event_kinds import EventKind
from studykit.scheduling.recall_grade import Grade
from studykit.ui import Command, ExerciseOutcome, Quit, Reply

CARD = CardId("heads")
RIGHT, WRONG, OTHER = "b s (h d) -> b h s d", "b s (d h) -> b h s d", "b s (h d) -> b s h d"


def judged(_place: Place, task: Rewrite, source: str, _random: Random, *, again: bool) -> Graded:
    """Right for the right pattern, without a worker; anything but a pattern cannot be read."""
    verdict: Verdict = Correct() if RIGHT in source else Incorrect()
    if "->" not in source:
        verdict = Malformed("no pattern")
    return Graded(task, Judgment(verdict, (), "again" if again else "first"), 0.0, "cpu", "torch")


@pytest.fixture(autouse=True)
def _no_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "studykit.graders.host.place.place_for", lambda *_: nullcontext(SimpleNamespace(notice=""))
    )
    monkeypatch.setattr("studykit.graders.host.grade.grade", judged)


Ask = Callable[..., tuple[ExerciseOutcome, ScriptedUi]]


@pytest.fixture
def begun_with() -> list[str]:
    """Texts that the editor was opened with."""
    return []


@pytest.fixture
def ask(context: Context, begun_with: list[str]) -> Ask:
    """The rewrite of a card, asked of a script."""
    task = rewrites.task("split_heads")

    def asked(*script: Reply | str, card: CardId = CARD, edited: str = "") -> tuple[ExerciseOutcome, ScriptedUi]:
        def edit(text: str, _suffix: str) -> str | None:
            begun_with.append(text)
            return edited or None

        ui = ScriptedUi(*script, editor=edit)
        return converse(services(context), task, ui, 5, card=card), ui

    return asked


def kept(context: Context) -> list[tuple[str, str, bool]]:
    """Card, kind and whether it is graded of every entry in the log."""
    return [(event.card, event.kind.value, event.grade is not None) for event in context.store.log.events()]


@pytest.mark.parametrize("leave", [Quit(), Command("k")])
def test_tries_stay_with_a_card_left_open(ask: Ask, context: Context, leave: Reply) -> None:
    outcome, _ = ask(WRONG, OTHER, leave)

    assert outcome.showing is None
    assert kept(context) == [("heads", "practice", False)] * 2


def test_ctrl_c_keeps_them_too(context: Context) -> None:
    task = rewrites.task("split_heads")

    with pytest.raises(KeyboardInterrupt):
        converse(services(context), task, InterruptedUi(WRONG), 5, card=CARD)

    assert kept(context) == [("heads", "practice", False)]


def test_open_rewrite_resumes_with_its_tries(ask: Ask, context: Context) -> None:
    ask(WRONG, Quit())

    outcome, ui = ask(OTHER, WRONG)

    assert "You began this before: 2 tries left." in ui.text
    assert "'b s (d h) -> b h s d'" in ui.text
    assert "```text\nagain\n```" in ui.text  # from the second failure on
    assert outcome.message == "The solution was shown."
    assert outcome.grade is Grade.AGAIN
    assert [entry[0] for entry in kept(context)] == ["heads"]  # the review logs the end


def test_resumed_rewrite_counts_earlier_tries(ask: Ask) -> None:
    ask(WRONG, Quit())

    outcome, _ = ask(RIGHT)

    assert (outcome.message, outcome.grade) == ("Right at try 2.", Grade.HARD)


def test_once_it_was_answered_it_begins_anew(ask: Ask, context: Context) -> None:
    ask(WRONG, Quit())
    context.store.log.record(EventKind.ANSWER, CARD, grade=Grade.HARD)

    _, ui = ask(Quit())

    assert "You began this before" not in ui.text
    assert ui.histories[0] == ("rearrange(x, 'b s (d h) -> b h s d', h=h)",)  # the up key still brings it


def test_editor_begins_with_the_unreadable_answer(ask: Ask, begun_with: list[str]) -> None:
    ask(Command("e"), Command("e"), Quit(), edited="def f(x, h):\n    return (\n")

    assert begun_with[0].startswith("# rewrite.split_heads")
    assert begun_with[1] == "def f(x, h):\n    return (\n"


def test_missing_editor_is_named(context: Context) -> None:
    def edit(_text: str, _suffix: str) -> str | None:
        raise MissingError("the editor 'no' does not start")

    task = rewrites.task("split_heads")
    ui = ScriptedUi(Command("e"), RIGHT, editor=edit)

    assert converse(services(context), task, ui, 5).grade is Grade.GOOD
    assert "Nothing was changed: the editor 'no' does not start" in ui.text


def test_newest_try_counts_without_a_card(ask: Ask) -> None:
    outcome, _ = ask(WRONG, Command("k"), card=CardId(""))

    assert outcome.showing is not None
    assert (outcome.showing.verdict, outcome.message) == ("incorrect", "skipped")


@pytest.fixture
def study(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Shell:
    """Verbs in a folder with a deck of one rewrite."""
    (tmp_path / "mine.md").write_text('---\nname = "Mine"\n---\n\nE: rewrite.split_heads {#heads}\n')
    return Shell(tmp_path, monkeypatch, capsys, **environ_of(tmp_path))


def test_review_offers_saved_tries_again(study: Shell) -> None:
    def review(typed: str) -> Result:
        return study("review", "mine", "--plain", typed=typed)

    output = review(f"{WRONG}\n:quit\n")
    again = review(f"{RIGHT}\n\n")

    assert "What you tried at the question is kept." in output.err
    assert "You began this before: 2 tries left." in again.out
    assert "Enter means 2." in again.out


def test_grading_is_announced(ask: Ask) -> None:
    _, ui = ask(RIGHT)

    assert "grading ..." in ui.told


def test_an_answer_of_several_lines_may_be_pasted(ask: Ask) -> None:
    outcome, ui = ask(f"from einops import rearrange\n\ndef f(x, h):\n    return rearrange(x, '{RIGHT}', h=h)")

    assert ui.lines
    assert outcome.grade is Grade.GOOD


def test_verdict_and_remaining_tries_come_first(ask: Ask) -> None:
    _, ui = ask("f", "no pattern", WRONG, OTHER, WRONG)

    verdicts = [row for row in ui.told if row.startswith("✗")]
    assert [row.splitlines()[0] for row in verdicts] == [
        "✗ **not yet**, 2 tries left",
        "✗ **not yet**, 1 try left",
        "✗ **wrong**",
    ]
    assert ui.text.count("This does not count as a try.") == 2


def test_giving_up_keeps_the_graded_answer(ask: Ask) -> None:
    outcome, _ = ask(WRONG, "no pattern", Command("s"), Command("s"))

    assert outcome.showing is not None
    assert WRONG in outcome.showing.answer


UNREAD = "def f(x):\n    return rearrange(x,\n"


def test_unreadable_editor_text_is_offered_again(ask: Ask, begun_with: list[str]) -> None:
    ask(Command("e"), "no pattern", Quit(), edited=UNREAD)

    _, ui = ask(Command("e"), Quit())

    assert "What you wrote in the editor is kept: `:editor` opens it." in ui.text
    assert begun_with[1] == UNREAD


def test_later_graded_line_replaces_editor_text(ask: Ask, begun_with: list[str]) -> None:
    ask(Command("e"), WRONG, Quit(), edited=UNREAD)

    _, ui = ask(Command("e"), Quit())

    assert "is kept" not in ui.text
    assert WRONG in begun_with[1]


@pytest.mark.parametrize("end", [(RIGHT,), (Command("s"), Command("s"))])
def test_closed_question_drops_editor_text(ask: Ask, begun_with: list[str], end: tuple[Reply | str, ...]) -> None:
    ask(Command("e"), *end, edited=UNREAD)

    ask(Command("e"), Quit())

    assert begun_with[1].startswith("# rewrite.split_heads")


def test_unreadable_line_keeps_editor_text(ask: Ask, begun_with: list[str]) -> None:
    ask(Command("e"), "no pattern", Command("e"), Quit(), edited=UNREAD)

    assert begun_with[1] == UNREAD
