"""Test syncing machines of one origin, and rolled-back files: every event reaches every other machine."""

from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from machines import START, Machine, empty_database
from remote_log import MemoryLog

from studykit.classroom.learner_log import exchange_with_class
from studykit.scheduling.events import Event
from studykit.sync.exchange import ExchangeReport


class Meeting:
    """Set up a folder or a class server where machines exchange events."""

    def __init__(self, kind: str, path: Path) -> None:
        self._kind, self._path = kind, path
        if kind == "folder":
            path.mkdir()
        else:
            self.server = MemoryLog()

    def sync(self, machine: Machine) -> ExchangeReport:
        machine.now = max(machine.now, START)
        if self._kind == "folder":
            return machine.sync(self._path)
        return exchange_with_class(
            machine.store, self.server, machine.device, now=int(machine.now.timestamp() * 1e6)
        )

    def ids(self, machine: Machine) -> set[bytes]:
        """Return the ids of all events that a machine can take from here."""
        if self._kind == "server":
            return self.server.ids()
        batches = machine.transport(self._path).everything()
        return {event.id.bytes for batch in batches for event in batch.events}


@pytest.fixture(params=["folder", "server"])
def meetings(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[str], Meeting]:
    return lambda name: Meeting(request.param, tmp_path / name)


@pytest.fixture
def new_machine(tmp_path: Path) -> Iterator[Callable[..., Machine]]:
    machines: list[Machine] = []

    def make(name: str, origin: str = "", copy_of: Path | None = None) -> Machine:
        empty = tmp_path / "empty.db"
        source = copy_of or (empty if empty.exists() else empty_database(tmp_path))
        machines.append(Machine(tmp_path / name, origin or name, source))
        return machines[-1]

    yield make
    for machine in machines:
        machine.store.close()


def import_one(machine: Machine, page: Machine) -> Event:
    """Merge an event from a page, as `study import` does."""
    event = page.answer("card-7")
    machine.store.log.merge([event])
    return event


def test_clone_lets_an_import_through(
    meetings: Callable[[str], Meeting], new_machine: Callable[..., Machine], tmp_path: Path
) -> None:
    meeting, laptop, desktop, page = meetings("shared"), *map(new_machine, ("laptop", "desktop", "page"))
    laptop.answer("card-0")
    meeting.sync(laptop)
    clone = new_machine("clone", "laptop", laptop.copy_database(tmp_path / "copy.db"))
    clone.answer("card-1")
    meeting.sync(clone)
    meeting.sync(laptop)

    event = import_one(laptop, page)
    report = meeting.sync(laptop)
    nothing = meeting.sync(laptop)

    assert report.sentence() == "sent 1 review"
    assert nothing.sentence() == "nothing new"
    assert event.id.bytes in meeting.ids(laptop)
    for machine in (desktop, clone):
        meeting.sync(machine)
        assert event in machine.events()


def test_put_back_file_lets_an_import_through(
    meetings: Callable[[str], Meeting], new_machine: Callable[..., Machine], tmp_path: Path
) -> None:
    meeting, laptop, desktop, page = meetings("shared"), *map(new_machine, ("laptop", "desktop", "page"))
    laptop.answer("card-0")
    meeting.sync(laptop)
    older = laptop.copy_database(tmp_path / "copy.db")
    laptop.answer("card-1")
    meeting.sync(laptop)
    laptop.reopen(older)
    meeting.sync(laptop)

    event = import_one(laptop, page)
    report = meeting.sync(laptop)

    assert report.sentence() == "sent 1 review"
    assert event.id.bytes in meeting.ids(laptop)
    meeting.sync(desktop)
    assert {one.id for one in desktop.events()} == {one.id for one in laptop.events()}


def test_two_places_both_get_everything(
    meetings: Callable[[str], Meeting], new_machine: Callable[..., Machine], tmp_path: Path
) -> None:
    cloud, stick = meetings("cloud"), meetings("stick")
    laptop, page = new_machine("laptop"), new_machine("page")
    laptop.answer("card-0")
    cloud.sync(laptop)
    stick.sync(laptop)
    clone = new_machine("clone", "laptop", laptop.copy_database(tmp_path / "copy.db"))
    clone.answer("card-1")
    cloud.sync(clone)
    stick.sync(clone)
    cloud.sync(laptop)
    stick.sync(laptop)

    import_one(laptop, page)
    cloud.sync(laptop)
    stick.sync(laptop)

    ids = {event.id.bytes for event in laptop.events()}
    assert len(ids) == 3
    assert cloud.ids(laptop) == stick.ids(laptop) == ids


def test_restored_server_gets_the_lost_event(new_machine: Callable[..., Machine], tmp_path: Path) -> None:
    """Check a restored server that holds as many events of the origin as before, but others."""
    meeting, laptop = Meeting("server", tmp_path), new_machine("laptop")
    laptop.answer("card-0")
    meeting.sync(laptop)
    clone = new_machine("clone", "laptop", laptop.copy_database(tmp_path / "copy.db"))
    lost = laptop.answer("card-1")
    meeting.sync(laptop)
    del meeting.server.logged[lost.id.bytes]
    clone.now += timedelta(minutes=5)
    other = clone.answer("card-2")
    meeting.sync(clone)

    assert meeting.sync(laptop).sentence() == "took 1 review from laptop, sent 1 review"

    assert meeting.ids(laptop) == laptop.ids()
    assert {lost.id.bytes, other.id.bytes} < laptop.ids()
