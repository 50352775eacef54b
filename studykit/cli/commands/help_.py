"""Show a page of the manual in `studykit/help` by its topic or by a word in it: `study help`."""

import re
from textwrap import shorten
from typing import Annotated

import typer

from studykit.cli.context import context_of
from studykit.cli.display import WIDEST
from studykit.cli.options import Plain
from studykit.errors import NotFoundError
from studykit.help_pages import PAGES
from studykit.text import did_you_mean

_SMALL_WORDS = re.compile(
    r"(a|an|and|do|does|for|from|how|i|in|is|it|mean|my|of|on|or|the|to|what|where|with)$", re.IGNORECASE
)
"""Words of a question that do not help to find a page."""
_INDEX = "README"  # the name under which a code host shows it below the list of pages
_ENTRY = re.compile(r"^- \[([\w-]+)\]\([\w-]+\.md\): (.*)$", re.MULTILINE)
_LINK = re.compile(r"\[([^\]\n]+)\]\([\w-]+\.md\)")
_FENCE = re.compile(r"`{3,}")
_ITEM = re.compile(r"- |\d+\. ")
_COMMENT = re.compile(r"^<!-- (?:also: )?(.*?) -->\n", re.MULTILINE)


def topics() -> list[str]:
    """Return the names of the pages."""
    return sorted(page.stem for page in PAGES.glob("*.md") if page.stem != _INDEX)


Words = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[WORD]...", help="A topic, or words to look for; none lists all.", autocompletion=topics
    ),
]


def help_(ctx: typer.Context, words: Words = None, _plain: Plain = False) -> None:  # its pages are plain lines
    """Read the manual. Give a topic, or any words to find the pages that have them."""
    context = context_of(ctx)
    topic = "-".join(words or [_INDEX])
    if topic in {_INDEX, *topics()}:
        context.write(_page(topic), widest=WIDEST)
        return
    query = " ".join(words or ())
    by_title, by_text = find_pages(query)
    if len(pages := by_title or by_text) == 1:
        context.write(_page(*pages), widest=WIDEST)
    elif pages:
        rows = (f"  {page:<13}  {line}" for page, line in (by_title | by_text).items())
        lines = [f"Pages on {query!r}; read one with study help TOPIC", "", *rows]
        context.write("\n".join(lines), widest=WIDEST)
    else:
        raise NotFoundError(f"No help page mentions {query!r}.{did_you_mean(query, topics())}", "study help")


def find_pages(query: str) -> tuple[dict[str, str], dict[str, str]]:
    """Find the pages that have all words of the query on one line.

    Return the pages whose title or keywords match, each with its line in the index, then the others, each with
    the matching line. A query word also matches a longer word that it begins, and a plural its singular.
    """
    words = [word for word in query.split() if not _SMALL_WORDS.match(word)] or query.split()
    stems = [word.removesuffix("s") or word for word in words]
    patterns = [re.compile(rf"(?<!\w){re.escape(stem)}", re.IGNORECASE) for stem in stems]

    def fits(line: str) -> bool:
        return all(pattern.search(line) for pattern in patterns)

    by_title, by_text = {}, {}
    for topic, summary in _ENTRY.findall(_source(_INDEX)):
        title, *lines = _page(topic).splitlines()
        if fits(f"{topic} {title} {' '.join(_COMMENT.findall(_source(topic)))}"):
            by_title[topic] = summary
        elif (line := next(filter(fits, lines), None)) is not None:
            by_text[topic] = shorten(line.strip("- "), WIDEST - 20, placeholder=" ...")
    return by_title, by_text


def _source(topic: str) -> str:
    return (PAGES / f"{topic}.md").read_text("utf-8")


def _page(topic: str) -> str:
    """Return a page as text: its title, a line for each paragraph and item, and its code blocks, indented."""
    lines: list[str] = []
    fence = ""  # what ends the code block that the line is in
    joins = False  # whether the next line continues the last one
    for line in _COMMENT.sub("", _source(topic)).strip().splitlines():
        if (opening := _FENCE.match(line)) and (not fence or line == fence):
            fence = "" if fence else opening[0]
            wraps, joins = line.endswith("```text"), False
            continue
        if fence:
            if joins and wraps and line.startswith("  "):
                lines[-1] += f" {line.strip()}"
            else:
                lines.append(f"  {line}" if line else "")
            joins = True
            continue
        text = _LINK.sub(r"\1", line.strip("# "))
        if entry := _ENTRY.match(line):
            lines.append(f"  {entry[1]:<13}  {entry[2]}")
        elif joins and text and not _ITEM.match(text):
            lines[-1] += f" {text}"
        else:
            lines.append(f"  {text}" if _ITEM.match(text) else text)
        joins = bool(text)
    return "\n".join(lines)
