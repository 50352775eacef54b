"""Test a database named by a path or by `sqlite:///path`: verbs, side files, read-only verbs."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from shell import Shell
from verb_calls import CALLS

from studykit.cli.context import Context
from studykit.errors import UsageError
from studykit.store.address import Address

SIDE_FILES = ("plan", "more", "quiz", "typed")
CARDS = "---\nname = 'mine'\n---\n" + "".join(f"Q: What is {n}? {{#c{n}}}\nA: {n}.\n\n" for n in range(30))


@pytest.fixture
def study(
    request: pytest.FixtureRequest,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Shell:
    """Return the shell of a learner with thirty own cards. A URL names its database, or a path on request."""
    shell = Shell(tmp_path, monkeypatch, capsys, STUDYKIT_SEED="1").with_deck("mine.md", CARDS)
    if getattr(request, "param", "url") == "url":
        monkeypatch.setenv("STUDYKIT_DB", f"sqlite:///{shell.database}")
    return shell


def default_side_files(study: Shell) -> Callable[[], dict[str, str]]:
    """Make side files of the default database, and return a function that reads them again later."""
    folder = study.home / "data" / "studykit"
    for ending in SIDE_FILES:
        study.write(f"data/studykit/study.db.{ending}", "of the default database")
    return lambda: {file.name: file.read_text() for file in folder.glob("study.db*")}


def live(study: Shell) -> None:
    """Run verbs that use every side file and most features of a database."""
    results = {
        "answer": study("answer", "c0", "again"),
        "quiz": study("quiz", "mine", "-n", "1", "--plain", typed="8\n1\n"),
        "last quiz": study("quiz", "--last"),
        "plan": study("plan", "--exam", "2026-12-18", "--start"),
        "more": study("review", "--more", "3", "--plain", typed="\n3\nq\n"),
        "undo": study("undo"),
        "backup": study("backup", "create"),
        "backup check": study("backup", "check"),
        "export": study("export", "progress", "--out", "progress.json"),
        "import": study("import", "progress.json"),
        "sync": study("sync", "meeting"),
        "deck": study("deck", "list"),
        "doctor": study("doctor"),
        "home": study(),
        "restore": study("backup", "restore"),
    }
    run = Context.from_environment()
    run.drafts.keep("c1", "half an answer")
    run.store.close()
    assert {name: result for name, result in results.items() if result.code} == {}


@pytest.mark.parametrize("study", ["path", "url"], indirect=True)
def test_database_by_any_address_has_own_side_files(study: Shell) -> None:
    default = default_side_files(study)
    before = default()

    live(study)

    assert default() == before
    assert study("plan", "--json").json["followed"] is True
    assert study("due", "--json").json["new"] > 2
    run = Context.from_environment()
    assert run.drafts.of("c1") == "half an answer"
    run.store.close()
    assert "log: " in study("doctor").out


def test_each_learner_has_own_side_files(study: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    for learner, exam, more in (("me", "2026-12-18", "3"), ("Bo", "2026-12-01", "5"), ("bo", "2026-12-02", "1")):
        monkeypatch.setenv("STUDYKIT_LEARNER", learner)
        study("plan", "--exam", exam, "--start")
        study("review", "--more", more, "--plain", typed="q\n")
        study("quiz", "mine", "-n", more, "--plain", typed=":skip\n\n" * 9)

    def standing(learner: str) -> tuple[str, int, int]:
        monkeypatch.setenv("STUDYKIT_LEARNER", learner)
        plan, due, quiz = study("plan", "--json"), study("due", "--json"), study("quiz", "--last", "--json")
        return plan.json["plan"]["exam"], due.json["new"] - plan.json["plan"]["new"], len(quiz.json["questions"])

    standings = [standing(learner) for learner in ("me", "Bo", "bo")]
    assert standings == [("2026-12-18", 3, 3), ("2026-12-01", 5, 5), ("2026-12-02", 1, 1)]


def snapshot(study: Shell) -> dict[str, bytes]:
    """Map every file of the home to its contents."""
    return {str(file): file.read_bytes() for file in study.home.rglob("*") if file.is_file()}


LOOKS = (
    *("", "plan", "plan --json", "plan --exam 2026-12-18 --minutes 7", "due", "due --short", "due --json"),
    *("find what", "find is:due --json", "show c0", "show mine", "stats", "stats --json", "stats --compare"),
    *("quiz --last", "undo --list", "deck list", "card list", "backup list", "check mine.md", "doctor"),
)


def test_look_changes_no_database_and_no_side_file(study: Shell) -> None:
    """Run the verbs that only read, on days after the plan's start. No process was killed before."""
    for number in range(15):
        study("answer", f"c{number}", "good", "--at", f"2026-10-01T09:{number:02}:00+00:00")
    assert study("plan", "--minutes", "4", "--start").code == 0
    live(study)
    study("plan", "--off")
    assert study("plan", "--minutes", "4", "--start").code == 0
    before = snapshot(study)

    for day in ("23", "30"):
        study.at(f"2026-11-{day}T10:00:00+00:00")
        for words in LOOKS:
            assert study(*words.split()).code == 0, words
            assert snapshot(study) == before, words


def test_nobody_studies_on_a_server(study: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STUDYKIT_DB", "postgresql://ana@class.example.org/course")
    sentence = (
        "study: postgresql://ana@class.example.org/course is a class's server. Study in a file, and sync it "
        "with the class:\n  study sync postgresql://ana@class.example.org/course\n"
    )

    results = {verb: study(*verb.split(), *words) for verb, words in CALLS.items()}
    results["show"] = study("show", "c0", "--learner", "ana")

    assert [verb for verb, result in results.items() if "bug in studykit" in result.err] == []
    refused = {verb for verb, result in results.items() if result[:3] == (2, "", sentence)}
    assert {"due", "review", "answer", "show", "find", "stats", "plan", "undo", "backup create"} - refused == set()


def test_side_files_of_before_still_load(study: Shell) -> None:
    plan = {"exam": "2026-12-18", "minutes": 9, "decks": [], "objectives": [], "day": "2026-11-23"}
    study.write("study.db.plan", json.dumps({**plan, "new": 1, "reviews": 9, "order": []}))
    study.write("study.db.more", "2026-11-23 2\n")
    study.write("study.db.typed", '{"me": {"c1": "half"}}')
    one = {"prompt": "How many?", "answer": "24", "right": "24", "score": 1, "verdict": "correct"}
    study.write("study.db.quiz", json.dumps({"questions": [one], "score": 1, "of": 1}))

    run = Context.from_environment()
    draft = run.drafts.of("c1")
    run.store.close()

    assert study("due", "--json").json["new"] == 3
    assert (draft, study("quiz", "--last").code) == ("half", 0)


@pytest.mark.parametrize("spelling", ["{home}/a b.db", "~/a b.db", "a b.db", "~/b#c.db", "/{home}/d.db"])
def test_path_and_url_are_one_address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, spelling: str) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    text = spelling.format(home=tmp_path)

    path, url = Address(text), Address(f"sqlite:///{text}")

    read_by_sqlalchemy = Address(f"sqlite:///{text}?timeout=5")

    assert path.file == url.file == read_by_sqlalchemy.file
    assert path.side_file("plan") == url.side_file("plan")
    assert Path(path.name).absolute() == tmp_path / spelling.rpartition("/")[2]


@pytest.mark.parametrize(
    "text", ["sqlite://", "sqlite:///:memory:", "~unknown-user/study.db", "sqlite:///~unknown-user/x"]
)
def test_an_address_of_no_file_is_refused(text: str) -> None:
    with pytest.raises(UsageError):
        Address(text)
