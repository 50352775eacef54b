"""Check that the course introduces each term before it uses it."""

import re
from collections.abc import Iterator, Mapping
from functools import cache

import pytest

from decks import shipped_cards
from studykit.cards.card import Card
from studykit.exercise import catalog
from studykit.exercise.bet.snippet import BetExercise
from studykit.exercise.estimate.pins import pins
from studykit.exercise.estimate.template import Template, draw
from studykit.exercise.rewrite.rewrite import Rewrite

SEEDS = 10  # of each estimate

GLOSSARY: Mapping[str, tuple[str, str]] = {
    "dtype": ("bytes-per-dtype", r"\bdtypes?\b"),
    "storage": ("storage", r"\bstorage\b"),
    "batch": ("leading-dims", r"\bbatch(?:es)?\b"),
    "output layer": ("untied", r"output layer|vocabulary head"),
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
    "bias": ("layernorm", r"\b[Bb]ias(?:es)?\b(?! correction)"),
    "loss": ("backward-four", r"\bloss\b"),
    "parameter": ("untied", r"\b[Pp]arameters?\b"),
    "token": ("token-vocabulary", r"\btokens?\b"),
    "vocabulary": ("token-vocabulary", r"vocabular"),
    "embedding": ("token-vocabulary", r"embedding"),
    "untied": ("untied", r"untied"),
    "width": ("untied", r"\bwidth\b"),
    "forward pass": ("forward-two", r"forward pass"),
    "backward pass": ("backward-four", r"backward pass"),
    "gradient": ("backward-four", r"gradient"),
    "mixture of experts": ("moe-which", r"mixture of experts|\bMoE\b"),
    "dense model": ("six-leaves-out", r"^dense$|\*dense\*|[Dd]ense model"),
    "recomputation": ("six-leaves-out", r"recomput"),
    "softmax": ("attention-scores", r"[Ss]oftmax"),
    "attention": ("six-leaves-out", r"attention"),
    "heads": ("heads", r"\b(?<!vocabulary )heads?\b"),
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
    "kernel": ("timing-warmup", r"\bkernels?\b"),
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
    "micro-batch": ("accumulation", r"micro-batch"),
    "optimizer": ("state-adam", r"[Oo]ptimizer"),
    "SGD": ("momentum", r"\bSGD\b"),
    "learning rate": ("momentum", r"learning rate"),
    "momentum": ("momentum", r"momentum"),
    "AdaGrad": ("adagrad", r"AdaGrad"),
    "RMSProp": ("adam", r"RMSProp"),
    "Adam": ("state-adam", r"\bAdam\b"),
    "AdamW": ("state-adam", r"\bAdamW\b"),
    "Muon": ("muon", r"Muon"),
    "Lion": ("state-one", r"\bLion\b"),
    "optimizer state": ("state-one", r"[Oo]ptimizer state"),
    "activation function": ("relu", r"[Aa]ctivation function"),
    "activations": ("activations", r"\b[Aa]ctivations\b|activation memory"),
    "moments": ("state-adam", r"\bmoments?\b"),
    "mixed precision": ("mixed-precision", r"[Mm]ixed[ -]precision"),
    "master copy": ("master-copy", r"master copy"),
    "ZeRO": ("convention-zero", r"\bZeRO\b"),
    "shard": ("zero-stages", r"[Ss]hard"),
    "FSDP": ("zero-stages", r"\bFSDP\b"),
    "logits": ("logits", r"logits"),
    "gradient accumulation": ("accumulation", r"accumulation"),
    "checkpoint": ("checkpoint", r"[Cc]heckpoint(?!ing)"),
    "activation checkpointing": ("checkpointing", r"[Cc]heckpointing"),
    "dropout": ("activations-gpt", r"[Dd]ropout"),
    "FlashAttention": ("activations-flash", r"FlashAttention"),
    "arithmetic intensity": ("intensity", r"[Ii]ntensit(?:y|ies)"),
    "memory-bound": ("time-bound", r"memory-bound"),
    "compute-bound": ("time-bound", r"compute-bound"),
    "ridge": ("ridge", r"\b[Rr]idges?\b"),
    "cache of a device": ("timing-cache", r"\bcached?\b(?!:)"),
    "fused": ("fusion", r"\bfus(?:ed|ing|es)\b(?! multiply| projection)"),
    "roofline": ("roofline", r"[Rr]oofline"),
    "norms": ("layernorm", r"\b[Nn]orms\b"),
    "LayerNorm": ("layernorm", r"LayerNorm"),
    "composite": ("composite-order", r"[Cc]omposite"),
    "slow axis": ("composite-order", r"\*?slow\*? axis"),
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
    "decoding": ("decode", r"decod(?:es?|ing)\b"),
    "decoder": ("causal", r"[Dd]ecoder"),
    "KV cache": ("kv-cache", r"KV[- ]cache|cache aside"),
    "ellipsis": ("ellipsis", r"`[^`\n]*\.\.\. [^`\n]*->|\"\.\.\. "),
    "NVFP4": ("fp4-scale", r"NVFP4"),
    "E2M1": ("fp4-scale", r"[Ee]2[Mm]1"),
    "Young's rule": ("young", r"Young's rule"),
    "NVLink domain": ("nvlink", r"NVLink domain"),
    "bubble": ("pipeline-bubble", r"bubble"),
    "global batch": ("global-batch", r"[Gg]lobal batch"),
    "seed": ("seeds", r"\bseeds?\b"),
    "token id": ("uint16-ids", r"[Tt]oken\*? ids?\b"),
    "RMSNorm": ("rw-rms-norm", r"RMSNorm"),
    "RoPE": ("rope", r"RoPE"),
    "SwiGLU": ("swiglu-three", r"SwiGLU"),
    "SDPA": ("activations-flash", r"SDPA"),
    "expert": ("moe-which", r"\b[Ee]xperts?\b"),
    "InfiniBand": ("nvlink", r"InfiniBand"),
    "nats": ("", r"\bnats\b|cross-entropy"),
    "NVLink": ("nvlink", r"NVLink"),
    "tokens in flight": ("", r"in flight"),
    "slot": ("", r"\bslots?\b"),
    "draft": ("draft-tokens", r"\bdraft"),
}
"""Each term: the card that introduces it (none where no card may use it), and how it is written."""

