//! Computes the checks of judges from a file of comparisons.

use std::collections::BTreeMap;
use std::path::Path;

use llull_audit::{
    AskedAs, AuditOptions, AuditedCollection, AuditedJudge, ComparedAnswer, JudgeCheck, ShownDocument,
    judge_checks,
};
use llull_core::Item;
use llull_data::{Columns, ShownPair, ShownWinner, read_shown_pairs, shown_path};

use crate::error::FileError;

/// Computes every judge check that comparisons of two documents allow, from a file that may have a pair in both orders.
///
/// See [`read_shown_pairs`] for its form. A file without a column for the judge is one judge, named after the file. A
/// preference for one side shows bias only if the order is random. With `random_order` the caller states that it is;
/// otherwise only pairs in both orders are read.
///
/// # Errors
/// Returns an error if the file cannot be read, or a line is no comparison.
pub fn audit_pairs(
    path: &Path,
    columns: &Columns,
    random_order: bool,
    options: &AuditOptions,
) -> Result<Vec<JudgeCheck>, FileError> {
    let pairs = read_shown_pairs(path, columns)?;
    let name = shown_path(path);
    let mut places = Places::default();
    let mut judges: Vec<AuditedJudge> = Vec::new();
    let mut known: BTreeMap<String, usize> = BTreeMap::new();
    for pair in &pairs {
        let judge = pair.judge.clone().unwrap_or_else(|| name.clone());
        let at = *known.entry(judge).or_insert_with_key(|judge| {
            let order_randomised = random_order;
            judges.push(AuditedJudge { judge: judge.clone(), order_randomised, ..AuditedJudge::default() });
            judges.len() - 1
        });
        if let Some(judge) = judges.get_mut(at) {
            judge.compared.push(places.answer(pair));
        }
    }
    let collection = AuditedCollection { documents: places.documents(), ..AuditedCollection::default() };
    Ok(judge_checks(&judges, &collection, options))
}

/// The positions of queries and of their documents, in the order of the file.
#[derive(Default)]
struct Places {
    queries: BTreeMap<Option<String>, usize>,
    documents: Vec<BTreeMap<String, Item>>,
}

impl Places {
    fn answer(&mut self, pair: &ShownPair) -> ComparedAnswer {
        let next = self.queries.len();
        let query = *self.queries.entry(pair.query.clone()).or_insert(next);
        if query == self.documents.len() {
            self.documents.push(BTreeMap::new());
        }
        let shown = [&pair.left, &pair.right].map(|name| self.item(query, name));
        let [left, right] = shown;
        let groups = match pair.winner {
            ShownWinner::Left => vec![vec![left], vec![right]],
            ShownWinner::Right => vec![vec![right], vec![left]],
            ShownWinner::Neither => vec![shown.to_vec()],
        };
        ComparedAnswer { query, shown: shown.to_vec(), groups, asked_as: AskedAs::Vote, rationale: None }
    }

    fn item(&mut self, query: usize, name: &str) -> Item {
        let Some(documents) = self.documents.get_mut(query) else { return Item(0) };
        let next = Item::at(documents.len());
        *documents.entry(name.to_owned()).or_insert(next)
    }

    /// The documents, without any of their properties.
    fn documents(&self) -> Vec<Vec<ShownDocument>> {
        self.documents.iter().map(|documents| vec![ShownDocument::default(); documents.len()]).collect()
    }
}
