"""Ask about the KV cache: bytes per token, in all, and how many sequences fit."""

import math

from studykit.exercise import BYTES_PER_ELEMENT, Between, Check, Template

from ._shapes import shape
from ._sizes import A100, B200, DEVICES, H100, H200, MODELS, those
from ._slips import elements, over, scaled, slip

QUERY_HEADS = {32: 32, 36: 32, 40: 40, 48: 40, 64: 64, 80: 64}
"""Query heads by layers: Llama 3 8B, Qwen3 8B and 14B, Qwen2.5 14B, Qwen3 32B, Llama 3 70B."""

PER_TOKEN = Template(
    id="inf.kv_per_token",
    objective="inference",
    grid={
        "L": tuple(QUERY_HEADS),
        "h": lambda v: (QUERY_HEADS.get(v.L, 64),),
        "kv_heads": (2, 4, 8),
        "e": (128,),
    },
    prompt="How many bytes of KV cache does one token take? {L} layers, {h} query heads, {kv_heads} KV heads, "
    "head dimension {e}, bf16.",
    answer=lambda v: shape(v).kv_cache(),
    unit="bytes",
    tolerance=0.02,
    slips=(
        slip("k_only", scaled(0.5)),
        slip(
            "query_heads",
            lambda v: v.answer * v.h / v.kv_heads,
            "Whose keys and values are kept?",
            "That keeps a key and value for each of the {h} query heads; the {kv_heads} KV heads have them.",
        ),
        slip("forgot_heads", lambda v: v.answer / v.kv_heads),
        slip("size_of_group", lambda v: v.answer * v.h / v.kv_heads**2),
        slip("forgot_layers", over("L")),
        elements(2),
        slip("fp32", scaled(2)),
    ),
    hints=(
        "What is kept for each token?",
        "A key and a value, for every layer and every KV head.",
        "Keys and values, for {kv_heads} heads in each of {L} layers; a bf16 element takes 2 bytes.",
    ),
    solution=("elements: 2 × {L} × {kv_heads} × {e}", "× 2 bytes = {answer:bytes}"),
    between=Between("the number of elements", lambda v: 2 * v.L * v.kv_heads * v.e, "element", ("k_only",)),
    version=2,
    renamed={2: {"q": "h", "k": "kv_heads", "h": "e"}},
)

KV_HEADS = {28: (4,), 32: (8,), 36: (8,), 40: (8,), 64: (8,), 80: (8,), 126: (8,)}
"""KV heads by layers: Qwen2.5 7B, Llama 3 8B, Qwen3 8B, 14B and 32B, Llama 3 70B and 405B."""

MAX_CACHED_TOKENS = 2**19
"""Of one cache: 172 GB at 80 layers of 8 KV heads."""

TOTAL = Template(
    id="inf.kv_total",
    objective="inference",
    grid={
        "L": tuple(KV_HEADS),
        "kv_heads": lambda v: KV_HEADS.get(v.L, (8,)),
        "s": (1024, 8192, 32768),
        "b": lambda v: those((1, 8, 32, 64), lambda count: count * v.s <= MAX_CACHED_TOKENS),
        "dt": ("bf16", "fp8"),
        "e": (128,),
    },
    prompt="How large is the KV cache for {b} sequences of {s} tokens? {L} layers, {kv_heads} KV heads, head "
    "dimension {e}, {dt}.",
    answer=lambda v: v.b * v.it.kv_cache(v.s, v.size),
    unit="GB",
    tolerance=0.03,
    slips=(
        slip("k_only", scaled(0.5)),
        elements("size"),
        slip("forgot_batch", over("b")),
        slip("forgot_seq", over("s")),
        slip("forgot_heads", over("kv_heads")),
        slip("fp32", lambda v: 2 * v.answer if v.size > 1 else None),
        slip("wrong_dtype_2x", lambda v: None if v.size > 1 else 2 * v.answer),
        slip("one_layer", over("L")),
    ),
    hints=(
        "How many bytes does one token take?",
        "Per token: 2 tensors × {L} layers × {kv_heads} heads × {e} × {size} bytes.",
        "Times {s} tokens and {b} sequences.",
    ),
    solution=(
        "per token: 2 × {L} × {kv_heads} × {e} × {size} = {token:bytes}",
        "× {s} × {b} = {answer:bytes}",
    ),
    assumed={"dt": "bf16", "e": 128},
    given={
        "size": lambda v: round(BYTES_PER_ELEMENT[v.dt]),
        "it": lambda v: shape(v, heads=v.kv_heads),
        "token": lambda v: v.it.kv_cache(1, v.size),
    },
    version=3,
    renamed={2: {"B": "b", "S": "s", "k": "kv_heads"}},
)

SERVED = {
    8: ((537, 1074), (1,)),
    16: ((537, 1074), (1, 2)),
    30: ((671, 1342), (1, 2)),
    66: ((1074, 2147), (2,)),
    70: ((1342, 2684), (2, 4)),
    140: ((1342, 2684), (4, 8)),
}
"""MB of a sequence's cache, and devices, by GB of weights: of the models whose cache a token takes
`inf_serving.CACHED`."""

