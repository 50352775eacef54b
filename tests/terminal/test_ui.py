"""Test the interfaces that exercises use, and the choice between them."""

import io
import re
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, cast

import pytest
from fake_terminal import FakeTerminal, edited

from studykit.errors import UsageError
from studykit.picture import Ruler
from studykit.store.typed_drafts import TypedDrafts
from studykit.terminal import notice
from studykit.terminal.glyphs import ASCII, UNICODE, in_ascii
from studykit.terminal.input.keys import HangupError
from studykit.terminal.markdown.inline import Notation
from studykit.terminal.mode import Style, plain_reason, style_of
from studykit.terminal.page import TypedPart
from studykit.terminal.plain_ui import PlainUi
from studykit.terminal.screen import Screen, ScreenContent, heading, layout
from studykit.terminal.screen_ui import ScreenUi, value_rows
from studykit.terminal.spans import line, plain
from studykit.text import is_on
from studykit.ui import Command, Line, Quit, RunPosition, Seeded

if TYPE_CHECKING:
    from studykit.terminal.input.tty import Terminal


def screen_face(terminal: FakeTerminal, question: str = "", drafts: TypedDrafts | None = None) -> ScreenUi:
    """Return an interface that shows this question, if one is given."""
    ui = ScreenUi(Screen(cast("Terminal", terminal), Style()), Notation(), edited, drafts)
    if question:
        ui.show(question)
    return ui


def plain_text(terminal: FakeTerminal) -> str:
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", terminal.written).replace("\xa0", " ")


RULER = Ruler(6.3e24, [2.1e24])


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        (["7", "0", "B", "enter"], Line("70B")),
        (["7", "x", "backspace", "enter"], Line("7")),
        (["h", "enter"], Line("h")),
        ([":", "h", "enter"], Command("h")),
        ([":", "H", "I", "N", "T", "enter"], Command("h")),
        ([":", "tab", "s", "tab", "k", "tab", "x", "backspace", "enter"], Command("k")),
        ([":", ":", "h", "enter"], Line(":h")),
        ([":", "2", "enter"], Line(":2")),
        ([":", "s", "enter", ":", "s", "t", "enter"], Command("s")),
        ([":", "f", "enter", ":", "f", "l", "enter"], Command("flag")),
        (["enter"], Line("")),
        (["q", "enter"], Line("q")),
        ([":", "q", "enter"], Quit()),
        (["7", "esc", "enter"], Line("7")),
        (["7", "alt-b", "alt-q", "enter"], Line("7")),
        (["esc", "7", "enter"], Line("7")),
        (["ctrl-d"], Quit()),
        (["up", "enter"], Line("earlier")),
        (["2", "space", "B", "left", "left", "delete", "end", "enter"], Line("2B")),
    ],
)
def test_typed_line_is_answer_command_or_quit(keys: list[str], expected: object) -> None:
    ui = screen_face(FakeTerminal(*keys))

    offered = {"h": "hint 1 of 2", "s": "steps", "k": "skip", "flag": "", "fold": ""}

    assert ui.read("FLOP", offered, history=("earlier",)) == expected


def test_typing_screen_names_the_commands() -> None:
    terminal = FakeTerminal("enter", columns=80)

    screen_face(terminal).read("FLOP", {"": "go on", "h": "hint 1 of 2", "k": "skip", "flag": ""})

    assert plain_text(terminal).count("typing   enter go on   :hint 1 of 2   :skip   :quit") >= 1


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        ("s", ":s may be :steps, :skip"),
        ("zap", ":zap is not a command."),
        ("help", "Commands are :hint, :steps, :skip"),
        ("", "Commands are :hint, :steps, :skip"),
        ("hint please", ":hint must be alone on its line."),
    ],
)
def test_unclear_command_is_named_and_read_again(typed: str, message: str) -> None:
    terminal = FakeTerminal(":", *typed, "enter", "7", "enter", columns=80)

    reply = screen_face(terminal).read("FLOP", {"h": "hint 1 of 2", "s": "steps", "k": "skip"})

    assert reply == Line("7")
    assert message in plain_text(terminal)


def test_up_key_restores_an_unclear_line() -> None:
    terminal = FakeTerminal(*":hint of x", "enter", "up", "ctrl-a", ":", "enter", columns=80)

    assert screen_face(terminal).read("answer", {"h": "hint"}) == Line(":hint of x")


