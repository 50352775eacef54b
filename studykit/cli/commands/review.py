"""Review today's cards, on a screen or in plain lines: `study review`."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Annotated, Literal, NamedTuple

import typer

from studykit.cards.card import CardId
from studykit.cli import display
from studykit.cli.card_choice import chosen_ids, leech_report
from studykit.cli.context import Context, context_of
from studykit.cli.options import Chosen, Plain, Seed, Tag, command_again
from studykit.cli.study_plan import allow_more, new_a_day, todays_agenda, waiting_new, waiting_sentence
from studykit.review.keymap import Keymap, keymap
from studykit.scheduling.agenda import Agenda
from studykit.text import counted

if TYPE_CHECKING:
    from studykit.cards.card import Card
    from studykit.exercise.review_run import ReviewRun
    from studykit.exercise.run import RunState
    from studykit.exercise.turn import Asking, Turn
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
    display.plain_reason(context, plain=plain)  # refuses a screen without a terminal before anything is read
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
    choosing_words = (*(words or ()), *(() if tag is None else ("--tag", tag)))
    this_review = _Review(context, plain, settings, keys, cards, choosing_words, seed, command, minutes)
    code = this_review.run(agenda, limit or int(str(settings["limit"])) or None)
    _sync(context, messages, at_end=True)
    raise typer.Exit(code)


def _sync(context: Context, messages: set[str], *, at_end: bool) -> None:
    """Sync with the learner's other machines. `messages` are this run's, which are not repeated."""
    if context.config["sync_folder"]:
        from studykit.cli.commands.sync import sync_quietly

        sync_quietly(context, messages, at_end=at_end)


class _Review(NamedTuple):
    """Run the reviews of one call of `study review`: the cards, the end, and the misses again."""

    context: Context
    plain: bool  # the option
    settings: Mapping[str, object]
    keys: Keymap
    cards: frozenset[CardId] | None  # those to choose from, None for all
    words: tuple[str, ...]  # which chose them
    seed: int | None
    command: str  # goes on with an unfinished review
    minutes: float | None

    @property
    def _is_plain(self) -> bool:
        return bool(display.plain_reason(self.context, plain=self.plain))

    def run(self, agenda: Agenda, limit: int | None) -> int:
        """Review the cards and write the summary, as often as the learner wants. Return the exit code."""
        from studykit.exercise.card_turn import queue
        from studykit.exercise.tries import log_lost
        from studykit.exercise.turn import Asking

        services = display.services(self.context)
        log_lost(services)
        with Asking(services) as asking:
            run = self._run_of(asking, queue(agenda, limit))
            while True:
                try:
                    if run.remaining:
                        with display.open_ui(self.context, plain=self.plain) as asking.ui:
                            run.through()
                except KeyboardInterrupt:
                    return self._interrupted(run)
                for sentence in dict.fromkeys(filter(None, [*run.skipped, run.kept_text])):
                    self.context.tell(f"study: {sentence}")
                run.skipped.clear()
                summary = run.summary()
                if run.message and not summary.remaining:
                    self.context.write(run.message)  # what came of the last card
                self._close(summary)
                can_retry = summary.missed and not summary.remaining and not self._is_plain
                key = display.key_at_end(self.context) if can_retry else ""
                if key == "u":
                    run.undo()
                elif key == "m":
                    missed = tuple(answer.card.id for answer, _ in summary.missed)
                    run = self._run_of(asking, queue(Agenda(self.context.today(), (), (), missed, {})))
                else:
                    return 0

    def _interrupted(self, run: "ReviewRun") -> int:
        answers, cards = counted(len(run.answers), "answer"), counted(run.remaining, "card")
        goes_on = run.remaining and todays_agenda(self.context, self.cards).left
        command = self.command if goes_on else ""
        return display.report_stop(self.context, f"{answers} saved, {cards} left.", run.kept_text, command)

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

    def _run_of(self, asking: "Asking", state: "RunState") -> "ReviewRun":
        from studykit.cli.editor import edit_card
        from studykit.exercise.review_run import GUARD_MS, ReviewOptions, ReviewRun, ReviewServices
        from studykit.exercise.turn import seeds_from

        settings = self.settings
        space_grades = self._is_plain or bool(settings["space_grades"])
        options = ReviewOptions(
            minutes=self.minutes,
            space_grades=space_grades,
            confirm_right=self._is_plain or not space_grades or bool(settings["confirm_right"]),
            guard_ms=0 if self._is_plain else GUARD_MS,
            leech_lapses=int(str(settings["leech_lapses"])),
            decks={str(deck): name for deck, name in self.context.store.cards.deck_names().items()},
            intervals=bool(settings["intervals"]),
            timer=bool(settings["timer"]),
        )
        seeds = seeds_from(self.context.seed() if self.seed is None else self.seed)
        around = ReviewServices(partial(edit_card, self.context), self._turn, lambda: next(seeds), self._macros)
        return ReviewRun(asking, self.keys, state, around=around, today=self.context.today, options=options)

    def _turn(self, card: "Card", seed: int) -> "Turn":
        from studykit.exercise.card_turn import turn_of

        if card.task is not None:
            from studykit.cli.authors import attach_authors

            attach_authors(self.context)
        return turn_of(display.services(self.context), card, self._macros(card), seed)

    def _macros(self, card: "Card") -> Mapping[str, str]:
        return dict(self.context.collection.macros(card))
