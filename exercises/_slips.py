"""Slips that many exercises share: how to ask about them, and what to say once the answer is out."""

from collections.abc import Callable

from studykit.exercise import SlipRule, Values

from ._slip_names import NAMES

TEXTS: dict[str, tuple[str, str]] = {
    "mac_as_flop": (
        "How many operations is one multiply-add?",
        "That counts a multiply-add as one FLOP; it is two.",
    ),
    "sparse_peak": (
        "Is that peak for dense work, or for 2:4 sparse matrices?",
        "That uses twice the dense peak of this dtype, such as the sparse one.",
    ),
    "double_halved": (
        "Is the given peak for dense or for sparse work?",
        "That halves a peak that is dense already.",
    ),
    "forward_only": (
        "Is that the forward pass alone?",
        "That counts only the forward pass, 2 per parameter per token; a training step takes 6.",
    ),
    "backward_only": (
        "What does each of the two passes cost?",
        "4 per parameter per token is the backward pass alone, or two passes of equal cost; a step takes 2 + 4.",
    ),
    "with_recompute": (
        "Does the question recompute the forward pass?",
        "8 per parameter per token counts a second forward pass; plain training takes 6.",
    ),
    "causal_half": (
        "Does the question count the causal saving?",
        "You halved for the causal mask; this question counts the full score matrix.",
    ),
    "with_backward": (
        "Does the question include the backward pass?",
        "That counts the backward pass too, twice as much again; the question asks for the forward pass.",
    ),
    "forgot_mfu": (
        "Does any cluster run at its peak all the time?",
        "You used the whole peak; only the MFU's share of it is achieved.",
    ),
    "mfu_wrong_way": (
        "Does a low MFU make a run faster or slower?",
        "You multiplied the time by the MFU; a low MFU makes a run longer.",
    ),
    "forgot_gpus": ("Is that for one device or for all of them?", "That leaves out the number of devices."),
    "fp32_peak": (
        "Which dtype's peak is that?",
        "That uses the fp32 peak; the work runs in {dt} on tensor cores.",
    ),
    "wrong_dtype_peak": ("Which dtype's peak is that?", "That uses the peak of another dtype."),
    "hours_for_days": ("Is that in hours or in days?", "That is in hours; the question asks for days."),
    "days_for_hours": ("Is that in days or in hours?", "That is in days; the question asks for hours."),
    "forgot_24": ("How many hours are in a day?", "You used the days as hours; multiply by 24."),
    "forgot_seq": (
        "How many tokens are in one sequence?",
        "That counts a sequence as one token; its length is missing.",
    ),
    "forgot_batch": (
        "Is that one sequence or the whole batch?",
        "That counts a single sequence or row; the size of the batch is missing.",
    ),
    "forgot_layers": (
        "Is that one layer or all of them?",
        "That is a single layer; the number of layers is missing.",
    ),
    "one_layer": (
        "Is that one layer or all of them?",
        "That is a single layer; the question asks for all of them.",
    ),
    "forgot_heads": ("Is that one head or all of them?", "That is a single head; the number of heads is missing."),
    "bits_for_bytes": ("Is that in bits or in bytes?", "You used bits as bytes; 8 bits are a byte."),
    "elements_only": ("Did you count elements or bytes?", "You counted elements; multiply by the bytes of each."),
    "wrong_dtype_2x": ("How wide is one element of that dtype?", "You used twice the width of the dtype."),
    "wrong_dtype_half": ("How wide is one element of that dtype?", "You used half the width of the dtype."),
    "wrong_dtype_4x": (
        "How wide is one element of that dtype?",
        "You used bf16, 2 bytes; int4 takes half a byte.",
    ),
    "gave_flops": (
        "Is that FLOPs, or FLOPs per byte?",
        "Those are the FLOPs of one element; divide by its bytes.",
    ),
    "per_element": (
        "Did you divide by elements or by bytes?",
        "You divided by elements; intensity is per byte moved.",
    ),
    "both_tensors": (
        "Does the question ask for the extra bytes, or for all of them?",
        "That counts x as well, which is there already.",
    ),
    "forgot_optimizer": (
        "What does the optimizer keep?",
        "That is weights and gradients; the optimizer's state is missing.",
    ),
    "forgot_write": (
        "Did you count the bytes of writing the result to memory?",
        "That counts only the reads; the result is written back, and those bytes count.",
    ),
    "other_dtype": (
        "How many bytes does one element take?",
        "You used another dtype, whose elements are of another width.",
    ),
    "inverted": (
        "Which way round is the fraction?",
        "That divides the wrong way round; the fraction is upside down.",
    ),
    "weights_only": (
        "What else lives in memory during training?",
        "That is only the weights; training also keeps gradients and optimizer state.",
    ),
    "forgot_grads": (
        "Where do the gradients go?",
        "That leaves out the gradients, which are stored as well as the weights.",
    ),
    "gib_capacity": (
        "Is a GB 1e9 bytes or 2^30 here?",
        "You read the label as GiB; in the question a GB is 1e9 bytes.",
    ),
    "k_only": (
        "How many tensors does the cache hold per layer?",
        "That keeps one tensor per layer; there are two, keys and values.",
    ),
    "one_pass": (
        "How many times does the data go around the ring?",
        "That counts one pass of the ring; an all-reduce is two, a reduce-scatter and an all-gather.",
    ),
    "backward_again": (
        "Which pass is repeated?",
        "That is a second backward pass; only the forward pass is repeated.",
    ),
    "optimizer_only": (
        "Is that all of the state?",
        "That is only the optimizer's state; weights and gradients are kept too.",
    ),
    "naive_all_to_all": (
        "Does everyone send everything to everyone?",
        "That sends the buffer to every other GPU; in a ring each sends only to its neighbor.",
    ),
    "nd_only": (
        "How many operations does one parameter cause for one token?",
        "You used one FLOP per parameter per token; a step takes 6, 2 forward and 4 backward.",
    ),
    "one_part": (
        "How many parts does each GPU send?",
        "That is one GPU's part of the buffer, sent once; in each of two phases G − 1 parts are sent.",
    ),
    "forward_pass": ("Which pass hides it?", "You used the forward pass; the backward pass does twice as much."),
    "no_checkpointing": (
        "What is kept of a layer?",
        "That keeps everything; here only each layer's input is kept.",
    ),
    "weights_read": (
        "Is it memory that takes the time?",
        "That is only the time to read the weights; with so many tokens at once the arithmetic takes longer.",
    ),
    "forgot_weights": (
        "What else is read besides the caches?",
        "That reads only the caches; the weights are read too, once in each step.",
    ),
    "whole_buffer": (
        "Does a GPU send its own part of the buffer too?",
        "That sends the whole buffer; a GPU's own part is there already, so each phase moves (G − 1)/G.",
    ),
    "sent_once": (
        "How many times does the data go around the ring?",
        "That is the buffer, sent once; each of the two phases moves (G − 1)/G of it.",
    ),
    "forgot_av": (
        "What happens to the scores afterwards?",
        "That counts only Q Kᵀ; the product with V costs as much again.",
    ),
    "fp32_grads": ("How wide is one gradient?", "You used fp32 gradients, 4 bytes; they are in bf16, 2 bytes."),
    "fp32": ("How wide is one element?", "You used fp32, 4 bytes; it is bf16, 2 bytes."),
    "bf16": ("How wide is one element?", "You used bf16, 2 bytes; it is fp32, 4 bytes."),
    "compute_bound": (
        "Is it the arithmetic that takes the time?",
        "That is only the arithmetic; reading the weights takes longer, and sets the pace.",
    ),
    "swapped_format": ("Which format is that?", "That belongs to the other format of the same width."),
    "no_ceiling": (
        "Can a kernel be faster than the peak?",
        "That is above the peak; beyond the ridge arithmetic is the limit.",
    ),
    "checkpointed": (
        "Is anything recomputed here?",
        "That keeps only each layer's input; here all activations are kept.",
    ),
    "bytes_again": (
        "What does the 34 count?",
        "That multiplies by 2 bytes once more; the 34 counts bytes already.",
    ),
    "multiplied": (
        "Should the answer grow or shrink with each number of the question?",
        "You multiplied where you should divide.",
    ),
    "column_major": (
        "Which index moves fastest in memory?",
        "You used column-major order; PyTorch is row-major.",
    ),
    "gave_total": (
        "Is that the extra part or the whole?",
        "That is the whole; the question asks only for the extra part.",
    ),
    "all_gpus": (
        "Is that for each GPU, or for all of them together?",
        "That is what all {G} GPUs send together; the question asks for each.",
    ),
    "gigabits": ("Is the speed in gigabytes or in gigabits?", "You used the speed as gigabits; it is gigabytes."),
    "wrong_width_half": ("How wide is {w}?", "You used half the width of {w}, which is {width} bytes."),
    "wrong_width_2x": ("How wide is {w}?", "You used twice the width of {w}, which is {width} bytes."),
    "ignored_weights": (
        "What else is in memory?",
        "That gives all memory to the cache; the weights take their part of it first.",
    ),
    "training_6": (
        "Is there a backward pass?",
        "You used 6 FLOPs per parameter per token, as training takes; a forward pass takes 2.",
    ),
    "one_token": ("How many tokens are there?", "That is one token; the prompt or context has more."),
    "forgot_kv": (
        "What else is read besides the weights?",
        "That leaves out the KV cache; each sequence's is read as well.",
    ),
    "weights_per_sequence": (
        "How often are the weights read in one step?",
        "That serves each sequence alone, weights and all; in a batch one reading of the weights serves all.",
    ),
    "forgot_util": ("Does it reach the whole peak?", "You used the whole peak; it reaches only {u:%} of it."),
    "one_gpu": ("How many devices are there?", "That is what one device holds; there are {G}."),
    "always_peak": (
        "Can memory deliver fast enough for the peak?",
        "That is the peak; below the ridge memory cannot deliver fast enough for it.",
    ),
    "fp8_peak": ("Which dtype's peak is that?", "That uses the fp8 peak; the arithmetic is bf16."),
    "two_ffn_mats": (
        "How many matrices does a gated MLP have?",
        "That counts two matrices; a gated MLP has three: gate, up and down.",
    ),
    "no_vocab": (
        "What stands before the first layer and behind the last?",
        "That counts only the layers; the embedding and the output layer are missing.",
    ),
    "no_output_projection": (
        "How many matrices does attention have?",
        "That counts Q, K and V; attention has an output projection too.",
    ),
    "tied": (
        "Do embedding and output layer share one matrix?",
        "That counts the embedding once, as tied embeddings would; untied, it and the output layer are two.",
    ),
    "untied": ("Do embedding and output layer share one matrix?", "You used two matrices; tied, they are one."),
    "mha_not_gqa": (
        "How many heads have keys and values of their own?",
        "That gives all {h} query heads keys and values of their own; only {kv_heads} heads have them.",
    ),
    "no_norms": (
        "Which vectors does a model have?",
        "You left out the norms: two in each layer and one at the end.",
    ),
    "no_final_norm": ("How many norms are there?", "You left out the norm that stands before the output layer."),
    "no_biases": ("Which matrices have a bias?", "You left out the biases."),
    "square_q": (
        "How many columns does Q have?",
        "You used {d} × {d} for Q and O; they have {h} × {e} columns or rows.",
    ),
    "plain_4d": (
        "How many matrices does this MLP have, and how wide are they?",
        "You used an MLP of two matrices and width 4d; this one has three of width {f}.",
    ),
    "no_head": (
        "What stands behind the last layer?",
        "You left out the output layer, a matmul over the vocabulary.",
    ),
    "no_quadratic": (
        "Which matmuls have no weights?",
        "You left out scores and weighted values, which grow with the square of the length.",
    ),
    "linear_in_seq": (
        "How many keys does one query meet?",
        "You used the length once; each of {s} queries meets each of {s} keys.",
    ),
    "for_each_head": (
        "How wide is one head?",
        "You used the whole width {d} for each head; a head has {e} of it.",
    ),
    "width_not_heads": (
        "How wide are all heads together?",
        "You used the width {d}; {h} heads of {e} are {h} × {e} wide together.",
    ),
    "embedding_too": (
        "Does looking up a row take a matmul?",
        "You counted the embedding as a matmul; it only looks up rows.",
    ),
    "per_layer": ("How many output layers are there?", "You used one output layer for each layer; there is one."),
    "last_token": (
        "At how many tokens are logits computed?",
        "You used the last token alone; here logits are computed at every token.",
    ),
    "per_token": ("Is that for one token, or for the sequence?", "You used one token; the question asks for all."),
    "half": ("Do the numbers of the question give a half?", "You took half; the numbers give another fraction."),
}


ABOVE_ONE = (
    "Can an MFU be above 1, and whose peak is that?",
    "You divided by the peak of one device. An MFU above 1 is impossible: there are {G}.",
)
"""How to ask about an MFU of many devices over the peak of one, and what to say."""


def slip(
    slip_id: str,
    formula: Callable[[Values], float | None],
    question: str = "",
    message: str = "",
    *,
    approximate: bool = False,
) -> SlipRule:
    """A slip with its own texts, or with those that all slips of this name share."""
    shared = TEXTS.get(slip_id, ("", ""))
    question, message = question or shared[0], message or shared[1]
    return SlipRule(slip_id, formula, question, message, approximate, NAMES.get(slip_id, ""))


def scaled(factor: float) -> Callable[[Values], float]:
    """The right answer times a factor."""
    return lambda v: float(v.answer * factor)


def over(name: str) -> Callable[[Values], float]:
    """The right answer divided by a parameter."""
    return lambda v: float(v.answer / getattr(v, name))


def by(name: str) -> Callable[[Values], float]:
    """The right answer multiplied by a parameter."""
    return lambda v: float(v.answer * getattr(v, name))
