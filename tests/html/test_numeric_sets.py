"""Test that a page judges the numeric answers that it can read as Python does, and asks again for others."""

import functools
import gzip
import json
import math
import re
import runpy
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from page_script import PageScript
from templates import TEMPLATES, template_named

from studykit.exercise import catalog
from studykit.exercise.bet.bench import bet_named
from studykit.exercise.bet.kind import BET
from studykit.exercise.bet.recorded import recording
from studykit.exercise.bet.snippet import BetExercise
from studykit.exercise.estimate import number
from studykit.exercise.estimate.feedback import full_answer
from studykit.exercise.estimate.hardware import device
from studykit.exercise.estimate.selection import first_variants
from studykit.exercise.estimate.template import NumericJudgment, Roof, Template, Variant, draw
from studykit.exercise.verdict import Malformed
from studykit.html import assets
from studykit.html.card_html import Markdown, plain
from studykit.html.mathml import Tex
from studykit.html.numeric_sets import _KINDS as KINDS
from studykit.html.numeric_sets import Columns, data, figures, short, skeleton, solution_text, vocabulary
from studykit.html.roofline_svg import description
from studykit.html.strings import shipped
from studykit.quantity.reading import BadAnswerError, read
from studykit.quantity.units import target_unit as want_of
from studykit.scheduling.outcomes import suggested_grade

TABLES = runpy.run_path(str(Path(__file__).parents[1] / "quantity" / "test_reading.py"))
TYPED: list[str] = [row[0] for row in TABLES["READ"] + TABLES["REFUSED"]]
UNITS = (
    *("FLOP", "FLOP/s", "bytes", "GB", "GiB", "day", "ms", "param", "number", "%", "$", "bit"),
    *("FLOP/byte", "gpu", "W"),
)
MARKDOWN = Markdown(Tex({}), None)
BETS = [found for found in catalog.every() if isinstance(found, BetExercise)]


@pytest.fixture(scope="module")
def engine() -> PageScript:
    asking = """
      const readAll = (texts, want) => texts.map((text) => {
        const reading = read(text, want);
        return reading.value === undefined ? reading : { ...reading, value: String(reading.value) };
      });
      const judgeAll = (variant, texts) => texts.map((text) => {
        const j = judge(variant, text);
        const after = j.verdict === "malformed" ? [j.why] : [whileOpen(variant, j), whenClosed(variant, j)];
        return [j.verdict, j.echo ?? "", j.slips.map((slip) => slip.id), ...after.flat()];
      });
      const posedAll = (data) => data.seeds.map((_, at) => posed(data, at));
    """
    constants = {"T": dict(shipped()["exercise"]), "V": vocabulary()}
    return PageScript(
        *("say.js", "quantity.js", "number.js", "variant.js"),
        before="".join(f"const {name} = {json.dumps(value)};" for name, value in constants.items()),
        after=asking,
    )


def page_want(unit: str) -> dict[str, object]:
    kinds = {"bit": "bit", "GPU-hour": "device"}
    target = want_of(unit)
    return {"kind": kinds.get(unit) or KINDS[target.dimension], "unit": target.unit, "factor": target.factor}


def in_python(text: str, unit: str) -> float | None:
    """Return the value of an answer, or None if it is refused or is another kind of amount."""
    try:
        reading = read(text, want_of(unit))
    except BadAnswerError:
        return None
    return reading.value if reading.dimension == want_of(unit).dimension else None


@pytest.mark.parametrize("verdict", ["correct", "close", "incorrect"])
def test_page_suggests_the_grade_of_python(engine: PageScript, verdict: str) -> None:
    tries_and_hints = [(tries, hints) for tries in (1, 2, 3) for hints in (0, 1, 2)]

    grades = [engine.call("suggestedGrade", verdict, *each) for each in tries_and_hints]

    assert grades == [suggested_grade(verdict, *each) for each in tries_and_hints]


def read_otherwise(engine: PageScript, texts: list[str], unit: str) -> list[tuple[str, object, object]]:
    """Return the texts that the page reads but Python refuses or reads as another value, with both readings."""
    readings = [
        (text, in_python(text, unit), reply)
        for text, reply in zip(texts, engine.call("readAll", texts, page_want(unit)), strict=True)
        if not isinstance(reply, str)
    ]
    return [
        (text, ours, reply)
        for text, ours, reply in readings
        if ours is None or not math.isclose(ours, float(reply["value"]), rel_tol=1e-12)
    ]


