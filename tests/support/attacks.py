"""Code that tries to leave the sandbox, each line of the threat model from several sides, in the place of an answer.

An attack is the body of a function that returns what it gained, and an empty list where it gained nothing.
`call(number, ...)` is a system call of x86_64 with its error as a negative number; SCENE is what could be spoilt.
"""
# ruff: noqa: E501 - an attack reads best in one piece

PRELUDE = '''
import ctypes, errno, os, struct, sys, time
libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long
def call(number, *arguments):
    given = [a if isinstance(a, bytes) or a is None else ctypes.c_long(a) if isinstance(a, int) else a for a in arguments]
    ctypes.set_errno(0)
    told = libc.syscall(ctypes.c_long(number), *given)
    return -ctypes.get_errno() if told == -1 else told
def passed(*calls):
    """Those that were not refused: a call that is let through fails in another way, or not at all."""
    return [name for name, told in calls if told not in (-errno.EPERM, -errno.EACCES, -errno.ENOSYS)]
folder, victim, parent = SCENE["folder"], SCENE["victim"], SCENE["parent"]
secret, log = folder + "/secret", folder + "/log"
def opened(path, flags=os.O_RDONLY):
    try:
        return path if os.close(os.open(path, flags | os.O_NONBLOCK)) is None else ""
    except OSError:
        return ""
PAGE = ctypes.c_void_p
libc.mmap.restype = ctypes.c_void_p
def mapped(length, flags, descriptor=-1, address=None, protection=3):
    at = libc.mmap(PAGE(address), ctypes.c_size_t(length), protection, flags, descriptor, ctypes.c_long(0))
    return None if at in (None, ctypes.c_void_p(-1).value) else at
'''


def f(body: str) -> str:
    lines = "\n".join(f"    {line}" for line in body.strip().splitlines())
    return f"{PRELUDE}\ndef f():\n{lines}\n"


