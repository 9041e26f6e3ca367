//! Judges of a panel compared, and results without one of them.

use std::borrow::Borrow;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::comparison::{BaselineComparison, ComparisonFinding};
use crate::differing::{DifferingPair, PairReasons};
use crate::text::{ABSENT, brief_difference, brief_interval};

/// A comparison of the judges of a panel. It needs no human labels, and it cannot show that the panel is right: judges
/// that are models share mistakes.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PanelSection {
    /// Pairs of query and document that two judges or more graded, or pairs of documents that they compared.
    pub pairs: usize,
    /// The method that makes labels of the judges' grades, if the study sets one; absent for fractional labels.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub method: Option<PanelMethodSection>,
    /// How the judges' votes count, where they compare; absent where they grade.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub votes: Option<CountedVotesSection>,
    /// Krippendorff's alpha of all judges, for ordered grades; where they compare, for one document ahead, neither, the
    /// other ahead, every pair counted from both sides. Null if it is undefined.
    pub alpha: Option<PanelAlpha>,
    /// Every two judges: how they agree on the pairs that both graded.
    pub agreement: Vec<JudgesTogether>,
    /// The comparisons of the decision without each judge in turn: the labels are those of the others.
    pub without: Vec<WithoutLabels>,
    /// Pairs on which the judges' grades are split; none where they compare.
    pub ambiguous: AmbiguousPairs,
}

/// Krippendorff's alpha, from below 0 to 1, with an interval over queries.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PanelAlpha {
    /// The figure.
    pub value: f64,
    /// The lower end of its interval; null if there are too few queries for one.
    pub low: Option<f64>,
    /// The upper end.
    pub high: Option<f64>,
    /// The interval's confidence, such as 0.95.
    pub confidence: f64,
}

/// How two judges agree on the pairs that both graded.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct JudgesTogether {
    /// A judge.
    pub judge: String,
    /// Another.
    pub other: String,
    /// How many pairs both graded.
    pub n: u64,
    /// The share of equal grades or preferences.
    pub exact: Option<f64>,
    /// Cohen's kappa.
    pub kappa: Option<f64>,
    /// Cohen's kappa with squared distances.
    pub quadratic: Option<f64>,
}

/// The comparisons on the measure that decides, under fewer labels.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct WithoutLabels {
    /// The excluded judge, or the pairs with split grades.
    pub without: String,
    /// The comparisons.
    pub comparisons: Vec<BaselineComparison>,
    /// Whether a finding is another one than with everything.
    pub changes: bool,
    /// The same in one sentence.
    pub sentence: String,
}

impl WithoutLabels {
    /// Holds comparisons without something against those with everything.
    pub fn new(
        without: impl Into<String>,
        comparisons: Vec<BaselineComparison>,
        with_everything: &[BaselineComparison],
    ) -> Self {
        let without = without.into();
        let changes: Vec<(&BaselineComparison, ComparisonFinding)> =
            finding_changes(&comparisons, with_everything);
        let sentence = without_sentence(&without, &comparisons, &changes);
        Self { changes: !changes.is_empty(), without, sentence, comparisons }
    }
}

/// Pairs on which no grade has more than half of the votes, and the grades lie half of the scale apart or more.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AmbiguousPairs {
    /// How many there are.
    pub pairs: usize,
    /// The first of them: the largest distance first, then those without any agreement.
    pub listed: Vec<DifferingPair<PairReasons>>,
    /// The comparisons of the decision without all of them; null if no pair is split.
    pub without: Option<WithoutLabels>,
}

/// How the votes of a panel that compares count.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CountedVotesSection {
    /// `majority` or `judge-aware`.
    pub method: String,
    /// An explanation of the method.
    pub meaning: String,
    /// Each judge.
    pub judges: Vec<CountedJudge>,
    /// The pairs of documents on which the votes cancel out, so that neither is ahead.
    pub split: usize,
    /// Why the judges' discrimination is unknown. Null if it is known, or if there are fewer than three judges, who
    /// cannot show it.
    pub unknown: Option<String>,
}

/// How much the votes of one judge count.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CountedJudge {
    /// The judge.
    pub judge: String,
    /// How much a vote of it counts.
    pub weight: f64,
    /// How well it separates documents, by the votes of the others: the factor of the log-odds in a Bradley-Terry
    /// model with judges. The geometric mean over judges is 1. Null if it is unknown.
    pub discrimination: Option<f64>,
}

/// The method by which a panel's grades became labels.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PanelMethodSection {
    /// The study's setting: a method, or `choose`.
    pub configured: String,
    /// The method of the labels. It is fractional while the study's method waits for human labels.
    pub method: String,
    /// An explanation of the method.
    pub meaning: String,
    /// Remarks: that it waits, that it was chosen, or an assumption.
    pub notes: Vec<String>,
    /// The number of pairs with human labels, if the method learns from them; otherwise 0.
    pub people: usize,
    /// The compared methods, if human labels made the choice; otherwise empty.
    pub tried: Vec<TriedMethod>,
}

/// A method, or a judge alone, on queries that it was not fitted to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TriedMethod {
    /// The method's name, or `judge NAME`.
    pub method: String,
    /// Kappa with people within queries; null if it is undefined.
    pub kappa: Option<f64>,
    /// The mean over queries of Spearman's correlation with people.
    pub rho: Option<f64>,
    /// The lower end of the interval of its kappa less that of the chosen method; null for that itself.
    pub kappa_low: Option<f64>,
    /// The upper end.
    pub kappa_high: Option<f64>,
}

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
fn without_sentence(
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

    use super::WithoutLabels;
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
