"""Bring what people type and paste to one spelling, before an amount is read."""

import re
import unicodedata

_MARKUP = re.compile(r"[\\{}<&`\"\u201c\u201d$'\u2018\u2019\[\u2308\u230a]|^[*>]|[a-z0-9]\(")
"""Signs of text that was pasted from code, HTML or LaTeX. Only such text is cleaned."""
_TABLE = (  # Python and Markdown, HTML, LaTeX; applied in turn, and again for what is nested
    (r"^(?:>>>|(?:In|Out) ?\[\d+\]:)|\\[!()\[\]]|[\"`\u201c\u201d\[\]]|^\*\*(?=.+\*\*$)|(?<=.)\*\*$", ""),
    (r"^['\u2018\u2019]+(.*?)['\u2018\u2019]*$", r"\1"),
    (r"\('([^']*)'\)", r"(\1)"),
    (r",\s*(?:dtype|device|requires_grad|grad_fn)\s*=[^()]*(?=\))", ""),
    (r"\b(?:np|numpy|jnp|torch|math)\.(?=[a-z])", ""),
    (r"\b(?:b?float\d*|tensor|array|Decimal)\(", "("),
    (r"\bu?int\d*\(", "floor("),
    (r"<sup>(.*?)</sup>", r"^(\1)"),
    (r"</?[A-Za-z][^<>]*>", ""),
    (r"\\([%$ ])", r"\1"),
    (r"\\[,;:]", " "),
    (r"\$?\$([^$]*[^$\s])\$(?!\s*\d)\$?", r"\1"),
    (r"\\(?:left|right)(?![a-z])", ""),
    (r"\\(?:SI|qty)\s*\{([^{}]*)\}\s*\{([^{}]*)\}", r"\1 \2"),
    (r"\\(?:text|mathrm|mathbf|operatorname|boxed|num|unit)\s*\{([^{}]*)\}", r" \1 "),
    (r"\{,\}", ","),
    (r"\^\s*\{([^{}]*)\}", r"^(\1)"),
    (r"_\{?([0-9]+)\}?(?![0-9])(?=\s*[({]| [0-9])", r"\1"),
    (r"\\sqrt\s*\{([^{}]*)\}", r"sqrt(\1)"),
    (r"\\[dt]?frac\s*\{([^{}]*)\}\s*\{([^{}]*)\}", r"((\1)/(\2))"),
    (r"\\(?:times|cdot|ast)(?![a-z])", "*"),
    (r"\\div(?![a-z])", "/"),
    (r"\\lceil(?![a-z])|⌈", "ceil("),
    (r"\\lfloor(?![a-z])|⌊", "floor("),
    (r"\\r(?:ceil|floor)(?![a-z])|[⌉⌋]", ")"),
    (r"\\(?:approx|simeq|sim)(?![a-z])", "≈"),
    (r"\\mu(?![a-z])\s*", "u"),
)
_COMMAND = re.compile(r"\\(?=[A-Za-z])")  # the rest of LaTeX: \max, \log
_MAX_NESTED = 6  # fractions and roots within each other

_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "0123456789-+")
_RAISED = re.compile("[⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺]+")
_MIXED = re.compile("([0-9]*) ?([¼-¾⅐-⅞])")  # 1½, and the ½ of ^½
_ROOT = re.compile("√ ?([A-Za-z0-9.]*)")
_DASH = re.compile(r"(?<=\d[eE^])\u2013(?=\d)")  # 5.96e-8 with a dash
_SIGNS = str.maketrans(
    "\u00d7·⋅∙•\u2217✕✖\u2a2f⨉⋆÷\u2044\u2215\u2212\u2010\u2011µμ\u02c6↑\u2019\u2018\u02bc\u2032",
    "***********///---uu^^''''",
    "\u200b\ufeff",
)
_EXPONENT = re.compile(r"(?<=\d)(?:\s+[eE]\s*|[eE]\s+)(?=[+-]?\d)")  # 8.4 E+22, as some calculators show it
_AND = re.compile(r"(?:(?<=[a-z]),? and (?=\d)|(?<=[a-z]), (?=\d[^()]*$))")  # 56 days and 12 hours
_DEVICE_NAMES = re.compile(
    r"(?:\s?[*x]\s?|\s)(?:[ABHV]\d00(?:[- ]\d+GB)?(?: SXM| HGX| PCIe)?|G[BH]200|L40S?|MI\d{3}X"
    r"|TPU(?: ?v\d[ep]?)?|RTX ?\d{4})s?\b"
)  # 35 H100s
_DOLLARS = re.compile(r"\bUS ?\$|\bUSD ?(?=\d)")
_TIMES_BEHIND = re.compile(r"(?<=\d[KMBTkmbt])x(?=\d)")  # the x of 6x70Bx15T
_TIME_WORDS = r"(?:second|minute|hour|day|week)\b"
_EACH_TIME = re.compile(
    rf"(?<=[A-Za-z])(?<! of)(?<! in)(?<! for)(?<! half) (?:an?|each|every) (?={_TIME_WORDS})"
)  # 40 tokens a second
_ROOT_BEHIND = re.compile(r"^([\d.]+) ?(?=sqrt\()")
_SHARE_OF = re.compile(r"(%|\bpercent) of (?=[\d(])")


def plain(text: str) -> str:
    """Return the text in one spelling of signs, powers, devices and dollars, without the markup around it."""
    text = text.strip()
    if _MARKUP.search(text):
        text = _without_markup(text)
    text = one_spelling(text.removesuffix("\u00d7"))  # a factor, 5 times
    text = _TIMES_BEHIND.sub(" x ", _EXPONENT.sub("e", text.strip().rstrip("=?.,;!").rstrip()))
    text = _ROOT_BEHIND.sub(r"\1*", _EACH_TIME.sub(" per ", text))
    text = _SHARE_OF.sub(r"\1 * ", text) if "of" in text else text
    return _AND.sub(" ", _DOLLARS.sub("$", _DEVICE_NAMES.sub(" GPUs", text)))


def _without_markup(text: str) -> str:
    from html import unescape  # with its table of entities, which few answers need

    text = unescape(text)
    for pattern, replacement in _TABLE * _MAX_NESTED:
        text = re.sub(pattern, replacement, text)
    return _COMMAND.sub(" ", text).strip()


def one_spelling(text: str) -> str:
    """Return a text with one spelling of powers, roots, fractions and signs."""
    if text.isascii():
        return text
    text = _RAISED.sub(lambda raised: f"^({raised.group().translate(_SUPERSCRIPTS)})", text)
    text = _ROOT.sub(lambda root: f"sqrt({root[1]})" if root[1] else "sqrt", _MIXED.sub(r"(\1+\2)", text))
    text = _DASH.sub("-", text)
    # Last, because NFKC would turn 10²² into 1022, and 1½ into eleven halves.
    return unicodedata.normalize("NFKC", text.translate(_SIGNS)).translate(_SIGNS)
