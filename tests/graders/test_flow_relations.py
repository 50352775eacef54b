"""Which values of a flow are sums or products of others, and other values that keep it."""

from collections.abc import Sequence

import numpy as np
import pytest
from trusted_grade import LIBRARY

from studykit.graders.child.flow_relations import FlowColumns, Relation, layouts

DRAWN = np.random.default_rng(1)


def two(*shape: int) -> list[np.ndarray]:
    """Numbers of a step with two inputs."""
    return [DRAWN.normal(size=shape) for _ in range(2)]


def found(*steps: Sequence[np.ndarray], given: Sequence[int] = (), turned: bool = True) -> list[Relation]:
    values, others = ([each[n] for each in steps] for n in range(2))
    return list(FlowColumns.of(LIBRARY, values, others, given, turned=turned).relations())


X, Y, N = two(3, 5), two(3, 5), two(1, 5)


def test_steps_without_a_relation_have_none() -> None:
    assert found(X, Y) == []
    assert found(X, X[:1] + Y[1:]) == []  # with other inputs it does not hold


@pytest.mark.parametrize(
    ("by", "other"),
    [
        ("sums", [x + n for x, n in zip(X, N, strict=True)]),
        ("sums", [2 - x * 3 for x in X]),
        ("products", [x * n * n for x, n in zip(X, N, strict=True)]),
        ("products", [4 / x for x in X]),
    ],
)
def test_what_is_left_between_two_steps_was_there_before(by: str, other: list[np.ndarray]) -> None:
    assert [(one.by, one.places) for one in found(X, N, other, given=[1])] == [(by, [0, 2])]


def test_a_sum_of_what_was_there_before_alone_is_no_relation() -> None:
    assert found(X, Y, [x + y for x, y in zip(X, Y, strict=True)], given=[0, 1]) == []


def test_steps_hang_together_in_groups() -> None:
    sums = [x + y for x, y in zip(X, Y, strict=True)]
    doubled = [2 * x for x in X]
    other, its = two(7, 2), two(7, 2)

    assert [one.places for one in found(X, Y, sums, doubled, other, its) if one.by == "sums"] == [[0, 1, 2, 3]]


def test_axes_in_another_order_are_the_same_where_steps_are_turned() -> None:
    other = [(x + n).T[:, None] for x, n in zip(X, N, strict=True)]

    assert [one.places for one in found(X, N, other, given=[1])] == [[0, 2]]
    assert found(X, N, other, given=[1], turned=False) == []


def test_of_few_numbers_anything_would_be_a_sum() -> None:
    assert found(*(two(2) for _ in range(5))) == []


def test_numbers_of_no_meaning_keep_the_relation() -> None:
    sums = [x + n for x, n in zip(X, N, strict=True)]
    products = [(x * n).T for x, n in zip(X, N, strict=True)]
    columns = FlowColumns.of(LIBRARY, [X[0], N[0], sums[0]], [X[1], N[1], sums[1]], [1], turned=True)
    others = FlowColumns.of(LIBRARY, [X[0], N[0], products[0]], [X[1], N[1], products[1]], [1], turned=True)
    noise = np.full((3, 5), 7.0)

    (bound,), (times,) = list(columns.relations()), list(others.relations())

    assert columns.instead(bound, {0: noise})[2] == pytest.approx(7 + np.broadcast_to(N[0], (3, 5)))
    assert others.instead(times, {0: noise})[2] == pytest.approx((7 * np.broadcast_to(N[0], (3, 5))).T)


def test_numbers_that_are_none_and_numbers_without_axes_are_left_out() -> None:
    none = [np.full((3, 5), np.nan), X[1]]

    assert found(none, none) == []
    assert found([1.0, 2.0], [2.0, 3.0]) == []  # type: ignore[list-item]


def test_merged_axes_are_taken_apart_in_either_order() -> None:
    wide, short = two(2, 3, 5), two(2, 1, 5)
    sums = [a + b for a, b in zip(wide, short, strict=True)]
    merged = [one.reshape(6, 5) for one in sums]
    turned = [one.transpose(1, 0, 2).reshape(6, 5) for one in sums]

    for other in (merged, turned):
        (relation,) = found(wide, short, other, given=[1])
        assert (relation.by, relation.places) == ("sums", [0, 2])


def test_numbers_that_keep_a_relation_keep_it_through_merged_axes() -> None:
    wide, short = two(2, 3, 5), two(2, 1, 5)
    turned = [(a + b).transpose(1, 0, 2).reshape(6, 5) for a, b in zip(wide, short, strict=True)]
    values, others = ([each[n] for each in (wide, short, turned)] for n in range(2))
    columns = FlowColumns.of(LIBRARY, values, others, [1], turned=True)
    (relation,) = columns.relations()
    free = DRAWN.normal(size=(2, 3, 5))

    instead = columns.instead(relation, {0: free})

    assert instead[0].shape == (2, 3, 5)
    assert np.allclose(instead[2], (free + short[0]).transpose(1, 0, 2).reshape(6, 5))


def test_lengths_of_many_parts_are_left_whole() -> None:
    assert [one.parts for one in layouts((6, 1))] == [(2, 3), (3, 2)]
    assert [one.parts for one in layouts((2**10,))] == [(2**10,)]
    assert len(list(layouts((30, 6)))) == 6
