"""Review today's cards, on a screen or in plain lines: `study review`."""

import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from itertools import count
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from studykit.cards.card import CardId
from studykit.cli import display
from studykit.cli.card_choice import chosen_ids, leech_report
from studykit.cli.context import Context, context_of
from studykit.cli.options import Chosen, Plain, Seed, Tag, command_again
from studykit.cli.study_plan import allow_more, new_a_day, todays_agenda, waiting_new, waiting_sentence
from studykit.review.keymap import Action, Keymap, keymap
from studykit.review.session import GUARD_MS, Session, SessionOptions
from studykit.scheduling.agenda import Agenda
from studykit.text import counted

if TYPE_CHECKING:
    from studykit.cards.card import Card
    from studykit.exercise.card_turn import CardTurn
    from studykit.exercise.review_run import ReviewServices
    from studykit.review.progress import Summary

Limit = Annotated[int | None, typer.Option("-n", "--limit", min=1, help="Ask at most this many cards.")]
New = Annotated[int | None, typer.Option("--new", min=0, help="New cards at most, for today.")]
More = Annotated[int | None, typer.Option("--more", min=1, help="Extra new cards for today.")]
Minutes = Annotated[float | None, typer.Option("--minutes", min=0.1, help="Minutes at most.")]
Cram = Annotated[bool, typer.Option("--cram", help="Ask cards that are not due too; their schedule stays.")]
Order = Annotated[Literal["due", "hard"], typer.Option("--order", help="Ask the cards you miss most first: hard.")]
Grades = Annotated[str | None, typer.Option("--grades", help="Answer keys: 4, 2 or sm2.")]


def review(
    ctx: typer.Context,
    words: Chosen = None,
    limit: Limit = None,
    new: New = None,
    more: More = None,
    minutes: Minutes = None,
    cram: Cram = False,
    tag: Tag = None,
    order: Order = "due",
    plain: Plain = False,
    grades: Grades = None,
    seed: Seed = None,
) -> None:
    """Review the cards that are due today."""
    context = context_of(ctx)
    is_plain = bool(display.plain_reason(context, plain=plain))
    settings = context.section("review")
    keys = keymap(str(grades or settings["grades"]), context.section("keys"))
    messages: set[str] = set()
    _sync(context, messages, at_end=False)
    store = context.refreshed_store()
    if future_events := store.log.ahead():  # their cards wait for that day, and only the learner can correct that
        context.tell(display.future_sentence(future_events))
    plan = None
    if context.side_file("plan").exists():
        from studykit.cli.commands.plan import follow_plan

        plan = follow_plan(context)
    if more is not None:
        allow_more(context.side_file("more"), store, context.today(), limit=new_a_day(context), more=more)
    cards = chosen_ids(context, store, words, tag)
    agenda = todays_agenda(context, cards, new=new)
    if plan is not None and cards is None and new is None:
        from studykit.cli.commands.plan import planned_agenda

        agenda = planned_agenda(context, plan, agenda)
    if cram:
        agenda = agenda.with_more(store.schedule.ahead(context.today(), cards))
    if order == "hard":
        agenda = agenda.hardest_first(store.schedule.memories(agenda.due))
    command = command_again(ctx, more=None)  # which is remembered for its day
    options = _session_options(context, settings, limit, minutes, is_plain=is_plain)
    choosing_words = (*(words or ()), *(() if tag is None else ("--tag", tag)))
    code = _Review(context, plain, settings, keys, cards, choosing_words, seed, command).run(agenda, options)
    _sync(context, messages, at_end=True)
    raise typer.Exit(code)


def _session_options(
    context: Context, settings: Mapping[str, object], limit: int | None, minutes: float | None, *, is_plain: bool
) -> SessionOptions:
    space_grades = is_plain or bool(settings["space_grades"])
    return SessionOptions(
        limit or int(str(settings["limit"])) or None,
        minutes,
        space_grades=space_grades,
        confirm_right=is_plain or not space_grades or bool(settings["confirm_right"]),
        guard_ms=0 if is_plain else GUARD_MS,
        leech_lapses=int(str(settings["leech_lapses"])),
        drafts=context.drafts,
    )


