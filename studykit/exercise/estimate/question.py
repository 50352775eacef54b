"""Ask a variant of an estimate as a question, judge its answers, and draw pictures at its end."""

import math
from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

from studykit.exercise.estimate import feedback, log, number, pins, selection
from studykit.exercise.estimate.interval import split_interval
from studykit.exercise.estimate.template import Judge, NumericJudgment, Template, Variant, distance, draw
from studykit.exercise.verdict import Correct, Malformed
from studykit.quantity.units import NUMBER
from studykit.review.question import Aside, Asked, Question, Reply
from studykit.scheduling.outcomes import INCORRECT, MALFORMED

if TYPE_CHECKING:
    from studykit.exercise.turn import Asking, Draw
    from studykit.picture import Picture


def question_of(
    variant: Variant, judge: Judge | None = None, *, rough: bool = False, history: Sequence[str] = ()
) -> Question:
    """Return the question of a variant. `judge` replaces the numeric judge if given."""
    accepted = feedback.tolerance(variant, rough=rough).replace("accepted", "Accepted")
    if variant.template.parts is not None and variant.tolerance:
        accepted += ". If you like, add an 80% interval in brackets: `6 [4, 9]`"
    label = feedback.unit_label(variant)
    return Question(
        name=variant.template.id,
        seed=variant.seed,
        markdown=f"{variant.prompt}\n\n{accepted}.",
        fields=(label,),
        judge=partial(_judge_answer, variant, judge or partial(number.judge, rough=rough)),
        showing=partial(log.showing_of, variant),
        right=feedback.full_answer(variant),
        hints=tuple(variant.hints),
        solution="\n\n".join([steps(variant), *feedback.caveats(variant)]),
        steps=steps(variant),
        pictures=lambda: tuple(pictures(variant, [])),
        info=f"{variant.template.id}, seed {variant.seed}. The same numbers again: `{command(variant)}`",
        command=command(variant),
        help=_help_text(variant, label),
        is_bet=variant.template.parts is not None,
        reserves_letters=True,
        history=tuple(history),
        text=variant.prompt,
    )


def pose_draw(asking: "Asking", template: Template, drawn: "Draw") -> "Question":
    """Return the question of a draw: the variant of a log entry, of a seed, or a least-met one."""
    services, values = asking.services, pins.pins(template, drawn.pinned)
    if drawn.showing is not None:
        variant = log.variant_of(template, drawn.showing)
    elif drawn.is_exact:
        variant = draw(template, drawn.seed, values)
    else:
        met = log.shown_variants(services.store, template)
        variant = selection.least_met(template, drawn.seed, met, values)
    rough = drawn.rough or services.rough
    return question_of(variant, rough=rough, history=log.answers(services.store))


def command(variant: Variant) -> str:
    """Return the command that asks the same numbers again."""
    drawn_by = variant.drawn_by or " ".join([variant.template.id, *pins.words(variant.pinned)])
    return f"study exercise {drawn_by} --seed {variant.seed}"


def steps(variant: Variant) -> str:
    """Return the worked solution as Markdown."""
    return "\n".join(f"{place}. {step}" for place, step in enumerate(variant.solution, start=1))


def read_as(judgment: NumericJudgment) -> str:
    """Format the parsed answer and its notes."""
    return judgment.read_as + "".join(f" ({note})" for note in judgment.notes)


def _help_text(variant: Variant, label: str) -> str:
    is_bare = variant.formula or variant.template.target.dimension == NUMBER
    bare = "" if is_bare else f"A bare number is in {label}. "
    formula = f"a formula in {', '.join(variant.letters)}" if variant.letters else ""
    amount = f"{feedback.asked_for(variant)}: `8.4e22`, `6*7e9*2e12`, `112 GB`, `2.1 days`"
    forms = formula if variant.formula else " or ".join(filter(None, [amount, formula]))
    commands = "Commands begin with a colon: `:hint`, `:steps`, `:skip`, `:quit`."
    return f"Type {forms}, and press Enter. {bare}{commands}"


