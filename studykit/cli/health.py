"""Does everything work here? The database against its log, decks, settings, terminal, tools and sandbox."""

import importlib.metadata
import platform
import shutil
import sys
from collections.abc import Callable, Iterable

from studykit import __version__, paths
from studykit.cli import editor
from studykit.cli.backup_run import back_up_if_due
from studykit.cli.context import Context, future_sentence
from studykit.cli.health_check import Check
from studykit.cli.health_places import kept
from studykit.cli.progress_bar import progress
from studykit.config import read_config, unknown_settings
from studykit.errors import BadDataError, MissingError, StudyError
from studykit.text import counted

_SHOWN = 5


def checks(context: Context, *, fix: bool) -> Iterable[Check]:
    """Everything that can be looked at, what others rest on first; `fix` mends what can be mended."""
    yield from _program(context)
    yield from _database(context, fix=fix)
    for look in CHECKS:
        yield from look(context)


def _program(_context: Context) -> Iterable[Check]:
    system = f"{platform.system()} {platform.machine()}"
    yield Check("studykit", ok=True, detail=f"{__version__}, Python {platform.python_version()}, {system}")


def _database(context: Context, *, fix: bool) -> Iterable[Check]:
    try:
        told = context.store.problems()
    except BadDataError as error:
        yield Check("database", ok=False, detail=str(error))
        yield from _recovery(context, fix=fix)
        return
    except StudyError as error:
        yield Check("database", ok=False, detail=str(error))
        return
    yield Check("database", ok=not told, detail="; ".join(told[:_SHOWN]) or context.store.name)
    yield from _privacy(context)
    if told:
        yield from _recovery(context, fix=fix)
        return
    yield from _log(context, fix=fix)
    yield from _cards(context, fix=fix)
    yield from _odd_events(context)


def _log(context: Context, *, fix: bool) -> Iterable[Check]:
    store = context.store
    with progress(context, "replaying the log", store.log.count()) as bar:
        wrong = store.schedule.disagreements(bar.advance)
    if wrong and fix:
        back_up_if_due(context, "repair")
        with progress(context, "making the cache again", store.log.count()) as bar:
            store.schedule.rebuild(bar.advance)
        yield Check("log", ok=True, detail=f"{counted(len(wrong), 'difference')} found, the cache was made again")
        return
    detail = "; ".join(f"{each.what}: {each.cached} instead of {each.replayed}" for each in wrong[:_SHOWN])
    hint = f"{counted(len(wrong), 'difference')} from the log, mend them with --fix: {detail}"
    yield Check(
        "log", ok=not wrong, detail=hint if wrong else f"{counted(store.log.count(), 'event')}, the cache agrees"
    )


def _cards(context: Context, *, fix: bool) -> Iterable[Check]:
    """Whether every card that was read from a deck can be read from the database."""
    cards = context.store.cards
    try:
        for _ in cards.all():
            pass
    except BadDataError as error:
        if fix:
            cards.forget_files()
        yield Check("cards", ok=fix, detail="all decks are read again" if fix else str(error))


def _odd_events(context: Context) -> Iterable[Check]:
    """What the log holds that no schedule can use as it stands."""
    log = context.store.log
    if events := log.ahead():
        yield Check("clock", ok=False, detail=future_sentence(events), note=True)
    if unreadable := log.unreadable():
        what = "; ".join(unreadable[:_SHOWN])
        detail = f"{counted(len(unreadable), 'event')} that this version cannot read, kept and left out: {what}"
        yield Check("set aside", ok=False, detail=detail, note=True)


def _recovery(context: Context, *, fix: bool) -> Iterable[Check]:
    """What is left of a damaged file, in a new one; the file itself is never written to."""
    from studykit.cli.recovery_report import lines, sentence
    from studykit.store.recovery import recover

    file = context.address.file
    if file is None or not file.is_file():
        return
    if not fix:
        detail = "`study doctor --fix` puts what can be read of it into a new file, and leaves this one alone"
        yield Check("recovery", ok=False, detail=detail, note=True)
        return
    try:
        done = recover(file)
    except StudyError as error:
        yield Check("recovery", ok=False, detail=str(error))
        return
    yield Check("recovery", ok=not (done.missing or done.short), detail=sentence(done), lines=lines(done))


def _kept(context: Context) -> Iterable[Check]:
    """What is kept where, so that a learner knows what a broken disk would take."""
    try:
        own = context.config.get("decks", [])
        authored = context.config.get("exercises", [])
    except StudyError:
        return  # told by what reads the settings
    places = {
        "log": context.address.name,
        "settings": str(context.config_file),
        "edited decks": str(paths.copies()),
        "own decks": ", ".join(map(str, own)) if isinstance(own, list) else "",
        "own exercises": ", ".join(map(str, authored)) if isinstance(authored, list) else "",
    }
    yield Check("kept", ok=True, detail="; ".join(f"{what}: {where}" for what, where in places.items() if where))


def _privacy(context: Context) -> Iterable[Check]:
    """Whether other users of this machine may read the log."""
    from studykit.store.privacy import open_to_others

    if (file := context.address.file) is not None:
        told = list(open_to_others(file))
        detail = f"others may read your log; if they should not: {' && '.join(told)}" if told else "yours alone"
        yield Check("privacy", ok=not told, detail=detail, note=True)


