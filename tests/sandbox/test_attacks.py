"""Test attacks on every line of the threat model from inside a child: they gain and change nothing outside.

The attacks run as ordinary answers do, without bubblewrap. If root runs the tests, everything is done twice: as
root, and as an ordinary user. `tests/data/attacks` holds the attacks, including each one that ever worked.
"""

import functools
import json
import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from attacks import CPU, DOORS, HELD, IN_A_THREAD, MEMORY, MEMORY_MIB, PARTS, WALL, f, memory, random_calls

pytestmark = pytest.mark.skipif(
    platform.machine() != "x86_64", reason="the attacks name calls by x86_64's numbers"
)

SCRIPT = Path(__file__).parent.parent / "support" / "attack_run.py"
NOBODY = 65534
OPEN = all(folder.stat().st_mode & 1 for folder in Path(__file__).resolve().parents)
"""Whether another user may enter this checkout: who may not, cannot run it."""
USERS = {"user": None} if os.getuid() else {"root": None, "user": NOBODY} if OPEN else {"root": None}
PEAK = max(256, 4 * (os.cpu_count() or 1))
BY_EACH = pytest.mark.parametrize(
    "user", [pytest.param(user, marks=[pytest.mark.thorough] if OPEN and user == "root" else []) for user in USERS]
)


@functools.cache
def results(kind: str, user: str, *without: str) -> dict[str, Any]:
    """Run all attacks of a kind at once, as children of one worker."""
    if user not in USERS:
        pytest.skip("this checkout is closed to other users, and root's own run of it is another test")
    request = {"user": USERS[user], "without": without, "attacks": KINDS[kind]}
    done = subprocess.run(
        [sys.executable, str(SCRIPT)],
        input=json.dumps(request),
        capture_output=True,
        text=True,
        timeout=180,
        check=False,
        cwd="/",
    )
    assert done.returncode == 0, done.stderr[-3000:]
    report = json.loads(done.stdout)
    assert report["uid"] == (USERS[user] or os.getuid())
    by_attack: dict[str, Any] = report["results"]
    return by_attack


SHORT = {"cpu_s": 1, "wall_s": 15.0}
KINDS: dict[str, dict[str, dict[str, Any]]] = {
    "held": {name: {"code": code} for name, code in {**HELD, "next child": f(PARTS["next child"])}.items()},
    "calls": {
        name: {"code": HELD[name]} for name in ("writing", "2 sockets", "new processes", "4 other processes")
    },
    "memory": {name: {"code": memory(body), "limits": {"cpu_s": 20}} for name, body in MEMORY.items()},
    "cpu": {name: {"code": f(body), "limits": SHORT, "watched": True} for name, body in CPU.items()},
    "wall": {
        **{name: {"code": f(body), "limits": {"wall_s": 0.5}} for name, body in WALL.items()},
        "first thread ends": {"code": f(PARTS["first thread ends"]), "limits": {"wall_s": 0.5}, "threads": 0},
    },
    "thread": {name: {"code": code, "threads": 0} for name, code in IN_A_THREAD.items()},
    "kernel": {
        "tables": {"code": f(PARTS["scattered"]), "watched": True, "limits": {"memory_bytes": 1 << 30}},
        "signals": {"code": f(PARTS["queued signals"]), "watched": True},
    },
    "doors": {
        name: {"code": f(PARTS["other doors"].replace("{code}", code.strip()))} for name, code in DOORS.items()
    },
    "random": {str(seed): {"code": f(random_calls(seed)), "threads": 1 + seed % 2} for seed in range(1, 9)},
    "unseen": {
        "threads": {"code": f(PARTS["threads of a bet"]), "threads": 0},
        "tables": {"code": f(PARTS["scattered"]), "limits": {"memory_bytes": 1 << 30}},
        "cpu": {"code": f(CPU["asleep while time is counted"]), "limits": SHORT},
        "first thread ends": {"code": f(PARTS["first thread ends"]), "threads": 0, "limits": {"wall_s": 20.0}},
    },
    "threads": {
        "threads": {"code": f(PARTS["threads of a bet"]), "threads": 0, "watched": True},
        "machine code": {
            "code": f(PARTS["threads that start threads"]),
            "threads": 0,
            "watched": True,
            "limits": {"cpu_s": 3, "wall_s": 5.0},
        },
        "where none may be started": {"code": f(PARTS["threads that start threads"]), "watched": True},
    },
}


def may_mount() -> bool:
    """Return whether /proc can be mounted again so that it hides other processes."""
    if "root" not in USERS or not OPEN or (unshare := shutil.which("unshare")) is None:
        return False
    tried = [unshare, "--mount", "mount", "-t", "proc", "-o", "hidepid=2", "proc", "/proc"]
    return subprocess.run(tried, check=False, capture_output=True).returncode == 0


