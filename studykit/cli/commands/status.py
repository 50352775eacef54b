"""Show where a learner stands and what to do next: `study` without a verb."""

from collections.abc import Mapping, Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from studykit.cli import study_plan
from studykit.cli.context import Context
from studykit.cli.drawing import Drawing, ShareBar
from studykit.scheduling.activity import Activity
from studykit.scheduling.figure import ListingColumn, right
from studykit.scheduling.stats import Dashboard, DeckCounts
from studykit.store.store import Store
from studykit.text import counted

AHEAD = 14  # days of the forecast
_BESIDE = 114  # columns from which decks and weeks stand beside each other
_SIDE = 64  # the same for weeks and figures; without weeks below
_OTHER_ROWS = 15  # of a terminal, taken by what is not a deck
_SHADES, _ASCII_SHADES = "·░▒▓█", ".-+*#"
_WEEK_DAYS = ("Mon", "", "Wed", "", "Fri", "", "Sun")
_COUNTS = (*right("due", "new", "known"), ListingColumn())

_MINUTES_A_CARD = 0.4
_REPEATED = 2  # times that a slip was made from which its exercise is suggested


def status(context: Context, *, json: bool) -> None:
    """Show what is due, or welcome a new learner."""
    store = context.refreshed_store()
    new, of_decks = study_plan.new_a_day(context), study_plan.new_of_decks(context)
    dashboard = store.schedule.dashboard(context.today(), new=new, of_decks=of_decks)
    waits = study_plan.waiting_new(store, dashboard.agenda)
    waits_today = waits if new else 0  # do not suggest new cards to somebody with a limit of 0
    command, reason = _next_step(context, store, dashboard, waits_today)
    if json:
        context.write_json(_document(dashboard, command))
    elif not dashboard.begun:
        context.write(_welcome(store, dashboard, course=context.wants_course))
        if (plan := study_plan.current_plan(context)) is not None:
            context.write(f"\n{plan.sentence()}")
    else:
        _draw(context, store, dashboard, command, reason, waits)


def _next_step(context: Context, store: Store, dashboard: Dashboard, waits: int) -> tuple[str, str]:
    """Return the command to type now, and a remark: today's cards, waiting ones, a repeated slip, or practice."""
    if dashboard.agenda.left:
        return "study review", ""
    if waits:
        return study_plan.more_command(waits), ""
    if not context.wants_course:
        return context.practice_command, ""
    from studykit.cards.choice import TEMPLATE as CHOICE
    from studykit.exercise.catalog import objective_of
    from studykit.exercise.estimate.feedback import slip_names
    from studykit.scheduling.mastery import weakest_practised

    for slip in dashboard.slips:
        if slip.count >= _REPEATED and slip.template != CHOICE:  # no exercise practises a card with choices
            name = slip_names([slip.slip])[slip.slip]
            return f"study exercise {slip.template}", f"  ({name}, {counted(slip.count, 'time')})"
    objective = weakest_practised(store.schedule.tries(objective_of))
    if objective is None:
        return context.practice_command, ""
    return f"study exercise {objective}", "  (your weakest objective: study stats)"


def _document(dashboard: Dashboard, command: str) -> dict[str, object]:
    agenda, streak = dashboard.agenda, dashboard.streak
    return {
        **study_plan.agenda_document(agenda),
        "streak": streak.current,
        "next": command,
        "longest_streak": streak.longest,
        "deck_counts": {
            deck.deck: {"cards": deck.cards, "known": deck.known, "new": deck.new, "due": deck.due}
            for deck in dashboard.decks
        },
        "activity": [{"date": str(day.day), "answers": day.answers} for day in dashboard.activity.days],
        "forecast": [{"date": str(day), "due": count} for day, count in dashboard.forecast],
    }


def _welcome(store: Store, dashboard: Dashboard, *, course: bool) -> str:
    """Return the first screen of a learner with the course, or only with own cards."""
    cards, new = sum(deck.cards for deck in dashboard.decks), len(dashboard.agenda.new)
    steps = [
        ("study review", f"{new} new cards, {_minutes(new)}", new),
        ("study exercise napkin-math", "estimates with fresh numbers", course),
        ("study add QUESTION ANSWER", "a card of your own", True),
        ("study deck new NAME", "a deck of your own", not course),
        ("study deck add ~/notes", "a folder of decks (study help decks)", True),
        ("study config set course off", "only cards of your own", course),
    ]
    subject = "about counting the cost of language models, and exercises with fresh numbers"
    lines = [f"  {command:<28} {what}" for command, what, is_shown in steps if is_shown]
    place = f"Your progress stays in one file on this machine: {store.name}"
    welcome = f"Welcome. {counted(cards, 'card')} {subject if course else 'of your own'}."
    return "\n".join([welcome, "", *lines, "", place])