@pytest.mark.parametrize(
    ("keys", "offered", "key"),
    [
        (["x", "3"], {"1": "again", "3": "good"}, "3"),
        (["x", "enter"], {"": "next", "s": "steps"}, ""),
        (["x", "space"], {"": "next", "s": "steps"}, ""),
        (["q"], {"1": "again"}, None),
        (["esc"], {"1": "again"}, None),
        (["esc", "n"], {"n": "next", "q": "leave"}, "n"),
    ],
    ids=["offered", "enter", "space", "q", "escape", "escape where q is offered"],
)
def test_a_choice_is_one_key_of_those_offered(keys: list[str], offered: dict[str, str], key: str | None) -> None:
    assert screen_face(FakeTerminal(*keys)).choose("What next?", list(offered.items())) == key


@pytest.mark.parametrize(("columns", "sign"), [(40, "3x too low; answer"), (60, "┼──")])
def test_too_wide_picture_becomes_words(columns: int, sign: str) -> None:
    terminal = FakeTerminal("enter", columns=columns)
    ui = screen_face(terminal, "How many?")

    ui.draw(RULER)
    ui.read("FLOP", {})

    assert sign in terminal.written
    assert ("┼" in terminal.written) == (columns == 60)


def test_unlabelled_option_is_hidden_but_works() -> None:
    terminal = FakeTerminal("u")

    assert screen_face(terminal).choose("", [("", "next"), ("u", "")]) == "u"
    assert "u" not in plain_text(terminal)


def test_busy_notice_shows_and_disappears(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notice, "LATE_S", 0.0)
    terminal = FakeTerminal()
    ui = screen_face(terminal, "Why?")

    with ui.busy("grading"):
        deadline = time.monotonic() + 5
        while "grading ..." not in terminal.written and time.monotonic() < deadline:
            time.sleep(0.001)
        before = len(terminal.written)

    assert "grading ..." in terminal.written[:before]
    assert terminal.written[before:]
    assert "grading" not in terminal.written[before:]


def test_key_pressed_during_work_is_ignored() -> None:
    ui = screen_face(FakeTerminal("q", "n", "q"), "Why?")
    with ui.busy("measuring"):
        pass

    assert ui.choose("What next?", [("n", "next")]) == "n"
    assert ui.choose("What next?", [("q", "leave")]) == "q"  # nothing was worked on since


LONG = "\n\n".join(f"paragraph {number}." for number in range(30))


def last_screen(terminal: FakeTerminal) -> str:
    return terminal.written.rpartition("\x1b[H")[2]


def test_low_screen_keeps_the_question_end() -> None:
    terminal = FakeTerminal("1", "enter", "enter", columns=40, rows=10)
    ui = screen_face(terminal, f"{LONG}\n\nHow many bytes is that?\n\nAccepted within 2 %.")
    ui.read("GB", {"s": "steps", "k": "skip"})
    ui.tell("✗ **not yet**: too low, by 10x or more.")

    ui.read("GB", {"s": "steps", "k": "skip"})

    screen = last_screen(terminal)
    assert "How many bytes is that?" in screen
    assert "not yet" in screen


@pytest.mark.parametrize("ask", [lambda ui: ui.read("", {}), lambda ui: ui.choose("?", [("enter", "on")])])
def test_long_page_scrolls_to_its_end(ask: Callable[[ScreenUi], object]) -> None:
    terminal = FakeTerminal(*["pgdn"] * 9, "enter", columns=60, rows=16)
    ui = screen_face(terminal, LONG)

    ask(ui)

    first = terminal.written.split("\x1b[H")[1]
    assert "paragraph 0." in first
    assert "-- more below (page down) " in first
    assert "paragraph 29." in last_screen(terminal)
    assert "-- more above (page up) " in last_screen(terminal)


@pytest.mark.parametrize(
    ("columns", "name"),
    [(40, "8. The training loop, initializ… 13 left"), (34, "8. The training loop, ini… 13 left")],
)
def test_a_heading_that_has_no_room_says_so(columns: int, name: str) -> None:
    text = plain(heading("8. The training loop, initialization", "13 left", 0.5, columns, UNICODE))

    assert (text.split(), len(text)) == (name.split(), columns)
    assert "…" not in plain(heading("8. The", "13 left", 0.5, columns, UNICODE))
    assert plain(heading("8. The training loop, initialization", "13 left", 0.5, columns, ASCII)).isascii()


