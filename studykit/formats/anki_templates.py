"""The templates of Anki's note types filled in: `{{Field}}`, filters, sections, the other side. Pure."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from html import escape, unescape

_TOKEN = re.compile(r"\{\{([^{}]*)\}\}")
_ANSWER_LINE = re.compile(r"<hr[^>]*\bid\s*=\s*[\"']?answer[\"']?[^>]*>", re.IGNORECASE)
# A field that says nothing, as Anki sees it.
_EMPTY_HTML = re.compile(r"(?:<br\s*/?>|</?(?:div|p|span)[^>]*>|&nbsp;|\s)*", re.IGNORECASE)
_TAGS = re.compile(r"<[^<>]*>")
_DEEPEST = 30  # sections in sections
_SILENT = frozenset(("type", "hint"))
_MAX_SIDE_CHARACTERS = 200_000  # characters of a side


@dataclass(frozen=True, slots=True)
class FilledTemplate:
    """A side of a card as HTML, whether it asks to type the answer, and whether it keeps a hint for a click."""

    html: str
    typed: bool = False
    hinted: bool = False


def filled(template: str, values: Mapping[str, str], *, asks: bool) -> FilledTemplate:
    """A template with the fields of a note; one that is not known stays away, as does a section that is not meant.

    The side that asks says neither what is to be typed nor a hint; the other one says both.
    """
    output, typed, hinted, at = list[str](), False, False, 0
    open_sections: list[bool] = []
    template = re.sub(r"<!--.*?-->", "", template, flags=re.DOTALL)
    for token in _TOKEN.finditer(template):
        is_shown = all(open_sections)
        if is_shown:
            output.append(template[at : token.start()])
        at = token.end()
        name = token[1].strip()
        if name[:1] in {"#", "^"} and len(open_sections) < _DEEPEST:
            is_empty = _EMPTY_HTML.fullmatch(values.get(name[1:].strip(), "")) is not None
            open_sections.append(is_empty == (name[0] == "^"))
        elif name[:1] == "/":
            if open_sections:
                open_sections.pop()
        elif is_shown:
            filters = name.split(":")[:-1]
            silent = asks and any(one.strip() in _SILENT for one in filters)
            output.append("" if silent else _value(name, values))
            typed, hinted = typed or "type" in filters, hinted or (silent and "hint" in filters)
    output.append(template[at:] if all(open_sections) else "")
    return FilledTemplate("".join(output)[:_MAX_SIDE_CHARACTERS], typed, hinted)


def answer_part(template: str) -> str:
    """The answer's side without the question: what stands below the line, and no front side in it."""
    line = _ANSWER_LINE.search(template)
    if line is not None:
        return template[line.end() :]
    return re.sub(r"\{\{\s*FrontSide\s*\}\}", "", template)


def _value(name: str, values: Mapping[str, str]) -> str:
    *filters, field = [part.strip() for part in name.split(":")]
    if any(one.startswith("tts") for one in filters):
        return ""
    text = values.get(field, "")
    return escape(unescape(_TAGS.sub("", text)), quote=False) if "text" in filters else text
