"""The learner's side of an exercise below the shell's prompt: nothing that was shown is ever taken away."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from typing import TYPE_CHECKING

from studykit.terminal.input.line_editor import (
    AS_LEFT,
    END_OF_INPUT,
    LineBuffer,
    LineDraft,
    read_choice,
    read_line,
    reply_to,
    seed_begun,
)
from studykit.terminal.input.tty import Terminal
from studykit.terminal.markdown.inline import Notation
from studykit.terminal.mode import Style
from studykit.terminal.notice import late_notice
from studykit.terminal.screen import WIDEST
from studykit.terminal.screen_ui import (
    Editor,
    ExercisePage,
    MarkdownPart,
    PicturePart,
    choices_line,
    commands_line,
    drawn,
    value_rows,
)
from studykit.terminal.spans import (
    Span,
    StyledLine,
    TextStyle,
    clean,
    line,
    paint,
    painted,
    width,
    with_verdicts,
    wrap,
)
from studykit.ui import Line, Reply, RunPosition, Seeded

if TYPE_CHECKING:
    from studykit.picture import Picture
    from studykit.review.review_store import Drafts


class InlineUi:
    """Words and pictures printed one below the other."""

    def __init__(
        self,
        terminal: Terminal,
        style: Style,
        notation: Notation,
        editor: Editor,
        drafts: "Drafts | None" = None,
    ) -> None:
        self._terminal = terminal
        self._style = style
        self._notation = notation
        self._editor = editor
        self._worked = False  # since the learner was asked last
        self._drafts = drafts
        self._line = LineDraft()
        self.page = ExercisePage()
        self.news: Callable[[int], Sequence[StyledLine]] = lambda _: ()  # what was done before the exercise

    @property
    def width(self) -> int:
        """Columns to draw in."""
        return min(self._terminal.size()[0], WIDEST) - 1

    def show(
        self, markdown: str, *, title: str = "", place: RunPosition | None = None, seeded: Seeded | None = None
    ) -> None:
        """Print a question under its title."""
        self.page = ExercisePage(title, place, seeded=seeded)
        said = [Span(clean(place.said))] if place is not None and place.said else []
        self.put([with_verdicts(row) for row in wrap(said, self.width)] if said else self.news(self.width))
        title += f"   {place.of - place.done} left" if place is not None else ""
        self.put([(), line(clean(title), TextStyle.BOLD), ()] if title else [()])
        self._add(MarkdownPart(markdown))
        if place is not None and place.values:
            self.put([*value_rows(place.values, self.width, len(place.values)), ()])

    def begun(self, name: str) -> int | None:
        """The seed of a question at which a line was begun."""
        return seed_begun(self._drafts, name)

    def tell(self, markdown: str) -> None:
        """Print words."""
        self._add(MarkdownPart(markdown))

    def draw(self, picture: "Picture") -> None:
        """Print a picture."""
        self._add(drawn(picture, self.width, ascii=self._style.ascii))

    def read(
        self, label: str, commands: Mapping[str, str], *, history: Sequence[str] = (), lines: bool = False
    ) -> Reply:
        """A line typed below everything."""
        self._worked = False
        self._line = LineDraft(self._drafts, self.page.line(label))
        history = self.page.walked(history)
        while True:
            self.put(wrap(commands_line(commands), self.width))
            left = self._line.text
            self.put([line(AS_LEFT)] if left else [])
            with self.own_line():
                text = read_line(
                    self._terminal.keys,
                    partial(self.draft, f"{label}> "),
                    commands,
                    history=history,
                    leave=END_OF_INPUT,
                    draft=left,
                    keep=self._line.keep,
                    lines=lines,
                )
            self._line.end(text or "")
            reply = reply_to(text, commands)
            if not isinstance(reply, str):
                self.page.typed += [reply.text] if isinstance(reply, Line) and reply.text else []
                return reply
            self.put(wrap([Span(clean(reply))], self.width))
            history = (*history, text or "")

    @contextmanager
    def own_line(self) -> Iterator[None]:
        """End the line that is typed, by Ctrl-C too: what comes next begins below it."""
        try:
            yield
        finally:
            self._terminal.write("\r\n")

    def draft(self, prompt: str, draft: LineBuffer) -> None:
        """Draw the line that is being typed over itself."""
        before, after = draft.shown.seen(max(4, self.width - len(prompt) - 2))
        back = width(line(after))
        text = paint(line(prompt + before + after), colour=False, ascii=self._style.ascii)
        self._terminal.write(f"\r\x1b[K{text}" + (f"\x1b[{back}D" if back else ""))

    def choose(self, question: str, options: Sequence[tuple[str, str]]) -> str | None:
        """One key press; the options are printed once. A key pressed while the program worked chooses nothing."""
        if self._worked:
            self._terminal.keys.forget()
        self._worked = False
        words = dict(options)
        asked = wrap([Span(clean(question))], self.width) if question else []
        self.put([*asked, *wrap(choices_line(words), self.width)])
        return read_choice(self._terminal.keys, lambda: None, words)

    def busy(self, doing: str) -> AbstractContextManager[None]:
        """Say what is being done on a line that is wiped afterwards."""
        self._worked = True
        write = self._terminal.write
        return self._line.judged(late_notice(lambda: write(f"{clean(doing)} ..."), lambda: write("\r\x1b[K")))

    def edit(self, text: str, *, suffix: str = ".py") -> str | None:
        """The text after the editor has closed."""
        with self._terminal.away():
            return self._editor(text, suffix)

    def put(self, lines: Sequence[StyledLine]) -> None:
        """Print lines that are laid out already."""
        self._terminal.write(painted(lines, colour=self._style.colour, ascii=self._style.ascii))

    def _add(self, part: MarkdownPart | PicturePart) -> None:
        self.page.parts.append(part)
        body = part.lines(self.width - 2, self._notation)
        self.put([*((Span("  "), *spans) if spans else () for spans in body), ()])
