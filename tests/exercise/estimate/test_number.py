"""Check how numbers are judged: right, close, slips, and the feedback during a retry."""

from collections.abc import Mapping
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from templates import draw_number, template_named

from studykit.exercise import catalog
from studykit.exercise.estimate import feedback, number, pins
from studykit.exercise.estimate.template import Template, Variant, VariantSlip, draw
from studykit.exercise.estimate.values import Values
from studykit.exercise.verdict import Close, Correct, Incorrect, Malformed, Verdict

JUDGE = number.judge
TEMPLATES = [found for found in catalog.every() if isinstance(found, Template)]


def pinned(name: str, **parameters: str) -> Variant:
    template = template_named(name)
    return draw(template, 1, pins.pins(template, parameters))


TOTAL = pinned("flops.train_total", N="7B", D="2T")  # 8.4e22 FLOP
DAYS = pinned("time.train_days", N="70B", D="15T", n="1024", hw="H100 SXM", mfu="0.4")  # 179.9 days
STATE = pinned("mem.train_state", N="7B", conv="fp32")  # 112 GB


@pytest.mark.parametrize("answer", ["8.4e22", "84 ZFLOP", "8.5e22", "6*7B*2T", "8.24e22 FLOPs"])
def test_within_the_tolerance_is_right(answer: str) -> None:
    assert JUDGE(TOTAL, answer).verdict == Correct()


def test_partly_unitless_expression_is_asked_again() -> None:
    verdict = JUDGE(pinned("mem.max_model", n="8", hw="H100 SXM", conv="12"), "8*80 GB/12").verdict

    assert isinstance(verdict, Malformed)
    assert "write units on every part, or on none" in verdict.why


def test_tied_slips_ask_the_intermediate_step() -> None:
    judged = JUDGE(DAYS, "89.95 days")

    assert [slip.id for slip in judged.slips] == ["sparse_peak", "mac_as_flop"]
    assert len(judged.slips) > 1
    assert feedback.between_question(DAYS, judged.slips) == "What do you get for the training FLOPs?"
    assert DAYS.between.answer == 6.3e24


def test_a_percentage_may_be_given_as_a_fraction() -> None:
    overhead = pinned("mem.remat_overhead", p="1")

    assert JUDGE(overhead, "33").verdict == Correct()
    assert JUDGE(overhead, "33 %").verdict == Correct()
    assert JUDGE(overhead, "1/3").verdict == Correct()


def asked(
    answer: float,
    unit: str = "number",
    tolerance: float = 0.02,
    *,
    unit_fixed: bool = False,
    slips: Mapping[str, float] | None = None,
) -> Variant:
    """Return a question that no template draws, with slips of these values."""
    template = Template(
        id="a.question",
        objective="flops",
        grid={},
        prompt="How much?",
        answer=lambda _: answer,
        unit=unit,
        tolerance=tolerance,
        slips=(),
        hints=("", "", ""),
        solution=(),
        unit_fixed=unit_fixed,
    )
    live = tuple(VariantSlip(name, value, f"{name}?", f"{name}.") for name, value in (slips or {}).items())
    return Variant(template, 1, Values({}), {}, answer, tolerance, live)


def test_bare_number_is_read_in_the_prompt_unit() -> None:
    assert JUDGE(STATE, "112").verdict == Correct()
    assert JUDGE(STATE, "7*16").verdict == Correct()
    assert isinstance(JUDGE(STATE, "1.12e14").verdict, Incorrect)


@pytest.mark.parametrize("answer", ["1.12e11", "7e9*16", "2e11"])
def test_bare_number_resembling_bytes_is_asked_its_unit(answer: str) -> None:
    why = JUDGE(STATE, answer).verdict

    assert isinstance(why, Malformed)
    assert str(why.why).startswith("the unit here is GB, which makes this ")
    assert str(why.why).endswith("B; add a unit")


