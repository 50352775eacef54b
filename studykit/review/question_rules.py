"""Run a question as a state machine: take an event, return the next state and the caller's task.

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
    tries_left_words,
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


def step(state: Asked, event: Event, policy: Policy) -> Step:
    """Return the next state and what the caller must do. Events that do not fit the phase change nothing."""
    next_state: Asked | Step = state
    is_open = state.phase in {Phase.FACE, Phase.ASKING, Phase.ASIDE}
    match event:
        case Typed(text) if is_open:
            next_state = _read_typed_line(state, text)
        case Edited(text=None, why=why) if is_open:
            next_state = state.say(why or "Nothing was changed.")
        case Edited(text=str(text)) if is_open:
            next_state = _begin_judging(replace(state, edited=text), (text,))
        case Judged(reply) if state.phase is Phase.JUDGING:
            next_state = _take_reply(state, reply, policy)
        case Broken(why) if state.phase is Phase.JUDGING:
            open_phase = Phase.ASIDE if state.aside else Phase.ASKING
            next_state = replace(state, phase=open_phase, given=state.given[:-1]).say(why)
        case Marked(is_right) if state.phase is Phase.MARKING:
            marked_reply = replace(state.last, verdict=RIGHT if is_right else INCORRECT)
            next_state = _close(replace(state, tries=(*state.tries[:-1], marked_reply), is_marked=True), policy)
        case TimeUp(text) if not state.is_closed:
            answers = (*state.answers, text) if text else state.answers
            next_state = replace(state, answers=answers, tries=(*state.tries, Reply(NOT_SCORED, text)))
            next_state = replace(next_state, phase=Phase.CLOSED, verdict=NOT_SCORED, given=(), aside=None)
        case Commanded(name) if is_open and name in _COMMANDS:
            next_state = _COMMANDS[name](state, policy)
    return (next_state, Effect.NONE) if isinstance(next_state, Asked) else next_state


def _read_typed_line(state: Asked, text: str) -> Asked | Step:
    question, bare, number = state.question, text.strip(), len(state.given)
    if not bare:
        is_optional = state.phase is Phase.ASKING and number in question.optional
        return _fill_field(state, "") if is_optional else state.say(_NO_ANSWER)
    if question.reserves_letters and (command := _command_meant(bare.lower())):
        if command == "help":
            return state.say(question.help)
        return state.say(f"Letters are read as an answer here. Commands begin with a colon: `:{command}`.")
    if state.phase is Phase.ASIDE:
        return _begin_judging(state, (text,))
    why = question.field_error(number, text)
    return state.say(_not_read(why)) if why else _fill_field(state, text)


def _command_meant(word: str) -> str:
    """Return the command that was typed as an answer, by letter or word, or "" if it is an answer."""
    command = {"?": "help", "exit": "quit"}.get(word, word)
    return _COMMAND_LETTERS.get(word, command if word in _COMMAND_WORDS else "")


def _fill_field(state: Asked, text: str) -> Asked | Step:
    texts = (*state.given, text)
    return replace(state, given=texts) if len(texts) < len(state.question.fields) else _begin_judging(state, texts)


def _begin_judging(state: Asked, texts: tuple[str, ...]) -> Step:
    return replace(state, given=texts, phase=Phase.JUDGING), Effect.JUDGE


def _take_reply(state: Asked, reply: Reply, policy: Policy) -> Asked:
    promises = state.promises if reply.promise is None else (*state.promises, reply.promise)
    open_phase = Phase.ASIDE if state.aside is not None else Phase.ASKING
    still_open = replace(state, phase=open_phase, given=(), promises=promises)
    if reply.verdict == MALFORMED:
        return still_open.say(_not_read(reply.while_open), reply.details)
    if state.aside is not None and reply.verdict not in {RIGHT, CLOSE}:
        last_reply = replace(state.last, slips=reply.slips)
        reopened_state = replace(still_open, phase=Phase.ASKING, aside=None, tries=(*state.tries[:-1], last_reply))
        return replace(reopened_state, ruled_out=state.ruled_out | reply.ruled_out).say(reply.while_open)
    text = reply.answer or "\n".join(state.given).strip()
    tried_state = replace(
        still_open,
        phase=Phase.ASKING,
        aside=None,
        answers=(*state.answers, text),
        tries=(*state.tries, reply),
        # A judged line replaces what was written in the editor before.
        edited=state.edited if state.given == (state.edited,) else "",
        previous=replace(still_open, phase=Phase.ASKING, aside=None, promises=state.promises),
    )
    return _continue_after_try(tried_state, reply, policy)


def _continue_after_try(tried_state: Asked, reply: Reply, policy: Policy) -> Asked:
    """Close the question after a try, or ask for another try or an intermediate value."""
    if reply.verdict == UNMARKED:
        if policy.is_silent:
            return replace(tried_state, phase=Phase.CLOSED)
        return replace(tried_state, phase=Phase.MARKING).say(f"The answer: {tried_state.question.right}")
    tries_left = tried_state.tries_left(policy)
    if reply.verdict in {RIGHT, CLOSE, NOT_SCORED} or tries_left <= 0:
        return _close(tried_state, policy)
    words = f"✗ **not yet**, {tries_left_words(tries_left)}."
    read_as = f"Read as {reply.read_as}: " if reply.read_as else ""
    open_state = tried_state.say(f"{words} {read_as}{reply.while_open}".rstrip(" :"), reply.details)
    if reply.aside is None:
        return open_state
    return replace(open_state, phase=Phase.ASIDE, aside=reply.aside).say(reply.aside.markdown)


def _show_hint(state: Asked, policy: Policy) -> Asked:
    hints, count = state.question.hints, state.hints
    if not policy.has_help:
        return state.say(_NO_HELP)
    if count < len(hints):
        return replace(state, hints=count + 1).say(f"Hint: {hints[count]}")
    return state.say("That was the last hint." if hints else "This question has no hints.")


def _show_steps(state: Asked, policy: Policy) -> Asked:
    if not policy.has_help:
        return state.say(_NO_HELP)
    if not state.question.has_steps:
        return state.say("This question has no steps.")
    return _close(state, policy, skipped=True) if state.warned else replace(state, warned=True).say(_STEPS_WARNING)


def _skip_question(state: Asked, policy: Policy) -> Asked:
    return _go_back(state, policy) if state.phase is Phase.ASIDE else _close(state, policy, skipped=True)


def _go_back(state: Asked, _: Policy) -> Asked:
    if state.phase is Phase.ASIDE:
        return replace(state, phase=Phase.ASKING, aside=None).say("Back to the question.")
    return replace(state, given=state.given[:-1])


def _open_editor(state: Asked, _: Policy) -> Asked | Step:
    if state.question.edited is None:
        return state.say("`:editor` is for rewrites.")
    return state, Effect.EDIT


_COMMANDS: Mapping[str, Callable[[Asked, Policy], Asked | Step]] = {
    "reveal": lambda state, _: replace(state, phase=Phase.CLOSED) if state.phase is Phase.FACE else state,
    "hint": _show_hint,
    "steps": _show_steps,
    "skip": _skip_question,
    "back": _go_back,
    "editor": _open_editor,
    "help": lambda state, _: state.say(state.question.help),
}


def _close(state: Asked, policy: Policy, *, skipped: bool = False) -> Asked:
    """Close a question and show its verdict, answer, slips and solution, unless the policy is silent."""
    verdict = state.last.verdict
    if skipped:
        verdict = verdict if state.tries else SKIPPED
    elif verdict == RIGHT and (len(state.tries) > 1 or state.hints or state.answer_seen):
        verdict = LATE
    end_state = replace(state, phase=Phase.CLOSED, verdict=verdict, given=(), aside=None)
    if skipped:
        end_state = replace(end_state, previous=replace(state, aside=None, phase=Phase.ASKING))
    # A marked question has already shown its answer.
    return end_state if policy.is_silent or end_state.is_marked else end_state.say(*_closing_parts(end_state))


def _closing_parts(state: Asked) -> "Sequence[Part]":
    """Return the closing messages: verdict, how the answer was read, why, steps, pictures."""
    last_reply, has_answer = state.last, bool(state.tries)
    right_text = f": {state.right}" if state.right else ""
    verdict_text = f"{outcomes.sign_of(state.verdict)} **{state.verdict_words}**{right_text}"
    if state.verdict == NOT_SCORED:
        verdict_text = f"· **not scored**: {sentence(last_reply.when_closed)}"
        return [verdict_text, last_reply.details, *last_reply.pictures]
    earlier = [
        f"Try {number}: {reply.slip_text}"
        for number, reply in enumerate(state.tries[:-1], start=1)
        if reply.slip_text and reply.slip_text not in last_reply.when_closed
    ]
    read_as = f"Read as {last_reply.read_as}." if last_reply.read_as not in {"", state.right} else ""
    words = [read_as, last_reply.when_closed] if has_answer else []
    is_found = outcomes.is_right(state.verdict) or last_reply.is_explained
    solution = "" if is_found else state.question.solution
    text = "\n".join([*filter(None, words), *earlier])
    pictures = last_reply.pictures if has_answer else state.question.pictures()
    return [verdict_text, text, last_reply.details, solution, *pictures]


def _not_read(why: str) -> str:
    return f"Not read: {sentence(why.rstrip('.'))} This costs no try." if why else ""
