//! Slices: figures, differences and verdicts on the queries that share a value of their metadata.

use llull_core::{QuerySlice, SlicedQueries};
use llull_metrics::{DifferenceBounds, Scores};
use llull_stats::{BootstrapOptions, Correction, adjusted, least_topics};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::comparable::name_of;
use crate::comparison::{BaselineComparison, ComparisonFinding, compare, describe, queries_needed};
use crate::error::ReportError;
use crate::systems::{Figure, figures_of};
use crate::text::count;

/// The systems on the slices of one field, by one measure.
///
/// A slice is a whole comparison on a part of the queries. Its intervals are those of that comparison; verdicts are
/// adjusted for the number of comparisons.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SliceSection {
    /// The metadata field of the queries.
    pub field: String,
    /// The measure.
    pub measure: String,
    /// The system that the others are compared with; null if none are compared.
    pub baseline: Option<String>,
    /// How many comparisons the verdicts are adjusted for, by Holm's method: those of all slices of all fields.
    pub comparisons: usize,
    /// On how many queries of a slice two systems must differ for a verdict.
    pub least_queries: usize,
    /// Whether human labels correct the report's figures, and these not; absent if not.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub uncorrected: bool,
    /// The slices, the one with most queries first, that of queries without a value last.
    pub slices: Vec<SliceFigures>,
}

/// The systems on one slice.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SliceFigures {
    /// The value that the queries share; `(none)` for queries without one.
    pub name: String,
    /// How many queries it has, with or without labels.
    pub queries: usize,
    /// The systems, in the order of the report's.
    pub systems: Vec<SliceSystem>,
}

/// One system on one slice.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SliceSystem {
    /// The system.
    pub system: String,
    /// Its figure.
    pub figure: Figure,
    /// Its comparison with the baseline; null for the baseline, and if none are compared.
    pub comparison: Option<BaselineComparison>,
    /// The comparison's p, adjusted for the number of comparisons; null if it has no verdict for another reason.
    pub p_adjusted: Option<f64>,
}

impl SliceSection {
    /// Returns the comparisons of all slices.
    pub fn comparisons(&self) -> impl Iterator<Item = &BaselineComparison> {
        self.slices.iter().flat_map(|slice| &slice.systems).filter_map(|system| system.comparison.as_ref())
    }
}

/// Returns the bounds of a system's difference from the baseline, query by query.
pub type SliceBounds<'a> = &'a dyn Fn(&str) -> Vec<DifferenceBounds>;

/// What is known of the labels under which systems are compared.
#[derive(Default)]
pub struct SliceLabels<'a> {
    /// The bounds of differences over all possible missing labels; `None` if none is missing.
    pub bounds: Option<SliceBounds<'a>>,
    /// Why no comparison has a verdict, as a clause; `None` if they have one.
    pub withdrawn: Option<String>,
    /// Whether human labels correct figures of all queries.
    pub has_human_labels: bool,
}

/// Returns the systems on the slices of each field, by one measure (its number in [`Scores::measures`]). Without a
/// baseline they have figures and no comparison. All must be measured under the same labels.
///
/// Verdicts are adjusted for the number of comparisons, those of all fields together: Holm's method keeps one whose
/// adjusted p is at most one minus the confidence. A comparison without a verdict counts with a p of 1.
///
/// # Errors
/// Returns an error if no system has the baseline's name, there is no such measure, two systems were measured over
/// different queries, or the options of the bootstrap are invalid.
pub fn slice_sections(
    sliced: &[SlicedQueries],
    scores: &[Scores],
    measure: usize,
    baseline: Option<&str>,
    labels: &SliceLabels<'_>,
    options: &BootstrapOptions,
) -> Result<Vec<SliceSection>, ReportError> {
    let Some(first) = scores.first() else { return Ok(Vec::new()) };
    let bounds: Vec<(&str, Vec<DifferenceBounds>)> = match labels.bounds {
        Some(bounds) => scores.iter().map(|scores| (scores.run.as_str(), bounds(&scores.run))).collect(),
        None => Vec::new(),
    };
    let mut sections = Vec::new();
    let mut parts = Vec::new();
    for SlicedQueries { field, slices } in sliced {
        let mut made = Vec::new();
        for slice in slices {
            let part: Vec<Scores> = scores.iter().map(|scores| only(scores, slice)).collect();
            made.push(figures(slice, &part, measure, baseline, (labels, &bounds), options)?);
            parts.push(part);
        }
        sections.push(SliceSection {
            field: field.clone(),
            measure: name_of(first, measure)?,
            baseline: baseline.map(str::to_owned),
            comparisons: 0,
            least_queries: 0,
            uncorrected: labels.has_human_labels,
            slices: made,
        });
    }
    adjust(&mut sections, &parts, measure, options)?;
    Ok(sections)
}

