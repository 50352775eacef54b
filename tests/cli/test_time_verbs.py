"""Test study time, study device, study exercise timing and bet cards, with a scripted worker."""

import os
import sqlite3
from contextlib import closing, nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest
from asking import ask_card, practise
from scripted_ui import ScriptedUi
from shell import Shell

from decks import basic_card
from studykit.cards.card import Kind, Task
from studykit.cli.app import run
from studykit.cli.context import Context
from studykit.cli.exit import run_program
from studykit.errors import BadDataError, MissingError
from studykit.exercise.bet import snippet_bets
from studykit.exercise.bet.bounds import Ceilings, Count, Kernel
from studykit.exercise.bet.score import Canary, Measurement
from studykit.graders.host.device_worker import INSTALL
from studykit.scheduling.recall_grade import Grade
from studykit.ui import Command, RunPosition

CEILINGS = Ceilings(
    device="a test's CPU",
    kind="cpu",
    driver="Linux",
    torch="2",
    threads=2,
    flops_per_s={"float32": 200e9, "bfloat16": 800e9},
    copy_bytes_per_s=50e9,
    triad_bytes_per_s=40e9,
    update_bytes_per_s=50e9,
    read_bytes_per_s=40e9,
    fill_bytes_per_s=40e9,
    overhead_s=1e-6,
    dispatch_s=5e-7,
    canary_s=5e-3,
    cache_bytes=32_000_000,
)
FREE = Canary(5e-3, 1.98, 2)
RELU = Count((Kernel("relu.default", 10**8, 8 * 10**8, "float32"),), 8 * 10**8, ("float32 (100000000)",))
QUIET = Measurement(0.020, 0.019, 0.021, samples=30, calls=1, cold=True, canaries=(FREE, FREE))


@dataclass
class GivenWorker:
    """Stand in for a worker with given figures, and remember its jobs."""

    device: str = "cpu"
    count_found: Count = RELU
    measured: Measurement = QUIET
    reached: Ceilings = CEILINGS
    asked: list[str] = field(default_factory=list)
    problem: str = ""
    log: Path | None = None
    promised: list[int] = field(default_factory=list)
    notice: str = ""

    def check_own_file(self, _permission: object) -> None:
        """Do nothing, because the sandbox works here."""

    def identity(self) -> dict[str, Any]:
        same = ("device", "kind", "driver", "torch", "threads")
        return {name: getattr(CEILINGS, name) for name in same} | {"cuda": False}

    def ceilings(self) -> Ceilings:
        self.asked.append("ceilings")
        return self.reached

    def count(self, _snippet: object) -> Count:
        self.asked.append("count")
        if self.problem:
            raise BadDataError(self.problem)
        return self.count_found

    def time(self, _snippet: object) -> tuple[Count, Measurement]:
        self.asked.append("time")
        if self.log is not None:
            self.promised.append(len(events(self.log)))
        return self.count_found, self.measured


def events(database: Path) -> list[tuple[str, str, str]]:
    with closing(sqlite3.connect(database)) as connection:
        return connection.execute("SELECT kind, verdict, answer FROM event ORDER BY moment").fetchall()


class WorkerShell(Shell):
    """Run the commands of a learner with one worker."""

    def __init__(self, home: Path, patch: pytest.MonkeyPatch, capture: pytest.CaptureFixture[str]) -> None:
        super().__init__(home, patch, capture, STUDYKIT_SEED="7")
        self.worker = GivenWorker(log=self.database)
        patch.setattr(
            "studykit.graders.host.device_worker.device_worker", lambda *_, **__: nullcontext(self.worker)
        )
        self("config", "set", "bet.device", "cpu")


