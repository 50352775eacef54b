"""More attempts to pass a rewrite without what it asks for, from an hour with the source of the judge at hand.

`WAYS` are ways round the rule, tried on every exercise of `RIGHT`: by what Python can do besides computing. `SUMS` are
computations in which the call is there but does nothing, or a part of its work: for each why it is refused, or
`passes`: these let it do its work, in a roundabout way.
"""
# ruff: noqa: E501 - a cheat reads best in one piece

RIGHT = {
    "split_heads": ("repeat(x, 'b s (h d) -> b h s d', h=h)", "rearrange(x, 'b s (h d) -> b h s d', h=h)"),
    "merge_heads": ("reduce(x, 'b h s d -> b s (h d)', 'sum')", "rearrange(x, 'b h s d -> b s (h d)')"),
    "channels_last": ("einsum(x, 'b c h w -> b h w c')", "rearrange(x, 'b c h w -> b h w c')"),
    "mean_pool": ("einsum(x, 'b s d -> b d') / x.shape[1]", "reduce(x, 'b s d -> b d', 'mean')"),
    "sum_heads": ("einsum(x, 'b h s d -> b s d')", "reduce(x, 'b h s d -> b s d', 'sum')"),
    "gqa_repeat": ("rearrange([x] * g, 'g b h s d -> b (h g) s d')", "repeat(x, 'b h s d -> b (h g) s d', g=g)"),
    "beam_copies": (
        "einsum(x, rearrange(x, 'b s -> b s') ** 0, 'b s, b s -> b s')",
        "repeat(x, 'b s -> (b k) s', k=k)",
    ),
    "batch_dot": ("reduce(x * y, 'b d -> b', 'sum')", "einsum(x, y, 'b d, b d -> b')"),
    "gram": (
        "reduce(rearrange(x, 'b c n -> b c 1 n') * rearrange(y, 'b k n -> b 1 k n'), 'b c k n -> b c k', 'sum')",
        "einsum(x, y, 'b c n, b k n -> b c k')",
    ),
    "outer_products": (
        "rearrange(x, 'b i -> b i 1') * rearrange(y, 'b j -> b 1 j')",
        "einsum(x, y, 'b i, b j -> b i j')",
    ),
    "prepend_token": ("rearrange([x] + [y], 'n b d -> b n d')", "pack([x, y], 'b * d')[0]"),
    "rms_norm": (
        "x * rsqrt(rearrange(einsum(x, x, 'b s d, b s d -> b s') / x.shape[2], 'b s -> b s 1')) * g",
        "x * rsqrt(reduce(x * x, 'b s d -> b s 1', 'mean')) * g",
    ),
    "flatten_all": ("repeat(x, 'b s d -> (b s d)')", "rearrange(x, 'b s d -> (b s d)')"),
}
"""Per exercise a result without the call, `$` in the ways, and the call, `#`; the first need not be right."""

