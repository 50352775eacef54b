"""An exception of an answer in words: what was raised, where, and what a learner does about it."""

import re
from collections.abc import Sequence

from studykit.rewrite import Rewrite

_ADVICE = (
    ("only on one side", "Each name stands on both sides; only reduce drops names, and only repeat adds them."),
    ("Could not infer", "Of each composite one size may be unknown; give the others by name, as in h=h."),
    ("can't divide axis", "A composite's parts multiply to its length: is a size fixed, or on the wrong axis?"),
    ("should be present only", "An axis is given a size that the pattern does not name."),
    ("is not used in transform", "An axis is given a size that the pattern does not name."),
    ("Wrong shape", "The left side names another number of axes than the tensor has."),
    ("appears in parenthesis more", "A name stands twice on one side."),
    ("duplicate dimension", "A name stands twice on one side; two axes that may differ need two names."),
    ("Specify sizes for new axes", "A new axis needs its size by name, as in g=g."),
    ("Unknown character ','", "Axes are separated by spaces; a comma stands only between the inputs of einsum."),
    ("Unknown character", "A pattern has names, spaces and parentheses only, as in (h d)."),
    ("on right side of einsum", "Each name on the right stands on the left as well."),
    ("No *-axis", "Put a * where the tensors differ: it stands for the axes that are packed, none or several."),
    (
        "must match the size of tensor",
        "Shapes line up from the right: write 1 for a reduced axis to keep its place.",
    ),
    ("be a string, representing", "einops takes the tensors first and the pattern last: einsum(x, y, '...')."),
    ("must contain '->'", "The names of the result stand behind an arrow: '... -> ...'."),
    ("not enough values to unpack", "A pattern has two sides with an arrow between: '... -> ...'."),
    ("argument: 'reduction'", "reduce takes the operation last: 'mean', 'sum', 'max', 'min' or 'prod'."),
    ("number of subscripts", "The pattern names another number of axes than that input has, counted from 0."),
    ("more operands were provided", "Each input has its axes in the pattern, with a comma between."),
    ("fewer operands were provided", "The pattern names more inputs than are given."),
    ("parse shape with different number", "The pattern names each axis of the tensor, _ for one not wanted."),
)


def raised(exercise: Rewrite, kind: str, message: str, line: int, patterns: Sequence[tuple[int, str]]) -> str:
    """An exception in a sentence with what to do; einops' own with its pattern and carets under its complaint."""
    where = f" on line {line}" if line else ""
    if kind != "EinopsError":
        first = message.splitlines()[0] if message else "no message"
        unknown = re.match(r"name '(\w+)' is not defined", first) if kind == "NameError" else None
        return f"{kind}{where}: {first}{_unknown(exercise, unknown.group(1)) if unknown else _meant(first)}"
    last = message.strip().splitlines()[-1].strip() if message.strip() else "the pattern does not fit"
    text = _their_pattern(message, line, patterns)
    drawn = f"\n  {text}\n  {_carets(text, last)}" if text else ""
    return f"einops{where}: {last}{drawn}{_meant(last)}"


def _meant(complaint: str) -> str:
    return next((f"\n{advice}" for words, advice in _ADVICE if words in complaint), "")


def _unknown(exercise: Rewrite, name: str) -> str:
    """What a learner may have meant by a name that `f` does not have: often an axis, whose size they want."""
    for argument in exercise.arguments:
        shown = argument.shown.split()
        if name in shown:
            return f"\n{name} is an axis; its size is `{argument.name}.shape[{shown.index(name)}]`."
    given = " and ".join(argument.name for argument in exercise.arguments)
    return f"\nAn answer has {given}, and the functions it may call."


def _their_pattern(message: str, line: int, patterns: Sequence[tuple[int, str]]) -> str:
    quoted = re.search(r'pattern "([^"]+)"', message)
    if quoted:
        return quoted.group(1)
    return next((text for at, text in patterns if at == line), patterns[0][1] if patterns else "")


def _carets(text: str, complaint: str) -> str:
    """A line of carets under the axes that the complaint quotes, under all of it when it quotes none."""
    named = set(re.findall(r"'(\w+)'", complaint))
    marks = [" "] * len(text)
    if "can't divide" in complaint:
        for composite in re.finditer(r"\([^)]*\)", text.partition("->")[0]):
            marks[composite.start() : composite.end()] = "^" * len(composite.group())
    for word in re.finditer(r"\w+", text):
        if word.group() in named:
            marks[word.start() : word.end()] = "^" * len(word.group())
    return "".join(marks).rstrip() or "^" * len(text)
