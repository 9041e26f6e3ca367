//! The lines of qrels: TREC's four columns or BEIR's three, and their labels.

use std::borrow::Cow;
use std::ops::Range;

use indexmap::IndexMap;
use llull_core::{GRADE_PARTS, Grade, Hits, Qrels, TopicQrels};
use rustc_hash::FxBuildHasher;

use super::read::OptionForm;
use crate::DataError;
use crate::beir::is_qrels_header;
use crate::decimal::{parse_f64, parse_whole};
use crate::error::so_many_columns;
use crate::lines::Line;
use crate::plain_line::PlainLine;
use crate::words::Words;

/// The grades that are accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Grades {
    Whole(OptionForm),
    /// Decimals are rounded.
    Rounded,
    Order,
}

/// The columns of a file of qrels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Layout {
    Trec,
    Beir,
    /// `qid docid grade`, without a header.
    Three,
    /// `qid docid grade iter`.
    IrDatasets {
        /// Whether the first line names the columns.
        header: bool,
    },
}

impl Layout {
    pub(super) fn of(first: &str) -> Self {
        let mut words = first.split_ascii_whitespace().skip(2);
        match (words.next(), words.next()) {
            _ if is_qrels_header(first) => Self::Beir,
            (Some(grade), None) if parse_f64(grade).is_some() || is_missing(grade) => Self::Three,
            _ => Self::Trec,
        }
    }

    /// Returns the document and the grade of a plain line whose grade is one digit, which is a grade in any format, and
    /// has no mean.
    #[inline(always)]
    pub(super) fn plain_entry<'a>(self, line: PlainLine<'a, 4>) -> Option<(&'a str, f64)> {
        match (self, line.word(3).as_bytes()) {
            (Self::Trec, [digit @ b'0'..=b'9']) if mean_in(line.word(1)).is_none() => {
                Some((line.word(2), f64::from(digit - b'0')))
            }
            _ => None,
        }
    }

    /// Returns the document and the grade of the words behind the query. `mean` is called if the label has a mean, and
    /// `line` if a word is wrong.
    #[inline]
    pub(super) fn entry<'a: 'f, 'f>(
        self,
        topic: &'a str,
        words: &mut Words<'a>,
        grades: Grades,
        mean: impl FnOnce(Grade),
        line: impl Fn(&Words<'a>) -> Line<'f>,
    ) -> Result<Option<(&'a str, f64)>, DataError> {
        debug_assert!(!topic.is_empty());
        let iteration = if self == Self::Trec { words.next() } else { Some("") };
        let (document, written) = (words.next(), words.next());
        let is_whole = !matches!(self, Self::IrDatasets { .. }) || words.next().is_some();
        let (Some(iteration), Some(document), Some(written), true, false) =
            (iteration, document, written, is_whole, words.skip())
        else {
            return Err(wrong_columns(&line(words), self));
        };
        match grade_of(written, grades) {
            Some(grade) if grade < 0.0 && iteration == DROPPED => Ok(Some((document, DROPPED_GRADE))),
            Some(grade) => {
                if let Some((_, written)) = mean_in(iteration).filter(|_| grade.is_finite()) {
                    let parts = in_parts(written).ok_or_else(|| {
                        let remedy = "Write 0 in the second column of a pair without a mean";
                        line(words).bad_column(2, "mean", written, "a number such as 1.5", remedy)
                    })?;
                    mean(parts);
                }
                Ok(Some((document, grade)))
            }
            None => Err(wrong_grade(&line(words), self, written, grades)),
        }
    }
}

/// Returns a written grade, NaN for a word that means a missing one; `None` if it is neither.
#[inline]
pub(super) fn grade_of(written: &str, grades: Grades) -> Option<f64> {
    let grade = match grades {
        Grades::Whole(_) => parse_whole(written).map(f64::from),
        Grades::Rounded => parse_f64(written).map(f64::round).filter(|grade| is_whole(*grade)),
        Grades::Order => parse_f64(written).filter(|grade| grade.is_finite()),
    };
    grade.or_else(|| is_missing(written).then_some(MISSING))
}

/// The second column of a pair that is dropped. Its grade is negative, so that trec_eval reads the pair as if it were
/// absent.
pub(in crate::trec) const DROPPED: &str = "dropped";

