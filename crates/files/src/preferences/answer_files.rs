//! Reads a judge's pairwise answers from files.

use std::path::Path;

use llull_data::{Columns, read_ballots, shown_path};
use llull_stats::Choice;

use crate::error::FileError;
use crate::read::WithNotes;

/// An answer to a comparison of two items.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PairAnswer {
    /// The query; `None` if the file names none.
    pub topic: Option<String>,
    /// The item that was shown first, if `sides` is true.
    pub first: String,
    /// The other item.
    pub second: String,
    /// Whether the order of the two items is known.
    pub sides: bool,
    /// The answer; `None` if it is unparsable.
    pub choice: Option<Choice>,
}

/// A judge's answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JudgeAnswers {
    /// The judge's name.
    pub judge: String,
    /// Its answers, in the order of the file.
    pub answers: Vec<PairAnswer>,
    /// Whether they are of lists, of which each has several pairs.
    pub lists: bool,
}

/// Reads pairwise answers by judge, in any form that [`read_ballots`] reads. Answers without a judge get the file's
/// name as their judge.
///
/// # Errors
/// Returns an error if the file cannot be read, or if a line compares more than two items.
pub fn read_answers(path: &Path, columns: &Columns) -> Result<WithNotes<Vec<JudgeAnswers>>, FileError> {
    let file = read_ballots(&[path], None, columns)?;
    let mut judges: Vec<JudgeAnswers> = file
        .judges
        .iter()
        .map(|judge| JudgeAnswers {
            judge: if judge.is_empty() { shown_path(path) } else { judge.to_string() },
            answers: Vec::new(),
            lists: false,
        })
        .collect();
    for (topic, ballots) in file.ballots.iter() {
        let lefts = file.lefts.get(&topic.map(str::to_owned)).into_iter().flatten();
        for (ballot, left) in ballots.ballots.iter().zip(lefts) {
            let items: Vec<&str> = ballot.items().filter_map(|item| ballots.id(item)).collect();
            let [first, second] = items[..] else {
                return Err(FileError::NotAPair {
                    file: shown_path(path),
                    items: items.len(),
                    query: topic.map(str::to_owned),
                });
            };
            // the winner comes first in a ballot, wherever it was shown
            let turned = left.and_then(|left| ballots.id(left)) == Some(second);
            let (first, second) = if turned { (second, first) } else { (first, second) };
            let choice = match ballot.groups.len() == 1 && ballot.rest.is_empty() {
                true => Choice::Neither,
                false if turned => Choice::Second,
                false => Choice::First,
            };
            if let Some(judge) = judges.get_mut(ballot.judge as usize) {
                judge.answers.push(PairAnswer {
                    topic: topic.map(str::to_owned),
                    first: first.to_owned(),
                    second: second.to_owned(),
                    sides: left.is_some(),
                    choice: Some(choice),
                });
            }
        }
    }
    Ok(WithNotes { value: judges, notes: file.notes.remarks() })
}
