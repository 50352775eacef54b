"""Count every size that the counted bets draw, and write `counts.json`: `python tests/support/counts.py`."""

import json
import sys
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parents[2] / "exercises" / "counts"
FILE = FOLDER / "counts.json"
WIDTHS = {768: (12, 2048), 1024: (16, 2816)}  # heads and width of the MLP
LAYERS = (4, 8, 12)
BATCHES = (4, 16)
OPTIONS: tuple[dict[str, Any], ...] = (
    {},
    {"attention": "by_hand"},
    {"set_to_none": False},
    {"micro": 4},
    *({"every": every} for every in (1, 2, 3, 4, 6, 8, 12)),
    {"autocast": True},
    {"dtype": "bfloat16"},
    {"mode": "eval"},
    {"mode": "no_grad"},
    {"train": "embedding"},
)
SHOWN = 0.001  # of the peak, from which a part is kept
ROWS, VOCABULARIES, TABLE_WIDTHS = (4096, 16384), (32000, 50304, 128256), (1024, 2048, 4096)


def sizes() -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield every program with every set of its sizes."""
    for d, layers, batch, options in product(WIDTHS, LAYERS, BATCHES, OPTIONS):
        if layers % options.get("every", 1) == 0:
            h, f = WIDTHS[d]
            yield "decoder", {"d": d, "h": h, "f": f, "L": layers, "b": batch, **options}
    for rows, d, form in product(ROWS, TABLE_WIDTHS, ("product", "power", "function")):
        yield "gelu", {"rows": rows, "d": d, "form": form}
    for rows, d, activation in product(ROWS, (768, 3072), ("relu", "gelu", "swiglu")):
        yield "mlp", {"rows": rows, "d": d, "activation": activation}
    for rows, vocabulary, dtype in product(ROWS, VOCABULARIES, ("float32", "bfloat16")):
        yield "cross_entropy", {"rows": rows, "V": vocabulary, "dtype": dtype}
    for vocabulary, d, tokens in product(VOCABULARIES[::2], TABLE_WIDTHS, (8, 64)):
        yield "embedding", {"V": vocabulary, "d": d, "tokens": tokens}


def key_of(sizes: dict[str, Any]) -> str:
    """Return the key of these sizes, as `exercises/_counts.py` makes it."""
    return " ".join(f"{name}={value}" for name, value in sorted(sizes.items()))


def row(program: str, sizes: dict[str, Any]) -> list[Any]:
    """Return the figures of a program with these sizes, in the order of `Counted`."""
    from studykit.graders.count.step import Program, count_step

    names: dict[str, Any] = {}
    exec(compile((FOLDER / f"{program}.py").read_text("utf-8"), program, "exec"), names)  # noqa: S102 - a program of ours
    count = count_step(lambda: Program(names["build"], names["step"]), sizes)
    parts = {name: size for name, size in count.parts.items() if size > SHOWN * count.peak}
    flops = (count.flops.get("forward", 0), count.flops.get("backward", 0))
    return [count.parameters, count.peak, count.first_peak, count.saved, *flops, parts]


def main() -> None:
    """Count all sizes and write the file."""
    tables: dict[str, list[str]] = {}
    for place, (program, drawn) in enumerate(sizes()):
        line = f"{json.dumps(key_of(drawn))}:{json.dumps(row(program, drawn), separators=(',', ':'))}"
        tables.setdefault(program, []).append(line)
        sys.stderr.write(f"{place}\r")
    joint = ",\n"
    programs = ('"%s":{\n%s\n}' % (program, joint.join(lines)) for program, lines in tables.items())  # noqa: UP031
    FILE.write_text("{\n" + joint.join(programs) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