RULES = """
found = []
rule = struct.pack("=Qi", (1 << 15) - 1, os.open("/usr/lib", os.O_RDONLY))
for descriptor in range(300):
    if call(445, descriptor, 1, rule, 0) == 0: found.append(f"a rule for {descriptor}")
found += passed(("create", call(444, struct.pack("Q", 1), 8, 0)), ("add", call(445, 4, 1, rule, 0)), ("restrict", call(446, 4, 0)))
return found
"""
DESCRIPTORS = """
return [n for n in range(4096) if call(72, n, 1) >= 0 and n > 3]
"""
SOCKETS = """
found = []
for family in (1, 2, 10, 16, 17, 38, 40):
    for kind in (1, 2, 3, 5):
        if call(41, family, kind, 0) >= 0: found.append(f"socket {family} {kind}")
pair = (ctypes.c_int * 2)()
address = struct.pack("H", 1) + SCENE["door"].encode() + b"\\0"
inet = struct.pack("!HH4s8x", 0x0200, SCENE["tcp"], bytes([127, 0, 0, 1]))
found += passed(("socketpair", call(53, 1, 1, 0, pair)), *((f"connect {fd}", call(42, fd, address, len(address))) for fd in range(4)))
found += passed(("sendto", call(44, 3, b"x", 1, 0, address, len(address))), ("sendmsg", call(46, 3, bytes(56), 0)), ("recvmsg", call(47, 3, bytes(56), 0)))
found += passed(("bind", call(49, 3, address, len(address))), ("listen", call(50, 3, 1)), ("accept", call(43, 3, None, None)), ("accept4", call(288, 3, None, None, 0)), ("sendmmsg", call(307, 3, bytes(64), 1, 0)), ("shutdown", call(48, 0, 0)))
return found + passed(("connect tcp", call(42, 3, inet, 16)), ("io_uring", call(425, 8, bytes(120))), ("setsockopt", call(54, 3, 1, 2, bytes(4), 4)))
"""
LIMITS_OF_OTHERS = """
page = mapped(4096, 0x32, address=1 << 32)
ctypes.memmove(page, struct.pack("QQ", 0, 0), 16)
found = []
for pid in (victim, parent, os.getppid(), SCENE["worker"], 0, os.getpid()):
    for kind in (0, 7, 9, 6):
        found += passed((f"prlimit {pid} {kind}", call(302, pid, kind, PAGE(page), None)), (f"high {pid}", call(302, pid | 1 << 32, kind, PAGE(page), None)))
for pid in (victim, parent): found += passed((f"read {pid}", call(302, pid, 7, None, bytes(16))))
return found + passed(("setrlimit", call(160, 7, struct.pack("QQ", 4096, 4096))))
"""
OLD_KERNEL_OBJECTS = """
semaphore, queue, memory = SCENE["ids"]
found = passed(("semctl", call(66, semaphore, 0, 0)), ("msgctl", call(71, queue, 0, 0)), ("shmctl", call(31, memory, 0, 0)), ("shmat", call(30, memory, 0, 0)))
found += passed(("semget", call(64, 0, 1, 0o1600)), ("msgget", call(68, 0, 0o1600)), ("shmget", call(29, 0, 4096, 0o1600)), ("semop", call(65, semaphore, struct.pack("Hhh", 0, 1, 0), 1)), ("msgsnd", call(69, queue, bytes(16), 1, 0)))
return found + passed(("mq_open", call(240, b"/x", 0o102, 0o600, None)), ("mq_unlink", call(241, b"/x")))
"""
OTHER_PROCESSES = """
mask = struct.pack("Q", 1)
found = []
for pid in (victim, parent, SCENE["worker"], os.getppid(), 1, -1, -victim, 0):
    found += passed((f"kill {pid}", call(62, pid, 0)), (f"tkill {pid}", call(200, pid, 9)), (f"tgkill {pid}", call(234, pid, pid, 9)))
    found += passed((f"queue {pid}", call(129, pid, 9, bytes(128))), (f"tqueue {pid}", call(297, pid, pid, 9, bytes(128))))
    found += passed((f"affinity {pid}", call(203, pid, 8, mask)), (f"scheduler {pid}", call(144, pid, 0, bytes(4))), (f"param {pid}", call(142, pid, bytes(4))), (f"attr {pid}", call(314, pid, bytes(48), 0)))
    found += passed((f"priority {pid}", call(141, 0, pid, 19)), (f"io priority {pid}", call(251, 1, pid, 0)), (f"group {pid}", call(109, pid, 0)), (f"session {pid}", call(124, pid)))
    found += passed((f"attach {pid}", call(101, 16, pid, 0, 0)), (f"seize {pid}", call(101, 0x4206, pid, 0, 0)), (f"readv {pid}", call(310, pid, bytes(16), 1, bytes(16), 1, 0)), (f"writev {pid}", call(311, pid, bytes(16), 1, bytes(16), 1, 0)))
    found += passed((f"pidfd {pid}", call(434, pid, 0)), (f"kcmp {pid}", call(312, pid, os.getpid(), 0, 0, 0)), (f"robust {pid}", call(274, pid, bytes(8), bytes(8))), (f"migrate {pid}", call(256, pid, 8, mask, mask)), (f"pages {pid}", call(279, pid, 0, None, None, None, 0)))
for descriptor in range(4):
    word = struct.pack("i", victim)
    found += passed((f"FIOSETOWN {descriptor}", call(16, descriptor, 0x8901, word)), (f"SIOCSPGRP {descriptor}", call(16, descriptor, 0x8902, word)), (f"FIOASYNC {descriptor}", call(16, descriptor, 0x5452, struct.pack("i", 1))), (f"FIONBIO {descriptor}", call(16, descriptor, 0x5421, struct.pack("i", 1))))
    found += passed((f"F_SETOWN {descriptor}", call(72, descriptor, 8, victim)), (f"F_SETOWN_EX {descriptor}", call(72, descriptor, 15, struct.pack("ii", 1, victim))), (f"F_SETSIG {descriptor}", call(72, descriptor, 10, 9)), (f"O_ASYNC {descriptor}", call(72, descriptor, 4, 0x2000)))
    found += passed((f"lease {descriptor}", call(72, descriptor, 1024, 0)), (f"notify {descriptor}", call(72, descriptor, 1026, 1)), (f"pipe {descriptor}", call(72, descriptor, 1031, 1 << 20)), (f"lock {descriptor}", call(72, descriptor, 6, bytes(32))), (f"hint {descriptor}", call(72, descriptor, 1036, bytes(8))))
word = struct.pack("I", victim)
return found + passed(("lock pi", call(202, word, 6 | 128, 0, struct.pack("qq", 0, 1000))), ("trylock pi", call(202, word, 8, 0, None)), ("pidfd signal", call(424, 3, 9, None, 0)), ("pidfd getfd", call(438, 3, 0, 0)), ("timer", call(222, 0, struct.pack("QiiI", 0, 9, 4, victim) + bytes(48), bytes(8))), ("waitid", call(247, 1, victim, bytes(128), 4, None)))
"""
NEW_PROCESSES = """
found = passed(("fork", -1 if (pid := call(57)) == -1 else pid), ("vfork", call(58)))
for flags in (17, 0, 0x11, 0x4111, 0x100 | 17, 0x10000, 0x00020000, 0x10000000 | 17, 0x3d0f00, 0x7d0f00, 0x3d0f00 | 0x800000):
    pid = call(56, flags, 0, 0, 0, 0)
    if pid == 0: call(60, 0)
    if pid > 0: found.append(f"clone {flags:x}")
arguments = struct.pack("11Q", 0, 0, 0, 0, 17, 0, 0, 0, 0, 0, 0)
pid = call(435, arguments, 88)
if pid == 0: call(60, 0)
if pid > 0: found.append("clone3")
path = (ctypes.c_char_p * 2)(b"/bin/true", None)
return found + passed(("execve", call(59, b"/bin/true", path, None)), ("execveat", call(322, -100, b"/bin/true", path, None, 0)), ("setsid", call(112)), ("setpgid", call(109, 0, 0)), ("unshare", call(272, 0x10000000)), ("setns", call(308, 3, 0)), ("uselib", call(134, b"/bin/true")))
"""
THREADS = """
import threading
found = []
try:
    threading.Thread(target=time.sleep, args=(1,)).start()
    found.append("a thread")
except RuntimeError: pass
import _thread
try:
    _thread.start_new_thread(time.sleep, (1,)); found.append("another")
except RuntimeError: pass
return found
"""
READING = """
found = [opened(path) for path in (secret, log, "/etc/passwd", "/etc/hostname", "/proc/self/status", "/proc/self/environ", "/proc/self/maps", "/proc/self/mem", "/proc/self/fd/3", "/proc/self/cwd", "/proc/self/root/etc/passwd", "/", folder, "/tmp", "/home", "/root", "/proc", "/dev", "/dev/shm", "/dev/tty", "/dev/ptmx", "/dev/kmsg", "/dev/fuse", "/var", folder + "/fifo", "/sys/kernel", "/sys/fs/cgroup", "/boot", "/run")]
for pid in (victim, parent, SCENE["worker"], os.getppid(), 1):
    found += [opened(f"/proc/{pid}/{name}") for name in ("environ", "mem", "maps", "cmdline", "fd/0", "root/etc/passwd", "cwd", "exe", "stat", "task", "ns/net", "syscall", "stack")]
for name in ("exercises", "decks", "studykit", "studykit.graders.host"):
    try: found.append(name if __import__(name).__name__ and name not in sys.modules else "")
    except ImportError: pass
    except OSError: pass
for way in (("openat2", 437, -100, secret.encode(), bytes(24), 24), ("by handle", 304, 3, bytes(128), 0), ("handle", 303, -100, secret.encode(), bytes(128), bytes(8), 0), ("open_tree", 428, -100, secret.encode(), 0), ("inotify", 294, 0), ("fanotify", 300, 0, 0), ("listmount", 458, bytes(32), bytes(80), 8, 0), ("statmount", 457, bytes(32), bytes(512), 512, 0), ("O_PATH", 257, -100, secret.encode(), 0x200000), ("chdir", 80, folder.encode()), ("chroot", 161, folder.encode()), ("cachestat", 451, 3, bytes(16), bytes(40), 0), ("getxattr", 191, secret.encode(), b"user.x", bytes(8), 8), ("listxattr", 194, secret.encode(), bytes(8), 8), ("quota", 179, 0, None, 0, None), ("sysfs", 139, 3), ("syslog", 103, 3, bytes(64), 64), ("statfs", 137, secret.encode(), bytes(120))):
    found += passed((way[0], call(*way[1:])))
return [each for each in found if each]
"""
WRITING = """
found, new = [], folder + "/new"
package = SCENE["package"] + "/evil.py"
for path in (log, secret, new, package, "/tmp/study-evil", "/dev/shm/study-evil", "/proc/self/oom_score_adj", "/proc/self/comm", "/proc/self/mem", "/proc/self/coredump_filter", "/dev/zero", "/dev/null", "/dev/tty", "/sys/kernel/mm/ksm/run", "/proc/sys/kernel/core_pattern"):
    found += [f"{path} {flags:o}" for flags in (1, 2, 0o101, 0o102, 0o1001, 0o1000, 0o2001, 0o20200000 | 2, 0o100, 0o200 | 0o100 | 2, 3) if opened(path, flags)]
a, b = log.encode(), new.encode()
found += passed(("truncate", call(76, a, 0)), ("creat", call(85, b, 0o600)), ("unlink", call(87, a)), ("unlinkat", call(263, -100, a, 0)), ("rename", call(82, a, b)), ("renameat", call(264, -100, a, -100, b)), ("renameat2", call(316, -100, a, -100, b, 2)), ("link", call(86, a, b)), ("linkat", call(265, -100, a, -100, b, 0)), ("symlink", call(88, a, b)), ("symlinkat", call(266, a, -100, b)))
found += passed(("mkdir", call(83, b, 0o700)), ("mkdirat", call(258, -100, b, 0o700)), ("rmdir", call(84, (folder + "/inner").encode())), ("mknod", call(133, b, 0o100600, 0)), ("mknodat", call(259, -100, b, 0o100600, 0)), ("chmod", call(90, a, 0)), ("fchmodat", call(268, -100, a, 0)), ("fchmodat2", call(452, -100, a, 0, 0)), ("chown", call(92, a, 0, 0)), ("lchown", call(94, a, 0, 0)), ("fchownat", call(260, -100, a, 0, 0, 0)))
found += passed(("utime", call(132, a, None)), ("utimes", call(235, a, None)), ("utimensat", call(280, -100, a, None, 0)), ("futimesat", call(261, -100, a, None)), ("setxattr", call(188, a, b"user.x", b"y", 1, 0)), ("lsetxattr", call(189, a, b"user.x", b"y", 1, 0)), ("removexattr", call(197, a, b"user.x")), ("setxattrat", call(463, -100, a, 0, b"user.x", bytes(16), 16)), ("file_setattr", call(469, -100, a, bytes(24), 24, 0)), ("umask", call(95, 0)))
readable = os.open(SCENE["package"] + "/__init__.py", os.O_RDONLY) if opened(SCENE["package"] + "/__init__.py") else os.open("/usr/lib/os-release", os.O_RDONLY) if opened("/usr/lib/os-release") else 3
found += passed(("fchmod", call(91, readable, 0)), ("fchown", call(93, readable, 0, 0)), ("ftruncate", call(77, readable, 0)), ("fallocate", call(285, readable, 0, 0, 9)), ("fsetxattr", call(190, readable, b"user.x", b"y", 1, 0)), ("flock", call(73, readable, 2)), ("sendfile", call(40, 1, readable, None, 9)), ("splice", call(275, readable, None, 1, None, 9, 0)), ("tee", call(276, 1, 1, 9, 0)), ("vmsplice", call(278, 1, bytes(16), 1, 0)), ("copy", call(326, readable, None, 1, None, 9, 0)), ("pwrite", call(18, readable, b"x", 1, 0)), ("sync", call(162)), ("fsync", call(74, readable)), ("syncfs", call(306, readable)), ("readahead", call(187, readable, 0, 1 << 30)), ("fadvise", call(221, readable, 0, 0, 4)))
return found + passed(("mount", call(165, b"x", folder.encode(), b"tmpfs", 0, None)), ("umount", call(166, folder.encode(), 0)), ("pivot", call(155, folder.encode(), folder.encode())), ("fsopen", call(430, b"tmpfs", 0)), ("move_mount", call(429, -100, b"", -100, b"", 0)), ("mount_setattr", call(442, -100, b"", 0, bytes(32), 32)), ("swapon", call(167, a, 0)), ("acct", call(163, a)), ("memfd", call(319, b"x", 0)), ("memfd secret", call(447, 0)))
"""
SETTINGS = """
found = []
for option in (*range(1, 80), 0x53564d41, 0x59616d61):
    for value in (0, 1, 2, victim):
        found += passed((f"prctl {option} {value}", call(157, option, value, 0, 0, 0)))
for number, name in ((105, "setuid"), (106, "setgid"), (113, "setreuid"), (114, "setregid"), (116, "setgroups"), (117, "setresuid"), (119, "setresgid"), (122, "setfsuid"), (123, "setfsgid"), (126, "capset"), (135, "personality"), (154, "modify_ldt"), (172, "iopl"), (173, "ioperm"), (317, "seccomp"), (170, "sethostname"), (171, "setdomainname"), (164, "settimeofday"), (227, "clock_settime"), (159, "adjtimex"), (305, "clock_adjtime"), (169, "reboot"), (175, "init_module"), (313, "finit_module"), (246, "kexec"), (153, "vhangup"), (248, "add_key"), (249, "request_key"), (250, "keyctl"), (298, "perf"), (321, "bpf"), (323, "userfaultfd"), (425, "io_uring_setup"), (426, "io_uring_enter"), (427, "io_uring_register"), (206, "io_setup"), (209, "io_submit"), (283, "timerfd"), (284, "eventfd"), (290, "eventfd2"), (291, "epoll"), (282, "signalfd"), (253, "inotify"), (22, "pipe"), (293, "pipe2"), (32, "dup"), (33, "dup2"), (292, "dup3"), (237, "mbind"), (238, "set_mempolicy"), (216, "remap_file_pages"), (149, "mlock"), (151, "mlockall"), (325, "mlock2"), (27, "mincore"), (26, "msync"), (324, "membarrier"), (329, "pkey_mprotect"), (330, "pkey_alloc"), (448, "process_mrelease"), (440, "process_madvise"), (462, "mseal"), (25, "mremap"), (38, "setitimer"), (37, "alarm"), (459, "lsm_get"), (460, "lsm_set"), (461, "lsm_list"), (453, "shadow stack"), (456, "futex requeue"), (449, "futex waitv"), (454, "futex wake"), (156, "sysctl"), (212, "lookup"), (180, "nfs")):
    found += passed((name, call(number, 0, 0, 0, 0, 0, 0)))
found += passed(("set gs", call(158, 0x1001, 0)), ("keyring", call(250, 1, b"mine")), ("listener", call(317, 1, 8, struct.pack("HxxxxxxQ", 1, 0))))
return found
"""
EVERY_NUMBER = """
allowed = {0, 1, 2, 3, 4, 5, 6, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 21, 24, 28, 35, 39, 44, 45, 60, 62, 63, 72, 79, 89, 96, 98, 99, 100, 102, 104, 107, 108, 110, 131, 158, 186, 201, 202, 204, 217, 219, 228, 229, 230, 231, 234, 257, 262, 267, 269, 273, 302, 309, 318, 334}
allowed |= {335, 336}  # uretprobe and uprobe pass every filter: they end who calls them
return [n for n in range(1100) if n not in allowed and call(n, 0, 0, 0, 0, 0, 0) not in (-errno.EPERM, -errno.ENOSYS)]
"""

