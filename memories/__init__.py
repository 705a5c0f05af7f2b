"""Long-term memory: what was learnt about a person, recalled, kept true, forgotten."""
