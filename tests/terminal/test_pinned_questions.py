"""Test that every question of the catalogue stays complete on a screen of 80 x 24."""

import pytest

from studykit.exercise import catalog
from studykit.exercise.bet.snippet import BetExercise, snippet_markdown
from studykit.exercise.entry import Exercise
from studykit.exercise.estimate.template import Template, draw
from studykit.exercise.rewrite.rewrite import Rewrite
from studykit.terminal.glyphs import UNICODE
from studykit.terminal.markdown.inline import Notation
from studykit.terminal.page import ExercisePage, MarkdownPart
from studykit.terminal.screen import ScreenContent, layout
from studykit.terminal.spans import line


def question(exercise: Exercise) -> str:
    match exercise:
        case Template():
            return f"{draw(exercise, 1, {}).prompt}\n\nAccepted within 2 %."
        case Rewrite():
            return exercise.prompt
        case BetExercise():
            device = "cpu" if "cpu" in exercise.sizes else "cuda"
            code = snippet_markdown(exercise.source, exercise.draw(1, device))
            return f"{code}\n\nHow long does one call of `run` take on this GPU?"
        case _:
            return ""


@pytest.mark.parametrize("kind", ["number", "rewrite", "bet"])
def test_no_question_is_too_long_to_stay(kind: str) -> None:
    exercises = [exercise for exercise in catalog.every() if exercise.kind == kind]
    assert len(exercises) > 20
    for exercise in exercises:
        rows = ExercisePage(parts=[MarkdownPart(question(exercise))]).question(76, Notation())
        content = ScreenContent([line("head")], [line("said")] * 40, [line("foot")] * 3, pinned=[(), *rows, ()])

        assert layout(content, 80, 24, 9, UNICODE).pinned >= len(rows), exercise.id
