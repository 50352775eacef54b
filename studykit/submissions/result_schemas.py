"""Format the results of a batch in the schemas of course software."""

from collections.abc import Callable, Mapping, Sequence

from studykit.submissions.grader import Result
from studykit.text import shown_name

_MAX_OUTPUT_CHARACTERS = 500  # Exercism shows no more


def exercism(results: Sequence[Result]) -> dict[str, object]:
    """Format results for version 3 of Exercism's test runner interface. Each submission is a test."""
    statuses = {_status(result) for result in results}
    worst = "error" if "error" in statuses else "fail" if "fail" in statuses else "pass"
    details = [{"path": shown_name(result.name), **result.told} for result in results]
    return {
        "version": 3,
        "status": worst,
        "message": None,
        "tests": list(map(_test, results)),
        "submissions": details,
    }


def _test(result: Result) -> dict[str, object]:
    test: dict[str, object] = {"name": shown_name(result.name), "status": _status(result)}
    if not result.passed:
        test["message"] = _message(result)
    if result.verdict:
        test["test_code"] = result.signature
        if printed := str(result.told.get("printed", "")):
            test["output"] = printed[:_MAX_OUTPUT_CHARACTERS]
    return test


def gradescope(results: Sequence[Result]) -> dict[str, object]:
    """Format results as Gradescope's results.json. Each submission is a test worth one point."""
    times = (result.told.get("seconds") for result in results)
    tests = [
        {
            "name": shown_name(result.name),
            "number": str(place),
            "score": float(result.passed),
            "max_score": 1.0,
            "status": "passed" if result.passed else "failed",
            "output": "" if result.passed else _message(result),
            "visibility": "visible",
        }
        for place, result in enumerate(results, 1)
    ]
    return {
        "score": float(sum(result.passed for result in results)),
        # Another run's result may hold anything, such as an integer of 400 digits.
        "execution_time": round(sum(took for took in times if isinstance(took, float)), 3),
        "visibility": "visible",
        "stdout_visibility": "visible",
        "tests": tests,
    }


SCHEMAS: Mapping[str, Callable[[Sequence[Result]], dict[str, object]]] = {
    "exercism": exercism,
    "gradescope": gradescope,
}


def _status(result: Result) -> str:
    """Return Exercism's status: pass, fail for a wrong answer, or error."""
    return {"correct": "pass", "incorrect": "fail"}.get(result.verdict, "error")


def _message(result: Result) -> str:
    """Return why a submission did not pass."""
    return str(result.told.get("problem") or result.told.get("diagnosis", ""))
