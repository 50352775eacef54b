"""Write a class's folder of submissions, hostile ones included, with the allowed verdicts of each."""

import os
import random
import socket
from collections.abc import Callable, Iterator
from itertools import cycle, islice
from pathlib import Path

from attacks import CHEATS

from studykit.submissions.submission import Submission

RIGHT = "from einops import rearrange\n\ndef f(x, h):\n    return rearrange(x, 'b s (h d) -> b h s d', h=h)\n"
WRONG = RIGHT.replace("(h d)", "(d h)")
NOT_READ = frozenset({""})  # a problem instead of a grade
NEVER_RIGHT = frozenset({"incorrect", "malformed", "crashed", "refused", "timed_out"})
ABROAD = (
    b"caf\xe9",
    "änne-λ".encode(),
    b"a\nb",
    b"tab\there",
    b"red\x1b[31m",
    "tx\u202eyp".encode(),
    b"back\\slash",
)

Made = tuple[bytes, frozenset[str]]
Maker = Callable[[Path, bytes], frozenset[str]]


def a_submission(source: str = RIGHT, name: str = "ann.py") -> Submission:
    """Return a submission of a rewrite, whose mark depends only on its source."""
    return Submission(name, "rewrite.split_heads", source, 3, f"mark of {source}")


def make(folder: Path, count: int, *, torch: bool) -> dict[bytes, frozenset[str]]:
    """Write `count` submissions, of each kind in turn, and return the allowed verdicts by file name."""
    draw = random.Random(7)
    kinds = [*_quick(), *_rest(), *_hostile(draw, torch=torch)]
    verdicts = {}
    for number, (kind, write) in enumerate(islice(cycle(kinds), count)):
        name = b"%04d-%s.py" % (number, kind)
        verdicts[name] = write(folder, name)
    return verdicts


def _text(text: str | bytes, *verdicts: str) -> Maker:
    def write(folder: Path, name: bytes) -> frozenset[str]:
        data = text.encode() if isinstance(text, str) else text
        (folder / os.fsdecode(name)).write_bytes(data)
        return frozenset(verdicts)

    return write


BODY = RIGHT.replace("rearrange\n", "rearrange, repeat\n").replace("    return", "    y = {}\n    return")
CRASH = BODY.format("rearrange(repeat(x, 'b s d -> b s d q r', q=4096, r=4096), 'b s d q r -> r q d s b') + 1")
SLOW = BODY.format("4096 ** 4096 ** 4096")


def _quick() -> Iterator[tuple[bytes, Maker]]:
    """Yield a dozen kinds of submissions that are quick to grade, each with the function that writes one."""
    yield b"right", _text(RIGHT, "correct")
    yield b"wrong", _text(RIGHT.replace("(h d)", "(d h)"), "incorrect")
    yield ABROAD[0], _text(RIGHT, "correct")
    yield b"no-python", _text("def f(x, h) return x", "malformed")
    yield b"long-number", _text(RIGHT.replace("h=h", f"h=0x{'f' * 3850}"), *NEVER_RIGHT)
    yield b"crash", _text(CRASH, "crashed")
    yield b"not-text", _text(b"\xff\xfe\x00", "")
    yield b"large", _text(b"#" * (1 << 21), "")
    yield b"link", _made(lambda path: path.symlink_to("0000-right.py"))
    yield b"zero", _made(lambda path: path.symlink_to("/dev/zero"))
    yield b"pipe", _made(os.mkfifo)
    yield b"right", _text(RIGHT, "correct")


def _rest() -> Iterator[tuple[bytes, Maker]]:
    yield b"slow", _text(SLOW, "timed_out", "crashed")
    yield b"gone", _made(lambda path: path.symlink_to("nowhere"))
    yield b"up", _made(lambda path: path.symlink_to(".."))
    yield b"socket", _made(_listening)
    yield from ((name, _text(RIGHT, "correct")) for name in ABROAD[1:])


def _made(make_file: Callable[[Path], object]) -> Maker:
    def write(folder: Path, name: bytes) -> frozenset[str]:
        make_file(folder / os.fsdecode(name))
        return NOT_READ

    return write


def _listening(path: Path) -> None:
    descriptor = os.open(path.parent, os.O_RDONLY)  # a long path does not fit an address
    with socket.socket(socket.AF_UNIX) as left:
        left.bind(f"/proc/self/fd/{descriptor}/{path.name}" if len(str(path)) > 100 else str(path))
    os.close(descriptor)


def _hostile(draw: random.Random, *, torch: bool) -> Iterator[tuple[bytes, Maker]]:
    for title in draw.sample(sorted(CHEATS), len(CHEATS)):
        source, verdicts = CHEATS[title]
        yield b"cheat-" + title[:2].encode(), _text(source, *(verdicts if torch else NEVER_RIGHT))
