"""Several memories compressed into one that keeps every fact."""
