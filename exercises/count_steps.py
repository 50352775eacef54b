"""Define counted bets on the memory of a training step."""

from studykit.exercise import Parts

from ._counts import GIVEN, MODEL, NOT_MEASURED, at_peak, decoder, decoder_bet
from ._slips import slip

PARTS_OF_PEAK = (
    (
        "At the peak, in the backward pass of the log-softmax, weights and both moments are there: 12N = "
        "{fixed:bytes}. No weight has a gradient yet."
    ),
    (
        "saved for backward: L·(10·x + 4·m) + 3·x + logits ≈ {base.saved:bytes}, with x = 4·b·s·d, m = 4·b·s·f "
        "and logits = 4·b·s·V bytes"
    ),
    "the gradients of the log-softmax and of the logits: 2·logits = {both:bytes}",
)
FIXED = {"fixed": lambda v: 12 * v.N, "both": lambda v: 2 * v.logits}

PEAK = decoder_bet(
    id="count.peak",
    prompt=MODEL
    + " How many GB are alive at the peak of a step, once the optimizer has its states?"
    + NOT_MEASURED,
    answer=lambda v: v.base.peak,
    slips=(
        slip("state_and_saved", lambda v: 16 * v.N + v.base.saved),
        slip("forgot_logits", lambda v: v.base.peak - 3 * v.logits),
        slip("logits_once", lambda v: v.base.peak - 2 * v.logits),
        slip("one_gradient", lambda v: v.base.peak - v.logits),
        slip(
            "forgot_optimizer", lambda v: v.base.peak - 8 * v.N, message="That leaves out AdamW's two moments, 8N."
        ),
        slip("with_gradients", lambda v: v.base.peak + 4 * v.N, approximate=True),
        slip(
            "state_only",
            lambda v: 16 * v.N,
            "Is that all that a step keeps?",
            "That is 16N; at the peak the gradients are not there yet, but activations and logits are.",
        ),
        slip("saved_only", lambda v: v.base.saved),
    ),
    hints=(
        "When is the most memory in use? Not in the optimizer: the activations are gone by then.",
        "When the backward pass begins, everything is saved, and no gradient of a weight is there yet.",
        "12N, 10 tensors of b·s·d and 4 of b·s·f for each layer, and three as large as the logits.",
    ),
    solution=(*PARTS_OF_PEAK, "together {answer:bytes}"),
    given={**GIVEN, **FIXED},
    parts=lambda v: at_peak(v.base),
)

SCORES = decoder_bet(
    id="count.attention_by_hand",
    prompt=MODEL.replace("fused attention (SDPA)", "attention written by hand")
    + " Attention is `scores = q @ k.mT * scale` and `scores.softmax(-1) @ v`. How many GB does the forward pass "
    "save for backward?" + NOT_MEASURED,
    answer=lambda v: v.by_hand.saved,
    slips=(
        slip("scores_not_saved", lambda v: v.base.saved),
        slip("scores_twice", lambda v: v.by_hand.saved + v.L * v.one),
        slip("only_scores", lambda v: v.L * v.one),
        slip("scores_of_one_head", lambda v: v.base.saved + v.L * v.one / v.h),
    ),
    hints=(
        "Start from what fused attention would save, and ask what is added.",
        "Fused attention would save {base.saved:bytes}.",
        "Each layer adds one tensor of b·h·s² elements: the softmax.",
    ),
    solution=(
        "all but scores: L·(10·x + 4·m) + 3·x + logits ≈ {rest:bytes}",
        "the softmax of the scores: 4·b·h·s² = {one:bytes} a layer",
        "{L} layers of it: {all:bytes}, together {answer:bytes}",
    ),
    given={
        **GIVEN,
        "by_hand": lambda v: decoder(v, attention="by_hand"),
        "one": lambda v: 4 * v.b * v.h * v.s**2,
        "all": lambda v: v.L * v.one,
        "rest": lambda v: v.by_hand.saved - v.all,
    },
    parts=lambda v: Parts(
        "Saved for backward",
        {"scores": v.all, "logits": v.logits, "other activations": v.rest - v.logits},
    ),
)

