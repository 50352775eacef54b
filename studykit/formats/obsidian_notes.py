"""Import notes of Obsidian's spaced-repetition plugin: `::`, `:::`, `?`, `??` and `==gaps==`, with schedules.

The plugin writes due day, interval and ease into a comment after a note, `<!--SR:!2026-11-20,12,250-->`, with one
part for each card. It keeps no history.
"""

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import date
from functools import partial
from hashlib import sha256
from itertools import islice
from os import DirEntry
from pathlib import Path
from urllib.parse import quote, unquote

from studykit.cards.markdown import Markup, pieces, rewritten
from studykit.formats.card_ids import note_id
from studykit.formats.field_markdown import GAP_CLOSE, GAP_HINT, MAX_GAP_NUMBER, gap_sign, media_link
from studykit.formats.foreign_notes import (
    MAX_NOTES,
    CardPast,
    FormatError,
    ImportedDecks,
    ImportedNote,
    LossList,
    NoteForm,
    ReadOptions,
    foreign_memory,
)
from studykit.formats.gap_notes import gap_notes
from studykit.formats.markdown_escapes import MARKER, PRIVATE
from studykit.formats.media_files import MediaFiles
from studykit.formats.obsidian_plugin import Plugin
from studykit.ordinary_file import entries_below, read_text
from studykit.scheduling.memory import Memory
from studykit.scheduling.sm2 import INITIAL_EASE
from studykit.text import shown_name

NAME = "Obsidian"
ORIGIN = "obsidian"

_MAX_NOTE_BYTES = 20_000_000
_MAX_FILES = 200_000
_SNIFFED = 300  # notes of a folder that are read to recognize it
# No second opening mark inside, because many unclosed marks would each be read to the end of the text.
_SCHEDULE = re.compile(r"<!--SR:((?:(?!<!--).)*?)-->")
_STATE = re.compile(r"(\d{4}-\d\d-\d\d),(\d+(?:\.\d+)?),(\d+(?:\.\d+)?)")
_FSRS_STATE = re.compile(r"fsrs,(\d{4}-\d\d-\d\d)[^,]*,(\d+(?:\.\d+)?),.*")
_CALLOUT = re.compile(r"^>\s*\[!sr\|card-metadata\].*\n|^>\s*(?=<!--SR:)", re.MULTILINE)
_QUOTE = re.compile(r"^>\s?(?:\[![^\]]*\][+-]?\s*)?")
_COMMENT = re.compile(r"<!--(?!SR:)(?:(?!<!--).)*?-->|%%[^\n%]*%%|^%%\n.*?\n%%$", re.DOTALL | re.MULTILINE)
_FENCE = re.compile(r"\s*(`{3,}|~{3,})")
_EMBED = re.compile(r"!\[\[([^\[\]|#]+)[^\[\]]*\]\]|!\[((?:(?!!\[)[^\]])*)\]\(<?((?:(?!\]\()[^)<>])+?)>?\)")
_NOTE_TAGS = re.compile(r"^tags:[ \t]*(?:\[(.*?)\]|(\S.*)|((?:\n[ \t]*-[^\n]*)+))", re.MULTILINE)
_LINK = re.compile(
    r"\[\[(?P<target>[^\[\]|]+)(?:\|(?P<alias>[^\[\]]+))?\]\]"
    r"|(?<!!)\[(?P<words>[^\[\]]+)\]\(<?(?![a-z]+:)(?=[^()<>]*>?\))[^()<>]*\.md(?:#[^()<>]*)?>?\)"
)
_BLOCK_ID = re.compile(r"\s\^[\w-]+$", re.MULTILINE)
_PARTS = ("number", "answer", "hint")  # of a gap
_UNSEEN_DUE_DAY = "2000-01-01"  # written by the plugin for a new sibling


def sniff(path: Path, head: bytes) -> bool:
    """Return whether a note, or one of a folder's first notes, has a schedule or a tag of the plugin."""
    plugin = Plugin.of(path)
    if path.is_dir():
        notes = (file for file in _files(path) if file.suffix.lower() == ".md")
        return any(plugin.is_for_it(_text(file)) for file in islice(notes, _SNIFFED))
    return path.suffix.lower() == ".md" and plugin.is_for_it(_text(path) if head else "")


