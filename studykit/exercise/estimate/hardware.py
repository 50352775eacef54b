"""What devices promise: dense peaks, memory and bandwidth, each with its source and how far it can be trusted."""

import re
from dataclasses import dataclass

from studykit.errors import NotFoundError

BYTES_PER_ELEMENT = {"fp32": 4.0, "tf32": 4.0, "bf16": 2.0, "fp16": 2.0, "fp8": 1.0, "int8": 1.0, "int4": 0.5}

DTYPE_NAMES = {
    "float32": "fp32",
    "float": "fp32",
    "single": "fp32",
    "float16": "fp16",
    "half": "fp16",
    "bfloat16": "bf16",
    "bfloat": "bf16",
    "float8": "fp8",
    "e4m3fn": "e4m3",
    "float8e4m3fn": "e4m3",
    "float8e5m2": "e5m2",
}
"""Other spellings of dtypes, by their letters and digits."""


@dataclass(frozen=True, slots=True)
class Device:
    """One accelerator; peaks are dense, in FLOP/s by dtype; capacity is what the label says."""

    name: str
    peaks: tuple[tuple[str, float], ...]
    capacity: float  # bytes
    bandwidth: float  # bytes per second
    confidence: str  # A several primary sources and arithmetic agree; B secondary sources; C never graded
    source: str
    sparse: bool = True  # whether its sheet also quotes a peak twice as high for 2:4 sparsity

    def peak(self, dtype: str) -> float:
        """Dense FLOP/s in this dtype; refused when the device has none."""
        for name, flops_per_s in self.peaks:
            if name == dtype:
                return flops_per_s
        raise NotFoundError(f"the hardware table has no {dtype} peak for {self.name}")

    def has(self, dtype: str) -> bool:
        """Whether the table knows a peak in this dtype."""
        return any(name == dtype for name, _ in self.peaks)

    def ridge(self, dtype: str = "bf16") -> float:
        """FLOP per byte where memory and arithmetic take the same time."""
        return self.peak(dtype) / self.bandwidth

    def __str__(self) -> str:
        return self.name


_T, _GB = 1e12, 1e9


def _device(
    name: str,
    tera: dict[str, float],
    memory: tuple[float, float],  # GB, and GB per second
    confidence: str,
    source: str,
    *,
    sparse: bool = True,
) -> Device:
    peaks = tuple((dtype, rate * _T) for dtype, rate in tera.items())
    return Device(name, peaks, memory[0] * _GB, memory[1] * _GB, confidence, source, sparse)


_AMPERE = {"fp32": 19.5, "tf32": 156, "bf16": 312, "fp16": 312, "int8": 624}
_HOPPER = {"fp32": 67, "tf32": 494.5, "bf16": 989.5, "fp16": 989.5, "fp8": 1979, "int8": 1979}

