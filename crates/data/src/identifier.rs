//! The maximum length of an identifier.

use crate::{DataError, error::quoted, lines::Line};

/// The longest identifier of a query, a document, an item or a judge, in bytes. Identifiers are printed in tables and
/// repeated in ledgers.
pub(crate) const LONGEST_IDENTIFIER: usize = 4096;

/// Refuses an identifier that is too long.
#[inline]
pub(crate) fn check_identifier(line: &Line<'_>, id: &str) -> Result<(), DataError> {
    if id.len() <= LONGEST_IDENTIFIER { Ok(()) } else { Err(identifier_too_long(line, id)) }
}

pub(crate) fn identifier_too_long(line: &Line<'_>, id: &str) -> DataError {
    line.wrong(
        None,
        format!("{}, an identifier of {} bytes", quoted(id), id.len()),
        &format!("at most {LONGEST_IDENTIFIER} bytes"),
        "Are the columns in order?",
    )
}
