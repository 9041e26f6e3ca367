//! No reply makes the reader of comparisons panic.
#![no_main]

#[path = "../../crates/judge/tests/it/reply_checks/comparison.rs"]
mod comparison;

libfuzzer_sys::fuzz_target!(|text: &str| {
    comparison::check(text);
});
