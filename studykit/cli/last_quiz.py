"""The learner's last quiz, in a side file, so that its feedback can be read again."""

import json
from pathlib import Path
from typing import Any

from studykit.errors import NotFoundError
from studykit.store.address import write_side_file

_LARGEST = 20_000_000  # bytes


def keep(path: Path, document: dict[str, object]) -> None:
    """Keep a quiz as the last one; StudyError where it cannot be written."""
    write_side_file(path, json.dumps(document).encode())


def read(path: Path) -> dict[str, Any]:
    """The last quiz; NotFoundError where none was kept."""
    try:
        with path.open(encoding="utf-8") as file:
            document = json.loads(file.read(_LARGEST))
    except (OSError, ValueError, RecursionError):
        document = None
    if not isinstance(document, dict) or not isinstance(document.get("questions"), list):
        raise NotFoundError("no quiz was taken here yet; begin one: study quiz")
    return document