ZERO_GRAD = decoder_bet(
    id="count.zero_grad",
    prompt=MODEL + " The step begins with `zero_grad()`. How many GB does the peak rise if that becomes "
    "`zero_grad(set_to_none=False)`?" + NOT_MEASURED,
    answer=lambda v: v.kept.peak - v.base.peak,
    slips=(
        slip(
            "no_difference",
            lambda _: 0.0,
            "Where are the old gradients during the forward pass?",
            "Gradients set to zero stay: 4N bytes more while the activations are alive.",
        ),
        slip("gradients_twice", lambda v: 8 * v.N),
        slip(
            "elements_for_bytes",
            lambda v: v.N,
            "How many bytes does a gradient take in fp32?",
            "That is N; each gradient takes 4 bytes.",
        ),
        slip("half_width", lambda v: 2 * v.N),
        slip("whole_state", lambda v: 16 * v.N),
    ),
    hints=(
        "What is at the peak, and what is not there yet?",
        "By default the gradients are freed before the forward pass, and come back in the backward pass.",
        "Set to zero, they are there all the time: 4 bytes for each of N = {N:n} parameters.",
    ),
    solution=(
        "by default the peak of {base.peak:bytes} comes before the first gradient of a weight",
        "kept gradients add 4N = {answer:bytes}: {kept.peak:bytes}",
    ),
    given={**GIVEN, "kept": lambda v: decoder(v, set_to_none=False)},
    parts=lambda v: at_peak(v.kept),
)

MICRO = decoder_bet(
    id="count.micro_batches",
    prompt=MODEL + " The batch is split into 4 micro-batches whose gradients add up. How many GB are alive at the "
    "peak?" + NOT_MEASURED,
    answer=lambda v: v.split.peak,
    slips=(
        slip("all_quartered", lambda v: v.base.peak / 4),
        slip("no_gradients", lambda v: 12 * v.N + (v.base.saved + 2 * v.logits) / 4),
        slip("state_and_quarter", lambda v: 16 * v.N + v.base.saved / 4),
        slip("batch_at_once", lambda v: v.base.peak),
        slip("kept_whole_batch", lambda v: 16 * v.N + v.base.saved + 2 * v.logits),
    ),
    hints=(
        "What falls to a quarter, and what does not?",
        "Activations and logits fall to a quarter. The gradients of the first micro-batch wait for the others.",
        "16N, a quarter of what is saved, and a quarter of 2·logits.",
    ),
    solution=(
        "weights, gradients and moments: 16N = {state:bytes}",
        "a quarter of what the batch saves: {saved:bytes}",
        "a quarter of the two gradients of the loss: {both:bytes} / 4",
        "together {answer:bytes}",
    ),
    given={
        **GIVEN,
        **FIXED,
        "split": lambda v: decoder(v, micro=4),
        "state": lambda v: 16 * v.N,
        "saved": lambda v: v.base.saved / 4,
    },
    parts=lambda v: at_peak(v.split),
)

