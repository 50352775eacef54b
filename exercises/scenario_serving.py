"""Define scenarios that plan how to serve a model, and find what limits a kernel."""

import math

from studykit.exercise import Roof, Scenario, Step

from ._sizes import A100, B200, FOUR, H100, H200, B
from ._slips import elements, over, scaled, slip, sparse

SERVE = Scenario(
    id="scenario.serve",
    objective="inference",
    title="Serve a model",
    version=3,
    renamed={2: {"k": "kv_heads", "S": "s"}},
    story="A model with {N:si} parameters, {L} layers and {kv_heads} KV heads of dimension 128 is served in bf16 "
    "on one {hw} ({cap:GB}, {bw:bytes}/s; 1 GB = 1e9 bytes), with contexts of {s} tokens.",
    grid={
        "N": (8 * B, 14 * B, 32 * B),
        "L": lambda v: {8 * B: (32,), 14 * B: (40,), 32 * B: (64,)}.get(v.N, (32,)),
        "kv_heads": (8,),
        "s": (2048, 4096, 8192),
        "hw": lambda v: (A100, H100, H200, B200) if v.N < 32 * B else (H200, B200),
    },
    given={"cap": lambda v: v.hw.capacity, "bw": lambda v: v.hw.bandwidth},
    steps=(
        Step(
            name="weights",
            prompt="1. How many GB do the weights take?",
            answer=lambda v: 2 * v.N,
            unit="GB",
            tolerance=0.02,
            slips=(
                slip("wrong_dtype_2x", scaled(2), "How wide is a bf16 weight?", "You used 4 bytes; bf16 takes 2."),
                slip(
                    "wrong_dtype_half", scaled(0.5), "How wide is a bf16 weight?", "You used 1 byte; bf16 takes 2."
                ),
                slip("bits_for_bytes", scaled(8)),
            ),
            hints=("How wide is one weight?", "bf16 takes 2 bytes.", "2 × {N:si}."),
            solution=("2 × {N:si} = {answer:bytes}",),
        ),
        Step(
            name="per_token",
            prompt="2. How many bytes of KV cache does one token take?",
            answer=lambda v: 4 * v.L * v.kv_heads * 128,
            unit="bytes",
            tolerance=0.02,
            slips=(
                slip("k_only", scaled(0.5)),
                elements(2),
                slip("fp32", scaled(2)),
                slip("forgot_layers", over("L")),
                slip("forgot_heads", over("kv_heads")),
            ),
            hints=(
                "What is kept per token?",
                "A key and a value per layer and KV head.",
                "2 × {L} × {kv_heads} × 128 × 2.",
            ),
            solution=("2 × {L} × {kv_heads} × 128 × 2 bytes = {answer:bytes}",),
        ),
        Step(
            name="per_sequence",
            prompt="3. How many GB of cache does one sequence of {s} tokens take?",
            answer=lambda v: v.per_token * v.s,
            unit="GB",
            tolerance=0.02,
            slips=(slip("forgot_layers", over("L")), slip("forgot_heads", over("kv_heads"))),
            hints=("Tokens times bytes.", "{s} tokens.", "Your bytes per token × {s}."),
            solution=("{per_token:bytes} × {s} = {answer:bytes}",),
            builds_on=("per_token",),
        ),
        Step(
            name="sequences",
            prompt="4. How many sequences fit next to the weights?",
            answer=lambda v: math.floor((v.cap - v.weights) / v.per_sequence),
            unit="count",
            tolerance=0.01,
            slips=(slip("ignored_weights", lambda v: math.floor(v.cap / v.per_sequence)),),
            hints=("How much is free?", "{cap:GB} minus the weights.", "Over one sequence's cache; round down."),
            solution=("({cap:GB} − {weights:bytes}) / {per_sequence:bytes}, rounded down: {answer:n}",),
            builds_on=("weights", "per_sequence"),
        ),
        Step(
            name="step_time",
            prompt="5. With that many sequences, how long does one decode step take at least?",
            answer=lambda v: (v.weights + v.sequences * v.per_sequence) / v.bw,
            unit="ms",
            tolerance=0.05,
            slips=(
                slip("forgot_kv", lambda v: v.weights / v.bw),
                slip(
                    "one_sequence",
                    lambda v: (v.weights + v.per_sequence) / v.bw,
                    "How many caches are read?",
                    "That reads the cache of one sequence; all {sequences:n} are read.",
                    approximate=True,
                ),
                slip("forgot_weights", lambda v: v.sequences * v.per_sequence / v.bw, approximate=True),
            ),
            hints=("What is read in one step?", "The weights once, each cache once.", "Over {bw:bytes}/s."),
            solution=("({weights:bytes} + {sequences:n} × {per_sequence:bytes}) / ({bw:bytes}/s) = {answer:ms}",),
            builds_on=("weights", "per_sequence", "sequences"),
        ),
    ),
)

