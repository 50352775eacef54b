"""Test `study class report` on a folder of progress files, some of which cannot be read."""

import csv
import io
import json
import os
import re
from datetime import UTC, date, datetime
from pathlib import Path
from uuid import UUID

import pytest
from shell import Shell
from simulated_class import DECK, cards, simulated_class, write_class

from studykit.cards.card import CardId
from studykit.exercise import catalog
from studykit.scheduling.event_kinds import EventKind
from studykit.scheduling.events import Event, Showing
from studykit.scheduling.progress_file import progress_json
from studykit.scheduling.study_day import microseconds


@pytest.fixture
def shell(study: Shell, tmp_path: Path) -> Shell:
    write_class(simulated_class(cards(), 8, 12), tmp_path / "class")
    return study.with_deck("mine.md", DECK)


def report(shell: Shell, *words: str) -> dict[str, object]:
    result = shell("class", "report", "class", "--deck", "mine", "--json", *words)
    assert result.code == 0, result.err
    document: dict[str, object] = result.json
    return document


def test_a_class_is_told_in_lines(shell: Shell) -> None:
    result = shell("class", "report", "class", "--deck", "mine", "--exam", "2026-12-18")

    assert (result.code, result.err) == (0, "")
    assert re.search(
        r"2026-11-23: 8 students, \d active in the last 7 days, [\d,]+ answers; .* 14 cards", result.out
    )
    for title in ("Recalled today", "Exam on 2026-12-18", "Students, lowest first", "Silent for 7 days", "Slips"):
        assert title in result.out
    assert "student-000 (never)" in result.out
    assert re.search(r"card-\d+ +\d of \d +\d+ +\S*mine.md:\d+", result.out)


def test_json_has_every_student_and_all_shows_them(shell: Shell) -> None:
    document = report(shell)
    students = document["students"]
    assert isinstance(students, list)
    assert document["schema"] == 1
    assert [student["name"] for student in students] == [f"student-{number:03}" for number in range(8)]
    assert students[0]["silent"] is True
    assert students[0]["objectives"]["flops"] == {
        "known": 0, "mature": 0, "lapses": 0, "reviews": 0, "passed": 0, "cards": 13, "recalled": 0.0,
    }  # fmt: skip

    assert document["exam"] is None
    exam = report(shell, "--exam", "2026-12-18")["exam"]
    assert isinstance(exam, dict)
    assert (exam["date"], len(exam["recalled"])) == ("2026-12-18", 8)
    assert exam["ready"] == sum(share >= exam["ready_from"] for share in exam["recalled"])
    few = shell("class", "report", "class", "--deck", "mine").out
    whole = shell("class", "report", "class", "--deck", "mine", "--all").out
    assert len(whole.splitlines()) > len(few.splitlines())
    assert set(re.findall(r"\bcard-\d+\b", whole)) == {
        one["card"]
        for one in document["cards"]  # type: ignore[attr-defined]
        if one["card"].startswith("card-")
    }


def test_gradebook_has_safe_row_for_each_student(shell: Shell, tmp_path: Path) -> None:
    (tmp_path / "class" / "student-003.json").rename(tmp_path / "class" / "=1+1.json")

    result = shell("class", "report", "class", "--deck", "mine", "--csv", "grades.csv", "--exam", "2026-12-18")

    assert result.out == "Wrote grades.csv.\n"
    rows = list(csv.DictReader(io.StringIO((tmp_path / "grades.csv").read_text())))
    assert [row["student"] for row in rows] == ["'=1+1", *(f"student-{n:03}" for n in (0, 1, 2, 4, 5, 6, 7))]
    assert [float(row["recalled_at_exam"]) > 0 for row in rows][:3] == [True, False, True]
    assert {"flops_known", "flops_recalled", "memory_known", "memory_recalled"} <= rows[0].keys()
    assert (tmp_path / "grades.csv").stat().st_mode & 0o077 == 0


