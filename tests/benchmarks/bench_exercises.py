"""Estimates: reading an answer, and drawing, writing out and grading one exercise, in process.

python tests/benchmarks/bench_exercises.py      budgets: 30 us a parse, 2 ms an exercise
"""

import time
from collections.abc import Callable
from functools import partial

from studykit.exercise import catalog
from studykit.exercise.estimate.template import Template, draw
from studykit.graders import number
from studykit.quantity.reading import read
from studykit.quantity.units import want

ANSWERS = ("8.4e22", "84 ZFLOP", "6*7e9*2e12", "140 GB / 3.35 TB/s", "8.4×10²²")  # noqa: RUF001 - as pasted
SEEDS = range(5)


def main() -> None:
    flop = want("FLOP")
    for answer in ANSWERS:
        print(f"read {answer:20} {1e6 * best(partial(read, answer, flop), 2000):8.1f} us")
    judge = number.judge
    templates = [exercise for exercise in catalog.every() if isinstance(exercise, Template)]
    took = sorted((best(partial(whole, t, judge), 1), t.id) for t in templates)
    print(f"draw, write, grade: median {1e3 * took[len(took) // 2][0]:.3f} ms")
    print(f"draw, write, grade: slowest {1e3 * took[-1][0]:.3f} ms ({took[-1][1]})")


def whole(template: Template, judge: Callable[..., object]) -> None:
    variant = draw(template, 7)
    assert variant.prompt
    assert variant.hints
    assert variant.solution
    judge(variant, "1.5e12")


def best(call: Callable[[], object], times: int) -> float:
    """Seconds a call in the fastest of several rounds."""
    rounds = []
    for _ in SEEDS:
        began = time.perf_counter()
        for _ in range(times):
            call()
        rounds.append((time.perf_counter() - began) / times)
    return min(rounds)


if __name__ == "__main__":
    main()
