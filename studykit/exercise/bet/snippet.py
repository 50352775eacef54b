"""Define a timing bet's snippet: code with a `setup` and a `run`, and sizes to draw from."""

import random
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from textwrap import dedent

from studykit.errors import NotFoundError, UsageError

Size = int | float | str  # a number, a truth value, or a dtype by name
Sizes = Mapping[str, Size]
_MAX_NUMBER_DIGITS = 30
_TRUTHS = {"true": True, "false": False}
_MAX_PLAIN = 9_999  # four digits read well
OWN = "bet.file"  # the template under which a learner's own snippets are logged
CLASS = {"cpu": "cpu", "cuda": "gpu"}
"""The sizes that suit a device: a GPU wants a hundred times the work."""


@dataclass(frozen=True, slots=True)
class Snippet:
    """Hold the code to measure, and its sizes."""

    source: str
    path: str
    sizes: Sizes


@dataclass(frozen=True, slots=True)
class BetExercise:
    """Define a snippet to bet on. `lesson` says afterwards what the measurement shows."""

    id: str
    objective: str
    source: str
    sizes: Mapping[str, Mapping[str, Sequence[Size]]]  # by device class and by name; none where it cannot run
    lesson: str
    version: int = 1
    kind: str = "bet"
    set_name: str = "timing"
    renamed: Mapping[str, str] = field(default_factory=dict)  # from what an earlier version called a size

    @property
    def prompt(self) -> str:
        """Return the snippet as Markdown, with the sizes for each class of device."""
        grids = [
            f"{device}: " + "; ".join(f"{name} {', '.join(map(str, some))}" for name, some in grid.items())
            for device, grid in self.sizes.items()
        ]
        return "\n\n".join([snippet_markdown(self.source, {}), *grids])

    @property
    def solution(self) -> str:
        """Return the lesson, which says what the measurement shows."""
        return self.lesson

    def pins(self, pinned: Mapping[str, str]) -> dict[str, Size]:
        """Return the sizes that a card pins, under their current names."""
        return pinned_sizes([(self.renamed.get(name, name), text) for name, text in pinned.items()])

    def draw(self, seed: int, device: str, pinned: Sizes | None = None) -> dict[str, Size]:
        """Draw sizes for a device, the same for the same seed, or refuse a device that cannot run the snippet."""
        grid = self.sizes.get(CLASS[device])
        if grid is None:
            raise NotFoundError(f"{self.id} needs a GPU. On this machine bet on another", "study exercise list")
        unknown = sorted(set(pinned or {}) - set(grid))
        if unknown:
            raise UsageError(f"{self.id} has no size {unknown[0]!r}. Its sizes are {', '.join(grid)}.")
        generator = random.Random(f"{self.id}:{self.version}:{seed}")
        sizes = {name: generator.choice(list(choices)) for name, choices in grid.items()}
        return sizes | dict(pinned or {})


@dataclass(frozen=True, slots=True)
class BetVariant:
    """Hold a snippet with its sizes, and its name in the log."""

    name: str
    version: int
    seed: int
    snippet: Snippet
    lesson: str = ""
    device: str = ""  # whose recorded measurements judge it; empty where it is measured here

    @property
    def markdown(self) -> str:
        """Return the snippet as Markdown."""
        return snippet_markdown(self.snippet.source, self.snippet.sizes)


def code(text: str) -> str:
    """Dedent a snippet's text, for showing and running it."""
    return dedent(text).strip() + "\n"


def both(
    cpu: Mapping[str, Sequence[Size]], gpu: Mapping[str, Sequence[Size]]
) -> dict[str, Mapping[str, Sequence[Size]]]:
    """Map both classes of device to their sizes."""
    return {"cpu": cpu, "gpu": gpu}


def both_dtypes(
    cpu: Mapping[str, Sequence[Size]], gpu: Mapping[str, Sequence[Size]]
) -> dict[str, Mapping[str, Sequence[Size]]]:
    """Return the sizes with a `dtype`: float32, and on a GPU also bfloat16."""
    return both({**cpu, "dtype": ("float32",)}, {**gpu, "dtype": ("float32", "bfloat16")})


def snippet_markdown(source: str, sizes: Sizes) -> str:
    """Return a snippet as Markdown: its sizes and its code."""
    assignments = ", ".join(f"{name} = {_size_text(value)}" for name, value in sizes.items())
    head = f"# {assignments}\n" if assignments else ""
    return f"```python\n{head}{source.rstrip()}\n```"


def pinned_sizes(pairs: Sequence[tuple[str, str]]) -> dict[str, Size]:
    """Parse pinned sizes: numbers such as `1_024` or `3e-4`, `true` or `false`, or names of dtypes."""
    return {name: _size(text) for name, text in pairs}


def _size(text: str) -> Size:
    if len(text) <= _MAX_NUMBER_DIGITS:
        for read in (int, float):
            with suppress(ValueError):
                return read(text)
    return _TRUTHS.get(text.lower(), text)


def _size_text(value: Size) -> str:
    return f"{value:_}" if isinstance(value, int) and value > _MAX_PLAIN else str(value)
