"""`priorscope encoders`: the encoders, and models of a person's own among them: look at one, measure it, offer it."""

from __future__ import annotations

import argparse
import shlex
from dataclasses import asdict
from pathlib import Path
from typing import get_args

from engine import encoders
from engine.cli import options
from engine.cli.terminal import bar
from engine.core.errors import UnknownEncoderError
from engine.core.rows import Precision
from engine.evaluation import BesideDefault, QuestionSource, check_place
from engine.exports import encoders_as_json
from engine.library import Library
from engine.workspace import Workspace

_BYTES: dict[Precision, str] = {"float32": "4 bytes", "float16": "2 bytes", "int8": "1 byte"}


def add_encoders(parser: argparse.ArgumentParser) -> None:
    """Add what can be done with models of one's own; without a further word the command lists the encoders."""
    options.add_json(parser)
    add = options.add_actions(parser, options.add_json, required=False)
    looked = add("look", "show a sentence-transformers model's licence and size, without loading it", run_look)
    looked.add_argument("place", metavar="MODEL", help="its folder, or its name on the Hugging Face hub")
    measured = add("measure", "keep a model and measure it beside the default", run_measure)
    measured.add_argument("place", metavar="MODEL", help="its folder, its name on the hub, or that of a kept model")
    measured.add_argument("--name", metavar="NAME", default="", help="what to call it (default: its own name)")
    measured.add_argument(
        "--questions",
        choices=get_args(QuestionSource),
        default="small",
        help="the small set that comes with Priorscope (default), your judged queries, or your library's subjects",
    )
    measured.add_argument("--save", metavar="FILE", type=Path, help="write the figures as JSON, and as .md beside it")
    options.add_library(measured)
    add("offer", "offer a measured model wherever one is chosen", run_offer, "name")
    options.add_library(add("remove", "remove a model, with its vectors of the library", run_remove, "name"))


def run_encoders(arguments: argparse.Namespace) -> None:
    """Print every encoder's card, and the models that are not offered yet."""
    told = encoders_as_json()
    if arguments.json:
        options.print_json(told)
        return
    for one in told["encoders"]:
        mark = " (default)" if one["name"] == told["default"] else ""
        print(f"{one['name']}{mark}\n  {one['summary']}")
        if one["fitted"]:
            print("  learns from your library when it is indexed")
        else:
            size = f"{one['dim']} numbers a document, {_BYTES[one['stored']]} each"
            print(f"  {size}, trained on {', '.join(one['trained_on'])}, {one['licence']}")
    if told["not_offered"]:
        print(
            f"Kept, not offered yet: {', '.join(told['not_offered'])}. Offer one with `priorscope encoders offer NAME`."
        )


def run_look(arguments: argparse.Namespace) -> None:
    """Print what a model says about itself."""
    facts = encoders.ModelFacts.of(arguments.place)
    told = [facts.name, *(f"  {name}: {value}" for name, value in facts.spoken().items())]
    options.say(arguments, {**asdict(facts), "name": facts.name}, "\n".join(told))


def run_measure(arguments: argparse.Namespace) -> None:
    """Bring a model where it is not kept yet, measure it beside the default, and keep the figures with it."""
    if arguments.save is not None:
        check_place(arguments.save)
    kept, progress = _kept(arguments.place, arguments.name), bar()
    if arguments.questions == "small":
        found = BesideDefault.measure(kept.name, "small", report=progress)
    else:
        with Library.open(options.library_folder(arguments)) as library:
            found = BesideDefault.measure(kept.name, arguments.questions, library, report=progress)
    command = shlex.join(["priorscope", "encoders", "measure", kept.facts.place, "--questions", arguments.questions])
    if arguments.save is not None:
        found.save(arguments.save, command=command)
    told = [*found.sentences()]
    if not kept.offered:
        told.append(f"To search with it: priorscope encoders offer {kept.name}")
    options.say(arguments, {"name": kept.name, "command": command, **found.figures}, "\n".join(told))


def run_offer(arguments: argparse.Namespace) -> None:
    """Offer a model as an encoder."""
    encoders.KeptModel.read(arguments.name).offer()
    told = f"{arguments.name} is offered now: priorscope search FILE --encoder {arguments.name}"
    options.say(arguments, {"offered": arguments.name}, told)


def run_remove(arguments: argparse.Namespace) -> None:
    """Take a model out, and what the library holds of it."""
    with Workspace(options.library_folder(arguments)) as workspace:
        workspace.remove_model(arguments.name)
    options.say(arguments, {"removed": arguments.name}, f"{arguments.name} is gone.")


def _kept(place: str, name: str) -> encoders.KeptModel:
    """Return the model that is kept under this name, else a new one from its place."""
    try:
        return encoders.KeptModel.read(place)
    except UnknownEncoderError:
        return encoders.bring_model(place, name=name)
