"""The results of a batch in the schemas that course software reads."""

from collections.abc import Callable, Mapping, Sequence

from studykit.submissions.grader import Result
from studykit.text import shown_name

_OUTPUT_CHARACTERS = 500  # what Exercism shows


def exercism(found: Sequence[Result]) -> dict[str, object]:
    """Format version 3 of Exercism's test runner interface. A test is a submission."""
    statuses = [status(one) for one in found]
    worst = "error" if "error" in statuses else "fail" if "fail" in statuses else "pass"
    details = [{"path": shown_name(one.name), **one.told} for one in found]
    return {
        "version": 3,
        "status": worst,
        "message": None,
        "tests": list(map(_test, found)),
        "submissions": details,
    }


def _test(one: Result) -> dict[str, object]:
    test: dict[str, object] = {"name": shown_name(one.name), "status": status(one)}
    if not one.passed:
        test["message"] = message(one)
    if one.verdict:
        test["test_code"] = one.signature
        if printed := str(one.told.get("printed", "")):
            test["output"] = printed[:_OUTPUT_CHARACTERS]
    return test


def gradescope(found: Sequence[Result]) -> dict[str, object]:
    """Format Gradescope's results.json. A test is a submission and worth a point."""
    tests = [
        {
            "name": shown_name(one.name),
            "number": str(place),
            "score": float(one.passed),
            "max_score": 1.0,
            "status": "passed" if one.passed else "failed",
            "output": "" if one.passed else message(one),
            "visibility": "visible",
        }
        for place, one in enumerate(found, 1)
    ]
    return {
        "score": float(sum(one.passed for one in found)),
        "execution_time": round(sum(map(seconds, found)), 3),
        "visibility": "visible",
        "stdout_visibility": "visible",
        "tests": tests,
    }


SCHEMAS: Mapping[str, Callable[[Sequence[Result]], dict[str, object]]] = {
    "exercism": exercism,
    "gradescope": gradescope,
}


def status(one: Result) -> str:
    """Return Exercism's status: pass, fail for a wrong answer, error for all else."""
    return {"correct": "pass", "incorrect": "fail"}.get(one.verdict, "error")


def message(one: Result) -> str:
    """Say why it did not pass."""
    return str(one.told.get("problem") or one.told.get("diagnosis", ""))


def seconds(one: Result) -> float:
    """Return how long its grade took."""
    took = one.told.get("seconds", 0.0)
    return took if isinstance(took, float) else 0.0
