"""Define decoders that questions draw, and questions that ask for a number or its formula."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from studykit.exercise import Shape, Template, Values

Choices = Sequence[object] | Callable[[Values], Sequence[object]]

SMALL = {
    896: (14, 14, 14, 64, 2368),
    1152: (20, 18, 18, 64, 3072),
    1408: (28, 22, 22, 64, 3776),
    1792: (40, 28, 28, 64, 4800),
    1920: (44, 30, 30, 64, 5120),
    2176: (44, 17, 17, 128, 5824),
}
"""Layers, query heads, KV heads, head dimension and feed-forward width by width: multi-head attention, h·e = d."""

LARGE = {
    2304: (26, 8, 4, 256, 9216),
    3584: (28, 28, 4, 128, 18944),
    5120: (64, 64, 8, 128, 25600),
    5376: (62, 32, 16, 128, 21504),
    8192: (80, 64, 8, 128, 28672),
    12288: (88, 96, 8, 128, 28672),
    16384: (126, 128, 8, 128, 53248),
}
"""The same for grouped-query attention: Gemma 2 2B, Qwen2.5 7B, Qwen3 32B, Gemma 3 27B, Llama 3 70B, Mistral
Large 2, Llama 3 405B. In three of them h·e is not d."""

VOCABULARIES = (32000, 49152, 64000, 100352)
LENGTHS = (512, 2048, 4096)


def head_dimension(v: Values) -> int:
    """Return the head dimension if the heads add up to the model's width, else 0."""
    return 0 if v.d % v.h else int(v.d // v.h)


def heads_of(width: int) -> int:
    """Return how many heads divide the width: of dimension 128 or 64 if that divides it, else of a larger one."""
    most = max(1, int(width // (64 if width % 128 else 128)))
    return next(heads for heads in range(most, 0, -1) if width % heads == 0)


def _row(v: Values) -> tuple[int, ...]:
    """Return layers, query heads, KV heads, head dimension and feed-forward width of the model of this width.

    They are typical ones if the width is pinned to a value that no model here has.
    """
    heads = heads_of(v.d)
    usual = (40, heads, heads, head_dimension(Values({"d": v.d, "h": heads})), 64 * round(v.d / 24))
    return (SMALL | LARGE).get(v.d, usual)


def decoder(widths: Choices = tuple(SMALL)) -> dict[str, Choices]:
    """Return the grid of a decoder. If `h` is pinned, head dimension and KV heads follow from it."""
    return {
        "d": widths,
        "L": lambda v: (_row(v)[0],),
        "h": lambda v: (_row(v)[1],),
        "kv_heads": lambda v: (_row(v)[2] if v.h == _row(v)[1] else v.h,),
        "e": lambda v: (_row(v)[3] if v.h == _row(v)[1] else head_dimension(v),),
        "f": lambda v: (_row(v)[4],),
        "V": VOCABULARIES,
    }


def shape(v: Values, **more: object) -> Shape:
    """Return the shape of a question's decoder, with the sizes in `more` instead of its own.

    A size that the question does not give is 1. Missing head dimension and KV heads follow from width and heads.
    """
    letters = {"L": 1, "h": 1, "d": v.known.get("h", 1), "f": 1, "V": 1} | v.known
    at = Values({"e": head_dimension(Values(letters)), "kv_heads": letters["h"]} | letters)
    sizes = {
        "layers": at.L,
        "width": at.d,
        "heads": at.h,
        "head_dim": at.e,
        "kv_heads": at.kv_heads,
        "ffn_width": at.f,
        "vocabulary": at.V,
    }
    return Shape(**sizes | more)


UNTIED = "2*V*d + L*(2*d*h*e + 2*d*kv_heads*e + 3*d*f + 2*d) + d"
"""Parameters of a decoder as `STEM` has it, without biases and with two matrices for the vocabulary."""

STEM = (
    "A decoder has L = {L} layers of width d = {d}: h = {h} query heads and kv_heads = {kv_heads} KV heads of "
    "dimension e = {e}, a SwiGLU MLP with a feed-forward width of f = {f}, RoPE, two RMSNorms in each layer and "
    "one at the end, and a vocabulary of V = {V}. "
)


def twin(
    *,
    grid: Mapping[str, Choices],
    prompt: str,
    formula: str | Callable[[Values], str],
    solution: tuple[str, ...],
    tolerance: float = 0.01,
    given: Mapping[str, Callable[[Values], object]] | None = None,
    **fields: object,
) -> Template:
    """Return a template that asks for a number in half of its draws, and for the formula in the others."""
    others: dict[str, Any] = fields

    def text(v: Values) -> str:
        return formula(v) if callable(formula) else formula

    return Template(
        grid={**grid, "ask": ("number", "formula")},
        prompt=prompt + "{give}",
        tolerance=tolerance,
        solution=(*solution[:-1], "`{formula}`: " + solution[-1]),
        assumed={"ask": "number"},
        given={
            "give": lambda v: " Give the formula." if v.ask == "formula" else "",
            "formula": text,
            **(given or {}),
        },
        formula=lambda v: text(v) if v.ask == "formula" else "",
        **others,
    )
