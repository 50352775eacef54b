"""Attempts by copies that are taken away again, by moves that nothing needs, and by factors of 1.

For each exercise: what refuses the attempt, or `passes`, and the lines of `f`.
"""
# ruff: noqa: E501 - an attempt reads best in one piece

COPIES = {
    "sum_heads": r"""-- need
return -reduce(-x, 'b h s d -> b s d', 'sum')
-- need
return reduce(x * 1, 'b h s d -> b s d', 'sum')
-- need
return reduce(x * x.shape[0] ** 0, 'b h s d -> b s d', 'sum')
-- need
return reduce(x * -1, 'b h s d -> b s d', 'sum') * -1
-- need
return reduce(x * x.shape[1], 'b h s d -> b s d', 'mean')
-- need
return reduce(x ** 1, 'b h s d -> b s d', 'sum')
-- need
return reduce(x, 'b h s d -> b s d', 'sum') ** 1
""",
    "trace": r"""-- need
return -einsum(-x, 'b i i -> b')
""",
    "outer_products": r"""-- need
return einsum(x * 1, y, 'b i, b j -> b i j')
-- need
return -einsum(-x, y, 'b i, b j -> b i j')
-- values
return einsum(x * 2, y, 'b i, b j -> b i j')
-- need
return einsum(x ** 1, y, 'b i, b j -> b i j')
-- passes
return reduce(einsum(x, y, 'b i, b j -> b i j'), 'b i j -> b i j', 'sum')
-- passes
z = rearrange(einsum(x, y, 'b i, b j -> b i j'), 'b i j -> b i j 1')
return reduce(z, 'b i j 1 -> b i j', 'sum')
-- passes
z = rearrange(einsum(x, y, 'b i, b j -> b i j'), 'b i j -> b i j 1')
return einsum(z, 'b i j k -> b i j')
-- passes
z = rearrange(x, 'b i -> b i 1')
return einsum(z, y, 'b i k, b j -> b i j')
-- passes
z = rearrange(x, 'b i -> b 1 i')
v=rearrange(y, 'b j -> b 1 j')
return einsum(z, v, 'b k i, b k j -> b i j')
""",
    "attention_scores": r"""-- passes
p = einsum(x, y, 'b h q d, b h k d -> b h q k d')
return einsum(p, 'b h q k d -> b h q k')
-- passes
p = einsum(x, y, 'b h q d, b h k d -> b h q k d')
return reduce(p, 'b h q k d -> b h q k', 'sum')
""",
    "channels_last": r"""-- need
return rearrange(x * 1, 'b c h w -> b h w c')
""",
    "batch_dot": r"""-- need
return einsum(x ** 1, y, 'b d, b d -> b')
""",
    "max_over_time": r"""-- passes
return reduce(rearrange(x, 'b t d -> b t d'), 'b t d -> b d', 'max')
""",
    "mean_loss": r"""-- passes
return reduce(x / x.shape[0], 'b s -> ', 'sum') / x.shape[1]
""",
    "avg_pool": r"""-- need
return -reduce(-x, 'b c (h p) (w q) -> b c h w', 'mean', p=p, q=q)
""",
    "bilinear": r"""-- passes
p = einsum(x, w, y, 'b i, o i j, b j -> b o i j')
return einsum(p, 'b o i j -> b o')
""",
    "linear": r"""-- need
return -einsum(x, -w, 'b s d, e d -> b s e')
""",
    "moe_combine": r"""-- passes
p = einsum(x, y, 's e c, e c d -> s e c d')
return reduce(p, 's e c d -> s d', 'sum')
""",
    "rms_norm": r"""-- passes
return x * rsqrt(reduce(x * x, 'b s d -> b s 1', 'mean')) * g
-- need
y = x * rsqrt(reduce(x * x, 'b s d -> b s 1', 'mean')) * g
return reduce(repeat(y,'b s d -> b n s d',n=100),'b n s d -> b s d','mean')
-- need
m = reduce(repeat(x * x,'b s d -> b s d n',n=100), 'b s d n -> b s 1', 'mean')
return x*rsqrt(m)*g
-- need
m = reduce(repeat(x * x,'b s d -> b s d n',n=4096), 'b s d n -> b s 1', 'mean')
return x*rsqrt(m)*g
-- need
y = repeat(x,'b s d -> n b s d',n=1000)
return x * rsqrt(reduce(y * y, 'n b s d -> b s 1', 'mean')) * g
-- need
y = repeat(x,'b s d -> n b s d',n=4096)
return x * rsqrt(reduce(y * y, 'n b s d -> b s 1', 'mean')) * g
-- passes
y = x * x
r = rsqrt(reduce(y,'b s d -> b s 1','mean'))
return x * r * g
-- values
return g * sqrt(x * x / reduce(x * x,'b s d -> b s 1','mean'))
-- values
return (x * x / reduce(x * x,'b s d -> b s 1','mean'))**0.5 * g
-- passes
s = reduce(x * x, 'b s d -> b s 1', 'sum')
return sqrt(x.shape[2] / s) * (x * g)
-- values
s = reduce(x * x, 'b s d -> b s 1', 'sum')
return x * sqrt(g * g * x.shape[2] / s)
-- passes
x = x*x.shape[2]
return x * rsqrt(reduce(x * x, 'b s d -> b s 1', 'mean')) * g
-- passes
x = x/x.shape[2]
return x * rsqrt(reduce(x * x, 'b s d -> b s 1', 'mean')) * g
-- need
x = x/(x.shape[2]*x.shape[1]*x.shape[0])
return x * rsqrt(reduce(x * x, 'b s d -> b s 1', 'mean')) * g
-- need
m = reduce(x * x, 'b s d -> b s 1', 'mean')
return x*(sqrt(m)/m)*g
-- need
m = reduce(x * x, 'b s d -> b s 1', 'mean')
return g*(x*m**-0.5)**1
-- values
m = reduce(x ** 2 / x, 'b s d -> b s 1', 'mean')
return g*(x*m**-0.5)
""",
    "squeeze_excite": r"""-- passes
s = reduce(x,'b c h w -> b c 1 1','mean')
s = sigmoid(einsum(s, w, 'b c i j, k c -> b k i j'))
return rearrange(rearrange(x,'b c h w -> b c w h') * s, 'b c w h -> b c h w')
-- passes
s = reduce(x,'b c h w -> b c 1 1','mean')
s = sigmoid(einsum(s, w, 'b c i j, k c -> b k i j'))
return rearrange(rearrange(x,'b c h w -> b c (h w) 1') * s, 'b c (h w) 1 -> b c h w', h=x.shape[2])
-- passes
s = reduce(x,'b c h w -> b c','mean')
s = sigmoid(einsum(s, w, 'b c, k c -> b k'))
y = einsum(rearrange(x,'b c h w -> b c (h w)'), s, 'b c n, b c -> b c n')
return rearrange(y,'b c (h w) -> b c h w', h=x.shape[2])
-- passes
s = reduce(x,'b c h w -> b c','mean')
s = sigmoid(einsum(s, w, 'b c, k c -> b k'))
y = einsum(rearrange(x,'b c h w -> b c w h'), s, 'b c h w, b c -> b c h w')
return rearrange(y,'b c w h -> b c h w')
-- raised
s = reduce(x,'b c h w -> b c','mean')
s = sigmoid(einsum(s, w, 'b c, k c -> b k'))
y = einsum(x, s, 'b c h w, b c -> b c (h w)')
return rearrange(y,'b c (h w) -> b c h w', h=x.shape[2])
-- passes
s = reduce(rearrange(x,'b c h w -> b c (h w)'),'b c n -> b c','mean')
s = sigmoid(einsum(s, w, 'b c, k c -> b k'))
return einsum(x, s, 'b c h w, b c -> b c h w')
-- need
s = sigmoid(einsum(reduce(x, 'b c h w -> b c', 'mean'), w, 'b c, k c -> b k'))
y = x * rearrange(s, 'b c -> b c 1 1')
return reduce(repeat(y,'b c h w -> b c h w k',k=w.shape[0]),'b c h w k -> b c h w','mean')
-- need
x = reduce(repeat(x,'b c h w -> b c h w k',k=w.shape[0]),'b c h w k -> b c h w','mean')
s = sigmoid(einsum(reduce(x, 'b c h w -> b c', 'mean'), w, 'b c, k c -> b k'))
return x * rearrange(s, 'b c -> b c 1 1')
-- need
s = sigmoid(einsum(reduce(x, 'b c h w -> b c', 'mean'), w, 'b c, k c -> b k'))
s = rearrange(s, 'b c -> b c 1 1')
return reduce(repeat(x,'b c h w -> k b c h w',k=w.shape[0])*s,'k b c h w -> b c h w','mean')
-- passes
s = einsum(reduce(x, 'b c h w -> b c', 'mean'), w, 'b c, k c -> b k')
s = rearrange(sigmoid(s), 'b c -> b c 1 1')
return x * s
-- need
s = einsum(reduce(x, 'b c h w -> b c', 'mean'), w, 'b c, k c -> b k')
s = rearrange(sigmoid(s), 'b c -> b c 1 1')
return x*s*s/s
-- values
x = rearrange(x,'b c h w -> b c (h w)')
p = reduce(x,'b c n -> b c 1','mean')
s = sigmoid(einsum(p, w, 'b c i, k c -> b k i'))
return rearrange(x*s,'b c (h w) -> b c h w',h=x.shape[2])
-- passes
p = reduce(x,'b c h w -> b c 1 1','mean')
s = sigmoid(einsum(rearrange(p,'b c i j -> (b i j) c'), w, 'r c, k c -> r k'))
return einsum(x,s,'b c h w, b c -> b c h w')
-- passes
p = reduce(x,'b c h w -> b c 1 1','mean')
s = sigmoid(einsum(p, w, 'b c i j, k c -> b k i j'))
return rearrange(x*s,'b c h w -> b c h w')
-- passes
p = reduce(x,'b c h w -> b c 1 1','mean')
s = sigmoid(einsum(p, w, 'b c i j, k c -> b k i j'))
s = rearrange(s,'b c i j -> (b c) (i j)')
return x*rearrange(s,'(b c) (i j) -> b c i j',b=x.shape[0],i=1)
-- passes
p = reduce(x,'b c h w -> b c 1 1','mean')
s = sigmoid(einsum(p, rearrange(w,'k c -> c k'), 'b c i j, c k -> b k i j'))
return x*s
-- raised
p = reduce(x,'b c h w -> b c 1 1','mean')
s = sigmoid(einsum(p, rearrange(w,'k c -> (k c)'), 'b c i j, n -> b n i j'))
return x*s
-- passes
s = sigmoid(einsum(reduce(x,'b c h w -> b c','mean'), w, 'b c, k c -> b k'))
x = rearrange(x,'b c h w -> h w b c')
return rearrange(x * s,'h w b c -> b c h w')
-- values
x = rearrange(x,'b c h w -> (h w) b c')
s = sigmoid(einsum(reduce(x,'n b c -> b c','mean'), w, 'b c, k c -> b k'))
return rearrange(x * s,'(h w) b c -> b c h w', h=x.shape[0])
-- values
s = sigmoid(einsum(reduce(x,'b c h w -> b c','mean'), w, 'b c, k c -> b k'))
return einsum(x, rearrange(s,'b c -> (b c)'), 'b c h w, n -> b c h w')
-- passes
s = sigmoid(einsum(reduce(x,'b c h w -> b c','mean'), w, 'b c, k c -> b k'))
s = rearrange(s,'b c -> (b c)')
y = einsum(rearrange(x,'b c h w -> (b c) h w'), s, 'n h w, n -> n h w')
return rearrange(y,'(b c) h w -> b c h w', b=x.shape[0])
-- passes
p = reduce(x,'b c h w -> b c','mean')
s = sigmoid(einsum(p, rearrange(w,'k (c n) -> k c n', n=1), 'b c, k c n -> b k'))
return einsum(x, s, 'b c h w, b c -> b c h w')
-- passes
p = reduce(rearrange(x,'b c h w -> b c (h w)'),'b c n -> b c','mean')
s = sigmoid(einsum(p, w, 'b c, k c -> b k'))
return x * reduce(rearrange(s,'b c -> b c'),'b c -> b c 1 1','mean')
-- passes
s = sigmoid(einsum(reduce(x,'b c h w -> b c','mean'), w, 'b c, k c -> b k'))
return x * reduce(s,'b c -> b c 1 1','mean')
-- raised
p = reduce(x,'b c h w -> b c','mean')
s = sigmoid(einsum(rearrange(p,'b c -> (b c)'), w, 'b c, k c -> b k'))
return einsum(x, s, 'b c h w, b c -> b c h w')
-- passes
h = x.shape[2]
x = rearrange(x,'b c h w -> b c (h w)')
p = reduce(x,'b c n -> b c 1','mean')
s = sigmoid(einsum(p, w, 'b c i, k c -> b k i'))
return rearrange(x*s,'b c (h w) -> b c h w',h=h)
-- passes
x = rearrange(x,'b c h w -> b c w h')
p = reduce(x,'b c n m -> b c 1 1','mean')
s = sigmoid(einsum(p, w, 'b c i j, k c -> b k i j'))
return rearrange(x*s,'b c w h -> b c h w')
-- passes
p = reduce(x,'b c h w -> b c','mean')
s = sigmoid(einsum(p, w, 'b c, k c -> b k'))
return einsum(x, rearrange(s,'b (c n) -> b c n',n=1), 'b c h w, b c n -> b c h w')
-- passes
p = reduce(rearrange(x,'b (c n) h w -> b c n h w',n=1),'b c n h w -> b c 1 1','mean')
s = sigmoid(einsum(p, w, 'b c i j, k c -> b k i j'))
return x*s
-- need
p = reduce(x,'b c h w -> b c','mean')
s = sigmoid(repeat(einsum(p, w, 'b c, k c -> b k'),'b k -> n b k',n=4096))
return x*rearrange(s[0],'b c -> b c 1 1')
-- need
p = reduce(x,'b c h w -> b c','mean')
s = rearrange(sigmoid(einsum(p, w, 'b c, k c -> b k')),'b c -> b c 1 1')
return reduce(repeat(x,'b c h w -> n b c h w',n=1000)*s,'n b c h w -> b c h w','mean')
""",
    "rope_halves": r"""-- rule
x1, x2 = unpack(x, [[c.shape[1]], [c.shape[1]]], 'b s *')
return pack([x1 * c - x2 * z, x2 * c + x1 * z], 'b s *')[0]
-- need
x1, x2 = unpack(x, [[c.shape[1]], [c.shape[1]]], 'b s *')
c1 = rearrange(c,'s d -> (s d)')
z1 = rearrange(z,'s d -> (s d)')
x1 = rearrange(x1,'b s d -> b (s d)')
x2 = rearrange(x2,'b s d -> b (s d)')
u = rearrange(x1 * c1 - x2 * z1, 'b (s d) -> b s d', d=c.shape[1])
v = rearrange(x2 * c1 + x1 * z1, 'b (s d) -> b s d', d=c.shape[1])
return pack([u, v], 'b s *')[0]
-- need
x1, x2 = unpack(x, [[c.shape[1]], [c.shape[1]]], 'b s *')
c1 = rearrange(c,'s d -> d s')
z1 = rearrange(z,'s d -> d s')
x1 = rearrange(x1,'b s d -> b d s')
x2 = rearrange(x2,'b s d -> b d s')
u = rearrange(x1 * c1 - x2 * z1, 'b d s -> b s d')
v = rearrange(x2 * c1 + x1 * z1, 'b d s -> b s d')
return pack([u, v], 'b s *')[0]
-- need
x1, x2 = unpack(x, [[c.shape[1]], [c.shape[1]]], 'b s *')
u = x1 * c - x2 * z
v = x2 * c + x1 * z
y=pack([u, v], 'b s *')[0]
return rearrange(rearrange(y,'b s d -> b (s d)'),'b (s d) -> b s d', d=x.shape[2])
-- need
x1, x2 = unpack(x, [[c.shape[1]], [c.shape[1]]], 'b s *')
c = rearrange(c,'s d -> 1 1 (s d)')
c=rearrange(c,'a b (s d) -> a (b s) d',d=z.shape[1])
return pack([x1 * c - x2 * z, x2 * c + x1 * z], 'b s *')[0]
-- need
x1, x2 = unpack(x, [[c.shape[1]], [c.shape[1]]], 'b s *')
c = rearrange(c,'s d -> 1 s d')
return pack([x1 * c - x2 * z, x2 * c + x1 * z], 'b s *')[0]
-- need
x1, x2 = unpack(rearrange(x,'b s d -> (b s) d'), [[c.shape[1]], [c.shape[1]]], 'b *')
x1=rearrange(x1,'(b s) d -> b s d',s=c.shape[0])
x2=rearrange(x2,'(b s) d -> b s d',s=c.shape[0])
return pack([x1 * c - x2 * z, x2 * c + x1 * z], 'b s *')[0]
-- need
x1, x2 = unpack(x, [[c.shape[1]], [c.shape[1]]], 'b s *')
u = rearrange(x1 * c - x2 * z, 'b s d -> b (s d)')
v = x2 * c + x1 * z
u = rearrange(u, 'b (s d) -> b s d', d=c.shape[1])
return pack([u, v], 'b s *')[0]
-- need
x1, x2 = unpack(x, [[c.shape[1]], [c.shape[1]]], 'b s *')
u = rearrange(x1 * c - x2 * z, 'b s d -> b d s')
v = rearrange(x2 * c + x1 * z,'b s d -> b d s')
return rearrange(pack([u, v], 'b * s')[0],'b d s -> b s d')
-- need
x1, x2 = unpack(x, [[c.shape[1]], [c.shape[1]]], 'b s *')
u = rearrange(x1 * c - x2 * z, 'b s d -> (b s) d')
v = rearrange(x2 * c + x1 * z,'b s d -> (b s) d')
return rearrange(pack([u, v], 'n *')[0],'(b s) d -> b s d', b=x.shape[0])
-- need
x1, x2 = rearrange(x, 'b s (two d) -> two b s d', two=2)
u = repeat(x1,'b s d -> n b s d',n=4096) * c
return rearrange([u[0] - x2 * z, x2 * c + x1 * z], 'two b s d -> b s (two d)')
-- need
x1, x2 = rearrange(x, 'b s (two d) -> two b s d', two=2)
x1 = repeat(x1,'b s d -> n b s d',n=1000)
u = x1 * c - x2 * z
v = x2 * c + x1 * z
return rearrange([u[0],v[0]], 'two b s d -> b s (two d)')
-- need
x1, x2 = rearrange(x, 'b s (two d) -> two b s d', two=2)
x1 = repeat(x1,'b s d -> n b s d',n=100)
y=rearrange([x1 * c - x2 * z, x2 * c + x1 * z], 'two n b s d -> n b s (two d)')
return y[-1]
-- need
x = repeat(x,'b s d -> n b s d',n=100)
x1, x2 = rearrange(x, 'n b s (two d) -> two n b s d', two=2)
y=rearrange([x1 * c - x2 * z, x2 * c + x1 * z], 'two n b s d -> n b s (two d)')
return y[0]
-- need
x1, x2 = rearrange(x, 'b s (two d) -> two b s d', two=2)
u = einsum(rearrange([x1,x2],'two b s d -> two b s d'), pack([c,-z],'* s d')[0],'k b s d, k s d -> b s d')
return rearrange([u, x2 * c + x1 * z], 'two b s d -> b s (two d)')
-- need
x1, x2 = unpack(x, [[c.shape[1]], [c.shape[1]]], 'b s *')
c = rearrange(c,'(n s) d -> n s d', n=1)
return pack([x1 * c - x2 * z, x2 * c + x1 * z], 'b s *')[0]
-- need
x1, x2 = unpack(x, [[c.shape[1]], [c.shape[1]]], 'b s *')
x1 = rearrange(x1,'b s (d n) -> (b n) s d', n=1)
return pack([x1 * c - x2 * z, x2 * c + x1 * z], 'b s *')[0]
-- rule
x1, x2 = unpack(rearrange(x,'(n b) s d -> n b s d', n=1), [[c.shape[1]], [c.shape[1]]], 'n b s *')
return pack([x1 * c - x2 * z, x2 * c + x1 * z], 'n b s *')[0][0]
-- need
x1, x2 = unpack(x, [[c.shape[1]], [c.shape[1]]], 'b s *')
y = pack([x1 * c - x2 * z, x2 * c + x1 * z], 'b s *')[0]
return rearrange(y,'(n b) s d -> n b s d',n=1)[0]
""",
    "rope_pairs": r"""-- passes
y = rearrange(x,'b s (d two) -> b s (two d)', two=2)
x1,x2=unpack(y,[[c.shape[1]],[c.shape[1]]],'b s *')
return rearrange(pack([x1 * c - x2 * z, x2 * c + x1 * z], 'b s *')[0],'b s (two d) -> b s (d two)',two=2)
-- need
x1, x2 = rearrange(x, 'b s (d two) -> two b s d', two=2)
u = repeat(x1,'b s d -> n b s d',n=1000) * c
return rearrange([u[0] - x2 * z, x2 * c + x1 * z], 'two b s d -> b s (d two)')
""",
    "token_mixing": r"""-- need
y = relu(einsum(x, w, 'b s d, t s -> b t d'))
z = x + einsum(y, v, 'b t d, s t -> b s d')
return reduce(repeat(z,'b s d -> b t s d',t=w.shape[0]),'b t s d -> b s d','mean')
-- need
x = reduce(repeat(x,'b s d -> b t s d',t=w.shape[0]),'b t s d -> b s d','mean')
y = relu(einsum(x, w, 'b s d, t s -> b t d'))
z = x + einsum(y, v, 'b t d, s t -> b s d')
return z
-- need
y = relu(einsum(x, w, 'b s d, t s -> b t d'))
z = x + einsum(y, v, 'b t d, s t -> b s d')
return reduce(repeat(z,'b s d -> b n s d',n=4096),'b n s d -> b s d','mean')
-- need
y = relu(einsum(x, w, 'b s d, t s -> b t d'))
z = einsum(y, v, 'b t d, s t -> b s d')
return reduce(repeat(x,'b s d -> n b s d',n=1000) + z,'n b s d -> b s d','mean')
-- need
y = relu(einsum(x, w, 'b s d, t s -> b t d'))
z = einsum(y, v, 'b t d, s t -> b s d')
return reduce(repeat(x,'b s d -> t b s d',t=w.shape[0]) + z,'t b s d -> b s d','mean')
-- passes
y = einsum(x, w, 'b s d, t s -> b t d')
return einsum(relu(y), v, 'b t d, s t -> b s d') + x*1
-- need
y = einsum(x, w, 'b s d, t s -> b t d')
y=y - reduce(-relu(-y),'b t d -> b t d','sum')
return einsum(y, v, 'b t d, s t -> b s d') + x
""",
    "masked_attention": r"""-- need
a = einsum(q, k, 'b h i d, b h j d -> b h i j') / q.shape[-1] ** 0.5
y = einsum(softmax(a + m), v, 'b h i j, b h j e -> b h i e')
return reduce(repeat(y,'b h i e -> b h i j e',j=k.shape[2]),'b h i j e -> b h i e','mean')
-- need
a = einsum(q, k, 'b h i d, b h j d -> b h i j') / q.shape[-1] ** 0.5
y = einsum(softmax(a + m), v, 'b h i j, b h j e -> b h i e')
return reduce(repeat(y,'b h i e -> b h i j d e',j=k.shape[2],d=q.shape[3]),'b h i j d e -> b h i e','mean')
-- unreadable
a = einsum(q, k, 'b h i d, b h j d -> b h i j') / q.shape[-1] ** 0.5
y = einsum(reduce(softmax(repeat(a + m,'b h i j -> b h d i j',d=q.shape[3]),'b h d i j -> b h i j','mean'), v, 'b h i j, b h j e -> b h i e')
return y
-- need
a = einsum(q, k, 'b h i d, b h j d -> b h i j') / q.shape[-1] ** 0.5
a = softmax(reduce(repeat(a,'b h i j -> d b h i j',d=q.shape[3]) + m,'d b h i j -> b h i j','mean'))
return einsum(a, v, 'b h i j, b h j e -> b h i e')
-- need
a = einsum(q, k, 'b h i d, b h j d -> b h i j') / q.shape[-1] ** 0.5
a = reduce(softmax(repeat(a + m,'b h i j -> d b h i j',d=q.shape[3])),'d b h i j -> b h i j','mean')
return einsum(a, v, 'b h i j, b h j e -> b h i e')
-- need
a = einsum(q, k, 'b h i d, b h j d -> b h i j') / q.shape[-1] ** 0.5
a = softmax(a + m)
y = einsum(a, v, 'b h i j, b h j e -> b h i e')
return reduce(repeat(y,'b h i e -> (j d) b h i e',d=q.shape[3],j=k.shape[2])*1, 'n b h i e -> b h i e','mean')
-- need
a = einsum(q, k, 'b h i d, b h j d -> b h i j') / q.shape[-1] ** 0.5
a = repeat(a + m,'b h i j -> b h i (j n)',n=3)
a=softmax(a)
a=reduce(a,'b h i (j n) -> b h i j','sum',n=3)
return einsum(a, v, 'b h i j, b h j e -> b h i e')
-- passes
a = einsum(q, k, 'b h i d, b h j d -> b h i j') / q.shape[-1] ** 0.5
a = softmax(a + repeat(m,'i j -> b h i j',b=q.shape[0],h=q.shape[1]))
return einsum(a, v, 'b h i j, b h j e -> b h i e')
-- need
a = einsum(q, k, 'b h i d, b h j d -> b h i j') / q.shape[-1] ** 0.5 + m
a = reduce(softmax(repeat(a,'b h i j -> b h i (n j)',n=1000)),'b h i (n j) -> b h i j','sum',n=1000)
return einsum(a, v, 'b h i j, b h j e -> b h i e')
""",
    "layer_norm": r"""-- need
y = x - reduce(x, 'b s d -> b s 1', 'mean')
return y * rsqrt(reduce(repeat(y * y,'b s d -> b s d n',n=4096), 'b s d n -> b s 1', 'mean'))
-- need
y = x - reduce(repeat(x,'b s d -> b s d n',n=500), 'b s d n -> b s 1', 'mean')
return y * rsqrt(reduce(repeat(y * y,'b s d -> b s d n',n=500), 'b s d n -> b s 1', 'mean'))
-- need
y = repeat(x - reduce(x, 'b s d -> b s 1', 'mean'),'b s d -> n b s d',n=1000)
r = rsqrt(reduce(y * y, 'n b s d -> b s 1', 'mean'))
return (x - reduce(x, 'b s d -> b s 1', 'mean')) * r
-- need
m = reduce(x,'b s d -> b s 1','mean')
y = x - m
u = y*y
return u / y * rsqrt(reduce(u,'b s d -> b s 1','mean'))
-- need
m = reduce(x,'b s d -> b s 1','mean')
y = x - m
return y * rsqrt(reduce(x * y,'b s d -> b s 1','mean'))
-- need
m = reduce(x,'b s d -> b s 1','mean')
v = reduce(x*x,'b s d -> b s 1','mean') - m*m
r = rsqrt(v)
return x / sqrt(v) - m * r
-- passes
m = reduce(x,'b s d -> b s 1','mean')
y = x*x.shape[2] - m*x.shape[2]
return y * rsqrt(reduce(y*y,'b s d -> b s 1','mean'))
-- passes
m = reduce(x,'b s d -> b s 1','sum')
y = x*x.shape[2] - m
return y * rsqrt(reduce(y*y,'b s d -> b s 1','mean'))
-- passes
m = reduce(x,'b s d -> b s 1','mean')
v = reduce(x*x,'b s d -> b s 1','mean') - m*m
r = v**-0.5
y=x*r
return y-m*r
-- need
m = reduce(x,'b s d -> b s 1','mean')
n=m*m
v = reduce(x*x,'b s d -> b s 1','mean') - n
return (x-n/m)/sqrt(v)
-- need
m = reduce(x,'b s d -> b s 1','mean')
y=x-m
v = reduce(y*y,'b s d -> b s 1','mean')
r=v**-0.5
return y/r**-1
-- need
m = reduce(x,'b s d -> b s 1','mean')
y=x-m
v = reduce(y*y,'b s d -> b s 1','mean')
return y*v**0.5/v
""",
    "group_norm": r"""-- need
y = rearrange(x, 'b (g c) s -> b g (c s)', g=g)
y = y - reduce(y, 'b g n -> b g 1', 'mean')
u = repeat(y,'b g n -> m b g n', m=1000)
y = y * rsqrt(reduce(u * u, 'm b g n -> b g 1', 'mean') + 1e-5)
return rearrange(y, 'b g (c s) -> b (g c) s', s=x.shape[-1])
-- need
y = rearrange(x, 'b (g c) s -> b g (c s)', g=g)
y = y - reduce(y, 'b g n -> b g 1', 'mean')
u = repeat(y,'b g n -> m b g n', m=g)
y = y * rsqrt(reduce(u * u, 'm b g n -> b g 1', 'mean') + 1e-5)
return rearrange(y, 'b g (c s) -> b (g c) s', s=x.shape[-1])
-- need
y = rearrange(x, 'b (g c) s -> b g (c s)', g=g)
y = y - reduce(y, 'b g n -> b g 1', 'mean')
u = repeat(y,'b g n -> m b g n', m=x.shape[0])
y = y * rsqrt(reduce(u * u, 'm b g n -> b g 1', 'mean') + 1e-5)
return rearrange(y, 'b g (c s) -> b (g c) s', s=x.shape[-1])
-- need
y = rearrange(x, 'b (g c) s -> b g (c s)', g=g)
m = reduce(y, 'b g n -> b g 1', 'mean')
r = rsqrt(reduce(y * y, 'b g n -> b g 1', 'mean') + 1e-5 - m * m)
return rearrange(y * r - m * r, 'b g (c s) -> b (g c) s', s=x.shape[-1])
-- need
y = rearrange(x, 'b (g c) s -> b g (c s)', g=g)
m = reduce(y, 'b g n -> b g 1', 'mean')
r = rsqrt(reduce(y * y, 'b g n -> b g 1', 'mean') - (m * m - 1e-5))
return rearrange(y * r - m * r, 'b g (c s) -> b (g c) s', s=x.shape[-1])
-- passes
y = rearrange(x, 'b (g c) s -> b g (c s)', g=g)
m = reduce(y, 'b g n -> b g 1', 'mean')
y = y - m
v = reduce(y * y, 'b g n -> b g 1', 'mean') + 1e-5
return rearrange(y * v ** -0.5, 'b g (c s) -> b (g c) s', s=x.shape[-1])
-- passes
y = rearrange(x, 'b (g c) s -> b g (c s)', g=g)
m = reduce(y, 'b g n -> b g 1', 'mean')
y = y - m
v = reduce(y * y, 'b g n -> b g 1', 'sum') + 1e-5 * (x.shape[1]//g*x.shape[2])
return rearrange(y * rsqrt(v / (x.shape[1]//g*x.shape[2])), 'b g (c s) -> b (g c) s', s=x.shape[-1])
-- need
y = rearrange(x, 'b (g c) s -> b g (c s)', g=g)
y = y - reduce(y, 'b g n -> b g 1', 'mean')
v = reduce(y * y, 'b g n -> b g 1', 'mean') + 1e-5
return rearrange(y*v**0.5/v, 'b g (c s) -> b (g c) s', s=x.shape[-1])
""",
    "attention": r"""-- passes
a = softmax(einsum(q*q.shape[3]**0.5, k, 'b h i d, b h j d -> b h i j') / q.shape[-1])
return einsum(a, v, 'b h i j, b h j e -> b h i e')
-- need
a = softmax(einsum(q*q.shape[3], k, 'b h i d, b h j d -> b h i j') / q.shape[-1]**1.5)
return einsum(a, v, 'b h i j, b h j e -> b h i e')
-- passes
a = softmax(einsum(q, k, 'b h i d, b h j d -> b h j i') / q.shape[-1]**0.5, dim=2)
return einsum(a, v, 'b h j i, b h j e -> b h i e')
-- passes
a = softmax(einsum(q, k, 'b h i d, b h j d -> b h i j') / q.shape[-1]**0.5)
return einsum(reduce(a,'b h i j -> b h i j','mean'), v, 'b h i j, b h j e -> b h i e')
""",
    "multi_head_attention": r"""-- passes
d = w.shape[0] // (3 * h)
qkv = einsum(x, w, 'b s m, n m -> b s n')
q,k,v = unpack(qkv,[[h,d],[h,d],[h,d]],'b s *')
a = softmax(einsum(q, k, 'b i h d, b j h d -> b h i j') / d ** 0.5)
y = einsum(a, v, 'b h i j, b j h d -> b i h d')
return rearrange(y,'b s h d -> b s (h d)')
-- rule
d = w.shape[0] // (3 * h)
qkv = einsum(x, w, 'b s m, n m -> b s n')
q,k,v = unpack(qkv,[[h,d],[h,d],[h,d]],'b s *')
a = softmax(einsum(q, k, 'b i h d, b j h d -> b h i j') / d ** 0.5)
y = einsum(a, v, 'b h i j, b j h d -> b i h d')
return reduce(y,'b s h d -> b s (h d)','sum')
-- need
d = w.shape[0] // (3 * h)
x2 = rearrange(x,'b s m -> (b s) m')
qkv = einsum(x2, w, 'r m, n m -> r n')
qkv = rearrange(qkv,'(b s) n -> b s n',b=x.shape[0])
q,k,v = unpack(qkv,[[h,d],[h,d],[h,d]],'b s *')
a = softmax(einsum(q, k, 'b i h d, b j h d -> b h i j') / d ** 0.5)
y = einsum(a, v, 'b h i j, b j h d -> b i h d')
return reduce(y,'b s h d -> b s (h d)','sum')
-- need
qkv = einsum(x, w, 'b s m, n m -> b s n')
q, k, v = rearrange(qkv, 'b s (three h d) -> three b h s d', three=3, h=h)
a = softmax(repeat(einsum(q, k, 'b h i d, b h j d -> b h i j'),'b h i j -> n b h i j',n=100) / q.shape[-1] ** 0.5)
y = einsum(a[0], v, 'b h i j, b h j d -> b h i d')
return rearrange(y, 'b h s d -> b s (h d)')
""",
}