@pytest.fixture
def study(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> WorkerShell:
    return WorkerShell(tmp_path, monkeypatch, capsys)


def test_good_bet_is_right_in_json(study: WorkerShell) -> None:
    result = study(
        "time", "bet.relu", "--bet", "22ms", "--binds", "memory", "--interval", "10ms", "40ms", "--json"
    )

    document = result.json
    assert result.code == 0
    assert (document["bet"], document["measured"]["median"], document["verdict"]) == (0.022, 0.020, "correct")
    assert (document["flops"], document["bytes"], document["bound"]) == (10**8, 8 * 10**8, "memory")
    assert (document["floor"], document["device"]) == (0.016, "a test's CPU")
    assert document["factor"] == pytest.approx(1.1)
    assert (document["interval"], document["covered"], document["schema"]) == ([0.010, 0.040], True, 1)
    assert document["ceilings"]["flops_per_s.float32"] == 200e9


def test_a_script_need_not_say_what_binds(study: WorkerShell) -> None:
    document = study("time", "bet.relu", "--bet", "20ms", "--json").json

    assert (document["verdict"], document["grade"], document["binds"]) == ("correct", 5, None)
    assert study("stats", "--json").json["bets"]["reasons"] == {"right": 0, "of": 0}


def test_bet_is_logged_before_measuring(study: WorkerShell) -> None:
    study("time", "bet.relu", "--bet", "22ms", "--binds", "memory")

    assert study.worker.promised == [1]
    bet, result = events(study.database)
    assert bet == ("bet", "", "0.022 s memory")
    assert result[:2] == ("practice", "correct")


def test_wrong_bet_exits_1_with_distance(study: WorkerShell) -> None:
    result = study("time", "bet.relu", "--bet", "200ms", "--binds", "memory")

    assert result.code == 1
    assert "wrong: 10x too high, and memory binds it" in result.out
    too_low = study("time", "bet.relu", "--bet", "1ms", "--binds", "memory")
    assert "800 MB have to move, which takes 16 ms at best." in too_low.out


def test_outcome_shows_derivation_bounds_and_roofline(study: WorkerShell) -> None:
    study.worker.count_found = replace(RELU, kernels=RELU.kernels * 2, fused_bytes=8 * 10**8)
    study.worker.measured = replace(QUIET, median=0.040, p20=0.040, p80=0.040)

    result = study("time", "bet.relu", "--bet", "40ms", "--binds", "memory")

    assert "eager       32 ms   2 kernels: 1.6 GB at 50 GB/s = 32 ms" in result.out
    assert "fused       16 ms   800 MB if one kernel did it all" in result.out
    assert "ridge 4" in result.out


def test_plain_lines_say_what_the_pictures_show(study: WorkerShell) -> None:
    result = study("time", "bet.relu", "--bet", "22ms", "--binds", "memory", "--plain")

    assert "Times: fused bound" in result.out
    assert "memory-bound, roof" in result.out
    assert not any(mark in result.out for mark in "┼│◆▲●")


def test_pictures_fit_the_terminal(study: WorkerShell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")

    result = study("time", "bet.relu", "--bet", "30ms", "--binds", "memory")

    output = [line for line in result.out.splitlines() if any(sign in line for sign in "│┼└")]
    assert output
    assert max(map(len, output)) <= 40


@pytest.mark.parametrize(
    "change", [{"canaries": (FREE, Canary(5e-3, 1.0, 2))}, {"p80": 0.2}], ids=["busy", "scattered"]
)
def test_busy_machine_scores_nothing(study: WorkerShell, change: dict[str, Any]) -> None:
    study.worker.measured = replace(QUIET, **change)

    result = study("time", "bet.relu", "--bet", "200ms", "--binds", "memory", "--json")

    assert (result.code, result.json["verdict"], result.json["grade"]) == (0, "not_scored", None)


def test_a_time_faster_than_physics_is_refused(study: WorkerShell) -> None:
    study.worker.measured = replace(QUIET, median=0.001, p20=0.001, p80=0.001)

    result = study("time", "bet.relu", "--bet", "1ms", "--binds", "memory")

    assert result.code == 1
    assert "refused: measured 1 ms, but this device needs at least 16 ms" in result.out


def test_own_file_raises_no_ceiling(study: WorkerShell, tmp_path: Path) -> None:
    study.worker.measured = replace(QUIET, median=0.0155, p20=0.0155, p80=0.0155)
    (tmp_path / "mine.py").write_text("a snippet")

    document = study("time", str(tmp_path / "mine.py"), "--bet", "15.5ms", "--json").json

    assert (document["floor"], document["ceilings"]["copy_bytes_per_s"]) == (0.016, 50e9)
    assert document["snippet"] == str(tmp_path / "mine.py")


def test_ceilings_that_lack_a_pattern_are_measured_again(study: WorkerShell) -> None:
    study("time", "bet.relu", "--bet", "22ms")
    with closing(sqlite3.connect(study.database)) as connection, connection:
        connection.execute("DELETE FROM ceiling WHERE name = 'fill_bytes_per_s'")
    study.worker.asked.clear()

    assert study("time", "bet.relu", "--bet", "22ms", "--json").json["verdict"] == "correct"
    assert study.worker.asked == ["count", "ceilings", "time"]


def test_verdict_stands_above_its_table(study: WorkerShell) -> None:
    output = study("time", "bet.relu", "--plain", typed="m\n300ms\n\n\n").out

    verdict, why = output.index("✗ wrong: 20 ms"), output.index("15x too high, and memory binds it")
    assert verdict < why < output.index("eager  ") < output.index("Times: ")


def test_ceilings_are_measured_once(study: WorkerShell) -> None:
    for _ in range(2):
        study("time", "bet.relu", "--bet", "22ms", "--binds", "memory")

    assert study.worker.asked == ["count", "ceilings", "time", "count", "time"]
    for words in (("device",), ("device", "--measure")):
        study(*words)
    assert study.worker.asked[5:] == ["ceilings"]


def test_ceilings_are_measured_again_when_the_canary_drifts(study: WorkerShell) -> None:
    study("device")
    study.worker.measured = replace(QUIET, canaries=(Canary(9e-3, 1.98, 2),) * 2)

    result = study("time", "bet.relu", "--bet", "22ms", "--binds", "memory")

    assert study.worker.asked == ["ceilings", "count", "time", "ceilings", "time"]
    assert result.err.count("\n") == 1
    assert (
        "This machine is not what it was when it was measured: measuring it again, ten seconds to a minute"
        in result.err
    )


@pytest.mark.parametrize("stream_s", [2.5e-3, 6e-3], ids=["faster", "slower"])
def test_changed_memory_measures_ceilings_again(study: WorkerShell, stream_s: float) -> None:
    study.worker.reached = replace(CEILINGS, stream_s=4e-3)
    study("device")
    study.worker.reached = replace(CEILINGS, stream_s=stream_s)
    study.worker.measured = replace(QUIET, canaries=(replace(FREE, stream_s=stream_s),) * 2)

    result = study("time", "bet.relu", "--bet", "22ms", "--binds", "memory", "--json")

    assert result.json["verdict"] == "correct"
    assert study("device", "--json").json["ceilings"]["stream_s"] == stream_s


def test_busy_ceilings_are_measured_again(study: WorkerShell) -> None:
    study.worker.reached = replace(CEILINGS, quiet=False)
    assert "while the machine was busy: too low" in study("device").out
    study.worker.reached = CEILINGS

    result = study("time", "bet.relu", "--bet", "22ms", "--binds", "memory", "--json")

    assert result.json["verdict"] == "correct"


def test_snippet_is_shown_without_a_bet(study: WorkerShell) -> None:
    result = study("time", "bet.relu", "--seed", "3")
    document = study("time", "bet.relu", "--seed", "3", "--json").json

    assert result.code == 0
    assert "def run(x):" in result.out
    assert "# takes float32 (100000000)" in result.out
    assert "study time bet.relu --seed 3 --bet TIME" in result.out
    assert (document["snippet"], document["seed"], document["inputs"]) == ("bet.relu", 3, ["float32 (100000000)"])
    assert "def run(x):" in document["source"]
    assert not study.database.exists()


def test_plain_lines_ask_for_the_bet(study: WorkerShell) -> None:
    result = study("time", "bet.relu", "--plain", typed="m\n22 ms\n10 ms to 40 ms\n\n")

    assert result.code == 0
    assert result.out.endswith("bet.relu: ✓ right: 20 ms\n")
    assert [kind for kind, _, _ in events(study.database)] == ["bet", "practice"]


def test_what_never_ends_is_no_snippet(tmp_path: Path) -> None:
    (tmp_path / "mine.py").symlink_to("/dev/zero")
    os.mkfifo(tmp_path / "pipe.py")
    (tmp_path / "long.py").write_text("#" * (snippet_bets.MAX_BYTES + 1))

    for name, why in (("mine", "is a device"), ("pipe", "is a pipe"), ("long", "is larger than")):
        with pytest.raises(BadDataError, match=why):
            snippet_bets.own(tmp_path / f"{name}.py")


def test_uncountable_snippet_costs_no_bet(study: WorkerShell) -> None:
    study.worker.problem = "mine.py:4: it cannot be counted."

    result = study("time", "bet.relu", "--bet", "20ms", "--binds", "memory")

    assert (result.code, result.err) == (5, "study: mine.py:4: it cannot be counted.\n")
    assert not study.database.exists()


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (("bet.relu", "--binds", "memory"), 2, "A bet needs its time"),
        (("bet.relu", "--bet", "20", "--binds", "memory"), 5, "with its unit"),
        (("bet.relu", "--bet", "20 GB", "--binds", "memory"), 5, "with its unit"),
        (("bet.relu", "--bet", "soon", "--binds", "memory"), 5, "with its unit"),
        (("bet.relu", "--bet", "0 ms", "--binds", "memory"), 5, "no snippet can take that time"),
        (("bet.relu", "--bet", "1ms", "--binds", "luck"), 2, "'luck' is not a reason"),
        (("bet.relu", "--bet", "1ms", "--binds", "memory", "--device", "tpu"), 2, "'auto', 'cpu', 'cuda'"),
        (("bet.rleu", "--bet", "1ms", "--binds", "memory"), 3, "Did you mean bet.relu"),
        (("nowhere.py", "--bet", "1ms", "--binds", "memory"), 3, "nowhere.py does not exist"),
        (
            ("rewrite.nothing", "--bet", "1ms", "--binds", "memory"),
            3,
            "'rewrite.nothing' is not an exercise or a file",
        ),
        (("bet.host_to_device", "--bet", "1ms", "--binds", "memory"), 3, "needs a GPU"),
    ],
)
def test_invalid_bet_is_refused(study: WorkerShell, words: tuple[str, ...], code: int, message: str) -> None:
    result = study("time", *words)

    assert result.code == code
    assert message in result.err
    assert result.out == ""


