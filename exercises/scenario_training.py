"""Define scenarios on what a training step keeps in memory, and what it sends and reads."""

import math

from studykit.exercise import Scenario, Step

from ._sizes import B, T, those, whole
from ._slips import by, elements, over, scaled, slip
from .comm import ADDED_UP

ACTIVATIONS = Scenario(
    id="scenario.activations",
    objective="memory",
    title="Make the activations fit",
    version=3,
    renamed={2: {"h": "d"}},
    story="A transformer of {L} layers and width d = {d} trains with FlashAttention on sequences of s = {s} "
    "tokens. Each layer keeps 34·s·b·d bytes of activations for b sequences.",
    units={"free": "GB"},
    grid={
        "L": (32, 40, 80),
        "d": lambda v: {32: (4096,), 40: (5120,), 80: (8192,)}[v.L],
        "s": lambda v: {80: (1024, 2048)}.get(v.L, (2048, 4096, 8192)),
        "b": (4, 8, 16),
        "free": lambda v: those((24, 40, 60), lambda free: free * 1e9 >= 34 * v.s * v.d * v.L),
    },
    steps=(
        Step(
            name="layer",
            prompt="1. How much does one layer keep for one sequence?",
            answer=lambda v: 34 * v.s * v.d,
            unit="GB",
            tolerance=0.03,
            slips=(
                slip("bytes_again", scaled(2)),
                slip("forgot_seq", over("s")),
                slip("forgot_width", over("d")),
                slip("all_sequences", by("b")),
                slip("checkpointed", scaled(2 / 34)),
            ),
            hints=("b is 1.", "The 34 already counts bytes.", "34 × {s} × {d}."),
            solution=("34 × {s} × {d} = {answer:bytes}",),
        ),
        Step(
            name="model",
            prompt="2. And all layers, for one sequence?",
            answer=lambda v: v.L * v.layer,
            unit="GB",
            tolerance=0.03,
            slips=(slip("one_layer", over("L")), slip("all_sequences", by("b"))),
            hints=("All layers alike.", "{L} of them.", "{L} × your layer."),
            solution=("{L} × {layer:bytes} = {answer:bytes}",),
            builds_on=("layer",),
        ),
        Step(
            name="micro",
            prompt="3. {free} GB are free. How many sequences can a micro-batch have?",
            answer=lambda v: math.floor(v.free * 1e9 / v.model),
            unit="count",
            tolerance=0,
            slips=(
                slip(
                    "rounded_up",
                    lambda v: math.ceil(v.free * 1e9 / v.model),
                    "Does the last one fit?",
                    "That rounds up; the last sequence would not fit.",
                ),
                slip(
                    "one_layer",
                    lambda v: math.floor(v.free * 1e9 / v.layer),
                    message="You divided by one layer's activations; a sequence has those of all {L}.",
                ),
            ),
            hints=("Free over one sequence.", "Use your value from step 2.", "Round down."),
            solution=("{free} GB / {model:bytes}, rounded down: {answer:n}",),
            builds_on=("model",),
        ),
        Step(
            name="checkpointed",
            prompt="4. With checkpointing each layer keeps only its bf16 input, s × b × d. How much is that for "
            "all layers and {b} sequences?",
            answer=lambda v: 2 * v.s * v.b * v.d * v.L,
            unit="GB",
            tolerance=0.03,
            slips=(
                slip("one_layer", over("L")),
                slip("forgot_batch", over("b")),
                slip("fp32", scaled(2)),
                elements(2),
                slip("no_checkpointing", scaled(17)),
            ),
            hints=("How large is one input?", "2 × {s} × {b} × {d} bytes.", "Times {L} layers."),
            solution=("2 × {s} × {b} × {d} × {L} = {answer:bytes}",),
        ),
    ),
)

SPEEDS = {8: (200, 400), 64: (25, 50)}
"""GB/s of a GPU by how many there are: inside one machine, and between machines."""

