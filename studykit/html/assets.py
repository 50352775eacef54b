"""The pages' style, script and words: the files of `static`, joined, without their indentation."""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib.resources import files

from studykit.html.strings import Strings

_UNREAD = re.compile(r"^ *(?://.*\n)?", re.MULTILINE)
_UNREAD_STYLE = re.compile(r"^ *(?:/\*.*\*/\n)?", re.MULTILINE)
"""Indentation, and lines that only explain: a reader of the page has the source."""
_REVIEW = ("sm2.js", "log.js", "store.js", "review.js")
_APP = ("sm2.js", "log.js", "store.js", "due_list.js", "app.js")
_EXERCISE = ("quantity.js", "number.js", "variant.js", "suggestion.js", "exercise.js")


def source(name: str) -> str:
    """A style or script as it was written."""
    return files("studykit.html").joinpath("static", name).read_text("utf-8")


@cache
def style(*names: str) -> str:
    """The named styles in one, without indentation and the lines that only explain."""
    return _UNREAD_STYLE.sub("", "".join(map(source, names)))


@cache
def review_script() -> str:
    """The script that turns cards into a review, one function that leaves no name behind."""
    return _in_one_function({}, *_REVIEW)


@cache
def exercise_script(strings: Strings) -> str:
    """The script that judges numbers, for decks with exercises only."""
    from studykit.html.numeric_sets import vocabulary

    return _in_one_function({"T": strings["exercise"], "V": vocabulary(strings)}, *_EXERCISE)


@cache
def choice_script(strings: Strings) -> str:
    """The script that asks choices, for decks with choices only."""
    verdicts = {word: strings["exercise"][word] for word in ("right", "close", "wrong")}
    return _in_one_function({"T": verdicts}, "suggestion.js", "choice.js")


@cache
def index_script() -> str:
    """The script of the index's search field."""
    return _in_one_function({}, "index.js")


def app_script(strings: Strings, decks: Sequence[Mapping[str, object]]) -> str:
    """The script of the app, which knows the cards of every deck by their ids."""
    return _in_one_function({"T": strings["app_script"], "D": decks}, *_APP)


def worker_script(version: str, file_names: Sequence[str]) -> str:
    """The service worker that keeps these files."""
    return _in_one_function({"VERSION": version, "FILES": file_names}, "service_worker.js")


def _in_one_function(constants: Mapping[str, object], *names: str) -> str:
    """The named scripts in one function, behind the constants that Python gives them."""
    texts = {
        name: json.dumps(value, ensure_ascii=False, separators=(",", ":")) for name, value in constants.items()
    }
    declarations = "".join(f"const {name} = {text};\n" for name, text in texts.items())
    declarations = declarations.replace("<", "\\u003c")  # nothing in it ends the element that it stands in
    return f'(() => {{\n"use strict";\n{declarations}{_UNREAD.sub("", "".join(map(source, names)))}}})();\n'


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

SCRIPTS: Mapping[str, Callable[[Strings], str]] = {
    "studykit.js": lambda _: review_script(),  # its words stand in the page
    "studykit-exercises.js": exercise_script,
    "studykit-choices.js": choice_script,
}
"""The scripts that a page of cards may need, by the names of their files."""
