"""A term is introduced before it is used: one card says what it means, and no earlier one needs it."""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest
from templates import template_named

from decks import read_deck
from studykit.cards.card import Card
from studykit.exercise.estimate.pins import pins
from studykit.exercise.estimate.template import draw

FOLDER = Path(__file__).parents[2] / "decks"
SEEDS = 5  # of each exercise, whose questions use terms as well

GLOSSARY: Mapping[str, tuple[str, str]] = {
    "elementwise": ("which-allocates", r"elementwise"),
    "view": ("view-metadata", r"\bviews?\b"),
    "stride": ("view-metadata", r"\bstrides?\b"),
    "row-major": ("row-major", r"row-major"),
    "contiguous": ("contiguous", r"contiguous"),
    "broadcasting": ("broadcasting", r"broadcast"),
    "FLOP": ("flop", r"FLOPs?\b"),
    "matmul": ("matmul-flops", r"matmul"),
    "einsum": ("einsum-flops", r"einsum"),
    "int8": ("bytes-per-dtype", r"\bint8\b"),
    "int4": ("bytes-per-dtype", r"\bint4\b"),
    "bias": ("parameter", r"\bbias(?:es)?\b"),
    "loss": ("backward-four", r"\bloss\b"),
    "parameter": ("parameter", r"\bparameters?\b"),
    "token": ("vocabulary", r"\btokens?\b"),
    "vocabulary": ("vocabulary", r"vocabular"),
    "embedding": ("embedding", r"embedding"),
    "untied": ("untied", r"untied"),
    "width": ("untied", r"\bwidth\b"),
    "forward pass": ("forward-two", r"forward pass"),
    "backward pass": ("backward-four", r"backward pass"),
    "gradient": ("backward-four", r"gradient"),
    "mixture of experts": ("moe-which", r"mixture of experts|\bMoE\b"),
    "dense model": ("moe-which", r"are \*dense|[Dd]ense model"),
    "recomputation": ("recomputation", r"recomput"),
    "softmax": ("softmax", r"[Ss]oftmax"),
    "attention": ("attention-scores", r"attention"),
    "heads": ("heads", r"\bheads?\b(?! dim)"),
    "MHA": ("heads", r"\bMHA\b"),
    "context": ("causal", r"\bcontexts?\b"),
    "causal mask": ("causal", r"causal"),
    "GQA": ("gqa", r"GQA|KV heads|grouped-query"),
    "ReLU": ("relu-gelu", r"ReLU"),
    "GELU": ("relu-gelu", r"GELU"),
    "feed-forward": ("swiglu-three", r"feed-forward|\bMLP\b"),
    "gated": ("swiglu-three", r"\bgated\b"),
    "tensor cores": ("tensor-cores", r"tensor[- ]cores?"),
    "vector units": ("tensor-cores", r"vector units"),
    "kernel": ("kernel", r"\bkernels?\b"),
    "bandwidth": ("h100-memory", r"bandwidth"),
    "sparsity": ("sparse-peak", r"[Ss]pars(?:e|ity)"),
    "TF32": ("tf32-default", r"TF32"),
    "MFU": ("mfu", r"\bMFU\b"),
    "HFU": ("hfu", r"\bHFU\b"),
    "all-reduce": ("all-reduce", r"all-reduc"),
    "data parallel": ("data-parallel", r"data[- ]parallel"),
    "reduce-scatter": ("reduce-scatter", r"reduce-scatter"),
    "all-gather": ("all-gather", r"all-gather"),
    "ring": ("all-reduce-bytes", r"\bring\b"),
    "tensor parallel": ("tensor-parallel", r"[Tt]ensor[- ]parallel"),
    "pipeline": ("pipeline-bubble", r"pipeline"),
    "micro-batch": ("pipeline-bubble", r"micro-batch"),
    "optimizer": ("sgd", r"optimizer(?! step)"),
    "SGD": ("sgd", r"\bSGD\b"),
    "learning rate": ("sgd", r"learning rate"),
    "momentum": ("momentum", r"momentum"),
    "AdaGrad": ("adagrad-rmsprop", r"AdaGrad"),
    "RMSProp": ("adagrad-rmsprop", r"RMSProp"),
    "Adam": ("adam", r"\bAdam\b"),
    "AdamW": ("adamw", r"\bAdamW\b"),
    "optimizer state": ("four-parts", r"[Oo]ptimizer state"),
    "activations": ("activations", r"\bactivations?\b(?! check)"),
    "moments": ("state-adam", r"\bmoments?\b"),
    "mixed precision": ("mixed-precision", r"[Mm]ixed[ -]precision"),
    "master copy": ("master-copy", r"master copy"),
    "ZeRO": ("convention-zero", r"\bZeRO\b"),
    "shard": ("zero-stages", r"[Ss]hard"),
    "FSDP": ("zero-stages", r"\bFSDP\b"),
    "logits": ("logits", r"logits"),
    "gradient accumulation": ("accumulation", r"accumulation"),
    "checkpointing": ("checkpointing", r"checkpoint"),
    "dropout": ("dropout", r"[Dd]ropout"),
    "FlashAttention": ("activations-flash", r"FlashAttention"),
    "arithmetic intensity": ("intensity", r"[Ii]ntensit(?:y|ies)"),
    "memory-bound": ("bound", r"memory-bound"),
    "compute-bound": ("bound", r"compute-bound"),
    "ridge": ("ridge", r"\b[Rr]idges?\b"),
    "cache of a device": ("timing-cache", r"\bcached?\b(?!:)"),
    "fused": ("fusion", r"\bfus(?:ed|ing|es)\b(?! multiply| projection)"),
    "roofline": ("roofline", r"[Rr]oofline"),
    "LayerNorm": ("layernorm", r"LayerNorm|\bnorms\b"),
    "composite": ("composite-order", r"[Cc]omposite"),
    "slow axis": ("slow-axis", r"\*?slow\*? axis"),
    "underflow": ("underflow", r"underflow"),
    "loss scaling": ("loss-scaling", r"loss scaling"),
    "subnormal": ("underflow", r"subnormal"),
    "machine epsilon": ("bf16-eps", r"machine epsilon"),
    "E4M3": ("fp8-digits", r"\b[Ee]4[Mm]3|\b[Ee]5[Mm]2"),
    "autocast": ("amp", r"autocast"),
    "fan-in": ("fan-in", r"fan-in"),
    "bias correction": ("bias-correction", r"bias correction"),
    "warm-up of the learning rate": ("warmup", r"warm-up"),
    "prefill": ("prefill", r"prefill"),
    "decoding": ("decode", r"decod(?:e|es|ing)"),
    "KV cache": ("kv-cache", r"KV[- ]cache|cache aside"),
    "draft": ("draft-tokens", r"\bdraft"),
}
"""Each term: the card that introduces it, and how it is written."""


@cache
def cards() -> tuple[Card, ...]:
    return tuple(
        card
        for path in sorted(FOLDER.glob("*.md"))
        for card in read_deck(path.read_text(encoding="utf-8"), str(path)).cards
    )


@cache
def texts() -> tuple[tuple[str, str], ...]:
    """Each card's note and what a learner reads on it, in the order of the course."""
    return tuple((card.note, "\n".join(_read(card))) for card in cards())


def _read(card: Card) -> Iterator[str]:
    if card.task is None:
        yield from (card.prompt, card.answer, card.full)
    elif not card.task.name.startswith(("rewrite.", "bet.", "scenario.")):
        template = template_named(card.task.name)
        pinned = pins(template, dict(card.task.pinned))
        yield from (draw(template, seed, pinned).prompt for seed in range(SEEDS))


@pytest.mark.parametrize("term", GLOSSARY)
def test_no_card_uses_a_term_before_the_card_that_introduces_it(term: str) -> None:
    introduced, written = GLOSSARY[term]

    first = next(note for note, text in texts() if re.search(written, text))

    assert first == introduced


def test_a_glossary_of_at_least_80_terms_is_held() -> None:
    assert len(GLOSSARY) >= 80
