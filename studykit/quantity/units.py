"""List every unit that may follow a number, with its size in SI base units.

`expression` combines units, and `formatting` writes amounts with them.
"""

from typing import NamedTuple

Dimension = tuple[int, int, int, int, int]
"""Exponents of FLOP, byte, second, dollar and joule; counts of anything are plain numbers."""

NUMBER: Dimension = (0, 0, 0, 0, 0)
FLOP: Dimension = (1, 0, 0, 0, 0)
BYTE: Dimension = (0, 1, 0, 0, 0)
SECOND: Dimension = (0, 0, 1, 0, 0)
DOLLAR: Dimension = (0, 0, 0, 1, 0)
JOULE: Dimension = (0, 0, 0, 0, 1)
FLOP_PER_S: Dimension = (1, 0, -1, 0, 0)
BYTE_PER_S: Dimension = (0, 1, -1, 0, 0)
FLOP_PER_BYTE: Dimension = (1, -1, 0, 0, 0)
PER_SECOND: Dimension = (0, 0, -1, 0, 0)
WATT: Dimension = (0, 0, -1, 0, 1)

DIMENSION_NAMES: dict[Dimension, str] = {
    NUMBER: "a plain number",
    FLOP: "FLOPs",
    BYTE: "bytes",
    SECOND: "a time",
    DOLLAR: "money",
    FLOP_PER_S: "FLOP/s",
    BYTE_PER_S: "bytes per second",
    FLOP_PER_BYTE: "FLOP per byte",
    PER_SECOND: "a rate per second",
    JOULE: "energy",
    WATT: "power",
}

MINUTE, HOUR, DAY = 60.0, 3600.0, 86400.0
MONTH, YEAR = 30.4375 * DAY, 365.25 * DAY


class Unit(NamedTuple):  # a thousand are made at start-up
    """Hold the size of a unit in SI base units. `note` is shown to a learner who uses this spelling."""

    factor: float
    dimension: Dimension
    note: str = ""
    flops_word: bool = False  # the question decides between FLOPs and FLOPS
    noun: bool = False  # counted things, which carry no dimension
    base: float = 1.0  # the same word without a prefix, in SI base units: an eighth for Gbit, 86400 for days

    @property
    def prefixed(self) -> bool:
        """Return whether the word has a prefix, as GB and ms have."""
        return self.factor != self.base and (self.noun or self.dimension != NUMBER)


PREFIXES = {"k": 1e3, "K": 1e3, "M": 1e6, "G": 1e9, "T": 1e12, "P": 1e15, "E": 1e18, "Z": 1e21, "Y": 1e24}
BINARY = {"Ki": 2.0**10, "Mi": 2.0**20, "Gi": 2.0**30, "Ti": 2.0**40, "Pi": 2.0**50}
BINARY_WORDS = {"kibi": 2.0**10, "mebi": 2.0**20, "gibi": 2.0**30, "tebi": 2.0**40, "pebi": 2.0**50}

SCALES = {
    **{letter: size for letter, size in PREFIXES.items() if letter != "E"},
    **dict.fromkeys(("mn", "Mn", "mln", "mio", "Mio", "MM", "million", "millions"), 1e6),
    **dict.fromkeys(("B", "b", "bn", "Bn", "bln", "mrd", "Mrd", "billion", "billions"), 1e9),
    **dict.fromkeys(("t", "tn", "Tn", "trn", "trillion", "trillions"), 1e12),
    "thousand": 1e3,
    "quadrillion": 1e15,
    "quintillion": 1e18,
    "sextillion": 1e21,
    "septillion": 1e24,
    **{prefix: BINARY[prefix] for prefix in ("Ki", "Mi", "Gi")},
}
"""Words that multiply a number: 70B, 15T, 3 million."""

