"""What a freshly forked child does: keep its channel, give the rest up, run its program."""

import importlib
import os
import signal
import socket

from studykit.sandbox import lockdown
from studykit.sandbox.limits import Limits

_CHANNEL, _RULESET = 3, 4


def become_child(request: dict[str, object], channel: int, written: int, ruleset: int | None) -> None:
    """The child: keep the channel, give the rest up, run the program that was asked for; never returns."""
    try:
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        os.setsid()
        lockdown.die_with_parent()
        _keep(channel, written, ruleset)
        device = str(request["device"])
        program = importlib.import_module(f"studykit.graders.child.{request['program']}")
        program.prepare(device, int(str(request["threads"])))
        limits = Limits.from_header(request["limits"])  # type: ignore[arg-type]  # checked by its own keys
        os.environ.clear()
        lockdown.apply(limits, _RULESET if ruleset is not None else None, cuda=device == "cuda")
        program.main(socket.socket(fileno=_CHANNEL))
    except BaseException as error:  # noqa: BLE001 - nothing may unwind into the worker's own loop
        os.write(2, f"{type(error).__name__}: {error}\n".encode())
        os._exit(90)
    os._exit(0)


def _keep(channel: int, written: int, ruleset: int | None) -> None:
    """Descriptors: nothing on 0, output on 1 and 2, the channel on 3, the ruleset on 4, no other."""
    kept = [os.dup2(fd, 100 + place) for place, fd in enumerate((channel, written, ruleset or written))]
    nothing = os.open(os.devnull, os.O_RDONLY)
    for target, fd in ((0, nothing), (1, kept[1]), (2, kept[1]), (_CHANNEL, kept[0]), (_RULESET, kept[2])):
        os.dup2(fd, target, inheritable=False) if target > 2 else os.dup2(fd, target)  # noqa: PLR2004
    os.closerange(5, 4096)
