//! No reply makes the reader of written questions panic.
#![no_main]

#[path = "../../crates/judge/tests/it/reply_checks/question.rs"]
mod question;

libfuzzer_sys::fuzz_target!(|text: &str| {
    question::check(text);
});
