"""Explain an exception of an answer: what was raised, where, and what to do about it."""

import math
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from studykit.exercise.rewrite.rewrite import EINOPS, REDUCTIONS, Rewrite
from studykit.graders.rewrite.operations import ADVICE
from studykit.text import listed, nearest

_ADVICE = [
    line.split(" | ")
    for line in Path(__file__).with_name("advice.txt").read_text("utf-8").splitlines()
    if not line.startswith("#")
]
"""Words of an exception, and what to do about it."""
_LENGTHS = re.compile(
    r"subscript (?P<letter>\w) has size (?P<length>\d+) for operand (?P<place>\d+)"
    r" .* previously seen size (?P<before>\d+)"
)
_TWICE = re.compile(
    r"subscript (?P<letter>\w) is repeated for operand (?P<place>\d+)"
    r" but the sizes don't match, (?P<length>\d+) != (?P<before>\d+)"
)
_TWICE_IN_NUMPY = re.compile(
    r"operand (?P<place>\d+) for collapsing index '(?P<letter>\w)' don't match"
    r" \((?P<length>\d+) != (?P<before>\d+)\)"
)
_NO_PATTERN = re.compile(
    "Imbalanced parentheses|Brackets are not balanced|Unknown character|must contain '->'|brackets inside brackets"
    "|nested parenthesis|Invalid axis identifier|may contain dots only|Ellipsis inside parenthesis"
)
_NAMES = re.compile(r"['\"](\w+)['\"]|[Aa]xis (\w+)")
_RANKS = re.compile(r"expected (\d+) dims\. Received (\d+)-dim")
_PLACES = ("first", "second", "third", "fourth")


def exception_text(
    exercise: Rewrite, kind: str, message: str, line: int, patterns: Sequence[tuple[int, str]]
) -> str:
    """Explain an exception and what to do. For one of einops, show the pattern with carets."""
    where = f" on line {line}" if line else ""
    if kind != "EinopsError":
        first = message.splitlines()[0] if message else "no message"
        own_patterns = [text for at, text in patterns if at == line]
        return f"{kind}{where}: {first}{_plain(exercise, kind, first, own_patterns)}"
    last = message.strip().splitlines()[-1].strip() if message.strip() else "the pattern does not fit"
    if unseen := re.search(r"Unknown character '(\s)'$", message):
        last = f"Unknown character {unseen[1]!r}"
    text = _pattern_in_error(message, line, patterns)
    marks = _carets(text, last)
    drawing = "".join(f"\n  {each}" for each in (text, marks) if each)
    return f"einops{where}: {last}{drawing}{_of_pattern(exercise, last, text)}"


def is_unreadable(
    kind: str, family: Sequence[str], message: str, line: int, patterns: Sequence[tuple[int, str]]
) -> bool:
    """Return whether an exception means that the answer is not Python, or that one of its patterns is invalid."""
    if "SyntaxError" in family:
        return True
    if kind == "EinopsError":
        return _NO_PATTERN.search(message) is not None
    arrows = [text.count("->") for at, text in patterns if at == line]
    return kind == "ValueError" and "values to unpack" in message and any(count != 1 for count in arrows)


def _plain(exercise: Rewrite, kind: str, first: str, patterns: Sequence[str]) -> str:
    """Say what to do about an exception of Python or torch on a line of these patterns."""
    text = next(iter(patterns), "")
    unknown = re.match(r"name '(\w+)' is not defined", first) if kind == "NameError" else None
    if unknown:
        return _unknown(exercise, unknown.group(1))
    for complaint in (_LENGTHS, _TWICE, _TWICE_IN_NUMPY) if len(patterns) == 1 else ():  # else it is of any
        if lengths := complaint.search(first):
            return _unequal(exercise, text, lengths)
    return _about_arguments(exercise, first, text) or _meant(exercise, first, text)


