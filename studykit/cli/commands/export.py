"""`study export`: decks as web pages, progress as a document."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from studykit.cli.authors import attach
from studykit.cli.context import Context
from studykit.cli.options import Db, Json
from studykit.collection.files import DeckPath, Origin, Source, discover
from studykit.errors import NotFoundError, StudyError, UsageError
from studykit.text import counted

if TYPE_CHECKING:
    from studykit.html.deck_view import DeckPart
    from studykit.html.output_folder import FolderChanges

Decks = Annotated[
    list[str] | None, typer.Argument(metavar="[DECK]...", help="Decks by name, or deck files and folders.")
]
Out = Annotated[Path, typer.Option("--out", "-o", metavar="DIR", help="The folder to write into.")]
Site = Annotated[
    str | None,
    typer.Option("--site", metavar="HOST", help="Pages for a site as well: starlight, mkdocs, sphinx or hugo."),
]
Templates = Annotated[
    Path | None, typer.Option("--templates", metavar="DIR", help="Your own templates, used before ours.")
]
Base = Annotated[
    str, typer.Option("--base-url", metavar="URL", help="Where the pages will stand: for a sitemap and a feed.")
]
OutFile = Annotated[Path | None, typer.Option("--out", "-o", metavar="FILE", help="A file, not standard output.")]

_HELP = "Export decks as web pages, or your progress."


def register(app: typer.Typer) -> None:
    """Add the verb with its two kinds of export."""
    export = typer.Typer(help=_HELP, rich_markup_mode=None, no_args_is_help=True)
    export.command("html")(html)
    export.command("progress")(progress)
    app.add_typer(export, name="export")


def html(
    out: Out,
    decks: Decks = None,
    *,
    site: Site = None,
    templates: Templates = None,
    base_url: Base = "",
    json: Json = False,
    db: Db = None,
) -> None:
    """Write a page for each deck that works offline, without scripts, in print; and an index of them."""
    from studykit.html.exercise_cards import tasks
    from studykit.html.export import ExportOptions, export
    from studykit.html.output_folder import write
    from studykit.practice.kinds import page

    context = Context.from_environment(db)
    attach(context)
    export_options = ExportOptions(site, templates, _address(base_url))
    done = write(out, export(_parts(context, decks or ()), tasks(page), export_options))
    if json:
        context.write_json({"folder": str(out), "written": done.written, "removed": done.removed})
    else:
        context.write(_told(out, done))


def progress(out: OutFile = None, db: Db = None) -> None:
    """Write your whole log as a copy of progress, which a page and `study import` take."""
    from studykit.scheduling.progress_file import progress_json

    context = Context.from_environment(db)
    document = progress_json(context.store.log.events())
    if out is None:
        context.copy(document.rstrip("\n"))
        return
    try:
        out.write_text(document, encoding="utf-8")
    except OSError as error:
        raise StudyError(f"{out} cannot be written: {error.strerror}. Choose another file with -o.") from None


def _parts(context: Context, named: Sequence[str]) -> Iterable["DeckPart"]:
    """What is to be exported: files and folders as they are named, decks by id or name, or all decks."""
    from studykit.cards.problem import Problem, refuse
    from studykit.collection.collection import nearest, read_file
    from studykit.html.deck_view import DeckPart

    paths = [Path(name) for name in named if _is_path(name)]
    for path in paths:
        if not path.exists():
            raise NotFoundError(f"there is no file or folder {path}.")
    wanted = {name.casefold(): name for name in named if not _is_path(name)}
    files = [*discover([Source(path, Origin.OWN) for path in paths]).files]
    if wanted or not named:
        files += context.collection.files().files
    parts: list[DeckPart] = []
    problems: list[Problem] = []
    names: list[str] = []
    seen: set[str] = set()
    met: set[str] = set()
    for file in {file.path: file for file in files}.values():
        deck, wrong = read_file(file)
        called = {deck.id.casefold(), deck.name.casefold()} & wanted.keys()
        names += [deck.id, deck.name]
        if called or not wanted or _below(file, paths):
            met |= called
            problems += wrong
            own = [card for card in deck.cards if file.origin is not Origin.SHIPPED or card.id not in seen]
            seen.update(card.id for card in own)
            parts.append(DeckPart(replace(deck, cards=tuple(own)), Path(file.root)))
    for missing in wanted.keys() - met:
        raise NotFoundError(f"there is no deck {wanted[missing]!r}.{nearest(wanted[missing], names)}")
    refuse(problems)
    return parts


def _is_path(name: str) -> bool:
    return "/" in name or name.endswith(".md") or Path(name).is_dir()


def _below(file: DeckPath, paths: Iterable[Path]) -> bool:
    return any(Path(file.path).is_relative_to(path.absolute()) for path in paths)


def _address(base: str) -> str:
    if base and not base.startswith(("http://", "https://")):
        raise UsageError(f"--base-url {base} is no address; give one such as https://example.org/decks/")
    return base if not base or base.endswith("/") else f"{base}/"


def _told(out: Path, done: "FolderChanges") -> str:
    pages = sum(
        name.endswith(".html") and "fragment" not in name and not name.startswith("layouts/")
        for name in (*done.written, *done.unchanged)
    )
    removed = f", {len(done.removed)} removed" if done.removed else ""
    files = counted(len(done.written), "file")
    return f"{counted(pages, 'page')} in {out}: {files} written, {len(done.unchanged)} unchanged{removed}."
