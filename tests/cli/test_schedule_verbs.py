"""Test due, answer, undo, stats, doctor and config, as scripts call them."""

import sqlite3
import subprocess
import sys
from contextlib import closing
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
from shell import Result, Shell

from decks import basic_card
from studykit.cards.card import DeckId
from studykit.cli.context import Context
from studykit.cli.prompt import short
from studykit.store.card_table import DeckUpdate
from studykit.store.opening import open_store
from studykit.store.rows import DeckFile

MONDAY = date(2026, 11, 23)
CARDS = ("a", "b", "six-nd")


@pytest.fixture
def study(study: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shell:
    cards = [
        basic_card(name, path=str(tmp_path / "flops.md"), position=position, objectives=("flops",))
        for position, name in enumerate(CARDS)
    ]
    clock = datetime(2026, 11, 23, tzinfo=UTC)
    with open_store(study.database, clock=lambda: clock, zone_name="UTC", zone=UTC) as store:
        file = DeckFile(cards[0].path, 0, 0, "", DeckId("flops"), "Counting FLOPs")
        store.update_decks(DeckUpdate([file], cards))
    monkeypatch.setattr(Context, "refreshed_store", lambda context, **_: context.store)
    return study


def at(day: date) -> str:
    return f"{day}T09:00:00+00:00"


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        *((["answer", "--", "a", grade], 2, "grade") for grade in ("6", "-1", "great", "", "4.0")),
        (["answer", "six-nq", "good"], 3, "study: No card has the id 'six-nq'. Did you mean six-nd?\n"),
        *(
            (["answer", "a", "good", "--at", moment], 2, "--at")
            for moment in ("yesterday", "1969-01-01", "9999-12-31T23:00:00", "0001-01-01T00:00+14:00")
        ),
        *((["answer", "a", "good", "--ms", took], 2, "--ms") for took in ("9" * 20, "86400001", "-1")),
        (["due", "flop"], 3, "study: No card matches 'flop'. Did you mean flops?\n  study help find\n"),
        (["undo"], 1, "study: There is nothing to undo.\n"),
        (["config", "set", "hidden_decks", '["a"'], 2, "Write a,b or"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_wrong_call_is_refused_and_logs_nothing(study: Shell, words: list[str], code: int, message: str) -> None:
    result = study(*words)

    assert (result.code, message in result.err) == (code, True), result.err
    assert study("undo", "--list").out == "There is nothing to undo.\n"


def test_earlier_answer_reports_changed_schedule(study: Shell) -> None:
    study("answer", "a", "good", "--at", at(MONDAY - timedelta(days=20)))
    study("answer", "a", "good", "--at", at(MONDAY))

    result = study("answer", "a", "hard", "--at", at(MONDAY - timedelta(days=3)))

    assert result.out == "Saved before later answers: with them a is due on 2026-11-26, it was 2026-11-29.\n"
    history = study("show", "a", "--json").json["history"]
    assert [event["became"] for event in history] == ["review", "review", "cram"]
    drilled = study("answer", "a", "hard", "--at", at(MONDAY - timedelta(days=3)), "--json").json
    assert (drilled["became"], drilled["due"]) == ("drill", "2026-11-26")


def test_answer_document_has_contract_keys(study: Shell) -> None:
    document = study("answer", "a", "good", "--json").json

    memory = {"repetition": 1, "interval": 1, "ease": 250, "lapses": 0, "stability": None, "difficulty": None}
    days = {"due": "2026-11-24", "reviewed": "2026-11-23"}
    answer = {"schema": 1, "card": "a", "event": "", "grade": 4, "became": "review"}
    assert document | {"event": ""} == answer | memory | days


def test_due_counts_what_is_left_today(study: Shell) -> None:
    study("answer", "a", "again")
    study("answer", "b", "good")
    study.at(at(MONDAY + timedelta(days=1)))
    study("answer", "b", "hard")

    counts = {"due": 1, "new": 1, "drill": 1, "waiting": 0, "decks": {"flops": 1}}
    assert study("due", "--json").json == {"schema": 1, "date": "2026-11-24"} | counts
    assert study("due").out == "flops\t1\t2026-11-24\t1\t1\n"


def test_the_prompt_leaves_other_databases_to_the_program(study: Shell) -> None:
    assert short(Context.from_environment(str(study.home / "none.db"))) is None


@pytest.mark.parametrize(
    ("words", "cards"), [([], ["six-nd"]), (["--last", "2"], ["six-nd", "b"])], ids=["one", "two"]
)
def test_undo_says_what_it_took_back(study: Shell, words: list[str], cards: list[str]) -> None:
    for name in CARDS:
        study("answer", name, "good")

    document = study("undo", *words, "--json").json["undone"]

    assert [(one["kind"], one["card"], one["grade"], one["memory"]) for one in document] == [
        ("answer", card, 4, None) for card in cards
    ]


def test_undo_list_takes_nothing_back(study: Shell) -> None:
    study("answer", "a", "good")

    assert study("undo", "--list").out == "2026-11-23 09:00  answer good  a\n"
    assert len(study("undo", "--list", "--json").json["undoable"]) == 1


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("a,b", ["a", "b"]),
        ("a, b", ["a", "b"]),
        ("a", ["a"]),
        ('["a,x", "b"]', ["a,x", "b"]),
        ("", []),
        ("[]", []),
    ],
)
def test_a_list_is_set_from_commas_or_toml(study: Shell, text: str, value: list[str]) -> None:
    study("config", "set", "hidden_decks", text)

    assert study("config", "get", "hidden_decks", "--json").json["value"] == value


