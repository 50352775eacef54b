"""Replay power cuts from a trace of `disk.c`, to get what a disk may hold and what was acknowledged."""

import struct
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

HEADER = struct.Struct("=ccqI")
SECTOR = 512


@dataclass(frozen=True, slots=True)
class Operation:
    """Hold one operation of a process on a file: `W` a write, `T` a truncation, `S` a sync."""

    what: str
    file: str  # d: database, w: write-ahead log, a: what was acknowledged
    offset: int
    data: bytes


@dataclass(slots=True)
class Disk:
    """Hold the files as they are surely on the disk, and the writes that wait for a sync."""

    files: dict[str, bytearray]
    waiting: dict[str, list[Operation]] = field(default_factory=lambda: {"d": [], "w": []})

    def take(self, operation: Operation, *, honest: bool) -> None:
        """Apply one more operation. A sync that is not honest reports success and does nothing."""
        if operation.what == "S":
            if honest:
                for each in self.waiting[operation.file]:
                    apply(self.files[operation.file], each)
                self.waiting[operation.file] = []
        else:
            self.waiting[operation.file].append(operation)

    def after_a_cut(self, random: Random) -> dict[str, bytes]:
        """Return the files after the power returns, with any part of the unsynced writes in any order."""
        files = {name: bytearray(content) for name, content in self.files.items()}
        share = random.choice((0.0, 0.5, 0.9, 1.0))
        for name, operations in self.waiting.items():
            for operation in operations:
                if random.random() < share:
                    apply(files[name], _torn(operation, random))
        return {name: bytes(content) for name, content in files.items()}


def _torn(operation: Operation, random: Random) -> Operation:
    if operation.what != "W" or random.random() < 0.7:
        return operation
    sectors = random.randrange(len(operation.data) // SECTOR + 1)
    return Operation("W", operation.file, operation.offset, operation.data[: sectors * SECTOR])


def apply(content: bytearray, operation: Operation) -> None:
    """Change the content of a file by a write or a truncation."""
    if operation.what == "T":
        del content[operation.offset :]
        return
    if len(content) < operation.offset:
        content.extend(bytes(operation.offset - len(content)))
    content[operation.offset : operation.offset + len(operation.data)] = operation.data


def operations(trace: Path) -> Iterator[Operation]:
    """Yield the operations of a trace in order."""
    content = trace.read_bytes()
    at = 0
    while at + HEADER.size <= len(content):
        what, file, offset, length = HEADER.unpack_from(content, at)
        at += HEADER.size
        size = length if what == b"W" else 0
        yield Operation(what.decode(), file.decode(), offset, content[at : at + size])
        at += size


def cuts(
    before: bytes, trace: Path, random: Random, count: int, *, lies_from: float = 2.0
) -> Iterator[tuple[dict[str, bytes], bytes]]:
    """Yield the files after each of some cuts, and what was acknowledged by then.

    From the share `lies_from` of the operations on, syncing does nothing.
    """
    all_ = list(operations(trace))
    chosen = sorted(random.randrange(len(all_) + 1) for _ in range(count))
    disk, said = Disk({"d": bytearray(before), "w": bytearray()}), b""
    done = 0
    for cut in chosen:
        for number in range(done, cut):
            operation = all_[number]
            if operation.file == "a":
                said += operation.data
            else:
                disk.take(operation, honest=number < lies_from * len(all_))
        done = cut
        yield disk.after_a_cut(random), said
