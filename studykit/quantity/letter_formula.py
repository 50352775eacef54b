r"""Parse formulas in the letters of a question: 2mnk, 6ND/(G peak mfu), \frac{6ND}{G \cdot peak}.

Python's parser makes a tree of the text, which is evaluated for values of the letters. Nothing is run as code.
"""

import ast
import math
import operator
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import pairwise
from typing import NamedTuple, cast

from studykit.errors import StudyError
from studykit.quantity import expression
from studykit.quantity.expression import END, MAX_DEPTH, MAX_VALUE, OF_SEVERAL, BadAnswerError, Token, known_word
from studykit.quantity.spelling import plain
from studykit.quantity.units import SCALES, UNITS

MAX_CHARACTERS = 400
MAX_TOKENS = 120
MIN_PLACES = 8  # where both formulas must have a value, so that equality is not by chance
SAME = 1e-9  # relative difference of equal values
NAMES = ("peak", "link", "bw", "mem", "mfu")  # of devices, beside single letters
MAX_WORD_CHARACTERS = 60
MIN_LARGE = 1000  # a number from here on may stand for a letter of the question
CONVERSIONS = frozenset((1e3, 1024.0, 3600.0, 86400.0, 1e6, 1e9, 1e12))  # these do not

_ALIASES = {
    "d": "d_model D_model dmodel n_embd hidden_size width D",
    "f": "d_ff D_ff D_FF d_FF dff DFF intermediate_size ffn_width F",
    "L": "n_layers num_layers n_layer N_layers layers",
    "h": "n_heads num_heads n_head heads",
    "kv_heads": "n_kv_heads num_kv_heads num_key_value_heads n_kv h_kv",
    "e": "head_dim d_head d_k d_h",
    "V": "vocab_size n_vocab vocab vocabulary",
    "b": "batch_size batch B",
    "B": "batch_size batch",
    "s": "seq_len seqlen context_length n_ctx T S",
    "T": "seq_len seqlen context_length n_ctx s S",
    "N": "n_params params P",
    "D": "n_tokens tokens",
    "G": "N_DP N_TP N_FSDP N_dp N_tp N_fsdp num_gpus gpus devices world_size N n",
    "G_fsdp": "G_FSDP N_FSDP N_fsdp",
    "G_tp": "G_TP N_TP N_tp",
    "peak": "peak_flops FLOPS C",
    "link": "link_bw W",
    "bw": "bandwidth mem_bw BW",
    "mem": "memory capacity cap M",
    "mfu": "MFU",
}
_SPELLINGS = (  # beside those of every answer
    (r"\\[\[\]]", " "),
    (r"\[", "("),
    (r"\]", ")"),
    (r"_(\{)?\\(?:text|mathrm)\s*\{(\w+)\}(?(1)\})", r"_{\2}"),
    (r"_\{(\w+)\}(?=\w)", r"_\1 "),  # d_{ff}V
    (r"_\{(\w+)\}", r"_\1"),
    (r"(?<=\S)\s+#.*$", ""),
    (r"\\(?:[lg]eq?|approx)(?![a-z])|[≤≥≈≃≅~<>=]+", "="),
)
_TOKEN = re.compile(
    r"""(?P<space>\s*)(?:
    (?P<number>(?:\d{1,3}(?:,\d{3})+(?!\d)|\d+|(?=\.\d))(?:\.\d*)?(?:[eE][+-]?\d+(?![A-Za-z]))?)
   |(?P<word>log2(?![A-Za-z0-9])|[A-Za-z]+(?:_[A-Za-z0-9]+)*|%)
   |(?P<sign>\*\*|[-+*/^(),])
   |(?P<other>\S))""",
    re.VERBOSE,
)
_BRACES = str.maketrans("{}\u2013", "()-")
_TIMES_BETWEEN = re.compile(r"(?<=[\dA-Z)])x(?=[A-Z(])")  # 6xNxD
_BYTES = re.compile(r"[\d)] ?B(?:/ ?[a-z]{3}|$)")  # 16 B/param, and (16N + a) B
_LONE_NAME = re.compile(r"[A-Za-z_]\w*(?: ?\([A-Za-z, ]*\))?")
_SCALED = re.compile(r"\d[KkMBGT](?!\s*[A-Za-z(])")  # 7B, with nothing after it
_OPENING = frozenset("+-*/^(,")  # signs before which nothing is complete
_JOINING = {"x": "*", "X": "*", "times": "*", "per": "/", "**": "^"}
_NEARLY_WHOLE = 1e-12  # relative: 4.000000000000001 of floats is 4

