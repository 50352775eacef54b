"""Choose where a bet is settled: on this machine's device, or by a GPU's recorded measurements."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from studykit.exercise.bet.bounds import Count
from studykit.exercise.bet.device_numbers import device_word
from studykit.exercise.bet.measuring import measure
from studykit.exercise.bet.recorded import CARDS, Recording, recording
from studykit.exercise.bet.score import Bet, BetOutcome
from studykit.exercise.bet.snippet import BetExercise, BetVariant, Sizes, Snippet
from studykit.exercise.services import Services
from studykit.ui import Ui

if TYPE_CHECKING:
    from studykit.graders.host.device_worker import DeviceWorker
    from studykit.sandbox.confinement import Permission

AUTO = "auto"


@dataclass(frozen=True, slots=True)
class OwnDevice:
    """Measure each bet on this machine's device."""

    services: Services
    worker: "DeviceWorker"
    name: str  # the word for `--device`
    place: str  # where the snippet will run, in words
    notice: str  # why it is not the GPU that is there, or not in the sandbox

    def draw(self, exercise: BetExercise, seed: int, pinned: Sizes | None = None) -> BetVariant:
        """Draw a bet with sizes for this device, the same for the same seed."""
        snippet = Snippet(exercise.source, exercise.id, exercise.draw(seed, self.worker.device, pinned))
        return BetVariant(exercise.id, exercise.version, seed, snippet, exercise.lesson)

    def count(self, variant: BetVariant) -> Count:
        """Count the snippet's FLOPs and bytes without running it."""
        return self.worker.count(variant.snippet)

    def outcome(self, variant: BetVariant, bet: Bet, ui: Ui | None = None) -> BetOutcome:
        """Measure the snippet and judge the bet."""
        return measure(self.services, self.worker, variant, bet, ui)


Bench = OwnDevice | Recording


def chosen(services: Services, device: str | None = None) -> str:
    """Return the name of the device that settles bets, from the argument or else the settings.

    If neither names one and there is no GPU, it is a recorded H100, because a CPU does not show what the lecture
    teaches.
    """
    from studykit.sandbox.gpu import has_cuda

    device_name = device or str(services.settings("bet").get("device", AUTO))
    return CARDS[0] if device_name == AUTO and not has_cuda() else device_name


@contextmanager
def open_bench(services: Services, device: str, permission: "Permission", ui: Ui | None = None) -> Iterator[Bench]:
    """Open the device that settles bets. Only this machine's own device needs torch."""
    if device in CARDS:
        yield recording(device)
        return
    from studykit.graders.host.device_worker import device_worker

    with device_worker(services.open_worker, device, permission, ui) as worker:
        yield OwnDevice(services, worker, worker.device, f"this machine's {device_word(worker)}", worker.notice)
