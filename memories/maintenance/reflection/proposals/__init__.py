"""What reflection proposes, and the record of what came of it."""
