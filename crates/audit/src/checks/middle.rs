//! Checks for grades drawn to the middle of the scale.

use crate::clustered_ratio::Clustered;
use crate::finding::Finding;
use crate::reference::{Reference, Votes};
use crate::{AuditOptions, AuditedCollection, CheckKind};

/// How much more often than its reference a decent judge may use the grades between the ends.
const DECENT: f64 = 0.4;

/// With fewer grades the share is an accident of a few documents: it is shown, and the check passes.
const LEAST: usize = 30;

/// Returns the share of grades that are neither the lowest nor the highest of the scale, less the share of annotators
/// or other judges on the same documents. Without either it is the plain share.
pub(crate) fn middle_of_scale(
    own: &Votes,
    reference: Option<&Reference<'_>>,
    collection: &AuditedCollection,
    options: &AuditOptions,
) -> Option<Finding> {
    let (lowest, highest) = ends(own, collection)?;
    let levels = collection.grades.len();
    let chance = (levels > 2).then(|| (levels - 2) as f64 / levels as f64);
    let inside = |grade: f64| f64::from(u8::from(grade > lowest && grade < highest));
    let plain: Vec<(usize, f64, f64)> =
        own.grades.iter().map(|(place, grade)| (place.0, inside(*grade), 1.0)).collect();
    let share = Clustered::ratio(&plain)?;
    // The share and the difference are of the same documents: those that both have graded.
    let both: Vec<(usize, f64, f64)> = own
        .grades
        .iter()
        .filter_map(|(place, grade)| Some((place.0, inside(*grade), inside(reference?.grade(*place)?))))
        .collect();
    let on_both: Vec<(usize, f64, f64)> = both.iter().map(|&(query, own, _)| (query, own, 1.0)).collect();
    let beside: Vec<(usize, f64, f64)> =
        both.iter().map(|&(query, own, other)| (query, own - other, 1.0)).collect();
    let compared = Clustered::ratio(&on_both).zip(Clustered::ratio(&beside)).zip(reference);
    let Some(((share, more), reference)) = compared else {
        let figures = format!(
            "{:.0}% of {} grades are between the ends of the scale. There are no other grades to compare with.",
            100.0 * share.value,
            plain.len()
        );
        return Some(Finding {
            n: plain.len(),
            value: Some(share.value),
            interval: share.interval(options.confidence, (0.0, 1.0)),
            chance,
            ..Finding::of_figures(CheckKind::MiddleOfScale, figures)
        });
    };
    let between = format!("{:.0}% of {} grades are between the ends", 100.0 * share.value, beside.len());
    let (points, with) = (100.0 * more.value, reference.against.words());
    let figures =
        format!("{between} of the scale, {points:+.0} points compared with {with} on the same documents.");
    Some(Finding {
        n: beside.len(),
        value: Some(share.value),
        interval: share.interval(options.confidence, (0.0, 1.0)),
        chance,
        p: (beside.len() >= LEAST).then(|| more.p_above(DECENT)),
        conclusion: format!(
            "The judge avoids extreme grades: {between}, {points:+.0} points compared with {with} (good judges: at \
             most {:+.0}).",
            100.0 * DECENT
        ),
        remedy: "Describe the highest and the lowest grade in the rubric, or calibrate with human labels.",
        ..Finding::of_figures(CheckKind::MiddleOfScale, figures)
    })
}

/// Returns the ends of the scale: as given, or the least and the largest grade that the judge gave. `None` where there
/// is nothing between them.
fn ends(own: &Votes, collection: &AuditedCollection) -> Option<(f64, f64)> {
    if let ([lowest, .., highest], true) = (collection.grades.as_slice(), collection.grades.len() > 2) {
        return (!own.grades.is_empty()).then_some((*lowest, *highest));
    }
    if !collection.grades.is_empty() {
        return None;
    }
    let mut given: Vec<f64> = own.grades.values().copied().collect();
    given.sort_by(f64::total_cmp);
    given.dedup();
    match given.as_slice() {
        [lowest, _, .., highest] => Some((*lowest, *highest)),
        _ => None,
    }
}
