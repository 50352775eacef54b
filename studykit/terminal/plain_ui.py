"""The learner's side of an exercise in plain lines: for screen readers, dumb terminals, pipes and CI."""

from collections.abc import Collection, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, TextIO

from studykit.terminal.glyphs import in_ascii
from studykit.terminal.input.line_editor import LEAVE, reply_to, shown_commands
from studykit.terminal.markdown.inline import Notation
from studykit.terminal.markdown.render import plain_lines
from studykit.terminal.spans import clean
from studykit.ui import Reply, RunPosition, Seeded

if TYPE_CHECKING:
    from studykit.picture import Picture
    from studykit.terminal.screen_ui import Editor

_WIDE = 78


class PlainUi:
    """Each thing is a labeled line; each input is a line ended by Enter. Nothing is redrawn."""

    def __init__(self, source: TextIO, sink: TextIO, notation: Notation, editor: "Editor") -> None:
        self._source = source
        self._sink = sink
        self._notation = notation
        self._editor = editor
        self._offered: Collection[str] = ()  # the commands that were said last
        self._told: list[str] = []  # lines since the question, which are not said again with the next one

    @property
    def width(self) -> int:
        """Columns to draw in; lines are never wrapped here."""
        return _WIDE

    def show(
        self, markdown: str, *, title: str = "", place: RunPosition | None = None, seeded: Seeded | None = None
    ) -> None:
        """Say a question under its title."""
        if place is not None and place.said and clean(place.said) not in self._told:
            self.say(f"{clean(place.said).rstrip('.')}.")
        self._told = []
        if title:
            self.say(f"Exercise: {clean(title)}" + (f". {place.of - place.done} left." if place else ""))
        self.words("Question", markdown)
        for name, value in place.values if place is not None else ():
            self.say(f"Yours, {name}: {clean(value)}")

    def begun(self, name: str) -> int | None:
        """None: a line that is typed here cannot be seen before it is ended."""
        return None

    def tell(self, markdown: str) -> None:
        """Say more."""
        rows = plain_lines(markdown, self._notation)
        self._told += rows
        for row in rows:
            self.say(row)

    def draw(self, picture: "Picture") -> None:
        """Say what the picture shows."""
        from studykit.terminal.pictures.painted import sentence

        self.tell(sentence(picture))

    def read(
        self, label: str, commands: Mapping[str, str], *, history: Sequence[str] = (), lines: bool = False
    ) -> Reply:
        """The next line of input."""
        offered = shown_commands(commands)
        if offered.keys() != self._offered:
            self._offered = offered.keys()
            words = (f":{word}" if key else f"Enter {word}" for key, word in offered.items())
            self.say(f"Commands: {', '.join(words)}. :help says them again.")
        while isinstance(reply := reply_to(self.ask(label), commands), str):
            self.say(reply)
        return reply

    def choose(self, question: str, options: Sequence[tuple[str, str]]) -> str | None:
        """An option by its key, its number or the beginning of its word, then Enter."""
        if question:
            self.say(clean(question))
        visible = [(key, word) for key, word in options if word]
        for number, (key, word) in enumerate(visible, start=1):
            self.say(f"{number}. {word}" + (f" ({key})" if key.strip() and key != str(number) else ""))
        keys = [key for key, _ in options]
        while (text := self.ask("choice")) is not None:
            answer = text.strip()
            if answer in keys:
                return answer
            if answer.isdecimal() and 1 <= int(answer) <= len(visible):
                return visible[int(answer) - 1][0]
            if answer == LEAVE:
                return None
            matches = [key for key, word in visible if answer and word.lower().startswith(answer.lower())]
            if len(matches) == 1:
                return matches[0]
            self.say(f"Type a number from 1 to {len(visible)}, or q to leave.")
        return None

    def busy(self, doing: str) -> AbstractContextManager[None]:
        """Show nothing: a printed line cannot be erased."""
        return nullcontext()

    def edit(self, text: str, *, suffix: str = ".py") -> str | None:
        """The text after the editor has closed."""
        return self._editor(text, suffix)

    def words(self, label: str, markdown: str) -> None:
        """Say Markdown under a label."""
        rows = plain_lines(markdown, self._notation) or [""]
        self.say(f"{label}: {rows[0]}")
        for row in rows[1:]:
            self.say(row)

    def say(self, text: str) -> None:
        """One line out, at once."""
        self._sink.write((in_ascii(text) if self._notation.ascii else text) + "\n")
        self._sink.flush()

    def ask(self, label: str = "") -> str | None:
        """One line in, without its end; None where no more will come."""
        self._sink.write(f"{label}> ")
        self._sink.flush()
        try:
            text = self._source.readline()
        except (OSError, UnicodeDecodeError):  # the terminal is gone, or what came is not text
            return None
        if not text:
            self._sink.write("\n")
            return None
        return text.rstrip("\r\n")
