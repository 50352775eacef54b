"""Every file of an export, made in memory: nothing is written before all of it is known to be right."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from studykit.card import Deck
from studykit.errors import BadDataError, NotFoundError, UsageError
from studykit.html import assets, datafiles
from studykit.html.render import Pages
from studykit.html.sites import SITES, Files, Fragment, folder
from studykit.html.view import DeckView, Problems, Tasks, view
from studykit.html.words import words


@dataclass(frozen=True, slots=True)
class Wishes:
    """How the author wants the pages."""

    site: str | None = None
    templates: Path | None = None
    base: str = ""  # the address at which the pages will stand, with a slash at its end


@dataclass(frozen=True, slots=True)
class Sourced:
    """A deck and the folder that its images may come from."""

    deck: Deck
    root: Path


def export(decks: Iterable[Sourced], tasks: Tasks, wishes: Wishes) -> dict[str, bytes]:
    """The files by name; refuses decks with problems, all of them named at once."""
    sourced = tuple(decks)
    if not sourced:
        raise NotFoundError("There is no deck to export; name one, or add one with `study deck add`.")
    if wishes.site is not None and wishes.site not in SITES:
        raise UsageError(f"--site {wishes.site} is not known; use one of {', '.join(SITES)}.")
    _refuse_clashes(sourced)
    problems = Problems()
    views = [view(each.deck, each.root, tasks, problems) for each in sourced]
    problems.refuse()
    drawn = tuple(deck for deck in views if deck is not None)
    files = _files(sourced, drawn, wishes)
    return {name: text.encode("utf-8", "replace") for name, text in sorted(files.items())}


def _files(sourced: tuple[Sourced, ...], decks: tuple[DeckView, ...], wishes: Wishes) -> Files:
    pages = Pages(wishes.templates)
    files: Files = {
        "index.html": pages.index(decks),
        "decks.json": datafiles.decks_json(decks),
        "feed.json": datafiles.feed_json(decks, words()["page"]["decks"], wishes.base),
        "studykit.css": assets.style("studykit.css") + "\n",
        "studykit.js": assets.review_script() + "\n",
    }
    if wishes.base:
        files["sitemap.xml"] = datafiles.sitemap(decks, wishes.base)
    if any(deck.exercises for deck in decks):
        files["studykit-exercises.js"] = assets.exercise_script() + "\n"
    around: Files = {}
    for source, deck in zip(sourced, decks, strict=True):
        fragment = Fragment(deck, pages.fragment(deck))
        files[f"{deck.file}.html"] = pages.deck(deck)
        files[f"{deck.file}.fragment.html"] = fragment.markup
        files[f"{deck.file}.json"] = datafiles.deck_json(source.deck)
        around |= SITES[wishes.site](fragment) if wishes.site else {}
    return {folder(wishes.site) + name: text for name, text in files.items()} | around


def _refuse_clashes(sourced: tuple[Sourced, ...]) -> None:
    seen: dict[str, Deck] = {}
    for each in sourced:
        other = seen.setdefault(each.deck.id, each.deck)
        if other is not each.deck:
            raise BadDataError(
                f"{each.deck.path}:1: {other.path} is a deck {each.deck.id} too; give one of them another id."
            )
