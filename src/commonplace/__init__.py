"""Commonplace: one MCP server and one index; cited quotes inside a hard token budget."""

__version__ = "0.1.0"
