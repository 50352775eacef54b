"""Check rewrites on the GPU: verdicts as on the CPU, exact arithmetic, speed, and answers that do harm."""

import random
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace

from attacks import CHEATS
from children import call
from rewrite_trials import one_after_another

from studykit.errors import StudyError
from studykit.exercise import catalog
from studykit.exercise.rewrite import trial
from studykit.exercise.rewrite.rewrite import Rewrite
from studykit.exercise.rewrite.trial import Tensor, WireValue
from studykit.graders.host.grade import grade
from studykit.graders.host.place import CUDA_LIMITS, Place, expected
from studykit.graders.rewrite import answer_text
from studykit.graders.rewrite.judge import Returned, judge
from studykit.sandbox.channel import Message
from studykit.sandbox.lockdown import Limits

from .report import PartRun

ON_CPU = Limits(wall_s=30.0, cpu_s=2)
ON_GPU = replace(CUDA_LIMITS, wall_s=30.0, cpu_s=8, memory_bytes=4 << 30)  # a context alone takes a second or two
AT_ONCE = 6  # grades: each waits for a context of its own most of the time
TRIALS = 4  # so that every dtype comes
WARM_S = 0.5
PAUSE_S = 1.5  # in which the next children get their contexts
SINGLE = 1e-5  # relative error of a matmul in float32; TF32 gives some 3e-4
ROUNDING = {"float32": 1e-6, "float64": 1e-14}  # a mean is a product with 1 / n on a GPU, a quotient on a CPU
ELSEWHERE = {"05 numpy detour": {"crashed"}, "37 fill it later": {"incorrect"}}
"""Cheats with another verdict on a GPU: numpy sees no tensor there, and a thread may start but comes too late."""


@dataclass(frozen=True, slots=True)
class Harm:
    """Hold an answer that uses up a resource, with its expected verdict and words of its diagnosis."""

    name: str
    body: str
    verdict: str = "crashed"
    words: str = ""


HARM = (
    Harm(
        "GPU memory in one piece",
        "return torch.empty(1 << 42, dtype=torch.uint8, device=x.device)",
        words="more memory",
    ),
    Harm(
        "GPU memory in pieces",
        "kept = [torch.empty(1 << 30, dtype=torch.uint8, device=x.device) for _ in range(4096)]\nreturn kept[0]",
        words="more memory",
    ),
    Harm(
        "an assertion on the device",
        "far = torch.full((1,), 1 << 20, device=x.device)\nreturn torch.zeros(4, device=x.device)[far]",
    ),
    Harm("a loop without end", "while True: pass", "timed_out"),
)
ENDLESS_KERNEL = Harm(
    "a kernel without end", "torch.cuda._sleep(1 << 60)\nreturn (x + 1).sum().item()", "timed_out"
)

ARITHMETIC = """
def f():
    torch.manual_seed(0)
    results = [torch.get_float32_matmul_precision()]
    for dtype in (torch.float32, torch.bfloat16, torch.float16):
        a, b = torch.randn(2, 512, 512, device={device!r}).to(dtype)
        exact = a.double() @ b.double()
        for product in (a @ b, einops.einsum(a, b, "i k, k j -> i j")):
            results.append(float((product.double() - exact).norm() / exact.norm()))
    return results
"""
MOST_PIECES = """
def f():
    pieces = []
    try:
        while len(pieces) < 1 << 14:
            pieces.append(torch.empty(1 << 26, dtype=torch.uint8, device={device!r}))
    except RuntimeError:
        pass
    return [len(pieces)]
"""


@dataclass(frozen=True, slots=True)
class Places:
    """Hold where one worker grades: on the CPU, and on the device under test."""

    cpu: Place
    device: Place


def run(part: PartRun) -> None:
    """Run all steps, so that one failing step stops no other."""
    steps: dict[str, Callable[[PartRun, Places], None]] = {
        "arithmetic": arithmetic,
        "warm verdicts": warm_verdicts,
        "harm": harm,
        "the catalogue": catalogue,
        "cheats": cheats,
    }
    with places(part) as both:
        for name, step in steps.items():
            with part.table.step(name):
                step(part, both)


@contextmanager
def places(part: PartRun) -> Iterator[Places]:
    """Yield both places of a worker without bubblewrap, which the part `sandbox` checks."""
    with part.open_worker(wrapped=False) as worker:
        limits = ON_GPU if part.on_gpu else ON_CPU
        yield Places(Place(worker, limits=ON_CPU, search_s=0.1), Place(worker, part.device, limits, search_s=0.1))


def rewrites() -> list[Rewrite]:
    """Return the catalogue's rewrites."""
    return [exercise for exercise in catalog.of_set("einops") if isinstance(exercise, Rewrite)]


def split_heads() -> Rewrite:
    """Return the exercise that the cheats answer."""
    return catalog.rewrite_named("split_heads")


