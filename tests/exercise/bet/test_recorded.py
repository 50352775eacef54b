"""Check bets on a recorded GPU: the files, the draws, and judging without torch."""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from asking import closed_card, practise, without_workers
from scripted_ui import ScriptedUi
from shell import Shell

from decks import exercise_card
from studykit.cli.context import Context
from studykit.errors import NotFoundError, StudyError
from studykit.exercise.bet.bench import bet_named
from studykit.exercise.bet.bounds import bounds
from studykit.exercise.bet.recorded import CARDS, FOLDER, Recording, recording, too_fast
from studykit.exercise.bet.score import HARD, unfit
from studykit.exercise.bet.snippet import Size
from studykit.scheduling.recall_grade import Grade

H100, H200 = map(recording, CARDS)
UNDER = 0.95  # of the bound of separate kernels, which the cache may keep from memory
CARD = exercise_card("bet.relu")
WITHOUT_TORCH = "import sys; sys.modules['torch'] = None; from studykit.__main__ import main; sys.exit(main())"


@pytest.mark.parametrize("card", CARDS)
def test_no_recorded_time_beats_its_bound(card: str) -> None:
    file = recording(card)
    exact = [row for rows in file.rows.values() for row in rows if row.is_exact]

    assert list(too_fast(file)) == []
    assert len(exact) == {"h100": 259, "h200": 0}[card]
    for row in exact:
        ratio = row.measured.median / bounds(row.count, file.ceilings).eager
        assert UNDER < ratio <= HARD, row
        assert unfit(row.measured, row.count, file.ceilings) is None


def test_same_seed_draws_the_same_row() -> None:
    matmul = bet_named("bet.matmul")

    draws = [H100.draw(matmul, seed) for seed in range(40)]

    assert draws == [H100.draw(matmul, seed) for seed in range(40)]
    assert len({str(variant.snippet.sizes) for variant in draws}) > 3
    assert all(H100.row_of(variant).is_exact for variant in draws)


def test_snippet_without_dtype_states_bfloat16() -> None:
    variant = H100.draw(bet_named("bet.relu"), 1, {"dtype": "bfloat16"})

    assert variant.snippet.source.startswith("torch.set_default_dtype(torch.bfloat16)\n")
    assert variant.lesson.endswith("in bfloat16, as here, an element has 2.")
    assert H100.draw(bet_named("bet.matmul"), 1, {"dtype": "bfloat16"}).lesson == bet_named("bet.matmul").lesson


def test_size_that_was_not_recorded_is_refused() -> None:
    with pytest.raises(NotFoundError, match="was not recorded on an H100"):
        H100.draw(bet_named("bet.relu"), 1, {"n": 3})


def test_bet_on_an_h100_needs_no_torch(tmp_path: Path) -> None:
    command = [sys.executable, "-c", WITHOUT_TORCH, "time", "bet.matmul", "--bet", "2ms", "--binds", "compute"]
    environ = {"HOME": str(tmp_path), "PATH": "", "STUDYKIT_NOW": "2026-11-23T09:00:00+00:00"}

    done = subprocess.run([*command, "--json"], capture_output=True, text=True, env=environ, check=False)

    document = json.loads(done.stdout)
    assert document["device"] == "NVIDIA H100 80GB HBM3"
    assert document["bound"] == "compute"
    assert document["factor"] == pytest.approx(0.002 / document["measured"]["median"])


def test_skipped_recorded_bet_shows_what_was_measured(study: Shell) -> None:
    skipped = study("exercise", "bet.matmul", "n=8192", "dtype=bfloat16", "--plain", typed=":skip\n\n").out
    judged = study("exercise", "bet.matmul", "n=8192", "dtype=bfloat16", "--plain", typed="c\n2 ms\n\n").out

    measured = judged.partition("measured    ")[2].partition("   ")[0]
    assert f"skipped: {measured}, compute binds it\n" in skipped


def test_timing_set_begins_with_a_recorded_matmul(study: Shell) -> None:
    done = study("exercise", "timing", "--plain", typed="c\n2 ms\n\n")

    assert "bet.matmul" in done.out.splitlines()[1]
    assert "Recorded on an H100 SXM on 2026-11-26." in done.out
    assert "measured" in done.out


@pytest.mark.parametrize(
    ("arguments", "kinds"),
    [([], ["bet", "bet", "count", "bet", "bet", "count"]), (["--device", "h100"], ["bet"] * 6)],
    ids=["default", "device"],
)
def test_every_third_bet_is_counted(study: Shell, arguments: list[str], kinds: list[str]) -> None:
    skipped = study("exercise", "timing", "-n", "6", "--seed", "1", *arguments, "--plain", typed=":skip\n\n" * 6)

    headings = re.findall(r"timing \d/6 . (\w+)\.", skipped.out)
    assert headings == kinds


