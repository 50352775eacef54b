"""Ways to be graded right without writing the rewrite, each with the verdicts that may come of it."""

from rewrite_files import cases

CHEATS = {case.exercise: (case.answer, set(case.words.split())) for case in cases("attacks")}
