"""Ask about gradient accumulation and micro-batches."""

import math

from studykit.exercise import Check, Template

from ._sizes import A100, H100, H200
from ._slips import slip

STEPS = Template(
    id="accum.steps",
    objective="training",
    grid={"b": (512, 1024, 2048), "micro": (2, 4, 8), "G": (8, 16, 32)},
    prompt="A global batch of {b} sequences is split over {G} data-parallel GPUs, each running micro-batches of "
    "{micro}. How many gradient-accumulation steps does one optimizer step take?",
    answer=lambda v: v.b / (v.micro * v.G),
    unit="count",
    tolerance=0,
    slips=(
        slip("forgot_dp", lambda v: v.b / v.micro),
        slip("forgot_micro", lambda v: v.b / v.G),
        slip(
            "multiplied",
            lambda v: v.b * v.micro / v.G,
            "Do larger micro-batches mean more steps or fewer?",
            "You multiplied by the size of a micro-batch; divide by it.",
        ),
        slip("at_once", lambda v: v.micro * v.G),
    ),
    checks=(Check(lambda v: v.b % (v.micro * v.G) == 0, "{G} GPUs cannot share {b} sequences by {micro}"),),
    hints=(
        "How many sequences are processed at once?",
        "All GPUs together process micro-batch × GPUs.",
        "That is {G} micro-batches of {micro} at once.",
    ),
    solution=("at once: {micro} × {G}", "{b} / ({micro} × {G}) = {answer:n}"),
    version=2,
    renamed={2: {"g": "b", "m": "micro", "d": "G"}},
)

SAVING = Template(
    id="accum.activation_saving",
    objective="training",
    units={"A": "GB"},
    grid={"A": (24, 48, 96, 160), "b": (64, 128), "micro": (4, 8, 16)},
    prompt="Activations take {A} GB at a batch of {b} sequences. With gradient accumulation over micro-batches of "
    "{micro}, how many GB do they take?",
    answer=lambda v: v.A * 1e9 * v.micro / v.b,
    unit="GB",
    tolerance=0.03,
    slips=(
        slip("no_change", lambda v: v.A * 1e9),
        slip(
            "wrong_way",
            lambda v: v.A * 1e9 * v.b / v.micro,
            "Should it grow or shrink?",
            "That multiplies by the number of micro-batches; a smaller batch needs less memory.",
        ),
        slip("saved_not_left", lambda v: v.A * 1e9 * (1 - v.micro / v.b)),
        slip(
            "half",
            lambda v: v.A * 1e9 / 2,
            "How many of the {b} sequences are in memory at once?",
            "You took half; {micro} of {b} sequences are in memory.",
        ),
        slip("by_size", lambda v: v.A * 1e9 / v.micro),
    ),
    hints=(
        "How does activation memory grow with the batch?",
        "It grows in proportion, and only one micro-batch is alive at a time.",
        "Of the {b} sequences {micro} are alive.",
    ),
    solution=("proportional to the batch", "{A} GB × {micro} / {b} = {answer:GB}"),
    version=2,
    renamed={2: {"B": "b", "m": "micro"}},
)

MAX_MICRO = Template(
    id="accum.max_micro",
    objective="memory",
    units={"st": "GB", "ac": "GB"},
    grid={"hw": (A100, H100, H200), "st": (22, 34, 47, 55), "ac": (1.3, 2.6, 3.7, 5.2)},
    prompt="On one {hw} ({cap:GB}) the training state takes {st} GB, and each sequence of a micro-batch {ac} GB "
    "of activations. What is the largest micro-batch? A GB is 1e9 bytes; all of the capacity is usable.",
    answer=lambda v: math.floor(v.room),
    unit="count",
    tolerance=0,
    slips=(
        slip(
            "rounded_up",
            lambda v: math.ceil(v.room),
            "Does the last one still fit?",
            "That rounds up; the last sequence would not fit, so a batch is rounded down.",
        ),
        slip(
            "ignored_state",
            lambda v: math.floor(v.cap / 1e9 / v.ac),
            "What else is in memory?",
            "That fills the whole device; the training state takes its part first.",
        ),
    ),
    hints=(
        "How much memory is free?",
        "Free: capacity minus {st} GB.",
        "Divide what is free by {ac} GB and round down.",
    ),
    solution=("free: {cap:GB} − {st} GB", "/ {ac} GB = {room:number}, rounded down: {answer:n}"),
    given={"cap": lambda v: v.hw.capacity, "room": lambda v: (v.hw.capacity / 1e9 - v.st) / v.ac},
    checks=(Check(lambda v: v.room >= 1, "{st} GB and one sequence of {ac} GB do not fit into {cap:GB}"),),
    sensible=lambda v: v.room % 1 > 0,
)

EXERCISES = (STEPS, SAVING, MAX_MICRO)
