//! Errors of writing a new study.

use std::path::PathBuf;

/// An error of writing a new study.
#[derive(Debug, thiserror::Error)]
pub enum ScaffoldError {
    /// The folder has a study already.
    #[error("{} is there already; nothing was written. Edit it, or name another folder", .0.display())]
    Occupied(PathBuf),
    /// The folder of the demo has another study, or the demo's was changed.
    #[error(
        "{folder} holds another study than the demo; nothing was written. Run it with llull -C {folder} run, or name \
         another folder",
        folder = .0.display()
    )]
    AnotherStudy(PathBuf),
    /// A file of a new study does not exist.
    #[error(
        "{0}: there is no such file; nothing was written. Correct the path, or leave it out and edit llull.toml"
    )]
    NotGiven(String),
    /// A column that the user names is in no file.
    #[error("no file has the column {0:?}, which --columns names; nothing was written. Correct the name")]
    NoColumn(String),
    /// Replies that name no query, without a file of queries.
    #[error(
        "{0}: its replies name no query, so they are in the order of the queries, which only a file of them can give: \
         --topics FILE; nothing was written"
    )]
    NoOrder(String),
    /// Two files would be copied to one name.
    #[error("{one} and {other} would both be copied to data/{name}; nothing was written. Rename one of them")]
    TwoFiles {
        /// The name.
        name: String,
        /// The first file.
        one: String,
        /// The second file.
        other: String,
    },
    /// Two systems of a new study have one name.
    #[error(
        "two systems are called {name:?}: {one} and {other}; nothing was written. Name them apart, as in \
         --run {name}-2={other}"
    )]
    TwoSystems {
        /// The name.
        name: String,
        /// The run of the first.
        one: String,
        /// The run of the second.
        other: String,
    },
}
