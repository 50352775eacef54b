"""Ask which spread at initialization keeps the outputs in scale."""

import math

from studykit.exercise import Template

from ._slips import slip

STD = Template(
    id="init.std",
    objective="training",
    grid={"i": (256, 768, 1024, 1600, 2048, 4096, 5120, 8192, 12288, 16384), "o": (32, 512, 11008)},
    prompt="`y = x @ W`, W of shape ({i}, {o}). The entries of W are independent, with mean 0 and equal "
    "variance; the inputs are independent, with mean 0 and variance 1. What standard deviation must W have so "
    "that the outputs have variance 1 too?",
    answer=lambda v: 1 / math.sqrt(v.i),
    unit="number",
    tolerance=0.03,
    slips=(
        slip("variance_not_std", lambda v: 1 / v.i),
        slip("fan_out", lambda v: 1 / math.sqrt(v.o)),
        slip("sqrt_up", lambda v: math.sqrt(v.i)),
        slip("xavier", lambda v: math.sqrt(2 / (v.i + v.o))),
        slip("he", lambda v: math.sqrt(2 / v.i)),
    ),
    hints=(
        "What is the variance of a sum of independent terms?",
        "One output sums {i} terms, and variances add.",
        "{i} × variance of W has to be 1.",
    ),
    solution=("{i} × std² = 1", "std = 1 / √{i} = {answer:number}"),
    version=2,
)

NAIVE = Template(
    id="init.naive_std",
    objective="training",
    grid={
        "i": (
            64,
            144,
            256,
            400,
            576,
            768,
            1024,
            1600,
            2048,
            2500,
            3072,
            4096,
            5120,
            6400,
            8192,
            11008,
            14336,
            16384,
        )
    },
    prompt="W and x are drawn independently from N(0, 1), with fan-in {i}. What is the standard deviation of each "
    "output of `x @ W`?",
    answer=lambda v: math.sqrt(v.i),
    unit="number",
    tolerance=0.03,
    slips=(
        slip("variance", lambda v: v.i),
        slip("one", lambda _: 1.0),
        slip("inverse", lambda v: 1 / math.sqrt(v.i)),
    ),
    hints=(
        "Variances add, standard deviations do not.",
        "One output is a sum of {i} products, each of variance 1.",
        "The variance is {i}.",
    ),
    solution=("variance: {i} × 1", "std = √{i} = {answer:number}"),
    version=2,
)

EXERCISES = (STD, NAIVE)
