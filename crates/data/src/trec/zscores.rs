//! Means and standard deviations of other systems.
//!
//! The columns are `qid measure mean stddev` (trec_eval's `-Z`).

use std::path::Path;

use llull_core::{Factors, Standardization};

use crate::{
    Conflict, DataError,
    error::so_many_columns,
    lines::{Line, Lines},
};

/// The means and standard deviations of a file.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ZscoresFile {
    /// The means and standard deviations.
    pub standardization: Standardization,
    /// Remarks on the file.
    pub notes: ZscoresNotes,
}

/// Remarks on a file of means and standard deviations.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ZscoresNotes {
    /// The number of lines that hold a mean and a standard deviation.
    pub lines: u64,
    /// The number of lines that repeat another line. They change nothing.
    pub repeats: u64,
    /// The number of lines whose standard deviation is 0: every system had the same value, so another value
    /// has no z-score.
    pub constant: u64,
}

/// Reads `qid measure mean stddev` in any white space. Measures keep the names that they have in the file.
/// Blank lines and lines whose first word begins with `#` are skipped.
///
/// # Errors
/// Returns an error if the file cannot be read, a line has another number of columns, or a mean is not a finite
/// number. It also refuses a standard deviation that is not a finite number from 0 up, and two different ones of a
/// measure for a query.
pub fn read_zscores(path: impl AsRef<Path>) -> Result<ZscoresFile, DataError> {
    let mut lines = Lines::open(path.as_ref())?;
    let mut file = ZscoresFile::default();
    while let Some(line) = lines.next_entry()? {
        let (topic, measure, factors) = parse(&line)?;
        file.notes.lines += 1;
        file.notes.constant += u64::from(factors.deviation == 0.0);
        match file.standardization.insert(topic, measure, factors) {
            Some(before) if before != factors => {
                return Err(DataError::from(Conflict {
                    file: line.file.to_owned(),
                    first: None,
                    second: line.number.into(),
                    what: format!(
                        "{measure} has mean {} and deviation {} on query {topic}, and then {} and {}",
                        before.mean, before.deviation, factors.mean, factors.deviation
                    ),
                    remedy: "Keep one of them".into(),
                }));
            }
            Some(_) => file.notes.repeats += 1,
            None => {}
        }
    }
    Ok(file)
}

fn parse<'a>(line: &Line<'a>) -> Result<(&'a str, &'a str, Factors), DataError> {
    let mut columns = line.text.split_ascii_whitespace();
    let (Some(topic), Some(measure), Some(mean), Some(deviation), None) =
        (columns.next(), columns.next(), columns.next(), columns.next(), columns.next())
    else {
        let found = line.text.split_ascii_whitespace().count();
        let remedy = if found == 3 {
            "Three columns are the output of trec_eval: the figures of one system"
        } else {
            ""
        };
        return Err(line.wrong(None, so_many_columns(found), "four: qid measure mean stddev", remedy));
    };
    let number = |column, name, text: &str, least, expected| {
        let number = text.parse::<f64>().ok().filter(|number| number.is_finite() && *number >= least);
        number.ok_or_else(|| line.bad_column(column, name, text, expected, ""))
    };
    let mean = number(3, "mean", mean, f64::MIN, "a number, such as 0.25")?;
    let deviation = number(4, "stddev", deviation, 0.0, "a number from 0 up, such as 0.1")?;
    Ok((topic, measure, Factors { mean, deviation: deviation.abs() }))
}
