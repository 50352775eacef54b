"""Test the filter of system calls for every number and the corner cases of every argument."""

import ctypes
import errno
from collections.abc import Callable
from dataclasses import dataclass
from random import Random

import pytest
from bpf import ALLOW, ERRNO, KILL_PROCESS, USER_NOTIF, Instruction, call_data, decoded, run

from studykit.sandbox import seccomp
from studykit.sandbox.system_calls import AARCH64, X86_64, Architecture

PID = 4711
REFUSED, MISSING = ERRNO | errno.EPERM, ERRNO | errno.ENOSYS
HIGH = 1 << 32
BOTH = pytest.mark.parametrize("here", [X86_64, AARCH64], ids=lambda each: each.name)


def numbers(text: str) -> set[int]:
    return set(map(int, text.split()))


# From the kernel's own lists, by hand: what is allowed whatever its arguments.
FREE = {
    "x86_64": numbers(
        "0 1 3 4 5 6 8 11 12 13 14 15 17 21 24 35 39 60 63 79 89 96 98 99 100 102 104 107 108 110 131 186 "
        "201 217 219 231 262 267 269 273 309 318 334"
    ),
    "aarch64": numbers(
        "17 48 57 61 62 63 64 67 78 79 80 93 94 99 101 124 128 132 134 135 139 153 160 165 168 169 172 "
        "173 174 175 176 177 178 179 214 215 278 293"
    ),
}
# ... what is allowed with some arguments, and what is reported as missing.
LIMITED = {
    "x86_64": {2, 9, 10, 16, 28, 44, 45, 62, 72, 158, 202, 204, 228, 229, 230, 234, 257, 302},
    "aarch64": {25, 29, 56, 98, 113, 114, 115, 123, 129, 131, 167, 206, 207, 222, 226, 233, 261},
}
ABSENT = {"x86_64": {332, 435, 437, 439}, "aarch64": {291, 435, 437, 439}}
CORNERS = (0, 1, 2, 3, 7, 9, 0x22, 0x1000, PID, HIGH - 1, HIGH, HIGH + 1, HIGH + PID, (1 << 63), (1 << 64) - 1)


def filter_of(here: Architecture, *, threads: bool = False, cuda: bool = False) -> list[Instruction]:
    return decoded(seccomp.program(here, PID, threads=threads, cuda=cuda))


def answer(program: list[Instruction], here: Architecture, name: str | int, *arguments: int) -> int:
    number = here.numbers[name] if isinstance(name, str) else name
    return run(program, call_data(number, here.word, arguments))


@BOTH
def test_every_number_gets_the_answer_of_the_list(here: Architecture) -> None:
    program = filter_of(here)
    corners = [(each,) * 6 for each in CORNERS]

    for number in (*range(601), 999, 5000):
        answers = {answer(program, here, number, *arguments) for arguments in corners}
        if number in FREE[here.name]:
            assert answers == {ALLOW}, number
        elif number in LIMITED[here.name]:
            assert REFUSED in answers, number
            assert answers <= {ALLOW, REFUSED}, number
        elif number in ABSENT[here.name] or number >= 470:
            assert answers == {MISSING}, number
        else:
            assert answers == {REFUSED}, number


@BOTH
def test_conditional_calls_refuse_other_arguments(here: Architecture) -> None:
    """Compare the filter with `permitted` below, a second implementation, at corner values of all arguments."""
    program = filter_of(here)
    names = [name for name, number in here.numbers.items() if number in LIMITED[here.name]]
    random = Random(5)

    for name in names:
        for _ in range(200):
            arguments = tuple(random.choice(VALUES) for _ in range(6))
            expected = ALLOW if permitted(here, name, arguments) else REFUSED
            assert answer(program, here, name, *arguments) == expected, (name, [hex(each) for each in arguments])


