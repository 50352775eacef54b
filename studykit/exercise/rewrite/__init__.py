"""Define einops rewrites as authors write them. `graders` judges them."""