@pytest.mark.parametrize(
    ("name", "answer", "slips"),
    [
        ("time.train_days", "{hours!r}", ["hours_for_days"]),
        ("time.train_days", "{seconds!r} s", None),
        ("time.train_days", "{third!r}", ["hours_per_day", "forward_only"]),
        ("time.train_days", "{seconds!r} days", ["seconds_per_day"]),
        ("time.gpu_hours", "{days!r}", ["days_for_hours"]),
        ("time.gpu_hours", "{hours!r} h", None),
    ],
)
def test_hours_for_days_have_a_name(name: str, answer: str, slips: list[str] | None) -> None:
    variant = draw(template_named(name), 11)
    hours = variant.answer / 3600
    numbers = {"seconds": variant.answer, "third": hours / 3, "hours": hours, "days": hours / 24}
    judged = JUDGE(variant, answer.format(**numbers))

    assert [slip.id for slip in judged.slips] == (slips or [])
    assert isinstance(judged.verdict, Correct if slips is None else Incorrect)


@pytest.mark.parametrize("name", ["time.train_days", "time.gpu_hours", "ckpt.interval", "time.matmul_ms"])
@pytest.mark.parametrize("factor", [1.0, 1.3, 1 / 3])
def test_bare_number_of_seconds_is_asked_its_unit(name: str, factor: float) -> None:
    variant = draw(template_named(name), 11)

    why = JUDGE(variant, repr(variant.answer * factor)).verdict

    assert isinstance(why, Malformed)
    assert why.why.endswith("; add a unit")


@pytest.mark.parametrize(
    ("variant", "answer", "shown"),
    [
        (asked(3.6e11, "param"), "360", "360 params"),
        (asked(3.6e11, "param"), "32*180/16", "360 params"),
        (asked(5.5e12, "token"), "7.1", "7.1 tokens"),
        (asked(312e12, "FLOP/s"), "156", "156 FLOP/s"),
    ],
)
def test_bare_number_of_billions_is_asked_its_prefix(variant: Variant, answer: str, shown: str) -> None:
    why = f"that is {shown}; add a prefix, or B or T for billions or trillions"

    assert JUDGE(variant, answer).verdict == Malformed(why)


@pytest.mark.parametrize(
    "variant", [asked(3.6e11, "FLOP"), asked(1e7, "param"), asked(3.6e11, "param", slips={"one": 360.0})]
)
def test_any_other_small_bare_number_is_an_answer(variant: Variant) -> None:
    assert isinstance(JUDGE(variant, "360").verdict, Incorrect)


def test_prefix_error_is_named_as_si_slip() -> None:
    judged = JUDGE(draw(template_named("mem.max_model"), 11), "360K")

    assert [slip.id for slip in judged.slips] == ["si_slip"]


def test_device_time_is_no_clock_time() -> None:
    days = DAYS.answer / 86400
    judged = JUDGE(DAYS, f"{days!r} GPU-days")

    why = "that is the time of all devices together, but the question asks for days on the clock"
    assert (judged.verdict, judged.notes) == (Incorrect(None, why), ())
    assert judged.value == pytest.approx(DAYS.answer)
    assert judged.target == DAYS.template.target
    assert JUDGE(DAYS, f"{days!r} days").verdict == Correct()


def test_typed_bits_outrank_an_equal_slip() -> None:
    variant = asked(128e9, "GB", slips={"weights": 16e9})

    assert [(slip.id, slip.value) for slip in JUDGE(variant, "128 Gb").slips] == [("bits_for_bytes", 16e9)]
    assert JUDGE(variant, "160 Gb").slips == ()
    assert [slip.id for slip in JUDGE(variant, "16 GB").slips] == ["weights"]


def test_b_read_as_billion_is_named_among_bytes() -> None:
    verdict = JUDGE(asked(53.3e9, "param"), "8*80 GB/(12 B)").verdict

    asks = "that is bytes, but the question asks for a number of parameters"
    assert verdict == Malformed(f"{asks}; a B in it was read as a billion, so write bytes where bytes are meant")


