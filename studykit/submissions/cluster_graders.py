"""Grades submissions on the workers of a dask.distributed scheduler, where each has graders of its own.

A worker is not a sandbox: it starts the processes that grade on one machine, and they start the sandbox.
One submission is sent and one result comes back, so a worker that dies costs nothing but time.
"""

import logging
import re
import threading
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import CancelledError
from dataclasses import asdict, dataclass
from ipaddress import ip_address
from itertools import islice
from typing import TYPE_CHECKING

from studykit import __version__
from studykit.errors import MissingError, UsageError
from studykit.graders.host.place import backend_and_device
from studykit.submissions.grader import Result, checked_result
from studykit.submissions.grader_processes import TRIES, GraderProcesses
from studykit.submissions.submission import Submission

if TYPE_CHECKING:
    from distributed import Client, Future

_LOOK_S = 0.5  # between two signs of life
_CONNECT_S = 10.0
_ALONE_LOOKS = 120  # without any worker, until the run ends
_AHEAD = 2  # submissions for each thread of a worker, so that none waits
_KEPT = "what is graded so far is kept"
_CERTIFICATES = "DASK_DISTRIBUTED__COMM__TLS__CA_FILE, ..._TLS__CLIENT__CERT and ..._TLS__CLIENT__KEY"
_AGAIN = frozenset({"pending", "lost"})
_ADDRESS = re.compile(r"(?P<scheme>tls|tcp)://(?P<host>[\w.-]+|\[[\w.:%]+\]):(?P<port>[1-9]\d{0,4})", re.ASCII)
_MAX_PORT = 65535
_HERE = threading.local()


@dataclass(frozen=True, slots=True)
class GradingTerms:
    """What every worker must grade by, so that results do not hang on where they come from."""

    version: str
    backend: str
    device: str
    budget_s: float


def grade_on_worker(submission: Mapping[str, object], terms: Mapping[str, object]) -> Mapping[str, object]:
    """Grade one submission by a grader that its thread keeps. MissingError if the terms differ here."""
    agreed = GradingTerms(**terms)  # type: ignore[arg-type]
    if agreed.version != __version__:
        raise MissingError(
            f"a worker has studykit {__version__}, and the run is of {agreed.version}: install one."
        )
    if (backend := backend_and_device(agreed.device)[0]) != agreed.backend:
        raise MissingError(
            f"a worker grades on {backend}, and the run on {agreed.backend}: install torch on both."
        )
    if getattr(_HERE, "terms", None) != agreed:
        if hasattr(_HERE, "graders"):
            _HERE.graders.close()
        _HERE.graders = GraderProcesses(agreed.device, None, agreed.budget_s, most=1)
        _HERE.terms = agreed
    return asdict(_HERE.graders.grade(Submission(**submission)))  # type: ignore[arg-type]


def checked_address(text: str) -> str:
    """Check a scheduler's address. UsageError for one through which others could send code."""
    parts = _ADDRESS.fullmatch(text)  # all of it: no other text may pass for the host
    if parts is None or int(parts["port"]) > _MAX_PORT:
        raise UsageError(f"--on is {text!r}; give the address of a scheduler, such as tls://grader.example:8786.")
    if parts["scheme"] == "tcp" and not _is_loopback(parts["host"].strip("[]").lower()):
        why = "a scheduler without TLS runs the code of anybody who reaches it"
        raise UsageError(f"--on {text}: {why}; use tls://, or tcp:// on this machine alone (127.0.0.1).")
    return text


def _is_loopback(host: str) -> bool:
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