DATA = Scenario(
    id="scenario.feed_a_run",
    objective="training",
    title="Feed and synchronize a run",
    version=3,
    renamed={2: {"n": "G"}},
    story="A model with {N:si} parameters sees {D:si} tokens, stored as uint16, in batches of {b} sequences of "
    "{s} tokens, on {G} data-parallel GPUs that all-reduce bf16 gradients around a ring at {g} GB/s each.",
    units={"g": "GB/s"},
    grid={
        "N": (B, 2 * B, 3 * B),
        "D": (whole(300), T, 2 * T),
        "b": (512, 1024),
        "s": (2048, 4096),
        "G": tuple(SPEEDS),
        "g": lambda v: SPEEDS.get(v.G, (50,)),
    },
    steps=(
        Step(
            name="disk",
            prompt="1. How many GB are the token ids on disk?",
            answer=lambda v: 2 * v.D,
            unit="GB",
            tolerance=0.02,
            slips=(
                slip(
                    "one_byte",
                    scaled(0.5),
                    "How wide is uint16?",
                    "You used one byte for an id; uint16 takes 2.",
                ),
                slip(
                    "wrong_width_2x",
                    scaled(2),
                    "How wide is uint16?",
                    "You used 4 bytes for an id; uint16 takes 2.",
                ),
            ),
            hints=("How wide is one id?", "uint16 takes 2 bytes.", "2 × {D:si}."),
            solution=("2 × {D:si} = {answer:bytes}",),
        ),
        Step(
            name="steps",
            prompt="2. How many optimizer steps does the run have?",
            answer=lambda v: v.D / (v.b * v.s),
            unit="step",
            tolerance=0.02,
            slips=(slip("forgot_seq", lambda v: v.D / v.b), slip("forgot_batch", lambda v: v.D / v.s)),
            hints=("Tokens over tokens in a step.", "A step has {b} × {s}.", "{D:si} / ({b} × {s})."),
            solution=("{D:si} / ({b} × {s}) = {answer:n}",),
        ),
        Step(
            name="sent",
            prompt="3. How many GB does each GPU send in one all-reduce?",
            answer=lambda v: 2 * (v.G - 1) / v.G * 2 * v.N,
            unit="GB",
            tolerance=0.03,
            slips=(
                slip("one_pass", scaled(0.5)),
                elements(2),
                slip("fp32_grads", scaled(2)),
                slip("sent_once", lambda v: 2 * v.N),
                slip("whole_buffer", lambda v: 4 * v.N, approximate=True),
                slip("all_gpus", by("G")),
            ),
            hints=("Two phases around the ring.", "Each moves (G − 1)/G of 2 × {N:si} bytes.", "Twice that."),
            solution=("2 × ({G} − 1)/{G} × 2 × {N:si} = {answer:bytes}",),
        ),
        Step(
            name="seconds",
            prompt="4. How long does one all-reduce take?",
            answer=lambda v: v.sent / (v.g * 1e9),
            unit="s",
            tolerance=0.05,
            slips=(slip("gigabits", scaled(8)), slip("all_gpus", by("G"), *ADDED_UP)),
            hints=("Bytes over speed.", "{g} GB/s.", "Your bytes over {g}e9."),
            solution=("{sent:bytes} / ({g} GB/s) = {answer:time}",),
            builds_on=("sent",),
        ),
        Step(
            name="hours",
            prompt="5. How many hours of the run go into all-reduces, if nothing overlaps?",
            answer=lambda v: v.steps * v.seconds,
            unit="hour",
            tolerance=0.05,
            slips=(slip("days_for_hours", scaled(1 / 24)),),
            hints=("Once per step.", "Steps × seconds.", "Over 3,600."),
            solution=("{steps:n} × {seconds:time} = {answer:hour}",),
            builds_on=("steps", "seconds"),
        ),
    ),
)

EXERCISES = (ACTIVATIONS, DATA)
