"""List the system calls that a child may make, for each architecture: names, numbers and allowed arguments.

The list comes from tracing all exercises: right and wrong rewrites, explanations, bets counted and timed.
All other calls are refused. An argument is compared as wide as the kernel reads it: flags 32 bits, pointers 64.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

_LOW_WORD, _WHOLE_WORD = (1 << 32) - 1, (1 << 64) - 1


@dataclass(frozen=True, slots=True)
class CallArgument:
    """Require that an argument, after masking, is one of these values."""

    place: int
    values: tuple[int, ...]
    mask: int = _LOW_WORD


@dataclass(frozen=True, slots=True)
class Architecture:
    """Describe a processor: its id in the filter's data, its call numbers, and its values of some flags."""

    name: str
    word: int
    numbers: Mapping[str, int]
    foreign: int  # calls from this number on belong to another ABI, 0 if there is none
    reading: int  # flags that open may have
    protection: int  # flags that memory may have: read, write, execute
    queries: Mapping[str, tuple[int, ...]]  # queries about the processor, by the call that makes them


UNKNOWN = 470
"""Call numbers from here on are newer than these tables."""
ABSENT = ("clone3", "openat2", "faccessat2", "statx")
"""Refused with ENOSYS, so that libc falls back to older calls: a filter cannot see arguments behind a pointer."""

_FREE = (
    *("read", "write", "close", "lseek", "pread64", "getdents64", "fstat", "newfstatat", "stat", "lstat"),
    *("readlink", "readlinkat", "access", "faccessat", "getcwd"),
    *("brk", "munmap", "getrandom", "sysinfo", "uname"),
    *("rt_sigaction", "rt_sigprocmask", "rt_sigreturn", "sigaltstack", "restart_syscall"),
    *("sched_yield", "nanosleep", "gettimeofday", "time", "times", "getrusage", "getcpu"),
    *("getpid", "getppid", "gettid", "getuid", "geteuid", "getgid", "getegid"),
    *("set_robust_list", "rseq", "exit", "exit_group"),
)
_FREELY: tuple[tuple[CallArgument, ...], ...] = ((),)
_PRIVATE, _FIXED, _ANONYMOUS = 0x02, 0x10, 0x20
_MAP_FLAGS = 0x800 | 0x1000 | 0x4000 | 0x8000 | 0x20000 | 0x100000  # MAP_DENYWRITE ... MAP_FIXED_NOREPLACE
_ADVICE = (0, 1, 2, 3, 4, 8, 14, 15, 16, 17)  # MADV_NORMAL ... MADV_DONTNEED, FREE, HUGEPAGE, DONTDUMP
_FUTEX = (0, 1, 3, 4, 5, 9, 10)  # wait and wake, but not FUTEX_LOCK_PI, which names other processes
_FUTEX_OPTIONS = 128 | 256
_CLOCKS = tuple(range(12))  # higher numbers are the CPU clocks of other processes
_DESCRIPTOR_COMMANDS = (1, 2, 3)  # F_GETFD, F_SETFD, F_GETFL
_NO_SIGNAL = 0x4000  # MSG_NOSIGNAL
_IS_TERMINAL = 0x5401  # TCGETS
_OF_DRIVERS = (0x4600, 0x4700, 0x4B00, 0x6400)  # ioctls of NVIDIA's nodes, of WSL 2's, and of AMD's two
_THREAD = 0x100 | 0x200 | 0x400 | 0x800 | 0x10000 | 0x40000  # CLONE_VM, FS, FILES, SIGHAND, THREAD, SYSVSEM
_THREAD_OPTIONS = 0x80000 | 0x100000 | 0x200000 | 0x400000  # SETTLS, PARENT_SETTID, CHILD_CLEARTID, DETACHED


