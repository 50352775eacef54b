"""Test what a page shows of exercise cards of each kind."""

import pytest
from exported_decks import exported

from studykit.errors import BadDataError


def page(*lines: str) -> str:
    return exported("\n\n".join(lines) + "\n")["d.html"]


@pytest.mark.parametrize(
    ("line", "texts"),
    [
        ("flops.matmul", ("data-sk='{", "How many FLOPs does the matmul", "Solution<span")),
        ("flops.matmul B=64 D=512 K=128", ("X of shape (64, 512) and W of shape (512, 128)",)),
        ("roof.ridge", ('<svg viewBox="0 0 340 188" role="img" aria-label="Roofline of ', "FLOP/byte")),
        (
            "bet.relu n=268435456",
            ("Recorded on an H100 SXM on 2026-11-26. How long did one call of ", "data-sk='{"),
        ),
        (
            "bet.add_tiny",
            ('<h3 class="sk-q">How long does this take, and', "<code>study exercise bet.add_tiny</code>"),
        ),
    ],
    ids=["a numeric exercise", "pinned numbers", "a roofline", "a recorded bet", "an inexact bet"],
)
def test_page_shows_what_the_exercise_has(line: str, texts: tuple[str, ...]) -> None:
    html = page(f"E: {line} {{#m}}")

    assert [text for text in texts if text not in html] == []


def test_rewrite_page_shows_the_answer_and_command() -> None:
    html = page("E: rewrite.split_heads {#s}")

    assert "Attention splits the width" in html
    assert "<code>study exercise rewrite.split_heads</code>" in html
    assert "rearrange" in html.partition('id="a-s"')[2]
    assert "data-sk" not in html.partition("<body>")[2].partition("<script>")[0]


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
