"""What the endpoints of memories accept and answer, as pydantic models."""
