//! Sparse systems: weights of terms and runs are kept until something that they depend on changes.

use std::sync::Mutex;

use llull::encoder::{EncodeError, TermEncoder, TermWeights};
use llull::{Study, StudyError};

use crate::folder_study::{FolderStudy, REPLAY};

const SYSTEMS: &str = "[[systems]]\nname = \"terms\"\nretriever = \"splade\"\n\n[[systems]]\nname = \"both\"\n\
    retriever = \"hybrid\"\nof = [\"old\", \"terms\"]\n\n";

/// Weighs letters by how often a text has them; remembers what it was given.
struct CountedLetters<'a>(&'a Mutex<Vec<String>>);

fn counted(text: &str) -> Vec<(u32, f32)> {
    let text = text.to_lowercase();
    let letters = ('a'..='z').map(|letter| (u32::from(letter), text.matches(letter).count() as f32));
    letters.collect()
}

impl TermEncoder for CountedLetters<'_> {
    fn name(&self) -> &str {
        "counted letters"
    }

    fn weigh(&self, texts: &[&str]) -> Result<Vec<TermWeights>, EncodeError> {
        if texts.iter().any(|text| text.contains("poison")) {
            return Err(EncodeError::Model { encoder: "counted letters".into(), reason: "poisoned".into() });
        }
        self.0.lock().unwrap().extend(texts.iter().map(|text| (*text).to_owned()));
        texts.iter().map(|text| TermWeights::of(counted(text))).collect()
    }

    fn batch(&self) -> usize {
        2
    }
}

static GIVEN: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// Retrieves, and returns how many texts were encoded.
fn retrieve(study: &Study) -> Result<usize, StudyError> {
    let before = GIVEN.lock().unwrap().len();
    let encoder = |name: &str| {
        assert_eq!(name, "splade");
        Ok::<_, StudyError>(Box::new(CountedLetters(&GIVEN)) as Box<dyn TermEncoder>)
    };
    study.retrieve_sparse(encoder, |_, _| {})?;
    Ok(GIVEN.lock().unwrap().len() - before)
}

#[test]
fn no_text_is_weighed_twice_and_no_old_run_is_taken() {
    let folder = FolderStudy::new("", &format!("{SYSTEMS}{REPLAY}"));
    let error = |folder: &FolderStudy| folder.open().inputs().unwrap_err().to_string();
    assert!(error(&folder).contains("nothing is retrieved for system terms yet"));
    assert!(retrieve(&folder.open()).unwrap() > 3);
    assert_eq!(retrieve(&folder.open()).unwrap(), 0, "the run is kept");
    let inputs = folder.open().inputs().unwrap();
    let names: Vec<&str> = inputs.runs.iter().map(|run| run.name.as_str()).collect();
    assert_eq!(names, ["old", "new", "terms", "both"]);

    // Every document is found with the product of its letters and the query's.
    let corpus = crate::collection::corpus();
    for topic in crate::collection::topics().iter() {
        let ranking = inputs.runs[2].ranking(&topic.id).unwrap();
        assert_eq!(ranking.len(), corpus.len());
        for hit in ranking.iter() {
            let document = corpus.iter().find(|document| document.id == hit.document).unwrap();
            let text = format!("{} {}", document.title, document.text);
            let product: f32 = counted(&topic.text).iter().zip(counted(&text)).map(|(a, b)| a.1 * b.1).sum();
            assert_eq!(hit.score, f64::from(product), "{}", hit.document);
        }
    }

    let written = folder.read("corpus.jsonl");
    folder.write("corpus.jsonl", &format!("{written}{{\"id\": \"new\", \"text\": \"A new one.\"}}\n"));
    assert!(error(&folder).contains("the results of system terms are of another corpus"));
    assert_eq!(retrieve(&folder.open()).unwrap(), 1, "the new document alone");
    folder.open().inputs().unwrap();

    let poison = "{\"id\": \"p\", \"text\": \"poison\"}\n";
    folder.write("corpus.jsonl", &format!("{written}{poison}"));
    let failed = retrieve(&folder.open()).unwrap_err().to_string();
    assert_eq!(failed, "system terms: encoder counted letters: poisoned");
    assert!(error(&folder).contains("of another corpus"), "a run that failed leaves none that looks current");
}
