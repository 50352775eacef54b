"""Define counted bets on single operations: what GELU, an MLP, the loss and an embedding keep alive."""

from studykit.exercise import Parts

from ._counts import NOT_MEASURED, counted, memory_bet
from ._slips import slip

ROWS = (4096, 16384)

GELU = memory_bet(
    id="count.gelu_by_hand",
    grid={"rows": ROWS, "width": (1024, 2048, 4096), "cube": ("x * x * x", "x**3")},
    prompt="`x` has {rows} × {width} elements in fp32 and requires a gradient. How many MB more are alive "
    "after\n\n```python\nout = 0.5 * x * (1 + torch.tanh(0.7979 * (x + 0.044715 * {cube})))\n```\n\nthan "
    "before it? `out` counts, `x` does not." + NOT_MEASURED,
    answer=lambda v: v.hand.saved,
    unit="MB",
    slips=(
        slip("as_function", lambda v: v.one),
        slip(
            "result_not_counted",
            lambda v: v.hand.saved - v.one,
            "Is `out` counted?",
            "That does not count `out`.",
        ),
        slip("one_for_each_operation", lambda v: (8 if v.cube == "x**3" else 9) * v.one),
        slip("cube_kept", lambda v: v.hand.saved + v.one),
        slip("cube_kept_nothing", lambda v: 4 * v.one if v.cube == "x * x * x" else None),
        slip("cube_as_products", lambda v: 6 * v.one if v.cube == "x**3" else None),
    ),
    hints=(
        "Go through it operation by operation: a product of two tensors keeps both, one with a number keeps none.",
        "tanh keeps its result. The last product keeps `0.5 * x` and `1 + tanh`.",
        "That is {tensors:n} tensors of {one:bytes}, `out` among them.",
    ),
    solution=(
        "kept: {kept}, and out",
        "{tensors:n} × {rows} × {width} × 4 bytes = {answer:bytes}; `F.gelu(x)` leaves 1 tensor, {one:bytes}",
    ),
    given={
        "form": lambda v: "power" if v.cube == "x**3" else "product",
        "hand": lambda v: counted("gelu", rows=v.rows, d=v.width, form=v.form),
        "one": lambda v: counted("gelu", rows=v.rows, d=v.width, form="function").saved,
        "tensors": lambda v: v.hand.saved / v.one,
        "kept": lambda v: ("" if v.form == "power" else "0.044715·x, 0.044715·x·x, ") + "tanh, 1 + tanh, 0.5·x",
    },
    parts=lambda v: Parts("More alive after it", {"out": v.one, "kept for backward": v.answer - v.one}),
)

ACTIVATIONS = {
    "ReLU": ("relu", "4·d", ""),
    "GELU": ("gelu", "4·d", ""),
    "SwiGLU": ("swiglu", "8·d/3", "`down(F.silu(gate(x)) * up(x))`"),
}
UNITS = {"ReLU": 5, "GELU": 9, "SwiGLU": 1 + 4 * 8 / 3}

MLP = memory_bet(
    id="count.mlp",
    grid={"rows": ROWS, "d": (768, 3072), "act": tuple(ACTIVATIONS)},
    prompt="An MLP takes {rows} tokens of width {d} to a width of {width} and back, with {act}{code}, without "
    "biases and in fp32. How many MB more are alive after its forward pass than before it? The result counts, the "
    "input does not." + NOT_MEASURED,
    answer=lambda v: v.mlp.saved,
    unit="MB",
    slips=(
        slip("relu_keeps_input", lambda v: 9 * v.one if v.act == "ReLU" else None),
        slip("result_of_gelu", lambda v: 5 * v.one if v.act == "GELU" else None),
        slip("product_not_kept", lambda v: (1 + 3 * 8 / 3) * v.one if v.act == "SwiGLU" else None),
        slip("gate_kept_once", lambda v: (1 + 2 * 8 / 3) * v.one if v.act == "SwiGLU" else None),
        slip(
            "result_not_counted",
            lambda v: v.mlp.saved - v.one,
            "Is the result counted?",
            "That leaves out the result itself.",
        ),
        slip("result_only", lambda v: v.one),
    ),
    hints=(
        "What is as wide as the inner width, and which of it does the backward pass need?",
        (
            "A matrix keeps its input. ReLU needs only its result, GELU and SiLU need their input, a product both "
            "sides."
        ),
        "In tensors of {rows} × {d}: {units:number}.",
    ),
    solution=(
        "in units of {rows} × {d} × 4 bytes = {one:bytes}: {count}",
        "{units:number} units: {answer:bytes}. ReLU leaves 5, GELU 9, SwiGLU at 8/3 11.7",
    ),
    given={
        "name": lambda v: ACTIVATIONS[v.act][0],
        "width": lambda v: ACTIVATIONS[v.act][1],
        "code": lambda v: ACTIVATIONS[v.act][2] and f" ({ACTIVATIONS[v.act][2]})",
        "mlp": lambda v: counted("mlp", rows=v.rows, d=v.d, activation=v.name),
        "one": lambda v: 4 * v.rows * v.d,
        "units": lambda v: UNITS[v.act],
        "count": lambda v: {
            "ReLU": "ReLU's result 4, the result 1",
            "GELU": "GELU's input 4 and result 4, the result 1",
            "SwiGLU": "gate, its SiLU, up and their product 8/3 each, the result 1",
        }[v.act],
    },
    parts=lambda v: Parts("More alive after it", {"kept for backward": v.answer - v.one, "result": v.one}),
)

