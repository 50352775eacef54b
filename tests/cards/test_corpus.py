"""Test loading decks that other people published in hashcards' format.

`STUDYKIT_TEST_CORPUS` names a folder with checkouts, each as `OWNER__NAME`. Without it the test is skipped.
"""

import os
from pathlib import Path
from typing import NamedTuple

import pytest

from studykit.cards.card import Card
from studykit.cards.parser import parse_deck
from studykit.cards.problem import Problem, Severity
from studykit.cards.repairs import mended
from studykit.collection.collection import read_file
from studykit.collection.files import DeckPath, Origin, Source, discover
from studykit.html.card_html import Markdown, MarkdownError
from studykit.html.mathml import Tex
from studykit.review.typed_answer import shown
from studykit.terminal.markdown.inline import Notation
from studykit.terminal.markdown.render import render

CORPUS = os.environ.get("STUDYKIT_TEST_CORPUS", "")


class PublicDecks(NamedTuple):
    """Describe a repository at a commit: the folder of its decks, and how many files and cards that has."""

    repository: str
    commit: str
    folder: str
    files: int
    cards: int
    lost: int = 0  # notes that hashcards refuses as well


DECKS = (
    PublicDecks("eudoxia0/hashcards", "a23b7e2", "example", 7, 21),
    PublicDecks("longregen/hashcards", "609a789", "example", 7, 16),
    PublicDecks("longregen/hashcards", "609a789", "tests/walkthrough/collection", 3, 12),
    PublicDecks("1998x-stack/interview_hashcards", "2b5ec7a", "KnowledgeCards", 14, 1091),
    PublicDecks("Arwalk/hashcards", "04a41e9", "cards", 2, 16),
    PublicDecks("amnats/my-hashcards", "b9ccf81", ".", 2, 495),
    PublicDecks("cocosberlucens/hashcards-deck", "91b93a4", "cards", 8, 206),
    PublicDecks("thomasrribeiro/flashcards", "b4ca528", "public/collection/example/flashcards", 12, 30),
    PublicDecks("zchrysaylor/hashcards-decks", "b6a239f", ".", 8, 859, lost=1),
    PublicDecks("shaankhosla/repeater", "8914956", "test_data", 2, 10, lost=1),
)


def refusal(markdown: Markdown, text: str) -> str:
    """Return why a page cannot show a text, mostly because a picture is in the deck's folder, or "" if it can."""
    try:
        markdown.blocks(text)
    except MarkdownError as error:
        return str(error)
    return ""


pytestmark = pytest.mark.skipif(not CORPUS, reason="STUDYKIT_TEST_CORPUS names no checkouts")


def read(decks: PublicDecks) -> tuple[list[DeckPath], list[Card], list[Problem]]:
    folder = Path(CORPUS) / decks.repository.replace("/", "__") / decks.folder
    files = [*discover([Source(folder, Origin.OWN)]).files]
    cards: list[Card] = []
    problems: list[Problem] = []
    for file in files:
        deck, wrong = read_file(file)
        cards += deck.cards
        problems += wrong
    return files, cards, problems


def marked(file: DeckPath) -> set[int]:
    """Return the lines on which a note begins, found without our parser."""
    lines: set[int] = set()
    fence = ""
    for number, line in enumerate(Path(file.path).read_text(encoding="utf-8-sig").splitlines(), start=1):
        bare = line.lstrip().removeprefix("Q:").removeprefix("A:").removeprefix("C:").strip()
        if fence:
            fence = "" if set(line.strip()) == {fence[0]} and len(line.strip()) >= len(fence) else fence
        elif bare.startswith(("```", "~~~")) and bare.count("```") < 2:
            fence = bare[:3]
        if line.startswith(("Q:", "C:")) and not (fence and not bare.startswith(fence)):
            lines.add(number)
    return lines


@pytest.mark.parametrize("decks", DECKS, ids=lambda decks: f"{decks.repository}:{decks.folder}")
def test_notes_of_public_decks_are_read_or_named(decks: PublicDecks) -> None:
    files, cards, problems = read(decks)

    assert (len(files), len(cards), sum(problem.lost for problem in problems)) == (
        decks.files,
        decks.cards,
        decks.lost,
    )
    assert [str(problem) for problem in problems if problem.severity is Severity.ERROR and not problem.lost] == []
    places = {(card.path, card.line) for card in cards} | {(one.path, one.line) for one in problems if one.lost}

    for file in files:
        lines = Path(file.path).read_text(encoding="utf-8-sig").splitlines()
        note_lines = {lines[line - 1] for path, line in places if path == file.path}
        unseen = [line for line in marked(file) if (file.path, line) not in places]
        assert [line for line in unseen if lines[line - 1] not in note_lines] == []  # the others are written twice
        assert len(unseen) <= 1


@pytest.mark.parametrize("decks", DECKS, ids=lambda decks: f"{decks.repository}:{decks.folder}")
def test_each_card_of_them_can_be_shown(decks: PublicDecks) -> None:
    _, cards, _ = read(decks)
    markdown = Markdown(Tex({"\\euler": "e"}), None)

    for card in cards:
        for text in (card.prompt, shown(card), card.full):
            assert render(text, 60, Notation()) is not None
            wrong = refusal(markdown, text)
            assert not wrong or "image" in wrong or "audio" in wrong, f"{card.path}:{card.line}: {wrong}"


@pytest.mark.parametrize("decks", DECKS, ids=lambda decks: f"{decks.repository}:{decks.folder}")
def test_mending_them_changes_no_card(decks: PublicDecks) -> None:
    files, _, _ = read(decks)

    for file in files:
        before, _ = read_file(file)
        done = mended(Path(file.path).read_bytes().decode(), file.path, ())
        after, _ = parse_deck(done.text, file.path)
        assert {card.content_hash for card in before.cards} <= {card.content_hash for card in after.cards}
        assert mended(done.text, file.path, ()).repairs == ()
