"""What `priorscope evaluate` prints: the table, the contrasts and the queries that moved most."""

from __future__ import annotations

from engine.evaluation import Corrected, EvaluationReport, opening, speed_in_words

_MOVED_SHOWN = 5
_ROWS_SHOWN = 3
_WORDS_WIDE = 60


def show(report: EvaluationReport) -> None:
    """Print a report."""
    width = max(len(one.name) for one in report.measured) + 2
    benchmark = report.benchmark
    print(f"{benchmark.name}: {len(benchmark.queries):,} queries, {len(benchmark.corpus):,} documents")
    print(" " * width + "".join(f"{name:>15}" for name in [*report.scale.metrics, "documents/s"]))
    for one in report.measured:
        figures = "".join(f"{one.metrics[name]:15.4f}" for name in report.scale.metrics)
        print(f"{one.name:<{width}}{figures}{speed_in_words(one):>15}")
    for name, count in report.unanswered.items():
        print(f"{name}: found nothing for {count:,} of {len(benchmark.queries):,} queries, scored as empty rankings")
    for name, reason in report.skipped.items():
        print(f"{name}: left out; {reason}")
    if report.against:
        _show_contrasts(report, width)


def _show_contrasts(report: EvaluationReport, width: int) -> None:
    for metric in report.scale.main:
        print(f"\n{metric} against {report.against}; 95 % interval, p by paired randomisation, corrected after Holm")
        for one in report.main_contrasts:
            if one.contrast.metric == metric:
                print(_line(one, width))
    if len(report.measured) - 1 > _ROWS_SHOWN:
        print("\nThe queries that move most stand in the report that --save FILE writes.")
        return
    for one in report.main_contrasts:
        if one.contrast.metric == report.scale.main[0] and one.contrast.moved:
            _show_moved(report, one)


def _show_moved(report: EvaluationReport, one: Corrected) -> None:
    words = {query.id: opening(query)[:_WORDS_WIDE] for query in report.benchmark.queries}
    print(f"\nqueries that move most in {one.contrast.metric}, {report.against} to {one.contrast.ours}")
    for moved in one.contrast.moved[:_MOVED_SHOWN]:
        print(f"  {moved.theirs:.3f} to {moved.ours:.3f}  {moved.query}  {words[moved.query]}")


def _line(one: Corrected, width: int) -> str:
    difference = one.contrast.difference
    return (
        f"{one.contrast.ours:<{width}}{difference.mean:+8.4f}  [{difference.low:+.4f}, {difference.high:+.4f}]  "
        f"p {one.contrast.p:.4f}, corrected {one.p_holm:.4f}  "
        f"{one.contrast.wins} better, {one.contrast.ties} same, {one.contrast.losses} worse: {one.verdict}"
    )
