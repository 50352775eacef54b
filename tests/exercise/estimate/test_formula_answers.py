"""Check formulas as answers: read as intended, right if equal, with slips named."""

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from templates import template_named

from studykit.exercise import SlipRule, Template
from studykit.exercise.estimate import number, selftest
from studykit.exercise.estimate.question import question_of
from studykit.exercise.estimate.template import NumericJudgment, Variant, draw
from studykit.exercise.estimate.values import Values
from studykit.exercise.verdict import Correct, Incorrect, Malformed

DATA = Path(__file__).parents[2] / "data" / "estimates"
SIZES = (3, 5, 7, 11, 13, 17, 24, 40)
SPREAD = {
    "mem": (2e9, 3.1e9, 4.7e9),
    "mfu": (0.2, 0.35, 0.5, 0.65, 0.8),
    "G": (2, 4, 7, 16),
    "a": (3e7, 7e7, 2e8),
    "kv_heads": (1, 2),
}


def rows(name: str) -> list[list[str]]:
    lines = (DATA / name).read_text("utf-8").splitlines()
    return [[cell.strip() for cell in line.split("|")] for line in lines if line and not line.startswith("#")]


def python(formula: str) -> Callable[[Values], float]:
    """Return a function that evaluates a formula with Python, which shares no code with the reader."""
    code = compile(formula, formula, "eval")
    names = {name: getattr(math, name) for name in ("sqrt", "floor", "log2")} | {"max": max}
    return lambda values: float(eval(code, names, dict(values.known)))  # noqa: S307 - formulas of this test


def question(name: str, letters: str, answer: str, slips: str) -> Template:
    grid: dict[str, Any] = {}
    for letter, _, rule in (word.partition("=") for word in letters.split()):
        choices = SPREAD.get(letter, SIZES)
        grid[letter] = (lambda values, rule=rule: (python(rule)(values),)) if rule else choices
    rules = (slip.partition(":") for slip in slips.split(";"))
    return Template(
        id=f"formula.{name}",
        objective="flops",
        grid=grid,
        prompt=f"Give {name} as a formula.",
        answer=python(answer),
        unit="number",
        tolerance=0,
        slips=tuple(
            SlipRule(slip.strip(), python(rule.strip()), "Is it?", "It is not.") for slip, _, rule in rules
        ),
        hints=("a", "b", "c"),
        solution=("{answer}",),
        formula=answer.replace("**", "^"),
    )


QUESTIONS = {row[0]: question(*row) for row in rows("formula_questions.txt")}
ANSWERS = {row[0]: row[2] for row in rows("formula_questions.txt")}


def verdict_of(judged: NumericJudgment) -> str:
    match judged.verdict:
        case Correct():
            return "right"
        case Malformed(why):
            return f"again {why}"
    slip = judged.slips[0] if judged.slips else None
    if slip is None:
        return "wrong"
    return f"off {slip.message.split()[3]}" if slip.id.startswith("formula_") else f"slip {slip.id}"


@pytest.mark.parametrize("name", QUESTIONS)
def test_questions_hold_true(name: str) -> None:
    assert selftest.problems(QUESTIONS[name], number.judge, range(5)) == []


@pytest.mark.parametrize(("name", "wanted", "typed"), rows("formulas.txt"))
def test_formula_is_read_as_meant(name: str, wanted: str, typed: str) -> None:
    verdict = verdict_of(number.judge(draw(QUESTIONS[name], 1), typed))

    assert verdict.startswith("again") if wanted.startswith("again") else verdict == wanted
    assert wanted.removeprefix("again ") in verdict


@pytest.mark.parametrize(("name", "typed"), rows("right_formulas.txt"))
def test_right_formula_is_accepted(name: str, typed: str) -> None:
    assert judged(name, typed).verdict == Correct()


@pytest.mark.parametrize("ask", ["number", "formula"])
@pytest.mark.parametrize(
    ("name", "typed", "notes"),
    [
        ("comm.layer_largest", "floor(1 + B*link/peak)", ()),
        ("flops.shape_share", "100*2*s*d*V / (2*L*s*(4*d^2 + 2*s*d + 3*d*f) + 2*s*d*V)", ("read in percent",)),
    ],
)
def test_rounded_count_and_percentage_are_right(name: str, typed: str, notes: tuple[str, ...], ask: str) -> None:
    part = {"part": "output"} if name == "flops.shape_share" else {"case": "DP backward"}
    one = judged(name, typed, ask=ask, **part)

    assert (one.verdict, one.slips, one.notes) == (Correct(), (), notes)


WRONG = rows("wrong_formulas.txt")


