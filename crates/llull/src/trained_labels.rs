//! The labels that learners were fitted to: a learner is not compared with its own lessons.

use std::collections::BTreeMap;

use llull_core::{Hash, Qrels};

use crate::config::{JudgeKind, Settings};
use crate::folder::Folder;
use crate::saved::saved_learner;
use crate::saved::saved_student;

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

/// Returns the judges of a study that were trained on labels of this reference. A learner that cannot be read is left
/// out: to make its judge is an error.
pub(crate) fn trained_on_reference(
    settings: &Settings,
    folder: &Folder,
    reference: Option<&Qrels>,
) -> Vec<String> {
    let Some(reference) = reference else { return Vec::new() };
    let hashes = label_hashes(reference);
    let learned = |lessons: BTreeMap<String, String>| {
        lessons.iter().any(|(query, labels)| hashes.get(query) == Some(labels))
    };
    let judges = settings.judges.iter().chain(&settings.graders).filter(|judge| match &judge.kind {
        JudgeKind::Tree { name } => {
            saved_learner(folder, name).is_ok_and(|learner| learned(learner.trained_on))
        }
        JudgeKind::Student { name } => {
            saved_student(folder, name).is_ok_and(|student| learned(student.lessons.trained_on))
        }
        _ => false,
    });
    judges.map(|judge| judge.name.clone()).collect()
}

/// Says that judges were trained on the labels that they would be compared with; `None` without such a judge.
pub(crate) fn trained_on(judges: &[String]) -> Option<String> {
    let was = if judges.len() == 1 { "was" } else { "were" };
    (!judges.is_empty())
        .then(|| format!("Not compared: {} {was} trained on these labels.", judges.join(" and ")))
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
