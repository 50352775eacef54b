"""Test that the logs of several machines merge, whatever each did and however wrong their clocks are."""

import json
import shutil
import tempfile
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from random import Random
from zlib import crc32

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from machines import Machine

from studykit.cards.card import CardId
from studykit.scheduling.event_kinds import EventKind
from studykit.scheduling.recall_grade import Grade
from studykit.sync import folder as folder_module
from studykit.sync.exchange import exchange
from studykit.sync.folder import EventBatch, Positions


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "shared").mkdir()
    return tmp_path / "shared"


@pytest.fixture
def laptop(tmp_path: Path, empty: Path) -> Iterator[Machine]:
    machine = Machine(tmp_path / "laptop", "laptop", empty)
    yield machine
    machine.store.close()


@pytest.fixture
def desktop(tmp_path: Path, empty: Path) -> Iterator[Machine]:
    machine = Machine(tmp_path / "desktop", "desktop", empty)
    yield machine
    machine.store.close()


def sizes(folder: Path) -> dict[str, int]:
    return {path.name: path.stat().st_size for path in folder.rglob("*.jsonl")}


def segment(folder: Path, device: str) -> Path:
    return max((folder / "log" / device).glob("*.jsonl"))


def test_both_ways_at_once(folder: Path, laptop: Machine, desktop: Machine) -> None:
    laptop.answer("card-0")
    assert laptop.sync(folder).sentence() == "sent 1 review"
    desktop.answer("card-1")
    desktop.store.log.undo()

    assert desktop.sync(folder).sentence() == "took 1 review from laptop, sent 1 review and 1 other change"
    assert laptop.sync(folder).sentence() == "took 1 review and 1 other change from desktop"
    assert laptop.knows() == desktop.knows()
    assert laptop.events() == desktop.events()


def test_a_second_time_nothing_is_read_or_written(folder: Path, laptop: Machine, desktop: Machine) -> None:
    laptop.answer()
    for machine in (laptop, desktop, laptop):
        machine.sync(folder)
    before = sizes(folder)

    reports = [machine.sync(folder).sentence() for machine in (laptop, desktop, laptop)]
    reports += [machine.sync(folder, again=True).sentence() for machine in (laptop, desktop)]

    assert reports == ["nothing new"] * 5
    assert sizes(folder) == before


@pytest.mark.thorough
def test_a_line_that_is_still_being_written_waits(folder: Path, laptop: Machine, desktop: Machine) -> None:
    laptop.answer("card-0")
    laptop.answer("card-1")
    laptop.sync(folder)
    whole = segment(folder, "laptop").read_bytes()

    for size in range(len(whole)):
        segment(folder, "laptop").write_bytes(whole[:size])
        done = desktop.sync(folder)
        assert done.remarks == ()
        assert len(desktop.events()) == whole[:size].count(b"\n")
    segment(folder, "laptop").write_bytes(whole)
    desktop.sync(folder)

    assert desktop.events() == laptop.events()


def test_next_sync_finishes_a_killed_write(folder: Path, laptop: Machine, desktop: Machine) -> None:
    laptop.answer("card-0")
    laptop.sync(folder)
    laptop.answer("card-1")
    with segment(folder, "laptop").open("ab") as file:
        file.write(b'0123abcd {"device":"lapt')

    laptop.sync(folder)
    desktop.sync(folder)

    assert segment(folder, "laptop").read_bytes().count(b"\n") == 2
    assert desktop.events() == laptop.events()


