//! The outcome of a study: its verdict, with the comparisons and gates behind it.

use llull_audit::JudgeCheck;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::checks::{CheckCondition, CheckGate, check_gates, unreliable_judges};
use crate::comparison::{BaselineComparison, ComparisonFinding, describe};
use crate::coverage::CoverageSection;
use crate::gates::{GateOutcome, GateResult};
use crate::systems::{LoneFigure, MeasuredSystem};
use crate::text::{brief_figure, confidence, count, counted, percent};

/// The outcome of a study. Every output is made of this value and of the comparisons, and of no sentence.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum StudyVerdict {
    /// No verdict: there is no pair of query and document to judge.
    NoPairs,
    /// No verdict: no pair has a label.
    NoLabels {
        /// How many pairs were to be judged.
        pairs: usize,
    },
    /// No verdict: all labels have one grade.
    OneGrade {
        /// The grade.
        grade: i32,
        /// How many labels there are.
        labels: usize,
    },
    /// No verdict: a judge is unreliable.
    UnreliableJudge {
        /// The unreliable judges.
        judges: Vec<String>,
    },
    /// No verdict yet: every comparison on the primary measure lacks labels that could change it.
    Incomplete {
        /// How many pairs have no label.
        missing: usize,
        /// How many pairs were to be judged.
        pairs: usize,
        /// How many queries have no label that is settled: none at all, or an unfinished tournament.
        queries: usize,
        /// Whether questions are open that another `llull run` can answer.
        can_continue: bool,
    },
    /// There is nothing to compare the only system with.
    OneSystem {
        /// The system.
        system: String,
        /// Its figure by the primary measure; null if it has none.
        figure: Option<LoneFigure>,
    },
    /// No verdict: no system was measured.
    NoSystem,
    /// No verdict: no two systems are compared on the primary measure.
    NotCompared,
    /// The comparisons on the primary measure have their decisions.
    #[default]
    Compared,
}

/// Existing labels that decide alone, because the judge's could not be put on their scale.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BaseAlone {
    /// The existing labels.
    pub base: String,
    /// The judge whose labels do not count.
    pub judge: String,
}

/// The decision, with the comparisons and gates behind it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DecisionSection {
    /// The measure that decides, such as `nDCG@10`.
    pub primary: String,
    /// The system that the others are compared with; null if there is only one.
    pub baseline: Option<String>,
    /// The other systems against it: on the primary measure first, then on others, if any.
    pub comparisons: Vec<BaselineComparison>,
    /// The conditions on the judges themselves, and whether they hold.
    #[serde(default)]
    pub check_gates: Vec<CheckGate>,
    /// The study's conditions on systems, and whether they hold; absent without any.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub system_gates: Vec<GateResult>,
    /// The unreliable judges: those with a check of `failed`. While there is one, there is no verdict and no
    /// gate passes, unless checks are ignored.
    #[serde(default)]
    pub unreliable_judges: Vec<String>,
    /// Whether checks were ignored, as the user chose.
    #[serde(default)]
    pub checks_ignored: bool,
    /// The outcome.
    #[serde(default)]
    pub verdict: StudyVerdict,
    /// The labels that decide alone, since the others have another scale; absent if all labels count.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base_alone: Option<BaseAlone>,
    /// The command that continues a run on chosen queries; absent if all were chosen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run_command: Option<String>,
    /// The outcome in sentences, made of `verdict` and `comparisons`: the beginning of a report.
    pub summary: Vec<String>,
    /// What the intervals of differences cover, and what they do not; absent without a comparison.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interval_covers: Option<String>,
    /// The decision without judges that share a family of models with a system; null where none does.
    #[serde(default)]
    pub without: Option<DecisionWithout>,
    /// The sample drawn for human labels; absent if none is drawn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sample: Option<SampleCoverage>,
    /// The sample that would check the judge; absent if one is drawn, or none can be.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proposed_sample: Option<ProposedSample>,
    /// Cautions for a reader who acts on the decision.
    pub notes: Vec<String>,
}

/// A sample for annotators that is not drawn yet. Its size needs no human label: it assumes a judge as good as strong
/// ones are.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ProposedSample {
    /// The measure whose differences it corrects.
    pub measure: String,
    /// How many pairs to label.
    pub pairs: usize,
    /// The expected half-width of the widest interval of a difference; absent if it would be too wide to help.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub half_width: Option<f64>,
}

/// How much of the sample for annotators is labelled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SampleCoverage {
    /// How many pairs were drawn.
    pub pairs: usize,
    /// How many of them have a human label.
    pub labelled: usize,
}

