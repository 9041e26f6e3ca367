//! Writing a sample.

use std::io::Write;

use llull_core::DrawnSample;

use super::header::VERSION;
use crate::spreadsheet::marked;
use crate::trec::{column, first_column, output};
use crate::{DataError, SheetFormat};

/// Writes a sample as [`read_sample`](crate::read_sample) reads it: the whole frame, in its order. The column `drawn`
/// is there if it is known of every pair, `stratum` if any pair has one.
///
/// # Errors
/// Returns an error if a name is empty or holds white space or a control character, a query's name begins with `#`, a
/// note would not be one line, or `out` fails.
pub fn write_sample(sample: &DrawnSample, out: &mut dyn Write) -> Result<(), DataError> {
    writeln!(out, "# llull-sample: {VERSION}").map_err(output)?;
    if let Some(design) = sample.design {
        writeln!(out, "# design: {}", design.name()).map_err(output)?;
    }
    if let Some(seed) = sample.seed {
        writeln!(out, "# seed: {}", seed.0).map_err(output)?;
    }
    writeln!(out, "# frame: {}", sample.units.len()).map_err(output)?;
    for (name, value) in &sample.notes {
        writeln!(out, "# {}: {}", note(name, true)?, note(value, false)?).map_err(output)?;
    }
    let drawn = sample.units.iter().all(|unit| unit.drawn.is_some());
    let strata = sample.units.iter().any(|unit| unit.stratum.is_some());
    let more = [drawn.then_some("\tdrawn"), strata.then_some("\tstratum")];
    let more: String = more.into_iter().flatten().collect();
    writeln!(out, "query\tdocument\tprobability{more}").map_err(output)?;
    for unit in &sample.units {
        let (topic, document) = (first_column("query", &unit.topic)?, column("document", &unit.document)?);
        let [topic, document] = [topic, document].map(|name| marked(name, SheetFormat::Tabs));
        write!(out, "{topic}\t{document}\t{:?}", unit.probability).map_err(output)?;
        if drawn {
            write!(out, "\t{}", u8::from(unit.drawn == Some(true))).map_err(output)?;
        }
        if strata {
            let name = unit.stratum.as_deref().map_or(Ok(""), |name| column("stratum", name))?;
            write!(out, "\t{}", marked(name, SheetFormat::Tabs)).map_err(output)?;
        }
        writeln!(out).map_err(output)?;
    }
    out.flush().map_err(output)
}

/// Checks that a note reads back as written.
fn note(text: &str, is_name: bool) -> Result<&str, DataError> {
    let because = if text.contains(char::is_control) {
        "a control character may end the line"
    } else if is_name && (text.is_empty() || text.contains(':')) {
        "it stands before a colon"
    } else {
        return Ok(text);
    };
    Err(DataError::Name { what: "note", name: text.to_owned(), because })
}