def arithmetic(part: PartRun, both: Places) -> None:
    """Check the errors of matmuls, which rule out TF32, and report how much memory an answer may take."""
    precision, *errors = values_in_child(both.device, ARITHMETIC.format(device=part.device))
    part.table.add("float32 matmuls", str(precision), "highest", ok=precision == "highest")
    names = [f"{dtype} {way}" for dtype in ("float32", "bfloat16", "float16") for way in ("@", "einsum")]
    for name, error in zip(names, errors, strict=True):
        relative_error, most = float(error), SINGLE if name.startswith("float32") else 1e-2
        part.table.add(
            f"relative error of {name}",
            f"{relative_error:.1e}",
            f"at most {most:g}",
            ok=relative_error <= most,
            figures={"error": relative_error},
        )
    pieces = int(values_in_child(both.device, MOST_PIECES.format(device=part.device))[0]) << 26
    part.table.add("memory of an answer", f"{pieces / 1e9:.1f} GB", "an end", figures={"bytes": pieces})


def values_in_child(place: Place, code: str) -> list[str | float]:
    """Return what `f()` returned in a child of this place: a list of texts and numbers."""
    with place.child() as child:
        reply = call(child, code, backend="torch", device=place.device)
        if not isinstance(reply, Message) or "value" not in reply.header:
            detail = reply.header if isinstance(reply, Message) else reply
            raise RuntimeError(f"The child replied {detail} and printed {child.shown()[:200]!r}.")
        return [item["plain"] for item in reply.header["value"]["list"]]


