"""Check that a quiz is planned by objective, scored and repeatable, and does not change the schedule."""

import io
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path

import pytest
from asking import logged, take
from scripted_ui import InterruptedUi, ScriptedUi
from shell import Shell
from templates import template_named

from decks import basic_card
from studykit.cards.card import Card, CardId
from studykit.cli.context import Context
from studykit.exercise.estimate.template import draw
from studykit.exercise.quiz import quiz
from studykit.exercise.quiz.quiz import QuizQuestion, QuizResult, score_of
from studykit.exercise.turn import Done
from studykit.scheduling.event_kinds import EventKind
from studykit.terminal.markdown.inline import Notation
from studykit.terminal.plain_ui import PlainUi
from studykit.ui import Reply


def card(name: str, objective: str = "memory") -> Card:
    return basic_card(name, prompt=f"What is {name}?", answer=f"It is {name}.", objectives=(objective,))


def questions() -> list[QuizQuestion]:
    return [
        quiz.of_card(card(f"{objective}{n}", objective)) for objective in ("flops", "memory") for n in range(5)
    ]


def taken(context: Context, plan: list[QuizQuestion], typed: str, *, exam: bool = False) -> tuple[list[Done], str]:
    output = io.StringIO()
    ui = PlainUi(io.StringIO(typed), output, Notation(), lambda *_: None)
    return list(take(context, plan, ui, exam=exam).answered), output.getvalue()


def test_objectives_take_turns() -> None:
    plan = quiz.planned(questions(), 4, 1)

    assert sorted(question.objective for question in plan) == ["flops", "flops", "memory", "memory"]


def test_seed_repeats_its_questions() -> None:
    assert quiz.planned(questions(), 6, 5) == quiz.planned(reversed(questions()), 6, 5)


def test_unanswered_questions_count_against_their_objective() -> None:
    plan = quiz.planned(questions(), 4, 1)
    result = QuizResult(1, plan)

    assert result.score == 0
    assert sum(asked for _, asked in result.by_objective().values()) == 4


def test_marking_a_card_leaves_its_memory(context: Context) -> None:
    marks, _ = taken(context, [quiz.of_card(card("a"))], "a letter\ny\n")

    assert score_of(marks[0]) == 1
    assert context.store.schedule.memories([CardId("a")]) == {}


def test_an_exam_says_nothing_before_the_end(context: Context) -> None:
    template = template_named("flops.matmul")
    plan = [quiz.of_card(card("a")), quiz.of_exercise(template)]

    marks, said = taken(context, plan, "first\n1e3\ny\n", exam=True)

    before, _, after = said.partition("marking")
    assert "It is a." not in before
    assert "It is a." in after
    assert [score_of(mark) for mark in marks] == [1, 0]


class Slow(ScriptedUi):
    """Simulate a learner who takes time to type and to read."""

    def __init__(self, *script: Reply | str, monkeypatch: pytest.MonkeyPatch, pace: tuple[float, float]) -> None:
        super().__init__(*script)
        self.types, self.reads = pace  # seconds
        self.time = 0.0
        monkeypatch.setattr("time.monotonic", lambda: self.time)

    def read(
        self, _label: str, commands: Mapping[str, str], *, history: Sequence[str] = (), lines: bool = False
    ) -> Reply:
        self.time += self.types
        return super().read(_label, commands, history=history, lines=lines)

    def choose(self, _question: str, options: Sequence[tuple[str, str]], _beside: object = ()) -> str | None:
        self.time += self.reads
        return super().choose(_question, options)


