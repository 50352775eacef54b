"""Ask about a whole model of any family: its parameters, the FLOPs of a token, its KV cache."""

from dataclasses import astuple, replace

from studykit.exercise import Shape, Template, Values, read_model

from ._slips import elements, scaled, slip

_LLAMA = "layers=32 width=4096 heads=32 head_dim=128 kv_heads=8 ffn_width=14336"
_GEMMA = "layers=42 width=3584 heads=16 head_dim=256 kv_heads=8 ffn_width=14336 tied=1 norms=4"
_LATENT = "layers=61 width=7168 heads=128 head_dim=192 kv_heads=128 latent=1536/512/128/64/128"
_EXPERTS = "experts=256 active=8 shared=1 ffn_width=18432 expert_width=2048 dense_layers=3 router_bias=1"
PUBLISHED = (
    read_model(f"{_LLAMA} vocabulary=128256"),
    read_model(
        "layers=36 width=4096 heads=32 head_dim=128 kv_heads=8 ffn_width=12288 vocabulary=151936 head_norms=1"
    ),
    read_model(f"{_GEMMA} vocabulary=256000 window=4096 windowed_layers=21"),
    read_model(f"{_LLAMA} vocabulary=32000 experts=8 active=2 expert_width=14336"),
    read_model(f"{_LATENT} vocabulary=129280 {_EXPERTS}"),
)
"""Llama 3 8B, Qwen3 8B, Gemma 2 9B, Mixtral 8x7B, DeepSeek-V3."""

MODEL = {
    "model": tuple(
        replace(model, vocabulary=size) for model in PUBLISHED for size in (model.vocabulary, 49152, 100352)
    )
}
"""Each of them, and with two other vocabularies."""

CONTEXTS = (2048, 8192, 32768)

ACTIVE = (
    "Does a token's work matter here, or everything that is stored?",
    "You counted only the experts that a token visits; all of them are stored.",
)
KEYS = (
    "How many heads have keys and values of their own?",
    "You gave each query head keys and values of its own; the KV heads are fewer.",
)
PARTS = {"embedding": "the embedding", "attention": "attention", "mlp": "the MLPs", "norms": "the norms"}


BIASES = {
    "none": "no biases",
    "qkv": "biases on Q, K and V",
    "attention": "biases on the matrices of attention",
    "all": "biases on all matrices but the output layer",
}


def _described(v: Values) -> str:
    """Describe the parts of the drawn model in a sentence."""
    it = v.model
    norm = "LayerNorm" if it.layer_norm else "RMSNorm"
    tables = "one matrix" if it.tied else "two matrices"
    parts = (
        _heads(it),
        "a norm for the queries and one for the keys of a head" if it.head_norms else "",
        "a sink (one number) for each query head" if it.sinks else "",
        f"a window of {it.window} tokens in {it.windowed_layers} layers" if it.windowed_layers else "",
        _experts(it) if it.experts else _width(it, it.ffn_width),
        f"{_number_of(it.norms, norm)} in each layer{' and one at the end' if it.final_norm else ''}",
        f"learned positions for {it.positions} tokens" if it.positions else "",
        f"a vocabulary of {it.vocabulary} ({tables} for embedding and output layer)",
        BIASES[it.biases],
    )
    return f"A decoder has {it.layers} layers of width {it.width}: {'; '.join(filter(None, parts))}."


