//! Errors of the report on agreement.

/// Why there is no report on agreement.
#[derive(Debug, thiserror::Error)]
pub enum AgreementReportError {
    /// The labels cannot be compared, or the options of the intervals are invalid.
    #[error(transparent)]
    Labels(#[from] llull_stats::AgreementError),
    /// The rankings of the systems cannot be compared.
    #[error(transparent)]
    Rankings(#[from] llull_stats::SystemError),
    /// The pairs of systems cannot be tested.
    #[error(transparent)]
    Test(#[from] llull_stats::StatsError),
    /// None of the other label sets has a pair in common with the truth.
    #[error("{0}")]
    NothingInCommon(String),
    /// A problem with its place and its remedy, as text.
    #[error("{0}")]
    Problem(String),
}
