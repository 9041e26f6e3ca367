//! Whether passages answer the questions that were written about them, as pairs of a study.

use llull_core::{Document, Ranking, Run, Topic, Topics};
use llull_judge::{Rubric, RubricError, WrittenQuestion};

use super::passage::Passage;

/// Returns the rubric by which questions are checked: grade 1 is yes, the passage answers, 0 is no.
///
/// # Errors
/// The text is built in; an error would be one of its own.
pub(super) fn answers_question_rubric() -> Result<Rubric, RubricError> {
    Rubric::parse(include_str!("../../../../rubrics/answers-question.md"), "rubrics/answers-question.md")
}

/// What is shown of a question.
pub(super) fn asked(written: &WrittenQuestion) -> String {
    match &written.answer {
        Some(answer) => format!("Question: {}\nExpected answer: {answer}", written.question),
        None => format!("Question: {}", written.question),
    }
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
                let text = passage.text.clone();
                documents.insert(id.clone(), Document { id: id.clone(), title: String::new(), text });
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
    use super::*;

    #[test]
    fn the_rubric_says_yes_or_no() {
        let rubric = answers_question_rubric().unwrap();
        assert_eq!((rubric.scale.low(), rubric.scale.high(), rubric.cutoff), (0, 1, 1));
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
