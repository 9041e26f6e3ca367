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
    /// There is no system to compare.
    #[error("there is no run, so systems cannot be compared; name two at least")]
    NoRun,
    /// There is only one system.
    #[error(
        "{run} is the only run, and one system has no rank; name two at least, or leave out all for agreement of \
         labels alone"
    )]
    OneRun {
        /// The system.
        run: String,
    },
    /// A measure that was not computed.
    #[error("there is no measure {measure} (counted from 0) under both label sets")]
    NoMeasure {
        /// The number of the measure, from 0.
        measure: usize,
    },
    /// A measure whose means over queries do not order systems.
    #[error(
        "{measure} does not order systems query by query: it is no mean over queries, or it counts what is \
         missing. Use another measure, such as nDCG@10"
    )]
    NotComparable {
        /// The measure.
        measure: String,
    },
    /// Two systems that were measured differently under one label set.
    #[error(
        "under the {labels} labels {system} is measured {difference} than {first}, so their values cannot be \
         held side by side; measure all systems alike"
    )]
    MeasuredDifferently {
        /// Under which labels: `truth` or `other`.
        labels: &'static str,
        /// The system.
        system: String,
        /// The difference: `by other measures` or `over other queries`.
        difference: &'static str,
        /// The first system.
        first: String,
    },
    /// Other systems under one label set than under the other.
    #[error("the systems under the two label sets are not the same")]
    DifferentSystems,
    /// No query has labels on both sides.
    #[error("the two label sets have no query in common, so no system can be measured under both")]
    NoCommonQuery,
}
