"""Define scenarios that plan a run on a cluster end to end, and price the tokens of a served model."""

import math

from studykit.exercise import Scenario, Step

from ._sizes import A100, B200, H100, H200, MFUS, B, T, those
from ._slips import by, over, scaled, slip, sparse
from .ckpt import INTERVAL
from .comm import COUNTED_FORWARD
from .time_training import DAYS, days_on_one

WHOLE_LENGTH = "How long is a sequence in the end?", "That keeps only the prompts; the answers are cached too."
"""How to ask about a cache that holds only prompts, and what to say."""

PLAN = Scenario(
    id="scenario.plan_cluster",
    objective="training",
    title="Plan a cluster run",
    version=4,
    renamed={2: {"n": "G"}},
    story="A dense model with {N:si} parameters is to see {D:si} tokens on {G} × {hw} ({peak:FLOP/s} each, dense "
    "bf16; {cap:GB}) at an MFU of {mfu:%}. FSDP shards all of the training state; each GPU sends {g} GB/s. "
    "Something fails every {mtbf} hours and costs a restart of {restart} min, saving a checkpoint stops the run "
    "for {save} s, a GPU-hour costs ${price}.",
    units={"mfu": "%", "g": "GB/s", "mtbf": "hour", "save": "s", "restart": "min", "price": "$"},
    grid={
        "N": (7 * B, 13 * B, 34 * B),
        "D": (2 * T, 6 * T, 15 * T),
        "hw": (A100, H100, B200),
        "mfu": MFUS,
        "G": lambda v: those((256, 512, 1024, 2048), lambda n: DAYS[0] <= days_on_one(v) / n <= DAYS[1]),
        "g": (25, 50),
        "mtbf": (6, 12, 24),
        "save": (30, 60, 120),
        "restart": (5, 10, 20),
        "price": (2.0, 3.0),
    },
    given={"peak": lambda v: v.hw.peak("bf16"), "cap": lambda v: v.hw.capacity},
    steps=(
        Step(
            name="state",
            prompt="1. The training state takes 16 bytes per parameter. At least how many GPUs must share it, so "
            "that each has half of its memory left for activations?",
            answer=lambda v: math.ceil(16 * v.N / (v.cap / 2)),
            unit="gpu",
            tolerance=0.01,
            slips=(
                slip(
                    "whole_memory",
                    lambda v: math.ceil(16 * v.N / v.cap),
                    "How much of each GPU may the state take?",
                    "That fills the GPUs; half of each is for activations.",
                ),
                slip("weights_only", lambda v: math.ceil(2 * v.N / (v.cap / 2))),
            ),
            hints=("How large is the state?", "16 × {N:si} bytes.", "Over half of {cap:GB}, rounded up."),
            solution=("16 × {N:si} / ({cap:GB} / 2), rounded up: {answer:n}",),
        ),
        Step(
            name="tokens",
            prompt="2. During the backward pass FSDP gathers the bf16 weights again and reduce-scatters the bf16 "
            "gradients. How many tokens must each GPU take in a step for the backward pass to hide both?",
            answer=lambda v: v.peak * v.mfu / (v.g * 1e9),
            unit="token",
            tolerance=0.03,
            slips=(
                slip(
                    "one_pass",
                    scaled(0.5),
                    "What is sent besides the gradients?",
                    "The weights are gathered and the gradients scattered; that is only one of them.",
                ),
                slip("forgot_mfu", over("mfu")),
                sparse(2),
                slip("double_halved", scaled(0.5)),
                slip("gigabits", scaled(8)),
                slip("forward_pass", scaled(2)),
                slip("whole_step", scaled(2 / 3), *COUNTED_FORWARD),
            ),
            hints=(
                "Set both times equal.",
                "2 + 2 bytes a parameter are sent; the backward pass does 4 FLOPs per parameter per token.",
                "What a device does in a second, over what it sends in a second.",
            ),
            solution=("{peak:FLOP/s} × {mfu:%} / ({g} GB/s) = {answer:n}",),
        ),
        Step(
            name="days",
            prompt="3. How many days does the run take, if nothing fails?",
            answer=lambda v: 6 * v.N * v.D / (v.G * v.peak * v.mfu),
            unit="day",
            tolerance=0.05,
            slips=(
                slip("forward_only", scaled(1 / 3)),
                slip("mac_as_flop", scaled(0.5)),
                slip("forgot_mfu", by("mfu")),
                slip("forgot_gpus", by("G")),
                sparse(0.5),
                slip("mfu_wrong_way", lambda v: v.answer * v.mfu**2),
                slip("hours_for_days", scaled(24)),
            ),
            hints=(
                "Work over speed.",
                "6 FLOPs per parameter per token.",
                "All devices at {mfu:%} of their peak.",
            ),
            solution=("6 × {N:si} × {D:si} / ({G} × {peak:FLOP/s} × {mfu:%}) = {answer:day}",),
        ),
        Step(
            name="interval",
            prompt="4. After how many hours of work should it be saved, by Young's rule?",
            answer=lambda v: math.sqrt(2 * v.save * v.mtbf * 3600),
            unit="hour",
            tolerance=0.03,
            slips=(
                *INTERVAL.slips,
                slip("restart_time", lambda v: math.sqrt(2 * v.restart * 60 * v.mtbf * 3600)),
            ),
            hints=(
                "Two losses are balanced.",
                "The time to save, and half an interval at each failure.",
                "The root of 2 × time to save × time between failures.",
            ),
            solution=("√(2 × {save} s × {mtbf} × 3,600 s) = {answer:hour}",),
        ),
        Step(
            name="overhead",
            prompt="5. To first order, what fraction of the time goes into saving, lost work and restarts?",
            answer=lambda v: v.save / v.interval + (v.interval / 2 + v.restart * 60) / (v.mtbf * 3600),
            unit="%",
            tolerance=0.06,
            slips=(
                slip("saving_alone", lambda v: v.save / v.interval),
                slip("forgot_restart", lambda v: v.save / v.interval + v.interval / 2 / (v.mtbf * 3600)),
                slip("forgot_a_loss", lambda v: (v.interval / 2 + v.restart * 60) / (v.mtbf * 3600)),
                slip(
                    "whole_interval",
                    lambda v: v.save / v.interval + (v.interval + v.restart * 60) / (v.mtbf * 3600),
                ),
            ),
            hints=(
                "Two fractions.",
                "Saving: {save} s in every interval. Lost in every {mtbf} hours: half an interval and a restart.",
                "Put everything into seconds.",
            ),
            solution=(
                "{save} s / {interval:hour} + ({interval:hour} / 2 + {restart} min) / {mtbf} hours = {answer:%}",
            ),
            builds_on=("interval",),
        ),
        Step(
            name="cost",
            prompt="6. How much does the run cost, with that overhead?",
            answer=lambda v: v.G * v.days / 3600 * v.price / (1 - v.overhead),
            unit="$",
            tolerance=0.04,
            slips=(
                slip("forgot_24", scaled(1 / 24)),
                slip("forgot_overhead", lambda v: v.G * v.days / 3600 * v.price, approximate=True),
                slip("forgot_gpus", over("G")),
            ),
            hints=(
                "How many GPU-hours is it?",
                "{G} GPUs for all the days of 24 hours.",
                "Only 1 − overhead of the time is work, so divide by it. Times ${price}.",
            ),
            solution=("{G} × {days:day} × 24 × ${price} / (1 − {overhead:%}) = {answer:$}",),
            builds_on=("days", "overhead"),
        ),
    ),
)

