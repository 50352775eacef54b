"""Render a card's Markdown as HTML, with formulas as MathML, embedded images, and HTML shown as text."""

import re
from collections.abc import Callable, Mapping, Sequence
from html import escape, unescape

from markdown_it.token import Token
from markupsafe import Markup
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name
from pygments.util import ClassNotFound

from studykit.cards.card import GAP
from studykit.cards.markdown import label_text, new_parser, parse
from studykit.cards.wording import excerpt
from studykit.formula import formula
from studykit.html.images import ImageError, Images, media_kind
from studykit.html.mathml import Tex, TexError, UnknownTexError
from studykit.html.strings import shipped
from studykit.text import REPLACED

_SHOWN = 60  # characters of a formula in a message
_MAX_LINE = 18  # characters of a formula that fit a phone with large text
_MAX_PRINTED = 80  # characters that fit a sheet of paper
_ALIGN = {"text-align:left": "sk-left", "text-align:center": "sk-mid", "text-align:right": "sk-right"}
_FORMATTER: HtmlFormatter[str] = HtmlFormatter(nowrap=True, classprefix="sk-")
_GAP = f'<span class="sk-gap">{GAP}</span>'
_BLANK = re.compile(r"\n(?=[ \t]*\n)")
_SIGNED_FORMULA = re.compile(
    r"((?:(?<![^\w\s<>&;])[^\w\s<>&;]*+)?)(<math>(?:(?!</math>).)*</math>)([^\w\s<>&]*)", re.DOTALL
)
"""A formula within a line, and the adjacent signs that may not wrap onto another line."""
_SPAN = re.compile(r'<span class="sk-(\w+)">([^<]*)</span>')
_FORMULA = re.compile(r"<math\b.*?</math>", re.DOTALL)
_COLORS = {"k": "k", "ow": "k", "s": "s", "m": "m", "nb": "m", "c": "c"}
"""Colors of code, by the Pygments name of a token or its first letter."""


class MarkdownError(ValueError):
    """Raised for a text that cannot be rendered. `culprit` is the part of it to search for."""

    def __init__(self, message: str, culprit: str) -> None:
        super().__init__(message)
        self.culprit = culprit


class MediaError(MarkdownError):
    """Raised for a picture, sound or film of a card that is missing or cannot be embedded."""


