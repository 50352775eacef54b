"""Exchange events through a folder that any program may synchronize: `log/DEVICE/FIRST-SEQ.jsonl`.

Each machine appends only to files in its own folder, so nothing can conflict. A conflicted copy that a
synchronizer makes anyway is read as one more source. Files of other machines are never changed.
"""

import os
import re
import stat
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from studykit.errors import StudyError
from studykit.ordinary_file import (
    NotOrdinaryError,
    explaining,
    kind,
    make_folder,
    open_ordinary,
    read_ordinary,
    refuse_strangers_links,
    sync_folder,
    write_fresh,
)
from studykit.scheduling.events import Event
from studykit.sync.segments import SEQ_DIGITS, Position, SegmentLine, event_line, is_unchanged, lines
from studykit.text import counted, listed, printable, shown_name

EVENTS_PER_SEGMENT = 5_000  # a full file never changes again
_ENDING = ".jsonl"
_ORIGINAL = re.compile(rf"\d{{{SEQ_DIGITS}}}\.jsonl", re.ASCII)
_NAME_FILE = "name.txt"
_LEARNER_FILE = "learner.txt"  # the names of the one learner whose log this is, one a line
_MAX_NAME_CHARACTERS = 40
_MAX_LEARNER_CHARACTERS = 64
_MAX_NAME_BYTES = 4096
_MAX_SEQ = 10**SEQ_DIGITS // 2  # no machine comes so far by itself, so a damaged or forged line did
_EARLIER_FILE = "the file as it was here before"


Positions = Mapping[str, Any]
"""How far each file was read, as a list that `Position.read` parses."""


class EventBatch(NamedTuple):
    """Hold events that one machine wrote."""

    name: str  # what its owner calls the machine
    events: Sequence[Event]


@dataclass(slots=True)
class _Findings:
    """Collect what one pass over the folder finds."""

    positions: dict[str, Position] = field(default_factory=dict)
    last: dict[str, int] = field(default_factory=dict)  # seq by source, damaged lines left out
    at: dict[tuple[str, int], tuple[str, str]] = field(default_factory=dict)
    """Checksum and source by device and seq."""
    damaged: Counter[str] = field(default_factory=Counter)  # lines by source
    unknown: Counter[str] = field(default_factory=Counter)  # lines by device
    clashes: dict[str, str] = field(default_factory=dict)  # sentence by device
    surprised: bool = False