/// The decision without some of the judges.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DecisionWithout {
    /// The judges that are left out.
    pub judges: Vec<String>,
    /// The decision by the labels of the others, or why it is unknown, as sentences.
    pub sentences: Vec<String>,
}

impl DecisionSection {
    /// The decision on measure `primary`. Without a comparison on that measure the verdict gives the reason. If
    /// nothing is labelled, or every label has one grade, there is no verdict, whatever the figures are. Labels of one
    /// grade decide no comparison either, except those that human labels correct.
    pub fn new(
        primary: impl Into<String>,
        baseline: Option<String>,
        mut comparisons: Vec<BaselineComparison>,
        systems: &[MeasuredSystem],
        coverage: &CoverageSection,
    ) -> Self {
        let primary = primary.into();
        let verdict = verdict(&primary, &comparisons, systems, coverage);
        if one_grade(coverage).is_some() {
            let uncorrected = comparisons.iter_mut().filter(|found| found.ppi.is_none());
            uncorrected.for_each(|found| found.withdraw("all labels have one grade"));
        }
        let mut decision = Self { verdict, primary, baseline, comparisons, ..Self::default() };
        decision.notes = notes(coverage, &decision.decisive().collect::<Vec<_>>());
        decision.interval_covers = interval_covers(&decision);
        decision.summary = in_sentences(&decision);
        decision
    }

    /// The same after a run that this command continues; `None` if it is `llull run` alone.
    #[must_use]
    pub fn of_run(self, run_command: Option<String>) -> Self {
        let mut decision = Self { run_command, ..self };
        decision.summary = in_sentences(&decision);
        decision
    }

    /// The same with existing labels that decide alone.
    #[must_use]
    pub fn by_base_alone(self, base_alone: Option<BaseAlone>) -> Self {
        let mut decision = Self { base_alone, ..self };
        decision.summary = in_sentences(&decision);
        decision
    }

    /// The decision on labels that are partly those of a base, which may be human.
    #[must_use]
    pub fn over_base(mut self) -> Self {
        if self.interval_covers.as_deref() == Some(ONLY_QUERIES) {
            self.interval_covers = Some(ONLY_QUERIES_OF_SOME.to_owned());
        }
        self
    }

    /// The sentences of the outcome that are about no single comparison: the labels that decide alone, and the verdict.
    /// They are the first of `summary`.
    pub fn lead(&self) -> Vec<String> {
        let unreliable = matches!(self.verdict, StudyVerdict::UnreliableJudge { .. });
        let alone = self.base_alone.as_ref().filter(|_| !unreliable);
        let alone = alone.map(|BaseAlone { base, judge }| {
            format!(
                "The results below use the labels of {base} alone: those of {judge} could not be put on their scale."
            )
        });
        alone.into_iter().chain(sentence_of_verdict(self)).collect()
    }

    /// The command that continues the run.
    pub(crate) fn run(&self) -> &str {
        self.run_command.as_deref().unwrap_or("llull run")
    }

    /// The comparisons on the measure that decides.
    pub fn decisive(&self) -> impl Iterator<Item = &BaselineComparison> {
        self.comparisons.iter().filter(|found| found.measure == self.primary)
    }
}

fn verdict(
    primary: &str,
    comparisons: &[BaselineComparison],
    systems: &[MeasuredSystem],
    coverage: &CoverageSection,
) -> StudyVerdict {
    let decisive = || comparisons.iter().filter(|comparison| comparison.measure == primary);
    let compared = decisive().next().is_some();
    if coverage.pairs == 0 {
        return StudyVerdict::NoPairs;
    }
    if coverage.labelled == 0 {
        return StudyVerdict::NoLabels { pairs: coverage.pairs };
    }
    // Human labels of a sample decide without the judge.
    if let Some(grade) = one_grade(coverage)
        && decisive().all(|comparison| comparison.ppi.is_none())
    {
        return StudyVerdict::OneGrade { grade, labels: coverage.labelled };
    }
    if compared && decisive().all(|comparison| comparison.decision.is_incomplete()) {
        return StudyVerdict::Incomplete {
            missing: coverage.missing,
            pairs: coverage.pairs,
            queries: decisive().filter_map(|found| Some(found.missing?.queries)).max().unwrap_or(0),
            can_continue: coverage.judges.iter().any(|judge| judge.open().for_run > 0),
        };
    }
    match systems {
        _ if compared => StudyVerdict::Compared,
        [] => StudyVerdict::NoSystem,
        [system] => {
            let figure = system.figures.iter().find(|figure| figure.measure == primary);
            StudyVerdict::OneSystem { system: system.system.clone(), figure: figure.map(LoneFigure::from) }
        }
        _ => StudyVerdict::NotCompared,
    }
}

