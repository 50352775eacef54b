"""Wrong rewrites as learners type them, and the words of the diagnosis that lead them on at the first failure.

`FIRST` were written before the diagnosis was looked at, `SECOND` after it had been mended for the first, `THIRD`, over
all families, after that; of these it was mended for the first eight. `FOURTH` were written for a long afternoon of
trying all families once more, and it was mended for the first five. All but the last eight of `FIRST`, and `SECOND`,
are on the rewrites of the course.
"""
# ruff: noqa: E501 - an answer reads best in one piece
# fmt: off

FIRST = [
    ("split_heads", "b s (h d) -> b s h d", ["The axes h and s are swapped"]),  # heads not moved before the sequence
    ("split_heads", "rearrange(x, 'b s (h d) -> b h s d')", ["give the others by name: h=h"]),  # size h missing
    ("split_heads", "b s (h d) -> (b h) s d", ["b and h are merged, and stay apart in what is wanted"]),  # merged b and h
    ("split_heads", "x.view(x.shape[0], x.shape[1], h, -1)", ["The axes h and s are swapped", "`rearrange` is never called"]),  # view; and no transpose
    ("split_heads", "rearrange(x, 'b s (d h) -> b h s d', d=h)", ["d=h gives the size h to the axis d"]),  # sizes swapped: names d for heads
    ("split_heads", "def f(x, h):\n    y = rearrange(x, 'b s (h d) -> b h s d', h=h)\n", ["Does f return its result? It ends with `return ...`"]),  # no return
    ("merge_heads", "b h s d -> b s (d h)", ["yours acts as (d h)"]),  # order in composite
    ("merge_heads", "b h s d -> b s h d", ["h and d stay apart, and are merged in what is wanted"]),  # not merged
    ("merge_heads", "b s h d -> b s (h d)", ["the axes of x in another order than they come"]),  # misread input axes order: names of input axes
    ("merge_heads", "x.permute(0, 2, 1, 3).reshape(x.shape[0], x.shape[2], -1)", ["Say it with rearrange", "The values are right"]),  # right values, forbidden
    ("merge_heads", "x.reshape(x.shape[0], x.shape[2], -1)", ["The elements still lie in the input's order", "`rearrange` is never called"]),  # forbidden and no transpose
    ("mean_pool", "reduce(x, 'b s d -> b d', 'sum')", ["These are the values of 'sum', wanted 'mean'"]),  # sum for mean
    ("mean_pool", "reduce(x, 'b s d -> b s', 'mean')", ["d is gone and s is still there: the wrong axis was reduced"]),  # wrong axis reduced
    ("mean_pool", "reduce(x, 'b s d -> b d')", ["reduce takes the operation last"]),  # operation missing
    ("mean_pool", "reduce(x, 'b s d -> b d', 'average')", ["reduce takes the operation last"]),  # operation unknown
    ("mean_pool", "reduce(x, 'b s d -> b 1 d', 'mean')", ["An axis of size 1 is too much: leave the 1 out"]),  # axis of size 1 kept
    ("flatten_tokens", "b s v -> (s b) v", ["yours acts as (s b)"]),  # order in composite
    ("flatten_tokens", "b s v -> b (s v)", ["s and v are merged, and stay apart in what is wanted; b and s stay apart, and are merged in what is wanted"]),  # wrong grouping
    ("flatten_tokens", "b s v -> b*s v", ["names, spaces and parentheses only"]),  # syntax of merge
    ("max_pool", "reduce(x, 'b c (h p) (w q) -> b c h w', 'max')", ["give the others by name: p=p, q=q"]),  # sizes missing
    ("max_pool", "reduce(x, 'b c (p h) (q w) -> b c h w', 'max', p=p, q=q)", ["yours acts as (q w)"]),  # order in composite, twice
    ("max_pool", "reduce(x, 'b c (h p) (w q) -> b c p q', 'max', p=p, q=q)", ["h and w are gone and p and q are still there: the wrong axis was reduced"]),  # kept the wrong axes
    ("max_pool", "reduce(x, 'b c (h p) (w q) -> b c h w', 'mean', p=p, q=q)", ["These are the values of 'mean', wanted 'max'"]),  # mean for max
    ("max_pool", "reduce(x, 'b c (h p) (w q) -> b c h w', max, p=p, q=q)", ["`max` without quotes (write 'max')"]),  # max without quotes
    ("max_pool", "reduce(x, 'b c (p h) (w q) -> b c w h', 'sum', p=p, q=q)", ["The axes h and w are swapped"]),  # three: order, axes turned, sum
    ("attention_scores", "einsum(x, y, 'b h q d, b h k d -> b h k q')", ["The axes q and k are swapped"]),  # order of result
    ("attention_scores", "einsum(x, y, 'b h q d, b h d k -> b h q k')", ["the axes d and k of `y` are swapped"]),  # y is not transposed: names of its axes
    ("attention_scores", "einsum('b h q d, b h k d -> b h q k', x, y)", ["einops takes the tensors first and the pattern last: einsum(x, y, '...')"]),  # pattern first
    ("attention_scores", "einsum(x, y, 'bhqd,bhkd->bhqk')", ["Names are separated by spaces: b h q k"]),  # no spaces
    ("attention_scores", "einsum(x, y, 'b h q d, b h k d -> b h q k') / x.shape[-1] ** 0.5", ["Every element is 1/sqrt(d) times what is wanted"]),  # scale not asked
    ("attention_scores", "einsum(x, y, 'b h s d, b h s d -> b h s s')", ["A name stands twice on one side; two axes that may differ need two names"]),  # one name for two axes
    ("attention_values", "einsum(x, y, 'b h q k, b h k d -> b q h d')", ["The axes h and q are swapped"]),  # order of the result
    ("attention_values", "einsum(x, y, 'b h q k, b h k d -> b h q k d')", ["Not wanted: k, to be left out on the right of the arrow"]),  # k not summed
    ("attention_values", "einsum(x, y, 'b h q k, b h k d -> b q d')", ["Missing: h, to stay on the right of the arrow"]),  # h summed too
    ("attention_values", "softmax(x) @ y", ["`softmax` around `x` is too much", "`einsum` is never called"]),  # softmax too much; and @
    ("head_mask", "repeat(x, 'b k -> b q h k', h=h, q=q)", ["The axes h and q are swapped"]),  # order
    ("head_mask", "repeat(x, 'b k -> b h q k')", ["its size by name: h=h, q=q"]),  # sizes missing
    ("head_mask", "rearrange(x, 'b k -> b h q k', h=h, q=q)", ["Each name stands on both sides", "`repeat` is never called"]),  # wrong function
    ("head_mask", "repeat(x, 'b k -> b h q k', h, q)", ["sizes are given by name: h=h, q=q"]),  # sizes by place
    ("patchify", "b c (h p) (w q) -> b (h w) (c p q)", ["yours acts as (c p q)"]),  # order in the patch
    ("patchify", "b c (h p) (w q) -> b h w (p q c)", ["h and w stay apart, and are merged in what is wanted"]),  # h w not merged
    ("patchify", "b (h p) (w q) c -> b (h w) (p q c)", ["the axes of x in another order than they come"]),  # input is channels first
    ("patchify", "b c (p h) (q w) -> b (h w) (c p q)", ["yours acts as (c p q)"]),  # two composites and order
    ("qkv_split", "b s (h k d) -> k b h s d", ["yours acts as (h k d)"]),  # order in composite
    ("qkv_split", "b s (k h d) -> k b s h d", ["The axes h and s are swapped"]),  # order of axes
    ("qkv_split", "rearrange(x, 'b s (k h d) -> k b h s d', k=3, h=h)", ["Line 1 fixes a size: k=3. The judge draws other sizes; write k=k"]),  # fixed size
    ("qkv_split", "def f(x, k, h):\n    q, k, v = rearrange(x, 'b s (k h d) -> k b h s d', k=k, h=h)\n    return q, k, v\n", ["A tensor is unpacked into as many parts as its first axis is long: bring the axis of the parts to the front, or keep it whole"]),  # unpacks three of k
    ("split_pair", "unpack(x, [p, q], 'b s *')", ["The shape of each part is a list, also where it is one size, as in [[2], [3]]"]),  # shapes are lists
    ("split_pair", "unpack(x, [[q], [p]], 'b s *')", ["`[q]` and `[p]` are in the wrong order"]),  # swapped parts
    ("split_pair", "unpack(x, [[p], [q]], 'b * d')", ["The star stands for the axis that is cut"]),  # star at the wrong axis
    ("split_pair", "[x[..., :p], x[..., p:]]", ["Say it with unpack", "The values are right"]),  # right values, no einops
    ("sum_heads", "reduce(x, 'b h s d -> b h d', 'sum')", ["s is gone and h is still there: the wrong axis was reduced"]),  # wrong axis summed
    ("sum_heads", "reduce(x, 'b s h d -> b s d', 'sum')", ["the axes of x in another order than they come"]),  # misread input axes
    ("merge_tokens", "reduce(x, 'b (k s) d -> b s d', 'mean', k=k)", ["yours acts as (k s)"]),  # order
    ("merge_tokens", "reduce(x, 'b (s k) d -> b s d', 'mean', s=k)", ["s=k gives the size k to the axis s"]),  # size given to the wrong name
    ("merge_tokens", "reduce(x, 'b (s k) d -> b k d', 'mean', k=k)", ["s is gone and k is still there: the wrong axis was reduced"]),  # kept the wrong axis
    ("rms_norm", "x * rsqrt(reduce(x * x, 'b s d -> b s', 'mean')) * g", ["Shapes line up from the right: write 1 for a reduced axis to keep its place"]),  # no axis of size 1 for broadcasting
    ("rms_norm", "x * rsqrt(reduce(x, 'b s d -> b s 1', 'mean')) * g", ["`x` is not squared in the reduce"]),  # squares missing
    ("rms_norm", "x / reduce(x * x, 'b s d -> b s 1', 'mean') * g", ["`sqrt` is missing around `reduce(x * x, 'b s d -> b s 1...`"]),  # root missing
    ("rms_norm", "x * sqrt(reduce(x * x, 'b s d -> b s 1', 'mean')) * g", ["`sqrt` stands where `rsqrt` is wanted"]),  # sqrt instead of rsqrt
    ("rms_norm", "x * rsqrt(reduce(x * x, 'b s d -> b s 1', 'sum'))", ["the sum is taken instead of the mean, and `g` is not there as a factor"]),  # sum for mean, gain missing: two
    ("gqa_repeat", "b h s d -> b (g h) s d", ["yours acts as (g h)"]),  # order: copies
    ("gqa_repeat", "rearrange(x, 'b h s d -> b (h g) s d', g=g)", ["Each name stands on both sides", "`repeat` is never called"]),  # wrong function
    ("gqa_repeat", "b h s d -> b h g s d", ["h and g stay apart, and are merged in what is wanted"]),  # not merged
    ("moe_dispatch", "einsum(x, y, 's e c, s d -> e d c')", ["The axes c and d are swapped"]),  # order of result
    ("moe_dispatch", "einsum(y, x, 's e c, s d -> e c d')", ["`x` and `y` stand in each other's places"]),  # tensors swapped
    ("moe_dispatch", "einsum(x, y, 's e c, t d -> e c d')", ["s and t are one axis and need one name"]),  # two names for tokens: sums too many
    ("moe_dispatch", "einsum(x, y, 's e c, s d -> s e c d')", ["Not wanted: s, to be left out on the right of the arrow"]),  # s not summed
    ("attention", "def f(q, k, v):\n    a = softmax(einsum(q, k, 'b h i d, b h j d -> b h i j'))\n    return einsum(a, v, 'b h i j, b h j e -> b h i e')", ["the scores are not divided by sqrt(d)"]),  # scale forgotten
    ("attention", "def f(q, k, v):\n    a = softmax(einsum(q, k, 'b h i d, b h j d -> b h i j') / q.shape[-1] ** 0.5, dim=1)\n    return einsum(a, v, 'b h i j, b h j e -> b h i e')\n", ["softmax runs over the axis h instead of the axis j"]),  # softmax over heads
    ("masked_attention", "def f(q, k, v, m):\n    a = einsum(q, k, 'b h i d, b h j d -> b h i j') + m\n    a = softmax(a / q.shape[-1] ** 0.5)\n    return einsum(a, v, 'b h i j, b h j e -> b h i e')\n", ["`m` is added before the scores are scaled instead of after"]),  # mask before scale
    ("masked_attention", "def f(q, k, v, m):\n    a = einsum(q, k, 'b h i d, b h j d -> b h i j')\n    a = softmax(a + m, dim=-2) / q.shape[-1] ** 0.5\n    return einsum(a, v, 'b h i j, b h j e -> b h i e')\n", ["`einsum` on line 2 gives what it should"]),  # three: softmax axis, scale after softmax
    ("attention", "def f(q, k, v):\n    a = F.softmax(q @ k.transpose(-2, -1), dim=-1)\n    return einsum(a, v, 'b h i j, b h j e -> b h i e')\n", ["the scores are not divided by sqrt(d)", "`.transpose` on line 2"]),  # forbidden @ and scale missing
    ("layer_norm", "def f(x):\n    y = x - reduce(x, 'b s d -> b s 1', 'mean')\n    return y / reduce(y * y, 'b s d -> b s 1', 'mean').sqrt() * 2\n", ["`* 2` is too much"]),  # factor 2; .sqrt
    ("bilinear", "einsum(x, w, y, 'b i, o j i, b j -> b o')", ["the axes j and i of `w` are swapped"]),  # letters of w turned
    ("linear", "einsum(x, w, 'b s d, d e -> b s e')", ["the axes d and e of `w` are swapped"]),  # w has its output axis first
]

