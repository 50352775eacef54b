"""Ask how fast a run has to read its tokens."""

from studykit.exercise import Template

from ._sizes import A100, H100, MFUS, B, M, those
from ._slips import elements, over, scaled, slip, sparse

WIDTHS = {"uint16": 2, "int32": 4}

LOADERS = Template(
    id="data.loaders",
    objective="training",
    units={"mfu": "%"},
    grid={
        "N": (B, 3 * B, 8 * B),
        "G": lambda v: those((8, 64, 256, 1024), lambda count: 3 * M <= v.N / count <= 400 * M),
        "hw": (A100, H100),
        "mfu": MFUS,
        "w": tuple(WIDTHS),
    },
    prompt="A run trains {N:si} parameters on {G} × {hw} ({peak:FLOP/s} each, dense bf16) at an MFU of {mfu:%}, 6 "
    "FLOPs per parameter per token. Its token ids are stored as {w}, each read once. How many MB per second "
    "must the storage deliver in all?",
    answer=lambda v: v.rate * v.width,
    unit="MB/s",
    tolerance=0.03,
    slips=(
        slip("forgot_gpus", over("G")),
        slip("forgot_mfu", over("mfu")),
        slip("forward_only", scaled(3)),
        sparse(2),
        slip("double_halved", scaled(0.5)),
        slip("mac_as_flop", scaled(2)),
        slip("with_recompute", scaled(6 / 8)),
        elements("width"),
        slip("bits_for_bytes", scaled(8)),
        slip("wrong_width_2x", scaled(2)),
        slip("wrong_width_half", lambda v: v.answer / 2 if v.w == "int32" else None),  # else elements were counted
    ),
    hints=(
        "How many tokens does the run eat in a second?",
        "All devices at {mfu:%} of their peak, over 6 FLOPs per parameter for each token.",
        "Each token is one id of {width} bytes.",
    ),
    solution=(
        "tokens/s: {G} × {peak:FLOP/s} × {mfu:%} / (6 × {N:si}) = {rate:n}",
        "× {width} bytes = {answer:MB/s}: text asks little of a disk",
    ),
    given={
        "peak": lambda v: v.hw.peak("bf16"),
        "rate": lambda v: v.G * v.peak * v.mfu / (6 * v.N),
        "width": lambda v: WIDTHS[v.w],
    },
    version=3,
    renamed={2: {"n": "G"}},
)

EXERCISES = (LOADERS,)
