"""Define the conventions for how many bytes training keeps per parameter."""

from typing import NamedTuple


class Convention(NamedTuple):
    """Hold the bytes per parameter of weights, gradients and the rest, under one convention."""

    name: str
    weights: int
    gradients: int
    rest: int  # optimizer moments and master copy
    also: tuple[str, ...] = ()  # other ways to pin it, by letters and digits

    @property
    def total(self) -> int:
        """Return the bytes that training keeps per parameter."""
        return self.weights + self.gradients + self.rest

    @property
    def words(self) -> str:
        """Describe what is kept in which dtype, without the numbers of bytes."""
        return WORDS[self.total, self.weights]

    def __str__(self) -> str:
        return self.name


WORDS = {
    (16, 4): "fp32 everywhere",
    (12, 2): "bf16 weights and gradients, fp32 moments, no master copy",
    (16, 2): "ZeRO's mixed precision (16-bit weights and gradients, fp32 master copy and moments)",
    (18, 2): "Megatron's mixed precision (bf16 weights; fp32 gradients, master copy and moments)",
    (
        20,
        2,
    ): "mixed precision that keeps every gradient twice, in bf16 and in fp32 (bf16 weights, fp32 master copy and "
    "moments)",
    (8, 2): "if weights, gradients and moments are all bf16, without a master copy",
}
"""By total and weights: a question names the dtypes, and leaves their bytes to the learner."""

FP32 = Convention("fp32 everywhere (4+4+8)", 4, 4, 8, ("16", "fp32", "448"))
MIXED_12 = Convention("bf16 weights+grads, fp32 Adam moments (2+2+8)", 2, 2, 8, ("12", "bf16", "228"))
ZERO = Convention("ZeRO mixed precision (2+2+12: fp32 master+m+v)", 2, 2, 12, ("zero", "2212"))
MEGATRON = Convention("Megatron mixed, fp32 grads (2+4+4+8)", 2, 4, 12, ("18", "2448"))
BOTH_GRADS = Convention("mixed with bf16 AND fp32 grads (2+2+4+4+8)", 2, 6, 12, ("20", "22448"))
PURE = Convention("pure bf16 incl. moments (2+2+4)", 2, 2, 4, ("8", "pure", "224"))

CONVENTIONS = (FP32, MIXED_12, ZERO, MEGATRON, BOTH_GRADS, PURE)
