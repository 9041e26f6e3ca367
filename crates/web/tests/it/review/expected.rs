//! Tests reviews of whether a text contains an expected answer.

use std::path::Path;

use llull::expected_answers::{AnswerJudge, AnswerJudgeError, AnswerJudgment, AnswerQuestion, Because};
use llull::review::{ReviewOptions, ReviewQueue};
use llull::{AnswerStudyOptions, Study, answer_study, computed_answers, expected_texts};
use llull_web::{ReviewServerOptions, ServeOptions, Server};
use reqwest::StatusCode;
use tempfile::TempDir;

use crate::review::study::{HOSTILE, Review};

/// Answers yes to every other text, or to the rest.
struct EveryOther {
    name: &'static str,
    turned: bool,
}

impl AnswerJudge for EveryOther {
    fn name(&self) -> &str {
        self.name
    }

    fn judge(&self, questions: &[AnswerQuestion<'_>]) -> Result<Vec<Vec<AnswerJudgment>>, AnswerJudgeError> {
        let judged = |at: usize| AnswerJudgment::Judged {
            matches: (at.is_multiple_of(2)) != self.turned,
            because: Because::Said("an unsayable rationale".into()),
        };
        Ok(questions.iter().map(|question| (0..question.contexts()).map(judged).collect()).collect())
    }
}

fn texts() -> Vec<String> {
    (0..3).map(|at| format!("passage {at}: the bridge was opened in 193{at}\n{HOSTILE}")).collect()
}

/// A server of the contexts of one query, an expected answer and three texts, after a judge has spoken.
fn review(turned: bool, queue: ReviewQueue) -> Review {
    // Another test of this process may have set the same one.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let folder = tempfile::tempdir().unwrap();
    let texts = texts();
    let answer = format!("Opened: 1931 {HOSTILE}");
    let questions = [AnswerQuestion {
        query: "when was the bridge <b>opened</b>",
        expected: vec![&answer],
        texts: texts.iter().map(String::as_str).collect(),
    }];
    let study = judged(&questions, &folder, turned);
    let expected = Some(expected_texts(&questions));
    let review = ReviewOptions { queue, expected, ..ReviewOptions::default() };
    let options = ReviewServerOptions { review, annotator: Some("anna".into()) };
    let server = Server::review(study, &ServeOptions::default(), &options).unwrap();
    Review { server, folder }
}

fn ledger(folder: &Path) -> std::path::PathBuf {
    folder.join("answers.sqlite")
}

fn judged(questions: &[AnswerQuestion<'_>], folder: &TempDir, turned: bool) -> Study {
    let judges = ["judge-alpha", "judge-beta"].map(|name| {
        let turned = turned != (name == "judge-beta");
        computed_answers(&EveryOther { name, turned }, questions, None).unwrap()
    });
    let options = AnswerStudyOptions { ledger: Some(ledger(folder.path())), ..Default::default() };
    let study = answer_study(questions, judges.to_vec(), options).unwrap().unwrap();
    study.judge(&study.inputs().unwrap()).run().unwrap();
    study
}

#[test]
fn query_answer_and_text_are_apart_and_marked_apart() {
    let review = review(false, ReviewQueue::Random);
    let page = review.browser().open("/");
    let apart = ["<h1 id=\"query-h\">", "Expected answer</h2>", "Retrieved text</h2>"];
    let places = apart.map(|part| page.text.find(part).unwrap_or_else(|| panic!("{part} in {}", page.text)));
    assert!(places.is_sorted());
    for part in [
        // A word of the query alone, one of both, and of the text neither.
        "the <mark>bridge</mark> was <mark class=\"expected both\">opened</mark> in ",
        "<bdi>when was the bridge &lt;b&gt;opened&lt;/b&gt;</bdi>",
        "data-key=\"1 y\"",
        "data-key=\"0 x\"",
        "data-key=\"n\"",
        "Does the text state the expected answer?",
        "&lt;script&gt;",
    ] {
        assert!(page.text.contains(part), "{part} in {}", page.text);
    }
    for hostile in ["<script>", "<img", "\u{202e}", "\u{1b}"] {
        assert!(!page.text.contains(hostile), "{hostile} in {}", page.text);
    }
    let pages: Vec<String> =
        (1..=3).map(|number| review.browser().open(&format!("/pair/{number}")).text).collect();
    assert!(pages.iter().any(|page| page.contains("<mark class=\"expected\">1931</mark>")));
    assert!(review.browser().open("/list").text.contains("expected answer</th>"));
}

#[test]
fn no_key_does_two_things() {
    let review = review(false, ReviewQueue::Random);
    let browser = review.browser();
    let page = browser.press_on(&browser.open("/"), "grade 1");
    let keys = page.text.split("data-key=\"").skip(1).map(|rest| rest.split('"').next().unwrap());
    let mut keys: Vec<&str> = keys.flat_map(|keys| keys.split(' ')).collect();
    keys.sort_unstable();
    let all = keys.len();
    keys.dedup();
    assert_eq!(keys.len(), all, "{keys:?}");
    for key in ["0", "1", "x", "y", "n", "s", "l", "c", "u"] {
        assert!(keys.contains(&key), "{key} in {keys:?}");
    }
}

/// Answers, pairs set aside and withdrawals are recorded separately, and the marks in a file next to the ledger.
#[test]
fn an_answer_is_saved_as_in_any_review() {
    let review = review(false, ReviewQueue::Random);
    let browser = review.browser();
    let first = browser.open("/");
    let second = browser.press_on(&first, "grade 1");
    assert_eq!(second.number(), 2);
    assert_eq!(browser.press(&second, "grade 2", "").status, StatusCode::BAD_REQUEST, "there are two grades");
    assert_eq!(browser.press(&first, "grade 0", "").status, StatusCode::CONFLICT, "a tab of before");
    let third = browser.press_on(&second, "cannot-tell");
    assert!(ledger(review.path()).with_extension("sqlite.review-marks.jsonl").is_file());
    assert_eq!(browser.undo(&third).leads_to(), "/pair/2");
    let again = browser.press_on(&browser.open("/pair/2"), "grade 0");
    let end = browser.press_on(&again, "grade 0");
    assert!(end.text.contains("3 of 3 pairs answered"), "{}", end.text);
    assert!(end.text.contains("--judge person/anna"), "{}", end.text);
}

/// The bytes do not depend on judges' answers, in a queue that judges do not choose.
#[test]
fn pages_are_the_same_whatever_judges_say() {
    let (one, other) = (review(false, ReviewQueue::Random), review(true, ReviewQueue::Random));
    let (first, second) = (one.browser(), other.browser());
    for round in 0..3 {
        for address in ["/pair/1", "/pair/2", "/pair/3", "/list", "/next"] {
            let shown = |browser: &crate::browser::Browser| {
                let page = browser.open(address).text;
                for secret in ["judge-alpha", "judge-beta", "unsayable"] {
                    assert!(!page.contains(secret), "{secret} in {page}");
                }
                let token = page.split("name=\"token\" value=\"").nth(1).map(|rest| rest[..32].to_owned());
                token.map_or(page.clone(), |token| page.replace(&token, ""))
            };
            assert_eq!(shown(&first), shown(&second), "{address} in round {round}");
        }
        for browser in [&first, &second] {
            browser.press_on(&browser.open("/next"), &format!("grade {}", round % 2));
        }
    }
}