def test_codes_replace_names_and_stay_the_same(shell: Shell, tmp_path: Path) -> None:
    first, second = shell("class", "report", "class", "--codes", "--json"), report(shell, "--codes")

    assert "student-" not in first.out
    names = [student["name"] for student in first.json["students"]]
    assert names == [student["name"] for student in second["students"]]  # type: ignore[attr-defined]
    assert all(re.fullmatch(r"[a-z2-7]{4}-[a-z2-7]{4}", name) for name in names)
    assert (len(set(names)), names) == (8, sorted(names))
    key = tmp_path / "class-codes.key"
    assert key.stat().st_mode & 0o077 == 0
    key.write_bytes(b"0123456789abcdef" * 2)
    # From: printf student-003 | openssl dgst -sha256 -hmac 0123456789abcdef0123456789abcdef -binary | base32
    assert "npuh-aglx" in [student["name"] for student in report(shell, "--codes")["students"]]  # type: ignore[attr-defined]


def test_a_report_for_everybody_names_nobody(shell: Shell) -> None:
    result = shell("class", "report", "class", "--public", "--json")
    lines = shell("class", "report", "class", "--public").out

    assert "student-" not in result.out + lines
    assert result.json["students"] == []
    assert "lines that too few students stand behind" in lines


def test_public_report_refuses_class_of_four(shell: Shell, tmp_path: Path) -> None:
    for number in range(4):
        (tmp_path / "class" / f"student-{number:03}.json").unlink()

    result = shell("class", "report", "class", "--public")

    assert result.code == 1
    assert "The class has 4 students, and a public report needs 5 or more" in result.err


def test_page_runs_nothing_and_escapes_its_text(shell: Shell, tmp_path: Path) -> None:
    (tmp_path / "class" / "student-003.json").rename(tmp_path / "class" / "<b>eve {{ 7*7 }}.json")

    result = shell("class", "report", "class", "--deck", "mine", "--html", "page.html", "--exam", "2026-12-18")

    page = (tmp_path / "page.html").read_text()
    assert result.out == "Wrote page.html.\n"
    assert "<script" not in page
    assert not re.search(r"\b(src|srcset|action)=|url\(|@import|https?://", page)
    assert re.findall(r'href="([^"]*)"', page) == ["data:,"]
    assert " style=" not in page  # the policy lets no such thing through
    assert "default-src &#39;none&#39;" in page
    assert "&lt;b&gt;eve {{ 7*7 }}" in page
    assert page.count('<tr><th scope="row">student-') == 7
    assert "Exam on 2026-12-18" in page
    assert str(tmp_path) not in page  # a deck is named by its file alone
    assert (tmp_path / "page.html").stat().st_mode & 0o077 == 0


def test_file_without_progress_is_skipped(shell: Shell, tmp_path: Path) -> None:
    folder = tmp_path / "class"
    (folder / "notes.json").write_text("[1, 2")
    (folder / "deck.json").write_text('{"kind": "studykit-deck"}')
    (folder / "photo.json").write_bytes(b"\xff\xd8\xff")
    os.mkfifo(folder / "pipe.json")
    (folder / "link.json").symlink_to(folder / "student-001.json")

    result = shell("class", "report", "class", "--json")

    assert result.code == 0
    assert result.json["size"] == 8
    assert len(result.err.splitlines()) == 5
    for name in (
        "notes.json is not JSON",
        "deck.json is not a copy of progress",
        "pipe.json is a pipe",
        "link.json is a link",
    ):
        assert name in result.err


def test_an_event_that_cannot_be_costs_no_other(shell: Shell, tmp_path: Path) -> None:
    file = tmp_path / "class" / "student-001.json"
    document = json.loads(file.read_text())
    document["events"][0]["day"] = "yesterday"
    file.write_text(json.dumps(document))

    result = shell("class", "report", "class", "--json")

    assert result.json["size"] == 8
    assert "student-001.json: event 1 was set aside" in result.err


def test_files_of_one_student_are_counted_once(shell: Shell, tmp_path: Path) -> None:
    before = report(shell)
    student = simulated_class(cards(), 8, 12)[2]
    half = len(student.events) // 2
    for number in range(5):
        (tmp_path / "class" / f"again{number}.json").write_text(progress_json(student.events[:half]))

    result = shell("class", "report", "class", "--deck", "mine", "--json")

    names = "again0.json, again1.json, again2.json and 2 more files"
    assert result.err == f"study: student-002.json shares events with {names}: counted once, as student-002.\n"
    assert result.json == before


def test_parts_of_one_log_are_merged(shell: Shell, tmp_path: Path) -> None:
    """Merge copies of two machines, each of which lacks some events."""
    before = report(shell)
    events, folder = simulated_class(cards(), 8, 12)[2].events, tmp_path / "class"
    third = len(events) // 3
    (folder / "student-002.json").write_text(progress_json(events[: 2 * third + 2]))
    (folder / "laptop.json").write_text(progress_json(events[third:]))

    assert {**report(shell), "students": 0} == {**before, "students": 0}


