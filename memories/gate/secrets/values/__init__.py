"""What a secret looks like by itself: random, plausible, of a known shape."""
