"""The memories that a reflection looks at, and how well they support a proposal."""
