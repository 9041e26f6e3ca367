//! The values of a rubric for every template.

use llull_core::{Hash, Scale};
use minijinja::{Value, context};

use super::anchors::AnchorOrder;
use crate::rubric::{Example, GradeDefinition, Rubric};

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