/// The grade of all labels, if there are several and they have one. A judge that always gives one grade, as small
/// models do, still gives every system a figure.
fn one_grade(coverage: &CoverageSection) -> Option<i32> {
    match coverage.grades.as_slice() {
        [only] if coverage.labelled > 1 => Some(only.grade),
        _ => None,
    }
}

fn notes(coverage: &CoverageSection, comparisons: &[&BaselineComparison]) -> Vec<String> {
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
    // Bonferroni's correction: a verdict that it leaves needs no remark.
    let is_affected = |found: &&&BaselineComparison| {
        let is_clear = matches!(found.decision, ComparisonFinding::Better | ComparisonFinding::Worse);
        let p = found.p.filter(|_| found.ppi.is_none());
        is_clear && p.is_none_or(|p| p * comparisons.len() as f64 > 1.0 - found.confidence)
    };
    let affected = comparisons.iter().filter(is_affected).count();
    if coverage.labelled > 0 && comparisons.len() > 1 && affected > 0 {
        notes.push(format!(
            "{} comparisons, not adjusted for multiple testing; an adjustment could change {}.",
            count(comparisons.len()),
            counted(affected, "verdict"),
        ));
    }
    notes
}

/// What intervals cover without human labels.
pub(crate) const ONLY_QUERIES: &str = "The intervals cover the choice of queries, not the judge's errors.";

/// Where human labels correct other intervals, or are among the labels.
const ONLY_QUERIES_OF_SOME: &str =
    "An interval without human labels covers the choice of queries, and not the judge's errors.";

/// Returns what the intervals of the differences cover; `None` without an interval.
fn interval_covers(decision: &DecisionSection) -> Option<String> {
    let mut shown = decision.decisive().filter(|found| found.low.is_some() || found.ppi.is_some()).peekable();
    shown.peek()?;
    let figures: Vec<Option<&str>> =
        shown.map(|found| found.ppi.as_ref().map(|figure| figure.estimand.as_str())).collect();
    let text = match (figures.contains(&None), figures.iter().all(Option::is_none)) {
        (_, true) => ONLY_QUERIES,
        (true, false) => ONLY_QUERIES_OF_SOME,
        (false, _) if figures.contains(&Some("these_queries")) => {
            "The intervals cover the judge's errors on these queries, and not the choice of queries."
        }
        (false, _) => "The intervals cover the choice of queries and the judge's errors.",
    };
    Some(text.to_owned())
}

/// The outcome in sentences: the lead, then the comparisons' own.
pub(crate) fn in_sentences(decision: &DecisionSection) -> Vec<String> {
    let mut sentences = decision.lead();
    if let StudyVerdict::Compared | StudyVerdict::Incomplete { .. } = decision.verdict {
        sentences.extend(decision.decisive().map(|comparison| comparison.sentence.clone()));
    }
    sentences
}

/// The sentence of a verdict; `None` if the comparisons have it.
fn sentence_of_verdict(decision: &DecisionSection) -> Option<String> {
    let DecisionSection { verdict, primary, .. } = decision;
    Some(match verdict {
        StudyVerdict::Compared => return None,
        StudyVerdict::NoPairs => "No verdict: there is no pair of query and document to judge.".to_owned(),
        StudyVerdict::NoLabels { pairs } => format!(
            "No verdict: none of the {} has a label, so nothing can be measured.",
            counted(*pairs, "pooled pair")
        ),
        StudyVerdict::OneGrade { grade, labels } => format!(
            "No verdict: all {} are grade {grade}, so they tell no document from another, and the figures below only \
             show how much of what a system returned was judged. Read the judge's replies, or use another judge.",
            counted(*labels, "label"),
        ),
        StudyVerdict::UnreliableJudge { judges } => {
            format!("No verdict: {} failed a check.", judges.join(", "))
        }
        StudyVerdict::Incomplete { missing, pairs, queries, can_continue } => {
            let missing = match missing {
                0 => format!("{} not finished", counted(*queries, "query")),
                missing => {
                    format!("{} of {} without a label", count(*missing), counted(*pairs, "pooled pair"))
                }
            };
            let go_on = match can_continue {
                true => format!("{} continues with what is missing.", decision.run()),
                false => "Another llull run adds no label: use another judge or recording for these pairs, or label \
                          them by hand (llull review)."
                    .to_owned(),
            };
            format!("No verdict yet: {missing}, and the missing labels could change the result. {go_on}")
        }
        StudyVerdict::OneSystem { system, figure } => lone(system, primary, *figure),
        StudyVerdict::NoSystem => "No verdict: no system was measured.".to_owned(),
        StudyVerdict::NotCompared => format!("No verdict: no two systems were compared on {primary}."),
    })
}

