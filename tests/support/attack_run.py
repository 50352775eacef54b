"""Run attacks in children of a new worker, and report what they gained and what changed around them.

Tests run it as a script, `attack_run.py < request.json`, because it may become another user. A request names that
user (or none), the guards to leave out, and the attacks. The script makes what a child could spoil, and looks at
that after each attack.
"""

import contextlib
import ctypes
import errno
import importlib
import json
import os
import resource
import select
import signal
import socket
import subprocess
import sys
import tempfile
import time
import traceback
from pathlib import Path
from typing import Any

import einops
from children import children_of, load

from studykit.graders.child import fork_server
from studykit.sandbox import landlock, lockdown, seccomp
from studykit.sandbox.channel import Child, Message
from studykit.sandbox.lockdown import MIB, Limits
from studykit.sandbox.worker import Worker

PATIENCE_S = 20.0
_IPC_CREATE, _IPC_STAT = 0o1600, 2
_SHMGET, _SEMGET, _MSGGET, _SEMCTL, _MSGCTL, _SHMCTL = 29, 64, 68, 66, 71, 31
_NEW_MOUNTS = 0x20000
libc = ctypes.CDLL(None, use_errno=True)


class Scene:
    """Create files, sockets, a process and kernel objects for attacks, all owned by the child's user."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="study-attack-", dir="/tmp"))
        for name in ("secret", "log"):
            (self.folder / name).write_text(f"the {name}")
        (self.folder / "inner").mkdir()
        os.mkfifo(self.folder / "fifo")
        self.listeners = [self._listening(kind) for kind in ("door", "\0abstract", "tcp", "udp")]
        self.victim = subprocess.Popen(["/bin/sleep", "600"], start_new_session=True)
        self.ids = [
            (_SEMCTL, libc.syscall(_SEMGET, 0, 1, _IPC_CREATE)),
            (_MSGCTL, libc.syscall(_MSGGET, 0, _IPC_CREATE)),
            (_SHMCTL, libc.syscall(_SHMGET, 0, 4096, _IPC_CREATE)),
        ]

    def _listening(self, kind: str) -> socket.socket:
        if kind in {"tcp", "udp"}:
            listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM if kind == "tcp" else socket.SOCK_DGRAM)
            listener.bind(("127.0.0.1", 0))
        else:
            listener = socket.socket(socket.AF_UNIX)
            listener.bind(f"\0study-{os.getpid()}" if kind.startswith("\0") else str(self.folder / kind))
        if kind != "udp":
            listener.listen()
        return listener

    def facts(self) -> dict[str, Any]:
        """Return the paths, ports and ids that an attack may use."""
        door, abstract, tcp, udp = (made.getsockname() for made in self.listeners)
        return {
            "folder": str(self.folder),
            "victim": self.victim.pid,
            "parent": os.getpid(),
            "door": door,
            "abstract": abstract.decode() if isinstance(abstract, bytes) else abstract,
            "tcp": tcp[1],
            "udp": udp[1],
            "ids": [number for _, number in self.ids],
            "package": str(Path(einops.__file__).parent),
        }

    def state(self) -> dict[str, object]:
        """Return the state of everything that an attack must not change."""
        pid = self.victim.pid
        stat = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        return {
            "files": {path.name: self._of(path) for path in sorted(self.folder.iterdir())},
            "packages": sorted(
                path.name for path in Path(einops.__file__).parent.iterdir() if path.suffix == ".py"
            ),
            "asked": [bool(select.select([made], [], [], 0)[0]) for made in self.listeners],
            "victim": (self.victim.poll(), stat[0] in {"T", "t"}, stat[15], stat[16]),
            "affinity": sorted(os.sched_getaffinity(pid)),
            "limits": [resource.prlimit(pid, kind) for kind in range(16)],
            "ids": [stands(call, number) for call, number in self.ids],
        }

    def _of(self, path: Path) -> tuple[int, int, int, str]:
        status = path.lstat()
        return status.st_mode, status.st_uid, status.st_mtime_ns, path.read_text() if path.is_file() else ""

    def end(self) -> None:
        """Close, kill and delete everything that the scene created."""
        for made in self.listeners:
            made.close()
        self.victim.kill()
        self.victim.wait()
        for call, number in self.ids:
            libc.syscall(call, number, 0, 0)  # IPC_RMID, wherever this call has its command
        subprocess.run(["/bin/rm", "-rf", str(self.folder)], check=False)


def stands(call: int, number: int) -> bool:
    """Return whether a kernel object still exists. A call on a set of semaphores takes a place in it first."""
    place = (0,) if call == _SEMCTL else ()
    return bool(libc.syscall(call, number, *place, _IPC_STAT, ctypes.create_string_buffer(512)) >= 0)


def hide_processes() -> None:
    """Mount a /proc that hides processes which the reader may not trace, as on a machine of many users."""
    private, recursive = 1 << 18, 1 << 14
    if (
        libc.unshare(_NEW_MOUNTS) != 0
        or libc.mount(None, b"/", None, private | recursive, None) != 0
        or libc.mount(b"proc", b"/proc", b"proc", 0, b"hidepid=2") != 0
    ):
        raise OSError(ctypes.get_errno(), "/proc cannot be mounted anew")


def become(user: int | None) -> None:
    """Switch to a user, and let that user's processes trace this one. Do nothing for None."""
    if user is not None:
        os.setgroups([])
        os.setgid(user)
        os.setuid(user)
        libc.prctl(4, 1, 0, 0, 0)