/// What stands before the mean of a panel's grades in the second column, alone or behind a source and a semicolon.
pub(in crate::trec) const MEAN: &str = "mean=";

/// Returns the source and the written mean of a second column that has a mean, `judges;mean=1.333333`.
#[inline]
pub(in crate::trec) fn mean_in(iteration: &str) -> Option<(&str, &str)> {
    let (source, written) = iteration.rsplit_once(MEAN)?;
    let source = if source.is_empty() { Some("0") } else { source.strip_suffix(';') };
    source.map(|source| (source, written))
}

/// Returns a written mean in parts of a grade; `None` if it is no number, or too large.
fn in_parts(written: &str) -> Option<Grade> {
    let parts = (parse_f64(written)? * f64::from(GRADE_PARTS)).round();
    is_whole(parts).then_some(parts as Grade)
}

/// The grade of a dropped pair.
pub(super) const DROPPED_GRADE: f64 = f64::NEG_INFINITY;

/// The grade of a pair that has none, since judging it failed.
const MISSING: f64 = f64::NAN;

/// Returns whether a word means a missing grade.
fn is_missing(written: &str) -> bool {
    const WORDS: [&str; 7] = ["error", "null", "none", "nan", "na", "n/a", "missing"];
    WORDS.iter().any(|word| written.eq_ignore_ascii_case(word))
}

fn is_whole(grade: f64) -> bool {
    f64::from(grade as i32) == grade
}

fn wrong_grade(line: &Line<'_>, layout: Layout, written: &str, grades: Grades) -> DataError {
    let column = if layout == Layout::Trec { 4 } else { 3 };
    let (expected, remedy) = expected_grade(written, grades);
    line.bad_column(column, "grade", written, expected, &remedy)
}

/// Returns what is expected in place of a text that is no grade, and advice; it can be empty.
pub(super) fn expected_grade(written: &str, grades: Grades) -> (&'static str, Cow<'static, str>) {
    const SMALLER: &str = "Scale the grades to smaller numbers";
    let (expected, remedy) = match (grades, parse_f64(written)) {
        (Grades::Order, _) => ("a number, such as 0, 2 or 0.25", ""),
        (Grades::Whole(_) | Grades::Rounded, None) => ("a whole number, such as 0, 2 or -1", ""),
        (Grades::Rounded, Some(_)) => ("a number from -2147483648 to 2147483647", SMALLER),
        (Grades::Whole(_), Some(number)) if is_whole(number) => {
            let digits = format!("Write it in digits: {number}");
            return ("a whole number in digits, such as 0, 2 or -1", digits.into());
        }
        (Grades::Whole(_), Some(number)) if number.fract() == 0.0 => {
            ("a whole number from -2147483648 to 2147483647", SMALLER)
        }
        (Grades::Whole(form), Some(_)) => ("a whole number, such as 0, 2 or -1", form.rounding()),
    };
    (expected, remedy.into())
}

fn wrong_columns(line: &Line<'_>, layout: Layout) -> DataError {
    let found = line.text.split_ascii_whitespace().count();
    let (expected, remedy) = match (layout, found) {
        (Layout::Trec, 3) => (
            "the four of qrels: qid iter docid grade",
            "Three columns, qid docid grade, are read if all lines have them",
        ),
        (Layout::IrDatasets { .. }, _) => ("the four of ir_datasets: qid docid grade iter", ""),
        (Layout::Three, _) => ("three, as in the first line: qid docid grade", ""),
        (Layout::Trec, 5 | 6) => (
            "the four of qrels: qid iter docid grade",
            "Six columns are those of a run: is this the system's results?",
        ),
        (Layout::Trec, _) => ("the four of qrels: qid iter docid grade", ""),
        (Layout::Beir, _) => ("the three of BEIR's qrels: query-id corpus-id score", ""),
    };
    line.wrong(None, so_many_columns(found), expected, remedy)
}

/// Labels that are being collected.
pub(super) trait Labels: Default + Send {
    /// The labels of a query whose lines are consecutive.
    type Topic: Send;

    /// Returns the labels of these lines; `None` if they must be inserted one by one, as when a document
    /// occurs twice.
    fn make(hits: &Hits, range: Range<usize>) -> Option<Self::Topic>;

    /// Adds all labels of a query, unless it has some already.
    fn insert_topic(&mut self, topic: &str, labels: Self::Topic) -> Result<(), Self::Topic>;

