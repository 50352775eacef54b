"""Grades submissions in processes of this machine, one for each core, that are watched and started again."""

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

TRIES = 2
"""A submission whose grader ends is tried once more, in another."""
_STARTS = 3  # of a grader in a row that may come to nothing
_CLOSE_S = 5.0
_SEND_S = 10.0  # for a grader that does not read; the end of its time ends it
_LOOK_S = 0.5  # between two looks at who is late
_MAX_LOOK_S = 1.0  # that one look counts: all were stopped meanwhile, as by `docker pause`, or the disk was slow


def cores() -> int:
    """Return how many cores this process may use, by affinity and by time."""
    count = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, ceil(min(count, group_cores())))


@dataclass(slots=True)
class GraderProcess:
    """One grader, which grades one submission at a time."""

    process: "subprocess.Popen[bytes]"
    channel: socket.socket
    _reader: MessageReader = field(default_factory=lambda: MessageReader(MAX_FRAME_BYTES))
    _frames: deque[Message] = field(default_factory=deque)

    def trouble(self) -> str:
        """Wait until it can grade. Return why it cannot, or ""."""
        try:
            return str(self._next(START_S).header["ready"])
        except TimeoutError:
            return f"it was not ready after {START_S:g} seconds"
        except WireError:
            return "its process ended while it started"

    def grade(self, submission: Submission, budget_s: float) -> Result:
        """Grade a submission. TimeoutError if its time is up, WireError if the grader has gone."""
        header = asdict(submission)
        source = str(header.pop("source")).encode()
        self.channel.settimeout(_SEND_S)
        with suppress(OSError):  # a grader that has gone is noticed when its channel is read
            self.channel.sendall(pack(header, [source]))
        frame = self._next(budget_s)
        if "again" in frame.header:  # it waits for a worker of its own, which is not the submission's fault
            frame = self._next(START_S + budget_s)
        return Result(**json.loads(frame.blobs[0]))

    def _next(self, left_s: float) -> Message:
        self.channel.settimeout(_LOOK_S)
        while not self._frames:
            if left_s < 0:
                raise TimeoutError
            began = time.monotonic()
            try:
                data = self.channel.recv(1 << 16)
            except TimeoutError:
                left_s -= min(time.monotonic() - began, _MAX_LOOK_S)
                continue
            except OSError:
                data = b""
            if not data:
                raise WireError("it has gone")
            self._frames.extend(self._reader.frames(data))
        return self._frames.popleft()

    def end(self, *, idle: bool = False) -> None:
        """End it: an idle one closes what it has opened, any other is killed, and its children with it."""
        self.channel.close()
        if idle:
            with suppress(subprocess.TimeoutExpired):
                self.process.wait(_CLOSE_S)
        self.process.kill()
        self.process.wait()


@dataclass(slots=True)
class GraderProcesses:
    """The executor of this machine, a thread for each grader; `close` ends every process that it has started."""

    device: str | None
    runtime: Path | None
    budget_s: float
    most: int = field(default_factory=cores)
    _graders: list[GraderProcess] = field(default_factory=list)
    _idle: "LifoQueue[GraderProcess]" = field(default_factory=LifoQueue)
    _closed: bool = False

    def results(self, submissions: Iterable[Submission]) -> Iterator[Result | None]:
        """Yield the results in any order, and None twice a second while there is none.

        A submission is read when a grader is free, so that those of a class are never all in memory.
        """
        coming, pending = iter(submissions), set[Future[Result]]()
        threads = ThreadPoolExecutor(self.most)
        try:
            while True:
                pending |= {threads.submit(self.grade, one) for one in islice(coming, self.most - len(pending))}
                if not pending:
                    return
                done, pending = wait(pending, _LOOK_S, FIRST_COMPLETED)
                yield from [one.result() for one in done] or (None,)
        finally:
            self.close()
            threads.shutdown(cancel_futures=True)

    def grade(self, submission: Submission) -> Result:
        """Grade one submission. The grader stays for the next one until `close`."""
        for _ in range(TRIES):
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
                if self._closed:  # meanwhile: nobody takes it any more
                    self._end_idle()
                return result
        why = f"There is no grade: its grader ended {TRIES} times; grade it by itself to see why."
        return Result(submission.name, {"problem": why})

    def close(self) -> None:
        """End all graders. The thread of a busy one sees that it has gone."""
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
        """Return an idle grader, or else a new one."""
        why = "they were closed"
        for _ in range(_STARTS):
            if self._closed:
                break
            with suppress(Empty):
                return self._idle.get_nowait()
            try:
                grader = self._started()
            except OSError as error:  # no more processes or files are allowed: those that there are go on
                why = str(error.strerror)
                while self._graders and not self._closed:
                    with suppress(Empty):
                        return self._idle.get(timeout=_LOOK_S)
                continue
            self._graders.append(grader)
            if not (self._closed or (why := grader.trouble())):
                return grader
            self._dismiss(grader)
            time.sleep(_LOOK_S)  # the worker that all of them waited for may have been killed
        raise MissingError(f"the graders cannot start ({why}); what is graded so far is kept.")

    def _started(self) -> GraderProcess:
        ours, theirs = socket.socketpair()
        ours.settimeout(_SEND_S)
        ours.sendall(pack({"device": self.device, "runtime": str(self.runtime) if self.runtime else ""}))
        with theirs, ExitStack() as until_started:
            until_started.enter_context(ours)
            process = subprocess.Popen(  # noqa: S603 - our own interpreter
                [sys.executable, "-P", "-m", "studykit.submissions.grader", f"--channel={theirs.fileno()}"],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
                start_new_session=True,  # Ctrl-C is for us: we end it
            )
            until_started.pop_all()
        return GraderProcess(process, ours)

    def _dismiss(self, grader: GraderProcess) -> None:
        self._graders.remove(grader)
        grader.end()
