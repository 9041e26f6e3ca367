//! Notes about answers that changed when current rules reread their replies.

use llull_report::text::counted;
use llull_runner::JudgeEvidence;

use crate::part::{Note, Part};

/// Returns a note for each judge with changed answers.
pub(super) fn reread_notes<'a>(judges: impl IntoIterator<Item = &'a JudgeEvidence>) -> Vec<Note> {
    let changed = judges.into_iter().filter(|judge| judge.reread().total() > 0);
    changed.map(|judge| Note::new(Part::Ledger, text(judge))).collect()
}

fn text(judge: &JudgeEvidence) -> String {
    let changes: Vec<String> =
        judge.reread().changes().map(|(before, after, n)| format!("{n} from {before} to {after}")).collect();
    format!(
        "judge {}: {} in the ledger changed when their replies were read again, by the rules of this version: {}. The \
         next run repeats requests whose answers are unusable now",
        judge.name(),
        counted(judge.reread().total(), "answer"),
        changes.join(", ")
    )
}
