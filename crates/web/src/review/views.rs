//! The values of pages: a pair, its rubric, the annotator's own answer.
//!
//! They hold nothing of other annotators. A pair is a query with a document to grade, or with two to compare.

use llull::core::Grade;
use llull::judge::Rubric;
use llull::report::text::shorten;
use llull::review::{
    AnnotatorAnswer, ItemState, ReviewDesk, ReviewForm, ReviewQueue, ReviewTally, RightDocument,
};
use serde::Serialize;

use super::marked::{MarkedWords, marked};
use super::pace::Pace;
use super::rubric_html::markdown_html;

/// Pairs on a page of the list.
const PAGE: usize = 100;
/// How long a text may be in the list, in characters.
const SHORT: usize = 160;

/// The rubric. Its texts are HTML.
#[derive(Debug, Clone, Serialize)]
pub(super) struct RubricView {
    name: String,
    body: String,
    grades: Vec<GradeView>,
}

#[derive(Debug, Clone, Serialize)]
struct GradeView {
    grade: Grade,
    /// The keys that give it, with spaces between them: a digit, and of yes and no a letter.
    keys: String,
    name: String,
    definition: String,
    example: Option<ExampleView>,
}

#[derive(Debug, Clone, Serialize)]
struct ExampleView {
    query: String,
    document: String,
    why: String,
}

/// A text as HTML whose lines stay lines.
fn lines(text: &str) -> String {
    marked(text, &MarkedWords::default()).0
}

impl RubricView {
    /// The rubric under which pairs are graded, or texts hold an expected answer.
    pub(super) fn new(rubric: &Rubric, is_of_answers: bool) -> Self {
        let yes_or_no = is_of_answers && (rubric.scale.low(), rubric.scale.high()) == (0, 1);
        let keys = |grade: Grade| match grade {
            // The note has the key n everywhere, so that an annotator with both kinds of pairs answers nothing by
            // habit.
            0 if yes_or_no => "0 x".to_owned(),
            1 if yes_or_no => "1 y".to_owned(),
            0..=9 => grade.to_string(),
            _ => String::new(),
        };
        let grade = |grade: &llull::judge::GradeDefinition| GradeView {
            grade: grade.grade,
            keys: keys(grade.grade),
            name: grade.name.clone(),
            definition: markdown_html(&grade.definition),
            example: grade.example.as_ref().map(|example| ExampleView {
                query: lines(&example.query),
                document: lines(&example.document),
                why: lines(&example.why),
            }),
        };
        Self {
            name: rubric.name.clone(),
            body: markdown_html(&rubric.body),
            grades: rubric.grades.iter().map(grade).collect(),
        }
    }
}

/// The page of a pair.
#[derive(Serialize)]
pub(super) struct PairView<'a> {
    rubric: &'a RubricView,
    #[serde(rename = "person")]
    annotator: &'a str,
    number: usize,
    item: &'a str,
    times: usize,
    query: &'a str,
    /// HTML.
    question: String,
    /// The expected answer as HTML, if annotators check texts for one.
    expected: Option<String>,
    document: &'a str,
    /// HTML.
    title: String,
    /// HTML.
    text: String,
    /// How many bytes of the text are not shown.
    cut: usize,
    /// The document on the right, where two are compared.
    right: Option<RightView<'a>>,
    state: &'static str,
    /// The annotator's answer: a grade, or `left`, `right` or `neither`.
    given: Option<String>,
    /// HTML.
    note: String,
    tally: ReviewTally,
    /// The time for the open pairs at the annotator's pace; `None` if it is not known yet.
    minutes_left: Option<u64>,
    last: Option<LastView<'a>>,
    /// How many places there are.
    all: usize,
    previous: Option<usize>,
    next: Option<usize>,
}

/// The second of two documents.
#[derive(Serialize)]
struct RightView<'a> {
    document: &'a str,
    /// HTML.
    title: String,
    /// HTML.
    text: String,
    cut: usize,
}

/// The annotator's last pair, which can be undone.
#[derive(Serialize)]
struct LastView<'a> {
    number: usize,
    item: &'a str,
    times: usize,
    state: &'static str,
    given: Option<String>,
}

