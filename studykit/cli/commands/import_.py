"""Import cards of Anki, Obsidian or a table, and progress made on a web page: `study import`."""

import json as json_
from collections import Counter
from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated

import typer

from studykit import paths
from studykit.cards.wording import excerpt
from studykit.cli.commands.backup import back_up_if_due, backups_of
from studykit.cli.context import Context, context_of
from studykit.cli.display import in_a_line
from studykit.cli.exit import report_at_exit
from studykit.cli.options import DryRun, Json, Yes, full_path, write_result
from studykit.cli.progress_bar import progress
from studykit.config import SettingValue, change_config
from studykit.errors import BadDataError, NotFoundError, UsageError
from studykit.ordinary_file import read_named
from studykit.scheduling.event_kinds import EventKind
from studykit.text import counted, texts

if TYPE_CHECKING:
    from studykit.formats.foreign_notes import Format
    from studykit.formats.takeover import Takeover

_CARDS_SHOWN = 10  # of the preview
_SIDE = 60  # characters of a side there
_SIDE_READ = 400  # that may make them
_BESIDES = {
    EventKind.RESET: "forgotten card",
    EventKind.ADOPT: "adopted due day",
    EventKind.SUSPEND: "suspended card",
    EventKind.FLAG: "flagged card",
}

File = Annotated[
    Path,
    typer.Argument(metavar="FILE|FOLDER", help="A package of Anki's, a table, Obsidian's notes, or progress."),
]
Out = Annotated[
    Path | None,
    typer.Option("--out", "-o", metavar="DIR", help="The folder to put decks into (else one of your own)."),
]
DueDays = Annotated[
    bool, typer.Option("--due-days", help="Keep the other program's due days instead of replaying its history.")
]

MAX_BYTES = 100_000_000
_SHOWN = 5
MAX_PARTS, _BYTES_A_PART = 1_000_000, 8
"""Values that any document may have, and bytes for each one more, as empty lists take much memory."""

_PARTS = (b",", b"[", b"{")


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
    """Import cards from Anki, Obsidian or a table, or progress from a page. Importing twice changes nothing."""
    from studykit.formats.registry import format_of, refuse_unknown

    context = context_of(ctx)
    is_document = file.suffix == ".json" and not file.is_dir()  # it is looked at by itself
    source = None if is_document else format_of(file)
    if source is None:
        refuse_unknown(file)
        _import_progress(context, file, json=json)
        return
    if json and not yes and not dry_run:
        raise UsageError("--json asks no question. Add --yes to import, or --dry-run to look.")
    takeover = _takeover(context, source, file, out, due_days=due_days)
    if takeover.source.losses.mendable and not (takeover.new or takeover.known):
        report_at_exit(BadDataError("No note was imported. Correct what was left out, then import it again."))
    if json:
        if not dry_run:
            _take(context, takeover)
        context.write_json(_takeover_document(takeover, source.NAME))
        return
    context.write("\n".join(_preview(context, takeover, source.NAME)))
    if dry_run:
        context.write("Nothing was changed.")
    elif takeover.is_nothing:
        _add_deck_folder(context, takeover.folder)
    elif yes or _agrees(context, takeover):
        remove = [f"study deck remove {quote(str(takeover.folder))}"] * _take(context, takeover)
        where = f" Its decks are in {takeover.folder}." if takeover.texts else ""
        context.write(f"Imported.{where}")
        if newest := backups_of(context).newest(context.now()):
            context.write(f"To take it back: {' && '.join([f'study backup restore {newest[0]}', *remove])}")
    else:
        context.write("Nothing was imported.")


def _import_progress(context: Context, file: Path, *, json: bool) -> None:
    """Merge the events of a copy of progress into the log."""
    from studykit.scheduling.progress_file import read_progress

    if not file.exists():
        raise NotFoundError(f"{file} does not exist. Name another file.")
    data = read_named(file, MAX_BYTES, "Give a copy of progress, or save it to a file first.", BadDataError)
    copy = read_progress(parse_document(data, file), file.name, context.today() + timedelta(days=1))
    back_up_if_due(context, "import")
    with progress(context, f"importing {counted(len(copy.events), 'event')}"):
        counts = context.store.log.merge(copy.events)
    document = {"added": counts.added, "known": counts.known, "aside": list(copy.aside)}
    message = f"{counted(counts.added, 'event')} added, {counts.known} known before."
    write_result(context, document, [message], json=json)
    if copy.aside:
        rest = [f"and {len(copy.aside) - _SHOWN:,} more; --json lists them all."] if copy.aside[_SHOWN:] else []
        report_at_exit(BadDataError("\n".join([*copy.aside[:_SHOWN], *rest])))


