//! Preferences between documents, by query and judge.

use indexmap::IndexMap;

/// Documents with their levels. Of two documents with different levels, the one with the higher level is preferred.
///
/// The levels themselves have no meaning, except for 0: the judge considers the document not relevant.
pub type JudgmentSubgroup = IndexMap<Box<str>, f64>;

/// The subgroups of a group by name, in the order in which they were first seen.
///
/// They are preferences of one judge at one time who did not compare every pair. Preferences that follow by
/// transitivity count too, and subgroups of one group must not contradict each other.
pub type JudgmentGroup = IndexMap<String, JudgmentSubgroup>;

/// Preferences by query and judgment group, as in trec_eval (get_prefs.c). The groups are different judges, who may
/// contradict each other.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Preferences {
    topics: IndexMap<String, IndexMap<String, JudgmentGroup>>,
}

impl Preferences {
    /// Sets the level of a document in a subgroup. Returns the previous level, if any.
    pub fn insert(
        &mut self,
        topic: &str,
        group: &str,
        subgroup: &str,
        document: &str,
        level: f64,
    ) -> Option<f64> {
        let levels = of(of(of(&mut self.topics, topic), group), subgroup);
        levels.insert(document.into(), level)
    }

    /// Adds tiers, best first, as a subgroup. The last tier has level 1, the one before it 2, and so on. No tier has
    /// level 0, since the worst documents are not necessarily irrelevant.
    ///
    /// ```
    /// let mut preferences = llull_core::Preferences::default();
    /// preferences.insert_tiers("q1", "llull", "0", &[vec!["d3"], vec!["d1", "d7"]]);
    /// let levels = &preferences.get("q1").unwrap()["llull"]["0"];
    /// assert_eq!([levels["d3"], levels["d1"], levels["d7"]], [2.0, 1.0, 1.0]);
    /// ```
    pub fn insert_tiers(&mut self, topic: &str, group: &str, subgroup: &str, tiers: &[Vec<impl AsRef<str>>]) {
        for (below, tier) in tiers.iter().rev().enumerate().rev() {
            for document in tier {
                self.insert(topic, group, subgroup, document.as_ref(), (below + 1) as f64);
            }
        }
    }

    /// Returns the queries with their judgment groups, in the order in which they were first seen.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &IndexMap<String, JudgmentGroup>)> {
        self.topics.iter().map(|(topic, groups)| (topic.as_str(), groups))
    }

    /// Returns the judgment groups of a query, if it has any.
    pub fn get(&self, topic: &str) -> Option<&IndexMap<String, JudgmentGroup>> {
        self.topics.get(topic)
    }

    /// Returns the number of queries.
    pub fn len(&self) -> usize {
        self.topics.len()
    }

    /// Returns whether there are no queries.
    pub fn is_empty(&self) -> bool {
        self.topics.is_empty()
    }
}

/// Returns the value of a key, adding a default if the key is new. The key is copied only in that case.
fn of<'a, V: Default>(map: &'a mut IndexMap<String, V>, key: &str) -> &'a mut V {
    let at = match map.get_index_of(key) {
        Some(at) => at,
        None => map.insert_full(key.to_owned(), V::default()).0,
    };
    &mut map[at]
}
