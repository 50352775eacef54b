"""Test the table of units, family by family."""

import pytest

from studykit.quantity.units import (
    BYTE,
    BYTE_PER_S,
    DOLLAR,
    FLOP,
    FLOP_PER_BYTE,
    FLOP_PER_S,
    JOULE,
    NUMBER,
    PER_SECOND,
    SCALES,
    SECOND,
    UNITS,
    WATT,
    Dimension,
    TargetUnit,
    dimension_name,
    target_unit,
    times,
)

LETTERS = {"": 1.0, "k": 1e3, "K": 1e3, "M": 1e6, "G": 1e9, "T": 1e12, "P": 1e15, "E": 1e18, "Z": 1e21, "Y": 1e24}
TO_TERA = {letter: size for letter, size in LETTERS.items() if size <= 1e12}
ELECTRIC = {"": 1, "p": 1e-12, "n": 1e-9, "u": 1e-6, "m": 1e-3, "k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12}
WORDS = {"kilo": 1e3, "mega": 1e6, "giga": 1e9, "tera": 1e12, "peta": 1e15, "exa": 1e18, "zetta": 1e21}
BINARY: dict[str, float] = {"Ki": 2**10, "Mi": 2**20, "Gi": 2**30, "Ti": 2**40, "Pi": 2**50}
BINARY_WORDS: dict[str, float] = {"kibi": 2**10, "mebi": 2**20, "gibi": 2**30, "tebi": 2**40, "pebi": 2**50}
BITS = "that is bits; 8 bits are a byte"
SMALL_LETTERS = "read as bytes; write GB with a capital B, since Gb is gigabits"

Family = tuple[dict[str, float], str, float, Dimension]

FAMILIES: list[Family] = [
    (LETTERS, "byte bytes Byte Bytes", 1, BYTE),
    (TO_TERA, "bit bits Bit Bits", 1 / 8, BYTE),
    (LETTERS, "FLOP flop Flop FLOPs flops Flops", 1, FLOP),
    (LETTERS, "FLOPS", 1, FLOP_PER_S),
    (LETTERS, "Hz OPS", 1, PER_SECOND),
    (TO_TERA, "param params parameter parameters token tokens OP OPs", 1, NUMBER),
    (ELECTRIC, "W", 1, WATT),
    (ELECTRIC, "J", 1, JOULE),
    (WORDS, "byte bytes", 1, BYTE),
    ({word: size for word, size in WORDS.items() if size <= 1e12}, "bit bits", 1 / 8, BYTE),
    (WORDS, "flop FLOP flops FLOPs FLOPS", 1, FLOP),
    ({**BINARY, **BINARY_WORDS}, "byte bytes", 1, BYTE),
    (BINARY, "B", 1, BYTE),
    ({**BINARY, **BINARY_WORDS}, "bit bits", 1 / 8, BYTE),
    (BINARY, "b", 1 / 8, BYTE),
    ({prefix: size for prefix, size in LETTERS.items() if prefix}, "B", 1, BYTE),
    ({prefix: size for prefix, size in TO_TERA.items() if prefix.isupper()}, "b", 1 / 8, BYTE),
    ({prefix: size for prefix, size in LETTERS.items() if prefix}, "F", 1, FLOP),
    ({prefix.lower(): size for prefix, size in BINARY.items()}, "b", 1, BYTE),
    ({"k": 1e3, "t": 1e12, "g": 1e9, "z": 1e21}, "b", 1, BYTE),
    ({"t": 1e12, "g": 1e9, "z": 1e21}, "flop flops", 1, FLOP),
]


@pytest.mark.parametrize("family", FAMILIES, ids=[family[1] for family in FAMILIES])
def test_every_prefix_scales_its_words(family: tuple[dict[str, float], str, float, Dimension]) -> None:
    prefixes, tails, factor, dimension = family

    for prefix, size in prefixes.items():
        for tail in tails.split():
            unit = UNITS[prefix + tail]
            assert (prefix + tail, unit.factor, unit.dimension) == (prefix + tail, size * factor, dimension)
            assert unit.base == factor


def test_a_prefix_in_words_may_start_a_sentence() -> None:
    for word, size in WORDS.items():
        start = word.capitalize()
        assert (UNITS[start + "bytes"].factor, UNITS[start + "bytes"].dimension) == (size, BYTE)
        assert (UNITS[start + "flops"].factor, UNITS[start + "flops"].dimension) == (size, FLOP)


@pytest.mark.parametrize(
    ("words", "factor", "base"),
    [
        ("s sec secs second seconds", 1, 1),
        ("ms msec millisecond milliseconds", 1e-3, 1),
        ("us usec microsecond microseconds", 1e-6, 1),
        ("ns nsec nanosecond nanoseconds", 1e-9, 1),
        ("ps", 1e-12, 1),
        ("min mins minute minutes", 60, 60),
        ("h hr hrs hour hours", 3600, 3600),
        ("GPUh GPUhr GPUhrs gpuh", 3600, 3600),
        ("d day days", 86400, 86400),
        ("w wk wks week weeks", 604800, 604800),
        ("month months", 30.4375 * 86400, 30.4375 * 86400),
        ("y yr yrs year years", 365.25 * 86400, 365.25 * 86400),
    ],
)
def test_times_from_a_minute_on_count_as_themselves(words: str, factor: float, base: float) -> None:
    for word in words.split():
        assert (UNITS[word].factor, UNITS[word].dimension, UNITS[word].base) == (factor, SECOND, base)


def test_unit_spelling_carries_its_note() -> None:
    assert {UNITS[word].note for word in ("bit", "Gb", "Gib", "kibibits", "Terabits", "gigabit")} == {BITS}
    assert {UNITS[word].note for word in ("gb", "tb", "kib")} == {SMALL_LETTERS}
    assert {UNITS[word].note for word in ("GB", "GiB", "s", "FLOPs", "$")} == {""}


def test_ambiguous_flops_spellings_are_marked() -> None:
    assert all(UNITS[word].flops_word for word in ("FLOPs", "flops", "FLOPS", "TFLOPS", "tflops", "zettaflops"))
    assert not any(UNITS[word].flops_word for word in ("FLOP", "TFLOP", "teraflop", "tflop", "OPS", "GB"))


def test_counted_nouns_have_no_dimension() -> None:
    for word in ("param", "GPUs", "layers", "Mtokens", "TOPs", "integer", "images"):
        assert UNITS[word].noun
        assert UNITS[word].dimension == NUMBER
    assert all(UNITS[word].factor == 1 for word in ("param", "GPUs", "layers", "integer", "images"))
    assert not any(UNITS[word].noun for word in ("%", "percent", "$", "s", "Hz", "W"))


def test_money_and_percent() -> None:
    for word in ("$", "USD", "usd", "dollar", "dollars", "bucks"):
        assert (UNITS[word].factor, UNITS[word].dimension) == (1, DOLLAR)
    for word in ("%", "percent"):
        assert (UNITS[word].factor, UNITS[word].dimension) == (0.01, NUMBER)


def test_prefixed_unit_words_are_marked() -> None:
    assert all(UNITS[word].prefixed for word in ("GB", "ms", "Mparams", "kW", "Gb", "kibibits", "TFLOPs"))
    assert not any(UNITS[word].prefixed for word in ("bytes", "s", "days", "bit", "%", "tokens", "FLOP", "$"))


def test_lone_letters_are_scales_not_units() -> None:
    assert not {"B", "b", "F"} & UNITS.keys()
    assert SCALES["B"] == SCALES["b"] == 1e9
    assert "E" not in SCALES


@pytest.mark.parametrize(
    ("unit", "target"),
    [
        ("bit", TargetUnit(NUMBER, "bit", bits=True)),
        ("number", TargetUnit(NUMBER)),
        ("token", TargetUnit(NUMBER, "token")),
        ("position", TargetUnit(NUMBER, "position")),
        ("per second", TargetUnit(PER_SECOND, "per second")),
        ("GPU-hour", TargetUnit(SECOND, "GPU-hour", 3600)),
        ("bytes", TargetUnit(BYTE, "bytes")),
        ("TB/s", TargetUnit(BYTE_PER_S, "TB/s", 1e12)),
        ("FLOP/ms", TargetUnit(FLOP_PER_S, "FLOP/ms", 1e3)),
        ("%", TargetUnit(NUMBER, "%", 0.01)),
    ],
)
def test_target_unit_follows_from_the_name(unit: str, target: TargetUnit) -> None:
    assert target_unit(unit) == target


def test_dimensions_multiply_and_divide_by_their_exponents() -> None:
    assert times(FLOP, BYTE, -1) == FLOP_PER_BYTE
    assert times(NUMBER, SECOND, -1) == PER_SECOND
    assert times(WATT, SECOND) == times(SECOND, WATT) == JOULE
    assert times(DOLLAR, DOLLAR, -1) == NUMBER
    assert times(DOLLAR, DOLLAR) == (0, 0, 0, 2, 0)
    assert times((1, 2, 3, 4, 5), (10, 20, 30, 40, 50)) == (11, 22, 33, 44, 55)
    assert times((1, 2, 3, 4, 5), (10, 20, 30, 40, 50), -1) == (-9, -18, -27, -36, -45)


def test_unnamed_dimension_is_called_another_kind() -> None:
    assert dimension_name(FLOP_PER_BYTE) == "FLOP per byte"
    assert dimension_name((0, 2, 0, 0, 0)) == "another kind of quantity"
