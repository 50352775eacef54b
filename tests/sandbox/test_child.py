"""Check how children end: each misbehaviour has its own ending and leaves nothing behind."""

import contextlib
import json
import os
import shutil
import signal
import socket
import struct
import subprocess
import sys
import time
import tracemalloc
from dataclasses import asdict, replace
from pathlib import Path
from random import Random
from types import SimpleNamespace

import pytest
from children import call, children_of, load

from studykit.exercise.catalog import rewrite_named as task
from studykit.exercise.rewrite import trial
from studykit.exercise.verdict import Crashed, Ending, Refused, TimedOut
from studykit.graders.child import fork_server, jobs
from studykit.graders.child.usage import ProcessFiles
from studykit.graders.host.place import Place
from studykit.graders.host.place import run as run_answer
from studykit.graders.rewrite.judge import Outcome, Raised, Returned
from studykit.sandbox import bubblewrap, channel
from studykit.sandbox.channel import Message, MessageReader, WireError, WorkerEndedError
from studykit.sandbox.landlock import Grants
from studykit.sandbox.lockdown import MIB, Containment, Limits, containment
from studykit.sandbox.worker import Worker, open_worker, runtime_folder

TIGHT = Limits(wall_s=20, cpu_s=1, memory_bytes=512 * MIB)
PATIENT = Limits(wall_s=1.5, cpu_s=20)
SIX = struct.pack("6f", *range(6))
GIVEN: tuple[list[object], list[bytes]] = ([{"dtype": "float32", "shape": [1, 6]}, 2], [SIX])
RIGHT = "def f(x, h): return rearrange(x, 'b (h d) -> b h d', h=h)"


def run(worker: Worker, body: str, limits: Limits = TIGHT) -> Message | Ending:
    lines = body.replace("\n", "\n  ")
    with worker.start("run_rewrite", limits) as child:
        return call(child, f"def f(x, h):\n  {lines}", *GIVEN)


def test_reply_holds_bytes_and_changed_inputs(worker: Worker) -> None:
    with worker.start("run_rewrite", TIGHT) as child:
        reply = call(child, RIGHT, *GIVEN)

    assert isinstance(reply, Message)
    assert reply.header["value"] == {"tensor": {"dtype": "float32", "shape": [1, 2, 3]}}
    assert reply.blobs == (SIX, SIX)


