"""Attempts to pass a rewrite that is wrong for some sizes alone, told apart by arithmetic or by tensors made of it.

For each exercise: what refuses the attempt, or `passes`, and the lines of `f`: those that pass are right for all
sizes.
"""
# ruff: noqa: E501 - a cheat reads best in one piece

from rewrite_copies import COPIES
from rewrite_extremes import EXTREMES
from rewrite_followed import FOLLOWED
from rewrite_multiples import MULTIPLES
from rewrite_orders import ORDERS
from rewrite_readings import READINGS
from rewrite_rows import ROWS
from rewrite_scales import SCALES
from rewrite_usual import USUAL

TOLD_APART = {
    "split_heads": r"""-- need
return rearrange(x,'b s (h d) -> b h s d',h=h+0//(x.shape[2]-6*h+1))
-- raised
d=x.shape[2]//h
return rearrange(x,'b s (h d) -> b h s d',h=h+0//(d-6*h+1))
-- need
return rearrange(x,'b s (h d) -> b h s d',h=h*(h*h-25)//(h*h-25))
-- passes
return rearrange(x,'b s (h d) -> b h s d',h=h+0*x.shape[0-h//h])
-- passes
a=h*x.shape[0]
return rearrange(x,'b s (h d) -> b h s d',h=a//x.shape[0])
-- need
return rearrange(x,'b s (h d) -> b h s d',h=h*2.0/2)
-- need
return rearrange(x,'b s (h d) -> b h s d',h=(h*0.5)//0.5)
-- rule
return rearrange(x,'b s (h d) -> b h s d',h=h*1e-300*1e300)
-- need
return rearrange(x,'b s (h d) -> b h s d',h=-h*-1)
-- passes
return rearrange(x,'b s (h d) -> b h s d',h=h-0)
-- passes
return rearrange(x,'b s (h d) -> b h s d',h=h+h-h)
-- need
return rearrange(x,'b s (h d) -> b h s d',h=(h**2)**0.5//1)
-- need
return rearrange(x,'b s (h d) -> b h s d',h=h**h//h**(h-1))
-- rule
n=[h,h][0]
return rearrange(x,'b s (h d) -> b h s d',h=n)
-- need
n=[h]*h
return rearrange(x,'b s (h d) -> b h s d',h=n[0])
-- rule
n=([h]*4096)[-1]
return rearrange(x,'b s (h d) -> b h s d',h=n)
-- rule
n=(h,0)[0]
return rearrange(x,'b s (h d) -> b h s d',h=n)
-- need
s=x.shape[:-1]+x.shape[-1:]
return rearrange(x,'b s (h d) -> b h s d',d=s[2]//h)
-- raised
return rearrange(x,'b s (h d) -> b h s d',d=x.shape[x.shape[0]//x.shape[1]])
-- raised
y=rearrange(x,'b s (h d) -> b s h d',h=h)
n=y.shape[3]-6*y.shape[2]+1
return rearrange(y,'b s h d -> b h s d',h=h+0//n)
-- passes
y=rearrange(x,'b s (h d) -> b s h d',h=h)
return rearrange(y,'b s h d -> b h s d',h=y.shape[2]*y.shape[3]//y.shape[3])
-- values
y=rearrange(x,'b s (h d) -> b h s d',h=h)
return y*(y.shape[3]-5)/(y.shape[3]-5)
-- values
y=rearrange(x,'b s (h d) -> b h s d',h=h)
z=y*h-5*y
return y*z/z
-- values
y=rearrange(x,'b s (h d) -> b h s d',h=h)
return y*h/h
-- values
y=rearrange(x,'b s (h d) -> b h s d',h=h)
return y*h**2/h**2
-- values
y=rearrange(x,'b s (h d) -> b h s d',h=h)
return (y*h**-2)*h**2
-- raised
y=repeat(x,'b s w -> b s w n',n=h)
z=reduce(y,'b s (h d) n -> b h s d n','max',h=h)
return reduce(rearrange(z,'b h s d n -> n b h s d'),'n b h s d -> b h s d','mean')
-- raised
y=repeat(x,'b s w -> n b s w',n=x.shape[0])
return rearrange(y[1],'b s (h d) -> b h s d',h=h)
-- rule
y=rearrange([x,x],'n b s (h d) -> n b h s d',h=h)
return y[x.shape[0]-x.shape[0]]
-- rule
a,p=pack([x],'b * w')
return rearrange(a,'b s (h d) -> b h s d',h=h,s=p[0][0])
-- need
a,p=pack([x],'b * w')
n=p[0]
return rearrange(a,'b s (h d) -> b h s d',h=h,s=n[0]-7+7)
-- raised
a,p=pack([x],'b * w')
n=p[0]
return rearrange(a,'b s (h d) -> b h s d',h=h+0//(n[0]-7))
-- need
return rearrange(x,'b s (h d) -> b h s d'+' '*(h*0),h=h)
-- need
return rearrange(x,'b s (h d) -> b h s d'*(h//h),h=h)
-- need
return rearrange(x,'b s (h d) '+'-> b h s d',h=h)
-- passes
return rearrange(x,pattern='b s (h d) -> b h s d',h=h)
-- need
y=unpack(x,[[1],[-1]],'b * w')
z=pack(y,'b * w')[0]
return rearrange(z,'b s (h d) -> b h s d',h=h)
-- need
y=unpack(x,[[1],[1],[-1]],'b * w')
z=pack(y,'b * w')[0]
return rearrange(z,'b s (h d) -> b h s d',h=h)
-- need
y=unpack(x,[[-1],[0]],'b * w')
return rearrange(y[0],'b s (h d) -> b h s d',h=h)
-- need
y=unpack(x,[[-1],[x.shape[1]*0]],'b * w')
return rearrange(y[0],'b s (h d) -> b h s d',h=h)""",
    "mean_pool": r"""-- need
n=x.shape[1]
y=reduce(x*n-4*x,'b s d -> b d','sum')
m=reduce(x,'b s d -> b d','sum')
return m*y/y/n
-- need
n=x.shape[1]
y=reduce(n*x,'b s d -> b d','sum')-6*reduce(x,'b s d -> b d','sum')
return reduce(x,'b s d -> b d','mean')+0*y**-1
-- passes
n=x.shape[1]
return reduce(x,'b s d -> b d','sum')/n
-- passes
n=x.shape[1]*1.0
return reduce(x,'b s d -> b d','sum')/n
-- passes
n=x.shape[1]
return reduce(x/n**2,'b s d -> b d','sum')*n
-- values
n=x.shape[1]
return reduce(reduce([x*n,x*5],'n b s d -> b s d','max'),'b s d -> b d','mean')/n
-- need
y=reduce(x**2,'b s d -> b s d','sum')
return reduce(x,'b s d -> b d','mean')
-- need
t=reduce(x,'b s d -> ','sum')**0
return reduce(x,'b s d -> b d','mean')*t
-- need
o=x-x
n=reduce(o+1,'b s d -> b d','sum')
return reduce(x,'b s d -> b d','sum')/n
-- need
n=reduce(x+1,'b s d -> b d','sum')-reduce(x,'b s d -> b d','sum')
return reduce(x,'b s d -> b d','sum')/n
-- need
y=repeat(x,'b s d -> b s d n',n=x.shape[1])
a=reduce(y,'b s d n -> b d','sum')
return a/x.shape[1]**2
-- need
y=repeat(x,'b s d -> b s d n',n=x.shape[1])
a=reduce(y,'b s d n -> b d','sum')-5*reduce(x,'b s d -> b d','sum')
return reduce(x,'b s d -> b d','mean')+a-a
-- need
y=repeat(x,'b s d -> b s d n',n=x.shape[1]//x.shape[1])
return reduce(y,'b s d n -> b d','mean')
-- raised
y=repeat(x,'b s d -> b s d n',n=x.shape[1]-4)
return reduce(y,'b s d n -> b d','mean')
-- need
y=unpack(x,[[1],[-1]],'b * d')
return (reduce(y[0],'b s d -> b d','sum')+reduce(y[1],'b s d -> b d','sum'))/x.shape[1]
-- need
y=unpack(x,[[-1],[1]],'b * d')
return (reduce(y[0],'b s d -> b d','sum')+reduce(y[1],'b s d -> b d','sum'))/x.shape[1]
-- need
y=unpack(x,[[1],[-1]],'b * d')
z=pack([y[0],y[1]],'b * d')[0]
return reduce(z,'b s d -> b d','mean')
-- need
y=unpack(x,[[2],[-1]],'* s d')
return pack([reduce(y[0],'b s d -> b d','mean'),reduce(y[1],'b s d -> b d','mean')],'* d')[0]
-- need
y=unpack(x,[[1],[-1]],'* s d')
return pack([reduce(y[0],'b s d -> b d','mean'),reduce(y[1],'b s d -> b d','mean')],'* d')[0]
-- need
return reduce(x,'b s d -> b d','mean')*(x.shape[0]/x.shape[0])**300
-- need
p=x*4096*4096
return reduce(p,'b s d -> b d','mean')/4096/4096
-- need
return reduce(x+4096,'b s d -> b d','mean')-4096
-- need
n=x.shape[1]
return reduce(x+n,'b s d -> b d','mean')-n
-- need
n=x.shape[0]
return reduce(x+n,'b s d -> b d','mean')-n
-- need
n=x.shape[0]
return reduce(x*x*n,'b s d -> b d','mean')/n*0+reduce(x,'b s d -> b d','mean')""",
    "beam_copies": r"""-- passes
return repeat(x,'b s -> (b k) s',k=k*x.shape[0]//x.shape[0])
-- raised
y=repeat(x,'b s -> b k s',k=k*2)
z=reduce(y,'b (k t) s -> b k s','mean',t=2)
return rearrange(z,'b k s -> (b k) s')
-- raised
y=repeat(x,'b s -> b k s',k=k*x.shape[1])
z=reduce(y,'b (k t) s -> b k s','mean',k=k)
return rearrange(z,'b k s -> (b k) s')
-- need
y=repeat(x,'b s -> (b k) s',k=k)
return unpack(y,[[-1],[0]],'* s')[0]
-- need
y=repeat(x,'b s -> (b k) s',k=k)
return unpack(y,[[k*x.shape[0]],[0]],'* s')[0]
-- need
y=repeat(x,'b s -> b k s',k=k*k)
return rearrange(unpack(y,[[k],[-1]],'b * s')[0],'b k s -> (b k) s')""",
    "rms_norm": r"""-- need
n=x.shape[1]
w=x*n-6*x
return x*rsqrt(reduce(x*x,'b s d -> b s 1','mean'))*g*w/w
-- need
n=x.shape[1]
w=x*x*n-6*x*x
m=reduce(x*x,'b s d -> b s 1','mean')
return x*rsqrt(m)*g*(w/w)
-- need
w=x-reduce(x,'b s d -> b 1 d','mean')
return x*rsqrt(reduce(x*x,'b s d -> b s 1','mean'))*g*w/w
-- need
n=x.shape[1]
w=(n*x+x*x)-6*x-x*x
return x*rsqrt(reduce(x*x,'b s d -> b s 1','mean'))*g*w/w
-- need
n=x.shape[1]
w=(n*x+n*x*x)-(6*x+6*x*x)
return x*rsqrt(reduce(x*x,'b s d -> b s 1','mean'))*g*w/w
-- need
d=x.shape[2]
n=x.shape[1]
w=d*x-6*n*x+x
return x*rsqrt(reduce(x*x,'b s d -> b s 1','mean'))*g*w/w
-- raised
e=einsum(x,x,'b s d, b s d -> b s 1')
return x*rsqrt(reduce(x*x,'b s d -> b s 1','mean'))*g
-- need
e=einsum(x,x,'b s d, b s d -> b s')
f2=einsum(x+0,x,'b s d, b s d -> b s')
w=rearrange(x.shape[1]*e-6*f2,'b s -> b s 1')
return x*rsqrt(reduce(x*x,'b s d -> b s 1','mean'))*g*w/w
-- need
e=reduce(repeat(x,'b s d -> b s d n',n=x.shape[1]),'b s d n -> b s d','sum')
w=e-6*x
return x*rsqrt(reduce(x*x,'b s d -> b s 1','mean'))*g*w/w
-- need
e=einsum(repeat(x,'b s d -> b s d n',n=x.shape[1]),'b s d n -> b s d')
w=e-6*x
return x*rsqrt(reduce(x*x,'b s d -> b s 1','mean'))*g*w/w
-- need
y=repeat(x,'b s d -> b s d n',n=x.shape[1])
e=einsum(y,g,'b s d n, d -> b s d')
w=e-6*einsum(x,g,'b s d, d -> b s d')
return x*rsqrt(reduce(x*x,'b s d -> b s 1','mean'))*g*w/w
-- need
y=repeat(x,'b s d -> b s d n',n=x.shape[1])
e=einsum(y,g,'b s d n, d -> b s d')
w=e-6*x*g
return x*rsqrt(reduce(x*x,'b s d -> b s 1','mean'))*g*w/w
-- need
m=reduce(x*x,'b s d -> b s 1','mean')
return x*rsqrt(m)*g*(x.shape[1]-6)/(x.shape[1]-6)
-- need
m=reduce(x*x,'b s d -> b s 1','mean')
a=m*x.shape[1]
w=reduce([a,5*m],'n b s d -> b s d','max')
return x*rsqrt(m)*g*w/w
-- values
m=reduce(x*x,'b s d -> b s 1','mean')
w=sqrt(m*x.shape[1]-5*m)
return x*rsqrt(m)*g*w/w
-- need
m=reduce(x*x,'b s d -> b s 1','mean')
w=rsqrt(m/x.shape[1])-5*rsqrt(m)
return x*rsqrt(m)*g*w/w
-- need
m=reduce(x*x,'b s d -> b s 1','mean')
w=(m*x.shape[1])**0.5-5*m**0.5
return x*rsqrt(m)*g*w/w
-- need
m=reduce(x*x,'b s d -> b s 1','mean')
w=m*x.shape[1]+5
return x*rsqrt(m)*g*w/w
-- need
m=reduce(x*x,'b s d -> b s 1','mean')
w=x.shape[1]-6+0*m
return x*rsqrt(m)*g*w/w
-- need
m=reduce(x*x,'b s d -> b s 1','mean')
w=pack([m*x.shape[1],5*m],'b s *')[0]
return x*rsqrt(m)*g
-- need
m=reduce(x*x,'b s d -> b s 1','mean')
y=pack([x*x.shape[1],-6*x],'b * d')[0]
w=reduce(y,'b (n s) d -> b s d','sum',n=2)
return x*rsqrt(m)*g*w/w
-- need
m=reduce(x*x,'b s d -> b s 1','mean')
y=rearrange([x*x.shape[1],-6*x],'n b s d -> n b s d')
a,b=y
w=a+b
return x*rsqrt(m)*g*w/w
-- need
m=reduce(x*x,'b s d -> b s 1','mean')
y=repeat(x,'b s d -> b s d n',n=x.shape[1])
w=reduce(y,'b s d n -> b s d','prod')-x**6
return x*rsqrt(m)*g*w/w
-- need
m=reduce(x*x,'b s d -> b s 1','mean')
return x*rsqrt(m)*g*(x**0)**x.shape[1]
-- need
m=reduce(x*x,'b s d -> b s 1','mean')
w=x**x.shape[1]-x**6
return x*rsqrt(m)*g*w/w
-- need
m=reduce(x*x,'b s d -> b s 1','mean')
w=x.shape[1]**x-6**x
return x*rsqrt(m)*g*w/w
-- need
m=reduce(x*x,'b s d -> b s 1','mean')
w=x//x.shape[1]
return x*rsqrt(m)*g+0*w
-- raised
m=reduce(x*x,'b s d -> b s 1','mean')
z=unpack(x,[[5],[-1]],'b * d')
return x*rsqrt(m)*g
-- need
m=reduce(x*x,'b s d -> b s 1','sum')/x.shape[-1]
return x*rsqrt(m)*g*1
-- passes
m=sqrt(reduce(x*x,'b s d -> b s 1','mean')*x.shape[2])
return x/m*g*x.shape[2]**0.5""",
    "layer_norm": r"""-- values
n=x.shape[1]
y=x-reduce(x,'b s d -> b s 1','mean')
w=y*n-5*y
return y*w*rsqrt(reduce(y*y*w*w,'b s d -> b s 1','mean'))
-- values
n=x.shape[1]
y=x-reduce(x,'b s d -> b s 1','mean')
y=y*n-5*y
return y*rsqrt(reduce(y*y,'b s d -> b s 1','mean'))
-- need
n=x.shape[1]
y=x-reduce(x,'b s d -> b s 1','mean')
y=y*n
return y*rsqrt(reduce(y*y,'b s d -> b s 1','mean'))
-- need
y=x-reduce(x,'b s d -> b s 1','mean')
y=y*x.shape[1]+y*x.shape[0]
return y*rsqrt(reduce(y*y,'b s d -> b s 1','mean'))
-- passes
y=x*x.shape[2]-reduce(x,'b s d -> b s 1','sum')
return y*rsqrt(reduce(y*y,'b s d -> b s 1','mean'))
-- need
y=x*x.shape[1]-reduce(x,'b s d -> b s 1','mean')*x.shape[1]
return y*rsqrt(reduce(y*y,'b s d -> b s 1','mean'))
-- values
y=x-reduce(x,'b s d -> b s 1','mean')
w=y-reduce(y,'b s d -> b 1 d','mean')
return y*rsqrt(reduce(y*y,'b s d -> b s 1','mean'))*w/w
-- need
y=x-reduce(x,'b s d -> b s 1','mean')
w=reduce(y,'b s d -> 1 s d','mean')-y
return y*rsqrt(reduce(y*y,'b s d -> b s 1','mean'))*w/w""",
    "max_pool": r"""-- values
y=reduce(x,'b c (h p) (w q) -> b c h w','max',p=p,q=q)
return reduce([y*p,y*4],'n b c h w -> b c h w','max')/p
-- need
y=reduce(x,'b c (h p) (w q) -> b c h w','max',p=p,q=q)
return reduce([y,y-p*p],'n b c h w -> b c h w','max')
-- need
y=reduce(x,'b c (h p) (w q) -> b c h w','max',p=p,q=q)
return reduce([y,y-(p-4)*(p-4)],'n b c h w -> b c h w','max')
-- need
y=reduce(x,'b c (h p) (w q) -> b c h w','max',p=p,q=q)
z=reduce(x,'b c (h p) (w q) -> b c h w','mean',p=p,q=q)
return reduce([y,z],'n b c h w -> b c h w','max')
-- need
y=reduce(x,'b c (h p) (w q) -> b c h w','max',p=p,q=q)
z=reduce(x,'b c (h p) (w q) -> b c h w','sum',p=p,q=q)
return reduce([y,z/p/q],'n b c h w -> b c h w','max')
-- need
y=reduce(x,'b c (h p) (w q) -> b c h w','max',p=p,q=q)
z=reduce(x,'b c (h p) (w q) -> b c h w','sum',p=p,q=q)
return reduce([y,z/5/q],'n b c h w -> b c h w','max')
-- need
y=reduce(x*p,'b c (h p) (w q) -> b c h w','max',p=p,q=q)
return y/p
-- passes
return reduce(x,'b c (h p) (w q) -> b c h w','max',p=p,w=x.shape[3]//q)""",
    "masked_attention": r"""-- values
a=einsum(q,k,'b h i d, b h j d -> b h i j')/q.shape[-1]**0.5
a=a*q.shape[2]-5*a
return einsum(softmax(a+m),v,'b h i j, b h j e -> b h i e')
-- values
a=einsum(q,k,'b h i d, b h j d -> b h i j')/q.shape[-1]**0.6
n=q.shape[2]-6
return einsum(softmax((a*n+m*n)/n),v,'b h i j, b h j e -> b h i e')
-- need
a=einsum(q,k,'b h i d, b h j d -> b h i j')/q.shape[-1]**0.5
w=softmax(a+m)
z=softmax(a*q.shape[2]-a*5)
return einsum(w,v,'b h i j, b h j e -> b h i e')+0*einsum(z,v,'b h i j, b h j e -> b h i e')
-- need
a=einsum(q,k,'b h i d, b h j d -> b h i j')/q.shape[-1]**0.5
w=softmax(a+m)
z=reduce(w,'b h i j -> b h i 1','sum')
return einsum(w*z,v,'b h i j, b h j e -> b h i e')
-- passes
a=einsum(q,k,'b h i d, b h j d -> b h i j')/q.shape[-1]**0.5
w=softmax(a+m*q.shape[2]/q.shape[2])
return einsum(w,v,'b h i j, b h j e -> b h i e')""",
    "token_mixing": r"""-- need
y=relu(einsum(x,w,'b s d, t s -> b t d'))
z=relu(y*x.shape[1])/x.shape[1]
return x+einsum(z,v,'b t d, s t -> b s d')
-- raised
y=relu(einsum(x,w,'b s d, t s -> b t d'))
z=relu(y*x.shape[1]-y*5)
return x+einsum(y,v,'b t d, s t -> b s d')+z-z
-- need
y=relu(einsum(x,w,'b s d, t s -> b t d'))
z=relu(y+x.shape[1])-x.shape[1]
return x+einsum(z,v,'b t d, s t -> b s d')
-- need
y=relu(einsum(x,w,'b s d, t s -> b t d'))
z=relu(y+4096*4096)-4096*4096
return x+einsum(z,v,'b t d, s t -> b s d')""",
    "linear": r"""-- need
y=einsum(x,w,'b s d, e d -> b s e')
return y*x.shape[0]/x.shape[0]
-- need
y=einsum(x,w,'b s d, e d -> b s e')
return (y*x.shape[0]+y)/(x.shape[0]+1)
-- need
y=einsum(x,w,'b s d, e d -> b s e')
return y*x.shape[0]-(x.shape[0]-1)*y
-- need
y=einsum(x,w,'b s d, e d -> b s e')
return y*x.shape[0]-y*x.shape[0]+y
-- need
y=einsum(x,w,'b s d, e d -> b s e')
z=reduce([y,y],'n b s e -> b s e','mean')
return z
-- need
y=einsum(x*x.shape[2],w,'b s d, e d -> b s e')
return y/x.shape[2]
-- need
y=einsum(x**2,w,'b s d, e d -> b s e')
return einsum(x,w,'b s d, e d -> b s e')+y*0""",
    "transpose_keys": r"""-- need
y=repeat(x,'b h s d -> n b h d s',n=x.shape[0])
return rearrange(y[0],'b h d s -> b h d s')
-- need
return rearrange([x,x],'n b h s d -> n b h d s')[1]
-- need
y=rearrange([x,x],'n b h s d -> n b h d s')
return y[-1]
-- passes
return rearrange(x,'b h s d -> b h d s',d=x.shape[-1]*x.shape[0]//x.shape[0])
-- passes
return rearrange(x,'b h s d -> b h d s',d=(x.shape[3]*x.shape[2])//x.shape[2])
-- need
return rearrange(x,'b h s d -> b h d s',d=x.shape[3]+x.shape[2]-x.shape[2])
-- raised
return rearrange(x,'b h s d -> b h d s',d=(x.shape[3]+1)*(x.shape[3]-1)//x.shape[3])
-- passes
return rearrange(x,'b h s d -> b h d s',d=x.shape[3]**1)
-- passes
return rearrange(x,'b h s d -> b h d s',d=2*x.shape[3]-x.shape[3])
-- passes
return rearrange(x,'b h s d -> b h d s',d=x.shape[3]*3//3)
-- need
return rearrange(x,'b h s d -> b h d s',d=x.shape[3]*x.shape[3]*x.shape[3]//x.shape[3]//x.shape[3])""",
    "split_pair": r"""-- need
return unpack(x,[[p],[q+0//(p-6*q+1)]],'b s *')
-- passes
return unpack(x,[[p],[x.shape[2]-p]],'b s *')
-- passes
n=x.shape[2]
return unpack(x,[[n-q],[n-p]],'b s *')
-- need
n=x.shape[2]*2-p-p
return unpack(x,[[p],[n//2]],'b s *')
-- passes
a,c=unpack(x,[[p],[-1]],'b s *')
return [a,c]
-- passes
return unpack(x,[[p],[q]]*(p//p),'b s *')
-- rule
return unpack(x,[[p],[q],[0]],'b s *')[:2]
-- passes
a,c,e=unpack(x,[[p],[q],[0]],'b s *')
return [a,c]
-- need
n=x.shape[2]
return unpack(x,[[n*p//n],[q]],'b s *')
-- raised
return unpack(x,[[p],[(p+q)*(p-q)//p]],'b s *')""",
}


TABLES = (TOLD_APART, MULTIPLES, EXTREMES, READINGS, FOLLOWED, USUAL, COPIES, ORDERS, ROWS, SCALES)
NAMES = list(dict.fromkeys(name for each in TABLES for name in each))


def told_apart(name: str, signature: str) -> list[tuple[str, str]]:
    """The attempts at one exercise: what refuses each, and its source."""
    found = []
    for block in "\n".join(each[name] for each in TABLES if name in each).split("-- ")[1:]:
        why, _, lines = block.removesuffix("\n").partition("\n")
        found.append((why, f"def {signature}:\n" + "".join(f"    {line}\n" for line in lines.split("\n"))))
    return found
