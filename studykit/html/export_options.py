"""Define the options of an export."""

from dataclasses import dataclass, field

from studykit.html.former import Former
from studykit.html.strings import Strings, shipped


@dataclass(frozen=True, slots=True)
class ExportOptions:
    """Hold an author's choices for the pages."""

    site: str | None = None
    app: bool = False  # also make an app of all decks that a phone can install
    strings: Strings = field(default_factory=shipped)  # words of the pages around the cards
    course: str = ""  # its decks share one log in a browser; if empty, the decks' own courses do
    is_strict: bool = False  # a missing picture stops the export, not only its card
    former: Former = field(default_factory=Former)  # record of the exports so far
