"""Grade submissions on the workers of a dask.distributed scheduler.

A dask worker is not a sandbox: on its machine it starts the same processes that grade locally, and they start the
sandbox. Submissions are sent one by one, so a worker that dies costs only time.
"""

import logging
import re
import threading
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import CancelledError
from contextlib import suppress
from dataclasses import asdict, dataclass
from ipaddress import ip_address
from itertools import islice
from typing import TYPE_CHECKING

from studykit import __version__
from studykit.errors import MissingError, UsageError
from studykit.graders.host.place import backend_and_device
from studykit.submissions.grader import Result, checked_result
from studykit.submissions.grader_processes import MAX_TRIES, GraderProcesses
from studykit.submissions.submission import Submission

if TYPE_CHECKING:
    from distributed import Client, Future

_POLL_S = 0.5
_CONNECT_S = 10.0
_MAX_POLLS_ALONE = 120  # without any worker, before the run ends
_SUBMISSIONS_PER_THREAD = 2  # so that a thread need not wait for its next one
_KEPT = "Results so far are saved."
_CERTIFICATES = "DASK_DISTRIBUTED__COMM__TLS__CA_FILE, ..._TLS__CLIENT__CERT and ..._TLS__CLIENT__KEY"
_AGAIN = frozenset({"pending", "lost"})
_ADDRESS = re.compile(r"(?P<scheme>tls|tcp)://(?P<host>[\w.-]+|\[[\w.:%]+\]):(?P<port>[1-9]\d{0,4})", re.ASCII)
_MAX_PORT = 65535
_HERE = threading.local()


@dataclass(frozen=True, slots=True)
class GradingTerms:
    """Hold what all workers must agree on, so that a result does not depend on the worker."""

    version: str
    backend: str
    device: str
    budget_s: float


def grade_on_worker(submission: Mapping[str, object], terms: Mapping[str, object]) -> Mapping[str, object]:
    """Grade one submission, with a grader that this thread keeps. Raise MissingError if the terms differ here."""
    agreed = GradingTerms(**terms)  # type: ignore[arg-type]
    if agreed.version != __version__:
        raise MissingError(
            f"A worker has studykit {__version__}, but this machine has {agreed.version}. "
            f"Install {agreed.version} there."
        )
    if (backend := backend_and_device(agreed.device)[0]) != agreed.backend:
        raise MissingError(
            f"A worker grades with {backend}, but this machine with {agreed.backend}. Install torch on both."
        )
    if getattr(_HERE, "terms", None) != agreed:
        if hasattr(_HERE, "graders"):
            _HERE.graders.close()
        _HERE.graders = GraderProcesses(agreed.device, None, agreed.budget_s, most=1)
        _HERE.terms = agreed
    return asdict(_HERE.graders.grade(Submission(**submission)))  # type: ignore[arg-type]


def checked_address(text: str) -> str:
    """Return a scheduler's address. Raise UsageError if it is invalid or others could send code through it."""
    # Parsed strictly, so that the host checked below is the one that dask connects to.
    parts = _ADDRESS.fullmatch(text)
    if parts is None or int(parts["port"]) > _MAX_PORT:
        raise UsageError(
            f"--on {text!r} is not a scheduler's address. Give one such as tls://grader.example:8786."
        )
    if parts["scheme"] == "tcp" and not _is_loopback(parts["host"].strip("[]").lower()):
        reason = "A scheduler without TLS runs code from anybody who can reach it"
        raise UsageError(f"{reason}. Give --on {text!r} with tls://, or tcp:// only for 127.0.0.1.")
    return text


def _is_loopback(host: str) -> bool:
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


