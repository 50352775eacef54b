"""Grades submissions in processes of this machine, one for each core, that are watched and started again."""

import json
import os
import selectors
import socket
import subprocess
import sys
import time
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, suppress
from dataclasses import asdict, dataclass, field
from itertools import islice
from math import ceil
from pathlib import Path
from typing import Protocol

from studykit.errors import MissingError
from studykit.sandbox.channel import Message, MessageReader, WireError, pack
from studykit.sandbox.lockdown import group_cores
from studykit.sandbox.worker import START_S
from studykit.submissions.grader import MOST_FRAME_BYTES, Result, over_budget
from studykit.submissions.submission import Submission

TRIES = 2
"""A submission whose grader ends is tried once more, in another."""
_STARTS = 3  # of a grader in a row that may come to nothing
_CLOSE_S = 5.0
_SEND_S = 10.0  # for a grader that does not read; the end of its time ends it
_LOOK_S = 0.5  # between two looks at who is late
_MOST_LOOK_S = 1.0  # that one look counts: all were stopped meanwhile, as by `docker pause`, or the disk was slow


class Executor(Protocol):
    """Grades submissions somewhere: here in processes, or where another engine takes them."""

    def results(self, submissions: Iterable[Submission]) -> Iterator[Result | None]:
        """The result of each in any order; None now and then while there is none, for a sign of life."""


def cores() -> int:
    """How many cores this process may use: those that it may run on, or the time of fewer."""
    count = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, ceil(min(count, group_cores())))


@dataclass(slots=True)
class GraderProcess:
    """One grader, and the submission that it is at work on."""

    process: "subprocess.Popen[bytes]"
    channel: socket.socket
    left_s: float  # for what it does now
    reader: MessageReader = field(default_factory=lambda: MessageReader(MOST_FRAME_BYTES))
    ready: bool = False
    at: Submission | None = None

    def grade(self, submission: Submission, budget_s: float) -> None:
        """Give it a submission; a grader that has gone is noticed when its channel is read."""
        header = asdict(submission)
        source = str(header.pop("source")).encode()
        self.at, self.left_s = submission, budget_s
        try:
            self.channel.sendall(pack(header, [source]))
        except OSError:
            return

    def received(self) -> list[Message]:
        """The frames that have come and are whole. WireError where the grader has gone."""
        try:
            data = self.channel.recv(1 << 16)
        except OSError:
            data = b""
        if not data:
            raise WireError("it has gone")
        return [*self.reader.frames(data)]

    def end(self) -> None:
        """End it: an idle one closes what it has opened, any other is killed, and its children with it."""
        self.channel.close()
        if self.ready and self.at is None:
            with suppress(subprocess.TimeoutExpired):
                self.process.wait(_CLOSE_S)
        self.process.kill()
        self.process.wait()


