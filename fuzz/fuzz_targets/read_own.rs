//! No reply of a user's own judge makes its reader panic, or gives a grade off the scale.
#![no_main]

#[path = "../../crates/runner/tests/it/own_reply_checks.rs"]
mod own_reply_checks;

libfuzzer_sys::fuzz_target!(|text: &str| {
    own_reply_checks::check(text);
});
