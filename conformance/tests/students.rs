//! Students: what they learn of published labels of people, and what of it carries over to other collections.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test fails by panicking, and shows its table"
)]

use std::collections::BTreeMap;
use std::io::Read as _;

use llull::core::{Document, Qrels, Scale, Seed};
use llull::data::{ReadQrelsOptions, RepeatedGrades};
use llull::files::{read_labels, read_labels_with};
use llull::judge::{IdfBuilder, Similarity, SurfaceFeatures};
use llull::learner::{GradedRow, fit_grades, held_out_grades};
use llull::stats::AgreementWithin;
use llull_conformance::data;
use serde_json::Value;

const GRADES: [i32; 4] = [0, 1, 2, 3];
const RIDGE: f64 = 10.0;

/// Labels with what a student sees of them, and what the similarity baseline says.
struct Collection {
    rows: Vec<GradedRow>,
    similarity: Vec<(f64, i32)>,
}

fn collection(
    queries: &BTreeMap<String, String>,
    texts: &BTreeMap<String, Document>,
    labels: &Qrels,
) -> Collection {
    let mut idf = IdfBuilder::new(queries.values().map(String::as_str));
    texts.values().for_each(|document| idf.add(&document.shown()));
    let idf = idf.finish();
    let baseline = Similarity::new(Scale::new(0, 3).unwrap(), idf.clone());
    let mut found = Collection { rows: Vec::new(), similarity: Vec::new() };
    for (query, (topic, grades)) in labels.iter().enumerate() {
        let Some(text) = queries.get(topic) else { continue };
        let surface = SurfaceFeatures::new(text, &idf).unwrap();
        for (document, grade) in grades {
            let Some(document) = texts.get(document) else { continue };
            let coverage = baseline.grade(text, &document.shown()).unwrap();
            found.rows.push(GradedRow { query, features: surface.of(document).to_vec(), grade: *grade });
            found.similarity.push((coverage.coverage, coverage.grade));
        }
    }
    found
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

fn llmjudge() -> Collection {
    let labels = read_labels(&data("llmjudge/llmjudge_test_qrel_idx.txt")).unwrap().value;
    collection(
        &tsv("llmjudge/llm4eval_query_2024.txt"),
        &passages("llmjudge/passages_test.jsonl.gz"),
        &labels,
    )
}

fn dl19() -> Collection {
    let labels = read_labels(&data("dl19/human.qrels")).unwrap().value;
    collection(&tsv("dl19/topics.tsv"), &passages("dl19/passages.jsonl.gz"), &labels)
}

/// Grades 0, 1, 2 of three on the scale of four: 0, 2, 3.
fn noveleval() -> Collection {
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
    collection(&tsv("noveleval/queries.tsv"), &texts, &labels)
}

/// Exact, substitute, complement and irrelevant are 3, 2, 1 and 0.
fn esci() -> Collection {
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
    collection(&queries, &texts, &labels)
}

/// The demo's corpus, queries and its authors' labels.
fn demo() -> Collection {
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
    collection(&queries, &texts, &read_labels(&folder.path().join("authors.qrels")).unwrap().value)
}

/// Mean rho and kappa within queries.
fn agreement(rows: &[GradedRow], given: &[(f64, i32)]) -> (f64, f64) {
    let mut queries: BTreeMap<usize, Vec<(i32, i32, f64)>> = BTreeMap::new();
    for (row, (value, grade)) in rows.iter().zip(given) {
        queries.entry(row.query).or_default().push((row.grade, *grade, *value));
    }
    let within: Vec<AgreementWithin> = queries.values().map(|query| AgreementWithin::of(query)).collect();
    (AgreementWithin::rho(&within).unwrap(), AgreementWithin::kappa(&within).unwrap())
}

fn show(name: &str, student: (f64, f64), similarity: (f64, f64)) {
    println!("| {name} | {:.3} / {:.3} | {:.3} / {:.3} |", student.0, student.1, similarity.0, similarity.1);
}

/// On queries that it had not seen a student orders documents better than the baseline, and grades them better.
#[test]
fn a_student_is_better_than_the_baseline_where_it_has_learnt() {
    for (name, found) in [
        ("NovelEval", noveleval()),
        ("ESCI", esci()),
        ("LLMJudge", llmjudge()),
        ("TREC DL 2019", dl19()),
        ("the demo", demo()),
    ] {
        let unseen = held_out_grades(&found.rows, &GRADES, RIDGE, 5, Seed(42)).unwrap();
        let (student, similarity) =
            (agreement(&found.rows, &unseen), agreement(&found.rows, &found.similarity));
        show(name, student, similarity);
        assert!(student.0 > similarity.0 && student.1 > similarity.1, "{name}: {student:?}, {similarity:?}");
    }
}

/// Taught on ESCI and NovelEval and asked about what it never saw, a student is better than the baseline by some
/// figures and worse by others. If it is ever better by all, the demo has a better judge.
#[test]
fn a_student_of_other_collections_is_not_better_by_every_figure() {
    let (novel, products) = (noveleval(), esci());
    let beyond = novel.rows.iter().map(|row| row.query).max().unwrap() + 1;
    let products = products.rows.into_iter().map(|row| GradedRow { query: row.query + beyond, ..row });
    let lessons: Vec<GradedRow> = novel.rows.into_iter().chain(products).collect();
    let fitted = fit_grades(&lessons, &GRADES, RIDGE).unwrap();
    let (mut worse, mut better) = (false, false);
    for (name, found) in [("LLMJudge", llmjudge()), ("TREC DL 2019", dl19()), ("the demo", demo())] {
        let grade = |row: &GradedRow| {
            let score = fitted.score(&row.features);
            (score, fitted.grade(score, &GRADES))
        };
        let given: Vec<(f64, i32)> = found.rows.iter().map(grade).collect();
        let (student, similarity) =
            (agreement(&found.rows, &given), agreement(&found.rows, &found.similarity));
        show(name, student, similarity);
        worse |= student.0 < similarity.0 || student.1 < similarity.1;
        better |= student.0 > similarity.0 && student.1 > similarity.1;
    }
    assert!(worse && better);
}
