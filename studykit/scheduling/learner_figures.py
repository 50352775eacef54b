"""Format a learner's statistics as figures that a terminal and a page share."""

from collections.abc import Mapping, Sequence

from studykit.cards.choice import TEMPLATE as CHOICE
from studykit.scheduling.distributions import AnswerCounts
from studykit.scheduling.estimated_share import EstimatedShare
from studykit.scheduling.figure import Figure, ListingColumn, lengths, right
from studykit.scheduling.mastery import Mastery
from studykit.scheduling.replay import Tally
from studykit.scheduling.stats import HardCard, Retention, SlipCount, Stats, sum_tallies
from studykit.text import counted, duration

WINDOWS = {"week": "last 7 days", "month": "last 30 days", "year": "last 365 days", "all": "ever"}
LEVELS = {"mastered": "mastered", "weak": "weak", "unsure": "not sure yet", "unknown": "nothing known"}


def summary(statistics: Stats) -> tuple[str, str]:
    """Describe all that was done in two lines."""
    total, streak = statistics.total, statistics.streak
    exercises = sum(sum(verdicts.values()) for verdicts in statistics.exercises.values())  # those of the table
    counts = counted(total.reviews, "review"), counted(exercises, "exercise")
    return (
        f"{counts[0]}, {total.drills:,} drilled, {total.crams:,} ahead of time, {counts[1]}",
        f"{duration(total.took_ms / 1000)}; streak {streak.current}, longest {counted(streak.longest, 'day')}",
    )


def retention(statistics: Stats) -> Figure:
    """Show true retention over the last 7, 30 and 365 days and over all."""
    rows = []
    for name, window in statistics.windows.items():
        shares = [percent(each.share) for each in (window.young, window.mature, window.total)]
        rows.append((WINDOWS[name], *shares, f"{window.total.reviews:,}"))
    columns = [ListingColumn(), *right("young", "mature", "total", "reviews")]
    return Figure("True retention", columns, rows)


def due(statistics: Stats, days: int | None = None) -> Figure:
    """Count the cards due on each of the next days."""
    forecast = statistics.forecast[:days]
    overdue = f" ({statistics.overdue:,} overdue)" if statistics.overdue else ""
    rows = [(f"{day:%a %d %b}", f"{count:,}") for day, count in forecast]
    bars = lengths([count for _, count in forecast])
    return Figure(f"Due{overdue}", [ListingColumn("day"), *right("")], rows, bars)


def time_of_day(answers: AnswerCounts, hours: int = 1, *, all_hours: bool = False) -> Figure:
    """Count the reviews by time of day, including hours without reviews if `all_hours`."""
    retentions = {
        f"{hour:02d} to {hour + hours:02d}": sum(answers.hours[hour : hour + hours], Retention())
        for hour in range(0, len(answers.hours), hours)
    }
    visible = {name: retention for name, retention in retentions.items() if retention.reviews or all_hours}
    rows = [(name, f"{each.reviews:,}", percent(each.share)) for name, each in visible.items()]
    columns = [ListingColumn("hour"), *right("reviews", "retention")]
    return Figure("Time of day", columns, rows, lengths([each.reviews for each in visible.values()]))


def buttons(answers: AnswerCounts) -> Figure:
    """Count the answers by button and by the kind of card."""
    counts = answers.by_button()
    all_of = sum_tallies(counts.values())
    shares = [count.answers / all_of.answers if all_of.answers else 0.0 for count in (*counts.values(), all_of)]
    rows = [
        (
            name,
            *(f"{number:,}" for number in by_kind(count).values()),
            f"{share:.0%}" if all_of.answers else "-",
            f"{count.took_ms / 1000 / count.answers:.0f} s" if count.answers else "-",
        )
        for (name, count), share in zip([*counts.items(), ("all", all_of)], shares, strict=True)
    ]
    columns = [ListingColumn("button"), *right(*by_kind(all_of), "share", "each")]
    return Figure("Answers", columns, rows, [(0, share, share) for share in shares])


def by_kind(answers: Tally) -> dict[str, int]:
    """Count answers by the kind of card. Drill includes answers ahead of time, which change no schedule either."""
    drill = answers.drills + answers.crams
    return {"new": answers.introduced, "young": answers.young, "mature": answers.mature, "drill": drill}


def hardest(cards: Sequence[HardCard], questions: Mapping[str, str]) -> Figure:
    """List the cards that were forgotten most often."""
    rows = [
        (
            card.card,
            f"{card.lapses:,}",
            percent(card.retention.share),
            f"{card.ease / 100:.2f}",
            questions[card.card],
        )
        for card in cards
    ]
    columns = [ListingColumn("card"), *right("lapses", "retention", "ease"), ListingColumn("asks", cut=True)]
    sentence = "" if rows else "No card that you knew was forgotten yet."
    return Figure("Hardest cards", columns, rows, sentence=sentence)


def objectives(mastery: Sequence[Mastery]) -> Figure:
    """Show what is known of each objective."""
    rows = [
        (
            each.objective,
            _with_ends(each.recall),
            f"{each.seen:,}",
            f"{each.cards - each.seen:,}",
            _with_ends(each.exercises),
            f"{each.tries:,}" if each.tries else "-",
            LEVELS[each.level],
        )
        for each in mastery
    ]
    columns = right("recall", "seen", "unseen", "right at once", "tries")
    return Figure("Objectives", [ListingColumn("objective"), *columns, ListingColumn("stands", alone=True)], rows)


def slips(slips: Sequence[SlipCount], names: Mapping[str, str]) -> Figure:
    """Count the slips, each with the exercise to practise it."""
    rows = [
        (
            names[slip.slip],
            counted(slip.count, "time"),
            "-" if slip.template == CHOICE else f"study exercise {slip.template}",
        )
        for slip in slips
    ]
    columns = [ListingColumn("made", right=True, alone=True), ListingColumn("to practise it", alone=True)]
    return Figure("Slips", [ListingColumn("slip"), *columns], rows, sentence="" if rows else "None was named yet.")


def percent(share: float | None) -> str:
    """Write a share in percent, or a hyphen for None."""
    return "-" if share is None else f"{share:.1%}"


def _with_ends(share: EstimatedShare | None) -> str:
    return "-" if share is None else str(share)
