"""Check whether the GPU works in the sandbox, and whether the sandbox holds."""

import random
from collections.abc import Iterator
from dataclasses import replace

from attack_run import Scene
from attacks import HELD, IN_A_THREAD, MEMORY, MEMORY_MIB, memory
from children import call

from studykit.errors import StudyError
from studykit.exercise.verdict import Ending
from studykit.graders.host.device_worker import DeviceWorker
from studykit.graders.host.grade import grade
from studykit.graders.host.place import Place, gpu_trouble
from studykit.sandbox import probe
from studykit.sandbox.channel import Message
from studykit.sandbox.lockdown import MIB, Limits
from studykit.sandbox.worker import Worker

from .report import PartRun
from .rewrites import ON_CPU, ON_GPU, split_heads

LIMITS = Limits(wall_s=25.0, cpu_s=8, memory_bytes=MEMORY_MIB * MIB)
HOST_MEMORY_GIB = (1, 2, 4, 16)  # 16 is what a grade on a GPU gives today
GAINED_BESIDE_A_GPU = {"mremap", "a thread", "another", "/proc/self/maps", "/proc/self/status"}
"""What the driver needs and an attack therefore has: a worker decides on each thread, memory stays limited.

The two files are the child's own.
"""
_BESIDE_A_GPU = {7, 25, 271}  # poll, mremap, ppoll; the last one would wait for ever
_ONLY_ADDRESSES = {"written, then read only", "written, then of no use", "all at once", "a growing stack"}
"""What only a limit of addresses ends; with a GPU there is none, and only written memory is counted."""
_IN_A_THREAD = "in a thread"


def run(part: PartRun) -> None:
    """Run the doctor's probe, then the checks of the sandbox without and with bubblewrap."""
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


def doctor(part: PartRun) -> None:
    """Report which of the doctor's protections hold, from a process without a GPU context."""
    protections = probe.working_protections()
    for line in probe.LINES:
        holds_line = protections.get(line, False)
        part.table.add(f"doctor: {line}", "holds" if holds_line else "does not hold", "holds", ok=holds_line)


def works(part: PartRun, worker: Worker, *, wrapped: bool) -> None:
    """Report whether the device works in the sandbox for a rewrite and a bet, or what the child printed."""
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
    """Run the sandbox tests' attacks in a child that has the device open."""
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
    """Yield what an attack gained and what it changed around it."""
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
    """Return the reply of a child that runs the attack."""
    facts = scene.facts() | {"worker": worker.process.pid if worker.process else 1}
    with worker.start("run_rewrite", LIMITS, device=part.device, threads=threads) as child:
        return call(child, f"SCENE = {facts!r}\n{code}", backend="torch", device=part.device)


def bounded(part: PartRun, worker: Worker, scene: Scene, name: str) -> None:
    """Report how many MiB an attack on the host's memory wrote."""
    reply = _attack(part, worker, scene, memory(MEMORY[name]))
    if isinstance(reply, Message) and "value" in reply.header:
        mib = reply.header["value"].get("plain", 0)
        words, is_bounded = f"{mib} MiB written", mib <= MEMORY_MIB
    else:
        words, is_bounded = f"ended: {reply.header if isinstance(reply, Message) else reply}"[:120], True
    only_told = part.on_gpu and name in _ONLY_ADDRESSES
    part.table.add(f"memory: {name}", words, f"at most {MEMORY_MIB} MiB", ok=None if only_told else is_bounded)


def host_memory(part: PartRun, worker: Worker) -> None:
    """Find the least host memory with which a grade passes."""
    for gib in part.some(list(HOST_MEMORY_GIB), 1):
        limits = ON_GPU if part.on_gpu else replace(ON_CPU, memory_bytes=gib << 30)
        verdict = grade(
            Place(worker, part.device, limits), split_heads(), split_heads().solution, random.Random(4)
        ).judgment.verdict.name
        if verdict == "correct":
            part.table.add("host memory that a grade needs", f"{gib} GiB are enough", figures={"gib": gib})
            return
    part.table.add("host memory that a grade needs", f"more than {gib} GiB", "less", ok=False)


def _around(*, wrapped: bool) -> str:
    return "with bubblewrap" if wrapped else "without bubblewrap"
