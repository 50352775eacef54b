"""Test the probe of the sandbox: it notices each protection that is missing, and `study doctor` says so."""

import ctypes
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from studykit.cli.commands.doctor import checks
from studykit.cli.context import Context
from studykit.sandbox import landlock, probe, seccomp
from studykit.sandbox.lockdown import containment

WITHOUT = {
    "landlock": "from studykit.sandbox import landlock; landlock.abi = lambda: 0",
    "filter": "from studykit.sandbox import seccomp; seccomp.available = lambda: False",
    "limits": "from studykit.sandbox import lockdown; lockdown._limit = lambda *_: None",
}
LOST = {
    "landlock": {"files"},
    "filter": {"network", "processes", "others", "memory", "kernel"},
    "limits": {"memory"},
}


def test_every_line_holds_here() -> None:
    assert probe.working_protections() == dict.fromkeys(probe.LINES, True)


ELSEWISE = {
    "32-bit machine name": (
        "import ctypes, os; name = os.uname().machine; ctypes.CDLL(None).personality(8)\n"
        "assert os.uname().machine != name"
    ),
    "SIGCHLD ignored": "import signal; signal.signal(signal.SIGCHLD, signal.SIG_IGN)",
    "odd umask": (
        "import ctypes, encodings.idna, os\n"
        "from studykit.sandbox import probe, system_calls\n"  # who may not read them there
        "if not os.getuid(): os.setgid(65534); os.setuid(65534); ctypes.CDLL(None).prctl(4, 1, 0, 0, 0)\n"
        "os.umask(0o777)"
    ),
}


def probed_after(statements: str) -> dict[str, bool]:
    """Return the protections that hold in a process that has run these statements."""
    code = f"{statements}\nfrom studykit.sandbox import probe\nprobe.main()"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=30, check=True, cwd="/"
    )
    lines: dict[str, bool] = json.loads(done.stdout)
    return lines


@pytest.mark.parametrize("where", ELSEWISE)
def test_protections_hold_in_odd_processes(where: str) -> None:
    assert probed_after(ELSEWISE[where]) == dict.fromkeys(probe.LINES, True)


@pytest.mark.parametrize("guard", WITHOUT)
def test_a_guard_that_is_not_there_is_noticed(guard: str) -> None:
    lines = probed_after(WITHOUT[guard])

    lost = LOST[guard] | ({"others"} if guard == "landlock" and os.getuid() else set())  # root's is another matter
    assert {line for line, holds in lines.items() if not holds} == lost


def test_the_threat_model_has_the_same_lines() -> None:
    page = (Path(__file__).parents[2] / "SECURITY.md").read_text()
    table = page.partition("## What is enforced")[2].partition("\n## ")[0]

    assert re.findall(r"^\| (\w+) \|", table, re.MULTILINE) == ["line", *probe.LINES]


def test_project_inside_an_environment_is_not_pythons(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    packages = tmp_path / "lib" / "python3" / "site-packages"
    for file in (tmp_path / "src" / "mine.py", tmp_path / "lib" / "mine.py", packages / "einops.py"):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch()
    for prefix in ("prefix", "exec_prefix", "base_prefix", "base_exec_prefix"):
        monkeypatch.setattr(sys, prefix, str(tmp_path))

    listed = [*sys.path, str(tmp_path), str(tmp_path / "src"), str(tmp_path / "lib"), str(packages)]
    paths = set(landlock.readable(listed))

    assert {path for path in paths if path.startswith(str(tmp_path))} == {str(packages / "einops.py")}
    assert {Path(path).name for path in paths} >= {"json", "collections"}


def test_failed_probe_reports_no_protection(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/nowhere/python")

    assert probe.working_protections() == {}


@pytest.mark.parametrize("holds", [True, False])
def test_the_doctor_tells_each_line(monkeypatch: pytest.MonkeyPatch, *, holds: bool) -> None:
    monkeypatch.setattr(probe, "working_protections", lambda: dict.fromkeys(probe.LINES, holds))

    checks_by_name = {check.name: check for check in checks(Context.from_environment(), fix=False)}

    assert checks_by_name["sandbox"].ok is holds
    assert holds or checks_by_name["sandbox"].detail.endswith(f"does not hold here: {', '.join(probe.LINES)}")
    for line, sentence in probe.LINES.items():
        assert checks_by_name[f"- {line}"].ok is holds
        assert checks_by_name[f"- {line}"].detail == (sentence if holds else f"does not hold here: {sentence}")


def test_an_old_kernel_is_not_called_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as without_landlock:
        without_landlock.setattr(landlock, "abi", lambda: 0)
        assert containment().missing() == ("files",)
        assert containment(wrapped=True).whole
    monkeypatch.setattr(seccomp, "_ACTION_AVAILABLE", 99)  # a kernel that does not know the question
    assert containment(wrapped=True).missing() == ("files", "network", "processes")


ELSEWHERE = {
    "another processor": "import os, types; os.uname = lambda: types.SimpleNamespace(machine='riscv64')",
    "32 bits": (
        "import os, sys, types; sys.maxsize = 2**31 - 1; os.uname = lambda: types.SimpleNamespace(machine='i686')"
    ),
    "another system": "import sys; sys.platform = 'darwin'",
}


@pytest.mark.parametrize("where", ELSEWHERE)
def test_an_unknown_machine_is_not_called_whole(where: str) -> None:
    statement = "from studykit.sandbox.lockdown import containment; print(*containment(wrapped=True).missing())"
    code = f"{ELSEWHERE[where]}\n{statement}"

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=30, check=True)

    assert done.stdout.split() == ["files", "network", "processes"]


@pytest.mark.parametrize(("version", "flags"), [(6, 0), (7, 1), (8, 1)])
def test_refusals_stay_out_of_the_audit_log(version: int, flags: int, monkeypatch: pytest.MonkeyPatch) -> None:
    seen_flags = []

    class Kernel:
        def syscall(self, _number: int, ruleset: ctypes.c_int, flags: ctypes.c_uint32) -> int:
            seen_flags.append((ruleset.value, flags.value))
            return 0

    monkeypatch.setattr(landlock, "libc", Kernel())
    monkeypatch.setattr(landlock, "abi", lambda: version)

    landlock.restrict(ruleset := os.open(os.devnull, os.O_RDONLY))

    assert seen_flags == [(ruleset, flags)]
