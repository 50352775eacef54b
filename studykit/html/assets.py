"""The pages' style and script: put together, made small, and named by hash in the content security policy."""

import json
import re
from base64 import b64encode
from functools import cache
from hashlib import sha256
from importlib.resources import files

from studykit.html.javascript import smaller
from studykit.html.strings import words

_REVIEW = ("sm2.js", "log.js", "store.js", "review.js")
_RULE = re.compile(r"(?<=[{};])([^{};@]+)\{[^{}]*\}")
_BETWEEN_SELECTORS = re.compile(r",(?![^()]*\))")
_EXERCISE = ("quantity.js", "number.js", "variant.js", "exercise.js")


def source(name: str) -> str:
    """A style or script as it was written."""
    return files("studykit.html").joinpath("static", name).read_text("utf-8")


@cache
def style(*names: str) -> str:
    """The named styles in one, made small."""
    return "".join(smaller_css(source(name)) for name in names)


@cache
def ours() -> frozenset[str]:
    """Names in the scripts that are ours alone: neither a browser nor any data knows them."""
    return frozenset(source("ours.txt").split())


@cache
def review_script() -> str:
    """The script that turns cards into a review, one function that leaves no name behind."""
    return _closed("script", "".join(map(source, _REVIEW)))


@cache
def exercise_script() -> str:
    """The script that judges numbers, for decks with exercises only."""
    from studykit.html.numeric_sets import vocabulary

    told = json.dumps(vocabulary(), ensure_ascii=False, separators=(",", ":"))
    return _closed("exercise", f"const V = {told};" + "".join(map(source, _EXERCISE)))


@cache
def index_script() -> str:
    """The script of the index's search field."""
    return _closed("page", source("index.js"))


def _closed(table: str, body: str) -> str:
    return smaller(f'(() => {{"use strict";{body}}})();', words()[table], ours())


def csp(page_style: str, page_script: str) -> str:
    """A policy under which nothing runs or loads but exactly this style and this script."""
    return (
        f"default-src 'none'; style-src {_hashed(page_style)}; script-src {_hashed(page_script)}; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )


def _hashed(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


def needed_css(css: str, page: str) -> str:
    """The style without the rules for classes of ours that the page, its script included, never names."""

    def needed(selector: str) -> bool:
        classes = re.findall(r"\.(sk-[\w-]+)", selector)
        return not classes or any(name in page for name in classes)

    def kept(rule: re.Match[str]) -> str:
        return rule[0] if any(map(needed, _BETWEEN_SELECTORS.split(rule[1]))) else ""

    return _RULE.sub(kept, css)


def smaller_css(text: str) -> str:
    """The style without comments and needless space; a space before `:` is kept, for it means a descendant."""
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
    text = re.sub(r"\s+", " ", text)
    text = re.sub(r" ?([{};,>!]) ?", r"\1", text)
    text = re.sub(r"(?<=[{;(])([a-z-]+): ", r"\1:", text)
    return text.replace(";}", "}").strip()
