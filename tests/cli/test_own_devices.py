"""Test devices of the learner's file and the one that `study device` measured, also in the log."""

import pytest
from shell import Shell, context_in
from templates import template_named

from studykit.exercise.estimate.log import variant_of
from studykit.store.ceiling_table import Ceiling

DEVICES = """\
["Lab A6000"]
memory = 48
bandwidth = 768
peaks = { tf32 = 74.8, bf16 = 154.8 }

["H100 SXM"]
memory = 94
"""


def test_own_device_answers_questions(study: Shell) -> None:
    study.write("devices.toml", DEVICES)

    own = study("exercise", "show", "roof.ridge", "--set", "hw=a6000", "dt=tf32", "--json").json
    override = study("exercise", "show", "mem.max_model", "--set", "hw=H100 SXM", "G=1", "conv=16", "--json").json

    assert own["answer"] == pytest.approx(74.8e12 / 768e9)
    assert override["answer"] == pytest.approx(94e9 / 16)
    assert "H100 SXM (94 GB)" in override["prompt"]


def test_log_needs_no_file(study: Shell) -> None:
    file = study.write("devices.toml", DEVICES)
    words = "exercise", "inf.decode_latency", "hw=a6000", "N=8B", "dt=bf16", "G=1"
    assert study(*words, "-n", "1", "--seed", "3", "--plain", typed=":skip\n").code == 0
    file.unlink()

    context = context_in(study.home)
    (event,) = context.store.log.showings(last=5)
    template = template_named("inf.decode_latency")
    assert event.showing is not None
    assert variant_of(template, event.showing).answer == pytest.approx(16e9 / 768e9)
    assert study("exercise", "show", "roof.ridge", "--set", "hw=a6000").code == 3


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("memory = 3", "'memory' is not a device. Begin a device with a line such as [\"My GPU\"]."),
        ('["A B"]\nmemory = 48\nbandwith = 3', "A B has an unknown key 'bandwith'. Did you mean bandwidth?"),
        ('[A]\nbandwidth = 3\nmemory = "48 GB"', "A: memory is '48 GB'. Give a number of GB above zero."),
        ("[A]\nmemory = 4\nbandwidth = nan", "A: bandwidth is nan. Give a number of GB/s above zero."),
        ("\n[A]\nmemory = 1", "A has no bandwidth. Add it in GB/s, such as bandwidth = 48."),
        ("[A]\npeaks = 3", "A: peaks is 3. Write TFLOP/s by dtype, such as { bf16 = 155 }."),
        ("[A]\n[A.peaks]\nbf61 = 3", "A has an unknown key 'bf61'. Did you mean bf16?"),
        ("[A]\npeaks = { bf16 = -3 }", "A: peaks.bf16 is -3. Give a number of TFLOP/s above zero."),
        ("[mine]\nmemory = 1", "'mine' means what study device measured. Choose another name."),
        ('["a(b)"]', "'a(b)' is not a name for a device. Use letters, digits, single spaces and . + / -."),
        ("[A]\nx = [", "Invalid value (at end of document). Make the file valid TOML."),
    ],
)
def test_wrong_device_is_refused_with_a_sentence(study: Shell, text: str, message: str) -> None:
    path = study.write("devices.toml", text)

    result = study("exercise", "show", "roof.ridge", "--set", "hw=H200 SXM")

    assert (result.code, result.err) == (5, f"study: {path}: {message}\n")


def measure(study: Shell, device: str, *, quiet: float = 1.0) -> None:
    speeds = {"copy": 3e12, "triad": 2e12, "update": 1e12, "read": 1e12}
    values = {"quiet": quiet} | {f"{way}_bytes_per_s": speed for way, speed in speeds.items()}
    ceilings = {name: Ceiling(value, 7) for name, value in values.items()}
    context_in(study.home).store.ceilings.put(f"{device}; driver 1; torch 2; 0 threads", ceilings)


def test_measured_device_has_no_datasheet_peak(study: Shell) -> None:
    measure(study, "cuda NVIDIA H100 80GB HBM3")

    decode = study("exercise", "show", "inf.tokens_per_s", "--set", "hw=mine", "N=7B", "dt=bf16", "--json").json
    session = study("exercise", "inf.tokens_per_s", "hw=mine", "-n", "1", "--plain", typed="1 per second\n:skip\n")
    ridge = study("exercise", "show", "roof.ridge", "--set", "hw=mine")

    assert decode["answer"] == pytest.approx(3e12 / 14e9)
    assert "one device like yours (3 TB/s, 80 GB)" in decode["prompt"]
    assert session.code == 0
    assert ridge.code == 2
    assert "mine has no datasheet peak, which this needs. Name a device that has one" in ridge.err


@pytest.mark.parametrize(
    ("device", "quiet", "message"),
    [
        ("", 1.0, "hw=mine has not been measured. Run:\n  study device"),
        ("cpu AMD EPYC", 0.0, "hw=mine was measured while the machine was busy. Run:\n  study device --measure"),
        (
            "cuda RTX 3060",
            1.0,
            "The memory of hw=mine (RTX 3060) is unknown. Describe the device under another name",
        ),
    ],
)
def test_measured_device_is_refused(study: Shell, device: str, quiet: float, message: str) -> None:
    if device:
        measure(study, device, quiet=quiet)

    result = study("exercise", "show", "inf.decode_latency", "--set", "hw=mine")

    assert result.code == 3
    assert result.err.startswith(f"study: {message}")


def test_check_says_how_to_measure_the_device_of_a_card(study: Shell) -> None:
    study.write("deck.md", "# Mine\n\nE: inf.decode_latency hw=mine\n")

    result = study("check", "deck.md")

    assert "deck.md:3: hw=mine has not been measured. Run `study device`." in result.out + result.err
