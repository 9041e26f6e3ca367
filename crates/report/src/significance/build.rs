//! Builds a significance table from scores.

use llull_metrics::Scores;

use super::baseline_tests::tested_comparisons;
use super::compared_systems::ComparedSystems;
use super::options::SignificanceOptions;
use super::table::SignificanceTable;
use super::{out_of_reach, sentences};
use crate::comparable::name_of;
use crate::comparison::compare;
use crate::error::ReportError;

/// Tests systems against each other on one measure (its number in [`Scores::measures`]), and describes each against
/// `baseline`. All must be measured under the same labels.
///
/// Whether a system is [better or worse](crate::ComparisonFinding) is decided by the interval of that one difference,
/// as in [`compare`]. Significance is decided by a test whose p is corrected for the number of pairs. The two may
/// disagree.
///
/// ```
/// # use llull_core::{Qrels, Ranking, Run, Seed};
/// # use llull_metrics::{Measure, evaluate_all};
/// # use llull_report::{SignificanceOptions, significance};
/// # use llull_stats::BootstrapOptions;
/// # let mut qrels = Qrels::default();
/// # let (mut good, mut bad) = (Run::new("good"), Run::new("bad"));
/// # for n in 0..8 {
/// #     let topic = format!("q{n}");
/// #     qrels.insert(&topic, "d1", 1);
/// #     good.insert(topic.clone(), Ranking::from_ordered([("d1", 2.0), ("d2", 1.0)]));
/// #     bad.insert(topic, Ranking::from_ordered([("d2", 2.0), ("d1", 1.0)]));
/// # }
/// let measures: Vec<Measure> = vec!["RR".parse()?];
/// let scores = evaluate_all(&measures, &qrels, &[bad, good]);
/// let options = SignificanceOptions::new(BootstrapOptions::new(Seed(1)));
/// let table = significance(&scores, 0, "bad", &options)?;
/// assert_eq!(table.comparisons[0].test.p, Some(1.0 / 128.0)); // all of 8 topics: 2 of 2^8 ways
/// assert_eq!((table.systems[1].system.as_str(), table.systems[1].letters.as_str()), ("good", "a"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Returns an error as [`compare`] does, or if the options are invalid.
pub fn significance(
    scores: &[Scores],
    measure: usize,
    baseline: &str,
    options: &SignificanceOptions,
) -> Result<SignificanceTable, ReportError> {
    let compared = compare(scores, measure, baseline, &options.bootstrap)?;
    // One system alone needs no comparison, so its measure has not been looked up yet.
    let name = scores.first().map_or_else(|| Ok(String::new()), |scores| name_of(scores, measure))?;
    let values: Vec<Vec<f64>> = scores.iter().map(|scores| scores.values(measure).collect()).collect();
    let at = scores.iter().position(|scores| scores.run == baseline).unwrap_or_default();
    let family = ComparedSystems { scores, values, baseline: at, measure, options };
    let results = family.results()?;
    let results = results.as_ref();
    let tests = family.tests(results);
    let mut table = SignificanceTable {
        n: scores[at].topics.len(),
        baseline: baseline.to_owned(),
        confidence: options.bootstrap.confidence,
        resamples: options.bootstrap.resamples,
        seed: options.bootstrap.seed.0,
        systems: family.rows(results)?,
        comparisons: tested_comparisons(&family, compared, results)
            .map_err(|source| family.refused(source))?,
        pairs: family.pairs(results).map_err(|source| family.refused(source))?,
        notes: out_of_reach::notes(scores[at].topics.len(), &tests),
        measure: name,
        tests,
        letters_withheld: None,
    };
    sentences::describe(&mut table);
    Ok(table)
}
