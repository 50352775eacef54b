"""Test how typed answers are read, or refused with a reason."""

import contextlib
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studykit.quantity import formatting
from studykit.quantity.reading import BadAnswerError, read
from studykit.quantity.units import BYTE, BYTE_PER_S, target_unit

READ = [
    ("84 ZFLOP", "FLOP", 8.4e22),
    ("84 zettaflops", "FLOP", 8.4e22),
    ("40B params", "param", 4e10),
    ("1.5TB", "bytes", 1.5e12),
    ("112 GiB", "bytes", 112 * 2**30),
    ("1.5 Tb", "bytes", 1.875e11),
    ("2 weeks", "day", 14 * 86400),
    ("5 months", "day", 5 * 30.4375 * 86400),
    ("1,024", "count", 1024),
    ("12 500", "count", 12500),
    ("1_000_000", "count", 1e6),
    ("1'000'000", "count", 1e6),
    ("1 234 567", "count", 1234567),
    ("10^21", "FLOP", 1e21),
    ("8.4e22", "FLOP", 8.4e22),
    ("8.4E+22", "FLOP", 8.4e22),
    ("8.4x10^22", "FLOP", 8.4e22),
    ("8.4*10**22", "FLOP", 8.4e22),
    ("8.4×10²²", "FLOP", 8.4e22),
    ("8.4·10²²", "FLOP", 8.4e22),
    ("= 8.4e22", "FLOP", 8.4e22),
    ("8.4 E+22", "FLOP", 8.4e22),
    ("8.40000000000e+22.", "FLOP", 8.4e22),
    ("84 sextillion", "FLOP", 8.4e22),
    ("½", "number", 0.5),
    ("6*7e9*2e12", "FLOP", 8.4e22),
    ("6*7B*2T", "FLOP", 8.4e22),
    ("6 x 7B x 2T", "FLOP", 8.4e22),
    ("1h30m", "s", 5400),
    ("1 h 30 min", "s", 5400),
    ("1 d 2 h 30 m 5 s", "s", 95405),
    ("0.1 ms + 0.4 ms", "s", 5e-4),
    ("10-3", "count", 7),
    ("8 GPUs", "gpu", 8),
    ("295 flops/byte", "FLOP/byte", 295),
    ("295 FLOP/B", "FLOP/byte", 295),
    ("40B", "bytes", 40),
    ("70B*16", "bytes", 1.12e12),
    ("70e9*16 bytes", "bytes", 1.12e12),
    ("112", "GB", 112e9),
    ("140 GB / 3.35 TB/s", "s", 140e9 / 3.35e12),
    ("140e9/3.35e12 s", "s", 140e9 / 3.35e12),
    ("6*70e9*15e12/(1024*989.5e12*0.5)/86400 days", "day", 6.3e24 / (1024 * 989.5e12 * 0.5)),
    ("2 PFLOP/s-days", "FLOP", 2e15 * 86400),
    ("4.4M GPU-hours", "hour", 4.4e6 * 3600),
    ("307 TFLOPS", "FLOP/s", 307e12),
    ("593700 tokens/s", "per second", 593700),
    ("6 FLOP/param/token * 7e9 params * 2e12 tokens", "FLOP", 8.4e22),
    ("2 B/param * 70e9", "bytes", 1.4e11),
    ("80 GB * 8 / 12 bytes/param", "param", 640e9 / 12),
    ("313.7 per second", "per second", 313.7),
    ("300 /s", "per second", 300),
    ("3.35e12/26e9 per second", "per second", 3.35e12 / 26e9),
    ("3.35e12/26e9 tokens/s", "per second", 3.35e12 / 26e9),
    ("10 bits", "bit", 10),
    ("33%", "number", 0.33),
    ("33", "%", 0.33),
    ("1/3", "number", 1 / 3),
    ("2^-24", "number", 2**-24),
    ("sqrt(16)", "count", 4),
    ("ceil(3.2)", "count", 4),
    ("sqrt(0.25)", "number", 0.5),
    ("sqrt(0) + 1", "count", 1),
    ("log2(1) + 1", "count", 1),
    ("max(1, 2) + 1,000", "count", 1002),
    ("3B per second", "per second", 3e9),
    ("40B/2", "param", 20e9),
    ("+40 B", "bytes", 40),
    ("12e9/3B days", "day", 4 * 86400),
    ("48/2 GPU-hours", "GPU-hour", 24 * 3600),
    ("48/2 GPU*hours", "GPU-hour", 24 * 3600),
    ("7 GPU*hours", "GPU-hour", 7 * 3600),
    ("300 per 2 s", "per second", 150),
    ("300 per ms", "per second", 3e5),
    ("6 X 7B", "param", 42e9),
    ("6 times 7B", "param", 42e9),
    ("800 bits", "bytes", 100),
    ("1 bit", "bit", 1),
    ("84 TFLOPs", "FLOP/s", 84e12),
    ("1e-200", "number", 1e-200),
    ("0", "count", 0),
    ("0", "GB", 0),
    ("(" * 40 + "1" + ")" * 40, "count", 1),
    ("*".join(["2^0"] * 45), "count", 1),
    ("*".join(["(1)"] * 45), "count", 1),
    ("1 h 30 m - 60 s", "s", 5340),
    ("0^0", "count", 1),
    ("0^0.5", "number", 0),
    ("2^0.5", "number", math.sqrt(2)),
    ("0.25^0.5", "number", 0.5),
    ("1." + "0" * 198, "count", 1),
    ("33 %", "%", 0.33),
    ("1½", "s", 1.5),
    ("8e22 FLOP / 400 TFLOPs", "s", 2e8),
    ("2⅔ h", "s", 9600.0),
    ("3 ¼", "GB", 3.25e9),
    ("0 x 10", "s", 0.0),
    ("log2(8)", "count", 3),
    ("2 * log2(8) + 1", "count", 7),
    ("log2 (1,024)", "count", 10),
    ("min(3, 1, 2)", "count", 1),
    ("max(12)", "count", 12),
    ("max(3, 1) * 2", "count", 6),
    ("max(140 GB / 3.35 TB/s, 1 ms)", "s", 140e9 / 3.35e12),
    ("ceil(max(1.5, -2))", "count", 2),
    ("-floor(-2.5)", "count", 3),
    ("100 W * 3 s", "J", 300),
    ("5 kJ", "J", 5000),
    ("2 GHz", "per second", 2e9),
    ("7 Gparams", "param", 7e9),
    ("4 ps", "s", 4e-12),
    ("$2M", "$", 2e6),
    ("2M dollars", "$", 2e6),
    ("1.5 billion", "param", 1.5e9),
    ("70b", "param", 70e9),
    ("49 t/s", "per second", 49),
    ("49k tok/s", "per second", 49e3),
    ("49 tps", "per second", 49),
    ("4x", "number", 4),
    ("10 times", "number", 10),
    ("3 X", "count", 3),
    ("3 ops/byte", "FLOP/byte", 3),
    ("3 F/B", "FLOP/byte", 3),
    ("3 F per byte", "FLOP/byte", 3),
    ("3e9 ops", "FLOP", 3e9),
    ("2*42 TFLOPs", "FLOP/s", 84e12),
    ("5 F", "FLOP", 5),
    ("3 F/s", "FLOP/s", 3),
    ("300 t per s", "per second", 300),
    ("40 GPUh", "GPU-hour", 40 * 3600),
    ("2.5k GPU hours", "GPU-hour", 2500 * 3600),
    ("35 H100s", "gpu", 35),
    ("35 H100-hours", "GPU-hour", 35 * 3600),
    ("12 RTX 4090s", "gpu", 12),
    ("zero", "bytes", 0),
    ("US$ 5M", "$", 5e6),
    ("5M US$", "$", 5e6),
    # as papers print them: GPT-3's table D.1, Transformer Math 101, the reports of Llama 3 and DeepSeek-V3
    ("3640 PF-days", "FLOP", 3640e15 * 86400),
    ("312 TF", "FLOP/s", 312e12),
    ("2.4e25 floating-point operations", "FLOP", 2.4e25),
    ("6ND = 3e23", "FLOP", 3e23),
    ("C/(6N) = 5.5T", "token", 5.5e12),
    ("√1024", "number", 32),
    ("1/√(4·256)", "number", 1 / 32),
    ("2.5 mln", "$", 2.5e6),
    ("3.4 Mio", "token", 3.4e6),
    ("28.9 Bn", "param", 28.9e9),
    ("400 Gbps", "GB/s", 50e9),
    ("900 GBps", "GB/s", 900e9),
    ("2 kWh", "J", 7.2e6),
    ("8 pct", "%", 0.08),
    ("23b", "bit", 23),
    ("203M tokens/min", "per second", 203e6 / 60),
    ("2.19 tokens/pass", "number", 2.19),
    ("2 kWh * $0.12/kWh", "$", 0.24),
    ("224359 GPU-hours * $4/GPU-hour", "$", 897436),
    ("4 x H100", "gpu", 4),
    ("4 A100 80GB", "gpu", 4),
    ("56 days and 12 hours", "day", 56.5 * 86400),
    ("56 days, 12 hours", "day", 56.5 * 86400),
    ("6 GB of activations", "GB", 6e9),
    ("6 GB total", "GB", 6e9),
    ("600 GB (2 bytes each)", "GB", 600e9),
    ("8 x (80 GB - 16 GB)", "GB", 512e9),
    ("2 times (3 GB)", "GB", 6e9),
    ("6 TB per (2 s)", "TB/s", 3e12),
    ("80 GB / (2 bytes)", "number", 40e9),
    ("9.2 Days", "day", 9.2 * 86400),
    ("5 Million Tokens", "token", 5e6),
    ("5 mo", "day", 5 * 30.4375 * 86400),
    ("∼9 d", "day", 9 * 86400),
    ("600 GB in total", "GB", 600e9),
    ("every 42 minutes", "min", 2520),
    ("by a factor of 8", "number", 8),
    ("8x smaller", "number", 8),
    ("8 times as long", "number", 8),
    ("by 13 %", "%", 0.13),
    ("3.64E+03 PF-days", "FLOP", 3640e15 * 86400),
    ("3640 petaFLOP-days", "FLOP", 3640e15 * 86400),
    ("3640 PetaFLOP-days", "FLOP", 3640e15 * 86400),
    ("3640 PFLOP/s-day", "FLOP", 3640e15 * 86400),
    ("3640 PFLOP/s-days", "FLOP", 3640e15 * 86400),
    ("3640 PFLOPs-days", "FLOP", 3640e15 * 86400),
    ("400 TFLOPs/GPU", "FLOP/s", 4e14),
    ("400 TFLOP/s/GPU", "FLOP/s", 4e14),
    ("400 TFLOPS per GPU", "FLOP/s", 4e14),
    ("30.84M H100-hours", "GPU-hour", 30.84e6 * 3600),
    ("2788K H800 GPU hours", "GPU-hour", 2.788e6 * 3600),
    ("1.7M A100-80GB hours", "GPU-hour", 1.7e6 * 3600),
    ("1000 A100-days", "GPU-hour", 1000 * 86400),
    ("1000 TPU v5p-hours", "GPU-hour", 1000 * 3600),
    # a range is its middle
    ("44-45 days", "day", 44.5 * 86400),
    ("44–45 days", "day", 44.5 * 86400),
    ("44 to 45 days", "day", 44.5 * 86400),
    ("44 days - 45 days", "day", 44.5 * 86400),
    ("44-45", "day", 44.5 * 86400),
    ("900M-1.1B", "param", 1e9),
    ("30-31M H100-hours", "GPU-hour", 30.5e6 * 3600),
    ("38-43%", "%", 0.405),
    ("2 GB to 5 GB", "GB", 3.5e9),
    ("45-44", "day", 86400),
    ("3e-5", "day", 2.592),
    # an equation is its last side
    ("4.2e11 * 15e12 = 6.3e24", "FLOP", 6.3e24),
    ("C = 6*70e9*15e12 ≈ 6.3 YFLOP", "FLOP", 6.3e24),
    ("x = 5", "count", 5),
    ("6*7e9*2e12 = ~8.4e22", "FLOP", 8.4e22),
    ("ceil(8.75) = about 9", "gpu", 9),
    ("2^10 = 1024", "count", 1024),
    ("6.3e24/(1024*989.5e12*0.5) = 12435000 s = 143.9 days", "day", 143.9 * 86400),
    ("12435000/86400 = 143.9 days", "min", 143.9 * 86400),
    ("143.9*24 = 3454 hours", "day", 3454 * 3600),
    ("70B*2 = 140 GB", "GB", 140e9),
]

