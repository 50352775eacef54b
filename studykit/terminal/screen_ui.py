"""The learner's side of an exercise on a full screen."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from studykit.terminal.input.keys import Key
from studykit.terminal.input.line_editor import (
    AS_LEFT,
    LineBuffer,
    LineDraft,
    read_choice,
    read_line,
    reply_to,
    seed_begun,
    shown_commands,
)
from studykit.terminal.markdown.inline import Notation
from studykit.terminal.notice import late_notice
from studykit.terminal.page import AnswerPart, ExercisePage, MarkdownPart, TypedPart, drawn
from studykit.terminal.screen import MIN_BODY_ROWS, SCROLL_ROWS, Screen, ScreenContent, heading, key_spans
from studykit.terminal.spans import (
    ACCENT,
    CHROME,
    Span,
    StyledLine,
    TextStyle,
    clean,
    indented,
    line,
    plain,
    width,
    with_verdicts,
    wrap,
)
from studykit.ui import Line, Reply, RunPosition, Seeded

if TYPE_CHECKING:
    from studykit.picture import Picture
    from studykit.store.typed_drafts import TypedDrafts

Editor = Callable[[str, str], str | None]
"""Opens a text with a file suffix in the learner's editor; None where nothing changed or there is none."""


_SAID_ROWS = 3  # of what was done before
_MARGIN = "  "  # on both sides of the page
_VERDICT_SIGNS = ("✓", "✗", "≈", "· ")


def commands_line(commands: Mapping[str, str]) -> list[Span]:
    """Format the commands of a typed line."""
    spans = [Span("typing", TextStyle.REVERSE)]
    for key, word in shown_commands(commands).items():
        start, gap, rest = f":{word}".partition(" ") if key else ("enter", " ", word)
        style = TextStyle.BOLD if key else ACCENT
        spans += [Span("   "), Span(start.strip(","), style), Span((gap + rest).replace(" ", "\u00a0"))]
    return spans


def typing_rows(
    prompt: str, draft: LineBuffer, message: str, commands: Mapping[str, str], columns: int
) -> tuple[list[StyledLine], StyledLine]:
    """Lay out a typed line with its message above and its commands below. Return the part before the cursor."""
    before, after = draft.shown.seen(max(4, columns - len(prompt) - 2))
    start = Span(prompt + before)
    message_rows = wrap([Span(clean(message))], columns) if message else []
    return [*message_rows, (start, Span(after)), *wrap(commands_line(commands), columns)], (start,)


def choices_line(options: Sequence[tuple[str, str]]) -> list[Span]:
    """Format single keys and their words. One without a word is not shown."""
    return key_spans((key.strip() or "enter", word) for key, word in options if word)


def choice_rows(
    options: Sequence[tuple[str, str]], beside: Sequence[tuple[str, str]], columns: int
) -> list[StyledLine]:
    """Return options and what else works, of which the first and the last stay where a row has no room for all."""
    beside = [pair for pair in beside if pair[1]]
    whole = choices_line([*options, *beside])
    if width(whole) <= columns:
        return [tuple(whole)]
    while len(beside) > 1 and width(choices_line(beside)) > columns:
        del beside[-2]
    return [*wrap(choices_line(options), columns), *wrap(choices_line(beside), columns)]


def value_rows(values: Sequence[tuple[str, str]], columns: int, room: int) -> list[StyledLine]:
    """Lay out names and values in a table, or on fewer rows if room lacks. The newest stay."""
    wide = max(len(name) for name, _ in values)
    if len(values) <= room:
        return [(Span(f"{name:<{wide}}  "), Span(clean(value), TextStyle.BOLD)) for name, value in values]
    for first in range(len(values)):
        spans = [Span("… ", CHROME)] if first else []
        for name, value in values[first:]:
            spans += [
                Span(f"{name} "),
                Span(clean(value).replace(" ", "\u00a0"), TextStyle.BOLD),
                Span("   "),
            ]
        if len(rows := wrap(spans[:-1], columns)) <= max(1, room):
            return rows
    return rows[:1]


