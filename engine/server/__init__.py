"""The engine for scripts and agents: REST and MCP over one opened library; nothing is computed here."""
