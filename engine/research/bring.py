"""Makes an encoder's folder of Skip-thoughts' or ELMo's own weights: `python -m engine.research bring`.

The weights are one safetensors file, which their user converts: files of pickles are never read here.

Skip-thoughts: every array of uni_skip.npz after "uni/" and of bi_skip.npz after "bi/", of those whose names begin with
"encoder", and the word vectors utable.npy as "uni/table" and btable.npy as "bi/table"; either model may stand alone.
--words names dictionary.txt, a word a line in the order of both tables, which may be cut to the words of a collection,
UNK and <eos>. ELMo: every array of the HDF5 file under its path; --options names the JSON beside it.

skip-thoughts=FOLDER:sentences is then a row of evaluate, the mean over a document's sentences, and elmo=FOLDER another.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from engine.cli.terminal import Parser
from engine.core import files
from engine.core.errors import InputError
from engine.encoders import Encoder

MODELS = ("skip-thoughts", "elmo")


def main(given: Sequence[str] | None = None) -> None:
    """Read the weights and write the folder."""
    arguments = _parser().parse_args(given)
    asked, what = (arguments.words, "--words") if arguments.model == MODELS[0] else (arguments.options, "--options")
    missing = [str(path) for path in (arguments.weights, asked) if path is not None and not path.is_file()]
    if asked is None or missing:
        raise InputError(
            f"Expected the file of weights and {what} FILE for {arguments.model}, got {', '.join(missing) or 'one'}. "
            "Name both."
        )
    arrays = files.read_arrays(arguments.weights, files.sha256_file(arguments.weights))
    encoder = _skip_thoughts(arrays, asked) if arguments.model == MODELS[0] else _elmo(arrays, asked)
    encoder.save(arguments.out)
    print(f"{encoder.card.name} of {encoder.card.dim} numbers, written to {arguments.out}")


def _skip_thoughts(arrays: Mapping[str, NDArray[Any]], words: Path) -> Encoder:
    from engine.research.baselines.skip_thoughts import SkipThoughtsEncoder  # brings torch

    try:
        lines = words.read_text("utf-8").split("\n")
    except UnicodeDecodeError:
        raise InputError(f"Expected {words.name} to be text in UTF-8, found other bytes. Save it as UTF-8.") from None
    return SkipThoughtsEncoder(lines[: _rows(arrays)], arrays)


def _rows(arrays: Mapping[str, NDArray[Any]]) -> int | None:
    """Return how many words have a vector: the last line of a list of words may end it or not."""
    return next((len(array) for name, array in arrays.items() if name.endswith("/table")), None)


def _elmo(arrays: Mapping[str, NDArray[Any]], options: Path) -> Encoder:
    from engine.research.baselines.elmo import ElmoEncoder, ElmoSettings  # brings torch

    value = files.read_json(options)
    try:
        cells, letters = value["lstm"], value["char_cnn"]
        settings = ElmoSettings(
            int(letters["max_characters_per_token"]), float(cells["cell_clip"]), float(cells["proj_clip"])
        )
    except (KeyError, TypeError, ValueError) as error:
        raise InputError(
            f"Expected lstm.cell_clip, lstm.proj_clip and char_cnn.max_characters_per_token in {options.name}; "
            f"got others: {error}. Name the JSON that was published with the weights."
        ) from None
    return ElmoEncoder(arrays, settings)


def _parser() -> argparse.ArgumentParser:
    parser = Parser(
        prog="python -m engine.research bring",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("model", choices=MODELS)
    parser.add_argument("--weights", metavar="FILE", type=Path, required=True, help="every array, as safetensors")
    parser.add_argument("--words", metavar="FILE", type=Path, help="of skip-thoughts: a word a line")
    parser.add_argument("--options", metavar="FILE", type=Path, help="of elmo: its JSON")
    parser.add_argument("--out", metavar="DIR", type=Path, required=True, help="the encoder's folder")
    return parser
