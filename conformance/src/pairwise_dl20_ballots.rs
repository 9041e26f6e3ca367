//! The answers of 78 judges as ballots about each query's passages.

use std::io::Read as _;

use flate2::read::GzDecoder;
use llull::core::{Ballot, Ballots, Item};

use crate::files::data;

/// A pair of passages of a query: the one that people prefer, and the other.
#[derive(Debug, Clone, PartialEq)]
pub struct PreferredPair {
    /// The position of the query among those of the ballots.
    pub query: usize,
    /// The passage that people prefer.
    pub better: Item,
    /// The other.
    pub worse: Item,
    /// The judges' votes: 1 for the better, -1 for the other, 0 where the answer changed with the order of the two;
    /// `None` without an answer.
    pub votes: Vec<Option<i8>>,
}

/// Returns the ballots of `prompt-sensitivity` and their pairs. An answer that changed with the order of the two is a
/// tie.
///
/// # Panics
///
/// Panics if the file cannot be read.
#[expect(clippy::unwrap_used, clippy::panic, reason = "there is nothing to test without the data")]
pub fn pairwise_dl20_ballots() -> (Ballots, Vec<PreferredPair>) {
    let path = data("prompt-sensitivity/pairwise_dl20.matrix.tsv.gz");
    let mut text = String::new();
    let file = std::fs::File::options().read(true).open(path).unwrap();
    GzDecoder::new(file).read_to_string(&mut text).unwrap();
    let (mut ballots, mut pairs) = (Ballots::default(), Vec::new());
    let mut queries: Vec<&str> = Vec::new();
    for line in text.lines().skip(1) {
        let cells: Vec<&str> = line.split('\t').collect();
        let query = queries.iter().position(|query| *query == cells[0]).unwrap_or_else(|| {
            queries.push(cells[0]);
            queries.len() - 1
        });
        let topic = ballots.topic(Some(cells[0]));
        // The passage with the smaller number comes first, so that the order of items is independent of human labels.
        let (mut one, mut other) = (cells[2], cells[3]);
        if other < one {
            (one, other) = (other, one);
        }
        topic.item(one);
        topic.item(other);
        let (better, worse) = (topic.item(cells[2]), topic.item(cells[3]));
        let votes: Vec<Option<i8>> = cells[4..]
            .iter()
            .map(|cell| match *cell {
                "A" => Some(1),
                "D" => Some(-1),
                "T" => Some(0),
                "" => None,
                other => panic!("{other:?} is none of A, D, T"),
            })
            .collect();
        for (judge, vote) in (0..).zip(&votes) {
            let groups = match vote {
                Some(1) => vec![vec![better], vec![worse]],
                Some(0) => vec![vec![better.min(worse), better.max(worse)]],
                Some(_) => vec![vec![worse], vec![better]],
                None => continue,
            };
            topic.ballots.push(Ballot { judge, ..Ballot::new(groups) });
        }
        pairs.push(PreferredPair { query, better, worse, votes });
    }
    (ballots, pairs)
}
