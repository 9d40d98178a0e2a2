"""How well and how fast documents are found: metrics, benchmarks, the systems compared, and reports."""

from typing import TYPE_CHECKING

from engine.core.doors import door

if TYPE_CHECKING:
    from engine.evaluation.bake_off import AskedBlind, BakeOff, BakeOffs
    from engine.evaluation.benchmarks import Benchmark, from_uploads, library_key, load_benchmark
    from engine.evaluation.beside_default import BesideDefault, QuestionSource, questions_of
    from engine.evaluation.measure import Measured, Validation
    from engine.evaluation.quality import MeasuredQuality, read_quality
    from engine.evaluation.report import EvaluationJson, EvaluationReport, KeptResults, MeasuredRow, check_place
    from engine.evaluation.requests import EvaluateRequest
    from engine.evaluation.significance import Interval
    from engine.evaluation.systems import (
        DEFAULT_ROW,
        KEYWORDS_ROW,
        PRODUCT,
        Catalogue,
        fused_encoder,
        row_fingerprint,
    )

__getattr__ = door(__name__)