FIRST_STEP = decoder_bet(
    id="count.first_step",
    prompt=MODEL + " How many GB are alive at the peak of the very first step?" + NOT_MEASURED,
    answer=lambda v: v.base.first_peak,
    slips=(
        slip("second_step", lambda v: v.base.peak),
        slip("with_gradients", lambda v: v.base.first_peak + 4 * v.N, approximate=True),
        slip("forgot_logits", lambda v: v.base.first_peak - 3 * v.logits),
        slip("logits_once", lambda v: v.base.first_peak - 2 * v.logits),
        slip("one_gradient", lambda v: v.base.first_peak - v.logits),
        slip(
            "state_and_saved",
            lambda v: 16 * v.N + v.base.saved,
            "What of the state is there in the first forward pass?",
            "That is 16N + what is saved; in the first forward pass only the weights are there.",
        ),
        slip(
            "state_only",
            lambda v: 16 * v.N,
            "Is that more than what the backward pass begins with?",
            "That is the state after the step; the activations weigh more while they are there.",
        ),
    ),
    hints=(
        "What is made only at the end of the first step?",
        "AdamW makes its two moments in its first step, when the activations have gone.",
        "4N, what is saved, and two gradients as large as the logits.",
    ),
    solution=(
        "weights: 4N = {weights:bytes}",
        "saved for backward: {base.saved:bytes}; gradients of log-softmax and logits: {both:bytes}",
        (
            "together {answer:bytes}; in the second step the moments add 8N: {base.peak:bytes}. Memory runs out "
            "there, not in the first step"
        ),
    ),
    given={**GIVEN, **FIXED, "weights": lambda v: 4 * v.N},
    parts=lambda v: Parts(
        "Alive at the peak of the first step",
        {name: size for name, size in v.base.parts.items() if name != "moments"},
    ),
)

AUTOCAST = decoder_bet(
    id="count.autocast",
    prompt=MODEL.replace("fp32 throughout", "fp32 weights") + " Forward pass and loss run under "
    "`torch.autocast` with bf16. How many GB does the forward pass save for backward?" + NOT_MEASURED,
    answer=lambda v: v.cast.saved,
    slips=(
        slip(
            "half",
            lambda v: v.base.saved / 2,
            "What stays in fp32 under autocast, and what is copied?",
            "That is half of what fp32 saves. Norms, the stream and the loss stay in fp32, and autocast keeps "
            "bf16 copies of weights and inputs.",
        ),
        slip(
            "no_difference",
            lambda v: v.base.saved,
            "Which tensors become bf16?",
            "That is what fp32 saves; what matrix products take and give is bf16.",
        ),
        slip("all_bf16", lambda v: v.pure.saved, approximate=True),
        slip("no_weight_copies", lambda v: v.cast.saved - v.copies, approximate=True),
        slip("input_cast_once", lambda v: v.cast.saved - 1.5 * v.x * v.L),
    ),
    hints=(
        "What matrix products take and give is bf16; norms, additions and the loss are fp32.",
        (
            "The weights are fp32, so that their bf16 copies are saved as well; and an input is cast anew for "
            "each matrix product."
        ),
        "A layer keeps 4 fp32 tensors of b·s·d and 9 in bf16, and 4 of b·s·f in bf16.",
    ),
    solution=(
        (
            "a layer: 4·x in fp32, 9·x/2 (three casts for Q, K, V, their results, attention's, two casts for gate "
            "and up) and 4·m/2"
        ),
        "{L} layers and the last norm: {layers:bytes}",
        "bf16 copies of all weights of matrix products: 2·(N - V·d) = {copies:bytes}",
        "log-softmax in fp32: {logits:bytes}; together {answer:bytes}, {share:%} of fp32's {base.saved:bytes}",
    ),
    given={
        **GIVEN,
        "cast": lambda v: decoder(v, autocast=True),
        "pure": lambda v: decoder(v, dtype="bfloat16"),
        "copies": lambda v: 2 * (v.N - v.V * v.d),
        "layers": lambda v: v.cast.saved - v.copies - v.logits,
        "share": lambda v: v.cast.saved / v.base.saved,
    },
    parts=lambda v: Parts(
        "Saved for backward",
        {"copies of weights": v.copies, "logits": v.logits, "activations": v.layers},
    ),
)