TOO_LARGE = "that number is too large"
COMMA = "is that comma a decimal point? write "
BOUND = "give a number, not a bound"
RANGE = "give one number, not a range"
TWO_TIMES = "one time or two? give one, or put a + between them"
NOTHING = "give a number, such as 8.4e22 or 6*7e9*2e12"

REFUSED = [
    ("9**9**9", "FLOP", TOO_LARGE),
    ("(((9**64)**64)**64)**64", "FLOP", TOO_LARGE),
    ("1e999", "FLOP", TOO_LARGE),
    ("1e-300", "FLOP", "that number is too small"),
    ("1e308*1e308", "FLOP", TOO_LARGE),
    ("1,5 TB", "bytes", COMMA + "1.5"),
    ("0,024", "count", COMMA + "0.024"),
    ("1.234.567", "count", "two decimal points; write thousands without dots, such as 1234567"),
    ("1'5", "count", '"\'" has no place in a number'),
    ("max(1,000, 5)", "count", "1,000: one number or two? write 1000 for a thousand, or 1, 0 for two"),
    ("min(1, 2 s)", "count", "a plain number and a time cannot be compared"),
    ("sqrt(4, 9)", "count", "',' is not expected there"),
    ("30B*8B", "bytes", "is that B billions or bytes? write bytes, or 1e9"),
    ("14 GBs", "bytes", "unknown unit 'GBs'; did you mean GB?"),
    ("max(4, )", "count", "')' is not expected there"),
    ("min(1, 2", "count", "a parenthesis is not closed"),
    ("max(1, 1e200*1e200)", "count", TOO_LARGE),
    ("log2(0)", "count", "log2 is not defined for that number"),
    ("sqrt(-4)", "count", "sqrt is not defined for that number"),
    ("log2(4 GB)", "count", "log2 takes a plain number"),
    ("floor(-2.5)", "count", "that is below zero; give zero or more"),
    ("log(8)", "count", "unknown unit 'log'; did you mean log2?"),
    ("log2", "count", "write log2(...) with parentheses"),
    ("log2x(8)", "count", "unknown unit 'log'; did you mean log2?"),
    ("< 1", "number", BOUND),
    ("at least 3", "number", BOUND),
    ("40..50 GB", "bytes", RANGE),
    ("between 40 and 50 GB", "bytes", RANGE),
    ("10-20*2", "count", "that is below zero; give zero or more"),
    ("6 * 175e9 * 300e9 = 3.3e23", "FLOP", "6 * 175e9 * 300e9 is not 3.3e23; correct one of them"),
    ("3 GB = 3 h", "s", "3 GB is not 3 h; correct one of them"),
    ("3e23 = 6ND", "FLOP", "unknown unit 'ND'; use one such as FLOP, GB or ms"),
    ("$2M", "FLOP", "the question does not ask for money"),
    ("12 GBs", "bytes", "unknown unit 'GBs'; did you mean GB?"),
    ("12 foo", "bytes", "unknown unit 'foo'; use one such as FLOP, GB or ms"),
    ("12 microsecnod", "s", "unknown unit 'microsecnod'; did you mean microsecond?"),
    ("3 quarks", "bytes", "unknown unit 'quarks'; use one such as FLOP, GB or ms"),
    ("clear", "s", "unknown unit 'clear'; use one such as FLOP, GB or ms"),
    ("w", "FLOP/s", "'w' is not expected there; give a number, then its unit"),
    ("30m", "s", "m may be minutes or milli; write min or ms"),
    ("1/0", "FLOP", "that divides by zero"),
    ("0**-1", "FLOP", "that power has no real value"),
    ("(-8)**0.5", "FLOP", "that power has no real value"),
    ("__import__('os')", "FLOP", "'_' has no place in a number"),
    ("1+", "count", "that stops in the middle; finish the expression"),
    ("2(3)", "count", "put a * before the parenthesis"),
    ("(2*3", "count", "a parenthesis is not closed"),
    ("3 GB + 2 s", "bytes", "bytes and a time cannot be added"),
    ("", "count", NOTHING),
    ("~", "count", NOTHING),
    ("7" * 300, "count", "that is longer than 200 characters; give one number or a short expression"),
    ("(" * 90 + "1" + ")" * 90, "count", "too many parentheses or powers"),
    ("1 2", "count", "1 2: one number or two? put a * or a + between them"),
    ("GB/s", "bytes", "'GB' is not expected there; give a number, then its unit"),
    ("GB days", "bytes", "'GB' is not expected there; give a number, then its unit"),
    ("7 GPU - hours", "GPU-hour", "'hours' is not expected there; give a number, then its unit"),
    ("2*3 GB/", "bytes", "that stops in the middle; finish the expression"),
    ("3 * ", "count", "that stops in the middle; finish the expression"),
    ("€5", "$", "amounts of money are in dollars here; give them without €"),
    ("8*H20", "gpu", "unknown unit 'H'; the number alone will do"),
    ("3 dozen", "count", "unknown unit 'dozen'; the number alone will do"),
    ("3 tokns", "token", "unknown unit 'tokns'; did you mean tokens?"),
    ("0.1 ms 0.4 ms", "s", TWO_TIMES),
    ("0.4 ms 0.1 ms", "s", TWO_TIMES),
    ("30 min 1 h", "s", TWO_TIMES),
    ("1 h 5 m 5 m", "s", TWO_TIMES),
    ("10-3 ms", "s", "a plain number and a time cannot be added; write the unit on each part"),
    ("1e200", "count", TOO_LARGE),
    ("ceil(1e199)*ceil(1e199)/ceil(1e199)", "count", TOO_LARGE),
    ("(" * 41 + "1" + ")" * 41, "count", "too many parentheses or powers"),
    ("(" * 39 + "2^1+2^1+2^1+(((1)))" + ")" * 39, "count", "too many parentheses or powers"),
    ("(" * 39 + "(1)+(1)+(1)+(((1)))" + ")" * 39, "count", "too many parentheses or powers"),
    ("1 h 30", "s", "the last part of that time has no unit; add it or leave that part out"),
    ("2*3m", "s", "m may be minutes or milli; write min or ms"),
    ("(3 GB)^2", "bytes", "only plain numbers can be raised to a power"),
    ("50%", "s", "that is a share, but the question asks for a time"),
    ("50 %", "FLOP", "that is a share, but the question asks for FLOPs"),
    ("40 GB / 20 GB", "bytes", "that is a share, but the question asks for bytes"),
    ("50%", "gpu", "that is a share, but the question asks how many"),
    ("50 percent", "count", "that is a share, but the question asks how many"),
    ("~5 % tokens", "token", "that is a share, but the question asks how many"),
    ("50 %", "bit", "that is a share, but the question asks how many"),
    ("0x10", "s", "that is hexadecimal; write it in decimal digits"),
    ("2*0XfF", "count", "that is hexadecimal; write it in decimal digits"),
    ("1e-400", "s", "that number is too small"),
    ("5+-1", "s", RANGE),
    ("3 milion", "count", "unknown unit 'milion'; did you mean million?"),
    ("3 bilion", "count", "unknown unit 'bilion'; did you mean billion?"),
    ("3 trilion", "count", "unknown unit 'trilion'; did you mean trillion?"),
    ("1.5 2.5", "count", "1.5 2.5: one number or two? put a * or a + between them"),
    ("3e5.5", "count", "two decimal points; write thousands without dots, such as 1234567"),
    ("1." + "0" * 199, "count", "that is longer than 200 characters; give one number or a short expression"),
    ("3 b", "bytes", "b is bits to some and billions to others; write bits, B for bytes, or 1e9"),
    ("3 b/param", "bytes", "b is bits to some and billions to others; write bits, B for bytes, or 1e9"),
    ("max(min(1, 2), 1,000)", "count", "1,000: one number or two? write 1000 for a thousand, or 1, 0 for two"),
]