_TOUCH = """
MIB = 1 << 20
def zero():
    return os.open("/dev/zero", os.O_RDWR if opened("/dev/zero", os.O_RDWR) else os.O_RDONLY)
def touched(at, length):
    for place in range(at, at + length, 4096): ctypes.c_char.from_address(place).value = b"x"
    return length
"""
PIECES = """
total = 0
for _ in range(600):
    at = mapped(MIB, {flags}, {descriptor})
    if at is None: break
    total += touched(at, MIB)
return total // MIB
"""
# A stack may grow by 8 MiB: all but its lowest pages are made read-only, and what is left is a stack of its own.
STACK_IN_PIECES = """
at = ctypes.cast(ctypes.c_char_p.in_dll(libc, 'program_invocation_name'), PAGE).value & ~4095
total = 0
for again in range(400):
    for n in range(1, 2000): ctypes.memset(at - n * 4096, 1, 1); total += 4096; (total % MIB == 0) and os.write(1, b'.')
    at -= 1999 * 4096
    libc.mprotect(PAGE(at + 4096), ctypes.c_size_t((1000 if again else 900) * 4096), 1)
return total // MIB
"""
MEMORY = {
    "private": PIECES.format(flags=0x22, descriptor=-1),
    "not reserved": PIECES.format(flags=0x4022, descriptor=-1),
    "shared and of no file": PIECES.format(flags=0x21, descriptor=-1),
    "growing down": PIECES.format(flags=0x122, descriptor=-1),
    "growing down as a stack": PIECES.format(flags=0x20122, descriptor=-1),
    "huge": PIECES.format(flags=0x40022, descriptor=-1),
    "locked": PIECES.format(flags=0x2022, descriptor=-1),
    "populated": PIECES.format(flags=0x8022, descriptor=-1),
    "/dev/zero": PIECES.format(flags=2, descriptor="zero()"),
    "/dev/zero shared": PIECES.format(flags=1, descriptor="zero()"),
    "/dev/zero shared and checked": PIECES.format(flags=3, descriptor="zero()"),
    "small pieces": "total = 0\nfor n in range(100000):\n    at = mapped(4096, 0x22, protection=3 if n % 2 else 1)\n    if at is None: break\n    if n % 2: total += touched(at, 4096)\nreturn total // MIB",
    "read first, written later": "total = 0\nfor _ in range(600):\n    at = mapped(MIB, 0x22, protection=1)\n    if at is None or libc.mprotect(PAGE(at), MIB, 3): break\n    total += touched(at, MIB)\nreturn total // MIB",
    "written, then read only": "total = 0\nfor _ in range(600):\n    at = mapped(MIB, 0x22)\n    if at is None: break\n    total += touched(at, MIB)\n    if libc.mprotect(PAGE(at), ctypes.c_size_t(MIB), 1): break\nreturn total // MIB",
    "written, then of no use": "total = 0\nfor _ in range(600):\n    at = mapped(MIB, 0x22)\n    if at is None: break\n    total += touched(at, MIB)\n    if libc.mprotect(PAGE(at), ctypes.c_size_t(MIB), 0): break\nreturn total // MIB",
    "a growing stack": "total = 0\nfor number in range(3):\n    at = int(ctypes.addressof(ctypes.c_int())) & ~4095\nimport re\nlibc.mremap.restype = PAGE\nhere = ctypes.c_char_p.in_dll(libc, 'program_invocation_name')\ntop = ctypes.cast(here, PAGE).value & ~4095\nat = libc.mremap(PAGE(top), ctypes.c_size_t(4096), ctypes.c_size_t(512 * MIB), 1)\nreturn 0 if at in (None, ctypes.c_void_p(-1).value) else touched(at, 256 * MIB) // MIB",
    "pushed upon the stack": "environment = ctypes.c_void_p.in_dll(libc, 'environ').value\ntop = ctypes.cast(ctypes.c_char_p.in_dll(libc, 'program_invocation_name'), PAGE).value & ~4095\ntotal = 0\ntry:\n    for n in range(1, 1 << 16): ctypes.memset(top - n * 4096, 1, 1); total += 4096; (n % 256 == 0) and os.write(1, b'.')\nexcept BaseException: pass\nreturn total // MIB",
    "the heap": "libc.sbrk.restype = PAGE\ntotal = 0\nfor _ in range(600):\n    at = libc.sbrk(ctypes.c_long(MIB))\n    if at in (None, ctypes.c_void_p(-1).value): break\n    total += touched(at, MIB)\nreturn total // MIB",
    "many objects": "kept = []\ntry:\n    while len(kept) < 600: kept.append(b'x' * MIB)\nexcept MemoryError: pass\nn = len(kept); kept = None\nreturn n",
    "private copies of files": "total = 0\nname = next(os.path.join('/usr/lib', n, e) for n in os.listdir('/usr/lib') if os.path.isdir('/usr/lib/' + n) for e in os.listdir('/usr/lib/' + n) if '.so' in e and os.path.getsize(os.path.join('/usr/lib', n, e)) > MIB)\nfile = os.open(name, os.O_RDONLY)\nfor _ in range(600):\n    at = mapped(MIB, 2, file)\n    if at is None: break\n    total += touched(at, MIB)\nreturn total // MIB",
    "a stack in pieces": STACK_IN_PIECES,
    "all at once": "total = 0\nfor flags in (0x22, 0x4022, 0x20022, 0x122, 0x21, 0x100022):\n    for size in (64 * MIB, 16 * MIB, MIB, 65536, 4096):\n        while (at := mapped(size, flags)) is not None and total < 1 << 30: total += touched(at, size)\nreturn total // MIB",
}
"""Ways to more memory: each returns the MiB that it wrote to; the stack may end the process."""
MEMORY_MIB = 64