/// The sentence on the only system.
fn lone(system: &str, primary: &str, figure: Option<LoneFigure>) -> String {
    let value = figure.map_or_else(String::new, |figure| {
        let interval = figure.low.zip(figure.high).map_or_else(String::new, |(low, high)| {
            let level = confidence(figure.confidence);
            format!("{} to {}, {level} interval, ", brief_figure(low), brief_figure(high))
        });
        format!(" has {primary} {} ({interval}{}) and", brief_figure(figure.mean), counted(figure.n, "query"))
    });
    format!("{system}{value} is the only system, so there is nothing to decide.")
}

impl DecisionSection {
    /// The decision after the judge checks. If a check is [`CheckOutcome::Failed`](llull_audit::CheckOutcome), every
    /// condition fails, and only comparisons corrected by human labels have a verdict. With `ignored` the decision
    /// remains and a note is added.
    #[must_use]
    pub fn under_checks(self, checks: &[JudgeCheck], conditions: &[CheckCondition], ignored: bool) -> Self {
        let judges = unreliable_judges(checks);
        let mut decision = Self { check_gates: check_gates(conditions, checks, ignored), ..self };
        decision.unreliable_judges = judges.iter().map(|judge| (*judge).to_owned()).collect();
        decision.checks_ignored = ignored;
        if judges.is_empty() {
            return decision;
        }
        let who = judges.join(", ");
        if ignored {
            // The record is one of judges without such faults.
            decision.comparisons.iter_mut().for_each(BaselineComparison::remove_track_record);
            let note = format!(
                "Checks are ignored (--ignore-checks): this decision uses the answers of {who}, which failed a check."
            );
            decision.notes.insert(0, note);
            return decision;
        }
        decision.comparisons.iter_mut().for_each(|comparison| comparison.distrust(&who));
        let decisive = decision.decisive().count();
        let is_decided = |found: &&BaselineComparison| {
            found.ppi.is_some() && found.decision != ComparisonFinding::NotTrusted
        };
        let corrected = decision.decisive().filter(is_decided).count();
        if corrected > 0 {
            let decided = if corrected == decisive { "all" } else { "some" };
            let note = format!(
                "{who} failed a check. Human labels correct its answers in {decided} comparisons, which are decided."
            );
            decision.verdict = StudyVerdict::Compared;
            decision.notes.insert(0, note);
        } else if matches!(
            decision.verdict,
            StudyVerdict::Compared | StudyVerdict::Incomplete { .. } | StudyVerdict::OneSystem { .. }
        ) {
            decision.verdict = StudyVerdict::UnreliableJudge { judges: decision.unreliable_judges.clone() };
        }
        decision.summary = in_sentences(&decision);
        decision
    }

    /// Returns whether every condition on the judges holds.
    pub fn passes(&self) -> bool {
        self.check_gates.iter().all(|gate| gate.passed)
    }
}

impl BaselineComparison {
    /// Withdraws a decision by unreliable judges. A comparison corrected by human labels remains, since it does not
    /// depend on the judges' reliability.
    pub fn distrust(&mut self, judges: &str) {
        if self.ppi.is_none() {
            self.withdraw(&format!("{judges} failed a check"));
        }
    }

    /// Withdraws a decision for this reason, which is a clause.
    pub(crate) fn withdraw(&mut self, reason: &str) {
        match self.decision {
            ComparisonFinding::Better
            | ComparisonFinding::Worse
            | ComparisonFinding::Inconclusive
            | ComparisonFinding::Incomplete { .. } => {
                self.decision = ComparisonFinding::NotTrusted;
                self.queries_needed = None;
                self.track_record = None;
                self.by_judges = None;
                self.undecidable = Some(reason.to_owned());
                self.sentence = describe(self);
            }
            ComparisonFinding::Identical | ComparisonFinding::Unmeasured | ComparisonFinding::NotTrusted => {}
        }
    }
}

impl GateResult {
    /// Fails the gate, because these judges are unreliable. A gate on figures corrected by human labels stays.
    pub fn distrust(&mut self, judges: &str) {
        if self.passed && !self.corrected {
            self.settle(GateOutcome::UnreliableJudge);
            self.sentence = format!("{} fails for {}: {judges} failed a check.", self.gate, self.system);
        }
    }
}
