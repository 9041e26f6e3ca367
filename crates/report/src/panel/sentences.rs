//! Describes results by fewer labels.

use std::borrow::Borrow;

use crate::comparison::{BaselineComparison, ComparisonFinding};
use crate::text::{ABSENT, brief_difference, brief_interval};

/// The comparisons with another finding than by all labels, each with that finding.
pub(crate) fn finding_changes<'a>(
    without: &'a [BaselineComparison],
    with_everything: &[impl Borrow<BaselineComparison>],
) -> Vec<(&'a BaselineComparison, ComparisonFinding)> {
    let of = |one: &BaselineComparison| {
        let same = with_everything
            .iter()
            .map(Borrow::borrow)
            .find(|other| (&other.system, &other.measure) == (&one.system, &one.measure));
        same.map(|same| same.decision)
    };
    let changed = without.iter().filter_map(|one| Some((one, of(one)?)));
    changed.filter(|(one, before)| one.decision != *before).collect()
}

/// One sentence on the result without a judge or some pairs.
pub(super) fn without_sentence(
    without: &str,
    comparisons: &[BaselineComparison],
    changes: &[(&BaselineComparison, ComparisonFinding)],
) -> String {
    if comparisons.is_empty() {
        return format!("Without {without} there is nothing to compare.");
    }
    if changes.is_empty() {
        return format!("Without {without} every finding is the same.");
    }
    let changes: Vec<String> = changes.iter().map(|(now, before)| change(now, *before)).collect();
    format!("Without {without} findings change: {}.", changes.join("; "))
}

fn change(now: &BaselineComparison, before: ComparisonFinding) -> String {
    let ends = now.low.zip(now.high).map(|(low, high)| format!(", {}", brief_interval(low, high)));
    format!(
        "{} against {}: {}, and not {} ({} {}{})",
        now.system,
        now.baseline,
        now.decision.words(),
        before.words(),
        now.measure,
        now.mean_difference.map_or_else(|| ABSENT.to_owned(), brief_difference),
        ends.unwrap_or_default(),
    )
}

#[cfg(test)]
mod tests {
    use llull_core::{Qrels, Ranking, Run, Seed};
    use llull_metrics::{Measure, evaluate_all};
    use llull_stats::BootstrapOptions;

    use super::super::WithoutLabels;
    use crate::comparison::{BaselineComparison, compare};

    /// Eight queries; `good` has the document with the grade in front, and `bad` the other.
    fn comparisons(grade_of_good: i32) -> Vec<BaselineComparison> {
        let mut qrels = Qrels::default();
        let (mut good, mut bad) = (Run::new("good"), Run::new("bad"));
        for n in 0..8 {
            let topic = format!("q{n}");
            qrels.insert(&topic, "d1", grade_of_good);
            qrels.insert(&topic, "d2", 1 - grade_of_good);
            good.insert(topic.clone(), Ranking::from_ordered([("d1", 2.0), ("d2", 1.0)]));
            bad.insert(topic, Ranking::from_ordered([("d2", 2.0), ("d1", 1.0)]));
        }
        let measures: Vec<Measure> = vec!["RR".parse().unwrap()];
        let scores = evaluate_all(&measures, &qrels, &[good, bad]);
        compare(&scores, 0, "bad", &BootstrapOptions::new(Seed(1))).unwrap()
    }

    #[test]
    fn what_changes_is_named_and_what_stays_is_said() {
        let with_everything = comparisons(1);
        let same = WithoutLabels::new("judge a", comparisons(1), &with_everything);
        assert_eq!(
            (same.changes, same.sentence.as_str()),
            (false, "Without judge a every finding is the same.")
        );
        let turned = WithoutLabels::new("judge b", comparisons(0), &with_everything);
        assert!(turned.changes);
        assert_eq!(
            turned.sentence,
            "Without judge b findings change: good against bad: worse, and not better (RR -0.50, -0.50 to \
             -0.50)."
        );
        let nothing = WithoutLabels::new("judge c", Vec::new(), &with_everything);
        assert_eq!(nothing.sentence, "Without judge c there is nothing to compare.");
    }
}