def test_b_read_as_billion_is_unnamed_without_bytes() -> None:
    verdict = JUDGE(asked(53.3e9, "param"), "8*80 s/(12 B)").verdict

    asks = "that is a time, but the question asks for a number of parameters"
    assert verdict == Malformed(f"{asks}; write units on every part, or on none")
    assert JUDGE(TWO_DAYS, "8 FLOP/(12 B)").verdict == Malformed(
        "that is FLOPs, but the question asks for a time; write units on every part, or on none"
    )


def test_rough_fraction_gets_a_note() -> None:
    judged = JUDGE(asked(0.5, "%"), "0.6", rough=True)

    assert (judged.verdict, judged.notes) == (Correct(), ("read as a fraction, not %",))


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda template: template.id)
def test_displayed_answer_is_correct_when_typed(template: Template) -> None:
    for seed in range(30):
        variant = draw_number(template, seed)
        told = feedback.right_answer(variant)

        assert JUDGE(variant, told).verdict == Correct(), told
        assert JUDGE(variant, f"{variant.answer / template.target.factor!r}").verdict == Correct()


@pytest.mark.parametrize(
    ("variant", "answer", "said"),
    [
        (asked(3146752.0, "param", 0), "3145728", "The answer is 3,146,752 params. Yours is 0.033 % too low."),
        (asked(65504.0, tolerance=0.0001), "65530", "The answer is 65504. Yours is 0.04 % too high."),
        (asked(74.5123), "74.51", "The answer is 74.51."),
        (asked(74.5), "74.5", "The answer is 74.5. Yours is exact."),
        (asked(16777217.0, "count", 0), "16777216", "The answer is 16,777,217. Yours is 6e-6 % too low."),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_exact_is_said_of_what_is_exact_alone(variant: Variant, answer: str, said: str) -> None:
    judged = JUDGE(variant, answer)

    assert feedback.when_closed(variant, judged.value, judged.slips) == said
    assert isinstance(judged.verdict, Correct) == (answer in {"74.51", "74.5"})


def test_conversion_answer_in_the_old_unit_is_refused() -> None:
    gib = pinned("mem.gib", x="80")

    assert JUDGE(gib, "80 GB").verdict == Malformed("the question is the conversion: give it in GiB")
    assert JUDGE(gib, "74.5 gibibytes").verdict == JUDGE(gib, "74.5 GiB").verdict == Correct()


def test_rough_mode_passes_near_answers_but_no_slip() -> None:
    assert JUDGE(TOTAL, "1e23", rough=True).verdict == Correct()
    assert isinstance(JUDGE(TOTAL, "1e23").verdict, Incorrect)
    assert [slip.id for slip in JUDGE(TOTAL, "1.12e23", rough=True).slips] == ["with_recompute"]


def test_zero_is_correct_only_as_the_answer() -> None:
    view = pinned("stride.view_bytes", op="x.t()")

    assert JUDGE(view, "0").verdict == Correct()
    assert [slip.id for slip in JUDGE(view, str(int(view.slips[0].value))).slips] == ["copied"]
    assert isinstance(JUDGE(TOTAL, "0").verdict, Incorrect)


@pytest.mark.parametrize("answer", ["2.8e22", "4.2e22", "1e20", "5e22", "8.7e22", "84 ZB", "soon"])
def test_retry_feedback_hides_factor_and_answer(answer: str) -> None:
    judged = JUDGE(TOTAL, answer)

    said = feedback.while_open(TOTAL, judged.verdict, judged.value, judged.slips)

    assert said
    assert "8.4" not in said
    assert "84" not in said.replace("84 ZB", "").replace("8.4e22 or", "")
    assert "6" not in said


def test_direction_names_the_decade() -> None:
    assert feedback.direction(2.8e22, 8.4e22) == "too low"
    assert feedback.direction(8.4e24, 8.4e22) == "too high, by 10x or more"


TEXTS = st.one_of(st.text(max_size=20), st.text("0123456789.eE+-*/^() BGTMkiFLOPs%$day,~", max_size=20))


@given(st.sampled_from(TEMPLATES), st.integers(0, 50), TEXTS, st.booleans())
def test_any_text_gets_a_verdict_from_any_template(
    template: Template,
    seed: int,
    text: str,
    rough: bool,  # noqa: FBT001 - drawn
) -> None:
    variant = draw(template, seed)

    judged = JUDGE(variant, text, rough=rough)

    assert feedback.when_closed(variant, judged.value, judged.slips)


def test_feedback_names_the_source_of_device_figures() -> None:
    ridge = pinned("roof.ridge", hw="B200 HGX", dt="bf16")

    assert "(B200 HGX: figures from the HGX B200 table" in feedback.when_closed(ridge, 292.0, ())
    assert "figures from" not in feedback.when_closed(DAYS, 1e7, ())


TWO_GB = asked(2e9, "GB")
TWO_DAYS = asked(172800.0, "days")
SHARE = asked(0.43)


@pytest.mark.parametrize(
    ("variant", "answer", "judgment"),
    [
        (TWO_GB, "2 GB", (Correct(), "2e9 bytes (2 GB)", 2e9, 1.0, ())),
        (TWO_GB, "2", (Correct(), "2e9 bytes (2 GB)", 2e9, 1.0, ())),
        (TWO_GB, "2.5 GB", (Incorrect(1.25), "2.5e9 bytes (2.5 GB)", 2.5e9, 1.25, ())),
        (TWO_GB, "5", (Incorrect(2.5), "5e9 bytes (5 GB)", 5e9, 2.5, ())),
        (
            TWO_GB,
            "2 GFLOP",
            (Incorrect(None, "that is FLOPs, but the question asks for bytes"), "2 GFLOP", 2e9, None, ()),
        ),
        (TWO_DAYS, "48 h", (Correct(), "1.728e5 s (2 days)", 172800.0, 1.0, ())),
        (asked(0.5, "%"), "50", (Correct(), "0.5 (50 %)", 0.5, 1.0, ())),
        (asked(0.5, "%"), "0.5", (Correct(), "0.5 (50 %)", 0.5, 1.0, ("read as a fraction, not %",))),
        (asked(0.5, "%"), "20", (Incorrect(0.4), "0.2 (20 %)", 0.2, 0.4, ())),
        (asked(0.55, "%"), "5", (Incorrect(1 / 11), "0.05 (5 %)", 0.05, 1 / 11, ())),
        (asked(0.5, "%"), "0.2", (Incorrect(0.4), "0.2 (20 %)", 0.2, 0.4, ())),
        (asked(0.5), "50", (Correct(), "0.5", 0.5, 1.0, ("read as percent; a share is written 0.43 or 43 %",))),
        (asked(0.5), "0.515", (Close(1.03), "0.515", 0.515, 1.03, ())),
        (asked(0.0, "GB"), "0", (Correct(), "0 bytes", 0.0, None, ())),
        (asked(0.0, "GB"), "0 bits", (Correct(), "0 bytes", 0.0, None, ("that is bits; 8 bits are a byte",))),
        (asked(0.0, "GB"), "8 GB", (Incorrect(None), "8e9 bytes (8 GB)", 8e9, None, ())),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_judgment_holds_the_reading_and_the_factor(
    variant: Variant, answer: str, judgment: tuple[Verdict, str, float, float | None, tuple[str, ...]]
) -> None:
    judged = JUDGE(variant, answer)

    assert (judged.verdict, judged.read_as, judged.value, judged.factor, judged.notes) == judgment
    assert judged.slips == ()


def test_reading_notes_survive_any_verdict() -> None:
    assert JUDGE(TWO_GB, "1 + 1 GB").verdict == Malformed(
        "a plain number and bytes cannot be added; write the unit on each part"
    )
    assert JUDGE(TWO_GB, "2 Gb").notes == JUDGE(TWO_GB, "9 Gb").notes != ()
    assert JUDGE(asked(10.0), "2 Gb").notes == JUDGE(TWO_GB, "2 Gb").notes


@pytest.mark.parametrize(("answer", "read"), [("1", 0.01), ("42.2", 0.43), ("40+3", 0.43), ("100", 1.0)])
def test_percent_is_read_from_one_to_a_hundred(answer: str, read: float) -> None:
    assert JUDGE(asked(read), answer).verdict == Correct()


@pytest.mark.parametrize(
    ("variant", "answer"),
    [(asked(0.009), "0.9"), (asked(1.01), "101"), (asked(0.5, "bytes"), "50")],
    ids=["too small", "too large", "bytes"],
)
def test_percent_is_not_read_elsewhere(variant: Variant, answer: str) -> None:
    assert isinstance(JUDGE(variant, answer).verdict, Incorrect)


def test_rough_mode_reads_bare_numbers_as_roughly() -> None:
    assert JUDGE(SHARE, "50", rough=True).verdict == Correct()
    assert JUDGE(asked(10.0), "14.9", rough=True).verdict == Correct()
    assert isinstance(JUDGE(asked(10.0), "15.1", rough=True).verdict, Incorrect)


def test_rough_mode_does_not_loosen_what_is_exact() -> None:
    exact = asked(10.0, tolerance=0)

    assert JUDGE(exact, "10.000000001", rough=True).verdict == Correct()
    assert isinstance(JUDGE(exact, "10.000001", rough=True).verdict, Incorrect)
    assert isinstance(JUDGE(exact, "11", rough=True).verdict, Incorrect)


def test_a_right_answer_near_a_slip_is_right() -> None:
    near = asked(10.0, slips={"near": 10.15})

    assert JUDGE(near, "10.1").verdict == Correct()
    assert JUDGE(near, "10.1", rough=True).verdict == Correct()


@pytest.mark.parametrize("answer", [1.0, 1.01])
def test_one_is_an_answer_as_any_other(answer: float) -> None:
    assert JUDGE(asked(answer), "1").verdict == Correct()
    assert JUDGE(asked(answer), "1.01").verdict == Correct()


def test_tied_slips_are_named_in_order() -> None:
    variant = asked(10.0, slips={"half": 5.0, "sixth more": 5.05, "twice": 20.0})

    judged = JUDGE(variant, "5")

    assert judged.verdict == Incorrect(0.5)
    assert judged.slips == variant.slips[:2]
    assert judged.factor == 0.5
    assert judged.read_as == "5"
    assert judged.value == 5.0


def test_one_slip_is_no_tie() -> None:
    judged = JUDGE(asked(10.0, slips={"half": 5.0, "twice": 20.0}), "19.8")

    assert [slip.id for slip in judged.slips] == ["twice"]


def test_ratio_slip_has_value_question_and_message() -> None:
    judged = JUDGE(TWO_GB, "4 GB")

    assert judged.slips == (
        VariantSlip(
            "power_of_two", 4e9, "Is a 2, 4, 8 or 16 missing, or one too many?", "That is off by a power of two."
        ),
    )


@pytest.mark.parametrize(
    ("variant", "answer", "finding"),
    [
        (TWO_GB, "16 GB", "bits_for_bytes"),
        (TWO_GB, "250 MB", "bits_for_bytes"),
        (asked(2e9, "GB", 0.001), "2.0481 GB", "gib_for_gb"),
        (TWO_GB, "2.097 GB", "gib_for_gb"),
        (TWO_GB, "2.199 GB", ""),
        (asked(2e12, "GB"), "2.199 TB", "gib_for_gb"),
        (TWO_GB, "2.252 GB", ""),
        (TWO_DAYS, "2 s", "seconds_per_day"),
        (TWO_DAYS, "172800 days", "seconds_per_day"),
        (TWO_DAYS, "48 s", "seconds_per_hour"),
        (TWO_DAYS, "7200 days", "seconds_per_hour"),
        (TWO_DAYS, "120 days", "seconds_per_minute"),
        (TWO_DAYS, "2 h", "hours_per_day"),
        (TWO_GB, "2 TB", "si_slip"),
        (TWO_GB, "2 kB", "si_slip"),
        (TWO_GB, "20 GB", "exponent"),
        (TWO_GB, "8 GB", "power_of_two"),
        (TWO_GB, "1 GB", "power_of_two"),
        (TWO_GB, "32 GB", "power_of_two"),
        (TWO_GB, "64 GB", ""),
        (TWO_GB, "3 GB", "part"),
        (TWO_GB, "2.5 GB", ""),
        (asked(10.0), "20", "power_of_two"),
        (asked(10.0), "22.5", ""),
        (asked(10.0), "864000", ""),
        (asked(10.0), "36000", ""),
        (asked(10.0), "100", "exponent"),
        (SHARE, "0.043", "exponent"),
        (asked(10.0, tolerance=0), "100", ""),
        (asked(0.0, "GB"), "1 GB", ""),
        (TWO_GB, "0", ""),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_ratio_is_named_where_chance_is_unlikely(variant: Variant, answer: str, finding: str) -> None:
    assert [slip.id for slip in JUDGE(variant, answer).slips] == ([finding] if finding else [])


def posing(variant: Variant, prompt: str) -> Variant:
    return replace(variant, template=replace(variant.template, prompt=prompt))


@pytest.mark.parametrize(
    ("variant", "answer", "findings"),
    [
        (posing(asked(100.0), "On 48 GPUs?"), "4800", ["question_number"]),
        (posing(asked(100.0), "On 48 GPUs?"), "2.083", ["question_number"]),
        (posing(asked(100.0), "At 45 %?"), "20.25", ["question_number"]),
        (posing(asked(100.0), "On 8 GPUs?"), "800", ["question_number", "power_of_two"]),
        (posing(asked(100.0, tolerance=0), "On 48 GPUs?"), "4800", ["question_number"]),
        (posing(asked(100.0), "On 48 GPUs?"), "48", ["copied_number"]),
        (posing(asked(100.0, tolerance=0), "On 48 GPUs?"), "48", ["copied_number"]),
        (posing(asked(1e12, "GB"), "In 45 blocks?"), "45 GB", ["copied_number"]),
        (posing(asked(100.0), "On 48 GPUs?"), "47", []),
        (posing(asked(4.0, tolerance=0), "Of 3, 4, 6 or 12?"), "12", []),
        (asked(7.0, "gpu", tolerance=0), "6.4", ["not_rounded"]),
        (asked(7.0, "gpu", tolerance=0), "7.9", ["not_rounded"]),
        (asked(7.0, "gpu", tolerance=0), "8.1", []),
        (asked(100.0, slips={"half": 37.0}), "37000", ["half", "prefix_too"]),
        (asked(2 * 86400.0, "day", slips={"half": 86400.0 * 0.7}), "16.8", ["hours_per_day", "half"]),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_question_numbers_and_slips_explain_errors(variant: Variant, answer: str, findings: list[str]) -> None:
    assert [slip.id for slip in JUDGE(variant, answer).slips] == findings


def test_whole_unit_slip_matches_one_unit_off() -> None:
    variant = asked(100.0, "gpu", slips={"forgot_mfu": 44.0})

    assert [slip.id for slip in JUDGE(variant, "43").slips] == ["forgot_mfu"]
    assert [slip.id for slip in JUDGE(variant, "42").slips] == []
