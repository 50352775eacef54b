"""Check that a letter means the same in every question, in the table of symbols, and with `--set`."""

import re
from pathlib import Path

import pytest
from templates import SCENARIOS, TEMPLATES

from studykit.cards.symbols import read_symbols
from studykit.exercise import catalog
from studykit.exercise.bet.snippet import BetExercise
from studykit.exercise.estimate.template import Template
from studykit.exercise.rewrite.rewrite import Rewrite

TABLE = Path(__file__).parents[2] / "decks" / "symbols.toml"
SYMBOLS = read_symbols(TABLE.read_text("utf-8"), TABLE.name)[0]

ALL_TEMPLATES = [*TEMPLATES, *(step for scenario in SCENARIOS for step in scenario.templates())]
SIZES_BY_PLACE = [t for t in ALL_TEMPLATES if t.id == "mem.tensor" or t.id.startswith("stride.")]

WORDS = {  # beside those of the table: how a question says the same
    "B": ("token", "batch", "shape"),
    "G": ("{hw}", "{devices}"),
    "N": ("weights",),
    "T": ("keys",),
    "b": ("sequence", "shape"),
    "d": ("shape",),
    "f": ("shape",),
    "s": ("shape",),
}
NOT_LETTERS = {"W", "h", "s"}  # units
OWN = {"e": "head dimension, or an exponent", "p": "fraction bits", "x": "input"}

IN_FORMULA = re.compile(  # before or behind a sign: 2md, d², d = 4096
    r"(?<![\w'{^.])([A-Za-z])(?=[·²³/]|\s?[\u00d7=]\s)"
    r"|(?<=[·\u00d7=]\s)([A-Za-z])\b(?! [a-z])|(?<=[·0-9(√])([A-Za-z])\b"
)


def texts(template: Template) -> str:
    slips = [text for rule in template.slips for text in (rule.question, rule.message)]
    return "\n".join((template.prompt, *template.hints, *template.solution, *slips))


def says(text: str, letter: str) -> bool:
    words = (*SYMBOLS[letter].words, *WORDS.get(letter, ()))
    in_code = {name for code in re.findall(r"`[^`]*`", text) for name in re.findall(r"[A-Za-z]\w*", code)}
    return letter in in_code or any(word.lower() in text.lower() for word in words)


@pytest.mark.parametrize("template", ALL_TEMPLATES, ids=lambda template: template.id)
def test_prompt_explains_parameters_as_the_symbol_table(template: Template) -> None:
    letters = [name for name in template.grid if name in SYMBOLS and template not in SIZES_BY_PLACE]

    assert [letter for letter in letters if not says(template.prompt, letter)] == []


@pytest.mark.parametrize("template", ALL_TEMPLATES, ids=lambda template: template.id)
def test_formula_letters_are_parameters_or_in_the_table(template: Template) -> None:
    text = texts(template)
    formulas = re.sub(r"`[^`]*`|\{[^}]*\}", " 0 ", text)
    letters = {letter for match in IN_FORMULA.findall(formulas) for letter in match if letter}

    unknown = letters - template.grid.keys() - template.given.keys() - NOT_LETTERS - OWN.keys()

    assert [letter for letter in sorted(unknown) if letter not in SYMBOLS or not says(text, letter)] == []


def test_width_and_heads_have_their_prompt_letters() -> None:
    by_id = {template.id: template for template in TEMPLATES}
    names = ("mem.activations_transformer", "mem.activations_flash", "mem.checkpointed", "comm.tp_layers")

    assert all("d" in by_id[name].grid for name in (*names, "flops.attn_share"))
    assert "h" in by_id["mem.activations_transformer"].grid
    assert [*by_id["ai.attention"].grid] == ["T", "q"]


# The contributions that rewrite.sum_heads adds up are as wide as the model.
HEAD_OF_WIDTH_D = re.compile(r"\(\w* ?h d\)|\(d h\)|\bh \* ?d\b|\bb h [^w] d\b|\bh, s, d\b")


def test_head_width_is_e_outside_one_rewrite() -> None:
    texts_by_name = {path.name: path.read_text("utf-8") for path in TABLE.parent.glob("*.md")}
    texts_by_name |= {
        one.id: "\n".join((one.prompt, *one.hints, one.solution))
        for one in catalog.of_set("einops")
        if isinstance(one, Rewrite)
    }
    texts_by_name |= {one.id: one.source for one in catalog.of_set("timing") if isinstance(one, BetExercise)}

    assert [name for name, text in texts_by_name.items() if HEAD_OF_WIDTH_D.search(text)] == ["rewrite.sum_heads"]
    assert len(texts_by_name) > 140
