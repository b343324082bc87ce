"""The MCP server: the memory for agents that speak the protocol. A door like every other: it decides nothing.

`tools` is the table of tools; `server`, `stdio` and `http` import the SDK and are for `curator mcp` alone.
"""
