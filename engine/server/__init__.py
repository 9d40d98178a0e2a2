"""The engine for scripts and agents: REST and MCP over one opened library; nothing is computed here."""

from typing import TYPE_CHECKING

from engine.core.doors import door

if TYPE_CHECKING:
    from engine.server.address import PORT, SERVED_AT, ServingSettings
    from engine.server.agents.protocol import serve_agent
    from engine.server.application import create_app
    from engine.server.serving import BesidePage, check_tokens, serve, serve_agents
    from engine.server.tokens import AccessTokens

__getattr__ = door(__name__)
