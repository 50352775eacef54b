"""Parse the Markdown of cards in the same way for terminal, page, typed answers and Anki.

CommonMark with tables and ~~struck~~ words, except that
- HTML is text, and links lead only to web pages, files, places on a page and mail addresses;
- `$x$` is a formula, `$$x$$` a displayed one, and `$5 and $10` is money;
- `*` between two letters or digits is a product: `6*7*2`, `2**3**4`;
- the gap of a cloze defines no link: `[…]: 42` is shown.

markdown-it takes some 20 ms to import, so it is loaded only for a text that has signs of Markdown.
"""

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from enum import Enum, auto
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from studykit.cards.card import GAP

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.ruler import RuleOptionsType
    from markdown_it.rules_block import StateBlock
    from markdown_it.rules_inline import StateInline
    from markdown_it.token import Token

_MAX_NESTING = 100  # of lists and quotes; markdown-it drops what is nested deeper
_INLINE_SIGNS = re.compile(r"[`*\\$\r\0]|~~|&#?\w|<[A-Za-z]|\][(\[:]|_(?:(?<![^\W_]_)|(?![^\W_]))")
_BLOCK_SIGNS = re.compile(
    r"\n(?:[ ]{0,3}[-+#>=:|~]|[ ]{0,3}\d{1,9}[.)]|[ ]{4}|[ ]*\t)|[ ]{2}(?:\n|\Z)",
)
"""A text without any of these consists of plain paragraphs."""
_INNER_SIGNS = re.compile(r"[*_&\\<~]|\][(\[:]")
"""Signs that may occur within a phrase or hide a part of it. The others surround formulas, code and lists."""
_PARAGRAPH_END = re.compile(r"\n(?:[ \t]*\n)+")
_LINE_END = r"\n(?![ \t]*\n)"  # within a paragraph
_FORMULA = re.compile(
    rf"\$(?<!\d\$)(?:\$(?P<displayed>(?:[^$\n]|{_LINE_END})+)\$\$"
    rf"|(?!\s)(?P<inline>(?:[^$\\\n]|\\.|\\?{_LINE_END})+)(?<!\s)\$(?!\d))"
)
"""A dollar next to a digit is money."""
FENCE = re.compile(
    r"^[ \t]*(?P<fence>`{3,}|~{3,})[ \t]*(?P<language>[^\s`]*)[^`\n]*\n"
    r"(?P<code>(?:.*\n)*?)(?:[ \t]*(?P=fence)[`~]*[ \t]*$|\Z)",
    re.MULTILINE,
)
"""A block of code, up to the end of the text if it is never closed."""
# Each alternative begins with a literal sign, which lets `re` skip quickly from one such sign to the next.
_INLINE_REGION = rf"`(?P<ticks>`*+)(?:[^\n]|{_LINE_END})+?(?<!`)`(?P=ticks)(?!`)|{_FORMULA.pattern}|\\.|``*"
_REGION = f"(?P<block>{FENCE.pattern})|{_INLINE_REGION}"
_LINKED = re.compile(r"\]\(\s*(?:<([^<>\n]+)>|([^\s()<>]+))")
_DOLLAR = re.compile(r"(?<!\\)\$")
MEDIA_TYPES = {
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".jpeg": "image/jpeg",
    ".gif": "image/gif",
    ".svg": "image/svg+xml",
    ".webp": "image/webp",
    ".avif": "image/avif",
    ".mp3": "audio/mpeg",
    ".m4a": "audio/mp4",
    ".ogg": "audio/ogg",
    ".opus": "audio/ogg",
    ".wav": "audio/wav",
    ".flac": "audio/flac",
    ".mp4": "video/mp4",
    ".webm": "video/webm",
    ".ogv": "video/ogg",
}
"""MIME types of files that a card can show or play, by the ending of the name."""
# Browsers ignore control characters and spaces in a scheme, so `java script:` would still run.
_SCHEME, _IGNORED = re.compile(r"[^/?#:]*:"), re.compile("[\0- ]")
_SCHEMES = {"http:", "https:", "mailto:"}


class Markup(Enum):
    """Name what a part of a text is: words, math or code."""

    TEXT = auto()
    MATH = auto()
    CODE = auto()


class Region(NamedTuple):
    """Locate a part of a text that is math or code, including its dollars, backticks or fences."""

    start: int
    end: int
    markup: Markup


