"""End a run with the exit code that scripts rely on, and one sentence for the learner."""

import errno
import os
import sys
from collections.abc import Callable, Sequence

from studykit.errors import StudyError
from studykit.text import fitted, hide_passwords, printable, terminal_columns

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TextIO

BUG = 70
INTERRUPTED = 130
_UNWRITABLE = {errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EFBIG}
_REFUSED = {errno.ENAMETOOLONG, errno.EACCES, errno.EPERM, errno.ELOOP, errno.EROFS}
_MAX_NAME_CHARACTERS = 60  # characters of a name that the system refuses


def run_program(run: Callable[[Sequence[str]], int], arguments: Sequence[str]) -> int:
    """Call `run` and return its exit code. Errors go to standard error, with a traceback only under `--debug`."""
    debug = "--debug" in arguments or bool(os.environ.get("STUDYKIT_DEBUG"))
    arguments = [word for word in arguments if word != "--debug"]
    _errors_at_exit.clear()
    _open_closed_streams()
    try:
        code = run(arguments)
        sys.stdout.flush()
        return _report_errors(code)
    except StudyError as error:
        if debug:
            import traceback

            sys.stderr.write(hide_passwords(traceback.format_exc()))
        return _report_errors(_report(str(error), error.exit_code, error.command))
    except KeyboardInterrupt:
        return _report("Interrupted. Everything you answered is saved.", INTERRUPTED)
    except BrokenPipeError:
        _quiet_stdout()
        return 1
    except Exception as error:  # noqa: BLE001 - the last stop: a bug becomes a sentence, a saved traceback and code 70
        if isinstance(error, OSError) and error.filename is not None and error.errno in _REFUSED:
            return _report(_refusal(error), 1)
        return (
            _on_full_disk(error) if getattr(error, "errno", None) in _UNWRITABLE else _on_bug(error, debug=debug)
        )
    finally:
        while _closers:
            _closers.pop()()


def close_at_exit(close: Callable[[], object]) -> None:
    """Register a function to call when the verb has ended, even by an error."""
    _closers.append(close)


def report_at_exit(error: StudyError) -> None:
    """Register an error to report after the verb. It sets the exit code unless the verb failed."""
    _errors_at_exit.append(error)


_errors_at_exit: list[StudyError] = []
_closers: list[Callable[[], object]] = []


def _report_errors(code: int) -> int:
    codes = [_report(str(error), error.exit_code, error.command) for error in _errors_at_exit]
    return code or max(codes, default=0)


def _report(message: str, code: int, command: str = "") -> int:
    if command:
        from studykit.cli.console import runnable

        message = message.removesuffix(command) + runnable(command, os.environ)
    line = printable(f"study: {hide_passwords(message)}")
    sys.stderr.write(fitted(line, terminal_columns(sys.stderr)) + "\n")
    return code


def _open_closed_streams() -> None:
    """Replace streams that the shell closed (`study due >&-`), because Python leaves them None."""
    for name in ("stdin", "stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, _null_stream())


def _quiet_stdout() -> None:
    """Point stdout at /dev/null, so that the interpreter's last flush does not complain about a closed pipe."""
    sys.stdout = _null_stream()


def _null_stream() -> "TextIO":
    return open(os.devnull, "r+")  # the interpreter closes it


def _is_folder_removed() -> bool:
    """Return whether the current folder has been removed, so that relative paths lead to nothing."""
    try:
        os.getcwd()
    except FileNotFoundError:
        return True
    return False


def _refusal(error: OSError) -> str:
    """Return the message for a path that the system refuses, which any verb may get."""
    name = os.fsdecode(error.filename)
    short_name = name if len(name) <= _MAX_NAME_CHARACTERS else f"{name[:_MAX_NAME_CHARACTERS]}..."
    return f"{short_name} cannot be used ({error.strerror}). Name another path."


def _on_full_disk(error: Exception) -> int:
    _quiet_stdout()
    why = getattr(error, "strerror", None) or str(error)
    return _report(
        f"The output cannot be written ({why}). Make room and try again; what you answered is saved.", 1
    )


def _on_bug(error: Exception, *, debug: bool) -> int:
    import traceback

    if isinstance(error, FileNotFoundError) and _is_folder_removed():
        return _report("The current folder has been removed. Go to another folder and try again.", 1)

    text = hide_passwords(traceback.format_exc())
    if debug:
        sys.stderr.write(text)
        return BUG
    where = _save_traceback(text)
    return _report(f"This is a bug in studykit. What you answered is saved. Please report {where}", BUG)


def _save_traceback(text: str) -> str:
    """Save a traceback, and return the name of its file, which is the same for the same traceback."""
    import tempfile
    from hashlib import sha256

    number = sha256(text.encode(errors="replace")).hexdigest()[:12]
    name = os.path.join(tempfile.gettempdir(), f"study-{os.getuid() if hasattr(os, 'getuid') else 0}-{number}.txt")
    try:
        descriptor = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)  # O_EXCL follows no link
    except OSError:
        return name
    with os.fdopen(descriptor, "w", encoding="utf-8", errors="replace") as file:
        file.write(text)
    return name
