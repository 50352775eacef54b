"""The sandbox beside CUDA: does the GPU work in it, does it hold, and what does the driver ask of the kernel?

The table names each refused call and file, so it is enough to correct a profile that is too tight.
"""

import json
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from attack_run import Scene
from attacks import HELD, IN_A_THREAD, MEMORY, MEMORY_MIB, memory
from children import call

from studykit.errors import StudyError
from studykit.exercise.verdict import Ending
from studykit.graders.host.device_worker import DeviceWorker
from studykit.graders.host.grade import grade
from studykit.graders.host.place import Place, gpu_trouble
from studykit.sandbox import landlock, probe, ptrace
from studykit.sandbox.channel import Message
from studykit.sandbox.lockdown import MIB, Limits
from studykit.sandbox.worker import Worker

from .report import PartRun
from .rewrites import ON_CPU, ON_GPU, split_heads
from .traced_program import FORBIDDEN

WAYS = ("bare", "wrapped", "plain")
LIMITS = Limits(wall_s=25.0, cpu_s=8, memory_bytes=MEMORY_MIB * MIB)
HOST_MEMORY_GIB = (1, 2, 4, 16)  # 16 is what a grade on a GPU gives today
GAINED_BESIDE_A_GPU = {"mremap", "a thread", "another", "/proc/self/maps", "/proc/self/status"}
"""What the driver needs and an attack therefore has: a worker decides on each thread, memory stays limited.

The two files are the child's own.
"""
_BESIDE_A_GPU = {7, 25, 271}  # poll, mremap, ppoll; the last one would wait for ever
_ONLY_ADDRESSES = {"written, then read only", "written, then of no use", "all at once", "a growing stack"}
"""What only a limit of addresses ends; with a GPU there is none, and only written memory is counted."""
Row = tuple[str, str, str, str, int]  # of a trace: phase, call, what about, how it ended, how often
_REFUSALS = {"EPERM", "EACCES", "ENOSYS", "EFBIG", "EMFILE", "ENOMEM"}  # by a filter, by Landlock, by a limit
_EXTRA = ("openat", "ioctl", "mmap", "poll", "ppoll", "mremap")  # what the list for a GPU has more
_IN_A_THREAD = "in a thread"
_OURS = {
    "prlimit64",
    "seccomp",
    "capset",
    "landlock_restrict_self",
    "prctl",
    "sendmsg",
    "getsockopt",
    "getsockname",
}
"""What the child itself asks for before it gives the rest up."""
_ROOT = Path(__file__).resolve().parents[2]
_SHOWN = 12
_TRACE_S = 45.0


def run(part: PartRun) -> None:
    """Run all steps; the traces run during the attacks, each in a process of its own."""
    with traces(part) as started:
        with part.table.step("the doctor's probe"):
            doctor(part)
        for wrapped in (False, True):
            with (
                part.table.step(f"the sandbox, {_around(wrapped=wrapped)}"),
                part.open_worker(wrapped=wrapped) as worker,
            ):
                if wrapped and not worker.wrapped:
                    part.table.add("with bubblewrap", "left out: bubblewrap is missing or not allowed here")
                else:
                    works(part, worker, wrapped=wrapped)
                    holds(part, worker, wrapped=wrapped)
                    if not wrapped:
                        host_memory(part, worker)
        documents = {way: _collected(process) for way, process in started.items()}
    for way, document in documents.items():
        with part.table.step(f"the trace, {way}"):
            traced(part, way, document)
    if {"bare", "plain"} <= set(documents):
        with part.table.step("what the sandbox keeps from the driver"):
            kept_from_the_driver(part, documents["bare"], documents["plain"])


def doctor(part: PartRun) -> None:
    """The lines of the doctor, in a process without a GPU's context."""
    protections = probe.working_protections()
    for line in probe.LINES:
        holds_line = protections.get(line, False)
        part.table.add(f"doctor: {line}", "holds" if holds_line else "does not hold", "holds", ok=holds_line)


def works(part: PartRun, worker: Worker, *, wrapped: bool) -> None:
    """Whether the device works in the closed sandbox, for a rewrite and for a bet; else what the child printed."""
    around = _around(wrapped=wrapped)
    place = Place(worker, part.device, ON_GPU if part.on_gpu else ON_CPU)
    try:
        verdict = gpu_trouble(place)
        verdict = (
            verdict or grade(place, split_heads(), split_heads().solution, random.Random(1)).judgment.verdict.name
        )
    except StudyError as error:
        verdict = str(error)
    part.table.add(f"a rewrite, {around}", verdict, "correct", ok=verdict == "correct")
    try:
        identity = DeviceWorker(worker, part.device, lambda: worker).identity()
        part.table.add(
            f"a bet, {around}",
            f"{identity['device']}, {identity['driver']}",
            "the device",
            ok=True,
            figures=identity,
        )
    except StudyError as error:
        part.table.add(f"a bet, {around}", str(error), "the device", ok=False)


