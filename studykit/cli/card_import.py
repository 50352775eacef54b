"""Cards of another program taken in: told first, asked once, then done as a whole."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from studykit import paths
from studykit.cards.wording import excerpt
from studykit.cli.backup_run import back_up_if_due
from studykit.cli.context import Context
from studykit.cli.display import in_a_line
from studykit.cli.progress import progress
from studykit.config import SettingValue, change_config
from studykit.errors import UsageError
from studykit.formats.foreign_notes import Format, ReadOptions
from studykit.formats.takeover import LearnerZone, PresentCards, Takeover, carry_out, plan
from studykit.scheduling.events import EventKind
from studykit.text import counted

if TYPE_CHECKING:
    from studykit.cards.card import Card

_SHOWN = 10  # cards of the preview
_SIDE = 60  # characters of a side there
_READ = 400  # that may make them
_BESIDES = {
    EventKind.RESET: "card forgotten there",
    EventKind.ADOPT: "adopted due day",
    EventKind.SUSPEND: "suspended card",
    EventKind.FLAG: "flagged card",
}


@dataclass(frozen=True, slots=True)
class ImportChoices:
    """What the learner asked for."""

    out: Path | None = None
    yes: bool = False
    dry_run: bool = False
    due_days: bool = False
    json: bool = False


def import_cards(context: Context, source: Format, path: Path, choices: ImportChoices) -> None:
    """Read a file, show what it brings, ask, and take it in."""
    takeover = _planned(context, source, path, choices)
    if choices.json:
        if not choices.dry_run:
            _carried_out(context, takeover, choices)
        context.write_json(_document(takeover, source.NAME))
        return
    context.write("\n".join(_told(context, takeover, source.NAME)))
    if choices.dry_run:
        context.write("Nothing was changed.")
    elif takeover.is_nothing:
        _configured(context, takeover.folder)
    elif choices.yes or _agreed(context, takeover):
        _carried_out(context, takeover, choices)
        where = f" Its decks are in {takeover.folder}." if takeover.texts else ""
        context.write(f"Imported.{where}")
    else:
        context.write("Nothing was imported.")


def _planned(context: Context, source: Format, path: Path, choices: ImportChoices) -> Takeover:
    with progress(context, "reading") as bar:
        found = source.read(path, ReadOptions(context.today(), context.zone, bar.reach))
    folder = (choices.out or paths.database().parent / "imported" / _folder_name(found.name)).absolute()
    store = context.refreshed_store(quiet=True)
    zone = LearnerZone(context.zone_name, context.zone)
    present = PresentCards.of(store)
    with progress(context, "comparing") as bar:
        return plan(found, present, folder, zone, due_days=choices.due_days, reach=bar.reach)


def _carried_out(context: Context, takeover: Takeover, choices: ImportChoices) -> None:
    if not choices.yes and choices.json:
        raise UsageError("--json asks no question: add --yes to import, or --dry-run to look.")
    if not takeover.is_nothing:
        back_up_if_due(context, "import")
        with progress(context, "importing"):
            carry_out(takeover, context.store)
    _configured(context, takeover.folder)


def _configured(context: Context, folder: Path) -> None:
    """Let the decks be among the learner's own, if they are there and not named before."""

    def added(config: Mapping[str, object]) -> Mapping[str, SettingValue]:
        named = config.get("decks", [])
        decks = [str(one) for one in named] if isinstance(named, list) else []
        known = any(folder.is_relative_to(paths.expanded(one)) for one in decks)
        return {} if known or not folder.is_dir() else {"decks": [*decks, str(folder)]}

    change_config(context.config_file, added)
    context.forget_collection()
    context.refreshed_store(quiet=True)


def _agreed(context: Context, takeover: Takeover) -> bool:
    if not context.interactive:
        raise UsageError("there is nobody to ask: add --yes to import this, or --dry-run to look.")
    return context.confirm(f"Import {_amount(takeover)} into {takeover.folder}?")


def _told(context: Context, takeover: Takeover, named: str) -> list[str]:
    """The preview: a few cards, the counts, and what is lost."""
    lines = [_row(context, card) for card in takeover.cards[:_SHOWN]]
    if len(takeover.cards) > _SHOWN:
        lines.append(f"and {counted(len(takeover.cards) - _SHOWN, 'more card')}")
    known = f"{takeover.known:,} known before" if takeover.known else "none known before"
    lines += [*([""] if lines else []), f"{named}: {_amount(takeover)}; {known}."]
    if takeover.new and (lost := takeover.source.losses.lines()):
        lines += ["Not as it was there:", *(f"  {line}" for line in lost)]
    return lines


def _row(context: Context, card: "Card") -> str:
    front, back = (excerpt(in_a_line(context, side[:_READ]), _SIDE) for side in (card.prompt, card.answer))
    return f"  {front}  |  {back}"


def _amount(takeover: Takeover) -> str:
    parts = [counted(takeover.new, "new note"), counted(len(takeover.cards), "card")]
    parts.append(counted(takeover.reviews, "review"))
    kinds = Counter(event.kind for event in takeover.events)
    parts += [counted(kinds[kind], what) for kind, what in _BESIDES.items() if kinds[kind]]
    if takeover.media:
        parts.append(counted(len(takeover.media), "media file"))
    return ", ".join(parts)


def _document(takeover: Takeover, named: str) -> Mapping[str, object]:
    return {
        "format": named,
        "folder": str(takeover.folder),
        "notes": takeover.new,
        "notes_known": takeover.known,
        "cards": len(takeover.cards),
        "reviews": takeover.reviews,
        "added": len(takeover.events),
        "known": takeover.known_events,
        "media": len(takeover.media),
        "decks": sorted(takeover.texts),
        "lost": list(takeover.source.losses.lines()),
    }


def _folder_name(name: str) -> str:
    kept = "".join(sign if sign.isalnum() or sign in " -_" else "-" for sign in name).strip(" -")
    return kept[:_SIDE] or "cards"
