"""Export the vocabulary that authors of exercises import, and nothing else.

`from studykit.exercise import Template, SlipRule` is written in other people's folders, so these names stay. Each
module is loaded when one of its names is first asked for: a file of rewrites loads no reader of quantities.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from studykit.exercise.bet.snippet import BetExercise, Size, both, both_dtypes, code
    from studykit.exercise.entry import Exercise
    from studykit.exercise.estimate.hardware import BYTES_PER_ELEMENT, Device, device
    from studykit.exercise.estimate.scenario import Scenario, Step
    from studykit.exercise.estimate.shape import Latent, Shape, read_model
    from studykit.exercise.estimate.template import Between, Check, Parts, Roof, SlipRule, Template, Variant, draw
    from studykit.exercise.estimate.values import Grid, Values
    from studykit.exercise.rewrite.rewrite import (
        Argument,
        Fill,
        Rewrite,
        arguments_of,
        defined,
        module,
        single,
        size,
        tensor,
    )

_MODULES = {
    "bet.snippet": "BetExercise Size both both_dtypes code",
    "entry": "Exercise",
    "estimate.hardware": "BYTES_PER_ELEMENT Device device",
    "estimate.scenario": "Scenario Step",
    "estimate.shape": "Latent Shape read_model",
    "estimate.template": "Between Check Parts Roof SlipRule Template Variant draw",
    "estimate.values": "Grid Values",
    "rewrite.rewrite": "Argument Fill Rewrite arguments_of defined module single size tensor",
}
_HOME = {name: module for module, names in _MODULES.items() for name in names.split()}

__all__ = [
    "BYTES_PER_ELEMENT",
    "Argument",
    "BetExercise",
    "Between",
    "Check",
    "Device",
    "Exercise",
    "Fill",
    "Grid",
    "Latent",
    "Parts",
    "Rewrite",
    "Roof",
    "Scenario",
    "Shape",
    "Size",
    "SlipRule",
    "Step",
    "Template",
    "Values",
    "Variant",
    "arguments_of",
    "both",
    "both_dtypes",
    "code",
    "defined",
    "device",
    "draw",
    "module",
    "read_model",
    "single",
    "size",
    "tensor",
]


def __getattr__(name: str) -> object:
    """Return the value of an exported name, from the module that defines it, or raise AttributeError."""
    if name not in _HOME:
        raise AttributeError(f"studykit.exercise has no name {name!r}. Import one of {', '.join(__all__)}.")
    return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
