//! Training data for students from published human labels.
//!
//! A collection gives the features and the label of every labelled pair.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use std::collections::BTreeMap;
use std::io::Read as _;

use llull::core::{Document, Qrels, Scale};
use llull::data::{ReadQrelsOptions, RepeatedGrades};
use llull::encoder::{Encoder, KeptVectors, TextRole, dot, encode_kept};
use llull::files::{read_labels, read_labels_with};
use llull::judge::{Idf, IdfBuilder, Similarity, SurfaceFeatures};
use llull::learner::GradedRow;
use llull::stats::AgreementWithin;
use serde_json::Value;

use crate::data;

/// The grades that all labels are put on.
pub const GRADES: [i32; 4] = [0, 1, 2, 3];
/// The ridge penalty of `llull train --student`.
pub const RIDGE: f64 = 10.0;

/// Queries, texts and human labels.
pub struct Collection {
    /// Its name in tables.
    pub name: &'static str,
    queries: BTreeMap<String, String>,
    texts: BTreeMap<String, Document>,
    labels: Qrels,
}

/// Labels with a student's features of them, and the similarity baseline's grades.
pub struct Lessons {
    /// A row for each label, those of a query together.
    pub rows: Vec<GradedRow>,
    /// The baseline's value and grade of each row.
    pub similarity: Vec<(f64, i32)>,
}

impl Collection {
    /// Returns the training data; with an encoder, similarity of meaning is a feature.
    pub fn lessons(&self, encoder: Option<&dyn Encoder>) -> Lessons {
        let idf = self.idf();
        let baseline = Similarity::new(Scale::new(0, 3).unwrap(), idf.clone());
        let mut lessons = Lessons { rows: Vec::new(), similarity: Vec::new() };
        let mut kept = KeptVectors::in_memory();
        for (query, (topic, grades)) in self.labels.iter().enumerate() {
            let Some(text) = self.queries.get(topic) else { continue };
            let surface = SurfaceFeatures::new(text, &idf).unwrap();
            for (document, grade) in grades {
                let Some(document) = self.texts.get(document) else { continue };
                let coverage = baseline.grade(text, &document.shown()).unwrap();
                let mut features = surface.of(document).to_vec();
                if let Some(encoder) = encoder {
                    features.push(cosine(encoder, &mut kept, text, &document.shown()));
                }
                lessons.rows.push(GradedRow { query, features, grade: *grade });
                lessons.similarity.push((coverage.coverage, coverage.grade));
            }
        }
        lessons
    }

    fn idf(&self) -> Idf {
        let mut idf = IdfBuilder::new(self.queries.values().map(String::as_str));
        self.texts.values().for_each(|document| idf.add(&document.shown()));
        idf.finish()
    }
}

fn cosine(encoder: &dyn Encoder, kept: &mut KeptVectors, query: &str, text: &str) -> f64 {
    let rows = encode_kept(encoder, kept, &[query, text], TextRole::Document, &mut |_| {}).unwrap();
    f64::from(dot(kept.vector(rows[0]), kept.vector(rows[1])))
}

fn text_of(file: &str) -> String {
    let mut text = String::new();
    llull::data::open(data(file)).unwrap().read_to_string(&mut text).unwrap();
    text
}

fn tsv(file: &str) -> BTreeMap<String, String> {
    let text = text_of(file);
    text.lines().filter_map(|line| line.split_once('\t')).map(|(id, rest)| (id.into(), rest.into())).collect()
}

fn document(id: &str, title: String, text: String) -> (String, Document) {
    (id.to_owned(), Document { id: id.to_owned(), title, text })
}

fn passages(file: &str) -> BTreeMap<String, Document> {
    let text = text_of(file);
    let passage = |line: &str| {
        let passage: Value = serde_json::from_str(line).unwrap();
        let text = passage["text"].as_str().unwrap().to_owned();
        document(passage["docid"].as_str().unwrap(), String::new(), text)
    };
    text.lines().map(passage).collect()
}

/// The passages of LLMJudge's test set.
pub fn llmjudge() -> Collection {
    let labels = read_labels(&data("llmjudge/llmjudge_test_qrel_idx.txt")).unwrap().value;
    Collection {
        name: "LLMJudge",
        queries: tsv("llmjudge/llm4eval_query_2024.txt"),
        texts: passages("llmjudge/passages_test.jsonl.gz"),
        labels,
    }
}

