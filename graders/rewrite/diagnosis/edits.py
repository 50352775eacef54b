"""List small changes to a wrong answer, one of which may be all that is wrong."""

import ast
from itertools import chain, islice, zip_longest

from studykit.exercise.rewrite.rewrite import Rewrite
from studykit.graders.rewrite.diagnosis import pattern_edits, term_edits
from studykit.graders.rewrite.diagnosis.syntax_tree import Edit, SyntaxTree

_KINDS = (*pattern_edits.KINDS, *term_edits.KINDS)
_MAX_EDITS = 240


def edits_of(source: str, exercise: Rewrite) -> tuple[Edit, ...]:
    """List at most 240 edits, alternating between kinds."""
    tree = SyntaxTree(source, exercise)
    if any(isinstance(node, ast.JoinedStr) for node in tree.nodes):
        return ()  # Python before 3.12 cannot write out again all that stands in one
    # Cut each kind first: who writes a list of a thousand names could exchange half a million pairs of them.
    kinds = [islice(kind(tree), _MAX_EDITS) for kind in _KINDS]
    in_turn = (edit for edit in chain.from_iterable(zip_longest(*kinds)) if edit is not None)
    return tuple(islice(in_turn, _MAX_EDITS))
