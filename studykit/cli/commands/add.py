"""Add a card from words, standard input or the editor to a deck of yours: `study add`."""

import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from studykit import paths
from studykit.cards.attributes import split, tag_path
from studykit.cards.card import Card
from studykit.cards.near_cards import near_cards
from studykit.cards.note_lines import NewNote, fresh_id
from studykit.cards.parser import parse_deck
from studykit.cards.wording import excerpt, plain
from studykit.cards.wording import question as prompt
from studykit.cli import editor, suggest
from studykit.cli.card_choice import cards_sharing_words, chosen_number, own_deck
from studykit.cli.context import Context, context_of
from studykit.cli.options import Json, write_result
from studykit.collection.deck_writer import OpenedDeck, add_notes, new_deck, refuse_misread
from studykit.errors import BadDataError, StudyError, UsageError

if TYPE_CHECKING:
    from studykit.store.store import Store

FIRST_DECK = "My cards"
_DRAFT = """Q:
A:

<!-- Q: a question, A: its answer; or C: a text with [gaps]. Several notes may follow each other.
     This comment goes away. Leave the draft as it is to add nothing. -->
"""
_MAX_INPUT = 1_000_000  # characters
_MAX_NEAR_CARDS = 3

Front = Annotated[
    str | None, typer.Argument(metavar="[QUESTION]", help="The question, or a text with its gaps in [brackets].")
]
Back = Annotated[str | None, typer.Argument(metavar="[ANSWER]", help="The answer; a text with gaps has none.")]
DeckName = Annotated[
    str | None,
    typer.Option("-d", "--deck", metavar="NAME", help="Deck of yours to write to.", autocompletion=suggest.decks),
]
Tags = Annotated[
    list[str] | None, typer.Option("-t", "--tag", metavar="TAG", help="A tag, also typed or reversed; repeatable.")
]
Again = Annotated[bool, typer.Option("--again", help="Add it although a card asks the same.")]


def add(
    ctx: typer.Context,
    question: Front = None,
    answer: Back = None,
    deck: DeckName = None,
    tag: Tags = None,
    again: Again = False,
    json: Json = False,
) -> None:
    """Add a card to a deck of yours: from words, from standard input, else in your editor."""
    if question is None and tag:
        raise UsageError("--tag needs a question and an answer", 'study add "QUESTION" "ANSWER" --tag verb')
    context = context_of(ctx)
    store = context.refreshed_store()
    note = None if question is None else _note(question.strip(), answer, tag or ())
    notes = "" if note else _text(context)
    if note is None and not notes.strip():
        context.tell("nothing was added")
        return
    draft = _parse_notes(note, notes)
    near_ones = near_cards(draft[0], cards_sharing_words(context, store, prompt(draft[0]), draft[0].answer))
    if not again:
        _refuse_the_same(draft, near_ones)
    try:
        path = _deck_file(context, deck, ask=not json)
        cards = _write_cards(store, OpenedDeck.read(path), note, notes)
    except StudyError as error:
        if notes and context.interactive:
            _save_text(context, notes)
        raise error from None
    context.refreshed_store(quiet=True)
    for card in () if json else near_ones[:_MAX_NEAR_CARDS]:
        context.tell(f"{card.id} asks nearly the same: {excerpt(prompt(card), 60)} ({card.path}:{card.line})")
    document = {"cards": [card.id for card in cards], "path": str(path), "near": [card.id for card in near_ones]}
    write_result(context, document, [f"{card.id}  ({card.path}:{card.line})" for card in cards], json=json)


