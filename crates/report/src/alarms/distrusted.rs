//! Finds the judges with a failed check.

use llull_audit::{Alarm, Concern};

/// Returns the judges with an alarm of [`Concern::DoNotTrust`], each once, in the order of the alarms.
pub fn distrusted(alarms: &[Alarm]) -> Vec<&str> {
    let mut judges: Vec<&str> = Vec::new();
    for alarm in alarms.iter().filter(|alarm| alarm.verdict == Concern::DoNotTrust) {
        if !judges.contains(&alarm.judge.as_str()) {
            judges.push(&alarm.judge);
        }
    }
    judges
}