@pytest.mark.parametrize(("text", "unit", "value"), READ, ids=[f"{text} in {unit}" for text, unit, _ in READ])
def test_an_answer_is_read_in_si_base_units(text: str, unit: str, value: float) -> None:
    reading = read(text, target_unit(unit))

    assert math.isclose(reading.value, value)
    assert type(reading.value) is float
    assert reading.dimension == target_unit(unit).dimension


@pytest.mark.parametrize(("text", "unit", "why"), REFUSED, ids=[text[:30] or "nothing" for text, _, _ in REFUSED])
def test_text_without_one_number_is_refused_with_reason(text: str, unit: str, why: str) -> None:
    with pytest.raises(BadAnswerError) as refused:
        read(text, target_unit(unit))

    assert str(refused.value) == why


def test_lone_b_is_bytes_where_bytes_are_asked() -> None:
    assert read("40 B", target_unit("GB")).unit_given
    assert read("40", target_unit("GB")).unit_given is False
    assert read("$40", target_unit("$")).unit_given
    assert not read("40B", target_unit("param")).unit_given


def test_bits_are_converted_to_bytes_with_a_note() -> None:
    reading = read("800 Gb", target_unit("GB"))

    assert reading.value == 100e9
    assert reading.notes == ("that is bits; 8 bits are a byte",)


