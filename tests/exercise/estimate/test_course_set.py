"""Check a set in the order of a course's assignments, and what its questions ask."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from shell import Shell, context_in
from templates import template_named

from studykit.cli.display import services
from studykit.errors import UsageError
from studykit.exercise import registry
from studykit.exercise.estimate import number
from studykit.exercise.estimate.kind import ESTIMATE
from studykit.exercise.estimate.pins import pins
from studykit.exercise.estimate.template import draw
from studykit.exercise.estimate.turns import course_progress, course_questions
from studykit.exercise.kind import SetRequest
from studykit.exercise.services import Services
from studykit.exercise.verdict import Correct


@pytest.fixture
def asked(tmp_path: Path) -> Iterator[Services]:
    lines = "14N\n\n"
    context = context_in(tmp_path, lines, STUDYKIT_NOW="2026-11-23T09:00:00+00:00", STUDYKIT_SEED="3")
    yield services(context, plain=True)
    context.store.close()


def test_set_has_25_deliverables_in_order() -> None:
    deliverables = [one.deliverable for one in course_questions("cs336")]

    assert deliverables == sorted(deliverables)
    assert {*deliverables} == {*range(1, 26)}


@pytest.mark.parametrize("ask", ["number", "formula"])
def test_every_question_is_asked_and_answered_both_ways(ask: str) -> None:
    for one in course_questions("cs336"):
        variant = draw(one.template, 3, pins(one.template, {**one.pinned, "ask": ask}))
        formula = draw(one.template, 3, pins(one.template, {**one.pinned, "ask": "formula"})).formula

        assert (variant.formula != "") == (ask == "formula")
        whole = f"floor({formula})" if variant.is_whole and "log2" not in formula and ask == "number" else formula
        assert number.judge(variant, whole).verdict == Correct(), one


def test_right_answer_counts_for_its_deliverable(asked: Services) -> None:
    assert course_progress(asked.store, "cs336") == "cs336: 0 of 25 right"

    registry.practise(asked, "flops.adamw_step", SetRequest("flops.adamw_step", 1, 1, {"ask": "formula"}))

    assert course_progress(asked.store, "cs336") == "cs336: 1 of 25 right"


def test_run_begins_with_what_was_not_right(study: Shell) -> None:
    formula = "2*V*d + L*(2*d*h*e + 2*d*kv_heads*e + 3*d*f + 2*d) + d"

    first = study("exercise", "cs336", "--plain", "-n", "2", "ask=formula", typed=f"{formula}\n4*({formula})\n")
    second = study("exercise", "cs336", "--plain", "-n", "1", typed=":quit\n")

    assert "cs336 1/25 · params.exact" in first.out
    assert "cs336 1/25 · mem.shape_state" in first.out
    assert "cs336: 1 of 25 right" in first.out
    assert "cs336 2/25 · flops.shape_forward" in second.out


def test_set_takes_only_the_form_of_its_answers(asked: Services) -> None:
    with pytest.raises(UsageError, match="cs336 takes only ask=number or ask=formula"):
        registry.practise(asked, "cs336", SetRequest("cs336", 1, 1, {"d": "4096"}))


def test_page_has_only_the_questions_for_numbers() -> None:
    card = ESTIMATE.page(template_named("flops.adamw_step"), {})

    assert card.variants
    assert all(not variant.formula for variant in card.variants)


def test_formula_is_judged_at_its_own_numbers_too() -> None:
    variant = draw(template_named("flops.shape_forward"), 1, {"part": "scores", "d": 5120, "ask": "formula"})

    assert not isinstance(
        number.judge(variant, "4*L*s^2*d").verdict, Correct
    )  # 64 heads of 128 are wider than 5120
    assert number.judge(variant, "4*L*s^2*h*e").verdict == Correct()


def test_handout_letters_are_read() -> None:
    variant = draw(template_named("comm.layer_time"), 1, {"case": "DP backward", "ask": "formula"})

    assert number.judge(variant, r"\frac{12 D D_{FF}}{W} \cdot \frac{N_{DP} - 1}{N_{DP}}").verdict == Correct()


@pytest.mark.parametrize("name", ["params.exact", "params.dense", "mem.shape_state"])
def test_width_alone_is_divided_among_heads(name: str) -> None:
    known = draw(template_named(name), 1, {"d": 1000}).values.known

    assert (known["h"], known["e"]) == (10, 100)


def test_head_dimension_follows_from_width_and_heads() -> None:
    texts = {"d_model": "2080", "n_layers": "30", "d_ff": "5568", "n_heads": "26", "kv_heads": "26", "V": "40000"}
    template = template_named("params.dense")

    variant = draw(template, 1, pins(template, texts))

    assert variant.values.e == 80
    assert "heads of dimension 80" in variant.prompt.replace("KV ", "")
    assert variant.answer == 30 * (4 * 2080**2 + 3 * 2080 * 5568) + 2 * 40000 * 2080
    with pytest.raises(UsageError, match="A width of 2080 cannot be divided among 24 heads"):
        draw(template, 1, pins(template, {**texts, "n_heads": "24", "kv_heads": "24"}))


def test_check_says_what_a_pinned_width_means_now(study: Shell, tmp_path: Path) -> None:
    deck = tmp_path / "deck.md"
    deck.write_text("E: params.dense d=2080 h=26 {#a .flops}\n\nE: params.dense d=4096 {#b .flops}\n")

    result = study("check", str(deck))

    assert "deck.md:1: warning: params.dense: 26 heads in a width of 2080 are of dimension 80 today" in result.out
    assert "deck.md:3" not in result.out
