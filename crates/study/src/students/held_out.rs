//! Describes a student's agreement on queries outside of its training.

use llull_judge::{HeldOutAgreement, StudentLessons};
use llull_report::text::{counted, figure};

/// Describes a student's agreement on queries outside of its training, compared with that of the similarity baseline.
pub(crate) fn held_out(name: &str, lessons: &StudentLessons) -> String {
    format!(
        "{name} has learnt {} of {} from {}, and on queries that it had not seen agrees with them within queries at \
         {}; the similarity baseline, which has learnt nothing, at {}.",
        counted(lessons.pairs, "label"),
        counted(lessons.queries, "query"),
        lessons.labels,
        agreement_text(&lessons.held_out),
        agreement_text(&lessons.similarity),
    )
}

fn agreement_text(agreement: &HeldOutAgreement) -> String {
    let interval = agreement
        .rho_interval
        .map_or_else(String::new, |(low, high)| format!(" [{}, {}]", figure(Some(low)), figure(Some(high))));
    format!("rho {}{interval}, kappa {}", figure(agreement.rho), figure(agreement.kappa))
}
