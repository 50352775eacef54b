"""Test imports of Anki's packages in both formats: notes of every type, media, tags, decks and history."""

from datetime import UTC, date, datetime
from pathlib import Path
from typing import cast

import pytest
from anki_packages import BASIC, CLOZE, FIRST_DAY, REVERSED, TYPED, TYPES, SampleCard, SampleNote, write_package
from shell import Shell

from studykit.formats.anki_decks import read
from studykit.formats.foreign_notes import ImportedDecks, ImportedNote, NoteForm, PastReview, ReadOptions
from studykit.scheduling.memory import Memory
from studykit.scheduling.recall_grade import Grade

OPTIONS = ReadOptions(date(2026, 11, 23), UTC)
PICTURE = b"\x89PNG and more"
MS = FIRST_DAY * 1000 + 5 * 3_600_000
NOTES = (
    SampleNote(
        "q~#b8[xy1", BASIC, ("What is <b>2</b>&nbsp;&lt; 3?", 'yes<img src="plot 1.png">'), deck="Maths::Sets"
    ),
    SampleNote("two", REVERSED, ("Hund", "dog"), [SampleCard(0), SampleCard(1)], tags="animal  noun"),
    SampleNote("three", TYPED, ("type", "me")),
    SampleNote(
        "four",
        CLOZE,
        (r"The {{c2::Aare}} joins the {{c1::Rhine}} at \(x^{{c3::2}}\)", ""),
        [SampleCard(0, log=[(MS, 1)]), SampleCard(1, log=[(MS + 1, 4)]), SampleCard(2)],
    ),
)


@pytest.fixture(params=[True, False], ids=["newer", "older"])
def newer(request: pytest.FixtureRequest) -> bool:
    return bool(request.param)


def import_package(
    folder: Path, *notes: SampleNote, newer: bool = False, media: dict[str, bytes] | None = None
) -> ImportedDecks:
    return read(write_package(folder / "my cards.apkg", notes, media, newer=newer), OPTIONS)


def note(folder: Path, *fields: str, type_: int = BASIC, cards: int = 1) -> tuple[ImportedNote, ...]:
    sample = SampleNote("n", type_, fields, [SampleCard(order) for order in range(cards)])
    return import_package(folder, sample).notes


def test_anki_notes_of_every_type_become_readable_text(tmp_path: Path, *, newer: bool) -> None:
    decks = import_package(tmp_path, *NOTES, newer=newer, media={"plot 1.png": PICTURE})

    assert decks.notes == (
        ImportedNote(
            "anki:q_7e_23b8_5bxy1",
            "Maths::Sets",
            NoteForm.BASIC,
            "What is **2** < 3?",
            "yes![](\ue020plot 1.png\ue021)",
        ),
        ImportedNote("anki:two", "Default", NoteForm.REVERSED, "Hund", "dog", ("animal", "noun")),
        ImportedNote("anki:three", "Default", NoteForm.BASIC, "type", "me", typed=True),
        ImportedNote("anki:four", "Default", NoteForm.CLOZE, "The [Aare] joins the [Rhine] at $x^[2]$"),
    )
    assert (decks.name, decks.origin, decks.losses.lines()) == ("my cards", "anki", ())


def test_media_links_ignore_case_and_missing_are_named(tmp_path: Path) -> None:
    sample = SampleNote("n", BASIC, ('<img src="Plot 1.PNG">', "[sound:gone.mp3]"))

    decks = import_package(tmp_path, sample, media={"plot 1.png": PICTURE})

    assert decks.notes[0].front == "![](\ue020plot 1.png\ue021)"
    assert decks.losses.lines() == ("links to pictures and recordings that are not there: 1 (gone.mp3)",)


def test_media_come_along_byte_for_byte(tmp_path: Path, *, newer: bool) -> None:
    decks = import_package(tmp_path, *NOTES, newer=newer, media={"plot 1.png": PICTURE, "_style.js": b"x"})

    decks.copy_media(tmp_path, decks.media)

    assert decks.media == ("plot 1.png",)
    assert (tmp_path / "plot 1.png").read_bytes() == PICTURE
    assert decks.losses.lines() == ("media of a kind that no card shows: 1 (_style.js)",)


