"""The programs that run beside torch inside the sandbox. They compute and never judge."""
