"""Test imports of notes of Obsidian's spaced-repetition plugin, with their schedules."""

import json
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


def test_unreadable_note_is_named(tmp_path: Path) -> None:
    (tmp_path / "b.md").write_bytes(b"#flashcards\n\xffc::d\n")
    decks = vault(tmp_path, a="#flashcards\na::b\n")

    assert (len(decks.notes), decks.losses.lines()) == (
        1,
        ("notes that are not UTF-8 or cannot be read: 1 (b.md)",),
    )


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


def test_obsidian_tag_names_the_deck_below_it(tmp_path: Path) -> None:
    decks = vault(
        tmp_path, a="#flashcards/lang/de\na::b\n\n#flashcards/lang/fr\nc::d\n", other="no::card of the plugin\n"
    )

    assert [(note.front, note.deck) for note in decks.notes] == [("a", "lang::de"), ("c", "lang::fr")]


def test_changed_obsidian_answer_keeps_the_card_id(tmp_path: Path) -> None:
    first = vault(tmp_path, a="#flashcards\na::b\n").notes[0].id

    assert vault(tmp_path, a="#flashcards\nwords\n\na::c\n").notes[0].id == first


def test_a_schedule_of_another_algorithm_is_told(tmp_path: Path) -> None:
    decks = vault(tmp_path, a="#flashcards\na::b <!--SR:!sm42,2026-11-20,3.1,4-->\n")

    assert (decks.pasts, decks.losses.lines()) == ({}, ("schedules not taken over: 1 (a)",))


def test_links_out_of_the_folder_are_not_followed(tmp_path: Path) -> None:
    (tmp_path / "secret.png").write_bytes(b"secret")
    inside = tmp_path / "vault"
    inside.mkdir()
    (inside / "secret.png").symlink_to(tmp_path / "secret.png")

    decks = vault(inside, a="#flashcards\n![[secret.png]]::a\n![x](../secret.png)::b\n")

    assert decks.media == ()


def test_folder_without_flashcards_is_no_obsidian_vault(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("Q: a\nA: b\n")

    assert not sniff(tmp_path, b"")


def test_a_tag_without_a_card_is_told(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="plugin but no card"):
        vault(tmp_path, a="#flashcards\n")


def test_obsidian_vault_imports_once_with_due_days(study: Shell, tmp_path: Path) -> None:
    (tmp_path / "vault").mkdir()
    vault(tmp_path / "vault", Dogs=NOTE)

    result = study("import", "vault", "--yes")
    second = study("import", "vault", "--yes")

    assert "Obsidian: 6 new notes, 9 cards, 0 reviews, 6 adopted due days, 1 media file" in result.out
    assert second.out == "Obsidian: 0 new notes, 0 cards, 0 reviews; 6 known before.\n"
    assert study("due", "--json").json["decks"] == {"dogs": 2}  # of siblings one a day


def test_obsidian_front_matter_tags_apply_to_cards(tmp_path: Path) -> None:
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


@pytest.mark.parametrize("mark", ["<!--", "<!--SR:", "`", "==a ", "![[", "![", "![a](", "[", "[[", "[[a|", "\n"])
def test_marks_that_never_close_are_read_once(tmp_path: Path, mark: str) -> None:
    many = mark * (400_000 // len(mark))  # read to the end from each, they would take minutes

    decks = vault(tmp_path, note=f"---\n{many}\n---\n#flashcards\na::b\n\nc::d {many}")

    assert len(decks.notes) == 2


def test_obsidian_comment_gap_and_code_close_properly(tmp_path: Path) -> None:
    decks = vault(tmp_path, note="#flashcards\n<!-- x -->a ==b c== d\n\n``a::` b``::c ![[e.png]]")

    assert len(decks.notes) == 2
    assert "x" not in decks.notes[0].front
    assert decks.notes[1].front == "``a::` b``"


SETTINGS = {
    "flashcardTags": ["#karten", "#cards"],
    "singleLineCardSeparator": ";;;",
    "singleLineReversedCardSeparator": "<->",
    "multilineCardSeparator": "+",
    "multilineReversedCardSeparator": "",
    "multilineCardEndMarker": "%%%",
    "convertBoldTextToClozes": True,
}
OWN = """#karten/🇩🇪
Hund;;;dog
- [ ] Katze<->cat
no::card

Front
+
Back

more
%%%

A **2;;bold** gap and **1;;$x^2$ of y;;a formula**.
<!--SR:!2026-12-01,4,230!2026-12-02,5,240-->
%%%
"""


def sides(decks: ImportedDecks) -> list[tuple[str, str]]:
    return [(note.front, note.back) for note in decks.notes]


def test_the_plugins_own_settings_are_followed(tmp_path: Path) -> None:
    place = tmp_path / ".obsidian/plugins/obsidian-spaced-repetition/data.json"
    place.parent.mkdir(parents=True)
    place.write_text(json.dumps({"settings": SETTINGS}))

    decks = vault(tmp_path, deep__n=OWN)

    assert sides(decks) == [
        ("Hund", "dog"),
        ("Katze", "cat"),
        ("Front", "Back\n\nmore"),
        ("A bold gap and […].", "A bold gap and $x^2$ of y."),
        ("A […] gap and $x^2$ of y.", "A **bold** gap and $x^2$ of y."),
    ]
    assert {note.deck for note in decks.notes} == {"🇩🇪"}
    assert [past.state.interval for past in decks.pasts.values() if past.state] == [4, 5]


@pytest.mark.parametrize(
    ("pattern", "text"),
    [("{{[123;;]answer[;;hint]}}", "{{1;;up;;way}}"), ("==answer==[^\\[hint\\]]", "==up==^[way]")],
)
def test_own_gap_pattern_is_followed(tmp_path: Path, pattern: str, text: str) -> None:
    place = tmp_path / ".obsidian/plugins/obsidian-spaced-repetition/data.json"
    place.parent.mkdir(parents=True)
    place.write_text(json.dumps({"settings": {"clozePatterns": [pattern]}}))

    assert sides(vault(tmp_path, a=f"#flashcards\nGo {text}.\n")) == [("Go \\[way\\].", "Go **up**.")]


@pytest.mark.parametrize(
    "settings", ["[]", '{"settings": []}', '{"settings": {"clozePatterns": [1], "flashcardTags": 3}}']
)
def test_unreadable_obsidian_settings_use_defaults(tmp_path: Path, settings: str) -> None:
    place = tmp_path / ".obsidian/plugins/obsidian-spaced-repetition/data.json"
    place.parent.mkdir(parents=True)
    place.write_text(settings)

    assert sides(vault(tmp_path, a="#flashcards\nHund::dog\n")) == [("Hund", "dog")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "==1;;up==, ==2;;down==, ==1;;side==",
            [("[…], down, […]", "**up**, down, **side**"), ("up, […], side", "up, **down**, side")],
        ),
        ("It is ==Berlin;;a city==", [(r"It is \[a city\]", "It is **Berlin**")]),
        ("==$a^2$ and b== is ==`==`==", [("[$a^2$ and b] is [`==`]", "")]),
        ("==ashh;;one== ==hash;;two==", [("[one] [two]", "")]),
        ("> [!question]- Hund::dog", [("Hund", "dog")]),
        ("> a\n> ?\n> b", [("a", "b")]),
        ("- [x] Hund::dog", [("Hund", "dog")]),
        ("- [ ] a ==gap==", [("- a [gap]", "")]),
        ("from $5::to $10", [("from $5", "to $10")]),
        ("a::b\n<!--SR:!2026-12-01,4,230-->\nc\n?\nd::e", [("a", "b"), ("c", "d::e")]),
        ("a::b\n?\nc", [("a", "b")]),
        ("[C# notes](N.md#x)::[[N#Head]] of [[N|C# too]]", [("C# notes", "Head of C# too")]),
    ],
)
def test_current_syntax_is_read(tmp_path: Path, text: str, expected: list[tuple[str, str]]) -> None:
    assert sides(vault(tmp_path, a=f"#flashcards\n{text}\n")) == expected


