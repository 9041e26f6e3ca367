//! Warnings about a dataset, and about queries and results that no figure counts.

use llull_data::DatasetNotes;
use llull_judge::Rubric;
use llull_report::text::{count, counted};

use super::evaluate::AnswerEvaluation;
use super::made::MadeQueries;

impl AnswerEvaluation {
    /// Describes the queries without an expected answer, which no figure counts; `None` without any.
    pub fn expecting_nothing_note(&self, made: Option<&MadeQueries>) -> Option<String> {
        let first = self.expecting_nothing.first()?;
        let all = counted(self.expecting_nothing.len(), "query");
        let of_these = match made.map_or(0, |made| made.out_of_context) {
            0 => String::new(),
            n => format!("; {} of these on purpose, out of context", count(n)),
        };
        let (expect, be) =
            if self.expecting_nothing.len() == 1 { ("expects", "is") } else { ("expect", "are") };
        Some(format!(
            "{all} of the dataset {expect} neither answers nor documents, and {be} in no figure (the first: \
             {first}){of_these}"
        ))
    }

    /// Warns of queries and results that figures do not count, or count as 0.
    pub fn warnings(&self, made: Option<&MadeQueries>) -> Vec<String> {
        let mut warnings: Vec<String> = self.expecting_nothing_note(made).into_iter().collect();
        for (system, unknown) in self.systems.iter().zip(&self.unknown) {
            let name = &system.system;
            let missing = system.queries.iter().filter(|query| !query.answered).count();
            if missing > 0 {
                let all = counted(system.queries.len(), "query");
                warnings.push(format!("{name}: no results for {missing} of {all}, which counts as 0"));
            }
            if *unknown > 0 {
                let unknown = counted(*unknown, "query");
                warnings.push(format!(
                    "{name}: results of {unknown} are not used, which the dataset does not have"
                ));
            }
            let without: usize = system.queries.iter().map(|query| query.without_text).sum();
            if without > 0 {
                warnings.push(format!(
                    "{name}: {} without text, which cannot be judged and count as not relevant: add \"text\" to the \
                     results, or \"documents\" to the dataset",
                    counted(without, "result")
                ));
            }
            let unusable: usize = system.queries.iter().map(|query| query.unusable).sum();
            if unusable > 0 {
                warnings.push(format!(
                    "{name}: {} without a judgment (no usable reply, or not asked yet), which count as not relevant",
                    counted(unusable, "result")
                ));
            }
        }
        warnings
    }
}

/// Describes a dataset's cells: notes, and a warning. `remedy` sets the separator `,`, as the caller writes it.
pub fn dataset_remarks(
    notes: &DatasetNotes,
    file: &str,
    separator: Option<&str>,
    remedy: &str,
) -> (Vec<String>, Option<String>) {
    let split = separator.map(|separator| {
        format!(
            "{file}: {} of expected_answers split at {separator:?} into {}",
            counted(notes.split_cells, "cell"),
            counted(notes.split_answers, "answer")
        )
    });
    let undivided = (notes.undivided_cells > 0).then(|| {
        format!(
            "{file}: {} of expected_answers with commas or semicolons, each read as one answer. For several answers \
             use a JSON list, repeat the column, or name the separator: {remedy}",
            counted(notes.undivided_cells, "cell")
        )
    });
    let missing = (notes.missing > 0).then(|| {
        format!(
            "{file}: {} of nan, None or null, read as missing (first: query {})",
            counted(notes.missing, "expected value"),
            notes.first_missing.as_deref().unwrap_or_default()
        )
    });
    (split.into_iter().chain(undivided).collect(), missing)
}

/// The reason why judges that answer yes or no, which are the grades 1 and 0, cannot judge by a rubric; `None` if its
/// grades are these two.
pub fn refusal_of_yes_and_no(rubric: &Rubric) -> Option<String> {
    let (low, high) = (rubric.scale.low(), rubric.scale.high());
    ((low, high) != (0, 1)).then(|| {
        format!(
            "{:?} has grades from {low} to {high}, and token-overlap and semantic answer only 0 or 1: leave these \
             judges out, or name a rubric of these two grades",
            rubric.name
        )
    })
}
