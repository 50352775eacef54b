"""Check that every template passes its self-test, and that its formulas give the published numbers."""

import math
import re
from collections.abc import Iterator, Mapping

import pytest
from templates import SCENARIOS, TEMPLATES, pinned, template_named

from studykit.cards.card import OBJECTIVES
from studykit.errors import UsageError
from studykit.exercise.estimate import number, pins
from studykit.exercise.estimate.feedback import slip_names, while_open, without_retry
from studykit.exercise.estimate.selftest import problems, typed
from studykit.exercise.estimate.template import Template, draw, pose
from studykit.exercise.verdict import Correct, Incorrect

JUDGE = number.judge
STEPS = [step for scenario in SCENARIOS for step in scenario.templates()]
SEEDS = 12  # `study check` takes a hundred


@pytest.mark.no_cover
@pytest.mark.parametrize("template", TEMPLATES, ids=lambda template: template.id)
def test_a_template_proves_itself_over_many_seeds(template: Template) -> None:
    assert problems(template, JUDGE, range(SEEDS)) == []


def test_every_slip_has_a_name_for_lists() -> None:
    assert [(one.id, rule.id) for one in (*TEMPLATES, *STEPS) for rule in one.slips if not rule.called] == []


def test_sparse_peak_slip_is_absent_without_that_peak() -> None:
    templates = [
        template
        for template in (*TEMPLATES, *STEPS)
        if "hw" in template.grid and any(rule.id == "sparse_peak" for rule in template.slips)
    ]

    for template in templates:
        dtype = {"dt": "bf16"} if "dt" in template.grid.keys() - template.units.keys() else {}
        tpu = draw(template, 1, pins.pins(template, {"hw": "TPU v5p", **dtype}))
        assert "sparse_peak" not in {slip.id for slip in tpu.slips}, template.id
    assert len(templates) >= 20


def test_unknown_slip_is_listed_by_its_id() -> None:
    assert slip_names(["forward_only", "si_slip", "gone_since"]) == {
        "forward_only": "forgot the backward pass",
        "si_slip": "missed a prefix",
        "gone_since": "gone since",
    }


def test_every_objective_is_one_of_the_nine() -> None:
    assert {template.objective for template in TEMPLATES} <= set(OBJECTIVES)


def test_templates_agree_with_published_derivations() -> None:
    kernel = pinned("roof.kernel_time", n="1048576", hw="H100 SXM")
    sharded = pinned("comm.fsdp_step", N="7.5B", G="64")
    latent = pinned("inf.mla_kv", L="60", c="512", r="64", T="1")
    even = pinned("flops.attn_share", mlp="gated", d="8192", T="49152")

    assert math.isclose(kernel.answer, 1.252e-6, rel_tol=0.003)  # CS336 2026
    assert math.isclose(sharded.answer, 1.5 * 2 * 63 / 64 * 15e9)  # ZeRO: 1.5 x data parallelism
    assert math.isclose(latent.answer, 2.25 * 2 * 128 * 2 * 60)  # DeepSeek-V2, table 1: 2.25 groups
    assert math.isclose(even.answer, 1)  # 12d² weights: T = 6d


def test_train_days_draws_no_mfu_of_half() -> None:
    days = template_named("time.train_days")

    assert 0.5 not in {draw(days, seed).values.mfu for seed in range(60)}


@pytest.mark.parametrize(
    "template", [one for one in TEMPLATES if {"ask", "d"} <= one.grid.keys()], ids=lambda template: template.id
)
def test_a_formula_is_right_for_grouped_queries_too(template: Template) -> None:
    variant = draw(template, 1, pins.pins(template, {"d": "8192", "ask": "formula"}))

    assert isinstance(JUDGE(variant, variant.formula).verdict, Correct)


def test_the_largest_model_on_8_gpus_is_drawn() -> None:
    largest = template_named("mem.max_model")

    assert 8 in {draw(largest, seed).values.G for seed in range(60)}


def test_unknown_model_size_needs_layers_and_width() -> None:
    with pytest.raises(UsageError, match="600B is not known here; pin its layers and width"):
        pinned("time.mfu_from_log", N="600B")

    assert pinned("time.mfu_from_log", N="600B", L="100", d="16384").parameters["L"] == 100


CONTRADICTIONS = [
    ("accum.steps", {"b": "1000", "micro": "3", "G": "8"}, "8 GPUs cannot share 1000 sequences by 3"),
    ("ai.attention", {"T": "2000", "q": "3000"}, "3000 query tokens cannot be among 2000 keys"),
    ("comm.fsdp_step", {"G": "1"}, "a single GPU has no other to send to"),
    ("cost.energy", {"gpu": "700", "watt": "500"}, "a GPU of 700 W with its server draws more than 500 W"),
    ("mem.sqrt_checkpoints", {"L": "50"}, "50 layers have no whole root"),
    ("params.dense", {"h": "32", "kv_heads": "5"}, "32 query heads cannot share 5 KV heads evenly"),
    ("stride.index", {"a": "4", "b": "4", "r": "5"}, r"has no x\[5, "),
    ("time.mfu_from_step", {"dt": "0.001"}, "of the peak"),
]


