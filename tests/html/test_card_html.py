"""Test that a card's Markdown becomes HTML that shows what the author wrote and runs none of it."""

from html.parser import HTMLParser
from pathlib import Path

import pytest
from hostile import NESTED_TEX

from studykit.html.card_html import Markdown, MarkdownError, code_block, plain
from studykit.html.images import ImageError, Images
from studykit.html.mathml import Tex, TexError

PAYLOADS = Path(__file__).with_name("payloads.txt").read_text("utf-8").split("\n%%\n")
SAFE_ATTRIBUTES = {"class", "href", "src", "alt", "title", "tabindex", "start"}
MATH = {"math", "mrow", "mi", "mn", "mo", "mtext", "mfrac", "msqrt", "mroot", "msup", "msub", "msubsup", "mspace"}
MATH |= {"mtable", "mtr", "mtd", "munder", "mover", "munderover", "mpadded", "mphantom", "menclose", "mstyle"}
TEXT = {"p", "ul", "ol", "li", "em", "strong", "code", "pre", "a", "img", "blockquote", "h4", "hr", "br", "s"}
TEXT |= {"table", "thead", "tbody", "tr", "th", "td", "div", "span"}


class Reader(HTMLParser):
    """Collect the tags and attributes on which a browser would act."""

    def __init__(self, markup: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: list[tuple[str, str, str]] = []
        self.feed(markup)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes += [(tag, name, value or "") for name, value in attrs]


def markdown(*macros: tuple[str, str], folder: Path | None = None) -> Markdown:
    return Markdown(Tex(dict(macros)), Images(folder, folder) if folder else None)


def test_there_are_at_least_sixty_payloads() -> None:
    assert len(PAYLOADS) >= 60


@pytest.mark.parametrize("payload", PAYLOADS, ids=range(len(PAYLOADS)))
def test_hostile_markdown_gives_only_safe_tags(payload: str) -> None:
    try:
        reader = Reader(markdown().blocks(payload))
    except MarkdownError:
        reader = Reader("")

    assert reader.tags <= TEXT | MATH
    assert {name for tag, name, _ in reader.attributes if tag in TEXT} <= SAFE_ATTRIBUTES
    assert [name for _, name, _ in reader.attributes if name.startswith("on") or name in {"style", "id"}] == []
    assert [
        value
        for _, name, value in reader.attributes
        if name == "href" and value.split(":")[0].strip().lower() in {"javascript", "vbscript", "data", "file"}
    ] == []


def test_long_punctuation_run_beside_formulas_is_kept_once() -> None:
    page = markdown().inline("a ($x$), $y$,$z$ " + "/" * 200_000)

    assert page.count("<math>") == 3
    assert page.count("/" * 200_000) == 1


def test_a_deck_s_macro_is_used() -> None:
    assert "<mtext>FLOP</mtext>" in markdown(("\\F", r"\text{FLOP}")).inline(r"$\F$")


def test_aligned_formulas_use_classes_not_inline_styles() -> None:
    html = markdown().blocks(r"$$\begin{aligned}N&=\text{tokens}\end{aligned}$$")

    assert '<mtd class="sk-right sk-r0"><mi>N</mi></mtd>' in html
    assert "<mi></mi><mo>=</mo><mtext>tokens</mtext></mtd>" in html  # with the space of a relation
    assert " style=" not in html


def test_bad_tex_says_what_and_which_words() -> None:
    with pytest.raises(
        MarkdownError, match=r"^the formula \$a_b_c\$ does not parse: Duplicate subscript or superscript$"
    ) as error:
        markdown().blocks("see\n\n$a_b_c$")

    assert error.value.culprit == "a_b_c"


def test_unknown_tex_shows_as_source_code() -> None:
    assert markdown().blocks(r"$\ce{H2O}$ & <b>") == r"<p><code>\ce{H2O}</code> &amp; &lt;b&gt;</p>"
    assert markdown((r"\ce", r"\mathrm{#1}")).inline(r"$\ce{H}$").startswith("<math")


def test_sound_and_film_are_embedded_with_controls(tmp_path: Path) -> None:
    (tmp_path / "a.mp3").write_bytes(b"mp3")
    (tmp_path / "b.webm").write_bytes(b"webm")
    html = Markdown(Tex({}), Images(tmp_path, tmp_path)).blocks('![a "tone"](a.mp3) ![](b.webm)')

    assert '<audio controls src="data:audio/mpeg;base64,bXAz" aria-label="a &quot;tone&quot;"></audio>' in html
    assert '<video controls src="data:video/webm;base64,d2VibQ=="></video>' in html


def test_missing_sound_is_named(tmp_path: Path) -> None:
    with pytest.raises(
        MarkdownError, match=r"the audio cannot be played: a\.mp3 cannot be found or read; add the file"
    ):
        Markdown(Tex({}), Images(tmp_path, tmp_path)).blocks("![](a.mp3)")


def test_recursive_macro_is_refused() -> None:
    with pytest.raises(MarkdownError, match="Too many expansions"):
        markdown(("\\a", r"\a\a")).inline(r"$\a$")


def test_a_macro_without_a_proper_name_is_refused() -> None:
    with pytest.raises(TexError, match="a macro does not parse"):
        Tex({"\\": "x"})


def test_a_prompt_s_first_paragraph_is_its_heading() -> None:
    heading, more = markdown().question("What is *it*?\n\n- a\n- b", "Card 1")

    assert heading == "What is <em>it</em>?"
    assert more == "<ul>\n<li>a</li>\n<li>b</li>\n</ul>"
    assert markdown().question("- a", "Card 7")[0] == "Card 7"


def test_a_table_s_alignment_is_a_class() -> None:
    html = markdown().blocks("| a |\n|--:|\n| 1 |")

    assert '<td class="sk-right">1</td>' in html
    assert html.startswith('<div class="sk-scroll" tabindex="0"><table>')


def test_code_has_prefixed_classes() -> None:
    assert code_block("import torch\n", "python") == (
        '<pre class="sk-code" tabindex="0"><code><span class="sk-k">import</span> torch\n</code></pre>\n'
    )


@pytest.mark.parametrize("text", ["a\n\nb\n", "a\n\n\n\nb\n", "a\n  \t\nb\n"])
def test_code_has_no_blank_line_in_its_source(text: str) -> None:
    assert [line for line in code_block(text, "text").strip().split("\n") if not line.strip()] == []


def test_code_in_unknown_language_is_escaped_unchanged() -> None:
    assert "<code>&lt;b&gt;\n</code>" in code_block("<b>\n", "no-such-language")


def test_an_image_is_carried_inside_the_page(tmp_path: Path) -> None:
    (tmp_path / "dot.png").write_bytes(b"png")

    html = markdown(folder=tmp_path).blocks('![a "dot"](dot.png)')

    assert html == '<p><img src="data:image/png;base64,cG5n" alt="a &quot;dot&quot;"></p>'


def test_image_path_starts_at_the_collection_root(tmp_path: Path) -> None:
    (tmp_path / "decks").mkdir()
    (tmp_path / "dot.gif").write_bytes(b"gif")
    images = Images(tmp_path / "decks", tmp_path)

    assert images.data_url("@/dot.gif") == "data:image/gif;base64,Z2lm"


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("gone.png", "gone.png cannot be found or read"),
        ("https://example.org/a.png", "is not in the deck's folder"),
        ("//example.org/a.png", "is not in the deck's folder"),
        ("../secret.png", "lies outside"),
        ("%2e%2e/secret.png", "lies outside"),
        ("notes.txt", "is not a file that pages can show"),
        ("a%00b.png", "is not a valid file name"),
    ],
)
def test_an_image_that_cannot_be_carried_is_refused(tmp_path: Path, source: str, message: str) -> None:
    (tmp_path / "secret.png").write_bytes(b"secret")
    (tmp_path / "decks").mkdir()

    with pytest.raises(MarkdownError, match=message):
        markdown(folder=tmp_path / "decks").blocks(f"![x]({source})")


