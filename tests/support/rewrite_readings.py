"""Attempts by what Python, torch and the reader of the steps could each read otherwise.

Lambdas, methods and modules; lists whose parts are tensors; quotients of what is no usual whole number; what a norm
takes away again; whole numbers. For each exercise: what refuses the attempt, or `passes`, and the lines of `f`.
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
-- passes
g = lambda a: rearrange(a, 'b h s d -> b s (h d)')
return g(x)
-- raised
p: str
return rearrange(x, p)
-- need
y, (s,) = pack([x], 'b * d')
return rearrange(y, 'b (h s) d -> b s (h d)', h=s[0], s=s[1])""",
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
-- passes
return reduce(-x, 'b h s d -> b s d', 'sum') * -1""",
    "mean_pool": r"""-- need
return reduce([x, x] * 101, 'n b s d -> b d', 'mean')
-- need
z = [x] * 150
return reduce(z + z, 'n b s d -> b d', 'mean')""",
    "linear": r"""-- need
return einsum(x, w, 'b s d, e d -> b s e') / 1
-- need
return einsum(x, w, 'b s d, e d -> b s e') * 0.5 * 2""",
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
return u * g * rsqrt(reduce(u ** 2, 'b s d -> b s 1', 'mean'))""",
    "layer_norm": r"""-- need
y = x - reduce(x, 'b s d -> b s 1', 'mean')
u = y * einsum(x, x, 'b s d, e f g -> ')
return u / sqrt(reduce(u * u, 'b s d -> b s 1', 'mean'))
-- passes
m = lambda t: reduce(t, 'b s d -> b s 1', 'mean')
y = x - m(x)
return y / sqrt(m(y * y))""",
    "attention": r"""-- rule
a = einsum(q, k, 'b h i d, b h j d -> b h i j') / q.shape[-1] ** 0.5
return einsum(a.softmax(), v, 'b h i j, b h j e -> b h i e')
-- rule
a = einsum(q, k, 'b h i d, b h j d -> b h i j') / q.shape[-1] ** 0.5
return einsum(F.softmax(a), v, 'b h i j, b h j e -> b h i e')""",
}
