"""Attacks by other names for the same things, with arguments that no other attack has; see `attacks.py`."""
# ruff: noqa: E501 - an attack reads best in one piece

from attacks import f

OTHER_NAMES = {
    "descriptors by other names": f(r"""
found = []
for n in (*range(3, 8), 63, 64, 255):
    for name in ("/dev/fd/%d", "/proc/self/fd/%d", "/proc/thread-self/fd/%d", "/proc/self/fdinfo/%d", "/proc/self/task/" + str(os.getpid()) + "/fd/%d"):
        for flags in (0, 1, 2): found.append(opened(name % n, flags))
found += [opened(name, flags) for name in ("/proc/self/map_files", "/proc/thread-self/mem", "/proc/self/task", "/proc/self/pagemap", "/proc/self/clear_refs", "/proc/self/timerslack_ns", "/proc/self/uid_map", "/proc/self/attr/current", "/proc/self/sched", "/proc/self/autogroup", "/proc/self/loginuid") for flags in (0, 1, 2)]
for n in range(4):
    for path in (b"", b".", b"..", b"../etc/passwd", secret.encode()): found += passed((f"at {n} {path}", call(257, n, path, 0, 0))) if call(257, n, path, 0, 0) >= 0 else []
return [each for each in found if each]
"""),
    "text of libraries is its own": f(r"""
class Library(ctypes.Structure): _fields_ = [("at", ctypes.c_size_t), ("name", ctypes.c_char_p), ("parts", PAGE), ("count", ctypes.c_uint16)]
starts = []
def noted(library, size, data):
    told = library.contents
    if told.name and b".so" in told.name: starts.append((told.at, told.name))
    return 0
libc.dl_iterate_phdr(ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(Library), ctypes.c_size_t, PAGE)(noted), None)
found = [f"marked {name}" for at, name in starts if ctypes.string_at(at + 9, 4) == b"evil"]
for at, name in starts:
    if libc.mprotect(PAGE(at), ctypes.c_size_t(4096), 3) == 0: ctypes.memmove(at + 9, b"evil", 4)
for name in [name for _, name in starts][:40]:
    kept = opened(name.decode())
    if kept:
        with open(name, "rb") as file: found += [f"written {name}"] if file.read(13)[9:] == b"evil" else []
return found
"""),
    "memory of others by a shared word": f(r"""
found = []
name = next(os.path.join("/usr/lib", each) for each in ("os-release", "locale/C.utf8/LC_CTYPE") if opened(os.path.join("/usr/lib", each)))
file = os.open(name, os.O_RDONLY)
for flags in (1, 3, 0x8001, 0x2001):
    if mapped(4096, flags, file, protection=1): found.append(f"shared {flags:x}")
at = mapped(4096, 2, file, protection=1)
for operation in (6, 7, 8, 11, 12, 13, 2):
    found += passed((f"futex {operation}", call(202, PAGE(at), operation, 1, None, PAGE(at), 0)))
found += passed(("remap", call(25, ctypes.c_long(at), 4096, 8192, 1, 0)), ("remap dontunmap", call(25, ctypes.c_long(at), 4096, 4096, 5, 0)))
return found
"""),
    "pages that are the kernel's": f(r"""
found = []
for at in (0, 1 << 47, (1 << 47) - 4096, -4096, -1 << 40, -10 << 20):
    told = call(9, ctypes.c_long(at), 4096, 3, 0x32, -1, 0)
    if told >= 0 and not 65536 <= at < 1 << 47: found.append(f"mapped {at:x}")
for at in (-10 << 20, 0xffffffffff600000 - (1 << 64)):
    for call_ in (10, 28, 11):
        told = call(call_, ctypes.c_long(at), 4096, 4 if call_ == 28 else 3)
        if told >= 0 and call_ != 28: found.append(f"{call_} {at:x}")
for n, size in ((96, 0), (228, 1), (98, 0), (100, 0), (99, 0), (63, 0), (318, 64), (204, 0)):
    told = call(n, ctypes.c_long(-1 << 46), size or ctypes.c_long(-1 << 46), ctypes.c_long(-1 << 46), 0)
    if told >= 0 and n not in (318,): found.append(f"written {n}")
return found
"""),
    "what numpy and Python would open": f(r"""
import importlib, numpy as np
found = []
class Later:
    def __getattr__(self, name): return importlib.import_module(name)
later = Later()
def held(name, way):
    try: way()
    except BaseException as error: return
    found.append(name)
held("save", lambda: np.save(folder + "/new.npy", np.ones(2)))
held("tofile", lambda: np.ones(2).tofile(folder + "/log"))
held("memmap", lambda: np.memmap(folder + "/log", mode="r+"))
held("memmap read", lambda: np.memmap(folder + "/secret", mode="r"))
held("fromfile", lambda: np.fromfile(folder + "/secret", dtype="u1"))
held("loadtxt", lambda: np.loadtxt(folder + "/secret", dtype=str))
held("shared", lambda: later.mmap.mmap(-1, 4096))
held("named", lambda: later.tempfile.NamedTemporaryFile())
held("temporary", lambda: later.tempfile.TemporaryFile())
held("spooled", lambda: later.tempfile.SpooledTemporaryFile(1).write(b"12"))
held("sqlite", lambda: later.sqlite3.connect(folder + "/new.db").execute("create table a (b)"))
held("sqlite read", lambda: later.sqlite3.connect("file:" + folder + "/secret?mode=ro", uri=True).execute("select * from sqlite_master"))
held("run", lambda: later.subprocess.run(["/bin/true"]))
held("spawn", lambda: os.posix_spawn("/bin/true", ["true"], {}))
held("system", lambda: 1 / (os.system("true") == 0))
held("popen", lambda: os.popen("true").read())
held("process", lambda: later.multiprocessing.Process(target=int).start())
held("shm", lambda: __import__("multiprocessing.shared_memory").shared_memory.SharedMemory(create=True, size=8))
held("lock", lambda: later.multiprocessing.Lock())
held("pty", lambda: os.openpty())
held("loop", lambda: later.asyncio.new_event_loop())
held("epoll", lambda: later.selectors.EpollSelector())
held("pidfd", lambda: os.pidfd_open(victim))
held("eventfd", lambda: os.eventfd(0))
held("memfd", lambda: os.memfd_create("x"))
held("timer", lambda: later.signal.setitimer(later.signal.ITIMER_REAL, 1))
held("alarm", lambda: 1 / (later.signal.alarm(1) == 0 and later.signal.alarm(0) > 0))
held("nice", lambda: os.nice(1))
held("niceness", lambda: os.setpriority(os.PRIO_PROCESS, victim, 19))
held("affinity", lambda: os.sched_setaffinity(0, {0}))
held("limit", lambda: later.resource.setrlimit(later.resource.RLIMIT_NOFILE, (8, 8)))
held("chdir", lambda: os.chdir("/usr/lib"))
held("umask", lambda: os.umask(0))
held("dup", lambda: os.dup(3))
held("pipe", lambda: os.pipe())
held("blocking", lambda: os.set_blocking(3, False))
held("inheritable", lambda: os.execv("/bin/true", ["true"]))
held("flock", lambda: __import__("fcntl").flock(3, 2))
held("utime", lambda: os.utime(folder + "/log"))
held("find", lambda: 1 / bool(ctypes.util.find_library("m") and False))
return found
"""),
    "signals to itself and to those around": f(r"""
import signal
found, hit = [], []
for number in (1, 2, 3, 10, 12, 14, 15, 17, 18, 20, 21, 22, 23, 28, 29, 30): signal.signal(number, lambda n, _: hit.append(n))
for number in (1, 2, 3, 10, 12, 14, 15, 17, 18, 20, 21, 22, 23, 28, 29, 30): os.kill(os.getpid(), number)
found += [f"lost {n}" for n in (1, 2, 15, 17, 23, 29) if n not in hit]
for pid in (-os.getpid(), -victim, -parent, 0, -1, victim, parent, 1): found += passed(*((f"kill {pid} {n}", call(62, pid, n)) for n in (0, 1, 18, 19, 23, 29)))
for pid, thread in ((victim, victim), (os.getpid(), victim), (os.getpid() | 1 << 32, os.getpid())):
    told = call(234, pid, thread, 0)
    if told >= 0: found.append(f"tgkill {pid} {thread}")
return found
"""),
}
"""The libraries' text is marked as its own in one child, and looked at in the next."""
OTHER_NAMES["text of libraries, again"] = OTHER_NAMES["text of libraries is its own"]
