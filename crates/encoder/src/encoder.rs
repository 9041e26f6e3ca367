//! The trait of encoders, which make vectors of texts.

use crate::error::EncodeError;
use crate::vectors::Vectors;

/// A maker of vectors from texts.
pub trait Encoder: Send + Sync {
    /// Returns its name, such as `minilm` or `openai/text-embedding-3-small`. Vectors are saved under it, so two
    /// encoders that make different vectors need different names.
    fn name(&self) -> &str;

    /// Returns a vector for each text, in their order. The same text has the same vector whatever the other texts.
    ///
    /// # Errors
    /// Returns an error if the model cannot be reached, or its result is not a vector for each text.
    fn encode(&self, texts: &[&str], role: TextRole) -> Result<Vectors, EncodeError>;

    /// Returns the preferred number of texts at once: an interruption loses at most these.
    fn batch(&self) -> usize {
        256
    }

    /// Returns whether a query's vector is another than that of a document with the same words.
    fn tells_roles(&self) -> bool {
        false
    }
}

/// The role of a text. Some models encode questions differently from texts that may answer them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextRole {
    /// A text to search.
    Document,
    /// A text that searches for others.
    Query,
}
