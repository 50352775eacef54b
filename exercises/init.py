"""Initialisation: which spread keeps the outputs in scale."""

import math

from studykit.exercise import Template

from ._slips import slip

STD = Template(
    id="init.std",
    objective="training",
    grid={"i": (256, 1024, 4096, 16384), "o": (32, 512, 8192)},
    prompt="`y = x @ W`, W of shape ({i}, {o}) drawn independently with mean 0, the inputs independent with "
    "mean 0 and variance 1. With which standard deviation must W be drawn so that the outputs have "
    "variance 1 too?",
    answer=lambda v: 1 / math.sqrt(v.i),
    unit="number",
    tolerance=0.03,
    slips=(
        slip("variance_not_std", lambda v: 1 / v.i, "Variance or standard deviation?", "That is the variance."),
        slip(
            "fan_out",
            lambda v: 1 / math.sqrt(v.o),
            "How many terms does one output sum?",
            "One output sums as many terms as there are inputs, not outputs.",
        ),
        slip("sqrt_up", lambda v: math.sqrt(v.i), "Should it grow or shrink with the width?", "It has to shrink."),
        slip(
            "xavier",
            lambda v: math.sqrt(2 / (v.i + v.o)),
            "Which fans does the question care about?",
            "That is Xavier's compromise between both directions.",
        ),
        slip(
            "he",
            lambda v: math.sqrt(2 / v.i),
            "Is there a ReLU in the question?",
            "That is He's, which makes up for a ReLU.",
        ),
    ),
    hints=(
        "What is the variance of a sum of independent terms?",
        "One output sums {i} terms, and variances add.",
        "{i} × variance of W has to be 1.",
    ),
    solution=("{i} × std² = 1", "std = 1 / √{i} = {answer:number}"),
)

NAIVE = Template(
    id="init.naive_std",
    objective="training",
    grid={"i": (64, 256, 1024, 4096, 16384)},
    prompt="W and x are drawn independently from N(0, 1), with fan-in {i}. What is the standard deviation of "
    "each output of "
    "`x @ W`?",
    answer=lambda v: math.sqrt(v.i),
    unit="number",
    tolerance=0.03,
    slips=(
        slip("variance", lambda v: v.i, "Variance or standard deviation?", "That is the variance."),
        slip("one", lambda _: 1.0, "How many terms does one output sum?", "{i} terms of variance 1 are summed."),
        slip("inverse", lambda v: 1 / math.sqrt(v.i), "Does a sum of many terms grow or shrink?", "It grows."),
    ),
    hints=(
        "Variances add, standard deviations do not.",
        "One output is a sum of {i} products, each of variance 1.",
        "The variance is {i}.",
    ),
    solution=("variance: {i} × 1", "std = √{i} = {answer:number}"),
)

EXERCISES = (STD, NAIVE)
