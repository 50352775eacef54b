"""Ask what a step of a mixture of experts has to read."""

from studykit.exercise import Check, Template

from ._slips import slip

VISITED = {8: (2,), 64: (8,), 128: (4, 8), 256: (8,)}
"""Experts that a token visits, by those of a layer: Mixtral, OLMoE, gpt-oss-120b and Qwen3-235B, DeepSeek-V3."""

NEARLY_ALL = 0.95  # beyond that all of them is as good an answer

EXPERTS = Template(
    id="moe.experts_read",
    objective="inference",
    grid={"E": tuple(VISITED), "top_k": lambda v: VISITED.get(v.E, (2,)), "B": (1, 2, 4, 8, 16, 32, 64)},
    prompt="A layer has {E} experts, and each token visits {top_k} of them, chosen uniformly at random. How many "
    "different experts does a decode step read on average, with {B} tokens in it?",
    answer=lambda v: v.E * (1 - (1 - v.top_k / v.E) ** v.B),
    unit="number",
    tolerance=0.03,
    slips=(
        slip("counted_twice", lambda v: v.B * v.top_k, approximate=True),
        slip("one_token_reads", lambda v: v.top_k),
        slip("all_experts", lambda v: v.E, approximate=True),
        slip("not_visited", lambda v: v.E - v.answer),
    ),
    hints=(
        "How likely is it that one expert is not visited?",
        "One token passes it by with probability 1 − {top_k}/{E}; all {B} have to.",
        "Take that to the power {B}, subtract it from 1, and count all {E} experts.",
    ),
    solution=(
        "no token visits an expert with probability (1 − {top_k}/{E})^{B} = {missed:number}",
        "{E} × (1 − {missed:number}) = {answer:number}",
    ),
    given={"missed": lambda v: (1 - v.top_k / v.E) ** v.B},
    checks=(Check(lambda v: v.top_k <= v.E, "a token cannot visit {top_k} of {E} experts"),),
    sensible=lambda v: v.top_k < v.answer < NEARLY_ALL * v.E,
    version=3,
    renamed={2: {"k": "top_k"}},
)

EXERCISES = (EXPERTS,)
