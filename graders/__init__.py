"""Everything that judges: numbers, tensors, timings, and the worker side of the sandbox."""
