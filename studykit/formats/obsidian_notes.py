"""Obsidian's spaced-repetition notes come in: `::`, `:::`, `?`, `??` and `==gaps==`, with where each card stands.

The plugin keeps a card's due day, interval and ease in a comment behind it, `<!--SR:!2026-11-20,12,250-->`, one
part for each card of the note, and no history.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta
from hashlib import sha256
from itertools import islice
from os import DirEntry
from pathlib import Path
from urllib.parse import unquote

from studykit.formats.anki_package import is_known_media, is_plain_name
from studykit.formats.card_ids import note_id
from studykit.formats.field_markdown import GAP_CLOSE, MOST_GAP_NUMBER, gap_sign, media_link
from studykit.formats.foreign_notes import (
    MOST_NOTES,
    CardPast,
    FormatError,
    ImportedDecks,
    ImportedNote,
    LossList,
    NoteForm,
    ReadOptions,
)
from studykit.formats.gap_notes import gap_notes
from studykit.formats.markdown_escapes import PRIVATE
from studykit.ordinary_file import NotOrdinaryError, entries_below, read_named, read_ordinary
from studykit.scheduling.memory import Memory
from studykit.scheduling.review_rule import LARGEST_COUNT
from studykit.scheduling.sm2 import LONGEST_INTERVAL, MINIMUM_EASE, SECOND_INTERVAL
from studykit.scheduling.study_day import EARLIEST

NAME = "Obsidian"
ORIGIN = "obsidian"

_LARGEST_NOTE, _LARGEST_FILE = 20_000_000, 200_000_000  # bytes
_MAX_FILES = 200_000
_SNIFFED = 300  # notes of a folder that are looked at to tell what it is
_TAG = re.compile(r"(?:^|\s)#flashcards((?:/[\w-]+)*)(?=\s|$)")
_FRONT_TAG = re.compile(r"^[ \t]*(?:-[ \t]*[\"'#]*|tags:.*?)flashcards((?:/[\w-]+)*)", re.MULTILINE)
# Between two marks stands none that opens: else each of many that never close would be read to the end.
_SCHEDULE = re.compile(r"<!--SR:((?:(?!<!--).)*?)-->")
_STATE = re.compile(r"!(\d{4}-\d\d-\d\d),(\d+(?:\.\d+)?),(\d+(?:\.\d+)?)(?=!|$)")
_COMMENT = re.compile(r"<!--(?!SR:)(?:(?!<!--).)*?-->|%%[^\n%]*%%|^%%\n.*?\n%%$", re.DOTALL | re.MULTILINE)
_FENCE = re.compile(r"\s*(`{3,}|~{3,})")
_CODE = re.compile(r"(?<!`)(`+)[^`].*?\1|\$[^$]+\$")
_GAP = re.compile(r"==(?=\S)((?:(?!==).)+)(?<=\S)==", re.DOTALL)
_EMBED = re.compile(r"!\[\[([^\[\]|#]+)[^\[\]]*\]\]|!\[((?:(?!!\[)[^\]])*)\]\(<?((?:(?!\]\()[^)<>])+?)>?\)")
_NOTE_LINK = re.compile(r"(?<!!)\[([^\[\]]+)\]\(<?(?![a-z]+:)(?=[^()<>]*>?\))[^()<>]*\.md(?:#[^()<>]*)?>?\)")
_NOTE_TAGS = re.compile(r"^tags:[ \t]*(?:\[(.*?)\]|(\S.*)|((?:\n[ \t]*-[^\n]*)+))", re.MULTILINE)
_LINK = re.compile(r"\[\[([^\[\]|]+)(?:\|([^\[\]]+))?\]\]")
_BLOCK_ID = re.compile(r"\s\^[\w-]+$", re.MULTILINE)
_MARKER = re.compile(r"^([QACE]|check)(?=:)", re.MULTILINE)
_UNSEEN_DUE_DAY = date(2000, 1, 1)  # what the plugin writes for an unseen sibling


def sniff(path: Path, head: bytes) -> bool:
    """Whether a note, or one of a folder's first notes, is for the plugin."""
    if path.is_dir():
        notes = (file for file in _files(path) if file.suffix.lower() == ".md")
        return any(_is_for_it(_text(file)) for file in islice(notes, _SNIFFED))
    return path.suffix.lower() == ".md" and _is_for_it(_text(path) if head else "")


