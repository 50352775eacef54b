"""Compute parameters, FLOPs, activations and KV cache from the shape of a Transformer."""

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
    """Hold the ranks and head dimensions of multi-head latent attention (MLA)."""

    q_rank: int  # 0 where queries are not compressed
    kv_rank: int
    nope: int
    rope: int
    value: int


class Matrix(NamedTuple):
    """Hold a weight matrix with its numbers of inputs and outputs, and whether it has a bias."""

    inputs: int
    outputs: int
    is_biased: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """Hold the sizes of a Transformer decoder. Contradictory sizes are refused."""

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
    experts: int = 0  # of which a token visits the `active` ones, and all the `shared` ones
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
        """Raise UsageError for contradictory sizes."""
        heads, latent, why = self.heads, self.latent, ""
        if self.head_dim < 1:
            whose = f"A width of {self.width} cannot be divided among {heads} heads."
            why = f"{whose} Give the dimension of a head as well."
        elif heads % self.kv_heads:
            why = f"{heads} query heads cannot share {self.kv_heads} KV heads evenly. Use a divisor of {heads}."
        elif latent and (self.head_dim, self.kv_heads) != (latent.nope + latent.rope, heads):
            needs = f"Latent attention needs {heads} KV heads of size {latent.nope} + {latent.rope}."
            why = f"{needs} Leave out kv_heads and head_dim."
        elif self.active > self.experts:
            why = f"A token cannot visit {self.active} of {self.experts} experts. Give at most {self.experts}."
        elif max(self.dense_layers, self.windowed_layers) > self.layers:
            name = "dense" if self.dense_layers > self.layers else "windowed"
            why = f"The model has {self.layers} layers, but more {name} ones. Give at most {self.layers}."
        if why:
            raise UsageError(why)

    @property
    def name(self) -> str:
        """Return the non-default sizes in one line: `layers=32 width=4096 ...`."""
        sizes = [(field, getattr(self, field.name)) for field in fields(self)]
        return " ".join(f"{field.name}={_size_word(value)}" for field, value in sizes if value != field.default)

    @property
    def letters(self) -> dict[str, float]:
        """Return the values of the letters in formulas."""
        return {letter: float(getattr(self, size)) for letter, size in LETTERS.items()}

    @property
    def parameters(self) -> int:
        """Return the number of parameters."""
        return sum(self.parts.values())

    @property
    def active_parameters(self) -> int:
        """Return the number of parameters that are active for a token, including the whole embedding."""
        return sum(self.active_parts.values())

    @property
    def parts(self) -> dict[str, int]:
        """Return the number of parameters by part, without empty parts."""
        return self._parameters_by_part(self.experts)

    @property
    def active_parts(self) -> dict[str, int]:
        """Return the number of parameters by part that are active for a token."""
        return self._parameters_by_part(self.active)

    def flops(self, tokens: int, context: int | None = None) -> dict[str, int]:
        """Return the matmul FLOPs by part of one sequence's forward pass, with full score matrices.

        Each token attends to `context` tokens, by default to all of the sequence.
        """
        attended = tokens if context is None else context
        attended_tokens = self._tokens_kept(attended)
        one_score = 2 * self.head_dim if self.latent is None else self.head_dim + self.latent.value
        work = (self.active + self.shared) * _count_weights(self._mlp_matrices(self.expert_width))
        parts = {
            "qkvo": self.layers * _count_weights(self.attention),
            "scores": attended_tokens * self.heads * one_score,  # and the weighted values
            "mlp": self._dense_layers * _count_weights(self._mlp_matrices(self.ffn_width))
            + self.sparse_layers * work,
            "router": self.sparse_layers * self.width * (self.experts + self.shared_gate),
            "output": self.vocabulary * self.width,
        }
        return {part: 2 * tokens * count for part, count in parts.items() if count}

    def activations(self, sequences: int, tokens: int, bytes_each: int = 4) -> dict[str, int]:
        """Return the bytes of each component's outputs, over all layers and a batch, without fusion.

        The components are norms, matrices, scores, their softmax, the weighted values, the steps of an MLP (in a
        gated one SiLU and product as well), logits, and a tensor of their size for the loss.
        """
        *qkv, projection = self.attention
        vectors = sequences * tokens * bytes_each
        hidden = (
            self._dense_layers * self.ffn_width
            + self.sparse_layers * (self.active + self.shared) * self.expert_width
        )
        downs = self._dense_layers + self.sparse_layers * (self.active + self.shared)
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

    def kv_cache(self, tokens: int = 1, bytes_each: int = 2) -> int:
        """Return the bytes of a sequence's KV cache, or those of one token. Windowed layers keep only a window."""
        latent = self.latent
        numbers = 2 * self.kv_heads * self.head_dim if latent is None else latent.kv_rank + latent.rope
        return self._tokens_kept(tokens) * numbers * bytes_each

    def _tokens_kept(self, tokens: int) -> int:
        """Return the number of tokens that a token attends to, summed over all layers."""
        in_window = min(tokens, self.window) if self.window else tokens
        return self.windowed_layers * in_window + (self.layers - self.windowed_layers) * tokens

    def _parameters_by_part(self, experts: int) -> dict[str, int]:
        table = self.vocabulary * self.width
        router = self.width * (self.experts + self.shared_gate)
        router += self.experts if self.router_bias or self.biases == "all" else 0
        sparse = (experts + self.shared) * _count_parameters(self._mlp_matrices(self.expert_width))
        parts = {
            "embedding": table,
            "positions": self.positions * self.width,
            "attention": self.layers * (_count_parameters(self.attention) + self.sinks * self.heads),
            "mlp": self._dense_layers * _count_parameters(self._mlp_matrices(self.ffn_width))
            + self.sparse_layers * sparse,
            "router": self.sparse_layers * router,
            "norms": self._norm_parameters,
            "output": 0 if self.tied else table,
        }
        return {part: count for part, count in parts.items() if count}

    @property
    def sparse_layers(self) -> int:
        """Return the number of layers with experts."""
        return self.layers - self.dense_layers if self.experts else 0

    @property
    def _dense_layers(self) -> int:
        return self.layers - self.sparse_layers

    @property
    def attention(self) -> list[Matrix]:
        """Return the attention matrices of a layer, with the output projection last."""
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

    def _mlp_matrices(self, hidden: int) -> list[Matrix]:
        """Return the matrices of one MLP."""
        is_biased = self.biases == "all"
        inward = Matrix(self.width, hidden, is_biased)
        return [*([inward] if self.gated else []), inward, Matrix(hidden, self.width, is_biased)]

    @property
    def _norm_parameters(self) -> int:
        """Return the number of parameters of all norms."""
        of_width = (self.layers * self.norms + self.final_norm) * self.width * (2 if self.layer_norm else 1)
        of_ranks = self.latent.q_rank + self.latent.kv_rank if self.latent else 0
        return of_width + self.layers * (of_ranks + 2 * self.head_norms * self.head_dim)


