"""Check how numbers are judged: right, close, slips, and the feedback during a retry."""

from collections.abc import Mapping
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from templates import TEMPLATES, draw_number, pinned, template_named

from studykit.exercise.estimate import feedback, number, pins
from studykit.exercise.estimate.template import Template, Variant, VariantSlip, draw
from studykit.exercise.estimate.values import Values
from studykit.exercise.verdict import Close, Correct, Incorrect, Malformed, Verdict

JUDGE = number.judge

TOTAL = pinned("flops.train_total", N="7B", D="2T")  # 8.4e22 FLOP
DAYS = pinned("time.train_days", N="70B", D="15T", n="1024", hw="H100 SXM", mfu="0.4")  # 179.9 days
STATE = pinned("mem.train_state", N="7B", conv="fp32")  # 112 GB


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


def posing(variant: Variant, prompt: str) -> Variant:
    return replace(variant, template=replace(variant.template, prompt=prompt))


TWO_GB = asked(2e9, "GB")
TWO_DAYS = asked(172800.0, "days")
SHARE = asked(0.43)
PARAMETERS = asked(3.6e11, "param")
TEN = asked(10.0)
EXACT = asked(10.0, tolerance=0)
NEAR_A_SLIP = asked(10.0, slips={"near": 10.15})
OVERHEAD = pinned("mem.remat_overhead", p="1")  # 33.3 %
GIB = pinned("mem.gib", x="80")
VIEW = pinned("stride.view_bytes", op="x.t()")  # 0 bytes


@pytest.mark.parametrize(
    ("variant", "answers"),
    [
        (TOTAL, ["8.4e22", "84 ZFLOP", "8.5e22", "6*7B*2T", "8.24e22 FLOPs"]),
        (STATE, ["112", "7*16"]),
        (OVERHEAD, ["33", "33 %", "1/3"]),
        (GIB, ["74.5 gibibytes", "74.5 GiB"]),
        (VIEW, ["0"]),
        (NEAR_A_SLIP, ["10.1"]),
        (asked(1.0), ["1", "1.01"]),
        (asked(1.01), ["1", "1.01"]),
        (asked(0.01), ["1"]),
        (SHARE, ["42.2", "40+3"]),
    ],
    ids=["tolerance", "unit", "percent", "conversion", "zero", "near a slip", "one", "1.01", "1 %", "a share"],
)
def test_right_answer_is_correct(variant: Variant, answers: list[str]) -> None:
    assert [answer for answer in answers if JUDGE(variant, answer).verdict != Correct()] == []


@pytest.mark.parametrize(
    ("variant", "answer"),
    [
        (TOTAL, "1e23"),
        (TOTAL, "0"),
        (STATE, "1.12e14"),
        (asked(3.6e11, "FLOP"), "360"),
        (asked(1e7, "param"), "360"),
        (asked(3.6e11, "param", slips={"one": 360.0}), "360"),
        (asked(0.009), "0.9"),
        (asked(1.01), "101"),
        (asked(0.5, "bytes"), "50"),
    ],
    ids=["too far", "zero", "large", "FLOP", "10M", "a slip", "under 1 %", "over 100 %", "bytes are not a share"],
)
def test_readable_wrong_answer_costs_a_try(variant: Variant, answer: str) -> None:
    assert isinstance(JUDGE(variant, answer).verdict, Incorrect)