def leave_out(guards: list[str]) -> None:
    """Switch off these guards, so that a test sees another guard hold by itself."""
    if "landlock" in guards:
        landlock.abi = lambda: 0
    if "filter" in guards:
        seccomp.install = lambda *_, **__: None
    if "gate" in guards:
        seccomp.ask_for_threads = no_gate
    if "data" in guards:
        limit = lockdown._limit
        lockdown._limit = lambda kind, maximum: None if kind == resource.RLIMIT_DATA else limit(kind, maximum)
    if "addresses" in guards:
        limit = lockdown._limit
        lockdown._limit = lambda kind, maximum: None if kind == resource.RLIMIT_AS else limit(kind, maximum)


def no_gate() -> int:
    """Raise EBUSY, as the kernel does if another process already supervises."""
    raise OSError(errno.EBUSY, "seccomp")


def serve(folder: Path) -> tuple[Worker, int]:
    """Fork a worker from this process, because the new user may be unable to read an interpreter."""
    listening = socket.socket(socket.AF_UNIX)
    listening.bind(str(folder / "w.sock"))
    listening.listen(64)
    pid = os.fork()
    if pid == 0:
        heard, _ = os.pipe()  # it is held here too: only a kill ends this worker
        options = [f"--listen={listening.fileno()}", f"--lifeline={heard}", "--backend=numpy", "--idle=600"]
        sys.argv = ["fork_server", *options, f"--path={folder}/w.sock"]
        try:
            fork_server.main()
        finally:  # nothing may unwind into the code of the parent
            traceback.print_exc()
            os._exit(0)
    return Worker(folder / "w.sock", "numpy"), pid


def attempt(worker: Worker, pid: int, attack: dict[str, Any], scene: dict[str, Any]) -> dict[str, Any]:
    """Run one attack, and return its result or end, its time, and its largest usage if it is to be watched."""
    limits = Limits(**{"wall_s": 8.0, "cpu_s": 3, "memory_bytes": 64 * MIB, **attack.get("limits", {})})
    began, used = time.monotonic(), {}
    with worker.start("run_rewrite", limits, threads=attack.get("threads", 1)) as child:
        code = f"SCENE = {scene!r}\n{attack['code']}"
        reply = load(child, code)
        if isinstance(reply, Message) and "error" not in reply.header:
            child.send({"arguments": []})
            used = watched(child, pid) if attack.get("watched") else {}
            reply = child.receive()
    result = {"seconds": time.monotonic() - began, "shown": child.shown(), **used}
    if isinstance(reply, Message):
        return result | {"header": reply.header}
    return result | {"ending": type(reply).__name__, "why": str(reply)}


def watched(child: Child, server: int) -> dict[str, float]:
    """Return a child's largest usage seen from outside, until it answered or ended."""
    threads, ticks, tables, queued, until = 0, 0, 0, 0, time.monotonic() + PATIENCE_S
    while time.monotonic() < until and not select.select([child.channel], [], [], 0.0005)[0]:
        for each in children_of(server):
            with contextlib.suppress(OSError, ValueError, IndexError, KeyError):
                stat = Path(f"/proc/{each}/stat").read_text().rpartition(")")[2].split()
                threads, ticks = max(threads, int(stat[17])), max(ticks, int(stat[11]) + int(stat[12]))
                status = dict(line.split(":") for line in Path(f"/proc/{each}/status").read_text().splitlines())
                queued = max(queued, int(status["SigQ"].split("/")[0]))
                tables = max(tables, int(status["VmPTE"].split()[0]) // 1024)
    return {
        "most_threads": threads,
        "most_cpu_s": ticks / os.sysconf("SC_CLK_TCK"),
        "most_tables_mib": tables,
        "most_queued": queued,
    }


def main() -> None:
    """Run the attacks of the request on standard input, and write their results as JSON."""
    request = json.load(sys.stdin)
    for name in ("numpy", "einops", "studykit.graders.child.run_rewrite"):
        importlib.import_module(name)  # before the right to read it is given up
    if "sight" in request.get("without", []):
        hide_processes()
    become(request.get("user"))
    leave_out(request.get("without", []))
    scene = Scene()
    home = Path(tempfile.mkdtemp(prefix="study-attack-", dir="/tmp"))
    worker, pid = serve(home)
    results = {}
    try:
        for name, attack in request["attacks"].items():
            before = scene.state()
            result = attempt(worker, pid, attack, scene.facts() | {"worker": pid})
            after = scene.state()
            time.sleep(0.01)
            survivors = [each for each in children_of(pid) if alive(each)]
            results[name] = result | {
                "changed": [key for key in before if before[key] != after[key]],
                "left": len(survivors),
                "worker_lives": os.waitpid(pid, os.WNOHANG) == (0, 0),
            }
    finally:
        os.kill(pid, signal.SIGKILL)
        scene.end()
        subprocess.run(["/bin/rm", "-rf", str(home)], check=False)
    json.dump({"uid": os.getuid(), "results": results}, sys.stdout)


def alive(pid: int) -> bool:
    """Return whether the process runs. A zombie does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in {"Z", "X"}
    except OSError:
        return False


if __name__ == "__main__":
    main()
