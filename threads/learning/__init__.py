"""Learn from messages: episodes at once, facts and preferences by a model or by rules."""
