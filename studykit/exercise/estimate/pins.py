"""Parse the parameters that a learner or a deck pins."""

import re
from collections.abc import Callable, Mapping, Sequence

from studykit.errors import StudyError, UsageError
from studykit.exercise.estimate.hardware import DTYPE_NAMES, Device, letters, logged_device, mentions, typed_device
from studykit.exercise.estimate.shape import Shape, read_model
from studykit.exercise.estimate.template import Template
from studykit.exercise.estimate.values import Value, choices_of, combinations, plain
from studykit.quantity.letter_formula import letter_of
from studykit.quantity.reading import read
from studykit.quantity.units import DIMENSION_NAMES, DOLLAR, NUMBER, TargetUnit, dimension_name, target_unit
from studykit.text import sentence

_EACH = r"(?i)\s*(?:/|\bper\b)\s*(?:(?:GPU|device)[- ]?)?(?:h|hr|hour|kWh)$"  # $2/h


def pins(template: Template, texts: Mapping[str, str], version: int | None = None) -> dict[str, Value]:
    """Parse pinned parameters such as `G=8` and `hw="H100 SXM"`.

    With a `version`, letters mean what they meant in that version of the template. Without one, they mean what
    they mean today, or what they meant earlier if one of them is unknown today. Names such as `head_dim` stand for
    letters, as in formulas. Raise UsageError for an unknown parameter or an impossible value.
    """
    if version is not None:
        texts = _in_letters_of_today(template, texts, version + 1)
    elif any(name not in template.grid and name not in template.builds_on for name in texts):
        texts = _new_spelling(template, texts) or texts
    texts = {letter_of(name, template.grid): text for name, text in texts.items()}
    visible = [name for name in (*template.grid, *template.builds_on) if not name.startswith("_")]
    for name in texts:
        if name not in visible:
            raise UsageError(f"{template.id} has no parameter {name!r}. It has {', '.join(visible) or 'none'}.")
    device_of = typed_device if version is None else logged_device
    return {name: _parse_pin(template, name, text, device_of) for name, text in texts.items()}


def words(pinned: Mapping[str, Value]) -> list[str]:
    """Format parameters as words of a command line."""
    from shlex import quote

    return [quote(f"{name}={plain(value)}") for name, value in pinned.items()]


def _in_letters_of_today(template: Template, texts: Mapping[str, str], version: int) -> dict[str, str]:
    """Apply every renaming of this version and later ones to the pins."""
    for later, letters_of in sorted(template.renamed.items()):
        if later >= version:
            texts = {letters_of.get(name, name): text for name, text in texts.items()}
    return dict(texts)


def _new_spelling(template: Template, texts: Mapping[str, str]) -> dict[str, str] | None:
    """Return today's spelling of pins with an outdated letter, or None if no renaming explains it.

    A renaming does not apply to pins that already have a letter which it introduced.
    """
    for version in sorted(template.renamed, reverse=True):
        spelling = _in_letters_of_today(template, texts, version)
        letters_of = template.renamed[version]
        is_new = any(name in texts and name not in letters_of for name in letters_of.values())
        if spelling != texts and not is_new and len(spelling) == len(texts):
            return spelling
    return None


def _parse_pin(template: Template, name: str, text: str, device: Callable[[str], Device]) -> Value:
    is_drawn = name in template.grid  # or an earlier answer of a scenario
    example = next(combinations(template.grid))[name] if is_drawn else 0.5
    if isinstance(example, Device):
        return device(text)
    if isinstance(example, Shape):
        return read_model(text)
    if not isinstance(example, int | float):
        return _option_named(choices_of(template.grid, name), name, text)
    unit = template.units.get(name, "")
    value = _parse_number(name, text, target_unit(unit or "number"))
    if value == 0 and not (is_drawn and 0 in choices_of(template.grid, name)):
        raise UsageError(f"{name}={text}: {name} must be above zero.")
    if not unit and isinstance(example, int) and value != int(value):
        raise UsageError(f"{name}={text}: {name} must be a whole number.")
    return int(value) if value == int(value) and not isinstance(example, float) else value


def _parse_number(name: str, text: str, unit: TargetUnit) -> float:
    """Parse a parameter's number in its own unit. A share of 40 or 40 % is 0.4."""
    try:
        amount = re.sub(_EACH, "", text) if unit.dimension == DOLLAR else text
        reading = read(amount, unit._replace(factor=1.0))
    except StudyError as error:
        raise UsageError(f"{name}={text}: {sentence(str(error))}") from None
    if reading.dimension != unit.dimension or reading.device_time:
        own = f"the unit of {name} is {unit.unit}" if unit.unit else f"{name} is {DIMENSION_NAMES[NUMBER]}"
        actual = "device-hours" if reading.device_time else dimension_name(reading.dimension)
        raise UsageError(f"{name}={text} is {actual}, but {own}.")
    if unit.unit == "%":
        share = reading.value / 100 if not reading.unit_given and reading.value > 1 else reading.value
        if share > 1:
            raise UsageError(f"{name}={text} is above 100 %. Give at most 100 %.")
        return _round_decimal(share)
    if reading.unit_given:
        return _round_decimal(reading.value / unit.factor)
    return reading.value if text.replace(".", "").isdecimal() else _round_decimal(reading.value)


def _round_decimal(value: float) -> float:
    """Round away the errors of binary fractions: 8.03e9 for 8029999999.999999."""
    return float(f"{value:.15g}")


def _option_named(options: Sequence[Value], name: str, text: str) -> Value:
    options = list({plain(option): option for option in options}.values())
    name_letters = DTYPE_NAMES.get(letters(text), letters(text))
    for option in options:
        if name_letters == letters(str(plain(option))) or name_letters in getattr(option, "also", ()):
            return option
    near = [option for option in options if mentions(str(plain(option)), name_letters)]
    if len(near) == 1:
        return near[0]
    raise UsageError(
        f"{name}={text} is not possible. Use one of: {'; '.join(str(plain(option)) for option in options)}."
    )
