"""REST API of short-term memory. Each view parses, makes one call and renders."""
