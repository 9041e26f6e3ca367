//! Annotators of a sample: progress, agreement, and the decision over time.

use llull::report::{CourseDot, course_chart};
use llull::review::{DecisionCourse, HumanLabelsStatus};
use llull::{AnnotatorGrade, SampledPair};
use serde::Serialize;

/// How many rows a table has at most.
const ROWS: usize = 400;

/// The values of the page.
#[derive(Serialize)]
pub(crate) struct HumanLabelsView {
    status: HumanLabelsStatus,
    disputed: Vec<DisputedRow>,
    disputed_left_out: usize,
    courses: Vec<CourseView>,
}

#[derive(Serialize)]
struct DisputedRow {
    query: String,
    /// The number of the query's page.
    number: Option<usize>,
    document: String,
    answers: Vec<AnnotatorGrade>,
    settled: Option<AnnotatorGrade>,
}

#[derive(Serialize)]
struct CourseView {
    name: String,
    /// Empty where nothing can be drawn.
    chart: Option<String>,
    interim: bool,
    #[serde(flatten)]
    course: DecisionCourse,
}

impl HumanLabelsView {
    /// Puts the page together; `number_of` gives the number of a query's page.
    pub(crate) fn new(status: HumanLabelsStatus, number_of: impl Fn(&str) -> Option<usize>) -> Self {
        let row = |pair: &SampledPair| DisputedRow {
            query: pair.query.clone(),
            number: number_of(&pair.query),
            document: pair.document.clone(),
            answers: pair.answers.clone(),
            settled: pair.settled.clone(),
        };
        Self {
            disputed: status.disputed.iter().take(ROWS).map(row).collect(),
            disputed_left_out: status.disputed.len().saturating_sub(ROWS),
            courses: status.courses.iter().map(course).collect(),
            status,
        }
    }
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
