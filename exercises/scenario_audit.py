"""Define a scenario that audits a running job, one estimate after another."""

from studykit.exercise import Scenario, Step

from ._sizes import A100, H100, H200, B, T, whole
from ._slips import ABOVE_ONE, by, over, scaled, slip, sparse

AUDIT = Scenario(
    id="scenario.audit_mfu",
    objective="utilization",
    title="Audit a running job",
    version=2,
    renamed={2: {"n": "G"}},
    story="A model with {N:si} parameters trains on {G} × {hw} (peak {peak:FLOP/s} each, dense bf16). The log "
    "says: batches of {b} sequences of {s} tokens, {dt} s a step. Count 6 FLOPs per parameter per token.",
    units={"dt": "s"},
    grid={
        "N": (whole(1.3), 7 * B, 13 * B, 34 * B),
        "G": (64, 128, 256),
        "hw": (A100, H100, H200),
        "b": (512, 1024, 2048),
        "s": (2048, 4096),
        "_share": (0.22, 0.28, 0.38, 0.44, 0.55),
        "dt": lambda v: (float(f"{6 * v.N * v.b * v.s / (v.G * v.hw.peak('bf16') * v._share):.3g}"),),
        "D": (T, 2 * T),
    },
    given={"peak": lambda v: v.hw.peak("bf16")},
    steps=(
        Step(
            name="tokens",
            prompt="1. How many tokens does one step take?",
            answer=lambda v: v.b * v.s,
            unit="token",
            tolerance=0.02,
            slips=(slip("forgot_seq", lambda v: v.b), slip("forgot_batch", lambda v: v.s)),
            hints=("Sequences and their length.", "{b} sequences.", "{b} × {s}."),
            solution=("{b} × {s} = {answer:n}",),
        ),
        Step(
            name="work",
            prompt="2. How many FLOPs does one step take?",
            answer=lambda v: 6 * v.N * v.tokens,
            unit="FLOP",
            tolerance=0.02,
            slips=(slip("forward_only", scaled(1 / 3)), slip("mac_as_flop", scaled(0.5))),
            hints=("Per parameter and token?", "6, forward and backward.", "6 × {N:si} × your tokens."),
            solution=("6 × {N:si} × {tokens:n} = {answer:e} FLOP",),
            builds_on=("tokens",),
        ),
        Step(
            name="mfu",
            prompt="3. What is the MFU?",
            answer=lambda v: v.work / v.dt / (v.G * v.peak),
            unit="%",
            tolerance=0.05,
            slips=(
                sparse(0.5),
                slip("forgot_gpus", by("G"), *ABOVE_ONE),
                slip("with_recompute", scaled(8 / 6)),
                slip("forward_only", scaled(1 / 3)),
            ),
            hints=(
                "Achieved over promised.",
                "Achieved: the step's FLOPs over {dt} s.",
                "Promised: {G} × {peak:FLOP/s}.",
            ),
            solution=("{work:e} / {dt} s / ({G} × {peak:FLOP/s}) = {answer:%}",),
            builds_on=("work",),
        ),
        Step(
            name="rate",
            prompt="4. How many tokens per second is that?",
            answer=lambda v: v.tokens / v.dt,
            unit="per second",
            tolerance=0.03,
            slips=(
                slip(
                    "forgot_gpus",
                    over("G"),
                    "For one device, or all?",
                    "That is the rate of one device; the log is of all {G}.",
                ),
                slip("forgot_seq", lambda v: v.b / v.dt),
                slip("forgot_batch", lambda v: v.s / v.dt),
            ),
            hints=("Tokens over time.", "One step takes {dt} s.", "Your tokens / {dt}."),
            solution=("{tokens:n} / {dt} s = {answer:n} per second",),
            builds_on=("tokens",),
        ),
        Step(
            name="days",
            prompt="5. How many days does it take to see {D:si} tokens at this rate?",
            answer=lambda v: v.D / v.rate,
            unit="day",
            tolerance=0.03,
            slips=(slip("hours_for_days", scaled(24)),),
            hints=("Tokens over tokens per second.", "That gives seconds.", "Over 86,400."),
            solution=("{D:si} / {rate:n} per second = {answer:day}",),
            builds_on=("rate",),
        ),
    ),
)

EXERCISES = (AUDIT,)