def _judge_answer(variant: Variant, judge: Judge, state: Asked) -> Reply:
    text = state.given[-1].strip()
    judgment = judge(variant, text)
    if state.aside is not None and not isinstance(judgment.verdict, Correct):
        return _judge_between(variant, judge, judgment, state, text)
    slips = tuple(slip for slip in judgment.slips if slip.id not in state.ruled_out)
    if isinstance(judgment.verdict, Malformed):
        return Reply(MALFORMED, while_open=judgment.verdict.why)
    posed = judgment.posed or variant
    is_right = isinstance(judgment.verdict, Correct)
    where = "On the right numbers it is" if is_right else "On your own numbers the answer is"
    own = f"{where} {feedback.right_answer(variant if is_right else posed)}." if judgment.posed else ""
    value = judgment.compared
    intervals = (split_interval(each, variant)[1] for each in (*state.answers, text))
    interval = next(filter(None, intervals), None)  # the first one is the bet
    lines = [judgment.mismatch, own, feedback.off_by(posed, value), *feedback.slip_lines(slips)]
    lines += [interval.words(variant.answer, variant.template.target)] if interval else []
    lines += feedback.caveats(posed) if is_right else []  # else with the solution
    values = [*state.values, *([value] if value is not None else [])]
    drawings = tuple(pictures(variant, [] if is_right and not state.tries else values))
    between, slip_ids = variant.template.between, tuple(slip.id for slip in slips)
    aside = Aside(f"What do you get for {between.name}?", between.unit, slip_ids) if between else None
    blamed = {*feedback.blamed(slips), *state.slips}  # a tied slip counts only if an earlier try made it
    return Reply(
        verdict=judgment.verdict.name,
        answer=text,
        read_as=read_as(judgment),
        while_open=feedback.while_open(posed, judgment.verdict, judgment.value, slips),
        when_closed="\n".join(filter(None, lines)),
        slips=tuple(slip_id for slip_id in slip_ids if slip_id in blamed),
        slip_text="\n".join(feedback.slip_lines(slips)),
        value=value,
        pictures=drawings,
        aside=aside if feedback.tied(slips) else None,
        right=feedback.full_answer(posed) if is_right else "",
        has_remark=bool(feedback.caveats(variant)) or judgment.posed is not None or interval is not None,
    )


def _judge_between(
    variant: Variant, judge: Judge, answer_judgment: NumericJudgment, state: Asked, text: str
) -> Reply:
    """Judge an intermediate value, which distinguishes tied slips and costs no try."""
    between = variant.template.between
    if between is None or state.aside is None:
        return Reply(MALFORMED)
    judgment = judge(variant.between, text)
    if isinstance(judgment.verdict, Malformed):
        return Reply(MALFORMED, while_open=f"{judgment.verdict.why}. Give that value, or `:skip` it")
    is_right = isinstance(judgment.verdict, Correct)
    tied, visible = set(state.aside.slips), set(between.shows)
    dropped = tied & visible if is_right else tied - visible
    earlier_slips = {slip for reply in state.tries[:-1] for slip in reply.slips}
    slips = tuple(slip for slip in variant.slips if slip.id in tied - dropped)
    kept_slips = {*feedback.blamed(slips), *(earlier_slips & tied)} - dropped
    words = "That step is right: look at what comes after it." if is_right else "Look at that step first."
    value, step_value = answer_judgment.compared, judgment.compared
    if not is_right and value is not None:
        step_gap = math.inf if step_value is None else distance(step_value, variant.between.answer)
        if distance(value, variant.answer) < step_gap:  # it was meant for the question
            words += f" As an answer to the question it is {feedback.direction(value, variant.answer)}."
    return Reply(
        INCORRECT,
        while_open=words,
        slips=tuple(slip for slip in state.aside.slips if slip in kept_slips),
        ruled_out=frozenset(dropped),
    )


def pictures(variant: Variant, tries: Sequence[float]) -> Iterator["Picture"]:
    """Yield the pictures that apply: the tries' distances, the answer's parts, the kernel on its roofline."""
    from studykit.picture import Roofline, Ruler

    if any(value > 0 for value in tries) and variant.answer > 0 and variant.tolerance > 0:
        size = variant.template.target.factor
        yield Ruler(variant.answer / size, [value / size for value in tries])
    if variant.template.parts is not None:
        yield variant.template.parts(variant.values).bars()
    if variant.template.roof is not None:
        at = variant.template.roof(variant.values)
        if not at.device.has(at.dtype):  # a measured device, or one of another dtype
            return
        peak, bandwidth = at.device.peak(at.dtype), at.device.bandwidth
        top = min(peak, bandwidth * at.intensity)
        yield Roofline(peak, bandwidth, at.intensity, top, f"on {at.device}")
