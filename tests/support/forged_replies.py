"""Replies that a child may forge, from `tests/data/rewrites/forged.txt`, and the answer around each."""

from rewrite_files import cases

PRELUDE = r"""
import os, json, time, math, sys
def frame(header, blobs=()):
    t=json.dumps({"header":header,"blobs":[len(b) for b in blobs]}).encode()
    return len(t).to_bytes(8,"big")+t+b"".join(blobs)
def raw(b):
    v=memoryview(b)
    while v: v=v[os.write(3,v):]
def text(t, blobs=b""):
    t=t.encode() if isinstance(t,str) else t
    raw(len(t).to_bytes(8,"big")+t+blobs)
def end(): os._exit(0)
"""

FORGED = {case.exercise: case.answer.rstrip() for case in cases("forged")}
"""None of them is a right answer."""


def source(body: str) -> str:
    """The whole answer."""
    lines = "\n".join(f"    {line}" for line in body.split("\n"))
    return f"{PRELUDE}\ndef f(x, h):\n{lines}\n"