impl<'a> PairView<'a> {
    pub(super) fn new(
        desk: &'a ReviewDesk,
        rubric: &'a RubricView,
        (annotator, pace): (&'a str, Option<&Pace>),
        at: usize,
    ) -> Option<Self> {
        let item = desk.item(at)?;
        let words = MarkedWords::of(item.question, item.expected);
        let (text, cut) = marked(item.text, &words);
        let right = item.right.map(|RightDocument { document, title, text }| {
            let (text, cut) = marked(text, &words);
            RightView { document, title: marked(title, &words).0, text, cut }
        });
        let (state, tally) = (desk.state(at, annotator), desk.tally(annotator));
        let last = desk.last_done(annotator).and_then(|last| {
            let state = desk.state(last, annotator);
            Some(LastView {
                number: last + 1,
                item: desk.item(last)?.id,
                times: desk.times(last, annotator),
                state: state_name(state),
                given: given(state),
            })
        });
        Some(Self {
            rubric,
            annotator,
            number: at + 1,
            item: item.id,
            times: desk.times(at, annotator),
            query: item.query,
            question: lines(item.question),
            expected: item.expected.map(lines),
            document: item.document,
            title: marked(item.title, &words).0,
            text,
            cut,
            right,
            state: state_name(state),
            given: given(state),
            note: lines(desk.note(at, annotator)),
            minutes_left: pace.and_then(|pace| pace.minutes(tally.open + tally.later)),
            tally,
            last: last.filter(|last| !matches!(last.state, "open" | "full")),
            all: desk.all_places(),
            previous: desk.beside(at).0.map(|at| at + 1),
            next: desk.beside(at).1.map(|at| at + 1),
        })
    }
}

fn given(state: ItemState) -> Option<String> {
    match state {
        ItemState::Answered(AnnotatorAnswer::Grade(grade)) => Some(grade.to_string()),
        ItemState::Answered(choice @ AnnotatorAnswer::Choice(_)) => Some(choice.to_string()),
        _ => None,
    }
}

fn state_name(state: ItemState) -> &'static str {
    match state {
        ItemState::Open => "open",
        ItemState::Answered(_) => "answered",
        ItemState::Skipped => "skipped",
        ItemState::Later => "later",
        ItemState::CannotTell => "cannot tell",
        ItemState::Full => "full",
    }
}

/// The page where nothing is left.
#[derive(Serialize)]
pub(super) struct FinishedView<'a> {
    #[serde(rename = "person")]
    annotator: &'a str,
    tally: ReviewTally,
    people: Vec<AnnotatorView<'a>>,
    is_sample: bool,
    compares: bool,
    /// Whether its pairs have labels of others, which its answers take the place of.
    settles: bool,
    is_of_answers: bool,
    overlap: Option<usize>,
}

#[derive(Serialize)]
struct AnnotatorView<'a> {
    name: &'a str,
    pairs: usize,
}

impl<'a> FinishedView<'a> {
    pub(super) fn new(desk: &'a ReviewDesk, annotator: &'a str) -> Self {
        Self {
            annotator,
            tally: desk.tally(annotator),
            people: people(desk),
            is_sample: *desk.queue() == ReviewQueue::Sample,
            compares: desk.form() == ReviewForm::Compare,
            settles: matches!(desk.queue(), ReviewQueue::Adjudicate(_)),
            is_of_answers: desk.is_of_answers(),
            overlap: desk.overlap(),
        }
    }
}

fn people(desk: &ReviewDesk) -> Vec<AnnotatorView<'_>> {
    desk.annotators().into_iter().map(|(name, pairs)| AnnotatorView { name, pairs }).collect()
}

/// A page of the list.
#[derive(Serialize)]
pub(super) struct ListView<'a> {
    #[serde(rename = "person")]
    annotator: &'a str,
    queue: String,
    is_of_answers: bool,
    overlap: Option<usize>,
    tally: ReviewTally,
    people: Vec<AnnotatorView<'a>>,
    rows: Vec<RowView>,
    compares: bool,
    page: usize,
    pages: usize,
}

#[derive(Serialize)]
struct RowView {
    number: usize,
    question: String,
    expected: Option<String>,
    title: String,
    /// The title of the document on the right.
    right: String,
    state: &'static str,
    given: Option<String>,
    note: String,
}

impl<'a> ListView<'a> {
    pub(super) fn new(desk: &'a ReviewDesk, annotator: &'a str, page: usize) -> Self {
        let pages = desk.len().div_ceil(PAGE).max(1);
        let page = page.clamp(1, pages);
        let row = |at: usize| {
            let (item, state) = (desk.item(at)?, desk.state(at, annotator));
            let title = |title: &str, text: &str| shorten(if title.is_empty() { text } else { title }, SHORT);
            Some(RowView {
                number: at + 1,
                question: shorten(item.question, SHORT),
                expected: item.expected.map(|expected| shorten(expected, SHORT)),
                title: title(item.title, item.text),
                right: item.right.map(|right| title(right.title, right.text)).unwrap_or_default(),
                state: state_name(state),
                given: given(state),
                note: shorten(desk.note(at, annotator), SHORT),
            })
        };
        Self {
            annotator,
            queue: desk.queue().to_string(),
            is_of_answers: desk.is_of_answers(),
            overlap: desk.overlap(),
            tally: desk.tally(annotator),
            people: people(desk),
            compares: desk.form() == ReviewForm::Compare,
            rows: desk.places().into_iter().skip((page - 1) * PAGE).take(PAGE).filter_map(row).collect(),
            page,
            pages,
        }
    }
}
