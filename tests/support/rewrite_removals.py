"""Attempts to pass a rewrite by a call whose result cancels out inside a sum, or weighs what adds up to nothing.

For each exercise: why the attempt is refused, or `passes`, and the lines of `f`: those that pass deserve it.
"""
# ruff: noqa: E501 - a cheat reads best in one piece

REMOVALS = {
    "rms_norm": r"""-- need
c = reduce(x, 'b s d -> b s 1', 'sum')
p = pack([x * x, c, -x], 'b s *')[0]
m = einsum(p, 'b s n -> b s') / x.shape[2]
return x * rsqrt(rearrange(m, 'b s -> b s 1')) * g
-- need
c = reduce(x, 'b s d -> b s 1', 'sum')
u = einsum(pack([x, c], 'b s *')[0], pack([x, c], 'b s *')[0], 'b s n, b s n -> b s')
w = einsum(pack([c, 0*x], 'b s *')[0], pack([c, x], 'b s *')[0], 'b s n, b s n -> b s')
m = (u - w) / x.shape[2]
return x * rsqrt(rearrange(m, 'b s -> b s 1')) * g
-- need
c = reduce(x, 'b s d -> s', 'sum')
p = pack([x * x, rearrange(c, 's -> 1 s 1') + 0 * x], 'b s *')[0]
q = einsum(p, 'b s n -> b s')
p = pack([0*x, rearrange(c, 's -> 1 s 1') + 0 * x], 'b s *')[0]
m = (q - einsum(p, 'b s n -> b s')) / x.shape[2]
return x * rsqrt(rearrange(m, 'b s -> b s 1')) * g
-- need
c = reduce(x, 'b s d -> b s 1', 'mean')
m = einsum(x * x + c - x, 'b s d -> b s') / x.shape[2]
return x * rsqrt(rearrange(m, 'b s -> b s 1')) * g
-- need
c = reduce(x, 'b s d -> b s 1', 'mean')
m = einsum(x * x + c / 2 - x / 4 - x / 4, 'b s d -> b s') / x.shape[2]
return x * rsqrt(rearrange(m, 'b s -> b s 1')) * g
-- values
c = reduce(x, 'b s d -> b s 1', 'mean')
p = pack([x * x, c / 5, c / 5, c / 5, -x / 5, -x / 5, -x / 5], 'b s *')[0]
q = einsum(p, 'b s n -> b s') + 3 / 5 * einsum(x - c, 'b s d -> b s') / x.shape[2] * (x.shape[2] - 1)
m = q / x.shape[2]
return x * rsqrt(rearrange(m, 'b s -> b s 1')) * g
-- need
c = reduce(x, 'b s d -> b s 1', 'sum')
p = pack([x * x, c * c, -c * x], 'b s *')[0]
m = einsum(p, 'b s n -> b s') / x.shape[2]
return x * rsqrt(rearrange(m, 'b s -> b s 1')) * g
-- need
c = reduce(x, 'b s d -> b s 1', 'sum')
m = einsum(x * x, 'b s d -> b s') / x.shape[2]
k = einsum(x - c / x.shape[2], x ** 0, 'b s d, b s d -> b s')
return x * rsqrt(rearrange(m + k, 'b s -> b s 1')) * g
-- need
c = reduce(x, 'b s d -> b s 1', 'sum')
z = c - x
m = einsum(x * x, 'b s d -> b s') / x.shape[2]
k = einsum(z, 'b s d -> b s') - einsum(x, 'b s d -> b s') * (x.shape[2] - 1)
return x * rsqrt(rearrange(m + k, 'b s -> b s 1')) * g
-- need
c = reduce(x, 'b s d -> b s 1', 'max')
p = pack([c, x], 'b s *')[0]
k = reduce(p, 'b s n -> b s 1', 'max')
m = rearrange(einsum(x * x, 'b s d -> b s') / x.shape[2], 'b s -> b s 1')
return x * rsqrt(m + k - c) * g
-- need
c = reduce(x, 'b s d -> s d', 'sum')
y = einsum(x, 'b s d -> s d')
m = einsum(x * x, 'b s d -> b s') / x.shape[2]
k = einsum(c, g, 's d, d -> s') - einsum(y, g, 's d, d -> s')
return x * rsqrt(rearrange(m, 'b s -> b s 1') + rearrange(k, 's -> 1 s 1')) * g
-- need
c = reduce(x * g, 'b s d -> s', 'sum')
k = einsum(x, g, 'b s d, d -> b')
t = einsum(c, 's -> ') - einsum(k, 'b -> ')
m = einsum(x * x, 'b s d -> b s') / x.shape[2]
return x * rsqrt(rearrange(m, 'b s -> b s 1') + t) * g
-- rule
c = reduce(x * g, 'b s d -> s', 'sum')
k = einsum(x, g, 'b s d, d -> b')
t = einsum(c, k, 's, b -> ') - einsum(k, 'b -> ') ** 2
m = einsum(x * x, 'b s d -> b s') / x.shape[2]
return x * rsqrt(rearrange(m, 'b s -> b s 1') + t / 1e6) * g
-- need
c = reduce(x, 'b s d -> b s 1', 'sum')
u = einsum(x * x + c * x / x.shape[2], 'b s d -> b s')
v = einsum(c / x.shape[2], c, 'b s o, b s o -> b s')
m = (u - v) / x.shape[2]
return x * rsqrt(rearrange(m, 'b s -> b s 1')) * g
-- need
c = reduce(x, 'b s d -> b s 1', 'sum')
u = einsum(x, x + c, 'b s d, b s d -> b s')
v = einsum(x, 'b s d -> b s') ** 2
m = (u - v) / x.shape[2]
return x * rsqrt(rearrange(m, 'b s -> b s 1')) * g
-- need
c = reduce(x, 'b s d -> b s 1', 'sum')
u = einsum((x * x + c / x.shape[2] - x) * c, 'b s d -> b s')
m = u / einsum(x, 'b s d -> b s') / x.shape[2]
return x * rsqrt(rearrange(m, 'b s -> b s 1')) * g
-- need
c = reduce(x * g, 'b s d -> s', 'sum')
k = einsum(x, g, 'b s d, d -> b')
t = einsum(c, k, 's, b -> ') - einsum(k, 'b -> ') ** 2
m = einsum(x * x, 'b s d -> b s') / x.shape[2]
return x * rsqrt(rearrange(m, 'b s -> b s 1') + t / 4096) * g
-- need
c = reduce(x, 'b s d -> b s 1', 'sum')
u = einsum(x, x + c, 'b s d, b s d -> b s')
v = einsum(c, x, 'b s o, b s d -> b s')
m = (u - v) / x.shape[2]
return x * rsqrt(rearrange(m, 'b s -> b s 1')) * g
-- need
c = reduce(x, 'b s d -> b s 1', 'sum')
p = pack([x * x, c / 2, c / 2, -x], 'b s *')[0]
q = pack([x ** 0 , c ** 0, c ** 0, x ** 0], 'b s *')[0]
m = einsum(p, q, 'b s n, b s n -> b s') / x.shape[2]
return x * rsqrt(rearrange(m, 'b s -> b s 1')) * g
-- need
c = reduce(x, 'b s d -> b s 1', 'sum')
a, b = unpack(x, [[1], [x.shape[2] - 1]], 'b s *')
p = pack([x * x, c, -a, -b], 'b s *')[0]
m = einsum(p, 'b s n -> b s') / x.shape[2]
return x * rsqrt(rearrange(m, 'b s -> b s 1')) * g
-- need
c = reduce(x, 'b s d -> b s 1', 'sum')
p = pack([x * x, c, -x / 3, -x * 2 / 3, c * c, -c * x], 'b s *')[0]
m = einsum(p, 'b s n -> b s') / x.shape[2]
return x * rsqrt(rearrange(m, 'b s -> b s 1')) * g
-- need
c = reduce(x, 'b s d -> b s 1', 'sum')
p = pack([x, c, -x], 'b s *')[0]
z = einsum(p, 'b s n -> b s')
e = c - rearrange(z, 'b s -> b s 1')
u = einsum(x * x + e, 'b s d -> b s')
return x * rsqrt(rearrange(u / x.shape[2], 'b s -> b s 1')) * g
-- need
c = reduce(x, 'b s d -> b s 1', 'max')
u = einsum(x, x + c, 'b s d, b s d -> b s')
v = einsum(x, c + 0 * x, 'b s d, b s d -> b s')
m = (u - v) / x.shape[2]
return x * rsqrt(rearrange(m, 'b s -> b s 1')) * g
-- need
c = reduce(x, 'b s d -> b s 1', 'max')
p = pack([x, c], 'b s *')[0]
q = pack([x, -c], 'b s *')[0]
u = einsum(p, q, 'b s n, b s n -> b s')
v = rearrange(c, 'b s 1 -> b s') ** 2
return x * rsqrt(rearrange((u + v) / x.shape[2], 'b s -> b s 1')) * g""",
    "layer_norm": r"""-- need
c = reduce(x, 'b s d -> b s 1', 'sum')
p = pack([x, c, -x], 'b s *')[0]
m = rearrange(einsum(p, 'b s n -> b s') / x.shape[2], 'b s -> b s 1')
y = x - rearrange(einsum(x, 'b s d -> b s') / x.shape[2], 'b s -> b s 1')
q = pack([y * y, c, -x], 'b s *')[0]
v = rearrange(einsum(q, 'b s n -> b s') / x.shape[2], 'b s -> b s 1')
return y * rsqrt(v)
-- need
c = reduce(x, 'b s d -> b s 1', 'max')
m = rearrange(einsum(x, 'b s d -> b s') / x.shape[2], 'b s -> b s 1')
y = x - m
v = einsum(y, y + c, 'b s d, b s d -> b s') / x.shape[2]
return y * rsqrt(rearrange(v, 'b s -> b s 1'))
-- need
c = reduce(x, 'b s d -> b s 1', 'max')
m = rearrange(einsum(x - c, 'b s d -> b s') / x.shape[2], 'b s -> b s 1')
y = x - (m + c)
v = einsum(y, y, 'b s d, b s d -> b s') / x.shape[2]
return y * rsqrt(rearrange(v, 'b s -> b s 1'))
-- need
c = reduce(x, 'b s d -> s 1', 'mean')
m = rearrange(einsum(x, 'b s d -> b s') / x.shape[2], 'b s -> b s 1')
y = x - m
v = einsum(y, y + c, 'b s d, b s d -> b s') / x.shape[2]
return y * rsqrt(rearrange(v, 'b s -> b s 1'))
-- need
c = reduce(x, 'b s d -> b s 1', 'mean')
m = rearrange(einsum(x, 'b s d -> b s') / x.shape[2], 'b s -> b s 1')
y = x - m
v = einsum(y, x - c, 'b s d, b s d -> b s') / x.shape[2]
return y * rsqrt(rearrange(v, 'b s -> b s 1'))
-- need
c = reduce(x, 'b s d -> b s 1', 'mean')
m = rearrange(einsum(x, 'b s d -> b s') / x.shape[2], 'b s -> b s 1')
y = x - m
z = x - c ** 3
v = einsum(y, z, 'b s d, b s d -> b s') / x.shape[2]
return y * rsqrt(rearrange(v, 'b s -> b s 1'))
-- need
c = reduce(x, 'b s d -> b d', 'max')
m = rearrange(einsum(x, 'b s d -> b s') / x.shape[2], 'b s -> b s 1')
y = x - m
e = rearrange(einsum(c, 'b d -> b'), 'b -> b 1 1')
v = einsum(y, x + e, 'b s d, b s d -> b s') / x.shape[2]
return y * rsqrt(rearrange(v, 'b s -> b s 1'))
-- need
c = reduce(x, 'b s d -> b s 1', 'mean')
m = rearrange(einsum(x, 'b s d -> b s') / x.shape[2], 'b s -> b s 1')
y = x - m
p = pack([y * y, c, -x / x.shape[2]], 'b s *')[0]
q = pack([y * y, m * m, -c * x / x.shape[2]], 'b s *')[0]
v = einsum(p, 'b s d -> b s') + einsum(q, 'b s d -> b s')
return y * rsqrt(rearrange(v / 2 / x.shape[2], 'b s -> b s 1'))""",
    "token_mixing": r"""-- need
z = rearrange(x, 'b s d -> b 1 s d') * rearrange(w, 't s -> 1 t s 1')
c = einsum(x, 'b s d -> b d')
p = pack([z, rearrange(c, 'b d -> b 1 1 d') * z ** 0, rearrange(x, 'b s d -> b 1 s d') * -1 * x.shape[1] * z ** 0], 'b t * d')[0]
y = relu(reduce(p, 'b t s d -> b t d', 'sum'))
y = rearrange(y, 'b t d -> b 1 t d') * rearrange(v, 's t -> 1 s t 1')
return x + reduce(y, 'b s t d -> b s d', 'sum')
-- need
z = rearrange(x, 'b s d -> b 1 s d') * rearrange(w, 't s -> 1 t s 1')
y = relu(reduce(z, 'b t s d -> b t d', 'sum'))
c = einsum(y, 'b t d -> b d')
u = rearrange(y, 'b t d -> b 1 t d') * rearrange(v, 's t -> 1 s t 1')
r = reduce(u + rearrange(c, 'b d -> b 1 1 d') / w.shape[0] - rearrange(y, 'b t d -> b 1 t d'), 'b s t d -> b s d', 'sum')
return x + r""",
    "attention": r"""-- need
s = reduce(rearrange(q, 'b h i d -> b h i 1 d') * rearrange(k, 'b h j d -> b h 1 j d'), 'b h i j d -> b h i j', 'sum')
a = softmax(s / q.shape[-1] ** 0.5)
t = rearrange(a, 'b h i j -> b h i j 1') * rearrange(v, 'b h j e -> b h 1 j e')
c = einsum(t, 'b h i j e -> b h i e')
p = pack([t, rearrange(c, 'b h i e -> b h i 1 e'), -t], 'b h i * e')[0]
r = reduce(p, 'b h i n e -> b h i e', 'sum')
u = reduce(t, 'b h i j e -> b h i e', 'sum')
return r
-- need
s = reduce(rearrange(q, 'b h i d -> b h i 1 d') * rearrange(k, 'b h j d -> b h 1 j d'), 'b h i j d -> b h i j', 'sum')
a = softmax(s / q.shape[-1] ** 0.5)
t = rearrange(a, 'b h i j -> b h i j 1') * rearrange(v, 'b h j e -> b h 1 j e')
c = einsum(v, 'b h j e -> b h e')
w = rearrange(v, 'b h j e -> b h 1 j e') + 0 * t
p = pack([t, rearrange(c, 'b h e -> b h 1 1 e') + 0 * reduce(t, 'b h i j e -> b h i 1 e', 'sum'), -w], 'b h i * e')[0]
return reduce(p, 'b h i n e -> b h i e', 'sum')""",
    "group_norm": r"""-- need
y = rearrange(x, 'b (g c) s -> b g (c s)', g=g)
c = reduce(y, 'b g n -> b g 1', 'max')
n = y.shape[2]
y = y - rearrange(einsum(y, 'b g n -> b g') / n, 'b g -> b g 1')
q = einsum(y, y + c, 'b g n, b g n -> b g') / n
y = y * rsqrt(rearrange(q, 'b g -> b g 1') + 1e-5)
return rearrange(y, 'b g (c s) -> b (g c) s', s=x.shape[-1])""",
    "squeeze_excite": r"""-- need
c = reduce(x, 'b c h w -> b c', 'max')
m = einsum(x, 'b c h w -> b c') / x.shape[2] / x.shape[3]
y = x - rearrange(m, 'b c -> b c 1 1')
k = einsum(y, rearrange(c, 'b c -> b c 1 1') * x ** 0, 'b c h w, b c h w -> b c')
s = sigmoid(einsum(m + k, w, 'b c, k c -> b k'))
return x * rearrange(s, 'b c -> b c 1 1')""",
    "rope_halves": r"""-- need
d = x.shape[2] // 2
x1, x2 = unpack(x, [[d], [d]], 'b s *')
y = pack([x1 * c - x2 * z, x2 * c + x1 * z], 'b s *')[0]
e = rearrange(x, 'b s d -> s b d')
k = einsum(e, 's b d -> b') - einsum(x, 'b s d -> b')
return y + rearrange(k, 'b -> b 1 1')
-- need
d = x.shape[2] // 2
x1, x2 = unpack(x, [[d], [d]], 'b s *')
y = pack([x1 * c - x2 * z, x2 * c + x1 * z], 'b s *')[0]
e = rearrange(c, 's d -> d s')
k = einsum(e, c, z, 'd s, s d, s d -> ') - einsum(c, c, z, 's d, s d, s d -> ')
return y + k""",
    "multi_head_attention": r"""-- need
n = w.shape[0] // 3
d = n // h
w1, w2, w3 = unpack(w, [[h, d], [h, d], [h, d]], '* m')
q = einsum(x, w1, 'b s m, h d m -> b h s d')
k = einsum(x, w2, 'b s m, h d m -> b h s d')
v = einsum(x, w3, 'b s m, h d m -> b h s d')
a = softmax(einsum(q, k, 'b h i d, b h j d -> b h i j') / d ** 0.5)
y = einsum(a, v, 'b h i j, b h j d -> b i h d')
y = pack([y], 'b s *')[0]
e = rearrange(x, 'b s m -> s b m')
return y + einsum(e, 's b m -> ') - einsum(x, 'b s m -> ')
-- need
n = w.shape[0] // 3
d = n // h
w1, w2, w3 = unpack(w, [[h, d], [h, d], [h, d]], '* m')
q = einsum(x, w1, 'b s m, h d m -> b h s d')
k = einsum(x, w2, 'b s m, h d m -> b h s d')
v = einsum(x, w3, 'b s m, h d m -> b h s d')
a = softmax(einsum(q, k, 'b h i d, b h j d -> b h i j') / d ** 0.5)
y = einsum(a, v, 'b h i j, b h j d -> b i h d')
y = pack([y], 'b s *')[0]
e = rearrange(w, 'n m -> m n')
k = einsum(e, x, 'm n, b s m -> b s') - einsum(w, x, 'n m, b s m -> b s')
return y + rearrange(k, 'b s -> b s 1')""",
}


def removals(name: str, signature: str) -> list[tuple[str, str]]:
    """The attempts at one exercise: why each is refused, and its source."""
    found = []
    for block in REMOVALS[name].removeprefix("-- ").split("\n-- "):
        why, _, lines = block.partition("\n")
        found.append((why, f"def {signature}:\n" + "".join(f"    {line}\n" for line in lines.split("\n"))))
    return found
