"""The pages of `study help`, one Markdown file each, and the tables in them that the program itself reads."""

import re
from pathlib import Path

PAGES = Path(__file__).parent / "help"
_TABLE = re.compile(r"^([^\n]+)\n+```text\n(.*?)```", re.MULTILINE | re.DOTALL)


def tables(page: str) -> dict[str, dict[str, str]]:
    """The tables of a page by the line above each: every word and what it means."""
    sections = _TABLE.findall((PAGES / f"{page}.md").read_text("utf-8"))
    return {
        title.strip("# :"): dict(re.split(" {2,}", row, maxsplit=1) for row in rows.splitlines())
        for title, rows in sections
    }
