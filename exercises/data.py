"""Ask about token files and the batches drawn from them."""

from studykit.exercise import Template

from ._sizes import B, M, T, whole
from ._slips import elements, scaled, slip

WIDTHS = {"uint16": 2, "int32": 4, "int64": 8}

FILE = Template(
    id="data.file_bytes",
    objective="training",
    grid={"D": (B, 300 * B, T, whole(1400), 15 * T), "w": tuple(WIDTHS)},
    prompt="How many GB do {D:si} token ids take on disk as {w}?",
    answer=lambda v: v.D * v.width,
    unit="GB",
    tolerance=0.02,
    slips=(
        slip(
            "one_byte",
            lambda v: v.D,
            "Does a token id fit in one byte?",
            "You used one byte for an id, which holds 256 values; {w} takes {width}.",
        ),
        slip("bits_for_bytes", scaled(8)),
        slip("wrong_width_half", scaled(0.5)),
        slip("wrong_width_2x", scaled(2)),
    ),
    hints=("How wide is one id?", "{w} takes {width} bytes.", "There are {D:si} of them."),
    solution=("{w}: {width} bytes", "{D:si} × {width} = {answer:bytes}"),
    given={"width": lambda v: WIDTHS[v.w]},
)

BATCH = Template(
    id="data.batch_bytes",
    objective="training",
    grid={"b": (8, 16, 32, 64, 128, 256), "s": (1024, 2048, 4096, 8192)},
    prompt="Token ids are memory-mapped as int32. How many bytes of ids does one batch of {b} sequences of {s} "
    "tokens read? Count 4 bytes per id; ignore whole pages and the targets.",
    answer=lambda v: 4 * v.b * v.s,
    unit="bytes",
    tolerance=0.02,
    slips=(
        slip("reads_nothing", lambda _: 0.0),
        slip("int64", scaled(2)),
        slip("uint16", scaled(0.5)),
        slip("forgot_batch", lambda v: 4 * v.s),
        slip("forgot_seq", lambda v: 4 * v.b),
        elements(4),
    ),
    hints=("How many ids are touched?", "{b} × {s} ids.", "4 bytes each."),
    solution=("ids: {b} × {s}", "× 4 bytes = {answer:bytes}"),
    version=2,
)

STARTS = Template(
    id="data.start_positions",
    objective="training",
    grid={"D": (1000, 10000, 65536, M), "s": (4, 128, 512)},
    prompt="A batch starts at `torch.randint(len(data) - s, ...)`, whose upper bound is exclusive. With {D:n} "
    "tokens and s = {s}, how many different starts can be drawn?",
    answer=lambda v: v.D - v.s,
    unit="count",
    tolerance=0,
    slips=(
        slip(
            "off_by_one",
            lambda v: v.D - v.s + 1,
            "Is the upper bound drawn?",
            "That draws the upper bound too; it is exclusive.",
        ),
        slip("last_start", lambda v: v.D - v.s - 1),
        slip("chunks", lambda v: v.D // v.s),
        slip("all", lambda v: v.D),
    ),
    hints=(
        "What is the smallest start, what the largest?",
        "The smallest is 0; the upper bound itself is never drawn.",
        "0 to {D:n} − {s} − 1.",
    ),
    solution=("starts 0 … {D:n} − {s} − 1", "{D:n} − {s} = {answer:n}"),
    version=2,
    renamed={2: {"n": "D"}},
)

EXERCISES = (FILE, BATCH, STARTS)
