//! `llull review DATASET`: people say which passages hold expected answers, and count as judges.

use llull_testkit::FaultPlan;
use serde_json::{Value, json};

use crate::evaluate::{eight, yes_or_no};
use crate::review::{Reviewer, between};
use crate::sandbox::{Sandbox, command_line};

pub(crate) const BAD: [&str; 8] =
    ["evaluate", "questions.csv", "--results", "bad.jsonl", "-m", "MRR@4", "--ledger", "answers.sqlite"];

/// The review of the same.
pub(crate) const REVIEW: [&str; 6] =
    ["review", "questions.csv", "--results", "bad.jsonl", "--ledger", "answers.sqlite"];

/// How many contexts there are: of seven questions a passage that says nothing, and one with the answer.
pub(crate) const CONTEXTS: usize = 14;

pub(crate) fn evaluated(sandbox: &Sandbox, more: &[&str], code: i32) -> Value {
    sandbox.llull(&[&BAD[..], more, &["--json"]].concat()).ends(code).json()
}

/// The passage that a page shows, without marks.
fn passage(page: &str) -> String {
    let (_, after) = page.split_once("Retrieved text</h2>").unwrap_or_else(|| panic!("{page}"));
    let marked = between(after, "<div class=\"text\" tabindex=\"0\">", "</div>");
    ["<mark>", "<mark class=\"expected\">", "<mark class=\"expected both\">", "</mark>"]
        .iter()
        .fold(marked.to_owned(), |text, mark| text.replace(mark, ""))
}

/// anna says what token-overlap says, but of city 3.
pub(crate) fn anna_answers(sandbox: &Sandbox, contexts: usize) {
    answers(sandbox, &[], contexts, |yes| if yes { "grade 1" } else { "grade 0" });
}

/// The same of other contexts, in other words. Returns the last page.
fn answers(sandbox: &Sandbox, more: &[&str], contexts: usize, said: fn(bool) -> &'static str) -> String {
    let mut reviewer = Reviewer::of(sandbox, &[&REVIEW[..], &["--as", "anna"], more].concat());
    let mut last = String::new();
    for _ in 0..contexts {
        let page = reviewer.open("/");
        let text = passage(&page);
        let yes = text.contains("it is known") && !text.contains("city 3");
        let got = reviewer.press(&page, said(yes));
        assert!(got.starts_with("HTTP/1.1 303"), "{got}");
        last = page;
    }
    // SIGKILL: the process has no say in it.
    reviewer.process.kill().unwrap();
    reviewer.process.wait().unwrap();
    last
}

#[test]
fn what_people_answer_counts() {
    let sandbox = eight();
    anna_answers(&sandbox, 5);
    let partly = sandbox.llull(&[&BAD[..], &["--judge", "person/anna"]].concat()).ends(3);
    partly.says(&["person/anna: 5 of 14 contexts answered; nothing is assumed of the rest"]);
    anna_answers(&sandbox, CONTEXTS - 5);
    let alone = evaluated(&sandbox, &["--judge", "person/anna"], 0);
    let counts = json!({"judged": CONTEXTS, "unusable": 0, "not_asked": 0, "from_ledger": CONTEXTS});
    assert_eq!(alone["judges"], json!([{"name": "person/anna", "counts": counts}]));
    // Seven answers are at rank 2, and anna does not see one of them.
    assert_eq!(alone["systems"][0]["figures"][0]["mean"].as_f64(), Some(6.0 * 0.5 / 8.0));
    assert_eq!(alone["people"]["judges"], json!([]), "people are not compared with themselves");
    let everybody = evaluated(&sandbox, &["--judge", "people"], 0);
    assert_eq!(everybody["judges"], alone["judges"]);
    let panel = ["--judge", "token-overlap", "--judge", "person/anna"];
    let both = evaluated(&sandbox, &panel, 0);
    assert_eq!(both["agreement"], json!({"contexts": CONTEXTS, "unanimous": CONTEXTS - 1}));
    // Cohen (1960): both yes 6, both no 7, the judge alone yes 1. po = 13/14, pe = (6 * 7 + 8 * 7) / 196 = 1/2.
    let beside = &both["people"]["judges"][0];
    let kappa = beside["kappa"].as_f64().unwrap();
    assert!((kappa - 6.0 / 7.0).abs() < 1e-12, "{beside}");
    assert_eq!((&beside["n"], &beside["missed"], &beside["added"]), (&14.into(), &0.into(), &1.into()));
    assert!(beside["kappa_ci"][0].as_f64().unwrap() < kappa, "{beside}");
    assert_eq!(both["people"]["people"], json!([{"person": "anna", "contexts": CONTEXTS}]));
    sandbox.llull(&[&BAD[..], &["--judge", "token-overlap"]].concat()).ends(0).rows(&[
        "with annotators contexts queries same kappa 95% missed added",
        "token-overlap 14 7 92.9% 0.8571 [0.0150, 1.0000] 0 1",
    ]);
    sandbox.llull(&[&BAD[..], &["--report", "found"]].concat()).ends(0);
    let said =
        "token-overlap agrees with annotators on 92.9% of 14 contexts that they answered; kappa 0.8571";
    assert!(sandbox.read("found/report.md").contains(said), "{}", sandbox.read("found/report.md"));
    sandbox.llull(&["ledger", "check", "--ledger", "answers.sqlite"]);
}

