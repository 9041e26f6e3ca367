//! Errors of reports.

use std::io;

use llull_stats::{AgreementError, StatsError};

use crate::report::{TOURNAMENT_VERSION, VERSION};

/// Errors of reports.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// The report cannot be written.
    #[error("the report cannot be written: {0}")]
    Write(#[source] io::Error),
    /// A file is not a report.
    #[error("not a llull report: {0}")]
    Read(#[source] serde_json::Error),
    /// A report of a version that this llull does not know.
    #[error(
        "the report has version {0} and this llull reads versions {VERSION} and {TOURNAMENT_VERSION}: use the \
         llull that wrote it"
    )]
    Version(u64),
    /// The Markdown template fails on this report, which is a defect of llull.
    #[error("the Markdown template fails, which is a defect of llull; report.json is not affected: {0:#}")]
    Template(#[source] minijinja::Error),
    /// The template of the page fails on this report, which is a defect of llull.
    #[error("the HTML template fails, which is a defect of llull; report.json is not affected: {0:#}")]
    Html(#[source] minijinja::Error),
    /// A system that is not among those measured.
    #[error("no system is called {name:?}; there are {}", .known.join(", "))]
    UnknownSystem {
        /// The requested name.
        name: String,
        /// The known names.
        known: Vec<String>,
    },
    /// A measure whose differences do not show which system is better.
    #[error("{measure} cannot decide between systems: {reason}; compare by another measure, such as nDCG@10")]
    NotComparable {
        /// The measure.
        measure: String,
        /// Why not.
        reason: &'static str,
    },
    /// Systems that cannot be tested against each other with these options.
    #[error("{measure}: {source}")]
    Test {
        /// The measure.
        measure: String,
        /// Why not.
        source: StatsError,
    },
    /// A measure that is not among those computed.
    #[error(
        "{system} was not measured with measure number {measure}; the same measures are needed of every system"
    )]
    UnknownMeasure {
        /// The system.
        system: String,
        /// The number of the measure, from 0.
        measure: usize,
    },
    /// Two systems that were measured over different queries, so that they cannot be paired.
    #[error("{a} and {b} were measured over different queries: measure both with the same labels")]
    DifferentTopics {
        /// One system.
        a: String,
        /// The other.
        b: String,
    },
    /// A gate on a measure that was not computed.
    #[error("the gate {gate:?} names no measure that was computed; there are {}", .known.join(", "))]
    GateMeasure {
        /// The gate.
        gate: String,
        /// The known names.
        known: Vec<String>,
    },
    /// A figure that has no interval.
    #[error("{system}: {source}")]
    Stats {
        /// The system.
        system: String,
        /// Why.
        source: StatsError,
    },
    /// Label sets without a common pair.
    #[error("{0}")]
    NothingInCommon(String),
    /// Labels that cannot be compared with the reference, or with each other.
    #[error("the labels side by side: {0}")]
    Reference(#[from] AgreementError),
}
