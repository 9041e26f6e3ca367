//! What people are called together.

/// What the people of a study's sample are called together: as `reference` in llull.toml, and beside judges.
pub const REVIEWERS: &str = "the reviewers";
