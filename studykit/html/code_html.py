"""Fenced code with classes for its colours; never a style, never the author's language name as markup."""

import re
from html import escape

from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name
from pygments.util import ClassNotFound

_FORMATTER: HtmlFormatter[str] = HtmlFormatter(nowrap=True, classprefix="sk-")
_BLANK = re.compile(r"\n(?=[ \t]*\n)")
_SPAN = re.compile(r'<span class="sk-(\w+)">([^<]*)</span>')
_COLOURS = {"k": "k", "ow": "k", "s": "s", "m": "m", "nb": "m", "c": "c"}
"""Kinds of tokens, by their Pygments names or the first letters of these, that a page tells apart."""


def code_block(text: str, language: str = "") -> str:
    """The text as a `pre`; without blank lines in the source, which would end an HTML block in Markdown hosts."""
    return (
        f'<pre class="sk-code" tabindex="0"><code>{_BLANK.sub("&#10;", _coloured(text, language))}</code></pre>\n'
    )


def _coloured(text: str, language: str) -> str:
    if re.fullmatch(r"[A-Za-z0-9+#_.-]{1,40}", language):
        try:
            lexer = get_lexer_by_name(language, stripnl=False)
        except ClassNotFound:
            return escape(text)
        return _SPAN.sub(_few, highlight(text, lexer, _FORMATTER))
    return escape(text)


def _few(span: re.Match[str]) -> str:
    kind, text = span.groups()
    colour = _COLOURS.get(kind) or _COLOURS.get(kind[0])
    return f'<span class="sk-{colour}">{text}</span>' if colour else text
