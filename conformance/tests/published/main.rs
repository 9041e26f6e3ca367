//! Published figures that llull reproduces.
//!
//! There is a file for each collection or reference, all in one program, which is linked once.

#![allow(
    clippy::panic,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a test fails by panicking, and prints its tables"
)]

mod agreement_haystack;
mod agreement_llmjudge;
mod calibration_dl19;
mod caught_and_missed;
mod checks_llmbar;
mod checks_on_real_judges;
mod comparing;
mod compatibility;
mod criteria_llmjudge;
mod dl19;
mod fractional_labels;
mod judge_aware_dl20;
mod learners_dl20;
mod llmbar;
mod minilm;
mod mixed_labels;
mod ndcg_from_pairs;
mod noveleval;
mod odd_labels;
mod panel_means_dl19;
mod panels_llmjudge;
mod planned_samples_dl19;
mod prediction_powered_dl19;
mod prediction_powered_llmjudge;
mod prediction_powered_unequal;
mod preferences;
mod significance;
mod students;
mod tournament_labels_dl19;
mod track_record_dl19;
mod trec_eval;