def read(path: Path, options: ReadOptions) -> ImportedDecks:
    """Read the cards of a note or of a folder of notes, or raise FormatError if there are none."""
    root = path if path.is_dir() else path.parent
    files = _files(root)
    notes = [file for file in files if file.suffix.lower() == ".md"] if path.is_dir() else [path]
    by_name: dict[str, list[Path]] = {}
    for file in files:
        by_name.setdefault(file.name, []).append(file)
    vault = _Vault(root, by_name, Plugin.of(path))
    for number, file in enumerate(notes):
        options.reach(number, len(notes))
        try:
            text = _read(file)
        except FormatError:
            vault.losses.add("notes that are not UTF-8 or cannot be read", shown_name(file.name))
            continue
        if vault.plugin.is_for_it(text):
            vault.read(file, text)
        if len(vault.notes) > MAX_NOTES:
            raise FormatError(f"{path} has more than {MAX_NOTES:,} cards. Name a part of it.")
    if not vault.notes:
        raise FormatError(
            f"{path} has marks of Obsidian's spaced-repetition plugin but no card. Add one like question::answer."
        )
    return ImportedDecks(
        origin=ORIGIN,
        name=path.stem if path.is_file() else path.absolute().name,
        notes=tuple(vault.notes.values()),
        pasts=vault.pasts,
        media=tuple(vault.media.files),
        copy_media=vault.media.copy,
        losses=vault.losses,
        entries=vault.entries,
    )


@dataclass(slots=True)
class _VaultCard:
    """Hold a card's text as a note has it: its two sides, or one text with gaps."""

    front: str
    back: str = ""
    form: NoteForm = NoteForm.BASIC
    schedule: str = ""