def test_anki_gaps_keep_their_own_review_history(tmp_path: Path, *, newer: bool) -> None:
    pasts = import_package(tmp_path, *NOTES, newer=newer).pasts

    assert pasts["anki:four.1"].reviews == (PastReview(str(MS + 1), (MS + 1) * 1000, Grade.EASY, 4000),)
    assert pasts["anki:four.2"].reviews == (PastReview(str(MS), MS * 1000, Grade.AGAIN, 4000),)
    assert pasts["anki:four.3"].reviews == ()


def test_anki_card_keeps_state_suspension_and_flag(tmp_path: Path, *, newer: bool) -> None:
    card = SampleCard(0, interval=30, due=420, factor=2360, lapses=2, queue=-1, flags=3)

    past = import_package(tmp_path, SampleNote("n", BASIC, ("a", "b"), [card]), newer=newer).pasts["anki:n"]

    due = datetime.fromtimestamp(FIRST_DAY, UTC).date().toordinal() + 420
    assert past.state == Memory(2, 30, 236, 2, date.fromordinal(due - 30))
    assert (past.suspended, past.flagged) == (True, True)


@pytest.mark.parametrize(
    ("interval", "due", "expected"),
    [(3, 412, (1, 3)), (6, 412, (2, 6)), (30, 500, (2, 90)), (40_000, 412, (2, 20_781))],
    ids=["second pass next", "third next", "due day set by hand", "longer than there is a calendar"],
)
def test_state_keeps_its_due_day(tmp_path: Path, interval: int, due: int, expected: tuple[int, int]) -> None:
    card = SampleCard(0, interval=interval, due=due)

    state = import_package(tmp_path, SampleNote("n", BASIC, ("a", "b"), [card])).pasts["anki:n"].state

    assert state is not None
    assert (state.repetition, state.interval) == expected
    assert state.reviewed <= OPTIONS.today


def test_decoy_collection_in_newer_package_is_ignored(tmp_path: Path) -> None:
    assert [one.front for one in import_package(tmp_path, *NOTES, newer=True).notes if "update" in one.front] == []


def test_anki_gaps_of_one_number_share_a_card(tmp_path: Path) -> None:
    notes = note(tmp_path, "{{c1::a}}, {{c1::b}}, {{c2::c::letter}}", "more", type_=CLOZE, cards=2)

    assert [(one.id, one.form, one.front, one.back) for one in notes] == [
        ("anki:n.1", NoteForm.BASIC, "[…], […], c", "**a**, **b**, c\n\nmore"),
        ("anki:n.2", NoteForm.BASIC, r"a, b, \[letter\]", "a, b, **c**\n\nmore"),
    ]


def test_nested_anki_gap_becomes_its_own_card(tmp_path: Path) -> None:
    notes = note(tmp_path, "{{c1::the {{c2::inner}} one}}", "", type_=CLOZE, cards=2)

    assert [(one.front, one.back) for one in notes] == [
        ("[…]", "**the inner one**"),
        ("the […] one", "the **inner** one"),
    ]


def test_image_occlusion_is_left_out(tmp_path: Path) -> None:
    shape = "{{c1::image-occlusion:rect:left=.1:top=.25:width=.2:height=.1}}"

    decks = import_package(tmp_path, SampleNote("n", CLOZE, (shape, "a picture")))

    assert (decks.notes, decks.losses.lines()) == ((), ("notes that cover parts of a picture: 1 (n)",))


def test_import_counts_notes_without_card_or_question(tmp_path: Path) -> None:
    card = SampleCard(0, interval=9, log=[(MS, 3)])
    decks = import_package(
        tmp_path, SampleNote("a", BASIC, ("", "b"), [card]), SampleNote("b", BASIC, ("x", "y"), [])
    )

    assert decks.notes == ()
    assert set(decks.losses.lines()) == {
        "schedules of cards left out: 1",
        "reviews of cards that are not imported: 1",
        "notes whose question is empty: 1 (a)",
        "notes without a card, or of no known type: 1 (b)",
    }


