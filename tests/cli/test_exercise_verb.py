"""Test `study exercise` in scripts and in plain lines."""

import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from functools import partial

import pytest
from shell import Result, Shell

from studykit.exercise import catalog

Study = Callable[..., Result]


@pytest.fixture
def study(study: Shell, monkeypatch: pytest.MonkeyPatch) -> Study:
    monkeypatch.setattr(catalog, "_AUTHORED", [])  # forgotten again after the test
    return partial(study.with_environ(STUDYKIT_SEED="4"), "exercise")


def test_show_gives_the_documented_keys(study: Study) -> None:
    document = study("show", "ai.gelu", "--seed", "1", "--set", "flops=20", "dt=bf16", "--json").json

    assert document["answer"] == 5
    assert document["parameters"] == {"flops": 20, "dt": "bf16"}
    assert " ".join(document) == (
        "schema exercise version seed prompt parameters unit tolerance answer answer_shown slips hints solution"
    )


def test_check_names_the_slip(study: Study) -> None:
    pins = ["--set", "N=70B", "D=15T", "G=1024", "hw=H100 SXM", "mfu=0.5"]

    result = study("check", "time.train_days", *pins, "--seed", "1", "--answer", "48 days", "--json")

    assert result.code == 1
    assert result.json["verdict"] == "incorrect"
    assert result.json["slips"] == ["forward_only"]
    assert result.json["read_as"] == "4.147e6 s (48 days)"


def test_answer_of_another_kind_gets_no_distance(study: Study) -> None:
    result = study("check", "flops.train_total", "--set", "N=7B", "D=2T", "--seed", "1", "--answer", "3.5 months")

    assert result.out.splitlines() == [
        "read as 106.5 days",
        "incorrect: That is a time, but the question asks for FLOPs. The answer is 8.4e22 FLOP (84 ZFLOP).",
    ]


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        ("show scenario.serve", 0, "Serve a model: weights, then per token"),
        ("show mem.max_model G=8 hw='h100 sxm' conv=16", 0, "8 × 80 GB / 16 = 40B parameters"),  # noqa: RUF001 - as shown
        ("list init", 0, "init.naive_std"),
        ("check mem.max_model G=8 hw='H100 SXM' conv=12 --answer 53.3B", 0, "correct"),
        ("check mem.max_model G=8 hw='H100 SXM' conv=12 --answer 9**9**9", 5, ""),
    ],
)
def test_exercise_verbs_answer_by_code_and_text(study: Study, words: str, code: int, message: str) -> None:
    result = study(*shlex.split(words))

    assert (result.code, message in result.out) == (code, True), result


def test_guess_at_misspelt_unit_ends_with_question_mark(study: Study) -> None:
    result = study("flops.train_total", "--plain", "-n", "1", typed="3 flopp\n")

    assert "? This costs no try." in result.out
    assert "?." not in result.out


def test_plain_practice_hides_answer_until_right(study: Study) -> None:
    pins = ["flops.train_total", "N=70B", "D=15T"]

    result = study(*pins, "--plain", "-n", "1", typed="soon\n2*70e9*15e12\n6*70e9*15e12\n\n")

    before, _, after = result.out.partition("right at try 2")
    assert "unknown unit 'soon'" in before
    assert "too low" in before
    assert "Is that only the forward pass?" in before
    assert "3.0x" not in before
    assert "6.3e24" in after
    assert "right at once      0 of 1 (0%)" in after


def test_listing_needs_no_torch_numpy_or_sqlalchemy() -> None:
    code = (
        "import sys; from studykit.cli.app import run; code = run(['exercise', 'show', 'ai.gelu', '--seed', '1']);"
        "heavy = {'torch', 'numpy', 'sqlalchemy', 'alembic', 'einops'} & set(sys.modules);"
        "others = [name for name in sys.modules if name.startswith('studykit.exercises.') and 'ai_' not in name];"
        "print(code, sorted(heavy), [name for name in others if not name.rpartition('.')[2].startswith('_')])"
    )

    result = subprocess.run(  # noqa: PLW1510 - its output is what is tested
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60
    )

    assert result.stdout.splitlines()[-1] == "0 [] []"


def test_list_has_every_kind_and_documented_keys(study: Study) -> None:
    exercises = study("list", "--json").json["exercises"]

    assert {"number", "scenario"} <= {row["kind"] for row in exercises}
    assert list(exercises[0]) == ["id", "kind", "objective", "version", "state"]


def test_scenario_is_done_when_each_step_was_right(study: Study) -> None:
    name = "scenario.audit_mfu"
    command = [name, "--seed", "3", "--plain"]

    skipped = study(*command, typed=":skip\n\n" * 5).out
    answers = re.findall(r"skipped: ([^(\n]+)", skipped)
    study(*command, typed="\n".join([*answers[:4], ":skip", "", ""]))
    open_state = study("list", name, "--json").json["exercises"][0]["state"]
    study(*command, typed="\n".join([*answers, "", ""]))

    assert len(answers) == 5
    assert open_state == "open"
    assert study("list", name, "--json").json["exercises"][0]["state"] == "right at once"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("check", "flops.matmul", "--answer", "1"), "Give its seed"),
        (("check", "flops.matmul", "--seed", "1"), "and the answer:\n  study exercise flops.matmul"),
        (("check", "scenario.serve", "--seed", "1", "--answer", "1"), "is a scenario"),
        (("show", "flops.matmul", "--set", "m"), "pins nothing"),
        (("show", "flops.matmul", "--set", "m=8", "m=16"), "m is pinned twice. Keep one"),
        (("show", "flops.matmul", "Q=1"), "has no parameter 'Q'"),
        (("show", "flops.matmul", "m=1.5"), "m must be a whole number"),
        (("show", "time.train_days", "hw=abacus"), "No device is called"),
        (("show", "time.train_days", "hw=A100"), "Several devices are called"),
        (("show", "mem.zero", "z=7"), "has no variant with z=7"),
        (("show", "one", "two"), "show takes one name"),
        (("flops.matmul",), "Add --plain"),
        (("show", "flops.matmull"), "Did you mean flops.matmul?"),
        (("split_heads",), "Did you mean bet.split_heads or rewrite.split_heads?"),
        (("einops", "bet.relu"), "not a rewrite. Practise it with:\n  study exercise bet.relu\n"),
        (("split_head",), "Did you mean bet.split_heads or rewrite.split_heads?"),
        (
            ("check", "napkin-math", "--seed", "1", "--answer", "3"),
            "napkin-math is a set of exercises. Name one of them:\n  study exercise list napkin-math",
        ),
        (("check", "ai.gelu", "--seed", "1", "--answer"), "Option '--answer' requires an argument"),
        (("check", "ai.gelu", "--answer", "1", "--config"), "Option '--config' requires an argument"),
        (("list", "--db"), "Option '--db' requires an argument"),
        (("--db",), "Option '--db' requires an argument"),
        (("ai.gelu", "--set"), "Option '--set' requires an argument"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_a_wrong_call_is_told_in_a_sentence(study: Study, arguments: tuple[str, ...], message: str) -> None:
    result = study(*arguments)

    assert result.code in {2, 3}
    assert message in result.err
    assert "Traceback" not in result.err
