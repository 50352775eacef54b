"""check, deck and show, through the command line."""

from datetime import UTC, datetime
from pathlib import Path

import pytest
from shell import Shell

from decks import read_deck
from studykit.cards.card import CardId
from studykit.cli.commands.check import pages
from studykit.scheduling.event_kinds import EventKind
from studykit.scheduling.events import Showing
from studykit.store.opening import open_store

NOW = datetime(2026, 11, 23, 9, tzinfo=UTC)
GOOD = "Q: What is MFU? {#my-mfu .utilization}\nA: The share of the peak that a model reaches.\n"


@pytest.fixture
def study(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Shell:
    return Shell(tmp_path, monkeypatch, capsys)


def test_check_finds_nothing_wrong_with_a_good_deck(study: Shell) -> None:
    study.write("decks/a.md", GOOD)

    said = study("check", "decks")

    assert (said.code, said.out) == (0, "1 file, 1 card: all is well.\n")


def test_check_tells_every_problem_with_its_place_as_seen_from_here(study: Shell) -> None:
    study.write("decks/a.md", "A: b\n\nC: c\n")
    study.write("decks/b.md", "Q: a\nA: b\ncheck: 1 = 2\n")

    said = study("check", "decks")

    assert said.code == 1
    assert said.out.splitlines() == [
        'decks/a.md:1: answer without a question. Start the note with "Q:".',
        "decks/a.md:3: cloze without a gap. Put the words to recall in [brackets].",
        "decks/b.md:3: the check does not hold: 1 is 1, not 2. Correct the card or its check.",
        "2 files, 1 card: 3 problems.",
    ]


def test_check_as_json_gives_path_line_and_message(study: Shell) -> None:
    path = study.write("a.md", "A: b")

    said = study("check", str(path), "--json")

    assert said.code == 1
    assert said.json == {
        "schema": 1,
        "files": 1,
        "cards": 0,
        "exercises": 0,
        "problems": [
            {
                "path": str(path),
                "line": 1,
                "message": 'answer without a question. Start the note with "Q:".',
                "severity": "error",
            }
        ],
    }


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (r"Q: $\frac{a$? A" + "\nA: b", r"a.md:1: $\frac{a$ cannot be drawn: "),
        (
            "Q: a\nA:\n```nolanguage\nx\n```",
            "a.md:1: a code block cannot be drawn: no language is called 'nolanguage'.",
        ),
        ("Q: ![x](gone.png)\nA: b", "a.md:1: there is no image gone.png; add the file or correct its name."),
        (
            "E: flops.train_totl",
            "a.md:1: there is no exercise 'flops.train_totl'; did you mean flops.train_total?",
        ),
        ("E: flops.train_total q=1", "a.md:1: flops.train_total has no parameter 'q';"),
    ],
    ids=["math", "code", "image", "exercise", "parameter"],
)
def test_check_tries_out_what_a_card_needs(study: Shell, text: str, told: str) -> None:
    study.write("a.md", text)

    said = study("check", "a.md")

    assert said.code == 1
    assert said.out.startswith(told)


def test_check_reads_macros_beside_the_deck(study: Shell) -> None:
    study.write("decks/macros.tex", "\\R \\mathbb{R}\nnonsense\n")
    study.write("decks/a.md", "Q: What is $\\R$?\nA: the reals")

    said = study("check", "decks")

    assert said.out.splitlines() == [
        r"decks/macros.tex:2: no macro. Write \name and what it stands for, on one line.",
        "1 file, 1 card: 1 problem.",
    ]


def test_check_strict_holds_a_deck_to_the_rules_of_those_that_ship(study: Shell) -> None:
    study.write("a.md", "Q: a {.flops}\nA: Yes")

    said = study("check", "a.md", "--strict")

    assert said.code == 1
    assert said.out.splitlines() == [
        "a.md:1: note without an id. Give it one: {#some-name}.",
        "a.md:1: warning: a yes-or-no question can be guessed. Ask what, why or how much.",
        "1 file, 1 card: 1 problem, 1 warning.",
    ]


def test_check_strict_asks_that_a_terminal_can_show_each_formula(study: Shell) -> None:
    study.write("a.md", "Q: Draw $\\overbrace{a}^{b}$ {#x .flops}\nA: a curly one")

    said = study("check", "a.md", "--strict")

    assert said.code == 1
    assert "a terminal can show only its TeX" in said.out


SYMBOLS = '[N]\nmeans = "parameters"\nwords = ["parameter"]\n'


