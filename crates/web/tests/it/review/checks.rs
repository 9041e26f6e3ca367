//! Tests that the pairs behind failed checks are reviewed blind.

use llull::review::{ReviewDesk, ReviewOptions, ReviewQueue};
use llull_web::ReviewServerOptions;
use reqwest::StatusCode;
use tempfile::TempDir;

use crate::review::study::{DOCUMENTS, QUERIES, SECRETS, attempts, folder, judge, labels, open, sampled};

fn options(most: Option<usize>) -> ReviewOptions {
    ReviewOptions { queue: ReviewQueue::Checks, most, overlap: None, expected: None }
}

/// A study of one judge, which gives 2 to all documents but the first of each of these queries.
fn of_one_grade(folder: TempDir, others: usize) -> TempDir {
    let path = folder.path().join("llull.toml");
    let text = fs_err::read_to_string(&path).unwrap();
    let (one, _) = text.rsplit_once("[[judges]]").unwrap();
    fs_err::write(&path, one).unwrap();
    let pairs = (0..QUERIES).flat_map(|query| (0..DOCUMENTS).map(move |document| (query, document)));
    let line = |(query, document)| {
        let grade = if document == 0 && query < others { query % 2 * 3 } else { 2 };
        format!("q{query} 0 q{query}d{document} {grade}\n")
    };
    fs_err::write(folder.path().join("alpha.qrels"), pairs.map(line).collect::<String>()).unwrap();
    judge(folder.path());
    folder
}

/// `one_grade` fails: the pairs shown have that grade, and no page reveals it.
#[test]
fn pairs_behind_a_failed_check_are_shown_blind_and_correct_nothing() {
    let review = ReviewServerOptions { review: options(None), annotator: Some("anna".into()) };
    let review = crate::review::study::review(of_one_grade(sampled(), 1), review);
    let browser = review.browser();
    let mut page = browser.open("/");
    let before = attempts(review.path());
    let mut shown = Vec::new();
    while page.text.contains("id=\"answer\"") {
        for secret in
            SECRETS.into_iter().chain(["check of", "one_grade", "always the same grade", "failed the check"])
        {
            assert!(!page.text.contains(secret), "{secret}: {}", page.text);
        }
        shown.push(page.pair());
        page = browser.press_on(&page, "grade 0");
    }
    let all = QUERIES * DOCUMENTS - 1;
    assert_eq!((shown.len(), attempts(review.path())), (all, before + all as u64));
    assert!(!shown.contains(&("q0".to_owned(), "q0d0".to_owned())), "it has another grade");
    assert!(!shown.is_sorted(), "of pairs that carry as much of a check none comes first for its rank");
    shown.sort();
    shown.dedup();
    assert_eq!(shown.len(), all, "each comes once");
    assert_eq!(labels(review.path()), [], "answers to this queue are no labels of the sample");

    let review = ReviewServerOptions { review: options(Some(3)), annotator: Some("anna".into()) };
    let review = crate::review::study::review(of_one_grade(folder(false), 1), review);
    assert_eq!(review.browser().open("/pair/4").status, StatusCode::NOT_FOUND);
}

#[test]
fn without_a_failed_check_the_queue_gives_the_reason() {
    let folder = of_one_grade(folder(false), QUERIES * 2);
    let alpha = folder.path().join("alpha.qrels");
    let varied = fs_err::read_to_string(&alpha).unwrap();
    let varied: String = varied
        .lines()
        .zip(0..)
        .map(|(line, at)| format!("{}{}\n", &line[..line.len() - 1], [0, 3, 1, 2, 0, 3][at % 6]))
        .collect();
    fs_err::write(&alpha, varied).unwrap();
    judge(folder.path());
    let study = open(folder.path());
    let inputs = study.inputs().unwrap();
    let evidence = study.evidence(&inputs).unwrap();
    let said = ReviewDesk::of_study(&study, &inputs, &evidence, &options(None)).err().unwrap().to_string();
    assert!(
        said.contains("queue checks: no judge failed a check or has a warning; --queue sample"),
        "{said}"
    );
}