def _note(question: str, answer: str | None, tags: Sequence[str]) -> NewNote:
    front, block = split(question)
    back = (answer or "").strip()
    if not front or (answer is not None and not back):
        raise UsageError("A card needs a question and an answer", 'study add "QUESTION" "ANSWER"')
    if "\n" in front:
        front, block = question, split("")[1]
    if block.wrong:
        raise UsageError(block.wrong[0])
    for tag in tags:
        if split(f"x {{.{tag_path(tag)}}}")[1].tags != (tag_path(tag),):
            raise UsageError(f"{tag!r} is not a tag. Use letters, digits, - and _, such as two-words.")
    all_tags = dict.fromkeys([*block.tags, *(tag_path(tag) for tag in tags)])
    return NewNote(front, back, block.id or "", tuple(all_tags))


def _parse_notes(note: NewNote | None, notes: str) -> tuple[Card, ...]:
    """Parse the new notes as a deck of their own, or raise UsageError or BadDataError."""
    text = notes if note is None else "\n".join(note.lines())
    deck, problems = parse_deck(text, "-")
    if problems:
        if note is not None and not note.back:
            raise UsageError("Give an answer too, or put what is to be recalled in [brackets].")
        raise BadDataError(f"{problems[0].message} Nothing was added.")
    if note is not None:
        refuse_misread(note, deck.cards)
    return deck.cards


def _text(context: Context) -> str:
    """Return notes from standard input, or on a terminal from the learner's editor."""
    if not context.typed_in:
        text = context.stdin.read(_MAX_INPUT + 1)
        if len(text) > _MAX_INPUT:
            raise UsageError(
                "This text is too long to add at once. Save it as a file, then run", "study deck add FILE"
            )
        return text
    text = editor.edit_text(editor.chosen(context), _DRAFT, ".md") or ""
    return text.replace(_DRAFT[_DRAFT.index("<!--") :].strip(), "").strip()


def _write_cards(store: "Store", deck: OpenedDeck, note: NewNote | None, notes: str) -> tuple[Card, ...]:
    ids = {card.id for card in deck.deck.cards}

    def is_taken(id_: str) -> bool:
        other_ids = [*store.cards.ids_starting(id_), *ids]
        return any(each == id_ or each.startswith(f"{id_}.") for each in other_ids)

    if note is not None:
        if note.id and is_taken(note.id):
            raise UsageError(f"#{note.id} is the id of another card. Choose another id.")
        notes = "\n".join(replace(note, id=note.id or fresh_id(note.front, is_taken)).lines())
    return add_notes(deck, notes, is_taken)


def _deck_file(context: Context, name: str | None, *, ask: bool) -> Path:
    """Return the file of the deck to write to, and make the learner's first deck if there is none."""
    if deck_name := name or str(context.config["add_deck"]):
        return Path(own_deck(context, deck_name).paths[-1])
    own = context.collection.own()
    if len(own) == 1:
        return Path(own[0].paths[-1])
    if own:
        if not ask or not context.interactive:
            names = ", ".join(deck.id for deck in own)
            raise UsageError(
                f"Name a deck with --deck. Yours are {names}. To always use one", "study config set add_deck NAME"
            )
        return Path(own[chosen_number(context, [deck.name for deck in own])].paths[-1])
    path = new_deck(paths.copies(), FIRST_DECK, context.collection.course_files())
    context.tell(f"Made your first deck, {FIRST_DECK}: {path}")
    context.refreshed_store(quiet=True)
    return path


def _refuse_the_same(draft: tuple[Card, ...], near: list[Card]) -> None:
    text = plain(draft[0].full or draft[0].prompt)
    duplicate = next((card for card in near if plain(card.full or card.prompt) == text), None)
    if duplicate is not None:
        where = f"{duplicate.path}:{duplicate.line}"
        raise StudyError(f"Duplicate of {duplicate.id} ({where}). Edit that one, or add --again to keep both.")


def _save_text(context: Context, notes: str) -> None:
    """Save what the learner wrote in an editor, and report where."""
    with tempfile.NamedTemporaryFile("w", suffix=".md", prefix="study-", delete=False, encoding="utf-8") as file:
        file.write(notes)
    context.tell(f"What you wrote is saved in {file.name}; correct it, then: study add < {file.name}")
