"""Write the pages that the browser tests open: the shipped decks, a showcase, hostile decks, large decks."""

import re
import sys
from dataclasses import replace
from pathlib import Path

from studykit.cards.card import CardId, Deck, DeckId, NoteId, Task
from studykit.errors import StudyError
from studykit.exercise import catalog
from studykit.exercise.entry import PageCard
from studykit.exercise.estimate import selection
from studykit.exercise.estimate.template import Template
from studykit.exercise.registry import page
from studykit.html.deck_view import DeckPart, Problems, view
from studykit.html.export import ExportOptions, export
from studykit.html.former import NAME, Former, read_former
from studykit.html.output_folder import write
from studykit.html.strings import read_strings

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))
from decks import read_deck

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
POLICY = re.compile(r'<meta http-equiv="Content-Security-Policy"[^>]*>')


def part(path: Path, text: str = "") -> DeckPart:
    return DeckPart(read_deck(text or path.read_text("utf-8"), str(path)), path.parent)


def numbers() -> str:
    names = [exercise.id for exercise in catalog.every() if isinstance(exercise, Template)]
    return '---\nname = "Numbers"\n---\n' + "\n".join(f"E: {name} {{#{name}}}\n" for name in names)


def choices() -> str:
    """Return a deck of choices whose options have lines of different length, and objectives to filter by."""
    cards = (
        f"Q: Which of these hold of step {n}? {{#choice-{n} .{'flops' if n % 2 else 'memory'}}}\n"
        f"- [x] {'It moves bytes and multiplies, ' * n}and is counted\n- [ ] It is free\n- [x] Both\n"
        for n in range(1, 9)
    )
    return '---\nname = "Choices"\n---\n' + "\n".join(cards)


def many(count: int) -> str:
    """Return a deck of the given length, with words, formulas and code."""
    cards = []
    for n in range(count):
        formula = f" with $m = {n}$ and $\\frac{{a_{{{n}}}}}{{b}}$" if n % 3 == 0 else ""
        code = f"\n\n```python\nx = torch.zeros({n}, {n + 1})\nprint(x.shape)\n```" if n % 10 == 0 else ""
        cards.append(
            f"Q: How many FLOPs does step {n} of the derivation take{formula}? {{#card-{n}}}{code}\n"
            f"A: It takes {2 * n} FLOPs, since each of the {n} outputs multiplies and adds once.\n"
        )
    return f'---\nname = "{count} cards"\n---\n' + "\n".join(cards)


GERMAN = """---
name = "Rechnen"
lang = "de"
---
E: flops.matmul {#rechnen .flops}

E: mem.gib {#umrechnen .memory}

Q: Wie viele Bytes hat ein Kilobyte? {#tippen .typed}
A: 1000

Q: Welche davon sind gerade? {#waehlen}
- [x] zwei
- [ ] drei
- [x] vier

C: Ein Byte hat [8] Bits. {#luecke}

E: rewrite.split_heads {#umschreiben}
"""


CASES = """---
name = "Cases"
---
Q: The mean, of a sample?
A: The sum over the count.

Q: The capital of France? {#capital .typed}
A: Paris

Q: Which moves no bytes? {#choice}
- [x] transpose
- [ ] clone # it copies
"""
WIDE = r"""---
name = "Wide"
---
Q: What are $2 \cdot n_\text{layers} \cdot n_\text{kv} \cdot d_\text{head} \cdot b_\text{bytes}$?
A: The bytes of a cache.

$$T = \frac{6 N D}{n F} = \frac{6 \cdot 7\times10^{9} \cdot 2\times10^{12}}{1024 \cdot 989}$$

| precision | bits | exponent | mantissa | largest | smallest normal | used for | introduced in |
|---|---:|---:|---:|---:|---:|---|---|
| float32 | 32 | 8 | 23 | 3.4e38 | 1.2e-38 | master weights, optimizer state | 1985 |

```python
def attention_with_a_long_name(query: torch.Tensor, key: torch.Tensor, value: torch.Tensor): ...
```
"""