def read(path: Path, options: ReadOptions) -> ImportedDecks:
    """The cards of a note or of a folder of them; FormatError where there are none."""
    root = path if path.is_dir() else path.parent
    files = _files(root)
    notes = [file for file in files if file.suffix.lower() == ".md"] if path.is_dir() else [path]
    vault = _Vault(root, {file.name: file for file in reversed(files)})
    for number, file in enumerate(notes):
        options.reach(number, len(notes))
        text = _text(file)
        if _is_for_it(text):
            vault.read(file, text)
        if len(vault.notes) > MOST_NOTES:
            raise FormatError(f"{path} has more than {MOST_NOTES:,} cards; name a part of it.")
    if not vault.notes:
        raise FormatError(f"{path} has the plugin's tag but no card of it. Write one as question::answer.")
    used = vault.media
    return ImportedDecks(
        origin=ORIGIN,
        name=path.stem if path.is_file() else path.absolute().name,
        notes=tuple(vault.notes.values()),
        pasts=vault.pasts,
        media=tuple(used),
        copy_media=lambda folder, names: _copy(used, folder, names),
        losses=vault.losses,
    )


@dataclass(slots=True)
class _VaultCard:
    """A card's text as it stands in a note: its two sides, or one text with gaps."""

    front: str
    back: str = ""
    form: NoteForm = NoteForm.BASIC
    schedule: str = ""


@dataclass(slots=True)
class _Vault:
    """A folder of notes on its way."""

    root: Path
    files: Mapping[str, Path]  # by name
    losses: LossList = field(default_factory=LossList)
    notes: dict[str, ImportedNote] = field(default_factory=dict)
    pasts: dict[str, CardPast] = field(default_factory=dict)
    media: dict[str, Path] = field(default_factory=dict)
    tags: tuple[str, ...] = ()
    """Of the note that is read."""

    def read(self, file: Path, text: str) -> None:
        """Take the cards of one note."""
        matter = text.split("\n---", 1)[0] if text.startswith("---") else ""
        front = _FRONT_TAG.search(matter)
        place = file.relative_to(self.root).with_suffix("")
        deck = _deck(front[1]) if front and front[1] else "::".join(place.parts)
        self.tags = _tags(matter)
        for part, name in _by_tag(_COMMENT.sub("", _body(text)), deck):
            for block in _blocks(part.split("\n")):
                for card in _cards_of_block(block):
                    self._take(card, name, str(place))

    def _take(self, card: _VaultCard, deck: str, place: str) -> None:
        front, back = self._markdown(card.front), self._markdown(card.back)
        words = f"{card.form.name}\0{' '.join(card.front.split())}"
        id_ = note_id(ORIGIN, sha256(words.encode("utf-8", "replace")).hexdigest()[:16])
        if not front or id_ in self.notes or f"{id_}.1" in self.notes:
            self.losses.add("cards with the question of another", place)
            return
        states = _states(card.schedule, self.losses, place)
        if card.form is NoteForm.CLOZE:
            self._take_gaps(id_, deck, front, states)
            return
        self.notes[id_] = ImportedNote(id_, deck, card.form, front, back, self.tags)
        ids = (id_, f"{id_}.reversed") if card.form is NoteForm.REVERSED else (id_,)
        self._remember(ids, states)

    def _take_gaps(self, id_: str, deck: str, text: str, states: list[Memory | None]) -> None:
        gaps = iter(range(1, MOST_GAP_NUMBER + 1))

        def marked(match: re.Match[str]) -> str:
            number = next(gaps, None)
            return match[0] if number is None else f"{gap_sign(number)}{match[1]}{GAP_CLOSE}"

        front = _outside_code(text, lambda words: _GAP.sub(marked, words))
        whole = ImportedNote(id_, deck, NoteForm.CLOZE, front, tags=self.tags)
        for note, ids in gap_notes(whole, "", self.losses):
            self.notes[note.id] = note
            self._remember(ids.values(), [states[number - 1] for number in ids if number <= len(states)])

    def _remember(self, ids: Iterable[str], states: list[Memory | None]) -> None:
        for card, state in zip(ids, states, strict=False):
            if state is not None:
                self.pasts[card] = CardPast(state=state)

    def _markdown(self, text: str) -> str:
        """A side of a card without what only Obsidian understands."""
        text = _TAG.sub("", PRIVATE.sub("", text))
        text = _BLOCK_ID.sub("", _EMBED.sub(self._embedded, text))
        text = _outside_code(text, lambda words: _NOTE_LINK.sub(self._named, _LINK.sub(self._named, words)))
        text = re.sub(r"^---+\s*$", "* * *", text.strip(), flags=re.MULTILINE)
        return _MARKER.sub(r"\1\\", text)

    def _embedded(self, match: re.Match[str]) -> str:
        source = unquote((match[1] or match[3] or "").strip())
        if "://" in source:
            return match[0]
        name = source.replace("\\", "/").rpartition("/")[2]
        if name not in self.files or not is_known_media(name) or not is_plain_name(name):
            self.losses.add("embedded notes and files that are not media of the folder", name)
            return match[2] or name
        self.media[name] = self.files[name]
        return media_link(name)

    def _named(self, match: re.Match[str]) -> str:
        self.losses.add("links between notes, now their words")
        own = match[2] if match.re is _LINK else ""
        return own or match[1].rpartition("#")[2]


