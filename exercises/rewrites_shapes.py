"""Define rewrites that read shapes, add and drop axes, flatten and unflatten."""

from studykit.exercise import Rewrite, defined, single, size, tensor

_HINT = "Write the axes of x on the left, name by name, then say on the right what is left of them."


def _shape_of(name: str, task: str, code: str, axes: str, solution: str, wrong: tuple[str, ...]) -> Rewrite:
    return Rewrite(
        id=f"rewrite.{name}",
        family="shapes",
        task=task,
        code=code,
        arguments=(tensor("x", axes),),
        must=("parse_shape",),
        hints=(
            "`parse_shape` gives a dictionary from axis names to sizes.",
            "An axis named `_` is passed over.",
            "The names in the pattern become the keys.",
        ),
        solution=defined("f(x)", f"parse_shape(x, {solution!r})"),
        alternatives=(
            f"import einops\n\n{defined('f(x)', f'einops.parse_shape(x, {solution!r})')}",
            f"def f(x):\n    sizes = parse_shape(x, {solution!r})\n    return sizes\n",
        ),
        near_misses=tuple(defined("f(x)", f"parse_shape(x, {text!r})") for text in wrong),
    )


EXERCISES = (
    _shape_of(
        "read_shape",
        "Later lines need the sizes of all axes by name.",
        'def f(x):\n    return {"b": x.shape[0], "s": x.shape[1], "d": x.shape[2]}',
        "b s d",
        "b s d",
        ("s b d", "b s e"),
    ),
    _shape_of(
        "image_size",
        "Only height and width of a batch of images are wanted.",
        'def f(x):\n    return {"h": x.size(2), "w": x.size(3)}',
        "b c h w",
        "_ _ h w",
        ("h w _ _", "b c h w"),
    ),
    single(
        "add_axis",
        "shapes",
        "A mask gets an axis of size 1 where the heads will be.",
        "def f(x):\n    return x.unsqueeze(1)",
        (tensor("x", "b s t"),),
        "rearrange",
        "b s t -> b 1 s t",
        hints=(_HINT, "A `1` on the right makes an axis of size 1.", "It stands second: after b."),
        wrong=("b s t -> b s 1 t", "b s t -> 1 b s t"),
    ),
    single(
        "drop_axis",
        "shapes",
        "The axis that pooling left behind is dropped.",
        "def f(x):\n    return x.squeeze(1)",
        (tensor("x", "b 1 d"),),
        "rearrange",
        "b 1 d -> b d",
        hints=(_HINT, "A `1` on the left reads an axis of size 1.", "Leave it out on the right."),
        wrong=("b 1 d -> d b", "b 1 d -> b 1 d"),
    ),
    single(
        "column_vectors",
        "shapes",
        "Each vector of a batch becomes a matrix of one column.",
        "def f(x):\n    return x[..., None]",
        (tensor("x", "b d"),),
        "rearrange",
        "b d -> b d 1",
        hints=(_HINT, "`None` in an index adds an axis of size 1.", "It stands last."),
        wrong=("b d -> b 1 d", "b d -> d b 1"),
    ),
    single(
        "flatten_all",
        "shapes",
        "A tensor of gradients is laid out as one long vector.",
        "def f(x):\n    return x.flatten()",
        (tensor("x", "b s d"),),
        "rearrange",
        "b s d -> (b s d)",
        hints=(_HINT, "One pair of parentheses around all axes.", "The order of the names stays."),
        wrong=("b s d -> (s b d)", "b s d -> (b s) d"),
    ),
    single(
        "flatten_tokens",
        "shapes",
        "The loss wants one row per token, whatever its sequence.",
        "def f(x):\n    return x.view(-1, x.shape[-1])",
        (tensor("x", "b s v"),),
        "rearrange",
        "b s v -> (b s) v",
        hints=(_HINT, "All axes but the last become one.", "Sequence s is the fast part of it."),
        wrong=("b s v -> (s b) v", "b s v -> b (s v)"),
    ),
    single(
        "unflatten_tokens",
        "shapes",
        "Rows of tokens become b sequences again.",
        "def f(x, b):\n    return x.reshape(b, -1, x.shape[-1])",
        (tensor("x", "n=(b s) d"), size("b")),
        "rearrange",
        "(b s) d -> b s d",
        hints=(_HINT, "The first axis is a composite of b and s.", "b is the slow part of it."),
        wrong=("(s b) d -> b s d", "(b s) d -> s b d"),
    ),
)