def test_flops_rate_is_read_as_the_asked_amount() -> None:
    reading = read("84 ZFLOPS", target_unit("FLOP"))

    assert reading.value == 84e21
    assert reading.notes == ("FLOPs is an amount, FLOP/s a rate; read as the one that is asked",)


def test_power_and_energy_keep_their_units() -> None:
    assert formatting.read_as(read("3 kW", target_unit("FLOP")), target_unit("FLOP")) == "3 kW"
    assert formatting.read_as(read("3 MW * 2 s", target_unit("FLOP")), target_unit("FLOP")) == "6 MJ"


def test_a_rate_written_out_is_not_an_amount() -> None:
    reading = read("84 ZFLOP/s", target_unit("FLOP"))

    assert reading.dimension == target_unit("FLOP/s").dimension


@pytest.mark.parametrize("text", ["~40B", "about 40B", "= 40B"])
def test_approximate_amount_is_read_as_such_an_amount(text: str) -> None:
    assert read(text, target_unit("param")) == read("40B", target_unit("param"))


def test_a_bare_number_is_in_the_prompts_unit() -> None:
    reading = read("70e9*16", target_unit("GB"))

    assert reading.value == 1.12e21
    assert reading.expression
    assert reading.others == ()
    assert read("43", target_unit("%")).others == (43.0,)
    assert read("43 %", target_unit("%")).others == ()


