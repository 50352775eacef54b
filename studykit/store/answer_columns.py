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
    rows: Iterable[Row], usual_zone: str, apart: Collection[str], advance: Callable[[int], object] | None = None
) -> LongLog:
    """The log in rows of `sql.ANSWERS_PACKED`, which name a zone where it is not the usual one.

    Cards with more to their memories than answers by SM-2 join those `apart`. `advance` is told of rows read.
    """
    import numpy as np

    numbers: defaultdict[str | tuple[str, str], int] = defaultdict()
    numbers.default_factory = numbers.__len__
    places, moments, packed = bytearray(), bytearray(), bytearray()
    left = iter(rows)
    while some := list(islice(left, _AT_ONCE)):
        names, elsewhere, *columns = zip(*some, strict=True)
        if elsewhere.count(None) < len(some):
            names = tuple(
                name if zone is None else (name, zone) for name, zone in zip(names, elsewhere, strict=True)
            )
        places.extend(np.fromiter(map(numbers.__getitem__, names), np.int32, len(some)))
        for kept, column in zip((moments, packed), columns, strict=True):
            kept.extend(np.fromiter(column, np.int64, len(some)))
        if advance is not None:
            advance(len(some))
    pairs = [name if isinstance(name, tuple) else (name, usual_zone) for name in numbers]
    cards, card_of = _numbered([card for card, _ in pairs])
    zones, zone_of = _numbered([zone for _, zone in pairs])
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
            day=(answers >> 33).astype(np.int32),
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
