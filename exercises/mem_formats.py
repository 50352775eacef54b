"""Ask about formats whose blocks of numbers share a scale."""

from studykit.exercise import Template

from ._sizes import MODELS
from ._slips import scaled, slip

FORMATS = {"MXFP4": (4, 32), "MXFP6": (6, 32), "MXFP8": (8, 32), "NVFP4": (4, 16)}
"""Bits of an element, and elements that share a scale of 8 bits: OCP Microscaling Formats 1.0, NVIDIA's NVFP4."""

SCALE_BITS = 8

BLOCKS = Template(
    id="mem.block_formats",
    objective="precision",
    grid={"N": MODELS, "dt": tuple(FORMATS)},
    prompt="How many GB do {N:si} weights take in {dt}? An element has {bits} bits, and every {block} elements "
    "share a scale of 8 bits{but}.",
    answer=lambda v: v.N * v.each / 8,
    unit="GB",
    tolerance=0.01,
    slips=(
        slip("forgot_scales", lambda v: v.N * v.bits / 8),
        slip("scale_each", lambda v: v.N * (v.bits + SCALE_BITS) / 8),
        slip("bits_for_bytes", scaled(8)),
        slip("in_bf16", lambda v: 2 * v.N),
        slip("other_block", lambda v: v.N * (v.bits + SCALE_BITS / v.other) / 8),
    ),
    hints=(
        "What does one element take, with its part of the scale?",
        "Each of {block} elements carries its part of 8 bits.",
        "Add the {bits} bits of the element itself, and turn bits into bytes.",
    ),
    solution=(
        "one element: {bits} + 8/{block} = {each:number} bits",
        "{N:si} × {each:number} / 8 = {answer:bytes}",
    ),
    given={
        "bits": lambda v: FORMATS[v.dt][0],
        "block": lambda v: FORMATS[v.dt][1],
        "other": lambda v: 48 - v.block,
        "each": lambda v: v.bits + SCALE_BITS / v.block,
        "but": lambda v: " (the one scale per tensor does not count)" if v.dt == "NVFP4" else "",
    },
    version=2,
    renamed={2: {"f": "dt"}},
)

EXERCISES = (BLOCKS,)
