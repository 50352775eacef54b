"""What a counted answer consists of, as bars in a page; each row has its share in words."""

from html import escape

from studykit.exercise.estimate.feedback import bars
from studykit.exercise.estimate.template import Variant

_MIN_PARTS = 4  # fewer stand in the steps, and a page is small
_WIDTH, _ROW, _TEXT = 340, 30, 14  # units of the drawing: a row, and where its words stand in it


def parts_figure(variant: Variant) -> str:
    """Draw the bars of a variant, or return "" if it has none that add up, or few.

    The words are text of the drawing, which is read aloud; a bar is as wide as the share that its words say, so
    that a page keeps both once.
    """
    parts = variant.template.parts and variant.template.parts(variant.values)
    if not parts or not parts.is_whole or len(parts.sizes) < _MIN_PARTS:
        return ""
    picture, whole = bars(parts), sum(parts.sizes.values())
    rows = "".join(
        f'<text y="{_ROW * place + _TEXT}">{escape(bar.name)}: {bar.size / whole:.0%}</text>'
        f'<rect y="{_ROW * place + _TEXT + 4}" width="{bar.size / whole:.0%}" height="6" class="sk-at"/>'
        for place, bar in enumerate(picture.parts, start=1)
    )
    return (
        f'<figure class="sk-roof"><svg viewBox="0 0 {_WIDTH} {_ROW * (len(picture.parts) + 1)}" '
        f'fill="currentColor" font-size="12"><text y="{_TEXT}">{escape(picture.title)}</text>{rows}</svg></figure>'
    )
