"""Attempts to pass a rewrite by multiples that differ for all sizes but one, and by whatever else Python can do.

Multiples are hidden from what is known of sizes: by keywords, texts in parts, other functions, sums with others.
Others are wrong for some numbers, raise for some sizes in a line that nothing takes, or are spellings of what is
right. For each exercise: what refuses the attempt, or `passes`, and the lines of `f`.
"""

MULTIPLES = {
    "rms_norm": r"""-- need
m=reduce(x*x,'b s d -> b s 1','mean')
z=reduce(x,'b s d -> b s 1','su'+'m')-6*reduce(x,'b s d -> b s 1','mean')
return x*rsqrt(m)*g*z/z
-- need
m=reduce(x*x,'b s d -> b s 1','mean')
z=reduce(tensor=x,pattern='b s d -> b s 1',reduction='sum')-6*reduce(x,'b s d -> b s 1','mean')
return x*rsqrt(m)*g*z/z
-- need
m=reduce(x*x,'b s d -> b s 1','mean')
z=rearrange(tensor=x*x.shape[2],pattern='b s d -> b s d')-6*x
return x*rsqrt(m)*g*z/z
-- raised
m=reduce(x*x,'b s d -> b s 1','mean')
z=sqrt(x=m*x.shape[2]*x.shape[2])-6*sqrt(m)
return x*rsqrt(m)*g*z/z
-- need
m=reduce(x*x,'b s d -> b s 1','mean')
z=sqrt(m*x.shape[2]*x.shape[2])-6*sqrt(m)
return x*rsqrt(m)*g*z/z
-- need
m=reduce(x*x,'b s d -> b s 1','mean')
z=x.shape[2]*m-6*m
return x*rsqrt(m)*g*z/z
-- need
m=reduce(x*x,'b s d -> b s 1','mean')
return x*x*rsqrt(m)*g/x
-- need
m=reduce(x*x,'b s d -> b s 1','mean')
y=sqrt(x*x)
return y*rsqrt(m)*g*x/y
-- need
m=reduce(x*x,'b s d -> b s 1','mean')
return sqrt(x*x)*sqrt(x*x)/x*rsqrt(m)*g
-- need
m=reduce(x*x,'b s d -> b s 1','mean')
y=(x**300)**0.0
return x*rsqrt(m)*g*y
-- values
m=reduce(x*x,'b s d -> b s 1','mean')
return x*rsqrt(m)*g+0*x**4000
-- values
m=reduce(x*x,'b s d -> b s 1','mean')
return x*rsqrt(m)*g*1e-200*1e-200/1e-200/1e-200
-- values
m=reduce(x*x,'b s d -> b s 1','mean')
return (x*1e-160)*rsqrt(m*1e-300*1e-20)*g
-- need
m=reduce(x*x,'b s d -> b s 1','mean')
y=rearrange([x,x*x.shape[2]],'n b s d -> n b s d')
z=y[1]-6*y[0]
return x*rsqrt(m)*g*z/z
-- need
m=reduce(x*x,'b s d -> b s 1','mean')
y,_=pack([x*x.shape[2]],'b s *')
z=y-6*x
return x*rsqrt(m)*g*z/z
-- need
m=reduce(x*x,'b s d -> b s 1','mean')
y,_=pack(tensors=[x*x.shape[2]],pattern='b s *')
z=y-6*x
return x*rsqrt(m)*g*z/z
-- need
m=reduce(x*x,'b s d -> b s 1','mean')
y=unpack(tensor=x*x.shape[2],packed_shapes=[[x.shape[2]]],pattern='b s *')[0]
z=y-6*x
return x*rsqrt(m)*g*z/z
-- need
m=reduce(x*x,'b s d -> b s 1','mean')
y=repeat(x,'b s d -> b s d n',n=x.shape[2])
z=reduce(y,'b s d n -> b s d','sum')-6*x
return x*rsqrt(m)*g*z/z
-- need
m=reduce(x*x,'b s d -> b s 1','mean')
y=repeat(tensor=x,pattern='b s d -> b s d n',n=x.shape[2])
z=reduce(y,'b s d n -> b s d','sum')-6*x
return x*rsqrt(m)*g*z/z
-- need
m=reduce(x*x,'b s d -> b s 1','mean')
y=einsum(x,'b s d -> b s')
z=einsum(x+g-g,'b s d -> b s')-6*reduce(x,'b s d -> b s','mean')
return x*rsqrt(m)*g*rearrange(z,'b s -> b s 1')/rearrange(z,'b s -> b s 1')
-- need
m=reduce(x*x,'b s d -> b s 1','mean')
z=einsum(x,g,'b s d, d -> b s')-6*reduce(x*g,'b s d -> b s','mean')
return x*rsqrt(m)*g*rearrange(z,'b s -> b s 1')/rearrange(z,'b s -> b s 1')
-- need
m=reduce(x*x,'b s d -> b s 1','mean')
z=x**x.shape[2]
return x*rsqrt(m)*g
-- need
m=reduce(x*x,'b s d -> b s 1','mean')
z=(x*x.shape[2])**1-x*6
return x*rsqrt(m)*g*z/z
-- rule
m=reduce(x*x,'b s d -> b s 1','mean')
z=(x*x.shape[2])**True-x*6
return x*rsqrt(m)*g*z/z
-- need
m=reduce(x*x,'b s d -> b s 1','mean')
z=-(-x*x.shape[2])-x*6
return x*rsqrt(m)*g*z/z
-- need
m=reduce(x*x,'b s d -> b s 1','mean')
z=x/(1/x.shape[2])-x*6
return x*rsqrt(m)*g*z/z
-- need
m=reduce(x*x,'b s d -> b s 1','mean')
z=x/(g/x.shape[2])*g-x*6
return x*rsqrt(m)*g*z/z
-- need
m=reduce(x*x,'b s d -> b s 1','mean')
z=1/(1/x/x.shape[2])-x*6
return x*rsqrt(m)*g*z/z
-- rule
m=reduce(x*x,'b s d -> b s 1','mean')
z=[x*x.shape[2],g][0]-x*6
return x*rsqrt(m)*g*z/z
-- rule
m=reduce(x*x,'b s d -> b s 1','mean')
z=(0,x*x.shape[2])[1]-x*6
return x*rsqrt(m)*g*z/z
-- rule
m=reduce(x*x,'b s d -> b s 1','mean')
z=([0]+[x*x.shape[2]])[1]-x*6
return x*rsqrt(m)*g*z/z
-- need
m=reduce(x*x,'b s d -> b s 1','mean')
p=[0]+[x*x.shape[2]]
z=p[1]-x*6
return x*rsqrt(m)*g*z/z
-- need
m=reduce(x*x,'b s d -> b s 1','mean')
p=[x.shape[2]]+[x]
z=p[0]*p[1]-x*6
return x*rsqrt(m)*g*z/z
-- need
m=reduce(x*x,'b s d -> b s 1','mean')
p=[x]+[x*x.shape[2]]
z=p[1]-x*6
return x*rsqrt(m)*g*z/z
-- need
m=reduce(x*x,'b s d -> b s 1','mean')
n,z=x*x.shape[2],x*6
return x*rsqrt(m)*g*(n-z)/(n-z)
-- rule
m=reduce(x*x,'b s d -> b s 1','mean')
y,p=pack([x,x],'b * d')
z=p[0][0]*x-x*6
return x*rsqrt(m)*g*z/z
-- rule
m=reduce(x*x,'b s d -> b s 1','mean')
y,p=pack([x*p for p in [1]],'b * d')
return x*rsqrt(m)*g
-- raised
m=reduce(x*x,'b s d -> b s 1','mean')
z=m-x.shape[2]**-1*einsum(x,x,'b s d, b s d -> b s')
return x*rsqrt(m)*g
-- need
m=reduce(x*x,'b s d -> b s 1','mean')
n=reduce(m*0+1,'b s 1 -> b 1 1','sum')
z=n-6
return x*rsqrt(m)*g*z/z
-- need
m=reduce(x*x,'b s d -> b s 1','mean')
n=reduce(x/x,'b s d -> b 1 1','sum')
z=n*x-6*x
return x*rsqrt(m)*g*z/z
-- need
m=reduce(x*x,'b s d -> b s 1','mean')
n=reduce(x*x/m,'b s d -> b s 1','sum')
z=n*x-6*x
return x*rsqrt(m)*g*z/z
-- need
m=reduce(x*x,'b s d -> b s 1','mean')
n=reduce(x*x,'b s d -> b s 1','sum')
z=n-6*m
return x*rsqrt(m)*g*z/z
-- need
m=reduce(x*x,'b s d -> b s 1','mean')
y=x+g
n=reduce((y-x)*x,'b s d -> b s 1','sum')
z=n-6*reduce(g*x,'b s d -> b s 1','mean')
return x*rsqrt(m)*g*z/z
-- values
m=reduce(x*x,'b s d -> b s 1','mean')
k=rearrange((x+m)-x,'b s d -> b d s')
n=einsum(k,g,'b d s, d -> b s')
z=rearrange(n,'b s -> b s 1')-m*x.shape[2]**0*einsum(g,'d -> ')
return x*rsqrt(m)*g*z/z
-- need
m=reduce(x*x,'b s d -> b s 1','mean')
k=(x+m)-x
w=x*x
n=rearrange(einsum(k,w,'b s d, b s d -> b s'),'b s -> b s 1')
z=n-6*m*m
return x*rsqrt(m)*g*z/z
-- need
m=reduce(x*x,'b s d -> b s 1','mean')
a=einsum(x,g,'b s d, d -> b s d')
z=(a+x*x.shape[2])-a-6*x
return x*rsqrt(m)*g*z/z
-- need
m=reduce(x*x,'b s d -> b s 1','mean')
z=einsum(x*x.shape[2],g,'b s d, d -> b s d')-6*einsum(x,g,'b s d, d -> b s d')
return x*rsqrt(m)*g*z/z
-- need
m=reduce(x*x,'b s d -> b s 1','mean')
z=einsum(x*x.shape[2],g,'b s d, d -> d s b')-6*einsum(x,g,'b s d, d -> d s b')
z=rearrange(z,'d s b -> b s d')
return x*rsqrt(m)*g*z/z
-- need
m=reduce(x*x,'b s d -> b s 1','mean')
z=einsum(x,g*x.shape[0],'b s d, d -> b s')-6*einsum(x,g,'b s d, d -> b s')
z=rearrange(z,'b s -> b s 1')
return x*rsqrt(m)*g*z/z
-- need
m=reduce(x*x,'b s d -> b s 1','mean')
z=x.shape[2]**g/x.shape[2]-6**g/6
return x*rsqrt(m)*g*z/z
-- need
m=reduce(x*x,'b s d -> b s 1','mean')
z=(m*x.shape[2])**g/x.shape[2]-(m*6)**g/6
return x*rsqrt(m)*g*z/z
-- need
m=reduce(x*x,'b s d -> b s 1','mean')
z=x.shape[2]**g-6**g
return x*rsqrt(m)*g*z/z
-- need
m=reduce(x*x,'b s d -> b s 1','mean')
z=x*x.shape[2]-6*(x+g)+6*g
return x*rsqrt(m)*g*z/z
-- raised
m=reduce(x*x,'b s d -> b s 1','mean')
return rearrange(x*rsqrt(m)*g,'b s (x d) -> b s (x d)',x=x.shape[0]*0.6/0.6/x.shape[0])
-- need
m=reduce(x*x,'b s d -> b s 1','mean')
z=unpack(packed_shapes=[[x.shape[2]]],tensor=x*x.shape[2],pattern='b s *')[0]-6*x
return x*rsqrt(m)*g*z/z
-- need
m=reduce(x*x,'b s d -> b s 1','mean')
z=reduce(pattern='b s d -> b s 1',tensor=x,reduction='sum')-6*reduce(x,reduction='mean',pattern='b s d -> b s 1')
return x*rsqrt(m)*g*z/z
-- need
m=reduce(x*x,'b s d -> b s 1','mean')
o=('sum','mean')
z=reduce(x,'b s d -> b s 1',o[0])-6*reduce(x,'b s d -> b s 1',o[-1])
return x*rsqrt(m)*g*z/z
-- rule
m=reduce(x*x,'b s d -> b s 1','mean')
p,=parse_shape(x[0][0],'sum')
z=reduce(x,'b s d -> b s 1',p)-6*reduce(x,'b s d -> b s 1','mean')
return x*rsqrt(m)*g*z/z
-- need
m=reduce(x*x,'b s d -> b s 1','mean')
z=reduce([x,x*x.shape[2]],'n b s d -> b s d','sum')-7*x
return x*rsqrt(m)*g*z/z
-- need
m=reduce(x*x,'b s d -> b s 1','mean')
z=reduce([x]*6,'n b s d -> b s d','sum')-x*x.shape[0]
return x*rsqrt(m)*g*z/z
-- need
m=reduce(x*x,'b s d -> b s 1','mean')
z=x[0]*x.shape[0]-x[1]*6
return x*rsqrt(m)*g
-- need
m=reduce(x*x,'b s d -> b s 1','mean')
z=reduce(x,'b s d -> b s 1','sum')/6-reduce(x,'b s d -> b s 1','mean')
return x*rsqrt(m)*g*z/z
-- need
m=reduce(x*x,'b s d -> b s 1','mean')
w=x*0.6+g*0.6
z=w*x.shape[2]-6*x*0.6-6*g*0.6
return x*rsqrt(m)*g*z/z
-- need
m=reduce(x*x,'b s d -> b s 1','mean')
a=einsum(x,g,'b s d, d -> b s d')
z=(a+x*x.shape[2])-(a+6*x)
return x*rsqrt(m)*g*z/z
-- need
m=reduce(x*x,'b s d -> b s 1','mean')
a=x*g
z=(a+x*x.shape[2])-(a+6*x)
return x*rsqrt(m)*g*z/z
-- need
m=reduce(x*x,'b s d -> b s 1','mean')
a=einsum(x,g,'b s d, d -> b s d')
z=(a*a+x*x.shape[2])-(a*a+6*x)
return x*rsqrt(m)*g*z/z
-- need
m=reduce(x*x,'b s d -> b s 1','mean')
z=(x*x.shape[2]+g)-(x*6+g)
return x*rsqrt(m)*g*z/z
-- need
m=reduce(x*x,'b s d -> b s 1','mean')
z=(g+x.shape[2])**2-(g+6)**2
return x*rsqrt(m)*g*z/z
-- need
m=reduce(x*x,'b s d -> b s 1','mean')
z=sqrt(m*x.shape[2]*m*x.shape[2]+x*x)-sqrt(m*m*36+x*x)
return x*rsqrt(m)*g*z/z
-- need
m=reduce(x*x,'b s d -> b s 1','mean')
a=einsum(x,x,'b s d, b s d -> b s d')
z=sqrt(a+m*x.shape[2])-sqrt(a+m*6)
return x*rsqrt(m)*g*z/z
-- need
m=reduce(x*x,'b s d -> b s 1','mean')
a=einsum(x,g,'b s d, d -> b s d')
b=einsum(x,m,'b s d, b s t -> b s d')
z=(a+b*x.shape[2])-(a+6*b)
return x*rsqrt(m)*g*z/z
-- need
m=reduce(x*x,'b s d -> b s 1','mean')
z=(m+x)**2-m*m-x*x-2*m*x
return x*rsqrt(m)*g
-- need
m=reduce(x*x,'b s d -> b s 1','mean')
k=1/(1/x)
return k*rsqrt(m)*g
-- need
m=reduce(x*x,'b s d -> b s 1','mean')
return x*rsqrt(m)*g+0/x
-- need
m=reduce(x*x,'b s d -> b s 1','mean')
return x*rsqrt(m)*(g*x/x)
-- values
m=reduce(x*x,'b s d -> b s 1','mean')
return x*rsqrt(m)*sqrt(g)*sqrt(g)
-- need
m=reduce(x*x,'b s d -> b s 1','mean')
return x*(m*m)**-0.25*g
-- need
m=reduce(x*x*x*x/x/x,'b s d -> b s 1','mean')
return x*rsqrt(m)*g
-- need
m=reduce(x**40/x**38,'b s d -> b s 1','mean')
return x*rsqrt(m)*g
-- passes
return x/reduce(x**2,'b s d -> b s 1','mean')**0.5*g
-- need
y=x/sqrt(reduce(x**2,'b s d -> b s 1','sum'))
return y*sqrt(x.shape[2])*g
-- passes
n=x.shape[2]
return x*n**0.5/sqrt(reduce(x*x,'b s d -> b s 1','sum'))*g
-- passes
r=sqrt(reduce(x*x,'b s d -> b s 1','mean'))
return einsum(x/r,g,'b s d, d -> b s d')""",
    "layer_norm": r"""-- need
m=reduce(x,'b s d -> b s 1','mean')
y=x-m
v=reduce(y*y,'b s d -> b s 1','mean')
z=reduce(y*y,'b s d -> b s 1','su'+'m')-6*v
return y*rsqrt(v)*z/z
-- need
m=reduce(x,'b s d -> b s 1','mean')
y=x-m
v=reduce(y*y,'b s d -> b s 1','mean')
z=rearrange(tensor=v*x.shape[1],pattern='b s d -> b s d')-6*v
return y*rsqrt(v)*z/z
-- raised
m=reduce(x,'b s d -> b s 1','mean')
y=x-m
v=reduce(y*y,'b s d -> b s 1','mean')
z=sqrt(input=v*x.shape[1])-2*sqrt(v)
return y*rsqrt(v)*z/z
-- passes
m=reduce(x,'b s d -> b s 1','mean')
v=reduce((x-m)**2,'b s d -> b s 1','sum')/x.shape[2]
return (x-m)/v**0.5
-- passes
m=reduce(x,'b s d -> b s 1','sum')/x.shape[-1]
y=x-m
return y*reduce(y*y,'b s d -> b s 1','mean')**-0.5
-- passes
y=x-reduce(x,'b s d -> b s 1','mean')
z=einsum(y,y,'b s d, b s d -> b s')/x.shape[-1]
return y/rearrange(sqrt(z),'b s -> b s 1')
-- passes
n=x.shape[2]
y=x*n-reduce(x,'b s d -> b s 1','sum')
return y*rsqrt(reduce(y*y,'b s d -> b s 1','mean'))
-- passes
y=x-reduce(x,'b s d -> b s 1','mean')
return y*x.shape[2]**0.5*rsqrt(reduce(y*y,'b s d -> b s 1','sum'))
-- passes
y=x-reduce(x,'b s d -> b s 1','mean')
return y/sqrt(reduce(y**2,'b s d -> b s 1','mean'))""",
    "token_mixing": r"""-- need
y=relu(einsum(x,w,'b s d, t s -> b t d'))
m=reduce(x*x,'b s d -> b 1 1','mean')
z=x+8*m+1
return x+einsum(y,v,'b t d, s t -> b s d')+relu(z)-z
-- raised
y=relu(einsum(x,w,'b s d, t s -> b t d'))
z=relu(input=x*x.shape[1])-6*x
return x+einsum(y,v,'b t d, s t -> b s d')
-- need
y=relu(einsum(x,w,'b s d, t s -> b t d'))
z=rearrange(tensor=x*x.shape[1],pattern='b s d -> b s d')-6*x
q=z*z-x*x
r=relu(q)-q
return x+einsum(y,v,'b t d, s t -> b s d')+r*x.shape[1]-r*x.shape[1]+r
-- need
y=relu(einsum(x,w,'b s d, t s -> b t d'))
z=repeat(tensor=x*x.shape[1],pattern='b s d -> b s d')-6*x
q=z*z-x*x
return x+einsum(y,v,'b t d, s t -> b s d')+relu(q)-q
-- need
y=relu(einsum(x,w,'b s d, t s -> b t d'))
z=reduce(x,'b s d -> b 1 d','su'+'m')-6*reduce(x,'b s d -> b 1 d','mean')
u=reduce(x,'b s d -> b 1 d','mean')
q=z*z-u*u
return x+einsum(y,v,'b t d, s t -> b s d')+relu(q)-q
-- need
y=relu(einsum(x,w,'b s d, t s -> b t d'))
q=x*x*x*x+x
return x+einsum(y,v,'b t d, s t -> b s d')+relu(q+1)-q-1
-- need
y=relu(einsum(x,w,'b s d, t s -> b t d'))
z=einsum(x*x.shape[1],w,'b s d, t s -> b t d')-6*einsum(x,w,'b s d, t s -> b t d')
u=einsum(x,w,'b s d, t s -> b t d')
q=z*z-u*u
r=relu(q)-q
return x+einsum(y+r,v,'b t d, s t -> b s d')
-- need
u=einsum(x,w,'b s d, t s -> b t d')
y=relu(u)
z=(u+x.shape[2]*reduce(x,'b s d -> b 1 1','mean'))-u-6*reduce(x,'b s d -> b 1 1','mean')
q=z*z-reduce(x,'b s d -> b 1 1','mean')**2
r=relu(q)-q
return x+einsum(y+r,v,'b t d, s t -> b s d')
-- values
y=relu(einsum(x,w,'b s d, t s -> b t d'))
y=y*y*y/4096/y
return x
-- need
y=relu(einsum(x,w,'b s d, t s -> b t d'))
m=reduce(x*x,'b s d -> b 1 1','sum')
z=x+m+1
return x+einsum(y,v,'b t d, s t -> b s d')+relu(z)-z
-- values
y=relu(einsum(x,w,'b s d, t s -> b t d'))
z=x**8+x
return x+einsum(y,v,'b t d, s t -> b s d')+relu(z+0.5)-z-0.5
-- need
y=relu(einsum(x,w,'b s d, t s -> b t d'))
m=reduce(x*x,'b s d -> b 1 1','mean')
z=64*m-x*x
return x+einsum(y,v,'b t d, s t -> b s d')+relu(z)-z
-- passes
u=einsum(w,x,'t s, b s d -> b t d')
return x+einsum(v,relu(u),'s t, b t d -> b s d')
-- passes
z=rearrange(x,'b s d -> b d s')
z=einsum(relu(einsum(z,w,'b d s, t s -> b d t')),v,'b d t, s t -> b s d')
return z+x""",
    "max_over_time": r"""-- need
y=reduce(x,'b t d -> b d','max')
s=rearrange(tensor=y*x.shape[1],pattern='b d -> b d')-6*y
r=reduce([s*s,y*y],'n b d -> b d','max')-s*s
return y+r
-- need
y=reduce(x,'b t d -> b d','max')
s=reduce([y*x.shape[1],y*6],'n b d -> b d','max')
return y+s-s
-- need
y=reduce(x,'b t d -> b d','max')
return reduce([y,y*y*4096*-1],'n b d -> b d','max')
-- need
y=reduce(x,'b t d -> b d','max')
return reduce([y,y-x.shape[1]],'n b d -> b d','max')
-- need
y=reduce(x,'b t d -> b d','max')
return reduce([y*x.shape[1],y*x.shape[1]],'n b d -> b d','max')/x.shape[1]
-- need
y=reduce(x,'b t d -> b d','max')
z=reduce([y,y],'n b d -> b d','max')
return z
-- need
y=reduce(x*x,'b t d -> b d','max')
z=reduce(x,'b t d -> b d','max')
return reduce([z,0-y],'n b d -> b d','max')
-- need
return -reduce(-x,'b t d -> b d','min')
-- need
y=reduce(x,'b t d -> b d','max')
z=reduce(x,'b t d -> b d','mean')
return reduce([y,z],'n b d -> b d','max')""",
    "squeeze_excite": r"""-- need
q=einsum(reduce(x,'b c h w -> b c','mean'),w,'b c, k c -> b k')
z=sigmoid(q*x.shape[2])-sigmoid(q*6)
k=sigmoid(rearrange([z*z*4096*4096*4096,q],'n b c -> n b c'))
s=sigmoid(q)
s=2*s*k[0]-s
return x*rearrange(s,'b c -> b c 1 1')
-- need
q=einsum(reduce(x,'b c h w -> b c','mean'),w,'b c, k c -> b k')
z=sigmoid(q*x.shape[2])-sigmoid(q*6)
k=sigmoid(z*z*4096*4096*4096)
s=sigmoid(q)
s=2*s*k-s
return x*rearrange(s,'b c -> b c 1 1')
-- need
q=einsum(reduce(x,'b c h w -> b c','mean'),w,'b c, k c -> b k')
z=sigmoid(q*x.shape[2])-sigmoid(q*6)
s=sigmoid(q)
k=sigmoid(rearrange([z*z*4096*4096*4096,q],'n b c -> n b c'))
t=reduce(k*rearrange([s,q],'n b c -> n b c'),'n b c -> b c','sum')-s*q
return x*rearrange(2*t-s,'b c -> b c 1 1')
-- need
q=einsum(reduce(x,'b c h w -> b c','mean'),w,'b c, k c -> b k')
n=einsum(reduce(x,'b c h w -> b c','mean')*x.shape[2],w,'b c, k c -> b k')
z=n-6*q
s=sigmoid(q)
k=sigmoid(rearrange([z*z*4096*4096*4096,q],'n b c -> n b c'))
t=reduce(k*rearrange([s,q],'n b c -> n b c'),'n b c -> b c','sum')-s*q
return x*rearrange(2*t-s,'b c -> b c 1 1')
-- passes
m=reduce(x,'b c h w -> b c','sum')/(x.shape[2]*x.shape[3])
s=sigmoid(einsum(m,w,'b c, k c -> b k'))
return x*rearrange(s,'b c -> b c 1 1')
-- passes
m=reduce(reduce(x,'b c h w -> b c h','mean'),'b c h -> b c','mean')
s=rearrange(einsum(w,m,'k c, b c -> b k'),'b k -> b k 1 1')
return x*sigmoid(s)
-- need
q=einsum(reduce(x,'b c h w -> b c','mean'),w,'b c, k c -> b k')
z=sigmoid(q*x.shape[2])-sigmoid(q*6)
s=sigmoid(q)
return x*rearrange(s+z-z,'b c -> b c 1 1')
-- need
q=einsum(reduce(x,'b c h w -> b c','mean'),w,'b c, k c -> b k')
z=sigmoid(q*x.shape[2])-sigmoid(q*6)
k=sigmoid(rearrange([z*z*2**40,q],'n b c -> n b c'))
s=sigmoid(q)
t=reduce(k*rearrange([s,q],'n b c -> n b c'),'n b c -> b c','sum')-s*q
return x*rearrange(2*t-s,'b c -> b c 1 1')""",
    "masked_attention": r"""-- values
a=einsum(q,k,'b h i d, b h j d -> b h i j')/q.shape[-1]**0.6
z=(a+q.shape[2]*m)-a-6*m
w=softmax(a+m)
return einsum(w,v,'b h i j, b h j e -> b h i e')
-- values
a=einsum(q,k,'b h i d, b h j d -> b h i j')/q.shape[-1]**0.6
w=softmax(a+m)
z=a*q.shape[2]*q.shape[2]+m-6*q.shape[2]*a-m
t=softmax(rearrange([z*z*4096*4096,a],'n b h i j -> n b h i j'))
return einsum(w,v,'b h i j, b h j e -> b h i e')
-- passes
a=einsum(q,k,'b h i d, b h j d -> b h i j')*q.shape[-1]**-0.5
a=softmax(a+m,-1)
return einsum(a,v,'... i j, ... j e -> ... i e')
-- need
a=einsum(q,k,'b h i d, b h j d -> b h i j')/q.shape[-1]**0.5
w=softmax(a+m)
w=w/reduce(w,'b h i j -> b h i 1','sum')
return einsum(w,v,'b h i j, b h j e -> b h i e')
-- need
a=einsum(q,k,'b h i d, b h j d -> b h i j')/q.shape[-1]**0.5
a=a-reduce(a,'b h i j -> b h i 1','mean')
return einsum(softmax(a+m),v,'b h i j, b h j e -> b h i e')
-- need
a=einsum(q,k,'b h i d, b h j d -> b h i j')/q.shape[-1]**0.5
a=a-reduce(a,'b h i j -> b h i 1','max')
return einsum(softmax(a+m),v,'b h i j, b h j e -> b h i e')
-- passes
a=einsum(q/q.shape[-1]**0.25,k/k.shape[-1]**0.25,'b h i d, b h j d -> b h i j')
return einsum(softmax(a+m),v,'b h i j, b h j e -> b h i e')
-- need
a=einsum(q,k,'b h i d, b h j d -> b h i j')/q.shape[-1]**0.5
w=softmax(a+m)
z=softmax(a*q.shape[2]+m)
return einsum(w,v,'b h i j, b h j e -> b h i e')
-- need
a=einsum(q,k,'b h i d, b h j d -> b h i j')/q.shape[-1]**0.5
w=softmax(a+m)
z=softmax(a*q.shape[2])-softmax(a*6)
return einsum(w+z-z,v,'b h i j, b h j e -> b h i e')""",
    "split_heads": r"""-- raised
y=rearrange(x,'b s (h d) -> b h s d',h=h)
return rearrange(x,'b s (x d) -> b x s d',x=h*1.0)
-- raised
y=rearrange(x,'b s (x d) -> b x s d',x=h)
return rearrange(x,'b s (x d) -> b x s d',x=h*0.3/0.3)
-- need
y=rearrange(x,'b s (input d) -> b input s d',input=h)
return rearrange(x,'b s (input d) -> b input s d',input=h*2.0/2)
-- raised
y=rearrange(x,'b s (dim d) -> b dim s d',dim=h)
return rearrange(x,'b s (dim d) -> b dim s d',dim=h*0.3/0.3)
-- need
n=1//(h-6)
return rearrange(x,'b s (h d) -> b h s d',h=h)
-- need
n=1/(h-6)
y=rearrange(x,'b s (h d) -> b h s d',h=h)
return y
-- raised
n=rearrange(x,'b s (h d) -> b h s d',h=h)[2]
return rearrange(x,'b s (h d) -> b h s d',h=h)
-- passes
n=x.shape[x.shape[0]//x.shape[0]*2]
return rearrange(x,'b s (h d) -> b h s d',h=h)
-- need
n=x[0]
return rearrange(x,'b s (h d) -> b h s d',h=h)
-- passes
a,b=[0]*(h//h*2)
return rearrange(x,'b s (h d) -> b h s d',h=h)
-- passes
b,s,w=x.shape
d=w//h
return rearrange(x,'b s (h d) -> b h s d',h=h)
-- passes
d=x.shape[2]//h
return rearrange(x,'b s (h d) -> b h s d',h=h)
-- values
return rearrange(x,'... (h d) -> ... h d',h=h)
-- passes
y=rearrange(x,'... (h d) -> ... h d',h=h)
return rearrange(y,'b s h d -> b h s d')
-- passes
y=rearrange(x,'b ... (h d) -> b h ... d',h=h)
return y
-- passes
return rearrange(x,'b s (h d) -> b h s d',h=x.shape[-1]//(x.shape[-1]//h))
-- rule
return rearrange(x,'b s (h d) -> b h s d',**{'h':h})
-- rule
return rearrange(*(x,'b s (h d) -> b h s d'),h=h)
-- rule
return rearrange(x,f'b s (h d) -> b h s d',h=h)
-- need
return rearrange(x,'b s (h d) -> b h s d'+'',h=h)
-- need
return rearrange(x,'b s (h d) -> b h s d'*(h//h),h=h)
-- need
return rearrange(x,'b s (h d) -> b h s d'*1,h=h)
-- values
return rearrange(x*1.0,'b s (h d) -> b h s d',h=h)
-- need
return rearrange(x+0,'b s (h d) -> b h s d',h=h)
-- rule
return rearrange(x+True-True,'b s (h d) -> b h s d',h=h)
-- values
return rearrange(x*128*2/256,'b s (h d) -> b h s d',h=h)
-- rule
return rearrange(x,'b s (h d) -> b h s d',h=(h:=h))
-- rule
return [rearrange(x,'b s (h d) -> b h s d',h=h) for x in [x]][0]
-- rule
return (lambda q: rearrange(q,'b s (h d) -> b h s d',h=h))(x)
-- rule
g=lambda q: rearrange(q,'b s (h d) -> b h s d',h=h)
return g(x)
-- rule
g=lambda q,n: rearrange(q,'b s (h d) -> b h s d',h=n)
return g(x,1//(h-6)*0+h)
-- rule
r=rearrange
return r(x,'b s (h d) -> b h s d',h=h)
-- passes
h=h
x=x
return rearrange(x,'b s (h d) -> b h s d',h=h)
-- passes
d=h
h=x.shape[2]//h
return rearrange(x,'b s (h d) -> b h s d',d=h)
-- values
d=h
h=x.shape[2]//h
return rearrange(x,'b s (h d) -> b d s h',h=h)
-- rule
try: return rearrange(x,'b s (h d) -> b h s d',h=6)
except Exception: return rearrange(x,'b s (h d) -> b h s d',h=h)
-- rule
return rearrange(x,'b s (h d) -> b h s d',h=h) if h != 6 else x
-- rule
return rearrange(x,'b s (h d) -> b h s d',h=h)[:]
-- passes
y=rearrange(x,'b s (h d) -> b h s d',h=h)
z=rearrange(y,'b h s d -> b s (h d)')
return rearrange(z,'b s (h d) -> b h s d',h=h)
-- need
y=repeat(x,'b s (h d) -> b h s d n',h=h,n=1)
return rearrange(y,'b h s d n -> b h s (d n)')
-- need
y=reduce(x,'b s (h d) -> b h s d','sum',h=h)
return rearrange(y,'b h s d -> b h s d')
-- need
y,p=pack([x],'b s *')
return rearrange(y,'b s (h d) -> b h s d',h=h)
-- need
y,p=pack([x],'* w')
return rearrange(unpack(y,p,'* w')[0],'b s (h d) -> b h s d',h=h)
-- need
y=unpack(x,[[x.shape[2]//2],[-1]],'b s *')
z=pack(y,'b s *')[0]
return rearrange(z,'b s (h d) -> b h s d',h=h)
-- need
y=unpack(x,[[h],[x.shape[2]-h]],'b s *')
z=pack(y,'b s *')[0]
return rearrange(z,'b s (h d) -> b h s d',h=h)
-- need
y=einsum(x,'b s w -> s b w')
return rearrange(y,'s b (h d) -> b h s d',h=h)
-- passes
s,=[x.shape[1]]
return rearrange(x,'b s (h d) -> b h s d',h=h,s=s)
-- need
return rearrange(x,'b s (h d) -> b h s d',h=h,d=-(-x.shape[2]//h))
-- passes
return rearrange(x,'b s (h d) -> b h s d',h=h,d=x.shape[2]*h//h//h)
-- need
return rearrange(x,'b s (h d) -> b h s d',h=h,d=(x.shape[2]+h-1)//h)
-- passes
return rearrange(x,'b s (h d) -> b h s d',h=h,d=x.shape[2]//h*x.shape[0]//x.shape[0])
-- passes
return rearrange(x,'b s (h d) -> b h s d',h=x.shape[0]**0*h)
-- passes
return rearrange(x,'b s (h d) -> b h s d',h=h**2//h)
-- need
return rearrange(x,'b s (h d) -> b h s d',h=h*h*h//h//h)
-- values
y=rearrange(x,'b s (h d) -> b h s d',h=h)
return (y*y.shape[0])*y.shape[0]**-1
-- values
y=rearrange(x,'b s (h d) -> b h s d',h=h)
return y*(10**-8)*10**8
-- need
y=rearrange(x,'b s (h d) -> b h s d',h=h)
return y**1
-- need
y=rearrange(x,'b s (h d) -> b h s d',h=h)
return y**3**0
-- values
y=rearrange(x,'b s (h d) -> b h s d',h=h)
return y+y**2-y**2""",
    "max_pool": r"""-- need
y=reduce(x,'b c (h p) (w q) -> b c h w','max',p=p,q=q)
return reduce([y,y-y*y],'n b c h w -> b c h w','max')
-- need
y=reduce(x,'b c (h p) (w q) -> b c h w','max',p=p,q=q)
return reduce([y,-4096*y*y],'n b c h w -> b c h w','max')
-- need
y=reduce(x,'b c (h p) (w q) -> b c h w','max',p=p,q=q)
z=reduce(x*x,'b c (h p) (w q) -> b c h w','max',p=p,q=q)
return reduce([y*y,z],'n b c h w -> b c h w','max')+y-z
-- need
y=reduce(x,'b c (h p) (w q) -> b c h w','max',p=p,q=q)
z=reduce(x*x,'b c (h p) (w q) -> b c h w','sum',p=p,q=q)
return reduce([y,-z],'n b c h w -> b c h w','max')
-- need
y=reduce(x,'b c (h p) (w q) -> b c h w','max',p=p,q=q)
return reduce([y*q,y*q],'n b c h w -> b c h w','mean')/q
-- passes
y=reduce(x,'b c (h p) w -> b c h w','max',p=p)
return reduce(y,'b c h (w q) -> b c h w','max',q=q)
-- passes
y=reduce(x,'b c (h p) w -> b c h w','max',p=p)
return reduce(y,'b c h (w q) -> b c h w','max',w=x.shape[3]//q)""",
    "group_norm": r"""-- values
y=rearrange(x,'b (g c) s -> b g (c s)',g=g)
y=y-reduce(y,'b g n -> b g 1','mean')
v=reduce(y*y,'b g n -> b g 1','mean')
return rearrange(y*rsqrt(v),'b g (c s) -> b (g c) s',s=x.shape[-1])
-- need
y=rearrange(x,'b (g c) s -> b g (c s)',g=g)
y=y-reduce(y,'b g n -> b g 1','mean')
v=reduce(y*y,'b g n -> b g 1','mean')
return rearrange(y*rsqrt(v+1e-5*v/v),'b g (c s) -> b (g c) s',s=x.shape[-1])
-- values
y=rearrange(x,'b (g c) s -> b g (c s)',g=g)
y=y-reduce(y,'b g n -> b g 1','mean')
v=reduce(y*y,'b g n -> b g 1','mean')
z=v*y.shape[2]-6*v
return rearrange(y*rsqrt(v+1e-5)*z/z,'b g (c s) -> b (g c) s',s=x.shape[-1])
-- passes
y=rearrange(x,'b (g c) s -> b g (c s)',g=g)
m=reduce(y,'b g n -> b g 1','mean')
v=reduce(y*y,'b g n -> b g 1','mean')-m*m
return rearrange((y-m)/sqrt(v+1e-5),'b g (c s) -> b (g c) s',s=x.shape[2])
-- passes
y=rearrange(x,'b (g c) s -> b g c s',g=g)
n=y.shape[2]*y.shape[3]
m=reduce(y,'b g c s -> b g 1 1','sum')/n
y=y-m
v=reduce(y**2,'b g c s -> b g 1 1','sum')/n
return rearrange(y*rsqrt(v+1e-5),'b g c s -> b (g c) s')""",
    "avg_pool": r"""-- passes
y=reduce(x,'b c (h p) (w q) -> b c h w','sum',p=p,q=q)
return y/p/q
-- passes
y=reduce(x,'b c (h p) (w q) -> b c h w','sum',p=p,q=q)
return y/(p*q)
-- need
y=reduce(x,'b c (h p) (w q) -> b c h w','sum',p=p,q=q)
return y*x.shape[2]/x.shape[2]/p/q
-- need
y=reduce(x*p,'b c (h p) (w q) -> b c h w','mean',p=p,q=q)
z=reduce(x,'b c (h p) (w q) -> b c h w','sum',p=p,q=q)
return y/p+0*z""",
    "linear": r"""-- need
return einsum(x,w,'b s d, e d -> b s e')+0*einsum(x**4,w,'b s d, e d -> b s e')
-- values
return einsum(x*x.shape[2],w/x.shape[2],'b s d, e d -> b s e')
-- passes
return einsum(rearrange(x,'b s d -> d b s'),w,'d b s, e d -> b s e')
-- need
y=rearrange(x,'b s d -> b s 1 d')*rearrange(w,'e d -> 1 1 e d')
return einsum(y,'b s e d -> b s e')
-- need
y=rearrange(x,'b s d -> b s 1 d')*rearrange(w,'e d -> 1 1 e d')
return reduce(y,'b s e d -> b s e','sum')+0*einsum(x,w,'b s d, e d -> b s e')
-- passes
return einsum(x,w,'... d, e d -> ... e')""",
    "mean_pool": r"""-- need
n=1/(x.shape[1]-6)
return reduce(x,'b s d -> b d','mean')
-- need
rearrange(x,'b s (two d) -> b s two d',two=1)
return reduce(x,'b s d -> b d','mean')
-- rule
rearrange(x,'b s d -> d s b')+rearrange(x,'b s d -> b s d',b=x.shape[0])[0][0]
return reduce(x,'b s d -> b d','mean')
-- need
n=x.shape[1]-6
return reduce(x,'b s d -> b d','mean')""",
    "merge_tokens": r"""-- passes
return reduce(x,'b (s k) ... -> b s ...','mean',k=k)
-- passes
return reduce(x,'b (s k) d -> b s d','sum',k=k)/k
-- passes
return reduce(x/k,'b (s k) d -> b s d','sum',k=k)
-- passes
y=rearrange(x,'b (s k) d -> b s k d',k=k)
return reduce(y,'b s k d -> b s d','mean')
-- passes
y=rearrange(x,'b (s k) d -> k b s d',k=k)
return reduce(y,'k b s d -> b s d','mean')
-- passes
y=reduce(x,'b (s k) d -> b s d','sum',k=k)
return y/(x.shape[1]//y.shape[1])
-- passes
y=reduce(x,'b (s k) d -> b s d','sum',k=k)
return y*y.shape[1]/x.shape[1]
-- need
y=reduce(x,'b (s k) d -> b s d','max',k=k)
return reduce(x,'b (s k) d -> b s d','mean',k=k)+0*y
-- need
y=einsum(rearrange(x,'b (s k) d -> b s k d',k=k),'b s k d -> b s d')/k
return y+0*reduce(x,'b (s k) d -> b s d','mean',k=k)
-- need
y=reduce(x,'b (s k) d -> b s d','mean',k=k)
return reduce(repeat(y,'b s d -> b s d n',n=k),'b s d n -> b s d','mean')""",
    "gqa_repeat": r"""-- passes
y=repeat(x,'b h s d -> b h g s d',g=g)
return rearrange(y,'b h g s d -> b (h g) s d')
-- passes
y=repeat(x,'b h s d -> b (h two) s d',two=g)
return y
-- rule
y=rearrange([x]*g,'g b h s d -> b (h g) s d')
return y
-- passes
return repeat(x,'b h ... -> b (h g) ...',g=g)
-- passes
y=repeat(x,'b h s d -> b (h g) s d',g=g*x.shape[0]//x.shape[0])
return y
-- passes
return repeat(x,'b h s d -> b (h g) s d',g=g//1)
-- need
y=repeat(x,'b h s d -> b (h g) s d n',g=g,n=2)
return reduce(y,'b h s d n -> b h s d','mean')
-- need
y=repeat(x,'b h s d -> b (h g) s d n',g=g,n=g)
return reduce(y,'b h s d n -> b h s d','max')
-- need
y=repeat(x,'b h s d -> b (h g) s d n',g=g,n=g)
return reduce(y,'b h s d n -> b h s d','sum')/g""",
    "read_shape": r"""-- need
return parse_shape(x*1,'b s d')
-- values
return parse_shape(rearrange(x,'b s d -> d s b'),'d s b')
-- need
y=parse_shape(x,'b s d')
z=parse_shape(x,'b s _')
return y
-- need
n=1//(x.shape[0]-6)
return parse_shape(x,'b s d')
-- rule
return parse_shape(x,'b s d') if 1 else 0
-- need
y=unpack(x,[[x.shape[2]//2],[-1]],'b s *')
return parse_shape(x,'b s d')""",
    "prepend_token": r"""-- passes
y,p=pack([x,y],'b * d')
return y
-- passes
z=rearrange(x,'b d -> b 1 d')
return pack([z,y],'b * d')[0]
-- need
return pack([x,y],'b * d')[0]*1
-- need
z,p=pack([x,y],'b * d')
a,c=unpack(z,p,'b * d')
return pack([a,c],'b * d')[0]
-- need
z,p=pack([y,x],'b * d')
a,c=unpack(z,p,'b * d')
return pack([c,a],'b * d')[0]
-- passes
z=pack([x,y],'b * d')
return z[-2]
-- rule
z=pack([x,y],'b * d')
return z[False]
-- need
z=pack([x,y],'b * d')[0]
n=z.shape[1]//(y.shape[1]+1)
return z
-- values
z=pack([x,y],'b * d')[0]
return z*(z.shape[1]-1)/y.shape[1]""",
    "multi_head_attention": r"""-- passes
qkv=einsum(x,w,'b s m, n m -> b s n')
q,k,v=rearrange(qkv,'b s (t h d) -> t b h s d',t=3,h=h)
d=q.shape[3]
a=softmax(einsum(q,k,'b h i d, b h j d -> b h i j')*d**-0.5,dim=-1)
return rearrange(einsum(a,v,'b h i j, b h j d -> b h i d'),'b h s d -> b s (h d)')
-- passes
y=rearrange(w,'(t h d) m -> t h d m',t=3,h=h)
q=einsum(x,y[0],'b s m, h d m -> b h s d')
k=einsum(x,y[1],'b s m, h d m -> b h s d')
v=einsum(x,y[2],'b s m, h d m -> b h s d')
a=softmax(einsum(q,k,'b h i d, b h j d -> b h i j')/q.shape[-1]**0.5)
y=einsum(a,v,'b h i j, b h j d -> b i h d')
return rearrange(y,'b s h d -> b s (h d)')""",
}
