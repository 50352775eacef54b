"""Test the manual's commands for a class on a fresh server, changing only the host."""

import re
import subprocess
from pathlib import Path

import pytest
from postgresql_server import Server, programs
from shell import Result, Shell

from studykit.help_pages import PAGES

HOST = "class.example.org"


def commands() -> list[str]:
    match = re.search(r"<!-- class -->\n```console\n(.*?)```", (PAGES / "class.md").read_text("utf-8"), re.DOTALL)
    assert match is not None
    return re.findall(r"^\$ (.*)$", match[1], re.MULTILINE)


def test_manual_sets_up_a_class(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = server.url.partition("host=")[2]
    monkeypatch.setenv("PGUSER", "study")
    homes = {name: tmp_path / name for name in ("owner", "ana", "kim")}
    done: dict[str, Result] = {}
    for command in commands():
        words = [
            re.sub(rf"{HOST}/course$", f"/course?host={folder}", word).replace(HOST, folder)
            for word in command.split()
        ]
        name = next((name for name in homes if f"//{name}@" in command), "owner")
        homes[name].mkdir(exist_ok=True)
        if words[0] == "study":
            study = Shell(homes[name], monkeypatch, capsys)
            if name == "ana":
                study("answer", "six", "good")
            done[f"{words[1]} {words[2]}"] = result = study(*words[1:])
            assert (result.code, result.err) == (0, "")
        else:
            path = f"{programs()}:/usr/bin:/bin"
            subprocess.run(
                ["sh", "-c", command.replace(HOST, folder)],
                cwd=homes[name],
                env={"PATH": path, "PGUSER": "study"},
                check=True,
            )

    assert re.search(r'study class add ROSTER.csv --db "postgresql://\S*/course\S*"$', done["class create"].out)
    assert re.findall(r"^(\w+)\n", done["class add"].out, re.MULTILINE) == ["ana", "bo", "kim"]
    assert re.search(r"\nkim\n.*study class report \"postgresql://kim@", done["class add"].out, re.DOTALL)
    assert [result.out for verb, result in done.items() if verb.startswith("sync ")] == ["sent 1 review.\n"]
    assert done["class export"].out.startswith("1 learner with 1 event in ")
    assert (homes["kim"] / "logs" / "ana.json").is_file()