def holds(part: PartRun, worker: Worker, *, wrapped: bool) -> None:
    """The attacks of the sandbox's own tests, from a child that has the device open."""
    attacks = (
        dict(HELD) if wrapped else HELD | {f"{name} {_IN_A_THREAD}": code for name, code in IN_A_THREAD.items()}
    )
    scene = Scene()
    try:
        gained = [
            line
            for name in part.some(list(attacks), 2)
            for line in _gained(part, worker, scene, name, attacks[name])
        ]
        part.table.add(
            f"{len(part.some(list(attacks), 2))} attacks, {_around(wrapped=wrapped)}",
            "; ".join(gained) or "nothing gained, nothing changed",
            "nothing gained",
            ok=not gained,
            figures={"gained": gained},
        )
        if not wrapped:
            for name in part.some(list(MEMORY), 1):
                bounded(part, worker, scene, name)
    finally:
        scene.end()


def _gained(part: PartRun, worker: Worker, scene: Scene, name: str, code: str) -> Iterator[str]:
    """What an attack got that it should not, and what it changed around it."""
    if part.on_gpu:
        code = code.replace("allowed |= {335, 336}", f"allowed |= {{335, 336}} | {_BESIDE_A_GPU}")
    before = scene.state()
    reply = _attack(part, worker, scene, code, threads=2 if name.endswith(_IN_A_THREAD) else 1)
    if isinstance(reply, Message) and "value" in reply.header:
        items = {str(item.get("plain")) for item in reply.header["value"].get("list", [])}
        if name == "1 descriptors of others" and part.on_gpu:
            part.table.add(
                "open descriptors of a child", ", ".join(sorted(items, key=int)) or "none", "the driver's"
            )
        elif unexpected := sorted(items - (GAINED_BESIDE_A_GPU if part.on_gpu else set())):
            yield f"{name}: {', '.join(unexpected[:6])}"
    else:
        yield f"{name} did not finish: {reply.header if isinstance(reply, Message) else reply}"
    after = scene.state()
    if changed := [key for key in before if before[key] != after[key]]:
        yield f"{name} changed {', '.join(changed)}"


def _attack(part: PartRun, worker: Worker, scene: Scene, code: str, *, threads: int = 1) -> Message | Ending:
    """The reply of a child that runs the attack."""
    facts = scene.told() | {"worker": worker.process.pid if worker.process else 1}
    with worker.start("run_rewrite", LIMITS, device=part.device, threads=threads) as child:
        return call(child, f"SCENE = {facts!r}\n{code}", backend="torch", device=part.device)


def bounded(part: PartRun, worker: Worker, scene: Scene, name: str) -> None:
    """How many MiB an attack on the host's memory wrote."""
    reply = _attack(part, worker, scene, memory(MEMORY[name]))
    if isinstance(reply, Message) and "value" in reply.header:
        mib = reply.header["value"].get("plain", 0)
        words, is_bounded = f"{mib} MiB written", mib <= MEMORY_MIB
    else:
        words, is_bounded = f"ended: {reply.header if isinstance(reply, Message) else reply}"[:120], True
    only_told = part.on_gpu and name in _ONLY_ADDRESSES
    part.table.add(f"memory: {name}", words, f"at most {MEMORY_MIB} MiB", ok=None if only_told else is_bounded)


def host_memory(part: PartRun, worker: Worker) -> None:
    """The least of the host's memory with which a grade passes."""
    for gib in part.some(list(HOST_MEMORY_GIB), 1):
        limits = ON_GPU if part.on_gpu else replace(ON_CPU, memory_bytes=gib << 30)
        verdict = grade(
            Place(worker, part.device, limits), split_heads(), split_heads().solution, random.Random(4)
        ).judgment.verdict.name
        if verdict == "correct":
            part.table.add("host memory that a grade needs", f"{gib} GiB are enough", figures={"gib": gib})
            return
    part.table.add("host memory that a grade needs", f"more than {gib} GiB", "less", ok=False)


