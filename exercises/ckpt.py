"""How often a run should be saved."""

import math

from studykit.exercise import Template

from ._slips import scaled, slip

INTERVAL = Template(
    id="ckpt.interval",
    objective="training",
    units={"save": "s", "mtbf": "hour"},
    grid={"save": (15, 30, 60, 120, 300), "mtbf": (3, 6, 12, 24, 48)},
    prompt="Writing a checkpoint stops a run for {save} s, and something fails every {mtbf} hours on average. "
    "After how many minutes of work should the next checkpoint be written, by Young's rule?",
    answer=lambda v: math.sqrt(2 * v.save * v.mtbf * 3600),
    unit="min",
    tolerance=0.03,
    slips=(
        slip(
            "mixed_units",
            lambda v: 60 * math.sqrt(2 * v.save / 60 * v.mtbf),
            "In which unit is each of the two times?",
            "Minutes and hours stand under one root; bring both to seconds first.",
        ),
        slip(
            "forgot_two",
            scaled(1 / math.sqrt(2)),
            "How much work is lost when something fails?",
            "That leaves out the 2 under the root; half an interval is lost on average.",
        ),
        slip(
            "forgot_sqrt",
            lambda v: 2 * v.save * v.mtbf * 60,  # in minutes
            "How do the two losses balance?",
            "That leaves out the root: the two losses balance where the interval squared is that product.",
        ),
        slip(
            "hours_as_seconds",
            scaled(1 / 60),
            "Are both times in the same unit?",
            "That takes the hours for seconds; an hour has 3,600.",
        ),
        slip(
            "time_unit",
            scaled(1 / 60),
            "Minutes, hours or seconds?",
            "That would be right in another unit of time; the question asks for minutes.",
        ),
        slip(
            "every_failure",
            lambda v: v.mtbf * 3600,
            "How much work does a failure lose then?",
            "That saves once for each failure, and loses half of the work done between them.",
        ),
    ),
    hints=(
        "Two losses are to be balanced: the time to save, and the work lost in a failure.",
        "A failure loses half an interval on average.",
        "The interval is the root of 2 × time to save × time between failures, in one unit.",
    ),
    solution=(
        "{mtbf} hours = {mtbf_s:n} s",
        "√(2 × {save} s × {mtbf_s:n} s) = {answer:n} s = {answer:min}",
    ),
    given={"mtbf_s": lambda v: v.mtbf * 3600},
)

EXERCISES = (INTERVAL,)
