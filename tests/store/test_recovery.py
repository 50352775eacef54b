"""Test that the readable part of a damaged file is copied into a new one, and the missing events are listed."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random

import pytest
from shell import Shell
from stores import opened

from studykit.cards.card import CardId
from studykit.errors import BadDataError, StudyError
from studykit.scheduling.event_kinds import EventKind
from studykit.scheduling.events import Showing
from studykit.scheduling.recall_grade import Grade
from studykit.store.recovery import recover

PAGE = 4096
MONDAY = datetime(2026, 11, 2, 9, tzinfo=UTC)
Damage = Callable[[bytearray, int], None]


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a file with some hundred answers, some of them longer than a page."""
    path = tmp_path_factory.mktemp("sound") / "study.db"
    with opened(path, MONDAY) as store:
        for number in range(240):
            long = "x" * 9000 if number % 40 == 0 else "8.4e22"
            showing = Showing("flops.x", 1, number, "{}", long) if number % 5 == 0 else None
            at = MONDAY + timedelta(hours=5 * number)
            card = CardId(f"card-{number % 23}")
            store.log.record(EventKind.ANSWER, card, grade=Grade(number % 6), showing=showing, at=at)
            if number % 30 == 0:
                store.log.undo()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return path


def event_ids(path: Path) -> set[bytes]:
    return {row[0] for row in rows(path)}


def rows(path: Path) -> set[tuple[bytes, ...]]:
    with closing(sqlite3.connect(path)) as connection:
        return set(connection.execute("SELECT * FROM event"))


def damaged(sound: Path, folder: Path, damage: Damage, page: int) -> Path:
    """Return a copy of the file with one page damaged."""
    content = bytearray(sound.read_bytes())
    damage(content, page)
    folder.mkdir()
    path = folder / "study.db"
    path.write_bytes(content)
    return path


def pages(content: bytes | bytearray) -> list[int]:
    """Return all pages except those that define the tables, without which SQLite reads nothing."""
    parts = [content[start : start + PAGE] for start in range(0, len(content), PAGE)]
    return [number for number, part in enumerate(parts) if number and b"CREATE " not in part]


def root(path: Path, name: str) -> int:
    """Return the index of a table's first page, counted from 0."""
    with closing(sqlite3.connect(path)) as connection:
        (number,) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", (name,)).fetchone()
    return int(number) - 1


def zeroed(content: bytearray, page: int) -> None:
    content[page * PAGE : (page + 1) * PAGE] = bytes(PAGE)


