"""Write notes as text of a deck that is parsed to the same notes."""

import json
import re
from collections.abc import Callable, Iterable
from dataclasses import replace

from studykit.cards.attributes import split
from studykit.cards.card import Card
from studykit.cards.markdown import plain_text
from studykit.cards.parser import parse_deck
from studykit.formats.foreign_notes import MEDIA, ImportedNote, LossList, NoteForm
from studykit.formats.markdown_escapes import escaped_text
from studykit.review.typed_answer import compare, with_alternatives

Place = Callable[[str], str]
"""Returns the link to a media file from a deck."""

EMPTY = "…"
_OWN_LINE = re.compile(r"\s*(?:[-+*>|]|\d+[.)]\s|```|~~~|\$\$|\* \* \*)")
_NO_WORD = re.compile(r"[^\w-]+")
_MEANING = {"reversed": "is-reversed", "typed": "is-typed"}
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ue000-\uf8ff]")


def front_matter(name: str, id_: str) -> str:
    """Return the front matter of a new deck's file."""
    return f"---\nname = {json.dumps(name, ensure_ascii=False)}\nid = {json.dumps(id_, ensure_ascii=False)}\n---\n"


def note_text(note: ImportedNote, place: Place, losses: LossList) -> tuple[str, tuple[Card, ...]] | None:
    """Return a note's text and its cards, or None if no spelling would be parsed to this note."""
    tags = tuple(tag_word(tag, losses) for tag in note.tags)
    complete_note = replace(note, back=note.back or EMPTY, tags=tuple(dict.fromkeys(tags)))
    if note.form is not NoteForm.CLOZE and not note.back:
        losses.add(f"empty answers, now {EMPTY}", note.id)
    source = _source(complete_note, place)
    cards = _cards_of(source, complete_note)
    if cards:
        return source, cards
    plain = replace(complete_note, form=NoteForm.BASIC, front=_plain(note.front), back=_plain(note.back) or EMPTY)
    source = _source(plain, place)
    cards = _cards_of(source, plain)
    if not cards or note.form is NoteForm.CLOZE:
        return None
    losses.add("notes whose marks were escaped, to be read at all", note.id)
    return source, cards


def accepting(note: ImportedNote, words: Iterable[str], losses: LossList) -> ImportedNote:
    """Return a typed note that accepts each of these words, even if its answer says more than what is typed."""
    all_words = tuple(filter(None, words))
    back = with_alternatives(all_words, note.back)
    is_typed = bool(all_words) and all(compare(plain_text(each) or each, back).same for each in all_words)
    if all_words and not is_typed:
        losses.add("answers to type that stand above a table, now not typed", note.id)
    return replace(note, back=back if is_typed else note.back, typed=is_typed)


def tag_word(tag: str, losses: LossList) -> str:
    """Return a tag in a spelling that decks allow."""
    plain = _hierarchy(tag)
    word = _MEANING.get(plain, plain)
    if word != plain or anki_tag(word) != tag:
        losses.add("tags spelled differently", f"{tag} as {word}")
    return word


def anki_tag(word: str) -> str:
    """Return our tag with its levels joined by `::`, as in Anki."""
    return word.replace(".", "::")


def _hierarchy(tag: str) -> str:
    levels = [_NO_WORD.sub("-", level).strip("-") or "x" for level in tag.split("::")]
    dotted = ".".join(levels)
    return dotted if split(f"x {{.{dotted}}}")[1].tags == (dotted,) else "-".join(levels)


def _source(note: ImportedNote, place: Place) -> str:
    words = [f"#{note.id}", *(f".{tag}" for tag in note.tags)]
    words += [".reversed"] * (note.form is NoteForm.REVERSED) + [".typed"] * note.typed
    block = f"{{{' '.join(words)}}}"
    mark = "C" if note.form is NoteForm.CLOZE else "Q"
    sides = (MEDIA.sub(lambda match: place(match[1]), part) for part in (note.front, note.back))
    front, back = (_CONTROL.sub("", part) for part in sides)
    is_block = "\n" in front or _OWN_LINE.match(front) is not None
    lines = [_part(mark, front if is_block else f"{front} {block}")]
    if mark == "Q":
        lines.append(_part("A", back))
    if is_block:
        lines.append(f"\n{block}" if "\n" in (back if mark == "Q" else front) else block)
    return "\n".join(lines) + "\n"


def _part(mark: str, text: str) -> str:
    return f"{mark}:\n{text}" if _OWN_LINE.match(text) else f"{mark}: {text}"


def _plain(text: str) -> str:
    return escaped_text(MEDIA.sub(lambda match: match[1], re.sub(r"\\(?=\W)", "", text)))


def _cards_of(source: str, note: ImportedNote) -> tuple[Card, ...]:
    """Return the cards of a note's text, or none if it is not parsed to this note."""
    # The second note shows whether the first one ends, for example closes its code.
    cards = parse_deck(f"{source}\nQ: end {{#end-of-note}}\nA: end\n", "")[0].cards
    if not cards or cards[-1].id != "end-of-note" or len({card.note for card in cards}) != 2:  # noqa: PLR2004
        return ()
    own = cards[:-1]
    is_right = all(card.note == note.id and card.tags == note.tags for card in own)
    if note.form is NoteForm.REVERSED:
        is_right = is_right and len(own) == 2  # noqa: PLR2004
    elif note.form is NoteForm.BASIC:
        is_right = is_right and len(own) == 1
    return own if is_right else ()
