"""Export and import over HTTP."""
