//! `llull demo`: a small collection, hard on purpose, as a study.
//!
//! The authors wrote its texts.

use std::io::Read as _;
use std::path::{Path, PathBuf};

use llull_config::{FILE_NAME, Folder};

use crate::error::StudyError;
use crate::study::scaffold_error::ScaffoldError;

/// The files of the demo.
const FILES: [(&str, &[u8]); 5] = [
    ("README.md", include_bytes!("demo/README.md")),
    ("topics.tsv", include_bytes!("demo/topics.tsv")),
    ("corpus.jsonl", include_bytes!("demo/corpus.jsonl")),
    ("rubric.md", include_bytes!("demo/rubric.md")),
    ("authors.qrels", include_bytes!("demo/authors.qrels")),
];

/// The recordings of the demo's judges, compressed here.
const RECORDINGS: [(&str, &[u8]); 2] = [
    ("claude.jsonl", include_bytes!("demo/claude.jsonl.gz")),
    ("claude-listwise.jsonl", include_bytes!("demo/claude-listwise.jsonl.gz")),
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

# A language model whose answers were recorded, see README.md. Put your own in its place:
#   model = "openai/gpt-4o-mini"
[[judges]]
name = "claude"
model = "recorded:claude.jsonl"

# Of --paradigm listwise: the rule by which orders were recorded.
[tournament]
rejudge = 1
"#;

/// Writes the demo's study into a folder. Returns the written files; none if the folder has the demo already.
///
/// # Errors
/// Returns an error if a file cannot be written, one of them exists already, or the folder has another study.
pub fn write_demo(dir: &Path) -> Result<Vec<PathBuf>, StudyError> {
    let config = dir.join(FILE_NAME);
    if config.exists() {
        let is_demo = fs_err::read(&config)? == CONFIG.as_bytes();
        return if is_demo { Ok(Vec::new()) } else { Err(ScaffoldError::AnotherStudy(dir.into()).into()) };
    }
    if let Some((name, _)) = FILES.iter().chain(&RECORDINGS).find(|(name, _)| dir.join(name).exists()) {
        return Err(StudyError::Scaffold(ScaffoldError::Occupied(dir.join(name))));
    }
    fs_err::create_dir_all(dir)?;
    let mut written = Vec::new();
    for (name, bytes) in FILES.iter().chain(&[(FILE_NAME, CONFIG.as_bytes())]) {
        Folder::new(dir).write(name, bytes)?;
        written.push(dir.join(name));
    }
    for (name, bytes) in RECORDINGS {
        let mut recording = Vec::new();
        llull_data::decoded(bytes)?.read_to_end(&mut recording)?;
        Folder::new(dir).write(name, &recording)?;
        written.push(dir.join(name));
    }
    Ok(written)
}
