//! The part of a ranking that a measure reads.

/// The kinds of text after the `@` of a measure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Suffix {
    /// Nothing.
    None,
    /// A cutoff, or nothing for the whole list.
    OptionalCutoff,
    /// A cutoff.
    Cutoff,
    /// A share of the relevant documents.
    RecallLevel,
}

/// The rank beyond which a measure does not look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Depth {
    /// Its cutoff; the whole list if it has none.
    Cutoff,
    /// This rank.
    Rank(usize),
    /// It does not read the ranking.
    Zero,
}

/// In which order a measure reads documents of one score.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ties {
    /// That of the [`Ranking`](llull_core::Ranking): descending by identifier, as in trec_eval.
    Descending,
    /// Ascending by identifier.
    Ascending,
}
