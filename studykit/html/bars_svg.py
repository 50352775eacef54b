"""Draw the parts of a counted answer as bars with their shares or sizes in words."""

from html import escape

from studykit.exercise.estimate.template import Variant

_WIDTH, _ROW, _TEXT = 340, 30, 14  # units of the drawing: width, height of a row, baseline of its words


def parts_figure(variant: Variant) -> str:
    """Draw the bars of a variant, or return "" if it has none.

    Screen readers read the words, which are text of the drawing. If the parts make a whole, a bar's width is the
    share in its words, so that a page with many sets of numbers stores it only once.
    """
    parts = variant.template.parts and variant.template.parts(variant.values)
    if not parts:
        return ""
    picture, sizes = parts.bars(), parts.sizes.values()
    full = sum(sizes) if parts.is_whole else max(sizes)
    rows = [f'<text y="{_TEXT}">{escape(picture.title)}</text>']
    for place, bar in enumerate(picture.parts, start=1):
        y, share = _ROW * place + _TEXT, f"{bar.size / full:.0%}"
        rows.append(
            f'<text y="{y}">{escape(bar.name)}: {share if parts.is_whole else bar.words}</text>'
            f'<rect y="{y + 4}" width="{share}" height="6" class="sk-at"/>'
        )
    return (
        f'<figure class="sk-roof"><svg viewBox="0 0 {_WIDTH} {_ROW * (len(picture.parts) + 1)}" '
        f'fill="currentColor" font-size="12">{"".join(rows)}</svg></figure>'
    )
