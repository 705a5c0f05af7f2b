"""What all of the API shares: views, errors, lists, rate limits, renderers."""
