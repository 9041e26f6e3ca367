//! Reads comparisons together with the order in which they were shown.

use std::path::Path;

use super::collector::{SHOWN, Winner};
use super::csv_table::{Header, records, without_winner};
use crate::DataError;
use crate::csv::Records;
use crate::error::shown_path;
use crate::identifier::check_identifier;
use crate::lines::Lines;
use crate::tables::Columns;

/// Which of two shown documents won.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ShownWinner {
    /// The one on the left, which was shown first.
    Left,
    /// The one on the right.
    Right,
    /// Neither, or both alike.
    Neither,
}

/// A comparison of two documents, with the order in which they were shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShownPair {
    /// The query; `None` where the file has no such column.
    pub query: Option<String>,
    /// The judge; `None` where the file has no such column.
    pub judge: Option<String>,
    /// The document that was shown first.
    pub left: String,
    /// The other one.
    pub right: String,
    /// The answer.
    pub winner: ShownWinner,
}

/// Reads comparisons of two documents with the order in which they were shown. The file is a table, separated by
/// commas, semicolons or tabs. Its first line names the columns `left`, `right`, `winner` and, where there are such,
/// `query` and `judge`; `columns` can give them other names. The pairs are in the order of the file. One pair may occur
/// in both orders, and several times.
///
/// The winner is `left`, `right`, `neither` (or `tie`), or the name of one of the two.
///
/// # Errors
/// Returns an error that names the line if the header lacks a column, a record has another number of fields, a winner
/// is none of these, or a document is compared with itself. It also refuses a file without a comparison.
pub fn read_shown_pairs(path: impl AsRef<Path>, columns: &Columns) -> Result<Vec<ShownPair>, DataError> {
    let path = path.as_ref();
    let mut records = records(Lines::open(path)?, columns)?;
    let mut pairs = Vec::new();
    if records.advance()? {
        let header = Header::find(&records, columns, false)?;
        while records.advance()? {
            pairs.push(shown(&header, &records)?);
        }
    }
    if pairs.is_empty() {
        return Err(DataError::Empty {
            file: shown_path(path),
            wanted: "comparison",
            remedy: "The first line is query,left,right,winner, and each line below it an answer".to_owned(),
        });
    }
    Ok(pairs)
}

fn shown(header: &Header, record: &Records) -> Result<ShownPair, DataError> {
    header.check(record)?;
    let line = record.place();
    let field = |at: usize| record.field_at(at);
    let (left, right) = (field(header.left), field(header.right));
    let Some(winner_at) = header.winner else { return Err(without_winner(&line)) };
    for name in [left, right] {
        check_identifier(&line, name)?;
        if name.is_empty() {
            return Err(line.wrong(None, "a document without a name", "a name", ""));
        }
    }
    if left == right {
        let remedy = "Nothing can be compared with itself: remove the line, or correct the name";
        return Err(line.wrong(None, format!("{left:?} twice"), "different documents", remedy));
    }
    let winner = match header.winner(winner_at, SHOWN).read(&line, left, right, field(winner_at))? {
        Winner::Left => ShownWinner::Left,
        Winner::Right => ShownWinner::Right,
        Winner::Tie => ShownWinner::Neither,
    };
    let named = |at: Option<usize>| at.map(|at| field(at).to_owned());
    let (query, judge) = (named(header.query), named(header.judge));
    Ok(ShownPair { query, judge, left: left.to_owned(), right: right.to_owned(), winner })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_with(text: &str, columns: &Columns) -> Result<Vec<ShownPair>, DataError> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pairs.csv");
        fs_err::write(&path, text).unwrap();
        read_shown_pairs(&path, columns)
    }

    fn read(text: &str) -> Result<Vec<ShownPair>, DataError> {
        read_with(text, &Columns::default())
    }

    #[test]
    fn one_pair_stands_in_both_orders() {
        let columns = Columns::default();
        let text = "query,left,right,winner,why\nq1,a,b,left,x\nq1,b,a,a,y\nq2,a,b,neither,\nq2,b,a,tie,\n";
        let pairs = read_with(text, &columns).unwrap();
        let winners: Vec<ShownWinner> = pairs.iter().map(|pair| pair.winner).collect();
        assert_eq!(
            winners,
            [ShownWinner::Left, ShownWinner::Right, ShownWinner::Neither, ShownWinner::Neither]
        );
        assert!(columns.take_tables()[0].ends_with("winner = winner; 1 field unused: why"));
        assert_eq!((pairs[1].query.as_deref(), pairs[1].left.as_str()), (Some("q1"), "b"));
        assert_eq!(pairs[0].judge, None);
    }

    #[test]
    fn tabs_and_judges() {
        let pairs = read("judge\tleft\tright\twinner\nmini\ta\tb\tright\n").unwrap();
        assert_eq!(pairs[0].judge.as_deref(), Some("mini"));
        assert_eq!((pairs[0].query.as_ref(), pairs[0].winner), (None, ShownWinner::Right));
    }

    /// The columns of Chatbot Arena's votes, where the winner is the name of a column.
    #[test]
    fn columns_of_other_names_are_named_by_the_user() {
        let columns: Columns = "left=model_a,right=model_b,query=question_id".parse().unwrap();
        let text = "question_id;model_a;winner;model_b\n81;gpt-4;model_b;vicuna\n82;vicuna;tie;gpt-4\n";
        let pairs = read_with(text, &columns).unwrap();
        assert_eq!((pairs[0].query.as_deref(), pairs[0].winner), (Some("81"), ShownWinner::Right));
        assert_eq!((pairs[1].left.as_str(), pairs[1].winner), ("vicuna", ShownWinner::Neither));
        let line = columns.take_tables().remove(0);
        assert!(
            line.ends_with(": query = question_id, left = model_a, right = model_b, winner = winner"),
            "{line}"
        );
        let error = read(text).unwrap_err().to_string();
        assert!(error.contains("--columns left=COLUMN"), "{error}");
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line() {
        for (text, expected) in [
            ("left,right\na,b\n", "line 1"),
            ("better,worse\na,b\n", "expected a header with left, right and winner"),
            ("left,right,winner\na,b,c\n", "line 2, column 3 (winner)"),
            ("left,right,winner\na,a,left\n", "Nothing can be compared with itself"),
            ("left,right,winner\na,b\n", "line 2"),
            ("left,right,winner\n,b,left\n", "without a name"),
            ("left,right,winner\n", "there is no comparison in it"),
            ("", "there is no comparison in it"),
        ] {
            let error = read(text).unwrap_err().to_string();
            assert!(error.contains(expected), "{text:?}: {error}");
        }
    }
}
