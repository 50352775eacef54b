"""Test imports of tables of cards, with and without a header."""

from datetime import UTC, date
from pathlib import Path

import pytest
from shell import Shell

from studykit.formats.foreign_notes import FormatError, ImportedDecks, NoteForm, ReadOptions
from studykit.formats.table_notes import read, sniff

OPTIONS = ReadOptions(date(2026, 11, 23), UTC)


def table(folder: Path, text: str | bytes, name: str = "cards.csv") -> ImportedDecks:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    assert sniff(path, path.read_bytes()[:100])
    return read(path, OPTIONS)


def texts(decks: ImportedDecks) -> list[tuple[str, str]]:
    return [(note.front, note.back) for note in decks.notes]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Hund,dog\nKatze,cat\n", "a.csv"),
        ("Hund;dog\r\nKatze;cat\r\n", "a.csv"),
        ("Hund\tdog\nKatze\tcat", "a.tsv"),
        ("Hund|dog\nKatze|cat\n", "a.txt"),
        ("Front,Back\nHund,dog\nKatze,cat\n", "a.csv"),
        ("note id,definition,term\n1,dog,Hund\n2,cat,Katze\n", "a.csv"),
        ("\ufeffHund,dog\nKatze,cat\n", "a.csv"),
        ("#separator:tab\n#html:true\nHund\tdog\nKatze\tcat\n", "a.txt"),
        ('#separator:Comma\n"Hund",dog\n"Katze","cat"\n', "a.txt"),
    ],
)
def test_table_import_finds_columns_despite_separator(tmp_path: Path, text: str, name: str) -> None:
    assert texts(table(tmp_path, text, name)) == [("Hund", "dog"), ("Katze", "cat")]


def test_spreadsheets_of_windows_are_read(tmp_path: Path) -> None:
    assert texts(table(tmp_path, "Hüte\thats\n".encode("utf-16"))) == [("Hüte", "hats")]


def test_quotes_lines_and_signs_come_as_they_are(tmp_path: Path) -> None:
    decks = table(tmp_path, '"a ""b"", c","one\ntwo [x]"\n')

    assert texts(decks) == [('a "b", c', "one\\\ntwo \\[x\\]")]


def test_tags_decks_and_more_columns_are_kept(tmp_path: Path) -> None:
    decks = table(tmp_path, "question,answer,tags,deck,source\na,b,x y,French::Verbs,book\n")

    (note,) = decks.notes
    assert (note.tags, note.deck, note.back) == (("x", "y"), "French::Verbs", "b\n\nbook")
    assert decks.losses.lines() == ("texts of other columns, now below the answer: 1 (source)",)


def test_html_is_read_where_there_is_some(tmp_path: Path) -> None:
    assert texts(table(tmp_path, "a,<b>x</b><br>y\n")) == [("a", "**x**\\\ny")]


def test_anki_writes_where_its_columns_are(tmp_path: Path) -> None:
    text = "#separator:tab\n#html:false\n#guid column:1\n#deck column:2\n#tags column:5\ng~1\tD::E\tf<1\tb\tt u\n"

    (note,) = table(tmp_path, text, "a.txt").notes

    assert (note.id, note.deck, note.front, note.back, note.tags) == ("csv:g_7e1", "D::E", "f<1", "b", ("t", "u"))


def test_gaps_are_cards(tmp_path: Path) -> None:
    (note,) = table(tmp_path, "The {{c1::Aare}} & {{c2::Rhine}},\n").notes

    assert (note.form, note.front) == (NoteForm.CLOZE, "The [Aare] & [Rhine]")


def test_table_note_id_depends_on_question_alone(tmp_path: Path) -> None:
    first, second = (table(tmp_path, f"Hund,{answer}\n").notes[0].id for answer in ("dog", "a dog"))

    assert first == second


