"""Convert cards to questions: choices, typed answers, and those that the learner marks in a quiz."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from studykit.cards import choice
from studykit.cards.card import Card, Kind
from studykit.cards.choice import OptionList, Pick
from studykit.cards.front_matter import filled_in
from studykit.review import typed_answer
from studykit.review.question import UNMARKED, Asked, Question, Reply
from studykit.scheduling.events import Showing
from studykit.scheduling.outcomes import INCORRECT, MALFORMED, RIGHT

_NO_MACROS: Mapping[str, str] = {}


def question_of(
    card: Card, seed: int, macros: Mapping[str, str] = _NO_MACROS, *, is_marked: bool = False
) -> Question:
    """Return the question of a card. With `is_marked`, the learner marks an answer unlike the card's.

    An answer that is not to be typed may be revealed.
    """
    if macros:
        card = card._replace(prompt=filled_in(card.prompt, macros), answer=filled_in(card.answer, macros))
    if card.kind is Kind.CHOICE:
        return _choice_question(card, seed)
    right_text = typed_answer.shown(card)
    return Question(
        name=str(card.id),
        seed=seed if is_marked else None,  # a line that is begun in a quiz belongs to that quiz
        markdown=card.prompt,
        fields=("your answer",),
        judge=_judge_of(card, right_text, is_marked=is_marked),
        showing=lambda _answer, _verdict, _slips: None,
        right=right_text if is_marked or "\n" not in right_text else "",
        solution="" if is_marked else _solution_of(card, right_text),
        tries=1,
        info=f"card {card.id}",
        can_reveal=not (card.typed or is_marked),
        help="Type the answer and press Enter.",
        text=card.prompt,
    )


def _solution_of(card: Card, right_text: str) -> str:
    if card.kind is Kind.CLOZE and card.full:
        return card.full
    return right_text if "\n" in right_text else ""


def _judge_of(card: Card, right_text: str, *, is_marked: bool) -> Callable[[Asked], Reply]:
    def judge(state: Asked) -> Reply:
        answer = state.given[-1].strip()
        comparison = typed_answer.compare(answer, card.answer, card.prompt)
        if comparison.same or is_marked:
            # Whoever typed one of several answers has not read what a longer one adds.
            more = "\n" in right_text and len(typed_answer.alternatives(card.answer)) > 1 and not is_marked
            details = right_text if more else ""
            return Reply(RIGHT if comparison.same else UNMARKED, answer=answer, details=details, has_remark=more)
        from studykit.picture import Difference

        # two that have little in common stand on the page already, one as it was typed, one behind the verdict
        pictures = (Difference(comparison.you, comparison.carets, comparison.want),) if comparison.carets else ()
        return Reply(INCORRECT, answer=answer, pictures=pictures)

    return judge


def question(card: Card, options: OptionList, order: Sequence[int]) -> str:
    """Format a question with its options in the given order, as Markdown."""
    rows = [f"{number}. {options.options[place].text}" for number, place in enumerate(order, start=1)]
    return "\n".join([card.prompt, "", *rows, "", f"*{options.instruction}*"])


def feedback(options: OptionList, order: Sequence[int], pick: Pick) -> str:
    """Format the feedback on chosen options, with a line for each option, as Markdown."""
    rows = []
    for number, place in enumerate(order, start=1):
        option = options.options[place]
        word = "right" if option.right else "wrong"
        if place in pick.wrong:
            word += ", and you chose it"
        elif place in pick.missed and pick.chosen:
            word += ", and you did not choose it"
        why = f" ({option.why})" if option.why else ""
        rows.append(f"- **{number} {word}**: {option.text}{why}")
    return "\n\n".join(["\n".join(rows), *([options.explanation] if options.explanation else [])])


def _showing_of_choice(card: Card, seed: int, answer: str, verdict: str, slips: tuple[str, ...]) -> Showing:
    """Return the log entry of chosen options."""
    # The version depends on the card's text, so that changes show.
    return Showing(choice.TEMPLATE, choice.version(card), seed, "{}", answer, verdict, slips)


def asked_again(card: Card, entry: Showing) -> str | None:
    """Return the question of a log entry, or None if the card's text has changed since."""
    if entry.version != choice.version(card):
        return None
    options = choice.options_of(card)
    return question(card, options, options.order(entry.seed))


def _choice_question(card: Card, seed: int) -> Question:
    """Return the question of a multiple-choice card, with its options shuffled by a seed."""
    options = choice.options_of(card)
    order = options.order(seed)
    several = len(options.right) > 1
    how = "Type the numbers of all that are right, such as 1 3." if several else "Type the number of one option."
    has_remark = bool(options.explanation) or any(each.why for each in options.options)

    def judge(state: Asked) -> Reply:
        pick = choice.picked(state.given[-1], options, order)
        if pick is None:
            return Reply(MALFORMED, while_open=how)
        return Reply(
            pick.verdict,
            answer=_joined_texts(options, pick.chosen),
            slips=choice.slips(card, options, pick),
            details=feedback(options, order, pick),
            is_explained=True,
            has_remark=has_remark,
        )

    return Question(
        name=str(card.id),
        seed=seed,
        markdown=question(card, options, order),
        fields=("numbers" if several else "number",),
        judge=judge,
        showing=partial(_showing_of_choice, card, seed),
        right=_joined_texts(options, options.right),
        solution=feedback(options, order, choice.judged(options, ())),
        tries=1,
        info=f"card {card.id}, seed {seed}",
        help=how,
        text=card.prompt,
    )


def _joined_texts(options: OptionList, places: frozenset[int]) -> str:
    return "; ".join(options.options[place].text for place in sorted(places))
