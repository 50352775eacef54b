"""Make hostile text that could end the process by nesting deeper than native code allows."""

NESTED_TEX = (
    "{" * 9000,
    "{" * 9000 + "x" + "}" * 9000,
    r"\sqrt{" * 2800 + "x" + "}" * 2800,
    "x_{" * 3000 + "}" * 3000,
)
