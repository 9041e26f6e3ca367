//! The preferences that count.

/// Which preferences count, by how many of their two documents are retrieved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scope {
    /// All; a preference is not fulfilled if neither document is retrieved.
    All,
    /// Those with both documents retrieved: trec_eval's `_ret`.
    BothRetrieved,
    /// Those with at least one document retrieved: trec_eval's `_imp`.
    OneRetrieved,
}
