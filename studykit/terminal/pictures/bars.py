"""Draw sizes as bars below each other, or as a list for those who listen to it."""

from studykit.picture import Bars

_MAX_BAR = 40  # columns
_MIN_BAR = 8  # columns; with less room only the sentence is left


def lines(bars: Bars, *, width: int, ascii: bool) -> list[str]:
    """Return the title and a line for each size, at most `width` columns, or [] if they do not fit."""
    name_width = max((len(bar.name) for bar in bars.parts), default=0)
    size_width = max((len(bar.words) for bar in bars.parts), default=0)
    room = min(_MAX_BAR, width - name_width - size_width - 4)
    if room < _MIN_BAR or len(bars.title) > width:
        return []
    largest = max(bar.size for bar in bars.parts)
    sign = "#" if ascii else "█"
    rows = [
        f"{bar.name:<{name_width}}  {bar.words:>{size_width}}  {sign * max(1, round(room * bar.size / largest))}"
        for bar in bars.parts
    ]
    return [bars.title, *rows]


def sentence(bars: Bars) -> str:
    """Return the bars in words, as a Markdown list."""
    return "\n".join([f"{bars.title}.", "", *(f"- {bar.name}: {bar.words}" for bar in bars.parts)])
