//! Dense systems and hybrids: vectors and runs are kept until something that they depend on changes.

use std::sync::Mutex;

use llull::{Study, StudyError};

use crate::folder_study::{FolderStudy, REPLAY};
use crate::letters::Letters;

const SYSTEMS: &str = "[[systems]]\nname = \"near\"\nretriever = \"dense\"\n\n[[systems]]\nname = \"both\"\n\
    retriever = \"hybrid\"\nof = [\"old\", \"near\"]\n\n";

fn folder() -> FolderStudy {
    FolderStudy::new("", &format!("{SYSTEMS}{REPLAY}"))
}

static GIVEN: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// Retrieves, and returns how many texts were encoded.
fn retrieve(study: &Study) -> Result<usize, StudyError> {
    let before = GIVEN.lock().unwrap().len();
    study.retrieval().retrieve_dense(|_| Ok::<_, StudyError>(Box::new(Letters(&GIVEN))), |_, _| {})?;
    Ok(GIVEN.lock().unwrap().len() - before)
}

#[test]
fn no_text_is_encoded_twice_and_no_old_run_is_taken() {
    let folder = folder();
    let error = |folder: &FolderStudy| folder.open().inputs().unwrap_err().to_string();
    assert!(error(&folder).contains("nothing is retrieved for system near yet"));
    let encoded = retrieve(&folder.open()).unwrap();
    assert!(encoded > 3, "{encoded}");
    assert_eq!(retrieve(&folder.open()).unwrap(), 0, "the run is kept");
    let inputs = folder.open().inputs().unwrap();
    let names: Vec<&str> = inputs.runs.iter().map(|run| run.name.as_str()).collect();
    assert_eq!(names, ["old", "new", "near", "both"]);
    assert_eq!(inputs.runs[2].len(), 3);

    let corpus = folder.read("corpus.jsonl");
    folder.write("corpus.jsonl", &format!("{corpus}{{\"id\": \"new\", \"text\": \"A new one.\"}}\n"));
    assert!(error(&folder).contains("the results of system near are of another corpus"));
    assert_eq!(retrieve(&folder.open()).unwrap(), 1, "the new document alone");
    folder.open().inputs().unwrap();

    let poison = "{\"id\": \"a0\", \"text\": \"x\"}\n{\"id\": \"p\", \"text\": \"poison\"}\n";
    folder.write("corpus.jsonl", &format!("{corpus}{poison}"));
    let failed = retrieve(&folder.open()).unwrap_err().to_string();
    assert_eq!(failed, "system near: encoder letters: poisoned");
    assert!(error(&folder).contains("of another corpus"), "a run that failed leaves none that looks current");
}

/// Reciprocal rank fusion of a file and vectors: a document that both have first is first, by 2 / 61.
#[test]
fn a_hybrid_follows_from_its_systems() {
    let folder = folder();
    retrieve(&folder.open()).unwrap();
    let inputs = folder.open().inputs().unwrap();
    let [old, near, both] = [0, 2, 3].map(|at| inputs.runs[at].ranking("q1").unwrap());
    let expected = |document: &str| -> f64 {
        let rank = |ranking: &llull::core::Ranking| {
            ranking.iter().find(|hit| hit.document == document).map(|hit| 1.0 / (60.0 + hit.rank as f64))
        };
        [rank(old), rank(near)].into_iter().flatten().sum()
    };
    assert!(both.len() >= near.len());
    for hit in both.iter() {
        assert!((hit.score - expected(hit.document)).abs() < 1e-12, "{}", hit.document);
    }
}