MAX_BATCH = Template(
    id="inf.max_batch",
    objective="inference",
    units={"w": "GB", "kv": "MB"},
    grid={
        "w": tuple(SERVED),
        "kv": lambda v: SERVED.get(v.w, ((1074,), (4,)))[0],
        "G": lambda v: SERVED.get(v.w, ((1074,), (4,)))[1],
        "hw": (A100, H100, H200, B200),
    },
    prompt="A model whose weights take {w} GB, stored once in all, is served on {devices} ({cap:GB}{each}). "
    "Each sequence needs {kv} MB of KV cache. How many sequences fit? A GB is 1e9 bytes; all of the "
    "capacity is usable.",
    answer=lambda v: math.floor(v.free / (v.kv * 1e6)),
    unit="count",
    tolerance=0.01,
    slips=(
        slip("ignored_weights", lambda v: math.floor(v.G * v.cap / (v.kv * 1e6))),
        slip(
            "gib_capacity",
            lambda v: math.floor((v.G * v.cap * 2**30 / 1e9 - v.w * 1e9) / (v.kv * 1e6)),
            approximate=True,
        ),
        slip("one_gpu", lambda v: math.floor((v.cap - v.w * 1e9) / (v.kv * 1e6)) if v.cap > v.w * 1e9 else None),
        slip(
            "weights_per_gpu",
            lambda v: math.floor((v.cap - v.w * 1e9) * v.G / (v.kv * 1e6)) if v.cap > v.w * 1e9 else None,
        ),
    ),
    hints=(
        "How much memory is free for the cache?",
        "Take {w} GB of weights from the memory of {devices}.",
        "Divide by {kv} MB and round down.",
    ),
    solution=("free: {G} × {cap:GB} − {w} GB = {free:bytes}", "/ {kv} MB, rounded down: {answer:n}"),
    given={
        **DEVICES,
        "cap": lambda v: v.hw.capacity,
        "free": lambda v: v.G * v.hw.capacity - v.w * 1e9,
    },
    checks=(
        Check(
            lambda v: v.free >= v.kv * 1e6,
            "{w} GB of weights and a sequence of {kv} MB do not fit into {G} × {cap:GB}",
        ),
    ),
    version=3,
    renamed={2: {"n": "G"}},
)

PREFILL = Template(
    id="inf.prefill_flops",
    objective="inference",
    grid={"s": (512, 1024, 2048, 4096, 8192), "N": MODELS},
    prompt="How many FLOPs does it take to prefill a prompt of {s} tokens on a model with {N:si} parameters? "
    "Count only the weights, not the attention between tokens; count a multiply-add as 2 FLOPs.",
    answer=lambda v: 2 * v.N * v.s,
    unit="FLOP",
    tolerance=0.02,
    slips=(
        slip("training_6", lambda v: 6 * v.N * v.s),
        slip("mac_as_flop", scaled(0.5)),
        slip("one_token", lambda v: 2 * v.N),
    ),
    hints=(
        "Is there a backward pass?",
        "A forward pass takes 2 FLOPs per parameter per token.",
        "Every token of the prompt goes through every parameter.",
    ),
    solution=("forward: 2 per parameter per token", "2 × {N:si} × {s} = {answer:e} FLOP"),
    version=2,
    renamed={2: {"S": "s"}},
)

SHARED = {
    14: (2,),
    16: (2, 8),
    24: (2,),
    28: (4,),
    32: (2, 8, 16),
    40: (8, 10),
    48: (4, 8),
    64: (8,),
    96: (8,),
    128: (8,),
}
"""KV heads by heads: models of Qwen2.5, Gemma 2, StarCoder2, GLM-4, Phi-3, Llama 3, gpt-oss and Command R+."""

GQA = Template(
    id="inf.gqa_ratio",
    objective="inference",
    grid={"h": tuple(SHARED), "kv_heads": lambda v: SHARED.get(v.h, (8,))},
    prompt="A model goes from multi-head attention with {h} heads to grouped-query attention with {kv_heads} KV "
    "heads. By what factor does its KV cache shrink?",
    answer=lambda v: shape(v, kv_heads=v.h).kv_cache() / shape(v).kv_cache(),
    unit="number",
    tolerance=0.001,
    slips=(
        slip("inverted", lambda v: v.kv_heads / v.h),
        slip("gave_kv_heads", lambda v: v.kv_heads),
        slip("doubled", lambda v: 2 * v.h / v.kv_heads),
        slip("difference", lambda v: v.h - v.kv_heads),
        slip("share_gone", lambda v: 1 - v.kv_heads / v.h),
    ),
    hints=(
        "What is the cache proportional to?",
        "To the number of heads that have keys and values.",
        "{h} heads before, {kv_heads} after.",
    ),
    solution=("proportional to KV heads", "{h} / {kv_heads} = {answer:number}"),
    version=3,
    renamed={2: {"n": "h", "k": "kv_heads"}},
)

EXERCISES = (PER_TOKEN, TOTAL, MAX_BATCH, PREFILL, GQA)
