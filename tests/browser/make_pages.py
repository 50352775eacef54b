"""Writes the pages that the browser tests open: the shipped decks, a showcase, hostile decks, large decks."""

import re
import sys
from pathlib import Path

from studykit import catalog
from studykit.deck import read_deck
from studykit.exercise import Template
from studykit.html.export import Wishes, export
from studykit.html.tasks import task
from studykit.html.view import Part
from studykit.html.writing import write

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
POLICY = re.compile(r'<meta http-equiv="Content-Security-Policy"[^>]*>')


def part(path: Path, text: str = "") -> Part:
    return Part(read_deck(text or path.read_text("utf-8"), str(path)), path.parent)


def numbers() -> str:
    names = [found.id for found in catalog.every() if isinstance(found, Template)]
    return '---\nname = "Numbers"\n---\n' + "\n".join(f"E: {name} {{#{name}}}\n" for name in names)


def many(count: int) -> str:
    """A deck as long as wished, made of what cards are made of: words, formulas, code."""
    cards = []
    for n in range(count):
        formula = f" with $m = {n}$ and $\\frac{{a_{{{n}}}}}{{b}}$" if n % 3 == 0 else ""
        code = f"\n\n```python\nx = torch.zeros({n}, {n + 1})\nprint(x.shape)\n```" if n % 10 == 0 else ""
        cards.append(
            f"Q: How many FLOPs does step {n} of the derivation take{formula}? {{#card-{n}}}{code}\n"
            f"A: It takes {2 * n} FLOPs, since each of the {n} outputs multiplies and adds once.\n"
        )
    return f'---\nname = "{count} cards"\n---\n' + "\n".join(cards)


def hostile() -> list[Part]:
    """A deck for each payload, so that one formula that does not parse hides none of the others."""
    payloads = (ROOT / "tests" / "payloads.txt").read_text("utf-8").split("\n%%\n")
    made = []
    for number, payload in enumerate(payloads):
        escaped = payload.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t")
        text = f'---\nid = "h{number}"\nname = "{escaped}"\n---\nQ: {payload}\n\nA: {payload}\n'
        try:
            candidate = Part(read_deck(text, f"h{number}.md"), HERE)
            export([candidate], task, Wishes())
        except Exception as error:  # noqa: BLE001 - refused is as good as harmless; anything else shows in the count
            sys.stderr.write(f"payload {number} is refused: {str(error).splitlines()[0][:100]}\n")
            continue
        made.append(candidate)
    return made


def main(out: Path) -> None:
    shipped = [part(path) for path in sorted((ROOT / "decks").glob("*.md"))]
    write(out / "shipped", export(shipped, task, Wishes()))
    write(out / "showcase", export([part(HERE / "showcase.md")], task, Wishes()))
    write(out / "numbers", export([part(HERE / "numbers.md", numbers())], task, Wishes()))
    for count in (200, 1000):
        write(out / str(count), export([part(HERE / "many.md", many(count))], task, Wishes()))
    guarded = export(hostile(), task, Wishes())
    bare = {name: POLICY.sub("", page.decode()).encode() for name, page in guarded.items()}
    write(out / "hostile", guarded)
    write(out / "hostile-bare", bare)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
