//! Measures a run with labels of subtopics.

use std::convert::Infallible;

use llull_core::{Qrels, Ranking, Run, TopicQrels};
use serde::Serialize;

use super::coverage::{Coverage, Reader};
use super::measure::DiversityMeasure;
use crate::aggregation::Aggregation;
use crate::evaluation::{Cell, Grain, LabelledQueries, RankedQuery, Scores, figures_are_cells};
use crate::parameters::{Alpha, Relevant};

/// The figures of one query, in the order of [`Scores::measures`].
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DiversityTopic {
    /// The query.
    pub topic: String,
    /// Whether the run returned any document for it; if not, its figures are 0.
    pub answered: bool,
    /// The number of its subtopics with a document that is relevant at grade 1 or more. If there are no such subtopics,
    /// figures are 0.
    pub subtopics: u32,
    /// How many documents are relevant to a subtopic at grade 1 or more.
    pub relevant: u32,
    /// One figure a measure. A document that has a label for some subtopic of the query is not unjudged.
    pub cells: Vec<Cell>,
}

figures_are_cells!(DiversityTopic, DiversityMeasure, |_| Aggregation::Mean);

/// One run measured with labels of subtopics. The queries are in the order in which they occur, subtopic by subtopic.
pub type DiversityScores = Scores<DiversityTopic>;

/// Measures one run: every query for which a subtopic has labels, by every measure in the order given. `subtopics`
/// holds one set of qrels a subtopic; subtopics of different queries share a set if they share a name. On all cores;
/// the result depends neither on the number of cores nor, but for the order of the queries, on that of the subtopics.
///
/// ```
/// use llull_core::{Qrels, Ranking, Run};
/// use llull_metrics::evaluate_diversity;
///
/// let (mut bird, mut aircraft) = (Qrels::default(), Qrels::default());
/// bird.insert("kite", "d1", 1);
/// bird.insert("kite", "d2", 1);
/// aircraft.insert("kite", "d3", 1);
/// let mut run = Run::new("bm25");
/// run.insert("kite", Ranking::from_scored([("d1", 3.0), ("d2", 2.0), ("d3", 1.0)]));
///
/// let scores = evaluate_diversity(&["alpha_nDCG@2".parse()?, "StRecall@2".parse()?], [&bird, &aircraft], &run);
/// // a second bird is worth half; the best list has a bird and an aircraft
/// let discount = 1.0 / 3f64.log2();
/// assert_eq!(scores.mean(0), Some((1.0 + 0.5 * discount) / (1.0 + discount)));
/// assert_eq!(scores.mean(1), Some(0.5));
/// # Ok::<(), llull_metrics::DiversityMeasureError>(())
/// ```
pub fn evaluate_diversity<'a>(
    measures: &[DiversityMeasure],
    subtopics: impl IntoIterator<Item = &'a Qrels>,
    run: &Run,
) -> DiversityScores {
    let queries = LabelledQueries::gathered(subtopics.into_iter().flat_map(Qrels::iter));
    let Ok(scores) = queries
        .measure(measures, run, Grain(1), |_: &mut (), query| Ok::<_, Infallible>(score(measures, query)));
    scores
}

fn score(measures: &[DiversityMeasure], query: &RankedQuery<'_, Vec<&TopicQrels>>) -> DiversityTopic {
    let labels = query.labels;
    let coverage = Coverage::new(labels, Relevant::default());
    let hits = query.ranking.into_iter().flat_map(Ranking::iter);
    let documents: Vec<&str> = hits.map(|hit| hit.document).collect();
    let is_judged = |document: &&str| labels.iter().any(|labels| labels.contains_key(document));
    let cell = |measure: &DiversityMeasure| {
        let seen = documents.get(..measure.ranks()).unwrap_or(&documents);
        let value = if measure.rel() == Relevant::default() {
            value(measure, &coverage, seen)
        } else {
            value(measure, &Coverage::new(labels, measure.rel()), seen)
        };
        let unjudged = seen.iter().filter(|document| !is_judged(document)).count() as u32;
        Cell { value, seen: seen.len() as u32, unjudged, nothing_relevant: false }
    };
    DiversityTopic {
        topic: query.query.to_owned(),
        answered: query.is_answered(),
        subtopics: coverage.subtopics as u32,
        relevant: coverage.relevant() as u32,
        cells: measures.iter().map(cell).collect(),
    }
}

/// The value of a measure for one list; 0 if no document is relevant to any subtopic.
pub(super) fn value(measure: &DiversityMeasure, coverage: &Coverage<'_>, list: &[&str]) -> f64 {
    if coverage.subtopics == 0 {
        return 0.0;
    }
    let gains = |alpha| {
        let mut reader = Reader::new(coverage.subtopics, alpha);
        list.iter().map(move |document| reader.read(coverage.of(document)))
    };
    match *measure {
        DiversityMeasure::AlphaNdcg { alpha, .. } => {
            let discount = |rank: f64| 1.0 / (rank + 1.0).log2();
            sum(gains(alpha), discount) / sum(coverage.ideal(alpha).take(measure.ranks()), discount)
        }
        DiversityMeasure::ErrIa { .. } => {
            let discount = |rank: f64| 1.0 / rank;
            let alpha = Alpha::default();
            let every = std::iter::successors(Some(1.0), |worth| Some(worth * (1.0 - alpha.get())));
            // it ends where halving has reached 0, however deep the cutoff
            let best = sum(every.take(measure.ranks()).take_while(|worth| *worth > 0.0), discount);
            sum(gains(alpha), discount) / (best * coverage.subtopics as f64)
        }
        DiversityMeasure::StRecall { .. } => {
            let mut seen = vec![false; coverage.subtopics];
            for subtopic in list.iter().flat_map(|document| coverage.of(document)) {
                seen[*subtopic] = true;
            }
            seen.iter().filter(|seen| **seen).count() as f64 / coverage.subtopics as f64
        }
    }
}

/// Gains, discounted by their ranks.
fn sum(gains: impl Iterator<Item = f64>, discount: impl Fn(f64) -> f64) -> f64 {
    gains.enumerate().fold(0.0, |sum, (index, gain)| sum + gain * discount((index + 1) as f64))
}
