"""`study review`: today's cards, on a screen, below the prompt or in plain lines."""

import random
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TYPE_CHECKING, Annotated

import typer

from studykit.agenda import Agenda
from studykit.cli import faces
from studykit.cli.desk import deck_ids, desk
from studykit.cli.options import Db, Plain
from studykit.cli.world import World
from studykit.keymap import Keymap, keymap
from studykit.session import Session
from studykit.sitting import Options
from studykit.terminal.closing import Outlook, closing, counted
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


def review(  # noqa: PLR0917 - Typer reads the signature
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
    collection = world.collection
    desk(world)
    agenda = _agenda(world, new=new, decks=decks or [], cram=cram, tag=tag)
    sitting = _Sitting(world, choice, settings, scale, seed)
    options = Options(limit or _number(settings.get("limit")), minutes, bool(settings.get("space_grades", True)))
    raise typer.Exit(sitting.run(collection, agenda, options))


def _number(setting: object) -> int | None:
    return setting if isinstance(setting, int) and setting > 0 else None


def _agenda(world: World, *, new: int | None, decks: list[str], cram: bool, tag: str | None) -> Agenda:
    store, today = world.store, world.today()
    ids = deck_ids(store, decks)
    count = world.new_a_day if new is None else new
    agenda = store.agenda(today, new=count, decks=ids)
    if cram:
        agenda = replace(agenda, due=(*agenda.due, *store.ahead(today, decks=ids)))
    if tag is None:
        return agenda
    tagged = store.tagged(tag)
    return replace(
        agenda,
        due=tuple(card for card in agenda.due if card in tagged),
        new=tuple(card for card in agenda.new if card in tagged),
        drill=tuple(card for card in agenda.drill if card in tagged),
    )


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
        from studykit.cli.review_desk import ReviewDesk  # noqa: PLC0415 - after the options are read

        desk = ReviewDesk(self.world.store, self.world.today)
        session = Session(desk, agenda, options, _clock_ms())
        hooks = self._hooks(collection, desk)
        try:
            if not session.over:
                self._talk(session, collection, hooks)
        except KeyboardInterrupt:
            saved, left = counted(len(session.state.answers), "answer"), counted(session.left, "card")
            self.world.tell(f"{saved} saved, {left} left. Go on with: study review")
            return _INTERRUPTED
        for sentence in dict.fromkeys(hooks.skipped):
            self.world.tell(f"study: {sentence}")
        done = session.summary(_clock_ms())
        for row in closing(done, self._outlook() if done.answers else Outlook()):
            self.world.write(row)
        return 0

    def _talk(self, session: Session, collection: "Collection", hooks: Hooks) -> None:
        style = faces.style(self.world)
        ways = self._ways(collection, style)
        if self.choice.mode is Mode.PLAIN:
            self._plainly(session, ways, hooks)
        else:
            self._live(session, ways, hooks, style)

    def _plainly(self, session: Session, ways: "Ways", hooks: Hooks) -> None:
        from studykit.terminal.plain_face import PlainFace  # noqa: PLC0415 - one of two is needed
        from studykit.terminal.plain_review import PlainReview  # noqa: PLC0415 - the same

        world = self.world
        world.write(f"[plain mode: on {self.choice.why}]")
        face = PlainFace(world.stdin, world.stdout, ways.manner, self._edit_text)
        PlainReview(session, face, ways, self.keys, hooks).run()

    def _live(self, session: Session, ways: "Ways", hooks: Hooks, style: Style) -> None:
        from studykit.terminal import live  # noqa: PLC0415 - one of two is needed
        from studykit.terminal.face import ScreenFace  # noqa: PLC0415 - the same
        from studykit.terminal.inline_face import InlineFace  # noqa: PLC0415 - the same
        from studykit.terminal.surface import Screen  # noqa: PLC0415 - the same
        from studykit.terminal.tty import Terminal  # noqa: PLC0415 - the same

        whole = self.choice.mode is Mode.SCREEN
        with Terminal(self.world.stdin.fileno(), self.world.stdout.fileno(), screen=whole) as terminal:
            view: live.View
            if whole:
                screen = Screen(terminal, style)
                view = live.ScreenView(screen, ScreenFace(screen, ways.manner, self._edit_text), ways)
            else:
                view = live.InlineView(terminal, InlineFace(terminal, style, ways.manner, self._edit_text), ways)
            live.review(session, view, terminal, self.keys, hooks)

    def _ways(self, collection: "Collection", style: Style) -> "Ways":
        from studykit.terminal.bench import Ways  # noqa: PLC0415 - not before there is something to show

        return Ways(
            buttons=self.keys.buttons,
            intervals=bool(self.settings.get("intervals", True)),
            timer=bool(self.settings.get("timer")),
            manner=Manner(ascii=style.ascii),
            macros=_macros(collection),
            decks={str(deck): name for deck, name in self.world.store.deck_names().items()},
        )

    def _edit_text(self, text: str, suffix: str) -> str | None:
        return faces.edited(self.world, text, suffix)

    def _hooks(self, collection: "Collection", desk: "ReviewDesk") -> Hooks:
        from studykit.cli.deck_edit import edit_card  # noqa: PLC0415 - with the desk

        base = self.world.seed() if self.seed is None else self.seed
        seeds = _seeds(base)
        return Hooks(
            edit=lambda card: edit_card(self.world, collection, desk, card),
            asker=self._asker,
            seed=lambda: next(seeds),
            clock_ms=_clock_ms,
        )

    def _asker(self, card: "Card") -> "Asker":
        from studykit.cli.askers import asker  # noqa: PLC0415 - only for exercise cards

        return asker(self.world, card.task.name if card.task else "")

    def _outlook(self) -> Outlook:
        tomorrow = self.world.today() + timedelta(days=1)
        agenda = self.world.store.agenda(tomorrow, new=0)
        wanted = faces.settings(self.world, "ui").get("streak", True)
        streak = self.world.store.streak(self.world.today()).current if wanted else None
        return Outlook(tomorrow=len(agenda.due), streak=streak)


def _macros(collection: "Collection") -> Callable[["Card"], Mapping[str, str]]:
    """The macros of a card's deck, read once for each deck file."""
    known: dict[str, Mapping[str, str]] = {}

    def macros(card: "Card") -> Mapping[str, str]:
        if card.path not in known:
            known[card.path] = dict(collection.macros(card))
        return known[card.path]

    return macros


def _seeds(base: int) -> Iterator[int]:
    """The asked seed first, then seeds that follow from it."""
    yield base
    generator = random.Random(base)  # noqa: S311 - to be repeated, not secret
    while True:
        yield generator.randrange(2**31)


def _clock_ms() -> int:
    return time.monotonic_ns() // 1_000_000