@pytest.mark.parametrize(
    ("columns", "edge"),
    [
        (40, "-- more above -- more below ────────────"),
        (60, "-- more above (page up) -- more below (page down) ──────────"),
    ],
)
def test_a_narrow_edge_cuts_no_word(columns: int, edge: str) -> None:
    content = ScreenContent([line("head")], [line("row")] * 40, [line("foot")], back="page up", onward="page down")

    rows = [plain(row) for row in layout(content, columns, 12, 5, UNICODE).rows]

    assert edge in rows


def test_long_feedback_shows_from_its_start() -> None:
    terminal = FakeTerminal("7", "enter", "enter", columns=60, rows=16)
    ui = screen_face(terminal, "A question.")
    ui.read("FLOP", {})

    ui.tell(f"The answer is 8.\n\n{LONG}")
    ui.read("", {})

    assert "The answer is 8." in last_screen(terminal)


def plain_face(typed: str) -> tuple[PlainUi, io.StringIO]:
    sink = io.StringIO()
    return PlainUi(io.StringIO(typed), sink, Notation(), edited), sink


def test_plain_lines_are_labeled() -> None:
    ui, sink = plain_face("70B\n")
    ui.draw(RULER)
    ui.show("How many?", title="flops")

    reply = ui.read("FLOP", {"h": "hint", "": "go on"})

    assert reply == Line("70B")
    assert sink.getvalue() == (
        "you 2.1e24, 3x too low; answer 6.3e24.\n"
        "Exercise: flops\nQuestion: How many?\nCommands: :hint, Enter go on, :quit. :help repeats them.\nFLOP> "
    )


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        (":h\n", Command("h")),
        ("h\n", Line("h")),
        (":q\n", Quit()),
        ("", Quit()),
        ("\n", Command("")),
        (":x\n7\n", Line("7")),
    ],
)
def test_plain_lines_can_be_commands(typed: str, expected: object) -> None:
    assert plain_face(typed)[0].read("FLOP", {"h": "hint", "": "go on"}) == expected


@pytest.mark.parametrize(
    ("typed", "key"),
    [("g\n", "g"), ("7\nx\n\n:A\n", "a"), ("Goo\n", "g"), ("help\n", "?"), ("q\n", None), ("", None)],
)
def test_plain_choice_accepts_a_key_or_word(typed: str, key: str | None) -> None:
    assert plain_face(typed)[0].choose("Grade?", [("a", "again"), ("g", "good")], [("?", "keys")]) == key


def test_undecodable_input_ends_the_question() -> None:
    source = io.TextIOWrapper(io.BytesIO(b"\xff\xfe\n"), encoding="utf-8")
    ui = PlainUi(source, io.StringIO(), Notation(), edited)

    assert ui.read("FLOP", {}) == Quit()


@pytest.mark.parametrize(
    ("value", "on"), [("1", True), ("yes", True), ("0", False), ("Off", False), (None, False)]
)
def test_a_switch_is_on_unless_it_says_no(value: str | None, on: bool) -> None:  # noqa: FBT001
    assert is_on(value) is on


TERMINAL = {"TERM": "xterm"}


@pytest.mark.parametrize(
    ("environ", "options", "why"),
    [
        (TERMINAL, {}, ""),
        (TERMINAL, {"plain": True}, "via flag"),
        (TERMINAL, {"setting": "plain"}, "via config"),
        ({**TERMINAL, "STUDYKIT_PLAIN": "1"}, {"setting": "screen"}, "via env"),
        ({"TERM": "dumb"}, {}, "because TERM is dumb"),
        ({}, {}, "because TERM is dumb"),
    ],
)
def test_flag_beats_setting(environ: dict[str, str], options: dict[str, object], why: str) -> None:
    assert plain_reason(environ, terminal=True, **options) == why  # type: ignore[arg-type] # keywords of a test


def test_without_a_terminal_only_plain_lines_work() -> None:
    assert plain_reason(TERMINAL, terminal=False, plain=True) == "via flag"
    for environ in (TERMINAL, {"TERM": "dumb"}, {}):
        with pytest.raises(UsageError):
            plain_reason(environ, terminal=False)


@pytest.mark.parametrize(
    ("environ", "encoding", "expected"),
    [
        ({}, "utf-8", Style(color=True, ascii=False)),
        ({"NO_COLOR": "1"}, "utf-8", Style(color=False, ascii=False)),
        ({"NO_COLOR": ""}, "utf-8", Style(color=True, ascii=False)),
        ({"STUDYKIT_GLYPHS": "ascii"}, "utf-8", Style(color=True, ascii=True)),
        ({}, "cp1252", Style(color=True, ascii=True)),
        ({}, "nosuch", Style(color=True, ascii=True)),
    ],
)
def test_colors_and_signs_follow_the_environment(environ: dict[str, str], encoding: str, expected: Style) -> None:
    assert style_of(environ, encoding=encoding) == expected


