//! No reply makes the reader of grades panic.
#![no_main]

#[path = "../../crates/judge/tests/it/reply_checks/grade.rs"]
mod grade;

libfuzzer_sys::fuzz_target!(|text: &str| {
    grade::check(text);
});
