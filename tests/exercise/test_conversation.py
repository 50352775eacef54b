"""Check that a learner can do the same at a question of each kind and in each place that asks."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace

import pytest
from asking import HEADS, WRONG_HEADS, ask_card, logged, practise, take, without_workers
from scripted_ui import InterruptedUi, ScriptedUi

from decks import basic_card, exercise_card, read_deck
from studykit.cards.card import Card
from studykit.cli.context import Context
from studykit.exercise import catalog
from studykit.exercise.quiz import quiz
from studykit.review.question import Asked
from studykit.scheduling.recall_grade import Grade
from studykit.ui import Command, Reply

TYPED = basic_card("total", typed=True, prompt="FLOPs of a matmul?", answer="2mnk")
(CHOICE,) = read_deck("Q: Which copy? {#copy}\n- [x] clone # new bytes\n- [ ] view # none\n", "d.md").cards
BASIC = basic_card("byte", prompt="Bits of a byte?", answer="8")


@dataclass(frozen=True)
class Case:
    """Hold a kind of question, the place that asks it, and lines that answer it."""

    place: str
    name: str
    right: tuple[str, ...]
    wrong: tuple[str, ...]
    unreadable: str = ""
    solution: str = ""  # a part of what is shown at the end
    tries: int = 1
    card: Card | None = None
    pinned: dict[str, str] = field(default_factory=dict)
    waits: bool = False  # behind a right answer there is something to read
    slow: str = ""  # what judges it, where that takes a while

    @property
    def has_hints(self) -> bool:
        """Return whether the question has hints. Only such questions have more than one try."""
        return self.tries > 1

    def __str__(self) -> str:
        return f"{self.place}: {self.name}"


NUMBERS = {"N": "7B", "D": "2T"}
ESTIMATE = (("8.4e22",), ("1e3",), "lots", "7B × 2T")
REWRITE = ((HEADS,), (WRONG_HEADS,), "no pattern", "A solution")
BET = (("m", "20 ms", ""), ("m", "9 s", ""), "soon", "")
NAMES = {"estimate": "flops.train_total", "rewrite": "rewrite.split_heads", "bet": "bet.relu"}
GRADER, METER = "studykit.graders.host.grade.grade", "studykit.exercise.bet.bench.measure"
CASES = [
    Case("card", "estimate", *ESTIMATE, 3, exercise_card(NAMES["estimate"], **NUMBERS)),
    Case("card", "rewrite", *REWRITE, 3, exercise_card(NAMES["rewrite"]), waits=True, slow=GRADER),
    Case("card", "bet", *BET, card=exercise_card(NAMES["bet"]), waits=True, slow=METER),
    Case("card", "typed", ("2mnk",), ("mnk",), card=TYPED),
    Case("card", "choice", ("1",), ("2",), "7", "new bytes", card=CHOICE, waits=True),
    Case("set", "estimate", *ESTIMATE, 3, pinned=NUMBERS),
    Case("set", "step", *ESTIMATE, 3, pinned=NUMBERS),
    Case("set", "rewrite", *REWRITE, 3, waits=True, slow=GRADER),
    Case("set", "bet", *BET, waits=True, slow=METER),
    Case("quiz", "estimate", *ESTIMATE, pinned=NUMBERS),
    Case("quiz", "choice", ("1",), ("2",), "7", "new bytes", card=CHOICE, waits=True),
    Case("quiz", "marked", ("8",), ("7", "n"), card=BASIC),
]
RETRIED = [case for case in CASES if case.tries > 1]


@dataclass
class Result:
    """Hold a question's verdict and grade, which are empty if the learner left it, and the Ui."""

    verdict: str
    grade: Grade | None
    ui: ScriptedUi
    reopened: Asked | None = None


Ask = Callable[..., Result]


@pytest.fixture
def ask(context: Context, monkeypatch: pytest.MonkeyPatch) -> Ask:
    """Return a function that asks a case's question in a scripted Ui."""
    without_workers(monkeypatch)

    def asked(
        case: Case,
        *script: Reply | str,
        seed: int = 1,
        ui: ScriptedUi | None = None,
        reopened: Asked | None = None,
    ) -> Result:
        ui = ScriptedUi(*script) if ui is None else ui
        if case.place == "card":
            assert case.card is not None
            outcome = ask_card(context, case.card, ui, seed, reopened=reopened)
            if outcome is None:
                return Result("", None, ui)
            return Result(outcome.verdict, outcome.grade, ui, outcome.reopened)
        if case.place == "quiz":
            question = (
                quiz.of_exercise(catalog.find(NAMES["estimate"])) if case.card is None else quiz.of_card(case.card)
            )
            question = replace(question, pinned=tuple(case.pinned.items()))
            done = [answer.asked for answer in take(context, [question], ui).answered]
            return Result(done[-1].verdict, done[-1].grade, ui) if done else Result("", None, ui)
        name = "scenario.scope_run" if case.name == "step" else NAMES[case.name]
        (report, *_) = practise(context, name, ui, seed=seed, pinned=case.pinned)
        if not report.answers:
            return Result("", None, ui)
        grade = logged(context)[-1][-1]
        return Result(report.answers[0].verdict, None if grade is None else Grade(grade), ui)

    return asked


