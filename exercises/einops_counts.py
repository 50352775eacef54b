"""Ask for the sizes that result from einops patterns."""

from studykit.exercise import Check, Template

from ._slips import by, slip

WIDTHS = {12: (768,), 16: (1024, 2048), 25: (1600,), 32: (2048, 4096), 40: (5120,), 64: (8192,), 96: (12288,)}
"""Widths of models by heads, each 64 to 128 wide."""

HEAD_DIM = Template(
    id="einops.head_dim",
    objective="einops",
    grid={
        "b": (1, 4, 16),
        "s": (512, 2048, 4096),
        "h": tuple(WIDTHS),
        "d": lambda v: WIDTHS.get(v.h, (128 * v.h,)),
    },
    prompt="`rearrange(x, 'b s (h e) -> b h s e', h={h})` runs on a tensor of shape ({b}, {s}, {d}). How large is "
    "the last axis of the result?",
    answer=lambda v: v.d // v.h,
    unit="count",
    tolerance=0,
    slips=(
        slip("gave_heads", lambda v: v.h),
        slip("gave_total", lambda v: v.d, "What becomes of (h e)?", "That is h × e before it is split."),
        slip("split_by_batch", lambda v: v.d // v.b if v.b > 1 else None),
        slip("gave_seq", lambda v: v.s),
    ),
    checks=(Check(lambda v: v.d % v.h == 0, "an axis of {d} cannot be divided among {h} heads"),),
    hints=(
        "What does (h e) mean?",
        "The axis of size {d} is h × e.",
        "With h = {h}, what is left for e?",
    ),
    solution=("(h e) = {d}, h = {h}", "e = {d} / {h} = {answer:n}"),
    version=3,
    renamed={2: {"D": "d"}},
)

NUMEL = Template(
    id="einops.numel",
    objective="einops",
    grid={"b": (2, 3, 5), "s": (4, 7), "t": (6, 11), "d": (8, 13)},
    prompt="How many elements does the output of `einsum(x, y, 'b s d, b t d -> b s t')` have, with b={b}, s={s}, "
    "t={t}, d={d}?",
    answer=lambda v: v.b * v.s * v.t,
    unit="count",
    tolerance=0,
    slips=(
        slip("kept_contracted", by("d")),
        slip("flops", lambda v: 2 * v.b * v.s * v.t * v.d),
        slip("batch_twice", by("b")),
        slip("no_batch", lambda v: v.s * v.t),
    ),
    hints=(
        "Which names does the output have?",
        "Names that are missing on the right are summed away.",
        "The output has the axes b, s and t.",
    ),
    solution=("axes b s t", "{b} × {s} × {t} = {answer:n}"),
)

EXERCISES = (HEAD_DIM, NUMEL)