@pytest.mark.parametrize(
    ("pace", "verdicts", "notice"),
    [
        ((70.0, 0.0), ["not_scored"], "(time is up, and your last answer came too late)"),
        ((40.0, 0.0), ["incorrect", "not_scored"], "(time is up, and your last answer came too late)"),
        ((40.0, 70.0), ["incorrect"], "(time is up)"),  # given in time, its feedback read for long
        ((10.0, 10.0), ["incorrect", "incorrect"], ""),
    ],
)
def test_answer_typed_in_time_counts(
    context: Context, monkeypatch: pytest.MonkeyPatch, pace: tuple[float, float], verdicts: list[str], notice: str
) -> None:
    ui = Slow("1e3", "", "1e3", "", monkeypatch=monkeypatch, pace=pace)

    result = take(context, [quiz.of_exercise(template_named("flops.matmul"))] * 2, ui, minutes=1.0)

    assert [one.asked.verdict for one in result.answered] == verdicts
    assert len(list(context.store.log.events())) == len(verdicts)
    assert quiz.total_score(result).endswith(notice)
    assert quiz.document(result)["too_late"] is ("too late" in notice)


def test_left_marking_keeps_the_answers(context: Context) -> None:
    plan = [quiz.of_card(card("a")), quiz.of_card(card("b"))]

    result = take(context, plan, ScriptedUi("first", "second"), exam=True)

    assert [(one.asked.answer, one.asked.verdict) for one in result.answered] == [("first", ""), ("second", "")]


def test_each_question_says_what_time_is_left(context: Context) -> None:
    output = io.StringIO()
    ui = PlainUi(io.StringIO("1e3\n\n"), output, Notation(), lambda *_: None)

    take(context, [quiz.of_exercise(template_named("flops.matmul"))], ui, minutes=2.0)

    assert "2:00 to go" in output.getvalue()


def test_undo_while_marking_repeats_the_card(context: Context) -> None:
    plan = [quiz.of_card(card("a")), quiz.of_card(card("b"))]

    marks, _ = taken(context, plan, "It is a.\nno\nu\nIt is b.\n")

    assert [score_of(mark) for mark in marks] == [1, 1]
    assert [kind for kind, *_ in logged(context)] == ["quiz", "quiz"]
    assert [mark.asked.verdict for mark in marks] == ["correct", "late"]  # its answer was seen


def test_undo_at_the_first_question_reaches_back(context: Context) -> None:
    context.store.log.record(EventKind.FLAG, CardId("other"))

    _, said = taken(context, [quiz.of_card(card("a"))], ":undo\nIt is a.\n")

    assert "Undone: flag other." in said
    assert not context.store.schedule.flagged(CardId("other"))


def test_in_an_exam_nothing_is_taken_back(context: Context) -> None:
    template = template_named("flops.matmul")
    plan = [quiz.of_exercise(template), quiz.of_card(card("a"))]

    marks, said = taken(context, plan, "1e3\n:undo\nIt is a.\n", exam=True)

    assert "In an exam nothing that was submitted can be taken back." in said
    assert [score_of(mark) for mark in marks] == [0, 1]
    assert [kind for kind, *_ in logged(context)] == ["quiz", "quiz"]


def test_right_answer_is_shown_with_the_next_question(context: Context) -> None:
    template = template_named("flops.matmul")
    right = draw(template, 1).answer

    marks, said = taken(context, [quiz.of_exercise(template), quiz.of_card(card("a"))], f"{right}\nIt is a.\n")

    assert [score_of(mark) for mark in marks] == [1, 1]
    assert "right: " in said.partition("quiz 2/2")[0]


def test_why_shows_the_seed(context: Context) -> None:
    _, said = taken(context, [quiz.of_card(card("a"))], ":why\nIt is a.\n")

    assert "seed" not in said.partition("answer> ")[0]
    assert "study quiz --seed 1" in said


def test_title_of_a_card_hides_its_id(study: Shell) -> None:
    study.with_deck("d.md", "Q: What is a copy? {#master-copy .reversed}\nA: One more.\n")

    done = study("quiz", "d", "--plain", typed="t\nn\n" * 2)

    assert "quiz 2/2. 1 left." in done.out
    assert "master-copy" not in done.out


DECK = '---\nname = "Mine"\n---\n\nQ: One? {#one}\nA: Two.\n\nQ: Three? {#three}\nA: Four.\n'