SECOND = [
    ("split_heads", "b s (h d) -> b h d s", ["The axes s and d are swapped"]),  # order
    ("split_heads", "b s (d h) -> b s h d", ["The axes h and s are swapped"]),  # two: order in composite, axes
    ("split_heads", "x.reshape(x.shape[0], h, x.shape[1], -1)", ["The elements still lie in the input's order", "`rearrange` is never called"]),  # reshape
    ("split_heads", "rearange(x, 'b s (h d) -> b h s d', h=h)", ["Did you mean rearrange?"]),  # typo
    ("split_heads", "b s (h d) -> b h s e", ["Each name stands on both sides"]),  # typo in name
    ("split_heads", "rearrange(x, 'b s (h d) -> b h s d', h=h, d=x.shape[-1])", ["The parts of a composite multiply to its length: a size too many is given, or a wrong one"]),  # wrong d
    ("merge_heads", "b h s d -> b (s h) d", ["h and s are merged, and stay apart in what is wanted; h and d stay apart, and are merged in what is wanted"]),  # merged the wrong axes
    ("merge_heads", "b h s d -> b (h s) d", ["h and s are merged, and stay apart in what is wanted; h and d stay apart, and are merged in what is wanted"]),  # merged the wrong axes
    ("merge_heads", "b h s d -> s b (h d)", ["The axes b and s are swapped"]),  # order
    ("merge_heads", "b h s d -> b s (h d", ["Each ( needs its ), as in (h d)"]),  # paren
    ("merge_heads", "x.view(x.shape[0], x.shape[2], -1)", ["The elements still lie in the input's order", "`rearrange` is never called"]),  # view
    ("mean_pool", "x.mean(dim=1)", ["Say it with reduce", "The values are right"]),  # right values, forbidden
    ("mean_pool", "reduce(x, 'b s d -> s d', 'mean')", ["b is gone and s is still there: the wrong axis was reduced"]),  # wrong axis
    ("mean_pool", "reduce(x, 'b s d -> b d', mean)", ["The operation of reduce stands in quotes: 'mean'"]),  # quotes
    ("mean_pool", "reduce(x, 'mean', 'b s d -> b d')", ["The pattern comes second: reduce(x, '... -> ...', operation)"]),  # order of arguments
    ("mean_pool", "rearrange(x, 'b s d -> b d')", ["Each name stands on both sides", "`reduce` is never called"]),  # wrong function
    ("mean_pool", "reduce(x, 'b s d -> b d', 'sum') / x.shape[2]", ["Every element is s/d times what is wanted"]),  # divided by the wrong size
    ("flatten_tokens", "b s v -> (b s v)", ["b and s are merged with v, and not with it in what is wanted"]),  # all merged
    ("flatten_tokens", "b s v -> b s v", ["b and s stay apart, and are merged in what is wanted"]),  # nothing merged
    ("flatten_tokens", "b v s -> (b s) v", ["the axes of x in another order than they come"]),  # misread
    ("max_pool", "reduce(x, 'b c (h p) (w q) -> b c h w', 'max', h=p, w=q)", ["h=p gives the size p to the axis h"]),  # sizes to the wrong names
    ("max_pool", "reduce(x, 'b c h w -> b c (h p) (w q)', 'max', p=p, q=q)", ["reduce makes no new axis: an axis is cut in parts on the left, as in (h p)"]),  # sides exchanged
    ("max_pool", "reduce(x, 'b c (h p) (w q) -> b c w h', 'max', p=p, q=q)", ["The axes h and w are swapped"]),  # order
    ("max_pool", "reduce(x, 'b (h p) (w q) c -> b h w c', 'max', p=p, q=q)", ["the axes of x in another order than they come"]),  # channels last
    ("max_pool", "rearrange(x, 'b c (h p) (w q) -> b c h w', p=p, q=q)", ["Each name stands on both sides", "`reduce` is never called"]),  # wrong function
    ("attention_scores", "einsum(x, y, 'b h q d, b h k d -> b q k')", ["Missing: h, to stay on the right of the arrow"]),  # heads summed
    ("attention_scores", "einsum(x, y, 'b h q d b h k d -> b h q k')", ["Each input has its axes in the pattern, with a comma between"]),  # no comma
    ("attention_scores", "einsum(x, y, 'b h q d, b h k d')", ["The names of the result stand behind an arrow: '... -> ...'"]),  # no arrow
    ("attention_scores", "x @ y.transpose(2, 3)", ["Say it with einsum", "The values are right"]),  # forbidden
    ("attention_scores", "einsum(x, y, 'b h q d, b h k e -> b h q k')", ["d and e are one axis and need one name"]),  # two names for d
    ("attention_scores", "softmax(einsum(x, y, 'b h q d, b h k d -> b h q k'))", ["`softmax` around `einsum(x, y, 'b h q d, b h k ...` is too much", "`softmax` on line 1"]),  # softmax not asked
    ("attention_values", "einsum(x, y, 'b h q k, b h k d -> b h d q')", ["The axes q and d are swapped"]),  # order
    ("attention_values", "einsum(y, x, 'b h q k, b h k d -> b h q d')", ["`x` and `y` stand in each other's places"]),  # swapped tensors
    ("attention_values", "einsum(x, 'b h q k, b h k d -> b h q d')", ["The pattern names more inputs than are given"]),  # y missing
    ("attention_values", "einsum(x, y, 'b h q d, b h k d -> b h q k')", ["the axes k and d of `y` are swapped"]),  # pattern of the scores
    ("head_mask", "repeat(x, 'b k -> h b q k', h=h, q=q)", ["The axes b and h are swapped"]),  # order
    ("head_mask", "repeat(x, 'b k -> b h k q', h=h, q=q)", ["The axes q and k are swapped"]),  # order
    ("head_mask", "repeat(x, 'b k -> b h q k', h=h)", ["its size by name: h=h, q=q"]),  # size missing
    ("head_mask", "x.expand(x.shape[0], h, q, x.shape[1])", ["There `expand` met (11, 5), which is b k", "`repeat` is never called"]),  # expand forbidden, raises
    ("head_mask", "repeat(x, 'b k -> b (h q) k', h=h, q=q)", ["h and q are merged, and stay apart in what is wanted"]),  # merged
    ("patchify", "b c (h p) (w q) -> b (w h) (p q c)", ["yours acts as (w h)"]),  # order of patches
    ("patchify", "b c (h p) (w q) -> b (h w) p q c", ["p, q and c stay apart, and are merged in what is wanted"]),  # not merged
    ("patchify", "rearrange(x, 'b c (h p) (w q) -> b (h w) (p q c)', h=p, w=q)", ["h=p gives the size p to the axis h"]),  # sizes to the wrong names
    ("patchify", "b c (h p) (w q) -> (b h w) (p q c)", ["h and w are merged with b, and not with it in what is wanted"]),  # merged too much
    ("qkv_split", "b s (h d k) -> k b h s d", ["yours acts as (h d k)"]),  # order
    ("qkv_split", "b s (k h d) -> k b h d s", ["The axes s and d are swapped"]),  # order
    ("qkv_split", "rearrange(x, 'b s (k h d) -> k b h s d', h=h)", ["give the others by name: k=k, h=h"]),  # k missing
    ("split_pair", "unpack(x, [[p], [q]], 'b s d')", ["Put a * where the tensors differ: it stands for the axes that are packed, none or several"]),  # no star
    ("split_pair", "unpack(x, [[p, q]], 'b s *')", ["The star stands for the axis that is cut"]),  # one shape
    ("split_pair", "unpack(x, 'b s *', [[p], [q]])", ["unpack takes the tensor, the list of its parts' shapes, and the pattern"]),  # order of arguments
    ("split_pair", "unpack(x, [[p], [p]], 'b s *')", ["The star stands for the axis that is cut"]),  # wrong size
    ("sum_heads", "reduce(x, 'b h s d -> b s d', 'add')", ["reduce takes the operation last"]),  # operation
    ("sum_heads", "einsum(x, 'b h s d -> b s d')", ["Say it with reduce", "The values are right"]),  # right values by einsum
    ("sum_heads", "reduce(x, 'b h s d -> b 1 s d', 'sum')", ["An axis of size 1 is too much: leave the 1 out"]),  # size 1
    ("merge_tokens", "reduce(x, 'b (s k) d -> b s d', 'sum', k=k)", ["These are the values of 'sum', wanted 'mean'"]),  # sum
    ("merge_tokens", "reduce(x, 'b (s k) d -> b s d', 'mean')", ["give the others by name: k=k"]),  # size missing
    ("merge_tokens", "reduce(x, 'b s (d k) -> b s d', 'mean', k=k)", ["A composite's parts multiply to its length: is a size fixed, or on the wrong axis?"]),  # wrong axis cut
    ("rms_norm", "x * rsqrt(reduce(x * x, 'b s d -> b 1 d', 'mean')) * g", ["the reduction goes over s instead of d"]),  # wrong axis
    ("rms_norm", "x * rsqrt(reduce(x * x, 'b s d -> b s 1', 'mean'))", ["`g` is not there as a factor"]),  # gain
    ("rms_norm", "x * rsqrt(reduce(x, 'b s d -> b s 1', 'mean') ** 2) * g", ["`x` is not squared in the reduce, and `sqrt` is missing around `reduce(x, 'b s d -> b s 1', '...`"]),  # square after the mean
    ("rms_norm", "x / sqrt(reduce(x * x, 'b s d -> b s 1', 'mean')) + g", ["`/` on line 1 gives what it should"]),  # plus for times
    ("rms_norm", "x / reduce(x, 'b s d -> b s 1', 'sum') * g", ["A hint: The mean of the squares is one number per token"]),  # three: squares, mean, root
    ("gqa_repeat", "b h s d -> b h (s g) d", ["s and g are merged, and stay apart in what is wanted; h and g stay apart, and are merged in what is wanted"]),  # copies of the wrong axis
    ("gqa_repeat", "repeat(x, 'b h s d -> b (h g) s d', h=g)", ["h=g gives the size g to the axis h"]),  # size to the wrong name
    ("gqa_repeat", "repeat(x, 'b h s d -> b (h g) s d')", ["its size by name: g=g"]),  # size missing
    ("moe_dispatch", "einsum(x, y, 's e c, s d -> e c')", ["Missing: d, to stay on the right of the arrow"]),  # d summed
    ("moe_dispatch", "einsum(x, y, 's e c, d s -> e c d')", ["the axes d and s of `y` are swapped"]),  # letters turned
    ("moe_dispatch", "einsum(x, y, 'e c s, s d -> e c d')", ["the axes of x in another order than they come"]),  # letters of x
]

