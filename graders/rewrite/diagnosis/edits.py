"""Make one or two small edits of a wrong answer, to find out which mistakes it has."""

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, combinations, islice, zip_longest

from studykit.exercise.rewrite.rewrite import Rewrite
from studykit.graders.rewrite.diagnosis import pattern_edits, term_edits
from studykit.graders.rewrite.diagnosis.syntax_tree import Edit, SyntaxTree, corrected

_KINDS = (*pattern_edits.KINDS, *term_edits.KINDS)
_MAX_SINGLE_EDITS = 240
_MAX_EDITS_OF_A_KIND = 400  # who writes a list of a thousand names could exchange half a million pairs of them
_MAX_PAIRED_EDITS = 64


def singles(source: str, exercise: Rewrite) -> tuple[Edit, ...]:
    """List at most 240 edits of one thing each, likely ones first, alternating between kinds."""
    tree = SyntaxTree(source, exercise)
    if any(isinstance(node, ast.JoinedStr) for node in tree.nodes):
        return ()  # Python before 3.12 cannot write out again all that stands in one
    every = [islice(kind(tree), _MAX_EDITS_OF_A_KIND) for kind in _KINDS]
    kinds = [[replace(edit, kind=n) for edit in found] for n, found in enumerate(every)]
    in_turn = (edit for edit in chain.from_iterable(zip_longest(*kinds)) if edit is not None)
    return tuple(sorted(in_turn, key=lambda edit: not edit.likely)[:_MAX_SINGLE_EDITS])


def pairs(edits: Sequence[Edit]) -> Iterator[tuple[Edit, Edit]]:
    """Yield pairs of likely edits, early ones first. Pairs of one kind rank higher: mistakes recur."""
    likely = [edit for edit in edits if edit.likely][:_MAX_PAIRED_EDITS]

    def rank(pair: tuple[int, int]) -> int:
        return sum(pair) // (2 if likely[pair[0]].kind == likely[pair[1]].kind else 1)

    for one, other in sorted(combinations(range(len(likely)), 2), key=rank):
        if _are_compatible(likely[one], likely[other]):
            yield likely[one], likely[other]


def _are_compatible(one: Edit, other: Edit) -> bool:
    """Return whether both edits can be made.

    Two edits of one node exclude each other, except those of two composites of one pattern.
    """
    if not {place for place, _ in one.changes} & {place for place, _ in other.changes}:
        return True
    return one.clause != other.clause and all(edit.clause.startswith("the composite") for edit in (one, other))


@dataclass(slots=True)
class EditedAnswers:
    """Make and cache the texts of an answer with edits.

    Two edits of different lines are combined from the texts with one edit each, which parses nothing again.
    """

    source: str
    _lines: dict[tuple[Edit, ...], list[str]] = field(default_factory=dict)

    def text_with(self, edits: tuple[Edit, ...]) -> str:
        """Return the answer with these edits."""
        if len(edits) > 1:
            base, *versions = [self._of(each) for each in ((), *((edit,) for edit in edits))]
            if all(len(lines) == len(base) for lines in versions):
                changed = [{n for n, line in enumerate(lines) if line != base[n]} for lines in versions]
                if sum(map(len, changed)) == len(set().union(*changed)):
                    owners = {n: lines for lines, numbers in zip(versions, changed, strict=True) for n in numbers}
                    return "\n".join(owners.get(n, base)[n] for n in range(len(base)))
        return "\n".join(self._of(edits))

    def _of(self, edits: tuple[Edit, ...]) -> list[str]:
        if edits not in self._lines:
            self._lines[edits] = corrected(self.source, *edits).split("\n")
        return self._lines[edits]


def explanation(edits: Sequence[Edit]) -> str:
    """Say in one sentence what is wrong, by the edits that made the answer right."""
    lines = {edit.line for edit in edits}
    if len(lines) == 1:
        clause = f"on line {edits[0].line} {', and '.join(edit.clause for edit in edits)}"
    else:
        clause = ", and ".join(str(edit) for edit in sorted(edits, key=lambda edit: edit.line))
    return f"{clause[0].upper()}{clause[1:]}; all else is right."
