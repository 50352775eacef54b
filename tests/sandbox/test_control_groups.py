"""Test that the control groups' limits in force are found, whichever group sets them."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from studykit.sandbox import lockdown

GROUPS = Path("/sys/fs/cgroup")


def limits_of(folder: Path, groups: str, files: dict[str, str]) -> list[str]:
    """Return the limits for these groups of a process and these files of the mounted hierarchies."""
    (folder / "told").write_text(groups)
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(f"{text}\n")
    return lockdown.group_limits(str(folder / "told"), str(folder))


def test_limits_of_outer_groups_count_too(tmp_path: Path) -> None:
    files = {
        "user.slice/memory.max": "8589934592",
        "user.slice/cpu.max": "max 100000",
        "user.slice/a.scope/cpu.max": "2000 100000",
        "user.slice/a.scope/memory.max": "max",
        "user.slice/b.scope/cpu.max": "1000 100000",
    }

    assert limits_of(tmp_path, "0::/user.slice/a.scope\n", files) == [
        "cpu.max 2000 100000",
        "memory.max 8589934592",
    ]


def test_two_terminals_with_the_same_limits_are_alike(tmp_path: Path) -> None:
    files = {
        "user.slice/memory.max": "8589934592",
        "user.slice/a.scope/memory.max": "max",
        "user.slice/b.scope/c.scope/memory.max": "max",
    }

    first = limits_of(tmp_path, "0::/user.slice/a.scope\n", files)

    assert first == limits_of(tmp_path, "0::/user.slice/b.scope/c.scope\n", {}) == ["memory.max 8589934592"]


def test_limits_of_cgroup_v1_come_from_controllers(tmp_path: Path) -> None:
    groups = "5:memory:/of/a container\n4:cpu,cpuacct:/slow\n3:pids:/slow\n1:name=systemd:/x\n0::/\n"
    files = {
        "cpu/cpu.cfs_quota_us": "-1",
        "cpu/cpu.cfs_period_us": "100000",
        "cpu/slow/cpu.cfs_quota_us": "2000",
        "cpu/slow/cpu.cfs_period_us": "50000",
        "memory/memory.limit_in_bytes": "1073741824",  # a container's own group is mounted as the first one
        "pids/slow/pids.max": "10",
    }

    assert limits_of(tmp_path, groups, files) == [
        "cpu.cfs_quota_us 2000 50000",
        "memory.limit_in_bytes 1073741824",
    ]


@pytest.mark.parametrize("groups", ["", "0::/gone (deleted)\n", "0::/../../elsewhere\n", "no group\n", "::\n"])
def test_unreadable_groups_give_no_limit(tmp_path: Path, groups: str) -> None:
    assert limits_of(tmp_path, groups, {}) == []
    assert lockdown.group_limits(str(tmp_path / "nowhere"), str(tmp_path)) == []


@pytest.fixture
def slow_group() -> Iterator[Path]:
    """Make a group that has a fiftieth of a core, or skip the test if that is not allowed."""
    version_2 = (GROUPS / "cgroup.controllers").exists()
    group = GROUPS / ("" if version_2 else "cpu") / f"study-test-{os.getpid()}"
    try:
        group.mkdir()
    except OSError:
        pytest.skip("no control group can be made here")
    try:
        if version_2:
            (group / "cpu.max").write_text("2000 100000")
        else:
            (group / "cpu.cfs_quota_us").write_text("2000")
    except OSError:
        group.rmdir()
        pytest.skip("no limit can be set here")
    yield group
    group.rmdir()


def test_real_limit_of_this_process_is_found(slow_group: Path) -> None:
    code = (
        "import os, sys; from studykit.sandbox import lockdown\n"
        "free = lockdown.group_limits()\n"
        "open(sys.argv[1] + '/cgroup.procs', 'w').write(str(os.getpid()))\n"
        "print(*(set(lockdown.group_limits()) - set(free)))\n"
    )

    done = subprocess.run(
        [sys.executable, "-c", code, str(slow_group)], capture_output=True, text=True, timeout=60, check=True
    )

    assert done.stdout in {"cpu.max 2000 100000\n", "cpu.cfs_quota_us 2000 100000\n"}
