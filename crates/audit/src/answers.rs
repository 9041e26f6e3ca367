//! The input of checks: one judge's answers, as plain values.

use std::collections::BTreeSet;

use llull_core::Item;

use crate::CheckKind;

/// The purpose of a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum AskedAs {
    /// For its answer, which is a vote.
    #[default]
    Vote,
    /// Again, with the documents in reverse order. No vote.
    Reversed,
    /// Again, with the two halves of a list exchanged, so that the middle comes to the ends. No vote.
    Rotated,
    /// A repetition without any change. No vote.
    Repeated,
}

/// A comparison of documents of one query.
#[derive(Debug, Clone, PartialEq)]
pub struct ComparedAnswer {
    /// The query, as a position in the collection.
    pub query: usize,
    /// The documents in the order in which they were shown, as positions among the query's documents.
    pub shown: Vec<Item>,
    /// The answer, best first; documents of one group are tied. Those that are in no group rank below all.
    pub groups: Vec<Vec<Item>>,
    /// The purpose of the question.
    pub asked_as: AskedAs,
    /// The number of characters of the rationale; `None` if the prompt requested none.
    pub rationale: Option<usize>,
}

impl ComparedAnswer {
    /// Returns the place, from 0, at which the chosen document was shown; `None` if several are tied for it, or
    /// none was chosen.
    pub(crate) fn chosen_place(&self) -> Option<usize> {
        let [best] = self.groups.first()?.as_slice() else { return None };
        self.shown.iter().position(|item| item == best)
    }

    /// Returns how far down the answer a document stands: 0 in the first group, and below all groups if it is in none.
    pub(crate) fn level(&self, item: Item) -> usize {
        self.groups.iter().position(|group| group.contains(&item)).unwrap_or(self.groups.len())
    }
}

/// A grade of one document.
#[derive(Debug, Clone, PartialEq)]
pub struct GradedAnswer {
    /// The query, as a position in the collection.
    pub query: usize,
    /// The document, as a position among the query's documents.
    pub document: Item,
    /// The grade.
    pub grade: f64,
    /// The purpose of the question: [`AskedAs::Reversed`] never occurs here.
    pub asked_as: AskedAs,
    /// The number of characters of the rationale; `None` if the prompt requested none.
    pub rationale: Option<usize>,
}

/// A reply that could not be read.
#[derive(Debug, Clone, PartialEq)]
pub struct UnusableAnswer {
    /// The query, as a position in the collection.
    pub query: usize,
    /// The documents that were shown.
    pub shown: Vec<Item>,
}

/// Prompts that a judge's server seems to have cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CutPrompts {
    /// The number of prompts whose tokens the server reported.
    pub counted: usize,
    /// The number of those that seem to be cut.
    pub cut: usize,
    /// The number of tokens that the server reported for all that are cut; `None` if it reported different ones.
    pub limit: Option<u64>,
}

/// The worked examples that stood first and last where a document was graded.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ShownAnchors {
    /// The query, as a position in the collection.
    pub query: usize,
    /// The document, as a position among the query's documents.
    pub document: Item,
    /// The grade of the example that was shown first.
    pub first: f64,
    /// The grade of the one that was shown last, next to the document.
    pub last: f64,
}

/// One judge's answers about documents with one kind of change, or with other worked examples.
#[derive(Debug, Clone, PartialEq)]
pub struct ProbedAnswers {
    /// How the documents were changed: [`Stuffed`](CheckKind::Stuffed), [`Padded`](CheckKind::Padded),
    /// [`Injected`](CheckKind::Injected), [`Truncated`](CheckKind::Truncated) or [`Swapped`](CheckKind::Swapped); or
    /// [`Anchors`](CheckKind::Anchors), the worked examples.
    pub kind: CheckKind,
    /// Whether the documents were compared with others, of which one was changed, and not graded.
    pub compared: bool,
    /// The answers.
    pub answers: Vec<ProbedAnswer>,
}

/// The worth of a document to a judge, unchanged and changed: from 0 to 1. For a grade it is the grade's place on the
/// scale; for a comparison, the share of the other documents that it beats, ties by half.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ProbedAnswer {
    /// The query, as a position in the collection.
    pub query: usize,
    /// The worth of the unchanged document.
    pub before: f64,
    /// The worth of the changed document.
    pub after: f64,
    /// The worth of the unchanged document in a repetition: the judge's noise, which [`Anchors`](CheckKind::Anchors)
    /// is compared with. `None` where it is unknown.
    pub again: Option<f64>,
}

/// A judge's agreement with human labels on documents of one collection, and on the same with the query paraphrased or
/// words of the documents masked.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Disguised {
    /// Whether documents were compared and not graded.
    pub compared: bool,
    /// The answers.
    pub answers: Vec<DisguisedAnswer>,
    /// The same on a collection that is newer than the judge's model; `None` without such a collection.
    pub control: Option<Vec<DisguisedAnswer>>,
}

/// The agreement of an answer with human labels, from 0 to 1. A grade agrees if it is relevant to both or to neither.
/// For a comparison it is the share of pairs in the same order, ties by half, among pairs with different human grades.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DisguisedAnswer {
    /// The query, as a position in its collection.
    pub query: usize,
    /// Whether people call the document relevant; always true of comparisons.
    pub relevant: bool,
    /// Agreement on the unchanged question.
    pub before: f64,
    /// Agreement with words changed.
    pub after: f64,
}

/// A judge, with all that it answered.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct AuditedJudge {
    /// The judge's name.
    pub judge: String,
    /// The model behind it, as its provider calls it; `None` if it is no language model.
    pub model: Option<String>,
    /// The temperature of its requests; `None` where it is unknown or left to the server.
    pub temperature: Option<f64>,
    /// Its comparisons, in the order of their requests.
    pub compared: Vec<ComparedAnswer>,
    /// Its grades, in the order of their requests.
    pub graded: Vec<GradedAnswer>,
    /// The worked examples shown with its votes, where their order was drawn at random for each question; empty where
    /// it was not.
    pub anchors: Vec<ShownAnchors>,
    /// The queries, as positions in the collection, whose human grades it was trained on. Its agreement is that on the
    /// others.
    pub trained_on: BTreeSet<usize>,
    /// Its answers about changed documents, one kind of change after the other; empty without a probe.
    pub probed: Vec<ProbedAnswers>,
    /// Its agreement with human labels where words are changed; `None` without that probe.
    pub disguised: Option<Disguised>,
    /// Its replies that could not be read.
    pub unusable: Vec<UnusableAnswer>,
    /// The prompts that its server seems to have cut; `None` if nothing points to that.
    pub cut_prompts: Option<CutPrompts>,
    /// Whether the order in which documents were shown was drawn at random. Where it was not, the side of the winner is
    /// read off pairs that were shown in both orders, and off no others.
    pub order_randomised: bool,
}