@pytest.mark.parametrize("unit", UNITS)
def test_the_page_reads_nothing_otherwise_than_python(engine: PageScript, unit: str) -> None:
    assert read_otherwise(engine, TYPED, unit) == []


ALPHABET = Path(__file__).parents[1].joinpath("vectors").joinpath("typed.txt").read_text("utf-8").split()


@pytest.mark.parametrize("seed", range(12))
def test_the_page_reads_no_random_text_otherwise(engine: PageScript, seed: int) -> None:
    random = Random(seed)
    texts = [
        "".join(random.choice(ALPHABET) + random.choice(("", " ")) for _ in range(random.randint(1, 7)))
        for _ in range(300)
    ]

    assert read_otherwise(engine, texts, UNITS[seed % len(UNITS)]) == []


@pytest.mark.parametrize(
    ("unit", "texts"),
    [
        ("FLOP", ["8.4e22", "8.4x10^22", "8.4 \u00d7 10\u00b2\u00b2", "8.4e22 FLOPs", "84 ZFLOP"]),
        ("FLOP", ["6*7e9*2e12", "6 * 7B * 2T"]),
        ("FLOP/s", ["989e12", "989 TFLOP/s", "989 TFLOPS", "989e12 FLOPs per second", "2*494.5 TFLOP/s"]),
        ("GB", ["16", "16 GB", "16e9 bytes", "16,000,000,000 bytes", "2*8e9 bytes", "~16 GB", "16 GB."]),
        ("GiB", ["16", "16 GiB", "2^34 bytes"]),
        ("day", ["3", "3 days", "72 h", "72 hours", "259200 s", "6*7e9*2e12/3.24e17 s"]),
        ("ms", ["1.5", "1.5 ms", "0.0015 s", "1500 us"]),
        ("param", ["7e9", "7B", "7 billion", "7,000,000,000", "7B params"]),
        ("number", ["0.4", "40%", "2/5", "(1+1)/5", "4e-1"]),
        ("%", ["40", "40 %", "0.4"]),
        ("$", ["1200", "$1200", "1200 dollars", "$1.2k"]),
        ("FLOP/byte", ["295", "295 FLOP/byte", "989e12/3.35e12"]),
    ],
)
def test_usual_spellings_are_read_on_the_page(engine: PageScript, unit: str, texts: list[str]) -> None:
    replies = engine.call("readAll", texts, page_want(unit))

    assert [(text, reply) for text, reply in zip(texts, replies, strict=True) if isinstance(reply, str)] == []
    assert read_otherwise(engine, texts, unit) == []


def page_variant(template: Template, seed: int) -> tuple[Any, dict[str, object]]:
    variant = draw(template, seed)
    return variant, {
        "answer": variant.answer,
        "tolerance": 0 if variant.is_whole else variant.tolerance,
        "want": page_want(template.unit),
        "full": full_answer(variant),
        "unit": template.unit,
        "fixed": template.unit_fixed,
        "slips": [
            {"id": slip.id, "value": slip.value, "question": slip.question, "message": slip.message}
            for slip in variant.slips
        ],
    }


def is_on_edge(factor: float | None, edges: tuple[float, float]) -> bool:
    """Return whether a value is at the very edge of a tolerance, where the last bit of a logarithm decides."""
    return bool(factor) and any(math.isclose(abs(math.log(factor or 1)), edge, rel_tol=1e-9) for edge in edges)


