//! Withdraws decisions that depend on unreliable judges.

use llull_audit::Alarm;

use crate::alarms::{AlarmCondition, alarm_gates, distrusted};
use crate::comparison::{BaselineComparison, ComparisonFinding, describe};
use crate::decision::{DecisionSection, StudyVerdict, in_sentences};
use crate::gates::{GateOutcome, GateResult};

impl DecisionSection {
    /// The decision after the judge checks. If an alarm is [`Concern::DoNotTrust`](llull_audit::Concern), every
    /// condition fails, and only comparisons corrected by human labels have a verdict. With `ignored` the decision
    /// remains and a note is added.
    #[must_use]
    pub fn under_alarms(self, alarms: &[Alarm], conditions: &[AlarmCondition], ignored: bool) -> Self {
        let judges = distrusted(alarms);
        let mut decision = Self { alarm_gates: alarm_gates(conditions, alarms, ignored), ..self };
        decision.distrusted = judges.iter().map(|judge| (*judge).to_owned()).collect();
        decision.alarms_ignored = ignored;
        if judges.is_empty() {
            return decision;
        }
        let who = judges.join(", ");
        if ignored {
            let note = format!(
                "Alarms are ignored, as --ignore-alarms says: the answers of {who} are not to be trusted, and this \
                 decision rests on them."
            );
            decision.notes.insert(0, note);
            return decision;
        }
        decision.comparisons.iter_mut().for_each(|comparison| comparison.distrust(&who));
        let decisive = decision.decisive().count();
        let corrected = decision.decisive().filter(|found| found.ppi.is_some()).count();
        if corrected > 0 {
            let rests = match corrected == decisive {
                true => "the decision rests",
                false => "what is decided rests",
            };
            let note = format!(
                "The answers of {who} are not to be trusted; {rests} on people's labels, which correct them."
            );
            decision.verdict = StudyVerdict::Compared;
            decision.notes.insert(0, note);
        } else if matches!(
            decision.verdict,
            StudyVerdict::Compared | StudyVerdict::Incomplete { .. } | StudyVerdict::OneSystem { .. }
        ) {
            decision.verdict = StudyVerdict::UnreliableJudge { judges: decision.distrusted.clone() };
        }
        decision.summary = in_sentences(&decision);
        decision
    }

    /// Returns whether every condition on the judges holds.
    pub fn passes(&self) -> bool {
        self.alarm_gates.iter().all(|gate| gate.passed)
    }
}

impl BaselineComparison {
    /// Withdraws a decision by unreliable judges. A comparison corrected by human labels remains, since it does not
    /// depend on the judges' reliability.
    pub fn distrust(&mut self, judges: &str) {
        match self.decision {
            _ if self.ppi.is_some() => {}
            ComparisonFinding::Better
            | ComparisonFinding::Worse
            | ComparisonFinding::Inconclusive
            | ComparisonFinding::Incomplete { .. } => {
                self.decision = ComparisonFinding::NotTrusted;
                self.undecidable = Some(format!("{judges} failed a check"));
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
            self.sentence = format!(
                "{} fails for {}: the answers of {judges} are not to be trusted.",
                self.gate, self.system
            );
        }
    }
}
