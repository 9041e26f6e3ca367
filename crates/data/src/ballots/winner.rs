//! The winner of a comparison, and its forms in files.

use crate::{DataError, error::quoted, lines::Line};

/// The winner of a pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Winner {
    Left,
    Right,
    Tie,
}

/// The column or key that names the winner.
pub(super) struct WinnerColumn {
    /// Its column, from 1, if the format has columns.
    pub(super) column: Option<usize>,
    /// The words for the sides, besides the items' own names.
    pub(super) words: &'static [(&'static str, Winner)],
}

/// The words of CSV and JSON.
pub(super) const SIDES: &[(&str, Winner)] =
    &[("left", Winner::Left), ("right", Winner::Right), ("tie", Winner::Tie)];

/// The words of tables with the order shown: a judge may be allowed to answer that neither is better.
pub(super) const SHOWN: &[(&str, Winner)] =
    &[("left", Winner::Left), ("right", Winner::Right), ("neither", Winner::Tie), ("tie", Winner::Tie)];

impl WinnerColumn {
    /// Returns the winner, which is given by name or by word. A word that is also the name of one of the
    /// items must mean that item.
    pub(super) fn read(
        &self,
        line: &Line<'_>,
        left: &str,
        right: &str,
        winner: &str,
    ) -> Result<Winner, DataError> {
        let named = match winner {
            _ if winner == left => Some(Winner::Left),
            _ if winner == right => Some(Winner::Right),
            _ => None,
        };
        let worded = self.words.iter().find(|(word, _)| *word == winner).map(|(_, won)| *won);
        match (named, worded) {
            (Some(named), Some(worded)) if named != worded => Err(self.wrong(
                line,
                winner,
                "a winner that can mean only one thing",
                "An item has the name of a side: rename it",
            )),
            (Some(won), _) | (None, Some(won)) => Ok(won),
            (None, None) => {
                let names = [left, right].map(|name| format!("{name:?}"));
                let words = self.words.iter().map(|(word, _)| (*word).to_owned());
                let all: Vec<String> = names.into_iter().chain(words).collect();
                Err(self.wrong(line, winner, &format!("one of {}", all.join(", ")), ""))
            }
        }
    }

    fn wrong(&self, line: &Line<'_>, winner: &str, expected: &str, remedy: &str) -> DataError {
        match self.column {
            Some(column) => line.bad_column(column, "winner", winner, expected, remedy),
            None => line.wrong(None, format!("the winner {}", quoted(winner)), expected, remedy),
        }
    }
}
