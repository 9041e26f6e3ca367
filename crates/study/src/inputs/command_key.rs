//! What decides what a program of the user's own answers.

use llull_config::{Folder, hash_file};
use llull_core::KeyBuilder;

use crate::error::StudyError;

/// Adds the words of a command to a key, and the hash of each file of the study that one of them names.
///
/// # Errors
/// Returns an error if such a file cannot be read.
pub(crate) fn command_key(
    key: KeyBuilder,
    words: &[String],
    folder: &Folder,
) -> Result<KeyBuilder, StudyError> {
    let mut key = key.number("words", words.len() as u64);
    for word in words {
        key = key.text("word", word);
        let file = folder.path(word);
        if file.is_file() {
            key = key.part("file", &hash_file(&file)?.0);
        }
    }
    Ok(key)
}
