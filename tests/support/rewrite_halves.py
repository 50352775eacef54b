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
return z[0]
-- values
y = rearrange(x, 'b s w -> w b s')
c = x.shape[0] * y ** 0
z = pack([y, c], '* b s')[0]
u = repeat(z, '(n h d) b s -> b h s d n', h=h, n=2)
return u[0]
-- values
y = rearrange(x, 'b s w -> w b s')
z = repeat(y + y, '(h d) b s -> b h s d', h=h)
return z / 2
-- need
y = rearrange(x, 'b s w -> b w s')
a, b = unpack(y, [[1], [x.shape[2] - 1]], 'b * s')
z = pack([a, b], 'b * s')[0]
return repeat(z, 'b (h d) s -> b h s d', h=h)
-- need
y = rearrange(x, 'b s w -> b w s')
a, b = unpack(y, [[1], [x.shape[2] - 1]], 'b * s')
a = repeat(a, 'b w s -> b s w')
b = repeat(b, 'b w s -> b s w')
return rearrange(pack([a, b], 'b s *')[0], 'b s (h d) -> b h s d', h=h)
-- need
y = rearrange(x, 'b s w -> w b s')
z = reduce([y, -1 * y], 'n (h d) b s -> b h s d', 'max', h=h)
w = reduce([y, -1 * y], 'n (h d) b s -> b h s d', 'min', h=h)
return z + w + repeat(y, '(h d) b s -> b h s d', h=h)
-- values
y = rearrange(x, 'b s w -> w b s')
z = reduce([y, 2 * y, y ** 0], 'n (h d) b s -> b h s d', 'sum', h=h)
return (z - 1) / 3
-- values
y = rearrange([x, 2 * x], 'n b s w -> n w b s')
z = reduce(y, 'n (h d) b s -> b h s d', 'sum', h=h)
return z / 3
-- need
y = rearrange([x, x], 'n b s w -> n w b s')
return reduce(y, 'n (h d) b s -> b h s d', 'max', h=h)
-- need
y = rearrange([x, x ** 0], 'n b s w -> n w b s')
z = repeat(y, 'n (h d) b s -> n b h s d', h=h)
return z[0]
-- need
y = rearrange([x, x ** 0], 'n b s w -> w b s n')
z = repeat(y, '(h d) b s n -> n b h s d', h=h)
return z[0]
-- need
y = rearrange([x, x], 'n b s w -> w b s n')
z = repeat(y, '(h d) b s n -> n b h s d', h=h)
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
-- need
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
return reduce(x * y, 'b d -> b', 'sum') + reduce(v - w, 'b c d e -> b', 'mean') - reduce(x, 'b d -> b', 'mean')
-- need
s = reduce(x * y, 'b d -> b', 'sum')
t = einsum(x, y, 'b d, b d -> b')
return reduce([s, t], 'n b -> b', 'max')
-- need
s = reduce(x * y, 'b d -> b', 'sum')
t = einsum(x, y, 'b d, b d -> b')
return (3 * s - t) / 2
-- need
s = reduce(x * y, 'b d -> b', 'sum')
t = einsum(x, y, 'b d, b d -> b')
return s * (t / s)
-- need
s = reduce(x * y, 'b d -> b', 'sum')
t = einsum(x, y, 'b d, b e -> b d e')
u = rearrange(x, 'b d -> b d 1') * rearrange(y, 'b e -> b 1 e')
return s + reduce((t - u) * t, 'b d e -> b', 'sum')
-- values
s = reduce(x * y, 'b d -> b', 'sum')
t = rearrange(einsum(x, y, 'b d, b e -> b d e'), 'b d e -> (e b) d')
u = rearrange(rearrange(x, 'b d -> b d 1') * rearrange(y + 2, 'b e -> b 1 e'), 'b d e -> (b d) e')
t = rearrange(t, '(e b) d -> b e d', b=x.shape[0])
u = rearrange(u, '(b d) e -> b e d', b=x.shape[0])
return s + reduce(t - u, 'b e d -> b', 'sum') + 2 * x.shape[1] * reduce(x, 'b d -> b', 'sum')""",
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
return einsum(rearrange(y, 'b c h w -> b c h w 1'), rearrange(z, 'b c h (w q) -> b c h w q', q=q), 'b c h w n, b c h w q -> b c h w q')
-- need
y = repeat(x, 'b c h w -> b c (h p) w', p=p)
a = pack([y] * q, 'b c h *')[0]
return rearrange(a, 'b c h (q w) -> b c h (w q)', q=q)
-- need
y = repeat(x, 'b c h w -> b c h w p', p=p)
z = rearrange(y, 'b c h w p -> b c (h p) w 1') + reduce(repeat(x, 'b c h w -> b c h w q p', q=q, p=p) * 0, 'b c h w q p -> 1 1 1 1 q', 'sum')
return rearrange(z, 'b c h w q -> b c h (w q)')""",
    "global_pool": r"""-- need
y = reduce(x, 'b c h w -> b c h', 'mean')
return einsum(y, 'b c h -> b c') / x.shape[2]
-- need
y = reduce(x, 'b c h w -> b c h', 'mean')
return einsum(y, y ** 0 / x.shape[2], 'b c h, b c h -> b c')
-- need
y = reduce(x, 'b c h w -> b c h', 'mean')
a = pack([y, y], 'b c *')[0]
return reduce(a, 'b c n -> b c', 'mean')
-- need
y = reduce(x, 'b c h w -> b c h', 'mean')
o = y ** 0
return einsum(y, o, 'b c h, b e h -> b c') / x.shape[1] / x.shape[2]
-- passes
return reduce(x, 'b c h w -> b c', 'sum') / (x.shape[2] * x.shape[3])""",
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
return einsum(repeat(y, 'b s h d -> b s (h d) n', n=2), 'b s w n -> b s w') / 2
-- need
y = rearrange(x, 'b h s d -> b s h d')
z = einsum(y, y ** 0, 'b s h d, b s h d -> b s h d')
return pack([z], 'b s *')[0]
-- values
y = rearrange(x, 'b h s d -> b s h d')
a = pack([y, 2 * y], 'b s *')[0]
return reduce(a, 'b s (n w) -> b s w', 'max', n=2) / 2
-- values
y = rearrange(x, 'b h s d -> b s h d')
a = pack([2 * y, 3 * y], 'b s *')[0]
return reduce(a, 'b s (n w) -> b s w', 'sum', n=2) / 5
-- values
return einsum(rearrange(x, 'b h s d -> b s h d'), 'b s h d -> b s h d') * 1
-- need
y = rearrange(x, 'b h s d -> (b s) h d')
z = unpack(y, [[x.shape[0], x.shape[2]]], '* h d')[0]
return rearrange(z, 'b s h d -> b s (h d)')""",
    "trace": r"""-- need
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
    "outer_products": r"""-- need
a = rearrange(x, 'b i -> b i 1') * rearrange(y, 'b j -> b 1 j')
return einsum(a, x ** 0, 'b i j, b i -> b i j')
-- need
a = rearrange(x, 'b i -> b i 1') * rearrange(y, 'b j -> b 1 j')
u = einsum(x, y, 'b i, b j -> b i')
w = rearrange(x, 'b i -> b i 1') * rearrange(reduce(y, 'b j -> b', 'sum'), 'b -> b 1 1')
return a + rearrange(u, 'b i -> b i 1') - w
-- need
a = rearrange(x, 'b i -> b i 1') * rearrange(y, 'b j -> b 1 j')
u = rearrange(einsum(x, y, 'b i, b j -> b i j'), 'b i j -> b (j i)')
v = rearrange(a, 'b i j -> b (j i)')
return a + rearrange(u - v, 'b (j i) -> b i j', i=x.shape[1])""",
    "moe_combine": r"""-- need
n = x.shape[1] * x.shape[2]
u = rearrange(x, 's e c -> s (e c)')
w = rearrange(y, 'e c d -> (e c) d')
r = reduce(rearrange(u, 's n -> s n 1') * rearrange(w, 'n d -> 1 n d'), 's n d -> s d', 'sum')
e = einsum(u, w, 's n, n d -> d s')
return r + rearrange(e, 'd s -> s d') - r
-- need
u = rearrange(x, 's e c -> s (e c)')
w = rearrange(y, 'e c d -> (e c) d')
p = rearrange(u, 's n -> s n 1') * rearrange(w, 'n d -> 1 n d')
return reduce(p, 's n d -> s d', 'sum') + 0 * einsum(u, w, 's n, n d -> s d')
-- need
u = rearrange(x, 's e c -> s (e c)')
w = rearrange(y, 'e c d -> (c e) d')
z = rearrange(y, 'e c d -> (e c) d')
t1 = einsum(u, z, 's n, n d -> s n d')
t2 = einsum(u, z + 1, 's n, n d -> s n d')
p = rearrange(u, 's n -> s n 1') * rearrange(z, 'n d -> 1 n d')
q = reduce(rearrange(t2 - t1, 's n d -> s n d'), 's n d -> s d', 'sum') - rearrange(reduce(u, 's n -> s', 'sum'), 's -> s 1')
return reduce(p, 's n d -> s d', 'sum') + q""",
    "weighted_sum": r"""-- need
p = rearrange(x, 'b s -> b s 1') * y
r = reduce(p, 'b s d -> b d', 'sum')
z1 = einsum(x, y, 'b s, b s d -> b s')
z2 = einsum(x, y, 'b s, b s d -> s b')
return r + rearrange(reduce(z1, 'b s -> b', 'sum') - reduce(z2, 's b -> b', 'sum'), 'b -> b 1')""",
    "head_mask": r"""-- need
y = repeat(x, 'b k -> b h k', h=h)
return rearrange([y] * q, 'q b h k -> b h q k')
-- need
y = repeat(x, 'b k -> b h 1 k', h=h)
return y + 0 * rearrange([x] * q, 'q b k -> b 1 q k')""",
    "squeeze_excite": r"""-- need
m = reduce(x, 'b c h w -> b c', 'mean')
z = reduce(rearrange(m, 'b c -> b 1 c') * rearrange(w, 'k c -> 1 k c'), 'b k c -> b k', 'sum')
s = sigmoid((z + einsum(m, w, 'b c, k c -> b k')) / 2)
return x * rearrange(s, 'b c -> b c 1 1')""",
    "multi_head_attention": r"""-- need
qkv = reduce(rearrange(x, 'b s m -> b s 1 m') * rearrange(w, 'n m -> 1 1 n m'), 'b s n m -> b s n', 'sum')
q, k, v = rearrange(qkv, 'b s (three h d) -> three b h s d', three=3, h=h)
a = softmax(reduce(rearrange(q, 'b h i d -> b h i 1 d') * rearrange(k, 'b h j d -> b h 1 j d'), 'b h i j d -> b h i j', 'sum') / q.shape[-1] ** 0.5)
y = einsum(a, v, 'b h i j, b h j d -> b h i d')
return rearrange(y, 'b h s d -> b s (h d)')
-- passes
qkv = einsum(x, w, 'b s m, n m -> b s n')
q, k, v = unpack(qkv, [[h, qkv.shape[2] // h // 3]] * 3, 'b s *')
a = softmax(einsum(q, k, 'b i h d, b j h d -> b h i j') / q.shape[-1] ** 0.5)
y = einsum(a, v, 'b h i j, b j h d -> b i h d')
return rearrange(y, 'b s h d -> b s (h d)')
-- need
qkv = einsum(x, w, 'b s m, n m -> b s n')
q, k, v = unpack(qkv, [[h, qkv.shape[2] // h // 3]] * 3, 'b s *')
a = softmax(einsum(q, k, 'b i h d, b j h d -> b h i j') / q.shape[-1] ** 0.5)
y = einsum(a, rearrange(v, 'b j h d -> b h j d'), 'b h i j, b h j d -> b i h d')
return pack([y], 'b s *')[0]""",
    "transpose_keys": r"""-- need
y = rearrange([x, x], 'n b h s d -> b n h s d')
z = einsum(y, 'b n h s d -> n b h d s')
return z[0]
-- need
y = rearrange([x, 0 * x], 'n b h s d -> b n h s d')
return einsum(y, 'b n h s d -> b h d s')
-- need
y = rearrange([x, 0 * x + 1], 'n b h s d -> b n h s d')
return einsum(y, 'b n h s d -> b h d s') - 1
-- values
y = rearrange([x, 2 * x], 'n b h s d -> b n h s d')
return einsum(y, 'b n h s d -> b h d s') / 3""",
    "mean_loss": r"""-- need
a = reduce(x, 'b s -> b', 'mean')
p = pack([a], '*')[0]
return einsum(p, 'b -> ') / x.shape[0]
-- need
a, b = unpack(x, [[1], [x.shape[1] - 1]], 'b *')
return (reduce(a, 'b s -> ', 'sum') + reduce(b, 'b s -> ', 'sum')) / x.shape[0] / x.shape[1]""",
    "tile_sequence": r"""-- need
y = repeat(x, 'b s d -> b r s d', r=r)
z = einsum(y, 'b r s d -> r b s d')
return rearrange(z, 'r b s d -> b (r s) d')
-- need
y = repeat(x, 'b s d -> n b s d', n=2)
return rearrange([y[0]] + [y[1]] * (r - 1), 'r b s d -> b (r s) d')
-- need
y = repeat(x, 'b s d -> b (n s) d', n=2)
return unpack(pack([y] * r, 'b * d')[0], [[r * x.shape[1]], [r * x.shape[1]]], 'b * d')[0]""",
    "prepend_token": r"""-- values
z = pack([x, x], '* d')[0]
return pack([z, y], '* d')[0]""",
    "attention_scores": r"""-- need
k1 = rearrange(y, 'b h k d -> b h 1 k d')
q1 = rearrange(x, 'b h q d -> b h q 1 d')
a, b = unpack(x, [[1], [x.shape[3] - 1]], 'b h q *')
c, e = unpack(y, [[1], [x.shape[3] - 1]], 'b h k *')
u = einsum(a, c, 'b h q d, b h k d -> b h q k')
p = rearrange(b, 'b h q d -> b h q 1 d') * rearrange(e, 'b h k d -> b h 1 k d')
return u + reduce(p, 'b h q k d -> b h q k', 'sum')
-- need
w = rearrange(x, 'b h q d -> b h q 1 d') * rearrange(y, 'b h k d -> b h 1 k d')
return einsum(w, 'b h q k d -> b h q k')""",
}


def halves(name: str, signature: str) -> list[tuple[str, str]]:
    """The attempts at one exercise: why each is refused, and its source."""
    found = []
    for block in HALVES[name].removeprefix("-- ").split("\n-- "):
        why, _, lines = block.partition("\n")
        found.append((why, f"def {signature}:\n" + "".join(f"    {line}\n" for line in lines.split("\n"))))
    return found
