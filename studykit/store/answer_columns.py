"""A long log read by columns for `scheduling.answer_fold`, without an object for each event."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable
from itertools import islice
from typing import NamedTuple

from studykit.scheduling.answer_fold import AnswerColumns
from studykit.store import sql
from studykit.store.database import Row

_AT_ONCE = 100  # rows, few enough to stay in a processor's cache
_GRADE, _TOOK_MS = (1 << 3) - 1, (1 << 30) - 1


class LongLog(NamedTuple):
    """Answers that can be folded, the cards to be replayed instead, and whether other events are left."""

    answers: AnswerColumns
    apart: frozenset[str]
    has_others: bool


def read_columns(
    rows: Iterable[Row], usual_zone: str, apart: Collection[str], advance: Callable[[int], object] | None = None
) -> LongLog:
    """The log in rows of `sql.ANSWERS_PACKED`, which name a zone where it is not the usual one.

    Cards with more to their memories than answers by SM-2 join those `apart`. `advance` is told of rows read.
    """
    import numpy as np

    cards, zones = _numbers(), _numbers()
    zones[None]  # the usual one
    card_of, zone_of, moments, packed = bytearray(), bytearray(), bytearray(), bytearray()
    left = iter(rows)
    while some := list(islice(left, _AT_ONCE)):
        names, elsewhere, *columns = zip(*some, strict=True)
        for kept, numbers, column in ((card_of, cards, names), (zone_of, zones, elsewhere)):
            kept.extend(np.fromiter(map(numbers.__getitem__, column), np.int32, len(some)))
        for kept, column in zip((moments, packed), columns, strict=True):
            kept.extend(np.fromiter(column, np.int64, len(some)))
        if advance is not None:
            advance(len(some))
    card, zone = np.frombuffer(card_of, np.int32), np.frombuffer(zone_of, np.int32)
    moment, what = np.frombuffer(moments, np.int64), np.frombuffer(packed, np.int64)
    known = [str(name) for name in cards]
    more = {known[number] for number in np.unique(card[what == sql.OF_MEMORY]).tolist()}
    left_out = frozenset(more.union(apart))
    folded = (what >= 0) & ~np.array([name in left_out for name in known], bool)[card]
    answers = what[folded]
    return LongLog(
        AnswerColumns(
            known,
            [usual_zone if zone is None else zone for zone in zones],
            card=card[folded],
            zone=zone[folded],
            moment=moment[folded],
            day=(answers >> 33).astype(np.int32),
            grade=(answers >> 30 & _GRADE).astype(np.int8),
            took_ms=(answers & _TOOK_MS).astype(np.int32),
        ),
        left_out,
        bool((what < 0).any()),
    )


def _numbers() -> defaultdict[str | None, int]:
    """The place of each name among those asked for so far."""
    numbers: defaultdict[str | None, int] = defaultdict()
    numbers.default_factory = numbers.__len__
    return numbers
