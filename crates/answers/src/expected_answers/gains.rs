//! nDCG with gains by the share of supported facts.

use llull_metrics::{Gain, LinearForm, Measure, Scores, Unjudged};
use rustc_hash::FxHashMap;

use super::evaluate::AnswerEvaluation;
use super::found::{FoundAnswer, QueryAnswers};

/// Weighs figures by facts.
///
/// In nDCG with linear gains, an answer gains the share of its facts that its passage supports, in place of 1. nDCG
/// with a setting for unjudged documents is not weighed. The best possible list supports all facts of every answer, so
/// a query's figure is
///
/// Σ share(rank) / log2(rank + 1)  ÷  Σ 1 / log2(i + 1), i from 1 to the number of answers or the cutoff.
///
/// `scores` are those of [`evaluation.runs`](AnswerEvaluation::runs), in their order. Other measures are unchanged:
/// they count answers. Documents that are expected by their identifiers gain 1. Returns the measures that were weighed.
pub fn weigh_by_facts(scores: &mut [Scores], evaluation: &AnswerEvaluation) -> Vec<Measure> {
    let measures = scores.first().map(|scores| scores.measures.clone()).unwrap_or_default();
    let mut weighed = Vec::new();
    for (place, measure) in measures.into_iter().enumerate() {
        let Some(discount) = discount(&measure) else { continue };
        for (scores, system) in scores.iter_mut().zip(&evaluation.systems) {
            let found: FxHashMap<&str, &QueryAnswers> =
                system.queries.iter().map(|query| (query.query.as_str(), query)).collect();
            for topic in &mut scores.topics {
                let Some(query) = found.get(topic.topic.as_str()) else { continue };
                if let Some(cell) = topic.cells.get_mut(place) {
                    cell.value = gained(&discount, &query.found, topic.relevant as usize);
                }
            }
        }
        weighed.push(measure);
    }
    weighed
}

/// The weights of ranks: those of DCG with the same cutoff. `None` for a measure that is not weighed.
fn discount(measure: &Measure) -> Option<LinearForm> {
    let parameters = measure.parameters();
    if measure.definition().name() != "nDCG"
        || parameters.gain != Gain::Linear
        || measure.unjudged() != Unjudged::NotRelevant
    {
        return None;
    }
    let dcg = match measure.cutoff() {
        Some(cutoff) => format!("DCG@{}", cutoff.rank()),
        None => "DCG".to_owned(),
    };
    dcg.parse::<Measure>().ok()?.linear_form()
}