def by_name(cases: list[Case]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("case", cases, ids=str)


@by_name(CASES)
def test_right_answer_is_right_at_once(ask: Ask, case: Case) -> None:
    result = ask(case, *case.right)

    assert result.verdict == "correct"
    assert result.grade in {Grade.GOOD, Grade.EASY}


@by_name([case for case in CASES if case.unreadable])
def test_unreadable_answer_costs_no_try(ask: Ask, case: Case) -> None:
    first = case.right[:-2] if case.name == "bet" else ()
    result = ask(case, *first, *[case.unreadable] * 4, *case.right[len(first) :])

    assert result.verdict == "correct"
    assert result.ui.text.count("Not read: ") == result.ui.text.count("This costs no try.") == 4


@by_name(CASES)
def test_hint_makes_a_right_answer_late(ask: Ask, case: Case) -> None:
    result = ask(case, Command("hint"), *case.right)

    assert result.verdict == ("late" if case.has_hints else "correct")
    assert not case.has_hints or result.grade is Grade.HARD
    none = "A quiz gives no hints" if case.place == "quiz" else "This question has no hints."
    assert ("Hint: " if case.has_hints else none) in result.ui.text


@by_name(RETRIED)
def test_steps_warn_and_then_end(ask: Ask, case: Case) -> None:
    warned = ask(case, Command("steps"), *case.right)
    ended = ask(case, Command("steps"), Command("steps"), seed=2)

    assert warned.verdict == "correct"
    assert "end this question" in warned.ui.text
    assert (ended.verdict, ended.grade) == ("skipped", Grade.AGAIN)
    assert case.solution in ended.ui.text


@by_name(CASES)
def test_skip_shows_the_solution(ask: Ask, case: Case, context: Context) -> None:
    result = ask(case, Command("skip"))

    assert (result.verdict, result.grade) == ("skipped", Grade.AGAIN)
    assert "· **skipped**" in result.ui.text
    assert case.solution in result.ui.text
    assert case.place == "card" or len(logged(context)) == 1


@by_name(CASES)
def test_last_wrong_try_shows_the_solution(ask: Ask, case: Case) -> None:
    result = ask(case, *case.wrong * case.tries)

    assert (result.verdict, result.grade) == ("incorrect", Grade.AGAIN)
    assert result.ui.text.count("✗ **not yet**") == case.tries - 1
    assert ("✗ **wrong**" in result.ui.text) == (case.name != "marked")  # who marks has seen it
    assert case.solution in result.ui.text


@by_name(RETRIED)
def test_undo_takes_a_wrong_try_back(ask: Ask, case: Case) -> None:
    result = ask(case, *case.wrong, *case.wrong, Command("undo"), Command("undo"), *case.right)

    assert (result.verdict, result.grade) == ("correct", Grade.GOOD)
    assert "Taken back: 2 tries left." in result.ui.text
    assert "Taken back: 3 tries left." in result.ui.text


@by_name([case for case in CASES if case.place != "card" and case.name != "marked"])
def test_answer_taken_back_is_late_at_best(ask: Ask, case: Case, context: Context) -> None:
    result = ask(case, *case.wrong * case.tries, "u", *case.right)

    assert result.verdict == "late"
    assert [kind for kind, *_ in logged(context) if kind != "bet"][1] == "undo"


@by_name([case for case in CASES if case.place == "card"])
def test_card_asked_again_after_an_undo_is_late(ask: Ask, case: Case) -> None:
    wrong = ask(case, *case.wrong * case.tries)
    result = ask(case, *case.right, reopened=wrong.reopened)

    assert (wrong.verdict, result.verdict) == ("incorrect", "late")


@by_name([case for case in CASES if case.name == "bet"])
def test_undo_goes_back_one_field(ask: Ask, case: Case) -> None:
    result = ask(case, "c", Command("undo"), "m", "9 s", Command("back"), "20 ms", "")

    assert result.verdict == "correct"


@pytest.mark.parametrize("ends", [ScriptedUi, InterruptedUi], ids=["quit", "ctrl-c"])
@by_name([case for case in CASES if case.name == "bet"])
def test_fields_of_a_left_question_are_found_again(ask: Ask, case: Case, ends: type[ScriptedUi]) -> None:
    with suppress(KeyboardInterrupt):
        ask(case, ui=ends("c", Command("undo"), *case.right[:2]))
    result = ask(case, "", seed=9 if case.card else None)
    closed = ask(case, *case.right, seed=9 if case.card else None)

    assert "You gave this before: `m`, `20 ms`. `:undo` goes back one field." in result.ui.text
    assert result.verdict == closed.verdict == "correct"
    assert "You gave this before" not in closed.ui.text


@by_name(CASES)
def test_leaving_an_untried_question_logs_nothing(ask: Ask, case: Case, context: Context) -> None:
    result = ask(case, None)

    assert (result.verdict, logged(context)) == ("", [])


@pytest.mark.parametrize("ends", [ScriptedUi, InterruptedUi], ids=["quit", "ctrl-c"])
@by_name([case for case in RETRIED if case.place == "card"])
def test_tries_at_a_card_are_found_again(ask: Ask, case: Case, ends: type[ScriptedUi], context: Context) -> None:
    with suppress(KeyboardInterrupt):
        ask(case, ui=ends(*case.wrong))
    result = ask(case, *case.right, seed=9)

    assert "You began this before: 2 tries left. Your last answer was" in result.ui.text
    assert case.wrong[-1] in result.ui.text
    assert (result.verdict, result.grade) == ("late", Grade.HARD)
    assert logged(context) == [("practice", "incorrect", None)]  # the review logs the end


@pytest.mark.parametrize("ends", [ScriptedUi, InterruptedUi], ids=["quit", "ctrl-c"])
@by_name([case for case in RETRIED if case.place == "set"])
def test_leaving_a_set_logs_its_tries(ask: Ask, case: Case, ends: type[ScriptedUi], context: Context) -> None:
    with suppress(KeyboardInterrupt):
        ask(case, ui=ends(*case.wrong))

    assert logged(context) == [("practice", "incorrect", None if case.name == "step" else Grade.AGAIN)]


class CutOff(ScriptedUi):
    """Raise KeyboardInterrupt instead of drawing a verdict."""

    def tell(self, markdown: str, *, label: str = "") -> None:
        if markdown[:1] in set("✓✗"):
            raise KeyboardInterrupt
        super().tell(markdown, label=label)


@pytest.mark.parametrize("verdict", ["correct", "incorrect"])
@by_name([case for case in CASES if case.place == "set"])
def test_answer_is_logged_before_its_verdict(ask: Ask, case: Case, verdict: str, context: Context) -> None:
    with pytest.raises(KeyboardInterrupt):
        ask(case, ui=CutOff(*(case.right if verdict == "correct" else case.wrong)))

    assert [event[1] for event in logged(context) if event[0] == "practice"] == [verdict]


@by_name([case for case in CASES if case.slow])
def test_ctrl_c_keeps_the_line(ask: Ask, case: Case, context: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, **__: object) -> None:
        without_workers(monkeypatch)  # the next one judges
        raise KeyboardInterrupt

    monkeypatch.setattr(case.slow, interrupted)
    result = ask(case, *case.right, *case.right)

    assert "Stopped. Nothing was judged." in result.ui.text
    assert result.verdict == "correct"
    assert [kind for kind, *_ in logged(context)].count("bet") == (case.name == "bet")


@by_name([case for case in CASES if case.name in {"estimate", "step", "rewrite"}])
def test_bare_letters_are_no_answer_to_a_line(ask: Ask, case: Case) -> None:
    result = ask(case, "u", "exit", "?", *case.right)

    assert result.verdict == "correct"
    assert "Commands begin with a colon: `:undo`." in result.ui.text
    assert "Commands begin with a colon: `:quit`." in result.ui.text


@by_name([case for case in CASES if case.place != "card"])
def test_why_and_info_work_while_typing(ask: Ask, case: Case) -> None:
    result = ask(case, Command("why"), Command("info"), *case.right)

    assert "Question 1 of " in result.ui.text
    assert result.verdict == "correct"


@by_name([case for case in CASES if case.place != "card"])
def test_right_answer_waits_only_with_feedback_to_read(ask: Ask, case: Case) -> None:
    options: list[tuple[str, str]] = []

    class Keys(ScriptedUi):
        def choose(
            self, _question: str, offered: Sequence[tuple[str, str]], beside: Sequence[tuple[str, str]] = ()
        ) -> str | None:
            options.extend([*offered, *beside])
            return super().choose(_question, offered)

    ask(case, ui=Keys(*case.right))

    assert bool(options) is case.waits
    assert not options or ("q", "quit") in options
