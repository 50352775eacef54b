"""Ask about the ridge of a device and what follows from it."""

from studykit.exercise import BYTES_PER_ELEMENT, Roof, Template

from ._sizes import A100, B200, BF16, DTYPES, FOUR, H100, H200, L40S, MI300X, TRAINED, V5E, by_dtype
from ._slips import scaled, slip, sparse

BOTH = {"peak": lambda v: v.hw.peak(v.dt), "bw": lambda v: v.hw.bandwidth, "ridge": lambda v: v.hw.ridge(v.dt)}


FP32_NOTES = {True: ", no tensor cores, TF32 off", False: " on the vector units"}
"""How fp32 is meant, by whether the device has TF32."""


RIDGE = Template(
    id="roof.ridge",
    objective="intensity",
    grid={
        "hw": (A100, H100, H200, L40S, B200, MI300X),
        "dt": lambda v: [dtype for dtype in ("fp32", *DTYPES) if v.hw.has(dtype)] or DTYPES,
    },
    prompt="One {hw} moves {bw:bytes}/s and reaches {peak:FLOP/s} (dense {dt}{note}). What is its ridge point?",
    answer=lambda v: v.peak / v.bw,
    unit="FLOP/byte",
    tolerance=0.04,
    slips=(
        slip("sparse_peak", lambda v: 2 * v.answer if v.hw.sparse and v.dt != "fp32" else None),
        slip("double_halved", lambda v: v.answer / 2 if v.dt != "fp32" else None),
        slip("wrong_dtype_peak", lambda v: v.hw.peak(v.other) / v.bw),
        slip("tf32_peak", lambda v: v.hw.peak("tf32") / v.bw if v.dt == "fp32" and v.hw is not MI300X else None),
        slip("fp8_peak", lambda v: v.hw.peak("fp8") / v.bw if v.dt == "bf16" else None),
        slip("inverted", lambda v: 1 / v.answer),
    ),
    hints=(
        "Where do arithmetic and memory take the same time?",
        "FLOP/s over bytes/s gives FLOP per byte.",
        "{peak:FLOP/s} over {bw:bytes}/s.",
    ),
    solution=("peak / bandwidth", "{peak:FLOP/s} / ({bw:bytes}/s) = {answer:FLOP/byte}"),
    given={
        "peak": lambda v: v.hw.peak(v.dt),
        "bw": lambda v: v.hw.bandwidth,
        "other": lambda v: "bf16" if v.dt == "fp32" else "fp32",
        "note": lambda v: FP32_NOTES[v.hw.has("tf32") and v.hw is not MI300X] if v.dt == "fp32" else "",
    },
    roof=lambda v: Roof(v.hw, v.answer, v.dt),
    version=2,
)

ATTAINABLE = Template(
    id="roof.attainable",
    objective="intensity",
    units={"ai": "FLOP/byte"},
    grid={**by_dtype(FOUR), "ai": (0.25, 1.0, 5.0, 20.0, 64.0, 128.0, 400.0, 1000.0)},
    prompt="A kernel on the tensor cores has an arithmetic intensity of {ai} FLOP/byte. What is the best it can "
    "attain on one {hw} ({peak:FLOP/s} dense {dt}, {bw:bytes}/s)?",
    answer=lambda v: min(v.peak, v.ai * v.bw),
    unit="FLOP/s",
    tolerance=0.04,
    slips=(
        slip("always_peak", lambda v: v.peak),
        slip("no_ceiling", lambda v: v.ai * v.bw),
        slip("sparse_peak", lambda v: min(2 * v.peak, v.ai * v.bw) if v.hw.sparse and v.ai > v.ridge else None),
        slip("gave_bandwidth", lambda v: v.bw if v.ai != 1 else None),
        slip("share_of_peak", lambda v: v.ai * v.peak if v.ai < 1 else None),
        slip(
            "divided",
            lambda v: v.bw / v.ai,
            "What times FLOP per byte gives FLOP/s?",
            "That divides the bandwidth by the intensity; FLOP per byte times bytes per second is FLOP/s.",
        ),
    ),
    hints=(
        "There are two roofs; which one is lower here?",
        "Memory allows intensity × bandwidth; arithmetic allows the peak.",
        "The lower of {ai} × {bw:bytes}/s and {peak:FLOP/s}.",
    ),
    solution=(
        "memory roof: {ai} × {bw:bytes}/s",
        "compute roof: {peak:FLOP/s}",
        "the lower one: {answer:FLOP/s}",
    ),
    assumed=BF16,
    given=BOTH,
    roof=lambda v: Roof(v.hw, v.ai, v.dt),
    version=2,
)

