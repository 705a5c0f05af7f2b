"""Short-term memory: threads, their messages, and the context that is sent to the language model."""
