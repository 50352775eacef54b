"""Ask what floating-point formats can hold."""

import math
import struct

from studykit.exercise import Template, Values

from ._slips import scaled, slip

WIDTHS = {"fp32": (8, 23), "fp16": (5, 10), "bf16": (8, 7), "e4m3": (4, 3), "e5m2": (5, 2)}
"""Bits of exponent and of fraction."""

TWINS = {"fp16": "bf16", "bf16": "fp16", "e4m3": "e5m2", "e5m2": "e4m3"}
"""The other format of the same width."""

MAX_VALUES = {
    "fp16": 65504.0,
    "bf16": (2 - 2.0**-7) * 2.0**127,
    "e4m3": 448.0,  # OCP E4M3FN: an exponent of all ones still holds numbers, but for NaN
    "e5m2": 57344.0,
    "fp32": (2 - 2.0**-23) * 2.0**127,
    "fp4 e2m1": 6.0,
}
NEXT_POWER = {"fp16": 2.0**16, "bf16": 2.0**128, "e4m3": 512.0, "e5m2": 2.0**16, "fp32": 2.0**128, "fp4 e2m1": 8.0}
TINY = {"fp32": 2.0**-126, "fp16": 2.0**-14, "bf16": 2.0**-126}


def stored(x: float, name: str) -> float:
    """Round a number to fp16 or bf16: to the nearest, ties to even, subnormals kept."""
    if name == "fp16":
        return float(struct.unpack("<e", struct.pack("<e", x))[0])
    bits = struct.unpack("<I", struct.pack("<f", x))[0]
    bits = (bits + 0x7FFF + ((bits >> 16) & 1)) & 0xFFFF0000
    return float(struct.unpack("<f", struct.pack("<I", bits))[0])


def _step(x: float, name: str) -> int:
    """Return n if neighboring numbers of this magnitude are 2ⁿ apart in fp16 or bf16."""
    return max(math.floor(math.log2(x)), -14) - 10 if name == "fp16" else math.floor(math.log2(x)) - 7


def _exponent(v: Values) -> int:
    return WIDTHS[v.dt][0]


def _fraction(v: Values) -> int:
    return WIDTHS[v.dt][1]


_MAX_VALUE_SUMS = {
    "fp16": "(2 − 2^−10) × 2^15",
    "bf16": "(2 − 2^−7) × 2^127",
    "fp32": "(2 − 2^−23) × 2^127",
    "e4m3": "all ones is NaN, so at the top exponent 1.75 is the most, times 2^8",
    "e5m2": "(2 − 2^−2) × 2^15",
    "fp4 e2m1": "1.5 × 2^2",
}

MANTISSA = Template(
    id="dtype.mantissa",
    objective="precision",
    grid={"dt": tuple(WIDTHS)},
    prompt="How many explicit fraction bits does {dt} have?",
    answer=_fraction,
    unit="bit",
    tolerance=0,
    slips=(
        slip("gave_exponent", _exponent),
        slip("counted_hidden_bit", lambda v: v.answer + 1),
        slip(
            "swapped_format",
            lambda v: WIDTHS[TWINS[v.dt]][1] if v.dt in {"e4m3", "e5m2"} else None,
            "Which of the two 8-bit formats is that?",
            "That is {other}, the other 8-bit format.",
        ),
        slip("swapped_16bit", lambda v: WIDTHS[TWINS[v.dt]][1] if v.dt in {"fp16", "bf16"} else None),
        slip("gave_width", lambda v: v.exponent + v.answer + 1),
    ),
    hints=(
        "Sign, exponent and fraction make up the width.",
        "One bit is the sign. How many does the exponent take?",
        "{dt} has {exponent} exponent bits.",
    ),
    solution=("width = 1 sign + exponent + fraction", "{dt}: {exponent} exponent bits leave {answer:bit}"),
    given={"exponent": _exponent, "other": lambda v: TWINS.get(v.dt, "")},
    version=2,
    renamed={2: {"f": "dt"}},
)

MAXIMUM = Template(
    id="dtype.max",
    objective="precision",
    grid={"dt": tuple(MAX_VALUES)},
    prompt="What is the largest finite value of {dt}? Give five digits where it has them. (For e4m3 take the OCP "
    "format, E4M3FN.)",
    answer=lambda v: MAX_VALUES[v.dt],
    unit="number",
    tolerance=lambda v: 0.0001 if v.dt in {"fp16", "bf16", "fp32"} else 0.02,
    slips=(
        slip("next_power", lambda v: NEXT_POWER[v.dt]),
        slip("power_alone", lambda v: 2.0 ** math.floor(math.log2(MAX_VALUES[v.dt]))),
        slip("swapped_format", lambda v: MAX_VALUES[TWINS[v.dt]] if v.dt in TWINS else None),
        slip("fp16_max", lambda v: MAX_VALUES["fp16"] if v.dt == "e5m2" else None),
        slip("all_ones", lambda v: 480.0 if v.dt == "e4m3" else None),
        slip("fp32_max", lambda v: MAX_VALUES["fp32"] if v.dt == "bf16" else None),
        slip("ieee_e4m3", lambda v: 240.0 if v.dt == "e4m3" else None),
    ),
    hints=(
        "The largest fraction and exponent that still stand for a number.",
        "Usually it is (2 − 2^−p) × 2^emax with p fraction bits. In E4M3FN all ones is NaN, not a number.",
        "{dt} has {fraction} fraction bits, and its largest exponent is {top}.",
    ),
    solution=("{sum}", "largest value: {five_digits}"),
    given={
        "sum": lambda v: _MAX_VALUE_SUMS[v.dt],
        "five_digits": lambda v: f"{MAX_VALUES[v.dt]:.5g}".replace("e+", "e"),
        "fraction": lambda v: WIDTHS[v.dt][1] if v.dt in WIDTHS else 1,
        "top": lambda v: math.floor(math.log2(MAX_VALUES[v.dt])),
    },
    version=2,
    renamed={2: {"f": "dt"}},
)

