"""Settings of related texts."""

from __future__ import annotations

from engine.core.config import from_mapping, with_settings
from engine.training.student.recipe import RelatedTextSettings


def settings(*given: str) -> RelatedTextSettings:
    return from_mapping(with_settings({}, given), RelatedTextSettings, origin="ours.toml")
