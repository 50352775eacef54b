"""Test `study` and `study stats` on a log of some weeks: widths, figures, and hostile decks."""

import json
import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest
from fake_terminal import FakeTerminal
from shell import Result, Shell, context_in
from simulated_class import simulated_class

from studykit.cards.card import CardId
from studykit.cards.choice import TEMPLATE as CHOICE
from studykit.cli.commands.stats import show_views as draw_views
from studykit.cli.commands.stats_views import VIEWS, StatsFigures
from studykit.cli.context import Context
from studykit.cli.drawing import Drawing
from studykit.exercise.bet.record import OUTCOME
from studykit.exercise.catalog import objective_of
from studykit.scheduling.event_kinds import EventKind
from studykit.scheduling.events import Showing
from studykit.scheduling.recall_grade import Grade
from studykit.terminal.screen import Screen

DAYS = 20
NOW = datetime(2026, 12, 14, 8, 30, tzinfo=UTC)
ESCAPES = re.compile(r"\x1b\[[\d;]*m")
Show = Callable[..., Result]


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make the database of a simulated student who has also bet."""
    folder = tmp_path_factory.mktemp("log")
    context = context_in(folder, STUDYKIT_NOW=NOW.isoformat())
    context.collection.refresh()
    _, student = simulated_class(list(context.store.cards.all()), 2, DAYS)
    context.store.log.merge(student.events)
    outcome = {"bet": 1e-3, "measured": 2e-3, "binds": ["memory"], "said": "compute", "covered": True, "points": 1}
    bet = Showing("bet.add", 1, 7, json.dumps({OUTCOME: outcome}), "0.001 s", "close")
    for _ in range(5):
        context.store.log.record(EventKind.PRACTICE, CardId(""), showing=bet, took_ms=40_000)
    context.store.close()
    return folder / "study.db"


@pytest.fixture
def study(study: Shell, log: Path, tmp_path: Path) -> Shell:
    """Return a shell on the next morning."""
    shutil.copy(log, tmp_path / "study.db")
    return study.with_environ(STUDYKIT_NOW=NOW.isoformat(), TERM="xterm")


@contextmanager
def opened(study: Shell) -> Iterator[Context]:
    """Yield the learner's context, for changes that no verb makes."""
    context = Context.from_environment(str(study.database))
    yield context
    context.store.close()


def figures(context: Context) -> StatsFigures:
    return StatsFigures(context, context.store.schedule.stats(context.today()))


@pytest.mark.parametrize("columns", [40, 120])
@pytest.mark.parametrize("words", [(), ("stats", "--all"), ("deck", "list"), ("due",), ("doctor",)], ids=" ".join)
def test_everything_fits_a_terminal(on_terminal: Show, words: tuple[str, ...], columns: int) -> None:
    if words == ("doctor",) and columns == 40:
        pytest.skip("a path that is longer stays whole")

    rows = ESCAPES.sub("", on_terminal(*words, columns=columns).out).splitlines()

    assert max(map(len, rows)) <= columns
    assert not any(row.endswith(" ") for row in rows)


def test_home_and_views_fit_24_rows(on_terminal: Show, study: Shell) -> None:
    homes = [on_terminal(columns=columns).out.splitlines() for columns in (40, 80)]
    with opened(study) as context:
        drawing = Drawing(context, columns=80)
        heights = {name: len(drawing.lines(*parts(drawing, figures(context)))) for name, parts in VIEWS.items()}

    assert max(map(len, homes)) <= 23  # the prompt stands below
    assert max(heights.values()) <= 20, heights  # tabs, two rules and keys stand around


def test_home_shows_decks_in_course_order(study: Shell) -> None:
    rows = study().out.splitlines()

    decks = [row for row in rows if re.match(r"\d\. ", row)]
    assert [row[0] for row in decks] == list("123456789")
    assert rows[-1] == "Next: study review"


