"""Test the pictures of screens: they show what the terminal shows, and all of them exist and are small."""

import re
from pathlib import Path
from xml.etree import ElementTree as ET

import pyte
import pytest
from screen_svg import PALETTES, show_faint, svg

PICTURES = Path(__file__).parent.parent / "pictures"
SCENES = ("question", "review", "right", "wrong", "rewrite", "bet", "ending", "home", "stats")
COLUMNS = (40, 80, 120, 200)
SVG = "{http://www.w3.org/2000/svg}"


def svg_of(text: str, palette: str = "") -> ET.Element:
    show_faint()
    screen = pyte.Screen(40, 6)
    pyte.Stream(screen).feed(text)
    return ET.fromstring(svg(screen, "A <screen>", palette))  # noqa: S314 - drawn here


@pytest.mark.parametrize("palette", PALETTES)
def test_svg_palette_is_fixed_or_follows_the_page(palette: str) -> None:
    style = f"{SVG}style"

    assert PALETTES[palette]["paper"] in str(svg_of("a", palette).findtext(style))
    assert "prefers-color-scheme: dark" not in str(svg_of("a", palette).findtext(style))
    assert "prefers-color-scheme: dark" in str(svg_of("a").findtext(style))


@pytest.mark.parametrize("columns", COLUMNS)
@pytest.mark.parametrize("scene", SCENES)
def test_scene_pictures_exist_and_stay_under_40_kilobytes(scene: str, columns: int) -> None:
    picture = PICTURES / f"{scene}-{columns}.svg"

    assert picture.stat().st_size < 40_000
    root = ET.parse(picture).getroot()  # noqa: S314 - drawn here
    assert root.get("width") == str(round(columns * 8.4) + 28)
    assert any(len(each.text or "") > 3 for each in root.iter(f"{SVG}text"))


def test_scene_list_matches_the_drawing_program() -> None:
    program = (PICTURES / "draw.py").read_text()

    assert tuple(re.findall(r'^    "(\w+)": Scene\(', program, re.MULTILINE)) == SCENES
    assert f"ROWS = {{{COLUMNS[0]}: " in program
