"""Grade submissions in processes on this machine, one per core, and replace processes that end or hang."""

import json
import os
import socket
import subprocess
import sys
import time
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import ExitStack, suppress
from dataclasses import asdict, dataclass, field
from itertools import islice
from math import ceil
from pathlib import Path
from queue import Empty, LifoQueue

from studykit.errors import MissingError
from studykit.sandbox.channel import Message, MessageReader, WireError, pack
from studykit.sandbox.lockdown import group_cores
from studykit.sandbox.worker import START_S
from studykit.submissions.grader import MAX_FRAME_BYTES, Result, over_budget
from studykit.submissions.submission import Submission

MAX_TRIES = 2
"""A submission whose grader ends is graded once more by another grader."""
_MAX_STARTS = 3  # of a grader, if each fails
_CLOSE_S = 5.0
_SEND_S = 10.0  # for a grader that does not read, which the time limit ends
_POLL_S = 0.5
# A poll that took longer means that everything was stopped, as by `docker pause`, or that the disk was slow.
_MAX_COUNTED_POLL_S = 1.0


def cores() -> int:
    """Return how many cores this process may use, by its affinity and its control groups."""
    count = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, ceil(min(count, group_cores())))


@dataclass(slots=True)
class GraderProcess:
    """Control one grader process, which grades one submission at a time."""

    process: "subprocess.Popen[bytes]"
    channel: socket.socket
    _reader: MessageReader = field(default_factory=lambda: MessageReader(MAX_FRAME_BYTES))
    _frames: deque[Message] = field(default_factory=deque)

    def trouble(self) -> str:
        """Wait until the process is ready. Return why it cannot grade, or ""."""
        try:
            return str(self._next(START_S).header["ready"])
        except TimeoutError:
            return f"it was not ready after {START_S:g} seconds"
        except WireError:
            return "its process ended while it started"

    def grade(self, submission: Submission, budget_s: float) -> Result:
        """Grade a submission. Raise TimeoutError if its time is up, or WireError if the process ended."""
        header = asdict(submission)
        source = str(header.pop("source")).encode()
        self.channel.settimeout(_SEND_S)
        with suppress(OSError):  # if the process ended, reading will notice
            self.channel.sendall(pack(header, [source]))
        frame = self._next(budget_s)
        # On a second try it starts a worker of its own, which is not to cost the submission time.
        if "again" in frame.header:
            frame = self._next(START_S + budget_s)
        return Result(**json.loads(frame.blobs[0]))

    def _next(self, remaining_s: float) -> Message:
        self.channel.settimeout(_POLL_S)
        while not self._frames:
            if remaining_s < 0:
                raise TimeoutError
            began = time.monotonic()
            try:
                data = self.channel.recv(1 << 16)
            except TimeoutError:
                remaining_s -= min(time.monotonic() - began, _MAX_COUNTED_POLL_S)
                continue
            except OSError:
                data = b""
            if not data:
                raise WireError("The grader process ended.")
            self._frames.extend(self._reader.frames(data))
        return self._frames.popleft()

    def end(self, *, idle: bool = False) -> None:
        """End the process: let an idle one close its files, and kill a busy one with its children."""
        self.channel.close()
        if idle:
            with suppress(subprocess.TimeoutExpired):
                self.process.wait(_CLOSE_S)
        self.process.kill()
        self.process.wait()


@dataclass(slots=True)
class GraderProcesses:
    """Grade on this machine, with a thread for each grader process. `close` ends all of them."""

    device: str | None
    runtime: Path | None
    budget_s: float
    most: int = field(default_factory=cores)
    _graders: list[GraderProcess] = field(default_factory=list)
    _idle: "LifoQueue[GraderProcess]" = field(default_factory=LifoQueue)
    _closed: bool = False

    def results(self, submissions: Iterable[Submission]) -> Iterator[Result | None]:
        """Yield results in any order, and None twice a second while waiting.

        A submission is read only when a grader is free, so that a whole class is never in memory.
        """
        coming, pending = iter(submissions), set[Future[Result]]()
        threads = ThreadPoolExecutor(self.most)
        try:
            while True:
                submissions_now = islice(coming, self.most - len(pending))
                pending |= {threads.submit(self.grade, submission) for submission in submissions_now}
                if not pending:
                    return
                done, pending = wait(pending, _POLL_S, FIRST_COMPLETED)
                yield from [future.result() for future in done] or (None,)
        finally:
            self.close()
            threads.shutdown(cancel_futures=True)

    def grade(self, submission: Submission) -> Result:
        """Grade one submission, with a grader that then waits for the next one."""
        for _ in range(MAX_TRIES):
            grader = self._free_grader()
            try:
                result = grader.grade(submission, self.budget_s)
            except TimeoutError:
                self._dismiss(grader)
                return over_budget(submission, self.budget_s)
            except WireError:
                self._dismiss(grader)
            else:
                self._idle.put(grader)
                if self._closed:  # it was closed meanwhile, so this grader is not needed
                    self._end_idle()
                return result
        why = f"Not graded: its grader ended {MAX_TRIES} times. Grade it by itself to see why."
        return Result(submission.name, {"problem": why})

    def close(self) -> None:
        """End all graders. The thread of a busy one gets a WireError."""
        self._closed = True
        self._end_idle()
        for grader in list(self._graders):
            grader.process.kill()

    def _end_idle(self) -> None:
        with suppress(Empty):
            while True:
                grader = self._idle.get_nowait()
                self._graders.remove(grader)
                grader.end(idle=True)

    def _free_grader(self) -> GraderProcess:
        """Return an idle grader, or start one. Raise MissingError if none can start."""
        why = "they were closed"
        for _ in range(_MAX_STARTS):
            if self._closed:
                break
            with suppress(Empty):
                return self._idle.get_nowait()
            try:
                grader = self._started()
            except OSError as error:  # no more processes or files are allowed, so wait for a grader to be free
                why = str(error.strerror)
                while self._graders and not self._closed:
                    with suppress(Empty):
                        return self._idle.get(timeout=_POLL_S)
                continue
            self._graders.append(grader)
            if not (self._closed or (why := grader.trouble())):
                return grader
            self._dismiss(grader)
            time.sleep(_POLL_S)  # the shared worker may have been killed, and is starting again
        raise MissingError(f"The graders cannot start ({why.rstrip('.')}). Results so far are saved. Try again.")

    def _started(self) -> GraderProcess:
        own_end, grader_end = socket.socketpair()
        own_end.settimeout(_SEND_S)
        own_end.sendall(pack({"device": self.device, "runtime": str(self.runtime) if self.runtime else ""}))
        with grader_end, ExitStack() as on_error:
            on_error.enter_context(own_end)
            process = subprocess.Popen(  # noqa: S603 - our own interpreter
                [sys.executable, "-P", "-m", "studykit.submissions.grader", str(grader_end.fileno())],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                pass_fds=[grader_end.fileno()],
                start_new_session=True,  # Ctrl-C must reach only this process, which then ends the grader
            )
            on_error.pop_all()
        return GraderProcess(process, own_end)

    def _dismiss(self, grader: GraderProcess) -> None:
        self._graders.remove(grader)
        grader.end()
