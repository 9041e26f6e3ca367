//! Tests that no byte depends on the answers of judges or systems.

use llull::review::{ReviewOptions, ReviewQueue};
use llull_web::ReviewServerOptions;

use crate::browser::Browser;
use crate::review::study::{DRAWN, Review, SECRETS, by, comparing, draw, folder, review};

/// A page without the parts that differ from server to server.
fn shown(browser: &Browser, review: &Review, address: &str) -> String {
    let got = browser.open(address);
    let token = review.server.url().split_once("token=").unwrap().1;
    assert!(!got.text.contains(token));
    for secret in SECRETS {
        assert!(!got.text.contains(secret), "{secret} in {address}");
        let headers = format!("{:?}", got.headers);
        assert!(!headers.contains(secret), "{secret} in {headers}");
    }
    let form_token = got.text.split("name=\"token\" value=\"").nth(1).map(|rest| rest[..32].to_owned());
    form_token.map_or(got.text.clone(), |token| got.text.replace(&token, ""))
}

/// Two studies have the same queries, documents and sample. In one every judge gives the opposite answer, and every
/// ranking is reversed. An annotator gets the same bytes, whatever the answers.
#[test]
fn pages_are_the_same_whatever_judges_and_systems_say() {
    let (one, other) = (folder(false), folder(true));
    draw(one.path());
    let kept = |folder: &std::path::Path| folder.join(".llull/sample.tsv");
    fs_err::copy(kept(one.path()), kept(other.path())).unwrap();
    let (one, other) = (review(one, by("anna")), review(other, by("anna")));
    let (first, second) = (one.browser(), other.browser());
    let mut compared = 0;
    for round in 0..=DRAWN {
        let addresses = (1..=DRAWN).map(|number| format!("/pair/{number}"));
        for address in addresses.chain(["/list".to_owned(), "/next".to_owned(), "/pair/99".to_owned()]) {
            let pages = [shown(&first, &one, &address), shown(&second, &other, &address)];
            assert_eq!(pages[0], pages[1], "{address} in round {round}");
            compared += 1;
        }
        if round < DRAWN {
            for browser in [&first, &second] {
                browser.press_on(&browser.open("/next"), &format!("grade {}", round % 4));
            }
        }
    }
    assert_eq!(compared, (DRAWN + 1) * (DRAWN + 3));
}

/// The same for documents side by side: pairs, sides, order and answers. Every two documents of a query are compared
/// in both studies, so that the set of compared pairs is the same, too.
#[test]
fn documents_side_by_side_are_the_same_whatever_judges_and_systems_say() {
    let options = || ReviewServerOptions {
        review: ReviewOptions { queue: ReviewQueue::Random, ..ReviewOptions::default() },
        annotator: Some("anna".into()),
    };
    let (one, other) = (review(comparing(false), options()), review(comparing(true), options()));
    let (first, second) = (one.browser(), other.browser());
    let all = 60;
    for round in 0..3 {
        let addresses = (1..=all).map(|number| format!("/pair/{number}"));
        for address in addresses.chain(["/list".to_owned(), "/next".to_owned(), "/pair/99".to_owned()]) {
            let pages = [shown(&first, &one, &address), shown(&second, &other, &address)];
            assert_eq!(pages[0], pages[1], "{address} in round {round}");
        }
        for browser in [&first, &second] {
            browser.press_on(&browser.open("/next"), ["left", "right", "neither"][round]);
        }
    }
    let pages: Vec<_> = (1..=all).map(|number| first.open(&format!("/pair/{number}")).sides()).collect();
    let lesser = pages.iter().filter(|[left, right]| left < right).count();
    assert!((15..=45).contains(&lesser), "sides are drawn: {lesser} of 60"); // 30 +- 3.9 standard deviations
    let mut sorted = pages;
    sorted.iter_mut().for_each(|sides| sides.sort());
    assert!(!sorted.is_sorted(), "and so is the order");
    sorted.sort();
    sorted.dedup();
    assert_eq!(sorted.len(), all, "each two documents come once");
}

/// An adjudicator does not see the annotators' answers: whichever of two gave the higher grade, the pages are the
/// same.
#[test]
fn an_adjudicator_sees_no_grade_of_those_who_disagree() {
    let pages = |lower: &str, higher: &str| {
        let mut folder = folder(false);
        draw(folder.path());
        for (annotator, grade) in [(lower, 0), (higher, 3)] {
            let review = review(folder, by(annotator));
            let browser = review.browser();
            browser.press(&browser.open("/pair/1"), &format!("grade {grade}"), "my secret note");
            browser.press(&browser.open("/pair/4"), &format!("grade {}", 3 - grade), "");
            folder = review.folder;
        }
        let queue = ReviewQueue::Adjudicate("carla".into());
        let options = ReviewServerOptions {
            review: ReviewOptions { queue, ..ReviewOptions::default() },
            annotator: Some("carla".into()),
        };
        let review = review(folder, options);
        let browser = review.browser();
        let mut pages = Vec::new();
        for round in 0..=2 {
            for address in ["/pair/1", "/pair/4", "/list", "/next"] {
                let page = shown(&browser, &review, address);
                for secret in ["my secret note", lower, higher] {
                    assert!(!page.contains(secret), "{secret} in {address}");
                }
                pages.push(page);
            }
            if round < 2 {
                browser.press_on(&browser.open("/next"), &format!("grade {}", round + 1));
            }
        }
        let settled = crate::review::study::people(review.path());
        assert_eq!((settled.adjudicated(), settled.adjudicators), (2, vec![("carla".to_owned(), 2)]));
        pages
    };
    assert_eq!(pages("anna-smith", "ben-jones"), pages("ben-jones", "anna-smith"));
}

/// The order of the queue is the seed's, not that of grades or ranks.
#[test]
fn the_order_is_not_that_of_the_pool() {
    let folder = folder(false);
    draw(folder.path());
    let review = review(folder, by("anna"));
    let browser = review.browser();
    let pairs: Vec<_> = (1..=DRAWN).map(|number| browser.open(&format!("/pair/{number}")).pair()).collect();
    let mut sorted = pairs.clone();
    sorted.sort();
    assert_ne!(pairs, sorted);
    sorted.dedup();
    assert_eq!(sorted.len(), DRAWN, "each pair comes once");
}