WAYS = r"""return [$ for _ in [#]][0]
--
return (lambda y: y)($)
--
return next(iter([$, #]))
--
return next(y for y in ($, #))
--
return {0: $, 1: #}[0]
--
return ({#.shape} and $)
--
return getattr($, 'clone')()
--
return $ if # is not None else #
--
return (y := $)
--
return $.view(*$.shape)
--
return f'{#}' and $
--
return [*[$], #][0]
--
y, *z = $, #
return y
--
return $ + (# != #)
--
return $ + (# - #)
--
return $ @ 1
--
return $ % (# + 1)
--
return $ | #
--
return ~~$
--
return $ and $
--
return not # or $
--
assert # is not None
return $
--
del x
return $
--
global n
n = #
return $
--
yield $
--
return (yield #) or $
--
try:
    raise StopIteration(#)
except StopIteration:
    return $
--
try:
    return $
finally:
    #
--
with torch.no_grad():
    y = #
return $
--
for y in [#, $]:
    pass
return y
--
while True:
    return $
--
match #:
    case _:
        return $
--
class C:
    y = $
return C.y
--
class C:
    def __getattr__(s, n): return $
return C().rearrange
--
import time
return $ if time.time() else #
--
import os
os.write(3, b'')
return $
--
import sys
return sys._getframe(1).f_locals and $
--
x += 0
return $
--
x[0] = x[0]
return $
--
x.data = x
return $
--
einops.rearrange = einops.repeat
return $
--
torch.manual_seed(0)
return $
--
return torch.clone($)
--
return torch.compile(lambda: $)()
--
return einops.einops.repeat and $
--
return einops.layers and $
--
from einops.einops import _apply_recipe
return $
--
return rearrange.__wrapped__ and $
--
return rearrange.__globals__['repeat'] and $
--
return __builtins__ and $
--
return eval('1') and $
--
exec('1')
return $
--
return globals() and $
--
return locals() and $
--
return vars() and $
--
return print(#) or $
--
return id(#) and $
--
return type($)($)
--
return sum([$])
--
return max([$], key=id)
--
return reduce([$, #], 'n ... -> ...', lambda t, a: t[0])
--
return reduce([$, #], 'n ... -> ...', max)
--
return reduce($, '... -> ...', f)
--
return f.__code__ and $
--
f.n = #
return $
--
return $.T.T
--
return $[...]
--
return $[:]
--
return $[0:]
--
return $[None][0]
--
return $[True]
--
return $ + 0 * #.sum()
--
return $ + 0j
--
return $ + b''
--
return $ + 1_000_000 - 1_000_000
--
return rearrange(*[$], '... -> ...')
--
return rearrange($, **{'pattern': '... -> ...'})
--
return rearrange(tensor=$, pattern='... -> ...', **{})"""
"""Bodies of `f`."""

FILES = r"""@staticmethod
def f(@s): return $
--
@lambda g: g
def f(@s): return $
--
def f(@s, /): return $
--
def f(@s, *, y=1): return $
--
def f(@s, y=[]): return $
--
def f(@s): return $
f = f
--
f = lambda @s: $
def f(@s): return #
--
async def f(@s): return $
--
class f:
    def __new__(c, @s): return $
--
def g(@s): return $
def f(@s): return g(@s)
--
def f(@s): return #
def f(@s): return $
--
n = []
def f(@s):
    n.append(1)
    return $
--
import builtins
def f(@s): return $
--
import torch as rearrange
def f(@s): return $
--
from einops import *
def f(@s): return $
--
from torch import *
def f(@s): return $
--
from .. import x
def f(@s): return $
--
del rearrange
def f(@s): return $
--
rearrange, y = repeat, 1
def f(@s): return $
--
if True:
    def f(@s): return $
--
def f(@s) -> (rearrange := repeat): return $
--
def f[T](@s): return $
--
y: (rearrange := repeat) = 1
def f(@s): return $
--
type T = int
def f(@s): return $
--
__name__ = 'x'
def f(@s): return $"""
"""Whole answers; `@s` are the names of the arguments."""

