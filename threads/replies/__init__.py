"""Answer a message of the user: store it, assemble the context, stream and store the answer."""
