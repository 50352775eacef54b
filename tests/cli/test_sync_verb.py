"""Test `study sync`, by itself and around a review, which it never stops."""

import os
import pwd
import shutil
from pathlib import Path

import pytest
from shell import Shell

from studykit.cli.context import Context


class Two:
    """Hold the homes of one learner, and a shared folder."""

    def __init__(self, tmp_path: Path, patch: pytest.MonkeyPatch, capture: pytest.CaptureFixture[str]) -> None:
        self.shared = tmp_path / "shared"
        self.homes = {name: tmp_path / name for name in ("laptop", "desktop", "page")}
        for home in self.homes.values():
            home.mkdir()
        self._patch, self._capture = patch, capture

    def on(self, name: str, **settings: str) -> Shell:
        """Return a shell on one of the machines, with these settings."""
        shell = Shell(self.homes[name], self._patch, self._capture, STUDYKIT_BACKUP="1")
        if not (self.homes[name] / "config.toml").exists():
            settings["machine_name"] = name
        for key, value in settings.items():
            shell("config", "set", key, value)
        return shell

    def share(self, grade: str = "good") -> None:
        """Answer a card on the laptop, and sync it with the folder."""
        laptop = self.on("laptop")
        laptop("answer", "six", grade)
        assert laptop("sync", str(self.shared)).out == "sent 1 review.\n"


