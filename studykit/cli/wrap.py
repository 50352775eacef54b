"""Lines that fit a terminal: broken between words instead of through them, and left alone everywhere else."""

import os

TYPE_CHECKING = False  # typing itself is 5 ms that a shell prompt need not pay
if TYPE_CHECKING:
    from typing import TextIO

_NARROWEST = 20


def fitted(text: str, columns: int | None) -> str:
    """The text with lines of at most `columns`; as it is without a limit, and where words would not fit."""
    if columns is None or columns < _NARROWEST:
        return text
    return "\n".join(broken(line, columns) for line in text.split("\n"))


def broken(line: str, room: int) -> str:
    """One line as several of at most `room` columns; a longer word stays whole: a path is to be copied."""
    if len(line) <= room or "\x1b" in line:
        return line
    import re

    indent = " " * _hanging(line, room)
    start = line[: len(line) - len(line.lstrip())]
    rows, row = [], start
    for gap, word in re.findall(r"(\s*)(\S+(?: %)?)", line[len(start) :]):
        if row.strip() and len(row) + len(gap) + len(word) > room:
            rows.append(row)
            row = indent + word
        else:
            row += gap + word
    return "\n".join([*rows, row])


def _hanging(line: str, room: int) -> int:
    """Where later rows begin: below the line's last column, if that leaves room; else two right of its start."""
    import re

    column = re.match(r"\s*\S.*?\s{2,}(?=\S)", line)
    if column is not None and column.end() <= room // 2:
        return column.end()
    spaces = len(line) - len(line.lstrip())
    return spaces + 2 if spaces else 0


def columns(stream: "TextIO") -> int | None:
    """The columns of the stream's terminal; None where it is none."""
    try:
        return os.get_terminal_size(stream.fileno()).columns if stream.isatty() else None
    except (OSError, ValueError, AttributeError):
        return None
