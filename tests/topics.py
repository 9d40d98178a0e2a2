"""Sixty-four short documents on four topics, made from sentences that we wrote: a library small enough for a test."""

from __future__ import annotations

import json
import random
from dataclasses import dataclass
from pathlib import Path

HOSTILE_TITLE = "<script>document.title='owned'</script><img src=x onerror=\"document.title='owned'\"> Tidal turbines"
"""A title that would run if it were ever shown as anything but text."""


@dataclass(frozen=True)
class Topic:
    kind: str
    category: str
    things: tuple[str, ...]
    actions: tuple[str, ...]
    sentences: tuple[str, ...]


TOPICS = (
    Topic(
        "paper",
        "cs.IR",
        ("citation networks", "long documents", "search logs", "patent claims", "query expansion", "sentence vectors"),
        ("Ranking with", "Retrieval from", "Learning to search", "Measuring recall over"),
        (
            "Researchers search large collections for earlier work and read only the first page of results.",
            "We rank documents by the similarity of their word vectors and compare the ranking with keyword retrieval.",
            "Judged queries show that recall grows when both rankings are fused.",
            "The index answers a query over a million documents within a tenth of a second.",
            "An ablation separates what the title, the abstract and the citations add to retrieval.",
        ),
    ),
    Topic(
        "paper",
        "astro-ph",
        ("dwarf galaxies", "stellar streams", "spiral arms", "globular clusters", "dark matter halos", "quasars"),
        ("Observations of", "The rotation of", "Spectroscopy of", "A survey of"),
        (
            "Galaxies grow by merging, and their stars keep a record of it in velocity and metallicity.",
            "We observed the spectra of faint stars with a telescope of four metres over ten nights.",
            "The rotation curve stays flat far beyond the visible disc, as a halo of dark matter predicts.",
            "Redshifts give the distance, and colours the age of each stellar population.",
            "A simulation of the merger reproduces the streams that surround the galaxy.",
        ),
    ),
    Topic(
        "patent",
        "F03B",
        ("a water wheel", "turbine blades", "a tidal generator", "a sluice gate", "a rotor hub", "a flow channel"),
        ("Arrangement of", "Improvement in", "Method for controlling", "Housing for"),
        (
            "The invention relates to turbines that are driven by flowing water.",
            "A rotor with adjustable blades is mounted on a shaft within a channel, and a gate controls the flow.",
            "The pitch of each blade follows the speed of the current, so that the generator turns evenly.",
            "A seal of the bearing keeps sand and salt water away from the gear.",
            "In one embodiment the housing is lowered to the sea bed and anchored by its own weight.",
        ),
    ),
    Topic(
        "patent",
        "A61B",
        ("a catheter tip", "an endoscope", "a surgical clamp", "a tissue sensor", "a suture needle", "a heart valve"),
        ("Device with", "Sterile handling of", "Instrument comprising", "Apparatus for placing"),
        (
            "The invention relates to instruments for minimally invasive surgery.",
            "A flexible tube carries a sensor to the vessel, and a handle outside the patient steers its tip.",
            "The clamp closes on tissue with a force that a spring limits, so that no vessel is crushed.",
            "Light from a fibre shows the surgeon the wound on a display.",
            "Before use the instrument is sterilised with steam in a closed tray.",
        ),
    ),
)

EACH = 16


def records() -> list[dict[str, object]]:
    """Every document as a row with the columns that tables of documents have."""
    random_ = random.Random(7)
    rows = [_record(number, topic, random_) for topic in TOPICS for number in range(EACH)]
    rows[2 * EACH]["title"] = HOSTILE_TITLE
    return rows


def write(folder: Path) -> Path:
    """Write the documents as one JSONL file."""
    path = folder / "topics.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in records()), "utf-8")
    return path


def _record(number: int, topic: Topic, random_: random.Random) -> dict[str, object]:
    thing, other = random_.sample(topic.things, 2)
    chosen = random_.sample(topic.sentences, 4)
    prefix = topic.category.replace("-", "").replace(".", "")
    return {
        "id": f"{prefix}-{number}",
        "kind": topic.kind,
        "title": f"{random_.choice(topic.actions)} {thing} and {other}, part {number + 1}",
        "abstract": " ".join([*chosen, f"Here this is shown for {thing} and for {other}."]),
        "sections": [],
        "year": random_.randint(1995, 2015),
        "categories": [topic.category],
        "keywords": [thing],
        "venue": "",
        "authors": ["Ada Example", "Ben Example"],
        "family": "",
    }
