"""Check models read from config.json: published counts, family defaults, and errors in files."""

import json
from pathlib import Path
from typing import Any

import pytest

from studykit.errors import BadDataError, UsageError
from studykit.exercise.estimate.model_config import Config, read_config
from studykit.exercise.estimate.shape import read_model

MODELS: list[dict[str, Any]] = json.loads((Path(__file__).parents[2] / "data" / "models.json").read_text("utf-8"))
LIKE = "If it is built like Llama, add: --set family=llama"
LLAMA = MODELS[0]["config"]


def read(config: object, **pinned: str) -> Config:
    return read_config(json.dumps(config, indent=0), "config.json", pinned)


def without(*keys: str, **changes: object) -> dict[str, object]:
    return {key: value for key, value in (LLAMA | changes).items() if key not in keys}


@pytest.mark.parametrize("row", MODELS, ids=lambda row: row["name"])
def test_published_count_and_line_agree(row: dict[str, Any]) -> None:
    model = read(row["config"]).model

    assert row["source"].startswith("https://")
    assert model.parameters == row["count"]
    assert read_model(model.name) == model


@pytest.mark.parametrize(
    ("config", "assumed"),
    [
        (without("tie_word_embeddings"), ["tie_word_embeddings = false", "head_dim = 4096 / 32 = 128"]),
        (without("num_key_value_heads", head_dim=64), ["as many KV heads as query heads"]),
        (without("sliding_window", model_type="mistral", head_dim=128), ["sliding_window = 4096"]),
        (
            {**MODELS[8]["config"], "n_inner": 5000, "head_dim": 64, "tie_word_embeddings": True},
            ["as many KV heads as query heads"],
        ),
    ],
)
def test_family_adds_what_a_file_leaves_out(config: dict[str, object], assumed: list[str]) -> None:
    assert list(read(config).assumed) == assumed


@pytest.mark.parametrize(
    ("changes", "windowed"),
    [
        ({"model_type": "mistral", "sliding_window": None}, 0),
        ({"model_type": "gemma2", "num_hidden_layers": 5}, 3),
        ({"model_type": "gemma3_text", "num_hidden_layers": 26}, 22),
        ({"model_type": "gemma3_text", "layer_types": ["sliding_attention", "full_attention"] * 16}, 16),
        ({"model_type": "qwen2", "sliding_window": 9, "use_sliding_window": True, "max_window_layers": 28}, 4),
        ({"model_type": "qwen2", "sliding_window": 9, "use_sliding_window": False, "max_window_layers": 28}, 0),
        ({"model_type": "llama", "sliding_window": 9}, 0),
    ],
)
def test_windowed_layers(changes: dict[str, object], windowed: int) -> None:
    assert read(LLAMA | changes).model.windowed_layers == windowed


def test_text_config_counts_alone() -> None:
    inner = {"model_type": "gemma3_text", "num_hidden_layers": 34, "hidden_size": 2560, "intermediate_size": 10240}

    config = read({"model_type": "gemma3", "vision_config": {"hidden_size": 1152}, "text_config": inner})

    assert config.is_inside
    assert config.model.parameters == 3_880_263_168  # https://huggingface.co/google/gemma-3-4b-it, text alone
    assert "vocab_size = 262208" in config.assumed


def test_pins_complete_an_unknown_family() -> None:
    config = without("num_hidden_layers", model_type="falcon")

    assert read(config, family="llama", L="32").model == read(LLAMA).model


@pytest.mark.parametrize("text", ["128256", "128,256", "128.256K"])
def test_size_is_pinned_as_people_write_it(text: str) -> None:
    assert read(without("vocab_size"), V=text).model == read(LLAMA).model


@pytest.mark.parametrize("text", ["0", "-1", "1.5", "1e9", "4 GB", "many"])
def test_size_that_is_no_whole_number_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match=r"V must be a whole number from 1 to 9,999,999\."):
        read(LLAMA, V=text)


WHOLE = "It should be a whole number from 0 to 9,999,999."


@pytest.mark.parametrize(
    ("config", "message"),
    [
        ({}, " describes no model. Give the config.json of a model."),
        ([1], " describes no model. Give the config.json of a model."),
        (without("vocab_size", model_type="falcon"), f" is of the unknown family 'falcon'. {LIKE} V=..."),
        (
            without(model_type="qwen2_vl"),
            " is of the unknown family 'qwen2_vl'. If it is built like Qwen2, add: --set family=qwen2",
        ),
        ({"tokenizer_class": "T"}, f" names no family (model_type). {LIKE} L=... d=... h=... f=... V=..."),
        (
            without("vocab_size", num_hidden_layers=0),
            " does not say num_hidden_layers and vocab_size. Add: --set L=... V=...",
        ),
        (LLAMA | {"hidden_size": "4096"}, f":4: hidden_size is '4096'. {WHOLE}"),
        (LLAMA | {"hidden_size": True}, f":4: hidden_size is True. {WHOLE}"),
        (LLAMA | {"vocab_size": 10**9}, f":8: vocab_size is 1000000000. {WHOLE}"),
        (LLAMA | {"tie_word_embeddings": 1}, ":9: tie_word_embeddings is 1. It should be true or false."),
        (LLAMA | {"num_attention_heads": 24}, ": 24 heads do not divide a width of 4096. Add --set head_dim=..."),
        (
            LLAMA | {"num_key_value_heads": 5},
            ": 32 query heads cannot share 5 KV heads evenly. Use a divisor of 32.",
        ),
    ],
)
def test_wrong_config_is_refused(config: object, message: str) -> None:
    with pytest.raises(BadDataError) as refused:
        read(config)

    assert str(refused.value) == f"config.json{message}"


@pytest.mark.parametrize("pin", [{"kv_heads": "8"}, {"e": "128"}])
def test_pin_that_latent_attention_contradicts_is_refused(pin: dict[str, str]) -> None:
    with pytest.raises(BadDataError, match=r"Latent attention needs 32 KV heads of size 128 \+ 64"):
        read(LLAMA | {"model_type": "deepseek_v3"}, **pin)


@pytest.mark.parametrize("text", ["", "GGUF\x03", "{", "[" * 100_000])
def test_text_that_is_not_json_is_refused(text: str) -> None:
    with pytest.raises(BadDataError, match="is not JSON"):
        read_config(text, "config.json", {})


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("layers=2 widht=3", "A model has no size 'widht'. Did you mean width?"),
        ("layers=two", "layers=two is not valid"),
        ("layers=99999999999", "layers=99999999999 is not valid"),
        ("latent=1/2", "latent=1/2 is not valid"),
        ("biases=most", "biases=most is not valid"),
        ("layers=2", "The model lacks width, heads, head_dim, kv_heads, ffn_width and vocabulary"),
    ],
)
def test_wrong_line_of_a_model_is_refused(text: str, message: str) -> None:
    with pytest.raises(UsageError) as refused:
        read_model(text)

    assert str(refused.value).startswith(message)
