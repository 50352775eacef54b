"""A long log read by columns for `scheduling.answer_fold`, without an object for each event."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from studykit.scheduling.answer_fold import AnswerColumns
from studykit.store import sql
from studykit.store.database import Row

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_AT_ONCE = 100  # rows, few enough to stay in a processor's cache
_GRADE, _TOOK_MS = (1 << 3) - 1, (1 << 30) - 1


class LongLog(NamedTuple):
    """Answers that can be folded, the cards to be replayed instead, and whether other events are left."""

    answers: AnswerColumns
    apart: frozenset[str]
    has_others: bool


def read_columns(
    rows: Iterable[Row], apart: Collection[str], advance: Callable[[int], object] | None = None
) -> LongLog | None:
    """The log in rows of `sql.ANSWERS_PACKED`; None where no card can be told from its zone.

    Cards with more to their memories than answers by SM-2 join those `apart`. `advance` is told of rows read.
    """
    import numpy as np

    numbers: defaultdict[str, int] = defaultdict()
    numbers.default_factory = numbers.__len__
    places, moments, packed = bytearray(), bytearray(), bytearray()
    left = iter(rows)
    while some := list(islice(left, _AT_ONCE)):
        texts, *columns = zip(*some, strict=True)
        places.extend(np.fromiter(map(numbers.__getitem__, texts), np.int32, len(some)))
        for kept, column in zip((moments, packed), columns, strict=True):
            kept.extend(np.fromiter(column, np.int64, len(some)))
        if advance is not None:
            advance(len(some))
    if not all(text and text.count("\n") == 1 for text in numbers):  # a damaged file may hold no text at all
        return None
    cards, card_of = _numbered([text.partition("\n")[0] for text in numbers])
    zones, zone_of = _numbered([text.partition("\n")[2] for text in numbers])
    place, moment, what = (
        np.frombuffer(places, np.int32), np.frombuffer(moments, np.int64), np.frombuffer(packed, np.int64)
    )  # fmt: skip
    card = card_of[place]
    more = {cards[number] for number in np.unique(card[what == sql.OF_MEMORY]).tolist()}
    left_out = frozenset(more.union(apart))
    folded = (what >= 0) & ~np.array([name in left_out for name in cards], bool)[card]
    answers = what[folded]
    return LongLog(
        AnswerColumns(
            cards,
            zones,
            card=card[folded],
            zone=zone_of[place[folded]],
            moment=moment[folded],
            day=(answers >> 33).astype(np.int32) + sql.FIRST_DAY,
            grade=(answers >> 30 & _GRADE).astype(np.int8),
            took_ms=(answers & _TOOK_MS).astype(np.int32),
        ),
        left_out,
        bool((what < 0).any()),
    )


def _numbered(names: Sequence[str]) -> "tuple[list[str], NDArray[np.int32]]":
    """Each name once, and the place of each in that list."""
    import numpy as np

    places = {name: place for place, name in enumerate(dict.fromkeys(names))}
    return list(places), np.array([places[name] for name in names], np.int32)
