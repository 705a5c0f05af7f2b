"""The page of one memory: what it says and since when, its history, its connections, and its uses."""