def test_bare_numbers_get_the_missing_unit_with_note() -> None:
    work = read("6*70B*15T/(1024*990TFLOP/s*0.5)", target_unit("day"))
    reading = read("12*7e9/3.35TB/s", target_unit("ms"))

    assert math.isclose(work.value, 6 * 70e9 * 15e12 / (1024 * 990e12 * 0.5))
    assert work.notes == ("the numbers without a unit are read as FLOP",)
    assert math.isclose(reading.value, 12 * 7e9 / 3.35e12)
    assert reading.notes == ("the numbers without a unit are read as bytes",)


def test_final_unit_applies_to_the_whole_expression() -> None:
    reading = read("12/3 GB", target_unit("FLOP"))

    assert (reading.value, reading.dimension) == (4e9, BYTE)


def test_bytes_are_no_tokens_however_they_are_counted() -> None:
    assert read("5 GB/s", target_unit("per second")).dimension == BYTE_PER_S


def test_reading_records_a_b_read_as_billion() -> None:
    assert read("8*80 GB/(12 B)", target_unit("param")).billions
    assert not read("12 GB", target_unit("param")).billions
    assert not read("12 B", target_unit("byte")).billions


def test_device_time_differs_from_clock_time() -> None:
    assert read("5 GPU-days", target_unit("day")).device_time
    assert read("5 GPUh", target_unit("GPU-hour")).device_time
    assert not read("5 days", target_unit("day")).device_time
    assert not read("35 GPUs", target_unit("gpu")).device_time


