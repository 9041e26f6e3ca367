//! Checks the study's reach outside its folder and its providers' servers.

use super::findings::{DoctorFinding, Severity};
use crate::reach::{ReachEntry, Trust};

/// Returns a finding for each entry of a study's reach: an error if it is not trusted.
pub fn reach_findings(reach: &[ReachEntry], trust: &Trust) -> Vec<DoctorFinding> {
    let finding = |entry: &ReachEntry| {
        let (severity, note) = match trust.holds(entry) {
            true => (Severity::Fine, "trusted"),
            false => (Severity::Error, "not trusted: --trust allows it"),
        };
        let text = format!("{} ({note}: {})", entry.text, entry.entry);
        DoctorFinding { severity, what: "reach".to_owned(), text }
    };
    reach.iter().map(finding).collect()
}
