//! The labels and lists that a report was measured on.
//!
//! Each is a compressed file whose name is the hash of its content, so reports with the same labels or lists share it.

use std::collections::BTreeMap;

use llull_config::{Folder, KeptLabels, SavedFile};
use llull_core::{Grade, Hash, Qrels, Ranking, Run};
use llull_runner::PooledDocument;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::error::HistoryError;
use crate::error::StudyError;
use crate::evidence::StudyEvidence;

/// The most rows of all lists that are saved. A million rows take about ten megabytes.
const MOST_ROWS: usize = 2_000_000;

/// The labels of a report, and the pooled pairs without one, by query and document.
pub(crate) type PooledLabels = BTreeMap<String, BTreeMap<String, Option<SavedLabel>>>;

/// A grade, with the mean of a panel's grades in [parts](llull_core::GRADE_PARTS) if measures read it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub(crate) enum SavedLabel {
    Grade(Grade),
    WithMean(Grade, Grade),
}

/// A system's lists: the documents of each query, best first, with their scores.
type Lists = Vec<(String, Vec<(String, f64)>)>;

/// Returns the labels, with the pairs of the pool that have none.
pub(super) fn pooled_labels(evidence: &StudyEvidence) -> PooledLabels {
    let mut all = PooledLabels::new();
    for question in evidence.pooled.questions() {
        let Some(topic) = evidence.pooled.topic(question.topic) else { continue };
        let document = question.documents.first().and_then(|at| evidence.pooled.document(*at));
        if let Some(document) = document.map(PooledDocument::id) {
            all.entry(topic.id.clone()).or_default().insert(document.to_owned(), None);
        }
    }
    for (query, documents) in evidence.labels.qrels().iter() {
        let of_query = all.entry(query.to_owned()).or_default();
        of_query.extend(documents.iter().map(|(document, grade)| {
            let label = documents
                .mean(document)
                .map_or(SavedLabel::Grade(*grade), |mean| SavedLabel::WithMean(*grade, mean));
            (document.to_owned(), Some(label))
        }));
    }
    all
}

/// Returns the labels alone.
pub(crate) fn qrels(labels: &PooledLabels) -> Qrels {
    let mut qrels = Qrels::default();
    for (query, documents) in labels {
        for (document, label) in documents {
            match label {
                Some(SavedLabel::Grade(grade)) => drop(qrels.insert(query, document, *grade)),
                Some(SavedLabel::WithMean(grade, mean)) => {
                    qrels.insert(query, document, *grade);
                    qrels.set_mean(query, document, *mean);
                }
                None => {}
            }
        }
    }
    qrels
}

/// Returns how many rows the lists have down to this rank.
pub(super) fn are_few(runs: &[Run], depth: Option<usize>) -> bool {
    let rows = |run: &Run| run.iter().map(|(_, ranking)| at_most(ranking.len(), depth)).sum::<usize>();
    runs.iter().map(rows).sum::<usize>() <= MOST_ROWS
}

fn at_most(length: usize, depth: Option<usize>) -> usize {
    depth.map_or(length, |depth| length.min(depth))
}

/// Returns a system's lists down to this rank; `None` if a score is no finite number, which JSON cannot hold.
pub(super) fn lists(run: &Run, depth: Option<usize>) -> Option<Lists> {
    let mut all = Lists::with_capacity(run.len());
    for (query, ranking) in run.iter() {
        let hits = ranking.iter().take(at_most(ranking.len(), depth));
        let hits: Vec<(String, f64)> = hits.map(|hit| (hit.document.to_owned(), hit.score)).collect();
        if hits.iter().any(|(_, score)| !score.is_finite()) {
            return None;
        }
        all.push((query.to_owned(), hits));
    }
    Some(all)
}

/// Returns the run of saved lists.
pub(super) fn run(system: &str, lists: &Lists) -> Run {
    let mut run = Run::new(system);
    for (query, hits) in lists {
        let hits = hits.iter().map(|(document, score)| (document.as_str(), *score));
        run.insert(query.clone(), Ranking::from_ordered(hits));
    }
    run
}

/// Saves a content under its hash, unless it is saved, and returns the hash.
pub(crate) fn save(folder: &Folder, content: &impl Serialize) -> Result<String, StudyError> {
    let bytes = serde_json::to_vec(content).map_err(|error| StudyError::Io(error.into()))?;
    let hash = Hash::of(&bytes).to_string();
    let saved = file(folder, &hash);
    if !saved.path()?.is_file() {
        saved.write(&bytes)?;
    }
    Ok(hash)
}

/// Reads what was saved under a hash.
///
/// # Errors
/// Returns [`HistoryError::Lost`] if the file does not exist, or has another content.
pub(crate) fn read<T: DeserializeOwned>(folder: &Folder, hash: &str) -> Result<T, HistoryError> {
    let lost = |problem: String| HistoryError::Lost { file: folder.private_dir().join(name(hash)), problem };
    // The hash is of a file that may be edited.
    if !hash.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return Err(lost("its name is no hash".to_owned()));
    }
    let path = file(folder, hash).path().map_err(|error| lost(error.to_string()))?;
    if !path.is_file() {
        return Err(lost("it is not there".to_owned()));
    }
    let bytes = llull_data::read_whole(path).map_err(|error| lost(error.to_string()))?;
    if Hash::of(&bytes).to_string() != hash {
        return Err(lost("its content is not the saved one".to_owned()));
    }
    serde_json::from_slice(&bytes).map_err(|error| lost(error.to_string()))
}

/// Reads a file of kept labels, or of what they depend on.
///
/// # Errors
/// Returns an error that says what to do if it is lost.
pub(super) fn read_kept<T: DeserializeOwned>(
    folder: &Folder,
    kept: &KeptLabels,
    hash: &str,
) -> Result<T, HistoryError> {
    let report = &kept.report;
    read(folder, hash).map_err(|error| {
        HistoryError::Problem(format!(
            "the last run kept labels of an earlier report (--changed {report}). {error}, keep those of another \
             report (llull run --changed REPORT; llull history lists them), or judge these pairs anew: llull run"
        ))
    })
}

fn file<'a>(folder: &'a Folder, hash: &str) -> SavedFile<'a> {
    SavedFile::new(folder, name(hash))
}

fn name(hash: &str) -> String {
    format!("reports/inputs/{hash}.json.zst")
}

#[cfg(test)]
mod tests {
    use llull_core::GRADE_PARTS;

    use super::*;

    /// Reports of earlier versions have grades alone.
    #[test]
    fn labels_are_read_with_and_without_means() {
        let text = r#"{"q1":{"a":2,"b":null,"c":[1,960960]}}"#;
        let labels: PooledLabels = serde_json::from_str(text).unwrap();
        assert_eq!(serde_json::to_string(&labels).unwrap(), text);
        let qrels = qrels(&labels);
        assert_eq!((qrels.grade("q1", "c"), qrels.grade("q1", "b")), (Some(1), None));
        let parts = ["a", "c"].map(|document| qrels.in_parts().unwrap().grade("q1", document));
        assert_eq!(parts, [2 * GRADE_PARTS, 4 * GRADE_PARTS / 3].map(Some));
    }
}