EPSILON = Template(
    id="dtype.eps",
    objective="precision",
    grid={"dt": ("fp32", "fp16", "bf16")},
    prompt="What is the machine epsilon of {dt}, the gap between 1 and the next larger number?",
    answer=lambda v: 2.0 ** -_fraction(v),
    unit="number",
    tolerance=0.03,
    slips=(
        slip("half_eps", scaled(0.5)),
        slip("swapped_format", lambda v: 2.0 ** -WIDTHS[TWINS[v.dt]][1] if v.dt in TWINS else None),
        slip("smallest_normal", lambda v: TINY[v.dt]),
    ),
    hints=(
        "What is the value of the last fraction bit when the number is 1?",
        "With p fraction bits the next number after 1 is 1 + 2^−p.",
        "{dt} has {fraction} fraction bits.",
    ),
    solution=("{dt} has {fraction} fraction bits", "2^−{fraction} = {answer:e}"),
    given={"fraction": _fraction},
    version=2,
    renamed={2: {"f": "dt"}},
)

FIRST_GAP = Template(
    id="dtype.first_gap_integer",
    objective="precision",
    grid={"dt": ("fp32", "fp16", "bf16")},
    prompt="What is the smallest positive integer that {dt} cannot represent?",
    answer=lambda v: 2 ** (_fraction(v) + 1) + 1,
    unit="count",
    tolerance=0,
    slips=(
        slip("forgot_hidden_bit", lambda v: 2 ** _fraction(v) + 1),
        slip(
            "off_by_one",
            lambda v: 2 ** (_fraction(v) + 1),
            "Does {dt} miss that one already?",
            "That power of two is the last that fits; the next integer is the first that is missing.",
        ),
        slip("swapped_format", lambda v: 2 ** (WIDTHS[TWINS[v.dt]][1] + 1) + 1 if v.dt in TWINS else None),
    ),
    hints=(
        "Up to where is the gap between neighbors at most 1?",
        "With p fraction bits and the implied one there are p + 1 significant bits.",
        "The power 2^(p+1) itself still fits; {dt} has p = {fraction}.",
    ),
    solution=("{dt} has {fraction} + 1 significant bits", "2^({fraction}+1) + 1 = {answer:n}"),
    given={"fraction": _fraction},
    version=2,
    renamed={2: {"f": "dt"}},
)

UNDERFLOW = Template(
    id="dtype.underflow",
    objective="precision",
    grid={
        "x": (
            1e-8,
            2e-8,
            4e-8,
            5e-8,
            7e-8,
            8e-8,
            1e-7,
            1.3e-7,
            1.4e-7,
            1.7e-7,
            2e-7,
            2.6e-7,
            3.3e-7,
            4e-7,
            5e-7,
            6e-7,
        ),
        "dt": ("fp16", "bf16"),
    },
    prompt="What does {x:e} become when it is stored in {dt}? Round to nearest, subnormals kept; give four "
    "digits.",
    answer=lambda v: stored(v.x, v.dt),
    unit="number",
    tolerance=lambda v: 0.02 if v.dt == "fp16" else 0.0004,
    slips=(
        slip("gave_input", lambda v: v.x),
        slip("other_format", lambda v: stored(v.x, TWINS[v.dt]), approximate=True),
        slip("flushed_to_zero", lambda _: 0.0),
    ),
    hints=(
        "What is the smallest number above zero that the format holds?",
        "fp16's smallest subnormal is 2^−24 = 5.96e-8; bf16's is 2^−133, about 9e-41.",
        "fp16 rounds to a multiple of that here, 0 among them; bf16 to a step of 2^−7 of the power of two below.",
    ),
    solution=(
        "{dt} counts in steps of 2^{step} at this size{why}",
        "the nearest is {steps:n} × 2^{step} = {answer:e}",
    ),
    given={
        "step": lambda v: _step(v.x, v.dt),
        "why": lambda v: ", its smallest subnormal" if v.dt == "fp16" else "",
        "steps": lambda v: round(stored(v.x, v.dt) / 2.0 ** _step(v.x, v.dt)),
    },
    sensible=lambda v: v.dt == "fp16",  # in bf16 the sum of the rounded numbers is tedious by hand
    version=6,
    renamed={4: {"f": "dt"}},
)

EXERCISES = (MANTISSA, MAXIMUM, EPSILON, FIRST_GAP, UNDERFLOW)