def _decks(context: Context) -> Iterable[Check]:
    try:
        problems = context.collection.refresh().problems
        sizes = context.store.cards.deck_sizes()
        unread = {deck.paths: deck.unread for deck in context.collection.summaries() if deck.unread}
    except StudyError as error:
        yield Check("decks", ok=False, detail=str(error))
        return
    told = "; ".join(str(problem) for problem in problems[:_SHOWN])
    if unread and not told:
        where = " ".join(path for paths in unread for path in paths)
        told = f"{counted(sum(unread.values()), 'note')} could not be read: study check {where}"
    detail = f"{counted(sum(sizes.values()), 'card')} in {counted(len(sizes), 'deck')}"
    yield Check("decks", ok=not told, detail=told or detail)


def _settings(context: Context) -> Iterable[Check]:
    try:
        read_config(context.config_file)
        told = unknown_settings(context.config_file)
    except StudyError as error:
        yield Check("config", ok=False, detail=str(error))
        return
    yield Check("config", ok=not told, detail="; ".join(told) or str(context.config_file), note=True)
    held = [name for name in ("STUDYKIT_NOW", "STUDYKIT_SEED") if context.environ.get(name)]
    if held:
        yield Check("clock", ok=False, detail=f"{' and '.join(held)} is set", note=True)


def _terminal(context: Context) -> Iterable[Check]:
    columns, lines = context.terminal_size
    encoding = getattr(context.stdout, "encoding", None) or "unknown"
    kind = context.environ.get("TERM", "none") if context.on_terminal else "no terminal"
    plain = "; NO_COLOR is set" if context.environ.get("NO_COLOR") else ""
    yield Check("terminal", ok=True, detail=f"{kind}, {columns}x{lines}, {encoding}{plain}")
    try:
        words = editor.command(context.environ)
    except MissingError as error:
        yield Check("editor", ok=False, detail=str(error), note=True)
    else:
        installed = shutil.which(words[0]) is not None
        detail = " ".join(words) if installed else f"{words[0]} is not installed; set EDITOR to another"
        yield Check("editor", ok=installed, detail=detail, note=True)


def _tools(_context: Context) -> Iterable[Check]:
    for name, use in (("torch", "timing bets and rewrites on tensors"), ("psycopg", "PostgreSQL")):
        try:
            yield Check(name, ok=True, detail=importlib.metadata.version(name))
        except importlib.metadata.PackageNotFoundError:
            yield Check(name, ok=False, detail=f"not installed, only needed for {use}", note=True)


def _gpu(context: Context) -> Iterable[Check]:
    """Whether the GPU works inside the sandbox: one kernel is tried there."""
    from studykit.sandbox.gpu import unused

    if why := unused():
        yield Check("GPU", ok=False, detail=f"{why}; rewrites and bets run on the CPU", note=True)
        return
    from studykit.graders.host.device_worker import tried_gpu

    with progress(context, "trying the GPU"):
        name, trouble = tried_gpu(context.open_worker)
    detail = (
        f"{name}: does not work inside the sandbox ({trouble}); `study doctor --gpu` names what was refused"
        if trouble
        else f"{name}: works inside the sandbox"
    )
    yield Check("GPU", ok=not trouble, detail=detail, note=True)


def gpu_refusals(context: Context) -> Check:
    """What the sandbox refused a child that started the GPU; some of it the driver does without."""
    from studykit.graders.host.gpu_refusals import refusals
    from studykit.sandbox.gpu import unused

    if why := unused():
        return Check("GPU refusals", ok=False, detail=f"not followed: {why}", note=True)
    with progress(context, "following a child that starts the GPU"):
        found = refusals()
    detail = "in order; the last before an error is the likeliest cause" if found else "none seen"
    return Check("GPU refusals", ok=not found, detail=detail, note=True, lines=tuple(found))


def _sandbox(_context: Context) -> Iterable[Check]:
    """What holds as a whole, and each line of the threat model (`SECURITY.md`) as it was tried just now."""
    from studykit.sandbox import bubblewrap, probe
    from studykit.sandbox.lockdown import containment
    from studykit.sandbox.worker import has_torch

    held = containment(wrapped=bubblewrap.works("torch" if has_torch() else "numpy"))
    missing = (
        "" if held.wrapped or sys.platform != "linux" else "; a working bubblewrap (bwrap) would be a second layer"
    )
    found = probe.tried()
    lost = [line for line in probe.LINES if not found.get(line, False)]  # the kernel was asked, these were tried
    told = f"the sandbox does not hold here: {', '.join(lost)}" if lost else held.sentence() + missing
    yield Check("sandbox", ok=held.whole and not lost, detail=told, note=True)
    for line, sentence in probe.LINES.items():
        holds = found.get(line, False)
        told = sentence if holds else f"does not hold here: {sentence}"
        yield Check(f"- {line}", ok=holds, detail=told, note=not held.whole)


CHECKS: tuple[Callable[[Context], Iterable[Check]], ...] = (
    _kept,
    kept,
    _decks,
    _settings,
    _terminal,
    _tools,
    _gpu,
    _sandbox,
)
"""What is looked at when the database is done; a further check is one function more."""
