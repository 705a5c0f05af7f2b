"""Chat models: a call, its answer or stream, retries, and answers as validated objects."""
