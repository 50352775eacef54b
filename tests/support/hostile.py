"""Hostile text that would end the process: native code has no depth to give."""

NESTED_TEX = (
    "{" * 9000,
    "{" * 9000 + "x" + "}" * 9000,
    r"\sqrt{" * 2800 + "x" + "}" * 2800,
    "x_{" * 3000 + "}" * 3000,
)