STRESSED = {
    "left",
    "right",
    "slow",
    "runs",
    "hardware",
    "days",
    "median",
    "below",
    "hybrid",
    "adds",
    "all",
    "last",
}
STRESSED |= {"mean", "file", "one", "weight", "scores", "stochastically", "fp32 everywhere"}
"""Words in italics that are only stressed, or used on no other card."""


@cache
def texts() -> tuple[tuple[str, str], ...]:
    """Return each card's note and what a learner reads on it, in course order."""
    return tuple((card.note, "\n".join(_read(card))) for card in shipped_cards())


def _read(card: Card) -> Iterator[str]:
    if card.task is None:
        yield from (card.prompt, card.answer, card.full)
        return
    exercise = catalog.find(card.task.name)
    if isinstance(exercise, Template):
        pinned = pins(exercise, dict(card.task.pinned))
        for variant in (draw(exercise, seed, pinned) for seed in range(SEEDS)):
            yield from (variant.prompt, *variant.hints, *variant.solution)
            yield from (text for slip in variant.slips for text in (slip.question, slip.message))
    elif isinstance(exercise, Rewrite):
        yield from (exercise.prompt, *exercise.hints)
    elif isinstance(exercise, BetExercise):
        yield from (exercise.prompt, exercise.lesson)


@pytest.mark.parametrize("term", GLOSSARY)
def test_term_first_occurs_on_its_introducing_card(term: str) -> None:
    introduced, written = GLOSSARY[term]

    first = next((note for note, text in texts() if re.search(written, text)), "")

    assert first == introduced


def test_glossary_has_at_least_80_terms() -> None:
    assert len(GLOSSARY) >= 80


def test_glossary_has_every_introduced_term() -> None:
    """Check terms in italics, which mark the card that explains the term."""
    italics = {
        (card.note, term)
        for card in shipped_cards()
        for text in (card.prompt, card.answer, card.full)
        for term in re.findall(r"(?<![*\w])\*([^*\n`$]+)\*(?!\*)", re.sub(r"`[^`]*`|\$[^$]*\$", "", text))
    }

    unknown = {term for _, term in italics if not any(re.search(how, term) for _, how in GLOSSARY.values())}

    assert unknown - STRESSED == set()
    assert unknown >= STRESSED


def test_each_kind_of_exercise_is_read() -> None:
    read = [text for note, text in texts() if note.startswith(("ex-", "rw-", "bet-"))]

    assert len(read) > 100
    assert all(read)
