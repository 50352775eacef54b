"""Check a practice in plain lines from its first question to its summary."""

import io
import re
import shlex
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from shell import context_in

from studykit.cli.context import Context
from studykit.cli.display import services
from studykit.errors import UsageError
from studykit.exercise import catalog, registry
from studykit.exercise.estimate import pins, scenario
from studykit.exercise.estimate.log import recurring
from studykit.exercise.estimate.scenario import Scenario
from studykit.exercise.kind import SetRequest
from studykit.help_pages import PAGES
from studykit.scheduling.events import Showing

ESTIMATES = (PAGES / "estimates.md").read_text("utf-8")
Practised = Callable[..., tuple[str, Context]]
RUN = {"N": "7B", "D": "2T"}
TIED = {"N": "70B", "D": "15T", "n": "1024", "hw": "H100 SXM", "mfu": "0.4"}


@pytest.fixture
def practised(tmp_path: Path) -> Iterator[Practised]:
    worlds: list[Context] = []

    def run(
        name: str,
        *lines: str,
        number: int = 1,
        seed: int | None = 3,
        hour: int = 9,
        rough: bool = False,
        **pinned: str,
    ) -> tuple[str, Context]:
        now, typed = f"2026-11-23T{hour:02}:00:00+00:00", "".join(f"{text}\n" for text in lines)
        output = io.StringIO()
        context = context_in(tmp_path, typed, STUDYKIT_NOW=now, STUDYKIT_SEED="3").writing_to(stdout=output)
        worlds.append(context)
        registry.practise(services(context, plain=True), name, SetRequest(name, number, seed, pinned, rough))
        return output.getvalue(), context

    yield run
    for context in worlds:
        context.store.close()


@pytest.mark.parametrize(
    ("name", "answer", "numbers"),
    [
        ("flops.train_total", "8.4e22", {"N": "7B", "D": "2T"}),
        ("mem.max_model", "53.3B", {"n": "8", "hw": "H100 SXM", "conv": "12"}),  # in an earlier version's letters
    ],
)
def test_fully_pinned_question_is_asked_once(
    practised: Practised, name: str, answer: str, numbers: dict[str, str]
) -> None:
    output, _ = practised(name, answer, "", number=5, **numbers)

    assert f"{name} 1/1" in output
    assert "right at once      1 of 1 (100%)\n" in output


def last_showing(context: Context) -> Showing:
    event, *_ = context.store.log.showings(last=1)
    assert event.showing is not None
    return event.showing


def exercises_of(text: str) -> list[str]:
    return re.findall(r"napkin-math \d/5 \S ([\w.]+\w)", text)


def test_a_newcomers_set_begins_with_the_first_questions(practised: Practised) -> None:
    output, context = practised("napkin-math", "144 days", "", "53.3B", "", "5", "", number=5, seed=None)
    later, _ = practised("napkin-math", number=5, seed=None)

    assert exercises_of(output)[:3] == list(catalog.first_questions())
    assert "right at once      3 of 3 (100%)" in output
    assert len(context.store.log.showings(last=9)) == 3
    assert not set(exercises_of(later)) & set(catalog.first_questions())


def test_the_question_after_a_first_question_is_drawn(practised: Practised) -> None:
    output, _ = practised("mem.max_model", ":skip", "r", seed=None)
    first, second = re.findall("Question: (.*)", output)

    assert "8 x H100 SXM" in first
    assert first != second


def test_a_seed_asks_no_first_question(practised: Practised) -> None:
    output, _ = practised("time.train_days", seed=4)

    assert "70B parameters on 15T tokens with 1024 x" not in output


def test_the_manual_lists_the_first_questions() -> None:
    block = ESTIMATES.partition("begins with these three")[2].partition("\n```\n")[0]
    listed = [
        (name, dict(pair.split("=") for pair in shlex.split(pins)))
        for name, pins in re.findall(r"study exercise ([\w.]+) --set (.+?) +#", block)
    ]

    assert listed == list(catalog.first_questions().items())


def test_a_summary_counts_right_answers_and_slips(practised: Practised) -> None:
    output, _ = practised("flops.train_total", "1.4e22*2", ":steps", ":steps", "", **RUN)

    assert "right at once      0 of 1 (0%)\n" in output
    assert "slips              forgot the backward pass\n" in output
    assert "Missed\n    A model with 7B parameters is trained" in output
    assert "\n      8.4e22 FLOP (84 ZFLOP)\n      That counts only the forward pass" in output