/// What anna said of a query, an answer and a text holds wherever the three come together again.
#[test]
fn answers_hold_in_other_evaluations() {
    let sandbox = eight();
    anna_answers(&sandbox, CONTEXTS);
    let other = command_line(
        "evaluate questions.csv --results good.jsonl --results bad.jsonl -m R@4 --ledger \
         answers.sqlite --judge",
    );
    let said = sandbox.llull(&[&other[..], &["person/anna", "--json"]].concat()).ends(3);
    let figure = |system: usize| said.json()["systems"][system]["figures"][0]["mean"].as_f64();
    assert_eq!((figure(0), figure(1)), (Some(6.0 / 8.0), Some(6.0 / 8.0)));
    said.says(&["person/anna: 14 of 15 contexts answered", "1 result without a judgment"]);
    // Beside a judge that knows them all nothing is missing.
    let both = [&other[..], &["person/anna", "--judge", "token-overlap", "--json"]].concat();
    let both = sandbox.llull(&both).ends(0).json();
    let found = both["answers"][0]["queries"][7]["found"][0]["because"].as_str().unwrap().to_owned();
    assert_eq!(found, "1 of 1 say yes: token-overlap");
}

/// People are asked what judges are asked: facts with `--facts`, and grades with `--rubric`.
#[test]
fn facts_and_grades() {
    let sandbox = eight();
    let fact = |n| format!("{{\"answer\":\"the city {n} lies in land {n}\",\"facts\":[\"in land {n}\"]}}\n");
    sandbox.write("facts.jsonl", &(1..=8).map(fact).collect::<String>());
    let facts = ["--facts", "facts.jsonl"];
    let page = answers(&sandbox, &facts, CONTEXTS, |yes| if yes { "grade 1" } else { "grade 0" });
    let (_, expected) = page.split_once("Expected answer</h2>").unwrap();
    assert!(between(expected, "\"text\">", "</div>").starts_with("in land "), "{page}");
    let found = evaluated(&sandbox, &[&facts[..], &["--judge", "person/anna"]].concat(), 0);
    assert_eq!(found["systems"][0]["figures"][0]["mean"].as_f64(), Some(6.0 * 0.5 / 8.0));
    // A fact is no answer: nobody has been asked about those.
    sandbox.llull(&[&BAD[..], &["--judge", "person/anna"]].concat()).ends(3).says(&["0 of 14 contexts"]);
    let rubric = include_str!("../../../../rubrics/default.md");
    sandbox.write("graded.md", rubric);
    let graded = ["--rubric", "graded.md"];
    let page = answers(&sandbox, &graded, CONTEXTS, |yes| if yes { "grade 2" } else { "grade 1" });
    assert!(page.contains("data-key=\"3\"") && page.contains("data-key=\"1\""), "{page}");
    let found = evaluated(&sandbox, &[&graded[..], &["--judge", "people"]].concat(), 0);
    assert_eq!(found["systems"][0]["figures"][0]["mean"].as_f64(), Some(6.0 * 0.5 / 8.0), "the cutoff is 2");
    assert_eq!(found["answers"][0]["queries"][0]["found"][0]["because"], "grade 2");
}

