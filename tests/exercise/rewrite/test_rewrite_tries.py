"""Check what only rewrites have: graded code, an editor, several lines."""

from collections.abc import Callable

import pytest
from asking import HEADS, WRONG_HEADS, ask_card, closed_card, without_workers
from scripted_ui import ScriptedUi

from decks import exercise_card
from studykit.cli.context import Context
from studykit.errors import MissingError
from studykit.review.question import Asked
from studykit.scheduling.event_kinds import EventKind
from studykit.scheduling.recall_grade import Grade
from studykit.ui import Command, Quit, Reply

CARD = exercise_card("rewrite.split_heads")
EDITOR, SKIP = Command("editor"), Command("skip")
UNREAD = "def f(x):\n    return rearrange(x,\n"

Ask = Callable[..., tuple[Asked | None, ScriptedUi]]


@pytest.fixture
def begun_with() -> list[str]:
    """Return the texts that the editor was opened with."""
    return []


@pytest.fixture
def ask(context: Context, begun_with: list[str], monkeypatch: pytest.MonkeyPatch) -> Ask:
    """Return a function that asks a card's rewrite in a scripted Ui."""
    without_workers(monkeypatch)

    def asked(*script: Reply | str, edited: str = "") -> tuple[Asked | None, ScriptedUi]:
        def edit(text: str) -> str | None:
            begun_with.append(text)
            return edited or None

        ui = ScriptedUi(*script, editor=edit)
        return ask_card(context, CARD, ui, 5), ui

    return asked


def test_second_failure_is_explained_more(ask: Ask) -> None:
    _, ui = ask(WRONG_HEADS, WRONG_HEADS, Quit())

    assert [ui.text.count(f"```text\n{text}\n```") for text in ("first", "again")] == [1, 1]


def test_answered_rewrite_begins_anew(ask: Ask, context: Context) -> None:
    ask(WRONG_HEADS, Quit())
    context.store.log.record(EventKind.ANSWER, CARD.id, grade=Grade.HARD)

    _, ui = ask(Quit())

    assert "You began this before" not in ui.text


def test_editor_begins_with_the_unreadable_answer(ask: Ask, begun_with: list[str]) -> None:
    ask(EDITOR, EDITOR, Quit(), edited="def f(x, h):\n    return (\n")

    assert begun_with[0].startswith("# rewrite.split_heads")
    assert begun_with[1] == "def f(x, h):\n    return (\n"


def test_missing_editor_is_named(context: Context, ask: Ask) -> None:
    def edit(_text: str) -> str | None:
        raise MissingError("the editor 'no' does not start")

    assert ask(Quit())[0] is None
    ui = ScriptedUi(EDITOR, HEADS, editor=edit)
    outcome, _ = closed_card(context, CARD, ui)

    assert outcome.grade is Grade.GOOD
    assert "Nothing was changed: the editor 'no' does not start" in ui.text


def test_grading_is_announced(ask: Ask) -> None:
    _, ui = ask(HEADS)

    assert "grading ..." in ui.messages


def test_an_answer_of_several_lines_may_be_pasted(ask: Ask) -> None:
    outcome, ui = ask(f"from einops import rearrange\n\ndef f(x, h):\n    return rearrange(x, '{HEADS}', h=h)")

    assert ui.lines
    assert outcome is not None
    assert outcome.grade is Grade.GOOD


def test_giving_up_keeps_the_graded_answer(ask: Ask) -> None:
    outcome, _ = ask(WRONG_HEADS, "no pattern", SKIP)

    assert outcome is not None
    assert outcome.showing is not None
    assert WRONG_HEADS in outcome.showing.answer


def test_unreadable_editor_text_is_offered_again(ask: Ask, begun_with: list[str]) -> None:
    ask(EDITOR, "no pattern", Quit(), edited=UNREAD)

    _, ui = ask(EDITOR, Quit())

    assert "What you wrote in the editor is kept: `:editor` opens it." in ui.text
    assert begun_with[1] == UNREAD


@pytest.mark.parametrize("end", [HEADS, SKIP])
def test_closed_question_drops_editor_text(ask: Ask, begun_with: list[str], end: Reply | str) -> None:
    ask(EDITOR, end, edited=UNREAD)

    ask(EDITOR, Quit())

    assert begun_with[1].startswith("# rewrite.split_heads")