EVAL = decoder_bet(
    id="count.eval_mode",
    prompt=MODEL + " After training it is only evaluated: `model.eval()`, then `model(tokens)`, with no optimizer "
    "and no `torch.no_grad()`. How many GB are alive at the peak?" + NOT_MEASURED,
    answer=lambda v: v.evaluated.peak,
    slips=(
        slip("as_no_grad", lambda v: v.free.peak),
        slip(
            "weights_only",
            lambda v: 4 * v.N,
            "What else is alive in a forward pass?",
            "Those are the weights; the forward pass saves its activations, since nothing tells it not to.",
        ),
        slip("forgot_weights_here", lambda v: v.evaluated.peak - 4 * v.N),
        slip("as_training", lambda v: v.base.peak),
        slip("no_logits_here", lambda v: v.evaluated.peak - v.logits),
    ),
    hints=(
        "Which switch keeps a forward pass from saving for backward?",
        "`eval()` changes dropout and batch norm. Only `no_grad()` or `inference_mode()` stops saving.",
        "Weights, everything that training would save of the layers, and the logits.",
    ),
    solution=(
        "weights: 4N = {weights:bytes}",
        "layers and last norm: L·(10·x + 4·m) + 3·x ≈ {layers:bytes}; logits: {logits:bytes}",
        "together {answer:bytes}; under `no_grad()` it is {free.peak:bytes}",
    ),
    given={
        **GIVEN,
        "evaluated": lambda v: decoder(v, mode="eval"),
        "free": lambda v: decoder(v, mode="no_grad"),
        "weights": lambda v: 4 * v.N,
        "layers": lambda v: v.evaluated.peak - v.weights - v.logits,
    },
    parts=lambda v: Parts(
        "Alive at the peak",
        {"activations": v.layers, "weights": v.weights, "logits": v.logits},
    ),
)

FROZEN = decoder_bet(
    id="count.frozen",
    prompt=MODEL
    + " All weights are frozen (`requires_grad_(False)`) but those of the embedding. How many GB does "
    "the forward pass save for backward?" + NOT_MEASURED,
    answer=lambda v: v.frozen.saved,
    slips=(
        slip("nothing_saved", lambda v: v.logits),
        slip(
            "no_difference",
            lambda v: v.base.saved,
            "What is the input of a matrix product saved for?",
            "That is what training all weights saves. Inputs of matrix products serve only the gradient of the "
            "weights, and go.",
        ),
        slip(
            "half",
            lambda v: v.base.saved / 2,
            "What does each operation need to pass a gradient on?",
            "That is half. What SiLU, the products, attention and the norms need stays: 6·x + 3·m a layer of "
            "10·x + 4·m.",
        ),
        slip("norms_forgotten", lambda v: v.frozen.saved - (2 * v.L + 1) * v.x),
        slip("forgot_logits", lambda v: v.frozen.saved - v.logits),
    ),
    hints=(
        "The gradient still passes through every layer. What does each operation need for that?",
        (
            "A matrix product needs its weights, not its input. Norms need their input, SiLU and products theirs, "
            "attention Q, K, V and its result."
        ),
        "A layer keeps 6 tensors of b·s·d and 3 of b·s·f.",
    ),
    solution=(
        "a layer: the inputs of two norms, Q, K, V and attention's result: 6·x; gate, its SiLU, and up: 3·m",
        "{L} layers: {layers:bytes}; the input of the last norm: {x:bytes}; log-softmax: {logits:bytes}",
        (
            "together {answer:bytes} of {base.saved:bytes}. The backward pass takes {times:number} times the "
            "FLOPs of the forward pass, not 2"
        ),
    ),
    given={
        **GIVEN,
        "frozen": lambda v: decoder(v, train="embedding"),
        "layers": lambda v: v.frozen.saved - v.x - v.logits,
        "times": lambda v: v.frozen.backward / v.frozen.forward,
    },
    parts=lambda v: Parts(
        "Saved for backward",
        {"activations": v.answer - v.logits, "logits": v.logits},
    ),
)

EXERCISES = (PEAK, FIRST_STEP, ZERO_GRAD, MICRO, SCORES, AUTOCAST, EVAL, FROZEN)
