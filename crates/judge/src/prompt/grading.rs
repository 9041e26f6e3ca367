//! The variables and the hash of prompts that grade.

use llull_core::{Hash, KeyBuilder, Scale};
use minijinja::{Value, context};

use super::{delimit, input::PromptInput};
use crate::{fit::Fitted, form::GradeKind};

/// The variables of a template.
pub(super) const VARIABLES: [&str; 10] =
    ["query", "document", "relevance", "grades", "anchors", "choices", "low", "high", "cutoff", "off_target"];

/// Returns the values of the variables that no other prompts have. `nonce` names the tags around the document.
pub(super) fn values(input: &PromptInput<'_>, fitted: &[Fitted<'_>], nonce: &str) -> Value {
    let document = fitted.first().map(|fitted| delimit::document(&format!("document-{nonce}"), fitted));
    context! {
        document => document.unwrap_or_default(),
        choices => choices(input.rubric.scale),
        off_target => input.rubric.cutoff - 1,
    }
}

/// Returns the hash of what a judge can see of the prompt. `messages` have no white space at their ends.
pub(super) fn hash(kind: GradeKind, messages: &str) -> Hash {
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
