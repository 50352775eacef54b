"""Configure a course's Sphinx site, in the theme that the environment variable THEME names."""

import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path("decks").resolve()))
project = "Course"
extensions = ["studykit_decks"]
html_theme = os.environ["THEME"]
exclude_patterns = ["out"]
