r"""Convert a field of a card, HTML with formulas and gaps, to Markdown of a deck.

What is not HTML is first replaced by private-use signs and put back at the end: formulas as `$..$`, recordings and
pictures as links. Gaps become signs that `gap_notes` reads. Lexbor parses the HTML. A field that is too long
or too deep loses its tags first.
"""

import re
from bisect import bisect
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from html import unescape
from typing import TYPE_CHECKING
from urllib.parse import unquote

from studykit.cards.markdown import as_code, fence, is_inside_word
from studykit.formats.foreign_notes import MEDIA_CLOSE, MEDIA_OPEN, LossList
from studykit.formats.markdown_escapes import PRIVATE, escaped_start, escaped_words, hard_breaks

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

MAX_FIELD_CHARACTERS = 64_000  # characters of a field
_MAX_TEX_CHARACTERS = 2_000  # of a formula whose braces are counted
GAP_OPEN, GAP_CLOSE, GAP_HINT = "\ue010", "\ue011", "\ue012"
_NUMBERS = 0xE100  # of gaps, each a sign behind GAP_OPEN
MAX_GAP_NUMBER = 499
_BREAK = "\ue002"
_KEPT = "\U000f0000", "\U000ffffd"  # first and last of the signs that stand for replaced pieces


def _text_between(name: str, opening: str, closing: str) -> str:
    """Return a pattern of text between two marks without another opening mark, so that many marks match fast."""
    return f"{opening}(?P<{name}>(?:(?!{opening}).)+?){closing}"


