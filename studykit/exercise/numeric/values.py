"""The values of a variant, and how they are written into its texts."""

from typing import Any

from studykit.quantity import formatting
from studykit.quantity.units import want

Value = int | float | str | object
"""A parameter: a number, a name, or a thing with a `name` such as a device."""


class Values:
    """Parameters, what is worked out of them, and the answer, as attributes for formulas to use."""

    __slots__ = ("known",)

    def __init__(self, known: dict[str, Value]) -> None:
        self.known = known

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - a formula knows what its own parameters are
        try:
            return self.known[name]
        except KeyError:
            raise AttributeError(name) from None


def plain(value: Value) -> int | float | str:
    """A parameter as JSON has it: a number, or a name."""
    if isinstance(value, int | float | str):
        return value
    return str(getattr(value, "name", value))


class _Written:
    """A value as a text shows it: the letters after the colon say how."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:  # noqa: ANN401 - whatever the parameter is
        self.value = value

    def __getattr__(self, name: str) -> "_Written":
        return _Written(getattr(self.value, name))

    def __format__(self, how: str) -> str:  # noqa: PLR0911 - one line for each way
        value = self.value
        match how:
            case "":
                return formatting.digits(value, 5) if isinstance(value, float) else str(plain(value))
            case "si":
                return formatting.count(value)
            case "n":
                return formatting.grouped(value)
            case "e":
                return formatting.scientific(value)
            case "time":
                return formatting.seconds(value)
            case _ if how.startswith("of "):  # {w:of week}: 1 week, 6 weeks
                number = formatting.digits(value, 5) if isinstance(value, float) else str(value)
                return f"{number} {how[3:]}{'' if value == 1 else 's'}"
            case _:
                return formatting.shown(value, want(how))


class _Texts(dict[str, _Written]):
    """Lets `str.format_map` see every value as it is written."""

    def __init__(self, values: Values) -> None:
        super().__init__()
        self.drawn = values

    def __missing__(self, name: str) -> _Written:
        return _Written(self.drawn.known[name])


def filled(text: str, values: Values) -> str:
    """The text with its braces filled in from the values."""
    return text.format_map(_Texts(values)) if "{" in text else text
