//! A template filled in, and what of the rubric goes into it.

use llull_core::{Hash, Scale};
use minijinja::{Value, context};

use super::{AnchorOrder, delimit};
use crate::rubric::{Example, GradeDefinition, Rubric};

/// Who speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Instructions.
    System,
    /// The question.
    User,
}

/// One message of a prompt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RenderedMessage {
    /// Who speaks.
    pub role: Role,
    /// What is said.
    pub content: String,
}

/// A prompt, ready to be sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rendered {
    /// The messages in order.
    pub messages: Vec<RenderedMessage>,
    /// Estimated tokens of the document that are not shown; 0 when it is whole.
    pub tokens_cut: u32,
    /// Estimated tokens of all messages, with 4 for the frame of each.
    pub tokens: u32,
}

/// Follows the document when it was cut; outside its tags, so that a document cannot be told from it by its words alone.
pub(super) const CUT_HERE: &str = "\n[document cut here: the rest is not shown; judge what is]";

/// A document between tags of this name, with a note behind them if it was cut.
pub(super) fn shown_document(tag: &str, fitted: &super::Fitted<'_>) -> String {
    delimit::enclose(tag, fitted.shown, if fitted.tokens_cut > 0 { CUT_HERE } else { "" })
}

/// What every template may use of a rubric, under the same names.
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

/// A rubric to try a template out with.
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
        body: String::from("What relevant means."),
        hash: Hash([0; 32]),
    }
}
