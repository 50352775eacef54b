"""Test check, deck and show through the command line."""

from datetime import UTC, datetime
from pathlib import Path

import pytest
from shell import Shell

from studykit.cards.card import CardId
from studykit.scheduling.event_kinds import EventKind
from studykit.scheduling.events import Showing
from studykit.store.opening import open_store

NOW = datetime(2026, 11, 23, 9, tzinfo=UTC)
GOOD = "Q: What is MFU? {#my-mfu .utilization}\nA: The share of the peak that a model reaches.\n"


def add_own(study: Shell, text: str = GOOD) -> Path:
    """Add a deck of one file, and return its path."""
    path = study.write("own/a.md", text)
    study("deck", "add", "own")
    return path


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        ("check gone", 3, "gone does not exist."),
        ("check empty", 1, "No deck is in empty. A deck's file ends in .md."),
        ("deck add gone", 3, "gone"),
        ("deck add empty", 1, "empty holds no decks."),
        ("deck remove a", 2, "run:\n  study deck remove"),
        ("deck remove flopz", 3, "Did you mean flops?"),
        ("show my-mfuu", 3, "Did you mean my-mfu?"),
        ("show abc", 3, "'abc' may mean 2 cards: abc.1, abc.2. Name one by its id."),
        ("deck relink other other", 2, "other"),
        ("deck relink other my-mfu", 3, "other"),
        ("deck relink 7", 2, "7"),
    ],
)
def test_wrong_call_is_refused_with_a_hint(study: Shell, words: str, code: int, message: str) -> None:
    study.write("own/b.md", "Q: c {#other}\nA: d\n\nC: a [b] of [c] {#abc}\n")
    add_own(study)
    (study.home / "empty").mkdir()

    result = study(*words.split())

    assert (result.code, message in result.err) == (code, True), result.err


def test_check_reports_each_problem_with_relative_path(study: Shell) -> None:
    study.write("decks/a.md", "A: b\n\nC: c\n")
    study.write("decks/b.md", "Q: a\nA: b\ncheck: 1 = 2\n")

    result = study("check", "decks")

    assert result.code == 1
    assert result.out.splitlines() == [
        'decks/a.md:1: answer without a question. Start the note with "Q:".',
        "decks/a.md:3: cloze without a gap. Put the words to recall in [brackets], within a formula or outside.",
        "decks/b.md:3: the check does not hold: 1 is 1, not 2. Correct the card or its check.",
        "2 files, 1 card: 3 problems.",
    ]


def test_check_as_json_gives_path_line_and_message(study: Shell) -> None:
    path = study.write("a.md", "A: b")

    result = study("check", str(path), "--json")

    assert result.code == 1
    message = 'answer without a question. Start the note with "Q:".'
    problem = {"path": str(path), "line": 1, "message": message, "severity": "error"}
    assert result.json == {"schema": 1, "files": 1, "cards": 0, "exercises": 0, "problems": [problem]}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (r"Q: $\frac{a$? A" + "\nA: b", r"a.md:1: $\frac{a$ cannot be drawn: "),
        (
            "Q: a\nA:\n```nolanguage\nx\n```",
            "a.md:1: a code block cannot be drawn: no language is called 'nolanguage'.",
        ),
        ("Q: a\nA: ![](tone.mp3)", "a.md:1: tone.mp3 cannot be found or read; add the file or correct its name."),
        ("Q: ![x](gone.png)\nA: b", "a.md:1: gone.png cannot be found or read; add the file or correct its name."),
        (
            "E: flops.train_totl",
            "a.md:1: No exercise is named 'flops.train_totl'. Did you mean flops.train_total?",
        ),
        ("E: flops.train_total q=1", "a.md:1: flops.train_total has no parameter 'q'."),
    ],
    ids=["math", "code", "sound", "image", "exercise", "parameter"],
)
def test_check_tries_out_what_a_card_needs(study: Shell, text: str, message: str) -> None:
    study.write("a.md", text)

    result = study("check", "a.md")

    assert result.code == 1
    assert result.out.startswith(message)


