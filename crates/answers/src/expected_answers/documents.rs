//! The documents of a query, for the table of a report.

use indexmap::IndexMap;
use llull_core::Grade;
use llull_data::FoundDocument;
use llull_report::text::shorten;
use llull_report::{DocumentDetail, JudgeAnswer, sort_documents};
use rustc_hash::FxBuildHasher;

/// The maximum length of a title, in characters.
const TITLE: usize = 100;
/// The maximum length of an excerpt, in characters.
const EXCERPT: usize = 400;

/// A system's result, with its judgment.
pub(super) struct RankedResult<'a> {
    pub(super) system: usize,
    /// From 1.
    pub(super) rank: usize,
    pub(super) result: &'a FoundDocument,
    /// The text by which it was judged.
    pub(super) text: &'a str,
    /// 1 if it contains a new answer, 0 if it contains none, `None` if that is unknown.
    pub(super) grade: Option<Grade>,
    /// The reason for the grade, or why it is unknown.
    pub(super) because: Option<String>,
}

/// A document is one row for all systems that found it with the same outcome. It may count as an answer in one system
/// and not in another, where a better result has the answer already; and a system may return it twice.
type Row<'a> = (&'a str, Option<Grade>, usize);

pub(super) struct QueryDocuments<'a> {
    systems: usize,
    rows: IndexMap<Row<'a>, DocumentDetail, FxBuildHasher>,
}

impl<'a> QueryDocuments<'a> {
    pub(super) fn new(systems: usize) -> Self {
        Self { systems, rows: IndexMap::default() }
    }

    pub(super) fn add(
        &mut self,
        RankedResult { system, rank, result, text, grade, because }: RankedResult<'a>,
    ) {
        for time in 0.. {
            let systems = self.systems;
            let row = self.rows.entry((result.document.id.as_str(), grade, time)).or_insert_with(|| {
                let title = Some(result.document.title.as_str()).filter(|title| !title.trim().is_empty());
                let missing = grade.is_none().then(|| because.clone().unwrap_or_default());
                let rationale = because.clone().filter(|_| grade.is_some());
                DocumentDetail {
                    id: result.document.id.clone(),
                    title: shorten(title.unwrap_or(text), TITLE),
                    excerpt: Some(shorten(text, EXCERPT)),
                    grade,
                    answers: vec![JudgeAnswer { grade, missing, rationale, ..JudgeAnswer::default() }],
                    ranks: vec![None; systems],
                    ..DocumentDetail::default()
                }
            });
            if let Some(empty) = row.ranks.get_mut(system).filter(|place| place.is_none()) {
                *empty = u32::try_from(rank).ok();
                return;
            }
        }
    }

    /// Returns the rows, best first, with the expected answers for which no result counts.
    pub(super) fn finish<'b>(
        self,
        never_found: impl Iterator<Item = (usize, &'b str)>,
    ) -> Vec<DocumentDetail> {
        let systems = self.systems;
        let missed = never_found.map(|(number, answer)| DocumentDetail {
            id: format!("expected {}", number + 1),
            title: format!("no result counts for it: {}", shorten(answer, TITLE)),
            excerpt: Some(shorten(answer, EXCERPT)),
            grade: Some(1),
            ranks: vec![None; systems],
            ..DocumentDetail::default()
        });
        let mut documents: Vec<DocumentDetail> = self.rows.into_values().chain(missed).collect();
        sort_documents(&mut documents);
        documents
    }
}
