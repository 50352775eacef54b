"""Every word that a page says, from one table."""

import tomllib
from functools import cache
from importlib.resources import files


@cache
def words() -> dict[str, dict[str, str]]:
    """The words by part: `page` for templates, `script` for the review, `exercise` for what judges answers."""
    return tomllib.loads(files("studykit.html").joinpath("strings.toml").read_text("utf-8"))
