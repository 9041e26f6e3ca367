//! Computes the key of a user's program: the inputs of its answers.

use llull_config::{Folder, hash_file};
use llull_core::KeyBuilder;

use crate::error::StudyError;

/// Adds the words of a command to a key, and the hash of each file of the study that is one of these words.
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
