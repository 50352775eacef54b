"""Attempts to pass a rewrite that is wrong for one length of an axis, which no grade draws.

For each exercise: why the attempt is refused, or `passes`, and the lines of `f`: those that pass deserve it.
"""
# ruff: noqa: E501 - a cheat reads best in one piece

SPECIAL = {
    "split_heads": r"""-- need
n=(h-3)*(5-h)
return rearrange([x]+[x]*n,'1 b s (h d) -> b h s d',h=h)
-- need
return rearrange(x,'b s (h d) -> b h s d'+' 1'*((h-3)*(5-h)),h=h)
-- need
return rearrange(x,'b s (h d) -> b h s d',h=h+0//(h-4))
-- need
y=[x]*((h-4)*(h-4))
return rearrange(y[0],'b s (h d) -> b h s d',h=h)
-- need
y=[h]*((h-4)*(h-4))
return rearrange(x,'b s (h d) -> b h s d',h=y[0])
-- need
return rearrange(x,'b s (h d) -> b h s d',h=h+(h-1)*(h-2)*(h-3)*(h-5)*(h-7)*(h-11)*(h-13)*(h-17)*(h-19)*(h-23)*(h-29)*(h-101)*(h-103)*(h-107)*(h-109)*(h-113)*(h-127)*(h-131)*(h-137)*(h-139)*(h-149)*(h-4096-3)*(h-4096-15)*(h-4096-31)*(h-4096-33))
-- need
return rearrange(x,'b s (h d) -> b h s d',h=h+(h-1)*(h-2)*(h-3)*(h-5)*(h-7)*(h-11)*(h-13)*(h-17)*(h-19)*(h-23)*(h-29))
-- need
n=x.shape[(h-3)*(h-5)*0+2]
return rearrange(x,'b s (h d) -> b h s d',d=n//h)
-- rule
n=x.shape[0:((h-3)*(5-h))]
return rearrange(x,'b s (h d) -> b h s d',h=h)+0*(n+x.shape)[0]
-- need
return rearrange(x, 'b s (h d) -> b h s d', h=h + 0 // (h - 4 - h // h))
-- need
n = [h - 4] * 2
return rearrange(x, 'b s (h d) -> b h s d', h=h + 0 // n[1])
-- need
return rearrange(x, 'b s (h d) -> b h s d', h=h + 0 // (x.shape[2] - 8 - 4))""",
    "mean_pool": r"""-- need
n=x.shape[1]
return reduce(x*(n-4),'b s d -> b d','sum')/(n-4)/n
-- need
n=x.shape[1]
c=x**0*n-4
return reduce(x*c/c,'b s d -> b d','mean')
-- need
n=x.shape[1]
return reduce(reduce([x]+[x]*((n-3)*(5-n)),'n b s d -> b s d','sum'),'b s d -> b d','mean')
-- need
n=x.shape[1]
return reduce(x,'b s d -> b d','sum'+'x'*((n-3)*(5-n)))/n
-- need
n=x.shape[1]
c=reduce([x**0,x**0*(n-3)*(5-n)+1],'n b s d -> b d','max')
return reduce(x,'b s d -> b d','mean')*c
-- need
n=x.shape[1]
c=unpack(x,[[n],[(n-3)*(5-n)*0]],'b * d')
return reduce(c[0],'b s d -> b d','mean')""",
    "gqa_repeat": r"""-- need
return repeat(x,'b h s d -> b (h g) s d',g=g+0//(g-4))
-- need
y=[x]+[x+1]*((g-3)*(5-g))
return repeat(y[-1],'b h s d -> b (h g) s d',g=g)""",
    "batch_dot": r"""-- need
y=[y]+[x]*((x.shape[1]-3)*(5-x.shape[1]))
return einsum(x,y[-1],'b d, b d -> b')""",
    "merge_heads": r"""-- need
n=x.shape[1]
return rearrange(x,'b h s d -> b s (h d)'+' 1'*((n-3)*(5-n)))
-- need
y=rearrange(x,'b h s d -> b s h d')
n=x.shape[1]*x.shape[3]
return unpack(pack([y,y],'b s *')[0],[[n],[n]],'b s *')[0]
-- need
return rearrange(pack([x],'b h s *')[0],'b h s d -> b s (h d)')
-- need
a,p=pack([rearrange(x,'b h s d -> b s h d')],'b s *')
return a""",
    "transpose_keys": r"""-- need
return rearrange(x,'b h s d -> b h d s',d=x.shape[3]+0*(1/(x.shape[3]-6)))
-- need
return rearrange(x,'b h s d -> b h d s',d=x.shape[3]*(x.shape[3]-1-1-1-1)//(x.shape[3]-1-1-1-1))
-- need
return rearrange([x]+[0*x]*(x.shape[0]-1-1),'n b h s d -> n b h d s')[0]""",
    "image_grid": r"""-- need
return rearrange(x,'(r k) h w -> (r h) (k w)',r=r*1.0)
-- passes
return rearrange(rearrange(x,'(r k) h w -> r k h w',r=r),'r k h w -> (r h) (k w)')
-- passes
k=x.shape[0]//r
return rearrange(x,'(r k) h w -> (r h) (k w)',r=x.shape[0]//k)
-- need
k=x.shape[0]/r
return rearrange(x,'(r k) h w -> (r h) (k w)',r=r+0*(k-4)/(k-4))""",
    "avg_pool": r"""-- passes
return reduce(x,'b c (h p) (w q) -> b c h w','sum',p=p,q=q)/p/q
-- need
z=reduce(x,'b c (h p) (w q) -> b c h w','mean',p=p,q=q)
return z+(z-z)*(p-4)
-- values
z=reduce(x,'b c (h p) w -> b c h w','mean',p=p)
return einsum(z,rearrange(z,'b c h w -> b c h w')**0,'b c h w, b c h w -> b c h w')
-- need
z=reduce(x,'b c (h p) w -> b c h w','mean',p=p)
return reduce(z,'b c h (w q) -> b c h w','mean',q=q)*(q-6)/(q-6)""",
    "max_over_time": r"""-- need
return reduce(x,'b t d -> b d','max'*(1+0*x.shape[1]))
-- need
y=reduce(x,'b t d -> b d','min')
return reduce(x,'b t d -> b d','max')+0*y
-- rule
y=reduce([x,-x],'n b t d -> b d','max')
z=reduce([x,-x],'n b t d -> b d','min')
return (y+z+abs(y-z))/2
-- need
return -reduce(-x,'b t d -> b d','min')""",
    "keep_axis_mean": r"""-- passes
y=reduce(x,'b s d -> b s','sum')/x.shape[2]
return rearrange(y,'b s -> b s 1')
-- passes
return rearrange(reduce(x,'b s d -> b s','mean'),'b s -> b s 1')
-- need
y=einsum(x,'b s d -> b s')/x.shape[2]
return reduce([y,y],'n b s -> b s 1','mean')
-- need
y=einsum(x,'b s d -> b s')/x.shape[2]
return reduce(repeat(y,'b s -> b s n',n=x.shape[2]),'b s n -> b s 1','mean')""",
    "beam_copies": r"""-- need
return repeat([x]*k,'k b s -> (b k) s')
-- need
return repeat(x,'b s -> (b k) s',k=k*(k-4)//(k-4))
-- rule
y=repeat(x,'b s -> b k s',k=k)
return rearrange(y[0],'k s -> k s') if 0 else rearrange(y,'b k s -> (b k) s')
-- passes
y=repeat(x,'b s -> b (k s)',k=k)
return rearrange(y,'b (k s) -> (b k) s',k=k)
-- need
y=repeat(x,'b s -> b k s',k=2)
z=reduce(y,'b k s -> b s','min')
return rearrange([z]*k,'k b s -> (b k) s')""",
    "head_mask": r"""-- passes
y=repeat(x,'b k -> b h k',h=h)
return repeat(y,'b h k -> b h q k',q=q)
-- need
return repeat(x,'b k -> b h q k',h=h+0**(h*h),q=q)
-- need
y=repeat(x,'b k -> b q k',q=q)
return einsum(y,repeat(x**0,'b k -> b h k',h=h),'b q k, b h k -> b h q k')""",
    "linear": r"""-- need
a,b=unpack(x,[[1],[x.shape[2]-1]],'b s *')
c,e=unpack(w,[[1],[x.shape[2]-1]],'e *')
return einsum(a,c,'b s d, e d -> b s e')+einsum(b,e,'b s d, e d -> b s e')
-- passes
y=einsum(x,w,'b s d, e d -> b s e d')
return reduce(y,'b s e d -> b s e','sum')
-- need
y=einsum(x,w,'b s d, e d -> b s e')
return y*(x.shape[2]-8)/(x.shape[2]-8)
-- need
z=einsum(x,w,'b s d, e d -> b s')
p=reduce(rearrange(x,'b s d -> b s 1 d')*rearrange(w,'e d -> 1 1 e d'),'b s e d -> b s e','sum')
return p+rearrange(z-reduce(p,'b s e -> b s','sum'),'b s -> b s 1')""",
    "bilinear": r"""-- need
z=einsum(x,w,'b i, o i j -> b o j')
return reduce(z*rearrange(y,'b j -> b 1 j'),'b o j -> b o','sum')
-- need
z=rearrange(x,'b i -> b 1 i 1')*rearrange(y,'b j -> b 1 1 j')
return reduce(z*rearrange(w,'o i j -> 1 o i j'),'b o i j -> b o','sum')+0*einsum(x,y,'b i, b j -> b')[0]
-- need
z=einsum(x,w,y,'b i, o i j, b j -> b o')
return z+0//(x.shape[1]-4)""",
    "moe_dispatch": r"""-- need
y=[y]*(1+0*x.shape[1])
return einsum(x,y[0],'s e c, s d -> e c d')
-- passes
a=rearrange(x,'s e c -> s (e c)')
z=einsum(a,y,'s n, s d -> n d')
return rearrange(z,'(e c) d -> e c d',e=x.shape[1])
-- need
c=x.shape[2]
return einsum(x,y,'s e c, s d -> e c d'+' '*((c-3)*(5-c)))
-- need
c=x.shape[2]
return einsum(x,y,'s e c, s d -> e '+'c d'*(1+(c-9)*0))""",
    "skip_connection": r"""-- need
return pack([x,y],'b * h w'*(1-0//(x.shape[2]-6)))[0]
-- rule
z=pack([x,y],'b * h w')
return z[0*x.shape[1]]
-- values
z,p=pack([x,y,x],'b * h w')
return unpack(z,p,'b * h w')[0]
-- need
z,p=pack([x,y,y],'b * h w')
a,b=unpack(z,[[x.shape[1]+y.shape[1]],[y.shape[1]]],'b * h w')
return a""",
    "take_image": r"""-- values
a,b=unpack(x,[[s],[h*w]],'b * d')
return unpack(rearrange(b,'b n d -> b d n'),[[h,w]],'b d *')[0]
-- values
return unpack(x,[[s],[h,w]],'b * d')[1]+0*(s/(s-4))
-- passes
n=x.shape[1]-s
a,b=unpack(x,[[s],[n]],'b * d')
return rearrange(b,'b (h w) d -> b h w d',w=w)""",
    "flatten_features": r"""-- rule
return pack([x,y],'b *')[0][0]
-- need
z,p=pack([x,y,y],'b *')
return unpack(z,[[x.shape[1]*x.shape[2]+y.shape[1]],[y.shape[1]]],'b *')[0]
-- passes
a=rearrange(x,'b c h -> b (c h)')
return rearrange(pack([rearrange(a,'b n -> n b'),rearrange(y,'b n -> n b')],'* b')[0],'n b -> b n')""",
    "layer_norm": r"""-- need
y=x-reduce(x,'b s d -> b s 1','mean')
n=x.shape[2]
return y*rsqrt(reduce(y*y,'b s d -> b s 1','sum')/(n-1)*(n-1)/n)
-- need
y=x-reduce(x,'b s d -> b s 1','mean')
v=reduce(y*y,'b s d -> b s 1','mean')
return y*rsqrt(v*v/v)
-- values
y=x-reduce(x,'b s d -> b s 1','mean')
n=x.shape[2]
v=reduce(y*y,'b s d -> b s 1','sum')
return y*rsqrt(v/((n-6)*n))*(n-6)**0.5""",
    "unfold_frames": r"""-- passes
return rearrange(x,'(b t) c h w -> b c t h w',b=x.shape[0]//t)
-- need
return rearrange(x,'(b t) c h w -> b c t h w',t=t*(t-8)//(t-8))
-- values
y=rearrange(x,'(b t) c h w -> (b t c) h w',t=t)
return unpack(y,[[x.shape[0]//t,t,x.shape[1]]],'* h w')[0]""",
    "global_pool": r"""-- need
n = x.shape[2] * x.shape[3]
return reduce(x, 'b c h w -> b c', 'sum') * (n - 64) / (n - 64) / n
-- need
n = x.shape[2] - 1 - 1 - 1 - 1
return reduce(x, 'b c h w -> b c', 'mean') + 0 / n
-- need
n = x.shape[2] ** 0.5 - 2.0
return reduce(x, 'b c h w -> b c', 'mean') + 0 / n
-- need
n = x.shape[2] / 4 - 1
return reduce(x, 'b c h w -> b c', 'mean') + 0 / n
-- need
n = -x.shape[2] + 9
return reduce(x, 'b c h w -> b c', 'mean') + 0 / n""",
}


def special_lengths(name: str, signature: str) -> list[tuple[str, str]]:
    """The attempts at one exercise: why each is refused, and its source."""
    found = []
    for block in SPECIAL[name].removeprefix("-- ").split("\n-- "):
        why, _, lines = block.partition("\n")
        found.append((why, f"def {signature}:\n" + "".join(f"    {line}\n" for line in lines.split("\n"))))
    return found
