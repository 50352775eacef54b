"""Check `study exercise check` and `show` on lines that once went wrong: units, percents, impossible values."""

import shlex
from collections.abc import Callable
from functools import partial

import pytest
from shell import Result, Shell

Study = Callable[..., Result]

CASES = [
    ("F01 unit of a pin", "check ckpt.interval save=60 mtbf=3h --answer '19 min'", 0, "correct: "),
    ("F03 unit of a pin", "show time.matmul_mfu m=8192 k=8192 n=8192 dt=bf16 ms=1.6ms", 0, "took 1.6 ms on"),
    (
        "F05 percent",
        "check time.train_days N=70B D=15T G=1024 'hw=H100 SXM' mfu=40 --answer '180 days'",
        0,
        "correct: ",
    ),
    ("F05 u", "show time.matmul_ms u=40", 0, "reaches 40 % of the peak"),
    ("F05 p", "show mem.remat_overhead p=40", 0, "40 % of the layers"),
    ("F05 a", "show inf.spec_decode a=80", 0, "with probability 0.8"),
    ("F09 PF-days", "check flops.train_total N=175B D=300B --answer '3.64E+03 PF-days'", 0, "correct: "),
    ("F09 petaFLOP-days", "check flops.train_total N=175B D=300B --answer '3640 petaFLOP-days'", 0, "correct: "),
    (
        "F21 KiB",
        "check inf.kv_per_token L=40 h=40 kv_heads=40 e=128 --answer '800 KB'",
        1,
        "(800 kB is not 800 KiB, which is 819.2 kB)\nclose: ",
    ),
    (
        "F21 MiB",
        "check inf.kv_per_token L=32 h=32 kv_heads=32 e=128 --answer '0.5 MB'",
        1,
        "500 kB is not 0.5 MiB, which is 524.3 kB.",
    ),
    ("F23 exactly 35", "show mem.min_gpus N=175B 'hw=A100 80GB SXM' bytes=16", 0, "rounded up: 35"),
    (
        "F23 does not fit",
        "show inf.throughput b=32 w=70 kv=1342 'hw=H100 SXM'",
        2,
        "112.9 GB of weights and caches do not fit into 80 GB",
    ),
    ("F27 active", "show flops.moe Na=671B Nt=37B", 2, "671B"),
    ("F27 heads", "show inf.gqa_ratio h=8 kv_heads=64", 2, "8 query heads"),
    ("F27 probability", "show inf.spec_decode a=180", 2, "a=180 is above 100 %"),
    ("F27 one stage", "show pipe.bubble p=1 micro=1", 2, "at least 2 stages"),
    ("unit of another kind", "show ckpt.interval mtbf=3GB", 2, "the unit of mtbf is hour"),
    ("whole by decimals", "show time.train_days N=8.03B", 0, "8.03B parameters"),
]


@pytest.fixture
def study(study: Shell) -> Study:
    return partial(study.with_environ(STUDYKIT_SEED="4"), "exercise")


@pytest.mark.parametrize(("line", "code", "expected"), [row[1:] for row in CASES], ids=[row[0] for row in CASES])
def test_a_line_that_went_wrong_comes_out_right(study: Study, line: str, code: int, expected: str) -> None:
    result = study(*shlex.split(line))

    assert result.code == code
    assert expected in result.out + result.err


def test_exercise_json_has_si_and_displayed_answer(study: Study) -> None:
    question = study("show", "ckpt.interval", "save=60", "mtbf=3h", "--json").json

    assert (round(question["answer"], 1), question["unit"], question["answer_shown"]) == (
        1138.4,
        "hour",
        "0.3162 hours",
    )


def test_exercise_check_json_has_reading_notes(study: Study) -> None:
    pins = ["N=70B", "D=15T", "G=8960", "hw=TPUv5p", "mfu=40"]

    judged = study("check", "time.train_days", *pins, "--answer", "44-45 days", "--json").json

    assert (judged["verdict"], judged["notes"]) == ("correct", ["a range: its middle is read"])