FUNCTIONS: dict[str, Callable[..., float]] = {
    **expression.FUNCTIONS,
    "ceil": lambda number: math.ceil(number - abs(number) * _NEARLY_WHOLE),
    "floor": lambda number: math.floor(number + abs(number) * _NEARLY_WHOLE),
    "log": math.log,
    "ln": math.log,
}
_SIGNS: dict[type[ast.AST], Callable[..., float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: math.pow,
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
}
_CODES = {"number": "{0.value:.15g}", "unit": "({0.value:.15g})", "function": "{0.text}\0"}  # till they are parsed
_MIDDLE = "that stops in the middle; finish the formula or close its parenthesis"
_WRONG = (
    (r"^()$", "give a formula, such as 2*m*n*k"),
    (r"(\w+)\0(?! \()", "write {}(...) with parentheses"),
    (r"(?<=[\w)]) (\d\S*)", "put a * or a ^ before {}"),
    (r"/ (/)", "write floor(...) for /{}"),
    (r"(?:^|[-+*/^(,] )([*/^,)])", "'{}' is not expected there"),
    (r"([-+*/^(,])$", _MIDDLE),
    (rf"((?:\([^()]*){{{MAX_DEPTH + 1}}})", "too many parentheses"),
)
"""Patterns of mistakes, and the message for each."""


class LetterFormula(NamedTuple):
    """Hold a parsed formula."""

    tree: ast.expr
    left_to_right: ast.expr  # with a/bc as (a/b)c, where the tree itself has a/(bc)
    other_sides: tuple[ast.expr, ...]  # of an equation
    used: frozenset[str]  # letters
    large: str  # the first number that may stand for a letter; empty where there is none


class BadFormulaError(BadAnswerError):
    """Raised if a formula cannot be read. `is_formula` tells whether it has letters of the question."""

    def __init__(self, message: str, *, is_formula: bool = True) -> None:
        super().__init__(message)
        self.is_formula = is_formula


def read(text: str, letters: Collection[str]) -> LetterFormula:
    """Parse a formula in these letters, or raise BadFormulaError with the reason."""
    if len(text) > MAX_CHARACTERS:
        why = f"that is longer than {MAX_CHARACTERS} characters; give one short formula"
        raise BadFormulaError(why, is_formula=False)
    for pattern, instead in _SPELLINGS:
        text = re.sub(pattern, instead, text)
    text = plain(text).translate(_BRACES)
    text = text if "x" in letters else _TIMES_BETWEEN.sub("*", text)
    if "O" not in letters and re.search(r"\bO ?\(", text):
        raise BadFormulaError("give the exact formula with its factor, not an order of growth")
    if "b" in letters and "B" not in letters and _BYTES.search(text):
        raise BadFormulaError("is that B bytes? write bytes, or b")
    sides = [side.strip() for side in text.split("=") if side.strip()]
    sides = [side for side in sides if not _LONE_NAME.fullmatch(side)] or sides[-1:] or [""]
    *others, tokens = [_tokens(side, letters) for side in sides]
    used = frozenset(token.text for token in tokens if token.kind == "letter")
    numbers = (token for token in tokens if token.kind == "number" and token.value >= MIN_LARGE)
    large = next((token.text for token in numbers if token.value not in CONVERSIONS), "")
    return LetterFormula(_tree(tokens), _tree(tokens, tight=False), tuple(map(_tree, others)), used, large)


def letter_of(name: str, letters: Collection[str]) -> str:
    """Return the letter for a name such as `head_dim`. Letters and unknown names are returned unchanged."""
    fits = (letter for letter in letters if name in _ALIASES.get(letter, "").split())
    return name if name in letters else next(fits, name)


def value(tree: ast.expr, letters: Mapping[str, float]) -> float:
    """Compute a formula, or raise ArithmeticError or ValueError if it has no value."""
    match tree:
        case ast.Constant(value=number):
            return float(cast("float", number))
        case ast.Name(id=name):
            return letters[name]
        case ast.Call(func=ast.Name(id=name), args=operands):
            return FUNCTIONS[name](*(value(operand, letters) for operand in operands))
        case ast.UnaryOp(op=sign, operand=operand):
            return _SIGNS[type(sign)](value(operand, letters))
    both = cast("ast.BinOp", tree)
    return _SIGNS[type(both.op)](value(both.left, letters), value(both.right, letters))


def values(tree: ast.expr, places: Sequence[Mapping[str, float]]) -> list[float | None]:
    """Compute a formula for several sets of letter values, with None where it has no value."""
    return [number_of(value, tree, letters) for letters in places]


def number_of(formula: Callable[..., float | None], *arguments: object) -> float | None:
    """Return the number that a function returns, or None where it has no value."""
    with suppress(ArithmeticError, LookupError, ValueError, StudyError):
        number = formula(*arguments)
        return number if number is not None and math.isfinite(number) else None
    return None


def equal(left: Sequence[float | None], right: Sequence[float | None], *, gap: float = SAME) -> bool:
    """Return whether two formulas have the same values, within a relative gap, at eight or more places.

    Places where one of them has no value are left out.
    """
    pairs = [(a, b) for a, b in zip(left, right, strict=True) if a is not None and b is not None]
    return len(pairs) >= MIN_PLACES and all(math.isclose(a, b, rel_tol=gap) for a, b in pairs)


def write(tree: ast.expr) -> str:
    """Format a formula: `6*N*D/(G*peak)`."""
    return ast.unparse(tree).replace(" ** ", "^").replace(" * ", "*").replace(" / ", "/")


def _tokens(text: str, letters: Collection[str]) -> list[Token]:
    """Return the numbers, letters, functions, units and signs of a text."""
    aliases = {
        alias: name for name in letters for alias in (f"{name[0]}_{name[1:]}", *_ALIASES.get(name, "").split())
    }
    if "B" in letters and not {"W", "link"}.isdisjoint(letters):
        aliases.pop("BW", None)  # B times W
    names = {**aliases, **{name: name for name in letters}}
    tokens: list[Token] = []
    refusal = ""
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup or "other"
        piece = match[kind]
        if kind == "number":
            tokens.append(Token(kind, piece, min(float(piece.replace(",", "")), MAX_VALUE)))
        elif kind == "sign" or (piece in _JOINING and piece not in names):
            tokens.append(Token("sign", _JOINING.get(piece, piece)))
        elif piece not in letters and _SCALED.match(text, match.start(kind) - 1):
            tokens.append(Token("unit", piece, SCALES[piece]))
        elif kind == "word" and len(piece) <= MAX_WORD_CHARACTERS and (word := _word(piece, letters, names)):
            tokens += [] if _is_said_again(piece, word, tokens, letters) else word
        elif kind == "word":
            refusal = refusal or _unknown_letter_message(piece, letters)
        else:
            refusal = refusal or f"{piece!r} has no place in a formula"
    refusal = refusal or _refused_factor(tokens, letters)
    tokens = [*_with_units(tokens)]
    if len(tokens) > MAX_TOKENS:
        raise BadFormulaError("that formula has too many parts; give it in a shorter form")
    if refusal:
        near = any(token.kind == "letter" for token in tokens) or "did you mean" in refusal
        raise BadFormulaError(refusal, is_formula=near and re.search(r"[\d*/^(+=-]|^\w+$", text) is not None)
    return tokens


def _is_said_again(piece: str, word: Sequence[Token], before: Sequence[Token], letters: Collection[str]) -> bool:
    """Return whether a word only names what is counted, as in `6 N params` and `sqrt(L*c/a) layers`."""
    is_count = piece in UNITS and UNITS[piece].noun and piece not in letters
    return is_count and len(word) == 1 and word[0] in before and before[-1].text not in _OPENING


def _refused_factor(tokens: Sequence[Token], letters: Collection[str]) -> str:
    """Return a message for a factor that is a word for counted things, because 2*N*tokens is not 2*N, or ""."""
    for before, token in pairwise(tokens):
        is_factor = before.text in {"*", "("} or (before.text == "/" and token.text.endswith("s"))
        if token.kind == "unit" and is_factor and token.value == 1 and UNITS[known_word(token.text)].noun:
            return _unknown_letter_message(token.text, letters)
    return ""


def _word(word: str, letters: Collection[str], names: Mapping[str, str]) -> list[Token]:
    """Return a word as one letter, function or unit, or as letters side by side, or [] if it is unknown.

    Raise BadFormulaError if the word can be read in two ways.
    """
    if word in FUNCTIONS and word not in names:
        return [Token("function", word)]
    ways = [[word]] if word in names else _cuts(word, letters)
    unit = UNITS.get(known_word(word)) if len(word) > 1 or word == "%" else None
    if not ways and unit is not None:
        return [Token("unit", word, unit.factor)]
    ways = ways or _cuts(word, names)
    if len(ways) > 1:
        readings = " or ".join("*".join(way) for way in ways)
        raise BadFormulaError(f"{word}: is that {readings}? put a * between the letters")
    return [Token("letter", names[name]) for way in ways for name in way]


def _cuts(word: str, names: Collection[str]) -> list[list[str]]:
    """Return the ways, at most two, to read a word as names side by side."""
    pieces = [*names]
    ways: dict[int, list[list[str]]] = {len(word): [[]]}
    for start in range(len(word) - 1, -1, -1):
        fits = [name for name in pieces if word.startswith(name, start)]
        ways[start] = [[name, *rest] for name in fits for rest in ways[start + len(name)]][:2]
    return ways[0]


def _unknown_letter_message(word: str, letters: Collection[str]) -> str:
    """Return the message for a word that is not a letter: it lists the letters and suggests the nearest."""
    lower = {name.lower(): name for name in letters}
    ways = _cuts(word.lower(), lower) if len(word) <= MAX_WORD_CHARACTERS else []
    near = ["*".join(lower[name] for name in way) for way in ways[:1]]
    near = near or [name for name in letters if len(word) > 1 and word.lower() in name.lower()]
    suggestion = f"; did you mean {near[0]}?" if near else ""
    return f"{word[:20]!r} is not a letter of this question, which has {', '.join(letters)}{suggestion}"


def _with_units(tokens: Sequence[Token]) -> Iterator[Token]:
    """Multiply numbers by the units that follow them, and drop units of 1 after anything else."""
    for before, token, after in zip((END, *tokens), tokens, (*tokens[1:], END), strict=False):
        if token.kind == "number" and after.kind == "unit":
            yield token._replace(text=token.text + after.text, value=token.value * after.value)
        elif token.kind != "unit" or (before.kind != "number" and (token.value != 1 or before.kind == "sign")):
            yield token


def _tree(tokens: Sequence[Token], *, tight: bool = True) -> ast.expr:
    """Parse the tokens. With `tight`, factors side by side bind before a slash: 2mnk, 12 L d^2, (a)(b).

    Python's parser does this: it gets `m / n k` as `(m)/(n*k)`, with parentheses around all between two signs.
    """
    text = " ".join(_CODES.get(token.kind, "{0.text}").format(token) for token in tokens)
    is_formula = any(token.kind == "letter" for token in tokens)
    for pattern, why in _WRONG:
        if match := re.search(pattern, text):
            raise BadFormulaError(why.format(match[1]), is_formula=is_formula)
    opening, closing = "(" * tight, ")" * tight
    text = opening + text.replace("(", "(" + opening).replace(")", closing + ")") + closing
    text = re.sub(r"(?<=[\w)]) ([-+*/,]) ", rf"{closing}\1{opening}", text)
    text = re.sub(r"(?<=[\w)]) (?=[\w(])", "*", text).replace("\0 ", "").replace("^", "**")
    try:
        tree = ast.parse(text, mode="eval").body
    except SyntaxError:
        why = _MIDDLE if text.count("(") > text.count(")") else "')' is not expected there"
        raise BadFormulaError(why, is_formula=is_formula) from None
    for node in ast.walk(tree):
        is_listing = isinstance(node, ast.Call) and len(node.args) > 1 and ast.unparse(node.func) not in OF_SEVERAL
        if is_listing or isinstance(node, ast.Tuple):
            raise BadFormulaError("',' is not expected there", is_formula=is_formula)
    return tree
