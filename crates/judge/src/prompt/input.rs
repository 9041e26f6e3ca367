//! The values for a template's variables.

use super::anchors::AnchorOrder;
use crate::{
    fit::{DEFAULT_DOCUMENT_TOKENS, DEFAULT_WINDOW_TOKENS},
    rubric::Rubric,
};

/// The values that fill in a template.
#[derive(Debug, Clone, Copy)]
pub struct PromptInput<'a> {
    /// The query's text, unchanged.
    pub query: &'a str,
    /// The documents with their titles, uncut, in the order in which they are shown: one to grade, several to
    /// compare.
    pub documents: &'a [&'a str],
    /// The definition of relevance.
    pub rubric: &'a Rubric,
    /// The order of the worked examples.
    pub anchor_order: AnchorOrder,
    /// How much of each document is shown, in tokens.
    pub document_tokens: u32,
    /// How much is shown of all documents of a comparison together, in tokens; see
    /// [`fit_together`](crate::fit_together). Not read by a prompt that grades.
    pub window_tokens: u32,
    /// Whether a comparison may call documents equally good. Not read by a prompt that grades.
    pub ties: bool,
}

impl<'a> PromptInput<'a> {
    /// Everything by default: worked examples in ascending order, the default budgets, ties allowed.
    pub fn new(query: &'a str, documents: &'a [&'a str], rubric: &'a Rubric) -> Self {
        Self {
            query,
            documents,
            rubric,
            anchor_order: AnchorOrder::Ascending,
            document_tokens: DEFAULT_DOCUMENT_TOKENS,
            window_tokens: DEFAULT_WINDOW_TOKENS,
            ties: true,
        }
    }
}
