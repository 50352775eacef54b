"""The learner's editor, on a deck file at a line or on a text of our own."""

import os
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path

from studykit.errors import MissingError

_AT_LINE = frozenset(("vi", "vim", "nvim", "nano", "emacs", "emacsclient", "kak", "micro", "joe", "ne", "mg"))
_GOTO = frozenset(("code", "codium", "cursor", "windsurf"))
_FALLBACKS = ("nano", "vi")


def command(environ: Mapping[str, str], setting: str = "") -> list[str]:
    """The editor's command line: STUDYKIT_EDITOR, the setting, VISUAL, EDITOR, else nano or vi."""
    asked = environ.get("STUDYKIT_EDITOR") or setting or environ.get("VISUAL") or environ.get("EDITOR") or ""
    try:
        words = shlex.split(asked)
    except ValueError:
        raise MissingError(
            f"the editor {asked!r} has an open quote; set EDITOR to a command such as nano."
        ) from None
    if words:
        return words
    for name in _FALLBACKS:
        if found := shutil.which(name):
            return [found]
    raise MissingError("no editor found; set EDITOR to one, such as nano.")


def edit_file(words: list[str], path: Path, line: int = 1) -> bool:
    """Open a file at a line and wait; True where the file changed."""
    before = path.read_bytes()
    name = Path(words[0]).name
    if name in _AT_LINE:
        arguments = [f"+{line}", str(path)]
    elif name in _GOTO:
        arguments = ["--wait", "--goto", f"{path}:{line}"]
    else:
        arguments = [str(path)]
    try:
        done = subprocess.run([*words, *arguments], check=False)  # noqa: S603 - the learner's own editor
    except OSError as error:
        reason = os.strerror(error.errno) if error.errno else str(error)
        raise MissingError(f"the editor {words[0]!r} does not start ({reason}); set EDITOR to another.") from None
    return done.returncode == 0 and path.read_bytes() != before


def edit_text(words: list[str], text: str, suffix: str) -> str | None:
    """The text after the editor has closed; None where it was left as it was."""
    with tempfile.TemporaryDirectory(prefix="study-") as folder:
        path = Path(folder) / f"answer{suffix}"
        path.write_text(text, encoding="utf-8")
        changed = edit_file(words, path)
        return path.read_text(encoding="utf-8", errors="replace") if changed else None
