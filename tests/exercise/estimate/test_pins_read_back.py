"""Check that every parameter's values, printed in any fitting unit, read back unchanged."""

from collections.abc import Iterator

from hypothesis import given
from hypothesis import strategies as st

from studykit.exercise import catalog
from studykit.exercise.estimate.pins import pins
from studykit.exercise.estimate.scenario import Scenario
from studykit.exercise.estimate.template import Template
from studykit.exercise.estimate.values import choices_of
from studykit.quantity.units import DEVICE_HOURS, NUMBER, SCALES, UNITS, target_unit

TEMPLATES = [
    template
    for found in catalog.every()
    for template in (found.templates()[:1] if isinstance(found, Scenario) else (found,))
    if isinstance(template, Template)
]


def numbers() -> Iterator[tuple[Template, str]]:
    """Yield every numeric parameter with its template."""
    for template in TEMPLATES:
        for name in template.grid:
            if not name.startswith("_") and isinstance(next(iter(choices_of(template.grid, name))), int | float):
                yield template, name


PARAMETERS = list(numbers())
LETTERS = {"": 1.0, **{letter: SCALES[letter] for letter in ("K", "M", "B", "T", "million", "bn")}}


def units_of(unit: str) -> dict[str, float]:
    """Return each unit that a parameter can be typed in, with its size in the parameter's own unit.

    "m" and "t" are left out because they have several meanings, and GPU-hours because they are not a plain time.
    """
    target = target_unit(unit)
    words = {word: known.factor for word, known in UNITS.items() if known.dimension == target.dimension}
    unfit = {"m", "t", *DEVICE_HOURS}
    return {unit: 1.0} | {word: factor / target.factor for word, factor in words.items() if word not in unfit}


def test_every_numeric_parameter_is_found() -> None:
    assert len(PARAMETERS) > 250
    assert set().union(*(set(template.units) - set(template.grid) for template in TEMPLATES)) == set()


@given(st.sampled_from(PARAMETERS), st.integers(1, 10**12), st.sampled_from(sorted(LETTERS)))
def test_a_count_with_any_letter_is_read_back(parameter: tuple[Template, str], value: int, letter: str) -> None:
    template, name = parameter
    if template.units.get(name):
        return
    printed = f"{value / LETTERS[letter]!r}{letter}"

    assert pins(template, {name: printed}) == {name: value}


@given(st.data(), st.sampled_from(PARAMETERS), st.integers(1, 10**6), st.integers(0, 3))
def test_an_amount_in_any_unit_is_read_back(
    data: st.DataObject, parameter: tuple[Template, str], whole: int, places: int
) -> None:
    template, name = parameter
    unit = template.units.get(name)
    value = float(f"{whole}e-{places}")
    if not unit:
        return
    if unit == "%":
        share = whole / 10**6
        for printed in (f"{share!r}", f"{float(f'{share * 100:.12g}')!r} %"):
            assert pins(template, {name: printed}) == {name: share}
        return
    assert target_unit(unit).dimension != NUMBER
    word, size = data.draw(st.sampled_from(sorted(units_of(unit).items())))
    printed = f"${value!r}" if word == "$" else f"{value / size!r} {word}"

    assert pins(template, {name: printed}) == {name: value}


@given(st.sampled_from(PARAMETERS), st.data())
def test_drawn_value_is_read_back_from_the_log(parameter: tuple[Template, str], data: st.DataObject) -> None:
    template, name = parameter
    value = data.draw(st.sampled_from(list(choices_of(template.grid, name))))

    assert pins(template, {name: str(value)}) == {name: value}