_NOUNS = """
param params parameter parameters token tokens tok toks gpu gpus GPU GPUs device devices layer layers head heads
sequence sequences seq seqs sample samples step steps element elements elem elems value values weight weights
update updates microbatch microbatches batch batches row rows column columns start starts position positions id ids
image images chip chips card cards number numbers ratio ops op operation operations integer user users request
requests worker workers expert experts accelerator accelerators each pass dim dims accumulation floating point MFU
HFU
"""
_PREFIXED_NOUNS = "param params parameter parameters token tokens tok toks step steps OP OPs"

DEVICE_HOURS = frozenset(("GPUh", "GPUhr", "GPUhrs", "gpuh"))
DEVICES = DEVICE_HOURS.union(("gpu", "gpus", "GPU", "GPUs", "device", "devices", "chip", "chips", "card", "cards"))
"""Words that turn a time into the time of all devices together: GPU-hours."""

OPERATIONS = frozenset(["op", "ops", "operation", "operations", "OP", "OPs"])
"""Words for FLOPs in answers to questions about FLOPs."""

PERCENT = frozenset(("%", "percent", "pct"))

BITS = "that is bits; 8 bits are a byte"
_LOWER = "read as bytes; write GB with a capital B, since Gb is gigabits"

_TIMES = (
    ("s sec secs second seconds", 1.0),
    ("ms msec millisec millisecond milliseconds", 1e-3),
    ("us usec microsec microsecond microseconds", 1e-6),
    ("ns nsec nanosec nanosecond nanoseconds", 1e-9),
    ("ps", 1e-12),
    ("min mins minute minutes", MINUTE),
    ("h hr Hr hrs hour hours", HOUR),
    ("d day days", DAY),
    ("w wk wks week weeks", 7 * DAY),
    ("mo month months", MONTH),
    ("y yr yrs year years", YEAR),
)