SUMS = {
    "mean_pool": r"""-- need
y = reduce([x, 2 * x], 'n b s d -> b s d', 'sum')
return einsum(y, 'b s d -> b d') / 3 / x.shape[1]
-- rule
y = reduce([x ** 2, 1000 * x], 'n b s d -> b s d', 'sum')
return einsum((y + 250000) ** 0.5 - 500, 'b s d -> b d') / x.shape[1]
-- need
y = reduce([x, x], 'n b s d -> b s d', 'sum')
return einsum(y, 'b s d -> b d') / 2 / x.shape[1]
-- need
m = reduce(x, 'b s d -> b d', 'max')
return m + einsum(x - rearrange(m, 'b d -> b 1 d'), 'b s d -> b d') / x.shape[1]
-- need
m = reduce(x, 'b s d -> ', 'max')
return m + einsum(x - m, 'b s d -> b d') / x.shape[1]
-- need
m = reduce(x, 'b s d -> ', 'max') + 1000
return m * (einsum(x / m, 'b s d -> b d') / x.shape[1])
-- need
m = reduce(x ** 2, 'b s d -> ', 'sum')
y = (x ** 2 + m) - m
return einsum(x, 'b s d -> b d') / x.shape[1] + reduce(y - x ** 2, 'b s d -> b d', 'sum')
-- rule
n = reduce(x ** 0, 'b s d -> d b', 'sum')
return einsum(x, 'b s d -> b d') / n[0][0]
-- need
n = reduce(x ** 0, 'b s d -> b d', 'sum')
return einsum(x, 'b s d -> b d') / n
-- need
n = reduce(x / x, 'b s d -> b d', 'sum')
return einsum(x, 'b s d -> b d') / n
-- need
n = reduce(x - x + 1, 'b s d -> b d', 'sum')
return einsum(x, 'b s d -> b d') / n
-- need
a, b = unpack(x, [[1], [x.shape[0] - 1]], '* s d')
y = reduce([a, 2 * a], 'n b s d -> b s d', 'sum')
z = reduce([b, 2 * b], 'n b s d -> b s d', 'sum')
w, t = pack([y, z], '* s d')
return einsum(w, 'b s d -> b d') / 3 / x.shape[1]
-- need
y = reduce(rearrange([x, x * 3], 'n b s d -> b s n d'), 'b s n d -> b s d', 'max')
z = reduce(rearrange([x, x * 3], 'n b s d -> b s n d'), 'b s n d -> b s d', 'min')
return einsum(y + z, 'b s d -> b d') / 4 / x.shape[1]
-- need
y = reduce(x, 'b s d -> b d', 'prod')
return einsum(x, 'b s d -> b d') / x.shape[1] + 0 * y
-- rule
y = reduce(x, 'b s d -> b d', 'max') / 1000000 ** 3
return einsum(x, 'b s d -> b d') / x.shape[1] + y / 1000000
-- rule
y = reduce(x, 'b s d -> b s', 'max')
return einsum(x, 'b s d -> b d') / x.shape[1] + y[0][0] * 0
-- need
y = reduce(x, 'b s d -> b', 'sum')
z = einsum(x, 'b s d -> b')
return einsum(x, 'b s d -> b d') / x.shape[1] + rearrange(y - z, 'b -> b 1')
-- need
y = reduce(x, 'b s d -> b', 'sum')
z = einsum(x, 'b s d -> b')
return einsum(x, 'b s d -> b d') / x.shape[1] * rearrange(y / z, 'b -> b 1')
-- need
y = reduce(x, 'b s d -> b s', 'sum')
z = einsum(x, 'b s d -> s b')
return einsum(x, 'b s d -> b d') / x.shape[1] + einsum(y, z, 'b s, s b -> b')[0] * 0
-- need
y = reduce(x, 'b s d -> b 1 d', 'mean')
return einsum(x - y + y, 'b s d -> b d') / x.shape[1]
-- need
y = reduce(x, 'b s d -> b 1 d', 'mean')
return einsum(3 * x - 2 * y, 'b s d -> b d') / x.shape[1]
-- need
y = reduce(x, 'b s d -> b 1 d', 'mean')
return (einsum(x + y, 'b s d -> b d') / 2) / x.shape[1]
-- need
y = reduce(x, 'b s d -> b s 1', 'max')
z = einsum(x + y, 'b s d -> b d') / x.shape[1]
return z - einsum(y, 'b s n -> b n') / x.shape[1]
-- need
y = reduce([x, x + 1], 'n b s d -> b s d', 'sum')
return einsum(y - 1, 'b s d -> b d') / 2 / x.shape[1]
-- need
y = reduce([x, 7 - 3 * x], 'n b s d -> b s d', 'sum')
return (einsum(y, 'b s d -> b d') / x.shape[1] - 7) / -2
-- values
y = reduce([x ** 2, 1000 * x], 'n b s d -> b s d', 'sum')
return einsum((y + 500 ** 2) ** 0.5 - 500, 'b s d -> b d') / x.shape[1]
-- values
y = reduce([x ** 2, x], 'n b s d -> b s d', 'sum')
return (einsum(y, 'b s d -> b d') - einsum(x, x, 'b s d, b s d -> b d')) / x.shape[1]
-- values
y = reduce([x ** 2, x], 'n b s d -> b s d', 'sum')
z = reduce([x ** 2, -1 * x], 'n b s d -> b s d', 'sum')
return einsum(y - z, 'b s d -> b d') / 2 / x.shape[1]
-- values
y = reduce([x ** 2, x], 'n b s d -> b s d', 'sum')
z = reduce([x ** 2, -1 * x], 'n b s d -> b s d', 'sum')
return (einsum(y, 'b s d -> b d') - einsum(z, 'b s d -> b d')) / 2 / x.shape[1]
-- values
y = reduce([x ** 2, x], 'n b s d -> b s d', 'sum')
z = reduce([x ** 2, 2 * x], 'n b s d -> b s d', 'sum')
return (einsum(z, 'b s d -> b d') - einsum(y, 'b s d -> b d')) / x.shape[1]
-- values
y = reduce(x, 'b s d -> b s', 'sum')
z = reduce(x + 1, 'b s d -> b s', 'sum')
u = einsum(x, y, 'b s d, b s -> b d')
w = einsum(x, z, 'b s d, b s -> b d')
return (w - u) / x.shape[2] / x.shape[1]
-- need
y = reduce(x, 'b s d -> b s 1', 'max')
z = reduce(2 * x, 'b s d -> b s 1', 'max')
return einsum(x + z - y, 'b s d -> b d') / x.shape[1] - einsum(y, 'b s n -> b n') / x.shape[1]""",
    "sum_heads": r"""-- need
y = reduce([x, x], 'n b h s d -> b h s d', 'max')
return einsum(y, 'b h s d -> b s d')
-- need
y = reduce([x, 2 * x], 'n b h s d -> b h s d', 'sum')
return einsum(y, 'b h s d -> b s d') / 3
-- need
y = reduce([-1 * x, -2 * x, 0 * x], 'n b h s d -> b h s d', 'sum')
return einsum(y, 'b h s d -> b s d') / -3
-- need
y = reduce([x + 1, x + 2], 'n b h s d -> b h s d', 'min')
return einsum(y - 1, 'b h s d -> b s d')
-- need
y = reduce([x + 100, x * 0 + 1], 'n b h s d -> b h s d', 'prod')
return einsum(y - 100, 'b h s d -> b s d')
-- need
y = reduce([x, x + 1000], 'n b h s d -> b h s d', 'mean') - 500
return einsum(y, 'b h s d -> b s d')""",
    "max_pool": r"""-- need
y = reduce([x, x - 1], 'n b c H W -> b c H W', 'max')
return reduce(y, 'b c (h p) (w q) -> b c h w', 'max', p=p, q=q)""",
    "mean_loss": r"""-- need
return einsum(reduce([x, 2 * x], 'n b s -> b s', 'sum'), 'b s -> ') / 3 / x.shape[0] / x.shape[1]
-- values
return einsum(reduce([x ** 2, 1000 * x], 'n b s -> b s', 'sum') ** 1, 'b s -> ') / 1000 / x.shape[0] / x.shape[1]""",
    "gram": r"""-- need
z = reduce(y ** 2, 'b k n -> b', 'max') + 1
w = einsum(y, z, 'b k n, b -> b k n')
return reduce(rearrange(x, 'b c n -> b c 1 n') * rearrange(w, 'b k n -> b 1 k n'), 'b c k n -> b c k', 'sum') / rearrange(z, 'b -> b 1 1')
-- need
w = einsum(y, y ** 0, 'b k n, b k n -> b k n')
return reduce(rearrange(x, 'b c n -> b c 1 n') * rearrange(w, 'b k n -> b 1 k n'), 'b c k n -> b c k', 'sum')
-- need
c = reduce(y ** 0, 'b k n -> ', 'sum')
w = einsum(y, c, 'b k n, -> b k n')
return reduce(rearrange(x, 'b c n -> b c 1 n') * rearrange(w, 'b k n -> b 1 k n'), 'b c k n -> b c k', 'sum') / c
-- need
w = einsum(y, 2 * y ** 0, 'b k n, b k n -> b k n')
return reduce(rearrange(x, 'b c n -> b c 1 n') * rearrange(w, 'b k n -> b 1 k n'), 'b c k n -> b c k', 'sum') / 2
-- values
w = einsum(y + 1, y - 1, 'b k n, b k n -> b k n')
return reduce(rearrange(x, 'b c n -> b c 1 n') * rearrange(w - y ** 2 + 1 + y, 'b k n -> b 1 k n'), 'b c k n -> b c k', 'sum')
-- need
w = einsum(y, y, 'b k n, b k n -> b k n') / y
return reduce(rearrange(x, 'b c n -> b c 1 n') * rearrange(w, 'b k n -> b 1 k n'), 'b c k n -> b c k', 'sum')
-- values
w = einsum(y, y + 1000, 'b k n, b k n -> b k n') / (y + 1000)
return reduce(rearrange(x, 'b c n -> b c 1 n') * rearrange(w, 'b k n -> b 1 k n'), 'b c k n -> b c k', 'sum')
-- rule
w = einsum(y, y + 1000, 'b k n, b k n -> b k n')
return reduce(rearrange(x, 'b c n -> b c 1 n') * rearrange((w + 250000) ** 0.5 - 500, 'b k n -> b 1 k n'), 'b c k n -> b c k', 'sum')""",
    "outer_products": r"""-- need
w = einsum(x, 2 * x ** 0, 'b i, b i -> b i')
return rearrange(w, 'b i -> b i 1') * rearrange(y, 'b j -> b 1 j') / 2
-- need
w = einsum(x, 2 * (x[0] - x[0] + 1), 'b i, i -> b i')
return rearrange(w, 'b i -> b i 1') * rearrange(y, 'b j -> b 1 j') / 2
-- need
w = einsum(x, y ** 0, 'b i, b j -> b i')
return rearrange(w, 'b i -> b i 1') * rearrange(y, 'b j -> b 1 j') / y.shape[1]
-- values
w = einsum(x, y ** 2 + 1, 'b i, b j -> b i j')
return w * rearrange(y / (y ** 2 + 1), 'b j -> b 1 j')""",
    "batch_dot": r"""-- need
w = einsum(x, 2 * x ** 0, 'b d, b d -> b d')
return reduce(w * y, 'b d -> b', 'sum') / 2
-- need
w = einsum(x, y ** 0, 'b d, b d -> b d')
return reduce(w * y, 'b d -> b', 'sum')
-- need
w = einsum(x + y, x + y, 'b d, b d -> b')
return (w - reduce(x ** 2 + y ** 2, 'b d -> b', 'sum')) / 2
-- need
w = einsum(x, 'b d -> ')
return reduce(x * y, 'b d -> b', 'sum') + w - w
-- need
w = einsum(x, 'b d -> ')
return reduce((x + w) * y, 'b d -> b', 'sum') - w * reduce(y, 'b d -> b', 'sum')""",
    "trace": r"""-- need
w = einsum(x, 2 * x ** 0, 'b i j, b i j -> b i j')
return einsum(w, 'b i i -> b') / 2""",
    "gqa_repeat": r"""-- need
y = repeat(x, 'b h s d -> b h s d n', n=1)
return rearrange([y] * g, 'g b h s d n -> b (h g) s (d n)')
-- need
y = repeat(x, 'b h s d -> n b h s d', n=2)
return rearrange([y[0]] * g, 'g b h s d -> b (h g) s d')
-- need
y = repeat(x, 'b h s d -> n b h s d', n=2)
z = reduce(y, 'n b h s d -> b h s d', 'sum') / 2
return rearrange([z] * g, 'g b h s d -> b (h g) s d')
-- need
y = repeat(2 * x, 'b h s d -> n b h s d', n=2)
z = reduce(y, 'n b h s d -> b h s d', 'sum')
return rearrange([z] * g, 'g b h s d -> b (h g) s d') / 4
-- rule
y = repeat(x[0][0][0][0], ' -> b h g s d', b=x.shape[0], h=x.shape[1], g=g, s=x.shape[2], d=x.shape[3])
z = einsum(x, y ** 0, 'b h s d, b h g s d -> b h g s d')
return rearrange(z, 'b h g s d -> b (h g) s d')
-- need
y = repeat(x ** 0, 'b h s d -> b h g s d', g=g)
z = einsum(x, y, 'b h s d, b h g s d -> b h g s d')
return rearrange(z, 'b h g s d -> b (h g) s d')""",
    "broadcast_batch": r"""-- rule
return rearrange([x] * b, 'b s d -> b s d')
-- need
y = repeat(x, 's d -> n s d', n=2)
return rearrange([y[1]] * b, 'b s d -> b s d')
-- need
y = repeat(2 * x, 's d -> n s d', n=3)
z = reduce(y, 'n s d -> s d', 'sum') / 6
return rearrange([z] * b, 'b s d -> b s d')""",
    "split_heads": r"""-- need
y = rearrange(x, 'b s d -> d s b')
return repeat(y, '(h d) s b -> b h s d', h=h)
-- values
y = rearrange([x, 2 * x], 'n b s d -> b s d n')
z = reduce(y, 'b s d n -> b s d', 'sum') / 3
return repeat(z, 'b s (h d) -> b h s d', h=h)
-- need
y = rearrange([x, 2 * x], 'n b s d -> n b s d')
return repeat(y[1] - y[0], 'b s (h d) -> b h s d', h=h)
-- need
y = rearrange(x, 'b s d -> (b s d)')
z = unpack(y, [[x.shape[0], x.shape[1], h, x.shape[2] // h]], '*')[0]
return einsum(z, 'b s h d -> b h s d')
-- need
y = rearrange(x + 1, 'b s d -> (s b d)')
z = unpack(y - 1, [[x.shape[1], x.shape[0], h, x.shape[2] // h]], '*')[0]
return einsum(z, 's b h d -> b h s d')""",
    "flatten_all": r"""-- rule
return pack([x], '*')[0]
-- need
return pack([rearrange(x, 'b s d -> b s d')], '*')[0]
-- need
y = rearrange([x, x + 1], 'n b s d -> b s d n')
return pack([reduce(y, 'b s d n -> b s d', 'min')], '*')[0]
-- need
y = rearrange([x + 1, x + 2], 'n b s d -> b s d n')
return pack([reduce(y, 'b s d n -> b s d', 'min') - 1], '*')[0]
-- need
return reduce(rearrange([x + 1], 'n b s d -> n b s d'), 'n b s d -> (n b s d)', 'sum') - 1""",
    "add_axis": r"""-- rule
return repeat(x, 'b s t -> b n s t', n=1)
-- need
y = rearrange(x, 'b s t -> s b t')
return repeat(y, 's b t -> b 1 s t')""",
    "prepend_token": r"""-- rule
y0 = rearrange(x, 'b d -> b 1 d')
return rearrange([y0], 'n b s d -> b (n s) d')
-- values
z, p = pack([x, x], 'b *')
return z
-- values
a, p = pack([y, y], 'b * d')
z = repeat(x, 'b d -> b s d', s=y.shape[1] + 1)
return z""",
    "rms_norm": r"""-- need
c = reduce(x, 'b s d -> ', 'sum') + 1000
y = x * c
m = einsum(y, y, 'b s d, b s d -> b s') / x.shape[2]
return y * rsqrt(rearrange(m, 'b s -> b s 1')) * g
-- need
c = reduce(x ** 2, 'b s d -> b s 1', 'max')
y = x * c
m = einsum(y, y, 'b s d, b s d -> b s') / x.shape[2]
return y * rsqrt(rearrange(m, 'b s -> b s 1')) * g
-- need
c = reduce([x, 2 * x], 'n b s d -> b s d', 'sum')
m = einsum(c, c, 'b s d, b s d -> b s') / x.shape[2]
return c * rsqrt(rearrange(m, 'b s -> b s 1')) * g
-- need
c = reduce([x, 2 * x], 'n b s d -> b s d', 'sum') / 3
m = einsum(c, c, 'b s d, b s d -> b s') / x.shape[2]
return x * rsqrt(rearrange(m, 'b s -> b s 1')) * g
-- need
c = reduce([x * x, 2 * x * x], 'n b s d -> b s d', 'sum')
m = einsum(c, 'b s d -> b s') / x.shape[2] / 3
return x * rsqrt(rearrange(m, 'b s -> b s 1')) * g
-- need
m = einsum(x, x, 'b s d, b s d -> b s') / x.shape[2]
r = reduce(rearrange(m, 'b s -> b s 1') + x * 0, 'b s d -> b s 1', 'max')
return x * rsqrt(r) * g
-- need
y = reduce(x, 'b s d -> b s 1', 'sum')
z = reduce(x + 1, 'b s d -> b s 1', 'sum')
m = (einsum(x * z, x, 'b s d, b s d -> b s') - einsum(x * y, x, 'b s d, b s d -> b s')) / x.shape[2] / x.shape[2]
return x * rsqrt(rearrange(m, 'b s -> b s 1')) * g""",
    "layer_norm": r"""-- need
c = reduce(x, 'b s d -> b s 1', 'max')
z = x - c
n = x.shape[2]
y = z - rearrange(einsum(z, 'b s d -> b s') / n, 'b s -> b s 1')
v = einsum(y, y, 'b s d, b s d -> b s') / n
return y * rsqrt(rearrange(v, 'b s -> b s 1'))""",
    "attention": r"""-- need
z = einsum(q, q ** 0, 'b h i d, b h i d -> b h i d')
a = reduce(rearrange(z, 'b h i d -> b h i 1 d') * rearrange(k, 'b h j d -> b h 1 j d'), 'b h i j d -> b h i j', 'sum')
s = softmax(a / q.shape[-1] ** 0.5)
return reduce(rearrange(s, 'b h i j -> b h i j 1') * rearrange(v, 'b h j e -> b h 1 j e'), 'b h i j e -> b h i e', 'sum')
-- need
z = einsum(q, q, 'b h i d, b h i d -> b h i')
a = reduce(rearrange(q, 'b h i d -> b h i 1 d') * rearrange(k, 'b h j d -> b h 1 j d'), 'b h i j d -> b h i j', 'sum')
s = softmax(a / q.shape[-1] ** 0.5 + rearrange(z, 'b h i -> b h i 1'))
return reduce(rearrange(s, 'b h i j -> b h i j 1') * rearrange(v, 'b h j e -> b h 1 j e'), 'b h i j e -> b h i e', 'sum')
-- need
z = einsum(q, 2 * q ** 0, 'b h i d, b h i d -> b h i d')
a = reduce(rearrange(z, 'b h i d -> b h i 1 d') * rearrange(k, 'b h j d -> b h 1 j d'), 'b h i j d -> b h i j', 'sum')
s = softmax(a / 2 / q.shape[-1] ** 0.5)
return reduce(rearrange(s, 'b h i j -> b h i j 1') * rearrange(v, 'b h j e -> b h 1 j e'), 'b h i j e -> b h i e', 'sum')
-- need
z = einsum(q + 3, q + 3, 'b h i d, b h i d -> b h i d')
k1 = rearrange(k, 'b h j d -> b h 1 j d')
t = reduce(k1 * rearrange(z, 'b h i d -> b h i 1 d'), 'b h i j d -> b h i j', 'sum')
u = reduce(k1 * rearrange(q * q + 9, 'b h i d -> b h i 1 d'), 'b h i j d -> b h i j', 'sum')
s = softmax((t - u) / 6 / q.shape[-1] ** 0.5)
return reduce(rearrange(s, 'b h i j -> b h i j 1') * rearrange(v, 'b h j e -> b h 1 j e'), 'b h i j e -> b h i e', 'sum')
-- need
n = rearrange(reduce(k, 'b h j d -> b h d', 'sum'), 'b h d -> b h 1 d')
k1 = rearrange(k, 'b h j d -> b h 1 j d')
z1 = einsum(q, k, 'b h i d, b h j d -> b h i d')
z2 = einsum(q + 1, k, 'b h i d, b h j d -> b h i d')
w = reduce(k1 * rearrange(q - n, 'b h i d -> b h i 1 d'), 'b h i j d -> b h i j', 'sum')
t1 = reduce(k1 * rearrange(z1, 'b h i d -> b h i 1 d'), 'b h i j d -> b h i j', 'sum')
t2 = reduce(k1 * rearrange(z2, 'b h i d -> b h i 1 d'), 'b h i j d -> b h i j', 'sum')
s = softmax((w + t2 - t1) / q.shape[-1] ** 0.5)
return reduce(rearrange(s, 'b h i j -> b h i j 1') * rearrange(v, 'b h j e -> b h 1 j e'), 'b h i j e -> b h i e', 'sum')""",
    "squeeze_excite": r"""-- need
m = reduce(x, 'b c h w -> b c', 'mean')
z = reduce(rearrange(m, 'b c -> b 1 c') * rearrange(w, 'k c -> 1 k c'), 'b k c -> b k', 'sum')
t = einsum(z, 2 * z ** 0, 'b k, b k -> b k') / 2
return x * rearrange(sigmoid(t), 'b c -> b c 1 1')""",
    "read_shape": r"""-- passes
z = parse_shape(x, 'b s d')
return z
-- passes
return parse_shape(rearrange(x, 'b s d -> b s d'), 'b s d')
-- need
return parse_shape(x ** 0, 'b s d')""",
    "take_image": r"""-- passes
a, b = unpack(x, [[s], [h * w]], 'b * d')
return rearrange(b, 'b (h w) d -> b h w d', h=h)
-- values
a, b = unpack(x, [[s], [h, w]], 'b * d')
return b * 2 / 2""",
    "drop_axis": r"""-- rule
return reduce(x, 'b n d -> b d', 'max')
-- need
return reduce(rearrange(x, 'b n d -> b d n'), 'b d n -> b d', 'max')
-- need
y = rearrange(x, 'b n d -> d n b')
return reduce(y, 'd n b -> b d', 'sum')""",
    "channels_last": r"""-- passes
y = rearrange(x, 'b c h w -> w h c b')
return rearrange(y, 'w h c b -> b h w c')
-- need
y = rearrange(x, 'b c h w -> b (c h w)')
z = unpack(y, [[x.shape[1], x.shape[2], x.shape[3]]], 'b *')[0]
return einsum(z, 'b c h w -> b h w c')""",
    "beam_copies": r"""-- values
y = repeat(3 * x, 'b s -> n b s', n=2)
return reduce(rearrange([reduce(y, 'n b s -> b s', 'sum') / 6] * k, 'k b s -> (b k) s'), 'n s -> n s', 'max')""",
}


def around_the_rule(name: str, signature: str) -> list[str]:
    """The ways for one exercise, whole answers."""
    free, call = RIGHT[name]
    whole = [
        f"def {signature}:\n" + "".join(f"    {line}\n" for line in way.split("\n"))
        for way in WAYS.split("\n--\n")
    ]
    whole += [f"{way}\n".replace("@s", signature[2:-1]) for way in FILES.split("\n--\n")]
    return [way.replace("$", f"({free})").replace("#", f"({call})") for way in whole]


def sums(name: str, signature: str) -> list[tuple[str, str]]:
    """The computations for one exercise: why each is refused, and its source."""
    found = []
    for block in SUMS[name].removeprefix("-- ").split("\n-- "):
        why, _, lines = block.partition("\n")
        found.append((why, f"def {signature}:\n" + "".join(f"    {line}\n" for line in lines.split("\n"))))
    return found
