//! Qrels of several judges in one file.
//!
//! The columns are `qid judge docid grade` (trec_eval's `-R qrels_jg`).

use std::path::Path;

use indexmap::IndexMap;
use llull_core::{Grade, Qrels};
use rustc_hash::FxHashSet;

use super::qrels::{DROPPED, GRADES, QrelsNotes, graded_and_dropped, mean_in};
use crate::{
    Conflict, DataError, LineError,
    decimal::parse_whole,
    error::{shown_path, so_many_columns},
    identifier::check_identifier,
    lines::{Line, Lines},
};

/// The labels of several judges in a file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct JudgesFile {
    /// The labels by judge, in the order in which the judges were first seen. A query that a judge did not
    /// judge is not among theirs.
    pub judges: IndexMap<String, Qrels>,
    /// Remarks on the file.
    pub notes: QrelsNotes,
}

/// Reads `qid judge docid grade` in any white space, as trec_eval does with `-R qrels_jg`. The second column, which
/// [`read_qrels`](super::read_qrels) ignores, is the judge who gave the grade.
///
/// Blank lines and lines whose first word begins with `#` are skipped. A line whose judge is `dropped` and whose grade
/// is negative [drops](llull_core::Qrels::drop_pair) the pair for all judges. The mean of a panel is not part of a
/// judge's name; lines with a mean alone are those of `0`.
///
/// # Errors
/// Returns an error if the file cannot be read, a line has another number of columns, or a grade is not a whole
/// number. It also refuses a pair that is graded and dropped, two different grades of a pair by one judge, and columns
/// in the order of ir_datasets, `qid docid grade iter`.
pub fn read_qrels_jg(path: impl AsRef<Path>) -> Result<JudgesFile, DataError> {
    let mut lines = Lines::open(path.as_ref())?;
    let mut file = JudgesFile::default();
    let mut dropped: Vec<(String, String, u64)> = Vec::new();
    let mut first = None;
    while let Some(line) = lines.next_entry()? {
        first.get_or_insert_with(|| (line.file.to_owned(), line.number));
        let Judged { topic, judge, document, grade } = Judged::parse(&line)?;
        let judge = mean_in(judge).map_or(judge, |(source, _)| source);
        file.notes.lines += 1;
        if judge == DROPPED && grade < 0 {
            dropped.push((topic.to_owned(), document.to_owned(), line.number));
            continue;
        }
        let qrels = match file.judges.get_index_of(judge) {
            Some(at) => &mut file.judges[at],
            None => file.judges.entry(judge.to_owned()).or_default(),
        };
        match qrels.insert(topic, document, grade) {
            Some(before) if before != grade => {
                return Err(DataError::from(Conflict {
                    file: line.file.to_owned(),
                    first: None,
                    second: line.number.into(),
                    what: format!(
                        "judge {judge} grades document {document} of query {topic} {before} and then {grade}"
                    ),
                    remedy: "Keep one of them, or give each judge a name of their own".into(),
                }));
            }
            Some(_) => file.notes.repeat(line.number, topic, document),
            None => {}
        }
    }
    for (topic, document, line) in dropped {
        for qrels in file.judges.values_mut() {
            if let Some(grade) = qrels.grade(&topic, &document) {
                return Err(graded_and_dropped(shown_path(path.as_ref()), (&topic, &document), grade, line));
            }
            qrels.drop_pair(&topic, &document);
        }
    }
    match first {
        Some((name, line)) if file.is_in_other_order() => Err(DataError::from(LineError {
            file: name,
            line,
            column: None,
            found: "the columns qid docid grade iter, as ir_datasets has them".into(),
            expected: "the order of qrels_jg: qid judge docid grade".into(),
            remedy: "Its second column names no judges; reorder it as qrels: \
                     awk '{print $1, $4, $2, $3}' OLD > NEW"
                .into(),
        })),
        _ => Ok(file),
    }
}

impl JudgesFile {
    /// Whether the judges would be documents, the documents grades, and the grades ir_datasets' iterations: small
    /// numbers, fewer than there are judges, all with one grade.
    fn is_in_other_order(&self) -> bool {
        let mut labels =
            self.judges.values().flat_map(Qrels::iter).flat_map(|(_, documents)| documents.iter());
        let mut documents = FxHashSet::default();
        let (mut lowest, mut highest) = (Grade::MAX, Grade::MIN);
        labels.all(|(document, grade)| {
            documents.insert(document);
            (lowest, highest) = (lowest.min(*grade), highest.max(*grade));
            lowest == highest && parse_whole(document).is_some_and(|number| GRADES.contains(&number))
        }) && documents.len() < self.judges.len()
    }
}

struct Judged<'a> {
    topic: &'a str,
    judge: &'a str,
    document: &'a str,
    grade: Grade,
}

impl<'a> Judged<'a> {
    fn parse(line: &Line<'a>) -> Result<Self, DataError> {
        let mut columns = line.text.split_ascii_whitespace();
        let (Some(topic), Some(judge), Some(document), Some(grade), None) =
            (columns.next(), columns.next(), columns.next(), columns.next(), columns.next())
        else {
            let found = line.text.split_ascii_whitespace().count();
            let remedy = match found {
                3 => "Three columns do not name a judge: is this a file of one judge?",
                5 => "Five columns are those of preferences (prefs)",
                6 => "Six columns are those of a run: is this the system's results?",
                _ => "",
            };
            let expected = "the four of qrels_jg: qid judge docid grade";
            return Err(line.wrong(None, so_many_columns(found), expected, remedy));
        };
        for id in [topic, judge, document] {
            check_identifier(line, id)?;
        }
        let grade = parse_whole(grade).ok_or_else(|| {
            let remedy = if grade.parse::<f64>().is_ok() { "Scale the grades to whole numbers" } else { "" };
            line.bad_column(4, "grade", grade, "a whole number, such as 0, 2 or -1", remedy)
        })?;
        Ok(Self { topic, judge, document, grade })
    }
}
