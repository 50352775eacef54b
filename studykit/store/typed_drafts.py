"""Save unfinished answers to cards and exercises in a side file, so that a killed session loses little.

A draft is written in pauses of typing, because a killed process cannot write. It never goes into the log.
"""

from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

_MAX_DRAFTS = 50  # the oldest are dropped first


class TypedDrafts:
    """Read and write the drafts of one learner."""

    def __init__(self, path: "Path", learner: str) -> None:
        """Read the drafts in a side file, which holds those of all learners of its database."""
        self._path = path
        self._learner = learner
        self._all = _read(self._path)
        self._unfinished: set[str] = set()

    @property
    def unfinished(self) -> bool:
        """Return whether this process has a draft that was not submitted."""
        return bool(self._unfinished)

    def of(self, place: str) -> str:
        """Return the draft at a place, or ""."""
        return self._all.get(self._learner, {}).get(place, "")

    def newest(self, start: str) -> str:
        """Return the place with this prefix that has the newest draft, or ""."""
        return next((place for place in reversed(self._all.get(self._learner, {})) if place.startswith(start)), "")

    def keep(self, place: str, text: str) -> None:
        """Save the draft at a place, replacing the one before. An empty text removes it."""
        (self._unfinished.add if text else self._unfinished.discard)(place)
        if text == self.of(place):
            return
        # Another session may have written meanwhile.
        self._all = _read(self._path)
        own = {key: draft for key, draft in self._all.get(self._learner, {}).items() if key != place}
        own |= {place: text} if text else {}
        self._all[self._learner] = dict(list(own.items())[-_MAX_DRAFTS:])
        with suppress(OSError):  # if the folder cannot be written, lose the draft and not the session
            self._write()

    def drop(self, start: str) -> None:
        """Remove the drafts at all places with this prefix."""
        for place in [place for place in self._all.get(self._learner, {}) if place.startswith(start)]:
            self.keep(place, "")

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
    """Return drafts by learner and place. Empty if the file is missing or invalid."""
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
