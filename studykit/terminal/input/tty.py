"""Take over a terminal for a session, its mode, screen and signals, and restore them however the session ends."""

import atexit
import os
import select
import signal
import termios
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType, TracebackType
from typing import Any, Self

from studykit.terminal.input.keys import HangupError, KeyReader

_ENTER_SCREEN = "\x1b[?1049h\x1b[H"
_LEAVE_SCREEN = "\x1b[?1049l"
_PASTE_ON, _PASTE_OFF = "\x1b[?2004h", "\x1b[?2004l"
_CURSOR_ON = "\x1b[?25h"
_STYLE_OFF = "\x1b[0m"
_PATIENCE_SECONDS = 1.0
_LOCAL_FLAGS, _CONTROL_CHARACTERS = 3, 6

Handler = Callable[[int, FrameType | None], Any] | int | signal.Handlers | None


class Terminal:
    """Keep the terminal in cbreak mode, and on the alternate screen with `screen`, during a `with` block.

    Ctrl-C stays KeyboardInterrupt. SIGTERM and SIGHUP restore the terminal and end the process with 128 + signal.
    Ctrl-Z restores it, stops, and takes it over again when the process continues.
    """

    def __init__(self, read_from: int = 0, write_to: int = 1, *, screen: bool) -> None:
        self._read_from = read_from
        self._write_to = write_to
        self._screen = screen
        self._saved_mode: list[Any] | None = None
        self._handlers: dict[signal.Signals, Handler] = {}
        self.keys = KeyReader(read_from)

    def __enter__(self) -> Self:
        atexit.register(self._give_back)
        for number, handler in (
            (signal.SIGTERM, self._end),
            (signal.SIGHUP, self._end),
            (signal.SIGTSTP, self._stop),
            (signal.SIGWINCH, lambda *_: self.keys.poke("redraw")),
            (signal.SIGINT, lambda *_: self.keys.interrupt()),
        ):
            self._handlers[number] = signal.signal(number, handler)
        self._take()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._give_back()
        for number, handler in self._handlers.items():
            signal.signal(number, handler)
        atexit.unregister(self._give_back)
        self.keys.close()
        if kind is not None and issubclass(kind, HangupError):
            raise SystemExit(128 + signal.SIGHUP) from error

    def size(self) -> tuple[int, int]:
        """Return columns and rows, 80 x 24 if the terminal does not say."""
        with suppress(OSError):
            columns, rows = os.get_terminal_size(self._write_to)
            if columns and rows:
                return columns, rows
        return 80, 24

    def write(self, text: str) -> None:
        """Send text at once, or raise HangupError if the terminal is gone."""
        data = text.encode("utf-8", "replace")
        while data:
            try:
                data = data[os.write(self._write_to, data) :]
            except OSError as error:
                raise HangupError from error

    @contextmanager
    def away(self) -> Iterator[None]:
        """Lend the terminal to another program, such as an editor."""
        self._give_back()
        try:
            yield
        finally:
            self._take()
            self.keys.poke("redraw")

    def _take(self) -> None:
        try:
            self._saved_mode = termios.tcgetattr(self._read_from)
            attributes = termios.tcgetattr(self._read_from)  # again, as its inner list is changed below
            # ISIG stays set, so that Ctrl-C, Ctrl-Z and Ctrl-\ still send signals.
            attributes[_LOCAL_FLAGS] &= ~(termios.ICANON | termios.ECHO)
            # A read returns as soon as there is one byte.
            attributes[_CONTROL_CHARACTERS][termios.VMIN], attributes[_CONTROL_CHARACTERS][termios.VTIME] = 1, 0
            termios.tcsetattr(self._read_from, termios.TCSANOW, attributes)  # does not flush: type-ahead survives
        except (termios.error, OSError) as error:
            raise HangupError from error
        self.write((_ENTER_SCREEN if self._screen else "") + _PASTE_ON)

    def _give_back(self) -> None:
        """Restore the terminal, silently if it is gone or belongs to another program now."""
        mode = self._saved_mode
        if mode is None or not self._is_in_foreground():
            self._saved_mode = None
            return
        with suppress(HangupError):
            self._write_at_end(_STYLE_OFF + _PASTE_OFF + _CURSOR_ON + (_LEAVE_SCREEN if self._screen else ""))
        # The kernel stops a background process that sets modes, so that it would never end.
        former_handler = signal.signal(signal.SIGTTOU, signal.SIG_IGN)
        with suppress(termios.error, OSError):
            termios.tcsetattr(self._read_from, termios.TCSANOW, mode)
        signal.signal(signal.SIGTTOU, former_handler)
        self._saved_mode = None  # last: a second Ctrl-C up to here leaves the work to the end of the process

    def _write_at_end(self, text: str) -> None:
        """Write text if the terminal accepts it soon. A terminal stopped by Ctrl-S must not delay the end."""
        with suppress(OSError, ValueError):
            if select.select([], [self._write_to], [], _PATIENCE_SECONDS)[1]:
                self.write(text)

    def _is_in_foreground(self) -> bool:
        try:
            return os.tcgetpgrp(self._read_from) == os.getpgrp()
        except OSError:
            return False

    def _end(self, number: int, _frame: FrameType | None) -> None:
        for ending in (signal.SIGTERM, signal.SIGHUP):
            signal.signal(ending, signal.SIG_IGN)  # a second one must not disturb the restoring
        raise SystemExit(128 + number)

    def _stop(self, _number: int, _frame: FrameType | None) -> None:
        was_taken = self._saved_mode is not None
        self._give_back()
        signal.signal(signal.SIGTSTP, signal.SIG_DFL)  # which alone stops the process
        os.kill(os.getpid(), signal.SIGTSTP)
        # The process continues here.
        signal.signal(signal.SIGTSTP, self._stop)
        if was_taken:
            self._take()
            self.keys.poke("redraw")
