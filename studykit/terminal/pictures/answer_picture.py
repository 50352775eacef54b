"""The pictures of a numeric exercise: a ruler of orders of magnitude, and a roofline where intensity is asked."""

from collections.abc import Sequence

from studykit.exercise.numeric.template import Variant
from studykit.terminal.pictures import roofline, ruler
from studykit.ui import Ui


def after_answer(ui: Ui, variant: Variant, tries: Sequence[float]) -> None:
    """Draw how far the tries were from the answer, and where the kernel lies under its roof."""
    positive = [value for value in tries if value > 0]
    if positive and variant.answer > 0 and variant.tolerance > 0:
        size = variant.template.wanted.factor
        answer, shown = variant.answer / size, [value / size for value in positive]
        lines = ruler.ruler(answer, shown, width=ui.width, ascii=ui.ascii)
        ui.draw(lines, described=ruler.described(answer, shown))
    if variant.template.roof is not None:
        _roofline(ui, variant)


def _roofline(ui: Ui, variant: Variant) -> None:
    if variant.template.roof is None:
        return
    at = variant.template.roof(variant.values)
    peak, bandwidth = at.device.peak(at.dtype), at.device.bandwidth
    top = roofline.attainable(peak, bandwidth, at.intensity)
    points = [roofline.Point(at.intensity, top, f"on {at.device.name}")]
    lines = roofline.roofline(peak, bandwidth, points, width=ui.width, ascii=ui.ascii)
    ui.draw(lines, described=roofline.described(peak, bandwidth, points))
