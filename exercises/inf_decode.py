"""Ask how fast tokens come out when weights and cache are read from memory."""

from studykit.exercise import BYTES_PER_ELEMENT, Check, Grid, Roof, SlipRule, Template, Values

from ._sizes import A100, B200, DEVICES, H100, H200, L4, RTX4090, B, those, whole
from ._slips import by, scaled, slip

MIN_STEP_S = 2e-3
"""A token faster than this is not served: launches and the all-reduces of tensor parallelism take longer."""

DTYPES, COUNTS = ("bf16", "fp8", "int8", "int4", "fp4"), (1, 2, 4, 8, 16)
SERVED_ON = (A100, H100, H200, B200)


def _dtypes(v: Values) -> list[str]:
    """Return the dtypes in which a device serves weights, with fp8 and fp4 if its tensor cores support them."""
    return [dt for dt in DTYPES if dt not in {"fp8", "fp4"} or v.hw.has(dt)]


def _scales(v: Values) -> str:
    return f", and the scales of {_name(v)} as well" if v.dt in {"int4", "fp4"} else ""


def _name(v: Values) -> str:
    return "NVFP4" if v.dt == "fp4" else str(v.dt)


def _peak(v: Values) -> float:
    """Return the dense peak at which these weights are multiplied, in bf16 unless they are fp8 or fp4."""
    return float(v.hw.peak(v.dt if v.dt in {"fp8", "fp4"} else "bf16"))


def _took_bf16(factor: float) -> SlipRule:
    """Return the slip of counting 2 bytes for a weight of half a byte, which gives `factor` times the answer."""
    return slip(
        "wrong_dtype_4x",
        lambda v: factor * v.answer if v.size < 1 else None,
        message="You used bf16, 2 bytes; {name} takes half a byte.",
    )


def _is_served(v: Values, dtype: str, devices: int) -> bool:
    """Return whether a model fits that many devices, and a token takes long enough for so many to make sense.

    The largest number of devices serves only bf16, because the other dtypes need fewer.
    """
    size = v.N * BYTES_PER_ELEMENT[dtype]
    if devices == COUNTS[-1] and dtype != "bf16":  # a machine of eight holds it
        return False
    return bool(size <= 0.9 * devices * v.hw.capacity and size / (devices * v.hw.bandwidth) >= MIN_STEP_S)


SERVING: Grid = {
    "N": (8 * B, 14 * B, 32 * B, 70 * B, 405 * B),
    "hw": SERVED_ON,
    "dt": lambda v: [dt for dt in _dtypes(v) if any(_is_served(v, dt, n) for n in COUNTS)] or DTYPES,
    "G": lambda v: those(COUNTS, lambda n: _is_served(v, v.dt, n)),
}
WEIGHTS = {
    "scales": _scales,
    "name": _name,
    "size": lambda v: BYTES_PER_ELEMENT[v.dt],
    "bytes": lambda v: v.N * BYTES_PER_ELEMENT[v.dt],
    "bw": lambda v: v.hw.bandwidth,
    "cap": lambda v: v.hw.capacity,
}
"""How weights are described, their bytes, and the memory of the device."""