def _about_arguments(exercise: Rewrite, first: str, text: str) -> str:
    """Say which argument of a function is in the wrong order or form, or return ""."""
    if text.count("->") > 1 and "values to unpack" in first:
        return "\nA pattern has one arrow: '... -> ...'."
    if "*" in text and re.search("values to unpack|(list|tuple) index", first):
        return "\npack returns a tensor and its parts' shapes; unpack returns a tensor for each shape you give."
    if text and "(expected 2, got 1)" in first:
        last = ", operation" if "reduce" in exercise.must else ""
        return f"\nThe pattern comes second: {exercise.must[0]}(x, '... -> ...'{last})."
    if first == "unhashable type: 'list'" and "unpack" in exercise.must:
        return "\nunpack takes the tensor, the list of its parts' shapes, and the pattern."
    if re.match(r"pack\(\) takes 2 positional", first):
        return "\npack takes its tensors as one list: pack([x, y], '...')."
    attribute = re.match(r"'Tensor' object has no attribute '(\w+)'", first)
    return _no_attribute(exercise, attribute[1]) if attribute else ""


def _no_attribute(exercise: Rewrite, name: str) -> str:
    if name in {*EINOPS, *exercise.helpers}:
        return f"\n{name} is not a method of a tensor: write {name}(x, ...)."
    if name in ADVICE:
        return f"\nUse einops there: {ADVICE[name]}."
    return "\nDid you mean shape?" if nearest(name, ["shape"]) else ""


def _meant(exercise: Rewrite, complaint: str, text: str) -> str:
    advice = next((f"\n{advice}" for words, advice in _ADVICE if words in complaint), "")
    has_one = any(group == () for argument in exercise.arguments for group in argument.groups or ())
    if "only on one side" in complaint and has_one:
        advice += "\nAn axis of size 1 is a 1 in the pattern, not a name."
    return advice.replace("{sizes}", _sizes(exercise, complaint, text)).replace("{signature}", exercise.signature)


def _sizes(exercise: Rewrite, complaint: str, text: str) -> str:
    """Format f's sizes that the pattern names, such as `: h=h`, else axes without a size, else all sizes of f."""
    names = [name for name in exercise.size_names if name in re.findall(r"[A-Za-z]\w*", text)]
    unknown = sorted(_quoted(complaint)) if "Could not infer" in complaint else []
    if unknown and not set(unknown) & set(names):
        return f": {' or '.join(unknown)}"
    if names:
        return f": {', '.join(f'{name}={name}' for name in names)}"
    return f"; f is given {listed(exercise.size_names)}" if exercise.size_names else ""


def _unequal(exercise: Rewrite, text: str, lengths: re.Match[str]) -> str:
    """Explain an axis of einsum with two lengths, by the name in the answer instead of the library's letter."""
    letter, length, before = lengths["letter"], lengths["length"], lengths["before"]
    place = int(lengths["place"])
    inputs = [re.findall(r"[^\W\d]\w*", side) for side in text.partition("->")[0].split(",")]
    names = list(dict.fromkeys(name for side in inputs for name in side))
    number = ord(letter) - ord("a")
    if not 0 <= number < len(names) or place >= len(inputs):
        return ""
    which = _PLACES[place] if place < len(_PLACES) else "last"
    sentence = f"\nThe axis {names[number]} is {length} long in the {which} input and {before} before it."
    if lengths.re is not _LENGTHS:
        sentence = f"\nThe axis {names[number]} stands twice in the {which} input, {length} and {before} long."
    if exercise.canonical and place < len(exercise.tensors):
        tensor = exercise.tensors[place]
        sentence += f" {tensor.name} has the axes {tensor.shown}, in that order."
    return sentence


def _unknown(exercise: Rewrite, name: str) -> str:
    """Say what a learner may have meant by a name that `f` does not have: often an axis whose size they want."""
    for argument in exercise.arguments:
        axes = argument.shown.split()
        if name in axes:
            return f"\n{name} is an axis; its size is `{argument.name}.shape[{axes.index(name)}]`."
    if name in REDUCTIONS:
        return f"\nThe operation of reduce stands in quotes: {name!r}."
    names = [argument.name for argument in exercise.arguments]
    near = name.lower() if name.lower() in names else nearest(name, (*exercise.must, *EINOPS, *exercise.helpers))
    if near:
        return f"\nDid you mean {near}?"
    return f"\nDefine it first: the function is given {listed(names)}."