class FolderTransport:
    """Exchange a learner's events with a shared folder, on behalf of one of their machines."""

    def __init__(self, folder: Path, device: str, name: str, learner: str) -> None:
        """Set up without touching the folder. `name` is what its owner calls this machine, `learner` the owner."""
        self._folder = folder
        self.place = str(folder)
        self._learner = printable(learner, _MAX_LEARNER_CHARACTERS).strip()
        self._log = folder / "log"
        self._device = device
        self._name = name
        self._findings = _Findings()

    @property
    def positions(self) -> Positions:
        """Return where reading each file ended. Like the properties below, it is known when `take` has ended."""
        return self._findings.positions

    @property
    def other_learner(self) -> str:
        """Return the names of the folder's learner if this one's is not among them, else "".

        A folder without names belongs to anybody, and a machine may go on where it wrote before.
        """
        names = self._learners()
        is_known = not names or self._learner in names or (self._log / self._device).is_dir()
        return "" if is_known else listed(names)

    @property
    def surprised(self) -> bool:
        """Return whether files were rolled back, removed or damaged since they were read."""
        return self._findings.surprised

    @property
    def impostor(self) -> bool:
        """Return whether another machine writes under this one's name, or its sequence numbers are used up."""
        return self._device in self._findings.clashes or self._last_seq() >= _MAX_SEQ

    @property
    def remarks(self) -> tuple[str, ...]:
        """Return a sentence for each thing that could not be taken, and for machines that share a name."""
        findings = self._findings
        damaged = (
            f"{shown_name(key)}: {counted(count, 'damaged line')} skipped. Run `study sync --again` once on "
            f"{self._called(key.partition('/')[0])}, which sends what they held."
            for key, count in findings.damaged.items()
        )
        unknown = (
            f"{self._called(device)} wrote {counted(count, 'event')} that this version does not know. Upgrade "
            "studykit to read them."
            for device, count in findings.unknown.items()
        )
        return (*findings.clashes.values(), *damaged, *unknown)

    def take(self, since: Positions) -> Iterator[EventBatch]:
        """Yield the events after these positions, file by file."""
        self._findings = findings = _Findings()
        with _errors(self._folder):
            refuse_strangers_links(self._folder)
            if not self._folder.is_dir():
                raise OSError(0, "it is not a folder" if os.path.lexists(self._folder) else "it does not exist")
            files = self._files()
            # Compare a new conflicted copy with the whole original, to find out whether two machines write as one.
            reread = {file.parent for file in files if not _is_original(file) and _key(file) not in since}
            findings.surprised = bool(reread) or bool(since.keys() - set(map(_key, files)))
            for file in files:
                start = Position() if file.parent in reread else Position.read(since.get(_key(file)))
                yield from self._read(file, start)

    def own_tail(self) -> Iterator[EventBatch]:
        """Yield the events that another process of this machine added since `take`."""
        with _errors(self._folder):
            for file in self._files(self._device):
                yield from self._read(file, self._findings.positions.get(_key(file), Position()))

    def everything(self) -> Iterator[EventBatch]:
        """Yield every event in the folder."""
        return FolderTransport(self._folder, self._device, self._name, self._learner).take({})

    def add_learner(self) -> None:
        """Add this learner's name to the folder's list of names."""
        with _errors(self._folder):
            refuse_strangers_links(self._folder)
            names = self._learners()
            if self._learner not in names:
                lines = "".join(f"{name}\n" for name in (*names, self._learner))
                _write_text(self._folder / _LEARNER_FILE, lines)

    def rename(self, device: str) -> None:
        """Write under this device name from now on, into a new folder."""
        self._device = device

    def give(self, events: Iterable[Event]) -> None:
        """Append events to this machine's newest file, or to new files when it is full. All are then on disk."""
        with _errors(self._folder):
            seq, path, chunk = self._last_seq() + 1, None, list[bytes]()
            for event in events:
                if path is None or seq - _first(path) >= EVENTS_PER_SEGMENT:
                    self._append(path, chunk, seq)
                    path, chunk = self._open_segment(seq), []
                chunk.append(event_line(self._device, seq, event))
                seq += 1
            self._append(path, chunk, seq)

    # Reading

    def _files(self, device: str | None = None) -> list[Path]:
        """Return the files with events of all devices or of one, in order."""
        _check_folder(self._log)
        try:
            folders = sorted(entry.name for entry in os.scandir(self._log) if entry.is_dir(follow_symlinks=False))
        except FileNotFoundError:
            return []
        files = [
            path
            for name in folders
            if device in {None, name} and not name.startswith(".")
            for path in sorted((self._log / name).iterdir())
            if path.name.endswith(_ENDING) and not path.name.startswith((".", "~"))
        ]
        return [path for path in files if stat.S_ISREG(path.lstat().st_mode)]

    def _read(self, path: Path, start: Position) -> Iterator[EventBatch]:
        findings, key, device = self._findings, _key(path), path.parent.name
        with open(path, "rb", opener=open_ordinary) as file:
            position = start
            if start.end and not is_unchanged(file, start):
                findings.surprised = True
                # Only in our own folder is this a clash. Another machine may have written its file again, for
                # example after somebody deleted the folder.
                if device == self._device:
                    findings.at[device, start.seq] = start.checksum, _EARLIER_FILE
                position = Position()
            if position.end:
                findings.positions[key] = position
                findings.last[key] = position.seq
            batch: list[Event] = []
            unread = 0  # lines that will be read again
            for line in lines(file, position.end):
                unread += not self._check_line(path, line)
                if line.event is not None:
                    batch.append(line.event)
                if not unread:
                    findings.positions[key] = line.position
                # Unreadable lines are read again at each sync, as they may arrive whole later. A file with more of
                # them than a segment holds is not a segment, and would slow down every sync.
                if unread >= EVENTS_PER_SEGMENT:
                    break
            if batch:
                yield EventBatch(self._called(device), batch)

    def _check_line(self, path: Path, line: SegmentLine) -> bool:
        """Record damage and clashes at a line. Return whether the line was understood."""
        findings, key, device = self._findings, _key(path), path.parent.name
        if not line.device:
            findings.damaged[key] += 1
            findings.surprised |= device == self._device
            return False
        self._compare(key, line)
        findings.last[key] = max(line.position.seq, findings.last.get(key, 0))
        if line.event is None:
            findings.unknown[device] += 1
        return line.event is not None

    def _compare(self, key: str, line: SegmentLine) -> None:
        """Record a clash if two lines of one device and seq differ, because two machines write under one name."""
        seq, own_checksum = line.position.seq, line.position.checksum
        checksum, other = self._findings.at.setdefault((line.device, seq), (own_checksum, key))
        if checksum != own_checksum:
            self._findings.clashes.setdefault(
                line.device,
                f"Two machines write as {printable(line.device, _MAX_NAME_CHARACTERS)}, as after a copied disk: "
                f"event {seq:,} differs in {shown_name(other)} and {shown_name(key)}. "
                "Nothing is lost. Sync on either machine, and it takes a new name.",
            )

    def _called(self, device: str) -> str:
        """Return the name that its owner gave a device."""
        if device == self._device:
            return self._name
        name = _text(self._log / device / _NAME_FILE).strip()
        return printable(name.partition("\n")[0] or device, _MAX_NAME_CHARACTERS)

    def _learners(self) -> list[str]:
        lines = _text(self._folder / _LEARNER_FILE).splitlines()
        return [name for line in lines if (name := printable(line.strip(), _MAX_LEARNER_CHARACTERS))]

    # Writing

    def _last_seq(self) -> int:
        own = (seq for key, seq in self._findings.last.items() if key.startswith(f"{self._device}/"))
        return max(own, default=0)

    def _open_segment(self, seq: int) -> Path:
        """Return the file to append the next line to."""
        folder = self._log / self._device
        for folder_to_make in (self._log, folder):
            _check_folder(folder_to_make)
            make_folder(folder_to_make, parents=False)
        self.add_learner()
        _write_text(folder / _NAME_FILE, f"{self._name}\n")
        own = [path for path in self._files(self._device) if _is_original(path)]
        if own and self._goes_on(own[-1], seq):
            return own[-1]
        return folder / f"{seq:0{SEQ_DIGITS}}{_ENDING}"

    def _goes_on(self, path: Path, seq: int) -> bool:
        """Return whether a file has room and still ends where it was read, apart from an unfinished line."""
        position = self._findings.positions.get(_key(path), Position())
        is_full = seq - _first(path) >= EVENTS_PER_SEGMENT
        # A second hard link may belong to a snapshot, which appending would change.
        if is_full or position.seq != seq - 1 or path.lstat().st_nlink > 1:
            return False
        with open(path, "rb", opener=open_ordinary) as file:
            file.seek(position.end)
            return b"\n" not in file.read()

    def _append(self, path: Path | None, chunk: list[bytes], after: int) -> None:
        """Append whole lines, and wait until they are on disk. The last one has the number `after` - 1."""
        if path is None or not chunk:
            return
        key = _key(path)
        end = self._findings.positions.get(key, Position()).end
        is_new = not path.exists()
        with open(path, "ab", opener=open_ordinary) as file:
            if file.tell() > end:
                file.truncate(end)  # a killed process left part of a line
            file.writelines(chunk)
            file.flush()
            os.fsync(file.fileno())
        if is_new:
            sync_folder(path.parent)
        end += sum(map(len, chunk))
        last = chunk[-1]
        self._findings.positions[key] = Position(end - len(last), end, after - 1, last[:8].decode())
        self._findings.last[key] = after - 1


