"""`study import`: progress that was made on a web page, or a deck that a page offers as data."""

import json as json_
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from studykit.cli.context import Context, context_of
from studykit.cli.exit import report_at_exit
from studykit.cli.options import Json
from studykit.cli.progress_bar import progress
from studykit.errors import BadDataError, NotFoundError, UsageError
from studykit.text import counted

File = Annotated[Path, typer.Argument(metavar="FILE", help="A copy of progress, or a deck's data.")]
Out = Annotated[
    Path | None, typer.Option("--out", "-o", metavar="DIR", help="For a deck: the folder to put its text into.")
]

LARGEST_BYTES = 100_000_000
_SHOWN = 5
MOST_PARTS, _BYTES_A_PART = 1_000_000, 8
"""Values of a small document, and bytes for each one beyond: empty lists take thirty times their size to read."""

_PARTS = (b",", b"[", b"{")


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command("import")(import_)


def import_(ctx: typer.Context, file: File, out: Out = None, json: Json = False) -> None:
    """Take progress made on a web page into your log; doing it twice changes nothing."""
    context = context_of(ctx)
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


def _told(aside: Sequence[str]) -> str:
    """What of a file was not taken, a few of many."""
    more = [f"and {len(aside) - _SHOWN:,} more; --json lists them all."] if len(aside) > _SHOWN else []
    return "\n".join([*aside[:_SHOWN], *more])


def _document(file: Path) -> object:
    try:
        with file.open("rb") as opened:
            data = opened.read(LARGEST_BYTES + 1)  # a device has no size and no end
        if len(data) > LARGEST_BYTES:
            raise BadDataError(f"{file} is larger than {LARGEST_BYTES // 10**6} MB; no copy of progress is.")
        if sum(map(data.count, _PARTS)) > MOST_PARTS + len(data) // _BYTES_A_PART:
            raise BadDataError(f"{file} holds more values than a copy of progress of its size; save it again.")
        return json_.loads(data)
    except OSError as error:
        raise NotFoundError(f"{file} cannot be read: {error.strerror}.") from None
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
