"""Name wrong answers in a few words, so that a class's mistakes can be counted by cause."""

import math
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import blake2b

from studykit.errors import StudyError
from studykit.exercise import catalog
from studykit.exercise.entry import Exercise
from studykit.exercise.estimate.log import variant_of
from studykit.exercise.estimate.number import judge
from studykit.exercise.estimate.template import Template
from studykit.exercise.rewrite.rewrite import Rewrite
from studykit.scheduling.events import Showing
from studykit.scheduling.student_figures import Shown

Diagnose = Callable[[str, str], str]
"""Says what is wrong with an answer in code, by exercise and source; empty where nothing is known."""

_FACTORS = (2, 3, 5)
_MAX_FACTOR = 1_000_000
_NUMBER = re.compile(r"\d+")
_MAX_DIAGNOSIS_CHARACTERS = 160  # characters of a diagnosis


@dataclass(slots=True)
class WrongAnswers:
    """Names wrong answers. Those of rewrites need `diagnose`, which grades them again."""

    diagnose: Diagnose | None = None
    _exercises: dict[str, Exercise | None] = field(default_factory=dict)
    _diagnoses: dict[str, str] = field(default_factory=dict)
    _wordings: dict[str, str] = field(default_factory=dict)  # first wording by text without numbers

    def cluster(self, entry: Shown) -> str:
        """Name the cause of a wrong answer, or return "" if it is unknown."""
        template, version, _, _, answer = entry
        if template not in self._exercises:
            self._exercises[template] = catalog.known(template)
        exercise = self._exercises[template]
        if exercise is None or exercise.version != version:
            return ""
        if isinstance(exercise, Template):
            return _slip_or_factor(exercise, entry)
        if isinstance(exercise, Rewrite) and self.diagnose is not None:
            return self._diagnose_once(self.diagnose, template, answer)
        return ""

    def _diagnose_once(self, diagnose: Diagnose, exercise: str, source: str) -> str:
        digest = blake2b(f"{exercise}\0{source}".encode(), digest_size=16).hexdigest()
        if digest not in self._diagnoses:
            sentence = diagnose(exercise, source).partition("\n")[0][:_MAX_DIAGNOSIS_CHARACTERS]
            self._diagnoses[digest] = self._wordings.setdefault(_NUMBER.sub("0", sentence), sentence)
        return self._diagnoses[digest]


def _slip_or_factor(template: Template, entry: Shown) -> str:
    """Return a slip, or how far the answer is from the right one."""
    name, version, seed, parameters, answer = entry
    try:
        judgment = judge(variant_of(template, Showing(name, version, seed, parameters)), answer)
    except (StudyError, ValueError):  # pinned to what is no longer there
        return ""
    if judgment.slips:
        return judgment.slips[0].id
    factor = judgment.factor
    if factor is None:
        return "another kind of quantity" if judgment.reading is not None else ""
    return off_by(factor)


def off_by(factor: float) -> str:
    """Describe how far off an answer is: less than 2, about 2, 3, 5, 10, ... times too large or small."""
    if factor <= 0 or not math.isfinite(factor):
        return "zero or negative"
    way = "large" if factor > 1 else "small"
    times = max(factor, 1 / factor)
    if times < _FACTORS[0]:
        return f"less than {_FACTORS[0]} times too {way}"
    if times > _MAX_FACTOR:
        return f"more than {_MAX_FACTOR:,} times too {way}"
    power = 10 ** math.floor(math.log10(times))
    near = min((1, *_FACTORS, 10), key=lambda step: abs(math.log(times / (step * power))))
    return f"about {near * power:,} times too {way}"