@pytest.mark.parametrize(("factor", "grades"), [(0, [Grade.GOOD, None]), (2500, [Grade.GOOD])])
def test_cards_reset_by_hand_are_new(tmp_path: Path, factor: int, grades: list[Grade | None]) -> None:
    card = SampleCard(0, log=[(MS, 3), (MS + 1, 0)], log_factor=factor)

    decks = import_package(tmp_path, SampleNote("n", BASIC, ("a", "b"), [card]))

    assert [one.grade for one in decks.pasts["anki:n"].reviews] == grades


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (r"{{c1::\(x^{2^{3}}\)}} end", ["[$x^{2^{3}}$] end"]),
        (r"\({{c1::\frac{a}{b}}}\) is", [r"$[\frac{a}{b}]$ is"]),
        (r"\({{c1::\frac{a}{b} }}\) is", [r"$[\frac{a}{b}]$ is"]),
        (r"\(x{{c1::^{2}} }\) is {{c2::y}}", [r"$x[^{2] }$ is [y]"]),
        (r"{{c1::\{ }} \(a}}\)", [r"[\\{ ] $a}}$"]),
        ("{{c1,2::x}} {{c2::y}}", ["[…] y", "[…] […]"]),
        ("&#123;{c1::x}} is {{c1::y}}", ["{{c1::x}} is [y]"]),
    ],
)
def test_gaps_are_where_anki_and_tex_close_them(tmp_path: Path, text: str, expected: list[str]) -> None:
    notes = note(tmp_path, text, "", type_=CLOZE, cards=2)

    assert [one.front for one in notes] == expected


@pytest.mark.parametrize(
    ("sides", "fields", "expected"),
    [
        (
            ("{{kanji:A}}", "{{kana:A}} {{furigana:A}}"),
            ("今[いま] 何[なに]", ""),
            ("今何", "いまなに 今(いま)何(なに)"),
        ),
        (("{{A}}{{type:nc:B}}", "{{B}}"), ("coffee", "Café"), ("coffee", "Café|cafe")),
        (("{{A}}{{type:nc:B}}", "{{B}}"), ("coffee", "tea"), ("coffee", "tea")),
        (("listen {{tts en_US:B}}", "{{A}}"), ("x", "cat"), ("listen cat", "x")),
        (("{{A}} {{tts en_US voices=x:A}}", "{{B}}"), ("cat", "x"), ("cat", "x")),
        (("{{text:A}} {{Card}}", "{{B}}"), ("<b>x</b>", "y"), ("x", "y")),
        (("{{A}}", "{{A}}{{hint:B}}"), ("x", "y"), ("x", "x\n\ny")),
    ],
    ids=["readings", "accents", "no accents", "speech", "speech beside", "text", "hint"],
)
def test_filters_of_templates_are_followed(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    sides: tuple[str, str],
    fields: tuple[str, str],
    expected: tuple[str, str],
) -> None:
    template = (sides[0], f"{{{{FrontSide}}}}<hr id=answer>{sides[1]}")
    monkeypatch.setitem(cast("dict[int, object]", TYPES), 105, ("Own", 0, ("A", "B"), (template,)))

    decks = import_package(tmp_path, SampleNote("n", 105, fields))

    assert [(one.front, one.back) for one in decks.notes] == [expected]
    is_told = "filters of templates that are not followed, their words kept: 1 (tts)" in decks.losses.lines()
    assert is_told is ("tts" in sides[0])


_GAPS = ("{{cloze:A}} {{type:cloze:A}}", "{{cloze:A}}<br>{{B}}")