def test_own_table_restores_ids_and_markdown(tmp_path: Path) -> None:
    head = "id,deck,kind,front,back,tags,repetition,interval,ease,lapses,reviewed\n"
    decks = table(tmp_path, head + "a-1,D,basic,*x*,'=b,t,3,15,236,1,2026-11-20\nb,D,basic,y,z,,,,,,\n")

    assert [(note.id, note.front, note.back) for note in decks.notes] == [("a-1", "*x*", "=b"), ("b", "y", "z")]
    assert decks.losses.lines() == ("schedules not taken over: 1 (line 2)",)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "no row with a question"),
        (b"\xff\xfe\x00", "not UTF-8"),
        (b"a,b\nc,\x81\n", ":2: this is not UTF-8"),
        (b"a\0b,c", "not text"),
        (b",x\n", "no row with a question"),
    ],
)
def test_what_is_no_table_is_told(tmp_path: Path, data: bytes, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        table(tmp_path, data)


def test_german_spreadsheet_table_is_read_in_every_encoding(tmp_path: Path) -> None:
    data = (
        "Vorderseite;Rückseite;Schlagwörter;Stapel;Beispiel\r\n"
        '"Haus; Heim";"house\r\nhome";wort, haus;Deutsch;"Das ""Haus"" steht."\r\nBaum;tree;;;\r\n'
    )
    for coding in ("utf-8-sig", "utf-16", "cp1252"):
        first, second = (decks := table(tmp_path, data.encode(coding))).notes

        assert (first.front, first.tags, first.deck) == ("Haus; Heim", ("wort", "haus"), "Deutsch")
        assert first.back == 'house\\\nhome\n\nDas "Haus" steht.'
        assert (second.front, second.back, second.deck) == ("Baum", "tree", "cards")
        assert "texts of other columns, now below the answer: 1 (Beispiel)" in decks.losses.lines()
        assert (len(decks.losses.lines()) == 2) is (coding == "cp1252")  # its letters may be wrong: told


def test_languages_name_their_columns(tmp_path: Path) -> None:
    assert texts(table(tmp_path, "Spanisch;Deutsch\nperro;Hund\n")) == [("perro", "Hund")]
    assert texts(table(tmp_path, "Deutsch;Sprache\nLatein;tot\n"))[0] == ("Deutsch", "Sprache")


def test_table_import_counts_repeated_and_empty_rows(tmp_path: Path) -> None:
    decks = table(tmp_path, "a,b\na,c\n,d\n")

    assert texts(decks) == [("a", "b")]
    assert set(decks.losses.lines()) == {
        "rows that repeat a question: 1 (line 2)",
        "rows without a question: 1 (line 3)",
    }


def test_settings_without_end_are_read_once(tmp_path: Path) -> None:
    assert texts(table(tmp_path, "#deck:b\n" * 400_000 + "a,b\n")) == [("a", "b")]


@pytest.mark.parametrize("key", ["tags column", "deck column", "guid column", "notetype column"])
@pytest.mark.parametrize("number", ["9" * 5000, "0", "²", "-1", ""])
def test_a_setting_that_names_no_column_is_left(tmp_path: Path, key: str, number: str) -> None:
    assert texts(table(tmp_path, f"#{key}:{number}\na,b\n")) == [("a", "b")]


@pytest.mark.parametrize(
    ("text", "name", "expected"),
    [
        ("front\tback\nwhen a<p then\tq>r\nx if i<i+1 and j>0\ty\nif a<b and c>d\tz\n", "a.tsv", None),
        ("a,<b>x</b><br>y\nb,&lt;p&gt;\nif x<y,no\n", "a.csv", "**x**\\\ny"),
        ("Which tag is a paragraph?,<p>\nWhich is bold?,<b>\n", "a.csv", None),
        ("a,x<br\nb,y<br\n", "a.csv", None),
    ],
    ids=["comparisons", "more tags than signs", "tags asked for", "tags that are not ended"],
)
def test_text_is_html_only_where_tags_balance(tmp_path: Path, text: str, name: str, expected: str | None) -> None:
    decks = table(tmp_path, text, name)

    if expected is not None:
        assert decks.notes[0].back == expected
        return
    rows = [line.split("\t" if name == "a.tsv" else ",") for line in text.splitlines()]
    texts = [(note.front, note.back) for note in decks.notes]
    assert [tuple(part.replace("&lt;", "<").replace("\\", "") for part in pair) for pair in texts] == [
        tuple(row) for row in rows[name == "a.tsv" :]
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("sep=;\r\nHund;dog\r\n", [("Hund", "dog")]),
        ("SEP=;\r\nHund;dog\r\n", [("Hund", "dog")]),
        ("#Separator : Semicolon\n#HTML : true\n<b>x, y</b>;z\n", [("**x, y**", "z")]),
        ("sep=;\r\nFront;Back\r\nHund;dog\r\n", [("Hund", "dog")]),
        ("#separator:TAB\nHund, Katze\tdog; cat\n", [("Hund, Katze", "dog; cat")]),
        ("#separator:\t\nHund, Katze\tdog\n", [("Hund, Katze", "dog")]),
        ("#Separator: \\t\nHund, Katze\tdog\n", [("Hund, Katze", "dog")]),
        ("# a comment\n#separator:tabs\n#tags:x\nHund, Katze\tdog\n", [("Hund, Katze", "dog")]),
        ('Hund, "a dog, of course"\nKatze, "a cat"\n', [("Hund", "a dog, of course"), ("Katze", "a cat")]),
        ('"Hello" he said,b\n"open,c\nd,e "f"\n', [('"Hello" he said', "b"), ('"open', "c"), ("d", 'e "f"')]),
        ('<i style="color:red; x:y">a</i>,b\n<i style="color:red; x:y">c</i>,d\n', [("*a*", "b"), ("*c*", "d")]),
        ("<p>What, <b>then</b>?</p>\n<p>And, why?</p>\n", [("What, **then**?", ""), ("And, why?", "")]),
        ("#html:true\nquestion\tanswer\nHund\tdog\n", [("question", "answer"), ("Hund", "dog")]),
        ("front,Vorderseite\nback,Rücken\n", [("front", "Vorderseite"), ("back", "Rücken")]),
    ],
)
def test_a_file_is_read_as_it_says(tmp_path: Path, text: str, expected: list[tuple[str, str]]) -> None:
    assert texts(table(tmp_path, text, "a.txt")) == expected