def test_wrong_formulas_are_named() -> None:
    judged = [number.judge(draw(template_named(name), 7), typed) for name, typed in WRONG]

    assert [row for row, one in zip(WRONG, judged, strict=True) if not isinstance(one.verdict, Incorrect)] == []
    assert sum(bool(one.slips) for one in judged) >= 0.9 * len(WRONG)


SIGNS = st.sampled_from(["*", " * ", " ", " × ", "·", r" \cdot ", " x "])


@given(st.sampled_from(["matmul", "train_total", "activations_linear", "kv_per_token", "logits"]), st.data())
def test_equal_form_is_always_right(name: str, data: st.DataObject) -> None:
    first, *others = ANSWERS[name].split("*")
    number_, letters = int(first), data.draw(st.permutations(others))
    cut = data.draw(st.integers(1, number_ - 1))
    text = letters[0]
    for letter in letters[1:]:
        text += data.draw(SIGNS) + letter
    plain = "*".join(letters)
    forms = [
        f"{number_} {text}",
        f"{cut}*({plain}) + {text}*{number_ - cut}",
        f"({text})/(1/{number_})",
        f"({number_}^2 {text})/{number_}",
        f"{number_ + cut}({text}) - {cut} {text}",
        rf"\frac{{{number_ * cut} {text}}}{{{cut}}}",
        f"sqrt(({number_}*{plain})^2)",
    ]

    assert verdict_of(number.judge(draw(QUESTIONS[name], 1), data.draw(st.sampled_from(forms)))) == "right"


@given(st.sampled_from(sorted(QUESTIONS)), st.data())
def test_other_formula_is_never_right(name: str, data: st.DataObject) -> None:
    answer, template = ANSWERS[name], QUESTIONS[name]
    letter = data.draw(st.sampled_from([name for name in template.grid if name != "d"] or ["d"]))
    factor = data.draw(st.integers(2, 9))
    other = data.draw(
        st.sampled_from(
            [f"{factor}*({answer})", f"({answer})/{factor}", f"({answer})^2", f"sqrt({answer})"]
            if data.draw(st.booleans())
            else [
                f"({answer})*{letter}",
                f"({answer})/{letter}",
                f"({answer}) + {letter}",
                f"({answer}) - {factor}",
            ]
        )
    )

    judged = number.judge(draw(template, 1), other)

    assert not isinstance(judged.verdict, Correct), other


def judged(name: str, typed: str, **pins: object) -> NumericJudgment:
    return number.judge(draw(template_named(name), 7, pins), typed)


@pytest.mark.parametrize(
    ("typed", "verdict"),
    [
        ("16*N + 4*b*s*((L + 3)*d + V)", "slip state_and_saved"),  # but for the losses' few bytes
        ("16*N + 4*b*s*(7*d + V)", "slip state_and_saved"),  # at this L
        ("16*N + 612.4e6", "slip state_and_saved"),
        ("12*N + 4*b*s*((L + 3)*d + 3*V)", "right"),
    ],
)
def test_formula_of_a_count_is_near_enough(typed: str, verdict: str) -> None:
    assert verdict_of(judged("count.checkpoint_peak", typed, d=768, L=4, b=4)) == verdict


def test_formula_is_echoed_with_its_value() -> None:
    assert judged("flops.train_total", "C = 6ND", N=7e9, D=2e12).read_as == "6*N*D = 8.4e22 FLOP (84 ZFLOP)"


RIGHT_HERE = "right here; in general"
A_CHECKPOINT = {"d": 768, "L": 4, "b": 4}
SIZES_OF_A_MATMUL = {"m": 4096, "n": 4096, "k": 1024}


@pytest.mark.parametrize(
    ("name", "typed", "pins", "note"),
    [
        ("flops.matmul", "2*m*m*k", SIZES_OF_A_MATMUL, f"{RIGHT_HERE} the answer also depends on n"),
        ("flops.matmul", "2*m*m*k + n - m", SIZES_OF_A_MATMUL, f"{RIGHT_HERE} it is another formula"),
        ("flops.matmul", "2mnk", SIZES_OF_A_MATMUL, ""),
        (
            "count.checkpoint_peak",
            "12*N + 4*b*s*(7*d + 3*V)",
            A_CHECKPOINT,
            f"{RIGHT_HERE} the answer also depends on L",
        ),
        ("stride.copy_bytes", "2 a b * 2", {}, ""),
        ("time.hfu_from_mfu", "4 mfu / 3", {}, ""),
        ("flops.backward", "4 B N", {}, ""),
        ("accum.steps", "1 b / (micro G)", {}, ""),
    ],
)
def test_formula_right_only_here_says_so(name: str, typed: str, pins: dict[str, object], note: str) -> None:
    one = judged(name, typed, **pins)

    assert (one.verdict, one.notes) == (Correct(), (note,) if note else ())
    assert one.formula