MFU_BOUND = Template(
    id="roof.mfu_bound",
    objective="utilization",
    units={"ai": "FLOP/byte"},
    grid={**by_dtype((A100, H100)), "ai": (0.25, 0.5, 1.0, 5.0, 64.0, 128.0, 600.0)},
    prompt="A kernel in {dt} has an arithmetic intensity of {ai} FLOP/byte. What is the highest MFU it can reach "
    "on one {hw} ({peak:FLOP/s} dense {dt}, {bw:bytes}/s)?",
    answer=lambda v: min(1.0, v.ai / v.ridge),
    unit="number",
    tolerance=0.05,
    slips=(
        slip("inverted", lambda v: v.ridge / v.ai),
        slip("no_ceiling", lambda v: v.ai / v.ridge),
        slip("always_peak", lambda _: 1.0),
        slip("sparse_peak", lambda v: min(1.0, v.ai / v.ridge / 2) if v.hw.sparse else None),
    ),
    hints=(
        "Where is the ridge?",
        "Below the ridge the share of the peak is intensity over ridge; above it, all of it.",
        "The ridge is {peak:FLOP/s} over {bw:bytes}/s.",
    ),
    solution=(
        "ridge: {peak:FLOP/s} / ({bw:bytes}/s) = {ridge:FLOP/byte}",
        "min(1, {ai} / {ridge:number}) = {answer:number}",
    ),
    assumed=BF16,
    given=BOTH,
    roof=lambda v: Roof(v.hw, v.ai, v.dt),
    version=2,
)

SATURATE = Template(
    id="roof.batch_to_saturate",
    objective="inference",
    grid={**by_dtype((*FOUR, V5E)), "wd": ("bf16", "int8", "fp8")},
    prompt="At what batch size (in tokens) does a weight matmul become compute-bound on one {hw} ({peak:FLOP/s} "
    "dense {dt}, {bw:bytes}/s)? The weights are stored in {wd}, the arithmetic is {dt}. Count weight bytes only.",
    answer=lambda v: v.ridge * v.width / 2,
    unit="count",
    tolerance=0.05,
    slips=(
        sparse(2),
        slip("mac_as_flop", scaled(2)),
        slip("fp8_peak", lambda v: v.answer * v.hw.peak("fp8") / v.peak if v.dt == "bf16" else None),
        slip("ignored_weight_dtype", lambda v: v.ridge),
        slip(
            "halved",
            scaled(0.5),
            "How many FLOPs does each weight do per token?",
            "That batch is half as large as needed: each weight does 2 FLOPs per token and takes {width} bytes.",
        ),
    ),
    hints=(
        "When does arithmetic take as long as reading the weights?",
        "Each weight does 2 FLOPs per token and costs {width} bytes to read.",
        "2 × B / {width} has to reach the ridge, {peak:FLOP/s} over {bw:bytes}/s.",
    ),
    solution=(
        "ridge: {ridge:FLOP/byte}",
        "intensity: 2 × B / {width}",
        "B = {ridge:number} × {width} / 2 = {answer:number}",
    ),
    assumed=BF16,
    given={**BOTH, "width": lambda v: round(BYTES_PER_ELEMENT[v.wd])},
    sensible=lambda v: v.dt in TRAINED and (v.dt == "fp8") == (v.wd == "fp8"),
    version=3,
)

MIN_N = Template(
    id="roof.min_n",
    objective="intensity",
    grid=by_dtype(FOUR),
    prompt="At about what n does a square n × n {dt} matmul become compute-bound on one {hw} ({peak:FLOP/s} "
    "dense, {bw:bytes}/s)? Each matrix is moved once; count 2n³ FLOPs.",
    answer=lambda v: 1.5 * v.size * v.ridge,
    unit="count",
    tolerance=0.05,
    slips=(
        slip("gave_ridge", lambda v: v.ridge),
        sparse(2),
        slip("mac_as_flop", scaled(2)),
        slip("forgot_write", scaled(2 / 3)),
        slip(
            "divided",
            lambda v: v.ridge / (1.5 * v.size),
            "Is the intensity 2n/(3 × {size}), or the other way round?",
            "That divides the ridge where it multiplies: the intensity is 2n/(3 × {size}).",
        ),
    ),
    hints=(
        "What is the intensity of an n × n matmul in {dt}?",
        "2n³ FLOPs over three matrices of n² elements, {size} bytes each.",
        "2n/(3 × {size}) has to reach the ridge, {peak:FLOP/s} over {bw:bytes}/s.",
    ),
    solution=("ridge: {ridge:FLOP/byte}", "2n/(3 × {size}) = {ridge:number}, so n = {answer:number}"),
    assumed=BF16,
    given={**BOTH, "size": lambda v: BYTES_PER_ELEMENT[v.dt]},
    version=2,
)

EXERCISES = (RIDGE, ATTAINABLE, MFU_BOUND, SATURATE, MIN_N)
