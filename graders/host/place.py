"""What every verb that grades rewrites begins with: the exercise, and the place where answers run."""

import re
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from random import Random

from studykit.cards.card import CardId
from studykit.cli.context import Context
from studykit.errors import BadDataError, MissingError, NotFoundError, UsageError
from studykit.exercise import catalog
from studykit.exercise.rewrite.rewrite import Rewrite
from studykit.exercise.verdict import spelled
from studykit.graders.host.grade import CUDA_LIMITS, LIMITS, Graded, Place
from studykit.sandbox.client import Worker
from studykit.sandbox.launcher import has_cuda, has_torch, open_worker, runtime_folder
from studykit.scheduling.events import EventKind, Showing

PREFIX = "rewrite."
_NAMED = re.compile(r"\brewrite\.\w+")
_MOST_BYTES = 1 << 20
DEVICES = ("cpu", "cuda")


def rewrite_named(name: str) -> Rewrite:
    """The rewrite of this name, with or without its prefix; NotFoundError where there is none."""
    found = catalog.find(name if "." in name else PREFIX + name)
    if not isinstance(found, Rewrite):
        raise NotFoundError(f"{name} is a {found.kind}, not a rewrite; practise it with: study exercise {name}")
    return found


def named_in(exercise: str | None, file: Path | None) -> tuple[str, Path | None]:
    """The rewrite and the file of a command line, in either order, or of a file that names its rewrite."""
    if exercise is None:
        raise UsageError("name a rewrite and a file: study grade rewrite.split_heads mine.py")
    if file is not None:
        turned = exercise.endswith(".py") and file.suffix != ".py"
        return (str(file), Path(exercise)) if turned else (exercise, file)
    if not exercise.endswith(".py") and "/" not in exercise:
        return exercise, None
    return _answered_in(Path(exercise)), Path(exercise)


def _answered_in(file: Path) -> str:
    """The rewrite that a file answers, by an id in it or by its own name."""
    named = _NAMED.findall(read_answer(file)) if file.exists() else []
    for name in dict.fromkeys([*named, PREFIX + file.stem.removeprefix(PREFIX)]):
        with suppress(NotFoundError):
            return rewrite_named(name).id
    if not file.exists():
        read_answer(file)
    raise UsageError(f"which rewrite does {file} answer? Say it: study grade rewrite.NAME {file}")


def worker_for(context: Context, backend: str) -> Worker:
    """This user's warm worker, or a private one where `STUDYKIT_WORKER=0` says so."""
    shared = context.environ.get("STUDYKIT_WORKER", "1") != "0"
    runtime = runtime_folder(context.environ.get("XDG_RUNTIME_DIR")) if shared else None
    return open_worker(backend=backend, shared=shared, runtime=runtime)


@contextmanager
def place_for(context: Context, device: str | None = None) -> Iterator[Place]:
    """Where answers run: on torch, on the GPU where there is one; on numpy where torch is not installed."""
    if device is not None and device not in DEVICES:
        raise UsageError(f"there is no device {device!r}; give cpu or cuda.")
    backend = "torch" if has_torch() else "numpy"
    if device == "cuda" and backend == "numpy":
        raise MissingError("torch is not installed, and cuda needs it; see: https://pytorch.org/get-started")
    chosen = device or ("cuda" if has_cuda() else "cpu")
    if chosen == "cuda" and not has_cuda():
        raise MissingError("there is no NVIDIA GPU here, or torch was built without CUDA; use --device cpu.")
    with worker_for(context, backend) as worker:
        yield Place(worker, chosen, CUDA_LIMITS if chosen == "cuda" else LIMITS)


def random_for(context: Context) -> tuple[Random, int]:
    """Where the judge's shapes come from, and the seed that repeats them."""
    seed = context.seed()
    return Random(seed), seed  # noqa: S311 - to be repeated; the answer never sees it


def read_answer(path: Path) -> str:
    """The text of an answer's file."""
    try:
        with path.open("rb") as opened:
            data = opened.read(_MOST_BYTES)
        return data.decode("utf-8-sig")
    except IsADirectoryError:
        raise UsageError(f"{path} is a folder; name a Python file, or grade the folder with --batch.") from None
    except FileNotFoundError:
        raise UsageError(f"there is no file {path}; write your answer there, or name another file.") from None
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise BadDataError(f"{path} is not text; an answer is a Python file in UTF-8.") from None


def showing_of(exercise: Rewrite, seed: int, answer: str, verdict: str) -> Showing:
    """The answer's place in the log."""
    return Showing(exercise.id, exercise.version, seed, "{}", answer, verdict)


def note_practice(context: Context, graded: Graded, seed: int, answer: str, began: float) -> None:
    """Write a graded answer outside the queue into the log."""
    showing = showing_of(graded.exercise, seed, answer, spelled(graded.judgment.verdict))
    took_ms = int((time.monotonic() - began) * 1000)
    context.store.log.record(EventKind.PRACTICE, CardId(""), took_ms=took_ms, showing=showing)