def test_what_is_guessed_or_never_closed_is_told(tmp_path: Path) -> None:
    decks = table(tmp_path, '#separator:foo\n#note\na,b\n"open,c\n', "a.txt")

    assert set(decks.losses.lines()) == {
        "separators of an unknown name, now guessed: 1 (foo)",
        "comments of the table: 1",
        "quotes that are never closed, kept as they are: 1 (line 4)",
    }


def test_columns_are_named_by_those_that_are_known(tmp_path: Path) -> None:
    decks = table(tmp_path, "word form,reading,meaning,tags,guid\n犬,いぬ,dog,N5 x,a1\n犬,けん,dog,N1,a2\n")

    assert [(note.id, note.front, note.back, note.tags) for note in decks.notes] == [
        ("csv:a1", "犬", "dog\n\nいぬ", ("N5", "x")),
        ("csv:a2", "犬", "dog\n\nけん", ("N1",)),
    ]


def test_anki_note_type_column_sets_the_form(tmp_path: Path) -> None:
    head = "#separator:tab\n#html:false\n#notetype column:1\n#columns:Type\tFront\tBack\tAdd Reverse\n"
    rows = (
        "Basic (and reversed card)\ta\tb\t\nBasic (optional reversed card)\tc\td\t\n"
        "Basic (optional reversed card)\te\tf\ty\nBasic (type in the answer)\tg\th\t\nBasic\t{{c1::x}}\tcode\t\n"
    )

    notes = table(tmp_path, head + rows, "a.txt").notes

    both, one = NoteForm.REVERSED, NoteForm.BASIC
    assert [note.form for note in notes] == [both, one, both, one, one]
    assert [note.typed for note in notes] == [False, False, False, True, False]
    assert [(note.front, note.back) for note in notes[2:]] == [("e", "f"), ("g", "h"), ("{{c1::x}}", "code")]


def test_own_table_keeps_what_is_typed_and_tells_what_it_cannot_hold(study: Shell, tmp_path: Path) -> None:
    study.write(
        "mine/d.md",
        "Q: six {#a .typed .maths.sets}\nA: 6|six\n\nC: type [it] {#b .typed}\n\n"
        "Q: Hund {#c .reversed}\nA: ![dog](pic/dog.png)\n",
    )
    study("export", "csv", "mine", "-o", "own.csv")

    decks = read(study.home / "own.csv", OPTIONS)

    assert [(note.id, note.back, note.typed, note.tags) for note in decks.notes[:2]] == [
        ("a", "6|six", True, ("maths::sets",)),
        ("b", "type it", False, ()),
    ]
    assert set(decks.losses.lines()) == {
        "gaps, now questions of their own that are not typed: 1 (line 3)",
        "second directions of notes, now cards of their own: 1 (line 5)",
        "links to files that do not come with a table: 2 (pic/dog.png, ...)",
    }


