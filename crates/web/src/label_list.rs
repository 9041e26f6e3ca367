//! Filters and sorts labels for a list.

use llull::StudyEvidence;
use llull::core::Grade;
use llull::report::text::shorten;
use llull::runner::{Case, JudgeEvidence};
use serde::{Deserialize, Serialize};

use crate::address::{Paging, address};

/// How many labels one page has.
const LABELS: usize = 100;
/// The maximum length of a search text, in characters.
const TEXT: usize = 200;
/// How long a title may be, in characters.
const TITLE: usize = 100;

/// The values of every pair that lists are sorted and filtered by.
pub(crate) struct LabelIndex {
    /// By pair, in the order of the pool: its label, and how far apart the judges' grades are.
    pairs: Vec<(Option<Grade>, Option<u32>)>,
}

/// Which labels a list shows, in which order; everything that its address holds.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct LabelsRequest {
    /// Words of the query, of an identifier, a title or a rationale.
    find: String,
    /// The judge whose grade is filtered; empty for the label.
    judge: String,
    /// A grade, or `none`; empty for all.
    grade: String,
    /// How far apart the judges' grades are at least; empty for all.
    apart: String,
    sort: LabelSort,
    page: usize,
}

/// The order of labels.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum LabelSort {
    /// Query by query.
    #[default]
    Topics,
    /// The judges furthest apart first.
    Apart,
    Highest,
    Lowest,
}

/// One page of labels.
#[derive(Debug, Serialize)]
pub(crate) struct LabelsView {
    rows: Vec<LabelRow>,
    paging: Paging,
    total: usize,
    judges: Vec<String>,
    grades: Vec<Grade>,
    #[serde(flatten)]
    request: LabelsRequest,
}

#[derive(Debug, Serialize)]
struct LabelRow {
    /// The number of the query's page.
    number: Option<usize>,
    query: String,
    query_text: String,
    document: String,
    title: String,
    grade: Option<Grade>,
    /// Each judge's grade, or why it is missing.
    said: Vec<String>,
    apart: Option<u32>,
}

/// The judges that grade every pair; empty where they compare.
fn graders(evidence: &StudyEvidence) -> &[JudgeEvidence] {
    if evidence.compared().is_some() { &[] } else { evidence.judges.judges() }
}

impl LabelIndex {
    /// Looks at every pair.
    pub(crate) fn new(evidence: &StudyEvidence) -> Self {
        let judges = graders(evidence);
        let pair = |(at, case): (usize, Case<'_>)| {
            let label = evidence.labels.get(&case.topic.id, case.document_id()).map(|label| label.grade);
            let grades = || judges.iter().filter_map(|judge| judge.status(at).grade());
            let (low, high) = (grades().min(), grades().max());
            let apart = low.zip(high).filter(|_| grades().count() > 1).map(|(low, high)| high.abs_diff(low));
            (label, apart)
        };
        Self { pairs: evidence.pooled.cases().enumerate().map(pair).collect() }
    }
}

impl LabelsRequest {
    /// The requested page of labels. `number` is that of a query's page.
    pub(crate) fn page(
        &self,
        evidence: &StudyEvidence,
        index: &LabelIndex,
        number: impl Fn(&str) -> Option<usize>,
    ) -> LabelsView {
        let judges = graders(evidence);
        let mut found = self.found(evidence, index);
        let pair = |at: &usize| index.pairs.get(*at).copied().unwrap_or_default();
        match self.sort {
            LabelSort::Topics => {}
            LabelSort::Apart => found.sort_by_key(|at| std::cmp::Reverse(pair(at).1)),
            LabelSort::Highest => found.sort_by_key(|at| std::cmp::Reverse(pair(at).0)),
            LabelSort::Lowest => found.sort_by_key(|at| (pair(at).0.is_none(), pair(at).0)),
        }
        let paging = Paging::new(found.len(), LABELS, self.page, |page| self.address(page));
        let shown = found.iter().skip(paging.first()).take(LABELS);
        let row = |at: &usize| {
            let case = evidence.pooled.case_at(*at)?;
            let (grade, apart) = pair(at);
            Some(LabelRow {
                number: number(&case.topic.id),
                query: case.topic.id.clone(),
                query_text: case.topic.text.clone(),
                document: case.document_id().to_owned(),
                title: shorten(title(case), TITLE),
                grade,
                said: judges.iter().map(|judge| said(judge, *at)).collect(),
                apart,
            })
        };
        let mut grades: Vec<Grade> = index.pairs.iter().filter_map(|pair| pair.0).collect();
        grades.extend(self.grade.parse::<Grade>());
        grades.sort_unstable();
        grades.dedup();
        LabelsView {
            rows: shown.filter_map(row).collect(),
            paging,
            total: index.pairs.len(),
            judges: judges.iter().map(|judge| judge.name().to_owned()).collect(),
            grades,
            request: self.clone(),
        }
    }

