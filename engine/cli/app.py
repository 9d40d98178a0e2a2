"""`priorscope app`: open the app in the browser, with our settings and for this machine only unless told otherwise."""

from __future__ import annotations

import argparse
import os
import socket
import subprocess
import sys
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path

import psutil

from engine.cli import options
from engine.core.errors import ConfigError
from engine.core.processes import ONE_HEAP
from engine.library import LIBRARY_VARIABLE

PORT = 8501
_ROOT = Path(__file__).resolve().parents[2]
_ADDRESS = "127.0.0.1"
_EVERY_ADDRESS = ("0.0.0.0", "::")


def add_app(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    options.add_library(parser)
    parser.add_argument("--port", metavar="N", type=int, default=PORT, help=f"the app's port (default: {PORT})")
    parser.add_argument(
        "--address",
        metavar="HOST",
        default=_ADDRESS,
        help=f"where the app listens; another address of this machine opens it to others (default: {_ADDRESS})",
    )
    parser.add_argument("--no-browser", action="store_true", help="start the app without opening a browser")


def run_app(arguments: argparse.Namespace) -> None:
    """Serve the app until it is interrupted.

    Raises ConfigError for a port that is taken or that cannot be one, and if the app ends by itself with an error.
    """
    check_port(arguments.address, arguments.port)
    folder = options.library_folder(arguments).absolute()
    run_page(folder, arguments.address, arguments.port, opens_browser=not arguments.no_browser)


def run_page(
    library: Path,
    address: str,
    port: int,
    *,
    opens_browser: bool = False,
    names: Sequence[str] = (),
    more: Mapping[str, str] | None = None,
) -> None:
    """Run the page in a process of its own, with `more` variables in its environment, until it is interrupted.

    `names` are what callers call it beside its address. Raises ConfigError if it ends by itself with an error.
    """
    command = [sys.executable, "-P", "-m", "streamlit", "run", str(_ROOT / "streamlit_app.py")]
    command += [f"--server.port={port}", f"--server.headless={str(not opens_browser).lower()}"]
    if address != _ADDRESS or names:
        command += [f"--server.address={address}"]
        command += [f"--server.allowedHosts={name}" for name in (*allowed_hosts(address), *names)]
    library_of_ours = {LIBRARY_VARIABLE: str(library)}  # it runs in another folder
    environment = {**ONE_HEAP, **os.environ, **library_of_ours, **(more or {})}
    with subprocess.Popen(command, cwd=settings_folder(), env=environment) as process:
        try:
            code = process.wait()
        except KeyboardInterrupt:
            process.terminate()
            raise
    if code:
        raise ConfigError(
            f"Expected the app to run until it is interrupted; it ended with {code}. See its output above."
        )


def settings_folder(root: Path = _ROOT) -> Path:
    """Return the folder in which Streamlit finds our .streamlit/config.toml: the project's, or the package's copy."""
    return root if (root / ".streamlit").is_dir() else root / "assets"


def allowed_hosts(address: str) -> list[str]:
    """Return the names under which a browser may reach the app at an address: our settings', and the address's.

    A page of any other name is refused, even if that name leads to this machine.
    """
    settings = tomllib.loads((settings_folder() / ".streamlit" / "config.toml").read_text("utf-8"))
    return list(dict.fromkeys([*settings["server"]["allowedHosts"], *names_at(address)]))


def names_at(address: str) -> list[str]:
    """Return the names and numbers by which other machines reach an address of this one."""
    if address not in _EVERY_ADDRESS:
        return [address]
    cards = (one for every in psutil.net_if_addrs().values() for one in every)
    numbers = [one.address for one in cards if one.family in (socket.AF_INET, socket.AF_INET6)]
    return [socket.gethostname(), *(one.partition("%")[0] for one in numbers)]


def check_port(address: str, port: int) -> None:
    """Raise ConfigError for a port that is taken or that cannot be one."""
    if not 0 < port < 65_536:
        raise ConfigError(f"Expected a port from 1 to 65535, got {port}.")
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    try:
        socket.create_server((address, port), family=family).close()
    except OSError as error:
        is_unknown = isinstance(error, socket.gaierror)
        reason = error.strerror if is_unknown else os.strerror(error.errno or 0)
        raise ConfigError(
            f"Expected a free port at an address of this machine, got {port} at {address}: {reason}. "
            "Name another with --port or --address."
        ) from None
