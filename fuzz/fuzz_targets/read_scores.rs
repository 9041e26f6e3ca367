//! No reply makes the reader of scores panic, or find scores that are not there.
#![no_main]

#[path = "../../crates/runner/tests/it/score_checks.rs"]
mod score_checks;

libfuzzer_sys::fuzz_target!(|text: &str| {
    score_checks::check(text);
});