def allowed(
    architecture: Architecture, pid: int, *, threads: bool = False, cuda: bool = False, pinned: bool = False
) -> Iterator[tuple[int, tuple[tuple[CallArgument, ...], ...]]]:
    """Yield the number of each call that process `pid` may make, with its allowed combinations of arguments.

    `pinned` allows shared memory without a file, which is how a GPU's driver pins host memory.
    """
    ways = dict.fromkeys(_FREE, _FREELY) | _limited(architecture, pid)
    if threads:
        ways["clone"] = ((_among_bits(0, _THREAD, _THREAD_OPTIONS, wide=True),),)
    if cuda:
        ways = _with_driver(ways, architecture, _ANONYMOUS if pinned else 0)
    for name, ways_of_one in ways.items():
        if name in architecture.numbers:  # aarch64 never had the oldest calls
            yield architecture.numbers[name], ways_of_one


_Ways = dict[str, tuple[tuple[CallArgument, ...], ...]]


def _limited(architecture: Architecture, pid: int) -> _Ways:
    """Return the calls that are allowed only with certain arguments."""
    own_pid = CallArgument(0, (pid,), _WHOLE_WORD)
    clock = CallArgument(0, _CLOCKS)
    ways: _Ways = {
        "recvfrom": ((_null(4), _null(5)),),
        "sendto": ((CallArgument(3, (0, _NO_SIGNAL)), _null(4), _null(5)),),
        "futex": ((CallArgument(1, _FUTEX, _LOW_WORD & ~_FUTEX_OPTIONS),),),
        "mmap": (
            (_protection(architecture), _among_bits(3, _PRIVATE, _FIXED | _ANONYMOUS | _MAP_FLAGS, wide=True)),
        ),
        "mprotect": ((_protection(architecture),),),
        "madvise": ((CallArgument(2, _ADVICE),),),
        "openat": ((_among_bits(2, 0, architecture.reading),),),
        "open": ((_among_bits(1, 0, architecture.reading),),),
        "ioctl": ((CallArgument(1, (_IS_TERMINAL,)),),),
        "fcntl": ((CallArgument(1, _DESCRIPTOR_COMMANDS),),),
        "clock_gettime": ((clock,),),
        "clock_getres": ((clock,),),
        "clock_nanosleep": ((clock,),),
        "sched_getaffinity": ((CallArgument(0, (0, pid)),),),
        "prlimit64": ((CallArgument(0, (0,), _WHOLE_WORD), _null(2)),),
        "kill": ((own_pid,),),
        "tgkill": ((own_pid,),),
    }
    return ways | {name: ((CallArgument(0, values),),) for name, values in architecture.queries.items()}


def _with_driver(ways: _Ways, architecture: Architecture, pinned: int) -> _Ways:
    """Add the calls that a GPU's driver makes once its context exists. Only NVIDIA's was traced."""
    nodes = ((_among_bits(2, 0, architecture.reading),), (_among_bits(2, 2, architecture.reading),))
    own = CallArgument(1, _OF_DRIVERS, 0xFF00)  # ioctls of the driver's main nodes
    small = CallArgument(1, (0,), _LOW_WORD & ~0xFF)  # ioctls of nvidia-uvm, which have plain small numbers
    shared = (_protection(architecture), _among_bits(3, 1, _FIXED | _MAP_FLAGS | pinned, wide=True))
    free: _Ways = dict.fromkeys(("poll", "ppoll", "mremap"), _FREELY)
    return (
        ways
        | free
        | {
            "openat": nodes,  # a filter cannot see paths, but Landlock allows writing to little else
            "ioctl": (*ways["ioctl"], (own,), (small,), (CallArgument(1, (0x30000001, 0x30000002)),)),
            "mmap": (*ways["mmap"], shared),
        }
    )


def _null(place: int) -> CallArgument:
    return CallArgument(place, (0,), _WHOLE_WORD)


