"""Hold the values of a variant, and format them in its texts."""

from collections.abc import Callable
from typing import Any

from studykit.quantity import formatting
from studykit.quantity.units import want

Value = int | float | str | object
"""A parameter: a number, a name, or a thing with a `name` such as a device."""


class Values:
    """Parameters, values computed from them, and the answer, as attributes for formulas."""

    __slots__ = ("known",)

    def __init__(self, known: dict[str, Value]) -> None:
        self.known = known

    def __getattr__(self, name: str) -> Any:
        try:
            return self.known[name]
        except KeyError:
            raise AttributeError(name) from None

    def __getitem__(self, name: str) -> "_Formatted":
        """Return a value that formats itself, for `str.format_map`."""
        return _Formatted(self.known[name])


def plain(value: Value) -> int | float | str:
    """Return a parameter as JSON holds it: a number or a name."""
    if isinstance(value, int | float | str):
        return value
    return str(getattr(value, "name", value))


class _Formatted:
    """A value that is formatted by the letters after the colon."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value

    def __getattr__(self, name: str) -> "_Formatted":
        return _Formatted(getattr(self.value, name))

    def __format__(self, how: str) -> str:
        value = self.value
        if (write := _FORMATS.get(how)) is not None:
            return write(value)
        if how and not how.startswith("of "):
            return formatting.show_amount(value, want(how))
        text = formatting.digits(value, 5) if isinstance(value, float) else str(value)
        return f"{text} {how[3:]}{'' if value == 1 else 's'}" if how else text  # {w:of week}: 1 week, 6 weeks


_FORMATS: dict[str, Callable[[float], str]] = {
    "si": formatting.count,
    "n": formatting.grouped,
    "e": formatting.scientific,
    "time": formatting.seconds,
}


def fill_in(text: str, values: Values) -> str:
    """Replace the braces in a text by formatted values."""
    return text.format_map(values) if "{" in text else text
