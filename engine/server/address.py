"""Where the server listens, and under which names it may be reached."""

from __future__ import annotations

from ipaddress import ip_address

PORT = 8600
SERVED_AT = "PRIORSCOPE_SERVED_AT"
"""An environment variable of the page's process: `WRITE` where agents may write, the address that it listens at, names.

The three stand between commas; the last may be several.
"""
WRITE = "write"
_LOOPBACK = ("127.0.0.1", "localhost", "::1")


def allowed_hosts(address: str, others: tuple[str, ...] = ()) -> frozenset[str]:
    """Return the names under which a server at an address may be reached: this machine's own, and its address."""
    return frozenset({*_LOOPBACK, *(_bare(one) for one in (address, *others) if one)})


def is_loopback(address: str) -> bool:
    """Tell whether an address is this machine's alone."""
    try:
        return ip_address(address.strip("[]")).is_loopback
    except ValueError:
        return address == "localhost"


def _bare(host: str) -> str:
    return host.strip("[]").lower()