def _of_pattern(exercise: Rewrite, complaint: str, text: str) -> str:
    """Say what to do about a complaint of einops."""
    names = {axis for argument in exercise.arguments for axis in argument.shown.split()}
    names |= set(re.findall(r"[A-Za-z]\w*", exercise.canonical))
    tensors = {argument.name: argument.shown for argument in exercise.tensors}
    for word in sorted(_quoted(complaint)):
        if word not in names and set(word) <= names:
            merged = "" if "einsum" in complaint else f", or ({' '.join(word)}) to merge them"
            return f"\nNames are separated by spaces: {' '.join(word)}{merged}."
        if word in tensors and word not in names:
            return f"\n{word} is the tensor; a pattern names its axes, here {tensors[word]}."
    if ranks := _RANKS.search(complaint):
        return _rank(exercise, int(ranks[1]), int(ranks[2]))
    return _of_lengths(complaint, text) or _meant(exercise, complaint, text)


def _of_lengths(complaint: str, text: str) -> str:
    """Say what to do about lengths that do not fit, or return ""."""
    if cut := re.search(r"could not split axis of size (\d+) into requested (\[\[.*\]\])", complaint):
        return _cut(int(cut[1]), cut[2])
    if not re.search(r"Shape mismatch, \d+ != \d+", complaint):
        return ""
    if "(" in text.partition("->")[0]:
        return "\nThe parts of a composite multiply to its length: a size too many is given, or a wrong one."
    return "\nAn axis is longer or shorter than its size: is it a composite, as in (h e)?"


def _cut(length: int, parts: str) -> str:
    """Explain parts of an unpack whose lengths do not add up to the axis under the star."""
    if "-" in parts:
        return "\nOne length of one part may be -1, which is what the others leave."
    lengths = [math.prod(map(int, re.findall(r"\d+", part))) for part in re.findall(r"\[([\d, ]*)\]", parts)]
    return (
        f"\nThe parts are {sum(lengths)} long together, the axis under the star {length}."
        "\nThe star stands for the axis that is cut; each inner list is one part of it."
    )


def _rank(exercise: Rewrite, named: int, has: int) -> str:
    """Explain too many or too few names on the left."""
    axes = f": {exercise.tensors[0].shown}" if exercise.canonical and len(exercise.tensors) == 1 else ""
    cut = " An axis that is cut in parts stands in parentheses, as in (h e)." if named > has else ""
    return f"\nThe left side names {named} {'axis' if named == 1 else 'axes'}, the tensor has {has}{axes}.{cut}"


def _pattern_in_error(message: str, line: int, patterns: Sequence[tuple[int, str]]) -> str:
    quoted = re.search(r'(?:pattern|pack\(\.\.\.,) "([^"]+)"', message)
    if quoted:
        return quoted.group(1)
    own = [text for at, text in patterns if at == line or len(patterns) == 1]
    return own[0] if own else ""


def _quoted(complaint: str) -> set[str]:
    """Return the names that a complaint is about."""
    return {word for pair in _NAMES.findall(complaint) for word in pair if word}


def _carets(text: str, complaint: str) -> str:
    """Return carets under what the complaint is about, or "" if that is not part of the pattern."""
    marks = [" "] * len(text)
    for start, end in _complained(text, complaint):
        marks[start:end] = "^" * (end - start)
    return "".join(marks).rstrip()


def _complained(text: str, complaint: str) -> Iterator[tuple[int, int]]:
    left_side = text.partition("->")[0].rstrip()
    names = _quoted(complaint)
    yield from (word.span() for word in re.finditer(r"\w+", text) if word.group() in names)
    if "can't divide" in complaint:
        yield from (composite.span() for composite in re.finditer(r"\([^)]*\)", left_side))
    if "Wrong shape" in complaint or re.search(r"mismatch, \d", complaint):
        yield 0, len(left_side)
    side = re.search(r'Imbalanced parentheses in expression: "(.*)"', complaint)
    if side and side.group(1) in text:
        start = text.index(side.group(1))
        yield start, start + len(side.group(1).rstrip())
