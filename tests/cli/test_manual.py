"""Test the manual: its commands run, its links lead somewhere, and its tables agree with the program."""

import json
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from checkout import ROOT
from help_tables import generated_blocks
from shell import Shell
from typer.core import TyperGroup, TyperOption

from studykit.cli.app import VERBS, _load_commands, run
from studykit.cli.commands.help_ import topics
from studykit.help_pages import PAGES

README = "../../README"
MAX_ROWS = 48  # two screens
MAX_COLUMNS = 100
NOT_RUN = {
    "study device": "measures for seconds",
    "study exercise einops": "asks for every rewrite",
    "study exercise einops split_heads": "is graded below",
    "study doctor --gpu": "tries the GPU",
    "study undo --future": "finds nothing that is dated in the future",
    "study find -i": "needs a terminal",
}
"""Commands that are read but not run: tests of their own run them."""
SOURCES = {name: (PAGES / f"{name}.md").read_text("utf-8") for name in ("README", README, *topics())}
LINKS = [
    (name, link)
    for name, text in SOURCES.items()
    for link in re.findall(
        r"(?:\]\(|src=\")(?!https?:)([^)#\s\"]+)[)\"]", re.sub(r"(`+)[^`].*?\1", "", text, flags=re.DOTALL)
    )
]
SAMPLE = """\
from einops import rearrange


def f(x, h):
    return rearrange(x, "b s (e h) -> b h s e", h=h)
"""


def blocks(name: str, language: str) -> list[str]:
    return re.findall(rf"^`{{3,}}{language}\n(.*?)^```", SOURCES[name], re.MULTILINE | re.DOTALL)


def commands() -> Iterator[str]:
    """Yield every command that a page shows, in a block or between backticks."""
    for name, text in SOURCES.items():
        for block in (*blocks(name, "console"), *blocks(name, "sh")):
            yield from re.findall(r"^(?:\$ )?(study(?: .*)?)$", block, re.MULTILINE)
        yield from re.findall(r"`(study [^`\n]+)`", text)


def words_of(command: str) -> list[str]:
    return shlex.split(re.split(" {2,}", command)[0], comments=True)[1:]


def test_index_lists_every_page_once() -> None:
    listed = re.findall(r"^- \[([\w-]+)\]\(\1\.md\): \S", SOURCES["README"], re.MULTILINE)

    assert sorted(listed) == topics()


@pytest.mark.parametrize("topic", ["", *topics()])
def test_page_fits_two_screens(topic: str, capsys: pytest.CaptureFixture[str]) -> None:
    code = run(["help", *filter(None, [topic])])

    rows = capsys.readouterr().out.splitlines()
    assert code == 0
    assert len(rows) <= MAX_ROWS
    assert max(map(len, rows)) <= MAX_COLUMNS
    assert "](" not in re.sub("`.*?`", "", "".join(rows[: 2 if topic == "decks" else None]))
    assert all(
        len(line) <= MAX_COLUMNS - 2 for line in re.findall(r"^\$ .*", SOURCES[topic or "README"], re.MULTILINE)
    )
    assert "<!-- also" not in "".join(rows)


@pytest.mark.parametrize(("page", "block"), generated_blocks().items())
def test_page_has_the_programs_own_table(page: str, block: str) -> None:
    assert block in SOURCES[page], "run: python tests/support/help_tables.py"


@pytest.mark.parametrize(("name", "link"), LINKS)
def test_link_leads_to_a_file(name: str, link: str) -> None:
    assert ((PAGES / f"{name}.md").parent / link).exists()


@pytest.mark.parametrize("command", sorted(set(commands())))
def test_command_has_such_verbs_and_options(command: str) -> None:
    verb, *words = words_of(command) or ["due"]
    while verb.startswith("--"):  # options of every verb may stand before it
        verb, *words = words[1:]
    assert verb == "COMMAND" or verb in VERBS
    tree = _load_commands(verb).get(verb)
    if isinstance(tree, TyperGroup) and words:
        tree = tree.commands[words.pop(0)]
    option_names = {
        name for option in getattr(tree, "params", ()) if isinstance(option, TyperOption) for name in option.opts
    }
    typed = {word for word in words if re.fullmatch("-[a-z]|--[a-z-]+", word)}

    assert verb == "COMMAND" or typed <= option_names | {"--help", "--no-passwords"}


@pytest.mark.parametrize("name", re.findall(r"studykit-srs\[(\w+)\]", "".join(SOURCES.values())))
def test_extra_exists(name: str) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]

    assert name in project["optional-dependencies"]


