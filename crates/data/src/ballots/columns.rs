//! Comparisons in columns: `query winner loser` and `query a b winner`.

use super::collector::{About, Collector, Winner, WinnerColumn};
use crate::DataError;
use crate::beir::is_qrels_header;
use crate::error::so_many_columns;
use crate::lines::{Line, Lines};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Layout {
    /// `query winner loser`
    Three,
    /// `query a b winner`
    Four,
}

const EXPECTED: &str = "`query winner loser` or `query a b winner`";

/// An item named `tie` would be ambiguous, so it is refused.
const WINNER: WinnerColumn<'static> =
    WinnerColumn { column: Some(4), words: &[("tie", Winner::Tie)], sides: [""; 2] };

/// Reads lines of columns. Unless it is `sure` that the file holds comparisons, lines that look like labels
/// are refused.
pub(super) fn read(collector: &mut Collector, mut lines: Lines, sure: bool) -> Result<(), DataError> {
    let mut layout = None;
    while let Some(line) = lines.next_entry()? {
        let columns = Columns::of(&line);
        let known = match layout {
            Some(known) => known,
            None => {
                let found = columns.layout(&line)?;
                layout = Some(found);
                if columns.is_header() {
                    continue;
                }
                found
            }
        };
        if !sure {
            columns.refuse_labels(&line)?;
        }
        columns.add(&line, known, collector)?;
    }
    Ok(())
}

/// The first four columns of a line, and the number of columns.
struct Columns<'a> {
    first: [&'a str; 4],
    count: usize,
}

impl<'a> Columns<'a> {
    fn of(line: &Line<'a>) -> Self {
        let mut columns = line.text.split_ascii_whitespace();
        let first = [(); 4].map(|()| columns.next().unwrap_or_default());
        let filled = first.iter().filter(|column| !column.is_empty()).count();
        Self { first, count: filled + columns.count() }
    }

    /// Returns the layout of a file whose first line has this number of columns.
    fn layout(&self, line: &Line<'_>) -> Result<Layout, DataError> {
        if is_qrels_header(line.text) {
            return Err(labels(line, "BEIR's qrels, query-id corpus-id score"));
        }
        match self.count {
            3 => Ok(Layout::Three),
            4 => Ok(Layout::Four),
            found => Err(wrong_count(line, found)),
        }
    }

    /// Returns whether the line is a header.
    fn is_header(&self) -> bool {
        let [query, a, b, winner] = self.first;
        matches!(query, "query" | "qid" | "query_id" | "query-id" | "topic")
            && ((self.count == 3 && (a, b) == ("winner", "loser")) || (self.count == 4 && winner == "winner"))
    }

    /// Refuses labels: they have the columns of comparisons, and another meaning. With four columns, the
    /// second is `0` and the last is a grade; with three, only the last is a number, and a small one.
    fn refuse_labels(&self, line: &Line<'_>) -> Result<(), DataError> {
        let number = |text: &str| text.parse::<f64>().is_ok();
        match (self.count, self.first) {
            (4, [_, "0" | "Q0", document, grade]) if number(grade) && !number(document) => {
                Err(labels(line, "qrels, query 0 document grade"))
            }
            (3, [_, document, grade, _]) if grade.len() <= 2 && number(grade) && !number(document) => {
                Err(labels(line, "qrels without their second column"))
            }
            _ => Ok(()),
        }
    }

    fn add(&self, line: &Line<'_>, layout: Layout, collector: &mut Collector) -> Result<(), DataError> {
        let [query, a, b, winner] = self.first;
        let about = About { query: Some(query), ..About::default() };
        match (layout, self.count) {
            (Layout::Three, 3) => collector.won(line, &about, a, b),
            (Layout::Four, 4) => {
                let won = WINNER.read(line, a, b, winner).map_err(|error| match a {
                    "0" | "Q0" => labels(line, "qrels, query 0 document grade"),
                    _ => error,
                });
                collector.pair(line, &about, a, b, won?)
            }
            (Layout::Three, found @ 4) => Err(mixed(line, found, "three of `query winner loser`")),
            (Layout::Four, found @ 3) => Err(mixed(line, found, "four of `query a b winner`")),
            (_, found) => Err(wrong_count(line, found)),
        }
    }
}

fn labels(line: &Line<'_>, what: &str) -> DataError {
    line.wrong(
        None,
        format!("what looks like {what}"),
        EXPECTED,
        "Labels are not comparisons: llull measure and llull agree, without --preferences, read them. If these are \
         comparisons, write them \
         as CSV under left,right,winner; llull rank also reads them as they are, with --input columns",
    )
}

fn mixed(line: &Line<'_>, found: usize, before: &str) -> DataError {
    line.wrong(
        None,
        format!("{found} columns"),
        &format!("the {before}, as in the lines before"),
        "A file has one form: put the other lines into another file",
    )
}

fn wrong_count(line: &Line<'_>, found: usize) -> DataError {
    let remedy = match found {
        1 => "Columns are separated by white space; a CSV file begins with the header left,right,winner",
        2 => {
            "Winner and loser alone are not read: put the query before them, or write CSV with left,right,winner"
        }
        5 => {
            "Five columns are those of trec_eval's prefs: qid ujg ujsubg docno rel_level. llull rank --input prefs \
             reads them"
        }
        6 => "Six columns are those of a run: is this a system's results?",
        _ => "No identifier may hold white space; in CSV and JSON lines it may",
    };
    line.wrong(None, so_many_columns(found), EXPECTED, remedy)
}
