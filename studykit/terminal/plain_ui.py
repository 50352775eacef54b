"""Ask an exercise in plain lines, for screen readers, dumb terminals, pipes and CI."""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
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
_COLUMN = re.compile(" {2,}")  # which are read aloud as nothing


class PlainUi:
    """Print each part as a labeled line, and read lines that end with Enter. Nothing is redrawn."""

    def __init__(
        self,
        source: TextIO,
        sink: TextIO,
        notation: Notation,
        editor: "Editor",
        idle: Callable[[], None] = lambda: None,
    ) -> None:
        """Set up reading and printing. `idle` is called each time before waiting for a line."""
        self._source = source
        self._sink = sink
        self._notation = notation
        self._editor = editor
        self._idle = idle
        self._last_commands: Collection[str] = ()  # as printed last
        self._beside: set[tuple[str, str]] = set()  # keys that were printed already
        self._message_rows: list[str] = []  # since the question, not to be repeated above the next one
        self._is_answered = False

    @property
    def width(self) -> int:
        """Return the columns to draw in. Lines are never wrapped."""
        return _WIDE

    def show(
        self, markdown: str, *, title: str = "", place: RunPosition | None = None, seeded: Seeded | None = None
    ) -> None:
        """Print the last result, then a question with its title and the values of earlier steps."""
        if place is not None and place.last_result and clean(place.last_result) not in self._message_rows:
            self.say(f"{clean(place.last_result).rstrip('.')}.")
        self._message_rows, self._is_answered = [], False
        if title:
            noun, count = "Exercise", ""
            if place is not None:
                noun, count = place.noun, f". {place.of - place.done} left{place.after}."
            self.say(f"{noun}: {clean(title)}{count}")
        self.words("Question", markdown)
        for name, value in place.values if place is not None else ():
            self.say(f"Yours, {name}: {clean(value)}")

    def tell(self, markdown: str, *, label: str = "") -> None:
        """Print text. Skip a second labeled text, because a question with its gap filled repeats the answer."""
        if label:
            if not self._is_answered:
                self.words(label, markdown)
            self._is_answered = True
            return
        rows = plain_lines(markdown, self._notation)
        self._message_rows += rows
        for row in rows:
            self.say(row)

    def draw(self, picture: "Picture") -> None:
        """Print a description of the picture."""
        from studykit.terminal.pictures.painted import sentence

        self.tell(sentence(picture))

    def read(
        self, label: str, commands: Mapping[str, str], *, history: Sequence[str] = (), lines: bool = False
    ) -> Reply:
        """Read a line as an answer or a command, after printing the commands if they changed."""
        visible = shown_commands(commands)
        if visible.keys() != self._last_commands:
            self._last_commands = visible.keys()
            words = (f":{word}" if key else f"Enter {word}" for key, word in visible.items())
            self.say(f"Commands: {', '.join(words)}. :help repeats them.")
        while isinstance(reply := reply_to(self.ask(label), commands), str):
            self.say(reply)
        return reply

    def page(self, lines: Sequence[str]) -> None:
        """Print the lines that are not empty."""
        for words in filter(None, map(str.strip, lines)):
            self.say(_COLUMN.sub(": ", clean(words), count=1))

    def choose(
        self, question: str, options: Sequence[tuple[str, str]], beside: Sequence[tuple[str, str]] = ()
    ) -> str | None:
        """Return the key of an option, typed as its key or the beginning of its word, or None to leave."""
        new_keys = [pair for pair in beside if pair not in self._beside]
        self._beside.update(new_keys)
        self.say(" ".join(filter(None, [clean(question), _keys_in_words(options), _keys_in_words(new_keys)])))
        all_options = [*options, *beside]
        keys = [key for key, _ in all_options]
        while (text := self.ask()) is not None:
            word = text.strip().lower().removeprefix(":")
            if word == "help" and (help_key := next((key for key, name in all_options if name == "keys"), "")):
                return help_key
            if (exact := next((key for key in (text.strip(), word) if key in keys), None)) is not None:
                return exact
            matches = [key for key, name in all_options if word and name.lower().startswith(word)]
            if len(matches) == 1:
                return matches[0]
            if word == LEAVE:
                return None
            self.say(f"{clean(text.strip()) or 'An empty line'} is not a choice. {_keys_in_words(all_options)}")
        return None

    def scroll(self, key: str) -> None:
        """Do nothing, because printed lines stay in the terminal."""

    def busy(self, doing: str) -> AbstractContextManager[None]:
        """Show nothing, because a printed line cannot be erased."""
        return nullcontext()

    def edit(self, text: str) -> str | None:
        """Return the text as edited, or None if it is unchanged or there is no editor."""
        return self._editor(text)

    def away(self) -> AbstractContextManager[None]:
        """Do nothing: a plain run has no screen to restore."""
        return nullcontext()

    def words(self, label: str, markdown: str) -> None:
        """Print Markdown after a label."""
        rows = plain_lines(markdown, self._notation) or [""]
        self.say(f"{label}: {rows[0]}")
        for row in rows[1:]:
            self.say(row)

    def say(self, text: str) -> None:
        """Print one line at once."""
        self._sink.write((in_ascii(text) if self._notation.ascii else text) + "\n")
        self._sink.flush()

    def ask(self, label: str = "") -> str | None:
        """Read one line without its end, or None at the end of the input."""
        self._sink.write(f"{label}> ")
        self._sink.flush()
        self._idle()
        try:
            text = self._source.readline()
        except (OSError, UnicodeDecodeError):  # the terminal is gone, or what came is not text
            return None
        if not text:
            self._sink.write("\n")
            return None
        return text.rstrip("\r\n")


def _keys_in_words(pairs: Sequence[tuple[str, str]]) -> str:
    """Format keys and their words as sentences. A word that ends with a comma is continued by the next one."""
    labels = [
        (key.strip().replace("space", "") or "Enter", word.replace("= ", "means ")) for key, word in pairs if word
    ]
    return " ".join(f"{key} {word}" if word[-1] in ",." else f"{key} {word}." for key, word in labels)
