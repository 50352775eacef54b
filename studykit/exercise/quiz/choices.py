"""A choice asked: as a card of a review and as a question of a quiz. The options are typed by their numbers."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from studykit.cards import choice
from studykit.cards.card import Card
from studykit.cards.choice import OptionList, Pick
from studykit.cards.front_matter import filled_in
from studykit.exercise.kind import QuizAnswer, QuizTurn
from studykit.scheduling.events import Showing
from studykit.scheduling.outcomes import suggested_grade
from studykit.scheduling.recall_grade import Grade
from studykit.ui import Asker, Command, ExerciseOutcome, Quit, Ui

_HEADLINES = {"correct": "right", "close": "almost: something is missing", "incorrect": "not right"}
_SIGNS = {"correct": "✓", "close": "✗", "incorrect": "✗"}
_SHOW = {"": "show the answer"}


def asker(
    macros: Callable[[Card], Mapping[str, str]] = lambda _: {}, in_a_line: Callable[[str], str] = str
) -> Asker:
    """Asks choices in a review; `macros` are those of a card's deck, `in_a_line` makes words of Markdown."""

    def ask(card: Card, ui: Ui, seed: int) -> ExerciseOutcome:
        if meanings := macros(card):
            prompt, answer = filled_in(card.prompt, meanings), filled_in(card.answer, meanings)
            card = card._replace(prompt=prompt, answer=answer)
        done = _asked(card, ui, seed)
        return replace(done, message=in_a_line(done.message)) if done.complete else done

    return ask


def quiz(ui: Ui, card: Card, turn: QuizTurn) -> QuizAnswer | None:
    """Take one attempt; None where the learner leaves."""
    options = choice.options_of(card)
    order = options.order(turn.seed)
    ui.show(question(card, options, order), title=turn.title, place=turn.place)
    pick = _pick(ui, options, order, {"": "no answer"} if turn.exam else _SHOW)
    if pick is None:
        return None
    if not turn.exam:
        ui.tell(feedback(options, order, pick))
        ui.choose("", [("", "next")])
    record = showing(card, options, pick, turn.seed)
    right = _texts(options, options.right)
    return QuizAnswer(pick.verdict, record.answer, right, card.prompt, record.slips, record)


def question(card: Card, options: OptionList, order: Sequence[int]) -> str:
    """The question with its options in the order of a showing, in Markdown."""
    rows = [f"{number}. {options.options[place].text}" for number, place in enumerate(order, start=1)]
    return "\n".join([card.prompt, "", *rows, "", f"*{options.instruction}*"])


def feedback(options: OptionList, order: Sequence[int], pick: Pick) -> str:
    """What came of a pick, with a line on each option, in Markdown."""
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
    headline = [f"{_SIGNS[pick.verdict]} **{_HEADLINES[pick.verdict]}**"] if pick.chosen else []
    return "\n\n".join([*headline, "\n".join(rows), *([options.explanation] if options.explanation else [])])


def showing(card: Card, options: OptionList, pick: Pick, seed: int) -> Showing:
    """What the log keeps of a pick; the version is of the card's text, so that a changed one is noticed."""
    return Showing(
        template=choice.TEMPLATE,
        version=choice.version(card),
        seed=seed,
        parameters="{}",
        answer=_texts(options, pick.chosen),
        verdict=pick.verdict,
        slips=choice.slips(card, options, pick),
    )


def asked_again(card: Card, shown: Showing) -> str | None:
    """The question of an entry in the log; None where the card's text has changed since."""
    if shown.version != choice.version(card):
        return None
    options = choice.options_of(card)
    return question(card, options, options.order(shown.seed))


def _asked(card: Card, ui: Ui, seed: int) -> ExerciseOutcome:
    options = choice.options_of(card)
    order = options.order(seed)
    ui.show(question(card, options, order))
    pick = _pick(ui, options, order, {**_SHOW, "k": "skip"})
    if pick is None:
        return ExerciseOutcome(None, None, "not answered")
    ui.tell(feedback(options, order, pick))
    right = ", ".join(str(number) for number, place in enumerate(order, start=1) if place in options.right)
    message = f"{_HEADLINES[pick.verdict]}: {right}"
    record = showing(card, options, pick, seed)
    if pick.verdict == "correct" and not options.explanation and not any(each.why for each in options.options):
        return ExerciseOutcome(Grade.GOOD, record, f"✓ right: {record.answer}", complete=True)
    return ExerciseOutcome(suggested_grade(pick.verdict), record, message)


def _pick(ui: Ui, options: OptionList, order: Sequence[int], commands: Mapping[str, str]) -> Pick | None:
    """What the learner picks, an empty pick for none; asked until a line names options; None: they leave."""
    several = len(options.right) > 1
    label = "numbers" if several else "number"
    how = "Type the numbers of all that are right, such as 1 3." if several else "Type the number of one option."
    while True:
        reply = ui.read(label, commands)
        match reply:
            case Quit() | Command("k"):
                return None
            case Command():
                return choice.judged(options, ())
            case _:
                pick = choice.picked(reply.text, options, order)
        if pick is not None:
            return pick
        ui.tell(how)


def _texts(options: OptionList, places: frozenset[int]) -> str:
    return "; ".join(options.options[place].text for place in sorted(places))
