"""Compile the allowlist of `system_calls.py` to a filter program (classic BPF), and install it.

Such a filter loads 32 bits at a time, so a 64-bit argument takes two loads.
"""

import ctypes
import errno
import os
import struct
import sys
from collections.abc import Iterable

from studykit.sandbox.landlock import libc
from studykit.sandbox.system_calls import ABSENT, ARCHITECTURES, UNKNOWN, Architecture, CallArgument, allowed

_GET_MODE = 21
_SET_MODE_FILTER, _ACTION_AVAILABLE, _ALL_THREADS, _NEW_LISTENER = 1, 2, 1, 8
_CALL = {"x86_64": 317, "aarch64": 277}
# `setarch linux32` makes the kernel report the 32-bit name, even to 64-bit programs.
_MACHINE_OF_32_BITS = {"i686": "x86_64", "armv8l": "aarch64"}
_LOAD, _EQUAL, _AT_LEAST, _AND, _RETURN = 0x20, 0x15, 0x35, 0x54, 0x06
ALLOW, KILL, ERRNO, ASK = 0x7FFF0000, 0x80000000, 0x00050000, 0x7FC00000
_NUMBER, _ARCHITECTURE, _ARGUMENTS = 0, 4, 16
_WORD = (1 << 32) - 1
_REFUSED = ERRNO | errno.EPERM
_MISSING = ERRNO | errno.ENOSYS


def _machine() -> str | None:
    machine = os.uname().machine
    is_64_bit = sys.platform == "linux" and sys.maxsize >= _WORD  # if Python is, the machine is
    name = _MACHINE_OF_32_BITS.get(machine, machine)
    return name if is_64_bit and name in _CALL else None


MACHINE = _machine()
"""Names this machine's table of calls. None on a machine without a table, and outside Linux."""


def available() -> bool:
    """Return whether this machine has a table of calls and its kernel takes filters."""
    if MACHINE is None:
        return False
    action = ctypes.c_uint32(KILL)
    return int(libc.syscall(_CALL[MACHINE], _ACTION_AVAILABLE, 0, ctypes.byref(action))) == 0


def outer() -> int:
    """Return this process's seccomp mode, which is not 0 if a parent process installed a filter."""
    return int(libc.prctl(_GET_MODE, 0, 0, 0, 0)) if MACHINE else 0


def install(pid: int, *, threads: bool = False, cuda: bool = False, pinned: bool = False) -> None:
    """Bind every thread of this process to the allowlist for good. `no_new_privs` must be set."""
    architecture = here()
    _load(architecture, program(architecture, pid, threads=threads, cuda=cuda, pinned=pinned), _ALL_THREADS)


def ask_for_threads() -> int:
    """Install a filter for new threads. Return a descriptor on which another process must allow each of them."""
    architecture = here()
    return _load(architecture, question(architecture), _NEW_LISTENER)


def here() -> Architecture:
    """Return this machine's table of calls. Raise OSError if there is none."""
    if MACHINE is None:
        raise OSError(errno.ENOSYS, "there is no table of system calls for this machine")
    return ARCHITECTURES[MACHINE]


def _load(architecture: Architecture, filter_: bytes, flags: int) -> int:
    buffer = ctypes.create_string_buffer(filter_, len(filter_))
    header = struct.pack("HxxxxxxP", len(filter_) // 8, ctypes.addressof(buffer))
    result = int(libc.syscall(_CALL[architecture.name], _SET_MODE_FILTER, flags, header))
    # With ALL_THREADS a positive result is the id of a thread that could not be bound, which is a failure as well.
    if result < 0 or (result > 0 and not flags & _NEW_LISTENER):
        raise OSError(ctypes.get_errno(), "the kernel refuses the seccomp filter")
    return result


def program(
    architecture: Architecture, pid: int, *, threads: bool = False, cuda: bool = False, pinned: bool = False
) -> bytes:
    """Compile the filter for process `pid`. `threads` allows threads, `cuda` a GPU's driver.

    `pinned` also allows pinned host memory for the GPU, which no kernel limit counts.
    """
    lines = [*_prologue(architecture, KILL)]
    if architecture.foreign:  # x32 calls on x86-64, which report the same architecture
        lines += [_line(_AT_LEAST, architecture.foreign, 0, 1), _line(_RETURN, KILL)]
    for number, ways in allowed(architecture, pid, threads=threads, cuda=cuda, pinned=pinned):
        body = [line for way in ways for line in _compile_conditions(way)]
        body += [_line(_RETURN, _REFUSED)] if ways[-1] else []
        lines += [_line(_EQUAL, number, 0, len(body)), *body]
    for missing in ABSENT:
        lines += [_line(_EQUAL, architecture.numbers[missing], 0, 1), _line(_RETURN, _MISSING)]
    # Calls newer than the tables fail with ENOSYS, as on an older kernel, so that libc falls back. The rest get
    # EPERM.
    lines += [_line(_AT_LEAST, UNKNOWN, 0, 1), _line(_RETURN, _MISSING), _line(_RETURN, _REFUSED)]
    return b"".join(lines)


def question(architecture: Architecture) -> bytes:
    """Compile the filter that allows everything but asks another process about each new thread."""
    is_clone = _line(_EQUAL, architecture.numbers["clone"], 0, 1)
    return b"".join([*_prologue(architecture, ALLOW), is_clone, _line(_RETURN, ASK), _line(_RETURN, ALLOW)])


def _prologue(architecture: Architecture, otherwise: int) -> list[bytes]:
    same = _line(_EQUAL, architecture.word, 1, 0)
    return [_line(_LOAD, _ARCHITECTURE), same, _line(_RETURN, otherwise), _line(_LOAD, _NUMBER)]


def _compile_conditions(way: tuple[CallArgument, ...]) -> list[bytes]:
    """Compile a test that allows a call if every condition holds, and falls through otherwise."""
    lines = [_line(_RETURN, ALLOW)]
    for argument in reversed(way):
        for test in reversed(list(_tests(argument))):
            lines = [*_compile_comparison(*test, beyond=len(lines)), *lines]
    return lines


def _tests(argument: CallArgument) -> Iterable[tuple[int, int, list[int]]]:
    """Yield the offset, mask and allowed values of each 32-bit word that counts in an argument."""
    place = _ARGUMENTS + 8 * argument.place
    if argument.mask >> 32:
        yield place + 4, argument.mask >> 32, sorted({value >> 32 for value in argument.values})
    yield place, argument.mask & _WORD, sorted({value & _WORD for value in argument.values})


def _compile_comparison(place: int, mask: int, values: list[int], *, beyond: int) -> list[bytes]:
    """Compile a comparison that continues if the word is one of the values, else skips `beyond` lines."""
    masked = [] if mask == _WORD else [_line(_AND, mask)]
    last = len(values) - 1
    tests = [_line(_EQUAL, value, last - n, beyond if n == last else 0) for n, value in enumerate(values)]
    return [_line(_LOAD, place), *masked, *tests]


def _line(code: int, k: int, yes: int = 0, no: int = 0) -> bytes:
    return struct.pack("HBBI", code, yes, no, k)
