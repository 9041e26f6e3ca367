//! Annotators of a sample: progress, agreement, and the decision over time.

use llull::SampledPair;
use llull::report::{CourseDot, course_chart};
use llull::review::{DecisionCourse, HumanLabelsStatus};
use serde::Serialize;
use serde_json::{Value, json};

/// How many rows a table has at most.
const ROWS: usize = 400;

#[derive(Serialize)]
struct CourseView {
    name: String,
    /// Empty where nothing can be drawn.
    chart: Option<String>,
    interim: bool,
    #[serde(flatten)]
    course: DecisionCourse,
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

fn course(course: &DecisionCourse) -> CourseView {
    let dots: Vec<CourseDot> = course
        .points
        .iter()
        .filter_map(|point| {
            let found = point.estimate?;
            let (value, low, high) = (found.value, found.low, found.high);
            Some(CourseDot { labels: point.labels, value, low, high, decides: point.decides })
        })
        .collect();
    let name = course.name();
    let chart = (!dots.is_empty()).then(|| {
        let title = format!("{} of {name} as labels came in", course.measure);
        course_chart(
            &title,
            &format!("{} of {name}", course.measure),
            &dots,
            course.planned,
            course.baseline.is_some(),
        )
    });
    CourseView { chart, interim: course.labelled < course.planned, course: course.clone(), name }
}
