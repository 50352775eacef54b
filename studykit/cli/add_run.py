"""What `study add` does: which deck it writes to, where the text is from, and which cards ask the same already."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from studykit.cards.attributes import split, tag_path
from studykit.cards.near_cards import near_cards, query_of
from studykit.cards.note_lines import NewNote, fresh_id
from studykit.cards.parser import parse_deck
from studykit.cards.wording import excerpt, plain, question
from studykit.cli.context import Context
from studykit.collection.deck_writer import OpenedDeck, add_note, add_notes, new_deck
from studykit.collection.lookup import listed_deck
from studykit.errors import BadDataError, NotFoundError, StudyError, UsageError

if TYPE_CHECKING:
    from studykit.cards.card import Card
    from studykit.collection.collection import DeckSummary
    from studykit.store.store import Store

FIRST_DECK = "My cards"
_DRAFT = """Q:
A:

<!-- Q: a question, A: its answer; or C: a text with [gaps]. Several notes may follow each other.
     This comment goes away. Leave the draft as it is to add nothing. -->
"""
_MOST_INPUT = 1_000_000  # characters
_LOOKED_AT = 300  # cards that may be near a new one
_NAMED = 3


@dataclass(frozen=True, slots=True)
class AddRequest:
    """What a learner wants to add."""

    front: str | None
    back: str | None
    deck: str | None
    tags: tuple[str, ...]
    id: str | None
    again: bool = False
    json: bool = False


def run_add(context: Context, request: AddRequest) -> int:
    """The exit code, after the card is in its file."""
    if request.front is None and (request.tags or request.id):
        raise UsageError('--tag and --id are for a card of words: study add "QUESTION" "ANSWER" --tag verb')
    store = context.refreshed_store()
    note = _note(request) if request.front is not None else None
    notes = "" if note else _text(context)
    if note is None and not notes.strip():
        context.tell("nothing was added")
        return 0
    drafted = _parsed(note, notes)
    near = _near(context, store, drafted)
    if not request.again:
        _refuse_the_same(drafted, near)
    try:
        path = _file(context, request)
        opened = OpenedDeck.read(path)
        cards = _written(store, opened, note, notes)
    except StudyError as error:
        raise _kept(context, notes, error) if notes and context.interactive else error from None
    context.refreshed_store(quiet=True)
    _tell(context, request, path, cards, near)
    return 0


def _note(request: AddRequest) -> NewNote:
    front, block = split((request.front or "").strip())
    back = (request.back or "").strip()
    if not front or (request.back is not None and not back):
        raise UsageError('a card needs words: study add "QUESTION" "ANSWER"')
    if "\n" in front:
        front, block = (request.front or "").strip(), split("")[1]
    if block.wrong:
        raise UsageError(block.wrong[0])
    tags = dict.fromkeys([*block.tags, *(tag_path(tag) for tag in request.tags)])
    return NewNote(front, back, request.id or block.id or "", tuple(tags))


def _parsed(note: NewNote | None, notes: str) -> "tuple[Card, ...]":
    """The cards of what is to be added, as if they stood alone; what is wrong with them is told."""
    text = notes if note is None else "\n".join(note.lines())
    deck, problems = parse_deck(text, "-")
    if problems:
        if note is not None and not note.back:
            raise UsageError("give an answer too, or put what is to be recalled in [brackets].")
        raise BadDataError(f"{problems[0].message} Nothing was added.")
    return deck.cards


def _text(context: Context) -> str:
    """Notes from standard input; on a terminal from the learner's editor."""
    if not context.typed_in:
        text = context.stdin.read(_MOST_INPUT + 1)
        if len(text) > _MOST_INPUT:
            raise UsageError("this is too much for one deck at once; make a file of it: study deck add FILE")
        return text
    from studykit.cli import editor

    text = editor.edit_text(editor.chosen(context), _DRAFT, ".md") or ""
    return text.replace(_DRAFT[_DRAFT.index("<!--") :].strip(), "").strip()