def _draw(context: Context, store: Store, dashboard: Dashboard, command: str, reason: str, waits: int) -> None:
    drawing, agenda = Drawing(context), dashboard.agenda
    today = (
        f"{study_plan.agenda_counts(agenda)}: {_minutes(agenda.left)}" if agenda.left else "Nothing is due now."
    )
    names = {str(deck): name for deck, name in store.cards.deck_names().items()}
    notes = [study_plan.waiting_sentence(study_plan.new_a_day(context), waits)] if waits else []
    if (plan := study_plan.current_plan(context)) is not None:
        notes.insert(0, plan.sentence())
    rows = context.terminal_size[1] - len(notes) if context.on_terminal else None
    streak = bool(context.section("ui")["streak"])
    drawing.write(
        drawing.title(today),
        "",
        *_home_parts(drawing, dashboard, names, streak=streak, rows=rows),
        "",
        *notes,
        drawing.text("Next: ").append(context.command(command), style="key").append(reason),
    )


def _minutes(cards: int) -> str:
    return f"about {counted(max(1, round(cards * _MINUTES_A_CARD)), 'minute')}"


def _home_parts(
    drawing: Drawing, dashboard: Dashboard, names: Mapping[str, str], *, streak: bool, rows: int | None
) -> list[RenderableType]:
    """Return the parts between the first line and the next command. `rows` is the terminal's height."""
    columns = drawing.columns or _SIDE
    room = None
    if rows is not None:  # half of the names take two rows on a narrow terminal
        room = max(3, (rows - _OTHER_ROWS) * 2 // (2 if columns >= _SIDE else 3))
    decks = deck_listing(drawing, dashboard.decks, names, room)
    weeks = _heatmap(drawing, dashboard.activity)
    figures = _figures(drawing, dashboard, streak=streak)
    if drawing.plain:
        return [decks, weeks, figures]
    if columns < _SIDE:  # figures say how many of the days there were
        return [decks, "", figures]
    if columns < _BESIDE:
        return [decks, "", drawing.grid(weeks, Group("", figures))]
    return [drawing.grid(decks, Group(weeks, "", figures), gap=6)]


def deck_listing(
    drawing: Drawing, decks: Sequence[DeckCounts], names: Mapping[str, str], room: int | None = None
) -> RenderableType:
    """List decks in the order of the course with their counts, the first `room` of them."""
    if not decks:
        return drawing.text("You have no decks. Make one with: study deck new NAME")
    visible = decks if room is None or len(decks) <= room else decks[: room - 1]
    rows = [
        (
            names.get(deck.deck, deck.deck),
            f"{deck.due:,}",
            f"{deck.new:,}",
            f"{deck.known:,} of {deck.cards:,}",
            ShareBar(deck.share),
        )
        for deck in visible
    ]
    listing = drawing.listing("Decks", _COUNTS, rows)
    if len(visible) == len(decks):
        return listing
    return Group(listing, drawing.text(f"and {counted(len(decks) - len(visible), 'deck')} more: study deck list"))


def _heatmap(drawing: Drawing, activity: Activity) -> RenderableType:
    """Draw weeks as columns of days, darker for more answers, or describe them in plain mode."""
    if drawing.plain:
        return drawing.text(f"Last {len(activity.weeks)} weeks: {activity.sentence}.")
    shades = _ASCII_SHADES if drawing.ascii else _SHADES
    rows = [Text("    " + _months(activity))]
    for weekday, name in enumerate(_WEEK_DAYS):
        row = Text(f"{name:<4}")
        for week in activity.weeks:
            level = week[weekday].level if weekday < len(week) else None
            shade = " " if level is None else shades[level]
            row.append(f"{shade} ", style="heat" if level else "chrome")
        rows.append(row)
    return Group(*rows)


def _figures(drawing: Drawing, dashboard: Dashboard, *, streak: bool) -> RenderableType:
    activity, run = dashboard.activity, dashboard.streak
    ahead = [count for _, count in dashboard.forecast[:AHEAD]]
    rows = [("Streak", f"{counted(run.current, 'day')}, longest {run.longest:,}")] * (streak and run.longest > 0)
    due = f"{ahead[0]:,} today, {ahead[1]:,} tomorrow"
    later = f"{sum(ahead):,} in {counted(len(ahead), 'day')}"
    if drawing.plain:
        return drawing.pairs([*rows, ("Due", due), ("Ahead", later)])
    active = f"{activity.studied} of {counted(activity.span, 'day')}"
    rows += [("Active", active), ("", counted(activity.answers, "answer")), ("Ahead", drawing.sparkline(ahead))]
    return drawing.pairs([*rows, ("", due), ("", later)])


def _months(activity: Activity) -> str:
    """Write three letters of each month over its first week, if there is room for them."""
    months = [week[0].day.month for week in activity.weeks]
    starts = [place for place, month in enumerate(months) if month not in months[:place]]
    row = ""
    for start, following in zip(starts, [*starts[1:], len(months) + 1], strict=True):
        if following - start > 1:
            row = row.ljust(2 * start) + f"{activity.weeks[start][0].day:%b}"
    return row
