"""Where a bet is settled: on this machine's device, or by what a GPU was measured to take before."""

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
    """This machine's device, measured when a bet is made."""

    services: Services
    worker: "DeviceWorker"
    name: str  # the word for `--device`
    place: str  # where the snippet will run, in words
    notice: str  # why it is not the GPU that is there, or not in the sandbox
    origin: str = ""

    def draw(self, exercise: BetExercise, seed: int, pinned: Sizes | None = None) -> BetVariant:
        """Return a bet at sizes that suit the device, the same for the same seed."""
        snippet = Snippet(exercise.source, exercise.id, exercise.draw(seed, self.worker.device, pinned))
        return BetVariant(exercise.id, exercise.version, seed, snippet, exercise.lesson)

    def count(self, variant: BetVariant) -> Count:
        """Count the snippet without running it."""
        return self.worker.count(variant.snippet)

    def outcome(self, variant: BetVariant, bet: Bet, ui: Ui | None = None) -> BetOutcome:
        """Measure the snippet and judge the bet."""
        return measure(self.services, self.worker, variant, bet, ui)


Bench = OwnDevice | Recording


def is_unchosen(services: Services) -> bool:
    """Return whether the learner leaves it to studykit what settles bets."""
    return services.settings("bet").get("device", AUTO) == AUTO


def chosen(services: Services, device: str | None = None) -> str:
    """Return the word for the device that settles bets: the one that is given, else the setting's.

    Without a GPU it is a recorded H100, for a CPU does not show what the lecture is about.
    """
    from studykit.sandbox.gpu import has_cuda

    wanted = device or str(services.settings("bet").get("device", AUTO))
    return CARDS[0] if wanted == AUTO and not has_cuda() else wanted


@contextmanager
def open_bench(services: Services, device: str, permission: "Permission", ui: Ui | None = None) -> Iterator[Bench]:
    """Open the place where bets are settled. Only this machine's own device needs torch."""
    if device in CARDS:
        yield recording(device)
        return
    from studykit.graders.host.device_worker import device_worker

    with device_worker(services.open_worker, device, permission, ui) as worker:
        yield OwnDevice(services, worker, worker.device, f"this machine's {device_word(worker)}", worker.notice)