def test_a_single_number_is_no_expression() -> None:
    assert read("112 GB / s", target_unit("GB")).expression is False
    assert read("3.35 TB/s * 2 s", target_unit("GB")).expression


@pytest.mark.parametrize(
    ("text", "unit", "echo"),
    [
        ("84e21", "FLOP", "8.4e22 FLOP (84 ZFLOP)"),
        ("112 GB", "GB", "1.12e11 bytes (112 GB)"),
        ("143.9", "day", "1.243e7 s (143.9 days)"),
        ("40e9", "param", "4e10 (40B params)"),
        ("0.43", "number", "0.43"),
        ("16384", "count", "16384"),
        ("5", "FLOP/byte", "5 FLOP/byte"),
        ("3 PFLOP/s", "FLOP/s", "3e15 FLOP/s (3 PFLOP/s)"),
        ("128.8", "per second", "128.8 per second"),
        ("1e5", "count", "1e5 (100,000)"),
        ("301", "gpu", "301 (301 GPUs)"),
    ],
)
def test_every_reading_is_echoed_with_its_unit(text: str, unit: str, echo: str) -> None:
    assert formatting.read_as(read(text, target_unit(unit)), target_unit(unit)) == echo


ALPHABET = "0123456789.,_ +-*/^()eExXBbKMGTPkmsdhFLOPGitoken%$~<=²³⁻×·'µ\n\x00é"
UNITS_ASKED = st.sampled_from(["FLOP", "GB", "bytes", "day", "count", "number", "%", "bit", "FLOP/byte", "$"])