# An NVL72 rack is 72 of a GB200 or GB300 in one NVLink domain, where each sends 900 GB/s: half of the 1.8 TB/s of
# the sheets, which add both directions (verda.com/blog/gb300-nvl72-architecture).
DEVICES: tuple[Device, ...] = (
    _device("V100 SXM2", {"fp32": 15.7, "fp16": 125}, (32, 900), "A", "Volta datasheet; Lightning", sparse=False),
    _device("A100 40GB SXM", _AMPERE, (40, 1555), "A", "A100 datasheet"),
    _device("A100 80GB SXM", _AMPERE, (80, 2039), "A", "A100 datasheet; torchtitan; Lightning"),
    _device("H100 SXM", _HOPPER, (80, 3350), "A", "CS336 facts.py; torchtitan; Lightning"),
    _device(
        "H100 PCIe",
        {"fp32": 51, "tf32": 378, "bf16": 756, "fp16": 756, "fp8": 1513},
        (80, 2000),
        "A",
        "torchtitan; Lightning",
    ),
    _device("H100 NVL", {"bf16": 835, "fp16": 835}, (94, 3900), "C", "torchtitan; its bandwidth is unconfirmed"),
    _device("H200 SXM", _HOPPER, (141, 4800), "A", "torchtitan; Bekman, ml-engineering"),
    _device(
        "B200 HGX",
        {"fp32": 75, "tf32": 1125, "bf16": 2250, "fp16": 2250, "fp8": 4500, "fp4": 9000},
        (180, 7700),
        "B",
        "HGX B200 table; CS336 uses the same fp32 peak",
    ),
    _device(
        "B300 HGX",
        {"fp32": 75, "tf32": 1125, "bf16": 2250, "fp16": 2250, "fp8": 4500, "fp4": 13125},
        (288, 8000),
        "B",
        "HGX B300 table as Lockwood quotes it (glennklockwood.com, B300)",
    ),
    _device(
        "GB200",
        {"fp32": 80, "tf32": 1250, "bf16": 2500, "fp16": 2500, "fp8": 5000, "fp4": 10000},
        (186, 8000),
        "B",
        "Bekman, ml-engineering; MLPerf system files",
    ),
    _device(
        "GB300",
        {"fp32": 80, "tf32": 1250, "bf16": 2500, "fp16": 2500, "fp8": 5000, "fp4": 15000},
        (288, 8000),
        "B",
        "GB300 NVL72 figures as Verda and Lockwood quote them (verda.com/blog/gb300-nvl72-architecture)",
    ),
    _device(
        "L4", {"fp32": 30.3, "tf32": 60, "bf16": 121, "fp16": 121, "fp8": 242}, (24, 300), "B", "L4 datasheet"
    ),
    _device(
        "L40S",
        {"fp32": 91.6, "tf32": 183, "bf16": 362, "fp16": 362, "fp8": 733},
        (48, 864),
        "A",
        "L40S product table; torchtitan",
    ),
    _device("T4", {"fp32": 8.1, "fp16": 65, "int8": 130}, (16, 320), "A", "T4 datasheet; Lightning", sparse=False),
    _device("RTX 3090", {"fp32": 35.6, "bf16": 71, "fp16": 71}, (24, 936), "B", "GA102 whitepaper"),
    _device(
        "RTX 4090", {"fp32": 82.6, "bf16": 165.2, "fp16": 165.2, "fp8": 330}, (24, 1008), "B", "AD102 whitepaper"
    ),
    _device(
        "RTX 5090", {"fp32": 104.8, "bf16": 209.5, "fp16": 209.5, "fp8": 419}, (32, 1792), "B", "nanochat #60"
    ),
    _device(
        "MI250X", {"fp32": 47.9, "bf16": 383, "fp16": 383}, (128, 3277), "A", "torchtitan; Bekman", sparse=False
    ),
    _device(
        "MI300X",
        {"fp32": 163.4, "tf32": 653.7, "bf16": 1307.4, "fp16": 1307.4, "fp8": 2614.9},
        (192, 5300),
        "A",
        "Bekman, ml-engineering; torchtitan",
    ),
    _device(
        "MI325X", {"bf16": 1300, "fp16": 1300, "fp8": 2610}, (256, 6000), "B", "rooflinenotes.dev/accelerators"
    ),
    _device(
        "MI355X",
        {"bf16": 2500, "fp16": 2500, "fp8": 5000},
        (288, 8000),
        "B",
        "rooflinenotes.dev/accelerators; AMD at ISSCC 2026 (8,192 fp8 FLOPs a clock in each of 256 compute units)",
    ),
    _device(
        "TPU v4", {"bf16": 275, "int8": 275}, (32, 1200), "A", "scaling book; Google's documentation", sparse=False
    ),
    _device("TPU v5e", {"bf16": 197, "int8": 394}, (16, 819), "A", "Google Cloud documentation", sparse=False),
    _device("TPU v5p", {"bf16": 459, "int8": 918}, (95, 2765), "A", "Google Cloud documentation", sparse=False),
    _device("TPU v6e", {"bf16": 918, "int8": 1836}, (32, 1638), "A", "Google Cloud documentation", sparse=False),
    _device("TPU v7", {"bf16": 2307, "fp8": 4614}, (192, 7380), "A", "Google Cloud documentation", sparse=False),
    _device("Apple M4 Max", {"fp32": 18, "bf16": 18}, (128, 546), "C", "press coverage; Apple publishes no peak"),
)

GRADED = tuple(device for device in DEVICES if device.confidence != "C")
"""The devices that a question may use."""


_VARIANTS = frozenset({"sxm", "sxm2", "pcie", "nvl", "hgx", "40gb", "80gb", "max"})
"""Words of a name that a driver may leave out."""


def letters(text: str) -> str:
    """Only the letters and digits, in lower case, for comparing names as people type them."""
    return "".join(sign for sign in text.lower() if sign.isalnum())


def mentions(whole: str, part: str) -> bool:
    """Whether letters and digits stand in a name and cut no number: rtx4090 in RTX 4090, but not h20 in H200."""
    spaced = r"\W*".join(part)
    around = rf"(?:(?<!\d)|(?=\D)){spaced}(?:(?!\d)|(?<=\D))"
    return part != "" and re.search(around, whole.lower()) is not None


def _model(device: Device) -> list[str]:
    """The words of its name that a driver does not leave out."""
    return [letters(word) for word in device.name.split() if letters(word) not in _VARIANTS]


def named_by_driver(name: str) -> Device | None:
    """The device that a driver calls `name`, such as `NVIDIA H100 80GB HBM3`; None where the table lacks it."""
    driver = letters(name)
    fits: list[tuple[int, Device]] = []
    for device in DEVICES:
        words = [letters(word) for word in device.name.split()]
        if all(word in driver for word in _model(device)):
            fits.append((sum(len(word) for word in words if word in driver), device))
    return max(fits, key=lambda fit: fit[0])[1] if fits else None


def device(name: str) -> Device:
    """The device of this name, however it is spaced; refused with names to choose from."""
    asked = letters(name)
    exact = [known for known in GRADED if letters(known.name) == asked]
    within = [] if exact else [known for known in GRADED if mentions(known.name, asked)]
    matches = exact or [known for known in within if letters(known.name).startswith(asked)] or within
    if len(matches) == 1:
        return matches[0]
    like = [known for known in GRADED if all(word in asked for word in _model(known))]
    names = ", ".join(known.name for known in matches or like or GRADED)
    problem = f"several devices are called {name!r}" if matches else f"no device is called {name!r}"
    raise NotFoundError(f"{problem}; take one of: {names}")