@dataclass(slots=True)
class GraderProcesses:
    """The executor of this machine; `close` ends every process that it has started."""

    device: str | None
    runtime: Path | None
    budget_s: float
    most: int = field(default_factory=cores)
    _waiting: deque[Submission] = field(default_factory=deque)
    _tries: dict[str, int] = field(default_factory=dict)
    _graders: list[GraderProcess] = field(default_factory=list)
    _selector: selectors.BaseSelector = field(default_factory=selectors.DefaultSelector)
    _failures: int = 0  # to start, in a row
    _failed_at: float = -_LOOK_S  # by `time.monotonic`

    def results(self, submissions: Iterable[Submission]) -> Iterator[Result | None]:
        """The result of each in any order; None twice a second while there is none.

        A submission is taken when there is soon a hand for it, so that those of a class are never held at once.
        """
        try:
            yield from self._results(iter(submissions))
        finally:
            self.close()

    def grade(self, submission: Submission) -> Result:
        """The result of one submission; the grader stays for the next one until `close`."""
        try:
            return next(result for result in self._results(iter([submission])) if result is not None)
        finally:  # the next one has nothing to do with this one
            self._waiting.clear()
            self._tries.clear()
            self._failures = 0

    def _results(self, coming: Iterator[Submission]) -> Iterator[Result | None]:
        while True:
            self._waiting.extend(islice(coming, max(0, self.most - len(self._waiting))))
            if not self._waiting and not any(grader.at for grader in self._graders):
                break
            self._employ()
            began = time.monotonic()
            results = [*self._heard(self._selector.select(_LOOK_S)), *self._late(time.monotonic() - began)]
            yield from results or (None,)

    def close(self) -> None:
        """End all graders."""
        for grader in list(self._graders):
            self._dismiss(grader)

    def _employ(self) -> None:
        """Give work to who is idle, and start another grader while there is more work than hands."""
        for grader in self._graders:
            if self._waiting and grader.ready and grader.at is None:
                grader.grade(self._waiting.popleft(), self.budget_s)
        starting = sum(not grader.ready for grader in self._graders)
        while len(self._graders) < self.most and starting < len(self._waiting):
            try:
                self._start()
            except OSError as error:  # no more processes or files are allowed: those that there are go on
                if not self._graders:
                    self._count_failure(str(error.strerror))
                return
            starting += 1

    def _start(self) -> None:
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
        grader = GraderProcess(process, ours, START_S)
        self._graders.append(grader)
        self._selector.register(ours, selectors.EVENT_READ, grader)

    def _heard(self, ready: Iterable[tuple[selectors.SelectorKey, int]]) -> Iterator[Result]:
        for key, _ in ready:
            grader: GraderProcess = key.data
            try:
                frames = grader.received()
            except WireError:
                yield from self._ended(grader)
                continue
            for frame in frames:
                yield from self._told(grader, frame)

    def _told(self, grader: GraderProcess, frame: Message) -> Iterator[Result]:
        if "result" in frame.header:
            grader.at = None
            yield Result(**json.loads(frame.blobs[0]))
        elif "again" in frame.header:  # it waits for a worker of its own, which is not the submission's fault
            grader.left_s = START_S + self.budget_s
        elif why := frame.header["ready"]:
            self._failed_start(grader, str(why))
        else:
            grader.ready, self._failures = True, 0

    def _ended(self, grader: GraderProcess) -> Iterator[Result]:
        """Retry its submission in another grader; the second time it is left without a grade."""
        submission = grader.at
        if not grader.ready:
            self._failed_start(grader, "its process ended while it started")
            return
        self._dismiss(grader)
        if submission is None:
            return
        self._tries[submission.name] = self._tries.get(submission.name, 1) + 1
        if self._tries[submission.name] <= TRIES:
            self._waiting.appendleft(submission)
        else:
            why = f"There is no grade: its grader ended {TRIES} times; grade it by itself to see why."
            yield Result(submission.name, {"problem": why})

    def _late(self, look_s: float) -> Iterator[Result]:
        """End the graders whose time is up after a look that took so long."""
        for grader in self._graders:
            grader.left_s -= min(look_s, _MOST_LOOK_S)
        for grader in [grader for grader in self._graders if grader.left_s < 0]:
            if grader.at is not None:
                yield over_budget(grader.at, self.budget_s)
                self._dismiss(grader)
            elif not grader.ready:
                self._failed_start(grader, f"it was not ready after {START_S:g} seconds")

    def _failed_start(self, grader: GraderProcess, why: str) -> None:
        self._dismiss(grader)
        self._count_failure(why)

    def _count_failure(self, why: str) -> None:
        """Several at once are one: their worker was killed, or all of them were stopped too long."""
        now = time.monotonic()
        if now - self._failed_at > _LOOK_S:
            self._failures, self._failed_at = self._failures + 1, now
        if self._failures >= _STARTS:
            raise MissingError(f"the graders cannot start ({why}); what is graded so far is kept.")

    def _dismiss(self, grader: GraderProcess) -> None:
        self._selector.unregister(grader.channel)
        self._graders.remove(grader)
        grader.end()
