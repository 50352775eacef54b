"""Join the styles and scripts of `static` for a page, without indentation and comments."""

import json
import re
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files

from studykit.html.strings import Strings

_UNREAD = re.compile(r"^ *(?://.*\n)?| +// .*", re.MULTILINE)
_UNREAD_STYLE = re.compile(r"^ *(?:/\*.*\*/\n)?", re.MULTILINE)
"""Indentation and comments, which pages leave out because the source has them."""
_TEXT = r"""("(?:[^"\\\n]|\\.)*"|`[^`\n]*`|/(?! )(?:[^/\\\n[]|\\.|\[(?:[^]\\\n]|\\.)*])+/)"""
"""Texts and regular expressions, which stay as they are. A slash before a space is a division instead."""
_SPACED = re.compile(_TEXT + r"| ?([{}()\[\],;:?=<>&|*]|[-+](?! ?[-+])) ?")
_ARROW = re.compile(r"(?<!\w)\((\w+)\)=>")
_LINE_END = re.compile(r"\n(?=\n)|[,;]?\n(?=[}\])])|(?<=[{,;])\n")


def source(name: str, folder: str = "static") -> str:
    """Return the text of a style, a script or a host's code."""
    return files("studykit.html").joinpath(folder, name).read_text("utf-8")


@cache
def style(*names: str) -> str:
    """Join the named styles, without indentation and comment lines."""
    return _UNREAD_STYLE.sub("", "".join(map(source, names)))


@cache
def script(name: str, strings: Strings, *others: str) -> str:
    """Join some of `SCRIPTS` into one function, which leaks no names, with the words and tables they need."""
    names = (name, *others)
    constants: dict[str, object] = {}
    if "studykit-exercises.js" in names:  # the words of the others are in the page
        from studykit.html.numeric_sets import vocabulary

        constants = {"T": {**strings["exercise"], **strings["verdict"]}, "V": vocabulary()}
    return in_one_function(constants, *dict.fromkeys(part for each in names for part in SCRIPTS[each]))


def in_one_function(constants: Mapping[str, object], *names: str) -> str:
    """Wrap the named scripts into one function, after constants from Python."""
    texts = {
        name: json.dumps(value, ensure_ascii=False, separators=(",", ":")) for name, value in constants.items()
    }
    declarations = "".join(f"const {name} = {text};\n" for name, text in texts.items())
    declarations = declarations.replace("<", "\\u003c")  # so that no text in it ends the script element
    body = _SPACED.sub(r"\1\2", _UNREAD.sub("", "".join(map(source, names))))
    body = _ARROW.sub(r"\1=>", _LINE_END.sub("", body))
    return f'(() => {{\n"use strict";\n{declarations}{body}\n}})();\n'


STYLES = (
    "cards.css",
    "review.css",
    "array.css",
    "table.css",
    "task.css",
    "verdict.css",
    "choice.css",
    "exercise.css",
    "rtl.css",
)
"""The styles that a page of cards may need."""

SCRIPTS: Mapping[str, Sequence[str]] = {
    "studykit.js": ("say.js", "sm2.js", "log.js", "store.js", "newer.js", "review.js"),
    "studykit-exercises.js": ("say.js", "quantity.js", "number.js", "variant.js", "exercise.js"),
    "studykit-choices.js": ("choice.js",),
    "studykit-typed.js": ("typed.js",),
    "index.js": ("say.js", "sm2.js", "log.js", "store.js", "newer.js", "index.js"),
}
"""The parts of the scripts that a page of cards, or the index, may need."""
