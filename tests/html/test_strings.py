"""Test files of an author's own words for pages: what may be missing, and what is refused."""

import json
import re
from pathlib import Path

import pytest

from studykit.errors import BadDataError, NotFoundError
from studykit.html.strings import direction, read_strings, shipped


def strings_file(folder: Path, text: str, name: str = "de.toml") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_words_that_a_file_lacks_are_ours(tmp_path: Path) -> None:
    strings = read_strings(strings_file(tmp_path, '[page]\nlanguage = "de"\nanswer = "Antwort"\n'))

    assert (strings.language, strings["page"]["answer"]) == ("de", "Antwort")
    assert strings["page"]["undo"] == shipped()["page"]["undo"]
    assert strings["script"] == shipped()["script"]


def test_a_file_may_be_json(tmp_path: Path) -> None:
    path = strings_file(tmp_path, json.dumps({"script": {"day": "% T"}}), "de.json")

    assert read_strings(path)["script"]["day"] == "% T"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('[page]\nanswr = "x"\n', "page.answr is not a word on the pages (did you mean answer?)"),
        ('[pages]\nanswer = "x"\n', "pages is not a table of words (did you mean page?)"),
        ('answer = "x"\n', "answer is not a table of words"),
        ("[page]\nanswer = 7\n", "page.answer must be text in quotes"),
        ('[page]\nanswer = " "\n', "page.answer must be text in quotes"),
        ('[script]\nday = "T"\n', 'script.day must contain % as often as the shipped word, "in % d"'),
        ('[page]\nlanguage = "<b>"\n', "page.language must be a code of a language, such as de or pt-BR"),
        ('[page]\nquotes = "»"\n', "page.quotes must be four signs: double quotes, then single ones"),
        ('[page]\na = "x"\nb = "y"\n', "page.a is not a word on the pages; page.b is not a word on the pages"),
    ],
)
def test_each_word_that_no_page_says_is_named(tmp_path: Path, text: str, message: str) -> None:
    path = strings_file(tmp_path, text)

    with pytest.raises(BadDataError, match=f"^{re.escape(f'{path}: {message}.')}$"):
        read_strings(path)


@pytest.mark.parametrize(
    ("text", "name", "why"),
    [
        ("[page", "de.toml", "cannot be read"),
        ('{"page"', "de.toml", "cannot be read"),
        ("[page]\nanswer = x", "de.toml", "cannot be read"),
        ('[page]\nanswer = "für"\n', "latin-1.toml", r"1\.toml is not text in UTF-8\. Save it as UTF-8\.$"),
        ("[]", "x.json", r"holds no tables of words. Start it with {\"page\": {\.\.\.}}\.$"),
    ],
)
def test_strings_file_without_tables_is_refused(tmp_path: Path, text: str, name: str, why: str) -> None:
    path = tmp_path / name
    path.write_text(text, encoding="latin-1")  # the others are ASCII

    with pytest.raises(BadDataError, match=why):
        read_strings(path)


def test_missing_strings_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match=r"none\.toml cannot be read \(No such file or directory\)\. Give"):
        read_strings(tmp_path / "none.toml")


def test_a_language_is_written_its_own_way() -> None:
    assert [direction(language) for language in ("ar", "he-IL", "az-Arab")] == ["rtl"] * 3
    assert [direction(language) for language in ("ks-Deva", "de", "pt-BR", "")] == ["ltr"] * 4
