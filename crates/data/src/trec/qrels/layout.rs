//! One line of qrels, in TREC's four columns or BEIR's three.

use crate::{
    DataError,
    beir::is_qrels_header,
    decimal::{parse_f64, parse_whole},
    error::so_many_columns,
    lines::Line,
    plain_line::PlainLine,
    words::Words,
};

/// The grades that are accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Grades {
    Whole,
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

    /// Returns the document and the grade of a plain line whose grade is one digit, which is a grade in any format.
    #[inline(always)]
    pub(super) fn plain_entry<'a>(self, line: PlainLine<'a, 4>) -> Option<(&'a str, f64)> {
        match (self, line.word(3).as_bytes()) {
            (Self::Trec, [digit @ b'0'..=b'9']) => Some((line.word(2), f64::from(digit - b'0'))),
            _ => None,
        }
    }

    /// Returns the document and the grade of the words behind the query. `line` is called if one is wrong.
    #[inline]
    pub(super) fn entry<'a: 'f, 'f>(
        self,
        topic: &'a str,
        words: &mut Words<'a>,
        grades: Grades,
        line: impl Fn(&Words<'a>) -> Line<'f>,
    ) -> Result<Option<(&'a str, f64)>, DataError> {
        debug_assert!(!topic.is_empty());
        let iteration = if self == Self::Trec { words.next() } else { Some("") };
        let (Some(iteration), Some(document), Some(written), false) =
            (iteration, words.next(), words.next(), words.skip())
        else {
            return Err(wrong_columns(&line(words), self));
        };
        match grade_of(written, grades) {
            Some(grade) if grade < 0.0 && iteration == DROPPED => Ok(Some((document, DROPPED_GRADE))),
            Some(grade) => Ok(Some((document, grade))),
            None => Err(wrong_grade(&line(words), self, written, grades)),
        }
    }
}

/// Returns a written grade, NaN for a word that means a missing one; `None` if it is neither.
#[inline]
pub(super) fn grade_of(written: &str, grades: Grades) -> Option<f64> {
    let grade = match grades {
        Grades::Whole => parse_whole(written).map(f64::from),
        Grades::Rounded => parse_f64(written).map(f64::round).filter(|grade| is_whole(*grade)),
        Grades::Order => parse_f64(written).filter(|grade| grade.is_finite()),
    };
    grade.or_else(|| is_missing(written).then_some(MISSING))
}

/// The second column of a pair that is dropped. Its grade is negative, so that trec_eval reads the pair as if it were
/// absent.
pub(in crate::trec) const DROPPED: &str = "dropped";

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
    let (expected, remedy) = match (grades, parse_f64(written)) {
        (Grades::Order, _) => ("a number, such as 0, 2 or 0.25", ""),
        (Grades::Whole | Grades::Rounded, None) => ("a whole number, such as 0, 2 or -1", ""),
        (Grades::Rounded, Some(_)) => {
            ("a number from -2147483648 to 2147483647", "Scale the grades to smaller numbers")
        }
        (Grades::Whole, Some(number)) if is_whole(number) => {
            let digits = format!("Write it in digits: {number}");
            return line.bad_column(
                column,
                "grade",
                written,
                "a whole number in digits, such as 0, 2 or -1",
                &digits,
            );
        }
        (Grades::Whole, Some(number)) if number.fract() == 0.0 => {
            ("a whole number from -2147483648 to 2147483647", "Scale the grades to smaller numbers")
        }
        (Grades::Whole, Some(_)) => (
            "a whole number, such as 0, 2 or -1",
            "Scale the grades to whole numbers, or round them (--round)",
        ),
    };
    line.bad_column(column, "grade", written, expected, remedy)
}

fn wrong_columns(line: &Line<'_>, layout: Layout) -> DataError {
    let found = line.text.split_ascii_whitespace().count();
    let (expected, remedy) = match (layout, found) {
        (Layout::Trec, 3) => (
            "the four of qrels: qid iter docid grade",
            "Three columns, qid docid grade, are read if all lines have them",
        ),
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
