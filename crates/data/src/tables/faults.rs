//! The faults of a table: the first of each kind, and how many more there are.

use std::fmt;

use crate::DataError;

/// After so many faults the file is probably another one than it seems.
const MOST: u64 = 10_000;

/// The faults of a table, by kind.
#[derive(Debug, Default)]
pub struct Faults(Vec<(DataError, u64)>);

impl Faults {
    /// Adds a fault of a row.
    ///
    /// # Errors
    /// Returns an error that is no fault of a row, or all faults if there are too many.
    pub(crate) fn add(&mut self, error: DataError) -> Result<(), DataError> {
        let Some(kind) = kind(&error) else { return Err(error) };
        match self.0.iter_mut().find(|(known, _)| self::kind(known) == Some(kind)) {
            Some((_, count)) => *count += 1,
            None => self.0.push((error, 1)),
        }
        let all: u64 = self.0.iter().map(|(_, count)| count).sum();
        if all < MOST { Ok(()) } else { std::mem::take(self).finish() }
    }

    /// # Errors
    /// Returns the faults, if there are any.
    pub(crate) fn finish(mut self) -> Result<(), DataError> {
        match self.0.as_slice() {
            [] => Ok(()),
            [(_, 1)] => self.0.pop().map_or(Ok(()), |(error, _)| Err(error)),
            _ => Err(DataError::Faults(Box::new(self))),
        }
    }
}

/// Faults with the same expectation are of one kind.
fn kind(error: &DataError) -> Option<&str> {
    match error {
        DataError::Line(error) => Some(&error.expected),
        DataError::Json(error) => Some(&error.expected),
        _ => None,
    }
}

impl fmt::Display for Faults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, (error, count)) in self.0.iter().enumerate() {
            let end = if place == 0 { "" } else { "\n" };
            write!(f, "{end}{error}")?;
            match count - 1 {
                0 => {}
                1 => write!(f, " (1 more like it)")?,
                more => write!(f, " ({more} more like it)")?,
            }
        }
        Ok(())
    }
}
