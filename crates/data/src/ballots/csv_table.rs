//! Comparisons as a table with the header `left,right,winner`, or `better,worse`.
//!
//! evalica reads the first form, too, and `llull export pairs` writes the second. Commas, semicolons or tabs separate
//! the fields.

use super::collector::{About, Collector, SIDES, WinnerColumn};
use crate::DataError;
use crate::csv::Records;
use crate::lines::{Line, Lines};

/// Returns whether a line is the header of a table of comparisons.
pub(super) fn is_header(line: &str) -> bool {
    let names = || line.split([',', ';', '\t']).map(|name| name.trim().trim_matches('"'));
    let has =
        |wanted: &[&str]| wanted.iter().all(|wanted| names().any(|name| name.eq_ignore_ascii_case(wanted)));
    has(&["left", "right", "winner"]) || has(&["better", "worse"])
}

/// Returns whether a table of comparisons has a column of this name.
pub(super) fn is_column(name: &str) -> bool {
    ["left", "right", "winner", "better", "worse"].iter().any(|known| name.eq_ignore_ascii_case(known))
}

/// Reads a table.
pub(super) fn read(collector: &mut Collector, lines: Lines) -> Result<(), DataError> {
    let mut records = Records::find_separator(lines, is_column)?;
    if !records.advance()? {
        return Ok(());
    }
    let file = records.place().file.to_owned();
    let header = Header::find(&records, &mut |column| collector.unread(&file, column))?;
    while records.advance()? {
        add(collector, &header, &records)?;
    }
    Ok(())
}

/// The positions of the columns that are read.
pub(super) struct Header {
    pub(super) left: usize,
    pub(super) right: usize,
    /// `None` if the left one is the better.
    pub(super) winner: Option<usize>,
    pub(super) weight: Option<usize>,
    pub(super) query: Option<usize>,
    pub(super) judge: Option<usize>,
    count: usize,
}

impl Header {
    /// Finds the columns by their names; those of other names are `unread`.
    pub(super) fn find(names: &Records, unread: &mut dyn FnMut(&str)) -> Result<Self, DataError> {
        let line = names.place();
        let [mut left, mut right, mut winner, mut weight, mut query, mut judge] = [None; 6];
        let has = |wanted: &str| (0..names.len()).any(|at| names.field_at(at).eq_ignore_ascii_case(wanted));
        let is_ordered = has("better") && has("worse") && !has("winner");
        for at in 0..names.len() {
            let name = names.field_at(at);
            let place = match name.to_ascii_lowercase().as_str() {
                "better" if is_ordered => &mut left,
                "worse" if is_ordered => &mut right,
                "left" if !is_ordered => &mut left,
                "right" if !is_ordered => &mut right,
                "winner" => &mut winner,
                "weight" => &mut weight,
                "query" | "qid" | "query_id" | "topic" => &mut query,
                "judge" => &mut judge,
                _ => {
                    unread(name);
                    continue;
                }
            };
            if place.replace(at).is_some() {
                return Err(line.wrong(None, format!("two columns {name:?}"), "one", "Rename the other"));
            }
        }
        let (Some(left), Some(right), true) = (left, right, winner.is_some() || is_ordered) else {
            return Err(without_winner(&line));
        };
        Ok(Self { left, right, winner, weight, query, judge, count: names.len() })
    }

    /// Checks that a record has as many fields as the header.
    pub(super) fn check(&self, record: &Records) -> Result<(), DataError> {
        if record.len() == self.count {
            return Ok(());
        }
        Err(record.place().wrong(
            None,
            if record.len() == 1 { "1 field".into() } else { format!("{} fields", record.len()) },
            &format!("{}, as in the header", self.count),
            "Put a name with a comma in quotes: \"a, b\"",
        ))
    }
}

/// Returns the error for a header that does not say who won.
pub(super) fn without_winner(line: &Line<'_>) -> DataError {
    line.unexpected("a header with left, right and winner", "Write left,right,winner as the first line")
}

fn add(collector: &mut Collector, header: &Header, record: &Records) -> Result<(), DataError> {
    header.check(record)?;
    let line = record.place();
    let field = |at: usize| record.field_at(at);
    let weight = header.weight.map(|at| {
        let wrong = |_| line.bad_column(at + 1, "weight", field(at), "a positive number", "");
        field(at).parse::<f64>().map_err(wrong)
    });
    let about =
        About { query: header.query.map(field), judge: header.judge.map(field), weight: weight.transpose()? };
    let (left, right) = (field(header.left), field(header.right));
    let Some(at) = header.winner else { return collector.won(&line, &about, left, right) };
    let winner = WinnerColumn { column: Some(at + 1), words: SIDES };
    let won = winner.read(&line, left, right, field(at))?;
    collector.pair(&line, &about, left, right, won)
}
