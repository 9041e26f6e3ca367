//! The form of a model's written reply: prompt, key and reading.

use llull_core::{Hash, KeyBuilder, Unusable};
use llull_judge::{RawReply, Rendered};
use llull_llm::ResponseSchema;
use llull_runner::Case;

/// The form of texts that a model writes: the prompt, and the reading of its replies.
pub(crate) trait WrittenForm: Send + Sync + 'static {
    /// The kind of text, for the judge's fingerprint.
    const WRITES: &'static str;

    /// Returns the prompt's name, and the hash of the part that a model can see.
    fn prompt(&self) -> (&'static str, Hash);

    /// Returns the form of a reply, for servers that enforce one.
    fn schema(&self) -> ResponseSchema;

    /// Returns the prompt. An error is the reason for having none.
    fn render(&self, case: &Case<'_>) -> Result<Rendered, String>;

    /// Begins the key of a question to a writer of this fingerprint: all inputs of the text.
    fn key(&self, writer: &Hash, case: &Case<'_>) -> KeyBuilder;

    /// Reads a reply: the text in the form of the verdict's explanation; `None` if the model declined to write.
    fn read(&self, case: &Case<'_>, reply: &RawReply<'_>) -> Result<Option<String>, Unusable>;
}
