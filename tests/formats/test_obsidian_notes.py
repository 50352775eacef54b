"""Notes of Obsidian's spaced-repetition plugin come in, with where each card stands."""

from datetime import UTC, date
from pathlib import Path

import pytest
from shell import Shell

from studykit.formats.foreign_notes import FormatError, ImportedDecks, NoteForm, ReadOptions
from studykit.formats.obsidian_notes import read, sniff
from studykit.scheduling.memory import Memory

OPTIONS = ReadOptions(date(2026, 11, 23), UTC)
NOTE = """---
tags: [flashcards, x]
---
# Dogs

A line of prose.

Hund::dog <!--SR:!2026-11-20,12,250-->
- Katze:::cat
<!--SR:!2026-12-01,4,230!2000-01-01,1,250-->

What is a long question
of two lines?
?
An answer

```python
x::y

z
```

Front
??
Back
<!--SR:!2026-11-21,2,210!2026-11-22,3,220-->

The ==Aare== joins the ==Rhine== in [[Koblenz|this town]].
<!--SR:!2026-11-25,20,250!2026-11-26,21,250-->

`code::no` and $a::b$ are not cards.

![[plot.png|200]]::a picture ^block
"""


def vault(folder: Path, **notes: str) -> ImportedDecks:
    for name, text in notes.items():
        path = folder / f"{name.replace('__', '/')}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    (folder / "plot.png").write_bytes(b"picture")
    assert sniff(folder, b"")
    return read(folder, OPTIONS)


def test_every_kind_of_card_comes_in(tmp_path: Path) -> None:
    decks = vault(tmp_path, Animals__Dogs=NOTE)

    assert [(note.form, note.front, note.back) for note in decks.notes] == [
        (NoteForm.BASIC, "Hund", "dog"),
        (NoteForm.REVERSED, "Katze", "cat"),
        (NoteForm.BASIC, "What is a long question\nof two lines?", "An answer"),
        (NoteForm.REVERSED, "Front", "Back"),
        (NoteForm.CLOZE, "The [Aare] joins the [Rhine] in this town.", ""),
        (NoteForm.BASIC, "![](\ue020plot.png\ue021)", "a picture"),
    ]
    assert {note.deck for note in decks.notes} == {"Animals::Dogs"}
    assert decks.media == ("plot.png",)
    assert "links between notes, now their words: 1" in decks.losses.lines()


def test_each_card_keeps_its_day_interval_and_ease(tmp_path: Path) -> None:
    decks = vault(tmp_path, a=NOTE)

    ids = [note.id for note in decks.notes]
    assert {card: past.state for card, past in decks.pasts.items()} == {
        ids[0]: Memory(2, 12, 250, 0, date(2026, 11, 8)),
        ids[1]: Memory(1, 4, 230, 0, date(2026, 11, 27)),
        ids[3]: Memory(1, 2, 210, 0, date(2026, 11, 19)),
        f"{ids[3]}.reversed": Memory(1, 3, 220, 0, date(2026, 11, 19)),
        f"{ids[4]}.1": Memory(2, 20, 250, 0, date(2026, 11, 5)),
        f"{ids[4]}.2": Memory(2, 21, 250, 0, date(2026, 11, 5)),
    }


def test_a_tag_names_the_deck_of_what_follows_it(tmp_path: Path) -> None:
    decks = vault(
        tmp_path, a="#flashcards/lang/de\na::b\n\n#flashcards/lang/fr\nc::d\n", other="no::card of the plugin\n"
    )

    assert [(note.front, note.deck) for note in decks.notes] == [("a", "lang::de"), ("c", "lang::fr")]


def test_an_answer_that_is_changed_keeps_the_cards_id(tmp_path: Path) -> None:
    first = vault(tmp_path, a="#flashcards\na::b\n").notes[0].id

    assert vault(tmp_path, a="#flashcards\nwords\n\na::c\n").notes[0].id == first


def test_a_schedule_of_another_algorithm_is_told(tmp_path: Path) -> None:
    decks = vault(tmp_path, a="#flashcards\na::b <!--SR:!fsrs,2026-11-20,3.1,4-->\n")

    assert (decks.pasts, decks.losses.lines()) == (
        {},
        ("schedules of an algorithm that is not known here: 1 (a)",),
    )


def test_links_out_of_the_folder_are_not_followed(tmp_path: Path) -> None:
    (tmp_path / "secret.png").write_bytes(b"secret")
    inside = tmp_path / "vault"
    inside.mkdir()
    (inside / "secret.png").symlink_to(tmp_path / "secret.png")

    decks = vault(inside, a="#flashcards\n![[secret.png]]::a\n![x](../secret.png)::b\n")

    assert decks.media == ()


def test_a_folder_without_such_notes_is_none_of_obsidians(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("Q: a\nA: b\n")

    assert not sniff(tmp_path, b"")


def test_a_tag_without_a_card_is_told(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="no card of it"):
        vault(tmp_path, a="#flashcards\n")


def test_a_folder_comes_in_and_its_cards_are_due_on_their_days(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shell = Shell(tmp_path, monkeypatch, capsys)
    (tmp_path / "vault").mkdir()
    vault(tmp_path / "vault", Dogs=NOTE)

    result = shell("import", "vault", "--yes")
    again = shell("import", "vault", "--yes")

    assert "Obsidian: 6 new notes, 9 cards, 0 reviews, 6 adopted due days, 1 media file" in result.out
    assert again.out == "Obsidian: 0 new notes, 0 cards, 0 reviews; 6 known before.\n"
    assert shell("due", "--json").json["decks"] == {"dogs": 2}  # of siblings one a day


def test_tags_of_a_note_are_its_cards_and_comments_and_links_are_none(tmp_path: Path) -> None:
    (tmp_path / "note.md").write_text(
        "---\ntags:\n  - flashcards/geo\n  - school/year-1\n---\n"
        "see [the map](../Maps/Europe.md#west) and [the site](https://example.org/a.md)::yes\n\n"
        "%% hidden::comment %%\n\n<!-- also::hidden -->\n\n%%\nblock::hidden\n%%\n\n`%%time`::a magic\n",
        encoding="utf-8",
    )
    decks = read(tmp_path, OPTIONS)

    assert [(note.front, note.tags, note.deck) for note in decks.notes] == [
        ("see the map and [the site](https://example.org/a.md)", ("school::year-1",), "geo"),
        ("`%%time`", ("school::year-1",), "geo"),
    ]
    assert decks.losses.lines() == ("links between notes, now their words: 1",)


@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    "mark",
    ["<!--", "<!--SR:", "`", "==a ", "![[", "![", "![a](", "[", "[[", "[[a|", "\n"],
)
def test_marks_that_never_close_are_read_once(tmp_path: Path, mark: str) -> None:
    many = mark * (400_000 // len(mark))  # read to the end from each, they would take minutes

    decks = vault(tmp_path, note=f"---\n{many}\n---\n#flashcards\na::b\n\nc::d {many}")

    assert len(decks.notes) == 2


def test_a_comment_a_gap_and_code_end_where_they_close(tmp_path: Path) -> None:
    decks = vault(tmp_path, note="#flashcards\n<!-- x -->a ==b c== d\n\n``a::` b``::c ![[e.png]]")

    assert len(decks.notes) == 2
    assert "x" not in decks.notes[0].front
    assert decks.notes[1].front == "``a::` b``"
