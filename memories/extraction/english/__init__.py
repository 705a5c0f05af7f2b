"""Reading English: clauses, who they are about, what they tell."""
