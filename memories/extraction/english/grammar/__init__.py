"""English grammar as the rules need it: inflection, clauses, subjects and objects."""
