"""Slips that many exercises share: how to ask about them, and what to say once the answer is out."""

from collections.abc import Callable

from studykit.exercise import SlipRule, Values

from ._slip_names import NAMES

TEXTS: dict[str, tuple[str, str]] = {
    "mac_as_flop": ("How many operations is one multiply-add?", "One multiply-add is two FLOPs, so there is a 2."),
    "sparse_peak": (
        "Is that peak for dense work, or for 2:4 sparse matrices?",
        "That uses the sparse tensor-core peak; the dense one is half of it.",
    ),
    "forward_only": (
        "Is that the forward pass alone? What else happens before the weights can change?",
        "That is the forward pass, 2 per parameter per token; a training step takes 6.",
    ),
    "backward_only": (
        "Is that the backward pass alone?",
        "That is the backward pass, 4 per parameter per token; the forward pass adds 2.",
    ),
    "with_recompute": (
        "Does the question recompute the forward pass?",
        "8 per parameter per token counts a second forward pass; plain training takes 6.",
    ),
    "with_backward": ("Does the question include the backward pass?", "That includes the backward pass."),
    "forgot_mfu": (
        "Does any cluster run at its peak all the time?",
        "That takes the whole peak; only the MFU's share of it is achieved.",
    ),
    "mfu_wrong_way": ("Does a low MFU make a run faster or slower?", "The MFU went in the wrong way round."),
    "forgot_gpus": ("Is that for one device or for all of them?", "That leaves out the number of devices."),
    "fp32_peak": ("Which dtype's peak is that?", "That is the fp32 peak; the work runs in bf16 on tensor cores."),
    "wrong_dtype_peak": ("Which dtype's peak is that?", "That is the peak of another dtype."),
    "hours_for_days": ("Hours or days?", "That is in hours; a day has 24."),
    "days_for_hours": ("Days or hours?", "That is in days; a day has 24 hours."),
    "forgot_seq": ("How many tokens are in one sequence?", "The length of a sequence is missing."),
    "forgot_batch": ("Is that one sequence or the whole batch?", "The batch is missing."),
    "forgot_layers": ("Is that one layer or all of them?", "The number of layers is missing."),
    "one_layer": ("Is that one layer or all of them?", "That is a single layer."),
    "forgot_heads": ("Is that one head or all of them?", "The number of heads is missing."),
    "bits_for_bytes": ("Bits or bytes?", "That is in bits; 8 bits are a byte."),
    "elements_only": ("Elements or bytes?", "That counts elements; each takes several bytes."),
    "wrong_dtype_2x": ("How wide is one element of that dtype?", "That is twice the width of the dtype."),
    "wrong_dtype_half": ("How wide is one element of that dtype?", "That is half the width of the dtype."),
    "per_element": (
        "Per element or per byte?",
        "Intensity is per byte moved, not per element.",
    ),
    "both_tensors": ("Extra, or in all?", "That counts x as well."),
    "forgot_optimizer": ("What does the optimizer keep?", "The optimizer's state is missing."),
    "forgot_write": (
        "What happens to the result?",
        "The result has to be written back, and those bytes count.",
    ),
    "other_dtype": ("How many bytes has one element?", "That is the value for another dtype."),
    "inverted": ("Which way round is the fraction?", "The fraction is upside down."),
    "weights_only": (
        "What else lives in memory during training?",
        "That is the weights alone; training also keeps gradients and optimizer state.",
    ),
    "forgot_grads": (
        "Where do the gradients go?",
        "The gradients are missing; they are stored beside the weights.",
    ),
    "gib_capacity": (
        "Is a GB 1e9 bytes or 2^30 here?",
        "That takes the label as GiB. The question takes 1e9 bytes for a GB; the silicon is nearer to GiB.",
    ),
    "k_only": ("How many tensors does the cache hold per layer?", "Keys and values: two tensors per layer."),
    "one_pass": (
        "How many times does the data go around the ring?",
        "An all-reduce is a reduce-scatter and an all-gather; that is only one of them.",
    ),
    "whole_buffer": (
        "Does a GPU send its own part of the buffer too?",
        "Each phase moves (G − 1)/G of the buffer: a GPU's own part is there already.",
    ),
    "sent_once": (
        "How many times does the data go around the ring?",
        "That is the buffer, sent once; each of the two phases moves (G − 1)/G of it.",
    ),
    "fp32_grads": ("How wide is one gradient?", "That is for fp32 gradients; bf16 takes 2 bytes."),
    "fp32": ("How wide is one element?", "That is for fp32; bf16 takes 2 bytes."),
    "bf16": ("How wide is one element?", "That is for bf16; fp32 takes 4 bytes."),
    "compute_bound": (
        "Is it the arithmetic that takes the time?",
        "That is the time of the arithmetic; reading the weights takes longer.",
    ),
    "off_by_one": ("Count the ends once more?", "Off by one."),
    "swapped_format": ("Which format is that?", "That belongs to the other format of the same width."),
    "no_ceiling": ("Can a kernel be faster than the peak?", "Above the ridge the peak is the roof."),
    "checkpointed": (
        "Is anything recomputed here?",
        "That keeps only each layer's input; here all activations are kept.",
    ),
    "bytes_again": ("What does the 34 count?", "The 34 already counts bytes."),
    "multiplied": ("Should it grow or shrink with that?", "That multiplies where it should divide."),
    "column_major": ("Which index moves fastest in memory?", "That is column-major; PyTorch is row-major."),
    "gave_total": ("Is that the extra part or the whole?", "That is the whole."),
    "half": ("Why half?", "Half is a guess that the numbers do not bear out."),
}


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