class ScreenUi:
    """A page that grows under its title, with the input below it."""

    def __init__(
        self,
        screen: Screen,
        notation: Notation,
        editor: Editor,
        drafts: "TypedDrafts | None" = None,
        idle: Callable[[], None] = lambda: None,
    ) -> None:
        """`idle` is called while the learner is waited for."""
        self._screen = screen
        self._notation = notation
        self._editor = editor
        self._worked = False  # since the learner was asked last
        self._scroll = 0  # rows away from where what is new begins
        self._drafts = drafts
        self._idle = idle
        self._line = LineDraft()
        self._page = ExercisePage()

    @property
    def width(self) -> int:
        """Return the columns to draw in."""
        return self._screen.columns - 2 * len(_MARGIN)  # what a picture has on the page

    def show(
        self, markdown: str, *, title: str = "", place: RunPosition | None = None, seeded: Seeded | None = None
    ) -> None:
        """Begin a new page."""
        self._page = ExercisePage(title, place, [MarkdownPart(markdown)], seeded=seeded)
        self._scroll = 0

    def begun(self, name: str) -> int | None:
        """Return the seed of a question at which a line was begun."""
        return seed_begun(self._drafts, name)

    def tell(self, markdown: str, *, label: str = "") -> None:
        """Add words to the page, the first with a label under a rule, the next in the question's place."""
        is_answered = any(isinstance(part, AnswerPart) for part in self._page.parts)
        if label and is_answered:  # a sentence with its gap filled
            self._page.parts[0] = MarkdownPart(markdown)
            return
        if not label:
            if MarkdownPart(markdown) not in self._page.parts[-1:]:
                self._page.parts.append(MarkdownPart(markdown))
            return
        self._page.fresh = len(self._page.parts)
        self._page.parts.append(AnswerPart(markdown, self._screen.glyphs.dotted))

    def page(self, lines: Sequence[str]) -> None:
        """Show lines on the whole screen, until a key is pressed that does not scroll."""
        foot = choices_line([("j k", "scroll"), ("q", "back")])
        at, name = 0, ""
        while name in {*SCROLL_ROWS, "", "redraw", "unknown"}:
            rows = [
                row for words in lines for row in wrap([Span(clean(words))], self.width, hanging="    ") or [()]
            ]
            content = ScreenContent(self._head(), [(), *indented(rows)], wrap(foot, self.width), back="k")
            furthest = self._screen.draw(content, at).furthest
            name = (self._screen.terminal.keys.read() or Key("unknown")).name
            at = min(max(0, at + SCROLL_ROWS.get(name, 0)), furthest)

    def draw(self, picture: "Picture") -> None:
        """Add a picture to the page."""
        self._page.parts.append(drawn(picture, self.width, is_ascii=self._screen.style.ascii))

    def read(
        self, label: str, commands: Mapping[str, str], *, history: Sequence[str] = (), lines: bool = False
    ) -> Reply:
        """Read a line at the foot of the page."""
        self._line = LineDraft(self._drafts, self._page.line(label))
        history = self._page.walked(history)
        note, draft_text = "", self._line.text

        def draw(draft: LineBuffer) -> None:
            message = note or (AS_LEFT if draft_text and draft.text == draft_text else "")
            foot, start = typing_rows(f"{label}> ", draft, message, commands, self.width)
            self._draw(foot, cursor_after=start)
            self._idle()

        keys = self._screen.terminal.keys
        while True:
            text = read_line(
                keys,
                draw,
                commands,
                history=history,
                scroll=self.scroll,
                draft=draft_text,
                keep=self._line.keep,
                lines=lines,
            )
            self._line.end(text or "")
            reply = reply_to(text, commands)
            if not isinstance(reply, str):
                break
            note, draft_text, history = reply, "", (*history, text or "")
        self._done()
        if isinstance(reply, Line) and reply.text:
            self._page.parts.append(TypedPart(label, reply.text))
            self._page.typed.append(reply.text)
        return reply

    def choose(
        self, question: str, options: Sequence[tuple[str, str]], beside: Sequence[tuple[str, str]] = ()
    ) -> str | None:
        """Read one key, with the options at the foot. Keys pressed while the program worked are dropped."""
        if self._worked:
            self._screen.terminal.keys.forget()

        def draw() -> None:
            question_rows = wrap([Span(clean(question))], self.width) if question else []
            self._draw([*question_rows, *choice_rows(options, beside, self._screen.columns)])
            self._idle()

        keys = self._screen.terminal.keys
        choice = read_choice(keys, draw, dict((*options, *beside)), scroll=self.scroll)
        if choice not in SCROLL_ROWS:
            self._done()
        return choice

    def _done(self) -> None:
        """Let what is said from now on be shown from its beginning."""
        self._page.fresh, self._page.is_begun = len(self._page.parts), True
        self._scroll, self._worked = 0, False

    @contextmanager
    def busy(self, doing: str) -> Iterator[None]:
        """Say at the foot what takes a moment. Ctrl-C stops only that."""
        self._worked = True
        foot = [line(f"{clean(doing)} ...")]
        keys = self._screen.terminal.keys
        notice = late_notice(lambda: self._draw(foot), lambda: self._draw([]), lambda: keys.pokes)
        try:
            with self._line.judged(notice):
                yield
        except KeyboardInterrupt:
            keys.forgive()
            raise

    def edit(self, text: str, *, suffix: str = ".py") -> str | None:
        """Return the text after the editor has closed."""
        with self.away():
            return self._editor(text, suffix)

    def away(self) -> AbstractContextManager[None]:
        """Give the terminal away for a while."""
        return self._screen.terminal.away()

    def _draw(self, foot: Sequence[StyledLine], *, cursor_after: StyledLine | None = None) -> None:
        question = self._page.question(self.width, self._notation)
        dialogue = self._page.dialogue(self.width, self._notation)
        foot = foot if self._page.is_begun else [*foot, *self._said_before()]
        content = ScreenContent(
            self._head(),
            [*indented(dialogue), ()] if dialogue else [],
            foot,
            pinned=[(), *indented(question), ()],
            back="page up",
            onward="page down",
        )
        content = self._with_values(content)
        above = 0 if self._screen.viewport(content).pinned else len(content.pinned)
        if above and self._page.fresh:
            content = self._with_end_of_question(content)
        viewport = self._screen.viewport(content)
        place = self._row_of_fresh(above)
        if viewport.furthest > place:
            place += verdict_row(dialogue[place - above :]) or self._rows_of_own()
        place = min(viewport.furthest, place)
        self._scroll = min(max(self._scroll, -place), viewport.furthest - place)
        self._screen.draw(content, place + self._scroll, cursor_after=cursor_after)

    def _with_values(self, content: ScreenContent) -> ScreenContent:
        """Add the values of earlier steps below the question, folded if there is little room."""
        values = self._page.place.values if self._page.place is not None else ()
        if not values:
            return content
        room = self._screen.viewport(content).room - len(content.pinned) - MIN_BODY_ROWS - 1
        rows = indented(value_rows(values, self.width, room))
        around = (content.pinned, [()]) if room > 0 else (content.pinned[:-1], [])
        return replace(content, pinned=[*around[0], *rows, *around[1]])

    def _with_end_of_question(self, content: ScreenContent) -> ScreenContent:
        """Keep the end of a long question on a low screen, where it asks. All of it scrolls."""
        rows = [row for row in content.pinned if row]
        room = self._screen.viewport(content).room
        last_rows = rows[-max(1, min(room // 2, room - MIN_BODY_ROWS)) :]
        whole = [*content.pinned, *content.body]
        short_pinned = (
            [line(f"{_MARGIN}…", CHROME), *last_rows, ()] if len(last_rows) < len(rows) else [*last_rows, ()]
        )
        return replace(
            content, pinned=short_pinned if len(short_pinned) + MIN_BODY_ROWS <= room else last_rows, body=whole
        )

    def _said_before(self) -> Sequence[StyledLine]:
        """Return what was done before this page, as long as nothing was done on it."""
        text = self._page.place.said if self._page.place is not None else ""
        rows = wrap([Span(clean(text))], self._screen.columns)[:_SAID_ROWS] if text else []
        return [with_verdicts(row) for row in rows]

    def _head(self) -> list[StyledLine]:
        title, place = clean(self._page.title), self._page.place
        if not title:
            return []
        if place is None:
            return [line(title)]
        count = f"{place.of - place.done} left"
        share, columns = place.done / place.of if place.of else 1.0, self._screen.columns
        return [heading(title, count, share, columns, self._screen.glyphs, after=place.after)]

    def _row_of_fresh(self, above: int) -> int:
        """Return where new content begins. `above` are the rows of a question that scrolls too."""
        if self._page.fresh < 1:
            return 0
        before = self._page.dialogue(self.width, self._notation, until=self._page.fresh)
        return above + (len(before) + 1 if before else 0)

    def _rows_of_own(self) -> int:
        """Count the rows of what the learner typed last, which may scroll away for the reply."""
        match self._page.parts[self._page.fresh :]:
            case [TypedPart() as own, _, *_]:
                return len(own.lines(self.width, self._notation)) + 1
            case [AnswerPart(), *_]:
                return 2
            case _:
                return 0

    def scroll(self, key: str) -> None:
        """Move up and down the page from where its newest words begin."""
        page = max(1, self._screen.terminal.size()[1] // 2)
        self._scroll += {"pgup": -page, "pgdn": page}.get(key, SCROLL_ROWS.get(key, 0))


def verdict_row(rows: Sequence[StyledLine]) -> int:
    """Return where the verdict begins, to be shown first if room lacks, else 0."""
    return next((number for number, row in enumerate(rows) if plain(row).startswith(_VERDICT_SIGNS)), 0)
