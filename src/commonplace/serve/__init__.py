"""The catalog, offered to the world: MCP over stdio and HTTP, and the command line."""
