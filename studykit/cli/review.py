"""`study review`: today's cards, on a screen, below the prompt or in plain lines."""

import random
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated

import typer

from studykit.agenda import Agenda
from studykit.cli import faces
from studykit.cli.options import Db, Plain
from studykit.cli.world import World
from studykit.errors import UsageError
from studykit.keymap import Keymap, keymap
from studykit.session import Session
from studykit.sitting import Options
from studykit.terminal.closing import Outlook, closing
from studykit.terminal.inline import Manner
from studykit.terminal.live import Hooks
from studykit.terminal.mode import Choice, Mode, Style

if TYPE_CHECKING:
    from studykit.card import Card
    from studykit.cli.review_desk import ReviewDesk
    from studykit.collection import Collection
    from studykit.face import Asker
    from studykit.terminal.bench import Ways

Decks = Annotated[list[str] | None, typer.Argument(metavar="[DECK]...", help="Only these decks.")]
Limit = Annotated[int | None, typer.Option("-n", "--limit", min=1, help="Cards at most.")]
New = Annotated[int | None, typer.Option("--new", min=0, help="New cards at most, for today.")]
Minutes = Annotated[float | None, typer.Option("--minutes", min=0.1, help="Minutes at most.")]
Cram = Annotated[bool, typer.Option("--cram", help="Ask cards that are not due too; their schedule stays.")]
Tag = Annotated[str | None, typer.Option("--tag", help="Only cards with this tag or objective.")]
ModeName = Annotated[str | None, typer.Option("--mode", help="screen, inline or plain.")]
Grades = Annotated[str | None, typer.Option("--grades", help="4, 2 or sm2: how many answer keys.")]
Seed = Annotated[int | None, typer.Option("--seed", help="Seed of the exercises' numbers.")]

_INTERRUPTED = 130


def register(app: typer.Typer) -> None:
    """Add the verb and its short form."""
    app.command("review", help="Review the cards that are due today.")(review)
    app.command("r", hidden=True, help="Short for review.")(review)


def review(
    decks: Decks = None,
    limit: Limit = None,
    new: New = None,
    minutes: Minutes = None,
    cram: Cram = False,
    tag: Tag = None,
    mode: ModeName = None,
    plain: Plain = False,
    grades: Grades = None,
    seed: Seed = None,
    db: Db = None,
) -> None:
    """Review the cards that are due today."""
    world = World.from_environment(db)
    choice = faces.choice(world, plain=plain, asked=mode)
    settings = faces.settings(world, "review")
    scale = keymap(str(grades or settings.get("grades", "4")), faces.settings(world, "keys"))
    collection = world.collection()
    _tell_changes(world, collection)
    agenda = _agenda(world, new=new, decks=decks or [], cram=cram, tag=tag)
    sitting = _Sitting(world, choice, settings, scale, seed)
    options = Options(limit or _number(settings.get("limit")), minutes, bool(settings.get("space_grades", True)))
    raise typer.Exit(sitting.run(collection, agenda, options))


def _number(setting: object) -> int | None:
    return setting if isinstance(setting, int) and setting > 0 else None


def _tell_changes(world: World, collection: "Collection") -> None:
    changes = collection.refresh()
    if said := str(changes):
        world.tell(f"decks: {said}")
    for problem in changes.problems[:3]:
        world.tell(str(problem))
    if len(changes.problems) > 3:  # noqa: PLR2004 - the first three say enough
        world.tell(f"and {len(changes.problems) - 3} more problems: study check")


def _agenda(world: World, *, new: int | None, decks: list[str], cram: bool, tag: str | None) -> Agenda:
    store, today = world.store, world.today()
    ids = _deck_ids(store.deck_names(), decks)
    count = world.new_a_day if new is None else new
    agenda = store.agenda(today, new=count, decks=ids)
    if cram:
        agenda = replace(agenda, due=(*agenda.due, *store.ahead(today, decks=ids)))
    if tag is None:
        return agenda
    tagged = {card.id for card in store.cards() if tag in card.tags or tag in card.objectives}
    return replace(
        agenda,
        due=tuple(card for card in agenda.due if card in tagged),
        new=tuple(card for card in agenda.new if card in tagged),
        drill=tuple(card for card in agenda.drill if card in tagged),
    )


def _deck_ids(names: Mapping[str, str], asked: list[str]) -> tuple[str, ...]:
    from studykit.cli.desk import deck_ids  # noqa: PLC0415

    del names
    return tuple(asked)


@dataclass(frozen=True, slots=True)
class _Sitting:
    """One run of the verb: the world, and how to talk."""

    world: World
    choice: Choice
    settings: Mapping[str, object]
    keys: Keymap
    seed: int | None

    def run(self, collection: "Collection", agenda: Agenda, options: Options) -> int:
        """The exit code, after the session and its summary."""
        from studykit.cli.review_desk import ReviewDesk  # noqa: PLC0415 - brings SQLAlchemy

        desk = ReviewDesk(self.world.store, self.world.today)
        session = Session(desk, agenda, options, _clock_ms())
        hooks = self._hooks(collection, desk)
        try:
            if not session.over:
                self._talk(session, collection, hooks)
        except KeyboardInterrupt:
            saved = len(session.state.answers)
            self.world.tell(f"{saved} answers saved, {session.left} cards left. Go on with: study review")
            return _INTERRUPTED
        for sentence in dict.fromkeys(hooks.skipped):
            self.world.tell(f"study: {sentence}")
        for row in closing(session.summary(_clock_ms()), self._outlook()):
            self.world.write(row)
        return 0