def test_check_strict_holds_decks_to_the_table_of_symbols_beside_them(study: Shell) -> None:
    study.write("decks/symbols.toml", SYMBOLS)
    study.write("decks/deep/a.md", "Q: What is $6ND$? {#x .flops}\nA: the FLOPs of a run")
    study.write("other/b.md", "Q: What is $7ND$? {#y .flops}\nA: something else")

    said = study("check", "decks", "other", "--strict")

    assert said.code == 1
    unknown, unsaid, summary = said.out.splitlines()
    assert unknown.startswith("decks/deep/a.md:1: $D$ is not in the table of symbols (symbols.toml).")
    assert unsaid.startswith("decks/deep/a.md:1: $N$ stands for parameters, which the card does not say.")
    assert summary == "2 files, 2 cards: 2 problems."
    assert study("check", "decks", "other").code == 0


@pytest.mark.parametrize(
    ("table", "told"),
    [
        ("[N", 'no TOML. Write [N], means = "parameters" and words = ["parameter"].'),
        ("[N]\n", '[N] must be a letter with means = "..." and words = ["..."].'),
        (SYMBOLS.replace("[N]", "[NM]"), '[NM] must be a letter with means = "..." and words = ["..."].'),
    ],
)
def test_a_table_of_symbols_that_cannot_be_read_is_told(study: Shell, table: str, told: str) -> None:
    study.write("decks/symbols.toml", table)
    study.write("decks/a.md", "Q: What is $6ND$? {#x .flops}\nA: the FLOPs of a run")

    assert study("check", "decks", "--strict").out.splitlines()[0] == f"decks/symbols.toml:1: {told}"


def test_macros_that_no_page_can_use_are_a_problem_of_their_deck() -> None:
    deck = read_deck(GOOD, "a.md")._replace(macros=(("\\R1", "x"),))

    (problem,) = pages(deck)

    assert str(problem).endswith("Correct the macros.")


def test_check_lets_advice_pass(study: Shell) -> None:
    study.write("a.md", "Q: a {#x .flops}\nA: Yes")

    assert study("check", "a.md", "--strict").code == 0


def test_check_of_nothing_says_so(study: Shell) -> None:
    (study.home / "empty").mkdir()

    assert study("check", "gone").code == 3
    assert study("check", "empty").err == "study: there are no decks in empty. A deck's file ends in .md.\n"


def test_check_without_a_path_checks_what_ships_and_what_was_added(study: Shell) -> None:
    own = study.write("own/a.md", "A: b")
    study.write("config.toml", f'decks = ["{own.parent}"]\n')

    said = study("check", "--json")

    assert [problem["path"] for problem in said.json["problems"]] == [str(own)]
    assert said.json["cards"] > 200


def test_check_needs_no_database_and_makes_none(study: Shell) -> None:
    before = study("check")
    study.write("study.db", "this is no database, and no fault of a deck")

    assert (before.code, study("check").code) == (0, 0)
    assert [path.name for path in study.home.iterdir()] == ["study.db"]


def test_a_deck_is_added_and_listed_first(study: Shell) -> None:
    study.write("own/a.md", "---\nname = 'My deck'\n---\n" + GOOD)

    added = study("deck", "add", "own")
    listed = study("deck", "list", "--json").json["decks"]

    assert (added.code, added.out) == (
        0,
        f"Added {study.home / 'own'}: 1 card. To look for mistakes: study check own\n",
    )
    assert (listed[0]["id"], listed[0]["name"], listed[0]["cards"], listed[0]["shipped"]) == (
        "my-deck",
        "My deck",
        1,
        False,
    )
    assert all(deck["shipped"] for deck in listed[1:])


COUNTS = ["0", "due,", "1", "new,", "0", "known"]


def test_the_list_says_where_each_deck_is_and_which_are_left_out(study: Shell) -> None:
    study.write("own/a.md", "---\nname = 'My deck'\n---\n" + GOOD)
    study("deck", "add", "own")
    study("deck", "remove", "flops")

    lines = study("deck", "list").out.splitlines()

    assert lines[0].split() == ["my-deck", "1", "My", "deck", f"({study.home / 'own/a.md'})", *COUNTS]
    assert lines[1].endswith("(shipped)  0 due, 25 new, 0 known")
    assert lines[-1] == "removed: flops (study deck add NAME brings one back)"


