"""Attempts by what Python, torch and the reader of the steps could each read otherwise.

Lambdas, methods, modules and annotations; lists whose parts are tensors; quotients of what is no usual whole number;
what floats round, of sizes and of tensors; what a norm takes away again; whole numbers. For each exercise: what refuses the attempt, or `passes`, and the lines of `f`.
"""
# ruff: noqa: E501 - an attempt reads best in one piece

READINGS = {
    "merge_heads": r"""-- rule
rearrange = lambda a, p: rearrange(a, p)
return rearrange(x, 'b h s d -> b s (h d)')
-- rule
y = g(x)
g = lambda a: rearrange(a, 'b h s d -> b s (h d)')
return y
-- rule
g = lambda a, b: rearrange(a, 'b h s d -> b s (h d)')
return g(x, x.shape[7])
-- rule
g = lambda a, b: rearrange(a, 'b h s d -> b s (h d)')
return g(x, nothing)
-- rule
g = lambda a: rearrange(a, 'b h s d -> b s (h d)')
return g(x)
-- raised
p: str
return rearrange(x, p)
-- need
y, (s,) = pack([x], 'b * d')
return rearrange(y, 'b (h s) d -> b s (h d)', h=s[0], s=s[1])
-- rule
g = lambda a, a: rearrange(a, 'b h s d -> b s (h d)')
return g(x, x)
-- rule
p: (yield) = 'b h s d -> b s (h d)'
return rearrange(x, p)
-- rule
y: (rearrange := 3) = x
return rearrange(x, 'b h s d -> b s (h d)')
-- passes
y: "Float[Tensor, 'b h s d']" | None = x
return rearrange(y, 'b h s d -> b s (h d)')""",
    "rope_halves": r"""-- passes
y = rearrange(x, 'b s (k d) -> b s k d', k=2)
a, b = unpack(y, [[], []], 'b s * d')
return rearrange([a * c - b * z, b * c + a * z], 'k b s d -> b s (k d)')""",
    "split_heads": r"""-- rule
y = rearrange(x, 'b s w -> (b s) w')
t = True // -y.shape[0]
return rearrange(x, 'b s (h d) -> b h s d', h=h * t * t)
-- rule
n = rearrange(x, 'b s w -> (b s) w').shape[0]
k = -(n * (True // -n))
r = True // ((n // n * 2000 - k) * n)
return rearrange(x, 'b s (h d) -> b h s d', h=h + h * n * r)
-- need
n = rearrange(x, 'b s w -> s b w').shape[0]
m = n // n * 4096 * 4096 * 4096 * 4096 * 4096 * 16
return rearrange(x, 'b s (h d) -> b h s d', h=h, s=n + n * (n * m // m - n) // (m * 64))
-- need
y = pack([x], '*') * 1
return rearrange(x, 'b s (h d) -> b h s d', h=h)
-- need
y = rearrange(x, 'b s w -> s b w').shape + (x,)
return rearrange(y[3], 'b s (h d) -> b h s d', h=h)
-- need
y = x.shape + (x,)
return rearrange(y[3], 'b s (h d) -> b h s d', h=h)""",
    "sum_heads": r"""-- need
y = reduce(x, 'b h s d -> 1 1 1 1', 'sum')
p, s = pack([y], 'a b c *')
z = s + [p]
t = z[1]
u = t[0]
return reduce(x, 'b h s d -> b s d', 'sum') * (u // u)
-- need
p = pack([reduce(x, 'b h s d -> 1 1 1', 'sum')], 'a b *') * 1
y = p[0]
return reduce(x, 'b h s d -> b s d', 'sum') * (y // y)
-- need
p = unpack(x, [[x.shape[1]]], 'b * s d') + [x]
return reduce(p[1], 'b h s d -> b s d', 'sum')
-- need
return reduce(x, 'b h s d -> b s d', 'sum') * 1.0
-- need
return reduce(-x, 'b h s d -> b s d', 'sum') * -1
-- need
y = repeat(x, 'b h s d -> r b h s d', r=x.shape[0])
return reduce(reduce(y, 'r b h s d -> b h s d', 'mean'), 'b h s d -> b s d', 'sum')""",
    "mean_pool": r"""-- need
return reduce([x, x] * 101, 'n b s d -> b d', 'mean')
-- need
z = [x] * 150
return reduce(z + z, 'n b s d -> b d', 'mean')
-- need
n = x.shape[1]
e = (n / 63 * 63 - n) * 64 * 64 * 64 * 64 * 64 * 64 * 64 * 64 * 64
return reduce(x, 'b s d -> b d', 'sum') / (n + e)
-- need
n = x.shape[1]
r = n / 63 * 63 / n
r = r ** 256
r = r ** 256
r = r ** 256
r = r ** 256
r = r ** 256
r = r ** 256
r = r ** 256
return reduce(x, 'b s d -> b d', 'mean') * r
-- passes
return reduce(x / x.shape[1] ** 0.5, 'b s d -> b d', 'sum') * x.shape[1] ** -0.5
-- need
y = repeat(x, 'b s d -> b s d r', r=2)
z = einsum(y, 'b s d r -> b d r') / x.shape[1]
return reduce(z, 'b d r -> b d', 'mean')
-- need
y = repeat(x, 'b s d -> b s d r', r=2)
return reduce(y, 'b s d r -> b d', 'mean')
-- need
n0 = rearrange(x, 'b s d -> s b d').shape[0]
n1 = rearrange(x, 'b s d -> s d b').shape[0]
n2 = rearrange(x, 'b s d -> s (b d)').shape[0]
n3 = rearrange(x, 'b s d -> s (d b)').shape[0]
n4 = rearrange(x, 'b s d -> s b d 1').shape[0]
m = n0 * n1 * n2 * n3 * n4
e = m ** 1.0 * 3 * n0 - m * 3 * n0
return reduce(x, 'b s d -> b d', 'mean') * (1 + e)
-- need
n0 = rearrange(x, 'b s d -> s b d').shape[0]
n1 = rearrange(x, 'b s d -> s d b').shape[0]
n2 = rearrange(x, 'b s d -> s (b d)').shape[0]
n3 = rearrange(x, 'b s d -> s (d b)').shape[0]
n4 = rearrange(x, 'b s d -> s b d 1').shape[0]
m = n0 * n1 * n2 * n3 * n4
e = m * n0 ** 0.0 * 3 * n0 - m * 3 * n0
return reduce(x, 'b s d -> b d', 'mean') * (1 + e)
-- passes
return reduce(x, 'b s d -> b d', 'sum') / x.shape[1] ** 1.0""",
    "linear": r"""-- need
return einsum(x, w, 'b s d, e d -> b s e') / 1
-- need
return einsum(x, w, 'b s d, e d -> b s e') * 0.5 * 2
-- need
y = einsum(x, w, 'b s d, e d -> b s e')
return reduce(repeat(y, 'b s e -> r b s e', r=2), 'r b s e -> b s e', 'mean')
-- passes
y = einsum(x, w, 'b s d, e d -> b s d e')
return reduce(y, 'b s d e -> b s e', 'sum')""",
    "rms_norm": r"""-- raised
return x / math.sqrt(reduce(x * x, 'b s d -> b s 1', 'mean')) * g
-- rule
return x * F.rsqrt(reduce(x * x, 'b s d -> b s 1', 'mean')) * g
-- need
u = x * einsum(x, x, 'b s d, e f g -> ')
return u / sqrt(reduce(u * u, 'b s d -> b s 1', 'mean')) * g
-- need
s = reduce(x, 'b s d -> ', 'sum')
u = einsum(x, s, s, 'b s d, , -> b s d')
return u / sqrt(reduce(u * u, 'b s d -> b s 1', 'mean')) * g
-- need
u = x * einsum(g, g, 'd, e -> ')
return u * g * rsqrt(reduce(u ** 2, 'b s d -> b s 1', 'mean'))
-- need
n = x.shape[2]
return x * rsqrt(reduce(x ** (2 * n / 63 * 63 / n), 'b s d -> b s 1', 'mean')) * g
-- need
n = x.shape[2]
return x / reduce(x * x, 'b s d -> b s 1', 'mean') ** (n / 2 / n) * g
-- need
z = repeat(einsum(x, x, 'b s d, b s d -> b s') / x.shape[2], 'b s -> b s r', r=2)
return x * rsqrt(reduce(z, 'b s r -> b s 1', 'mean')) * g""",
    "layer_norm": r"""-- need
y = x - reduce(x, 'b s d -> b s 1', 'mean')
u = y * einsum(x, x, 'b s d, e f g -> ')
return u / sqrt(reduce(u * u, 'b s d -> b s 1', 'mean'))
-- rule
m = lambda t: reduce(t, 'b s d -> b s 1', 'mean')
y = x - m(x)
return y / sqrt(m(y * y))
-- need
s = einsum(x, x, 'b s d, e f g -> ')
u = x - s
y = u - reduce(u, 'b s d -> b s 1', 'mean')
return y * rsqrt(reduce(y * y, 'b s d -> b s 1', 'mean'))
-- need
s = einsum(x, x, 'b s d, b s e -> b s')
u = x - rearrange(s, 'b s -> b s 1')
y = u - reduce(u, 'b s d -> b s 1', 'mean')
return y * rsqrt(reduce(y * y, 'b s d -> b s 1', 'mean'))""",
    "attention": r"""-- rule
a = einsum(q, k, 'b h i d, b h j d -> b h i j') / q.shape[-1] ** 0.5
return einsum(a.softmax(), v, 'b h i j, b h j e -> b h i e')
-- rule
a = einsum(q, k, 'b h i d, b h j d -> b h i j') / q.shape[-1] ** 0.5
return einsum(F.softmax(a), v, 'b h i j, b h j e -> b h i e')
-- need
n = q.shape[3]
e = (n / 63 * 63 - n) * 64 * 64 * 64 * 64 * 64 * 64 * 64 * 64 * 64
a = softmax(einsum(q, k, 'b h i d, b h j d -> b h i j') / (n + e) ** 0.5)
return einsum(a, v, 'b h i j, b h j e -> b h i e')
-- need
a = softmax(reduce(rearrange(q, 'b h i d -> b h i 1 d') * rearrange(k, 'b h j d -> b h 1 j d'), 'b h i j d -> b h i j', 'sum') / q.shape[-1] ** 0.5)
y = reduce(rearrange(a, 'b h i j -> b h i j 1') * rearrange(v, 'b h j e -> b h 1 j e'), 'b h i j e -> b h i e', 'sum')
return einsum(repeat(y, 'b h i e -> b h i e r', r=2), 'b h i e r -> b h i e') / 2
-- need
a = softmax(reduce(rearrange(q, 'b h i d -> b h i 1 d') * rearrange(k, 'b h j d -> b h 1 j d'), 'b h i j d -> b h i j', 'sum') / q.shape[-1] ** 0.5)
u = einsum(v, a, 'b h j e, b h i k -> b h i j e')
return reduce(rearrange(a, 'b h i j -> b h i j 1') * u, 'b h i j e -> b h i e', 'sum')""",
    "mean_loss": r"""-- need
n = x.shape[1]
e = (n / 63 * 63 - n) * 64 * 64 * 64 * 64 * 64 * 64 * 64 * 64 * 64
return reduce(x, 'b s -> ', 'sum') / x.shape[0] / (n + e)
-- need
y = repeat(x, 'b s -> b s r', r=2)
z = einsum(y, 'b s r -> r') / (x.shape[0] * x.shape[1])
return reduce(z, 'r -> ', 'mean')""",
    "group_norm": r"""-- need
y = rearrange(x, 'b (g c) s -> b g (c s)', g=g)
y = y - reduce(y, 'b g n -> b g 1', 'mean')
y = y * rsqrt(reduce(y * y, 'b g n -> b g 1', 'mean') + 1.0000001e-5)
return rearrange(y, 'b g (c s) -> b (g c) s', s=x.shape[-1])""",
}