LATENCY = Template(
    id="inf.decode_latency",
    objective="inference",
    grid=SERVING,
    prompt="What is the least time per token at batch 1 for a model with {N:si} parameters in {name} on {devices} "
    "({bw:bytes}/s and {cap:GB}{each})? {split}ommunication and KV cache ignored{scales}.",
    answer=lambda v: v.bytes / (v.G * v.bw),
    unit="ms",
    tolerance=0.05,
    slips=(
        slip("compute_bound", lambda v: 2 * v.N / (v.G * _peak(v))),
        slip(
            "bits_for_bytes",
            scaled(8),
            "Are the weights and the bandwidth both in bytes?",
            "That divides bits by a bandwidth in bytes; 8 bits are a byte.",
        ),
        slip("wrong_dtype_2x", scaled(2)),
        slip("wrong_dtype_half", scaled(0.5)),
        _took_bf16(4),
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
        "A weight takes {size} bytes; the speed is {G} × {bw:bytes}/s.",
    ),
    solution=(
        "bytes: {N:si} × {size} = {bytes:bytes}",
        "/ ({G} × {bw:bytes}/s) = {answer:ms}",
    ),
    given={
        **DEVICES,
        "split": lambda v: "C" if v.G == 1 else "Tensor parallel; c",
        **WEIGHTS,
    },
    checks=(Check(lambda v: v.bytes <= v.G * v.cap, "{bytes:bytes} of weights do not fit into {G} × {cap:GB}"),),
    roof=lambda v: Roof(v.hw, 2 / v.size),
    version=4,
    renamed={2: {"n": "G"}},
)

TOKENS = Template(
    id="inf.tokens_per_s",
    objective="inference",
    grid={
        "N": (4 * B, 8 * B, 14 * B, 24 * B, 32 * B),
        "hw": (A100, H100, H200, B200, RTX4090, L4),
        "dt": _dtypes,
    },
    prompt="How many tokens per second can a model with {N:si} parameters in {name} give at most, at batch 1 on "
    "one {hw} ({bw:bytes}/s, {cap:GB})? KV cache ignored{scales}.",
    answer=lambda v: v.bw / v.bytes,
    unit="per second",
    tolerance=0.05,
    slips=(
        slip("compute_bound", lambda v: _peak(v) / (2 * v.N)),
        slip("forgot_bytes", lambda v: v.bw / v.N),
        slip("wrong_dtype_2x", scaled(0.5)),
        _took_bf16(1 / 4),
        slip("inverted", lambda v: 1 / v.answer),
    ),
    hints=(
        "What has to be read for every token?",
        "All the weights, {size} bytes each.",
        "The bandwidth says how often all of them can be read in a second.",
    ),
    solution=(
        "bytes: {N:si} × {size} = {bytes:bytes}",
        "{bw:bytes}/s / {bytes:bytes} = {answer:number} per second",
    ),
    given=WEIGHTS,
    checks=(Check(lambda v: v.bytes <= v.cap, "{bytes:bytes} of weights do not fit into {cap:GB}"),),
    sensible=lambda v: v.bytes <= 0.9 * v.cap,  # room for a cache
    roof=lambda v: Roof(v.hw, 2 / v.size),
    version=2,
)

SERVED = {32: ("Llama 3 8B", 8.03), 36: ("Qwen3 8B", 8.19), 40: ("Qwen3 14B", 14.8), 64: ("Qwen3 32B", 32.8)}
"""Models with 8 KV heads of dimension 128: name and billions of parameters, by layers."""

KV_HEADS, OLD_MODEL = 8, ("Llama-2-13B", 13.0)


def _model(v: Values) -> tuple[str, float]:
    """Return name and billions of parameters of the model with these layers and KV heads, or else `OLD_MODEL`."""
    return SERVED[v.L] if v.kv_heads == KV_HEADS and v.L in SERVED else OLD_MODEL


