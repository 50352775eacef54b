"""Parameters that a learner or a deck pins, read from text."""

from collections.abc import Mapping

from studykit.errors import StudyError, UsageError
from studykit.exercise.estimate.hardware import DTYPE_NAMES, Device, device, letters
from studykit.exercise.estimate.template import Template, combinations
from studykit.exercise.estimate.values import Value, plain
from studykit.quantity.reading import read
from studykit.quantity.units import want


def pins(template: Template, texts: Mapping[str, str]) -> dict[str, Value]:
    """Parameters pinned as text, such as `n=8` and `hw="H100 SXM"`; refused with what is possible instead."""
    visible = [name for name in (*template.grid, *template.builds_on) if not name.startswith("_")]
    first: dict[str, Value] = {**next(iter(combinations(template))), **dict.fromkeys(template.builds_on, 0.5)}
    pinned: dict[str, Value] = {}
    for name, text in texts.items():
        if name not in visible:
            raise UsageError(f"{template.id} has no parameter {name!r}; it has {', '.join(visible) or 'none'}")
        pinned[name] = _pinned(template, name, text, first[name])
    return pinned


def words(pinned: Mapping[str, Value]) -> list[str]:
    """The parameters as words of a command line."""
    from shlex import quote

    return [quote(f"{name}={plain(value)}") for name, value in pinned.items()]


def _pinned(template: Template, name: str, text: str, example: Value) -> Value:
    if isinstance(example, Device):
        return device(text)
    if isinstance(example, int | float):
        try:
            number = read(text, want("%" if isinstance(example, float) else "count"))
        except StudyError as error:
            raise UsageError(f"{name}={text}: {error}") from None
        value = number.others[0] if number.others else number.value
        if value < 0 or (value == 0 and not _may_be_zero(template, name)):
            raise UsageError(f"{name}={text}: a number above zero is needed")
        if isinstance(example, int) and value != int(value):
            raise UsageError(f"{name}={text}: a whole number is needed")
        return int(value) if isinstance(example, int) else value
    return _named(template, name, text)


def _named(template: Template, name: str, text: str) -> Value:
    options = list({plain(known[name]): known[name] for known in combinations(template)}.values())
    asked = DTYPE_NAMES.get(letters(text), letters(text))
    for option in options:
        if asked == letters(str(plain(option))) or asked in getattr(option, "also", ()):
            return option
    near = [option for option in options if asked and asked in letters(str(plain(option)))]
    if len(near) == 1:
        return near[0]
    raise UsageError(f"{name}={text}: take one of {'; '.join(str(plain(option)) for option in options)}")


def _may_be_zero(template: Template, name: str) -> bool:
    choices = template.grid.get(name, ())
    return not callable(choices) and 0 in choices