OTHER_DOORS = """
def ends(code):
    at = mapped(4096, 0x100022, address=1 << 28, protection=7)  # where 32 bits reach
    ctypes.memmove(at, bytes.fromhex(code), len(code) // 2)
    ctypes.CFUNCTYPE(ctypes.c_long)(at)()
ends("{code}")
return ["it went on"]
"""
DOORS = {
    "the calls of 32 bits": "53b814000000cd805bc3",
    "the calls of 32 bits that make a socket": "53b867010000bb01000000b901000000baffffffffcd805bc3",
    "the calls of 32 bits, by a jump": "6a23680900001048cbb867010000bb01000000b901000000ba00000000cd80ebfe",
    "the calls of x32": "b8270000400f05c3",
    "the calls of x32 that exec": "b808020040" + "0f05c3",
}
"""Machine code for calls that the tables do not name: each ends the process."""

HELD = {
    "1 rules for the next child": f(RULES),
    "1 descriptors of others": f(DESCRIPTORS),
    "2 sockets": f(SOCKETS),
    "3 limits of others by a page at 4 GiB": f(LIMITS_OF_OTHERS),
    "4 semaphores, queues, shared memory": f(OLD_KERNEL_OBJECTS),
    "4 other processes": f(OTHER_PROCESSES),
    "4 settings, clocks, keys, doors into the kernel": f(SETTINGS),
    "4 every number that is not on the list": f(EVERY_NUMBER),
    "new processes": f(NEW_PROCESSES),
    "new threads": f(THREADS),
    "reading": f(READING),
    "writing": f(WRITING),
}
"""Each gains nothing, and nothing around it changes."""