@given(st.one_of(st.text(max_size=60), st.text(ALPHABET, max_size=60)), UNITS_ASKED)
def test_any_text_is_a_finite_number_or_refused(text: str, unit: str) -> None:
    with contextlib.suppress(BadAnswerError):
        reading = read(text, target_unit(unit))

        assert math.isfinite(reading.value)
        assert formatting.read_as(reading, target_unit(unit))


@given(st.floats(min_value=1e-190, max_value=1e190), UNITS_ASKED)
def test_a_number_written_by_python_is_read_back(value: float, unit: str) -> None:
    reading = read(repr(value), target_unit(unit))

    assert value in {reading.value, *reading.others} or math.isclose(
        reading.value, value * target_unit(unit).factor
    )


@pytest.mark.parametrize("sign", ["ö", "ß", "中"])
def test_unreadable_sign_is_named_as_typed(sign: str) -> None:
    with pytest.raises(BadAnswerError, match=f"'{sign}' has no place in a number"):
        read(f"12 zw{sign}lf", target_unit("FLOP"))


def test_the_middle_of_a_range_is_said() -> None:
    assert read("44-45 days", target_unit("day")).notes == ("a range: its middle is read",)


def test_long_letter_range_is_refused() -> None:
    with pytest.raises(BadAnswerError):
        read("1-2" + "a" * 190 + "!", target_unit("count"))