def test_killed_sync_gives_nothing_twice(folder: Path, laptop: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    laptop.answer()
    with monkeypatch.context() as patch:
        patch.setattr(folder_module.FolderTransport, "positions", property(lambda _: 1 / 0))
        with pytest.raises(ZeroDivisionError):
            laptop.sync(folder)
    before = sizes(folder)

    laptop.sync(folder)

    assert before
    assert sizes(folder) == before


def test_two_processes_of_a_machine_give_nothing_twice(folder: Path, laptop: Machine) -> None:
    laptop.answer("card-0")
    laptop.sync(folder)
    laptop.answer("card-1")

    class Slow(folder_module.FolderTransport):
        """Act as a transport during whose use another process syncs and the learner answers a card."""

        def take(self, known: Positions) -> Iterator[EventBatch]:
            yield from super().take(known)
            laptop.sync(folder)
            laptop.answer("card-2")

    exchange(laptop.store, Slow(folder, "laptop", "laptop", "ana"), now=1)

    lines = segment(folder, "laptop").read_bytes().splitlines()
    assert [json.loads(line[9:])["seq"] for line in lines] == [1, 2, 3]
    assert len({json.loads(line[9:])["id"] for line in lines}) == 3
    assert laptop.sync(folder).remarks == ()


def test_every_flipped_bit_is_found(folder: Path, laptop: Machine, desktop: Machine) -> None:
    laptop.answer("card-0")
    laptop.answer("card-1")
    laptop.sync(folder)
    whole = segment(folder, "laptop").read_bytes()
    random = Random(1)

    for _ in range(150):
        place = random.randrange(len(whole))
        flipped = bytearray(whole)
        flipped[place] ^= 1 << random.randrange(8)
        segment(folder, "laptop").write_bytes(flipped)
        desktop.sync(folder)
        assert set(desktop.events()) <= set(laptop.events())

    segment(folder, "laptop").write_bytes(whole)
    desktop.sync(folder)
    assert desktop.events() == laptop.events()


def test_damaged_line_is_reported_and_given_again(folder: Path, laptop: Machine, desktop: Machine) -> None:
    for number in range(3):
        laptop.answer(f"card-{number}")
    laptop.sync(folder)
    lines = segment(folder, "laptop").read_bytes().splitlines(keepends=True)
    segment(folder, "laptop").write_bytes(lines[0] + lines[1].replace(b"card-1", b"card-9") + lines[2])

    done = desktop.sync(folder)

    assert done.sentence() == "took 2 reviews from laptop"
    assert "laptop/000000000001.jsonl: 1 damaged line skipped" in done.remarks[0]
    laptop.sync(folder, again=True)
    desktop.sync(folder)
    assert desktop.events() == laptop.events()


@pytest.mark.parametrize("half", [b"\\ud800", b"\\uDFFF", b"\xed\xa0\x80"])
def test_half_a_character_is_damage(folder: Path, laptop: Machine, desktop: Machine, half: bytes) -> None:
    for number in range(2):
        laptop.answer(f"card-{number}")
    laptop.sync(folder)
    first, second = segment(folder, "laptop").read_bytes().splitlines()
    text = second[9:].replace(b"card-1", half)
    segment(folder, "laptop").write_bytes(first + b"\n%08x %s\n" % (crc32(text), text))

    done = desktop.sync(folder)

    assert done.sentence() == "took 1 review from laptop"
    assert "1 damaged line skipped" in done.remarks[0]


def test_late_segment_is_taken_later(
    folder: Path, laptop: Machine, desktop: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(folder_module, "EVENTS_PER_SEGMENT", 2)
    for number in range(6):
        laptop.answer(f"card-{number}")
    laptop.sync(folder)
    second = folder / "log" / "laptop" / "000000000003.jsonl"
    second.rename(folder / "on-its-way")

    desktop.sync(folder)

    assert len(desktop.events()) == 4
    (folder / "on-its-way").rename(second)
    desktop.sync(folder)
    assert desktop.events() == laptop.events()


def test_a_full_segment_never_changes(folder: Path, laptop: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folder_module, "EVENTS_PER_SEGMENT", 2)
    for number in range(3):
        laptop.answer(f"card-{number}")
        laptop.sync(folder)
    first = folder / "log" / "laptop" / "000000000001.jsonl"
    before = first.stat().st_mtime_ns, first.read_bytes()
    laptop.answer("card-4")
    laptop.sync(folder)

    assert sorted(path.name for path in first.parent.glob("*.jsonl")) == [first.name, "000000000003.jsonl"]
    assert (first.stat().st_mtime_ns, first.read_bytes()) == before


@pytest.mark.parametrize(
    "name",
    [
        "000000000001.sync-conflict-20260818-173636-D4LGQYW.jsonl",
        "000000000001 (conflicted copy 2026-08-18).jsonl",
        "000000000001-LAPTOP.jsonl",
    ],
)
def test_a_conflict_copy_is_a_source_of_events(folder: Path, laptop: Machine, desktop: Machine, name: str) -> None:
    laptop.answer("card-0")
    laptop.sync(folder)
    desktop.sync(folder)
    laptop.answer("card-1")
    laptop.sync(folder)
    newer = segment(folder, "laptop")
    newer.rename(newer.with_name(name))
    newer.write_bytes(newer.with_name(name).read_bytes().splitlines(keepends=True)[0])

    done = desktop.sync(folder)

    assert done.remarks == ()
    assert desktop.events() == laptop.events()


def test_clones_writing_are_separated(tmp_path: Path, folder: Path, laptop: Machine, desktop: Machine) -> None:
    laptop.answer("card-0")
    laptop.sync(folder)
    clone = Machine(tmp_path / "clone", "laptop", laptop.copy_database(tmp_path / "copy.db"))
    aside = tmp_path / "aside"
    shutil.copytree(folder, aside)
    laptop.answer("card-1")
    clone.answer("card-2")
    laptop.sync(folder)
    clone.sync(aside)  # the same seq, and the synchronizer puts its file next to the other
    copied = segment(aside, "laptop")
    shutil.copyfile(copied, folder / "log" / "laptop" / "000000000001.sync-conflict-1-1-CLONE.jsonl")

    third = desktop.sync(folder)
    own = laptop.sync(folder)

    assert "Two machines write as laptop" in third.remarks[0]
    assert "000000000001.jsonl" in third.remarks[0]
    assert "000000000001.sync-conflict-1-1-CLONE.jsonl" in third.remarks[0]
    assert not third.new_origin
    assert own.new_origin == laptop.store.log.origin != "laptop"
    laptop.answer("card-3")
    laptop.sync(folder)
    desktop.sync(folder)
    clone.sync(folder)
    assert clone.store.log.origin not in {"laptop", own.new_origin}
    assert {event.card for event in desktop.events()} == {"card-0", "card-1", "card-2", "card-3"}
    assert desktop.knows() == laptop.knows() == clone.knows()
    assert (folder / "log" / own.new_origin).is_dir()
    clone.store.close()


def test_newer_kind_waits_for_the_upgrade(folder: Path, laptop: Machine, desktop: Machine) -> None:
    from studykit.sync.segments import document_of, line_of

    laptop.answer("card-0")
    laptop.answer("card-1")
    laptop.sync(folder)
    first, second = segment(folder, "laptop").read_bytes().splitlines(keepends=True)
    newer = line_of({**(document_of(first[:-1]) or {}), "kind": "dream"})
    segment(folder, "laptop").write_bytes(newer + second)

    done = desktop.sync(folder)

    assert done.remarks == (
        "laptop wrote 1 event that this version does not know. Upgrade studykit to read them.",
    )
    assert [event.card for event in desktop.events()] == ["card-1"]
    segment(folder, "laptop").write_bytes(first + second)  # as an upgraded reader sees it
    desktop.sync(folder)
    assert desktop.events() == laptop.events()


def test_a_restored_database_gets_its_later_answers_back(folder: Path, laptop: Machine) -> None:
    laptop.answer("card-0")
    laptop.sync(folder)
    backup = laptop.copy_database(laptop.home / "backup.db")
    laptop.answer("card-1")
    laptop.sync(folder)
    memories = laptop.knows()
    laptop.reopen(backup)

    laptop.sync(folder)

    assert laptop.knows() == memories
    laptop.answer("card-2")
    assert laptop.sync(folder).sentence() == "sent 1 review"
    assert laptop.sync(folder, again=True).remarks == ()


def test_emptied_folder_is_filled_again(folder: Path, laptop: Machine, desktop: Machine) -> None:
    laptop.answer()
    laptop.sync(folder)
    shutil.rmtree(folder / "log")

    laptop.sync(folder)
    desktop.sync(folder)

    assert desktop.events() == laptop.events()


def test_nothing_that_another_machine_wrote_is_touched(folder: Path, laptop: Machine, desktop: Machine) -> None:
    laptop.answer()
    laptop.sync(folder)
    files_before = {
        path: (path.read_bytes(), path.stat().st_mtime_ns) for path in (folder / "log/laptop").iterdir()
    }
    desktop.answer()
    desktop.sync(folder)

    assert {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in files_before} == files_before


def test_same_card_and_day_is_one_review(folder: Path, laptop: Machine, desktop: Machine) -> None:
    laptop.answer("card-0", Grade.EASY)
    desktop.now += timedelta(hours=1)
    desktop.answer("card-0", Grade.AGAIN)

    for machine in (laptop, desktop, laptop):
        machine.sync(folder)

    assert laptop.knows() == desktop.knows()
    assert laptop.store.schedule.memories()[laptop.events()[0].card].interval == 1
    assert laptop.store.schedule.memories()[laptop.events()[0].card].ease == 260


def test_relink_from_the_future_is_replayed(laptop: Machine) -> None:
    laptop.answer("card-0")
    laptop.wrong_by = timedelta(days=9)
    laptop.store.log.record(EventKind.RELINK, CardId("card-1"), target="card-0")
    laptop.wrong_by = timedelta()
    laptop.now += timedelta(hours=1)

    laptop.answer("card-0", Grade.HARD)

    assert laptop.store.schedule.disagreements() == ()


@settings(max_examples=10)
@given(seed=st.integers(0, 2**32), machines=st.integers(2, 5), steps=st.integers(0, 40))
def test_whatever_happened_all_know_the_same(empty: Path, seed: int, machines: int, steps: int) -> None:
    random = Random(seed)
    with tempfile.TemporaryDirectory() as made:
        home = Path(made)
        (home / "shared").mkdir()
        off = [timedelta(days=random.randrange(-5, 6)) for _ in range(machines)]
        fleet = [Machine(home / f"m{n}", f"m{n}", empty, wrong_by=wrong) for n, wrong in enumerate(off)]
        for _ in range(steps):
            machine = random.choice(fleet)
            machine.now += timedelta(hours=random.randrange(30))
            if random.random() < 0.25:
                machine.sync(home / "shared")
            else:
                machine.study(random)
        united = Machine(home / "united", "united", empty)
        for machine in random.sample(fleet, machines):
            united.store.log.merge(machine.events())  # in another order than they met
        scattered = Machine(home / "scattered", "scattered", empty)
        events = united.events()
        random.shuffle(events)
        while events:
            size = random.randint(1, 7)
            scattered.store.log.merge(events[:size])
            events = events[size - (random.random() < 0.3) :] if size > 1 else events[1:]

        for machine in [*random.sample(fleet, machines), *random.sample(fleet, machines)]:
            machine.sync(home / "shared")

        ids = {event.id for event in united.events()}
        for machine in [*fleet, scattered]:
            machine.now = united.now
            assert {event.id for event in machine.events()} == ids
            assert machine.knows() == united.knows()
            assert machine.store.schedule.disagreements() == ()
        before = sizes(home / "shared")
        for machine in fleet:
            assert machine.sync(home / "shared").sentence() == "nothing new"
            machine.store.close()
        united.store.close()
        scattered.store.close()
        assert sizes(home / "shared") == before