def memory(body: str) -> str:
    """An attack on the limit of memory, a whole file."""
    return f(_TOUCH + body)


THREADS_OF_A_BET = """
import threading
threading.stack_size(65536)
stop, count = threading.Event(), 0
try:
    while count < 300: threading.Thread(target=stop.wait, args=(30,), daemon=True).start(); count += 1
except RuntimeError: pass
again = 0
for _ in range(20):
    try: threading.Thread(target=stop.wait, args=(30,), daemon=True).start(); again += 1
    except RuntimeError: pass
return count + again
"""
# Threads that start threads, in machine code: clone in a loop on stacks of one page, then sleep.
THREADS_THAT_START_THREADS = """
code = bytes.fromhex("53415441554989fc41bdb80b000031dbb838000000bf000f05004c89e631d24531d24531c00f0585c0740f41ffcd75e085db7517415d415c5bc3bb010000004983c44041bdc8000000ebc56a006a144889e731f6b8230000000f05b83c00000031ff0f05")
at = mapped(1 << 20, 0x22, protection=7)
ctypes.memmove(at, code, len(code))
ctypes.CFUNCTYPE(ctypes.c_long, ctypes.c_long)(at)(at + (1 << 19))
time.sleep(0.5)
return 0
"""

SLEEPS_WHILE_TIME_IS_COUNTED = """
now, coarse = time.clock_gettime_ns, 6  # CLOCK_MONOTONIC_COARSE moves with the tick
def edge():
    first = now(coarse)
    while (next := now(coarse)) == first: pass
    return next - first, now(1)
length = min(edge()[0] for _ in range(5))
_, start = edge()
while True:
    tick = start + ((now(1) - start) // length + 1) * length
    while now(1) < tick - 250_000: pass
    time.sleep(max(0, tick + 30_000 - now(1)) / 1e9)
"""

