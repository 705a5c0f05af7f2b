"""Names: what makes two the same, which stand in a text, what a memory states about them. Pure."""