    /// The matching pairs, in the order of the pool.
    fn found(&self, evidence: &StudyEvidence, index: &LabelIndex) -> Vec<usize> {
        let judges = graders(evidence);
        let named = judges.iter().find(|judge| judge.name() == self.judge);
        let apart: Option<u32> = self.apart.parse().ok();
        let wanted = match self.grade.as_str() {
            "" => None,
            "none" => Some(None),
            grade => Some(grade.parse().ok()),
        };
        let is_wanted = |at: usize, (label, distance): &(Option<Grade>, Option<u32>)| {
            let grade = match named {
                Some(judge) => judge.status(at).grade(),
                None => *label,
            };
            wanted.is_none_or(|wanted| wanted == grade)
                && apart.is_none_or(|apart| distance.is_some_and(|distance| distance >= apart))
        };
        let mut text = Finder::new(&self.find);
        let found = index.pairs.iter().enumerate().filter(|(at, pair)| is_wanted(*at, pair));
        found.map(|(at, _)| at).filter(|at| text.is_in(evidence, judges, *at)).collect()
    }

    fn address(&self, page: usize) -> String {
        let find = self.find.chars().take(TEXT).collect();
        address("/labels", &Self { find, page, ..self.clone() })
    }
}

/// Searches for words, regardless of case.
struct Finder {
    words: String,
    /// The last query of the search, and whether it has the words: pairs of one query follow each other.
    last: Option<(usize, bool)>,
}

impl Finder {
    fn new(find: &str) -> Self {
        Self { words: find.trim().to_lowercase().chars().take(TEXT).collect(), last: None }
    }

    fn holds(&self, text: &str) -> bool {
        text.to_lowercase().contains(&self.words)
    }

    fn is_in(&mut self, evidence: &StudyEvidence, judges: &[JudgeEvidence], at: usize) -> bool {
        if self.words.is_empty() {
            return true;
        }
        let Some(question) = evidence.pooled.question(at) else { return false };
        let Some(case) = evidence.pooled.case_at(at) else { return false };
        let topic = question.topic.get();
        let in_query = match self.last {
            Some((last, found)) if last == topic => found,
            _ => self.holds(&case.topic.id) || self.holds(&case.topic.text),
        };
        self.last = Some((topic, in_query));
        in_query
            || self.holds(case.document_id())
            || self.holds(title(case))
            || judges.iter().filter_map(|judge| judge.rationale(at)).any(|words| self.holds(words))
    }
}

/// A document's title, or else its first words.
fn title(case: Case<'_>) -> &str {
    let Some(document) = case.document() else { return "" };
    if !document.title.is_empty() {
        return &document.title;
    }
    let end = document.text.char_indices().nth(TITLE * 2).map_or(document.text.len(), |(at, _)| at);
    document.text.get(..end).unwrap_or_default()
}

fn said(judge: &JudgeEvidence, at: usize) -> String {
    let status = judge.status(at);
    match (status.grade(), status.missing()) {
        (Some(grade), _) => grade.to_string(),
        (None, Some(missing)) => missing.replace('_', " "),
        (None, None) => String::new(),
    }
}
