"""The words of the pages, from one file."""

import tomllib
from functools import cache
from importlib.resources import files

Words = dict[str, dict[str, str]]


@cache
def words() -> Words:
    """The strings by table: `page` for templates, `script` and `exercise` for the scripts."""
    return tomllib.loads(files("studykit.html").joinpath("strings.toml").read_text("utf-8"))
