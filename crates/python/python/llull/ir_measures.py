"""llull as a provider of ir_measures.

    from llull.ir_measures import use
    use()

Importing this module registers the provider as `llull`. `use()` also asks it before the others in
`ir_measures.calc_aggregate` and its like. Figures are those of pytrec_eval and cwl_eval where llull has the measure.
"""

# ir_measures has types for some of its functions
# mypy: allow-untyped-calls

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import Any

import ir_measures
from ir_measures import providers
from ir_measures.util import QrelsConverter, RunConverter

from llull import MeasureError
from llull._llull import Qrels, measure_name, query_values

__all__ = ["LlullProvider", "llull", "use"]


class LlullProvider(providers.Provider):
    """Every measure whose name llull reads, but those that it defines otherwise."""

    NAME = "llull"

    def supports(self, measure: Any) -> bool:
        """Whether llull has this measure, with these parameters."""
        measure.validate_params()
        try:
            _name(measure)
        except MeasureError:
            return False
        return True

    def _evaluator(self, measures: Iterable[Any], qrels: Any) -> providers.Evaluator:
        return _LlullEvaluator(list(measures), QrelsConverter(qrels).as_dict_of_dict())


class _LlullEvaluator(providers.Evaluator):
    def __init__(self, measures: list[Any], qrels: dict[str, dict[str, int]]) -> None:
        super().__init__(measures, set(qrels))
        self._names = {measure: _name(measure) for measure in measures}
        # Two measures may be one in llull, and no label is no error here.
        self._distinct = list(dict.fromkeys(self._names.values()))
        self._qrels = Qrels(qrels) if any(qrels.values()) else None

    def _iter_calc(self, run: Any) -> Iterator[Any]:
        if self._qrels is None:
            return
        results = RunConverter(run).as_dict_of_dict()
        # A query that the run does not answer has the measure's default, which ir_measures adds.
        for query, values in query_values(self._qrels, results, self._distinct):
            by_name = dict(zip(self._distinct, values, strict=True))
            for measure, name in self._names.items():
                yield ir_measures.Metric(query_id=query, measure=measure, value=by_name[name])


def _name(measure: Any) -> str:
    """llull's name of a measure of ir_measures.

    Raises:
        MeasureError: llull has none, or means something else by it.
    """
    if measure.NAME in ("Compat",):
        # ir_measures looks only as deep as the ideal list, llull as deep as the persistence asks for.
        raise MeasureError(f"{measure} is defined otherwise in llull")
    if measure.NAME == "SetF":
        # its beta is squared already
        measure = measure(beta=math.sqrt(measure["beta"]))
    if str(measure) == "Judged":
        # llull's has a cutoff
        return measure_name("Judged@4294967295")
    return measure_name(str(measure))


llull = LlullProvider()
providers.register(llull)


def use() -> None:
    """Asks llull before the other providers."""
    known = ir_measures.DefaultPipeline.providers
    if llull not in known:
        # after `runtime`, whose measures are the caller's own
        known.insert(1, llull)
