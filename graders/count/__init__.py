"""Counting the bytes and FLOPs of a training step, beside torch in the measuring child."""