@pytest.mark.parametrize(
    ("body", "limits", "ending"),
    [
        ("import time; late = time.sleep(60)", PATIENT, TimedOut(1.5)),
        ("import os; os._exit(0)", TIGHT, Crashed("it ended itself with exit code 0 before it answered")),
        (
            "import ctypes; ctypes.string_at(0)",
            TIGHT,
            Crashed("it ended by a segmentation fault before it answered"),
        ),
        ("for _ in range(300): print('x' * 1000000)", TIGHT, Refused("it printed more than 1024 KiB")),
        (
            "return repeat(x, 'b d -> b d r', r=4000)",
            replace(TIGHT, reply_bytes=1000),
            Refused("its reply is invalid: it is too large"),
        ),
        (
            "import os, time; os.close(3); time.sleep(9)",
            TIGHT,
            Crashed("it closed its channel before it answered", killed=True),
        ),
        *(  # the second is one that watchers of a queue send to all of a job
            (
                f"import os, time; os.kill(os.getpid(), {number}); time.sleep(9)",
                TIGHT,
                Crashed(f"it ended by signal {number} before it answered", killed=True),
            )
            for number in (40, int(signal.SIGXCPU))
        ),
    ],
    ids=["sleep", "exit", "segmentation fault", "print", "large reply", "closed channel", "signal 40", "SIGXCPU"],
)
def test_each_misbehaviour_has_its_ending(
    worker: Worker, body: str, limits: Limits, ending: Ending, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(channel, "_NOTICE_S", 0.2)

    assert run(worker, body, limits) == ending


JUDGE = """
from studykit.sandbox.lockdown import Limits
from studykit.sandbox.worker import open_worker
code = "import time\\ndef f(x): time.sleep(0.5); return x"
with open_worker(backend="numpy", shared=False, wrapped=False) as worker:
    with worker.start("run_rewrite", Limits(wall_s=3)) as child:
        child.ask({"code": code, "parameters": None, "name": "f", "backend": "numpy", "device": "cpu"})
        for number in range(2):
            child.send({"arguments": [number]})
            print("asked", flush=True)
            reply = child.receive()
            print(getattr(reply, "header", {}).get("value", reply), flush=True)
"""


def test_stopped_judge_takes_answers_that_came_in_time() -> None:
    with subprocess.Popen([sys.executable, "-c", JUDGE], stdout=subprocess.PIPE, text=True) as judge:
        assert judge.stdout is not None
        first_line = judge.stdout.readline()
        judge.send_signal(signal.SIGSTOP)
        time.sleep(4)
        judge.send_signal(signal.SIGCONT)
        lines = judge.stdout.read().splitlines()

    assert [first_line.strip(), *lines] == ["asked", "{'plain': 0}", "asked", "{'plain': 1}"]


def test_sleeping_thread_does_not_delay_the_answer(worker: Worker) -> None:
    body = "import threading, time\nthreading.Thread(target=time.sleep, args=(60,)).start()\nreturn x"

    assert isinstance(run(worker, body), Message)


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a child outlives its worker")
def test_killed_worker_leaves_the_verdict_unknown() -> None:
    with open_worker(backend="numpy", shared=False, wrapped=False) as mortal:
        assert mortal.process is not None
        with mortal.start("run_rewrite", TIGHT) as child:
            load(child, RIGHT)
            mortal.process.kill()
            mortal.process.wait()
            with pytest.raises(WorkerEndedError, match=r"The sandbox's worker ended\. Try again"):
                call(child, RIGHT, *GIVEN)


def test_what_is_printed_is_shown_without_control_characters(worker: Worker) -> None:
    with worker.start("run_rewrite", TIGHT) as child:
        call(child, "import sys\ndef f(x, h):\n  print('seen \\x1b[2J'); sys.stdout.flush(); return x", *GIVEN)

        assert child.shown() == "seen [2J\n"


def test_bet_without_first_thread_ends_with_worker() -> None:
    code = (
        "import ctypes, threading, time\ndef f():\n threading.Thread(target=time.sleep, args=(60,)).start()\n"
        " ctypes.CDLL(None).syscall(60, 0)"  # exit, of this thread alone
    )
    with open_worker(backend="numpy", shared=False, wrapped=False) as worker:
        assert worker.process is not None
        with worker.start("run_rewrite", Limits(wall_s=60), threads=2) as child:
            load(child, code)
            child.send({"arguments": []})
            (pid,) = children_of(process_of(worker))
            until = time.monotonic() + 20
            while Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z":
                assert time.monotonic() < until
                time.sleep(0.01)
            assert len(list(Path(f"/proc/{pid}/task").iterdir())) == 2

            worker.process.kill()
            worker.process.wait()

            while ProcessFiles.of(pid).threads() > 1:
                assert time.monotonic() < until
                time.sleep(0.01)


LATE = """
import os, socket, sys, time
from dataclasses import asdict
from studykit.graders.child import jobs
from studykit.sandbox import lockdown
from studykit.sandbox.landlock import Grants

lockdown.adopt_orphans()
ours, theirs = socket.socketpair()
original = lockdown.die_with_parent
worker = os.fork()
if worker == 0:
    own = os.getpid()
    def late(*given):
        while os.getppid() == own:
            time.sleep(0.001)
        original(*given)
    lockdown.die_with_parent = late
    request = {"program": "run_rewrite", "device": "cpu", "threads": 1, "limits": asdict(lockdown.Limits())}
    job = jobs.fork(request, Grants(0))
    socket.send_fds(theirs, [b"c"], [job.channel.fileno()])
    os.kill(own, 9)
_, channels, _, _ = socket.recv_fds(ours, 1, 1)
os.waitpid(worker, 0)
until = time.monotonic() + 10
while os.waitpid(-1, os.WNOHANG) == (0, 0):
    if time.monotonic() > until:
        sys.exit("it waits for its first question")
    time.sleep(0.01)
"""


def test_child_ends_with_a_worker_killed_early() -> None:
    done = subprocess.run([sys.executable, "-c", LATE], capture_output=True, text=True, timeout=60, check=False)

    assert (done.returncode, done.stderr) == (0, "")


IN_A_STRANGERS_PROC = """
import json, os, sys
from studykit.graders.child import jobs
from studykit.sandbox.landlock import Grants

assert os.readlink("/proc/self") != str(os.getpid())
try:
    jobs.fork(json.loads(sys.argv[1]), Grants(0))
except OSError as error:
    print(error)
"""


def test_reused_process_number_is_not_a_child() -> None:
    unshare = ["unshare", *(["--user"] if os.getuid() else []), "--pid", "--fork"]
    if (
        not shutil.which("unshare")
        or subprocess.run([*unshare, "true"], check=False, capture_output=True).returncode
    ):
        pytest.skip("no namespace of processes may be made here")
    request = {"program": "run_rewrite", "device": "cpu", "threads": 1, "limits": asdict(TIGHT)}

    tried = [*unshare, sys.executable, "-c", IN_A_STRANGERS_PROC, json.dumps(request)]
    done = subprocess.run(tried, capture_output=True, text=True, timeout=60, check=True)

    assert done.stdout == "its child cannot be watched in /proc\n"


def test_unreadable_child_has_no_usage(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[int] = []

    def of(pid: int) -> ProcessFiles:
        started.append(pid)
        return ProcessFiles(pid)  # as where no more files can be opened

    monkeypatch.setattr(ProcessFiles, "of", of)
    request = {"program": "run_rewrite", "device": "cpu", "threads": 1, "limits": asdict(TIGHT)}

    with pytest.raises(OSError, match="watched in"):
        jobs.fork(request, Grants(0))
    assert os.waitstatus_to_exitcode(os.waitpid(started[0], 0)[1]) == -signal.SIGKILL


def test_child_is_the_first_to_be_killed(worker: Worker) -> None:
    with worker.start("run_rewrite", TIGHT) as child:
        call(child, RIGHT, *GIVEN)
        (pid,) = children_of(process_of(worker))

        assert Path(f"/proc/{pid}/oom_score_adj").read_text() == "1000\n"
    assert worker.process is not None
    assert Path(f"/proc/{worker.process.pid}/oom_score_adj").read_text() != "1000\n"


def test_answer_that_never_reads_blocks_nothing(worker: Worker) -> None:
    big = bytes(8 * MIB)
    with worker.start("run_rewrite", PATIENT) as child:
        load(child, "import time; late = time.sleep(60)")

        assert child.ask({"arguments": []}, [big]) == TimedOut(1.5)


def alive(pid: int) -> bool:
    """Return whether a process is alive. A zombie is not, because the worker will reap it in a moment."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in {"Z", "X"}
    except FileNotFoundError:
        return False


def test_slow_context_keeps_children_ready_for_one_use() -> None:
    with open_worker(backend="numpy", shared=False, wrapped=False) as opened:  # its pids are those that we see
        first = pid_of(opened)
        waiting = until_two_wait(opened)
        second = pid_of(opened)

    assert first not in waiting
    assert second in waiting
    assert [pid for pid in waiting if alive(pid)] == []


def pid_of(worker: Worker) -> int:
    with worker.start("run_rewrite", TIGHT, device="cuda") as child:
        reply = call(child, "import os\ndef f(x, h): return os.getpid()", *GIVEN)
    assert isinstance(reply, Message)
    return int(reply.header["value"]["plain"])


def until_two_wait(worker: Worker) -> list[int]:
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        if len(children := children_of(process_of(worker))) == 2:
            return children
    return []


def process_of(worker: Worker) -> int:
    assert worker.process is not None
    return worker.process.pid


def test_private_worker_and_folder_end_with_owner() -> None:
    with open_worker(backend="numpy", shared=False) as opened:
        folder, process = opened.folder, opened.process

    assert process is not None
    assert process.poll() is not None
    assert folder is not None
    assert not folder.exists()


def test_commands_share_a_worker_while_its_socket_exists(runtime: Path) -> None:
    first = open_worker(backend="numpy", runtime=runtime)
    try:
        second = open_worker(backend="numpy", runtime=runtime)
        with first.start("run_rewrite", TIGHT) as one, second.start("run_rewrite", TIGHT) as other:
            assert isinstance(call(one, RIGHT, *GIVEN), Message)
            assert isinstance(call(other, RIGHT, *GIVEN), Message)

        assert (second.path, second.wrapped) == (first.path, first.wrapped)
        assert first.path.stat().st_mode & 0o777 == 0o600
    finally:
        first.path.unlink()  # an idle worker whose socket is gone leaves


@pytest.mark.parametrize("mode", [0o755, 0o777])
def test_open_runtime_folder_is_not_used(tmp_path: Path, mode: int) -> None:
    tmp_path.chmod(mode)

    with open_worker(backend="numpy", runtime=tmp_path) as opened:
        assert opened.folder is not None


def test_long_runtime_folder_yields_to_a_short_one(tmp_path: Path) -> None:
    deep = tmp_path / ("x" * 120)
    deep.mkdir()

    assert runtime_folder(str(deep)) == Path(f"/tmp/studykit-{os.getuid()}")


def test_sandbox_says_what_it_enforces() -> None:
    bare = Containment(files=False, network=False, processes=False, memory=True)

    assert bare.sentence() == "the sandbox limits time and memory; not files, network, processes"
    assert containment().sentence() == "the sandbox limits time, memory, processes, files and network"
    assert containment(wrapped=True).sentence().endswith("files and network, with bubblewrap around it")


@pytest.mark.parametrize(
    ("script", "handler"),
    [
        ("exit 1", signal.SIG_DFL),
        ("exit 1", signal.SIG_IGN),
        ("exec sleep 60", signal.SIG_DFL),
        ("exec sh -c 'kill -9 $$'", signal.SIG_DFL),
    ],
    ids=["fails", "fails where SIGCHLD is ignored", "hangs", "is killed"],
)
def test_unusable_bubblewrap_is_left_out(
    script: str, handler: signal.Handlers, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    forbidden = tmp_path / "bwrap"
    forbidden.write_text(f"#!/bin/sh\n{script}\n")
    forbidden.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    monkeypatch.setattr(bubblewrap, "PROBE_S", 0.5)
    previous = signal.signal(signal.SIGCHLD, handler)
    try:
        with open_worker(backend="numpy", shared=False) as opened, opened.start("run_rewrite", TIGHT) as child:
            assert isinstance(call(child, RIGHT, *GIVEN), Message)
    finally:
        signal.signal(signal.SIGCHLD, previous)

    assert not opened.wrapped


def test_missing_bubblewrap_gives_no_command(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))

    assert bubblewrap.command(tmp_path, "numpy") == []


@pytest.mark.parametrize(
    "data",
    [
        b"\xff" * 16,
        (2).to_bytes(8, "big") + b"[]",
        (4).to_bytes(8, "big") + b"true",
        channel.pack({}, [b"12345678901"]),
        channel.pack({}) + b"more",
        (24).to_bytes(8, "big") + b'{"header":{},"blobs":5}  ',
    ],
)
def test_malformed_frame_is_refused(data: bytes) -> None:
    with pytest.raises(WireError):
        MessageReader(10).feed(data)


def test_joined_frames_are_read_one_by_one() -> None:
    reader = MessageReader(10)
    data = channel.pack({"a": 1}, [b"xy"]) + channel.pack({"b": 2}) + channel.pack({"c": 3})

    assert [*reader.frames(data[:-3])] == [Message({"a": 1}, (b"xy",)), Message({"b": 2})]
    assert [*reader.frames(data[-3:])] == [Message({"c": 3})]


def test_header_in_pieces_is_parsed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[object] = []

    def described(*_: object) -> tuple[dict[str, object], list[int]]:
        read.append(1)
        return {}, [100]

    monkeypatch.setattr(channel, "_parse_header", described)
    reader = MessageReader(100)
    data = channel.pack({}, [bytes(100)])

    for i in range(len(data)):
        reader.feed(data[i : i + 1])

    assert len(read) == 1


def test_a_frame_in_small_pieces_is_read_whole() -> None:
    reader = MessageReader(10)
    data = channel.pack({"a": 1}, [b"xy", b""])

    pieces = [reader.feed(data[i : i + 1]) for i in range(len(data))]

    assert pieces[-1] == Message({"a": 1}, (b"xy", b""))
    assert not any(pieces[:-1])


FORGING = """
import json, os, time
def f(x, h):
    text = json.dumps({"header": {"error": json.loads(%r)}, "blobs": []}).encode()
    os.write(3, len(text).to_bytes(8, "big") + text)
    time.sleep(9)
"""


def outcomes(worker: Worker, source: str) -> list[Outcome]:
    place, exercise = Place(worker, limits=TIGHT), task("split_heads")
    with place.child() as child:
        return run_answer(child, place, exercise, source, trial.draw(exercise, Random(1), 1))


def forged(worker: Worker, error: object) -> Outcome:
    return outcomes(worker, FORGING % json.dumps(error))[-1]


HUGE = """
import json, os, time
def f(x, h):
    value = {"tensor": {"dtype": "uint8", "shape": [%d]}}
    text = json.dumps({"header": {"value": value, "inputs": []}, "blobs": [%d]}).encode()
    rest = memoryview(len(text).to_bytes(8, "big") + text + bytes(%d))
    while rest: rest = rest[os.write(3, rest):]
    time.sleep(9)
"""


@pytest.mark.parametrize(
    ("size", "expected"), [(16 * MIB, Returned), (16 * MIB + 1, Refused), (63 * MIB, Refused)]
)
def test_reply_over_16_mib_is_refused(worker: Worker, size: int, expected: type[Outcome]) -> None:

    (outcome,) = outcomes(worker, HUGE % ((size,) * 3))

    assert type(outcome) is expected
    assert expected is Returned or outcome == Refused("its reply is larger than 16 MiB")


def test_description_of_a_reply_is_limited_before_reading(worker: Worker) -> None:
    many = {"type": "E", "family": [{"list": [{"list": []}]}] * 12_000, "message": "", "line": 1}

    assert forged(worker, many) == Refused("its reply is invalid: its header is too long")


def test_description_of_a_reply_takes_8_mib() -> None:
    """Parse the JSON of a header's maximum length that makes the most objects."""
    text = '{"list":[{"list":[]}]}'
    items = ",".join([text] * ((256 * 1024 - 100) // (len(text) + 1)))
    frame = f'{{"header":{{"inputs":[{items}]}},"blobs":[]}}'.encode()
    tracemalloc.start()
    try:
        read = MessageReader(0, 256 * 1024).feed(len(frame).to_bytes(8, "big") + frame)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert read is not None
    assert most < 12 * MIB


def test_large_reply_is_in_memory_twice_at_most() -> None:
    frame = channel.pack({}, [bytes(32 * MIB)])
    reader = MessageReader(64 * MIB)
    tracemalloc.start()
    try:
        read = [reader.feed(frame[place : place + MIB]) for place in range(0, len(frame), MIB)]
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert read[-1] == Message({}, (bytes(32 * MIB),))
    assert most < 2.5 * 32 * MIB


def test_exception_text_of_an_answer_is_safe(worker: Worker) -> None:
    error = {"type": "\x1b[31mE", "family": ["E\x07"], "message": "\ud800\x1b[2J" + "m" * 9000, "line": 10**30}

    assert forged(worker, error) == Raised("[31mE", ("E",), "[2J" + "m" * 1995, 0)


@pytest.mark.parametrize(
    "wrong", [{"line": float("inf")}, {"line": "1"}, {"family": 5}, {"family": "abc"}], ids=str
)
def test_malformed_exception_is_refused(worker: Worker, wrong: dict[str, object]) -> None:
    error = {"type": "E", "family": [], "message": "", "line": 1, **wrong}

    assert forged(worker, error) == Refused("its reply describes no value")


def test_worker_itself_limits_memory_without_the_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    sleeping = [sys.executable, "-c", "import time; late = time.sleep(60)"]
    processes = [subprocess.Popen(sleeping, start_new_session=True) for _ in range(2)]
    greedy, modest = (process.pid for process in processes)
    bytes_by_pid = {os.getpid(): 100 * MIB, greedy: 111 * MIB, modest: 109 * MIB}
    monkeypatch.setattr("studykit.graders.child.fork_server.resident_bytes", lambda _: bytes_by_pid)
    try:
        with socket.socket() as unused:
            weighed = {pid: jobs.Job(pid, unused, -1, memory_bytes=10 * MIB) for pid in (greedy, modest)}
            fork_server.ForkServer(unused, -1, 1.0, Path(), "", jobs=weighed).weigh()

        assert processes[0].wait(10) == -signal.SIGKILL
        assert processes[1].poll() is None
        assert [job.why for job in weighed.values()] == ["it took more than 10 MiB of memory", ""]
    finally:
        for process in processes:
            process.kill()
            process.wait(10)


@pytest.mark.skipif(sys.platform != "linux", reason="/proc is Linux's")
def test_children_are_stopped_while_a_program_is_prepared(monkeypatch: pytest.MonkeyPatch) -> None:
    """Check this because preparing takes seconds in which no child's memory would be limited."""
    prepared: list[tuple[str, str]] = []
    monkeypatch.setattr(fork_server, "_warm", lambda program: prepared.append((program, state())))
    monkeypatch.setattr(
        fork_server, "fork", lambda *_: SimpleNamespace(gate=None, hand_over=lambda _: None, pid=0)
    )
    sleeper = subprocess.Popen(["/bin/sleep", "60"])

    def state() -> str:
        """Return a process's state, S if it sleeps or T if it is stopped, after waiting a moment for it."""
        time.sleep(0.2)
        return Path(f"/proc/{sleeper.pid}/stat").read_text().rpartition(")")[2].split()[0]

    with contextlib.ExitStack() as opened, socket.socket() as unused:
        opened.callback(sleeper.wait)
        opened.callback(sleeper.kill)
        at_work = {-1: jobs.Job(sleeper.pid, unused, -1, memory_bytes=MIB)}
        server = fork_server.ForkServer(unused, -1, 1.0, Path(), "", jobs=at_work)
        for program in ("run_bet", "run_bet", "run_rewrite"):
            for end in (pair := socket.socketpair()):
                opened.enter_context(end)
            server._serve(pair[0], {"program": program})

        assert prepared == [("run_bet", "T"), ("run_rewrite", "T")]
        assert state() == "S"


def test_memory_of_a_process_comes_from_ps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "ps"
    program.write_text('#!/bin/sh\n[ "$*" = "-o pid=,rss= -p 7,8,9" ] && echo "  7  2048" && echo "  9 512"\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")

    assert jobs.resident_bytes([7, 8, 9]) == {7: 2 * MIB, 9: MIB // 2}