@pytest.mark.parametrize(
    ("text", "decks", "days"),
    [
        ("#flashcards/a\na::b\n#flashcards/b <!--SR:!2026-12-01,4,230-->\nc::d", ["a", "b"], [4]),
        (
            "#flashcards/a\na::b\n\n#flashcards/own c::d\n<!--SR:!2026-12-01,4,230-->\n\ne::f",
            ["a", "own", "a"],
            [4],
        ),
        ("#flashcards/🇫🇷 Chien::dog <!--SR:!2026-12-01,4,230-->", ["🇫🇷"], [4]),
        (
            "#flashcards/a\na::b\n<!--SR:!fsrs,2026-12-06T00:10:00.000Z,12.6,0.4,5,2,1,0,1,2026-11-23T00:00:00.000Z-->",
            ["a"],
            [13],
        ),
        ("#flashcards/a\n> a::b\n> [!sr|card-metadata]-\n> <!--SR:!2026-12-01,4,230-->", ["a"], [4]),
    ],
    ids=["on the line of the next tag", "of a card's own tag", "emoji", "fsrs", "in a callout"],
)
def test_schedule_follows_its_card(tmp_path: Path, text: str, decks: list[str], days: list[int]) -> None:
    read_decks = vault(tmp_path, a=text)

    assert [note.deck for note in read_decks.notes] == decks
    assert [past.state.interval for past in read_decks.pasts.values() if past.state] == days


def test_a_schedule_beside_no_card_is_told(tmp_path: Path) -> None:
    decks = vault(tmp_path, a="#flashcards\na::b\n<!--SR:!2026-12-01,4,230-->\n\n<!--SR:!2024-07-18,3,250-->\n")

    assert [past.state.interval for past in decks.pasts.values() if past.state] == [4]
    assert decks.losses.lines() == ("schedules beside no card, not taken over: 1 (a)",)


def test_pictures_of_one_name_are_each_their_own(tmp_path: Path) -> None:
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "pic.png").write_bytes(folder.encode())

    decks = vault(
        tmp_path,
        a__n="#flashcards\none::![[pic.png]]\n",
        b__n="#flashcards\ntwo::![](pic.png)\n\nthree::![](../a/pic.png)\n",
    )

    (tmp_path / "out").mkdir()
    decks.copy_media(tmp_path / "out", decks.media)
    linked = [note.back.removeprefix("![](\ue020").removesuffix("\ue021)") for note in decks.notes]
    assert [(tmp_path / "out" / name).read_text() for name in linked] == ["a", "b", "a"]
