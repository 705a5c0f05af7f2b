"""The page of one memory: its text and period, its history, its connections, and its uses."""
