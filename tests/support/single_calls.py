"""Attacks of one line each: single calls and names that no longer attack holds; see `attacks.py`."""
# ruff: noqa: E501 - an attack reads best in one piece

from attacks import f

_SINGLES = {
    "a handler in the place of the channel": r"""passed(('signal fd', call(289, -1, bytes(8), 8, 0)), ('dup3', call(292, 3, 9, 0)), ('dup2', call(33, 3, 9)))""",
    "robust words of others": r"""passed(('get', call(274, victim, bytes(8), bytes(8))), ('get high', call(274, victim | 1 << 32, bytes(8), bytes(8))))""",
    "restartable words in a library": r"""[] if call(334, ctypes.c_long(0x1000), 32, 0, 7) < 0 else ['rseq']""",
    "a clone with a new pid space by words": r"""[n for n in (0x20000011, 0x40000011, 0x2000011, 0x8000011, 0x4000011) if call(56, n, 0, 0, 0, 0) != -1]""",
    "secret memory": r"""passed(('secret', call(447, 0)), ('mrelease', call(448, 3, 0)), ('waitv', call(449, bytes(24), 1, 0, None, 0)), ('mempolicy', call(450, 0, 4096, 0, 0)))""",
    "shadow stacks and seals": r"""passed(('stack', call(453, 0, 4096, 0)), ('mseal', call(462, 0, 4096, 0)), ('wake', call(454, bytes(4), 1, 1, 128)), ('requeue', call(456, bytes(48), 0, 1, 1)))""",
    "attributes by place": r"""passed(*((str(n), call(n, -100, secret.encode(), 0, b'user.a', bytes(16), 16)) for n in (463, 464, 465, 466)))""",
    "trees of mounts": r"""passed(*((str(n), call(n, -100, b'/', 0, 0, 0)) for n in (428, 429, 430, 431, 432, 433, 442, 457, 458, 467)))""",
    "a file by its handle": r"""passed(('name', call(303, -100, secret.encode(), bytes(128), bytes(4), 0)), ('open', call(304, -100, bytes(128), 0)))""",
    "watching files": r"""passed(('inotify', call(294, 0)), ('fanotify', call(300, 0, 0)), ('mark', call(301, 3, 1, 8, -100, b'/')), ('perf', call(298, bytes(128), 0, -1, -1, 0)))""",
    "programs of the kernel": r"""passed(('bpf', call(321, 0, bytes(128), 128)), ('seccomp', call(317, 1, 0, bytes(16))), ('filter', call(157, 22, 2, bytes(16), 0, 0)), ('faults', call(323, 1)))""",
    "memory by pages of others": r"""passed(('advise', call(440, 3, bytes(16), 1, 21, 0)), ('vm read', call(310, SCENE['worker'], bytes(16), 1, bytes(16), 1, 0)), ('getfd', call(438, 3, 3, 0)))""",
    "the processor's own registers": r"""passed(('ldt', call(154, 1, bytes(16), 16)), ('area', call(205, bytes(16))), ('iopl', call(172, 3)), ('ioperm', call(173, 0, 1, 1)), ('gs', call(158, 0x1001, 0)))""",
    "a directory as the root": r"""passed(('chroot', call(161, b'/usr/lib')), ('pivot', call(155, b'/', b'/')), ('fchdir', call(81, 3)), ('chdir', call(80, b'/usr')))""",
    "locks on what is open": r"""[name for name, way in (('flock', lambda: call(73, 3, 2)), ('lockf', lambda: call(72, 3, 37, bytes(32))), ('flock 1', lambda: call(73, 1, 6))) if way() >= 0]""",
    "room on the output": r"""passed(('truncate', call(77, 1, 0)), ('allocate', call(285, 1, 0, 0, 1 << 30)), ('sync', call(74, 1)), ('splice', call(275, 0, None, 1, None, 8, 0)), ('tee', call(276, 0, 1, 8, 0)), ('copy', call(326, 0, None, 1, None, 8, 0)), ('send', call(40, 1, 0, None, 8)))""",
    "its parent asked to end with it": r"""passed(('death', call(157, 1, 9, 0, 0, 0)), ('reaper', call(157, 36, 1, 0, 0, 0)), ('dump', call(157, 4, 1, 0, 0, 0)), ('tracer', call(157, 0x59616d61, -1, 0, 0, 0)), ('keep', call(157, 8, 1, 0, 0, 0)), ('name', call(157, 15, b'x', 0, 0, 0)))""",
    "another user": r"""passed(*((str(n), call(n, 0, 0, 0)) for n in (105, 106, 113, 114, 117, 119, 116, 122, 123, 126)))""",
    "clocks that are set": r"""passed(('set', call(227, 0, bytes(16))), ('day', call(164, bytes(16), None)), ('adjust', call(159, bytes(208))), ('adjust one', call(305, 0, bytes(208))), ('alarm', call(37, 1)), ('timer', call(38, 0, bytes(32), None)), ('timer fd', call(283, 0, 0)))""",
    "waiting for others": r"""passed(('wait4', call(61, victim, None, 1, None)), ('select', call(23, 0, None, None, None, bytes(16))), ('poll', call(7, None, 0, 0)), ('epoll', call(291, 0)), ('aio', call(206, 1, bytes(8))))""",
    "the table of descriptors": r"""passed(('unshare', call(272, 0x400)), ('range', call(436, 3, 3, 2)), ('range closed', call(436, 10, 20, 0)), ('kcmp', call(312, os.getpid(), os.getpid(), 2, 0, 0)))""",
    "memory of the kernel's own": r"""[f'{fd}' for name in ('/dev/mem', '/dev/kmsg', '/dev/fuse', '/dev/kvm', '/dev/net/tun', '/dev/loop-control', '/dev/userfaultfd', '/dev/shm', '/dev/pts/ptmx', '/dev/mqueue', '/dev/tty', '/dev/vhost-net', '/sys/kernel/debug', '/proc/kcore', '/proc/sysrq-trigger') for fd in (opened(name), opened(name, 2)) if fd]""",
    "names with odd bytes": r"""[name for name in (secret + '/', secret + '/.', folder + '//secret', '/usr/lib/' + '../' * 40 + secret[1:], '/proc/self/root' + secret, '/proc/self/cwd' + secret, '/proc/thread-self/root' + secret, '/dev/fd/../../..' + secret) if opened(name) or opened(name, 2)]""",
    "old names of calls that write": r"""[n for n, a in ((85, (secret.encode(), 0o600)), (76, (secret.encode(), 0)), (132, (secret.encode(), None)), (235, (secret.encode(), None)), (261, (-100, secret.encode(), None)), (280, (-100, secret.encode(), None, 0)), (188, (secret.encode(), b'user.a', b'1', 1, 0)), (94, (secret.encode(), 0, 0)), (90, (secret.encode(), 0)), (133, ((folder + '/n').encode(), 0o10600, 0)), (86, (secret.encode(), (folder + '/n').encode())), (88, (b'/etc', (folder + '/n').encode()))) if call(n, *a) not in (-1, -13, -38)]""",
    "the table of calls remapped": r"""passed(('remap pages', call(216, 0, 4096, 0, 0, 0)), ('remap file', call(216, 0, 4096, 0, 1, 0x10000)))""",
}
SINGLE_CALLS = {name: f(f"return {tried}") for name, tried in _SINGLES.items()}
"""Each gains nothing, and nothing around it changes."""
