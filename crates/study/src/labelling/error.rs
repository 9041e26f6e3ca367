//! Errors of deriving labels from answers.

/// An error of deriving labels from answers.
#[derive(Debug, thiserror::Error)]
pub enum LabelError {
    /// The options of a tournament are invalid.
    #[error(transparent)]
    Tournament(#[from] llull_rank::TournamentError),
    /// Graded anchors cannot be fitted to tiers.
    #[error(transparent)]
    Anchors(#[from] llull_label::AnchorError),
    /// The grades of several judges cannot be combined.
    #[error(transparent)]
    Combine(#[from] llull_label::panel::CombineError),
    /// The discrimination of each judge cannot be computed.
    #[error("method = \"judge-aware\": {0}. Without it every judge's votes count alike, or by its `weight`")]
    JudgeAware(#[from] llull_rank::ratings::JudgeAwareError),
}