def warm_verdicts(part: PartRun, both: Places) -> None:
    """Time the verdict on a right answer, after a pause and without one."""
    sample = part.some(rewrites()[::13], 1)
    grade(both.device, sample[0], sample[0].solution, random.Random(1))  # from now on children are made beforehand
    times = []
    for exercise in sample:
        time.sleep(PAUSE_S if part.on_gpu else 0)
        times.append(right(both.device, exercise))
    at_once = right(both.device, sample[0])
    middle = sorted(times)[len(times) // 2]
    part.table.add(
        f"warm verdict, {len(times)} answers",
        f"median {middle:.2f} s, longest {max(times):.2f} s",
        f"median within {WARM_S} s",
        ok=middle <= WARM_S if part.on_gpu else None,
        figures={"median": middle, "longest": max(times)},
    )
    part.table.add("the next without a pause", f"{at_once:.2f} s", figures={"seconds": at_once})


def right(place: Place, exercise: Rewrite) -> float:
    """Grade an exercise's solution, which must be right, and return the seconds to its verdict."""
    result = grade(place, exercise, exercise.solution, random.Random(2))
    if result.judgment.verdict.name != "correct":
        raise RuntimeError(
            f"The solution of {exercise.id} is {result.judgment.verdict}: {result.judgment.diagnosis}"
        )
    return result.seconds


def harm(part: PartRun, both: Places) -> None:
    """Check that an answer that uses up a resource harms only itself: the next grade is right."""
    for each in part.some(list(HARM), 2):
        costs_itself(part, both.device, each)
    if part.on_gpu:
        costs_itself(part, replace(both.device, limits=replace(ON_GPU, wall_s=6.0)), ENDLESS_KERNEL)


def costs_itself(part: PartRun, place: Place, one: Harm) -> None:
    """Grade a harmful answer and then a right one, and report both verdicts."""
    lines = "\n".join(f"    {line}" for line in one.body.splitlines())
    result = grade(place, split_heads(), f"def f(x, h):\n{lines}\n", random.Random(3))
    after = right(place, split_heads())
    name, diagnosis = result.judgment.verdict.name, result.judgment.diagnosis
    part.table.add(
        one.name,
        f"{name} in {result.seconds:.1f} s, the next right in {after:.2f} s",
        f"{one.verdict}, {one.words}" if one.words else one.verdict,
        ok=name == one.verdict and one.words in diagnosis,
        figures={"verdict": name, "diagnosis": diagnosis, "seconds": result.seconds, "next": after},
    )


def catalogue(part: PartRun, both: Places) -> None:
    """Grade every right and wrong answer of the catalogue on both devices, and compare their numbers."""
    compared = part.some(rewrites(), 1)
    with ThreadPoolExecutor(AT_ONCE) as pool:
        comparisons = list(pool.map(lambda exercise: compare(exercise, both), compared))
    for family, members in by_family(comparisons).items():
        other = [difference for each in members for difference in each.differences]
        answers = sum(each.answers for each in members)
        part.table.add(
            f"{family}: {len(members)} rewrites",
            f"{answers - len(other)} of {answers} answers as on the CPU"
            + (f"; {'; '.join(other[:3])}" if other else ""),
            "all, none wrong",
            ok=not other,
            figures={"differences": other},
        )
    for dtype, (apart, tolerance) in sorted(farthest(comparisons).items()):
        allowed = max(tolerance, ROUNDING.get(dtype, 0.0))
        part.table.add(
            f"{dtype}: CPU and {part.device} apart",
            f"{apart:.1e}",
            f"within {allowed:g}; the tolerance is {tolerance:g}",
            ok=apart <= allowed,
            figures={"apart": apart, "tolerance": tolerance},
        )


@dataclass(frozen=True, slots=True)
class Comparison:
    """Hold how the grades and numbers of one exercise differ between the devices."""

    exercise: Rewrite
    answers: int
    differences: tuple[str, ...]
    apart: tuple[tuple[str, float], ...]  # by dtype, of what the exercise's own code returned

    @classmethod
    def of(cls, exercise: Rewrite, both: Places) -> "Comparison":
        """Grade its solution, alternatives and near misses on the same trials."""
        rights = (exercise.solution, *exercise.alternatives)
        sources = (*rights, *exercise.near_misses)
        trials = list(trial.draw(exercise, random.Random(5), TRIALS))
        expectations = [expected(place, exercise, trials) for place in (both.cpu, both.device)]
        names = []
        for place, want in zip((both.cpu, both.device), expectations, strict=True):
            got = one_after_another(place, exercise, sources, trials)
            read = (answer_text.read(source, exercise) for source in sources)
            judged = [judge(exercise, each, trials, want, one) for each, one in zip(read, got, strict=True)]
            names.append(
                [(judgment.verdict.name, [c.name for c in judgment.checks if not c.passed]) for judgment in judged]
            )
        differences = [
            f"{exercise.id}: {here} on the CPU, {there} on the GPU"
            for place, (here, there) in enumerate(zip(*names, strict=True))
            if here != there or (here[0] == "correct") != (place < len(rights))
        ]
        return cls(exercise, len(sources), tuple(differences), tuple(apart_by_dtype(*expectations)))


def compare(exercise: Rewrite, both: Places) -> Comparison:
    """Grade the exercise on both devices. Its errors affect no other exercise."""
    try:
        return Comparison.of(exercise, both)
    except Exception as error:  # noqa: BLE001 - whatever a driver raises is a difference
        message = " ".join(f"{type(error).__name__}: {error}".split())[:200]
        return Comparison(exercise, 1, (f"{exercise.id}: {message}",), ())


def by_family(comparisons: Iterable[Comparison]) -> dict[str, list[Comparison]]:
    """Group the comparisons by family, in catalogue order."""
    families: dict[str, list[Comparison]] = defaultdict(list)
    for each in comparisons:
        families[each.exercise.family].append(each)
    return families


def apart_by_dtype(first: Sequence[Returned], second: Sequence[Returned]) -> Iterator[tuple[str, float]]:
    """Yield the largest relative difference of each pair of tensors that the judge would compare."""
    for one, other in zip(first, second, strict=True):
        pairs = ((one.value, other.value), *zip(one.gradients, other.gradients, strict=True))
        for here, there in pairs:
            if isinstance(here, Tensor) and isinstance(there, Tensor) and here.shape == there.shape:
                yield here.dtype, relative(here, there)


def relative(here: Tensor, there: WireValue) -> float:
    """Return the largest difference divided by the largest number, as in the judge's tolerance."""
    numbers, others = here.numbers, there.numbers if isinstance(there, Tensor) else ()
    scale = max([1.0, *map(abs, numbers)])
    return max((abs(a - b) / scale for a, b in zip(numbers, others, strict=True)), default=0.0)


def farthest(comparisons: Iterable[Comparison]) -> dict[str, tuple[float, float]]:
    """Return, by dtype, the difference closest to or farthest beyond its tolerance, and that tolerance."""
    worst: dict[str, tuple[float, float]] = {}
    for each in comparisons:
        for dtype, apart in each.apart:
            farthest_so_far = worst.get(dtype)
            if (
                farthest_so_far is None
                or apart - each.exercise.tolerance > farthest_so_far[0] - farthest_so_far[1]
            ):
                worst[dtype] = apart, each.exercise.tolerance
    return worst


def cheats(part: PartRun, both: Places) -> None:
    """Grade all cheats, and compare their verdicts with those on the CPU."""
    names = part.some(list(CHEATS), 2)
    with ThreadPoolExecutor(AT_ONCE) as pool:
        verdicts = dict(zip(names, pool.map(lambda name: verdict_on(both.device, name), names), strict=True))
    here = Counter(verdicts.values())
    wrong = []
    for name, outcome in verdicts.items():
        allowed = ELSEWHERE.get(name, CHEATS[name][1]) if part.on_gpu else CHEATS[name][1]
        if outcome not in allowed:
            wrong.append(f"{name}: {outcome}, wanted {' or '.join(sorted(allowed))}")
    counts = ", ".join(f"{count} {verdict}" for verdict, count in here.most_common())
    part.table.add(
        f"{len(names)} cheats", counts, "the verdicts of the CPU", ok=not wrong, figures={"wrong": wrong}
    )
    for line in wrong:
        part.table.add("a cheat with another verdict", line, ok=False)
    part.table.add("a right answer after them", f"correct in {right(both.device, split_heads()):.2f} s", ok=True)


def verdict_on(place: Place, name: str) -> str:
    """Return the name of the verdict on a cheat, or the text of an error."""
    try:
        return grade(place, split_heads(), CHEATS[name][0], random.Random(11)).judgment.verdict.name
    except StudyError as error:
        return str(error)
