//! A statistic before the correction for multiple testing.

use llull_stats::{Correction, adjusted};

use crate::{CheckKind, CheckOutcome, JudgeCheck};

/// A statistic of a judge, with the chance that decides its outcome.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Finding {
    /// The kind of statistic.
    pub kind: CheckKind,
    /// From how many answers, pairs or queries.
    pub n: usize,
    /// The statistic.
    pub value: Option<f64>,
    /// Its interval.
    pub interval: Option<(f64, f64)>,
    /// The statistic of a judge with random answers.
    pub chance: Option<f64>,
    /// The p of "no further off than decent judges are"; `None` where that is not tested.
    pub p: Option<f64>,
    /// Whether the statistic is so far off that, if it is no accident, the answers carry no decision.
    pub severe: bool,
    /// The outcome where it follows from a rule and not from a test: at least this.
    pub at_least: CheckOutcome,
    /// Whether it shows that the judge separates good documents from bad ones, whatever else is wrong with it.
    pub shows_sense: bool,
    /// The finding if the check passes: the figures, as sentences.
    pub figures: String,
    /// The finding if it does not pass, as sentences that begin with the conclusion; empty if the figures are enough.
    pub conclusion: String,
    /// The remedy if the check does not pass, as sentences.
    pub remedy: &'static str,
}

impl Finding {
    /// Returns a finding that is no reason for doubt. `figures` are its figures, or why there are none, as sentences.
    pub(crate) fn of_figures(kind: CheckKind, figures: impl Into<String>) -> Self {
        Self {
            kind,
            n: 0,
            value: None,
            interval: None,
            chance: None,
            p: None,
            severe: false,
            at_least: CheckOutcome::Passed,
            shows_sense: false,
            figures: figures.into(),
            conclusion: String::new(),
            remedy: "",
        }
    }
}

/// Returns the sentence about a sample that is too small, to be appended to the figures.
pub(crate) fn needs(least: usize) -> String {
    format!(" The check needs at least {least}.")
}

/// Returns the checks of findings, each with the name of its judge. A test counts once its p, corrected by Holm's
/// method for all tests of all judges, is at most `level`.
pub(crate) fn judge_findings(findings: Vec<(String, Finding)>, level: f64) -> Vec<JudgeCheck> {
    // A NaN counts as a test without evidence.
    let p = |p: f64| if p.is_nan() { 1.0 } else { p.clamp(0.0, 1.0) };
    let tested: Vec<f64> = findings.iter().filter_map(|(_, finding)| finding.p.map(p)).collect();
    // The correction needs chances between 0 and 1; without it no test would count.
    let mut corrected = adjusted(&tested, Correction::Holm).unwrap_or_default().into_iter();
    findings
        .into_iter()
        .map(|(judge, finding)| {
            let real = finding.p.and_then(|_| corrected.next()).is_some_and(|p| p <= level);
            let found = match (real, finding.severe) {
                (false, _) => CheckOutcome::Passed,
                (true, false) => CheckOutcome::Warning,
                (true, true) => CheckOutcome::Failed,
            };
            check(judge, finding, found)
        })
        .collect()
}

fn check(judge: String, finding: Finding, found: CheckOutcome) -> JudgeCheck {
    let outcome = found.max(finding.at_least);
    let passed = outcome == CheckOutcome::Passed;
    let finding_text = match passed || finding.conclusion.is_empty() {
        true => finding.figures,
        false => finding.conclusion,
    };
    JudgeCheck {
        judge,
        kind: finding.kind,
        outcome,
        n: finding.n,
        value: finding.value,
        low: finding.interval.map(|(low, _)| low),
        high: finding.interval.map(|(_, high)| high),
        chance: finding.chance,
        finding: finding_text,
        remedy: if passed { String::new() } else { finding.remedy.to_owned() },
    }
}
