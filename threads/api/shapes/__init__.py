"""What the endpoints of threads accept and answer, as pydantic models."""
