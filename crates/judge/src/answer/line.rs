//! A text that a model writes, as one line.

use llull_core::{Reason, Unusable};

use super::detail::unusable;

/// A text on one line, with single spaces and without control characters. Blank texts, and those of more than
/// `longest` characters, are refused.
pub(super) fn line(text: &str, key: &str, longest: usize) -> Result<String, Unusable> {
    let words = text.split(|c: char| c.is_whitespace() || c.is_control()).filter(|word| !word.is_empty());
    let line = words.collect::<Vec<_>>().join(" ");
    let length = line.chars().count();
    match length {
        0 => Err(unusable(Reason::WrongShape, format!("{key:?} is blank"))),
        _ if length > longest => {
            Err(unusable(Reason::WrongShape, format!("{key:?} has {length} characters; {longest} are read")))
        }
        _ => Ok(line),
    }
}
