"""How numbers are judged: near enough, close, slips, and what is said while a retry is open."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studykit.exercise import catalog
from studykit.exercise.numeric import feedback, pins
from studykit.exercise.numeric.template import Template, Variant, draw
from studykit.exercise.verdict import Close, Correct, Incorrect, Malformed
from studykit.graders import number

JUDGE = number.judge
TEMPLATES = [found for found in catalog.every() if isinstance(found, Template)]


def pinned(name: str, **parameters: str) -> Variant:
    template = catalog.template(name)
    return draw(template, 1, pins.pins(template, parameters))


TOTAL = pinned("flops.train_total", N="7B", D="2T")  # 8.4e22 FLOP
DAYS = pinned("time.train_days", N="70B", D="15T", n="1024", hw="H100 SXM", mfu="0.4")  # 179.9 days
STATE = pinned("mem.train_state", N="7B", conv="fp32")  # 112 GB
RATIO = pinned("time.hfu_from_mfu", mfu="0.3")  # 0.4


@pytest.mark.parametrize("answer", ["8.4e22", "84 ZFLOP", "8.5e22", "6*7B*2T", "8.24e22 FLOPs"])
def test_within_the_tolerance_is_right(answer: str) -> None:
    assert JUDGE(TOTAL, answer).verdict == Correct()


def test_within_twice_the_tolerance_is_close() -> None:
    verdict = JUDGE(TOTAL, "8.7e22").verdict

    assert isinstance(verdict, Close)


def test_another_dimension_is_wrong_without_a_factor() -> None:
    judged = JUDGE(TOTAL, "84 ZB")

    assert judged.verdict == Incorrect(None, (), "that is bytes, but the question asks for FLOPs")


def test_an_expression_with_half_of_its_units_is_asked_again() -> None:
    verdict = JUDGE(pinned("mem.max_model", n="8", hw="H100 SXM", conv="12"), "8*80 GB/12").verdict

    assert isinstance(verdict, Malformed)
    assert "write units on every part, or on none" in verdict.why


def test_tied_slips_are_both_named_and_the_step_between_is_asked() -> None:
    judged = JUDGE(DAYS, "89.95 days")

    assert [slip.id for slip in judged.slips] == ["sparse_peak", "mac_as_flop"]
    assert len(judged.slips) > 1
    assert feedback.between_question(DAYS, judged.slips) == "What do you get for the training FLOPs?"
    assert DAYS.between.answer == 6.3e24


@pytest.mark.parametrize(
    ("variant", "answer", "finding"),
    [
        (STATE, "112 TB", "si_slip"),
        (STATE, "11.2 GB", "exponent"),
        (STATE, "112 GiB", "gib_for_gb"),
        (STATE, "14 GB", "bits_for_bytes"),
        (DAYS, "179.9 s", "seconds_per_day"),
        (TOTAL, "3.36e23", "power_of_two"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_the_ratio_alone_tells_common_mistakes(variant: Variant, answer: str, finding: str) -> None:
    assert [slip.id for slip in JUDGE(variant, answer).slips] == [finding]


def test_a_bare_number_may_be_percent_where_a_share_is_asked() -> None:
    judged = JUDGE(RATIO, "40")

    assert judged.verdict == Correct()
    assert judged.notes == ("read as percent; a share is written 0.43 or 43 %",)


def test_percent_is_not_assumed_of_tiny_shares() -> None:
    bound = pinned("roof.mfu_bound", hw="H100 SXM", ai="0.25")  # 0.00085

    assert isinstance(JUDGE(bound, "0.085").verdict, Incorrect)


def test_a_percentage_may_be_given_as_a_fraction() -> None:
    overhead = pinned("mem.remat_overhead")

    assert JUDGE(overhead, "33").verdict == Correct()
    assert JUDGE(overhead, "33 %").verdict == Correct()
    assert JUDGE(overhead, "1/3").verdict == Correct()


def test_a_bare_number_is_in_the_prompts_unit_or_in_base_units() -> None:
    assert JUDGE(STATE, "112").verdict == Correct()
    assert JUDGE(STATE, "7e9*16").verdict == Correct()


def test_a_conversion_is_not_answered_in_the_old_unit() -> None:
    verdict = JUDGE(pinned("mem.gib", x="80"), "80 GB").verdict

    assert verdict == Malformed("the question is the conversion: give it in GiB")


def test_rough_mode_passes_within_a_factor_of_one_and_a_half_but_not_a_slip() -> None:
    assert JUDGE(TOTAL, "1e23", rough=True).verdict == Correct()
    assert isinstance(JUDGE(TOTAL, "1e23").verdict, Incorrect)
    assert [slip.id for slip in JUDGE(TOTAL, "1.12e23", rough=True).slips] == ["with_recompute"]


def test_zero_is_right_only_where_it_is_the_answer() -> None:
    view = pinned("stride.view_bytes")

    assert JUDGE(view, "0").verdict == Correct()
    assert [slip.id for slip in JUDGE(view, str(int(view.slips[0].value))).slips] == ["copied"]
    assert isinstance(JUDGE(TOTAL, "0").verdict, Incorrect)


@pytest.mark.parametrize("answer", ["2.8e22", "4.2e22", "1e20", "5e22", "8.7e22", "84 ZB", "soon"])
def test_nothing_said_while_a_retry_is_open_holds_a_factor_or_the_answer(answer: str) -> None:
    judged = JUDGE(TOTAL, answer)

    said = feedback.while_open(TOTAL, judged.verdict, judged.value, judged.slips)

    assert said
    assert "8.4" not in said
    assert "84" not in said.replace("84 ZB", "").replace("8.4e22 or", "")
    assert "6" not in said


def test_direction_names_the_decade() -> None:
    assert feedback.direction(2.8e22, 8.4e22) == "too low, by less than 10x"
    assert feedback.direction(8.4e24, 8.4e22) == "too high, by 10x or more"


TEXTS = st.one_of(st.text(max_size=20), st.text("0123456789.eE+-*/^() BGTMkiFLOPs%$day,~", max_size=20))


@given(st.sampled_from(TEMPLATES), st.integers(0, 50), TEXTS, st.booleans())
def test_no_answer_to_any_template_is_more_than_a_verdict(
    template: Template,
    seed: int,
    text: str,
    rough: bool,  # noqa: FBT001 - drawn
) -> None:
    variant = draw(template, seed)

    judged = JUDGE(variant, text, rough=rough)

    assert feedback.headline(judged.verdict)
    assert feedback.when_closed(variant, judged.value, judged.slips)


def test_a_device_known_from_secondary_sources_is_marked_as_such() -> None:
    ridge = pinned("roof.ridge", hw="B200 HGX", dt="bf16")

    assert "B200 HGX: figures from secondary sources" in feedback.when_closed(ridge, 292.0, ())
    assert "secondary" not in feedback.when_closed(DAYS, 1e7, ())