@pytest.mark.parametrize(
    ("sides", "fields", "answers"),
    [
        (("{{type:A}}", "{{A}}<br>{{B}}"), ("red", "a colour"), ("red", "colour")),
        (("{{type:A}}", "{{A}}"), ("a|b", ""), ("a|b", "a")),
        (("{{type:A}}", "{{A}}<br>{{B}}"), ("$5", "or a|b"), ("$5", "b")),
        (("{{type:A}}", "{{A}} {{B}}"), (r"\(x|y\)", "given"), ("x|y", "given")),
        (_GAPS, ("The {{c1::sky}} is up", "extra"), ("sky", "up")),
        (_GAPS, ("{{c1::sky}} and {{c1::sea}}", ""), ("sky, sea", "sky")),
        (_GAPS, ("The {{c1::a|b}} is", ""), ("a|b", "a")),
    ],
    ids=["more below", "bar", "money", "formula", "gap", "two gaps", "bar in a gap"],
)
def test_what_anki_asks_to_type_is_right_here(
    study: Shell,
    monkeypatch: pytest.MonkeyPatch,
    sides: tuple[str, str],
    fields: tuple[str, str],
    answers: tuple[str, str],
) -> None:
    template = (f"Which? {sides[0]}", f"{{{{FrontSide}}}}<hr id=answer>{sides[1]}")
    type_ = ("Own", int(sides is _GAPS), ("A", "B"), (template,))
    monkeypatch.setitem(cast("dict[int, object]", TYPES), 105, type_)
    write_package(study.home / "own.apkg", [SampleNote("n", 105, fields)], newer=False)
    study("import", "own.apkg", "--yes")

    outputs = [study("review", "--plain", "--cram", typed=f"{typed}\n\n").out for typed in answers]

    assert ["✓ right" in output for output in outputs] == [True, False]
    assert all(fields[1] in output for output in outputs)


def test_answer_to_type_above_a_table_is_not_typed_and_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    template = ("Which? {{type:A}}", "{{FrontSide}}<hr id=answer>{{A}}{{B}}")
    monkeypatch.setitem(cast("dict[int, object]", TYPES), 105, ("Own", 0, ("A", "B"), (template,)))
    table = "<table><tr><td>1</td><td>2</td></tr></table>"

    decks = import_package(tmp_path, SampleNote("n", 105, ("red", table)))

    assert [(one.typed, one.back.startswith("red\n")) for one in decks.notes] == [(False, True)]
    assert decks.losses.lines() == ("answers to type that stand above a table, now not typed: 1 (anki:n)",)


@pytest.mark.parametrize("alone", [False, True])
def test_typed_anki_gap_becomes_one_cloze(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, alone: bool) -> None:
    sides = (("{{cloze:T}}{{type:cloze:T}}<script>draw()</script>", "{{cloze:T}}<br>{{type:cloze:T}}"),)
    if alone:
        sides = (("{{type:cloze:T}}<script>draw()</script>", "{{type:cloze:T}}"),)
    monkeypatch.setitem(cast("dict[int, object]", TYPES), 105, ("Own", 1, ("T",), sides))

    decks = import_package(tmp_path, SampleNote("n", 105, ("a {{c1::b}}",)))

    assert [(one.form, one.front, one.typed) for one in decks.notes] == [(NoteForm.CLOZE, "a [b]", True)]
    assert decks.losses.lines() == ("scripts left out: 1 (anki:n)",)


def test_media_with_colliding_names_stay_separate(tmp_path: Path, *, newer: bool) -> None:
    names = ["UP.PNG", "up.png", "q?.png", "per%20cent.png", "e\u0301.png"]
    notes = [SampleNote(str(number), BASIC, (f'<img src="{name}">', "b")) for number, name in enumerate(names)]

    decks = import_package(tmp_path, *notes, newer=newer, media={name: name.encode() for name in names})

    decks.copy_media(tmp_path, decks.media)
    linked = [one.front.removeprefix("![](\ue020").removesuffix("\ue021)") for one in decks.notes]
    assert [(tmp_path / name).read_bytes().decode() for name in linked] == names
    assert len({name.casefold() for name in linked}) == len(names)
    assert decks.losses.lines() == (
        "media with a name that not every system takes, now another: 2 (up.png as up-2.png, q?.png as q-.png)",
    )


def test_new_cards_keep_the_anki_order(tmp_path: Path) -> None:
    notes = [
        SampleNote(guid, BASIC, (guid, "x"), [SampleCard(due=due)]) for guid, due in (("a", 3), ("b", 1), ("c", 2))
    ]

    assert [one.front for one in import_package(tmp_path, *notes).notes] == ["b", "c", "a"]


def test_a_schedule_of_no_possible_day_is_told(tmp_path: Path) -> None:
    decks = import_package(
        tmp_path, SampleNote("n", BASIC, ("a", "b"), [SampleCard(0, interval=3, due=9_000_000)])
    )

    assert decks.losses.counts.total() == 1
    assert "schedules not taken over" in decks.losses.lines()[0]
