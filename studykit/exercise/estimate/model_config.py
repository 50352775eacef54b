"""Read a model's sizes from its Hugging Face config.json, with defaults of its family."""

import json
import tomllib
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from studykit.errors import BadDataError, StudyError, UsageError
from studykit.exercise.estimate.shape import LETTERS, MAX_SIZE, Latent, Shape, model_of
from studykit.quantity.reading import read
from studykit.quantity.units import target_unit
from studykit.text import listed, meant

FAMILY = "family"  # the pin that says which family a file is to be read as
_NEEDED = ("L", "d", "h", "f", "V")  # the letters of sizes that families do not share


class Config(NamedTuple):
    """Hold a model, the defaults that were assumed for it, and its maximum number of tokens."""

    model: Shape
    assumed: tuple[str, ...]
    is_inside: bool  # in the text_config of a file that describes more
    max_tokens: int


@cache
def families() -> Mapping[str, Mapping[str, Any]]:
    """Return the table of families. Its row `keys` has the names that most families give their sizes."""
    table = tomllib.loads(Path(__file__).with_name("families.toml").read_text("utf-8"))
    return {name: table.get(row.get("same_as"), {}) | row for name, row in table.items()}


def read_config(text: str, path: str, pinned: Mapping[str, str]) -> Config:
    """Parse a config.json, or raise BadDataError for a bad file and UsageError for a bad pin.

    `pinned` adds or replaces sizes by letter, such as L=32, and may name the family.
    """
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        raise BadDataError(f"{path} is not JSON. Give the config.json of a model.") from None
    if not isinstance(document, dict) or not document:
        raise BadDataError(f"{path} describes no model. Give the config.json of a model.")
    inner = document.get("text_config")
    reader = _Reader({**document, **inner} if isinstance(inner, dict) else document, text, path)
    pinned_sizes = {
        size: _pinned_size(letter, pinned[letter]) for letter, size in LETTERS.items() if letter in pinned
    }
    sizes = reader.sizes(_family(reader, pinned), pinned_sizes)
    tokens = reader.number("max_position_embeddings") or reader.number("n_positions") or MAX_SIZE
    try:
        return Config(model_of(sizes), tuple(reader.assumed), isinstance(inner, dict), tokens)
    except UsageError as error:
        raise BadDataError(f"{path}: {error}") from None


def _pinned_size(letter: str, text: str) -> int:
    """Return a pinned size such as 32, 4,096 or 128K, or raise UsageError."""
    number = target_unit("number")
    with suppress(StudyError):
        reading = read(text, number)
        is_whole = reading.dimension == number.dimension and reading.value % 1 == 0
        if is_whole and 0 < reading.value < MAX_SIZE:
            return int(reading.value)
    raise UsageError(f"{letter}={text}: {letter} must be a whole number from 1 to {MAX_SIZE - 1:,}.")


def _family(reader: "_Reader", pinned: Mapping[str, str]) -> str:
    names = [name for name in families() if name != "keys"]
    name = pinned.get(FAMILY, reader.document.get("model_type"))
    if isinstance(name, str) and name in names:
        return name
    if FAMILY in pinned:
        raise UsageError(f"Unknown family {name!r}. {meant(str(name), names, f'There are {listed(names)}.')}")
    what = "names no family (model_type)" if name is None else f"is of the unknown family {name!r:.40}"
    keys = families()["keys"]
    missing = [each for each in _NEEDED if each not in pinned and not reader.document.get(keys[LETTERS[each]])]
    begun = [family for family in names if isinstance(name, str) and name.startswith(family)]
    like = max(begun, key=len, default="llama")  # qwen2 for qwen2_vl
    sizes = "".join(f" {letter}=..." for letter in missing)
    raise BadDataError(
        f"{reader.path} {what}. If it is built like {like.capitalize()}, add: --set family={like}{sizes}"
    )


