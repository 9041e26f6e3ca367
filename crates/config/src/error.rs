//! What is wrong with a configuration.

/// Something in the configuration is invalid.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The file is not there, or cannot be read.
    #[error(
        "{0}\n  `llull init DIR` makes a study, `llull demo DIR` one with data in it; -C DIR names its folder"
    )]
    Unreadable(#[source] std::io::Error),
    /// The file is too large, or is no text.
    #[error(transparent)]
    File(#[from] llull_data::DataError),
    /// The file is not what `llull.toml` should be.
    #[error("{file}: {message}")]
    Syntax {
        /// The file.
        file: String,
        /// What is wrong, with line and column.
        message: String,
    },
    /// A value in the file is invalid.
    #[error("{file} line {line}: {message}")]
    Value {
        /// The file.
        file: String,
        /// The line, from 1.
        line: usize,
        /// What is wrong and what to do.
        message: String,
    },
    /// What was kept of the last run cannot be read.
    #[error("{}: {problem}. Delete it to go by llull.toml alone; the next llull run writes it anew", path.display())]
    LastRun {
        /// The file.
        path: std::path::PathBuf,
        /// What is wrong with it.
        problem: String,
    },
    /// A value on the command line or in the environment is invalid.
    #[error("{0}")]
    Override(String),
    /// A judge that was asked for, by the command line or the environment, is none of the file's, and no model that
    /// can be.
    #[error("--judge {wanted}: {message}")]
    NoModel {
        /// What was asked for.
        wanted: String,
        /// What is wrong and what to do.
        message: String,
    },
    /// A file that the configuration names is not there.
    #[error(
        "{}{}: {key} = \"{}\": there is no such file. Paths are relative to the folder of llull.toml; put the file \
         there or \
         correct the path",
        config.display(),
        line.map_or(String::new(), |line| format!(" line {line}")),
        path.display()
    )]
    NoSuchFile {
        /// The configuration.
        config: std::path::PathBuf,
        /// Its line that names the file, where that is known.
        line: Option<usize>,
        /// The key under which the file is named.
        key: String,
        /// The path as it is written.
        path: std::path::PathBuf,
    },
}
