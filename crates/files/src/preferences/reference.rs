//! The reference for pairs: labels or comparisons.

use std::collections::BTreeMap;
use std::path::Path;

use indexmap::IndexMap;
use llull_core::{Ballot, Ballots, Item, Qrels};
use llull_data::{Columns, OptionForm, ReadQrelsOptions, read_ballots};
use llull_stats::Choice;

use crate::error::FileError;
use crate::read::{WithNotes, read_labels_with};

/// The reference that pairwise answers are compared with.
#[derive(Debug, Clone, PartialEq)]
pub enum PairReference {
    /// Labels: of two documents the one with the higher grade is better. A pair with fewer than two labels is unknown.
    Labels(Qrels),
    /// Comparisons: of two items the one with more votes is better.
    Comparisons(PairVotes),
}

/// Votes on pairs.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PairVotes {
    topics: IndexMap<Option<String>, TopicVotes>,
}

/// The votes of one query. `leads` holds, by the positions of a pair's items, the weight of the votes for the first
/// minus that for the second.
#[derive(Debug, Clone, Default, PartialEq)]
struct TopicVotes {
    items: IndexMap<Box<str>, Item>,
    leads: BTreeMap<(Item, Item), f64>,
}

impl PairVotes {
    /// Collects every pair that some ballot orders or ties. Items in a ballot's rest come after its groups, and are
    /// unordered among themselves.
    pub fn of(ballots: &Ballots) -> Self {
        let topics = ballots.iter().map(|(topic, ballots)| {
            let items = ballots.items.iter().cloned().zip((0..).map(Item)).collect();
            let mut votes = TopicVotes { items, leads: BTreeMap::new() };
            ballots.ballots.iter().for_each(|ballot| votes.add(ballot));
            (topic.map(str::to_owned), votes)
        });
        Self { topics: topics.collect() }
    }
}

impl PairVotes {
    /// Returns every known pair: its query, its two items, and the better of them.
    pub fn pairs(&self) -> impl Iterator<Item = (Option<&str>, &str, &str, Choice)> {
        self.leads().map(|(topic, first, second, lead)| (topic, first, second, sign(lead)))
    }

    /// Returns every known pair with the weight of the votes for the first item minus that for the second.
    pub(crate) fn leads(&self) -> impl Iterator<Item = (Option<&str>, &str, &str, f64)> {
        self.topics.iter().flat_map(|(topic, votes)| {
            votes.leads.iter().filter_map(move |((first, second), lead)| {
                let id = |item: &Item| votes.items.get_index(item.index()).map(|(id, _)| &**id);
                Some((topic.as_deref(), id(first)?, id(second)?, *lead))
            })
        })
    }

    /// Returns the two items of every known pair of a query.
    pub fn of_topic(&self, topic: &str) -> impl Iterator<Item = (&str, &str)> {
        self.pairs().filter(move |pair| pair.0 == Some(topic)).map(|(_, first, second, _)| (first, second))
    }
}

impl TopicVotes {
    fn add(&mut self, ballot: &Ballot) {
        for (place, group) in ballot.groups.iter().enumerate() {
            for (at, item) in group.iter().enumerate() {
                for tied in group.iter().skip(at + 1) {
                    self.vote(*item, *tied, 0.0);
                }
                for worse in ballot.groups.iter().skip(place + 1).flatten().chain(&ballot.rest) {
                    self.vote(*item, *worse, ballot.weight);
                }
            }
        }
    }

    fn vote(&mut self, better: Item, worse: Item, weight: f64) {
        if better < worse {
            *self.leads.entry((better, worse)).or_default() += weight;
        } else {
            *self.leads.entry((worse, better)).or_default() -= weight;
        }
    }

    fn choice(&self, first: &str, second: &str) -> Option<Choice> {
        let (a, b) = (*self.items.get(first)?, *self.items.get(second)?);
        let lead = self.leads.get(&(a.min(b), a.max(b)))?;
        Some(sign(if a < b { *lead } else { -lead }))
    }
}

fn sign(lead: f64) -> Choice {
    match lead {
        lead if lead > 0.0 => Choice::First,
        lead if lead < 0.0 => Choice::Second,
        _ => Choice::Neither,
    }
}

impl PairReference {
    /// The better of two items; `None` if the pair is unknown.
    pub fn choice(&self, topic: Option<&str>, first: &str, second: &str) -> Option<Choice> {
        match self {
            Self::Labels(qrels) => {
                let labels = qrels.topic(topic?)?;
                let lead = i64::from(*labels.get(first)?) - i64::from(*labels.get(second)?);
                Some(sign(lead as f64))
            }
            Self::Comparisons(votes) => votes.topics.get(&topic.map(str::to_owned))?.choice(first, second),
        }
    }

    /// The number of pairs that are decided for one of the two.
    pub fn decided(&self) -> u64 {
        match self {
            Self::Labels(qrels) => {
                qrels.iter().map(|(_, labels)| pairs_apart(labels.values().copied())).sum()
            }
            Self::Comparisons(votes) => votes
                .topics
                .values()
                .map(|topic| {
                    topic.leads.values().filter(|lead| sign(**lead) != Choice::Neither).count() as u64
                })
                .sum(),
        }
    }

    pub(super) fn names_topics(&self) -> bool {
        match self {
            Self::Labels(_) => true,
            Self::Comparisons(votes) => votes.topics.keys().any(Option::is_some),
        }
    }
}

