"""Define scenarios that scope a training run, and find the largest model to train."""

import math

from studykit.exercise import Scenario, SlipRule, Step

from ._sizes import A100, FOUR, H100, H200, MFUS, B, T
from ._slips import by, over, scaled, slip, sparse

EARLIER = (
    "Which devices is that for?",
    "You used the {G} devices of the second step; the third one found how many it takes.",
)
"""How to ask about the number of devices before the last one, and what to say."""

SCOPE = Scenario(
    id="scenario.scope_run",
    objective="flops",
    title="Scope a training run",
    version=2,
    renamed={2: {"n": "G"}},
    story="A dense model with {N:si} parameters is to be trained on {D:si} tokens. There are {G} × {hw}, each "
    "with a peak of {peak:FLOP/s} (dense bf16) and {cap:GB}; the MFU is {mfu:%}. No attention term, nothing "
    "recomputed; count a multiply-add as 2 FLOPs.",
    units={"limit": "day", "mfu": "%", "price": "$"},
    grid={
        "N": (7 * B, 13 * B, 34 * B, 70 * B),
        "D": (2 * T, 6 * T, 15 * T),
        "G": (256, 512, 1024),
        "hw": (A100, H100, H200),
        "mfu": MFUS,
        "limit": (30, 60, 90),
        "price": (2.0, 2.5, 3.0),
    },
    given={"peak": lambda v: v.hw.peak("bf16"), "cap": lambda v: v.hw.capacity},
    steps=(
        Step(
            name="flops",
            prompt="1. How many FLOPs does the training take?",
            answer=lambda v: 6 * v.N * v.D,
            unit="FLOP",
            tolerance=0.02,
            slips=(slip("forward_only", scaled(1 / 3)), slip("mac_as_flop", scaled(0.5))),
            hints=(
                "How much work does one parameter do for one token?",
                "2 forward, 4 backward.",
                "6 × {N:si} × {D:si}.",
            ),
            solution=("6 × {N:si} × {D:si} = {answer:e} FLOP",),
        ),
        Step(
            name="days",
            prompt="2. How many days does it take on these {G} devices?",
            answer=lambda v: v.flops / (v.G * v.peak * v.mfu),
            unit="day",
            tolerance=0.05,
            slips=(
                sparse(0.5),
                slip("forgot_mfu", by("mfu")),
                slip("forgot_gpus", by("G")),
                slip("hours_for_days", scaled(24)),
                slip("mfu_wrong_way", lambda v: v.answer * v.mfu**2),
            ),
            hints=(
                "How fast is the whole cluster really?",
                "{G} × {peak:FLOP/s} × {mfu:%}.",
                "Divide the FLOPs by it, then by 86,400.",
            ),
            solution=("{flops:e} / ({G} × {peak:FLOP/s} × {mfu:%}) = {answer:day}",),
            builds_on=("flops",),
        ),
        Step(
            name="gpus",
            prompt="3. It has to be done in {limit} days. How many devices does that take?",
            answer=lambda v: math.ceil(v.flops / (v.limit * 86400 * v.peak * v.mfu)),
            unit="gpu",
            tolerance=0.03,
            slips=(
                slip("forgot_mfu", lambda v: math.ceil(v.flops / (v.limit * 86400 * v.peak))),
                slip(
                    "sparse_peak",
                    lambda v: math.ceil(v.flops / (v.limit * 86400 * v.peak * 2 * v.mfu)) if v.hw.sparse else None,
                ),
            ),
            hints=(
                "Work backwards, or scale the days.",
                "GPU-days stay the same: days × devices.",
                "FLOPs over what one device does in {limit} days; round up.",
            ),
            solution=("{flops:e} / ({limit} × 86,400 s × {peak:FLOP/s} × {mfu:%}), rounded up: {answer:n}",),
            builds_on=("flops",),
        ),
        Step(
            name="state",
            prompt="4. The training state takes 16 bytes per parameter, sharded evenly over those devices. How "
            "much does each hold?",
            answer=lambda v: 16 * v.N / v.gpus,
            unit="GB",
            tolerance=0.03,
            slips=(
                slip("forgot_gpus", by("gpus")),
                slip("weights_only", scaled(1 / 8)),
                slip("earlier_devices", lambda v: 16 * v.N / v.G, *EARLIER, approximate=True),
                slip("convention_12", scaled(12 / 16)),
                slip("bits_for_bytes", scaled(8)),
            ),
            hints=(
                "How much is it in all?",
                "16 × {N:si} bytes in all.",
                "Divide by the number of devices from the step before.",
            ),
            solution=("16 × {N:si} / {gpus:n} = {answer:bytes}, of {cap:GB}",),
            builds_on=("gpus",),
        ),
        Step(
            name="cost",
            prompt="5. A GPU-hour costs ${price}. How much does the run cost on those devices, for {limit} days?",
            answer=lambda v: v.gpus * v.limit * 24 * v.price,
            unit="$",
            tolerance=0.03,
            slips=(
                slip("forgot_24", scaled(1 / 24)),
                slip("earlier_devices", lambda v: v.G * v.limit * 24 * v.price, *EARLIER, approximate=True),
                slip("forgot_gpus", over("gpus")),
            ),
            hints=(
                "How many GPU-hours is that?",
                "Devices × {limit} days × 24 hours.",
                "Times ${price}.",
            ),
            solution=("{gpus:n} × {limit} × 24 × ${price} = {answer:$}",),
            builds_on=("gpus",),
        ),
    ),
)