class ClusterGraders:
    """Grade on a cluster. If a worker is lost, the scheduler gives its submission to another one."""

    def __init__(self, address: str, terms: GradingTerms) -> None:
        self.address = checked_address(address)
        self.terms = terms
        self._lost: Counter[str] = Counter()  # lost results by name of the submission

    def results(self, submissions: Iterable[Submission]) -> Iterator[Result | None]:
        """Yield results in any order, and None twice a second while waiting."""
        client = self._connect()
        try:
            yield from self._results(client, iter(submissions))
        finally:
            client.close(timeout=_CONNECT_S)

    def _connect(self) -> "Client":
        try:
            from distributed import Client
        except ModuleNotFoundError as error:
            message = f"--on needs the package {error.name}. Install it"
            raise MissingError(message, "pip install 'studykit-srs[cluster]'") from None
        for name in ("distributed", "distributed.client", "tornado", "asyncio"):
            # dask logs every lost connection at length. Everything that matters comes back as a result.
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)
        try:
            client = Client(self.address, timeout=_CONNECT_S)
        except (OSError, TimeoutError) as error:
            why = f"No scheduler answers at {self.address}, or it does not let you in ({type(error).__name__})"
            files = f", or check the files of {_CERTIFICATES}" if self.address.startswith("tls") else ""
            raise MissingError(f"{why}. Start one with `dask scheduler`{files}.") from None
        except (TypeError, ValueError, RuntimeError):
            raise MissingError(f"{self.address} needs certificates. Set {_CERTIFICATES}.") from None
        return client

    def _results(self, client: "Client", coming: Iterator[Submission]) -> Iterator[Result | None]:
        pending: dict[Future, Submission] = {}
        waiting: list[Submission] = []  # read already, to be sent next
        alone = 0
        while True:
            threads = self._threads(client)
            alone = 0 if threads else alone + 1
            if alone > _MAX_POLLS_ALONE:
                raise MissingError(
                    f"The scheduler at {self.address} has no worker. {_KEPT} Start one with `dask worker`."
                )
            waiting.extend(
                islice(coming, max(0, max(1, _SUBMISSIONS_PER_THREAD * threads - len(pending)) - len(waiting)))
            )
            if not waiting and not pending:
                return
            while waiting and len(pending) < _SUBMISSIONS_PER_THREAD * threads:
                sent = client.submit(grade_on_worker, asdict(waiting[0]), asdict(self.terms), pure=False)
                pending[sent] = waiting.pop(0)
            if not pending:
                time.sleep(_POLL_S)
                yield None
                continue
            done = _ended(pending)
            if not done:
                yield None
            for future in done:
                # Its worker died before we fetched the result. The scheduler has given it to another worker.
                if future.status in _AGAIN:
                    continue
                submission = pending.pop(future)
                if (result := self._fetched(client, future, submission)) is None:
                    waiting.append(submission)
                else:
                    yield result

    def _fetched(self, client: "Client", future: "Future", submission: Submission) -> Result | None:
        """Return the result, or None if it was lost with its worker and should be sent again."""
        with suppress(CancelledError):
            if future.status == "finished":
                return _received(future, submission)
            if future.status == "error":
                return _failure(future.exception(), submission)
        self._lost[submission.name] += 1
        if client.status != "running" or self._lost[submission.name] > MAX_TRIES:
            raise self._gone()
        return None

    def _threads(self, client: "Client") -> int:
        """Count the threads of all workers. Raise MissingError if the scheduler is gone."""
        try:
            return sum(client.nthreads().values())
        except (OSError, TimeoutError, RuntimeError, ValueError):
            raise self._gone() from None

    def _gone(self) -> MissingError:
        return MissingError(f"The scheduler at {self.address} is gone. {_KEPT} Start it, and run this again.")


def _ended(pending: Iterable["Future"]) -> list["Future"]:
    """Wait up to half a second for a future to finish, and return all that have finished or were cancelled."""
    from distributed import wait

    try:
        return [*wait([*pending], timeout=_POLL_S, return_when="FIRST_COMPLETED").done]
    except TimeoutError:
        return []
    except CancelledError:  # the scheduler ended, and another one may have replaced it
        return [future for future in pending if future.status == "cancelled"]


def _failure(error: BaseException | None, submission: Submission) -> Result:
    """Return the result of a submission whose workers ended. Raise MissingError if they lack something."""
    if isinstance(error, MissingError):
        raise MissingError(str(error) if _KEPT in str(error) else f"{error} {_KEPT}")
    if isinstance(error, ModuleNotFoundError):
        raise MissingError(f"A worker lacks the package {error.name}. Install studykit-srs there. {_KEPT}")
    why = f"Not graded: its workers ended ({type(error).__name__}). Grade it by itself to see why."
    return Result(submission.name, {"problem": why})


def _received(future: "Future", submission: Submission) -> Result:
    """Return the worker's result, or a failure if it sent no valid one. Raise CancelledError if it was lost."""
    try:
        result = checked_result(future.result())
        is_matching = result.name == submission.name and result.fingerprint in {"", submission.fingerprint}
    except CancelledError:
        raise
    except OSError:  # the connection was lost during the transfer
        raise CancelledError from None
    except Exception:  # noqa: BLE001 - unpickling a broken result may raise anything
        is_matching = False
    if is_matching:
        return result
    why = "Not graded: its worker sent no grade. Install the same studykit there."
    return Result(submission.name, {"problem": why})
