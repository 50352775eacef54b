"""Export decks as web pages, for Anki, as a table or as text, and progress as JSON: `study export`."""

import re
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from studykit.cards.card import Card, Deck
from studykit.cards.problem import Severity
from studykit.cli.authors import attach_authors
from studykit.cli.context import Context, context_of
from studykit.cli.display import refuse_own_file, replace_output
from studykit.cli.options import Json, write_result
from studykit.cli.progress_bar import progress as progress_bar
from studykit.collection.lookup import named_decks
from studykit.errors import NotFoundError, StudyError, UsageError
from studykit.exercise.registry import page
from studykit.formats.export_notes import ExportedDecks, TwoSides, exported_answers, exported_notes
from studykit.ordinary_file import explaining
from studykit.scheduling.progress_file import progress_json
from studykit.text import counted, escaped

if TYPE_CHECKING:
    from studykit.cards.problem import Problem
    from studykit.html.deck_view import DeckPart
    from studykit.html.export import ExportOptions

_MAX_LINKS = 5

Decks = Annotated[
    list[str] | None, typer.Argument(metavar="[DECK]...", help="Decks by name, or deck files and folders.")
]
Out = Annotated[Path, typer.Option("--out", "-o", metavar="DIR", help="The folder to write into.")]
PageOut = Annotated[
    Path, typer.Option("--out", "-o", metavar="DIR", help="The folder to write into; with --cards the file.")
]
Cards = Annotated[
    str | None,
    typer.Option("--cards", metavar="ID,ID", help="These cards only, as HTML for the middle of a lesson."),
]
Site = Annotated[
    str | None,
    typer.Option("--site", metavar="HOST", help="Pages for a site as well: starlight, mkdocs, sphinx or hugo."),
]
StringsFile = Annotated[
    Path | None,
    typer.Option(
        "--strings", metavar="FILE", help="Your own words for the pages, in TOML or JSON; ours where it has none."
    ),
]
Course = Annotated[
    str,
    typer.Option(
        "--course", metavar="NAME", help="The course whose pages share one progress, else as the decks say."
    ),
]
Strict = Annotated[bool, typer.Option("--strict", help="Refuse the export where a picture is missing.")]
FormerFile = Annotated[
    Path | None,
    typer.Option("--former", metavar="FILE", help="The studykit.json of the last export, where it is not in DIR."),
]
App = Annotated[
    bool, typer.Option("--app", help="Also write app.html, an installable offline review of all decks.")
]
Package = Annotated[Path, typer.Option("--out", "-o", metavar="FILE", help="The package, such as cards.apkg.")]
OutFile = Annotated[Path | None, typer.Option("--out", "-o", metavar="FILE", help="A file, not standard output.")]


def html(
    ctx: typer.Context,
    out: PageOut,
    decks: Decks = None,
    *,
    cards: Cards = None,
    site: Site = None,
    app: App = False,
    strings: StringsFile = None,
    course: Course = "",
    former: FormerFile = None,
    strict: Strict = False,
    json: Json = False,
) -> None:
    """Write a page for each deck, and an index. They work offline, without scripts and in print."""
    from studykit.cards.lint import shown_as_tex
    from studykit.cli.commands.check import renderers
    from studykit.html.deck_view import DeckPart
    from studykit.html.export import PARTS_A_DECK, ExportOptions, export
    from studykit.html.former import NAME, Former, read_former
    from studykit.html.output_folder import write
    from studykit.html.sites import SITES
    from studykit.html.strings import read_strings, shipped

    context = context_of(ctx)
    attach_authors(context)
    record = None
    if cards is None or former is not None:
        record = read_former(former or out / (SITES[site].folder if site in SITES else "") / NAME)
    if record is None and former is not None:
        raise NotFoundError(f"{former} does not exist. Give --former the studykit.json of the last export.")
    words = read_strings(strings) if strings else shipped()
    options = ExportOptions(site, app, words, course, strict, record or Former())
    parts = [DeckPart(deck, Path(file.root)) for file, deck in named_decks(context.collection, decks or ())]
    if cards is not None:
        _write_cards(context, out, parts, cards, options, json=json)
        return
    parts = [replace(part, deck=_askable(context, part.deck)) for part in parts]
    left_out: list[Problem] = []
    with progress_bar(context, "exporting", PARTS_A_DECK * len({part.deck.id for part in parts})) as bar:
        changes = write(out, export(parts, page, options, bar.advance, left_out.append))
    for problem in left_out:
        context.tell(f"{problem} Its card is left out.")
    count = sum(not card.named for part in parts for card in part.deck.cards)
    if record is None and count:
        context.tell(
            f"{out} has no former export: {counted(count, 'card')} without an id would be new to readers"
            f" if reworded since. Name the {NAME} of the last export with --former, or give ids with"
            " study check --fix."
        )
    for problem in shown_as_tex([part.deck for part in parts], renderers(strict=False)):
        context.tell(str(problem))
    document = {"folder": str(out), "written": changes.written, "removed": changes.removed}
    files, removed = counted(len(changes.written), "file"), len(changes.removed)
    message = f"{out}: {files} written, {len(changes.unchanged)} unchanged, {removed} removed."
    write_result(context, document, [message], json=json)


