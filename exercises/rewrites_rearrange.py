"""Define rewrites by rearrange, which splits, merges, moves and regroups axes without changing any value."""

from dataclasses import replace

from studykit.exercise import Rewrite, arguments_of, defined, single

_SLOW = "In a composite the leftmost name is the slow axis: its neighbors lie far apart in memory."


def _r(name: str, task: str, code: str, arguments: str, canonical: str, hint: str, *wrong: str) -> Rewrite:
    """Return a rewrite by rearrange. `arguments_of` explains how to write its arguments."""
    inputs = arguments_of(arguments)
    hints = ("Write the axes of x on the left, name by name.", hint, f"The right side is `{_right(canonical)}`.")
    return single(name, "rearrange", task, code, inputs, "rearrange", canonical, hints=hints, wrong=wrong)


def _as_layer(row: Rewrite) -> Rewrite:
    """Return a copy of a rewrite that is solved by the layer `Rearrange`, with the function as an alternative."""
    sizes = "".join(f", {size.name}={size.name}" for size in row.arguments[1:])
    layer = defined(row.signature, f"Rearrange({row.canonical!r}{sizes})({row.arguments[0].name})")
    solution = f"from einops.layers.torch import Rearrange\n\n{layer}"
    return replace(row, solution=solution, alternatives=(*row.alternatives, row.solution))


def _right(canonical: str) -> str:
    return canonical.partition("->")[2].strip()


