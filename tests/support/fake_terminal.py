"""Fake a terminal whose keys come from a script and whose output is kept."""

from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager

from studykit.terminal.input.keys import HangupError, Key


class FakeKeys:
    """Return keys from a script, then hang up."""

    pokes = 0

    def __init__(self, *names: str) -> None:
        self.waiting = deque(names)

    def read(self, _timeout: float | None = None) -> Key:
        if not self.waiting:
            raise HangupError
        name = self.waiting.popleft()
        return Key(name, name if len(name) == 1 else " " if name == "space" else "")

    def forget(self) -> None:
        self.waiting.popleft()  # what is pressed later comes all the same


class FakeTerminal:
    """Fake a terminal that remembers what was written to it."""

    def __init__(self, *names: str, columns: int = 60, rows: int = 20) -> None:
        self.keys = FakeKeys(*names)
        self.written = ""
        self.lent = 0
        self._size = columns, rows

    def size(self) -> tuple[int, int]:
        return self._size

    def write(self, text: str) -> None:
        self.written += text

    @contextmanager
    def away(self) -> Iterator[None]:
        self.lent += 1
        yield


def edited(text: str) -> str | None:
    return text + ".py"
