//! Details of a pair: its texts, and each judge's answer.

use llull_report::text::shorten;
use llull_report::{JudgeReason, PairDetails};
use llull_runner::{Case, JudgeEvidence};
use rustc_hash::FxHashMap;

use super::study_evidence::StudyEvidence;

/// The maximum length of a title and of a rationale, in characters.
const TITLE: usize = 100;
const RATIONALE: usize = 600;

impl StudyEvidence {
    /// Returns the details of each of these pairs of query and document; judges' answers are on the first side. `named`
    /// are the names of the judges; empty for all. A pair outside the pool has no details, and judges that compare have
    /// none about one document.
    pub fn pair_details(&self, pairs: &[(&str, &str)], named: &[&str]) -> Vec<PairDetails> {
        let mut details = vec![PairDetails::default(); pairs.len()];
        let mut wanted: FxHashMap<&str, FxHashMap<&str, usize>> = FxHashMap::default();
        for (at, (query, document)) in pairs.iter().enumerate() {
            wanted.entry(query).or_default().insert(document, at);
        }
        if wanted.is_empty() {
            return details;
        }
        for (place, case) in self.pooled.cases().enumerate() {
            let documents = wanted.get(case.topic.id.as_str());
            let at = documents.and_then(|documents| documents.get(case.document_id()));
            if let Some(details) = at.and_then(|at| details.get_mut(*at)) {
                *details = self.details(place, case, named);
            }
        }
        details
    }

    fn details(&self, place: usize, case: Case<'_>, named: &[&str]) -> PairDetails {
        let title = case.document().map(|document| {
            shorten(if document.title.is_empty() { &document.text } else { &document.title }, TITLE)
        });
        let heard = |judge: &&JudgeEvidence| named.is_empty() || named.contains(&judge.name());
        let judges = self.judges.judges().iter().filter(|_| self.compared().is_none()).filter(heard);
        PairDetails {
            query_text: Some(case.topic.text.clone()).filter(|text| !text.is_empty()),
            title: title.filter(|title| !title.is_empty()),
            first: judges.map(|judge| judge_reason(judge, place)).collect(),
            second: Vec::new(),
        }
    }
}

/// A judge's answer to the question at a place.
fn judge_reason(judge: &JudgeEvidence, place: usize) -> JudgeReason {
    let [facets_covered, facets_missing] = judge.facets(place).cloned().unwrap_or_default();
    let rationale = judge.rationale(place).map(|words| shorten(words, RATIONALE));
    JudgeReason {
        judge: judge.name().to_owned(),
        grade: judge.status(place).grade(),
        rationale: rationale.filter(|words| !words.is_empty()),
        facets_covered,
        facets_missing,
    }
}