def _sync(context: Context, messages: set[str], *, at_end: bool) -> None:
    """Sync with the learner's other machines. `messages` are this run's, which are not repeated."""
    if context.config["sync_folder"]:
        from studykit.cli.commands.sync import sync_quietly

        sync_quietly(context, messages, at_end=at_end)


@dataclass(frozen=True, slots=True)
class _Review:
    """Run the reviews of one call of `study review`: the session, its end, and the misses again."""

    context: Context
    plain: bool  # the option
    settings: Mapping[str, object]
    keys: Keymap
    cards: frozenset[CardId] | None  # those to choose from, None for all
    words: tuple[str, ...]  # which chose them
    seed: int | None
    command: str  # goes on with an unfinished session

    @property
    def _is_plain(self) -> bool:
        return bool(display.plain_reason(self.context, plain=self.plain))

    def run(self, agenda: Agenda, options: SessionOptions) -> int:
        """Run the session and its summary, and return the exit code."""
        from studykit.exercise.review_run import ReviewRun

        services = self._services()
        session = self._session(agenda, options)
        while True:
            skip_messages: list[str] = []
            try:
                if not session.over:
                    with display.open_ui(self.context, plain=self.plain) as ui:
                        ReviewRun(session, ui, self.keys, services, skip_messages).through()
            except KeyboardInterrupt:
                return self._interrupted(session)
            for sentence in dict.fromkeys(filter(None, [*skip_messages, session.kept_text])):
                self.context.tell(f"study: {sentence}")
            summary = session.summary()
            if session.state.flash and not summary.remaining:
                self.context.write(session.state.flash)  # what came of the last card
            self._close(summary)
            can_retry = summary.missed and not summary.remaining and not self._is_plain
            key = display.key_at_end(self.context) if can_retry else ""
            if key == "u":
                session.act(Action.UNDO)
            elif key == "m":
                missed = tuple(answer.card.id for answer, _ in summary.missed)
                session = self._session(Agenda(self.context.today(), (), (), missed, {}), options)
            else:
                return 0

    def _session(self, agenda: Agenda, options: SessionOptions) -> Session:
        return Session(self.context.store, agenda, options, time.monotonic_ns, self.context.today)

    def _interrupted(self, session: Session) -> int:
        answers, cards = counted(len(session.state.answers), "answer"), counted(session.remaining, "card")
        goes_on = session.remaining and todays_agenda(self.context, self.cards).left
        command = self.command if goes_on else ""
        return display.report_stop(self.context, f"{answers} saved, {cards} left.", session.kept_text, command)

    def _close(self, summary: "Summary") -> None:
        from studykit.terminal.review_summary import summary_lines

        context, store = self.context, self.context.store
        outlook = replace(display.next_steps(context), resume_command=self.command)
        agenda = todays_agenda(context, self.cards)
        if todays_agenda(context).left and not agenda.left:
            outlook = replace(outlook, nothing_due="None of the cards you chose is due now.")
        if summary.answers:
            leeches = (leech_report(context, store, each.card, each.leech, each.typed) for each in summary.leeches)
            outlook = replace(outlook, leeches=tuple(leeches))
        display.write_rows(context, summary_lines(summary, outlook), plain=self._is_plain)
        if not summary.remaining and (waits := waiting_new(store, agenda, self.cards)):
            context.write(waiting_sentence(new_a_day(context), waits, self.words))

    def _services(self) -> "ReviewServices":
        from studykit.cli.editor import edit_card
        from studykit.exercise.review_run import ReviewServices

        seeds = count(self.context.seed() if self.seed is None else self.seed)
        return ReviewServices(
            services=display.services(self.context),
            edit=partial(edit_card, self.context),
            turn=self._turn,
            seed=lambda: next(seeds),
            macros=self._macros,
            decks={str(deck): name for deck, name in self.context.store.cards.deck_names().items()},
            intervals=bool(self.settings["intervals"]),
            timer=bool(self.settings["timer"]),
        )

    def _turn(self, card: "Card") -> "CardTurn":
        from studykit.exercise.card_turn import CardTurn

        if card.task is not None:
            from studykit.cli.authors import attach_authors

            attach_authors(self.context)
        return CardTurn(display.services(self.context), card, self._macros(card))

    def _macros(self, card: "Card") -> Mapping[str, str]:
        return dict(self.context.collection.macros(card))
