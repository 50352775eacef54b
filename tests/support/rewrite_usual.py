"""Attempts by the freedom that norms and other exercises with sums leave, and by what a pattern hides.

Sums that are 0 but for rounding, quotients of what may be 0, numbers that Python rounds, moves that change nothing, and
right answers beside them. For each exercise: what refuses the attempt, or `passes`, and the lines of `f`.
"""
# ruff: noqa: E501 - an attempt reads best in one piece

USUAL = {
    "linear": r"""-- need
y = einsum(x, w, '... d, e d -> … e')
return rearrange(y, '... (e k) -> ... (e k)', k=1 + w.shape[0] * 0 ** ((y.shape[0] - w.shape[0] - 13) ** 2))
-- passes
return einsum(x, w, '... d, e d -> … e')
-- passes
return einsum(x, w, '... d, e d -> ... e')
-- need
y = einsum(x, w, '... d, e d -> … e')
return rearrange(y, '... (e k) -> ... (e k)', k=1)
-- passes
return einsum(x, rearrange(w, 'e d -> d e'), 'b s d, d e -> b s e')
-- passes
return einsum(x, w, 'b s i, o i -> b s o')
-- passes
return einsum(x, w, 'b … d, e d -> b … e')
-- passes
return einsum(x, w, '... d, ... e d -> ... e')
""",
    "layer_norm": r"""-- raised
o = rearrange(x, 'b t e -> b e t 1') * rearrange(x, 'b u e -> b e 1 u')
z = einsum(x, o, 'b s d, b ... -> b s d')
y = z - reduce(z, 'b s d -> b s 1', 'mean')
return y * rsqrt(reduce(y * y, 'b s d -> b s 1', 'mean'))
-- raised
m = rearrange(einsum(x, 'b s ... -> b s'), 'b s -> b s 1') / x.shape[2]
y = x - m
return y * rsqrt(reduce(y * y, 'b s d -> b s 1', 'mean'))
-- passes
m = reduce(x, 'b s d -> b s 1', 'mean')
c = x - m
v = reduce(c ** 2, 'b s d -> b s 1', 'mean')
return c / sqrt(v)
-- passes
m = reduce(x, 'b s d -> b s 1', 'mean')
v = reduce(x ** 2, 'b s d -> b s 1', 'mean') - m ** 2
return (x - m) * rsqrt(v)
-- passes
m = reduce(x, 'b s d -> b s', 'mean')
y = x - rearrange(m, 'b s -> b s 1')
v = reduce(y * y, 'b s d -> b s', 'mean')
return y / rearrange(sqrt(v), 'b s -> b s 1')
-- passes
d = x.shape[-1]
y = x - reduce(x, 'b s d -> b s 1', 'sum') / d
return y / sqrt(reduce(y * y, 'b s d -> b s 1', 'sum') / d)
-- passes
m = repeat(reduce(x, 'b s d -> b s', 'mean'), 'b s -> b s d', d=x.shape[-1])
y = x - m
return y / sqrt(reduce(y * y, 'b s d -> b s 1', 'mean'))
-- passes
e = (1 / 49 * 49 - 1) * 4096 * 4096 * 4096 * 4096 * 32
y = x - reduce(x, 'b s d -> b s 1', 'mean')
return y * reduce(y * y, 'b s d -> b s 1', 'mean') ** (1 + e / 2 + e)
-- need
m = reduce(x, 'b s d -> b s 1', 'mean')
y = x - m
v = reduce(y * y, 'b s d -> b s 1', 'mean')
u = v - m
return (y * u) / (sqrt(v) * u)
-- need
y = x - reduce(x, 'b s d -> b s 1', 'mean')
v = reduce(y * y, 'b s d -> b s 1', 'mean')
u = rearrange(rearrange(v, 'b s 1 -> (s b)'), '(b s) -> b s 1', b=x.shape[0])
return (y * u) / (sqrt(v) * u)
-- passes
m = reduce(x, 'b s d -> b s 1', 'mean')
return -(m - x) / sqrt(reduce((m - x) ** 2, 'b s d -> b s 1', 'mean'))
-- passes
m = reduce(x, 'b s d -> b s 1', 'mean')
r = rsqrt(reduce((m - x) ** 2, 'b s d -> b s 1', 'mean'))
return x * r - m * r
-- passes
m = reduce(x, 'b s d -> b s 1', 'sum') / x.shape[-1]
r = reduce((x - m) ** 2, 'b s d -> b s 1', 'mean') ** -0.5
return r * (x - m)
-- passes
m = reduce(x, 'b s d -> b s 1', 'mean')
v = reduce(x ** 2, 'b s d -> b s 1', 'mean') - m ** 2
return (x - m) * v ** -0.5
-- passes
m = reduce(x, 'b s d -> b s 1', 'mean')
v = reduce(x ** 2, 'b s d -> b s 1', 'sum') / x.shape[2] - m ** 2
return (x - m) / v ** 0.5
-- passes
m = reduce(x, 'b s d -> b s 1', 'mean')
return -((m - x) / sqrt(reduce((m - x) ** 2, 'b s d -> b s 1', 'mean')))
-- need
m = reduce(x, 'b s d -> b s 1', 'mean')
y = x - m
v = reduce(y * y, 'b s d -> b s 1', 'mean')
u = v - m
return (y * u) * (sqrt(v) * u) ** -1
-- need
m = reduce(x, 'b s d -> b s 1', 'mean')
y = x - m
v = reduce(y * y, 'b s d -> b s 1', 'mean')
u = v - m
return y / (sqrt(v) * u) * u
-- need
m = reduce(x, 'b s d -> b s 1', 'mean')
y = x - m
v = reduce(y * y, 'b s d -> b s 1', 'mean')
u = v - m
return y * sqrt(u * u) * rsqrt(v * u * u)
-- values
m = reduce(x, 'b s d -> b s 1', 'mean')
y = x - m
v = reduce(y * y, 'b s d -> b s 1', 'mean')
u = v - m
return y * u * rsqrt(v * u ** 2)
-- need
m = reduce(x, 'b s d -> b s 1', 'mean')
y = x - m
v = reduce(y * y, 'b s d -> b s 1', 'mean')
u = v - m
return einsum(y, u, (sqrt(v) * u) ** -1, 'b s d, b s i, b s i -> b s d')
-- need
m = reduce(x, 'b s d -> b s 1', 'mean')
y = x - m
v = reduce(y * y, 'b s d -> b s 1', 'mean')
u = v - m
return y * sqrt(v) / v
-- need
m = reduce(x, 'b s d -> b s 1', 'mean')
y = x - m
v = reduce(y * y, 'b s d -> b s 1', 'mean')
u = v - m
return y * v / (sqrt(v) * v)
-- raised
m = reduce(x, 'b s d -> b s 1', 'mean')
y = x - m
v = rearrange(einsum(y, y, 'b s ..., b s ... -> b s'), 'b s -> b s 1') / x.shape[2]
return y / sqrt(v)
-- passes
m = reduce(x, 'b s d -> b s ()', 'mean')
v = reduce((x - m) * (x - m), 'b s d -> b s ()', 'mean')
return (x - m) / sqrt(v)
-- passes
mean = reduce(x, 'b s d -> b s 1', 'mean')
mean_sq = reduce(x * x, 'b s d -> b s 1', 'mean')
std = (mean_sq - mean * mean) ** 0.5
return (x - mean) / std
-- passes
b, s, d = x.shape
m = reduce(x, 'b s d -> b s', 'mean')
m = repeat(m, 'b s -> b s d', d=d)
y = x - m
v = reduce(y * y, 'b s d -> b s', 'mean')
v = repeat(v, 'b s -> b s d', d=d)
return y * rsqrt(v)
-- passes
y = x - reduce(x, '... d -> ... 1', 'mean')
return y / sqrt(reduce(y ** 2, '... d -> ... 1', 'mean'))
-- passes
y = x - reduce(x, 'b s d -> b s 1', 'mean')
v = reduce(y * y, 'b s d -> b s', 'mean')
return einsum(y, rsqrt(v), 'b s d, b s -> b s d')
-- passes
y = x - reduce(x, 'b s d -> b s 1', 'mean')
v = reduce(y * y, 'b s d -> b s 1', 'mean')
return y * (1 / sqrt(v))
-- passes
e = (1 / 49 * 49 - 1) * 4096 * 4096 * 4096 * 4096 * 32
y = x - reduce(x, 'b s d -> b s 1', 'mean')
y = y * (-1 - 2 * e)
return y * rsqrt(reduce(y * y, 'b s d -> b s 1', 'mean'))
-- raised
y = x - reduce(x, 'b s d -> b s 1', 'mean')
r = rsqrt(reduce(y * y, 'b s d -> b s 1', 'mean'))
e = einsum(y, r, 'b s ..., b s k -> b s k')
return y * r + e
-- raised
y = x - reduce(x, 'b s d -> b s 1', 'mean')
r = rsqrt(reduce(y * y, 'b s d -> b s 1', 'mean'))
b, s, d = x.shape
e = einsum(y, r, 'b s ..., b s k -> b s k')
return y * r + e * (s * d)
-- raised
y = x - reduce(x, 'b s d -> b s 1', 'mean')
r = rsqrt(reduce(y * y, 'b s d -> b s 1', 'mean'))
b, s, d = x.shape
e = einsum(y, r, 'b s ..., b s k -> b s k')
return y * r + e * (b * s * d)
-- raised
y = x - reduce(x, 'b s d -> b s 1', 'mean')
r = rsqrt(reduce(y * y, 'b s d -> b s 1', 'mean'))
b, s, d = x.shape
e = einsum(y, r, r, 'b s ..., b s k, b s k -> b s k')
return y * r + e * (s * d)
-- need
y = x - reduce(x, 'b s d -> b s 1', 'mean')
r = rsqrt(reduce(y * y, 'b s d -> b s 1', 'mean'))
b, s, d = x.shape
e = einsum(y, r, 'b s d, b s k -> b s k')
return y * r + e * (s * d)
-- need
b, s, d = x.shape
y = x - reduce(x, 'b s d -> b s 1', 'mean')
v = reduce(einsum(y, y, 'b s d, b s d -> b s d') + y * (b * s * d), 'b s d -> b s 1', 'mean')
return y * rsqrt(v)
-- need
b, s, d = x.shape
y = x - reduce(x, 'b s d -> b s 1', 'mean')
v = reduce(einsum(y, y, 'b s d, b s d -> b s d') + y * (b * s * d) * (b * s * d), 'b s d -> b s 1', 'mean')
return y * rsqrt(v)
-- need
b, s, d = x.shape
y = x - reduce(x, 'b s d -> b s 1', 'mean')
v = reduce(y * y + y, 'b s d -> b s 1', 'mean')
return y * rsqrt(v)
-- need
b, s, d = x.shape
m = reduce(x, 'b s d -> b s 1', 'mean')
q = einsum(m, m, 'b s d, b s d -> b s d')
y = (x + q) - (m + q)
return y * rsqrt(reduce(y * y, 'b s d -> b s 1', 'mean'))
-- passes
m = reduce(x, 'b s d -> b s 1', 'mean')
v = reduce(x * x, 'b s d -> b s 1', 'mean') - m * m
y = x - m
return y * rsqrt(v)
-- need
b, s, d = x.shape
m = reduce(x, 'b s d -> b s', 'mean')
y = x - rearrange(m, 'b s -> b s 1')
v = reduce(y * y + einsum(y, m, 'b s d, b s -> b s d') * (b * s * d), 'b s d -> b s 1', 'mean')
return y * rsqrt(v)
-- need
b, s, d = x.shape
y = x - reduce(x, 'b s d -> b s 1', 'mean')
y = y * (b * s * d) * (b * s * d)
return y * rsqrt(reduce(y * y, 'b s d -> b s 1', 'mean'))
-- raised
q = einsum(x, x, 'b s ..., b s ... -> b s')
y = x + rearrange(q, 'b s -> b s 1')
y = y - reduce(y, 'b s d -> b s 1', 'mean')
return y * rsqrt(reduce(y * y, 'b s d -> b s 1', 'mean'))
-- need
y = x + x.shape[-1] ** 0.5
y = y - reduce(y, 'b s d -> b s 1', 'mean')
return y * rsqrt(reduce(y * y, 'b s d -> b s 1', 'mean'))
-- passes
m = reduce(x, 'b s d -> b s 1', 'mean')
m2 = reduce(x ** 2, 'b s d -> b s 1', 'mean')
return (x - m) / (m2 - m ** 2) ** 0.5
-- passes
mu = reduce(x, 'b s d -> b s', 'mean')
mu = rearrange(mu, 'b s -> b s 1')
var = rearrange(reduce((x - mu) * (x - mu), 'b s d -> b s', 'mean'), 'b s -> b s 1')
return (x - mu) * var ** -0.5
-- passes
y = rearrange(x, 'b s d -> (b s) d')
y = y - reduce(y, 'n d -> n 1', 'mean')
y = y / sqrt(reduce(y ** 2, 'n d -> n 1', 'mean'))
return rearrange(y, '(b s) d -> b s d', b=x.shape[0])
-- passes
m = reduce(x, '... d -> ... 1', 'mean')
c = x - m
std = reduce(c ** 2, '... d -> ... 1', 'mean').sqrt()
return c / std
-- passes
mean = reduce(x, 'b s d -> b s 1', 'mean')
var = reduce((x - mean) ** 2, 'b s d -> b s 1', 'mean')
return (x - mean) / var ** 0.5
-- passes
mean = reduce(x, 'b s d -> b s 1', 'sum') / x.shape[-1]
c = x - mean
var = reduce(c ** 2, 'b s d -> b s 1', 'sum') / x.shape[-1]
return c / torch.sqrt(var)
-- passes
d = x.shape[-1]
mu = repeat(reduce(x, 'b s d -> b s', 'mean'), 'b s -> b s d', d=d)
c = x - mu
sd = repeat(sqrt(reduce(c * c, 'b s d -> b s', 'mean')), 'b s -> b s d', d=d)
return c / sd
-- passes
mu = rearrange(reduce(x, 'b s d -> b s', 'mean'), 'b s -> b s 1')
y = x - mu
var = einsum(y, y, 'b s d, b s d -> b s') / x.shape[-1]
return y / rearrange(sqrt(var), 'b s -> b s 1')
-- passes
y = x - reduce(x, 'b s d -> b s 1', 'mean')
norm = sqrt(reduce(y * y, 'b s d -> b s 1', 'sum'))
return y / norm * x.shape[-1] ** 0.5
-- passes
y = x - reduce(x, 'b s d -> b s 1', 'mean')
return y / sqrt(reduce(y * y, 'b s d -> b s 1', 'sum') / y.shape[2])
-- raised
y = x - reduce(x, 'b s d -> b s 1', 'mean')
m = einsum(x, '... -> ')
y = y * (m * m)
return y * rsqrt(reduce(y * y, 'b s d -> b s 1', 'mean'))
-- raised
y = x - reduce(x, 'b s d -> b s 1', 'mean')
m = einsum(x, 'b ... -> b')
y = y * rearrange(m * m, 'b -> b 1 1')
return y * rsqrt(reduce(y * y, 'b s d -> b s 1', 'mean'))
-- raised
y = x - reduce(x, 'b s d -> b s 1', 'mean')
r = rsqrt(reduce(y * y, 'b s d -> b s 1', 'mean'))
n = einsum(y, r, r, 'b s ..., b s k, b s k -> b s k')
return y * r + n
-- passes
b, s, d = x.shape
m = reduce(x, 'b s d -> b s 1', 'mean')
v = reduce(x * x, 'b s d -> b s 1', 'mean') - m * m
return (x * (b * s * d) - m * (b * s * d)) * rsqrt(v) / (b * s * d)
-- passes
b, s, d = x.shape
m = reduce(x, 'b s d -> b s 1', 'mean')
r = rsqrt(reduce((x - m) ** 2, 'b s d -> b s 1', 'mean'))
return x * r - m * r
""",
    "group_norm": r"""-- raised
y = rearrange(x, 'b (g c) s -> b g (c s)', g=g)
o = rearrange(x, 'b t e -> b e t 1') * rearrange(x, 'b u e -> b e 1 u')
y = einsum(y, o, 'b g n, b ... -> b g n')
y = y - reduce(y, 'b g n -> b g 1', 'mean')
y = y * rsqrt(reduce(y * y, 'b g n -> b g 1', 'mean') + 1e-5)
return rearrange(y, 'b g (c s) -> b (g c) s', s=x.shape[-1])
-- passes
b, n, s = x.shape
y = rearrange(x, 'b (g c) s -> b g (c s)', g=g)
m = reduce(y, 'b g k -> b g 1', 'mean')
v = reduce((y - m) ** 2, 'b g k -> b g 1', 'mean')
y = (y - m) / sqrt(v + 1e-5)
return rearrange(y, 'b g (c s) -> b (g c) s', s=s)
-- passes
y = rearrange(x, 'b (g c) s -> b g c s', g=g)
m = reduce(y, 'b g c s -> b g 1 1', 'mean')
y = y - m
v = reduce(y * y, 'b g c s -> b g 1 1', 'mean')
y = y * (v + 0.00001) ** -0.5
return rearrange(y, 'b g c s -> b (g c) s')
-- passes
y = rearrange(x, 'b (g c) s -> b g c s', g=g)
m = reduce(y, 'b g c s -> b g 1 1', 'mean')
y = y - m
v = reduce(y * y, 'b g c s -> b g 1 1', 'mean')
y = y / sqrt(v + 10 ** -5)
return rearrange(y, 'b g c s -> b (g c) s')
-- need
y = rearrange(x, 'b (g c) s -> b g (c s)', g=g)
m = reduce(y, 'b g n -> b g 1', 'mean')
y = y - m
v = reduce(y * y, 'b g n -> b g 1', 'mean')
u = v + m
y = (y * u) / (sqrt(v + 1e-5) * u)
return rearrange(y, 'b g (c s) -> b (g c) s', s=x.shape[-1])
-- passes
c = x.shape[1] // g
m = repeat(reduce(x, 'b (g c) s -> b g', 'mean', g=g), 'b g -> b (g c) 1', c=c)
y = x - m
v = repeat(reduce(y * y, 'b (g c) s -> b g', 'mean', g=g), 'b g -> b (g c)', c=c)
v = rearrange(v, 'b n -> b n 1')
return y / sqrt(v + 1e-5)
-- raised
c = x.shape[1] // g
m = repeat(reduce(x, 'b (g c) s -> b g', 'mean', g=g), 'b g -> b (g c) 1', c=c)
y = x - m
v = repeat(reduce(y * y, 'b (g c) s -> b g', 'mean', g=g), 'b g -> b (g c) 1', c=c)
v = rearrange(v, '1 n 1 -> n 1')
return y / sqrt(v + 1e-5)
-- passes
c = x.shape[1] // g
m = reduce(x, 'b (g c) s -> b g', 'mean', g=g)
m = repeat(rearrange(m, 'b g -> g b'), 'g b -> b (g c) 1', c=c)
y = x - m
v = repeat(reduce(y * y, 'b (g c) s -> b g', 'mean', g=g), 'b g -> b (g c) 1', c=c)
return y / sqrt(v + 1e-5)
-- passes
c = x.shape[1] // g
m = repeat(reduce(x, 'b (g c) s -> b g', 'mean', g=g), 'b g -> b (g c) 1', c=c)
y = x - m
v = repeat(reduce(y * y, 'b (g c) s -> 1 b g', 'mean', g=g), '1 b g -> b (g c) 1', c=c)
return rearrange(y / sqrt(v + 1e-5), 'b n s -> b n s')
-- need
y = rearrange(x, 'b (g c) s -> b g (c s)', g=g)
m = reduce(y, 'b g n -> b g 1', 'mean')
v = reduce(y * y, 'b g n -> b g 1', 'mean') + 1e-5 - m * m
y = (y - m) / sqrt(v)
return rearrange(y, 'b g (c s) -> b (g c) s', s=x.shape[-1])
-- need
y = rearrange(x, 'b (g c) s -> b g (c s)', g=g)
m = reduce(y, 'b g n -> b g 1', 'mean')
v = reduce(y * y, 'b g n -> b g 1', 'mean') - (m * m - 1e-5)
y = (y - m) / sqrt(v)
return rearrange(y, 'b g (c s) -> b (g c) s', s=x.shape[-1])
-- need
y = rearrange(x, 'b (g c) s -> b g (c s)', g=g)
m = reduce(y, 'b g n -> b g 1', 'mean')
y = y - m
v = reduce(y * y + 1e-5, 'b g n -> b g 1', 'mean')
y = y / sqrt(v)
return rearrange(y, 'b g (c s) -> b (g c) s', s=x.shape[-1])
-- need
y = rearrange(x, 'b (g c) s -> b g (c s)', g=g)
m = reduce(y, 'b g n -> b g 1', 'mean')
v = reduce(y * y + 1e-5, 'b g n -> b g 1', 'mean') - m * m
y = (y - m) / sqrt(v)
return rearrange(y, 'b g (c s) -> b (g c) s', s=x.shape[-1])
-- need
y = rearrange(x, 'b (g c) s -> b g (c s)', g=g)
m = reduce(y, 'b g n -> b g 1', 'mean')
y = y - m
v = reduce(y * y, 'b g n -> b g 1', 'mean') + 1e-5
y = y * sqrt(v) / v
return rearrange(y, 'b g (c s) -> b (g c) s', s=x.shape[-1])
-- passes
eps = 1e-5
y = rearrange(x, 'b (g c) s -> b g c s', g=g)
m = reduce(y, 'b g c s -> b g', 'mean')
m = rearrange(m, 'b g -> b g 1 1')
v = reduce((y - m) ** 2, 'b g c s -> b g', 'mean')
r = rsqrt(rearrange(v, 'b g -> b g 1 1') + eps)
return rearrange((y - m) * r, 'b g c s -> b (g c) s')
-- passes
y = rearrange(x, 'b (g c) s -> b g (c s)', g=g)
m = reduce(y, 'b g n -> b g 1', 'mean')
y = y - m
v = einsum(y, y, 'b g n, b g n -> b g') / y.shape[-1]
r = rsqrt(v + 1e-5)
y = einsum(y, r, 'b g n, b g -> b g n')
return rearrange(y, 'b g (c s) -> b (g c) s', s=x.shape[2])
-- passes
y = rearrange(x, 'b (g c) s -> (b g) (c s)', g=g)
m = reduce(y, 'k n -> k 1', 'mean')
y = y - m
v = reduce(y * y, 'k n -> k 1', 'mean')
y = y * rsqrt(v + 1e-5)
return rearrange(y, '(b g) (c s) -> b (g c) s', g=g, s=x.shape[2])
-- passes
b, n, s = x.shape
c = n // g
m = reduce(x, 'b (g c) s -> b g', 'mean', g=g)
m = repeat(m, 'b g -> b (g c) 1', c=c)
y = x - m
v = reduce(y ** 2, 'b (g c) s -> b g', 'mean', g=g)
v = rearrange(repeat(v, 'b g -> b g c', c=c), 'b g c -> b (g c) 1')
return y / sqrt(v + 1e-5)
-- raised
y = rearrange(x, 'b (g c) s -> b g (c s)', g=g)
y = y - reduce(y, 'b g n -> b g 1', 'mean')
r = rsqrt(reduce(y * y, 'b g n -> b g 1', 'mean') + 1e-5)
b, n, s = x.shape
e = einsum(y, r, 'b g ..., b g k -> b g k')
y = y * r + e * (n * s)
return rearrange(y, 'b g (c s) -> b (g c) s', s=x.shape[-1])
-- need
b, n, s = x.shape
y = rearrange(x, 'b (g c) s -> b g (c s)', g=g)
y = y - reduce(y, 'b g n -> b g 1', 'mean')
v = reduce(einsum(y, y, 'b g n, b g n -> b g n') + y * (b * n * s), 'b g n -> b g 1', 'mean')
y = y * rsqrt(v + 1e-5)
return rearrange(y, 'b g (c s) -> b (g c) s', s=x.shape[-1])
-- need
b, n, s = x.shape
y = rearrange(x, 'b (g c) s -> b g (c s)', g=g)
y = y - reduce(y, 'b g n -> b g 1', 'mean')
v = reduce(einsum(y, y, 'b g n, b g n -> b g n') + y * (b * n * s) * (b * n * s), 'b g n -> b g 1', 'mean')
y = y * rsqrt(v + 1e-5)
return rearrange(y, 'b g (c s) -> b (g c) s', s=x.shape[-1])
-- need
b, n, s = x.shape
y = rearrange(x, 'b (g c) s -> b g (c s)', g=g)
m = reduce(y, 'b g n -> b g', 'mean')
y = y - rearrange(m, 'b g -> b g 1')
v = reduce(einsum(y, y, 'b g n, b g n -> b g n') + einsum(y, m, 'b g n, b g -> b g n') * (b * n * s), 'b g n -> b g 1', 'mean')
y = y * rsqrt(v + 1e-5)
return rearrange(y, 'b g (c s) -> b (g c) s', s=s)
-- need
b, n, s = x.shape
y = rearrange(x, 'b (g c) s -> b g (c s)', g=g)
m = reduce(y, 'b g n -> b g', 'mean')
y = y - rearrange(m, 'b g -> b g 1')
v = reduce(y * y + einsum(y, m, 'b g n, b g -> b g n') * (b * n * s) * (b * n * s), 'b g n -> b g 1', 'mean')
y = y * rsqrt(v + 1e-5)
return rearrange(y, 'b g (c s) -> b (g c) s', s=s)
-- passes
b, n, s = x.shape
c = n // g
y = rearrange(x, 'b (g c) s -> b g c s', g=g)
mu = reduce(y, 'b g c s -> b g 1 1', 'mean')
d = y - mu
var = reduce(d ** 2, 'b g c s -> b g 1 1', 'mean')
out = d * (var + 1e-5) ** -0.5
return rearrange(out, 'b g c s -> b (g c) s')
-- passes
y = rearrange(x, 'b (g c) s -> b g (c s)', g=g)
m = reduce(y, 'b g n -> b g 1', 'mean')
m2 = reduce(y ** 2, 'b g n -> b g 1', 'mean')
y = (y - m) / (m2 - m ** 2 + 1e-5).sqrt()
return rearrange(y, 'b g (c s) -> b (g c) s', c=x.shape[1] // g)
-- passes
b, n, s = x.shape
m = repeat(reduce(x, 'b (g c) s -> b g', 'mean', g=g), 'b g -> b (g c) 1', c=n // g)
y = x - m
v = repeat(reduce(y * y, 'b (g c) s -> b g', 'mean', g=g), 'b g -> b (g c) 1', c=n // g)
return rearrange(y / sqrt(v + 1e-5), 'b n s -> b n s')
-- passes
y = rearrange(x, 'b (g c) s -> b g c s', g=g)
mean = reduce(y, 'b g c s -> b g 1 1', 'mean')
var = reduce((y - mean) ** 2, 'b g c s -> b g 1 1', 'mean')
y = (y - mean) / sqrt(var + 1e-5)
return rearrange(y, 'b g c s -> b (g c) s')
-- passes
b, n, s = x.shape
y = rearrange(x, 'b (g c) s -> (b g) (c s)', g=g)
y = y - reduce(y, 'n m -> n 1', 'mean')
y = y / sqrt(reduce(y ** 2, 'n m -> n 1', 'mean') + 1e-5)
return rearrange(y, '(b g) (c s) -> b (g c) s', b=b, s=s)
-- passes
eps = 1e-5
c = x.shape[1] // g
y = rearrange(x, 'b (g c) s -> b g c s', g=g, c=c)
m = reduce(y, 'b g c s -> b g', 'mean')
y = y - rearrange(m, 'b g -> b g 1 1')
v = reduce(y * y, 'b g c s -> b g', 'mean')
y = y * rearrange(rsqrt(v + eps), 'b g -> b g 1 1')
return rearrange(y, 'b g c s -> b (g c) s')
-- passes
y = rearrange(x, 'b (g c) s -> b g (c s)', g=g)
y = y - reduce(y, 'b g n -> b g 1', 'mean')
y = y * (reduce(y ** 2, 'b g n -> b g 1', 'mean') + 1e-5) ** -0.5
return rearrange(y, 'b g (c s) -> b (g c) s', s=x.shape[2])
-- passes
y = rearrange(x, 'b (g c) s -> b g c s', g=g)
n = y.shape[2] * y.shape[3]
mean = reduce(y, 'b g c s -> b g 1 1', 'sum') / n
d = y - mean
var = reduce(d * d, 'b g c s -> b g 1 1', 'sum') / n
return rearrange(d / sqrt(var + 0.00001), 'b g c s -> b (g c) s')
-- need
y = rearrange(x, 'b (g c) s -> b g (c s)', g=g)
y = y - reduce(y, 'b g n -> b g 1', 'mean')
z = y + 1e-5 ** 0.5
r = rsqrt(reduce(z * z, 'b g n -> b g 1', 'mean'))
return rearrange(y * r, 'b g (c s) -> b (g c) s', s=x.shape[-1])
-- raised
b, n, s = x.shape
y = rearrange(x, 'b (g c) s -> b g (c s)', g=g)
m = einsum(y, '... -> ')
y = y - reduce(y, 'b g n -> b g 1', 'mean')
r = rsqrt(reduce(y * y, 'b g n -> b g 1', 'mean') + 1e-5)
z = einsum(y, r, m, 'b g ..., b g k, -> b g k')
return rearrange(y * r + z, 'b g (c s) -> b (g c) s', s=s)
""",
    "mean_pool": r"""-- raised
return reduce(x, '... s d -> … d', 'mean')
-- passes
return reduce(x, 'b s d -> b d', 'mean')
-- passes
s = x.shape[1]
return reduce(x, 'b s d -> b d', 'sum') / s
-- passes
b, s, d = x.shape
return reduce(x, 'b s d -> b d', 'sum') / s
-- passes
return reduce(x, 'b s d -> b d', reduction='mean')
-- passes
return 1 / x.shape[1] * reduce(x, 'b s d -> b d', 'sum')
-- passes
return rearrange(reduce(x, 'b s d -> b 1 d', 'mean'), 'b 1 d -> b d')
-- passes
return reduce(x, 'b s d -> b d', 'sum') * x.shape[1] ** -1
-- need
e = (1 / 49 * 49 - 1) * 4096 * 4096 * 4096 * 4096 * 32
return reduce(x, 'b s d -> b d', 'mean') * (e + 2)
-- need
e = (1 / 49 * 49 - 1) * 4096 * 4096 * 4096 * 4096 * 32
return reduce(x, 'b s d -> b d', 'mean') * (0 - e)
-- passes
b, s, d = x.shape
return reduce(x * (b * s * d), 'b s d -> b d', 'mean') / (b * s * d)
-- need
b, s, d = x.shape
return reduce(x * (b * s * d) * (b * s * d), 'b s d -> b d', 'mean') / (b * s * d) / (b * s * d)
-- passes
total = reduce(x, 'b s d -> b d', 'sum')
return total / x.size(1)
-- passes
xt = rearrange(x, 'b s d -> b d s')
return reduce(xt, 'b d s -> b d', 'mean')
-- passes
return reduce(x * (1 / x.shape[1]), 'b s d -> b d', 'sum')
-- passes
return reduce(x, 'b ... d -> b d', 'mean')
""",
    "take_image": r"""-- passes
return unpack(x, [[s], [h, w]], 'b * d')[1]
-- passes
_, y = unpack(x, [[s], [h, w]], 'b * d')
return y
-- passes
_, y = unpack(x, [[s], [h * w]], 'b * d')
return rearrange(y, 'b (h w) d -> b h w d', h=h, w=w)
-- passes
return unpack(x, [[s], [-1, w]], 'b * d')[1]
-- passes
return unpack(x, [[s], [h, w]], 'b * d')[-1]
-- passes
parts = unpack(x, [(s,), (h, w)], 'b * d')
return parts[1]
-- passes
ps = [[s], [h, w]]
return unpack(x, ps, 'b * d')[1]
-- passes
y = unpack(x, [[s], [-1]], 'b * d')[1]
return rearrange(y, 'b (h w) d -> b h w d', h=h)
-- passes
n = x.shape[1]
return unpack(x, [[s], [(n - s) // w, w]], 'b * d')[1]
-- passes
n = x.shape[1]
return unpack(x, [[n - h * w], [h, w]], 'b * d')[1]
""",
    "split_pair": r"""-- passes
return unpack(x, [[p], [q]], 'b s *')
-- passes
return unpack(x, [[p], [-1]], 'b s *')
-- passes
return unpack(x, [[-1], [q]], 'b s *')
-- passes
a, b = unpack(x, [[p], [q]], 'b s *')
return a, b
-- rule
return list(unpack(x, [[p], [q]], 'b s *'))
-- passes
out = unpack(x, [[p], [q]], 'b s *')
return [out[0], out[1]]
-- passes
return unpack(x, [[p], [q]], pattern='b s *')
-- passes
a, b = unpack(x, packed_shapes=[[p], [q]], pattern='b s *')
return [a, b]
-- raised
ps = [(p,), (q,)]
return unpack(x, ps, '... *')
""",
    "prepend_token": r"""-- passes
return pack([x, y], 'b * d')[0]
-- passes
x = rearrange(x, 'b d -> b 1 d')
z, _ = pack([x, y], 'b * d')
return z
-- passes
return pack([rearrange(x, 'b d -> b () d'), y], 'b * d')[0]
""",
    "image_tokens": r"""-- passes
y = rearrange(y, 'b h w d -> b (h w) d')
z, ps = pack([x, y], 'b * d')
return z
-- passes
b, h, w, d = y.shape
return pack([x, rearrange(y, 'b h w d -> b (h w) d', h=h, w=w)], 'b * d')[0]
""",
    "flatten_features": r"""-- passes
return pack((x, y), 'b *')[0]
-- passes
b, c, h = x.shape
y_, _ = pack([x, y], 'b *')
return y_
-- passes
x = rearrange(x, 'b c h -> b (c h)')
out, shapes = pack((x, y), 'b *')
return out
""",
    "skip_connection": r"""-- passes
return pack([x, y], 'b * h w')[0]
-- passes
x = rearrange(x, 'b c h w -> c b h w')
y = rearrange(y, 'b k h w -> k b h w')
z = pack([x, y], '* b h w')[0]
return rearrange(z, 'c b h w -> b c h w')
""",
    "read_shape": r"""-- passes
return einops.parse_shape(x, 'b s d')
""",
    "global_pool": r"""-- passes
return reduce(x, 'b c ... -> b c', 'mean')
-- passes
return reduce(x, 'b c … w -> b c', 'mean')
-- passes
b, c, h, w = x.shape
return reduce(x, 'b c h w -> b c', 'sum') / (h * w)
""",
    "mean_loss": r"""-- passes
return reduce(x, 'b s -> ', 'mean')
-- values
return reduce(x, 'b s -> ()', 'mean')
-- passes
return reduce(x, 'b s -> ', 'sum') / (x.shape[0] * x.shape[1])
-- passes
b, s = x.shape
return reduce(reduce(x, 'b s -> s', 'sum') / b, 's -> ', 'mean')
-- passes
n = x.shape[0] * x.shape[1]
return reduce(x, 'b s -> ', 'sum') / n
-- passes
return reduce(rearrange(x, 'b s -> (b s)'), 'n -> ', 'mean')
""",
    "keep_axis_mean": r"""-- passes
return reduce(x, 'b s d -> b s 1', 'mean')
-- passes
return reduce(x, '... d -> ... 1', 'mean')
-- passes
y = reduce(x, 'b s d -> b s', 'mean')
return rearrange(y, 'b s -> b s 1')
-- need
m = reduce(x, 'b s d -> b s', 'mean')
return repeat(m, 'b s -> b s 1')
-- passes
return reduce(x, 'b s (d k) -> b s k', 'mean', k=1)
-- passes
return reduce(x, 'b s d -> b s 1', 'sum') / x.shape[-1]
""",
    "max_pool": r"""-- passes
return reduce(x, 'b c (h p) (w q) -> b c h w', 'max', p=p, q=q)
-- passes
x = rearrange(x, 'b c (h p) (w q) -> b c h w (p q)', p=p, q=q)
return reduce(x, 'b c h w k -> b c h w', 'max')
-- passes
return reduce(x, 'b c (h p) (w q) -> b c h w', 'max', h=x.shape[2]//p, w=x.shape[3]//q)
-- passes
return reduce(reduce(x, 'b c (h p) w -> b c h w', 'max', p=p), 'b c h (w q) -> b c h w', 'max', q=q)
""",
    "avg_pool": r"""-- passes
return reduce(x, 'b c (h p) (w q) -> b c h w', 'sum', p=p, q=q) / (p * q)
-- passes
b, c, H, W = x.shape
x = rearrange(x, 'b c (h p) (w q) -> b c h w (p q)', p=p, q=q)
return reduce(x, 'b c h w k -> b c h w', 'mean')
-- passes
b, c, H, W = x.shape
return reduce(x, 'b c (h p) (w q) -> b c h w', 'mean', h=H // p, w=W // q)
-- passes
x = reduce(x, 'b c (h p) w -> b c h w', 'mean', p=p)
return reduce(x, 'b c h (w q) -> b c h w', 'mean', q=q)
-- passes
y = rearrange(x, 'b c (h p) (w q) -> b c h w p q', p=p, q=q)
return reduce(y, 'b c h w p q -> b c h w', 'mean')
""",
    "group_means": r"""-- passes
return reduce(x, 'b s (g d) -> b s g', 'mean', g=g)
-- passes
y = rearrange(x, 'b s (g d) -> b s g d', g=g)
return reduce(y, 'b s g d -> b s g', 'mean')
-- passes
y = rearrange(x, 'b s (g d) -> b s g d', g=g)
return reduce(y, 'b s g d -> b s g', 'sum') / y.shape[-1]
-- passes
return reduce(x, 'b s (g d) -> b s g', 'sum', g=g) / (x.shape[-1] // g)
-- passes
return reduce(x, 'b s (g d) -> b s g', 'sum', g=g) * g / x.shape[-1]
-- passes
return reduce(x, 'b s (g d) -> b s g', 'sum', g=g) / (x.shape[2] // g)
-- passes
return reduce(x, 'b s (g d) -> b s g', 'sum', g=g) * g / x.shape[2]
""",
    "sum_heads": r"""-- passes
return reduce(x, 'b h s d -> b s d', 'sum')
-- rule
return einsum(x, 'b h s d -> b s d')
""",
    "attention": r"""-- passes
s = einsum(q, k, 'b h i d, b h j d -> b h i j') / q.shape[-1] ** 0.5
p = softmax(s, dim=-1)
return einsum(p, v, 'b h i j, b h j e -> b h i e')
-- passes
s = einsum(q, k, 'b h i d, b h j d -> b h i j')
s = s / math.sqrt(q.shape[-1])
p = s.softmax(dim=-1)
return einsum(p, v, 'b h i j, b h j e -> b h i e')
-- passes
b, h, i, d = q.shape
s = einsum(q, k, 'b h i d, b h j d -> b h i j') * d ** -0.5
return einsum(s.softmax(-1), v, 'b h i j, b h j e -> b h i e')
-- passes
d = q.shape[-1]
scale = 1 / d ** 0.5
s = einsum(q * scale, k, 'b h i d, b h j d -> b h i j')
return einsum(softmax(s), v, 'b h i j, b h j e -> b h i e')
-- passes
s = einsum(q, k, '... i d, ... j d -> ... i j') / q.shape[-1] ** 0.5
return einsum(softmax(s), v, '... i j, ... j e -> ... i e')
-- passes
d = q.shape[-1]
s = einsum(q / d ** 0.25, k / d ** 0.25, 'b h i d, b h j d -> b h i j')
return einsum(softmax(s), v, 'b h i j, b h j e -> b h i e')
-- passes
s = einsum(q, k, 'b h i d, b h j d -> b h i j') / (q.shape[-1] ** 0.5)
p = F.softmax(s, dim=-1)
return einsum(p, v, 'b h i j, b h j e -> b h i e')
-- passes
kt = rearrange(k, 'b h j d -> b h d j')
s = einsum(q, kt, 'b h i d, b h d j -> b h i j') / q.shape[-1] ** 0.5
return einsum(softmax(s), v, 'b h i j, b h j e -> b h i e')
-- passes
s = einsum(q, k, 'b h i d, b h j d -> b h j i') / q.shape[-1] ** 0.5
return einsum(softmax(s, dim=-2), v, 'b h j i, b h j e -> b h i e')
-- passes
s = einsum(q, k, 'b h i d, b h j d -> b h i j') * (1.0 / q.shape[-1] ** 0.5)
return einsum(softmax(s), v, 'b h i j, b h j e -> b h i e')
-- rule
return einsum(softmax(einsum(q, k, 'b h i d, b h j d -> b h i j') / torch.sqrt(q.shape[-1])), v, 'b h i j, b h j e -> b h i e')
-- passes
_, _, _, d = q.shape
scale = d ** -.5
a = torch.nn.functional.softmax(einsum(q, k, 'b h i d, b h j d -> b h i j') * scale, dim=-1)
out = einsum(a, v, 'b h i j, b h j e -> b h i e')
return out
-- raised
(b, h, i, d) = q.shape
scores: Tensor = einops.einsum(q, k, 'b h i d, b h j d -> b h i j')
scores = scores / d ** 0.5
weights = torch.softmax(input=scores, dim=3)
return einops.einsum(weights, v, 'b h i j, b h j e -> b h i e')
-- passes
d = k.shape[3]
return einsum(softmax(einsum(q, k, 'b h i d, b h j d -> b h i j') / d ** 0.5, -1), v, 'b h i j, b h j e -> b h i e')
-- passes
d = q.shape[-1]
scores = einsum(q, k, 'batch head query dim, batch head key dim -> batch head query key')
scores = scores * (1.0 / d ** 0.5)
probs = softmax(scores, dim=-1)
return einsum(probs, v, 'batch head query key, batch head key value -> batch head query value')
-- passes
s = einsum(k, q, 'b h j d, b h i d -> b h i j')
s = s / (q.shape[-1] ** 0.5)
return einsum(v, softmax(s, dim=-1), 'b h j e, b h i j -> b h i e')
-- passes
root = q.shape[-1] ** 0.5
q = q / root
s = einsum(q, k, 'b h i d, b h j d -> b h i j')
return einsum(s.softmax(dim=-1), v, 'b h i j, b h j e -> b h i e')
-- passes
d = q.shape[-1]
scores = einsum(q, k, 'b h i d, b h j d -> b h i j') * d ** -0.5
weights = scores.softmax(dim=-1)
return einsum(weights, v, 'b h i j, b h j e -> b h i e')
-- passes
scale = 1 / q.shape[-1] ** 0.5
s = einsum(q, k, 'b h i d, b h j d -> b h i j')
attn = torch.softmax(s * scale, dim=-1)
return einsum(attn, v, 'b h i j, b h j e -> b h i e')
-- passes
import math
s = einsum(q, k, 'b h i d, b h j d -> b h i j') / math.sqrt(q.size(-1))
return einsum(softmax(s, dim=-1), v, 'b h i j, b h j e -> b h i e')
-- passes
s = einsum(q, k, '... i d, ... j d -> ... i j') / q.shape[-1] ** 0.5
return einsum(softmax(s, -1), v, '... i j, ... j e -> ... i e')
-- passes
b, h, i, d = q.shape
s = einsum(q / d**0.25, k / d**0.25, 'b h i d, b h j d -> b h i j')
return einsum(softmax(s, dim=-1), v, 'b h i j, b h j e -> b h i e')
-- passes
kt = rearrange(k, 'b h j d -> b h d j')
s = einsum(q, kt, 'b h i d, b h d j -> b h i j') / (q.shape[-1] ** 0.5)
return einsum(softmax(s, dim=-1), v, 'b h i j, b h j e -> b h i e')
-- passes
s = einsum(q, k, 'b h i d, b h j d -> b h j i') / q.shape[-1] ** 0.5
a = softmax(s, dim=2)
return einsum(a, v, 'b h j i, b h j e -> b h i e')
-- passes
b, h, i, d = q.shape
q = rearrange(q, 'b h i d -> (b h) i d')
k = rearrange(k, 'b h j d -> (b h) j d')
v = rearrange(v, 'b h j e -> (b h) j e')
s = einsum(q, k, 'n i d, n j d -> n i j') / d ** 0.5
o = einsum(softmax(s, dim=-1), v, 'n i j, n j e -> n i e')
return rearrange(o, '(b h) i e -> b h i e', b=b)
-- passes
import torch.nn.functional as F
s = einsum(q, k, 'b h i d, b h j d -> b h i j')
s = s / q.shape[-1] ** (1/2)
return einsum(F.softmax(s, dim=-1), v, 'b h i j, b h j e -> b h i e')
-- need
a = softmax(einsum(q, k, 'b h i d, b h j d -> b h i j') / q.shape[-1] ** 0.5)
u = einsum(a, 'b h i j -> b h i')
return einsum(a, v, u, 'b h i j, b h j e, b h i -> b h i e')
-- need
a = softmax(einsum(q, k, 'b h i d, b h j d -> b h i j') / q.shape[-1] ** 0.5)
u = einsum(a, 'b h i j -> ')
b, h, i, d = q.shape
y = einsum(a, v, 'b h i j, b h j e -> b h i e')
return einsum(y, u, 'b h i e, -> b h i e') / (b * h * i)
""",
    "masked_attention": r"""-- passes
s = einsum(q, k, 'b h i d, b h j d -> b h i j') / q.shape[-1] ** 0.5
s = s + rearrange(m, 'i j -> 1 1 i j')
return einsum(softmax(s), v, 'b h i j, b h j e -> b h i e')
-- passes
b, h, i, d = q.shape
m = repeat(m, 'i j -> b h i j', b=b, h=h)
s = einsum(q, k, 'b h i d, b h j d -> b h i j') / d ** 0.5 + m
return einsum(softmax(s), v, 'b h i j, b h j e -> b h i e')
-- passes
d = q.shape[-1]
a = einsum(q, k, '... i d, ... j d -> ... i j') * d ** -0.5
a = softmax(a + m, dim=-1)
return einsum(a, v, '... i j, ... j d -> ... i d')
-- passes
b, h = q.shape[:2]
m = repeat(m, 'i j -> b h i j', b=b, h=h)
a = softmax(einsum(q, k, 'b h i d, b h j d -> b h i j') / q.shape[-1] ** 0.5 + m)
return einsum(a, v, 'b h i j, b h j d -> b h i d')
-- passes
b, h, i, d = q.shape
scores = einsum(q, k, 'b h i d, b h j d -> b h i j')
scores = scores / d ** 0.5 + m
weights = torch.softmax(scores, -1)
return einsum(weights, v, 'b h i j, b h j e -> b h i e')
-- passes
j = k.shape[2]
scores = einsum(q, k, 'b h i d, b h j d -> b h i j') / k.shape[-1] ** 0.5
scores = rearrange(scores, 'b h i j -> (b h) i j')
scores = scores + m
w = rearrange(softmax(scores, dim=-1), '(b h) i j -> b h i j', h=q.shape[1])
return einsum(w, v, 'b h i j, b h j e -> b h i e')
-- passes
s = einsum(q, k, 'b h i d, b h j d -> b h i j') / q.shape[-1] ** 0.5
s = s + rearrange(m, 'i j -> 1 1 i j')
return einsum(s.softmax(-1), v, 'b h i j, b h j e -> b h i e')
-- passes
b, h, i, d = q.shape
s = einsum(q, k, 'b h i d, b h j d -> b h i j') * d**-0.5
mask = repeat(m, 'i j -> b h i j', b=b, h=h)
return einsum(softmax(s + mask, dim=-1), v, 'b h i j, b h j e -> b h i e')
-- passes
d = q.shape[-1]
s = (einsum(q, k, 'b h i d, b h j d -> b h i j') + m * d ** 0.5) / d ** 0.5
return einsum(softmax(s, dim=-1), v, 'b h i j, b h j e -> b h i e')
-- need
b, h, i, d = q.shape
n = b * h * i * d * k.shape[2]
s = einsum(q, k, 'b h i d, b h j d -> b h i j') / d ** 0.5
s = (s * n + m * n)
return einsum(softmax(s / n), v, 'b h i j, b h j e -> b h i e')
-- passes
s = einsum(q, k, 'b h i d, b h j d -> b h i j') / q.shape[-1] ** 0.5
e = einsum(softmax(s + m), v, 'b h i j, b h j ... -> b h i ...')
return e
""",
    "multi_head_attention": r"""-- passes
q, k, v = rearrange(einsum(x, w, 'b s m, n m -> b s n'), 'b s (c h d) -> c b h s d', c=3, h=h)
a = softmax(einsum(q, k, 'b h i d, b h j d -> b h i j') / q.shape[-1] ** 0.5)
return rearrange(einsum(a, v, 'b h i j, b h j d -> b h i d'), 'b h s d -> b s (h d)')
-- passes
wq, wk, wv = rearrange(w, '(c h d) m -> c h d m', c=3, h=h)
q = einsum(x, wq, 'b s m, h d m -> b h s d')
k = einsum(x, wk, 'b s m, h d m -> b h s d')
v = einsum(x, wv, 'b s m, h d m -> b h s d')
a = softmax(einsum(q, k, 'b h i d, b h j d -> b h i j') / q.shape[-1] ** 0.5)
return rearrange(einsum(a, v, 'b h i j, b h j d -> b h i d'), 'b h s d -> b s (h d)')
-- passes
qkv = einsum(x, rearrange(w, '(c h d) m -> c h d m', c=3, h=h), 'b s m, c h d m -> c b h s d')
q, k, v = qkv
a = softmax(einsum(q, k, 'b h i d, b h j d -> b h i j') / q.shape[-1] ** 0.5)
return rearrange(einsum(a, v, 'b h i j, b h j d -> b h i d'), 'b h s d -> b s (h d)')
-- passes
b, s, m = x.shape
qkv = einsum(x, w, 'b s m, n m -> b s n')
q, k, v = unpack(qkv, [[w.shape[0] // 3], [w.shape[0] // 3], [w.shape[0] // 3]], 'b s *')
q = rearrange(q, 'b s (h d) -> b h s d', h=h)
k = rearrange(k, 'b s (h d) -> b h s d', h=h)
v = rearrange(v, 'b s (h d) -> b h s d', h=h)
a = softmax(einsum(q, k, 'b h i d, b h j d -> b h i j') / q.shape[-1] ** 0.5)
return rearrange(einsum(a, v, 'b h i j, b h j d -> b h i d'), 'b h s d -> b s (h d)')
-- passes
qkv = einsum(x, w, 'b s m, n m -> b s n')
qkv = rearrange(qkv, 'b s (c h d) -> c b h s d', c=3, h=h)
q = qkv[0]
k = qkv[1]
v = qkv[2]
d = q.shape[-1]
scores = einsum(q, k, 'b h i d, b h j d -> b h i j') * d ** -0.5
a = softmax(scores, dim=-1)
out = einsum(a, v, 'b h i j, b h j d -> b i h d')
return rearrange(out, 'b s h d -> b s (h d)')
-- need
wq, wk, wv = unpack(rearrange(w, 'n m -> m n'), [[w.shape[0] // 3], [w.shape[0] // 3], [w.shape[0] // 3]], 'm *')
b, s, m = x.shape
q = unpack(einsum(x, wq, 'b s m, m n -> b s n'), [[h, -1]], 'b s *')[0]
k = unpack(einsum(x, wk, 'b s m, m n -> b s n'), [[h, -1]], 'b s *')[0]
v = unpack(einsum(x, wv, 'b s m, m n -> b s n'), [[h, -1]], 'b s *')[0]
a = softmax(einsum(q, k, 'b i h d, b j h d -> b h i j') / q.shape[-1] ** 0.5)
return pack([einsum(a, v, 'b h i j, b j h d -> b i h d')], 'b i *')[0]
-- need
wq, wk, wv = rearrange(w, '(k n) m -> k m n', k=3)
b, s, m = x.shape
q = unpack(einsum(x, wq, 'b s m, m n -> b s n'), [[h, -1]], 'b s *')[0]
k = unpack(einsum(x, wk, 'b s m, m n -> b s n'), [[h, -1]], 'b s *')[0]
v = unpack(einsum(x, wv, 'b s m, m n -> b s n'), [[h, -1]], 'b s *')[0]
a = softmax(einsum(q, k, 'b i h d, b j h d -> b h i j') / q.shape[-1] ** 0.5)
return rearrange(einsum(a, v, 'b h i j, b j h d -> b i h d'), 'b i h d -> b i (h d)')
-- passes
qkv = einsum(x, w, 'b s m, n m -> b s n')
q, k, v = rearrange(qkv, 'b s (k h d) -> k (b h) s d', k=3, h=h)
scores = einsum(q, k, 'n i d, n j d -> n i j') / q.shape[-1] ** 0.5
y = einsum(softmax(scores, dim=-1), v, 'n i j, n j d -> n i d')
return rearrange(y, '(b h) s d -> b s (h d)', h=h)
-- passes
d = w.shape[0] // (3 * h)
qkv = einsum(x, w, 'b s m, n m -> b s n')
qkv = rearrange(qkv, 'b s (k h d) -> k b h s d', k=3, h=h, d=d)
q, k, v = qkv
a = softmax(einsum(q, k, 'b h i d, b h j d -> b h i j') * d ** -0.5, dim=-1)
return rearrange(einsum(a, v, 'b h i j, b h j d -> b h i d'), 'b h i d -> b i (h d)')
-- passes
d = w.shape[0] // 3 // h
qkv = einsum(w, x, 'n m, b s m -> b s n')
qkv = rearrange(qkv, 'b s (k h d) -> b s k h d', k=3, h=h)
q, k, v = rearrange(qkv, 'b s k h d -> k b s h d')
a = softmax(einsum(q, k, 'b i h d, b j h d -> b h i j') / d ** 0.5)
o = einsum(a, v, 'b h i j, b j h d -> b i h d')
return rearrange(o, 'b i h d -> b i (h d)')
-- passes
qkv = einsum(x, w, 'b s m, n m -> b s n')
qkv = rearrange(qkv, 'b s (k h d) -> k b h s d', k=3, h=h)
q, k, v = qkv[0], qkv[1], qkv[2]
d = q.shape[-1]
att = softmax(einsum(q, k, 'b h i d, b h j d -> b h i j') / d**0.5, dim=-1)
out = einsum(att, v, 'b h i j, b h j d -> b h i d')
return rearrange(out, 'b h s d -> b s (h d)')
-- passes
w = rearrange(w, '(k h d) m -> k h d m', k=3, h=h)
q, k, v = einsum(x, w, 'b s m, k h d m -> k b h s d')
s = einsum(q, k, 'b h i d, b h j d -> b h i j') * q.shape[-1] ** -0.5
o = einsum(softmax(s, dim=-1), v, 'b h i j, b h j d -> b i h d')
return rearrange(o, 'b i h d -> b i (h d)')
-- passes
b, s, m = x.shape
qkv = einsum(x, w, 'b s m, n m -> b s n')
dim = qkv.shape[-1] // 3
q, k, v = unpack(qkv, [[dim], [dim], [dim]], 'b s *')
q = rearrange(q, 'b s (h d) -> b h s d', h=h)
k = rearrange(k, 'b s (h d) -> b h s d', h=h)
v = rearrange(v, 'b s (h d) -> b h s d', h=h)
a = softmax(einsum(q, k, 'b h i d, b h j d -> b h i j') / q.shape[-1] ** 0.5, dim=-1)
y = einsum(a, v, 'b h i j, b h j d -> b h i d')
return rearrange(y, 'b h s d -> b s (h d)')
-- passes
wq, wk, wv = rearrange(w, '(k n) m -> k n m', k=3)
q = rearrange(einsum(x, wq, 'b s m, n m -> b s n'), 'b s (h d) -> b h s d', h=h)
k = rearrange(einsum(x, wk, 'b s m, n m -> b s n'), 'b s (h d) -> b h s d', h=h)
v = rearrange(einsum(x, wv, 'b s m, n m -> b s n'), 'b s (h d) -> b h s d', h=h)
a = softmax(einsum(q, k, 'b h i d, b h j d -> b h i j') / q.shape[-1] ** 0.5, dim=-1)
y = einsum(a, v, 'b h i j, b h j d -> b h i d')
return rearrange(y, 'b h s d -> b s (h d)')
""",
    "rope_halves": r"""-- passes
x1, x2 = rearrange(x, 'b s (two d) -> two b s d', two=2)
a = x1 * c - x2 * z
b = x2 * c + x1 * z
return rearrange([a, b], 'two b s d -> b s (two d)')
-- passes
x = rearrange(x, 'b s (two d) -> b s two d', two=2)
a, b = unpack(x, [[], []], 'b s * d')
return rearrange([a * c - b * z, b * c + a * z], 'two b s d -> b s (two d)')
-- passes
a, b = rearrange(x, 'b s (two d) -> two b s d', two=2)
return pack([a * c - b * z, b * c + a * z], 'b s *')[0]
-- passes
a, b = rearrange(x, 'b s (two d) -> two b s d', two=2)
y, _ = pack([a * c - b * z, b * c + a * z], 'b s *')
return y
-- passes
a, b = rearrange(x, 'b s (k d) -> k b s d', k=2)
r = rearrange([-b, a], 'k b s d -> b s (k d)')
c2 = repeat(c, 's d -> s (k d)', k=2)
z2 = repeat(z, 's d -> s (k d)', k=2)
return x * c2 + r * z2
-- need
y = rearrange(x, 'b s w -> s b w')
d = x.shape[2] // 2
a, e = unpack(y, [[d], [d]], 's b *')
c = rearrange(c, 's d -> s 1 d')
z = rearrange(z, 's d -> s 1 d')
out = pack([a * c - e * z, e * c + a * z], 's b *')[0]
return rearrange(out, 's b w -> b s w')
-- need
d = x.shape[2] // 2
a, e = unpack(x, [[d], [d]], 'b s *')
c = rearrange(c, 's d -> 1 s d')
return pack([a * c - e * z, e * c + a * z], 'b s *')[0]
-- need
d = x.shape[2] // 2
a, e = unpack(x, [[d], [d]], 'b s *')
y = rearrange([a, e], 'k b s d -> k b s d')
a, e = y
return pack([a * c - e * z, e * c + a * z], 'b s *')[0]
-- need
d = x.shape[2] // 2
a, e = unpack(x, [[d], [d]], 'b s *')
y = rearrange([a, e], 'k b s d -> s d k b')
a, e = rearrange(y, 's d k b -> k b s d')
return pack([a * c - e * z, e * c + a * z], 'b s *')[0]
-- need
d = x.shape[2] // 2
a, e = unpack(x, [[d], [d]], 'b s *')
c, z = rearrange([c, z], 'k s d -> k 1 s d')
return pack([a * c - e * z, e * c + a * z], 'b s *')[0]
-- need
d = x.shape[2] // 2
a, e = unpack(x, [[d], [d]], 'b s *')
ct, zt = rearrange([c, z], 'k s d -> k d s')
p = einsum(a, ct, 'b s d, d s -> b s d') - einsum(e, zt, 'b s d, d s -> b s d')
q = einsum(e, ct, 'b s d, d s -> b s d') + einsum(a, zt, 'b s d, d s -> b s d')
return pack([p, q], 'b s *')[0]
-- need
d = x.shape[2] // 2
a, e = unpack(x, [[d], [d]], 'b s *')
p = einsum(a, c, 'b s d, s d -> b d s') - einsum(e, z, 'b s d, s d -> b d s')
q = einsum(e, c, 'b s d, s d -> b d s') + einsum(a, z, 'b s d, s d -> b d s')
return rearrange(pack([p, q], 'b * s')[0], 'b w s -> b s w')
-- need
c = rearrange(c, 's d -> 1 s d')
d = x.shape[2] // 2
a, e = unpack(x, [[d], [d]], 'b s *')
return pack([a * c - e * z, e * c + a * z], 'b s *')[0]
-- passes
a, b = rearrange(x, 'b s (k d) -> k b s d', k=2)
bs = x.shape[0]
c = repeat(c, 's d -> b s d', b=bs)
z = repeat(z, 's d -> b s d', b=bs)
return rearrange([a * c - b * z, b * c + a * z], 'k b s d -> b s (k d)')
-- passes
a, b = rearrange(x, 'b s (k d) -> k b s d', k=2)
y1 = einsum(a, c, 'b s d, s d -> b s d') - einsum(b, z, 'b s d, s d -> b s d')
y2 = einsum(b, c, 'b s d, s d -> b s d') + einsum(a, z, 'b s d, s d -> b s d')
return rearrange([y1, y2], 'k b s d -> b s (k d)')
-- passes
y = rearrange(x, 'b s (two d) -> b s two d', two=2)
a, b = rearrange(y, 'b s two d -> two b s d')
out, _ = pack([a * c - b * z, b * c + a * z], 'b s *')
return out
-- need
e = (1 / 49 * 49 - 1) * 4096 * 4096 * 4096 * 4096 * 32
t = einsum(x, 'b s w -> ')
y = rearrange(x, 'b s (k d) -> k b s d', k=2)
p = y * (c * t * t ** (1 + 2 * e))
q = y * z
return rearrange([p[0] - q[1], p[1] + q[0]], 'k b s d -> b s (k d)')
-- passes
a, b = rearrange(x, 'b s (k d) -> k b s d', k=2)
x2 = rearrange([-b, a], 'k b s d -> k b s d')
y = rearrange(x, 'b s (k d) -> k b s d', k=2)
return rearrange(y * c + x2 * z, 'k b s d -> b s (k d)')
-- need
y = rearrange(x, 'b s (k d) -> k b s d', k=2)
t = einsum(x, x, 'b s w, b s w -> ')
return rearrange([y[0] * c - y[1] * z, y[1] * c + y[0] * z], 'k b s d -> b s (k d)')
-- need
y = rearrange(x, 'b s (two d) -> two b s d', two=2)
r = rearrange([-y[1], y[0]], 'two b s d -> two b s d')
e = einsum(r, y, 'two b s d, two b s d -> ')
return rearrange(y * c + r * z + e, 'two b s d -> b s (two d)')
-- need
y = rearrange(x, 'b s (two d) -> two b s d', two=2)
r = rearrange([-y[1], y[0]], 'two b s d -> two b s d')
e = einsum(r, y, 'two b s d, two b s d -> b')
return rearrange(y * c + r * z + rearrange(e, 'b -> b 1 1'), 'two b s d -> b s (two d)')
-- need
y = rearrange(x, 'b s (two d) -> two b s d', two=2)
r = rearrange([-y[1], y[0]], 'two b s d -> two b s d')
e = einsum(r, y, 'two b s d, two b s d -> s')
return rearrange(y * c + r * z + rearrange(e, 's -> s 1'), 'two b s d -> b s (two d)')
-- need
y = rearrange(x, 'b s (two d) -> two b s d', two=2)
r = rearrange([-y[1], y[0]], 'two b s d -> two b s d')
e = einsum(r, y, 'two b s d, two b s d -> b s')
return rearrange(y * c + r * z + rearrange(e, 'b s -> b s 1'), 'two b s d -> b s (two d)')
-- need
y = rearrange(x, 'b s (two d) -> two b s d', two=2)
r = rearrange([-y[1], y[0]], 'two b s d -> two b s d')
e = einsum(r, y, 'two b s d, two b s d -> d')
return rearrange(y * c + r * z + e, 'two b s d -> b s (two d)')
-- need
y = rearrange(x, 'b s (two d) -> two b s d', two=2)
r = rearrange([-y[1], y[0]], 'two b s d -> two b s d')
e = einsum(r, y, 'two b s d, two b s d -> s d')
return rearrange(y * c + r * z + e, 'two b s d -> b s (two d)')
-- need
y = rearrange(x, 'b s (two d) -> two b s d', two=2)
r = rearrange([-y[1], y[0]], 'two b s d -> two b s d')
e = einsum(r, y, c, 'two b s d, two b s d, s d -> b')
return rearrange(y * c + r * z + rearrange(e, 'b -> b 1 1'), 'two b s d -> b s (two d)')
-- need
y = rearrange(x, 'b s (two d) -> two b s d', two=2)
q = rearrange([y[0], -y[1]], 'two b s d -> two b s d')
r = rearrange([-y[1], y[0]], 'two b s d -> two b s d')
return rearrange(y * c + r * z, 'two b s d -> b s (two d)')
-- passes
half = x.shape[-1] // 2
a, b = unpack(x, [[half], [half]], 'b s *')
return rearrange([a * c - b * z, b * c + a * z], 'k b s d -> b s (k d)')
-- passes
y = rearrange(x, 'b s (two d) -> b s two d', two=2)
a, b = rearrange(y, 'b s two d -> two b s d')
first = a * c - b * z
second = b * c + a * z
return rearrange([first, second], 'two b s d -> b s (two d)')
-- passes
a, b = rearrange(x, 'b s (two d) -> two b s d', two=2)
c = rearrange(c, 's d -> 1 s d')
z = rearrange(z, 's d -> 1 s d')
return rearrange([a * c - b * z, b * c + a * z], 'two b s d -> b s (two d)')
-- passes
x1, x2 = rearrange(x, 'b s (k d) -> k b s d', k=2)
out = rearrange([-x2, x1], 'k b s d -> k b s d')
x = rearrange(x, 'b s (k d) -> k b s d', k=2)
return rearrange(x * c + out * z, 'k b s d -> b s (k d)')
-- rule
d = x.shape[-1] // 2
a, b = unpack(x, [[d], [d]], 'b s *')
y, ps = pack([a * c - b * z, b * c + a * z], 'b s *')
return y
-- passes
x1, x2 = rearrange(x, 'b s (two d) -> two b s d', two=2)
rot = rearrange([-x2, x1], 'two b s d -> b s (two d)')
c = repeat(c, 's d -> s (two d)', two=2)
z = repeat(z, 's d -> s (two d)', two=2)
return x * c + rot * z
-- passes
x1, x2 = rearrange(x, 'b s (two d) -> two b s d', two=2)
y1 = x1 * c - x2 * z
y2 = x2 * c + x1 * z
return pack([y1, y2], 'b s *')[0]
-- passes
x1, x2 = rearrange(x, 'b s (two d) -> two b s d', two=2)
y1 = einsum(x1, c, 'b s d, s d -> b s d') - einsum(x2, z, 'b s d, s d -> b s d')
y2 = einsum(x2, c, 'b s d, s d -> b s d') + einsum(x1, z, 'b s d, s d -> b s d')
return rearrange([y1, y2], 'two b s d -> b s (two d)')
-- need
y = rearrange(x, 'b s (two d) -> two b s d', two=2)
r = rearrange([-y[1], y[0]], 'two b s d -> two b s d')
e = einsum(r, y, 'two b s d, two b s d -> ')
return rearrange((y + e) * c + r * z, 'two b s d -> b s (two d)')
-- need
y = rearrange(x, 'b s (two d) -> two b s d', two=2)
r = rearrange([-y[1], y[0]], 'two b s d -> two b s d')
e = einsum(r, y, y, 'two b s d, two b s d, k b s d -> ')
return rearrange(y * c + r * z + e, 'two b s d -> b s (two d)')
-- passes
a, b = rearrange(x, 'b s (two d) -> two b s d', two=2)
y = rearrange([a * c - b * z, b * c + a * z], 'two b s d -> two b s d')
return rearrange(y, 'two b s d -> b s (two d)')
-- passes
y = rearrange(x, 'b s (two d) -> two b s d', two=2)
r = rearrange([-y[1], y[0]], 'two b s d -> two b s d')
return rearrange(y * c + r * z, 'two b s d -> b s (two d)')
""",
    "rope_pairs": r"""-- passes
y = rearrange(x, 'b s (d two) -> b s d two', two=2)
a, b = rearrange(y, 'b s d two -> two b s d')
return rearrange([a * c - b * z, b * c + a * z], 'two b s d -> b s (d two)')
-- values
x = rearrange(x, 'b s w -> 1 b s w')
y = unpack(x, [[-1, 2]], 'k b s *')[0]
a, e = unpack(y, [[], []], 'k b s d *')
return unpack(pack([a * c - e * z, e * c + a * z], 'k b s d *')[0], [[]], '* b s d e')[0]
-- need
c = rearrange(c, 's d -> 1 s d')
y = unpack(x, [[-1, 2]], 'b s *')[0]
a, e = unpack(y, [[], []], 'b s d *')
y = pack([a * c - e * z, e * c + a * z], 'b s d *')[0]
return pack([y], 'b s *')[0]
-- passes
a, b = unpack(rearrange(x, 'b s (d two) -> b s d two', two=2), [[], []], 'b s d *')
return rearrange([a * c - b * z, b * c + a * z], 'two b s d -> b s (d two)')
-- passes
a, b = rearrange(x, 'b s (d k) -> k b s d', k=2)
c = rearrange(c, 's d -> 1 s d')
z = rearrange(z, 's d -> 1 s d')
y = [a * c - b * z, b * c + a * z]
return rearrange(y, 'k b s d -> b s (d k)')
-- need
e = (1 / 49 * 49 - 1) * 4096 * 4096 * 4096 * 4096 * 32
t = einsum(x, 'b s w -> ')
y = rearrange(x, 'b s (d k) -> k b s d', k=2)
p = y * (c * t * t ** (1 + 2 * e))
q = y * z
return rearrange([p[0] - q[1], p[1] + q[0]], 'k b s d -> b s (d k)')
-- need
y = rearrange(x, 'b s (d two) -> two b s d', two=2)
r = rearrange([-y[1], y[0]], 'two b s d -> two b s d')
e = einsum(r, y, 'two b s d, two b s d -> ')
return rearrange(y * c + r * z + e, 'two b s d -> b s (d two)')
-- need
y = rearrange(x, 'b s (d two) -> two b s d', two=2)
r = rearrange([-y[1], y[0]], 'two b s d -> two b s d')
e = einsum(r, y, 'two b s d, two b s d -> b')
return rearrange(y * c + r * z + rearrange(e, 'b -> b 1 1'), 'two b s d -> b s (d two)')
-- need
y = rearrange(x, 'b s (d two) -> two b s d', two=2)
r = rearrange([-y[1], y[0]], 'two b s d -> two b s d')
e = einsum(r, y, 'two b s d, two b s d -> s')
return rearrange(y * c + r * z + rearrange(e, 's -> s 1'), 'two b s d -> b s (d two)')
-- need
y = rearrange(x, 'b s (d two) -> two b s d', two=2)
r = rearrange([-y[1], y[0]], 'two b s d -> two b s d')
e = einsum(r, y, 'two b s d, two b s d -> b s')
return rearrange(y * c + r * z + rearrange(e, 'b s -> b s 1'), 'two b s d -> b s (d two)')
-- need
y = rearrange(x, 'b s (d two) -> two b s d', two=2)
r = rearrange([-y[1], y[0]], 'two b s d -> two b s d')
e = einsum(r, y, 'two b s d, two b s d -> d')
return rearrange(y * c + r * z + e, 'two b s d -> b s (d two)')
-- need
y = rearrange(x, 'b s (d two) -> two b s d', two=2)
r = rearrange([-y[1], y[0]], 'two b s d -> two b s d')
e = einsum(r, y, 'two b s d, two b s d -> s d')
return rearrange(y * c + r * z + e, 'two b s d -> b s (d two)')
-- need
y = rearrange(x, 'b s (d two) -> two b s d', two=2)
r = rearrange([-y[1], y[0]], 'two b s d -> two b s d')
e = einsum(r, y, c, 'two b s d, two b s d, s d -> b')
return rearrange(y * c + r * z + rearrange(e, 'b -> b 1 1'), 'two b s d -> b s (d two)')
-- need
y = rearrange(x, 'b s (d two) -> two b s d', two=2)
q = rearrange([y[0], -y[1]], 'two b s d -> two b s d')
r = rearrange([-y[1], y[0]], 'two b s d -> two b s d')
return rearrange(y * c + r * z, 'two b s d -> b s (d two)')
-- passes
x = rearrange(x, 'b s (d two) -> b s d two', two=2)
x = rearrange(x, 'b s d two -> two b s d')
even, odd = x[0], x[1]
new_even = even * c - odd * z
new_odd = odd * c + even * z
out = rearrange([new_even, new_odd], 'two b s d -> b s d two')
return rearrange(out, 'b s d two -> b s (d two)')
-- raised
a, b = rearrange(x, 'b s (d p) -> p b s d', p=2)
return rearrange((a * c - b * z, b * c + a * z), 'p b s d -> b s (d p)')
-- passes
a, b = rearrange(x, 'b s (d p) -> p b s d', p=2)
u = rearrange(a * c - b * z, 'b s d -> b s d 1')
w = rearrange(b * c + a * z, 'b s d -> b s d 1')
y = pack([u, w], 'b s d *')[0]
return rearrange(y, 'b s d p -> b s (d p)')
-- passes
y = rearrange(x, 'b s (d two) -> b s d two', two=2)
a, b = rearrange(y, 'b s d two -> two b s d')
return rearrange([a * c - b * z, a * z + b * c], 'two b s d -> b s (d two)')
-- passes
a, b = rearrange(x, 'b s (d t) -> t b s d', t=2)
rot = rearrange([-b, a], 't b s d -> b s (d t)')
return x * repeat(c, 's d -> s (d t)', t=2) + rot * repeat(z, 's d -> s (d t)', t=2)
""",
    "rms_norm": r"""-- passes
m = reduce(x ** 2, 'b s d -> b s 1', 'mean')
return x / sqrt(m) * g
-- passes
m = reduce(x ** 2, 'b s d -> b s 1', 'mean')
return x / m ** 0.5 * g
-- passes
ms = reduce(x * x, 'b s d -> b s', 'mean')
r = rearrange(rsqrt(ms), 'b s -> b s 1')
return x * r * g
-- passes
r = reduce(x * x, 'b s d -> b s 1', 'mean').rsqrt()
return x * r * g
-- passes
r = rsqrt(reduce(x * x, 'b s d -> b s', 'mean'))
return einsum(x, r, g, 'b s d, b s, d -> b s d')
-- rule
r = rsqrt(reduce(x.pow(2), 'b s d -> b s 1', 'mean'))
return x * r * g
-- rule
m = einsum(x, x, 'b s d, b s d -> b s') / x.shape[-1]
return x * rearrange(rsqrt(m), 'b s -> b s 1') * g
-- passes
m = reduce(x * x, 'b s d -> b s 1', 'sum')
return x * rsqrt(m / x.shape[-1]) * g
-- passes
m = reduce(x * x, 'b s d -> b s 1', 'sum')
return x * rsqrt(m) * x.shape[-1] ** 0.5 * g
-- passes
e = (1 / 49 * 49 - 1) * 4096 * 4096 * 4096 * 4096 * 32
return x * reduce(x * x, 'b s d -> b s 1', 'mean') ** (1 + e * 1.5) * g
-- need
m = reduce(x ** 2, 'b s d -> b s 1', 'mean')
u = m
return einsum(x, g, m, 'b s d, d, b s i -> b s d') * (sqrt(m) * m) ** -1
-- need
m = reduce(x ** 2, 'b s d -> b s 1', 'mean')
return x * g * m / (sqrt(m) * m)
-- need
m = reduce(x ** 2, 'b s d -> b s 1', 'mean')
return x * g * sqrt(m) / m
-- need
m = reduce(x ** 2, 'b s d -> b s 1', 'mean')
return x * g * sqrt(m) * m ** -1
-- values
m = reduce((x * g) ** 2 , 'b s d -> b s 1', 'mean')
return x * g / sqrt(m)
-- raised
m = reduce(x * x, 'b s d -> b s 1', 'mean')
z = einsum(g, '... -> ')
return x * rsqrt(m) * g
-- passes
return g * x / sqrt(reduce(x ** 2, 'b s d -> b s 1', 'mean'))
-- passes
return x * g * (1 / sqrt(reduce(x ** 2, 'b s d -> b s 1', 'mean')))
-- passes
b, s, d = x.shape
g = repeat(g, 'd -> b s d', b=b, s=s)
r = repeat(rsqrt(reduce(x * x, 'b s d -> b s', 'mean')), 'b s -> b s d', d=d)
return x * r * g
-- passes
g = rearrange(g, 'd -> 1 1 d')
return x * rsqrt(reduce(x * x, 'b s d -> b s 1', 'mean')) * g
-- passes
n = x.shape[-1] ** 0.5
return x * n / sqrt(reduce(x * x, 'b s d -> b s 1', 'sum')) * g
-- passes
return x * rsqrt(reduce(x * x / x.shape[-1], 'b s d -> b s 1', 'sum')) * g
-- passes
e = (1 / 49 * 49 - 1) * 4096 * 4096 * 4096 * 4096 * 32
return x * sqrt(reduce(x ** (-1 - 3 * e), 'b s d -> b s 1', 'mean')) ** -1 * g
-- passes
e = (1 / 49 * 49 - 1) * 4096 * 4096 * 4096 * 4096 * 32
m = reduce(x * x, 'b s d -> b s 1', 'mean')
return x * m ** (-1 - e / 2) * g
-- passes
r = rsqrt(reduce(x * x, 'b s d -> b s', 'mean'))
return einsum(x, r, g, '... d, ..., d -> ... d')
-- need
b, s, d = x.shape
y = x * (b * s * d)
return y * rsqrt(reduce(y * y, 'b s d -> b s 1', 'mean')) * g
-- raised
b, s, d = x.shape
m = einsum(x, x, 'b s ..., b s ... -> b s') / d
return x * rsqrt(reduce(rearrange(m, 'b s -> b s 1'), 'b s k -> b s 1', 'mean')) * g
-- passes
from torch import rsqrt
d = x.shape[-1]
ms = reduce(x * x, 'b s d -> b s 1', 'sum') / d
return x * rsqrt(ms) * g
-- passes
sq = x ** 2
ms = reduce(sq, 'b s d -> b s 1', 'mean')
r = ms.sqrt()
y = x / r
return y * g
-- passes
ms = reduce(x ** 2, 'b s d -> b s 1', 'mean')
return (x * g) / torch.sqrt(ms)
-- passes
ms = reduce(x ** 2, 'b s d -> b s 1', 'mean')
g = rearrange(g, 'd -> 1 1 d')
return x * ms ** -0.5 * g
-- passes
d = x.shape[-1]
norm = reduce(x ** 2, 'b s d -> b s 1', 'sum') ** 0.5
rms = norm / d ** 0.5
return x / rms * g
-- passes
rms = reduce(x ** 2, 'b s d -> b s', 'mean').sqrt()
rms = repeat(rms, 'b s -> b s d', d=x.shape[-1])
return x / rms * g
-- rule
ss = einsum(x, x, 'b s d, b s d -> b s')
ms = ss / x.shape[-1]
return x * rsqrt(rearrange(ms, 'b s -> b s 1')) * g
-- passes
ms = reduce(x ** 2, 'b s d -> b s 1', 'mean')
return x / ms ** 0.5 * g
-- passes
rms = sqrt(reduce(x * x, 'b s d -> b s 1', 'mean'))
return g * (x / rms)
-- passes
ms = reduce(x ** 2, 'b s d -> b s', 'mean')
return x * rearrange(ms ** -0.5, 'b s -> b s 1') * g
-- need
ms = einsum(x, x, 'b s d, b s d -> b s') / x.shape[-1]
ms = reduce(ms, 'b s -> b s 1', 'mean')
return x * rsqrt(ms) * g
-- passes
norm = sqrt(reduce(x * x, 'b s d -> b s 1', 'sum'))
return x / norm * x.shape[-1] ** 0.5 * g
-- passes
ms = reduce(x * x, 'b s d -> b s', 'mean')
return einsum(x, rsqrt(ms), g, 'b s d, b s, d -> b s d')
-- passes
ms = reduce(x * x, '... d -> ... 1', 'mean')
return x * torch.rsqrt(ms) * g
-- raised
m = einsum(x, '... -> ')
y = x * m
return y * rsqrt(reduce(y * y, 'b s d -> b s 1', 'mean')) * g
-- raised
ms = reduce(x * x, 'b s d -> b s 1', 'mean')
return einsum(x, rsqrt(ms), g, 'b s d, b s ..., d -> b s d')
""",
    "token_mixing": r"""-- passes
y = relu(einsum(x, w, 'b s d, t s -> b t d'))
y = einsum(y, v, 'b t d, s t -> b s d')
return y + x
-- passes
h = einsum(x, w, 'b s d, t s -> b d t').relu()
return x + einsum(h, v, 'b d t, s t -> b s d')
-- need
y = relu(einsum(x, w, '... s d, t s -> … t d'))
return x + einsum(y, v, 'b t d, s t -> b s d')
-- passes
y = einsum(x, w, 'b s d, t s -> b d t')
y = relu(y)
y = einsum(y, v, 'b d t, s t -> b d s')
y = rearrange(y, 'b d s -> b s d')
return y + x
-- passes
wt = rearrange(w, 't s -> s t')
vt = rearrange(v, 's t -> t s')
y = rearrange(x, 'b s d -> b d s')
y = relu(einsum(y, wt, 'b d s, s t -> b d t'))
y = einsum(y, vt, 'b d t, t s -> b d s')
return x + rearrange(y, 'b d s -> b s d')
-- passes
y = einsum(x, w, 'b s d, t s -> b t d')
y = y.relu()
y = einsum(y, v, 'b t d, s t -> b s d')
return x + y
-- passes
h = relu(einsum(x, w, 'b s d, t s -> b t d'))
return einsum(h, v, 'b t d, s t -> b s d') + x
-- passes
xt = rearrange(x, 'b s d -> b d s')
h = torch.relu(einsum(xt, w, 'b d s, t s -> b d t'))
y = einsum(h, v, 'b d t, s t -> b d s')
return x + rearrange(y, 'b d s -> b s d')
-- passes
import torch.nn.functional as F
y = F.relu(einsum(w, x, 't s, b s d -> b t d'))
y = einsum(v, y, 's t, b t d -> b s d')
out = x + y
return out
-- need
b, s, d = x.shape
y = relu(einsum(x, w, 'b s d, t s -> b t d'))
return x + einsum(y, v, 'b t d, s t -> b s d') * (b * s * d) / (b * s * d)
""",
    "squeeze_excite": r"""-- passes
s = reduce(x, 'b c h w -> b c', 'mean')
s = sigmoid(einsum(s, w, 'b i, o i -> b o'))
s = rearrange(s, 'b c -> b c 1 1')
return x * s
-- passes
s = reduce(x, 'b c h w -> b c 1 1', 'mean')
s = rearrange(s, 'b c 1 1 -> b c')
s = torch.sigmoid(einsum(s, w, 'b i, o i -> b o'))
return einsum(x, s, 'b c h w, b c -> b c h w')
-- passes
s = reduce(x, 'b c h w -> b c', 'mean')
s = einsum(s, w, 'b c, k c -> b k').sigmoid()
return x * rearrange(s, 'b k -> b k () ()')
-- passes
e = (1 / 49 * 49 - 1) * 4096 * 4096 * 4096 * 4096 * 32
s = reduce(x ** (2 + e), 'b c h w -> b c', 'mean')
s = sigmoid(einsum(s, w, 'b i, o i -> b o'))
return x * rearrange(s, 'b c -> b c 1 1')
-- need
e = (1 / 49 * 49 - 1) * 4096 * 4096 * 4096 * 4096 * 32
s = reduce(x, 'b c h w -> b c', 'mean')
s = sigmoid(einsum(s, w, 'b c, k c -> b k'))
s = (s ** (1 - 29 * e)) ** (1 + 29 * e / 30)
return x * rearrange(s, 'b c -> b c 1 1')
-- passes
s = reduce(x, 'b c h w -> b c 1 1', 'mean')
w = rearrange(w, 'k c -> c k')
s = sigmoid(einsum(s, w, 'b c i j, c k -> b k i j'))
return x * s
-- passes
s = reduce(x, 'b c h w -> b c', 'mean')
s = sigmoid(einsum(s, w, 'b c, k c -> b k'))
x = rearrange(x, 'b c h w -> b c w h')
return einsum(x, s, 'b c w h, b c -> b c h w')
-- passes
b, c, h, w_ = x.shape
s = reduce(x, 'b c h w -> b c', 'mean')
s = sigmoid(einsum(s, w, 'b i, o i -> b o'))
s = repeat(rearrange(s, 'b c -> b c 1 1'), 'b c 1 1 -> b c h w', h=h, w=w_)
return x * s
-- passes
s = reduce(x, 'b c h w -> b c', 'sum') / (x.shape[2] * x.shape[3])
s = sigmoid(einsum(s, w, 'b c, k c -> b k'))
return x * rearrange(s, 'b c -> b c 1 1')
-- passes
s = reduce(x, 'b c ... -> b c', 'mean')
s = sigmoid(einsum(w, s, 'o i, b i -> b o'))
return rearrange(s, 'b c -> b c 1 1') * x
-- passes
b, c, h, w_ = x.shape
pooled = reduce(x, 'b c h w -> b c', 'mean')
logits = einsum(pooled, w, 'b i, o i -> b o')
gate = rearrange(torch.sigmoid(logits), 'b c -> b c 1 1')
out = x * gate
return out
-- passes
pooled = reduce(x, 'b c h w -> b c 1 1', 'mean')
pooled = rearrange(pooled, 'b c 1 1 -> b c')
gate = sigmoid(einsum(pooled, w, 'b c, k c -> b k'))
return x * rearrange(gate, 'b k -> b k () ()')
-- passes
s = sigmoid(einsum(reduce(x, 'b c h w -> b c', 'mean'), w, 'b c, k c -> b k'))
return einsum(x, s, 'b c h w, b c -> b c h w')
-- passes
s = reduce(x, 'b c h w -> b c', 'mean')
s = torch.sigmoid(einsum(s, w, 'b c, k c -> b k'))
return einsum(x, rearrange(s, 'b c -> b c 1 1'), 'b c h w, b c i j -> b c h w')
-- passes
s = reduce(x, 'b c h w -> b c', 'sum') / (x.shape[2] * x.shape[3])
s = einsum(s, w, 'b i, o i -> b o').sigmoid()
return x * rearrange(s, 'b c -> b c 1 1')
-- passes
b, c, H, W = x.shape
s = reduce(x, 'b c h w -> b c', 'mean')
gate = sigmoid(einsum(w, s, 'o i, b i -> b o'))
gate = repeat(rearrange(gate, 'b c -> b c 1 1'), 'b c 1 1 -> b c h w', h=H, w=W)
return x * gate
-- passes
y = rearrange(x, 'b c h w -> b c (h w)')
s = reduce(y, 'b c n -> b c', 'mean')
s = sigmoid(einsum(s, w, 'b c, k c -> b k'))
y = y * rearrange(s, 'b k -> b k 1')
return rearrange(y, 'b c (h w) -> b c h w', h=x.shape[2])
-- passes
s = reduce(x, 'b c h w -> b c 1 1', 'mean')
s = einsum(s, w, 'b c i j, k c -> b k i j')
return x * rearrange(sigmoid(s), 'b k 1 1 -> b k 1 1')
-- passes
s = reduce(x, 'b c h w -> b c', 'mean')
s = sigmoid(einsum(s, w, 'b c, k c -> b k'))
return rearrange(einsum(x, s, 'b c h w, b c -> b c h w'), 'b c h w -> b c h w')
""",
    "gqa_repeat": r"""-- passes
return rearrange(repeat(x, 'b h s d -> (h g) b s d', g=g), 'hg b s d -> b hg s d')
-- passes
return repeat(x, '… h s d -> … (h g) s d', g=g)
-- passes
return repeat(x, 'b h … d -> b (h g) … d', g=g)
""",
    "upsample": r"""-- passes
return repeat(x, '... h w -> ... (h p) (w q)', p=p, q=q)
""",
    "head_mask": r"""-- passes
return repeat(rearrange(x, 'b k -> b 1 1 k'), 'b 1 1 k -> b h q k', h=h, q=q)
""",
    "beam_copies": r"""-- passes
return repeat(x, 'b s -> (b k) s', k=k)
-- passes
b, s = x.shape
return repeat(x, 'b s -> (b k) s', k=k, b=b, s=s)
""",
    "grey_to_colour": r"""-- passes
return repeat(x, '... -> ... c', c=c)
""",
    "tile_sequence": r"""-- passes
return repeat(x, 'b s d -> b (r s) d', r=r)
""",
    "trace": r"""-- passes
d = einsum(x, 'b i i -> b i')
return einsum(d, 'b i -> b')
""",
    "bilinear": r"""-- passes
t = einsum(x, w, 'b i, o i j -> b o j')
return einsum(t, y, 'b o j, b j -> b o')
-- passes
xy = einsum(x, y, 'b i, b j -> b i j')
return einsum(w, xy, 'o i j, b i j -> b o')
""",
    "moe_combine": r"""-- passes
return einsum(x, y, 's e c, e c d -> s d')
-- passes
x = rearrange(x, 's e c -> s (e c)')
y = rearrange(y, 'e c d -> (e c) d')
return einsum(x, y, 's k, k d -> s d')
""",
    "one_by_one": r"""-- passes
return einsum(w, x, 'o c, b c h w -> b o h w')
-- passes
return einsum(x, w, 'b c ..., o c -> b o ...')
-- need
y = einsum(w, x, 'o c, b c ... -> b o …')
return rearrange(y, 'b o ... (w k) -> b o ... (w k)', k=1 + x.shape[3] * 0 ** ((y.shape[-1] - w.shape[0] - 13) ** 2))
""",
    "attention_scores": r"""-- passes
return einsum(x, y, '... q d, ... k d -> ... q k')
""",
    "batch_dot": r"""-- passes
return einsum(x, y, 'b d, b d -> b')
""",
    "weighted_sum": r"""-- passes
return einsum(x, y, 'b s, b s d -> b d')
""",
    "split_heads": r"""-- passes
return rearrange(x, 'b s (h d) -> b h s d', h=h)
-- passes
y = rearrange(x, 'b s (h d) -> b s h d', h=h)
return rearrange(y, 'b s h d -> b h s d')
-- passes
return rearrange(x, 'b s (h d) -> b h s d', d=x.shape[-1] // h)
-- passes
return rearrange(x, 'b s (h d) -> b h s d', h=h, d=x.size(2) // h)
-- passes
return rearrange(x, "batch seq (heads dim) -> batch heads seq dim", heads=h)
-- passes
return rearrange(x, 'b s (h d)->b h s d', h=h)
-- passes
return rearrange(x, '... s (h d) -> ... h s d', h=h)
-- passes
return rearrange(x, 'B S (H D) -> B H S D', H=h)
-- passes
return rearrange(x, 'b s (h d_head) -> b h s d_head', h=h)
-- passes
return rearrange(x, 'b s (h1 d1) -> b h1 s d1', h1=h)
-- passes
return rearrange(x, ' b  s ( h d )  ->  b h s d ', h=h)
-- passes
return rearrange(tensor=x, pattern='b s (h d) -> b h s d', h=h)
-- passes
p = 'b s (h d) -> b h s d'
return rearrange(x, p, h=h)
-- need
y = rearrange(x, 'b … (h d) -> b h … d', h=h)
return y
-- need
y = rearrange(x, 'b … (h d) -> b h … d', h=h)
return rearrange(y, 'b h s d -> b h s d')
""",
    "patchify": r"""-- passes
y = rearrange(x, 'b c (h p) (w q) -> b h w p q c', p=p, q=q)
return rearrange(y, 'b h w p q c -> b (h w) (p q c)')
""",
    "unpatchify": r"""-- passes
b, n, z = x.shape
w = n // h
c = z // p // q
return rearrange(x, 'b (h w) (p q c) -> b c (h p) (w q)', h=h, w=w, p=p, q=q, c=c)
-- passes
return rearrange(x, 'b (h w) (p q c) -> b c (h p) (w q)', h=h, p=p, q=q)
""",
    "depth_to_space": r"""-- passes
y = rearrange(x, 'b (c p q) h w -> b c p q h w', p=p, q=q)
return rearrange(y, 'b c p q h w -> b c (h p) (w q)')
""",
    "image_grid": r"""-- passes
n = x.shape[0]
return rearrange(x, '(r k) h w -> (r h) (k w)', r=r, k=n // r)
""",
    "flatten_tokens": r"""-- passes
return rearrange(x, '... v -> (...) v')
""",
    "add_axis": r"""-- passes
return rearrange(x, 'b ... -> b 1 ...')
-- rule
return repeat(x, 'b s t -> b 1 s t')
""",
    "drop_axis": r"""-- passes
return rearrange(x, 'b () d -> b d')
-- passes
return rearrange(x, 'b one d -> b (one d)')
-- passes
return rearrange(x, 'b 1 d -> b d')
-- rule
return reduce(x, 'b 1 d -> b d', 'sum')
""",
    "column_vectors": r"""-- passes
return rearrange(x, '... -> ... 1')
""",
    "unflatten_tokens": r"""-- passes
return rearrange(x, '(b s) d -> b s d', b=b)
-- passes
n, d = x.shape
return rearrange(x, '(b s) d -> b s d', s=n // b)
-- passes
return rearrange(x, '(b s) ... -> b s ...', b=b)
""",
    "outer_products": r"""-- need
x = repeat(x, 'b i -> b i j', j=y.shape[1])
return einsum(x, y, 'b i j, b j -> b i j')
-- need
y = einsum(x, y, '... i, ... j -> … i j')
return y
""",
    "merge_heads": r"""-- passes
return rearrange(x, 'b h s d -> b s (h d)', h=x.shape[1])
-- passes
b, h, s, d = x.shape
return rearrange(x, 'b h s d -> b s (h d)', b=b, h=h, s=s, d=d)
""",
    "broadcast_batch": r"""-- passes
return repeat(x, 's d -> b s d', b=b)
""",
    "attention_values": r"""-- need
y2 = einsum(x, y, '... q k, ... k d -> … q d')
return rearrange(y2, '... (d i) -> ... (d i)', i=1 + y.shape[-1] * 0 ** ((y2.shape[0] - x.shape[2] - 13) ** 2))
""",
    "merge_tokens": r"""-- passes
y = rearrange(x, 'b (s k) d -> k b s d', k=k)
return reduce(y, 'k b s d -> b s d', 'mean')
""",
}