    /// Sets a grade, which has no mean then. Returns the previous one, if any.
    fn insert(&mut self, topic: &str, document: &str, grade: f64) -> Option<f64>;

    /// Sets the mean of a grade. Grades that are numbered have none.
    fn set_mean(&mut self, topic: &str, document: &str, mean: Grade);

    /// Returns the labels, and the number of levels if the grades were numbered.
    fn finish(self) -> (Qrels, Option<usize>);
}

/// Labels whose grades are whole numbers.
#[derive(Default)]
pub(super) struct Whole(Qrels);

impl Labels for Whole {
    type Topic = TopicQrels;

    fn make(hits: &Hits, range: Range<usize>) -> Option<TopicQrels> {
        let mut labels = TopicQrels::with_capacity(range.len(), hits.bytes(range.clone()));
        for index in range {
            let (document, grade) = hits.get(index)?;
            if !grade.is_finite() || labels.insert(document, grade as Grade).is_some() {
                return None;
            }
        }
        Some(labels)
    }

    fn insert_topic(&mut self, topic: &str, labels: TopicQrels) -> Result<(), TopicQrels> {
        if self.0.topic(topic).is_some() {
            return Err(labels);
        }
        self.0.insert_topic(topic, labels);
        Ok(())
    }

    fn insert(&mut self, topic: &str, document: &str, grade: f64) -> Option<f64> {
        self.0.insert(topic, document, grade as Grade).map(f64::from)
    }

    fn set_mean(&mut self, topic: &str, document: &str, mean: Grade) {
        self.0.set_mean(topic, document, mean);
    }

    fn finish(self) -> (Qrels, Option<usize>) {
        (self.0, None)
    }
}

/// The grades of a query's documents, with their means.
type GradesInOrder = IndexMap<Box<str>, (f64, Option<Grade>), FxBuildHasher>;

/// Labels whose grades count only by their order.
#[derive(Default)]
pub(super) struct InOrder(IndexMap<String, GradesInOrder, FxBuildHasher>);

impl Labels for InOrder {
    type Topic = ();

    fn make(_: &Hits, _: Range<usize>) -> Option<()> {
        None
    }

    fn insert_topic(&mut self, _: &str, labels: ()) -> Result<(), ()> {
        Err(labels)
    }

    fn insert(&mut self, topic: &str, document: &str, grade: f64) -> Option<f64> {
        let before = match self.0.get_mut(topic) {
            Some(documents) => documents.insert(document.into(), (grade, None)),
            None => self.0.entry(topic.to_owned()).or_default().insert(document.into(), (grade, None)),
        };
        before.map(|(grade, _)| grade)
    }

    fn set_mean(&mut self, topic: &str, document: &str, mean: Grade) {
        if let Some(label) = self.0.get_mut(topic).and_then(|documents| documents.get_mut(document)) {
            label.1 = Some(mean);
        }
    }

    fn finish(self) -> (Qrels, Option<usize>) {
        let grades = || self.0.values().flat_map(IndexMap::values).map(|(grade, _)| *grade);
        let fractions = grades().any(|grade| whole(grade).is_none());
        let mut levels: Vec<f64> = grades().filter(|grade| fractions && *grade > 0.0).collect();
        levels.sort_unstable_by(f64::total_cmp);
        levels.dedup();
        let numbered = |grade: f64| match levels.binary_search_by(|level| level.total_cmp(&grade)) {
            Ok(place) => place as Grade + 1,
            // Nothing was numbered, or the grade is not above 0.
            Err(_) => whole(grade).unwrap_or(0),
        };
        let mut qrels = Qrels::default();
        for (topic, documents) in &self.0 {
            let labels = documents.iter().map(|(document, (grade, _))| (document.clone(), numbered(*grade)));
            let mut labels: TopicQrels = labels.collect();
            for (at, (_, mean)) in documents.values().enumerate().filter(|_| !fractions) {
                if let Some(mean) = *mean {
                    labels.set_mean(at, mean);
                }
            }
            qrels.insert_topic(topic.as_str(), labels);
        }
        (qrels, fractions.then_some(levels.len()))
    }
}

/// Returns the grade itself, if it is a whole number.
fn whole(grade: f64) -> Option<Grade> {
    let whole = grade as Grade;
    (f64::from(whole) == grade).then_some(whole)
}
