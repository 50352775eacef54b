"""Judging einops rewrites: which calls an answer may make, and what its result is worth. Bytes in, verdict out."""
