"""Run answers and snippets with torch inside the sandbox. These programs compute but never judge."""
