"""How well and how fast documents are found: metrics, benchmarks, the systems compared, and reports."""

from typing import TYPE_CHECKING

from engine.core.doors import door

if TYPE_CHECKING:
    from engine.evaluation.bake_off import (
        ENOUGH,
        AskedBlind,
        BakeOff,
        BakeOffs,
        bake_off_in_words,
        judge_bake_off,
        rows_offered,
    )
    from engine.evaluation.benchmarks import PARTS, Benchmark, load_benchmark
    from engine.evaluation.beside_default import QUESTIONS, Questions, keywords_told, measure_model, save, sentences
    from engine.evaluation.contrast import Corrected, contrast_runs
    from engine.evaluation.formats import run_text
    from engine.evaluation.itself import without_own_works
    from engine.evaluation.judged_library import from_judgements, from_subjects, library_key
    from engine.evaluation.library_systems import prepare_in, row_fingerprint, stepwise
    from engine.evaluation.measure import SCALES, Measured, measure_prepared, measure_run, measure_systems
    from engine.evaluation.quality import DEFAULT_ROW, KEYWORDS_ROW, MEASURES, MeasuredQuality, read_quality
    from engine.evaluation.report import EvaluationReport, check_place, opening, speed_in_words
    from engine.evaluation.results import Result, keep, kept, names_only
    from engine.evaluation.significance import Interval, holm, interval
    from engine.evaluation.systems import DEFAULT, PRODUCT, Catalogue, Prepared, fused_encoder, name_of, without_place
    from engine.evaluation.uploads import Upload, from_uploads
    from engine.evaluation.validation import Validation

__all__ = [
    "DEFAULT",
    "DEFAULT_ROW",
    "ENOUGH",
    "KEYWORDS_ROW",
    "MEASURES",
    "PARTS",
    "PRODUCT",
    "QUESTIONS",
    "SCALES",
    "AskedBlind",
    "BakeOff",
    "BakeOffs",
    "Benchmark",
    "Catalogue",
    "Corrected",
    "EvaluationReport",
    "Interval",
    "Measured",
    "MeasuredQuality",
    "Prepared",
    "Questions",
    "Result",
    "Upload",
    "Validation",
    "bake_off_in_words",
    "check_place",
    "contrast_runs",
    "from_judgements",
    "from_subjects",
    "from_uploads",
    "fused_encoder",
    "holm",
    "interval",
    "judge_bake_off",
    "keep",
    "kept",
    "keywords_told",
    "library_key",
    "load_benchmark",
    "measure_model",
    "measure_prepared",
    "measure_run",
    "measure_systems",
    "name_of",
    "names_only",
    "opening",
    "prepare_in",
    "read_quality",
    "row_fingerprint",
    "rows_offered",
    "run_text",
    "save",
    "sentences",
    "speed_in_words",
    "stepwise",
    "without_own_works",
    "without_place",
]

__getattr__ = door(__name__)
