"""The worker's decision on each thread that a child would start.

RLIMIT_NPROC does not bind root, and a filter cannot count. The child's filter stops the call that would start a
thread until the worker has answered. Libraries start and end threads as they please: those that live are counted.
"""

import contextlib
import errno
import fcntl
import os
import select
import socket
import struct
from dataclasses import dataclass

from studykit.graders.child.usage import ProcessFiles
from studykit.sandbox import seccomp

_RECEIVE, _SEND = 0xC0502100, 0xC0182101  # SECCOMP_IOCTL_NOTIF_RECV and _SEND
_QUESTION_BYTES = 80
_GO_ON = 1
LIVING = max(128, 2 * (os.cpu_count() or 1))
"""No thread is added to as many; all of them may be starting one, so there are never more than twice as many."""


@dataclass(slots=True)
class ThreadGate:
    """One child's gate: first where its descriptor will come from, then that descriptor."""

    files: ProcessFiles  # of the child
    arriving: socket.socket
    listener: int = -1
    watched: bool = False  # the kernel asks; else the worker must look
    refused: int = 0

    def receive(self) -> bool:
        """Return whether the child has handed its gate over. False if it cannot, or has ended."""
        try:
            _, descriptors, _, _ = socket.recv_fds(self.arriving, 1, 1)
        except OSError:
            descriptors = []
        self.arriving.close()
        self.listener = descriptors[0] if descriptors else -1
        self.watched = bool(descriptors)
        return self.watched

    def answer(self) -> bool:
        """Decide on the thread that is asked for. Return False when the child has ended."""
        looking = select.poll()
        looking.register(self.listener, select.POLLIN)
        if not any(event & select.POLLIN for _, event in looking.poll(0)):
            return False
        question = bytearray(_QUESTION_BYTES)
        try:
            fcntl.ioctl(self.listener, _RECEIVE, question)
        except OSError as error:
            return error.errno in {errno.ENOENT, errno.EINTR}  # who asked was killed meanwhile
        (asked,) = struct.unpack_from("=Q", question)
        reply = (0, 0, _GO_ON) if 0 < self.files.threads() < LIVING else (0, -errno.EAGAIN, 0)
        self.refused += reply[1] != 0
        with contextlib.suppress(OSError):
            fcntl.ioctl(self.listener, _SEND, struct.pack("=QqiI", asked, *reply))
        return True

    def fileno(self) -> int:
        """Return the descriptor to wait on."""
        return self.listener if self.watched else self.arriving.fileno()

    def close(self) -> None:
        """Let go of it."""
        self.arriving.close()
        if self.listener >= 0:
            os.close(self.listener)
            self.listener = -1


def hand_over(descriptor: int) -> None:
    """Hand the child's own gate to the worker, or nothing if the kernel lacks it."""
    with socket.socket(fileno=descriptor) as arriving, contextlib.suppress(OSError):
        listener = seccomp.ask_for_threads()
        try:
            socket.send_fds(arriving, [b"g"], [listener])
        finally:
            os.close(listener)
