"""Ask questions about one model on one device: sizes, memory and speed."""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from studykit.errors import NotFoundError, StudyError, UsageError
from studykit.exercise import catalog
from studykit.exercise.estimate import pins
from studykit.exercise.estimate.hardware import Device, typed_device
from studykit.exercise.estimate.model_config import FAMILY, Config
from studykit.exercise.estimate.shape import LETTERS
from studykit.exercise.estimate.template import Template, draw
from studykit.exercise.estimate.turns import template_turn
from studykit.exercise.kind import SetRequest
from studykit.exercise.run import practise
from studykit.exercise.services import Services
from studykit.exercise.turn import Draw
from studykit.text import listed, meant

DEFAULT_TOKENS = 8192
TOKENS_PER_PARAMETER = 20  # of a run as long as Hoffmann et al. advise for a given budget
TRAINING_MACHINES = 64  # for each device that serving takes
MAX_FILLED = 0.8  # of the memory, by weights, where the learner says no number of devices
_FOLLOW = frozenset({"model", "N", "w", "kv"})  # parameters that follow from the model


def practise_model(services: Services, config: Config, request: SetRequest, hw: str, number: int | None) -> int:
    """Practise questions about the model of a config, and return the exit code."""
    plan = [
        (cast("Template", catalog.find(name)), texts, lead)
        for name, texts, lead in _questions(config, request, typed_device(request.pinned.get("hw", hw)))
    ]
    _refuse_unknown(request.pinned, [template for template, _, _ in plan])
    first = services.seed() if request.seed is None else request.seed
    fitting = []
    for template, texts, lead in plan:
        pinned = texts | {
            name: text for name, text in request.pinned.items() if name in template.grid and name != "hw"
        }
        try:
            draw(template, first, pins.pins(template, pinned))
        except StudyError as error:
            reason = str(error).removeprefix(f"{template.id} has no variant with ").partition(": ")
            services.tell(f"{template.id} is left out: {(reason[2] or reason[0]).rstrip('.')}.")
        else:
            fitting.append((template, pinned, lead))
    if not fitting:
        raise NotFoundError(f"{request.name}: no question can use these parameters. Change or drop one of them.")
    chosen = fitting[:number]
    turns = [
        template_turn(
            template,
            Draw(first + place, pinned, is_exact=request.seed is not None, rough=request.rough),
            f"{request.name} {place + 1}/{len(chosen)}",
            lead=lead,
        )
        for place, (template, pinned, lead) in enumerate(chosen)
    ]
    return practise(services, lambda _asking: turns, f"{request.name}, seed {first}")


def _refuse_unknown(pinned: Mapping[str, str], templates: Sequence[Template]) -> None:
    """Raise UsageError if a pin is neither a size of the model nor a parameter of a question."""
    own = {name for template in templates for name in template.grid if not name.startswith("_")} - _FOLLOW
    names = sorted({*own, *LETTERS, FAMILY})
    for name in pinned:
        if name not in names:
            raise UsageError(
                f"--model has no parameter {name!r}. {meant(name, names, f'It has {listed(names)}.')}"
            )


def _questions(config: Config, request: SetRequest, device: Device) -> Iterator[tuple[str, dict[str, str], str]]:
    """Yield each exercise's name, its pins, and an introduction to the model."""
    shape, pinned, hw = config.model, request.pinned, {"hw": device.name}
    tokens = pinned.get("s", str(min(DEFAULT_TOKENS, config.max_tokens)))
    kv_template = cast("Template", catalog.find("model.kv"))
    length = int(str(pins.pins(kv_template, {"s": tokens})["s"]))  # 8192 for 8K
    count, active = shape.parameters, shape.active_parameters
    fitting = 2 ** max(0, math.ceil(math.log2(2 * count / (MAX_FILLED * device.capacity))))
    served = {"G": str(fitting), **hw}
    assumed = f" The file does not say these, so assume: {', '.join(config.assumed)}." if config.assumed else ""
    text_only = " Only its text_config counts, without what reads images or sound." if config.is_inside else ""
    model, of_it = {"model": config.model.name}, f"This is `{request.name}`.{text_only}"
    all_of_it = f"`{request.name}` has {count:,} parameters."
    used = f"{all_of_it} A token uses {active:,} of them; count those." if active != count else all_of_it
    gigabytes, cache = _four_digits(2 * count / 1e9), _four_digits(shape.kv_cache(length) / 1e6)
    weights = f"In bf16 the weights of `{request.name}` take {gigabytes} GB"
    yield "model.params", model, of_it + assumed
    yield "model.part", model, of_it
    yield "model.flops", {**model, "s": tokens}, of_it
    yield "model.kv", {**model, "s": tokens}, of_it
    yield "mem.weights_infer", {"N": str(count)}, all_of_it
    yield "mem.train_state", {"N": str(count)}, all_of_it
    yield "mem.min_gpus", {"N": str(count), **hw}, all_of_it
    yield (
        "inf.max_batch",
        {"w": gigabytes, "kv": cache, **served},
        f"{weights}, the cache of {length} tokens {cache} MB.",
    )
    yield "inf.ttft", {"N": str(active), "s": tokens, **served}, used
    yield "inf.decode_latency", {"N": str(active), "dt": "bf16", **served}, used
    yield "inf.mbu", {"N": str(active), "dt": "bf16", **served}, used
    run = {"D": f"{TOKENS_PER_PARAMETER * active:.2g}", "G": str(TRAINING_MACHINES * fitting), "mfu": "0.4"}
    yield "time.train_days", {"N": str(active), **run, **hw}, used


def _four_digits(amount: float) -> str:
    """Round an amount to four digits, as both pins and questions show it."""
    return f"{float(f'{amount:.4g}'):.12g}"
