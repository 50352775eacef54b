"""seccomp: the system calls that a child is refused, as a filter for Linux on x86_64."""

import ctypes
import errno
import struct

from studykit.sandbox.landlock import libc

_SECCOMP, _SET_MODE_FILTER, _ALL_THREADS = 317, 1, 1
_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _AND, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x54, 0x06
_ALLOW, _KILL, _ERRNO = 0x7FFF0000, 0x80000000, 0x00050000
_X86_64, _X32 = 0xC000003E, 0x40000000
_NUMBER, _ARCHITECTURE, _ARGUMENTS = 0, 4, 16
_PRCTL_REFUSED = (errno.EPERM, "seccomp")

_SOCKETS = (41, 49, 50, 43, 288, 42)  # socket bind listen accept accept4 connect
_PROCESSES = (57, 58, 59, 322, 272, 308, 109, 112, 155, 161)  # fork vfork execve execveat unshare setns ...
_OTHERS = (200, 129, 297, 424, 434, 438, 101, 310, 311, 312, 440)  # signals to others, pidfd, ptrace, their memory
_FILES = (
    90,
    91,
    92,
    93,
    94,
    260,
    268,
    452,
    132,
    235,
    261,
    280,
    133,
    259,
    188,
    189,
    190,
    197,
    198,
    199,
    463,
    466,
    469,
    76,
)
_MEMORY = (29, 30, 31, 319, 447, 149, 151, 325, 64, 68, 240)  # shared memory, memfd, mlock: outside RLIMIT_DATA
_MOUNTS = (165, 166, 428, 429, 430, 431, 432, 433, 442, 467)
_MACHINE = (
    167,
    168,
    169,
    170,
    171,
    172,
    173,
    175,
    176,
    313,
    246,
    320,
    163,
    179,
    103,
    153,
    154,
)  # swap reboot modules
_CLOCKS = (164, 159, 227, 305)
_KEYS = (248, 249, 250)
_DOORS = (298, 321, 323, 425, 426, 427, 300, 303, 304)  # perf bpf userfaultfd io_uring fanotify file handles
_PRIORITIES = (141, 144, 251, 314, 160, 135)  # setrlimit and personality among them
_SOCKET_PAIR, _CLONE, _CLONE3, _MMAP, _KILL_CALL, _TGKILL, _FCNTL, _PRLIMIT = 53, 56, 435, 9, 62, 234, 72, 302
_CLONE_THREAD, _SHARED_ANONYMOUS = 0x10000, 0x21
_OPEN, _OPEN_AT, _OPEN_AT_2, _PRCTL, _SET_DEATH_SIGNAL = 2, 257, 437, 157, 1
_ACCESS_MODE, _TRUNCATE = 3, 0x200
_UNKNOWN = 470  # numbers from here on came after this list was made
_OWNER_COMMANDS = (8, 10, 15)  # F_SETOWN, F_SETSIG, F_SETOWN_EX: a signal to anybody by way of a descriptor


def install(pid: int, *, cuda: bool = False) -> None:
    """Refuse this process, for good, every call above; `no_new_privs` must be set."""
    program = _program(pid, cuda=cuda)
    buffer = ctypes.create_string_buffer(program, len(program))
    header = struct.pack("HxxxxxxP", len(program) // 8, ctypes.addressof(buffer))
    if libc.syscall(_SECCOMP, _SET_MODE_FILTER, _ALL_THREADS, header) != 0:
        raise OSError(ctypes.get_errno(), "seccomp")


def _program(pid: int, *, cuda: bool) -> bytes:
    refused = {*_PROCESSES, *_OTHERS, *_FILES, *_MEMORY, *_SOCKETS, _SOCKET_PAIR}
    refused |= {*_MOUNTS, *_MACHINE, *_CLOCKS, *_KEYS, *_DOORS, *_PRIORITIES}
    if cuda:  # the driver talks over unix sockets of its own and shares memory with the kernel
        refused -= {41, 49, 50, 43, 288, 42, 53, 319}
    lines = [_line(_LOAD, _ARCHITECTURE), _line(_EQUAL, _X86_64, 1, 0), _line(_RETURN, _KILL)]
    lines += [_line(_LOAD, _NUMBER), _line(_AT_LEAST, _X32, 0, 1), _refuse()]
    for number in sorted(refused):
        lines += [_line(_EQUAL, number, 0, 1), _refuse()]
    lines += [_line(_AT_LEAST, _UNKNOWN, 0, 1), _refuse(errno.ENOSYS)]
    for number in (_CLONE3, _OPEN_AT_2):  # glibc then falls back to clone; their flags are out of a filter's sight
        lines += [_line(_EQUAL, number, 0, 1), _refuse(errno.ENOSYS)]
    for call, argument in (
        (_OPEN, 1),
        (_OPEN_AT, 2),
    ):  # what may be read is emptied so before Landlock's version 3
        emptied = [_line(_AND, _ACCESS_MODE | _TRUNCATE), _line(_EQUAL, _TRUNCATE, 0, 1), _refuse()]
        lines += _when(call, argument, emptied)
    lines += _when(_PRCTL, 0, [_line(_EQUAL, _SET_DEATH_SIGNAL, 0, 1), _refuse()])
    lines += _when(_CLONE, 0, [_line(_ANY_BIT, _CLONE_THREAD, 1, 0), _refuse()])
    for call in (_KILL_CALL, _TGKILL):
        lines += _when(call, 0, [_line(_EQUAL, pid, 1, 0), _refuse()])
    for command in _OWNER_COMMANDS:
        lines += _when(_FCNTL, 1, [_line(_EQUAL, command, 0, 1), _refuse()])
    lines += _when(_PRLIMIT, 2, [_line(_EQUAL, 0, 1, 0), _refuse()])
    if cuda:
        lines += _when(41, 0, [_line(_EQUAL, 1, 1, 0), _refuse()])  # AF_UNIX alone
    else:
        wanted = _line(_EQUAL, _SHARED_ANONYMOUS, 0, 1)
        lines += _when(_MMAP, 3, [_line(_AND, _SHARED_ANONYMOUS), wanted, _refuse()])
    return b"".join([*lines, _line(_RETURN, _ALLOW)])


def _when(call: int, argument: int, body: list[bytes]) -> list[bytes]:
    """`body` looks at the argument's low word and falls through when it has no objection."""
    loaded = [_line(_LOAD, _ARGUMENTS + 8 * argument), *body, _line(_LOAD, _NUMBER)]
    return [_line(_EQUAL, call, 0, len(loaded)), *loaded]


def _refuse(code: int = errno.EPERM) -> bytes:
    return _line(_RETURN, _ERRNO | code)


def _line(code: int, k: int, yes: int = 0, no: int = 0) -> bytes:
    return struct.pack("HBBI", code, yes, no, k)
