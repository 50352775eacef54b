"""Run the pages' scripts in V8, the engine of Chromium, without a page."""

import json
from typing import Any

from py_mini_racer import MiniRacer

from studykit.html import assets

LIMIT_S = 20


class PageScript:
    """Run some of the scripts in `studykit/html/static` between JavaScript of a test."""

    def __init__(self, *files: str, before: str = "", after: str = "") -> None:
        self._engine = MiniRacer()
        self._engine.eval(before + "".join(map(assets.source, files)) + after, timeout_sec=LIMIT_S)

    def value(self, script: str) -> Any:  # noqa: ANN401 - JSON
        """Return the value of the script's last line, an expression, or None for undefined."""
        before, _, last = script.strip().rpartition("\n")
        text = self._engine.eval(
            f"{{ {before}\nJSON.stringify({last.strip().rstrip(';')} ?? null) }}", timeout_sec=LIMIT_S
        )
        return json.loads(str(text))

    def call(self, function: str, *values: object) -> Any:  # noqa: ANN401 - JSON
        """Call a function with arguments sent as JSON, and return its value."""
        return self.value(f"{function}({', '.join(map(json.dumps, values))})")
