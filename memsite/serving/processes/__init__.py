"""Child processes: start them, watch them, and end them with their parent."""
