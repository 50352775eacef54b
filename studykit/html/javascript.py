"""JavaScript made small: no comments, no needless space, words put in, short names for what is ours alone."""

import json
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import count, product
from string import ascii_letters

_PIECE = re.compile(
    r"""(?P<gap>(?:\s|//[^\n]*|/\*.*?\*/)+)
      | (?P<name>[A-Za-z_$][\w$]*)
      | (?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?n?)
      | (?P<text>"(?:\\.|[^"\\])*" | '(?:\\.|[^'\\])*')
      | (?P<sign>\.\.\.|\+\+|--|.)""",
    re.VERBOSE | re.DOTALL,
)
_PATTERN = re.compile(r"/(?:\\.|\[(?:\\.|[^\]\\])*\]|[^/\\\n\[])+/[a-z]*")
_TEMPLATE = re.compile(r"(?:\\.|(?!\$\{)[^`\\])*(?:\$\{|`)", re.DOTALL)
_BEFORE_PATTERN = {"return", "typeof", "case", "in", "of", "await", *"=(,:!&|?{;[+-*%<>~^"}

Token = tuple[str, str]
"""A kind (`gap name number text sign`) and the characters."""


def tokens(script: str) -> Iterator[Token]:
    """The script's tokens, without loss; a template's text comes apart from what stands between its braces."""
    at, before, braces = 0, ";", [0]
    while at < len(script):
        kind, piece = _token(script, at, before)
        if piece == "`" or (piece == "}" and len(braces) > 1 and not braces[-1]):
            if piece == "}":
                braces.pop()
            kind, piece = "text", piece + _matched(_TEMPLATE, script, at + 1)
            if piece.endswith("${"):
                braces.append(0)
        elif kind == "sign":
            braces[-1] += (piece == "{") - (piece == "}")
        yield kind, piece
        at += len(piece)
        before = before if kind == "gap" else piece
    if len(braces) > 1:
        raise ValueError("This script does not end: a template stays open")


def _token(script: str, at: int, before: str) -> Token:
    found = _PIECE.match(script, at)
    if found is None or found.lastgroup is None:  # the last alternative takes anything
        raise ValueError(script[at:])
    if found[0] == "/" and before in _BEFORE_PATTERN:
        return "text", _matched(_PATTERN, script, at)
    return found.lastgroup, found[0]


def _matched(pattern: re.Pattern[str], script: str, at: int) -> str:
    found = pattern.match(script, at)
    if found is None:
        raise ValueError(f"This script does not end: {script[at : at + 40]}")
    return found[0]


def smaller(script: str, words: Mapping[str, str], ours: Collection[str]) -> str:
    """The script with `T.word` as the word itself and each of our names as a short one, without needless space."""
    worded = _worded([token for token in tokens(script) if token[0] != "gap"], words)
    short = short_names(worded, ours) | {"const": "let"}
    named = [(kind, short.get(piece, piece) if kind == "name" else piece) for kind, piece in worded]
    return _joined(_bare_arrows(list(_declared_together(named))))


def short_names(script: list[Token], ours: Collection[str]) -> dict[str, str]:
    """A short name, used nowhere else, for each of ours; the more often a name is used, the shorter it gets."""
    used = Counter(piece for kind, piece in script if kind == "name")
    free = (name for name in _names() if name not in used)
    often = sorted((name for name in used if name in ours), key=lambda name: (-used[name], name))
    return {name: new for name, new in zip(often, free, strict=False) if len(new) < len(name)}


def _names() -> Iterator[str]:
    reserved = {"do", "if", "in", "of", "as", "is"}
    for length in count(1):
        yield from (
            name for letters in product(ascii_letters, repeat=length) if (name := "".join(letters)) not in reserved
        )


def _worded(script: list[Token], words: Mapping[str, str]) -> list[Token]:
    found: list[Token] = []
    for kind, piece in script:
        if kind == "name" and [piece for _, piece in found[-2:]] == ["T", "."]:
            found[-2:] = [("text", json.dumps(words[piece], ensure_ascii=False).replace("<", "\\u003c"))]
        else:
            found.append((kind, piece))
    return found


def _declared_together(script: list[Token]) -> Iterator[Token]:
    """`let a;let b;` as `let a,b;`, wherever one such statement follows another."""
    declaring, before, joining = [False], ";", False
    for number, (kind, piece) in enumerate(script):
        if joining:
            joining, before = False, ","
            continue
        if before in {";", "{"} or (before == "}" and kind == "name"):  # a statement begins
            declaring[-1] = piece == "let"
        joining = piece == ";" and declaring[-1] and _is(script, number + 1, "let")
        _nest(declaring, kind, piece)
        before = piece
        yield kind, "," if joining else piece


def _nest(levels: list[bool], kind: str, piece: str) -> None:
    """One level more for each opening bracket, one less for each that closes; a template's braces count."""
    if (kind == "sign" and piece in ")]}") or (kind == "text" and piece[0] == "}"):
        levels.pop()
    if (kind == "sign" and piece in "([{") or (kind == "text" and piece.endswith("${")):
        levels.append(False)


def _bare_arrows(script: list[Token]) -> Iterator[Token]:
    """`(a) =>` as `a =>`."""
    after = {
        number
        for number, (_, piece) in enumerate(script)
        if piece == "=" and _is(script, number - 1, ")") and _is(script, number + 1, ">")
    }
    alone = {number for number in after if _is(script, number - 3, "(") and script[number - 2][0] == "name"}
    dropped = {place for number in alone for place in (number - 3, number - 1)}
    return (token for number, token in enumerate(script) if number not in dropped)


def _is(script: list[Token], number: int, piece: str) -> bool:
    return 0 <= number < len(script) and script[number][1] == piece


def _joined(script: Iterable[Token]) -> str:
    """The tokens in one: a space only where two words or two like signs would become one, no `;` before `}`."""
    kept: list[str] = []
    for _, piece in script:
        last = kept[-1][-1] if kept else ";"
        if (_wordy(last) and _wordy(piece[0])) or (last == piece[0] and last in "+-"):
            kept.append(" ")
        elif piece == "}" and last == ";":
            kept.pop()
        kept.append(piece)
    return "".join(kept)


def _wordy(character: str) -> bool:
    return character.isalnum() or character in "_$"
