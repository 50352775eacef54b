"""Judge einops rewrites from bytes: which calls an answer may make, and whether its result is right."""
