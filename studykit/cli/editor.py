"""Open the learner's editor on a card's deck file, at its line, or on a text."""

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
    """Return the editor's command line: STUDYKIT_EDITOR, the setting, VISUAL, EDITOR, else nano or vi.

    Raise MissingError if there is none, or if the quotes in its command do not match.
    """
    environ, setting = context.environ, context.section("editor")["command"]
    line = environ.get("STUDYKIT_EDITOR") or setting or environ.get("VISUAL") or environ.get("EDITOR") or ""
    try:
        words = shlex.split(line)
    except ValueError:
        raise MissingError(
            f"The editor {line!r} has an open quote. Set STUDYKIT_EDITOR to a command such as nano."
        ) from None
    if words:
        return words
    for name in _FALLBACKS:
        if path := shutil.which(name):
            return [path]
    raise MissingError("No editor found. Set STUDYKIT_EDITOR to one, such as nano.")


def edit_file(words: list[str], path: Path, line: int = 1) -> bool:
    """Open a file at a line, wait until the editor closes, and return whether the file changed."""
    before = _contents(path)
    name = Path(words[0]).name
    if name in _AT_LINE:
        arguments = [f"+{line}", str(path)]
    elif name in _GOTO:
        arguments = ["--wait", "--goto", f"{path}:{line}"]
    else:
        arguments = [str(path)]
    try:
        result = subprocess.run([*words, *arguments], check=False)  # noqa: S603 - the learner's own editor
    except OSError as error:
        reason = os.strerror(error.errno) if error.errno else str(error)
        raise MissingError(
            f"The editor {words[0]!r} does not start ({reason}). Set STUDYKIT_EDITOR to another."
        ) from None
    if result.returncode:
        raise MissingError(
            f"The editor {words[0]!r} failed (exit code {result.returncode}). Try again, or set "
            "STUDYKIT_EDITOR to another."
        )
    return _contents(path) != before


def _contents(path: Path) -> bytes:
    """Read the edited file, even through a link. Raise MissingError if it is no longer a readable file."""
    return read_named(path, _MAX_EDITED_BYTES, "Put a readable file there.", MissingError)


def edit_text(words: list[str], text: str, suffix: str) -> str | None:
    """Open the editor on a text, and return the new text, or None if unchanged."""
    with tempfile.TemporaryDirectory(prefix="study-") as folder:
        path = Path(folder) / f"answer{suffix}"
        path.write_text(text, encoding="utf-8")
        is_changed = edit_file(words, path)
        if not is_changed:
            return None
        return _contents(path).decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n")


def edit_card(context: Context, card: Card) -> tuple[Card | None, str]:
    """Open the editor on a card. Return the card as it is then, or None if it is gone, and a message."""
    try:
        words = chosen(context)
        path = context.collection.editable(card)
        if not _edit_deck(context, words, path, card):
            return card, "nothing was changed"
        before = {each.id for each in context.store.cards.all(path=card.path)}
        changes = context.collection.refresh()
    except (StudyError, OSError) as error:
        return card, str(error)
    after, message = _card_after(context.store, card, before, str(path))
    problem = next((problem for problem in changes.problems if Path(problem.path) == path), None)
    if problem is not None and (after is None or after.content_hash == card.content_hash):
        return card, f"{problem} (e edits again)"
    return after, message


def _edit_deck(context: Context, words: list[str], path: Path, card: Card) -> bool:
    """Edit a deck, and return whether it changed. If not, remove the copy made of a shipped deck."""
    is_changed = False
    try:
        is_changed = edit_file(words, path, card.line)
    finally:
        if not is_changed:
            context.collection.remove_unedited()
    return is_changed


def _card_after(store: Store, card: Card, before: set[CardId], path: str) -> tuple[Card | None, str]:
    """Return the edited card, found by its id or as the new card nearest to its line, and a message."""
    if (card_now := store.cards.present(card.id)) is not None:
        return card_now, "edited, progress kept"
    new_cards = [each for each in store.cards.all(path=path) if each.id not in before]
    candidate = min(new_cards, key=lambda each: (abs(each.line - card.line), each.id), default=None)
    if candidate is None:
        return None, "the card is gone from its deck"
    is_known = store.schedule.memory(candidate.id) is not None
    return candidate, "edited, progress kept" if is_known else "edited: it reads as a new card"
