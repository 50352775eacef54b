"""Parse deck text to a deck, whose cards have ids that survive edits."""

import re
from collections.abc import Iterator
from functools import lru_cache
from hashlib import blake2b
from itertools import count

from studykit.cards.attributes import pairs
from studykit.cards.card import OBJECTIVES, Card, CardId, Deck, DeckId, Kind, NoteId, Task
from studykit.cards.choice import OptionList
from studykit.cards.cloze import gap_text, gaps, hidden
from studykit.cards.front_matter import FrontMatter, Macros, merged, read_front_matter
from studykit.cards.lines import LineKind, LineReader
from studykit.cards.notes import Note, read_notes
from studykit.cards.problem import Problem

MAX_PART_CHARACTERS = 20_000  # no card is that long, and parsing a text stays fast
MAX_GAPS = 50  # in one note, for the same reason
CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")
_SLUG = re.compile(r"[^\w]+")
_REVERSED, _TYPED = TAGS = ("reversed", "typed")
"""Tags that change a card. All others are objectives or an author's own."""


def parse_deck(text: str, path: str, macros: Macros = ()) -> tuple[Deck, list[Problem]]:
    """Return the deck of a text's readable notes, and all problems. `macros` are those of the deck's folder."""
    lines, problems = _clean_lines(text, path)
    front = read_front_matter(lines, path)
    reader = LineReader(first=front.lines + 1)
    notes, wrong = read_notes(reader.read(lines[front.lines :]), path)
    problems += [*front.problems, *wrong]
    if (unclosed := reader.unclosed()) is not None:
        problems.append(Problem(path, *unclosed))
    deck = _without_cards(front, path, text, macros)
    cards = _distinct(_all_cards(notes, deck, problems), problems)
    return deck._replace(cards=cards), sorted(problems, key=lambda problem: problem.line)


def slug(name: str) -> str:
    """Turn a name into an id: lower case, words joined by hyphens."""
    return _SLUG.sub("-", name.lower()).strip("-_") or "deck"


def numbered(name: str, ending: str = "") -> Iterator[str]:
    """Yield `name`, `name-2`, `name-3` and so on, each with the ending. A caller takes the first unused one."""
    yield f"{name}{ending}"
    yield from (f"{name}-{number}{ending}" for number in count(2))


def fingerprint(*parts: str) -> str:
    """Hash the words that a learner sees, ignoring white space."""
    words = " ".join(" \0 ".join(parts).split())
    return blake2b(words.encode("utf-8", "replace"), digest_size=16).hexdigest()


def with_plain_ends(text: str) -> str:
    r"""Return the text without a byte order mark, with `\n` line ends."""
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def _clean_lines(text: str, path: str) -> tuple[list[str], list[Problem]]:
    text = with_plain_ends(text)
    control = CONTROL.search(text)
    if control is None:
        return text.split("\n"), []
    line = text.count("\n", 0, control.start()) + 1
    wrong = Problem(path, line, f"control character U+{ord(control.group()):04X}. Delete it.")
    return CONTROL.sub("", text).split("\n"), [wrong]


def _without_cards(front: FrontMatter, path: str, text: str, macros: Macros) -> Deck:
    id_, name = id_and_name(front, path)
    return Deck(
        id=id_,
        name=name,
        path=path,
        cards=(),
        description=front.description,
        objectives=front.objectives,
        license=front.license or None,
        url=front.url or None,
        lang=front.lang,
        course=front.course,
        macros=merged((macros, front.macros)),
        source=text,
    )


def id_and_name(front: FrontMatter, path: str) -> tuple[DeckId, str]:
    """Return a deck's id and name: from its front matter, else from its file name."""
    file = path.replace("\\", "/").rpartition("/")[2]
    name = front.name or file.rpartition(".")[0] or file or "deck"
    return DeckId(front.id or slug(name)), name


def _all_cards(notes: list[Note], deck: Deck, problems: list[Problem]) -> Iterator[Card]:
    position = count()
    for note in notes:
        if max(len(note.front), len(note.back)) > MAX_PART_CHARACTERS:
            wrong = f"a note of more than {MAX_PART_CHARACTERS:,} characters. Split it into several."
            problems.append(Problem(deck.path, note.line, wrong, lost=True))
            continue
        match note.kind:
            case LineKind.CLOZE:
                yield from _clozes(note, deck, position, problems)
            case LineKind.EXERCISE:
                yield from _exercise(note, deck, position, problems)
            case _:
                yield from _questions(note, deck, position)


def _distinct(cards: Iterator[Card], problems: list[Problem]) -> tuple[Card, ...]:
    """Return each card once. The same words twice are one card, but the same id twice is a mistake."""
    cards_by_id: dict[CardId, Card] = {}
    for card in cards:
        other = cards_by_id.get(card.id)
        if other is None:
            cards_by_id[card.id] = card
        elif card.named:
            wrong = f"#{card.id} is already the id of the note on line {other.line}. Choose another."
            problems.append(Problem(card.path, card.line, wrong, lost=True))
    return tuple(cards_by_id.values())


