"""Answers that go on after their view has returned, without a thread or a connection of their own."""
