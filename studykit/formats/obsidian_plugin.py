"""The settings of Obsidian's spaced-repetition plugin: its tags, what separates two sides, how gaps are marked."""

import json
import re
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from studykit.formats.foreign_notes import NoteForm
from studykit.ordinary_file import NotOrdinaryError, read_ordinary

_MAX_BYTES = 20_000_000  # of its file, which also keeps schedules
_PART_OF_PATTERN = re.compile(r"(?<!\\)\[(.*?)(?<!\\)\]")


class Plugin:
    """What the plugin's settings say: its tags, what separates two sides, and how gaps are marked."""

    def __init__(self, settings: Mapping[str, object]) -> None:
        def words(name: str, usual: str) -> str:
            value = settings.get(name, usual)
            return value if isinstance(value, str) else usual

        def all_words(name: str, usual: list[str]) -> list[str]:
            value = settings.get(name, usual)
            return [str(one) for one in value] if isinstance(value, list) else usual

        self.tags = [tag.strip("#/ ") for tag in all_words("flashcardTags", ["#flashcards"]) if tag.strip("#/ ")]
        tags = "|".join(map(re.escape, self.tags)) or "(?!)"
        self.tag = re.compile(rf"(?:^|\s)#(?:{tags})((?:/[^\s#/]+)*)(?=\s|$)", re.MULTILINE)
        level = r"((?:/[^\s#/,\]\"']+)*)"
        self._front_tag = re.compile(rf"^[ \t]*(?:-[ \t]*[\"'#]*|tags:.*?)(?:{tags}){level}", re.MULTILINE)
        one, two = words("singleLineCardSeparator", "::"), words("singleLineReversedCardSeparator", ":::")
        self.lines = {two: NoteForm.REVERSED, one: NoteForm.BASIC}
        self.side = re.compile(
            "|".join(map(_alone, sorted(filter(None, self.lines), key=len, reverse=True))) or "(?!)"
        )
        multi, both = words("multilineCardSeparator", "?"), words("multilineReversedCardSeparator", "??")
        self.blocks = {mark: form for mark, form in ((multi, NoteForm.BASIC), (both, NoteForm.REVERSED)) if mark}
        self.end = words("multilineCardEndMarker", "")
        kinds = (("Highlights", "=="), ("BoldText", "**"), ("CurlyBrackets", "{{"))
        usual = [
            f"{mark}[123;;]answer[;;hint]{mark.replace('{', '}')}"
            for kind, mark in kinds
            if settings.get(f"convert{kind}ToClozes", mark == "==")
        ]
        patterns = all_words("clozePatterns", usual)
        self.gap = re.compile("|".join(map(_gap_pattern, range(len(patterns)), patterns)) or "(?!)", re.DOTALL)

    @classmethod
    def of(cls, path: Path) -> "Plugin":
        """Return the settings of the vault that a note or folder lies in, or the usual ones."""
        for folder in (path, *path.absolute().parents):
            file = folder / ".obsidian/plugins/obsidian-spaced-repetition/data.json"
            with suppress(OSError, NotOrdinaryError, ValueError, RecursionError, LookupError, TypeError):
                settings = json.loads(read_ordinary(file, _MAX_BYTES))["settings"]
                return cls(settings if isinstance(settings, dict) else {})
        return cls({})

    def is_for_it(self, text: str) -> bool:
        """Whether a note has a schedule or a tag of the plugin."""
        return "<!--SR:" in text or self.tag.search(text) is not None or self.front(text[:2000]) is not None

    def front(self, matter: str) -> str | None:
        """Return the levels of the deck that front matter names; None without a tag of the plugin."""
        match = self._front_tag.search(matter)
        return match[1] if match else None


def _alone(separator: str) -> str:
    """Return the pattern of a separator; one of a single sign does not match a part of a longer row of it."""
    sign = re.escape(separator[0])
    around = (f"(?<!{sign})", f"(?!{sign})") if len(set(separator)) == 1 else ("", "")
    return f"{around[0]}{re.escape(separator)}{around[1]}"


def _gap_pattern(number: int, pattern: str) -> str:
    """Return the expression of a pattern such as `==[123;;]answer[;;hint]==`; what is in brackets may lack."""
    pieces = list[str]()
    for place, part in enumerate(_PART_OF_PATTERN.split(pattern)):
        plain = re.escape(re.sub(r"\\+(?=\W)", "", part))
        plain = plain.replace("123", rf"(?P<number{number}>\d{{1,3}}|[ahs]+)", 1)
        plain = plain.replace("hint", rf"(?P<hint{number}>(?:(?!\n\n).)+?)", 1)
        plain = plain.replace("answer", rf"(?P<answer{number}>(?=\S)(?:(?!\n\n).)+?(?<=\S))", 1)
        pieces.append(f"(?:{plain})?" if place % 2 else plain)
    return "".join(pieces)
