"""Check that pins are read like answers, and by the letters of the version that wrote them."""

from dataclasses import replace

import pytest
from templates import template_named

from studykit.errors import NotFoundError, UsageError
from studykit.exercise.estimate.hardware import Device
from studykit.exercise.estimate.log import variant_of
from studykit.exercise.estimate.pins import pins
from studykit.exercise.estimate.template import MAX_PINNED_DRAWS, Template, draw
from studykit.exercise.estimate.values import Values, plain
from studykit.scheduling.events import Showing

BLOCK = Template(
    id="test.block",
    objective="memory",
    grid={"d": (2048, 4096, 5120), "h": (16, 32, 40), "s": (1024, 2048)},
    prompt="A block of width d = {d} with h = {h} heads on s = {s} tokens",
    answer=lambda v: v.d / v.h,
    unit="number",
    tolerance=0.02,
    slips=(),
    hints=("", "", ""),
    solution=("",),
    version=2,
    renamed={2: {"h": "d", "a": "h", "S": "s"}},
)


KV_CACHE, ATTENTION = template_named("inf.kv_per_token"), template_named("ai.attention")


@pytest.mark.parametrize(
    ("template", "texts", "values"),
    [
        (BLOCK, {"h": "4096", "a": "32"}, {"d": 4096, "h": 32}),
        (BLOCK, {"a": "64"}, {"h": 64}),
        (BLOCK, {"S": "4096", "h": "5120"}, {"s": 4096, "d": 5120}),
        (BLOCK, {"h": "8192"}, {"h": 8192}),
        (BLOCK, {"h": "32"}, {"h": 32}),
        (BLOCK, {"d": "8192", "h": "64"}, {"d": 8192, "h": 64}),
        (BLOCK, {"s": "4096"}, {"s": 4096}),
        (
            KV_CACHE,
            {"L": "126", "h": "128", "kv_heads": "8", "e": "128"},
            {"L": 126, "h": 128, "kv_heads": 8, "e": 128},
        ),
        (ATTENTION, {"T": "2000", "q": "2"}, {"T": 2000, "q": 2}),
        (ATTENTION, {"S": "2000", "T": "2"}, {"T": 2000, "q": 2}),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, dict) else "",
)
def test_pin_means_what_its_letters_version_says(
    template: Template, texts: dict[str, str], values: dict[str, int]
) -> None:
    assert pins(template, texts) == values


def test_logged_pin_uses_letters_of_its_version() -> None:
    old = Showing(BLOCK.id, 1, 7, '{"h": 128, "a": 8, "S": 1024}', "", "", ())
    new = Showing(BLOCK.id, 2, 7, '{"d": 128, "h": 8, "s": 1024}', "", "", ())

    assert variant_of(BLOCK, old).parameters == variant_of(BLOCK, new).parameters == {"d": 128, "h": 8, "s": 1024}


def test_letters_of_several_versions_follow_each_other() -> None:
    twice = replace(BLOCK, version=3, renamed={2: {"h": "w"}, 3: {"w": "d", "a": "h"}})

    assert pins(twice, {"h": "4096", "a": "32"}, version=1) == {"d": 4096, "h": 32}
    assert pins(twice, {"w": "4096", "a": "32"}, version=2) == {"d": 4096, "h": 32}


PINS = [  # F01, F03, F05 and the units of issue 37
    ("ckpt.interval", "mtbf", "3h", 3),
    ("ckpt.interval", "save", "2 min", 120),
    ("time.matmul_mfu", "ms", "1.6ms", 1.6),
    ("comm.allreduce_time", "g", "50GB/s", 50),
    ("comm.allreduce_time", "g", "400 Gb/s", 50),
    ("mem.gib", "x", "80GB", 80),
    ("time.gpus_needed", "days", "30d", 30),
    ("time.gpus_needed", "days", "56.7", 56.7),
    ("ckpt.interval", "mtbf", "3.1", 3.1),
    ("time.train_days", "mfu", "40", 0.4),
    ("time.train_days", "mfu", "41 %", 0.41),
    ("time.train_days", "mfu", "0.4", 0.4),
    ("time.train_days", "mfu", "1", 1),
    ("comm.overlap_tokens", "u", "40", 0.4),
    ("mem.remat_overhead", "p", "40", 0.4),
    ("inf.spec_decode", "a", "80", 0.8),
    ("time.train_days", "N", "8.03B", 8_030_000_000),
    ("time.cost", "price", "$2", 2),
    ("time.cost", "price", "$2.50/h", 2.5),
    ("time.cost", "price", "2.5 $/GPU-hour", 2.5),
    ("cost.energy", "price", "$0.12/kWh", 0.12),
    ("comm.allreduce_time", "g", "400Gbps", 50),
    ("mem.weights_infer", "dt", "4", "int4"),
    ("mem.optimizer_state", "o", "8bit", "8-bit Adam"),
    ("time.mfu_from_log", "rate", "2.7M tokens/s", 2_700_000),
]


@pytest.mark.parametrize(("name", "letter", "text", "value"), PINS)
def test_a_pin_is_read_like_an_answer(name: str, letter: str, text: str, value: float | str) -> None:
    read = plain(pins(template_named(name), {letter: text})[letter])

    assert (read, type(read)) == (value, type(read))


def test_size_with_one_decimal_is_whole() -> None:
    template = template_named("time.train_days")

    for tenths in range(1, 10_000, 7):
        assert pins(template, {"N": f"{tenths // 10}.{tenths % 10}B"}) == {"N": tenths * 10**8}


