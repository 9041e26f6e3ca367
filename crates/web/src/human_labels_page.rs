//! Annotators of a sample: progress, agreement, and the decision over time.

use llull::SampledPair;
use llull::review::{DecisionCourse, HumanLabelsStatus};
use serde::Serialize;
use serde_json::{Value, json};

/// How many rows a table has at most.
const ROWS: usize = 400;

#[derive(Serialize)]
struct CourseView<'a> {
    name: String,
    interim: bool,
    #[serde(flatten)]
    course: &'a DecisionCourse,
}

/// The values of the page; `number_of` gives the number of a query's page.
pub(crate) fn human_labels_view(
    status: &HumanLabelsStatus,
    number_of: impl Fn(&str) -> Option<usize>,
) -> Value {
    let row = |pair: &SampledPair| {
        json!({
            "query": pair.query,
            "number": number_of(&pair.query),
            "document": pair.document,
            "answers": pair.answers,
            "settled": pair.settled,
        })
    };
    json!({
        "status": status,
        "disputed": status.disputed.iter().take(ROWS).map(row).collect::<Vec<_>>(),
        "disputed_left_out": status.disputed.len().saturating_sub(ROWS),
        "courses": status.courses.iter().map(course).collect::<Vec<_>>(),
    })
}

fn course(course: &DecisionCourse) -> CourseView<'_> {
    CourseView { name: course.name(), interim: course.labelled < course.planned, course }
}
