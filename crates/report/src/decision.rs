//! Which system is better, or that it cannot be told.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::alarms::AlarmGate;
use crate::comparison::BaselineComparison;
use crate::coverage::CoverageSection;
use crate::gates::GateResult;
use crate::systems::MeasuredSystem;
use crate::text;
use crate::text::{confidence, count, counted, interval, percent};

/// How a sentence begins that decides nothing.
pub(crate) const NOTHING: &str = "Nothing is decided";

/// The decision and what it rests on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DecisionSection {
    /// The measure that decides, such as `nDCG@10`.
    pub primary: String,
    /// The system that the others are compared with; null if there is only one.
    pub baseline: Option<String>,
    /// The other systems against it: on the primary measure first, then on others, if any.
    pub comparisons: Vec<BaselineComparison>,
    /// The gates, and whether they hold.
    pub gates: Vec<GateResult>,
    /// The conditions on the judges themselves, and whether they hold.
    #[serde(default)]
    pub alarm_gates: Vec<AlarmGate>,
    /// The judges of whom an alarm says `do_not_trust`. While there is one, nothing is decided and no gate passes,
    /// unless alarms are ignored.
    #[serde(default)]
    pub distrusted: Vec<String>,
    /// Whether alarms were ignored, as the user chose.
    #[serde(default)]
    pub alarms_ignored: bool,
    /// The decision in sentences: what a report begins with.
    pub summary: Vec<String>,
    /// The decision without judges that share a family of models with a system; null where none does.
    #[serde(default)]
    pub without: Option<DecisionWithout>,
    /// What a reader should know before acting on it.
    pub notes: Vec<String>,
}

/// What would be decided without some of the judges.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DecisionWithout {
    /// The judges that are left out.
    pub judges: Vec<String>,
    /// What the labels of the others decide, or why that is not known, as sentences.
    pub sentences: Vec<String>,
}

impl DecisionSection {
    /// The decision on measure `primary`, with its sentences. Without a comparison on that measure the sentences
    /// say why. If nothing is labelled, or every label is the same and people's labels correct not every comparison,
    /// they say that nothing is decided, whatever the figures are.
    pub fn new(
        primary: impl Into<String>,
        baseline: Option<String>,
        comparisons: Vec<BaselineComparison>,
        gates: Vec<GateResult>,
        systems: &[MeasuredSystem],
        coverage: &CoverageSection,
    ) -> Self {
        let primary = primary.into();
        let decisive = || comparisons.iter().filter(|comparison| comparison.measure == primary);
        let by_people = decisive().next().is_some() && decisive().all(|comparison| comparison.ppi.is_some());
        let summary = if coverage.pairs == 0 {
            vec![format!("{NOTHING}: there is no pair of query and document to judge.")]
        } else if coverage.labelled == 0 {
            vec![format!(
                "{NOTHING}: none of the {} has a label, so nothing can be measured.",
                counted(coverage.pairs, "pooled pair")
            )]
        } else if let ([only], true, false) = (coverage.grades.as_slice(), coverage.labelled > 1, by_people) {
            // A judge that always says the same, as small models do, still gives every system a figure. People's labels
            // of a sample decide without it.
            vec![format!(
                "{NOTHING}: all {} are grade {}, so they tell no document from another, and the figures below \
                 only show how much of what a system returned was judged. See the judge's replies, or name another.",
                counted(coverage.labelled, "label"),
                only.grade,
            )]
        } else if decisive().next().is_some() {
            decisive().map(|comparison| comparison.sentence.clone()).collect()
        } else {
            vec![lone(&primary, systems)]
        };
        let mut notes = Vec::new();
        if coverage.labelled > 0 && coverage.topics_without_labels > 0 {
            notes.push(format!(
                "Without any label, hence in no figure: {} of {}.",
                count(coverage.topics_without_labels),
                counted(coverage.topics, "query"),
            ));
        }
        if coverage.labelled > 0 && coverage.missing > 0 {
            notes.push(format!(
                "{} of {} ({}) have no label and count as not relevant wherever a measure meets them.",
                count(coverage.missing),
                counted(coverage.pairs, "pooled pair"),
                percent(Some(coverage.missing as f64 / coverage.pairs as f64)),
            ));
        }
        if coverage.labelled > 0 && decisive().count() > 1 {
            notes.push(format!(
                "These are {} comparisons with one baseline; their intervals are not corrected for that.",
                decisive().count()
            ));
        }
        Self {
            primary,
            baseline,
            comparisons,
            gates,
            alarm_gates: Vec::new(),
            distrusted: Vec::new(),
            alarms_ignored: false,
            summary,
            without: None,
            notes,
        }
    }
}

/// The sentence if there is no comparison.
fn lone(primary: &str, systems: &[MeasuredSystem]) -> String {
    match systems {
        [] => format!("{NOTHING}: no system was measured."),
        [system] => {
            let figure = system.figures.iter().find(|figure| figure.measure == primary);
            let value = figure.map_or_else(String::new, |figure| {
                format!(
                    " has {primary} {} {} ({} bootstrap, {}) and",
                    text::figure(figure.mean),
                    interval(figure.low, figure.high),
                    confidence(figure.confidence),
                    counted(figure.n, "query"),
                )
            });
            format!("{}{value} is the only system, so there is nothing to decide.", system.system)
        }
        _ => format!("{NOTHING}: no two systems were compared on {primary}."),
    }
}
