"""Ask about serving beyond one token: latent caches, batches, contexts, drafts, the first token."""

from studykit.exercise import BYTES_PER_ELEMENT, Check, Latent, Template, Values

from ._shapes import shape
from ._sizes import A100, B200, BF16, DEVICES, H100, H200, B, by_dtype, those
from ._slips import by, elements, over, scaled, slip, sparse

LATENT_HEADS = {27: 16, 60: 128, 61: 128}
"""Heads by layers: DeepSeek-V2-Lite, V2 and V3, all with a latent vector of 512 and a rotary key of 64."""

LATENT = Template(
    id="inf.mla_kv",
    objective="inference",
    grid={
        "L": tuple(LATENT_HEADS),
        "h": lambda v: (LATENT_HEADS.get(v.L, 128),),
        "c": (512,),
        "r": (64,),
        "T": (4096, 8192, 16384, 32768, 65536, 131072),
    },
    prompt="Multi-head latent attention (as in DeepSeek-V2) keeps for each token and layer one latent vector of "
    "{c} numbers and one rotary key of {r} numbers that all {h} heads share, in bf16. How many MB of cache "
    "does a context of {T} tokens take in {L} layers?",
    answer=lambda v: shape(v, head_dim=128 + v.r, latent=Latent(0, v.c, 128, v.r, 128)).kv_cache(v.T),
    unit="MB",
    tolerance=0.02,
    slips=(
        slip(
            "forgot_rope",
            lambda v: 2 * v.c * v.L * v.T,
            "Is the latent vector all that is cached for a token?",
            "That keeps only the latent vector; the rotary key is cached too.",
        ),
        slip("rope_per_head", lambda v: 2 * (v.c + v.h * v.r) * v.L * v.T),
        slip("k_and_v", scaled(2)),
        slip(
            "full_heads",
            lambda v: 4 * v.h * 128 * v.L * v.T,
            "What do the heads share?",
            "That keeps keys and values of 128 for every head, as without latent attention.",
        ),
        slip(
            "for_each_head",
            by("h"),
            "What do the heads share?",
            "That keeps a latent vector for every head; all heads share one.",
        ),
        slip("one_layer", over("L")),
        slip("one_token", lambda v: v.answer / v.T),
        elements(2),
        slip("fp32", scaled(2)),
    ),
    hints=(
        "What is kept for a token in one layer?",
        "The latent vector and the rotary key, once for all heads.",
        "A bf16 number takes 2 bytes, and there are {L} layers and {T} tokens.",
    ),
    solution=("one layer: {c} + {r} numbers of 2 bytes", "2 × ({c} + {r}) × {L} × {T} = {answer:bytes}"),
    version=3,
)

CACHED = {8: 131072, 16: 131072, 30: 163840, 40: 327680, 66: 262144, 70: 327680, 140: 327680}
"""Bytes of bf16 cache a token, by GB of weights: Llama 3 8B in fp8 and bf16, Qwen3 14B, Llama 3 70B in NVFP4 with
its scales, Qwen3 32B, Llama 3 70B in fp8 and bf16."""