_SI = {"": 1.0, **PREFIXES}
_TO_TERA = {prefix: size for prefix, size in _SI.items() if size <= PREFIXES["T"]}  # for counts and bits
_SMALL_LETTERS = {prefix.lower(): size for prefix, size in PREFIXES.items()}
_PREFIX_WORDS = ("kilo", "mega", "giga", "tera", "peta", "exa", "zetta", "yotta")
_WORDS = {start: PREFIXES[word[0].upper()] for word in _PREFIX_WORDS for start in (word, word.capitalize())}
_WORDS_TO_TERA = {word: size for word, size in _WORDS.items() if size <= PREFIXES["T"]}
_BINARY_WORDS = {**BINARY, **BINARY_WORDS}
_ELECTRIC = {"": 1.0, "p": 1e-12, "n": 1e-9, "u": 1e-6, "m": 1e-3, "k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12}
_ALONE = {"": 1.0}
_BIT = Unit(1 / 8, BYTE, BITS, base=1 / 8)

FAMILIES: tuple[tuple[dict[str, float], str, Unit], ...] = (
    (_ALONE, _NOUNS, Unit(1.0, NUMBER, noun=True)),
    *((_ALONE, names, Unit(size, SECOND, base=size if size >= MINUTE else 1.0)) for names, size in _TIMES),
    (_ALONE, " ".join(sorted(DEVICE_HOURS)), Unit(HOUR, SECOND, base=HOUR)),
    (_ALONE, "$ USD usd dollar dollars bucks", Unit(1.0, DOLLAR)),
    (_ALONE, " ".join(sorted(PERCENT)), Unit(0.01, NUMBER)),
    (_ALONE, "tps TPS", Unit(1.0, PER_SECOND)),
    (_ALONE, "gig gigs", Unit(1e9, BYTE)),
    (_ALONE, "meg megs", Unit(1e6, BYTE)),
    (_SI, "B byte bytes Byte Bytes", Unit(1.0, BYTE)),
    (_TO_TERA, "b bit bits Bit Bits", _BIT),
    (_SI, "Bps", Unit(1.0, BYTE_PER_S)),
    (_TO_TERA, "bps", Unit(1 / 8, BYTE_PER_S, BITS, base=1 / 8)),
    (_SI, "FLOP flop Flop", Unit(1.0, FLOP)),
    (_SI, "FLOPs flops Flops F", Unit(1.0, FLOP, flops_word=True)),
    (_SI, "FLOPS", Unit(1.0, FLOP_PER_S, flops_word=True)),
    (_TO_TERA, _PREFIXED_NOUNS, Unit(1.0, NUMBER, noun=True)),
    (_SI, "Hz OPS", Unit(1.0, PER_SECOND)),
    (_SMALL_LETTERS, "b", Unit(1.0, BYTE, _LOWER)),
    (_SMALL_LETTERS, "flop", Unit(1.0, FLOP)),
    (_SMALL_LETTERS, "flops", Unit(1.0, FLOP, flops_word=True)),
    (_WORDS | _BINARY_WORDS, "byte bytes", Unit(1.0, BYTE)),
    (_WORDS_TO_TERA | _BINARY_WORDS, "bit bits", _BIT),
    (_WORDS, "flop FLOP", Unit(1.0, FLOP)),
    (_WORDS, "flops FLOPs FLOPS", Unit(1.0, FLOP, flops_word=True)),
    (BINARY, "B", Unit(1.0, BYTE)),
    (BINARY, "b", _BIT),
    ({prefix.lower(): size for prefix, size in BINARY.items()}, "b", Unit(1.0, BYTE, _LOWER)),
    (_ELECTRIC, "W", Unit(1.0, WATT)),
    (_ELECTRIC, "J", Unit(1.0, JOULE)),
    (_ELECTRIC, "Wh", Unit(HOUR, JOULE, base=HOUR)),
)
"""Prefixes with their sizes, the words that may follow each of them, and the unit of such a word by itself."""

AMBIGUOUS = ("B", "b", "F")  # their meaning depends on the question
UNITS = {
    prefix + tail: Unit(size * unit.factor, *unit[1:])
    for prefixes, tails, unit in FAMILIES
    for prefix, size in prefixes.items()
    for tail in tails.split()
    if prefix + tail not in AMBIGUOUS
}


def dimension_name(dimension: Dimension) -> str:
    """Name a dimension in words."""
    return DIMENSION_NAMES.get(dimension, "another kind of quantity")


class TargetUnit(NamedTuple):
    """Hold the dimension that a question asks for, and the unit of a bare number."""

    dimension: Dimension
    unit: str = ""  # on the screen
    factor: float = 1.0  # of that unit in SI base units
    bits: bool = False  # bits are what is counted, not eighths of a byte


_COUNTED = ("param", "token", "gpu", "step", "count", "layer", "head", "sequence", "element", "position")
_TARGETS = {
    **{unit: TargetUnit(NUMBER, unit) for unit in _COUNTED},
    "number": TargetUnit(NUMBER),
    "bit": TargetUnit(NUMBER, "bit", bits=True),
    "per second": TargetUnit(PER_SECOND, "per second"),
    "GPU-hour": TargetUnit(SECOND, "GPU-hour", HOUR),
}


def target_unit(unit: str) -> TargetUnit:
    """Return the `TargetUnit` of a question in a unit such as FLOP, GB, day, FLOP/byte, param, %, bit or $."""
    if unit in _TARGETS:
        return _TARGETS[unit]
    factor, dimension = 1.0, NUMBER
    for place, word in enumerate(unit.split("/")):
        part, sign = UNITS[word], -1 if place else 1
        factor *= part.factor**sign
        dimension = times(dimension, part.dimension, sign)
    return TargetUnit(dimension, unit, factor)


def times(left: Dimension, right: Dimension, sign: int = 1) -> Dimension:
    """Multiply two dimensions, or divide them if the sign is -1."""
    flop, byte, second, dollar, joule = (a + sign * b for a, b in zip(left, right, strict=True))
    return flop, byte, second, dollar, joule
