"""Write the tables of the help pages that the program's own definitions fill: settings, figures, symbols.

python tests/support/help_tables.py
"""

from collections.abc import Mapping
from textwrap import TextWrapper

from studykit.cards.symbols import FILE, read_symbols
from studykit.cli.commands.config import setting_text
from studykit.config import SETTINGS
from studykit.help_pages import PAGES
from studykit.paths import decks
from studykit.scheduling.figure_definitions import DEFINITIONS

PAGE_COLUMNS = 110


def rows(explanations: Mapping[str, str]) -> str:
    """Return a table as a block of text, with a row for each word and its meaning, wrapped as the pages are."""
    width = max(map(len, explanations)) + 2
    wrapper = TextWrapper(PAGE_COLUMNS, subsequent_indent=" " * width, break_on_hyphens=False)
    lines = (wrapper.fill(f"{word:<{width}}{meaning}") for word, meaning in explanations.items())
    return "\n".join(["```text", *lines, "```"])


def generated_blocks() -> dict[str, str]:
    """Return the generated block of each page that has one, by the page's name."""
    settings = {}
    for key in SETTINGS:
        choices = f"{', '.join(key.choices)}; " if key.choices else ""
        settings[key.name] = f"{key.help} ({choices}default: {setting_text(key.default)})"
    settings["keys.ACTION"] = "the key of an action of the review: see `study help keys`"
    symbols, _ = read_symbols((decks() / FILE).read_text(encoding="utf-8"), FILE)
    return {
        "settings": rows(settings),
        "stats": rows(DEFINITIONS),
        "symbols": rows({letter: symbol.means for letter, symbol in symbols.items()}),
    }


def main() -> None:
    """Replace the old block in each page by the new one."""
    for name, block in generated_blocks().items():
        page = PAGES / f"{name}.md"
        before, _, rest = page.read_text("utf-8").partition("```text\n")
        page.write_text(before + block + rest.partition("```")[2], "utf-8")


if __name__ == "__main__":
    main()
