"""What a review shows: header, card and footer of each stage, laid out for a number of columns."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from studykit.cards.card import GAP, Card, Kind
from studykit.review.keymap import SCALES, Action, Button, Stage, word_of
from studykit.review.preview import buttons_line
from studykit.review.session import Session
from studykit.scheduling.recall_grade import Grade
from studykit.terminal.glyphs import ASCII, UNICODE, Glyphs
from studykit.terminal.markdown.inline import Notation
from studykit.terminal.markdown.render import render
from studykit.terminal.screen import heading, key_spans
from studykit.terminal.spans import (
    ACCENT,
    CHROME,
    CLOSE,
    RIGHT,
    WRONG,
    Span,
    StyledLine,
    TextStyle,
    clean,
    line,
    styled,
    with_verdicts,
    wrap,
)
from studykit.terminal.spans import indented as margined

_NARROW_COLUMNS = 60
_FLASH = 3  # rows
_MAX_TYPED_CHARACTERS = 500  # characters of a typed answer that is hardly like the wanted one
_INDENT = "  "
_GRADES = "1 2 3 4"


@dataclass(frozen=True, slots=True)
class ReviewStyle:
    """How a review is shown, whatever the mode."""

    buttons: tuple[Button, ...] = SCALES["4"]
    intervals: bool = True
    timer: bool = False
    notation: Notation = field(default_factory=Notation)
    macros: Callable[[Card], Mapping[str, str]] = lambda _: {}  # TeX macros of the card's deck
    decks: Mapping[str, str] = field(default_factory=dict)  # names by id

    @property
    def glyphs(self) -> Glyphs:
        """The signs to draw with."""
        return ASCII if self.notation.ascii else UNICODE

    def notation_of(self, card: Card) -> Notation:
        """How this card's formulas are written."""
        return Notation(ascii=self.notation.ascii, macros=self.macros(card))

    def deck_of(self, card: Card) -> str:
        """The name of the card's deck."""
        return clean(self.decks.get(card.deck, card.deck))


def head(session: Session, style: ReviewStyle, columns: int) -> StyledLine:
    """The header: the deck on the left; what is left, and how long it may take, on the right."""
    card, progress = session.state.card, session.progress
    if card is None:
        return ()
    right = f"{progress.left} left"
    if style.timer and session.state.stage is Stage.ANSWER:
        right = f"{(session.state.revealed_ms - session.state.shown_ms) // 1000} s   {right}"
    minutes = "" if progress.minutes is None else f" ~{progress.minutes} min"
    mark = f"{style.glyphs.flag} " if session.state.flagged else ""
    return heading(mark + style.deck_of(card), right, progress.share, columns, style.glyphs, after=minutes)


def pinned(
    session: Session, style: ReviewStyle, columns: int, asked: Sequence[StyledLine] = ()
) -> list[StyledLine]:
    """The question, which stays while everything else scrolls; `asked` is that of an exercise."""
    state = session.state
    if state.card is None or state.page is not None:
        return []
    if _is_exercise(session):
        return indented(asked)
    rows = render(state.card.prompt, columns - 2 * len(_INDENT), style.notation_of(state.card))
    return indented(_with_gap(row) for row in rows)


def _with_gap(row: StyledLine) -> StyledLine:
    """The row with the gap of a cloze in the accent."""
    parts = [(part, span.style) for span in row for part in span.text.partition(GAP) if part]
    return tuple(Span(part, ACCENT if part == GAP else style) for part, style in parts)


def body(session: Session, style: ReviewStyle, columns: int, asked: Sequence[StyledLine] = ()) -> list[StyledLine]:
    """Return the rows between question and foot; `asked` is the dialogue of an exercise."""
    state = session.state
    inner = columns - 2 * len(_INDENT)
    if state.card is None:
        return []
    if state.page is not None:
        return indented(page(session, style, state.page, inner))
    if _is_exercise(session):
        return indented(asked)[1:] if asked else []
    if state.stage is not Stage.ANSWER:
        return []
    dots = line((style.glyphs.dotted * inner)[:inner].rstrip(), CHROME)
    return indented([dots, (), *answer(session, style, inner)])[1:]


def _is_exercise(session: Session) -> bool:
    return session.state.asked is not None or session.state.stage is Stage.EXERCISE


def answer(session: Session, style: ReviewStyle, columns: int) -> list[StyledLine]:
    """Return the answer side of a card that its learner marks."""
    card = session.state.card
    if card is None:
        return []
    notation = style.notation_of(card)
    if card.kind is Kind.CLOZE and card.full:
        return [
            *(styled(row, ACCENT) for row in render(f"**[{card.answer}]**", columns, notation)),
            (),
            *render(card.full, columns, notation),
        ]
    from studykit.review.typed_answer import shown

    return render(shown(card), columns, notation)


def _message(session: Session, columns: int) -> list[StyledLine]:
    outcome = session.state.asked
    if outcome is None or not outcome.message:
        return []
    meaning = {None: TextStyle.BOLD, Grade.HARD: CLOSE, Grade.GOOD: RIGHT, Grade.EASY: RIGHT}
    return wrap([Span(clean(outcome.message), meaning.get(outcome.grade, WRONG))], columns)


