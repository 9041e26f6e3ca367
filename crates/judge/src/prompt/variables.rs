//! The variables and the hashes of prompts.

use llull_core::{Hash, KeyBuilder, Scale};
use minijinja::{Value, context};

use super::anchors::AnchorOrder;
use super::delimit;
use super::template::PromptInput;
use crate::fit::Fitted;
use crate::form::{CompareKind, ComparisonForm, GradeKind};
use crate::rubric::{Example, GradeDefinition, Rubric};

/// The variables of a template.
pub(super) const GRADING_VARIABLES: [&str; 10] =
    ["query", "document", "relevance", "grades", "anchors", "choices", "low", "high", "cutoff", "off_target"];

/// Returns the values of the variables that no other prompts have. `nonce` names the tags around the document.
pub(super) fn grading_values(input: &PromptInput<'_>, fitted: &[Fitted<'_>], nonce: &str) -> Value {
    let document = fitted.first().map(|fitted| delimit::document(&format!("document-{nonce}"), fitted));
    context! {
        document => document.unwrap_or_default(),
        choices => choices(input.rubric.scale),
        off_target => input.rubric.cutoff - 1,
    }
}

/// Returns the hash of what a judge can see of the prompt. `messages` have no white space at their ends.
pub(super) fn grading_hash(kind: GradeKind, messages: &str) -> Hash {
    KeyBuilder::new("llull prompt v1").text("answer", kind.name()).text("messages", messages).finish()
}

/// Returns the grades in words: `0 or 1`, `0, 1, 2 or 3`; a long scale by its ends.
fn choices(scale: Scale) -> String {
    let grades: Vec<_> = scale.grades().map(|grade| grade.to_string()).collect();
    match grades.as_slice() {
        [most @ .., last] if grades.len() <= 11 => format!("{} or {last}", most.join(", ")),
        _ => format!("a whole number from {} to {}", scale.low(), scale.high()),
    }
}

/// The variables of a template.
pub(super) const COMPARING_VARIABLES: [&str; 12] = [
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
pub(super) fn comparing_values(form: &ComparisonForm, fitted: &[Fitted<'_>], nonce: &str) -> Value {
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
        labels => word_list(&labels, "and"),
        choices => word_list(&quoted, "or"),
        ties => form.ties,
    }
}

/// Returns the hash of the parts of a prompt that a judge can see. `messages` have no white space at their ends.
pub(super) fn comparing_hash(kind: CompareKind, rationale: bool, messages: &str) -> Hash {
    KeyBuilder::new("llull compare prompt v1")
        .text("answer", kind.name())
        .number("rationale", u64::from(rationale))
        .text("messages", messages)
        .finish()
}

/// Lists words as a sentence does: `A, B and C`.
fn word_list(words: &[String], last: &str) -> String {
    match words {
        [most @ .., end] if !most.is_empty() => format!("{} {last} {end}", most.join(", ")),
        _ => words.join(""),
    }
}

/// Returns the values of a rubric, under the same names for all prompts.
pub(super) fn rubric_values(rubric: &Rubric, anchor_order: AnchorOrder) -> Value {
    context! {
        relevance => rubric.body.as_str(),
        grades => rubric.grades.iter().map(grade_value).collect::<Vec<_>>(),
        anchors => anchor_order.arrange(&rubric.grades).into_iter().map(anchor_value).collect::<Vec<_>>(),
        low => rubric.scale.low(),
        high => rubric.scale.high(),
        cutoff => rubric.cutoff,
    }
}

fn grade_value(grade: &GradeDefinition) -> Value {
    context! { grade => grade.grade, name => grade.name.as_str(), definition => grade.definition.as_str() }
}

fn anchor_value((grade, example): (&GradeDefinition, &Example)) -> Value {
    context! {
        grade => grade.grade,
        name => grade.name.as_str(),
        query => example.query.as_str(),
        document => example.document.as_str(),
        why => example.why.as_str(),
    }
}

/// Returns a rubric to try a template out with.
pub(super) fn sample_rubric() -> Rubric {
    let grade = |grade: i32| GradeDefinition {
        grade,
        name: format!("name {grade}"),
        definition: format!("definition {grade}"),
        example: Some(Example { query: "an".into(), document: "example".into(), why: "why".into() }),
    };
    Rubric {
        name: String::new(),
        scale: Scale::default(),
        cutoff: 2,
        grades: Scale::default().grades().map(grade).collect(),
        default_grades: false,
        body: String::from("What relevant means."),
        attributes: Vec::new(),
        modes: Vec::new(),
        hash: Hash([0; 32]),
    }
}