@pytest.fixture
def study(study: Shell, tmp_path: Path) -> Shell:
    """Return a shell with a deck of two cards."""
    (tmp_path / "mine.md").write_text(DECK)
    return study.with_environ(STUDYKIT_DECKS=str(tmp_path / "mine.md"))


def test_json_holds_the_result_by_objective(study: Shell) -> None:
    document = study("quiz", "mem.gib", "-n", "1", "--seed", "3", "--json", typed="1e3\n\n").json

    assert document["objectives"] == {"memory": {"score": 0.0, "of": 1}}
    assert document["questions"][0]["verdict"] == "incorrect"


def test_quiz_skips_unaskable_cards(study: Shell) -> None:
    unaskable = "E: rewrite.split_heads {#a}\n\nE: no.such {#b}\n\n"
    study.with_deck("d.md", f"{unaskable}E: mem.gib x=80 {{#c}}\n\nQ: One? {{#d}}\nA: Two.\n")

    document = study("quiz", "d", "--seed", "1", "--json", typed="Two.\n80 GB\n74.5\n\n").json

    assert sorted(question["id"] for question in document["questions"]) == ["c", "d"]


def test_a_quiz_ends_as_a_review_does(study: Shell) -> None:
    first = study("quiz", "mine", "--seed", "1", "--plain", typed="Two.\nn\n\nTwo.\n").out
    second = study("quiz", "mine", "--seed", "1", "--plain", typed="Two.\nn\n\nTwo.\n").out

    assert "Done. 2 answers in " in first
    assert "right at once      1 of 2 (50%)\n" in first
    assert "right at once      1 of 2 (50%)\n" in second
    assert "  Missed\n    Three?\n      Four.\n" in first
    assert "tomorrow 0 due" in first
    assert "Score: 1 of 2" in first


def test_marked_answer_is_said_once(study: Shell) -> None:
    (study.home / "mine.md").write_text('---\nname = "Mine"\n---\n\nQ: One?\nA: *Two*.\n\nQ: Three?\nA: *Four*.\n')

    output = study("quiz", "mine", "--seed", "1", "--plain", typed="x\ny\n:quit\n").out

    assert output.count("Two.") + output.count("Four.") == 1
    assert "✓ right.\n" in output
    assert "right: *" not in output


def test_the_last_quiz_can_be_read_again(study: Shell) -> None:
    study("quiz", "mine", "--seed", "1", "--exam", "--plain", typed="Five.\nTwo.\nn\n")

    output, document = study("quiz", "--last").out, study("quiz", "--last", "--json").json

    assert "Three?" in output
    assert "yours: Five." in output
    assert "right: Four." in output
    assert (output.count("✓ right"), output.count("✗ wrong")) == (1, 1)
    assert "Score: 1 of 2" in output
    assert (document["score"], document["exam"]) == (1.0, True)
    assert [one["answer"] for one in document["questions"] if not one["score"]] == ["Five."]


@pytest.mark.parametrize("answer", ["6*7e9*2e12", "a_b_c", "a `b` c", "``a`` `b`", "$5"])
def test_answer_is_shown_as_typed(study: Shell, answer: str) -> None:
    marked = study("quiz", "mine", "--seed", "1", "--exam", "--plain", typed=f"{answer}\n:quit\nn\n").out

    assert f"yours: {answer}\n" in marked
    assert f"yours: {answer}\n" in study("quiz", "--last").out


def test_unanswered_question_is_not_wrong() -> None:
    one = {"prompt": "Q?", "answer": "", "right": "4", "score": 0, "verdict": "not_scored"}

    output = "\n".join(quiz.feedback({"questions": [one, {**one, "answer": "5"}]}))

    assert "1. not answered" in output
    assert "2. not marked" in output


def test_without_a_quiz_there_is_no_last_one(study: Shell) -> None:
    done = study("quiz", "--last")

    assert (done.code, done.out) == (3, "")
    assert "No quiz was taken here yet" in done.err


