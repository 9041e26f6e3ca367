//! Which judges are not to be trusted.

use llull_audit::{Alarm, Concern};

/// Returns the judges of whom an alarm says `do not trust`, each once, in the order of the alarms.
pub fn distrusted(alarms: &[Alarm]) -> Vec<&str> {
    let mut judges: Vec<&str> = Vec::new();
    for alarm in alarms.iter().filter(|alarm| alarm.verdict == Concern::DoNotTrust) {
        if !judges.contains(&alarm.judge.as_str()) {
            judges.push(&alarm.judge);
        }
    }
    judges
}
