"""How an author wants an export."""

from dataclasses import dataclass, field
from pathlib import Path

from studykit.html.former import Former
from studykit.html.strings import Strings, shipped


@dataclass(frozen=True, slots=True)
class ExportOptions:
    """How the author wants the pages."""

    site: str | None = None
    templates: Path | None = None
    base: str = ""  # the address at which the pages will stand, with a slash at its end
    app: bool = False  # a page for all decks that a telephone installs
    strings: Strings = field(default_factory=shipped)  # what the pages say around the cards
    course: str = ""  # whose decks share one log in a browser; as the decks say where empty
    is_strict: bool = False  # a missing picture refuses the export, not only its card
    former: Former = field(default_factory=Former)  # what exports had so far