def _blocks(lines: list[str]) -> Iterator[list[str]]:
    """The lines between blank lines; a fence keeps its blank lines."""
    block, fence = list[str](), ""
    for line in lines:
        match = _FENCE.match(line)
        if fence:
            fence = "" if match and line.strip() == fence else fence
        elif match:
            fence = match[1]
        elif not line.strip():
            if block:
                yield block
            block = []
            continue
        block.append(line)
    if block:
        yield block


def _cards_of_block(block: list[str]) -> Iterator[_VaultCard]:
    bare = [_SCHEDULE.sub("", line).rstrip() for line in block]
    for mark, form in (("?", NoteForm.BASIC), ("??", NoteForm.REVERSED)):
        if mark in bare[1:-1] or (mark in bare[1:] and bare[-1] == "" and mark in bare):
            at = bare.index(mark)
            schedule = "".join(_SCHEDULE.findall("\n".join(block)))
            front, back = "\n".join(bare[:at]).strip(), "\n".join(bare[at + 1 :]).strip()
            if front and back:
                yield _VaultCard(front, back, form, schedule)
            return
    yield from _single_lines(block, bare)


def _single_lines(block: list[str], bare: list[str]) -> Iterator[_VaultCard]:
    """Cards of one line each; what is left of the block is one text that may have gaps."""
    rest, unused = list[str](), list[str]()
    fence = ""
    for number, line in enumerate(bare):
        match = _FENCE.match(line)
        fence = ("" if fence and line.strip() == fence else fence or match[1]) if match else fence
        split = None if fence or match else _sides(line)
        if split is None:
            rest.append(line)
            unused.append(block[number])
            continue
        following = block[number + 1] if number + 1 < len(block) else ""
        own = _SCHEDULE.findall(block[number]) or (
            _SCHEDULE.findall(following) if following.startswith("<!--") else []
        )
        yield _VaultCard(
            split[0], split[2], NoteForm.REVERSED if split[1] == ":::" else NoteForm.BASIC, "".join(own)
        )
    text = "\n".join(rest).strip()
    if _GAP.search(_CODE.sub("", text)):
        yield _VaultCard(text, form=NoteForm.CLOZE, schedule="".join(_SCHEDULE.findall("\n".join(unused))))