@pytest.mark.parametrize(
    ("text", "fronts", "header"),
    [
        ("english,englisch\ndog,Hund\n", ["dog"], "english englisch"),
        ("Hanzi,Pinyin,English\n\u72d7,g\u01d2u,dog\n", ["\u72d7"], "Hanzi Pinyin English"),
        ("# my words\ndog;Hund\n", ["# my words", "dog"], ""),
    ],
    ids=["languages", "readings", "a row below a comment"],
)
def test_first_rows_are_read_as_they_look_and_told(
    tmp_path: Path, text: str, fronts: list[str], header: str
) -> None:
    decks = table(tmp_path, text, "words.txt")

    assert [note.front.replace("\\", "") for note in decks.notes] == fronts
    is_told = f"first rows of languages, taken as a header: 1 ({header})" in decks.losses.lines()
    assert is_told is bool(header)


def test_word_to_type_in_a_table_is_right_beside_other_columns(tmp_path: Path) -> None:
    head = "#separator:tab\n#html:false\n#notetype column:1\n#columns:Type\tFront\tBack\tMore\n"

    notes = table(tmp_path, f"{head}Basic (type in the answer)\tg\th|i\tmore\n", "a.txt").notes

    assert [(note.back, note.typed) for note in notes] == [("h\\|i|h\\|i\n\nmore", True)]


def test_pictures_beside_a_table_come_along(tmp_path: Path) -> None:
    (tmp_path / "images").mkdir()
    (tmp_path / "plot 1.png").write_bytes(b"one")
    (tmp_path / "images/plot 1.png").write_bytes(b"other")
    rows = '<img src="plot 1.png">\t[sound:a.mp3]\n<img src="images/plot%201.png">\t<img src="../x.png">\n'

    decks = table(tmp_path, f"#html:true\n{rows}", "a.txt")

    assert decks.losses.lines() == ("links to pictures and recordings that are not there: 2 (a.mp3, ../x.png)",)
    (tmp_path / "out").mkdir()
    decks.copy_media(tmp_path / "out", decks.media)
    pictures = [(tmp_path / "out" / name).read_bytes() for name in decks.media]
    assert pictures == [b"one", b"other"]
    assert [note.front for note in decks.notes] == [f"![](\ue020{name}\ue021)" for name in decks.media]


def test_code_in_cells_keeps_its_indent(tmp_path: Path) -> None:
    decks = table(tmp_path, 'q,"for i:\n    if i:\n\tprint(i)"\n')

    assert decks.notes[0].back == "for i:\\\n\xa0\xa0\xa0\xa0if i:\\\n\xa0\xa0\xa0\xa0print(i)"


def test_our_own_table_keeps_tags_with_levels(tmp_path: Path) -> None:
    head = "id,deck,kind,front,back,tags,repetition,interval,ease,lapses,reviewed\n"

    assert table(tmp_path, f"{head}a,D,basic,x,y,maths.sets b,,,,,\n").notes[0].tags == ("maths::sets", "b")


@pytest.mark.parametrize(
    "text", ["Q: What?\nA: That.\n", '---\nname = "x"\n---\n\nQ: What\nif?\n\nA: That\n', "C: A [gap].\n"]
)
def test_a_deck_is_no_table(tmp_path: Path, text: str) -> None:
    with pytest.raises(FormatError, match=r"is a deck, not a table\. Run:\n  study deck add"):
        table(tmp_path, text, "a.txt")


@pytest.mark.parametrize("text", ["{{cat}} and {{c1::}},b\n", "a {{c,b\n"])
def test_braces_without_a_gap_are_text(tmp_path: Path, text: str) -> None:
    decks = table(tmp_path, text)

    assert [note.back for note in decks.notes] == ["b"]
    assert decks.entries == 1


def test_repeated_cloze_row_is_left_out_once(tmp_path: Path) -> None:
    decks = table(
        tmp_path, "guid,front,back\nx,{{c2::a}} {{c2::b}} {{c3::c}},\nx,{{c1::d}} {{c1::e}} {{c2::f}},\n"
    )

    assert [note.id for note in decks.notes] == ["csv:x.2", "csv:x.3"]
    assert (decks.entries, decks.losses.left_out) == (2, 1)
