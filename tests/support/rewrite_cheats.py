"""Attempts to pass a rewrite without what it asks for, by hand: names shadowed, calls in vain, sums that cancel.

Per exercise: the right result without the required functions, written `$` in the attempts, and for each attempt why it
is refused: by the rule on its tree, by the need of its result for the calls, or because its values are wrong.
"""
# ruff: noqa: E501 - a cheat reads best in one piece

_CHEATS: dict[str, tuple[str, str]] = {
    "split_heads": (
        "repeat(x, 'b s (h d) -> b h s d', h=h)",
        r"""
-- need
y = $
rearrange(x, 'b s d -> b d s')
return y
-- need
y = $
z = rearrange(y, 'a b c d -> a b c d')
return z
-- need
y = rearrange($, 'a b c d -> d c b a')
return rearrange(y, 'd c b a -> a b c d')
-- raised
return rearrange([$, x], 'n ... -> n ...')
-- need
y = rearrange([$, 2 * $], 'n a b c d -> n a b c d')
return y[0]
-- need
a, b = rearrange([$, x.shape[0] * $], 'n a b c d -> n a b c d')
return a
-- rule
return (rearrange(x, 'b s d -> b d s'), $)[1]
-- rule
return [$, rearrange(x, 'b s d -> b d s')][0]
-- need
[y, z] = $, rearrange(x, 'b s d -> b d s')
return y
-- rule
return $ if h else rearrange(x, 'b s (h d) -> b h s d', h=h)
-- rule
return $ or rearrange(x, 'b s d -> b d s')
-- rule
def f(x, h):
    return rearrange(x, 'b s (h d) -> b h s d', h=h)
def f(x, h):
    return $
-- rule
def f(x, h):
    def rearrange(y, *a, **k): return $
    return rearrange(x)
-- rule
def f(rearrange, h):
    return rearrange.reshape(*rearrange.shape[:2], h, -1).swapaxes(1, 2)
-- rule
def f(x, einops):
    h = einops
    return $
-- unreadable
def f(x, *einops): return einops.rearrange(x)
-- unreadable
def f(x, h, rearrange=repeat): return rearrange(x, 'b s (h d) -> b h s d', h=h)
-- rule
def f(x, h):
    rearrange = repeat
    return rearrange(x, 'b s (h d) -> b h s d', h=h)
-- rule
from einops import repeat as rearrange
def f(x, h): return rearrange(x, 'b s (h d) -> b h s d', h=h)
-- rule
import einops.layers as einops
def f(x, h): return einops.rearrange(x, 'b s (h d) -> b h s d', h=h)
-- rule
def f(x, h):
    for rearrange in [repeat]: pass
    return rearrange(x, 'b s (h d) -> b h s d', h=h)
-- rule
def f(x, h):
    return [rearrange(x, 'b s (h d) -> b h s d', h=h) for rearrange in [repeat]][0]
-- rule
def f(x, h): return (lambda rearrange: rearrange(x, 'b s (h d) -> b h s d', h=h))(repeat)
-- rule
def f(x, h):
    if (rearrange := repeat): return rearrange(x, 'b s (h d) -> b h s d', h=h)
-- rule
def f(x, h):
    try: raise ValueError
    except ValueError as rearrange: pass
    return $
-- rule
def f(x, h):
    with open('/dev/null') as rearrange: pass
    return $
-- rule
def f(x, h):
    match repeat:
        case rearrange: return rearrange(x, 'b s (h d) -> b h s d', h=h)
-- rule
def f(x, h):
    global rearrange
    rearrange = repeat
    return rearrange(x, 'b s (h d) -> b h s d', h=h)
-- rule
rearrange: object = repeat
def f(x, h): return rearrange(x, 'b s (h d) -> b h s d', h=h)
-- rule
class rearrange:
    def __new__(c, x, h): return x.reshape(*x.shape[:2], h, -1).swapaxes(1, 2)
def f(x, h): return rearrange(x, h)
-- rule
einops.rearrange = repeat
def f(x, h): return einops.rearrange(x, 'b s (h d) -> b h s d', h=h)
-- rule
def f(x, h):
    einops.__dict__['rearrange'] = repeat
    return einops.rearrange(x, 'b s (h d) -> b h s d', h=h)
-- rule
return (einops if h else rearrange(x, 'b s d -> b d s')).repeat(x, 'b s (h d) -> b h s d', h=h)
-- need
return $ + 0 * rearrange($, 'a b c d -> a b c d')
-- need
return $ * rearrange($ ** 0, 'a b c d -> a b c d')
-- need
z = rearrange(x, 'b s d -> d s b')
return repeat(x + 0 * rearrange(z, 'd s b -> b s d'), 'b s (h d) -> b h s d', h=h)
-- need
z = rearrange(x, 'b s d -> b s d 1')
return reduce(z, 'b s (h d) n -> b h s d', 'max', h=h)
-- need
z = rearrange(x, 'b s d -> (b s d)')
y = unpack(z, [[x.shape[0], x.shape[1], x.shape[2]]], '*')
return repeat(y[0], 'b s (h d) -> b h s d', h=h)
-- need
y = rearrange(x, 'b s (h d) -> b h s d', h=h)
return repeat(x, 'b s (h d) -> b h s d', h=y.shape[1])
-- rule
return x.reshape(*x.shape[:2], h, -1).swapaxes(1, 2) + 0 * rearrange(x, 'b s (h d) -> b h s d', h=h)
-- rule
y = rearrange
return y(x, 'b s (h d) -> b h s d', h=h)
-- need
return repeat(x, 'b s (h d) -> b h s d', h=h)
return rearrange(x, 'b s (h d) -> b h s d', h=h)
-- rule
return reduce(x, 'b s (h d) -> b h s d', rearrange, h=h)
-- rule
return reduce(x, 'b s (h d) -> b h s d', einops.rearrange, h=h)
-- rule
return x.__class__.swapaxes(rearrange(x, 'b s (h d) -> b s h d', h=h), 1, 2)
-- rule
return rearrange(tensor=x.reshape(*x.shape[:2], h, -1).swapaxes(1, 2), pattern='a b c d -> a b c d')
-- need
return rearrange(tensor=$, pattern='a b c d -> a b c d')
-- need
return rearrange($, 'b h s d -> b h s d', b=x.shape[0])
-- need
return rearrange($, '... -> ...')
-- rule
return rearrange(x, 'b s (h d) -> b h s d', **{'h': h})
-- rule
return rearrange(x, f'b s (h d) -> b h s d', h=h)
""",
    ),
    "tile_sequence": (
        "rearrange([x] * r, 'r b s d -> b (r s) d')",
        r"""
-- rule
def f(einops, r): return einops.repeat(1, r, 1)
-- rule
def f(repeat, r): return repeat.repeat(1, r, 1)
-- rule
def f(torch, r): return torch.repeat(1, r, 1)
-- rule
def f(x, repeat): return rearrange([x] * repeat, 'r b s d -> b (r s) d')
-- rule
return x.repeat(1, r, 1)
-- rule
import einops
def f(x, r):
    einops = x
    return einops.repeat(1, r, 1)
-- rule
def f(x, r):
    (einops, y) = x, repeat(x, 'b s d -> b s d')
    return einops.repeat(1, r, 1)
-- rule
return $
-- need
y = repeat(x, 'b s d -> b s d')
return rearrange([y] * r, 'r b s d -> b (r s) d')
-- need
y = repeat(x, 'b s d -> b s d 1')
return rearrange([y] * r, 'r b s d k -> b (r s) (d k)')
-- need
return repeat($, 'b s d -> b s d')
-- need
return $ + repeat(x, 'b s d -> b (r s) d', r=r) * 0
-- values
return ($ + repeat(x, 'b s d -> b (r s) d', r=r)) / 2 + ($ - repeat(x, 'b s d -> b (r s) d', r=r)) / 2
-- need
y = repeat(x, 'b s d -> r b s d', r=r)
return rearrange([x] * y.shape[0], 'r b s d -> b (r s) d')
-- need
z = repeat(x * 0, 'b s d -> b (r s) d', r=r)
return $ + z
-- need
z = repeat(x ** 0, 'b s d -> b (r s) d', r=r)
return $ * z
-- raised
z = reduce(repeat(x, 'b s d -> n b s d', n=3), 'n b s d -> b s d', 'mean')
return rearrange([z] * r, 'r b s d -> b (r s) d')
-- rule
return pack([x] * r, 'b * d')[0]
-- need
repeat(x, 'b s d -> b (r s) d', r=r)
return pack([x] * r, 'b * d')[0]
-- rule
return [repeat(x, 'b s d -> b (r s) d', r=r), $][-1]
""",
    ),
    "mean_pool": (
        "einsum(x, 'b s d -> b d') / x.shape[1]",
        r"""
-- rule
return $
-- need
return reduce($, 'b d -> b d', 'sum')
-- need
return reduce($, 'b d -> b d', 'mean') + 0
-- need
return reduce([$, $], 'n b d -> b d', 'mean')
-- need
return reduce([$, $ - 4096], 'n b d -> b d', 'max')
-- need
return $ + reduce(x, 'b s d -> ', 'sum') * 0
-- need
s = reduce(x, 'b s d -> ', 'sum')
return $ + s - s
-- need
s = reduce(x, 'b s d -> ', 'sum')
m = reduce(x, 'b s d -> ', 'mean') * x.shape[0] * x.shape[1] * x.shape[2]
return $ * s / m
-- need
s = reduce(x, 'b s d -> ', 'sum')
m = reduce(x, 'b s d -> ', 'mean') * x.shape[0] * x.shape[1] * x.shape[2]
return einsum(x * s, 'b s d -> b d') / m / x.shape[1]
-- need
s = reduce(x, 'b s d -> ', 'sum')
m = reduce(x, 'b s d -> ', 'mean')
b, n, d = x.shape
return einsum(x * s, 'b s d -> b d') / m / b / n / d / n
-- need
ones = reduce(x, 'b s d -> s', 'sum') ** 0
return einsum(x, ones, 'b s d, s -> b d') / x.shape[1]
-- need
n = reduce(x ** 0, 'b s d -> b d', 'sum')
return einsum(x, 'b s d -> b d') / n
-- need
return einsum(x, 'b s d -> b d') / reduce(x ** 0, 'b s d -> ', 'mean') / x.shape[1]
-- need
w = reduce(x, 'b s d -> b', 'max')
return ($ + rearrange(w, 'b -> b 1')) - rearrange(w, 'b -> b 1')
-- rule
reduce(x, 'b s d -> b d', 'mean')
return x.mean(1)
-- rule
return x.mean(axis=reduce('a -> a', 'a -> a', 'max'))
-- rule
def f(reduce): return reduce.mean(1)
-- rule
def f(einops): return einops.mean(1)
-- rule
return sum(x[0]) / len(x)
-- need
def f(x):
    sum = reduce(x, 'b s d -> b d', 'sum')
    sum = einsum(x, 'b s d -> b d')
    return sum / x.shape[1]
-- need
def f(x):
    x = einsum(x, 'b s d -> b d') / x.shape[1]
    return reduce(x, 'b d -> b d', 'min')
-- need
return reduce(repeat($, 'b d -> b s d', s=3), 'b s d -> b d', 'mean')
-- need
return reduce(rearrange($, 'b d -> b 1 d'), 'b s d -> b d', 'mean')
-- rule
return reduce(x, 'b s d -> b d', einops.reduce)
-- rule
return $ * (reduce(x, 'b s d -> ', 'sum') != None)
-- rule
return reduce(x, 'b s d -> b d', 'sum').__class__.mean(x, 1)
-- need
y = rearrange(einsum(x, 'b s d -> b d'), 'b d -> b d 1')
return reduce(y, 'b d n -> b d', 'sum') / x.shape[1]
-- need
y = einsum(x, 'b s d -> d b')
return reduce(y, 'd b -> b d', 'sum') / x.shape[1]
-- need
y = repeat(einsum(x, 'b s d -> d b'), 'd b -> d b k', k=2)
return reduce(y, 'd b k -> b d', 'mean') / x.shape[1]
""",
    ),
    "attention_scores": (
        "reduce(rearrange(x, 'b h q d -> b h q 1 d') * rearrange(y, 'b h k d -> b h 1 k d'), 'b h q k d -> b h q k', 'sum')",
        r"""
-- rule
return $
-- need
return einsum($, 'b h q k -> b h q k')
-- need
z = einsum(x, 'b h q d -> d q h b')
x = einsum(z, 'd q h b -> b h q d')
return $
-- need
s = einsum(x, 'b h q d -> ')
return $ + s - s
-- need
s = einsum(x, x, 'b h q d, b h q d -> ')
return $ * s / reduce(x * x, 'b h q d -> ', 'sum')
-- need
s = einsum(x, x, 'b h q d, b h q d -> ')
t = reduce(x * x, 'b h q d -> ', 'sum')
x = x * s
return $ / t
-- need
s = einsum(x, x, 'b h q d, b h q d -> ')
t = reduce(x * x, 'b h q d -> ', 'mean')
n = x.shape[0] * x.shape[1] * x.shape[2] * x.shape[3]
x = x * s
return $ / t / n
-- rule
return ($, einsum(x, y, 'b h q d, b h k d -> b h q k'))[0]
-- need
return $ + (einsum(x, y, 'b h q d, b h k d -> b h q k') - $) * 0
-- need
return einsum(x, y, 'b h q d, b h k d -> b h q k') * 0 + $
-- need
return $ + (einsum(x, y, 'b h q d, b h k d -> b h q k') - einsum(x, y, 'n a q d, n a k d -> n a q k'))
-- need
return $ * (einsum(x, y, 'b h q d, b h k d -> b h q k') / einsum(x, y, 'n a q d, n a k d -> n a q k'))
-- rule
return x @ rearrange(y, 'b h k d -> b h d k')
-- rule
einsum(x, y, 'b h q d, b h k d -> b h q k')
return x @ y.swapaxes(-1, -2)
-- rule
def f(einsum, y): return einsum @ y.swapaxes(-1, -2)
-- rule
def f(torch, y): return torch.matmul(y.swapaxes(-1, -2))
-- rule
return torch.einsum('bhqd,bhkd->bhqk', x, y)
-- rule
einops.einsum = lambda *a: $
return einops.einsum(x, y, 'b h q d, b h k d -> b h q k')
-- need
return einsum($, x ** 0, 'b h q k, b h q d -> b h q k') / x.shape[3]
-- need
d = einsum(x ** 0, 'b h q d -> ') / einsum(x ** 0, 'b h q d -> ')
return $ * d
""",
    ),
    "token_mixing": (
        "x + reduce(rearrange(y, 'b t d -> b 1 t d') * rearrange(v, 's t -> 1 s t 1'), 'b s t d -> b s d', 'sum')",
        r"""
-- rule
y = relu(reduce(rearrange(x, 'b s d -> b 1 s d') * rearrange(w, 't s -> 1 t s 1'), 'b t s d -> b t d', 'sum'))
return $
-- need
y = relu(reduce(rearrange(x, 'b s d -> b 1 s d') * rearrange(w, 't s -> 1 t s 1'), 'b t s d -> b t d', 'sum'))
y = y + relu(-einsum(x, x, 'b s d, b s d -> ') - 4000)
return $
-- need
y = relu(reduce(rearrange(x, 'b s d -> b 1 s d') * rearrange(w, 't s -> 1 t s 1'), 'b t s d -> b t d', 'sum'))
y = y + y * relu(einsum(x, 'b s d -> ')) * 1e-30
return $
""",
    ),
    "gqa_repeat": (
        "rearrange([x] * g, 'g b h s d -> b (h g) s d')",
        r"""
-- rule
return $
-- need
return repeat($, 'b h s d -> b h s d')
-- need
y = repeat(x, 'b h s d -> d s h b')
return rearrange([y] * g, 'g d s h b -> b (h g) s d')
-- need
y = repeat(x, 'b h s d -> b h s d k', k=2)
y = reduce(y, 'b h s d k -> d s h b', 'mean')
return rearrange([y] * g, 'g d s h b -> b (h g) s d')
""",
    ),
    "transpose_keys": (
        "repeat(x, 'b h s d -> b h d s')",
        r"""
-- need
y = rearrange(x, 'b h s d -> b h s d 1')
return reduce(y, 'b h s d k -> b h d s', 'sum')
-- need
y = rearrange(x, 'b h s d -> (b h) s d')
return repeat(y, '(b h) s d -> b h d s', b=x.shape[0])
""",
    ),
    "prepend_token": (
        "",
        r"""
-- rule
return torch.cat([rearrange(x, 'b d -> b 1 d'), y], 1)
-- rule
pack([x, y], 'b * d')
return torch.cat([x[:, None], y], 1)
-- rule
def f(pack, y): return pack
-- rule
def f(x, y):
    pack = torch.cat
    return pack([rearrange(x, 'b d -> b 1 d'), y], 1)
-- rule
z, s = pack([x, y], 'b * d')
return z if s else y
-- rule
z, *s = pack([x, y], 'b * d')
return z
-- rule
z = pack([x, y], 'b * d')[0]
z[:, 0] = x
return z
-- rule
z = pack([x, y], 'b * d')[0]
z += 0
return z
-- rule
return pack([x, y], 'b * d').__getitem__(0)
-- rule
return pack([x, y], 'b * d')[not x]
-- rule
return pack(*[[x, y], 'b * d'])[0]
-- rule
return pack([i for i in (x, y)], 'b * d')[0]
-- rule
return einops.packing.pack([x, y], 'b * d')[0]
-- rule
import einops.packing
def f(x, y): return einops.packing.pack([x, y], 'b * d')[0]
-- rule
import numpy
def f(x, y): return numpy.concatenate([x[:, None], y], 1)
-- values
n = y.shape[1] + 1
z = repeat(x, 'b d -> b n d', n=n)
return z * 0 + pack([x, y], 'b * d')[0] * 0
""",
    ),
    "split_pair": (
        "",
        r"""
-- rule
return [x[..., :p], x[..., p:]]
-- rule
a, b = unpack(x, [[p], [q]], 'b s *')
return [x[..., :p], x[..., p:]]
-- rule
unpack(x, [[p], [q]], 'b s *')
return [x[:, :, :p], x[:, :, p:]]
-- rule
def f(unpack, p, q): return [unpack[..., :p], unpack[..., p:]]
-- rule
def f(x, p, unpack): return [x[..., :p], x[..., p:]]
-- rule
return list(torch.split(x, [p, q], -1))
-- rule
return x.split([p, q], -1)
-- rule
return [*unpack(x, [[p], [q]], 'b s *')]
-- rule
a = unpack(x, [[p], [q]], 'b s *')
a[0] = x[..., :p]
return a
-- rule
a = unpack(x, [[p], [q]], 'b s *')
a.append(x)
return a
-- rule
z = unpack(x, [[x.shape[2]]], 'b s *')[0]
return [z[..., :p], z[..., p:]]
-- rule
return {'a': unpack(x, [[p], [q]], 'b s *')}['a']
-- rule
return unpack(x, ([p], [q]) if p else [], 'b s *')
-- values
return [unpack(x, [[p], [q]], 'b s *')[0] * 0, unpack(x, [[p], [q]], 'b s *')[1]]
""",
    ),
    "read_shape": (
        "",
        r"""
-- rule
return {'b': x.shape[0], 's': x.shape[1], 'd': x.shape[2]}
-- rule
return dict(zip('bsd', x.shape))
-- rule
parse_shape(x, 'b s d')
return {'b': x.shape[0], 's': x.shape[1], 'd': x.shape[2]}
-- rule
return (parse_shape(x, 'd s b'), {'b': x.shape[0], 's': x.shape[1], 'd': x.shape[2]})[1]
-- rule
z = parse_shape(x, 'b s d')
z['b'] = x.shape[0]
return z
-- rule
def f(parse_shape): return parse_shape.shape
-- rule
def f(einops): return einops.parse_shape
-- rule
return {**parse_shape(x, 'b s d')}
-- rule
return parse_shape(x, 'b s d') | {}
-- rule
return dict(b=x.shape[0], s=x.shape[1], d=x.shape[2])
-- rule
return parse_shape(x, 'b s d') and {'b': x.shape[0], 's': x.shape[1], 'd': x.shape[2]}
""",
    ),
    "rms_norm": (
        "x * rsqrt(rearrange(einsum(x, x, 'b s d, b s d -> b s') / x.shape[2], 'b s -> b s 1')) * g",
        r"""
-- rule
return $
-- need
return $ + 0 * reduce(x, 'b s d -> ', 'sum')
-- need
return reduce($, 'b s d -> b s d', 'mean')
-- need
m = einsum(x, x, 'b s d, b s d -> b s') / x.shape[2]
return x * rsqrt(reduce(m, 'b s -> b s 1', 'mean')) * g
-- need
m = einsum(x, x, 'b s d, b s d -> b s') / x.shape[2]
return x * rsqrt(reduce([rearrange(m, 'b s -> b s 1')], 'n b s d -> b s d', 'max')) * g
-- need
x = x * reduce(x * x, 'b s d -> ', 'sum')
return $
-- need
x = x * (reduce(x * x, 'b s d -> ', 'sum') + 1)
return $
-- need
s = reduce(x * x, 'b s d -> ', 'sum')
x = x * s * (s - 1) * (s - 1)
return $
-- need
s = reduce(x * x, 'b s d -> ', 'sum')
m = einsum(x * s, x * s, 'b s d, b s d -> b s') / x.shape[2]
return x * s * rsqrt(rearrange(m, 'b s -> b s 1')) * g
-- need
s = reduce(x * x, 'b s d -> ', 'sum')
t = reduce(x * x, 'b s d -> ', 'mean') * x.shape[0] * x.shape[1] * x.shape[2]
m = einsum(x * s, x * s, 'b s d, b s d -> b s') / x.shape[2]
return x * t * rsqrt(rearrange(m, 'b s -> b s 1')) * g
-- need
s = reduce(x * x, 'b s d -> ', 'sum')
t = reduce(x * x, 'b s d -> ', 'mean')
n = x.shape[0] * x.shape[1] * x.shape[2]
m = einsum(x * s, x * s, 'b s d, b s d -> b s') / x.shape[2] / n / n
return x * t * rsqrt(rearrange(m, 'b s -> b s 1')) * g
-- need
t = reduce(g, 'd -> d', 'max')
g = t
return $
-- need
t = reduce([g, g], 'n d -> d', 'mean')
g = t
return $
-- need
one = reduce(x, 'b s d -> b s 1', 'sum') ** 0
return x * rsqrt(one * rearrange(einsum(x, x, 'b s d, b s d -> b s') / x.shape[2], 'b s -> b s 1')) * g
-- rule
return x * torch.rsqrt((x * x).mean(-1, keepdim=True)) * g + reduce(x, 'b s d -> ', 'sum') * 0
-- rule
def f(x, reduce): return x / (x ** 2).mean(-1, keepdims=True) ** 0.5 * reduce
-- rule
def f(sqrt, g): return sqrt / sqrt.std() * g
-- rule
from torch import rsqrt as reduce
def f(x, g): return x * reduce(x) * g
-- need
n = reduce(x ** 0, 'b s d -> b s', 'sum')
m = einsum(x, x, 'b s d, b s d -> b s') / n
return x * rsqrt(rearrange(m, 'b s -> b s 1')) * g
-- need
y = $
z = reduce(x, 'b s d -> b s 1', 'max')
return (y - z) + z
-- need
y = $
z = reduce(x, 'b s d -> b s 1', 'max')
return (y * z) / z
-- need
r = reduce(x, 'b s d -> b s 1', 'mean')
y = x + r * 1e-10
return y * rsqrt(rearrange(einsum(y, y, 'b s d, b s d -> b s') / x.shape[2], 'b s -> b s 1')) * g
-- need
a = rearrange(einsum(x, x, 'b s d, b s d -> b s'), 'b s -> b s 1')
m = reduce([a / 2, a / 2], 'n b s k -> b s k', 'sum') / x.shape[2]
return x * rsqrt(m) * g
-- need
m = rearrange(einsum(x, x, 'b s d, b s d -> b s'), 'b s -> b s 1') / x.shape[2]
m = reduce([m, m * 0.5], 'n b s k -> b s k', 'max')
return x * rsqrt(m) * g
-- need
m = rearrange(einsum(x, x, 'b s d, b s d -> b s'), 'b s -> b s 1') / x.shape[2]
m = reduce([m * 2, m * 3], 'n b s k -> b s k', 'min')
return 2 ** 0.5 * x * rsqrt(m) * g
""",
    ),
    "attention": (
        "reduce(rearrange(softmax(s), 'b h i j -> b h i j 1') * rearrange(v, 'b h j e -> b h 1 j e'), 'b h i j e -> b h i e', 'sum')",
        r"""
-- rule
s = reduce(rearrange(q, 'b h i d -> b h i 1 d') * rearrange(k, 'b h j d -> b h 1 j d'), 'b h i j d -> b h i j', 'sum') / q.shape[3] ** 0.5
return $
-- need
s = reduce(rearrange(q, 'b h i d -> b h i 1 d') * rearrange(k, 'b h j d -> b h 1 j d'), 'b h i j d -> b h i j', 'sum') / q.shape[3] ** 0.5
s = s + rearrange(einsum(q, 'b h i d -> b h i'), 'b h i -> b h i 1')
return $
-- need
s = reduce(rearrange(q, 'b h i d -> b h i 1 d') * rearrange(k, 'b h j d -> b h 1 j d'), 'b h i j d -> b h i j', 'sum') / q.shape[3] ** 0.5
s = s + einsum(v, v, 'b h j e, b h j e -> ')
return $
-- need
s = reduce(rearrange(q, 'b h i d -> b h i 1 d') * rearrange(k, 'b h j d -> b h 1 j d'), 'b h i j d -> b h i j', 'sum') / q.shape[3] ** 0.5
s = s + rearrange(einsum(q, 'b h i d -> b h i') ** 3 - einsum(q, 'b h i d -> b h i'), 'b h i -> b h i 1')
return $
-- need
q = einsum(q, 'b h i d -> b h i d')
s = reduce(rearrange(q, 'b h i d -> b h i 1 d') * rearrange(k, 'b h j d -> b h 1 j d'), 'b h i j d -> b h i j', 'sum') / q.shape[3] ** 0.5
return $
-- need
s = reduce(rearrange(q, 'b h i d -> b h i 1 d') * rearrange(k, 'b h j d -> b h 1 j d'), 'b h i j d -> b h i j', 'sum') / q.shape[3] ** 0.5
v = v * einsum(softmax(s), 'b h i j -> ') / q.shape[0] / q.shape[1] / q.shape[2]
return $
-- need
s = reduce(rearrange(q, 'b h i d -> b h i 1 d') * rearrange(k, 'b h j d -> b h 1 j d'), 'b h i j d -> b h i j', 'sum') / q.shape[3] ** 0.5
one = rearrange(einsum(softmax(s), 'b h i j -> b h i'), 'b h i -> b h i 1')
return $ * one
-- rule
s = reduce(rearrange(q, 'b h i d -> b h i 1 d') * rearrange(k, 'b h j d -> b h 1 j d'), 'b h i j d -> b h i j', 'sum') / q.shape[3] ** 0.5
return (einsum(q, k, 'b h i d, b h j d -> b h i j'), $)[1]
-- rule
def f(q, k, softmax): return softmax
-- rule
def f(q, k, torch): return torch.softmax(q @ k.swapaxes(-1, -2), -1) @ v
-- rule
return torch.nn.functional.scaled_dot_product_attention(q, k, v)
-- rule
einsum(q, k, 'b h i d, b h j d -> b h i j')
return F.scaled_dot_product_attention(q, k, v)
-- rule
import torch.nn.functional as einops
def f(q, k, v): return einops.scaled_dot_product_attention(q, k, v)
-- need
z = einsum(q, k, 'b h i d, b h j d -> b h i j')
s = reduce(rearrange(q, 'b h i d -> b h i 1 d') * rearrange(k, 'b h j d -> b h 1 j d'), 'b h i j d -> b h i j', 'sum') / q.shape[3] ** 0.5
s = s + (z - z)
return $
-- need
z = einsum(q, k, 'b h i d, b h j d -> b h i j')
s = reduce(rearrange(q, 'b h i d -> b h i 1 d') * rearrange(k, 'b h j d -> b h 1 j d'), 'b h i j d -> b h i j', 'sum')
s = (s + z) / q.shape[3] ** 0.5 - z / q.shape[3] ** 0.5
return $
-- need
s = reduce(rearrange(q, 'b h i d -> b h i 1 d') * rearrange(k, 'b h j d -> b h 1 j d'), 'b h i j d -> b h i j', 'sum') / q.shape[3] ** 0.5
r = rearrange(einsum(q, 'b h i d -> b h i'), 'b h i -> b h i 1')
t = rearrange(einsum(k, 'b h j d -> b h'), 'b h -> b h 1 1')
s = s + r * t
return $
-- need
s = reduce(rearrange(q, 'b h i d -> b h i 1 d') * rearrange(k, 'b h j d -> b h 1 j d'), 'b h i j d -> b h i j', 'sum') / q.shape[3] ** 0.5
r = rearrange(einsum(q, 'b h i d -> b h i'), 'b h i -> b h i 1')
t = rearrange(einsum(q, q, 'b h i d, b h i d -> b h i'), 'b h i -> b h i 1')
s = (s + r) * (r / t) * (t / r) - r + t
return $
""",
    ),
    "group_norm": (
        "",
        r"""
-- need
y = repeat(x, 'b (g c) s -> b g (c s)', g=g)
y = y - reduce(y, 'b g n -> b g 1', 'mean')
y = y * rsqrt(reduce(y * y, 'b g n -> b g 1', 'mean') + 1e-5)
return repeat(y, 'b g (c s) -> b (g c) s', s=x.shape[-1])
-- need
y = repeat(x, 'b (g c) s -> b g (c s)', g=g)
y = y - reduce(y, 'b g n -> b g 1', 'mean')
y = y * rsqrt(reduce(y * y, 'b g n -> b g 1', 'mean') + 1e-5)
z = repeat(y, 'b g (c s) -> b (g c) s', s=x.shape[-1])
return rearrange(z, 'b c s -> b c s')
-- need
y = repeat(rearrange(x, 'b c s -> b c s'), 'b (g c) s -> b g (c s)', g=g)
y = y - reduce(y, 'b g n -> b g 1', 'mean')
y = y * rsqrt(reduce(y * y, 'b g n -> b g 1', 'mean') + 1e-5)
return repeat(y, 'b g (c s) -> b (g c) s', s=x.shape[-1])
-- rule
y = rearrange(x, 'b (g c) s -> b g (c s)', g=g)
n = y.shape[2]
y = y - repeat(einsum(y, 'b g n -> b g') / n, 'b g -> b g 1')
y = y * rsqrt(repeat(einsum(y, y, 'b g n, b g n -> b g') / n, 'b g -> b g 1') + 1e-5)
return rearrange(y, 'b g (c s) -> b (g c) s', s=x.shape[-1])
-- need
y = rearrange(x, 'b (g c) s -> b g (c s)', g=g)
n = y.shape[2]
y = y - reduce(einsum(y, 'b g n -> b g') / n, 'b g -> b g 1', 'sum')
y = y * rsqrt(reduce(einsum(y, y, 'b g n, b g n -> b g') / n, 'b g -> b g 1', 'max') + 1e-5)
return rearrange(y, 'b g (c s) -> b (g c) s', s=x.shape[-1])
-- need
y = repeat(x, 'b (g c) s -> b g (c s)', g=g)
w = rearrange(x, 'b c s -> s c b')
y = y - reduce(y, 'b g n -> b g 1', 'mean') + 0 * reduce(w, 's c b -> ', 'sum')
y = y * rsqrt(reduce(y * y, 'b g n -> b g 1', 'mean') + 1e-5)
return repeat(y, 'b g (c s) -> b (g c) s', s=x.shape[-1])
-- need
y = repeat(x, 'b (g c) s -> b g (c s)', g=g)
w = reduce(rearrange(x, 'b c s -> s c b'), 's c b -> ', 'sum')
y = y + w
y = y - reduce(y, 'b g n -> b g 1', 'mean')
y = y * rsqrt(reduce(y * y, 'b g n -> b g 1', 'mean') + 1e-5)
return repeat(y, 'b g (c s) -> b (g c) s', s=x.shape[-1])
-- rule
def f(x, g):
    y = einops.rearrange(x, 'b (g c) s -> b g (c s)', g=g)
    einops = x
    return reduce(y, 'b g n -> b g 1', 'mean')
-- rule
def f(einops, g): return torch.nn.functional.group_norm(einops, g)
""",
    ),
    "rope_halves": (
        "repeat([a * c - b * z, b * c + a * z], 'two b s d -> b s (two d)')",
        r"""
-- rule
a, b = repeat(x, 'b s (two d) -> two b s d', two=2)
return $
-- need
a, b = repeat(x, 'b s (two d) -> two b s d', two=2)
c = rearrange(c, 's d -> s d')
return $
-- need
a, b = repeat(x, 'b s (two d) -> two b s d', two=2)
c = rearrange(rearrange(c, 's d -> d s'), 'd s -> s d')
return $
-- need
a, b = repeat(x, 'b s (two d) -> two b s d', two=2)
c = c + rearrange(z, 's d -> s d') - z
return $
-- need
a, b = repeat(x, 'b s (two d) -> two b s d', two=2)
y = $
return rearrange([y], 'n b s d -> (n b) s d')
-- need
a, b = repeat(x, 'b s (two d) -> two b s d', two=2)
y = $
return rearrange([y, x], 'n b s d -> n b s d')[0]
-- rule
h = x.shape[-1] // 2
a, b = x[..., :h], x[..., h:]
return rearrange([a * c - b * z, b * c + a * z], 'two b s d -> b s (two d)')
-- rule
a, b = rearrange(x, 'b s (two d) -> two b s d', two=2)
a *= c
return rearrange([a, b], 'two b s d -> b s (two d)')
-- rule
def f(x, c, rearrange): return x
""",
    ),
    "squeeze_excite": (
        "x * rearrange(s, 'b c -> b c 1 1')",
        r"""
-- rule
s = sigmoid(einsum(einsum(x, 'b c h w -> b c') / x.shape[2] / x.shape[3], w, 'b c, k c -> b k'))
return $
-- need
s = sigmoid(einsum(reduce(einsum(x, 'b c h w -> b c') / x.shape[2] / x.shape[3], 'b c -> b c', 'sum'), w, 'b c, k c -> b k'))
return $
-- need
m = reduce(x, 'b c h w -> b c', 'mean')
s = sigmoid(reduce(rearrange(m, 'b c -> b 1 c') * rearrange(w, 'k c -> 1 k c'), 'b k c -> b k', 'sum'))
s = einsum(s, 'b k -> b k')
return $
-- need
m = reduce(x, 'b c h w -> b c', 'mean')
s = sigmoid(reduce(rearrange(m, 'b c -> b 1 c') * rearrange(w, 'k c -> 1 k c'), 'b k c -> b k', 'sum'))
s = s + 0 * einsum(w, 'k c -> ')
return $
-- need
m = reduce(x, 'b c h w -> b c', 'mean')
s = sigmoid(einsum(m, w, 'b c, k c -> b k'))
return x * repeat(s, 'b c -> b c 1 1') + 0 * rearrange(x, 'b c h w -> b c h w')
-- need
m = reduce(x, 'b c h w -> b c', 'mean')
s = sigmoid(einsum(m, w, 'b c, k c -> b k'))
return rearrange(x * repeat(s, 'b c -> b c 1 1'), 'b c h w -> b c h w')
-- rule
def f(x, sigmoid): return x
-- rule
def f(x, w): return torch.sigmoid(x.mean((2, 3)) @ w.T)[:, :, None, None] * x
""",
    ),
}


def cheats(name: str, signature: str) -> list[tuple[str, str]]:
    """The attempts at one exercise: why each is refused, and its source."""
    free, text = _CHEATS[name]
    found = []
    for block in text.replace("$", f"({free})").strip().removeprefix("-- ").split("\n-- "):
        why, _, lines = block.partition("\n")
        indented = "".join(f"    {line}\n" for line in lines.split("\n"))
        found.append((why, f"{lines}\n" if "def f(" in lines else f"def {signature}:\n{indented}"))
    return found


CHEATED = tuple(_CHEATS)
"""The exercises that are cheated on."""
