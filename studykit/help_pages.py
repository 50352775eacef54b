"""Find the pages of `study help`, and read the tables in them that the program uses."""

import re
from pathlib import Path

PAGES = Path(__file__).parent / "help"
_TABLE = re.compile(r"^([^\n]+)\n+```text\n(.*?)```", re.MULTILINE | re.DOTALL)


def tables(page: str) -> dict[str, dict[str, str]]:
    """Map the title of each table of a page to its rows, from word to meaning."""
    sections = _TABLE.findall((PAGES / f"{page}.md").read_text("utf-8"))
    return {
        title.strip("# :"): dict(re.split(" {2,}", row, maxsplit=1) for row in rows.splitlines())
        for title, rows in sections
    }