def test_adding_a_deck_twice_changes_nothing(study: Shell) -> None:
    study.write("own/a.md", GOOD)
    study("deck", "add", "own")

    said = study("deck", "add", "own")

    assert (said.code, said.out) == (0, f"{study.home / 'own'} was added before.\n")


def test_adding_nothing_says_so(study: Shell) -> None:
    (study.home / "empty").mkdir()

    assert study("deck", "add", "gone").code == 3
    assert "there are no decks in" in study("deck", "add", "empty").err


def test_adding_leaves_the_rest_of_the_configuration_as_it_was(study: Shell) -> None:
    study.write("config.toml", "# mine\n[review]\nnew_per_day = 7\n")
    study.write("own/a.md", GOOD)

    study("deck", "add", "own")

    text = (study.home / "config.toml").read_text(encoding="utf-8")
    assert "# mine" in text
    assert "new_per_day = 7" in text
    assert study("config", "get", "decks").out == f"{study.home / 'own'}\n"


def test_a_deck_with_problems_is_not_added(study: Shell) -> None:
    path = study.write("own/a.md", "A: b")

    said = study("deck", "add", "own")

    assert said.code == 5
    assert said.err == f'study: {path}:1: answer without a question. Start the note with "Q:".\n'
    assert not (study.home / "config.toml").exists()


@pytest.mark.parametrize("name", ["own", "my-deck", "My Deck"])
def test_a_deck_is_removed_by_path_id_or_name_and_progress_stays(study: Shell, name: str) -> None:
    study.write("own/a.md", "---\nname = 'My deck'\n---\n" + GOOD)
    path = "own" if name == "own" else "own/a.md"
    study("deck", "add", path)
    study("answer", "my-mfu", "good")

    removed = study("deck", "remove", name)
    gone = [deck["id"] for deck in study("deck", "list", "--json").json["decks"]]
    study("deck", "add", path)

    assert removed.code == 0
    assert "my-deck" not in gone
    assert study("show", "my-mfu", "--json").json["memory"]["repetition"] == 1


def test_a_shipped_deck_can_be_done_without_and_comes_back(study: Shell) -> None:
    first = study("deck", "list", "--json").json["decks"][0]["id"]

    study("deck", "remove", first)
    without = study("deck", "list", "--json").json
    study("deck", "add", first)

    assert without["hidden"] == [first]
    assert first not in [deck["id"] for deck in without["decks"]]
    assert first in [deck["id"] for deck in study("deck", "list", "--json").json["decks"]]


def test_one_of_several_decks_in_a_folder_cannot_be_removed_alone(study: Shell) -> None:
    study.write("own/a.md", GOOD)
    study.write("own/b.md", "Q: c\nA: d")
    study("deck", "add", "own")

    said = study("deck", "remove", "a")

    assert said.code == 2
    assert f"run: study deck remove {study.home / 'own'}" in said.err


def test_an_unknown_deck_brings_the_nearest_name(study: Shell) -> None:
    said = study("deck", "remove", "flopz")

    assert said.code == 3
    assert "Did you mean flops?" in said.err


