"""Test odd words and addresses on the command line: each gets a message at once, and changes nothing."""

import re

import pytest
from shell import Shell

_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u2028\u2029\u202a-\u202e\u2066-\u2069]")
_DECKS = (
    *("../x", "/etc/passwd", "..", ".", "a/b", "a\x1b[31mb", "-", "x" * 300, "mine\n", "\udcff", "~/x"),
    "a\\..\\b",
)
_QUERIES = (
    *("(" * 3000, '"' * 99, "a" * 90_000, "-", " ", "tag:", "deck:../..", "is:due -is:due OR"),
    *("%_%'; drop table x;--", "/(a+)+$(a+)+$/", "due:<99999999999999999999999", "added:" + "9" * 400, "\udcff"),
    *("is:\x1b", "stability>1e999", "lapses:-1", "re:(", "OR OR OR", "NOT", "prop:due=nan", "a\x1b"),
)
_DAYS = (
    *("99999-01-01", "0000-00-00", "9999-12-31", "2026-02-30", "0001-01-01"),
    *("1000000 days", "9" * 40, "\x1b[2J", "-1"),
)
_NOTES = (
    ("Q: one\nA: two\n\n---\n\nQ: three", "A: four\n\nQ: five\nA: six"),
    ("x", "1\n\nQ: another\nA: yes"),
    ("x", "```\nopen"),
    ("x", "<!-- "),
    ("a\x1b]0;x\x07b\u202e", "c\x9bd"),
    ("q" * 100_000, "a"),
)


@pytest.fixture
def study(study: Shell) -> Shell:
    study.write("config.toml", 'course = "off"\n')
    return study


@pytest.mark.parametrize(
    "command_lines",
    [
        pytest.param([("add", "q", "a", "-d", deck) for deck in _DECKS], id="decks"),
        pytest.param([("add", *note) for note in _NOTES], id="notes"),
        pytest.param([("find", query) for query in _QUERIES], id="queries"),
        pytest.param([("plan", "--exam", day) for day in _DAYS], id="days"),
        pytest.param([("edit", card) for card in ("../../x", "\x1b", "zebra\n", "x" * 500)], id="cards"),
    ],
)
def test_what_nobody_means_is_answered_and_changes_nothing(
    study: Shell, command_lines: list[tuple[str, ...]]
) -> None:
    study("add", "Haus", "house")
    decks = study.home / "data/studykit/decks"
    before = {path: path.read_bytes() for path in decks.rglob("*") if path.is_file()}

    for words in command_lines:
        result = study(*words)

        assert result.code in {0, 1, 2, 3, 5}, (words, result)
        assert "Traceback" not in result.err
        assert not _CONTROL.search(result.out + result.err), words
    assert {path: path.read_bytes() for path in decks.rglob("*") if path.is_file()} == before


@pytest.mark.parametrize(
    "words",
    [
        ("--\u202eexe",),
        ("\u061cdue",),
        ("due", "--\x1b[31mred"),
        ("due", "-\u2028b"),
        ("review", "-n", "\u202e1"),
        ("deck", "\x9blist"),
        ("stats", "--by", "\u2067deck"),
    ],
    ids=ascii,
)
def test_usage_error_turns_no_text_around(study: Shell, words: tuple[str, ...]) -> None:
    result = study(*words)

    assert result.code == 2
    assert "Error: " in result.err
    assert not _CONTROL.search(result.err)