def _convention(size: int) -> SlipRule:
    """Return the slip of assuming this many bytes per parameter."""
    return slip(
        f"convention_{size}",
        lambda v: None if v.conv == size else v.memory / size,
        "How many bytes does a parameter take here?",
        f"That is for {size} bytes per parameter; the question takes {{conv}}.",
    )


SIZE = Scenario(
    id="scenario.largest_model",
    objective="memory",
    title="Size a model for a machine",
    version=3,
    renamed={2: {"n": "G", "k": "conv"}},
    story="You have {G} × {hw}, each with {cap:GB} (1 GB = 1e9 bytes) and a peak of {peak:FLOP/s} (dense bf16). "
    "The training state with AdamW (weights, gradients, optimizer) takes {conv} bytes per parameter, sharded "
    "evenly; leave out activations.",
    units={"conv": "byte", "mfu": "%"},
    grid={"G": (8, 16, 32, 64), "hw": FOUR, "conv": (12, 16, 18), "mfu": MFUS},
    given={"peak": lambda v: v.hw.peak("bf16"), "cap": lambda v: v.hw.capacity},
    steps=(
        Step(
            name="memory",
            prompt="1. How much memory do they have in total?",
            answer=lambda v: v.G * v.cap,
            unit="GB",
            tolerance=0.02,
            slips=(slip("one_gpu", over("G")),),
            hints=("One device times their number.", "{G} of them.", "{G} × {cap:GB}."),
            solution=("{G} × {cap:GB} = {answer:bytes}",),
        ),
        Step(
            name="params",
            prompt="2. How many parameters does the largest model whose state fits have?",
            answer=lambda v: v.memory / v.conv,
            unit="param",
            tolerance=0.03,
            slips=(
                slip("weights_only", lambda v: v.memory / 2),
                slip("one_gpu", over("G")),
                *(_convention(size) for size in (12, 16, 18)),
                slip("bits_for_bytes", scaled(1 / 8)),
            ),
            hints=("Bytes over bytes per parameter.", "Each takes {conv} bytes.", "Divide your memory by {conv}."),
            solution=("{memory:bytes} / {conv} = {answer:si}",),
            builds_on=("memory",),
        ),
        Step(
            name="tokens",
            prompt="3. It gets 20 tokens per parameter. How many tokens is that?",
            answer=lambda v: 20 * v.params,
            unit="token",
            tolerance=0.03,
            slips=(slip("forgot_ratio", lambda v: v.params),),
            hints=("A ratio.", "20 for each.", "20 × your parameters."),
            solution=("20 × {params:si} = {answer:si}",),
            builds_on=("params",),
        ),
        Step(
            name="flops",
            prompt="4. How many FLOPs does the training take? (No attention term, nothing "
            "recomputed; count a multiply-add as 2 FLOPs.)",
            answer=lambda v: 6 * v.params * v.tokens,
            unit="FLOP",
            tolerance=0.03,
            slips=(slip("forward_only", scaled(1 / 3)), slip("mac_as_flop", scaled(0.5))),
            hints=("Per parameter and token?", "6 of them.", "6 × parameters × tokens."),
            solution=("6 × {params:si} × {tokens:si} = {answer:e} FLOP",),
            builds_on=("params", "tokens"),
        ),
        Step(
            name="gpus",
            prompt="5. How many of these GPUs would train it in 60 days at an MFU of {mfu:%}? (The {G} that hold "
            "its state take far longer.)",
            answer=lambda v: math.ceil(v.flops / (60 * 86400 * v.peak * v.mfu)),
            unit="gpu",
            tolerance=0.05,
            slips=(
                slip("forgot_mfu", by("mfu")),
                slip("mfu_wrong_way", lambda v: v.answer * v.mfu**2),
                sparse(0.5),
                slip("forgot_24", scaled(24)),
            ),
            hints=(
                "What does one do in 60 days?",
                "{peak:FLOP/s} × {mfu:%} × 60 × 86,400 s.",
                "FLOPs over that, rounded up.",
            ),
            solution=("{flops:e} / (60 × 86,400 s × {peak:FLOP/s} × {mfu:%}), rounded up: {answer:n}",),
            builds_on=("flops",),
        ),
    ),
)

EXERCISES = (SCOPE, SIZE)
