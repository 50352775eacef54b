"""Check which numbers are read from the text of a question: with their scale, each once, no dtypes or factors."""

import pytest

from studykit.exercise.estimate.number import prompt_numbers


@pytest.mark.parametrize(
    ("prompt", "numbers"),
    [
        ("on 1024 × H100 SXM at 40 %", (1024.0, 0.4)),
        ("70B parameters on 1.3T tokens", (70e9, 1.3e12)),
        ("a vector of length 1,048,576.", (1048576.0,)),
        ("`x[16384,32768] @ w[32768,8192]` in bf16", (16384.0, 32768.0, 8192.0)),
        ("spend 1e22 FLOPs, 80 GB each", (1e22, 80.0)),
        ("fp8, 2 FLOPs, 1 element, factor 2.5", ()),
        ("16 heads, 16 layers", (16.0,)),
        ("How much?", ()),
    ],
)
def test_numbers_are_read_with_their_scale_and_once(prompt: str, numbers: tuple[float, ...]) -> None:
    assert prompt_numbers(prompt) == pytest.approx(numbers)
