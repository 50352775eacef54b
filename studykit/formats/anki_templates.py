"""Fill in the templates of Anki's note types: `{{Field}}`, filters, sections and the other side."""

import re
from collections.abc import Mapping, Sequence
from html import escape, unescape

_TOKEN = re.compile(r"\{\{([^{}]*)\}\}")
_ANSWER_LINE = re.compile(r"<hr[^>]*\bid\s*=\s*[\"']?answer[\"']?[^>]*>", re.IGNORECASE)
# What Anki takes as an empty field.
_EMPTY_HTML = re.compile(r"(?:<br\s*/?>|</?(?:div|p|span)[^>]*>|&nbsp;|\s)*", re.IGNORECASE)
_TAGS = re.compile(r"<[^<>]*>")
_MAX_SECTION_DEPTH = 30  # nested sections
_SILENT = frozenset(("type", "hint"))
_READING = re.compile(r" ?([^ >]+?)\[(?!sound:)(.+?)\]")
_READINGS = {"kanji": r"\1", "kana": r"\2", "furigana": r"<ruby>\1<rt>\2</rt></ruby>"}
FOLLOWED = _SILENT | _READINGS.keys() | {"text", "cloze", "nc"}
_MAX_SIDE_CHARACTERS = 200_000  # characters of a side


def fill(template: str, values: Mapping[str, str], *, asks: bool) -> tuple[str, set[str]]:
    """Fill a template with the fields of a note, and return its HTML and the filters of its fields.

    Unknown fields and inactive sections are left out.

    The question side (`asks`) shows neither the word to be typed nor a hint. The answer side shows both.
    """
    pieces, used_filters, at = list[str](), set[str](), 0
    open_sections: list[bool] = []
    template_tokens = {token.strip() for token in _TOKEN.findall(template)}
    template = re.sub(r"<!--.*?-->", "", template, flags=re.DOTALL)
    for token in _TOKEN.finditer(template):
        is_shown = all(open_sections)
        if is_shown:
            pieces.append(template[at : token.start()])
        at = token.end()
        name = token[1].strip()
        if name[:1] in {"#", "^"} and len(open_sections) < _MAX_SECTION_DEPTH:
            is_empty = _EMPTY_HTML.fullmatch(values.get(name[1:].strip(), "")) is not None
            open_sections.append(is_empty == (name[0] == "^"))
        elif name[:1] == "/":
            if open_sections:
                open_sections.pop()
        elif is_shown:
            *filters, field = [part.strip() for part in name.split(":")]
            used_filters.update("tts" if one.startswith("tts") else one for one in filters)
            is_beside = field in template_tokens and any(one.startswith("tts") for one in filters)
            is_only_gap = {"type", "cloze"} <= set(filters) and f"cloze:{field}" not in template_tokens
            is_silent = is_beside or (asks and not _SILENT.isdisjoint(filters) and not is_only_gap)
            pieces.append("" if is_silent else _value(filters, values.get(field, "")))
    pieces.append(template[at:] if all(open_sections) else "")
    return "".join(pieces)[:_MAX_SIDE_CHARACTERS], used_filters


def typed_field(template: str) -> str:
    """Return the field that a question asks to type, or ""."""
    tokens = ([part.strip() for part in token.split(":")] for token in _TOKEN.findall(template))
    return next((field for *filters, field in tokens if "type" in filters), "")


def answer_part(template: str) -> str:
    """Return what an answer template has below its line, or all but the question if it has no line."""
    line = _ANSWER_LINE.search(template)
    if line is not None:
        return template[line.end() :]
    return re.sub(r"\{\{\s*FrontSide\s*\}\}", "", template)


def _value(filters: Sequence[str], text: str) -> str:
    for filter_ in reversed(filters):  # the one next to the field applies first
        if filter_ in _READINGS:
            text = _READING.sub(_READINGS[filter_], text.replace("&nbsp;", " "))
        elif filter_ == "hint":
            text = f"<div>{text}</div>"
    return escape(unescape(_TAGS.sub("", text)), quote=False) if "text" in filters else text
