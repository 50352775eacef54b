"""Attempts by the order of parts: shuffles that undo each other, reads of patterns and of Python, right ways.

For each exercise: what refuses the attempt, or `passes`, and the lines of `f`.
"""
# ruff: noqa: E501, RUF001 - an attempt reads best in one piece, and numbers of other scripts are a part of some

ORDERS = {
    "column_vectors": r"""-- need
p='(b d)->(d b)';b=x.shape[0]
x=rearrange(x,'b d->(b d)')
x=rearrange(x,p,b=b);x=rearrange(x,p,b=b);x=rearrange(x,p,b=b);x=rearrange(x,p,b=b);x=rearrange(x,p,b=b);x=rearrange(x,p,b=b);x=rearrange(x,p,b=b);x=rearrange(x,p,b=b);x=rearrange(x,p,b=b);x=rearrange(x,p,b=b);x=rearrange(x,p,b=b);x=rearrange(x,p,b=b);x=rearrange(x,p,b=b);x=rearrange(x,p,b=b);x=rearrange(x,p,b=b);x=rearrange(x,p,b=b);x=rearrange(x,p,b=b);x=rearrange(x,p,b=b);x=rearrange(x,p,b=b);x=rearrange(x,p,b=b);x=rearrange(x,p,b=b);x=rearrange(x,p,b=b);x=rearrange(x,p,b=b);x=rearrange(x,p,b=b);x=rearrange(x,p,b=b);x=rearrange(x,p,b=b);x=rearrange(x,p,b=b);x=rearrange(x,p,b=b);x=rearrange(x,p,b=b);x=rearrange(x,p,b=b);x=rearrange(x,p,b=b);x=rearrange(x,p,b=b);x=rearrange(x,p,b=b);x=rearrange(x,p,b=b);x=rearrange(x,p,b=b);x=rearrange(x,p,b=b);x=rearrange(x,p,b=b);x=rearrange(x,p,b=b);x=rearrange(x,p,b=b);x=rearrange(x,p,b=b);x=rearrange(x,p,b=b);x=rearrange(x,p,b=b);x=rearrange(x,p,b=b);x=rearrange(x,p,b=b);x=rearrange(x,p,b=b);x=rearrange(x,p,b=b);x=rearrange(x,p,b=b);x=rearrange(x,p,b=b);
return rearrange(x,'(b d)->b d 1',b=b)
-- passes
return rearrange(x, 'b d -> b d ()')
-- passes
return rearrange(x, 'b (d o) -> b d o', o=1)
-- passes
b, d = x.shape
return rearrange(x, 'b d -> b d 1', b=b, d=d)
""",
    "batch_dot": r"""-- need
p='(b d)->(d b)';b=x.shape[0]
x=rearrange(x,'b d->(b d)')
x=rearrange(x,p,b=b);x=rearrange(x,p,b=b);x=rearrange(x,p,b=b);x=rearrange(x,p,b=b);x=rearrange(x,p,b=b);x=rearrange(x,p,b=b);x=rearrange(x,p,b=b);x=rearrange(x,p,b=b);x=rearrange(x,p,b=b);x=rearrange(x,p,b=b);x=rearrange(x,p,b=b);x=rearrange(x,p,b=b);x=rearrange(x,p,b=b);x=rearrange(x,p,b=b);x=rearrange(x,p,b=b);x=rearrange(x,p,b=b);x=rearrange(x,p,b=b);x=rearrange(x,p,b=b);x=rearrange(x,p,b=b);x=rearrange(x,p,b=b);x=rearrange(x,p,b=b);x=rearrange(x,p,b=b);x=rearrange(x,p,b=b);x=rearrange(x,p,b=b);x=rearrange(x,p,b=b);x=rearrange(x,p,b=b);x=rearrange(x,p,b=b);x=rearrange(x,p,b=b);x=rearrange(x,p,b=b);x=rearrange(x,p,b=b);x=rearrange(x,p,b=b);x=rearrange(x,p,b=b);x=rearrange(x,p,b=b);x=rearrange(x,p,b=b);x=rearrange(x,p,b=b);x=rearrange(x,p,b=b);x=rearrange(x,p,b=b);x=rearrange(x,p,b=b);x=rearrange(x,p,b=b);x=rearrange(x,p,b=b);x=rearrange(x,p,b=b);x=rearrange(x,p,b=b);x=rearrange(x,p,b=b);x=rearrange(x,p,b=b);x=rearrange(x,p,b=b);x=rearrange(x,p,b=b);x=rearrange(x,p,b=b);x=rearrange(x,p,b=b);
x=rearrange(x,'(b d)->b d',b=b)
return einsum(x,y,'b d,b d->b')
-- passes
return einsum(x, y, '... d, ... d -> ...')
-- passes
z = einsum(x, y, 'b d, b d -> b d')
return reduce(z, 'b d -> b', 'sum')
-- passes
return einsum(einsum(x, y, 'b d, b d -> b d'), 'b d -> b')
-- passes
x = rearrange(x, 'b d -> b 1 d')
y = rearrange(y, 'b d -> b d 1')
z = einsum(x, y, 'b i d, b d j -> b i j')
return rearrange(z, 'b 1 1 -> b')
-- passes
x = rearrange(x, 'b d -> b 1 d')
y = rearrange(y, 'b d -> b 1 d')
z = einsum(x, y, 'b q d, b k d -> b q k')
return rearrange(z, 'b 1 1 -> b')
-- passes
return einsum(y, x, 'b d, b d -> b')
-- raised
return einsum(x, y, 'b ..., b ... -> b')
-- values
return einsum(x, y, 'b d, ... d -> b ...')
-- values
return einsum(x, y, '..., ... -> ...')
-- rule
return reduce(x * y, 'b d -> b', 'sum')
-- raised
z = einsum(x, y, 'b ..., b ... -> b')
return z
-- need
z = einsum(x, y, 'i d, j d -> i j')
return einsum(z, 'i i -> i')
""",
    "mean_pool": r"""-- need
a,b,c=x.shape;x=rearrange(x,'a b c->(a b c)')
p='(a b c)->(b a c)';q='(a b c)->(a c b)';r='(b a c)->(a b c)';s='(a c b)->(a b c)';t='(a c b)->(c a b)';u='(c a b)->(a c b)';
x=rearrange(x,p,a=a,b=b);x=rearrange(x,p,a=a,b=b);x=rearrange(x,p,a=a,b=b);x=rearrange(x,p,a=a,b=b);x=rearrange(x,p,a=a,b=b);x=rearrange(x,p,a=a,b=b);x=rearrange(x,q,a=a,b=b);x=rearrange(x,q,a=a,b=b);x=rearrange(x,q,a=a,b=b);x=rearrange(x,q,a=a,b=b);x=rearrange(x,q,a=a,b=b);x=rearrange(x,q,a=a,b=b);x=rearrange(x,q,a=a,b=b);x=rearrange(x,q,a=a,b=b);x=rearrange(x,q,a=a,b=b);x=rearrange(x,q,a=a,b=b);x=rearrange(x,q,a=a,b=b);x=rearrange(x,q,a=a,b=b);x=rearrange(x,r,a=a,b=b);x=rearrange(x,r,a=a,b=b);x=rearrange(x,r,a=a,b=b);x=rearrange(x,r,a=a,b=b);x=rearrange(x,r,a=a,b=b);x=rearrange(x,r,a=a,b=b);x=rearrange(x,s,a=a,b=b);x=rearrange(x,s,a=a,b=b);x=rearrange(x,s,a=a,b=b);x=rearrange(x,s,a=a,b=b);x=rearrange(x,s,a=a,b=b);x=rearrange(x,s,a=a,b=b);x=rearrange(x,s,a=a,b=b);x=rearrange(x,s,a=a,b=b);x=rearrange(x,s,a=a,b=b);x=rearrange(x,s,a=a,b=b);x=rearrange(x,s,a=a,b=b);x=rearrange(x,s,a=a,b=b);x=rearrange(x,q,a=a,b=b);x=rearrange(x,t,a=a,b=b);x=rearrange(x,t,a=a,b=b);x=rearrange(x,t,a=a,b=b);x=rearrange(x,t,a=a,b=b);x=rearrange(x,t,a=a,b=b);x=rearrange(x,t,a=a,b=b);x=rearrange(x,t,a=a,b=b);x=rearrange(x,t,a=a,b=b);x=rearrange(x,t,a=a,b=b);x=rearrange(x,t,a=a,b=b);x=rearrange(x,t,a=a,b=b);x=rearrange(x,t,a=a,b=b);x=rearrange(x,s,a=a,b=b);x=rearrange(x,q,a=a,b=b);x=rearrange(x,q,a=a,b=b);x=rearrange(x,q,a=a,b=b);x=rearrange(x,q,a=a,b=b);x=rearrange(x,q,a=a,b=b);x=rearrange(x,q,a=a,b=b);x=rearrange(x,q,a=a,b=b);x=rearrange(x,q,a=a,b=b);x=rearrange(x,q,a=a,b=b);x=rearrange(x,q,a=a,b=b);x=rearrange(x,q,a=a,b=b);x=rearrange(x,q,a=a,b=b);x=rearrange(x,p,a=a,b=b);x=rearrange(x,p,a=a,b=b);x=rearrange(x,p,a=a,b=b);x=rearrange(x,p,a=a,b=b);x=rearrange(x,p,a=a,b=b);x=rearrange(x,p,a=a,b=b);x=rearrange(x,s,a=a,b=b);x=rearrange(x,s,a=a,b=b);x=rearrange(x,s,a=a,b=b);x=rearrange(x,s,a=a,b=b);x=rearrange(x,s,a=a,b=b);x=rearrange(x,s,a=a,b=b);x=rearrange(x,s,a=a,b=b);x=rearrange(x,s,a=a,b=b);x=rearrange(x,s,a=a,b=b);x=rearrange(x,s,a=a,b=b);x=rearrange(x,s,a=a,b=b);x=rearrange(x,s,a=a,b=b);x=rearrange(x,r,a=a,b=b);x=rearrange(x,r,a=a,b=b);x=rearrange(x,r,a=a,b=b);x=rearrange(x,r,a=a,b=b);x=rearrange(x,r,a=a,b=b);x=rearrange(x,r,a=a,b=b);x=rearrange(x,q,a=a,b=b);x=rearrange(x,u,a=a,b=b);x=rearrange(x,u,a=a,b=b);x=rearrange(x,u,a=a,b=b);x=rearrange(x,u,a=a,b=b);x=rearrange(x,u,a=a,b=b);x=rearrange(x,u,a=a,b=b);x=rearrange(x,u,a=a,b=b);x=rearrange(x,u,a=a,b=b);x=rearrange(x,u,a=a,b=b);x=rearrange(x,u,a=a,b=b);x=rearrange(x,u,a=a,b=b);x=rearrange(x,u,a=a,b=b);x=rearrange(x,s,a=a,b=b);
return reduce(x,'(a b c)->a c','mean',a=a,b=b)
-- passes
b, s, d = x.shape
total = reduce(x, 'b s d -> b d', 'sum')
return total / s
-- passes
return reduce(x, '... s d -> ... d', 'mean')
-- passes
w = 1 / x.shape[1]
return reduce(x * w, 'b s d -> b d', 'sum')
-- passes
x = rearrange(x, 'b s d -> b d s')
return reduce(x, 'b d s -> b d', 'mean')
-- passes
x = reduce(x, 'b s d -> b 1 d', 'mean')
return rearrange(x, 'b 1 d -> b d')
-- passes
return reduce(x, 'b s d -> b d', 'sum') / x.shape[1] ** 1
-- passes
n = x.shape[1] * 1.0
return reduce(x, 'b s d -> b d', 'sum') / n
-- passes
s = reduce(x, 'b s d -> b d', 'sum')
n = x.shape[0] * x.shape[1] * x.shape[2] // (s.shape[0] * s.shape[1])
return s / n
-- passes
return rearrange(reduce(x, 'b s d -> (b d)', 'mean'), '(b d) -> b d', b=x.shape[0])
-- values
return reduce(x, 'b s d -> d b', 'mean')
-- need
return reduce([x,x],'k b s d->b d','mean')
-- need
return reduce([x,x,x],'k b s d->b d','mean')
-- need
y=[x,x]
return reduce(y,'k b s d->b d','mean')
-- need
total = reduce(x, 'b s d -> b d', 'sum')
count = rearrange(x, 'b s d -> s b d').shape[0]
return total / count
-- rule
return reduce(x, 'b s d -> b d', 'sum') / float(x.shape[1])
-- rule
return reduce(x, 'b s d -> b d', 'sum') / len(x[0])
-- need
return reduce(x, 'b s d -> b d', 'mean') * 1.0
-- need
return 1.0 * reduce(x, 'b s d -> b d', 'mean')
-- need
return +reduce(x, 'b s d -> b d', 'mean')
""",
    "max_over_time": r"""-- need
a,b,c=x.shape;x=rearrange(x,'a b c->(a b c)')
p='(a b c)->(b a c)';q='(a b c)->(a c b)';r='(b a c)->(a b c)';s='(a c b)->(a b c)';t='(a c b)->(c a b)';u='(c a b)->(a c b)';
x=rearrange(x,p,a=a,b=b);x=rearrange(x,p,a=a,b=b);x=rearrange(x,p,a=a,b=b);x=rearrange(x,p,a=a,b=b);x=rearrange(x,p,a=a,b=b);x=rearrange(x,p,a=a,b=b);x=rearrange(x,q,a=a,b=b);x=rearrange(x,q,a=a,b=b);x=rearrange(x,q,a=a,b=b);x=rearrange(x,q,a=a,b=b);x=rearrange(x,q,a=a,b=b);x=rearrange(x,q,a=a,b=b);x=rearrange(x,q,a=a,b=b);x=rearrange(x,q,a=a,b=b);x=rearrange(x,q,a=a,b=b);x=rearrange(x,q,a=a,b=b);x=rearrange(x,q,a=a,b=b);x=rearrange(x,q,a=a,b=b);x=rearrange(x,r,a=a,b=b);x=rearrange(x,r,a=a,b=b);x=rearrange(x,r,a=a,b=b);x=rearrange(x,r,a=a,b=b);x=rearrange(x,r,a=a,b=b);x=rearrange(x,r,a=a,b=b);x=rearrange(x,s,a=a,b=b);x=rearrange(x,s,a=a,b=b);x=rearrange(x,s,a=a,b=b);x=rearrange(x,s,a=a,b=b);x=rearrange(x,s,a=a,b=b);x=rearrange(x,s,a=a,b=b);x=rearrange(x,s,a=a,b=b);x=rearrange(x,s,a=a,b=b);x=rearrange(x,s,a=a,b=b);x=rearrange(x,s,a=a,b=b);x=rearrange(x,s,a=a,b=b);x=rearrange(x,s,a=a,b=b);x=rearrange(x,q,a=a,b=b);x=rearrange(x,t,a=a,b=b);x=rearrange(x,t,a=a,b=b);x=rearrange(x,t,a=a,b=b);x=rearrange(x,t,a=a,b=b);x=rearrange(x,t,a=a,b=b);x=rearrange(x,t,a=a,b=b);x=rearrange(x,t,a=a,b=b);x=rearrange(x,t,a=a,b=b);x=rearrange(x,t,a=a,b=b);x=rearrange(x,t,a=a,b=b);x=rearrange(x,t,a=a,b=b);x=rearrange(x,t,a=a,b=b);x=rearrange(x,s,a=a,b=b);x=rearrange(x,q,a=a,b=b);x=rearrange(x,q,a=a,b=b);x=rearrange(x,q,a=a,b=b);x=rearrange(x,q,a=a,b=b);x=rearrange(x,q,a=a,b=b);x=rearrange(x,q,a=a,b=b);x=rearrange(x,q,a=a,b=b);x=rearrange(x,q,a=a,b=b);x=rearrange(x,q,a=a,b=b);x=rearrange(x,q,a=a,b=b);x=rearrange(x,q,a=a,b=b);x=rearrange(x,q,a=a,b=b);x=rearrange(x,p,a=a,b=b);x=rearrange(x,p,a=a,b=b);x=rearrange(x,p,a=a,b=b);x=rearrange(x,p,a=a,b=b);x=rearrange(x,p,a=a,b=b);x=rearrange(x,p,a=a,b=b);x=rearrange(x,s,a=a,b=b);x=rearrange(x,s,a=a,b=b);x=rearrange(x,s,a=a,b=b);x=rearrange(x,s,a=a,b=b);x=rearrange(x,s,a=a,b=b);x=rearrange(x,s,a=a,b=b);x=rearrange(x,s,a=a,b=b);x=rearrange(x,s,a=a,b=b);x=rearrange(x,s,a=a,b=b);x=rearrange(x,s,a=a,b=b);x=rearrange(x,s,a=a,b=b);x=rearrange(x,s,a=a,b=b);x=rearrange(x,r,a=a,b=b);x=rearrange(x,r,a=a,b=b);x=rearrange(x,r,a=a,b=b);x=rearrange(x,r,a=a,b=b);x=rearrange(x,r,a=a,b=b);x=rearrange(x,r,a=a,b=b);x=rearrange(x,q,a=a,b=b);x=rearrange(x,u,a=a,b=b);x=rearrange(x,u,a=a,b=b);x=rearrange(x,u,a=a,b=b);x=rearrange(x,u,a=a,b=b);x=rearrange(x,u,a=a,b=b);x=rearrange(x,u,a=a,b=b);x=rearrange(x,u,a=a,b=b);x=rearrange(x,u,a=a,b=b);x=rearrange(x,u,a=a,b=b);x=rearrange(x,u,a=a,b=b);x=rearrange(x,u,a=a,b=b);x=rearrange(x,u,a=a,b=b);x=rearrange(x,s,a=a,b=b);
return reduce(x,'(a b c)->a c','max',a=a,b=b)
-- passes
return reduce(x, 'b t ... -> b ...', 'max')
-- passes
x = reduce(x, 'b t d -> b 1 d', 'max')
return rearrange(x, 'b 1 d -> b d')
-- passes
x = rearrange(x, 'b t d -> t b d')
return reduce(x, 't b d -> b d', 'max')
-- rule
return reduce(x, 'b t d -> b d', max)
-- need
return -reduce(-x, 'b t d -> b d', 'min')
-- need
return reduce([x,x],'k b t d->b d','max')
-- need
z = -reduce(-x, 'b t d -> b d', 'min')
return z
-- need
z = reduce(x, 'b t d -> b d', 'min')
return reduce(x, 'b t d -> b d', 'max')
-- passes
x = reduce(x, 'b ... d -> b d', 'max')
return x
""",
    "keep_axis_mean": r"""-- need
a,b,c=x.shape;x=rearrange(x,'a b c->(a b c)')
p='(a b c)->(b a c)';q='(a b c)->(a c b)';r='(b a c)->(a b c)';s='(a c b)->(a b c)';t='(a c b)->(c a b)';u='(c a b)->(a c b)';
x=rearrange(x,p,a=a,b=b);x=rearrange(x,p,a=a,b=b);x=rearrange(x,p,a=a,b=b);x=rearrange(x,p,a=a,b=b);x=rearrange(x,p,a=a,b=b);x=rearrange(x,p,a=a,b=b);x=rearrange(x,q,a=a,b=b);x=rearrange(x,q,a=a,b=b);x=rearrange(x,q,a=a,b=b);x=rearrange(x,q,a=a,b=b);x=rearrange(x,q,a=a,b=b);x=rearrange(x,q,a=a,b=b);x=rearrange(x,q,a=a,b=b);x=rearrange(x,q,a=a,b=b);x=rearrange(x,q,a=a,b=b);x=rearrange(x,q,a=a,b=b);x=rearrange(x,q,a=a,b=b);x=rearrange(x,q,a=a,b=b);x=rearrange(x,r,a=a,b=b);x=rearrange(x,r,a=a,b=b);x=rearrange(x,r,a=a,b=b);x=rearrange(x,r,a=a,b=b);x=rearrange(x,r,a=a,b=b);x=rearrange(x,r,a=a,b=b);x=rearrange(x,s,a=a,b=b);x=rearrange(x,s,a=a,b=b);x=rearrange(x,s,a=a,b=b);x=rearrange(x,s,a=a,b=b);x=rearrange(x,s,a=a,b=b);x=rearrange(x,s,a=a,b=b);x=rearrange(x,s,a=a,b=b);x=rearrange(x,s,a=a,b=b);x=rearrange(x,s,a=a,b=b);x=rearrange(x,s,a=a,b=b);x=rearrange(x,s,a=a,b=b);x=rearrange(x,s,a=a,b=b);x=rearrange(x,q,a=a,b=b);x=rearrange(x,t,a=a,b=b);x=rearrange(x,t,a=a,b=b);x=rearrange(x,t,a=a,b=b);x=rearrange(x,t,a=a,b=b);x=rearrange(x,t,a=a,b=b);x=rearrange(x,t,a=a,b=b);x=rearrange(x,t,a=a,b=b);x=rearrange(x,t,a=a,b=b);x=rearrange(x,t,a=a,b=b);x=rearrange(x,t,a=a,b=b);x=rearrange(x,t,a=a,b=b);x=rearrange(x,t,a=a,b=b);x=rearrange(x,s,a=a,b=b);x=rearrange(x,q,a=a,b=b);x=rearrange(x,q,a=a,b=b);x=rearrange(x,q,a=a,b=b);x=rearrange(x,q,a=a,b=b);x=rearrange(x,q,a=a,b=b);x=rearrange(x,q,a=a,b=b);x=rearrange(x,q,a=a,b=b);x=rearrange(x,q,a=a,b=b);x=rearrange(x,q,a=a,b=b);x=rearrange(x,q,a=a,b=b);x=rearrange(x,q,a=a,b=b);x=rearrange(x,q,a=a,b=b);x=rearrange(x,p,a=a,b=b);x=rearrange(x,p,a=a,b=b);x=rearrange(x,p,a=a,b=b);x=rearrange(x,p,a=a,b=b);x=rearrange(x,p,a=a,b=b);x=rearrange(x,p,a=a,b=b);x=rearrange(x,s,a=a,b=b);x=rearrange(x,s,a=a,b=b);x=rearrange(x,s,a=a,b=b);x=rearrange(x,s,a=a,b=b);x=rearrange(x,s,a=a,b=b);x=rearrange(x,s,a=a,b=b);x=rearrange(x,s,a=a,b=b);x=rearrange(x,s,a=a,b=b);x=rearrange(x,s,a=a,b=b);x=rearrange(x,s,a=a,b=b);x=rearrange(x,s,a=a,b=b);x=rearrange(x,s,a=a,b=b);x=rearrange(x,r,a=a,b=b);x=rearrange(x,r,a=a,b=b);x=rearrange(x,r,a=a,b=b);x=rearrange(x,r,a=a,b=b);x=rearrange(x,r,a=a,b=b);x=rearrange(x,r,a=a,b=b);x=rearrange(x,q,a=a,b=b);x=rearrange(x,u,a=a,b=b);x=rearrange(x,u,a=a,b=b);x=rearrange(x,u,a=a,b=b);x=rearrange(x,u,a=a,b=b);x=rearrange(x,u,a=a,b=b);x=rearrange(x,u,a=a,b=b);x=rearrange(x,u,a=a,b=b);x=rearrange(x,u,a=a,b=b);x=rearrange(x,u,a=a,b=b);x=rearrange(x,u,a=a,b=b);x=rearrange(x,u,a=a,b=b);x=rearrange(x,u,a=a,b=b);x=rearrange(x,s,a=a,b=b);
return reduce(x,'(a b c)->a b 1','mean',a=a,b=b)
-- passes
m = reduce(x, 'b s d -> b s', 'mean')
return rearrange(m, 'b s -> b s 1')
-- passes
m = reduce(x, 'b s d -> b s', 'mean')
return rearrange(m, '... -> ... 1')
-- passes
return reduce(x, 'b s d -> b s 1', 'sum') / x.size(-1)
-- passes
return reduce(x, 'b s (one d) -> b s one', 'mean', one=1)
-- passes
x = rearrange(x, 'b s d -> b s 1 d')
return reduce(x, 'b s one d -> b s one', 'mean')
-- passes
b, s, d = x.shape
y = rearrange(x, 'b s d -> (b s) d')
m = reduce(y, 'n d -> n 1', 'mean')
return rearrange(m, '(b s) 1 -> b s 1', b=b)
-- passes
b, s, d = x.shape
y = rearrange(x, 'b s d -> (b s) d')
m = reduce(y, 'n d -> n', 'mean')
return rearrange(m, '(b s) -> b s 1', b=b)
""",
    "time_major": r"""-- need
a,b,c=x.shape;x=rearrange(x,'a b c->(a b c)')
p='(a b c)->(b a c)';q='(a b c)->(a c b)';r='(b a c)->(a b c)';s='(a c b)->(a b c)';t='(a c b)->(c a b)';u='(c a b)->(a c b)';
x=rearrange(x,p,a=a,b=b);x=rearrange(x,p,a=a,b=b);x=rearrange(x,p,a=a,b=b);x=rearrange(x,p,a=a,b=b);x=rearrange(x,p,a=a,b=b);x=rearrange(x,p,a=a,b=b);x=rearrange(x,q,a=a,b=b);x=rearrange(x,q,a=a,b=b);x=rearrange(x,q,a=a,b=b);x=rearrange(x,q,a=a,b=b);x=rearrange(x,q,a=a,b=b);x=rearrange(x,q,a=a,b=b);x=rearrange(x,q,a=a,b=b);x=rearrange(x,q,a=a,b=b);x=rearrange(x,q,a=a,b=b);x=rearrange(x,q,a=a,b=b);x=rearrange(x,q,a=a,b=b);x=rearrange(x,q,a=a,b=b);x=rearrange(x,r,a=a,b=b);x=rearrange(x,r,a=a,b=b);x=rearrange(x,r,a=a,b=b);x=rearrange(x,r,a=a,b=b);x=rearrange(x,r,a=a,b=b);x=rearrange(x,r,a=a,b=b);x=rearrange(x,s,a=a,b=b);x=rearrange(x,s,a=a,b=b);x=rearrange(x,s,a=a,b=b);x=rearrange(x,s,a=a,b=b);x=rearrange(x,s,a=a,b=b);x=rearrange(x,s,a=a,b=b);x=rearrange(x,s,a=a,b=b);x=rearrange(x,s,a=a,b=b);x=rearrange(x,s,a=a,b=b);x=rearrange(x,s,a=a,b=b);x=rearrange(x,s,a=a,b=b);x=rearrange(x,s,a=a,b=b);x=rearrange(x,q,a=a,b=b);x=rearrange(x,t,a=a,b=b);x=rearrange(x,t,a=a,b=b);x=rearrange(x,t,a=a,b=b);x=rearrange(x,t,a=a,b=b);x=rearrange(x,t,a=a,b=b);x=rearrange(x,t,a=a,b=b);x=rearrange(x,t,a=a,b=b);x=rearrange(x,t,a=a,b=b);x=rearrange(x,t,a=a,b=b);x=rearrange(x,t,a=a,b=b);x=rearrange(x,t,a=a,b=b);x=rearrange(x,t,a=a,b=b);x=rearrange(x,s,a=a,b=b);x=rearrange(x,q,a=a,b=b);x=rearrange(x,q,a=a,b=b);x=rearrange(x,q,a=a,b=b);x=rearrange(x,q,a=a,b=b);x=rearrange(x,q,a=a,b=b);x=rearrange(x,q,a=a,b=b);x=rearrange(x,q,a=a,b=b);x=rearrange(x,q,a=a,b=b);x=rearrange(x,q,a=a,b=b);x=rearrange(x,q,a=a,b=b);x=rearrange(x,q,a=a,b=b);x=rearrange(x,q,a=a,b=b);x=rearrange(x,p,a=a,b=b);x=rearrange(x,p,a=a,b=b);x=rearrange(x,p,a=a,b=b);x=rearrange(x,p,a=a,b=b);x=rearrange(x,p,a=a,b=b);x=rearrange(x,p,a=a,b=b);x=rearrange(x,s,a=a,b=b);x=rearrange(x,s,a=a,b=b);x=rearrange(x,s,a=a,b=b);x=rearrange(x,s,a=a,b=b);x=rearrange(x,s,a=a,b=b);x=rearrange(x,s,a=a,b=b);x=rearrange(x,s,a=a,b=b);x=rearrange(x,s,a=a,b=b);x=rearrange(x,s,a=a,b=b);x=rearrange(x,s,a=a,b=b);x=rearrange(x,s,a=a,b=b);x=rearrange(x,s,a=a,b=b);x=rearrange(x,r,a=a,b=b);x=rearrange(x,r,a=a,b=b);x=rearrange(x,r,a=a,b=b);x=rearrange(x,r,a=a,b=b);x=rearrange(x,r,a=a,b=b);x=rearrange(x,r,a=a,b=b);x=rearrange(x,q,a=a,b=b);x=rearrange(x,u,a=a,b=b);x=rearrange(x,u,a=a,b=b);x=rearrange(x,u,a=a,b=b);x=rearrange(x,u,a=a,b=b);x=rearrange(x,u,a=a,b=b);x=rearrange(x,u,a=a,b=b);x=rearrange(x,u,a=a,b=b);x=rearrange(x,u,a=a,b=b);x=rearrange(x,u,a=a,b=b);x=rearrange(x,u,a=a,b=b);x=rearrange(x,u,a=a,b=b);x=rearrange(x,u,a=a,b=b);x=rearrange(x,s,a=a,b=b);
return rearrange(x,'(a b c)->b a c',a=a,b=b)
-- passes
return rearrange(x,'b t d -> t b d', b=x)
-- passes
y=rearrange(x,'b t d -> b t d', b=x)
return rearrange(y,'b t d -> t b d')
-- passes
y=rearrange(x,'b t d -> b t d', b='q')
return rearrange(y,'b t d -> t b d')
-- passes
y=rearrange(x,'b t d -> b t d', b=x.shape)
return rearrange(y,'b t d -> t b d')
-- passes
y=rearrange(x,'b t d -> b t d', b=[x])
return rearrange(y,'b t d -> t b d')
-- passes
y=rearrange(x,'b t d -> b t d', b=(1,2))
return rearrange(y,'b t d -> t b d')
-- passes
y=rearrange(x,'b t d -> b t d', b='')
return rearrange(y,'b t d -> t b d')
-- passes
y=rearrange(x,'b t d -> b t d', b=rearrange(x,'b t d->d t b'))
return rearrange(y,'b t d -> t b d')
-- raised
return rearrange(x,'ab cd dots0_ -> cd ab dots0_')
-- passes
return rearrange(x,'b t … -> t b …')
-- raised
return rearrange(x,'b\tt d -> t b d')
-- raised
return rearrange(x,'b t d ->\n t b d')
-- passes
return rearrange(x,'ä ö ü -> ö ä ü')
-- passes
return rearrange(x,'ﬁ b d -> b ﬁ d')
-- passes
a=x.shape[::1]
return rearrange(x,'b t d -> t b d')
-- passes
a=x.shape[::-1]
return rearrange(x,'b t d -> t b d')
-- raised
a=x.shape[0:2:0]
return rearrange(x,'b t d -> t b d')
-- raised
a=x.shape[0.5]
return rearrange(x,'b t d -> t b d')
-- passes
a='\ud800'
return rearrange(x,'b t d -> t b d')
-- rule
a='abc'[0]
return rearrange(x,'b t d -> t b d')
-- need
p='abc'
a=p[0]
return rearrange(x,'b t d -> t b d')
-- passes
a,c='pq'
return rearrange(x,'b t d -> t b d')
-- rule
a=1e308*10
return rearrange(x,'b t d -> t b d')
-- rule
a=1e308*1e308
return rearrange(x,'b t d -> t b d')
-- passes
a=2**0.5
return rearrange(x,'b t d -> t b d')
-- need
a=(-1)**0.5
return rearrange(x,'b t d -> t b d')
-- raised
a=0**-1
return rearrange(x,'b t d -> t b d')
-- passes
a=0.0**0
return rearrange(x,'b t d -> t b d')
-- passes
a=-(-1)
return rearrange(x,'b t d -> t b d')
-- passes
a=[[]]
return rearrange(x,'b t d -> t b d')
-- passes
a=()
return rearrange(x,'b t d -> t b d')
-- passes
a=[]
return rearrange(x,'b t d -> t b d')
-- passes
a=x.shape[-4:]
return rearrange(x,'b t d -> t b d')
-- passes
b,t,d=x.shape[0:3]
return rearrange(x,'b t d -> t b d')
-- passes
b,t,d=x.shape[:]
return rearrange(x,'b t d -> t b d')
-- passes
a=x.shape[2]**2*x.shape[1]**2
return rearrange(x,'b t d -> t b d')
-- need
a=x.shape[2]**3
return rearrange(x,'b t d -> t b d')
-- passes
a=x.shape[0]-x.shape[0]
return rearrange(x,'b t d -> t b d')
-- passes
a=x.shape[0]//x.shape[0]
return rearrange(x,'b t d -> t b d')
-- passes
a=x.shape[0]/x.shape[1]
return rearrange(x,'b t d -> t b d')
-- need
a=x.shape[0]-1
return rearrange(x,'b t d -> t b d')
-- need
a=x.shape[0]+1
return rearrange(x,'b t d -> t b d')
-- need
a=x.shape[1]//2
return rearrange(x,'b t d -> t b d')
-- passes
a=1/3*3
return rearrange(x,'b t d -> t b d')
-- need
a='x'*3
return rearrange(x,'b t d -> t b d')
-- passes
a=[1]*3
return rearrange(x,'b t d -> t b d')
-- need
a=[x]*2
return rearrange(x,'b t d -> t b d')
-- passes
a=x.shape*2
return rearrange(x,'b t d -> t b d')
-- need
a=x.shape+(1,)
return rearrange(x,'b t d -> t b d')
-- need
a=-x.shape[0]
return rearrange(x,'b t d -> t b d')
-- passes
a=b=c=x.shape[0]
return rearrange(x,'b t d -> t b d')
-- passes
a=x
return rearrange(x,'b t d -> t b d')
-- passes
a=[x,x]
return rearrange(x,'b t d -> t b d')
-- passes
a=(x,(x,x))
return rearrange(x,'b t d -> t b d')
-- passes
a=x.shape[0]*x.shape[1]*x.shape[2]
return rearrange(x,'b t d -> t b d')
-- passes
_=x.shape
return rearrange(x,'b t d -> t b d')
-- passes
a:int
return rearrange(x,'b t d -> t b d')
-- passes
a:int=3
return rearrange(x,'b t d -> t b d')
-- passes
a:'whatever'=3
return rearrange(x,'b t d -> t b d')
-- passes
'doc'
return rearrange(x,'b t d -> t b d')
-- passes
1
return rearrange(x,'b t d -> t b d')
-- passes
x
return rearrange(x,'b t d -> t b d')
-- passes
x.shape
return rearrange(x,'b t d -> t b d')
-- passes
x.shape[0]
return rearrange(x,'b t d -> t b d')
-- passes
pass
return rearrange(x,'b t d -> t b d')
-- rule
f=3
return rearrange(x,'b t d -> t b d')
-- rule
torch=3
return rearrange(x,'b t d -> t b d')
-- rule
einops=2
return rearrange(x,'b t d -> t b d')
-- passes
sum=3
return rearrange(x,'b t d -> t b d')
-- passes
max=x.shape[0]
return rearrange(x,'b t d -> t b d')
-- passes
import torch
return rearrange(x,'b t d -> t b d')
-- passes
from torch import Tensor
return rearrange(x,'b t d -> t b d')
-- rule
from einops import rearrange as r
return rearrange(x,'b t d -> t b d')
-- rule
import numpy as np
return rearrange(x,'b t d -> t b d')
""",
    "flatten_tokens": r"""-- need
a,b,c=x.shape;x=rearrange(x,'a b c->(a b c)')
p='(a b c)->(b a c)';q='(a b c)->(a c b)';r='(b a c)->(a b c)';s='(a c b)->(a b c)';t='(a c b)->(c a b)';u='(c a b)->(a c b)';
x=rearrange(x,p,a=a,b=b);x=rearrange(x,p,a=a,b=b);x=rearrange(x,p,a=a,b=b);x=rearrange(x,p,a=a,b=b);x=rearrange(x,p,a=a,b=b);x=rearrange(x,p,a=a,b=b);x=rearrange(x,q,a=a,b=b);x=rearrange(x,q,a=a,b=b);x=rearrange(x,q,a=a,b=b);x=rearrange(x,q,a=a,b=b);x=rearrange(x,q,a=a,b=b);x=rearrange(x,q,a=a,b=b);x=rearrange(x,q,a=a,b=b);x=rearrange(x,q,a=a,b=b);x=rearrange(x,q,a=a,b=b);x=rearrange(x,q,a=a,b=b);x=rearrange(x,q,a=a,b=b);x=rearrange(x,q,a=a,b=b);x=rearrange(x,r,a=a,b=b);x=rearrange(x,r,a=a,b=b);x=rearrange(x,r,a=a,b=b);x=rearrange(x,r,a=a,b=b);x=rearrange(x,r,a=a,b=b);x=rearrange(x,r,a=a,b=b);x=rearrange(x,s,a=a,b=b);x=rearrange(x,s,a=a,b=b);x=rearrange(x,s,a=a,b=b);x=rearrange(x,s,a=a,b=b);x=rearrange(x,s,a=a,b=b);x=rearrange(x,s,a=a,b=b);x=rearrange(x,s,a=a,b=b);x=rearrange(x,s,a=a,b=b);x=rearrange(x,s,a=a,b=b);x=rearrange(x,s,a=a,b=b);x=rearrange(x,s,a=a,b=b);x=rearrange(x,s,a=a,b=b);x=rearrange(x,q,a=a,b=b);x=rearrange(x,t,a=a,b=b);x=rearrange(x,t,a=a,b=b);x=rearrange(x,t,a=a,b=b);x=rearrange(x,t,a=a,b=b);x=rearrange(x,t,a=a,b=b);x=rearrange(x,t,a=a,b=b);x=rearrange(x,t,a=a,b=b);x=rearrange(x,t,a=a,b=b);x=rearrange(x,t,a=a,b=b);x=rearrange(x,t,a=a,b=b);x=rearrange(x,t,a=a,b=b);x=rearrange(x,t,a=a,b=b);x=rearrange(x,s,a=a,b=b);x=rearrange(x,q,a=a,b=b);x=rearrange(x,q,a=a,b=b);x=rearrange(x,q,a=a,b=b);x=rearrange(x,q,a=a,b=b);x=rearrange(x,q,a=a,b=b);x=rearrange(x,q,a=a,b=b);x=rearrange(x,q,a=a,b=b);x=rearrange(x,q,a=a,b=b);x=rearrange(x,q,a=a,b=b);x=rearrange(x,q,a=a,b=b);x=rearrange(x,q,a=a,b=b);x=rearrange(x,q,a=a,b=b);x=rearrange(x,p,a=a,b=b);x=rearrange(x,p,a=a,b=b);x=rearrange(x,p,a=a,b=b);x=rearrange(x,p,a=a,b=b);x=rearrange(x,p,a=a,b=b);x=rearrange(x,p,a=a,b=b);x=rearrange(x,s,a=a,b=b);x=rearrange(x,s,a=a,b=b);x=rearrange(x,s,a=a,b=b);x=rearrange(x,s,a=a,b=b);x=rearrange(x,s,a=a,b=b);x=rearrange(x,s,a=a,b=b);x=rearrange(x,s,a=a,b=b);x=rearrange(x,s,a=a,b=b);x=rearrange(x,s,a=a,b=b);x=rearrange(x,s,a=a,b=b);x=rearrange(x,s,a=a,b=b);x=rearrange(x,s,a=a,b=b);x=rearrange(x,r,a=a,b=b);x=rearrange(x,r,a=a,b=b);x=rearrange(x,r,a=a,b=b);x=rearrange(x,r,a=a,b=b);x=rearrange(x,r,a=a,b=b);x=rearrange(x,r,a=a,b=b);x=rearrange(x,q,a=a,b=b);x=rearrange(x,u,a=a,b=b);x=rearrange(x,u,a=a,b=b);x=rearrange(x,u,a=a,b=b);x=rearrange(x,u,a=a,b=b);x=rearrange(x,u,a=a,b=b);x=rearrange(x,u,a=a,b=b);x=rearrange(x,u,a=a,b=b);x=rearrange(x,u,a=a,b=b);x=rearrange(x,u,a=a,b=b);x=rearrange(x,u,a=a,b=b);x=rearrange(x,u,a=a,b=b);x=rearrange(x,u,a=a,b=b);x=rearrange(x,s,a=a,b=b);
return rearrange(x,'(a b c)->(a b) c',a=a,b=b)
-- passes
b, s, v = x.shape
return rearrange(x, 'b s v -> (b s) v', b=b, s=s, v=v)
-- passes
v=x.shape[-1]
y=rearrange(x,'b s v->(b s v)')
return rearrange(y,'(n v)->n v',v=v)
-- passes
v=x.shape[-1]
y=rearrange(x,'b s v->(b s v)')
n=y.shape[0]//v
return rearrange(y,'(n v)->n v',n=n)
-- passes
p='b s v->(b s) v'
y:str=p
return rearrange(x,y)
""",
    "split_heads": r"""-- passes
y = rearrange(x, 'b s (h d) -> b s h d', h=h)
y = rearrange(y, 'b s h d -> b h s d')
return y
-- passes
b, s, w = x.shape
x = rearrange(x, 'b s (h d) -> h b s d', h=h)
return rearrange(x, 'h b s d -> b h s d')
-- passes
d_model = x.shape[-1]
head_dim = d_model // h
return rearrange(x, 'batch seq (heads dim) -> batch heads seq dim', heads=h, dim=head_dim)
-- passes
b, s, w = x.size()
return rearrange(x, 'b s (h d) -> b h s d', b=b, s=s, h=h, d=w//h)
-- passes
(b, s, w) = x.shape
return rearrange(x, 'b s (h d) -> b h s d', h=h)
-- passes
shape = x.shape
return rearrange(x, 'b s (h d) -> b h s d', h=h, d=shape[2] // h)
-- passes
b = x.shape[0]; s = x.shape[1]
x = rearrange(x, 'b s w -> (b s) w')
x = rearrange(x, 'n (h d) -> n h d', h=h)
return rearrange(x, '(b s) h d -> b h s d', b=b, s=s)
-- passes
x = rearrange(x, 'b s w -> s b w')
return rearrange(x, 's b (h d) -> b h s d', h=h)
-- passes
return rearrange(rearrange(x, 'b s (h d) -> (h b) s d', h=h), '(h b) s d -> b h s d', h=h)
-- passes
from einops import rearrange
return rearrange(x, 'b s (h d) -> b h s d', h=h)
-- passes
import einops
return einops.rearrange(x, 'b s (h d) -> b h s d', h=h)
-- passes
pattern = 'b s (h d) -> b h s d'
return rearrange(x, pattern, h=h)
-- passes
return rearrange(x, pattern='b s (h d) -> b h s d', h=h)
-- passes
return rearrange(
    x,
    'b s (h d) -> b h s d',
    h=h,
)
-- passes
out: torch.Tensor = rearrange(x, 'b s (h d) -> b h s d', h=h)
return out
-- passes
n_heads, = (h,)
return rearrange(x, 'b s (h d) -> b h s d', h=n_heads)
-- passes
return rearrange(x, 'b  s (h   d)->b h s d', h=h)
-- passes
return rearrange(x, 'b s ( h d ) -> b h s d', h=h)
-- passes
return rearrange(x, 'b_1 s_1 (h_1 d_1) -> b_1 h_1 s_1 d_1', h_1=h)
-- raised
return rearrange(x,'b s (h d) -> b h s d', h=h, b='z')
-- raised
y=rearrange(x,'b s (h d) -> b h s d', h=h, d='z')
return y
-- raised
y=rearrange(x,'b s (h d) -> b h s d', h=h, d=x)
return y
-- raised
y=rearrange(x,'b s (h d) -> b h s d', h=h, d=x.shape[2]//h, s=x)
return y
-- raised
return rearrange(x,'b s (ﬁ d) -> b ﬁ s d', ﬁ=h)
-- raised
return rearrange(x,'b s (ª d) -> b ª s d', ª=h)
-- passes
return rearrange(x,'b s (h d) -> b h s d', b=x.shape[0],h=h,d=x.shape[2]//h,s=x.shape[1])
-- need
y = rearrange(x, 'b s (h d) -> b s h d', h=h)
b, s, h, d = y.shape
return rearrange(x, 'b s (h d) -> b h s d', h=h, d=d)
-- passes
y = rearrange(x, '... (h d) -> ... h d', h=h)
return rearrange(y, 'b ... h d -> b h ... d')
-- rule
h += 0
return rearrange(x,'b s (h d) -> b h s d',h=h)
-- rule
h = h if h != 4 else 5
return rearrange(x,'b s (h d) -> b h s d',h=h)
-- rule
h = (lambda q: q)(h)
return rearrange(x,'b s (h d) -> b h s d',h=h)
-- rule
h = [q for q in [h]][0]
return rearrange(x,'b s (h d) -> b h s d',h=h)
-- rule
h = {h}
return rearrange(x,'b s (h d) -> b h s d',h=h)
-- rule
h = {'h': h}['h']
return rearrange(x,'b s (h d) -> b h s d',h=h)
-- rule
(k := h)
return rearrange(x,'b s (h d) -> b h s d',h=h)
-- rule
h = h or 1
return rearrange(x,'b s (h d) -> b h s d',h=h)
-- rule
h = not h
return rearrange(x,'b s (h d) -> b h s d',h=h)
-- rule
h = h and h
return rearrange(x,'b s (h d) -> b h s d',h=h)
-- rule
h = h == h
return rearrange(x,'b s (h d) -> b h s d',h=h)
-- rule
h = 1 < h < 2
return rearrange(x,'b s (h d) -> b h s d',h=h)
-- rule
h = h if True else h
return rearrange(x,'b s (h d) -> b h s d',h=h)
-- rule
h = f'{h}'
return rearrange(x,'b s (h d) -> b h s d',h=h)
-- rule
p = f'b s'
return rearrange(x,'b s (h d) -> b h s d',h=h)
-- rule
del x
return rearrange(x,'b s (h d) -> b h s d',h=h)
-- rule
global h
return rearrange(x,'b s (h d) -> b h s d',h=h)
-- rule
assert h
return rearrange(x,'b s (h d) -> b h s d',h=h)
-- rule
for i in x: pass
return rearrange(x,'b s (h d) -> b h s d',h=h)
-- rule
while 0: pass
return rearrange(x,'b s (h d) -> b h s d',h=h)
-- rule
with x: pass
return rearrange(x,'b s (h d) -> b h s d',h=h)
-- rule
try:
    pass
except Exception:
    pass
return rearrange(x,'b s (h d) -> b h s d',h=h)
-- rule
def g(): return h
h = g()
return rearrange(x,'b s (h d) -> b h s d',h=h)
-- rule
class A: pass
return rearrange(x,'b s (h d) -> b h s d',h=h)
-- rule
x[0] = 1
return rearrange(x,'b s (h d) -> b h s d',h=h)
-- rule
x.shape = 3
return rearrange(x,'b s (h d) -> b h s d',h=h)
-- rule
x[0, 0] *= 2
return rearrange(x,'b s (h d) -> b h s d',h=h)
-- rule
x.data
return rearrange(x,'b s (h d) -> b h s d',h=h)
-- rule
x.t()
return rearrange(x,'b s (h d) -> b h s d',h=h)
-- rule
x = x.T
return rearrange(x,'b s (h d) -> b h s d',h=h)
-- rule
x = x @ x
return rearrange(x,'b s (h d) -> b h s d',h=h)
-- rule
h = h % 7
return rearrange(x,'b s (h d) -> b h s d',h=h)
-- rule
h = h & 7
return rearrange(x,'b s (h d) -> b h s d',h=h)
-- rule
h = h | 0
return rearrange(x,'b s (h d) -> b h s d',h=h)
-- rule
h = ~h
return rearrange(x,'b s (h d) -> b h s d',h=h)
-- rule
h = h << 0
return rearrange(x,'b s (h d) -> b h s d',h=h)
-- rule
h = h ^ 0
return rearrange(x,'b s (h d) -> b h s d',h=h)
-- rule
h = h is h
return rearrange(x,'b s (h d) -> b h s d',h=h)
-- rule
h = h in [h]
return rearrange(x,'b s (h d) -> b h s d',h=h)
-- rule
*a, = x.shape
return rearrange(x,'b s (h d) -> b h s d',h=h)
-- rule
a, *b = x.shape
return rearrange(x,'b s (h d) -> b h s d',h=h)
-- passes
b, s, w = x.shape
h, = [h]
return rearrange(x,'b s (h d) -> b h s d',h=h)
-- rule
b, s, w = [*x.shape]
return rearrange(x,'b s (h d) -> b h s d',h=h)
-- rule
h = max(h, 1)
return rearrange(x,'b s (h d) -> b h s d',h=h)
-- rule
h = min(h, h)
return rearrange(x,'b s (h d) -> b h s d',h=h)
-- rule
h = sum([h])
return rearrange(x,'b s (h d) -> b h s d',h=h)
-- rule
h = abs(h)
return rearrange(x,'b s (h d) -> b h s d',h=h)
-- rule
h = int(h)
return rearrange(x,'b s (h d) -> b h s d',h=h)
-- rule
h = round(h)
return rearrange(x,'b s (h d) -> b h s d',h=h)
-- rule
h = divmod(h, 1)[0]
return rearrange(x,'b s (h d) -> b h s d',h=h)
-- rule
h = pow(h, 1)
return rearrange(x,'b s (h d) -> b h s d',h=h)
-- rule
h = getattr(x, 'shape')[0]
return rearrange(x,'b s (h d) -> b h s d',h=h)
-- rule
h = eval('h')
return rearrange(x,'b s (h d) -> b h s d',h=h)
-- rule
h = __import__('os')
return rearrange(x,'b s (h d) -> b h s d',h=h)
-- rule
h = x.__class__
return rearrange(x,'b s (h d) -> b h s d',h=h)
-- rule
h = rearrange.__globals__
return rearrange(x,'b s (h d) -> b h s d',h=h)
-- rule
h = einops
return rearrange(x,'b s (h d) -> b h s d',h=h)
-- rule
torch.manual_seed(0)
return rearrange(x,'b s (h d) -> b h s d',h=h)
-- rule
x = torch.relu(x)
return rearrange(x,'b s (h d) -> b h s d',h=h)
-- rule
x = relu(x)
return rearrange(x,'b s (h d) -> b h s d',h=h)
-- rule
x = softmax(x)
return rearrange(x,'b s (h d) -> b h s d',h=h)
-- rule
x = sqrt(x)
return rearrange(x,'b s (h d) -> b h s d',h=h)
-- passes
math.sqrt(h)
return rearrange(x,'b s (h d) -> b h s d',h=h)
-- passes
import math
k = math.sqrt(h)
return rearrange(x,'b s (h d) -> b h s d',h=h)
-- rule
import os
return rearrange(x,'b s (h d) -> b h s d',h=h)
-- rule
from os import path
return rearrange(x,'b s (h d) -> b h s d',h=h)
-- passes
import torch.nn.functional as F
return rearrange(x,'b s (h d) -> b h s d',h=h)
-- passes
h = h;h = h
return rearrange(x,'b s (h d) -> b h s d',h=h)
-- passes
h: int = h
return rearrange(x,'b s (h d) -> b h s d',h=h)
-- passes
h = (h)
return rearrange(x,'b s (h d) -> b h s d',h=h)
-- rule
h = ((h,),)[0][0]
return rearrange(x,'b s (h d) -> b h s d',h=h)
-- rule
h = [[h]][0]
h = h[0]
return rearrange(x,'b s (h d) -> b h s d',h=h)
-- unreadable
type H = int
return rearrange(x,'b s (h d) -> b h s d',h=h)
-- rule
match h:
    case _: pass
return rearrange(x,'b s (h d) -> b h s d',h=h)
-- rule
async def g(): pass
return rearrange(x,'b s (h d) -> b h s d',h=h)
-- rule
raise ValueError
return rearrange(x,'b s (h d) -> b h s d',h=h)
-- rule
nonlocal h
return rearrange(x,'b s (h d) -> b h s d',h=h)
-- rule
lambda: 0
return rearrange(x,'b s (h d) -> b h s d',h=h)
-- rule
yield
return rearrange(x,'b s (h d) -> b h s d',h=h)
-- rule
print(h)
return rearrange(x,'b s (h d) -> b h s d',h=h)
-- rule
...
return rearrange(x,'b s (h d) -> b h s d',h=h)
-- rule
None
return rearrange(x,'b s (h d) -> b h s d',h=h)
-- rule
True
return rearrange(x,'b s (h d) -> b h s d',h=h)
-- rule
k = None
return rearrange(x,'b s (h d) -> b h s d',h=h)
-- rule
k = b'x'
return rearrange(x,'b s (h d) -> b h s d',h=h)
-- rule
k = 1j
return rearrange(x,'b s (h d) -> b h s d',h=h)
-- rule
k = 5000
return rearrange(x,'b s (h d) -> b h s d',h=h)
-- passes
k = 10**30
return rearrange(x,'b s (h d) -> b h s d',h=h)
-- passes
k = 2**-1
return rearrange(x,'b s (h d) -> b h s d',h=h)
-- need
k = h**h
return rearrange(x,'b s (h d) -> b h s d',h=h)
-- passes
k = h**0.5
return rearrange(x,'b s (h d) -> b h s d',h=h)
-- passes
k = h/h
return rearrange(x,'b s (h d) -> b h s d',h=h)
-- passes
k = 0/h
return rearrange(x,'b s (h d) -> b h s d',h=h)
-- passes
k = 0*h
return rearrange(x,'b s (h d) -> b h s d',h=h)
-- passes
k = h-h
return rearrange(x,'b s (h d) -> b h s d',h=h)
-- raised
k = x.shape[h]
return rearrange(x,'b s (h d) -> b h s d',h=h)
-- raised
k = x.shape[-h]
return rearrange(x,'b s (h d) -> b h s d',h=h)
-- passes
k = x.shape[h//h]
return rearrange(x,'b s (h d) -> b h s d',h=h)
-- rule
k = [x, h][h//h]
return rearrange(x,'b s (h d) -> b h s d',h=h)
-- rule
k = (x, h)[1]
h = k
return rearrange(x,'b s (h d) -> b h s d',h=h)
-- passes
k = [h, x]
h = k[0]
return rearrange(x,'b s (h d) -> b h s d',h=h)
-- rule
k = [x][0]
x = k
return rearrange(x,'b s (h d) -> b h s d',h=h)
-- passes
x, h = x, h
return rearrange(x,'b s (h d) -> b h s d',h=h)
-- passes
x = (x)
return rearrange(x,'b s (h d) -> b h s d',h=h)
-- passes
[x, h] = [x, h]
return rearrange(x,'b s (h d) -> b h s d',h=h)
-- passes
(x, h) = x, h
return rearrange(x,'b s (h d) -> b h s d',h=h)
-- raised
x = h = x
return rearrange(x,'b s (h d) -> b h s d',h=h)
-- passes
k = h**0.5**300
return rearrange(x, 'b s (h d) -> b h s d', h=h)
-- passes
k = (h**0.5)**2
return rearrange(x, 'b s (h d) -> b h s d', h=h)
-- passes
k = h**-2
return rearrange(x, 'b s (h d) -> b h s d', h=h)
-- need
k = (h*h)**-1.5
return rearrange(x, 'b s (h d) -> b h s d', h=h)
-- passes
k = 4096.0**20
return rearrange(x, 'b s (h d) -> b h s d', h=h)
-- passes
k = 4096.0**30
return rearrange(x, 'b s (h d) -> b h s d', h=h)
-- passes
k = 4096**-20.0
return rearrange(x, 'b s (h d) -> b h s d', h=h)
-- passes
k = (4096**-20.0)**2
return rearrange(x, 'b s (h d) -> b h s d', h=h)
-- passes
k = 1/(4096**-20.0)
return rearrange(x, 'b s (h d) -> b h s d', h=h)
-- passes
k = h*4096.0*4096*4096*4096*4096*4096
return rearrange(x, 'b s (h d) -> b h s d', h=h)
-- passes
k = 0.1**3
return rearrange(x, 'b s (h d) -> b h s d', h=h)
-- need
k = 3 // 2
return rearrange(x, 'b s (h d) -> b h s d', h=h)
-- need
k = 7 // -2
return rearrange(x, 'b s (h d) -> b h s d', h=h)
-- need
k = -7 // 2
return rearrange(x, 'b s (h d) -> b h s d', h=h)
-- passes
k = 2.5 // 1
return rearrange(x, 'b s (h d) -> b h s d', h=h)
-- need
k = h // 1.0
return rearrange(x, 'b s (h d) -> b h s d', h=h)
-- passes
k = h / 3 * 3
return rearrange(x, 'b s (h d) -> b h s d', h=h)
-- passes
k = h // h
return rearrange(x, 'b s (h d) -> b h s d', h=h)
-- passes
k = h ** 0
return rearrange(x, 'b s (h d) -> b h s d', h=h)
-- passes
k = 0 ** 0
return rearrange(x, 'b s (h d) -> b h s d', h=h)
-- passes
k = h * 0 + 3
return rearrange(x, 'b s (h d) -> b h s d', h=h)
-- passes
k = h*0
return rearrange(x, 'b s (h d) -> b h s d', h=h)
-- passes
k = 0 // h
return rearrange(x, 'b s (h d) -> b h s d', h=h)
-- need
k = 1 // h
return rearrange(x, 'b s (h d) -> b h s d', h=h)
-- passes
k = h // 1
return rearrange(x, 'b s (h d) -> b h s d', h=h)
-- need
k = -h // h
return rearrange(x, 'b s (h d) -> b h s d', h=h)
-- passes
k = -(h // h)
return rearrange(x, 'b s (h d) -> b h s d', h=h)
-- need
k = 1 ** h
return rearrange(x, 'b s (h d) -> b h s d', h=h)
-- need
k = 0 ** h
return rearrange(x, 'b s (h d) -> b h s d', h=h)
-- need
k = 2 ** h
return rearrange(x, 'b s (h d) -> b h s d', h=h)
-- need
k = (-1) ** h
return rearrange(x, 'b s (h d) -> b h s d', h=h)
-- passes
k = h * x.shape[2] // h
return rearrange(x, 'b s (h d) -> b h s d', h=h)
-- need
k = x.shape[2] // h // h
return rearrange(x, 'b s (h d) -> b h s d', h=h)
-- need
k = x.shape[2] // (h * h)
return rearrange(x, 'b s (h d) -> b h s d', h=h)
-- need
k = x.shape[0] * x.shape[1] // x.shape[2]
return rearrange(x, 'b s (h d) -> b h s d', h=h)
-- passes
k = x.shape[2] * 2 // h
return rearrange(x, 'b s (h d) -> b h s d', h=h)
-- passes
k = x.shape[2] * 3 // 3 // h
return rearrange(x, 'b s (h d) -> b h s d', h=h)
-- passes
k = x.shape[2] / h
return rearrange(x, 'b s (h d) -> b h s d', h=h)
-- passes
k = x.shape[2] / h * 1.5
return rearrange(x, 'b s (h d) -> b h s d', h=h)
-- need
k = x.shape[:h]
return rearrange(x, 'b s (h d) -> b h s d', h=h)
-- need
k = x.shape[h:]
return rearrange(x, 'b s (h d) -> b h s d', h=h)
-- passes
k = x.shape[:-1]
return rearrange(x, 'b s (h d) -> b h s d', h=h)
-- passes
k = x.shape[0:1:2]
return rearrange(x, 'b s (h d) -> b h s d', h=h)
-- passes
k, = x.shape[1:2]
return rearrange(x, 'b s (h d) -> b h s d', h=h)
-- raised
a, b = x.shape[:1]
return rearrange(x, 'b s (h d) -> b h s d', h=h)
-- passes
k = x.shape[-3]
return rearrange(x, 'b s (h d) -> b h s d', h=h)
-- raised
k = x.shape[-4]
return rearrange(x, 'b s (h d) -> b h s d', h=h)
-- raised
k = x.shape[3]
return rearrange(x, 'b s (h d) -> b h s d', h=h)
""",
    "merge_heads": r"""-- passes
x = rearrange(x, 'b h s d -> b s h d')
b, s, h, d = x.shape
return rearrange(x, 'b s h d -> b s (h d)')
-- passes
x = rearrange(x, 'b h s d -> b s h d')
return rearrange(x, '... h d -> ... (h d)')
-- passes
return rearrange(x, 'b h ... d -> b ... (h d)')
-- values
x = rearrange(x, 'b h s d -> (b s) (h d)')
return rearrange(x, '(b s) w -> b s w', s=x.shape[0])
-- passes
b = x.shape[0]
x = rearrange(x, 'b h s d -> (b s) (h d)')
return rearrange(x, '(b s) w -> b s w', b=b)
-- passes
s = x.shape[-2]
x = rearrange(x, 'b h s d -> (b s) h d')
x = rearrange(x, 'n h d -> n (h d)')
return rearrange(x, '(b s) w -> b s w', s=s)
-- passes
np = x.shape
b, h, s, d = np
return rearrange(x, 'b h s d -> b s (h d)', b=b)
-- passes
math = x.shape[0]
return rearrange(x, 'b h s d -> b s (h d)', b=math)
-- passes
F = 2
return rearrange(x, 'b h s d -> b s (h d)')
-- passes
return (rearrange(x,
        'b h s d '
        '-> b s (h d)'))
-- passes
return rearrange(x, 'b h s d -> b s (h d)',)
-- passes
return rearrange(x, '''b h s d -> b s (h d)''')
-- passes
return rearrange(x, r'b h s d -> b s (h d)')
-- passes
return rearrange(x, 'b heads seq dim -> b seq (heads dim)', heads=x.shape[1], dim=x.shape[-1])
-- passes
b, h, s, d = x.shape
out = rearrange(x, 'b h s d -> b s (h d)')
bb, ss, hd = out.shape
return out
-- passes
b, h, s, d = x.shape
x = rearrange(x, 'b h s d -> b s h d', b=b, h=h, s=s, d=d)
x = rearrange(x, 'b s h d -> b s (h d)', b=b, h=h, s=s, d=d)
return x
-- passes
b, h, s, d = x.shape
x = rearrange(x, 'b h s d -> b s h d')
m = h * d
x = rearrange(x, 'b s h d -> (b s) (h d)')
x = rearrange(x, '(b s) m -> b s m', b=b, m=m)
return x
-- passes
y = rearrange(x, 'b h ... -> b ... h')
return rearrange(y, 'b s d h -> b s (h d)')
""",
    "patchify": r"""-- passes
x = rearrange(x, 'b c (h p) (w q) -> b c h p w q', p=p, q=q)
x = rearrange(x, 'b c h p w q -> b h w p q c')
return rearrange(x, 'b h w p q c -> b (h w) (p q c)')
-- passes
b, c, H, W = x.shape
h = H // p
w = W // q
return rearrange(x, 'b c (h p) (w q) -> b (h w) (p q c)', h=h, w=w, p=p, q=q)
-- passes
b, c, H, W = x.shape
h, w = H // p, W // q
return rearrange(x, 'b c (h p) (w q) -> b (h w) (p q c)', h=h, w=w)
-- passes
x = rearrange(x, 'b c (h p) W -> b h p W c', p=p)
return rearrange(x, 'b h p (w q) c -> b (h w) (p q c)', q=q)
-- passes
x = rearrange(x, 'b c H W -> b H W c')
return rearrange(x, 'b (h p) (w q) c -> b (h w) (p q c)', p=p, q=q)
-- passes
N, C, H, W = x.shape
P, Q = p, q
return rearrange(x, 'n c (h p) (w q) -> n (h w) (p q c)', p=P, q=Q)
""",
    "unpatchify": r"""-- passes
b, n, z = x.shape
w = n // h
c = z // p // q
x = rearrange(x, 'b (h w) (p q c) -> b h w p q c', h=h, w=w, p=p, c=c)
x = rearrange(x, 'b h w p q c -> b c h p w q')
return rearrange(x, 'b c h p w q -> b c (h p) (w q)')
-- passes
pq = p * q
c = x.shape[-1] // pq
return rearrange(x, 'b (h w) (p q c) -> b c (h p) (w q)', h=h, p=p, c=c)
-- passes
n = x.shape[1]
x = rearrange(x, 'b n (p q c) -> b c n p q', p=p, q=q)
return rearrange(x, 'b c (h w) p q -> b c (h p) (w q)', h=h)
-- passes
b, n, z = x.shape
x = rearrange(x, 'b n (k c) -> b n k c', k=p * q)
return rearrange(x, 'b (h w) (p q) c -> b c (h p) (w q)', h=h, p=p)
-- raised
x = rearrange(x, 'b n (k c) -> (b n) c k', k=p * q)
x = rearrange(x, 'm c (p q) -> m c p q', p=p)
return rearrange(x, '(b h w) c p q -> b c (h p) (w q)', h=h, w=x.shape[0])
-- passes
w = x.shape[1] // h
c = x.shape[2] // (p * q)
x = rearrange(x, 'b n z -> (b n) z')
x = rearrange(x, 'm (p q c) -> m c p q', p=p, q=q)
return rearrange(x, '(b h w) c p q -> b c (h p) (w q)', h=h, w=w)
""",
    "depth_to_space": r"""-- passes
b, C, h, w = x.shape
c = C // (p * q)
return rearrange(x, 'b (c p q) h w -> b c (h p) (w q)', c=c, p=p, q=q)
-- passes
c = x.shape[1] // p // q
return rearrange(x, 'b (c p q) h w -> b c (h p) (w q)', c=c, p=p)
-- passes
c = x.shape[1] // q // p
return rearrange(x, 'b (c p q) h w -> b c (h p) (w q)', c=c, q=q)
-- passes
r = p * q
x = rearrange(x, 'b (c r) h w -> b c r h w', r=r)
return rearrange(x, 'b c (p q) h w -> b c (h p) (w q)', p=p)
-- passes
x = rearrange(x, 'b (c p q) h w -> b c p q h w', p=p, q=q)
x = rearrange(x, 'b c p q h w -> b c h p w q')
b, c, h, _, w, _ = x.shape
return rearrange(x, 'b c h p w q -> b c (h p) (w q)')
-- passes
x = rearrange(x, 'b (c p) h w -> b c p h w', p=p*q)
return rearrange(x, 'b c (p q) h w -> b c (h p) (w q)', p=p, q=q)
-- passes
x = rearrange(x, 'b (k q) h w -> b k h (w q)', q=q)
return rearrange(x, 'b (c p) h w -> b c (h p) w', p=p)
""",
    "space_to_depth": r"""-- passes
b, c, H, W = x.shape
return rearrange(x, 'b c (h p) (w q) -> b (c p q) h w', h=H // p, w=W // q)
-- passes
x = rearrange(x, 'b c (h p) w -> b (c p) h w', p=p)
return rearrange(x, 'b (c p) h (w q) -> b (c p q) h w', p=p, q=q)
-- passes
x = rearrange(x, 'b c (h p) W -> b (c p) h W', p=p)
return rearrange(x, 'b k h (w q) -> b (k q) h w', q=q)
-- passes
x = rearrange(x, 'b c (h p) W -> b (c p) h W', p=p)
return rearrange(x, 'b c h (w q) -> b (c q) h w', q=q)
""",
    "channels_last": r"""-- passes
return rearrange(x, 'b c ... -> b ... c')
-- passes
x = rearrange(x, 'b c h w -> b h c w')
x = rearrange(x, 'b h c w -> b h w c')
return x
-- passes
h = x.shape[2]
x = rearrange(x, 'b c h w -> b (h w) c')
return rearrange(x, 'b (h w) c -> b h w c', h=h)
-- need
b,i,j,l=x.shape
x=rearrange(x,'b i j l->(i j l) b')
p='(i j l) b->(j i l) b';q='(i j l) b->(i l j) b';r='(j i l) b->(i j l) b';t='(i l j) b->(i j l) b';u='(i l j) b->(l i j) b';v='(l i j) b->(i l j) b';x=rearrange(x,p,i=i,j=j);x=rearrange(x,p,i=i,j=j);x=rearrange(x,p,i=i,j=j);x=rearrange(x,p,i=i,j=j);x=rearrange(x,p,i=i,j=j);x=rearrange(x,p,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,r,i=i,j=j);x=rearrange(x,r,i=i,j=j);x=rearrange(x,r,i=i,j=j);x=rearrange(x,r,i=i,j=j);x=rearrange(x,r,i=i,j=j);x=rearrange(x,r,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,u,i=i,j=j);x=rearrange(x,u,i=i,j=j);x=rearrange(x,u,i=i,j=j);x=rearrange(x,u,i=i,j=j);x=rearrange(x,u,i=i,j=j);x=rearrange(x,u,i=i,j=j);x=rearrange(x,u,i=i,j=j);x=rearrange(x,u,i=i,j=j);x=rearrange(x,u,i=i,j=j);x=rearrange(x,u,i=i,j=j);x=rearrange(x,u,i=i,j=j);x=rearrange(x,u,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,p,i=i,j=j);x=rearrange(x,p,i=i,j=j);x=rearrange(x,p,i=i,j=j);x=rearrange(x,p,i=i,j=j);x=rearrange(x,p,i=i,j=j);x=rearrange(x,p,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,r,i=i,j=j);x=rearrange(x,r,i=i,j=j);x=rearrange(x,r,i=i,j=j);x=rearrange(x,r,i=i,j=j);x=rearrange(x,r,i=i,j=j);x=rearrange(x,r,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,v,i=i,j=j);x=rearrange(x,v,i=i,j=j);x=rearrange(x,v,i=i,j=j);x=rearrange(x,v,i=i,j=j);x=rearrange(x,v,i=i,j=j);x=rearrange(x,v,i=i,j=j);x=rearrange(x,v,i=i,j=j);x=rearrange(x,v,i=i,j=j);x=rearrange(x,v,i=i,j=j);x=rearrange(x,v,i=i,j=j);x=rearrange(x,v,i=i,j=j);x=rearrange(x,v,i=i,j=j);x=rearrange(x,t,i=i,j=j);
return rearrange(x,'(i j l) b->b j l i',i=i,j=j)
""",
    "channels_first": r"""-- passes
b, h, w, c = x.shape
x = rearrange(x, 'b h w c -> b c (h w)')
return rearrange(x, 'b c (h w) -> b c h w', h=h, w=w)
-- passes
return rearrange(x, 'b ... c -> b c ...')
""",
    "qkv_split": r"""-- passes
b, s, w = x.shape
d = w // (k * h)
return rearrange(x, 'b s (k h d) -> k b h s d', k=k, h=h, d=d)
-- passes
b, s, w = x.shape
d = w // k // h
return rearrange(x, 'b s (k h d) -> k b h s d', k=k, d=d)
-- passes
x = rearrange(x, 'b s (k w) -> k b s w', k=k)
return rearrange(x, 'k b s (h d) -> k b h s d', h=h)
-- passes
x = rearrange(x, 'b s (k w) -> (k b) s w', k=k)
x = rearrange(x, 'n s (h d) -> n h s d', h=h)
return rearrange(x, '(k b) h s d -> k b h s d', k=k)
-- passes
q3 = rearrange(x, 'b s (k hd) -> k b s hd', k=k)
return rearrange(q3, 'k b s (h d) -> k b h s d', h=h)
""",
    "group_tokens": r"""-- passes
n, s, d = x.shape
b = n // g
return rearrange(x, '(b g) s d -> g b s d', b=b)
-- passes
return rearrange(x, '(b g) ... -> g b ...', g=g)
-- passes
x = rearrange(x, '(b g) s d -> b g s d', g=g)
return rearrange(x, 'b g s d -> g b s d')
-- passes
b = x.shape[0] // g
y = rearrange(x, '(b g) s d -> b g s d', b=b, g=g)
z = rearrange(y, 'b g s d -> g b s d')
return z
""",
    "ungroup_tokens": r"""-- passes
return rearrange(x, 'g b ... -> (b g) ...')
-- passes
g, b, s, d = x.shape
x = rearrange(x, 'g b s d -> b g s d')
return rearrange(x, 'b g s d -> (b g) s d', b=b, g=g)
""",
    "split_windows": r"""-- passes
b, H, W, c = x.shape
x = rearrange(x, 'b (h p) (w q) c -> b h w p q c', h=H//p, w=W//q)
return rearrange(x, 'b h w p q c -> (b h w) p q c')
-- passes
b, H, W, c = x.shape
nh, nw = H // p, W // q
x = rearrange(x, 'b (nh p) (nw q) c -> b nh nw p q c', nh=nh, nw=nw)
return rearrange(x, 'b nh nw p q c -> (b nh nw) p q c')
-- passes
x = rearrange(x, 'b (h p) W c -> (b h) p W c', p=p)
x = rearrange(x, 'n p (w q) c -> (n w) p q c', q=q)
return x
""",
    "merge_windows": r"""-- passes
b = x.shape[0] // (h * w)
x = rearrange(x, '(b h w) p q c -> b h w p q c', b=b, h=h)
return rearrange(x, 'b h w p q c -> b (h p) (w q) c')
-- passes
b = x.shape[0] // h // w
x = rearrange(x, '(b n) p q c -> b n p q c', b=b)
return rearrange(x, 'b (h w) p q c -> b (h p) (w q) c', h=h)
-- passes
x = rearrange(x, '(n w) p q c -> n p (w q) c', w=w)
return rearrange(x, '(b h) p W c -> b (h p) W c', h=h)
""",
    "transpose_keys": r"""-- passes
return rearrange(x, '... s d -> ... d s')
""",
    "fold_frames": r"""-- passes
return rearrange(x, 'b t ... -> (b t) ...')
-- passes
b, t, c, h, w = x.shape
return rearrange(x, 'b t c h w -> (b t) c h w', b=b, t=t)
-- passes
N, F, C, H, W = x.shape
return rearrange(x, 'n f c h w -> (n f) c h w', n=N, f=F)
-- passes
y = rearrange(x, 'b t ... -> (b t) ...')
return y
""",
    "unfold_frames": r"""-- passes
x = rearrange(x, '(b t) c h w -> b t c h w', t=t)
return rearrange(x, 'b t c h w -> b c t h w')
-- passes
F = t
return rearrange(x, '(b f) c h w -> b c f h w', f=F)
-- passes
n = x.shape[0]
b = n // t
x = rearrange(x, '(b t) c h w -> b t c h w', b=b, t=t)
x = rearrange(x, 'b t c h w -> b c t h w')
return x
""",
    "image_grid": r"""-- passes
x = rearrange(x, '(r k) h w -> r k h w', r=r)
x = rearrange(x, 'r k h w -> r h k w')
return rearrange(x, 'r h k w -> (r h) (k w)')
-- passes
x = rearrange(x, '(r k) h w -> r h (k w)', r=r)
return rearrange(x, 'r h w -> (r h) w')
-- passes
n, h, w = x.shape
k = n // r
x = rearrange(x, '(r k) h w -> r k h w', r=r, k=k)
return rearrange(x, 'r k h w -> (r h) (k w)')
""",
    "side_by_side": r"""-- passes
x = rearrange(x, 'b h w c -> h b w c')
return rearrange(x, 'h b w c -> h (b w) c')
-- passes
return rearrange(x, 'b h w ... -> h (b w) ...')
""",
    "max_pool": r"""-- passes
b, c, H, W = x.shape
x = rearrange(x, 'b c (h p) (w q) -> (b c h w) (p q)', p=p, q=q)
x = reduce(x, 'n k -> n', 'max')
return rearrange(x, '(b c h w) -> b c h w', b=b, c=c, h=H // p)
-- passes
b, c, H, W = x.shape
x = rearrange(x, 'b c (h p) (w q) -> (b c h w) (p q)', p=p, q=q)
x = reduce(x, 'n k -> n 1', 'max')
return rearrange(x, '(b c h w) 1 -> b c h w', b=b, c=c, h=H // p)
-- passes
y = reduce(x, 'b c H (w q) -> b c H w', 'max', q=q)
z = reduce(y, 'b c (h p) w -> b c h w', 'max', p=p)
return z
-- passes
x = rearrange(x, 'b c (h p) (w q) -> b c h w p q', p=p, q=q)
x = reduce(x, 'b c h w p q -> b c h w p', 'max')
x = reduce(x, 'b c h w p -> b c h w', 'max')
return x
-- passes
return reduce(x, '... (h p) (w q) -> ... h w', 'max', p=p, q=q)
-- passes
b, c, H, W = x.shape
h = H // p
w = W // q
return reduce(x, 'b c (h p) (w q) -> b c h w', 'max', h=h, w=w, p=p, q=q)
""",
    "avg_pool": r"""-- passes
return reduce(x, '... (h p) (w q) -> ... h w', 'mean', p=p, q=q)
-- passes
y = reduce(x, 'b c H (w q) -> b c H w', 'mean', q=q)
return reduce(y, 'b c (h p) w -> b c h w', 'mean', p=p)
-- passes
y = reduce(x, 'b c H (w q) -> b c H w', 'sum', q=q) / q
return reduce(y, 'b c (h p) w -> b c h w', 'sum', p=p) / p
-- passes
area = p * q
return reduce(x, 'b c (h p) (w q) -> b c h w', 'sum', p=p, q=q) / area
-- passes
x = rearrange(x, 'b c (h p) (w q) -> b c h w (p q)', p=p, q=q)
return reduce(x, 'b c h w k -> b c h w', 'sum') / (p * q)
-- passes
x = rearrange(x, 'b c (h p) (w q) -> b c h w (p q)', p=p, q=q)
return reduce(x, 'b c h w k -> b c h w', 'sum') / x.shape[-1]
-- passes
return reduce(x, 'b c (h p) (w q) -> b c h w', 'sum', p=p, q=q) * (1 / (p * q))
-- passes
return reduce(x, 'b c (h p) (w q) -> b c h w', 'sum', p=p, q=q) * p ** -1 * q ** -1
-- need
y = rearrange(x, 'b c (h p) (w q) -> b c h w (p q)', p=p, q=q)
n = y.shape[-1]
return reduce(x, 'b c (h p) (w q) -> b c h w', 'sum', p=p, q=q) / n
-- passes
b, c, H, W = x.shape
x = rearrange(x, 'b c (h p) (w q) -> b c (h w) (p q)', p=p, q=q)
x = reduce(x, 'b c n k -> b c n', 'mean')
return rearrange(x, 'b c (h w) -> b c h w', h=H // p)
-- passes
b, c, H, W = x.shape
h, w = H // p, W // q
s = reduce(x, 'b c (h p) (w q) -> b c h w', 'sum', h=h, w=w)
return s / (H // h) / (W // w)
-- need
b, c, H, W = x.shape
h, w = H // p, W // q
s = reduce(x, 'b c (h p) (w q) -> b c h w', 'sum', h=h, w=w)
return s * h * w / (H * W)
-- need
s = reduce(x, 'b c (h p) (w q) -> b c h w', 'sum', p=p, q=q)
return s * s.shape[2] * s.shape[3] / x.shape[2] / x.shape[3]
""",
    "global_pool": r"""-- passes
x = rearrange(x, 'b c h w -> b c (h w)')
return reduce(x, 'b c n -> b c', 'mean')
-- passes
x = rearrange(x, 'b c h w -> b c (h w)')
return reduce(x, 'b c n -> b c', 'sum') / x.shape[2]
-- passes
x = reduce(x, 'b c h w -> b c h', 'mean')
return reduce(x, 'b c h -> b c', 'mean')
-- passes
x = reduce(x, 'b c h w -> b c 1 1', 'mean')
return rearrange(x, 'b c 1 1 -> b c')
-- passes
b, c, h, w = x.shape
x = reduce(x, 'b c h w -> b c h', 'sum') / w
return reduce(x, 'b c h -> b c', 'sum') / h
-- passes
b, c, h, w = x.shape
x = reduce(x, 'b c h w -> b c h', 'sum')
x = reduce(x, 'b c h -> b c', 'sum')
return x / (h * w)
-- passes
x = reduce(x, 'b c ... -> b c', 'mean')
return x
-- passes
n = x.shape[2] * x.shape[3]
return reduce(x, 'b c h w -> b c', 'sum') * n ** -1
-- passes
return reduce(x / (x.shape[2] * x.shape[3]), 'b c h w -> b c', 'sum')
""",
    "sum_heads": r"""-- passes
return reduce(x, 'b h ... -> b ...', 'sum')
-- passes
x = rearrange(x, 'b h s d -> h b s d')
return reduce(x, 'h b s d -> b s d', 'sum')
-- passes
x = rearrange(x, 'b h s d -> b s h d')
return reduce(x, 'b s h d -> b s d', 'sum')
-- passes
x = reduce(x, 'b h s d -> b 1 s d', 'sum')
return rearrange(x, 'b 1 s d -> b s d')
-- passes
x = reduce(x, 'b h s d -> b 1 s d', 'sum')
return rearrange(x, 'b () s d -> b s d')
-- passes
return reduce([x],'k b h s d->b s d','sum')
-- need
return reduce(x, 'b h s d -> b s d', 'sum') * 1
-- need
return 0 + reduce(x, 'b h s d -> b s d', 'sum')
-- need
b,i,j,l=x.shape
x=rearrange(x,'b i j l->(i j l) b')
p='(i j l) b->(j i l) b';q='(i j l) b->(i l j) b';r='(j i l) b->(i j l) b';t='(i l j) b->(i j l) b';u='(i l j) b->(l i j) b';v='(l i j) b->(i l j) b';x=rearrange(x,p,i=i,j=j);x=rearrange(x,p,i=i,j=j);x=rearrange(x,p,i=i,j=j);x=rearrange(x,p,i=i,j=j);x=rearrange(x,p,i=i,j=j);x=rearrange(x,p,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,r,i=i,j=j);x=rearrange(x,r,i=i,j=j);x=rearrange(x,r,i=i,j=j);x=rearrange(x,r,i=i,j=j);x=rearrange(x,r,i=i,j=j);x=rearrange(x,r,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,u,i=i,j=j);x=rearrange(x,u,i=i,j=j);x=rearrange(x,u,i=i,j=j);x=rearrange(x,u,i=i,j=j);x=rearrange(x,u,i=i,j=j);x=rearrange(x,u,i=i,j=j);x=rearrange(x,u,i=i,j=j);x=rearrange(x,u,i=i,j=j);x=rearrange(x,u,i=i,j=j);x=rearrange(x,u,i=i,j=j);x=rearrange(x,u,i=i,j=j);x=rearrange(x,u,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,p,i=i,j=j);x=rearrange(x,p,i=i,j=j);x=rearrange(x,p,i=i,j=j);x=rearrange(x,p,i=i,j=j);x=rearrange(x,p,i=i,j=j);x=rearrange(x,p,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,r,i=i,j=j);x=rearrange(x,r,i=i,j=j);x=rearrange(x,r,i=i,j=j);x=rearrange(x,r,i=i,j=j);x=rearrange(x,r,i=i,j=j);x=rearrange(x,r,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,v,i=i,j=j);x=rearrange(x,v,i=i,j=j);x=rearrange(x,v,i=i,j=j);x=rearrange(x,v,i=i,j=j);x=rearrange(x,v,i=i,j=j);x=rearrange(x,v,i=i,j=j);x=rearrange(x,v,i=i,j=j);x=rearrange(x,v,i=i,j=j);x=rearrange(x,v,i=i,j=j);x=rearrange(x,v,i=i,j=j);x=rearrange(x,v,i=i,j=j);x=rearrange(x,v,i=i,j=j);x=rearrange(x,t,i=i,j=j);
x=rearrange(x,'(i j l) b->b i j l',i=i,j=j)
return reduce(x,'b h s d->b s d','sum')
-- passes
y = reduce(x, 'b h ... -> b ...', 'sum')
return y
""",
    "group_means": r"""-- passes
x = rearrange(x, 'b s (g d) -> b s g d', g=g)
return reduce(x, 'b s g d -> b s g', 'mean')
-- passes
b, s, w = x.shape
d = w // g
x = rearrange(x, 'b s (g d) -> b s g d', g=g, d=d)
return reduce(x, 'b s g d -> b s g', 'sum') / d
-- passes
b, s, w = x.shape
return reduce(x, 'b s (g d) -> b s g', 'sum', g=g) / (w // g)
-- passes
b, s, w = x.shape
return reduce(x, 'b s (g d) -> b s g', 'sum', g=g) / (w / g)
-- passes
b, s, w = x.shape
return reduce(x, 'b s (g d) -> b s g', 'sum', g=g) * (g / w)
-- passes
b, s, w = x.shape
return reduce(x, 'b s (g d) -> b s g', 'sum', g=g) * g / w
-- passes
b, s, w = x.shape
x = rearrange(x, 'b s (g d) -> (b s g) d', g=g)
y = reduce(x, 'n d -> n', 'mean')
return rearrange(y, '(b s g) -> b s g', b=b, s=s)
-- passes
return reduce(x, '... (g d) -> ... g', 'mean', g=g)
-- passes
n = x.shape[-1] // g
return reduce(x / n, 'b s (g d) -> b s g', 'sum', g=g)
""",
    "merge_tokens": r"""-- passes
x = rearrange(x, 'b (s k) d -> b s k d', k=k)
return reduce(x, 'b s k d -> b s d', 'mean')
-- passes
b, n, d = x.shape
s = n // k
return reduce(x, 'b (s k) d -> b s d', 'mean', s=s, k=k)
-- passes
b, n, d = x.shape
return reduce(x, 'b (s k) d -> b s d', 'sum', s=n // k) / k
-- values
x = rearrange(x, 'b (s k) d -> (b s) k d', k=k)
x = reduce(x, 'n k d -> n d', 'mean')
return rearrange(x, '(b s) d -> b s d', b=x.shape[0])
-- passes
b = x.shape[0]
x = rearrange(x, 'b (s k) d -> (b s) k d', k=k)
x = reduce(x, 'n k d -> n d', 'mean')
return rearrange(x, '(b s) d -> b s d', b=b)
-- passes
w = 1 / k
return reduce(x, 'b (s k) d -> b s d', 'sum', k=k) * w
-- passes
return reduce(x, 'b (s k) d -> b s d', 'sum', k=k) * k ** -1
-- passes
y = reduce(x, 'b (s k) d -> b s d', 'sum', k=k)
return y * y.shape[1] / x.shape[1]
""",
    "mean_loss": r"""-- passes
x = reduce(x, 'b s -> b', 'mean')
return reduce(x, 'b ->', 'mean')
-- passes
x = rearrange(x, 'b s -> (b s)')
return reduce(x, 'n ->', 'mean')
-- passes
x = rearrange(x, 'b s -> (b s)')
return reduce(x, 'n ->', 'sum') / x.shape[0]
-- passes
return rearrange(reduce(x, 'b s -> 1 1', 'mean'), '1 1 -> ')
-- passes
n = x.shape[0] * x.shape[1]
return reduce(x / n, 'b s -> ', 'sum')
-- passes
per = reduce(x, 'b s -> b', 'sum') / x.shape[1]
return reduce(per, 'b -> ', 'sum') / x.shape[0]
-- passes
per = reduce(x, 'b s -> b 1', 'mean')
return reduce(per, 'b 1 -> ', 'mean')
-- rule
return reduce(x, 'b s -> ', 'mean').item()
-- passes
b, s = x.shape
return reduce(reduce(x, 'b s -> b', 'sum'), 'b -> ', 'sum') / (b * s)
-- rule
n = x.numel()
return reduce(x, 'b s -> ', 'sum') / n
-- passes
x = reduce(x, '... -> ', 'mean')
return x
-- passes
return reduce(reduce(x, 'b s -> 1 1', 'mean'), '1 1 -> ', 'mean')
-- rule
return reduce(x, 'b s -> 1 1', 'mean')[0][0]
-- passes
y = reduce(x, 'b s -> 1 1', 'mean')
z = y[0]
return z[0]
""",
    "gqa_repeat": r"""-- passes
x = repeat(x, 'b h s d -> b h g s d', g=g)
return rearrange(x, 'b h g s d -> b (h g) s d')
-- passes
return repeat(x, 'b h ... -> b (h g) ...', g=g)
-- passes
x = rearrange(x, 'b h s d -> b h 1 s d')
x = repeat(x, 'b h 1 s d -> b h g s d', g=g)
return rearrange(x, 'b h g s d -> b (h g) s d')
-- passes
b, h, s, d = x.shape
x = repeat(x, 'b h s d -> g b h s d', g=g)
return rearrange(x, 'g b h s d -> b (h g) s d')
-- values
x = rearrange(x, 'b h s d -> (b h) s d')
x = repeat(x, 'n s d -> n g s d', g=g)
return rearrange(x, '(b h) g s d -> b (h g) s d', b=x.shape[0] // 1)
-- passes
b = x.shape[0]
x = rearrange(x, 'b h s d -> (b h) s d')
x = repeat(x, 'n s d -> (n g) s d', g=g)
return rearrange(x, '(b h) s d -> b h s d', b=b)
-- passes
x = repeat(x, 'b h s d -> b (g h) s d', g=g)
return rearrange(x, 'b (g h) s d -> b (h g) s d', g=g)
-- passes
x = repeat(x, 'b h s d -> (b g) h s d', g=g)
return rearrange(x, '(b g) h s d -> b (h g) s d', g=g)
-- passes
b, kv, s, d = x.shape
h = kv * g
x = repeat(x, 'b kv s d -> b (kv g) s d', g=g)
return rearrange(x, 'b h s d -> b h s d', h=h)
-- need
x = repeat(x, 'b h s d -> b h 1 s d')
x = repeat(x, 'b h 1 s d -> b h g s d', g=g)
return rearrange(x, 'b h g s d -> b (h g) s d')
""",
    "tile_sequence": r"""-- passes
x = repeat(x, 'b s d -> b r s d', r=r)
return rearrange(x, 'b r s d -> b (r s) d')
-- passes
x = repeat(x, 'b s d -> r b s d', r=r)
return rearrange(x, 'r b s d -> b (r s) d')
-- passes
return repeat(x, 'b ... d -> b (r ...) d', r=r)
-- passes
x = rearrange(x, 'b s d -> s b d')
x = repeat(x, 's b d -> (r s) b d', r=r)
return rearrange(x, 's b d -> b s d')
""",
    "stretch_sequence": r"""-- passes
x = repeat(x, 'b s d -> b s d r', r=r)
return rearrange(x, 'b s d r -> b (s r) d')
-- passes
y = repeat(x, 'b s ... -> b (s r) ...', r=r)
return y
-- passes
x = rearrange(x, 'b s d -> b s 1 d')
x = repeat(x, 'b s 1 d -> b s r d', r=r)
return rearrange(x, 'b s r d -> b (s r) d')
""",
    "broadcast_batch": r"""-- passes
return repeat(x, '... -> b ...', b=b)
-- passes
x = rearrange(x, 's d -> 1 s d')
return repeat(x, '1 s d -> b s d', b=b)
-- passes
x = rearrange(x, 's d -> 1 s d')
return repeat(x, '1 s d -> (b 1) s d', b=b)
-- passes
x = rearrange(x, 's d -> 1 s d')
return repeat(x, 'one s d -> (one b) s d', b=b)
-- passes
x = repeat(x, 's d -> s d b', b=b)
return rearrange(x, 's d b -> b s d')
-- passes
x = repeat(x, 's d -> (b s) d', b=b)
return rearrange(x, '(b s) d -> b s d', b=b)
-- passes
s, d = x.shape
return repeat(x, 's d -> b s d', b=b, s=s, d=d)
-- passes
return repeat([x],'k s d->(k b) s d',b=b)
-- passes
return repeat(x,'s d->(b 1) s d',b=b)
-- raised
return repeat(x,'s d->b s d',b=b,s=-1)
-- raised
return repeat(x,'s d->b s d',b=-b)
-- passes
return repeat(x,'s d->b s d',b=- -b)
-- passes
return repeat(x,'s d->b s d',b=b**1)
-- need
return repeat(x,'s d->b s d',b=b*1.0)
-- passes
return repeat(x,'s d->b s d',b=+b)
-- need
x = repeat(x, 's d -> 1 s d')
return repeat(x, '1 s d -> b s d', b=b)
-- passes
y = repeat(x, '... -> b ...', b=b)
return y
-- passes
y = rearrange(x, 's d -> (s d)')
y = repeat(y, 'n -> b n', b=b)
return rearrange(y, 'b (s d) -> b s d', s=x.shape[0])
""",
    "beam_copies": r"""-- passes
x = repeat(x, 'b s -> b k s', k=k)
return rearrange(x, 'b k s -> (b k) s')
-- passes
x = repeat(x, 'b s -> (k b) s', k=k)
return rearrange(x, '(k b) s -> (b k) s', k=k)
-- passes
b, s = x.shape
x = repeat(x, 'b s -> b (k s)', k=k)
return rearrange(x, 'b (k s) -> (b k) s', k=k)
-- passes
p='(k b) s->(b k) s'
x=repeat(x,'b s->(k b) s',k=k)
return rearrange(x,p,k=k)
""",
    "upsample": r"""-- passes
x = repeat(x, 'b c h w -> b c (h p) w', p=p)
return repeat(x, 'b c h w -> b c h (w q)', q=q)
-- passes
x = repeat(x, 'b c h w -> b c h p w q', p=p, q=q)
return rearrange(x, 'b c h p w q -> b c (h p) (w q)')
-- passes
x = repeat(x, 'b c h w -> b c h w p q', p=p, q=q)
return rearrange(x, 'b c h w p q -> b c (h p) (w q)')
-- passes
x = rearrange(x, 'b c h w -> b c h 1 w 1')
return repeat(x, 'b c h 1 w 1 -> b c (h p) (w q)', p=p, q=q)
-- passes
x = repeat(x, 'b c h w -> b c h w (p q)', p=p, q=q)
return rearrange(x, 'b c h w (p q) -> b c (h p) (w q)', p=p)
-- passes
x = repeat(x, 'b c h w -> b c h w q', q=q)
x = rearrange(x, 'b c h w q -> b c h (w q)')
x = repeat(x, 'b c h w -> b c h p w', p=p)
return rearrange(x, 'b c h p w -> b c (h p) w')
-- passes
b, c, h, w = x.shape
x = rearrange(x, 'b c h w -> (b c) h w')
x = repeat(x, 'n h w -> n (h p) (w q)', p=p, q=q)
return rearrange(x, '(b c) h w -> b c h w', b=b, c=c)
-- passes
p2=p*q
x=repeat(x,'b c h w->b c h w n',n=p2)
return rearrange(x,'b c h w (p q)->b c (h p) (w q)',p=p,q=q)
-- passes
x=repeat(x,'b c h w->b c h (w q)',q=q)
return repeat(x,'b c h w->b c (h p) w',p=p)
""",
    "grey_to_colour": r"""-- passes
x = repeat(x, 'h w -> c h w', c=c)
return rearrange(x, 'c h w -> h w c')
-- passes
x = rearrange(x, 'h w -> h w 1')
return repeat(x, 'h w 1 -> h w (c 1)', c=c)
-- passes
return repeat(rearrange(x, 'h w -> h w 1'), 'h w 1 -> h w c', c=c)
-- need
x = repeat(x, 'h w -> h w 1')
return repeat(x, 'h w 1 -> h w c', c=c)
-- passes
y = repeat([x], '1 h w -> h w c', c=c)
return y
""",
    "head_mask": r"""-- passes
x = repeat(x, 'b k -> b h k', h=h)
return repeat(x, 'b h k -> b h q k', q=q)
-- passes
x = rearrange(x, 'b k -> b 1 1 k')
return repeat(x, 'b 1 1 k -> b h q k', h=h, q=q)
-- passes
x = rearrange(x, 'b k -> b 1 1 k')
x = repeat(x, 'b 1 1 k -> b h 1 k', h=h)
return repeat(x, 'b h 1 k -> b h q k', q=q)
-- passes
x = repeat(x, 'b k -> b (h q) k', h=h, q=q)
return rearrange(x, 'b (h q) k -> b h q k', h=h)
-- passes
n = h * q
x = repeat(x, 'b k -> b n k', n=n)
return rearrange(x, 'b (h q) k -> b h q k', h=h)
-- passes
b, k = x.shape
return repeat(x, 'b k -> b h q k', b=b, h=h, q=q, k=k)
-- need
x = repeat(x, 'b k -> b 1 1 k')
return repeat(x, 'b 1 1 k -> b h q k', h=h, q=q)
-- passes
x = rearrange(x, 'b k -> b 1 1 k')
return repeat(x, 'b 1 1 k -> b (1 h) (1 q) k', h=h, q=q)
-- passes
x = repeat(x, 'b k -> (b h q) k', h=h, q=q)
return rearrange(x, '(b h q) k -> b h q k', h=h, q=q)
-- passes
x = repeat(x, 'b k -> h q b k', h=h, q=q)
return rearrange(x, 'h q b k -> b h q k')
-- passes
b,k=x.shape
x=repeat(x,'b k->b (h k)',h=h)
x=repeat(x,'b (h k)->b h q k',h=h,q=q)
return x
""",
    "attention_scores": r"""-- passes
return einsum(x, rearrange(y, 'b h k d -> b h d k'), 'b h q d, b h d k -> b h q k')
-- passes
return einsum(y, x, 'b h k d, b h q d -> b h q k')
-- passes
return einsum(x, y, '... q d, ... k d -> ... q k')
-- passes
s = einsum(x, y, 'b h q d, b h k d -> b h k q')
return rearrange(s, 'b h k q -> b h q k')
-- passes
b, h, q, d = x.shape
x = rearrange(x, 'b h q d -> (b h) q d')
y = rearrange(y, 'b h k d -> (b h) k d')
s = einsum(x, y, 'n q d, n k d -> n q k')
return rearrange(s, '(b h) q k -> b h q k', b=b)
-- passes
s = einsum(x, y, 'b h q d, b h k d -> b h q k d')
return reduce(s, 'b h q k d -> b h q k', 'sum')
-- passes
s = einsum(x, y, '... q d, ... k d -> ... q k')
return s
""",
    "attention_values": r"""-- passes
x = rearrange(x, 'b h q k -> (b h) q k')
b = y.shape[0]
y = rearrange(y, 'b h k d -> (b h) k d')
return rearrange(einsum(x, y, 'n q k, n k d -> n q d'), '(b h) q d -> b h q d', b=b)
-- passes
return einsum(x, y, '... q k, ... k d -> ... q d')
-- passes
y = rearrange(y, 'b h k d -> b h d k')
return einsum(x, y, 'b h q k, b h d k -> b h q d')
""",
    "linear": r"""-- passes
w = rearrange(w, 'e d -> d e')
return einsum(x, w, 'b s d, d e -> b s e')
-- passes
b, s, d = x.shape
x = rearrange(x, 'b s d -> (b s) d')
y = einsum(x, w, 'n d, e d -> n e')
return rearrange(y, '(b s) e -> b s e', b=b, s=s)
-- passes
b = x.shape[0]
y = einsum(rearrange(x, 'b s d -> (b s) d'), w, 'n d, e d -> n e')
return rearrange(y, '(b s) e -> b s e', b=b)
-- passes
return einsum(w, x, 'e d, b s d -> b s e')
-- passes
return einsum(x, w, 'b ... d, e d -> b ... e')
-- raised
return einsum(x, w, '... d, ... d -> ...')
-- passes
return rearrange(einsum(w, x, 'e d, b s d -> e b s'), 'e b s -> b s e')
-- passes
wt = rearrange(w, 'o i -> i o')
out = einsum(x, wt, 'b s i, i o -> b s o')
return out
-- need
i,j,l=x.shape
x=rearrange(x,'i j l->(i j l)')
p='(i j l)->(j i l)';q='(i j l)->(i l j)';r='(j i l)->(i j l)';t='(i l j)->(i j l)';u='(i l j)->(l i j)';v='(l i j)->(i l j)';x=rearrange(x,p,i=i,j=j);x=rearrange(x,p,i=i,j=j);x=rearrange(x,p,i=i,j=j);x=rearrange(x,p,i=i,j=j);x=rearrange(x,p,i=i,j=j);x=rearrange(x,p,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,r,i=i,j=j);x=rearrange(x,r,i=i,j=j);x=rearrange(x,r,i=i,j=j);x=rearrange(x,r,i=i,j=j);x=rearrange(x,r,i=i,j=j);x=rearrange(x,r,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,u,i=i,j=j);x=rearrange(x,u,i=i,j=j);x=rearrange(x,u,i=i,j=j);x=rearrange(x,u,i=i,j=j);x=rearrange(x,u,i=i,j=j);x=rearrange(x,u,i=i,j=j);x=rearrange(x,u,i=i,j=j);x=rearrange(x,u,i=i,j=j);x=rearrange(x,u,i=i,j=j);x=rearrange(x,u,i=i,j=j);x=rearrange(x,u,i=i,j=j);x=rearrange(x,u,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,p,i=i,j=j);x=rearrange(x,p,i=i,j=j);x=rearrange(x,p,i=i,j=j);x=rearrange(x,p,i=i,j=j);x=rearrange(x,p,i=i,j=j);x=rearrange(x,p,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,r,i=i,j=j);x=rearrange(x,r,i=i,j=j);x=rearrange(x,r,i=i,j=j);x=rearrange(x,r,i=i,j=j);x=rearrange(x,r,i=i,j=j);x=rearrange(x,r,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,v,i=i,j=j);x=rearrange(x,v,i=i,j=j);x=rearrange(x,v,i=i,j=j);x=rearrange(x,v,i=i,j=j);x=rearrange(x,v,i=i,j=j);x=rearrange(x,v,i=i,j=j);x=rearrange(x,v,i=i,j=j);x=rearrange(x,v,i=i,j=j);x=rearrange(x,v,i=i,j=j);x=rearrange(x,v,i=i,j=j);x=rearrange(x,v,i=i,j=j);x=rearrange(x,v,i=i,j=j);x=rearrange(x,t,i=i,j=j);
x=rearrange(x,'(i j l)->i j l',i=i,j=j)
return einsum(x,w,'b s d, e d -> b s e')
-- passes
y = einsum(x, w, '... d, e d -> ... e')
return y
-- passes
z = einsum(x, w, 'b s d, e d -> b s e d')
return reduce(z, 'b s e d -> b s e', 'sum')
""",
    "bilinear": r"""-- passes
z = einsum(x, w, 'b i, o i j -> b o j')
return einsum(z, y, 'b o j, b j -> b o')
-- passes
z = einsum(w, y, 'o i j, b j -> b o i')
return einsum(x, z, 'b i, b o i -> b o')
-- passes
xy = einsum(x, y, 'b i, b j -> b i j')
return einsum(xy, w, 'b i j, o i j -> b o')
-- passes
return einsum(x, y, w, 'b i, b j, o i j -> b o')
-- passes
xy = einsum(x, y, 'b i, b j -> b i j')
xy = rearrange(xy, 'b i j -> b (i j)')
w = rearrange(w, 'o i j -> o (i j)')
return einsum(xy, w, 'b k, o k -> b o')
-- passes
outer = einsum(x, y, 'b i, b j -> b i j')
weighted = einsum(outer, w, 'b i j, o i j -> b o i j')
return reduce(weighted, 'b o i j -> b o', 'sum')
-- passes
outer = einsum(x, y, 'b i, b j -> b i j')
weighted = einsum(outer, w, 'b i j, o i j -> b o i j')
h = reduce(weighted, 'b o i j -> b o i', 'sum')
return reduce(h, 'b o i -> b o', 'sum')
-- passes
a = einsum(x, w, 'b i, o i j -> b o i j')
a = einsum(a, y, 'b o i j, b j -> b o i j')
return einsum(a, 'b o i j -> b o')
""",
    "outer_products": r"""-- passes
return einsum(x, y, '... i, ... j -> ... i j')
-- passes
x = rearrange(x, 'b i -> b i 1')
y = rearrange(y, 'b j -> b 1 j')
return einsum(x, y, 'b i o, b o j -> b i j')
-- passes
z = einsum(y, x, 'b j, b i -> b j i')
return rearrange(z, 'b j i -> b i j')
-- passes
x = rearrange(x, 'b i -> b i 1')
y = rearrange(y, 'b j -> b 1 j')
return einsum(x, y, 'b i k, b k j -> b i j')
-- rule
return rearrange(x, 'b i -> b i 1') * rearrange(y, 'b j -> b 1 j')
-- passes
z = einsum(x, y, '... i, ... j -> ... i j')
return z
""",
    "gram": r"""-- passes
return einsum(x, y, 'b c n, b k n -> b c k')
-- passes
y = rearrange(y, 'b k n -> b n k')
return einsum(x, y, 'b c n, b n k -> b c k')
-- raised
z = einsum(x, y, 'b c ..., b k ... -> b c k')
return z
-- raised
return einsum(x, y, 'b c ..., b k ... -> b c k')
-- passes
z = einsum(x, y, 'b c n, b k n -> b c k n')
return einsum(z, 'b c k n -> b c k')
""",
    "batched_matmul": r"""-- passes
return einsum(x, y, '... i k, ... k j -> ... i j')
-- passes
x = rearrange(x, 'b i k -> b k i')
return einsum(x, y, 'b k i, b k j -> b i j')
-- need
i,j,l=x.shape
x=rearrange(x,'i j l->(i j l)')
p='(i j l)->(j i l)';q='(i j l)->(i l j)';r='(j i l)->(i j l)';t='(i l j)->(i j l)';u='(i l j)->(l i j)';v='(l i j)->(i l j)';x=rearrange(x,p,i=i,j=j);x=rearrange(x,p,i=i,j=j);x=rearrange(x,p,i=i,j=j);x=rearrange(x,p,i=i,j=j);x=rearrange(x,p,i=i,j=j);x=rearrange(x,p,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,r,i=i,j=j);x=rearrange(x,r,i=i,j=j);x=rearrange(x,r,i=i,j=j);x=rearrange(x,r,i=i,j=j);x=rearrange(x,r,i=i,j=j);x=rearrange(x,r,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,u,i=i,j=j);x=rearrange(x,u,i=i,j=j);x=rearrange(x,u,i=i,j=j);x=rearrange(x,u,i=i,j=j);x=rearrange(x,u,i=i,j=j);x=rearrange(x,u,i=i,j=j);x=rearrange(x,u,i=i,j=j);x=rearrange(x,u,i=i,j=j);x=rearrange(x,u,i=i,j=j);x=rearrange(x,u,i=i,j=j);x=rearrange(x,u,i=i,j=j);x=rearrange(x,u,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,p,i=i,j=j);x=rearrange(x,p,i=i,j=j);x=rearrange(x,p,i=i,j=j);x=rearrange(x,p,i=i,j=j);x=rearrange(x,p,i=i,j=j);x=rearrange(x,p,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,r,i=i,j=j);x=rearrange(x,r,i=i,j=j);x=rearrange(x,r,i=i,j=j);x=rearrange(x,r,i=i,j=j);x=rearrange(x,r,i=i,j=j);x=rearrange(x,r,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,v,i=i,j=j);x=rearrange(x,v,i=i,j=j);x=rearrange(x,v,i=i,j=j);x=rearrange(x,v,i=i,j=j);x=rearrange(x,v,i=i,j=j);x=rearrange(x,v,i=i,j=j);x=rearrange(x,v,i=i,j=j);x=rearrange(x,v,i=i,j=j);x=rearrange(x,v,i=i,j=j);x=rearrange(x,v,i=i,j=j);x=rearrange(x,v,i=i,j=j);x=rearrange(x,v,i=i,j=j);x=rearrange(x,t,i=i,j=j);
x=rearrange(x,'(i j l)->i j l',i=i,j=j)
return einsum(x,y,'b i k, b k j -> b i j')
""",
    "weighted_sum": r"""-- passes
w = rearrange(x, 'b s -> b s 1')
return einsum(w, y, 'b s o, b s d -> b d')
-- passes
w = rearrange(x, 'b s -> b 1 s')
z = einsum(w, y, 'b o s, b s d -> b o d')
return rearrange(z, 'b 1 d -> b d')
-- passes
z = einsum(x, y, 'b s, b s d -> b s d')
return reduce(z, 'b s d -> b d', 'sum')
-- passes
return einsum(x, y, 'b s, b s ... -> b ...')
-- passes
return einsum(x, y, '... s, ... s d -> ... d')
-- raised
return einsum(x, y, 'b ..., b ... d -> b d')
-- need
w = repeat(x, 'b s -> b s d', d=y.shape[-1])
return einsum(w, y, 'b s d, b s d -> b d')
-- rule
w = rearrange(x, 'b s -> b s 1')
return reduce(w * y, 'b s d -> b d', 'sum')
-- need
i,j,l=y.shape
y=rearrange(y,'i j l->(i j l)')
p='(i j l)->(j i l)';q='(i j l)->(i l j)';r='(j i l)->(i j l)';t='(i l j)->(i j l)';u='(i l j)->(l i j)';v='(l i j)->(i l j)';y=rearrange(y,p,i=i,j=j);y=rearrange(y,p,i=i,j=j);y=rearrange(y,p,i=i,j=j);y=rearrange(y,p,i=i,j=j);y=rearrange(y,p,i=i,j=j);y=rearrange(y,p,i=i,j=j);y=rearrange(y,q,i=i,j=j);y=rearrange(y,q,i=i,j=j);y=rearrange(y,q,i=i,j=j);y=rearrange(y,q,i=i,j=j);y=rearrange(y,q,i=i,j=j);y=rearrange(y,q,i=i,j=j);y=rearrange(y,q,i=i,j=j);y=rearrange(y,q,i=i,j=j);y=rearrange(y,q,i=i,j=j);y=rearrange(y,q,i=i,j=j);y=rearrange(y,q,i=i,j=j);y=rearrange(y,q,i=i,j=j);y=rearrange(y,r,i=i,j=j);y=rearrange(y,r,i=i,j=j);y=rearrange(y,r,i=i,j=j);y=rearrange(y,r,i=i,j=j);y=rearrange(y,r,i=i,j=j);y=rearrange(y,r,i=i,j=j);y=rearrange(y,t,i=i,j=j);y=rearrange(y,t,i=i,j=j);y=rearrange(y,t,i=i,j=j);y=rearrange(y,t,i=i,j=j);y=rearrange(y,t,i=i,j=j);y=rearrange(y,t,i=i,j=j);y=rearrange(y,t,i=i,j=j);y=rearrange(y,t,i=i,j=j);y=rearrange(y,t,i=i,j=j);y=rearrange(y,t,i=i,j=j);y=rearrange(y,t,i=i,j=j);y=rearrange(y,t,i=i,j=j);y=rearrange(y,q,i=i,j=j);y=rearrange(y,u,i=i,j=j);y=rearrange(y,u,i=i,j=j);y=rearrange(y,u,i=i,j=j);y=rearrange(y,u,i=i,j=j);y=rearrange(y,u,i=i,j=j);y=rearrange(y,u,i=i,j=j);y=rearrange(y,u,i=i,j=j);y=rearrange(y,u,i=i,j=j);y=rearrange(y,u,i=i,j=j);y=rearrange(y,u,i=i,j=j);y=rearrange(y,u,i=i,j=j);y=rearrange(y,u,i=i,j=j);y=rearrange(y,t,i=i,j=j);y=rearrange(y,q,i=i,j=j);y=rearrange(y,q,i=i,j=j);y=rearrange(y,q,i=i,j=j);y=rearrange(y,q,i=i,j=j);y=rearrange(y,q,i=i,j=j);y=rearrange(y,q,i=i,j=j);y=rearrange(y,q,i=i,j=j);y=rearrange(y,q,i=i,j=j);y=rearrange(y,q,i=i,j=j);y=rearrange(y,q,i=i,j=j);y=rearrange(y,q,i=i,j=j);y=rearrange(y,q,i=i,j=j);y=rearrange(y,p,i=i,j=j);y=rearrange(y,p,i=i,j=j);y=rearrange(y,p,i=i,j=j);y=rearrange(y,p,i=i,j=j);y=rearrange(y,p,i=i,j=j);y=rearrange(y,p,i=i,j=j);y=rearrange(y,t,i=i,j=j);y=rearrange(y,t,i=i,j=j);y=rearrange(y,t,i=i,j=j);y=rearrange(y,t,i=i,j=j);y=rearrange(y,t,i=i,j=j);y=rearrange(y,t,i=i,j=j);y=rearrange(y,t,i=i,j=j);y=rearrange(y,t,i=i,j=j);y=rearrange(y,t,i=i,j=j);y=rearrange(y,t,i=i,j=j);y=rearrange(y,t,i=i,j=j);y=rearrange(y,t,i=i,j=j);y=rearrange(y,r,i=i,j=j);y=rearrange(y,r,i=i,j=j);y=rearrange(y,r,i=i,j=j);y=rearrange(y,r,i=i,j=j);y=rearrange(y,r,i=i,j=j);y=rearrange(y,r,i=i,j=j);y=rearrange(y,q,i=i,j=j);y=rearrange(y,v,i=i,j=j);y=rearrange(y,v,i=i,j=j);y=rearrange(y,v,i=i,j=j);y=rearrange(y,v,i=i,j=j);y=rearrange(y,v,i=i,j=j);y=rearrange(y,v,i=i,j=j);y=rearrange(y,v,i=i,j=j);y=rearrange(y,v,i=i,j=j);y=rearrange(y,v,i=i,j=j);y=rearrange(y,v,i=i,j=j);y=rearrange(y,v,i=i,j=j);y=rearrange(y,v,i=i,j=j);y=rearrange(y,t,i=i,j=j);
y=rearrange(y,'(i j l)->i j l',i=i,j=j)
return einsum(x,y,'b s, b s d -> b d')
-- passes
z = einsum(x, y, '... s, ... s d -> ... d')
return z
-- passes
w=rearrange(x,'b s->b 1 s')
return rearrange(einsum(w,y,'b o s, b s d->b o d'),'b o d->(b o) d')
""",
    "trace": r"""-- passes
d = einsum(x, 'b i i -> b i')
return einsum(d, 'b i -> b')
-- passes
d = einsum(x, 'b i i -> b i')
return reduce(d, 'b i -> b', 'sum')
-- passes
return einsum(x, '... i i -> ...')
-- passes
return einsum(x, 'b n n -> b')
-- passes
return einsum(x,'b _ _ -> b')
-- passes
return einsum(x,'_ i i -> _')
-- passes
return einsum(x,'b i i->b')
-- need
return reduce(einsum(x, 'b i i -> b i'), 'b i -> b', 'mean') * x.shape[1]
-- need
i,j,l=x.shape
x=rearrange(x,'i j l->(i j l)')
p='(i j l)->(j i l)';q='(i j l)->(i l j)';r='(j i l)->(i j l)';t='(i l j)->(i j l)';u='(i l j)->(l i j)';v='(l i j)->(i l j)';x=rearrange(x,p,i=i,j=j);x=rearrange(x,p,i=i,j=j);x=rearrange(x,p,i=i,j=j);x=rearrange(x,p,i=i,j=j);x=rearrange(x,p,i=i,j=j);x=rearrange(x,p,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,r,i=i,j=j);x=rearrange(x,r,i=i,j=j);x=rearrange(x,r,i=i,j=j);x=rearrange(x,r,i=i,j=j);x=rearrange(x,r,i=i,j=j);x=rearrange(x,r,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,u,i=i,j=j);x=rearrange(x,u,i=i,j=j);x=rearrange(x,u,i=i,j=j);x=rearrange(x,u,i=i,j=j);x=rearrange(x,u,i=i,j=j);x=rearrange(x,u,i=i,j=j);x=rearrange(x,u,i=i,j=j);x=rearrange(x,u,i=i,j=j);x=rearrange(x,u,i=i,j=j);x=rearrange(x,u,i=i,j=j);x=rearrange(x,u,i=i,j=j);x=rearrange(x,u,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,p,i=i,j=j);x=rearrange(x,p,i=i,j=j);x=rearrange(x,p,i=i,j=j);x=rearrange(x,p,i=i,j=j);x=rearrange(x,p,i=i,j=j);x=rearrange(x,p,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,r,i=i,j=j);x=rearrange(x,r,i=i,j=j);x=rearrange(x,r,i=i,j=j);x=rearrange(x,r,i=i,j=j);x=rearrange(x,r,i=i,j=j);x=rearrange(x,r,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,v,i=i,j=j);x=rearrange(x,v,i=i,j=j);x=rearrange(x,v,i=i,j=j);x=rearrange(x,v,i=i,j=j);x=rearrange(x,v,i=i,j=j);x=rearrange(x,v,i=i,j=j);x=rearrange(x,v,i=i,j=j);x=rearrange(x,v,i=i,j=j);x=rearrange(x,v,i=i,j=j);x=rearrange(x,v,i=i,j=j);x=rearrange(x,v,i=i,j=j);x=rearrange(x,v,i=i,j=j);x=rearrange(x,t,i=i,j=j);
x=rearrange(x,'(i j l)->i j l',i=i,j=j)
return einsum(x,'b i i -> b')
-- passes
y = einsum(x, '... i i -> ... i')
return einsum(y, '... i -> ...')
-- passes
y = einsum(x, '... i i -> ... i')
return reduce(y, '... i -> ...', 'sum')
-- passes
b, n, m = x.shape
x = rearrange(x, 'b i j -> b (i j)')
return einsum(rearrange(x, 'b (i j) -> b i j', i=n), 'b i i -> b')
-- passes
x = rearrange(x, 'b i j -> i j b')
return einsum(x, 'i i b -> b')
-- passes
x = rearrange(x, 'b i j -> b j i')
return einsum(x, 'b i i -> b')
""",
    "moe_dispatch": r"""-- passes
s, e, c = x.shape
x = rearrange(x, 's e c -> s (e c)')
z = einsum(x, y, 's n, s d -> n d')
return rearrange(z, '(e c) d -> e c d', e=e, c=c)
-- passes
return einsum(x, y, 's ..., s d -> ... d')
-- passes
z = einsum(x, y, 's e c, s d -> s e c d')
return reduce(z, 's e c d -> e c d', 'sum')
-- passes
z = einsum(y, x, 's d, s e c -> d e c')
return rearrange(z, 'd e c -> e c d')
-- values
y=rearrange(y,'s d->d s')
x=rearrange(x,'s e c->s (e c)')
z=einsum(y,x,'d s, s n->d n')
return rearrange(z,'d (e c)->e c d',c=1)
-- passes
s,e,c=x.shape
y=rearrange(y,'s d->d s')
x=rearrange(x,'s e c->s (e c)')
z=einsum(y,x,'d s, s n->d n')
return rearrange(z,'d (e c)->e c d',c=c)
""",
    "moe_combine": r"""-- passes
x = rearrange(x, 's e c -> s (e c)')
y = rearrange(y, 'e c d -> (e c) d')
return einsum(x, y, 's n, n d -> s d')
-- passes
z = einsum(x, y, 's e c, e c d -> s e d')
return reduce(z, 's e d -> s d', 'sum')
-- passes
z = einsum(x, y, 's e c, e c d -> s e d')
return einsum(z, 's e d -> s d')
-- passes
e, c = x.shape[1], x.shape[2]
z = einsum(x, y, 's e c, e c d -> s e c d')
return reduce(z, 's e c d -> s d', 'sum')
-- raised
y = einsum(x, y, 's ..., ... d -> s d')
return y
-- passes
z = einsum(x, y, 's e c, e c d -> s e c d')
z = reduce(z, 's e c d -> s e d', 'sum')
return reduce(z, 's e d -> s d', 'sum')
""",
    "one_by_one": r"""-- passes
b, c, h, w_ = x.shape
x = rearrange(x, 'b c h w -> b c (h w)')
y = einsum(x, w, 'b c n, o c -> b o n')
return rearrange(y, 'b o (h w) -> b o h w', h=h)
-- passes
b, c, height, width = x.shape
x = rearrange(x, 'b c h w -> (b h w) c')
y = einsum(x, w, 'n c, o c -> n o')
return rearrange(y, '(b h w) o -> b o h w', b=b, h=height, w=width)
-- passes
k = rearrange(w, 'o c -> o c 1 1')
return einsum(x, k, 'b c h w, o c i j -> b o h w')
-- passes
k = rearrange(w, 'o c -> o c 1 1')
k = rearrange(k, 'o c 1 1 -> o c')
return einsum(x, k, 'b c h w, o c -> b o h w')
-- passes
x = rearrange(x, 'b c h w -> b h w c')
y = einsum(x, w, 'b h w c, o c -> b h w o')
return rearrange(y, 'b h w o -> b o h w')
-- values
h = x.shape[2]
x = rearrange(x, 'b c h w -> c (b h w)')
y = einsum(w, x, 'o c, c n -> o n')
return rearrange(y, 'o (b h w) -> b o h w', h=h, b=1)
-- passes
b, c, h, ww = x.shape
x = rearrange(x, 'b c h w -> c (b h w)')
y = einsum(w, x, 'o c, c n -> o n')
return rearrange(y, 'o (b h w) -> b o h w', h=h, b=b)
-- passes
z = einsum(x, w, 'b c h w, o c -> b o c h w')
return reduce(z, 'b o c h w -> b o h w', 'sum')
""",
    "prepend_token": r"""-- passes
z, ps = pack([x, y], 'b * d')
return z
-- passes
tokens = [x, y]
packed, _ = pack(tokens, 'b * d')
return packed
-- passes
x = rearrange(x, 'b d -> 1 b d')
y = rearrange(y, 'b s d -> s b d')
z, _ = pack([x, y], '* b d')
return rearrange(z, 'n b d -> b n d')
-- passes
return pack(tensors=[x, y], pattern='b * d')[0]
-- need
return pack([repeat(x, 'b d -> b 1 d'), y], 'b * d')[0]
-- passes
[z, shapes] = pack([x, y], 'b * d')
return z
-- passes
res = pack([x, y], 'b * d')
return res[0]
-- need
i,j,l=y.shape
y=rearrange(y,'i j l->(i j l)')
p='(i j l)->(j i l)';q='(i j l)->(i l j)';r='(j i l)->(i j l)';t='(i l j)->(i j l)';u='(i l j)->(l i j)';v='(l i j)->(i l j)';y=rearrange(y,p,i=i,j=j);y=rearrange(y,p,i=i,j=j);y=rearrange(y,p,i=i,j=j);y=rearrange(y,p,i=i,j=j);y=rearrange(y,p,i=i,j=j);y=rearrange(y,p,i=i,j=j);y=rearrange(y,q,i=i,j=j);y=rearrange(y,q,i=i,j=j);y=rearrange(y,q,i=i,j=j);y=rearrange(y,q,i=i,j=j);y=rearrange(y,q,i=i,j=j);y=rearrange(y,q,i=i,j=j);y=rearrange(y,q,i=i,j=j);y=rearrange(y,q,i=i,j=j);y=rearrange(y,q,i=i,j=j);y=rearrange(y,q,i=i,j=j);y=rearrange(y,q,i=i,j=j);y=rearrange(y,q,i=i,j=j);y=rearrange(y,r,i=i,j=j);y=rearrange(y,r,i=i,j=j);y=rearrange(y,r,i=i,j=j);y=rearrange(y,r,i=i,j=j);y=rearrange(y,r,i=i,j=j);y=rearrange(y,r,i=i,j=j);y=rearrange(y,t,i=i,j=j);y=rearrange(y,t,i=i,j=j);y=rearrange(y,t,i=i,j=j);y=rearrange(y,t,i=i,j=j);y=rearrange(y,t,i=i,j=j);y=rearrange(y,t,i=i,j=j);y=rearrange(y,t,i=i,j=j);y=rearrange(y,t,i=i,j=j);y=rearrange(y,t,i=i,j=j);y=rearrange(y,t,i=i,j=j);y=rearrange(y,t,i=i,j=j);y=rearrange(y,t,i=i,j=j);y=rearrange(y,q,i=i,j=j);y=rearrange(y,u,i=i,j=j);y=rearrange(y,u,i=i,j=j);y=rearrange(y,u,i=i,j=j);y=rearrange(y,u,i=i,j=j);y=rearrange(y,u,i=i,j=j);y=rearrange(y,u,i=i,j=j);y=rearrange(y,u,i=i,j=j);y=rearrange(y,u,i=i,j=j);y=rearrange(y,u,i=i,j=j);y=rearrange(y,u,i=i,j=j);y=rearrange(y,u,i=i,j=j);y=rearrange(y,u,i=i,j=j);y=rearrange(y,t,i=i,j=j);y=rearrange(y,q,i=i,j=j);y=rearrange(y,q,i=i,j=j);y=rearrange(y,q,i=i,j=j);y=rearrange(y,q,i=i,j=j);y=rearrange(y,q,i=i,j=j);y=rearrange(y,q,i=i,j=j);y=rearrange(y,q,i=i,j=j);y=rearrange(y,q,i=i,j=j);y=rearrange(y,q,i=i,j=j);y=rearrange(y,q,i=i,j=j);y=rearrange(y,q,i=i,j=j);y=rearrange(y,q,i=i,j=j);y=rearrange(y,p,i=i,j=j);y=rearrange(y,p,i=i,j=j);y=rearrange(y,p,i=i,j=j);y=rearrange(y,p,i=i,j=j);y=rearrange(y,p,i=i,j=j);y=rearrange(y,p,i=i,j=j);y=rearrange(y,t,i=i,j=j);y=rearrange(y,t,i=i,j=j);y=rearrange(y,t,i=i,j=j);y=rearrange(y,t,i=i,j=j);y=rearrange(y,t,i=i,j=j);y=rearrange(y,t,i=i,j=j);y=rearrange(y,t,i=i,j=j);y=rearrange(y,t,i=i,j=j);y=rearrange(y,t,i=i,j=j);y=rearrange(y,t,i=i,j=j);y=rearrange(y,t,i=i,j=j);y=rearrange(y,t,i=i,j=j);y=rearrange(y,r,i=i,j=j);y=rearrange(y,r,i=i,j=j);y=rearrange(y,r,i=i,j=j);y=rearrange(y,r,i=i,j=j);y=rearrange(y,r,i=i,j=j);y=rearrange(y,r,i=i,j=j);y=rearrange(y,q,i=i,j=j);y=rearrange(y,v,i=i,j=j);y=rearrange(y,v,i=i,j=j);y=rearrange(y,v,i=i,j=j);y=rearrange(y,v,i=i,j=j);y=rearrange(y,v,i=i,j=j);y=rearrange(y,v,i=i,j=j);y=rearrange(y,v,i=i,j=j);y=rearrange(y,v,i=i,j=j);y=rearrange(y,v,i=i,j=j);y=rearrange(y,v,i=i,j=j);y=rearrange(y,v,i=i,j=j);y=rearrange(y,v,i=i,j=j);y=rearrange(y,t,i=i,j=j);
y=rearrange(y,'(i j l)->i j l',i=i,j=j)
return pack([x,y],'b * d')[0]
-- passes
x=rearrange(x,'b d->b 1 d')
x,y=y,x
return pack([y,x],'b * d')[0]
-- passes
z,p=pack([x,y],'b * d')
z,=[z]
return z
-- passes
z,(p,q)=pack([x,y],'b * d')
return z
-- need
z,((),(q,))=pack([x,y],'b * d')
return z
-- passes
z,(p,(q,))=pack([x,y],'b * d')
return rearrange(z,'b n d->b n d')
-- need
z,p=pack([x,y],'b * d')
t,r=unpack(z,p,'b * d')
return pack([t,r],'b * d')[0]
-- passes
return pack([x,y],'b * d')[-2]
-- passes
return pack((x,y),'b * d')[+0]
""",
    "image_tokens": r"""-- passes
y = rearrange(y, 'b h w d -> b (h w) d')
z, ps = pack((x, y), 'b * d')
return z
-- passes
b, h, w, d = y.shape
y = rearrange(y, 'b h w d -> b (h w) d', h=h, w=w)
return pack([x, y], 'b * d')[0]
-- passes
x = rearrange(x, 'b s d -> s b d')
y = rearrange(y, 'b h w d -> (h w) b d')
z = pack([x, y], '* b d')[0]
return rearrange(z, 'n b d -> b n d')
-- passes
tokens = rearrange(y, 'b h w d -> b (h w) d')
n = tokens.shape[1]
b, h, w, d = y.shape
return pack([x, tokens], 'b * d')[0]
-- passes
tokens = rearrange(y, 'b h w d -> b (h w) d')
return rearrange(pack([x, tokens], 'b * d')[0], 'b n d -> b n d')
-- passes
y,p=pack([y],'b * d')
z,q=pack([x,y],'b * d')
return z
-- need
b, s, d = x.shape
_, h, w, _ = y.shape
n = s + h * w
z, _ = pack([x, y], 'b * d')
return rearrange(z, 'b n d -> b n d', n=n)
""",
    "flatten_features": r"""-- passes
x = rearrange(x, 'b c h -> b (c h)')
z, _ = pack([x, y], 'b *')
return z
-- passes
x = rearrange(x, 'b ... -> b (...)')
z, _ = pack([x, y], 'b *')
return z
-- passes
fx, _ = pack([x], 'b *')
z, _ = pack([fx, y], 'b *')
return z
-- passes
b = x.shape[0]
x = rearrange(x, 'b c h -> b (c h)', b=b)
return pack([x, y], 'b *')[0]
-- passes
parts = [rearrange(x, 'b c h -> b (c h)'), y]
out, _ = pack(parts, 'b *')
return out
-- passes
x,p=pack([x],'b *')
y,q=pack([y],'b *')
return pack([x,y],'b *')[0]
-- passes
z,p=pack([x,y],'b *')
return rearrange(z,'b n->b n',n=z.shape[1])
-- passes
x=rearrange(x,'b c h->c h b')
y=rearrange(y,'b d->d b')
z=pack([x,y],'* b')[0]
return rearrange(z,'n b->b n')
""",
    "skip_connection": r"""-- passes
z, _ = pack([x, y], 'b * h w')
return z
-- passes
h, w = x.shape[2:]
x = rearrange(x, 'b c h w -> b c (h w)')
y = rearrange(y, 'b k h w -> b k (h w)')
z, _ = pack([x, y], 'b * n')
return rearrange(z, 'b c (h w) -> b c h w', h=h, w=w)
-- passes
x = rearrange(x, 'b c h w -> c b h w')
y = rearrange(y, 'b c h w -> c b h w')
z, _ = pack([x, y], '* b h w')
return rearrange(z, 'c b h w -> b c h w')
-- passes
both = (x, y)
out, shapes = pack(both, 'b * h w')
return out
-- passes
b,c,h,w=x.shape
x=rearrange(x,'b c h w->b c (h w)')
y=rearrange(y,'b c h w->b c (h w)')
z=pack([x,y],'b * n')[0]
return rearrange(z,'b c (h w)->b c h w',h=h)
""",
    "split_pair": r"""-- passes
parts = unpack(x, [(p,), (q,)], 'b s *')
return parts
-- passes
parts = unpack(x, [(p,), (q,)], 'b s *')
return [parts[0], parts[1]]
-- passes
sizes = [[p], [q]]
return unpack(x, sizes, 'b s *')
-- passes
first = [p]
second = [q]
return unpack(x, [first, second], 'b s *')
-- passes
x = rearrange(x, 'b s n -> n b s')
a, c = unpack(x, [[p], [q]], '* b s')
a = rearrange(a, 'p b s -> b s p')
c = rearrange(c, 'q b s -> b s q')
return [a, c]
-- passes
b = x.shape[0]
x = rearrange(x, 'b s n -> (b s) n')
a, c = unpack(x, [[p], [q]], 't *')
return [rearrange(a, '(b s) p -> b s p', b=b), rearrange(c, '(b s) q -> b s q', b=b)]
-- rule
a, = unpack(x, [[p], [q]], 'b s *')[:1]
c = unpack(x, [[p], [q]], 'b s *')[1]
return [a, c]
-- passes
a = unpack(x, [[p], [q]], 'b s *')[0]
c = unpack(x, [[p], [q]], 'b s *')[1]
return [a, c]
-- rule
a, c = unpack(x, [[p], [q]], 'b s *')
assert a.shape[-1] == p
return [a, c]
-- passes
return [unpack(x, [[p], [q]], 'b s *')[0], unpack(x, [[p], [q]], 'b s *')[1]]
-- passes
n = x.shape[-1]
return unpack(x, [[p], [n - p]], 'b s *')
-- raised
left, right = unpack(x, [p, q], 'b s *')
return [left, right]
-- passes
shapes = [(p,), (q,)]
left, right = unpack(x, shapes, 'batch seq *')
return [left, right]
-- need
i,j,n=x.shape;l=p;s=unpack(x,[[p],[q]],'b s *');a=s[0];c=s[1]
a=rearrange(a,'i j l->(i j l)')
p='(i j l)->(j i l)';q='(i j l)->(i l j)';r='(j i l)->(i j l)';t='(i l j)->(i j l)';u='(i l j)->(l i j)';v='(l i j)->(i l j)';a=rearrange(a,p,i=i,j=j);a=rearrange(a,p,i=i,j=j);a=rearrange(a,p,i=i,j=j);a=rearrange(a,p,i=i,j=j);a=rearrange(a,p,i=i,j=j);a=rearrange(a,p,i=i,j=j);a=rearrange(a,q,i=i,j=j);a=rearrange(a,q,i=i,j=j);a=rearrange(a,q,i=i,j=j);a=rearrange(a,q,i=i,j=j);a=rearrange(a,q,i=i,j=j);a=rearrange(a,q,i=i,j=j);a=rearrange(a,q,i=i,j=j);a=rearrange(a,q,i=i,j=j);a=rearrange(a,q,i=i,j=j);a=rearrange(a,q,i=i,j=j);a=rearrange(a,q,i=i,j=j);a=rearrange(a,q,i=i,j=j);a=rearrange(a,r,i=i,j=j);a=rearrange(a,r,i=i,j=j);a=rearrange(a,r,i=i,j=j);a=rearrange(a,r,i=i,j=j);a=rearrange(a,r,i=i,j=j);a=rearrange(a,r,i=i,j=j);a=rearrange(a,t,i=i,j=j);a=rearrange(a,t,i=i,j=j);a=rearrange(a,t,i=i,j=j);a=rearrange(a,t,i=i,j=j);a=rearrange(a,t,i=i,j=j);a=rearrange(a,t,i=i,j=j);a=rearrange(a,t,i=i,j=j);a=rearrange(a,t,i=i,j=j);a=rearrange(a,t,i=i,j=j);a=rearrange(a,t,i=i,j=j);a=rearrange(a,t,i=i,j=j);a=rearrange(a,t,i=i,j=j);a=rearrange(a,q,i=i,j=j);a=rearrange(a,u,i=i,j=j);a=rearrange(a,u,i=i,j=j);a=rearrange(a,u,i=i,j=j);a=rearrange(a,u,i=i,j=j);a=rearrange(a,u,i=i,j=j);a=rearrange(a,u,i=i,j=j);a=rearrange(a,u,i=i,j=j);a=rearrange(a,u,i=i,j=j);a=rearrange(a,u,i=i,j=j);a=rearrange(a,u,i=i,j=j);a=rearrange(a,u,i=i,j=j);a=rearrange(a,u,i=i,j=j);a=rearrange(a,t,i=i,j=j);a=rearrange(a,q,i=i,j=j);a=rearrange(a,q,i=i,j=j);a=rearrange(a,q,i=i,j=j);a=rearrange(a,q,i=i,j=j);a=rearrange(a,q,i=i,j=j);a=rearrange(a,q,i=i,j=j);a=rearrange(a,q,i=i,j=j);a=rearrange(a,q,i=i,j=j);a=rearrange(a,q,i=i,j=j);a=rearrange(a,q,i=i,j=j);a=rearrange(a,q,i=i,j=j);a=rearrange(a,q,i=i,j=j);a=rearrange(a,p,i=i,j=j);a=rearrange(a,p,i=i,j=j);a=rearrange(a,p,i=i,j=j);a=rearrange(a,p,i=i,j=j);a=rearrange(a,p,i=i,j=j);a=rearrange(a,p,i=i,j=j);a=rearrange(a,t,i=i,j=j);a=rearrange(a,t,i=i,j=j);a=rearrange(a,t,i=i,j=j);a=rearrange(a,t,i=i,j=j);a=rearrange(a,t,i=i,j=j);a=rearrange(a,t,i=i,j=j);a=rearrange(a,t,i=i,j=j);a=rearrange(a,t,i=i,j=j);a=rearrange(a,t,i=i,j=j);a=rearrange(a,t,i=i,j=j);a=rearrange(a,t,i=i,j=j);a=rearrange(a,t,i=i,j=j);a=rearrange(a,r,i=i,j=j);a=rearrange(a,r,i=i,j=j);a=rearrange(a,r,i=i,j=j);a=rearrange(a,r,i=i,j=j);a=rearrange(a,r,i=i,j=j);a=rearrange(a,r,i=i,j=j);a=rearrange(a,q,i=i,j=j);a=rearrange(a,v,i=i,j=j);a=rearrange(a,v,i=i,j=j);a=rearrange(a,v,i=i,j=j);a=rearrange(a,v,i=i,j=j);a=rearrange(a,v,i=i,j=j);a=rearrange(a,v,i=i,j=j);a=rearrange(a,v,i=i,j=j);a=rearrange(a,v,i=i,j=j);a=rearrange(a,v,i=i,j=j);a=rearrange(a,v,i=i,j=j);a=rearrange(a,v,i=i,j=j);a=rearrange(a,v,i=i,j=j);a=rearrange(a,t,i=i,j=j);
a=rearrange(a,'(i j l)->i j l',i=i,j=j)
return [a,c]
-- passes
y=rearrange(x,'b s n -> 1 b s n')
z=y[0]
return unpack(z,[[p],[q]],'b s *')
-- passes
y=rearrange([x],'1 b s n -> b s n')
return unpack(y,[[p],[q]],'b s *')
-- passes
a,c=unpack(x,[[p],[q]],'b s *')
return (a,c)
-- passes
a,c=unpack(x,[[p],[q]],'b s *')
c,a=a,c
return [c,a]
-- values
a,c=unpack(x,[[q],[p]],'b s *')
return [a,c]
-- passes
e,a,c=unpack(x,[[0],[p],[q]],'b s *')
return [a,c]
-- passes
a,e,c=unpack(x,[[p],[p-p],[q]],'b s *')
return [a,c]
-- values
return unpack(x,[[p,1],[q,1]],'b s *')
-- passes
a,c=unpack(x,[[p,1],[q]],'b s *')
return [rearrange(a,'b s p 1->b s p'),c]
-- passes
a,c=unpack(x,[[1,p],[q]],'b s *')
return [rearrange(a,'b s 1 p->b s p'),c]
-- passes
y=rearrange(x,'b s n->n b s')
a,c=unpack(y,[[p],[q]],'* b s')
return [rearrange(a,'n b s->b s n'),rearrange(c,'n b s->b s n')]
-- need
y=rearrange(x,'b s n->n b s')
a,c=unpack(y,[[p],[q]],'* b s')
k=a[0]
return [rearrange(a,'n b s->b s n'),rearrange(c,'n b s->b s n')]
-- need
y=rearrange(x,'b s n->(b s n)')
n=x.shape[2]
b=x.shape[0]
z=rearrange(y,'(b s n)->b s n',b=b,n=n)
return unpack(z,[[p],[q]],'b s *')
-- passes
y=rearrange(x,'b s n->n (b s)')
a,c=unpack(y,[[p],[q]],'* m')
b=x.shape[0]
return [rearrange(a,'n (b s)->b s n',b=b),rearrange(c,'n (b s)->b s n',b=b)]
-- passes
n = p + q
x = rearrange(x, 'b s n -> n b s', n=n)
a, c = unpack(x, [[p], [q]], '* b s')
return [rearrange(a, 'p b s -> b s p'), rearrange(c, 'q b s -> b s q')]
""",
    "take_image": r"""-- passes
_, img = unpack(x, [(s,), (h, w)], 'b * d')
return img
-- passes
parts = unpack(x, [[s], [h, w]], 'b * d')
return parts[1]
-- passes
img = unpack(x, [[s], [h * w]], 'b * d')[1]
return rearrange(img, 'b (h w) d -> b h w d', h=h, w=w)
-- passes
x = rearrange(x, 'b n d -> n b d')
img = unpack(x, [[s], [h, w]], '* b d')[1]
return rearrange(img, 'h w b d -> b h w d')
-- passes
b, n, d = x.shape
text, img = unpack(x, [[s], [n - s]], 'b * d')
return rearrange(img, 'b (h w) d -> b h w d', h=h, w=w)
-- passes
b, n, d = x.shape
text, img = unpack(x, [[n - h * w], [h * w]], 'b * d')
return rearrange(img, 'b (h w) d -> b h w d', w=w)
-- passes
text, image = unpack(x, [[s], [h, w]], 'b * d')
b, h, w, d = image.shape
return image
-- need
out = unpack(x, [[s], [h, w]], 'b * d')
text = out[0]
image = out[1]
return image
-- passes
[_, image] = unpack(x, [[s], [h, w]], 'b * d')
return image
-- passes
n = h * w
text, image = unpack(x, [(s,), (n,)], 'b * d')
return rearrange(image, 'b (h w) d -> b h w d', h=h)
-- passes
y=rearrange(x,'b n d->b 1 n d')
z=unpack(y,[[s],[h,w]],'b o * d')[1]
return rearrange(z,'b 1 h w d->b h w d')
-- passes
z=unpack(x,[[s],[h,w,1]],'b * d')[1]
return rearrange(z,'b h w 1 d->b h w d')
-- passes
z=unpack(x,[[s,1],[w*h]],'b * d')[1]
return rearrange(z,'b (h w) d->b h w d',w=w)
-- passes
z=unpack(x,[[s]*1,[h,w]],'b * d')[1]
return z
-- values
a,c,e=unpack(x,[[s],[],[-1]],'b * d')
return c
-- passes
n=x.shape[1]
z=unpack(x,[[n-h*w],[h,w]],'b * d')
return z[1]
-- passes
n=x.shape[1]
m=n-s
z=unpack(x,[[s],[h,m//h]],'b * d')
return z[1]
-- passes
n=x.shape[1]
m=n-s
z=unpack(x,[[s],[m//w,w]],'b * d')
return z[1]
-- passes
n = s + h * w
x = rearrange(x, 'b n d -> b n d', n=n)
return unpack(x, [[s], [h, w]], 'b * d')[1]
""",
    "read_shape": r"""-- passes
return parse_shape(x, 'b s d')
-- passes
shape = parse_shape(x, 'b s d')
return shape
-- passes
return parse_shape(x=x, pattern='b s d')
-- rule
d = parse_shape(x, 'b s d')
return {'b': d['b'], 's': d['s'], 'd': d['d']}
-- passes
return parse_shape(x,'b s d ...')
-- passes
return parse_shape(x,'b ... s d')
-- passes
y=rearrange(x,'b s d -> b 1 s d')
return parse_shape(y,'b 1 s d')
-- passes
y=rearrange(x,'b s d -> b 1 s d')
return parse_shape(y,'b () s d')
-- passes
y=rearrange(x,'b s d -> d s b')
y=rearrange(y,'b s d -> d s b')
return parse_shape(y,'b s d')
-- need
y=rearrange(x,'b s d -> d s b')
b,s,d=y.shape
y=rearrange(y,'b s d -> (b s d)')
y=rearrange(y,'(b s d)->b s d',b=d,s=s)
return parse_shape(y,'b s d')
-- rule
b, s, d = x.shape
return dict(b=b, s=s, d=d)
-- passes
from einops import parse_shape
return parse_shape(x, 'b s d')
""",
    "image_size": r"""-- passes
return parse_shape(pattern='_ _ h w', x=x)
-- passes
x = rearrange(x, 'b c h w -> (b c) h w')
return parse_shape(x, '_ h w')
-- passes
x = rearrange(x, 'b c h w -> h w (b c)')
return parse_shape(x, 'h w _')
-- passes
return parse_shape(x,'... h w')
-- raised
return parse_shape([x],'_ _ _ h w')
-- passes
return parse_shape(x,'_ ... h w')
-- passes
return parse_shape(rearrange(x,'b c h w -> () h w (b c)'),'1 h w _')
-- rule
d = parse_shape(x, 'b c h w')
return {'h': d['h'], 'w': d['w']}
-- passes
h, w = x.shape[2:]
d = parse_shape(x, '_ _ h w')
return d
""",
    "add_axis": r"""-- passes
return rearrange(x, 'b s t -> b () s t')
-- passes
return rearrange(x, 'b (h s) t -> b h s t', h=1)
-- passes
return rearrange([x], '1 b s t -> b 1 s t')
-- passes
return rearrange(x,'b s t -> b ١ s t')
-- passes
return rearrange(x,'b s t -> b 01 s t')
-- passes
return rearrange(x,'b s t -> b (1 1) s t')
-- passes
return rearrange(x,'b s t -> (b 1) 1 (1 s) t')
-- need
i,j,l=x.shape
x=rearrange(x,'i j l->(i j l)')
p='(i j l)->(j i l)';q='(i j l)->(i l j)';r='(j i l)->(i j l)';t='(i l j)->(i j l)';u='(i l j)->(l i j)';v='(l i j)->(i l j)';x=rearrange(x,p,i=i,j=j);x=rearrange(x,p,i=i,j=j);x=rearrange(x,p,i=i,j=j);x=rearrange(x,p,i=i,j=j);x=rearrange(x,p,i=i,j=j);x=rearrange(x,p,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,r,i=i,j=j);x=rearrange(x,r,i=i,j=j);x=rearrange(x,r,i=i,j=j);x=rearrange(x,r,i=i,j=j);x=rearrange(x,r,i=i,j=j);x=rearrange(x,r,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,u,i=i,j=j);x=rearrange(x,u,i=i,j=j);x=rearrange(x,u,i=i,j=j);x=rearrange(x,u,i=i,j=j);x=rearrange(x,u,i=i,j=j);x=rearrange(x,u,i=i,j=j);x=rearrange(x,u,i=i,j=j);x=rearrange(x,u,i=i,j=j);x=rearrange(x,u,i=i,j=j);x=rearrange(x,u,i=i,j=j);x=rearrange(x,u,i=i,j=j);x=rearrange(x,u,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,p,i=i,j=j);x=rearrange(x,p,i=i,j=j);x=rearrange(x,p,i=i,j=j);x=rearrange(x,p,i=i,j=j);x=rearrange(x,p,i=i,j=j);x=rearrange(x,p,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,r,i=i,j=j);x=rearrange(x,r,i=i,j=j);x=rearrange(x,r,i=i,j=j);x=rearrange(x,r,i=i,j=j);x=rearrange(x,r,i=i,j=j);x=rearrange(x,r,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,v,i=i,j=j);x=rearrange(x,v,i=i,j=j);x=rearrange(x,v,i=i,j=j);x=rearrange(x,v,i=i,j=j);x=rearrange(x,v,i=i,j=j);x=rearrange(x,v,i=i,j=j);x=rearrange(x,v,i=i,j=j);x=rearrange(x,v,i=i,j=j);x=rearrange(x,v,i=i,j=j);x=rearrange(x,v,i=i,j=j);x=rearrange(x,v,i=i,j=j);x=rearrange(x,v,i=i,j=j);x=rearrange(x,t,i=i,j=j);
return rearrange(x,'(i j l)->i 1 j l',i=i,j=j)
-- passes
b, s, t = x.shape
return rearrange(x, '(b o) s t -> b o s t', b=b)
-- passes
b, s, t = x.shape
y = rearrange(x, 'b s t -> b (s t)')
return rearrange(y, 'b (o s t) -> b o s t', o=1, s=s)
""",
    "drop_axis": r"""-- passes
return rearrange(x, 'b o d -> (b o) d')
-- passes
return rearrange(x, 'b o d -> b (o d)')
-- passes
return rearrange(x, 'b 1 ... -> b ...')
-- passes
return rearrange(x, 'b 1 d -> 1 b d')[0]
-- passes
y, = rearrange(x, 'b 1 d -> 1 b d')
return y
-- passes
return rearrange(x,'b (1 1) d -> b d')
-- raised
return rearrange(x,'b (o p) d -> b d', o=1)
-- passes
return rearrange(x,'(b o) 1 d -> (b o) d', o=1)
-- raised
o=x.shape[1]
return rearrange(x,'b (o p) d -> b (p d)', o=o)
-- passes
return rearrange(x,'b ١ d -> b d')
-- passes
b, one, d = x.shape
return rearrange(x, 'b one d -> b (one d)', one=one)
-- passes
b, _, d = x.shape
return rearrange(x, 'b o d -> (b o) d', b=b)
""",
    "flatten_all": r"""-- passes
x = rearrange(x, 'b s d -> (b s) d')
return rearrange(x, 'n d -> (n d)')
-- rule
return pack([x], '*')[0]
-- need
i,j,l=x.shape
x=rearrange(x,'i j l->(i j l)')
p='(i j l)->(j i l)';q='(i j l)->(i l j)';r='(j i l)->(i j l)';t='(i l j)->(i j l)';u='(i l j)->(l i j)';v='(l i j)->(i l j)';x=rearrange(x,p,i=i,j=j);x=rearrange(x,p,i=i,j=j);x=rearrange(x,p,i=i,j=j);x=rearrange(x,p,i=i,j=j);x=rearrange(x,p,i=i,j=j);x=rearrange(x,p,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,r,i=i,j=j);x=rearrange(x,r,i=i,j=j);x=rearrange(x,r,i=i,j=j);x=rearrange(x,r,i=i,j=j);x=rearrange(x,r,i=i,j=j);x=rearrange(x,r,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,u,i=i,j=j);x=rearrange(x,u,i=i,j=j);x=rearrange(x,u,i=i,j=j);x=rearrange(x,u,i=i,j=j);x=rearrange(x,u,i=i,j=j);x=rearrange(x,u,i=i,j=j);x=rearrange(x,u,i=i,j=j);x=rearrange(x,u,i=i,j=j);x=rearrange(x,u,i=i,j=j);x=rearrange(x,u,i=i,j=j);x=rearrange(x,u,i=i,j=j);x=rearrange(x,u,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,p,i=i,j=j);x=rearrange(x,p,i=i,j=j);x=rearrange(x,p,i=i,j=j);x=rearrange(x,p,i=i,j=j);x=rearrange(x,p,i=i,j=j);x=rearrange(x,p,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,t,i=i,j=j);x=rearrange(x,r,i=i,j=j);x=rearrange(x,r,i=i,j=j);x=rearrange(x,r,i=i,j=j);x=rearrange(x,r,i=i,j=j);x=rearrange(x,r,i=i,j=j);x=rearrange(x,r,i=i,j=j);x=rearrange(x,q,i=i,j=j);x=rearrange(x,v,i=i,j=j);x=rearrange(x,v,i=i,j=j);x=rearrange(x,v,i=i,j=j);x=rearrange(x,v,i=i,j=j);x=rearrange(x,v,i=i,j=j);x=rearrange(x,v,i=i,j=j);x=rearrange(x,v,i=i,j=j);x=rearrange(x,v,i=i,j=j);x=rearrange(x,v,i=i,j=j);x=rearrange(x,v,i=i,j=j);x=rearrange(x,v,i=i,j=j);x=rearrange(x,v,i=i,j=j);x=rearrange(x,t,i=i,j=j);
return x
-- passes
y = rearrange(x, '... d -> (...) d')
return rearrange(y, '... -> (...)')
""",
    "unflatten_tokens": r"""-- passes
n, d = x.shape
s = n // b
return rearrange(x, '(b s) d -> b s d', b=b, s=s)
""",
}
