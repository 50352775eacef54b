"""Define rewrites by repeat: copies along new axes, tiles, upsampling."""

from studykit.exercise import Rewrite, arguments_of, single


def _r(
    name: str, task: str, code: str, arguments: str, canonical: str, hint: str, *wrong: str, gradient: bool = False
) -> Rewrite:
    inputs = arguments_of(arguments)
    hints = (
        "An axis that is new on the right is repeated; its size is given by name.",
        hint,
        f"The right side is `{canonical.partition('->')[2].strip()}`.",
    )
    return single(
        name, "repeat", task, code, inputs, "repeat", canonical, hints=hints, wrong=wrong, gradient=gradient
    )


EXERCISES = (
    _r(
        "gqa_repeat",
        "Grouped-query attention gives each key head to g query heads in a row.",
        "def f(x, g):\n    return x.repeat_interleave(g, dim=1)",
        "x: b h s e; g",
        "b h s e -> b (h g) s e",
        "The copies of one head stand next to each other: the copy is the fast part.",
        "b h s e -> b (g h) s e",
        "b h s e -> b h (s g) e",
        gradient=True,
    ),
    _r(
        "tile_sequence",
        "A short sequence is played r times over.",
        "def f(x, r):\n    return x.repeat(1, r, 1)",
        "x: b s d; r",
        "b s d -> b (r s) d",
        "The whole sequence comes again and again: the copy is the slow part.",
        "b s d -> b (s r) d",
        "b s d -> (r b) s d",
    ),
    _r(
        "stretch_sequence",
        "Each step is held for r steps.",
        "def f(x, r):\n    return torch.repeat_interleave(x, r, dim=1)",
        "x: b s d; r",
        "b s d -> b (s r) d",
        "Copies of one step stand next to each other.",
        "b s d -> b (r s) d",
        "b s d -> b s (d r)",
    ),
    _r(
        "broadcast_batch",
        "Positions are the same for every sequence of the batch: expanding them copies nothing.",
        "def f(x, b):\n    return x.expand(b, *x.shape)",
        "x: s d; b",
        "s d -> b s d",
        "expand puts the new axis first.",
        "s d -> s b d",
        "s d -> b d s",
        gradient=True,
    ),
    _r(
        "beam_copies",
        "Beam search begins with k copies of each prompt, the copies of a prompt together.",
        "def f(x, k):\n    b, s = x.shape\n    return x[:, None, :].expand(b, k, s).reshape(b * k, s)",
        "x: b s; k",
        "b s -> (b k) s",
        "The copies of one prompt are neighbors in the batch.",
        "b s -> (k b) s",
        "b s -> b (k s)",
    ),
    _r(
        "upsample",
        "Nearest-neighbor upsampling makes a block of p by q pixels of each pixel.",
        "def f(x, p, q):\n    return x.repeat_interleave(p, 2).repeat_interleave(q, 3)",
        "x: b c h w; p; q",
        "b c h w -> b c (h p) (w q)",
        "Copies of a pixel stand next to it.",
        "b c h w -> b c (p h) (q w)",
        "b c h w -> b c (h p) (q w)",
    ),
    _r(
        "grey_to_colour",
        "A gray image is shown by c equal channels.",
        "def f(x, c):\n    return torch.stack([x] * c, dim=-1)",
        "x: h w; c",
        "h w -> h w c",
        "stack makes a new axis; dim=-1 says where.",
        "h w -> c h w",
        "h w -> w h c",
    ),
    _r(
        "head_mask",
        "One padding mask per sequence is handed to all h heads and all q queries.",
        "def f(x, h, q):\n    b, k = x.shape\n    return x[:, None, None, :].expand(b, h, q, k)",
        "x: b k; h; q",
        "b k -> b h q k",
        "Two new axes between the old ones.",
        "b k -> b q h k",
        "b k -> b h k q",
    ),
)
