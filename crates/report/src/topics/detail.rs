//! One query of the report.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::tournament::TopicTournament;

/// One query.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TopicDetail {
    /// Its identifier.
    pub id: String,
    /// The query text; empty where texts are left out.
    pub text: String,
    /// Pooled documents of this query.
    pub pooled: usize,
    /// How many of them have a label.
    pub labelled: usize,
    /// How many documents have a grade that counts as relevant. The lowest such grade is the rubric's cutoff, unless
    /// the report's `tournaments` name another; null if no grade counts.
    pub relevant: Option<usize>,
    /// A remark for the reader, such as that no document reaches the cutoff.
    pub note: Option<String>,
    /// Every system's values, in the order of the report's `systems`; empty for a query without any label.
    pub systems: Vec<TopicSystem>,
    /// The result of the comparisons; absent if every judge grades.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tournament: Option<TopicTournament>,
    /// The pooled documents, best label first.
    pub documents: Vec<DocumentDetail>,
}

/// One system on one query.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TopicSystem {
    /// The system.
    pub system: String,
    /// Whether its run answers the query; if not, its values are 0.
    pub answered: bool,
    /// One value a measure, in the order of the system's `figures`.
    pub values: Vec<TopicValue>,
}

/// One measure of one system on one query.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TopicValue {
    /// The value; null if it is not a finite number.
    pub value: Option<f64>,
    /// How many documents the measure looked at.
    pub seen: u32,
    /// How many of them have no label.
    pub unjudged: u32,
}

/// One pooled document of a query.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DocumentDetail {
    /// Its identifier.
    pub id: String,
    /// Its title, or its first words; empty where texts are left out.
    pub title: String,
    /// The first words of its text, for a page that shows them; in no JSON.
    #[serde(skip)]
    pub excerpt: Option<String>,
    /// Its label; null if no judge gave a usable verdict.
    pub grade: Option<i32>,
    /// Its grade in the sample for annotators if that has labels, else in the reference. For a page that shows it next
    /// to the judges' grades; in no JSON.
    #[serde(skip)]
    pub reference: Option<i32>,
    /// The label's source; absent if there is no label, or if no labels existed before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// The number of its tier, from 1 for the best; absent if no judge compares, or it is in no tier.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tier: Option<u32>,
    /// Each judge's answer, in the order of `study.judges`; empty if none graded it. The answer of a judge that
    /// compares is empty, since its answers are about several documents at once.
    pub answers: Vec<JudgeAnswer>,
    /// At which rank each system returned it, from 1, in the order of `systems`; null if it did not.
    pub ranks: Vec<Option<u32>>,
}

/// One judge's answer about one document.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct JudgeAnswer {
    /// The grade; null without a usable answer.
    pub grade: Option<i32>,
    /// Why the grade is missing: a reason or kind of failure as the ledger names it, or `not_asked`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub missing: Option<String>,
    /// The judge's explanation, shortened.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rationale: Option<String>,
    /// The parts of the question that the judge finds answered, for a page that shows them; in no JSON.
    #[serde(skip)]
    pub covers: Vec<String>,
    /// The parts that it finds missing; in no JSON.
    #[serde(skip)]
    pub lacks: Vec<String>,
}

impl TopicDetail {
    /// The query without its text, those of its documents, and the judges' words about them.
    #[must_use]
    pub fn without_texts(mut self) -> Self {
        self.text.clear();
        for document in &mut self.documents {
            document.title.clear();
            document.excerpt = None;
            for answer in &mut document.answers {
                answer.rationale = None;
                answer.covers.clear();
                answer.lacks.clear();
            }
        }
        self
    }
}

/// Puts a query's documents into the report's order: best label first and unlabelled last, then best tier first,
/// then by the best rank that a system gave them, then by identifier.
pub fn sort_documents(documents: &mut [DocumentDetail]) {
    let rank = |document: &DocumentDetail| document.ranks.iter().flatten().min().copied().unwrap_or(u32::MAX);
    let tier = |document: &DocumentDetail| document.tier.unwrap_or(u32::MAX);
    documents.sort_by(|a, b| {
        let by_label = b.grade.cmp(&a.grade).then_with(|| tier(a).cmp(&tier(b)));
        by_label.then_with(|| rank(a).cmp(&rank(b))).then_with(|| a.id.cmp(&b.id))
    });
}
