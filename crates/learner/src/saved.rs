//! A fitted learner in a file.

use std::collections::{BTreeMap, BTreeSet};

use llull_core::{JsonFault, PairChoice};
use serde::{Deserialize, Serialize};

use crate::learner::FittedLearner;
use crate::table::{FeatureTable, PairFeature};

/// The value of the file's field `format`.
const FORMAT: &str = "llull learner";

/// The version that is written, and the only one that is read.
const VERSION: u32 = 1;

/// A fitted learner with the features that it reads, as it is saved.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SavedLearner {
    format: String,
    version: u32,
    /// The features, in the order in which the learner numbers them.
    pub features: Vec<PairFeature>,
    /// How far from 0 a score has to be for a side to be named, from 0 to 1.
    pub threshold: f64,
    /// How many pairs it was fitted to.
    pub pairs: usize,
    /// By query, a hash of the labels that it was fitted to; empty where they are not known.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub trained_on: BTreeMap<String, String>,
    /// The learner.
    pub learner: FittedLearner,
}

/// Why text is no saved learner.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SavedError {
    /// It is no JSON of this form.
    #[error("not a learner that llull train --save wrote: {0}")]
    Form(String),
    /// Another version wrote it.
    #[error(
        "a learner of version {0}; this llull reads version {VERSION}: train it again, or use the llull that wrote it"
    )]
    Version(u64),
    /// The learner in it is inconsistent.
    #[error("not a sound learner: {0}. Train it again")]
    Unsound(String),
    /// A table lacks features.
    #[error("no column {}, which the learner reads: add {}", list(.0), if .0.len() == 1 { "it" } else { "them" })]
    Columns(Vec<String>),
}

fn list(names: &[String]) -> String {
    names.iter().map(|name| format!("{name:?}")).collect::<Vec<_>>().join(", ")
}

impl SavedLearner {
    /// Takes a fitted learner, the features of the table it was fitted to, and from which score on it names a side.
    pub fn new(learner: FittedLearner, features: &[PairFeature], threshold: f64, pairs: usize) -> Self {
        let features = features.to_vec();
        Self {
            format: FORMAT.to_owned(),
            version: VERSION,
            features,
            threshold,
            pairs,
            trained_on: BTreeMap::new(),
            learner,
        }
    }

    /// Returns it as JSON.
    ///
    /// # Errors
    /// Returns an error if a number in it is not finite.
    pub fn to_json(&self) -> Result<String, SavedError> {
        self.check()?;
        serde_json::to_string_pretty(self).map_err(|error| SavedError::Form(error.to_string()))
    }

    /// Reads JSON, and checks that the learner is sound: any row of answers then has a score from -1 to 1.
    ///
    /// # Errors
    /// Returns an error if it is no JSON, has another format or version, or is not sound.
    pub fn from_json(text: &str) -> Result<Self, SavedError> {
        let form = |error: serde_json::Error| SavedError::Form(JsonFault::from(&error).to_string());
        let value: serde_json::Value = serde_json::from_str(text).map_err(form)?;
        if value.get("format").and_then(serde_json::Value::as_str) != Some(FORMAT) {
            return Err(SavedError::Form(format!("\"format\" is not {FORMAT:?}")));
        }
        match value.get("version").and_then(serde_json::Value::as_u64) {
            Some(version) if version == u64::from(VERSION) => {}
            Some(version) => return Err(SavedError::Version(version)),
            None => return Err(SavedError::Form("it has no version".to_owned())),
        }
        let read: Self = serde_json::from_value(value).map_err(form)?;
        read.check()?;
        Ok(read)
    }

    fn check(&self) -> Result<(), SavedError> {
        let wrong = |what: &str| Err(SavedError::Unsound(what.to_owned()));
        let names: BTreeSet<&str> = self.features.iter().map(|feature| feature.name.as_str()).collect();
        if names.len() != self.features.len() {
            return wrong("two features have one name");
        }
        if !(0.0..=1.0).contains(&self.threshold) {
            return wrong("its threshold is not between 0 and 1");
        }
        if matches!(&self.learner, FittedLearner::Vote(features) if *features != self.features.len()) {
            return wrong("a vote of another number of features than it names");
        }
        if self.learner.features().last().is_some_and(|last| *last >= self.features.len()) {
            return wrong("it reads a feature that it does not name");
        }
        let trees = match &self.learner {
            FittedLearner::Tree(tree) => std::slice::from_ref(tree),
            FittedLearner::Forest(forest) if forest.trees.is_empty() => {
                return wrong("a forest without trees");
            }
            FittedLearner::Forest(forest) => forest.trees.as_slice(),
            FittedLearner::Logistic(logistic)
                if !logistic.weights.iter().all(|weight| weight.is_finite()) =>
            {
                return wrong("a weight is not a number");
            }
            FittedLearner::Logistic(_) | FittedLearner::Vote(_) => &[],
        };
        if !trees.iter().all(crate::tree::PairTree::is_sound) {
            return wrong("a leaf has more left-hand sides than pairs");
        }
        Ok(())
    }

