"""Test study find, and cards named by words in other verbs."""

import pytest
from shell import Shell

from studykit.cli.context import Context

DECK = """---
name = "Words"
---
Q: Haus {#haus .noun}
A: house
Q: boat house {#boat-house}
A: Bootshaus
Q: mouse {#mouse .noun}
A: Maus
"""


@pytest.fixture
def study(study: Shell) -> Shell:
    return study.with_deck("words.md", DECK)


def on_a_terminal(monkeypatch: pytest.MonkeyPatch, columns: int = 80) -> None:
    monkeypatch.setattr(Context, "on_terminal", property(lambda _: True))
    monkeypatch.setattr(Context, "interactive", property(lambda _: True))
    monkeypatch.setenv("COLUMNS", str(columns))


def test_a_pipe_gets_a_card_a_line(study: Shell) -> None:
    assert study("find", "house").out == "haus\twords\tHaus\nboat-house\twords\tboat house\n"
    assert study("find", "house", "boat").out == "boat-house\twords\tboat house\n"


@pytest.mark.parametrize("words", ['"very large"', "**very**", '"x = 1"', "R&D", "f(x)", "$3", '"at $3 or"'])
def test_markdown_does_not_hide_a_card(study: Shell, words: str) -> None:
    study.write("words.md", DECK + "Q: a **very** large `x` = 1, see R&amp;D {#marked}\nA: $f$(x) at $3 or $4\n")

    assert study("find", words).out.partition("\t")[0] == "marked"


def test_json_has_all_of_a_card(study: Shell) -> None:
    study("answer", "haus", "good")
    study("card", "flag", "haus")

    document = study("find", "tag:noun haus", "--json").json

    (card,) = document.pop("cards")
    assert document == {"schema": 1, "query": "tag:noun haus", "count": 1, "more": False}
    assert (card["card"], card["deck"], card["answer"], card["line"]) == ("haus", "words", "house", 4)
    assert (card["tags"], card["marks"], card["memory"]["ease"]) == (["noun"], ["flagged"], 250)


def test_nothing_found_is_an_honest_no(study: Shell) -> None:
    result = study("find", "zebra")

    assert (result.code, result.out) == (1, "")
    assert "No card matches 'zebra'" in result.err
    assert study("find", "zebra", "--json").code == 1
    assert study("find", "zebra", "--json").json["cards"] == []


@pytest.mark.parametrize(
    ("query", "code", "command"),
    [
        ("", 2, "study find roofline deck:gpus"),
        ("is:lost", 2, ""),
        ("deck:nope", 3, "study deck list"),
        ("x" * 10_000, 2, ""),
        ("'\"%;", 1, "study help find"),
    ],
)
def test_a_query_that_finds_nothing_says_why(study: Shell, query: str, code: int, command: str) -> None:
    result = study("find", query)

    first, *rest = result.err.splitlines()
    assert (result.code, result.out, first[:6]) == (code, "", "study:")
    assert rest == ([f"  {command}"] if command else [])


@pytest.mark.parametrize("columns", [80, 40])
def test_a_terminal_gets_lines_that_fit(study: Shell, monkeypatch: pytest.MonkeyPatch, columns: int) -> None:
    study("card", "suspend", "mouse")
    on_a_terminal(monkeypatch, columns)

    rows = study("find", "tag:noun OR boat", "-n", "2").out.splitlines()

    assert max(map(len, rows)) <= columns
    assert rows[0].startswith("haus")
    assert "new" in rows[0]
    assert "2 of 3 cards" in rows[-2] + rows[-1]


def test_card_is_named_by_words_or_prefix(study: Shell) -> None:
    assert study("show", "maus", "--json").json["card"] == "mouse"
    assert study("show", "boat", "--json").json["card"] == "boat-house"
    assert study("show", "boat-h", "--json").json["card"] == "boat-house"
    assert study("show", "Words").out.count("\n") == 3  # a deck comes first


def test_ambiguous_words_name_cards_in_a_pipe(study: Shell) -> None:
    result = study("card", "suspend", "house")

    assert (result.code, result.out) == (3, "")
    assert result.err == "study: 'house' may mean 2 cards: haus, boat-house. Name one by its id.\n"
    assert study("card", "list", "--json").json["cards"] == []


@pytest.mark.parametrize(
    ("typed", "card"), [("2\n", "boat-house"), ("1\n", "haus"), ("", ""), ("x\n", ""), ("3\n", ""), ("0\n", "")]
)
def test_number_chooses_on_terminal(study: Shell, monkeypatch: pytest.MonkeyPatch, typed: str, card: str) -> None:
    on_a_terminal(monkeypatch)

    result = study("card", "suspend", "house", typed=typed)

    assert (result.code, result.out) == ((0, f"{card}: suspended\n") if card else (2, ""))
    assert ("No choice was made, so nothing was changed" in result.err) == (not card)
    assert "1  Haus  (haus)\n2  boat house  (boat-house)\nWhich one (1-2)? " in result.err


def test_query_takes_all_and_dry_run_none(study: Shell) -> None:
    dry = study("card", "suspend", "--query", "tag:noun", "--dry-run")
    assert dry.out == "haus: would be suspended\nmouse: would be suspended\n"
    assert study("card", "list", "--json").json["cards"] == []

    result = study("card", "suspend", "boat", "--query", "tag:noun", "--json").json
    assert (result["cards"], result["dry_run"]) == (["boat-house", "haus", "mouse"], False)
    assert len(study("card", "list", "--json").json["cards"]) == 3

    assert "study undo --last 2" in study("card", "unsuspend", "--query", "is:suspended tag:noun").err
    assert [each["card"] for each in study("card", "list", "--json").json["cards"]] == ["boat-house"]


@pytest.mark.parametrize(("words", "code"), [([], 2), (["--query", " "], 2), (["--query", "zebra"], 3)])
def test_card_verbs_want_a_card(study: Shell, words: list[str], code: int) -> None:
    assert study("card", "flag", *words).code == code


def test_plain_mode_searches_by_lines(study: Shell) -> None:
    typed = "house\n2\n@ 2\nu\n9\n* 1\nis:lost\n\nq\n"

    result = study("find", "-i", "--plain", typed=typed)

    lines = [line.removeprefix("find> ") for line in result.out.splitlines()]
    assert lines[0] == "[plain mode: on via flag]"
    assert "Found: 2 cards." in lines
    assert "2: boat house (new)" in lines
    assert "Answer: Bootshaus" in lines
    assert lines[lines.index("Suspended.") + 1] == "Undone."
    assert "The list has no card 9." in lines
    assert any(line.startswith("Error: 'is:lost' is not a state") for line in lines)
    assert [each["marks"] for each in study("card", "list", "--json").json["cards"]] == [["flagged"]]


def test_a_live_list_needs_a_terminal(study: Shell) -> None:
    assert study("find", "-i").code == 2
    assert study("find", "-i", "--json").code == 2
