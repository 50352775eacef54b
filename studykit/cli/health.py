"""Does everything work here? The database against its log, decks, settings, terminal, tools and sandbox."""

import importlib.metadata
import platform
import shutil
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from studykit import __version__
from studykit.cli import editor
from studykit.cli.backup_run import keep_safe
from studykit.cli.context import Context
from studykit.config import read_config, unknown_settings
from studykit.errors import MissingError, StudyError
from studykit.text import counted

_SHOWN = 5


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was looked at; only a problem, never a note, makes the doctor say no."""

    name: str
    ok: bool
    detail: str
    note: bool = False  # worth knowing, nothing to repair


def checks(context: Context, *, fix: bool) -> Iterable[Check]:
    """Everything that can be looked at, what others rest on first; `fix` mends the cache."""
    yield _program()
    yield from _database(context, fix=fix)
    yield _decks(context)
    yield from _settings(context)
    yield from _terminal(context)
    yield from _tools()
    yield _sandbox()


def _program() -> Check:
    system = f"{platform.system()} {platform.machine()}"
    return Check("studykit", ok=True, detail=f"{__version__}, Python {platform.python_version()}, {system}")


def _database(context: Context, *, fix: bool) -> Iterable[Check]:
    try:
        store = context.store
        told = store.problems()
    except StudyError as error:
        yield Check("database", ok=False, detail=str(error))
        return
    yield Check("database", ok=not told, detail="; ".join(told[:_SHOWN]) or store.name)
    yield from _privacy(context)
    wrong = store.schedule.disagreements()
    if wrong and fix:
        keep_safe(context, "repair")
        store.schedule.rebuild()
        yield Check("log", ok=True, detail=f"{counted(len(wrong), 'difference')} found, the cache was made again")
        return
    detail = "; ".join(f"{each.what}: {each.cached} instead of {each.replayed}" for each in wrong[:_SHOWN])
    hint = f"{counted(len(wrong), 'difference')} from the log, mend them with --fix: {detail}"
    yield Check(
        "log", ok=not wrong, detail=hint if wrong else f"{counted(store.log.count(), 'event')}, the cache agrees"
    )


def _privacy(context: Context) -> Iterable[Check]:
    """Whether other users of this machine may read the log."""
    from studykit.store.privacy import open_to_others

    if "://" not in context.database:
        told = list(open_to_others(Path(context.database).expanduser()))
        detail = f"others may read your log; if they should not: {' && '.join(told)}" if told else "yours alone"
        yield Check("privacy", ok=not told, detail=detail, note=True)


def _decks(context: Context) -> Check:
    try:
        problems = context.collection.refresh().problems
        sizes = context.store.cards.deck_sizes()
    except StudyError as error:
        return Check("decks", ok=False, detail=str(error))
    told = "; ".join(str(problem) for problem in problems[:_SHOWN])
    detail = f"{counted(sum(sizes.values()), 'card')} in {counted(len(sizes), 'deck')}"
    return Check("decks", ok=not problems, detail=told or detail)


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


def _tools() -> Iterable[Check]:
    for name, use in (("torch", "timing bets and rewrites on tensors"), ("psycopg", "PostgreSQL")):
        try:
            yield Check(name, ok=True, detail=importlib.metadata.version(name))
        except importlib.metadata.PackageNotFoundError:
            yield Check(name, ok=False, detail=f"not installed, only needed for {use}", note=True)
    cards = sorted(Path("/proc/driver/nvidia/gpus").glob("*"))
    detail = f"{len(cards)} from NVIDIA" if cards else "none found; timing bets measure the CPU"
    yield Check("GPU", ok=bool(cards), detail=detail, note=True)


def _sandbox() -> Check:
    from studykit.sandbox import bubblewrap
    from studykit.sandbox.lockdown import containment
    from studykit.sandbox.worker import has_torch

    held = containment(wrapped=bubblewrap.works("torch" if has_torch() else "numpy"))
    missing = (
        "" if held.wrapped or sys.platform != "linux" else "; a working bubblewrap (bwrap) would be a second layer"
    )
    return Check("sandbox", ok=held.whole, detail=held.sentence() + missing, note=True)
