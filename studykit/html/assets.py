"""The pages' style and script: put together, made small, and named by hash in the content security policy."""

import json
import re
from base64 import b64encode
from functools import cache
from hashlib import sha256
from importlib.resources import files

from studykit.html.words import words

_SCRIPT = ("sm2.js", "log.js", "store.js", "review.js")
_EXERCISE = ("quantity.js", "number.js", "exercise.js")
_TOKEN = re.compile(
    r"""(?P<comment>//[^\n]*|/\*.*?\*/)
      | (?P<kept>"(?:\\.|[^"\\])*" | '(?:\\.|[^'\\])*' | `(?:\\.|[^`\\])*`
               | (?<=[=(,:!&|?{;\[])\s*/(?![/*])(?:\\.|\[(?:\\.|[^\]\\])*\]|[^/\\\n\[])+/[a-z]*)
      | (?P<space>\s+)""",
    re.VERBOSE | re.DOTALL,
)


def source(name: str) -> str:
    """A style or script as it was written."""
    return files("studykit.html").joinpath("static", name).read_text("utf-8")


@cache
def style(*names: str) -> str:
    """The named styles in one, made small."""
    return "".join(smaller_css(source(name)) for name in names)


@cache
def review_script() -> str:
    """The script that turns cards into a review, one function that leaves no name behind."""
    return _closed("T", "script", _SCRIPT)


@cache
def exercise_script() -> str:
    """The script that judges numbers, for decks with exercises only."""
    from studykit.html.numbers import vocabulary  # noqa: PLC0415 - the catalogue, which few decks need

    told = json.dumps(vocabulary(), ensure_ascii=False, separators=(",", ":"))
    return _closed("X", "exercise", _EXERCISE, f"const V = {told};")


@cache
def index_script() -> str:
    """The script of the index's search field."""
    return smaller_js(f"(() => {{{source('index.js')}}})();")


def _closed(name: str, table: str, parts: tuple[str, ...], before: str = "") -> str:
    told = json.dumps(words()[table], ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    body = "".join(source(part) for part in parts)
    return smaller_js(f'(() => {{"use strict";const {name} = {told};{before}{body}}})();')


def csp(page_style: str, page_script: str) -> str:
    """A policy under which nothing runs or loads but exactly this style and this script."""
    return (
        f"default-src 'none'; style-src {_hashed(page_style)}; script-src {_hashed(page_script)}; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )


def _hashed(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


def smaller_css(text: str) -> str:
    """The style without comments and needless space; a space before `:` is kept, for it means a descendant."""
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
    text = re.sub(r"\s+", " ", text)
    text = re.sub(r" ?([{};,>]) ?", r"\1", text)
    text = re.sub(r"(?<=[{;])([a-z-]+): ", r"\1:", text)
    return text.replace(";}", "}").strip()


def smaller_js(text: str) -> str:
    """The script without comments and needless space; strings, templates and patterns stay as they are."""
    out: list[str] = []
    at = 0
    for match in _TOKEN.finditer(text):
        out.append(text[at : match.start()])
        at = match.end()
        if match["kept"]:
            out.append(match["kept"].strip())
        elif not (out and re.search(r"\s$", out[-1])):
            out.append("\n" if "\n" in match[0] else " ")
    out.append(text[at:])
    return _joined(out)


def _joined(parts: list[str]) -> str:
    """The parts in one; a space or a line's end goes where a sign on either side makes it needless."""
    kept: list[str] = []
    pieces = [part for part in parts if part]
    for number, piece in enumerate(pieces):
        if not piece.isspace():
            kept.append(piece)
            continue
        before = kept[-1][-1] if kept else ";"
        after = pieces[number + 1][0] if number + 1 < len(pieces) else ";"
        if "\n" in piece and before in "}])" and _wordy(after):
            kept.append("\n")  # perhaps the end of a statement
        elif (_wordy(before) and _wordy(after)) or before == after in "+-":
            kept.append(" ")
    return "".join(kept)


def _wordy(character: str) -> bool:
    return character.isalnum() or character in "_$"
