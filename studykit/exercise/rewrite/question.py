"""A rewrite as a question: a line or the editor's text is graded in the sandbox."""

from functools import partial
from random import Random
from typing import TYPE_CHECKING

from studykit.exercise.rewrite.answer_file import showing_of, starting_text
from studykit.exercise.rewrite.rewrite import Rewrite, as_line, as_source
from studykit.exercise.verdict import Correct, Malformed
from studykit.review.question import Asked, Question, Reply
from studykit.scheduling.events import Showing
from studykit.scheduling.outcomes import MALFORMED

if TYPE_CHECKING:
    from studykit.graders.host.place import Place
    from studykit.store.store import Store

_MAX_RECALLED = 20  # answers to a rewrite that the up key brings back


def question_of(place: "Place", task: Rewrite, seed: int, store: "Store") -> Question:
    """Return the question of a rewrite over the shapes of a seed."""
    pattern = "a pattern such as `a b -> b a`, " if task.call else ""
    how = f"Type {pattern}an expression, or `:editor`."
    return Question(
        name=task.id,
        seed=seed,
        markdown=task.prompt,
        fields=("f =",),
        judge=partial(_judged, place, task, seed),
        showing=partial(_showing, task, seed),
        hints=tuple(task.hints),
        solution=f"A solution:\n\n{code(task)}",
        opening="\n\n".join(filter(None, [how, place.notice])),
        info=f"{task.id}, seed {seed}. The same shapes again: `study exercise {task.id} --seed {seed}`",
        command=f"study exercise {task.id}",
        help=how,
        doing="grading",
        edited=starting_text(task),
        reserves_letters=True,
        history=_recalled(store, task),
        text=task.prompt.partition("\n\n")[0],
    )


def code(task: Rewrite) -> str:
    """Return the solution as a block of code."""
    return f"```python\n{task.solution.strip()}\n```"


def _recalled(store: "Store", task: Rewrite) -> tuple[str, ...]:
    """Return the learner's last answers of one line to a rewrite, oldest first, as they can be typed."""
    showings = [e.showing for e in store.log.showings(task.id, last=_MAX_RECALLED) if e.showing is not None]
    return tuple(dict.fromkeys(line for one in reversed(showings) if (line := as_line(task, one.answer))))


def _showing(task: Rewrite, seed: int, answer: str, verdict: str, _slips: tuple[str, ...]) -> Showing:
    return showing_of(task, seed, answer, verdict)


def _judged(place: "Place", task: Rewrite, seed: int, asked: Asked) -> Reply:
    from studykit.graders.host.grade import grade, markdown

    tries, source = len(asked.tries), as_source(task, asked.given[-1])
    graded = grade(place, task, source, Random(seed + tries), again=tries > 0)
    verdict, details = graded.judgment.verdict, markdown(graded)
    match verdict:
        case Malformed(why):
            shown = graded.judgment.diagnosis.partition("\n")[2]
            return Reply(MALFORMED, while_open=why, details=f"```text\n{shown}\n```" if shown else "")
        case Correct():
            details += f"\n\nOne way to write it:\n\n{code(task)}"
    return Reply(verdict.name, answer=source, details=details, has_remark=True)
