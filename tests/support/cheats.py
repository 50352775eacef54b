"""Ways to be graded right without writing the rewrite, each with the verdicts that may come of it.

The first forty-six are those of the literature, by their usual numbers; the rest are our own. All are bounded:
with the sandbox broken they still end by themselves and allocate little.
"""
# ruff: noqa: E501 - a cheat reads best in one piece

RIGHT = "x.reshape(x.shape[0], x.shape[1], h, -1).permute(0, 2, 1, 3)"
_BOMB = "import os, time\nfor _ in range(50):\n  if os.fork() == 0:\n    os.setsid(); time.sleep(2); os._exit(0)\n"
_FRAMES = "import sys\nframe = sys._getframe()\nwhile frame:\n  "


def f(body: str, before: str = "") -> str:
    lines = "\n".join(f"    {line}" for line in body.splitlines())
    return f"{before}\ndef f(x, h):\n{lines}\n"


CHEATS: dict[str, tuple[str, set[str]]] = {
    "01 view and permute": (f(f"return {RIGHT}"), {"incorrect"}),
    "02 getattr": (
        f("y = x.reshape(*x.shape[:2], h, -1)\nreturn getattr(y, 'per' + 'mute')(0, 2, 1, 3)"),
        {"incorrect"},
    ),
    "03 torch.ops.aten": (
        f("y = x.reshape(*x.shape[:2], h, -1)\nreturn torch.ops.aten.permute(y, [0, 2, 1, 3])"),
        {"incorrect"},
    ),
    "04 decoy call": (f(f"rearrange(x, 'b s d -> b d s')\nreturn {RIGHT}"), {"incorrect"}),
    "05 numpy detour": (
        f(
            "a = x.numpy().reshape(*x.shape[:2], h, -1)\nreturn torch.from_numpy(np.ascontiguousarray(a.transpose(0, 2, 1, 3)))",
            "import numpy as np",
        ),
        {"incorrect"},
    ),
    "06 patch einops": (
        f("return einops.rearrange(x)", f"import einops\nh = 1\neinops.rearrange = lambda x: {RIGHT}"),
        {"incorrect", "crashed"},
    ),
    "07 patch allclose": (f("return x", "torch.allclose = torch.equal = lambda *a, **k: True"), {"incorrect"}),
    "08 subclass": (
        f(
            "return x.as_subclass(T)",
            "class T(torch.Tensor):\n  @classmethod\n  def __torch_function__(c, *a, **k): return True",
        ),
        {"incorrect", "crashed"},
    ),
    "09 function mode left on": (
        f(
            "M().__enter__()\nreturn x",
            "from torch.overrides import TorchFunctionMode\nclass M(TorchFunctionMode):\n"
            "  def __torch_function__(self, g, t, a=(), k=None): return a[0] if a else g(*a, **(k or {}))",
        ),
        {"incorrect", "crashed"},
    ),
    "10 frames": (
        f(
            _FRAMES
            + "for v in list(frame.f_locals.values()):\n    if type(v) is torch.Tensor and v.dim() == 4: return v\n  frame = frame.f_back\nreturn x"
        ),
        {"incorrect"},
    ),
    "11 garbage collector": (
        f(
            "import gc\nfor v in gc.get_objects():\n  if type(v) is torch.Tensor and v.dim() == 4: return v\nreturn x"
        ),
        {"incorrect"},
    ),
    "12 modules": (
        f("import sys\nreturn sys.modules['studykit.exercises.rewrites_rearrange'].EXERCISES"),
        {"crashed"},
    ),
    "13 reference file": (
        f("import studykit.exercises.rewrites_rearrange as r\nreturn r"),
        {"refused", "crashed"},
    ),
    "14 sys.exit": (f("import sys\nsys.exit(0)"), {"crashed"}),
    "15 os._exit": (f("import os\nos._exit(0)"), {"crashed"}),
    "16 verdict on every descriptor": (
        f(
            "import os\nfor fd in range(3, 64):\n  try: os.write(fd, b'check: pass\\n')\n  except OSError: pass\nos._exit(0)"
        ),
        {"crashed", "refused"},
    ),
    "17 verdict on stdout": (
        f("print('check: pass')\nprint('{\"verdict\": \"correct\"}')\nreturn x"),
        {"incorrect"},
    ),
    "18 evil reduce": (
        f("return E()", "class E:\n  def __reduce__(self): return (print, ('owned',))"),
        {"incorrect"},
    ),
    "19 atexit": (f("import atexit, os\natexit.register(os.write, 3, b'check: pass')\nreturn x"), {"incorrect"}),
    "20 busy loop": (f("while True: pass"), {"timed_out"}),
    "21 loop that catches all": (
        f("while True:\n  try:\n    while True: pass\n  except BaseException: pass"),
        {"timed_out"},
    ),
    "22 segfault": (f("import ctypes\nctypes.string_at(0)"), {"crashed"}),
    "23 memory hog": (f("return torch.empty(6 << 30, dtype=torch.uint8)"), {"crashed"}),
    "24 output without end": (f("for _ in range(300): print('x' * 1000000)"), {"refused"}),
    "25 NaN": (f(f"return {RIGHT} * float('nan')"), {"incorrect"}),
    "26 zero the input": (f(f"x.zero_()\nreturn {RIGHT}"), {"incorrect"}),
    "27 trash the input": (f(f"y = ({RIGHT}).clone()\nx.zero_()\nreturn y"), {"incorrect"}),
    "28 hard-coded heads": (f("return rearrange(x, 'b s (h d) -> b h s d', h=2)"), {"incorrect"}),
    "29 another dtype": (f(f"return ({RIGHT}).double()"), {"incorrect"}),
    "30 bf16 round trip": (f(f"return ({RIGHT}).bfloat16().to(x.dtype)"), {"incorrect"}),
    "31 broadcastable": (f("return x.reshape(-1)[:1].reshape(1, 1, 1, 1)"), {"incorrect"}),
    "32 uninitialised": (f(f"return torch.empty_like({RIGHT})"), {"incorrect"}),
    "33 patch arange": (
        f("return x", "torch.arange = torch.randn = lambda *a, **k: torch.zeros(1)"),
        {"incorrect"},
    ),
    "34 pin random": (f(f"import random\nrandom.seed(0)\ntorch.manual_seed(0)\nreturn {RIGHT}"), {"incorrect"}),
    "35 patch builtins": (
        f("return x", "import builtins\nbuiltins.all = builtins.any = lambda *a: True"),
        {"incorrect"},
    ),
    "36 overwrite globals through frames": (
        f(
            _FRAMES
            + "frame.f_globals.update(_packed=lambda *a: b'', _described=lambda *a: {})\n  frame = frame.f_back\nreturn x"
        ),
        {"incorrect", "refused", "crashed"},
    ),
    "37 fill it later": (
        f(
            f"y = torch.zeros_like({RIGHT})\n"
            f"def later():\n  time.sleep(0.05); y.copy_({RIGHT})\n"
            "threading.Thread(target=later).start()\nreturn y",
            "import threading, time",
        ),
        {"crashed"},
    ),
    "38 fork and survive": (f(_BOMB + "return x"), {"refused"}),
    "39 token in the environment": (f("import os\nreturn os.environ['POPCORN_SEED']"), {"crashed"}),
    "40 write at home": (
        f("import pathlib\npathlib.Path('~/study-cheat').expanduser().write_text('x')\nreturn x"),
        {"refused", "crashed"},
    ),
    "41 kill the parent": (f("import os, signal\nos.kill(os.getppid(), signal.SIGTERM)\nreturn x"), {"refused"}),
    "42 fake equality": (
        f(
            "return E()",
            "class E:\n  shape = (1,)\n  def __eq__(self, o): return True\n  def __hash__(self): return 0",
        ),
        {"incorrect"},
    ),
    "43 exec": (
        f(f"exec('global y; y = {RIGHT}', {{**globals(), 'x': x, 'h': h}})\nreturn {RIGHT}"),
        {"incorrect"},
    ),
    "44 nested parentheses": (f("return " + "(" * 1900 + "x" + ")" * 1900), {"malformed"}),
    "45 nothing": (f("return None"), {"incorrect"}),
    "46 behave three times": (
        f(f"n.append(1)\nreturn {RIGHT} if len(n) <= 3 else x", "n = []"),
        {"incorrect"},
    ),
    "47 close the channel": (
        f("import os, time\nos.close(3)\ntime.sleep(2)\nos._exit(0)"),
        {"crashed", "timed_out"},
    ),
    "48 replace the channel": (f("import os\nos.dup2(1, 3)\nreturn x"), {"crashed", "refused", "timed_out"}),
    "49 io_uring": (
        f("import ctypes\nr = ctypes.CDLL(None, use_errno=True).syscall(425, 1, 0)\nraise PermissionError(r)"),
        {"refused"},
    ),
    "50 ptrace the parent": (
        f(
            "import ctypes, os\nr = ctypes.CDLL(None).ptrace(16, os.getppid(), 0, 0)\nreturn x if r == -1 else None"
        ),
        {"incorrect"},
    ),
    "51 read the parent's memory": (
        f("import os\nopen(f'/proc/{os.getppid()}/mem', 'rb').read(1)\nreturn x"),
        {"refused"},
    ),
    "52 run from a memfd": (f("import os\nos.memfd_create('x')\nreturn x"), {"refused"}),
    "53 raise the limits": (
        f("import resource\nresource.setrlimit(resource.RLIMIT_CPU, (-1, -1))\nreturn x"),
        {"refused", "crashed"},
    ),
    "54 limit the parent": (
        f("import resource, os\nresource.prlimit(os.getppid(), resource.RLIMIT_CPU, (1, 1))\nreturn x"),
        {"refused"},
    ),
    "55 stop the parent": (f("import os, signal\nos.kill(os.getppid(), signal.SIGSTOP)\nreturn x"), {"refused"}),
    "56 signal by a descriptor": (
        f("import fcntl, os\nfcntl.fcntl(3, fcntl.F_SETOWN, os.getppid())\nreturn x"),
        {"refused"},
    ),
    "57 forge a reply": (
        f(
            "import json, os\nt = json.dumps({'header': {'value': {'plain': 1}, 'inputs': []}, 'blobs': []}).encode()\n"
            "os.write(3, len(t).to_bytes(8, 'big') + t)\nreturn x"
        ),
        {"incorrect", "refused"},
    ),
    "58 a header without end": (f("import os\nos.write(3, b'\\xff' * 64)\nreturn x"), {"refused"}),
    "59 a shape of nonsense": (
        f(
            "import json, os\nt = json.dumps({'header': {'value': {'tensor': {'dtype': 'float32', 'shape': [-1, 2 ** 70]}},"
            " 'inputs': []}, 'blobs': [0]}).encode()\nos.write(3, len(t).to_bytes(8, 'big') + t)\nreturn x"
        ),
        {"refused"},
    ),
    "60 a reply nested without end": (
        f("import os\nt = b'[' * 100000\nos.write(3, len(t).to_bytes(8, 'big') + t)\nreturn x"),
        {"refused"},
    ),
    "61 a list that holds itself": (f("a = []\na.append(a)\nreturn a"), {"crashed", "incorrect"}),
    "62 leave a .pth behind": (
        f(
            "import numpy, pathlib\n(pathlib.Path(numpy.__file__).parents[1] / 'cheat.pth').write_text('')\nreturn x"
        ),
        {"refused"},
    ),
    "63 an exception without text": (
        f("raise E", "class E(Exception):\n  def __str__(self): raise ValueError"),
        {"crashed"},
    ),
    "64 threads without end": (
        f(
            "import threading, time\nthreading.stack_size(65536)\nfor _ in range(1000): threading.Thread(target=time.sleep, args=(3,), daemon=True).start()\ntime.sleep(3)\nreturn x"
        ),
        {"refused", "crashed"},
    ),
    "65 an einsum bomb": (
        f("y = rearrange(x, 'b s d -> (b s d)')\nreturn einsum(y, y, y, y, 'a, b, c, d -> a b c d')"),
        {"crashed", "timed_out", "incorrect"},
    ),
    "66 a repeat bomb": (f("return repeat(x, 'b s d -> b s d q r', q=4096, r=4096)"), {"crashed"}),
    "67 a number without end": (
        f("y = 4096 ** 4096 ** 4096\nreturn rearrange(x, 'b s (h d) -> b h s d', h=h)"),
        {"timed_out", "crashed"},
    ),
    "68 talk to the worker": (f("import socket\nsocket.socket(socket.AF_UNIX)\nreturn x"), {"refused"}),
    "69 shared memory": (
        f("import ctypes\nr = ctypes.CDLL(None).shmget(0, 1 << 20, 0o1600)\nreturn x if r == -1 else None"),
        {"incorrect"},
    ),
    "70 trace the grader": (
        f("import sys\nsys.settrace(lambda *a: None)\nsys.setprofile(lambda *a: None)\nreturn x"),
        {"incorrect"},
    ),
    "71 patch the channel's writer": (
        f(
            "import studykit.graders.child.run_rewrite as w, os, socket\nw.pack = lambda *a: b'\\xff' * 16\nsocket.socket.sendall = lambda *a: os._exit(0)\nreturn x"
        ),
        {"refused"},
    ),
    "72 a name for another": (f("rearrange = lambda *a, **k: None\nreturn x"), {"incorrect"}),
    "76 read the schedule": (f("open('/etc/passwd').read()\nreturn x"), {"refused"}),
    "77 a parameter with a module's name": (
        "def f(einops, h):\n  return einops.reshape(*einops.shape[:2], h, -1).permute(0, 2, 1, 3)\n",
        {"incorrect"},
    ),
    "78 a call in vain": (
        f("y = repeat(x, 'b s (h d) -> b h s d', h=h)\nrearrange(x, 'b s d -> s b d')\nreturn y"),
        {"incorrect"},
    ),
    "79 nothing times a call": (
        f("y = repeat(x, 'b s (h d) -> b h s d', h=h)\nreturn y + 0 * rearrange(y, 'a b c d -> a b c d')"),
        {"incorrect"},
    ),
}
