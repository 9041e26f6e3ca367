//! Withdraws decisions that depend on unreliable judges.

use llull_audit::JudgeCheck;

use crate::checks::{CheckCondition, check_gates, unreliable_judges};
use crate::comparison::{BaselineComparison, ComparisonFinding, describe};
use crate::gates::{GateOutcome, GateResult};
use crate::study_verdict::{DecisionSection, StudyVerdict, in_sentences};

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
