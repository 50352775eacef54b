"""Ask where to keep activations, what that takes at the peak, and how often layers run again."""

import math

from studykit.exercise import Check

from ._shapes import twin
from ._slips import scaled, slip

SPACED = (
    "A network has L = {L} equal layers. Its forward pass keeps the input of every p-th layer, a tensor of c = "
    "{c} MB; the backward pass recomputes one segment of p layers at a time, and while it does, each layer of it "
    "keeps a = {a} MB of activations. "
)
SEGMENTS = {"L": (40, 64, 80, 96, 128), "c": (16, 24, 40), "a": (150, 260, 410)}
UNITS = {"c": "MB", "a": "MB"}
EQUAL = (
    "Is a kept input as large as the activations of a layer?",
    "You took both for equally large; the input is {c} MB, the activations of a layer are {a} MB.",
)

BOTH_PARTS = (
    "What is in memory besides that?",
    "You used one of two parts: the kept inputs, and the activations of the segment that is recomputed.",
)
EVERY_INPUT = "Which layers keep their input?", "You kept the input of every layer; only every p-th is kept."
LAYERS = "On what else does it depend?", "You left out the layers."
ROOT = "Does p stand once or twice in that?", "You left out the root: p stands in both terms, so p² = L·c/a."

EVERY = twin(
    id="remat.every",
    objective="memory",
    units=UNITS,
    grid={**SEGMENTS, "p": (2, 4, 8, 16)},
    prompt=SPACED
    + "How much memory do kept inputs and activations take at the peak, with p = {p} layers in a segment?",
    formula="c*L/p + a*p",
    answer=lambda v: (v.kept + v.segment) * 1e6,
    unit="GB",
    slips=(
        slip("checkpoints_only", lambda v: v.kept * 1e6, *BOTH_PARTS),
        slip("segment_only", lambda v: v.segment * 1e6, *BOTH_PARTS),
        slip("all_layers", lambda v: v.a * v.L * 1e6),
        slip("equal_sizes", lambda v: (v.kept + v.c * v.p) * 1e6, *EQUAL),
        slip("swapped", lambda v: (v.a * v.L / v.p + v.c * v.p) * 1e6),
        slip("one_layer_alive", lambda v: (v.kept + v.a) * 1e6),
        slip("kept_every_input", lambda v: (v.c * v.L + v.segment) * 1e6, *EVERY_INPUT),
    ),
    hints=(
        "Two things are in memory at once.",
        "There is one input for each of L/p segments, and one segment has its activations.",
        "Add {L}/{p} inputs of {c} MB to the activations of {p} layers.",
    ),
    solution=("inputs: {kept:number} MB", "one segment: {segment:number} MB", "{answer:bytes}"),
    given={"kept": lambda v: v.c * v.L / v.p, "segment": lambda v: v.a * v.p},
)

SPACING = twin(
    id="remat.best_every",
    objective="memory",
    units=UNITS,
    grid=SEGMENTS,
    prompt=SPACED + "How many layers p in a segment take the least memory at the peak? Do not round.",
    formula="sqrt(L*c/a)",
    answer=lambda v: math.sqrt(v.L * v.c / v.a),
    unit="number",
    tolerance=0.02,
    slips=(
        slip("sqrt_layers", lambda v: math.sqrt(v.L), *EQUAL),
        slip("forgot_sqrt", lambda v: v.L * v.c / v.a, *ROOT),
        slip("gave_segments", lambda v: v.L / math.sqrt(v.L * v.c / v.a)),
        slip("swapped", lambda v: math.sqrt(v.L * v.a / v.c)),
        slip("forgot_layers", lambda v: math.sqrt(v.c / v.a), *LAYERS),
    ),
    hints=(
        "Write the memory at the peak as a function of p.",
        "c·L/p falls with p, a·p grows. Where is the sum least?",
        "The sum is least where both terms are equal: c × {L}/p = a × p.",
    ),
    solution=("peak: c·L/p + a·p", "least where c·L/p = a·p, so p² = L·c/a", "{answer:number} layers"),
)

