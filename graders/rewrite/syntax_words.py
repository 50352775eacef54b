"""What a learner calls a piece of Python that an answer may not hold, and what to write instead."""

import ast

_ONE_BY_ONE = "Write the calls out one by one; a name in the pattern does what a loop over an axis would."
_IN_F = "Write its lines into f itself."
_LOOP, _COMPREHENSION = ("a loop", _ONE_BY_ONE), ("a comprehension", _ONE_BY_ONE)
_IF = ("`if`", "One way must be right for every shape.")
_WORDS: dict[str, tuple[str, str]] = {  # what a learner calls it, and what to do instead
    "For": _LOOP,
    "AsyncFor": _LOOP,
    "While": _LOOP,
    "ListComp": _COMPREHENSION,
    "GeneratorExp": _COMPREHENSION,
    "SetComp": _COMPREHENSION,
    "DictComp": _COMPREHENSION,
    "If": _IF,
    "IfExp": _IF,
    "Match": ("`match`", _IF[1]),
    "Lambda": ("`lambda`", "Write what it computes into f itself."),
    "ClassDef": ("a class", _IN_F),
    "AsyncFunctionDef": ("`async`", _IN_F),
    "FunctionDef": ("a second function", _IN_F),
    "Try": ("`try`", ""),
    "TryStar": ("`try`", ""),
    "With": ("`with`", ""),
    "AsyncWith": ("`with`", ""),
    "AugAssign": ("an assignment such as `+=`, which may change an input", "Write y = y + ... instead."),
    "NamedExpr": ("`:=`", "Give the value its name on a line of its own."),
    "Delete": ("`del`", ""),
    "Global": ("`global`", ""),
    "Nonlocal": ("`nonlocal`", ""),
    "Raise": ("`raise`", ""),
    "Assert": ("`assert`", "Leave it out: einops checks what its patterns say."),
    "Break": ("`break`", ""),
    "Continue": ("`continue`", ""),
    "Await": ("`await`", ""),
    "Yield": ("`yield`", "Return the whole result."),
    "YieldFrom": ("`yield`", "Return the whole result."),
    "Starred": ("`*` before a name", "Write the values out one by one; a size has its place: x.shape[-1]."),
    "Slice": ("a slice", ""),
    "JoinedStr": ("an f-string", "Write the pattern out."),
    "TemplateStr": ("a t-string", "Write the pattern out."),
    "Dict": ("a dictionary", "parse_shape gives one itself; a call takes sizes by name: h=h."),
    "Set": ("a set", ""),
    "TypeAlias": ("a type alias", ""),
}
_INSTEAD = {
    "print": "take it out again",
    "int": "leave it out, and divide by //",
    "len": "write .shape[0]",
    **dict.fromkeys(("list", "tuple"), "leave it out: a list and a tuple are alike here"),
    **{f".{name}": f"write `{sign}`" for name, sign in (("add", "+"), ("sub", "-"), ("mul", "*"), ("div", "/"))},
    ".pow": "write `**`",
    ".square": "write `** 2`",
}
"""What to do in the place of a call or a method."""
_UNSAID = {"comprehension", "ExceptHandler", "withitem", "match_case", "FormattedValue", "Interpolation"}
_OPERATORS: dict[type[ast.AST], str] = {
    ast.MatMult: "@",
    ast.Mod: "%",
    ast.LShift: "<<",
    ast.RShift: ">>",
    ast.BitOr: "|",
    ast.BitXor: "^",
    ast.BitAnd: "&",
    ast.And: "and",
    ast.Or: "or",
    ast.Not: "not",
    ast.Invert: "~",
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Is: "is",
    ast.IsNot: "is not",
    ast.In: "in",
    ast.NotIn: "not in",
}


def said(node: ast.AST) -> str:
    """What it is called; nothing for the parts of something that is told already."""
    kind = type(node).__name__
    if kind in _UNSAID or isinstance(node, ast.expr_context | ast.boolop | ast.cmpop | ast.pattern):
        return ""
    match node:
        case ast.BinOp() | ast.UnaryOp() | ast.BoolOp():
            return f"the operator `{_OPERATORS[type(node.op)]}`"
        case ast.Compare():
            return f"the comparison `{_OPERATORS[type(node.ops[0])]}`"
    return _WORDS[kind][0] if kind in _WORDS else "something that an answer has no use for"


def instead(called: str) -> str:
    """What to do in the place of a call or a method, in parentheses; nothing where the rule says it."""
    return f" ({_INSTEAD[called]})" if called in _INSTEAD else ""


def advice(node: ast.AST) -> str:
    """A sentence that says what to do; nothing where the rule says it."""
    match node:
        case ast.Subscript(slice=ast.Constant(value=str())):
            return "Take a size by its place, as in x.shape[1]."
        case ast.Subscript(ctx=ast.Load()) if any(_is_none(part) for part in ast.walk(node.slice)):
            return "A 1 in a pattern adds an axis of length 1."
        case ast.Subscript(ctx=ast.Load()):
            return "rearrange or unpack takes an axis apart."
    return _WORDS.get(type(node).__name__, ("", ""))[1]


def _is_none(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and node.value is None
