"""Code with its words told apart by weight and a few colours, on the terminal's own background."""

from studykit.terminal.spans import Line, Look, Span

_LOOKS = (
    ("Token.Keyword", Look.BOLD),
    ("Token.Name.Function", Look.BOLD),
    ("Token.Name.Class", Look.BOLD),
    ("Token.Operator.Word", Look.BOLD),
    ("Token.Comment", Look.ITALIC),
    ("Token.Literal.String", Look.GREEN),
    ("Token.Literal.Number", Look.CYAN),
)
_LONGEST = 20_000  # characters that are worth colouring


def highlighted(code: str, language: str) -> list[Line]:
    """The lines of a piece of code; without looks where its language is not known."""
    lines: list[list[Span]] = [[]]
    for text, look in _tokens(code, language):
        for number, part in enumerate(text.split("\n")):
            if number:
                lines.append([])
            if part:
                lines[-1].append(Span(part, look))
    return [tuple(spans) for spans in lines]


def _tokens(code: str, language: str) -> list[tuple[str, Look]]:
    from pygments.lexers import get_lexer_by_name
    from pygments.util import ClassNotFound

    if not language or len(code) > _LONGEST:
        return [(code, Look.PLAIN)]
    try:
        lexer = get_lexer_by_name(language, stripnl=False, ensurenl=False)
    except ClassNotFound:
        return [(code, Look.PLAIN)]
    return [(text, _look(str(kind))) for kind, text in lexer.get_tokens(code)]


def _look(kind: str) -> Look:
    return next((look for prefix, look in _LOOKS if kind.startswith(prefix)), Look.PLAIN)
