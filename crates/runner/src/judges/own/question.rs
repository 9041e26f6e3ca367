//! Writes the question to a judge of the user's own.

use llull_core::Document;
use llull_judge::Rubric;
use serde::Serialize;

/// A question in the JSON form that is sent.
#[derive(Serialize)]
pub(super) struct OwnQuestion<'a> {
    pub(super) id: &'a str,
    pub(super) query: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) expected: Option<&'a str>,
    #[serde(flatten)]
    pub(super) documents: AskedDocuments<'a>,
    pub(super) rubric: &'a AskedRubric,
}

/// The document to grade, or those to order.
#[derive(Serialize)]
#[serde(untagged)]
pub(super) enum AskedDocuments<'a> {
    One(AskedDocument<'a>),
    Several { documents: Vec<AskedDocument<'a>> },
}

/// The texts of a document.
#[derive(Default, Serialize)]
pub(super) struct AskedDocument<'a> {
    title: &'a str,
    text: &'a str,
}

impl<'a> From<Option<&'a Document>> for AskedDocument<'a> {
    fn from(document: Option<&'a Document>) -> Self {
        document.map_or_else(Self::default, |Document { title, text, .. }| Self { title, text })
    }
}

/// A rubric in the JSON form that is sent with every question.
#[derive(Debug, Clone, Serialize)]
pub(super) struct AskedRubric {
    name: String,
    low: i32,
    high: i32,
    cutoff: i32,
    grades: Vec<AskedGrade>,
    text: String,
}

#[derive(Debug, Clone, Serialize)]
struct AskedGrade {
    grade: i32,
    name: String,
    definition: String,
}

impl From<&Rubric> for AskedRubric {
    fn from(rubric: &Rubric) -> Self {
        let grade = |grade: &llull_judge::GradeDefinition| AskedGrade {
            grade: grade.grade,
            name: grade.name.clone(),
            definition: grade.definition.clone(),
        };
        Self {
            name: rubric.name.clone(),
            low: rubric.scale.low(),
            high: rubric.scale.high(),
            cutoff: rubric.cutoff,
            grades: rubric.grades.iter().map(grade).collect(),
            text: rubric.body.clone(),
        }
    }
}
