//! Human grades of the documents of a question.

use llull_core::{Grade, LabelSet};
use llull_runner::{PooledDocument, Question, Workload};

use super::read_inputs::Inputs;

/// Returns the human grade of each document of a question: that of the reference, or of existing labels. `reviewers`
/// are the human labels of the study's sample, if they are the reference.
pub(crate) fn human_grades_on(
    inputs: &Inputs,
    reviewers: Option<&LabelSet>,
    pooled: &Workload,
    question: Question<'_>,
) -> Vec<Option<Grade>> {
    let labels = [inputs.reference.as_ref(), inputs.base.as_ref().map(|base| &base.labels)];
    let grade = |document: &PooledDocument| {
        let topic = &pooled.topic(question.topic)?.id;
        let of_files = labels.into_iter().flatten().find_map(|labels| labels.grade(topic, document.id()));
        of_files.or_else(|| Some(reviewers?.get(topic, document.id())?.grade))
    };
    let documents = question.documents.iter();
    documents.map(|document| pooled.document(*document).and_then(grade)).collect()
}

/// Returns whether some of the documents have different human grades.
pub(crate) fn differ(grades: &[Option<Grade>]) -> bool {
    let mut known = grades.iter().flatten();
    known.next().is_some_and(|first| known.any(|grade| grade != first))
}

#[cfg(test)]
mod tests {
    use super::differ;

    #[test]
    fn two_grades_tell_documents_apart_and_one_does_not() {
        assert!(differ(&[None, Some(1), Some(2)]));
        assert!(!differ(&[Some(1), None, Some(1)]) && !differ(&[]));
    }
}