def is_empty(folder: Path) -> bool:
    """Return whether a folder does not exist or holds no machine's log."""
    try:
        return next((folder / "log").iterdir(), None) is None
    except FileNotFoundError:
        return True
    except OSError:  # syncing will report what is wrong
        return False


def _key(path: Path) -> str:
    """Return a file's name with its device, such as `laptop/000000000001.jsonl`."""
    return f"{path.parent.name}/{path.name}"


def _is_original(path: Path) -> bool:
    """Return whether a machine gave a file its name, rather than a synchronizer that made a conflicted copy."""
    return _ORIGINAL.fullmatch(path.name) is not None


def _first(path: Path) -> int:
    """Return the sequence number of the first event in a file, which its name holds."""
    return int(path.stem)


def _text(file: Path) -> str:
    """Read a small file. Return "" if it is missing or not an ordinary file."""
    try:
        return read_ordinary(file, _MAX_NAME_BYTES).decode(errors="replace")
    except (OSError, NotOrdinaryError):
        return ""


def _write_text(file: Path, text: str) -> None:
    if _text(file) != text:
        new = file.with_name(f".{file.name}.new")
        write_fresh(new, text.encode())
        new.replace(file)


def _check_folder(folder: Path) -> None:
    """Raise OSError if the path exists and is not a folder. Links to folders are refused too."""
    with suppress(FileNotFoundError):
        status = folder.lstat()
        if not stat.S_ISDIR(status.st_mode):
            raise OSError(0, f"{folder} is {kind(status) or 'a file'}")


def _errors(folder: Path) -> AbstractContextManager[None]:
    advice = "). Check that it exists, belongs to you and has room."
    return explaining(f"{folder} cannot be used to sync (", advice, StudyError)
