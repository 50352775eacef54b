"""Test how often and how long a snippet is timed, with a fake clock and without torch."""

from random import Random
from typing import Any

import pytest

from studykit.graders.bet import sampling

sample, quantile = sampling.sample, sampling.quantile


class Held:
    """Act as a clock that moves only when something is timed or flushed."""

    def __init__(self, call_s: float, *, flush_s: float = 0.001, slow_calls: int = 0, faults: int = 1000) -> None:
        self.clock = 64.0
        self.call_s = call_s
        self.flush_s = flush_s
        self.slow_calls = slow_calls
        self.flushes = 0
        self.batches: list[int] = []
        self.faulted = 0
        self.faults = faults

    def now(self) -> float:
        return self.clock

    def timed(self, calls: int) -> float:
        self.batches.append(calls)
        seconds = calls * self.call_s
        if self.slow_calls:
            self.slow_calls -= 1
            self.faulted += self.faults
            seconds *= 10
        self.clock += seconds
        return seconds

    def flush(self) -> None:
        self.flushes += 1
        self.clock += self.flush_s

    def timer(self) -> Any:  # noqa: ANN401 - a Watch
        return sampling.Timer(self.now, self.timed, self.flush, lambda: self.faulted)


@pytest.mark.parametrize(
    ("call_s", "wanted_s", "samples", "calls"),
    [
        (0.01, 0.5, 50, 1),
        (20e-6, 0.5, 300, 1),
        (19e-6, 0.5, 300, 53),
        (1e-6, 0.5, 300, 1000),
        (0.125, 0.5, 9, 1),
        (0.125, 1.25, 10, 1),
        (2**-16, 2**-4, 63, 66),
    ],
    ids=["one call", "20 us", "a batch", "300 at most", "nine at least", "as wanted", "a short time"],
)
def test_sample_takes_its_time(call_s: float, wanted_s: float, samples: int, calls: int) -> None:
    clock = Held(call_s)

    result = sample(clock.timer(), wanted_s=wanted_s)

    assert (result.samples, result.calls, result.cold) == (samples, calls, calls == 1)
    assert (result.p20, result.median, result.p80) == pytest.approx((call_s,) * 3)
    assert clock.flushes == (samples if calls == 1 else 0)


def test_a_slow_snippet_is_called_few_times() -> None:
    clock = Held(1.5)

    result = sample(clock.timer())

    assert result.samples <= 9
    assert clock.clock < 64 + 15


def test_restless_allocator_does_not_stall() -> None:
    clock = Held(0.001, slow_calls=10_000)

    result = sample(clock.timer())

    assert result.samples == 50
    assert len(clock.batches) == 50 + 20


def test_a_costly_flush_ends_the_samples_early() -> None:
    clock = Held(0.0001, flush_s=1.0)

    result = sample(clock.timer(), patience_s=6)

    assert result.samples == 6


@pytest.mark.parametrize(
    ("values", "share", "value"),
    [
        *(
            ([4, 1, 3, 2], share, value)
            for share, value in ((0.0, 1), (0.5, 2.5), (0.2, 1.6), (0.9, 3.7), (1.0, 4))
        ),
        ([1, 1, 1, 1, 99], 0.5, 1),
        ([7.0], 0.8, 7.0),
    ],
)
def test_a_quantile_lies_between_the_values_around_it(values: list[float], share: float, value: float) -> None:
    assert quantile(values, share) == pytest.approx(value)


class Disturbed(Held):
    """Act as a host that is sometimes up to three times as slow."""

    def __init__(self, seed: int, busy_share: float) -> None:
        super().__init__(1e-3)
        self.random, self.busy_share = Random(seed), busy_share

    def timed(self, calls: int) -> float:
        slow = self.random.uniform(1.5, 3) if self.random.random() < self.busy_share else 1.0
        seconds = super().timed(calls) * slow * self.random.uniform(1, 1.03)
        self.clock += seconds
        return seconds


def test_least_of_batches_agrees_over_repeats() -> None:
    shares = (0.1, 0.6, 0.3, 0.8, 0.5)
    least = [sample(Disturbed(seed, share).timer(), least=True) for seed, share in enumerate(shares)]
    medians = [sample(Disturbed(seed, share).timer()).median for seed, share in enumerate(shares)]

    times = [each.median for each in least]
    assert max(times) / min(times) < 1.1 < max(medians) / min(medians)
    assert all(each.least and each.p20 == each.median <= each.p80 for each in least)
    assert least[3].p80 > least[3].median  # how far the batches vary is kept


@pytest.mark.parametrize(
    ("held", "warm_calls"),
    [
        (Held(0.0625), 3),
        (Held(0.015625), 7),
        (Held(0.0625, slow_calls=3), 4),
        (Held(0.0625, slow_calls=4, faults=64), 3),
        (Held(0.0625, slow_calls=4, faults=65), 4),
    ],
    ids=[
        "three at least",
        "a tenth of a second",
        "until nothing faults",
        "but for a few faults",
        "one fault more",
    ],
)
def test_warm_calls_are_as_many_as_it_takes(held: Held, warm_calls: int) -> None:
    result = sample(held.timer())

    assert len(held.batches) - result.samples == warm_calls
    assert result.p80 == pytest.approx(held.call_s)
