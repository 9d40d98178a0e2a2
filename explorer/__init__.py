"""What a person sees; it imports the engine, and the engine never imports it."""

from pathlib import Path

ASSETS = Path(__file__).resolve().parent.parent / "assets"
