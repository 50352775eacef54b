"""`study grade --batch`: a folder of submissions, graded in parallel, in schemas that course software reads."""

import json
import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from random import Random

from studykit.cli.context import Context
from studykit.errors import BadDataError, NotFoundError, StudyError, UsageError
from studykit.exercise.rewrite.rewrite import Rewrite
from studykit.exercise.verdict import Correct, Incorrect
from studykit.graders.host.grade import Graded, document, grade
from studykit.graders.host.place import Place, place_for
from studykit.practice.rewrites import PREFIX, read_answer, rewrite_named

_OUTPUT_CHARACTERS = 500  # what Exercism shows
_SCHEMAS = ("exercism", "gradescope")


@dataclass(frozen=True, slots=True)
class Submission:
    """One file and what came of it: a grade, or why there is none."""

    path: Path
    graded: Graded | None
    problem: str = ""

    @property
    def passed(self) -> bool:
        """Whether the answer is right."""
        return self.graded is not None and isinstance(self.graded.judgment.verdict, Correct)


def run(
    context: Context, exercise: str | None, folder: Path, results: Path | None, schema: str, device: str | None
) -> int:
    """Grade every Python file below the folder and write the results; 0 when all pass, 1 otherwise."""
    if schema not in _SCHEMAS:
        raise UsageError(f"there is no schema {schema!r}; give exercism or gradescope.")
    if not folder.is_dir():
        raise UsageError(f"{folder} is no folder of submissions.")
    task = rewrite_named(exercise) if exercise else None
    files = sorted(path for path in folder.rglob("*.py") if path.is_file() and path.name != "__init__.py")
    if not files:
        raise NotFoundError(f"{folder} holds no .py file to grade.")
    seed = context.seed()
    with (
        place_for(context.open_worker, device) as place,
        ThreadPoolExecutor(os.cpu_count() or 2) as pool,
    ):
        found = list(pool.map(lambda path: _graded(place, task, path, seed), files))
    told = _exercism(folder, found) if schema == "exercism" else _gradescope(folder, found)
    if results is None:
        context.write_json(told)
    else:
        _save(results, told)
        context.write(f"{sum(one.passed for one in found)} of {len(found)} passed; results are in {results}.")
    return 0 if all(one.passed for one in found) else 1


def _graded(place: Place, task: Rewrite | None, path: Path, seed: int) -> Submission:
    try:
        chosen = task or rewrite_named(PREFIX + path.stem.removeprefix(PREFIX))
        random = Random(f"{seed}:{path}")  # noqa: S311 - every file its own shapes, repeated by the seed
        return Submission(path, grade(place, chosen, read_answer(path), random))
    except (NotFoundError, BadDataError, UsageError) as error:
        return Submission(path, None, str(error))


def _save(results: Path, told: dict[str, object]) -> None:
    try:
        results.write_text(json.dumps(told, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
    except OSError as error:
        raise StudyError(f"{results} cannot be written: {error.strerror}.") from None


def _exercism(folder: Path, found: Sequence[Submission]) -> dict[str, object]:
    """Version 3 of Exercism's test runner interface; a test is a submission."""
    statuses = [_status(one) for one in found]
    worst = "error" if "error" in statuses else "fail" if "fail" in statuses else "pass"
    tests = []
    for one, status in zip(found, statuses, strict=True):
        test: dict[str, object] = {"name": str(one.path.relative_to(folder)), "status": status}
        if status != "pass":
            test["message"] = _message(one)
        if one.graded is not None:
            test["test_code"] = one.graded.exercise.signature
            if one.graded.printed:
                test["output"] = one.graded.printed[:_OUTPUT_CHARACTERS]
        tests.append(test)
    return {"version": 3, "status": worst, "message": None, "tests": tests, "submissions": _details(folder, found)}


def _gradescope(folder: Path, found: Sequence[Submission]) -> dict[str, object]:
    """Gradescope's results.json; a test is a submission and worth a point."""
    tests = [
        {
            "name": str(one.path.relative_to(folder)),
            "number": str(place),
            "score": float(one.passed),
            "max_score": 1.0,
            "status": "passed" if one.passed else "failed",
            "output": "" if one.passed else _message(one),
            "visibility": "visible",
        }
        for place, one in enumerate(found, 1)
    ]
    seconds = sum(one.graded.seconds for one in found if one.graded is not None)
    return {
        "score": float(sum(one.passed for one in found)),
        "execution_time": round(seconds, 3),
        "visibility": "visible",
        "stdout_visibility": "visible",
        "tests": tests,
    }


def _status(one: Submission) -> str:
    if one.passed:
        return "pass"
    return "fail" if one.graded is not None and isinstance(one.graded.judgment.verdict, Incorrect) else "error"


def _message(one: Submission) -> str:
    return one.graded.judgment.diagnosis if one.graded is not None else one.problem


def _details(folder: Path, found: Sequence[Submission]) -> list[dict[str, object]]:
    told = []
    for one in found:
        known = document(one.graded) if one.graded is not None else {"problem": one.problem}
        told.append({"path": str(one.path.relative_to(folder)), **known})
    return told
