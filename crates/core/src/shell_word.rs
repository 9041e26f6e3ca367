//! Words of commands to copy into a shell.

/// Returns a word as a shell reads it: in quotes unless it is plain.
///
/// ```
/// assert_eq!(llull_core::shell_word("segment=tail"), "segment=tail");
/// assert_eq!(llull_core::shell_word("de-*"), "'de-*'");
/// assert_eq!(llull_core::shell_word("it's"), r"'it'\''s'");
/// ```
pub fn shell_word(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./@=,:".contains(c);
    match !word.is_empty() && word.chars().all(plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}