def test_saved_quiz_belongs_to_its_learner(study: Shell) -> None:
    study("quiz", "mine", "--seed", "1", "--plain", typed="Two.\nn\n\nTwo.\n")

    assert (study.home / "study.db.quiz").stat().st_mode & 0o777 == 0o600


def test_empty_quiz_keeps_the_previous_one(study: Shell) -> None:
    study("quiz", "mine", "--seed", "1", "--plain", typed="Two.\nn\n\nTwo.\n")
    output = study("quiz", "mine", "--seed", "1", "--plain", typed=":quit\n").out

    assert output.endswith("Nothing answered, nothing logged.\n\nNext: study review\n")
    assert "Score: 1 of 2" in study("quiz", "--last").out


@contextmanager
def interrupted_after(*answers: str) -> Iterator[None]:
    """Interrupt each quiz after these answers."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("studykit.cli.display.open_ui", lambda *_, **__: nullcontext(InterruptedUi(*answers)))
        yield


def test_interrupted_exam_keeps_its_answers(study: Shell) -> None:
    with interrupted_after("Five."):
        done = study("quiz", "mine", "--seed", "1", "--exam", "--plain")

    output = study("quiz", "--last").out
    assert (done.code, "1 answer saved, 1 left." in done.err) == (130, True)
    assert "1. not marked" in output
    assert "yours: Five." in output


@pytest.mark.parametrize("options", [["--seed", "1"], ["--seed", "1", "--exam"]])
def test_interrupted_quiz_resumes(study: Shell, options: list[str]) -> None:
    with interrupted_after("Four."):
        result = study("quiz", "mine", *options, "--plain")
    rest = study("quiz", "mine", *options[2:], "--plain", typed="Two.\n" if options[2:] else "Two.\n\n")
    anew = study("quiz", "mine", "--plain", typed=":quit\n").out

    assert "Next: study quiz mine " in result.err
    assert "1 of 2 answered" in rest.out
    assert "Score: 2 of 2" in rest.out
    assert "answered. Another" not in anew


def test_ctrl_c_in_a_resumed_quiz_counts_every_answer(study: Shell) -> None:
    with interrupted_after("Four."):
        study("quiz", "mine", "--seed", "1", "--exam", "--plain")
    with interrupted_after():
        result = study("quiz", "mine", "--exam", "--plain")

    assert result.err.startswith("1 answer saved, 1 left.")


def test_quiz_killed_before_an_answer_resumes(study: Shell) -> None:
    study("quiz", "mine", "--seed", "1", "--plain", typed="x\ny\nx\ny\n")

    with interrupted_after():
        study("quiz", "mine", "--seed", "7", "--plain")

    assert (
        "Going on with the quiz you left, 0 of 2 answered."
        in study("quiz", "mine", "--plain", typed=":quit\n").out
    )


@pytest.mark.parametrize(("name", "near"), [("minee", "mine"), ("napkin-mat", "napkin-math")])
def test_misspelt_name_suggests_a_deck_or_a_set(study: Shell, name: str, near: str) -> None:
    assert f"No deck or set is named '{name}'. Did you mean {near}?" in study("quiz", name).err


@pytest.mark.parametrize("typed", ["Five.", "Four."])
def test_interrupted_marking_keeps_the_answer(context: Context, typed: str) -> None:
    class Interrupted(ScriptedUi):
        def choose(self, _question: str, _options: Sequence[tuple[str, str]], _beside: object = ()) -> str | None:
            raise KeyboardInterrupt

    so_far: list[QuizResult] = []

    with pytest.raises(KeyboardInterrupt):
        take(context, [quiz.of_card(card("a"))], Interrupted(typed), kept=so_far)

    assert [(one.asked.answer, one.asked.verdict) for one in so_far[-1].answered] == [(typed, "")]
    assert [(event.kind, event.grade) for event in context.store.log.events()] == [(EventKind.QUIZ, None)]
