"""Read the settings of Obsidian's spaced-repetition plugin: its tags, separators and marks of gaps."""

import json
import re
from collections.abc import Mapping
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import TypeVar

from studykit.formats.foreign_notes import NoteForm
from studykit.ordinary_file import NotOrdinaryError, read_ordinary

_Value = TypeVar("_Value", str, list[str])
_MAX_BYTES = 20_000_000  # of its file, which also has schedules
_PART_OF_PATTERN = re.compile(r"(?<!\\)\[(.*?)(?<!\\)\]")


class Plugin:
    """Hold the plugin's tags, the separators of two sides, and the patterns of gaps."""

    def __init__(self, settings: Mapping[str, object]) -> None:
        def words(name: str, usual: _Value) -> _Value:
            value = settings.get(name, usual)
            return value if isinstance(value, type(usual)) else usual

        own = (str(tag).strip("#/ ") for tag in words("flashcardTags", ["#flashcards"]))
        tags = "|".join(re.escape(tag) for tag in own if tag) or "(?!)"
        self.tag = re.compile(rf"(?:^|\s)#(?:{tags})((?:/[^\s#/]+)*)(?=\s|$)", re.MULTILINE)
        level = r"((?:/[^\s#/,\]\"']+)*)"
        self._front_tag = re.compile(rf"^[ \t]*(?:-[ \t]*[\"'#]*|tags:.*?)(?:{tags}){level}", re.MULTILINE)
        single, double = words("singleLineCardSeparator", "::"), words("singleLineReversedCardSeparator", ":::")
        self.lines = {double: NoteForm.REVERSED, single: NoteForm.BASIC}
        # `::` within `::::` is not a separator.
        sides = ((re.escape(mark[0]), re.escape(mark), re.escape(mark[-1])) for mark in (double, single) if mark)
        self.side = re.compile("|".join(f"(?<!{a}){mark}(?!{z})" for a, mark, z in sides) or "(?!)")
        multi, both = words("multilineCardSeparator", "?"), words("multilineReversedCardSeparator", "??")
        self.blocks = {mark: form for mark, form in ((multi, NoteForm.BASIC), (both, NoteForm.REVERSED)) if mark}
        self.end = words("multilineCardEndMarker", "")
        usual = [
            f"{mark}[123;;]answer[;;hint]{mark.replace('{', '}')}"
            for kind, mark in (("Highlights", "=="), ("BoldText", "**"), ("CurlyBrackets", "{{"))
            if settings.get(f"convert{kind}ToClozes", mark == "==")
        ]
        patterns = map(_gap_pattern, count(), map(str, words("clozePatterns", usual)))
        self.gap = re.compile("|".join(patterns) or "(?!)", re.DOTALL)

    @classmethod
    def of(cls, path: Path) -> "Plugin":
        """Return the settings of the vault that contains a note or folder, or the defaults."""
        for folder in (path, *path.absolute().parents):
            file = folder / ".obsidian/plugins/obsidian-spaced-repetition/data.json"
            with suppress(OSError, NotOrdinaryError, ValueError, RecursionError, LookupError, TypeError):
                settings = json.loads(read_ordinary(file, _MAX_BYTES))["settings"]
                return cls(settings if isinstance(settings, dict) else {})
        return cls({})

    def is_for_it(self, text: str) -> bool:
        """Return whether a note has a schedule or a tag of the plugin."""
        return "<!--SR:" in text or self.tag.search(text) is not None or self.front(text[:2000]) is not None

    def front(self, matter: str) -> str | None:
        """Return the levels of the deck that front matter names, or None without a tag of the plugin."""
        match = self._front_tag.search(matter)
        return match[1] if match else None


def _gap_pattern(number: int, pattern: str) -> str:
    """Return the regular expression of a pattern such as `==[123;;]answer[;;hint]==`. Brackets are optional."""
    pieces = list[str]()
    for place, part in enumerate(_PART_OF_PATTERN.split(pattern)):
        plain = re.escape(re.sub(r"\\+(?=\W)", "", part))
        plain = plain.replace("123", rf"(?P<number{number}>\d{{1,3}}|[ahs]+)", 1)
        plain = plain.replace("hint", rf"(?P<hint{number}>(?:(?!\n\n).)+?)", 1)
        plain = plain.replace("answer", rf"(?P<answer{number}>(?=\S)(?:(?!\n\n).)+?(?<=\S))", 1)
        pieces.append(f"(?:{plain})?" if place % 2 else plain)
    return "".join(pieces)
