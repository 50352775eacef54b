"""Test `study exercise --model`, whose log does not depend on the model's file."""

import json
from pathlib import Path

import pytest
from shell import Shell, context_in
from templates import template_named

from studykit.exercise.estimate.log import variant_of

MODELS = json.loads((Path(__file__).parents[1] / "data" / "models.json").read_text("utf-8"))
LLAMA = json.dumps(MODELS[0]["config"])
EIGHT = 8_030_261_248
SKIP_ALL = ":skip\n\n" * 12


def asked(study: Shell, *words: str) -> list[str]:
    """Return the exercises that a run asks, from its log."""
    result = study("exercise", "--model", *words, "--plain", "--seed", "3", typed=SKIP_ALL)
    assert result.code == 0, result.err
    events = context_in(study.home).store.log.showings(last=20)
    return [event.showing.template for event in reversed(events) if event.showing]


def test_model_brings_a_dozen_questions(study: Shell) -> None:
    study.write("config.json", LLAMA)

    names = asked(study, "config.json")

    assert names == [
        *("model.params", "model.part", "model.flops", "model.kv", "mem.weights_infer", "mem.train_state"),
        *("mem.min_gpus", "inf.max_batch", "inf.ttft", "inf.decode_latency", "inf.mbu", "time.train_days"),
    ]


def test_log_needs_no_file(study: Shell) -> None:
    file = study.write("config.json", LLAMA)
    asked(study, "config.json", "--set", "hw=A100 80GB SXM", "G=2", "s=4.096K")
    file.unlink()

    answers = {}
    for event in context_in(study.home).store.log.showings(last=20):
        assert event.showing is not None
        template = template_named(event.showing.template)
        answers[template.id] = variant_of(template, event.showing).answer

    scores = 32 * 4 * 4096 * 4096
    assert answers["model.params"] == EIGHT
    assert answers["model.flops"] == 2 * (EIGHT - 128256 * 4096 - 65 * 4096) + scores
    assert answers["model.kv"] == 4 * 32 * 8 * 128 * 4096
    assert answers["inf.decode_latency"] == pytest.approx(2 * EIGHT / (2 * 2039e9))
    assert answers["inf.max_batch"] == int((160e9 - 16.06e9) / 536.9e6)
    assert answers["time.train_days"] == pytest.approx(6 * EIGHT * 1.6e11 / (2 * 312e12 * 0.4))


@pytest.mark.parametrize("row", MODELS[::3], ids=lambda row: row["name"])
def test_each_family_is_asked_about(study: Shell, row: dict[str, object]) -> None:
    study.write("config.json", json.dumps(row["config"]))

    result = study("exercise", "--model", "config.json", "--plain", "-n", "1", typed=f"{row['count']}\n")

    assert result.code == 0
    assert "right" in result.out
    assert result.err == ""


def test_first_question_says_what_is_assumed(study: Shell) -> None:
    study.write("llama/config.json", LLAMA)

    result = study("exercise", "--model", "llama", "--plain", "-n", "1", typed=":skip\n")

    assert "This is llama. The file does not say these, so assume: head_dim = 4096 / 32 = 128." in result.out


@pytest.mark.parametrize("pin", ["e=64", "head_dim=64"])
def test_size_is_pinned_by_letter_or_word(study: Shell, pin: str) -> None:
    study.write("llama/config.json", LLAMA)

    result = study("exercise", "--model", "llama", "--set", pin, "--plain", "-n", "1", typed=":skip\n")

    assert "KV heads of dimension 64" in result.out


def test_active_parameters_count_where_a_token_uses_them(study: Shell) -> None:
    study.write("config.json", json.dumps(MODELS[6]["config"]))

    result = study("exercise", "--model", "config.json", "--plain", "--seed", "3", typed=SKIP_ALL)

    counts = "46,702,792,704 parameters. A token uses 12,879,925,248 of them; count those."
    assert f"config.json has {counts}" in result.out
    assert "for a model with 12.88B parameters" in result.out