def _questions(note: Note, deck: Deck, position: Iterator[int]) -> Iterator[Card]:
    if note.options:
        answer = OptionList(note.options, note.back).markdown()
        yield _Siblings(note, deck, position, note.front, answer).card(Kind.CHOICE, note.front, answer)
        return
    siblings = _Siblings(note, deck, position, note.front, note.back)
    yield siblings.card(Kind.BASIC, note.front, note.back)
    if _REVERSED in note.attributes.tags and note.back:
        yield siblings.card(Kind.REVERSED, note.back, note.front, suffix=".reversed")


def _clozes(note: Note, deck: Deck, position: Iterator[int], problems: list[Problem]) -> Iterator[Card]:
    text = note.front
    hiding, unclosed = gaps(text)
    if unclosed is not None:
        line = note.line + text.count("\n", 0, unclosed)
        wrong = r"a [ that is never closed. Close it, or write \[ for a bracket."
        problems.append(Problem(deck.path, line, wrong, lost=not hiding))
    elif not hiding:
        wrong = "cloze without a gap. Put the words to recall in [brackets], within a formula or outside."
        problems.append(Problem(deck.path, note.line, wrong, lost=True))
    if len(hiding) > MAX_GAPS:
        wrong = f"{len(hiding):,} gaps in one note; the limit is {MAX_GAPS}. Split it."
        problems.append(Problem(deck.path, note.line, wrong, lost=True))
        return
    full = gap_text(text, hiding, None)
    siblings = _Siblings(note, deck, position, full)
    for number, gap in enumerate(hiding, 1):
        if not text[gap.start + 1 : gap.end - 1].strip():
            at = note.line + text.count("\n", 0, gap.start)
            problems.append(Problem(deck.path, at, r"an empty gap. Write the hidden words, or \[\] for brackets."))
        suffix = f".{number}" if len(hiding) > 1 else ""
        yield siblings.card(Kind.CLOZE, gap_text(text, hiding, gap), hidden(text, gap), suffix=suffix, full=full)


def _exercise(note: Note, deck: Deck, position: Iterator[int], problems: list[Problem]) -> Iterator[Card]:
    name, _, rest = note.front.partition(" ")
    pinned = pairs(rest)
    if pinned is None:
        wrong = f'{rest.strip()!r} is not a parameter. Write {name} key=value key="two words".'
        problems.append(Problem(deck.path, note.line, wrong, lost=True))
        return
    if twice := next((key for key, _ in pinned if [other for other, _ in pinned].count(key) > 1), ""):
        problems.append(Problem(deck.path, note.line, f"{twice} is pinned twice. Keep one."))
    pins = [f"{key}={value}" for key, value in sorted(pinned)]
    siblings = _Siblings(note, deck, position, name, *pins)
    yield siblings.card(Kind.EXERCISE, "", "", task=Task(name, pinned))


@lru_cache(maxsize=1024)
def _sorted_tags(all_tags: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the tags without `TAGS`, and the objectives that begin them, such as flops in `.flops.matmul`."""
    tags = tuple(tag for tag in all_tags if tag not in TAGS)
    highest = dict.fromkeys(tag.partition(".")[0] for tag in tags)
    return tags, tuple(tag for tag in highest if tag in OBJECTIVES)


class _Siblings:
    """Make the cards of one note, computing what they share only once."""

    def __init__(self, note: Note, deck: Deck, position: Iterator[int], *content: str) -> None:
        self.note, self.deck, self.position, self.content = note, deck, position, content
        self.tags, self.objectives = _sorted_tags(note.attributes.tags)
        self.id = note.attributes.id or ""
        self.id_of_note = NoteId(self.id or fingerprint(note.kind.name, *content))
        self.url: str | None = deck.url
        self.source = ""
        if values := note.attributes.values:
            self.url = next((value for key, value in values if key == "url"), deck.url)
            self.source = "; ".join(value for key, value in values if key == "source")

    def card(
        self, kind: Kind, prompt: str, answer: str, *, suffix: str = "", full: str = "", task: Task | None = None
    ) -> Card:
        note, has_id = self.note, bool(self.id)
        content = fingerprint(kind, *self.content) if task else fingerprint(kind, prompt, answer)
        return Card(
            id=CardId(self.id + suffix if has_id else content),
            note=self.id_of_note,
            deck=self.deck.id,
            kind=kind,
            prompt=prompt,
            answer=answer,
            path=self.deck.path,
            line=note.line,
            position=next(self.position),
            content_hash=content,
            named=has_id,
            full=full,
            tags=self.tags,
            objectives=self.objectives,
            typed=_TYPED in note.attributes.tags and kind is not Kind.CHOICE,
            task=task,
            url=self.url,
            source=self.source,
            checks=note.checks,
        )
