//! Rows of query, document and number: named tuples of ir_measures, tuples, columns of tables.

use std::collections::BTreeMap;

use indexmap::IndexMap;
use llull::core::{Grade, Hits, Qrels, TopicQrels};
use llull::data::RepeatedGrades;
use llull::report::text::counted;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use rustc_hash::FxBuildHasher;

use super::dicts::{grade_of, identifier, push, score_of};
use super::type_of;
use crate::error::{of_inputs, of_value};

/// Results by query, in the order in which queries come first.
#[derive(Default)]
pub(crate) struct ResultRows {
    queries: IndexMap<String, Hits, FxBuildHasher>,
}

impl ResultRows {
    pub(super) fn push(&mut self, query: &str, document: &str, score: f64) -> PyResult<()> {
        let hits = match self.queries.get_mut(query) {
            Some(hits) => hits,
            None => self.queries.entry(query.to_owned()).or_default(),
        };
        push(hits, document, score)
    }

    /// Sets the results of a query.
    pub(super) fn set(&mut self, query: &str, hits: Hits) -> PyResult<()> {
        match self.queries.insert(query.to_owned(), hits) {
            None => Ok(()),
            Some(_) => Err(of_value(format!("query {query:?} is given twice; name each query once"))),
        }
    }

    /// Reads rows, whose first three fields count.
    pub(super) fn read(rows: &Bound<'_, PyAny>) -> PyResult<Self> {
        let mut read = Self::default();
        for row in rows.try_iter()? {
            let [query, document, score] = fields(&row?, "(query, document, score)")?;
            let name = identifier(&document)?;
            read.push(identifier(&query)?, name, score_of(&score, name)?)?;
        }
        Ok(read)
    }

    pub(super) fn queries(&self) -> impl Iterator<Item = (&str, &Hits)> {
        self.queries.iter().map(|(query, hits)| (query.as_str(), hits))
    }
}

/// Labels by query, and the rule for pairs that have several.
pub(super) struct LabelRows {
    queries: IndexMap<String, TopicQrels, FxBuildHasher>,
    round: bool,
    repeats: Option<RepeatedGrades>,
    /// The place of the last query: labels of one often lie together.
    last: usize,
    /// The grades of pairs that have several.
    several: BTreeMap<(String, String), Vec<f64>>,
    /// How many rows have no grade.
    missing: usize,
    /// How many rows repeat a pair with the same grade.
    repeated: usize,
}

impl LabelRows {
    pub(super) fn new(round: bool, repeats: Option<RepeatedGrades>) -> Self {
        let (queries, several) = (IndexMap::default(), BTreeMap::new());
        Self { queries, round, repeats, last: 0, several, missing: 0, repeated: 0 }
    }

    /// Adds a query that is to get so many labels.
    pub(super) fn add_query(&mut self, query: &str, labels: usize) {
        let entry = self.queries.entry(query.to_owned());
        self.last = entry.index();
        entry.or_insert_with(|| TopicQrels::with_capacity(labels, labels * 8));
    }

    /// Adds a label. A NaN is what frames have where there is no grade: that pair has no label.
    pub(super) fn push(&mut self, query: &str, document: &str, grade: f64) -> PyResult<()> {
        if grade.is_nan() {
            self.missing += 1;
            return Ok(());
        }
        let whole = if self.round { grade.round() } else { grade };
        let place = || format!("query {query:?}, document {document:?}: the grade is {grade}");
        if whole.abs() > f64::from(Grade::MAX) {
            return Err(of_value(format!("{}; expected a whole number of at most 32 bits", place())));
        }
        if whole.fract() != 0.0 {
            return Err(of_value(format!(
                "{}; expected a whole number, such as 0, 2 or -1. Scale the grades to whole numbers, or round them \
                 (round=True)",
                place()
            )));
        }
        if self.queries.get_index(self.last).is_none_or(|(last, _)| last != query) {
            self.add_query(query, 0);
        }
        let Some((_, topic)) = self.queries.get_index_mut(self.last) else { return Ok(()) };
        let whole = whole as Grade;
        let Some(before) = topic.insert(document, whole) else { return Ok(()) };
        match self.repeats {
            None if before == whole => {
                self.repeated += 1;
                Ok(())
            }
            None => Err(of_inputs(format!(
                "query {query:?}, document {document:?} has the grades {before} and {whole}; choose which counts: \
                 repeats=\"first\", \"last\", \"median\" or \"votes\""
            ))),
            Some(_) => {
                let pair = (query.to_owned(), document.to_owned());
                self.several.entry(pair).or_insert_with(|| vec![f64::from(before)]).push(f64::from(whole));
                Ok(())
            }
        }
    }

    /// Reads rows, whose first three fields count.
    pub(super) fn read(mut self, rows: &Bound<'_, PyAny>) -> PyResult<Self> {
        for row in rows.try_iter()? {
            let [query, document, grade] = fields(&row?, "(query, document, grade)")?;
            let name = identifier(&document)?;
            let query = identifier(&query)?;
            self.push(query, name, grade_of(&grade, query, name)?)?;
        }
        Ok(self)
    }

    /// What reading the rows remarked.
    pub(super) fn notes(&self) -> Vec<String> {
        let missing = (self.missing > 0).then(|| {
            let have = if self.missing == 1 { "has" } else { "have" };
            format!("labels: {} {have} no grade: these pairs have no label", counted(self.missing, "row"))
        });
        let repeated = (self.repeated > 0).then(|| {
            let repeat = if self.repeated == 1 { "repeats" } else { "repeat" };
            let rows = counted(self.repeated, "row");
            format!("labels: {rows} {repeat} a pair with the same grade; nothing changes by it")
        });
        missing.into_iter().chain(repeated).collect()
    }

    pub(super) fn qrels(mut self) -> Qrels {
        for ((query, document), grades) in &self.several {
            let chosen = self.repeats.and_then(|repeats| repeats.of(grades));
            if let (Some(grade), Some(topic)) = (chosen, self.queries.get_mut(query)) {
                topic.insert(document, grade as Grade);
            }
        }
        let mut qrels = Qrels::default();
        for (query, topic) in self.queries {
            qrels.insert_topic(query, topic);
        }
        qrels
    }
}

/// The first three fields of a row.
fn fields<'py>(row: &Bound<'py, PyAny>, form: &str) -> PyResult<[Bound<'py, PyAny>; 3]> {
    let field = |place: usize| row.get_item(place);
    match (field(0), field(1), field(2)) {
        (Ok(query), Ok(document), Ok(number)) => Ok([query, document, number]),
        _ => Err(PyTypeError::new_err(format!("a row is {form}; found {} {row:?}", type_of(row)))),
    }
}
