"""Attempts at norms, rotary positions and attention: scales, usual values in unusual places, idle calls, right ways.

For each exercise: what refuses the attempt, or `passes`, and the lines of `f`.
"""
# ruff: noqa: E501 - an attempt reads best in one piece

SCALES = {
    "layer_norm": r"""-- passes
y = x - reduce(x, 'b s d -> b s 1', 'mean')
r = rsqrt(reduce(y * y, 'b s d -> b s 1', 'mean'))
return einsum(y, r, 'b s d, b s (d 1) -> b s d')
-- passes
y = x - reduce(x, 'b s d -> b s 1', 'mean')
r = rsqrt(reduce(y * y, 'b s d -> b s 1', 'mean'))
return einsum(y, repeat(r, 'b s 1 -> b s 1 d', d=x.shape[2]), 'b s d, b s k d -> b s d')
-- passes
y = x - reduce(x, 'b s d -> b s 1', 'mean')
r = rsqrt(reduce(y * y, 'b s d -> b s', 'mean'))
return einsum(y, r, 'b s (1 d), b s -> b s d')
-- passes
d = x.shape[-1]
y = d * x - reduce(x, 'b s d -> b s 1', 'sum')
return y * sqrt(d / reduce(y * y, 'b s d -> b s 1', 'sum'))
-- passes
d = x.shape[-1]
y = d * x - reduce(x, 'b s d -> b s 1', 'sum')
return y * d ** 0.5 * rsqrt(reduce(y * y, 'b s d -> b s 1', 'sum'))
-- need
b, s, d = x.shape
n = b * b * s * s * d * d
y = x - reduce(x, 'b s d -> b s 1', 'mean')
v = reduce(y * y, 'b s d -> b s 1', 'mean') * n
return y * (b * s * d) * rsqrt(v)
-- need
s = x.shape[1]
y = (x - reduce(x, 'b s d -> b s 1', 'mean')) * (s * s)
return y * rsqrt(reduce(y * y, 'b s d -> b s 1', 'mean'))
-- need
s = x.shape[1]
y = (x - reduce(x, 'b s d -> b s 1', 'mean')) * s
return y * rsqrt(reduce(y * y, 'b s d -> b s 1', 'mean'))
-- need
d = x.shape[2]
y = (x - reduce(x, 'b s d -> b s 1', 'mean')) * (d * d)
return y * rsqrt(reduce(y * y, 'b s d -> b s 1', 'mean'))
-- need
d = x.shape[2]
y = (x - reduce(x, 'b s d -> b s 1', 'mean')) / (d * d)
return y * rsqrt(reduce(y * y, 'b s d -> b s 1', 'mean'))
-- need
d = x.shape[2]
y = (x - reduce(x, 'b s d -> b s 1', 'mean')) * d * d ** 0.5
v = einsum(y, y, 'b s d, b s d -> b s') / d
return y * rearrange(rsqrt(v), 'b s -> b s 1')
-- passes
d = x.shape[2]
y = (x - reduce(x, 'b s d -> b s 1', 'mean')) * d
v = einsum(y, y, 'b s d, b s d -> b s') / d
return y * rearrange(rsqrt(v), 'b s -> b s 1')
-- passes
y = x - reduce(x, 'b s d -> b s 1', 'mean')
r = rsqrt(reduce(y * y, 'b s d -> b s 1', 'mean'))
return einsum(y, r, 'b s d, b s d -> b s d')
-- passes
y = x - reduce(x, 'b s d -> b s 1', 'mean')
r = rsqrt(reduce(y * y, 'b s d -> b s 1', 'mean'))
return einsum(r, y, '..., ... -> ...')
-- need
b, s, d = x.shape
y = (x - reduce(x, 'b s d -> b s 1', 'mean')) * (s * s * d * d / (b * b)) * (s * d * d / (b * b))
return y * rsqrt(reduce(y * y, 'b s d -> b s 1', 'mean'))
-- need
b, s, d = x.shape
y = (x - reduce(x, 'b s d -> b s 1', 'mean')) * (s * s * d * d / (b * b)) * (s * s * d / (b * b))
return y * rsqrt(reduce(y * y, 'b s d -> b s 1', 'mean'))
-- need
b, s, d = x.shape
y = (x - reduce(x, 'b s d -> b s 1', 'mean')) * (d / b) * (d / b) * (s / b) * (s / b)
return y * rsqrt(reduce(y * y, 'b s d -> b s 1', 'mean'))
-- need
b, s, d = x.shape
y = (x - reduce(x, 'b s d -> b s 1', 'mean')) * (s * s / (d * d)) * (s * s / (d * d))
return y * rsqrt(reduce(y * y, 'b s d -> b s 1', 'mean'))
-- need
b, s, d = x.shape
y = (x - reduce(x, 'b s d -> b s 1', 'mean')) * (s * d) * (s * d)
q = sqrt(reduce(y * y, 'b s d -> b s', 'mean'))
z = q * (s * d) * (s * d)
return einsum(z, y, 1 / z, 1 / q, 'b s, b s d, b s, b s -> b s d')
-- need
b, s, d = x.shape
y = x - reduce(x, 'b s d -> b s 1', 'mean')
q = sqrt(reduce(y * y, 'b s d -> b s', 'mean'))
z = q * (s * d) * (s * d) * (s * d) * (s * d)
return einsum(1 / z, 1 / q, z, y, 'b s, b s, b s, b s d -> b s d')
-- need
y = x - reduce(x, 'b s d -> b s 1', 'mean')
r = rsqrt(reduce(y * y, 'b s d -> b s', 'mean'))
o = einsum(y, r, 'b s d, b s -> b s d')
return einsum(o, o, o, 'b s d, b s (e), b s (e) -> b s d') / x.shape[2]
-- passes
y = x - reduce(x, '... d -> ... 1', 'mean')
r = rsqrt(reduce(y * y, '... d -> ... 1', 'mean'))
return einsum(y, r, '... d, ... k -> ... d')
-- need
b, s, d = x.shape
n = b * b * s * s * d * d
y = (x - reduce(x, 'b s d -> b s 1', 'mean')) * n * n
return y * rsqrt(reduce(y * y, 'b s d -> b s 1', 'mean'))
-- need
b, s, d = x.shape
n = b * s * d
y = (x - reduce(x, 'b s d -> b s 1', 'mean')) * n * n * n
return y * rsqrt(reduce(y * y, 'b s d -> b s 1', 'mean'))
-- need
b, s, d = x.shape
n = b * s * d
y = (x - reduce(x, 'b s d -> b s 1', 'mean')) / n / n
return y * rsqrt(reduce(y * y, 'b s d -> b s 1', 'mean'))
-- passes
d = x.shape[-1]
y = x * d - reduce(x, 'b s d -> b s 1', 'sum')
return y * rsqrt(reduce(y * y, 'b s d -> b s 1', 'sum') / d)
-- passes
d = x.shape[-1]
y = rearrange(x, 'b s d -> d b s')
y = y - reduce(y, 'd b s -> b s', 'mean')
y = y / sqrt(reduce(y * y, 'd b s -> b s', 'mean'))
return rearrange(y, 'd b s -> b s d')
-- need
mu = reduce(x, 'b s d -> b s 1', 'mean')
y = x - mu
norm = sqrt(reduce(y * y, 'b s d -> b s 1', 'sum'))
return y * sqrt(x.shape[-1]) / norm
-- passes
s1 = reduce(x, 'b s d -> b s 1', 'sum')
s2 = reduce(x * x, 'b s d -> b s 1', 'sum')
n = x.shape[-1]
return (x - s1 / n) / sqrt(s2 / n - s1 * s1 / n ** 2)
-- need
m = reduce(x, 'b s d -> b s 1', 'mean')
d = x - m
v = reduce(d * x, 'b s d -> b s 1', 'mean')
return d / sqrt(v)
-- need
mean = reduce(x, 'b s d -> b s 1', 'mean')
var = reduce(x ** 2 - mean ** 2, 'b s d -> b s 1', 'mean')
return (x - mean) / sqrt(var)
-- need
mean = reduce(x, 'b s d -> b s 1', 'mean')
std = sqrt(reduce(x ** 2 - 2 * x * mean + mean ** 2, 'b s d -> b s 1', 'mean'))
return (x - mean) / std
-- passes
m = reduce(x, 'b s d -> b s 1', 'mean')
y = x - m
v = reduce(y * y, 'b s d -> b s 1', 'mean')
return y * v ** -0.5
-- passes
m = reduce(x, 'b s d -> b s 1', 'mean')
y = x - m
v = reduce(y * y, 'b s d -> b s 1', 'mean')
return (x - m) * rsqrt(v)
-- passes
m = reduce(x, 'b s d -> b s 1', 'mean')
y = x - m
v = reduce((x - m) ** 2, 'b s d -> b s 1', 'mean')
return y / v ** 0.5
-- passes
m = reduce(x, 'b s d -> b s 1', 'mean')
y = x - m
v = reduce((x - m) ** 2, 'b s d -> b s 1', 'mean')
r = v ** -0.5
return x * r - m * r
-- passes
m = reduce(x, 'b s d -> b s 1', 'mean')
y = x - m
v = reduce(y ** 2, 'b s d -> b s 1', 'sum') / x.shape[-1]
return y / (v ** 0.5)
-- passes
m = reduce(x, 'b s d -> b s 1', 'mean')
y = x - m
v = reduce(y ** 2, 'b s d -> b s 1', 'sum') / x.shape[-1]
return y * (1 / v) ** 0.5
-- passes
m = reduce(x, 'b s d -> b s 1', 'mean')
y = x - m
v = rearrange(einsum(y, y, 'b s d, b s d -> b s'), 'b s -> b s 1') / x.shape[2]
r = 1 / sqrt(v)
return y * r
-- passes
m = reduce(x, 'b s d -> b s 1', 'mean')
y = x - m
v = rearrange(einsum(y, y, 'b s d, b s d -> b s'), 'b s -> b s 1') / x.shape[2]
return y * sqrt(1 / v)
-- need
m = reduce(x, 'b s d -> b s 1', 'mean')
y = x - m
v = reduce(x * x, 'b s d -> b s 1', 'mean') - m * m
r = rsqrt(v)
return x * r - m * r
-- need
m = reduce(x, 'b s d -> b s 1', 'mean')
y = x - m
v = reduce(x * x, 'b s d -> b s 1', 'mean') - m * m
s = sqrt(v)
return x / s - m / s
-- passes
m = reduce(x, 'b s d -> b s 1', 'mean')
y = x - m
v = reduce(x * x, 'b s d -> b s 1', 'mean') - m * m
s = sqrt(v)
return (x - m) / s
-- need
m = reduce(x, 'b s d -> b s 1', 'mean')
y = x - m
v = reduce(x * x, 'b s d -> b s 1', 'mean') - m * m
r = v ** -0.5
return x * r - m * r
-- need
m = reduce(x, 'b s d -> b s 1', 'mean')
y = x - m
v = reduce(x * x, 'b s d -> b s 1', 'mean') - m * m
r = rsqrt(v)
return r * x - r * m
-- passes
m = reduce(x, 'b s d -> b s 1', 'mean')
y = x - m
v = reduce(x ** 2, 'b s d -> b s 1', 'mean') - m ** 2
return y / v ** 0.5
-- need
m = reduce(x, 'b s d -> b s 1', 'mean')
y = x - m
v = reduce(x ** 2, 'b s d -> b s 1', 'mean') - m ** 2
r = rsqrt(v)
return x * r - m * r
-- need
m = reduce(x, 'b s d -> b s 1', 'mean')
y = x - m
v = reduce(x ** 2, 'b s d -> b s 1', 'mean') - m ** 2
s = sqrt(v)
return x / s - m / s
-- need
m = reduce(x, 'b s d -> b s 1', 'mean')
y = x - m
v = reduce(x ** 2, 'b s d -> b s 1', 'mean') - m ** 2
r = v ** -0.5
return x * r - m * r
-- need
m = reduce(x, 'b s d -> b s 1', 'mean')
y = x - m
v = reduce(x ** 2, 'b s d -> b s 1', 'mean') - m ** 2
r = rsqrt(v)
return r * x - r * m
-- passes
m = reduce(x, 'b s d -> b s 1', 'mean')
y = x - m
v = rearrange(einsum(x, x, 'b s d, b s d -> b s'), 'b s -> b s 1') / x.shape[2] - m ** 2
return y / sqrt(v)
-- need
m = reduce(x, 'b s d -> b s 1', 'mean')
y = x - m
v = rearrange(einsum(x, x, 'b s d, b s d -> b s'), 'b s -> b s 1') / x.shape[2] - m ** 2
r = rsqrt(v)
return x * r - m * r
-- need
m = reduce(x, 'b s d -> b s 1', 'mean')
y = x - m
v = rearrange(einsum(x, x, 'b s d, b s d -> b s'), 'b s -> b s 1') / x.shape[2] - m ** 2
s = sqrt(v)
return x / s - m / s
-- passes
m = reduce(x, 'b s d -> b s 1', 'mean')
y = x - m
v = rearrange(einsum(x, x, 'b s d, b s d -> b s'), 'b s -> b s 1') / x.shape[2] - m ** 2
return (x - m) * rsqrt(v)
-- need
m = reduce(x, 'b s d -> b s 1', 'mean')
y = x - m
v = rearrange(einsum(x, x, 'b s d, b s d -> b s'), 'b s -> b s 1') / x.shape[2] - m ** 2
r = v ** -0.5
return x * r - m * r
-- need
m = reduce(x, 'b s d -> b s 1', 'mean')
y = x - m
v = rearrange(einsum(x, x, 'b s d, b s d -> b s'), 'b s -> b s 1') / x.shape[2] - m ** 2
r = rsqrt(v)
return r * x - r * m
-- passes
m = reduce(x, 'b s d -> b s 1', 'mean')
y = x - m
v = repeat(reduce(y * y, 'b s d -> b s', 'mean'), 'b s -> b s d', d=x.shape[-1])
r = 1 / sqrt(v)
return y * r
-- values
m = reduce(x, 'b s d -> b s 1', 'mean')
y = x - m
v = repeat(reduce(y * y, 'b s d -> b s', 'mean'), 'b s -> b s d', d=x.shape[-1])
return einsum(y, rsqrt(v), 'b s d, b s k -> b s d')
-- passes
m = reduce(x, 'b s d -> b s 1', 'mean')
y = x - m
v = repeat(reduce(y * y, 'b s d -> b s', 'mean'), 'b s -> b s d', d=x.shape[-1])
r = rsqrt(v)
return r * x - r * m
-- passes
m = reduce(x, 'b s d -> b s 1', 'sum') / x.shape[-1]
y = x - m
v = reduce(y * y, 'b s d -> b s 1', 'mean')
s = sqrt(v)
return x / s - m / s
-- passes
m = reduce(x, 'b s d -> b s 1', 'sum') / x.shape[-1]
y = x - m
v = reduce((x - m) ** 2, 'b s d -> b s 1', 'mean')
return y / sqrt(v)
-- passes
m = reduce(x, 'b s d -> b s 1', 'sum') / x.shape[-1]
y = x - m
v = reduce((x - m) ** 2, 'b s d -> b s 1', 'mean')
s = sqrt(v)
return (x - m) / s
-- passes
m = reduce(x, 'b s d -> b s 1', 'sum') / x.shape[-1]
y = x - m
v = reduce(y ** 2, 'b s d -> b s 1', 'sum') / x.shape[-1]
return y * rsqrt(v)
-- passes
m = reduce(x, 'b s d -> b s 1', 'sum') / x.shape[-1]
y = x - m
v = reduce(y ** 2, 'b s d -> b s 1', 'sum') / x.shape[-1]
return einsum(y, rsqrt(v), 'b s d, b s k -> b s d')
-- passes
m = reduce(x, 'b s d -> b s 1', 'sum') / x.shape[-1]
y = x - m
v = rearrange(einsum(y, y, 'b s d, b s d -> b s'), 'b s -> b s 1') / x.shape[2]
return y * v ** -0.5
-- passes
m = reduce(x, 'b s d -> b s 1', 'sum') / x.shape[-1]
y = x - m
v = rearrange(einsum(y, y, 'b s d, b s d -> b s'), 'b s -> b s 1') / x.shape[2]
return (x - m) * rsqrt(v)
-- passes
m = reduce(x, 'b s d -> b s 1', 'sum') / x.shape[-1]
y = x - m
v = reduce(x * x, 'b s d -> b s 1', 'mean') - m * m
return y / v ** 0.5
-- need
m = reduce(x, 'b s d -> b s 1', 'sum') / x.shape[-1]
y = x - m
v = reduce(x * x, 'b s d -> b s 1', 'mean') - m * m
r = rsqrt(v)
return x * r - m * r
-- need
m = reduce(x, 'b s d -> b s 1', 'sum') / x.shape[-1]
y = x - m
v = reduce(x * x, 'b s d -> b s 1', 'mean') - m * m
s = sqrt(v)
return x / s - m / s
-- need
m = reduce(x, 'b s d -> b s 1', 'sum') / x.shape[-1]
y = x - m
v = reduce(x * x, 'b s d -> b s 1', 'mean') - m * m
r = v ** -0.5
return x * r - m * r
-- need
m = reduce(x, 'b s d -> b s 1', 'sum') / x.shape[-1]
y = x - m
v = reduce(x * x, 'b s d -> b s 1', 'mean') - m * m
r = rsqrt(v)
return r * x - r * m
-- passes
m = reduce(x, 'b s d -> b s 1', 'sum') / x.shape[-1]
y = x - m
v = reduce(x ** 2, 'b s d -> b s 1', 'mean') - m ** 2
return y / sqrt(v)
-- need
m = reduce(x, 'b s d -> b s 1', 'sum') / x.shape[-1]
y = x - m
v = reduce(x ** 2, 'b s d -> b s 1', 'mean') - m ** 2
r = rsqrt(v)
return x * r - m * r
-- need
m = reduce(x, 'b s d -> b s 1', 'sum') / x.shape[-1]
y = x - m
v = reduce(x ** 2, 'b s d -> b s 1', 'mean') - m ** 2
s = sqrt(v)
return x / s - m / s
-- passes
m = reduce(x, 'b s d -> b s 1', 'sum') / x.shape[-1]
y = x - m
v = reduce(x ** 2, 'b s d -> b s 1', 'mean') - m ** 2
return (x - m) * rsqrt(v)
-- need
m = reduce(x, 'b s d -> b s 1', 'sum') / x.shape[-1]
y = x - m
v = reduce(x ** 2, 'b s d -> b s 1', 'mean') - m ** 2
r = v ** -0.5
return x * r - m * r
-- need
m = reduce(x, 'b s d -> b s 1', 'sum') / x.shape[-1]
y = x - m
v = reduce(x ** 2, 'b s d -> b s 1', 'mean') - m ** 2
r = rsqrt(v)
return r * x - r * m
-- passes
m = reduce(x, 'b s d -> b s 1', 'sum') / x.shape[-1]
y = x - m
v = rearrange(einsum(x, x, 'b s d, b s d -> b s'), 'b s -> b s 1') / x.shape[2] - m ** 2
r = 1 / sqrt(v)
return y * r
-- need
m = reduce(x, 'b s d -> b s 1', 'sum') / x.shape[-1]
y = x - m
v = rearrange(einsum(x, x, 'b s d, b s d -> b s'), 'b s -> b s 1') / x.shape[2] - m ** 2
r = rsqrt(v)
return x * r - m * r
-- need
m = reduce(x, 'b s d -> b s 1', 'sum') / x.shape[-1]
y = x - m
v = rearrange(einsum(x, x, 'b s d, b s d -> b s'), 'b s -> b s 1') / x.shape[2] - m ** 2
s = sqrt(v)
return x / s - m / s
-- need
m = reduce(x, 'b s d -> b s 1', 'sum') / x.shape[-1]
y = x - m
v = rearrange(einsum(x, x, 'b s d, b s d -> b s'), 'b s -> b s 1') / x.shape[2] - m ** 2
r = v ** -0.5
return x * r - m * r
-- need
m = reduce(x, 'b s d -> b s 1', 'sum') / x.shape[-1]
y = x - m
v = rearrange(einsum(x, x, 'b s d, b s d -> b s'), 'b s -> b s 1') / x.shape[2] - m ** 2
r = rsqrt(v)
return r * x - r * m
-- passes
m = reduce(x, 'b s d -> b s 1', 'sum') / x.shape[-1]
y = x - m
v = repeat(reduce(y * y, 'b s d -> b s', 'mean'), 'b s -> b s d', d=x.shape[-1])
return y * v ** -0.5
-- values
m = reduce(x, 'b s d -> b s 1', 'sum') / x.shape[-1]
y = x - m
v = repeat(reduce(y * y, 'b s d -> b s', 'mean'), 'b s -> b s d', d=x.shape[-1])
return einsum(y, rsqrt(v), 'b s d, b s k -> b s d')
-- passes
m = reduce(x, 'b s d -> b s 1', 'sum') / x.shape[-1]
y = x - m
v = repeat(reduce(y * y, 'b s d -> b s', 'mean'), 'b s -> b s d', d=x.shape[-1])
r = v ** -0.5
return x * r - m * r
-- passes
m = rearrange(einsum(x, 'b s d -> b s'), 'b s -> b s 1') / x.shape[-1]
y = x - m
v = reduce(y * y, 'b s d -> b s 1', 'mean')
return y / (v ** 0.5)
-- passes
m = rearrange(einsum(x, 'b s d -> b s'), 'b s -> b s 1') / x.shape[-1]
y = x - m
v = reduce(y * y, 'b s d -> b s 1', 'mean')
return y * (1 / v) ** 0.5
-- passes
m = rearrange(einsum(x, 'b s d -> b s'), 'b s -> b s 1') / x.shape[-1]
y = x - m
v = reduce((x - m) ** 2, 'b s d -> b s 1', 'mean')
r = 1 / sqrt(v)
return y * r
-- passes
m = rearrange(einsum(x, 'b s d -> b s'), 'b s -> b s 1') / x.shape[-1]
y = x - m
v = reduce((x - m) ** 2, 'b s d -> b s 1', 'mean')
return y * sqrt(1 / v)
-- passes
m = rearrange(einsum(x, 'b s d -> b s'), 'b s -> b s 1') / x.shape[-1]
y = x - m
v = reduce(y ** 2, 'b s d -> b s 1', 'sum') / x.shape[-1]
r = rsqrt(v)
return x * r - m * r
-- passes
m = rearrange(einsum(x, 'b s d -> b s'), 'b s -> b s 1') / x.shape[-1]
y = x - m
v = reduce(y ** 2, 'b s d -> b s 1', 'sum') / x.shape[-1]
r = rsqrt(v)
return r * x - r * m
-- rule
m = rearrange(einsum(x, 'b s d -> b s'), 'b s -> b s 1') / x.shape[-1]
y = x - m
v = rearrange(einsum(y, y, 'b s d, b s d -> b s'), 'b s -> b s 1') / x.shape[2]
return y / sqrt(v)
-- rule
m = rearrange(einsum(x, 'b s d -> b s'), 'b s -> b s 1') / x.shape[-1]
y = x - m
v = rearrange(einsum(y, y, 'b s d, b s d -> b s'), 'b s -> b s 1') / x.shape[2]
return y * rsqrt(v)
-- rule
m = rearrange(einsum(x, 'b s d -> b s'), 'b s -> b s 1') / x.shape[-1]
y = x - m
v = rearrange(einsum(y, y, 'b s d, b s d -> b s'), 'b s -> b s 1') / x.shape[2]
return y * v ** -0.5
-- rule
m = rearrange(einsum(x, 'b s d -> b s'), 'b s -> b s 1') / x.shape[-1]
y = x - m
v = rearrange(einsum(y, y, 'b s d, b s d -> b s'), 'b s -> b s 1') / x.shape[2]
return y / v ** 0.5
-- rule
m = rearrange(einsum(x, 'b s d -> b s'), 'b s -> b s 1') / x.shape[-1]
y = x - m
v = rearrange(einsum(y, y, 'b s d, b s d -> b s'), 'b s -> b s 1') / x.shape[2]
return y / (v ** 0.5)
-- rule
m = rearrange(einsum(x, 'b s d -> b s'), 'b s -> b s 1') / x.shape[-1]
y = x - m
v = rearrange(einsum(y, y, 'b s d, b s d -> b s'), 'b s -> b s 1') / x.shape[2]
r = 1 / sqrt(v)
return y * r
-- rule
m = rearrange(einsum(x, 'b s d -> b s'), 'b s -> b s 1') / x.shape[-1]
y = x - m
v = rearrange(einsum(y, y, 'b s d, b s d -> b s'), 'b s -> b s 1') / x.shape[2]
r = rsqrt(v)
return x * r - m * r
-- rule
m = rearrange(einsum(x, 'b s d -> b s'), 'b s -> b s 1') / x.shape[-1]
y = x - m
v = rearrange(einsum(y, y, 'b s d, b s d -> b s'), 'b s -> b s 1') / x.shape[2]
s = sqrt(v)
return x / s - m / s
-- rule
m = rearrange(einsum(x, 'b s d -> b s'), 'b s -> b s 1') / x.shape[-1]
y = x - m
v = rearrange(einsum(y, y, 'b s d, b s d -> b s'), 'b s -> b s 1') / x.shape[2]
s = sqrt(v)
return (x - m) / s
-- rule
m = rearrange(einsum(x, 'b s d -> b s'), 'b s -> b s 1') / x.shape[-1]
y = x - m
v = rearrange(einsum(y, y, 'b s d, b s d -> b s'), 'b s -> b s 1') / x.shape[2]
return einsum(y, rsqrt(v), 'b s d, b s k -> b s d')
-- rule
m = rearrange(einsum(x, 'b s d -> b s'), 'b s -> b s 1') / x.shape[-1]
y = x - m
v = rearrange(einsum(y, y, 'b s d, b s d -> b s'), 'b s -> b s 1') / x.shape[2]
return (x - m) * rsqrt(v)
-- rule
m = rearrange(einsum(x, 'b s d -> b s'), 'b s -> b s 1') / x.shape[-1]
y = x - m
v = rearrange(einsum(y, y, 'b s d, b s d -> b s'), 'b s -> b s 1') / x.shape[2]
r = v ** -0.5
return x * r - m * r
-- rule
m = rearrange(einsum(x, 'b s d -> b s'), 'b s -> b s 1') / x.shape[-1]
y = x - m
v = rearrange(einsum(y, y, 'b s d, b s d -> b s'), 'b s -> b s 1') / x.shape[2]
return y * (1 / v) ** 0.5
-- rule
m = rearrange(einsum(x, 'b s d -> b s'), 'b s -> b s 1') / x.shape[-1]
y = x - m
v = rearrange(einsum(y, y, 'b s d, b s d -> b s'), 'b s -> b s 1') / x.shape[2]
return y * sqrt(1 / v)
-- rule
m = rearrange(einsum(x, 'b s d -> b s'), 'b s -> b s 1') / x.shape[-1]
y = x - m
v = rearrange(einsum(y, y, 'b s d, b s d -> b s'), 'b s -> b s 1') / x.shape[2]
r = rsqrt(v)
return r * x - r * m
-- need
m = rearrange(einsum(x, 'b s d -> b s'), 'b s -> b s 1') / x.shape[-1]
y = x - m
v = reduce(x * x, 'b s d -> b s 1', 'mean') - m * m
r = rsqrt(v)
return x * r - m * r
-- need
m = rearrange(einsum(x, 'b s d -> b s'), 'b s -> b s 1') / x.shape[-1]
y = x - m
v = reduce(x * x, 'b s d -> b s 1', 'mean') - m * m
s = sqrt(v)
return x / s - m / s
-- passes
m = rearrange(einsum(x, 'b s d -> b s'), 'b s -> b s 1') / x.shape[-1]
y = x - m
v = reduce(x * x, 'b s d -> b s 1', 'mean') - m * m
return einsum(y, rsqrt(v), 'b s d, b s k -> b s d')
-- need
m = rearrange(einsum(x, 'b s d -> b s'), 'b s -> b s 1') / x.shape[-1]
y = x - m
v = reduce(x * x, 'b s d -> b s 1', 'mean') - m * m
r = v ** -0.5
return x * r - m * r
-- need
m = rearrange(einsum(x, 'b s d -> b s'), 'b s -> b s 1') / x.shape[-1]
y = x - m
v = reduce(x * x, 'b s d -> b s 1', 'mean') - m * m
r = rsqrt(v)
return r * x - r * m
-- passes
m = rearrange(einsum(x, 'b s d -> b s'), 'b s -> b s 1') / x.shape[-1]
y = x - m
v = reduce(x ** 2, 'b s d -> b s 1', 'mean') - m ** 2
return y / (v ** 0.5)
-- need
m = rearrange(einsum(x, 'b s d -> b s'), 'b s -> b s 1') / x.shape[-1]
y = x - m
v = reduce(x ** 2, 'b s d -> b s 1', 'mean') - m ** 2
r = rsqrt(v)
return x * r - m * r
-- need
m = rearrange(einsum(x, 'b s d -> b s'), 'b s -> b s 1') / x.shape[-1]
y = x - m
v = reduce(x ** 2, 'b s d -> b s 1', 'mean') - m ** 2
s = sqrt(v)
return x / s - m / s
-- need
m = rearrange(einsum(x, 'b s d -> b s'), 'b s -> b s 1') / x.shape[-1]
y = x - m
v = reduce(x ** 2, 'b s d -> b s 1', 'mean') - m ** 2
r = v ** -0.5
return x * r - m * r
-- need
m = rearrange(einsum(x, 'b s d -> b s'), 'b s -> b s 1') / x.shape[-1]
y = x - m
v = reduce(x ** 2, 'b s d -> b s 1', 'mean') - m ** 2
r = rsqrt(v)
return r * x - r * m
-- rule
m = rearrange(einsum(x, 'b s d -> b s'), 'b s -> b s 1') / x.shape[-1]
y = x - m
v = rearrange(einsum(x, x, 'b s d, b s d -> b s'), 'b s -> b s 1') / x.shape[2] - m ** 2
return y / sqrt(v)
-- rule
m = rearrange(einsum(x, 'b s d -> b s'), 'b s -> b s 1') / x.shape[-1]
y = x - m
v = rearrange(einsum(x, x, 'b s d, b s d -> b s'), 'b s -> b s 1') / x.shape[2] - m ** 2
return y * rsqrt(v)
-- rule
m = rearrange(einsum(x, 'b s d -> b s'), 'b s -> b s 1') / x.shape[-1]
y = x - m
v = rearrange(einsum(x, x, 'b s d, b s d -> b s'), 'b s -> b s 1') / x.shape[2] - m ** 2
return y * v ** -0.5
-- rule
m = rearrange(einsum(x, 'b s d -> b s'), 'b s -> b s 1') / x.shape[-1]
y = x - m
v = rearrange(einsum(x, x, 'b s d, b s d -> b s'), 'b s -> b s 1') / x.shape[2] - m ** 2
return y / v ** 0.5
-- rule
m = rearrange(einsum(x, 'b s d -> b s'), 'b s -> b s 1') / x.shape[-1]
y = x - m
v = rearrange(einsum(x, x, 'b s d, b s d -> b s'), 'b s -> b s 1') / x.shape[2] - m ** 2
return y / (v ** 0.5)
-- rule
m = rearrange(einsum(x, 'b s d -> b s'), 'b s -> b s 1') / x.shape[-1]
y = x - m
v = rearrange(einsum(x, x, 'b s d, b s d -> b s'), 'b s -> b s 1') / x.shape[2] - m ** 2
r = 1 / sqrt(v)
return y * r
-- rule
m = rearrange(einsum(x, 'b s d -> b s'), 'b s -> b s 1') / x.shape[-1]
y = x - m
v = rearrange(einsum(x, x, 'b s d, b s d -> b s'), 'b s -> b s 1') / x.shape[2] - m ** 2
r = rsqrt(v)
return x * r - m * r
-- rule
m = rearrange(einsum(x, 'b s d -> b s'), 'b s -> b s 1') / x.shape[-1]
y = x - m
v = rearrange(einsum(x, x, 'b s d, b s d -> b s'), 'b s -> b s 1') / x.shape[2] - m ** 2
s = sqrt(v)
return x / s - m / s
-- rule
m = rearrange(einsum(x, 'b s d -> b s'), 'b s -> b s 1') / x.shape[-1]
y = x - m
v = rearrange(einsum(x, x, 'b s d, b s d -> b s'), 'b s -> b s 1') / x.shape[2] - m ** 2
s = sqrt(v)
return (x - m) / s
-- rule
m = rearrange(einsum(x, 'b s d -> b s'), 'b s -> b s 1') / x.shape[-1]
y = x - m
v = rearrange(einsum(x, x, 'b s d, b s d -> b s'), 'b s -> b s 1') / x.shape[2] - m ** 2
return einsum(y, rsqrt(v), 'b s d, b s k -> b s d')
-- rule
m = rearrange(einsum(x, 'b s d -> b s'), 'b s -> b s 1') / x.shape[-1]
y = x - m
v = rearrange(einsum(x, x, 'b s d, b s d -> b s'), 'b s -> b s 1') / x.shape[2] - m ** 2
return (x - m) * rsqrt(v)
-- rule
m = rearrange(einsum(x, 'b s d -> b s'), 'b s -> b s 1') / x.shape[-1]
y = x - m
v = rearrange(einsum(x, x, 'b s d, b s d -> b s'), 'b s -> b s 1') / x.shape[2] - m ** 2
r = v ** -0.5
return x * r - m * r
-- rule
m = rearrange(einsum(x, 'b s d -> b s'), 'b s -> b s 1') / x.shape[-1]
y = x - m
v = rearrange(einsum(x, x, 'b s d, b s d -> b s'), 'b s -> b s 1') / x.shape[2] - m ** 2
return y * (1 / v) ** 0.5
-- rule
m = rearrange(einsum(x, 'b s d -> b s'), 'b s -> b s 1') / x.shape[-1]
y = x - m
v = rearrange(einsum(x, x, 'b s d, b s d -> b s'), 'b s -> b s 1') / x.shape[2] - m ** 2
return y * sqrt(1 / v)
-- rule
m = rearrange(einsum(x, 'b s d -> b s'), 'b s -> b s 1') / x.shape[-1]
y = x - m
v = rearrange(einsum(x, x, 'b s d, b s d -> b s'), 'b s -> b s 1') / x.shape[2] - m ** 2
r = rsqrt(v)
return r * x - r * m
-- passes
m = rearrange(einsum(x, 'b s d -> b s'), 'b s -> b s 1') / x.shape[-1]
y = x - m
v = repeat(reduce(y * y, 'b s d -> b s', 'mean'), 'b s -> b s d', d=x.shape[-1])
return y * rsqrt(v)
-- values
m = rearrange(einsum(x, 'b s d -> b s'), 'b s -> b s 1') / x.shape[-1]
y = x - m
v = repeat(reduce(y * y, 'b s d -> b s', 'mean'), 'b s -> b s d', d=x.shape[-1])
return einsum(y, rsqrt(v), 'b s d, b s k -> b s d')
-- passes
m = rearrange(einsum(x, 'b s d -> b s'), 'b s -> b s 1') / x.shape[-1]
y = x - m
v = repeat(reduce(y * y, 'b s d -> b s', 'mean'), 'b s -> b s d', d=x.shape[-1])
return (x - m) * rsqrt(v)
-- passes
m = rearrange(reduce(x, 'b s d -> b s', 'mean'), 'b s -> b s 1')
y = x - m
v = reduce(y * y, 'b s d -> b s 1', 'mean')
return y / v ** 0.5
-- passes
m = rearrange(reduce(x, 'b s d -> b s', 'mean'), 'b s -> b s 1')
y = x - m
v = reduce(y * y, 'b s d -> b s 1', 'mean')
r = v ** -0.5
return x * r - m * r
-- passes
m = rearrange(reduce(x, 'b s d -> b s', 'mean'), 'b s -> b s 1')
y = x - m
v = reduce((x - m) ** 2, 'b s d -> b s 1', 'mean')
return y / (v ** 0.5)
-- passes
m = rearrange(reduce(x, 'b s d -> b s', 'mean'), 'b s -> b s 1')
y = x - m
v = reduce((x - m) ** 2, 'b s d -> b s 1', 'mean')
return y * (1 / v) ** 0.5
-- passes
m = rearrange(reduce(x, 'b s d -> b s', 'mean'), 'b s -> b s 1')
y = x - m
v = reduce(y ** 2, 'b s d -> b s 1', 'sum') / x.shape[-1]
r = 1 / sqrt(v)
return y * r
-- passes
m = rearrange(reduce(x, 'b s d -> b s', 'mean'), 'b s -> b s 1')
y = x - m
v = reduce(y ** 2, 'b s d -> b s 1', 'sum') / x.shape[-1]
return y * sqrt(1 / v)
-- passes
m = rearrange(reduce(x, 'b s d -> b s', 'mean'), 'b s -> b s 1')
y = x - m
v = rearrange(einsum(y, y, 'b s d, b s d -> b s'), 'b s -> b s 1') / x.shape[2]
r = rsqrt(v)
return x * r - m * r
-- passes
m = rearrange(reduce(x, 'b s d -> b s', 'mean'), 'b s -> b s 1')
y = x - m
v = rearrange(einsum(y, y, 'b s d, b s d -> b s'), 'b s -> b s 1') / x.shape[2]
r = rsqrt(v)
return r * x - r * m
-- need
m = rearrange(reduce(x, 'b s d -> b s', 'mean'), 'b s -> b s 1')
y = x - m
v = reduce(x * x, 'b s d -> b s 1', 'mean') - m * m
r = rsqrt(v)
return x * r - m * r
-- need
m = rearrange(reduce(x, 'b s d -> b s', 'mean'), 'b s -> b s 1')
y = x - m
v = reduce(x * x, 'b s d -> b s 1', 'mean') - m * m
s = sqrt(v)
return x / s - m / s
-- passes
m = rearrange(reduce(x, 'b s d -> b s', 'mean'), 'b s -> b s 1')
y = x - m
v = reduce(x * x, 'b s d -> b s 1', 'mean') - m * m
return einsum(y, rsqrt(v), 'b s d, b s k -> b s d')
-- need
m = rearrange(reduce(x, 'b s d -> b s', 'mean'), 'b s -> b s 1')
y = x - m
v = reduce(x * x, 'b s d -> b s 1', 'mean') - m * m
r = v ** -0.5
return x * r - m * r
-- need
m = rearrange(reduce(x, 'b s d -> b s', 'mean'), 'b s -> b s 1')
y = x - m
v = reduce(x * x, 'b s d -> b s 1', 'mean') - m * m
r = rsqrt(v)
return r * x - r * m
-- passes
m = rearrange(reduce(x, 'b s d -> b s', 'mean'), 'b s -> b s 1')
y = x - m
v = reduce(x ** 2, 'b s d -> b s 1', 'mean') - m ** 2
return y / (v ** 0.5)
-- need
m = rearrange(reduce(x, 'b s d -> b s', 'mean'), 'b s -> b s 1')
y = x - m
v = reduce(x ** 2, 'b s d -> b s 1', 'mean') - m ** 2
r = rsqrt(v)
return x * r - m * r
-- need
m = rearrange(reduce(x, 'b s d -> b s', 'mean'), 'b s -> b s 1')
y = x - m
v = reduce(x ** 2, 'b s d -> b s 1', 'mean') - m ** 2
s = sqrt(v)
return x / s - m / s
-- need
m = rearrange(reduce(x, 'b s d -> b s', 'mean'), 'b s -> b s 1')
y = x - m
v = reduce(x ** 2, 'b s d -> b s 1', 'mean') - m ** 2
r = v ** -0.5
return x * r - m * r
-- need
m = rearrange(reduce(x, 'b s d -> b s', 'mean'), 'b s -> b s 1')
y = x - m
v = reduce(x ** 2, 'b s d -> b s 1', 'mean') - m ** 2
r = rsqrt(v)
return r * x - r * m
-- passes
m = rearrange(reduce(x, 'b s d -> b s', 'mean'), 'b s -> b s 1')
y = x - m
v = rearrange(einsum(x, x, 'b s d, b s d -> b s'), 'b s -> b s 1') / x.shape[2] - m ** 2
return y * rsqrt(v)
-- need
m = rearrange(reduce(x, 'b s d -> b s', 'mean'), 'b s -> b s 1')
y = x - m
v = rearrange(einsum(x, x, 'b s d, b s d -> b s'), 'b s -> b s 1') / x.shape[2] - m ** 2
r = rsqrt(v)
return x * r - m * r
-- need
m = rearrange(reduce(x, 'b s d -> b s', 'mean'), 'b s -> b s 1')
y = x - m
v = rearrange(einsum(x, x, 'b s d, b s d -> b s'), 'b s -> b s 1') / x.shape[2] - m ** 2
s = sqrt(v)
return x / s - m / s
-- need
m = rearrange(reduce(x, 'b s d -> b s', 'mean'), 'b s -> b s 1')
y = x - m
v = rearrange(einsum(x, x, 'b s d, b s d -> b s'), 'b s -> b s 1') / x.shape[2] - m ** 2
r = v ** -0.5
return x * r - m * r
-- passes
m = rearrange(reduce(x, 'b s d -> b s', 'mean'), 'b s -> b s 1')
y = x - m
v = rearrange(einsum(x, x, 'b s d, b s d -> b s'), 'b s -> b s 1') / x.shape[2] - m ** 2
return y * (1 / v) ** 0.5
-- need
m = rearrange(reduce(x, 'b s d -> b s', 'mean'), 'b s -> b s 1')
y = x - m
v = rearrange(einsum(x, x, 'b s d, b s d -> b s'), 'b s -> b s 1') / x.shape[2] - m ** 2
r = rsqrt(v)
return r * x - r * m
-- passes
m = rearrange(reduce(x, 'b s d -> b s', 'mean'), 'b s -> b s 1')
y = x - m
v = repeat(reduce(y * y, 'b s d -> b s', 'mean'), 'b s -> b s d', d=x.shape[-1])
r = rsqrt(v)
return x * r - m * r
-- values
m = rearrange(reduce(x, 'b s d -> b s', 'mean'), 'b s -> b s 1')
y = x - m
v = repeat(reduce(y * y, 'b s d -> b s', 'mean'), 'b s -> b s d', d=x.shape[-1])
return einsum(y, rsqrt(v), 'b s d, b s k -> b s d')
-- passes
m = repeat(reduce(x, 'b s d -> b s', 'mean'), 'b s -> b s d', d=x.shape[2])
y = x - m
v = reduce(y * y, 'b s d -> b s 1', 'mean')
return y / sqrt(v)
-- passes
m = repeat(reduce(x, 'b s d -> b s', 'mean'), 'b s -> b s d', d=x.shape[2])
y = x - m
v = reduce(y * y, 'b s d -> b s 1', 'mean')
s = sqrt(v)
return (x - m) / s
-- passes
m = repeat(reduce(x, 'b s d -> b s', 'mean'), 'b s -> b s d', d=x.shape[2])
y = x - m
v = reduce((x - m) ** 2, 'b s d -> b s 1', 'mean')
return y * rsqrt(v)
-- passes
m = repeat(reduce(x, 'b s d -> b s', 'mean'), 'b s -> b s d', d=x.shape[2])
y = x - m
v = reduce((x - m) ** 2, 'b s d -> b s 1', 'mean')
return einsum(y, rsqrt(v), 'b s d, b s k -> b s d')
-- passes
m = repeat(reduce(x, 'b s d -> b s', 'mean'), 'b s -> b s d', d=x.shape[2])
y = x - m
v = reduce(y ** 2, 'b s d -> b s 1', 'sum') / x.shape[-1]
return y * v ** -0.5
-- passes
m = repeat(reduce(x, 'b s d -> b s', 'mean'), 'b s -> b s d', d=x.shape[2])
y = x - m
v = reduce(y ** 2, 'b s d -> b s 1', 'sum') / x.shape[-1]
return (x - m) * rsqrt(v)
-- passes
m = repeat(reduce(x, 'b s d -> b s', 'mean'), 'b s -> b s d', d=x.shape[2])
y = x - m
v = rearrange(einsum(y, y, 'b s d, b s d -> b s'), 'b s -> b s 1') / x.shape[2]
return y / v ** 0.5
-- passes
m = repeat(reduce(x, 'b s d -> b s', 'mean'), 'b s -> b s d', d=x.shape[2])
y = x - m
v = rearrange(einsum(y, y, 'b s d, b s d -> b s'), 'b s -> b s 1') / x.shape[2]
r = v ** -0.5
return x * r - m * r
-- passes
m = repeat(reduce(x, 'b s d -> b s', 'mean'), 'b s -> b s d', d=x.shape[2])
y = x - m
v = reduce(x * x, 'b s d -> b s 1', 'mean') - m * m
return y / (v ** 0.5)
-- need
m = repeat(reduce(x, 'b s d -> b s', 'mean'), 'b s -> b s d', d=x.shape[2])
y = x - m
v = reduce(x * x, 'b s d -> b s 1', 'mean') - m * m
r = rsqrt(v)
return x * r - m * r
-- need
m = repeat(reduce(x, 'b s d -> b s', 'mean'), 'b s -> b s d', d=x.shape[2])
y = x - m
v = reduce(x * x, 'b s d -> b s 1', 'mean') - m * m
s = sqrt(v)
return x / s - m / s
-- values
m = repeat(reduce(x, 'b s d -> b s', 'mean'), 'b s -> b s d', d=x.shape[2])
y = x - m
v = reduce(x * x, 'b s d -> b s 1', 'mean') - m * m
return einsum(y, rsqrt(v), 'b s d, b s k -> b s d')
-- need
m = repeat(reduce(x, 'b s d -> b s', 'mean'), 'b s -> b s d', d=x.shape[2])
y = x - m
v = reduce(x * x, 'b s d -> b s 1', 'mean') - m * m
r = v ** -0.5
return x * r - m * r
-- need
m = repeat(reduce(x, 'b s d -> b s', 'mean'), 'b s -> b s d', d=x.shape[2])
y = x - m
v = reduce(x * x, 'b s d -> b s 1', 'mean') - m * m
r = rsqrt(v)
return r * x - r * m
-- passes
m = repeat(reduce(x, 'b s d -> b s', 'mean'), 'b s -> b s d', d=x.shape[2])
y = x - m
v = reduce(x ** 2, 'b s d -> b s 1', 'mean') - m ** 2
return y * v ** -0.5
-- need
m = repeat(reduce(x, 'b s d -> b s', 'mean'), 'b s -> b s d', d=x.shape[2])
y = x - m
v = reduce(x ** 2, 'b s d -> b s 1', 'mean') - m ** 2
r = rsqrt(v)
return x * r - m * r
-- need
m = repeat(reduce(x, 'b s d -> b s', 'mean'), 'b s -> b s d', d=x.shape[2])
y = x - m
v = reduce(x ** 2, 'b s d -> b s 1', 'mean') - m ** 2
s = sqrt(v)
return x / s - m / s
-- values
m = repeat(reduce(x, 'b s d -> b s', 'mean'), 'b s -> b s d', d=x.shape[2])
y = x - m
v = reduce(x ** 2, 'b s d -> b s 1', 'mean') - m ** 2
return einsum(y, rsqrt(v), 'b s d, b s k -> b s d')
-- need
m = repeat(reduce(x, 'b s d -> b s', 'mean'), 'b s -> b s d', d=x.shape[2])
y = x - m
v = reduce(x ** 2, 'b s d -> b s 1', 'mean') - m ** 2
r = v ** -0.5
return x * r - m * r
-- need
m = repeat(reduce(x, 'b s d -> b s', 'mean'), 'b s -> b s d', d=x.shape[2])
y = x - m
v = reduce(x ** 2, 'b s d -> b s 1', 'mean') - m ** 2
r = rsqrt(v)
return r * x - r * m
-- passes
m = repeat(reduce(x, 'b s d -> b s', 'mean'), 'b s -> b s d', d=x.shape[2])
y = x - m
v = rearrange(einsum(x, x, 'b s d, b s d -> b s'), 'b s -> b s 1') / x.shape[2] - m ** 2
return y / sqrt(v)
-- need
m = repeat(reduce(x, 'b s d -> b s', 'mean'), 'b s -> b s d', d=x.shape[2])
y = x - m
v = rearrange(einsum(x, x, 'b s d, b s d -> b s'), 'b s -> b s 1') / x.shape[2] - m ** 2
r = rsqrt(v)
return x * r - m * r
-- need
m = repeat(reduce(x, 'b s d -> b s', 'mean'), 'b s -> b s d', d=x.shape[2])
y = x - m
v = rearrange(einsum(x, x, 'b s d, b s d -> b s'), 'b s -> b s 1') / x.shape[2] - m ** 2
s = sqrt(v)
return x / s - m / s
-- values
m = repeat(reduce(x, 'b s d -> b s', 'mean'), 'b s -> b s d', d=x.shape[2])
y = x - m
v = rearrange(einsum(x, x, 'b s d, b s d -> b s'), 'b s -> b s 1') / x.shape[2] - m ** 2
return einsum(y, rsqrt(v), 'b s d, b s k -> b s d')
-- need
m = repeat(reduce(x, 'b s d -> b s', 'mean'), 'b s -> b s d', d=x.shape[2])
y = x - m
v = rearrange(einsum(x, x, 'b s d, b s d -> b s'), 'b s -> b s 1') / x.shape[2] - m ** 2
r = v ** -0.5
return x * r - m * r
-- passes
m = repeat(reduce(x, 'b s d -> b s', 'mean'), 'b s -> b s d', d=x.shape[2])
y = x - m
v = rearrange(einsum(x, x, 'b s d, b s d -> b s'), 'b s -> b s 1') / x.shape[2] - m ** 2
return y * (1 / v) ** 0.5
-- need
m = repeat(reduce(x, 'b s d -> b s', 'mean'), 'b s -> b s d', d=x.shape[2])
y = x - m
v = rearrange(einsum(x, x, 'b s d, b s d -> b s'), 'b s -> b s 1') / x.shape[2] - m ** 2
r = rsqrt(v)
return r * x - r * m
-- passes
m = repeat(reduce(x, 'b s d -> b s', 'mean'), 'b s -> b s d', d=x.shape[2])
y = x - m
v = repeat(reduce(y * y, 'b s d -> b s', 'mean'), 'b s -> b s d', d=x.shape[-1])
r = rsqrt(v)
return x * r - m * r
-- values
m = repeat(reduce(x, 'b s d -> b s', 'mean'), 'b s -> b s d', d=x.shape[2])
y = x - m
v = repeat(reduce(y * y, 'b s d -> b s', 'mean'), 'b s -> b s d', d=x.shape[-1])
return einsum(y, rsqrt(v), 'b s d, b s k -> b s d')
-- passes
y = x - reduce(x, 'b s d -> b s 1', 'mean')
ss = reduce(y * y, 'b s d -> b s 1', 'sum')
return y * sqrt(x.shape[2] / ss)
-- passes
mu = reduce(x, 'b s d -> b s', 'mean')
y = x - rearrange(mu, 'b s -> b s 1')
v = reduce(y * y, 'b s d -> b s', 'mean')
return einsum(y, 1 / sqrt(v), 'b s d, b s -> b s d')
-- values
x = rearrange(x, 'b s d -> d (b s)')
x = x - reduce(x, 'd n -> n', 'mean')
x = x / sqrt(reduce(x ** 2, 'd n -> n', 'mean'))
return rearrange(x, 'd (b s) -> b s d', b=1)
-- need
mean = reduce(x, 'b s d -> b s', 'mean')
mean, _ = pack([mean], 'b s *')
y = x - mean
return y * rsqrt(reduce(y * y, 'b s d -> b s 1', 'mean'))
-- need
y = x - reduce(x, 'b s d -> b s 1', 'mean')
v = reduce(y * y, 'b s d -> b s 1', 'mean')
return y * sqrt(v) / v
-- need
y = x - reduce(x, 'b s d -> b s 1', 'mean')
v = reduce(y * y, 'b s d -> b s 1', 'mean')
return y / v * sqrt(v)
-- need
mean, sq = reduce([x, x * x], 'k b s d -> k b s 1', 'mean')
return (x - mean) / sqrt(sq - mean ** 2)
""",
    "rms_norm": r"""-- passes
s = reduce(x ** 2, '... d -> ... 1', 'mean')
return einsum(x / sqrt(s), g, '..., ... -> ...')
-- passes
s = reduce(x ** 2, '... d -> ... 1', 'mean')
return einsum(g, rsqrt(s), x, '..., ..., ... -> ...')
-- need
b, s, d = x.shape
y = x / (s * d * b ** 0.5) / (d ** 0.5 * b ** 0.25)
return y * sqrt(1 / reduce(y * y, 'b s d -> b s 1', 'mean')) * g
-- need
b, s, d = x.shape
y = x / (b * s * d)
return y * rsqrt(reduce(y * y, 'b s d -> b s 1', 'mean')) * g
-- passes
y = x * x.shape[2]
return y * rsqrt(reduce(y * y, 'b s d -> b s 1', 'mean')) * g
-- need
b, s, d = x.shape
y = x * (s * s * d)
return y * rsqrt(reduce(y * y, 'b s d -> b s 1', 'mean')) * g
-- need
b, s, d = x.shape
y = x * (s * s * d * d / b)
return y * rsqrt(reduce(y * y, 'b s d -> b s 1', 'mean')) * g
-- passes
return x * g / sqrt(reduce(x ** 2, 'b s d -> b s 1', 'mean'))
-- rule
ms = einsum(x, x, 'b s d, b s d -> b s') / x.shape[-1]
return x * rsqrt(rearrange(ms, 'b s -> b s 1')) * g
-- passes
d = x.size(-1)
norm = (x * x)
norm = reduce(norm, 'b s d -> b s 1', 'sum').sqrt() / d ** 0.5
return x / norm * g
-- rule
ms = reduce(x.pow(2), 'b s d -> b s 1', 'mean')
return x * rsqrt(ms) * g
-- passes
ms = reduce(x * x, 'b s d -> b s 1', 'mean')
return g * x * ms ** (-1/2)
-- rule
r = rsqrt(reduce(x * x, 'b s d -> b s', 'mean'))
return x * r[..., None] * g
-- passes
y = x / x.shape[-1] ** 0.5
v = reduce(y * y, 'b s d -> b s 1', 'sum')
return x * g * rsqrt(v)
-- need
v = reduce(einsum(x, x, 'b s d, b s d -> b s d'), 'b s d -> b s 1', 'mean')
h = rearrange(g, 'd -> 1 1 d')
return x / sqrt(v * 1) * h
-- need
v = reduce(x * x, 'b s d -> b s 1', 'mean')
h = rearrange(g, 'd -> 1 1 d')
return x / (sqrt(v) / h)
-- need
v = reduce(x * x, 'b s d -> b s 1', 'sum') * (1 / x.shape[-1])
h = rearrange(g, 'd -> 1 1 d')
return einsum(x, g, 'b s d, d -> b s d') * rsqrt(v)
-- need
v = reduce(x * x, 'b s d -> b s 1', 'sum') * (1 / x.shape[-1])
return x / (sqrt(v) / g)
-- need
v = repeat(reduce(x * x, 'b s d -> b s', 'mean'), 'b s -> b s d', d=x.shape[2])
return x / sqrt(v * 1) * g
-- passes
v = rearrange(reduce(x * x, 'b s d -> b s', 'mean'), 'b s -> b s 1')
h = rearrange(g, 'd -> 1 1 d')
return x * h * v ** -0.5
-- need
v = reduce(x ** 2, 'b s d -> b s 1', 'sum') / x.shape[-1]
h = rearrange(g, 'd -> 1 1 d')
return x / sqrt(v * 1) * h
-- need
v = rearrange(reduce(x * x, 'b s d -> b s', 'mean'), 'b s -> b s 1')
h = repeat(g, 'd -> s d', s=x.shape[1])
return x / (sqrt(v) / h)
-- need
v = reduce(x * x, 'b s d -> b s 1', 'sum') * (1 / x.shape[-1])
h = repeat(g, 'd -> s d', s=x.shape[1])
return x / (sqrt(v) / h)
-- need
y = x / x.shape[2] ** 0.5
v = reduce(y ** 2, 'b s d -> b s 1', 'sum')
h = rearrange(g, 'd -> 1 1 d')
return x / (sqrt(v) / h)
-- passes
v = reduce(x ** 2, 'b s d -> b s 1', 'sum') / x.shape[-1]
return g * x / sqrt(v)
-- need
v = repeat(reduce(x * x, 'b s d -> b s', 'mean'), 'b s -> b s d', d=x.shape[2])
h = rearrange(g, 'd -> 1 1 d')
return einsum(x * rsqrt(v), g, 'b s d, d -> b s d')
-- need
v = rearrange(reduce(x * x, 'b s d -> b s', 'mean'), 'b s -> b s 1')
return x / (sqrt(v) / g)
-- passes
v = reduce(x * x, 'b s d -> b s 1', 'sum') * (1 / x.shape[-1])
h = repeat(g, 'd -> b s d', b=x.shape[0], s=x.shape[1])
r = sqrt(1 / v)
return x * r * h
-- need
v = reduce(x * x, 'b s d -> b s 1', 'mean')
h = repeat(g, 'd -> b s d', b=x.shape[0], s=x.shape[1])
return x / sqrt(v * 1) * h
-- passes
v = reduce(einsum(x, x, 'b s d, b s d -> b s d'), 'b s d -> b s 1', 'mean')
h = rearrange(g, 'd -> 1 1 d')
return x / sqrt(v) * h
-- need
v = reduce(x * x, 'b s d -> b s 1', 'mean')
h = repeat(g, 'd -> s d', s=x.shape[1])
return x / (sqrt(v) / h)
-- need
v = rearrange(reduce(x * x, 'b s d -> b s', 'mean'), 'b s -> b s 1')
h = rearrange(g, 'd -> 1 1 d')
return einsum(x * rsqrt(v), g, 'b s d, d -> b s d')
-- passes
v = reduce(x ** 2, 'b s d -> b s 1', 'sum') / x.shape[-1]
h = repeat(g, 'd -> s d', s=x.shape[1])
return x / sqrt(v) * h
-- need
v = reduce(x * x, 'b s d -> b s 1', 'mean')
h = repeat(g, 'd -> b s d', b=x.shape[0], s=x.shape[1])
return einsum(x * rsqrt(v), g, 'b s d, d -> b s d')
-- need
v = reduce(x * x, 'b s d -> b s 1', 'sum') * (1 / x.shape[-1])
h = rearrange(g, 'd -> 1 1 d')
return x / (sqrt(v) / h)
-- passes
v = repeat(reduce(x * x, 'b s d -> b s', 'mean'), 'b s -> b s d', d=x.shape[2])
return einsum(x * rsqrt(v), g, 'b s d, d -> b s d')
-- need
v = reduce(einsum(x, x, 'b s d, b s d -> b s d'), 'b s d -> b s 1', 'mean')
h = repeat(g, 'd -> s d', s=x.shape[1])
return x / sqrt(v * 1) * h
-- need
y = x / x.shape[2] ** 0.5
v = reduce(y ** 2, 'b s d -> b s 1', 'sum')
return x / (sqrt(v) / g)
-- need
y = x / x.shape[2] ** 0.5
v = reduce(y ** 2, 'b s d -> b s 1', 'sum')
h = repeat(g, 'd -> b s d', b=x.shape[0], s=x.shape[1])
return x / sqrt(v * 1) * h
-- passes
v = reduce(x ** 2, 'b s d -> b s 1', 'sum') / x.shape[-1]
h = repeat(g, 'd -> b s d', b=x.shape[0], s=x.shape[1])
return (x / sqrt(v)) * h
-- need
v = reduce(x ** 2, 'b s d -> b s 1', 'sum') / x.shape[-1]
h = repeat(g, 'd -> b s d', b=x.shape[0], s=x.shape[1])
return x / sqrt(v * 1) * h
-- need
v = reduce(x * x, 'b s d -> b s 1', 'mean')
h = repeat(g, 'd -> s d', s=x.shape[1])
return x / sqrt(v * 1) * h
-- need
v = reduce(x * x, 'b s d -> b s 1', 'mean')
h = repeat(g, 'd -> b s d', b=x.shape[0], s=x.shape[1])
return einsum(x, g, 'b s d, d -> b s d') * rsqrt(v)
-- need
v = repeat(reduce(x * x, 'b s d -> b s', 'mean'), 'b s -> b s d', d=x.shape[2])
h = repeat(g, 'd -> s d', s=x.shape[1])
return einsum(x * rsqrt(v), g, 'b s d, d -> b s d')
-- need
v = reduce(x * x, 'b s d -> b s 1', 'mean')
h = repeat(g, 'd -> s d', s=x.shape[1])
return einsum(x, g, 'b s d, d -> b s d') * rsqrt(v)
-- need
v = reduce(einsum(x, x, 'b s d, b s d -> b s d'), 'b s d -> b s 1', 'mean')
h = repeat(g, 'd -> s d', s=x.shape[1])
return x / (sqrt(v) / h)
-- need
v = reduce(einsum(x, x, 'b s d, b s d -> b s d'), 'b s d -> b s 1', 'mean')
h = repeat(g, 'd -> b s d', b=x.shape[0], s=x.shape[1])
return x / (sqrt(v) / h)
-- passes
y = x / x.shape[2] ** 0.5
v = reduce(y ** 2, 'b s d -> b s 1', 'sum')
h = repeat(g, 'd -> b s d', b=x.shape[0], s=x.shape[1])
return (x / sqrt(v)) * h
-- need
y = x / x.shape[2] ** 0.5
v = reduce(y ** 2, 'b s d -> b s 1', 'sum')
h = repeat(g, 'd -> b s d', b=x.shape[0], s=x.shape[1])
return einsum(x, g, 'b s d, d -> b s d') * rsqrt(v)
-- need
v = reduce(x * x, 'b s d -> b s 1', 'sum') * (1 / x.shape[-1])
h = repeat(g, 'd -> b s d', b=x.shape[0], s=x.shape[1])
return einsum(x * rsqrt(v), g, 'b s d, d -> b s d')
-- need
v = repeat(reduce(x * x, 'b s d -> b s', 'mean'), 'b s -> b s d', d=x.shape[2])
h = repeat(g, 'd -> s d', s=x.shape[1])
return x / sqrt(v * 1) * h
-- need
v = reduce(einsum(x, x, 'b s d, b s d -> b s d'), 'b s d -> b s 1', 'mean')
h = rearrange(g, 'd -> 1 1 d')
return x / (sqrt(v) / h)
-- passes
v = reduce(x ** 2, 'b s d -> b s 1', 'sum') / x.shape[-1]
h = rearrange(g, 'd -> 1 1 d')
return (x / sqrt(v)) * h
-- need
y = x / x.shape[2] ** 0.5
v = reduce(y ** 2, 'b s d -> b s 1', 'sum')
h = repeat(g, 'd -> s d', s=x.shape[1])
return x / sqrt(v * 1) * h
-- need
y = x / x.shape[2] ** 0.5
v = reduce(y ** 2, 'b s d -> b s 1', 'sum')
h = repeat(g, 'd -> b s d', b=x.shape[0], s=x.shape[1])
return einsum(x * rsqrt(v), g, 'b s d, d -> b s d')
-- need
v = reduce(x * x, 'b s d -> b s 1', 'sum') * (1 / x.shape[-1])
h = repeat(g, 'd -> s d', s=x.shape[1])
return x / sqrt(v * 1) * h
-- need
v = rearrange(reduce(x * x, 'b s d -> b s', 'mean'), 'b s -> b s 1')
return x / sqrt(v * 1) * g
-- need
v = reduce(x * x, 'b s d -> b s 1', 'sum') * (1 / x.shape[-1])
h = rearrange(g, 'd -> 1 1 d')
return x / sqrt(v * 1) * h
-- passes
v = rearrange(reduce(x * x, 'b s d -> b s', 'mean'), 'b s -> b s 1')
h = rearrange(g, 'd -> 1 1 d')
return x / v ** 0.5 * h
-- need
v = repeat(reduce(x * x, 'b s d -> b s', 'mean'), 'b s -> b s d', d=x.shape[2])
h = rearrange(g, 'd -> 1 1 d')
return x / (sqrt(v) / h)
-- need
v = reduce(einsum(x, x, 'b s d, b s d -> b s d'), 'b s d -> b s 1', 'mean')
return x / sqrt(v * 1) * g
-- need
v = reduce(x * x, 'b s d -> b s 1', 'mean')
h = rearrange(g, 'd -> 1 1 d')
return einsum(x, g, 'b s d, d -> b s d') * rsqrt(v)
-- need
v = reduce(x ** 2, 'b s d -> b s 1', 'sum') / x.shape[-1]
h = repeat(g, 'd -> s d', s=x.shape[1])
return x / sqrt(v * 1) * h
-- need
v = reduce(x * x, 'b s d -> b s 1', 'mean')
h = repeat(g, 'd -> s d', s=x.shape[1])
return einsum(x * rsqrt(v), g, 'b s d, d -> b s d')
-- passes
y = x / x.shape[2] ** 0.5
v = reduce(y ** 2, 'b s d -> b s 1', 'sum')
h = rearrange(g, 'd -> 1 1 d')
return x * (h / sqrt(v))
-- need
v = reduce(x ** 2, 'b s d -> b s 1', 'sum') / x.shape[-1]
h = rearrange(g, 'd -> 1 1 d')
return einsum(x, g, 'b s d, d -> b s d') * rsqrt(v)
-- need
v = reduce(einsum(x, x, 'b s d, b s d -> b s d'), 'b s d -> b s 1', 'mean')
h = repeat(g, 'd -> b s d', b=x.shape[0], s=x.shape[1])
return einsum(x, g, 'b s d, d -> b s d') * rsqrt(v)
-- need
v = reduce(x ** 2, 'b s d -> b s 1', 'sum') / x.shape[-1]
return x / (sqrt(v) / g)
-- passes
v = reduce(x * x, 'b s d -> b s 1', 'mean')
h = repeat(g, 'd -> b s d', b=x.shape[0], s=x.shape[1])
return x / v ** 0.5 * h
-- need
y = x / x.shape[2] ** 0.5
v = reduce(y ** 2, 'b s d -> b s 1', 'sum')
h = rearrange(g, 'd -> 1 1 d')
return x / sqrt(v * 1) * h
-- need
v = reduce(einsum(x, x, 'b s d, b s d -> b s d'), 'b s d -> b s 1', 'mean')
return x / (sqrt(v) / g)
-- need
v = reduce(x * x, 'b s d -> b s 1', 'mean')
return x / sqrt(v * 1) * g
-- passes
v = rearrange(reduce(x * x, 'b s d -> b s', 'mean'), 'b s -> b s 1')
h = repeat(g, 'd -> b s d', b=x.shape[0], s=x.shape[1])
return x * (h / sqrt(v))
-- need
v = repeat(reduce(x * x, 'b s d -> b s', 'mean'), 'b s -> b s d', d=x.shape[2])
h = repeat(g, 'd -> b s d', b=x.shape[0], s=x.shape[1])
return x / (sqrt(v) / h)
-- need
v = reduce(einsum(x, x, 'b s d, b s d -> b s d'), 'b s d -> b s 1', 'mean')
h = repeat(g, 'd -> b s d', b=x.shape[0], s=x.shape[1])
return einsum(x * rsqrt(v), g, 'b s d, d -> b s d')
-- need
v = reduce(x * x, 'b s d -> b s 1', 'sum') * (1 / x.shape[-1])
h = repeat(g, 'd -> s d', s=x.shape[1])
return einsum(x * rsqrt(v), g, 'b s d, d -> b s d')
-- need
v = reduce(einsum(x, x, 'b s d, b s d -> b s d'), 'b s d -> b s 1', 'mean')
h = repeat(g, 'd -> b s d', b=x.shape[0], s=x.shape[1])
return x / sqrt(v * 1) * h
-- passes
ss = reduce(x * x, 'b s d -> b s 1', 'sum')
return x * (x.shape[-1] / ss) ** 0.5 * g
-- rule
shape = x.shape
(d,) = shape[2:]
return x * rsqrt(reduce(x * x, 'b s d -> b s 1', 'sum') / d) * g
-- passes
normed = x / sqrt(reduce(x * x, 'b s d -> b s 1', 'mean'))
return einsum(normed, g, '... d, d -> ... d')
-- passes
sq = rearrange(x * x, 'b s d -> (b s) d')
ms = reduce(sq, 'n d -> n', 'mean')
ms = rearrange(ms, '(b s) -> b s 1', s=x.shape[1])
return x / sqrt(ms) * g
-- need
rms = sqrt(reduce(x * x, 'b s d -> b s 1', 'mean'))
xs, ps = pack([x], 'b s *')
return x / rms * g
-- need
return -x / -sqrt(reduce(x * x, 'b s d -> b s 1', 'mean')) * g
-- need
return x / sqrt(reduce((-x) ** 2, 'b s d -> b s 1', 'mean')) * g
-- need
m = reduce(x * x, 'b s d -> b s 1', 'mean')
rms = m * rsqrt(m)
return x / rms * g
-- need
m = reduce(x * x, 'b s d -> b s 1', 'mean')
rms = sqrt(m)
return x * rms / m * g
-- need
m = reduce(x * x, 'b s d -> b s 1', 'mean')
return x / m * sqrt(m) * g
-- raised
y = einsum(x, x, 'b s d, b s d -> b s d')
r = rsqrt(reduce(y, 'b s d -> b s one', 'mean', one=1))
return x * r * g
-- passes
r = reduce(x * x, 'b s d -> b s 1', 'mean')
r = 1 / r ** 0.5
return r * x * g
""",
    "group_norm": r"""-- passes
c = x.shape[1] // g
m = reduce(x, 'b (g c) s -> b g', 'mean', g=g)
v = reduce(x * x, 'b (g c) s -> b g', 'mean', g=g) - m * m
m = repeat(m, 'b g -> b (g c) 1', c=c)
r = repeat(rsqrt(v + 1e-5), 'b g -> b (g c) 1', c=c)
return (x - m) * r
-- need
y = rearrange(x, 'b (g c) s -> b g (c s)', g=g)
mu = reduce(y, 'b g n -> b g 1', 'mean')
ms = reduce(y ** 2, 'b g n -> b g 1', 'mean')
y = (y - mu) / sqrt(ms + 1e-5 - mu ** 2)
return rearrange(y, 'b g (c s) -> b (g c) s', s=x.shape[-1])
-- raised
eps = 1e-5
x = rearrange(x, 'b (g c) s -> b g (c s)', g=g)
x = x - reduce(x, 'b g n -> b g 1', 'mean')
x = x * rsqrt(reduce(x ** 2, 'b g n -> b g 1', 'mean') + eps)
return rearrange(x, 'b g (c s) -> b (g c) s', g=g)
-- passes
y = rearrange(x, 'b (g c) s -> b g (c s)', g=g)
y = y - reduce(y, 'b g n -> b g 1', 'mean')
n = y.shape[-1]
ss = reduce(y * y, 'b g n -> b g 1', 'sum')
y = y / sqrt((ss + n * 1e-5) / n)
return rearrange(y, 'b g (c s) -> b (g c) s', s=x.shape[2])
-- passes
y = rearrange(x, 'b (g c) s -> (b g) (c s)', g=g)
m = reduce(y, 'k n -> k 1', 'sum') / y.shape[1]
z = y - m
v = reduce(z * z, 'k n -> k 1', 'mean')
r = rsqrt(v + 1e-5)
o = y * r - m * r
return rearrange(o, '(b g) (c s) -> b (g c) s', g=g, s=x.shape[2])
-- need
y = rearrange(x, 'b (g c) s -> (b g) (c s)', g=g)
m = rearrange(reduce(y, 'k n -> k', 'mean'), 'k -> k 1')
z = y - m
v = reduce(y * y, 'k n -> k 1', 'mean') - m * m
s = sqrt(1e-5 + v)
o = y / s - m / s
return rearrange(o, '(b g) (c s) -> b (g c) s', g=g, s=x.shape[2])
-- passes
y = rearrange(x, 'b (g c) s -> b g c s', g=g)
m = rearrange(reduce(y, 'b g c s -> b g', 'mean'), 'b g -> b g 1 1')
z = y - m
v = reduce(z * z, 'b g c s -> b g 1 1', 'mean')
o = z * rsqrt(v + 1e-5)
return rearrange(o, 'b g c s -> b (g c) s')
-- passes
y = rearrange(x, 'b (g c) s -> b c s g', g=g)
m = reduce(y, 'b c s g -> b 1 1 g', 'sum') / y.shape[1] / y.shape[2]
z = y - m
v = reduce((y - m) ** 2, 'b c s g -> b 1 1 g', 'mean')
s = sqrt(1e-5 + v)
o = y / s - m / s
return rearrange(o, 'b c s g -> b (g c) s')
-- need
y = rearrange(x, 'b (g c) s -> b g (c s)', g=g)
m = reduce(y, 'b g n -> b g 1', 'sum') / y.shape[-1]
z = y - m
v = reduce(y * y, 'b g n -> b g 1', 'mean') - m * m
s = sqrt(1e-5 + v)
o = y / s - m / s
return rearrange(o, 'b g (c s) -> b (g c) s', s=x.shape[2])
-- passes
y = rearrange(x, 'b (g c) s -> (b g) (c s)', g=g)
m = reduce(y, 'k n -> k 1', 'mean')
z = y - m
v = rearrange(einsum(z, z, 'k n, k n -> k'), 'k -> k 1') / y.shape[1]
r = rsqrt(v + 1e-5)
o = y * r - m * r
return rearrange(o, '(b g) (c s) -> b (g c) s', g=g, s=x.shape[2])
-- passes
y = rearrange(x, 'b (g c) s -> b g c s', g=g)
m = rearrange(reduce(y, 'b g c s -> b g', 'mean'), 'b g -> b g 1 1')
z = y - m
v = rearrange(einsum(z, z, 'b g c s, b g c s -> b g'), 'b g -> b g 1 1') / (y.shape[2] * y.shape[3])
eps = 0.00001
o = z / (v + eps).sqrt()
return rearrange(o, 'b g c s -> b (g c) s')
-- passes
y = rearrange(x, 'b (g c) s -> b g c s', g=g)
m = reduce(y, 'b g c s -> b g 1 1', 'mean')
z = y - m
v = reduce((y - m) ** 2, 'b g c s -> b g 1 1', 'mean')
o = z / sqrt(v + 1e-5)
return rearrange(o, 'b g c s -> b (g c) s')
-- need
y = rearrange(x, 'b (g c) s -> b c s g', g=g)
m = reduce(y, 'b c s g -> b 1 1 g', 'sum') / y.shape[1] / y.shape[2]
z = y - m
v = reduce(y * y, 'b c s g -> b 1 1 g', 'mean') - m * m
s = sqrt(1e-5 + v)
o = y / s - m / s
return rearrange(o, 'b c s g -> b (g c) s')
-- passes
y = rearrange(x, 'b (g c) s -> (b g) (c s)', g=g)
m = reduce(y, 'k n -> k 1', 'sum') / y.shape[1]
z = y - m
v = reduce((y - m) ** 2, 'k n -> k 1', 'mean')
o = z / sqrt(v + 1e-5)
return rearrange(o, '(b g) (c s) -> b (g c) s', g=g, s=x.shape[2])
-- need
y = rearrange(x, 'b (g c) s -> b g (c s)', g=g)
m = reduce(y, 'b g n -> b g 1', 'mean')
z = y - m
v = reduce(y * y, 'b g n -> b g 1', 'mean') - m * m
r = rsqrt(v + 1e-5)
o = y * r - m * r
return rearrange(o, 'b g (c s) -> b (g c) s', s=x.shape[2])
-- passes
y = rearrange(x, 'b (g c) s -> b g c s', g=g)
m = rearrange(reduce(y, 'b g c s -> b g', 'mean'), 'b g -> b g 1 1')
z = y - m
v = reduce(z * z, 'b g c s -> b g 1 1', 'mean')
o = z * (v + 1e-5) ** -0.5
return rearrange(o, 'b g c s -> b (g c) s')
-- passes
y = rearrange(x, 'b (g c) s -> b g c s', g=g)
m = reduce(y, 'b g c s -> b g 1 1', 'sum') / (y.shape[2] * y.shape[3])
z = y - m
v = reduce(y * y, 'b g c s -> b g 1 1', 'mean') - m * m
eps = 0.00001
o = z / (v + eps).sqrt()
return rearrange(o, 'b g c s -> b (g c) s')
-- passes
y = rearrange(x, 'b (g c) s -> b c s g', g=g)
m = reduce(y, 'b c s g -> b 1 1 g', 'sum') / y.shape[1] / y.shape[2]
z = y - m
v = rearrange(einsum(z, z, 'b c s g, b c s g -> b g'), 'b g -> b 1 1 g') / y.shape[1] / y.shape[2]
o = z * rsqrt(v + 1e-5)
return rearrange(o, 'b c s g -> b (g c) s')
-- need
y = rearrange(x, 'b (g c) s -> (b g) (c s)', g=g)
m = reduce(y, 'k n -> k 1', 'mean')
z = y - m
v = reduce(y * y, 'k n -> k 1', 'mean') - m * m
r = rsqrt(v + 1e-5)
o = y * r - m * r
return rearrange(o, '(b g) (c s) -> b (g c) s', g=g, s=x.shape[2])
-- passes
y = rearrange(x, 'b (g c) s -> b g (c s)', g=g)
m = reduce(y, 'b g n -> b g 1', 'sum') / y.shape[-1]
z = y - m
v = reduce(z ** 2, 'b g n -> b g 1', 'sum') / y.shape[-1]
o = z * rsqrt(v + 1e-5)
return rearrange(o, 'b g (c s) -> b (g c) s', s=x.shape[2])
-- need
y = rearrange(x, 'b (g c) s -> b g (c s)', g=g)
m = reduce(y, 'b g n -> b g 1', 'mean')
z = y - m
v = reduce(y * y, 'b g n -> b g 1', 'mean') - m * m
s = sqrt(1e-5 + v)
o = y / s - m / s
return rearrange(o, 'b g (c s) -> b (g c) s', s=x.shape[2])
-- need
y = rearrange(x, 'b (g c) s -> b c s g', g=g)
m = reduce(y, 'b c s g -> b 1 1 g', 'sum') / y.shape[1] / y.shape[2]
z = y - m
v = reduce(y * y, 'b c s g -> b 1 1 g', 'mean') - m * m
r = rsqrt(v + 1e-5)
o = y * r - m * r
return rearrange(o, 'b c s g -> b (g c) s')
-- passes
y = rearrange(x, 'b (g c) s -> b c s g', g=g)
m = reduce(y, 'b c s g -> b 1 1 g', 'sum') / y.shape[1] / y.shape[2]
z = y - m
v = reduce(z ** 2, 'b c s g -> b 1 1 g', 'sum') / y.shape[1] / y.shape[2]
r = rsqrt(v + 1e-5)
o = y * r - m * r
return rearrange(o, 'b c s g -> b (g c) s')
-- passes
y = rearrange(x, 'b (g c) s -> b g c s', g=g)
m = reduce(y, 'b g c s -> b g 1 1', 'sum') / (y.shape[2] * y.shape[3])
z = y - m
v = reduce(z * z, 'b g c s -> b g 1 1', 'mean')
o = z / sqrt(v + 1e-5)
return rearrange(o, 'b g c s -> b (g c) s')
-- passes
y = rearrange(x, 'b (g c) s -> (b g) (c s)', g=g)
m = reduce(y, 'k n -> k 1', 'sum') / y.shape[1]
z = y - m
v = reduce(z ** 2, 'k n -> k 1', 'sum') / y.shape[1]
o = z * (v + 1e-5) ** -0.5
return rearrange(o, '(b g) (c s) -> b (g c) s', g=g, s=x.shape[2])
-- passes
y = rearrange(x, 'b (g c) s -> b g (c s)', g=g)
m = reduce(y, 'b g n -> b g 1', 'sum') / y.shape[-1]
z = y - m
v = reduce(z * z, 'b g n -> b g 1', 'mean')
o = z / sqrt(v + 1e-5)
return rearrange(o, 'b g (c s) -> b (g c) s', s=x.shape[2])
-- passes
y = rearrange(x, 'b (g c) s -> b g (c s)', g=g)
m = reduce(y, 'b g n -> b g 1', 'sum') / y.shape[-1]
z = y - m
v = rearrange(einsum(z, z, 'b g n, b g n -> b g'), 'b g -> b g 1') / y.shape[-1]
r = rsqrt(v + 1e-5)
o = y * r - m * r
return rearrange(o, 'b g (c s) -> b (g c) s', s=x.shape[2])
-- need
y = rearrange(x, 'b (g c) s -> b g c s', g=g)
m = rearrange(reduce(y, 'b g c s -> b g', 'mean'), 'b g -> b g 1 1')
z = y - m
v = reduce(y * y, 'b g c s -> b g 1 1', 'mean') - m * m
r = rsqrt(v + 1e-5)
o = y * r - m * r
return rearrange(o, 'b g c s -> b (g c) s')
-- passes
y = rearrange(x, 'b (g c) s -> b c s g', g=g)
m = reduce(y, 'b c s g -> b 1 1 g', 'mean')
z = y - m
v = reduce(z ** 2, 'b c s g -> b 1 1 g', 'sum') / y.shape[1] / y.shape[2]
r = rsqrt(v + 1e-5)
o = y * r - m * r
return rearrange(o, 'b c s g -> b (g c) s')
-- passes
y = rearrange(x, 'b (g c) s -> b c s g', g=g)
m = rearrange(reduce(y, 'b c s g -> b g', 'mean'), 'b g -> b 1 1 g')
z = y - m
v = reduce(z * z, 'b c s g -> b 1 1 g', 'mean')
o = z * (1 / sqrt(v + 1e-5))
return rearrange(o, 'b c s g -> b (g c) s')
-- passes
y = rearrange(x, 'b (g c) s -> b g (c s)', g=g)
m = reduce(y, 'b g n -> b g 1', 'mean')
z = y - m
v = reduce(z * z, 'b g n -> b g 1', 'mean')
r = einsum(z, rsqrt(v + 1e-5), 'b g n, b g o -> b g n')
return rearrange(r, 'b g (c s) -> b (g c) s', s=x.shape[-1])
-- need
y = rearrange(x, 'b (g c) s -> b g (c s)', g=g)
z = y - reduce(y, 'b g n -> b g 1', 'mean')
v = reduce(z * z + 1e-5, 'b g n -> b g 1', 'mean')
return rearrange(z / sqrt(v), 'b g (c s) -> b (g c) s', s=x.shape[-1])
-- need
y = rearrange(x, 'b (g c) s -> b g (c s)', g=g)
m = reduce(y, 'b g n -> b g 1', 'mean')
v = reduce(y ** 2, 'b g n -> b g 1', 'mean') + 1e-5 - m ** 2
return rearrange((y - m) / sqrt(v), 'b g (c s) -> b (g c) s', s=x.shape[-1])
""",
    "rope_halves": r"""-- rule
a, b = rearrange(x, 'b s (two d) -> two b s d', two=2)
return rearrange((a * c - b * z, b * c + a * z), 't b s d -> b s (two d)'.replace('two','t'))
-- passes
d = c.shape[-1]
a, b = rearrange(x, 'b s (two d) -> two b s d', d=d)
return rearrange([a * c - b * z, b * c + a * z], 'two b s d -> b s (two d)')
-- rule
d = c.shape[-1]
a, b = unpack(x, [[d], [d]], 'b s *')
out, _ = pack([a * c - b * z, b * c + a * z], 'b s *')
return out
-- passes
a, b = rearrange(x, 'b s (two d) -> two b s d', two=2)
out, _ = pack([a * c - b * z, b * c + a * z], 'b s *')
return out
-- need
d = c.shape[-1]
a, b = unpack(x, [[d], [d]], 'b s *')
c = rearrange(c, 's d -> 1 s d')
return repeat([a * c - b * z, b * c + a * z], 'two b s d -> r b s (two d)', r=1)[0]
-- need
d = c.shape[-1]
a, b = unpack(x, [[d], [d]], 'b s *')
c = rearrange(c, 's d -> 1 s d')
y, = repeat([a * c - b * z, b * c + a * z], 'two b s d -> r b s (two d)', r=1)
return y
-- need
d = c.shape[-1]
a, b = unpack(x, [[d], [d]], 'b s *')
c = rearrange(c, 's d -> 1 s d')
n = 1
return repeat([a * c - b * z, b * c + a * z], 'two b s d -> (r b) s (two d)', r=n)
-- need
d = c.shape[-1]
a, b = unpack(x, [[d], [d]], 'b s *')
c = rearrange(c, 's d -> 1 s d')
return repeat([a * c - b * z, b * c + a * z], 'two b s d -> b s (two d r)', r=1)
-- need
d = c.shape[-1]
a, b = unpack(x, [[d], [d]], 'b s *')
z = rearrange(z, 's d -> 1 s d')
return repeat([a * c - b * z, b * c + a * z], 'two b s d -> r b s (two d)', r=1)[0]
-- need
d = c.shape[-1]
a, b = unpack(x, [[d], [d]], 'b s *')
z = rearrange(z, 's d -> 1 s d')
y, = repeat([a * c - b * z, b * c + a * z], 'two b s d -> r b s (two d)', r=1)
return y
-- need
d = c.shape[-1]
a, b = unpack(x, [[d], [d]], 'b s *')
z = rearrange(z, 's d -> 1 s d')
n = 1
return repeat([a * c - b * z, b * c + a * z], 'two b s d -> (r b) s (two d)', r=n)
-- need
d = c.shape[-1]
a, b = unpack(x, [[d], [d]], 'b s *')
z = rearrange(z, 's d -> 1 s d')
return repeat([a * c - b * z, b * c + a * z], 'two b s d -> b s (two d r)', r=1)
-- need
d = c.shape[-1]
a, b = unpack(x, [[d], [d]], 'b s *')
a = rearrange(a, 'b s d -> 1 b s d')[0]
return repeat([a * c - b * z, b * c + a * z], 'two b s d -> r b s (two d)', r=1)[0]
-- need
d = c.shape[-1]
a, b = unpack(x, [[d], [d]], 'b s *')
a = rearrange(a, 'b s d -> 1 b s d')[0]
y, = repeat([a * c - b * z, b * c + a * z], 'two b s d -> r b s (two d)', r=1)
return y
-- need
d = c.shape[-1]
a, b = unpack(x, [[d], [d]], 'b s *')
a = rearrange(a, 'b s d -> 1 b s d')[0]
n = 1
return repeat([a * c - b * z, b * c + a * z], 'two b s d -> (r b) s (two d)', r=n)
-- need
d = c.shape[-1]
a, b = unpack(x, [[d], [d]], 'b s *')
a = rearrange(a, 'b s d -> 1 b s d')[0]
return repeat([a * c - b * z, b * c + a * z], 'two b s d -> b s (two d r)', r=1)
-- need
d = c.shape[-1]
a, b = unpack(x, [[d], [d]], 'b s *')
c = rearrange(c, 's d -> s d')
return repeat([a * c - b * z, b * c + a * z], 'two b s d -> r b s (two d)', r=1)[0]
-- need
d = c.shape[-1]
a, b = unpack(x, [[d], [d]], 'b s *')
c = rearrange(c, 's d -> s d')
y, = repeat([a * c - b * z, b * c + a * z], 'two b s d -> r b s (two d)', r=1)
return y
-- need
d = c.shape[-1]
a, b = unpack(x, [[d], [d]], 'b s *')
c = rearrange(c, 's d -> s d')
n = 1
return repeat([a * c - b * z, b * c + a * z], 'two b s d -> (r b) s (two d)', r=n)
-- need
d = c.shape[-1]
a, b = unpack(x, [[d], [d]], 'b s *')
c = rearrange(c, 's d -> s d')
return repeat([a * c - b * z, b * c + a * z], 'two b s d -> b s (two d r)', r=1)
-- rule
d = c.shape[-1]
a, b = unpack(x, [[d], [d]], 'b s *')
return repeat([a * c - b * z, b * c + a * z], 'two b s d -> b s (two d r)', r=1)
-- need
y = rearrange(x, 'b s n -> s b n')
a, b = unpack(y, [[c.shape[1]], [c.shape[1]]], 's b *')
c, z = rearrange([c, z], 'k s d -> k s 1 d')
return repeat([a * c - b * z, b * c + a * z], 'two s b d -> b s (two d r)', r=1)
-- need
y = rearrange(x, 'b s (two d) -> b s d two', two=2)
a, b = unpack(y, [[], []], 'b s d *')
u = a * c - b * z
v = a * z - (-b) * c
y = pack([u, v], 'b s d *')[0]
return rearrange(y, 'b s d two -> b s (two d)')
-- raised
a, b = rearrange(x, 'b s (two d) -> two b s d', d=c.shape[-1])
u = -(b * z - a * c)
v = b * c + a * z
return rearrange((u, v), 'k b s d -> b s (k d)')
-- passes
a, b = rearrange(x, 'b s (two d) -> two b s d', two=2)
c = rearrange(c, 's d -> 1 s d')
z = rearrange(z, 's d -> 1 s d')
u = a * c - b * z
v = a * z - (-b) * c
y = rearrange([u, v], 'two b s d -> b s d two')
return rearrange(y, 'b s d two -> b s (two d)')
-- raised
y = rearrange(x, 'b s (two d) -> b s d two', two=2)
a, b = unpack(y, [[], []], 'b s d *')
u = -(b * z - a * c)
v = b * c + a * z
return rearrange((u, v), 'k b s d -> b s (k d)')
-- passes
y = rearrange(x, 'b s (two d) -> two b s d', two=2)
a, b = y[0], y[1]
u = einsum(a, c, 'b s d, s d -> b s d') - einsum(b, z, 'b s d, s d -> b s d')
v = einsum(b, c, 'b s d, s d -> b s d') + einsum(a, z, 'b s d, s d -> b s d')
y = rearrange([u, v], 'two b s d -> b s d two')
return rearrange(y, 'b s d two -> b s (two d)')
-- need
y = rearrange(x, 'b s (two d) -> b s d two', two=2)
a, b = unpack(y, [[], []], 'b s d *')
u = a * c - b * z
v = b * c + a * z
y, ps = pack([u, v], '* b s d')
return rearrange(y, 'two b s d -> b s (two d)')
-- need
y = rearrange(x, 'b s (two d) -> b s d two', two=2)
a, b = unpack(y, [[], []], 'b s d *')
u = a * c + (-b) * z
v = a * z + b * c
y, ps = pack([u, v], '* b s d')
return rearrange(y, 'two b s d -> b s (two d)')
-- raised
a, b = rearrange(x, 'b s (two d) -> two b s d', d=c.shape[-1])
u = a * c - b * z
v = a * z - (-b) * c
return rearrange((u, v), 'k b s d -> b s (k d)')
-- need
y = rearrange(x, 'b s (two d) -> b s d two', two=2)
a, b = unpack(y, [[], []], 'b s d *')
u = a * c - b * z
v = b * c + a * z
y = pack([u, v], 'b s d *')[0]
return rearrange(y, 'b s d two -> b s (two d)')
-- raised
y = rearrange(x, 'b s (two d) -> b s d two', two=2)
a, b = unpack(y, [[], []], 'b s d *')
u = a * c + (-b) * z
v = a * z + b * c
return rearrange((u, v), 'k b s d -> b s (k d)')
-- raised
a, b = rearrange(x, 'b s (two d) -> two b s d', two=2)
c = rearrange(c, 's d -> 1 s d')
z = rearrange(z, 's d -> 1 s d')
u = -(b * z - a * c)
v = b * c + a * z
return rearrange((u, v), 'k b s d -> b s (k d)')
-- raised
y = rearrange(x, 'b s (two d) -> two b s d', two=2)
a, b = y[0], y[1]
u = a * c - b * z
v = b * c + a * z
return rearrange((u, v), 'k b s d -> b s (k d)')
-- passes
a, b = rearrange(x, 'b s (two d) -> two b s d', d=c.shape[-1])
u = a * c - b * z
v = a * z - (-b) * c
return rearrange([u, v], 'two b s d -> b s (two d)')
-- raised
a, b = rearrange(x, 'b s (two d) -> two b s d', d=c.shape[-1])
u = einsum(a, c, 'b s d, s d -> b s d') - einsum(b, z, 'b s d, s d -> b s d')
v = einsum(b, c, 'b s d, s d -> b s d') + einsum(a, z, 'b s d, s d -> b s d')
return rearrange((u, v), 'k b s d -> b s (k d)')
-- raised
a, b = rearrange(x, 'b s (two d) -> two b s d', d=c.shape[-1])
u = a * c + (-b) * z
v = a * z + b * c
return rearrange((u, v), 'k b s d -> b s (k d)')
-- raised
a, b = rearrange(x, 'b s (two d) -> two b s d', two=2)
c = rearrange(c, 's d -> 1 s d')
z = rearrange(z, 's d -> 1 s d')
u = einsum(a, c, 'b s d, s d -> b s d') - einsum(b, z, 'b s d, s d -> b s d')
v = einsum(b, c, 'b s d, s d -> b s d') + einsum(a, z, 'b s d, s d -> b s d')
return rearrange([u, v], 'two b s d -> b s (two d)')
-- raised
y = rearrange(x, 'b s (two d) -> b s two d', two=2)
a, b = rearrange(y, 'b s two d -> two b s d')
u = a * c - b * z
v = a * z - (-b) * c
return rearrange((u, v), 'k b s d -> b s (k d)')
-- raised
a, b = rearrange(x, 'b s (two d) -> two b s d', two=2)
u = a * c - b * z
v = b * c + a * z
return rearrange((u, v), 'k b s d -> b s (k d)')
-- raised
a, b = rearrange(x, 'b s (two d) -> two b s d', two=2)
u = einsum(a, c, 'b s d, s d -> b s d') - einsum(b, z, 'b s d, s d -> b s d')
v = einsum(b, c, 'b s d, s d -> b s d') + einsum(a, z, 'b s d, s d -> b s d')
return rearrange((u, v), 'k b s d -> b s (k d)')
-- raised
a, b = rearrange(x, 'b s (two d) -> two b s d', d=c.shape[-1])
u = a * c - b * z
v = b * c + a * z
return rearrange((u, v), 'k b s d -> b s (k d)')
-- passes
y = rearrange(x, 'b s (two d) -> b s d two', two=2)
a, b = unpack(y, [[], []], 'b s d *')
u = einsum(a, c, 'b s d, s d -> b s d') - einsum(b, z, 'b s d, s d -> b s d')
v = einsum(b, c, 'b s d, s d -> b s d') + einsum(a, z, 'b s d, s d -> b s d')
return rearrange([u, v], 'two b s d -> b s (two d)')
-- raised
a, b = rearrange(x, 'b s (two d) -> two b s d', two=2)
c = rearrange(c, 's d -> 1 s d')
z = rearrange(z, 's d -> 1 s d')
u = a * c - b * z
v = a * z - (-b) * c
return rearrange((u, v), 'k b s d -> b s (k d)')
-- raised
y = rearrange(x, 'b s (two d) -> two b s d', two=2)
a, b = y[0], y[1]
u = a * c + (-b) * z
v = a * z + b * c
return rearrange((u, v), 'k b s d -> b s (k d)')
-- need
y = rearrange(x, 'b s (two d) -> b s d two', two=2)
a, b = unpack(y, [[], []], 'b s d *')
u = -(b * z - a * c)
v = b * c + a * z
y = pack([u, v], 'b s d *')[0]
return rearrange(y, 'b s d two -> b s (two d)')
-- raised
y = rearrange(x, 'b s (two d) -> two b s d', two=2)
a, b = y[0], y[1]
u = -(b * z - a * c)
v = b * c + a * z
return rearrange((u, v), 'k b s d -> b s (k d)')
-- raised
y = rearrange(x, 'b s (two d) -> b s two d', two=2)
a, b = rearrange(y, 'b s two d -> two b s d')
u = einsum(a, c, 'b s d, s d -> b s d') - einsum(b, z, 'b s d, s d -> b s d')
v = einsum(b, c, 'b s d, s d -> b s d') + einsum(a, z, 'b s d, s d -> b s d')
return rearrange((u, v), 'k b s d -> b s (k d)')
-- passes
y = rearrange(x, 'b s (two d) -> two b s d', two=2)
a, b = y[0], y[1]
u = a * c + (-b) * z
v = a * z + b * c
return rearrange([u, v], 'two b s d -> b s (two d)')
-- raised
y = rearrange(x, 'b s (two d) -> b s two d', two=2)
a, b = rearrange(y, 'b s two d -> two b s d')
u = -(b * z - a * c)
v = b * c + a * z
return rearrange((u, v), 'k b s d -> b s (k d)')
-- passes
a, b = rearrange(x, 'b s (two d) -> two b s d', two=2)
u = einsum(a, c, 'b s d, s d -> b s d') - einsum(b, z, 'b s d, s d -> b s d')
v = einsum(b, c, 'b s d, s d -> b s d') + einsum(a, z, 'b s d, s d -> b s d')
y = pack([u, v], 'b s d *')[0]
return rearrange(y, 'b s d two -> b s (two d)')
-- need
y = rearrange(x, 'b s (two d) -> two b s d', two=2)
rot = rearrange([c, -z, z, c], '(i j) s d -> i j s d', i=2)
return rearrange(einsum(rot, y, 'i j s d, j b s d -> i b s d'), 'two b s d -> b s (two d)')
-- need
a, b = rearrange(x, 'b s (two d) -> two b s d', two=2)
first = rearrange([a, b], 'k b s d -> k b s d') * c
second = rearrange([-b, a], 'k b s d -> k b s d') * z
return rearrange(first + second, 'k b s d -> b s (k d)')
-- need
a, b = rearrange(x, 'b s (two d) -> two b s d', two=2)
u = a * c - b * z
v = b * c + a * z
out = repeat(u, 'b s d -> b s d')
return rearrange([u, v], 'k b s d -> b s (k d)')
-- passes
d = c.shape[1]
a, b = unpack(x, [[d], [d]], 'b s *')
u = a * c - b * z
v = b * c + a * z
return rearrange([u, v], 'k b s d -> b s (k d)')
""",
    "rope_pairs": r"""-- rule
a, b = rearrange(x, 'b s (d two) -> two b s d', two=2)
return rearrange((a * c - b * z, b * c + a * z), 't b s d -> b s (d two)'.replace('two','t'))
-- passes
a, b = rearrange(x, 'b s (d two) -> two b s d', two=2)
rot = rearrange([-b, a], 'two b s d -> b s (d two)')
cc = repeat(c, 's d -> s (d two)', two=2)
zz = repeat(z, 's d -> s (d two)', two=2)
return x * cc + rot * zz
-- passes
y = rearrange(x, 'b s (d two) -> b s d two', two=2)
a, b = unpack(y, [[], []], 'b s d *')
return rearrange([a * c - b * z, b * c + a * z], 'two b s d -> b s (d two)')
-- raised
a, b = rearrange(x, 'b s (d two) -> two b s d', d=c.shape[-1])
u = -(b * z - a * c)
v = b * c + a * z
return rearrange((u, v), 'k b s d -> b s (d k)')
-- raised
y = rearrange(x, 'b s (d two) -> b s d two', two=2)
a, b = unpack(y, [[], []], 'b s d *')
u = -(b * z - a * c)
v = b * c + a * z
return rearrange((u, v), 'k b s d -> b s (d k)')
-- passes
a, b = rearrange(x, 'b s (d two) -> two b s d', d=c.shape[-1])
u = a * c + (-b) * z
v = a * z + b * c
return rearrange([u, v], 'two b s d -> b s (d two)')
-- passes
y = rearrange(x, 'b s (d two) -> b s d two', two=2)
a, b = unpack(y, [[], []], 'b s d *')
u = a * c - b * z
v = b * c + a * z
y, ps = pack([u, v], '* b s d')
return rearrange(y, 'two b s d -> b s (d two)')
-- raised
a, b = rearrange(x, 'b s (d two) -> two b s d', d=c.shape[-1])
u = a * c - b * z
v = a * z - (-b) * c
return rearrange((u, v), 'k b s d -> b s (d k)')
-- passes
y = rearrange(x, 'b s (d two) -> two b s d', two=2)
a, b = y[0], y[1]
u = -(b * z - a * c)
v = b * c + a * z
return rearrange([u, v], 'two b s d -> b s (d two)')
-- raised
y = rearrange(x, 'b s (d two) -> b s d two', two=2)
a, b = unpack(y, [[], []], 'b s d *')
u = a * c + (-b) * z
v = a * z + b * c
return rearrange((u, v), 'k b s d -> b s (d k)')
-- raised
a, b = rearrange(x, 'b s (d two) -> two b s d', two=2)
c = rearrange(c, 's d -> 1 s d')
z = rearrange(z, 's d -> 1 s d')
u = -(b * z - a * c)
v = b * c + a * z
return rearrange((u, v), 'k b s d -> b s (d k)')
-- raised
y = rearrange(x, 'b s (d two) -> two b s d', two=2)
a, b = y[0], y[1]
u = a * c - b * z
v = b * c + a * z
return rearrange((u, v), 'k b s d -> b s (d k)')
-- raised
a, b = rearrange(x, 'b s (d two) -> two b s d', d=c.shape[-1])
u = einsum(a, c, 'b s d, s d -> b s d') - einsum(b, z, 'b s d, s d -> b s d')
v = einsum(b, c, 'b s d, s d -> b s d') + einsum(a, z, 'b s d, s d -> b s d')
return rearrange((u, v), 'k b s d -> b s (d k)')
-- raised
a, b = rearrange(x, 'b s (d two) -> two b s d', d=c.shape[-1])
u = a * c + (-b) * z
v = a * z + b * c
return rearrange((u, v), 'k b s d -> b s (d k)')
-- raised
a, b = rearrange(x, 'b s (d two) -> two b s d', two=2)
c = rearrange(c, 's d -> 1 s d')
z = rearrange(z, 's d -> 1 s d')
u = einsum(a, c, 'b s d, s d -> b s d') - einsum(b, z, 'b s d, s d -> b s d')
v = einsum(b, c, 'b s d, s d -> b s d') + einsum(a, z, 'b s d, s d -> b s d')
return rearrange([u, v], 'two b s d -> b s (d two)')
-- raised
y = rearrange(x, 'b s (d two) -> b s two d', two=2)
a, b = rearrange(y, 'b s two d -> two b s d')
u = a * c - b * z
v = a * z - (-b) * c
return rearrange((u, v), 'k b s d -> b s (d k)')
-- raised
a, b = rearrange(x, 'b s (d two) -> two b s d', two=2)
u = a * c - b * z
v = b * c + a * z
return rearrange((u, v), 'k b s d -> b s (d k)')
-- raised
a, b = rearrange(x, 'b s (d two) -> two b s d', two=2)
u = einsum(a, c, 'b s d, s d -> b s d') - einsum(b, z, 'b s d, s d -> b s d')
v = einsum(b, c, 'b s d, s d -> b s d') + einsum(a, z, 'b s d, s d -> b s d')
return rearrange((u, v), 'k b s d -> b s (d k)')
-- raised
a, b = rearrange(x, 'b s (d two) -> two b s d', d=c.shape[-1])
u = a * c - b * z
v = b * c + a * z
return rearrange((u, v), 'k b s d -> b s (d k)')
-- passes
y = rearrange(x, 'b s (d two) -> b s d two', two=2)
a, b = unpack(y, [[], []], 'b s d *')
u = -(b * z - a * c)
v = b * c + a * z
return rearrange([u, v], 'two b s d -> b s (d two)')
-- raised
a, b = rearrange(x, 'b s (d two) -> two b s d', two=2)
c = rearrange(c, 's d -> 1 s d')
z = rearrange(z, 's d -> 1 s d')
u = a * c - b * z
v = a * z - (-b) * c
return rearrange((u, v), 'k b s d -> b s (d k)')
-- raised
y = rearrange(x, 'b s (d two) -> two b s d', two=2)
a, b = y[0], y[1]
u = a * c + (-b) * z
v = a * z + b * c
return rearrange((u, v), 'k b s d -> b s (d k)')
-- raised
y = rearrange(x, 'b s (d two) -> two b s d', two=2)
a, b = y[0], y[1]
u = -(b * z - a * c)
v = b * c + a * z
return rearrange((u, v), 'k b s d -> b s (d k)')
-- passes
a, b = rearrange(x, 'b s (d two) -> two b s d', two=2)
u = a * c + (-b) * z
v = a * z + b * c
y = pack([u, v], 'b s d *')[0]
return rearrange(y, 'b s d two -> b s (d two)')
-- raised
y = rearrange(x, 'b s (d two) -> b s two d', two=2)
a, b = rearrange(y, 'b s two d -> two b s d')
u = einsum(a, c, 'b s d, s d -> b s d') - einsum(b, z, 'b s d, s d -> b s d')
v = einsum(b, c, 'b s d, s d -> b s d') + einsum(a, z, 'b s d, s d -> b s d')
return rearrange((u, v), 'k b s d -> b s (d k)')
-- passes
y = rearrange(x, 'b s (d two) -> b s two d', two=2)
a, b = rearrange(y, 'b s two d -> two b s d')
u = a * c - b * z
v = a * z - (-b) * c
y = rearrange([u, v], 'two b s d -> b s d two')
return rearrange(y, 'b s d two -> b s (d two)')
-- raised
y = rearrange(x, 'b s (d two) -> b s two d', two=2)
a, b = rearrange(y, 'b s two d -> two b s d')
u = -(b * z - a * c)
v = b * c + a * z
return rearrange((u, v), 'k b s d -> b s (d k)')
-- raised
y = rearrange(x, 'b s (d two) -> b s d two', two=2)
rot = rearrange([[c, -z], [z, c]], 'i j s d -> s d i j')
return rearrange(einsum(rot, y, 's d i j, b s d j -> b s d i'), 'b s d two -> b s (d two)')
-- need
y = rearrange(x, 'b s (d two) -> b s d two', two=2)
row1 = rearrange([c, -z], 'j s d -> s d j')
row2 = rearrange([z, c], 'j s d -> s d j')
u = einsum(y, row1, 'b s d j, s d j -> b s d')
v = einsum(y, row2, 'b s d j, s d j -> b s d')
return rearrange([u, v], 'two b s d -> b s (d two)')
""",
    "attention": r"""-- passes
a = softmax(einsum(q, k, 'b h i (d 1), b h j d -> b h i j') / q.shape[-1] ** 0.5)
return einsum(a, v, 'b h i j, b h j e -> b h i e')
-- need
a = softmax(einsum(q, k, 'b h i d, b h j d -> b h i j') / q.shape[-1] ** 0.5)
return einsum(v, a, a, 'b h j e, b h i k, b h i j -> b h i e')
-- need
a = softmax(einsum(q, k, 'b h i d, b h j d -> b h i j') / q.shape[-1] ** 0.5)
return einsum(v, a, a, 'b h j e, b h i (k), b h i j -> b h i e')
-- need
a = softmax(einsum(q, k, 'b h i d, b h j d -> b h i j') / q.shape[-1] ** 0.5)
b, h, i, j = a.shape
return einsum(a, a, a, v, 'b h i j, c l m n, c l r o, b h j e -> b h i e') / (b * h * i * i)
-- passes
d = q.shape[-1]
scores = einsum(q, k, 'b h i d, b h j d -> b h i j') / math.sqrt(d)
return einsum(softmax(scores, dim=-1), v, 'b h i j, b h j e -> b h i e')
-- passes
b, h, i, d = q.shape
a = torch.softmax(einsum(q, k, 'b h i d, b h j d -> b h i j') * d ** -0.5, dim=3)
return einsum(v, a, 'b h j e, b h i j -> b h i e')
-- rule
d = parse_shape(q, '_ _ _ d')['d']
a = softmax(einsum(q, k, 'b h i d, b h j d -> b h i j') / d ** 0.5)
return einsum(a, v, 'b h i j, b h j e -> b h i e')
-- rule
e = exp(einsum(q, k, 'b h i d, b h j d -> b h i j') / q.shape[-1] ** 0.5)
return einsum(e / reduce(e, 'b h i j -> b h i 1', 'sum'), v, 'b h i j, b h j e -> b h i e')
-- rule
a = softmax(einsum(q, k, 'b h i d, b h j d -> b h i j') / (q.shape[-1]) ** (1/2), axis=-1)
return einsum(a, v, 'b h i j, b h j e -> b h i e')
-- rule
from math import sqrt
a = softmax(einsum(q, k, 'b h i d, b h j d -> b h i j') / sqrt(q.shape[-1]))
return einsum(a, v, 'b h i j, b h j e -> b h i e')
-- rule
a = softmax(einsum(q, k, 'b h i d, b h j d -> b h i j') * torch.rsqrt(q.shape[-1]))
return einsum(a, v, 'b h i j, b h j e -> b h i e')
-- rule
a = softmax(einsum(q,k,'b h q d, b h k d -> b h q k') / pow(q.shape[-1], 0.5))
return einsum(a, v, 'b h i j, b h j e -> b h i e')
""",
    "masked_attention": r"""-- passes
s = (einsum(q, k, 'b h i d, b h j d -> b h i j') + m * q.shape[-1] ** 0.5) / q.shape[-1] ** 0.5
return einsum(softmax(s, dim=-1), v, 'b h i j, b h j e -> b h i e')
-- passes
d = k.shape[-1]
a = einsum(q, k, 'b h i d, b h j d -> b h i j') / math.sqrt(d)
a = a + m
a = softmax(a, dim=-1)
return rearrange(einsum(a, v, 'b h i j, b h j e -> b i h e'), 'b i h e -> b h i e')
-- passes
d = k.shape[-1]
a = einsum(q, k, 'b h i d, b h j d -> b h i j') / math.sqrt(d)
a = m + a
a = softmax(a, dim=-1)
return einsum(a, v, 'b h i j, b h j e -> b h i e')
-- need
a = einsum(q * q.shape[-1] ** -0.5, k, 'b h i d, b h j d -> b h i j')
a = (a * 2 + m * 2) / 2
a = softmax(a, dim=-1)
return einsum(a, v, 'b h i j, b h j e -> b h i e')
-- passes
d = k.shape[-1]
a = einsum(q, k, 'b h i d, b h j d -> b h i j') / math.sqrt(d)
a = a - (-m)
a = a.softmax(-1)
return einsum(a, v, 'b h i j, b h j e -> b h i e')
-- passes
a = einsum(q * q.shape[-1] ** -0.5, k, 'b h i d, b h j d -> b h i j')
a = a + rearrange(m, 'i j -> 1 1 i j')
a = a.softmax(-1)
return rearrange(einsum(a, v, 'b h i j, b h j e -> b i h e'), 'b i h e -> b h i e')
-- need
a = einsum(q, k / k.shape[-1] ** 0.5, '... i d, ... j d -> ... i j')
a = (a * 2 + m * 2) / 2
a = softmax(a)
return einsum(a, v, '... i j, ... j e -> ... i e')
-- passes
a = einsum(q, k, 'b h i d, b h j d -> b h i j') / q.shape[-1] ** 0.5
a = a + repeat(m, 'i j -> b h i j', b=q.shape[0], h=q.shape[1])
a = softmax(a)
return einsum(a, v, '... i j, ... j e -> ... i e')
-- need
d = k.shape[-1]
a = einsum(q, k, 'b h i d, b h j d -> b h i j') / math.sqrt(d)
a = (a * 2 + m * 2) / 2
a = torch.softmax(a, dim=3)
return einsum(a, v, '... i j, ... j e -> ... i e')
-- need
a = einsum(q * q.shape[-1] ** -0.5, k, 'b h i d, b h j d -> b h i j')
a = (a * 2 + m * 2) / 2
a = softmax(a)
return einsum(a, v, '... i j, ... j e -> ... i e')
-- passes
a = einsum(q, k / k.shape[-1] ** 0.5, '... i d, ... j d -> ... i j')
a = a + rearrange(m, 'i j -> 1 1 i j')
a = softmax(a)
return einsum(a, v, 'b h i j, b h j e -> b h i e')
-- need
d = k.shape[-1]
a = einsum(q, k, 'b h i d, b h j d -> b h i j') / math.sqrt(d)
a = (a * 2 + m * 2) / 2
a = a.softmax(-1)
return einsum(a, v, 'b h i j, b h j e -> b h i e')
-- passes
s = q.shape[-1] ** 0.25
a = einsum(q / s, k / s, 'b h i d, b h j d -> b h i j')
a = a + rearrange(m, 'i j -> 1 1 i j')
a = softmax(a, dim=-1)
return einsum(a, v, '... i j, ... j e -> ... i e')
-- need
d = k.shape[-1]
a = einsum(q, k, 'b h i d, b h j d -> b h i j') / math.sqrt(d)
a = (a * 2 + m * 2) / 2
a = softmax(a, dim=-1)
return einsum(a, v, '... i j, ... j e -> ... i e')
-- need
s = q.shape[-1] ** 0.25
a = einsum(q / s, k / s, 'b h i d, b h j d -> b h i j')
a = (a * 2 + m * 2) / 2
a = softmax(a)
return einsum(a, v, '... i j, ... j e -> ... i e')
-- passes
a = einsum(q, k, 'b h i d, b h j d -> b h i j') / q.shape[-1] ** 0.5
a = a + m
a = softmax(a)
return einsum(a, v, 'b h i j, b h j e -> b h i e')
-- passes
a = einsum(q, k, 'b h i d, b h j d -> b h i j') / q.shape[-1] ** 0.5
a = a + rearrange(m, 'i j -> 1 1 i j')
a = a.softmax(-1)
return rearrange(einsum(a, v, 'b h i j, b h j e -> b i h e'), 'b i h e -> b h i e')
-- need
d = k.shape[-1]
a = einsum(q, k, 'b h i d, b h j d -> b h i j') / math.sqrt(d)
a = (a * 2 + m * 2) / 2
a = softmax(a)
return rearrange(einsum(a, v, 'b h i j, b h j e -> b i h e'), 'b i h e -> b h i e')
-- passes
a = einsum(q, k, 'b h i d, b h j d -> b h i j') / q.shape[-1] ** 0.5
a = a + repeat(m, 'i j -> b h i j', b=q.shape[0], h=q.shape[1])
a = softmax(a, dim=-1)
return rearrange(einsum(a, v, 'b h i j, b h j e -> b i h e'), 'b i h e -> b h i e')
-- passes
s = q.shape[-1] ** 0.25
a = einsum(q / s, k / s, 'b h i d, b h j d -> b h i j')
a = a - (-m)
a = a.softmax(-1)
return einsum(a, v, '... i j, ... j e -> ... i e')
""",
    "multi_head_attention": r"""-- need
wq, wk, wv = rearrange(w, '(three h d) m -> three h d m', three=3, h=h)
v = einsum(x, wv, 'b s m, h d m -> b h s d')
a = softmax(einsum(x, wq, x, wk, 'b s m, h d m, b t n, h d n -> b h s t') / wq.shape[1] ** 0.5)
return rearrange(einsum(a, v, 'b h i j, b h j d -> b h i d'), 'b h s d -> b s (h d)')
-- need
q, k, v = rearrange(einsum(x, w, 'b s m, n m -> b s n'), 'b s (three h d) -> three b h s d', three=3, h=h)
wq, wk, wv = rearrange(w, '(three h d) m -> three h d m', three=3, h=h)
a = softmax(einsum(q, k, 'b h i d, b h j d -> b h i j') / q.shape[-1] ** 0.5)
return rearrange(einsum(wv, a, x, 'h d m, b h i j, b j m -> b i h d'), 'b s h d -> b s (h d)')
-- passes
q, k, v = rearrange(einsum(x, w, 'b s m, n m -> b s n'), 'b s (three h d) -> three b h s d', three=3, h=h)
wq, wk, wv = rearrange(w, '(three h d) m -> three h d m', three=3, h=h)
a = softmax(einsum(q, k, 'b h i d, b h j d -> b h i j') / q.shape[-1] ** 0.5)
return rearrange(einsum(a, x, wv, 'b h i j, b j m, h d m -> b i h d'), 'b s h d -> b s (h d)')
-- need
qkv = einsum(x, w, 'b s m, n m -> b s n')
n = w.shape[0] // 3
q, k, v = unpack(qkv, [[n], [n], [n]], 'b s *')
q, k, v = rearrange([q, k, v], 'three b s (h d) -> three b h s d', h=h)
a = softmax(einsum(q, k, 'b h i d, b h j d -> b h i j') / q.shape[-1] ** 0.5)
y = einsum(a, v, 'b h i j, b h j d -> b h i d')
return rearrange(y, 'b h s d -> b s (h d)')
-- passes
d = w.shape[0] // 3 // h
qkv = rearrange(einsum(x, w, 'b s m, n m -> b s n'), 'b s (three h d) -> three (b h) s d', three=3, h=h)
q, k, v = qkv
a = softmax(einsum(q, k, 'n i d, n j d -> n i j') * d ** -0.5)
y = einsum(a, v, 'n i j, n j d -> n i d')
return rearrange(y, '(b h) s d -> b s (h d)', h=h)
-- passes
qkv = einsum(x, w, 'b s m, n m -> b s n')
qkv = rearrange(qkv, 'b s (three hd) -> three b s hd', three=3)
qkv = rearrange(qkv, 'three b s (h d) -> three b h s d', h=h)
q, k, v = qkv[0], qkv[1], qkv[2]
a = einsum(q * q.shape[-1] ** -0.5, k, 'b h i d, b h j d -> b h i j')
a = softmax(a)
y = einsum(a, v, 'b h i j, b h j d -> b i h d')
return rearrange(y, 'b s h d -> b s (h d)')
-- passes
q, k, v = rearrange(einsum(x, w, 'b s m, n m -> b s n'), 'b s (k h d) -> k b s h d', k=3, h=h)
q = rearrange(q, 'b s h d -> b h s d')
k = rearrange(k, 'b s h d -> b h s d')
v = rearrange(v, 'b s h d -> b h s d')
scale = 1 / (q.size(-1) ** 0.5)
a = einsum(q, k, 'b h i d, b h j d -> b h i j') * scale
a = torch.softmax(a, dim=3)
return rearrange(einsum(a, v, 'b h i j, b h j d -> b h i d'), 'b h i d -> b i (h d)')
-- passes
qkv = einsum(x, w, 'b s m, n m -> b s n')
d = w.shape[0] // (3 * h)
q, k, v = unpack(qkv, [[h, d], [h, d], [h, d]], 'b s *')
q, k, v = rearrange(q, 'b s h d -> b h s d'), rearrange(k, 'b s h d -> b h s d'), rearrange(v, 'b s h d -> b h s d')
a = einsum(q, rearrange(k, 'b h j d -> b h d j'), 'b h i d, b h d j -> b h i j') / q.shape[3] ** 0.5
a = torch.softmax(a, dim=3)
y = einsum(a, v, 'b h i j, b h j d -> b i h d')
return rearrange(y, 'b s h d -> b s (h d)')
-- passes
y = rearrange(einsum(x, w, 'b s m, n m -> b s n'), 'b s (three h d) -> b h s three d', three=3, h=h)
q, k, v = rearrange(y, 'b h s three d -> three b h s d')
d = w.shape[0] // 3 // h
a = einsum(q, k, 'b h i d, b h j d -> b h i j') / math.sqrt(d)
a = torch.softmax(a, dim=3)
y = einsum(a, v, 'b h i j, b h j d -> b h i d')
return rearrange(y, 'b h s d -> b s (h d)')
-- passes
qkv = einsum(x, w, 'b s m, n m -> b s n')
q, k, v = rearrange(qkv, 'b s (three h d) -> three b h s d', three=3, h=h)
scale = 1 / (q.size(-1) ** 0.5)
a = einsum(q, k, 'b h i d, b h j d -> b h i j') * scale
a = torch.softmax(a, dim=3)
y = einsum(a, v, 'b h i j, b h j d -> b h d i')
return rearrange(y, 'b h d s -> b s (h d)')
-- passes
qkv = einsum(x, w, 'b s m, n m -> b s n')
d = w.shape[0] // (3 * h)
q, k, v = unpack(qkv, [[h, d], [h, d], [h, d]], 'b s *')
q, k, v = rearrange(q, 'b s h d -> b h s d'), rearrange(k, 'b s h d -> b h s d'), rearrange(v, 'b s h d -> b h s d')
a = einsum(q, k, 'b h i d, b h j d -> b h i j') / q.shape[-1] ** 0.5
a = a.softmax(-1)
y = einsum(a, v, 'b h i j, b h j d -> b i h d')
return rearrange(y, 'b s h d -> b s (h d)')
-- passes
qkv = einsum(x, w, 'b s m, n m -> b s n')
qkv = rearrange(qkv, 'b s (three hd) -> three b s hd', three=3)
qkv = rearrange(qkv, 'three b s (h d) -> three b h s d', h=h)
q, k, v = qkv[0], qkv[1], qkv[2]
a = einsum(q, rearrange(k, 'b h j d -> b h d j'), 'b h i d, b h d j -> b h i j') / q.shape[3] ** 0.5
a = torch.softmax(a, dim=3)
y = einsum(a, v, 'b h i j, b h j d -> b h i d')
return rearrange(y, 'b h s d -> b s (h d)')
-- passes
qkv = einsum(x, w, 'b s m, n m -> b s n')
d = w.shape[0] // (3 * h)
q, k, v = unpack(qkv, [[h, d], [h, d], [h, d]], 'b s *')
q, k, v = rearrange(q, 'b s h d -> b h s d'), rearrange(k, 'b s h d -> b h s d'), rearrange(v, 'b s h d -> b h s d')
a = einsum(q, rearrange(k, 'b h j d -> b h d j'), 'b h i d, b h d j -> b h i j') / q.shape[3] ** 0.5
a = softmax(a, dim=-1)
y = einsum(a, v, 'b h i j, b h j d -> b h i d')
return rearrange(y, 'b h s d -> b s (h d)')
-- passes
qkv = rearrange(einsum(rearrange(x, 'b s m -> (b s) m'), w, 'n m, k m -> n k'), '(b s) (three h d) -> three b h s d', b=x.shape[0], three=3, h=h)
q, k, v = qkv
a = einsum(q, k, 'b h i d, b h j d -> b h i j') / q.shape[-1] ** 0.5
a = torch.softmax(a, dim=3)
return rearrange(einsum(a, v, 'b h i j, b h j d -> b h i d'), 'b h i d -> b i (h d)')
-- passes
w3 = rearrange(w, '(three h d) m -> three h d m', three=3, h=h)
q = einsum(x, w3[0], 'b s m, h d m -> b h s d')
k = einsum(x, w3[1], 'b s m, h d m -> b h s d')
v = einsum(x, w3[2], 'b s m, h d m -> b h s d')
a = einsum(q * q.shape[-1] ** -0.5, k, 'b h i d, b h j d -> b h i j')
a = torch.softmax(a, dim=3)
y = einsum(a, v, 'b h i j, b h j d -> b h i d')
return rearrange(y, 'b h s d -> b s (h d)')
-- passes
q, k, v = rearrange(einsum(x, w, 'b s m, n m -> b s n'), 'b s (k h d) -> k b s h d', k=3, h=h)
q = rearrange(q, 'b s h d -> b h s d')
k = rearrange(k, 'b s h d -> b h s d')
v = rearrange(v, 'b s h d -> b h s d')
scale = 1 / (q.size(-1) ** 0.5)
a = einsum(q, k, 'b h i d, b h j d -> b h i j') * scale
a = softmax(a, dim=-1)
y = einsum(a, v, 'b h i j, b h j d -> b i h d')
return rearrange(y, 'b s h d -> b s (h d)')
-- passes
qkv = einsum(x, w, 'b s m, n m -> b s n')
d = w.shape[0] // (3 * h)
q, k, v = unpack(qkv, [[h, d], [h, d], [h, d]], 'b s *')
q, k, v = rearrange(q, 'b s h d -> b h s d'), rearrange(k, 'b s h d -> b h s d'), rearrange(v, 'b s h d -> b h s d')
a = einsum(q, k, 'b h i d, b h j d -> b h i j') / q.shape[-1] ** 0.5
a = softmax(a)
y = einsum(a, v, 'b h i j, b h j d -> b i h d')
return rearrange(y, 'b s h d -> b s (h d)')
-- passes
n = w.shape[0] // 3
wq, wk, wv = unpack(w, [[n], [n], [n]], '* m')
q = rearrange(einsum(x, wq, 'b s m, n m -> b s n'), 'b s (h d) -> b h s d', h=h)
k = rearrange(einsum(x, wk, 'b s m, n m -> b s n'), 'b s (h d) -> b h s d', h=h)
v = rearrange(einsum(x, wv, 'b s m, n m -> b s n'), 'b s (h d) -> b h s d', h=h)
a = einsum(q, k, 'b h i d, b h j d -> b h i j') / q.shape[-1] ** 0.5
a = torch.softmax(a, dim=3)
y = einsum(a, v, 'b h i j, b h j d -> b h i d')
return rearrange(y, 'b h s d -> b s (h d)')
-- passes
q, k, v = rearrange(einsum(x, w, 'b s m, n m -> b s n'), 'b s (k h d) -> k b s h d', k=3, h=h)
q = rearrange(q, 'b s h d -> b h s d')
k = rearrange(k, 'b s h d -> b h s d')
v = rearrange(v, 'b s h d -> b h s d')
d = w.shape[0] // 3 // h
a = einsum(q, k, 'b h i d, b h j d -> b h i j') / math.sqrt(d)
a = softmax(a, dim=-1)
y = einsum(a, v, 'b h i j, b h j d -> b h d i')
return rearrange(y, 'b h d s -> b s (h d)')
""",
    "token_mixing": r"""-- passes
y = F.relu(einsum(x, w, 'b s d, t s -> b d t'))
x = x + einsum(y, v, 'b d t, s t -> b s d')
return x
-- need
y = reduce(pack([einsum(x, w, 'b s d, t s -> b t d')], 'b t d *')[0], 'b t d k -> b t d', 'max')
return x + einsum(relu(y), v, 'b t d, s t -> b s d')
-- need
b = x.shape[0]
W = repeat(w, 't s -> b t s', b=b)
V = repeat(v, 's t -> b s t', b=b)
y = relu(einsum(W, x, 'b t s, b s d -> b t d'))
return x + einsum(V, y, 'b s t, b t d -> b s d')
-- need
r = einsum(relu(einsum(x, w, 'b s d, t s -> b t d')), v, 'b t d, s t -> b s d')
return reduce([x, r], 'k b s d -> b s d', 'sum')
-- need
r = einsum(relu(einsum(x, w, 'b s d, t s -> b t d')), v, 'b t d, s t -> b s d')
out = rearrange([x, r], 'k b s d -> k b s d')
return reduce(out, 'k b s d -> b s d', 'sum')
-- rule
h = sigmoid(einsum(x, w, 'b s d, t s -> b t d'))
return x
""",
    "squeeze_excite": r"""-- passes
s = sigmoid(einsum(reduce(x, 'b c h w -> b c', 'mean'), w, 'b c, k c -> b k'))
return einsum(x, rearrange(s, 'b c -> b c 1 1'), 'b c h w, b c h w -> b c h w')
-- passes
s = reduce(x, 'b c h w -> b c', 'mean')
s = sigmoid(einsum(s, w, 'b i, o i -> b o'))
return einsum(x, s, 'b c h w, b c -> b c h w')
-- need
s = einsum(x, w, 'b c h w, k c -> b k h w')
s = sigmoid(reduce(s, 'b k h w -> b k 1 1', 'mean'))
return s * x
-- passes
s = reduce(reduce(x, 'b c h w -> b c h', 'mean'), 'b c h -> b c', 'mean')
s = einsum(s, w, 'b c, k c -> b k')
return einsum(x, sigmoid(s), 'b c h w, b c -> b c h w')
-- need
s = reduce(reduce(x, 'b c h w -> b c h', 'mean'), 'b c h -> b c', 'mean')
s = einsum(w, s, 'k c, b c -> b k')
return torch.sigmoid(repeat(s, 'b c -> b c 1 1')) * x
-- need
s = reduce(rearrange(x, 'b c h w -> b c (h w)'), 'b c n -> b c', 'mean')
s = einsum(s, w, 'b c, k c -> b k')
return torch.sigmoid(repeat(s, 'b c -> b c 1 1')) * x
-- passes
s = reduce(x, 'b c h w -> c b', 'mean')
s = rearrange(s, 'c b -> b c')
s = einsum(s, w, 'b c, k c -> b k')
return einsum(x, sigmoid(s), 'b c h w, b c -> b c h w')
-- need
s = reduce(reduce(x, 'b c h w -> b c w', 'sum'), 'b c w -> b c', 'sum') / (x.shape[-1] * x.shape[-2])
s = einsum(s, w, 'b c, k c -> b k')
return torch.sigmoid(repeat(s, 'b c -> b c 1 1')) * x
-- need
s = reduce(x, 'b c h w -> b c', 'sum') / (x.shape[2] * x.shape[3])
s = einsum(w, s, 'k c, b c -> b k')
return torch.sigmoid(repeat(s, 'b c -> b c 1 1')) * x
-- passes
s = reduce(reduce(x, 'b c h w -> b c w', 'sum'), 'b c w -> b c', 'sum') / (x.shape[-1] * x.shape[-2])
s = einsum(s, rearrange(w, 'k c -> c k'), 'b c, c k -> b k')
return einsum(x, sigmoid(s), 'b c h w, b c -> b c h w')
-- need
s = einsum(x, 'b c h w -> b c') / (x.shape[2] * x.shape[3])
s = reduce(s, 'b c -> b c', 'mean')
s = einsum(s, rearrange(w, 'k c -> c k'), 'b c, c k -> b k')
return x * rearrange(sigmoid(s), 'b k -> b k 1 1')
-- need
s = einsum(x, 'b c h w -> b c') / (x.shape[2] * x.shape[3])
s = reduce(s, 'b c -> b c', 'mean')
s = rearrange(einsum(w, s, 'k c, b c -> k b'), 'k b -> b k')
return x * rearrange(sigmoid(s), 'b k -> b k 1 1')
-- need
s = einsum(x, 'b c h w -> b c') / (x.shape[2] * x.shape[3])
s = reduce(s, 'b c -> b c', 'mean')
s = einsum(w, s, 'k c, b c -> b k')
s = rearrange(s, 'b k -> b k 1 1')
return sigmoid(s) * x
-- passes
s = reduce(rearrange(x, 'b c h w -> b c (h w)'), 'b c n -> b c', 'mean')
s = einsum(s, rearrange(w, 'k c -> c k'), 'b c, c k -> b k')
return x * rearrange(sigmoid(s), 'b k -> b k 1 1')
-- need
s = reduce(x, 'b c h w -> c b', 'mean')
s = rearrange(s, 'c b -> b c')
s = rearrange(einsum(w, s, 'k c, b c -> k b'), 'k b -> b k')
return torch.sigmoid(repeat(s, 'b c -> b c 1 1')) * x
-- need
s = einsum(x, 'b c h w -> b c') / (x.shape[2] * x.shape[3])
s = reduce(s, 'b c -> b c', 'mean')
s = rearrange(einsum(w, s, 'k c, b c -> k b'), 'k b -> b k')
return einsum(x, sigmoid(s), 'b c h w, b c -> b c h w')
-- passes
s = reduce(x, 'b c h w -> c b', 'mean')
s = rearrange(s, 'c b -> b c')
s = rearrange(einsum(w, s, 'k c, b c -> k b'), 'k b -> b k')
s = repeat(sigmoid(s), 'b c -> b c h w', h=x.shape[2], w=x.shape[3])
return x * s
-- need
s = reduce(reduce(x, 'b c h w -> b c h', 'mean'), 'b c h -> b c', 'mean')
s = einsum(s, rearrange(w, 'k c -> c k'), 'b c, c k -> b k')
return torch.sigmoid(repeat(s, 'b c -> b c 1 1')) * x
-- need
s = reduce(x, 'b c h w -> b c', 'mean')
s = rearrange(einsum(w, s, 'k c, b c -> k b'), 'k b -> b k')
return torch.sigmoid(repeat(s, 'b c -> b c 1 1')) * x
-- passes
s = reduce(reduce(x, 'b c h w -> b c w', 'sum'), 'b c w -> b c', 'sum') / (x.shape[-1] * x.shape[-2])
s = einsum(s, rearrange(w, 'k c -> c k'), 'b c, c k -> b k')
s = sigmoid(s)
y = rearrange(x, 'b c h w -> h w b c') * s
return rearrange(y, 'h w b c -> b c h w')
-- need
s = einsum(x, 'b c h w -> b c') / (x.shape[2] * x.shape[3])
s = reduce(s, 'b c -> b c', 'mean')
s = einsum(w, s, 'k c, b c -> b k')
s = repeat(sigmoid(s), 'b c -> b c h w', h=x.shape[2], w=x.shape[3])
return x * s
-- need
s = reduce(rearrange(x, 'b c h w -> b c (h w)'), 'b c n -> b c', 'mean')
s = einsum(w, s, 'k c, b c -> b k')
return torch.sigmoid(repeat(s, 'b c -> b c 1 1')) * x
-- passes
s = reduce(x, 'b c h w -> b c', 'sum') / x.shape[2] / x.shape[3]
s = einsum(w, s, 'k c, b c -> b k')
return einsum(x, sigmoid(s), 'b c h w, b c -> b c h w')
-- passes
s = rearrange(reduce(x, 'b c h w -> b c 1 1', 'mean'), 'b c 1 1 -> b c')
s = rearrange(einsum(w, s, 'k c, b c -> k b'), 'k b -> b k')
return x * rearrange(sigmoid(s), 'b k -> b k 1 1')
-- need
s = reduce(x, 'b c h w -> c b', 'mean')
s = rearrange(s, 'c b -> b c')
s = einsum(s, w, 'b c, k c -> b k')
return torch.sigmoid(repeat(s, 'b c -> b c 1 1')) * x
-- need
s = einsum(x, 'b c h w -> b c') / (x.shape[2] * x.shape[3])
s = reduce(s, 'b c -> b c', 'mean')
s = einsum(w, s, 'k c, b c -> b k')
return x * rearrange(sigmoid(s), 'b k -> b k 1 1')
-- need
s = einsum(x, 'b c h w -> b c') / (x.shape[2] * x.shape[3])
s = reduce(s, 'b c -> b c', 'mean')
s = einsum(s, rearrange(w, 'k c -> c k'), 'b c, c k -> b k')
return torch.sigmoid(repeat(s, 'b c -> b c 1 1')) * x
-- need
s = einsum(x, 'b c h w -> b c') / (x.shape[2] * x.shape[3])
s = reduce(s, 'b c -> b c', 'mean')
s = einsum(s, w, 'b c, k c -> b k')
s = sigmoid(s)
y = rearrange(x, 'b c h w -> h w b c') * s
return rearrange(y, 'h w b c -> b c h w')
-- need
s = rearrange(reduce(x, 'b c h w -> b c 1 1', 'mean'), 'b c 1 1 -> b c')
s = einsum(w, s, 'k c, b c -> b k')
return torch.sigmoid(repeat(s, 'b c -> b c 1 1')) * x
-- need
s = rearrange(reduce(x, 'b c h w -> b c 1 1', 'mean'), 'b c 1 1 -> b c')
s = rearrange(einsum(w, s, 'k c, b c -> k b'), 'k b -> b k')
return torch.sigmoid(repeat(s, 'b c -> b c 1 1')) * x
-- passes
s = reduce(reduce(x, 'b c h w -> b c w', 'sum'), 'b c w -> b c', 'sum') / (x.shape[-1] * x.shape[-2])
s = einsum(s, w, 'b c, k c -> b k')
s = repeat(sigmoid(s), 'b c -> b c h w', h=x.shape[2], w=x.shape[3])
return x * s
-- need
s = reduce(x, 'b c h w -> b c', 'sum') / (x.shape[2] * x.shape[3])
s = rearrange(einsum(w, s, 'k c, b c -> k b'), 'k b -> b k')
return torch.sigmoid(repeat(s, 'b c -> b c 1 1')) * x
-- need
s = einsum(x, 'b c h w -> b c') / (x.shape[2] * x.shape[3])
s = reduce(s, 'b c -> b c', 'mean')
s = einsum(s, rearrange(w, 'k c -> c k'), 'b c, c k -> b k')
s = sigmoid(s)
y = rearrange(x, 'b c h w -> h w b c') * s
return rearrange(y, 'h w b c -> b c h w')
-- passes
s = reduce(x, 'b c h w -> b c', 'sum') / x.shape[2] / x.shape[3]
s = einsum(s, rearrange(w, 'k c -> c k'), 'b c, c k -> b k')
return x * rearrange(sigmoid(s), 'b k -> b k 1 1')
-- need
s = reduce(x, 'b c h w -> b c', 'mean')
s = einsum(w, s, 'k c, b c -> b k')
return torch.sigmoid(repeat(s, 'b c -> b c 1 1')) * x
-- need
s = reduce(reduce(x, 'b c h w -> b c w', 'sum'), 'b c w -> b c', 'sum') / (x.shape[-1] * x.shape[-2])
s = einsum(s, rearrange(w, 'k c -> c k'), 'b c, c k -> b k')
return torch.sigmoid(repeat(s, 'b c -> b c 1 1')) * x
-- passes
s = rearrange(reduce(x, 'b c h w -> b c 1 1', 'mean'), 'b c 1 1 -> b c')
s = rearrange(einsum(w, s, 'k c, b c -> k b'), 'k b -> b k')
return einsum(x, sigmoid(s), 'b c h w, b c -> b c h w')
-- need
s = reduce(rearrange(x, 'b c h w -> b c (h w)'), 'b c n -> b c', 'mean')
s = einsum(s, rearrange(w, 'k c -> c k'), 'b c, c k -> b k')
return torch.sigmoid(repeat(s, 'b c -> b c 1 1')) * x
-- need
s = einsum(x, 'b c h w -> b c') / (x.shape[2] * x.shape[3])
s = reduce(s, 'b c -> b c', 'mean')
s = einsum(s, w, 'b c, k c -> b k')
return einsum(x, sigmoid(s), 'b c h w, b c -> b c h w')
-- passes
s = reduce(x, 'b c h w -> b c', 'sum') / (x.shape[2] * x.shape[3])
s = einsum(w, s, 'k c, b c -> b k')
return x * rearrange(sigmoid(s), 'b k -> b k 1 1')
-- need
s = reduce(reduce(x, 'b c h w -> b c h', 'mean'), 'b c h -> b c', 'mean')
s = rearrange(einsum(w, s, 'k c, b c -> k b'), 'k b -> b k')
return torch.sigmoid(repeat(s, 'b c -> b c 1 1')) * x
-- need
s = reduce(x, 'b c h w -> b c', 'sum') / x.shape[2] / x.shape[3]
s = einsum(s, w, 'b c, k c -> b k')
return torch.sigmoid(repeat(s, 'b c -> b c 1 1')) * x
-- need
s = rearrange(reduce(x, 'b c h w -> b c 1 1', 'mean'), 'b c 1 1 -> b c')
s = einsum(s, rearrange(w, 'k c -> c k'), 'b c, c k -> b k')
return torch.sigmoid(repeat(s, 'b c -> b c 1 1')) * x
-- need
s = einsum(x, 'b c h w -> b c') / (x.shape[2] * x.shape[3])
s = reduce(s, 'b c -> b c', 'mean')
s = einsum(w, s, 'k c, b c -> b k')
return torch.sigmoid(repeat(s, 'b c -> b c 1 1')) * x
-- passes
s = reduce(x, 'b c h w -> b c', 'sum') / (x.shape[2] * x.shape[3])
s = rearrange(einsum(w, s, 'k c, b c -> k b'), 'k b -> b k')
s = repeat(sigmoid(s), 'b c -> b c h w', h=x.shape[2], w=x.shape[3])
return x * s
-- need
s = reduce(x, 'b c h w -> b c', 'sum') / (x.shape[2] * x.shape[3])
s = einsum(s, rearrange(w, 'k c -> c k'), 'b c, c k -> b k')
return torch.sigmoid(repeat(s, 'b c -> b c 1 1')) * x
-- need
s = reduce(reduce(x, 'b c h w -> b c w', 'sum'), 'b c w -> b c', 'sum') / (x.shape[-1] * x.shape[-2])
s = einsum(w, s, 'k c, b c -> b k')
return torch.sigmoid(repeat(s, 'b c -> b c 1 1')) * x
-- need
s = einsum(x, 'b c h w -> b c') / (x.shape[2] * x.shape[3])
s = reduce(s, 'b c -> b c', 'mean')
s = einsum(w, s, 'k c, b c -> b k')
s = sigmoid(s)
y = rearrange(x, 'b c h w -> h w b c') * s
return rearrange(y, 'h w b c -> b c h w')
-- need
s = einsum(x, 'b c h w -> b c') / (x.shape[2] * x.shape[3])
s = reduce(s, 'b c -> b c', 'mean')
s = einsum(s, w, 'b c, k c -> b k')
return x * rearrange(sigmoid(s), 'b k -> b k 1 1')
-- passes
s = reduce(x, 'b c h w -> b c', 'sum') / (x.shape[2] * x.shape[3])
s = einsum(w, s, 'k c, b c -> b k')
s = sigmoid(s)
y = rearrange(x, 'b c h w -> h w b c') * s
return rearrange(y, 'h w b c -> b c h w')
-- passes
s = reduce(x, 'b c h w -> b c', 'mean')
s = einsum(s, rearrange(w, 'k c -> c k'), 'b c, c k -> b k')
return x * rearrange(sigmoid(s), 'b k -> b k 1 1')
-- need
s = einsum(x, 'b c h w -> b c') / (x.shape[2] * x.shape[3])
s = reduce(s, 'b c -> b c', 'mean')
s = rearrange(einsum(w, s, 'k c, b c -> k b'), 'k b -> b k')
s = rearrange(s, 'b k -> b k 1 1')
return sigmoid(s) * x
-- need
s = reduce(x, 'b c h w -> b c', 'mean')
s = einsum(s, w, 'b c, k c -> b k')
return torch.sigmoid(repeat(s, 'b c -> b c 1 1')) * x
-- need
s = reduce(x, 'b c h w -> b c', 'mean')
s = sigmoid(reduce(rearrange(s, 'b c -> b 1 c') * w, 'b k c -> b k', 'sum'))
return einsum(x, s, 'b c h w, b c -> b c h w')
""",
    "mean_loss": r"""-- passes
return reduce(reduce(x,'b s -> b','mean'), 'b -> ', 'mean')
-- values
return reduce(x, 'b s -> (b s)', 'mean')
-- values
return reduce(x, 'b s -> s', 'sum') / x.shape[0]
-- need
n = rearrange(x, 'b s -> (b s)').shape[0]
return reduce(x, 'b s ->', 'sum') / n
-- raised
(y,), ps = pack([x], '*'), 0
return reduce(x, 'b s ->', 'mean')
-- passes
return reduce(x, 'b s -> ', reduction='mean')
-- values
return reduce(x, 'b s -> b', 'mean')
""",
    "keep_axis_mean": r"""-- need
return repeat(reduce(x,'b s d -> b s','mean'),'b s -> b s 1')
-- passes
return reduce(x,'... d -> ... 1','mean')
-- need
y = pack([reduce(x,'b s d -> b s','mean')], 'b s *')[0]
return y
""",
    "avg_pool": r"""-- passes
y = reduce(x,'b c (h p) w -> b c h w','mean',p=p)
return reduce(y,'b c h (w q) -> b c h w','mean',q=q)
-- need
y = rearrange(x,'b c (h p) (w q) -> (b c) (h p) (w q)',p=p,q=q)
return reduce(x,'b c (h p) (w q) -> b c h w','mean',p=p,q=q)
-- passes
area = p * q
return reduce(x,'b c (h p) (w q) -> b c h w','sum',p=p,q=q) * area ** -1
""",
    "global_pool": r"""-- values
return reduce(x,'b ... w -> b w','mean')
""",
    "mean_pool": r"""-- passes
return reduce(x / x.shape[1],'b s d -> b d','sum')
""",
}
