"""Check that everything works here and that the cache matches the log: `study doctor`."""

import importlib.metadata
import platform
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from studykit import __version__, paths
from studykit.cli.commands.backup import back_up_if_due, backup_folder, backups_of, data_folder, is_on_this_disk
from studykit.cli.commands.sync import class_log, sync_place, transport_to
from studykit.cli.context import Context, context_of
from studykit.cli.display import future_sentence
from studykit.cli.options import Json
from studykit.cli.progress_bar import progress
from studykit.config import read_config, unknown_settings
from studykit.errors import BadDataError, StudyError
from studykit.scheduling.study_day import moment_of
from studykit.store.address import is_url
from studykit.store.unsafe_place import place_of
from studykit.text import counted, duration, hide_passwords, texts

if TYPE_CHECKING:
    from studykit.store.recovery import MissingEvent

_LATE = timedelta(days=7)

_MAX_PROBLEMS = 5  # problems in a line
_MAX_LINES = 20

Fix = Annotated[
    bool, typer.Option("--fix", help="Make the cache again from the log, or a new file from a damaged one.")
]
Gpu = Annotated[bool, typer.Option("--gpu", help="Also name what the sandbox refuses while the GPU starts.")]


@dataclass(frozen=True, slots=True)
class DoctorCheck:
    """Hold the result of a check. Notes do not change the doctor's exit code."""

    name: str
    ok: bool
    detail: str
    note: bool = False  # worth knowing, nothing to repair
    lines: tuple[str, ...] = ()  # what the detail is about, each in full


def doctor(ctx: typer.Context, fix: Fix = False, gpu: Gpu = False, json: Json = False) -> None:
    """Check the database, the log against its cache, and the tools around them. With --fix, repair them."""
    context = context_of(ctx)
    results = [*checks(context, fix=fix), *([_gpu_refusals(context)] if gpu else [])]
    problems = sum(not check.ok and not check.note for check in results)
    if json:
        documents = [
            {"name": check.name, "ok": check.ok, "detail": check.detail}
            | ({"lines": list(check.lines)} if check.lines else {})
            for check in results
        ]
        context.write_json({"checks": documents, "problems": problems})
    else:
        _draw(context, results)
    if problems:
        raise typer.Exit(1)


def _draw(context: Context, checks: Sequence[DoctorCheck]) -> None:
    """Draw a row for each check. A pipe gets the same words in the same columns."""
    from studykit.cli.drawing import Drawing

    drawing = Drawing(context)
    rows = []
    for check in checks:
        sign, style = ("ok", "right") if check.ok else ("note", "close") if check.note else ("NO", "wrong")
        more = len(check.lines) - _MAX_LINES
        lines = [*check.lines[:_MAX_LINES], *([f"and {more:,} more; --json lists them all"] if more > 0 else [])]
        rows.append((drawing.text(sign, style), check.name, check.detail))
        rows += [(drawing.text(""), "", line) for line in lines]
    drawing.write(drawing.rows(rows))


def checks(context: Context, *, fix: bool) -> Iterable[DoctorCheck]:
    """Yield the result of each check, after those that it depends on. With `fix`, repair what can be repaired."""
    system = f"{platform.system()} {platform.machine()}"
    yield DoctorCheck("studykit", ok=True, detail=f"{__version__}, Python {platform.python_version()}, {system}")
    yield from _database(context, fix=fix)
    for name, look in CHECKS.items():
        try:
            yield from look(context)
        except StudyError as error:
            yield DoctorCheck(name, ok=False, detail=str(error))


def _database(context: Context, *, fix: bool) -> Iterable[DoctorCheck]:
    try:
        problems = context.store.problems()
    except StudyError as error:
        yield DoctorCheck("database", ok=False, detail=str(error))
        if isinstance(error, BadDataError):
            yield from _recovery(context, fix=fix)
        return
    detail = "; ".join(problems[:_MAX_PROBLEMS]) or context.store.name
    yield DoctorCheck("database", ok=not problems, detail=detail)
    if problems:
        yield from _recovery(context, fix=fix)
        return
    yield from _log(context, fix=fix)
    yield from _odd_events(context)


