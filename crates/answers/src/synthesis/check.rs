//! Checks whether passages answer their questions, as pairs of a study.

use llull_core::{Document, Grade, Ranking, Run, Status, Topic, Topics};
use llull_judge::{Rubric, RubricError, WrittenQuestion};

use super::item::Fate;
use llull_core::Passage;

/// The grade of a yes in the check.
pub(super) const YES: Grade = 1;

/// Returns the rubric for checking questions: grade 1 means that the passage answers, 0 that it does not.
///
/// # Errors
/// The text is built in; an error would be one of its own.
pub(super) fn answers_question_rubric() -> Result<Rubric, RubricError> {
    Rubric::parse(include_str!("../../rubrics/answers-question.md"), "rubrics/answers-question.md")
}

/// The text of a question in the prompt.
pub(super) fn asked(written: &WrittenQuestion) -> String {
    match &written.answer {
        Some(answer) => format!("Question: {}\nExpected answer: {answer}", written.question),
        None => format!("Question: {}", written.question),
    }
}

/// The outcome of a question that its own passage should answer.
pub(super) fn fate_of_answered(own: Option<&Status>) -> Fate {
    match own.and_then(Status::grade) {
        Some(YES) => Fate::Accepted,
        Some(_) => Fate::NotAnswered,
        None => undecided([own]),
    }
}

/// The outcome of a question out of context, by its own passage; `None` if that does not answer it, so that the nearest
/// ones decide.
pub(super) fn fate_by_own(own: Option<&Status>) -> Option<Fate> {
    match own.and_then(Status::grade) {
        Some(YES) => Some(Fate::Answered),
        Some(_) => None,
        None => Some(undecided([own])),
    }
}

/// The outcome of a question out of context that its own passage does not answer, by the nearest ones.
pub(super) fn fate_by_nearest(nearest: &[Option<&Status>]) -> Fate {
    let grade = |status: &Option<&Status>| status.and_then(Status::grade);
    if nearest.iter().any(|status| grade(status) == Some(YES)) {
        Fate::AnsweredElsewhere
    } else if nearest.iter().any(|status| grade(status).is_none()) {
        undecided(nearest.iter().copied())
    } else {
        Fate::Accepted
    }
}

/// Not checked yet, or never, if a reply is unusable or refused.
fn undecided<'a>(statuses: impl IntoIterator<Item = Option<&'a Status>>) -> Fate {
    let unusable =
        |status: Option<&Status>| matches!(status, Some(Status::Unusable { .. } | Status::Refused(_)));
    if statuses.into_iter().any(unusable) { Fate::CheckUnusable } else { Fate::NotChecked }
}

/// Topics, documents and the one run of a study about pairs.
pub(super) struct Pairs {
    pub(super) topics: Topics,
    pub(super) documents: Vec<Document>,
    pub(super) run: Run,
    /// The most documents of a topic.
    pub(super) deepest: usize,
}

impl Pairs {
    /// Makes them of topics, by identifier and text, each with its passages.
    pub(super) fn of<'a>(pairs: impl IntoIterator<Item = (Topic, Vec<&'a Passage>)>) -> Self {
        let (mut topics, mut documents, mut deepest) = (Vec::new(), indexmap::IndexMap::new(), 0);
        let mut run = Run::new("passages");
        for (topic, passages) in pairs {
            let ids: Vec<String> = passages.iter().map(|passage| passage.id()).collect();
            for (id, passage) in ids.iter().zip(&passages) {
                documents.insert(id.clone(), (*passage).clone().into_document());
            }
            let scored = ids.iter().enumerate().map(|(rank, id)| (id.as_str(), -(rank as f64)));
            run.insert(topic.id.clone(), Ranking::from_ordered(scored));
            deepest = deepest.max(ids.len());
            topics.push(topic);
        }
        let documents = documents.into_values().collect();
        Self { topics: topics.into_iter().collect(), documents, run, deepest }
    }
}

#[cfg(test)]
mod tests {
    use llull_core::{Judgment, Reason};

    use super::*;

    #[test]
    fn the_rubric_says_yes_or_no() {
        let rubric = answers_question_rubric().unwrap();
        assert_eq!((rubric.scale.low(), rubric.scale.high(), rubric.cutoff), (0, 1, 1));
    }

    #[test]
    fn a_question_out_of_context_is_answered_by_no_passage() {
        let said = |grade| Status::Judged(Judgment::Grade(grade));
        let (yes, no, open) = (said(1), said(0), Status::NotAsked);
        let unusable = Status::Unusable { reason: Reason::NoAnswer, times: 1 };
        assert_eq!(fate_of_answered(Some(&yes)), Fate::Accepted);
        assert_eq!(fate_of_answered(Some(&no)), Fate::NotAnswered);
        assert_eq!(fate_of_answered(Some(&unusable)), Fate::CheckUnusable);
        assert_eq!(fate_of_answered(None), Fate::NotChecked);
        assert_eq!(fate_by_own(Some(&yes)), Some(Fate::Answered));
        assert_eq!(fate_by_own(Some(&no)), None, "the nearest are asked");
        assert_eq!(fate_by_own(Some(&open)), Some(Fate::NotChecked));
        assert_eq!(fate_by_own(Some(&unusable)), Some(Fate::CheckUnusable));
        let fate = |nearest: &[&Status]| {
            let nearest: Vec<Option<&Status>> = nearest.iter().copied().map(Some).collect();
            fate_by_nearest(&nearest)
        };
        assert_eq!(fate(&[]), Fate::Accepted);
        assert_eq!(fate(&[&no, &no]), Fate::Accepted);
        assert_eq!(fate(&[&no, &yes, &open]), Fate::AnsweredElsewhere);
        assert_eq!(fate(&[&no, &open]), Fate::NotChecked);
        assert_eq!(fate(&[&open, &unusable]), Fate::CheckUnusable);
    }

    #[test]
    fn a_question_without_an_answer_is_shown_without_one() {
        let question = |answer: Option<&str>| {
            asked(&WrittenQuestion { question: "why".into(), answer: answer.map(str::to_owned) })
        };
        assert_eq!(question(None), "Question: why");
        assert_eq!(question(Some("so")), "Question: why\nExpected answer: so");
    }
}
