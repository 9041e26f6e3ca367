//! No reply makes the reader of facts panic.
#![no_main]

#[path = "../../crates/judge/tests/it/reply_checks/facts.rs"]
mod facts;

libfuzzer_sys::fuzz_target!(|text: &str| {
    facts::check(text);
});
