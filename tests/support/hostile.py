"""Define hostile TeX that nests deeper than native code can follow, which could end the process."""

NESTED_TEX = (
    "{" * 9000,
    "{" * 9000 + "x" + "}" * 9000,
    r"\sqrt{" * 2800 + "x" + "}" * 2800,
    "x_{" * 3000 + "}" * 3000,
)
