//! Errors of a configuration.

/// An error of a configuration.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The file cannot be read.
    #[error("{0}")]
    Unreadable(#[source] std::io::Error),
    /// There is no configuration.
    #[error(
        "there is no {}\n  `llull init DIR` makes a study, `llull demo DIR` one with data in it; -C DIR names the \
         study's folder, and is left out inside it",
        .0.display()
    )]
    NoStudy(std::path::PathBuf),
    /// The file is too large, or is no text.
    #[error(transparent)]
    File(#[from] llull_data::DataError),
    /// The file does not parse as `llull.toml`.
    #[error("{file}: {message}")]
    Syntax {
        /// The file.
        file: String,
        /// The error, with line and column.
        message: String,
    },
    /// A value in the file is invalid.
    #[error("{file} line {line}: {message}")]
    Value {
        /// The file.
        file: String,
        /// The line, from 1.
        line: usize,
        /// The error, and its remedy.
        message: String,
    },
    /// The saved flags of the last run cannot be read.
    #[error("{}: {problem}. Delete it to go by llull.toml alone; the next llull run writes it anew", path.display())]
    LastRun {
        /// The file.
        path: std::path::PathBuf,
        /// The error.
        problem: String,
    },
    /// A value on the command line or in the environment is invalid.
    #[error("{0}")]
    Override(String),
    /// A judge of the command line or the environment is neither in the file nor a usable model.
    #[error("--judge {wanted}: {message}")]
    NoModel {
        /// The name of that judge.
        wanted: String,
        /// The error, and its remedy.
        message: String,
    },
    /// A file that the configuration names is not there.
    #[error(
        "{}{key} = \"{}\": there is no such file{}",
        line.map_or(String::new(), |line| format!("{} line {line}: ", config.display())),
        path.display(),
        match line {
            Some(_) => ". Paths are relative to the folder of llull.toml; put the file there or correct the path",
            None => ", neither in this folder nor in that of llull.toml",
        }
    )]
    NoSuchFile {
        /// The configuration.
        config: std::path::PathBuf,
        /// The line that names the file; none if the command line does.
        line: Option<usize>,
        /// The key under which the file is named.
        key: String,
        /// The path as it is written.
        path: std::path::PathBuf,
    },
}
