"""Runs a wrong answer once more to see what it calls; what comes back is only ever added to an explanation."""

from dataclasses import replace

from studykit.exercise.rewrite.rewrite import Rewrite
from studykit.exercise.rewrite.trial import Trial
from studykit.exercise.verdict import Correct, Refused
from studykit.graders.rewrite import traced_calls
from studykit.graders.rewrite.judge import Judgment, Outcome, Raised, Returned
from studykit.graders.rewrite.traced_calls import Call
from studykit.graders.rewrite.whitelist import Method
from studykit.sandbox.client import Worker
from studykit.sandbox.lockdown import Limits
from studykit.sandbox.wire import Message

_LIMITS = Limits(wall_s=3.0, cpu_s=2, reply_bytes=1 << 16)
_CONCLUSION = "all else is right."


def hinted(  # noqa: PLR0917 - all of one grade
    worker: Worker,
    exercise: Rewrite,
    source: str,
    method: Method,
    judgment: Judgment,
    trial: Trial,
    outcome: Outcome,
) -> Judgment:
    """The judgment with what one more run adds to its explanation; the same verdict and checks, always."""
    if worker.backend != "torch" or isinstance(judgment.verdict, Correct | Refused):
        return judgment
    lines = judgment.diagnosis.splitlines()
    match outcome:
        case Returned() if method.offences:
            lines.append(
                traced_calls.hidden_calls(traced(worker, source, trial), method.offences, exercise.helpers)
            )
        case Returned() if exercise.helpers and not lines[-1].endswith(_CONCLUSION):
            lines.append(traced_calls.reduced_axes(traced(worker, source, trial), trial.sizes))
        case Raised(type="RuntimeError" | "IndexError" as kind, line=line) if line:
            place = next((n for n, text in enumerate(lines) if text.startswith(kind)), len(lines) - 1)
            lines.insert(place + 1, traced_calls.shapes_met(traced(worker, source, trial), line, trial.sizes))
    return replace(judgment, diagnosis="\n".join(line for line in lines if line))


def traced(worker: Worker, source: str, trial: Trial) -> tuple[Call, ...]:
    """The calls of one run; none where it does not answer soon, or answers nonsense."""
    header = {"code": source, "backend": worker.backend, "device": "cpu", "arguments": trial.described()}
    with worker.start("run_traced", _LIMITS) as child:
        reply = child.ask(header, [tensor.data for tensor in trial.tensors])
    return (
        traced_calls.read(reply.header.get("calls"), source.count("\n") + 1) if isinstance(reply, Message) else ()
    )
