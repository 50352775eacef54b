"""One question as a state machine: an event goes in, the next state and what the caller has to do come out.

Every kind of question is asked by these rules: typed cards, choices, estimates, rewrites, bets and quiz questions.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from studykit.review.question import (
    UNMARKED,
    Asked,
    Broken,
    Commanded,
    Edited,
    Effect,
    Event,
    Judged,
    Marked,
    Phase,
    Policy,
    Reply,
    TimeUp,
    Typed,
)
from studykit.scheduling import outcomes
from studykit.scheduling.outcomes import CLOSE, INCORRECT, LATE, MALFORMED, NOT_SCORED, RIGHT, SKIPPED
from studykit.text import sentence

if TYPE_CHECKING:
    from studykit.review.question import Part

_STEPS_WARNING = "The steps give the answer away and end this question. `:steps` again shows them."
_NO_ANSWER = "No answer yet. `:skip` shows the solution."
_NO_HELP = "A quiz gives no hints and no steps."
_COMMAND_WORDS = {"hint", "steps", "skip", "undo", "why", "quit", "exit", "editor", "info", "help", "?"}
_COMMAND_LETTERS = {"h": "hint", "s": "steps", "k": "skip", "q": "quit", "u": "undo", "e": "editor"}

Step = tuple[Asked, Effect]


def step(asked: Asked, event: Event, policy: Policy) -> Step:
    """Return the state after an event, and what the caller has to do. Events that make no sense change nothing."""
    after: Asked | Step = asked
    is_open = asked.phase in {Phase.ASKING, Phase.ASIDE}
    match event:
        case Typed(text) if is_open:
            after = _typed(asked, text)
        case Edited(text=None, why=why) if is_open:
            after = asked.say(why or "Nothing was changed.")
        case Edited(text=str(text)) if is_open:
            after = _judging(replace(asked, edited=text), (text,))
        case Judged(reply) if asked.phase is Phase.JUDGING:
            after = _judged(asked, reply, policy)
        case Broken(why) if asked.phase is Phase.JUDGING:
            back = Phase.ASIDE if asked.aside else Phase.ASKING
            after = replace(asked, phase=back, given=()).say(why)
        case Marked(is_right) if asked.phase is Phase.MARKING:
            marked = replace(asked.last, verdict=RIGHT if is_right else INCORRECT)
            after = _closed(replace(asked, tries=(*asked.tries[:-1], marked), is_marked=True), policy)
        case TimeUp(text) if not asked.is_closed:
            answers = (*asked.answers, text) if text else asked.answers
            after = replace(asked, answers=answers, tries=(*asked.tries, Reply(NOT_SCORED, text)))
            after = replace(after, phase=Phase.CLOSED, verdict=NOT_SCORED, given=(), aside=None)
        case Commanded(name) if is_open and name in _COMMANDS:
            after = _COMMANDS[name](asked, policy)
    return (after, Effect.NONE) if isinstance(after, Asked) else after


def _typed(asked: Asked, text: str) -> Asked | Step:
    question, bare, number = asked.question, text.strip(), len(asked.given)
    if not bare:
        is_optional = asked.phase is Phase.ASKING and number in question.optional
        return _field(asked, "") if is_optional else asked.say(_NO_ANSWER)
    if question.reserves_letters and (command := _command_meant(bare.lower())):
        if command == "help":
            return asked.say(question.help)
        return asked.say(f"Here letters are letters. A command begins with a colon: `:{command}`.")
    if asked.phase is Phase.ASIDE:
        return _judging(asked, (text,))
    why = question.field_error(number, text)
    return asked.say(_not_read(why)) if why else _field(asked, text)


def _command_meant(word: str) -> str:
    """Return the command whose letter or word was typed as an answer, or "" for an answer."""
    named = {"?": "help", "exit": "quit"}.get(word, word)
    return _COMMAND_LETTERS.get(word, named if word in _COMMAND_WORDS else "")


def _field(asked: Asked, text: str) -> Asked | Step:
    given = (*asked.given, text)
    return replace(asked, given=given) if len(given) < len(asked.question.fields) else _judging(asked, given)


def _judging(asked: Asked, given: tuple[str, ...]) -> Step:
    return replace(asked, given=given, phase=Phase.JUDGING), Effect.JUDGE


def _judged(asked: Asked, reply: Reply, policy: Policy) -> Asked:
    promises = asked.promises if reply.promise is None else (*asked.promises, reply.promise)
    back = Phase.ASIDE if asked.aside is not None else Phase.ASKING
    still_open = replace(asked, phase=back, given=(), promises=promises)
    if reply.verdict == MALFORMED:
        return still_open.say(_not_read(reply.while_open), reply.details)
    if asked.aside is not None and reply.verdict not in {RIGHT, CLOSE}:
        last = replace(asked.last, slips=reply.slips)
        after = replace(still_open, phase=Phase.ASKING, aside=None, tries=(*asked.tries[:-1], last))
        return replace(after, ruled_out=asked.ruled_out | reply.ruled_out).say(reply.while_open)
    text = reply.answer or "\n".join(asked.given).strip()
    tried = replace(
        still_open,
        phase=Phase.ASKING,
        aside=None,
        answers=(*asked.answers, text),
        tries=(*asked.tries, reply),
        edited=asked.edited if asked.given == (asked.edited,) else "",
        previous=replace(still_open, phase=Phase.ASKING, aside=None, promises=asked.promises),
    )
    return _after_try(tried, reply, policy)


def _after_try(tried: Asked, reply: Reply, policy: Policy) -> Asked:
    """Close the question after a try, ask for another one, or for an intermediate value."""
    if reply.verdict == UNMARKED:
        if policy.is_silent:
            return replace(tried, phase=Phase.CLOSED)
        return replace(tried, phase=Phase.MARKING).say(f"The answer: {tried.question.right}")
    left = (policy.tries or tried.question.tries) - len(tried.tries)
    if reply.verdict in {RIGHT, CLOSE, NOT_SCORED} or left <= 0:
        return _closed(tried, policy)
    words = f"✗ **not yet**, {left} {'try' if left == 1 else 'tries'} left."
    read_as = f"Read as {reply.read_as}: " if reply.read_as else ""
    after = tried.say(f"{words} {read_as}{reply.while_open}".rstrip(" :"), reply.details)
    if reply.aside is None:
        return after
    return replace(after, phase=Phase.ASIDE, aside=reply.aside).say(reply.aside.markdown)


def _hint(asked: Asked, policy: Policy) -> Asked:
    hints, count = asked.question.hints, asked.hints
    if not policy.has_help:
        return asked.say(_NO_HELP)
    if count < len(hints):
        return replace(asked, hints=count + 1).say(f"Hint: {hints[count]}")
    return asked.say("That was the last hint." if hints else "There are no hints here.")


def _steps(asked: Asked, policy: Policy) -> Asked:
    if not policy.has_help:
        return asked.say(_NO_HELP)
    if not asked.question.has_steps:
        return asked.say("There are no steps here.")
    return (
        _closed(asked, policy, skipped=True) if asked.warned else replace(asked, warned=True).say(_STEPS_WARNING)
    )


def _skip(asked: Asked, policy: Policy) -> Asked:
    return _back(asked, policy) if asked.phase is Phase.ASIDE else _closed(asked, policy, skipped=True)


def _back(asked: Asked, _: Policy) -> Asked:
    if asked.phase is Phase.ASIDE:
        return replace(asked, phase=Phase.ASKING, aside=None).say("Back to the question.")
    return replace(asked, given=asked.given[:-1])


def _editor(asked: Asked, _: Policy) -> Asked | Step:
    if asked.question.edited is None:
        return asked.say("`:editor` is for rewrites.")
    return asked, Effect.EDIT


_COMMANDS: Mapping[str, Callable[[Asked, Policy], Asked | Step]] = {
    "hint": _hint,
    "steps": _steps,
    "skip": _skip,
    "back": _back,
    "editor": _editor,
    "help": lambda asked, _: asked.say(asked.question.help),
}


def _closed(asked: Asked, policy: Policy, *, skipped: bool = False) -> Asked:
    """Close a question with its verdict, answer, slips and solution, or silently if the policy says so."""
    verdict = asked.last.verdict
    if skipped:
        verdict = verdict if asked.tries else SKIPPED
    elif verdict == RIGHT and (len(asked.tries) > 1 or asked.hints or asked.answer_seen):
        verdict = LATE
    closed = replace(asked, phase=Phase.CLOSED, verdict=verdict, given=(), aside=None)
    if skipped:
        closed = replace(closed, previous=replace(asked, aside=None, phase=Phase.ASKING))
    return closed if policy.is_silent or closed.is_marked else closed.say(*_closing_parts(closed))


def _closing_parts(asked: Asked) -> "Sequence[Part]":
    """Return what is said at the end: verdict, how the answer was read, why, steps, pictures."""
    last, answered = asked.last, bool(asked.tries)
    right = f": {asked.right}" if asked.right else ""
    first = f"{outcomes.sign_of(asked.verdict)} **{asked.verdict_words}**{right}"
    if asked.verdict == NOT_SCORED:
        first = f"· **not scored**: {sentence(last.when_closed)}"
        return [first, last.details, *last.pictures]
    earlier = [
        f"Try {number}: {reply.slip_text}"
        for number, reply in enumerate(asked.tries[:-1], start=1)
        if reply.slip_text and reply.slip_text not in last.when_closed
    ]
    words = [_read_as(last), last.when_closed] if answered else []
    is_found = outcomes.is_right(asked.verdict) or last.is_explained
    solution = "" if is_found else asked.question.solution
    text = "\n".join([*filter(None, words), *earlier])
    return [first, text, last.details, solution, *last.pictures]


def _read_as(reply: Reply) -> str:
    return f"Read as {reply.read_as}." if reply.read_as else ""


def _not_read(why: str) -> str:
    return f"Not read: {sentence(why.rstrip('.'))} This costs no try." if why else ""
