"""A shape by the line that stands for it in pins and in the log."""

from collections.abc import Mapping
from dataclasses import MISSING, fields

from studykit.errors import UsageError
from studykit.exercise.estimate.shape import Latent, Shape
from studykit.text import listed, meant

MAX_SIZE = 10**7

_FIELDS = {field.name: field for field in fields(Shape)}
_BIASES = {"none", "qkv", "attention", "all"}


def read_model(text: str) -> Shape:
    """Parse the line of a model, as in a pin or a log, or raise UsageError with what is wrong."""
    pairs = dict(
        word.partition("=")[::2] for word in text.replace("-", " ").split()
    )  # one word, as the shell offers it
    sizes = dict[str, object]()
    for name, value in pairs.items():
        if name not in _FIELDS:
            raise UsageError(f"A model has no size {name!r}. {meant(name, _FIELDS, f'Use {listed([*_FIELDS])}.')}")
        numbers = [int(part) for part in value.split("/") if part.isdecimal() and len(part) < len(str(MAX_SIZE))]
        default = _FIELDS[name].default
        is_right = value in _BIASES if name == "biases" else len(numbers) == (5 if name == "latent" else 1)
        if not is_right:
            raise UsageError(f"{name}={value} is not valid. Give a whole number below {MAX_SIZE:,}.")
        sizes[name] = value if name == "biases" else Latent(*numbers) if name == "latent" else numbers[0]
        sizes[name] = bool(numbers[0]) if isinstance(default, bool) else sizes[name]
    return model_of(sizes)


def model_of(sizes: Mapping[str, object]) -> Shape:
    """Return the model of these sizes, or raise UsageError if one is missing or they contradict each other."""
    needed = [name for name, field in _FIELDS.items() if field.default is MISSING]
    if missing := [name for name in needed if not sizes.get(name)]:
        raise UsageError(f"The model lacks {listed(missing)}.")
    return Shape(**sizes)  # type: ignore[arg-type]  # each checked by its name
