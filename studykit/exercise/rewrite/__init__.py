"""Einops rewrites as their authors write them: code, rule, inputs. Judging them is in `graders`."""
