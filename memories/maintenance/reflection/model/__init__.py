"""What a model is asked in a reflection, and the schema of its answer."""