def test_run_ends_with_the_forecast_of_tomorrow(study: Shell) -> None:
    ending = study("exercise", "flops", "-n", "1", "--plain", typed=":skip\n\n").out
    today, tomorrow, *_ = study("--json").json["forecast"]

    assert today["due"] > 0
    assert f"  tomorrow {tomorrow['due']} due" in ending


def test_home_lists_due_and_statistics_tell_one_figure(study: Shell) -> None:
    home, due, stats = study("--json").json, study("due", "--json").json, study("stats", "--json").json
    decks = {deck["id"]: deck for deck in study("deck", "list", "--json").json["decks"]}

    assert {name: home[name] for name in ("due", "new", "drill", "decks")} == {
        name: due[name] for name in ("due", "new", "drill", "decks")
    }
    assert home["forecast"] == stats["forecast"]
    assert home["activity"] == stats["activity"]
    for id_, counts in home["deck_counts"].items():
        assert {**counts, "id": id_} == {name: decks[id_][name] for name in ("cards", "known", "new", "due", "id")}
        assert counts["known"] == stats["decks"].get(id_, {"known": 0})["known"]
    all_hours = sum(hour["reviews"] for hour in stats["hours"])
    assert all_hours == stats["retention"]["all"]["total"]["reviews"]
    reviews = sum(grade["young"] + grade["mature"] for grade in stats["grades"])
    assert reviews == all_hours
    assert sum(grade["new"] for grade in stats["grades"]) == stats["total"]["introduced"]


def test_todays_bar_counts_what_is_overdue(study: Shell) -> None:
    study.at("2026-12-18T09:00:00Z")

    document = study("stats", "--json").json

    assert document["overdue"] > 0
    assert document["forecast"][0]["due"] >= document["overdue"]
    assert f"Due ({document['overdue']:,} overdue)" in study("stats").out


def test_home_suggests_the_most_frequent_slip(study: Shell) -> None:
    study("config", "set", "review.new_per_day", "0")
    with opened(study) as context:
        for card in context.store.schedule.agenda(context.today(), new=0).due:
            context.store.log.record(EventKind.ANSWER, card, grade=Grade.GOOD)
        missed = Showing("flops.matmul", 1, 7, "{}", "1", "incorrect", ("mac_as_flop",))
        for _ in range(9):  # more often than the student made any slip
            context.store.log.record(EventKind.PRACTICE, CardId(""), grade=Grade.AGAIN, showing=missed)

    result = study()

    assert study("stats", "--json").json["slips"][0]["exercise"] == "flops.matmul"
    assert result.out.splitlines()[-1].startswith("Next: study exercise flops.matmul  (")
    assert study("exercise", "show", "flops.matmul", "--seed", "1").code == 0


