"""Count the FLOPs of torch operations by torch's formulas, and by ours where torch counts nothing or too much.

A multiply-add counts two. Elementwise work counts one FLOP per element written, and a reduction one per element
read. GELU, softmax and the norms count the steps of their formulas. Moving, casting, comparing and selecting count
none.
"""

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch.utils._pytree import tree_leaves
from torch.utils.flop_counter import flop_registry

aten = torch.ops.aten
Formula = Callable[[Sequence[Any], Any], int]

GELU = 20  # FLOPs per element: the tanh formula, written out
SOFTMAX = 5  # maximum, subtract, exponential, sum, divide
LAYER_NORM = 7  # sum, subtract, square, sum, scale, gain, bias
RMS_NORM = 4  # square, sum, scale, gain
SIGMOID = 4  # negate, exponential, add, divide
TANH = 6
ADAMW = 16
SGD = 2
BACKWARD_ATTENTION = 2.5  # five matmuls where forward has two


def _numel(tensor: Any) -> int:
    return int(tensor.numel())


def _per_output(steps: int) -> Formula:
    return lambda _, out: steps * _numel(tree_leaves(out)[0])


def _per_input(steps: int) -> Formula:
    return lambda args, _: steps * _numel(args[0])


def _attention(op: Any, args: Sequence[Any], kwargs: dict[str, Any], *, masks: bool = True) -> int:
    """Return the FLOPs of two matmuls per pair of query and key. With `masks`, skip causally masked pairs."""
    arguments = dict(zip((argument.name for argument in op._schema.arguments), args, strict=False)) | kwargs
    query, key, value = arguments["query"], arguments["key"], arguments["value"]
    heads = _numel(query) // int(query.shape[-2] * query.shape[-1])
    queries, keys = int(query.shape[-2]), int(key.shape[-2])
    is_causal = masks and arguments.get("is_causal")
    pairs = sum(min(row + 1, keys) for row in range(queries)) if is_causal else queries * keys
    return 2 * heads * pairs * int(query.shape[-1] + value.shape[-1])


def _rnn(args: Sequence[Any]) -> int:
    """Return the FLOPs of a layer that multiplies each token by an input weight and by a state weight."""
    source, weight, state_weight = args[:3]
    return 2 * (_numel(source) // int(source.shape[-1])) * (_numel(weight) + _numel(state_weight))


def _optimizer(steps: int) -> Formula:
    return lambda args, _: steps * sum(_numel(parameter) for parameter in args[0])


OURS: dict[Any, Formula] = {
    aten.mv: lambda args, _: 2 * _numel(args[0]),
    aten.addmv: lambda args, _: 2 * _numel(args[1]),
    aten.dot: lambda args, _: 2 * _numel(args[0]),
    aten.vdot: lambda args, _: 2 * _numel(args[0]),
    aten._int_mm: lambda args, _: 2 * _numel(args[0]) * int(args[1].shape[1]),
    aten.gelu: _per_output(GELU),
    aten.sigmoid: _per_output(SIGMOID),
    aten.tanh: _per_output(TANH),
    aten.silu: _per_output(SIGMOID + 1),
    aten._softmax: _per_output(SOFTMAX),
    aten._safe_softmax: _per_output(SOFTMAX),
    aten._log_softmax: _per_output(SOFTMAX),
    aten._softmax_backward_data: _per_output(SOFTMAX - 1),
    aten._log_softmax_backward_data: _per_output(SOFTMAX - 1),
    aten.logsumexp: _per_input(SOFTMAX - 1),
    aten.native_layer_norm: _per_input(LAYER_NORM),
    aten.native_group_norm: _per_input(LAYER_NORM),
    aten._fused_rms_norm: _per_input(RMS_NORM),
    aten.var: _per_input(4),
    aten.std: _per_input(4),
    aten.var_mean: _per_input(4),
    aten.cumsum: _per_input(1),
    **{
        getattr(aten, name): _per_output(3)
        for name in ("addcmul", "addcmul_", "addcdiv", "addcdiv_", "lerp", "lerp_")
    },
    aten._fused_adamw_: _optimizer(ADAMW),
    aten._fused_adam_: _optimizer(ADAMW),
    aten._fused_sgd_: _optimizer(SGD),
}

ATTENTION = {
    aten._scaled_dot_product_flash_attention_for_cpu: 1.0,
    aten._scaled_dot_product_flash_attention: 1.0,
    aten._scaled_dot_product_efficient_attention: 1.0,
    aten._scaled_dot_product_cudnn_attention: 1.0,
    aten._scaled_dot_product_flash_attention_for_cpu_backward: BACKWARD_ATTENTION,
    aten._scaled_dot_product_flash_attention_backward: BACKWARD_ATTENTION,
    aten._scaled_dot_product_efficient_attention_backward: BACKWARD_ATTENTION,
    aten._scaled_dot_product_cudnn_attention_backward: BACKWARD_ATTENTION,
}
"""Matmuls of fused attention, in units of a forward pass. torch's own formulas ignore a causal mask."""
RNN = {aten.mkldnn_rnn_layer: 1, aten.mkldnn_rnn_layer_backward: 2}

_MOVES = (
    "clone copy_ copy _to_copy cat stack where masked_fill masked_fill_ fill_ fill zero_ zeros zeros_like "
    "ones ones_like full full_like new_zeros new_full arange scalar_tensor embedding embedding_dense_backward "
    "index index_select index_put_ index_add_ gather scatter scatter_ scatter_add_ tril triu flip roll repeat "
    "constant_pad_nd sort topk argmax argmin nll_loss_forward nll_loss_backward eq ne lt le gt ge logical_not "
    "logical_and bitwise_not _local_scalar_dense randn rand randint randn_like rand_like bernoulli_ uniform_ "
    "normal_"
)
MOVES = {getattr(aten, name) for name in _MOVES.split()}
"""Operations that move, cast, compare, select or draw values, and so cost traffic but no FLOPs."""


def flops(op: Any, args: Sequence[Any], kwargs: dict[str, Any], out: Any) -> int | None:
    """Return the FLOPs of one call, or None without a formula."""
    packet = op._overloadpacket
    if packet in ATTENTION:
        return round(ATTENTION[packet] * _attention(op, args, kwargs))
    if packet in flop_registry and packet not in OURS:
        return int(flop_registry[packet](*args, **kwargs, out_val=out))
    formula = OURS.get(packet) or _by_kind(op, packet)
    return None if formula is None else formula(args, out)


def matrix_flops(op: Any, args: Sequence[Any], kwargs: dict[str, Any], out: Any) -> int:
    """Return the FLOPs of matrix products in one call, without regard to a causal mask, or 0."""
    packet = op._overloadpacket
    if packet in ATTENTION:
        return round(ATTENTION[packet] * _attention(op, args, kwargs, masks=False))
    if packet in RNN:
        return RNN[packet] * _rnn(args)
    return int(flop_registry[packet](*args, **kwargs, out_val=out)) if packet in flop_registry else 0


def _by_kind(op: Any, packet: Any) -> Formula | None:
    if packet in MOVES:
        return lambda _args, _out: 0
    if torch.Tag.reduction in op.tags:
        return _per_input(1)
    if packet.__name__.startswith("_foreach_"):
        return _optimizer(1)
    return _all_outputs if torch.Tag.pointwise in op.tags else None


def _all_outputs(_: Sequence[Any], out: Any) -> int:
    return sum(_numel(tensor) for tensor in tree_leaves(out) if isinstance(tensor, torch.Tensor))
