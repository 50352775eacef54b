"""Which signs stand for what in a formula of Unicode characters."""

SUPERSCRIPTS = dict(
    zip("0123456789+-−=()in", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁱⁿ", strict=True),
) | {"T": "ᵀ", "⊤": "ᵀ", "k": "ᵏ", "m": "ᵐ", "x": "ˣ", "t": "ᵗ", "d": "ᵈ", "L": "ᴸ", "N": "ᴺ", "′": "′"}
SUBSCRIPTS = dict(
    zip("0123456789+-−=()aehijklmnoprstuvx", "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ", strict=True),
)
RELATIONS = frozenset("=≠<>≤≥≪≫≈≃≅∼∝≡→←↔⇒⇐⇔↦∈∉⊂⊆⊃∣∥≔:") | {":="}
BINARIES = frozenset("+−-±∓×÷⋅·∗*∘⊗⊕⊙∪∩∧∨∖@")
TIGHT = frozenset("/!′%")
OPENING, CLOSING = frozenset("([{⟨⌈⌊"), frozenset(")]}⟩⌉⌋")
BARS = frozenset("|‖")
PUNCTUATION = frozenset(",;.")
BIG = frozenset("∑∏∫⋃⋂")
DOTS = frozenset("…⋯⋮")
ACCENTS = {"ˆ": "\u0302", "^": "\u0302", "¯": "\u0304", "‾": "\u0304", "˜": "\u0303", "~": "\u0303", "˙": "\u0307"}
"""Combining characters that go over one letter."""
