"""Attempts to pass a rewrite by half: right for the sizes that are drawn, or with the call for a part of its work.

For each exercise: why the attempt is refused, or `passes`, and the lines of `f`: those that pass deserve it.
"""
# ruff: noqa: E501 - a cheat reads best in one piece

HALVES = {
    "split_heads": r"""-- need
d = x.shape[2] // h
return rearrange(x, 'b s (h d) -> b h s d', d=d, h=h + 0 ** ((h - 101) ** 2))
-- need
n = (h - 2) * (h - 3) * (h - 5) * (h - 7) * (h - 11) * (h - 13) * (h - 17)
return rearrange(x, 'b s (h d) -> b h s d', h=h + n)
-- need
return rearrange(x, 'b s (h d) -> b h s d', h=h + h // 4096 // 4096)
-- need
return rearrange(x, 'b s (h d) -> b h s d', h=h + 1 // (1 + (h - 97) ** 2))
-- need
y = pack([rearrange(x, 'b s w -> s b w'), rearrange(x, 'b s w -> s b w')], '* b w')[0]
z = unpack(y, [[x.shape[1]], [x.shape[1]]], '* b w')[0]
return einsum(unpack(z, [[h, x.shape[2] // h]], 's b *')[0], 's b h d -> b h s d')
-- need
y = rearrange(x, 'b s w -> w b s')
z = pack([y, y + 1], '* b s')[0]
u = unpack(z, [[h, x.shape[2] // h], [x.shape[2]]], '* b s')[0]
return einsum(u, 'h d b s -> b h s d')
-- need
y = rearrange(x, 'b s w -> w b s')
z = pack([y + 1, y], '* b s')[0]
u = unpack(z, [[h, x.shape[2] // h], [x.shape[2]]], '* b s')[0]
return einsum(u - 1, 'h d b s -> b h s d')
-- need
y = rearrange(x, 'b s w -> w b s')
u = repeat(y, '(h d) b s -> h d b s n', h=h, n=2)
return reduce(u, 'h d b s n -> b h s d', 'max')
-- need
y = rearrange(x, 'b s w -> w b s')
return reduce([y, y], 'n (h d) b s -> b h s d', 'max', h=h)
-- need
y = rearrange(x, 'b s w -> w b s')
return reduce([y, y - 1], 'n (h d) b s -> b h s d', 'max', h=h)
-- need
y = rearrange(x, 'b s w -> w b s')
return einsum(unpack(y, [[h, x.shape[2] // h]], '* b s')[0], 'h d b s -> b h s d')
-- need
y = rearrange(x, 'b s w -> w b s')
z = reduce([y, x.shape[0] + 0 * y], 'n (h d) b s -> n b h s d', 'max', h=h)
return z[0]""",
    "mean_pool": r"""-- need
return reduce(x, 'b s d -> b d', 'sum') / (x.shape[1] + (x.shape[1] / 50) ** 40)
-- need
return reduce(x, 'b s d -> b d', 'sum') / (x.shape[1] + ((x.shape[1] + 2.0 ** 59) - 2.0 ** 59))
-- need
c = reduce([x ** 0 * x.shape[1], x ** 0 * 40], 'n b s d -> b d', 'max') / 40
return reduce(x, 'b s d -> b d', 'mean') * c
-- need
c = x ** 0
c = c + c
c = c + c
c = c + c
c = c + c
c = c + c
m = reduce([c, x ** 0 * x.shape[1]], 'n b s d -> b d', 'max') / reduce(c, 'b s d -> b d', 'max')
return reduce(x, 'b s d -> b d', 'mean') * m
-- need
a, b = unpack(x, [[1], [x.shape[1] - 1]], 'b * d')
u = reduce(a, 'b s d -> b d', 'sum')
v = einsum(b, 'b s d -> b d')
return (u + v) / x.shape[1]
-- need
a, b = unpack(x, [[1], [x.shape[2] - 1]], 'b s *')
u = reduce(a, 'b s d -> b d', 'mean')
v = einsum(b, 'b s d -> b d') / x.shape[1]
return pack([u, v], 'b *')[0]
-- need
a, b = unpack(x, [[1], [x.shape[2] - 1]], 'b s *')
u = reduce(a, 'b s d -> b d', 'mean')
w = reduce(x, 'b s d -> b s', 'mean')
v = einsum(b, 'b s d -> b d') / x.shape[1]
return pack([u, v], 'b *')[0] + 0 * einsum(w, 'b s -> ')
-- need
y = reduce(x, 'b s d -> b d', 'sum')
z = einsum(x, 'b s d -> d b')
u = einsum(x, 'b s d -> b d') / x.shape[1]
return u + rearrange(rearrange(y, 'b d -> (b d)') - rearrange(z, 'd b -> (b d)'), '(b d) -> b d', b=x.shape[0])
-- need
y = reduce(x, 'b s d -> b d', 'sum')
y2 = reduce(x * 3 + 1, 'b s d -> b d', 'sum')
u = einsum(x, 'b s d -> b d') / x.shape[1]
t = y2 - 3 * y - x.shape[1]
return u + t""",
    "batch_dot": r"""-- need
w = einsum(x, x, 'b d, b d -> b')
v = reduce(x * x, 'b d -> b', 'sum')
return reduce(x * y, 'b d -> b', 'sum') + w - v
-- passes
w = einsum(x, x + y, 'b d, b d -> b')
v = reduce(x * x, 'b d -> b', 'sum')
return w - v
-- need
w = einsum(x, x, 'b d, c d -> b c')
v = reduce(rearrange(x, 'b d -> b 1 d') * rearrange(x, 'b d -> 1 b d'), 'b c d -> b c', 'sum')
return reduce(x * y, 'b d -> b', 'sum') + reduce(w - v, 'b c -> b', 'sum')
-- need
w = einsum(x, y, 'b d, c e -> b c d e')
v = rearrange(x, 'b d -> b 1 d 1') * rearrange(y, 'c e -> 1 c 1 e')
return reduce(x * y, 'b d -> b', 'sum') + reduce(w - v, 'b c d e -> b', 'max')
-- need
w = einsum(x, y, 'b d, c e -> b c d e')
v = einsum(x, y + 1, 'b d, c e -> b c d e')
return reduce(x * y, 'b d -> b', 'sum') + reduce(v - w, 'b c d e -> b', 'mean') - reduce(x, 'b d -> b', 'mean')""",
    "gqa_repeat": r"""-- need
y = repeat(x, 'b h s d -> b h s d n', n=g)
z = rearrange([x] * g, 'g b h s d -> b (h g) s d')
return z + 0 * rearrange(y, 'b h s d n -> b (h n) s d')
-- need
y = repeat(x, 'b h s d -> b h g s d', g=g)
z = rearrange([x] * g, 'g b h s d -> b h g s d')
return rearrange(z * 2 - y, 'b h g s d -> b (h g) s d')
-- need
y = repeat(x, 'b h s d -> b (h g) s d', g=g)
z = rearrange([x] * g, 'g b h s d -> b (h g) s d')
return reduce([y, z], 'n b h s d -> b h s d', 'max')
-- need
y = repeat(x, 'b h s d -> b h g s d', g=2)
a, b = rearrange(y, 'b h g s d -> g b h s d')
return rearrange([a] + [b] * (g - 1), 'g b h s d -> b (h g) s d')
-- need
y = repeat(x, 'b h s d -> b h (g s d)', g=2)
a, b = unpack(y, [[x.shape[2], x.shape[3]], [x.shape[2], x.shape[3]]], 'b h *')
return rearrange([a] + [b] * (g - 1), 'g b h s d -> b (h g) s d')
-- need
y = repeat(x, 'b h s d -> b h (g s d)', g=2)
a, b = unpack(y, [[x.shape[2], x.shape[3]], [x.shape[2], x.shape[3]]], 'b h *')
return rearrange([a + b] * g, 'g b h s d -> b (h g) s d') / 2""",
    "upsample": r"""-- need
y = repeat(x, 'b c h w -> b c (h p) w', p=p)
return rearrange([y] * q, 'q b c h w -> b c h (w q)')
-- values
y = repeat(x, 'b c h w -> b c (h p) w', p=p)
z = repeat(x, 'b c h w -> b c (h p) (w q)', p=p, q=q) ** 0
return einsum(rearrange(y, 'b c h w -> b c h w 1'), rearrange(z, 'b c h (w q) -> b c h w q', q=q), 'b c h w n, b c h w q -> b c h w q')""",
    "global_pool": r"""-- need
y = reduce(x, 'b c h w -> b c h', 'mean')
return einsum(y, 'b c h -> b c') / x.shape[2]
-- need
y = reduce(x, 'b c h w -> b c h', 'mean')
return einsum(y, y ** 0 / x.shape[2], 'b c h, b c h -> b c')""",
    "attention": r"""-- need
k1 = rearrange(k, 'b h j d -> b h 1 j d')
n = rearrange(reduce(k, 'b h j d -> b h d', 'sum'), 'b h d -> b h 1 d')
z1 = einsum(q, k, 'b h i d, b h j d -> b h i d')
z2 = einsum(rearrange(q + 1, 'b h i d -> (h i) b d'), repeat(k, 'b h j d -> (h i) b j d', i=q.shape[2]), 'n b d, n b j d -> b n d')
w = reduce(k1 * rearrange(q - n, 'b h i d -> b h i 1 d'), 'b h i j d -> b h i j', 'sum')
t1 = reduce(k1 * rearrange(z1, 'b h i d -> b h i 1 d'), 'b h i j d -> b h i j', 'sum')
t2 = reduce(k1 * rearrange(z2, 'b (h i) d -> b h i 1 d', i=q.shape[2]), 'b h i j d -> b h i j', 'sum')
s = softmax((w + t2 - t1) / q.shape[-1] ** 0.5)
return reduce(rearrange(s, 'b h i j -> b h i j 1') * rearrange(v, 'b h j e -> b h 1 j e'), 'b h i j e -> b h i e', 'sum')
-- need
k1 = rearrange(k, 'b h j d -> b h 1 j d')
n = rearrange(reduce(k, 'b h j d -> b h d', 'sum'), 'b h d -> b h 1 d')
z1 = einsum(q, k, 'b h i d, b h j d -> b h i d')
z2 = rearrange(einsum(q + 1, k, 'b h i d, b h j d -> b h i d'), 'b h i d -> (i b d h)')
t2 = rearrange(z2, '(i b d h) -> b h i d', b=q.shape[0], h=q.shape[1], d=q.shape[3])
w = reduce(k1 * rearrange(q - n, 'b h i d -> b h i 1 d'), 'b h i j d -> b h i j', 'sum')
t1 = reduce(k1 * rearrange(z1, 'b h i d -> b h i 1 d'), 'b h i j d -> b h i j', 'sum')
t2 = reduce(k1 * rearrange(t2, 'b h i d -> b h i 1 d'), 'b h i j d -> b h i j', 'sum')
s = softmax((w + t2 - t1) / q.shape[-1] ** 0.5)
return reduce(rearrange(s, 'b h i j -> b h i j 1') * rearrange(v, 'b h j e -> b h 1 j e'), 'b h i j e -> b h i e', 'sum')
-- need
k1 = rearrange(k, 'b h j d -> b h 1 j d')
a = reduce(k1 * rearrange(q, 'b h i d -> b h i 1 d'), 'b h i j d -> b h i j', 'sum')
u = einsum(q, k, 'b h i d, b h j d -> b h i j')
s = softmax((a + u) / 2 / q.shape[-1] ** 0.5)
return reduce(rearrange(s, 'b h i j -> b h i j 1') * rearrange(v, 'b h j e -> b h 1 j e'), 'b h i j e -> b h i e', 'sum')""",
    "merge_heads": r"""-- need
y = rearrange(x, 'b h s d -> s b h d')
z = pack([y, y], 's b *')[0]
return rearrange(unpack(z, [[x.shape[1] * x.shape[3]], [x.shape[1] * x.shape[3]]], 's b *')[0], 's b w -> b s w')
-- need
y = rearrange(x, 'b h s d -> b s h d')
return reduce(repeat(y, 'b s h d -> b s (h d) n', n=2), 'b s w n -> b s w', 'min')
-- values
y = rearrange(x, 'b h s d -> b s h d')
return einsum(repeat(y, 'b s h d -> b s (h d) n', n=2), 'b s w n -> b s w') / 2""",
    "trace": r"""-- passes
n = x.shape[1]
w = einsum(x, 'b i j -> b')
return w * 0 + reduce(einsum(x, 'b i i -> b i'), 'b i -> b', 'sum')""",
    "rms_norm": r"""-- need
m = reduce(x * x, 'b s d -> b s 1', 'mean')
n = rearrange(einsum(x, x, 'b s d, b s d -> b s') / x.shape[2], 'b s -> b s 1')
return x * rsqrt((m + n) / 2) * g
-- need
m = reduce(x * x, 'b s d -> b s 1', 'mean')
n = rearrange(einsum(x, x, 'b s d, b s d -> b s') / x.shape[2], 'b s -> b s 1')
return x * rsqrt(reduce([m, n], 'k b s d -> b s d', 'max')) * g
-- need
n = rearrange(einsum(x, x, 'b s d, b s d -> b s') / x.shape[2], 'b s -> b s 1')
m = reduce([n, n + x.shape[0] * 0], 'k b s d -> b s d', 'max')
return x * rsqrt(m) * g
-- need
n = einsum(x, x, 'b s d, b s d -> b s') / x.shape[2]
a, b = unpack(n, [[1], [x.shape[1] - 1]], 'b *')
a = rearrange(reduce(unpack(x, [[1], [x.shape[1] - 1]], 'b * d')[0] ** 2, 'b s d -> b', 'mean'), 'b -> b 1')
m = pack([a, b], 'b *')[0]
return x * rsqrt(rearrange(m, 'b s -> b s 1')) * g
-- need
n = rearrange(einsum(x, x, 'b s d, b s d -> b s') / x.shape[2], 'b s -> b s 1')
m = reduce(rearrange([n, 0 * n - 1], 'k b s n -> (k b) s n'), '(k b) s n -> b s n', 'max', k=2)
return x * rsqrt(m) * g
-- need
n = rearrange(einsum(x, x, 'b s d, b s d -> b s') / x.shape[2], 'b s -> b s 1')
m = reduce([n, n * n - n * n], 'k b s n -> b s n', 'max')
return x * rsqrt(m) * g
-- need
n = rearrange(einsum(x, x, 'b s d, b s d -> b s') / x.shape[2], 'b s -> b s 1')
m = reduce([n, n + n * n], 'k b s n -> b s n', 'min')
return x * rsqrt(m) * g
-- need
n = rearrange(einsum(x, x, 'b s d, b s d -> b s') / x.shape[2], 'b s -> b s 1')
m = reduce([x * x, n - n + x * x], 'k b s d -> b s d', 'min')
return x * rsqrt(rearrange(einsum(m, 'b s d -> b s') / x.shape[2], 'b s -> b s 1')) * g
-- need
y = reduce([x * x, x * x + 1], 'k b s d -> b s d', 'prod')
z = (y + 0.25) ** 0.5 - 0.5
return x * rsqrt(rearrange(einsum(z, 'b s d -> b s') / x.shape[2], 'b s -> b s 1')) * g""",
}


def halves(name: str, signature: str) -> list[tuple[str, str]]:
    """The attempts at one exercise: why each is refused, and its source."""
    found = []
    for block in HALVES[name].removeprefix("-- ").split("\n-- "):
        why, _, lines = block.partition("\n")
        found.append((why, f"def {signature}:\n" + "".join(f"    {line}\n" for line in lines.split("\n"))))
    return found