def test_counted_bet_among_timing_bets_is_judged(study: Shell) -> None:
    typed = ":skip\n\n:skip\n\n99999 GB\n99999 GB\n99999 GB\n"

    done = study("exercise", "timing", "-n", "3", "--seed", "1", "--plain", typed=typed)

    assert "Alive at the peak" in done.out or "Saved for backward" in done.out
    assert study("stats", "--json").json["bets"]["counted"]["all"]["bets"] == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["time", "mine.py", "--device", "h100"], "Only the shipped bets were recorded"),
        (["exercise", "napkin-math", "--device", "h100"], "--device is for timing bets"),
        (["time", "bet.add_tiny", "--device", "h100", "--bet", "4us"], "has no exact time on an H100 SXM"),
    ],
)
def test_what_has_no_recorded_time_is_refused(
    study: Shell, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, arguments: list[str], message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text("def setup():\n    return 1\n\ndef run(x):\n    return x\n")

    done = study(*arguments)

    assert (done.code, message in done.err) == (2, True)


def test_cards_say_what_was_recorded() -> None:
    """Check the recorded times that these cards quote: #h200-measured, #bf16-measured and #fill-and-copy."""

    def median(card: Recording, bet: str, **sizes: Size) -> float:
        (row,) = card.rows_of(bet_named(f"bet.{bet}"), sizes)
        return row.measured.median

    assert [median(card, "matmul_bf16", n=8192) for card in (H100, H200)] == [1.6e-3, 1.586e-3]
    assert median(H100, "matmul", n=8192, dtype="float32") == 21.56e-3
    assert median(H100, "relu", n=2**28, dtype="bfloat16") == 358.2e-6
    relu, copy, fill = (
        next(row.measured.median for row in card.rows[f"bet.{bet}"] if row.sizes == {"n": 2**28})
        for card, bet in ((H100, "relu"), (H200, "copy"), (H100, "fill"))
    )
    assert (relu, copy, fill) == (713.8e-6, 504.1e-6, 327.6e-6)


@pytest.mark.parametrize(
    ("answers", "verdict"), [(("m", "f"), "correct"), (("m", "same"), "close"), (("c", "s"), "incorrect")]
)
def test_h200_asks_what_binds(study: Shell, context: Context, answers: tuple[str, ...], verdict: str) -> None:
    study("config", "set", "bet.device", "h200")
    ui = ScriptedUi(*answers, "q")

    practise(context, "bet.relu", ui, seed=2)

    assert "Is it faster here, or the same?" in ui.text
    (event,) = context.store.log.family("bet")
    assert event.showing is not None
    assert (event.showing.verdict, json.loads(event.showing.parameters)["device"]) == (verdict, "h200")


@pytest.mark.parametrize("name", CARDS)
def test_check_refuses_a_time_beyond_the_datasheet(study: Shell, tmp_path: Path, name: str) -> None:
    file = json.loads((FOLDER / f"{name}.json").read_text())
    path = tmp_path / f"{name}.json"
    file["rows"]["bet.matmul"][0][1] /= 2
    path.write_text(json.dumps(file))

    assert study("check", str(FOLDER / f"{name}.json")).code == 0
    done = study("check", str(path))
    assert (done.code, "bet.matmul {'n': 4096, 'dtype': 'float32'} took" in done.out) == (1, True)


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"rows": {"bet.relu": [1]}}'])
def test_file_without_measurements_is_refused(study: Shell, tmp_path: Path, text: str) -> None:
    (tmp_path / "x.json").write_text(text)

    done = study("check", str(tmp_path / "x.json"))

    assert "x.json does not hold measurements" in done.err


def busy(patch: pytest.MonkeyPatch) -> None:
    """Make every measurement on this machine fail."""

    def refuse(*_: object) -> Any:  # noqa: ANN401
        raise StudyError("the machine is busy; close other programs and bet again.")

    without_workers(patch)
    patch.setattr("studykit.exercise.bet.bench.measure", refuse)


def test_busy_machine_offers_the_recorded_snippet(context: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    busy(monkeypatch)
    ui = ScriptedUi("m", "22 ms", "", "", "", "m", "1 ms", "", "q")

    (report,) = practise(context, "bet.relu", ui)

    assert [answer.verdict for answer in report.answers] == ["not_scored", "correct"]
    verdicts = [event.showing.verdict for event in context.store.log.family("bet") if event.showing]
    assert sorted(verdicts) == ["", "", "correct", "not_scored"]


def test_card_is_graded_by_its_recorded_bet(context: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    busy(monkeypatch)

    outcome, showing = closed_card(context, CARD, ScriptedUi("m", "22 ms", "", "", "m", "0.36 ms", ""), 7)

    assert outcome.grade in {Grade.EASY, Grade.GOOD}
    assert json.loads(showing.parameters)["device"] == "h100"