def test_device_shows_ceilings_and_their_date(study: WorkerShell) -> None:
    result = study("device")

    assert "a test's CPU (Linux; torch 2, 2 threads)" in result.out
    assert "measured 23 Nov 2026, 09:00" in result.out
    output = [line.split("  ") for line in result.out.splitlines()]
    assert any("matmul bfloat16" in line and line[-1].strip() == "800 GFLOP/s" for line in output)
    assert any("ridge in float32" in line and line[-1].strip() == "4 FLOP/byte" for line in output)
    document = study("device", "--json").json
    assert (document["device"], document["threads"], document["quiet"]) == ("a test's CPU", 2, True)
    assert document["ceilings"]["update_bytes_per_s"] == 50e9
    assert document["measured"] == "2026-11-23T09:00:00+00:00"


def test_stats_tell_the_bias_of_the_bets(study: WorkerShell) -> None:
    for bet in ("10ms", "10ms", "12ms"):
        study("time", "bet.relu", "--bet", bet, "--binds", "memory", "--interval", "15ms", "30ms")

    result = study("stats")
    document = study("stats", "--json").json["bets"]

    assert "all bets (3): 2x too optimistic" in result.out
    assert "80 % intervals: 3 of the last 3 held (100%)" in result.out
    assert document["bias"]["memory"]["lean"] == pytest.approx(0.5)
    assert document["correct"] == 3