@pytest.mark.parametrize("variable", ["HF_HUB_CACHE", "HF_HOME", ""])
def test_name_is_found_in_the_hub_cache(study: Shell, variable: str, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = {"HF_HUB_CACHE": "hub", "HF_HOME": "hf/hub", "": ".cache/huggingface/hub"}[variable]
    for name in ("HF_HUB_CACHE", "HF_HOME", "XDG_CACHE_HOME", "HUGGINGFACE_HUB_CACHE"):
        monkeypatch.delenv(name, raising=False)
    if variable:
        monkeypatch.setenv(variable, str(study.home / folder.removesuffix("/hub")))
    at = f"{folder}/models--meta-llama--Llama-3.1-8B"
    blob = study.write(f"{at}/blobs/abc", LLAMA)
    study.write(f"{at}/snapshots/old/config.json", "{}")
    (study.home / at / "snapshots/new").mkdir()
    (study.home / at / "snapshots/new/config.json").symlink_to(blob)

    result = study("exercise", "--model", "meta-llama/Llama-3.1-8B", "--plain", "-n", "1", typed=f"{EIGHT}\n")

    assert "This is meta-llama/Llama-3.1-8B." in result.out
    assert "This is models--meta" in study("exercise", "--model", str(study.home / at), "--plain", "-n", "1").out


def test_model_exercise_names_questions_the_device_lacks(study: Shell) -> None:
    study.write("config.json", LLAMA)
    study.write("devices.toml", '["Old"]\nmemory = 24\nbandwidth = 300\n')

    result = study("exercise", "--model", "config.json", "--set", "hw=old", "--plain", typed=SKIP_ALL)

    assert "config.json 1/10" in result.out
    left_out = [line.partition(":")[0] for line in result.err.splitlines()]
    assert left_out == ["inf.ttft is left out", "time.train_days is left out"]


def test_setting_names_the_device(study: Shell) -> None:
    study.write("config.json", LLAMA)
    study("config", "set", "exercise.device", "L40S")

    result = study("exercise", "--model", "config.json", "--plain", "--seed", "3", typed=SKIP_ALL)

    assert "smallest number of L40S (48 GB each)" in result.out


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (("--model", "m.gguf"), 5, "m.gguf is not JSON. Give the config.json of a model."),
        (("--model", "folder"), 3, "folder has no config.json. Give the folder of a model."),
        (("--model", "big.json"), 5, "big.json is larger than 1,000,000 bytes. Give the config.json of a model."),
        (("--model", "latin.json"), 5, "latin.json is not text in UTF-8. Give the config.json of a model."),
        (("--model", "a/b/c"), 3, "a/b/c is neither a file nor a model in "),
        (
            ("--model", "config.json", "einops"),
            2,
            "--model asks its own questions. Omit the set, --tag and --answer.",
        ),
        (("--model", "config.json", "--set", "hhw=3"), 2, "--model has no parameter 'hhw'. Did you mean hw?"),
        (("--model", "config.json", "--set", "N=3"), 2, "--model has no parameter 'N'. It has D, G, L, V, "),
        (("--model", "config.json", "--set", "family=llma"), 2, "Unknown family 'llma'. Did you mean llama?"),
        (("--model", "config.json", "--set", "L=x"), 2, "L=x: L must be a whole number from 1 to 9,999,999."),
        (("--model", "config.json", "--set", "hw=Z80"), 3, "No device is called 'Z80'. Use one of: "),
    ],
)
def test_wrong_model_is_refused(study: Shell, words: tuple[str, ...], code: int, message: str) -> None:
    study.write("config.json", LLAMA)
    study.write("m.gguf", "GGUF")
    study.write("big.json", " " * 1_000_001)
    (study.home / "latin.json").write_bytes(b"\xff\xfe")
    (study.home / "folder").mkdir()

    result = study("exercise", *words)

    assert result.code == code
    assert result.err.startswith(f"study: {message}")
    assert result.err.count("\n") == 1
