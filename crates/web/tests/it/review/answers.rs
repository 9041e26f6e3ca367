//! Tests answers, and the ledger afterwards.

use llull::core::{Outcome, Verdict};
use llull::runner::AnnotatorJudge;
use llull::store::{Detail, LedgerReader as _};
use reqwest::StatusCode;

use crate::review::study::{DRAWN, attempts, by, labels, open, people, review, sampled};

#[test]
fn every_answer_is_in_the_ledger_before_the_next_pair_is_sent() {
    let review = review(sampled(), by("anna"));
    let browser = review.browser();
    let mut page = browser.open("/");
    let mut expected = Vec::new();
    for at in 0..DRAWN {
        let (query, document) = page.pair();
        let grade = at % 4;
        let got = browser.press(&page, &format!("grade {grade}"), "seen \"twice\"\nby me");
        assert_eq!(got.status, StatusCode::SEE_OTHER, "{}", got.text);
        expected.push((query, document, i32::try_from(grade).unwrap()));
        expected.sort();
        assert_eq!(labels(review.path()), expected, "nothing more is asked for");
        page = browser.open(got.leads_to());
    }
    assert!(page.text.contains("Nothing is left for <bdi>anna</bdi>"), "{}", page.text);
    assert!(page.text.contains("8 of 8 pairs answered"), "{}", page.text);
    assert_eq!(people(review.path()).annotators, [("anna".to_owned(), DRAWN)]);

    // Each label has its origin.
    let study = open(review.path());
    let sample = study.annotators().sample().unwrap().unwrap();
    let ledger = study.ledger().file().unwrap();
    let anna =
        ledger.judges().unwrap().into_iter().find(|judge| AnnotatorJudge::annotator(&judge.spec).is_some());
    let mut records = 0;
    ledger
        .scan(Some(&[anna.unwrap().id]), Detail::Replies, &mut |_, attempt| {
            let record: serde_json::Value =
                serde_json::from_str(attempt.answer.reply.as_deref().unwrap()).unwrap();
            assert_eq!((&record["queue"], &record["sample"]), (&"sample".into(), &sample.id.clone().into()));
            let number = record["number"].as_u64().unwrap() as usize;
            let unit = &sample.sample.units[number - 1];
            assert_eq!((&unit.topic, &unit.document), (&attempt.topic, &attempt.document));
            let Outcome::Judged { verdict: Verdict::Graded(verdict) } = &attempt.answer.outcome else {
                panic!()
            };
            assert_eq!(verdict.rationale, "seen \"twice\"\nby me");
            records += 1;
            Ok(())
        })
        .unwrap();
    assert_eq!(records, DRAWN);
}

#[test]
fn the_same_form_again_changes_nothing() {
    let review = review(sampled(), by("anna"));
    let browser = review.browser();
    let page = browser.open("/");
    let before = attempts(review.path());
    for _ in 0..3 {
        assert_eq!(browser.press(&page, "grade 2", "why").status, StatusCode::SEE_OTHER);
    }
    assert_eq!(attempts(review.path()), before + 1);
}

/// Two tabs show one pair. The one that comes second was made before the first answered.
#[test]
fn a_second_tab_erases_nothing() {
    let review = review(sampled(), by("anna"));
    let browser = review.browser();
    let (one, other) = (browser.open("/pair/1"), browser.open("/pair/1"));
    assert_eq!(browser.press(&one, "grade 3", "").status, StatusCode::SEE_OTHER);
    let got = browser.press(&other, "grade 0", "");
    assert_eq!(got.status, StatusCode::CONFLICT);
    assert!(
        got.text.contains("answered since this page was made") && got.text.contains("grade 3"),
        "{}",
        got.text
    );
    assert!(got.text.contains("href=\"/pair/1\""), "{}", got.text);
    assert_eq!(labels(review.path())[0].2, 3);

    // An annotator who has seen the answer corrects it; both stay.
    let again = browser.open("/pair/1");
    assert!(again.text.contains("Your answer is 3") && again.text.contains("aria-pressed=\"true\""));
    let before = attempts(review.path());
    assert_eq!(browser.press(&again, "grade 0", "").status, StatusCode::SEE_OTHER);
    assert_eq!((labels(review.path())[0].2, attempts(review.path())), (0, before + 1));
}

#[test]
fn an_answer_to_what_is_not_there_is_refused_and_said() {
    let review = review(sampled(), by("anna"));
    let browser = review.browser();
    let page = browser.open("/");
    let before = attempts(review.path());
    let with = |name: &str, value: &str, act: &str| {
        let fields = page.answer_form();
        let mut fields: Vec<(&str, &str)> = fields
            .iter()
            .map(|(found, old)| (found.as_str(), if found == name { value } else { old.as_str() }))
            .collect();
        fields.push(("act", act));
        browser.post("/answer", &fields)
    };
    let stale = with("item", "0123456789ab", "grade 1");
    assert_eq!(stale.status, StatusCode::CONFLICT);
    assert!(stale.text.contains("not in this queue any more") && stale.text.contains("Nothing was recorded"));
    for (act, status, words) in [
        ("grade 4", StatusCode::BAD_REQUEST, "not on the rubric&#39;s scale"),
        ("grade -1", StatusCode::BAD_REQUEST, "not on the rubric&#39;s scale"),
        ("grade", StatusCode::BAD_REQUEST, "No button"),
        ("approve", StatusCode::BAD_REQUEST, "No button"),
    ] {
        let got = with("", "", act);
        assert_eq!(got.status, status, "{act}: {}", got.text);
        assert!(got.text.contains(words), "{act}: {}", got.text);
    }
    let other = with("person", "ben", "grade 1");
    assert_eq!(other.status, StatusCode::CONFLICT, "{}", other.text);
    assert_eq!(browser.press(&page, "grade 1", &"x".repeat(4_001)).status, StatusCode::PAYLOAD_TOO_LARGE);
    assert_eq!(attempts(review.path()), before);
    assert_eq!(browser.press(&page, "grade 1", &"x".repeat(4_000)).status, StatusCode::SEE_OTHER);
}

/// A server that is restarted, as after a crash, continues where the ledger is.
#[test]
fn a_server_that_is_started_again_goes_on() {
    let first = review(sampled(), by("anna"));
    let browser = first.browser();
    let page = browser.press_on(&browser.open("/"), "grade 1");
    browser.press_on(&page, "skip");
    let (folder, form) = (first.folder, page.answer_form());
    first.server.stop();
    let second = review(folder, by("anna"));
    let browser = second.browser();
    let list = browser.open("/list").text;
    assert!(list.contains("1 answered, 6 open, 0 for later, 1 skipped"), "{list}");
    // A form of the previous server is not valid for this one.
    let fields: Vec<(&str, &str)> =
        form.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    assert_eq!(browser.post("/answer", &fields).status, StatusCode::UNPROCESSABLE_ENTITY);
    let fields = [fields, vec![("act", "grade 0")]].concat();
    let got = browser.post("/answer", &fields);
    assert_eq!(got.status, StatusCode::FORBIDDEN);
    assert!(got.text.contains("started again") && got.text.contains("load the page again"), "{}", got.text);
}
