"""List the operations that move, merge, split, repeat or reduce axes, each with what to write instead."""

import ast
from collections.abc import Iterator, Mapping
from functools import cache

from studykit.exercise.rewrite.rewrite import EINOPS, Rewrite

INDEX, PART, NEW_AXIS = "index", "unbind", "new axis"
"""A slice or a mask in an index, parts taken by iterating or by whole numbers, and `x[:, None]`."""
_REARRANGE = "rearrange moves, merges and splits axes by their names"
_JOIN = "rearrange takes a list of tensors of one shape, pack takes tensors of several shapes"
_WHOLE = "one call works on all parts of a tensor at once, without a loop or an index"
_SPLIT = "rearrange with the axis of the parts first, or unpack, takes a tensor apart"
_NEW_AXIS = "in a pattern of rearrange a 1 on the right is a new axis, as in 'b d -> b 1 d'"
_REPEAT = "repeat makes copies along a named axis"
_REDUCE = "reduce takes 'mean', 'sum', 'max', 'min' or 'prod' over the axes that the right side leaves out"
_EINSUM = "einsum multiplies tensors by the names of their axes"
_NORM = "reduce with 'mean' gives the mean and the mean of the squares"
_VALUES = "it works on tensors, so keep the values in them"
_NAMES: Mapping[str, str] = {
    _REARRANGE: "view reshape view_as reshape_as permute transpose swapaxes swapdims t adjoint T mT H mH movedim "
    "moveaxis rollaxis flatten unflatten ravel resize squeeze rot90 flip fliplr flipud roll "
    "fold unfold as_strided pixel_shuffle pixel_unshuffle channel_shuffle permute_copy transpose_copy view_copy",
    _JOIN: "stack cat concat concatenate hstack vstack dstack column_stack row_stack block append",
    _WHOLE: PART,
    _SPLIT: f"{INDEX} chunk split tensor_split array_split hsplit vsplit dsplit narrow select index_select "
    "take take_along_dim take_along_axis gather scatter scatter_add index_add index_copy index_put masked_select "
    "masked_scatter compress diagonal diag diag_embed tril_indices sort argsort topk unique slice select_copy",
    _NEW_AXIS: "unsqueeze expand_dims",
    _REPEAT: "expand expand_as repeat repeat_interleave tile broadcast_to broadcast_tensors broadcast_arrays "
    "meshgrid interpolate upsample kron pad",
    _REDUCE: "sum mean nansum nanmean max min amax amin aminmax prod any all norm vector_norm var std var_mean "
    "std_mean logsumexp cumsum cumprod cummax cummin diff argmax argmin median nanmedian quantile mode trace "
    "count_nonzero average ptp avg_pool1d avg_pool2d avg_pool3d max_pool1d max_pool2d max_pool3d "
    "adaptive_avg_pool1d adaptive_avg_pool2d adaptive_avg_pool3d adaptive_max_pool1d adaptive_max_pool2d",
    _EINSUM: "matmul mm bmm mv addmm baddbmm dot vdot vecdot inner outer ger tensordot linear bilinear "
    "conv1d conv2d conv3d einsum multi_dot chain_matmul scaled_dot_product_attention cdist cosine_similarity "
    "matrix_power",
    _NORM: "layer_norm rms_norm group_norm batch_norm instance_norm normalize local_response_norm",
    _VALUES: "tolist numpy item array asarray from_numpy from_dlpack to_dlpack __array__ __dlpack__ as_tensor "
    "tensor frombuffer fromiter",
}
ADVICE: Mapping[str, str] = {
    **{name: advice for advice, names in _NAMES.items() for name in names.split()},
    NEW_AXIS: _NEW_AXIS,
}
"""What to write instead of each operation, by the name of its function or method."""
_SIGNS = {
    NEW_AXIS: "an index with None",
    INDEX: "an index or a slice",
    PART: "iteration or an index of a tensor",
    "matmul": "`@` (matmul)",
}
_SPECIAL = {"__setitem__": INDEX, "__reversed__": "flip"}


def plain_name(name: str) -> str:
    """Return an operation's name in `ADVICE`: `aten::sum.dim_IntList` is `sum`."""
    name = name.rpartition("::")[2].partition(".")[0].removeprefix("linalg_")
    name = _SPECIAL.get(name, name)
    return name if name in ADVICE else name.rstrip("_")


def described(name: str) -> str:
    """Name an operation as a learner calls it."""
    return _SIGNS.get(name, f"`{name}`")


@cache
def allowed(solutions: tuple[str, ...]) -> frozenset[str]:
    """Return the operations in `ADVICE` that these solutions of an exercise call."""
    return frozenset(name for text in solutions for name in _called(ast.parse(text)))


def allowed_in(exercise: Rewrite) -> frozenset[str]:
    """Return the operations in `ADVICE` that an answer to this exercise may call."""
    operations = allowed((exercise.solution, *exercise.alternatives))
    operations |= {PART} if exercise.helpers or len(exercise.must) > 1 else frozenset()  # in several lines
    return operations | {"einsum"} if "einsum" in exercise.must else operations


def _called(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name(id=name)) | ast.Attribute(attr=name) if (
                name in ADVICE and name not in EINOPS
            ):
                yield name
            case ast.BinOp(op=ast.MatMult()):
                yield "matmul"
            case ast.Assign(targets=[ast.Tuple()], value=ast.Call()):
                yield PART
            case ast.Subscript(value=ast.Name(), slice=ast.Constant(value=int())):
                yield PART
