"""The engine for scripts and agents: REST and MCP over one opened library; nothing is computed here."""

from typing import TYPE_CHECKING

from engine.core.doors import door

if TYPE_CHECKING:
    from engine.server.address import PORT, SERVED_AT
    from engine.server.agents.protocol import serve_agent, serve_agents
    from engine.server.application import create_app
    from engine.server.serving import BesidePage, check_tokens, serve
    from engine.server.tokens import AccessTokens


__all__ = [
    "PORT",
    "SERVED_AT",
    "AccessTokens",
    "BesidePage",
    "check_tokens",
    "create_app",
    "serve",
    "serve_agent",
    "serve_agents",
]

__getattr__ = door(__name__)