def test_few_common_events_keep_students_apart(shell: Shell, tmp_path: Path) -> None:
    """Check two students who imported the same package with answers of one of them."""
    one, two = simulated_class(cards(), 8, 12)[1:3]
    (tmp_path / "class" / "student-001.json").write_text(progress_json([*one.events, *two.events[:5]]))

    result = shell("class", "report", "class", "--deck", "mine", "--json")

    assert (result.err, result.json["size"]) == ("", 8)


def test_wrong_rewrites_are_diagnosed_in_the_sandbox(shell: Shell, tmp_path: Path) -> None:
    """Check two mistakes that differ only in a number, which count as one."""
    version, day = catalog.find("rewrite.split_heads").version, date(2026, 11, 20)
    moment = microseconds(datetime(2026, 11, 20, 9, tzinfo=UTC))
    for number, name in (1, "ana"), (7, "bo"):
        source = f"rearrange(x, 'b s (h e) -> b h s e', h=h) + {number}"
        showing = Showing("rewrite.split_heads", version, 1, "{}", source, "incorrect")
        event = Event(
            UUID(int=number), "", "sim", EventKind.PRACTICE, CardId(""), moment, day, "UTC", showing=showing
        )
        (tmp_path / "class" / f"{name}.json").write_text(progress_json([event]))

    def clusters(*words: str) -> object:
        exercises = report(shell, *words)["exercises"]
        assert isinstance(exercises, list)
        return next(each["clusters"] for each in exercises if each["exercise"] == "rewrite.split_heads")

    assert clusters() == [{"answer": "incorrect", "count": 2, "students": 2}]
    diagnosis = "Every element is 1 more than what is wanted."
    assert clusters("--diagnose") == [{"answer": diagnosis, "count": 2, "students": 2}]


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["nowhere"], 3, "nowhere does not exist. Name a folder of progress files"),
        (["mine.md"], 2, "mine.md is a file. Name a folder with one progress file"),
        (["empty"], 3, "empty holds no .json file. Students write one:\n  study export progress -o NAME.json"),
        (["class", "--exam", "soon"], 2, "--exam is 'soon'. Give a day such as 2026-12-"),
        (["class", "--exam", "2026-11-01"], 2, "Give a day from 2026-11-"),
        (["class", "--deck", "nope"], 3, "No deck is named 'nope'.\n  study deck list"),
        (["class", "--html", "no/where.html"], 1, "no/where.html cannot be written"),
        (["class", "--csv", "null"], 1, "null cannot be written: it is a device"),
        (
            ["class", "--codes"],
            1,
            "class-codes.key, the key of the codes, cannot be kept: Is a directory. Correct that",
        ),
        (["class", "--public", "--codes"], 2, "--public names no student"),
        (["class", "--public", "--csv", "x.csv"], 2, "--public names no student"),
        (["sqlite:///x.db"], 1, "is not the address of a PostgreSQL database"),
        (["postgresql://ana:secret@host/course"], 2, "pgpass"),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else None,
)
def test_bad_input_is_one_sentence(
    shell: Shell, tmp_path: Path, words: list[str], code: int, message: str
) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "null").symlink_to("/dev/null")
    (tmp_path / "class-codes.key").mkdir()

    result = shell("class", "report", *words)

    assert result.code == code
    assert message in result.err
    assert result.err.count("\n") == 1 + message.count("\n")
    assert "secret" not in result.err


def test_class_report_escapes_control_signs_in_names(shell: Shell) -> None:
    signs = "\x1b\u202e\u061c\u2028"
    first = next((shell.home / "class").glob("*.json"))
    first.rename(first.with_name(f"a{signs}[31mz.json"))

    result = shell("class", "report", "class", "--all", "--html", "class.html", "--csv", "class.csv")

    assert result.code == 0
    for text in (result.out, (shell.home / "class.html").read_text(), (shell.home / "class.csv").read_text()):
        assert not {*signs} & {*text}
    names = [row["student"] for row in csv.DictReader(io.StringIO((shell.home / "class.csv").read_text()))]
    assert any(name.startswith("a\\") and name.endswith("z") for name in names)