def half_zeroed(content: bytearray, page: int) -> None:
    content[page * PAGE + PAGE // 2 : (page + 1) * PAGE] = bytes(PAGE // 2)


def of_noise(content: bytearray, page: int) -> None:
    content[page * PAGE : (page + 1) * PAGE] = Random(page).randbytes(PAGE)


def swapped(content: bytearray, page: int) -> None:
    possible = pages(content)
    other = possible[page * 7 % len(possible)]
    one, two = content[page * PAGE : (page + 1) * PAGE], content[other * PAGE : (other + 1) * PAGE]
    content[page * PAGE : (page + 1) * PAGE], content[other * PAGE : (other + 1) * PAGE] = two, one


@pytest.mark.parametrize("damage", [zeroed, half_zeroed, of_noise, swapped])
def test_saved_and_missing_events_are_everything(sound: Path, tmp_path: Path, damage: Damage) -> None:
    everything = rows(sound)

    for page in pages(sound.read_bytes())[::6]:
        path = damaged(sound, tmp_path / str(page), damage, page)
        before = path.read_bytes()
        done = recover(path)

        saved, missing = rows(done.file), {event.id for event in done.missing}
        assert saved <= everything
        assert missing.isdisjoint(row[0] for row in saved)
        assert missing >= {row[0] for row in everything - saved}
        assert len(missing) <= len(everything - saved) + (damage is half_zeroed)  # half an id is one more
        assert (done.events, path.read_bytes()) == (len(saved), before)
        assert {each.name for each in path.parent.iterdir()} == {path.name, done.file.name}


def test_lost_page_is_listed_by_card_and_time(sound: Path, tmp_path: Path) -> None:
    lost: list[int] = []
    for page in pages(sound.read_bytes())[::3]:
        done = recover(damaged(sound, tmp_path / str(page), zeroed, page))
        lost.append(len(done.missing))
        assert all(event.card and event.moment for event in done.missing)

    assert sum(lost) > 60
    assert sorted(lost)[-2] < 50  # only the first page of the log hides all others


@pytest.mark.parametrize("share", [0.6, 0.9, 0.99])
def test_truncated_file_gives_the_rest(sound: Path, tmp_path: Path, share: float) -> None:
    def cut(content: bytearray, _page: int) -> None:
        del content[int(share * len(content)) :]

    done = recover(damaged(sound, tmp_path / "cut", cut, 0))

    missing_ids = {event.id for event in done.missing}
    unnamed = event_ids(sound) - event_ids(done.file) - missing_ids
    assert event_ids(done.file) <= event_ids(sound)
    assert not unnamed or done.missing_answers > len(missing_ids)


def test_recovered_file_is_an_ordinary_database(sound: Path, tmp_path: Path) -> None:
    done = recover(damaged(sound, tmp_path / "zeroed", zeroed, root(sound, "memory")))

    with opened(sound, MONDAY) as before, opened(done.file, MONDAY) as after:
        assert (after.problems(), after.schedule.disagreements()) == ((), ())
        assert list(after.log.events()) == list(before.log.events())
        assert after.log.origin != before.log.origin
        assert after.schedule.memories() == before.schedule.memories()


def test_write_ahead_log_is_saved_too(tmp_path: Path) -> None:
    path = tmp_path / "study.db"
    with opened(path, MONDAY) as store:
        for number in range(20):
            store.log.record(EventKind.ANSWER, CardId(f"card-{number}"), grade=Grade.GOOD)
        content, wal = bytearray(path.read_bytes()), path.with_name("study.db-wal").read_bytes()
        everything = {event.id.bytes for event in store.log.events()}
    folder = tmp_path / "cut"
    folder.mkdir()
    (folder / "study.db").write_bytes(content)
    (folder / "study.db-wal").write_bytes(wal[: len(wal) - 100])  # the last transaction is torn

    done = recover(folder / "study.db")

    assert len(everything - event_ids(done.file)) <= 1
    assert done.events >= 19


def test_unrelated_file_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "notes.db"
    path.write_bytes(b"my notes" * 5000)

    with pytest.raises(BadDataError, match="No event can be read"):
        recover(path)
    with pytest.raises(StudyError, match="cannot be recovered"):
        recover(tmp_path)
    assert [each.name for each in tmp_path.iterdir()] == ["notes.db"]


@pytest.fixture
def study(study: Shell, tmp_path: Path) -> Shell:
    study.with_environ(STUDYKIT_DB=str(tmp_path / "hurt" / "study.db"))
    study.write("config.toml", 'course = "off"\n')
    return study


def test_doctor_offers_and_makes_a_recovery(sound: Path, study: Shell) -> None:
    path = damaged(sound, study.home / "hurt", zeroed, root(sound, "event"))

    offered, fix_result = study("doctor", "--json"), study("doctor", "--fix", "--json")

    checks = {check["name"]: check for check in fix_result.json["checks"]}
    new = path.with_name("study.recovered.db")
    assert (offered.code, fix_result.code, new.exists()) == (1, 1, True)
    assert "`study doctor --fix` puts what can be read of it into a new file" in offered.out
    missing = len(event_ids(sound) - event_ids(new))
    assert f"{missing} missing" in checks["recovery"]["detail"]
    assert len(checks["recovery"]["lines"]) == missing
    assert study("--db", str(new), "doctor").code == 0


def test_second_recovery_gets_its_own_name(sound: Path, tmp_path: Path) -> None:
    path = damaged(sound, tmp_path / "hurt", zeroed, 3)

    names = [recover(path).file.name, recover(path).file.name]

    assert names == ["study.recovered.db", "study.recovered2.db"]


@pytest.mark.parametrize("damage", [zeroed, of_noise, swapped])
def test_prompt_on_a_damaged_file_is_quiet(
    sound: Path, study: Shell, tmp_path_factory: pytest.TempPathFactory, damage: Damage
) -> None:
    litter = tmp_path_factory.mktemp("litter")
    study._patch.setattr("tempfile.tempdir", str(litter))
    (study.home / "hurt").mkdir()
    path = study.home / "hurt" / "study.db"
    codes = set()

    for page in range(1, sound.stat().st_size // PAGE, 5):
        content = bytearray(sound.read_bytes())
        damage(content, page)
        path.write_bytes(content)
        for words in (["due", "--short"], ["due"], ["stats"], ["review", "--plain"]):
            result = study(*words)
            codes.add(result.code)
            assert len(result.out.split()) <= 2 or "--short" not in words
            assert "--short" not in words or result.err == ""
        for beside in path.parent.glob("study.db-*"):
            beside.unlink()

    assert codes <= {0, 1, 5}
    assert list(litter.iterdir()) == []


def test_missing_table_is_explained(sound: Path, study: Shell) -> None:
    path = damaged(sound, study.home / "hurt", lambda *_: None, 0)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("DROP TABLE memory")

    short, whole = study("due", "--short"), study("due")

    assert (short.code, short.out, short.err) == (5, "unreadable\n", "")
    assert whole.code == 5
    assert "lacks a part" in whole.err


@pytest.mark.parametrize("seed", range(6))
def test_flipped_bytes_are_never_a_bug(sound: Path, study: Shell, seed: int) -> None:
    random, content = Random(seed), bytearray(sound.read_bytes())
    schema = range(100, PAGE)
    for place in random.sample(schema, 40) if seed % 2 else random.sample(range(PAGE, len(content)), 100):
        content[place] = random.randrange(256)
    (study.home / "hurt").mkdir()
    (study.home / "hurt" / "study.db").write_bytes(content)

    codes = [study(*words).code for words in (["due", "--short"], ["stats"], ["export", "progress"], ["doctor"])]

    assert set(codes) <= {0, 1, 5}
