"""Many answers at once: memories and tallies of cards on which nothing happened but answers that SM-2 asked for.

It is `review_rule.answer` in columns: the first answers of all cards, then the second ones, and so on. A test
holds it equal to `replay`, which does the rest: progress that moves, is forgotten or taken over, undone answers,
FSRS.
"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from studykit.scheduling import review_rule, sm2
from studykit.scheduling.replay import WHOLE_DAY, Caches, Tally, TallyKey, month_of
from studykit.scheduling.review_rule import CRAM, DRILL, MemoryRow
from studykit.scheduling.study_day import QUARTER_US, QUARTERS, LocalHours

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Whole = NDArray[np.integer[Any]]

TOGETHER = 256
"""Cards; fewer are answered one by one, for one of them may have a long history."""
_TALLIED_AT_ONCE = 100_000  # answers, so that few columns are held beside those of the log
_COUNTED, _GRADES, _HOURS = CRAM + 1, 6, 24


class AnswerColumns(NamedTuple):
    """Answers in the order of their ids; numbers of cards and zones are places in the lists of their names."""

    cards: Sequence[str]
    zones: Sequence[str]
    card: "Whole"
    zone: "Whole"
    moment: "Whole"
    day: "Whole"
    grade: "Whole"
    took_ms: "Whole"


def fold(answers: AnswerColumns, hours: LocalHours, together: int = TOGETHER) -> Caches:
    """The caches as these answers make them; none of them was undone."""
    counted, memories = _reviewed(answers, together)
    caches = Caches(memories, {}, {})
    for start in range(0, len(counted), _TALLIED_AT_ONCE):
        part = slice(start, start + _TALLIED_AT_ONCE)
        some = AnswerColumns(answers.cards, answers.zones, *(column[part] for column in answers[2:]))
        caches.add(Caches({}, {}, _tallies(some, counted[part], hours)))
    return caches


def _reviewed(answers: AnswerColumns, together: int) -> "tuple[Whole, dict[str, MemoryRow]]":
    """What each answer counts as, and the memories of the cards after the last ones."""
    import numpy as np

    order = _by_card_and_moment(answers)
    card, grade, day = answers.card[order], answers.grade[order], answers.day[order]
    first = np.flatnonzero(np.diff(card, prepend=-1))
    length = np.diff(first, append=len(card))
    longest = np.argsort(-length, kind="stable")
    first, length = first[longest], length[longest]
    counts = np.full(len(card), review_rule.INTRODUCTION, np.int8)
    memories = _introduced(grade[first], day[first])
    step, active = 1, int(np.count_nonzero(length > 1))
    while active > together:
        these = first[:active] + step
        counts[these], memories[:, :active] = _answered(memories[:, :active], grade[these], day[these])
        step, active = step + 1, int(np.count_nonzero(length[:active] > step + 1))
    for place in range(active):
        memory: MemoryRow = (*memories[:, place].tolist(), None, None, None)
        for at in range(first[place] + step, first[place] + length[place]):
            counts[at], memory = review_rule.answer(memory, int(grade[at]), int(day[at]))
        memories[:, place] = memory[:8]
    counted = np.empty_like(counts)
    counted[order] = counts
    names = [answers.cards[number] for number in card[first].tolist()]
    by_sm2 = [[None] * len(names)] * 3
    return counted, dict(zip(names, zip(*memories.tolist(), *by_sm2, strict=True), strict=True))


def _by_card_and_moment(answers: AnswerColumns) -> "Whole":
    """The places of the answers, card by card; ids are nearly in the order of moments, which is soon sorted."""
    import numpy as np

    order = np.argsort(answers.moment, kind="stable")
    count = np.int64(max(1, len(order)))
    place = answers.card[order] * count + np.arange(len(order))
    place.sort()
    ordered: Whole = order[place % count]
    return ordered


def _introduced(grade: "Whole", day: "Whole") -> "Whole":
    """The memories of new cards after an answer, as columns: a row for each of the first eight numbers."""
    import numpy as np

    none = np.zeros(len(day), np.int64)
    repetition, interval, ease = _by_sm2(none, none, none + sm2.INITIAL_EASE, grade, day)
    return np.stack((repetition, interval, ease, none, day, day + interval, none, none))


def _answered(memories: "Whole", grade: "Whole", day: "Whole") -> "tuple[Whole, Whole]":
    """What answers of known cards count as, and the memories after them."""
    import numpy as np

    repetition, ended, ease, lapses, reviewed, due, reviews, passed = memories
    passes, early = grade >= sm2.PASSING_GRADE, due > day
    young = np.where(passes, review_rule.YOUNG_PASSED, review_rule.YOUNG_FAILED)
    mature = np.where(passes, review_rule.MATURE_PASSED, review_rule.MATURE_FAILED)
    counted = np.where(ended >= review_rule.MATURE, mature, young)
    lapses = lapses + (~passes & (repetition > 0))
    repetition, interval, ease = _by_sm2(repetition, ended, ease, grade, day)
    after = np.stack((repetition, interval, ease, lapses, day, day + interval, reviews + 1, passed + passes))
    if not early.any():
        return counted, after
    return np.where(early, np.where(day <= reviewed, DRILL, CRAM), counted), np.where(early, memories, after)


def _by_sm2(
    repetition: "Whole", interval: "Whole", ease: "Whole", grade: "Whole", day: "Whole"
) -> "tuple[Whole, Whole, Whole]":
    """`sm2.review` of columns."""
    import numpy as np

    passes = grade >= sm2.PASSING_GRADE
    early = np.where(repetition > 0, sm2.SECOND_INTERVAL, sm2.FIRST_INTERVAL)
    longer = np.where(repetition > 1, -(-interval * ease // 100), early)
    longest = np.minimum(sm2.LONGEST_INTERVAL, review_rule.LAST_DAY - day)
    changes = np.array([sm2.ease_change(grade) for grade in range(_GRADES)])
    return (
        np.where(passes, repetition + 1, 0),
        np.where(passes, np.minimum(longer, longest), sm2.FIRST_INTERVAL),
        np.where(passes, np.maximum(sm2.MINIMUM_EASE, ease + changes[grade]), ease),
    )


def _tallies(answers: AnswerColumns, counted: "Whole", hours: LocalHours) -> dict[TallyKey, Tally]:
    import numpy as np

    days, on = np.unique(answers.day, return_inverse=True)
    tallies = dict(_tallied([(day, *WHOLE_DAY) for day in days.tolist()], on, counted, answers.took_ms))
    months, in_month = np.unique([month_of(day) for day in days.tolist()], return_inverse=True)
    keys = [
        (month, hour, grade) for month in months.tolist() for hour in range(_HOURS) for grade in range(_GRADES)
    ]
    place = (in_month[on] * _HOURS + _local_hours(answers, hours)) * _GRADES + answers.grade
    tallies.update(_tallied(keys, place, counted, answers.took_ms))
    return tallies


def _local_hours(answers: AnswerColumns, hours: LocalHours) -> "Whole":
    """The local hour of each answer; on a day on which clocks change they are asked for one by one."""
    import numpy as np

    quarter = answers.moment // QUARTER_US
    days, on = np.unique(quarter // QUARTERS * len(answers.zones) + answers.zone, return_inverse=True)
    places = (divmod(day, len(answers.zones)) for day in days.tolist())
    offsets = [hours.offset(day, answers.zones[zone]) for day, zone in places]
    local: Whole = (quarter + np.array([offset or 0 for offset in offsets])[on]) % QUARTERS // 4
    for at in np.flatnonzero(np.array([offset is None for offset in offsets])[on]).tolist():
        local[at], _ = hours.span(int(answers.moment[at]), answers.zones[answers.zone[at]])
    return local


def _tallied(
    keys: Sequence[TallyKey], place: "Whole", counted: "Whole", took_ms: "Whole"
) -> Iterator[tuple[TallyKey, Tally]]:
    """The tallies of answers, each of which has a place among the keys; none where there is no answer."""
    import numpy as np

    counts = np.bincount(place * _COUNTED + counted, minlength=len(keys) * _COUNTED).reshape(len(keys), _COUNTED)
    told = counts @ np.array([[name in names for name in Tally._fields] for names in review_rule.COUNTED_IN])
    spent = np.bincount(place, took_ms, len(keys))  # floats, exact below 2 ** 53: so many answers take less
    told[:, Tally._fields.index("took_ms")] = spent.astype(np.int64)
    for at in np.flatnonzero(counts.any(axis=1)).tolist():
        yield keys[at], Tally(*told[at].tolist())