@pytest.mark.parametrize(
    ("text", "shown"),
    [("2×3 ≤ 7", "2x3 <= 7"), ("10²²m", "10^22 m"), ("x₂y", "x_2 y"), ("10⁻³", "10^(-3)"), ("漢", "?")],
)
def test_signs_are_spelled_in_ascii(text: str, shown: str) -> None:
    assert in_ascii(text) == shown


def rows_of(body: int, rows: int, scroll: int = 0, *, question: int = 0) -> list[str]:
    """Return a screen of this many rows, with a body below a question that stays."""
    frame = ScreenContent(
        [line("head")],
        [line(f"row {number}") for number in range(body)],
        [line("foot")],
        pinned=[(), *(line(f"question {number}") for number in range(question))] if question else (),
    )
    return [plain(row) for row in layout(frame, 20, rows, scroll, UNICODE).rows]


@pytest.mark.parametrize(("body", "rows"), [(0, 20), (5, 20), (50, 20), (5, 10), (5, 3), (5, 2), (5, 1)])
def test_a_frame_fills_the_terminal_exactly(body: int, rows: int) -> None:
    screen = rows_of(body, rows)

    assert len(screen) == rows
    assert rows < 3 or screen[-1] == "foot"
    assert ("head" in screen) == (rows == 20)


def test_what_does_not_fit_is_announced() -> None:
    assert rows_of(50, 20)[-2] == "-- more below (j) ──"
    assert rows_of(50, 20)[-3] == "row 15"
    assert rows_of(15, 20)[-2] == "─" * 20
    assert rows_of(50, 20, scroll=1000)[-3] == "row 49"


@pytest.mark.parametrize("scroll", [0, 1000])
@pytest.mark.parametrize("question", [1, 17])
def test_pinned_question_stays_while_the_body_scrolls(question: int, scroll: int) -> None:
    rows = rows_of(50, 24, scroll, question=question)

    assert [row for row in rows if row.startswith("question")] == [
        f"question {place}" for place in range(question)
    ]
    assert len(rows) == 24


@pytest.mark.parametrize(("question", "rows"), [(30, 24), (3, 12)])
def test_oversized_question_scrolls_with_the_body(question: int, rows: int) -> None:
    assert "question 0" in rows_of(50, rows, question=question)
    assert rows_of(50, rows, 1000, question=question)[-3] == "row 49"


def test_hints_and_retries_keep_the_question_visible() -> None:
    terminal = FakeTerminal(*["7", "enter"] * 12, columns=80, rows=24)
    ui = screen_face(terminal, "\n\n".join(f"question line {number}" for number in range(6)))

    for number in range(11):
        ui.read("FLOP", {})
        ui.tell(f"verdict {number}\n\nand a word on it")
    ui.read("FLOP", {})

    for words in ("question line 0", "question line 5", "verdict 10"):
        assert words in last_screen(terminal)


def test_wide_terminal_centers_the_page() -> None:
    terminal = FakeTerminal("7", "enter", columns=200, rows=24)
    ui = screen_face(terminal)
    ui.show("How many?", title="flops", place=RunPosition(1, 4))

    ui.read("FLOP", {})

    screen = re.sub(r"\x1b\[[0-9;]*m", "", last_screen(terminal))
    assert "\r\n" + " " * 58 + "How many?" in screen
    assert "\r\n" + " " * 56 + "─" * 88 + "\x1b[K" in screen
    assert ";64H" in screen  # 56 columns, then `FLOP> 7`
    assert "flops" + " " * 56 + "3 left ━━━━━───────────────" in screen


VALUES = (("flops", "84 ZFLOP"), ("time on one GPU", "3,200 days"), ("cost", "1.5 M$"))


@pytest.mark.parametrize(("columns", "rows"), [(80, 24), (40, 20), (120, 40), (200, 60)])
def test_earlier_step_values_stay_visible(columns: int, rows: int) -> None:
    terminal = FakeTerminal("9", "enter", columns=columns, rows=rows)
    ui = screen_face(terminal)
    ui.show("word 0\n\nword 1", place=RunPosition(3, 5, "", VALUES), title="Scope")
    ui.read("days", {"h": "hint"})
    for n in range(30):
        ui.tell(f"said {n}")

    screen = last_screen(terminal)
    assert "word 0" in screen
    assert all(name in screen and value in screen for name, value in VALUES)