@pytest.mark.parametrize(
    ("name", "parameters", "why"), CONTRADICTIONS, ids=[name for name, _, _ in CONTRADICTIONS]
)
def test_pins_that_contradict_each_other_are_refused(name: str, parameters: Mapping[str, str], why: str) -> None:
    with pytest.raises(UsageError, match=why):
        pinned(name, **parameters)


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda template: template.id)
def test_named_slip_outranks_a_generic_one(template: Template) -> None:
    for seed in range(3):
        variant = draw(template, seed)
        for slip in variant.slips:
            answer = (
                typed(slip.value * 1.015, variant) if variant.tolerance >= 0.01 else typed(slip.value, variant)
            )
            judged = JUDGE(variant, answer)
            if isinstance(judged.verdict, Incorrect):
                slips = {each.id for each in judged.slips}
                assert slips, (slip, answer)
                assert slips <= {each.id for each in variant.slips}, (slip, answer)


def test_tied_slips_are_not_asserted_together() -> None:
    variant = pinned("comm.overlap_tokens", hw="H100 SXM", u="0.4", g="50")
    judged = JUDGE(variant, "15832")

    assert len(judged.slips) > 2
    assert "One of these explains it:" in while_open(variant, judged.verdict, 15832, judged.slips)
    assert "One of these explains it:" in without_retry(variant, judged)
    assert while_open(variant, Correct(), 15832, ()) == ""


def test_fp16_rounds_to_the_nearest_subnormal() -> None:
    variant = pinned("dtype.underflow", x="1e-7", f="float16")

    assert math.isclose(variant.answer, 2 * 2**-24)


def test_slip_with_own_message_keeps_shared_question() -> None:
    variant = pinned("inf.tokens_per_s", N="8B", hw="B200", dt="fp4")
    slip = next(one for one in variant.slips if one.id == "wrong_dtype_4x")

    assert slip.question == "How wide is one element of that dtype?"
    assert slip.message == "You used bf16, 2 bytes; NVFP4 takes half a byte."


FEW_QUESTIONS = {
    **dict.fromkeys(
        ("count.checkpoint_peak", "count.eval_mode", "count.peak", "count.zero_grad"),
        "twelve sizes are counted, some with a slip too near the answer",
    ),
    "dtype.eps": "three formats in which people add",
    "dtype.first_gap_integer": "three formats in which people count",
    "dtype.mantissa": "five formats",
    "dtype.max": "six formats",
    "mem.sqrt_checkpoints": "few depths of models have a whole root",
}
"""Templates whose subject has fewer than twelve questions, and why."""


def test_sixty_seeds_bring_at_least_twelve_questions() -> None:
    questions = {template.id: {draw(template, seed).prompt for seed in range(60)} for template in TEMPLATES}

    assert {name for name, drawn in questions.items() if len(drawn) < 12} <= FEW_QUESTIONS.keys()
    assert len(FEW_QUESTIONS) <= 10


def test_a_draw_is_the_same_for_ever() -> None:
    variant = draw(template_named("flops.matmul"), 7)

    assert variant.parameters == {"m": 4096, "k": 8192, "n": 16384}


def test_a_template_poses_any_parameters() -> None:
    template = template_named("flops.matmul")

    variant = pose(template, {"m": 128, "k": 16384, "n": 8192}, 0, {})

    assert variant.answer == 34_359_738_368
    assert [slip.value for slip in variant.slips] == [17_179_869_184, 2_097_152, 272_629_760, 103_079_215_104]


def written_out(text: str) -> Iterator[str]:
    """Yield the parts of a text that could be an answer: numbers with signs, units and parentheses."""
    for run in re.findall(
        r"[(]?\d[\d.,eEkKMBTGP]*(?:\s*[\u00d7/+\u2212(^]\s*[(]?[\d√][\d.,eEkKMBTGP]*[%)]?)+", text
    ):
        yield run.replace("\u2212", "-").rstrip(".,")


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda template: template.id)
def test_hint_contains_no_complete_right_expression(template: Template) -> None:
    for seed in range(10):
        variant = draw(template, seed)
        for hint in variant.hints:
            whole = [run for run in written_out(hint) if isinstance(JUDGE(variant, run).verdict, Correct)]

            assert whole == [], hint


VALUE = re.compile(r"\$?\d[\d.,]*(?:e-?\d+)?[A-Za-z%/ -]*")


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda template: template.id)
def test_last_solution_step_shows_an_accepted_value(template: Template) -> None:
    for seed in range(10):
        variant = draw(template, seed)
        last = variant.solution[-1]
        texts = [*re.findall("`(.+?)`", last), *(value.rstrip(" .,") for value in VALUE.findall(last))]

        assert any(isinstance(JUDGE(variant, value).verdict, Correct) for value in texts), variant.solution


@pytest.mark.parametrize(("number", "words"), [(1, "1 data-parallel GPU,"), (2, "2 data-parallel GPUs,")])
def test_noun_after_a_one_is_singular(number: int, words: str) -> None:
    assert words in draw(template_named("accum.steps"), 1, {"G": number}).prompt