def _log(context: Context, *, fix: bool) -> Iterable[DoctorCheck]:
    store = context.store
    with progress(context, "replaying the log", store.log.count()) as bar:
        differences = store.schedule.disagreements(bar.advance)
    if differences and fix:
        back_up_if_due(context, "repair")
        with progress(context, "making the cache again", store.log.count()) as bar:
            store.schedule.rebuild(bar.advance)
        detail = f"{counted(len(differences), 'difference')} found, the cache was made again"
        yield DoctorCheck("log", ok=True, detail=detail)
        return
    detail = f"{counted(store.log.count(), 'event')}, the cache agrees"
    if differences:
        first = "; ".join(differences[:_MAX_PROBLEMS])
        detail = f"{counted(len(differences), 'difference')} from the log, mend them with --fix: {first}"
    yield DoctorCheck("log", ok=not differences, detail=detail)


def _odd_events(context: Context) -> Iterable[DoctorCheck]:
    """Report events that are dated in the future, and those that this version cannot read."""
    log = context.store.log
    if events := log.ahead():
        yield DoctorCheck("clock", ok=False, detail=future_sentence(events), note=True)
    if unreadable := log.unreadable():
        number, messages = counted(len(unreadable), "event"), "; ".join(unreadable[:_MAX_PROBLEMS])
        detail = f"{number} that this version cannot read, kept and left out: {messages}"
        yield DoctorCheck("set aside", ok=False, detail=detail, note=True)


def _recovery(context: Context, *, fix: bool) -> Iterable[DoctorCheck]:
    """With `fix`, recover what is left of a damaged file into a new one, without changing it, else suggest it."""
    from studykit.store.recovery import recover

    file = context.address.file
    if not file.is_file():
        return
    if not fix:
        detail = "`study doctor --fix` puts what can be read of it into a new file, and leaves this one as it is"
        yield DoctorCheck("recovery", ok=False, detail=detail, note=True)
        return
    try:
        result = recover(file)
    except StudyError as error:
        yield DoctorCheck("recovery", ok=False, detail=str(error))
        return
    missing = max(len(result.missing), result.missing_answers)
    missing_text = f"{missing:,} missing" if missing else "none known to be missing"
    detail = (
        f"{counted(result.events, 'event')} saved into {result.file}, {missing_text}. Your file was not touched; "
        f"go on with: study backup restore {result.file}"
    )
    yield DoctorCheck("recovery", ok=not missing, detail=detail, lines=tuple(map(_missing_event, result.missing)))


def _missing_event(event: "MissingEvent") -> str:
    card = "an unknown card" if event.card is None else event.card or "no card"
    return f"missing: {moment_of(event.moment):%Y-%m-%d %H:%M} UTC, {card}"


def _own_places(context: Context) -> Iterable[DoctorCheck]:
    """Report the places of the learner's data, so that they know what a broken disk would destroy."""
    try:
        config = context.config
    except StudyError:
        return  # reported by what reads the settings
    places = {
        "log": context.address.name,
        "settings": str(context.config_file),
        "edited decks": str(paths.copies()),
        "own decks": ", ".join(texts(config, "decks")),
        "own exercises": ", ".join(texts(config, "exercises")),
    }
    detail = "; ".join(f"{what}: {where}" for what, where in places.items() if where)
    yield DoctorCheck("kept", ok=True, detail=detail)


def _decks(context: Context) -> Iterable[DoctorCheck]:
    problems = context.collection.refresh().problems
    sizes = context.store.cards.deck_sizes()
    unread = {deck.paths: deck.unread for deck in context.collection.summaries() if deck.unread}
    trouble = "; ".join(str(problem) for problem in problems[:_MAX_PROBLEMS])
    if unread and not trouble:
        where = " ".join(path for paths in unread for path in paths)
        trouble = f"{counted(sum(unread.values()), 'note')} could not be read: study check {where}"
    detail = f"{counted(sum(sizes.values()), 'card')} in {counted(len(sizes), 'deck')}"
    yield DoctorCheck("decks", ok=not trouble, detail=trouble or detail)


