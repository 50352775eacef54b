"""Start children, check their untrusted replies, and return verdicts. Never imports torch."""
