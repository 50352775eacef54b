"""Compare Lighthouse's mobile preset for pages of 200 and 1,000 cards, served with gzip, with the promises.

python tests/benchmarks/bench_lighthouse.py

It wants Chromium, Node and a registry; LIGHTHOUSE names a Lighthouse that is installed.
"""

import gzip
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from statistics import median
from threading import Thread
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "browser"))
from make_pages import many, part

from studykit.exercise.registry import page
from studykit.html.export import ExportOptions, export
from studykit.html.output_folder import write

LIGHTHOUSE = os.environ.get("LIGHTHOUSE", "npx --yes lighthouse@12.8.2").split()
CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
COUNTS = (200, 1000)
SCORES = {"performance": 0.98, "accessibility": 1.0, "best-practices": 1.0}
AUDITS = {"interactive": 1200, "total-blocking-time": 50, "cumulative-layout-shift": 0}
RUNS = 3
LIMIT_S = 240


class Gzipped(SimpleHTTPRequestHandler):
    """Files as a course site sends them."""

    def do_GET(self) -> None:
        path = Path(self.translate_path(self.path))
        if not path.is_file():
            self.send_error(404)
            return
        content = gzip.compress(path.read_bytes(), 9)
        self.send_response(200)
        self.send_header("Content-Type", self.guess_type(str(path)) + "; charset=utf-8")
        self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


def judged(address: str, folder: Path) -> dict[str, Any]:
    """Lighthouse's report of one page."""
    out = folder / "report.json"
    options = ["--quiet", "--output=json", f"--output-path={out}", "--chrome-flags=--headless=new --no-sandbox"]
    only = f"--only-categories={','.join(SCORES)}"
    environment = {**os.environ, "CHROME_PATH": CHROMIUM}
    subprocess.run([*LIGHTHOUSE, address, *options, only], env=environment, check=True, timeout=LIMIT_S)
    report: dict[str, Any] = json.loads(out.read_text("utf-8"))
    return report


def report_lines(reports: list[dict[str, Any]]) -> list[str]:
    """A line for each promise, the median of all runs and the worst, then what was not whole in any of them."""
    lines = []
    for name, least in SCORES.items():
        scores = [report["categories"][name]["score"] for report in reports]
        lines.append(f"{name:<26}{median(scores):>8.2f}{min(scores):>8.2f}  at least {least}")
    for name, most in AUDITS.items():
        values = [report["audits"][name]["numericValue"] for report in reports]
        lines.append(f"{name:<26}{median(values):>8.5g}{max(values):>8.5g}  at most {most}")
    return lines + [
        f"  below 1: {audit}" for audit in sorted({audit for report in reports for audit in low(report)})
    ]


def low(report: dict[str, Any]) -> Iterator[str]:
    """Audits that count in a promised score and are not whole."""
    for name in SCORES:
        for reference in report["categories"][name]["auditRefs"]:
            score = report["audits"][reference["id"]]["score"]
            if reference["weight"] and score is not None and score < 1:
                yield f"{reference['id']} {score}"


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for count in COUNTS:
            write(folder / str(count), export([part(Path("many.md"), many(count))], page, ExportOptions()))
        server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Gzipped, directory=name))
        Thread(target=server.serve_forever, daemon=True).start()
        try:
            for count in COUNTS:
                address = f"http://127.0.0.1:{server.server_port}/{count}/{count}-cards.html"
                print(
                    f"{count} cards",
                    *report_lines([judged(address, folder) for _ in range(RUNS)]),
                    sep="\n",
                    flush=True,
                )
        finally:
            server.shutdown()


if __name__ == "__main__":
    main()
