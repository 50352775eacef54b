"""Define the sizes, devices and checks that several templates share."""

from collections.abc import Callable, Sequence

from studykit.exercise import Check, Device, Grid, Roof, Values, device

K, M, B, T = 10**3, 10**6, 10**9, 10**12


def those(options: Sequence[int], holds: Callable[[int], bool]) -> Sequence[int]:
    """Return the options for which `holds` is true, or all options if there are none."""
    return [option for option in options if holds(option)] or options


def whole(billions: float) -> int:
    """Convert a count in billions to an integer, rounded to millions."""
    return round(billions * 1000) * M


MIN_SHARE = 4e6
"""Least parameters per device in real training runs."""

MODELS = tuple(whole(size) for size in (1, 1.3, 3, 7, 8, 13, 30, 34, 70, 120, 180, 405))
TOKENS = tuple(whole(size) for size in (100, 300, 500, 1000, 1400, 2000, 3000, 6000, 8000, 10000, 15000, 18000))
RATIOS = 10, 2000
"""Least and most tokens per parameter in real training runs."""


def tokens_of_a_run(v: Values) -> Sequence[int]:
    """Return the numbers of tokens that people would train a model of N parameters on."""
    return those(TOKENS, lambda count: RATIOS[0] <= count / v.N <= RATIOS[1])


MFUS = (0.3, 0.35, 0.42, 0.45, 0.55, 0.6)
"""Not 0.5, by which forgetting the MFU looks like taking a sparse peak."""

WIDTHS = {24: (2048,), 32: (4096,), 40: (5120,), 80: (8192,)}
"""Width by layers: Qwen1.5 1.8B, Llama 3 8B, Llama 2 13B, Llama 3 70B."""

FFN_WIDTHS = {2048: (5632, 8192), 4096: (11008, 14336), 5120: (13824, 17408), 8192: (22016, 28672)}
"""Widths of gated MLPs that published models of these widths have."""

A100_40, A100, H100, H200, B200, B300, MI300X, V5E, V5P, L40S, L4, RTX4090 = (
    device(name)
    for name in (
        "A100 40GB SXM",
        "A100 80GB SXM",
        "H100 SXM",
        "H200 SXM",
        "B200 HGX",
        "B300 HGX",
        "MI300X",
        "TPU v5e",
        "TPU v5p",
        "L40S",
        "L4",
        "RTX 4090",
    )
)
DEVICES = {
    "devices": lambda v: f"one {v.hw}" if v.G == 1 else f"{v.G} × {v.hw}",
    "each": lambda v: "" if v.G == 1 else " each",
}
"""For texts: one device, or how many, and whether figures are for each of them."""

SEVERAL = Check(lambda v: v.G > 1, "a single GPU has no other to send to")


def on_h100(v: Values) -> Roof:
    """Return the kernel's point under the roofline of an H100, in the drawn dtype or in bf16."""
    return Roof(H100, v.answer, getattr(v, "dt", "bf16"))


BELOW_PEAK = Check(lambda v: v.answer <= 1, "that would be {answer:%} of the peak")

FOUR = (A100, H100, H200, B200)
SEVEN = (*FOUR, B300, MI300X, V5P)

BF16 = {"dt": "bf16"}
"""The dtype of pins that name none."""


DTYPES = ("tf32", "bf16", "fp16", "fp8", "fp4")
"""The dtypes in which tensor cores multiply."""
TRAINED = {"bf16", "fp8"}
"""The dtypes in which training runs multiply."""


def by_dtype(devices: Sequence[Device], dtypes: Sequence[str] = DTYPES, name: str = "dt") -> Grid:
    """Return grid parameters for a dtype and for a device that has a peak in that dtype."""
    return {
        name: tuple(dtype for dtype in dtypes if any(device.has(dtype) for device in devices)),
        "hw": lambda v: [device for device in devices if device.has(getattr(v, name))],
    }


DENSE = "Each parameter meets every token; no attention term, nothing recomputed; count a multiply-add as 2 FLOPs."
