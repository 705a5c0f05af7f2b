"""Text without a database: normalisation, analysis, names, predicates and comparison. Pure."""