def test_final_answer_at_intermediate_step_ends_question(practised: Practised) -> None:
    output, context = practised("time.train_days", "89.95 days", "25.7 weeks", "", **TIED)

    assert last_showing(context).verdict == "late"
    assert "right at try 2: 179.9 days" in output
    assert "Look at that step first" not in output


BETWEEN = "What do you get for the training FLOPs?"
GIVE_UP = (":steps", ":steps", "")


@pytest.mark.parametrize(
    ("lines", "numbers", "slips", "clues"),
    [
        (
            ("6.3e24", *GIVE_UP),
            {},
            ("sparse_peak",),
            (BETWEEN, "That step is right: look at what comes after it."),
        ),
        (("150", *GIVE_UP), {}, ("mac_as_flop",), ("step first. As an answer to the question it is too low.",)),
        ((":skip", *GIVE_UP), {}, (), (BETWEEN,)),
        (
            ("lots", "6.3e24", *GIVE_UP),
            {},
            ("sparse_peak",),
            ("unknown unit 'lots'", "Give that value, or :skip it."),
        ),
        (("6.3e24", *GIVE_UP), {"mfu": "0.5"}, (), ()),  # halving the peak and counting this MFU twice are one
    ],
    ids=["right step", "wrong step", "skipped step", "unreadable step", "still tied"],
)
def test_intermediate_step_separates_tied_slips(
    practised: Practised,
    lines: tuple[str, ...],
    numbers: dict[str, str],
    slips: tuple[str, ...],
    clues: tuple[str, ...],
) -> None:
    wrong = "288" if numbers else "89.95 days"

    output, context = practised("time.train_days", wrong, *lines, **TIED | numbers)

    assert last_showing(context).slips == slips
    assert [clue for clue in clues if clue not in output] == []


def test_several_slips_may_explain_an_answer(practised: Practised) -> None:
    either, first = practised("ai.dot", "0.25", "s", "", n="1024", dt="bf16")
    assert "Either of these would explain it:" in either
    assert last_showing(first).slips == ()

    both, then = practised("time.train_days", "1727", "s", "", **TIED)  # hours, at the whole peak
    assert "Together these would explain it:" in both
    assert last_showing(then).slips == ("hours_per_day", "forgot_mfu")


def test_ruled_out_clue_is_not_repeated(practised: Practised) -> None:
    output, context = practised("time.train_days", "89.95 days", "6.3e24", "89.95 days", *GIVE_UP, **TIED)

    assert output.count("How many operations is one multiply-add?") == 1
    assert output.count("Is that peak for dense work, or for 2:4 sparse matrices?") == 2
    assert output.count(BETWEEN) == 1
    assert last_showing(context).slips == ("sparse_peak",)


def test_pin_unknown_to_the_whole_set_is_refused(practised: Practised) -> None:
    with pytest.raises(UsageError, match="has no parameter 'color'"):
        practised("flops", color="red")


def test_pinned_set_asks_only_exercises_with_that_parameter(practised: Practised) -> None:
    output, _ = practised("memory", "q", number=1, conv="12")

    assert "bf16 weights and gradients" in " ".join(output.split())


def own_days(flops: float) -> float:
    """Return the seconds of the run in the second step if the first step's answer is these FLOPs."""
    exercise = catalog.find("scenario.scope_run")
    assert isinstance(exercise, Scenario)
    first, days, *_ = exercise.templates()
    parameters = scenario.draw_parameters(exercise, 3, pins.pins(first, RUN))
    return scenario.pose_step(days, 3, parameters, {"flops": flops}).answer


def test_scenario_step_accepts_consequence_of_own_wrong_answer(practised: Practised) -> None:
    days = f"{own_days(2.8e22) / 86400:.4g} days"

    output, _ = practised("scenario.scope_run", "2.8e22", ":skip", "", days, "", "q", **RUN)

    first, _, second = output.partition("Scope a training run 2/5")
    assert "x wrong: 8.4e22 FLOP" in first
    assert "right on your own 2.8e22" in " ".join(second.split())
    assert "+ right: " in second
    assert "On the right numbers it is" in second


def test_scenario_solution_uses_right_numbers_only(practised: Practised) -> None:
    output, _ = practised("scenario.scope_run", "2.8e22", *GIVE_UP * 3, "q", **RUN)

    assert "8.4e22 / (" in output.replace(chr(0x2F), "/")
    assert "2.8e22 / (" not in output


