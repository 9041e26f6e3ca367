//! Collects comparisons of any form, and refuses those without content.

use llull_core::{Ballot, Item, TopicBallots};

use super::read::BallotsFile;
use crate::DataError;
use crate::error::quoted;
use crate::identifier::check_identifier;
use crate::lines::Line;

/// The comparisons that were read so far.
#[derive(Default)]
pub(super) struct Collector {
    file: BallotsFile,
    /// The judge of the previous comparison.
    judge: u32,
}

/// The query, judge and weight of a comparison.
#[derive(Default, Clone, Copy)]
pub(super) struct About<'a> {
    pub(super) query: Option<&'a str>,
    pub(super) judge: Option<&'a str>,
    pub(super) weight: Option<f64>,
}

impl Collector {
    /// Returns the number of comparisons.
    pub(super) fn count(&self) -> u64 {
        self.file.notes.ballots
    }

    /// Notes how many subgroups of preferences prefer nothing.
    pub(super) fn silent(&mut self, file: &str, subgroups: u64) {
        self.file.notes.silent.push((file.to_owned(), subgroups));
    }

    pub(super) fn finish(self) -> BallotsFile {
        self.file
    }

    /// Adds a comparison of two items, shown side by side.
    pub(super) fn pair(
        &mut self,
        line: &Line<'_>,
        about: &About<'_>,
        left: &str,
        right: &str,
        won: Winner,
    ) -> Result<(), DataError> {
        let (first, second) = if won == Winner::Right { (right, left) } else { (left, right) };
        self.add(line, about, Some(left), |topic| {
            let (first, second) = (topic.item(first), topic.item(second));
            let groups =
                if won == Winner::Tie { vec![vec![first, second]] } else { vec![vec![first], vec![second]] };
            Ballot::new(groups)
        })
    }

    /// Adds a comparison of two items of which only the winner is known.
    pub(super) fn won(
        &mut self,
        line: &Line<'_>,
        about: &About<'_>,
        winner: &str,
        loser: &str,
    ) -> Result<(), DataError> {
        self.add(line, about, None, |topic| Ballot::strict([topic.item(winner), topic.item(loser)]))
    }

    /// Adds an order of several items.
    pub(super) fn ranking<'a>(
        &mut self,
        line: &Line<'_>,
        about: &About<'_>,
        groups: impl IntoIterator<Item = Vec<&'a str>>,
        rest: impl IntoIterator<Item = &'a str>,
    ) -> Result<(), DataError> {
        self.add(line, about, None, |topic| {
            let mut item = |id: &str| topic.item(id);
            let groups = groups.into_iter().map(|group| group.into_iter().map(&mut item).collect()).collect();
            let rest = rest.into_iter().map(&mut item).collect();
            Ballot { rest, ..Ballot::new(groups) }
        })
    }

    /// Adds an order of at least two items, each once, by a judge. The caller has checked, when it read the
    /// line, that the query is named like the queries before it.
    pub(super) fn order(&mut self, query: &str, judge: &str, groups: &[Vec<&str>], rest: &[&str]) {
        let judge = self.judge(judge);
        let topic = self.file.ballots.topic(Some(query));
        let groups = groups.iter().map(|group| group.iter().map(|id| topic.item(id)).collect()).collect();
        let rest = rest.iter().map(|id| topic.item(id)).collect();
        topic.ballots.push(Ballot { rest, judge, ..Ballot::new(groups) });
        self.count_in(Some(query), None);
    }

    fn add(
        &mut self,
        line: &Line<'_>,
        about: &About<'_>,
        left: Option<&str>,
        cast: impl FnOnce(&mut TopicBallots) -> Ballot,
    ) -> Result<(), DataError> {
        self.agrees_on_queries(line, about.query)?;
        for id in [about.query, about.judge].into_iter().flatten() {
            check_identifier(line, id)?;
        }
        let weight = about.weight.unwrap_or(1.0);
        if !(weight.is_finite() && weight > 0.0) {
            return Err(line.wrong(
                None,
                format!("the weight {weight}"),
                "a positive number",
                "Remove what does not count",
            ));
        }
        let judge = self.judge(about.judge.unwrap_or_default());
        let topic = self.file.ballots.topic(about.query);
        let ballot = Ballot { judge, weight, ..cast(topic) };
        check(line, topic, &ballot)?;
        topic.ballots.push(ballot);
        let left = left.and_then(|left| topic.find(left));
        self.count_in(about.query, left);
        Ok(())
    }

    fn count_in(&mut self, query: Option<&str>, left: Option<Item>) {
        self.file.lefts.entry(query.map(str::to_owned)).or_default().push(left);
        self.file.notes.ballots += 1;
    }

    fn judge(&mut self, name: &str) -> u32 {
        // Most input has one judge, or long stretches of one judge.
        if self.file.judges.get_index(self.judge as usize).is_some_and(|last| **last == *name) {
            return self.judge;
        }
        self.judge = match self.file.judges.get_index_of(name) {
            Some(at) => at as u32,
            None => self.file.judges.insert_full(name.into()).0 as u32,
        };
        self.judge
    }

    /// Checks that either all comparisons name a query or none does: items of a query and items of no query
    /// cannot be in one result.
    pub(super) fn agrees_on_queries(&self, line: &Line<'_>, query: Option<&str>) -> Result<(), DataError> {
        if query.is_some_and(str::is_empty) {
            return Err(line.wrong(None, "a query without a name", "the query's identifier", ""));
        }
        let known = self.file.ballots.iter().next().map(|(topic, _)| topic.is_some());
        match (known, query) {
            (Some(true), None) => Err(line.wrong(
                None,
                "a comparison that names no query",
                "its query, as in what was read before it",
                "Name the query everywhere or nowhere",
            )),
            (Some(false), Some(_)) => Err(line.wrong(
                None,
                "a comparison that names a query",
                "none, as in what was read before it",
                "Name the query everywhere or nowhere",
            )),
            _ => Ok(()),
        }
    }
}