def _size_word(value: object) -> str:
    if isinstance(value, Latent):
        return "/".join(map(str, astuple(value)))
    return str(int(value) if isinstance(value, bool) else value)


def _count_weights(matrices: Iterable[Matrix]) -> int:
    return sum(matrix.inputs * matrix.outputs for matrix in matrices)


def _count_parameters(matrices: Iterable[Matrix]) -> int:
    return sum((matrix.inputs + matrix.is_biased) * matrix.outputs for matrix in matrices)


_FIELDS = {field.name: field for field in fields(Shape)}
_BIASES = {"none", "qkv", "attention", "all"}


def read_model(text: str) -> Shape:
    """Parse a model's line, as in a pin or a log, or raise UsageError."""
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
            special = {
                "biases": f"one of {listed(sorted(_BIASES))}",
                "latent": "five whole numbers such as 0/512/128/64/128",
            }
            wanted = special.get(name, f"a whole number below {MAX_SIZE:,}")
            raise UsageError(f"{name}={value} is not valid. Give {wanted}.")
        sizes[name] = value if name == "biases" else Latent(*numbers) if name == "latent" else numbers[0]
        sizes[name] = bool(numbers[0]) if isinstance(default, bool) else sizes[name]
    return model_of(sizes)


def model_of(sizes: Mapping[str, object]) -> Shape:
    """Make a model of these sizes, or raise UsageError if one is missing or they are contradictory."""
    needed = [name for name, field in _FIELDS.items() if field.default is MISSING]
    if missing := [name for name in needed if not sizes.get(name)]:
        raise UsageError(f"The model lacks {listed(missing)}. Add each size, such as {missing[0]}=32.")
    return Shape(**sizes)  # type: ignore[arg-type]  # each checked by its name