/// The number of pairs of these grades that differ.
fn pairs_apart(grades: impl Iterator<Item = i32>) -> u64 {
    let mut counts: BTreeMap<i32, u64> = BTreeMap::new();
    for grade in grades {
        *counts.entry(grade).or_default() += 1;
    }
    let all: u64 = counts.values().sum();
    counts.values().map(|count| count * (all - count)).sum::<u64>() / 2
}

/// Reads a reference: qrels, or comparisons in any form that [`read_ballots`] reads. The first line decides which.
///
/// # Errors
/// Returns an error if the file cannot be read, is neither, or is empty.
pub fn read_reference(path: &Path, columns: &Columns) -> Result<WithNotes<PairReference>, FileError> {
    if path != Path::new("-") && looks_like_labels(path)? {
        let options = ReadQrelsOptions {
            columns: columns.clone(),
            form: OptionForm::Absent,
            ..ReadQrelsOptions::default()
        };
        let WithNotes { value, notes } = read_labels_with(path, options)?;
        return Ok(WithNotes { value: PairReference::Labels(value), notes });
    }
    let file = read_ballots(&[path], None, columns)?;
    let notes = file.notes.remarks();
    Ok(WithNotes { value: PairReference::Comparisons(PairVotes::of(&file.ballots)), notes })
}

/// Whether the first line that is not blank is one of qrels. A line `query a b winner` has a's or b's name, or `tie`,
/// in the column of a label's grade.
fn looks_like_labels(path: &Path) -> Result<bool, FileError> {
    if path.is_dir() {
        return Ok(false);
    }
    let first = llull_data::first_entry(path)?.unwrap_or_default();
    Ok(match first.split_ascii_whitespace().collect::<Vec<_>>().as_slice() {
        ["query-id", "corpus-id", ..] | [_, "0" | "Q0", _, _] => true,
        [_, second, document, grade] => grade.parse::<i32>().is_ok() && grade != second && grade != document,
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use llull_core::TopicBallots;

    use super::*;

    fn reference(text: &str) -> PairReference {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("truth");
        fs_err::write(&path, text).unwrap();
        read_reference(&path, &Columns::default()).unwrap().value
    }

    #[test]
    fn labels_and_comparisons_are_told_by_their_first_line() {
        for labels in [
            "q1 0 a 3\n",
            "# made by hand\n\nq1 Q0 tie 1\n",
            "q1 1 77 2\n",
            "query-id\tcorpus-id\tscore\nq1\ta\t1\n",
        ] {
            assert!(matches!(reference(labels), PairReference::Labels(_)), "{labels}");
        }
        for comparisons in
            ["q1 a b a\n", "q1 1 2 2\n", "q1 a b tie\n", "q1 a b\n", "left,right,winner\na,b,left\n"]
        {
            assert!(matches!(reference(comparisons), PairReference::Comparisons(_)), "{comparisons}");
        }
    }

    #[test]
    fn grades_decide_pairs_that_both_have_one() {
        let labels = reference("q1 0 a 3\nq1 0 b -2147483648\nq1 0 c 2147483647\nq1 0 d 3\nq2 0 a 1\n");
        assert_eq!(labels.choice(Some("q1"), "a", "b"), Some(Choice::First));
        assert_eq!(labels.choice(Some("q1"), "b", "c"), Some(Choice::Second));
        assert_eq!(labels.choice(Some("q1"), "a", "d"), Some(Choice::Neither));
        assert_eq!(labels.choice(Some("q1"), "a", "e"), None);
        assert_eq!(labels.choice(Some("q2"), "a", "b"), None);
        assert_eq!(labels.choice(None, "a", "b"), None);
        assert_eq!(labels.decided(), 5);
    }

    #[test]
    fn the_side_with_more_votes_is_the_better_one() {
        let votes = reference("q1 a b a\nq1 b a b\nq1 b a b\nq1 b c tie\nq1 c d c\nq1 d c d\n");
        assert_eq!(votes.choice(Some("q1"), "a", "b"), Some(Choice::Second));
        assert_eq!(votes.choice(Some("q1"), "b", "a"), Some(Choice::First));
        assert_eq!(votes.choice(Some("q1"), "c", "b"), Some(Choice::Neither));
        assert_eq!(votes.choice(Some("q1"), "c", "d"), Some(Choice::Neither));
        assert_eq!(votes.choice(Some("q1"), "a", "c"), None, "nothing follows by transitivity");
        assert_eq!(votes.decided(), 1);
    }

    #[test]
    fn a_ranking_is_all_its_pairs() {
        let mut ballots = Ballots::default();
        let topic: &mut TopicBallots = ballots.topic(None);
        let [a, b, c, d, e] = ["a", "b", "c", "d", "e"].map(|id| topic.item(id));
        topic.ballots.push(Ballot { rest: vec![d, e], ..Ballot::new(vec![vec![c], vec![a, b]]) });
        let votes = PairReference::Comparisons(PairVotes::of(&ballots));
        assert_eq!(votes.choice(None, "a", "c"), Some(Choice::Second));
        assert_eq!(votes.choice(None, "a", "b"), Some(Choice::Neither));
        assert_eq!(votes.choice(None, "e", "b"), Some(Choice::Second));
        assert_eq!(votes.choice(None, "d", "e"), None);
        assert_eq!(votes.decided(), 8);
    }
}
