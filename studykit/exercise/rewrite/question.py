"""Ask a rewrite as a question, whose line or editor text is graded in the sandbox."""

from functools import partial
from random import Random
from typing import TYPE_CHECKING

from studykit.exercise.rewrite.answer_file import showing_of, starting_text
from studykit.exercise.rewrite.rewrite import Rewrite, as_source
from studykit.exercise.verdict import Correct, Malformed
from studykit.review.question import Asked, Question, Reply
from studykit.scheduling.outcomes import MALFORMED

if TYPE_CHECKING:
    from studykit.graders.host.place import Place


def question_of(place: "Place", task: Rewrite, seed: int) -> Question:
    """Return the question of a rewrite on the shapes of a seed."""
    pattern = "a pattern such as `a b -> b a`, " if task.call else ""
    how = f"Type {pattern}an expression, or `:editor`."
    return Question(
        name=task.id,
        seed=seed,
        markdown=task.prompt,
        fields=("f =",),
        judge=partial(_judge_answer, place, task, seed),
        showing=lambda answer, verdict, _slips: showing_of(task, seed, answer, verdict),
        hints=tuple(task.hints),
        solution=f"A solution:\n\n{code(task)}",
        opening="\n\n".join(filter(None, [how, place.notice])),
        info=f"{task.id}, seed {seed}. The same shapes again: `study exercise {task.id} --seed {seed}`",
        command=f"study exercise {task.id}",
        help=how,
        doing="grading",
        edited=starting_text(task),
        reserves_letters=True,
        text=task.prompt.partition("\n\n")[0],
    )


def code(task: Rewrite) -> str:
    """Return the solution as a code block."""
    return f"```python\n{task.solution.strip()}\n```"


def _judge_answer(place: "Place", task: Rewrite, seed: int, state: Asked) -> Reply:
    from studykit.graders.host.grade import grade, markdown

    tries, source = len(state.tries), as_source(task, state.given[-1])
    graded = grade(place, task, source, Random(seed + tries), again=tries > 0)
    verdict, details = graded.judgment.verdict, markdown(graded)
    match verdict:
        case Malformed(why):
            table = graded.judgment.diagnosis.partition("\n")[2]
            return Reply(MALFORMED, while_open=why, details=f"```text\n{table}\n```" if table else "")
        case Correct():
            details += f"\n\nOne way to write it:\n\n{code(task)}"
    return Reply(verdict.name, answer=source, details=details, has_remark=True)
