//! What a study is told: `llull.toml`, the environment and the command line, and what they amount to.
//!
//! [`StudyFile`] is what was written, [`Overrides`] what was said elsewhere, [`Settings`] what it means.
//! Command line > environment > file > default.

mod file;
mod judges;
mod overrides;
mod settings;
mod tournament;

pub use file::{
    CompareTable, JudgeTable, PoolTable, PriceTable, RetrieveTable, StudyFile, SystemTable, TournamentTable,
};
pub use judges::{JudgeKind, JudgeSettings, PriceSettings};
pub use overrides::Overrides;
pub(crate) use settings::default_measures;
pub use settings::{
    BudgetSettings, CompareSettings, Field, RetrieverKind, Settings, SystemSettings, SystemSource,
};

pub use tournament::TournamentSettings;

/// The name of a study's configuration file.
pub const FILE_NAME: &str = "llull.toml";

/// The version of `llull.toml` that this llull reads and writes.
pub const FORMAT_VERSION: u32 = 1;

/// Something in the configuration that cannot be.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The file is not there, or cannot be read.
    #[error(
        "{0}\n  `llull init DIR` makes a study, `llull demo DIR` one with data in it; -C DIR names its folder"
    )]
    Unreadable(#[source] std::io::Error),
    /// The file is not what `llull.toml` should be.
    #[error("{file}: {message}")]
    Syntax {
        /// The file.
        file: String,
        /// What is wrong, with line and column.
        message: String,
    },
    /// The file says something that cannot be.
    #[error("{file} line {line}: {message}")]
    Value {
        /// The file.
        file: String,
        /// The line, from 1.
        line: usize,
        /// What is wrong and what to do.
        message: String,
    },
    /// The command line or the environment says something that cannot be.
    #[error("{0}")]
    Override(String),
    /// A judge that was asked for, by the command line or the environment, is none of the file's, and no model that can be.
    #[error("--judge {wanted}: {message}")]
    NoModel {
        /// What was asked for.
        wanted: String,
        /// What is wrong and what to do.
        message: String,
    },
}
