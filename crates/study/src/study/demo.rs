//! `llull demo`: a small collection, hard on purpose, as a study.
//!
//! The authors wrote its texts.

use std::path::{Path, PathBuf};

use llull_config::{FILE_NAME, Folder};

use crate::error::StudyError;
use crate::study::scaffold_error::ScaffoldError;

/// The files of the demo.
const FILES: [(&str, &str); 5] = [
    ("README.md", include_str!("demo/README.md")),
    ("topics.tsv", include_str!("demo/topics.tsv")),
    ("corpus.jsonl", include_str!("demo/corpus.jsonl")),
    ("rubric.md", include_str!("demo/rubric.md")),
    ("authors.qrels", include_str!("demo/authors.qrels")),
];

const CONFIG: &str = r#"# The study that `llull demo` wrote. Change anything, then: llull run
version = 1
name = "llull demo"
seed = 42

topics = "topics.tsv"
corpus = "corpus.jsonl"
rubric = "rubric.md"
reference = "authors.qrels"   # the authors' own grades, to see what the judge is worth

# The first measure decides. Grades from the rubric's cutoff on count as relevant.
measures = ["nDCG@10", "RR@10", "P@5", "R@10", "Judged@10"]

[pool]
depth = 10

[compare]
baseline = "bm25"

[[systems]]
name = "bm25"
retriever = "bm25"
fields = ["title", "text"]

[[systems]]
name = "bm25-titles"
retriever = "bm25"
fields = ["title"]

[[systems]]   # not words but pieces of words: cosine over character n-grams
name = "ngrams"
retriever = "ngram"

# A lexical baseline: it counts shared words and needs no model. Put a real judge in its place, say
#   [[judges]]
#   model = "openai/gpt-4o-mini"
[[judges]]
name = "similarity"
model = "similarity"
"#;

/// Writes the demo's study into a folder. Returns the written files; none if the folder has a study already, which is
/// unchanged.
///
/// # Errors
/// Returns an error if a file cannot be written, or one of them exists already without a study.
pub fn write_demo(dir: &Path) -> Result<Vec<PathBuf>, StudyError> {
    if dir.join(FILE_NAME).exists() {
        return Ok(Vec::new());
    }
    if let Some((name, _)) = FILES.iter().find(|(name, _)| dir.join(name).exists()) {
        return Err(StudyError::Scaffold(ScaffoldError::Occupied(dir.join(name))));
    }
    fs_err::create_dir_all(dir)?;
    let mut written = Vec::new();
    for (name, text) in FILES.iter().chain(&[(FILE_NAME, CONFIG)]) {
        Folder::new(dir).write(name, text.as_bytes())?;
        written.push(dir.join(name));
    }
    Ok(written)
}
