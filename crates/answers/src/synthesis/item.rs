//! The outcomes of questions.

use std::collections::BTreeMap;
use std::fmt;

use llull_judge::{QuestionCategory, WrittenQuestion};
use serde::Serialize;

use super::duplicates::QuestionWords;
use llull_core::Passage;

/// A question for the writer.
pub(super) struct Item {
    pub(super) category: QuestionCategory,
    /// The place of its passage.
    pub(super) passage: usize,
    /// The question that the writer wrote.
    pub(super) written: Option<WrittenQuestion>,
    pub(super) words: Option<QuestionWords>,
    /// The question's vector, if questions are compared by meaning.
    pub(super) vector: Option<Vec<f32>>,
    /// Whether its own passage does not answer a question out of context, so that the nearest ones are checked.
    pub(super) own_declines: bool,
    /// The passages nearest to a question out of context, except its own.
    pub(super) nearest: Vec<Passage>,
    /// The search that found them.
    pub(super) found_by: Option<String>,
    /// The one among them that answers it.
    pub(super) answered_by: Option<String>,
    pub(super) fate: Fate,
}

impl Item {
    pub(super) fn new(category: QuestionCategory, passage: usize) -> Self {
        Self {
            category,
            passage,
            written: None,
            words: None,
            vector: None,
            own_declines: false,
            nearest: Vec::new(),
            found_by: None,
            answered_by: None,
            fate: Fate::NotWritten,
        }
    }

    /// Returns whether later questions are compared with it: it is written, and no other's duplicate.
    pub(super) fn stands(&self) -> bool {
        !matches!(self.fate, Fate::Duplicate | Fate::NearDuplicate)
    }
}

/// The outcome of a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Fate {
    /// It is in the dataset.
    Accepted,
    /// The writer has not replied yet.
    NotWritten,
    /// The writer's reply is unusable.
    Unusable,
    /// The writer declined: the passage gives no such question.
    Declined,
    /// It equals another question, or nearly.
    Duplicate,
    /// Its meaning is close to another question's.
    NearDuplicate,
    /// It is not checked yet.
    NotChecked,
    /// The checker's reply is neither yes nor no.
    CheckUnusable,
    /// The checker finds that the passage does not give the expected answer.
    NotAnswered,
    /// The checker finds that its passage answers a question that should be out of context.
    Answered,
    /// The checker finds that another passage answers a question that should be out of context.
    AnsweredElsewhere,
}

impl fmt::Display for Fate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Accepted => "in the dataset",
            Self::NotWritten => "not written yet",
            Self::Unusable => "the reply is no question",
            Self::Declined => "the passage gives no such question",
            Self::Duplicate => "the same as another, or nearly",
            Self::NearDuplicate => "nearly the same as another in meaning",
            Self::NotChecked => "not checked yet",
            Self::CheckUnusable => "the check says neither yes nor no",
            Self::NotAnswered => "its passage does not give the expected answer",
            Self::Answered => "its passage answers it, though it is to be out of context",
            Self::AnsweredElsewhere => "another passage answers it, though it is to be out of context",
        })
    }
}

/// A question that is not in the dataset, with the reason.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DroppedQuestion {
    /// The reason.
    pub reason: Fate,
    /// Its category.
    pub category: &'static str,
    /// The document of its passage.
    pub document: String,
    /// The place of the passage in it, in characters.
    pub characters: [u64; 2],
    /// The question, if one was written.
    pub question: Option<String>,
    /// Its expected answer.
    pub answer: Option<String>,
    /// The passage that answers it, if it should be out of context and another passage than its own does: the document,
    /// and the place in it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answered_by: Option<String>,
}

/// The number of questions by outcome.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct SynthesisCounts {
    /// The counts of each wanted category.
    pub categories: Vec<CategoryCounts>,
    /// The number of questions outside of the dataset, by the reason.
    pub dropped: BTreeMap<Fate, usize>,
}

/// The counts of a category.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CategoryCounts {
    /// The category.
    pub category: &'static str,
    /// The wanted number.
    pub wanted: usize,
    /// The number of passages for which the writer got a request.
    pub asked: usize,
    /// The number of questions in the dataset.
    pub questions: usize,
}

impl SynthesisCounts {
    /// Returns the number of questions in the dataset.
    pub fn questions(&self) -> usize {
        self.categories.iter().map(|category| category.questions).sum()
    }

    /// Returns the wanted number of questions.
    pub fn wanted(&self) -> usize {
        self.categories.iter().map(|category| category.wanted).sum()
    }

    /// Returns the number of questions that wait for a reply of the writer or the checker.
    pub fn waiting(&self) -> usize {
        [Fate::NotWritten, Fate::NotChecked].iter().filter_map(|fate| self.dropped.get(fate)).sum()
    }
}
