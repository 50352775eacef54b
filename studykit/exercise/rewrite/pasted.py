"""Extract Python from a pasted answer with fences, prompts, magics or a whole notebook around it."""

import ast
import json
import re
from contextlib import suppress

NOTEBOOK = "the text and the results of a notebook"
_FENCE = re.compile(r"\s*(?:```|~~~)")
_PROMPT = re.compile(r"(?:>>>|\.\.\.)(?: |$)|(?:In ?\[\d*\]|   \.\.\.): ?")
_SIGNS = str.maketrans("\u00a0\u2018\u2019\u201c\u201d", " ''\"\"")  # of word processors and phones
_MAGIC = re.compile(r"\s*(?:%{1,2}\w|[!?]|[\w.]+ *= *[%!]\w|[\w.]+\?{1,2}\s*$)")


def python_of(text: str) -> tuple[str, str]:
    """Return the Python of an answer, with line numbers unchanged, and a description of what was removed."""
    with suppress(ValueError, TypeError, KeyError, AttributeError, RecursionError):
        if text.lstrip().startswith("{"):
            cells = [cell for cell in json.loads(text)["cells"] if cell["cell_type"] == "code"]
            return "\n\n".join(_of_cell("".join(cell["source"])) for cell in cells), NOTEBOOK
    # Text that parses is left alone: a docstring may hold a fence or a prompt.
    if _parses(text):
        return text, ""
    lines = text.translate(_SIGNS).splitlines()
    words = "curly quotes and hard spaces" if lines != text.splitlines() else ""
    fences = [place for place, line in enumerate(lines) if _FENCE.match(line)]
    if fences:
        inside = range(fences[0] + 1, fences[1] if len(fences) > 1 else len(lines))
        lines, words = [line if place in inside else "" for place, line in enumerate(lines)], "the fence ```"
    elif any(line.startswith((">>>", "In [")) for line in lines):
        lines = [line[prompt.end() :] if (prompt := _PROMPT.match(line)) else "" for line in lines]
        words = "the prompts and what was printed"
    elif any(map(_MAGIC.match, lines)):
        words = "lines with %, ! or ?"
    return _without_magic("\n".join(lines)), words


def _of_cell(text: str) -> str:
    """Return the Python of a notebook's cell, or "" for a cell of another language, such as `%%bash`."""
    code = _without_magic(text)
    return "" if text.startswith("%%") and not _parses(code) else code


def _parses(text: str) -> bool:
    try:
        ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def _without_magic(text: str) -> str:
    return "\n".join("" if _MAGIC.match(line) else line for line in text.split("\n"))