ROOFLINE = Scenario(
    id="scenario.roofline",
    objective="intensity",
    title="Find what binds a matmul",
    version=2,
    renamed={2: {"D": "d", "F": "f"}},
    story="`X @ W`, X of shape ({B}, {d}) and W of shape ({d}, {f}), runs in bf16 on one {hw} ({peak:FLOP/s} "
    "dense bf16, {bw:bytes}/s). Each matrix is moved once; count a multiply-add as 2 FLOPs.",
    grid={"B": (16, 64, 512, 4096), "d": (4096, 8192), "f": (8192, 16384, 28672), "hw": FOUR},
    given={"peak": lambda v: v.hw.peak("bf16"), "bw": lambda v: v.hw.bandwidth},
    steps=(
        Step(
            name="work",
            prompt="1. How many FLOPs is it?",
            answer=lambda v: 2 * v.B * v.d * v.f,
            unit="FLOP",
            tolerance=0.02,
            slips=(
                slip("mac_as_flop", scaled(0.5)),
                slip(
                    "no_inner_dim",
                    over("d"),
                    "How much work is each output?",
                    "That counts one multiply and add for each output; each is a dot product of length {d}.",
                ),
            ),
            hints=(
                "Multiplies and adds.",
                "{B} × {f} outputs, each a dot product of {d}.",
                "2 × {B} × {d} × {f}.",
            ),
            solution=("2 × {B} × {d} × {f} = {answer:e} FLOP",),
        ),
        Step(
            name="moved",
            prompt="2. How many MB are moved?",
            answer=lambda v: 2 * (v.B * v.d + v.d * v.f + v.B * v.f),
            unit="MB",
            tolerance=0.02,
            slips=(
                elements(2),
                slip("fp32", scaled(2)),
                slip("forgot_write", lambda v: 2 * (v.B * v.d + v.d * v.f), approximate=True),
            ),
            hints=("Three matrices.", "X, W and the result, 2 bytes each.", "2 × (Bd + df + Bf)."),
            solution=("2 × ({B} × {d} + {d} × {f} + {B} × {f}) = {answer:bytes}",),
        ),
        Step(
            name="intensity",
            prompt="3. What is its arithmetic intensity?",
            answer=lambda v: v.work / v.moved,
            unit="FLOP/byte",
            tolerance=0.03,
            slips=(
                slip("inverted", lambda v: v.moved / v.work),
                slip("elements", scaled(2)),
            ),
            hints=("One over the other.", "FLOPs over bytes.", "Divide step 1 by step 2."),
            solution=("{work:e} / {moved:e} = {answer:FLOP/byte}",),
            builds_on=("work", "moved"),
            roof=lambda v: Roof(v.hw, v.answer),
        ),
        Step(
            name="ridge",
            prompt="4. What is this device's ridge point?",
            answer=lambda v: v.peak / v.bw,
            unit="FLOP/byte",
            tolerance=0.04,
            slips=(sparse(2), slip("inverted", lambda v: v.bw / v.peak)),
            hints=("Where both take the same time.", "Peak over bandwidth.", "{peak:FLOP/s} over {bw:bytes}/s."),
            solution=("{peak:FLOP/s} / ({bw:bytes}/s) = {answer:FLOP/byte}",),
        ),
        Step(
            name="time",
            prompt="5. So how long does it take at least?",
            answer=lambda v: max(v.work / v.peak, v.moved / v.bw),
            unit="us",
            tolerance=0.05,
            slips=(
                slip("wrong_roof", lambda v: min(v.work / v.peak, v.moved / v.bw)),
                slip(
                    "both_times",
                    lambda v: v.work / v.peak + v.moved / v.bw,
                    "Does one wait for the other?",
                    "That adds the two times; at best they overlap, and the longer one is left.",
                    approximate=True,
                ),
            ),
            hints=(
                "Which side of the ridge is it on?",
                "Below: bytes over bandwidth. Above: FLOPs over peak.",
                "The longer.",
            ),
            solution=("max({work:e} / {peak:FLOP/s}, {moved:e} / ({bw:bytes}/s)) = {answer:us}",),
            builds_on=("work", "moved"),
        ),
    ),
)

EXERCISES = (SERVE, ROOFLINE)
