"""Test that the style and the scripts of a page are their source files, joined."""

import json
import re
from collections.abc import Iterator

import pytest
from py_mini_racer import MiniRacer

from studykit.html import assets
from studykit.html.strings import Strings, shipped

LIMIT_S = 20
REVIEW = ("say.js", "sm2.js", "log.js", "store.js", "newer.js", "review.js")
EXERCISE = ("quantity.js", "number.js", "variant.js", "exercise.js")


@pytest.fixture(scope="module")
def engine() -> Iterator[MiniRacer]:
    racer = MiniRacer()
    yield racer
    racer.close()


@pytest.mark.parametrize("name", assets.SCRIPTS)
def test_a_joined_script_parses(engine: MiniRacer, name: str) -> None:
    text = json.dumps(assets.script(name, shipped()))

    assert engine.eval(f"typeof new Function({text})", timeout_sec=LIMIT_S) == "function"


PARTS = sorted({part for parts in assets.SCRIPTS.values() for part in parts})


@pytest.mark.parametrize("name", PARTS)
def test_squeezed_script_has_the_tokens_of_its_file(name: str) -> None:
    """Compare texts, names, numbers and signs, without the space between them."""
    token = re.compile(
        r"""\s+|//\s.*|("(?:[^"\\\n]|\\.)*"|`[^`]*`|/(?! )(?:[^/\\\n[]|\\.|\[[^]\n]*])+/|[\w$]+|.)"""
    )
    source_tokens, script_tokens = (
        [match[1] for match in token.finditer(text) if match[1]]
        for text in (assets.source(name), assets.in_one_function({}, name))
    )

    signs = {",", ";", "(", ")"}  # which may be left out before a bracket, and around one argument
    assert [each for each in script_tokens if each not in signs][4:-1] == [
        each for each in source_tokens if each not in signs
    ]


@pytest.mark.parametrize("name", [*REVIEW, *EXERCISE, "index.js"])
def test_script_template_literals_stay_on_one_line(name: str) -> None:
    assert [line for line in assets.source(name).splitlines() if line.count("`") % 2] == []


@pytest.mark.parametrize(
    ("table", "names"), [("script", (*REVIEW, "index.js")), ("exercise", EXERCISE), ("app_script", ("app.js",))]
)
def test_script_string_table_has_exactly_the_used_words(table: str, names: tuple[str, ...]) -> None:
    words = {word for name in names for word in re.findall(r"\b[TA]\.(\w+)", assets.source(name))}

    assert words == set(shipped()[table])


@pytest.mark.parametrize("name", assets.SCRIPTS)
def test_no_word_of_a_script_ends_it(name: str) -> None:
    strings = Strings({**shipped().tables, "verdict": {**shipped()["verdict"], "correct": "</a>"}})

    assert "</" not in assets.script(name, strings)


def test_style_joins_files_without_indentation_or_comments() -> None:
    source_lines = [
        line.lstrip() for line in (assets.source("page.css") + assets.source("cards.css")).splitlines()
    ]

    style = assets.style("page.css", "cards.css")

    assert style == "".join(f"{line}\n" for line in source_lines if not line.startswith("/*"))
    assert "/*" not in style


@pytest.mark.parametrize("host", ["sphinx_events.txt", "studydeck.html"])
def test_host_that_looks_for_judges_looks_for_all(host: str) -> None:
    judges = {name for name in assets.SCRIPTS if name.startswith("studykit-")}

    assert judges == set(re.findall(r'"(studykit-\w+\.js)"', assets.source(host, "hosts")))
