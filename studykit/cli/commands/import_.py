"""`study import`: cards of Anki, Obsidian or a table, progress made on a web page, or a deck's data from one."""

import json as json_
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from studykit.cli.context import Context, context_of
from studykit.cli.exit import report_at_exit
from studykit.cli.options import Json
from studykit.cli.progress import progress
from studykit.errors import BadDataError, NotFoundError, UsageError
from studykit.text import counted

if TYPE_CHECKING:
    from studykit.formats.foreign_notes import Format

File = Annotated[
    Path,
    typer.Argument(metavar="FILE|FOLDER", help="A package of Anki's, a table, Obsidian's notes, or progress."),
]
Out = Annotated[
    Path | None,
    typer.Option("--out", "-o", metavar="DIR", help="The folder to put decks into (else one of your own)."),
]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Import without asking.")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Say what it would do, and change nothing.")]
DueDays = Annotated[
    bool,
    typer.Option("--due-days", help="Keep the due days of the other program, not those SM-2 gives its history."),
]

LARGEST_BYTES = 100_000_000
_SHOWN = 5
MOST_PARTS, _BYTES_A_PART = 1_000_000, 8
"""Values of a small document, and bytes for each one beyond: empty lists take thirty times their size to read."""

_PARTS = (b",", b"[", b"{")


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command("import")(import_)


def import_(
    ctx: typer.Context,
    file: File,
    *,
    out: Out = None,
    yes: Yes = False,
    dry_run: DryRun = False,
    due_days: DueDays = False,
    json: Json = False,
) -> None:
    """Bring your cards from Anki, Obsidian or a table, or progress from a page; doing it twice changes nothing."""
    context = context_of(ctx)
    if (known := _format(file)) is not None:
        from studykit.cli.card_import import ImportChoices, import_cards

        import_cards(context, known, file, ImportChoices(out, yes, dry_run, due_days, json))
        return
    document = _document(file)
    if isinstance(document, dict) and document.get("kind") == "studykit-deck":
        _deck(context, document, file, out)
        return
    from studykit.cli.backup_run import back_up_if_due
    from studykit.scheduling.progress_file import read_progress

    read = read_progress(document, file.name)
    back_up_if_due(context, "import")
    with progress(context, f"importing {counted(len(read.events), 'event')}"):
        counts = context.store.log.merge(read.events)
    if json:
        context.write_json({"added": counts.added, "known": counts.known, "aside": list(read.aside)})
    else:
        context.write(f"{counted(counts.added, 'event')} added, {counts.known} known before.")
    if read.aside:
        report_at_exit(BadDataError(_told(read.aside)))


def _format(file: Path) -> "Format | None":
    """The format of cards that a file is in; None for a document, which is looked at by itself."""
    from studykit.formats.registry import folder_format, format_of

    return folder_format(file) if file.is_dir() else None if file.suffix == ".json" else format_of(file)


def _told(aside: Sequence[str]) -> str:
    """What of a file was not taken, a few of many."""
    more = [f"and {len(aside) - _SHOWN:,} more; --json lists them all."] if len(aside) > _SHOWN else []
    return "\n".join([*aside[:_SHOWN], *more])


def _document(file: Path) -> object:
    from studykit.ordinary_file import NotOrdinaryError, read_ordinary

    try:
        return document_of(read_ordinary(file, LARGEST_BYTES, follow=True), file)
    except NotOrdinaryError as error:
        raise BadDataError(f"{file} {error}; give a copy of progress, or save it to a file first.") from None
    except OSError as error:
        raise NotFoundError(f"{file} cannot be read: {error.strerror}.") from None


def document_of(data: bytes, file: Path) -> object:
    """The document that a file holds; refused where there is none, or one that takes far more memory than room."""
    try:
        if sum(map(data.count, _PARTS)) > MOST_PARTS + len(data) // _BYTES_A_PART:
            raise BadDataError(f"{file} holds more values than a copy of progress of its size; save it again.")
        return json_.loads(data)
    except (ValueError, RecursionError):
        raise BadDataError(f"{file} is no JSON; give a copy of progress, or a deck's data, from a page.") from None


def _deck(context: Context, document: object, file: Path, out: Path | None) -> None:
    from studykit.html.data_files import deck_texts
    from studykit.html.output_folder import write_new

    if out is None:
        raise UsageError(f"{file.name} is a deck; give the folder for its text with -o.")
    texts = deck_texts(document, file.name)
    write_new(out, {name: text.encode(errors="replace") for name, text in texts.items()})
    context.write("\n".join(str(out / name) for name in texts))
