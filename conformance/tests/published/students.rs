//! Students of published human labels, also on other collections.

use llull::core::Seed;
use llull::learner::{GradedRow, fit_grades, held_out_grades};
use llull_conformance::lessons::{GRADES, Lessons, RIDGE, agreement, demo, dl19, esci, llmjudge, noveleval};
use llull_conformance::minilm;

fn show(name: &str, student: (f64, f64), similarity: (f64, f64)) {
    println!("| {name} | {:.3} / {:.3} | {:.3} / {:.3} |", student.0, student.1, similarity.0, similarity.1);
}

/// On queries that it had not seen a student orders documents better than the baseline, and grades them better.
#[test]
fn a_student_is_better_than_the_baseline_where_it_has_learnt() {
    for collection in [noveleval(), esci(), llmjudge(), dl19(), demo()] {
        let (name, found) = (collection.name, collection.lessons(None));
        let unseen = held_out_grades(&found.rows, &GRADES, RIDGE, 5, Seed(42)).unwrap();
        let (student, similarity) =
            (agreement(&found.rows, &unseen), agreement(&found.rows, &found.similarity));
        show(name, student, similarity);
        assert!(student.0 > similarity.0 && student.1 > similarity.1, "{name}: {student:?}, {similarity:?}");
    }
}

/// With similarity of meaning among its features, it is better still. `examples/students.rs` has all five collections.
#[test]
fn a_student_that_sees_meaning_is_better_than_one_of_words() {
    let encoder = minilm();
    for collection in [noveleval(), demo()] {
        let unseen = |found: &Lessons| {
            let given = held_out_grades(&found.rows, &GRADES, RIDGE, 5, Seed(42)).unwrap();
            agreement(&found.rows, &given)
        };
        let (words, both) = (unseen(&collection.lessons(None)), unseen(&collection.lessons(Some(&encoder))));
        show(collection.name, both, words);
        assert!(both.0 > words.0 && both.1 > words.1, "{}: {both:?}, {words:?}", collection.name);
    }
}

/// Trained on ESCI and NovelEval and tested on unseen collections, a student is better than the baseline by some
/// figures and worse by others. If it is ever better by all, the demo has a better judge.
#[test]
fn a_student_of_other_collections_is_not_better_by_every_figure() {
    let (novel, products) = (noveleval().lessons(None), esci().lessons(None));
    let beyond = novel.rows.iter().map(|row| row.query).max().unwrap() + 1;
    let products = products.rows.into_iter().map(|row| GradedRow { query: row.query + beyond, ..row });
    let lessons: Vec<GradedRow> = novel.rows.into_iter().chain(products).collect();
    let fitted = fit_grades(&lessons, &GRADES, RIDGE).unwrap();
    let (mut worse, mut better) = (false, false);
    for collection in [llmjudge(), dl19(), demo()] {
        let (name, found) = (collection.name, collection.lessons(None));
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