def test_number_where_a_letter_belongs_is_right_here() -> None:
    assert judged("flops.train_total", "6*7B*D", N=7e9).verdict == Correct()
    assert verdict_of(judged("flops.train_total", "6*7B*D", N=13e9)).startswith("again 7B is a number")


@pytest.mark.parametrize(
    ("name", "typed"),
    [
        ("time.train_days", "6*N*D/(G*peak*mfu)"),
        ("comm.overlap_tokens", "g * peak"),
        ("ckpt.interval", "sqrt(2*save*mtbf)"),
        ("mem.tensor", "a b c dt"),
        ("data.batch_bytes", "2*b*s"),
    ],
)
def test_formula_is_read_for_every_kind_of_letter(name: str, typed: str) -> None:
    assert judged(name, typed).formula


@pytest.mark.parametrize(
    ("name", "typed", "value"),
    [
        ("flops.matmul", "7B", 7e9),
        ("time.train_days", "3 h", 10800.0),
        ("mem.train_state", "140 GB", 140e9),
        ("flops.train_total", "84 ZFLOP", 84e21),
    ],
)
def test_amount_comes_before_a_formula(name: str, typed: str, value: float) -> None:
    one = judged(name, typed)

    assert (one.value, one.formula) == (value, "")


@pytest.mark.parametrize("typed", ["7 bananas", "soon", "(a lot)", ""])
def test_non_formula_is_asked_again_as_amount(typed: str) -> None:
    verdict = judged("flops.step", typed).verdict

    assert isinstance(verdict, Malformed)
    assert "letter of this question" not in verdict.why


@pytest.mark.parametrize(
    "typed",
    [
        "(" * 390 + "N",
        "N^" * 190 + "N",
        "9^9^9^9*N",
        "N" * 5000,
        "-" * 390 + "N",
        "max(" * 90 + "N",
        r"\frac{" * 60 + "N",
        "NDND" * 90,
        "N/0",
        "(-N)^(1/2)",
        "√" * 300 + "N",
        "log(0*N)",
    ],
)
def test_hostile_formula_is_a_sentence(typed: str) -> None:
    for template in (QUESTIONS["train_total"], template_named("flops.train_total")):
        verdict = number.judge(draw(template, 1), typed).verdict

        assert isinstance(verdict, Malformed | Incorrect)


@given(st.text(alphabet="NDmk0129.,+-*/^() \\{}_√²⌈⌉=<%efracsqt", max_size=60))
def test_any_text_has_a_verdict(typed: str) -> None:
    for name in ("train_total", "matmul"):
        assert number.judge(draw(QUESTIONS[name], 1), typed).verdict.name


def test_wrong_amount_is_not_read_as_formula() -> None:
    variant = draw(template_named("inf.ttft"), 1)
    typed = f"{variant.answer / variant.letters['s']!r} s"

    assert [slip.id for slip in number.judge(variant, typed).slips] == ["one_token"]


def test_words_around_a_wrong_amount_are_no_formula() -> None:
    assert judged("accum.activation_saving", "7 GB per micro-batch").verdict.name == "incorrect"


def test_formula_with_a_zero_letter_is_judged() -> None:
    assert judged("stride.of_dim", "d * a", i=0).verdict.name == "incorrect"


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        ("mk", "n is missing. Your formula gives (1/2)/n times the answer."),
        ("2*m*k*n*k", "Your formula gives k times the answer."),
        ("2*m*m*k", "n is missing. Your formula gives m/n times the answer."),
        ("3*m*n*k", "Your formula gives 3/2 times the answer."),
    ],
)
def test_wrong_formula_is_compared_with_the_right_one(typed: str, message: str) -> None:
    assert number.judge(draw(QUESTIONS["matmul"], 1), typed).slips[0].message == message


def test_number_for_a_formula_is_asked_again() -> None:
    variant = draw(QUESTIONS["train_total"], 1)

    assert number.judge(variant, "8.4e22").verdict == Malformed("give a formula in N, D")


def test_question_for_a_formula_says_so() -> None:
    question = question_of(draw(QUESTIONS["train_total"], 1))

    assert question.fields == ("formula",)
    assert "Accepted in any equal form." in question.markdown
    assert question.right == "6*N*D"
    seconds = question_of(draw(template_named("comm.ring_time"), 7, {"ask": "formula"}))
    assert "Accepted in any equal form, in SI units." in seconds.markdown


def test_slips_of_formulas_count_as_those_of_numbers() -> None:
    variant: Variant = draw(template_named("flops.train_total"), 7)
    by_number = number.judge(variant, f"{variant.answer / 3}")

    assert [slip.id for slip in by_number.slips] == [slip.id for slip in number.judge(variant, "2ND").slips]
