"""Every verb explains itself, and naming one loads no other."""

import importlib
import re
from pathlib import Path

import pytest

from studykit.cli.app import VERBS, Verb, run

ROOT = Path(__file__).parents[2]
LISTED = [verb for verb in VERBS if not verb.hidden]


@pytest.mark.parametrize("verb", LISTED, ids=lambda verb: verb.name)
def test_a_verb_explains_itself_in_a_sentence(verb: Verb, capsys: pytest.CaptureFixture[str]) -> None:
    code = run([verb.name, "--help"])

    sentence = capsys.readouterr().out.split("\n\n")[1]
    assert code == 0
    assert len(sentence.split()) >= 4
    assert "." in sentence


def test_every_module_of_a_verb_can_register() -> None:
    modules = {verb.module for verb in VERBS}

    assert [
        name
        for name in modules
        if not hasattr(importlib.import_module(f"studykit.cli.commands.{name}"), "register")
    ] == []


def test_the_list_of_verbs_names_each_of_them(capsys: pytest.CaptureFixture[str]) -> None:
    code = run(["--help"])

    listed = re.findall(r"^  (\w+) {2,}[A-Z]", capsys.readouterr().out, re.MULTILINE)
    assert code == 0
    assert listed == [verb.name for verb in LISTED]


def test_a_misspelt_verb_is_a_usage_error_with_a_suggestion(capsys: pytest.CaptureFixture[str]) -> None:
    code = run(["revew"])

    assert code == 2
    assert "'review'" in capsys.readouterr().err