PEAK = twin(
    id="remat.best_peak",
    objective="memory",
    units=UNITS,
    grid=SEGMENTS,
    prompt=SPACED
    + "How much memory do kept inputs and activations take at the peak with the best p? Do not round p.",
    formula="2*sqrt(L*a*c)",
    answer=lambda v: 2 * math.sqrt(v.L * v.a * v.c) * 1e6,
    unit="GB",
    slips=(
        slip("half", scaled(0.5), "How many terms are there at the best p?", "You used one of two equal terms."),
        slip("equal_sizes", lambda v: 2 * math.sqrt(v.L) * v.a * 1e6, *EQUAL),
        slip("at_root", lambda v: (v.c + v.a) * math.sqrt(v.L) * 1e6),
        slip("forgot_layers", lambda v: v.answer / math.sqrt(v.L), *LAYERS),
        slip("every_layer", lambda v: (v.c * v.L + v.a) * 1e6, *EVERY_INPUT),
        slip("all_layers", lambda v: v.a * v.L * 1e6),
    ),
    hints=(
        "Which p is best?",
        "The peak is c·L/p + a·p, least where both terms are equal.",
        "The best p is the root of {L}·c/a. Put it into both terms.",
    ),
    solution=("best p: √(L·c/a)", "both terms are √(L·a·c)", "{answer:bytes}"),
)

SCHEDULES = {
    "nothing": (
        (
            "The forward pass keeps only the input of the network. For the backward pass of each layer, from the "
            "last to the first, the layers up to and with this one run again from that input."
        ),
        "L + L*(L+1)/2",
    ),
    "halves": (
        (
            "The network is two checkpointed halves, each of them two checkpointed halves again, and so on down "
            "to single layers. When the backward pass reaches a checkpointed part, all layers of the part run "
            "again, and only the inputs of its halves are kept."
        ),
        "L*(1 + log2(L))",
    ),
    "segments": (
        (
            "The forward pass keeps the input of every fourth layer. When the backward pass reaches a segment of "
            "four layers, they run again once."
        ),
        "2*L",
    ),
}

FORWARDS = twin(
    id="remat.forwards",
    objective="memory",
    grid={"schedule": tuple(SCHEDULES), "L": (8, 16, 64, 128)},
    prompt="A network has L = {L} layers. {how} How many times does a layer run forward in one training step, all "
    "layers together and the first forward pass included?",
    formula=lambda v: SCHEDULES[v.schedule][1],
    answer=lambda v: v.L + v.again,
    unit="count",
    tolerance=0,
    slips=(
        slip("no_first_pass", lambda v: v.again),
        slip("twice", lambda v: 2 * v.L if v.schedule != "segments" else None),
        slip("every_time_all", lambda v: v.L + v.L**2),
        slip(
            "squared",
            lambda v: v.L**2,
            "How many layers run again, and how often?",
            "You used L²: all layers, once for each layer.",
        ),
        slip("nothing_again", lambda v: v.L),
        slip("tripled", lambda v: v.answer + v.L),
    ),
    hints=(
        "Count the first forward pass, then what runs again.",
        "How many layers run again at each place where the backward pass stops?",
        "{advice}",
    ),
    solution=("first forward pass: {L}", "{again_words}: {again}", "{answer:n}"),
    given={
        "how": lambda v: SCHEDULES[v.schedule][0],
        "again": lambda v: {
            "nothing": v.L * (v.L + 1) // 2,
            "halves": v.L * round(math.log2(v.L)),
            "segments": v.L,
        }[v.schedule],
        "advice": lambda v: {
            "nothing": "The last layer takes L of them, the one before it L − 1, and so on down to 1.",
            "halves": "At each level of halves all L layers run again. How many levels are there down to one "
            "layer?",
            "segments": "Every layer is in one segment.",
        }[v.schedule],
        "again_words": lambda v: {
            "nothing": "again: L + (L − 1) + ... + 1",
            "halves": "again: L on each of log2(L) levels",
            "segments": "again: each layer once",
        }[v.schedule],
    },
    checks=(
        Check(
            lambda v: v.schedule != "halves" or math.log2(v.L) % 1 == 0,
            "{L} layers cannot be halved down to single ones; take a power of two",
        ),
    ),
)

EXERCISES = (EVERY, SPACING, PEAK, FORWARDS)
