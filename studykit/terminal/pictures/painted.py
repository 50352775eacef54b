"""Draw a picture of an exercise as text lines, or as a sentence for those who listen to it."""

from studykit.picture import Bars, Difference, Picture, Roofline, Ruler, TimeAxis
from studykit.terminal.pictures import bars, difference, log_axis, roofline


def lines(picture: Picture, *, width: int, ascii: bool) -> list[str]:
    """Return the lines of the picture, at most `width` columns wide, or none if it does not fit."""
    match picture:
        case Ruler(answer, tries):
            return log_axis.ruler(answer, tries, width=width, ascii=ascii)
        case Roofline(peak, bandwidth, points):
            return roofline.roofline(peak, bandwidth, points, width=width, ascii=ascii)
        case TimeAxis(marks):
            return log_axis.time_axis(marks, width=width, ascii=ascii)
        case Bars():
            return bars.lines(picture, width=width, ascii=ascii)
        case Difference():
            return difference.lines(picture, width=width)


def sentence(picture: Picture) -> str:
    """Describe what the picture shows."""
    match picture:
        case Ruler(answer, tries):
            return log_axis.description(answer, tries)
        case Roofline(peak, bandwidth, points):
            return roofline.description(peak, bandwidth, points)
        case TimeAxis():
            return picture.sentence
        case Bars():
            return bars.sentence(picture)
        case Difference():
            return difference.sentence(picture)