def anki(ctx: typer.Context, out: Package, decks: Decks = None, *, json: Json = False) -> None:
    """Write a package for Anki. It has texts, media, schedules and answers. Exercises have one set of numbers."""
    from studykit.formats.anki_export import write_package

    context = context_of(ctx)
    with explaining(f"{out} cannot be written: ", ". Choose another file.", StudyError):
        refuse_own_file(out)
        result = write_package(out, _exported_decks(context, decks or ()), context.now(), context.zone)
    parts = [counted(result.notes, "note"), counted(result.cards, "card"), counted(result.answers, "answer")]
    lines = [f"{out}: {', '.join(parts)}, {counted(result.media, 'media file')}."]
    if result.foreign:
        lines.append(
            f"{counted(result.foreign, 'note')} came from Anki and do not go back into their own note types. In "
            "the collection they came from, Anki keeps its own and doubles those that were split. Name other "
            "decks."
        )
    if result.narrowed_answers:
        lines.append(
            f"{counted(result.narrowed_answers, 'typed answer')} with several right ones, in gaps, or "
            "asked both ways: Anki takes only the first, or shows it untyped."
        )
    lines.append(
        "Anki takes schedules and answers only of cards that are new to it; of others it takes newer texts."
    )
    write_result(context, {"file": str(out), **asdict(result)}, lines, json=json)
    _tell_lacking(context, () if json else result.lacking)


def csv(ctx: typer.Context, decks: Decks = None, out: OutFile = None) -> None:
    """Write your cards as a table, with their schedules. Texts are Markdown."""
    from studykit.formats.text_export import table

    context = context_of(ctx)
    export_decks = _exported_decks(context, decks or (), log=False)
    text = table(export_decks)
    if out is None:
        # A terminal would obey the characters of a deck that another program gets unchanged.
        context.copy((context.spelled(text) if context.on_terminal else text).rstrip("\n"))
    else:
        replace_output(out, text)
        context.write(f"{out}: {counted(sum(len(note.cards) for note in export_decks.notes), 'card')}.")


def md(ctx: typer.Context, out: Out, decks: Decks = None) -> None:
    """Write your decks' own text with their pictures into a folder."""
    from studykit.formats.text_export import markdown_files
    from studykit.html.output_folder import write

    context = context_of(ctx)
    files, lacking = markdown_files(_named_decks(context, decks or ()))
    changes = write(out, files)
    context.write(f"{counted(len(files), 'file')} in {out}: {len(changes.written)} written.")
    _tell_lacking(context, lacking)


def progress(ctx: typer.Context, out: OutFile = None) -> None:
    """Write your whole log, for `study import` or an exported page."""
    context = context_of(ctx)
    events = tuple(context.store.log.events())
    document = progress_json(events)
    if out is None:
        context.copy(escaped(document.rstrip("\n")))
        return
    replace_output(out, document)
    context.write(f"{out}: {counted(len(events), 'event')}.")