/// The scores on the queries of a slice.
fn only(scores: &Scores, slice: &QuerySlice) -> Scores {
    let is_in = |query: &String| slice.queries.contains(query);
    Scores {
        run: scores.run.clone(),
        measures: scores.measures.clone(),
        topics: scores.topics.iter().filter(|topic| is_in(&topic.topic)).cloned().collect(),
        unlabelled: scores.unlabelled.iter().filter(|query| is_in(query)).cloned().collect(),
    }
}

fn figures(
    slice: &QuerySlice,
    scores: &[Scores],
    measure: usize,
    baseline: Option<&str>,
    (labels, bounds): (&SliceLabels<'_>, &[(&str, Vec<DifferenceBounds>)]),
    options: &BootstrapOptions,
) -> Result<SliceFigures, ReportError> {
    let wanted: Vec<(&Scores, usize)> = scores.iter().map(|scores| (scores, measure)).collect();
    let figures = figures_of(&wanted, options)?;
    let mut comparisons = match baseline {
        Some(baseline) => compare(scores, measure, baseline, options)?,
        None => Vec::new(),
    };
    for comparison in &mut comparisons {
        if let Some((_, bounds)) = bounds.iter().find(|(system, _)| *system == comparison.system) {
            let of_slice = bounds.iter().filter(|query| slice.queries.contains(&query.query)).cloned();
            comparison.bound(&of_slice.collect::<Vec<_>>(), options)?;
        }
        if let Some(reason) = &labels.withdrawn {
            comparison.withdraw(reason);
        }
    }
    let system = |(scores, figure): (&Scores, _)| SliceSystem {
        system: scores.run.clone(),
        figure,
        comparison: comparisons.iter().find(|found| found.system == scores.run).cloned(),
        p_adjusted: None,
    };
    let systems = scores.iter().zip(figures).map(system).collect();
    Ok(SliceFigures { name: slice.name.clone(), queries: slice.queries.len(), systems })
}

/// Adjusts verdicts for the number of comparisons. `parts` are the scores of each slice.
fn adjust(
    sections: &mut [SliceSection],
    parts: &[Vec<Scores>],
    measure: usize,
    options: &BootstrapOptions,
) -> Result<(), ReportError> {
    let family = sections.iter().map(|section| section.comparisons().count()).sum::<usize>();
    let level = 1.0 - options.confidence;
    let of_one = level / family.max(1) as f64;
    let least = least_topics(1.0 - of_one);
    for section in &mut *sections {
        (section.comparisons, section.least_queries) = (family, least);
    }
    let systems = sections.iter_mut().flat_map(|section| &mut section.slices).zip(parts);
    let systems =
        systems.flat_map(|(slice, part)| slice.systems.iter_mut().map(move |system| (system, part)));
    let mut compared: Vec<(&mut SliceSystem, &Vec<Scores>)> =
        systems.filter(|(system, _)| system.comparison.is_some()).collect();
    for (system, _) in &mut compared {
        if let Some(found) = &mut system.comparison {
            let differing = found.wins + found.losses;
            let is_open = matches!(
                found.decision,
                ComparisonFinding::Better | ComparisonFinding::Worse | ComparisonFinding::Inconclusive
            );
            // Equal figures of one query show nothing.
            let is_lone = found.decision == ComparisonFinding::Identical && found.n == 1;
            if is_lone || is_open && differing < least {
                found.decision = ComparisonFinding::Inconclusive;
                found.undecidable = Some(format!(
                    "the two differ on {} of these queries; at least {least} are needed for a verdict",
                    count(differing)
                ));
            } else if is_open {
                system.p_adjusted = found.p;
            }
        }
    }
    let p: Vec<f64> = compared.iter().map(|(system, _)| system.p_adjusted.unwrap_or(1.0)).collect();
    let invalid = |source| ReportError::Stats { system: "slices".to_owned(), source };
    let corrected = adjusted(&p, Correction::Holm).map_err(invalid)?;
    for ((system, part), corrected) in compared.into_iter().zip(corrected) {
        system.p_adjusted = system.p_adjusted.map(|_| corrected);
        let Some(found) = &mut system.comparison else { continue };
        let is_decided = matches!(found.decision, ComparisonFinding::Better | ComparisonFinding::Worse);
        if is_decided && corrected > level {
            found.decision = ComparisonFinding::Inconclusive;
        }
        if found.decision == ComparisonFinding::Inconclusive {
            let of = |name: &str| part.iter().find(|scores| scores.run == name);
            found.queries_needed = of(&found.system)
                .zip(of(&found.baseline))
                .and_then(|(own, theirs)| queries_needed((own, theirs), measure, 0.0, least, of_one));
            found.sentence = describe(found);
        }
    }
    Ok(())
}
