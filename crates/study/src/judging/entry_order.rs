//! The order in which documents entered the tournaments.
//!
//! With it, documents that are added later need only questions of their own. A tournament is replayed from the ledger,
//! and its questions depend on its documents. Documents that join later must therefore follow the earlier ones, in the
//! order of the paid answers. The file has only this order: without it labels are as good, but more questions may be
//! repeated.

use std::collections::BTreeMap;
use std::sync::Arc;

use llull_config::{Folder, SavedFile};
use llull_core::KeyBuilder;
use llull_runner::JudgeIdentity;
use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};

use crate::error::StudyError;
use crate::evidence::LedgerError;

/// The version of the file.
const VERSION: u32 = 1;

/// Each query's documents in the order in which they entered, a list for each time.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct EntryOrder {
    version: u32,
    topics: BTreeMap<String, Vec<Vec<String>>>,
}

impl EntryOrder {
    /// Reads the first and the later documents of these judges' tournaments.
    ///
    /// # Errors
    /// Returns an error if the file exists and cannot be read.
    pub(crate) fn read(folder: &Folder, judges: &[Arc<dyn JudgeIdentity>]) -> Result<Self, StudyError> {
        if !folder.keeps() {
            return Ok(Self::default());
        }
        let saved = file(folder, judges);
        let path = saved.path()?;
        let Some(text) = saved.text()? else { return Ok(Self::default()) };
        let unfit =
            |problem: String| StudyError::Ledger(LedgerError::EntryOrder { path: path.clone(), problem });
        let entered: Self = serde_json::from_str(&text).map_err(|error| unfit(error.to_string()))?;
        if entered.version != VERSION {
            return Err(unfit(format!(
                "version {} is not one that this llull reads ({VERSION})",
                entered.version
            )));
        }
        Ok(entered)
    }

    /// Writes the file of [`read`](Self::read).
    ///
    /// # Errors
    /// Returns an error if the file cannot be written.
    pub(crate) fn write(&self, folder: &Folder, judges: &[Arc<dyn JudgeIdentity>]) -> Result<(), StudyError> {
        if !folder.keeps() {
            return Ok(());
        }
        let whole = Self { version: VERSION, topics: self.topics.clone() };
        let bytes = serde_json::to_vec(&whole).map_err(std::io::Error::from)?;
        file(folder, judges).write(&bytes)?;
        Ok(())
    }

    /// Returns the documents of a query by the time at which they entered: the known ones in their order, then the
    /// others in theirs. The others are recorded.
    pub(crate) fn in_order<'a>(&mut self, topic: &str, documents: &[&'a str]) -> Vec<Vec<&'a str>> {
        let known = self.topics.entry(topic.to_owned()).or_default();
        let here: FxHashSet<&'a str> = documents.iter().copied().collect();
        let find = |id: &String| here.get(id.as_str()).copied();
        let mut order: Vec<Vec<&str>> =
            known.iter().map(|entered| entered.iter().filter_map(find).collect()).collect();
        let placed: FxHashSet<&str> = order.iter().flatten().copied().collect();
        let new: Vec<&str> = documents.iter().copied().filter(|id| !placed.contains(id)).collect();
        if !new.is_empty() {
            known.push(new.iter().map(|id| (*id).to_owned()).collect());
            order.push(new);
        }
        order.retain(|entered| !entered.is_empty());
        order
    }
}

/// Each panel has its own file: other judges begin anew.
fn file<'a>(folder: &'a Folder, judges: &[Arc<dyn JudgeIdentity>]) -> SavedFile<'a> {
    let key = judges.iter().fold(KeyBuilder::new("llull joined v1"), |key, judge| {
        key.part("judge", &judge.spec().fingerprint().0)
    });
    SavedFile::new(folder, format!("joined-{}.json", key.finish().short()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_was_there_stays_in_front_and_who_left_leaves_no_gap() {
        let mut entered = EntryOrder::default();
        assert_eq!(entered.in_order("q", &["b", "a"]), [vec!["b", "a"]]);
        assert_eq!(entered.in_order("q", &["c", "a", "b"]), [vec!["b", "a"], vec!["c"]]);
        assert_eq!(entered.in_order("q", &["c", "d"]), [vec!["c"], vec!["d"]]);
        assert_eq!(entered.in_order("q", &["a", "d", "b", "c"]), [vec!["b", "a"], vec!["c"], vec!["d"]]);
        assert!(entered.in_order("empty", &[]).is_empty());
    }
}
