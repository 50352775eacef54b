"""Format a class report as figures and sentences, for a terminal and a page."""

from collections.abc import Mapping, Sequence

from studykit.scheduling.class_report import (
    READY,
    CardStanding,
    ClassReport,
    ExerciseStanding,
    TryCounts,
    quartiles,
)
from studykit.scheduling.figure import Figure, ListingColumn, lengths, right
from studykit.text import counted

_BANDS = (0.8, 0.6, 0.4, 0.2, 0.0)
_MAX_WRONG_ANSWERS = 3  # of an exercise, on a page


def class_figures(report: ClassReport, words: Mapping[str, str], *, on_page: bool = False) -> dict[str, Figure]:
    """Return the figures of a class by name. A figure with nothing to show has no rows.

    `words` names slips and other wrong answers. A page has room for more columns, and shows a deck's file without
    its folders, since it is passed on to others.
    """
    exam = {} if report.exam is None else {"exam": _exam_figure(report)}
    slips = [
        (words.get(slip.slip, slip.slip), f"{slip.count:,}", f"{slip.students:,}", slip.template)
        for slip in report.slips
    ]
    slip_columns = [*right("times", "students"), ListingColumn("most often in", cut=True)]
    wrong_column = ListingColumn("commonest wrong answer", cut=True)
    tries = [
        (*_try_cells(exercise), _wrong_answers(exercise, words, _MAX_WRONG_ANSWERS if on_page else 1))
        for exercise in report.exercises
    ]
    return {
        "recalled": _recall_figure(report),
        **exam,
        "students": _students_figure(report, on_page=on_page),
        "slips": Figure("Slips", [ListingColumn("slip"), *slip_columns], slips),
        "exercises": Figure("Exercises, hardest first", [ListingColumn("exercise"), *_TRIED, wrong_column], tries),
        "cards": _cards_figure(report.cards, on_page=on_page),
        "leeches": _leeches_figure(report.leeches, on_page=on_page),
    }


def summary(report: ClassReport) -> str:
    """Describe the class in a line."""
    counts = counted(report.size, "student"), counted(report.silent_days, "day"), counted(report.course, "card")
    return (
        f"{report.day}: {counts[0]}, {report.active:,} active in the last {counts[1]}, "
        f"{counted(report.answers, 'answer')}; the course has {counts[2]}."
    )


def notes(report: ClassReport) -> list[str]:
    """Explain what the report leaves out."""
    lines = []
    if report.elsewhere:
        lines.append(f"Not counted: {counted(report.elsewhere, 'known card')} of decks that are not yours.")
    if report.hidden:
        lines.append(f"Left out: {counted(report.hidden, 'line')} that too few students stand behind.")
    return lines


def _recall_figure(report: ClassReport) -> Figure:
    cards = {**report.cards_of, "all": report.course}
    shares = {**report.shares, "all": report.recalled}
    rows = [(name, f"{cards[name]:,}", *map(_percent, share)) for name, share in shares.items()]
    columns = [ListingColumn("objective"), *right("cards", "lower quarter", "median", "upper quarter")]
    return Figure("Recalled today", columns, rows, [*shares.values()])


def _exam_figure(report: ClassReport) -> Figure:
    """Count the students in each fifth of expected recall, highest first."""
    counts = dict.fromkeys(_BANDS, 0)
    for share in report.forecasts:
        counts[next((band for band in _BANDS if share >= band), 0.0)] += 1
    names = [f"{band:.0%} or more" if band == READY else f"from {band:.0%}" for band in counts]
    rows = [(name, f"{count:,}") for name, count in zip(names, counts.values(), strict=True)]
    sentence = (
        f"{report.ready:,} of {report.size:,} will recall {READY:.0%} of the course or more, "
        f"going on as in the last two weeks; half of them {_percent(quartiles(report.forecasts)[1])} or less."
    )
    columns = [ListingColumn("share recalled"), *right("students")]
    return Figure(f"Exam on {report.exam}", columns, rows, lengths([*counts.values()]), sentence)


def _students_figure(report: ClassReport, *, on_page: bool) -> Figure:
    names = [*report.cards_of]
    rows = []
    for student in report.behind:
        forecast = [student.forecast.recalled] if student.forecast is not None else []
        shares = [student.recalled, *forecast, *(student.objectives[name].share for name in names)]
        last_answer = [f"{student.last or 'never'}{', silent' if student.silent else ''}"]
        rows.append((student.name, *map(_percent, shares), *(last_answer if on_page else [])))
    heads = right("all", *(["exam"] if report.exam else []), *(name if on_page else name[:4] for name in names))
    columns = [ListingColumn("student"), *heads, *([ListingColumn("last answer")] if on_page else [])]
    return Figure("Students, lowest first", columns, rows)


def _cards_figure(cards: Sequence[CardStanding], *, on_page: bool) -> Figure:
    rows = [(*_try_cells(each), each.card.asks, *([_file_name(each)] if on_page else [])) for each in cards]
    columns = [ListingColumn("card"), *_TRIED, ListingColumn("asks", cut=True)]
    return Figure("Cards, hardest first", [*columns, *(_PLACE if on_page else [])], rows)


def _leeches_figure(cards: Sequence[CardStanding], *, on_page: bool) -> Figure:
    rows = [
        (
            card.card.id,
            f"{card.forgot:,} of {card.asked_again:,}",
            f"{card.lapses:,}",
            *([card.card.asks, _file_name(card)] if on_page else [card.card.place]),
        )
        for card in cards
    ]
    columns = [ListingColumn("card"), *right("forgot it", "lapses"), *([ListingColumn("asks")] if on_page else [])]
    return Figure("Cards that half of the class forgot", [*columns, *_PLACE], rows)


_TRIED = right("first try", "students", "median")
_PLACE = [ListingColumn("where it stands")]


def _try_cells(counts: TryCounts) -> tuple[str, str, str, str]:
    median_s = f"{counts.median_ms / 1000:.0f} s"
    return counts.name, _percent(counts.first_rate), f"{counts.students:,}", median_s


def _wrong_answers(exercise: ExerciseStanding, words: Mapping[str, str], max_answers: int) -> str:
    """Return the most frequent wrong answers, one per line."""
    return "\n".join(
        f"{words.get(each.name, each.name)} ({each.count:,} of {exercise.wrong:,})"
        for each in exercise.clusters[:max_answers]
    )


def _file_name(standing: CardStanding) -> str:
    return standing.card.place.rpartition("/")[2]


def _percent(share: float) -> str:
    """Write a share in percent."""
    return f"{share:.0%}"
