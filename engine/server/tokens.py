"""Tokens that open the server to others: shown once, kept as digests with the library, named in the log."""

from __future__ import annotations

import re
import secrets
from collections.abc import Hashable
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

from engine.core.config import from_mapping
from engine.core.errors import ConfigError
from engine.core.files import sha256_bytes
from engine.library import shared_value

Scope = Literal["read", "write"]
"""What a token lets its holder do: ask, or also import, collect, note, screen and remove."""

TOKENS = "tokens.json"
_NAME = re.compile(r"[\w.-]{1,40}")
_BYTES = 32


@dataclass(frozen=True, slots=True)
class Token:
    """What is kept of a token: its name, what it allows, the SHA-256 of its text, and its day.

    A token is 256 random bits, so that nobody finds it by its digest.
    """

    name: str
    scope: Scope
    sha256: str
    made: str


class AccessTokens:
    """The tokens of one library's server; a change by another process counts from the next request on."""

    def __init__(self, library: Path) -> None:
        """Read the tokens of the library in a folder when they are first asked for."""
        self._kept = shared_value(library, TOKENS)
        self._read: tuple[Hashable, tuple[Token, ...]] = (None, ())

    def all(self) -> tuple[Token, ...]:
        """Return all tokens. Raises StorageError or ConfigError if their file is damaged."""
        mark = self._kept.stamp()
        if self._read[0] != mark:
            self._read = mark, _tokens(self._kept.read())
        return self._read[1]

    def add(self, name: str, scope: Scope) -> str:
        """Make a token and return its text, which nobody can ask for again. Raises ConfigError for a name in use."""
        if not _NAME.fullmatch(name):
            raise ConfigError(f"Expected a name of up to 40 letters, digits, dots and hyphens, got {name[:60]!r}.")
        secret = secrets.token_urlsafe(_BYTES)
        made = Token(name, scope, sha256_bytes(secret.encode()), datetime.now(UTC).date().isoformat())

        def added(value: object) -> list[dict[str, str]]:
            held = _tokens(value)
            if any(token.name == name for token in held):
                raise ConfigError(
                    f"Expected a new name, got {name}, which a token has. Remove that, or choose another."
                )
            return [asdict(token) for token in (*held, made)]

        self._kept.change(added)
        return secret

    def remove(self, name: str) -> None:
        """Let nobody in with a token any more. Raises ConfigError if none has that name."""

        def left(value: object) -> list[dict[str, str]]:
            held = _tokens(value)
            if name not in (token.name for token in held):
                names = ", ".join(token.name for token in held) or "none"
                raise ConfigError(f"Expected the name of a token, got {name[:60]!r}; there is {names}.")
            return [asdict(token) for token in held if token.name != name]

        self._kept.change(left)

    def find(self, secret: str) -> Token | None:
        """Return the token with this text, looking at each for as long as at any other."""
        digest = sha256_bytes(secret.encode("utf-8", "surrogatepass"))
        found = [token for token in self.all() if secrets.compare_digest(token.sha256, digest)]
        return found[0] if found else None


def _tokens(value: object) -> tuple[Token, ...]:
    """Return the tokens that were kept as JSON. Raises ConfigError if it is damaged."""
    if not isinstance(value, list | None):
        raise ConfigError(f"Expected a list of tokens in {TOKENS}. Remove it, and add tokens again.")
    return tuple(from_mapping(one, Token, origin=TOKENS) for one in value or ())
