"""The API of long-term memory. Each view parses, makes one call and renders."""
