"""TeX that nests without end: refused before native code would end the process."""

from pathlib import Path

import pytest

from studykit.exercise.bet.snippet import pinned_sizes
from studykit.html.images import ImageError, Images
from studykit.html.mathml import Tex, TexError
from studykit.terminal.markdown.maths import formula

NESTED = [
    "{" * 9000,
    "{" * 9000 + "x" + "}" * 9000,
    r"\sqrt{" * 2800 + "x" + "}" * 2800,
    "x_{" * 3000 + "}" * 3000,
]


@pytest.mark.parametrize("tex", NESTED, ids=range(4))
def test_a_formula_nested_without_end_is_refused(tex: str) -> None:
    with pytest.raises(TexError, match="nested too deep"):
        Tex({}).mathml(tex)


@pytest.mark.parametrize("tex", NESTED, ids=range(4))
def test_a_formula_nested_without_end_stays_tex_on_a_terminal(tex: str) -> None:
    assert formula(tex) is None


def test_macros_that_nest_one_another_are_refused() -> None:
    deep = {
        f"\\{name}": "{" * 900 + f"\\{following}" + "}" * 900 for name, following in zip("abc", "bcd", strict=True)
    }

    with pytest.raises(TexError, match="nested too deep"):
        Tex(deep)


def test_a_formula_of_a_course_is_far_from_too_deep() -> None:
    assert "msqrt" in Tex({"\\half": r"\frac{1}{2}"}).mathml(r"\sqrt{\frac{\half}{\sqrt{x_{i_{j}}}}}")


def test_a_pinned_number_without_end_stays_text() -> None:
    assert pinned_sizes([("n", "9" * 5000), ("m", "1_024")]) == {"n": "9" * 5000, "m": 1024}


def test_an_image_that_is_a_link_to_itself_or_a_pipe_is_told(tmp_path: Path) -> None:
    (tmp_path / "loop.png").symlink_to("loop.png")
    (tmp_path / "pipe.png").symlink_to("/dev/null")

    for name in ("loop.png", "pipe.png"):
        with pytest.raises(ImageError):
            Images(tmp_path, tmp_path).data_url(name)
