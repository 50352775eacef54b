"""The verdict of a grade over numpy in this process, for thousands of our own answers: no child is started."""

import json
import warnings
from collections.abc import Sequence
from random import Random

import numpy as np

from studykit.exercise.rewrite import trial
from studykit.exercise.rewrite.rewrite import Rewrite
from studykit.exercise.rewrite.trial import Trial, decode
from studykit.exercise.verdict import Refused
from studykit.graders.child.flow_replies import FlowReplies
from studykit.graders.child.library import NumpyLibrary, decoded
from studykit.graders.child.run_rewrite import load
from studykit.graders.host.necessity import Necessity
from studykit.graders.rewrite import whitelist
from studykit.graders.rewrite.judge import Returned, agrees
from studykit.sandbox.channel import Message

LIBRARY = NumpyLibrary()
FLOWS = FlowReplies(LIBRARY)


class TrustedGrade:
    """Grades answers to one exercise over the same trials."""

    def __init__(self, exercise: Rewrite, seed: int = 0, count: int = 3) -> None:
        self.exercise = exercise
        self.trials = trial.draw(exercise, Random(seed), count)
        self.wanted = [self.returned(exercise.solution, one) for one in self.trials]

    def returned(self, source: str, one: Trial) -> Returned:
        """What an answer returns on a trial."""
        blobs = [tensor.data for tensor in one.tensors]
        sent: list[bytes] = []
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore", SyntaxWarning)
            given = [decoded(LIBRARY, value, blobs) for value in one.described()]
            told = LIBRARY.encoded(load(source, "f", LIBRARY)(*given), sent)
        return Returned(decode(json.loads(json.dumps(told)), sent))

    def is_right(self, source: str, one: Trial) -> bool:
        """Whether an answer gives on a trial what the solution gives."""
        try:
            got = self.returned(source, one)
        except Exception:  # whatever an answer raises, it is not right
            return False
        return agrees(self.exercise, self.returned(self.exercise.solution, one), got)

    def why_not(self, source: str) -> str:
        """Why an answer does not pass; nothing where it does."""
        try:
            found = whitelist.read(source, self.exercise)
        except whitelist.UnreadableError as error:
            return f"unreadable: {error}"
        if found.offences:
            return f"rule: {found.offences[0]}"
        try:
            got = [self.returned(source, one) for one in self.trials]
        except Exception as error:  # whatever an answer raises
            return f"raised: {type(error).__name__}"
        if not all(agrees(self.exercise, want, one) for want, one in zip(self.wanted, got, strict=True)):
            return "values"
        if found.plain:
            return ""
        necessity = Necessity(self.exercise, self.trials, self.wanted, Random(1))
        return next((f"need: {offence}" for offence in necessity.offences(source, self.ask)), "")

    def ask(self, header: dict[str, object], blobs: Sequence[bytes]) -> Message | Refused:
        """The reply of the child that runs the exercise's solution, to questions about steps or to a trial."""
        if "steps" in header:
            return ask(header, blobs)
        left, sent = list(blobs), list[bytes]()
        given = [decoded(LIBRARY, value, left) for value in json.loads(json.dumps(header["arguments"]))]
        with np.errstate(all="ignore"):
            told = LIBRARY.encoded(load(self.exercise.solution, "f", LIBRARY)(*given), sent)
        return Message({"value": json.loads(json.dumps(told))}, tuple(sent))


def ask(header: dict[str, object], blobs: Sequence[bytes]) -> Message | Refused:
    """The reply of the child that computes flows, from this process, through the same JSON."""
    frame = Message(json.loads(json.dumps(header)), tuple(blobs))
    try:
        with np.errstate(all="ignore"):
            reply = FLOWS.reply(frame)
    except Exception as error:  # as the child does
        return Message({"error": str(error)})
    size = int.from_bytes(reply[:8], "big")
    told = json.loads(reply[8 : 8 + size])
    found, at = [], 8 + size
    for length in told["blobs"]:
        found.append(reply[at : at + length])
        at += length
    return Message(told["header"], tuple(found))
