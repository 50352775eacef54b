"""Right answers to rewrites as learners spell them: the bodies of `f`."""
# ruff: noqa: E501 - an answer reads best in one piece

SPELLINGS: dict[str, tuple[str, ...]] = {
    "split_heads": (
        "return rearrange(x, 'b s (h d) -> b h s d', d=x.shape[-1] // h)",
        "b, s, w = x.shape\nd = w // h\nreturn rearrange(x, 'b s (h d) -> b h s d', h=h, d=d)",
        "b, s, d = x.shape\ny = rearrange(x, 'b s (h d) -> b s h d', h=h)\nreturn rearrange(y, 'b s h d -> b h s d', b=b, s=s)",
        "return rearrange(x, 'b s (h d) -> b h s d', h=h, d=x.size(-1) // h, b=x.size(0))",
        "heads = h\nwidth = x.shape[2] // heads\nreturn rearrange(x, 'b s (heads width) -> b heads s width', heads=heads, width=width)",
        "return rearrange([x], '1 b s (h d) -> b h s d', h=h)",
        "b, s, _ = x.shape\nx = rearrange(x, 'b s (h d) -> (b s) h d', h=h)\nreturn rearrange(x, '(b s) h d -> b h s d', b=b)",
    ),
    "merge_heads": ("b, h, s, d = x.shape\nreturn rearrange(x, 'b h s d -> b s (h d)', h=h, d=d)",),
    "mean_pool": (
        "return reduce(x, 'b s d -> b d', 'sum') / x.shape[1]",
        "b, s, d = x.shape\nreturn reduce(x, 'b s d -> b d', 'sum') / s",
        "return reduce(x, 'b s d -> b d', 'sum') * (1 / x.shape[1])",
        "return reduce(x, 'b s d -> b d', 'sum') * x.size(1) ** -1",
        "return reduce(x / x.shape[1], 'b s d -> b d', 'sum')",
    ),
    "global_pool": (
        "return reduce(x, 'b c h w -> b c', 'sum') / (x.shape[2] * x.shape[3])",
        "b, c, h, w = x.shape\nn = h * w\nreturn reduce(x, 'b c h w -> b c', 'sum') / n",
        "return reduce(x, 'b c h w -> b c', 'sum') / x.shape[2] / x.shape[3]",
    ),
    "avg_pool": ("return reduce(x, 'b c (h p) (w q) -> b c h w', 'sum', p=p, q=q) / (p * q)",),
    "group_means": (
        "b, s, w = x.shape\nreturn reduce(x, 'b s (g d) -> b s g', 'mean', d=w // g)",
        "d = x.shape[-1] // g\nreturn reduce(x, 'b s (g d) -> b s g', 'sum', g=g) / d",
    ),
    "merge_tokens": (
        "return reduce(x, 'b (s k) d -> b s d', 'mean', s=x.shape[1] // k)",
        "return reduce(x, 'b (s k) d -> b s d', 'sum', k=k) / k",
    ),
    "max_pool": (
        "H, W = x.shape[2:]\nreturn reduce(x, 'b c (h p) (w q) -> b c h w', 'max', h=H // p, w=W // q)",
        "y = reduce(x, 'b c (h p) w -> b c h w', 'max', p=p)\nreturn reduce(y, 'b c h (w q) -> b c h w', 'max', q=q)",
    ),
    "mean_loss": ("b, s = x.shape\nreturn reduce(x, 'b s -> ', 'sum') / (b * s)",),
    "keep_axis_mean": ("return rearrange(reduce(x, 'b s d -> b s', 'sum') / x.shape[-1], 'b s -> b s 1')",),
    "image_grid": (
        "k = x.shape[0] // r\nreturn rearrange(x, '(r k) h w -> (r h) (k w)', r=r, k=k)",
        "n, h, w = x.shape\nreturn rearrange(x, '(r k) h w -> (r h) (k w)', k=n // r, h=h)",
    ),
    "unfold_frames": ("n, c, h, w = x.shape\nreturn rearrange(x, '(b t) c h w -> b c t h w', b=n // t, t=t)",),
    "unflatten_tokens": ("return rearrange(x, '(b s) d -> b s d', s=x.shape[0] // b)",),
    "take_image": (
        "text, image = unpack(x, [[s], [h * w]], 'b * d')\nreturn rearrange(image, 'b (h w) d -> b h w d', h=h)",
        "n = x.shape[1] - s\nreturn rearrange(unpack(x, [[s], [n]], 'b * d')[1], 'b (h w) d -> b h w d', h=h, w=w)",
        "return unpack(x, [[s], [h, w]], 'b * d')[-1]",
        "return unpack(x, [[s], [h, -1]], 'b * d')[1]",
        "return rearrange(unpack(x, [[s], [-1]], 'b * d')[1], 'b (h w) d -> b h w d', h=h, w=w)",
        "return unpack(x, [[s], [-1, w]], 'b * d')[1]",
    ),
    "split_pair": (
        "return unpack(x, [[p], [x.shape[-1] - p]], 'b s *')",
        "return unpack(x, [[p], [-1]], 'b s *')",
        "b, s, n = x.shape\na, c = unpack(x, [[n - q], [q]], 'b s *')\nreturn [a, c]",
    ),
    "prepend_token": (
        "return rearrange(pack([rearrange(x, 'b d -> b 1 d'), y], 'b * d')[0], 'b s d -> b s d')",
        "x = rearrange(x, 'b d -> b 1 d')\nreturn pack([x, y], 'b * d')[0]",
    ),
    "flatten_features": ("x = rearrange(x, 'b c h -> b (c h)')\nz, _ = pack([x, y], 'b *')\nreturn z",),
    "gqa_repeat": ("b, h, s, d = x.shape\nreturn repeat(x, 'b h s d -> b (h g) s d', g=g, h=h)",),
    "broadcast_batch": ("s, d = x.shape\nreturn repeat(x, 's d -> b s d', b=b, s=s, d=d)",),
    "upsample": ("y = repeat(x, 'b c h w -> b c (h p) w', p=p)\nreturn repeat(y, 'b c h w -> b c h (w q)', q=q)",),
    "linear": (
        "return einsum(x, w, 'b s d, e d -> b s e')",
        "y = rearrange(w, 'e d -> d e')\nreturn einsum(x, y, 'b s d, d e -> b s e')",
    ),
    "attention": (
        "d = q.shape[-1]\na = softmax(einsum(q, k, 'b h i d, b h j d -> b h i j') * d ** -0.5)\nreturn einsum(a, v, 'b h i j, b h j e -> b h i e')",
        "b, h, i, d = q.shape\nq = q / d ** 0.5\na = einsum(q, k, 'b h i d, b h j d -> b h i j').softmax(dim=-1)\nreturn einsum(a, v, 'b h i j, b h j e -> b h i e')",
        "s = 1 / q.size(-1) ** 0.5\na = softmax(s * einsum(q, k, 'b h i d, b h j d -> b h i j'), dim=-1)\nreturn einsum(a, v, 'b h i j, b h j e -> b h i e')",
        "s = q.shape[-1] ** 0.25\na = softmax(einsum(q / s, k / s, 'b h i d, b h j d -> b h i j'), dim=-1)\nreturn einsum(a, v, 'b h i j, b h j e -> b h i e')",
        "d = q.shape[-1]\na = softmax(einsum(q, k, 'b h i d, b h j d -> b h i j') * d ** (-1 / 2))\nreturn einsum(a, v, 'b h i j, b h j e -> b h i e')",
        "d = q.shape[-1]\na = softmax(einsum(q, k, 'b h i d, b h j d -> b h i j') / math.sqrt(d))\nreturn einsum(a, v, 'b h i j, b h j e -> b h i e')",
        "a = softmax(einsum(q, k, 'b h i d, b h j d -> b h i j') / (q.shape[-1] ** 0.5), -1)\ny = einsum(a, v, 'b h i j, b h j e -> b h i e')\nreturn y",
        "a = softmax(einsum(q, k, 'b h i d, b h j d -> b h j i') / q.shape[-1] ** 0.5, dim=-2)\nreturn einsum(a, v, 'b h j i, b h j e -> b h i e')",
        "n = q.shape[0]\nq, k, v = rearrange(q, 'b h i d -> (b h) i d'), rearrange(k, 'b h j d -> (b h) j d'), rearrange(v, 'b h j e -> (b h) j e')\na = softmax(einsum(q, k, 'n i d, n j d -> n i j') / q.shape[-1] ** 0.5)\nreturn rearrange(einsum(a, v, 'n i j, n j e -> n i e'), '(b h) i e -> b h i e', b=n)",
    ),
    "masked_attention": (
        "d = k.shape[3]\na = einsum(q, k, 'b h i d, b h j d -> b h i j') * d ** -0.5\na = a + rearrange(m, 'i j -> 1 1 i j')\nreturn einsum(softmax(a), v, 'b h i j, b h j e -> b h i e')",
        "b, h, i, d = q.shape\na = einsum(q, k, 'b h i d, b h j d -> b h i j') / d ** 0.5 + repeat(m, 'i j -> b h i j', b=b, h=h)\nreturn einsum(softmax(a), v, 'b h i j, b h j e -> b h i e')",
        "a = rearrange(einsum(q, k, 'b h i d, b h j d -> b h i j'), 'b h i j -> (b h) i j') / q.shape[-1] ** 0.5 + m\na = rearrange(softmax(a), '(b h) i j -> b h i j', b=q.shape[0])\nreturn einsum(a, v, 'b h i j, b h j e -> b h i e')",
    ),
    "multi_head_attention": (
        "qkv = einsum(x, w, 'b s m, n m -> b s n')\nd = qkv.shape[-1] // (3 * h)\nq, k, v = rearrange(qkv, 'b s (t h d) -> t b h s d', t=3, h=h, d=d)\na = softmax(einsum(q, k, 'b h i d, b h j d -> b h i j') / d ** 0.5)\ny = einsum(a, v, 'b h i j, b h j d -> b h i d')\nreturn rearrange(y, 'b h s d -> b s (h d)')",
        "d = w.shape[0] // 3 // h\nw = rearrange(w, '(t h d) m -> t h d m', t=3, h=h)\nq, k, v = einsum(x, w, 'b s m, t h d m -> t b h s d')\na = softmax(einsum(q, k, 'b h i d, b h j d -> b h i j') * d ** -0.5)\nreturn rearrange(einsum(a, v, 'b h i j, b h j d -> b h i d'), 'b h s d -> b s (h d)')",
        "n = w.shape[0] // 3\nwq, wk, wv = unpack(w, [[n], [n], [n]], '* m')\nq = rearrange(einsum(x, wq, 'b s m, n m -> b s n'), 'b s (h d) -> b h s d', h=h)\nk = rearrange(einsum(x, wk, 'b s m, n m -> b s n'), 'b s (h d) -> b h s d', h=h)\nv = rearrange(einsum(x, wv, 'b s m, n m -> b s n'), 'b s (h d) -> b h s d', h=h)\na = softmax(einsum(q, k, 'b h i d, b h j d -> b h i j') / q.shape[-1] ** 0.5)\nreturn rearrange(einsum(a, v, 'b h i j, b h j d -> b h i d'), 'b h s d -> b s (h d)')",
    ),
    "rope_halves": (
        "d = x.shape[-1] // 2\na, b = rearrange(x, 'b s (two d) -> two b s d', d=d)\nreturn rearrange([a * c - b * z, b * c + a * z], 'two b s d -> b s (two d)')",
        "y = rearrange(x, 'b s (two d) -> two b s d', two=2)\na, b = y[0], y[1]\nr = a * c - b * z\ni = b * c + a * z\nreturn rearrange([r, i], 'n b s d -> b s (n d)')",
        "half = x.shape[-1] // 2\na, b = unpack(x, [[half], [half]], 'b s *')\nreturn rearrange([a * c - b * z, b * c + a * z], 'n b s d -> b s (n d)')",
        "a, b = rearrange(x, 'b s (two d) -> two b s d', two=2)\nturned = rearrange([-b, a], 'two b s d -> b s (two d)')\nc = repeat(c, 's d -> s (two d)', two=2)\nz = repeat(z, 's d -> s (two d)', two=2)\nreturn x * c + turned * z",
        "a, b = rearrange(x, 'b s (two d) -> two b s d', two=2)\nreturn pack([a * c - b * z, b * c + a * z], 'b s *')[0]",
    ),
    "rope_pairs": (
        "a, b = rearrange(x, 'b s (d two) -> two b s d', d=x.shape[-1] // 2)\nreturn rearrange([a * c - b * z, b * c + a * z], 'n b s d -> b s (d n)')",
        "y = rearrange(x, 'b s (d two) -> b s d two', two=2)\na, b = unpack(y, [[], []], 'b s d *')\nreturn rearrange([a * c - b * z, b * c + a * z], 'two b s d -> b s (d two)')",
    ),
    "rms_norm": (
        "d = x.shape[-1]\nreturn x / sqrt(reduce(x * x, 'b s d -> b s 1', 'sum') / d) * g",
        "m = reduce(x ** 2, 'b s d -> b s', 'mean')\nreturn x * rearrange(rsqrt(m), 'b s -> b s 1') * g",
        "r = reduce(x ** 2, 'b s d -> b s 1', 'mean') ** 0.5\nreturn g * x / r",
        "return x * reduce(x * x, 'b s d -> b s 1', 'mean') ** -0.5 * g",
        "r = repeat(reduce(x * x, 'b s d -> b s', 'mean'), 'b s -> b s d', d=x.shape[-1])\nreturn x * rsqrt(r) * g",
        "return x * x.shape[-1] ** 0.5 * rsqrt(reduce(x * x, 'b s d -> b s 1', 'sum')) * g",
        "inverse = rsqrt(reduce(x * x, 'b s d -> b s', 'mean'))\nreturn einsum(x, inverse, g, 'b s d, b s, d -> b s d')",
    ),
    "layer_norm": (
        "n = x.shape[-1]\nm = reduce(x, 'b s d -> b s 1', 'sum') / n\nv = reduce((x - m) ** 2, 'b s d -> b s 1', 'sum') / n\nreturn (x - m) / sqrt(v)",
        "y = x - reduce(x, 'b s d -> b s 1', 'mean')\nreturn y / reduce(y * y, 'b s d -> b s 1', 'mean') ** 0.5",
        "m = repeat(reduce(x, 'b s d -> b s', 'mean'), 'b s -> b s d', d=x.shape[2])\ny = x - m\nv = repeat(reduce(y * y, 'b s d -> b s', 'mean'), 'b s -> b s d', d=x.shape[2])\nreturn y / sqrt(v)",
        "m = reduce(x, 'b s d -> b s 1', 'mean')\nv = reduce(x ** 2, 'b s d -> b s 1', 'mean') - m ** 2\nreturn (x - m) * rsqrt(v)",
        "y = x - reduce(x, 'b s d -> b s 1', 'mean')\nv = einsum(y, y, 'b s d, b s d -> b s') / x.shape[-1]\nreturn y / rearrange(v, 'b s -> b s 1').sqrt()",
    ),
    "group_norm": (
        "b, c, s = x.shape\ny = rearrange(x, 'b (g c) s -> b g (c s)', g=g)\nn = y.shape[-1]\ny = y - reduce(y, 'b g n -> b g 1', 'sum') / n\nv = reduce(y ** 2, 'b g n -> b g 1', 'sum') / n\ny = y / sqrt(v + 1e-5)\nreturn rearrange(y, 'b g (c s) -> b (g c) s', c=c // g)",
        "n = x.shape[1] // g * x.shape[2]\ny = rearrange(x, 'b (g c) s -> b g (c s)', g=g)\ny = y - reduce(y, 'b g n -> b g 1', 'sum') / n\ny = y * rsqrt(reduce(y * y, 'b g n -> b g 1', 'sum') / n + 0.00001)\nreturn rearrange(y, 'b g (c s) -> b (g c) s', s=x.shape[2])",
        "y = rearrange(x, 'b (g c) s -> b g c s', g=g)\ny = y - reduce(x, 'b (g c) s -> b g 1 1', 'mean', g=g)\nr = rearrange(rsqrt(reduce(y * y, 'b g c s -> b g', 'mean') + 1e-5), 'b g -> b g 1 1')\nreturn rearrange(y * r, 'b g c s -> b (g c) s')",
    ),
    "token_mixing": (
        "h = einsum(x, w, 'b s d, t s -> b d t').relu()\ny = einsum(h, v, 'b d t, s t -> b s d')\nreturn y + x",
        "xt = rearrange(x, 'b s d -> (b d) s')\ny = einsum(relu(einsum(xt, w, 'n s, t s -> n t')), v, 'n t, s t -> n s')\nreturn x + rearrange(y, '(b d) s -> b s d', b=x.shape[0])",
    ),
    "squeeze_excite": (
        "b, c, h, w2 = x.shape\nm = reduce(x, 'b c h w -> b c', 'sum') / (h * w2)\ns = sigmoid(einsum(m, w, 'b c, k c -> b k'))\nreturn x * rearrange(s, 'b c -> b c 1 1')",
        "s = sigmoid(einsum(reduce(x, 'b c h w -> b c', 'mean'), w, 'b c, k c -> b k'))\ny = einsum(rearrange(x, 'b c h w -> b c (h w)'), s, 'b c n, b c -> b c n')\nreturn rearrange(y, 'b c (h w) -> b c h w', h=x.shape[2])",
    ),
    "moe_combine": (
        "s, e, c = x.shape\na = rearrange(x, 's e c -> s (e c)')\nb = rearrange(y, 'e c d -> (e c) d', e=e)\nreturn einsum(a, b, 's n, n d -> s d')",
        "per_expert = einsum(x, y, 's e c, e c d -> s e d')\nreturn reduce(per_expert, 's e d -> s d', 'sum')",
    ),
    "qkv_split": (
        "n = x.shape[-1] // (k * h)\nreturn rearrange(x, 'b s (k h d) -> k b h s d', k=k, d=n)",
        "return rearrange(x, 'b s (k h d) -> k b h s d', k=k, h=h, d=x.shape[2] // k // h)",
    ),
    "patchify": (
        "x = rearrange(x, 'b c (h p) W -> b h p W c', p=p)\nreturn rearrange(x, 'b h p (w q) c -> b (h w) (p q c)', q=q)",
        "tokens = rearrange(x, 'b c (h p) (w q) -> (b h w) (p q c)', p=p, q=q)\nreturn rearrange(tokens, '(b n) z -> b n z', b=x.shape[0])",
    ),
    "unpatchify": (
        "c = x.shape[-1] // p // q\nreturn rearrange(x, 'b (h w) (p q c) -> b c (h p) (w q)', h=h, p=p, c=c)",
    ),
    "depth_to_space": (
        "x = rearrange(x, 'b (k q) h w -> b k h (w q)', q=q)\nreturn rearrange(x, 'b (c p) h w -> b c (h p) w', p=p)",
    ),
    "merge_windows": (
        "n = h * w\nx = rearrange(x, '(b n) p q c -> b n p q c', n=n)\nreturn rearrange(x, 'b (h w) p q c -> b (h p) (w q) c', h=h)",
    ),
    "drop_axis": (
        "return rearrange(x, 'b one d -> (b one) d')",
        "return rearrange(x, 'b () ... -> b ...')",
    ),
    "add_axis": ("return rearrange(x, 'b (h s) t -> b h s t', h=1)",),
    "column_vectors": ("return rearrange(x, '... -> ... ()')",),
    "flatten_all": ("return rearrange(x, '... -> (...)')",),
    "sum_heads": ("return rearrange(reduce(x, 'b h s d -> b 1 s d', 'sum'), 'b 1 s d -> b s d')",),
    "batch_dot": (
        "p = einsum(x, y, 'b d, b d -> b d')\nreturn reduce(p, 'b d -> b', 'sum')",
        "z = einsum(rearrange(x, 'b d -> b 1 d'), rearrange(y, 'b d -> b d 1'), 'b i d, b d j -> b i j')\nreturn rearrange(z, 'b 1 1 -> b')",
    ),
    "weighted_sum": (
        "return reduce(einsum(x, y, 'b s, b s d -> b s d'), 'b s d -> b d', 'sum')",
        "return einsum(rearrange(x, 'b s -> b s 1'), y, 'b s one, b s d -> b d')",
    ),
    "trace": (
        "diagonal = einsum(x, 'b i i -> b i')\nreturn reduce(diagonal, 'b i -> b', 'sum')",
        "return einsum(einsum(x, 'b i i -> b i'), 'b i -> b')",
    ),
    "moe_dispatch": (
        "z = einsum(rearrange(x, 's e c -> (e c) s'), y, 'n s, s d -> n d')\nreturn rearrange(z, '(e c) d -> e c d', e=x.shape[1])",
    ),
    "bilinear": ("xy = einsum(x, y, 'b i, b j -> b i j')\nreturn einsum(xy, w, 'b i j, o i j -> b o')",),
    "one_by_one": (
        "y = einsum(w, rearrange(x, 'b c h w -> b c (h w)'), 'o c, b c n -> b o n')\nreturn rearrange(y, 'b o (h w) -> b o h w', h=x.shape[2])",
    ),
    "skip_connection": (
        "x = rearrange(x, 'b c h w -> b h w c')\ny = rearrange(y, 'b k h w -> b h w k')\nreturn rearrange(pack([x, y], 'b h w *')[0], 'b h w c -> b c h w')",
    ),
    "head_mask": ("x = rearrange(x, 'b k -> b () () k')\nreturn repeat(x, 'b () () k -> b h q k', h=h, q=q)",),
}
