"""Let the worker decide about each thread that a child wants to start.

RLIMIT_NPROC does not bind root, and a seccomp filter cannot count. So the child's filter suspends the call that
would start a thread until the worker answers. The worker counts living threads, because libraries also end
threads.
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
_CONTINUE = 1  # SECCOMP_USER_NOTIF_FLAG_CONTINUE
MAX_LIVING = max(128, 2 * (os.cpu_count() or 1))
"""With this many living threads, no more may start. Each may be starting one now, so twice as many can exist."""


@dataclass(slots=True)
class ThreadGate:
    """Hold the descriptor on which a child asks for threads, or at first the socket that will bring it."""

    files: ProcessFiles  # of the child
    arriving: socket.socket
    listener: int = -1
    watched: bool = False  # the kernel asks about each thread; otherwise the worker must poll
    refused: int = 0

    def receive(self) -> bool:
        """Receive the gate from the child. Return False if the kernel lacks it, or the child has ended."""
        try:
            _, descriptors, _, _ = socket.recv_fds(self.arriving, 1, 1)
        except OSError:
            descriptors = []
        self.arriving.close()
        self.listener = descriptors[0] if descriptors else -1
        self.watched = bool(descriptors)
        return self.watched

    def answer(self) -> bool:
        """Decide about the next thread. Return False if the child has ended."""
        looking = select.poll()
        looking.register(self.listener, select.POLLIN)
        if not any(event & select.POLLIN for _, event in looking.poll(0)):
            return False
        question = bytearray(_QUESTION_BYTES)
        try:
            fcntl.ioctl(self.listener, _RECEIVE, question)
        except OSError as error:
            return error.errno in {errno.ENOENT, errno.EINTR}  # the thread that asked was killed meanwhile
        (question_id,) = struct.unpack_from("=Q", question)
        reply = (0, 0, _CONTINUE) if 0 < self.files.threads() < MAX_LIVING else (0, -errno.EAGAIN, 0)
        self.refused += reply[1] != 0
        with contextlib.suppress(OSError):
            fcntl.ioctl(self.listener, _SEND, struct.pack("=QqiI", question_id, *reply))
        return True

    def fileno(self) -> int:
        """Return the descriptor to wait on."""
        return self.listener if self.watched else self.arriving.fileno()

    def close(self) -> None:
        """Close the gate's descriptors."""
        self.arriving.close()
        if self.listener >= 0:
            os.close(self.listener)
            self.listener = -1


def hand_over(descriptor: int) -> None:
    """Install the gate in this child and send its descriptor to the worker, or nothing if the kernel lacks it."""
    with socket.socket(fileno=descriptor) as arriving, contextlib.suppress(OSError):
        listener = seccomp.ask_for_threads()
        try:
            socket.send_fds(arriving, [b"g"], [listener])
        finally:
            os.close(listener)