def _number_of(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"


def _heads(it: Shape) -> str:
    if it.latent is None:
        return f"{it.heads} query heads and {_number_of(it.kv_heads, 'KV head')} of dimension {it.head_dim}"
    q, kv, nope, rope, value = astuple(it.latent)
    queries = f"queries compressed to {q}, " if q else ""
    return (
        f"{it.heads} heads with latent attention ({queries}keys and values to {kv} with a shared rotary key of "
        f"{rope}; a head has {nope} + {rope} numbers of Q and K and {value} of V; a norm for each compressed one)"
    )


def _width(it: Shape, width: int) -> str:
    return f"{'a gated MLP' if it.gated else 'an MLP of two matrices'} of width {width}"


def _experts(it: Shape) -> str:
    shared = f" and {it.shared} more for every token" if it.shared else ""
    gate = " with a gate of one vector" if it.shared_gate else ""
    dense_layers = _number_of(it.dense_layers, "layer")
    dense = f"; {_width(it, it.ffn_width)} instead in {dense_layers}" if it.dense_layers else ""
    bias = " with a bias for each expert" if it.router_bias else ""
    experts = f"{it.experts} experts, each {_width(it, it.expert_width)}"
    return f"{experts}, {it.active} for a token{shared}{gate}; a linear router{bias}{dense}"


def _changed(v: Values, **sizes: object) -> int | None:
    """Return the parameters of the model with other sizes, or None if the model has these already."""
    other = replace(v.model, **sizes)
    return None if other == v.model else other.parameters


def _mha(v: Values) -> int | None:
    return _changed(v, kv_heads=v.model.heads)


def _attention(v: Values) -> str:
    """Write the parameters of attention in one layer as a sum of products."""
    it = v.model
    terms = (f"{m.inputs} × {m.outputs}{f' + {m.outputs}' if m.is_biased else ''}" for m in it.attention)
    return " + ".join([*terms, *([str(it.heads)] if it.sinks else [])])


def _mlp(v: Values, width: int) -> str:
    """Write the parameters of one MLP as a sum of products."""
    it, into = v.model, 2 if v.model.gated else 1
    biases = f" + {into} × {width} + {it.width}" if it.biases == "all" else ""
    return f"({into + 1} × {it.width} × {width}{biases})"


def _mlps(v: Values) -> str:
    """Write the parameters of all MLPs as a sum of products."""
    it = v.model
    dense = it.layers - it.sparse_layers
    parts = [f"{dense} × {_mlp(v, it.ffn_width)}"] if dense else []
    experts = [f"{it.sparse_layers} × {it.experts + it.shared} × {_mlp(v, it.expert_width)}"] if it.experts else []
    return " + ".join([*parts, *experts])


SIZES = {
    "described": _described,
    "it": lambda v: v.model,
    "parts": lambda v: v.model.parts,
    "one_layer": _attention,
    "mlps": _mlps,
    "L": lambda v: v.model.layers,
    "count": lambda v: v.model.parameters,
    "norms": lambda v: v.parts["norms"],
    "by_part": lambda v: ", ".join(f"{name} {count:,}" for name, count in v.parts.items()),
}

PARAMS = Template(
    id="model.params",
    objective="flops",
    grid=MODEL,
    prompt="{described} Exactly how many parameters does it have?",
    answer=lambda v: v.count,
    unit="param",
    tolerance=0,
    slips=(
        slip("tied", lambda v: _changed(v, tied=True)),
        slip("untied", lambda v: _changed(v, tied=False)),
        slip("two_ffn_mats", lambda v: _changed(v, gated=False)),
        slip("mha_not_gqa", _mha, *KEYS),
        slip("no_biases", lambda v: _changed(v, biases="none")),
        slip(
            "no_norms",
            lambda v: v.count - v.parts["norms"],
            "Which vectors does a model have?",
            "You left out the norms, {norms:n} parameters.",
        ),
        slip("no_final_norm", lambda v: _changed(v, final_norm=False)),
        slip("no_vocab", lambda v: v.count - v.parts["embedding"] - v.parts.get("output", 0)),
        slip("active_only", lambda v: v.it.active_parameters if v.it.experts else None, *ACTIVE),
        slip("no_router", lambda v: v.count - v.parts["router"] if v.it.experts else None),
    ),
    hints=(
        "Count attention, MLPs, norms and the vocabulary apart.",
        "Attention of one layer: {one_layer}.",
        "MLPs or experts: {mlps}.",
    ),
    solution=(
        "attention: {L} × ({one_layer})",
        "MLPs or experts: {mlps}",
        "by part: {by_part}",
        "{answer:n} parameters",
    ),
    given=SIZES,
)

PART = Template(
    id="model.part",
    objective="flops",
    grid={**MODEL, "part": tuple(PARTS)},
    prompt="{described} How many of its parameters are in {named}?",
    answer=lambda v: v.parts[v.part],
    unit="param",
    tolerance=0.01,
    slips=(
        slip(
            "one_layer",  # where all layers are alike
            lambda v: (
                v.answer / v.L if v.part == "attention" or (v.part == "mlp" and not v.it.dense_layers) else None
            ),
        ),
        slip("two_ffn_mats", lambda v: v.answer * 2 / 3 if v.part == "mlp" and v.it.gated else None),
        slip(
            "mha_not_gqa",
            lambda v: v.answer + more - v.count if v.part == "attention" and (more := _mha(v)) else None,
            *KEYS,
        ),
        slip(
            "active_only",
            lambda v: v.it.active_parts["mlp"] if v.part == "mlp" and v.it.experts else None,
            *ACTIVE,
        ),
        slip("two_tables", lambda v: 2 * v.answer if v.part == "embedding" else None),
        slip("norm_pairs", lambda v: 2 * v.answer if v.part == "norms" and not v.it.layer_norm else None),
        slip(
            "no_final_norm",
            lambda v: v.answer - v.it.width * (1 + v.it.layer_norm) if v.part == "norms" else None,
            approximate=True,
        ),
        slip("gave_all", lambda v: v.count),
    ),
    hints=(
        "Which matrices or vectors does that part have, and in how many layers?",
        "Attention of one layer: {one_layer}. A gated MLP has three matrices, another one two.",
        "The embedding has {it.vocabulary} rows of {it.width}. A norm is as long as its input, a LayerNorm twice.",
    ),
    solution=("by part: {by_part}", "{named}: {answer:n}"),
    given={
        **SIZES,
        "named": lambda v: "the experts and MLPs" if v.part == "mlp" and v.it.experts else PARTS[v.part],
    },
)

COUNTED = "Count a multiply-add as 2 FLOPs; norms, softmax and the embedding cost nothing."

FLOPS = Template(
    id="model.flops",
    objective="flops",
    grid={**MODEL, "s": CONTEXTS},
    prompt="{described} How many FLOPs does a forward pass take for one token with a context of {s} tokens? "
    + COUNTED,
    answer=lambda v: sum(v.work.values()),
    unit="FLOP",
    tolerance=0.02,
    slips=(
        slip("mac_as_flop", scaled(0.5)),
        slip("no_scores", lambda v: v.answer - v.work["scores"], approximate=True),
        slip("forgot_av", lambda v: None if v.it.latent else v.answer - v.work["scores"] / 2, approximate=True),
        slip("whole_sequence", lambda v: sum(v.it.flops(v.s).values())),
        slip("no_head", lambda v: v.answer - v.work["output"], approximate=True),
        slip(
            "no_window",
            lambda v: sum(replace(v.it, window=0, windowed_layers=0).flops(1, v.s).values()),
            "Do all layers see the whole context?",
            "You let each layer see the whole context; {it.windowed_layers} layers see {it.window} tokens of it.",
            approximate=True,
        ),
        slip(
            "every_expert",
            lambda v: v.answer + 2 * (v.count - v.it.active_parameters) if v.it.experts else None,
        ),
        slip("with_backward", scaled(3)),
    ),
    hints=(
        "Matmuls with weights, and those without: scores and weighted values.",
        "A weight takes 2 FLOPs for a token, if the token meets it.",
        "Scores and weighted values take {scores:e} FLOPs.",
    ),
    solution=("by part: {by_work}", "together {answer:e} FLOP"),
    given={
        **SIZES,
        "work": lambda v: v.it.flops(1, v.s),
        "scores": lambda v: v.work["scores"],
        "by_work": lambda v: ", ".join(f"{name} {count:.3g}" for name, count in v.work.items()),
    },
)

CACHE = Template(
    id="model.kv",
    objective="inference",
    grid={**MODEL, "s": CONTEXTS},
    prompt="{described} How many MB does the KV cache of one sequence of {s} tokens take in bf16?",
    answer=lambda v: v.it.kv_cache(v.s),
    unit="MB",
    tolerance=0.02,
    slips=(
        slip("k_only", lambda v: v.answer / 2 if v.it.latent is None else None),
        elements(2),
        slip("fp32", scaled(2)),
        slip("one_layer", lambda v: v.token / v.L * v.s),
        slip("one_token", lambda v: v.token),
        slip("forgot_heads", lambda v: v.answer / v.it.kv_heads if v.it.latent is None else None),
        slip("query_heads", lambda v: v.answer * v.it.heads / v.it.kv_heads, *KEYS),
        slip(
            "no_window",
            lambda v: v.it.kv_cache() * v.s,
            "Does each layer keep all tokens?",
            "You kept all tokens in each layer; {it.windowed_layers} layers keep {it.window} at most.",
        ),
        slip(
            "full_heads",
            lambda v: 2 * v.L * v.it.heads * (v.it.head_dim + v.it.latent.value) * v.s if v.it.latent else None,
            "What do the heads share?",
            "You kept keys and values for every head; they share one compressed vector and one rotary key.",
        ),
        slip(
            "forgot_rope",
            lambda v: (
                v.answer * v.it.latent.kv_rank / (v.it.latent.kv_rank + v.it.latent.rope) if v.it.latent else None
            ),
            "Is the compressed vector all that is kept?",
            "You left out the rotary key.",
        ),
    ),
    hints=(
        "What does a layer keep of a token?",
        "{kept} numbers of 2 bytes, in {L} layers.",
        "Without a window's limit a token takes {token:bytes}; there are {s}.",
    ),
    solution=(
        "a token in one layer: {kept} numbers of 2 bytes",
        "all layers and {s} tokens: {answer:bytes}{limit}",
    ),
    given={
        **SIZES,
        "token": lambda v: v.it.kv_cache(),
        "kept": lambda v: f"{v.it.kv_cache(1, 1) // v.L:,}",
        "limit": lambda v: (
            f", with {v.it.windowed_layers} layers that keep {v.it.window} tokens"
            if v.it.windowed_layers and v.s > v.it.window
            else ""
        ),
    },
)

EXERCISES = (PARAMS, PART, FLOPS, CACHE)
