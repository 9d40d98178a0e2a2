"""Tokens that open the server to others: shown once, kept as digests in the library's folder, named in the log."""

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
from engine.core.files import keep_private, read_json, sha256_bytes, stamp, write_json

Scope = Literal["read", "write"]
"""What a token lets its holder do: ask, or also import, collect, note, screen and remove."""

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
        """Read the tokens in a library's folder when they are first asked for."""
        self.path = library / "tokens.json"
        self._read: tuple[Hashable, tuple[Token, ...]] = (None, ())

    def all(self) -> tuple[Token, ...]:
        """Return all tokens. Raises StorageError or ConfigError if their file is damaged."""
        mark = stamp(self.path)
        if self._read[0] != mark:
            found = read_json(self.path) if mark is not None else []
            if not isinstance(found, list):
                raise ConfigError(f"Expected a list of tokens in {self.path}. Remove the file, and add tokens again.")
            self._read = mark, tuple(from_mapping(one, Token, origin=self.path.name) for one in found)
        return self._read[1]

    def add(self, name: str, scope: Scope) -> str:
        """Make a token and return its text, which nobody can ask for again. Raises ConfigError for a name in use."""
        if not _NAME.fullmatch(name):
            raise ConfigError(f"Expected a name of up to 40 letters, digits, dots and hyphens, got {name[:60]!r}.")
        if any(token.name == name for token in self.all()):
            raise ConfigError(f"Expected a new name, got {name}, which a token has. Remove that, or choose another.")
        secret = secrets.token_urlsafe(_BYTES)
        made = datetime.now(UTC).date().isoformat()
        self._write([*self.all(), Token(name, scope, sha256_bytes(secret.encode()), made)])
        return secret

    def remove(self, name: str) -> None:
        """Let nobody in with a token any more. Raises ConfigError if none has that name."""
        left = [token for token in self.all() if token.name != name]
        if len(left) == len(self.all()):
            names = ", ".join(token.name for token in left) or "none"
            raise ConfigError(f"Expected the name of a token, got {name[:60]!r}; there is {names}.")
        self._write(left)

    def find(self, secret: str) -> Token | None:
        """Return the token with this text, looking at each for as long as at any other."""
        digest = sha256_bytes(secret.encode("utf-8", "surrogatepass"))
        found = [token for token in self.all() if secrets.compare_digest(token.sha256, digest)]
        return found[0] if found else None

    def _write(self, tokens: list[Token]) -> None:
        write_json(self.path, [asdict(token) for token in tokens])
        keep_private(self.path)