def test_a_promise_is_no_exercise_done(study: WorkerShell) -> None:
    study("time", "bet.relu", "--bet", "10ms", "--binds", "memory")

    assert study("stats", "--json").json["today"]["practised"] == 1
    assert study("doctor").code in {0, 1}


def test_missing_torch_names_the_installation(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("STUDYKIT_DB", str(tmp_path / "study.db"))
    monkeypatch.setattr("studykit.graders.host.device_worker.has_torch", lambda: False)

    code = run_program(run, ["device"])

    assert code == MissingError.exit_code
    assert capsys.readouterr().err == f"study: {INSTALL}\n"


def context(study: WorkerShell) -> Context:
    return Context.from_environment(str(study.database))


CARD = basic_card("bet-relu", kind=Kind.EXERCISE, task=Task("bet.relu", (("n", "1024"),)))


def test_card_asks_reason_time_and_interval(study: WorkerShell) -> None:
    ui = ScriptedUi("m", "22 ms", "10 ms to 40 ms")

    outcome = ask_card(context(study), CARD, ui, 7)

    assert outcome is not None
    assert outcome.grade is Grade.EASY
    assert outcome.showing is not None
    assert (outcome.showing.template, outcome.showing.verdict) == ("bet.relu", "correct")
    assert "# n = 1024" in ui.messages[1]
    assert any("Times: fused bound 16 ms" in line for line in ui.messages)


def test_unreadable_field_is_asked_again(study: WorkerShell) -> None:
    ui = ScriptedUi("m", "22", "soon", "0.1 ms 0.4 ms", "22 ms", "nonsense", "")

    outcome = ask_card(context(study), CARD, ui, 7)

    assert outcome is not None
    assert outcome.grade is Grade.EASY
    assert any("with its unit" in line for line in ui.messages)
    assert "Not read: give one time, such as 0.2 ms; give the interval separately." in ui.text


@pytest.mark.parametrize("answers", [(None,), ("m", None), ("m", "22 ms", None)])
def test_leaving_before_the_bet_is_whole_logs_nothing(study: WorkerShell, answers: tuple[str | None, ...]) -> None:
    assert ask_card(context(study), CARD, ScriptedUi(*answers), 7) is None
    assert events(study.database) == []


def test_named_bet_is_asked_again_by_key(study: WorkerShell) -> None:
    ui = ScriptedUi("m", "22 ms", "", "r", "c", "9 s", "", "")

    practise(context(study), "bet.relu", ui, 2)

    assert [kind for kind, _, _ in events(study.database)] == ["bet", "practice"] * 2
    assert ui.script == []
    assert ui.places == [RunPosition(0, 1)] * 2  # the named one, and again with fresh sizes


def test_undo_takes_back_result_then_bet(study: WorkerShell) -> None:
    ui = ScriptedUi("m", "22 ms", "", "u", Command("undo"), "m", "20 ms", "", "q")

    practise(context(study), "bet.relu", ui)

    kinds_logged = [kind for kind, _, _ in events(study.database)]
    assert kinds_logged == ["bet", "practice", "undo", "undo", "bet", "practice"]
    assert any(place.last_result.startswith("undone: your answer to ") for place in ui.places if place is not None)
    assert "Undone: your bet on bet.relu." in ui.text


def test_bet_names_command_for_same_sizes(study: WorkerShell) -> None:
    ui = ScriptedUi(Command("info"), "m", Command("info"), "22 ms", "", "q")

    practise(context(study), "bet.relu", ui, seed=1)

    info = "bet.relu, seed 1. The same sizes again: `study time bet.relu --seed 1 --device cpu`"
    assert ui.messages.count(info) == 2


def test_interrupted_measurement_says_bet_is_saved(study: WorkerShell) -> None:
    def interrupted(_snippet: object) -> tuple[Count, Measurement]:
        raise KeyboardInterrupt

    study.worker.time = interrupted  # type: ignore[method-assign]

    result = study("exercise", "bet.relu", "--plain", typed="m\n22 ms\n\n")

    assert "Stopped. Nothing was judged." in result.out
    assert [kind for kind, _, _ in events(study.database)] == ["bet"]