THIRD = [
    ("drop_axis", "b n d -> b d", ["An axis of size 1 is a 1 in the pattern, not a name"]),
    ("read_shape", "parse_shape(x, 'b d s')", ["The names follow the order of the axes"]),
    ("image_size", "parse_shape(x, 'b c h w')", ["An axis named _ in the pattern is passed over"]),
    ("unpatchify", "b (h w) (p q c) -> b c (h q) (w p)", ["The axes p and q are swapped"]),
    ("channels_first", "b c h w -> b h w c", ["The axes c, h and w are in the wrong order"]),
    ("global_pool", "reduce(x, 'b c h w -> b c', 'sum') / (x.shape[2] + x.shape[3])", ["`+` stands where `*` is wanted in `x.shape[2] + x.shape[3]`"]),
    ("upsample", "repeat(x, 'b c h w -> b c (h q) (w p)', p=p, q=q)", ["The axes p and q are swapped"]),
    ("batch_dot", "einsum(x, y, 'b d, c d -> b c')", ["b is there twice: it is one axis of both inputs, and needs one name in both"]),
    ("add_axis", "b s t -> b s 1 t", ["The axes 1 and s are swapped"]),
    ("add_axis", "b s t -> b s t", ["An axis of size 1 is missing: write a 1 in its place"]),
    ("column_vectors", "b d -> b 1 d", ["The axes d and 1 are swapped"]),
    ("flatten_all", "b s d -> (d s b)", ["yours acts as (d s b)"]),
    ("unflatten_tokens", "(s b) d -> b s d", ["yours acts as (s b)"]),
    ("unflatten_tokens", "rearrange(x, '(b s) d -> b s d', s=b)", ["s=b gives the size b to the axis s; the axis b has none: b=b"]),
    ("image_size", "parse_shape(x, 'h w')", ["The pattern names each axis of the tensor, _ for one not wanted"]),
    ("depth_to_space", "b (p q c) h w -> b c (h p) (w q)", ["yours acts as (p q c)"]),
    ("depth_to_space", "b (c p q) h w -> b c (p h) (q w)", ["yours acts as (p h)"]),
    ("space_to_depth", "b c (h p) (w q) -> b (p q c) h w", ["yours acts as (p q c)"]),
    ("unpatchify", "rearrange(x, 'b (h w) (p q c) -> b c (h p) (w q)', p=p, q=q)", ["Of each composite one size may be unknown; give the others by name: p=p, q=q, h=h"]),
    ("channels_last", "b c h w -> b w h c", ["The axes h and w are swapped"]),
    ("split_windows", "b (h p) (w q) c -> (b h w) (p q) c", ["The axes are grouped differently: p and q are merged, and stay apart in what is wanted"]),
    ("split_windows", "b (h p) (w q) c -> b (h w) p q c", ["The axes are grouped differently: h and w stay apart from b, and not from it in what is wanted"]),
    ("merge_windows", "(h w b) p q c -> b (h p) (w q) c", ["yours acts as (h w b)"]),
    ("unfold_frames", "(b t) c h w -> b t c h w", ["The axes c and t are swapped"]),
    ("unfold_frames", "(t b) c h w -> b c t h w", ["yours acts as (t b)"]),
    ("image_grid", "(k r) h w -> (r h) (k w)", ["yours acts as (k r)"]),
    ("image_grid", "rearrange(x, '(r k) h w -> (r h) (k w)', r=2)", ["Line 1 fixes a size: r=2. The judge draws other sizes; write r=r"]),
    ("side_by_side", "b h w c -> h (w b) c", ["yours acts as (w b)"]),
    ("transpose_keys", "x.mT", ["The values are right, the method is not allowed here: `.mT` on line 1, `rearrange` is never called"]),
    ("group_means", "reduce(x, 'b s (d g) -> b s g', 'mean', g=g)", ["yours acts as (d g)"]),
    ("group_means", "reduce(x, 'b s (g d) -> b s d', 'mean', g=g)", ["g is gone and d is still there: the wrong axis was reduced"]),
    ("keep_axis_mean", "reduce(x, 'b s d -> b s', 'mean')", ["An axis of size 1 is missing: write a 1 in its place"]),
    ("mean_loss", "reduce(x, 'b s -> 1', 'mean')", ["An axis of size 1 is too much: leave the 1 out"]),
    ("mean_loss", "reduce(x, 'b s -> b', 'mean')", ["Not wanted: b, to be left out on the right of the arrow"]),
    ("avg_pool", "reduce(x, 'b c (h p) (w q) -> b c h w', 'mean', p=2, q=2)", ["Line 1 fixes a size: p=2. The judge draws other sizes; write p=p"]),
    ("max_over_time", "reduce(x, 'b t d -> b d', 'min')", ["These are the values of 'min', wanted 'max'"]),
    ("tile_sequence", "b s d -> b (s r) d", ["yours acts as (s r)"]),
    ("stretch_sequence", "b s d -> b (r s) d", ["yours acts as (r s)"]),
    ("beam_copies", "repeat(x, 'b s -> (k b) s', k=k)", ["yours acts as (k b)"]),
    ("upsample", "repeat(x, 'b c h w -> b c (p h) (q w)', p=p, q=q)", ["yours acts as (p h)"]),
    ("grey_to_colour", "repeat(x, 'h w -> c h w', c=c)", ["The axes h, w and c are in the wrong order"]),
    ("broadcast_batch", "repeat(x, 's d -> s d b', b=b)", ["The axes b, s and d are in the wrong order"]),
    ("outer_products", "einsum(x, y, 'b i, b j -> b j i')", ["The axes i and j are swapped"]),
    ("outer_products", "einsum(x, y, 'b i, b i -> b i i')", ["A name stands twice on one side; two axes that may differ need two names"]),
    ("batch_dot", "einsum(x, y, 'b d, b d -> b d')", ["Not wanted: d, to be left out on the right of the arrow"]),
    ("gram", "einsum(x, y, 'b c n, b n k -> b c k')", ["the axes n and k of `y` are swapped"]),
    ("weighted_sum", "einsum(x, y, 'b s, b s d -> b s d')", ["Not wanted: s, to be left out on the right of the arrow"]),
    ("trace", "einsum(x, 'b i j -> b')", ["i and j are one axis and need one name"]),
    ("trace", "einsum(x, 'b i i -> b i')", ["Not wanted: i, to be left out on the right of the arrow"]),
    ("moe_combine", "einsum(x, y, 's e c, e c d -> s e d')", ["Not wanted: e, to be left out on the right of the arrow"]),
    ("moe_combine", "einsum(x, y, 's e c, c e d -> s d')", ["names the axes of y in another order than they come: y is e c d.\nCase"]),
    ("one_by_one", "einsum(x, w, 'b c h w, c o -> b o h w')", ["the axes c and o of `w` are swapped"]),
    ("one_by_one", "einsum(x, w, 'b c h w, o c -> b h w o')", ["The axes o, h and w are in the wrong order"]),
    ("prepend_token", "pack([y, x], 'b * d')[0]", ["`y` and `x` are in the wrong order"]),
    ("prepend_token", "pack([x, y], 'b * d')", ["The result is a tuple of 2, wanted a tensor of shape (11, 8, 5)"]),
    ("skip_connection", "pack([x, y], 'b c * w')[0]", ["The star stands for the axis in which the tensors differ"]),
    ("flatten_features", "pack([x, y], 'b * d')[0]", ["The star stands for the axis in which the tensors differ"]),
    ("take_image", "unpack(x, [[s], [h, w]], 'b * d')[0]", ["element [0] is taken instead of [1]"]),
    ("take_image", "unpack(x, [[s], [h * w]], 'b * d')[1]", ["The axes are grouped differently: each inner list is the shape of one part"]),
    ("layer_norm", "def f(x):\n    y = x - reduce(x, 'b s d -> b s 1', 'mean')\n    return y / reduce(y * y, 'b s d -> b s 1', 'mean')\n", ["`sqrt` is missing around `reduce(y * y, 'b s d -> b s 1...`"]),
    ("layer_norm", "def f(x):\n    return x * rsqrt(reduce(x * x, 'b s d -> b s 1', 'mean'))\n", ["the mean of `x` is not subtracted first"]),
    ("squeeze_excite", "def f(x, w):\n    s = sigmoid(einsum(reduce(x, 'b c h w -> b c', 'mean'), w, 'b c, c k -> b k'))\n    return x * rearrange(s, 'b c -> b c 1 1')\n", ["the axes c and k of `w` are swapped"]),
    ("rope_halves", "def f(x, c, z):\n    x1, x2 = rearrange(x, 'b s (d two) -> two b s d', two=2)\n    return rearrange([x1 * c - x2 * z, x2 * c + x1 * z], 'two b s d -> b s (two d)')\n", ["the composite (d two) is in the wrong order"]),
    ("token_mixing", "def f(x, w, v):\n    y = relu(einsum(x, w, 'b s d, t s -> b t d'))\n    return einsum(y, v, 'b t d, s t -> b s d')\n", ["`x` is not added"]),
    ("multi_head_attention", "def f(x, w, h):\n    qkv = einsum(x, w, 'b s m, n m -> b s n')\n    q, k, v = rearrange(qkv, 'b s (h three d) -> three b h s d', three=3, h=h)\n    a = softmax(einsum(q, k, 'b h i d, b h j d -> b h i j') / q.shape[-1] ** 0.5)\n    y = einsum(a, v, 'b h i j, b h j d -> b h i d')\n    return rearrange(y, 'b h s d -> b s (h d)')\n", ["the composite (h three d) is in the wrong order"]),
    ("group_norm", "def f(x, g):\n    y = rearrange(x, 'b (c g) s -> b g (c s)', g=g)\n    y = y - reduce(y, 'b g n -> b g 1', 'mean')\n    y = y * rsqrt(reduce(y * y, 'b g n -> b g 1', 'mean') + 1e-5)\n    return rearrange(y, 'b g (c s) -> b (g c) s', s=x.shape[-1])\n", ["the composite (c g) is in the wrong order"]),
    ("squeeze_excite", "def f(x, w):\n    s = sigmoid(einsum(reduce(x, 'b c h w -> b c', 'mean'), w, 'b c, k c -> b k'))\n    return x * s\n", ["Shapes line up from the right: write 1 for a reduced axis to keep its place"]),
    ("squeeze_excite", "def f(x, w):\n    s = einsum(reduce(x, 'b c h w -> b c', 'mean'), w, 'b c, k c -> b k')\n    return x * rearrange(s, 'b c -> b c 1 1')\n", ["`sigmoid` is missing around `einsum(reduce(x, 'b c h w -> ...`"]),
    ("rope_halves", "def f(x, c, z):\n    x1, x2 = rearrange(x, 'b s (two d) -> two b s d', two=2)\n    return rearrange([x1 * c + x2 * z, x2 * c - x1 * z], 'two b s d -> b s (two d)')\n", ["`+` stands where `-` is wanted in `x1 * c + x2 * z`, and `-` stands where `+` is wanted in `x2 * c - x1 * z`"]),
    ("rope_halves", "def f(x, c, z):\n    x1, x2 = rearrange(x, 'b s (two d) -> two b s d', two=2)\n    return rearrange([x1 * c - x2 * z, x2 * c + x1 * z], 'two b s d -> b s (d two)')\n", ["the composite (d two) is in the wrong order"]),
    ("token_mixing", "def f(x, w, v):\n    y = einsum(x, w, 'b s d, t s -> b t d')\n    return x + einsum(y, v, 'b t d, s t -> b s d')\n", ["`relu` is missing around `einsum(x, w, 'b s d, t s -> b...`"]),
    ("token_mixing", "def f(x, w, v):\n    y = relu(einsum(x, w, 'b s d, t s -> b t d'))\n    return x + relu(einsum(y, v, 'b t d, s t -> b s d'))\n", ["`relu` around `einsum(y, v, 'b t d, s t -> b...` is too much"]),
    ("multi_head_attention", "def f(x, w, h):\n    qkv = einsum(x, w, 'b s m, n m -> b s n')\n    q, k, v = rearrange(qkv, 'b s (three h d) -> three b h s d', three=3, h=h)\n    a = softmax(einsum(q, k, 'b h i d, b h j d -> b h i j') / x.shape[-1] ** 0.5)\n    y = einsum(a, v, 'b h i j, b h j d -> b h i d')\n    return rearrange(y, 'b h s d -> b s (h d)')\n", ["`/ x.shape[-1] ** 0.5` stands where `/ sqrt(d)` is wanted"]),
    ("multi_head_attention", "def f(x, w, h):\n    qkv = einsum(x, w, 'b s m, n m -> b s n')\n    q, k, v = rearrange(qkv, 'b s (three h d) -> three b h s d', three=3, h=h)\n    a = softmax(einsum(q, k, 'b h i d, b h j d -> b h i j') / q.shape[-1] ** 0.5)\n    y = einsum(a, v, 'b h i j, b h j d -> b h i d')\n    return rearrange(y, 'b h s d -> b s (d h)')\n", ["the composite (d h) is in the wrong order"]),
    ("group_norm", "def f(x, g):\n    y = rearrange(x, 'b (g c) s -> b g (c s)', g=g)\n    y = y * rsqrt(reduce(y * y, 'b g n -> b g 1', 'mean') + 1e-5)\n    return rearrange(y, 'b g (c s) -> b (g c) s', s=x.shape[-1])\n", ["the mean of `y` is not subtracted"]),
    ("linear", "einsum(x, w, 'b s d, e d -> b e s')", ["The axes s and e are swapped"]),
    ("batched_matmul", "einsum(x, y, 'b i k, b j k -> b i j')", ["the axes j and k of `y` are swapped"]),
    ("bilinear", "einsum(x, w, y, 'b i, o i j, b j -> o b')", ["The axes b and o are swapped"]),
    ("rope_pairs", "def f(x, c, z):\n    x1, x2 = rearrange(x, 'b s (two d) -> two b s d', two=2)\n    return rearrange([x1 * c - x2 * z, x2 * c + x1 * z], 'two b s d -> b s (d two)')\n", ["the composite (two d) is in the wrong order"]),
    ("image_tokens", "pack([y, x], 'b * d')[0]", ["`y` and `x` are in the wrong order"]),
    ("fold_frames", "b t c h w -> (t b) c h w", ["yours acts as (t b)"]),
    ("time_major", "b t d -> t d b", ["The axes b and d are swapped"]),
    ("ungroup_tokens", "g b s d -> (g b) s d", ["yours acts as (g b)"]),
]

