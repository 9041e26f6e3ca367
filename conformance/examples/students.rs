//! Measures students with similarity of meaning on several collections.
//!
//!     LLULL_MODELS=... cargo run --release -p llull-conformance --example students
//!
//! Encodes 21,000 texts, which takes some minutes; the tests have the same without it.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a program that shows its table, or panics")]

use llull::core::Seed;
use llull::learner::{GradedRow, fit_grades, held_out_grades};
use llull_conformance::lessons::{GRADES, Lessons, RIDGE, agreement, demo, dl19, esci, llmjudge, noveleval};
use llull_conformance::minilm;

fn main() {
    let encoder = minilm();
    let lessons: Vec<(&str, Lessons)> = [noveleval(), esci(), llmjudge(), dl19(), demo()]
        .iter()
        .map(|collection| (collection.name, collection.lessons(Some(&encoder))))
        .collect();
    println!("rho / kappa within queries, five folds over queries\n");
    for (name, found) in &lessons {
        let unseen = held_out_grades(&found.rows, &GRADES, RIDGE, 5, Seed(42)).unwrap();
        show(name, agreement(&found.rows, &unseen), agreement(&found.rows, &found.similarity));
    }
    println!("\ntaught on NovelEval and ESCI, asked about the others\n");
    let beyond = lessons[0].1.rows.iter().map(|row| row.query).max().unwrap() + 1;
    let products = lessons[1].1.rows.iter().cloned();
    let products = products.map(|row| GradedRow { query: row.query + beyond, ..row });
    let taught: Vec<GradedRow> = lessons[0].1.rows.iter().cloned().chain(products).collect();
    let fitted = fit_grades(&taught, &GRADES, RIDGE).unwrap();
    for (name, found) in &lessons[2..] {
        let grade = |row: &GradedRow| {
            let score = fitted.score(&row.features);
            (score, fitted.grade(score, &GRADES))
        };
        let given: Vec<(f64, i32)> = found.rows.iter().map(grade).collect();
        show(name, agreement(&found.rows, &given), agreement(&found.rows, &found.similarity));
    }
}

fn show(name: &str, student: (f64, f64), similarity: (f64, f64)) {
    println!("| {name} | {:.3} / {:.3} | {:.3} / {:.3} |", student.0, student.1, similarity.0, similarity.1);
}