/// The passages of TREC DL 2019.
pub fn dl19() -> Collection {
    let labels = read_labels(&data("dl19/human.qrels")).unwrap().value;
    let (queries, texts) = (tsv("dl19/topics.tsv"), passages("dl19/passages.jsonl.gz"));
    Collection { name: "TREC DL 2019", queries, texts, labels }
}

/// Grades 0, 1, 2 of three on the scale of four: 0, 2, 3.
pub fn noveleval() -> Collection {
    let texts = tsv("noveleval/corpus.tsv.gz");
    let texts = texts.into_iter().map(|(id, text)| document(&id, String::new(), text)).collect();
    let options = ReadQrelsOptions { repeats: Some(RepeatedGrades::Last), ..Default::default() };
    let read = read_labels_with(&data("noveleval/qrels.txt"), options).unwrap().value;
    let mut labels = Qrels::default();
    for (topic, grades) in read.iter() {
        grades.iter().for_each(|(document, grade)| {
            labels.insert(topic, document, [0, 2, 3][*grade as usize]);
        });
    }
    Collection { name: "NovelEval", queries: tsv("noveleval/queries.tsv"), texts, labels }
}

/// Exact, substitute, complement and irrelevant are 3, 2, 1 and 0.
pub fn esci() -> Collection {
    let products = text_of("esci/products.jsonl.gz");
    let product = |line: &str| {
        let product: Value = serde_json::from_str(line).unwrap();
        let field = |name: &str| product[name].as_str().unwrap_or_default().to_owned();
        let fields = ["bullet_points", "description", "brand", "color"].map(field);
        document(&field("asin"), field("title"), fields.join("\n"))
    };
    let texts = products.lines().map(product).collect();
    let judgments: Value = serde_json::from_str(&text_of("esci/judgments.json.gz")).unwrap();
    let (mut queries, mut labels) = (BTreeMap::new(), Qrels::default());
    for (at, query) in judgments["judgmentRatings"].as_array().unwrap().iter().enumerate() {
        let id = format!("{at:03}");
        for rating in query["ratings"].as_array().unwrap() {
            let grade = match rating["rating"].as_str().unwrap() {
                "100.000" => 3,
                "10.000" => 2,
                "1.000" => 1,
                _ => 0,
            };
            labels.insert(&id, rating["docId"].as_str().unwrap(), grade);
        }
        queries.insert(id, query["query"].as_str().unwrap().to_owned());
    }
    Collection { name: "ESCI", queries, texts, labels }
}

/// The demo's corpus, queries and its authors' labels.
pub fn demo() -> Collection {
    let folder = tempfile::tempdir().unwrap();
    llull::write_demo(folder.path()).unwrap();
    let read = |file: &str| {
        let mut text = String::new();
        llull::data::open(folder.path().join(file)).unwrap().read_to_string(&mut text).unwrap();
        text
    };
    let one = |line: &str| {
        let read: Value = serde_json::from_str(line).unwrap();
        let field = |name: &str| read[name].as_str().unwrap_or_default().to_owned();
        document(&field("id"), field("title"), field("text"))
    };
    let texts = read("corpus.jsonl").lines().map(one).collect();
    let queries = read("topics.tsv");
    let queries = queries.lines().filter_map(|line| line.split_once('\t'));
    let queries = queries.map(|(id, text)| (id.into(), text.into())).collect();
    let labels = read_labels(&folder.path().join("authors.qrels")).unwrap().value;
    Collection { name: "the demo's authors", queries, texts, labels }
}

/// Mean rho and kappa within queries.
pub fn agreement(rows: &[GradedRow], given: &[(f64, i32)]) -> (f64, f64) {
    let mut queries: BTreeMap<usize, Vec<(i32, i32, f64)>> = BTreeMap::new();
    for (row, (value, grade)) in rows.iter().zip(given) {
        queries.entry(row.query).or_default().push((row.grade, *grade, *value));
    }
    let within: Vec<AgreementWithin> = queries.values().map(|query| AgreementWithin::of(query)).collect();
    (AgreementWithin::rho(&within).unwrap(), AgreementWithin::kappa(&within).unwrap())
}