CPU = {
    "a handler": "import signal\nsignal.signal(signal.SIGXCPU, lambda *_: None)\nwhile True: pass",
    "blocked": "import signal\nsignal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))\nwhile True: pass",
    "in the kernel": "while True: opened('/usr/lib')",
    "asleep while time is counted": SLEEPS_WHILE_TIME_IS_COUNTED,
}
"""Ways to go on for longer than the processor's time that is given."""
WALL = {
    "asleep": "time.sleep(60)",
    "stopped": "os.kill(os.getpid(), 19); time.sleep(60)",
    "waiting for itself": "call(202, struct.pack('I', 0), 128, 0, None, None, 0); time.sleep(60)",
    "all signals blocked": "import signal\nsignal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))\ntime.sleep(60)",
    "its channel closed": "os.close(3); time.sleep(60)",
}
NEXT_CHILD = """
import resource, signal
found = [f"descriptor {n}" for n in range(4096) if (call(72, n, 1) >= 0) != (n < 4)]
fixed = {"USER": "learner", "TORCHINDUCTOR_CACHE_DIR": "/", "CUDA_CACHE_DISABLE": "1"}
found += [f"environment {name}" for name, value in os.environ.items() if fixed.get(name) != value]
found += [] if os.getcwd() == "/" else ["folder"]
found += [f"handler {n}" for n in (1, 3, 6, 10, 12, 13, 14, 15, 17, 24, 25) if signal.getsignal(n) not in (signal.SIG_DFL, None)]
found += [f"blocked {n}" for n in signal.pthread_sigmask(signal.SIG_BLOCK, [])]
found += [] if len(os.sched_getaffinity(0)) == os.cpu_count() else ["affinity"]
found += [f"limit {kind}" for kind in (0, 2, 3, 7, 8, 9) if resource.getrlimit(kind)[0] != resource.getrlimit(kind)[1]]
found += [name for name in sys.modules if name.startswith("evil")]
return found
"""