def test_slip_on_own_earlier_numbers_is_named(practised: Practised) -> None:
    hours = f"{own_days(2.8e22) / 3600:.4g} days"

    output, context = practised("scenario.scope_run", "2.8e22", ":skip", "", hours, *GIVE_UP[:2], "q", **RUN)

    assert "judged on your own 2.8e22" in " ".join(output.split())
    assert last_showing(context).slips == ("hours_for_days",)


def test_scenario_summary_lists_right_and_own_answers(practised: Practised) -> None:
    steps = ["2.8e22", ":skip", "", *[":steps", ":steps", ""] * 4]

    output, _ = practised("scenario.scope_run", *steps, **RUN)

    assert "step: flops\nright: 84 ZFLOP\nyours: 28 ZFLOP\nstep: days\n" in output
    assert output.count("yours: -\n") == 4
    assert "    Scope a training run, step 1. How many FLOPs does the training take?\n" in output


@pytest.mark.parametrize(
    ("now", "before", "slip"),
    [
        (("forward_only",), [("forward_only",)], "forward_only"),
        (("forward_only",), [()] * 4 + [("forward_only",)], ""),
        (("forward_only",), [("mac_as_flop",)], ""),
        ((), [("forward_only",)] * 2, ""),
    ],
    ids=["twice", "too long ago", "another slip", "not this time"],
)
def test_slip_recurs_in_two_of_five(now: tuple[str, ...], before: list[tuple[str, ...]], slip: str) -> None:
    assert recurring(now, before) == slip


@pytest.mark.parametrize(
    ("name", "numbers", "words"),
    [
        ("flops.train_total", RUN, "flops.train_total N=7000000000 D=2000000000000"),
        ("scenario.scope_run", {}, "scenario.scope_run"),
        ("scenario.scope_run", {"N": "7B", "hw": "H100 SXM"}, "scenario.scope_run N=7000000000 'hw=H100 SXM'"),
    ],
)
def test_info_shows_the_seed_and_its_command(
    practised: Practised, name: str, numbers: dict[str, str], words: str
) -> None:
    output, _ = practised(name, ":info", ":quit", seed=6, **numbers)

    assert f", seed 6. The same numbers again: study exercise {words} --seed 6" in output
    assert "seed" not in output.partition("Question:")[0]


def test_rough_scenario_says_what_it_accepts(practised: Practised) -> None:
    output, _ = practised("scenario.scope_run", "1.2e23", "", ":quit", rough=True, **RUN)

    assert "Accepted within a factor of 1.5." in output
    assert "+ right: 8.4e22 FLOP" in output


def test_scenario_header_counts_the_steps_left(practised: Practised) -> None:
    output, _ = practised("scenario.scope_run", "8.4e22", "", ":quit", **RUN)

    assert ". 5 left.\nQuestion" in output
    assert ". 4 left.\nQuestion" in output


def kinds_of(context: Context) -> list[str]:
    return [str(event.kind) for event in context.store.log.events()]


def test_redrawn_question_omits_the_earlier_undo_notice(practised: Practised) -> None:
    output, _ = practised("flops.train_total", "1e3", ":skip", "u", "1e3", ":skip", "r", "1e3", ":quit")

    assert output.count("undone: your answer to flops.train_total") == 1


def test_undo_at_fresh_question_restores_the_previous(practised: Practised) -> None:
    output, context = practised("flops", "1", ":skip", "", ":undo", "q", number=2)

    first, second, third = [row for row in output.splitlines() if row.startswith("Question: ")]
    assert first == third != second
    assert kinds_of(context) == ["practice", "undo"]


def test_undo_takes_back_a_scenario_step(practised: Practised) -> None:
    output, _ = practised("scenario.scope_run", "1e20", ":skip", "", ":undo", "8.4e22", "", "q", **RUN)

    assert "Yours, flops: 100 EFLOP (right: 84 ZFLOP)" in output
    assert "Yours, flops: 84 ZFLOP" in output
    assert (
        output.index("100 EFLOP") < output.index("undone: your answer to") < output.index("Yours, flops: 84 ZFLOP")
    )


