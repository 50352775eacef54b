"""Scripts and styles made small: the same meaning in fewer characters."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from py_mini_racer import MiniRacer

from studykit.html import assets
from studykit.html.javascript import smaller, tokens
from studykit.html.numeric_sets import vocabulary

LIMIT_S = 20


@pytest.fixture(scope="module")
def engine() -> Iterator[MiniRacer]:
    made = MiniRacer()
    yield made
    made.close()


def run(engine: MiniRacer, script: str) -> Any:  # noqa: ANN401 - JSON
    return json.loads(str(engine.eval(f"JSON.stringify((() => {{{script}}})())", timeout_sec=LIMIT_S)))


@pytest.mark.parametrize(
    ("script", "small"),
    [
        ('f("x  // y"); // gone\n', 'f("x  // y");'),
        ("f('it\\'s  /* kept */');", "f('it\\'s  /* kept */');"),
        ("a /* gone\n\n */ + b;", "a+b;"),
        ('a = /[/ ]  "\\//g.test(b);', 'a=/[/ ]  "\\//g.test(b);'),
        ("a = b / c / d;", "a=b/c/d;"),
        ("a = (b) / 2 / c[1] / d;", "a=(b)/2/c[1]/d;"),
        ("return  /x  y/;", "return/x  y/;"),
        ("f(`  a  ${ b  +  `  ${ c }  ` }  `);", "f(`  a  ${b+`  ${c}  `}  `);"),
        ("f(`${ { a : 1 } }  x`);", "f(`${{a:1}}  x`);"),
        ("f(`a \\` ${ b } \\${ c }  `);", "f(`a \\` ${b} \\${ c }  `);"),
        ("a + +b - -c;", "a+ +b- -c;"),
        ("a++ + ++b;", "a++ + ++b;"),
        ("if (a) { b(); }\nelse c();", "if(a){b()}else c();"),
        ("f((a) => a, (b, c) => b);", "f(a=>a,(b,c)=>b);"),
        ("f(async (a) => a);", "f(async a=>a);"),
        ("const a = 1;\nconst b = 2;\nf(b);", "let a=1,b=2;f(b);"),
        ("const a = () => { b; };\nlet c;", "let a=()=>{b},c;"),
        ("const a = 1;\n[b, c] = d;\nconst e = 2;", "let a=1;[b,c]=d;let e=2;"),
        ("const a = 1;\n{ b; }\nconst c = 2;", "let a=1;{b}let c=2;"),
        ("let a = `${ b }`;\ntry { c(); } catch { }\nconst d = 1;", "let a=`${b}`;try{c()}catch{}let d=1;"),
        ("for (let a = 0; a < 1; a++) f(a);\nconst b = 1;", "for(let a=0;a<1;a++)f(a);let b=1;"),
        ("a = .5 + 1e-6 + 10n;", "a=.5+1e-6+10n;"),
    ],
)
def test_a_smaller_script_means_the_same(script: str, small: str) -> None:
    assert smaller(script, {}, ()) == small


def test_a_template_taken_apart_loses_nothing() -> None:
    script = "".join(assets.source(name) for name in ("quantity.js", "number.js", "exercise.js", "review.js"))

    assert "".join(piece for _, piece in tokens(script)) == script


def test_our_names_become_short_everywhere_but_in_texts() -> None:
    script = 'const ours = { ours: 1 };\nf(ours.ours, "ours", /ours/, `ours ${ours}`, yours);'

    assert smaller(script, {}, {"ours"}) == 'let a={a:1};f(a.a,"ours",/ours/,`ours ${a}`,yours);'


def test_a_short_name_is_one_that_the_script_does_not_use() -> None:
    assert smaller("a + b + ours + d;", {}, {"ours"}) == "a+b+c+d;"


def test_the_most_used_name_becomes_the_shortest(engine: MiniRacer) -> None:
    names = [f"name{number}" for number in range(60)]
    script = "".join(f"const {name} = {number};" for number, name in enumerate(names))

    small = smaller(f"{script}return name59 + name59 + name7;", {}, names)

    assert small.endswith("return a+a+b;")
    assert run(engine, small) == 125


def test_words_are_put_in_as_texts_that_end_no_script() -> None:
    small = smaller("f(T.said);", {"said": 'a "b" </script>'}, ())

    assert small == 'f("a \\"b\\" \\u003c/script>");'


def test_a_word_that_there_is_not_is_refused() -> None:
    with pytest.raises(KeyError, match="said"):
        smaller("f(T.said);", {}, ())


@pytest.mark.parametrize("script", ["`never ends", "`${a", "f(/never ends"])
def test_a_script_that_does_not_end_is_refused(script: str) -> None:
    with pytest.raises(ValueError, match="does not end"):
        smaller(script, {}, ())


@pytest.mark.parametrize("name", ["review_script", "exercise_script", "index_script"])
def test_a_script_made_small_still_parses(engine: MiniRacer, name: str) -> None:
    text = json.dumps(getattr(assets, name)())

    assert engine.eval(f"typeof new Function({text})", timeout_sec=LIMIT_S) == "function"


def test_every_name_that_is_ours_is_used() -> None:
    names = ("sm2.js", "log.js", "store.js", "review.js", "quantity.js", "number.js", "variant.js", "exercise.js")

    used = {piece for name in names for kind, piece in tokens(assets.source(name)) if kind == "name"}

    assert sorted(assets.ours() - used) == []


def keys(value: object) -> set[str]:
    if isinstance(value, dict):
        return set(value) | {key for inner in value.values() for key in keys(inner)}
    return {key for inner in value for key in keys(inner)} if isinstance(value, list | tuple) else set()


KEPT = {"schema", "kind", "deck", "events", "id", "card", "moment", "day", "zone", "took_ms", "grade", "target"}
KEPT |= {"profile", "showing", "exercise", "version", "seed", "parameters", "answer", "verdict", "slips"}
KEPT |= {"detail", "note", "typed"}  # what scripts and markup tell each other


def test_no_name_that_is_ours_is_in_what_a_page_keeps_or_reads() -> None:
    assert sorted(assets.ours() & (keys(vocabulary()) | KEPT)) == []


@pytest.mark.parametrize(
    ("rule", "kept"),
    [
        (".sk-a,.sk-b{x:y}", True),
        (".sk-c{x:y}", False),
        ("p,.sk-c{x:y}", True),
        (".x :is(i,.sk-c){x:y}", False),
        (".x :is(.sk-c,.sk-b){x:y}", True),
        ("p{x:y}", True),
    ],
)
def test_a_style_goes_without_rules_for_what_is_not_on_the_page(rule: str, *, kept: bool) -> None:
    needed = assets.needed_css(f".sk{{{rule}@media print{{{rule}}}}}", '<p class="sk-b">')

    assert needed == (f".sk{{{rule}@media print{{{rule}}}}}" if kept else ".sk{@media print{}}")
