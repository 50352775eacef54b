"""Gradient accumulation and micro-batches."""

import math

from studykit.exercise import Template

from ._sizes import A100, H100, H200
from ._slips import slip

STEPS = Template(
    id="accum.steps",
    objective="training",
    grid={"g": (512, 1024, 2048), "m": (2, 4, 8), "d": (8, 16, 32)},
    prompt="A global batch of {g} sequences is split over {d} data-parallel GPUs, each running micro-batches of "
    "{m}. How many gradient-accumulation steps does one optimizer step take?",
    answer=lambda v: v.g / (v.m * v.d),
    unit="count",
    tolerance=0,
    slips=(
        slip("forgot_dp", lambda v: v.g / v.m, "How many GPUs work at once?", "The GPUs work side by side."),
        slip("forgot_micro", lambda v: v.g / v.d, "How many sequences go at once?", "Each GPU takes {m} at once."),
        slip("multiplied", lambda v: v.g * v.m / v.d),
        slip("at_once", lambda v: v.m * v.d, "Steps, or sequences at once?", "That is how many run at once."),
    ),
    hints=(
        "How many sequences are processed at once?",
        "All GPUs together process micro-batch × GPUs.",
        "That is {d} micro-batches of {m} at once.",
    ),
    solution=("at once: {m} × {d}", "{g} / ({m} × {d}) = {answer:n}"),
)

SAVING = Template(
    id="accum.activation_saving",
    objective="training",
    units={"A": "GB"},
    grid={"A": (24, 48, 96, 160), "B": (64, 128), "m": (4, 8, 16)},
    prompt="Activations take {A} GB at a batch of {B}. With gradient accumulation over micro-batches of {m}, how "
    "many GB do they take?",
    answer=lambda v: v.A * 1e9 * v.m / v.B,
    unit="GB",
    tolerance=0.03,
    slips=(
        slip(
            "no_change",
            lambda v: v.A * 1e9,
            "Are all sequences in memory at once?",
            "Only one micro-batch is in memory at a time.",
        ),
        slip(
            "wrong_way",
            lambda v: v.A * 1e9 * v.B / v.m,
            "Should it grow or shrink?",
            "A smaller micro-batch needs less, not more.",
        ),
        slip(
            "saved_not_left",
            lambda v: v.A * 1e9 * (1 - v.m / v.B),
            "Saved, or left?",
            "That is what is saved, not what is left.",
        ),
        slip("half", lambda v: v.A * 1e9 / 2),
        slip(
            "by_size",
            lambda v: v.A * 1e9 / v.m,
            "How many micro-batches are there?",
            "That divides by the size of a micro-batch; there are {B} / {m} of them.",
        ),
    ),
    hints=(
        "How does activation memory grow with the batch?",
        "It grows in proportion, and only one micro-batch is alive at a time.",
        "Of the {B} sequences {m} are alive.",
    ),
    solution=("proportional to the batch", "{A} GB × {m} / {B} = {answer:GB}"),
)

MAX_MICRO = Template(
    id="accum.max_micro",
    objective="memory",
    units={"st": "GB", "ac": "GB"},
    grid={"hw": (A100, H100, H200), "st": (22, 34, 47, 55), "ac": (1.3, 2.6, 3.7, 5.2)},
    prompt="On one {hw} ({cap:GB}) the training state takes {st} GB, and each sequence of a micro-batch {ac} GB "
    "of activations. What is the largest micro-batch? A GB is 1e9 bytes, the capacity is what the label says.",
    answer=lambda v: math.floor(v.room),
    unit="count",
    tolerance=0,
    slips=(
        slip(
            "rounded_up",
            lambda v: math.ceil(v.room),
            "Does the last one still fit?",
            "A batch is rounded down: a part of a sequence does not run.",
        ),
        slip(
            "ignored_state",
            lambda v: math.floor(v.cap / 1e9 / v.ac),
            "What else is in memory?",
            "The training state takes its part first.",
        ),
    ),
    hints=(
        "How much memory is free?",
        "Free: capacity minus {st} GB.",
        "Divide what is free by {ac} GB and round down.",
    ),
    solution=("free: {cap:GB} − {st} GB", "/ {ac} GB = {room:number}, rounded down: {answer:n}"),
    given={"cap": lambda v: v.hw.capacity, "room": lambda v: (v.hw.capacity / 1e9 - v.st) / v.ac},
    sensible=lambda v: v.room >= 1 and v.room % 1 > 0,
)

EXERCISES = (STEPS, SAVING, MAX_MICRO)
