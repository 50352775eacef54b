"""The sandbox: runs a stranger's code in a limited child and brings back bytes, never objects or a verdict."""
