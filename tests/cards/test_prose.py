"""Test that text around notes is prose, and that only a note that cannot be read is lost."""

import pytest

from studykit.cards.parser import parse_deck
from studykit.cards.problem import Severity

DIARY = """# A day of notes

Some words before, with a list:

- one [link](a) and $x$

Q: a
A: b

---

Words between, and code:

```
Q: no card
A: none
```

C: c [d]

---

And words at the end.
"""


def test_words_around_notes_are_prose_and_no_mistake() -> None:
    deck, problems = parse_deck(DIARY, "d.md")

    assert [(card.prompt, card.answer) for card in deck.cards] == [("a", "b"), ("c […]", "d")]
    assert [problem.line for problem in problems] == [3, 12, 23]
    assert {problem.severity for problem in problems} == {Severity.STYLE}


@pytest.mark.parametrize("line", ["q: what", " Q: what", "**Q:** what", "- C: [x]", "Q : what", "Q\uff1awhat"])
def test_prose_that_looks_like_a_note_is_named(line: str) -> None:
    _, problems = parse_deck(f"Words.\n\n{line}\n", "d.md")

    assert [str(problem) for problem in problems if problem.severity is Severity.WARNING] == [
        'd.md:3: warning: this looks like a note but is read as prose. Start the line with "Q:" or "C:".'
    ]


def test_code_in_prose_is_no_misspelt_note() -> None:
    _, problems = parse_deck("Words.\n\n```\n q: what\nQ: what\n```\n", "d.md")

    assert [problem.severity for problem in problems] == [Severity.STYLE]


@pytest.mark.parametrize(
    ("bad", "lost"),
    [
        ("Q: no answer", 1),
        ("Q:\nA: no question", 1),
        ("C: no gap", 1),
        ("C: open [gap", 1),
        ("E: flops.x nonsense", 1),
        ("Q: x {#a}\nA: the id of another", 1),
        ("C: " + "[x] " * 51, 1),
        ("Q: long\nA: " + "x" * 20_001, 1),
        ("Q: x\nA: y\nA: a second one", 1),
        ("Q: x\n- [ ] y\n- [ ] z", 1),
        ("Q: x {#a b}\nA: y", 0),
        ("C: one [x], open [y", 0),
        ("Q: empty\nA:", 0),
        ("Q: x\nA: y\x00", 0),
    ],
)
def test_a_bad_note_costs_itself_only(bad: str, lost: int) -> None:
    deck, problems = parse_deck(f"Q: before {{#a}}\nA: a\n\n{bad}\n\nQ: behind {{#b}}\nA: b\n", "d.md")

    ids = [card.id for card in deck.cards]
    assert (ids[0], ids[-1]) == ("a", "b")
    assert sum(problem.lost for problem in problems) == lost


def test_empty_answer_makes_card_and_warning() -> None:
    deck, (problem,) = parse_deck("Q: a {.reversed}\nA:\n", "d.md")

    assert [(card.prompt, card.answer) for card in deck.cards] == [("a", "")]
    assert str(problem) == (
        "d.md:1: warning: the answer is empty, so the card shows none. Write it, or delete the note."
    )


def test_front_matter_that_never_ends_hides_no_note() -> None:
    deck, problems = parse_deck("---\nname = 'x'\n\nQ: a\nA: b\n", "d.md")

    assert [card.prompt for card in deck.cards] == ["a"]
    assert "front matter without an end" in str(problems[0])
