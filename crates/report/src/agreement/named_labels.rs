//! Labels with a name.

use llull_core::{FewShared, Identifiers, Qrels};
use llull_stats::Clamp;

/// Labels with their source and their name.
#[derive(Debug, Clone, PartialEq)]
pub struct NamedLabels {
    /// The name in tables and sentences: a file's name, or a judge's.
    pub name: String,
    /// The source in JSON: a file as typed, or the name.
    pub source: String,
    /// The labels.
    pub qrels: Qrels,
    /// Whether only the order of the grades means something: they are the places of fractions.
    pub order_only: bool,
}

impl NamedLabels {
    /// The labels under this name.
    pub fn new(name: impl Into<String>, qrels: Qrels) -> Self {
        let name = name.into();
        Self { source: name.clone(), name, qrels, order_only: false }
    }

    /// The labels of a file, which JSON calls by its path.
    pub fn from_file(name: impl Into<String>, path: impl Into<String>, qrels: Qrels) -> Self {
        Self { name: name.into(), source: path.into(), qrels, order_only: false }
    }

    /// The same labels, of which only the order of the grades means something if `order_only`.
    #[must_use]
    pub fn in_order(self, order_only: bool) -> Self {
        Self { order_only, ..self }
    }

    /// Whether both have a label of some pair of query and document.
    pub fn has_pairs_of(&self, other: &Self) -> bool {
        self.qrels.iter().any(|(query, documents)| {
            let others = other.qrels.topic(query);
            others.is_some_and(|others| documents.keys().any(|document| others.contains_key(document)))
        })
    }

    /// Explains why these labels share no pair of query and document with others, with a hint where to look.
    pub fn nothing_in_common(&self, other: &Self) -> String {
        match self.check_overlap(other) {
            Err(reason) => reason,
            Ok(_) => format!("{} and {} have no pair of query and document in common", self.name, other.name),
        }
    }

    /// Checks that these labels and others share queries and documents; returns a warning if they share few.
    pub(crate) fn check_overlap(&self, other: &Self) -> Result<Option<FewShared>, String> {
        let [ours, theirs] = [self, other].map(|side| Identifiers::of_labels(&side.name, &side.qrels));
        ours.check_overlap(&theirs).map_err(|nothing| nothing.to_string())
    }
}

/// The same labels, grades beyond the ends of the clamp moved to the ends.
pub fn clamped(labels: &Qrels, clamp: Clamp) -> Qrels {
    let mut onto = Qrels::default();
    for (query, documents) in labels.iter() {
        onto.touch(query);
        for (document, grade) in documents {
            onto.insert(query, document, clamp.apply(*grade));
        }
    }
    onto
}

#[cfg(test)]
mod tests {
    use llull_core::Grade;

    use super::*;

    fn labels(name: &str, pairs: &[(&str, &str, Grade)]) -> NamedLabels {
        let mut qrels = Qrels::default();
        for (query, document, grade) in pairs {
            qrels.insert(query, document, *grade);
        }
        NamedLabels::new(name, qrels)
    }

    #[test]
    fn labels_without_a_common_pair_are_told_by_their_identifiers() {
        let human = labels("human", &[("q1", "d1", 1), ("q2", "d1", 0)]);
        for (other, what) in [
            (("Q1", "d1"), "no query in common. human has \"q1\", judge has \"Q1\""),
            (("q1", "D1"), "no document of their queries in common. human has \"d1\", judge has \"D1\""),
        ] {
            let judge = labels("judge", &[(other.0, other.1, 1)]);
            assert!(!human.has_pairs_of(&judge) && human.has_pairs_of(&human));
            let why = human.nothing_in_common(&judge);
            assert!(why.contains(what) && why.contains("upper and lower case"), "{why}");
        }
    }

    #[test]
    fn clamping_keeps_every_pair() {
        let labels = labels("judge", &[("q1", "a", -1), ("q1", "b", 2), ("q2", "c", 5)]).qrels;
        let onto = clamped(&labels, Clamp::new(0, 3).unwrap());
        let grades: Vec<_> = [("q1", "a"), ("q1", "b"), ("q2", "c")].map(|(q, d)| onto.grade(q, d)).into();
        assert_eq!((onto.pairs(), grades), (3, vec![Some(0), Some(2), Some(3)]));
    }
}
