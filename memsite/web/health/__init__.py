"""Whether the site answers and can work, for programs and for people."""
