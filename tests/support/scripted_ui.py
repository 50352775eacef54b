"""Answer an exercise as a learner, with lines that a test wrote."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext

from studykit.picture import Picture
from studykit.terminal.pictures.painted import sentence
from studykit.ui import Command, Line, Quit, Reply, RunPosition, Seeded


class ScriptedUi:
    """Answer from a list, and leave at its end, at a `q` or at a None. Each message is kept."""

    width = 78

    def __init__(self, *script: str | Reply | None, editor: Callable[[str], str | None] = lambda _: None) -> None:
        self.script = list(script)
        self.messages: list[str] = []
        self.places: list[RunPosition | None] = []
        self.histories: list[tuple[str, ...]] = []
        self.lines = False  # whether the newest answer may have several
        self._editor = editor

    @property
    def text(self) -> str:
        """Return all messages as one text."""
        return "\n".join(self.messages)

    def show(
        self, markdown: str, *, title: str = "", place: RunPosition | None = None, seeded: Seeded | None = None
    ) -> None:
        self.messages += [title, markdown]
        self.places.append(place)
        self.seeded = seeded

    def tell(self, markdown: str, *, label: str = "") -> None:
        self.messages.append(f"{label}: {markdown}" if label else markdown)

    def page(self, lines: Sequence[str]) -> None:
        self.messages += lines

    def draw(self, picture: Picture) -> None:
        self.messages.append(sentence(picture))

    def read(
        self, _label: str, commands: Mapping[str, str], *, history: Sequence[str] = (), lines: bool = False
    ) -> Reply:
        self.histories.append(tuple(history))
        self.lines = lines
        reply = self.script.pop(0) if self.script else None
        if reply is None or reply == "q":
            return Quit()
        if not isinstance(reply, str):
            return reply
        return Command(reply) if reply in commands else Line(reply)

    def scroll(self, key: str) -> None:
        """Do nothing, so that every message stays."""

    def away(self) -> AbstractContextManager[None]:
        return nullcontext()

    def choose(
        self, _question: str, _options: Sequence[tuple[str, str]], _beside: Sequence[tuple[str, str]] = ()
    ) -> str | None:
        reply = self.script.pop(0) if self.script else None
        return reply if isinstance(reply, str) else None

    def busy(self, doing: str) -> AbstractContextManager[None]:
        self.messages.append(f"{doing} ...")
        return nullcontext()

    def edit(self, text: str) -> str | None:
        return self._editor(text)


class InterruptedUi(ScriptedUi):
    """Answer from a list, and press Ctrl-C at its end."""

    def read(self, *arguments: object, **named: object) -> Reply:
        if not self.script:
            raise KeyboardInterrupt
        return super().read(*arguments, **named)  # type: ignore[arg-type]
