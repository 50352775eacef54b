"""Every word that a page says, by the part of the pages that says it."""

from collections.abc import Mapping

from studykit.html.strings import shipped


def words() -> Mapping[str, Mapping[str, str]]:
    """The words by part: `page` for templates, `script` for the review, `exercise` for what judges answers."""
    return shipped().tables
