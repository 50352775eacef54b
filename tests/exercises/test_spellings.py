"""Check the right answer to every template in many spellings."""

from collections.abc import Iterator

import pytest
from templates import TEMPLATES, draw_number, pinned

from studykit.exercise.estimate import number
from studykit.exercise.estimate.template import Template, Variant
from studykit.exercise.verdict import Correct, Malformed
from studykit.quantity.units import (
    BYTE,
    BYTE_PER_S,
    DAY,
    DOLLAR,
    FLOP,
    FLOP_PER_BYTE,
    FLOP_PER_S,
    HOUR,
    PER_SECOND,
    SECOND,
)

SEEDS = (1, 2, 3)

PREFIXES = {"k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12, "P": 1e15, "E": 1e18}
WORDS = {"thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12}
CROSS = "\N{MULTIPLICATION SIGN}"
SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")

BEHIND = {
    FLOP: ("FLOP", "FLOPs", "flops", "operations"),
    FLOP_PER_S: ("FLOP/s", "FLOPS", "FLOPs per second"),
    BYTE: ("bytes", "byte"),
    FLOP_PER_BYTE: ("FLOP/byte", "FLOPs per byte", "F/B", "ops/byte"),
    PER_SECOND: ("t/s", "tok/s", "tps", "tokens/s", "tokens per second", "/s", "per second"),
}
NOUNS = {
    "param": ("params", "parameters"),
    "token": ("tokens", "tok"),
    "gpu": ("GPUs", "gpus", "H100s", "devices", "accelerators"),
    "step": ("steps",),
    "bit": ("bits",),
    "GPU-hour": ("GPU-hours", "GPU hours", "GPUh", "gpu-hours", "H100-hours"),
    "day": ("days", "d"),
    "min": ("minutes", "min"),
    "s": ("s", "seconds", "sec"),
    "ms": ("ms", "milliseconds"),
    "us": ("us", "µs", "microseconds"),
}


def exact(value: float) -> str:
    return str(int(value)) if value == int(value) and value < 1e15 else repr(value)


def plain_numbers(value: float) -> Iterator[str]:
    """Yield a number in many spellings, without a unit."""
    whole, exponent = f"{value:.15e}".split("e")
    power = str(int(exponent))
    yield exact(value)
    yield f"{value:.8e}"
    if value < 1e15:
        yield f"{int(value):,}" if value == int(value) else f"{value:,.10f}"
    yield f"{whole} x 10^{power}"
    yield f"{whole}*10^{power}"
    yield f"{whole}·10^{power}"
    yield f"{whole} {CROSS} 10{power.translate(SUPERSCRIPTS)}"
    yield f"{whole}*10**{power}"
    yield f"~{exact(value)}"
    yield f"≈ {exact(value)}"
    yield f"about {exact(value)}"
    yield f"= {exact(value)}"
    yield f"{exact(value / 4)}*4"
    yield f"{exact(value / 4)} x 4"
    yield f"({exact(value * 6)} / 3)/2"


def named(variant: Variant) -> Iterator[str]:
    """Yield a number with words for its unit and its dimension."""
    target, answer = variant.template.target, variant.answer
    value = exact(answer / target.factor)
    for noun in NOUNS.get(variant.template.unit, ()):
        yield f"{value} {noun}"
        yield f"~{value} {noun}"
    for name in BEHIND.get(target.dimension, ()):
        yield f"{exact(answer)} {name}"
        yield f"{answer:.12e} {name}"
        yield f"{exact(answer / 4)}*4 {name}"


def prefixed(variant: Variant) -> Iterator[str]:
    """Yield FLOPs and bytes with prefixes, with and without a space."""
    symbols = {FLOP: "FLOP", FLOP_PER_S: "FLOP/s", BYTE: "B", BYTE_PER_S: "B/s"}
    answer, symbol = variant.answer, symbols.get(variant.template.target.dimension)
    for prefix, size in PREFIXES.items() if symbol else ():
        yield f"{exact(answer / size)} {prefix}{symbol}"
        yield f"{exact(answer / size)}{prefix}{symbol}"
    if symbol == "B":
        yield f"{exact(answer / 1e9)} gigabytes"
        yield f"{exact(answer / 2**30)} GiB"
        yield f"{exact(answer / 125e6)} Gbit"
        yield f"{exact(answer)} B"


def times(variant: Variant) -> Iterator[str]:
    """Yield a time in ms, seconds, minutes and hours, and days also in weeks and with hours."""
    answer, unit = variant.answer, variant.template.unit
    if variant.template.target.dimension != SECOND or unit == "GPU-hour":
        return
    for name, size in {"s": 1.0, "ms": 1e-3, "h": HOUR, "min": 60.0}.items():
        yield f"{exact(answer / size)} {name}"
    if unit == "day":
        yield f"{exact(answer / DAY / 7)} weeks"
        days = int(answer / DAY)
        yield f"{days} days {exact((answer - days * DAY) / HOUR)} hours"


def money(variant: Variant) -> Iterator[str]:
    """Yield dollars with the sign before or after, in thousands and millions."""
    if variant.template.target.dimension != DOLLAR:
        return
    answer, millions = variant.answer, exact(variant.answer / 1e6)
    yield from (f"${exact(answer)}", f"US${exact(answer)}", f"{exact(answer)} dollars", f"${answer:,.4f}")
    yield from (
        f"${millions}M",
        f"{millions} million dollars",
        f"$ {exact(answer / 1e3)}k",
        f"USD {exact(answer)}",
    )


def counts(variant: Variant) -> Iterator[str]:
    """Yield a count in millions and billions, in words and in letters."""
    answer, unit = variant.answer, variant.template.unit
    if unit not in {"param", "token", "step", "gpu", "count"} or not variant.tolerance:
        return
    yield from (f"{exact(answer / size)} {word}" for word, size in WORDS.items())
    yield from (f"{exact(answer / 1e9)}B", f"{exact(answer / 1e6)}M")
    yield f"{exact(answer / 1e9)}B {NOUNS.get(unit, ('',))[0]}"


def shares(variant: Variant) -> Iterator[str]:
    """Yield a share of at most 1 as percent, and a larger number as a factor."""
    answer, share = variant.answer, exact(100 * variant.answer)
    if variant.template.unit not in {"number", "%"} or not variant.tolerance:
        return
    if answer <= 1:
        yield from (f"{share} %", f"{share}%", f"{share} percent", f"~{share}%")
    elif variant.template.unit == "number":
        yield from (f"{exact(answer)}x", f"{exact(answer)}{CROSS}", f"{exact(answer)} times")


def spellings(variant: Variant) -> Iterator[str]:
    yield from plain_numbers(variant.answer / variant.template.target.factor)
    if variant.template.unit_fixed:  # the question is the conversion
        value, unit = exact(variant.answer / variant.template.target.factor), variant.template.unit
        yield from (f"{value} {unit}", f"{value}{unit}")
        return
    for spelled in (named, prefixed, times, money, counts, shares):
        yield from spelled(variant)


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda template: template.id)
def test_right_answer_is_correct_in_every_spelling(template: Template) -> None:
    wrong = []
    for seed in SEEDS:
        variant = draw_number(template, seed)
        if variant.answer == 0:
            continue
        for text in spellings(variant):
            judged = number.judge(variant, text)
            if judged.verdict != Correct():
                wrong.append((text, judged.verdict))

    assert wrong == []


@pytest.mark.parametrize(
    ("name", "parameters", "texts"),
    [
        (
            "flops.train_total",
            {"N": "70B", "D": "15T"},
            ("6*70B*15T", "6x70Bx15T", "6 * 70 billion * 15 trillion", "6·70e9·15e12 FLOPs", "6.3 YFLOP"),
        ),
        (
            "time.train_days",
            {"N": "70B", "D": "15T", "G": "1024", "hw": "H100 SXM", "mfu": "0.5"},
            (
                "6*70B*15T/(1024*990TFLOP/s*0.5)",
                "6*70e9*15e12/(1024*989.5e12*0.5)/86400",
                "6*70e9*15e12/(1024*989.5e12*0.5) s",
                "143 d 22 h",
                "20.6 weeks",
                "3454 h",
            ),
        ),
        ("mem.train_state", {"N": "7B", "conv": "12"}, ("12*7 billion bytes", "7e9 params * 12 bytes/param")),
        (
            "roof.ridge",
            {"hw": "H100 SXM", "dt": "bf16"},
            ("989.5 TFLOP/s / 3.35 TB/s", "989.5/3.35", "295 ops per byte"),
        ),
        (
            "inf.step_time",
            {"b": "64", "kv_heads": "40", "hw": "H100 SXM"},
            ("79.7 GB / 3.35 TB/s", "0.0238 s", "23800 µs"),
        ),
        (
            "mem.max_model",
            {"G": "8", "hw": "H100 SXM", "conv": "12"},
            ("8*80 GB / 12 bytes", "53.3 billion", "53.3B params"),
        ),
    ],
)
def test_a_derivation_is_an_answer(name: str, parameters: dict[str, str], texts: tuple[str, ...]) -> None:
    variant = pinned(name, **parameters)

    assert [text for text in texts if number.judge(variant, text).verdict != Correct()] == []


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        ("7B*12", "the unit here is GB"),
        ("12*7 B", "is that B billions or bytes"),
        ("84e9", "the unit here is GB"),
    ],
)
def test_what_may_mean_two_amounts_is_asked_about(answer: str, why: str) -> None:
    verdict = number.judge(pinned("mem.train_state", N="7B", conv="12"), answer).verdict

    assert isinstance(verdict, Malformed)
    assert why in verdict.why