def test_a_healthy_database_passes_the_doctor(study: Shell) -> None:
    study("answer", "a", "good")

    document = study("doctor", "--json").json

    assert document["problems"] == 0
    assert {check["name"] for check in document["checks"]} >= {"database", "log", "torch", "GPU"}


def test_doctor_repairs_a_wrong_cache(study: Shell) -> None:
    study("answer", "a", "good")
    with closing(sqlite3.connect(study.database)) as connection:
        connection.execute("UPDATE memory SET ease = 999")
        connection.commit()

    codes = [study("doctor").code, study("doctor", "--fix").code, study("doctor").code]

    assert codes == [1, 0, 0]
    assert study("answer", "a", "good", "--json").json["ease"] == 250


def test_doctor_names_unreadable_deck(study: Shell) -> None:
    deck = study.home / "mine.md"
    deck.write_text("Q: a question without an answer\n")
    study("config", "set", "decks", str(deck))

    result = study("doctor")

    assert result.code == 1
    assert f"{deck}:1" in result.out


def test_doctor_reports_damaged_database(study: Shell) -> None:
    study.database.write_text("not a database")

    result = study("doctor", "--json")

    assert result.code == 1
    assert "is not a database" in result.out


def test_setting_keeps_rest_of_the_file(study: Shell) -> None:
    file = study.home / "config.toml"
    file.write_text("# mine\n[review]\ngrades = '2' # two keys\n")

    study("config", "set", "review.new_per_day", "3")

    assert file.read_text() == "# mine\n[review]\ngrades = '2' # two keys\nnew_per_day = 3\n"
    assert study("config", "get", "review.new_per_day").out == "3\n"
    assert study("due", "--json").json["new"] == 3


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ("get", "review.new_per_dya"),
            "Unknown setting 'review.new_per_dya'. Did you mean review.new_per_day?\n  study config list",
        ),
        (("get", "grades"), "Unknown setting 'grades'. Did you mean review.grades?\n  study config list"),
        (("get", "zzz"), "Unknown setting 'zzz'.\n  study config list"),
        (("set", "keys.agian", "x"), "Unknown action 'keys.agian'. Did you mean keys.again?\n  study help keys"),
        (("set", "review.grades", "5"), "review.grades is one of '4', '2', 'sm2', not '5'."),
        (("set", "review.limit", "many"), "review.limit is a whole number from 0 to 1,000,000,000, not 'many'."),
        (
            ("set", "review.limit", "1000000001"),
            "review.limit is a whole number from 0 to 1,000,000,000, not 1000000001.",
        ),
        (
            ("set", "review.limit", "9" * 5000),
            f"review.limit is a whole number from 0 to 1,000,000,000, not '{'9' * 5000}'.",
        ),
        (("set", "ui.streak", "perhaps"), "ui.streak is true or false, not 'perhaps'."),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_a_setting_that_cannot_be_is_refused(study: Shell, words: tuple[str, ...], message: str) -> None:
    assert study("config", *words) == Result(2, "", f"study: {message}\n")


@pytest.mark.parametrize(
    "text",
    [
        "[review\n",
        "review = 3\n[review]\n",
        "[review]\nnew_per_day = 'x'\n",
        "[review]\nnew_per_day = 99999999999999999999\n",
        "n = " + "9" * 5000,
        "n = " + "[" * 3000,
    ],
    ids=range(6),
)
def test_unreadable_configuration_is_reported_with_its_file(study: Shell, text: str) -> None:
    (study.home / "config.toml").write_text(text)

    result = study("due")

    assert result.code == 5
    assert "config.toml" in result.err


