r"""Reading a formula in the letters of a question: 2mnk, 6ND/(G peak mfu), \frac{6ND}{G \cdot peak}.

From text to a tree, the value of a tree for given letters, and the tree as text. Nothing is run as code.
"""

import math
import operator
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple

from studykit.errors import StudyError
from studykit.quantity.expression import END, BadAnswerError, Token, known_word
from studykit.quantity.spelling import plain
from studykit.quantity.units import SCALES, UNITS

MAX_CHARACTERS = 400
MAX_TOKENS = 120
MIN_PLACES = 8  # where two formulas must both have a value to be called equal
SAME = 1e-9  # relative difference of equal values
NAMES = ("peak", "link", "bw", "mem", "mfu")  # of devices, beside single letters
MAX_WORD_CHARACTERS = 60
MAX_DEPTH = 40  # parentheses and powers within each other
MIN_LARGE = 1000  # a number from here on may stand for a letter of the question
CONVERSIONS = frozenset((1e3, 1024.0, 3600.0, 86400.0, 1e6, 1e9, 1e12))  # these do not

_ALIASES = {
    "d": "d_model D_model dmodel n_embd hidden_size width D",
    "f": "d_ff D_ff D_FF d_FF dff DFF intermediate_size F",
    "L": "n_layers num_layers n_layer N_layers layers",
    "h": "n_heads num_heads n_head heads",
    "kv_heads": "n_kv_heads num_kv_heads n_kv h_kv",
    "e": "head_dim d_head d_k d_h",
    "V": "vocab_size n_vocab vocab",
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
    (r"_\{(\w+)\}", r"_\1"),
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
_LONE_NAME = re.compile(r"[A-Za-z_]\w*(?: ?\([A-Za-z, ]*\))?")
_SCALED = re.compile(r"\d[KkMBGT](?!\s*[A-Za-z(])")  # 7B, with nothing behind it
_JOINING = {"x": "*", "X": "*", "times": "*", "per": "/", "**": "^"}
_NEARLY_WHOLE = 1e-12  # relative: 4.000000000000001 of floats is 4

_FUNCTIONS: dict[str, Callable[..., float]] = {
    "sqrt": math.sqrt,
    "ceil": lambda number: math.ceil(number - abs(number) * _NEARLY_WHOLE),
    "floor": lambda number: math.floor(number + abs(number) * _NEARLY_WHOLE),
    "log2": math.log2,
    "log": math.log,
    "ln": math.log,
    "min": min,
    "max": max,
}
_SIGNED: dict[str, tuple[int, Callable[..., float]]] = {
    "+": (1, operator.add),
    "-": (1, operator.sub),
    "*": (2, operator.mul),
    "/": (2, operator.truediv),
    "^": (3, math.pow),
}
"""How tight each sign binds, and what it does."""

_SEVERAL = frozenset(("min", "max"))

Tree = float | str | tuple[str, tuple["Tree", ...]]
"""A number, a letter, or the sign of an operation with its operands."""


class LetterFormula(NamedTuple):
    """A formula as it was read."""

    tree: Tree
    left_to_right: Tree  # with a/bc as (a/b)c, where the tree itself has a/(bc)
    other_sides: tuple[Tree, ...]  # of an equation
    used: frozenset[str]  # letters
    large: str  # the first number that may stand for a letter; empty where there is none


class BadFormulaError(BadAnswerError):
    """A formula that cannot be read, and why; `is_formula` says that it has letters of the question."""

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
    if "O" not in letters and re.search(r"\bO ?\(", text):
        raise BadFormulaError("give the exact formula with its factor, not an order of growth")
    sides = [side.strip() for side in text.split("=") if side.strip()]
    sides = [side for side in sides if not _LONE_NAME.fullmatch(side)] or sides[-1:] or [""]
    *others, tokens = [_tokens(side, letters) for side in sides]
    parser = _Parser(tokens)
    tree, left_to_right = parser.whole(), _Parser(tokens, left_to_right=True).whole()
    used = frozenset(token.text for token in tokens if token.kind == "letter")
    return LetterFormula(
        tree, left_to_right, tuple(_Parser(other).whole() for other in others), used, parser.large
    )


def letter_of(name: str, letters: Collection[str]) -> str:
    """Return the letter that a name such as `head_dim` stands for; the name itself where it is one, or none is."""
    fits = (letter for letter in letters if name in _ALIASES.get(letter, "").split())
    return name if name in letters else next(fits, name)


def value(tree: Tree, letters: Mapping[str, float]) -> float:
    """Compute a formula, or raise ArithmeticError or ValueError if it has no value."""
    if isinstance(tree, tuple):
        sign, operands = tree
        operation = _FUNCTIONS.get(sign) or _SIGNED[sign][1]
        return operation(*(value(operand, letters) for operand in operands))
    return letters[tree] if isinstance(tree, str) else tree


def values(tree: Tree, places: Sequence[Mapping[str, float]]) -> list[float | None]:
    """Compute a formula at several places, with None where it has no value."""
    return [number_of(value, tree, letters) for letters in places]


def number_of(formula: Callable[..., float | None], *arguments: object) -> float | None:
    """Return what a function gives, or None where it has no value."""
    with suppress(ArithmeticError, LookupError, ValueError, StudyError):
        number = formula(*arguments)
        return number if number is not None and math.isfinite(number) else None
    return None


def equal(one: Sequence[float | None], other: Sequence[float | None]) -> bool:
    """Return whether two formulas have the same values wherever both have one."""
    pairs = [(a, b) for a, b in zip(one, other, strict=True) if a is not None and b is not None]
    return len(pairs) >= MIN_PLACES and all(math.isclose(a, b, rel_tol=SAME) for a, b in pairs)


def write(tree: Tree, around: int = 0) -> str:
    """Format a formula: `6*N*D/(G*peak)`. `around` is how tight the sign around it binds."""
    if not isinstance(tree, tuple):
        return tree if isinstance(tree, str) else f"{tree:.12g}"
    sign, operands = tree
    if sign in _FUNCTIONS:
        return f"{sign}({', '.join(map(write, operands))})"
    own = _SIGNED[sign][0]
    left, right = write(operands[0], own + (sign == "^")), write(operands[1], own + (sign in "-/"))
    sign = f" {sign} " if own == 1 else sign
    text = f"-{right}" if operands[0] == 0 else left + sign + right
    return f"({text})" if own < around else text


def _tokens(text: str, letters: Collection[str]) -> list[Token]:
    """Return the numbers, letters, functions, units and signs of a text."""
    given = {alias: name for name in letters for alias in _ALIASES.get(name, "").split()}
    if "B" in letters and not {"W", "link"}.isdisjoint(letters):
        given.pop("BW", None)  # B times W
    names = {**given, **{name: name for name in letters}}
    tokens: list[Token] = []
    refused = ""
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup or "other"
        piece = match[kind]
        if kind == "number":
            tokens.append(Token(kind, piece, float(piece.replace(",", "")), spaced=False))
        elif kind == "sign" or (piece in _JOINING and piece not in names):
            tokens.append(Token("sign", _JOINING.get(piece, piece), 0.0, spaced=False))
        elif piece not in letters and _SCALED.match(text, match.start(kind) - 1):
            tokens.append(Token("unit", piece, SCALES[piece], spaced=False))
        elif kind == "word" and len(piece) <= MAX_WORD_CHARACTERS and (word := _word(piece, letters, names)):
            tokens += word
        else:
            refused = refused or (
                _unknown(piece, letters) if kind == "word" else f"{piece} has no place in a formula"
            )
    if len(tokens) > MAX_TOKENS:
        raise BadFormulaError("that formula has too many parts; give it in a shorter form")
    if refused:
        near = any(token.kind == "letter" for token in tokens) or "did you mean" in refused
        raise BadFormulaError(refused, is_formula=near and re.search(r"[\d*/^(+=-]|^\w+$", text) is not None)
    return tokens


def _word(word: str, letters: Collection[str], names: Mapping[str, str]) -> list[Token]:
    """Return a word as one letter, function or unit, or as letters side by side, or nothing if it is unknown."""
    if word in _FUNCTIONS and word not in names:
        return [Token("function", word, 0.0, spaced=False)]
    ways = [[word]] if word in names else _cuts(word, letters)
    unit = UNITS.get(known_word(word)) if len(word) > 1 or word == "%" else None
    if not ways and unit is not None:
        return [Token("unit", word, unit.factor, spaced=False)]
    ways = ways or _cuts(word, names)
    if len(ways) > 1:
        readings = " or ".join("*".join(way) for way in ways)
        raise BadFormulaError(f"{word}: is that {readings}? put a * between the letters")
    return [Token("letter", names[name], 0.0, spaced=False) for way in ways for name in way]


def _cuts(word: str, names: Collection[str]) -> list[list[str]]:
    """Return the ways, at most two, to read a word as names side by side."""
    pieces = [name for name in names if len(name) == 1 or len(name) > len("mfu") or "_" in name]
    ways: dict[int, list[list[str]]] = {len(word): [[]]}
    for start in range(len(word) - 1, -1, -1):
        fits = [name for name in pieces if word.startswith(name, start)]
        ways[start] = [[name, *rest] for name in fits for rest in ways[start + len(name)]][:2]
    return ways[0]


def _unknown(word: str, letters: Collection[str]) -> str:
    """Return what to say of a word that is none of the letters: which there are, and the nearest one."""
    small = {name.lower(): name for name in letters}
    ways = _cuts(word.lower(), small) if len(word) <= MAX_WORD_CHARACTERS else []
    near = ["*".join(small[name] for name in way) for way in ways[:1]]
    near = near or [name for name in letters if len(word) > 1 and word.lower() in name.lower()]
    asked = f"; did you mean {near[0]}?" if near else ""
    return f"{word[:20]} is not a letter of this question, which has {', '.join(letters)}{asked}"


class _Parser:
    """One pass over the tokens of a formula; each method is a rule of the grammar, from the whole to a number."""

    def __init__(self, tokens: Sequence[Token], *, left_to_right: bool = False) -> None:
        self.tokens = tokens
        self.left_to_right = left_to_right
        self.place = 0
        self.depth = 0
        self.large = ""

    def peek(self) -> Token:
        return self.tokens[self.place] if self.place < len(self.tokens) else END

    def whole(self) -> Tree:
        if not self.tokens:
            raise BadFormulaError("give a formula, such as 2*m*n*k", is_formula=False)
        tree = self._sum()
        return tree if self.peek() is END else self._refuse()

    def _refuse(self) -> Tree:
        if self.peek() is END:
            raise BadFormulaError("that stops in the middle; finish the formula or close its parenthesis")
        raise BadFormulaError(f"{self.peek().text} is not expected there")

    def _accept(self, *signs: str) -> str:
        """Return the sign at this place and step over it, if it is one of these."""
        token = self.peek()
        self.place += (accepted := token.kind == "sign" and token.text in signs)
        return token.text if accepted else ""

    def _sum(self) -> Tree:
        left = self._product()
        while sign := self._accept("+", "-"):
            left = (sign, (left, self._product()))
        return left

    def _product(self) -> Tree:
        left = self._factors()
        while (sign := self._accept("*", "/")) or (self.left_to_right and self._joins()):
            left = (sign or "*", (left, self._factors()))
        return left

    def _factors(self) -> Tree:
        """Parse factors without a sign between them, which bind before a slash: 2mnk, 12 L d^2, (a)(b)."""
        left = self._signed()
        while not self.left_to_right and self._joins():
            right = self._signed()
            left = left if right == 1 else ("*", (left, right))  # 2 bytes
        return left

    def _joins(self) -> bool:
        token = self.peek()
        if token.kind == "number":
            raise BadFormulaError(f"put a * or a ^ before {token.text}")
        return token.kind in {"letter", "function", "unit"} or token.text == "("

    def _signed(self) -> Tree:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise BadFormulaError("too many parentheses or powers")
        if sign := self._accept("+", "-"):
            tree = self._signed() if sign == "+" else ("-", (0.0, self._signed()))
        else:
            tree = self._atom()
            tree = ("^", (tree, self._signed())) if self._accept("^") else tree
        self.depth -= 1
        return tree

    def _atom(self) -> Tree:
        token = self.peek()
        if self._accept("("):
            return self._closed(self._sum())
        if token.kind in {"sign", "end"} or (token.kind == "unit" and not self.place):
            return self._refuse()
        self.place += 1
        if token.kind == "number":
            return self._number(token)
        if token.kind == "function":
            return self._call(token.text)
        return token.text if token.kind == "letter" else token.value

    def _number(self, token: Token) -> Tree:
        """Return a number with its scale or unit."""
        number, shown, unit = token.value, token.text, self.peek()
        if unit.kind == "unit" and unit.value != 1:
            self.place += 1
            number, shown = number * unit.value, shown + unit.text
        self.large = self.large or (shown if number >= MIN_LARGE and number not in CONVERSIONS else "")
        return number

    def _call(self, name: str) -> Tree:
        if not self._accept("("):
            raise BadFormulaError(f"write {name}(...) with parentheses")
        operands = [self._sum()]
        while name in _SEVERAL and self._accept(","):
            operands.append(self._sum())
        self._closed(operands[0])
        return (name, tuple(operands)) if name not in _SEVERAL or len(operands) > 1 else operands[0]

    def _closed(self, tree: Tree) -> Tree:
        return tree if self._accept(")") else self._refuse()