@pytest.mark.parametrize(
    ("variant", "answer", "verdict"),
    [
        (TOTAL, "1e23", Correct),
        (SHARE, "50", Correct),
        (TEN, "14.9", Correct),
        (TEN, "15.1", Incorrect),
        (EXACT, "10.000000001", Correct),
        (EXACT, "10.000001", Incorrect),
        (EXACT, "11", Incorrect),
        (NEAR_A_SLIP, "10.1", Correct),
        (TOTAL, "1.12e23", Incorrect),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_rough_mode_widens_only_the_tolerance(variant: Variant, answer: str, verdict: type[Verdict]) -> None:
    assert isinstance(JUDGE(variant, answer, rough=True).verdict, verdict)


PREFIX = "add a prefix, or B or T for billions or trillions"
ON_EVERY_PART = "write units on every part, or on none"


@pytest.mark.parametrize(
    ("variant", "answer", "why"),
    [
        (STATE, "1.12e11", "the unit here is GB, which makes this "),
        (STATE, "7e9*16", "B; add a unit"),
        (STATE, "2e11", "B; add a unit"),
        (PARAMETERS, "360", f"that is 360 params; {PREFIX}"),
        (PARAMETERS, "32*180/16", f"that is 360 params; {PREFIX}"),
        (asked(5.5e12, "token"), "7.1", f"that is 7.1 tokens; {PREFIX}"),
        (asked(312e12, "FLOP/s"), "156", f"that is 156 FLOP/s; {PREFIX}"),
        (PARAMETERS, "8*80 GB/12", ON_EVERY_PART),
        (PARAMETERS, "8*80 GB/(12 B)", "a B in it was read as a billion, so write bytes where bytes are meant"),
        (
            PARAMETERS,
            "8*80 s/(12 B)",
            f"that is a time, but the question asks for a number of parameters; {ON_EVERY_PART}",
        ),
        (TWO_DAYS, "8 FLOP/(12 B)", f"that is FLOPs, but the question asks for a time; {ON_EVERY_PART}"),
        (GIB, "80 GB", "the question is the conversion: give it in GiB"),
        (TWO_GB, "1 + 1 GB", "a plain number and bytes cannot be added; write the unit on each part"),
    ],
    ids=lambda value: "" if isinstance(value, Variant) else value[:20],
)
def test_unclear_answer_is_asked_again(variant: Variant, answer: str, why: str) -> None:
    verdict = JUDGE(variant, answer).verdict

    assert isinstance(verdict, Malformed)
    assert verdict.why.endswith(why) or verdict.why.startswith(why)


def test_tied_slips_ask_the_intermediate_step() -> None:
    judged = JUDGE(DAYS, "89.95 days")

    assert [slip.id for slip in judged.slips] == ["sparse_peak", "mac_as_flop"]
    assert DAYS.between.answer == 6.3e24


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


def test_device_time_is_no_clock_time() -> None:
    days = DAYS.answer / 86400
    judged = JUDGE(DAYS, f"{days!r} GPU-days")

    why = "that is the time of all devices together, but the question asks for days on the clock"
    assert (judged.verdict, judged.notes) == (Incorrect(None, why), ())
    assert judged.value == pytest.approx(DAYS.answer)
    assert JUDGE(DAYS, f"{days!r} days").verdict == Correct()


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda template: template.id)
def test_displayed_answer_is_correct_when_typed(template: Template) -> None:
    for seed in range(30):
        variant = draw_number(template, seed)
        text = feedback.right_answer(variant)

        assert JUDGE(variant, text).verdict == Correct(), text
        assert JUDGE(variant, f"{variant.answer / template.target.factor!r}").verdict == Correct()


@pytest.mark.parametrize(
    ("variant", "answer", "text"),
    [
        (asked(3146752.0, "param", 0), "3145728", "The answer is 3,146,752 params. Yours is 0.033 % too low."),
        (asked(65504.0, tolerance=0.0001), "65530", "The answer is 65504. Yours is 0.04 % too high."),
        (asked(74.5123), "74.51", "The answer is 74.51."),
        (asked(74.5), "74.5", "The answer is 74.5. Yours is exact."),
        (asked(16777217.0, "count", 0), "16777216", "The answer is 16,777,217. Yours is 6e-6 % too low."),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_exact_is_said_of_what_is_exact_alone(variant: Variant, answer: str, text: str) -> None:
    judged = JUDGE(variant, answer)

    assert feedback.without_retry(variant, judged) == text
    assert isinstance(judged.verdict, Correct) == (answer in {"74.51", "74.5"})


@pytest.mark.parametrize("answer", ["2.8e22", "4.2e22", "1e20", "5e22", "8.7e22", "84 ZB", "soon"])
def test_retry_feedback_hides_factor_and_answer(answer: str) -> None:
    judged = JUDGE(TOTAL, answer)

    text = feedback.while_open(TOTAL, judged.verdict, judged.value, judged.slips)

    assert text
    assert "8.4" not in text
    assert "84" not in text.replace("84 ZB", "").replace("8.4e22 or", "")
    assert "6" not in text


def test_direction_names_the_decade() -> None:
    assert feedback.direction(2.8e22, 8.4e22) == "too low"
    assert feedback.direction(8.4e24, 8.4e22) == "too high, by 10x or more"
    assert feedback.direction(0.0, 8.4e22) == "zero is not it"


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

    assert feedback.without_retry(variant, judged)


def test_feedback_names_the_source_of_device_figures() -> None:
    ridge = pinned("roof.ridge", hw="B200 HGX", dt="bf16")

    assert "(B200 HGX: figures from the HGX B200 table" in feedback.without_retry(ridge, JUDGE(ridge, "292"))
    assert "figures from" not in feedback.without_retry(DAYS, JUDGE(DAYS, "1e7 s"))


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
    assert JUDGE(TWO_GB, "2 Gb").notes == JUDGE(TWO_GB, "9 Gb").notes != ()
    assert JUDGE(TEN, "2 Gb").notes == JUDGE(TWO_GB, "2 Gb").notes
    assert JUDGE(asked(0.5, "%"), "0.6", rough=True).notes == ("read as a fraction, not %",)


def test_tied_slips_are_named_in_order() -> None:
    variant = asked(10.0, slips={"half": 5.0, "sixth more": 5.05, "twice": 20.0})

    judged = JUDGE(variant, "5")

    assert judged.verdict == Incorrect(0.5)
    assert judged.slips == variant.slips[:2]
    assert judged.factor == 0.5
    assert judged.read_as == "5"
    assert judged.value == 5.0


def test_ratio_slip_has_value_question_and_message() -> None:
    judged = JUDGE(TWO_GB, "4 GB")

    assert judged.slips == (
        VariantSlip(
            "power_of_two", 4e9, "Is a 2, 4, 8 or 16 missing, or one too many?", "That is off by a power of two."
        ),
    )


ON_48_GPUS = posing(asked(100.0), "On 48 GPUs?")
EXACTLY_48 = posing(asked(100.0, tolerance=0), "On 48 GPUs?")
GPUS = asked(7.0, "gpu", tolerance=0)
BITS = asked(128e9, "GB", slips={"weights": 16e9})
MFU = asked(100.0, "gpu", slips={"forgot_mfu": 44.0})


@pytest.mark.parametrize(
    ("variant", "slips_by_answer"),
    [
        (draw(template_named("mem.max_model"), 11), {"360K": ["si_slip"]}),
        (VIEW, {str(int(VIEW.slips[0].value)): ["copied"]}),
        (asked(10.0, slips={"half": 5.0, "twice": 20.0}), {"19.8": ["twice"]}),
        (MFU, {"43": ["forgot_mfu"], "42": []}),
        (BITS, {"128 Gb": ["bits_for_bytes"], "160 Gb": [], "16 GB": ["weights"]}),
        (
            TWO_GB,
            {
                "16 GB": ["bits_for_bytes"],
                "250 MB": ["bits_for_bytes"],
                "2.097 GB": ["gib_for_gb"],
                "2.199 GB": [],
                "2.252 GB": [],
                "2 TB": ["si_slip"],
                "2 kB": ["si_slip"],
                "20 GB": ["exponent"],
                "8 GB": ["power_of_two"],
                "1 GB": ["power_of_two"],
                "32 GB": ["power_of_two"],
                "64 GB": [],
                "3 GB": ["part"],
                "2.5 GB": [],
                "0": [],
            },
        ),
        (asked(2e9, "GB", 0.001), {"2.0481 GB": ["gib_for_gb"]}),
        (asked(2e12, "GB"), {"2.199 TB": ["gib_for_gb"]}),
        (
            TWO_DAYS,
            {
                "2 s": ["seconds_per_day"],
                "172800 days": ["seconds_per_day"],
                "48 s": ["seconds_per_hour"],
                "7200 days": ["seconds_per_hour"],
                "120 days": ["seconds_per_minute"],
                "2 h": ["hours_per_day"],
            },
        ),
        (TEN, {"20": ["power_of_two"], "22.5": [], "864000": [], "36000": [], "100": ["exponent"]}),
        (SHARE, {"0.043": ["exponent"]}),
        (EXACT, {"100": []}),
        (asked(0.0, "GB"), {"1 GB": []}),
        (
            ON_48_GPUS,
            {"4800": ["question_number"], "2.083": ["question_number"], "48": ["copied_number"], "47": []},
        ),
        (EXACTLY_48, {"4800": ["question_number"], "48": ["copied_number"]}),
        (posing(asked(100.0), "At 45 %?"), {"20.25": ["question_number"]}),
        (posing(asked(100.0), "On 8 GPUs?"), {"800": ["question_number", "power_of_two"]}),
        (posing(asked(1e12, "GB"), "In 45 blocks?"), {"45 GB": ["copied_number"]}),
        (posing(asked(4.0, tolerance=0), "Of 3, 4, 6 or 12?"), {"12": []}),
        (GPUS, {"6.4": ["not_rounded"], "7.9": ["not_rounded"], "8.1": []}),
        (asked(100.0, slips={"half": 37.0}), {"37000": ["half", "prefix_too"]}),
        (asked(2 * 86400.0, "day", slips={"half": 86400.0 * 0.7}), {"16.8": ["hours_per_day", "half"]}),
    ],
    ids=lambda value: next(iter(value)) if isinstance(value, dict) else "",
)
def test_likely_slip_has_its_name(variant: Variant, slips_by_answer: dict[str, list[str]]) -> None:
    slips = {answer: [slip.id for slip in JUDGE(variant, answer).slips] for answer in slips_by_answer}

    assert slips == slips_by_answer


@pytest.mark.parametrize(("typed", "slips"), [("4.312", ["not_rounded"]), ("4.3", ["not_rounded"]), ("3.312", [])])
def test_only_the_exact_value_is_called_not_rounded(typed: str, slips: list[str]) -> None:
    texts = {"case": "DP backward", "ask": "number", "B": "32768", "hw": "H100 SXM", "link": "100"}
    template = template_named("comm.layer_largest")
    variant = draw(template, 7, pins.pins(template, texts))
    judged = number.judge(variant, typed)

    assert variant.answer == 4
    assert [slip.id for slip in judged.slips] == slips
    assert all("one more GPU would send longer" in slip.message for slip in judged.slips)