def test_check_reads_macros_beside_the_deck(study: Shell) -> None:
    study.write("decks/macros.tex", "\\R \\mathbb{R}\nnonsense\n")
    study.write("decks/a.md", "Q: What is $\\R$?\nA: the reals")

    result = study("check", "decks")

    assert result.out.splitlines() == [
        r"decks/macros.tex:2: this is not a macro. Write \name and its replacement on one line.",
        "1 file, 1 card: 1 problem.",
    ]


def test_check_strict_applies_rules_of_shipped_decks(study: Shell) -> None:
    study.write("a.md", "Q: a {.flops}\nA: Yes")

    result = study("check", "a.md", "--strict")

    assert result.code == 1
    assert result.out.splitlines() == [
        "a.md:1: note without an id. Give it one: {#some-name}.",
        "a.md:1: warning: a yes-or-no question can be guessed. Ask what, why or how much.",
        "1 file, 1 card: 1 problem, 1 warning.",
    ]
    study.write("a.md", "Q: a {#x .flops}\nA: Yes")
    assert study("check", "a.md", "--strict").code == 0  # advice lets it pass
    study.write("a.md", "Q: Draw $\\overbrace{a}^{b}$ {#x .flops}\nA: a curly one")
    assert "a terminal can show only its TeX" in study("check", "a.md", "--strict").out


SYMBOLS = '[N]\nmeans = "parameters"\nwords = ["parameter"]\n'


def test_check_strict_applies_symbols_next_to_decks(study: Shell) -> None:
    study.write("decks/symbols.toml", SYMBOLS)
    study.write("decks/deep/a.md", "Q: What is $6ND$? {#x .flops}\nA: the FLOPs of a run")
    study.write("other/b.md", "Q: What is $7ND$? {#y .flops}\nA: something else")

    result = study("check", "decks", "other", "--strict")

    assert result.code == 1
    unknown, unsaid, summary = result.out.splitlines()
    assert unknown.startswith("decks/deep/a.md:1: $D$ is not in the table of symbols (symbols.toml).")
    assert unsaid.startswith("decks/deep/a.md:1: $N$ stands for parameters, which the card does not say.")
    assert summary == "2 files, 2 cards: 2 problems."
    assert study("check", "decks", "other").code == 0


def test_check_without_path_checks_every_deck(study: Shell) -> None:
    own = study.write("own/a.md", "A: b")
    study.write("config.toml", f'decks = ["{own.parent}"]\n')

    result = study("check", "--json")

    assert [problem["path"] for problem in result.json["problems"]] == [str(own)]
    assert result.json["cards"] > 200


def test_check_needs_no_database_and_makes_none(study: Shell) -> None:
    before = study("check")
    study.write("study.db", "not a database, which is not the fault of a deck")

    assert (before.code, study("check").code) == (0, 0)
    assert [path.name for path in study.home.iterdir()] == ["study.db"]


def test_a_deck_is_added_and_listed_first(study: Shell) -> None:
    study.write("own/a.md", "---\nname = 'My deck'\n---\n" + GOOD)

    added, again = study("deck", "add", "own"), study("deck", "add", "own")
    listed = study("deck", "list", "--json").json["decks"]

    assert added.code == 0
    assert added.out == f"Added {study.home / 'own'}: 1 card. To look for mistakes: study check own\n"
    assert (listed[0]["id"], listed[0]["name"]) == ("my-deck", "My deck")
    assert (listed[0]["cards"], listed[0]["shipped"]) == (1, False)
    assert all(deck["shipped"] for deck in listed[1:])
    assert (again.code, again.out) == (0, f"{study.home / 'own'} was already added.\n")


def test_list_shows_paths_and_removed_decks(study: Shell) -> None:
    add_own(study, "---\nname = 'My deck'\n---\n" + GOOD)
    study("deck", "remove", "flops")

    lines = study("deck", "list").out.splitlines()

    assert lines[1].split()[:7] == ["My", "deck", "(my-deck)", "0", "1", "0", "of"]
    assert lines[-2].split() == ["my-deck", str(study.home / "own/a.md")]
    assert lines[-1] == "removed: flops (study deck add NAME brings one back)"


