//! No body of an answer makes the reader of a wire format panic or show the key.
#![no_main]

#[path = "../../crates/llm/tests/it/reply_checks.rs"]
mod reply_checks;

libfuzzer_sys::fuzz_target!(|text: &str| {
    reply_checks::check(text);
});
