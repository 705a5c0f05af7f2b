"""What a query asks: its words, its concepts, and the time it speaks of."""
