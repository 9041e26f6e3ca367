//! What alarms leave of a decision.

use llull_audit::Alarm;

use crate::alarms::{AlarmCondition, alarm_gates, distrusted};
use crate::comparison::{BaselineComparison, ComparisonFinding, describe};
use crate::decision::{DecisionSection, NOTHING};
use crate::gates::GateResult;

impl DecisionSection {
    /// What alarms leave of the decision. Where one says `do not trust`, nothing is decided, whatever the figures are,
    /// except by comparisons that people's labels correct, and every condition fails; with `ignored` the decision
    /// stands and a note says so.
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
        decision.gates.iter_mut().for_each(|gate| gate.distrust(&who));
        let decisive: Vec<_> =
            decision.comparisons.iter().filter(|found| found.measure == decision.primary).collect();
        let corrected = decisive.iter().filter(|found| found.ppi.is_some()).count();
        if corrected > 0 {
            let rests = match corrected == decisive.len() {
                true => "the decision rests",
                false => "what is decided rests",
            };
            let note = format!(
                "The answers of {who} are not to be trusted; {rests} on people's labels, which correct them."
            );
            decision.summary = decisive.iter().map(|found| found.sentence.clone()).collect();
            decision.notes.insert(0, note);
        } else if !decision.summary.iter().any(|sentence| sentence.starts_with(NOTHING)) {
            decision.summary = vec![format!(
                "{NOTHING}: the answers of {who} are not to be trusted, for the reasons above. Name another judge, or \
                 mend the prompt; --ignore-alarms shows what these answers would decide."
            )];
        }
        decision
    }

    /// Returns whether every gate passed.
    pub fn passes(&self) -> bool {
        self.gates.iter().all(|gate| gate.passed) && self.alarm_gates.iter().all(|gate| gate.passed)
    }
}

impl BaselineComparison {
    /// Takes back what follows from the answers of judges that are not to be trusted, where anything did. What people's
    /// labels correct stands, since that holds whatever the judges do.
    pub fn distrust(&mut self, judges: &str) {
        match self.decision {
            _ if self.ppi.is_some() => {}
            ComparisonFinding::Better | ComparisonFinding::Worse | ComparisonFinding::Inconclusive => {
                self.decision = ComparisonFinding::NotTrusted;
                self.undecidable = Some(format!("the answers of {judges} are not to be trusted"));
                self.sentence = describe(self);
            }
            ComparisonFinding::Identical
            | ComparisonFinding::Unmeasured
            | ComparisonFinding::NotTrusted
            | ComparisonFinding::Incomplete { .. } => {}
        }
    }
}

impl GateResult {
    /// Fails the gate, because the answers of these judges are not to be trusted. What people's labels correct stands.
    pub fn distrust(&mut self, judges: &str) {
        if self.passed && !self.corrected {
            self.passed = false;
            self.sentence = format!(
                "{} fails for {}: the answers of {judges} are not to be trusted.",
                self.gate, self.system
            );
        }
    }
}
