"""`priorscope app`: open the app in the browser, with our settings and for this machine only."""

from __future__ import annotations

import argparse
import os
import socket
import subprocess
import sys
from pathlib import Path

from engine.cli import options
from engine.errors import ConfigError
from engine.library.location import LIBRARY_VARIABLE

PORT = 8501
_ROOT = Path(__file__).resolve().parents[2]
_ADDRESS = "127.0.0.1"


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command and its options."""
    parser = commands.add_parser("app", help="open the app in your browser")
    options.add_library(parser)
    parser.add_argument("--port", metavar="N", type=int, default=PORT, help=f"the app's port (default: {PORT})")
    parser.add_argument("--no-browser", action="store_true", help="start the app without opening a browser")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> None:
    """Serve the app until it is interrupted.

    Raises ConfigError for a port that is taken or that cannot be one, and if the app ends by itself with an error.
    """
    _check_port(arguments.port)
    command = [sys.executable, "-P", "-m", "streamlit", "run", str(_ROOT / "streamlit_app.py")]
    command += [f"--server.port={arguments.port}", f"--server.headless={str(arguments.no_browser).lower()}"]
    library = options.library_folder(arguments).absolute()  # the app runs in another folder
    environment = {**os.environ, LIBRARY_VARIABLE: str(library)}
    with subprocess.Popen(command, cwd=settings_folder(), env=environment) as process:
        try:
            code = process.wait()
        except KeyboardInterrupt:
            process.terminate()
            raise
    if code:
        raise ConfigError(
            f"Expected the app to run until it is interrupted; it ended with {code}. See its lines above."
        )


def settings_folder(root: Path = _ROOT) -> Path:
    """The folder that Streamlit runs in to find our .streamlit/config.toml: the project's, or the package's copy."""
    return root if (root / ".streamlit").is_dir() else root / "assets"


def _check_port(port: int) -> None:
    if not 0 < port < 65_536:
        raise ConfigError(f"Expected a port from 1 to 65535, got {port}.")
    try:
        socket.create_server((_ADDRESS, port)).close()
    except OSError as error:
        reason = os.strerror(error.errno or 0)
        raise ConfigError(f"Expected a free port, got {port}: {reason}. Name another with --port.") from None