@pytest.mark.parametrize(
    ("name", "pin", "message"),
    [
        ("ckpt.interval", "mtbf=3GB", "mtbf=3GB is bytes, but the unit of mtbf is hour"),
        ("mem.gib", "x=3 h", "x=3 h is a time, but the unit of x is GB"),
        ("time.train_days", "G=8 GB", "G=8 GB is bytes, but G is a plain number"),
        ("time.train_days", "mfu=140", "mfu=140 is above 100 %. Give at most 100 %."),
        ("time.train_days", "N=8.5", "N=8.5: N must be a whole number."),
        ("time.gpus_needed", "days=0", "days=0: days must be above zero."),
        ("stride.of_dim", "i=-1", "i=-1: that is below zero; give zero or more."),
        ("time.train_days", "n=8 GB", "G=8 GB is bytes, but G is a plain number"),
        ("data.file_bytes", "w=4", "w=4 is not possible. Use one of: uint16; int32; int64."),
        ("time.cost", "price=$48/day", "price=$48/day is another kind of quantity, but the unit of price is $"),
        (
            "time.train_days",
            "hw=NVIDIA H100 80GB HBM3",
            "No device is called 'NVIDIA H100 80GB HBM3'. Use one of: H100 SXM, H100 PCIe",
        ),
        ("time.train_days", "hw=H20", "No device is called 'H20'. Use one of: V100"),
        (
            "time.train_days",
            "hw=A100",
            "Several devices are called 'A100'. Use one of: A100 40GB SXM, A100 80GB SXM",
        ),
    ],
)
def test_unsuitable_pin_is_refused_with_its_reason(name: str, pin: str, message: str) -> None:
    letter, _, text = pin.partition("=")

    with pytest.raises((UsageError, NotFoundError)) as refused:
        pins(template_named(name), {letter: text})
    assert str(refused.value).startswith(message)


IMPOSSIBLE = [  # F23, F27
    ("flops.moe", "Na=671B Nt=37B", "Na=671B, Nt=37B: of 37B parameters in all, 671B cannot be active"),
    (
        "inf.gqa_ratio",
        "n=8 k=64",
        "h=8, kv_heads=64: 8 query heads cannot share 64 KV heads evenly. Use a divisor of 8",
    ),
    ("pipe.bubble", "p=1 m=1", "p=1, micro=1: a pipeline has at least 2 stages"),
    ("mem.zero", "z=7", "z=7: z is one of 1, 2, 3"),
    ("cost.energy", "gpu=1200", "gpu=1200: gpu is one of 700, 1000, or pin watt as well"),
    ("cost.energy", "pue=0.9", "pue=0.9: a building draws at least what its servers draw, a PUE of 1"),
    ("comm.allreduce_time", "G=1", "G=1: a single GPU has no other to send to"),
    (
        "inf.max_batch",
        "w=200 G=2 hw=H100SXM",
        "w=200, G=2, hw=H100 SXM: 200 GB of weights and a sequence of 1074 MB do not fit into 2 × 80 GB",
    ),
    (
        "inf.throughput",
        "B=32 w=70 kv=1342 hw=H100SXM",
        "b=32, w=70, kv=1342, hw=H100 SXM: 112.9 GB of weights and caches do not fit into 80 GB",
    ),
]


@pytest.mark.parametrize(
    ("name", "words", "reason"), IMPOSSIBLE, ids=[f"{name} {words}" for name, words, _ in IMPOSSIBLE]
)
def test_impossible_pins_are_refused_with_the_reason(name: str, words: str, reason: str) -> None:
    template = template_named(name)

    with pytest.raises(UsageError) as refused:
        draw(template, 1, pins(template, dict(word.split("=") for word in words.split())))
    assert str(refused.value) == f"{name} has no variant with {reason}."


def test_pinned_question_drops_a_slip_equal_to_answer() -> None:
    template = template_named("mem.min_gpus")
    texts = {"N": "175B", "k": "16", "hw": "A100 80GB SXM"}

    variant = draw(template, 1, pins(template, texts))

    assert variant.answer == 35
    assert "rounded_down" not in [slip.id for slip in variant.slips]
    assert "weights_only" in [slip.id for slip in variant.slips]


def test_pinned_question_drops_a_slip_near_answer() -> None:
    template = template_named("time.train_days")
    parameters = pins(template, {"N": "70B", "D": "15T", "G": "1024", "hw": "H100 SXM", "mfu": "33.5"})
    near = replace(template.slips[0], id="near", formula=lambda v: v.answer * 1.03)

    variant = draw(replace(template, slips=(*template.slips, near)), 1, parameters)

    assert [slip.id for slip in variant.slips] == [slip.id for slip in draw(template, 1, parameters).slips]


@pytest.mark.parametrize(("text", "name", "gigabytes"), [("b300", "B300 HGX", 288), ("B200", "B200 HGX", 180)])
def test_device_is_found_by_its_name_prefix(text: str, name: str, gigabytes: float) -> None:
    device = pins(template_named("time.train_days"), {"hw": text})["hw"]

    assert isinstance(device, Device)
    assert (device.name, device.capacity) == (name, gigabytes * 1e9)


def test_pins_that_are_never_sensible_are_asked_soon() -> None:
    draws: list[Values] = []

    def refuse(values: Values) -> bool:
        draws.append(values)
        return False

    assert draw(replace(BLOCK, sensible=refuse), 1, {"d": 8192}).values.d == 8192
    assert len(draws) <= MAX_PINNED_DRAWS + 1
