"""The last quiz, kept beside the database, so that its feedback can be read again."""

import json
from typing import Any

from studykit import paths
from studykit.errors import NotFoundError, StudyError
from studykit.ordinary_file import write_fresh

_LARGEST = 20_000_000  # bytes


def keep(database: str, document: dict[str, object]) -> None:
    """Keep a quiz as the last one; only its learner may read it."""
    path = paths.beside(database, "quiz")
    draft = path.with_name(f"{path.name}.part")
    try:
        write_fresh(draft, json.dumps(document).encode(), mode=0o600)
        draft.replace(path)
    except OSError as error:
        raise StudyError(
            f"{path} cannot be written ({error.strerror}), so this quiz cannot be read again."
        ) from None


def read(database: str) -> dict[str, Any]:
    """The last quiz; NotFoundError where none was kept."""
    path = paths.beside(database, "quiz")
    try:
        with path.open(encoding="utf-8") as file:
            document = json.loads(file.read(_LARGEST))
    except (OSError, ValueError, RecursionError):
        document = None
    if not isinstance(document, dict) or not isinstance(document.get("questions"), list):
        raise NotFoundError("no quiz was taken here yet; begin one: study quiz")
    return document