class Markdown:
    """Render the texts of one deck."""

    def __init__(self, tex: Tex, images: Images | None, quotes: str = "") -> None:
        """Set up a parser. `quotes` replace straight quotes: two double, then two single ones."""
        self._tex = tex
        self._images = images
        self._inline: dict[str, str] = {}
        self._formulas: dict[str, str] = {}  # TeX by its MathML
        quotes = quotes or shipped()["page"]["quotes"]
        self._parser = new_parser(quotes)
        rules: Mapping[str, Callable[[Token], str]] = {
            "text": lambda token: escape(clean(token.content), quote=False).replace(GAP, _GAP),
            "fence": lambda token: code_block(token.content, token.info.strip().partition(" ")[0]),
            "code_block": lambda token: code_block(token.content),
            "math_inline": lambda token: self._math(token, block=False),
            "math_inline_double": lambda token: self._frame(self._math(token, block=True), "sk-math"),
            "math_block": lambda token: self._frame(self._math(token, block=True), "sk-math") + "\n",
            "image": self._image,
        }
        for name, rule in rules.items():
            self._parser.add_render_rule(name, lambda _, tokens, at, *__, rule=rule: rule(tokens[at]))

    def blocks(self, text: str) -> str:
        """Render a text as HTML blocks, with its headings one level below the card's own heading."""
        return self._render(self._tokens(text)).strip()

    def inline(self, text: str) -> str:
        """Render a text of one line without a block around it."""
        if text not in self._inline:  # an exercise repeats its hints and messages in every set of numbers
            self._inline[text] = self._render(self._parser.parseInline(clean(text), {})).strip()
        return self._inline[text]

    def question(self, text: str, otherwise: str) -> tuple[str, str]:
        """Render a prompt's first paragraph or heading, and the rest. `otherwise` is the default heading."""
        tokens = self._tokens(text)
        if tokens and tokens[0].type in {"paragraph_open", "heading_open"}:
            return self._render(tokens[1:2]).strip(), self._render(tokens[3:]).strip()
        return escape(otherwise), self._render(tokens).strip()

    def words(self, html: str) -> str:
        """Return the words of rendered HTML on one line, with formulas as in a terminal."""
        return plain(self.without_mathml(html))

    def without_mathml(self, html: str) -> str:
        """Replace formulas by text, for readers that drop MathML and would make 10⁹ into 109."""
        return _FORMULA.sub(lambda match: escape(self._formula_text(match[0])), html)

    @property
    def lines(self) -> dict[str, str]:
        """Map the MathML of each formula to the formula as a line of text."""
        return {mathml: self._formula_text(mathml) for mathml in self._formulas}

    def _formula_text(self, mathml: str) -> str:
        tex = self._formulas.get(mathml, "")
        return formula(tex, self._tex.macros) or f"${tex}$"

    def _tokens(self, text: str) -> list[Token]:
        tokens = parse(clean(text), self._parser)
        for token in tokens:
            if token.type in {"heading_open", "heading_close"}:
                token.tag = "h4"
            elif (style := str(token.attrs.pop("style", ""))) in _ALIGN:
                token.attrSet("class", _ALIGN[style])
        return tokens

    def _render(self, tokens: Sequence[Token]) -> str:
        html = str(self._parser.renderer.render(tokens, self._parser.options, {}))
        html = _SIGNED_FORMULA.sub(self._keep_on_line, html)
        if "<table>" not in html:
            return html
        html = html.replace("<table>", '<div class="sk-scroll" tabindex="0"><table>')
        return html.replace("</table>", "</table></div>")

    def _keep_on_line(self, match: re.Match[str]) -> str:
        """Keep a formula and adjacent signs on one line. A long formula scrolls instead."""
        before, formula, after = match.groups()
        if len(self._formula_text(formula)) > _MAX_LINE:
            return before + self._frame(formula, "sk-math sk-inline") + after
        return f'<span class="sk-line">{match[0]}</span>' if before or after else str(formula)

    def _frame(self, mathml: str, classes: str) -> str:
        """Put a formula into a frame that scrolls, and that gets the keyboard's focus if the formula is long."""
        length = len(self._formula_text(mathml))
        wide = " sk-wide" if length > _MAX_PRINTED else ""
        focusable = ' tabindex="0"' if length > _MAX_LINE else ""
        return f'<span class="{classes}{wide}"{focusable}>{mathml}</span>'

    def _math(self, token: Token, *, block: bool) -> str:
        tex = token.content.strip()
        try:
            mathml = self._tex.mathml(tex, block=block)
        except UnknownTexError:  # `study check` names it
            return f"<code>{escape(tex)}</code>"
        except TexError as error:
            message = f"the formula ${excerpt(token.content, _SHOWN)}$ does not parse: {error}"
            raise MarkdownError(message, tex.partition("\n")[0]) from None
        self._formulas[mathml] = tex
        return mathml

    def _image(self, token: Token) -> str:
        source = str(token.attrs.get("src", ""))
        if self._images is None:
            raise MarkdownError("an image cannot be shown in this text", source)
        tag = media_kind(source)
        try:
            url = self._images.data_url(source)
        except ImageError as error:
            failure = "an image cannot be shown" if tag == "img" else f"the {tag} cannot be played"
            raise MediaError(f"{failure}: {error}", source) from None
        title = f' title="{escape(str(token.attrs["title"]))}"' if "title" in token.attrs else ""
        words = escape(label_text(token.children or ()))
        if tag == "img":
            return f'<img src="{url}" alt="{words}"{title}>'
        label = f' aria-label="{words}"' if words else ""
        return f'<{tag} controls src="{url}"{label}{title}></{tag}>'


def code_block(text: str, language: str = "") -> str:
    """Render a `pre` element with classes for its colors, because the page's policy forbids styles.

    Blank lines are escaped, because they would end an HTML block in Markdown hosts.
    """
    try:
        lexer = get_lexer_by_name(language, stripnl=False)
        html = _SPAN.sub(_coarse_color, highlight(text, lexer, _FORMATTER))
    except ClassNotFound:
        html = escape(text)
    return f'<pre class="sk-code" tabindex="0"><code>{_BLANK.sub("&#10;", html)}</code></pre>\n'


def _coarse_color(span: re.Match[str]) -> str:
    kind, text = span.groups()
    color = _COLORS.get(kind) or _COLORS.get(kind[0])
    return f'<span class="sk-{color}">{text}</span>' if color else text


def trusted(html: str) -> Markup:
    """Mark our own HTML as safe for a template: rendered Markdown or the page's script."""
    return Markup(html)  # noqa: S704 - the one place where text becomes markup


def with_lines(html: str, lines: Mapping[str, str]) -> str:
    """Add each formula's line of text to the HTML, because a site's search cannot read MathML."""

    def add_line(match: re.Match[str]) -> str:
        line = lines.get(match[0])
        if line is None:
            return match[0]
        start = f'<math data-line="{escape(line)}" data-pagefind-index-attrs="data-line"'
        opening, content = match[0][len("<math") : -len("</math>")].split(">", 1)
        return f"{start}{opening}><mrow data-pagefind-ignore>{content}</mrow></math>"

    return _FORMULA.sub(add_line, html)


def clean(text: str) -> str:
    """Replace control characters that could hide or reorder what a reader sees."""
    return text.translate(REPLACED)


def plain(markup: str) -> str:
    """Return the text of rendered HTML on one line."""
    words = re.sub(r"</(?:p|li|td|th|tr|h4|pre|div)>", " ", markup)
    words = re.sub(r"<[^<>]*>", "", words)
    return " ".join(unescape(words).split())
