//! Tests the order of pairs: set aside, undo, jumps, several annotators.

use llull::review::{ReviewOptions, ReviewQueue};
use llull_web::ReviewServerOptions;
use reqwest::StatusCode;

use crate::browser::Browser;
use crate::review::study::{DRAWN, Review, attempts, by, folder, labels, people, review, sampled};

#[test]
fn skip_later_and_cannot_tell_are_three_things_and_no_answers() {
    let review = review(sampled(), by("anna"));
    let browser = review.browser();
    let before = attempts(review.path());
    let mut page = browser.open("/");
    for (at, act) in ["skip", "later", "cannot-tell"].into_iter().enumerate() {
        assert_eq!(page.number(), at + 1);
        page = browser.press_on(&page, act);
    }
    assert_eq!(attempts(review.path()), before, "none is an answer");
    for number in 4..=DRAWN {
        assert_eq!(page.number(), number);
        page = browser.press_on(&page, "grade 1");
    }
    // A pair set aside for later comes now, and a skipped one does not.
    assert_eq!(page.number(), 2);
    assert!(page.text.contains("1 for later, 1 skipped, 1 cannot be told"), "{}", page.text);
    page = browser.press_on(&page, "grade 2");
    assert!(page.text.contains("6 of 8 pairs answered; 1 skipped; 1 cannot be told"), "{}", page.text);
    // Each can still be answered.
    let skipped = browser.open("/pair/1");
    assert!(skipped.text.contains("You set this pair aside: skipped"), "{}", skipped.text);
    browser.press_on(&skipped, "grade 3");
    browser.press_on(&browser.open("/pair/3"), "grade 0");
    assert_eq!(labels(review.path()).len(), DRAWN);
    let got = browser.press(&browser.open("/pair/1"), "skip", "");
    assert_eq!(got.status, StatusCode::CONFLICT, "an answered pair is not set aside");
}

#[test]
fn undo_takes_back_what_was_done_last() {
    let review = review(sampled(), by("anna"));
    let browser = review.browser();
    let first = browser.open("/");
    let page = browser.press_on(&browser.press_on(&first, "grade 3"), "later");
    assert!(page.text.contains("Last: pair 2, later"), "{}", page.text);
    let got = browser.undo(&page);
    assert_eq!((got.status, got.leads_to()), (StatusCode::SEE_OTHER, "/pair/2"), "{}", got.text);
    let page = browser.open("/pair/2");
    assert!(page.text.contains("Last: pair 1, answered 3"), "{}", page.text);
    let before = attempts(review.path());
    assert_eq!(browser.undo(&page).leads_to(), "/pair/1");
    assert_eq!(labels(review.path()), []);
    assert_eq!(
        attempts(review.path()),
        before + 1,
        "the answer stays in the ledger, and that it was taken back"
    );
    // A second press of the same button finds it done.
    assert_eq!(browser.undo(&page).status, StatusCode::CONFLICT);
    let page = browser.open("/pair/1");
    assert!(!page.text.contains("Last:") && !page.text.contains("Your answer"), "{}", page.text);
    // A form of before the answer was taken back is stale.
    assert_eq!(browser.press(&first, "grade 1", "").status, StatusCode::CONFLICT);
    browser.press_on(&page, "grade 0");
    assert_eq!(labels(review.path())[0].2, 0);
}

#[test]
fn a_number_leads_to_its_pair_and_there_are_no_others() {
    let review = review(sampled(), by("anna"));
    let browser = review.browser();
    assert_eq!(browser.open("/pair?number=5").number(), 5);
    for address in ["/pair/0", "/pair/9", "/pair/18446744073709551615", "/pair?number=99"] {
        assert_eq!(browser.open(address).status, StatusCode::NOT_FOUND, "{address}");
    }
    for address in ["/pair/x", "/pair?number=-1", "/pair"] {
        assert_eq!(browser.open(address).status, StatusCode::BAD_REQUEST, "{address}");
    }
    assert!(browser.open("/list?page=99").text.contains("href=\"/pair/8\""));
}

fn named(browser: &mut Browser, name: &str) {
    let page = browser.open("/");
    assert!(page.text.contains("Who reviews?"), "{}", page.text);
    let token = crate::browser::between(&page.text, "name=\"token\" value=\"", "\"").to_owned();
    let got = browser.post("/name", &[("token", &token), ("name", name)]);
    assert_eq!((got.status, got.leads_to()), (StatusCode::SEE_OTHER, "/next"), "{}", got.text);
    browser.keep(&got);
}

fn several(overlap: usize) -> Review {
    let review = ReviewOptions { overlap: Some(overlap), ..ReviewOptions::default() };
    super::study::review(sampled(), ReviewServerOptions { review, annotator: None })
}

