"""Define counted bets on activation checkpoints: what they save and cost, and when they stop helping."""

import math

from studykit.exercise import Parts, Values

from ._counts import GIVEN, MODEL, NOT_MEASURED, at_peak, decoder, decoder_bet
from ._slips import slip

CHECKPOINT = " Each layer is checkpointed (`torch.utils.checkpoint`, not reentrant)."
EVERY = (1, 2, 3, 4, 6, 8, 12)

SAVED = decoder_bet(
    id="count.checkpoint_peak",
    prompt=MODEL
    + CHECKPOINT
    + " How many GB are alive at the peak of a step, once the optimizer has its states?"
    + NOT_MEASURED,
    answer=lambda v: v.each.peak,
    slips=(
        slip("peak_falls_as_saved", lambda v: v.base.peak * v.each.saved / v.base.saved),
        slip("state_and_saved", lambda v: 16 * v.N + v.each.saved),
        slip("forgot_logits", lambda v: v.each.peak - 3 * v.logits),
        slip("logits_once", lambda v: v.each.peak - 2 * v.logits),
        slip("one_gradient", lambda v: v.each.peak - v.logits),
        slip(
            "forgot_optimizer", lambda v: v.each.peak - 8 * v.N, message="That leaves out AdamW's two moments, 8N."
        ),
        slip("no_checkpoints", lambda v: v.base.peak),
    ),
    hints=(
        "What does a layer keep now, and what is not in a layer?",
        "A layer keeps its input. The last norm keeps 3 tensors of b·s·d, and the loss its log-softmax.",
        "12N, (L + 3) tensors of b·s·d, and three tensors of b·s·V.",
    ),
    solution=(
        (
            "saved: L inputs and 3·x of the last norm, (L + 3)·x = {stream:bytes}, and the log-softmax: "
            "{each.saved:bytes} instead of {base.saved:bytes}"
        ),
        "weights and moments: 12N = {fixed:bytes}; logits, three times: {three:bytes}",
        "together {answer:bytes} instead of {base.peak:bytes}: what is left is state and logits",
    ),
    given={
        **GIVEN,
        "each": lambda v: decoder(v, every=1),
        "stream": lambda v: (v.L + 3) * v.x,
        "fixed": lambda v: 12 * v.N,
        "three": lambda v: 3 * v.logits,
    },
    parts=lambda v: at_peak(v.each),
)


def _peaks(v: Values) -> dict[int, int]:
    return {every: decoder(v, every=every).peak for every in EVERY if v.L % every == 0}


def _list(v: Values) -> str:
    *others, last = _peaks(v)
    return f"{', '.join(map(str, others))} or {last}"


def _root(v: Values) -> int | None:
    """Return the spacing among the choices that is nearest by ratio to the root of the number of layers."""
    return min(_peaks(v), key=lambda every: (abs(math.log(every / math.sqrt(v.L))), every))


BEST = decoder_bet(
    id="count.checkpoint_spacing",
    prompt=MODEL
    + " The layers are checkpointed in equal segments. Of {choices} layers to a segment, which gives the lowest "
    "peak of a step?" + NOT_MEASURED,
    answer=lambda v: min(v.peaks, key=v.peaks.get),
    unit="count",
    tolerance=0,
    slips=(
        slip("each_layer", lambda _: 1),
        slip("root_of_layers", _root),
        slip("one_segment", lambda v: v.L),
    ),
    hints=(
        "There are two candidates for the peak: the loss, and the recomputation of one segment.",
        (
            "At the loss there are 12N, three logits and a tensor of b·s·d for each segment and 3 more. Larger "
            "segments lower that."
        ),
        "A segment recomputes its layers, 10·x + 4·m each, when the logits have gone.",
    ),
    solution=(
        "at the loss: 12N + 3·logits + (segments + 3)·x",
        "larger segments lower that as long as recomputing one takes less: {answer:n} layers each, {best:bytes}",
    ),
    given={
        **GIVEN,
        "peaks": _peaks,
        "choices": _list,
        "best": lambda v: min(v.peaks.values()),
    },
    parts=lambda v: Parts(
        "Peak by layers to a segment", {str(every): peak for every, peak in v.peaks.items()}, is_whole=False
    ),
)

FLOPS = decoder_bet(
    id="count.checkpoint_flops",
    objective="flops",
    prompt=MODEL + CHECKPOINT + " How many FLOPs do the matrix products of a step take, attention's included? The "
    "causal mask halves nothing here, and fused attention runs its first product again in the backward pass."
    + NOT_MEASURED,
    answer=lambda v: v.each.forward + v.each.backward,
    unit="FLOP",
    tolerance=0.001,
    slips=(
        slip("no_recompute", lambda v: v.base.forward + v.base.backward),
        slip("four_thirds", lambda v: (v.base.forward + v.base.backward) * 4 / 3),
        slip("whole_forward_again", lambda v: 2 * v.base.forward + v.base.backward),
        slip("whole_layers_again", lambda v: v.answer + v.downs),
        slip("attention_backward_twice", lambda v: v.answer - v.attention / 2),
        slip("mac_as_flop", lambda v: v.answer / 2),
        slip("eight_n_tokens", lambda v: 8 * v.N * v.b * v.s),
        slip(
            "no_attention",
            lambda v: v.answer - 4.5 * v.attention,
            "Which matrix products have no weights?",
            "That leaves out attention's own products of Q, K and V.",
        ),
    ),
    hints=(
        "Forward pass, backward pass, and what is run again.",
        (
            "The products with weights take 2·b·s·W, W = N - V·d - (2L + 1)·d; attention takes 4·b·s²·d·L. "
            "Backward it is twice, and 2.5 times."
        ),
        "Again: the forward pass without the output layer, and without each layer's down projection.",
    ),
    solution=(
        "W = N - V·d - (2L + 1)·d = {W:n} weights in matrix products",
        "forward: 2·b·s·W + 4·b·s²·d·L = {base.forward:e}",
        "backward: 4·b·s·W + 10·b·s²·d·L = {base.backward:e}",
        "again: forward without output layer (2·b·s·V·d) and down projections (2·b·s·f·d·L): {again:e}",
        "together {answer:e}, {times:number} times a plain step, not 4/3",
    ),
    given={
        **GIVEN,
        "each": lambda v: decoder(v, every=1),
        "attention": lambda v: 4 * v.b * v.s**2 * v.d * v.L,
        "downs": lambda v: 2 * v.b * v.s * v.f * v.d * v.L,
        "W": lambda v: v.N - v.V * v.d - (2 * v.L + 1) * v.d,
        "again": lambda v: v.each.backward - v.base.backward,
        "times": lambda v: (v.each.forward + v.each.backward) / (v.base.forward + v.base.backward),
    },
    parts=lambda v: Parts(
        "FLOPs of the step",
        {"forward": v.base.forward, "backward": v.base.backward, "recomputation": v.again},
        "FLOP",
    ),
)

EXERCISES = (SAVED, BEST, FLOPS)
