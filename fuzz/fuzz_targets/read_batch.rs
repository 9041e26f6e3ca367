//! No answer about a batch, and no file of its results, makes their readers panic or show the key.
#![no_main]

#[path = "../../crates/llm/tests/it/reply_checks.rs"]
mod reply_checks;

libfuzzer_sys::fuzz_target!(|text: &str| {
    reply_checks::check_batch(text);
});
