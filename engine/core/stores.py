"""Where a library's parts lie beyond its folder: its documents in PostgreSQL, its vectors in PostgreSQL or Milvus.

One person's library needs none of it. A group's is named by the address of its database, and each machine keeps a
folder for it, with what is made of the documents there: maps, own documents, copies.
"""

from __future__ import annotations

import os
from dataclasses import asdict, dataclass
from pathlib import Path
from urllib.parse import urlsplit

from engine.core.config import from_mapping
from engine.core.files import fingerprint, make_private_folder, read_json, write_json

STORES = "stores.json"
"""The file in a library's folder that names its servers."""
SERVERS_VARIABLE = "PRIORSCOPE_SERVERS"
VECTOR_SERVERS: dict[str, tuple[str, str]] = {
    "postgresql": ("engine.vectors.pgvector", "PostgresTable"),
    "postgres": ("engine.vectors.pgvector", "PostgresTable"),
    "http": ("engine.vectors.milvus", "MilvusTable"),
    "https": ("engine.vectors.milvus", "MilvusTable"),
    "milvus": ("engine.vectors.milvus", "MilvusTable"),
    "milvus-lite": ("engine.vectors.milvus", "MilvusTable"),
}
"""What keeps rows on a server, by the scheme of its address: a module, and its `engine.vectors.served.RowTable`."""
_POSTGRES = ("postgresql", "postgres")
_LITE = "milvus-lite:"


@dataclass(frozen=True, slots=True)
class Stores:
    """Addresses of servers; an empty one stands for files in the library's folder.

    `documents` is postgresql://USER@HOST:PORT/DATABASE, `vectors` such an address or that of a Milvus server,
    http://HOST:PORT, or the file of one in this process, milvus-lite:///PATH.db. `name` tells the library from others
    whose vectors are on the same server. Raises ValueError for another form, or a password: those are for the
    environment.
    """

    documents: str = ""
    vectors: str = ""
    name: str = ""

    def __post_init__(self) -> None:
        """Check the addresses."""
        for name, schemes in (("documents", _POSTGRES), ("vectors", tuple(VECTOR_SERVERS))):
            if value := getattr(self, name):
                _check(name, value, schemes)
        if self.vectors.startswith(_LITE) and not self.vectors.endswith(".db"):
            raise ValueError(f"vectors must name a file that ends in .db for milvus-lite, got {self.vectors[-80:]!r}")

    @property
    def library(self) -> str:
        """What the library is called on a server of vectors: its name, or what all who use its documents share."""
        return self.name or (fingerprint(self.documents) if self.documents else "library")

    @property
    def are_here(self) -> bool:
        """Whether all lies on this machine: in the library's folder, or in a file of milvus-lite."""
        return not self.documents and (not self.vectors or self.vectors.startswith(_LITE))

    @property
    def in_words(self) -> str:
        """Which servers hold what; empty where all lies in the library's folder."""
        held = (("documents", self.documents), ("vectors", self.vectors))
        return ", ".join(f"{what} at {address}" for what, address in held if address)


def is_postgres(address: str) -> bool:
    """Tell whether a text is the address of a PostgreSQL database, not a folder or another server."""
    scheme, separator, _ = address.partition("://")
    return bool(separator) and scheme.lower() in _POSTGRES


def stores_of(folder: Path) -> Stores:
    """Return where the parts of the library in a folder lie. Raises ConfigError or StorageError for a damaged file."""
    path = folder / STORES
    if not path.is_file():
        return Stores()
    told = read_json(path, remedy="Bring it back from a backup: it says on which server the library lies.")
    return from_mapping(told, Stores, origin=path.name)


def keep_stores(folder: Path, stores: Stores) -> None:
    """Let the library in a folder, which is made where it is missing, have these stores. Raises StorageError."""
    make_private_folder(folder)
    write_json(folder / STORES, asdict(stores))


def folder_of(address: str) -> Path:
    """Return this machine's folder for a library on a server, made if it is missing.

    It lies in $PRIORSCOPE_SERVERS, else ~/.priorscope/servers. Raises ConfigError for an address that is none.
    """
    stores = from_mapping({"documents": address}, Stores, origin="--library")
    root = Path(os.environ.get(SERVERS_VARIABLE) or Path.home() / ".priorscope" / "servers").expanduser()
    folder = root / fingerprint(address)[:16]
    if not (folder / STORES).is_file():
        keep_stores(folder, stores)
    return folder


def library_at(place: str) -> Path:
    """Return the folder of a library that is named by it, or by the address of its database.

    Raises ConfigError for an address that is none.
    """
    return folder_of(place) if is_postgres(place) else Path(place)


def _check(name: str, address: str, schemes: tuple[str, ...]) -> None:
    try:
        parts = urlsplit(address)
        known = parts.scheme in schemes and (parts.port or parts.hostname or parts.query or parts.path.strip("/"))
    except ValueError:
        known = None
    if not known:
        example = "postgresql://me@server/library" if schemes == _POSTGRES else "http://server:19530"
        raise ValueError(f"{name} must be an address such as {example}, got {address.split('@')[-1][:80]!r}")
    if parts.password is not None:
        raise ValueError(
            f"{name} must not hold a password, which would be kept in a file and shown: leave it to PGPASSWORD, "
            "~/.pgpass or PRIORSCOPE_MILVUS_TOKEN"
        )
