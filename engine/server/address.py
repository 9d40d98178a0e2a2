"""Where the server listens, under which names it may be reached, and who must show a token."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from ipaddress import ip_address
from typing import Self

PORT = 8600
SERVED_AT = "PRIORSCOPE_SERVED_AT"
"""An environment variable of the page's process: `ServingSettings` of the server beside it, as JSON."""
_LOOPBACK = ("127.0.0.1", "localhost", "::1")


@dataclass(frozen=True, slots=True)
class ServingSettings:
    """The address that the server listens at, and other names that callers use for it.

    `agents_write` gives agents tools that import, collect and note; `asks_all` asks for a token on the loopback, too.
    """

    address: str = "127.0.0.1"
    names: tuple[str, ...] = ()
    agents_write: bool = False
    asks_all: bool = False

    @property
    def hosts(self) -> frozenset[str]:
        """The names under which it may be reached: this machine's own, its address, and the others."""
        return frozenset({*_LOOPBACK, *(one.strip("[]").lower() for one in (self.address, *self.names) if one)})

    @property
    def needs_token(self) -> bool:
        """Whether every caller must show a token."""
        return self.asks_all or not is_loopback(self.address)

    def to_text(self) -> str:
        """Return the settings for an environment variable."""
        return json.dumps(asdict(self))

    @classmethod
    def from_text(cls, text: str) -> Self:
        """Return the settings that `to_text` wrote."""
        told = json.loads(text)
        return cls(**{**told, "names": tuple(told["names"])})


def is_loopback(address: str) -> bool:
    """Tell whether an address is this machine's alone."""
    try:
        return ip_address(address.strip("[]")).is_loopback
    except ValueError:
        return address == "localhost"