def _sides(line: str) -> tuple[str, str, str] | None:
    """Question, separator and answer of a line; None where code or a formula has the only separator."""
    hidden = _CODE.sub(lambda match: "\ue000" * len(match[0]), line)
    match = re.search(r"(?<!:)(:{2,3})(?!:)", hidden)
    if match is None:
        return None
    front, back = line[: match.start()].strip(), line[match.end() :].strip()
    front = re.sub(r"^(?:[-*+]|\d+\.|#{1,6})\s+", "", front)
    return (front, match[1], back) if front and back else None


def _states(schedule: str, losses: LossList, place: str) -> list[Memory | None]:
    parts = [part for part in schedule.split("!") if part]
    states: list[Memory | None] = []
    for part in parts:
        match = _STATE.fullmatch(f"!{part}")
        if match is None:
            losses.add("schedules of an algorithm that is not known here", place)
        states.append(None if match is None else _state(match))
    return states


def _state(match: re.Match[str]) -> Memory | None:
    try:
        due = date.fromisoformat(match[1])
        interval = min(round(float(match[2])), LONGEST_INTERVAL)
        if due == _UNSEEN_DUE_DAY:
            return None
        reviewed = max(due - timedelta(days=interval), EARLIEST)
    except (ValueError, OverflowError):
        return None
    ease = min(max(round(float(match[3])), MINIMUM_EASE), LARGEST_COUNT)
    return Memory(1 if interval < SECOND_INTERVAL else 2, max(0, (due - reviewed).days), ease, 0, reviewed)


def _tags(matter: str) -> tuple[str, ...]:
    """The tags that front matter gives a note, without the plugin's own, levels joined by `::`."""
    match = _NOTE_TAGS.search(matter)
    words = re.findall(r"[^\s,\[\]\"'#]+", next(filter(None, match.groups()), "")) if match else []
    plain = (word.strip("-") for word in words)
    words_kept = (word for word in plain if word and word.partition("/")[0] != "flashcards")
    return tuple(dict.fromkeys(word.strip("/").replace("/", "::") for word in words_kept))


def _by_tag(text: str, deck: str) -> Iterator[tuple[str, str]]:
    """Parts of a note with the deck that the last tag before them names."""
    at = 0
    for tag in _TAG.finditer(text):
        start = text.rfind("\n", 0, tag.end()) + 1
        yield text[at:start], deck
        at, deck = start, _deck(tag[1]) or deck
    yield text[at:], deck


def _deck(levels: str) -> str:
    return levels.strip("/").replace("/", "::")


def _body(text: str) -> str:
    """The text without its front matter."""
    if not text.startswith("---\n"):
        return text
    _, closed, rest = text[4:].partition("\n---")
    return rest.partition("\n")[2] if closed else text


def _outside_code(text: str, change: Callable[[str], str]) -> str:
    pieces, at = list[str](), 0
    for code in _CODE.finditer(text):
        pieces += (change(text[at : code.start()]), code[0])
        at = code.end()
    return "".join((*pieces, change(text[at:])))


def _is_for_it(text: str) -> bool:
    return "<!--SR:" in text or _TAG.search(text) is not None or _FRONT_TAG.search(text[:2000]) is not None


def _files(folder: Path) -> list[Path]:
    paths = list[Path]()
    for number, entry in enumerate(entries_below(folder, _is_open, quiet=True)):
        if number > _MAX_FILES:
            raise FormatError(f"{folder} holds more than {_MAX_FILES:,} files; name the folder with the notes.")
        if _is_open(entry) and entry.is_file(follow_symlinks=False):
            paths.append(Path(entry.path))
    return paths


def _is_open(entry: DirEntry[str]) -> bool:
    return not entry.name.startswith(".")


def _text(file: Path) -> str:
    """Return the text of a note; "" if the file is not text."""
    try:
        return read_ordinary(file, _LARGEST_NOTE).decode("utf-8-sig").replace("\r\n", "\n")
    except (OSError, NotOrdinaryError, UnicodeDecodeError):
        return ""


def _copy(media: Mapping[str, Path], folder: Path, names: Iterable[str]) -> None:
    for name in names:
        data = read_named(media[name], _LARGEST_FILE, "nothing was imported.", FormatError)
        (folder / name).write_bytes(data)