@pytest.mark.no_cover
@pytest.mark.parametrize("template", TEMPLATES, ids=lambda template: template.id)
def test_page_judges_numeric_answers_like_python(engine: PageScript, template: Template) -> None:
    variant, for_page = page_variant(template, 7)
    near = [variant.answer, *(slip.value for slip in variant.slips)]
    factors = (1, 1.004, 1.015, 0.97, 1.3, 8, 0.125, 1000, 10, 2, 1.024, 86400, 3, 0.75, 1 / 24, 60, 16, 64, 0.69)
    texts = [f"{value * factor / template.target.factor!r}" for value in near for factor in factors]
    texts += [f"{value!r} {unit}" for value in near[:2] for unit in ("FLOP", "GB", "GiB", "bytes", "s", "%")]
    right = f"{variant.answer / template.target.factor!r}"
    texts += ["0", "7", "43", "1e9/2e3", f"2*{variant.answer / template.target.factor / 2!r}"]
    edges = (math.log1p(variant.tolerance), math.log1p(2 * variant.tolerance))
    texts = [text for text in texts if not is_on_edge(number.judge(variant, text).factor, edges)]

    replies = engine.call("judgeAll", for_page, texts)

    wrong = []
    for text, (verdict, _, slips, *_lines) in zip(texts, replies, strict=True):
        judgment = number.judge(variant, text)
        own = [slip.id for slip in judgment.slips if slip.id in {each.id for each in variant.slips}]
        if isinstance(judgment.verdict, Malformed) or read_as_percent(text, judgment):
            continue  # the terminal alone asks, and reads a bare wrong percentage
        if verdict != "malformed" and (verdict != judgment.verdict.name or not set(slips) <= {*own, *slips[:0]}):
            wrong.append((text, verdict, slips, judgment.verdict.name, own))
    assert wrong == []
    assert engine.call("judgeAll", for_page, [right])[0][0] == "correct"


def read_as_percent(text: str, judgment: NumericJudgment) -> bool:
    return judgment.value is not None and text == repr(judgment.value * 100)


def fill_parts(parts: list[str | int], columns: list[list[str]], at: int) -> str:
    def value(place: int) -> str:
        which, *different = columns[place]
        return different[int(which[at], 36)]

    return "".join(value(part) if isinstance(part, int) else part for part in parts)


@pytest.mark.parametrize(
    "texts",
    [
        ["a 1 b", "a 2 b", "a 16,384 b"],
        ["<p>2 × 8.4e22</p>", "<p>2 × 512</p>"],
        ["on 8 H100 SXM for", "on 8 A100 for", "on 16 A100 for"],
        ["same", "same"],
        ["", "x"],
        ["aa", "aaa"],
    ],
)
def test_texts_are_put_together_again_from_their_skeleton(texts: list[str]) -> None:
    columns = Columns()
    parts = skeleton(texts, columns)

    encoded: Any = columns.encoded()
    assert [fill_parts(parts, encoded, number) for number in range(len(texts))] == texts


def test_shared_column_is_stored_once() -> None:
    columns = Columns()
    skeleton(["a 1", "a 2", "a 1"], columns)
    skeleton(["1 b 1", "2 b 2", "1 b 1"], columns)

    assert columns.encoded() == [["010", "1", "2"]]


@pytest.mark.parametrize(
    ("value", "band", "text"),
    [
        (0.0, 0.01, "0"),
        (64.0, 1e-9, "64"),
        (549_755_813_888.0, 5e-5, "54976e7"),
        (549_755_813_888.0, 1e-9, "549755814e3"),
        (549_755_813_888.0, 0.0, "549755813888"),
        (8.4e22, 5e-5, "84e21"),
        (1 / 3, 5e-5, "0.33333"),
        (3e-9, 5e-5, "3e-9"),
        (99_999.6, 5e-5, "1e5"),
    ],
)
def test_short_amount_has_only_the_needed_digits(value: float, band: float, text: str) -> None:
    assert short(value, band) == text


@functools.cache
def page_of(identifier: str) -> tuple[tuple[Variant, ...], Mapping[str, object]]:
    """Return the first variants of an exercise, and their data in a page."""
    variants = first_variants(template_named(identifier), {})
    return variants, data(variants, MARKDOWN)


def pose_template(engine: PageScript, template: Template) -> tuple[tuple[Variant, ...], list[dict[str, Any]]]:
    variants, page_data = page_of(template.id)
    return variants, engine.call("posedAll", page_data)


