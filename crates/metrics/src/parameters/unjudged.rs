//! The treatment of retrieved documents without a label.

/// The treatment of a retrieved document without a label.
///
/// A document with a negative label counts as one without: as in trec_eval, the label means that the document is in
/// the pool but was not judged.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Unjudged {
    /// Not relevant; the default of every tool.
    #[default]
    NotRelevant,
    /// Nothing: the list closes up without it (a condensed list, Sakai 2007). ir_measures' `judged_only=True`,
    /// trec_eval's `-J`.
    Excluded,
    /// The best that is possible. The value is an upper bound: no labels for the unjudged documents, retrieved or
    /// not, can make the measure larger. Printed as `unjudged='best'`.
    Best,
}
