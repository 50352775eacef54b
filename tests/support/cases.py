"""Load test cases from JSON files of `tests/data`, one for each row, named if the file gives names."""

import json
from pathlib import Path
from typing import Any

import pytest

DATA = Path(__file__).parents[1] / "data"


def cases(name: str) -> list[Any]:
    """Return the rows of `tests/data/NAME.json` for a parametrized test."""
    rows = json.loads((DATA / f"{name}.json").read_text("utf-8"))
    pairs = rows.items() if isinstance(rows, dict) else ((None, row) for row in rows)
    return [pytest.param(*(row if isinstance(row, list) else [row]), id=name) for name, row in pairs]