LOSS = memory_bet(
    id="count.cross_entropy",
    grid={"rows": ROWS, "V": (32000, 50304, 128256), "dt": ("fp32", "bf16")},
    prompt="`logits` has {rows} rows over a vocabulary of {V} in {dt}, requires a gradient and stays alive. "
    "How many GB are alive at the peak of\n\n    {code}\n\nwith `logits` counted?" + NOT_MEASURED,
    answer=lambda v: v.loss.peak,
    slips=(
        slip("logits_only", lambda v: v.one),
        slip("with_log_softmax", lambda v: v.one + v.wide),
        slip("one_gradient", lambda v: v.loss.peak - v.wide),
        slip("no_cast", lambda v: 4 * v.one if v.dt == "bf16" else None),
        slip("copy_kept", lambda v: v.loss.peak + v.wide if v.dt == "bf16" else None),
        slip("cast_in_place", lambda v: v.loss.peak - v.one if v.dt == "bf16" else None),
    ),
    hints=(
        "Which tensors of {rows} × {V} does the loss make, forward and backward?",
        (
            "Forward it makes the log-softmax, and before that a copy if the dtype changes. Backward: a gradient "
            "of the log-softmax, then one of the logits."
        ),
        "{words}",
    ),
    solution=("logits: {rows} × {V} × {size} bytes = {one:bytes}", "{words}", "together {answer:bytes}"),
    given={
        "dtype": lambda v: {"fp32": "float32", "bf16": "bfloat16"}[v.dt],
        "size": lambda v: {"fp32": 4, "bf16": 2}[v.dt],
        "code": lambda v: f"F.cross_entropy(logits{'' if v.dt == 'fp32' else '.float()'}, targets).backward()",
        "loss": lambda v: counted("cross_entropy", rows=v.rows, V=v.V, dtype=v.dtype),
        "one": lambda v: v.size * v.rows * v.V,
        "wide": lambda v: 4 * v.rows * v.V,
        "words": lambda v: (
            "Logits, log-softmax, its gradient and the logits' gradient: 4 tensors."
            if v.dt == "fp32"
            else "The logits in bf16, and in fp32 log-softmax, its gradient and the gradient of the fp32 copy: "
            "1 + 3 × 2 times the logits."
        ),
    },
    parts=lambda v: Parts("Alive at the peak", {"logits": v.one, "made by the loss": v.answer - v.one}),
)

EMBEDDING = memory_bet(
    id="count.embedding",
    grid={"V": (32000, 128256), "d": (1024, 2048, 4096), "tokens": (8, 64)},
    prompt="An embedding of a vocabulary of V = {V} and width d = {d} in fp32 looks up {tokens} tokens; their sum "
    "goes backward. How many GB are alive at the peak, without an optimizer?" + NOT_MEASURED,
    answer=lambda v: v.table.peak,
    slips=(
        slip("sparse_gradient", lambda v: v.one + 4 * v.tokens * v.d),
        slip("with_moments", lambda v: 4 * v.one),
        slip(
            "elements_for_bytes",
            lambda v: v.answer / 4,
            "How many bytes does an element take in fp32?",
            "That is the number of elements; each takes 4 bytes.",
        ),
        slip("rows_only", lambda v: 4 * v.tokens * v.d),
    ),
    hints=(
        "What is there before, and what does the backward pass make?",
        "By default an embedding's gradient is dense.",
        "Table and gradient: 2 × {V} × {d} elements of 4 bytes.",
    ),
    solution=(
        "the table: {V} × {d} × 4 bytes = {one:bytes}",
        "its gradient, dense whatever is looked up: as much again",
        "together {answer:bytes}; `sparse=True` would keep {tokens} rows",
    ),
    given={
        "table": lambda v: counted("embedding", V=v.V, d=v.d, tokens=v.tokens),
        "one": lambda v: 4 * v.V * v.d,
    },
    parts=lambda v: Parts("Alive at the peak", {"table": v.one, "its gradient": v.answer - v.one}),
)

EXERCISES = (GELU, MLP, LOSS, EMBEDDING)