def test_a_broken_deck_is_told_at_the_end_and_does_not_stop_the_verb(
    study: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = study.write("own/a.md", "A: b")
    monkeypatch.setenv("STUDYKIT_DECKS", str(path))

    said = study("due", "--json")

    assert said.code == 5
    assert said.json["new"] == 10
    assert said.err == f'study: {path}:1: answer without a question. Start the note with "Q:".\n'


def test_a_change_in_the_decks_is_told_once(study: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STUDYKIT_DECKS", str(study.home / "own"))
    study.write("own/a.md", "Q: What bounds a kernel below the ridge point?\nA: The bandwith of memory\n")
    study("due")
    study.write(
        "own/a.md", "Q: What bounds a kernel below the ridge point?\nA: The bandwidth of memory\n\n" + GOOD
    )

    told = study("due").err

    assert told == "decks: 1 reworded (progress kept), 1 new\n"
    assert study("due").err == ""


def test_show_gives_a_card_its_memory_and_its_history(study: Shell) -> None:
    study.write("own/a.md", GOOD)
    study("deck", "add", "own")
    study("answer", "my-mfu", "good")

    said = study("show", "my-mfu", "--json").json

    assert (said["card"], said["deck"], said["kind"], said["prompt"]) == ("my-mfu", "a", "basic", "What is MFU?")
    assert said["answer"] == "The share of the peak that a model reaches."
    assert said["memory"] == {
        "repetition": 1,
        "interval": 1,
        "ease": 250,
        "lapses": 0,
        "due": "2026-11-24",
        "reviewed": "2026-11-23",
        "stability": None,
        "difficulty": None,
    }
    assert [(event["kind"], event["grade"], event["became"]) for event in said["history"]] == [
        ("answer", 4, "review")
    ]


def test_show_of_a_new_card_has_no_memory(study: Shell) -> None:
    study.write("own/a.md", GOOD)
    study("deck", "add", "own")

    said = study("show", "my-mfu", "--json").json

    assert (said["memory"], said["history"]) == (None, [])


def test_show_draws_the_card_and_says_why_it_is_due(study: Shell) -> None:
    study.write("own/a.md", "Q: What is $6ND$? {#six}\nA: Training FLOPs")
    study("deck", "add", "own")

    said = study("show", "six").out.splitlines()

    assert said[0] == f"six  basic, deck a  ({study.home / 'own/a.md'}:1)"
    assert said[2:5] == ["What is 6ND?", "", "Training FLOPs"]
    assert "New: no reviews yet." in said


def test_show_names_the_source_of_what_a_card_says(study: Shell) -> None:
    study.write("own/a.md", 'Q: How fast? {#fast}\nA: very\n\n{source="A Paper, 2020, table 1"}\n\n' + GOOD)
    study("deck", "add", "own")

    assert "Source: A Paper, 2020, table 1" in study("show", "fast").out.splitlines()
    assert study("show", "fast", "--json").json["source"] == "A Paper, 2020, table 1"
    assert "Source" not in study("show", "my-mfu").out
    assert study("show", "my-mfu", "--json").json["source"] is None


def test_a_source_that_is_named_later_reaches_the_card(study: Shell) -> None:
    path = study.write("own/a.md", "Q: How fast? {#fast}\nA: very\n")
    study("deck", "add", "own")
    study("answer", "fast", "good")

    path.write_text('Q: How fast? {#fast}\nA: very\n\n{source="A Paper"}\n', encoding="utf-8")
    said = study("show", "fast", "--json").json

    assert (said["source"], said["memory"]["repetition"]) == ("A Paper", 1)


def test_show_reprints_the_question_that_an_exercise_asked(study: Shell) -> None:
    study.write("own/a.md", "E: flops.train_total {#total}")
    study("deck", "add", "own")
    variant = study("exercise", "show", "flops.train_total", "--seed", "5", "--json").json
    showing = Showing("flops.train_total", variant["version"], 5, "{}", "1e22", "incorrect", ("backward",))
    with open_store(study.home / "study.db", clock=lambda: NOW, zone_name="UTC", zone=UTC) as store:
        store.log.record(EventKind.PRACTICE, CardId("total"), showing=showing)

    said = study("show", "total", "--json").json

    assert said["prompt"] == "E: flops.train_total"
    assert said["history"][0]["exercise"] == {
        "exercise": "flops.train_total",
        "version": variant["version"],
        "seed": 5,
        "prompt": variant["prompt"],
        "answer": "1e22",
        "verdict": "incorrect",
        "slips": ["backward"],
    }


def test_show_of_a_deck_lists_its_cards(study: Shell) -> None:
    study.write("own/a.md", "---\nname = 'Mine'\n---\n" + GOOD)
    study("deck", "add", "own")

    assert study("show", "Mine").out == "my-mfu  What is MFU?\n"


def test_show_of_a_deck_as_json_has_every_question(study: Shell) -> None:
    study.write("own/a.md", "---\nname = 'Mine'\n---\nE: flops.matmul B=8 {#e}\n")
    study("deck", "add", "own")

    assert study("show", "mine", "--json").json["cards"] == [
        {"card": "e", "deck": "mine", "kind": "exercise", "prompt": "E: flops.matmul B=8"}
    ]


def test_show_of_an_exercise_tells_each_question_as_it_was_asked(study: Shell) -> None:
    study.write("own/a.md", "E: flops.train_total {#total}")
    study("deck", "add", "own")
    variant = study("exercise", "show", "flops.train_total", "--seed", "5", "--json").json
    with open_store(study.home / "study.db", clock=lambda: NOW, zone_name="UTC", zone=UTC) as store:
        for version in (variant["version"], 99):
            showing = Showing("flops.train_total", version, 5, "{}", "1e22", "incorrect")
            store.log.record(EventKind.PRACTICE, CardId("total"), showing=showing)

    lines = study("show", "total").out.splitlines()

    assert lines.count("2026-11-23: flops.train_total, seed 5") == 2
    assert lines.count("You answered '1e22': incorrect") == 2
    assert "The exercise has changed since; its question cannot be shown again." in lines


def test_show_of_nothing_known_brings_the_nearest_name(study: Shell) -> None:
    study.write("own/a.md", GOOD)
    study("deck", "add", "own")

    said = study("show", "my-mfuu")

    assert said.code == 3
    assert "did you mean my-mfu?" in said.err


def test_the_start_of_an_id_names_its_card(study: Shell) -> None:
    study.write("own/a.md", "Q: a {#matmul-flops}\nA: b\n\nQ: c {#matmul-bytes}\nA: d")
    study("deck", "add", "own")

    only, several, short = (study("answer", name, "good") for name in ("matmul-f", "matmul", "matmu"))

    assert [said.code for said in (only, several, short)] == [0, 3, 3]


def test_a_card_goes_on_as_another_when_its_learner_says_so(study: Shell) -> None:
    study.write("own/a.md", "Q: an old question {#old}\nA: b")
    study("deck", "add", "own")
    study("answer", "old", "good")
    study.write("own/a.md", "Q: entirely new {#new}\nA: c")

    said = study("deck", "relink", "old", "new")

    assert (said.code, said.out) == (0, "new goes on where old was.\n")
    assert study("show", "new", "--json").json["memory"]["repetition"] == 1


def test_a_card_cannot_go_on_as_itself_or_with_nothing(study: Shell) -> None:
    study.write("own/a.md", GOOD + "\nQ: other {#other}\nA: b")
    study("deck", "add", "own")

    assert study("deck", "relink", "other", "other").code == 2
    assert study("deck", "relink", "other", "my-mfu").code == 3


def test_a_card_that_may_be_an_old_one_is_left_to_its_learner(study: Shell) -> None:
    study.write(
        "own/a.md", "Q: What is the dense bf16 peak of an H100 card? {#h}\nA: Look at the table of its sheet"
    )
    study("deck", "add", "own")
    study("answer", "h", "good")
    study.write(
        "own/a.md", "Q: What is the dense bf16 peak of an A100 card? {#a}\nA: Look at the table of its sheet"
    )

    due = study("due")
    check = study("check")

    told = "a may be h reworded, whose progress waits. If it is: study deck relink"
    assert due.err == f"decks: 1 new, 1 removed (progress kept)\ndecks: {told}\n"
    assert (check.code, check.out.splitlines()[0]) == (0, f"own/a.md:1: warning: {told}")


def doubtful(study: Shell) -> str:
    """Two cards without ids that were edited so that only their learner knows; the first one.s id now."""
    text = "Q: How large is it?\nA: large enough\n\nQ: How long is it?\nA: long enough\n"
    path = study.write("own/a.md", text)
    study("deck", "add", "own")
    for card in study("show", "a", "--json").json["cards"]:
        study("answer", card["card"], "good")
    path.write_text(text.replace("enough", "enough (4 GB)"), encoding="utf-8")
    study("due")
    return str(study("show", "a", "--json").json["cards"][0]["card"])


def test_pairs_in_doubt_are_listed_by_their_words_and_said_yes_to_by_number(study: Shell) -> None:
    first = doubtful(study)

    listed = study("deck", "relink").out
    done = study("deck", "relink", "1")

    assert listed.splitlines() == [
        '1. "How large is it? / large enough (4 GB)" was "How large is it? / large enough": the same card?',
        '2. "How long is it? / long enough (4 GB)" was "How long is it? / long enough": the same card?',
        "Say yes to one: study deck relink NUMBER",
    ]
    assert (done.code, study("show", first, "--json").json["memory"]["repetition"]) == (0, 1)
    assert len(study("deck", "relink").out.splitlines()) == 2
    assert study("deck", "relink", "7").code == 2


def test_pairs_in_doubt_are_asked_one_by_one_on_a_terminal(study: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    doubtful(study)
    monkeypatch.setattr("studykit.cli.context.Context.interactive", True)

    said = study("deck", "relink", typed="n\ny\n")

    assert said.out.count("[y/N]") == 2
    assert said.out.endswith("1 card of 2 goes on where it was.\n")


def test_a_note_of_several_cards_names_them(study: Shell) -> None:
    study.write("own/a.md", "C: a [b] of [c] {#abc}\n")
    study("deck", "add", "own")

    assert "'abc' may mean 2 cards: abc.1, abc.2. Name one by its id." in study("show", "abc").err