@pytest.fixture(scope="module")
def homes(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Return the paths of a home and of a copy of its first state, which is faster to copy than to make again."""
    folder = tmp_path_factory.mktemp("manual")
    return folder / "home", folder / "first-state"


@pytest.fixture
def furnished(
    homes: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Shell:
    """Make a learner with everything that the pages name: decks, exercises, a submission, a class's progress."""
    home, first_state = homes
    shutil.rmtree(home, ignore_errors=True)
    if first_state.exists():
        shutil.copytree(first_state, home)
        return Shell(home, monkeypatch, capsys)
    home.mkdir()
    study = Shell(home, monkeypatch, capsys)
    study.write("my-decks/mine.md", blocks("decks", "markdown")[0])
    study.write("course/exercises/lora.py", blocks("authoring", "python")[0])
    study.write("mine.py", SAMPLE)
    study.write("submissions/alice/split_heads.py", SAMPLE)
    study.write("week-2.md", "Q: How many bytes does a bf16 value take? {#bf16-bytes}\nA: 2\n")
    study.write("vault/note.md", "#flashcards\nhouse::Haus\n")
    study.write("words.csv", "front,back\nhouse,Haus\n")
    models = json.loads((ROOT / "tests/data/models.json").read_text("utf-8"))
    for name in ("config.json", ".cache/huggingface/hub/models--meta-llama--Llama-3.1-8B/snapshots/1/config.json"):
        study.write(name, json.dumps(models[0]["config"]))
    study.write("devices.toml", blocks("models", "toml")[0])
    study.write("config.toml", 'decks = ["my-decks", "notes"]\n')
    for folder in ("Dropbox", "stick", "notes", "progress", "src/content/docs", "docs", "source"):
        (study.home / folder).mkdir(parents=True)
    for learner in ("me", "ana", "bo", "cy", "di"):
        study("answer", "six-nd", "good", "--learner", learner)
        study("export", "progress", "-o", f"progress/{learner}.json", "--learner", learner)
    study("export", "anki", "-o", "cards.apkg", "flops")
    study("backup", "create", "--to", "stick")
    study("quiz", "-n", "1", "--plain", typed=":skip\n")
    shutil.copytree(home, first_state)
    return study


@pytest.mark.parametrize("name", [name for name in SOURCES if name != "class"])
def test_page_shows_commands_that_work(furnished: Shell, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STUDYKIT_PLAIN", "1")
    if name in {"import", "pages", "sites"}:  # the README's own command exports the whole course
        furnished("config", "set", "course", "two-questions, flops")
    for block in blocks(name, "console"):
        for command, output in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE):
            words = [word.replace("~", str(furnished.home)) for word in words_of(command)]
            if shlex.join(["study", *words]) in NOT_RUN:
                continue
            words = [word.replace("/media/stick", str(furnished.home / "stick")) for word in words]

            result = furnished(*words, typed="y\n")

            assert (result.code, result.err) == (0, ""), command
            assert not output.strip() or result.out == output


def test_lines_for_a_shell_set_it_up() -> None:
    (block,) = (block for block in blocks("start", "sh") if "PS1" in block)
    path = f"{Path(sys.executable).parent}:/usr/bin:/bin"
    script = f'{block}echo "$PS1"; complete -p study'
    result = subprocess.run(["bash", "-c", script], env={"PATH": path}, capture_output=True, text=True, check=True)

    assert result.stdout.startswith("$(study due --short) $ \n")
    assert "complete" in result.stdout


def test_readme_shows_a_deck_that_works(study: Shell) -> None:
    study.write("mine.md", blocks(README, "markdown")[0])

    assert study("check", "mine.md") == (0, "1 file, 3 cards: all is well.\n", "")


def test_rewrites_page_shows_todays_feedback(furnished: Shell) -> None:
    lines = [line for line in blocks("rewrites", "text")[0].splitlines() if not re.search("Case:|element", line)]
    result = furnished("grade", "rewrite.split_heads", "mine.py").out

    (quoted,) = re.findall('"(The composite[^"]+)"', SOURCES[README])
    assert len(lines) == 4
    assert all(line.removeprefix("✗ not yet, 2 tries left.") in result for line in [*lines, quoted])


def test_readme_quotes_the_picture() -> None:
    (quoted,) = re.findall('"(too low[^"]+)"', SOURCES[README])

    picture = (ROOT / "tests/pictures/estimate.svg").read_text("utf-8")
    assert quoted in " ".join(re.sub("<[^>]*>", " ", picture).split())


EXAMPLES = {
    "8.4e22": "flops.train_total --set N=7B D=2T",
    "6*7B*2T": "flops.train_total --set N=7B D=2T",
    "112 GB": "mem.train_state --set N=7B conv=16",
    "70 GB / 3.35 TB/s": "inf.decode_latency --set N=70B 'hw=H100 SXM' dt=bf16 G=2",
    "1h30m": "ckpt.interval --set save=300 mtbf=13.5",
    "33 %": "time.hfu_from_mfu --set mfu=0.25",
    "3640 PF-days": "flops.train_total --set N=174600M D=300B",
    "44-45 days": "time.train_days --set N=70B D=15T 'hw=H100 SXM' mfu=0.4 G=4140",
    "4.2e11 * 15e12 = 6.3e24": "flops.train_total --set N=70B D=15T",
    "6*N*D": "flops.train_total",
    "2mnk": "flops.matmul",
    "6ND / G peak mfu": "time.train_days",
    "2 n^3 / (3 n^2 dt)": "ai.matmul_square",
    "sqrt(2*save*mtbf)": "ckpt.interval",
    r"\frac{6ND}{G \cdot peak \cdot mfu}": "time.train_days",
    "C = 6ND": "flops.train_total",
    "4 L n_kv d_head": "inf.kv_per_token",
}
"""The answers of the help page, each with a question that it is right for."""


def test_every_sample_answer_has_a_question() -> None:
    rows = [row for block in blocks("answers", "text") for row in block.splitlines()]

    assert [re.split(" {2,}", row)[0] for row in rows] == list(EXAMPLES)


@pytest.mark.parametrize("sample", EXAMPLES)
def test_sample_answer_is_right(study: Shell, sample: str) -> None:
    words = shlex.split(EXAMPLES[sample])

    result = study("exercise", "check", *words, "--seed", "7", "--answer", sample, "--json")

    judged = json.loads(result.out)
    assert judged["verdict"] == "correct"
    assert (judged["formula"] is None) == ("--set" in words)
