"""Define rewrites as a kind of exercise. An answer is a line or the editor's text, graded in the sandbox."""

from collections.abc import Sequence
from functools import partial
from random import Random
from typing import TYPE_CHECKING

from studykit.errors import NotFoundError
from studykit.exercise import catalog
from studykit.exercise.catalog import REWRITES, rewrite_named
from studykit.exercise.entry import Exercise, PageCard
from studykit.exercise.kind import ExerciseKind, Pinned, SetRequest, read_on_page
from studykit.exercise.rewrite.answer_file import showing_of, starting_text
from studykit.exercise.rewrite.rewrite import Rewrite, as_source
from studykit.exercise.services import Services
from studykit.exercise.verdict import Correct, Malformed
from studykit.review.question import Asked, Question, Reply
from studykit.scheduling.outcomes import MALFORMED

if TYPE_CHECKING:  # a quiz and a page ask this kind and grade nothing
    from studykit.exercise.turn import Asking, Draw
    from studykit.graders.host.place import Place

SET = "einops"


def page(task: Rewrite, pinned: Pinned) -> PageCard:
    """Return a rewrite's question and solution, to read on a page."""
    card = read_on_page(task, pinned)
    return PageCard(card.prompt, code(task), card.command)


def plan(_services: Services, request: SetRequest, seed: int) -> Sequence[Exercise]:
    """Return the named rewrite, or the requested number of a set or family."""
    name, rewrites = request.name, [task for task in catalog.of_set(SET) if isinstance(task, Rewrite)]
    families = sorted({task.family for task in rewrites})
    if name in {"", SET, REWRITES.removesuffix("."), *families}:
        tasks = [task for task in rewrites if name not in families or task.family == name]
        order = Random(seed).sample(tasks, len(tasks))
        return [task for task in order if request.only is None or task.id in request.only][: request.number]
    try:
        return [rewrite_named(name)]
    except NotFoundError as error:
        if not error.message.endswith((".", "?")):  # which goes on with a command
            raise
        raise NotFoundError(f"{error.message} The families are {', '.join(families)}.") from None


def pose(asking: "Asking", task: Rewrite, draw: "Draw") -> Question:
    """Return a rewrite as a question on the shapes of a seed. Its worker imports torch while the learner reads."""
    from studykit.graders.host.place import place_for

    services = asking.services
    place = asking.once(
        "place", lambda: place_for(services.open_worker, None, services.typed_permission(), asking.ui)
    )
    seed = draw.showing.seed if draw.showing is not None else draw.seed
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


REWRITE: ExerciseKind[Rewrite] = ExerciseKind(
    pose=pose,
    plan=plan,
    answered_by="study grade {id} FILE",
    page=page,
)