@pytest.fixture
def two(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Two:
    return Two(tmp_path, monkeypatch, capsys)


def test_two_machines_know_the_same(two: Two) -> None:
    two.share()
    desktop = two.on("desktop")
    desktop("answer", "gb-gib", "again")

    result = desktop("sync", str(two.shared))

    assert (result.code, result.err) == (0, "")
    assert result.out == "took 1 review from laptop, sent 1 review.\n"
    assert len(desktop("show", "six", "--json").json["history"]) == 1
    assert two.on("laptop")("sync", str(two.shared)).out == "took 1 review from desktop.\n"


def test_restored_machine_meets_the_original(two: Two) -> None:
    two.share()
    backup = two.on("laptop")("backup", "create", "--json").json["path"]
    desktop = two.on("desktop")
    desktop("backup", "restore", backup)
    desktop("answer", "six", "again")

    assert desktop("sync", str(two.shared)).out == "sent 1 review.\n"
    assert two.on("laptop")("sync", str(two.shared)).out == "took 1 review from desktop.\n"


def test_json_says_it_in_numbers(two: Two) -> None:
    two.on("laptop")("answer", "six", "good")
    two.on("laptop")("card", "flag", "six")

    document = two.on("laptop")("sync", str(two.shared), "--json").json

    assert document["gave"] == {"reviews": 1, "others": 1}
    assert document["took"] == document["remarks"] == []
    assert document["folder"] == str(two.shared)


def test_a_review_syncs_before_and_after(two: Two) -> None:
    two.share("again")
    desktop = two.on("desktop", sync_folder=str(two.shared))

    result = desktop("review", "--plain", "-n", "1", typed="x\n3\n")

    assert result.code == 0
    assert result.err.startswith("sync: took 1 review from laptop\n")
    assert result.err.endswith("sync: sent 1 review\n")
    assert two.on("laptop")("sync", str(two.shared)).out == "took 1 review from desktop.\n"


def test_what_has_nothing_to_tell_is_silent(two: Two) -> None:
    two.shared.mkdir()
    desktop = two.on("desktop", sync_folder=str(two.shared))

    assert desktop("review", "--plain", typed="q\n").err == ""


def test_review_reports_damage_once(two: Two) -> None:
    two.share()
    (segment,) = two.shared.glob("log/*/*.jsonl")
    segment.write_bytes(segment.read_bytes().replace(b"six", b"sex"))
    desktop = two.on("desktop", sync_folder=str(two.shared))

    result = desktop("review", "--plain", "-n", "1", typed="\n3\n")

    assert result.code == 0
    assert result.err.count("1 damaged line skipped") == 1


@pytest.mark.parametrize("in_the_way", ["nothing", "a file"])
def test_failing_folder_costs_review_one_line(two: Two, in_the_way: str) -> None:
    desktop = two.on("desktop", sync_folder=str(two.shared))
    if in_the_way == "a file":
        two.shared.write_text("")

    result = desktop("review", "--plain", "-n", "1", typed="\n3\n")

    assert result.code == 0
    assert result.err.count("sync: not synced: ") == result.err.count("\n") == 1
    assert not two.shared.is_dir()  # nothing is made where a disk is missing
    assert "1 card" in result.out
    assert ("it is not a folder" if in_the_way == "a file" else "it does not exist") in result.err


@pytest.fixture(params=["gone", "empty"])
def unmounted(request: pytest.FixtureRequest, two: Two) -> Two:
    """Return a laptop whose folder was synced before, and whose stick is not mounted now."""
    two.share()
    shutil.rmtree(two.shared)
    if request.param == "empty":
        two.shared.mkdir()
    return two


def holds_nothing(folder: Path) -> bool:
    return not folder.exists() or not any(folder.iterdir())


def test_sync_refuses_an_emptied_folder_without_new(unmounted: Two) -> None:
    laptop = unmounted.on("laptop")
    laptop("answer", "six", "good")

    result = laptop("sync", str(unmounted.shared))

    assert result.code == 1
    assert "was synced before and is " in result.err
    assert f"study sync {unmounted.shared} --new" in result.err
    assert holds_nothing(unmounted.shared)

    assert laptop("sync", str(unmounted.shared), "--new").out == "sent 2 reviews.\n"


def test_review_reports_a_missing_sync_disk_once(unmounted: Two) -> None:
    laptop = unmounted.on("laptop", sync_folder=str(unmounted.shared))

    result = laptop("review", "--plain", "-n", "1", typed="\n3\n")

    assert result.code == 0
    assert result.err.count("sync: not synced: ") == result.err.count("\n") == 1
    assert "was synced before" in result.err
    assert holds_nothing(unmounted.shared)


@pytest.mark.parametrize(("answer", "code"), [("n\n", 1), ("y\n", 0)])
def test_new_folder_is_confirmed(unmounted: Two, monkeypatch: pytest.MonkeyPatch, answer: str, code: int) -> None:
    laptop = unmounted.on("laptop")
    monkeypatch.setattr(Context, "interactive", True)

    result = laptop("sync", str(unmounted.shared), typed=answer)

    assert result.code == code
    assert "Start it anew?" in result.out + result.err
    assert holds_nothing(unmounted.shared) == bool(code)


def test_deleted_folder_is_no_second_machine(two: Two) -> None:
    two.share()
    desktop = two.on("desktop")
    desktop("answer", "gb-gib", "again")
    desktop("sync", str(two.shared))
    laptop = two.on("laptop")
    laptop("sync", str(two.shared))
    laptop("answer", "gb-gib", "good")
    laptop("sync", str(two.shared))
    two.on("desktop")("sync", str(two.shared))
    shutil.rmtree(two.shared)
    laptop = two.on("laptop")
    laptop("card", "flag", "six")
    laptop("sync", str(two.shared), "--new")

    for name, output in (("desktop", "took 1 change from laptop.\n"), ("laptop", "nothing new.\n")):
        result = two.on(name)("sync", str(two.shared))
        assert (result.out, result.err) == (output, "")
    assert len(list((two.shared / "log").iterdir())) == 1


def test_empty_log_syncs_to_its_folder_twice(two: Two) -> None:
    laptop = two.on("laptop")

    assert [laptop("sync", str(two.shared)).out for _ in range(2)] == ["nothing new.\n"] * 2


def test_a_bare_sync_needs_a_folder(two: Two) -> None:
    result = two.on("laptop")("sync")

    assert (result.code, result.out) == (2, "")
    assert "sync_folder" in result.err


def test_folder_without_parent_is_not_made(two: Two) -> None:
    assert two.on("laptop")("sync", str(two.shared / "deep")).code == 2
    assert not two.shared.exists()


def test_backup_precedes_events_of_others(two: Two) -> None:
    two.share()
    desktop = two.on("desktop")
    desktop("config", "get", "machine_name")
    desktop("answer", "gb-gib", "good")
    desktop("answer", "gb-gib", "good")

    desktop("sync", str(two.shared))

    listing = desktop("backup", "list", "--json").json["backups"]
    assert [(row["reason"], row["events"]) for row in listing] == [("sync", 2), ("session", 1)]


def test_folder_of_another_learner_is_refused_in_scripts(two: Two) -> None:
    two.share()
    desktop = two.on("desktop", learner="bo", sync_folder=str(two.shared))
    desktop("answer", "gb-gib", "good")
    before = sorted(two.shared.rglob("*"))

    result, review = desktop("sync"), desktop("review", "--plain", typed="q\n")

    assert (result.code, result.out) == (1, "")
    assert f"holds the log of {login()}, and you are bo. Name another folder, or, if both" in result.err
    assert review.code == 0
    assert review.err.count("sync: not synced: ") == 1
    assert sorted(two.shared.rglob("*")) == before
    assert desktop("show", "six", "--json").json["history"] == []


def test_another_name_is_asked_about_once(two: Two, monkeypatch: pytest.MonkeyPatch) -> None:
    two.share()
    desktop = two.on("desktop", learner="bo")
    monkeypatch.setattr("studykit.cli.context.Context.interactive", True)

    refused = desktop("sync", str(two.shared), typed="\n")
    agreed = desktop("sync", str(two.shared), typed="y\n")
    silent = desktop("sync", str(two.shared))

    assert (refused.code, agreed.code, silent.out) == (1, 0, "nothing new.\n")
    assert "Are both names yours? Yes unites the two logs for good. [y/N]" in refused.out
    assert agreed.out.endswith("took 1 review from laptop.\n")
    assert (two.shared / "learner.txt").read_text() == f"{login()}\nbo\n"


def test_folder_without_a_name_is_adopted(two: Two) -> None:
    two.share()
    (two.shared / "learner.txt").unlink()  # as earlier versions left it
    desktop = two.on("desktop", learner="bo")
    desktop("answer", "gb-gib", "good")

    assert desktop("sync", str(two.shared)).out == "took 1 review from laptop, sent 1 review.\n"
    assert (two.shared / "learner.txt").read_text() == "bo\n"
    assert two.on("laptop")("sync", str(two.shared)).out == "took 1 review from desktop.\n"


def login() -> str:
    return pwd.getpwuid(os.getuid()).pw_name