def _written(store: "Store", opened: OpenedDeck, note: NewNote | None, notes: str) -> "tuple[Card, ...]":
    known = {card.id for card in opened.deck.cards}

    def is_taken(id_: str) -> bool:
        there = [*store.cards.ids_starting(id_), *known]
        return any(each == id_ or each.startswith(f"{id_}.") for each in there)

    if note is None:
        return add_notes(opened, notes, is_taken)
    if note.id and is_taken(note.id):
        raise UsageError(f"#{note.id} is the id of another card; choose another.")
    return add_note(opened, NewNote(note.front, note.back, note.id or fresh_id(note.front, is_taken), note.tags))


def _file(context: Context, request: AddRequest) -> Path:
    """The file of the deck that is meant; the first deck is made."""
    own = context.collection.own()
    if named := request.deck or str(context.config["add_deck"]):
        try:
            deck = listed_deck(context.collection, named)
        except NotFoundError as error:
            raise NotFoundError(f"{error}, or make it: study deck new {named!r}") from None
        if deck.id not in {each.id for each in own}:
            raise UsageError(
                f"{deck.name} is a deck of the course; name one of yours: study deck new NAME makes one."
            )
        return Path(deck.paths[-1])
    if len(own) == 1:
        return Path(own[0].paths[-1])
    if own:
        return _asked(context, own, ask=not request.json)
    from studykit import paths

    path = new_deck(paths.copies(), FIRST_DECK, context.collection.course_files())
    context.tell(f"Made your first deck, {FIRST_DECK}: {path}")
    context.refreshed_store(quiet=True)
    return path


def _asked(context: Context, own: "tuple[DeckSummary, ...]", *, ask: bool) -> Path:
    if not ask or not context.interactive:
        names = ", ".join(deck.id for deck in own)
        raise UsageError(f"name a deck with --deck, or with study config set add_deck NAME; yours are {names}.")
    from studykit.cli.card_choice import chosen_number

    return Path(own[chosen_number(context, [deck.name for deck in own])].paths[-1])


def _near(context: Context, store: "Store", drafted: "tuple[Card, ...]") -> "list[Card]":
    """Cards of the collection that ask nearly what the first new note asks."""
    queries = (query_of(question(drafted[0])), query_of(drafted[0].answer))
    found = {
        each.card.id: each.card
        for query in queries
        if query.alternatives
        for each in store.search.find(query, context.today(), leech=1, limit=_LOOKED_AT).cards
    }
    return near_cards(drafted[0], found.values())


def _refuse_the_same(drafted: "tuple[Card, ...]", near: "list[Card]") -> None:
    asked = plain(drafted[0].full or drafted[0].prompt)
    same = next((card for card in near if plain(card.full or card.prompt) == asked), None)
    if same is not None:
        where = f"{same.path}:{same.line}"
        raise StudyError(f"{same.id} asks the same ({where}). Edit that one, or add this one too with --again.")


def _kept(context: Context, notes: str, error: StudyError) -> StudyError:
    """The error, and where the text is kept that somebody wrote in an editor."""
    import tempfile

    with tempfile.NamedTemporaryFile("w", suffix=".md", prefix="study-", delete=False, encoding="utf-8") as file:
        file.write(notes)
    context.tell(f"What you wrote is kept in {file.name}; mend it, then: study add < {file.name}")
    return error


def _tell(
    context: Context, request: AddRequest, path: Path, cards: "tuple[Card, ...]", near: "list[Card]"
) -> None:
    if request.json:
        near_ids = [card.id for card in near]
        context.write_json({"cards": [card.id for card in cards], "path": str(path), "near": near_ids})
        return
    for card in near[:_NAMED]:
        context.tell(f"{card.id} asks nearly the same: {excerpt(question(card), 60)} ({card.path}:{card.line})")
    for card in cards:
        context.write(f"{card.id}  ({card.path}:{card.line})")