def regions(text: str) -> list[Region]:
    """List the parts that are code or math by the parser's rules, in order and not nested."""
    pattern = _REGION if "```" in text or "~~~" in text else _INLINE_REGION
    return [
        Region(*match.span(), Markup.MATH if match.lastgroup in {"displayed", "inline"} else Markup.CODE)
        for match in re.finditer(pattern, text, re.MULTILINE)
        if match.lastgroup is not None
    ]


def pieces(text: str) -> Iterator[tuple[str, Markup]]:
    """Yield the whole text in pieces of text, code and math."""
    at = 0
    for region in regions(text):
        yield text[at : region.start], Markup.TEXT
        yield text[region.start : region.end], region.markup
        at = region.end
    yield text[at:], Markup.TEXT


def rewritten(text: str, kind: Markup, rewrite: Callable[[str], str]) -> str:
    """Return the text with each of its pieces of one kind rewritten."""
    return "".join(rewrite(piece) if markup is kind else piece for piece, markup in pieces(text))


def is_plain(text: str) -> bool:
    """Return whether a text consists of plain paragraphs without any Markdown."""
    return _INLINE_SIGNS.search(text) is None and _BLOCK_SIGNS.search(f"\n{text}") is None


def paragraphs(text: str) -> list[str]:
    """Return the paragraphs of a plain text, each on one line."""
    split = (" ".join(map(str.strip, part.strip().split("\n"))) for part in _PARAGRAPH_END.split(text))
    return [paragraph for paragraph in split if paragraph]


def parse(text: str, parser: "MarkdownIt | None" = None) -> "list[Token]":
    """Parse a text into block tokens. If it is nested too deep, return its lines as written."""
    tokens = (parser or _parser()).parse(text)
    is_too_deep = any(token.nesting == 1 and token.level >= _MAX_NESTING - 1 for token in tokens)
    return _as_written(text) if is_too_deep else tokens


def blocks(tokens: "Sequence[Token]") -> "Iterator[tuple[Token, Sequence[Token]]]":
    """Yield each outer block: its token, and the tokens inside it."""
    at = 0
    while at < len(tokens):
        end = at
        if tokens[at].nesting == 1:
            end = next(place for place in range(at + 1, len(tokens)) if tokens[place].level == tokens[at].level)
        yield tokens[at], tokens[at + 1 : end]
        at = end + 1


def plain_text(text: str) -> str:
    """Return the words of a text on one line, with formulas as TeX, and without media."""
    if is_plain(text) if "\n" in text else not _INLINE_SIGNS.search(text):
        return " ".join(text.split())
    tokens = parse(text) if "\n" in text else _parser().parseInline(text)
    return " ".join("".join(_words(tokens)).split())


def label_text(tokens: "Sequence[Token]") -> str:
    """Return the words of a picture's label, without their markup."""
    return "".join(token.content or label_text(token.children or ()) for token in tokens)


def searched_text(text: str) -> str:
    """Return the searchable text: like `plain_text`, but faster because list signs may stay in plain texts."""
    if _INNER_SIGNS.search(text):
        return plain_text(text)
    return _FORMULA.sub(lambda formula: formula["inline"] or formula["displayed"], text).replace("`", "")


def as_code(text: str) -> str:
    """Format the text as inline code, which shows every letter. Empty for an empty text."""
    ticks = fence(text, least=1)
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{ticks}{pad}{text}{pad}{ticks}" if text else ""


def fence(text: str, least: int = 3) -> str:
    """Return enough backticks to fence code that contains this text."""
    return "`" * max(least, 1 + max(map(len, re.findall("`+", text)), default=0))


def linked_files(text: str) -> list[str]:
    """List the addresses that a text links to, as they are written."""
    return [quoted or bare for quoted, bare in _LINKED.findall(text)]


def media_type(address: str) -> str:
    """Return the MIME type of a file that a card can show or play, or ""."""
    return MEDIA_TYPES.get(address[max(0, address.rfind(".")) :].lower(), "")


def is_inside_word(before: str, after: str) -> bool:
    """Return whether two characters are letters or digits, so that `*` between them is a product.

    A missing character is "". Letters of scripts without capitals do not count, because many of these scripts put
    no space between words.
    """
    return all(sign.isalnum() and unicodedata.category(sign) != "Lo" for sign in (before, after))


