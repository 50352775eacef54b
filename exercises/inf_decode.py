"""How fast tokens come out: reading weights and cache from memory."""

from studykit.exercise import BYTES_PER_ELEMENT, Check, Roof, Template, Values

from ._sizes import A100, DEVICES, H100, H200, L4, RTX4090, B, those
from ._slips import by, scaled, slip

LEAST_S = 2e-3
"""A token faster than this is not served: launches and the all-reduces of tensor parallelism take longer."""


DTYPES, COUNTS = ("bf16", "int8", "int4"), (1, 2, 4, 8, 16)


def _scales(v: Values) -> str:
    return ", and the scales of int4 as well" if v.dt == "int4" else ""


def _is_served(v: Values, dtype: str, devices: int) -> bool:
    """Whether a model fits that many devices with room for its cache, and is not split further than it helps."""
    size = v.N * BYTES_PER_ELEMENT[dtype]
    if devices == COUNTS[-1] and dtype != "bf16":  # a machine of eight holds it
        return False
    return bool(size <= 0.9 * devices * v.hw.capacity and size / (devices * v.hw.bandwidth) >= LEAST_S)


LATENCY = Template(
    id="inf.decode_latency",
    objective="inference",
    grid={
        "N": (8 * B, 13 * B, 34 * B, 70 * B, 405 * B),
        "hw": (A100, H100, H200),
        "dt": lambda v: [dt for dt in DTYPES if any(_is_served(v, dt, n) for n in COUNTS)] or DTYPES,
        "G": lambda v: those(COUNTS, lambda n: _is_served(v, v.dt, n)),
    },
    prompt="What is the least time per token at batch 1 for a model with {N:si} parameters in {dt} on {devices} "
    "({bw:bytes}/s and {cap:GB}{each})? {split}ommunication and KV cache ignored{scales}.",
    answer=lambda v: v.bytes / (v.G * v.bw),
    unit="ms",
    tolerance=0.05,
    slips=(
        slip("compute_bound", lambda v: 2 * v.N / (v.G * v.hw.peak("bf16"))),
        slip(
            "bits_for_bytes",
            scaled(8),
            "Are the weights and the bandwidth both in bytes?",
            "That divides bits by a bandwidth in bytes; 8 bits are a byte.",
        ),
        slip("wrong_dtype_2x", scaled(2)),
        slip("wrong_dtype_half", scaled(0.5)),
        slip("wrong_dtype_4x", lambda v: 4 * v.answer if v.dt == "int4" else None),
        slip("forgot_gpus", by("G")),
        slip(
            "whole_memory",
            lambda v: v.cap / v.bw,
            "Is all of the memory read?",
            "That reads all of the memory; only the weights are read.",
            approximate=True,
        ),
    ),
    hints=(
        "What has to happen for every token?",
        "Every weight is read once for every token.",
        "A weight takes {size:of byte}; the speed is {G} × {bw:bytes}/s.",
    ),
    solution=(
        "bytes: {N:si} × {size} = {bytes:bytes}",
        "/ ({G} × {bw:bytes}/s) = {answer:ms}",
    ),
    given={
        **DEVICES,
        "split": lambda v: "C" if v.G == 1 else "Tensor parallel; c",
        "scales": _scales,
        "size": lambda v: BYTES_PER_ELEMENT[v.dt],
        "bytes": lambda v: v.N * BYTES_PER_ELEMENT[v.dt],
        "bw": lambda v: v.hw.bandwidth,
        "cap": lambda v: v.hw.capacity,
    },
    checks=(Check(lambda v: v.bytes <= v.G * v.cap, "{bytes:bytes} of weights do not fit into {G} × {cap:GB}"),),
    roof=lambda v: Roof(v.hw, 2 / v.size),
    version=3,
    renamed={2: {"n": "G"}},
)

TOKENS = Template(
    id="inf.tokens_per_s",
    objective="inference",
    grid={
        "N": (7 * B, 8 * B, 13 * B, 34 * B),
        "dt": ("bf16", "int8", "int4"),
        "hw": (A100, H100, H200, RTX4090, L4),
    },
    prompt="How many tokens per second can a model with {N:si} parameters in {dt} give at most, at batch 1 on one "
    "{hw} ({bw:bytes}/s, {cap:GB})? KV cache ignored{scales}.",
    answer=lambda v: v.bw / v.bytes,
    unit="per second",
    tolerance=0.05,
    slips=(
        slip("compute_bound", lambda v: v.hw.peak("bf16") / (2 * v.N)),
        slip(
            "forgot_bytes",
            lambda v: v.bw / v.N,
            "How many bytes is one weight?",
            "You used one byte per weight; here it is {size}.",
        ),
        slip("wrong_dtype_2x", scaled(0.5)),
        slip("wrong_dtype_4x", lambda v: v.answer / 4 if v.dt == "int4" else None),
        slip("inverted", lambda v: 1 / v.answer),
    ),
    hints=(
        "What has to be read for every token?",
        "All the weights, {size:of byte} each.",
        "The bandwidth says how often all of them can be read in a second.",
    ),
    solution=(
        "bytes: {N:si} × {size} = {bytes:bytes}",
        "{bw:bytes}/s / {bytes:bytes} = {answer:number} per second",
    ),
    given={
        "scales": _scales,
        "size": lambda v: BYTES_PER_ELEMENT[v.dt],
        "bytes": lambda v: v.N * BYTES_PER_ELEMENT[v.dt],
        "bw": lambda v: v.hw.bandwidth,
        "cap": lambda v: v.hw.capacity,
    },
    checks=(Check(lambda v: v.bytes <= v.cap, "{bytes:bytes} of weights do not fit into {cap:GB}"),),
    roof=lambda v: Roof(v.hw, 2 / v.size),
)

