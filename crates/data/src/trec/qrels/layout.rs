//! One line of qrels, in TREC's four columns or BEIR's three.

use crate::{
    DataError,
    beir::is_qrels_header,
    decimal::{parse_f64, parse_whole},
    error::so_many_columns,
    lines::Line,
    words::Words,
};

/// The grades that are accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Grades {
    Whole,
    Order,
}

/// The columns of a file of qrels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Layout {
    Trec,
    Beir,
}

impl Layout {
    pub(super) fn of(first: &str) -> Self {
        if is_qrels_header(first) { Self::Beir } else { Self::Trec }
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
        let iteration = self == Self::Beir || words.skip();
        let (true, Some(document), Some(written), false) =
            (iteration, words.next(), words.next(), words.skip())
        else {
            return Err(wrong_columns(&line(words), self));
        };
        let grade = match grades {
            Grades::Whole => parse_whole(written).map(f64::from),
            Grades::Order => parse_f64(written).filter(|grade| grade.is_finite()),
        };
        match grade {
            Some(grade) => Ok(Some((document, grade))),
            None => Err(wrong_grade(&line(words), self, written, grades)),
        }
    }
}

fn wrong_grade(line: &Line<'_>, layout: Layout, written: &str, grades: Grades) -> DataError {
    let column = if layout == Layout::Trec { 4 } else { 3 };
    let (expected, remedy) = match (grades, parse_f64(written)) {
        (Grades::Order, _) => ("a number, such as 0, 2 or 0.25", ""),
        (Grades::Whole, None) => ("a whole number, such as 0, 2 or -1", ""),
        (Grades::Whole, Some(number)) if number.fract() == 0.0 => {
            ("a whole number from -2147483648 to 2147483647", "Scale the grades to smaller numbers")
        }
        (Grades::Whole, Some(_)) => {
            ("a whole number, such as 0, 2 or -1", "Scale the grades to whole numbers")
        }
    };
    line.bad_column(column, "grade", written, expected, remedy)
}

fn wrong_columns(line: &Line<'_>, layout: Layout) -> DataError {
    let found = line.text.split_ascii_whitespace().count();
    let (expected, remedy) = match (layout, found) {
        (Layout::Trec, 3) => (
            "the four of qrels: qid iter docid grade",
            "Three columns are read only under BEIR's header, query-id corpus-id score",
        ),
        (Layout::Trec, 5 | 6) => (
            "the four of qrels: qid iter docid grade",
            "Six columns are those of a run: is this the system's results?",
        ),
        (Layout::Trec, _) => ("the four of qrels: qid iter docid grade", ""),
        (Layout::Beir, _) => ("the three of BEIR's qrels: query-id corpus-id score", ""),
    };
    line.wrong(None, so_many_columns(found), expected, remedy)
}
