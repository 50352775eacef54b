"""Asks whether new cards are old ones reworded, so that their progress goes on."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from studykit.cli.context import Context
from studykit.errors import UsageError
from studykit.text import counted

if TYPE_CHECKING:
    from studykit.cards.relink import Relink


def ask(context: Context, number: str = "") -> None:
    """Each likely pair: a question on a terminal, else a numbered list, of which `number` says yes to one."""
    collection = context.refreshed_collection()
    pairs = collection.likely()
    if number:
        collection.settle(_numbered(pairs, number))
        context.write("1 card goes on where it was.")
        return
    if not pairs:
        context.write("No card waits for an answer: every new one is new, every old one is known.")
        return
    if not context.interactive:
        for place, pair in enumerate(pairs, start=1):
            context.write(f"{place}. {_question(pair)}")
        context.write("Say yes to one: study deck relink NUMBER")
        return
    said = [pair for pair in pairs if _is_same(context, pair)]
    for pair in said:
        collection.settle(pair)
    context.write(f"{counted(len(said), 'card')} of {len(pairs)} goes on where it was.")


def _question(pair: "Relink") -> str:
    new, old = pair.words
    return f"{new} was {old}: the same card?"


def _is_same(context: Context, pair: "Relink") -> bool:
    """One answer; anything but yes leaves the progress waiting."""
    return context.confirm(_question(pair))


def _numbered(pairs: Sequence["Relink"], number: str) -> "Relink":
    if number.isdecimal() and 1 <= int(number) <= len(pairs):
        return pairs[int(number) - 1]
    raise UsageError(
        f"{number} is no pair: study deck relink lists them, study deck relink OLD NEW names two cards."
    )
