"""Check that exactly the offered parameters can be pinned."""

import pytest

from studykit.exercise import catalog
from studykit.exercise.bet.snippet import BetExercise
from studykit.exercise.estimate.grid import parameters
from studykit.exercise.estimate.pins import pins
from studykit.exercise.estimate.template import Template
from studykit.exercise.estimate.values import plain


@pytest.mark.no_cover
def test_offered_parameter_words_are_read_as_distinct_values() -> None:
    offered = 0
    for template in catalog.every():
        if isinstance(template, Template):
            for name, words in parameters(template).items():
                read = [plain(pins(template, {name: word})[name]) for word in words]
                assert " " not in "".join(words)
                assert len(set(read)) == len(words)
                offered += len(words)
    assert offered > 500


def test_bet_offers_sizes_but_rewrite_none() -> None:
    bet = catalog.find("bet.relu")

    assert isinstance(bet, BetExercise)
    assert parameters(bet) == {"n": tuple(str(n) for sizes in bet.sizes.values() for n in sizes["n"])}
    assert parameters(catalog.find("rewrite.split_heads")) == {}


@pytest.mark.parametrize("name", ["scenario.audit_mfu", "mem.max_model"])
def test_hidden_parameter_is_not_offered(name: str) -> None:
    assert not any(one.startswith("_") for one in parameters(catalog.find(name)))
