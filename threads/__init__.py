"""Short-term memory: threads, their messages, and the context that the language model is sent."""