@dataclass(slots=True)
class _Vault:
    """Convert a folder of Obsidian's notes to ours."""

    root: Path
    files: Mapping[str, Sequence[Path]]  # by name
    plugin: Plugin
    losses: LossList = field(default_factory=LossList)
    notes: dict[str, ImportedNote] = field(default_factory=dict)
    pasts: dict[str, CardPast] = field(default_factory=dict)
    media: MediaFiles = field(default_factory=MediaFiles)
    entries: int = 0
    folder: Path = Path()  # of the note that is being read
    tags: tuple[str, ...] = ()  # of that note

    def read(self, file: Path, text: str) -> None:
        """Add the cards of one note."""
        matter, body = _split(text)
        place = file.relative_to(self.root).with_suffix("")
        deck = _deck(self.plugin.front(matter) or "") or "::".join(place.parts)
        self.tags, self.folder = self._tags(matter), file.parent
        body = _CALLOUT.sub("", _COMMENT.sub("", body))
        unused = "".join(_SCHEDULE.findall(body)).count("!")
        for lines, name in self._by_tag(body, deck):
            for block in _blocks(lines, self.plugin):
                for card in _cards_of_block(block, self.plugin):
                    self._take(card, name, str(place))
                    unused -= card.schedule.count("!")
        if unused > 0:
            self.losses.add("schedules beside no card, not taken over", str(place), unused)

    def _take(self, card: _VaultCard, deck: str, place: str) -> None:
        self.entries += 1
        front, back = self._markdown(card.front), self._markdown(card.back)
        words = f"{card.form.name}\0{' '.join(card.front.split())}"
        id_ = note_id(ORIGIN, sha256(words.encode("utf-8", "replace")).hexdigest()[:16])
        if not front or id_ in self.notes or f"{id_}.1" in self.notes:
            self.losses.leave_out("cards with the question of another", place, mendable=False)
            return
        states = _states(card.schedule, self.losses, place)
        note = ImportedNote(id_, deck, card.form, front, back, self.tags, entry=f"{place} ({self.entries})")
        if card.form is NoteForm.CLOZE:
            self._take_gaps(note, states)
            return
        self.notes[id_] = note
        ids = (id_, f"{id_}.reversed") if card.form is NoteForm.REVERSED else (id_,)
        self._remember(ids, states)

    def _take_gaps(self, note: ImportedNote, states: list[Memory | None]) -> None:
        marked_text, at, numbers = list[str](), 0, set[int]()
        for gap in self.plugin.gap.finditer(_without_code(note.front)):
            parts = {name.rstrip("0123456789"): gap.span(name) for name, words in gap.groupdict().items() if words}
            number, answer, hint = (note.front[slice(*parts.get(name, (0, 0)))] for name in _PARTS)
            place = int(number) if number.isdecimal() else max(numbers, default=0) + 1
            if number and not number.isdecimal():
                self.losses.add("gaps that hide others, now one by one", note.entry)
            if 0 < place <= MAX_GAP_NUMBER:
                numbers.add(place)
                hint = GAP_HINT + hint if hint else ""
                marked_text += (note.front[at : gap.start()], gap_sign(place), answer, hint, GAP_CLOSE)
                at = gap.end()
        if not numbers:
            self.losses.leave_out("gaps of a number that is too large", note.entry)
        marked_note = replace(note, front="".join((*marked_text, note.front[at:])))
        state_by_number = dict(zip(sorted(numbers), states, strict=False))
        for part, ids in gap_notes(marked_note, "", self.losses, keep_hints=True):
            self.notes[part.id] = part
            self._remember(ids.values(), [state_by_number.get(number) for number in ids])

    def _remember(self, ids: Iterable[str], states: list[Memory | None]) -> None:
        for card, state in zip(ids, states, strict=False):
            if state is not None:
                self.pasts[card] = CardPast(state=state)

    def _markdown(self, text: str) -> str:
        """Remove from one side of a card what only Obsidian understands."""
        text = self.plugin.tag.sub("", PRIVATE.sub("", text))
        text = re.sub(r"^(\s*(?:[-*+]|\d+\.)\s+)\[[ xX]\]\s+", r"\1", text, flags=re.MULTILINE)
        text = _BLOCK_ID.sub("", _EMBED.sub(self._embed_link, text))
        text = rewritten(text, Markup.TEXT, partial(_LINK.sub, self._link_words))
        text = re.sub(r"^---+\s*$", "* * *", text.strip(), flags=re.MULTILINE)
        return MARKER.sub(r"\1\\", text)

    def _embed_link(self, match: re.Match[str]) -> str:
        source = unquote((match[1] or match[3] or "").strip())
        if "://" in source:
            return match[0]
        name = source.replace("\\", "/").rpartition("/")[2]
        places = [self.folder / source, self.root / source, self.folder / name, *self.files.get(name, ())]
        files_by_path = {os.path.normpath(path): path for path in self.files.get(name, ())}
        path = next(filter(None, (files_by_path.get(os.path.normpath(place)) for place in places)), None)
        link = (
            self.media.name(quote(path.relative_to(self.root).as_posix()), self.root, self.root) if path else None
        )
        if link is None:
            self.losses.add("embedded notes and files that are not media of the folder", name)
            return match[2] or name
        return media_link(link)

    def _tags(self, matter: str) -> tuple[str, ...]:
        """Return the tags of a note's front matter without the plugin's own, levels joined by `::`."""
        match = _NOTE_TAGS.search(matter)
        words = re.findall(r"[^\s,\[\]\"'#]+", next(filter(None, match.groups()), "")) if match else []
        plain = (word.strip("-") for word in words)
        names = (word for word in plain if word and not self.plugin.tag.match(f"#{word}"))
        return tuple(dict.fromkeys(word.strip("/").replace("/", "::") for word in names))

    def _by_tag(self, text: str, deck: str) -> Iterator[tuple[list[str], str]]:
        """Yield parts of a note, each with the deck of the last tag before it or of the tag on its own line."""
        part, own = list[str](), ""
        for line in text.split("\n"):
            tags = self.plugin.tag.findall(line)
            words = self.plugin.tag.sub("", _SCHEDULE.sub("", line)).strip()
            if tags and not words:
                part += [f"<!--SR:{states}-->" for states in _SCHEDULE.findall(line)]
            if tags or (own and not line.strip()):
                yield part, own or deck
                part, own = [], ""
            if tags and words and self.plugin.tag.match(line):
                own = _deck(tags[-1])
            elif tags:
                deck = _deck(tags[-1]) or deck
            if not tags or words:
                part.append(line)
        yield part, own or deck

    def _link_words(self, match: re.Match[str]) -> str:
        self.losses.add("links between notes, now their words")
        return match["words"] or match["alias"] or match["target"].rpartition("#")[2]


def _blocks(lines: Iterable[str], plugin: Plugin) -> Iterator[list[str]]:
    """Yield the blocks between blank lines. Fences and cards with an end mark keep their blank lines."""
    block, fence = list[str](), ""
    for line in lines:
        match = _FENCE.match(line)
        if fence:
            fence = "" if match and line.strip() == fence else fence
        elif match:
            fence = match[1]
        elif line.strip() == plugin.end or not (line.strip() or plugin.blocks.keys() & set(block)):
            if block:
                yield block
            block = []
            continue
        block.append(line)
    if block:
        yield block