def test_a_rendered_text_in_words() -> None:
    assert plain("<p>a &lt; <math><mi>b</mi></math></p><p>c &amp;amp; d</p>") == "a < b c &amp; d"


@pytest.mark.parametrize("tex", NESTED_TEX, ids=range(4))
def test_a_formula_nested_without_end_is_refused(tex: str) -> None:
    with pytest.raises(TexError, match="nested too deep"):
        Tex({}).mathml(tex)


def test_macros_that_nest_one_another_are_refused() -> None:
    deep = {
        f"\\{name}": "{" * 900 + f"\\{following}" + "}" * 900 for name, following in zip("abc", "bcd", strict=True)
    }

    with pytest.raises(TexError, match="nested too deep"):
        Tex(deep)


def test_nested_course_formula_is_not_too_deep() -> None:
    assert "msqrt" in Tex({"\\half": r"\frac{1}{2}"}).mathml(r"\sqrt{\frac{\half}{\sqrt{x_{i_{j}}}}}")


def test_image_by_circular_link_or_device_is_refused(tmp_path: Path) -> None:
    (tmp_path / "loop.png").symlink_to("loop.png")
    (tmp_path / "pipe.png").symlink_to("/dev/null")

    for name in ("loop.png", "pipe.png"):
        with pytest.raises(ImageError):
            Images(tmp_path, tmp_path).data_url(name)


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ('He said "it\'s done" in `"code"`.', "He said “it’s done” in <code>&quot;code&quot;</code>."),
        ("(c) and ...", "(c) and ..."),  # only quotes are replaced
        ("from $5 to $10 a day", "from $5 to $10 a day"),  # money is not a formula
        ("costs $2n$ FLOPs", "costs <math><mn>2</mn><mi>n</mi></math> FLOPs"),
        ("about […] FLOPs", 'about <span class="sk-gap">[…]</span> FLOPs'),
        ("a\u202eb\x00c", "a\ufffdb\ufffdc"),  # signs that would reorder the text
    ],
    ids=["quotes", "signs", "money", "formula", "gap", "direction"],
)
def test_inline_text_becomes_html(text: str, html: str) -> None:
    assert markdown().inline(text) == html


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("It is $x$.", "<math><mi>x</mi></math>."),
        ("It is ($x$), yes.", "(<math><mi>x</mi></math>),"),
        ('It is "$x$".', "“<math><mi>x</mi></math>”."),
        ("It is $x$-th.", "<math><mi>x</mi></math>-"),
    ],
)
def test_formula_keeps_adjacent_punctuation_on_its_line(text: str, words: str) -> None:
    assert f'<span class="sk-line">{words}</span>' in markdown().inline(text)


