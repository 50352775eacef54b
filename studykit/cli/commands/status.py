"""`study` alone: what is due, how long the streak is, and what to do next."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from studykit.cli import more_today
from studykit.cli.context import Context
from studykit.scheduling.agenda import Agenda
from studykit.text import counted

if TYPE_CHECKING:
    from studykit.store.store import Store

_MINUTES_A_CARD = 0.4
_REVIEW = "study review"


@dataclass(frozen=True, slots=True)
class DayStatus:
    """Where a learner stands today."""

    agenda: Agenda
    streak: int
    begun: bool  # something was answered before
    more: str = ""  # how to have the new cards that wait
    practice: str = "study exercise napkin-math"

    @property
    def next_command(self) -> str:
        """The one command to type now."""
        return _REVIEW if self.agenda.left else self.practice


def status(context: Context, *, json: bool) -> None:
    """Tell what is due, or welcome somebody who has not begun."""
    store = context.refreshed_store()
    agenda = store.schedule.agenda(context.today(), new=context.new_a_day, of_decks=context.new_of_decks)
    waits = more_today.waiting(store, agenda)
    standing = DayStatus(
        agenda,
        store.schedule.streak(context.today()).current,
        store.schedule.begun(),
        more_today.sentence(context.new_a_day, waits) if waits else "",
        more_today.practice_command(context),
    )
    if json:
        context.write_json(_document(standing))
    elif not standing.begun:
        context.write(_welcome(store, standing.agenda) if context.wants_course else _own(store, standing.agenda))
    else:
        names = {str(deck): name for deck, name in store.cards.deck_names().items()}
        streak = bool(context.section("ui")["streak"])
        context.write("\n".join(_lines(standing, names, streak=streak)))


def _document(standing: DayStatus) -> dict[str, object]:
    agenda = standing.agenda
    return {
        "date": str(agenda.day),
        "due": len(agenda.due),
        "new": len(agenda.new),
        "drill": len(agenda.drill),
        "decks": dict(agenda.decks),
        "streak": standing.streak,
        "next": standing.next_command,
    }


def _welcome(store: "Store", agenda: Agenda) -> str:
    cards = sum(store.cards.deck_sizes().values())
    return f"""Welcome. {cards} cards about counting the cost of language models, and exercises with fresh numbers.

  study review                 {len(agenda.new)} new cards, {_minutes(len(agenda.new))}
  study exercise napkin-math   estimates with fresh numbers
  study add QUESTION ANSWER    a card of your own
  study deck add ~/notes       cards of your own, in Markdown (study help format)
  study config set course off  only cards of your own

Your progress stays in one file on this machine: {store.name}"""


def _own(store: "Store", agenda: Agenda) -> str:
    """The welcome of a learner who does without the course."""
    cards = counted(sum(store.cards.deck_sizes().values()), "card")
    review = (
        f"  study review                   {len(agenda.new)} new, {_minutes(len(agenda.new))}\n"
        if agenda.new
        else ""
    )
    return f"""Welcome. {cards} of your own.

{review}  study add "QUESTION" "ANSWER"  a card; without words in your editor
  study deck new NAME            a deck
  study deck add ~/notes         a folder of decks, in Markdown (study help format)

Your progress stays in one file on this machine: {store.name}"""


def _lines(standing: DayStatus, names: Mapping[str, str], *, streak: bool) -> list[str]:
    agenda = standing.agenda
    lines = ["Nothing is due now."]
    if agenda.left:
        parts = [(len(agenda.due), "due"), (len(agenda.new), "new"), (len(agenda.drill), "to repeat")]
        told = ", ".join(f"{count} {word}" for count, word in parts if count)
        lines = [f"{told}: {_minutes(agenda.left)}"]
    lines += [f"  {count:>5}  {names.get(deck, deck)}" for deck, count in agenda.decks.items()]
    if standing.more:
        lines.append(standing.more)
    if streak and standing.streak:
        lines.append(f"streak {standing.streak} day{'' if standing.streak == 1 else 's'}")
    return [*lines, "", f"Next: {standing.next_command}"]


def _minutes(cards: int) -> str:
    minutes = max(1, round(cards * _MINUTES_A_CARD))
    return f"about {minutes} minute{'' if minutes == 1 else 's'}"
