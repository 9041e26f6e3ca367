//! Measures with the labels of several judges.
//!
//! The figure of a query is the mean over the judges who judged it.

use std::convert::Infallible;

use llull_core::{Grade, Qrels, Run};
use serde::Serialize;

use super::graded::{GRAIN, Grades, SortedLabels};
use super::query_loop::{LabelledQueries, RankedQuery};
use super::scores::{Cell, Scores, figures_are_cells};
use crate::measure::Measure;

/// The figures of one query, in the order of [`Scores::measures`].
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct JudgesTopic {
    /// The query.
    pub topic: String,
    /// Whether the run returned any document for it; if not, its figures are 0.
    pub answered: bool,
    /// How many judges judged it: its figures are means over these.
    pub judges: u32,
    /// The mean over these judges of the figure that each measure has with their labels; the documents are counted
    /// once for each of them.
    pub cells: Vec<Cell>,
}

figures_are_cells!(JudgesTopic, Measure, Measure::aggregation);

/// One run measured with the labels of several judges. A query counts once, however many judged it. The queries are
/// those that a judge judged, in the order in which they occur, judge by judge.
pub type JudgesScores = Scores<JudgesTopic>;

/// Measures one run with each judge's labels and takes, query by query, the mean over the judges who judged it.
/// trec_eval has that for three measures (`-R qrels_jg`: `map_avgjg`, `P_avgjg_5`, `Rprec_mult_avgjg_0.20`); here it
/// exists for all.
///
/// A judge who found nothing relevant has 0 on the query and counts; one who has no label for it does not.
///
/// ```
/// use llull_core::{Qrels, Ranking, Run};
/// use llull_metrics::{Measure, evaluate_judges};
///
/// let (mut ann, mut bob) = (Qrels::default(), Qrels::default());
/// ann.insert("q1", "d1", 1);
/// bob.insert("q1", "d2", 1);
/// bob.insert("q2", "d3", 1);
/// let mut run = Run::new("bm25");
/// run.insert("q1", Ranking::from_scored([("d1", 2.0), ("d2", 1.0)]));
/// run.insert("q2", Ranking::from_scored([("d3", 1.0)]));
///
/// let scores = evaluate_judges(&["RR".parse()?], [&ann, &bob], &run);
/// assert_eq!(scores.topics[0].cells[0].value, (1.0 + 1.0 / 2.0) / 2.0);
/// assert_eq!((scores.topics[0].judges, scores.topics[1].judges), (2, 1));
/// assert_eq!(scores.mean(0), Some((0.75 + 1.0) / 2.0));
/// # Ok::<(), llull_metrics::MeasureError>(())
/// ```
pub fn evaluate_judges<'a>(
    measures: &[Measure],
    judges: impl IntoIterator<Item = &'a Qrels>,
    run: &Run,
) -> JudgesScores {
    let of_judge = |qrels| {
        let queries = SortedLabels::of_queries(qrels);
        let highest = SortedLabels::highest(queries.iter().map(|(_, labels)| labels));
        queries.into_iter().map(move |(query, labels)| (query, JudgeLabels { labels, highest }))
    };
    let queries = LabelledQueries::gathered(judges.into_iter().flat_map(of_judge));
    let Ok(scores) = queries.measure(measures, run, GRAIN, |grades: &mut Grades, query| {
        Ok::<_, Infallible>(score(measures, query, grades))
    });
    scores
}

/// One judge's labels of a query.
struct JudgeLabels<'a> {
    labels: SortedLabels<'a>,
    /// The highest grade of the judge.
    highest: Grade,
}

fn score(
    measures: &[Measure],
    query: &RankedQuery<'_, Vec<JudgeLabels<'_>>>,
    grades: &mut Grades,
) -> JudgesTopic {
    let mut cells = vec![Cell { value: 0.0, seen: 0, unjudged: 0, nothing_relevant: true }; measures.len()];
    for judge in query.labels {
        let of_judge = grades.cells(measures, &judge.labels, judge.highest, query.ranking);
        for (sum, cell) in cells.iter_mut().zip(of_judge) {
            sum.value += cell.value;
            sum.seen += cell.seen;
            sum.unjudged += cell.unjudged;
            sum.nothing_relevant &= cell.nothing_relevant;
        }
    }
    let judges = query.labels.len() as u32;
    cells.iter_mut().for_each(|cell| cell.value /= f64::from(judges));
    JudgesTopic { topic: query.query.to_owned(), answered: query.is_answered(), judges, cells }
}
