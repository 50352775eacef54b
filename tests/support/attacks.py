"""Define answers that try to leave the sandbox or to be graded right, with texts from `tests/data/attacks`.

An attack is the body of a function that returns a list of what it gained, which is empty if it gained nothing.
`call(number, ...)` is a system call of x86_64 with its error as a negative number; SCENE is what could be spoilt.
"""

from data_files import blocks

PARTS = dict(blocks("attacks/parts"))
"""Pieces of attacks, and attacks with a test of their own."""
MEMORY_MIB = 64
_PIECES = {
    "private": (0x22, "-1"),
    "not reserved": (0x4022, "-1"),
    "shared and of no file": (0x21, "-1"),
    "growing down": (0x122, "-1"),
    "growing down as a stack": (0x20122, "-1"),
    "huge": (0x40022, "-1"),
    "locked": (0x2022, "-1"),
    "populated": (0x8022, "-1"),
    "/dev/zero": (2, "zero()"),
    "/dev/zero shared": (1, "zero()"),
    "/dev/zero shared and checked": (3, "zero()"),
}
"""Flags and descriptors of pages that are mapped piece by piece."""


def f(body: str) -> str:
    """Return the attack as a whole file."""
    return f"{PARTS['prelude']}\ndef f():\n{_indented(body)}\n"


def memory(body: str) -> str:
    """Return an attack on the memory limit as a whole file."""
    return f(PARTS["touch"] + body)


def random_calls(seed: int) -> str:
    """Return an attack of allowed system calls with arguments drawn from a seed."""
    return PARTS["random calls"].format(seed=seed)


def in_a_thread(body: str) -> str:
    """Return a file that runs the attack in a thread started after the lock, as a bet may start threads."""
    thread = "thread = threading.Thread(target=lambda: gains.extend(inner()))\nthread.start()\nthread.join()"
    return f(f"import threading\ngains = []\ndef inner():\n{_indented(body)}\n{thread}\nreturn gains")


def _indented(body: str) -> str:
    return "\n".join(f"    {line}" for line in body.strip().splitlines())


_HELD = dict(blocks("attacks/held"))
HELD = {name: f(body) for name, body in _HELD.items()}
HELD["text of libraries, again"] = HELD["text of libraries is its own"]
HELD["the page of calls, again"] = HELD["the page of calls that the kernel lends to all"]
"""Attacks that gain nothing and change nothing. The repeated ones look for marks of their first run."""

MEMORY = {
    name: PARTS["pieces"].format(flags=flags, descriptor=descriptor)
    for name, (flags, descriptor) in _PIECES.items()
} | dict(blocks("attacks/memory"))
"""Ways to more memory: each returns the MiB that it wrote to; the stack may end the process."""

_TIME = [(heading.partition(": ")[::2], body) for heading, body in blocks("attacks/time")]
CPU = {name: body for (kind, name), body in _TIME if kind == "cpu"}
WALL = {name: body for (kind, name), body in _TIME if kind == "wall"}
"""Attacks that try to run longer than their processor time or wall time."""

DOORS = dict(blocks("attacks/doors"))
"""Machine code for calls that the tables do not name: each ends the process."""

IN_A_THREAD = {
    "reading": in_a_thread(_HELD["reading"]),
    "writing": in_a_thread(_HELD["writing"]),
    "sockets": in_a_thread(_HELD["2 sockets"]),
    "other processes": in_a_thread(_HELD["4 other processes"]),
    "odd clones": f(PARTS["clones"] + "return gains"),
    "clones in vain": f(PARTS["clones"] + PARTS["clones in vain"] + "return gains"),
    "lists of locks": f(PARTS["lists of locks"] + "return []"),
}

CHEATS = {
    name: (source, set(verdicts.split()))
    for (name, _, verdicts), source in (
        (heading.rpartition(": "), text) for heading, text in blocks("attacks/cheats")
    )
}
"""Ways to be graded right without writing the rewrite, each with the verdicts that may come of it."""

_FORGED = dict(blocks("attacks/forged_replies"))
_FORGED_PRELUDE = _FORGED.pop("prelude")
FORGED = {name: f"{_FORGED_PRELUDE}\ndef f(x, h):\n{_indented(body)}\n" for name, body in _FORGED.items()}
"""Replies that a child may forge on its channel, and ends that it may come to: none is a right answer."""