def test_wrong_choice_suggests_no_exercise(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    study = Shell(tmp_path, monkeypatch, capsys)
    study("config", "set", "review.new_per_day", "0")
    output = Showing(CHOICE, 1, 7, "{}", "Aare", "incorrect", ("chose Aare at Which is longest?",))
    with opened(study) as context:
        for _ in range(3):
            context.store.log.record(EventKind.QUIZ, CardId(""), grade=Grade.AGAIN, showing=output)

    assert not study("--json").json["next"].startswith("study exercise choice")
    stats = study("stats").out
    assert re.search(r"chose Aare at Which is longest\? +3 times +-", stats)
    monkeypatch.setenv("STUDYKIT_PLAIN", "1")
    assert "chose Aare at Which is longest?: 3 times\n" in study("stats").out


def test_home_suggests_the_weakest_objective(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    study = Shell(tmp_path, monkeypatch, capsys)
    study("config", "set", "review.new_per_day", "0")
    with opened(study) as context:
        for template, grade in [("flops.matmul", Grade.GOOD), ("mem.train_state", Grade.AGAIN)] * 3:
            output = Showing(template, 1, 7, "{}", "1", "correct")
            context.store.log.record(EventKind.PRACTICE, CardId(""), grade=grade, showing=output)
        missed = Showing("flops.matmul", 1, 7, "{}", "1", "incorrect", ("mac_as_flop",))  # once only
        context.store.log.record(EventKind.PRACTICE, CardId(""), grade=Grade.AGAIN, showing=missed)

    weakest = objective_of("mem.train_state")

    assert weakest != objective_of("flops.matmul")
    assert study().out.endswith(f"Next: study exercise {weakest}  (your weakest objective: study stats)\n")
    assert study("--json").json["next"] == f"study exercise {weakest}"
    assert study("exercise", "list", str(weakest)).code == 0


def test_plain_mode_says_in_sentences_what_is_drawn(study: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STUDYKIT_PLAIN", "1")

    home, stats = study().out, study("stats").out

    assert not set("━█▓░▁·") & set(home + stats)
    assert re.search(r"^Last 12 weeks: \d+ of \d+ days, [\d,]+ answers, most on ", home, re.MULTILINE)
    assert re.search(r"^9\. Counting a Transformer: \d+ due, \d+ new, \d+ of \d+ known$", home, re.MULTILINE)
    assert re.search(r"^good: [\d,]+ new, ", stats, re.MULTILINE)


def test_ascii_and_no_color_are_respected(on_terminal: Show, monkeypatch: pytest.MonkeyPatch) -> None:
    colored = on_terminal(columns=80).out
    monkeypatch.setenv("STUDYKIT_GLYPHS", "ascii")
    monkeypatch.setenv("NO_COLOR", "1")

    output = [
        on_terminal(*words, columns=80).out for words in ((), ("stats", "--all"), ("deck", "list"), ("due",))
    ]

    assert "\x1b[36m" in colored
    assert all(text.isascii() for text in output)
    assert {code for text in output for code in ESCAPES.findall(text)} <= {"\x1b[0m", "\x1b[1m", "\x1b[2m"}


def test_hostile_deck_is_shown_as_text(on_terminal: Show, study: Shell) -> None:
    name = "[red]x[/red] :smile: \x1b]0;owned\x07\x1b[2J\u202e"
    deck = study.write("own/a.md", f"---\nname = {json.dumps(name)}\n---\nQ: [bold]q[/bold]\nA: a\n")
    added = study("deck", "add", str(deck))
    assert added.code == 0, added
    for words in ((), ("deck", "list"), ("due",), ("stats", "--all"), ("check", str(deck))):
        output = ESCAPES.sub("", on_terminal(*words, columns=100).out)
        assert not set(output) & {"\x1b", "\x07", "\u202e"}, words
    assert "[red]x[/red] :smile:" in on_terminal("deck", "list", columns=100).out


def show_views(study: Shell, terminal: FakeTerminal) -> None:
    with opened(study) as context:
        draw_views(context, Screen(terminal, context.style), figures(context))  # type: ignore[arg-type]


def test_views_are_turned_by_keys_and_scrolled(study: Shell) -> None:
    keys = ["2", "right", "left", "h", "8", "tab", "j", "j", "k", "5", "pgdn", "?", "q", "never"]
    terminal = FakeTerminal(*keys, columns=40, rows=20)

    show_views(study, terminal)

    screens = [ESCAPES.sub("", screen) for screen in terminal.written.split("\x1b[H")[1:]]
    names = ["history", "hours", "answers", "hours", "history", "bets", *["history"] * 4, *["objectives"] * 3]
    assert [screen.split()[0] for screen in screens] == names
    assert [screen.split()[1] for screen in screens[-3:]] == ["5", "5", "5"]
    above = ["more above (k)" in screen for screen in screens]
    assert above == [False] * 7 + [True] * 3 + [False, True, True]
    assert list(terminal.keys.waiting) == ["never"]


def test_wide_screens_name_every_view_with_its_key(study: Shell) -> None:
    terminal = FakeTerminal("q", columns=80, rows=24)

    show_views(study, terminal)

    head = ESCAPES.sub("", terminal.written).split("\r\n")[0]
    assert [f"{place} {name}" in head for place, name in enumerate(VIEWS, start=1)] == [True] * 8
