//! The values of pages: a pair, its rubric, the annotator's own answer.
//!
//! They hold nothing of other annotators. A pair is a query with a document to grade, or with two to compare.

use llull::core::Grade;
use llull::judge::{GradeDefinition, Rubric};
use llull::report::text::shorten;
use llull::review::{AnnotatorAnswer, ItemState, ReviewDesk, ReviewForm, ReviewQueue, RightDocument};
use serde_json::{Value, json};

use super::marked::{MarkedWords, marked};
use super::pace::Pace;
use super::rubric_html::markdown_html;

/// Pairs on a page of the list.
const PAGE: usize = 100;
/// How long a text may be in the list, in characters.
const SHORT: usize = 160;

/// A text as HTML whose lines stay lines.
fn lines(text: &str) -> String {
    marked(text, &MarkedWords::default()).0
}

/// The values of the rubric under which pairs are graded, or texts hold an expected answer. Texts are HTML.
pub(super) fn rubric_view(rubric: &Rubric, is_of_answers: bool) -> Value {
    let yes_or_no = is_of_answers && (rubric.scale.low(), rubric.scale.high()) == (0, 1);
    let keys = |grade: Grade| match grade {
        // The note has the key n everywhere, so that an annotator with both kinds of pairs answers nothing by habit.
        0 if yes_or_no => "0 x".to_owned(),
        1 if yes_or_no => "1 y".to_owned(),
        0..=9 => grade.to_string(),
        _ => String::new(),
    };
    let grade = |grade: &GradeDefinition| {
        let example = grade.example.as_ref().map(|example| {
            json!({
                "query": lines(&example.query),
                "document": lines(&example.document),
                "why": lines(&example.why),
            })
        });
        json!({
            "grade": grade.grade,
            // The keys that give it, with spaces between them: a digit, and of yes and no a letter.
            "keys": keys(grade.grade),
            "name": grade.name,
            "definition": markdown_html(&grade.definition),
            "example": example,
        })
    };
    json!({
        "name": rubric.name,
        "body": markdown_html(&rubric.body),
        "grades": rubric.grades.iter().map(grade).collect::<Vec<_>>(),
    })
}

/// The values of the page of a pair; `None` past the end of the queue. Texts are HTML.
pub(super) fn pair_view(
    desk: &ReviewDesk,
    rubric: &Value,
    (annotator, pace): (&str, Option<&Pace>),
    at: usize,
) -> Option<Value> {
    let item = desk.item(at)?;
    let words = MarkedWords::of(item.question, item.expected);
    let (text, cut) = marked(item.text, &words);
    // The second of two documents.
    let right = item.right.map(|RightDocument { document, title, text }| {
        let (text, cut) = marked(text, &words);
        json!({"document": document, "title": marked(title, &words).0, "text": text, "cut": cut})
    });
    let (state, tally) = (desk.state(at, annotator), desk.tally(annotator));
    // The annotator's last pair, which can be undone.
    let last = desk.last_done(annotator).and_then(|last| {
        let state = desk.state(last, annotator);
        let item = desk.item(last).filter(|_| !matches!(state, ItemState::Open | ItemState::Full))?;
        Some(json!({
            "number": last + 1,
            "item": item.id,
            "times": desk.times(last, annotator),
            "state": state_name(state),
            "given": given(state),
        }))
    });
    Some(json!({
        "rubric": rubric,
        "person": annotator,
        "number": at + 1,
        "item": item.id,
        "times": desk.times(at, annotator),
        "query": item.query,
        "question": lines(item.question),
        // The expected answer, if annotators check texts for one.
        "expected": item.expected.map(lines),
        "document": item.document,
        "title": marked(item.title, &words).0,
        "text": text,
        // How many bytes of the text are not shown.
        "cut": cut,
        // The document on the right, where two are compared.
        "right": right,
        "state": state_name(state),
        // The annotator's answer: a grade, or `left`, `right` or `neither`.
        "given": given(state),
        "note": lines(desk.note(at, annotator)),
        // The time for the open pairs at the annotator's pace; null if it is not known yet.
        "minutes_left": pace.and_then(|pace| pace.minutes(tally.open + tally.later)),
        "tally": tally,
        "last": last,
        // How many places there are.
        "all": desk.all_places(),
        "previous": desk.beside(at).0.map(|at| at + 1),
        "next": desk.beside(at).1.map(|at| at + 1),
    }))
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

/// The values of the page where nothing is left.
pub(super) fn finished_view(desk: &ReviewDesk, annotator: &str) -> Value {
    json!({
        "person": annotator,
        "tally": desk.tally(annotator),
        "people": people(desk),
        "is_sample": *desk.queue() == ReviewQueue::Sample,
        "compares": desk.form() == ReviewForm::Compare,
        // Whether its pairs have labels of others, which its answers take the place of.
        "settles": matches!(desk.queue(), ReviewQueue::Adjudicate(_)),
        "is_of_answers": desk.is_of_answers(),
        "overlap": desk.overlap(),
    })
}

fn people(desk: &ReviewDesk) -> Vec<Value> {
    let annotator = |(name, pairs)| json!({"name": name, "pairs": pairs});
    desk.annotators().into_iter().map(annotator).collect()
}

/// The values of a page of the list.
pub(super) fn list_view(desk: &ReviewDesk, annotator: &str, page: usize) -> Value {
    let pages = desk.len().div_ceil(PAGE).max(1);
    let page = page.clamp(1, pages);
    let row = |at: usize| {
        let (item, state) = (desk.item(at)?, desk.state(at, annotator));
        let title = |title: &str, text: &str| shorten(if title.is_empty() { text } else { title }, SHORT);
        Some(json!({
            "number": at + 1,
            "question": shorten(item.question, SHORT),
            "expected": item.expected.map(|expected| shorten(expected, SHORT)),
            "title": title(item.title, item.text),
            // The title of the document on the right.
            "right": item.right.map(|right| title(right.title, right.text)).unwrap_or_default(),
            "state": state_name(state),
            "given": given(state),
            "note": shorten(desk.note(at, annotator), SHORT),
        }))
    };
    let rows = desk.places().into_iter().skip((page - 1) * PAGE).take(PAGE).filter_map(row);
    json!({
        "person": annotator,
        "queue": desk.queue().to_string(),
        "is_of_answers": desk.is_of_answers(),
        "overlap": desk.overlap(),
        "tally": desk.tally(annotator),
        "people": people(desk),
        "compares": desk.form() == ReviewForm::Compare,
        "rows": rows.collect::<Vec<_>>(),
        "page": page,
        "pages": pages,
    })
}
