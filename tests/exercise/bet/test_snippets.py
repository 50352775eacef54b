"""Check the catalogue of bets: drawn and pinned sizes, and what is shown."""

import ast
from dataclasses import replace

import pytest

from studykit.cards.card import OBJECTIVES
from studykit.errors import NotFoundError, UsageError
from studykit.exercise import catalog
from studykit.exercise.bet.snippet import BetExercise, both, code, pinned_sizes, snippet_markdown

BETS = [found for found in catalog.of_set("timing") if isinstance(found, BetExercise)]
EXAMPLE = BetExercise(
    id="bet.example",
    objective="flops",
    source=code("""
        def setup(n):
            return torch.ones(n)

        def run(x):
            return x + 1
    """),
    sizes=both({"n": (1, 2, 3)}, {"n": (100_000, 200_000)}),
    lesson="It adds.",
)


def test_bets_cover_every_subject() -> None:
    assert len(BETS) >= 24
    assert {bet.objective for bet in BETS} <= set(OBJECTIVES)
    assert len({bet.id for bet in BETS}) == len(BETS)


@pytest.mark.parametrize("bet", BETS, ids=lambda bet: bet.id)
def test_snippet_takes_its_sizes_and_fits(bet: BetExercise) -> None:
    functions = {node.name: node for node in ast.parse(bet.source).body if isinstance(node, ast.FunctionDef)}

    assert set(functions) == {"setup", "run"}
    for grid in bet.sizes.values():
        assert [argument.arg for argument in functions["setup"].args.args] == list(grid)
    assert max(len(line) for line in bet.source.splitlines()) <= 76
    assert len(bet.source.splitlines()) <= 14
    assert bet.lesson.endswith(".")


def test_sizes_are_drawn_by_seed_and_device() -> None:
    assert [EXAMPLE.draw(7, "cpu") for _ in range(2)] == [EXAMPLE.draw(7, "cpu")] * 2
    assert {EXAMPLE.draw(seed, "cpu")["n"] for seed in range(50)} == {1, 2, 3}
    assert EXAMPLE.draw(7, "cuda")["n"] in {100_000, 200_000}
    assert EXAMPLE.draw(7, "cpu", {"n": 17}) == {"n": 17}


def test_unknown_size_is_refused() -> None:
    with pytest.raises(UsageError, match=r"bet\.example has no size 'm'. Its sizes are n"):
        EXAMPLE.draw(7, "cpu", {"m": 17})


def test_a_snippet_for_gpus_is_refused_elsewhere() -> None:
    with pytest.raises(NotFoundError, match="needs a GPU"):
        BetExercise("bet.link", "memory", "", {"gpu": {"n": (1,)}}, "It is slow.").draw(7, "cpu")


def test_a_shown_snippet_names_its_sizes_first() -> None:
    assert snippet_markdown("x = 1\n", {"n": 16384, "k": 64}) == "```python\n# n = 16_384, k = 64\nx = 1\n```"
    assert snippet_markdown("x = 1\n", {}) == "```python\nx = 1\n```"


def test_renamed_size_accepts_its_old_name() -> None:
    exercise = replace(EXAMPLE, renamed={"m": "n"})

    assert exercise.draw(7, "cpu", exercise.pins({"m": "17"})) == {"n": 17}


def test_pins_are_numbers_truth_values_and_names() -> None:
    words = {"n": "1_024", "lr": "3e-4", "dtype": "bfloat16", "m": "9" * 5000, "causal": "False", "fused": "true"}

    sizes = pinned_sizes(tuple(words.items()))

    assert sizes == words | {"n": 1024, "lr": 3e-4, "causal": False, "fused": True}
    assert type(sizes["n"]) is int
