"""Count the bytes and FLOPs of a training step with torch, in the measuring child."""
