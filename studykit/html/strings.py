"""Load the words of pages, which an author's table may replace, and tell a language's direction."""

import json
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path

from studykit.cards.front_matter import LANGUAGE
from studykit.errors import BadDataError, NotFoundError
from studykit.ordinary_file import read_named
from studykit.text import nearest

_MAX_FILE_BYTES = 1_000_000
_RIGHT_TO_LEFT = re.compile(r"(ar|arc|ckb|dv|fa|he|iw|ks|nqo|ps|sd|syr|ug|ur|yi)")
_SCRIPT = re.compile(r"[a-z]{4}")
_RIGHT_TO_LEFT_SCRIPT = re.compile(r"(adlm|arab|hebr|nkoo|syrc|thaa)")


@dataclass(frozen=True, eq=False)
class Strings:
    """Hold words by table: `page` and `app` for templates, the others for scripts."""

    tables: Mapping[str, Mapping[str, str]]

    def __getitem__(self, table: str) -> Mapping[str, str]:
        return self.tables[table]

    @property
    def language(self) -> str:
        """Return the language of the words."""
        return self["page"]["language"]


@cache
def shipped() -> Strings:
    """Return the words that come with the program, in English."""
    return Strings(tomllib.loads(files("studykit.html").joinpath("strings.toml").read_text("utf-8")))


def read_strings(path: Path) -> Strings:
    """Read an author's words, with shipped words for missing ones. Raise BadDataError for unfit words."""
    document, shipped_tables = _document(path), shipped().tables
    problems: list[str] = []
    tables = {name: dict(words) for name, words in shipped_tables.items()}
    for name, words in document.items():
        if name not in shipped_tables or not isinstance(words, dict):
            problems.append(f"{name} is not a table of words{_instead(name, shipped_tables)}")
            continue
        for key, word in words.items():
            if key not in shipped_tables[name]:
                problems.append(f"{name}.{key} is not a word on the pages{_instead(key, shipped_tables[name])}")
            elif why := _unfit(key, word, shipped_tables[name][key]):
                problems.append(f"{name}.{key} {why}")
            else:
                tables[name][key] = word
    if problems:
        raise BadDataError(f"{path}: {'; '.join(problems)}.")
    return Strings(tables)


def direction(language: str) -> str:
    """Return the direction of a language by its code: `rtl` or `ltr`."""
    first, *others = language.lower().split("-")
    script = next(filter(_SCRIPT.fullmatch, others), "")
    leftward = _RIGHT_TO_LEFT_SCRIPT.fullmatch(script) if script else _RIGHT_TO_LEFT.fullmatch(first)
    return "rtl" if leftward else "ltr"


def _document(path: Path) -> Mapping[str, object]:
    try:
        text = read_named(path, _MAX_FILE_BYTES, "Give --strings a file.", NotFoundError).decode("utf-8-sig")
        document = json.loads(text) if path.suffix == ".json" else tomllib.loads(text)
    except UnicodeDecodeError:
        raise BadDataError(f"{path} is not text in UTF-8. Save it as UTF-8.") from None
    except (ValueError, RecursionError) as error:
        raise BadDataError(
            f"{path} cannot be read: {error}. Correct it, or end its name in .json if it is JSON."
        ) from None
    if not isinstance(document, dict):
        raise BadDataError(f'{path} holds no tables of words. Start it with {{"page": {{...}}}}.')
    return document


def _unfit(key: str, word: object, shipped_word: str) -> str:
    """Return why a word cannot replace the shipped one, or ""."""
    if not isinstance(word, str) or not word.strip():
        return "must be text in quotes"
    if key == "quotes" and len(word) != len(shipped_word):
        return "must be four signs: double quotes, then single ones"
    if key == "language" and not LANGUAGE.fullmatch(word):
        return "must be a code of a language, such as de or pt-BR"
    if word.count("%") != shipped_word.count("%"):
        return f'must contain % as often as the shipped word, "{shipped_word}"'
    return ""


def _instead(name: str, names: Mapping[str, object]) -> str:
    near = nearest(name, names)
    return f" (did you mean {near}?)" if near else ""