#[test]
fn as_many_people_answer_as_are_wanted_and_no_more() {
    let review = several(1);
    let (mut anna, mut ben) = (review.browser(), review.browser());
    named(&mut anna, "Anna Müller");
    named(&mut ben, "ben");
    // Both open one pair; the second answer is refused, and recorded nowhere.
    let (one, other) = (anna.open("/pair/1"), ben.open("/pair/1"));
    anna.press_on(&one, "grade 3");
    let got = ben.press(&other, "grade 0", "");
    assert_eq!(got.status, StatusCode::CONFLICT);
    assert!(got.text.contains("1 of 1 wanted answers to this pair are there already"), "{}", got.text);
    assert_eq!(people(review.path()).annotators, [("Anna Müller".to_owned(), 1)]);
    // The rest is shared.
    let (mut a, mut b) = (anna.open("/next"), ben.open("/next"));
    for _ in 0..DRAWN {
        if a.text.contains("id=\"answer\"") {
            anna.press_on(&a, "grade 1");
        }
        b = ben.open("/next");
        if b.text.contains("id=\"answer\"") {
            b = ben.press_on(&b, "grade 2");
        }
        a = anna.open("/next");
    }
    let (all, said) = (people(review.path()), labels(review.path()).len());
    assert_eq!((said, all.annotators.iter().map(|(_, pairs)| pairs).sum::<usize>()), (DRAWN, DRAWN));
    assert!(b.text.contains("with enough answers of others"), "{}", b.text);
}

#[test]
fn two_people_answer_each_pair_where_two_are_wanted() {
    let review = several(2);
    for (name, grade) in [("anna", "grade 1"), ("ben", "grade 3"), ("cleo", "grade 0")] {
        let mut browser = review.browser();
        named(&mut browser, name);
        let mut page = browser.open("/next");
        while page.text.contains("id=\"answer\"") {
            page = browser.press_on(&page, grade);
        }
    }
    let all = people(review.path());
    assert_eq!(all.annotators, [("anna".to_owned(), DRAWN), ("ben".to_owned(), DRAWN)], "cleo came too late");
}

#[test]
fn a_name_that_nobody_can_have_is_refused() {
    let review = several(1);
    let browser = review.browser();
    let page = browser.open("/");
    let token = crate::browser::between(&page.text, "name=\"token\" value=\"", "\"").to_owned();
    for (name, words) in [
        ("", "it is empty"),
        ("judge-alpha", "is a judge of this study"),
        ("a\u{202e}b", "not seen"),
        (&*"x".repeat(61), "more than 60"),
    ] {
        let got = browser.post("/name", &[("token", &token), ("name", name)]);
        assert!(!got.headers.contains_key("set-cookie") && got.text.contains(words), "{name}: {}", got.text);
    }
}

/// Pairs that were chosen by judges' answers are not a sample.
#[test]
fn other_queues_show_their_pairs_and_correct_nothing() {
    for (queue, pairs) in [(ReviewQueue::Disagreement, None), (ReviewQueue::Query("q2".into()), Some(5))] {
        let folder = sampled();
        let review = ReviewServerOptions {
            review: ReviewOptions { queue: queue.clone(), ..ReviewOptions::default() },
            annotator: Some("anna".into()),
        };
        let review = super::study::review(folder, review);
        let browser = review.browser();
        let (mut page, mut shown) = (browser.open("/"), 0);
        let before = attempts(review.path());
        while page.text.contains("id=\"answer\"") {
            if let ReviewQueue::Query(query) = &queue {
                assert_eq!(page.pair().0, *query);
            }
            page = browser.press_on(&page, "grade 2");
            shown += 1;
        }
        assert!(pairs.is_none_or(|pairs| pairs == shown) && shown > 0, "{queue}: {shown}");
        assert_eq!(attempts(review.path()), before + shown);
        assert_eq!(labels(review.path()), [], "{queue}");
    }
}

#[test]
fn what_cannot_be_reviewed_is_said_at_the_start() {
    let start = |folder: &std::path::Path, queue: ReviewQueue, annotator: &str| {
        let review = ReviewOptions { queue, ..ReviewOptions::default() };
        let options = ReviewServerOptions { review, annotator: Some(annotator.into()) };
        let study = crate::review::study::open(folder);
        let started = llull_web::Server::review(study, &llull_web::ServeOptions::default(), &options);
        started.unwrap_err().to_string()
    };
    let folder = folder(false);
    assert!(
        start(folder.path(), ReviewQueue::Sample, "anna")
            .contains("llull sample proposes one and prints the command that draws it")
    );
    assert!(start(folder.path(), ReviewQueue::Failures, "anna").contains("every pair has a label"));
    assert!(start(folder.path(), ReviewQueue::Query("q99".into()), "anna").contains("\"q99\""));
    assert!(start(folder.path(), ReviewQueue::Sample, "judge-beta").contains("is a judge of this study"));
}