WEIGHTS = 26.0e9

STEP_TIME = Template(
    id="inf.step_time",
    objective="inference",
    grid={"b": (1, 16, 64, 128), "kv_heads": (40,), "hw": (A100, H100, H200)},
    prompt="Llama-2-13B (26.0 GB of bf16 weights, 40 layers, head dimension 128) decodes with {kv_heads} KV "
    "heads, {b:of sequence} of 1024 tokens at once, on one {hw} ({bw:bytes}/s, {cap:GB}). How many milliseconds "
    "does one step take at least?",
    answer=lambda v: (WEIGHTS + v.b * v.cache) / v.bw,
    unit="ms",
    tolerance=0.05,
    slips=(
        slip("forgot_kv", lambda v: WEIGHTS / v.bw),
        slip("forgot_weights", lambda v: v.b * v.cache / v.bw, approximate=True),
        slip("weights_per_sequence", lambda v: v.b * (WEIGHTS + v.cache) / v.bw),
        slip("k_only", lambda v: (WEIGHTS + v.b * v.cache / 2) / v.bw),
        slip(
            "one_sequence",
            lambda v: (WEIGHTS + v.cache) / v.bw,
            "How many caches are read in one step?",
            "That reads the cache of one sequence; all {b} are read.",
        ),
    ),
    hints=(
        "What has to be read in one step?",
        "The weights once, and each sequence's KV cache.",
        "One cache: 2 × 40 × {kv_heads} × 128 × 2 bytes × 1024 tokens.",
    ),
    solution=(
        "one sequence's cache: 2 × 40 × {kv_heads} × 128 × 2 × 1024 = {cache:bytes}",
        "(26.0 GB + {b} × {cache:bytes}) / ({bw:bytes}/s) = {answer:ms}",
    ),
    given={
        "cache": lambda v: 4 * 40 * v.kv_heads * 128 * 1024,
        "bw": lambda v: v.hw.bandwidth,
        "cap": lambda v: v.hw.capacity,
    },
    checks=(
        Check(
            lambda v: WEIGHTS + v.b * v.cache <= v.cap,
            "26 GB of weights and {b} × {cache:bytes} of cache do not fit into {cap:GB}",
        ),
    ),
    version=2,
    renamed={2: {"B": "b", "k": "kv_heads"}},
)


def _milliseconds(v: Values) -> tuple[float, ...]:
    read = v.N * BYTES_PER_ELEMENT[v.dt] / (v.G * v.hw.bandwidth)
    return tuple(float(f"{read / share * 1e3:.3g}") for share in (0.42, 0.48, 0.55, 0.6, 0.7, 0.8))


MBU = Template(
    id="inf.mbu",
    objective="utilization",
    units={"ms": "ms"},
    grid={
        "N": (8 * B, 13 * B, 34 * B, 70 * B, 405 * B),
        "hw": (A100, H100, H200),
        "dt": lambda v: [dt for dt in DTYPES if any(_is_served(v, dt, n) for n in COUNTS)] or DTYPES,
        "G": lambda v: those(COUNTS, lambda n: _is_served(v, v.dt, n)),
        "ms": _milliseconds,
    },
    prompt="A model with {N:si} parameters in {dt} decodes at batch 1 on {devices} ({bw:bytes}/s and "
    "{cap:GB}{each}), at {ms} ms a token. What fraction of the memory bandwidth does it use (MBU)? KV cache "
    "ignored{scales}.",
    answer=lambda v: v.rate / (v.G * v.bw),
    unit="%",
    tolerance=0.05,
    slips=(
        slip(
            "gave_mfu",
            lambda v: 2 * v.N / (v.ms / 1e3) / (v.G * v.hw.peak("bf16")),
            "Are you counting FLOPs or bytes?",
            "That is the MFU, FLOPs over the peak; the MBU is the bytes read over the bandwidth.",
        ),
        slip("wrong_dtype_2x", scaled(2)),
        slip("wrong_dtype_half", scaled(0.5)),
        slip("wrong_dtype_4x", lambda v: 4 * v.answer if v.dt == "int4" else None),
        slip(
            "forgot_gpus",
            by("G"),
            "Can an MBU be above 1, and whose bandwidth is that?",
            "You divided by the bandwidth of one device; there are {G}, and each reads its part of the weights.",
        ),
        slip("inverted", lambda v: 1 / v.answer),
    ),
    checks=(Check(lambda v: v.answer <= 1, "that would be {answer:%} of the bandwidth"),),
    hints=(
        "What has to be read for every token?",
        "All the weights, {size:of byte} each, in {ms} ms.",
        "Compare the bytes per second with {G} × {bw:bytes}/s.",
    ),
    solution=(
        "read for a token: {N:si} × {size} = {bytes:bytes}",
        "achieved: {bytes:bytes} / {ms} ms = {rate:bytes}/s",
        "MBU: {rate:bytes}/s / ({G} × {bw:bytes}/s) = {answer:%}",
    ),
    given={
        **DEVICES,
        "scales": _scales,
        "size": lambda v: BYTES_PER_ELEMENT[v.dt],
        "bytes": lambda v: v.N * BYTES_PER_ELEMENT[v.dt],
        "bw": lambda v: v.hw.bandwidth,
        "cap": lambda v: v.hw.capacity,
        "rate": lambda v: v.bytes / (v.ms / 1e3),
    },
)

EXERCISES = (LATENCY, TOKENS, STEP_TIME, MBU)
