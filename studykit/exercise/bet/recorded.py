"""Draw and judge bets from a file of recorded measurements, without torch or a GPU."""

import json
import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from itertools import chain, repeat
from pathlib import Path
from typing import Any

from studykit.errors import BadDataError, NotFoundError
from studykit.exercise.bet.bounds import Ceilings, Count, Kernel, MemoryPattern, bounds, ceilings_of, floor
from studykit.exercise.bet.score import HARD, Bet, BetOutcome, Measurement, settle
from studykit.exercise.bet.snippet import BetExercise, BetVariant, Sizes, Snippet
from studykit.exercise.catalog import CONTENT
from studykit.exercise.estimate.hardware import DTYPE_NAMES, device
from studykit.quantity.formatting import seconds
from studykit.ui import Ui

CARDS = ("h100", "h200")
"""The devices with a file of measurements; a machine without a GPU bets on the first."""
FOLDER = Path(str(files(CONTENT))) / "measurements"
AGREE = 1.05  # two runs this near are one time; the others, which the host binds, are asked without a time
_HALF = "torch.set_default_dtype(torch.bfloat16)\n\n"
_IN_HALF = " Per element these are float32's bytes; in bfloat16, as here, an element has 2."
_SHORT_S = 20e-6  # a row below it was timed in batches, with warm caches


@dataclass(frozen=True, slots=True)
class Row:
    """Hold a snippet at one size, with its measurement and its count."""

    sizes: Sizes
    measured: Measurement
    count: Count
    is_exact: bool  # two runs agreed, and whoever bets the bound is not wrong


@dataclass(frozen=True, slots=True)
class Recording:
    """Hold the recorded measurements and ceilings of a device."""

    name: str
    card: str  # as the datasheets call it
    date: str
    ceilings: Ceilings
    rows: Mapping[str, tuple[Row, ...]]  # by the bet's id
    notice: str = ""

    @property
    def place(self) -> str:
        """Return the name of the recorded device with its article, such as `an H100 SXM`."""
        return f"an {self.card}"

    @property
    def origin(self) -> str:
        """Return a sentence with the device and the date of the recording."""
        return f"Recorded on an {self.card} on {self.date}."

    def draw(self, exercise: BetExercise, seed: int, pinned: Sizes | None = None) -> BetVariant:
        """Draw a bet at a recorded size, the same for the same seed. Sizes with exact times are preferred."""
        rows = self.rows_of(exercise, pinned or {})
        if not rows:
            sizes = ", ".join(f"{name}={size}" for name, size in (pinned or {}).items())
            what = f"{exercise.id} with {sizes}" if sizes else exercise.id
            raise NotFoundError(f"{what} was not recorded on an {self.card}. Bet on this machine: --device cpu.")
        exact = [row for row in rows if row.is_exact]
        row = random.Random(f"{exercise.id}:{seed}:{self.name}").choice(exact or rows)
        snippet = Snippet(source_of(exercise, row.sizes), exercise.id, row.sizes)
        is_half = snippet.source.startswith(_HALF) and "byte" in exercise.lesson
        lesson = exercise.lesson + (_IN_HALF if is_half else "")
        return BetVariant(exercise.id, exercise.version, seed, snippet, lesson, self.name)

    def rows_of(self, exercise: BetExercise, pinned: Sizes) -> list[Row]:
        """Return a bet's rows with these sizes."""
        return [row for row in self.rows.get(exercise.id, ()) if pinned.items() <= row.sizes.items()]

    def row_of(self, variant: BetVariant) -> Row:
        """Return the row of a drawn bet."""
        return next(row for row in self.rows[variant.name] if row.sizes == variant.snippet.sizes)

    def count(self, variant: BetVariant) -> Count:
        """Return the recorded count of a drawn bet."""
        return self.row_of(variant).count

    def outcome(self, variant: BetVariant, bet: Bet, _ui: Ui | None = None) -> BetOutcome:
        """Judge a bet by its row."""
        row = self.row_of(variant)
        return settle(bet, row.measured, row.count, self.ceilings)


def source_of(exercise: BetExercise, sizes: Sizes) -> str:
    """Return the source that ran. A first line sets bfloat16 if the snippet has no dtype of its own."""
    is_half = sizes.get("dtype") == "bfloat16" and "dtype" not in exercise.sizes["gpu"]
    return _HALF + exercise.source if is_half else exercise.source


@cache
def recording(name: str) -> Recording:
    """Return the recording of a device by its short name."""
    return read_recording(FOLDER / f"{name}.json")


def read_recording(path: Path) -> Recording:
    """Read a file of measurements, or raise BadDataError if it is not one."""
    try:
        data: dict[str, Any] = json.loads(path.read_text("utf-8"))
        device_fields = {"kind": "cuda", "threads": 0, **data}
        ceilings = ceilings_of(device_fields, data["ceilings"])
        if ceilings is not None:
            rows = {bet: tuple(_parse_row(row, ceilings) for row in rows) for bet, rows in data["rows"].items()}
            return Recording(path.stem, data["card"], data["date"], ceilings, rows)
    except (OSError, ValueError, KeyError, TypeError):
        pass
    raise BadDataError(f"{path} does not hold measurements. Write it with `python -m tests.gpu record`.")


def _parse_row(columns: list[Any], ceilings: Ceilings) -> Row:
    """Parse sizes, median, p20, p80, the second run's median, kernels, and the bytes of one fused kernel."""
    sizes, median, p20, p80, second_median, kernels, fused_bytes, fused_pattern = columns
    low, high = min(p20, second_median or p20), max(p80, second_median or p80)
    measured = Measurement(median, low, high, samples=0, calls=1, cold=median >= _SHORT_S)
    groups = (
        repeat(Kernel(op, flops, moved, dtype, MemoryPattern(how)), number)
        for op, flops, moved, dtype, how, number in kernels
    )
    count = Count(tuple(chain.from_iterable(groups)), fused_bytes, fused_pattern=MemoryPattern(fused_pattern))
    agrees = second_median is not None and 1 / AGREE <= median / second_median <= AGREE
    return Row(sizes, measured, count, agrees and median <= HARD * bounds(count, ceilings).eager)


def too_fast(recorded: Recording) -> Iterator[str]:
    """Yield a sentence for each time that is faster than the datasheet allows."""
    sheet = device(recorded.card)
    peaks = {dtype: sheet.peak(short) for dtype, short in DTYPE_NAMES.items() if sheet.has(short)}
    rates = {f"{each}_bytes_per_s": sheet.bandwidth for each in MemoryPattern}
    free = {"link_bytes_per_s": 0.0, "overhead_s": 0.0, "dispatch_s": 0.0}  # no datasheet has them
    best = replace(recorded.ceilings, flops_per_s=peaks, **{**rates, **free})  # type: ignore[arg-type]
    for name, rows in recorded.rows.items():
        for row in rows:
            least_s = floor(row.count, best)
            if row.measured.median < least_s:
                took, at_best = seconds(row.measured.median), seconds(least_s)
                yield f"{name} {dict(row.sizes)} took {took}, but {sheet} needs {at_best} at best. Record it anew."
