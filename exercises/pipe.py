"""Pipeline parallelism: how long devices wait."""

from studykit.exercise import Check, Template

from ._slips import slip

BUBBLE = Template(
    id="pipe.bubble",
    objective="training",
    grid={"p": (4, 8, 16), "m": (8, 16, 32, 64, 128)},
    prompt="A model is cut into {p} pipeline stages of equal length, and a batch into {m} micro-batches (GPipe, "
    "or one forward one backward). Which share of the step does a device stand idle?",
    answer=lambda v: (v.p - 1) / (v.m + v.p - 1),
    unit="number",
    tolerance=0.02,
    slips=(
        slip(
            "over_work",
            lambda v: (v.p - 1) / v.m,
            "A share of the whole step, or of the work?",
            "That compares the bubble with the work; the step holds both.",
        ),
        slip(
            "all_stages",
            lambda v: v.p / (v.m + v.p),
            "How many slots does the last stage wait?",
            "It waits p − 1 slots.",
        ),
        slip("busy", lambda v: v.m / (v.m + v.p - 1), "Idle or at work?", "That is the share at work."),
        slip(
            "without_batches",
            lambda v: (v.p - 1) / v.p,
            "How many micro-batches are there?",
            "That is one micro-batch.",
        ),
    ),
    hints=(
        "How many slots does the last stage wait for its first micro-batch?",
        "Each device works for {m} slots and waits for p − 1.",
        "Idle slots over all slots: with {p} stages, {m} + p − 1 of them.",
    ),
    checks=(Check(lambda v: v.p > 1, "one stage is no pipeline"),),
    solution=("slots: {m} at work, {p} − 1 idle", "({p} − 1) / ({m} + {p} − 1) = {answer:%}"),
)

EXERCISES = (BUBBLE,)