# Machine code again: a page of memory in each of 60,000 GiB of addresses, for each of which the kernel keeps two more.
SCATTERED = """
at = mapped(4096, 0x22, protection=7)
ctypes.memmove(at, bytes.fromhex("534154415549c7c40000004041bd60ea0000b8090000004c89e7be00100000ba0300000041ba2200100049c7c0ffffffff4531c90f05483d00f0ffff7703c6000148c7c0000000404901c441ffcd75c2b801000000415d415c5bc3"), 128)
ctypes.CFUNCTYPE(ctypes.c_long)(at)()
time.sleep(1)
return 0
"""
QUEUED_SIGNALS = """
import signal
signal.pthread_sigmask(signal.SIG_BLOCK, [40])
for _ in range(20000): call(62, os.getpid(), 40)
time.sleep(0.2)
return 0
"""
FIRST_THREAD_ENDS = """
import threading
threading.Thread(target=time.sleep, args=(60,)).start()
call(60, 0)
"""


def in_a_thread(body: str) -> str:
    """The same attack from a thread that was started after the lock, as a bet may."""
    lines = "\n".join(f"    {line}" for line in body.strip().splitlines())
    after = "thread = threading.Thread(target=lambda: found.extend(inner()))\nthread.start()\nthread.join()\nreturn found"
    return f(f"import threading\nfound = []\ndef inner():\n{lines}\n{after}")


IN_A_THREAD = {
    "reading": in_a_thread(READING),
    "writing": in_a_thread(WRITING),
    "sockets": in_a_thread(SOCKETS),
    "other processes": in_a_thread(OTHER_PROCESSES),
}

# Machine code: clone with five arguments; the new thread, on a stack of its own, ends at once.
CLONES = """
stack, at = mapped(1 << 16, 0x22), mapped(4096, 0x22, protection=7)
code = bytes.fromhex("4989cab8380000000f054885c07401c3b83c00000031ff0f05")
ctypes.memmove(at, code, len(code))
clone = ctypes.CFUNCTYPE(ctypes.c_long, *[ctypes.c_ulong] * 5)(at)
def tried(flags, *places): return clone(flags, stack + 60000, *places, *[0] * (3 - len(places)))
thread = 0x100 | 0x200 | 0x400 | 0x800 | 0x10000 | 0x40000
allowed = {thread | bit for bit in (0x80000, 0x100000, 0x200000, 0x400000)}
found = [hex(flags) for flags in (0x4100, 17, *(thread ^ 1 << n for n in range(64))) if flags not in allowed and tried(flags) != -errno.EPERM]
for place in (0xffffffffff600000, 0xffff888000000000, 1):  # where the kernel would write the thread's number
    tried(thread | 0x100000, place), tried(thread | 0x200000, 0, place)
"""
# Threads that ask to start others in vain, without end, and are interrupted while they ask.
VAIN_CLONES = """
import signal, threading
threading.stack_size(65536)
signal.signal(10, lambda *_: None)
end, ids = time.time() + 1, []
def ask():
    ids.append(call(186))
    while time.time() < end: tried(thread | 0x80000, 0, 0, 1 << 62)  # no address that a thread's own memory may have
for _ in range(12): threading.Thread(target=ask, daemon=True).start()
while time.time() < end:
    for each in ids: call(234, os.getpid(), each, 10)
"""
# The kernel follows a thread's list of locks as it ends: one in a circle, one that is read only, one that leads to the kernel.
LISTS_OF_LOCKS = """
import threading
threading.stack_size(65536)
page, kept = mapped(1 << 16, 0x22), []
libc.mprotect(PAGE(page), ctypes.c_size_t(4096), 1)
def end(first, offset):
    kept.append(ctypes.create_string_buffer(24))
    me = ctypes.addressof(kept[-1])
    kept[-1].raw = struct.pack("QqQ", first or me, offset, first)
    call(273, me, 24), call(60, 0)
for first, offset in ((0, 0), (page, 0), (page + 4097, -(1 << 62)), (0xffff888000000000, 8)): threading.Thread(target=end, args=(first, offset), daemon=True).start()
time.sleep(0.2)
"""
IN_A_THREAD |= {
    "odd clones": f(CLONES + "return found"),
    "clones in vain": f(CLONES + VAIN_CLONES + "return found"),
    "lists of locks": f(LISTS_OF_LOCKS + "return []"),
}

