"""Ask how often to save a run."""

import math

from studykit.exercise import Template

from ._slips import WORDS, scaled, slip

INTERVAL = Template(
    id="ckpt.interval",
    objective="training",
    units={"save": "s", "mtbf": "hour"},
    grid={"save": (15, 30, 60, 120, 240), "mtbf": (3, 6, 12, 24, 48)},
    prompt="Saving a checkpoint stops a run for {save} s, and something fails every {mtbf} hours on average. "
    "After how many hours of work should the next one be saved, by Young's rule?",
    answer=lambda v: math.sqrt(2 * v.save * v.mtbf * 3600),
    unit="hour",
    tolerance=0.03,
    slips=(
        slip("mixed_units", lambda v: 3600 * math.sqrt(2 * v.save / 60 * v.mtbf)),
        slip("forgot_two", scaled(1 / math.sqrt(2))),
        slip("forgot_sqrt", lambda v: 2 * v.save * v.mtbf, *WORDS["interval_squared"][1:]),  # in hours²
        slip("interval_squared", lambda v: 2 * v.save * v.mtbf * 3600),  # in s², or multiplied in the units given
        slip("hours_as_seconds", scaled(60)),
        slip("every_failure", lambda v: v.mtbf * 3600),
    ),
    hints=(
        "Two losses are to be balanced: the time to save, and the work lost in a failure.",
        "A failure loses half an interval on average.",
        "The interval is the root of 2 × time to save × time between failures, in one unit.",
    ),
    solution=(
        "{mtbf} hours = {mtbf_s:n} s",
        "√(2 × {save} s × {mtbf_s:n} s) = {answer:n} s = {answer:hour}",
    ),
    given={"mtbf_s": lambda v: v.mtbf * 3600},
    version=2,
)

EXERCISES = (INTERVAL,)
