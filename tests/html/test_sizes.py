"""Test that exported pages keep the promised sizes."""

import gzip
import re
import runpy
from functools import cache
from pathlib import Path

import pytest

from decks import read_deck
from studykit.exercise import registry
from studykit.html import assets
from studykit.html.deck_view import DeckPart
from studykit.html.export import ExportOptions, export

ROOT = Path(__file__).parents[2]
MADE = runpy.run_path(str(ROOT / "tests" / "browser" / "make_pages.py"))
DECKS = sorted((ROOT / "decks").glob("*.md"))


@cache
def pages(name: str) -> dict[str, str]:
    """Return the pages of a deck of 200 cards, or of a shipped deck, by file name."""
    path = ROOT / "decks" / f"{name}.md"
    makers = {
        "200": lambda: MADE["many"](200),
        "numbers": MADE["numbers"],
        "typed": lambda: MADE["many"](200) + "\nQ: Capital? {.typed}\nA: Paris\n\nQ: Bytes? {.typed}\nA: 2048\n",
        "choices": MADE["choices"],
        "choices and typed": lambda: MADE["choices"]() + "\nQ: Bytes? {.typed}\nA: 2048\n",
        "judged": lambda: MADE["CASES"] + "\nE: flops.matmul\n",
    }
    text = makers.get(name, lambda: path.read_text("utf-8"))()
    files = export([DeckPart(read_deck(text, str(path)), path.parent)], registry.page, ExportOptions())
    return {file: content.decode() for file, content in files.items()}


def page(name: str) -> str:
    return next(
        text
        for file, text in pages(name).items()
        if file.endswith(".html") and "<study-deck" in text and "<style>" in text
    )


def element_content(text: str, tag: str) -> bytes:
    match = re.search(f"<{tag}>(.*?)</{tag}>", text, re.DOTALL)
    assert match is not None
    return match[1].encode()


def test_page_style_is_under_seven_kilobytes() -> None:
    assert len(element_content(page("200"), "style")) <= 6_800


@pytest.mark.parametrize(
    ("name", "limit"), [("200", 16_000), ("typed", 16_000), ("choices", 16_000), ("choices and typed", 16_384)]
)
def test_script_without_exercises_is_under_16_kilobytes(name: str, limit: int) -> None:
    assert len(element_content(page(name), "script")) <= limit


def test_script_with_every_judge_is_under_38_kilobytes() -> None:
    assert {"studykit-exercises.js", "studykit-choices.js", "studykit-typed.js"} <= pages("judged").keys()
    assert len(element_content(page("judged"), "script")) <= 38_000


def test_scripts_in_all_are_under_1250_lines() -> None:
    scripts = (ROOT / "studykit" / "html" / "static").glob("*.js")

    assert sum(len(script.read_text("utf-8").splitlines()) for script in scripts) <= 1_250


def test_page_of_200_cards_keeps_its_size_limits() -> None:
    html = page("200").encode()

    assert len(html) <= 125_000
    assert len(gzip.compress(html, 9)) <= 17_000


@pytest.mark.no_cover
def test_numeric_exercises_page_is_under_150_compressed_kilobytes() -> None:
    assert page("numbers").count("data-sk=") == 148
    assert len(gzip.compress(page("numbers").encode(), 9)) <= 150_000


def test_two_hundred_cards_are_under_four_thousand_elements() -> None:
    assert len(re.findall(r"<[a-z]", page("200").partition("<script>")[0])) <= 4_000


def test_shared_site_style_is_under_eight_kilobytes() -> None:
    assert len(assets.style("host.css", "cards.css", "review.css").encode()) <= 7_600


@pytest.mark.no_cover
@pytest.mark.parametrize("path", DECKS, ids=lambda path: path.stem)
def test_shipped_deck_page_keeps_its_size_limits(path: Path) -> None:
    html = page(path.stem)

    assert len(html.encode()) <= 195_000  # with up to two dozen exercises or a few more, 20 sets of numbers each
    assert len(gzip.compress(html.encode(), 9)) <= 45_500
