//! What a model is asked to write.

use llull_core::{Hash, KeyBuilder, Unusable};
use llull_judge::{RawReply, Rendered};
use llull_llm::ResponseSchema;
use llull_runner::Case;

/// What a model is asked to write about a text, and how its reply is read.
pub(crate) trait WrittenForm: Send + Sync + 'static {
    /// What is written, for the judge's fingerprint.
    const WRITES: &'static str;

    /// Returns the prompt's name, and the hash of what a model can see of it.
    fn prompt(&self) -> (&'static str, Hash);

    /// Returns the form of a reply, for servers that enforce one.
    fn schema(&self) -> ResponseSchema;

    /// Returns what is shown. An error says why there is nothing to show.
    fn render(&self, case: &Case<'_>) -> Result<Rendered, String>;

    /// Begins the key of a question to a writer of this fingerprint: all that decides what is written.
    fn key(&self, writer: &Hash, case: &Case<'_>) -> KeyBuilder;

    /// Reads a reply: what was written, as the verdict's explanation holds it; `None` if there is nothing to write.
    fn read(&self, case: &Case<'_>, reply: &RawReply<'_>) -> Result<Option<String>, Unusable>;
}
