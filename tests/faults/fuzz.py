"""Fuzzes one target with atheris, which sees which lines an input reaches: `tests/faults/fuzz NAME [SECONDS]`.

What it finds is written to `tests/faults/finds/NAME-HASH`; `test_finds.py` tries each again for ever.
"""

import hashlib
import os
import site
import sys

import atheris  # type: ignore[import-not-found,import-untyped,unused-ignore] # in an environment of its own: 129 MB that only this needs

for packages in os.environ["STUDY_PACKAGES"].split(os.pathsep):
    site.addsitedir(packages)  # the program's own environment, as far as this one lacks something

with atheris.instrument_imports(include=["studykit", "fuzz_targets"]):
    from fuzz_targets import FINDS, SEEDS, TARGETS, folder


def main() -> None:
    """Fuzz until the time is over, or until something is found."""
    name, seconds = sys.argv[1], int((sys.argv[2:] or ["600"])[0])
    target = TARGETS[name]
    corpus = folder() / "corpus"
    corpus.mkdir()
    (corpus / "seed").write_bytes(SEEDS[name].encode())

    def test(data: bytes) -> None:
        text = data.decode("latin-1") if name == "database" else data.decode(errors="surrogateescape")
        try:
            target(text)
        except BaseException:
            FINDS.mkdir(exist_ok=True)
            (FINDS / f"{name}-{hashlib.sha256(data).hexdigest()[:10]}").write_bytes(data)
            raise

    arguments = [sys.argv[0], str(corpus), f"-max_total_time={seconds}", "-max_len=4096", "-timeout=20"]
    atheris.Setup([*arguments, "-rss_limit_mb=2000", f"-artifact_prefix={folder()}/"], test)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
