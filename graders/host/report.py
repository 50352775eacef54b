"""A graded answer in words: for a terminal, for Markdown, for JSON."""

from studykit.exercise.verdict import Correct, Malformed, spelled
from studykit.graders.host.grade import Graded
from studykit.graders.rewrite.judge import CheckResult

_SHOWN_LINES = 8


def lines(graded: Graded, *, ascii_only: bool = False) -> list[str]:
    """Checks, diagnosis and what was printed, a line each."""
    judgment = graded.judgment
    told = [f"  {checks(judgment.checks, ascii_only=ascii_only)}"] if judgment.checks else []
    if judgment.diagnosis:
        told += [""] if told else []
        told += [f"  {line}" for line in judgment.diagnosis.splitlines()]
    if graded.printed.strip():
        printed = graded.printed.strip().splitlines()
        told += ["", "  It printed:", *(f"    {line[:100]}" for line in printed[:_SHOWN_LINES])]
    return [*told, "", f"{ending(graded)}"]


def checks(found: tuple[CheckResult, ...], *, ascii_only: bool = False) -> str:
    """`✓ runs   ✗ shape`."""
    signs = ("ok", "NO") if ascii_only else ("✓", "✗")
    return "   ".join(f"{signs[0] if check.passed else signs[1]} {check.name}" for check in found)


def ending(graded: Graded) -> str:
    """The verdict, how long it took, and where it ran."""
    verdict = graded.judgment.verdict
    if isinstance(verdict, Malformed):
        return "Malformed: nothing was run."
    word = "Passed" if isinstance(verdict, Correct) else spelled(verdict).replace("_", " ").capitalize()
    return f"{word} in {graded.seconds:.2f} s, {where(graded)}."


def where(graded: Graded) -> str:
    """What ran it and what held it."""
    library = f"torch on {graded.device}" if graded.backend == "torch" else "numpy, because torch is not installed"
    return f"by {library}; {graded.held.sentence()}"


def document(graded: Graded) -> dict[str, object]:
    """The answer of `study grade --json`."""
    judgment = graded.judgment
    return {
        "exercise": graded.exercise.id,
        "verdict": spelled(judgment.verdict),
        "checks": [{"name": c.name, "passed": c.passed, "detail": c.detail} for c in judgment.checks],
        "diagnosis": judgment.diagnosis,
        "seconds": round(graded.seconds, 4),
        "device": graded.device,
        "backend": graded.backend,
        "sandbox": graded.held.sentence(),
        "printed": graded.printed,
    }


def markdown(graded: Graded) -> str:
    """The same for the learner's screen: the carets of a diagnosis need a fixed width."""
    judgment = graded.judgment
    told = [checks(judgment.checks)] if judgment.checks else []
    if judgment.diagnosis:
        told.append(f"```text\n{judgment.diagnosis}\n```")
    if graded.printed.strip():
        told.append(f"It printed:\n\n```text\n{graded.printed.strip()[:400]}\n```")
    return "\n\n".join([*told, _short(graded)])


def _short(graded: Graded) -> str:
    """The ending without what goes without saying."""
    if graded.held.whole and graded.backend == "torch":
        return ending(graded).partition("; ")[0].rstrip(".") + "."
    return ending(graded)
