"""Ask how long steps on sequences take, by the FLOPs of one forward pass."""

from ._shapes import twin
from ._sizes import A100, B200, H100, MFUS, by_dtype
from ._slips import by, over, scaled, slip, sparse

HOURS = twin(
    id="time.shape_hours",
    objective="flops",
    units={"F": "TFLOP", "mfu": "%"},
    grid={
        **by_dtype((A100, H100, B200), ("tf32", "bf16", "fp8")),
        "F": (1.8, 3.7, 6.4, 12.0, 31.0),
        "b": (128, 256, 512, 2048),
        "steps": (50_000, 100_000, 250_000),
        "mfu": MFUS,
    },
    prompt="The forward pass of one sequence takes F = {F} TFLOP. How many hours do steps = {steps} steps of "
    "training on b = {b} sequences each take on one {hw}, at an MFU of mfu = {mfu:%} of its dense {dt} peak of "
    "{peak:FLOP/s}? Nothing is recomputed.",
    formula="3*F*b*steps/(mfu*peak)",
    answer=lambda v: 3 * v.F * 1e12 * v.b * v.steps / (v.mfu * v.peak),
    unit="hour",
    tolerance=0.03,
    slips=(
        slip("forward_only", scaled(1 / 3), message="You counted a forward pass per step; a step costs three."),
        slip(
            "backward_only", scaled(2 / 3), message="That is only the backward pass, or two passes of equal cost."
        ),
        slip("with_recompute", scaled(4 / 3), message="That counts a second forward pass; nothing is recomputed."),
        slip("forgot_mfu", by("mfu")),
        slip("mfu_wrong_way", lambda v: v.answer * v.mfu**2),
        slip("forgot_batch", over("b")),
        sparse(0.5),
        slip("double_halved", scaled(2)),
        slip("seconds", scaled(3600)),
        slip("days_for_hours", scaled(1 / 24)),
    ),
    hints=(
        "How many forward passes of one sequence is a step worth?",
        "A backward pass takes twice a forward pass, and a step has {b} sequences.",
        "FLOPs of all steps, over {mfu:%} of {peak:FLOP/s}, then from seconds to hours.",
    ),
    solution=(
        "a step: 3 × {F} TFLOP × {b}",
        "{steps} steps: {flops:e} FLOP, at {mfu:%} of {peak:FLOP/s}",
        "{answer:hour}",
    ),
    given={"peak": lambda v: v.hw.peak(v.dt), "flops": lambda v: 3 * v.F * 1e12 * v.b * v.steps},
)

EXERCISES = (HOURS,)
