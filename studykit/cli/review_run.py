"""A review from the first card to the summary, without Typer, whose import a first question need not wait for."""

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from studykit.cli import display
from studykit.cli.context import Context
from studykit.cli.exit import INTERRUPTED
from studykit.collection.lookup import deck_ids
from studykit.review.keymap import Action, Keymap, keymap
from studykit.review.session import Session, SessionOptions
from studykit.scheduling.agenda import Agenda
from studykit.terminal.mode import Choice, Mode, Style

if TYPE_CHECKING:
    from studykit.cards.card import Card
    from studykit.cli.study_plan import StudyPlan
    from studykit.collection.collection import Collection
    from studykit.review.leech import LeechReport
    from studykit.review.progress import Summary
    from studykit.terminal.review_actions import ReviewServices
    from studykit.terminal.review_layout import ReviewStyle
    from studykit.ui import Asker


class ReviewRequest(NamedTuple):
    """What a learner asks of a review."""

    decks: tuple[str, ...] = ()
    limit: int | None = None
    new: int | None = None
    minutes: float | None = None
    cram: bool = False
    tag: str | None = None
    mode: str | None = None
    plain: bool = False
    grades: str | None = None
    seed: int | None = None
    more: int | None = None  # new cards beyond today's

    @property
    def command(self) -> str:
        """What goes on with a session that was left; `--more` is remembered for its day."""
        from shlex import join

        valued = {
            "-n": self.limit,
            "--new": self.new,
            "--minutes": self.minutes,
            "--tag": self.tag,
            "--mode": self.mode,
            "--grades": self.grades,
            "--seed": self.seed,
        }
        flags = [flag for flag, given in (("--cram", self.cram), ("--plain", self.plain)) if given]
        options = [
            word
            for name, value in valued.items()
            if value is not None
            for word in (name, f"{value:g}" if isinstance(value, float) else str(value))
        ]
        return join(["study", "review", *self.decks, *flags, *options])


def run_review(context: Context, request: ReviewRequest) -> int:
    """The exit code, after the session and its summary."""
    choice = display.choice(context, plain=request.plain, asked=request.mode)
    settings = context.section("review")
    scale = keymap(str(request.grades or settings.get("grades", "4")), context.section("keys"))
    told: set[str] = set()
    _sync(context, told)
    context.refreshed_store()
    context.tell_future()
    planned = _plan(context)
    if request.more is not None:
        from studykit.cli.more_today import ask_for

        today, used = context.today(), context.new_a_day
        ask_for(context.side_file("more"), context.store, today, limit=used, more=request.more)
    agenda = _agenda(context, request, planned)
    review = _Review(context, choice, settings, scale, request)
    limit = request.limit or _number(settings.get("limit"))
    options = SessionOptions(
        limit,
        request.minutes,
        space_grades=bool(settings.get("space_grades", True)),
        confirm_right=choice.mode is Mode.PLAIN
        or not settings.get("space_grades", True)
        or bool(settings.get("confirm_right")),
        leech_lapses=int(str(settings.get("leech_lapses", 0))),
        drafts=context.drafts,
    )
    code = review.run(agenda, options)
    _sync(context, told)
    return code


def _sync(context: Context, told: set[str]) -> None:
    if context.config["sync_folder"]:
        from studykit.cli.sync_run import sync_quietly

        sync_quietly(context, told)


def _number(setting: object) -> int | None:
    return setting if isinstance(setting, int) and setting > 0 else None


def _plan(context: Context) -> "StudyPlan | None":
    """The plan that reviews follow today."""
    if not context.side_file("plan").exists():
        return None
    from studykit.cli import plan_run

    return plan_run.follow(context)


def _agenda(context: Context, request: ReviewRequest, planned: "StudyPlan | None") -> Agenda:
    store, today = context.store, context.today()
    ids = deck_ids(store, request.decks)
    new = context.new_a_day if request.new is None else request.new
    agenda = store.schedule.agenda(today, new=new, decks=ids, of_decks=context.new_of_decks)
    if planned is not None and not ids and request.new is None and request.tag is None:
        from studykit.cli import plan_run

        agenda = plan_run.agenda(context, planned, agenda)
    if request.cram:
        agenda = agenda.with_more(store.schedule.ahead(today, decks=ids))
    return agenda if request.tag is None else agenda.only(store.cards.tagged(request.tag))