def indented(rows: Iterable[StyledLine]) -> list[StyledLine]:
    """The rows two cells to the right, under an empty one."""
    return [(), *margined(rows), ()]


def foot(session: Session, style: ReviewStyle, columns: int) -> list[StyledLine]:
    """The footer: keys that make sense now, then the flash line."""
    state = session.state
    if state.page is not None:
        rows = _keys({"j k": "scroll", "q": "back to the card"}, columns)
    elif state.stage is Stage.ANSWER and session.suggested is None:
        rows = [*_message(session, columns), *_keys(_UNGRADED, columns)]
    elif state.stage is Stage.ANSWER:
        after = _AFTER if columns >= _NARROW_COLUMNS else _FEW_KEYS
        keys = {"s": "steps", **after} if state.asked is not None and state.asked.steps else after
        rows = [*_grades(session, style, columns), *_keys(keys, columns)]
    else:
        rows = _keys(_BEFORE if columns >= _NARROW_COLUMNS else _FEWER, columns)
    return [*rows, *(flash_rows(session, columns) or [()])]


def flash_rows(session: Session, columns: int) -> list[StyledLine]:
    """What was done last, in a few rows; none where there is nothing to say."""
    flash = session.state.flash
    return [with_verdicts(row) for row in wrap([Span(clean(flash))], columns)[:_FLASH]] if flash else []


_LAST = {"?": "keys", "q": "quit"}
_BEFORE = {"space": "reveal", "t": "type", "e": "edit", "u": "undo", **_LAST}
_FEWER = {"space": "reveal", "u": "undo", **_LAST}
_UNGRADED = {"enter": "go on, it stays due", "u": "undo", "-": "bury", "@": "suspend", "q": "quit"}
_AFTER = {"e": "edit", "u": "undo", "-": "bury", "@": "suspend", "*": "flag", "i": "info", "w": "why", **_LAST}
_FEW_KEYS = {"u": "undo", "e": "edit", **_LAST}


def _keys(words: Mapping[str, str], columns: int) -> list[StyledLine]:
    """Keys with their words, wrapped between them."""
    return wrap(key_spans(words.items()), columns)


def _grades(session: Session, style: ReviewStyle, columns: int) -> list[StyledLine]:
    state = session.state
    words = {button.key: button.word for button in style.buttons}
    if style.intervals:
        words = dict(buttons_line(state.memory, session.today(), style.buttons, session.fsrs))
    suggested = session.suggested
    if suggested is not None:
        own = (button.word for button in style.buttons if button.grade is suggested)
        words["enter"] = f"= {next(own, word_of(suggested))}"
    return _keys(words, columns)


def page(session: Session, style: ReviewStyle, which: Action, columns: int) -> list[StyledLine]:
    """Info, why or the keys, as rows."""
    match which:
        case Action.INFO | Action.WHY:
            lines = [
                wrap([Span(words)], columns, hanging="    ") or [()] for words in page_lines(session, style, which)
            ]
        case Action.STEPS if session.state.asked is not None:
            return render(session.state.asked.steps, columns, style.notation)
        case _:
            labels = {f"{key:<7} ".replace(" ", "\u00a0"): does for key, does in keys_of(style).items()}
            lines = [
                wrap([Span(label, TextStyle.BOLD), Span(does)], columns, hanging=" " * 8)
                for label, does in labels.items()
            ]
    return [row for rows in lines for row in rows]


def page_lines(session: Session, style: ReviewStyle, which: Action) -> list[str]:
    """The page that info or why opens, in lines of any length."""
    if which is Action.WHY:
        from studykit.review.why import why

        return why(session.state.memory, session.today(), session.history(), session.fsrs)
    return info(session, style)


def keys_of(style: ReviewStyle) -> dict[str, str]:
    """Keys of a session and what they do, as `study help keys` has them, with the grades of this learner."""
    from studykit.help_pages import tables

    keys_and_uses = tables("keys")["Keys of a review"]
    if style.buttons == SCALES["4"]:
        return keys_and_uses
    keys = f"{style.buttons[0].key} to {style.buttons[-1].key}"
    words = "; ".join(button.word for button in style.buttons)
    return {
        keys if key == _GRADES else key: words if key == _GRADES else does for key, does in keys_and_uses.items()
    }


def info(session: Session, style: ReviewStyle) -> list[str]:
    """Lines about the card that is shown: where it is written, and its numbers."""
    card = session.state.card
    if card is None:
        return []
    from studykit.review.why import facts

    first_lines = [f"card {card.id}   deck {style.deck_of(card)}", clean(f"{card.path}:{card.line}")]
    tags = [f"tags {' '.join(card.tags)}"] if card.tags else []
    lesson = [f"lesson {card.url}"] if card.url else []
    source = [f"source {card.source}"] if card.source else []
    flag = ["flagged"] if session.state.flagged else []
    return [
        *map(clean, first_lines + tags + source + lesson + flag),
        "",
        *facts(session.state.memory, session.today(), session.fsrs, style.buttons),
    ]
