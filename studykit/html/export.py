"""Make every file of an export in memory, so that nothing is written if there is an error."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256

from studykit.cards.problem import Problem, refuse
from studykit.errors import NotFoundError, UsageError
from studykit.html import assets, data_files
from studykit.html.card_html import clean
from studykit.html.deck_view import DeckPart, DeckView, Problems, Tasks, view
from studykit.html.former import NAME, Former
from studykit.html.pages import Pages
from studykit.html.phone_app import app_files
from studykit.html.sites import SITES, site_files
from studykit.html.strings import Strings, shipped

PARTS_A_DECK = 2
"""Steps of progress for each deck: checking it, and rendering its pages."""


@dataclass(frozen=True, slots=True)
class ExportOptions:
    """Hold an author's choices for the pages."""

    site: str | None = None
    app: bool = False  # also make an app of all decks that a phone can install
    strings: Strings = field(default_factory=shipped)  # words of the pages around the cards
    course: str = ""  # its decks share one log in a browser; if empty, the decks' own courses do
    is_strict: bool = False  # a missing picture stops the export, not only its card
    former: Former = field(default_factory=Former)  # record of the exports so far


def export(
    parts: Iterable[DeckPart],
    tasks: Tasks,
    options: ExportOptions,
    advance: Callable[[int], object] = lambda _: None,
    tell: Callable[[Problem], object] = lambda _: None,
) -> dict[str, bytes]:
    """Return the files by name, or raise one error that lists the problems of all decks.

    `advance` counts each step. `tell` gets each problem that leaves out a card, such as a missing picture.
    """
    if options.site is not None and options.site not in SITES:
        raise UsageError(f"--site {options.site!r} is unknown. Use one of {', '.join(SITES)}.")
    if options.app and options.site is not None:
        raise UsageError("--app makes a folder that stands on its own. Give one of --app and --site.")
    decks = _decks(parts)
    if not decks:
        raise NotFoundError(
            "You have no deck to export. Name a deck's file, or add it with", "study deck add PATH"
        )
    problems = Problems(left_out=None if options.is_strict else {})
    views = []
    for deck in decks:
        views.append(view(deck, tasks, problems, options.strings))
        advance(1)
    problems.refuse()
    for problem in problems.left_out or ():
        tell(problem)
    of_decks = zip(decks, views, strict=True)
    cards = [(deck.file, [card for part in parts for card in part.deck.cards]) for parts, deck in of_decks if deck]
    options = replace(options, former=options.former.next(cards))
    data = [data_files.deck_json([part.deck for part in parts]) for parts in decks]
    deck_views = _in_course([deck for deck in views if deck is not None], data, options)
    pages = Pages(options.strings)
    texts = _files(data, deck_views, pages, options, advance)
    files = {name: text.encode("utf-8", "replace") for name, text in texts.items()}
    return dict(sorted((files | (app_files(pages, deck_views, files) if options.app else {})).items()))


def _files(
    data: Sequence[str],
    deck_views: tuple[DeckView, ...],
    pages: Pages,
    options: ExportOptions,
    advance: Callable[[int], object],
) -> dict[str, str]:
    title, has_pages = options.strings["page"]["decks"], options.site is None
    files = {
        "decks.json": data_files.decks_json(deck_views, deck_views[0].version, has_pages=has_pages),
        "studykit.css": assets.style("host.css", *assets.STYLES),
        NAME: options.former.json(),
    }
    if has_pages:  # a site has its own pages and index
        files["index.html"] = pages.index(deck_views, has_app=options.app)
        files |= {f"{old}.html": pages.leading_on(new) for old, new in options.former.pages.items()}
    scripts = dict.fromkeys(["studykit.js", *(name for deck in deck_views for name in deck.scripts)])
    files |= {name: assets.script(name, options.strings) for name in scripts}
    followers = [*deck_views[1:], None]
    for deck_data, deck, following in zip(data, deck_views, followers, strict=True):
        if not options.site:
            files[f"{deck.file}.html"] = pages.deck(deck, following, shared=options.app)
        files[f"{deck.file}.fragment.html"] = pages.fragment(deck)
        files[f"{deck.file}.json"] = deck_data
        advance(1)
    if not options.site:
        return files
    fragments = [(deck, files[f"{deck.file}.fragment.html"]) for deck in deck_views]
    site_texts = site_files(
        options.site, fragments, data_files.course_json(deck_views, pages), title, pages.of_site
    )
    return {SITES[options.site].folder + name: text for name, text in files.items()} | site_texts


def _in_course(views: Sequence[DeckView], data: Sequence[str], options: ExportOptions) -> tuple[DeckView, ...]:
    """Return the decks as parts of their course, with their cards' former ids and the version of the pages."""
    looks = [
        assets.style("host.css", *assets.STYLES),
        *(assets.script(name, options.strings) for name in assets.SCRIPTS),
    ]
    words = repr((options.strings.tables, options.course, options.former.moved, options.former.pages))
    version = sha256("".join([*data, *looks, words]).encode("utf-8", "replace")).hexdigest()[:16]
    course = clean(" ".join(options.course.split()))
    moved = {clean(old): clean(new) for old, new in options.former.moved.items()}
    return tuple(
        replace(
            deck,
            course=course or deck.course,
            version=version,
            moved={old: new for old, new in moved.items() if new in {card.id for card in deck.cards}},
        )
        for deck in views
    )


def _decks(parts: Iterable[DeckPart]) -> list[list[DeckPart]]:
    """Group the parts by deck. Raise an error for one id with two names, or one card id in two places."""
    decks: dict[str, list[DeckPart]] = {}
    places: dict[str, dict[str, str]] = {}  # path and line of each card, by deck
    explicit_ids: dict[str, str] = {}  # of all decks, with their places
    problems: list[Problem] = []
    for part in parts:
        deck, others = part.deck, decks.setdefault(part.deck.id, [])
        if others and others[0].deck.name != deck.name:
            head = others[0].deck
            message = f"{head.path} gives the id {deck.id} to the deck {head.name!r}; give one of them another id."
            problems.append(Problem(deck.path, 1, message))
        earlier = places.setdefault(deck.id, {})
        for card in deck.cards:
            if (twin := earlier.get(card.id) or (explicit_ids.get(card.id) if card.named else None)) is not None:
                message = f"#{card.id} is already the id of {twin}; choose another."
                problems.append(Problem(card.path, card.line, message))
        earlier.update((card.id, f"{card.path}:{card.line}") for card in deck.cards)
        explicit_ids.update((card.id, f"{card.path}:{card.line}") for card in deck.cards if card.named)
        others.append(part)
    refuse(problems)
    return list(decks.values())
