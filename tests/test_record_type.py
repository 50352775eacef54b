"""Values of named fields: what a dataclass that is frozen does, and what it is not made with."""

import copy
from typing import ClassVar

import pytest

from studykit.record_type import Record


class Amount(Record):
    """With a default, and a name that all have."""

    unit: str
    number: float = 1.0
    name: ClassVar[str] = "amount"


class Price(Amount):
    """With a field more."""

    of: tuple[str, ...] = ()


def test_fields_are_given_in_order_or_by_name() -> None:
    made = [Price("B", 2.0, ("a",)), Price("B", of=("a",), number=2.0), Price(of=("a",), number=2.0, unit="B")]

    assert [(each.unit, each.number, each.of, each.name) for each in made] == [("B", 2.0, ("a",), "amount")] * 3
    assert {repr(each) for each in made} == {"Price(unit='B', number=2.0, of=('a',))"}
    assert len({*made}) == 1


def test_only_one_of_the_same_class_with_the_same_fields_is_equal() -> None:
    assert Amount("B") == Amount("B", 1.0)
    assert Amount("B") != Amount("B", 2.0)
    assert Amount("B") != Price("B")
    assert Amount("B") != ("B", 1.0)
    assert bool(Amount(""))


def test_a_value_stays_as_it_is_and_others_are_made_from_it() -> None:
    one = Amount("B")

    with pytest.raises(AttributeError, match="number of Amount"):
        one.number = 2.0  # type: ignore[misc]
    with pytest.raises(AttributeError, match="unit of Amount"):
        del one.unit

    assert (one.replaced(number=2.0), one) == (Amount("B", 2.0), Amount("B", 1.0))
    assert copy.deepcopy(one) == one


@pytest.mark.parametrize(
    ("values", "named"),
    [((), {}), (("B", 1.0, 2.0), {}), (("B",), {"size": 1}), (("B",), {"unit": "B"}), ((), {"name": "B"})],
)
def test_what_is_no_field_or_twice_or_missing_is_refused(
    values: tuple[object, ...], named: dict[str, object]
) -> None:
    with pytest.raises(TypeError, match=r"has the fields unit, number|needs a value for unit"):
        Amount(*values, **named)  # type: ignore[arg-type]


def test_a_pattern_reads_the_fields_in_order() -> None:
    match Amount("B", 3.0):
        case Amount(unit, number):
            assert (unit, number) == ("B", 3.0)
        case _:
            pytest.fail("no match")
