"""A set practised once: in a Ui of its own, with a report at the end. Every kind of exercise is practised so."""

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from studykit.exercise.run_ui import RunUi, right_at_once_before
from studykit.exercise.services import Services
from studykit.review.keymap import keymap

if TYPE_CHECKING:
    from studykit.review.run_report import RunAnswer


@dataclass(slots=True)
class SetRun:
    """What is asked in a Ui, and what came of it."""

    ui: RunUi
    answers: "Sequence[RunAnswer]" = ()
    again: bool = False  # known at its end: whether the learner wants what was missed once more


@contextmanager
def set_run(services: Services, *families: str, again: bool = True) -> Iterator[SetRun]:
    """Open the Ui, and report the answers at the end; what was missed is offered once more only if `again`.

    The report compares with earlier answers to exercises whose ids begin with one of `families`.
    """
    began, before = time.monotonic(), right_at_once_before(services.store, *families)
    with services.open_ui() as ui:
        run = SetRun(RunUi(ui, keymap(keys=services.settings("keys"))))
        yield run
    from studykit.review.run_report import RunReport

    report = RunReport(tuple(run.answers), time.monotonic() - began, before, again=again)
    run.again = services.end_run(report)
