"""More code that tries to leave the sandbox: by paths, advice, clocks, limits, what libc opens, newer kernels; all held."""
# ruff: noqa: E501 - an attack reads best in one piece

from attacks import f

_FURTHER = {
    "a path of an open folder": r"""
found = []
for base in ("/usr/lib", SCENE["package"], "/proc/self", "/usr"):
    for flags in (0o200000, 0o10000000, 0o10200000):
        try: at = os.open(base, flags)
        except OSError: continue
        for up in ("../" * 12 + secret[1:], "../" * 12 + "etc/passwd", "cwd/etc/passwd", "root/etc/passwd", "fd/../root/etc/passwd", "task/../mem"):
            try: os.close(os.open(up, os.O_RDONLY, dir_fd=at)); found.append(f"{base} {up}")
            except OSError: pass
        os.close(at)
return found
""",
    "a path alone, opened again": r"""
found = []
for path in (secret, log, folder, "/etc/passwd", "/etc", "/proc/1/root", f"/proc/{victim}/mem", f"/proc/{victim}/fd/0", "/"):
    try: at = os.open(path, 0o10000000)
    except OSError: continue
    for again in (f"/proc/self/fd/{at}", f"/dev/fd/{at}", f"/proc/thread-self/fd/{at}"):
        for flags in (0, 1, 2):
            if opened(again, flags): found.append(f"{path} {again} {flags}")
    try: os.close(os.open("secret", 0, dir_fd=at)); found.append("below " + path)
    except OSError: pass
    found += passed(("fchdir", call(81, at)), ("fexec", call(322, at, b"", None, None, 0x1000)), ("pread", call(17, at, bytes(16), 16, 0) if call(17, at, bytes(16), 16, 0) != -errno.EBADF else -1))
    os.close(at)
return found
""",
    "links out of folders that may be read": r"""
found = []
for top in ("/usr/lib", "/usr/share", SCENE["package"] + "/.."):
    count = 0
    for here, folders, names in os.walk(top):
        for name in names + folders:
            path = here + "/" + name
            if os.path.islink(path) and os.path.realpath(path).startswith(("/etc", "/var", "/home", "/root", "/tmp", "/run")):
                count += 1
                if opened(path): found.append(path + " -> " + os.path.realpath(path))
        if count > 300: break
return found
""",
    "devices": r"""
return [f"{path} {flags}" for path in ("/dev/urandom", "/dev/random", "/dev/full", "/dev/ptmx", "/dev/kmsg", "/dev/fuse", "/dev/net/tun", "/dev/kvm", "/dev/mem", "/dev/port", "/dev/console", "/dev/tty0", "/dev/loop-control", "/dev/userfaultfd", "/dev/shm", "/dev/mqueue", "/dev/pts/0", "/dev/stdin", "/dev/snapshot", "/dev/uinput", "/dev/vhost-net", "/dev/watchdog", "/dev/dma_heap/system", "/dev/udmabuf") for flags in (1, 2) if opened(path, flags)]
""",
    "facts of the kernel": r"""
return [path for path in ("/proc/net/unix", "/proc/net/tcp", "/proc/keys", "/proc/kmsg", "/proc/kallsyms", "/proc/kcore", "/proc/sysrq-trigger", "/proc/sys/kernel/core_pattern", "/proc/sys/kernel/random/boot_id", "/proc/timer_list", "/proc/locks", "/proc/mounts", "/proc/self/mountinfo", "/proc/thread-self/mem", "/proc/self/pagemap", "/proc/self/clear_refs", "/proc/self/timerslack_ns", "/proc/self/autogroup", "/proc/self/uid_map", "/proc/self/setgroups", "/proc/self/attr/current", "/proc/self/fdinfo/3", "/proc/self/loginuid", "/proc/self/auxv", "/proc/self/smaps", "/sys/class/net", "/sys/kernel/debug", "/sys/fs/cgroup/cgroup.procs", "/proc/self/map_files", "/proc/cmdline", "/proc/config.gz", "/proc/sched_debug", "/proc/self/sched", "/proc/self/oom_adj") if opened(path) or opened(path, 1) or opened(path, 2)]
""",
    "terminals through what is open": r"""
found = []
for fd in range(4):
    for number in (0x5412, 0x541C, 0x5402, 0x5403, 0x5404, 0x5406, 0x540E, 0x5410, 0x5413, 0x5414, 0x5422, 0x5423, 0x5460, 0x80045430, 0x40045431, 0x5441, 0x4004667f, 0x8912, 0x8927, 0x8933, 0x89E0, 0x8907, 0x89e2, 0x894B):
        told = call(16, fd, number, bytes(64))
        if told not in (-errno.EPERM, -errno.EACCES): found.append(f"{fd} {number:x} {told}")
return found
""",
    "descriptors without end": r"""
found, made = [], 0
try:
    while made < 70000: os.dup(1); made += 1
except OSError: pass
for fd in range(4, 70000):
    try: os.close(fd)
    except OSError: pass
return [made] if made > 4096 else []
""",
    "descriptors by number": r"""
found = []
for number in (0, 1030):
    for low in (1 << 20, 1 << 16, 1 << 30, 5000):
        told = call(72, 1, number, low)
        if told > 4096: found.append(f"{number} {told}")
return found
""",
    "flags of what is shared": r"""
found = []
for fd in (0, 1, 2, 3):
    for flags in (0o2000, 0o40000, 0o4000, 0o20000, 0o1000000, 0o4010000, -1):
        told = call(72, fd, 4, flags)
        if told == 0: found.append(f"{fd} {flags:o}")
    found += passed((f"F_SEAL {fd}", call(72, fd, 1033, 15)), (f"F_ADD_SEALS own {fd}", call(72, fd, 1034, 0)), (f"F_OFD {fd}", call(72, fd, 37, bytes(32))), (f"F_SET_RW {fd}", call(72, fd, 1038, bytes(8))), (f"F_NOTIFY {fd}", call(72, fd, 1026, 0x80000000)), (f"F_CANCELLK {fd}", call(72, fd, 1029, bytes(32))), (f"F_DUPFD_QUERY {fd}", call(72, fd, 1027, fd)))
return found
""",
    "advice on memory": r"""
at, found = mapped(1 << 21, 0x22), []
for advice in (12, 14, 18, 20, 21, 22, 23, 24, 25, 100, 101, 102, 103):
    told = call(28, at, 1 << 21, advice)
    if told == 0 and advice in (100, 101, 12): found.append(f"advice {advice}")
return found + passed(("process_madvise", call(440, 3, bytes(16), 1, 4, 0)), ("mlock", call(149, at, 4096)), ("mlock2", call(325, at, 4096, 1)), ("mlockall", call(151, 7)), ("mbind", call(237, at, 4096, 0, None, 0, 0)), ("set_mempolicy", call(238, 0, None, 0)), ("remap_file_pages", call(216, at, 4096, 0, 0, 0)), ("mseal", call(462, at, 4096, 0)), ("mincore", call(27, at, 4096, bytes(1))), ("mremap", call(25, at, 0, 1 << 20, 1)), ("pkey_alloc", call(330, 0, 0)), ("memfd_secret", call(447, 0)), ("memfd", call(319, b"x", 0)))
""",
    "libraries written through a shared page": r"""
found = []
for path in (SCENE["package"] + "/__init__.py", SCENE["package"] + "/einops.py", "/usr/lib/x86_64-linux-gnu/libc.so.6"):
    try: fd = os.open(path, 0)
    except OSError: continue
    for flags in (1, 3, 0x80003):
        at = mapped(4096, flags, fd, None, 3)
        if at: found.append(f"shared {path} {flags:x}")
        at = mapped(4096, flags, fd, None, 1)
        if at and libc.mprotect(PAGE(at), ctypes.c_size_t(4096), 3) == 0: found.append(f"made writable {path} {flags:x}")
    os.close(fd)
return found
""",
    "what the processor is told": r"""
found = []
for option in (0x1012, 0x2001, 0x2002, 0x2003, 0x1023, 0x1025, 0x4001, 0x4002, 0x4003, 0x5001, 0x5002, 0x5003, 0x5004, 0x1001):
    told = call(158, option, 1)
    if told not in (-errno.EPERM, -errno.EINVAL, -errno.ENODEV, -errno.EOPNOTSUPP): found.append(f"{option:x} {told}")
return found
""",
    "the channel as a socket": r"""
found = []
address = struct.pack("H", 1) + SCENE["door"].encode() + b"\0"
found += passed(("sendto with an address", call(44, 3, b"x", 0, 0x4000, address, len(address))), ("sendto out of band", call(44, 3, b"", 0, 1, address, 110)), ("getpeername", call(52, 3, bytes(128), struct.pack("I", 128))), ("getsockopt", call(55, 3, 1, 17, bytes(12), struct.pack("I", 12))), ("setsockopt", call(54, 3, 1, 16, struct.pack("i", 1), 4)), ("shutdown", call(48, 3, 1)), ("SO_RCVBUF", call(54, 3, 1, 8, struct.pack("i", 1 << 30), 4)), ("recvmmsg", call(299, 3, bytes(64), 1, 0, None)), ("splice", call(275, 3, None, 1, None, 64, 2)), ("sendfile", call(40, 1, 3, None, 64)), ("tee", call(276, 1, 3, 64, 2)), ("vmsplice", call(278, 1, bytes(16), 1, 0)), ("copy_file_range", call(326, 3, None, 1, None, 9, 0)))
return found
""",
    "signals of its own group and kind": r"""
found = []
for pid in (0, -1, os.getpid() | 1 << 32, -os.getpid(), 1 << 31, (1 << 32) - 1):
    found += passed((f"kill {pid}", call(62, pid, 0)))
found += passed(("tgkill another's", call(234, parent, os.getpid(), 0)), ("tgkill wide", call(234, os.getpid() | 1 << 32, victim, 0)), ("tgkill own and other", call(234, os.getpid(), victim, 0) if call(234, os.getpid(), victim, 0) != -errno.ESRCH else -1), ("sigqueue", call(129, os.getpid(), 40, bytes(128))))
return found
""",
    "clocks and timers": r"""
return passed(("settimeofday", call(164, bytes(16), None)), ("clock_settime", call(227, 0, bytes(16))), ("adjtimex", call(159, bytes(208))), ("clock_adjtime", call(305, 0, bytes(208))), ("setitimer", call(38, 0, bytes(32), None)), ("alarm", call(37, 1)), ("timer_create", call(222, 0, None, bytes(8))), ("timerfd", call(283, 1, 0)), ("eventfd", call(290, 0, 0)), ("epoll", call(291, 0)), ("signalfd", call(289, -1, bytes(8), 8, 0)), ("userfault", call(323, 1)), ("perf", call(298, bytes(128), 0, -1, -1, 0)), ("bpf", call(321, 0, bytes(64), 64)), ("kexec", call(246, 0, 0, None, 0)), ("aio", call(206, 8, bytes(8))), ("quotactl", call(179, 0, None, 0, None)), ("fanotify", call(300, 0, 0)), ("swapon", call(167, b"/x", 0)), ("syslog", call(103, 3, bytes(64), 64)), ("vhangup", call(153)), ("acct", call(163, None)), ("sync", call(162)), ("syncfs", call(306, 1)), ("membarrier", call(324, 8, 0, 0)))
""",
    "limits raised by each way": r"""
found = []
import resource
for kind in range(16):
    soft, hard = resource.getrlimit(kind)
    for new in ((hard, hard), (soft + 1 if soft != -1 else -1, hard), (-1, -1), (0, hard)):
        try: resource.setrlimit(kind, new); found.append(f"{kind} {new}")
        except (OSError, ValueError): pass
    for pid in (0, os.getpid()):
        found += passed((f"prlimit {pid} {kind}", call(302, pid, kind, struct.pack("QQ", 1 << 40, 1 << 40), None)))
return found
""",
    "output through every door": r"""
return passed(("writev fd 0", call(20, 0, bytes(16), 1)), ("pwrite", call(18, 1, b"x", 1, 0)), ("pwritev", call(296, 1, bytes(16), 1, 0, 0)), ("pwritev2", call(328, 1, bytes(16), 1, 0, 0, 0)))
""",
    "names with odd flags": r"""
found = []
for flags in (0o20000000 | 2, 0o20200000 | 2, 0o20200000 | 1, 0o4000000, 0o10000000 | 2, 0o400, 0o1 | 0o200000, 0o3, 0o2000 | 1, 0o100 | 0o200000, 0o1000000, 0o40000, 0o20000):
    for path in (log, folder, "/tmp", "/usr/lib", SCENE["package"], "/dev/shm", "/var/tmp", "/run/lock"):
        try:
            at = os.open(path, flags, 0o600)
            if flags not in (0o4000000, 0o10000002, 0o400, 0o1000000, 0o40000, 0o20000) or not path.startswith(("/usr", SCENE["package"])) and flags != 0o10000002: found.append(f"{path} {flags:o}")
            os.close(at)
        except OSError: pass
return found
""",
    "words that other processes share": r"""
found = []
word = ctypes.create_string_buffer(8)
for op in (6, 7, 8, 11, 12, 13, 5, 9 | 256):
    told = call(202, ctypes.addressof(word), op, victim, struct.pack("qq", 0, 1000), ctypes.addressof(word), 0)
    if op in (6, 7, 8, 11, 12, 13) and told not in (-errno.EPERM, -errno.ENOSYS): found.append(f"{op} {told}")
return found + passed(("futex_waitv", call(449, bytes(24), 1, 0, None, 0)), ("futex_wake", call(454, 0, 1, 1, 2)), ("robust of other", call(274, victim, bytes(8), bytes(8))), ("process_mrelease", call(448, 3, 0)))
""",
    "filters and rules of its own": r"""
return passed(("seccomp filter", call(317, 1, 0, struct.pack("HxxxxxxQ", 1, 0))), ("seccomp listener", call(317, 1, 8, struct.pack("HxxxxxxQ", 1, 0))), ("seccomp sizes", call(317, 3, 0, bytes(8))), ("landlock", call(444, None, 0, 1)), ("lsm", call(459, 100, bytes(64), bytes(8), 0)), ("lsm set", call(460, 100, bytes(64), 64, 0)), ("keyctl", call(250, 0, 0)), ("add_key", call(248, b"user", b"x", b"y", 1, -3)), ("unshare", call(272, 0x10000000)), ("chroot", call(161, b"/usr")), ("capset", call(126, bytes(8), bytes(24))))
""",
    "CUDA's and other drivers' doors": r"""
return [path for path in ("/dev/nvidiactl", "/dev/nvidia0", "/dev/nvidia-uvm", "/dev/nvidia-modeset", "/dev/dri/card0", "/dev/dri/renderD128", "/dev/accel/accel0", "/dev/kfd") if opened(path, 2)]
""",
    "far beyond the end of the output": r"""
found = []
for fd in (0, 1, 2, 3):
    for place in (1 << 30, 1 << 40, (1 << 63) - 1, -1):
        for whence in (0, 1, 2, 3, 4):
            if call(8, fd, place, whence) >= 1 << 30: found.append(f"{fd} {place} {whence}")
return found
""",
    "what libc opens by itself": r"""
found = []
libc.fopen.restype = libc.popen.restype = libc.dlopen.restype = libc.opendir.restype = libc.iconv_open.restype = libc.setlocale.restype = libc.sem_open.restype = ctypes.c_void_p
for mode in (b"r", b"r+", b"w", b"a", b"re", b"rm", b"wx"):
    if libc.fopen(secret.encode(), mode): found.append(f"fopen {mode}")
if libc.popen(b"id", b"r"): found.append("popen")
if libc.system(b"exit 0") == 0: found.append("system")
if libc.opendir(folder.encode() + b"/inner"): found.append("opendir")
if libc.shm_open(b"/study", 0o102, 0o600) >= 0: found.append("shm_open")
if libc.sem_open(b"/study", 0o100, 0o600, 1): found.append("sem_open")
if libc.mq_open(b"/study", 0o102, 0o600, None) >= 0: found.append("mq_open")
if libc.mkstemp(ctypes.create_string_buffer(b"/tmp/studyXXXXXX")) >= 0: found.append("mkstemp")
if libc.truncate(log.encode(), ctypes.c_long(0)) == 0: found.append("truncate")
if libc.daemon(1, 1) == 0: found.append("daemon")
return found
""",
    "a zone, a locale and a converter that are a file": r"""
found = []
for name, value in (("TZ", ":" + secret), ("TZDIR", folder), ("LOCPATH", folder), ("GCONV_PATH", folder), ("NLSPATH", secret), ("LD_PRELOAD", secret), ("HOSTALIASES", secret), ("MALLOC_TRACE", folder + "/trace"), ("RES_OPTIONS", "debug")):
    os.environ[name] = value
before = time.tzname
time.tzset()
libc.mtrace()
libc.setlocale(6, b"")
libc.iconv_open(b"X", b"Y")
return [time.tzname] if secret in str(time.tzname) or "secret" in str(time.tzname) else [name for name in ("trace",) if os.path.exists(folder + "/" + name)]
""",
    "links of other processes": r"""
found = []
for pid in (victim, parent, os.getppid(), 1):
    for name in ("exe", "cwd", "root", "fd/0", "fd/1", "ns/net", "ns/user", "map_files/0-1"):
        try: found.append(f"{pid} {name} " + os.readlink(f"/proc/{pid}/{name}"))
        except OSError: pass
return [one for one in found if "/secret" in one or opened("/proc/" + "/".join(one.split()[:2]))]
""",
    "odd spellings of a path": r"""
found = []
short = secret[1:]
for path in ("//" + short, "/./" + short, "/proc/../" + short, "/usr/lib/../../" + short, secret + "/", secret + "/.", "/proc/self/root/" + short, "/proc/thread-self/root/" + short, "/proc/self/task/" + str(os.getpid()) + "/root/" + short, "/proc/self/cwd/" + "../" * 20 + short, "/usr/lib/" + "../lib/" * 400 + "../../" + short, SCENE["package"] + "/" + "../" * 30 + short, "/dev/fd/../../../" + short, "/dev/stdin/../" + short):
    for flags in (0, 0o400000, 0o2000000, 0o1000000, 0o10000000, 0o200000):
        try: at = os.open(path, flags)
        except (OSError, ValueError): continue
        try:
            if os.read(at, 8): found.append(f"{path[:60]} {flags:o}")
        except OSError: pass
        os.close(at)
return found
""",
    "what it was given with its birth": r"""
found = [name for name in os.environ if any(word in name.upper() for word in ("TOKEN", "SECRET", "PASSW", "SSH_AUTH", "CREDENTIAL"))]
found += [str(fd) for fd in range(4, 256) if call(72, fd, 1) >= 0]
found += [path for path in ("/proc/self/environ", "/proc/self/mem", "/proc/self/stack", "/proc/self/coredump_filter") if opened(path, 2)]
return found
""",
    "a system call begun again": r"""
found = []
for _ in range(3):
    told = call(219)
    if told >= 0: found.append(told)
    call(35, struct.pack("qq", 0, 1000), bytes(16))
return found
""",
    "chance without end": r"""
began = time.monotonic()
room = mapped(2 << 20, 0x22)
if room is None or call(11, room + (1 << 20), 1 << 20): return ["no room that ends"]  # or it overwrites what lies behind
told = [call(318, room, length, flags) for length in (1 << 20, 1 << 31, 1 << 40, (1 << 63) - 1) for flags in (0, 1, 2, 3, 4, 7)]
return [one for one in told if one > 1 << 25]
""",
    "calls of the page of old": r"""
found = []
at = mapped(4096, 0x22, -1, None, 7)
if at is None: return found
for entry in (0xffffffffff600000, 0xffffffffff600400, 0xffffffffff600800):
    room = ctypes.create_string_buffer(64)
    code = b"\x48\xbf" + struct.pack("Q", ctypes.addressof(room)) + b"\x31\xf6\x31\xd2\x48\xb8" + struct.pack("Q", entry) + b"\x50\x58\xc3"
    ctypes.memmove(at, code, len(code))
    if ctypes.CFUNCTYPE(ctypes.c_long)(at)() != ctypes.c_long(entry).value: found.append(hex(entry))
return found
""",
    "settings below /proc and /sys": r"""
found = []
for top in ("/proc/sys/kernel", "/proc/sys/vm", "/proc/sys/fs", "/sys/kernel", "/sys/module", "/sys/block", "/sys/class", "/sys/fs", "/sys/bus", "/sys/firmware", "/proc/sys/net", "/proc/irq", "/proc/fs", "/proc/bus", "/proc/driver", "/proc/tty"):
    for here, folders, names in os.walk(top):
        found += [here + "/" + name for name in names[:50] if opened(here + "/" + name) or opened(here + "/" + name, 1)]
        if here.count("/") > 4: folders.clear()
return found[:20]
""",
    "sockets that are none": r"""
found = []
for fd in (0, 1, 2):
    found += passed((f"sendto {fd}", call(44, fd, b"x", 1, 0x4000, None, 0) if call(44, fd, b"x", 1, 0x4000, None, 0) != -errno.ENOTSOCK else -1), (f"recvfrom {fd}", call(45, fd, bytes(8), 8, 0x40, None, None) if call(45, fd, bytes(8), 8, 0x40, None, None) != -errno.ENOTSOCK else -1))
for flags in (1, 8, 0x10, 0x40, 0x8000, 0x20000000, 0x4000000):
    told = call(44, 3, b"", 0, flags, None, 0)
    if told != -errno.EPERM: found.append(f"flags {flags:x} {told}")
return found
""",
    "locks and owners of what is shared": r"""
found = []
for fd in range(4):
    for command in (5, 6, 7, 8, 9, 10, 11, 15, 16, 36, 38, 1024, 1025, 1031, 1032, 1035, 1036, 1037):
        told = call(72, fd, command, bytes(32))
        if told not in (-errno.EPERM, -errno.EBADF): found.append(f"{fd} {command} {told}")
return found + passed(("flock", call(73, 1, 2)), ("fsync", call(74, 1)), ("ftruncate", call(77, 1, 0)), ("fchmod", call(91, 1, 0)), ("fchown", call(93, 1, 0, 0)), ("fallocate", call(285, 1, 0, 0, 4096)), ("futimens", call(280, 1, None, None, 0)), ("fsetxattr", call(190, 1, b"user.x", b"y", 1, 0)))
""",
    "memory of newer kernels": r"""
found = []
for flags in (0x08 | 0x20, 0x0A | 0x20, 0x28 | 0x4000, 0x20 | 0x22 | 0x4000000, 0x8000022, 0x2000022):
    if mapped(4096, flags): found.append(f"map {flags:x}")
at = mapped(1 << 16, 0x22)
found += [f"advice {advice}" for advice in (5, 6, 7, 10, 11, 12, 13, 18, 19, 20, 21, 22, 23, 25, 26, 100, 101, 102, 103, 104) if call(28, at, 1 << 16, advice) == 0]
for kind in (1 << 24, 1 << 25, 8, 16, 1 << 32):
    if libc.mprotect(PAGE(at), ctypes.c_size_t(4096), ctypes.c_int(kind & 0x7fffffff)) == 0 and kind < 1 << 31: found.append(f"protection {kind:x}")
return found + passed(("wide", call(9, 0, 4096, 3, 0x22 | 1 << 32, -1, 0)), ("mseal", call(462, at, 4096, 0)), ("shadow stack", call(453, 0, 4096, 0)), ("secret memory", call(447, 0)), ("userfaultfd", call(323, 1)), ("remap", call(25, at, 4096, 1 << 20, 1)), ("process_vm", call(310, os.getpid(), bytes(16), 1, bytes(16), 1, 0)), ("weights", call(450, at, 4096, 0, 0)))
""",
    "clocks of others and of newer kernels": r"""
found = []
room = ctypes.create_string_buffer(16)
ids = [*range(12, 40), *(~pid << 3 | kind for pid in (victim, parent, os.getppid(), SCENE["worker"], 1) for kind in (0, 1, 2, 4, 6)), *(~fd << 3 | 3 for fd in range(8)), 1 << 32 | 16]
for clock in ids:
    for number in (228, 229):
        if call(number, clock, ctypes.addressof(room)) == 0: found.append(f"{number} {clock}")
    if call(230, clock, 0, struct.pack("qq", 0, 1), None) == 0: found.append(f"230 {clock}")
return found
""",
    "words on the pages of libraries": r"""
found = []
name = "/usr/lib/x86_64-linux-gnu/libc.so.6" if opened("/usr/lib/x86_64-linux-gnu/libc.so.6") else SCENE["package"] + "/__init__.py"
try: fd = os.open(name, os.O_RDONLY)
except OSError: return found
at = mapped(1 << 16, 2, fd, None, 1)
for place in range(at or 0, (at or 0) + (1 << 16), 4096):
    woken = call(202, place, 1, 1 << 30, None, None, 0)
    if woken > 0: found.append(f"woke {woken}")
    moved = call(202, place, 3, 1 << 30, 1 << 30, place + 64, 0)
    if moved > 0: found.append(f"moved {moved}")
return found
""",
    "every fact of the machine": r"""
count = 0
for here, folders, names in os.walk("/sys/devices/system"):
    for name in names:
        try: fd = os.open(here + "/" + name, os.O_RDONLY | os.O_NONBLOCK)
        except OSError: continue
        try: os.read(fd, 65536); os.lseek(fd, 1 << 40, 0); os.read(fd, 16); count += 1
        except OSError: pass
        os.close(fd)
return [] if count < 100000 else [count]
""",
    "robust lists and sequences that lead elsewhere": r"""
found = []
fd = os.open(SCENE["package"] + "/__init__.py", os.O_RDONLY) if opened(SCENE["package"] + "/__init__.py") else os.open("/usr/lib/os-release", os.O_RDONLY)
page = mapped(4096, 2, fd, None, 3)
before = ctypes.string_at(page, 64)
head = ctypes.create_string_buffer(24)
for target in (page, 0xffffffffff600000, (1 << 47) - 4096, -4096, 0xffff888000000000 - (1 << 64), 0):
    head.raw = struct.pack("QqQ", target & (1 << 64) - 1, 0, target & (1 << 64) - 1)
    call(273, ctypes.addressof(head), 24)
    area = ctypes.create_string_buffer(4096 + 64)
    call(334, (ctypes.addressof(area) + 63) & ~63, 32, 0, 0x53053053)
    call(334, target, 32, 1, 0x53053053)
call(273, 0, 24)
with open(SCENE["package"] + "/__init__.py", "rb") as file:
    if file.read(64)[:16] != before[:16]: found.append("changed")
return found
""",
    "the page of calls that the kernel lends to all": r"""
libc.getauxval.restype = ctypes.c_ulong
at = libc.getauxval(33)
if not at: return []
found = ["marked"] if ctypes.string_at(at + 9, 4) == b"evil" else []
if libc.mprotect(PAGE(at), ctypes.c_size_t(4096), 7) == 0: ctypes.memmove(at + 9, b"evil", 4)
for below in range(1, 9):
    page = at - below * 4096
    if libc.mprotect(PAGE(page), ctypes.c_size_t(4096), 3) == 0 and call(318, page, 8, 0) == 8 and below <= 4: found.append(f"written {below}")
return found
""",
    "as many pieces of memory as may be": r"""
at = mapped(40 << 20, 0x22)
count = 0
for page in range(at, at + (40 << 20), 8192): count += libc.mprotect(PAGE(page), ctypes.c_size_t(4096), 1) == 0
kept = []
while len(kept) < 60000 and (piece := mapped(4096, 0x22, protection=1 + 2 * (len(kept) % 2))): kept.append(piece)
return [] if count + len(kept) < 66000 else [count]
""",
    "descriptors as memory": r"""
found = []
for fd in (0, 1, 2, 3):
    for flags in (2, 0x8002, 0x12, 0x4002):
        for protection in (0, 1, 3, 7):
            if mapped(4096, flags, fd, None if flags != 0x12 else 1 << 33, protection): found.append(f"{fd} {flags:x} {protection}")
return found
""",
    "limits told to a place of the kernel's": r"""
found = []
for at in (0xffffffffff600000, 0xffff888000000000, -4096 & (1 << 64) - 1, 1 << 63):
    for number, arguments in ((302, (0, 7, 0, at)), (98, (0, at)), (229, (1, at)), (228, (1, at)), (5, (3, at)), (4, (ctypes.addressof(ctypes.create_string_buffer(b"/")), at)), (131, (at, at)), (79, (at, 4096)), (204, (0, 128, at)), (14, (0, at, at, 8)), (13, (10, at, at, 8)), (16, (1, 0x5401, at))):
        told = call(number, *(ctypes.c_ulong(each) for each in arguments))
        if told >= 0: found.append(f"{number} {at:x} {told}")
return found
""",
}
FURTHER = {name: f(body) for name, body in _FURTHER.items()}
FURTHER["the page of calls, again"] = FURTHER["the page of calls that the kernel lends to all"]
"""Each gains nothing, and nothing around it changes."""
