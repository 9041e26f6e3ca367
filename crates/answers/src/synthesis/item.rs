//! What becomes of each question that is asked for.

use std::collections::BTreeMap;

use llull_judge::{QuestionCategory, WrittenQuestion};
use serde::Serialize;

use super::duplicates::QuestionWords;
use super::passage::Passage;

/// A question that is asked for.
pub(super) struct Item {
    pub(super) category: QuestionCategory,
    /// The place of its passage.
    pub(super) passage: usize,
    /// What was written.
    pub(super) written: Option<WrittenQuestion>,
    /// The words of the question.
    pub(super) words: Option<QuestionWords>,
    /// The question's vector, if questions are told apart by meaning.
    pub(super) vector: Option<Vec<f32>>,
    /// Whether its own passage does not answer a question out of context, so that others are looked at.
    pub(super) own_declines: bool,
    /// The passages that are nearest to a question out of context, its own not among them.
    pub(super) nearest: Vec<Passage>,
    /// By what they were found.
    pub(super) found_by: Option<String>,
    /// Which of them answers it.
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

    /// Returns whether other questions are compared with it: it is written, and no other's duplicate.
    pub(super) fn stands(&self) -> bool {
        !matches!(self.fate, Fate::Duplicate | Fate::NearDuplicate)
    }
}

/// What has become of a question that was asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Fate {
    /// It is in the dataset.
    Accepted,
    /// The writer has not answered yet.
    NotWritten,
    /// The writer's reply is no question.
    Unusable,
    /// The writer says that the passage gives no such question.
    Declined,
    /// Another question is the same, or nearly.
    Duplicate,
    /// Another question means nearly the same.
    NearDuplicate,
    /// It is not checked yet.
    NotChecked,
    /// The checker's reply says neither yes nor no.
    CheckUnusable,
    /// The checker says that the passage does not give the expected answer.
    NotAnswered,
    /// The checker says that the passage answers what should be out of context.
    Answered,
    /// The checker says that another passage answers what should be out of context.
    AnsweredElsewhere,
}

impl Fate {
    /// Says it in words.
    pub fn in_words(self) -> &'static str {
        match self {
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
        }
    }
}

/// A question that is not in the dataset, with the reason.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DroppedQuestion {
    /// Why.
    pub reason: Fate,
    /// Its category.
    pub category: &'static str,
    /// The document of its passage.
    pub document: String,
    /// Where the passage stands in it, in characters.
    pub characters: [u64; 2],
    /// The question, if one was written.
    pub question: Option<String>,
    /// Its expected answer.
    pub answer: Option<String>,
    /// The passage that answers it, if it is to be out of context and another than its own does: the document, and
    /// where the passage stands in it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answered_by: Option<String>,
}

/// How many questions there are, by what became of them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct SynthesisCounts {
    /// Of each category that is wanted.
    pub categories: Vec<CategoryCounts>,
    /// How many are not in the dataset, by the reason.
    pub dropped: BTreeMap<Fate, usize>,
}

/// How many questions there are of a category.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CategoryCounts {
    /// The category.
    pub category: &'static str,
    /// How many are wanted.
    pub wanted: usize,
    /// How many passages one was asked for about.
    pub asked: usize,
    /// How many are in the dataset.
    pub questions: usize,
}

impl SynthesisCounts {
    /// Returns how many questions are in the dataset.
    pub fn questions(&self) -> usize {
        self.categories.iter().map(|category| category.questions).sum()
    }

    /// Returns how many questions are wanted.
    pub fn wanted(&self) -> usize {
        self.categories.iter().map(|category| category.wanted).sum()
    }

    /// Returns how many questions wait for an answer, of the writer or the checker.
    pub fn waiting(&self) -> usize {
        [Fate::NotWritten, Fate::NotChecked].iter().filter_map(|fate| self.dropped.get(fate)).sum()
    }
}