FLAGS = {
    "x86_64": {"directory": 0x10000, "nofollow": 0x20000, "direct": 0x4000, "large": 0x8000},
    "aarch64": {"directory": 0x4000, "nofollow": 0x8000, "direct": 0x10000, "large": 0x20000},
}
VALUES = (
    *(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 21, 25, 51, 64, 100, 101, 128, 129, 134, 137),
    *(0x22, 0x21, 0x32, 0x4022, 0x20022, 0x122, 0x40022, 0x2022, 0x1022, 0x801, 0x802, 0x80000, 0x90000, 0x80040),
    *(0x80200, 0x80241, 0x84000, 0x410000, 0x200000, 0x4000, 0x8000, 0x10000, 0x20000, 0x400, 0x1022, 0x1023),
    *(
        0x5401,
        0x5402,
        0x5412,
        0x8901,
        0x8902,
        0x5452,
        1030,
        1031,
        1024,
        1025,
        256 | 128 | 9,
        0x01000007,
        0x02000003,
    ),
    *(PID, PID + 1, -PID, -1, HIGH, HIGH | 1, HIGH | 2, HIGH | 0x22, HIGH | PID, HIGH | 0x5401, 1 << 63, HIGH - 1),
)


@dataclass(frozen=True, slots=True)
class Given:
    whole: list[int]
    low: list[int]
    here: str


CLOCK = {f"clock_{name}": (lambda given: given.low[0] < 12) for name in ("gettime", "getres", "nanosleep")}
FUTEX = {wait | how for wait in (0, 1, 3, 4, 5, 9, 10) for how in (0, 128, 256, 384)}
MAPPED = 0x2 | 0x10 | 0x20 | 0x800 | 0x1000 | 0x4000 | 0x8000 | 0x20000 | 0x100000
PROTECTED = {"x86_64": 7, "aarch64": 0x17}
OPENED = {name: 0x100 | 0x800 | 0x80000 | f["directory"] | f["nofollow"] | f["large"] for name, f in FLAGS.items()}
RULES: dict[str, Callable[[Given], bool]] = CLOCK | {
    "recvfrom": lambda given: given.whole[4] == given.whole[5] == 0,
    "sendto": lambda given: given.low[3] in {0, 0x4000} and given.whole[4] == given.whole[5] == 0,
    "futex": lambda given: given.low[1] in FUTEX,
    "mmap": lambda given: (
        not given.whole[2] & ~PROTECTED[given.here] and given.whole[3] & 2 == 2 and not given.whole[3] & ~MAPPED
    ),
    "mprotect": lambda given: not given.whole[2] & ~PROTECTED[given.here],
    "madvise": lambda given: given.low[2] in {0, 1, 2, 3, 4, 8, 14, 15, 16, 17},
    "openat": lambda given: not given.low[2] & ~OPENED[given.here],
    "open": lambda given: not given.low[1] & ~OPENED[given.here],
    "ioctl": lambda given: given.low[1] == 0x5401,
    "fcntl": lambda given: given.low[1] in {1, 2, 3},
    "sched_getaffinity": lambda given: given.low[0] in {0, PID},
    "prlimit64": lambda given: given.whole[0] == 0 and given.whole[2] == 0,
    "kill": lambda given: given.whole[0] == PID,
    "tgkill": lambda given: given.whole[0] == PID,
    "arch_prctl": lambda given: given.low[0] in {0x1021, 0x1022, 0x1023},
    "prctl": lambda given: given.low[0] in {51, 64},
}


def permitted(here: Architecture, name: str, arguments: tuple[int, ...]) -> bool:
    """Return whether the same rules, written in Python with the types of the kernel's prototypes, allow a call."""
    whole = [each % (1 << 64) for each in arguments]
    return RULES[name](Given(whole, [each % HIGH for each in whole], here.name))


@BOTH
@pytest.mark.parametrize("word", [0, 0x40000003, 0xC000003E, 0xC00000B7, 0x40000028, 0xC00000F3])
def test_a_call_of_another_architecture_ends_the_process(here: Architecture, word: int) -> None:
    program = filter_of(here)

    verdicts = {run(program, call_data(number, word)) for number in (0, 1, 39, 57, 172, 220, 435)}

    assert (verdicts == {KILL_PROCESS}) == (word != here.word)