THROUGHPUT = Template(
    id="inf.throughput",
    objective="inference",
    units={"w": "GB", "kv": "MB"},
    grid={
        "b": (8, 16, 32, 64),
        "w": tuple(CACHED),
        "kv": lambda v: [round(CACHED.get(v.w, 131072) * length / 1e6) for length in (2048, 4096, 8192)],
        "hw": (A100, H100, H200, B200),
    },
    prompt="A model's weights take {w} GB, each sequence's KV cache {kv} MB. How many tokens per second does one "
    "{hw} ({bw:bytes}/s, {cap:GB}) decode at most with {b} sequences at once? Bound by memory; weights and caches "
    "are read once in a step.",
    answer=lambda v: v.b * v.bw / (v.weights + v.caches),
    unit="per second",
    tolerance=0.04,
    slips=(
        slip("forgot_kv", lambda v: v.b * v.bw / v.weights),
        slip("forgot_weights", lambda v: v.b * v.bw / v.caches, approximate=True),
        slip(
            "one_sequence",
            over("b"),
            "How many tokens does one step give?",
            "That counts one token a step; each of the {b} sequences gets one.",
        ),
        slip("weights_per_sequence", lambda v: v.bw / (v.weights + v.caches / v.b)),
        slip("one_cache", lambda v: v.b * v.bw / (v.weights + v.caches / v.b)),
        slip("gave_step", lambda v: (v.weights + v.caches) / v.bw),
    ),
    hints=(
        "What has to be read in one step, and how many tokens does it give?",
        "The weights once and each of the {b} caches: that over the bandwidth is the time of a step.",
        "A step gives one token to each of the {b} sequences.",
    ),
    solution=(
        "read in a step: {w} GB + {b} × {kv} MB = {read:bytes}",
        "a step: {read:bytes} / ({bw:bytes}/s) = {step:time}",
        "{b} tokens in {step:time}: {answer:number} per second",
    ),
    given={
        "bw": lambda v: v.hw.bandwidth,
        "cap": lambda v: v.hw.capacity,
        "weights": lambda v: v.w * 1e9,
        "caches": lambda v: v.b * v.kv * 1e6,
        "read": lambda v: v.weights + v.caches,
        "step": lambda v: v.read / v.bw,
    },
    checks=(Check(lambda v: v.read <= v.cap, "{read:bytes} of weights and caches do not fit into {cap:GB}"),),
    version=3,
    renamed={2: {"B": "b"}},
)

LENGTHS = 1000, 131072
"""Tokens that these models read."""

CONTEXT = Template(
    id="inf.max_context",
    objective="inference",
    units={"w": "GB", "kv": "byte"},
    grid={
        "w": tuple(CACHED),
        "kv": lambda v: (CACHED.get(v.w, 163840),),
        "G": lambda v: (4, 8) if v.w > A100.capacity / 1e9 else (1, 2),
        "hw": (A100, H100, H200, B200),
        "b": (2, 4, 16),
    },
    prompt="A model is served on {devices} ({cap:GB}{each}). Its weights take {w} GB and are stored once, its KV "
    "cache takes {kv} bytes a token. With {b} sequences at once, all equally long: how many tokens long can "
    "each be? A GB is 1e9 bytes; nothing else is kept.",
    answer=lambda v: v.free / (v.kv * v.b),
    unit="token",
    tolerance=0.03,
    slips=(
        slip("ignored_weights", lambda v: v.G * v.cap / (v.kv * v.b)),
        slip("forgot_batch", by("b")),
        slip("gib_capacity", lambda v: (v.G * v.cap * 2**30 / 1e9 - v.w * 1e9) / (v.kv * v.b)),
        slip(
            "weights_per_gpu",
            lambda v: v.G * (v.cap - v.w * 1e9) / (v.kv * v.b) if v.G > 1 and v.cap > v.w * 1e9 else None,
        ),
        slip("one_gpu", lambda v: (v.cap - v.w * 1e9) / (v.kv * v.b) if v.cap > v.w * 1e9 else None),
    ),
    hints=(
        "How much memory is free for the cache?",
        "Take the weights from the memory of all devices.",
        "The rest is shared by {b} sequences, at {kv} bytes a token.",
    ),
    solution=(
        "free: {G} × {cap:GB} − {w} GB = {free:bytes}",
        "{free:bytes} / ({kv} bytes × {b}) = {answer:si} tokens",
    ),
    given={**DEVICES, "cap": lambda v: v.hw.capacity, "free": lambda v: v.G * v.hw.capacity - v.w * 1e9},
    checks=(
        Check(
            lambda v: v.free > v.kv * v.b, "{w} GB of weights leave no room for a token of cache in {G} × {cap:GB}"
        ),
    ),
    sensible=lambda v: LENGTHS[0] <= v.answer <= LENGTHS[1],
    version=4,
    renamed={2: {"n": "G", "B": "b"}},
)

