"""Ask about strides, views and what allocates."""

import math

from studykit.exercise import Check, Template, Values

from ._slips import SIZE, scaled, slip


def _sizes(v: Values) -> tuple[int, ...]:
    return (v.a, v.b, v.c, v.d)


OF_DIM = Template(
    id="stride.of_dim",
    objective="tensors",
    grid={"a": (2, 3), "b": (4, 5), "c": (6, 7), "d": (8, 9), "i": (0, 1, 2)},
    prompt="`x` is row-major, of shape ({a}, {b}, {c}, {d}). What is `x.stride({i})`?",
    answer=lambda v: math.prod(v.shape[v.i + 1 :]),
    unit="count",
    tolerance=0,
    slips=(
        slip("next_dim", lambda v: math.prod(v.shape[v.i + 2 :])),
        slip("includes_own", lambda v: v.answer * v.shape[v.i]),
        slip("column_major", lambda v: math.prod(v.shape[: v.i])),
        slip("in_bytes", lambda v: 4 * v.answer),
    ),
    hints=(
        "How many elements lie between two neighbors along that dimension?",
        "Row-major: the last dimension has stride 1.",
        "Multiply the sizes of all dimensions after dimension {i}.",
    ),
    solution=("sizes after dimension {i}: {after}", "stride: {answer:n}"),
    given={
        "shape": _sizes,
        "next": lambda v: v.i + 1,
        "after": lambda v: " × ".join(map(str, v.shape[v.i + 1 :])) or "none",
    },
)

INDEX = Template(
    id="stride.index",
    objective="tensors",
    grid={"a": (4, 6, 8), "b": (5, 7, 9), "r": (1, 2, 3), "q": (2, 4)},
    prompt="`x` is row-major, of shape ({a}, {b}). What index in its storage does `x[{r}, {q}]` have?",
    answer=lambda v: v.r * v.b + v.q,
    unit="count",
    tolerance=0,
    slips=(
        slip("column_major", lambda v: v.q * v.a + v.r),
        slip("used_rows", lambda v: v.r * v.a + v.q),
        slip("forgot_column", lambda v: v.r * v.b),
        slip("one_based", lambda v: (v.r - 1) * v.b + (v.q - 1)),
    ),
    checks=(Check(lambda v: v.r < v.a and v.q < v.b, "x of shape ({a}, {b}) has no x[{r}, {q}]"),),
    hints=(
        "How many elements lie before row {r}?",
        "A row has {b} elements.",
        "Then {q} elements into row {r}; the strides are ({b}, 1).",
    ),
    solution=("strides ({b}, 1)", "{r} × {b} + {q} × 1 = {answer:n}"),
)

TRANSPOSED = Template(
    id="stride.after_transpose",
    objective="tensors",
    grid={"a": (3, 4, 6), "b": (5, 7, 8), "i": (0, 1)},
    prompt="`x` is row-major, of shape ({a}, {b}), and `y = x.transpose(0, 1)`. What is `y.stride({i})`?",
    answer=lambda v: (1, v.b)[v.i],
    unit="count",
    tolerance=0,
    slips=(
        slip("as_if_copied", lambda v: (v.a, 1)[v.i]),
        slip("not_swapped", lambda v: (v.b, 1)[v.i]),
    ),
    hints=(
        "What does a transpose change?",
        "It swaps sizes and strides; the storage stays as it is.",
        "x has strides ({b}, 1).",
    ),
    solution=("x: ({b}, 1); y: (1, {b})", "y.stride({i}) = {answer:n}"),
)

COPY = Template(
    id="stride.copy_bytes",
    objective="tensors",
    grid={"a": (1024, 4096, 16384), "b": (512, 2048, 8192), "dt": ("fp32", "bf16")},
    prompt="`x` is {dt}, contiguous, of shape ({a}, {b}). How many extra bytes does `x.transpose(0, "
    "1).contiguous()` allocate?",
    answer=lambda v: v.size * v.a * v.b,
    unit="bytes",
    tolerance=0.02,
    slips=(
        slip(
            "view_is_free",
            lambda _: 0.0,
            "What does contiguous() do to a transposed tensor?",
            "You took contiguous() for a view; it copies a transposed tensor.",
        ),
        slip("both_tensors", scaled(2)),
        slip("elements_only", lambda v: v.a * v.b),
        slip("other_dtype", lambda v: v.other * v.a * v.b),
    ),
    hints=(
        "Which of the two calls copies?",
        "transpose is a view; contiguous() copies every element.",
        "An element of {dt} takes {size} bytes.",
    ),
    solution=("elements: {a} × {b}", "× {size} bytes = {answer:bytes}"),
    assumed={"dt": "fp32"},
    given=SIZE,
    version=2,
)

EXTRA_BYTES = {
    "x.view(-1)": 0,
    "x.t()": 0,
    "x[::2]": 0,
    "x.contiguous()": 0,
    "x.expand(8, -1, -1)": 0,
    "x.t().contiguous()": 4,
    "x.t().reshape(-1)": 4,
    "x.clone()": 4,
    "x.bfloat16()": 2,
    "x.double()": 8,
}
"""Bytes that each allocates for an element of a contiguous fp32 matrix."""


def _copies(v: Values) -> bool:
    return EXTRA_BYTES[v.op] > 0


VIEW = Template(
    id="stride.view_bytes",
    objective="tensors",
    grid={"a": (1024, 4096), "b": (2048, 8192), "op": tuple(EXTRA_BYTES)},
    prompt="`x` is fp32, contiguous, of shape ({a}, {b}). How many extra bytes of storage does `y = {op}` "
    "allocate?",
    answer=lambda v: EXTRA_BYTES[v.op] * v.a * v.b,
    unit="bytes",
    tolerance=0.02,
    slips=(
        slip("copied", lambda v: None if _copies(v) else 4 * v.a * v.b),
        slip(
            "view_is_free",
            lambda v: 0.0 if _copies(v) else None,
            "Can the result share the storage of x?",
            "Its elements have another order, another width or a place of their own, so they are copied.",
        ),
        slip("elements_only", lambda v: v.a * v.b if _copies(v) else None),
        slip("width_of_x", lambda v: 4 * v.a * v.b if _copies(v) else None),
        slip("both_tensors", lambda v: v.answer + 4 * v.a * v.b if _copies(v) else None),
        slip(
            "size_of_result", lambda v: {"x[::2]": 2, "x.expand(8, -1, -1)": 32}.get(v.op, 0) * v.a * v.b or None
        ),
    ),
    hints=(
        "Are shape and strides enough to describe the result?",
        "A view has its own shape and strides over the storage of `x`; anything else is a copy.",
        "If it is a view, nothing is allocated; if a copy, its own dtype's width for each element.",
    ),
    solution=("{op}: {why}", "{answer:bytes}"),
    given={
        "why": lambda v: (
            f"a copy, {EXTRA_BYTES[v.op]} bytes for each of {v.a} × {v.b} elements"
            if _copies(v)
            else "the same storage, so nothing is copied"
        )
    },
    version=2,
)

EXERCISES = (OF_DIM, INDEX, TRANSPOSED, COPY, VIEW)
