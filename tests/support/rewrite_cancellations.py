"""Attempts to pass a rewrite by sums and products that cancel out, and by being right on the judge's numbers alone.

For each exercise: why the attempt is refused, or `passes`, and the lines of `f`: those that pass deserve it.
"""
# ruff: noqa: E501 - a cheat reads best in one piece

CANCELLATIONS = {
    "split_heads": r"""-- values
return rearrange(x // 1, 'b s (h d) -> b h s d', h=h)
-- values
y = reduce([x, 0 * x], 'n b s d -> b s d', 'max')
return rearrange(y, 'b s (h d) -> b h s d', h=h)
-- values
return rearrange(x, 'b s (h d) -> b h s d', h=h) // 1
-- values
return rearrange(x ** 2, 'b s (h d) -> b h s d', h=h) ** 0.5
-- need
return rearrange(x, 'b s (h d) -> b h s d', h=h + h // 100)""",
    "mean_pool": r"""-- values
return reduce(x // 1, 'b s d -> b d', 'mean')
-- need
return reduce(x, 'b s d -> b d', 'sum') / (x.shape[1] + x.shape[1] // 100)
-- need
return reduce(x, 'b s d -> b d', 'mean') + 0 * reduce(x, 'b s d -> b d', 'max')
-- values
y = reduce(x, 'b s d -> b s', 'sum')
z = reduce(x + 1, 'b s d -> b s', 'sum')
u = einsum(x, y, 'b s d, b s -> d b')
w = einsum(x, z, 'b s d, b s -> b d')
return (w - rearrange(u, 'd b -> b d')) / x.shape[2] / x.shape[1]
-- values
y = reduce(x, 'b s d -> b s', 'sum')
z = reduce(x * x, 'b s d -> b s', 'sum')
v = reduce(x * x + x, 'b s d -> b s', 'sum')
c = einsum(v - z, y, 'b s, b s -> b') + 1
d = einsum(y, y, 'b s, b s -> b') + 1
return einsum(x, 'b s d -> b d') / x.shape[1] * rearrange(c / d, 'b -> b 1')""",
    "sum_heads": r"""-- values
return reduce(x, 'b h s d -> b s d', 'sum') // 1
-- values
y = reduce(x, 'b h s d -> h', 'sum')
z = reduce(x + 1, 'b h s d -> h', 'sum')
n = x.shape[0] * x.shape[2] * x.shape[3]
u = einsum(x, y, 'b h s d, h -> b s d')
w = einsum(x, z, 'b h s d, h -> b s d')
return (w - u) / n""",
    "max_pool": r"""-- values
y = reduce([x, 0 * x - 100], 'n b c h w -> b c h w', 'max')
return reduce(y, 'b c (h p) (w q) -> b c h w', 'max', p=p, q=q)
-- values
return reduce(x, 'b c (h p) (w q) -> b c h w', 'max', p=p, q=q) // 1
-- need
y = reduce([x, x ** 2 + x], 'n b c H W -> b c H W', 'min')
return reduce(y, 'b c (h p) (w q) -> b c h w', 'max', p=p, q=q)""",
    "rms_norm": r"""-- values
return x * rsqrt(reduce(x * x, 'b s d -> b s 1', 'mean') + 1 / 4096 ** 3) * g
-- rule
m = reduce(x * x, 'b s d -> b s 1', 'mean')
return x * rsqrt(m, out=m) * g
-- need
y = reduce(x, 'b s d -> b s 1', 'sum')
z = reduce(x + g, 'b s d -> b s 1', 'sum')
m = (einsum(x * z, x, 'b s d, b s d -> b s') - einsum(x * y, x, 'b s d, b s d -> b s')) / x.shape[2] / einsum(g, 'd -> ')
return x * rsqrt(rearrange(m, 'b s -> b s 1')) * g
-- need
c = reduce(g * g, 'd -> ', 'sum')
m = einsum(x * c, x, 'b s d, b s d -> b s') / x.shape[2]
return x * rsqrt(rearrange(m, 'b s -> b s 1') / c) * g
-- values
c = reduce(x, 'b s d -> b s 1', 'max')
m = einsum(x / c, x / c, 'b s d, b s d -> b s') / x.shape[2]
return x / c * rsqrt(rearrange(m, 'b s -> b s 1')) * g
-- need
c = reduce(x, 'b s d -> b s 1', 'max')
y = x - c
m = einsum(y, y, 'b s d, b s d -> b s') / x.shape[2]
e = einsum(x, 'b s d -> b s') / x.shape[2]
c = rearrange(c, 'b s 1 -> b s')
return x * rsqrt(rearrange(m + 2 * c * e - c * c, 'b s -> b s 1')) * g
-- rule
m = reduce(x * x, 'b s d -> b s 1', 'mean')
z = sqrt(m, out=m)
return x / z * g
-- need
c = reduce(x * x, 'b s d -> b s 1', 'max')
e = rsqrt(c)
m = einsum(x, x, 'b s d, b s d -> b s') / x.shape[2]
return x * rsqrt(rearrange(m, 'b s -> b s 1') * c) * g / e
-- need
c = reduce(x * x, 'b s d -> b s 1', 'max')
m = einsum(x, x, 'b s d, b s d -> b s') / x.shape[2]
e = sqrt(c + rearrange(m, 'b s -> b s 1')) ** 2 - c
return x * rsqrt(e) * g
-- need
m = rearrange(einsum(x, x, 'b s d, b s d -> b s') / x.shape[2], 'b s -> b s 1')
c = reduce(x, 'b s d -> b s 1', 'max')
u = sqrt(m + c ** 2)
return x * rsqrt((u - c) * (u + c)) * g
-- need
m = rearrange(einsum(x, x, 'b s d, b s d -> b s') / x.shape[2], 'b s -> b s 1')
c = reduce(x, 'b s d -> b s 1', 'max') ** 2 + 1
return rsqrt(m * c) * x * sqrt(c) * g""",
    "gram": r"""-- values
return einsum(x, y, 'b c n, b k n -> b c k') // 1""",
    "attention_scores": r"""-- values
return einsum(x // 1, y, 'b h q d, b h k d -> b h q k')""",
    "add_axis": r"""-- values
return rearrange(x + 0.0, 'b s t -> b 1 s t')""",
    "beam_copies": r"""-- need
return repeat(x, 'b s -> (b k) s', k=k) * 1""",
    "attention": r"""-- need
n = rearrange(reduce(k, 'b h j d -> b h d', 'sum'), 'b h d -> b h 1 d')
k1 = rearrange(k, 'b h j d -> b h 1 j d')
z1 = einsum(q, k, 'b h i d, b h j d -> b h i d')
z2 = einsum(q + 1, k, 'b h i d, b h j d -> b h d i')
w = reduce(k1 * rearrange(q - n, 'b h i d -> b h i 1 d'), 'b h i j d -> b h i j', 'sum')
t1 = reduce(k1 * rearrange(z1, 'b h i d -> b h i 1 d'), 'b h i j d -> b h i j', 'sum')
t2 = reduce(k1 * rearrange(z2, 'b h d i -> b h i 1 d'), 'b h i j d -> b h i j', 'sum')
s = softmax((w + t2 - t1) / q.shape[-1] ** 0.5)
return reduce(rearrange(s, 'b h i j -> b h i j 1') * rearrange(v, 'b h j e -> b h 1 j e'), 'b h i j e -> b h i e', 'sum')
-- need
k1 = rearrange(k, 'b h j d -> b h 1 j d')
c = reduce(k * k, 'b h j d -> b h', 'sum') + 1
z = einsum(q, c, 'b h i d, b h -> b h i d')
a = reduce(k1 * rearrange(z, 'b h i d -> b h i 1 d'), 'b h i j d -> b h i j', 'sum') / rearrange(c, 'b h -> b h 1 1')
s = softmax(a / q.shape[-1] ** 0.5)
return reduce(rearrange(s, 'b h i j -> b h i j 1') * rearrange(v, 'b h j e -> b h 1 j e'), 'b h i j e -> b h i e', 'sum')
-- need
k1 = rearrange(k, 'b h j d -> b h 1 j d')
a = reduce(k1 * rearrange(q, 'b h i d -> b h i 1 d'), 'b h i j d -> b h i j', 'sum')
s = softmax(a / q.shape[-1] ** 0.5)
c = reduce(q * q, 'b h i d -> b h', 'sum') + 1
u = einsum(v, c, 'b h j e, b h -> b h j e')
return reduce(rearrange(s, 'b h i j -> b h i j 1') * rearrange(u, 'b h j e -> b h 1 j e'), 'b h i j e -> b h i e', 'sum') / rearrange(c, 'b h -> b h 1 1')
-- need
k1 = rearrange(k, 'b h j d -> b h 1 j d')
a = reduce(k1 * rearrange(q, 'b h i d -> b h i 1 d'), 'b h i j d -> b h i j', 'sum')
s = softmax(a / q.shape[-1] ** 0.5)
c = reduce(q * q, 'b h i d -> b h', 'sum') + 1
c2 = reduce(q ** 2 * 2, 'b h i d -> b h', 'sum') + 2
u = einsum(v, c, 'b h j e, b h -> b h j e')
return 2 * reduce(rearrange(s, 'b h i j -> b h i j 1') * rearrange(u, 'b h j e -> b h 1 j e'), 'b h i j e -> b h i e', 'sum') / rearrange(c2, 'b h -> b h 1 1')
-- need
k1 = rearrange(k, 'b h j d -> b h 1 j d')
n = rearrange(reduce(k, 'b h j d -> b h d', 'sum'), 'b h d -> b h 1 d')
z1 = einsum(q, k, 'b h i d, b h j d -> b h i d')
z2 = einsum(q + 1, k, 'b h i d, b h j d -> b h i d')
w = reduce(k1 * rearrange(q * 2 - n, 'b h i d -> b h i 1 d'), 'b h i j d -> b h i j', 'sum')
t1 = reduce(k1 * rearrange(z1, 'b h i d -> b h i 1 d'), 'b h i j d -> b h i j', 'sum')
t2 = reduce(k1 * rearrange(z2, 'b h i d -> b h i 1 d'), 'b h i j d -> b h i j', 'sum')
s = softmax(((w + t2 - t1) / 2) / q.shape[-1] ** 0.5)
return reduce(rearrange(s, 'b h i j -> b h i j 1') * rearrange(v, 'b h j e -> b h 1 j e'), 'b h i j e -> b h i e', 'sum')
-- need
n = rearrange(reduce(k, 'b h j d -> b h d', 'sum'), 'b h d -> b h 1 d')
k1 = rearrange(k, 'b h j d -> b h 1 j d')
z1 = einsum(q, k, 'b h i d, b h j d -> b h i d')
z2 = einsum(q + 1, k, 'b h i d, b h j d -> b h i d')
z3 = einsum(q + 3, k, 'b h i d, b h j d -> b h i d')
w = reduce(k1 * rearrange(q - n, 'b h i d -> b h i 1 d'), 'b h i j d -> b h i j', 'sum')
t1 = reduce(k1 * rearrange(z1, 'b h i d -> b h i 1 d'), 'b h i j d -> b h i j', 'sum')
t2 = reduce(k1 * rearrange(z2, 'b h i d -> b h i 1 d'), 'b h i j d -> b h i j', 'sum')
t3 = reduce(k1 * rearrange(z3, 'b h i d -> b h i 1 d'), 'b h i j d -> b h i j', 'sum')
s = softmax((w + (t3 - t2) / 2 + (t2 - t1) * 0) / q.shape[-1] ** 0.5)
return reduce(rearrange(s, 'b h i j -> b h i j 1') * rearrange(v, 'b h j e -> b h 1 j e'), 'b h i j e -> b h i e', 'sum')
-- need
n = rearrange(reduce(k, 'b h j d -> b h d', 'sum'), 'b h d -> b h 1 d')
k1 = rearrange(k, 'b h j d -> b h 1 j d')
z1 = einsum(q, k, 'b h i d, b h j d -> b h i d')
z2 = einsum(q + 1, k, 'b h i d, b h j d -> b h i d')
z3 = einsum(q + 3, k, 'b h i d, b h j d -> b h i d')
w = reduce(k1 * rearrange(q - n, 'b h i d -> b h i 1 d'), 'b h i j d -> b h i j', 'sum')
t1 = reduce(k1 * rearrange(z1, 'b h i d -> b h i 1 d'), 'b h i j d -> b h i j', 'sum')
t2 = reduce(k1 * rearrange(z2, 'b h i d -> b h i 1 d'), 'b h i j d -> b h i j', 'sum')
t3 = reduce(k1 * rearrange(z3, 'b h i d -> b h i 1 d'), 'b h i j d -> b h i j', 'sum')
s = softmax((w + t3 - 3 * t2 + 2 * t1 + t2 - t1) / q.shape[-1] ** 0.5)
return reduce(rearrange(s, 'b h i j -> b h i j 1') * rearrange(v, 'b h j e -> b h 1 j e'), 'b h i j e -> b h i e', 'sum')
-- need
n = rearrange(reduce(k, 'b h j d -> b h d', 'sum'), 'b h d -> b h 1 d')
k1 = rearrange(k, 'b h j d -> b h 1 j d')
z1 = einsum(q, k, 'b h i d, b h j d -> b h i d')
z2 = einsum(q + 1, k, 'b h i d, b h j d -> b h i d')
w = reduce(k1 * rearrange(q - n, 'b h i d -> b h i 1 d'), 'b h i j d -> b h i j', 'sum')
t1 = reduce(k1 * rearrange(z1, 'b h i d -> b h i 1 d'), 'b h i j d -> b h i j', 'sum')
t2 = reduce(k1 * rearrange(z2, 'b h i d -> b h i 1 d'), 'b h i j d -> b h i j', 'sum')
y = einsum(q, v, 'b h i d, b h j e -> b h i') ** 2 + 1
s = softmax((w + t2 - t1) / q.shape[-1] ** 0.5)
r = reduce(rearrange(s, 'b h i j -> b h i j 1') * rearrange(v, 'b h j e -> b h 1 j e'), 'b h i j e -> b h i e', 'sum') * rearrange(y, 'b h i -> b h i 1')
return r / rearrange(y, 'b h i -> b h i 1')
-- values
k1 = rearrange(k, 'b h j d -> b h 1 j d')
z = einsum(q, k, 'b h i d, b h j d -> b h i') + 100
y = z ** 2
s = softmax((reduce(k1 * rearrange(q, 'b h i d -> b h i 1 d'), 'b h i j d -> b h i j', 'sum') * rearrange(y, 'b h i -> b h i 1') / rearrange(z, 'b h i -> b h i 1')) / q.shape[-1] ** 0.5)
return reduce(rearrange(s, 'b h i j -> b h i j 1') * rearrange(v, 'b h j e -> b h 1 j e'), 'b h i j e -> b h i e', 'sum')
-- need
k1 = rearrange(k, 'b h j d -> b h 1 j d')
z = einsum(q, v, 'b h i d, b h j e -> b h i')
s = softmax((reduce(k1 * rearrange(q, 'b h i d -> b h i 1 d'), 'b h i j d -> b h i j', 'sum') + rearrange(z, 'b h i -> b h i 1')) / q.shape[-1] ** 0.5)
return reduce(rearrange(s, 'b h i j -> b h i j 1') * rearrange(v, 'b h j e -> b h 1 j e'), 'b h i j e -> b h i e', 'sum')
-- need
k1 = rearrange(k, 'b h j d -> b h 1 j d')
n = reduce(k, 'b h j d -> b h', 'sum')
z = einsum(k, q, 'b h j d, b h i d -> b h')
u = (z + n) ** 2 - z ** 2 - 2 * z * n
c = u / n ** 2
return reduce(rearrange(softmax(reduce(k1 * rearrange(q, 'b h i d -> b h i 1 d'), 'b h i j d -> b h i j', 'sum') / q.shape[-1] ** 0.5) * rearrange(c, 'b h -> b h 1 1'), 'b h i j -> b h i j 1') * rearrange(v, 'b h j e -> b h 1 j e'), 'b h i j e -> b h i e', 'sum')
-- need
k1 = rearrange(k, 'b h j d -> b h 1 j d')
n = reduce(k, 'b h j d -> b h d', 'sum')
z = einsum(k, q, 'b h j d, b h i d -> b h d')
a1 = rearrange(z ** 2 + 2 * z * n, 'b h d -> b h 1 d')
a2 = rearrange((z + n) ** 2, 'b h d -> b h 1 d')
t1 = reduce(k1 * rearrange(q + a2, 'b h i d -> b h i 1 d'), 'b h i j d -> b h i j', 'sum')
t2 = reduce(k1 * rearrange(a1, 'b h i d -> b h i 1 d'), 'b h i j d -> b h i j', 'sum')
t3 = reduce(k1 * rearrange(n ** 2, 'b h d -> b h 1 1 d'), 'b h i j d -> b h i j', 'sum')
s = softmax((t1 - t2 - t3) / q.shape[-1] ** 0.5)
return reduce(rearrange(s, 'b h i j -> b h i j 1') * rearrange(v, 'b h j e -> b h 1 j e'), 'b h i j e -> b h i e', 'sum')
-- need
k1 = rearrange(k, 'b h j d -> b h 1 j d')
z = einsum(q, k, 'b h i d, b h j d -> b h i')
m = reduce([z, -1 * z], 'n b h i -> b h i', 'max')
p = reduce([z, -1 * z], 'n b h i -> b h i', 'min')
s = softmax((reduce(k1 * rearrange(q, 'b h i d -> b h i 1 d'), 'b h i j d -> b h i j', 'sum') * rearrange(m, 'b h i -> b h i 1') / rearrange(-1 * p, 'b h i -> b h i 1')) / q.shape[-1] ** 0.5)
return reduce(rearrange(s, 'b h i j -> b h i j 1') * rearrange(v, 'b h j e -> b h 1 j e'), 'b h i j e -> b h i e', 'sum')
-- need
k1 = rearrange(k, 'b h j d -> b h 1 j d')
z = einsum(q, k, 'b h i d, b h j d -> b h i d')
w = einsum(q, q, 'b h i d, b h i d -> b h i d')
m = reduce([z, w], 'n b h i d -> b h i d', 'max')
p = reduce([z, w], 'n b h i d -> b h i d', 'min')
r = reduce(z + w - q, 'b h i d -> b h i d', 'sum')
s = softmax((reduce(k1 * rearrange(m, 'b h i d -> b h i 1 d'), 'b h i j d -> b h i j', 'sum') + reduce(k1 * rearrange(p, 'b h i d -> b h i 1 d'), 'b h i j d -> b h i j', 'sum') - reduce(k1 * rearrange(r, 'b h i d -> b h i 1 d'), 'b h i j d -> b h i j', 'sum')) / q.shape[-1] ** 0.5)
return reduce(rearrange(s, 'b h i j -> b h i j 1') * rearrange(v, 'b h j e -> b h 1 j e'), 'b h i j e -> b h i e', 'sum')
-- need
n = reduce(k, 'b h j d -> b h d', 'sum')
k1 = rearrange(k, 'b h j d -> b h 1 j d')
z1 = einsum(q, k, 'b h i d, b h j d -> b h i d')
z2 = einsum(rearrange(q + 1, 'b h i d -> (b h) i d'), rearrange(k, 'b h j d -> (b h) j d'), 'n i d, n j d -> n i d')
w = reduce(k1 * rearrange(q - rearrange(n, 'b h d -> b h 1 d'), 'b h i d -> b h i 1 d'), 'b h i j d -> b h i j', 'sum')
t1 = reduce(k1 * rearrange(z1, 'b h i d -> b h i 1 d'), 'b h i j d -> b h i j', 'sum')
t2 = reduce(rearrange(k, 'b h j d -> (b h) 1 j d') * rearrange(z2, 'n i d -> n i 1 d'), 'n i j d -> n i j', 'sum')
s = softmax((w + rearrange(t2, '(b h) i j -> b h i j', b=q.shape[0]) - t1) / q.shape[-1] ** 0.5)
return reduce(rearrange(s, 'b h i j -> b h i j 1') * rearrange(v, 'b h j e -> b h 1 j e'), 'b h i j e -> b h i e', 'sum')""",
    "batch_dot": r"""-- values
u = einsum(y, x, 'b d, b e -> b d')
w = einsum(y, x + 1, 'b d, b e -> b d')
m = reduce(x * u, 'b d -> b', 'sum')
n = reduce(x * w, 'b d -> b', 'sum')
return (n - m) / x.shape[1]
-- need
u = einsum(y, y, 'b d, b d -> b d')
return reduce(x * u / y, 'b d -> b', 'sum')
-- need
c = reduce(x, 'b d -> b', 'max') ** 0 * 2
u = einsum(y, c, 'b d, b -> b d')
return reduce(x * u, 'b d -> b', 'sum') / c
-- need
c = (reduce(x, 'b d -> b', 'sum') * 0.5) ** 0 + 3
u = einsum(y, c, 'b d, b -> b d')
return reduce(x * u, 'b d -> b', 'sum') / 4""",
    "layer_norm": r"""-- need
c = reduce(x, 'b s d -> b s 1', 'max')
z = x - c
n = x.shape[2]
y = x - rearrange(einsum(x, 'b s d -> b s') / n, 'b s -> b s 1')
v = einsum(y, z, 'b s d, b s d -> b s') / n
return y * rsqrt(rearrange(v, 'b s -> b s 1'))
-- need
n = x.shape[2]
y = x - rearrange(einsum(x, 'b s d -> b s') / n, 'b s -> b s 1')
v = rearrange(einsum(y, y, 'b s d, b s d -> b s') / n, 'b s -> b s 1')
c = reduce(y ** 2, 'b s d -> b s 1', 'max')
w = reduce(y ** 2 * 4, 'b s d -> b s 1', 'max')
return y * rsqrt(v * c) * sqrt(w) / 2
-- need
n = x.shape[2]
y = x - rearrange(einsum(x, 'b s d -> b s') / n, 'b s -> b s 1')
v = rearrange(einsum(y, y, 'b s d, b s d -> b s') / n, 'b s -> b s 1')
c = reduce(y, 'b s d -> b s 1', 'max')
w = reduce(y + v, 'b s d -> b s 1', 'max')
return y * rsqrt(w - c)""",
    "token_mixing": r"""-- need
z = einsum(x, v, 'b s d, s t -> b s d')
z2 = einsum(x, v + 1, 'b s d, s t -> b s d')
y = reduce(rearrange(z2, 'b s d -> b 1 s d') * rearrange(w, 't s -> t s 1'), 'b t s d -> b t d', 'sum') - reduce(rearrange(z, 'b s d -> b 1 s d') * rearrange(w, 't s -> t s 1'), 'b t s d -> b t d', 'sum')
y = relu(y / w.shape[0])
return x + reduce(rearrange(y, 'b t d -> b 1 t d') * rearrange(v, 's t -> s t 1'), 'b s t d -> b s d', 'sum')""",
    "squeeze_excite": r"""-- need
m = reduce(x, 'b c h w -> b c', 'mean')
z = reduce(rearrange(m, 'b c -> b 1 c') * rearrange(w, 'k c -> 1 k c'), 'b k c -> b k', 'sum')
t = einsum(m, w, 'b c, k c -> b c')
u = einsum(m, w + 1, 'b c, k c -> b c')
p = reduce(rearrange(u - t - x.shape[1] * m, 'b c -> b c 1'), 'b c n -> b n', 'sum')
return x * rearrange(sigmoid(z + p), 'b c -> b c 1 1')""",
    "group_norm": r"""-- passes
y = rearrange(x, 'b (g c) s -> b g (c s)', g=g)
y = y - reduce(y, 'b g n -> b g 1', 'mean')
y = y * rsqrt(reduce(y * y, 'b g n -> b g 1', 'mean') + 1e-5)
return rearrange(y, 'b g (c s) -> b (g c) s', s=x.shape[-1])""",
    "rope_halves": r"""-- need
y = unpack(x, [[x.shape[2] // 2], [x.shape[2] // 2]], 'b s *')
a, b = y[0], y[1]
r = rearrange(a, 'b s d -> s b d')
u = a * c - b * z
o = pack([u, b * c + a * z], 'b s *')[0]
t = reduce(r, 's b d -> b s', 'sum')
t2 = reduce(a, 'b s d -> b s', 'sum')
return o + rearrange(t - t2, 'b s -> b s 1')""",
    "gqa_repeat": r"""-- need
y = repeat(x, 'b h s d -> n b h s d', n=2)
a, b = y
z = a + b - x
return rearrange([z] * g, 'g b h s d -> b (h g) s d')
-- values
y = repeat(x * x, 'b h s d -> n b h s d', n=2)
w = repeat(x * x + x, 'b h s d -> n b h s d', n=2)
z = reduce(w, 'n b h s d -> b h s d', 'sum') - reduce(y, 'n b h s d -> b h s d', 'sum')
return rearrange([z] * g, 'g b h s d -> b (h g) s d') / 2""",
    "moe_dispatch": r"""-- values
u = einsum(y, x, 's d, s e c -> s d')
w = einsum(y, x + 1, 's d, s e c -> s d')
n = x.shape[1] * x.shape[2]
p = reduce(rearrange(x, 's e c -> s e c 1') * rearrange(w, 's d -> s 1 1 d'), 's e c d -> e c d', 'sum')
o = reduce(rearrange(x, 's e c -> s e c 1') * rearrange(u, 's d -> s 1 1 d'), 's e c d -> e c d', 'sum')
return (p - o) / n""",
}


def cancellations(name: str, signature: str) -> list[tuple[str, str]]:
    """The attempts at one exercise: why each is refused, and its source."""
    found = []
    for block in CANCELLATIONS[name].removeprefix("-- ").split("\n-- "):
        why, _, lines = block.partition("\n")
        found.append((why, f"def {signature}:\n" + "".join(f"    {line}\n" for line in lines.split("\n"))))
    return found
