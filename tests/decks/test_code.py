"""Check what code-reading cards say about their code, by running it with einops on numpy arrays."""

from collections.abc import Sequence
from pathlib import Path

import einops
import numpy as np
import pytest

from decks import read_deck
from studykit.cards.card import Card

DECK = Path(__file__).parents[2] / "decks" / "04-einops.md"
CARDS: dict[str, Card] = {card.id: card for card in read_deck(DECK.read_text(encoding="utf-8"), str(DECK)).cards}


def result(card: str, **arrays: np.ndarray) -> np.ndarray:
    """Run the card's own code block with numpy in torch's place, and return its result."""
    code = CARDS[card].prompt.split("```python\n")[1].split("```")[0].strip()
    names = {
        "rearrange": einops.rearrange,
        "reduce": einops.reduce,
        "einsum": einops.einsum,
        "torch": np,
        **arrays,
    }
    return np.asarray(eval(code, names))  # noqa: S307 - our own decks


@pytest.mark.parametrize(
    ("card", "shape"),
    [
        ("split-heads-shape", (2, 16, 512)),
        ("pool-shape", (1, 3, 8, 8)),
        ("ellipsis-shape", (2, 8, 16, 64)),
        ("patchify-shape", (2, 3, 32, 48)),
    ],
)
def test_card_shape_equals_the_result_shape(card: str, shape: Sequence[int]) -> None:
    outcome = result(card, x=np.zeros(shape))

    assert CARDS[card].answer == str(outcome.shape)


def test_card_values_equal_the_result_values() -> None:
    outcome = result("split-ba")

    assert CARDS["split-ba"].answer.startswith(f"`{outcome.tolist()}`")


def test_einsum_card_gives_query_key_dot_products() -> None:
    q, k = np.arange(24.0).reshape(2, 3, 4), np.arange(40.0).reshape(2, 5, 4)

    assert np.array_equal(result("einsum-scores", q=q, k=k), q @ k.swapaxes(1, 2))