def _tell_lacking(context: Context, links: Sequence[str]) -> None:
    if links:
        names = ", ".join(links[:_MAX_LINKS]) + (", ..." if len(links) > _MAX_LINKS else "")
        context.tell(f"{counted(len(links), 'link')} to no file next to the decks: {names}")


def _askable(context: Context, deck: Deck) -> Deck:
    """Return the deck without exercise cards that can never be asked, and report those."""
    from studykit.cli.commands.check import exercise_problem

    cards = []
    for card in deck.cards:
        problem = exercise_problem(card)
        if problem is not None and problem.severity is Severity.ERROR:
            context.tell(f"{card.path}:{card.line}: left out: {problem.message}")
        else:
            cards.append(card)
    return deck._replace(cards=tuple(cards))


def _write_cards(
    context: Context, out: Path, parts: list["DeckPart"], cards: str, options: "ExportOptions", *, json: bool
) -> None:
    """Write the named cards into a file, and next to it the style and scripts that they need on a page."""
    from studykit.html.lesson_cards import lesson_cards
    from studykit.html.output_folder import write

    if options.site or options.app:
        raise UsageError("--cards makes HTML for any page. Leave --site and --app out.")
    if out.is_dir():
        raise UsageError(f"{out} is a folder. With --cards give -o a file, such as cards.html.")
    names = re.findall(r"[^\s,]+", cards)
    if not names:
        raise UsageError("--cards names no card. Give ids, such as --cards six-nd,matmul-flops.")
    lesson = lesson_cards(parts, names, page, options)
    files = {out.name: lesson.markup.encode("utf-8", "replace"), **lesson.shared()}
    changes = write(out.parent, files, keep=True)
    lines = [
        f"{counted(lesson.count, 'card')} in {out}. Its page takes these in once:",
        '  <link rel="stylesheet" href="studykit.css">',
        *(f'  <script src="{name}" defer></script>' for name in lesson.scripts),
    ]
    document = {"file": str(out), "cards": lesson.count, "written": changes.written}
    write_result(context, document, lines, json=json)


def _named_decks(context: Context, names: Sequence[str]) -> list[Deck]:
    """Return decks by name or path, or all without names, after reading changed files."""
    context.refreshed_store(quiet=True)
    return [deck for _, deck in named_decks(context.collection, names)]


def _exported_decks(context: Context, names: Sequence[str], *, log: bool = True) -> ExportedDecks:
    """Return the notes of some decks with schedules, marks and, if wanted, every answer."""
    attach_authors(context)
    decks = _named_decks(context, names)
    tasks = sum(card.task is not None for deck in decks for card in deck.cards)
    with progress_bar(context, "drawing exercises", tasks) as bar:

        def draw(card: Card) -> TwoSides | None:
            bar.advance()
            return _draw_exercise(card)

        notes = tuple(exported_notes(decks, draw))
    store = context.store
    cards = {card.id for note in notes for card in note.cards}
    memories = {card: memory for card, memory in store.schedule.memories().items() if card in cards}
    answers = exported_answers([*store.log.events()], cards, store.schedule.moved()) if log else ()
    return ExportedDecks(notes, memories, store.schedule.marks(), tuple(answers))


def _draw_exercise(card: Card) -> TwoSides | None:
    """Return the first variant of an exercise and its solution, or None if these do not fit on a card."""
    from studykit.html.numeric_sets import solution_text

    if card.task is None:
        return None
    try:
        content = page(card.task)
    except StudyError:
        return None
    if content.variants:
        return content.variants[0].prompt, solution_text(content.variants[0])
    solution = content.solution or (content.command and f"In a terminal: `{content.command}`")
    return (content.prompt, solution) if content.prompt and solution else None


COMMANDS = {"html": html, "anki": anki, "csv": csv, "md": md, "progress": progress}
