//! Where a row of a table stands.

use crate::lines::Line;
use crate::{DataError, RowPlace, error::JsonError};

/// The place of a row, for messages.
#[derive(Clone, Copy)]
pub(crate) enum Place<'a> {
    Line(Line<'a>),
    /// A row of a file without lines, from 1.
    #[cfg(feature = "parquet")]
    Row {
        file: &'a str,
        number: u64,
    },
    /// A path into a JSON file.
    Path {
        file: &'a str,
        path: &'a str,
    },
}

impl Place<'_> {
    /// Returns the name of the file.
    pub(super) fn file(&self) -> &str {
        match self {
            Self::Line(line) => line.file,
            #[cfg(feature = "parquet")]
            Self::Row { file, .. } => file,
            Self::Path { file, .. } => file,
        }
    }

    /// Returns the place without its file, which can be kept.
    pub(crate) fn in_file(&self) -> RowPlace {
        match self {
            Self::Line(line) => RowPlace::Line(line.number),
            #[cfg(feature = "parquet")]
            Self::Row { number, .. } => RowPlace::Row(*number),
            Self::Path { path, .. } => RowPlace::Path((*path).to_owned()),
        }
    }

    /// Returns the error for what was found here.
    pub(crate) fn wrong(
        &self,
        column: Option<(usize, &'static str)>,
        found: impl Into<String>,
        expected: &str,
        remedy: &str,
    ) -> DataError {
        match self {
            Self::Line(line) => line.wrong(column, found, expected, remedy),
            #[cfg(feature = "parquet")]
            Self::Row { file, number } => {
                let path = format!("row {number}");
                Place::Path { file, path: &path }.wrong(column, found, expected, remedy)
            }
            Self::Path { file, path } => DataError::Json(Box::new(JsonError {
                file: (*file).to_owned(),
                path: (*path).to_owned(),
                found: found.into(),
                expected: expected.to_owned(),
                remedy: remedy.to_owned(),
            })),
        }
    }
}
