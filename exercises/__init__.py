"""Hold the catalogue: numeric templates, scenarios, einops rewrites and bets, which `catalog` finds by name."""

FIRST_QUESTIONS = {
    "time.train_days": {"N": "70B", "D": "15T", "G": "1024", "hw": "H100 SXM", "mfu": "0.5"},
    "mem.max_model": {"G": "8", "hw": "H100 SXM", "conv": "12"},
    "ai.gelu": {"flops": "20", "dt": "bf16"},
}
"""What these exercises ask a learner who has not met them: lecture 2's own numbers. A set begins with them."""