class ClusterGraders:
    """The executor of a cluster; the scheduler hands a submission of a lost worker to another one."""

    def __init__(self, address: str, terms: GradingTerms) -> None:
        self.address = checked_address(address)
        self.terms = terms
        self._lost: Counter[str] = Counter()  # results, by the name of their submission

    def results(self, submissions: Iterable[Submission]) -> Iterator[Result | None]:
        """Yield the results in any order, and None twice a second while there is none."""
        client = self._connected()
        try:
            yield from self._results(client, iter(submissions))
        finally:
            client.close(timeout=_CONNECT_S)

    def _connected(self) -> "Client":
        try:
            from distributed import Client
        except ModuleNotFoundError as error:
            raise MissingError(
                f"--on needs the package {error.name}: pip install 'studykit-srs[cluster]'."
            ) from None
        for name in ("distributed", "distributed.client", "tornado", "asyncio"):
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)  # what matters comes as results
        try:
            client = Client(self.address, timeout=_CONNECT_S)
        except (OSError, TimeoutError) as error:
            why = f"there is no scheduler at {self.address}, or it does not let you in ({type(error).__name__})"
            files = f", or look at the files of {_CERTIFICATES}" if self.address.startswith("tls") else ""
            raise MissingError(f"{why}: start one with `dask scheduler`{files}.") from None
        except (TypeError, ValueError, RuntimeError):
            raise MissingError(f"{self.address} needs certificates: set {_CERTIFICATES}.") from None
        return client

    def _results(self, client: "Client", coming: Iterator[Submission]) -> Iterator[Result | None]:
        pending: dict[Future, Submission] = {}
        waiting: list[Submission] = []  # read, for there is soon a hand for it
        alone = 0
        while True:
            threads = self._threads(client)
            alone = 0 if threads else alone + 1
            if alone > _ALONE_LOOKS:
                raise MissingError(f"the scheduler at {self.address} has no worker; {_KEPT}. Start: dask worker")
            waiting.extend(islice(coming, max(0, max(1, _AHEAD * threads - len(pending)) - len(waiting))))
            if not waiting and not pending:
                return
            while waiting and len(pending) < _AHEAD * threads:
                sent = client.submit(grade_on_worker, asdict(waiting[0]), asdict(self.terms), pure=False)
                pending[sent] = waiting.pop(0)
            if not pending:
                time.sleep(_LOOK_S)
                yield None
                continue
            done = _ended(pending)
            if not done:
                yield None
            for future in done:
                # Where its worker died before the result was fetched, another one has it now.
                if future.status in _AGAIN:
                    continue
                submission = pending.pop(future)
                if (result := self._fetched(client, future, submission)) is None:
                    waiting.append(submission)
                else:
                    yield result

    def _fetched(self, client: "Client", future: "Future", submission: Submission) -> Result | None:
        """Return the result, or None if it was lost with its worker and is worth another try."""
        try:
            return self._result(future, submission)
        except CancelledError:
            self._lost[submission.name] += 1
            if client.status != "running" or self._lost[submission.name] > TRIES:
                raise self._gone() from None
            return None

    def _threads(self, client: "Client") -> int:
        """Count the submissions that the workers can grade at once. MissingError without a scheduler."""
        try:
            return sum(client.nthreads().values())
        except (OSError, TimeoutError, RuntimeError, ValueError):
            raise self._gone() from None

    def _gone(self) -> MissingError:
        return MissingError(f"the scheduler at {self.address} has gone; {_KEPT}.")

    def _result(self, future: "Future", submission: Submission) -> Result:
        """Return the result of a submission. CancelledError if its worker or the scheduler was lost."""
        if future.status == "finished":
            return _told(future, submission)
        if future.status != "error":
            raise CancelledError
        error = future.exception()
        if isinstance(error, MissingError):
            raise MissingError(f"{str(error).removesuffix(f'; {_KEPT}.').rstrip('.')}; {_KEPT}.")
        if isinstance(error, ModuleNotFoundError):
            raise MissingError(f"a worker lacks the package {error.name}: install studykit-srs there; {_KEPT}.")
        why = f"There is no grade: its workers ended ({type(error).__name__}); grade it by itself to see why."
        return Result(submission.name, {"problem": why})


def _ended(pending: Iterable["Future"]) -> list["Future"]:
    """Wait up to half a second for one to end, and return those that have."""
    from distributed import wait

    try:
        return [*wait([*pending], timeout=_LOOK_S, return_when="FIRST_COMPLETED").done]
    except TimeoutError:
        return []
    except CancelledError:  # their scheduler ended, and another may have replaced it
        return [future for future in pending if future.status == "cancelled"]


def _told(future: "Future", submission: Submission) -> Result:
    """The worker's result, or a failure if it sent none."""
    try:
        result = checked_result(future.result())
        of_it = result.name == submission.name and result.fingerprint in {"", submission.fingerprint}
    except CancelledError:
        raise
    except OSError:  # the line broke while it came
        raise CancelledError from None
    except Exception:  # noqa: BLE001 - what cannot be unpickled raises what it likes
        of_it = False
    if of_it:
        return result
    why = "There is no grade: its worker sent none; is the same studykit installed there?"
    return Result(submission.name, {"problem": why})