def unharmed(attack: dict[str, Any]) -> bool:
    """Return whether nothing outside the child has changed and nothing of it is left."""
    return attack["changed"] == [] and attack["left"] == 0 and attack["worker_lives"] is True


@BY_EACH
@pytest.mark.parametrize("name", KINDS["held"])
def test_nothing_is_gained_and_nothing_changes(user: str, name: str) -> None:
    result = results("held", user)[name]

    assert result.get("header", result)["value"] == {"list": []}, result
    assert unharmed(result), result


@BY_EACH
@pytest.mark.parametrize("name", MEMORY)
def test_memory_is_bounded_whatever_it_is_made_of(user: str, name: str) -> None:
    result = results("memory", user)[name]

    if "header" in result:
        assert result["header"]["value"]["plain"] <= MEMORY_MIB
    else:
        assert len(result["shown"]) <= {"pushed upon the stack": 8, "a stack in pieces": MEMORY_MIB}[name]
    assert unharmed(result), result


@pytest.mark.thorough
@pytest.mark.parametrize("without", ["data", "addresses"])
def test_either_limit_of_memory_holds_without_the_other(without: str) -> None:
    only_addresses = {"written, then read only", "written, then of no use", "all at once"}

    for name, result in results("memory", "user", without).items():
        if value := result.get("header", {}).get("value"):
            assert value["plain"] <= MEMORY_MIB or (without == "addresses" and name in only_addresses), name


@pytest.mark.parametrize("name", KINDS["calls"])
def test_the_filter_holds_where_there_is_no_landlock(name: str) -> None:
    result = results("calls", "user", "landlock")[name]

    assert result["header"]["value"] == {"list": []}, result
    assert unharmed(result), result


@pytest.mark.thorough
@pytest.mark.parametrize("name", CPU)
def test_processor_time_stays_within_the_limit(name: str) -> None:
    result = results("cpu", "user")[name]

    assert result["ending"] == "TimedOut"
    assert result["most_cpu_s"] <= 1.25  # one of them is ended by the worker, which looks twenty times a second
    assert unharmed(result), result


@pytest.mark.parametrize("name", IN_A_THREAD)
def test_every_thread_of_a_bet_is_confined(name: str) -> None:
    result = results("thread", "user")[name]

    assert result.get("header", result)["value"] == {"list": []}, result
    assert unharmed(result), result


def test_kernel_memory_of_a_child_is_limited() -> None:
    result = results("kernel", "user")

    assert result["tables"]["most_tables_mib"] < 256  # of some 500; looked at twenty times a second
    assert "it scattered its memory" in result["tables"]["why"]
    assert result["signals"]["most_queued"] <= 8  # they are counted for the whole user


@pytest.mark.parametrize("name", DOORS)
def test_calls_of_another_kind_end_the_process(name: str) -> None:
    result = results("doors", "user")[name]

    assert "a system call that the sandbox forbids" in result["why"]


@pytest.mark.thorough
@pytest.mark.parametrize("name", KINDS["wall"])
def test_wall_time_limit_ends_an_idle_child(name: str) -> None:
    result = results("wall", "user")[name]

    assert result["ending"] in {"TimedOut", "Crashed"}
    assert result["seconds"] < 8
    assert unharmed(result), result


@pytest.mark.thorough
@pytest.mark.parametrize("seed", KINDS["random"])
def test_calls_at_random_change_nothing(seed: str) -> None:
    result = results("random", "user")[seed]  # most of them end themselves

    assert "header" in result or result["ending"] in {"Crashed", "TimedOut"}, result
    assert unharmed(result), result


@BY_EACH
def test_threads_are_counted_before_they_are_there(user: str) -> None:
    result = results("threads", user)

    assert 8 <= result["threads"]["header"]["value"]["plain"] < PEAK  # some, for a bet needs its pool
    assert max(each["most_threads"] for each in result.values()) <= PEAK
    assert "too many threads" in result["machine code"]["why"]
    assert result["where none may be started"]["most_threads"] == 1
    assert all(unharmed(each) for each in result.values())


def test_worker_counts_threads_without_help_of_the_kernel() -> None:
    result = results("threads", "user", "gate")

    assert "too many threads" in result["machine code"]["why"]
    assert result["where none may be started"]["most_threads"] == 1
    assert all(unharmed(each) for each in result.values())


def test_limits_hold_where_proc_hides_a_child() -> None:
    if not may_mount():
        pytest.skip("only root may mount another /proc")
    result = results("unseen", "user", "sight")

    assert 8 <= result["threads"]["header"]["value"]["plain"] < PEAK
    assert "it scattered its memory" in result["tables"]["why"]
    assert result["cpu"]["ending"] == "TimedOut"
    assert result["cpu"]["seconds"] < 10  # of the processor it has one second, by the clock fifteen
    assert "being killed" in result["first thread ends"]["why"]  # its memory cannot be read then
    assert all(unharmed(each) for each in result.values())