    /// Returns the names of the features that the learner reads.
    pub fn needed(&self) -> Vec<&str> {
        self.learner.features().into_iter().map(|at| self.features[at].name.as_str()).collect()
    }

    /// Returns the score and the answer of each row of a table whose columns are found by their names. Columns that the
    /// learner does not read are ignored.
    ///
    /// # Errors
    /// Returns an error that names the columns that are not there.
    pub fn apply(&self, table: &FeatureTable, threshold: f64) -> Result<Vec<(PairChoice, f64)>, SavedError> {
        let column = |name: &str| table.features().iter().position(|feature| feature.name == name);
        let places: Vec<Option<usize>> = self.features.iter().map(|feature| column(&feature.name)).collect();
        let missing: Vec<String> = self
            .learner
            .features()
            .into_iter()
            .filter(|at| places[*at].is_none())
            .map(|at| self.features[at].name.clone())
            .collect();
        if !missing.is_empty() {
            return Err(SavedError::Columns(missing));
        }
        let score = |row: usize| {
            let answer = |at: usize| places[at].map_or(PairChoice::Missing, |place| table.column(place)[row]);
            let score = self.learner.score(answer);
            (PairChoice::of_score(score, threshold), score)
        };
        Ok((0..table.rows()).map(score).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::step::Step;
    use crate::tree::{PairTree, TreeNode};

    fn saved() -> SavedLearner {
        let leaf = |lhs, n| Box::new(TreeNode::Leaf { lhs, n });
        let root =
            TreeNode::Side { feature: 1, lhs: leaf(9, 10), neither: Box::new(TreeNode::Undecided { n: 3 }) };
        let feature = |name: &str| PairFeature { name: name.to_owned(), calls: 1 };
        let features = [feature("title"), feature("brand")];
        SavedLearner::new(FittedLearner::Tree(PairTree { root }), &features, 0.5, 13)
    }

    /// The tree reads its second feature first; if that names a side, it reads no other.
    #[test]
    fn only_what_is_needed_is_asked() {
        let saved = saved();
        assert_eq!(saved.learner.step(|_| None), Step::Ask(vec![1]));
        let known = |said| move |feature| (feature == 1).then_some(said);
        assert_eq!(saved.learner.step(known(PairChoice::Rhs)), Step::Score(-8.0 / 12.0));
        assert_eq!(saved.learner.step(known(PairChoice::Missing)), Step::Score(0.0));
        assert_eq!((saved.learner.asked_of(0), saved.learner.asked_of(1)), (0.0, 1.0));
        let vote = FittedLearner::Vote(2);
        assert_eq!(vote.step(known(PairChoice::Lhs)), Step::Ask(vec![0]));
        assert_eq!(vote.step(|_| Some(PairChoice::Lhs)), Step::Score(1.0));
    }

    #[test]
    fn what_is_saved_is_read_back() {
        let text = saved().to_json().unwrap();
        assert_eq!(SavedLearner::from_json(&text).unwrap(), saved());
    }

    #[test]
    fn damage_is_refused() {
        let text = saved().to_json().unwrap();
        let refused = |from: &str, to: &str| {
            assert!(text.contains(from), "{from}");
            SavedLearner::from_json(&text.replacen(from, to, 1)).unwrap_err().to_string()
        };
        assert!(refused("\"version\": 1", "\"version\": 2").contains("of version 2"));
        assert!(refused("\"feature\": 1", "\"feature\": 2").contains("does not name"));
        assert!(refused("\"lhs\": 9", "\"lhs\": 11").contains("more left-hand sides"));
        assert!(refused("\"threshold\": 0.5", "\"threshold\": 1.5").contains("threshold"));
        assert!(refused("\"title\"", "\"brand\"").contains("one name"));
        assert!(refused("llull learner", "other").contains("format"));
        assert!(refused("\"pairs\"", "\"pears\"").contains("pears"));
    }

    /// A vote of so many features would ask for more memory than there is.
    #[test]
    fn a_vote_has_as_many_features_as_it_names() {
        let many = SavedLearner { learner: FittedLearner::Vote(usize::MAX), ..saved() };
        assert!(many.to_json().is_err());
    }

    #[test]
    fn columns_are_found_by_name_and_only_those_that_are_read() {
        let feature = |name: &str| PairFeature { name: name.to_owned(), calls: 1 };
        let columns = vec![vec![PairChoice::Rhs, PairChoice::Lhs, PairChoice::Missing]];
        let table = FeatureTable::new(vec![feature("brand")], columns.clone()).unwrap();
        let answers = saved().apply(&table, 0.5).unwrap();
        let score = 8.0 / 12.0;
        assert_eq!(
            answers,
            [(PairChoice::Rhs, -score), (PairChoice::Lhs, score), (PairChoice::Neither, 0.0)]
        );
        assert_eq!(saved().apply(&table, 0.7).unwrap()[0].0, PairChoice::Neither);
        let other = FeatureTable::new(vec![feature("title")], columns).unwrap();
        assert_eq!(saved().apply(&other, 0.5), Err(SavedError::Columns(vec!["brand".into()])));
    }
}
