//! Finds the training labels of learners.
//!
//! A learner is not compared with its own training labels.

use std::collections::{BTreeMap, BTreeSet};

use llull_config::JudgeKind;
use llull_core::{Hash, Qrels};
use llull_report::text::{count, counted};

use crate::saved::{saved_learner, saved_student};
use crate::study_config::StudyConfig;

/// Returns a hash of the labels of each query, whatever their order and their file.
pub fn label_hashes(labels: &Qrels) -> BTreeMap<String, String> {
    let of_query = |(query, documents): (&str, &llull_core::TopicQrels)| {
        let mut lines: Vec<String> =
            documents.iter().map(|(document, grade)| format!("{document}\t{grade}\n")).collect();
        lines.sort_unstable();
        (query.to_owned(), Hash::of(lines.concat().as_bytes()).to_string())
    };
    labels.iter().map(of_query).collect()
}

/// The queries of some labels that learners among a study's judges were trained on.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TrainedQueries {
    /// The queries by judge; only judges that were trained on one of them.
    judges: BTreeMap<String, BTreeSet<String>>,
}

impl TrainedQueries {
    /// Finds the queries whose labels in one of these sets a judge of the study was trained on. An unreadable learner
    /// is left out: it is an error when its judge is made.
    pub(crate) fn find<'a>(
        StudyConfig { settings, folder }: StudyConfig<'_>,
        labels: impl IntoIterator<Item = &'a Qrels>,
    ) -> Self {
        let hashes: Vec<BTreeMap<String, String>> = labels.into_iter().map(label_hashes).collect();
        if hashes.is_empty() {
            return Self::default();
        }
        let learnt = |lessons: BTreeMap<String, String>| -> BTreeSet<String> {
            let is_among =
                |query: &str, lesson: &String| hashes.iter().any(|hashes| hashes.get(query) == Some(lesson));
            lessons
                .into_iter()
                .filter(|(query, lesson)| is_among(query, lesson))
                .map(|(query, _)| query)
                .collect()
        };
        let judges = settings.judges.iter().chain(&settings.graders).filter_map(|judge| {
            let lessons = match &judge.kind {
                JudgeKind::Tree { name } => saved_learner(folder, name).ok()?.trained_on,
                JudgeKind::Student { name } => saved_student(folder, name).ok()?.lessons.trained_on,
                _ => return None,
            };
            Some((judge.name.clone(), learnt(lessons)))
        });
        Self { judges: judges.filter(|(_, queries)| !queries.is_empty()).collect() }
    }

    /// Returns the queries of these judges alone, or of all if none is named.
    #[must_use]
    pub fn of_judges(mut self, named: &[String]) -> Self {
        self.judges.retain(|judge, _| named.is_empty() || named.contains(judge));
        self
    }

    /// Returns whether no judge was trained on any of the labels.
    pub fn is_empty(&self) -> bool {
        self.judges.is_empty()
    }

    /// Returns whether one of the judges was trained on the labels of this query.
    pub fn contains(&self, query: &str) -> bool {
        self.judges.values().any(|queries| queries.contains(query))
    }

    /// Returns the queries that this judge was trained on, if there are any.
    pub(crate) fn of_judge(&self, judge: &str) -> Option<&BTreeSet<String>> {
        self.judges.get(judge)
    }

    /// Returns these labels without the queries that a judge was trained on.
    pub fn unseen(&self, labels: &Qrels) -> Qrels {
        let mut unseen = labels.clone();
        unseen.retain(|query| !self.contains(query));
        unseen
    }

    /// Describes the queries that a comparison with these labels leaves out; `None` without any.
    pub fn left_out(&self, labels: &Qrels) -> Option<String> {
        let queries = labels.iter().filter(|(query, _)| self.contains(query)).count();
        (queries > 0).then(|| left_out(&self.names(), queries, labels.len()))
    }

    /// Returns the sentence that the judges are not compared with these labels; `None` without such a judge.
    pub(crate) fn not_compared(&self) -> Option<String> {
        (!self.is_empty()).then(|| not_compared(&self.names()))
    }

    /// Returns the judges' names.
    pub fn names(&self) -> Vec<&str> {
        self.judges.keys().map(String::as_str).collect()
    }
}

/// Describes the number of queries that are left out, because judges were trained on their labels.
pub(crate) fn left_out(judges: &[&str], queries: usize, of: usize) -> String {
    format!(
        "Left out: {} of {}, since {} {} trained on their labels.",
        count(queries),
        counted(of, "query"),
        judges.join(" and "),
        was(judges)
    )
}

/// Describes judges that are not compared, because they were trained on these labels.
pub(crate) fn not_compared(judges: &[&str]) -> String {
    format!("Not compared: {} {} trained on these labels.", judges.join(" and "), was(judges))
}

fn was(judges: &[&str]) -> &'static str {
    if judges.len() == 1 { "was" } else { "were" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_told_by_query_whatever_their_order() {
        let (mut here, mut there) = (Qrels::default(), Qrels::default());
        for (document, grade) in [("a", 1), ("b", 0)] {
            here.insert("q1", document, grade);
        }
        for (document, grade) in [("b", 0), ("a", 1)] {
            there.insert("q1", document, grade);
        }
        there.insert("q2", "a", 1);
        let (here, there) = (label_hashes(&here), label_hashes(&there));
        assert_eq!(here.get("q1"), there.get("q1"));
        assert_ne!(there.get("q1"), there.get("q2"));
    }
}