def test_step_values_fold_where_rows_are_few() -> None:
    assert [plain(row).replace("\xa0", " ") for row in value_rows(VALUES, 36, 3)] == [
        "flops            84 ZFLOP",
        "time on one GPU  3,200 days",
        "cost             1.5 M$",
    ]
    assert [plain(row).replace("\xa0", " ") for row in value_rows(VALUES, 36, 2)] == [
        "flops 84 ZFLOP   time on one GPU",
        "3,200 days   cost 1.5 M$",
    ]
    assert [plain(row).replace("\xa0", " ") for row in value_rows(VALUES, 36, 0)] == ["… cost 1.5 M$"]


def test_last_result_shows_until_the_next_answer() -> None:
    terminal = FakeTerminal("9", "enter", "8", "enter")
    ui = screen_face(terminal)
    ui.show("Question?", place=RunPosition(1, 2, "✓ right: 4"))
    ui.read("m", {})
    assert "right: 4" in plain_text(terminal)
    terminal.written = ""

    ui.read("m", {})

    assert "right: 4" not in plain_text(terminal)


def test_low_screen_keeps_end_of_a_scrolled_question() -> None:
    terminal = FakeTerminal("9", "enter", "pgup", "pgup", "pgup", "8", "enter", columns=40, rows=20)
    ui = screen_face(terminal)
    ui.show("\n\n".join(f"word {n}" for n in range(12)), place=RunPosition(3, 5, "", VALUES), title="Scope")
    ui.read("days", {})
    for n in range(8):
        ui.tell(f"said {n}")
    ui.read("days", {})

    below = terminal.written.split("\x1b[H")[-5]
    assert all(words in below for words in ("…", "word 11", "cost", "1.5 M$"))
    assert "word 0" not in below
    assert any("word 0" in screen for screen in terminal.written.split("\x1b[H")[-4:])


def test_pasted_multiline_answer_shows_unchanged() -> None:
    rows = [plain(row).strip() for row in TypedPart("f =", "def f(x):\n    return `x`").lines(60, Notation())]

    assert rows == ["f =>", "", "def f(x):", "return `x`"]


class KeptLines(TypedDrafts):
    """Keep drafts in memory."""

    def __init__(self) -> None:
        self.lines: dict[str, str] = {}

    def of(self, place: str) -> str:
        return self.lines.get(place, "")

    def keep(self, place: str, text: str) -> None:
        self.lines = {place: text} if text else {}


def test_entered_line_is_kept_during_grading() -> None:
    lines = KeptLines()
    ui = screen_face(FakeTerminal("7", "enter"), drafts=lines)
    ui.show("How many?", seeded=Seeded("mem.gib", 3))

    assert ui.read("GB", {}) == Line("7")
    assert lines.lines == {}
    with ui.busy("grading"):
        assert (*lines.lines.values(),) == ("7",)
    assert lines.lines == {}


def test_colon_replaces_a_line_left_here_before() -> None:
    lines = KeptLines()
    first_ui = screen_face(FakeTerminal("4", "2"), "How many?", lines)
    with pytest.raises(HangupError):
        first_ui.read("GB", {"h": "hint"})

    ui = screen_face(FakeTerminal(":", "h", "enter", "up", "enter"), "How many?", lines)

    assert [ui.read("GB", {"h": "hint"}) for _ in range(2)] == [Command("h"), Line("42")]


def test_command_is_not_saved_as_draft() -> None:
    lines = KeptLines()
    ui = screen_face(FakeTerminal(":", "h", "i"), "How many?", lines)

    with pytest.raises(HangupError):
        ui.read("GB", {"h": "hint"})

    assert lines.lines == {}


def test_up_key_restores_earlier_unread_lines() -> None:
    keys = ["x", "enter", "y", "enter", "up", "up", "enter", "up", "up", "up", "enter"]
    ui = screen_face(FakeTerminal(*keys), "How many?")

    replies = [ui.read("GB", {}, history=["earlier", "y"]) for _ in range(4)]

    assert replies == [Line("x"), Line("y"), Line("x"), Line("earlier")]


def test_low_screen_shows_feedback_to_a_long_line() -> None:
    terminal = FakeTerminal(*"9" * 200, "enter", "enter", columns=40, rows=12)
    ui = screen_face(terminal, "How many?")
    ui.read("GB", {})
    terminal.written = ""

    ui.tell("Not read: that is long.")
    ui.read("GB", {})

    assert "Not read: that is long." in plain_text(terminal)
