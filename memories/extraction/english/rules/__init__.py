"""The rules of English, as patterns with what each says."""