def _settings(context: Context) -> Iterable[DoctorCheck]:
    read_config(context.config_file)
    problems = unknown_settings(context.config_file)
    yield DoctorCheck("config", ok=not problems, detail="; ".join(problems) or str(context.config_file), note=True)
    variables = [name for name in ("STUDYKIT_NOW", "STUDYKIT_SEED") if context.environ.get(name)]
    if variables:
        yield DoctorCheck("clock", ok=False, detail=f"set by {' and '.join(variables)}", note=True)


def _tools(_context: Context) -> Iterable[DoctorCheck]:
    for name, use in (("torch", "timing bets and rewrites on tensors"), ("psycopg", "PostgreSQL")):
        try:
            yield DoctorCheck(name, ok=True, detail=importlib.metadata.version(name))
        except importlib.metadata.PackageNotFoundError:
            yield DoctorCheck(name, ok=False, detail=f"not installed, only needed for {use}", note=True)


def _gpu(context: Context) -> Iterable[DoctorCheck]:
    """Check whether the GPU works inside the sandbox, with one kernel."""
    from studykit.sandbox.gpu import unused

    if why := unused():
        yield DoctorCheck("GPU", ok=False, detail=f"{why}; rewrites and bets run on the CPU", note=True)
        return
    from studykit.graders.host.device_worker import tried_gpu

    with progress(context, "trying the GPU"):
        name, trouble = tried_gpu(context.open_worker)
    fails = f"does not work inside the sandbox ({trouble}); `study doctor --gpu` names what was refused"
    works = "works inside the sandbox"
    yield DoctorCheck("GPU", ok=not trouble, detail=f"{name}: {fails if trouble else works}", note=True)


def _gpu_refusals(context: Context) -> DoctorCheck:
    """List what the sandbox refused a child process that started the GPU. The driver does not need all of it."""
    from studykit.graders.host.gpu_refusals import refusals
    from studykit.sandbox.gpu import unused

    if why := unused():
        return DoctorCheck("GPU refusals", ok=False, detail=f"not followed: {why}", note=True)
    with progress(context, "following a child that starts the GPU"):
        lines = refusals()
    detail = "in order; the last before an error is the likeliest cause" if lines else "none seen"
    return DoctorCheck("GPU refusals", ok=not lines, detail=detail, note=True, lines=tuple(lines))


def _sandbox(_context: Context) -> Iterable[DoctorCheck]:
    """Report whether the sandbox works, and try each line of the threat model (`SECURITY.md`)."""
    from studykit.sandbox import bubblewrap, probe
    from studykit.sandbox.lockdown import containment
    from studykit.sandbox.worker import has_torch

    state = containment(wrapped=bubblewrap.works("torch" if has_torch() else "numpy"))
    lacks_layer = sys.platform == "linux" and not state.wrapped
    advice = "; a working bubblewrap (bwrap) would be a second layer" if lacks_layer else ""
    results = probe.working_protections()  # tried, while the kernel was only asked for `state`
    failures = [line for line in probe.LINES if not results.get(line, False)]
    detail = f"the sandbox does not hold here: {', '.join(failures)}" if failures else state.sentence() + advice
    yield DoctorCheck("sandbox", ok=state.whole and not failures, detail=detail, note=True)
    for line, sentence in probe.LINES.items():
        holds = results.get(line, False)
        detail = sentence if holds else f"does not hold here: {sentence}"
        yield DoctorCheck(f"- {line}", ok=holds, detail=detail, note=not state.whole)


def _safety(context: Context) -> Iterator[DoctorCheck]:
    """Report how safe the log is: its place, its last backup and sync, what only this disk holds."""
    try:
        if (why := place_of(context.address.file)) is not None:
            yield DoctorCheck("place", ok=False, detail=_warning(context.address.file, why), note=True)
        yield _last_backup(context)
        yield _last_sync(context)
        yield _events_at_risk(context)
    except (StudyError, OSError):
        return  # a database or settings that cannot be read have their own lines