class _Reader:
    """Read sizes from a config.json, and record the defaults that were assumed."""

    def __init__(self, document: Mapping[str, object], text: str, path: str) -> None:
        self.document, self.text, self.path = document, text, path
        self.assumed: list[str] = []

    def number(self, key: str) -> int:
        """Return a key's whole number, or 0 if it is missing or null, or raise BadDataError for another value."""
        value = self.document.get(key)
        if value is not None and (type(value) is not int or not 0 <= value < MAX_SIZE):
            raise self._wrong_value(key, f"a whole number from 0 to {MAX_SIZE - 1:,}")
        return value or 0

    def flag(self, key: str) -> bool:
        """Return a key's boolean, or False if it is missing or null, or raise BadDataError for another value."""
        value = self.document.get(key)
        if not isinstance(value, bool | None):
            raise self._wrong_value(key, "true or false")
        return bool(value)

    def _wrong_value(self, key: str, expected: str) -> BadDataError:
        line = self.text.count("\n", 0, self.text.find(f'"{key}"')) + 1
        return BadDataError(f"{self.path}:{line}: {key} is {self.document[key]!r:.40}. It should be {expected}.")

    def sizes(self, family: str, pinned: Mapping[str, int]) -> dict[str, Any]:
        """Return the sizes of a `Shape`: pinned ones, those of the file, and defaults of the family."""
        row = families()[family]
        sizes: dict[str, Any] = {**row.get("fixed", {})}
        missing = row.get("missing", {})
        keys = {**families()["keys"], **row.get("keys", {})}
        for size, key in keys.items():
            if key in self.document:
                sizes[size] = self.flag(key) if size == "tied" else self.number(key)
            elif size in missing and size not in pinned:
                sizes[size] = missing[size]
                self.assumed.append(f"{key} = {json.dumps(missing[size])}")
        sizes |= pinned
        self._refuse_missing(sizes, keys)
        self._add_heads(sizes, row, pinned)
        self._add_mlps(sizes, row)
        if "biases" not in sizes and (self.flag("attention_bias") or self.flag("mlp_bias")):
            sizes["biases"] = "all" if self.flag("mlp_bias") else "attention"
        sizes["windowed_layers"] = self._windowed_layers(sizes, row)
        sizes["window"] = sizes.get("window", 0) if sizes["windowed_layers"] else 0
        return sizes

    def _refuse_missing(self, sizes: Mapping[str, Any], keys: Mapping[str, str]) -> None:
        needed = [letter for letter in _NEEDED if letter != "f" or sizes.get("gated", True)]
        if missing := [letter for letter in needed if not sizes.get(LETTERS[letter])]:
            pins = " ".join(f"{letter}=..." for letter in missing)
            names = listed([keys[LETTERS[letter]] for letter in missing])
            raise BadDataError(f"{self.path} does not say {names}. Add: --set {pins}")

    def _add_heads(self, sizes: dict[str, Any], row: Mapping[str, Any], pinned: Mapping[str, int]) -> None:
        """Add the latent ranks, the number of KV heads and the head dimension where the file leaves them out."""
        heads, width = sizes["heads"], sizes["width"]
        if latent := row.get("latent"):
            ranks = [self.number(key) if key in self.document else usual for key, usual in latent.items()]
            sizes["latent"] = Latent(*ranks)
            sizes |= {"kv_heads": heads, "head_dim": ranks[2] + ranks[3], **pinned}
        if not sizes.get("kv_heads"):
            sizes["kv_heads"] = heads
            self.assumed.append("as many KV heads as query heads")
        if not sizes.get("head_dim"):
            sizes["head_dim"], rest = divmod(width, heads)
            if rest:
                why = f"{self.path}: {heads} heads do not divide a width of {width}. Add --set head_dim=..."
                raise BadDataError(why)
            self.assumed.append(f"head_dim = {width} / {heads} = {width // heads}")

    def _add_mlps(self, sizes: dict[str, Any], row: Mapping[str, Any]) -> None:
        """Add the MLP sizes that follow from others: GPT-2's width, Qwen's shared experts and dense layers."""
        layers, width = sizes["layers"], sizes.pop("shared_width", 0)
        if not sizes.get("ffn_width"):
            sizes["ffn_width"] = 4 * sizes["width"]
            self.assumed.append(f"an MLP of width 4 * {sizes['width']}")
        if width:
            sizes["shared"], rest = divmod(width, sizes["expert_width"])
            if rest:
                raise BadDataError(
                    f"{self.path}: the shared experts have a width of {width}, which is not a multiple of "
                    f"{sizes['expert_width']}, the width of an expert. Correct one of the two."
                )
        if row.get("keys", {}).get("experts") == "num_experts":
            step, dense = self.number("decoder_sparse_step") or 1, self.document.get("mlp_only_layers")
            sparse = set(range(step - 1, layers, step)) - set(dense if isinstance(dense, list) else ())
            sizes["dense_layers"] = layers - len(sparse)

    def _windowed_layers(self, sizes: Mapping[str, Any], row: Mapping[str, Any]) -> int:
        """Return the number of layers with windowed attention."""
        layers: int = sizes["layers"]
        types = self.document.get("layer_types")
        if "full_every" not in row or not sizes.get("window"):
            return 0
        if "below" in row:
            return max(0, layers - self.number(row["below"])) if self.flag("use_sliding_window") else 0
        if isinstance(types, list):
            return types.count("sliding_attention")
        every: int = self.number("sliding_window_pattern") or row["full_every"]
        return layers - (layers // every if every else 0)