fn gained(discount: &LinearForm, found: &[FoundAnswer], expected: usize) -> f64 {
    let weight = |rank: usize| discount.weight(rank, rank);
    let best: f64 = (1..=expected).map(weight).sum();
    let gain = |answer: &FoundAnswer| answer.facts.map_or(1.0, |facts| facts.share());
    let reached: f64 = found.iter().map(|answer| weight(answer.rank) * gain(answer)).sum();
    if best > 0.0 { reached / best } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use llull_core::Document;
    use llull_data::{EvaluationDataset, ExpectedQuery, FoundDocument};
    use llull_metrics::evaluate_all;

    use super::*;
    use crate::expected_answers::{
        AnswerFacts, AnswerJudge, AnswerJudgeError, AnswerJudgment, AnswerQuestion, Because, GatheredAnswers,
        SystemResults,
    };

    /// Finds a fact wherever its letters stand.
    struct Letters;

    impl AnswerJudge for Letters {
        fn name(&self) -> &str {
            "letters"
        }

        fn judge(&self, all: &[AnswerQuestion<'_>]) -> Result<Vec<Vec<AnswerJudgment>>, AnswerJudgeError> {
            let of = |text: &str, fact: &str| {
                let because = Because::Said("letters".into());
                AnswerJudgment::Judged { matches: text.contains(fact), because }
            };
            let texts = |one: &AnswerQuestion<'_>| {
                let texts = one.texts.iter();
                texts.flat_map(|text| one.expected.iter().map(move |fact| of(text, fact))).collect()
            };
            Ok(all.iter().map(texts).collect())
        }
    }

    fn evaluated(texts: &[&str]) -> AnswerEvaluation {
        let query = ExpectedQuery {
            id: "q".into(),
            text: "what".into(),
            expected_answers: vec!["A".into(), "B".into(), "C".into()],
            ..ExpectedQuery::default()
        };
        let dataset = EvaluationDataset { queries: vec![query], documents: Vec::new() };
        let found = |(at, text): (usize, &&str)| {
            let document = Document { id: format!("d{at}"), title: String::new(), text: (*text).into() };
            FoundDocument { document, score: 0.0 }
        };
        let results = texts.iter().enumerate().map(found).collect();
        let queries = [("q".to_owned(), results)].into_iter().collect();
        let systems = [SystemResults { name: "s".into(), queries, ..Default::default() }];
        let facts = r#"{"answer": "A", "facts": ["a1", "a2", "a3"]}
            {"answer": "B", "facts": ["b1", "b2"]}
            {"answer": "C", "facts": ["c1"]}"#;
        let facts = AnswerFacts::parse(facts, "f", 0.5).unwrap();
        let gathered = GatheredAnswers::new(&dataset, &systems, None, false);
        let expected = gathered.questions();
        let judged = Letters.judge(&facts.questions(&expected).unwrap()).unwrap();
        gathered.evaluation(facts.judgments(&expected, &judged))
    }

    fn figures(texts: &[&str], names: &[&str]) -> (Vec<f64>, Vec<String>) {
        let evaluation = evaluated(texts);
        let measures: Vec<Measure> = names.iter().map(|name| name.parse().unwrap()).collect();
        let mut scores = evaluate_all(&measures, &evaluation.qrels, &evaluation.runs);
        let weighed = weigh_by_facts(&mut scores, &evaluation);
        let means = (0..names.len()).map(|at| scores[0].mean(at).unwrap()).collect();
        (means, weighed.iter().map(ToString::to_string).collect())
    }

    /// By hand. pytrec_eval-terrier 0.5.11 has .43017216552086013 and .6666666666666666 by ndcg_cut_3 and ndcg_cut_1 of
    /// the labels {A: 6, B: 6, C: 6, d0: 4, d1: 0, d2: 3}, sixths of an answer, and the list d0, d1, d2: as deep as
    /// there are answers, these labels have the same best list.
    #[test]
    fn an_answer_gains_the_share_of_its_facts() {
        // ranks:     2 of 3 of A   1 of 3 of A    1 of 2 of B   nothing
        let texts = ["a1 a2", "a3", "b1", "x"];
        let names = ["nDCG@10", "nDCG@1", "nDCG", "R@10", "AP", "nDCG(dcg='exp-log2')@10", "DCG@10"];
        let (figures, weighed) = figures(&texts, &names);
        assert_eq!(weighed, ["nDCG@10", "nDCG@1", "nDCG"]);
        // DCG  = (2/3) / log2(2) + (1/2) / log2(4) = 0.6666667 + 0.25      = 0.9166667
        // IDCG = 1 + 1/log2(3) + 1/log2(4)         = 1 + 0.6309298 + 0.5   = 2.1309298
        let expected = 0.916_666_7 / 2.130_929_8;
        for (at, value) in [(0, expected), (1, 2.0 / 3.0), (2, expected)] {
            assert!((figures[at] - value).abs() < 1e-7, "{} {} {value}", names[at], figures[at]);
        }
        assert!((figures[0] - 0.430_172_165_520_860_13).abs() < 1e-15);
        // What is found is found: A at 1, B at 3, C never.
        assert!((figures[3] - 2.0 / 3.0).abs() < 1e-12);
        assert!((figures[4] - (1.0 + 2.0 / 3.0) / 3.0).abs() < 1e-12);
        assert!((figures[5] - 1.5 / 2.130_929_8).abs() < 1e-7);
        assert!((figures[6] - 1.5).abs() < 1e-12);
    }

    /// With all facts supported nothing is weighed: the figures are those of the measures themselves.
    #[test]
    fn whole_answers_gain_what_they_did() {
        for texts in [&["a1 a2 a3", "x", "c1", "b1 b2"][..], &["x"], &["b1 b2", "b1 b2 c1"], &[]] {
            for name in ["nDCG@1", "nDCG@3", "nDCG@100", "nDCG"] {
                let evaluation = evaluated(texts);
                let measure: Measure = name.parse().unwrap();
                let plain = evaluate_all(&[measure], &evaluation.qrels, &evaluation.runs)[0].mean(0).unwrap();
                let weighed = figures(texts, &[name]).0[0];
                assert!((plain - weighed).abs() < 1e-12, "{name} {plain} {weighed} {texts:?}");
            }
        }
    }
}
