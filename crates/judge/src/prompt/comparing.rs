//! The variables and the hash of prompts that compare.

use llull_core::{Hash, KeyBuilder};
use minijinja::{Value, context};

use super::delimit;
use crate::{
    fit::Fitted,
    form::{CompareKind, ComparisonForm},
};

/// The variables of a template.
pub(super) const VARIABLES: [&str; 12] = [
    "query",
    "documents",
    "count",
    "labels",
    "choices",
    "ties",
    "relevance",
    "grades",
    "anchors",
    "low",
    "high",
    "cutoff",
];

/// Returns the values of the variables that no other prompts have. `nonce` names the tags around the documents.
pub(super) fn values(form: &ComparisonForm, fitted: &[Fitted<'_>], nonce: &str) -> Value {
    let labels = form.labels();
    let documents: Vec<Value> = labels
        .iter()
        .zip(fitted)
        .map(|(label, fitted)| {
            let text = delimit::document(&format!("document-{label}-{nonce}"), fitted);
            context! { label => label, text => text }
        })
        .collect();
    let quoted: Vec<_> = form.words().iter().map(|word| format!("\"{word}\"")).collect();
    context! {
        documents => documents,
        count => form.documents,
        labels => in_words(&labels, "and"),
        choices => in_words(&quoted, "or"),
        ties => form.ties,
    }
}

/// Returns the hash of the parts of a prompt that a judge can see. `messages` have no white space at their ends.
pub(super) fn hash(kind: CompareKind, rationale: bool, messages: &str) -> Hash {
    KeyBuilder::new("llull compare prompt v1")
        .text("answer", kind.name())
        .number("rationale", u64::from(rationale))
        .text("messages", messages)
        .finish()
}

/// Lists words as a sentence does: `A, B and C`.
fn in_words(words: &[String], last: &str) -> String {
    match words {
        [most @ .., end] if !most.is_empty() => format!("{} {last} {end}", most.join(", ")),
        _ => words.join(""),
    }
}