@contextmanager
def traces(part: PartRun) -> Iterator[dict[str, "subprocess.Popen[str]"]]:
    """The traces, started; ended with this part. A quick run has none: each imports torch twice."""
    ways = WAYS if ptrace.available() and not part.quick else ()
    command = [sys.executable, "-m", "tests.gpu.driver_trace", part.device]
    started = {
        way: subprocess.Popen(
            [*command, way], cwd=_ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        for way in ways
    }
    try:
        yield started
    finally:
        for process in started.values():
            process.kill()
            process.communicate()


def _collected(process: "subprocess.Popen[str]") -> dict[str, Any]:
    try:
        output, errors = process.communicate(timeout=_TRACE_S)
        document: dict[str, Any] = json.loads(output)
    except subprocess.TimeoutExpired:
        return {"problem": f"it was not over after {_TRACE_S:.0f} s"}
    except ValueError:
        return {"problem": errors[-400:]}
    return document


def traced(part: PartRun, way: str, document: dict[str, Any]) -> None:
    """What of the work failed, what was refused in which phase, what the driver needs beyond the CPU's list."""
    if problem := document.get("problem"):
        part.table.add(f"{way}: the trace", problem, "", ok=False if way != "plain" else None, figures=document)
        if "calls" not in document:
            return
    failed = [str(item) for item in document.get("work", []) if not str(item).endswith(": ok")]
    done = len(document.get("work", [])) - len(failed)
    words = [f"{done} of {done + len(failed)} done", *failed]
    part.table.add(f"{way}: the work", "; ".join(words), "all done", ok=not failed and done > 0)
    refusals(part, way, document["calls"])
    needs(part, way, document)
    amounts(part, way, document["calls"])
    part.table.add(
        f"{way}: all calls", f"{sum(row[-1] for row in document['calls'])}, in the JSON", figures=document
    )


def refusals(part: PartRun, way: str, calls: list[Row]) -> None:
    """Which call was refused, about what and with which error, by phase."""
    if way == "bare":
        is_seen = any(about == FORBIDDEN and outcome == "EACCES" for _, _, about, outcome, _ in calls)
        part.table.add(f"{way}: a refusal that is known", "seen" if is_seen else "not seen", "seen", ok=is_seen)
    refused = Counter[str]()
    for phase, name, about, outcome, count in calls:
        if outcome in _REFUSALS and about != FORBIDDEN:
            refused[f"{phase}: {name} {about} {outcome}"] += count
    _listed(part, f"{way}: refused", refused)


def needs(part: PartRun, way: str, document: dict[str, Any]) -> None:
    """What must be on the list for a GPU, what is on it for nothing, and why the lock comes last."""
    locked = [(name, about) for phase, name, about, _ in document["beyond"] if phase == "locked"]
    _listed(part, f"{way}: needed behind the lock", Counter(f"{name} {about}" for name, about in locked))
    if way != "plain" and part.on_gpu:
        unused = [name for name in _EXTRA if name not in {name for name, _ in locked}]
        part.table.add(f"{way}: granted and never used", ", ".join(unused) or "nothing")
    early = [row for row in document["outside"] if row[0] in {"context", "plain"} and row[1] not in _OURS]
    too_early = Counter(f"{name} {about}" for _, name, about, _ in early)
    _listed(part, f"{way}: would be refused if the lock came first", too_early)


def amounts(part: PartRun, way: str, calls: list[Row]) -> None:
    """Threads by phase, and memory that is shared with the driver."""
    threads = Counter[str]()
    for phase, name, _, outcome, count in calls:
        if name in {"clone", "clone3"} and outcome == "ok":
            threads[phase] += count
    part.table.add(f"{way}: threads started", ", ".join(f"{n} {phase}" for phase, n in threads.items()) or "none")
    shared = [about for _, name, about, *_ in calls if name == "mmap" and about.startswith("shared")]
    _listed(part, f"{way}: shared mappings", Counter(shared))


def kept_from_the_driver(part: PartRun, bare: dict[str, Any], plain: dict[str, Any]) -> None:
    """Files that the work opens without a sandbox, and is refused in it: the first suspects."""
    refused = {
        row[2] for row in bare.get("calls", []) if row[3] in {"EPERM", "EACCES"} and row[1].startswith("open")
    }
    opened = {row[2] for row in plain.get("calls", []) if row[3] == "ok" and row[1].startswith("open")}
    files = sorted(refused & opened - {FORBIDDEN})
    part.table.add(
        "opened without a sandbox, refused in it", ", ".join(files) or "nothing", figures={"files": files}
    )
    drivers = sorted({path for path in opened if "libcuda.so" in path or "libnvidia" in path})
    outside = [path for path in drivers if not path.startswith(_granted())]
    if part.on_gpu:
        part.table.add(
            "the driver's libraries",
            ", ".join(drivers) or "not seen",
            "in folders that a child may read",
            ok=bool(drivers) and not outside,
            figures={"libraries": drivers, "outside": outside},
        )


def _granted() -> tuple[str, ...]:
    return (*landlock.READABLE, *landlock.DRIVER_LIBRARIES)


def _listed(part: PartRun, what: str, counts: Counter[str]) -> None:
    items = [f"{name} ({count})" for name, count in counts.most_common(_SHOWN)]
    if len(counts) > _SHOWN:
        items.append(f"and {len(counts) - _SHOWN} more in the JSON")
    part.table.add(what, "; ".join(items) or "nothing", figures={"all": dict(counts)})


def _around(*, wrapped: bool) -> str:
    return "with bubblewrap" if wrapped else "without bubblewrap"
