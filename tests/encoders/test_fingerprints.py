"""Every folder of shipped weights has the fingerprint under which libraries keep its rows."""

import pytest

from engine.encoders import registry

FINGERPRINTS = {
    "blend": "e50fee298a645479",
    "blend-large": "b9b2f591d9ff8fb4",
    "cdssm": "4cc19882871bb092",
    "colde": "f15e9460df0b7a92",
    "ctpe": "8f548e0f4c8f0eda",
    "keyvec": "bd07a335ff57153f",
    "student": "e947faff63f8d964",
    "student-large": "c70daea5923c3847",
    "student-passages": "ab278f2d1789565a",
    "word2vec": "073d4da71e46162c",
}
"""By folder; that of word vectors' plain mean follows from theirs."""


def test_pins_every_folder_of_shipped_weights() -> None:
    assert {path.parent.name for path in registry.PRETRAINED.glob("*/card.json")} == set(FINGERPRINTS)


@pytest.mark.parametrize("name", FINGERPRINTS)
def test_shipped_weights_keep_their_fingerprint(name: str) -> None:
    assert registry.load_folder(registry.PRETRAINED / name).card.fingerprint == FINGERPRINTS[name]