def parse_document(data: bytes, file: Path) -> object:
    """Parse a copy of progress, or raise BadDataError if it is not JSON or holds too many values."""
    try:
        if sum(map(data.count, _PARTS)) > MAX_PARTS + len(data) // _BYTES_A_PART:
            raise BadDataError(f"{file} holds too many values for a copy of progress. Save the copy again.")
        return json_.loads(data)
    except (ValueError, RecursionError):
        raise BadDataError(
            f"{file} is not JSON. Give a copy of progress, from a page or from study export progress."
        ) from None


def _takeover(context: Context, source: "Format", path: Path, out: Path | None, *, due_days: bool) -> "Takeover":
    """Read the notes of a file, and plan their import by comparing them with the present cards."""
    from studykit.formats.foreign_notes import ReadOptions
    from studykit.formats.takeover import PresentCards, plan

    with progress(context, "reading") as bar:
        notes = source.read(path, ReadOptions(context.today(), context.zone, bar.reach))
    safe_name = "".join(sign if sign.isalnum() or sign in " -_" else "-" for sign in notes.name).strip(" -")
    folder = full_path(out or Path(paths.database()).parent / "imported" / (safe_name[:_SIDE] or "cards"))
    store = context.refreshed_store(quiet=True)
    present, zone = PresentCards(store, context.collection.course_names()), (context.zone_name, context.zone)
    with progress(context, "comparing") as bar:
        return plan(notes, present, folder, *zone, due_days=due_days, reach=bar.reach)


def _take(context: Context, takeover: "Takeover") -> bool:
    """Import the planned notes and events, and return whether their folder of decks was added."""
    from studykit.formats.takeover import carry_out

    if not takeover.is_nothing:
        back_up_if_due(context, "import")
        with progress(context, "importing"):
            carry_out(takeover, context.store)
    return _add_deck_folder(context, takeover.folder)


def _add_deck_folder(context: Context, folder: Path) -> bool:
    """Add the decks to the learner's own, and return whether they were new."""
    before = context.config["decks"]

    def changes(config: Mapping[str, object]) -> Mapping[str, SettingValue]:
        decks = texts(config, "decks")
        is_there = any(folder.is_relative_to(paths.expanded(one)) for one in decks)
        return {} if is_there or not folder.is_dir() else {"decks": [*decks, str(folder)]}

    change_config(context.config_file, changes)
    context.forget_collection()
    context.refreshed_store(quiet=True)
    return bool(context.config["decks"] != before)


def _agrees(context: Context, takeover: "Takeover") -> bool:
    if not context.interactive:
        raise UsageError("This is not a terminal. Add --yes to import, or --dry-run to look.")
    return context.confirm(f"Import {_amount(takeover)} into {takeover.folder}?")


def _preview(context: Context, takeover: "Takeover", format_name: str) -> list[str]:
    """Preview a few cards, the counts, and what is lost."""
    from studykit.formats.takeover import REWORDED
    from studykit.review.typed_answer import shown

    lines = []
    for card in takeover.cards[:_CARDS_SHOWN]:
        sides = (excerpt(in_a_line(context, side[:_SIDE_READ]), _SIDE) for side in (card.prompt, shown(card)))
        lines.append(f"  {'  |  '.join(sides)}")
    if len(takeover.cards) > _CARDS_SHOWN:
        lines.append(f"and {counted(len(takeover.cards) - _CARDS_SHOWN, 'more card')}")
    losses = takeover.source.losses
    known_words = f"{takeover.known:,} known before" if takeover.known else "none known before"
    left_out = f"; {losses.left_out:,} left out of {takeover.source.entries:,}" if losses.left_out else ""
    lines += [*([""] if lines else []), f"{format_name}: {_amount(takeover)}; {known_words}{left_out}."]
    if takeover.lacking:
        lines.append(
            f"{counted(takeover.lacking, 'note')} went missing. This is a bug in studykit. Please report it."
        )
    is_repeated = takeover.is_nothing and not losses.left_out
    if loss_lines := [line for line in losses.lines() if not is_repeated or line.startswith(REWORDED)]:
        lines += ["Not as it was there:", *(f"  {line}" for line in loss_lines)]
    return lines


def _amount(takeover: "Takeover") -> str:
    kinds = Counter(event.kind for event in takeover.events)
    always = (takeover.new, "new note"), (len(takeover.cards), "card"), (takeover.reviews, "review")
    others = [*((kinds[kind], what) for kind, what in _BESIDES.items()), (len(takeover.media), "media file")]
    return ", ".join(counted(*each) for each in (*always, *(other for other in others if other[0])))


def _takeover_document(takeover: "Takeover", format_name: str) -> Mapping[str, object]:
    return {
        "format": format_name,
        "folder": str(takeover.folder),
        "notes": takeover.new,
        "notes_known": takeover.known,
        "notes_left_out": takeover.source.losses.left_out,
        "cards": len(takeover.cards),
        "reviews": takeover.reviews,
        "added": len(takeover.events),
        "known": takeover.known_events,
        "media": len(takeover.media),
        "decks": sorted(takeover.texts),
        "lost": list(takeover.source.losses.lines()),
    }
