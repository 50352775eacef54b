"""Run untrusted code in a limited child process and bring back bytes, never objects or a verdict.

The `graders` room decides what to ask a child and how to judge its reply.
"""
