"""llull as a provider of ir_measures. ir_measures' own tests are run by scripts/python_package."""

from __future__ import annotations

import ir_measures
import pytest
from conftest import Labels, Results
from ir_measures import AP, RR, Compat, Judged, P, R, SetF, nDCG

from llull.ir_measures import llull, use

Data = tuple[Labels, Results, Results]


def test_figures_are_those_of_pytrec_eval(data: Data) -> None:
    qrels, run, _ = data
    # pytrec_eval compares scores as 32-bit numbers, in which these are equal where they are in 64 bits
    measures = [nDCG @ 10, AP, AP(rel=2), RR, P @ 5, R @ 20, SetF]
    expected = ir_measures.pytrec_eval.calc_aggregate(measures, qrels, run)
    found = llull.calc_aggregate(measures, qrels, run)
    assert found == pytest.approx(expected, abs=1e-12)
    by_query = {(m.query_id, str(m.measure)): m.value for m in ir_measures.pytrec_eval.iter_calc(measures, qrels, run)}
    ours = {(m.query_id, str(m.measure)): m.value for m in llull.iter_calc(measures, qrels, run)}
    assert ours == pytest.approx(by_query, abs=1e-12)


def test_scores_are_compared_as_32_bit_numbers() -> None:
    qrels, run = {"q1": {"a": 1, "b": 0}}, {"q1": {"a": 1.0 + 1e-12, "b": 1.0}}
    for measure in (RR, nDCG @ 2, AP):
        expected = ir_measures.pytrec_eval.calc_aggregate([measure], qrels, run)
        assert llull.calc_aggregate([measure], qrels, run) == expected
        assert expected[measure] < 1, "in 64 bits the relevant document is the first"


def test_without_labels_there_are_no_values() -> None:
    assert list(llull.iter_calc([RR], {}, {"q1": {"a": 1.0}})) == []
    no_labels: Labels = {"q1": {}}
    assert llull.calc_aggregate([RR], no_labels, {"q1": {"a": 1.0}}) == {RR: 0.0}


def test_two_names_of_one_measure() -> None:
    measures = [nDCG @ 2, nDCG(dcg="log2") @ 2, RR]
    found = llull.calc_aggregate(measures, {"q1": {"a": 1}}, {"q1": {"b": 2.0, "a": 1.0}})
    assert found[measures[0]] == found[measures[1]] > 0 and found[RR] == 0.5


def test_what_is_offered() -> None:
    assert llull.supports(nDCG @ 10) and llull.supports(Judged) and llull.supports(Judged @ 5)
    assert not llull.supports(Compat(p=0.8)), "its depth is another"


def test_use() -> None:
    before = list(ir_measures.DefaultPipeline.providers)
    try:
        use()
        use()
        assert ir_measures.DefaultPipeline.providers[1] is llull
        assert ir_measures.DefaultPipeline.providers.count(llull) == 1
        assert ir_measures.calc_aggregate([RR], {"q1": {"a": 1}}, {"q1": {"b": 2.0, "a": 1.0}}) == {RR: 0.5}
    finally:
        ir_measures.DefaultPipeline.providers[:] = before
