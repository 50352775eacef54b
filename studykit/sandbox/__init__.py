"""The sandbox: run untrusted code in a limited child and bring back bytes, never objects or a verdict.

What is asked of a child, and what its reply is worth, is for `graders` to say.
"""