/// Checks that a ballot has at least two items, each once, each with a name.
fn check(line: &Line<'_>, topic: &TopicBallots, ballot: &Ballot) -> Result<(), DataError> {
    let mut items: Vec<Item> = ballot.items().collect();
    items.sort_unstable();
    let name = |item: Item| topic.id(item).unwrap_or_default();
    for item in &items {
        check_identifier(line, name(*item))?;
    }
    if let Some(twice) =
        items.windows(2).find_map(|pair| (pair.first() == pair.last()).then(|| pair.first()).flatten())
    {
        return Err(line.wrong(
            None,
            format!("{:?} twice", name(*twice)),
            "different items",
            "Nothing can be compared with itself: remove the line, or correct the name",
        ));
    }
    if items.iter().any(|item| name(*item).is_empty()) {
        return Err(line.wrong(None, "an item without a name", "a name", ""));
    }
    if items.len() < 2 || ballot.groups.is_empty() {
        return Err(line.wrong(
            None,
            match items.len() {
                0 => "no item",
                1 => "one item",
                _ => "items of which none is preferred",
            },
            "at least two items, in an order",
            "Remove the line",
        ));
    }
    Ok(())
}

/// The winner of a pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Winner {
    Left,
    Right,
    Tie,
}

/// The column or key that names the winner.
pub(super) struct WinnerColumn<'a> {
    /// Its column, from 1, if the format has columns.
    pub(super) column: Option<usize>,
    /// The words for the sides, besides the items' own names.
    pub(super) words: &'static [(&'static str, Winner)],
    /// The names of the sides' columns, which may be a winner, too: `model_a`.
    pub(super) sides: [&'a str; 2],
}

/// The words of CSV and JSON.
pub(super) const SIDES: &[(&str, Winner)] =
    &[("left", Winner::Left), ("right", Winner::Right), ("tie", Winner::Tie)];

/// The words of tables with the order shown: a judge may be allowed to answer that neither is better.
pub(super) const SHOWN: &[(&str, Winner)] =
    &[("left", Winner::Left), ("right", Winner::Right), ("neither", Winner::Tie), ("tie", Winner::Tie)];

impl WinnerColumn<'_> {
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
        let sides =
            self.sides.into_iter().zip([Winner::Left, Winner::Right]).filter(|(side, _)| !side.is_empty());
        let mut words = self.words.iter().copied().chain(sides);
        let worded = words.find(|(word, _)| *word == winner).map(|(_, won)| won);
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
                let is_other = |side: &&str| !["left", "right", ""].contains(side);
                let words = self.words.iter().map(|(word, _)| *word);
                let words = words.chain(self.sides.into_iter().filter(is_other)).map(str::to_owned);
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
