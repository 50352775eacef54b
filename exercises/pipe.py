"""Ask how long devices wait under pipeline parallelism."""

from studykit.exercise import Check, Template

from ._slips import slip

BUBBLE = Template(
    id="pipe.bubble",
    objective="training",
    grid={"p": (4, 8, 16), "micro": (8, 16, 32, 64, 128)},
    prompt="A model is cut into {p} pipeline stages of equal length, one for each device, and a batch into "
    "{micro} micro-batches. For what fraction of the whole step, work and waiting, is each device idle?",
    answer=lambda v: (v.p - 1) / (v.micro + v.p - 1),
    unit="%",
    tolerance=0.02,
    slips=(
        slip("over_work", lambda v: (v.p - 1) / v.micro),
        slip("all_stages", lambda v: v.p / (v.micro + v.p)),
        slip("stages_over_batches", lambda v: v.p / v.micro),
        slip("busy", lambda v: v.micro / (v.micro + v.p - 1)),
        slip("without_batches", lambda v: (v.p - 1) / v.p),
    ),
    hints=(
        "How long does the last stage wait for its first micro-batch, in turns of one micro-batch in one stage?",
        "Each device works for {micro} turns and waits for {p} − 1.",
        "Idle turns over all turns: with {p} stages, {micro} + {p} − 1 of them.",
    ),
    checks=(Check(lambda v: v.p > 1, "a pipeline has at least 2 stages"),),
    solution=("turns: {micro} at work, {p} − 1 idle", "({p} − 1) / ({micro} + {p} − 1) = {answer:%}"),
    version=2,
    renamed={2: {"m": "micro"}},
)

EXERCISES = (BUBBLE,)
