//! Comparisons as a table with the header `left,right,winner`, or `better,worse`.
//!
//! evalica reads the first form, too, and `llull export pairs` writes the second. Commas, semicolons or tabs separate
//! the fields.

use super::collector::{About, Collector, SIDES, Winner, WinnerColumn};
use crate::DataError;
use crate::csv::Records;
use crate::lines::{Line, Lines};
use crate::tables::{Columns, Header as TableHeader, Role, TableKind};

/// Returns whether a line is the header of a table of comparisons.
pub(super) fn is_header(line: &str, columns: &Columns) -> bool {
    let names = line.split([',', ';', '\t']).map(|name| name.trim().trim_matches('"').to_owned());
    let place = Line { text: line, number: 0, file: "" };
    // The reader reports an ambiguity with its place.
    TableHeader::find(TableKind::Comparisons, columns, names.collect(), &place).map_or(true, |header| {
        let has = |roles: &[Role]| roles.iter().all(|role| header.at(*role).is_some());
        has(&[Role::Left, Role::Right, Role::Winner]) || has(&[Role::Better, Role::Worse])
    })
}

/// Reads the separator and the header of a table.
pub(super) fn records(lines: Lines, columns: &Columns) -> Result<Records, DataError> {
    let is_named = |name: &str| columns.iter().any(|(_, fields)| fields.iter().any(|field| field == name));
    Records::find_separator(lines, |name| is_named(name) || TableKind::Comparisons.is_known(name))
}

/// Reads a table.
pub(super) fn read(collector: &mut Collector, lines: Lines, columns: &Columns) -> Result<(), DataError> {
    let mut records = records(lines, columns)?;
    if !records.advance()? {
        return Ok(());
    }
    let header = Header::find(&records, columns, true)?;
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
    /// The names of the columns of the two sides.
    sides: [String; 2],
    count: usize,
}

impl Header {
    /// Finds the columns, and notes how they are read.
    pub(super) fn find(records: &Records, columns: &Columns, reads_weights: bool) -> Result<Self, DataError> {
        let line = records.place();
        let names = (0..records.len()).map(|at| records.field_at(at).to_owned()).collect();
        let header = TableHeader::find(TableKind::Comparisons, columns, names, &line)?;
        if let Some(name) = header.repeated() {
            return Err(line.wrong(None, format!("two columns {name:?}"), "one", "Rename the other"));
        }
        let at = |role: Role| header.at(role);
        let (left, right, winner) = match (at(Role::Better), at(Role::Worse), at(Role::Winner)) {
            (Some(better), Some(worse), None) => (Some(better), Some(worse), None),
            (_, _, winner) => (at(Role::Left), at(Role::Right), winner),
        };
        let is_ordered = winner.is_none() && left == at(Role::Better);
        let (Some(left), Some(right), true) = (left, right, winner.is_some() || is_ordered) else {
            return Err(without_winner(&line));
        };
        let weight = at(Role::Weight).filter(|_| reads_weights);
        let sides = if is_ordered { [Role::Better, Role::Worse] } else { [Role::Left, Role::Right] };
        let mut counting = vec![Role::Query, sides[0], sides[1], Role::Winner, Role::Judge];
        counting.extend(weight.map(|_| Role::Weight));
        header.note(line.file, &counting, columns);
        Ok(Self {
            left,
            right,
            winner,
            weight,
            query: at(Role::Query),
            judge: at(Role::Judge),
            sides: [left, right].map(|at| header.name(at).to_owned()),
            count: header.len(),
        })
    }

    /// Returns the column of the winner, which is the `at`-th.
    pub(super) fn winner(&self, at: usize, words: &'static [(&'static str, Winner)]) -> WinnerColumn<'_> {
        WinnerColumn { column: Some(at + 1), words, sides: self.sides.each_ref().map(String::as_str) }
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
    line.unexpected(
        "a header with left, right and winner",
        "Write left,right,winner as the first line, or name the columns: --columns left=COLUMN,right=COLUMN,\
         winner=COLUMN",
    )
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
    let winner = header.winner(at, SIDES);
    let won = winner.read(&line, left, right, field(at))?;
    collector.pair(&line, &about, left, right, won)
}
