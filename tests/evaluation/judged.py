"""Documents of a library that is judged."""

from __future__ import annotations

from dataclasses import replace

from tests.contracts.encoder import corpus

DOCUMENTS = [replace(one, categories=(one.id.rstrip("0123456789"),)) for one in corpus()]