@pytest.mark.no_cover
@pytest.mark.parametrize("template", TEMPLATES, ids=lambda template: template.id)
def test_page_poses_every_variant_like_python(engine: PageScript, template: Template) -> None:
    variants, page_sets = pose_template(engine, template)

    assert len({repr(variant.parameters) for variant in variants}) == len(variants)
    assert [
        [one["seed"], one["heading"], one["more"], *one["hints"], one["solution"], one["full"], one["tolerance"]]
        for one in page_sets
    ] == [
        [
            variant.seed,
            *MARKDOWN.question(variant.prompt, ""),
            *(MARKDOWN.inline(hint) for hint in variant.hints),
            MARKDOWN.blocks(solution_text(variant)) + figures(variant),
            full_answer(variant),
            0 if variant.is_whole else variant.tolerance,
        ]
        for variant in variants
    ]


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda template: template.id)
def test_page_amounts_are_precise_enough_for_judging(engine: PageScript, template: Template) -> None:
    variants, page_sets = pose_template(engine, template)

    for variant, one in zip(variants, page_sets, strict=True):
        precise = min(variant.tolerance, 0.02) / 90 or 1e-8
        assert one["answer"] == pytest.approx(variant.answer, rel=precise)
        assert {slip["id"]: slip["value"] for slip in one["slips"]} == pytest.approx(
            {slip.id: slip.value for slip in variant.slips}, rel=precise
        )
        assert [(slip["question"], slip["message"]) for slip in one["slips"]] == [
            (plain_text(slip.question), plain_text(slip.message)) for slip in variant.slips
        ]


def plain_text(text: str) -> str:
    return plain(MARKDOWN.inline(text))


def test_exercise_takes_under_890_compressed_bytes_on_average() -> None:
    every = [json.dumps(page_of(template.id)[1], separators=(",", ":")) for template in TEMPLATES]

    page_data = "\n".join([assets.script("studykit-exercises.js", shipped()), *every])

    assert len(TEMPLATES) >= 91
    assert len(gzip.compress(page_data.encode(), 9)) <= 890 * len(TEMPLATES)


def test_matmul_exercise_brings_at_least_twenty_variants() -> None:
    assert len(first_variants(template_named("flops.matmul"), {})) >= 20


def test_pinned_parameters_stay_in_every_set() -> None:
    variants = first_variants(template_named("flops.matmul"), {"m": 64, "k": 512, "n": 128})

    assert [variant.parameters for variant in variants] == [{"m": 64, "k": 512, "n": 128}]


def test_page_poses_and_judges_recorded_bets(engine: PageScript) -> None:
    of_bet = {bet.id: BET.page(bet, {}).variants for bet in BETS}
    answerable = {name: variants for name, variants in of_bet.items() if variants}

    assert len(answerable) >= 40
    assert not of_bet["bet.add_tiny"]  # bound by the host: no exact time
    for name, variants in answerable.items():
        sets = engine.call("posedAll", data(tuple(variants), MARKDOWN))
        for variant, one in zip(variants, sets, strict=True):
            assert one["solution"] == MARKDOWN.blocks(solution_text(variant)) + figures(variant)
            assert one["tolerance"] == 1
            times = [f"{factor * variant.answer} s" for factor in (0.35, 0.55, 1.9, 9)]
            verdicts = [judgment[0] for judgment in engine.call("judgeAll", one, times)]
            assert verdicts == ["close", "correct", "correct", "incorrect"], name


def test_recorded_bet_keeps_its_seed_and_pins() -> None:
    matmul = bet_named("bet.matmul")

    (variant,) = BET.page(matmul, {"n": "4096", "dtype": "bfloat16"}).variants

    recorded = recording("h100").draw(matmul, variant.seed, {"n": 4096, "dtype": "bfloat16"})
    assert recorded.markdown in variant.prompt
    assert variant.answer == 182.1e-6
    assert not BET.page(matmul, {"n": "512"}).variants  # a size of the CPU's


def drawn_roof(at: Roof) -> str:
    template = replace(template_named("roof.ridge"), roof=lambda _: at)
    return figures(replace(draw(template, 1), template=template))


def test_measured_point_lies_below_the_roof() -> None:
    at = Roof(device("H100 SXM"), 1000.0, reached=494.5e12)  # a factor 2 below its peak
    on_roof = re.search(r'<circle cx="(\d+)" cy="(\d+)"', drawn_roof(replace(at, reached=0.0)))
    below = re.search(r'<circle cx="(\d+)" cy="(\d+)"', drawn_roof(at))

    assert on_roof is not None
    assert below is not None
    assert (on_roof[1], int(below[2]) - int(on_roof[2])) == (below[1], 8)
    assert "compute-bound: this reached 494.5 TFLOP/s." in description(at)
    assert "compute-bound: at most 989" in description(replace(at, reached=0.0))
