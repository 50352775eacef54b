"""The learner's editor: on a card's deck file, at its line, in the middle of a review; or on a text of our own."""

import os
import shlex
import shutil
import subprocess
import tempfile
from pathlib import Path

from studykit.cards.card import Card, CardId
from studykit.cli.context import Context
from studykit.errors import MissingError, StudyError
from studykit.ordinary_file import read_named
from studykit.store.store import Store

_AT_LINE = frozenset(("vi", "vim", "nvim", "nano", "emacs", "emacsclient", "kak", "micro", "joe", "ne", "mg"))
_GOTO = frozenset(("code", "codium", "cursor", "windsurf"))
_FALLBACKS = ("nano", "vi")
_MAX_EDITED_BYTES = 1 << 30


def chosen(context: Context) -> list[str]:
    """Return the editor's command line: STUDYKIT_EDITOR, the setting, VISUAL, EDITOR, else nano or vi."""
    environ, setting = context.environ, str(context.section("editor")["command"])
    line = environ.get("STUDYKIT_EDITOR") or setting or environ.get("VISUAL") or environ.get("EDITOR") or ""
    try:
        words = shlex.split(line)
    except ValueError:
        raise MissingError(
            f"The editor {line!r} has an open quote. Set EDITOR to a command such as nano."
        ) from None
    if words:
        return words
    for name in _FALLBACKS:
        if path := shutil.which(name):
            return [path]
    raise MissingError("No editor found. Set EDITOR to one, such as nano.")


def edit_file(words: list[str], path: Path, line: int = 1) -> bool:
    """Open a file at a line, wait, and return whether it changed."""
    before = _contents(path)
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
        raise MissingError(f"The editor {words[0]!r} does not start ({reason}). Set EDITOR to another.") from None
    if done.returncode:
        raise MissingError(
            f"The editor {words[0]!r} failed (exit code {done.returncode}). Nothing was taken over."
        )
    return _contents(path) != before


def _contents(path: Path) -> bytes:
    """Read the file through links, or raise MissingError if something else took its place."""
    return read_named(path, _MAX_EDITED_BYTES, "Put the file back.", MissingError)


def edit_text(words: list[str], text: str, suffix: str) -> str | None:
    """Return the text after the editor has closed, or None if unchanged."""
    with tempfile.TemporaryDirectory(prefix="study-") as folder:
        path = Path(folder) / f"answer{suffix}"
        path.write_text(text, encoding="utf-8")
        changed = edit_file(words, path)
        if not changed:
            return None
        return _contents(path).decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n")


def edit_card(context: Context, card: Card) -> tuple[Card | None, str]:
    """Return the card as it reads after the editor, or None if it is gone, and what to say about it."""
    try:
        words = chosen(context)
        path = context.collection.editable(card)
        if not _edited(context, words, path, card):
            return card, "nothing was changed"
        before = {each.id for each in context.store.cards.all(path=card.path)}
        changes = context.collection.refresh()
    except (StudyError, OSError) as error:
        return card, str(error)
    after, told = _card_after(context.store, card, before, str(path))
    wrong = next((problem for problem in changes.problems if Path(problem.path) == path), None)
    if wrong is not None and (after is None or after.content_hash == card.content_hash):
        return card, f"{wrong} (e edits again)"
    return after, told


def _edited(context: Context, words: list[str], path: Path, card: Card) -> bool:
    """Return whether the learner changed the file. If not, a copy of a shipped deck is removed."""
    changed = False
    try:
        changed = edit_file(words, path, card.line)
    finally:
        if not changed:
            context.collection.remove_unedited()
    return changed


def _card_after(store: Store, card: Card, before: set[CardId], path: str) -> tuple[Card | None, str]:
    """Return the edited card: under its id, or the new card in the same place."""
    if (same := store.cards.present(card.id)) is not None:
        return same, "edited, progress kept"
    fresh = [each for each in store.cards.all(path=path) if each.id not in before]
    near = min(fresh, key=lambda each: (abs(each.line - card.line), each.id), default=None)
    if near is None:
        return None, "the card is gone from its deck"
    is_known = store.schedule.memory(near.id) is not None
    return near, "edited, progress kept" if is_known else "edited: it reads as a new card"
