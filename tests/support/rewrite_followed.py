"""Attempts that the shapes of what calls give tell apart, by name: lengths under many names, remainders, what is left over.

Copies that are made and taken away, lambdas, factors that float32 does not bear, and right answers beside them. For
each exercise: what refuses the attempt, or `passes`, and the lines of `f`.
"""
# ruff: noqa: E501 - an attempt reads best in one piece

FOLLOWED = {
    "prepend_token": r"""-- need
z = pack([x, y], 'b * d')[0]
e = x.shape[0] * x.shape[1] * z.shape[1]
g = (e - e // 2 * 2) * y.shape[1] // 4
return repeat(z, 'b n d -> (k b) n d', k=1 + g)
-- need
z = pack([x, y], 'b * d')[0]
e = x.shape[0] * x.shape[1] * z.shape[1]
g = (e - e // 2 * 2) * y.shape[1] // 4
return repeat(z, 'b n d -> (b k) n d', k=1 + g)
-- passes
x = rearrange(x, 'b d -> b 1 d')
out, _ = pack([x, y], 'b * d')
return out
-- need
z, ps = pack([x, y], 'b * d')
u = unpack(z, ps, 'b * d')
return z
-- values
z, ps = pack([x, y], 'b * d')
n = z.shape[1] * x.shape[0] * x.shape[1]
y = repeat(z, 'b n d -> b n d k', k=n // 2 * 2 // n)
return rearrange(y, 'b n d k -> b n (d k)')
-- passes
x = rearrange(x, 'b d -> b () d')
return pack([x, y], 'b * d')[0]
-- passes
packed, _ = pack([x, y], 'b * d')
return packed
""",
    "split_pair": r"""-- need
m = rearrange(x, 'b s n -> n b s')
e = x.shape[0] * x.shape[1] * p * m.shape[0]
g = (e - e // 2 * 2) * q // 4
return unpack(rearrange(m, 'n b s -> b s n'), [[p + g], [q - g]], 'b s *')
-- need
r = repeat(x, 'b s n -> b s n k', k=4)
r = rearrange(unpack(r, [[p], [q]], 'b s * k')[0], 'b s p k -> b s (p k)')
a = unpack(r, [[4], [-1]], 'b s *')[1]
u = unpack(r, [[a.shape[2]], [-1], [p]], 'b s *')[1]
v = unpack(r, [[4], [-1], [3 * p]], 'b s *')[1]
return unpack(x, [[p], [q]], 'b s *')
-- need
r = unpack(repeat(x, 'b s n -> b s n k', k=4), [[p], [q]], 'b s * k')[0]
r = rearrange(r, 'b s p k -> b s (p k)')
a = unpack(r, [[4], [-1]], 'b s *')[1]
u = unpack(r, [[a.shape[2]], [-1], [p]], 'b s *')[1]
v = unpack(r, [[4], [-1], [3 * p]], 'b s *')[1]
w = unpack(r, [[u.shape[2]], [-1], [v.shape[2]]], 'b s *')[1]
m = unpack(r, [[w.shape[2]], [-1]], 'b s *')[1].shape[2]
return unpack(x, [[p * (m // m)], [q]], 'b s *')
-- passes
a = unpack(x, [[p], [-1]], 'b s *')
return a
-- need
y = repeat(x, 'b s n -> b s n k', k=2)
z = rearrange(y, 'b s n k -> k b s n')
return unpack(z[0], [[p], [q]], 'b s *')
-- need
r = unpack(repeat(x, 'b s n -> b s n k', k=4), [[p], [q]], 'b s * k')[0]
r = rearrange(r, 'b s p k -> b s (p k)')
o, a = unpack(r, [[4], [-1]], 'b s *')
o, u, o = unpack(r, [[a.shape[2]], [-1], [p]], 'b s *')
o, v, o = unpack(r, [[4], [-1], [3 * p]], 'b s *')
o, w, o = unpack(r, [[u.shape[2]], [-1], [v.shape[2]]], 'b s *')
o, m = unpack(r, [[w.shape[2]], [-1]], 'b s *')
m = m.shape[2]
return unpack(x, [[p * (m // m)], [q]], 'b s *')
-- passes
x1, x2 = unpack(x, [(p,), (q,)], 'b s *')
return [x1, x2]
-- passes
return unpack(x, [[p], [x.shape[-1] - p]], 'b s *')
-- need
y = x[0]
y = repeat(y[0], 'n -> n 1000')
o, m = unpack(y, [[-1], [p]], 'n *')
return unpack(x, [[m.shape[1]], [q]], 'b s *')
-- need
y = x[0]
y = repeat(y[0], 'n -> n 4000 2')
y = rearrange(y, 'n a c -> n (a c)')
o, m = unpack(y, [[-1], [p]], 'n *')
return unpack(x, [[m.shape[1]], [q]], 'b s *')
-- need
k = 4000 - -4000
y = x[0]
y = repeat(y[0], 'n -> n k', k=k)
o, m = unpack(y, [[-1], [p]], 'n *')
return unpack(x, [[m.shape[1]], [q]], 'b s *')
-- passes
a, c = unpack(x, [[p], [q]], 'b s *')
return a, c
-- passes
a, c = unpack(x, [[p], [q]], 'b s *')
return (a, c)
-- passes
y = unpack(x, [[p], [q]], 'b s *')
return [y[0], y[1]]
-- raised
y, z = unpack(x, [p, q], 'b s *')
return [y, z]
-- passes
y = rearrange(x, 'b s n -> n b s')
y, z = unpack(y, [[p], [q]], '* b s')
return [rearrange(y, 'p b s -> b s p'), rearrange(z, 'q b s -> b s q')]
-- need
u, r = unpack(x, [[2], [-1]], '* s n')
return unpack(rearrange(x, 'b s n -> b s n', n=r.shape[2]), [[p], [q]], 'b s *')
-- need
a, c, e = unpack(x, [[2], [1], [-1]], 'b s *')
return unpack(rearrange(x, 'b s n -> b s n', s=e.shape[1]), [[p], [q]], 'b s *')
-- need
a, c, e = unpack(x, [[2], [2], [-1]], 'b s *')
return unpack(rearrange(x, 'b s n -> b s n', s=e.shape[1]), [[p], [q]], 'b s *')
-- passes
y, z = unpack(x, [[p], [q]], 'b s *')
return [y, z]
""",
    "channels_last": r"""-- need
y = repeat(x, 'b c h w -> b h w c k', k=2)
z = rearrange(y, 'b h w c k -> k b h w c')
return z[0]
-- need
y = repeat(x, 'b c h w -> (b k) h w c', k=2)
z = rearrange(y, '(b k) h w c -> k b h w c', k=2)
return z[0]
-- raised
b, c, h, w = x.shape
y = rearrange(x, 'b c h w -> (b c h w)')
y = rearrange(y, '(n k) -> n k', k=2)
y = rearrange(y, 'n k -> (n k)')
return rearrange(y, '(b c h w) -> b h w c', b=b, c=c, h=h)
""",
    "take_image": r"""-- passes
return unpack(x, [[s], [h, -1]], 'b * d')[1]
-- passes
return unpack(x, [[-1], [h, w]], 'b * d')[1]
-- need
r = repeat(x, 'b n d -> b (n k) d', k=12)
m = x.shape[1]
o, a = unpack(r, [[12], [-1]], 'b * d')
o, u, o = unpack(r, [[a.shape[1]], [-1], [m]], 'b * d')
o, v, o = unpack(r, [[12], [-1], [11 * m]], 'b * d')
o, ww, o = unpack(r, [[u.shape[1]], [-1], [v.shape[1]]], 'b * d')
o, m = unpack(r, [[ww.shape[1]], [-1]], 'b * d')
m = m.shape[1]
return unpack(x, [[s * (m // m)], [h, w]], 'b * d')[1]
-- passes
_, y = unpack(x, [[s], [h * w]], 'b * d')
return rearrange(y, 'b (h w) d -> b h w d', h=h)
-- passes
return rearrange(unpack(x, [[s], [x.shape[1] - s]], 'b * d')[1], 'b (h w) d -> b h w d', h=h, w=w)
-- need
y = x[0]
y = repeat(y[0], 'd -> d 1000')
o, m = unpack(y, [[-1], [s]], 'd *')
return unpack(x, [[m.shape[1]], [h, w]], 'b * d')[1]
-- need
y = rearrange(x, 'b n d -> n b d')
e = x.shape[0] * y.shape[0] * x.shape[2] * h * w
g = (e - e // 2 * 2) * s // 4
u = unpack(x, [[s + g], [h, w]], 'b * d')
return u[1]
-- passes
_, y = unpack(x, [(s,), (h, w)], 'b * d')
return y
-- passes
b, n, d = x.shape
_, y = unpack(x, [[s], [n - s]], 'b * d')
return rearrange(y, 'b (h w) d -> b h w d', h=h, w=w)
-- need
p, r = unpack(x, [[2], [-1]], '* n d')
text, image = unpack(x, [[s], [h, w]], 'b * d')
return rearrange(image, 'b h w d -> b h w d', d=r.shape[2])
-- need
text, image = unpack(x, [[s], [h, w]], 'b * d')
p, r = unpack(image, [[2], [-1]], '* h w d')
return pack([p, r], '* h w d')[0]
-- need
n = unpack(x, [[s], [-1]], 'b * d')[1].shape[1]
return unpack(x, [[s], [h, n // h]], 'b * d')[1]
-- passes
text, image = unpack(x, [[s], [-1]], 'b * d')
return rearrange(image, 'b (h w) d -> b h w d', h=h)
-- need
p, r = unpack(x, [[1], [-1]], 'b * d')
text, image = unpack(x, [[s], [h, w]], 'b * d')
return rearrange(image, 'b h w d -> b h w d', d=r.shape[2])
-- need
p, r = unpack(x, [[3], [-1]], 'b * d')
text, image = unpack(x, [[s], [h, w]], 'b * d')
return rearrange(image, 'b h w d -> b h w d', d=r.shape[2])
-- need
p, r = unpack(x, [[2 * h], [-1]], 'b * d')
text, image = unpack(x, [[s], [h, w]], 'b * d')
return rearrange(image, 'b h w d -> b h w d', d=r.shape[2])
""",
    "mean_pool": r"""-- need
y = rearrange(x, 'b s d -> b s d')
z = rearrange(x, 'b s d -> s b d')
u = rearrange(x, 'b s d -> s d b')
k = x.shape[1] * y.shape[1] * y.shape[-2] * z.shape[0] * z.shape[-3] * u.shape[0] * u.shape[-3]
return reduce(x * k, 'b s d -> b d', 'sum') / k / x.shape[1]
-- need
y = repeat(x, 'b s d -> b s d k', k=2)
z = einsum(y, 'b s d k -> b d k') / x.shape[1]
return reduce(z, 'b d k -> b d', 'mean')
-- need
y = einsum(x, 'b s d -> b d') / x.shape[1]
y = repeat(y, 'b d -> b d k', k=2)
return reduce(y, 'b d k -> b d', 'mean')
-- rule
y = einsum(x, x, 'b s d, b s d -> b d')
return y
-- need
b, s, d = x.shape
y = rearrange(x, 'b s d -> b d s')
y = y * 1
return reduce(y, 'b d s -> b d', 'mean')
-- need
y = rearrange(x, 'b s d -> s b d')
z = rearrange(y, 's b d -> b s d')
u = rearrange(y, 's b d -> d s b')
v = rearrange(u, 'd s b -> b d s')
k = x.shape[1] * y.shape[0] * y.shape[-3] * z.shape[1] * z.shape[-2] * u.shape[1] * u.shape[-2] * v.shape[2] * v.shape[-1]
w = rearrange(v, 'b d s -> d b s')
t = rearrange(w, 'd b s -> b s d')
r = rearrange(t, 'b s d -> s d b')
k = k * w.shape[2] * w.shape[-1] * t.shape[1] * t.shape[-2] * r.shape[0] * r.shape[-3]
return reduce(rearrange(r, 's d b -> b s d') * k, 'b s d -> b d', 'sum') / (k * x.shape[1])
-- need
y = rearrange(x, 'b s d -> s b d')
z = rearrange(y, 's b d -> b s d')
u = rearrange(y, 's b d -> d s b')
v = rearrange(u, 'd s b -> b d s')
k = x.shape[1] * y.shape[0] * y.shape[-3] * z.shape[1] * z.shape[-2] * u.shape[1] * u.shape[-2] * v.shape[2] * v.shape[-1]
w = rearrange(v, 'b d s -> d b s')
t = rearrange(w, 'd b s -> b s d')
r = rearrange(t, 'b s d -> s d b')
k = k * w.shape[2] * w.shape[-1] * t.shape[1] * t.shape[-2] * r.shape[0] * r.shape[-3]
return reduce(rearrange(r, 's d b -> b s d') * k, 'b s d -> b d', 'sum') / k / x.shape[1]
-- passes
return reduce(tensor=x, pattern='b s d -> b d', reduction='mean')
-- passes
return reduce(x / x.shape[1], 'b s d -> b d', 'sum')
-- passes
return reduce(x, 'b s d -> b d', 'sum') * (1 / x.shape[1])
-- need
z = repeat(x, 'b s d -> b (s k) d', k=2)
z = rearrange(z, 'b (a s) d -> a b s d', a=2)
t = einsum(z, 'a b s d -> a b d')
return reduce(t, 'a b d -> b d', 'mean') / x.shape[1]
-- values
return einsum(x, 'b s d -> b d') * reduce(x, 'b s d -> b d', 'mean') / x.shape[1]
-- need
return reduce(x / 7 * 7, 'b s d -> b d', 'mean')
-- need
return reduce(x, 'b s d -> b d', 'mean', d=x[1].shape[1])
-- need
b, s, d = x.shape
n = rearrange(x, 'b s d -> (b s d)').shape[0]
m = rearrange(x, 'b s d -> (b d s)').shape[0]
c = s * n * m * 64
return reduce(x / c, 'b s d -> b d', 'sum') * (c / s)
-- need
b, s, d = x.shape
i = rearrange(x, 'b s d -> (b s d)').shape[0]
j = rearrange(x, 'b s d -> (b d s)').shape[0]
k = rearrange(x, 'b s d -> (s b d)').shape[0]
l = rearrange(x, 'b s d -> (s d b)').shape[0]
c = i * j * k * l
return reduce(x / c, 'b s d -> b d', 'sum') * (c / s)
-- values
return reduce(x, 'b s d -> b d', 'mean') * 5e-324 / 5e-324
-- values
return reduce(x, 'b s d -> b d', 'mean') * 1e-200 * 1e-200
-- rule
return reduce(x * 1e-5, 'b s d -> b d', 'mean') * 1e5
-- values
return reduce(x ** 0, 'b s d -> b d', 'mean')
-- raised
return reduce(x, 'b s d -> b d')
-- raised
return reduce(x, 'b s d -> b d', x)
-- raised
return reduce(x, 'b s d -> b d', h)
-- raised
return reduce(x, 'b s d -> b d', reduction=x.shape)
-- raised
return reduce()
-- raised
return reduce(reduction='mean')
-- passes
return reduce(pattern='b s d -> b d', tensor=x, reduction='mean')
-- need
return reduce(tensor=x, pattern='b s d -> b d', reduction='mean') * 1
-- need
n = rearrange(x, 'b s d -> s b d').shape[0]
return reduce(x, 'b s d -> b d', 'sum') / n
-- need
n, = rearrange(x, 'b s d -> (s b d)').shape
return reduce(x / n, 'b s d -> b d', 'mean') * n
-- passes
return reduce(x, 'b s d -> b d', 'sum') * (1 / x.shape[1] ** 0.5) ** 2
-- need
return reduce(x, 'b s d -> b d', 'sum') / x.shape[1] ** 0.1 ** 1 / x.shape[1] ** 0.9
-- need
n = x.shape[1]
y = repeat(x, 'b s d -> b s d r', r=n)
return reduce(y, 'b s d r -> b d', 'mean')
-- need
i = rearrange(x, 'b s d -> (b s d)').shape[0]
return reduce(x / (i / 1), 'b s d -> b d', 'mean') * i
""",
    "rope_halves": r"""-- passes
x1, x2 = rearrange(x, 'b s (two d) -> two b s d', two=2)
r = rearrange([-x2, x1], 'two b s d -> b s (two d)')
cc = repeat(c, 's d -> s (two d)', two=2)
zz = repeat(z, 's d -> s (two d)', two=2)
return x * cc + r * zz
-- need
x = rearrange(x, 'b s (two d) -> b s two d', two=2)
x1, x2 = unpack(x, [[], []], 'b s * d')
return pack([x1 * c - x2 * z, x2 * c + x1 * z], 'b s *')[0]
-- passes
x1, x2 = rearrange(x, 'b s (two d) -> two b s d', two=2)
return pack([x1 * c - x2 * z, x2 * c + x1 * z], 'b s *')[0]
-- need
x1, x2 = unpack(x, [[x.shape[2] // 2], [x.shape[2] // 2]], 'b s *')
y, ps = pack([x1 * c - x2 * z, x2 * c + x1 * z], 'b s *')
return rearrange(y, 'b s w -> b s w')
-- passes
y = rearrange(x, 'b s (two d) -> b s two d', two=2)
x1, x2 = rearrange(y, 'b s two d -> two b s d')
a = x1 * c - x2 * z
b = x2 * c + x1 * z
return rearrange([a, b], 'two b s d -> b s (two d)')
-- need
x1, x2 = unpack(x, [[x.shape[2] // 2], [x.shape[2] // 2]], 'b s *')
y = pack([x1 * c - x2 * z, x2 * c + x1 * z], 'b s *')[0]
y = rearrange(repeat(y, 'b s w -> b s w k', k=2), 'b s w k -> k b s w')
return y[0]
-- passes
x1, x2 = rearrange(x, 'b s (two d) -> two b s d', two=2)
a = einsum(x1, c, 'b s d, s d -> b s d') - einsum(x2, z, 'b s d, s d -> b s d')
b = einsum(x2, c, 'b s d, s d -> b s d') + einsum(x1, z, 'b s d, s d -> b s d')
return rearrange([a, b], 'two b s d -> b s (two d)')
-- passes
x1, x2 = rearrange(x, 'b s (two d) -> two b s d', two=2)
a = -x2 * z + x1 * c
return rearrange([a, x1 * z + x2 * c], 'two b s d -> b s (two d)')
-- passes
x1, x2 = rearrange(x, 'b s (two d) -> two b s d', two=2)
y = rearrange([x1 * c - x2 * z, x2 * c + x1 * z], 't b s d -> b s t d')
return rearrange(y, 'b s t d -> b s (t d)')
-- need
y = repeat(x, 'b s (two d) -> two b s d k', two=2, k=2)
y = rearrange(y, 't b s d k -> k t b s d')
x1, x2 = y[0]
y = pack([x1 * c - x2 * z, x2 * c + x1 * z], 'b s *')[0]
return y
-- need
b, s, w = x.shape
x1, x2 = rearrange(x, 'b s (two d) -> two b s d', two=2)
m = x1 * c - x2 * z
y = repeat(x2 * c + x1 * z, 'b s d -> k b s d', k=b)
t = pack([m, y], '* b s d')[0]
t2 = repeat(t, 'g b s d -> (k g) b s d', k=2)
u = unpack(t2, [[2], [2 * b]], '* b s d')[0]
e = s * c.shape[1] * t.shape[0]
g = (e - e // 2 * 2) * b // 4
u = rearrange(u, 'two b s d -> b s (two d)')
return repeat(u, 'b s w -> (k b) s w', k=1 + g)
-- need
b, s, w = x.shape
x1, x2 = rearrange(x, 'b s (two d) -> two b s d', two=2)
m = x1 * c - x2 * z
y = repeat(x2 * c + x1 * z, 'b s d -> k b s d', k=b)
t = pack([m, y], '* b s d')[0]
t2 = repeat(t, 'g b s d -> (k g) b s d', k=2)
u = unpack(t2, [[2], [2 * b]], '* b s d')[0]
e = s * c.shape[1] * t.shape[0]
g = 0 * (e - e // 2 * 2) * b // 4
u = rearrange(u, 'two b s d -> b s (two d)')
return repeat(u, 'b s w -> (k b) s w', k=1 + g)
-- passes
d = x.shape[-1] // 2
x1, x2 = unpack(x, [[d], [d]], 'b s *')
y = rearrange([x1 * c - x2 * z, x1 * z + x2 * c], 't b s d -> b s (t d)')
return y
-- passes
y = rearrange(x, 'b s (t d) -> t b s d', t=2)
u = einsum(y, c, 't b s d, s d -> t b s d')
v = einsum(y, z, 't b s d, s d -> t b s d')
return rearrange([u[0] - v[1], u[1] + v[0]], 't b s d -> b s (t d)')
-- passes
a, b = rearrange(x, 'b s (k d) -> k b s d', k=2)
y1 = a * c - b * z
y2 = b * c + a * z
y, _ = pack([y1, y2], 'b s *')
return y
-- passes
a, b = rearrange(x, 'b s (k d) -> k b s d', k=2)
y = [a * c - b * z, b * c + a * z]
return rearrange(y, 'k b s d -> b s (k d)')
-- passes
y = rearrange(x, 'b s (k d) -> k b s d', k=2)
r = rearrange([-y[1], y[0]], 'k b s d -> k b s d')
return rearrange(y * c + r * z, 'k b s d -> b s (k d)')
-- rule
d = x.shape[-1] // 2
a, b = unpack(x, [[d], [d]], 'b s *')
return pack([a * c - b * z, b * c + a * z], 'b s *')[0]
-- passes
a, b = rearrange(x, 'b s (k d) -> k b s d', k=2)
return pack([a * c - b * z, b * c + a * z], 'b s *')[0]
-- passes
b, s, w = x.shape
c = rearrange(c, 's d -> 1 s d')
z = rearrange(z, 's d -> 1 s d')
x1, x2 = rearrange(x, 'b s (k d) -> k b s d', k=2)
y1 = x1 * c - x2 * z
y2 = x2 * c + x1 * z
return rearrange([y1, y2], 'k b s d -> b s (k d)')
-- passes
b = x.shape[0]
c = repeat(c, 's d -> b s d', b=b)
z = repeat(z, 's d -> b s d', b=b)
x1, x2 = rearrange(x, 'b s (k d) -> k b s d', k=2)
return rearrange([x1 * c - x2 * z, x2 * c + x1 * z], 'k b s d -> b s (k d)')
-- passes
x1, x2 = rearrange(x, 'b s (k d) -> k b s d', k=2)
r = rearrange([-1 * x2, x1], 'k b s d -> b s (k d)')
cc = repeat(c, 's d -> s (k d)', k=2)
zz = repeat(z, 's d -> s (k d)', k=2)
return x * cc + r * zz
-- passes
x1, x2 = rearrange(x, 'b s (k d) -> k b s d', k=2)
return rearrange([einsum(x1, c, 'b s d, s d -> b s d') - einsum(x2, z, 'b s d, s d -> b s d'), einsum(x2, c, 'b s d, s d -> b s d') + einsum(x1, z, 'b s d, s d -> b s d')], 'k b s d -> b s (k d)')
-- need
b, s, w = x.shape
n = rearrange(x, 'b s d -> (b s d)').shape[0]
m = rearrange(x, 'b s d -> (s b d)').shape[0]
k = n * m * b * s * w * n
a, g = rearrange(x / k, 'b s (k d) -> k b s d', k=2)
return rearrange([a * c - g * z, g * c + a * z], 'k b s d -> b s (k d)') * k
""",
    "rope_pairs": r"""-- passes
x1, x2 = rearrange(x, 'b s (d two) -> two b s d', two=2)
r = rearrange([-x2, x1], 'two b s d -> b s (d two)')
cc = repeat(c, 's d -> s (d two)', two=2)
zz = repeat(z, 's d -> s (d two)', two=2)
return x * cc + r * zz
-- passes
x = rearrange(x, 'b s (d two) -> b s d two', two=2)
a, b = unpack(x, [[1], [1]], 'b s d *')
a, b = rearrange(a, 'b s d 1 -> b s d'), rearrange(b, 'b s d 1 -> b s d')
y, _ = pack([a * c - b * z, a * z + b * c], 'b s d *')
return rearrange(y, 'b s d two -> b s (d two)')
-- passes
x = rearrange(x, 'b s (d t) -> b s d t', t=2)
x1, x2 = rearrange(x, 'b s d t -> t b s d')
y = rearrange([x1 * c - x2 * z, x1 * z + x2 * c], 't b s d -> b s d t')
return rearrange(y, 'b s d t -> b s (d t)')
-- passes
x1, x2 = rearrange(x, 'b s (d t) -> t b s d', t=2)
y, _ = pack([x1 * c - x2 * z, x1 * z + x2 * c], '* b s d')
return rearrange(y, 't b s d -> b s (d t)')
-- passes
y = rearrange(x, 'b s (d two) -> two b s d', two=2)
a, b = y[0], y[1]
return rearrange([a * c - b * z, a * z + b * c], 'k b s d -> b s (d k)')
-- passes
y = rearrange(x, 'b s (d k) -> b s d k', k=2)
a, b = unpack(y, [[], []], 'b s d *')
return rearrange([a * c - b * z, a * z + b * c], 'k b s d -> b s (d k)')
-- passes
a, b = rearrange(x, 'b s (d k) -> k b s d', k=2)
y, _ = pack([a * c - b * z, a * z + b * c], 'b s d *')
return rearrange(y, 'b s d k -> b s (d k)')
""",
    "rms_norm": r"""-- passes
return x * reduce(x ** 2, 'b s d -> b s 1', 'mean') ** -0.5 * g
-- passes
return g * (x / reduce(x ** 2, 'b s d -> b s 1', 'mean') ** 0.5)
-- passes
return einsum(x * rsqrt(reduce(x ** 2, 'b s d -> b s 1', 'mean')), g, 'b s d, d -> b s d')
-- passes
n = rsqrt(reduce(x ** 2, 'b s d -> b s', 'mean'))
return einsum(x, n, g, 'b s d, b s, d -> b s d')
-- rule
n = sqrt(einsum(x, x, 'b s d, b s d -> b s') / x.shape[-1])
return x / rearrange(n, 'b s -> b s 1') * g
-- passes
return x / (reduce(x * x, 'b s d -> b s 1', 'mean').sqrt()) * g
-- rule
return x / reduce(x.pow(2), 'b s d -> b s 1', 'mean').sqrt() * g
-- passes
return x * torch.rsqrt(reduce(x ** 2.0, 'b s d -> b s 1', 'mean')) * g
-- passes
ms = reduce(x ** 2, 'b s d -> b s', 'mean')
return x * rearrange(rsqrt(ms), 'b s -> b s 1') * g
-- rule
ms = reduce(x ** 2, 'b s d -> b s', 'mean')
return x * ms[..., None] ** -0.5 * g
-- passes
b, s, d = x.shape
r = repeat(reduce(x ** 2, 'b s d -> b s', 'mean'), 'b s -> b s d', d=d)
return x / sqrt(r) * repeat(g, 'd -> b s d', b=b, s=s)
-- passes
return x / sqrt(reduce(x ** 2 / x.shape[-1], 'b s d -> b s 1', 'sum')) * g
-- passes
return (x * g) / sqrt(reduce(x * x, '... d -> ... 1', 'mean'))
-- passes
r = 1 / sqrt(reduce(x ** 2, 'b s d -> b s 1', 'mean'))
return x * r * g
-- passes
r = sqrt(reduce(x ** 2, 'b s d -> b s 1', 'mean'))
return x / r * g
-- need
r = sqrt(x.shape[-1]) / sqrt(reduce(x ** 2, 'b s d -> b s 1', 'sum'))
return x * r * g
-- passes
r = x.shape[-1] ** 0.5 / sqrt(reduce(x ** 2, 'b s d -> b s 1', 'sum'))
return x * r * g
-- need
y = rearrange(x, 'b s d -> s b d')
z = rearrange(x, 'b s d -> s d b')
k = x.shape[1] * y.shape[0] * z.shape[0] * y.shape[-3] * z.shape[-3]
u = x * k
return u * rsqrt(reduce(u * u, 'b s d -> b s 1', 'mean')) * g
-- need
y = rearrange(x, 'b s d -> s b d')
k = x.shape[1] * y.shape[0] * y.shape[-3]
u = x * k
return u * rsqrt(reduce(u * u, 'b s d -> b s 1', 'mean')) * g
-- passes
s = reduce(x * x, 'b s d -> b s 1', 'sum')
return x * g * rsqrt(s / x.shape[-1])
-- passes
s = reduce(x * x, 'b s d -> b s 1', 'sum')
return x * g * rsqrt(s) * x.shape[-1] ** 0.5
-- passes
s = reduce(x * x, 'b s d -> b s', 'mean')
s = rearrange(s, 'b s -> b s 1')
y = x * rsqrt(s)
return y * rearrange(g, 'd -> 1 1 d')
-- passes
from torch import rsqrt
return x * rsqrt(reduce(x * x, 'b s d -> b s 1', 'mean')) * g
-- need
b, s, d = x.shape
u = x / (b * s * d * 64) / (b * s * d * 64)
return u * rsqrt(reduce(u * u, 'b s d -> b s 1', 'mean')) * g
-- need
b, s, d = x.shape
n = rearrange(x, 'b s d -> (b s d)').shape[0]
u = x / (b * s * d * n) / n
return u * rsqrt(reduce(u * u, 'b s d -> b s 1', 'mean')) * g
-- rule
y = g
k = lambda b: y * b
q = lambda y: k(y)
return x * rsqrt(reduce(q(x), 'b s d -> b s 1', 'mean')) * g
-- rule
y = x
k = lambda b: y * b
q = lambda y: k(y)
return x * rsqrt(reduce(q(x), 'b s d -> b s 1', 'mean')) * g
-- passes
ms = reduce(x ** 2, 'b s d -> b s', 'mean')
rms = rearrange(sqrt(ms), 'b s -> b s 1')
return x / rms * g
-- passes
ms = reduce(x ** 2, 'b s d -> b s', 'mean')
return einsum(x, rsqrt(ms), g, 'b s d, b s, d -> b s d')
-- rule
rms = reduce(x.pow(2), 'b s d -> b s 1', 'mean').sqrt()
return x / rms * g
-- rule
ss = einsum(x, x, 'b s d, b s d -> b s') / x.shape[-1]
return x * rearrange(rsqrt(ss), 'b s -> b s 1') * g
-- passes
n = (reduce(x * x, 'b s d -> b s 1', 'sum') / x.shape[-1]) ** 0.5
return g * (x / n)
-- passes
return g * x * reduce(x * x, 'b s d -> b s 1', 'mean') ** -0.5
-- passes
n = sqrt(reduce(x * x, 'b s d -> b s 1', 'sum'))
return x / n * g * x.shape[-1] ** 0.5
-- passes
s = reduce(x * x, 'b s d -> b s 1', 'sum')
return x * sqrt(x.shape[-1] / s) * g
-- passes
b, s, d = x.shape
m = repeat(reduce(x * x, 'b s d -> b s', 'mean'), 'b s -> b s d', d=d)
return x / sqrt(m) * g
-- passes
b, s, d = x.shape
m = reduce(x * x, 'b s d -> b s 1', 'mean')
g = rearrange(g, 'd -> 1 1 d')
return x * rsqrt(m) * g
-- passes
g = repeat(g, 'd -> b s d', b=x.shape[0], s=x.shape[1])
return x * rsqrt(reduce(x * x, 'b s d -> b s 1', 'mean')) * g
-- need
b, s, d = x.shape
n = rearrange(x, 'b s d -> (b s d)').shape[0]
m = rearrange(x, 'b s d -> (b d s)').shape[0]
c = n * m * b * s * d
u = x / c
return u * rsqrt(reduce(u * u, 'b s d -> b s 1', 'mean')) * g
""",
    "global_pool": r"""-- passes
return reduce(x, 'b c h w -> b c', 'sum') / (x.shape[2] * x.shape[3])
-- passes
return reduce(reduce(x, 'b c h w -> b c h', 'mean'), 'b c h -> b c', 'mean')
-- passes
return rearrange(reduce(x, 'b c h w -> b c 1 1', 'mean'), 'b c 1 1 -> b c')
-- need
return reduce(einsum(x, 'b c h w -> b c h') / x.shape[3], 'b c h -> b c', 'mean')
-- passes
return reduce(rearrange(x, 'b c h w -> b c (h w)'), 'b c n -> b c', 'mean')
-- passes
y = rearrange(x, 'b c h w -> b c (h w)')
return reduce(y, 'b c n -> b c', 'sum') / y.shape[-1]
""",
    "multi_head_attention": r"""-- passes
qkv = einsum(x, w, 'b s m, n m -> b s n')
q, k, v = rearrange(qkv, 'b s (three w) -> three b s w', three=3)
q = rearrange(q, 'b s (h d) -> b h s d', h=h)
k = rearrange(k, 'b s (h d) -> b h s d', h=h)
v = rearrange(v, 'b s (h d) -> b h s d', h=h)
s = einsum(q, k, 'b h i d, b h j d -> b h i j') * q.shape[-1] ** -0.5
return rearrange(einsum(softmax(s, dim=-1), v, 'b h i j, b h j d -> b h i d'), 'b h s d -> b s (h d)')
-- passes
wq, wk, wv = rearrange(w, '(three h d) m -> three h d m', three=3, h=h)
q = einsum(x, wq, 'b s m, h d m -> b h s d')
k = einsum(x, wk, 'b s m, h d m -> b h s d')
v = einsum(x, wv, 'b s m, h d m -> b h s d')
s = einsum(q, k, 'b h i d, b h j d -> b h i j') / q.shape[-1] ** 0.5
y = einsum(softmax(s, dim=-1), v, 'b h i j, b h j d -> b i h d')
return rearrange(y, 'b s h d -> b s (h d)')
-- need
qkv = einsum(x, w, 'b s m, n m -> b s n')
y = repeat(qkv, 'b s (three h d) -> three b h s d k', three=3, h=h, k=2)
z = rearrange(y, 't b h s d k -> k t b h s d')
q, k, v = z[0]
a = softmax(einsum(q, k, 'b h i d, b h j d -> b h i j') / q.shape[-1] ** 0.5)
y = einsum(a, v, 'b h i j, b h j d -> b i h d')
return pack([rearrange(y, 'b s h d -> b s h d')], 'b s *')[0]
-- need
qkv = einsum(x, w, 'b s m, n m -> b s n')
y = repeat(qkv, 'b s (three h d) -> three b h s d k', three=3, h=h, k=2)
z = rearrange(y, 't b h s d k -> k t b h s d')
q, k, v = z[0]
a = softmax(einsum(q, k, 'b h i d, b h j d -> b h i j') / q.shape[-1] ** 0.5)
y = einsum(a, v, 'b h i j, b h j d -> b i h d')
y = pack([repeat(y, 'b s h d -> b s h d k', k=2)], 'b s * k')[0]
return rearrange(y, 'b s n k -> k b s n')[0]
-- passes
qkv = einsum(x, w, 'b s m, n m -> b s n')
q, k, v = rearrange(qkv, 'b s (three h d) -> three b h s d', three=3, h=h)
d = w.shape[0] // 3 // h
a = softmax(einsum(q, k, 'b h i d, b h j d -> b h i j') * d ** -0.5, dim=-1)
y = einsum(a, v, 'b h i j, b h j d -> b h i d')
return rearrange(y, 'b h s d -> b s (h d)')
-- passes
qkv = einsum(x, w, 'b s m, n m -> b s n')
q, k, v = rearrange(qkv, 'b s (three h d) -> three b h s d', three=3, h=h)
d = w.shape[0] // (3 * h)
a = softmax(einsum(q, k, 'b h i d, b h j d -> b h i j') * d ** -0.5, dim=-1)
y = einsum(a, v, 'b h i j, b h j d -> b h i d')
return rearrange(y, 'b h s d -> b s (h d)')
-- passes
qkv = einsum(x, w, 'b s m, n m -> b s n')
q, k, v = rearrange(qkv, 'b s (three h d) -> three b h s d', three=3, h=h)
d = qkv.shape[-1] // (3 * h)
a = softmax(einsum(q, k, 'b h i d, b h j d -> b h i j') * d ** -0.5, dim=-1)
y = einsum(a, v, 'b h i j, b h j d -> b h i d')
return rearrange(y, 'b h s d -> b s (h d)')
-- passes
qkv = einsum(x, w, 'b s m, n m -> b s n')
q, k, v = rearrange(qkv, 'b s (three h d) -> three b h s d', three=3, h=h)
d = qkv.shape[-1] / 3 / h
a = softmax(einsum(q, k, 'b h i d, b h j d -> b h i j') * d ** -0.5, dim=-1)
y = einsum(a, v, 'b h i j, b h j d -> b h i d')
return rearrange(y, 'b h s d -> b s (h d)')
-- need
qkv = einsum(x, w, 'b s m, n m -> b s n')
y = repeat(qkv, 'b s (three h d) -> three b h s d k', three=3, h=h, k=2)
z = rearrange(y, 't b h s d k -> k t b h s d')
q, k, v = z[0]
a = softmax(einsum(q, k, 'b h i d, b h j d -> b h i j') / q.shape[-1] ** 0.5)
y = einsum(a, v, 'b h i j, b h j d -> b i h d')
y = repeat(y, 'b s h d -> b s (h d) k', k=2)
return rearrange(y, 'b s n k -> k b s n')[0]
-- passes
n = w.shape[0] // 3
qkv = einsum(x, w, 'b s m, n m -> b s n')
q, k, v = unpack(qkv, [[n], [n], [n]], 'b s *')
q = rearrange(q, 'b s (h d) -> b h s d', h=h)
k = rearrange(k, 'b s (h d) -> b h s d', h=h)
v = rearrange(v, 'b s (h d) -> b h s d', h=h)
a = softmax(einsum(q, k, 'b h i d, b h j d -> b h i j') / q.shape[-1] ** 0.5)
return rearrange(einsum(a, v, 'b h i j, b h j d -> b i h d'), 'b s h d -> b s (h d)')
-- rule
wq, wk, wv = rearrange(w, '(k n) m -> k n m', k=3)
q, k, v = einsum(x, wq, 'b s m, n m -> b s n'), einsum(x, wk, 'b s m, n m -> b s n'), einsum(x, wv, 'b s m, n m -> b s n')
split = lambda t: rearrange(t, 'b s (h d) -> b h s d', h=h)
q, k, v = split(q), split(k), split(v)
a = softmax(einsum(q, k, 'b h i d, b h j d -> b h i j') / q.shape[-1] ** 0.5)
return rearrange(einsum(a, v, 'b h i j, b h j d -> b i h d'), 'b s h d -> b s (h d)')
-- passes
w = rearrange(w, '(t h d) m -> t h d m', t=3, h=h)
q, k, v = einsum(x, w, 'b s m, t h d m -> t b h s d')
a = softmax(einsum(q, k, 'b h i d, b h j d -> b h i j') / q.shape[-1] ** 0.5)
y = einsum(a, v, 'b h i j, b h j d -> b h i d')
return rearrange(y, 'b h i d -> b i (h d)')
-- passes
qkv = rearrange(einsum(x, w, 'b s m, n m -> b s n'), 'b s (t h d) -> t b h s d', t=3, h=h)
q, k, v = qkv[0], qkv[1], qkv[2]
q = q * (q.shape[-1] ** -0.5)
a = softmax(einsum(q, k, 'b h i d, b h j d -> b h i j'), dim=-1)
y = einsum(a, v, 'b h i j, b h j d -> b h i d')
return rearrange(y, 'b h i d -> b i (h d)')
-- passes
q, k, v = rearrange(einsum(x, w, 'b s m, n m -> b s n'), 'b s (k h d) -> k b h s d', k=3, h=h)
scores = einsum(q, k, 'b h i d, b h j d -> b h i j')
probs = softmax(scores / q.shape[-1] ** 0.5, dim=-1)
out = einsum(probs, v, 'b h i j, b h j d -> b i h d')
return rearrange(out, 'b s h d -> b s (h d)')
-- passes
w = rearrange(w, '(k h d) m -> k h d m', k=3, h=h)
qkv = einsum(x, w, 'b s m, k h d m -> k b h s d')
q, k, v = qkv
scores = einsum(q, k, 'b h i d, b h j d -> b h i j') / q.shape[-1] ** 0.5
out = einsum(softmax(scores, -1), v, 'b h i j, b h j d -> b i h d')
return rearrange(out, 'b s h d -> b s (h d)')
-- passes
q, k, v = rearrange(w, '(k h d) m -> k h d m', k=3, h=h)
q = einsum(x, q, 'b s m, h d m -> b h s d')
k = einsum(x, k, 'b s m, h d m -> b h s d')
v = einsum(x, v, 'b s m, h d m -> b h s d')
a = softmax(einsum(q, k, 'b h i d, b h j d -> b h i j') / q.shape[-1] ** 0.5)
y = einsum(a, v, 'b h i j, b h j d -> b h i d')
return rearrange(y, 'b h s d -> b s (h d)')
-- passes
wq, wk, wv = rearrange(w, '(k n) m -> k n m', k=3)
q = rearrange(einsum(x, wq, 'b s m, n m -> b s n'), 'b s (h d) -> b h s d', h=h)
k = rearrange(einsum(x, wk, 'b s m, n m -> b s n'), 'b s (h d) -> b h s d', h=h)
v = rearrange(einsum(x, wv, 'b s m, n m -> b s n'), 'b s (h d) -> b h s d', h=h)
a = softmax(einsum(q, k, 'b h i d, b h j d -> b h i j') * q.shape[-1] ** -0.5)
y = einsum(a, v, 'b h i j, b h j d -> b h i d')
return rearrange(y, 'b h s d -> b s (h d)')
-- rule
p = lambda t: rearrange(einsum(x, t, 'b s m, n m -> b s n'), 'b s (h d) -> b h s d', h=h)
wq, wk, wv = rearrange(w, '(k n) m -> k n m', k=3)
q = p(wq)
k = p(wk)
v = p(wv)
a = softmax(einsum(q, k, 'b h i d, b h j d -> b h i j') * q.shape[-1] ** -0.5)
y = einsum(a, v, 'b h i j, b h j d -> b h i d')
return rearrange(y, 'b h s d -> b s (h d)')
-- rule
n = w.shape[0] // 3
wq, wk, wv = unpack(w, [[n], [n], [n]], '* m')
heads = lambda u: rearrange(einsum(x, u, 'b s m, n m -> b s n'), 'b s (h d) -> b h s d', h=h)
q = heads(wq)
k = heads(wk)
v = heads(wv)
a = softmax(einsum(q, k, 'b h i d, b h j d -> b h i j') / q.shape[-1] ** 0.5)
y = einsum(a, v, 'b h i j, b h j d -> b h i d')
return rearrange(y, 'b h s d -> b s (h d)')
-- passes
qkv = einsum(x, w, 'b s m, n m -> b s n')
n = qkv.shape[-1] // 3
q, k, v = unpack(qkv, [[n], [n], [n]], 'b s *')
q = rearrange(q, 'b s (h d) -> b h s d', h=h)
k = rearrange(k, 'b s (h d) -> b h s d', h=h)
v = rearrange(v, 'b s (h d) -> b h s d', h=h)
a = softmax(einsum(q, k, 'b h i d, b h j d -> b h i j') / q.shape[-1] ** 0.5)
y = einsum(a, v, 'b h i j, b h j d -> b h i d')
return rearrange(y, 'b h s d -> b s (h d)')
-- passes
qkv = rearrange(einsum(x, w, 'b s m, n m -> b s n'), 'b s (k n) -> k b s n', k=3)
qkv = rearrange(qkv, 'k b s (h d) -> k b h s d', h=h)
q, k, v = qkv[0], qkv[1], qkv[2]
a = softmax(einsum(q, k, 'b h i d, b h j d -> b h i j') / q.shape[-1] ** 0.5)
y = einsum(a, v, 'b h i j, b h j d -> b h i d')
return rearrange(y, 'b h s d -> b s (h d)')
-- passes
b, s, m = x.shape
d = w.shape[0] // (3 * h)
qkv = einsum(x, w, 'b s m, n m -> b s n')
qkv = rearrange(qkv, 'b s (k h d) -> b k h s d', k=3, h=h, d=d)
q, k, v = rearrange(qkv, 'b k h s d -> k b h s d')
scores = einsum(q, k, 'b h i d, b h j d -> b h i j')
attn = softmax(scores * d ** -0.5, dim=-1)
out = einsum(attn, v, 'b h i j, b h j d -> b h i d')
return rearrange(out, 'b h s d -> b s (h d)')
-- passes
b, s, m = x.shape
d = w.shape[0] // 3 // h
q, k, v = rearrange(einsum(x, w, 'b s m, n m -> b s n'), 'b s (k h d) -> k (b h) s d', k=3, h=h)
a = softmax(einsum(q, k, 'n i d, n j d -> n i j') / d ** 0.5)
y = einsum(a, v, 'n i j, n j d -> n i d')
return rearrange(y, '(b h) s d -> b s (h d)', h=h)
""",
    "squeeze_excite": r"""-- passes
s = sigmoid(einsum(reduce(x, 'b c h w -> b c', 'mean'), w, 'b c, k c -> b k'))
return x * rearrange(s, 'b c -> b c () ()')
-- passes
m = rearrange(reduce(x, 'b c h w -> b c 1 1', 'mean'), 'b c 1 1 -> b c')
s = sigmoid(einsum(m, w, 'b c, k c -> b k'))
return einsum(x, s, 'b c h w, b c -> b c h w')
-- passes
s = sigmoid(einsum(reduce(x, 'b c h w -> b c', 'mean'), w, 'b c, k c -> b k'))
y = rearrange(x, 'b c h w -> b c (h w)') * rearrange(s, 'b c -> b c 1')
return rearrange(y, 'b c (h w) -> b c h w', h=x.shape[2])
-- passes
b, c, h, w_ = x.shape
m = reduce(x, 'b c h w -> b c', 'sum') / (h * w_)
s = sigmoid(einsum(m, w, 'b c, k c -> b k'))
return x * rearrange(s, 'b c -> b c 1 1')
-- passes
s = einsum(reduce(x, 'b c h w -> b c 1 1', 'mean'), w, 'b c i j, k c -> b k i j')
return x * rearrange(sigmoid(s), 'b k i j -> b k i j')
-- need
s = einsum(reduce(x, 'b c h w -> b c 1 1', 'mean'), w, 'b c i j, k c -> b k i j')
s = rearrange(repeat(sigmoid(s), 'b k i j -> b k i j n', n=2), 'b k i j n -> n b k i j')
return x * s[0]
-- passes
s = reduce(x, 'b c h w -> b c 1 1', 'mean')
s = rearrange(s, 'b c 1 1 -> b c')
s = sigmoid(einsum(s, w, 'b c, k c -> b k'))
return x * repeat(s, 'b c -> b c h w', h=x.shape[2], w=x.shape[3])
-- need
s = sigmoid(einsum(reduce(x, 'b c h w -> b c', 'mean'), w, 'b c, k c -> b k'))
y = repeat(s, 'b c -> b c 1 1 k', k=2)
y = rearrange(y, 'b c i j k -> k b c i j')
return x * y[0]
-- need
s = sigmoid(einsum(reduce(x, 'b c h w -> b c', 'mean'), w, 'b c, k c -> b k'))
y = repeat(s, 'b c -> b 1 1 c k', k=2)
y = rearrange(y, 'b i j c k -> k b c i j')
return x * y[0]
-- passes
s = sigmoid(einsum(reduce(x, 'b c h w -> b c', 'mean'), w, 'b c, k c -> b k'))
y = rearrange(x, 'b c h w -> h w b c') * s
return rearrange(y, 'h w b c -> b c h w')
-- passes
m = reduce(reduce(x, 'b c h w -> b c h', 'mean'), 'b c h -> b c', 'mean')
s = sigmoid(einsum(w, m, 'k c, b c -> b k'))
return rearrange(s, 'b c -> b c 1 1') * x
-- passes
y = rearrange(x, 'b c h w -> b c (h w)')
m = reduce(y, 'b c n -> b c', 'mean')
s = sigmoid(einsum(m, w, 'b c, k c -> b k'))
return einsum(x, s, 'b c h w, b c -> b c h w')
-- passes
m = reduce(x, 'b c h w -> b c', 'mean')
s = sigmoid(einsum(m, rearrange(w, 'k c -> c k'), 'b c, c k -> b k'))
return einsum(x, s, 'b c h w, b c -> b c h w')
-- passes
s = reduce(x, 'b c h w -> b c', 'mean')
s = einsum(s, w, 'b c, k c -> b k').sigmoid()
return einsum(x, s, 'b c h w, b c -> b c h w')
-- passes
b, c, h, w_ = x.shape
z = reduce(x, 'b c h w -> b c', 'mean')
z = sigmoid(einsum(z, w, 'b c, k c -> b k'))
z = rearrange(z, 'b c -> b c 1 1')
return z * x
-- passes
z = reduce(x, 'b c h w -> b c', 'sum') / (x.shape[2] * x.shape[3])
z = einsum(w, z, 'k c, b c -> b k')
return einsum(x, rearrange(sigmoid(z), 'b c -> b c 1 1'), 'b c h w, b c i j -> b c h w')
-- passes
z = rearrange(x, 'b c h w -> b c (h w)')
z = reduce(z, 'b c n -> b c', 'mean')
z = sigmoid(einsum(z, w, 'b c, k c -> b k'))
return einsum(x, z, 'b c h w, b c -> b c h w')
-- passes
y = rearrange(x, 'b c h w -> b h w c')
z = reduce(y, 'b h w c -> b 1 1 c', 'mean')
z = sigmoid(einsum(z, w, 'b i j c, k c -> b i j k'))
return rearrange(y * z, 'b h w c -> b c h w')
-- passes
b, c, h, w2 = x.shape
s = reduce(x, 'b c h w -> b c', 'mean')
s = sigmoid(einsum(s, w, 'b c, k c -> b k'))
s = repeat(s, 'b c -> b c h w', h=h, w=w2)
return x * s
-- passes
s = reduce(x, 'b c h w -> b c 1 1', 'mean')
s = sigmoid(einsum(s, w, 'b c i j, k c -> b k i j'))
return x * s
-- passes
s = reduce(x, 'b c h w -> c b', 'mean')
s = sigmoid(einsum(w, s, 'k c, c b -> k b'))
return rearrange(s, 'c b -> b c 1 1') * x
""",
    "group_norm": r"""-- passes
b, n, s = x.shape
y = rearrange(x, 'b (g c) s -> b g (c s)', g=g)
m = reduce(y, 'b g n -> b g 1', 'mean')
v = reduce((y - m) ** 2, 'b g n -> b g 1', 'mean')
return rearrange((y - m) / sqrt(v + 1e-5), 'b g (c s) -> b (g c) s', s=s)
-- passes
y = rearrange(x, 'b (g c) s -> b g c s', g=g)
m = reduce(y, 'b g c s -> b g', 'mean')
y = y - rearrange(m, 'b g -> b g 1 1')
v = reduce(y * y, 'b g c s -> b g', 'mean')
r = rsqrt(v + 0.00001)
return rearrange(einsum(y, r, 'b g c s, b g -> b g c s'), 'b g c s -> b (g c) s')
-- passes
m = reduce(x, 'b (g c) s -> b g 1 1', 'mean', g=g)
y = rearrange(x, 'b (g c) s -> b g c s', g=g) - m
v = reduce(y * y, 'b g c s -> b g 1 1', 'mean')
y = y * (v + 1e-5) ** -0.5
return rearrange(y, 'b g c s -> b (g c) s')
-- passes
y = rearrange(x, 'b (g c) s -> b g (c s)', g=g)
m = reduce(y, 'b g n -> b g 1', 'mean')
v = reduce((y - m) ** 2, 'b g n -> b g 1', 'mean')
z = (y - m) * (v + 10 ** -5) ** (-1 / 2)
return rearrange(z, 'b g (c s) -> b (g c) s', c=x.shape[1] // g)
-- passes
n = x.shape[1] // g * x.shape[2]
y = rearrange(x, 'b (g c) s -> b g (c s)', g=g)
y = y - rearrange(reduce(y, 'b g n -> b g', 'sum'), 'b g -> b g 1') / n
v = reduce(y * y, 'b g n -> b g 1', 'sum') / n
return rearrange(y / sqrt(v + 1e-5), 'b g (c s) -> b (g c) s', s=x.shape[2])
-- passes
y = rearrange(x, 'b (g c) s -> b g (c s)', g=g)
y = y - reduce(y, 'b g n -> b g 1', 'mean')
y = y * rsqrt(reduce(y * y, 'b g n -> b g 1', 'mean') + 10 ** -5)
return rearrange(y, 'b g (c s) -> b (g c) s', s=x.shape[-1])
-- passes
y = rearrange(x, 'b (g c) s -> b g (c s)', g=g)
y = y - reduce(y, 'b g n -> b g 1', 'mean')
y = y * rsqrt(reduce(y * y, 'b g n -> b g 1', 'mean') + 1e-5)
return rearrange(y, 'b g (c s) -> b (g c) s', s=x.shape[-1])
-- rule
y = rearrange(x, 'b (g c) s -> b g (c s)', g=g)
y = y - reduce(y, 'b g n -> b g 1', 'mean')
y = y * rsqrt(reduce(y * y, 'b g n -> b g 1', 'mean') + 1 / 100000)
return rearrange(y, 'b g (c s) -> b (g c) s', s=x.shape[-1])
-- passes
y = rearrange(x, 'b (g c) s -> b g (c s)', g=g)
y = y - reduce(y, 'b g n -> b g 1', 'mean')
y = y * rsqrt(reduce(y * y, 'b g n -> b g 1', 'mean') + 1e-2 ** 2.5)
return rearrange(y, 'b g (c s) -> b (g c) s', s=x.shape[-1])
-- passes
y = rearrange(x, 'b (g c) s -> b g (c s)', g=g)
y = y - reduce(y, 'b g n -> b g 1', 'mean')
y = y * rsqrt(reduce(y * y, 'b g n -> b g 1', 'mean') + 0.00001)
return rearrange(y, 'b g (c s) -> b (g c) s', s=x.shape[-1])
-- passes
y = rearrange(x, 'b (g c) s -> b g (c s)', g=g)
y = y - reduce(y, 'b g n -> b g 1', 'mean')
y = y * rsqrt(reduce(y * y, 'b g n -> b g 1', 'mean') + 10 ** (-5))
return rearrange(y, 'b g (c s) -> b (g c) s', s=x.shape[-1])
-- passes
y = rearrange(x, 'b (g c) s -> b g (c s)', g=g)
y = y - reduce(y, 'b g n -> b g 1', 'mean')
y = y * rsqrt(reduce(y * y, 'b g n -> b g 1', 'mean') + 1/10**5)
return rearrange(y, 'b g (c s) -> b (g c) s', s=x.shape[-1])
-- passes
y = rearrange(x, 'b (g c) s -> b g (c s)', g=g)
y = y - reduce(y, 'b g n -> b g 1', 'mean')
y = y * rsqrt(reduce(y * y, 'b g n -> b g 1', 'mean') + 1e-3 / 100)
return rearrange(y, 'b g (c s) -> b (g c) s', s=x.shape[-1])
-- passes
y = rearrange(x, 'b (g c) s -> b g (c s)', g=g)
y = y - reduce(y, 'b g n -> b g 1', 'mean')
y = y * rsqrt(reduce(y * y, 'b g n -> b g 1', 'mean') + 1e-3 * 1e-2)
return rearrange(y, 'b g (c s) -> b (g c) s', s=x.shape[-1])
-- passes
y = rearrange(x, 'b (g c) s -> b g (c s)', g=g)
y = y - reduce(y, 'b g n -> b g 1', 'mean')
y = y * rsqrt(reduce(y * y, 'b g n -> b g 1', 'mean') + 0.1 ** 5)
return rearrange(y, 'b g (c s) -> b (g c) s', s=x.shape[-1])
-- passes
b, n, s = x.shape
c = n // g
m = repeat(reduce(x, 'b (g c) s -> b g', 'mean', g=g), 'b g -> b (g c) s', c=c, s=s)
y = x - m
v = repeat(reduce(y ** 2, 'b (g c) s -> b g', 'mean', g=g), 'b g -> b (g c)', c=c)
return y / sqrt(rearrange(v, 'b n -> b n 1') + 1e-5)
-- passes
c = x.shape[1] // g
m = rearrange(reduce(x, 'b (g c) s -> b g 1 1', 'mean', g=g), 'b g 1 1 -> b g 1 1')
y = rearrange(x, 'b (g c) s -> b g c s', c=c)
y = y - m
v = reduce(y ** 2, 'b g c s -> b g 1 1', 'mean')
return rearrange(y * (v + 1e-5) ** -0.5, 'b g c s -> b (g c) s')
-- need
y = repeat(x, 'b (g c) s -> b g c s k', g=g, k=2)
y = rearrange(y, 'b g c s k -> k b g c s')[0]
y = y - reduce(y, 'b g c s -> b g 1 1', 'mean')
y = y * rsqrt(reduce(y * y, 'b g c s -> b g 1 1', 'mean') + 1e-5)
return pack([rearrange(y, 'b g c s -> b g c s')], 'b * s')[0]
-- passes
y = rearrange(x, 'b (g c) s -> b g c s', g=g)
m = reduce(y, 'b g c s -> b g 1 1', 'mean')
v = reduce((y - m) ** 2, 'b g c s -> b g 1 1', 'mean')
r = rsqrt(v + 1e-5)
return rearrange(y * r - m * r, 'b g c s -> b (g c) s')
-- passes
y = rearrange(x, 'b (g c) s -> b g c s', g=g)
m = reduce(y, 'b g c s -> b g 1 1', 'mean')
v = reduce(y ** 2, 'b g c s -> b g 1 1', 'mean') - m * m
r = rsqrt(v + 1e-5)
return rearrange(y * r - m * r, 'b g c s -> b (g c) s')
-- passes
y = rearrange(x, 'b (g c) s -> b g c s', g=g)
y = y - reduce(y, 'b g c s -> b g 1 1', 'mean')
d = sqrt(reduce(y ** 2, 'b g c s -> b g 1 1', 'mean') + 1e-5)
return rearrange(1 / d * y, 'b g c s -> b (g c) s')
-- passes
y = rearrange(x, 'b (g c) s -> b g c s', g=g)
m = reduce(y, 'b g c s -> b g 1 1', 'mean')
y = y - m
n = reduce(y ** 2, 'b g c s -> b g 1 1', 'mean')
y = y / (n + 1e-5).sqrt()
return rearrange(y, 'b g c s -> b (g c) s')
-- passes
y = rearrange(x, 'b (g c) s -> (b g) (c s)', g=g)
y = y - reduce(y, 'n d -> n 1', 'mean')
y = y / sqrt(reduce(y ** 2, 'n d -> n 1', 'mean') + 1e-5)
return rearrange(y, '(b g) (c s) -> b (g c) s', g=g, s=x.shape[2])
-- passes
b, n, s = x.shape
y = rearrange(x, 'b (g c) s -> b g (c s)', g=g)
y = y - reduce(y, 'b g n -> b g ()', 'mean')
y = y * rsqrt(1e-5 + reduce(y * y, 'b g n -> b g ()', 'mean'))
return rearrange(y, 'b g (c s) -> b (g c) s', c=n // g)
-- need
y = rearrange(x, 'b (g c) s -> b g (c s)', g=g)
y = y + reduce(y, 'b g n -> b g 1', 'mean') * 64 * 64 * 64
y = y - reduce(y, 'b g n -> b g 1', 'mean')
y = y * rsqrt(reduce(y * y, 'b g n -> b g 1', 'mean') + 1e-5)
return rearrange(y, 'b g (c s) -> b (g c) s', s=x.shape[-1])
-- passes
b, n, s = x.shape
y = rearrange(x, 'b (g c) s -> b g (c s)', g=g)
mean = reduce(y, 'b g n -> b g 1', 'mean')
var = reduce((y - mean) ** 2, 'b g n -> b g 1', 'mean')
y = (y - mean) / sqrt(var + 1e-5)
return rearrange(y, 'b g (c s) -> b (g c) s', c=n // g)
-- passes
y = rearrange(x, 'b (g c) s -> b g c s', g=g)
m = reduce(y, 'b g c s -> b g 1 1', 'mean')
v = reduce((y - m) ** 2, 'b g c s -> b g 1 1', 'mean')
y = (y - m) * rsqrt(v + 1e-5)
return rearrange(y, 'b g c s -> b (g c) s')
-- passes
b, n, s = x.shape
c = n // g
y = rearrange(x, 'b (g c) s -> (b g) (c s)', g=g)
y = y - reduce(y, 'n k -> n 1', 'mean')
y = y / (reduce(y * y, 'n k -> n 1', 'sum') / (c * s) + 1e-5) ** 0.5
return rearrange(y, '(b g) (c s) -> b (g c) s', g=g, s=s)
-- passes
y = rearrange(x, 'b (g c) s -> b g c s', g=g)
m = reduce(y, 'b g c s -> b g', 'mean')
m = rearrange(m, 'b g -> b g 1 1')
y = y - m
v = rearrange(reduce(y * y, 'b g c s -> b g', 'mean'), 'b g -> b g 1 1')
return rearrange(y / sqrt(v + 0.00001), 'b g c s -> b (g c) s')
-- passes
y = rearrange(x, 'b (g c) s -> b g (c s)', g=g)
n = y.shape[-1]
mean = reduce(y, 'b g n -> b g 1', 'sum') / n
var = reduce((y - mean) ** 2, 'b g n -> b g 1', 'sum') / n
y = (y - mean) / sqrt(var + 1e-5)
return rearrange(y, 'b g (c s) -> b (g c) s', s=x.shape[2])
-- passes
b, n, s = x.shape
y = rearrange(x, 'b (g c) s -> b g (c s)', g=g)
m = repeat(reduce(y, 'b g n -> b g', 'mean'), 'b g -> b g n', n=y.shape[-1])
y = y - m
v = repeat(reduce(y * y, 'b g n -> b g', 'mean'), 'b g -> b g n', n=y.shape[-1])
return rearrange(y * rsqrt(v + 1e-5), 'b g (c s) -> b (g c) s', s=s)
""",
    "layer_norm": r"""-- passes
m = reduce(x, 'b s d -> b s 1', 'mean')
v = reduce((x - m) ** 2, 'b s d -> b s 1', 'mean')
return (x - m) / v ** 0.5
-- passes
d = x.shape[-1]
m = reduce(x, 'b s d -> b s 1', 'sum') / d
y = x - m
return y / sqrt(reduce(y ** 2, 'b s d -> b s 1', 'sum') / d)
-- passes
m = reduce(x, 'b s d -> b s', 'mean')
y = x - rearrange(m, 'b s -> b s 1')
v = einsum(y, y, 'b s d, b s d -> b s') / x.shape[2]
return y / rearrange(sqrt(v), 'b s -> b s 1')
-- passes
y = x - reduce(x, 'b s d -> b s 1', 'mean')
z = einsum(y, y, 'b s d, b s d -> b s') / x.shape[2]
return y / rearrange(sqrt(z), 'b s -> b s 1')
-- passes
b, s, d = x.shape
m = repeat(reduce(x, 'b s d -> b s', 'mean'), 'b s -> b s d', d=d)
v = repeat(reduce((x - m) ** 2, 'b s d -> b s', 'mean'), 'b s -> b s d', d=d)
return (x - m) / sqrt(v)
-- passes
m = reduce(x, 'b s d -> b s 1', 'mean')
y = x - m
s = sqrt(reduce(x ** 2, 'b s d -> b s 1', 'mean') - m ** 2)
return y / s
-- passes
m = reduce(x, '... d -> ... 1', 'mean')
y = x - m
return y / sqrt(reduce(y ** 2, '... d -> ... 1', 'mean'))
-- passes
m = reduce(x, 'b s d -> b s 1', 'mean')
return (x - m) * reduce((x - m) * (x - m), 'b s d -> b s 1', 'mean') ** (-1 / 2)
-- passes
m = reduce(x, 'b s d -> b s 1', 'mean')
v = reduce(x ** 2, 'b s d -> b s 1', 'mean') - m ** 2
r = rsqrt(v)
return x * r - m * r
-- passes
y = x * x.shape[-1] - reduce(x, 'b s d -> b s 1', 'sum')
return y / sqrt(reduce(y * y, 'b s d -> b s 1', 'mean'))
-- passes
m = reduce(x, 'b s d -> b s 1', 'mean')
y = x + -m
return y * rsqrt(reduce(y ** 2, 'b s d -> b s 1', 'mean'))
-- passes
m = reduce(x, 'b s d -> b s 1', 'mean')
y = x + m * -1
return y * rsqrt(reduce(y ** 2, 'b s d -> b s 1', 'mean'))
-- passes
d = x.shape[-1]
m = reduce(x, 'b s d -> b s 1', 'sum') / d
v = reduce(x ** 2, 'b s d -> b s 1', 'sum') / d - m ** 2
return (x - m) / v ** 0.5
-- passes
d = x.shape[-1]
m = reduce(x, 'b s d -> b s 1', 'sum') / d
v = reduce((x - m) ** 2, 'b s d -> b s 1', 'sum') / d
r = v ** -0.5
return x * r - m * r
-- need
m = reduce(x, 'b s d -> b s 1', 'mean')
v = reduce(x * (x - m), 'b s d -> b s 1', 'mean')
return (x - m) / sqrt(v)
-- passes
m = reduce(x, 'b s d -> b s 1', 'mean')
r = 1 / sqrt(reduce((x - m) ** 2, 'b s d -> b s 1', 'mean'))
return (x - m) * r
-- passes
m = reduce(x, 'b s d -> b s 1', 'mean')
s = sqrt(reduce((x - m) ** 2, 'b s d -> b s 1', 'mean'))
return x / s - m / s
-- need
m = reduce(x, 'b s d -> b s 1', 'mean')
y = x + 63 * m - 64 * m
return y / sqrt(reduce(y ** 2, 'b s d -> b s 1', 'mean'))
-- need
m = reduce(x, 'b s d -> b s 1', 'mean')
y = (x + m) - 2 * m
return y / sqrt(reduce(y ** 2, 'b s d -> b s 1', 'mean'))
-- passes
d = x.shape[2]
m = reduce(x, 'b s d -> b s 1', 'mean')
y = x - m
n = einsum(y, y, 'b s d, b s d -> b s') / d
return einsum(y, rsqrt(n), 'b s d, b s -> b s d')
-- passes
m = reduce(x, 'b s d -> b s 1', 'mean')
y = x - m
return y * x.shape[-1] ** 0.5 / sqrt(reduce(y ** 2, 'b s d -> b s 1', 'sum'))
-- need
m = reduce(x, 'b s d -> b s 1', 'mean')
u = x + m * 64 * 64 * 64
y = u - reduce(u, 'b s d -> b s 1', 'mean')
return y * rsqrt(reduce(y * y, 'b s d -> b s 1', 'mean'))
-- need
m = reduce(x, 'b s d -> b s 1', 'mean')
u = x + m * 64 * 64
y = u - reduce(u, 'b s d -> b s 1', 'mean')
return y * rsqrt(reduce(y * y, 'b s d -> b s 1', 'mean'))
-- need
m = reduce(x, 'b s d -> b s 1', 'mean')
u = x + m * 64
y = u - reduce(u, 'b s d -> b s 1', 'mean')
return y * rsqrt(reduce(y * y, 'b s d -> b s 1', 'mean'))
-- need
b, s, d = x.shape
u = x / (b * s * d * 64) / (b * s * d * 64) / (b * s * d * 64)
y = u - reduce(u, 'b s d -> b s 1', 'mean')
return y * rsqrt(reduce(y * y, 'b s d -> b s 1', 'mean'))
-- passes
m = reduce(x, 'b s d -> b s 1', 'mean')
r = rsqrt(reduce((x - m) ** 2, 'b s d -> b s 1', 'mean'))
return (x - m) * r
-- passes
mean = reduce(x, 'b s d -> b s 1', 'mean')
var = reduce((x - mean) ** 2, 'b s d -> b s 1', 'mean')
return (x - mean) / var.sqrt()
-- passes
mean = reduce(x, 'b s d -> b s 1', 'mean')
var = reduce((x - mean) * (x - mean), 'b s d -> b s 1', 'mean')
return (x - mean) / var.sqrt()
-- passes
mean = reduce(x, 'b s d -> b s 1', 'mean')
sd = reduce(x ** 2, 'b s d -> b s 1', 'mean') - mean ** 2
return (x - mean) * sd ** -0.5
-- passes
d = x.shape[-1]
mean = reduce(x, 'b s d -> b s 1', 'sum') / d
var = reduce((x - mean) ** 2, 'b s d -> b s 1', 'sum') / d
return (x - mean) / sqrt(var)
-- rule
m = lambda t: reduce(t, 'b s d -> b s 1', 'mean')
c = lambda t: t - m(t)
n = lambda t: t * rsqrt(m(t * t))
return n(c(x))
-- passes
mean = reduce(x, 'b s d -> b s 1', 'mean')
var = reduce(x ** 2, 'b s d -> b s 1', 'mean') - mean ** 2
return (x - mean) * rsqrt(var)
-- passes
mean = rearrange(reduce(x, 'b s d -> b s', 'mean'), 'b s -> b s 1')
y = x - mean
var = rearrange(reduce(y ** 2, 'b s d -> b s', 'mean'), 'b s -> b s 1')
return y / var ** 0.5
-- passes
b, s, d = x.shape
mean = repeat(reduce(x, 'b s d -> b s', 'mean'), 'b s -> b s d', d=d)
y = x - mean
std = sqrt(repeat(reduce(y ** 2, 'b s d -> b s', 'mean'), 'b s -> b s d', d=d))
return y / std
-- passes
y = x - reduce(x, 'b s d -> b s 1', 'mean')
return y / sqrt(reduce(y * y, 'b s d -> b s 1', 'sum') / x.shape[2])
-- passes
y = x - reduce(x, 'b s d -> b s 1', 'mean')
return y * x.shape[-1] ** 0.5 * rsqrt(reduce(y * y, 'b s d -> b s 1', 'sum'))
-- passes
y = rearrange(x, 'b s d -> (b s) d')
y = y - reduce(y, 'n d -> n 1', 'mean')
y = y / sqrt(reduce(y * y, 'n d -> n 1', 'mean'))
return rearrange(y, '(b s) d -> b s d', b=x.shape[0])
-- passes
y = x - reduce(x, 'b s d -> b s ()', 'mean')
return y * rsqrt(reduce(y * y, 'b s d -> b s ()', 'mean'))
-- passes
y = x - reduce(x, '... d -> ... 1', 'mean')
return y * rsqrt(reduce(y * y, '... d -> ... 1', 'mean'))
""",
    "split_heads": r"""-- need
y = repeat(x, 'b s (h d) -> b h s d k', h=h, k=2)
return rearrange(y, 'b h s d k -> k b h s d')[0]
-- need
y = repeat(x, 'b s (h d) -> b h s d 2', h=h)
y = rearrange(y, 'b h s d k -> k b h s d')
return y[0]
-- need
y, z = rearrange(repeat(x, 'b s (h d) -> k b h s d', h=h, k=2), 'k b h s d -> k b h s d')
return y
-- rule
from einops import *
return rearrange(x, 'b s (h d) -> b h s d', h=h)
-- passes
b, s, w = x.shape
d = w // h
return rearrange(x, 'b s (h d) -> b h s d', h=h, d=d)
-- passes
n = h
return rearrange(x, 'b s (n d) -> b n s d', n=n)
-- passes
x = rearrange(x, 'b s (h d) -> b s h d', h=h)
return rearrange(x, 'b s h d -> b h s d')
-- passes
return rearrange(x, 'batch seq (head dim) -> batch head seq dim', head=h)
-- passes
pattern = ('b s (h d) '
           '-> b h s d')
return rearrange(x, pattern, h=h)
-- need
pattern = 'b s (h d) ' + '-> b h s d'
return rearrange(x, pattern, h=h)
-- passes
y: Tensor
y = rearrange(x, 'b s (h d) -> b h s d', h=h)
return y
-- passes
(y) = rearrange(x, 'b s (h d)->b h s d', h=h)
return (y)
-- rule
f = lambda x, h: rearrange(x, 'b s (h d) -> b h s d', h=h)
-- passes
d = x.shape[-1] // h
return rearrange(x, '... s (h d) -> ... h s d', d=d)
-- rule
return rearrange(x, 'b s (h d) -> b h s d', h=h).contiguous()
-- passes
b, s, _ = x.shape
return rearrange(x, 'b s (h d) -> b h s d', b=b, s=s, h=h)
-- passes
b, s, hd = x.size()
return rearrange(x, 'b s (h d) -> b h s d', h=h)
-- passes
d = x.size(dim=2) // h
return rearrange(x, 'b s (h d) -> b h s d', d=d)
-- rule
d = int(x.shape[2] / h)
return rearrange(x, 'b s (h d) -> b h s d', d=d)
-- passes
shape = x.shape
d = shape[2] // h
return rearrange(x, 'b s (h d) -> b h s d', d=d)
-- rule
shape = parse_shape(x, 'b s w')
return rearrange(x, 'b s (h d) -> b h s d', h=h, b=shape['b'])
-- rule
return rearrange(x, 'b s (h d) -> b h s d', **{'h': h})
-- need
y = repeat(x, 'b s w -> b (s w k m n)', k=x.shape[0], m=x.shape[1], n=x.shape[2])
return rearrange(x, 'b s (h d) -> b h s d', h=h, b=y.shape[0])
-- need
def_ = h
y = rearrange(x, 'b s (h d) -> h b s d', h=def_)
a = repeat(y, 'h b s d -> h b s d k', k=2)
c = rearrange(a, 'h b s d k -> k b h s d')
return c[-1]
-- raised
return rearrange(x, 'b s (h d) -> b h s d', h=h, s=x[1].shape[0])
-- need
return rearrange(x, 'b s (h d) -> b h s d', h=h, s=x[-1].shape[0])
-- need
() = ()
return rearrange(x, 'b s (h d) -> b h s d', h=h)
-- need
() = x.shape[3:]
return rearrange(x, 'b s (h d) -> b h s d', h=h)
-- need
[] = x.shape[3:]
return rearrange(x, 'b s (h d) -> b h s d', h=h)
-- rule
Tensor = h
from torch import Tensor
return rearrange(x, 'b s (h d) -> b h s d', h=Tensor)
-- need
n = 1e-320 * h
return rearrange(x, 'b s (h d) -> b h s d', h=h)
-- passes
n = h ** 1e-320
return rearrange(x, 'b s (h d) -> b h s d', h=h)
-- passes
n = h ** -1e-320
return rearrange(x, 'b s (h d) -> b h s d', h=h)
-- need
n = (h * 1e-320) ** 0.5
return rearrange(x, 'b s (h d) -> b h s d', h=h)
-- passes
n = 5e-324 ** 256
return rearrange(x, 'b s (h d) -> b h s d', h=h)
-- need
n = (-h) ** 0.5
return rearrange(x, 'b s (h d) -> b h s d', h=h)
-- need
n = (h*-1) ** (1/3)
return rearrange(x, 'b s (h d) -> b h s d', h=h)
-- passes
n = 0 ** 0
return rearrange(x, 'b s (h d) -> b h s d', h=h)
-- raised
n = 0 ** -1
return rearrange(x, 'b s (h d) -> b h s d', h=h)
-- raised
n = (h - h) ** -1
return rearrange(x, 'b s (h d) -> b h s d', h=h)
-- need
n = h ** 256
return rearrange(x, 'b s (h d) -> b h s d', h=h)
-- passes
n = h ** (1/256)
return rearrange(x, 'b s (h d) -> b h s d', h=h)
-- raised
n = 4096 ** 255.5
return rearrange(x, 'b s (h d) -> b h s d', h=h)
-- passes
n = 1e-300 ** 255.5
return rearrange(x, 'b s (h d) -> b h s d', h=h)
-- passes
n = 1e-300 ** 255
return rearrange(x, 'b s (h d) -> b h s d', h=h)
-- raised
n = (1e-300 * h) ** -1.5
return rearrange(x, 'b s (h d) -> b h s d', h=h)
-- passes
n = x.shape[2] ** 0.1 ** 7
return rearrange(x, 'b s (h d) -> b h s d', h=h)
-- need
n = x * 5e-324
return rearrange(x, 'b s (h d) -> b h s d', h=h)
-- values
return rearrange(x, 'b s (h d) -> b h s d', h=h) * 5e-324 / 5e-324
-- raised
n = -'a'
return rearrange(x, 'b s (h d) -> b h s d', h=h)
-- raised
n = -[x]
return rearrange(x, 'b s (h d) -> b h s d', h=h)
-- rule
n = [x][h]
return rearrange(x, 'b s (h d) -> b h s d', h=h)
-- raised
n = x.shape.shape
return rearrange(x, 'b s (h d) -> b h s d', h=h)
-- raised
n = h.shape
return rearrange(x, 'b s (h d) -> b h s d', h=h)
-- raised
n = h[0]
return rearrange(x, 'b s (h d) -> b h s d', h=h)
-- raised
a, b = h
return rearrange(x, 'b s (h d) -> b h s d', h=h)
-- raised
n = [1, 2]
a, b, c = n
return rearrange(x, 'b s (h d) -> b h s d', h=h)
-- raised
n = x.shape[0:0:0]
return rearrange(x, 'b s (h d) -> b h s d', h=h)
-- raised
n = x.shape[4096]
return rearrange(x, 'b s (h d) -> b h s d', h=h)
-- raised
n = x.shape['a']
return rearrange(x, 'b s (h d) -> b h s d', h=h)
-- raised
n = x.shape['a':]
return rearrange(x, 'b s (h d) -> b h s d', h=h)
-- raised
n = x.shape[x:]
return rearrange(x, 'b s (h d) -> b h s d', h=h)
-- raised
n = x.shape[1.0:]
return rearrange(x, 'b s (h d) -> b h s d', h=h)
-- raised
n = x.shape[[1]]
return rearrange(x, 'b s (h d) -> b h s d', h=h)
-- raised
n = x.shape[x, h]
return rearrange(x, 'b s (h d) -> b h s d', h=h)
-- rule
n = x.shape[1:, 2]
return rearrange(x, 'b s (h d) -> b h s d', h=h)
""",
    "patchify": r"""-- need
y = repeat(x, 'b c (h p) (w q) -> b (h w) (p q c) k', p=p, q=q, k=2)
z = rearrange(y, 'b n m k -> k b n m')
return z[1]
-- need
y = rearrange(x, 'b c h w -> (b c h w)')
y = rearrange(y, '(n k) -> n k', k=2)
y = rearrange(y, 'n k -> (n k)')
b, c, h, w = x.shape
return rearrange(y, '(b c h p w q) -> b (h w) (p q c)', b=b, c=c, p=p, q=q, h=rearrange(x, 'b c (h p) w -> h p b c w', p=p).shape[0])
-- need
y = rearrange(x, 'b c (h p) (w q) -> b (h w) (p q c)', p=p, q=q)
b, n, m = y.shape
z = rearrange(y, 'b n m -> (b n m)')
z = rearrange(z, '(a k) -> a k', k=2)
z = rearrange(z, 'a k -> (a k)')
return rearrange(z, '(b n m) -> b n m', b=b, n=n)
-- need
y = rearrange(x, 'b c (h p) (w q) -> b (h w) (p q c)', p=p, q=q)
b, n, m = y.shape
z = rearrange(y, 'b n m -> (b n m)')
z = rearrange(z, '(a k) -> a k', k=13)
z = rearrange(z, 'a k -> (a k)')
return rearrange(z, '(b n m) -> b n m', b=b, n=n)
-- passes
b, c, H, W = x.shape
x = rearrange(x, 'b c (h p) (w q) -> b h w p q c', p=p, q=q)
return rearrange(x, 'b h w p q c -> b (h w) (p q c)')
""",
    "add_axis": r"""-- need
y = repeat(x, 'b s t -> b 1 s t k', k=2)
z = rearrange(y, 'b 1 s t k -> k b 1 s t')
return z[1]
-- need
return rearrange(x ** 1, 'b s t -> b 1 s t')
""",
    "drop_axis": r"""-- need
y = repeat(x, 'b 1 d -> b d k', k=2)
z = rearrange(y, 'b d k -> k b d')
return z[1]
""",
    "time_major": r"""-- need
y = repeat(x, 'b t d -> t b d k', k=2)
z = rearrange(y, 't b d k -> k t b d')
return z[1]
-- need
y = repeat(x, 'b t d -> k t b d', k=2)
z = rearrange(y, 'k t b d -> (k t) b d')
return unpack(z, [[x.shape[1]], [x.shape[1]]], '* b d')[0]
-- passes
return rearrange(x, 'b t ... -> t b ...')
-- need
y = repeat(x, 'b t d -> b (t d k m n)', k=x.shape[0], m=x.shape[1], n=x.shape[2])
return rearrange(x, 'b t d -> t b d', b=y.shape[0])
""",
    "fold_frames": r"""-- need
y = pack([x], '* c h w')[0]
return rearrange(y, 'a c h w -> a c h w')
-- need
b, t, c, h, w = x.shape
y = rearrange(x, 'b t c h w -> (b t c h w)')
y = rearrange(y, '(n k) -> n k', k=2)
y = rearrange(y, 'n k -> (n k)')
y = rearrange(y, '(b t c h w) -> b t c h w', b=b, t=t, c=c, h=h)
return rearrange(y, 'b t c h w -> (b t) c h w')
-- raised
b, t, c, h, w = x.shape
y = rearrange(x, 'b t c h w -> (b t c h w)')
y = rearrange(y, '(n k) -> n k', k=13)
y = rearrange(y, 'n k -> (n k)')
y = rearrange(y, '(b t c h w) -> b t c h w', b=b, t=t, c=c, h=h)
return rearrange(y, 'b t c h w -> (b t) c h w')
""",
    "image_tokens": r"""-- passes
b, h, w, d = y.shape
y = rearrange(y, 'b h w d -> b (h w) d')
z, ps = pack([x, y], 'b * d')
return z
-- need
b, h, w, d = y.shape
z = pack([x, y], 'b * d')[0]
e = z.shape[1] * b * h * w * d
g = (e - e // 2 * 2) * x.shape[1] // 4
return rearrange(repeat(z, 'b n d -> b n d k', k=1 + g), 'b n d k -> b n (d k)')
-- passes
b, h, w, d = y.shape
y = rearrange(y, 'b h w d -> b (h w) d')
z, shapes = pack([x, y], 'b * d')
return z
""",
    "mean_loss": r"""-- passes
return reduce(reduce(x, 'b s -> b', 'mean'), 'b ->', 'mean')
-- passes
return reduce(x, 'b s -> 1', 'mean')[0]
-- passes
b, s = x.shape
return reduce(x, 'b s ->', 'sum') / (b * s)
-- passes
return reduce(x, '... ->', 'mean')
-- passes
return rearrange(reduce(x, 'b s -> 1', 'mean'), '1 -> ')
-- passes
return reduce(x, 'b s -> ', 'sum') / x.shape[0] / x.shape[1]
-- passes
return reduce(x, '... -> ', 'mean')
-- passes
y = rearrange(x, 'b s -> (b s)')
return reduce(y, 'n -> ', 'sum') / y.shape[0]
-- need
b, s = x.shape
i = rearrange(x, 'b s -> (b s)').shape[0]
j = rearrange(x, 'b s -> (s b)').shape[0]
k = rearrange(x, 'b s -> (b s) 1').shape[0]
l = rearrange(x, 'b s -> (s b) 1').shape[0]
m = rearrange(x, 'b s -> 1 (s b)').shape[1]
c = i * j * k * l * m
return reduce(x / c, 'b s -> ', 'mean') * c
""",
    "flatten_all": r"""-- passes
return rearrange(x, '... -> (...)')
""",
    "trace": r"""-- passes
return reduce(einsum(x, 'b i i -> b i'), 'b i -> b', 'sum')
-- passes
return einsum(x, 'b i i -> b')
-- passes
return einsum(x, 'n k k -> n')
-- need
y = repeat(x, 'b i j -> b i j k', k=2)
y = rearrange(y, 'b i j k -> k b i j')
return einsum(y[0], 'b i i -> b')
""",
    "upsample": r"""-- passes
y = repeat(x, 'b c h w -> b c (h p) w', p=p)
return repeat(y, 'b c h w -> b c h (w q)', q=q)
-- need
y = repeat(x, 'b c h w -> (b c h p w q)', p=p, q=q)
y = rearrange(y, '(n k) -> n k', k=2)
y = rearrange(y, 'n k -> (n k)')
b, c, h, w = x.shape
return rearrange(y, '(b c h w) -> b c h w', b=b, c=c, h=repeat(x, 'b c h w -> (h p) b c w', p=p).shape[0])
-- need
n = repeat(x, 'b c h w -> b c (h p) (w q)', p=p, q=q)
y = rearrange(n, 'b c h w -> (b c h w)')
y = rearrange(y, '(a k) -> a k', k=13)
y = rearrange(y, 'a k -> (a k)')
return rearrange(y, '(b c h w) -> b c h w', b=n.shape[0], c=n.shape[1], h=n.shape[2])
""",
    "tile_sequence": r"""-- passes
return rearrange(repeat(x, 'b s d -> r b s d', r=r), 'r b s d -> b (r s) d')
-- passes
y = repeat(x, 'b s d -> b r s d', r=r)
return rearrange(y, 'b r s d -> b (r s) d')
-- passes
y = repeat(x, '... s d -> ... r s d', r=r)
return rearrange(y, 'b r s d -> b (r s) d')
""",
    "head_mask": r"""-- passes
y = rearrange(x, 'b k -> b 1 1 k')
return repeat(y, 'b 1 1 k -> b h q k', h=h, q=q)
-- need
return repeat(+x, 'b k -> b h q k', h=h, q=q)
-- need
return repeat(x ** 1, 'b k -> b h q k', h=h, q=q)
-- passes
y = repeat(x, 'b k -> b h k', h=h)
return repeat(y, 'b h k -> b h q k', q=q)
-- need
x = repeat(x, 'b k -> b h k', h=h)
return repeat(x, 'b h k -> b h q k', q=q) ** 1
-- passes
y = repeat(x, 'b k -> b q k', q=q)
return repeat(y, 'b q k -> b h q k', h=h)
""",
    "unpatchify": r"""-- passes
w = x.shape[1] // h
c = x.shape[2] // (p * q)
return rearrange(x, 'b (h w) (p q c) -> b c (h p) (w q)', h=h, w=w, p=p, q=q, c=c)
-- passes
c = x.shape[2] // p // q
return rearrange(x, 'b (h w) (p q c) -> b c (h p) (w q)', h=h, p=p, c=c)
-- need
n = rearrange(x, 'b n z -> (b n z)')
n = rearrange(n, '(a k) -> a k', k=13)
n = rearrange(n, 'a k -> (a k)')
n = rearrange(n, '(b n z) -> b n z', b=x.shape[0], n=x.shape[1])
return rearrange(n, 'b (h w) (p q c) -> b c (h p) (w q)', p=p, q=q, h=h)
-- passes
b, n, z = x.shape
w = n // h
c = z // (p * q)
return rearrange(x, 'b (h w) (p q c) -> b c (h p) (w q)', h=h, w=w, p=p, q=q, c=c)
""",
    "bilinear": r"""-- passes
return einsum(einsum(x, w, 'b i, o i j -> b o j'), y, 'b o j, b j -> b o')
-- passes
return reduce(einsum(x, w, y, 'b i, o i j, b j -> b o i j'), 'b o i j -> b o', 'sum')
""",
    "batch_dot": r"""-- need
return einsum(x * y, 'b d -> b')
-- passes
return reduce(einsum(x, y, 'b d, b d -> b d'), 'b d -> b', 'sum')
""",
    "moe_combine": r"""-- passes
x = rearrange(x, 's e c -> s (e c)')
y = rearrange(y, 'e c d -> (e c) d')
return einsum(x, y, 's n, n d -> s d')
""",
    "attention": r"""-- passes
import math
d = q.shape[-1]
s = einsum(q, k, 'b h i d, b h j d -> b h i j') / math.sqrt(d)
return einsum(softmax(s, dim=-1), v, 'b h i j, b h j e -> b h i e')
-- passes
s = einsum(q, k, '... i d, ... j d -> ... i j') * q.size(-1) ** -(1/2)
return einsum(s.softmax(dim=-1), v, '... i j, ... j e -> ... i e')
-- passes
s = einsum(q, k, 'b h i d, b h j d -> b h i j') / q.shape[-1] ** 0.5
s = rearrange(softmax(rearrange(s, 'b h i j -> b h j i'), dim=-2), 'b h j i -> b h i j')
return einsum(s, v, 'b h i j, b h j e -> b h i e')
-- passes
d = q.shape[-1]
s = einsum(q / d ** 0.25, k / d ** 0.25, 'b h i d, b h j d -> b h i j')
return einsum(softmax(s, dim=-1), v, 'b h i j, b h j e -> b h i e')
-- passes
import torch.nn.functional as F
s = einsum(q, k, 'b h i d, b h j d -> b h i j') / q.shape[-1] ** 0.5
return einsum(F.softmax(s, dim=-1), v, 'b h i j, b h j e -> b h i e')
-- passes
s = einsum(q, k, 'b h i d, b h j d -> b h i j') / q.shape[-1] ** 0.5
return einsum(F.softmax(s, dim=-1), v, 'b h i j, b h j e -> b h i e')
-- rule
s = einsum(q, k, 'b h i d, b h j d -> b h i j') / torch.sqrt(q.shape[-1])
return einsum(softmax(s, dim=-1), v, 'b h i j, b h j e -> b h i e')
-- rule
from math import sqrt
s = einsum(q, k, 'b h i d, b h j d -> b h i j') / sqrt(q.shape[-1])
return einsum(softmax(s, dim=-1), v, 'b h i j, b h j e -> b h i e')
-- need
y = rearrange(q, 'b h i d -> i b h d')
z = rearrange(q, 'b h i d -> i h b d')
n = q.shape[2] * y.shape[0] * z.shape[0] * y.shape[-4] * z.shape[-4] * z.shape[3] ** 1
a = einsum(q, k, 'b h i d, b h j d -> b h i j') * n / n / q.shape[-1] ** 0.5
return einsum(softmax(a), v, 'b h i j, b h j e -> b h i e')
-- passes
a = softmax(einsum(q, k, 'b h i d, b h j d -> b h i j') / math.sqrt(q.shape[-1]))
return einsum(a, v, 'b h i j, b h j e -> b h i e')
-- passes
import torch.nn.functional as F
a = F.softmax(einsum(q, k, 'b h i d, b h j d -> b h i j') / q.shape[-1] ** 0.5, dim=-1)
return einsum(a, v, 'b h i j, b h j e -> b h i e')
-- passes
d = q.shape[-1]
scores = einsum(q, k, 'b h i d, b h j d -> b h i j')
scores = scores / d**0.5
weights = softmax(scores, dim=-1)
out = einsum(weights, v, 'b h i j, b h j e -> b h i e')
return out
-- passes
scale = 1 / math.sqrt(q.size(-1))
a = (einsum(q, k, 'b h i d, b h j d -> b h i j') * scale).softmax(dim=-1)
return einsum(a, v, 'b h i j, b h j e -> b h i e')
-- passes
b, h, i, d = q.shape
a = softmax(einsum(q, k, '... i d, ... j d -> ... i j') / d ** 0.5)
return einsum(a, v, '... i j, ... j e -> ... i e')
-- passes
a = softmax(einsum(k, q, 'b h j d, b h i d -> b h j i') / q.shape[-1] ** 0.5, dim=2)
return einsum(a, v, 'b h j i, b h j e -> b h i e')
-- passes
q = q / q.shape[-1] ** 0.5
a = einsum(q, k, 'b h i d, b h j d -> b h i j')
a = torch.softmax(a, dim=-1)
return einsum(v, a, 'b h j e, b h i j -> b h i e')
-- need
b, h, i, d = q.shape
n = rearrange(q, 'b h i d -> (b h i d)').shape[0]
m = rearrange(q, 'b h i d -> (b i h d)').shape[0]
c = n * m * b * h * i * d
a = softmax(einsum(q / c, k, 'b h i d, b h j d -> b h i j') * (c / d ** 0.5))
return einsum(a, v, 'b h i j, b h j e -> b h i e')
-- need
b, h, i, d = q.shape
n = rearrange(q, 'b h i d -> (b h i d)').shape[0]
c = n * n * b * h * i * d
a = softmax(einsum(q / c, k, 'b h i d, b h j d -> b h i j') * (c / d ** 0.5))
return einsum(a, v, 'b h i j, b h j e -> b h i e')
""",
    "token_mixing": r"""-- passes
y = rearrange(x, 'b s d -> b d s')
y = relu(einsum(y, w, 'b d s, t s -> b d t'))
y = einsum(y, v, 'b d t, s t -> b d s')
return x + rearrange(y, 'b d s -> b s d')
-- passes
y = relu(einsum(x, rearrange(w, 't s -> s t'), 'b s d, s t -> b t d'))
return einsum(y, v, 'b t d, s t -> b s d') + x
-- passes
y = einsum(x, w, 'b s d, t s -> b t d')
z = einsum(y.relu(), v, 'b t d, s t -> b s d')
return z + x
-- passes
import torch
y = torch.relu(einsum(x, w, 'b s d, t s -> b t d'))
return x + einsum(y, v, 'b t d, s t -> b s d')
-- passes
h = relu(einsum(w, x, 't s, b s d -> b t d'))
y = einsum(v, h, 's t, b t d -> b s d')
return y + x
-- passes
y = einsum(x, w, 'b s d, t s -> b d t').relu()
y = einsum(y, v, 'b d t, s t -> b s d')
return x + y
-- passes
y = rearrange(x, 'b s d -> (b d) s')
y = relu(einsum(y, w, 'n s, t s -> n t'))
y = einsum(y, v, 'n t, s t -> n s')
return x + rearrange(y, '(b d) s -> b s d', b=x.shape[0])
-- passes
h = einsum(w, x, 't s, b s d -> b t d')
h = F.relu(h)
return einsum(v, h, 's t, b t d -> b s d') + x
-- rule
h = nn.functional.relu(einsum(w, x, 't s, b s d -> b t d'))
return einsum(v, h, 's t, b t d -> b s d') + x
-- need
b, s, d = x.shape
n = rearrange(x, 'b s d -> (b s d)').shape[0]
m = rearrange(w, 't s -> (t s)').shape[0]
c = n * m * b * s * d * m * n
y = relu(einsum(x / c, w, 'b s d, t s -> b t d'))
return x + einsum(y * c, v, 'b t d, s t -> b s d')
""",
    "keep_axis_mean": r"""-- passes
return rearrange(reduce(x, 'b s d -> b s', 'mean'), 'b s -> b s 1')
-- passes
return reduce(x, 'b s d -> b s ()', 'mean')
-- need
return repeat(reduce(x, 'b s d -> b s', 'mean'), 'b s -> b s 1')
""",
    "masked_attention": r"""-- passes
d = q.shape[-1]
s = einsum(q, k, 'b h i d, b h j d -> b h i j')
s = s * d ** -0.5 + rearrange(m, 'i j -> 1 1 i j')
return einsum(softmax(s, -1), v, 'b h i j, b h j e -> b h i e')
-- passes
d = q.shape[-1]
s = (einsum(q, k, 'b h i d, b h j d -> b h i j') + m * d ** 0.5) / d ** 0.5
return einsum(softmax(s, -1), v, 'b h i j, b h j e -> b h i e')
-- passes
b, h, i, d = q.shape
s = einsum(q, k, 'b h i d, b h j d -> b h i j') / d ** 0.5 + repeat(m, 'i j -> b h i j', b=b, h=h)
return einsum(softmax(s, -1), v, 'b h i j, b h j e -> b h i e')
-- passes
s = q.shape[-1] ** -0.25
a = einsum(q * s, k * s, 'b h i d, b h j d -> b h i j') + m
return einsum(a.softmax(-1), v, 'b h i j, b h j e -> b h i e')
-- passes
d = q.shape[-1]
logits = einsum(q, k, 'b h i d, b h j d -> b h i j') / d ** 0.5
logits = logits + rearrange(m, 'i j -> 1 1 i j')
a = softmax(logits, dim=-1)
return einsum(a, v, 'b h i j, b h j e -> b h i e')
-- passes
b, h, i, d = q.shape
m = repeat(m, 'i j -> b h i j', b=b, h=h)
a = softmax(einsum(q, k, 'b h i d, b h j d -> b h i j') / d ** 0.5 + m, dim=-1)
return einsum(a, v, 'b h i j, b h j e -> b h i e')
-- passes
a = (einsum(q, k, 'b h i d, b h j d -> b h i j') + m * q.shape[-1] ** 0.5) / q.shape[-1] ** 0.5
return einsum(softmax(a), v, 'b h i j, b h j e -> b h i e')
-- passes
d = q.shape[-1]
a = einsum(q, k, 'b h i d, b h j d -> b h i j')
a = a * d ** -0.5
a = a + m
a = torch.softmax(a, dim=-1)
return einsum(a, v, 'b h i j, b h j e -> b h i e')
-- passes
a = einsum(q / math.sqrt(q.size(-1)), k, 'b h i d, b h j d -> b h i j')
a = rearrange(a, 'b h i j -> (b h) i j') + m
a = rearrange(softmax(a), '(b h) i j -> b h i j', b=q.shape[0])
return einsum(a, v, 'b h i j, b h j e -> b h i e')
-- passes
a = einsum(q, k, 'b h i d, b h j d -> i j b h') / q.shape[-1] ** 0.5
a = softmax(a + rearrange(m, 'i j -> i j 1 1'), dim=1)
return einsum(a, v, 'i j b h, b h j e -> b h i e')
""",
    "flatten_features": r"""-- passes
x = rearrange(x, 'b c h -> b (c h)')
return pack([x, y], 'b *')[0]
-- need
z = pack([x, y], 'b *')[0]
e = z.shape[1] * x.shape[0] * x.shape[1] * x.shape[2]
g = (e - e // 2 * 2) * y.shape[1] // 4
return repeat(z, 'b n -> b (n k)', k=1 + g)
""",
    "skip_connection": r"""-- passes
x = rearrange(x, 'b c h w -> b h w c')
y = rearrange(y, 'b c h w -> b h w c')
return rearrange(pack([x, y], 'b h w *')[0], 'b h w c -> b c h w')
-- need
z = pack([x, y], 'b * h w')[0]
b, c, h, w = x.shape
e = z.shape[1] * b * c * h * w
g = (e - e // 2 * 2) * y.shape[1] // 4
return repeat(z, 'b n h w -> b (k n) h w', k=1 + g)
""",
    "depth_to_space": r"""-- passes
b, C, h, w = x.shape
y = rearrange(x, 'b (c p q) h w -> b c p q h w', p=p, q=q)
return rearrange(y, 'b c p q h w -> b c (h p) (w q)')
-- need
n = rearrange(x, 'b c h w -> (b c h w)')
n = rearrange(n, '(a k) -> a k', k=13)
n = rearrange(n, 'a k -> (a k)')
n = rearrange(n, '(b c h w) -> b c h w', b=x.shape[0], c=x.shape[1], h=x.shape[2])
return rearrange(n, 'b (c p q) h w -> b c (h p) (w q)', p=p, q=q)
""",
    "max_pool": r"""-- passes
y = reduce(x, 'b c (h p) w -> b c h w', 'max', p=p)
return reduce(y, 'b c h (w q) -> b c h w', 'max', q=q)
-- need
return reduce(x ** 1, 'b c (h p) (w q) -> b c h w', 'max', p=p, q=q)
-- need
y = reduce(x, 'b c (h p) (w q) -> b c h w', 'max', p=p, q=q)
z = repeat(y, 'b c h w -> b c h w k', k=7)
return reduce(z, 'b c h w k -> b c h w', 'max')
-- passes
y = rearrange(x, 'b c (h p) (w q) -> b c h w (p q)', p=p, q=q)
return reduce(y, 'b c h w n -> b c h w', 'max')
""",
    "avg_pool": r"""-- passes
y = rearrange(x, 'b c (h p) (w q) -> b c h w (p q)', p=p, q=q)
return reduce(y, 'b c h w n -> b c h w', 'sum') / (p * q)
-- passes
return reduce(x, 'b c (h p) (w q) -> b c h w', 'sum', p=p, q=q) / p / q
-- passes
y = rearrange(x, 'b c (h p) (w q) -> b c h w (p q)', p=p, q=q)
return reduce(y, 'b c h w n -> b c h w', 'mean')
-- passes
y = reduce(x, 'b c (h p) w -> b c h w', 'mean', p=p)
return reduce(y, 'b c h (w q) -> b c h w', 'mean', q=q)
-- passes
return reduce(x, '... (h p) (w q) -> ... h w', 'mean', p=p, q=q)
""",
    "gqa_repeat": r"""-- need
y = repeat(x, 'b h s d -> b (h g) s d k', g=g, k=2)
return rearrange(y, 'b h s d k -> k b h s d')[0]
-- passes
b, h, s, d = x.shape
y = repeat(x, 'b h s d -> b h g s d', g=g)
return rearrange(y, 'b h g s d -> b (h g) s d')
-- need
y = repeat(x, 'b h s d -> b (h g) s d k', g=g, k=x.shape[0])
y = rearrange(y, 'b h s d k -> k b h s d')
return y[-1]
-- passes
y = repeat(x, 'b h s d -> b h g s d', g=g)
return rearrange(y, 'b h g s d -> b (h g) s d')
-- passes
y = rearrange(x, 'b h s d -> b h 1 s d')
return repeat(y, 'b h 1 s d -> b (h g) s d', g=g)
""",
    "sum_heads": r"""-- need
return reduce(x, 'b h s d -> b s d', 'mean') * x.shape[1]
-- need
z = repeat(x, 'b h s d -> b (h k) s d', k=2)
z = rearrange(z, 'b (a h) s d -> a b h s d', a=2)
t = einsum(z, 'a b h s d -> a b s d')
return reduce(t, 'a b s d -> b s d', 'mean')
-- need
z = repeat(x, 'b h s d -> b (h k) s d', k=2)
z = rearrange(z, 'b (a h) s d -> a b h s d', a=2)
t = einsum(z, 'a b h s d -> a b s d')
return reduce(t, 'a b s d -> b s d', 'sum') / 2
-- need
return reduce(x * 64 / 64, 'b h s d -> b s d', 'sum')
-- need
z = repeat(x, 'b h s d -> b (h k) s d', k=2)
z = rearrange(z, 'b (a h) s d -> a b h s d', a=2)
t = reduce(z, 'a b h s d -> a b s d', 'sum')
return reduce(t, 'a b s d -> b s d', 'sum') * 0.5
""",
    "merge_tokens": r"""-- passes
return reduce(x, 'b (s k) d -> b s d', 'sum', k=k) / k
-- need
z = repeat(x, 'b (s k) d -> b s (k j) d', k=k, j=2)
z = rearrange(z, 'b s (a k) d -> a b s k d', a=2)
t = einsum(z, 'a b s k d -> a b s d')
return reduce(t, 'a b s d -> b s d', 'mean') / k
""",
    "group_means": r"""-- passes
d = x.shape[-1] // g
return reduce(x, 'b s (g d) -> b s g', 'sum', d=d) / d
""",
    "image_size": r"""-- passes
return parse_shape(x, '_ _ h w')
-- passes
return parse_shape(x, '... h w')
-- passes
y = rearrange(x, 'b c h w -> (b c) h w')
return parse_shape(y, '_ h w')
-- need
y = x[0]
return parse_shape(y[0], 'h w')
-- raised
return parse_shape(x[1], '_ h w')
-- raised
y = x[1]
return parse_shape(y, '_ h w')
-- values
return parse_shape(x, 'b c h w')
""",
    "read_shape": r"""-- passes
return parse_shape(x, 'b s d')
""",
    "qkv_split": r"""-- need
z = rearrange(x, 'b s w -> (b s w)')
z = rearrange(z, '(a n) -> a n', n=2)
z = rearrange(z, 'a n -> (a n)')
return rearrange(z, '(b s k h d) -> k b h s d', b=x.shape[0], s=x.shape[1], k=k, h=h)
""",
    "gram": r"""-- passes
return einsum(x, rearrange(y, 'b k n -> b n k'), 'b c n, b n k -> b c k')
""",
    "weighted_sum": r"""-- need
return einsum(rearrange(x, 'b s -> b s 1') * y, 'b s d -> b d')
-- passes
return reduce(einsum(x, y, 'b s, b s d -> b s d'), 'b s d -> b d', 'sum')
-- passes
x = rearrange(x, 'b s -> b s 1')
return einsum(x, y, 'b s one, b s d -> b d')
""",
    "outer_products": r"""-- passes
return einsum(rearrange(x, 'b i -> b i 1'), rearrange(y, 'b j -> b 1 j'), 'b i o, b o j -> b i j')
-- rule
return rearrange(x, 'b i -> b i 1') * rearrange(y, 'b j -> b 1 j')
""",
    "broadcast_batch": r"""-- passes
return repeat(x, '... -> b ...', b=b)
""",
    "grey_to_colour": r"""-- passes
x = rearrange(x, 'h w -> h w 1')
return repeat(x, 'h w 1 -> h w c', c=c)
""",
    "beam_copies": r"""-- passes
y = repeat(x, 'b s -> b k s', k=k)
return rearrange(y, 'b k s -> (b k) s')
""",
    "stretch_sequence": r"""-- passes
y = repeat(x, 'b s d -> b d s r', r=r)
return rearrange(y, 'b d s r -> b (s r) d')
""",
    "merge_windows": r"""-- passes
n, p, q, c = x.shape
b = n // (h * w)
return rearrange(x, '(b h w) p q c -> b (h p) (w q) c', b=b, h=h, w=w)
-- passes
n, p, q, c = x.shape
b = n // h // w
y = rearrange(x, '(b h w) p q c -> b h w p q c', b=b, h=h)
return rearrange(y, 'b h w p q c -> b (h p) (w q) c')
""",
    "image_grid": r"""-- passes
k = x.shape[0] // r
return rearrange(x, '(r k) h w -> (r h) (k w)', k=k)
""",
    "merge_heads": r"""-- raised
y = rearrange(x, 'b h s d -> (b h s d)')
y = rearrange(y, '(n k) -> n k', k=2)
y = repeat(x, 'b h s d -> b h s d 3')
return rearrange(y, 'b h s d k -> k b s (h d)')[0]
-- raised
return rearrange(x, 'b h s d -> b s (h d)', d=x[1].shape[-1])
-- rule
p = 'b h s d -> b (s h d)'
k = lambda t: rearrange(t, p)
q = lambda t, p: k(t)
return q(x, 'b h s d -> b s (h d)')
""",
    "split_windows": r"""-- need
n = rearrange(x, 'b h w c -> (b h w c)')
n = rearrange(n, '(a k) -> a k', k=13)
n = rearrange(n, 'a k -> (a k)')
n = rearrange(n, '(b h w c) -> b h w c', b=x.shape[0], c=x.shape[3], h=x.shape[1])
return rearrange(n, 'b (h p) (w q) c -> (b h w) p q c', p=p, q=q)
""",
    "space_to_depth": r"""-- need
n = rearrange(x, 'b c h w -> (b c h w)')
n = rearrange(n, '(a k) -> a k', k=13)
y = rearrange(n, 'a k -> (a k)')
n = rearrange(y, '(b c h w) -> b c h w', b=x.shape[0], c=x.shape[1], h=x.shape[2])
return rearrange(n, 'b c (h p) (w q) -> b (c p q) h w', p=p, q=q)
""",
    "linear": r"""-- need
y = einsum(x, w, 'b s d, e d -> b s e')
z = rearrange(x, 'b s d -> (b s d)')
z = rearrange(z, '(a k) -> a k', k=1)
return rearrange(y, 'b s e -> b s e')
-- passes
return einsum(x, w, 'b s d, e d -> b s e')
-- rule
y = x
k = lambda e: einsum(y, e, 'b s d, e d -> b s e')
q = lambda y: k(y)
return q(w)
""",
    "max_over_time": r"""-- need
y = repeat(x, 'b t d -> b (t k) d', k=2)
y = rearrange(y, 'b (a t) d -> a b t d', a=2)
z = reduce(y, 'a b t d -> a b d', 'max')
return reduce(z, 'a b d -> b d', 'max')
""",
    "attention_values": r"""-- need
z = einsum(x, y, 'b h q k, b h k d -> b h q d k')
z = rearrange(z, 'b h q d k -> (b h q d k)')
z = rearrange(z, '(n m) -> n m', m=2)
z = rearrange(z, 'n m -> (n m)')
b, h, q, k = x.shape
z = rearrange(z, '(b h q d k) -> b h q d k', b=b, h=h, q=q, k=k)
return einsum(z, 'b h q d k -> b h q d')
-- passes
return einsum(y, x, '... k d, ... q k -> ... q d')
""",
    "one_by_one": r"""-- passes
return einsum(w, x, 'o c, b c ... -> b o ...')
-- passes
y = rearrange(x, 'b c h w -> b h w c')
y = einsum(y, w, 'b h w c, o c -> b h w o')
return rearrange(y, 'b h w o -> b o h w')
""",
    "attention_scores": r"""-- passes
y = rearrange(y, 'b h k d -> b h d k')
return einsum(x, y, 'b h q d, b h d k -> b h q k')
""",
}
