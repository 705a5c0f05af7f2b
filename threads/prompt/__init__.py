"""Text for a prompt: neutralising, fencing, trimming and rendering it. Pure."""