def in_german(task: Task) -> PageCard:
    """Return an exercise whose texts are German and whose formulas are those of the catalogue."""
    exercise = catalog.find(task.name)
    if not isinstance(exercise, Template):
        return PageCard("Schreibe es um.", "`x`", "study exercise x")
    rules = tuple(replace(rule, question="Was fehlt?", message="Etwas fehlt.") for rule in exercise.slips)
    prompt = f"Rechne mit {' und '.join(f'{{{name}}}' for name in exercise.grid)}."
    hints = ("Denk nach.", "Denk weiter.", "Rechne.")
    german = replace(exercise, slips=rules, prompt=prompt, hints=hints, solution=("{answer:e}",))
    return PageCard(variants=selection.first_variants(german, {}))


def hostile() -> list[DeckPart]:
    """Return a deck for each hostile payload of the tests."""
    payloads = (ROOT / "tests" / "html" / "payloads.txt").read_text("utf-8").split("\n%%\n")
    return [DeckPart(attack(number, payload), HERE) for number, payload in enumerate(payloads)]


def attack(number: int, payload: str) -> Deck:
    """Put the payload into every text of a deck: cards, code language, formula, title, ids and file name.

    A card for which a deck would be refused is left out, since a refused payload is harmless.
    """
    line = payload.splitlines()[0]
    text = "Q: question\nA: answer\n"
    for card in (
        f"\nQ: {payload}\n\nA: {payload}\n",
        f"\nQ: language\n\n```{line.lstrip('`~')}\nx\n```\nA: x\n",
        f"\nC: a [{line}] b\n",
        f"\nQ: formula ${line}$\nA: $${line}$$\n",
        f"\nQ: formula $\\text{{{line}}}$\nA: $$\\mathrm{{{line}}}$$\n",
    ):
        text += card if parses(card) else ""
    deck = read_deck(text, str(HERE / f"{line.replace('/', '')}.md"))
    first, *others = deck.cards
    cards = (first._replace(id=CardId(f"{number}{payload}"), note=NoteId(payload), tags=(payload,)), *others)
    described = payload if parses(f"Q: {payload}\n\nA: {payload}\n") else ""
    deck = deck._replace(name=payload, description=described, license=payload, url=payload, objectives=(payload,))
    return deck._replace(id=DeckId(f"{number}{payload}"), cards=cards)


def parses(text: str) -> bool:
    """Return whether the text is a deck whose formulas and images can be shown."""
    problems = Problems()
    try:
        view([DeckPart(read_deck(text, str(HERE / "x.md")), HERE)], page, problems)
        problems.refuse()
    except StudyError:
        return False
    return True


def main(out: Path) -> None:
    shipped = [part(path) for path in sorted((ROOT / "decks").glob("*.md"))]
    write(out / "shipped", export(shipped, page, ExportOptions()))
    write(out / "showcase", export([part(HERE / "showcase.md")], page, ExportOptions()))
    write(out / "numbers", export([part(HERE / "numbers.md", numbers())], page, ExportOptions()))
    write(out / "choices", export([part(HERE / "choices.md", choices())], page, ExportOptions()))
    words = ExportOptions(app=True, strings=read_strings(HERE / "german.toml"))
    write(out / "german", export([part(HERE / "german.md", GERMAN)], in_german, words))
    both = [part(HERE / "showcase.md"), part(HERE / "numbers.md", numbers())]
    write(out / "app", export(both, page, ExportOptions(app=True)))
    cases = [part(HERE / "cases.md", CASES), part(HERE / "wide.md", WIDE)]
    write(out / "cases", export(cases, page, ExportOptions()))
    former = read_former(out / "cases" / NAME) or Former()
    renamed = CASES.replace('"Cases"', '"Renamed"').replace("mean, of", "mean of")
    write(out / "cases-2", export([part(HERE / "cases.md", renamed)], page, ExportOptions(former=former)))
    write(out / "cases-other", export(cases, page, ExportOptions(course="Another")))
    for count in (200, 1000):
        write(out / str(count), export([part(HERE / "many.md", many(count))], page, ExportOptions()))
    guarded = export(hostile(), page, ExportOptions())
    bare = {name: POLICY.sub("", page.decode()).encode() for name, page in guarded.items()}
    write(out / "hostile", guarded)
    write(out / "hostile-bare", bare)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
