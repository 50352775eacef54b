"""Parse a deck's front matter, the TOML between its first two `---` lines, and TeX macros."""

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial

from studykit.cards.markdown import Markup, rewritten
from studykit.cards.problem import Problem

Macros = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """Hold a deck's front matter. `lines` is the number of lines that it takes."""

    lines: int = 0
    name: str = ""
    id: str = ""
    description: str = ""
    objectives: tuple[str, ...] = ()
    license: str = ""
    url: str = ""
    lang: str = ""  # BCP 47 code of the text's language
    course: str = ""  # decks of one course share their readers' progress on pages
    macros: Macros = ()
    problems: tuple[Problem, ...] = field(default=(), compare=False)
    unknown: tuple[str, ...] = ()  # unknown keys


LANGUAGE = re.compile(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8}){0,4}")  # its code
_NAME = re.compile(r"\\?[A-Za-z]{1,40}")
_FENCE = "---"
_MAX_MACRO_CHARACTERS = 1_000
_WORDS = ("name", "id", "description", "license", "url", "lang", "course")
KEYS = (*_WORDS, "objectives", "macros")
"""Known keys."""

_TOML_PLACE = re.compile(r" \(at (?:line (\d+), column \d+|end of document)\)")
_DEFINITION = re.compile(r"\\(?:def|DeclareMathOperator|(?:re|provide)?newcommand)\*?(?![A-Za-z])")
_NEW_COMMAND = re.compile(
    r"\\(?:re|provide)?newcommand\*?\s*+\{?\s*+(\\[A-Za-z]+|\\[^\\\s])\s*+\}?\s*+(?:\[\d\])?\s*+\{(.*)\}$"
)
_COMMAND = re.compile(r"\\(?:[A-Za-z]+|.)")
_BARE_MACRO = re.compile(r"(\\[A-Za-z]+|\\[^\\\s])\s+(.+)$")


def read_front_matter(lines: list[str], path: str) -> FrontMatter:
    """Parse the front matter at the start of a deck. Return it empty if the text does not start with `---`."""
    if not lines or lines[0].strip() != _FENCE:
        return FrontMatter()
    end = next((index for index in range(1, len(lines)) if lines[index].strip() == _FENCE), None)
    if end is None:
        wrong = Problem(path, 1, "front matter without an end. Close it with a line of ---, or delete this one.")
        return FrontMatter(problems=(wrong,))  # with 0 lines, so that the notes below are read
    try:
        table = tomllib.loads("\n".join(lines[1:end]))
    except RecursionError:
        wrong = Problem(path, 1, 'front matter is nested too deep. Write lines such as name = "My deck".')
        return FrontMatter(lines=end + 1, problems=(wrong,))
    except ValueError as error:  # not only TOMLDecodeError, but also a number of thousands of digits
        return FrontMatter(lines=end + 1, problems=(_toml_problem(str(error), path, end),))
    return _from_table(table, path, end + 1)


def read_macros(text: str, path: str) -> tuple[Macros, tuple[Problem, ...]]:
    r"""Parse a `macros.tex` of `\name replacement` or `\newcommand` lines, and list lines that are neither."""
    macros: dict[str, str] = {}
    problems: list[Problem] = []
    for number, line in enumerate(text.split("\n"), 1):
        stripped = re.sub(r"(?<!\\)%.*", "", line).strip()
        if not stripped:
            continue
        macro = _macro(stripped)
        if macro is None:
            wrong = r"this is not a macro. Write \name and its replacement on one line."
            problems.append(Problem(path, number, wrong))
        else:
            macros[macro[0]] = macro[1]
    return tuple(macros.items()), tuple(problems)


def merged(macros: Iterable[Macros]) -> Macros:
    """Merge lists of macros. A later definition of a name wins."""
    return tuple({name: text for several in macros for name, text in several}.items())


def filled_in(text: str, macros: Mapping[str, str]) -> str:
    """Expand the macros in a text's formulas, except those that take arguments."""
    plain = {name: f"{{{meaning}}}" for name, meaning in macros.items() if "#" not in meaning}
    if not plain or "\\" not in text:
        return text
    return rewritten(text, Markup.MATH, partial(_COMMAND.sub, lambda match: plain.get(match[0], match[0])))


def _macro(line: str) -> tuple[str, str] | None:
    if len(line) > _MAX_MACRO_CHARACTERS:
        return None
    match = (_NEW_COMMAND if _DEFINITION.match(line) else _BARE_MACRO).match(line)
    return (match.group(1), match.group(2)) if match else None


def _toml_problem(message: str, path: str, end: int) -> Problem:
    place = _TOML_PLACE.search(message)
    line = int(place.group(1)) + 1 if place and place.group(1) else end
    what = _TOML_PLACE.sub("", message)
    what = what[:1].lower() + what[1:]
    return Problem(path, line, f'front matter is not TOML: {what}. Write lines such as name = "My deck".')


def _from_table(table: Mapping[str, object], path: str, lines: int) -> FrontMatter:
    problems: list[Problem] = []
    words = {key: _text(table.get(key, ""), key, path, problems) for key in _WORDS}
    if words["lang"] and not LANGUAGE.fullmatch(words["lang"]):
        problems.append(Problem(path, 1, 'lang must be a code of a language, such as lang = "de" or "pt-BR".'))
        words["lang"] = ""
    objectives = table.get("objectives", [])
    if not isinstance(objectives, list) or not all(isinstance(name, str) for name in objectives):
        problems.append(Problem(path, 1, 'objectives must be a list of tags, such as objectives = ["flops"].'))
        objectives = []
    return FrontMatter(
        lines=lines,
        objectives=tuple(map(str, objectives)),
        macros=_macros(table.get("macros", {}), path, problems),
        problems=tuple(problems),
        unknown=tuple(key for key in table if key not in KEYS),
        **words,
    )


def _text(value: object, key: str, path: str, problems: list[Problem]) -> str:
    if isinstance(value, str):
        value = value.replace("\0", "")  # TOML can escape it, but the database cannot store it
        return " ".join(value.split()) if key != "description" else value.strip()
    problems.append(Problem(path, 1, f'{key} must be text in quotes, such as {key} = "...".'))
    return ""


def _macros(value: object, path: str, problems: list[Problem]) -> Macros:
    match value:
        case dict() if all(isinstance(text, str) and _NAME.fullmatch(name) for name, text in value.items()):
            return tuple(("\\" + str(name).lstrip("\\"), str(text)) for name, text in value.items())
    problems.append(Problem(path, 1, r"macros must be a table of names and TeX, such as {R = '\mathbb{R}'}."))
    return ()