/// A page has query, answer and passage apart, keys for yes and no, and no judge; the ledger alone is asked of others.
#[test]
fn a_queue_of_what_judges_disagree_on() {
    let server = yes_or_no(FaultPlan { record: true, ..FaultPlan::default() });
    let sandbox = eight();
    let url = server.url();
    let judges = ["--judge", "token-overlap", "--judge", "vllm/stand-in", "--base-url", &url];
    let panel = evaluated(&sandbox, &judges, 0);
    let (agreed, asked) = (panel["agreement"]["unanimous"].as_u64().unwrap(), server.requests().len());
    let differ = CONTEXTS - usize::try_from(agreed).unwrap();
    assert!((1..CONTEXTS).contains(&differ), "a test that could not fail");
    let review = ["--as", "ben", "--queue", "disagreement"];
    let mut reviewer = Reviewer::of(&sandbox, &[&REVIEW[..], &judges[..4], &review].concat());
    let first = reviewer.open("/");
    for part in [
        format!("of {differ}</p>").as_str(),
        "Expected answer</h2>",
        "Retrieved text</h2>",
        "data-key=\"1 y\"",
        "data-key=\"0 x\"",
        "<mark class=\"expected both\">city</mark>",
    ] {
        assert!(first.contains(part) || !passage(&first).contains("city"), "{part} in {first}");
    }
    for secret in ["token-overlap", "stand-in", "vllm"] {
        assert!(!first.contains(secret), "{secret} in {first}");
    }
    for _ in 0..differ {
        let page = reviewer.open("/");
        assert!(reviewer.press(&page, "grade 1").starts_with("HTTP/1.1 303"));
    }
    assert!(reviewer.open("/").contains("--judge person/ben"), "{}", reviewer.open("/"));
    reviewer.process.kill().unwrap();
    reviewer.process.wait().unwrap();
    assert_eq!(server.requests().len(), asked, "a review asks no judge");
    let after = evaluated(&sandbox, &judges, 0);
    assert_eq!((&after["people"]["contexts"], &after["people"]["chosen"]), (&0.into(), &differ.into()));
    assert_eq!(after["people"]["judges"][0]["kappa"], Value::Null, "chosen pairs say nothing of the rest");
    let ben = evaluated(&sandbox, &["--judge", "person/ben"], 3);
    assert_eq!(ben["judges"][0]["counts"]["judged"], differ, "and ben said what ben said");
}

#[test]
fn reviews_and_people_that_there_are_not() {
    let sandbox = eight();
    let with = |more: &[&str]| sandbox.llull(&[&BAD[..], more].concat());
    let review = |more: &[&str]| sandbox.llull(&[&REVIEW[..], more].concat());
    sandbox.llull(&REVIEW[..2]).ends(2).says(&["not provided", "--results"]);
    sandbox.llull(&["review", "--facts", "facts.jsonl"]).ends(2).says(&["not provided", "DATASET"]);
    review(&["--queue", "failures"]).ends(2).says(&["name the judges with --judge"]);
    review(&["--queue", "cycles"]).ends(2).says(&["random, disagreement, adjudicate or failures"]);
    review(&["--as", "token-overlap"]).ends(1).says(&["is a judge of this study"]);
    with(&["--judge", "person/anna"]).ends(1).says(&["anna has no answers", "nobody has"]);
    with(&["--judge", "people"]).ends(2).says(&["nobody has answered in answers.sqlite"]);
    with(&["--judge", "people", "--judge", "person/anna"]).ends(2).says(&["people is everybody"]);
    with(&["--judge", "person/"]).ends(2).says(&["cannot be an annotator's name"]);
    anna_answers(&sandbox, 1);
    with(&["--judge", "person/ana"]).ends(1).says(&["ana has no answers", "there are answers of anna"]);
    let without = sandbox.llull(&REVIEW[..4]).ends(2);
    without.says(&["human answers have to be saved: add --ledger answers.sqlite"]);
    let without = sandbox.llull(&[&BAD[..6], &["--judge", "person/anna"]].concat()).ends(2);
    without.says(&["--judge person/anna: human answers are in a ledger, the file that", "add --ledger"]);
}
