"""Attempts to pack rows, to merge axes and to reckon with lengths: right ones pass, for all sizes."""
# ruff: noqa: E501 - an attempt reads best in one piece

ROWS = {
    "split_heads": r"""-- rule
b, s, w = x.shape
assert w % h == 0
return rearrange(x,'b s (h d) -> b h s d', h=h)
-- rule
d = x.shape[-1] / h
return rearrange(x,'b s (h d) -> b h s d', h=h, d=int(d))
-- need
sizes = parse_shape(x, 'b s w')
return rearrange(x,'b s (h d) -> b h s d', h=h)
-- rule
sizes = parse_shape(x, 'b s w')
return rearrange(x,'b s (h d) -> b h s d', d=sizes['w'] // h)
-- rule
sizes = parse_shape(x, 'b s _')
return rearrange(x,'b s (h d) -> b h s d', h=h, **sizes)
-- passes
(b, s, w) = x.shape
d = w//h
y = rearrange(x,'b s (h d) -> b h s d', d=d)
return y
-- need
parts = unpack(x, [[x.shape[2]//h]]*h, 'b s *')
return rearrange(parts, 'h b s d -> b h s d')
-- need
return rearrange(unpack(x, [[h, x.shape[2]//h]], 'b s *')[0], 'b s h d -> b h s d')
-- need
y, = unpack(x, [[h, -1]], 'b s *')
return rearrange(y, 'b s h d -> b h s d')
-- passes
y = rearrange(x,'b1 s_1 (h d2) -> b1 h s_1 d2',h=h)
return y
-- rule
y = rearrange(x,'b s (h d) -> b h s d',**{'h':h})
return y
-- rule
y = rearrange(x,'b s (h d) -> b h s d',**dict(h=h))
return y
-- rule
y = rearrange(x,'b s (h d) -> b h s d',h=h)
assert y.shape[1] == h
return y
""",
    "merge_heads": r"""-- need
y = rearrange(x,'b h s d -> b s h d')
return pack([y],'b s *')[0]
-- need
y = rearrange(x,'b h s d -> b s h d')
z, ps = pack([y],'b s *')
return z
""",
    "patchify": r"""-- passes
b,c,H,W = x.shape
h = H//p
w = W//q
return rearrange(x,'b c (h p) (w q) -> b (h w) (p q c)', h=h, w=w)
""",
    "depth_to_space": r"""-- passes
c = x.shape[1]//p//q
return rearrange(x,'b (c p q) h w -> b c (h p) (w q)', c=c, q=q)
""",
    "channels_last": r"""-- passes
b,c,h,w=x.shape
y = rearrange(x,'b c h w -> b c (h w)')
y=rearrange(y,'b c n -> b n c')
return rearrange(y,'b (h w) c -> b h w c',h=h)
""",
    "qkv_split": r"""-- need
w = x.shape[-1]//k
parts = unpack(x,[[w]]*k,'b s *')
return rearrange(parts,'k b s (h d) -> k b h s d',h=h)
""",
    "group_tokens": r"""-- need
return unpack(rearrange(x,'(b g) s d -> g b s d', g=g), [[g]], '* b s d')[0]
""",
    "ungroup_tokens": r"""-- passes
y = rearrange(x,'g b s d -> b g s d')
return rearrange(y,'b g s d -> (b g) s d')
-- need
y = rearrange(x,'g b s d -> b g s d')
y,_ = pack([y], '* s d')
return y
""",
    "transpose_keys": r"""-- passes
b = x.shape[0]
y = rearrange(x,'b h s d -> (b h) s d')
y = rearrange(y,'n s d -> n d s')
return rearrange(y,'(b h) d s -> b h d s', b=b)
""",
    "fold_frames": r"""-- rule
y,ps = pack([x],'* c h w')
return y
""",
    "unfold_frames": r"""-- need
y = unpack(x,[[x.shape[0]//t,t]],'* c h w')[0]
return rearrange(y,'b t c h w -> b c t h w')
""",
    "side_by_side": r"""-- passes
x = rearrange(x,'b h w c -> h b w c')
return rearrange(x,'h b w c -> h (b w) c')
""",
    "add_axis": r"""-- rule
y,_=pack([x],'b * s t')
return y
-- rule
return pack([x],'b * s t')[0]
-- rule
return unpack(x,[[1]+[1]],'b * t')
-- need
y=repeat(x,'b s t -> b n s t',n=1)
return rearrange(y,'... -> ...')
""",
    "drop_axis": r"""-- passes
b,one,d = x.shape
return rearrange(x,'b one d -> b (one d)')
-- rule
return reduce(x,'b n d -> b d','max')
""",
    "column_vectors": r"""-- passes
b,d=x.shape
return rearrange(x,'b (d k) -> b d k',d=d)
-- need
b,d=x.shape
y=rearrange(rearrange(x,'b (… d)->b d …',d=d),'... k->(k ...)')
y=rearrange(rearrange(y,'(d b …)->b d …',b=b,d=d),'... k->(k ...)')
y=rearrange(rearrange(y,'(d b …)->b d …',b=b,d=d),'... k->(k ...)')
y=rearrange(rearrange(y,'(d b …)->b d …',b=b,d=d),'... k->(k ...)')
y=rearrange(rearrange(y,'(d b …)->b d …',b=b,d=d),'... k->(k ...)')
y=rearrange(rearrange(y,'(d b …)->b d …',b=b,d=d),'... k->(k ...)')
y=rearrange(rearrange(y,'(d b …)->b d …',b=b,d=d),'... k->(k ...)')
y=rearrange(rearrange(y,'(d b …)->b d …',b=b,d=d),'... k->(k ...)')
y=rearrange(rearrange(y,'(d b …)->b d …',b=b,d=d),'... k->(k ...)')
y=rearrange(rearrange(y,'(d b …)->b d …',b=b,d=d),'... k->(k ...)')
y=rearrange(rearrange(y,'(d b …)->b d …',b=b,d=d),'... k->(k ...)')
y=rearrange(rearrange(y,'(d b …)->b d …',b=b,d=d),'... k->(k ...)')
y=rearrange(rearrange(y,'(d b …)->b d …',b=b,d=d),'... k->(k ...)')
y=rearrange(rearrange(y,'(d b …)->b d …',b=b,d=d),'... k->(k ...)')
y=rearrange(rearrange(y,'(d b …)->b d …',b=b,d=d),'... k->(k ...)')
y=rearrange(rearrange(y,'(d b …)->b d …',b=b,d=d),'... k->(k ...)')
y=rearrange(rearrange(y,'(d b …)->b d …',b=b,d=d),'... k->(k ...)')
y=rearrange(rearrange(y,'(d b …)->b d …',b=b,d=d),'... k->(k ...)')
y=rearrange(rearrange(y,'(d b …)->b d …',b=b,d=d),'... k->(k ...)')
y=rearrange(rearrange(y,'(d b …)->b d …',b=b,d=d),'... k->(k ...)')
y=rearrange(rearrange(y,'(d b …)->b d …',b=b,d=d),'... k->(k ...)')
y=rearrange(rearrange(y,'(d b …)->b d …',b=b,d=d),'... k->(k ...)')
y=rearrange(rearrange(y,'(d b …)->b d …',b=b,d=d),'... k->(k ...)')
y=rearrange(rearrange(y,'(d b …)->b d …',b=b,d=d),'... k->(k ...)')
y=rearrange(rearrange(y,'(d b …)->b d …',b=b,d=d),'... k->(k ...)')
y=rearrange(rearrange(y,'(d b …)->b d …',b=b,d=d),'... k->(k ...)')
y=rearrange(rearrange(y,'(d b …)->b d …',b=b,d=d),'... k->(k ...)')
y=rearrange(rearrange(y,'(d b …)->b d …',b=b,d=d),'... k->(k ...)')
y=rearrange(rearrange(y,'(d b …)->b d …',b=b,d=d),'... k->(k ...)')
y=rearrange(rearrange(y,'(d b …)->b d …',b=b,d=d),'... k->(k ...)')
y=rearrange(rearrange(y,'(d b …)->b d …',b=b,d=d),'... k->(k ...)')
y=rearrange(rearrange(y,'(d b …)->b d …',b=b,d=d),'... k->(k ...)')
y=rearrange(rearrange(y,'(d b …)->b d …',b=b,d=d),'... k->(k ...)')
y=rearrange(rearrange(y,'(d b …)->b d …',b=b,d=d),'... k->(k ...)')
y=rearrange(rearrange(y,'(d b …)->b d …',b=b,d=d),'... k->(k ...)')
y=rearrange(rearrange(y,'(d b …)->b d …',b=b,d=d),'... k->(k ...)')
y=rearrange(rearrange(y,'(d b …)->b d …',b=b,d=d),'... k->(k ...)')
y=rearrange(rearrange(y,'(d b …)->b d …',b=b,d=d),'... k->(k ...)')
y=rearrange(rearrange(y,'(d b …)->b d …',b=b,d=d),'... k->(k ...)')
y=rearrange(rearrange(y,'(d b …)->b d …',b=b,d=d),'... k->(k ...)')
y=rearrange(rearrange(y,'(d b …)->b d …',b=b,d=d),'... k->(k ...)')
y=rearrange(rearrange(y,'(d b …)->b d …',b=b,d=d),'... k->(k ...)')
y=rearrange(rearrange(y,'(d b …)->b d …',b=b,d=d),'... k->(k ...)')
y=rearrange(rearrange(y,'(d b …)->b d …',b=b,d=d),'... k->(k ...)')
y=rearrange(rearrange(y,'(d b …)->b d …',b=b,d=d),'... k->(k ...)')
y=rearrange(rearrange(y,'(d b …)->b d …',b=b,d=d),'... k->(k ...)')
y=rearrange(rearrange(y,'(d b …)->b d …',b=b,d=d),'... k->(k ...)')
y=rearrange(rearrange(y,'(d b …)->b d …',b=b,d=d),'... k->(k ...)')
return rearrange(y,'(d b)->b d 1',b=b)
""",
    "flatten_all": r"""-- rule
return pack([x],'*')[0]
-- passes
y=rearrange(x,'b s d -> (s b d)')
b=x.shape[0]
d=x.shape[2]
return rearrange(y,'(s b d) -> (b s d)',b=b,d=d)
-- need
n = x.shape[0]
z = unpack(x, [[0], [n]], '* s d')[0]
y = pack([z, z], '* s d')[0]
z = pack([z, y, z], '* s d')[0]
z = pack([z, y, z], '* s d')[0]
z = pack([z, y, z], '* s d')[0]
z = pack([z, y, z], '* s d')[0]
z = pack([z, y, z], '* s d')[0]
z = pack([z, y, z], '* s d')[0]
z = pack([z, y, z], '* s d')[0]
z = pack([z, y, z], '* s d')[0]
z = pack([z, y, z], '* s d')[0]
z = pack([z, y, z], '* s d')[0]
z = pack([z, y, z], '* s d')[0]
z = pack([z, y, z], '* s d')[0]
z = pack([z, y, z], '* s d')[0]
z = pack([z, y, z], '* s d')[0]
z = pack([z, y, z], '* s d')[0]
z = pack([z, y, z], '* s d')[0]
z = pack([z, y, z], '* s d')[0]
z = pack([z, y, z], '* s d')[0]
z = pack([z, y, z], '* s d')[0]
z = pack([z, y, z], '* s d')[0]
z = pack([z, y, z], '* s d')[0]
z = pack([z, y, z], '* s d')[0]
z = pack([z, y, z], '* s d')[0]
z = pack([z, y, z], '* s d')[0]
z = pack([z, y, z], '* s d')[0]
z = pack([z, y, z], '* s d')[0]
z = pack([z, y, z], '* s d')[0]
z = pack([z, y, z], '* s d')[0]
z = pack([z, y, z], '* s d')[0]
z = pack([z, y, z], '* s d')[0]
z = pack([z, y, z], '* s d')[0]
z = pack([z, y, z], '* s d')[0]
z = pack([z, y, z], '* s d')[0]
z = pack([z, y, z], '* s d')[0]
z = pack([z, y, z], '* s d')[0]
z = pack([z, y, z], '* s d')[0]
z = pack([z, y, z], '* s d')[0]
z = pack([z, y, z], '* s d')[0]
z = pack([z, y, z], '* s d')[0]
z = pack([z, y, z], '* s d')[0]
return rearrange(x, 'b s d -> (b s d)')
-- passes
y = rearrange(x, 'batch_dimension sequence_dimension ... -> (batch_dimension sequence_dimension ...)')
return y
-- need
z = x
z = pack([z, z, x], '* s d')[0]
z = pack([z, z, x], '* s d')[0]
z = pack([z, z, x], '* s d')[0]
z = pack([z, z, x], '* s d')[0]
return rearrange(x, 'b s d -> (b s d)')
-- need
b, s, d = x.shape
x1 = reduce(x, 'b s d -> 1 1', 'max')
r = repeat(x1, 's d -> (n s) d', n=b)
t = repeat(x1, 's d -> (n s) d', n=d)
u = repeat(x1, 's d -> (n m s) d', n=b, m=b)
v = repeat(x1, 's d -> (n m s) d', n=b, m=d)
y = pack([x1, r, t, u, v], '* d')[0]
r = repeat(y, 's d -> s (n d)', n=s)
t = repeat(y, 's d -> s (n m d)', n=s, m=s)
u = repeat(y, 's d -> s (n m k d)', n=s, m=s, k=s)
y = pack([y, r, t, u], 's *')[0]
z = pack([y], '*')[0]
n = z.shape[0]
return rearrange(x, 'b s d -> (b s d)')
-- values
x = x * 2
return rearrange(x / 2, 'b s d -> (b s d)')
-- values
x = x * x.shape[0]
return rearrange(x / x.shape[0], 'b s d -> (b s d)')
""",
    "flatten_tokens": r"""-- passes
y = rearrange(x,'... v -> (...) v')
return y
-- need
y,_ = pack([x],'* v')
return rearrange(y,'n v -> n v')
""",
    "unflatten_tokens": r"""-- rule
n,d = x.shape
s=n//b
y=unpack(x,[[b,s]],'* d')
return y[0]
""",
    "mean_pool": r"""-- passes
y = rearrange(x,'b s d -> s b d')
return reduce(y,'s b d -> b d','mean')
-- need
ones = x * 0 + 1
return reduce(x,'b s d -> b d','sum')/reduce(ones,'b s d -> b d','sum')
-- rule
return einsum(x,'b s d -> b d') / x.shape[1]
-- passes
b,s,d = x.shape
return reduce(x / s,'b s d -> b d','sum')
-- rule
n = len(x[0])
return reduce(x,'b s d -> b d','sum') / n
-- rule
return reduce(x,'b s d -> b d','sum') / float(x.shape[1])
-- rule
return torch.mean(x, dim=1)
-- rule
return reduce(x,'b s d -> b d',torch.mean)
-- need
y=repeat(x,'b s d -> b (s n) d',n=x.shape[1])
return reduce(y,'b s d -> b d','mean')
-- need
y=pack([x,x],'b * d')[0]
return reduce(y,'b s d -> b d','mean')
-- passes
s=x.shape[1]
return reduce(x,'b s d -> b d','sum')/s**0.5/s**0.5
-- need
b,s,d=x.shape
return reduce(x,'b s d -> b d','sum')/(s+b-b)
-- passes
b,s,d=x.shape
return reduce(x,'b s d -> b d','sum')/(s*s//s)
-- need
b,s,d=x.shape
return reduce(x,'b s d -> b d','sum')/(s*1.5//1.5)
-- rule
y = reduce(x, 'b s d -> b 1 d', 'mean')
return y[:, 0]
-- passes
y = reduce(x, 'b s d -> 1 b d', 'mean')
return y[0]
""",
    "max_pool": r"""-- need
return -reduce(-x,'b c (h p) (w q) -> b c h w','min',p=p,q=q)
-- passes
b,c,H,W=x.shape
y=rearrange(x,'b c (h p) (w q) -> (b c h w) (p q)',p=p,q=q)
y=reduce(y,'n m -> n','max')
return rearrange(y,'(b c h w) -> b c h w',b=b,c=c,h=H//p)
-- need
y=reduce(x,'b c (h p) (w q) -> b c h w','max',p=p,q=q)
return reduce(y,'b c h w -> b c h w','min')
-- need
y=repeat(x,'b c h w -> b c h w n',n=1)
return reduce(y,'b c (h p) (w q) n -> b c h w','max',p=p,q=q)
-- passes
y = rearrange(x, 'b c (h p) (w q) -> b c h w (p q)', p=p, q=q)
return reduce(y, 'b c h w n -> b c h w', 'max')
""",
    "avg_pool": r"""-- need
b,c,H,W=x.shape
h=H//p
w=W//q
s = reduce(x,'b c (h p) (w q) -> b c h w','sum',h=h,w=w)
return s*h*w/(H*W)
-- passes
y = rearrange(x, 'b c (h p) (w q) -> b c h p w q', p=p, q=q)
y = reduce(y, 'b c h p w q -> b c h w', 'sum')
return y / p / q
-- values
y = reduce(x, 'b c (h p) (w q) -> b c h w', 'sum', p=p, q=q)
return y / (p + q)
""",
    "global_pool": r"""-- passes
y = rearrange(x,'b c h w -> b c (h w)')
n=y.shape[-1]
return reduce(y,'b c n -> b c','sum')/n
""",
    "max_over_time": r"""-- passes
y = reduce(x,'b t ... -> b ...','max')
return y
-- need
y=pack([x,x],'b * d')[0]
return reduce(y,'b t d -> b d','max')
-- need
y=reduce(x,'b t d -> b d','max')
z=reduce(x,'b t d -> b d','min')
return reduce([y,z],'n b d -> b d','max')
""",
    "sum_heads": r"""-- need
return x.shape[1] * reduce(x,'b h s d -> b s d','mean')
-- need
return reduce(x,'b h s d -> b s d','mean') * x.shape[1]
-- rule
return einsum(x,'b h s d -> b s d')
-- need
return reduce(x,'b h s d -> b s d','mean') * x.shape[1] ** 2 / x.shape[1]
-- need
y=repeat(x,'b h s d -> b h s d n',n=2)
return reduce(y,'b h s d n -> b s d','sum')/2
""",
    "group_means": r"""-- passes
b,s,w=x.shape
d=w//g
return reduce(x,'b s (g d) -> b s g','sum',d=d)/d
""",
    "keep_axis_mean": r"""-- passes
m= reduce(x,'... d -> ... ()','mean')
return m
-- need
y = reduce(x, 'b s d -> b s', 'mean')
return repeat(y, 'b s -> b s k', k=1)
""",
    "mean_loss": r"""-- passes
y = rearrange(x,'b s -> (b s)')
return reduce(y,'n -> ','sum')/y.shape[0]
-- passes
rows=reduce(x,'b s -> b','sum')/x.shape[1]
return reduce(rows,'b -> ','sum')/x.shape[0]
-- rule
n=x.numel()
return reduce(x,'b s -> ','sum')/n
""",
    "gqa_repeat": r"""-- passes
n = x.shape[1]*g
y = repeat(x,'b h s d -> b h g s d',g=g)
return rearrange(y,'b h g s d -> b (h g) s d',h=n//g)
-- need
y = repeat(x,'b h s d -> b h g s d',g=g)
return pack([y],'b * s d')[0]
-- passes
b,h,s,d=x.shape
n=h*g
y=repeat(x,'b h s d -> b h g s d',g=n//h)
return rearrange(y,'b h g s d -> b (h g) s d')
-- values
y=repeat(x,'b h s d -> b (g h) s d',g=g)
y=rearrange(y,'b (h g) s d -> b (g h) s d',g=g)
return rearrange(y,'b (g h) s d -> b (h g) s d',g=g)
""",
    "tile_sequence": r"""-- rule
return pack([x]*r,'b * d')[0]
""",
    "broadcast_batch": r"""-- passes
y = rearrange(x,'s d -> 1 s d')
return repeat(y,'1 s d -> b s d',b=b)
""",
    "upsample": r"""-- passes
y = repeat(x,'b c h w -> b c h p w q',p=p,q=q)
return rearrange(y,'b c h p w q -> b c (h p) (w q)')
""",
    "grey_to_colour": r"""-- passes
y = repeat(x,'... -> ... c',c=c)
return y
-- rule
return rearrange([x] * c, 'c h w -> h w c')
-- need
(a, b), (d, e) = repeat(x, 'h w -> n m h w', n=2, m=2)
return repeat(a, 'h w -> h w c', c=c)
""",
    "attention_scores": r"""-- passes
s = einsum(x,y,'... q d, ... k d -> ... q k')
return s
-- passes
s=einsum(x,y,'b h q d, b h ... d -> b h q ...')
return s
""",
    "linear": r"""-- passes
y = einsum(x,w,'... d, e d -> ... e')
return y
""",
    "outer_products": r"""-- rule
x = rearrange(x,'b i -> b i 1')
y=rearrange(y,'b j -> b 1 j')
return x * y
-- passes
z = einsum(y,x,'b j, b i -> b i j')
return z
-- need
z=einsum(x,y,'b i, c j -> b c i j')
return einsum(z,'b b i j -> b i j')
""",
    "batch_dot": r"""-- need
return einsum(x*y,'b d -> b')
-- need
z=x*y
return einsum(z,'b d -> b')
-- need
z=einsum(x,y,'i d, j d -> i j')
return einsum(z,'i i -> i')
-- need
z=einsum(x,y,'b d, c d -> b c')
return einsum(z,'b b -> b')
""",
    "weighted_sum": r"""-- need
z=rearrange(x,'b s -> b s 1') * y
return einsum(z,'b s d -> b d')
-- passes
x=rearrange(x,'b s -> b 1 s')
z=einsum(x,y,'b i s, b s d -> b i d')
return rearrange(z,'b 1 d -> b d')
-- rule
return reduce(rearrange(x, 'b s -> b s 1') * y, 'b s d -> b d', 'sum')
""",
    "moe_combine": r"""-- raised
z=einsum(x,y,'s ..., ... d -> s d')
return z
-- values
s,e,c=x.shape
x=rearrange(x,'s e c -> s (c e)')
y=rearrange(y,'e c d -> (e c) d')
return einsum(x,y,'s n, n d -> s d')
-- need
s,e,c=x.shape
x=rearrange(x,'s e c -> s (e c)')
x=rearrange(x,'s (e c) -> s (c e)',c=e)
y=rearrange(y,'e c d -> (e c) d')
y=rearrange(y,'(e c) d -> (c e) d',c=e)
return einsum(x,y,'s n, n d -> s d')
""",
    "one_by_one": r"""-- passes
z=einsum(x,w,'b c ..., o c -> b o ...')
return z
""",
    "prepend_token": r"""-- passes
b,s,d=y.shape
x=rearrange(x,'b d -> b 1 d')
y=rearrange(y,'b s d -> b (s d)')
x=rearrange(x,'b s d -> b (s d)')
z,_=pack([x,y],'b *')
return rearrange(z,'b (s d) -> b s d',d=d)
-- need
x=repeat(x,'b d -> b 1 d')
return pack([x,y],'b * d')[0]
-- passes
b,s,d=y.shape
z,_=pack([x,y],'b *')
return rearrange(z,'b (s d) -> b s d',d=d)
-- passes
z,_=pack([x,y],'b *')
return rearrange(z,'b (s d) -> b s d',d=x.shape[1])
-- passes
out=pack([x,y],'b * d')
return out[0]
-- need
z, ps = pack([x,y],'b * d')
cls, rest = unpack(z, ps, 'b * d')
return z
-- passes
b,s,d=y.shape
x=rearrange(x,'b d -> (b d)')
y=rearrange(y,'b s d -> (b d) s')
z,_=pack([x,y],'m *')
return rearrange(z,'(b d) s -> b s d',b=b)
-- need
z=pack([x,y],'b * d')[0]
b=x.shape[0]
z=rearrange(z,'b s d -> (b s) d')
return rearrange(z,'(b s) d -> b s d',s=y.shape[1]+1)
-- need
z=pack([x,y],'b * d')[0]
return reduce(z,'b s d -> b s d','max')
-- need
z=pack([x,y,y],'b * d')[0]
return unpack(z,[[y.shape[1]+1],[-1]],'b * d')[0]
-- need
x = repeat(x, 'b d -> b n d', n=1)
return pack([x, y], 'b * d')[0]
-- passes
z, _ = pack([x, y], 'b *')
return rearrange(z, 'b (n d) -> b n d', d=x.shape[-1])
""",
    "image_tokens": r"""-- passes
y=rearrange(y,'b h w d -> b (h w) d')
z,ps=pack([x,y],'b * d')
return z
-- passes
b,s,d=x.shape
z,_=pack([x,y],'b *')
return rearrange(z,'b (n d) -> b n d',d=d)
-- passes
b,s,d=x.shape
x=rearrange(x,'b s d -> b (s d)')
y=rearrange(y,'b h w d -> b (h w d)')
z,_=pack([x,y],'b *')
return rearrange(z,'b (n d) -> b n d',d=d)
-- passes
x=rearrange(x,'b s d -> b d s')
y=rearrange(y,'b h w d -> b d h w')
z,_=pack([x,y],'b d *')
return rearrange(z,'b d n -> b n d')
-- passes
z, _ = pack([x, y], 'b *')
return rearrange(z, 'b (n d) -> b n d', d=x.shape[-1])
""",
    "split_pair": r"""-- passes
a,c=unpack(x,[(p,),(q,)],'b s *')
return [a,c]
-- passes
return unpack(x,[[p],[q]],'batch seq *')
-- rule
return list(unpack(x,[[p],[q]],'b s *'))
-- need
return unpack(x,[[p]]+[[q]],'b s *')
-- passes
[l,r]=unpack(x,[[p],[q]],'b s *')
return [l,r]
-- need
y=rearrange(x,'b s n -> (b s n)')
b,s,n=x.shape
y=rearrange(y,'(m n) -> m n',n=p+q)
l,r=unpack(y,[[p],[q]],'m *')
return [rearrange(l,'(b s) p -> b s p',b=b),rearrange(r,'(b s) q -> b s q',b=b)]
-- passes
y=rearrange(x,'b s n -> n (b s)')
b=x.shape[0]
l,r=unpack(y,[[p],[q]],'* m')
return [rearrange(l,'p (b s) -> b s p',b=b),rearrange(r,'q (b s) -> b s q',b=b)]
-- rule
return unpack(x,[[p],[-1]],'b s *') if False else unpack(x,[[p],[q]],'b s *')
-- need
a,c,e=unpack(x,[[p],[1],[q-1]],'b s *')
return [a,pack([c,e],'b s *')[0]]
-- need
a,c,e=unpack(x,[[p],[q],[-1]],'b s *')
return [a,c]
""",
    "take_image": r"""-- passes
b,n,d=x.shape
text,image=unpack(x,[[s],[n-s]],'b * d')
return rearrange(image,'b (h w) d -> b h w d',h=h)
-- passes
d=x.shape[-1]
y=rearrange(x,'b n d -> b (n d)')
_,image=unpack(y,[[s*d],[h*w*d]],'b *')
return rearrange(image,'b (h w d) -> b h w d',h=h,w=w)
-- passes
d=x.shape[-1]
y=rearrange(x,'b n d -> b (n d)')
_,image=unpack(y,[[s,d],[h,w,d]],'b *')
return image
-- passes
d=x.shape[-1]
y=rearrange(x,'b n d -> b (n d)')
return unpack(y,[[s*d],[h,w,d]],'b *')[1]
-- passes
y=rearrange(x,'b n d -> b d n')
image=unpack(y,[[s],[h,w]],'b d *')[1]
return rearrange(image,'b d h w -> b h w d')
-- rule
*_,image=unpack(x,[[s],[h,w]],'b * d')
return image
-- passes
parts=unpack(x,[[s],[h*w]],'b * d')
img=parts[1]
return rearrange(img,'b (h w) d -> b h w d',h=h)
-- need
parts=unpack(x,[[1]]*s+[[h,w]],'b * d')
return parts[-1]
-- need
parts=unpack(x,[[s]]+[[h,w]],'b * d')
return parts[-1]
-- passes
text,image=unpack(x,[[s],[h*w]],'b * d')
n=image.shape[1]
return rearrange(image,'b (h w) d -> b h w d',h=h,w=n//h)
-- need
return unpack(x,[[s],[h,w],[-1]],'b * d')[1]
-- passes
b, n, d = x.shape
_, image = unpack(x, [[n - h * w], [h, w]], 'b * d')
return image
-- passes
d = x.shape[-1]
flat = rearrange(x, 'b n d -> b (n d)')
text, image = unpack(flat, [[s, d], [h, w, d]], 'b *')
return image
""",
    "image_size": r"""-- need
y=reduce(x,'b c h w -> h w','max')
return parse_shape(y,'h w')
-- need
y=x[0]
return parse_shape(y,'_ h w')
-- rule
y=x[0][0]
return parse_shape(y,'h w')
-- passes
s=parse_shape(x,'_ _ h w')
return s
-- need
y=rearrange(x,'b c h w -> b (c h) w')
y=rearrange(y,'b (c h) w -> b c h w',h=x.shape[1])
return parse_shape(y,'_ h _ w')
""",
    "skip_connection": r"""-- passes
b,c,h,w=x.shape
x=rearrange(x,'b c h w -> b (c h w)')
y=rearrange(y,'b k h w -> b (k h w)')
z,_=pack([x,y],'b *')
return rearrange(z,'b (c h w) -> b c h w',h=h,w=w)
-- passes
b,c,h,w=x.shape
z,_=pack([x,y],'b *')
return rearrange(z,'b (c h w) -> b c h w',h=h,w=w)
-- need
c=x.shape[1]
k=y.shape[1]
z,ps=pack([x,y],'b * h w')
return rearrange(z,'b n h w -> b n h w',n=c+k)
-- raised
z=pack([x,y],'b * h w')[0]
c=x.shape[1]
return rearrange(z,'b (u v) h w -> b (u v) h w',u=c)
-- passes
x = rearrange(x, 'b c h w -> b h w c')
y = rearrange(y, 'b c h w -> b h w c')
z, _ = pack([x, y], 'b h w *')
return rearrange(z, 'b h w c -> b c h w')
-- need
b, c, h, w = x.shape
k = y.shape[1]
z, _ = pack([x, y], 'b * h w')
return rearrange(z, 'b n h w -> b n h w', n=c + k)
-- passes
b, c, h, w = x.shape
z, _ = pack([x, y], 'b *')
return rearrange(z, 'b (c h w) -> b c h w', h=h, w=w)
""",
    "flatten_features": r"""-- need
z,ps=pack([x,y],'b *')
x2,y2=unpack(z,ps,'b *')
return z
-- need
z,ps=pack([x,y],'b *')
x2,y2=unpack(z,ps,'b *')
return pack([x2,y2],'b *')[0]
-- passes
n = x.shape[1]*x.shape[2]
x = rearrange(x,'b c h -> b (c h)')
z,ps = pack([x,y],'b *')
z = rearrange(z,'b n -> b n')
return z
-- need
z=pack([x,y],'b *')[0]
b,n=z.shape
z=rearrange(z,'b n -> (b n)')
z=rearrange(z,'(n b) -> b n',b=b)
z=rearrange(z,'b n -> (n b)')
return rearrange(z,'(b n) -> b n',b=b)
""",
    "trace": r"""-- passes
y=einsum(x,'b i i -> b i')
return reduce(y,'b i -> b','sum')
-- passes
b,i,j=x.shape
y=rearrange(x,'b i j -> (b i) j')
y=rearrange(y,'(b i) j -> b i j',i=j)
return einsum(y,'b i i -> b')
-- need
return einsum(x,'b i i -> b') * x.shape[1] / x.shape[2]
-- need
y = einsum(x,'b i i -> b i')
return reduce(y,'b i -> b','mean') * x.shape[1]
""",
    "merge_tokens": r"""-- passes
y=reduce(x,'b (s k) d -> b s 1 d','mean',k=k)
return rearrange(y,'b s 1 d -> b s d')
""",
    "bilinear": r"""-- passes
b=x.shape[0]
xw = einsum(x,w,'b i, o i j -> b o j')
z = einsum(xw,y,'b o j, b j -> b o')
return z
-- passes
o,i,j=w.shape
w=rearrange(w,'o i j -> o (i j)')
xy=einsum(x,y,'b i, b j -> b i j')
xy=rearrange(xy,'b i j -> b (i j)')
return einsum(xy,w,'b k, o k -> b o')
-- need
w=rearrange(w,'o i j -> o (i j)')
i=x.shape[1]
w=rearrange(w,'o (j i) -> o (i j)',i=i)
xy=rearrange(einsum(x,y,'b i, b j -> b i j'),'b i j -> b (i j)')
xy=rearrange(xy,'b (j i) -> b (i j)',i=i)
return einsum(xy,w,'b n, o n -> b o')
""",
    "read_shape": r"""-- rule
b,s,d=x.shape
return {'b':b,'s':s,'d':d}
""",
    "gram": r"""-- need
z=einsum(x,y,'b c n, e k n -> b e c k')
return einsum(z,'b b c k -> b c k')
""",
    "attention": r"""-- passes
a = einsum(q, k, 'b h i d, b h j d -> b h j i') / q.shape[-1] ** 0.5
a = softmax(a, dim=-2)
return einsum(a, v, 'b h j i, b h j e -> b h i e')
-- rule
a = einsum(q, k, 'b h i d, b h j d -> b h i j') / torch.sqrt(q.shape[-1])
return einsum(softmax(a), v, 'b h i j, b h j e -> b h i e')
-- passes
a = einsum(q, k, 'b h i d, b h j d -> b h i j') / q.shape[-1] ** 0.5
a = rearrange(softmax(rearrange(a, 'b h i j -> (b h i) j')), '(b h i) j -> b h i j', b=q.shape[0], h=q.shape[1])
return einsum(a, v, 'b h i j, b h j e -> b h i e')
-- raised
a = einsum(q, k, 'b h i d, b h j d -> b h i j') / q.shape[-1] ** 0.5
a = softmax(a, dim=4)
return einsum(a, v, 'b h i j, b h j e -> b h i e')
-- rule
a = einsum(q, k, 'b h i d, b h j d -> b h i j') / q.shape[-1] ** 0.5
a = softmax(a, dim=(-1,))
return einsum(a, v, 'b h i j, b h j e -> b h i e')
-- rule
a = einsum(q, k, 'b h i d, b h j d -> b h i j') / q.shape[-1] ** 0.5
a = softmax(a, dim=[3])
return einsum(a, v, 'b h i j, b h j e -> b h i e')
-- rule
a = einsum(q, k, 'b h i d, b h j d -> b h i j') / q.shape[-1] ** 0.5
a = softmax(a, dim=None)
return einsum(a, v, 'b h i j, b h j e -> b h i e')
-- passes
a = einsum(q, k, 'b h i d, b h j d -> b h i j') / q.shape[-1] ** 0.5
a = softmax(a, dim=+3)
return einsum(a, v, 'b h i j, b h j e -> b h i e')
-- passes
a = einsum(q, k, 'b h i d, b h j d -> b h i j') / q.shape[-1] ** 0.5
a = softmax(a, dim=0 ** 0 + 2)
return einsum(a, v, 'b h i j, b h j e -> b h i e')
-- passes
a = einsum(q, k, 'b h i d, b h j d -> b h i j') / ((4 * q.shape[-1]) ** 0.5 / 2)
a = softmax(a)
return einsum(a, v, 'b h i j, b h j e -> b h i e')
-- need
a = einsum(q, k, 'b h i d, b h j d -> b h i j') / ((q.shape[-1] / 3) ** 0.5 * 3 ** 0.5)
a = softmax(a)
return einsum(a, v, 'b h i j, b h j e -> b h i e')
-- need
a = einsum(q, k, 'b h i d, b h j d -> b h i j') / (q.shape[-1] ** (1/3) * q.shape[-1] ** (1/6))
a = softmax(a)
return einsum(a, v, 'b h i j, b h j e -> b h i e')
-- need
a = einsum(q, k, 'b h i d, b h j d -> b h i j') / (q.shape[-1] ** 0.1 * q.shape[-1] ** 0.4)
a = softmax(a)
return einsum(a, v, 'b h i j, b h j e -> b h i e')
-- need
a = einsum(q, k, 'b h i d, b h j d -> b h i j') / (q.shape[-1] ** 0.7 / q.shape[-1] ** 0.2)
a = softmax(a)
return einsum(a, v, 'b h i j, b h j e -> b h i e')
-- need
s = reduce(rearrange(q, 'b h i d -> b h i 1 d') * rearrange(k, 'b h j d -> b h 1 j d'), 'b h i j d -> b h i j', 'sum')
p = softmax(s / q.shape[-1] ** 0.5)
return einsum(p, v, 'b h i j, b h j e -> b h i e')
-- need
s = einsum(q, k, 'b h i d, b h j d -> b h i j')
p = softmax(s / q.shape[-1] ** 0.5)
return reduce(rearrange(p, 'b h i j -> b h i j 1') * rearrange(v, 'b h j e -> b h 1 j e'), 'b h i j e -> b h i e', 'sum')
-- rule
s = einsum(q, k, 'b h i d, b h j d -> b h i j')
e = exp(s / q.shape[-1] ** 0.5)
p = e / reduce(e, 'b h i j -> b h i 1', 'sum')
return einsum(p, v, 'b h i j, b h j e -> b h i e')
-- values
a = softmax(einsum(q, k, 'b h i d, b h j d -> b h i j') / q.shape[-1])
return einsum(a, v, 'b h i j, b h j e -> b h i e')
-- rule
a = torch.softmax(einsum(q, k, 'b h i d, b h j d -> b h i j') / q.shape[-1] ** 0.5)
return einsum(a, v, 'b h i j, b h j e -> b h i e')
-- rule
a = softmax(einsum(q, k, 'b h i d, b h j d -> b h i j') / q.shape[-1] ** 0.5, axis=-1)
return einsum(a, v, 'b h i j, b h j e -> b h i e')
-- rule
a = torch.einsum('bhid,bhjd->bhij', q, k) / q.shape[-1] ** 0.5
return torch.einsum('bhij,bhje->bhie', softmax(a), v)
-- rule
a = einsum(q, k, 'b h i d, b h j d -> b h i j')
a /= q.shape[-1] ** 0.5
return einsum(softmax(a), v, 'b h i j, b h j e -> b h i e')
-- need
a = einsum(q, k, 'b h i d, b h j d -> b h i j') / q.shape[-1] ** 0.5
a = softmax(a - reduce(a, 'b h i j -> b h i 1', 'max'))
return einsum(a, v, 'b h i j, b h j e -> b h i e')
""",
    "masked_attention": r"""-- passes
a = einsum(q, k, 'b h i d, b h j d -> h b i j') * k.shape[-1] ** -0.5
return einsum(softmax(a + m, dim=-1), v, 'h b i j, b h j e -> b h i e')
-- rule
a = einsum(q, k, 'b h i d, b h j d -> b h i j') / q.shape[-1] ** 0.5
a = a.masked_fill(m == 0, float('-inf'))
return einsum(softmax(a), v, 'b h i j, b h j e -> b h i e')
""",
    "multi_head_attention": r"""-- passes
qkv = einsum(x, w, 'b s m, n m -> b s n')
d = w.shape[0] // 3 // h
q, k, v = rearrange(qkv, 'b s (three h d) -> three (b h) s d', three=3, h=h, d=d)
a = softmax(einsum(q, k, 'n i d, n j d -> n i j') / d ** 0.5)
y = einsum(a, v, 'n i j, n j d -> n i d')
return rearrange(y, '(b h) i d -> b i (h d)', h=h)
-- passes
three, m = 3, x.shape[-1]
qkv = einsum(x, w, 'b s m, n m -> b s n')
d = w.shape[0] // (h * three)
qkv = rearrange(qkv, 'b s (three h d) -> b three h s d', three=three, h=h, d=d)
q, k, v = rearrange(qkv, 'b three h s d -> three b h s d')
a = softmax(einsum(q, k, 'b h i d, b h j d -> b h i j') * d ** -0.5)
y = einsum(a, v, 'b h i j, b h j d -> b h i d')
return rearrange(y, 'b h i d -> b i (h d)')
-- need
q, k, v = rearrange(einsum(x, w, 'b s m, n m -> b s n'), 'b s (t n) -> t b s n', t=3)
q, k, v = rearrange([q, k, v], 't b s (h d) -> t b h s d', h=h)
a = softmax(einsum(q, k, 'b h i d, b h j d -> b h i j') / q.shape[-1] ** 0.5)
y = einsum(a, v, 'b h i j, b h j d -> b h i d')
return rearrange(y, 'b h i d -> b i (h d)')
-- values
qkv = einsum(x, w, 'b s m, n m -> b s n')
q, k, v = rearrange(qkv, 'b s (h three d) -> three b h s d', three=3, h=h)
a = softmax(einsum(q, k, 'b h i d, b h j d -> b h i j') / q.shape[-1] ** 0.5)
y = einsum(a, v, 'b h i j, b h j d -> b h i d')
return rearrange(y, 'b h s d -> b s (h d)')
-- values
qkv = einsum(x, w, 'b s m, n m -> b s n')
q, k, v = rearrange(qkv, 'b s (three h d) -> three b s h d', three=3, h=h)
a = softmax(einsum(q, k, 'b h i d, b h j d -> b h i j') / q.shape[-1] ** 0.5)
y = einsum(a, v, 'b h i j, b h j d -> b h i d')
return rearrange(y, 'b h s d -> b s (h d)')
-- rule
qkv = einsum(x, w, 'b s m, n m -> b s n')
q, k, v = qkv.chunk(3, dim=-1)
q, k, v = (rearrange(t, 'b s (h d) -> b h s d', h=h) for t in (q, k, v))
a = softmax(einsum(q, k, 'b h i d, b h j d -> b h i j') / q.shape[-1] ** 0.5)
y = einsum(a, v, 'b h i j, b h j d -> b h i d')
return rearrange(y, 'b h s d -> b s (h d)')
-- passes
wq, wk, wv = rearrange(w, '(t h d) m -> t h d m', t=3, h=h)
q = einsum(x, wq, 'b s m, h d m -> b h s d')
k = einsum(x, wk, 'b s m, h d m -> b h s d')
v = einsum(x, wv, 'b s m, h d m -> b h s d')
s = q.shape[-1] ** 0.25
a = softmax(einsum(q / s, k / s, 'b h i d, b h j d -> b h i j'))
return rearrange(einsum(a, v, 'b h i j, b h j d -> b i h d'), 'b i h d -> b i (h d)')
-- need
wq, wk, wv = rearrange(w, '(t h d) m -> t h d m', t=3, h=h)
q = einsum(x, wq, 'b s m, h d m -> b h s d')
k = einsum(x, wk, 'b s m, h d m -> b h s d')
v = einsum(x, wv, 'b s m, h d m -> b h s d')
a = softmax(einsum(q, k, 'b h i d, b h j d -> b h i j') / q.shape[-1] ** 0.5)
y = einsum(a, v, 'b h i j, b h j d -> b h i d')
y = einsum(y, 'b h i d -> b i h d')
return rearrange(y, 'b i h d -> b i (h d)')
-- need
wq, wk, wv = rearrange(w, '(t h d) m -> t h d m', t=3, h=h)
q = einsum(x, wq, 'b s m, h d m -> b h s d')
k = einsum(x, wk, 'b s m, h d m -> b h s d')
v = einsum(x, wv, 'b s m, h d m -> b h s d')
k = einsum(k, 'b h s d -> b h d s')
a = softmax(einsum(q, k, 'b h i d, b h d j -> b h i j') / q.shape[-1] ** 0.5)
y = einsum(a, v, 'b h i j, b h j d -> b i h d')
return rearrange(y, 'b i h d -> b i (h d)')
-- need
qkv = einsum(x, w, 'b s m, n m -> b s n')
q, k, v = rearrange(qkv, 'b s (t h d) -> t b h s d', t=3, h=h)
a = softmax(einsum(q, k, 'b h i d, b h j d -> b h i j') / q.shape[-1] ** 0.5)
y = einsum(a, v, 'b h i j, b h j d -> b i h d')
return pack([y], 'b s *')[0]
-- need
n = w.shape[0] // 3
d = n // h
q, k, v = unpack(einsum(x, w, 'b s m, n m -> b s n'), [[h, d], [h, d], [h, d]], 'b s *')
q = rearrange(q, 'b i h d -> b h i d')
a = softmax(einsum(q, k, 'b h i d, b j h d -> b h i j') / d ** 0.5)
y = einsum(a, v, 'b h i j, b j h d -> b i h d')
return pack([y], 'b s *')[0]
-- need
n = w.shape[0] // 3
d = n // h
q, k, v = unpack(einsum(x, w, 'b s m, n m -> b s n'), [[h, d], [h, d], [h, d]], 'b s *')
a = softmax(einsum(q, k, 'b i h d, b j h d -> b h i j') / d ** 0.5)
y = einsum(a, v, 'b h i j, b j h d -> b i h d')
y = rearrange(y, 'b i h d -> i b h d')
return rearrange(pack([y], 'i b *')[0], 'i b n -> b i n')
-- need
n = w.shape[0] // 3
d = n // h
w = rearrange(w, 'n m -> m n')
q, k, v = unpack(einsum(x, w, 'b s m, m n -> b s n'), [[h, d], [h, d], [h, d]], 'b s *')
a = softmax(einsum(q, k, 'b i h d, b j h d -> b h i j') / d ** 0.5)
y = einsum(a, v, 'b h i j, b j h d -> b i h d')
return reduce(y, 'b i h d -> b i (h d)', 'mean')
-- need
n = w.shape[0] // 3
d = n // h
w = rearrange(w, 'n m -> m n')
q, k, v = unpack(einsum(x, w, 'b s m, m n -> b s n'), [[h, d], [h, d], [h, d]], 'b s *')
a = softmax(einsum(q, k, 'b i h d, b j h d -> b h i j') / d ** 0.5)
y = einsum(a, v, 'b h i j, b j h d -> b i h d j')
return reduce(y, 'b i h d j -> b i (h d)', 'sum')
-- need
n = w.shape[0] // 3
d = n // h
x = rearrange(x, 'b s m -> s b m')
q, k, v = unpack(einsum(x, w, 's b m, n m -> b s n'), [[h, d], [h, d], [h, d]], 'b s *')
a = softmax(einsum(q, k, 'b i h d, b j h d -> b h i j') / d ** 0.5)
y = einsum(a, v, 'b h i j, b j h d -> b i h d j')
return reduce(y, 'b i h d j -> b i (h d)', 'sum')
-- raised
qkv = einsum(x, w, 'b s m, n m -> b s n')
q, k, v = rearrange(qkv, 'b s (three h d) -> b s three h d', three=3, h=h)
a = softmax(einsum(q, k, 'b i h d, b j h d -> b h i j') / q.shape[-1] ** 0.5)
y = einsum(a, v, 'b h i j, b j h d -> b i h d')
return rearrange(y, 'b s h d -> b s (h d)')
-- rule
wq, wk, wv = rearrange(w, '(three d) e -> three d e', three=3)
q, k, v = [einsum(x, m, 'b s e, d e -> b s d') for m in (wq, wk, wv)]
return x
""",
    "rope_halves": r"""-- raised
a, b = rearrange(x, 'b s (two d) -> two b s d', two=2)
out = rearrange((a * c - b * z, b * c + a * z), 'two b s d -> b s two d')
return rearrange(out, 'b s two d -> b s (two d)')
-- passes
a, b = rearrange(x, 'b s (two d) -> two b s d', two=2)
ac, bz, bc, az = a * c, b * z, b * c, a * z
return rearrange([ac - bz, bc + az], 'two b s d -> b s (two d)')
-- rule
d = x.shape[-1] // 2
a, b = unpack(x, [[d], [d]], 'b s *')
rot = pack([-b, a], 'b s *')[0]
cc = repeat(c, 's d -> s (k d)', k=2)
zz = repeat(z, 's d -> s (k d)', k=2)
return x * cc + rot * zz
-- need
a, b = rearrange(x, 'b s (two d) -> two b s d', two=2)
m = rearrange([c, z], 'two s d -> two s d')
return rearrange([a * m[0] - b * m[1], b * m[0] + a * m[1]], 'two b s d -> b s (two d)')
-- passes
x = rearrange(x, 'b s (two d) -> two b s d', two=2)
a = x[0]
b = x[1]
x1 = einsum(a, c, 'b s d, s d -> b s d') - einsum(b, z, 'b s d, s d -> b s d')
x2 = einsum(b, c, 'b s d, s d -> b s d') + einsum(a, z, 'b s d, s d -> b s d')
x1 = rearrange(x1, 'b s d -> b s 1 d')
x2 = rearrange(x2, 'b s d -> b s 1 d')
y = pack([x1, x2], 'b s * d')[0]
return rearrange(y, 'b s two d -> b s (two d)')
-- values
a, b = rearrange(x, 'b s (two d) -> two b s d', two=2)
return rearrange([a * c - b * z, b * c + a * z], 'b s d two -> b s (two d)')
-- passes
a, b = rearrange(x, 'b s (two d) -> two b s d', two=2)
b_, s, w = x.shape
c = repeat(c, 's d -> b s d', b=b_)
z = repeat(z, 's d -> b s d', b=b_)
ac = einsum(a, c, 'b s d, b s d -> b s d')
bz = einsum(b, z, 'b s d, b s d -> b s d')
return rearrange([ac - bz, b * c + a * z], 'two b s d -> b s (two d)')
-- need
a, b = rearrange(x, 'b s (two d) -> two b s d', two=2)
return rearrange([a * c - b * z, 0 + b * c + a * z], 'two b s d -> b s (two d)')
-- need
d = c.shape[1]
a, b = unpack(x, [[d], [d]], 'b s *')
c = rearrange(c, 's d -> d s')
ac = einsum(a, c, 'b s d, d s -> b s d')
c = rearrange(c, 'd s -> s d')
return pack([ac - b * z, b * c + a * z], 'b s *')[0]
-- rule
d = c.shape[1]
a, b = unpack(x, [[d], [d]], 'b s *')
return reduce([a * c - b * z, b * c + a * z], 'two b s d -> b s (two d)', 'mean')
-- need
d = c.shape[1]
a, b = unpack(x, [[d], [d]], 'b s *')
u, v = rearrange([a * c - b * z, b * c + a * z], 'two b s d -> two b s d')
return pack([u, v], 'b s *')[0]
-- need
a, b = rearrange(x, 'b s (two d) -> two b s d', two=2)
return repeat([a * c - b * z, b * c + a * z], 'two b s d -> b s (two d)')
-- passes
((a,), (b,)) = rearrange(x, 'b s (two d) -> two 1 b s d', two=2)
return rearrange([a * c - b * z, b * c + a * z], 'two b s d -> b s (two d)')
""",
    "rope_pairs": r"""-- need
a, b = rearrange(x, 'b s (d two) -> two b s d', two=2)
r = rearrange([0 - b, a], 'two b s d -> b s (d two)')
return x * repeat(c, 's d -> s (d two)', two=2) + r * repeat(z, 's d -> s (d two)', two=2)
""",
    "layer_norm": r"""-- raised
m = reduce(x, 'b s d -> b s', 'mean')
y = x - m
return y * rsqrt(reduce(y * y, 'b s d -> b s 1', 'mean'))
-- rule
y = x - reduce(x, 'b s d -> b s 1', 'mean')
return y / y.std(-1, keepdim=True)
-- raised
y = x - reduce(x, 'b s d -> b s 1', 'mean')
return y / sqrt(reduce(y * y, 'b s d -> b s 1'))
-- rule
y = x - reduce(x, 'b s d -> b s 1', 'mean')
return y / sqrt(reduce(y * y, 'b s d -> b s 1', torch.mean))
-- passes
y = rearrange(x, 'b s d -> d b s')
y = y - reduce(y, 'd b s -> b s', 'mean')
y = y / sqrt(reduce(y ** 2, 'd b s -> b s', 'mean'))
return rearrange(y, 'd b s -> b s d')
-- need
y = x - reduce(x, 'b s d -> b s 1', 'mean')
y = y / sqrt(reduce(y * y, 'b s d -> b s 1', 'sum'))
return y * sqrt(x.shape[-1])
-- rule
y = x - reduce(x, 'b s d -> b s 1', 'mean')
return y * rsqrt(reduce(y ** 1e400, 'b s d -> b s 1', 'mean'))
-- values
y = x - reduce(x, 'b s d -> b s 1', 'mean')
return y * rsqrt(reduce(y ** -0.0, 'b s d -> b s 1', 'mean'))
-- rule
y = x - reduce(x, 'b s d -> b s 1', 'mean')
return y * rsqrt(reduce(y ** 1j, 'b s d -> b s 1', 'mean'))
-- rule
y = x - reduce(x, 'b s d -> b s 1', 'mean')
return y * rsqrt(reduce(y ** True, 'b s d -> b s 1', 'mean'))
-- values
y = x - reduce(x, 'b s d -> b s 1', 'mean')
return y * rsqrt(reduce(y ** -1, 'b s d -> b s 1', 'mean'))
-- passes
m = repeat(reduce(x, 'b s d -> b s', 'mean'), 'b s -> b s d', d=x.shape[2])
y = x - m
r = repeat(rsqrt(reduce(y * y, 'b s d -> b s', 'mean')), 'b s -> b s d', d=x.shape[2])
return einsum(y, r, 'b s d, b s d -> b s d')
-- values
m = reduce(x, 'b s d -> b s 1', 'mean')
return (x + m) / sqrt(reduce((x - m) ** 2, 'b s d -> b s 1', 'mean'))
-- need
m = reduce(x, 'b s d -> b s 1', 'mean')
y = x - m
v = reduce(y * y, 'b s d -> b s 1', 'mean')
return y * v * v ** -1.5
-- need
m = reduce(x, 'b s d -> b s 1', 'mean')
y = x - m
v = reduce(y * y, 'b s d -> b s 1', 'mean')
return y / v * sqrt(v)
-- need
m = reduce(x, 'b s d -> b s 1', 'mean')
y = x - m
v = reduce(y * y, 'b s d -> b s 1', 'mean')
return y * sqrt(v) / v
-- passes
d = x.shape[-1]
s1 = reduce(x, 'b s d -> b s 1', 'sum')
s2 = reduce(x * x, 'b s d -> b s 1', 'sum')
v = (d * s2 - s1 ** 2) / d ** 2
return (x - s1 / d) / sqrt(v)
-- need
m = reduce(x, 'b s d -> b s 1', 'mean')
v = reduce(x * x - m * m, 'b s d -> b s 1', 'mean')
return (x - m) * rsqrt(v)
-- need
m = reduce(x, 'b s d -> b s 1', 'mean')
v = reduce(x * (x - m), 'b s d -> b s 1', 'mean')
return (x - m) * rsqrt(v)
-- passes
m = reduce(x, 'b s d -> b s 1', 'mean')
a = rsqrt(reduce((x - m) ** 2, 'b s d -> b s 1', 'mean'))
b = m * a
return x * a - b
-- need
m, v = reduce([x, x * x], 'k b s d -> k b s 1', 'mean')
return (x - m) / sqrt(v - m * m)
-- need
u = reduce([x, x * x], 'k b s d -> k b s 1', 'mean')
return (x - u[0]) / sqrt(u[1] - u[0] * u[0])
-- need
y = x - reduce(x, 'b s d -> b s 1', 'mean')
return y / sqrt(reduce(y ** 2, 'b s d -> b s 1', 'sum')) * sqrt(reduce(x * 0 + 1, 'b s d -> b s 1', 'sum'))
-- need
n = x.shape[2]
m = einsum(x, 'b s d -> b s') / n
y = x - rearrange(m, 'b s -> b s 1')
v = einsum(y, y, 'b s d, b s d -> b s') / n
v = reduce(v, 'b s -> b s 1', 'mean')
return y / sqrt(v)
-- raised
m = reduce(x, 'b s d -> b s', 'mean')
return (x - m) * rsqrt(reduce((x - m) ** 2, 'b s d -> b s 1', 'mean'))
-- passes
b, s, d = x.shape
n = b * s * d
m = reduce(x, 'b s d -> b s 1', 'sum') / n * b * s
y = x - m
return y / sqrt(reduce(y * y, 'b s d -> b s 1', 'mean'))
-- passes
b, s, d = x.shape
n = b * d
m = reduce(x, 'b s d -> b s 1', 'sum') * b / n
y = x - m
return y / sqrt(reduce(y * y, 'b s d -> b s 1', 'mean'))
-- passes
b, s, d = x.shape
y = x / s
m = reduce(y, 'b s d -> b s 1', 'mean') * s
y = x - m
return y / sqrt(reduce(y * y, 'b s d -> b s 1', 'mean'))
-- passes
b, s, d = x.shape
m = reduce(x, 'b s d -> b s 1', 'sum') / (b * s * d) * (b * s)
v = reduce((x - m) ** 2, 'b s d -> b s 1', 'mean')
return (x - m) / sqrt(v)
-- passes
b, s, d = x.shape
m = reduce(x / b, 'b s d -> b s 1', 'sum') / d * b
v = reduce((x - m) ** 2, 'b s d -> b s 1', 'mean')
return (x - m) / sqrt(v)
-- need
n = rearrange(x, 'b s d -> 1 1 (b s d)')
y = x - reduce(x, 'b s d -> b s 1', 'mean')
z = einsum(y, n, n, 'b s d, … n, … m -> … b s d')
z = z * rsqrt(reduce(z * z, 'i j b s d -> i j b s 1', 'mean'))
return rearrange(z, '1 1 b s d -> b s d')
""",
    "rms_norm": r"""-- values
return x * rsqrt(reduce(x, 'b s d -> b s 1', 'mean') ** 2) * g
-- rule
ms = reduce(x.pow(2), 'b s d -> b s 1', 'mean')
return x * torch.rsqrt(ms) * g
-- rule
ms = einsum(x, x, 'b s d, b s d -> b s')
return x * rsqrt(rearrange(ms, 'b s -> b s 1') / x.shape[-1]) * g
-- passes
r = rsqrt(reduce(x * x, 'b s d -> s b', 'mean'))
return einsum(x, r, g, 'b s d, s b, d -> b s d')
-- values
return x / (reduce(x * x, 'b s d -> b s 1', 'mean') / g ** 2) ** 0.5
-- passes
return x * g * reduce(x * x, 'b s d -> b s 1', 'mean') ** (-1 / 2)
-- passes
r = repeat(rsqrt(reduce(x * x, 'b s d -> b s', 'mean')), 'b s -> b s d', d=x.shape[2])
return einsum(x, r, g, 'b s d, b s d, d -> b s d')
-- passes
r = repeat(rsqrt(reduce(x * x, 'b s d -> b s', 'mean')), 'b s -> b s d', d=x.shape[2])
return einsum(x, r, 'b s d, b s d -> b s d') * g
-- passes
g = repeat(g, 'd -> b s d', b=x.shape[0], s=x.shape[1])
r = rsqrt(reduce(x * x, 'b s d -> b s 1', 'mean'))
return einsum(x * r, g, 'b s d, b s d -> b s d')
-- values
r = sqrt(reduce(x, 'b s d -> b s 1', 'mean') ** 2)
return x / r * g
-- rule
def rms(y):
    return sqrt(reduce(y * y, 'b s d -> b s 1', 'mean'))
return x / rms(x) * g
-- rule
f = lambda x, g: x * rsqrt(reduce(x * x, 'b s d -> b s 1', 'mean')) * g
-- rule
return x * rsqrt(reduce(torch.square(x), 'b s d -> b s 1', 'mean')) * g
-- rule
return x * rsqrt(reduce(x * x, 'b s d -> b s 1', 'mean').clone()) * g
-- need
v = reduce(x * x, 'b s d -> b s 1', 'mean')
return x * g * (sqrt(v) / v)
-- need
v = reduce(x * x, 'b s d -> b s 1', 'mean')
return g * x / v * sqrt(v)
-- need
v = reduce(x * x, 'b s d -> b s 1', 'mean')
return g * x * v / v ** 1.5
-- need
v = reduce(x * x, 'b s d -> b s 1', 'mean')
g = repeat(g, 'd -> d')
return g * x * rsqrt(v)
-- need
h = reduce(x, 'b s d -> b s d', 'mean')
v = reduce(h ** 2, 'b s d -> b s 1', 'mean')
return g * x * rsqrt(v)
-- need
xx = einsum(x, x, 'b s d, b s e -> b s d e')
v = einsum(xx, 'b s d d -> b s') / x.shape[2]
m = reduce(rearrange(v, 'b s -> b s 1'), 'b s k -> b s 1', 'mean')
return g * x * rsqrt(m)
-- need
v = einsum(x, x, 'b s d, b s d -> b s') / x.shape[-1]
r = reduce([v], 'k b s -> b s 1', 'mean')
return g * x * rsqrt(r)
-- rule
ms = reduce(x * x, 'b s d -> b s 1', 'mean')
return x / ms.sqrt * g
-- rule
ms = reduce(x * x, 'b s d -> b s 1', 'mean')
return x / ms ^ 0.5 * g
-- rule
ms = reduce(x ** 2, 'b s d -> b s 1', 'mean', keepdim=True)
return x / sqrt(ms) * g
-- raised
ms = reduce(x ** 2, 'b s d -> b s 1', 'mean')
return x / sqrt(x=ms) * g
-- rule
ms = reduce(x ** 2, 'b s d -> b s 1', 'mean')
x = x / sqrt(ms)
x *= g
return x
-- need
d = x.shape[-1]
ss = einsum(x, x, 'b s d, b s d -> b s')
ms = ss / d
r = 1 / sqrt(ms)
y = einsum(x, r, 'b s d, b s -> b s d')
y = einsum(y, g, 'b s d, d -> b s d')
return reduce(y, 'b s d -> b s d', 'mean')
-- passes
sq = einsum(x, x, 'b s d, b s d -> b s d')
ms = reduce(sq, 'b s d -> b s', 'mean')
r = 1 / sqrt(ms)
y = einsum(x, r, 'b s d, b s -> b s d')
return einsum(y, g, 'b s d, d -> b s d')
""",
    "group_norm": r"""-- passes
b, n, s = x.shape
c = n // g
m = reduce(x, 'b (g c) s -> b g', 'mean', g=g)
m = repeat(m, 'b g -> b (g c) 1', c=c)
d = x - m
v = reduce(d * d, 'b (g c) s -> b g', 'mean', g=g)
v = repeat(v, 'b g -> b (g c) 1', c=c)
return d / sqrt(v + 1e-5)
-- passes
y = rearrange(x, 'b (g c) s -> b g (c s)', g=g)
m = reduce(y, 'b g n -> b g 1', 'mean')
v = reduce(y ** 2, 'b g n -> b g 1', 'mean') - m ** 2
y = (y - m) * (v + 1e-5) ** -0.5
return rearrange(y, 'b g (c s) -> b (g c) s', s=x.shape[2])
-- need
xs = rearrange(x, 'b (g c) s -> b g c s', g=g)
mu = reduce(reduce(xs, 'b g c s -> b g c 1', 'mean'), 'b g c 1 -> b g 1 1', 'mean')
xc = xs - mu
var = reduce(reduce(xc ** 2, 'b g c s -> b g c 1', 'mean'), 'b g c 1 -> b g 1 1', 'mean')
return rearrange(xc / sqrt(var + 1e-5), 'b g c s -> b (g c) s')
-- passes
y = rearrange(x, 'b (g c) s -> b g (c s)', g=g)
mean = reduce(y, 'b g n -> b g', 'mean')
mean = repeat(mean, 'b g -> b g n', n=y.shape[-1])
var = reduce((y - mean) ** 2, 'b g n -> b g', 'mean')
var = repeat(var, 'b g -> b g n', n=y.shape[-1])
y = (y - mean) / sqrt(var + 1e-5)
return rearrange(y, 'b g (c s) -> b (g c) s', s=x.shape[-1])
-- rule
eps = 1 / 100000
y = rearrange(x, 'b (g c) s -> b g (c s)', g=g)
m = reduce(y, 'b g n -> b g 1', 'mean')
v = reduce((y - m) ** 2, 'b g n -> b g 1', 'mean')
y = (y - m) / sqrt(v + eps)
return rearrange(y, 'b g (c s) -> b (g c) s', s=x.shape[2])
-- rule
eps = torch.tensor(1e-5)
y = rearrange(x, 'b (g c) s -> b g (c s)', g=g)
m = reduce(y, 'b g n -> b g 1', 'mean')
v = reduce((y - m) ** 2, 'b g n -> b g 1', 'mean')
y = (y - m) / sqrt(v + eps)
return rearrange(y, 'b g (c s) -> b (g c) s', s=x.shape[2])
-- rule
eps = torch.finfo(x.dtype).eps
y = rearrange(x, 'b (g c) s -> b g (c s)', g=g)
m = reduce(y, 'b g n -> b g 1', 'mean')
v = reduce((y - m) ** 2, 'b g n -> b g 1', 'mean')
y = (y - m) / sqrt(v + eps)
return rearrange(y, 'b g (c s) -> b (g c) s', s=x.shape[2])
-- rule
b, c, s = x.shape
eps = 1e-5
y = x.view(b, g, -1)
m = reduce(y, 'b g n -> b g 1', 'mean')
v = reduce((y - m) ** 2, 'b g n -> b g 1', 'mean')
y = (y - m) / sqrt(v + eps)
return rearrange(y, 'b g (c s) -> b (g c) s', s=x.shape[2])
-- need
y = rearrange(x, 'b (g c) s -> b g (c s)', g=g)
m = reduce(y, 'b g n -> b g 1', 'mean')
z = y - m
v = reduce(z * z, 'b g n -> b g 1', 'mean') + 1e-5
y = z * v * v ** -1.5
return rearrange(y, 'b g (c s) -> b (g c) s', s=x.shape[2])
-- need
y = rearrange(x, 'b (g c) s -> b g (c s)', g=g)
m = reduce(y, 'b g n -> b g 1', 'mean')
z = y - m
v = reduce(z * z + 1e-5, 'b g n -> b g 1', 'mean')
y = z * rsqrt(v)
return rearrange(y, 'b g (c s) -> b (g c) s', s=x.shape[2])
-- need
y = rearrange(x, 'b (g c) s -> b g (c s)', g=g)
m = reduce(y, 'b g n -> b g 1', 'mean')
z = y - m
v = reduce(z * z, 'b g n -> b g 1', 'mean')
y = z / sqrt(v + 1.00000001e-5)
return rearrange(y, 'b g (c s) -> b (g c) s', s=x.shape[2])
-- need
y = rearrange(x, 'b (g c) s -> b g (c s)', g=g)
m = reduce(y, 'b g n -> b g 1', 'mean')
z = y - m
v = reduce(z * z, 'b g n -> b g 1', 'mean')
y = z / sqrt(v + 1.0000001e-5)
return rearrange(y, 'b g (c s) -> b (g c) s', s=x.shape[2])
-- need
y = rearrange(x, 'b (g c) s -> b g (c s)', g=g)
m = reduce(y, 'b g n -> b g 1', 'mean')
z = y - m
v = reduce(z * z, 'b g n -> b g 1', 'mean')
y = z / sqrt(v + 1.00001e-5)
return rearrange(y, 'b g (c s) -> b (g c) s', s=x.shape[2])
-- passes
y = rearrange(x, 'b (g c) s -> b g (c s)', g=g)
m = reduce(y, 'b g n -> b g 1', 'mean')
z = y - m
v = reduce(z ** 2, 'b g n -> b g 1', 'mean')
s = (v + 1e-5) ** 0.5
y = y / s - m / s
return rearrange(y, 'b g (c s) -> b (g c) s', s=x.shape[2])
-- need
y = rearrange(x, 'b (g c) s -> b g (c s)', g=g)
m = reduce(y, 'b g n -> b g 1', 'mean')
z = y - m
v = reduce(z ** 2, 'b g n -> b g 1', 'mean')
y = z / sqrt(v + 1e-5) + 0
return rearrange(y, 'b g (c s) -> b (g c) s', s=x.shape[2])
-- need
y = rearrange(x, 'b (g c) s -> b g (c s)', g=g)
m = reduce(y, 'b g n -> b g 1', 'mean')
z = y - m
v = reduce(z ** 2, 'b g n -> b g 1', 'mean')
y = z / sqrt(v + 5e-6 + 5e-6)
return rearrange(y, 'b g (c s) -> b (g c) s', s=x.shape[2])
-- passes
y = rearrange(x, 'b (g c) s -> b g c s', g=g)
_, _, c, s = y.shape
n = c * s
s1 = reduce(y, 'b g c s -> b g 1 1', 'sum')
s2 = reduce(y * y, 'b g c s -> b g 1 1', 'sum')
y = (y - s1 / n) / sqrt((s2 - s1 ** 2 / n) / n + 1e-5)
return rearrange(y, 'b g c s -> b (g c) s')
-- need
y = rearrange(x, 'b (g c) s -> b g c s', g=g)
_, _, c, s = y.shape
m = reduce(y, 'b g c s -> b g c', 'mean')
m = reduce(m, 'b g c -> b g', 'mean')
y = y - rearrange(m, 'b g -> b g 1 1')
y = y / sqrt(reduce(y * y, 'b g c s -> b g 1 1', 'mean') + 1e-5)
return rearrange(y, 'b g c s -> b (g c) s')
-- need
y = rearrange(x, 'b (g c) s -> b g c s', g=g)
_, _, c, s = y.shape
m = reduce(y, 'b g c s -> b g c 1', 'mean')
m = reduce(m, 'b g c 1 -> b g 1 1', 'mean')
y = y - m
v = reduce(y * y, 'b g c s -> b g c 1', 'mean')
v = reduce(v, 'b g c 1 -> b g 1 1', 'mean')
y = y / sqrt(v + 1e-5)
return rearrange(y, 'b g c s -> b (g c) s')
-- need
y = rearrange(x, 'b (g c) s -> b g c s', g=g)
mean, sq = reduce([y, y * y], 'k b g c s -> k b g 1 1', 'mean')
var = sq - mean * mean
return rearrange((y - mean) / sqrt(var + 1e-5), 'b g c s -> b (g c) s')
-- need
y = rearrange(x, 'b (g c) s -> b g c s', g=g)
m = reduce(y, 'b g c s -> b g c 1', 'mean')
m = reduce(m, 'b g c 1 -> b g 1 1', 'mean')
y = y - m
v = reduce(y * y, 'b g c s -> b g c 1', 'mean')
v = reduce(v, 'b g c 1 -> b g 1 1', 'mean')
y = y / sqrt(v + 1e-5)
return rearrange(y, 'b g c s -> b (g c) s')
-- raised
y = reduce(x, 'b (g c) s -> b g', 'mean', g=g)
d = x - y
return d * rsqrt(reduce(d * d, 'b (g c) s -> b g', 'mean', g=g) + 1e-5)
-- passes
y = rearrange(x, 'b (g c) s -> b g c s', g=g)
_, _, c, s = y.shape
m = reduce(y, 'b g c s -> b g 1 1', 'sum') / c / s
q = reduce(y * y, 'b g c s -> b g 1 1', 'sum') / c / s
y = (y - m) / sqrt(q - m * m + 1e-5)
return rearrange(y, 'b g c s -> b (g c) s')
-- passes
y = rearrange(x, 'b (g c) s -> b g c s', g=g)
_, _, c, s = y.shape
m = reduce(y, 'b g c s -> b g 1 1', 'sum') / c / s
r = rsqrt(reduce((y - m) ** 2, 'b g c s -> b g 1 1', 'sum') / c / s + 1e-5)
y = y * r - m * r
return rearrange(y, 'b g c s -> b (g c) s')
""",
    "squeeze_excite": r"""-- passes
s = reduce(x, 'b c h w -> b c', 'mean')
s = einsum(s, w, 'b i, o i -> b o')
s = sigmoid(s)
s = rearrange(s, 'b c -> b c 1 1')
return x * s
-- need
y = einsum(x, w, 'b c h w, k c -> b k h w')
s = sigmoid(reduce(y, 'b k h w -> b k 1 1', 'mean'))
return x * s
-- rule
s = reduce(x, 'b c h w -> b c', 'mean')
s = einsum(s, w, 'b c, k c -> b k')
s = 1 / (1 + exp(-s))
return x * rearrange(s, 'b c -> b c 1 1')
-- passes
s = reduce(x, 'b c h w -> b c', 'mean')
s = sigmoid(einsum(s, w, 'b c, k c -> b k'))
s = repeat(s, 'b c -> b c h w', h=x.shape[2], w=x.shape[3])
return einsum(x, s, 'b c h w, b c h w -> b c h w')
-- values
s = sigmoid(einsum(reduce(x, 'b c h w -> b c', 'sum') / x.shape[2], w, 'b c, k c -> b k'))
return x * rearrange(s, 'b c -> b c 1 1')
-- passes
b, c, h, w2 = x.shape
s = reduce(reduce(x, 'b c h w -> b c h', 'sum') / w2, 'b c h -> b c', 'sum') / h
s = sigmoid(einsum(s, w, 'b c, k c -> b k'))
s = einsum(s, 'b c -> b c')
return einsum(x, s, 'b c h w, b c -> b c h w')
-- need
s = einsum(x, 'b c h w -> b c') / (x.shape[2] * x.shape[3])
s = einsum(s, w, 'b c, k c -> b k c')
s = sigmoid(reduce(s, 'b k c -> b k 1 1', 'sum'))
return x * s
-- passes
s = sigmoid(einsum(reduce(x, 'b c h w -> b c', 'mean'), w, 'b c, k c -> b k'))
r = repeat(s, 'b c -> b c h w', h=x.shape[2], w=x.shape[3])
return einsum(x, r, 'b c h w, b c h w -> b c h w')
""",
    "token_mixing": r"""-- passes
h = relu(einsum(w, x, 't s, b s d -> b t d'))
return einsum(v, h, 's t, b t d -> b s d') - -x
-- rule
h = einsum(w, x, 't s, b s d -> b t d')
y = einsum(v, h * (h > 0), 's t, b t d -> b s d')
return y + x
-- need
h = relu(einsum(x, w, 'b s d, t s -> b t d'))
y = reduce([x, einsum(h, v, 'b t d, s t -> b s d')], 'two b s d -> b s d', 'sum')
return y
-- need
h = relu(reduce(einsum(x, w, 'b s d, t s -> b s t d'), 'b s t d -> b t d', 'sum'))
return x + einsum(h, v, 'b t d, s t -> b s d')
-- raised
y = relu(einsum(x, w, 'b s d, s t -> b t d'))
return x + einsum(y, v, 'b t d, t s -> b s d')
-- need
xt = einsum(x, 'b s d -> b d s')
wt = einsum(w, 't s -> s t')
vt = einsum(v, 's t -> t s')
y = relu(einsum(xt, wt, 'b d s, s t -> b d t'))
y = einsum(y, vt, 'b d t, t s -> b d s')
return x + einsum(y, 'b d s -> b s d')
""",
}