class _Review(NamedTuple):
    """One run of the verb: its surroundings, and how to talk."""

    context: Context
    choice: Choice
    settings: Mapping[str, object]
    keys: Keymap
    request: ReviewRequest

    def run(self, agenda: Agenda, options: SessionOptions) -> int:
        """The exit code, after the session and its summary."""
        services = self._services()
        session = self._session(agenda, options)
        while True:
            try:
                if not session.over:
                    self._talk(session, services)
            except KeyboardInterrupt:
                return self._interrupted(session)
            for sentence in dict.fromkeys(filter(None, [*services.skipped, session.kept])):
                self.context.tell(f"study: {sentence}")
            done = session.summary()
            if session.state.flash and not done.left and self.choice.mode is not Mode.PLAIN:
                self.context.write(session.state.flash)  # what came of the last card
            self._close(done)
            key = self._key_at_end(done)
            if key == "u":
                session.act(Action.UNDO)
            elif key == "m":
                missed = tuple(each.card.id for each in done.missed)
                session = self._session(Agenda(self.context.today(), (), (), missed, {}), options)
            else:
                return 0

    def _session(self, agenda: Agenda, options: SessionOptions) -> Session:
        return Session(self.context.store, agenda, options, time.monotonic_ns, self.context.today)

    def _key_at_end(self, done: "Summary") -> str:
        """The key after an end with misses, asked for on a terminal only; `m` goes through them again."""
        if self.choice.mode is Mode.PLAIN or done.left or not done.missed:
            return ""
        from studykit.cli.run_ending import key_at_end

        return key_at_end(self.context)

    def _interrupted(self, session: Session) -> int:
        from studykit.text import counted

        saved, left = counted(len(session.state.answers), "answer"), counted(session.left, "card")
        kept = f" {session.kept}" if session.kept else ""
        self.context.tell(f"{saved} saved, {left} left.{kept}\nGo on with: {self.request.command}")
        return INTERRUPTED

    def _close(self, done: "Summary") -> None:
        from studykit.cli.run_ending import next_steps, write_rows
        from studykit.terminal.review_summary import NextSteps, summary_lines

        outlook = NextSteps(next_command=self.context.practice_command, again=self.request.command)
        if done.answers:
            outlook = replace(
                next_steps(self.context),
                last_week=self._week_before(done),
                next_command=self.context.practice_command,
                again=self.request.command,
                leeches=self._leeches(done),
            )
        write_rows(self.context, summary_lines(done, outlook), plain=self.choice.mode is Mode.PLAIN)
        if not done.left and (more := self._more()):
            self.context.write(more)

    def _leeches(self, done: "Summary") -> "tuple[LeechReport, ...]":
        """Reports of the cards that became leeches in this session."""
        if not done.leeches:
            return ()
        from studykit.cli.leech_run import leech_report

        store = self.context.store
        return tuple(leech_report(self.context, store, each.card, each.leech, each.typed) for each in done.leeches)

    def _week_before(self, done: "Summary") -> float | None:
        """The share of the week's reviews that were passed, but for those of this session."""
        if not done.asked:
            return None
        week = self.context.store.schedule.stats(self.context.today()).windows["week"].total
        reviews = week.reviews - done.asked
        return (week.passed - done.recalled) / reviews if reviews > 0 else None

    def _more(self) -> str:
        """How to have the new cards that wait; empty where none does."""
        from studykit.cli import more_today

        context, ids = self.context, deck_ids(self.context.store, self.request.decks)
        agenda = context.store.schedule.agenda(
            context.today(), new=context.new_a_day, decks=ids, of_decks=context.new_of_decks
        )
        waits = more_today.waiting(context.store, agenda, ids)
        return more_today.sentence(context.new_a_day, waits, self.request.decks) if waits else ""

    def _talk(self, session: Session, services: "ReviewServices") -> None:
        style = self.context.style
        review_style = self._review_style(style)
        if self.choice.mode is Mode.PLAIN:
            self._plainly(session, review_style, services)
        else:
            self._live(session, review_style, services, style)

    def _plainly(self, session: Session, review_style: "ReviewStyle", services: "ReviewServices") -> None:
        from studykit.terminal.plain_ui import PlainUi
        from studykit.terminal.review_plain import PlainReview

        context = self.context
        context.write(f"[plain mode: on {self.choice.why}]")
        ui = PlainUi(context.stdin, context.stdout, review_style.notation, self._edit_text)
        PlainReview(session, ui, review_style, self.keys, services).run()

    def _live(
        self, session: Session, review_style: "ReviewStyle", services: "ReviewServices", style: Style
    ) -> None:
        from studykit.terminal import review_live
        from studykit.terminal.input.tty import Terminal
        from studykit.terminal.screen import Screen
        from studykit.terminal.screen_ui import ScreenUi

        with Terminal(self.context.stdin.fileno(), self.context.stdout.fileno(), screen=True) as terminal:
            screen = Screen(terminal, style)
            ui = ScreenUi(screen, review_style.notation, self._edit_text, self.context.drafts)
            view = review_live.ScreenView(screen, ui, review_style)
            review_live.review(session, view, terminal, self.keys, services)

    def _review_style(self, style: Style) -> "ReviewStyle":
        from studykit.terminal.markdown.inline import Notation
        from studykit.terminal.review_layout import ReviewStyle

        return ReviewStyle(
            buttons=self.keys.buttons,
            intervals=bool(self.settings.get("intervals", True)),
            timer=bool(self.settings.get("timer")),
            notation=Notation(ascii=style.ascii),
            macros=_macros(self.context.collection),
            decks={str(deck): name for deck, name in self.context.store.cards.deck_names().items()},
        )

    def _edit_text(self, text: str, suffix: str) -> str | None:
        return display.edit_text(self.context, text, suffix)

    def _services(self) -> "ReviewServices":
        from studykit.terminal.review_actions import ReviewServices

        base = self.context.seed() if self.request.seed is None else self.request.seed
        seeds = _seeds(base)
        return ReviewServices(
            edit=lambda card: _edited(self.context, card),
            asker=self._asker,
            seed=lambda: next(seeds),
            keys=self.keys,
            skipped=[],
            begun={},
        )

    def _asker(self, card: "Card") -> "Asker":
        if card.task is None:
            from studykit.exercise.quiz import choices

            return choices.asker(
                _macros(self.context.collection), lambda words: display.in_a_line(self.context, words)
            )
        from studykit.cli.authors import attach_authors
        from studykit.exercise.registry import asker

        attach_authors(self.context)
        return asker(display.services(self.context), card)


def _edited(context: Context, card: "Card") -> tuple["Card | None", str]:
    from studykit.cli.editor import edit_card

    return edit_card(context, card)


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
    from random import Random

    yield base
    generator = Random(base)  # noqa: S311 - to be repeated, not secret
    while True:
        yield generator.randrange(2**31)