def _among_bits(place: int, needed: int, optional: int, *, wide: bool = False) -> CallArgument:
    """Require all `needed` bits and allow only the `optional` ones besides."""
    return CallArgument(place, (needed,), (_WHOLE_WORD if wide else _LOW_WORD) & ~optional)


def _protection(architecture: Architecture) -> CallArgument:
    return _among_bits(2, 0, architecture.protection, wide=True)


def _numbered(table: str) -> dict[str, int]:
    return {name: int(number) for name, number in (pair.split() for pair in table.split(","))}


_NUMBERS_X86_64 = """
    read 0, write 1, open 2, close 3, stat 4, fstat 5, lstat 6, poll 7, lseek 8, mmap 9, mprotect 10,
    munmap 11, brk 12, rt_sigaction 13, rt_sigprocmask 14, rt_sigreturn 15, ioctl 16, pread64 17, access 21,
    sched_yield 24, mremap 25, madvise 28, nanosleep 35, getpid 39, sendto 44, recvfrom 45, clone 56,
    exit 60, kill 62, uname 63, fcntl 72, getcwd 79, readlink 89, gettimeofday 96, getrusage 98, sysinfo 99,
    times 100, getuid 102, getgid 104, geteuid 107, getegid 108, getppid 110, sigaltstack 131,
    arch_prctl 158, gettid 186, time 201, futex 202, sched_getaffinity 204, getdents64 217,
    restart_syscall 219, clock_gettime 228, clock_getres 229, clock_nanosleep 230, exit_group 231,
    tgkill 234, openat 257, newfstatat 262, readlinkat 267, faccessat 269, ppoll 271, set_robust_list 273,
    prlimit64 302, getcpu 309, getrandom 318, statx 332, rseq 334, clone3 435, openat2 437, faccessat2 439
"""
_NUMBERS_AARCH64 = """
    getcwd 17, fcntl 25, ioctl 29, faccessat 48, openat 56, close 57, getdents64 61, lseek 62, read 63,
    write 64, pread64 67, ppoll 73, readlinkat 78, newfstatat 79, fstat 80, exit 93, exit_group 94,
    futex 98, set_robust_list 99, nanosleep 101, clock_gettime 113, clock_getres 114, clock_nanosleep 115,
    sched_getaffinity 123, sched_yield 124, restart_syscall 128, kill 129, tgkill 131, sigaltstack 132,
    rt_sigaction 134, rt_sigprocmask 135, rt_sigreturn 139, times 153, uname 160, getrusage 165, prctl 167,
    getcpu 168, gettimeofday 169, getpid 172, getppid 173, getuid 174, geteuid 175, getgid 176, getegid 177,
    gettid 178, sysinfo 179, sendto 206, recvfrom 207, brk 214, munmap 215, mremap 216, clone 220, mmap 222,
    mprotect 226, madvise 233, prlimit64 261, getrandom 278, statx 291, rseq 293, clone3 435, openat2 437,
    faccessat2 439
"""
_READING = 0x100 | 0x800 | 0x80000  # O_NOCTTY, O_NONBLOCK, O_CLOEXEC
X86_64 = Architecture(
    "x86_64",
    0xC000003E,
    _numbered(_NUMBERS_X86_64),
    foreign=0x40000000,  # x32
    reading=_READING | 0x8000 | 0x10000 | 0x20000,  # O_LARGEFILE, O_DIRECTORY, O_NOFOLLOW
    protection=7,
    queries={"arch_prctl": (0x1021, 0x1022, 0x1023)},  # may the tiles of AMX be used?
)
AARCH64 = Architecture(
    "aarch64",
    0xC00000B7,
    _numbered(_NUMBERS_AARCH64),
    foreign=0,
    reading=_READING | 0x20000 | 0x4000 | 0x8000,
    protection=7 | 0x10,  # PROT_BTI
    queries={"prctl": (51, 64)},  # how long are the vectors of SVE, of SME?
)
ARCHITECTURES = {each.name: each for each in (X86_64, AARCH64)}
