"""Test that the page of statistics draws the figures in proportion, and runs and loads nothing."""

import html
import re
from base64 import b64encode
from dataclasses import replace
from datetime import date
from hashlib import sha256
from html.parser import HTMLParser

import pytest

from studykit.exercise.bet.bounds import Binds
from studykit.exercise.bet.record import ScoredBet
from studykit.html.statistics_view import PageFigures, sections, statistics_page
from studykit.scheduling.distributions import AnswerCounts, card_spread, study_year
from studykit.scheduling.estimated_share import counted_share, shrunk_share
from studykit.scheduling.figure_definitions import DEFINITIONS
from studykit.scheduling.mastery import Mastery
from studykit.scheduling.replay import Tally
from studykit.scheduling.stats import Retention, stats

TODAY = date(2026, 11, 20)
HOSTILE = "</title><script>alert(1)</script>\"' onload=x {{ 7*7 }} \u202e\x1b[31m&amp;"
VOID = frozenset(("meta", "link"))

NOTHING = PageFigures(
    stats(TODAY, tallies={}, standings=[], due=[], outcomes=[]),
    study_year({}, TODAY),
    card_spread([]),
    AnswerCounts((Retention(),) * 24, (Tally(),) * 6),
    bets=(),
    mastery=(Mastery("flops", 3, 0, None, 0, 0, None),),
    questions={},
    slip_names={},
)


def some() -> PageFigures:
    tallies = {TODAY.toordinal() - 30: Tally(young=10, young_passed=8), TODAY.toordinal(): Tally(introduced=4)}
    bets = [
        ScoredBet("bet.add", 1e-3, 2e-3, frozenset({Binds.MEMORY}), None, covered=True),
        ScoredBet("bet.add", 1e-6, 1e-4, frozenset({Binds.MEMORY}), None, covered=False),
    ]
    today = TODAY.toordinal()
    return PageFigures(
        stats(
            TODAY,
            tallies=tallies,
            standings=[],
            due=[(today - 2, 3), (today, 1), (today + 29, 2)],
            outcomes=[("flops.mm", "incorrect", "factor-2", 3), ("mem.kv", "incorrect", "factor-2\nbits", 1)],
            hard=[("card-1", "deck", 4, 210, 8, 4)],
        ),
        study_year(tallies, TODAY),
        card_spread([(1, 250, None, 3), (40, 190, None, 1)]),
        AnswerCounts(
            (Retention(),) * 8 + (Retention(6, 10),) + (Retention(),) * 15,
            (Tally(), Tally(introduced=1, young=4), Tally(), Tally(), Tally(young=6), Tally()),
        ),
        bets,
        mastery=(
            Mastery("flops", 9, 4, counted_share(3, 4), 5, 4, shrunk_share(4, 5, 0.5, 8)),
            Mastery("memory", 2, 0, None, 0, 0, None),
        ),
        questions={"card-1": HOSTILE},
        slip_names={"factor-2": HOSTILE, "bits": "forgot the bits"},
    )


class Tags(HTMLParser):
    """Collect every tag, and check that each is closed in order."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.names: list[str] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.append(tag)
        self.attributes += attrs
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.append(tag)
        self.attributes += attrs

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.mark.parametrize("figures", [NOTHING, some()], ids=["nothing", "some"])
def test_nothing_on_the_page_runs_or_loads(figures: PageFigures) -> None:
    page = statistics_page(figures)
    tags = Tags(page)

    assert tags.open == []
    assert not {"script", "img", "iframe", "base", "form", "object", "a"} & set(tags.names)
    assert {name for name, _ in tags.attributes if name.startswith("on") or name in {"style", "src"}} == set()
    assert [value for name, value in tags.attributes if name == "href"] == ["data:,"]
    (policy,) = (
        value for name, value in tags.attributes if value and name == "content" and "default-src" in value
    )
    style = page.partition("<style>")[2].partition("</style>")[0]
    hashed = b64encode(sha256(style.encode()).digest()).decode()
    assert policy.startswith(f"default-src 'none'; style-src 'sha256-{hashed}'; img-src data:;")
    assert "script-src" not in policy  # none by the default
    assert not re.search(r"@import|url\(|https?:", style)


def test_texts_of_cards_and_slips_are_text() -> None:
    page = statistics_page(some())

    assert "<script" not in page
    assert "&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert "{{ 7*7 }}" in page
    assert "\x1b" not in page
    assert "\u202e" not in page


def test_statistics_figures_have_definition_and_number_table() -> None:
    page = statistics_page(some())

    page_sections = sections(some())
    assert ", ".join(page_sections) == (
        "activity, retention, forecast, intervals, ease, time of day, answers, mastery, bets, slips, hardest"
    )
    for name, figure in page_sections.items():
        assert f"{DEFINITIONS[name]}.</p>" in html.unescape(page)
        assert figure.rows, name
        assert all(len(row) == len(figure.columns) for row in figure.rows)
        assert len(figure.bars) in {0, len(figure.rows)}
        assert f'id="{name.replace(" ", "-")}"' in page


def test_empty_statistics_show_no_number() -> None:
    for name, figure in sections(NOTHING).items():
        if name not in {"activity", "forecast"}:  # which count to zero
            assert not re.search(r"\d", figure.sentence), figure.sentence


def test_sections_say_the_figures() -> None:
    by_name = sections(some())
    rows = {name: figure.rows for name, figure in by_name.items()}

    assert by_name["retention"].sentence.startswith("80.0% of 10 reviews passed")
    assert by_name["forecast"].sentence == "4 due today, 3 of them overdue; 6 in 30 days."
    assert rows["retention"][2] == ("last 365 days", "80.0%", "-", "80.0%", "10")
    assert rows["intervals"][0] == ("≤1", "3")
    assert rows["time of day"] == [("08 to 09", "10", "60.0%")]
    assert by_name["answers"].sentence == "11 answers. Of 10 to known cards 6 were good or easy."
    weakest = "Weakest: flops, 62% (35%-85%) of what was answered; cards not yet seen: 5."
    assert by_name["mastery"].sentence == weakest
    assert rows["mastery"][1] == ("memory", "-", "0", "2", "-", "-", "nothing known")
    assert by_name["bets"].sentence.startswith(
        "all bets (2): 14x too optimistic, typically off by 14x, 2 too low;"
    )
    assert by_name["bets"].sentence.endswith("80 % intervals: 1 of the last 2 held (50%).")
    assert rows["slips"][1] == ("forgot the bits", "1 time", "study exercise mem.kv")
    assert rows["hardest"][0][:4] == ("card-1", "4", "50.0%", "2.10")


def test_under_fsrs_stability_takes_the_place_of_ease() -> None:
    figures = replace(some(), spread=card_spread([(9, 250, 8.5, 2)]))

    assert list(sections(figures))[4] == "stability"


def test_an_interval_is_drawn_from_end_to_end() -> None:
    share = counted_share(8, 10)

    low, mean, high = sections(some())["retention"].bars[2]

    assert share is not None
    assert (low, mean, high) == (share.low, 0.8, share.high)
    assert sections(some())["retention"].bars[0] == (0, 0, 0)  # no reviews in the last week


def test_a_page_of_a_full_year_stays_small() -> None:
    tallies = {TODAY.toordinal() - back: Tally(young=50, young_passed=45) for back in range(365)}
    figures = replace(some(), year=study_year(tallies, TODAY))

    assert len(statistics_page(figures).encode()) < 150_000