FOURTH = [
    ("patchify", "b c H W -> b (H W) c", ["h and w are merged with p and q, and not with them in what is wanted; p and q stay apart from c, and not from it in what is wanted"]),
    ("image_grid", "rearrange(x, '(r k) h w -> (r k h) w', r=r)", ["r and h are merged with k, and not with it in what is wanted; k and w stay apart, and are merged in what is wanted"]),
    ("weighted_sum", "reduce(y, 'b s d -> b d', 'sum')", ["`x` is never used, and the result depends on it", "Besides, the method is not the one asked for: `einsum` is never called"]),
    ("gram", "einsum(x, x, 'b c n, b k n -> b c k')", ["`y` is never used, and the result depends on it.\nCase"]),  # and not that c is there twice
    ("trace", "reduce(x, 'b i j -> b', 'sum')", ["The method is not the one asked for: `einsum` is never called"]),
    ("gqa_repeat", "x.repeat(1, g, 1, 1)", ["yours acts as (g h)", "`.repeat` (write `repeat(...)`) on line 1"]),
    ("unpatchify", "rearrange(x, 'b (h w) (p q c) -> b c (h p) (w q)', p=p, q=q)", ["give the others by name: p=p, q=q, h=h"]),
    ("rms_norm", "x / reduce(x * x, 'b s d -> b s 1', 'mean') * g", ["`sqrt` is missing around `reduce(x * x"]),
    ("rms_norm", "x * rsqrt(reduce(x, 'b s d -> b s 1', 'mean')) * g", ["`x` is not squared in the reduce; all else is right"]),
    ("layer_norm", "x * rsqrt(reduce(x * x, 'b s d -> b s 1', 'mean'))", ["the mean of `x` is not subtracted first; all else is right"]),
    ("bilinear", "einsum(x, w, y, 'b i, o j i, b j -> b o')", ["w is o i j", "the axes j and i of `w` are swapped"]),
    ("linear", "x @ w", ["`@` met (11, 5, 7), which is b s d", "`einsum` is never called"]),
    ("masked_attention", "def f(q, k, v, m):\n    a = softmax(einsum(q, k, 'b h i d, b h j d -> b h i j') / q.shape[-1] ** 0.5)\n    return einsum(a, v, 'b h i j, b h j e -> b h i e')", ["`m` is not added to the scores; all else is right"]),
    ("rope_halves", "def f(x, c, z):\n    x1, x2 = rearrange(x, 'b s (two d) -> two b s d', two=2)\n    return rearrange([x1 * c + x2 * z, x2 * c - x1 * z], 'two b s d -> b s (two d)')", ["`+` stands where `-` is wanted in `x1 * c + x2 * z`", "`-` stands where `+` is wanted"]),
    ("token_mixing", "def f(x, w, v):\n    y = einsum(x, w, 'b s d, t s -> b t d')\n    return einsum(y, v, 'b t d, s t -> b s d')", ["`relu` is missing around", "`x` is not added; all else is right"]),
    ("squeeze_excite", "def f(x, w):\n    s = reduce(x, 'b c h w -> b c', 'mean')\n    return x * s", ["Shapes line up from the right: write 1 for a reduced axis to keep its place"]),
    ("upsample", "rearrange(x, 'b c h w -> b c (h p) (w q)', p=p, q=q)", ["only repeat adds them", "`repeat` is never called"]),
    ("mean_loss", "reduce(x, 'b s -> ()', 'mean')", ["An axis of size 1 is too much: leave the 1 out"]),
    ("read_shape", "x.shape", ["The result is a Size, wanted a dict of 3", "Return what parse_shape gives"]),
    ("flatten_features", "pack([x, y], 'b *')", ["Its element [0] is what is wanted"]),
    ("drop_axis", "b 1 d -> (b d)", ["b and d are merged, and stay apart in what is wanted"]),
    ("beam_copies", "repeat(x, 'b s -> (k b) s', k=k)", ["yours acts as (k b)", "the slow axis, the last one the fast"]),
    ("rope_halves", "def f(x, c, z):\n    a, b = rearrange(x, 'b s (two d) -> two b s d', two=2)\n    return rearrange((a * c - b * z, b * c + a * z), 'two b s d -> b s (two d)')", ["einops takes several tensors as a list"]),
    ("image_size", "{'h': x.shape[2], 'w': x.shape[3]}", ["a dictionary on line 1", "parse_shape gives one itself"]),
    ("split_heads", "rearrange(x, 'b s (h d) -> b h s d', h=h, d=parse_shape(x, 'b s w')['w'] // h)", ["Take a size by its place"]),
    ("attention", "torch.nn.functional.scaled_dot_product_attention(q, k, v)", ["`torch.nn.functional.scaled_dot_product_attention` on line 1, `einsum` is never called"]),
    ("layer_norm", "def f(x):\n    y = x - reduce(x, 'b s d -> b s 1', 'mean')\n    y = y - reduce(y, 'b s d -> b s 1', 'mean')\n    return y / sqrt(reduce(y * y, 'b s d -> b s 1', 'mean'))", ["one `reduce` by sum or mean too many on line 4.", "Leave it out: 2 are enough here."]),
    ("rms_norm", "def f(x, g):\n    y = x / 2\n    return y * rsqrt(reduce(y * y, 'b s d -> b s 1', 'mean')) * g", ["a factor that is no length on line 2", "no written number multiplies"]),
    ("batch_dot", "einsum(x * y, 'b d -> b')", ["a product of tensors without einsum on line 1", "Let einsum multiply them"]),
    ("keep_axis_mean", "repeat(reduce(x, 'b s d -> b s', 'mean'), 'b s -> b s 1')", ["a `repeat` on line 1", "rearrange adds an axis of length 1"]),
]
