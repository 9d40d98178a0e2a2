"""Where a library's parts lie: addresses that are kept, refused, and given a folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.core.errors import ConfigError
from engine.core.stores import STORES, Stores, folder_of, is_postgres, keep_stores, stores_of


def test_a_library_has_no_servers_until_some_are_kept(tmp_path: Path) -> None:
    assert stores_of(tmp_path) == Stores()
    kept = Stores("postgresql://ada@db.example:5433/papers", "http://vectors.example:19530")
    keep_stores(tmp_path / "new", kept)
    assert stores_of(tmp_path / "new") == kept
    assert (
        kept.in_words == "documents at postgresql://ada@db.example:5433/papers, vectors at http://vectors.example:19530"
    )
    assert not kept.are_here and not Stores(vectors="http://h:1").are_here
    assert Stores().are_here and Stores().in_words == "" and Stores(vectors="milvus-lite:///rows.db").are_here


@pytest.mark.parametrize("address", ["postgresql://h/d", "POSTGRES://h/d", "postgresql:///d?host=/run/pg"])
def test_the_address_of_a_database_is_told_from_a_folder(address: str) -> None:
    assert is_postgres(address)
    assert not is_postgres(address.replace("://", "/"))


@pytest.mark.parametrize(
    ("kept", "told"),
    [
        ({"documents": "http://h:1"}, "documents must be an address such as postgresql://me@server/library"),
        ({"documents": "postgresql://"}, "documents must be an address"),
        ({"documents": "postgresql://h:port/d"}, "documents must be an address"),
        ({"vectors": "ftp://h"}, "vectors must be an address such as http://server:19530"),
        ({"documents": "postgresql://ada:secret@h/d"}, "documents must not hold a password"),
        ({"vectors": "http://root:secret@h:1"}, "vectors must not hold a password"),
    ],
)
def test_other_addresses_are_refused_and_no_password_is_repeated(
    tmp_path: Path, kept: dict[str, str], told: str
) -> None:
    tmp_path.joinpath(STORES).write_text(str(kept).replace("'", '"'))
    with pytest.raises(ConfigError, match=told) as error:
        stores_of(tmp_path)
    assert "secret" not in str(error.value)


def test_each_address_has_one_folder_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PRIORSCOPE_SERVERS", str(tmp_path / "servers"))
    folder = folder_of("postgresql://h/d")
    assert folder.parent == tmp_path / "servers"
    assert stores_of(folder) == Stores("postgresql://h/d")
    assert folder_of("postgresql://h/d") == folder != folder_of("postgresql://h/e")
    with pytest.raises(ConfigError, match="--library: Stores: documents must not hold a password"):
        folder_of("postgresql://ada:secret@h/d")
