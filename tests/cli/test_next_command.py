"""Test the commands that the program names: on lines of their own, and as this shell can run them."""

import os
import subprocess
import sys

import pytest
from shell import Shell

BARE_PATH = "/usr/bin:/bin"


def output_of(*command: str, path: str = BARE_PATH) -> list[str]:
    """Return the last line on each stream of a process."""
    environ = {**os.environ, "PATH": path, "PYTHONPATH": os.pathsep.join(sys.path)}
    result = subprocess.run(command, env=environ, capture_output=True, text=True, check=False)
    return [(text.splitlines() or [""])[-1] for text in (result.stdout, result.stderr)]


def test_next_command_works_where_path_has_no_study(study: Shell) -> None:
    study("answer", "bytes-per-dtype", "again")
    module = [sys.executable, "-m", "studykit"]
    script = study.write("bin/study", f"#!{sys.executable}\nfrom studykit.__main__ import main\nmain()\n")
    script.chmod(0o755)

    by_module, by_script = output_of(*module)[0], output_of(str(script))[0]
    assert by_module == f"Next: {sys.executable} -m studykit review"
    assert by_script == f"Next: {script} review"
    assert output_of(*by_module.removeprefix("Next: ").split(), "--help")[0]
    assert output_of(*module, path=f"{script.parent}:{BARE_PATH}")[0] == "Next: study review"
    assert output_of(str(script), "quiz", "--last")[1] == f"  {script} quiz"
    assert output_of(str(script), "exercise", "list")[0].endswith(f"Start with: {script} exercise napkin-math")
    assert output_of(str(script), "review", "-n", "1", "--plain")[0] == f"Next: {script} review -n 1 --plain"


@pytest.mark.parametrize(
    ("words", "lines"),
    [
        (["exercise", "nosuch"], ["study: No set of exercises is named 'nosuch'.", "  study exercise list"]),
        (["quiz", "--last"], ["study: No quiz was taken here yet. Begin one:", "  study quiz"]),
        (["add", "-d", "zz", "a", "b"], ["study: No deck is named 'zz'. To make it:", "  study deck new 'zz'"]),
        (
            ["exercise", "mem.gib", "--answer", "5"],
            [
                "study: An answer belongs to one question. Give its seed or its numbers, and the answer:",
                "  study exercise mem.gib --seed 7 --answer TEXT",
            ],
        ),
    ],
    ids=lambda value: value[0],
)
def test_error_command_has_its_own_line(study: Shell, words: list[str], lines: list[str]) -> None:
    assert study(*words).err.splitlines() == lines


def test_colon_in_a_name_is_no_command(study: Shell) -> None:
    error = study("show", "note: study it").err
    assert error == "study: No card has the id 'note: study it'.\n  study deck list\n"
