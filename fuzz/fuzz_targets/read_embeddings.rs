//! No answer makes the reader of embeddings panic, or find vectors that are not there.
#![no_main]

#[path = "../../crates/llm/tests/it/reply_checks.rs"]
mod reply_checks;

libfuzzer_sys::fuzz_target!(|text: &str| {
    reply_checks::check_embeddings(text);
});