# Its libraries' place in memory given up for pages of its own, written and then made read-only: neither limit counts more.
IN_THE_PLACE_OF_LIBRARIES = """
class Library(ctypes.Structure): _fields_ = [("at", ctypes.c_size_t), ("name", ctypes.c_char_p), ("parts", PAGE), ("count", ctypes.c_uint16)]
parts = []
def noted(library, size, data):
    told = library.contents
    for n in range(told.count if b"libtorch_cpu" in (told.name or b"") else 0):
        kind, _, _, place, _, _, length, _ = struct.unpack("IIQQQQQQ", ctypes.string_at(told.parts + 56 * n, 56))
        first, last = told.at + place + 4095 & ~4095, told.at + place + length & ~4095
        if kind == 1 and last > first: parts.append((first, last - first))
    return 0
libc.dl_iterate_phdr(ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(Library), ctypes.c_size_t, PAGE)(noted), None)
for part in parts: call(11, *part)
total = 0
while (at := mapped(MIB, 0x8022)) is not None and libc.mprotect(PAGE(at), ctypes.c_size_t(MIB), 1) == 0: total += 1
time.sleep(0.3)
return total
"""


RANDOM_CALLS = """
import random, signal
generator = random.Random({seed})
numbers = (1, 2, 3, 4, 5, 6, 8, 9, 10, 14, 16, 21, 24, 28, 39, 44, 56, 62, 63, 72, 79, 89, 96, 98, 99, 100, 102, 104, 107, 108, 110, 158, 186, 201, 202, 204, 228, 229, 234, 257, 262, 267, 269, 302, 309, 318)
page = mapped(1 << 20, 0x22)
names = ["/usr/lib", "/dev/zero", "/dev/null", "/proc/self/mem", secret, log, folder, "/proc/cpuinfo", "", ".", "..", "/proc/self/fd/3"]
kept = [page + (n << 12) for n in range(len(names))]  # with room behind for all that the kernel may write there
for at, name in zip(kept, names): ctypes.memmove(at, name.encode() + b"\\0", len(name) + 1)
others = [victim, parent, SCENE["worker"], os.getppid(), 1, 0, -1]
ways = (
    lambda: generator.choice([0, 1, 2, 3, 4, 5, -1, -100]), lambda: generator.getrandbits(64), lambda: 1 << generator.randrange(64),
    lambda: page + generator.randrange(3 << 18), lambda: generator.choice(kept), lambda: generator.choice(others),
    lambda: generator.choice(others) | generator.getrandbits(32) << 32, lambda: generator.choice([4096, 1 << 20, 1 << 30, 7, 3, 0x22, 0x4022]),
    lambda: generator.getrandbits(12), os.getpid, lambda: generator.getrandbits(32),
)
signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
end, count = time.time() + 1, 0
while time.time() < end:
    number, given = generator.choice(numbers), [generator.choice(ways)() for _ in range(6)]
    if number in (1, 3, 44): given[0] |= 4  # its output and its channel stay its own
    if number in (62, 234) and given[1 if number == 62 else 2] & 0xffffffff: continue  # it would end itself
    if number == 202: given[1] = generator.choice([1, 3, 4, 5, 129, 257])  # none that waits
    if number == 318: given[1] &= 0xffff
    if number == 9: given[3] &= ~0x10
    if number in (10, 28): given[:2] = [page + (generator.randrange(16, 256) << 12), 4096]
    libc.syscall(ctypes.c_long(number), *[ctypes.c_long(each if each < 1 << 63 else each - (1 << 64)) for each in given])
    count += 1
return count
"""


def random_calls(seed: int) -> str:
    """Calls that the list allows, with arguments drawn from a seed."""
    return RANDOM_CALLS.format(seed=seed)
