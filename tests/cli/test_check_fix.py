"""Test `study check --fix`: files are mended, each change is reported, and progress is kept."""

from pathlib import Path

import pytest
from shell import Shell

from studykit.collection import deck_writer

DECK = "Q: What is asked?\r\nA: This.\r\n\r\nC: [One] and [two].\r\n"


@pytest.fixture
def study(study: Shell, tmp_path: Path) -> Shell:
    study.with_environ(STUDYKIT_DECKS=str(tmp_path / "decks"))
    (tmp_path / "decks").mkdir()
    (tmp_path / "decks/a.md").write_bytes(DECK.encode())
    return study


def test_fix_reports_each_change(study: Shell) -> None:
    path = study.home / "decks/a.md"
    path.chmod(0o640)

    result = study("check", "decks", "--fix")

    assert result.code == 0
    assert result.out.splitlines() == [
        "decks/a.md:1: converted line ends to newlines",
        "decks/a.md:1: added the id #asked",
        "decks/a.md:4: added the id #one-two",
        "1 file, 3 cards: all is well.",
    ]
    assert path.read_bytes() == (b"Q: What is asked? {#asked}\nA: This.\n\nC: [One] and [two]. {#one-two}\n")
    assert path.stat().st_mode & 0o777 == 0o640
    assert study("check", "decks", "--fix", "--json").json["repairs"] == []


def test_progress_stays_with_each_card(study: Shell) -> None:
    cards = [card["card"] for card in study("show", "a", "--json").json["cards"]]
    for card, grade in zip(cards, ("good", "easy", "hard"), strict=True):
        study("answer", card, grade)

    study("check", "decks", "--fix")

    eases = [study("show", card, "--json").json["memory"]["ease"] for card in ("asked", "one-two.1", "one-two.2")]
    assert eases == [250, 260, 236]
    assert study("doctor", "--json").json["problems"] == 0


def test_fix_avoids_ids_already_in_use(study: Shell) -> None:
    study.write("decks/b.md", "Q: Why are trees green in summer? {#gone}\nA: Light\n")
    study("answer", "gone", "good")
    shipped = study("show", "flops", "--json").json["cards"][0]["card"]
    study.write("decks/b.md", f"Q: gone\nA: other\n\nQ: {shipped.replace('-', ' ')}\nA: mine\n")

    study("check", "decks/b.md", "--fix")

    text = (study.home / "decks/b.md").read_text(encoding="utf-8")
    assert "{#gone-2}" in text
    assert f"{{#{shipped}-2}}" in text
    assert study("show", "gone-2", "--json").json["memory"] is None


def test_decks_that_ship_are_left_alone(study: Shell) -> None:
    repairs = study("check", "--fix", "--json").json["repairs"]

    assert {Path(repair["path"]).name for repair in repairs} == {"a.md"}


def test_fix_leaves_changed_or_unwritable_file_alone(study: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object, **_options: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(deck_writer, "replacing", refused)
    result = study("check", "decks", "--fix")

    assert result.code == 1
    assert "cannot be written (Permission denied). Make room there, or allow writing to it." in result.err
    assert (study.home / "decks/a.md").read_bytes() == DECK.encode()


def test_fix_reports_file_that_is_not_utf8(study: Shell) -> None:
    (study.home / "decks/a.md").write_bytes(b"Q: a\r\nA: \xff\r\n")

    result = study("check", "decks", "--fix")

    assert "byte 0xFF is not UTF-8" in result.out
    assert (study.home / "decks/a.md").read_bytes() == b"Q: a\r\nA: \xff\r\n"


def test_unknown_tex_is_reported_and_pages_are_written(study: Shell) -> None:
    study.write("decks/a.md", "Q: What is $\\ce{H2O}$? {#water .flops}\nA: Water\n")

    checked, exported = study("check", "decks"), study("export", "html", "decks", "-o", "pages")
    strict = study("check", "decks", "--strict")

    output = 'a.md:1: warning: $\\ce{H2O}$ is shown as TeX: Unknown command "\\ce".'
    assert (checked.code, output in checked.out) == (0, True)
    assert (exported.code, output in exported.err) == (0, True)
    assert "<code>\\ce{H2O}</code>" in (study.home / "pages/a.html").read_text(encoding="utf-8")
    assert (strict.code, 'cannot be drawn: Unknown command "\\ce"' in strict.out) == (1, True)