def test_scenario_resumes_at_its_next_step(practised: Practised) -> None:
    begun, _ = practised("scenario.scope_run", "1e20", ":quit", seed=None)
    closed, _ = practised("scenario.scope_run", "", "1e20", ":skip", "", ":quit", seed=None)
    output, context = practised("scenario.scope_run", "", "1 day", ":quit", seed=None)

    question = begun[begun.index("Question: ") :].partition("1. How many")[0]
    assert "You began this before: step 1 of 5 comes next." in closed  # it was tried and left
    assert "You began this before: step 2 of 5 comes next." in output
    assert question in closed
    assert question in output
    assert {event.showing.seed for event in context.store.log.showings(last=5) if event.showing} == {3}


def test_undone_try_does_not_repeat_the_question(practised: Practised) -> None:
    output, _ = practised("flops.train_total", "1e3", ":undo", ":quit")

    assert output.count("Question: ") == 1
    assert output.count("not yet") == 1
    assert "Taken back: 3 tries left." in output


def test_closed_question_offers_why_and_info(practised: Practised) -> None:
    output, _ = practised("flops.train_total", ":skip", "why", ":info", "")

    assert "u undo. o lesson. i info. w why. q quit." in output  # the last but one go where room is short
    assert "Question 1 of 1 of flops.train_total" in output
    assert output.count("flops.train_total, seed 3") == 1


def test_exact_answer_is_said_once(practised: Practised) -> None:
    output, _ = practised("flops.train_total", "8.4e22", "s", "", **RUN)

    assert "right: 8.4e22 FLOP" in output
    assert "Read as" not in output


def test_left_step_keeps_its_tries(practised: Practised) -> None:
    practised("scenario.scope_run", "1e20", ":quit", seed=None)
    second, _ = practised("scenario.scope_run", "", "1e21", ":quit", seed=None)
    third, context = practised("scenario.scope_run", "", "1e22", "", ":quit", seed=None)

    assert "You began this before: 2 tries left. Your last answer was 1e20" in second
    assert "You began this before: 1 try left. Your last answer was 1e21" in third
    assert "x wrong: 3.06e24 FLOP" in third
    assert [event.showing.answer for event in context.store.log.showings() if event.showing] == [
        "1e22",
        "1e21",
        "1e20",
    ]


def test_begun_scenario_comes_first_and_can_be_skipped(practised: Practised) -> None:
    practised("scenario.audit_mfu", "1e3", ":quit", seed=None, hour=7)
    practised("scenario.serve", "1e3", ":quit", seed=None, hour=8)

    output, _ = practised("scenario", "k", "1e3", ":quit", number=3, seed=None)
    first, _ = practised("scenario", ":quit", number=3, seed=5)

    begun, _, others = output.partition("You began this before: step 1 of 5 comes next.")
    assert begun.endswith("Exercise: Serve a model\nQuestion: ")
    assert "1/" in others
    assert "Serve a model" not in others
    assert "began this before" not in first


def test_resumed_scenario_shows_its_right_answers(practised: Practised) -> None:
    first, _ = practised("scenario.scope_run", "1e20", ":steps", ":steps", "q", seed=None)
    right = re.search(r"wrong: (\S+ FLOP)", first)
    assert right is not None
    practised("scenario.scope_run", "n", f"{right[1]}", ":quit", seed=None)

    output, _ = practised("scenario.scope_run", "", "1 day", ":quit", seed=None)

    assert "step 2 of 5 comes next" in output
    assert f"Yours, flops: {right[1]}" in output
    assert "2. How many days" in output


def test_begun_scenario_restarts_or_yields_to_given_numbers(practised: Practised) -> None:
    practised("scenario.scope_run", "1e20", ":quit", seed=None)

    anew, _ = practised("scenario.scope_run", "n", "1e20", ":quit", seed=None)
    seeded, _ = practised("scenario.scope_run", "1e20", ":quit", seed=4)
    pinned, _ = practised("scenario.scope_run", "1e20", ":quit", seed=None, **RUN)
    after_pins, _ = practised("scenario.scope_run", "1e20", ":quit", seed=None)

    assert "1. How many FLOPs" in anew
    assert "You began this before" not in seeded + pinned + after_pins


def test_finished_scenario_is_not_resumed(practised: Practised) -> None:
    practised("scenario.scope_run", *[":skip", ""] * 5, seed=None)

    output, _ = practised("scenario.scope_run", "1e20", ":quit", seed=None)

    assert "You began this before" not in output