def new_parser(quotes: str = "") -> "MarkdownIt":
    """Return a new parser. With `quotes`, it replaces straight quotes by these, double ones first."""
    from markdown_it import MarkdownIt

    options = {"typographer": bool(quotes), "quotes": quotes, "maxNesting": _MAX_NESTING}
    parser = MarkdownIt("js-default", options).disable("replacements")
    parser.validateLink = _is_link  # type: ignore[method-assign]
    interrupted: RuleOptionsType = {"alt": ["paragraph", "reference", "blockquote", "list"]}
    parser.block.ruler.before("fence", "math_block", _displayed_formula, interrupted)
    parser.block.ruler.at("reference", _link_definition)
    parser.inline.ruler.before("escape", "math_inline", _formula)
    parser.inline.ruler.before("emphasis", "product", _product)
    return parser


@cache
def _parser() -> "MarkdownIt":
    return new_parser()


def _is_link(url: str) -> bool:
    """Return whether an address is of a page, a file, a place on a page or a mailbox, and not a script."""
    scheme = _SCHEME.match(_IGNORED.sub("", url))
    return scheme is None or scheme[0].lower() in _SCHEMES


def _as_written(text: str) -> "list[Token]":
    from markdown_it.token import Token

    rows = [(Token("hardbreak", "br", 0), Token("text", "", 0, content=row)) for row in text.split("\n")]
    lines = Token("inline", "", 0, level=1, content=text, children=[each for row in rows for each in row][1:])
    return [Token("paragraph_open", "p", 1), lines, Token("paragraph_close", "p", -1)]


def _product(state: "StateInline", silent: bool) -> bool:  # noqa: FBT001 - as markdown-it calls it
    """Parse a run of `*` between two letters or digits as text."""
    if silent or state.src[state.pos] != "*":
        return False
    end = state.pos
    while end < state.posMax and state.src[end] == "*":
        end += 1
    if not (state.pos and is_inside_word(state.src[state.pos - 1], state.src[end : end + 1])):
        return False
    state.pending += state.src[state.pos : end]
    state.pos = end
    return True


def _formula(state: "StateInline", silent: bool) -> bool:  # noqa: FBT001 - as markdown-it calls it
    """Parse `$x$` or `$$x$$` inside a line."""
    match = _FORMULA.match(state.src, state.pos, state.posMax)
    if match is None:
        return False
    if not silent:
        token = state.push("math_inline" if match["inline"] else "math_inline_double", "math", 0)
        token.content = match["inline"] or match["displayed"]
    state.pos = match.end()
    return True


def _displayed_formula(state: "StateBlock", start: int, end: int, silent: bool) -> bool:  # noqa: FBT001
    """Parse `$$x$$` on lines of its own. It is text if it has no end or words follow."""
    if state.is_code_block(start):
        return False
    rows: list[str] = []
    for number in range(start, end):
        row = state.src[state.bMarks[number] + state.tShift[number] : state.eMarks[number]].rstrip()
        if not row or (rows and state.sCount[number] < state.blkIndent) or (not rows and not row.startswith("$$")):
            return False
        rows.append(row if rows else row.removeprefix("$$"))
        tex = rows[-1].removesuffix("$$")
        if _DOLLAR.search(tex):
            return False
        if tex != rows[-1]:
            break
    else:
        return False
    tex = "\n".join(rows).removesuffix("$$").strip()
    if tex and not silent:
        state.line = number + 1
        token = state.push("math_block", "math", 0)
        token.block, token.content, token.map = True, tex, [start, state.line]
    return bool(tex)


def _link_definition(state: "StateBlock", start: int, end: int, silent: bool) -> bool:  # noqa: FBT001
    """Parse a link definition `[name]: address`, unless its brackets are a gap."""
    from markdown_it.rules_block import reference

    is_gap = state.src.startswith(f"{GAP}:", state.bMarks[start] + state.tShift[start])
    return not is_gap and reference(state, start, end, silent)


def _words(tokens: "Sequence[Token]") -> Iterator[str]:
    """Yield the words of tokens without media, and white space between blocks and lines."""
    is_media = False
    for token in tokens:
        if token.type == "link_open":
            is_media = bool(media_type(str(token.attrs["href"])))
        elif token.type == "link_close":
            is_media = False
        if token.type == "image" or is_media:
            continue
        yield from _words(token.children) if token.children else [token.content]
        if token.block or token.type in {"hardbreak", "softbreak"}:
            yield " "
