"""Answers that were begun at cards and exercises and are not given yet, kept in a side file.

A kill leaves no time to write, so a draft is written in the pauses of typing, and never into the log.
"""

from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

_MAX_DRAFTS = 50  # drafts; the oldest go first


class TypedDrafts:
    """The drafts of one learner."""

    def __init__(self, path: "Path", learner: str) -> None:
        """Read the drafts of a side file, which holds those of all learners of its database."""
        self._path = path
        self._learner = learner
        self._all = _read(self._path)
        self._unfinished: set[str] = set()

    @property
    def unfinished(self) -> bool:
        """Return whether something was typed in this process and not given as an answer."""
        return bool(self._unfinished)

    def of(self, place: str) -> str:
        """Return what was typed at a place and not given as an answer, or ""."""
        return self._all.get(self._learner, {}).get(place, "")

    def newest(self, start: str) -> str:
        """Return the place with this prefix where something was typed last, or ""."""
        return next((place for place in reversed(self._all.get(self._learner, {})) if place.startswith(start)), "")

    def keep(self, place: str, text: str) -> None:
        """Remember what is typed at a place, replacing what was. An empty text is forgotten."""
        (self._unfinished.add if text else self._unfinished.discard)(place)
        if text == self.of(place):
            return
        self._all = _read(self._path)  # another session may have written meanwhile
        own = {key: draft for key, draft in self._all.get(self._learner, {}).items() if key != place}
        own |= {place: text} if text else {}
        self._all[self._learner] = dict(list(own.items())[-_MAX_DRAFTS:])
        with suppress(OSError):  # a folder that cannot be written costs the draft, not the session
            self._write()

    def _write(self) -> None:
        from json import dumps

        from studykit.ordinary_file import make_folder, write_fresh

        if not any(self._all.values()):
            self._path.unlink(missing_ok=True)
            return
        make_folder(self._path.parent, 0o700)
        part = self._path.with_name(f"{self._path.name}.part")
        write_fresh(part, dumps(self._all).encode(), mode=0o600)
        part.replace(self._path)


def _read(path: "Path") -> dict[str, dict[str, str]]:
    """Return drafts by learner and place, none if the file is missing or not ours."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, ValueError):
        return {}
    from json import loads

    try:
        document = loads(text)
        return {
            str(learner): {str(place): str(typed) for place, typed in drafts.items()}
            for learner, drafts in document.items()
        }
    except (ValueError, AttributeError, RecursionError):
        return {}
