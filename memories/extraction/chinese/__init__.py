"""Reading Chinese: clauses, whose they are, what they tell."""