STEP_TIME = Template(
    id="inf.step_time",
    objective="inference",
    grid={
        "L": tuple(SERVED),
        "kv_heads": (KV_HEADS,),
        "s": (1024, 4096, 8192),
        "b": (1, 16, 64, 128),
        "hw": SERVED_ON,
        "dt": lambda v: [dt for dt in ("bf16", "fp8") if v.hw.has(dt)],
    },
    prompt="{model} ({weights:bytes} of {dt} weights, {L} layers, head dimension 128) decodes with {kv_heads} KV "
    "heads, {b} sequences of {s} tokens at once, on one {hw} ({bw:bytes}/s, {cap:GB}). The KV cache is in {dt} "
    "as well. How many milliseconds does one step take at least?",
    answer=lambda v: (v.weights + v.b * v.cache) / v.bw,
    unit="ms",
    tolerance=0.05,
    slips=(
        slip("forgot_kv", lambda v: v.weights / v.bw, approximate=True),
        slip("forgot_weights", lambda v: v.b * v.cache / v.bw, approximate=True),
        slip("weights_per_sequence", lambda v: v.b * (v.weights + v.cache) / v.bw if v.b > 1 else None),
        slip("k_only", lambda v: (v.weights + v.b * v.cache / 2) / v.bw, approximate=True),
        slip(
            "one_sequence",
            lambda v: (v.weights + v.cache) / v.bw if v.b > 1 else None,
            "How many caches are read in one step?",
            "That reads the cache of one sequence; all {b} are read.",
            approximate=True,
        ),
    ),
    hints=(
        "What has to be read in one step?",
        "The weights once, and each sequence's KV cache.",
        "One cache: 2 × {L} × {kv_heads} × 128 elements of {size} bytes for each of {s} tokens.",
    ),
    solution=(
        "one sequence's cache: 2 × {L} × {kv_heads} × 128 × {size} × {s} = {cache:bytes}",
        "({weights:bytes} + {b} × {cache:bytes}) / ({bw:bytes}/s) = {answer:ms}",
    ),
    assumed={"L": 40, "s": 1024, "dt": "bf16"},
    given={
        "model": lambda v: _model(v)[0],
        "size": lambda v: round(BYTES_PER_ELEMENT[v.dt]),
        "weights": lambda v: v.size * whole(_model(v)[1]),
        "cache": lambda v: 2 * v.L * v.kv_heads * 128 * v.s * v.size,
        "bw": lambda v: v.hw.bandwidth,
        "cap": lambda v: v.hw.capacity,
    },
    checks=(
        Check(
            lambda v: v.weights + v.b * v.cache <= v.cap,
            "{weights:bytes} of weights and {b} × {cache:bytes} of cache do not fit into {cap:GB}",
        ),
    ),
    version=3,
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
        **SERVING,
        "ms": _milliseconds,
    },
    prompt="A model with {N:si} parameters in {name} decodes at batch 1 on {devices} ({bw:bytes}/s and "
    "{cap:GB}{each}), at {ms} ms a token. What fraction of the memory bandwidth does it use (MBU)? KV cache "
    "ignored{scales}.",
    answer=lambda v: v.rate / (v.G * v.bw),
    unit="%",
    tolerance=0.05,
    slips=(
        slip(
            "gave_mfu",
            lambda v: 2 * v.N / (v.ms / 1e3) / (v.G * _peak(v)),
            "Are you counting FLOPs or bytes?",
            "That is the MFU, FLOPs over the peak; the MBU is the bytes read over the bandwidth.",
        ),
        slip("wrong_dtype_2x", scaled(2)),
        slip("wrong_dtype_half", scaled(0.5)),
        _took_bf16(4),
        slip(
            "forgot_gpus",
            by("G"),
            "Is that the bandwidth of one device, or of all?",
            "You divided by the bandwidth of one device; there are {G}, and each reads its part of the weights.",
        ),
        slip("inverted", lambda v: 1 / v.answer),
    ),
    checks=(Check(lambda v: v.answer <= 1, "that would be {answer:%} of the bandwidth"),),
    hints=(
        "What has to be read for every token?",
        "All the weights, {size} bytes each, in {ms} ms.",
        "Compare the bytes per second with {G} × {bw:bytes}/s.",
    ),
    solution=(
        "read for a token: {N:si} × {size} = {bytes:bytes}",
        "achieved: {bytes:bytes} / {ms} ms = {rate:bytes}/s",
        "MBU: {rate:bytes}/s / ({G} × {bw:bytes}/s) = {answer:%}",
    ),
    given={
        **DEVICES,
        **WEIGHTS,
        "rate": lambda v: v.bytes / (v.ms / 1e3),
    },
)

EXERCISES = (LATENCY, TOKENS, STEP_TIME, MBU)
