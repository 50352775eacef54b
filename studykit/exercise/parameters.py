"""What may be pinned of an exercise: the names of its parameters, and what each may be as one word."""

from collections.abc import Iterable, Mapping, Sequence

from studykit.exercise.entry import Exercise
from studykit.exercise.estimate.grid import Grid, choices_of
from studykit.exercise.estimate.values import Value, plain


def parameters(exercise: Exercise) -> dict[str, tuple[str, ...]]:
    """Each parameter with the values that it is drawn from, each as one word, such as `H100-SXM`."""
    grid: Grid | None = getattr(exercise, "grid", None)
    if grid is None:
        by_device: Mapping[str, Mapping[str, Sequence[Value]]] = getattr(exercise, "sizes", {})
        names = dict.fromkeys(name for sizes in by_device.values() for name in sizes)
        return {name: _words(v for sizes in by_device.values() for v in sizes.get(name, ())) for name in names}
    return {name: _words(choices_of(grid, name)) for name in grid if not name.startswith("_")}


def _words(values: Iterable[Value]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(map(_word, values)))


def _word(value: Value) -> str:
    short = next(iter(getattr(value, "also", ())), "")
    return short or str(plain(value)).replace(" ", "-")