def test_a_deck_with_problems_is_not_added(study: Shell) -> None:
    path = study.write("own/a.md", "A: b")

    result = study("deck", "add", "own")

    assert result.code == 5
    assert result.err == f'study: {path}:1: answer without a question. Start the note with "Q:".\n'
    assert not (study.home / "config.toml").exists()


@pytest.mark.parametrize("name", ["own", "my-deck", "My Deck"])
def test_removed_deck_keeps_its_progress(study: Shell, name: str) -> None:
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


def test_shipped_deck_is_removed_and_added_again(study: Shell) -> None:
    first = study("deck", "list", "--json").json["decks"][0]["id"]

    study("deck", "remove", first)
    without = study("deck", "list", "--json").json
    study("deck", "add", first)

    assert without["hidden"] == [first]
    assert first not in [deck["id"] for deck in without["decks"]]
    assert first in [deck["id"] for deck in study("deck", "list", "--json").json["decks"]]


def test_broken_deck_is_reported_after_the_result(study: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    path = study.write("own/a.md", "A: b")
    monkeypatch.setenv("STUDYKIT_DECKS", str(path))

    result = study("due", "--json")

    assert result.code == 5
    assert result.json["new"] == 10
    assert result.err == f'study: {path}:1: answer without a question. Start the note with "Q:".\n'


def test_a_change_in_the_decks_is_told_once(study: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STUDYKIT_DECKS", str(study.home / "own"))
    note = "Q: What bounds a kernel below the ridge point?\nA: The bandwith of memory\n"
    study.write("own/a.md", note)
    study("due")
    study.write("own/a.md", note.replace("bandwith", "bandwidth") + "\n" + GOOD)

    output = study("due").err

    assert output == "decks: 1 reworded (progress kept), 1 new\n"
    assert study("due").err == ""


def test_show_has_memory_and_history(study: Shell) -> None:
    add_own(study)
    answered = study("answer", "my-mfu", "good", "--json").json

    document = study("show", "my-mfu", "--json").json

    assert (document["card"], document["deck"], document["kind"]) == ("my-mfu", "a", "basic")
    assert document["prompt"] == "What is MFU?"
    assert document["answer"] == "The share of the peak that a model reaches."
    names = ("repetition", "interval", "ease", "lapses", "due", "reviewed", "stability", "difficulty")
    assert document["memory"] == {name: answered[name] for name in names}
    (event,) = document["history"]
    assert (event["kind"], event["grade"], event["became"]) == ("answer", 4, "review")


def test_show_draws_card_and_reason(study: Shell) -> None:
    add_own(study, "Q: What is $6ND$? {#six}\nA: Training FLOPs")

    result = study("show", "six").out.splitlines()

    assert result[0] == f"six  basic, deck a  ({study.home / 'own/a.md'}:1)"
    assert result[2:5] == ["What is 6ND?", "", "Training FLOPs"]
    assert "New: no reviews yet." in result


def test_show_names_the_source(study: Shell) -> None:
    add_own(study, 'Q: How fast? {#fast}\nA: very\n\n{source="A Paper, 2020, table 1"}\n\n' + GOOD)

    assert "Source: A Paper, 2020, table 1" in study("show", "fast").out.splitlines()
    assert study("show", "fast", "--json").json["source"] == "A Paper, 2020, table 1"
    assert "Source" not in study("show", "my-mfu").out
    assert "\nhttps://" in study("show", "six").out
    assert study("show", "my-mfu", "--json").json["source"] is None


def test_source_added_later_reaches_the_card(study: Shell) -> None:
    path = add_own(study, "Q: How fast? {#fast}\nA: very\n")
    study("answer", "fast", "good")

    path.write_text('Q: How fast? {#fast}\nA: very\n\n{source="A Paper"}\n', encoding="utf-8")
    document = study("show", "fast", "--json").json

    assert (document["source"], document["memory"]["repetition"]) == ("A Paper", 1)


def test_show_of_a_deck_lists_its_questions(study: Shell) -> None:
    add_own(study, "---\nname = 'Mine'\n---\nE: flops.matmul B=8 {#e}\n")

    document = study("show", "mine", "--json").json

    assert study("show", "Mine").out == "e  E: flops.matmul B=8\n"
    card = {"card": "e", "deck": "mine", "kind": "exercise", "prompt": "E: flops.matmul B=8"}
    assert document["cards"] == [card]


def test_show_reprints_the_questions_of_an_exercise(study: Shell) -> None:
    add_own(study, "E: flops.train_total {#total}")
    variant = study("exercise", "show", "flops.train_total", "--seed", "5", "--json").json
    with open_store(study.home / "study.db", clock=lambda: NOW, zone_name="UTC", zone=UTC) as store:
        for version in (variant["version"], 99):
            showing = Showing("flops.train_total", version, 5, "{}", "1e22", "incorrect", ("backward",))
            store.log.record(EventKind.PRACTICE, CardId("total"), showing=showing)

    lines, document = study("show", "total").out.splitlines(), study("show", "total", "--json").json

    assert lines.count("2026-11-23: flops.train_total, seed 5") == 2
    assert lines.count("You answered '1e22': incorrect") == 2
    assert "The exercise has changed since; its question cannot be shown again." in lines
    assert document["prompt"] == "E: flops.train_total"
    question = {name: variant[name] for name in ("exercise", "version", "seed", "prompt")}
    outcome = {"answer": "1e22", "verdict": "incorrect", "slips": ["backward"]}
    assert document["history"][0]["exercise"] == question | outcome


def test_the_start_of_an_id_names_its_card(study: Shell) -> None:
    add_own(study, "Q: a {#matmul-flops}\nA: b\n\nQ: c {#matmul-bytes}\nA: d")

    only, several, short = (study("answer", name, "good") for name in ("matmul-f", "matmul", "matmu"))

    assert [said.code for said in (only, several, short)] == [0, 3, 3]


def test_relink_moves_progress_to_another_card(study: Shell) -> None:
    add_own(study, "Q: an old question {#old}\nA: b")
    study("answer", "old", "good")
    study.write("own/a.md", "Q: entirely new {#new}\nA: c")

    result = study("deck", "relink", "old", "new")

    assert (result.code, result.out) == (0, "new now has the progress of old.\n")
    assert study("show", "new", "--json").json["memory"]["repetition"] == 1


def test_possible_rewording_is_left_to_the_learner(study: Shell) -> None:
    note = "Q: What is the dense bf16 peak of an H100 card? {#h}\nA: Look at the table of its sheet"
    add_own(study, note)
    study("answer", "h", "good")
    study.write("own/a.md", note.replace("H100", "A100").replace("#h", "#a"))

    output = "a looks like h reworded. To move the progress, run: study deck relink"
    assert study("due").err == f"decks: 1 new, 1 removed (progress kept)\ndecks: {output}\n"


def doubtful(study: Shell) -> str:
    """Edit two cards without ids so that only their learner can pair them. Return the first one's new id."""
    text = "Q: How large is it?\nA: large enough\n\nQ: How long is it?\nA: long enough\n"
    path = add_own(study, text)
    for card in study("show", "a", "--json").json["cards"]:
        study("answer", card["card"], "good")
    path.write_text(text.replace("enough", "enough (4 GB)"), encoding="utf-8")
    study("due")
    return str(study("show", "a", "--json").json["cards"][0]["card"])


def test_relink_lists_pairs_with_their_commands(study: Shell) -> None:
    first = doubtful(study)

    question, _, command = study("deck", "relink").out.splitlines()[0].partition("? study ")
    result = study(*command.split())

    assert (
        question == '"How large is it? / large enough (4 GB)" was "How large is it? / large enough": the same card'
    )
    assert (result.code, study("show", first, "--json").json["memory"]["repetition"]) == (0, 1)
    assert len(study("deck", "relink").out.splitlines()) == 1


def test_relink_asks_for_each_pair_on_terminal(study: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    doubtful(study)
    monkeypatch.setattr("studykit.cli.context.Context.interactive", True)

    result = study("deck", "relink", typed="n\ny\n")

    assert result.out.count("[y/N]") == 2
    assert result.out.endswith("Kept the progress of 1 card of 2.\n")