PRICE = Scenario(
    id="scenario.price_tokens",
    objective="inference",
    title="Price a million tokens",
    story="A model with {N:si} parameters is served in bf16 on one {hw} ({peak:FLOP/s} dense bf16, {bw:bytes}/s, "
    "{cap:GB}; 1 GB = 1e9 bytes). Prompts have {S} tokens, answers {A}; the KV cache takes {kv} bytes a token. A "
    "GPU-hour costs ${price}. A prefill reaches {u:%} of the peak; attention is left out; count a multiply-add as "
    "2 FLOPs.",
    units={"kv": "byte", "price": "$", "u": "%"},
    grid={
        "N": (7 * B, 8 * B, 13 * B),
        "hw": (A100, H100, H200),
        "S": (1024, 2048, 4096),
        "A": (256, 512),
        "kv": lambda v: ({7 * B: 524288, 8 * B: 131072}.get(v.N, 819200),),  # Llama 2 7B, Llama 3 8B, Llama 2 13B
        "price": (2.0, 3.0),
        "u": (0.4, 0.45, 0.6),
    },
    given={
        "peak": lambda v: v.hw.peak("bf16"),
        "bw": lambda v: v.hw.bandwidth,
        "cap": lambda v: v.hw.capacity,
    },
    steps=(
        Step(
            name="prefill",
            prompt="1. How long does the prefill of one prompt take?",
            answer=lambda v: 2 * v.N * v.S / (v.peak * v.u),
            unit="ms",
            tolerance=0.04,
            slips=(
                slip("training_6", scaled(3)),
                slip("mac_as_flop", scaled(0.5)),
                sparse(0.5),
                slip("forgot_util", by("u")),
                slip("weights_read", lambda v: 2 * v.N / v.bw),
                slip("with_answer", lambda v: v.answer * (v.S + v.A) / v.S),
            ),
            hints=("A forward pass.", "2 FLOPs per parameter per token.", "Over {u:%} of the peak."),
            solution=("2 × {N:si} × {S} / ({peak:FLOP/s} × {u:%}) = {answer:ms}",),
        ),
        Step(
            name="sequences",
            prompt="2. How many sequences fit next to the weights, each with its whole prompt and answer?",
            answer=lambda v: math.floor((v.cap - 2 * v.N) / (v.kv * (v.S + v.A))),
            unit="count",
            tolerance=0.02,
            slips=(
                slip("ignored_weights", lambda v: math.floor(v.cap / (v.kv * (v.S + v.A)))),
                slip(
                    "prompt_only",
                    lambda v: math.floor((v.cap - 2 * v.N) / (v.kv * v.S)),
                    *WHOLE_LENGTH,
                    approximate=True,
                ),
                slip("answer_only", lambda v: math.floor((v.cap - 2 * v.N) / (v.kv * v.A))),
            ),
            hints=(
                "How much is free?",
                "The memory less 2 bytes a parameter.",
                "Over {kv} bytes × ({S} + {A}) tokens.",
            ),
            solution=("({cap:GB} − 2 × {N:si}) / ({kv} × ({S} + {A})), rounded down: {answer:n}",),
        ),
        Step(
            name="decode",
            prompt="3. With so many sequences, all at their full length, how long does one decode step take at "
            "least?",
            answer=lambda v: (2 * v.N + v.sequences * v.kv * (v.S + v.A)) / v.bw,
            unit="ms",
            tolerance=0.05,
            slips=(
                slip("forgot_kv", lambda v: 2 * v.N / v.bw),
                slip("forgot_weights", lambda v: v.sequences * v.kv * (v.S + v.A) / v.bw, approximate=True),
                slip(
                    "prompt_only",
                    lambda v: (2 * v.N + v.sequences * v.kv * v.S) / v.bw,
                    *WHOLE_LENGTH,
                    approximate=True,
                ),
            ),
            hints=("What is read in one step?", "The weights once, each cache once.", "Over {bw:bytes}/s."),
            solution=("(2 × {N:si} + {sequences:n} × {kv} × ({S} + {A})) / ({bw:bytes}/s) = {answer:ms}",),
            builds_on=("sequences",),
        ),
        Step(
            name="rate",
            prompt="4. Each sequence takes its prefill, one after the other, and then {A} decode steps that all "
            "share. How many tokens come out per second?",
            answer=lambda v: v.sequences * v.A / (v.sequences * v.prefill + v.A * v.decode),
            unit="per second",
            tolerance=0.05,
            slips=(
                slip("forgot_prefill", lambda v: v.sequences / v.decode),
                slip(
                    "one_sequence",
                    over("sequences"),
                    "How many sequences share a step?",
                    "That is the rate of one sequence; all of them share each step.",
                ),
            ),
            hints=(
                "How long does it take to answer all sequences once?",
                "All prefills, then {A} steps.",
                "Sequences × {A} tokens over that time.",
            ),
            solution=(
                "time: {sequences:n} × {prefill:ms} + {A} × {decode:ms}",
                "{sequences:n} × {A} tokens over it: {answer:number} per second",
            ),
            builds_on=("prefill", "sequences", "decode"),
        ),
        Step(
            name="price_per_million",
            prompt="5. How much does a million output tokens cost?",
            answer=lambda v: v.price / 3600 / v.rate * 1e6,
            unit="$",
            tolerance=0.05,
            slips=(
                slip("per_gpu_second", scaled(3600)),
                slip("per_thousand", scaled(1e-3)),
            ),
            hints=(
                "How long does a million tokens take?",
                "A million over the tokens per second.",
                "An hour costs ${price}.",
            ),
            solution=("1e6 / {rate:number} s × ${price} / 3,600 = {answer:$}",),
            builds_on=("rate",),
        ),
    ),
    version=2,
)

EXERCISES = (PLAN, PRICE)
