"""Check that exercise cards that cannot be asked are reported, skipped in reviews and left out of pages."""

import pytest
from shell import Shell

DECK = """---
name = "pins"
---

Q: Two? {#two}
A: 2

E: flops.moe Na=671B Nt=37B {#moe}

E: inf.throughput B=32 w=70 kv=1342 hw="H100 SXM" {#fit}

E: bet.relu size=8 {#bet}

E: scenario.serve {#story}

E: ckpt.interval save=60 mtbf=3h {#interval}
"""
REASONS = {
    "moe": "flops.moe has no variant with Na=671B, Nt=37B: of 37B parameters in all, 671B cannot be active",
    "fit": "inf.throughput has no variant with b=32, w=70, kv=1342, hw=H100 SXM: 112.9 GB of weights and caches "
    "do not fit into 80 GB",
    "bet": "bet.relu has no size 'size'. Its sizes are n",
    "story": "scenario.serve is a scenario, not a numeric exercise. Name one of its steps",
}
LINES = dict(zip(REASONS, (8, 10, 12, 14), strict=True))


@pytest.fixture
def study(study: Shell) -> Shell:
    study.with_environ(STUDYKIT_SEED="4")
    study.write("own/pins.md", DECK)
    study("deck", "add", "own")
    return study


def test_check_names_each_card_that_cannot_be_asked(study: Shell) -> None:
    result = study("check", "own")

    assert result.code == 1
    assert result.out.splitlines() == [
        *(f"own/pins.md:{LINES[card]}: {reason}." for card, reason in REASONS.items()),
        "1 file, 6 cards: 4 problems.",
    ]


def test_review_passes_over_unaskable_cards(study: Shell) -> None:
    result = study("review", "pins", "--plain", typed="\n3\n19 min\n3\n")

    assert result.out.count("Passed over: ") == len(REASONS)
    assert result.out.count("good, next") == 2


def test_export_leaves_out_unaskable_cards(study: Shell) -> None:
    result = study("export", "html", "pins", "-o", "site")

    assert result.code == 0
    left_out = [line.partition("pins.md:")[2] for line in result.err.splitlines() if "left out" in line]
    assert left_out == [f"{LINES[card]}: left out: {reason}." for card, reason in REASONS.items()]
    page = (study.home / "site" / "pins.html").read_text()
    assert "by Young's rule" in page.replace("&#39;", "'").replace("’", "'")
    assert "mixture of experts" not in page
