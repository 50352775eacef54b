"""Ask an exercise on a full screen."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from studykit.terminal.input.keys import Key
from studykit.terminal.input.line_editor import (
    AS_LEFT,
    LineBuffer,
    read_choice,
    read_line,
    reply_to,
    shown_commands,
)
from studykit.terminal.markdown.inline import Notation
from studykit.terminal.notice import late_notice
from studykit.terminal.page import AnswerPart, ExercisePage, MarkdownPart, PicturePart, TypedPart
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

Editor = Callable[[str], str | None]
"""Function from a text to the edited text, or None if unchanged or without an editor."""


_MAX_RESULT_ROWS = 3  # of what was done before
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
    """Return rows for a message, the typed line and the commands, and the part of the line before the cursor."""
    before, after = draft.shown.visible_parts(max(4, columns - len(prompt) - 2))
    start = Span(prompt + before)
    message_rows = wrap([Span(clean(message))], columns) if message else []
    return [*message_rows, (start, Span(after)), *wrap(commands_line(commands), columns)], (start,)


def choices_line(options: Sequence[tuple[str, str]]) -> list[Span]:
    """Format single keys and their words. Keys without a word are not shown."""
    return key_spans((key.strip() or "enter", word) for key, word in options if word)


def choice_rows(
    options: Sequence[tuple[str, str]], beside: Sequence[tuple[str, str]], columns: int
) -> list[StyledLine]:
    """Lay out options and the keys `beside` them, on one row if they fit, else on rows of their own.

    Keys beside the options are dropped one at a time, from the last but one backward, until their row fits.
    """
    beside = [pair for pair in beside if pair[1]]
    all_choices = choices_line([*options, *beside])
    if width(all_choices) <= columns:
        return [tuple(all_choices)]
    while len(beside) > 1 and width(choices_line(beside)) > columns:
        del beside[-2]
    return [*wrap(choices_line(options), columns), *wrap(choices_line(beside), columns)]


def value_rows(values: Sequence[tuple[str, str]], columns: int, room: int) -> list[StyledLine]:
    """Lay out names and values in a table, or on fewer rows if room is short. The newest ones stay."""
    wide = max(len(name) for name, _ in values)
    if len(values) <= room:
        return [(Span(f"{name:<{wide}}  "), Span(clean(value), TextStyle.BOLD)) for name, value in values]
    for first in range(len(values)):
        spans = [Span("… ", CHROME)] if first else []
        for name, value in values[first:]:
            spans += [Span(f"{name} "), Span(clean(value).replace(" ", "\u00a0"), TextStyle.BOLD), Span("   ")]
        if len(rows := wrap(spans[:-1], columns)) <= max(1, room):
            return rows
    return rows[:1]


class ScreenUi:
    """Show a page that grows under its title, with the input below it."""

    def __init__(
        self,
        screen: Screen,
        notation: Notation,
        editor: Editor,
        drafts: "TypedDrafts | None" = None,
        idle: Callable[[], None] = lambda: None,
    ) -> None:
        """Set up an empty page. `idle` is called after each drawing, before waiting for the learner."""
        self._screen = screen
        self._notation = notation
        self._editor = editor
        self._has_worked = False  # since the last question to the learner
        self._scroll = 0  # rows from where new content begins
        self._drafts = drafts
        self._idle = idle
        self._last_line = ""  # which is judged, and would be lost with a killed process
        self._line_name = ""
        self._page = ExercisePage()

    @property
    def width(self) -> int:
        """Return the columns to draw in."""
        return self._screen.columns - 2 * len(_MARGIN)  # what a picture has on the page

    def show(
        self, markdown: str, *, title: str = "", place: RunPosition | None = None, seeded: Seeded | None = None
    ) -> None:
        """Begin a new page with a question."""
        self._page = ExercisePage(title, place, [MarkdownPart(markdown)], seeded=seeded)
        self._scroll = 0

    def tell(self, markdown: str, *, label: str = "") -> None:
        """Add text. The first text with a label goes under a rule, and the next replaces the question."""
        is_answered = any(isinstance(part, AnswerPart) for part in self._page.parts)
        if label and is_answered:  # a sentence with its gap filled
            self._page.parts[0] = MarkdownPart(markdown)
            return
        if not label:
            if MarkdownPart(markdown) not in self._page.parts[-1:]:
                self._page.parts.append(MarkdownPart(markdown))
            return
        self._page.fresh = len(self._page.parts)
        self._page.parts.append(AnswerPart(markdown, self._screen.glyphs.dotted_rule))

    def page(self, lines: Sequence[str]) -> None:
        """Show lines on the whole screen until the learner presses a key that does not scroll."""
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
        from studykit.terminal.pictures import painted

        rows = painted.lines(picture, width=self.width, ascii=self._screen.style.ascii)
        self._page.parts.append(PicturePart(tuple(rows), painted.sentence(picture)))

    def read(
        self, label: str, commands: Mapping[str, str], *, history: Sequence[str] = (), lines: bool = False
    ) -> Reply:
        """Read a line at the foot of the page as an answer or a command."""
        self._line_name = self._page.line(label)
        history = self._page.recallable_lines(history)
        note, draft_text = "", self._drafts.of(self._line_name) if self._drafts is not None else ""

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
                keep=self._keep,
                lines=lines,
            )
            self._keep("")
            self._last_line = text or ""
            reply = reply_to(text, commands)
            if not isinstance(reply, str):
                break
            note, draft_text, history = reply, "", (*history, text or "")
        self._scroll_to_new()
        if isinstance(reply, Line) and reply.text:
            self._page.parts.append(TypedPart(label, reply.text))
            self._page.typed_lines.append(reply.text)
        elif draft_text:
            self._page.typed_lines.append(draft_text)  # a command took its place; the up key brings it back
        return reply

    def choose(
        self, question: str, options: Sequence[tuple[str, str]], beside: Sequence[tuple[str, str]] = ()
    ) -> str | None:
        """Return the key of an option, or None to leave. Drop keys pressed while the program worked."""
        if self._has_worked:
            self._screen.terminal.keys.forget()  # they were not meant for this question

        def draw() -> None:
            question_rows = wrap([Span(clean(question))], self.width) if question else []
            self._draw([*question_rows, *choice_rows(options, beside, self._screen.columns)])
            self._idle()

        keys = self._screen.terminal.keys
        choice = read_choice(keys, draw, dict((*options, *beside)), scroll=self.scroll)
        if choice not in SCROLL_ROWS:
            self._scroll_to_new()
        return choice

    def _scroll_to_new(self) -> None:
        """Scroll so that whatever is added from now on is shown from its beginning."""
        self._page.fresh, self._page.is_begun = len(self._page.parts), True
        self._scroll, self._has_worked = 0, False

    @contextmanager
    def busy(self, doing: str) -> Iterator[None]:
        """Show at the foot what the program is doing. Ctrl-C raises KeyboardInterrupt for the caller to handle."""
        self._has_worked = True
        foot = [line(f"{clean(doing)} ...")]
        keys = self._screen.terminal.keys
        self._keep(self._last_line)
        try:
            with late_notice(lambda: self._draw(foot), lambda: self._draw([]), lambda: keys.pokes):
                yield
        except KeyboardInterrupt:
            keys.forgive()
            raise
        self._keep("")
        self._last_line = ""

    def _keep(self, text: str) -> None:
        """Save a line that is typed or judged, unless it begins a command. An empty one removes what was saved."""
        if self._drafts is not None:
            is_command = text.startswith(":") and not text.startswith("::")
            self._drafts.keep(self._line_name, "" if is_command else text)

    def edit(self, text: str) -> str | None:
        """Return the text as edited, or None if it is unchanged or there is no editor."""
        with self.away():
            return self._editor(text)

    def away(self) -> AbstractContextManager[None]:
        """Lend the terminal to another program."""
        return self._screen.terminal.away()

    def _draw(self, foot: Sequence[StyledLine], *, cursor_after: StyledLine | None = None) -> None:
        question = self._page.question(self.width, self._notation)
        dialogue = self._page.dialogue(self.width, self._notation)
        foot = foot if self._page.is_begun else [*foot, *self._last_result_rows()]
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
        place = self._first_new_row(above)
        if viewport.furthest > place:
            place += verdict_row(dialogue[place - above :]) or self._typed_row_count()
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
        """Pin only the end of a question that is too long, because it asks there. All of it scrolls below."""
        rows = [row for row in content.pinned if row]
        room = self._screen.viewport(content).room
        last_rows = rows[-max(1, min(room // 2, room - MIN_BODY_ROWS)) :]
        all_rows = [*content.pinned, *content.body]
        mark = [line(f"{_MARGIN}…", CHROME)] if len(last_rows) < len(rows) else []
        short_question = [*mark, *last_rows, ()]
        return replace(
            content,
            pinned=short_question if len(short_question) + MIN_BODY_ROWS <= room else last_rows,
            body=all_rows,
        )

    def _last_result_rows(self) -> Sequence[StyledLine]:
        """Return at most three rows with the result of the question before, or none."""
        text = self._page.place.last_result if self._page.place is not None else ""
        rows = wrap([Span(clean(text))], self._screen.columns)[:_MAX_RESULT_ROWS] if text else []
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

    def _first_new_row(self, above: int) -> int:
        """Return the row where new content begins. `above` counts the rows of a question that scrolls too."""
        if self._page.fresh < 1:
            return 0
        before = self._page.dialogue(self.width, self._notation, until=self._page.fresh)
        return above + (len(before) + 1 if before else 0)

    def _typed_row_count(self) -> int:
        """Count the rows of the last input, or above an answer, which may scroll away if room is short."""
        match self._page.parts[self._page.fresh :]:
            case [TypedPart() as typed_part, _, *_]:
                return len(typed_part.lines(self.width, self._notation)) + 1
            case [AnswerPart(), *_]:
                return 2
            case _:
                return 0

    def scroll(self, key: str) -> None:
        """Scroll the page by a key: half a screen, or the rows of `SCROLL_ROWS`."""
        page = max(1, self._screen.terminal.size()[1] // 2)
        self._scroll += {"pgup": -page, "pgdn": page}.get(key, SCROLL_ROWS.get(key, 0))


def verdict_row(rows: Sequence[StyledLine]) -> int:
    """Return the row of the verdict, which is shown first if room is short, or 0 without a verdict."""
    return next((number for number, row in enumerate(rows) if plain(row).startswith(_VERDICT_SIGNS)), 0)
