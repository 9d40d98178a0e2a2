"""The default test run opens no socket but loopback."""

from __future__ import annotations

import socket

import pytest
from pytest_socket import SocketConnectBlockedError

DOCUMENTATION_ADDRESS = ("192.0.2.1", 80)  # RFC 5737: reserved for examples, routed nowhere


def test_an_outside_address_is_refused() -> None:
    with (
        socket.socket() as outside,
        pytest.warns(UserWarning, match=DOCUMENTATION_ADDRESS[0]),
        pytest.raises(SocketConnectBlockedError),
    ):
        outside.connect(DOCUMENTATION_ADDRESS)


def test_loopback_is_allowed() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        with socket.create_connection(server.getsockname(), timeout=5) as client:
            assert client.getpeername() == server.getsockname()
