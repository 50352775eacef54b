"""A run of rewrites: next, again, undo, and its end; grading itself is left to the tests of the graders."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import pytest
from scripted_ui import ScriptedUi

from studykit.cli.context import Context
from studykit.cli.display import services
from studykit.exercise.kind import SetRequest
from studykit.exercise.rewrite import kind
from studykit.exercise.rewrite.answer_file import showing_of
from studykit.exercise.rewrite.rewrite import Rewrite
from studykit.exercise.services import Services
from studykit.review.run_report import RunReport
from studykit.scheduling.recall_grade import Grade
from studykit.ui import ExerciseOutcome, Quit, RunPosition, Ui

RIGHT, WRONG = "right", "wrong"


class Run:
    """A run of rewrites whose answers are right or wrong because they say so."""

    def __init__(self, context: Context, patch: pytest.MonkeyPatch) -> None:
        self.context = context
        self.asked: list[str] = []
        self.reports: list[RunReport] = []
        self.said: list[str] = []
        self.left: list[int] = []
        patch.setattr(kind, "converse", self._converse)

    def __call__(self, *said: str, again: bool = False, name: str = "einops") -> list[str]:
        ui, wanted = ScriptedUi(*said), [again]

        @contextmanager
        def open_ui() -> Iterator[ScriptedUi]:
            yield ui

        def end_run(report: RunReport) -> bool:
            self.reports.append(report)
            return wanted.pop() if wanted else False

        handed = replace(services(self.context), open_ui=open_ui, end_run=end_run)
        kind.practise(handed, SetRequest(name, number=3, seed=1))
        return [str(event.kind) for event in self.context.store.log.events()]

    def _converse(
        self, _services: Services, task: Rewrite, ui: Ui, seed: int, *, at: RunPosition | None = None
    ) -> ExerciseOutcome:
        self.asked.append(task.id)
        self.said.append(at.said if at is not None else "")
        self.left.append(at.of - at.done if at is not None else 0)
        ui.show(task.prompt, title=task.id, place=at)
        output = ui.read("f =", {})
        if isinstance(output, Quit):
            return ExerciseOutcome(None, None)
        passed = getattr(output, "text", "") == RIGHT
        showing = showing_of(task, seed, "", "correct" if passed else "incorrect")
        return ExerciseOutcome(Grade.GOOD if passed else Grade.AGAIN, showing, "done")


@pytest.fixture
def run(context: Context, monkeypatch: pytest.MonkeyPatch) -> Run:
    """A run in a folder of its own."""
    return Run(context, monkeypatch)


def test_end_counts_right_and_missed_answers(run: Run) -> None:
    kinds = run(RIGHT, "", WRONG, "q")

    (report,) = run.reports
    assert kinds == ["practice", "practice"]
    assert [(one.passed, one.at_once) for one in report.answers] == [(True, True), (False, False)]
    assert report.missed[0].right.startswith("`return ")


def test_missed_rewrites_can_be_retried(run: Run) -> None:
    run(RIGHT, "", WRONG, "q", RIGHT, "q", again=True)

    assert run.asked[1:] == [run.asked[1]] * 2
    assert len(run.reports) == 2
    assert (run.reports[0].before, run.reports[1].before) == (None, 0.5)


def test_undo_after_a_rewrite_asks_it_again(run: Run) -> None:
    kinds = run(WRONG, "u", RIGHT, "q")

    assert kinds == ["practice", "undo", "practice"]
    assert run.asked[0] == run.asked[1]
    assert run.said[1] == f"undone: your answer to {run.asked[0]}"
    assert [one.passed for one in run.reports[0].answers] == [True]


def test_undo_returns_to_the_previous_rewrite(run: Run) -> None:
    kinds = run(WRONG, "", "undo", "q")

    assert kinds == ["practice", "undo"]
    assert run.asked == [run.asked[0], run.asked[1], run.asked[0]]


def test_named_rewrite_counts_as_one(run: Run) -> None:
    run(RIGHT, "", RIGHT, "q", name="rewrite.split_heads")

    assert run.asked[0] == "rewrite.split_heads"
    assert run.left == [1, 1]


def test_set_counts_the_requested_number(run: Run) -> None:
    run(RIGHT, "", RIGHT, "", RIGHT, "", RIGHT, "q")

    assert run.left == [3, 2, 1, 1]
