"""Long-term memory for MCP clients: `/mcp`, with three tools, a prompt and a resource.

`application` takes HTTP requests and authenticates them, `server` speaks the protocol by the library `mcp`,
`tools` describes the tools, `arguments` checks what they were given, `actions` and `documents` do it,
`briefing` makes the prompt and the profile, and `rendering` makes short texts of memories.
"""

from memories.mcp.application import PATH, McpApplication

__all__ = ["PATH", "McpApplication"]