DRAFTS = Template(
    id="inf.spec_decode",
    objective="inference",
    units={"a": "%"},
    grid={"a": (0.6, 0.7, 0.8, 0.9), "drafts": (2, 3, 4, 5)},
    prompt="A draft model proposes {drafts} tokens. In one pass the large model accepts each in turn with "
    "probability {a}, until it rejects one, and adds a token of its own after the last accepted one. How many "
    "tokens does one pass give on average?",
    answer=lambda v: (1 - v.a ** (v.drafts + 1)) / (1 - v.a),
    unit="number",
    tolerance=0.02,
    slips=(
        slip("forgot_own_token", lambda v: v.answer - 1),
        slip("all_accepted", lambda v: v.drafts + 1),
        slip("kept_after_rejection", lambda v: 1 + v.a * v.drafts),
        slip("only_accepted", lambda v: v.a * v.drafts),
        slip("no_limit", lambda v: 1 / (1 - v.a) if v.a < 1 else None, approximate=True),
        slip("one_short", lambda v: (1 - v.a**v.drafts) / (1 - v.a), approximate=True),
        slip("chance_of_all", lambda v: v.a**v.drafts),
    ),
    hints=(
        "When is the second draft of any use?",
        "Draft i counts only if it and all before it are accepted: its share is {a} to the power i.",
        "Add 1 for the large model's own token: 1 + a + a² and so on, up to the power {drafts}.",
    ),
    solution=(
        "1 + a + a² + ... + a^{drafts} with a = {a}",
        "(1 − {a}^{over}) / (1 − {a}) = {answer:number}",
    ),
    given={"over": lambda v: v.drafts + 1},
    version=4,
    renamed={3: {"k": "drafts"}},
)


def has_room(v: Values, devices: int) -> bool:
    """Return whether the weights leave at least a fifth of the devices' memory for the cache."""
    return bool(v.N * BYTES_PER_ELEMENT[v.dt] <= 0.8 * devices * v.hw.capacity)


FIRST_TOKEN = Template(
    id="inf.ttft",
    objective="inference",
    units={"u": "%"},
    grid={
        "N": (8 * B, 14 * B, 32 * B, 70 * B, 120 * B),
        "s": (1024, 2048, 4096, 8192, 32768),
        **by_dtype((A100, H100, H200, B200), ("bf16", "fp8", "fp4")),
        "G": lambda v: those((1, 2, 4, 8), lambda n: v.N / n >= 3 * B and has_room(v, n)),
        "u": (0.3, 0.4, 0.45, 0.6),
    },
    prompt="What is the time to first token for a prompt of {s} tokens on a model that uses {N:si} parameters for "
    "each token, on {devices} ({peak:FLOP/s}{each}, dense {dt}) at {u:%} of the peak? Leave out attention between "
    "tokens, the queue and the network; count a multiply-add as 2 FLOPs.",
    answer=lambda v: v.work / (v.G * v.peak * v.u),
    unit="s",
    tolerance=0.05,
    slips=(
        slip("training_6", scaled(3)),
        slip("mac_as_flop", scaled(0.5)),
        sparse(0.5),
        slip("double_halved", scaled(2)),
        slip("forgot_gpus", by("G")),
        slip("forgot_util", by("u")),
        slip("one_token", over("s")),
        slip("weights_read", lambda v: v.weights / (v.G * v.hw.bandwidth)),
    ),
    hints=(
        "What has to be done before the first token can be drawn?",
        "A forward pass over the whole prompt: 2 FLOPs per parameter per token.",
        "The speed is {G} × {peak:FLOP/s} × {u:%}.",
    ),
    solution=(
        "work: 2 × {N:si} × {s} = {work:e} FLOP",
        "{work:e} / ({G} × {peak:FLOP/s} × {u:%}) = {answer:time}",
    ),
    assumed=BF16,
    given={
        **DEVICES,
        "peak": lambda v: v.hw.peak(v.dt),
        "work": lambda v: 2 * v.N * v.s,
        "weights": lambda v: v.N * BYTES_PER_ELEMENT[v.dt],
        "memory": lambda v: v.G * v.hw.capacity,
    },
    checks=(
        Check(lambda v: v.memory >= v.weights, "{weights:bytes} of {dt} weights do not fit into {memory:bytes}"),
    ),
    version=4,
    renamed={2: {"S": "s", "n": "G"}},
)

EXERCISES = (LATENT, THROUGHPUT, CONTEXT, DRAFTS, FIRST_TOKEN)
