//! Prompts, rubrics, and what random answers are read as.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // a test that cannot go on has failed

mod answer_properties;
mod comparing_prompts;
mod comparison_properties;
mod prompts;
mod reply_checks;
mod rubrics;
