"""Learning from what was said: by a language model where there is one, else by rules."""