@pytest.mark.parametrize("text", ["review = 3\n", "n = " + "[" * 3000], ids=["no section", "nested"])
def test_setting_refuses_a_broken_file(study: Shell, text: str) -> None:
    (study.home / "config.toml").write_text(text)

    assert study("config", "set", "review.limit", "7").code == 5
    assert (study.home / "config.toml").read_text() == text


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("\n[review]\nnew_per_dy = 3\n", "Unknown setting 'review.new_per_dy'. Did you mean review.new_per_day?"),
        ("[reviw]\nlimit = 3\ngrades = '2'\n", "Unknown section [reviw]. Did you mean [review]?"),
        ("[zzz]\n", "Unknown section [zzz]."),
        ("# mine\n[keys]\nagian = 'x'\n", "Unknown action 'keys.agian'. Did you mean keys.again?"),
        ("deks = ['a']\n", "Unknown setting 'deks'. Did you mean decks?"),
        ("ui.mod = 'plain'\n", "Unknown setting 'ui.mod'. Did you mean ui.mode?"),
    ],
    ids=["key", "section", "strange section", "action", "top", "dotted"],
)
def test_unknown_setting_is_reported_with_its_file(study: Shell, text: str, message: str) -> None:
    file = study.home / "config.toml"
    file.write_text(text)

    for words in (("due",), ("config", "list")):
        assert study(*words)[::2] == (0, f"study: {file}: {message}\n")


def started(code: str, *words: str, flags: tuple[str, ...] = ()) -> tuple[str, str]:
    """Return what a separate process writes to both outputs."""
    command = [sys.executable, *flags, "-c", code, *words]
    output = subprocess.run(
        command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60, check=True
    )
    return output.stdout, output.stderr


def test_a_prompt_makes_no_remarks(study: Shell) -> None:
    study("due")
    (study.home / "config.toml").write_text("[reviw]\n")

    assert started("from studykit.__main__ import main; main()", "due", "--short") == ("3 new\n", "")


def test_config_knows_where_its_file_is(study: Shell) -> None:
    assert study("config", "path").out == f"{study.home / 'config.toml'}\n"
    assert study("config", "path", "--json").json == {"schema": 1, "path": str(study.home / "config.toml")}


def test_paths_and_switches_can_be_set(study: Shell) -> None:
    study("config", "set", "decks", "/one:/two")
    study("config", "set", "ui.streak", "off")

    document = study("config", "list", "--json").json["settings"]

    assert (document["decks"], document["ui.streak"]) == (["/one", "/two"], False)


RICH = {"rich.console", "rich.table", "rich.text", "studykit.cli.drawing"}
"""What draws, and is loaded where something is drawn."""
WATCHED = f"""
import sys; there = set(sys.modules); from studykit.__main__ import main
sys.argv = ["study", *sys.argv[1:]]
try:
    main()
finally:
    print(sorted({RICH} & set(sys.modules) - there))
"""


@pytest.mark.parametrize(
    ("verb", "loaded"),
    [(("--help",), False), (("due",), False), (("stats",), True)],
    ids=lambda words: " ".join(words) if isinstance(words, tuple) else "",
)
def test_rich_is_loaded_only_for_drawings(study: Shell, verb: tuple[str, ...], *, loaded: bool) -> None:
    study("answer", "a", "good")

    output, _ = started(WATCHED, *verb)

    assert output.splitlines()[-1] == str(sorted(RICH) if loaded else [])


def test_a_configuration_without_an_end_is_refused(study: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STUDYKIT_CONFIG", "/dev/zero")

    assert study("config", "list").code == 5


@pytest.mark.parametrize(
    ("zone", "day"),
    [
        *((zone, "2026-11-23") for zone in ("Asia/Tokyo", ":Asia/Tokyo")),
        *((zone, "2026-11-22") for zone in ("UTC", "Nowhere/Town", "../zoneinfo/Asia/Tokyo", "JST-9", "\udcff")),
    ],
)
def test_study_day_follows_tz_or_else_utc(
    study: Shell, monkeypatch: pytest.MonkeyPatch, zone: str, day: str
) -> None:
    monkeypatch.setenv("TZ", zone)
    study.at("2026-11-22T20:00:00+00:00")

    assert study("due", "--json").json["date"] == day
