//! Studies from inputs to report, through the library alone: every part with testkit's judges, and no binary.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // a test that cannot go on has failed

mod anchored_labels;
mod answers_by_people;
mod ballots;
mod before_paying;
mod blind_sheets;
mod checks;
mod collection;
mod comparing;
mod comparing_panels;
mod contamination;
mod cutoffs;
mod dense;
mod doctor;
mod earlier_answers;
mod errors_of_inputs;
mod errors_of_judges;
mod estimate_ranges;
mod fields;
mod folder_study;
mod grading;
mod human_labels_status;
mod incomplete;
mod joining;
mod judge_ranges;
mod large_results;
mod last_run;
mod letters;
mod moved;
mod own_parts;
mod panel_scales;
mod passes;
mod pool_of_reference;
mod probes;
mod ranges;
mod reach;
mod reading;
mod rechecks;
mod reports;
mod retrieved_runs;
mod reuse;
mod sampling;
mod shared_ledger;
mod simulated_judge;
mod stopping;
mod students;
mod vector_stores;
#[cfg(unix)]
mod written_through_links;
