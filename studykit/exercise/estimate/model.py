"""A model as one parameter of a question: a shape, and the line that stands for it in pins and in the log."""

from collections.abc import Mapping
from dataclasses import MISSING, astuple, dataclass, fields
from functools import cached_property

from studykit.errors import UsageError
from studykit.exercise.estimate.shape import Latent, Shape
from studykit.text import counted, listed, meant

LETTERS = {
    "L": "layers",
    "d": "width",
    "h": "heads",
    "kv_heads": "kv_heads",
    "e": "head_dim",
    "f": "ffn_width",
    "V": "vocabulary",
}
"""The letter of each size that every model has."""

MAX_SIZE = 10**7

_FIELDS = {field.name: field for field in fields(Shape)}
_BIASES = {
    "none": "no biases",
    "qkv": "biases on Q, K and V",
    "attention": "biases on the matrices of attention",
    "all": "biases on all matrices but the output layer",
}


@dataclass(frozen=True)
class Model:
    """A model by its shape."""

    shape: Shape

    @cached_property
    def name(self) -> str:
        """Return its sizes in one line, without those that most models have: `layers=32 width=4096 ...`."""
        values = {name: getattr(self.shape, name) for name in _FIELDS}
        return " ".join(
            f"{name}={'/'.join(map(str, astuple(value))) if isinstance(value, Latent) else _plain(value)}"
            for name, value in values.items()
            if value != _FIELDS[name].default
        )

    @property
    def letters(self) -> dict[str, float]:
        """Return the letters of formulas with their values."""
        return {letter: float(getattr(self.shape, size)) for letter, size in LETTERS.items()}

    def __str__(self) -> str:
        it = self.shape
        norm = "LayerNorm" if it.layer_norm else "RMSNorm"
        tables = "one matrix" if it.tied else "two matrices"
        parts = (
            _attention(it),
            "a norm for the queries and one for the keys of a head" if it.head_norms else "",
            "a sink (one number) for each query head" if it.sinks else "",
            f"a window of {it.window} tokens in {it.windowed_layers} layers" if it.windowed_layers else "",
            _experts(it) if it.experts else _mlp(it, it.ffn_width),
            f"{it.norms} {norm}s in each layer{' and one at the end' if it.final_norm else ''}",
            f"learned positions for {it.positions} tokens" if it.positions else "",
            f"a vocabulary of {it.vocabulary} ({tables} for embedding and output layer)",
            _BIASES[it.biases],
        )
        return f"A decoder has {it.layers} layers of width {it.width}: {'; '.join(filter(None, parts))}."


def _attention(it: Shape) -> str:
    if it.latent is None:
        return f"{it.heads} query heads and {counted(it.kv_heads, 'KV head')} of dimension {it.head_dim}"
    q, kv, nope, rope, value = astuple(it.latent)
    queries = f"queries compressed to {q}, " if q else ""
    return (
        f"{it.heads} heads with latent attention ({queries}keys and values to {kv} with a shared rotary key of "
        f"{rope}; a head has {nope} + {rope} numbers of Q and K and {value} of V; a norm for each compressed one)"
    )


def _mlp(it: Shape, width: int) -> str:
    return f"{'a gated MLP' if it.gated else 'an MLP of two matrices'} of width {width}"


def _experts(it: Shape) -> str:
    shared = f" and {it.shared} more for every token" if it.shared else ""
    gate = " with a gate of one vector" if it.shared_gate else ""
    dense = f"; {_mlp(it, it.ffn_width)} instead in {it.dense_layers} layers" if it.dense_layers else ""
    bias = " with a bias for each expert" if it.router_bias else ""
    experts = f"{it.experts} experts, each {_mlp(it, it.expert_width)}"
    return f"{experts}, {it.active} for a token{shared}{gate}; a linear router{bias}{dense}"


def _plain(value: object) -> object:
    return int(value) if isinstance(value, bool) else value


def read_model(text: str) -> Model:
    """Parse the line of a model, such as a pin or a log has it; UsageError with what is wrong."""
    pairs = dict(word.partition("=")[::2] for word in text.split())
    sizes = dict[str, object]()
    for name, value in pairs.items():
        if name not in _FIELDS:
            raise UsageError(f"a model has no size {name!r}; {meant(name, _FIELDS, f'use {listed([*_FIELDS])}.')}")
        numbers = [int(part) for part in value.split("/") if part.isdecimal() and len(part) < len(str(MAX_SIZE))]
        default = _FIELDS[name].default
        is_right = value in _BIASES if name == "biases" else len(numbers) == (5 if name == "latent" else 1)
        if not is_right:
            raise UsageError(f"{name}={value}: give a whole number below {MAX_SIZE:,}")
        sizes[name] = value if name == "biases" else Latent(*numbers) if name == "latent" else numbers[0]
        sizes[name] = bool(numbers[0]) if isinstance(default, bool) else sizes[name]
    return model_of(sizes)


def model_of(sizes: Mapping[str, object]) -> Model:
    """Return the model of these sizes; UsageError where one is missing or they contradict each other."""
    needed = [name for name, field in _FIELDS.items() if field.default is MISSING]
    if missing := [name for name in needed if not sizes.get(name)]:
        raise UsageError(f"the model lacks {listed(missing)}")
    return Model(Shape(**sizes))  # type: ignore[arg-type]  # each checked by its name