def warn_of_place(context: Context, file: Path, why: str) -> None:
    """Warn once that the database is in a place where it may be damaged."""
    if context.store.first_time("unsafe place", f"{file} {why}"):
        context.tell(f"study: {_warning(file, why)}")


def _warning(file: Path, why: str) -> str:
    return (
        f"the database {file} lies {why}, where it can be damaged. Move it to a folder of this machine "
        "(--db or STUDYKIT_DB names it), and let `study sync FOLDER` bring machines together."
    )


def _last_backup(context: Context) -> DoctorCheck:
    now = context.now()
    if (newest := backups_of(context).newest(now)) is None:
        return DoctorCheck("backup", ok=False, detail="none yet; make one with: study backup create", note=True)
    name, moment = newest
    return DoctorCheck("backup", ok=now - moment < _LATE, detail=f"{_ago(now, moment)}: {name}", note=True)


def _last_sync(context: Context) -> DoctorCheck:
    moments = {place: standing.at for place, standing in context.store.sync.standings().items() if standing.at}
    if not moments:
        place = sync_place(context)
        never = f"never with {hide_passwords(str(place))}" if place else "not set up; `study help sync` says how"
        return DoctorCheck("sync", ok=place is None, detail=never, note=True)
    latest = max(moments, key=lambda name: moments[name])
    return DoctorCheck("sync", ok=True, detail=f"{_ago(context.now(), moment_of(moments[latest]))} with {latest}")


def _events_at_risk(context: Context) -> DoctorCheck:
    """Count the events that are only on this disk, in no other place that can be read now."""
    ids = context.store.log.ids()
    total, errors = len(ids), list[str]()
    places = sorted({*context.store.sync.standings(), str(sync_place(context) or "")} - {""})
    for read in (*(partial(_ids_at, context, place) for place in places), partial(_ids_in_second_folder, context)):
        try:
            ids -= read() if ids else set()
        except StudyError as error:
            errors.append(str(error))
    if not ids:
        detail = "every event is in another place as well" if total else "no event was recorded yet"
        return DoctorCheck("at risk", ok=True, detail=detail)
    detail = f"{counted(len(ids), 'event')} of {total:,} only on this disk"
    hint = "`study backup create --to FOLDER` on another disk, or `study sync FOLDER`, saves them"
    return DoctorCheck("at risk", ok=False, detail=" ".join([f"{detail}; {hint}.", *errors]), note=True)


def _ids_at(context: Context, place: str) -> set[bytes]:
    """Return the event ids of a sync folder or server. Raise StudyError for a folder on the log's own disk."""
    if is_url(place):
        with class_log(place) as log:
            return log.ids()
    if is_on_this_disk(context, Path(place)):
        raise StudyError(f"{place} is on this disk too. It is safe only if another program copies it elsewhere.")
    batches = transport_to(context, Path(place)).everything()
    return {event.id.bytes for batch in batches for event in batch.events}


def _ids_in_second_folder(context: Context) -> set[bytes]:
    """Return the event ids of the newest backup in `backup_folder`, or none without one on another disk."""
    from studykit.backup.restore import event_ids

    folder = backup_folder(context)
    if folder is None or not folder.is_dir() or is_on_this_disk(context, folder):
        return set()
    newest = backups_of(context, folder).newest(context.now())
    return set() if newest is None else event_ids(folder / newest[0], data_folder(context))


def _ago(now: datetime, then: datetime) -> str:
    return f"{duration(max(0, (now - then).total_seconds()))} ago"


CHECKS: Mapping[str, Callable[[Context], Iterable[DoctorCheck]]] = {
    "kept": _own_places,
    "safety": _safety,
    "decks": _decks,
    "config": _settings,
    "tools": _tools,
    "GPU": _gpu,
    "sandbox": _sandbox,
}
"""Checks that follow those of the database."""
