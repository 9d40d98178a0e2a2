"""How well and how fast documents are found: metrics, benchmarks, the systems compared, and reports."""

from typing import TYPE_CHECKING

from engine.core.doors import door

if TYPE_CHECKING:
    from engine.evaluation.bake_off import AskedBlind, BakeOff, BakeOffs
    from engine.evaluation.benchmarks import (
        PARTS,
        Benchmark,
        Upload,
        from_judgements,
        from_subjects,
        from_uploads,
        library_key,
        load_benchmark,
    )
    from engine.evaluation.beside_default import BesideDefault, QuestionSource
    from engine.evaluation.formats import run_text
    from engine.evaluation.measure import (
        SCALES,
        Measured,
        Validation,
        measure_prepared,
        measure_run,
        measure_systems,
        without_own_works,
    )
    from engine.evaluation.quality import DEFAULT_ROW, KEYWORDS_ROW, MEASURES, MeasuredQuality, read_quality
    from engine.evaluation.report import (
        EvaluationReport,
        MeasuredRow,
        check_place,
        keep_result,
        kept_results,
        names_only,
        opening,
        speed_in_words,
    )
    from engine.evaluation.significance import Corrected, Interval, contrast_runs, holm, interval
    from engine.evaluation.systems import (
        DEFAULT,
        PRODUCT,
        Catalogue,
        Prepared,
        fused_encoder,
        name_of,
        prepare_in,
        row_fingerprint,
        stepwise,
        without_place,
    )

__all__ = [
    "DEFAULT",
    "DEFAULT_ROW",
    "KEYWORDS_ROW",
    "MEASURES",
    "PARTS",
    "PRODUCT",
    "SCALES",
    "AskedBlind",
    "BakeOff",
    "BakeOffs",
    "Benchmark",
    "BesideDefault",
    "Catalogue",
    "Corrected",
    "EvaluationReport",
    "Interval",
    "Measured",
    "MeasuredQuality",
    "MeasuredRow",
    "Prepared",
    "QuestionSource",
    "Upload",
    "Validation",
    "check_place",
    "contrast_runs",
    "from_judgements",
    "from_subjects",
    "from_uploads",
    "fused_encoder",
    "holm",
    "interval",
    "keep_result",
    "kept_results",
    "library_key",
    "load_benchmark",
    "measure_prepared",
    "measure_run",
    "measure_systems",
    "name_of",
    "names_only",
    "opening",
    "prepare_in",
    "read_quality",
    "row_fingerprint",
    "run_text",
    "speed_in_words",
    "stepwise",
    "without_own_works",
    "without_place",
]

__getattr__ = door(__name__)
