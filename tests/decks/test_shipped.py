"""Check the shipped course: its size, the mix of its questions, its sources, order and front matter."""

from collections import Counter
from itertools import pairwise

import pytest
from templates import template_named

from decks import SHIPPED, shipped_cards, shipped_decks
from studykit.cards.card import OBJECTIVES, Card, Kind
from studykit.cards.lint import lint, names_the_world
from studykit.cards.symbols import letters, misused, read_symbols
from studykit.exercise import catalog
from studykit.exercise.estimate.pins import pins
from studykit.exercise.estimate.template import draw

CARDS = shipped_cards()


def test_lint_finds_no_problem_in_shipped_decks() -> None:
    assert [str(problem) for problem in lint(shipped_decks(), whole=True)] == []


def test_shipped_formula_letters_have_one_explained_meaning() -> None:
    path = SHIPPED / "symbols.toml"
    symbols, wrong = read_symbols(path.read_text(encoding="utf-8"), str(path))

    assert wrong == []
    assert [str(problem) for problem in misused(CARDS, symbols)] == []
    of_cards = {letter for card in CARDS for letter in letters(card)}
    of_exercises = {letter for one in catalog.of_set("napkin-math") for letter in getattr(one, "grid", ())}
    assert of_cards <= symbols.keys() <= of_cards | of_exercises


def test_shipped_sources_are_titles_not_urls() -> None:
    sources = [card.source for card in CARDS if card.source]

    assert len(sources) >= 100
    assert [source for source in sources if len(source) < len("IEEE 754") or "://" in source] == []


def test_the_course_has_300_cards_and_grows_little() -> None:
    assert 300 <= len([card for card in CARDS if card.deck != "as-published"]) <= 355


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_objective_has_at_least_12_questions(objective: str) -> None:
    questions = Counter(one for card in CARDS if card.task is None for one in card.objectives)

    assert questions[objective] >= 12


def numeric(card: Card) -> bool:
    return card.task is not None and not card.task.name.startswith(("rewrite.", "bet."))


def test_at_least_80_cards_are_numeric_exercises() -> None:
    assert sum(map(numeric, CARDS)) >= 80


@pytest.mark.parametrize(("kind", "enough"), [("rewrite", 11), ("bet", 10)])
def test_shipped_rewrite_and_bet_cards_suffice_and_exist(kind: str, enough: int) -> None:
    names = [card.task.name for card in CARDS if card.task is not None and card.task.name.startswith(f"{kind}.")]

    assert len(names) == len(set(names)) >= enough
    assert {catalog.find(name).kind for name in names} == {kind}


@pytest.mark.parametrize("card", [card for card in CARDS if numeric(card)], ids=lambda card: card.id)
def test_numeric_card_draws_its_pins_and_has_a_source(card: Card) -> None:
    assert card.task is not None
    template = template_named(card.task.name)
    pinned = pins(template, dict(card.task.pinned))

    variants = [draw(template, seed, pinned) for seed in range(10)]

    assert all(variant.prompt and variant.pinned.items() >= pinned.items() for variant in variants)
    names_a_device = any(names_the_world(variant.prompt) for variant in variants)
    assert card.source or not names_a_device


def test_shipped_decks_follow_the_lesson_order() -> None:
    assert [deck.id for deck in shipped_decks()] == [
        "two-questions",
        "tensors",
        "precision",
        "einops",
        "hardware",
        "intensity",
        "training",
        "training-memory",
        "flops",
        "many-gpus",
        "inference",
        "as-published",
    ]
    assert [deck.name.partition(".")[0] for deck in shipped_decks()] == [
        str(number) for number in range(1, len(shipped_decks()) + 1)
    ]


def test_shipped_decks_have_description_objectives_and_url() -> None:
    assert all(deck.description and deck.objectives and deck.url for deck in shipped_decks())


def test_cards_ask_in_several_ways() -> None:
    kinds = {card.kind for card in CARDS}

    assert kinds >= {Kind.BASIC, Kind.REVERSED, Kind.CLOZE}
    assert sum(card.typed for card in CARDS) >= 10
    assert sum("```python" in card.prompt for card in CARDS) >= 8


def test_front_matter_does_not_trip_a_yaml_reader() -> None:
    """Check front matter as YAML, because code-hosting pages read it so and show its errors."""
    heads = [path.read_text(encoding="utf-8").split("\n---\n")[0] for path in SHIPPED.glob("*.md")]

    assert [line for head in heads for line in head.splitlines() if ": " in line or " #" in line] == []


def test_deck_separator_has_a_blank_line_above() -> None:
    """Check each ---, because Markdown makes a heading of text right above it."""
    bodies = [path.read_text("utf-8").split("\n---\n", 1)[1].splitlines() for path in SHIPPED.glob("*.md")]
    pairs = [pair for lines in bodies for pair in pairwise(lines)]

    assert [above for above, line in pairs if line == "---" and above] == []


VISION = {"patchify", "unpatchify", "split_windows", "merge_windows", "max_pool", "avg_pool", "depth_to_space"}
VISION |= {"space_to_depth", "channels_last", "channels_first", "grey_to_colour", "upsample", "one_by_one"}
VISION |= {"fold_frames", "unfold_frames", "image_grid", "side_by_side", "global_pool", "gram", "image_size"}
VISION |= {"image_tokens", "take_image", "prepend_token", "skip_connection", "squeeze_excite"}


def test_shipped_rewrites_are_seldom_about_images() -> None:
    rewrites = {
        card.task.name.partition(".")[2]: card.deck
        for card in CARDS
        if card.task and card.task.name.startswith("rewrite.")
    }
    catalogue = {exercise.id.partition(".")[2] for exercise in catalog.of_set("einops")}

    assert len(VISION & rewrites.keys()) <= 2
    assert catalogue >= VISION
    assert len(VISION) <= len(catalogue) / 3
    assert "precision" not in rewrites.values()
