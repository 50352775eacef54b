"""Attempts to pass a rewrite that is wrong where all axes are short at once, or all numbers are large or small.

An index or a part that a merged axis of short axes does not have; bounds that constants in a row set, none of which
tells them; a largest value that is taken over near 0 alone; lengths whose powers leave a float; powers and lists
that hide how much is computed. For each exercise: what refuses the attempt, or `passes`, and the lines of `f`: those
that pass are right, but for what is below a tolerance.
"""
# ruff: noqa: E501 - an attempt reads best in one piece

_AXES = [f"{one} {two} c" for one in "abdefghijkl" for two in "mnopq"][:40]
_ALIASES = [f"n{number} = rearrange(x, '{axes} -> {axes}').shape[1]" for number, axes in enumerate(_AXES)]
_PRODUCT = " * ".join(f"n{number} * n{number}" for number in range(len(_AXES)))
_WORDS = {"$ALIASES": "\n".join([*_ALIASES, f"m = {_PRODUCT}"]), "$TIMES": " * n" * 80, "$OVER": " / n" * 80}
_EXTREMES = {
    "split_heads": r"""-- need
z = rearrange(x, 'b s w -> (b s w)')
u = z[1]
return rearrange(x, 'b s (h d) -> b h s d', h=h)
-- need
z = rearrange(x, 'b s w -> (b s) w')
p = [x, z[1]]
return rearrange(p[0], 'b s (h d) -> b h s d', h=h)
-- need
z = pack([x], '*')[0]
u = z[-2]
return rearrange(x, 'b s (h d) -> b h s d', h=h)
-- need
z = repeat(x, 'b s w -> (b s w)')
u = z[2] * 0
return rearrange(x, 'b s (h d) -> b h s d', h=h)
-- need
p = einsum(x, x, 'b s w, b t w -> b s t')
u = unpack(p, [[x.shape[1]]], 'b s *')
return rearrange(x, 'b s (h d) -> b h s d', h=h)
-- passes
return rearrange(x, 'b s (h d) -> b h s d', h=h, b=x.shape[0], s=(x.shape[1] * h) // h)""",
    "merge_heads": r"""-- need
z = rearrange(x, 'b h s d -> (b h s d)')
u = z[3]
return rearrange(x, 'b h s d -> b s (h d)')
-- need
z = rearrange(x, 'b h s d -> (b h) (s d)')
u = z[1]
return rearrange(x, 'b h s d -> b s (h d)')
-- need
z = rearrange(x, 'b h s d -> (b h) (s d)')[1]
return rearrange(x, 'b h s d -> b s (h d)')""",
    "time_major": r"""-- need
z = rearrange(x, 'b t d -> (b t d)')
u = z[4]
return rearrange(x, 'b t d -> t b d')
-- need
z = reduce(x, 'b t d -> (b t)', 'sum')
u = z[1]
return rearrange(x, 'b t d -> t b d')
-- need
z = parse_shape(rearrange(x, 'b t d -> (b t d)'), 'n')
return rearrange(x, 'b t d -> t b d')""",
    "channels_last": r"""-- need
z = rearrange([x, x], 'n b c h w -> (n b c h w)')
u = z[5]
return rearrange(x, 'b c h w -> b h w c')
-- need
p = [rearrange(x, 'b c h w -> b h w c'), repeat(x, 'b c h w -> (h w b c)')[6]]
return p[0]""",
    "flatten_all": r"""-- need
z = rearrange(x, 'b s d -> (b s d)')
u = z[5]
return z
-- need
z = rearrange(x, 'b s d -> (b s d)')
u = -z[2]
return z""",
    "group_tokens": r"""-- need
z = rearrange(x, 'n s d -> (n s d)')
u = z[3]
return rearrange(x, '(b g) s d -> g b s d', g=g)
-- need
u, v = unpack(rearrange(x, 'n s d -> (n s d)'), [[1], [-1]], '*')
return rearrange(x, '(b g) s d -> g b s d', g=g)""",
    "mean_pool": r"""-- need
y = unpack(pack([x], '* b s d')[0], [[]], '* b s d')[0]
return reduce(y, 'b s d -> b d', 'mean')
-- need
y = x * [1]
y = y + ([1] / ((y * y - [2]) ** 2 * [4096] * [4096] + [1])) ** 40
return reduce(y, 'b s d -> b d', 'mean')
-- need
z = unpack(x, [[x.shape[0]]], '* s d') + [x]
w = z[1]
return reduce(x * (w / w), 'b s d -> b d', 'mean')
-- need
z = rearrange(x, 'b s d -> (b s d)')
u = z[5]
return reduce(x, 'b s d -> b d', 'mean')
-- need
z = reduce(x, 'b s d -> (b d)', 'sum')
u = z[1]
return reduce(x, 'b s d -> b d', 'mean')
-- need
z = rearrange(x, 'b s d -> (b s d)')
u = z[1] + x
return reduce(x, 'b s d -> b d', 'sum') / x.shape[1]
-- need
z = rearrange(x, 'b s d -> (b s d)')
y = rearrange([z[1] + 0 * x, x], 'n b s d -> n b s d')[1]
return reduce(y, 'b s d -> b d', 'mean')
-- need
$ALIASES
c = m * 0.5
r = c / m
return reduce(x, 'b s d -> b d', 'mean') * r * 2
-- need
$ALIASES
c = m * 0.5
return reduce(x, 'b s d -> b d', 'sum') / x.shape[1]
-- need
return reduce(x * 4096 * 4096 * 4096 * 4096 * 4096, 'b s d -> b d', 'mean') / 4096 / 4096 / 4096 / 4096 / 4096
-- need
y = reduce(x, 'b s d -> b d', 'mean')
z = reduce(x, 'b s d -> (b d)', 'mean')
return reduce([y, rearrange(z, '(b d) -> b d', b=x.shape[0])], 'n b d -> b d', 'mean')
-- need
n = x.shape[1]
y = x$TIMES
z = reduce(y, 'b s d -> b d', 'sum')$OVER / n
return z
-- need
n = x.shape[1]
y = x$OVER
y = y$TIMES
return reduce(y, 'b s d -> b d', 'mean')""",
    "max_pool": r"""-- need
u = rearrange(x, 'b c h w -> (b c h w)')[6]
return reduce(x, 'b c (h p) (w q) -> b c h w', 'max', p=p, q=q)
-- need
u = [rearrange(x, 'b c h w -> b c (h w)')]
v = reduce(u, 'n b c s -> (b s)', 'max')[1]
return reduce(x, 'b c (h p) (w q) -> b c h w', 'max', p=p, q=q)
-- need
y = reduce([x, x + x*2 - x*x*1024], 'n b c h w -> b c h w', 'max')
return reduce(y, 'b c (h p) (w q) -> b c h w', 'max', p=p, q=q)
-- need
y = reduce([x, x + x*x*x/4096/4096/4096/4096/4096/4096/4096 - x*x], 'n b c h w -> b c h w', 'max')
return reduce(y, 'b c (h p) (w q) -> b c h w', 'max', p=p, q=q)""",
    "mean_loss": r"""-- need
u = rearrange(x, 'b s -> (b s)')[1]
return reduce(x, 'b s -> ', 'mean')
-- need
u = rearrange(x, 'b s -> (s b)')
v = u[-2]
return reduce(x, 'b s -> ', 'sum') / (x.shape[0] * x.shape[1])
-- raised
u = rearrange(x, 'b s -> (b s)')
return reduce([u[0], reduce(x, 'b s -> ', 'mean'), u[1]], 'n -> n', 'sum')[1]
-- need
y = reduce(x, 'b s -> ', 'sum') / (x.shape[0] * x.shape[1])
u = repeat(x, 'b s -> (b s) two', two=2)
v = rearrange(u, 'n two -> (n two)')[3]
return y
-- passes
return reduce(reduce(x, 'b s -> b', 'mean'), 'b -> ', 'mean')""",
    "sum_heads": r"""-- need
u = pack([x, x], '*')[0]
v = u[2]
return reduce(x, 'b h s d -> b s d', 'sum')
-- rule
u = pack([x], '*')[0][7]
return reduce(x, 'b h s d -> b s d', 'sum')
-- need
y = reduce(x, 'b h s d -> b s d', 'mean')
return y * x.shape[1]
-- need
y = pack([x, x], 'b * s d')[0]
return reduce(y, 'b h s d -> b s d', 'sum') / 2
-- need
n = parse_shape(x, 'b h s d')
return reduce(x, 'b h s d -> b s d', 'sum')
-- need
n = x.shape[1]
y = x$TIMES
y = y$OVER
return reduce(y, 'b h s d -> b s d', 'sum')""",
    "gqa_repeat": r"""-- need
u = rearrange(x, 'b h s d -> (b h s d)')[3]
return repeat(x, 'b h s d -> b (h g) s d', g=g)
-- need
u = repeat(x, 'b h s d -> (b h s d g)', g=g)[1]
return repeat(x, 'b h s d -> b (h g) s d', g=g)""",
    "beam_copies": r"""-- need
u = repeat(x, 'b s -> (b s k)', k=k)[2]
return repeat(x, 'b s -> (b k) s', k=k)
-- need
y = repeat(x, 'b s -> (b k) s', k=k)
u = y[1]
return y""",
    "grey_to_colour": r"""-- passes
y = repeat(x, 'h w -> h (w c)', c=c)
return rearrange(y, 'h (w c) -> h w c', w=x.shape[1])
-- need
u = rearrange(x, 'h w -> (h w)')[1]
return repeat(x, 'h w -> h w c', c=c)""",
    "outer_products": r"""-- need
z = einsum(x, y, 'b i, b j -> b i j')
u = rearrange(z, 'b i j -> (b i j)')[1]
return z
-- need
z = einsum(x, y, 'b i, b j -> b i j')
u = pack([x, y], 'b *')[0]
v = rearrange(u, 'b n -> (b n)')[2]
return z""",
    "batch_dot": r"""-- need
u = rearrange([x, y], 'n b d -> (b d n)')[3]
return einsum(x, y, 'b d, b d -> b')
-- need
u = rearrange([x, y], 'n b d -> n b d')[1]
return einsum(x, u, 'b d, b d -> b')""",
    "trace": r"""-- need
u = rearrange(x, 'b i j -> (b i j)')[1]
return einsum(x, 'b i i -> b')
-- raised
u = einsum(x, 'b i j -> (b i)')
return einsum(x, 'b i i -> b')""",
    "linear": r"""-- rule
u = pack([x, w], '* d')[0][2]
return einsum(x, w, 'b s d, e d -> b s e')
-- rule
u = pack([x, w], '* d')[0][1]
return einsum(x, w, 'b s d, e d -> b s e')""",
    "split_pair": r"""-- need
a, b, c, d = unpack(x, [[1], [1], [1], [-1]], 'b s *')
y = pack([a, b, c, d], 'b s *')[0]
return unpack(y, [[p], [q]], 'b s *')
-- need
a, b, c, d = unpack(x, [[1], [1], [1], [-1]], 'b s *')
return unpack(x, [[p], [q]], 'b s *')
-- need
a, b = unpack(x, [[3], [-1]], 'b s *')
return unpack(x, [[p], [q]], 'b s *')
-- need
y = repeat(x, 'b s n -> b s (two n)', two=2)
a, b, c = unpack(y, [[p], [q], [-1]], 'b s *')
return unpack(c, [[p], [q]], 'b s *')
-- need
y = rearrange(x, 'b s n -> (b s n)')
a, b = unpack(y, [[4], [-1]], '*')
return unpack(x, [[p], [-1]], 'b s *')""",
    "take_image": r"""-- need
a, b = unpack(x, [[3], [-1]], 'b * d')
return unpack(x, [[s], [h, w]], 'b * d')[1]
-- need
a, b = unpack(x, [[1], [-1]], 'b * d')
y = pack([a, b], 'b * d')[0]
return unpack(y, [[s], [h, w]], 'b * d')[1]
-- need
u = rearrange(x, 'b n d -> (b n d)')[4]
return unpack(x, [[s], [h, w]], 'b * d')[1]""",
    "prepend_token": r"""-- need
u = pack([x, y], 'b * d')[0]
v = rearrange(u, 'b n d -> (b n) d')[2]
return u
-- need
u = rearrange(y, 'b s d -> (b s d)')[4]
return pack([x, y], 'b * d')[0]""",
    "image_tokens": r"""-- need
u = rearrange(y, 'b h w d -> (h w) b d')[1]
return pack([x, y], 'b * d')[0]""",
    "flatten_features": r"""-- need
u = pack([x, y], '*')[0]
v = u[3]
return pack([x, y], 'b *')[0]""",
    "read_shape": r"""-- need
u = rearrange(x, 'b s d -> (b s d)')[5]
return parse_shape(x, 'b s d')
-- need
y = repeat(x, 'b s d -> b (s k) d', k=x.shape[0] // x.shape[0])
return parse_shape(y, 'b s d')
-- need
y = repeat(x, 'b s d -> k b s d', k=3)
return parse_shape(y[2], 'b s d')
-- need
y = einsum(x, x, 'b s d, c s e -> b s e')
return parse_shape(y, 'b s d')""",
    "image_size": r"""-- need
u = reduce(x, 'b c h w -> (h w)', 'sum')[1]
return parse_shape(x, '_ _ h w')
-- need
y = einsum(x, 'b c h w -> h w')
return parse_shape(y, 'h w')""",
    "drop_axis": r"""-- need
u = rearrange(x, 'b 1 d -> (b d)')[1]
return rearrange(x, 'b 1 d -> b d')
-- passes
y = rearrange(x, 'b n d -> n b d')
return y[0]
-- passes
y, = rearrange(x, 'b n d -> n b d')
return y""",
    "column_vectors": r"""-- raised
u = einsum(x, x, 'b d, c e -> b d c e')
v = rearrange(u, 'b d c e -> (b d c e)')[8]
return rearrange(x, 'b d -> b d 1')""",
    "token_mixing": r"""-- need
u = relu(x/2/2/2/2/2/2/2/2 + 1) - 1
y = relu(einsum(u, w, 'b s d, t s -> b t d'))*2*2*2*2*2*2*2*2
return x + einsum(y, v, 'b t d, s t -> b s d')
-- need
y = einsum(x, w, 'b s d, t s -> b t d')
y = relu(y) - relu(y/2/2/2/2/2/2/2/2/2/2 - 1)
return x + einsum(y, v, 'b t d, s t -> b s d')
-- need
u = rearrange(x, 'b s d -> (b s d)')[5]
y = relu(einsum(x, w, 'b s d, t s -> b t d'))
return x + einsum(y, v, 'b t d, s t -> b s d')
-- need
y = relu(einsum(x, w, 'b s d, t s -> b t d'))
y = 1 - relu(1 - y/2/2/2/2/2/2/2/2/2/2)
return x + einsum(y, v, 'b t d, s t -> b s d')*2*2*2*2*2*2*2*2*2*2
-- need
y = relu(einsum(x, w, 'b s d, t s -> b t d'))
y = y - relu(y - 1 - 1 - 1 - 1 - 1 - 1 - 1 - 1 - 1 - 1 - 1 - 1 - 1 - 1 - 1 - 1 - 1 - 1 - 1 - 1 - 1 - 1 - 1 - 1 - 1 - 1 - 1 - 1 - 1 - 1 - 1 - 1 - 1 - 1 - 1 - 1 - 1 - 1 - 1 - 1 - 1 - 1 - 1 - 1 - 1)
return x + einsum(y, v, 'b t d, s t -> b s d')
-- need
y = einsum(x, w, 'b s d, t s -> b t d')
y = relu(y) + relu(y + 3) - relu(y + 3)
return x + einsum(y, v, 'b t d, s t -> b s d')
-- need
u = relu(w/2/2/2/2/2/2/2/2 + 1) - 1
y = relu(einsum(x, u, 'b s d, t s -> b t d'))*2*2*2*2*2*2*2*2
return x + einsum(y, v, 'b t d, s t -> b s d')
-- need
u = relu(x + 2+2+2+2+2+2+2+2+2+2+2+2+2+2+2+2)-2-2-2-2-2-2-2-2-2-2-2-2-2-2-2-2
y = relu(einsum(u, w, 'b s d, t s -> b t d'))
return x + einsum(y, v, 'b t d, s t -> b s d')
-- need
u = relu(x/2/2/2/2/2/2/2/2/2/2/2/2/2/2/2/2/2/2 + 1) - 1
y = relu(einsum(u, w, 'b s d, t s -> b t d'))*2*2*2*2*2*2*2*2*2*2*2*2*2*2*2*2*2*2
return x + einsum(y, v, 'b t d, s t -> b s d')
-- need
y = relu(einsum(x, w, 'b s d, t s -> b t d') + 1e-9)
return x + einsum(y, v, 'b t d, s t -> b s d')
-- need
z = relu(x + 4) - relu(-x - 4) - 4
y = relu(einsum(z, w, 'b s d, t s -> b t d'))
return x + einsum(y, v, 'b t d, s t -> b s d')""",
    "rms_norm": r"""-- need
u = sqrt(x/2/2/2/2/2/2/2/2 + 1)
u = u*u - 1
return u * rsqrt(reduce(u * u, 'b s d -> b s 1', 'mean')) * g
-- need
u = rearrange(x, 'b s d -> (b s d)')[5]
return x * rsqrt(reduce(x * x, 'b s d -> b s 1', 'mean')) * g
-- need
m = sqrt(reduce(x * x, 'b s d -> b s 1', 'mean'))
n = 1 - sqrt(1 - m/2/2/2/2/2/2/2/2)**2
return x / n * g /2/2/2/2/2/2/2/2
-- need
m = sqrt(reduce(x * x, 'b s d -> b s 1', 'mean'))
h = sqrt(g/2/2/2/2/2/2/2/2 + 1)**2 - 1
return x / m * h *2*2*2*2*2*2*2*2
-- values
m = reduce(x * x, 'b s d -> b s 1', 'mean')
return x * rsqrt(m + 1e-11) * g
-- values
m = reduce(x * x, 'b s d -> b s 1', 'mean')
return x * rsqrt(m + 1/4096/4096/4096) * g
-- need
u = x*2*2*2*2*2*2*2*2
return u * rsqrt(reduce(u * u, 'b s d -> b s 1', 'mean')) * g
-- values
m = sqrt(reduce(x * x + 1e-11, 'b s d -> b s 1', 'mean'))
return x / m * g
-- values
m = sqrt(reduce(x * x, 'b s d -> b s 1', 'mean'))
return x / (m + 1e-10) * g
-- need
m = reduce(x * x, 'b s d -> b s 1', 'mean')
return x * rsqrt(m + 1e-13) * g
-- need
m = sqrt(reduce(x * x, 'b s d -> b s 1', 'mean'))
return x / (m + 1e-12) * g
-- need
u = sqrt(x/2/2/2/2/2/2/2/2/2/2/2/2/2/2/2/2/2/2 + 1)
u = u*u - 1
return u * rsqrt(reduce(u * u, 'b s d -> b s 1', 'mean')) * g
-- need
u = sqrt(x * x + 1e-20)
m = reduce(u * u, 'b s d -> b s 1', 'mean')
return x * rsqrt(m) * g
-- need
u = (x * x) ** 0.5
m = reduce(u * u, 'b s d -> b s 1', 'mean')
return x * rsqrt(m) * g""",
    "layer_norm": r"""-- need
y = x - reduce(x, 'b s d -> b s 1', 'mean')
t = y / sqrt(reduce(y * y, 'b s d -> b s 1', 'mean'))
z = reduce(einsum(t, t, t, 'b s d, b s d, b s d -> b s d'), 'b s d -> 1 1 1', 'mean') / 64
return t + einsum(z, z, z, z, z, z, z, z, z, z, z, 'a b c,a b c,a b c,a b c,a b c,a b c,a b c,a b c,a b c,a b c,a b c -> a b c')
-- raised
y = x - reduce(x, 'b s d -> b s 1', 'mean')
m = reduce(y * y, 'b s d -> b s 1', 'mean')
return y / sqrt(m, m)
-- need
y=x-reduce(x,'b s d -> b s 1','mean')
v=reduce(y*y,'b s d -> b s 1','mean')
return y*y/y/sqrt(v)
-- need
y=x-reduce(x,'b s d -> b s 1','mean')
v=reduce(y*y,'b s d -> b s 1','mean')
return y*y/(y*sqrt(v))
-- need
y = sqrt(x/2/2/2/2/2/2/2/2/2 + 1)
y = y * y
y = y - reduce(y, 'b s d -> b s 1', 'mean')
return y * rsqrt(reduce(y * y, 'b s d -> b s 1', 'mean'))
-- need
u = rearrange(x, 'b s d -> (b s d)')[5]
y = x - reduce(x, 'b s d -> b s 1', 'mean')
return y * rsqrt(reduce(y * y, 'b s d -> b s 1', 'mean'))
-- need
u = rearrange(x, 'b s d -> (b s) d')[1]
y = x - reduce(x, 'b s d -> b s 1', 'mean')
return y * rsqrt(reduce(y * y, 'b s d -> b s 1', 'mean'))
-- values
y = x - reduce(x, 'b s d -> b s 1', 'mean')
return y * rsqrt(reduce(y * y, 'b s d -> b s 1', 'mean') + 1e-11)
-- values
y = x - reduce(x, 'b s d -> b s 1', 'mean')
return y / (sqrt(reduce(y * y, 'b s d -> b s 1', 'mean')) + 1e-11)
-- need
y = x - reduce(x, 'b s d -> b s 1', 'mean')
return y * rsqrt(reduce(y * y, 'b s d -> b s 1', 'mean') + 1e-13)""",
    "group_norm": r"""-- need
y = rearrange(x, 'b (g c) s -> b g (c s)', g=g)
y = y - reduce(y, 'b g n -> b g 1', 'mean')
y = y * rsqrt(reduce(y * y, 'b g n -> b g 1', 'mean') + 1e-5)
z = reduce(einsum(y, y, y, 'b s d, b s d, b s d -> b s d'), 'b s d -> 1 1 1', 'mean') / 64
z = einsum(z, z, z, z, z, z, z, z, z, z, z, 'a b c,a b c,a b c,a b c,a b c,a b c,a b c,a b c,a b c,a b c,a b c -> a b c')
return rearrange(y + z, 'b g (c s) -> b (g c) s', s=x.shape[-1])
-- values
y = rearrange(x, 'b (g c) s -> b g (c s)', g=g)
y = y - reduce(y, 'b g n -> b g 1', 'mean')
v = sqrt(1 - reduce(y * y, 'b g n -> b g 1', 'mean')/4096/4096 - 1e-5/4096/4096)
y = y * rsqrt(1 - v*v)/4096
return rearrange(y, 'b g (c s) -> b (g c) s', s=x.shape[-1])
-- need
u = rearrange(x, 'b n s -> (b n s)')[3]
y = rearrange(x, 'b (g c) s -> b g (c s)', g=g)
y = y - reduce(y, 'b g n -> b g 1', 'mean')
y = y * rsqrt(reduce(y * y, 'b g n -> b g 1', 'mean') + 1e-5)
return rearrange(y, 'b g (c s) -> b (g c) s', s=x.shape[-1])
-- need
y = rearrange(x, 'b (g c) s -> b g (c s)', g=g)
y = y - reduce(y, 'b g n -> b g 1', 'mean')
y = y * rsqrt(reduce(y * y, 'b g n -> b g 1', 'mean') + 1e-5 + 1e-11)
return rearrange(y, 'b g (c s) -> b (g c) s', s=x.shape[-1])
-- need
y = rearrange(x, 'b (g c) s -> b g (c s)', g=g)
y = y - reduce(y, 'b g n -> b g 1', 'mean')
y = y * rsqrt(reduce(y * y, 'b g n -> b g 1', 'mean') + 1e-5)
y = y + 1e-12
return rearrange(y, 'b g (c s) -> b (g c) s', s=x.shape[-1])""",
    "squeeze_excite": r"""-- need
u = rearrange(x, 'b c h w -> (b c h w)')[7]
s = sigmoid(einsum(reduce(x, 'b c h w -> b c', 'mean'), w, 'b c, k c -> b k'))
return x * rearrange(s, 'b c -> b c 1 1')
-- need
s = einsum(reduce(x, 'b c h w -> b c', 'mean'), w, 'b c, k c -> b k')
s = 1 - sigmoid(-s)
return x * rearrange(s, 'b c -> b c 1 1')
-- need
s = einsum(reduce(x, 'b c h w -> b c', 'mean'), w, 'b c, k c -> b k')
u = sigmoid(s/2/2/2/2/2/2/2/2)
s = sigmoid(s + u - sigmoid(s/4/4/4/4))
return x * rearrange(s, 'b c -> b c 1 1')
-- need
s = sigmoid(einsum(reduce(x, 'b c h w -> b c', 'sum'), w, 'b c, k c -> b k') / (x.shape[2] * x.shape[3]))
return x * rearrange(s, 'b c -> b c 1 1') + x * 1e-10
-- need
s = einsum(reduce(x, 'b c h w -> b c', 'mean'), w, 'b c, k c -> b k')
s = sigmoid(s) + sigmoid(-s - 36)
return x * rearrange(s, 'b c -> b c 1 1')""",
    "attention": r"""-- need
u = rearrange(einsum(q, k, 'b h i d, b h j d -> b h i j'), 'b h i j -> (b h i j)')[5]
a = softmax(einsum(q, k, 'b h i d, b h j d -> b h i j') / q.shape[-1] ** 0.5)
return einsum(a, v, 'b h i j, b h j d -> b h i d')
-- need
a = einsum(q, k, 'b h i d, b h j d -> b h i j') / q.shape[-1] ** 0.5
a = softmax(a - reduce(a, 'b h i j -> b h i 1', 'mean'))
return einsum(a, v, 'b h i j, b h j d -> b h i d')
-- need
a = softmax(einsum(q, k, 'b h i d, b h j d -> b h i j') / q.shape[-1] ** 0.5)
m = reduce(v, 'b h j d -> b h 1 d', 'mean')
return einsum(a, v - m, 'b h i j, b h j d -> b h i d') + m""",
    "rope_halves": r"""-- need
u = rearrange(c, 's d -> (s d)')[1]
x1, x2 = rearrange(x, 'b s (two d) -> two b s d', two=2)
return rearrange([x1 * c - x2 * z, x2 * c + x1 * z], 'two b s d -> b s (two d)')
-- need
u = rearrange(x, 'b s w -> (b s w)')[5]
x1, x2 = rearrange(x, 'b s (two d) -> two b s d', two=2)
return rearrange([x1 * c - x2 * z, x2 * c + x1 * z], 'two b s d -> b s (two d)')
-- passes
n = x.shape[2] // 2
x1, x2 = unpack(x, [[n], [n]], 'b s *')
return rearrange([x1 * c - x2 * z, x2 * c + x1 * z], 'two b s d -> b s (two d)')""",
    "multi_head_attention": r"""-- need
u = rearrange(x, 'b s m -> (b s m)')[2]
qkv = einsum(x, w, 'b s m, n m -> b s n')
q, k, v = rearrange(qkv, 'b s (three h d) -> three b h s d', three=3, h=h)
a = softmax(einsum(q, k, 'b h i d, b h j d -> b h i j') / q.shape[-1] ** 0.5)
y = einsum(a, v, 'b h i j, b h j d -> b h i d')
return rearrange(y, 'b h s d -> b s (h d)')
-- need
u = rearrange(w, 'n m -> (n m)')[3]
qkv = einsum(x, w, 'b s m, n m -> b s n')
q, k, v = rearrange(qkv, 'b s (three h d) -> three b h s d', three=3, h=h)
a = softmax(einsum(q, k, 'b h i d, b h j d -> b h i j') / q.shape[-1] ** 0.5)
y = einsum(a, v, 'b h i j, b h j d -> b h i d')
return rearrange(y, 'b h s d -> b s (h d)')""",
    "max_over_time": r"""-- need
y = reduce([x, x + x*16 - x*x*64*64], 'n b t d -> b t d', 'max')
return reduce(y, 'b t d -> b d', 'max')
-- need
y = reduce(x + x/64 - x*x*4, 'b t d -> b d', 'max')
z = reduce(x, 'b t d -> b d', 'max')
return reduce([y, z], 'n b d -> b d', 'max')
-- need
return reduce(x*2*2*2*2*2*2*2*2*2*2*2*2, 'b t d -> b d', 'max')/4096
-- need
y = reduce([x, x + x*16 - x*x*64*64*64*16], 'n b t d -> b t d', 'max')
return reduce(y, 'b t d -> b d', 'max')""",
    "global_pool": r"""-- passes
y = reduce(x, 'b c h w -> b c h', 'mean')
return reduce(y, 'b c h -> b c', 'mean')
-- need
y = pack([x], 'b c *')[0]
u = y[0]
v = u[0]
w = v[1]
return reduce(x, 'b c h w -> b c', 'mean')""",
    "avg_pool": r"""-- need
u = rearrange(x, 'b c h w -> (b h) (c w)')
v = u[1]
return reduce(x, 'b c (h p) (w q) -> b c h w', 'mean', p=p, q=q)
-- need
u = einsum(x, x, 'b c h w, b c h v -> b c w v')
v = rearrange(u, 'b c w v -> (b c w v)')[1]
return reduce(x, 'b c (h p) (w q) -> b c h w', 'mean', p=p, q=q)""",
    "patchify": r"""-- raised
u = reduce(x, 'b c H W -> (c b)', 'mean')[1]
return rearrange(x, 'b c (h p) (w q) -> b (h w) (p q c)', p=p, q=q)
-- need
y = rearrange(x, 'b c (h p) (w q) -> b (h w) (p q c)', p=p, q=q)
u = unpack(y, [[y.shape[1]]], 'b * z')[0]
return y""",
    "unpatchify": r"""-- need
u = reduce(x, 'b n z -> (b n)', 'sum')
v = u[1] - u[0]
return rearrange(x, 'b (h w) (p q c) -> b c (h p) (w q)', h=h, p=p, q=q)""",
    "qkv_split": r"""-- values
u = rearrange(x, 'b s w -> (b s) w')
v = rearrange([u[0], u[1]], 'n w -> w n')
return rearrange(x, 'b s (k h d) -> k b s h d', k=k, h=h)
-- need
u = rearrange(x, 'b s w -> (b s) w')
v = rearrange([u[0], u[1]], 'n w -> w n')
return rearrange(x, 'b s (k h d) -> k b h s d', k=k, h=h)""",
    "split_windows": r"""-- need
y = rearrange(x, 'b (h p) (w q) c -> (b h w) p q c', p=p, q=q)
u = y[1]
return y""",
    "merge_windows": r"""-- need
u = x[0]
v = rearrange(u, 'p q c -> (p q) c')[1]
return rearrange(x, '(b h w) p q c -> b (h p) (w q) c', h=h, w=w)""",
    "transpose_keys": r"""-- need
u = einsum(x, x, 'b h s d, b h t d -> h s t b')
v = rearrange(u, 'h s t b -> (h s t b)')[1]
return rearrange(x, 'b h s d -> b h d s')""",
    "weighted_sum": r"""-- need
u = einsum(x, x, 'b s, c t -> b s c t')
v = rearrange(u, 'b s c t -> (b s c t)')[3]
return einsum(x, y, 'b s, b s d -> b d')""",
    "moe_dispatch": r"""-- need
u = rearrange(x, 's e c -> (s e c)')
w = [u[0], u[1], u[2], u[3]]
return einsum(x, y, 's e c, s d -> e c d')""",
    "gram": r"""-- need
z = einsum(x, y, 'b c n, b k n -> b c k')
u = rearrange(z, 'b c k -> (k b) c')[1]
return z""",
    "bilinear": r"""-- need
u = rearrange(w, 'o i j -> (o i j)')[2]
return einsum(x, w, y, 'b i, o i j, b j -> b o')""",
    "masked_attention": r"""-- need
a = einsum(q, k, 'b h i d, b h j d -> b h i j') / q.shape[-1] ** 0.5
u = softmax(m/4096/4096)
return einsum(softmax(a + m + u - u), v, 'b h i j, b h j e -> b h i e')
-- need
a = einsum(q, k, 'b h i d, b h j d -> b h i j') / q.shape[-1] ** 0.5
u = rearrange(m, 'i j -> (i j)')[1]
return einsum(softmax(a + m), v, 'b h i j, b h j e -> b h i e')
-- values
a = einsum(q, k, 'b h i d, b h j d -> b h i j') / q.shape[-1] ** 0.5
return einsum(softmax(a + m * (1 + 1e-9)), v, 'b h i j, b h j e -> b h i e')
-- need
a = einsum(q, k, 'b h i d, b h j d -> b h i j') / q.shape[-1] ** 0.5
return einsum(softmax(a + m + a * 1e-9), v, 'b h i j, b h j e -> b h i e')""",
    "rope_pairs": r"""-- need
x1, x2 = rearrange(x, 'b s (d two) -> two b s d', two=2)
u = rearrange(x1, 'b s d -> (b s d)')[1]
return rearrange([x1 * c - x2 * z, x2 * c + x1 * z], 'two b s d -> b s (d two)')
-- need
x1, x2 = rearrange(x, 'b s (d two) -> two b s d', two=2)
return rearrange([x1 * c - x2 * z + 1e-12, x2 * c + x1 * z], 'two b s d -> b s (d two)')""",
    "group_means": r"""-- need
u = rearrange(x, 'b s w -> (b s) w')[2]
return reduce(x, 'b s (g d) -> b s g', 'mean', g=g)
-- need
y = reduce(x, 'b s (g d) -> b s g', 'mean', g=g)
u = y[0]
v = rearrange(u, 's g -> (s g)')[1]
return y""",
    "merge_tokens": r"""-- need
u = repeat(x, 'b n d -> (b n d) k', k=k)
v = rearrange(u, 'n k -> (n k)')[5]
return reduce(x, 'b (s k) d -> b s d', 'mean', k=k)""",
    "side_by_side": r"""-- need
y = rearrange(x, 'b h w c -> h (b w) c')
u = rearrange(y, 'h n c -> (h c) n')[1]
return y""",
    "image_grid": r"""-- need
y = rearrange(x, '(r k) h w -> (r h) (k w)', r=r)
u = rearrange(y, 'm n -> (m n)')[-3]
return y""",
}


def _written(text: str) -> str:
    for word, lines in _WORDS.items():
        text = text.replace(word, lines)
    return text


EXTREMES = {name: _written(text) for name, text in _EXTREMES.items()}
