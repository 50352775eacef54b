"""Test the choice of cards by decks, words and tags, in reviews, quizzes and exercises."""

import re
from pathlib import Path

import pytest
from shell import Shell

from studykit.cards.card import CardId
from studykit.cli.context import Context
from studykit.exercise import catalog, registry
from studykit.scheduling.event_kinds import EventKind
from studykit.scheduling.recall_grade import Grade

EUROPE = '---\nid = "europe"\nname = "Geo::Europe"\n---\n\n' + "".join(
    f"Q: capital {number}? {{#europe-{number} .city}}\nA: yes\n\n" for number in range(12)
)
ASIA = """---
id = "asia"
name = "Geo::Asia"
---

Q: river? {#asia-river .water.sweet}
A: yes

Q: sea? {#asia-sea .water}
A: yes

E: mem.gib {#asia-task .water}
"""


@pytest.fixture
def study(study: Shell, tmp_path: Path) -> Shell:
    """Return a shell with two decks below Geo, whose new cards of today come from the first one."""
    study.with_environ(STUDYKIT_SEED="4", STUDYKIT_DECKS=str(tmp_path / "geo"))
    study.write("geo/1.md", EUROPE)
    study.write("geo/2.md", ASIA)
    study.write("config.toml", 'course = "off"\n')
    return study


@pytest.mark.parametrize(
    ("words", "cards"),
    [
        (["--tag", "water"], 3),
        (["Geo::Asia"], 3),
        (["geo", "tag:water"], 3),
        (["asia", "--tag", "water.sweet"], 1),
        (["deck:asia", "river"], 1),
        (["river", "OR", "sea"], 2),
        (["is:new"], 10),
    ],
    ids=str,
)
def test_selection_applies_before_the_daily_limit(study: Shell, words: list[str], cards: int) -> None:
    assert f". {cards} left." in study("review", "--plain", *words, typed="q\n").out
    if words[0] != "--tag" and "--tag" not in words:
        assert study("due", "--json", *words).json["new"] == cards


@pytest.mark.parametrize(
    ("words", "near"),
    [
        (["review", "--tag", "watr"], "Unknown tag 'watr'. Did you mean water?"),
        (["review", "deck:asai"], "No deck has 'asai' in its name. Did you mean asia?"),
        (["review", "asai"], "No card matches 'asai'. Did you mean asia?"),
        (["find", "tag:watr"], "Unknown tag 'watr'. Did you mean water?"),
        (["quiz", "--tag", "watr"], "Unknown tag 'watr'. Did you mean water?"),
        (["exercise", "--tag", "watr"], "Unknown tag 'watr'. Did you mean water?"),
        (["review", "--tag", ""], "Unknown tag ''"),
        (["exercise", "einops", "--tag", "water"], "There is nothing to ask. Choose another set or another tag:"),
        (["exercise", "list", "einops", "--tag", "water"], "There is nothing to ask. Choose another set"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_unknown_tag_or_deck_suggests_the_nearest(study: Shell, words: list[str], near: str) -> None:
    result = study(*words, "--plain") if words[0] == "review" else study(*words)

    assert (result.code, near in result.err) == (3, True), result.err


def test_family_of_rewrites_is_practised_with_a_tag(study: Shell) -> None:
    output = study("exercise", "einops", "rearrange", "--tag", "einops", "--plain", "-n", "1", typed=":quit\n").out

    assert "rearrange 1/1" in output


def test_listed_tag_stands_in_the_command(study: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Context, "on_terminal", True)

    output = study("exercise", "list", "napkin-math", "--tag", "water").out

    assert "Practise them: study exercise napkin-math --tag water\n" in output


def test_nothing_chosen_leads_to_what_is_due(study: Shell) -> None:
    output = study("review", "is:leech", "--plain").out

    assert output.endswith("None of the cards you chose is due now.\n\nNext: study review\n")


def test_hardest_cards_come_first(study: Shell) -> None:
    study("due")
    log = Context.from_environment().store.log
    for number in range(5):
        log.record(EventKind.ANSWER, CardId(f"europe-{number}"), grade=Grade.GOOD)
    study.at("2026-12-01T09:00:00+00:00")
    log = Context.from_environment().store.log
    log.record(EventKind.ANSWER, CardId("europe-3"), grade=Grade.AGAIN)
    study.at("2026-12-20T09:00:00+00:00")

    assert "capital 3" in study("review", "--order", "hard", "--plain", typed="q\n").out.partition("A")[0]


def test_deck_limit_covers_decks_below_its_name(study: Shell) -> None:
    output = study("deck", "limit", "geo", "2").out

    assert output == "geo: 2 new cards a day, with the decks below it, within the 10 of all decks\n"
    assert study("due", "--json").json["new"] == 2
    study("deck", "limit", "geo", "none")
    assert study("due", "--json").json["new"] == 10


def test_name_takes_the_decks_below_it(study: Shell) -> None:
    assert len(study("show", "geo", "--json").json["cards"]) == 15
    assert study("export", "csv", "-o", "a.csv", "Geo").out == "a.csv: 15 cards.\n"
    assert study("export", "csv", "-o", "b.csv", "ASIA").out == "b.csv: 3 cards.\n"


def test_quiz_and_exercises_keep_to_a_tag(study: Shell) -> None:
    questions = study("quiz", "--tag", "water", "--json", typed=":skip\n\n" * 30).json["questions"]
    listed = study("exercise", "list", "--tag", "water", "--json").json["exercises"]
    practised = study("exercise", "--tag", "water", "--plain", typed="q\n").out

    assert {question["id"] for question in questions} == {"asia-river", "asia-sea", "asia-task"}
    assert [row["id"] for row in listed] == ["mem.gib"]
    assert "napkin-math 1/5 · mem.gib" in practised


def test_mixed_set_and_quiz_keep_to_decks_met(study: Shell) -> None:
    study.write("config.toml", 'course = "on"\nhidden_decks = []\n')
    study("due")
    context = Context.from_environment()
    exercises = catalog.of_set(catalog.MIXED)
    decks = {card.id: card.deck for card in context.store.cards.all()}
    card = next(card for card, deck in decks.items() if deck == "two-questions")
    context.store.log.record(EventKind.ANSWER, card, grade=Grade.GOOD)

    assert context.store.schedule.met_decks() == ["two-questions"]
    ids = registry.of_decks(exercises, context.store.cards.tasks(), ["two-questions"])
    assert {"flops.matmul", "flops.train_total"} <= ids
    assert not ids & {"inf.kv_total", "inf.gqa_ratio", "comm.tp_layers", "time.cost", "model.flops"}
    of_transformer = registry.of_decks(exercises, context.store.cards.tasks(), ["flops"])
    assert {"flops.recompute_extra", "model.flops"} <= of_transformer

    out = study("exercise", "napkin-math", "-n", "20", "--plain", typed=":skip\n\n" * 30).out
    asked_ids = re.findall(r"Exercise: napkin-math \d+/\d+ · (\S+)\.", out)
    assert asked_ids[:3] == list(catalog.first_questions())
    assert len(asked_ids) == 20
    assert set(asked_ids[3:]) <= ids
    quiz = study("quiz", "-n", "60", "--json", typed=":skip\n\n" * 200).json["questions"]
    assert {decks[question["id"]] for question in quiz} == {"two-questions"}