_MATHS = re.compile(
    "|".join(
        (
            _text_between("inline", r"\\\(", r"\\\)"),
            _text_between("block", r"\\\[", r"\\\]"),
            _text_between("old_inline", r"\[\$\]", r"\[/\$\]"),
            _text_between("old_block", r"\[\$\$\]", r"\[/\$\$\]"),
            _text_between("latex", r"\[latex\]", r"\[/latex\]"),
            r"<anki-mathjax(?P<attributes>[^<>]*)>(?P<element>(?:(?!<anki-mathjax).)*?)</anki-mathjax>",
            r"\[sound:(?P<sound>(?:(?!\[sound:)[^\]<>])+)\]",
        )
    ),
    re.DOTALL | re.IGNORECASE,
)
_LATEX_MARKS = re.compile(r"^\$+|\$+$|^\\begin\{(?:displaymath|math)\}|\\end\{(?:displaymath|math)\}$")
_GAP = re.compile(r"\{\{c(\d{1,3}(?:,\d{1,3})*)::|\}\}|::")
_TAG = re.compile(r"</?[a-zA-Z][^<>]*>")
_OFFICE = re.compile(r"</?\w++:\w++[^<>]*>")  # what a word processor leaves behind
_NAMES_OF_HTML = """
a abbr address anki-mathjax article aside audio b bdi bdo big blockquote body br button canvas caption center
cite code col colgroup data dd del details dfn div dl dt em embed figcaption figure font footer form h1 h2 h3 h4
h5 h6 head header hr html i iframe img input ins kbd label legend li link main map mark math meta nav noscript
object ol option p picture pre q rp rt ruby s samp script section select small source span strike strong style
sub summary sup svg table tbody td template textarea tfoot th thead time title tr track tt u ul var video wbr
"""
HTML_NAMES = frozenset(_NAMES_OF_HTML.split())
_LESS_THAN = re.compile(r"<(?!!--)(?:/?([a-zA-Z][\w:-]*)(?=[\s/>]))?")
_CLOSED = re.compile(r"</([a-zA-Z][\w:-]*)\s*>")
_CODE_OF_PAGE = re.compile(r"<(style|script)\b[^>]*>.*?</\1\s*>|<!--.*?-->", re.DOTALL | re.IGNORECASE)
_SPEECH = re.compile(r"\[/?anki:[^\[\]]*\]")
_HIDDEN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_SPACES = re.compile(r"[ \t\r\n\f\xa0]+")
_PLAIN = re.compile(r"[ \t\r\n\f]+")
_INDENT = re.compile(r"(?: *\xa0){2,} *|^\xa0 +")  # what an editor makes of several spaces
VOID_NAMES = frozenset(("br", "img", "hr", "input", "wbr", "col", "meta", "link", "source", "track"))
_BLOCK_NAMES = """
p div section article header footer center figure figcaption dl dt dd form address main aside details summary
li option
"""
_BLOCKS = frozenset(_BLOCK_NAMES.split())
_SILENT = frozenset(("style", "script", "head", "title", "template", "noscript", "rp", "annotation"))
_LISTS, _HEADINGS = frozenset(("ul", "ol")), frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
_WEIGHT = {"b": "**", "strong": "**", "i": "*", "em": "*", "s": "~~", "del": "~~", "strike": "~~"}
_RAISED = str.maketrans("0123456789+-=()nix", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿⁱˣ")
_LOWERED = str.maketrans("0123456789+-=()aeox", "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑₒₓ")
_QUOTES = {"rt": "()", "q": "\u201c\u201d"}
_LOOKS = frozenset(("u", "font", "mark", "small", "big"))
_WORD_NAMES = "a span ruby rb ins abbr cite dfn var wbr label time bdi bdo data picture source"
_WORDS = frozenset(_WORD_NAMES.split()) | _WEIGHT.keys() | _LOOKS
_MEDIA_TAGS = frozenset(("audio", "video", "iframe", "object", "embed", "canvas", "svg"))


def markdown_of(html: str, losses: LossList, place: str = "", *, gaps: bool = False) -> str:
    """Convert a field to Markdown. What Markdown cannot express is added to the losses, with its place.

    With `gaps` the field comes from `marked_gaps`, and its signs stay in the text.
    """
    if "<" in html:
        if "<script" in html.lower():
            losses.add("scripts left out", place)
        html = _CODE_OF_PAGE.sub("", html)
    if "[anki:" in html:
        html = _SPEECH.sub("", html)
        losses.add("texts that Anki speaks, now written", place)
    html = html if gaps else PRIVATE.sub("", html)
    with suppress(RecursionError):
        if len(html) <= MAX_FIELD_CHARACTERS:
            return _Field(losses, place).markdown(html)
    losses.add("fields too long or too deep, taken as plain text", place)
    return _Field(losses, place).markdown(_TAG.sub(" ", html[:MAX_FIELD_CHARACTERS]).replace("<", "&lt;"))


def marked_gaps(html: str) -> str:
    """Replace `{{c1::...::hint}}` in a field by signs. `}}` closes the innermost open gap.

    `{{c1,2::x}}` is a gap in a gap. In a formula `}}` closes a gap only if no brace of TeX is open.
    """
    html = PRIVATE.sub("", html)
    formulas = [match.span() for match in _MATHS.finditer(html)]
    starts = [start for start, _ in formulas]
    pieces, at, search_at = list[str](), 0, 0
    # Start of the words of each, number of signs that close it, and whether there is a hint.
    open_gaps = list[tuple[int, int, bool]]()
    while mark := _GAP.search(html, search_at):
        search_at = mark.end()
        sign = ""
        if mark[1] is not None:
            numbers = sorted({int(number) for number in mark[1].split(",")})
            if numbers[-1] <= MAX_GAP_NUMBER:
                open_gaps.append((mark.end(), len(numbers), False))
                sign = "".join(map(gap_sign, numbers))
        elif open_gaps and mark[0] == "::":
            start, count, has_hint = open_gaps[-1]
            open_gaps[-1] = start, count, True
            sign = "" if has_hint else GAP_HINT
        elif open_gaps:
            start, count, _ = open_gaps[-1]
            tex_start, tex_end = formulas[bisect(starts, mark.start()) - 1] if formulas else (0, 0)
            is_formula = tex_start < mark.start() < tex_end
            is_closed_later = "}}" in html[mark.start() + 1 : tex_end if tex_start < start else None]
            if is_formula and is_closed_later and _has_open_braces(html[max(start, tex_start) : mark.start()]):
                search_at = mark.start() + 1
            else:
                open_gaps.pop()
                sign = GAP_CLOSE * count
        if sign:
            pieces += (html[at : mark.start()], sign)
            at = mark.end()
    return "".join((*pieces, html[at:])) + GAP_CLOSE * sum(count for _, count, _ in open_gaps)


def _has_open_braces(tex: str) -> bool:
    """Return whether the start of a formula has unclosed braces. A very long start counts as having none."""
    plain = re.sub(r"\\.|\{\{c[\d,]+::", "", tex) if len(tex) < _MAX_TEX_CHARACTERS else ""
    return plain.count("{") > plain.count("}")


def gap_sign(number: int) -> str:
    """Return the two signs that begin a gap of a number."""
    return GAP_OPEN + chr(_NUMBERS + number)


def gap_number(sign: str) -> int:
    """Return the gap number of the sign after GAP_OPEN."""
    return ord(sign) - _NUMBERS


def media_link(name: str, description: str = "") -> str:
    """Return the Markdown that shows or plays a media file of the collection."""
    return f"![{escaped_words(description)}]({MEDIA_OPEN}{name}{MEDIA_CLOSE})"


@dataclass(slots=True)
class _Field:
    """Convert one field to Markdown."""

    losses: LossList
    place: str
    originals: list[str] = field(default_factory=list)

    def markdown(self, html: str) -> str:
        html = _MATHS.sub(self._keep_match, html)
        if "<" not in html and "&" not in html:
            text = _lines([*self._text(html)])
        else:
            from selectolax.lexbor import LexborHTMLParser

            body = LexborHTMLParser(f"<body>{_plain_signs(_OFFICE.sub('', html))}").body
            text = "" if body is None else _lines(self._children(body))
        return self._put_back(text).strip()

    # What is not HTML

    def _keep(self, markdown: str) -> str:
        self.originals.append(markdown)
        return chr(ord(_KEPT[0]) + len(self.originals) - 1)

    def _keep_match(self, match: re.Match[str]) -> str:
        if (sound := match["sound"]) is not None:
            return self._keep(media_link(unescape(sound).strip()))
        if (latex := match["latex"]) is not None:
            return self._keep(self._latex(latex))
        inline = match["inline"] or match["old_inline"]
        block = match["block"] or match["old_block"]
        if match["element"] is not None:
            block = match["element"] if "block" in match["attributes"].lower() else None
            inline = match["element"] if block is None else None
        tex = _tex(block or inline or "")
        if not tex:
            return ""
        return self._keep(f"$${tex}$$" if block else f"${tex}$")

    def _latex(self, latex: str) -> str:
        latex = latex.strip()
        tex = _tex(_LATEX_MARKS.sub("", latex))
        return f"$${tex}$$" if latex.startswith(("$$", r"\begin{d")) else f"${tex}$" if tex else ""

    def _put_back(self, text: str) -> str:
        return re.sub(f"[{'-'.join(_KEPT)}]", lambda sign: self.originals[ord(sign[0]) - ord(_KEPT[0])], text)

    # The tree

    def _children(self, node: "LexborNode") -> list[str]:
        """Return pieces of inline Markdown, with `_BREAK` between blocks and lines."""
        return [piece for child in _nodes(node) for piece in self._node(child)]

    def _node(self, node: "LexborNode") -> Iterator[str]:
        if node.is_text_node:
            yield from self._text(node.text_content or "")
            return
        tag = (node.tag or "").lower()
        if tag in _SILENT or not node.is_element_node:
            return
        if "hidden" in node.attributes or _HIDDEN.search(node.attributes.get("style") or ""):
            self.losses.add("hidden words left out", self.place)
        elif tag in _MEDIA_TAGS:
            self.losses.add(f"<{tag}> elements left out", self.place)
        elif tag == "br":
            yield "\n"
        elif tag == "img":
            yield self._image(node)
        elif tag in _BLOCKS:
            yield from (_BREAK, *self._children(node), _BREAK)
        elif (block := self._block(node, tag)) is not None:
            yield from (_BREAK, block, _BREAK)
        else:
            yield from self._span(node, tag)

    def _block(self, node: "LexborNode", tag: str) -> str | None:
        """Render a block that is one piece, or return None for another element."""
        if tag in _LISTS:
            return self._list(node, ordered=tag == "ol")
        if tag in _HEADINGS:
            heading = _one_line(self._children(node))
            return heading and f"**{heading}**"
        if tag == "hr":
            return "* * *"
        if tag == "pre":
            return self._keep(self._put_back(_code_block(node)))
        make = {"table": self._table, "blockquote": self._quote}.get(tag)
        return make(node) if make else None

    def _quote(self, node: "LexborNode") -> str:
        lines = self._put_back(_lines(self._children(node))).split("\n")
        return self._keep("\n".join(f"> {line}".rstrip() for line in lines))

    def _span(self, node: "LexborNode", tag: str) -> Iterator[str]:
        if tag in {"code", "tt", "kbd", "samp"}:
            yield self._code(node)
            return
        inside = self._children(node)
        words = "".join(inside)
        if tag in _LOOKS or (tag == "span" and "style" in node.attributes):
            self.losses.add("words in color, underlined or of another size", self.place)
        if tag in _WEIGHT and words.strip() and _BREAK not in words and "\n" not in words:
            yield self._emphasis(node, words, _WEIGHT[tag])
        elif tag in {"sub", "sup"}:
            yield self._script(words, raised=tag == "sup")
        elif tag in _QUOTES:
            yield f"{_QUOTES[tag][0]}{words}{_QUOTES[tag][1]}"
        elif tag == "a" and (target := (node.attributes.get("href") or "").strip()) and words.strip():
            yield self._link(words, target)
        else:
            if tag not in _WORDS:
                self.losses.add("elements that decks do not have, now their words", f"<{tag}>")
            yield from inside

    def _emphasis(self, node: "LexborNode", words: str, mark: str) -> str:
        """Mark words as bold or italic, but not within a word, where `*` would be a product."""
        before = (node.prev.text() if node.prev else "")[-1:]
        after = (node.next.text() if node.next else "")[:1]
        if "*" in mark and (is_inside_word(before, words[0]) or is_inside_word(words[-1], after)):
            self.losses.add("bold or italic parts of words, now plain", self.place)
            return words
        bare = words.strip()
        return words.replace(bare, f"{mark}{bare}{mark}", 1)  # no mark may touch a space inside

    def _text(self, text: str) -> Iterator[str]:
        words = _PLAIN.sub(" ", text)
        if "\xa0" in words:
            words = _INDENT.sub(lambda run: "\xa0" * len(run[0]), words)
            words = re.sub(r"(?<!\xa0)\xa0(?!\xa0)", " ", words)
        if words:
            yield escaped_words(words)

    def _code(self, node: "LexborNode") -> str:
        text = _SPACES.sub(" ", self._put_back(node.text()))
        return self._keep(as_code(text)) if text.strip() else text

    def _script(self, words: str, *, raised: bool) -> str:
        script = words.translate(_RAISED if raised else _LOWERED)
        if words and not set(script) & set(words):
            return script
        if re.fullmatch(r"[A-Za-z0-9 ]+", words):
            return self._keep(f"${'^' if raised else '_'}{{\\text{{{words}}}}}$")
        self.losses.add("raised or lowered words, now on the line", self.place)
        return words

    def _image(self, node: "LexborNode") -> str:
        source = (node.attributes.get("src") or "").strip()
        if not source or source.lower().startswith("data:"):
            self.losses.add("pictures without a file", self.place)
            return ""
        if "://" in source:
            self.losses.add("pictures on the web, now links", self.place)
            return self._link("picture", source)
        return self._keep(media_link(unquote(source), " ".join((node.attributes.get("alt") or "").split())))

    def _link(self, words: str, target: str) -> str:
        if not re.match(r"(?:https?|mailto):", target):
            return words
        safe = re.sub(r"[<>\s\\]", lambda match: f"%{ord(match[0]) & 255:02X}", target)
        return f"{self._keep('[')}{words}{self._keep(f'](<{safe}>)')}"

    def _list(self, node: "LexborNode", *, ordered: bool) -> str:
        """Render a list as one piece: each entry after its mark, with its content indented."""
        entries = list[str]()
        first = node.attributes.get("start") or ""
        number = int(first) if re.fullmatch(r"\d{1,8}", first, re.ASCII) else 1
        for child in _nodes(node):
            pieces = self._children(child) if child.tag == "li" else [*self._node(child)]
            # A list directly below its entry's words, because a blank line would space out the whole list.
            words = re.sub(rf"\n\n(?=[{'-'.join(_KEPT)}])", self._list_break, _lines(pieces))
            if inside := self._put_back(words):
                mark = f"{number + len(entries)}. " if ordered else "- "
                entries.append(mark + inside.replace("\n", "\n" + " " * len(mark)))
        return self._keep(re.sub(r"\n +(?=\n)", "\n", "\n".join(entries)))

    def _list_break(self, match: re.Match[str]) -> str:
        following = self._put_back(match.string[match.end()])
        return "\n" if following.startswith(("- ", "1. ")) else match[0]

    def _table(self, node: "LexborNode") -> str:
        rows = [
            [_one_line(self._children(cell)).replace("|", r"\|") for cell in row.css("th, td")]
            for row in node.css("tr")
        ]
        rows = [row for row in rows if row]
        width = max(map(len, rows), default=0)
        if not width:
            return ""
        lines = [f"| {' | '.join(row + [''] * (width - len(row)))} |" for row in rows]
        lines.insert(1, f"|{' --- |' * width}")
        return self._keep(self._put_back("\n".join(lines)))


def _plain_signs(html: str) -> str:
    """Escape each `<` that does not open a tag, as in `if x<y: pass`. HTML would lose the words after it."""
    closed_names = {name.lower() for name in _CLOSED.findall(html)}

    def sign(match: re.Match[str]) -> str:
        name = (match[1] or "").lower()
        return match[0] if name in HTML_NAMES or name in closed_names else f"&lt;{match[0][1:]}"

    return _LESS_THAN.sub(sign, html)


def _nodes(node: "LexborNode") -> Iterator["LexborNode"]:
    child = node.first_child
    while child is not None:
        yield child
        child = child.next


def _tex(html: str) -> str:
    """Remove the HTML that an editor put into a formula."""
    text = _without_tags(re.sub(r"<br\s*/?>|</?(?:div|p)>", " ", html, flags=re.IGNORECASE))
    text = _SPACES.sub(" ", PRIVATE.sub(_gap_only, text)).strip().replace("$", r"\$")
    return re.sub(f" +(?={GAP_CLOSE}+$)", "", text)  # `$a $` is not a formula


def _without_tags(html: str) -> str:
    """Return the text of HTML as it stands, spaces included."""
    return unescape(_TAG.sub("", html))


def _gap_only(match: re.Match[str]) -> str:
    sign = match[0]
    return sign if sign in {GAP_OPEN, GAP_CLOSE, GAP_HINT} or _NUMBERS <= ord(sign) < _NUMBERS + 512 else ""


def _code_block(node: "LexborNode") -> str:
    html = re.sub(r"<br\s*/?>", "\n", node.inner_html or "", flags=re.IGNORECASE)
    text = _without_tags(html).strip("\n")
    language = re.match(r"\s*<code class=\"language-([\w+#-]+)\"", node.inner_html or "")
    return f"{fence(text)}{language[1] if language else ''}\n{text}\n{fence(text)}"


def _one_line(pieces: list[str]) -> str:
    return _SPACES.sub(" ", "".join(pieces).replace(_BREAK, " ")).strip()


def _lines(pieces: list[str]) -> str:
    """Join pieces into lines. Each block begins a new one, and line breaks are kept in Markdown."""
    rows = []
    for block in re.split(f"{_BREAK}+", "".join(pieces)):
        lines = [escaped_start(_PLAIN.sub(" ", line).strip(" ").rstrip()) for line in block.split("\n")]
        text = "\n".join(lines).strip("\n")
        if text:
            rows.append(hard_breaks(text))
    # An indented block continues the one before it, because it would lose its indent as a paragraph.
    return re.sub(r"(?<=\S)\n\n(?=\xa0)", r"\\\n", "\n\n".join(rows))
