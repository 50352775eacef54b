"""The shape of a Transformer, and what follows from it: parameters, FLOPs, activations, KV cache."""

from collections.abc import Iterable, Mapping
from dataclasses import MISSING, astuple, dataclass, fields
from typing import NamedTuple

from studykit.errors import UsageError
from studykit.text import listed, meant

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


@dataclass(frozen=True, slots=True)
class Latent:
    """The ranks and head dimensions of multi-head latent attention (MLA)."""

    q_rank: int  # 0 where queries are not compressed
    kv_rank: int
    nope: int
    rope: int
    value: int


class Matrix(NamedTuple):
    """A weight matrix: what goes in, what comes out, and whether it has a bias for each output."""

    inputs: int
    outputs: int
    is_biased: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """A Transformer decoder by its sizes; sizes that contradict each other are refused."""

    layers: int
    width: int
    heads: int
    head_dim: int
    kv_heads: int
    ffn_width: int
    vocabulary: int
    gated: bool = True  # three matrices in an MLP, else two
    tied: bool = False  # the output layer is the embedding again
    biases: str = "none"  # or those of "qkv", of "attention", of "all" but norms and the output layer
    layer_norm: bool = False  # with a bias, where an RMSNorm has none
    norms: int = 2  # in each layer
    final_norm: bool = True
    head_norms: bool = False  # one for the queries and one for the keys of a head
    positions: int = 0  # learned ones
    sinks: bool = False  # one number a head
    experts: int = 0  # of which a token visits the `active` ones, and all the `shared` ones beside them
    active: int = 0
    shared: int = 0
    expert_width: int = 0
    dense_layers: int = 0  # whose MLP is not split into experts
    router_bias: bool = False
    shared_gate: bool = False  # a weight for each unit of width says how much the shared experts count
    window: int = 0  # tokens that the `windowed_layers` attend to
    windowed_layers: int = 0
    latent: Latent | None = None  # of MLA, where head_dim is nope + rope

    def __post_init__(self) -> None:
        """Refuse sizes that contradict each other."""
        if self.head_dim < 1:
            whose = f"a width of {self.width} cannot be divided among {self.heads} heads"
            raise UsageError(f"{whose}. Give the dimension of a head as well.")
        if self.heads % self.kv_heads:
            raise UsageError(f"{self.heads} query heads cannot share {self.kv_heads} KV heads evenly.")
        latent = self.latent
        if latent and (self.head_dim, self.kv_heads) != (latent.nope + latent.rope, self.heads):
            raise UsageError(
                f"Latent attention has {self.heads} KV heads of {latent.nope} + {latent.rope} numbers."
            )
        if self.active > self.experts:
            raise UsageError(f"A token cannot visit {self.active} of {self.experts} experts.")
        if max(self.dense_layers, self.windowed_layers) > self.layers:
            most = max(self.dense_layers, self.windowed_layers)
            raise UsageError(f"Of {self.layers} layers, {most} cannot be different.")

    @property
    def name(self) -> str:
        """Return its sizes in one line, without those that most models have: `layers=32 width=4096 ...`."""
        sizes = [(field, getattr(self, field.name)) for field in fields(self)]
        return " ".join(f"{field.name}={_word(value)}" for field, value in sizes if value != field.default)

    @property
    def letters(self) -> dict[str, float]:
        """Return the letters of formulas with their values."""
        return {letter: float(getattr(self, size)) for letter, size in LETTERS.items()}

    @property
    def parameters(self) -> int:
        """Return how many parameters it has."""
        return sum(self.parts.values())

    @property
    def active_parameters(self) -> int:
        """Return how many parameters do work for a token, all of the embedding among them."""
        return sum(self.active_parts.values())

    @property
    def parts(self) -> dict[str, int]:
        """Return the parameters of each part that it has."""
        return self._parts(self.experts)

    @property
    def active_parts(self) -> dict[str, int]:
        """Return the parameters of each part that do work for a token."""
        return self._parts(self.active)

    def flops(self, tokens: int, context: int | None = None) -> dict[str, int]:
        """Return the FLOPs of the matmuls of a forward pass of one sequence by part, with whole score matrices.

        Each token attends to `context` others, as many as there are tokens where it is not given.
        """
        attended = tokens if context is None else context
        seen = self._tokens_kept(attended)
        one_score = 2 * self.head_dim if self.latent is None else self.head_dim + self.latent.value
        work = (self.active + self.shared) * _weights(self._mlp(self.expert_width))
        parts = {
            "qkvo": self.layers * _weights(self.attention),
            "scores": seen * self.heads * one_score,  # and the weighted values
            "mlp": self._dense * _weights(self._mlp(self.ffn_width)) + self.sparse_layers * work,
            "router": self.sparse_layers * (_weights([self._router]) + self.shared_gate * self.width),
            "output": self.vocabulary * self.width,
        }
        return {part: 2 * tokens * count for part, count in parts.items() if count}

    def activations(self, sequences: int, tokens: int, bytes_each: int = 4) -> dict[str, int]:
        """Return the bytes that each component puts out, of all layers and for a batch, with nothing fused.

        A norm, a matrix, scores, their softmax, the weighted values, the steps of an MLP (in a gated one SiLU and
        product as well), logits, and a tensor of their size for the loss.
        """
        *qkv, projection = self.attention
        vectors = sequences * tokens * bytes_each
        hidden = (
            self._dense * self.ffn_width + self.sparse_layers * (self.active + self.shared) * self.expert_width
        )
        downs = self._dense + self.sparse_layers * (self.active + self.shared)
        scores = self.heads * self._tokens_kept(tokens)
        parts = {
            "norms": self.layers * self.norms * self.width,
            "qkv": self.layers * sum(matrix.outputs for matrix in qkv),
            "scores": scores,
            "softmax": scores,
            "values": self.layers * projection.inputs,
            "projection": self.layers * self.width,
            "mlp": (4 if self.gated else 2) * hidden + downs * self.width,
            "final_norm": self.final_norm * self.width,
            "logits": self.vocabulary,
            "loss": self.vocabulary,
        }
        return {part: vectors * count for part, count in parts.items() if count}

    def kv_bytes(self, bytes_each: int = 2) -> int:
        """Return the bytes that the KV cache takes for one more token, where no window is full."""
        return self.layers * self._cached * bytes_each

    def kv_cache(self, tokens: int, bytes_each: int = 2) -> int:
        """Return the bytes of the KV cache of one sequence. A layer with a window keeps no more than that."""
        return self._tokens_kept(tokens) * self._cached * bytes_each

    def _tokens_kept(self, tokens: int) -> int:
        """Return the tokens that a token attends to, of all layers together."""
        in_window = min(tokens, self.window) if self.window else tokens
        return self.windowed_layers * in_window + (self.layers - self.windowed_layers) * tokens

    @property
    def _cached(self) -> int:
        """Return the numbers that one layer caches for a token."""
        latent = self.latent
        return 2 * self.kv_heads * self.head_dim if latent is None else latent.kv_rank + latent.rope

    def _parts(self, experts: int) -> dict[str, int]:
        table = self.vocabulary * self.width
        router = _parameters([self._router]) + self.shared_gate * self.width
        sparse = (experts + self.shared) * _parameters(self._mlp(self.expert_width))
        parts = {
            "embedding": table,
            "positions": self.positions * self.width,
            "attention": self.layers * (_parameters(self.attention) + self.sinks * self.heads),
            "mlp": self._dense * _parameters(self._mlp(self.ffn_width)) + self.sparse_layers * sparse,
            "router": self.sparse_layers * router,
            "norms": self._norms,
            "output": 0 if self.tied else table,
        }
        return {part: count for part, count in parts.items() if count}

    @property
    def sparse_layers(self) -> int:
        """Return the number of layers whose MLP is split into experts."""
        return self.layers - self.dense_layers if self.experts else 0

    @property
    def _dense(self) -> int:
        return self.layers - self.sparse_layers

    @property
    def attention(self) -> list[Matrix]:
        """Return the matrices of attention in one layer, the output projection last."""
        width, heads, latent = self.width, self.heads, self.latent
        if latent is None:
            inner, keys = heads * self.head_dim, self.kv_heads * self.head_dim
            qkv = [Matrix(width, size, self.biases != "none") for size in (inner, keys, keys)]
        else:
            inner = heads * latent.value
            down = [Matrix(width, latent.q_rank)] if latent.q_rank else []
            queries = Matrix(latent.q_rank or width, heads * self.head_dim)
            qkv = [*down, queries, Matrix(width, latent.kv_rank + latent.rope)]
            qkv.append(Matrix(latent.kv_rank, heads * (latent.nope + latent.value)))
        return [*qkv, Matrix(inner, width, self.biases in {"attention", "all"})]

    def _mlp(self, hidden: int) -> list[Matrix]:
        """Return the matrices of one MLP."""
        is_biased = self.biases == "all"
        inward = Matrix(self.width, hidden, is_biased)
        return [*([inward] if self.gated else []), inward, Matrix(hidden, self.width, is_biased)]

    @property
    def _router(self) -> Matrix:
        return Matrix(self.width, self.experts, self.router_bias or self.biases == "all")

    @property
    def _norms(self) -> int:
        """Return the parameters of all norms."""
        of_width = (self.layers * self.norms + self.final_norm) * self.width * (2 if self.layer_norm else 1)
        of_ranks = self.latent.q_rank + self.latent.kv_rank if self.latent else 0
        return of_width + self.layers * (of_ranks + 2 * self.head_norms * self.head_dim)


def _word(value: object) -> str:
    if isinstance(value, Latent):
        return "/".join(map(str, astuple(value)))
    return str(int(value) if isinstance(value, bool) else value)


def _weights(matrices: Iterable[Matrix]) -> int:
    return sum(matrix.inputs * matrix.outputs for matrix in matrices)


def _parameters(matrices: Iterable[Matrix]) -> int:
    return sum((matrix.inputs + matrix.is_biased) * matrix.outputs for matrix in matrices)


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