EXERCISES = (
    _as_layer(
        _r(
            "fold_layer",
            "Inside `nn.Sequential`, k neighboring frames at a time become one wide frame. Use a layer: "
            "`Rearrange` from `einops.layers.torch`, which counts as `rearrange`.",
            "def f(x, k):\n    return torch.nn.Unflatten(1, (-1, k))(x).flatten(2)",
            "x: b n=(s k) d; k",
            "b (s k) d -> b s (k d)",
            "`Rearrange(pattern, k=k)` makes the layer; call it with x. Neighbors are the fast part.",
            "b (k s) d -> b s (k d)",
            "b (s k) d -> b s (d k)",
        )
    ),
    _r(
        "split_heads",
        "Attention splits the width of each token into heads and puts the heads before the sequence.",
        "def f(x, h):\n    b, s, w = x.shape\n    return x.view(b, s, h, w // h).transpose(1, 2)",
        "x: b s w=(h e); h",
        "b s (h e) -> b h s e",
        f"The width is a composite of heads and head width. {_SLOW}",
        "b s (e h) -> b h s e",
        "b s (h e) -> b s h e",
    ),
    _r(
        "merge_heads",
        "After attention the heads of a token are laid side by side again.",
        "def f(x):\n    b, h, s, e = x.shape\n    return x.transpose(1, 2).reshape(b, s, h * e)",
        "x: b h s e",
        "b h s e -> b s (h e)",
        f"Head and head width become one axis. {_SLOW}",
        "b h s e -> b s (e h)",
        "b h s e -> b h (s e)",
    ),
    _r(
        "patchify",
        "A vision transformer cuts an image into patches of p by q and makes a token of each.",
        "def f(x, p, q):\n    b, c, H, W = x.shape\n    x = x.reshape(b, c, H // p, p, W // q, q)\n"
        "    return x.permute(0, 2, 4, 3, 5, 1).reshape(b, (H // p) * (W // q), p * q * c)",
        "x: b c H=(h p) W=(w q); p; q",
        "b c (h p) (w q) -> b (h w) (p q c)",
        "Height is rows of patches times rows in a patch; the permutation says in which order the parts are laid.",
        "b c (h p) (w q) -> b (h w) (c p q)",
        "b c (p h) (q w) -> b (h w) (p q c)",
    ),
    _r(
        "unpatchify",
        "A masked autoencoder puts its patches back together into an image of h rows of patches.",
        "def f(x, p, q, h):\n    b, n, z = x.shape\n    w, c = n // h, z // (p * q)\n"
        "    x = x.reshape(b, h, w, p, q, c).permute(0, 5, 1, 3, 2, 4)\n    return x.reshape(b, c, h * p, w * q)",
        "x: b n=(h w) z=(p q c); p; q; h",
        "b (h w) (p q c) -> b c (h p) (w q)",
        "Each axis of x is a composite; each side of the image is one too, with its patches outside.",
        "b (h w) (c p q) -> b c (h p) (w q)",
        "b (h w) (p q c) -> b c (p h) (q w)",
    ),
    _r(
        "depth_to_space",
        "Pixel shuffle turns channels into a finer grid of pixels.",
        "def f(x, p, q):\n    b, C, h, w = x.shape\n    x = x.view(b, C // (p * q), p, q, h, w)\n"
        "    return x.permute(0, 1, 4, 2, 5, 3).reshape(b, C // (p * q), h * p, w * q)",
        "x: b C=(c p q) h w; p; q",
        "b (c p q) h w -> b c (h p) (w q)",
        "The new rows lie between the old ones, so the old row is the slow axis.",
        "b (p q c) h w -> b c (h p) (w q)",
        "b (c p q) h w -> b c (p h) (q w)",
    ),
    _r(
        "space_to_depth",
        "Pixel unshuffle packs each block of p by q pixels into channels.",
        "def f(x, p, q):\n    b, c, H, W = x.shape\n    x = x.view(b, c, H // p, p, W // q, q)\n"
        "    return x.permute(0, 1, 3, 5, 2, 4).reshape(b, c * p * q, H // p, W // q)",
        "x: b c H=(h p) W=(w q); p; q",
        "b c (h p) (w q) -> b (c p q) h w",
        "It is pixel shuffle backwards: the same composites on the other side of the arrow.",
        "b c (h p) (w q) -> b (p q c) h w",
        "b c (p h) (q w) -> b (c p q) h w",
    ),
    _r(
        "channels_last",
        "Many image kernels want the channels last.",
        "def f(x):\n    return x.permute(0, 2, 3, 1)",
        "x: b c h w",
        "b c h w -> b h w c",
        "Nothing is split or merged: the same four names in another order.",
        "b c h w -> b w h c",
        "b c h w -> b h c w",
    ),
    _r(
        "channels_first",
        "PyTorch's convolutions want the channels before height and width.",
        "def f(x):\n    return x.movedim(-1, 1)",
        "x: b h w c",
        "b h w c -> b c h w",
        "movedim takes one axis out and puts it elsewhere; the others keep their order.",
        "b h w c -> b c w h",
        "b h w c -> c b h w",
    ),
    _r(
        "qkv_split",
        "One projection gives queries, keys and values in k parts; each is split into heads.",
        "def f(x, k, h):\n    b, s, w = x.shape\n    x = x.view(b, s, k, h, w // (k * h))\n"
        "    return x.permute(2, 0, 3, 1, 4)",
        "x: b s w=(k h e); k; h",
        "b s (k h e) -> k b h s e",
        f"Three parts hide in the width. {_SLOW}",
        "b s (h k e) -> k b h s e",
        "b s (k e h) -> k b h s e",
    ),
    _r(
        "group_tokens",
        "A batch of b times g sequences is regrouped, the members of a group first.",
        "def f(x, g):\n    n, s, d = x.shape\n    return x.view(n // g, g, s, d).transpose(0, 1)",
        "x: n=(b g) s d; g",
        "(b g) s d -> g b s d",
        "The first axis is a composite; which of its parts is the fast one?",
        "(g b) s d -> g b s d",
        "(b g) s d -> b g s d",
    ),
    _r(
        "ungroup_tokens",
        "The groups are folded back into the batch.",
        "def f(x):\n    g, b, s, d = x.shape\n    return x.transpose(0, 1).reshape(b * g, s, d)",
        "x: g b s d",
        "g b s d -> (b g) s d",
        "After the transposition b is before g.",
        "g b s d -> (g b) s d",
        "g b s d -> (b s) g d",
    ),
    _r(
        "split_windows",
        "Swin attention cuts an image into windows of p by q and treats them as a bigger batch.",
        "def f(x, p, q):\n    b, H, W, c = x.shape\n    x = x.view(b, H // p, p, W // q, q, c).transpose(2, 3)\n"
        "    return x.reshape(-1, p, q, c)",
        "x: b H=(h p) W=(w q) c; p; q",
        "b (h p) (w q) c -> (b h w) p q c",
        "The transposition puts both window numbers before both positions inside a window.",
        "b (p h) (q w) c -> (b h w) p q c",
        "b (h p) (w q) c -> (h w b) p q c",
    ),
    _r(
        "merge_windows",
        "The windows are put back into images of h by w windows.",
        "def f(x, h, w):\n    n, p, q, c = x.shape\n    x = x.view(n // (h * w), h, w, p, q, c).transpose(2, 3)\n"
        "    return x.reshape(n // (h * w), h * p, w * q, c)",
        "x: n=(b h w) p q c; h; w",
        "(b h w) p q c -> b (h p) (w q) c",
        "Windows come from the first axis; inside an image a window's number is the slow part.",
        "(h w b) p q c -> b (h p) (w q) c",
        "(b h w) p q c -> b (p h) (q w) c",
    ),
    _r(
        "time_major",
        "A recurrent network steps over time, so time comes first.",
        "def f(x):\n    return x.transpose(0, 1)",
        "x: b t d",
        "b t d -> t b d",
        "Two axes change places.",
        "b t d -> t d b",
        "b t d -> d t b",
    ),
    _r(
        "transpose_keys",
        "Keys are turned so that a plain matrix product with the queries gives scores.",
        "def f(x):\n    return x.transpose(-2, -1)",
        "x: b h s e",
        "b h s e -> b h e s",
        "Counted from the end, the last two axes change places.",
        "b h s e -> b s e h",
        "b h s e -> h b e s",
    ),
    _r(
        "fold_frames",
        "A video goes through an image network frame by frame, frames folded into the batch.",
        "def f(x):\n    b, t, c, h, w = x.shape\n    return x.reshape(b * t, c, h, w)",
        "x: b t c h w",
        "b t c h w -> (b t) c h w",
        "Neighboring axes merge without moving.",
        "b t c h w -> (t b) c h w",
        "b t c h w -> b (t c) h w",
    ),
    _r(
        "unfold_frames",
        "The frames of t steps are taken out of the batch again, time after the channels.",
        "def f(x, t):\n    n, c, h, w = x.shape\n    return x.view(n // t, t, c, h, w).transpose(1, 2)",
        "x: n=(b t) c h w; t",
        "(b t) c h w -> b c t h w",
        "The view says which part of the first axis is fast.",
        "(t b) c h w -> b c t h w",
        "(b t) c h w -> b t c h w",
    ),
    _r(
        "image_grid",
        "A batch of small images is shown as one picture of r rows.",
        "def f(x, r):\n    n, h, w = x.shape\n    x = x.view(r, n // r, h, w).transpose(1, 2)\n"
        "    return x.reshape(r * h, (n // r) * w)",
        "x: n=(r k) h w; r",
        "(r k) h w -> (r h) (k w)",
        "A pixel's row is the picture's row of images, then the row inside the image.",
        "(k r) h w -> (r h) (k w)",
        "(r k) h w -> (h r) (w k)",
    ),
    _r(
        "side_by_side",
        "The images of a batch are laid next to each other.",
        "def f(x):\n    b, h, w, c = x.shape\n    return x.permute(1, 0, 2, 3).reshape(h, b * w, c)",
        "x: b h w c",
        "b h w c -> h (b w) c",
        "The batch becomes the slow part of the width.",
        "b h w c -> h (w b) c",
        "b h w c -> (b h) w c",
    ),
)
