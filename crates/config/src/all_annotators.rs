//! The name of all annotators together.

/// The name of all annotators of a study's sample: as `reference` in llull.toml, and among judges.
pub const ALL_ANNOTATORS: &str = "the reviewers";
