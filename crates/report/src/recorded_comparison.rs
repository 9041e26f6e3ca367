//! Adds track records to comparisons, and describes those of several.

use llull_metrics::{Measure, Scores};

use crate::by_judges::by_judges_lines;
use crate::comparison::{BaselineComparison, ComparisonFinding};
use crate::track_record::{Recorded, TrackRecord, track_record_lines};

/// Adds the record of each verdict that one system is better than another. The labels must be a judge's alone: call it
/// after missing labels and human labels have had their effect on the comparisons.
pub fn add_track_records<'a>(
    comparisons: impl IntoIterator<Item = &'a mut BaselineComparison>,
    scores: &[Scores],
) {
    for comparison in comparisons {
        comparison.track_record = record_of(comparison, scores);
    }
}

fn record_of(comparison: &BaselineComparison, scores: &[Scores]) -> Option<TrackRecord> {
    let decided = matches!(comparison.decision, ComparisonFinding::Better | ComparisonFinding::Worse);
    if !decided || comparison.ppi.is_some() {
        return None;
    }
    let of = |name: &str| scores.iter().find(|scores| scores.run == name);
    let (system, baseline) = (of(&comparison.system)?, of(&comparison.baseline)?);
    let measure = comparison.measure.parse::<Measure>().ok()?;
    let at = system.position(&measure)?;
    let differences = system.values(at).zip(baseline.values(at)).map(|(own, theirs)| own - theirs);
    TrackRecord::of(&measure, &differences.collect::<Vec<f64>>(), comparison.nearer_end())
}

impl BaselineComparison {
    /// The distance from 0 of the nearer end of the interval.
    fn nearer_end(&self) -> Option<f64> {
        Some(self.low?.abs().min(self.high?.abs()))
    }

    /// Takes the record away, where judges have faults that those of the record do not have.
    pub(crate) fn remove_track_record(&mut self) {
        self.track_record = None;
        if let Some(found) = &mut self.by_judges {
            found.sentences = by_judges_lines(&[("", found, None)]);
        }
    }
}

/// Returns what single judges decide in these comparisons, in sentences; none without a panel.
pub(crate) fn by_judges<'a>(comparisons: impl Iterator<Item = &'a BaselineComparison>) -> Vec<String> {
    let found = comparisons.filter_map(|found| {
        Some((found.system.as_str(), found.by_judges.as_ref()?, found.track_record.as_ref()))
    });
    by_judges_lines(&found.collect::<Vec<_>>())
}

/// Returns the track records of these comparisons in sentences; none without a record.
pub(crate) fn track_records<'a>(comparisons: impl Iterator<Item = &'a BaselineComparison>) -> Vec<String> {
    track_record_lines(&recorded(comparisons))
}

fn recorded<'a>(comparisons: impl Iterator<Item = &'a BaselineComparison>) -> Vec<Recorded<'a>> {
    comparisons
        .filter_map(|found| Some((found.system.as_str(), found.track_record.as_ref()?, found.nearer_end())))
        .collect()
}
