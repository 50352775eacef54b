"""Test what a page shows of exercise cards of each kind."""

import pytest
from exported_decks import exported

from studykit.errors import BadDataError


def page(*lines: str) -> str:
    return exported("\n\n".join(lines) + "\n")["d.html"]


def test_numeric_exercise_page_shows_question_solution_and_data() -> None:
    html = page("E: flops.matmul {#m}")

    assert "data-sk='{" in html
    assert "How many FLOPs does the matmul" in html
    assert "Solution<span" in html


def test_pinned_parameters_are_the_numbers_that_are_shown() -> None:
    assert "X of shape (64, 512) and W of shape (512, 128)" in page("E: flops.matmul B=64 D=512 K=128 {#m}")


def test_a_roofline_is_drawn_and_described() -> None:
    html = page("E: roof.ridge {#r}")

    assert '<svg viewBox="0 0 340 188" role="img" aria-label="Roofline of ' in html
    assert "FLOP/byte" in html


def test_rewrite_page_shows_the_answer_and_command() -> None:
    html = page("E: rewrite.split_heads {#s}")

    assert "Attention splits the width" in html
    assert "<code>study exercise rewrite.split_heads</code>" in html
    assert "rearrange" in html.partition('id="a-s"')[2]
    assert "data-sk" not in html.partition("<body>")[2].partition("<script>")[0]


def test_a_recorded_bet_is_answered_on_the_page() -> None:
    html = page("E: bet.relu n=268435456 {#b}")

    assert "Recorded on an H100 SXM on 2026-11-26. How long did one call of <code>run</code> take?" in html
    assert "data-sk='{" in html


def test_inexact_bet_page_has_its_question_as_heading() -> None:
    html = page("E: bet.add_tiny {#b}")

    assert '<h3 class="sk-q">How long does this take, and what binds it?</h3>' in html
    assert "<code>study exercise bet.add_tiny</code>" in html


def test_numeric_script_comes_only_with_numeric_exercises() -> None:
    assert "zetta" not in page("E: rewrite.split_heads {#s}")
    assert "zetta" in page("E: flops.matmul {#m}")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("E: flops.matmull {#x}", "No exercise is named 'flops.matmull'. Did you mean flops.matmul?"),
        ("E: flops.matmul Z=3 {#x}", "flops.matmul has no parameter 'Z'"),
    ],
)
def test_invalid_exercise_is_refused_with_its_line(line: str, message: str) -> None:
    with pytest.raises(BadDataError) as refused:
        page("Q: a\nA: b", line)

    assert str(refused.value).startswith(f"d.md:4: {message}")
