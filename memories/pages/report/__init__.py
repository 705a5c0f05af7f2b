"""The page of the quality report."""