@pytest.mark.parametrize("number", [0x40000000, 0x40000001, 0x40000039, 0x40000209, 0x7FFFFFFF, -1])
def test_call_of_the_other_abi_ends_the_process(number: int) -> None:
    assert answer(filter_of(X86_64), X86_64, number) == KILL_PROCESS


THREAD = 0x3D0F00  # as glibc asks for one; musl adds CLONE_DETACHED


@BOTH
def test_bets_start_threads_but_no_processes(here: Architecture) -> None:
    without, with_threads = filter_of(here), filter_of(here, threads=True)
    bits = [1 << n for n in range(8, 36)]
    allowed = [flags for flags in (THREAD, THREAD | 0x400000) for _ in (1,)]
    wrong = [THREAD ^ bit for bit in bits if THREAD ^ bit not in allowed and bit not in OPTIONAL]

    assert {answer(without, here, "clone", flags) for flags in (*allowed, *wrong, 0, 17)} == {REFUSED}
    assert {answer(with_threads, here, "clone", flags) for flags in allowed} == {ALLOW}
    assert {answer(with_threads, here, "clone", flags) for flags in (*wrong, 0, 17, THREAD | 17)} == {REFUSED}


OPTIONAL = (0x80000, 0x100000, 0x200000)  # CLONE_SETTLS, PARENT_SETTID, CHILD_CLEARTID: of use to the thread alone


@BOTH
def test_gpu_rules_reach_no_other_process(here: Architecture) -> None:
    program = filter_of(here, threads=True, cuda=True)
    sockets = {
        "x86_64": (41, 42, 43, 46, 47, 49, 50, 53, 288),
        "aarch64": (198, 199, 200, 201, 202, 203, 211, 212),
    }

    for number in (*sockets[here.name], 444, 445, 446):
        assert answer(program, here, number) == REFUSED
    for request in (0x8901, 0x8902, 0x5452, 0x5412, 0x541B):  # FIOSETOWN, SIOCSPGRP, FIOASYNC, TIOCSTI, FIONREAD
        assert answer(program, here, "ioctl", 5, request) == REFUSED
    assert answer(program, here, "ioctl", 5, 0xC020462A) == ALLOW  # the driver's own
    assert answer(program, here, "openat", 0, 0, 0o102) == REFUSED  # O_RDWR | O_CREAT
    assert answer(program, here, "mmap", 0, 9, 3, 0x21) == REFUSED  # shared and of no file


@BOTH
def test_the_gate_asks_about_clone_and_nothing_else(here: Architecture) -> None:
    program = decoded(seccomp.question(here))

    answers = {number: answer(program, here, number) for number in range(600)}

    assert {number for number, verdict in answers.items() if verdict != ALLOW} == {here.numbers["clone"]}
    assert answers[here.numbers["clone"]] == USER_NOTIF


@BOTH
def test_arguments_are_compared_in_their_full_width(here: Architecture) -> None:
    """Check addresses such as 4 GiB, whose low word is zero: a page can be mapped there."""
    program = filter_of(here)

    for address in (1 << 32, 1 << 48, 1 << 63):
        assert answer(program, here, "prlimit64", 0, 0, address) == REFUSED
        assert answer(program, here, "prlimit64", address, 0, 0) == REFUSED
        assert answer(program, here, "sendto", 3, 0, 0, 0, address, 0) == REFUSED
        assert answer(program, here, "mmap", 0, 1, 3, 0x22 | address) == REFUSED


def test_the_numbers_are_those_of_libseccomp() -> None:
    """Compare with libseccomp if it is installed, as it is on Debian and Ubuntu."""
    try:
        oracle = ctypes.CDLL("libseccomp.so.2")
    except OSError:
        pytest.skip("libseccomp is not here")
    resolve = oracle.seccomp_syscall_resolve_name_arch

    for here in (X86_64, AARCH64):
        numbers = {name: resolve(ctypes.c_uint32(here.word), name.encode()) for name in here.numbers}
        assert numbers == dict(here.numbers)


def test_filter_works_on_this_machine() -> None:
    assert seccomp.here() in (X86_64, AARCH64)
    assert seccomp.available()
