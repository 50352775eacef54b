"""The README is a promise: its commands exist, its files are there, its blocks can be pasted."""

import re
import shlex
from pathlib import Path

import pytest

from studykit.cli.app import VERBS

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text()
PROSE = re.sub(r"(`+)[^`].*?\1", "", README, flags=re.DOTALL)


def block(name: str) -> str:
    found = re.search(rf"<!-- {name} -->\n```sh\n(.*?)```", README, re.DOTALL)
    assert found is not None
    return found[1].strip()


@pytest.mark.parametrize("name", ["run", "test"])
def test_each_of_the_two_commands_is_one_line(name: str) -> None:
    assert "\n" not in block(name)


def test_ci_runs_the_readmes_own_test_command() -> None:
    assert "<!-- test -->" in (ROOT / ".ci" / "run").read_text()


@pytest.mark.parametrize("line", re.findall(r"^\$ (study .*)$", README, re.MULTILINE))
def test_each_command_shown_is_a_verb(line: str) -> None:
    words = shlex.split(line, comments=True)

    assert len(words) == 1 or words[1] in VERBS


def test_nobody_is_told_to_copy_the_database() -> None:
    assert "Never copy `study.db` alone" in README
    assert not re.search(r"copy the file|\.backup copy", README)


@pytest.mark.parametrize("link", re.findall(r"\]\((?!https?:|#)([^)#]+)\)", PROSE))
def test_each_relative_link_leads_to_a_file(link: str) -> None:
    assert (ROOT / link).exists()
