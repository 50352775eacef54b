"""A line of input while it is being typed: text, a cursor, and the keys that change them."""

from dataclasses import dataclass

from studykit.terminal.input.keys import Key
from studykit.terminal.spans import clean


@dataclass(frozen=True, slots=True)
class Draft:
    """Text and the place of the cursor in it, from 0 to its length."""

    text: str = ""
    cursor: int = 0

    @classmethod
    def of(cls, text: str) -> "Draft":
        """A draft with the cursor at its end."""
        return cls(text, len(text))


def typed(draft: Draft, key: Key) -> Draft:  # noqa: PLR0911 - one line for each key
    """The draft after one key; keys that mean nothing here change nothing."""
    text, at = draft.text, draft.cursor
    if key.text:
        new = clean(key.text).replace("\n", " ")
        return Draft(text[:at] + new + text[at:], at + len(new))
    match key.name:
        case "backspace":
            return Draft(text[: max(0, at - 1)] + text[at:], max(0, at - 1))
        case "delete":
            return Draft(text[:at] + text[at + 1 :], at)
        case "ctrl-w":
            start = len(text[:at].rstrip().rpartition(" ")[0])
            start += start > 0
            return Draft(text[:start] + text[at:], start)
        case "ctrl-u":
            return Draft(text[at:], 0)
        case "ctrl-k":
            return Draft(text[:at], at)
        case _:
            return Draft(text, _moved(draft, key.name))


def _moved(draft: Draft, name: str) -> int:
    match name:
        case "left" | "ctrl-b":
            return max(0, draft.cursor - 1)
        case "right" | "ctrl-f":
            return min(len(draft.text), draft.cursor + 1)
        case "home" | "ctrl-a":
            return 0
        case "end" | "ctrl-e":
            return len(draft.text)
        case _:
            return draft.cursor


class History:
    """Earlier lines, walked with up and down; what was being typed stays at the bottom."""

    def __init__(self, lines: tuple[str, ...] = ()) -> None:
        self._lines = [*lines, ""]
        self._place = len(lines)

    def walked(self, draft: Draft, name: str) -> Draft:
        """The draft that up or down brings; the same draft for other keys and at the ends."""
        step = {"up": -1, "ctrl-p": -1, "down": 1, "ctrl-n": 1}.get(name, 0)
        place = self._place + step
        if not step or not 0 <= place < len(self._lines):
            return draft
        if self._place == len(self._lines) - 1:
            self._lines[-1] = draft.text
        self._place = place
        return Draft.of(self._lines[place])