def _cards_of_block(block: list[str], plugin: Plugin) -> Iterator[_VaultCard]:
    if all(line.startswith((">", "<!--SR:")) for line in block):
        block = [_QUOTE.sub("", line) for line in block]
    bare = [_SCHEDULE.sub("", line).rstrip() for line in block]
    mark_place = next((place for place, line in enumerate(bare) if line in plugin.blocks), 0)
    words = _without_code("\n".join(bare[:mark_place])).split("\n")
    if sides := [place for place, line in enumerate(words, 1) if plugin.side.search(line)]:
        # Cards of one line directly above a question of several lines are not part of it.
        start = sides[-1] + block[sides[-1]].startswith("<!--SR:")
        yield from _single_lines(block[:start], bare[:start], plugin)
        block, bare = block[start:], bare[start:]
    for mark, form in plugin.blocks.items():
        if mark in bare[1:-1] or (mark in bare[1:] and bare[-1] == "" and mark in bare):
            at = bare.index(mark)
            schedule = "".join(_SCHEDULE.findall("\n".join(block)))
            front, back = "\n".join(bare[:at]).strip(), "\n".join(bare[at + 1 :]).strip()
            if front and back:
                yield _VaultCard(front, back, form, schedule)
            return
    yield from _single_lines(block, bare, plugin)


def _single_lines(block: list[str], bare: list[str], plugin: Plugin) -> Iterator[_VaultCard]:
    """Yield cards of one line each. The rest of the block is one text that may have gaps."""
    rest, unused_lines = list[str](), list[str]()
    for number, (line, words) in enumerate(zip(bare, _without_code("\n".join(bare)).split("\n"), strict=True)):
        side = plugin.side.search(words)
        front = "" if side is None else re.sub(r"^(?:[-*+]|\d+\.|#{1,6})\s+", "", line[: side.start()].strip())
        if side is None or not front or not line[side.end() :].strip():
            rest.append(line)
            unused_lines.append(block[number])
            continue
        following = block[number + 1] if number + 1 < len(block) else ""
        own = _SCHEDULE.findall(block[number]) or (
            _SCHEDULE.findall(following) if following.startswith("<!--") else []
        )
        yield _VaultCard(
            re.sub(r"^\[[ xX]\]\s+", "", front), line[side.end() :].strip(), plugin.lines[side[0]], "".join(own)
        )
    text = "\n".join(rest).strip()
    if plugin.gap.search(_without_code(text)):
        yield _VaultCard(text, form=NoteForm.CLOZE, schedule="".join(_SCHEDULE.findall("\n".join(unused_lines))))


def _without_code(text: str) -> str:
    """Replace code and formulas in the text by placeholders that no pattern matches."""
    return "".join(
        piece if markup is Markup.TEXT else re.sub(".", "\ue000", piece) for piece, markup in pieces(text)
    )


def _states(schedule: str, losses: LossList, place: str) -> list[Memory | None]:
    states: list[Memory | None] = []
    for part in filter(None, schedule.split("!")):
        state = _state(part)
        if state is None and not part.startswith(_UNSEEN_DUE_DAY):
            losses.add("schedules not taken over", place)
        states.append(state)
    return states


def _state(part: str) -> Memory | None:
    match = _STATE.fullmatch(part) or _FSRS_STATE.fullmatch(part)
    if match is None or match[1] == _UNSEEN_DUE_DAY:
        return None
    with suppress(ValueError, OverflowError):
        ease = round(float(match[3])) if match.re is _STATE else INITIAL_EASE
        return foreign_memory(date.fromisoformat(match[1]), round(float(match[2])), ease)
    return None


def _deck(levels: str) -> str:
    return levels.strip("/").replace("/", "::")


def _split(text: str) -> tuple[str, str]:
    """Return the front matter of a note, which may be empty, and its text."""
    matter, end, rest = text[3:].partition("\n---") if text.startswith("---\n") else ("", "", "")
    return (matter, rest.partition("\n")[2]) if end else ("", text)


def _files(folder: Path) -> list[Path]:
    paths = list[Path]()
    for number, entry in enumerate(entries_below(folder, _is_visible, quiet=True)):
        if number > _MAX_FILES:
            raise FormatError(f"{folder} holds more than {_MAX_FILES:,} files. Name the folder with the notes.")
        if _is_visible(entry) and entry.is_file(follow_symlinks=False):
            paths.append(Path(entry.path))
    return paths


def _is_visible(entry: DirEntry[str]) -> bool:
    return not entry.name.startswith(".")


def _text(file: Path) -> str:
    """Return the text of a note, or "" if it cannot be read."""
    with suppress(FormatError):
        return _read(file)
    return ""


def _read(file: Path) -> str:
    return read_text(file, _MAX_NOTE_BYTES, "", FormatError, follow=False)