@pytest.mark.parametrize("text", ["It is $x$ here", "$$x$$", "a &lt;$x$ b"])
def test_formula_among_words_gets_no_line_wrapper(text: str) -> None:
    assert "sk-line" not in markdown().blocks(text)


@pytest.mark.parametrize(
    ("address", "linked"),
    [
        *((at, True) for at in ("https://example.org/a", "HTTP://example.org", "mailto:a@example.org")),
        *((at, True) for at in ("other.html#x", "../a/b:c", "#top")),
        *((at, False) for at in ("ftp://example.org", "blob:https://example.org/1", "intent://x", "x-custom:1")),
        *((at, False) for at in ("java\tscript:alert(1)", "JaVaScRiPt:alert(1)", "&#x6a;avascript:alert(1)")),
        ("data:text/html,x", False),
    ],
)
def test_only_addresses_of_known_schemes_become_links(address: str, linked: bool) -> None:  # noqa: FBT001
    assert ("<a href=" in Markdown(Tex({}), None).blocks(f"[a](<{address}>)")) is linked


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("6*7*2", "<p>6*7*2</p>"),
        ("2**3**4", "<p>2**3**4</p>"),
        ("[…]: 42", '<p><span class="sk-gap">[…]</span>: 42</p>'),
        ("$x$ = 5", "<p><math><mi>x</mi></math> = 5</p>"),
        ("&#x202e;a", "<p>\ufffda</p>"),
        (f"{'> ' * 200}a", f"<p>{'&gt; ' * 200}a</p>"),
        ("so $$x$$", '<p>so <span class="sk-math"><math display="block"><mi>x</mi></math></span></p>'),
        ("# One\n\n### Two", "<h4>One</h4>\n<h4>Two</h4>"),  # below the page's own
    ],
    ids=["product", "powers", "gap", "formula first", "direction", "deep", "display formula", "headings"],
)
def test_text_becomes_html(text: str, html: str) -> None:
    assert markdown().blocks(text) == html
