//! Tests comparisons on which annotators disagree, and their adjudication.

use llull::review::{ReviewDesk, ReviewOptions, ReviewQueue};
use llull_web::ReviewServerOptions;
use reqwest::StatusCode;

use crate::review::study::{attempts, comparing, open};

/// For an adjudicator, pairs come and go as others answer, each at its own place. An adjudicated answer replaces the
/// others' when judges are compared with annotators.
#[test]
fn comparisons_on_which_people_disagree_are_settled_as_they_come() {
    let folder = comparing(false);
    let study = open(folder.path());
    let inputs = study.inputs().unwrap();
    let evidence = study.evidence(&inputs).unwrap();
    let options = |queue| ReviewOptions { queue, ..ReviewOptions::default() };
    let mut desk = ReviewDesk::of_study(&study, &inputs, &evidence, &options(ReviewQueue::Random)).unwrap();
    let mut say = |annotator: &str, at: usize, choice| {
        let answer = llull::review::ReviewAnswer {
            annotator: annotator.into(),
            item: desk.item(at).unwrap().id.to_owned(),
            verdict: llull::review::AnnotatorAnswer::Choice(choice),
            note: String::new(),
            times: desk.times(at, annotator),
        };
        desk.answer(&answer).unwrap();
    };
    use llull::core::PairChoice::{Lhs, Rhs};
    for (annotator, choice) in [("anna", Lhs), ("ben", Rhs)] {
        say(annotator, 0, Lhs);
        say(annotator, 7, choice);
    }
    let queue = ReviewQueue::Adjudicate("carla".into());
    let review = super::study::review(
        folder,
        ReviewServerOptions { review: options(queue), annotator: Some("carla".into()) },
    );
    let browser = review.browser();
    let page = browser.open("/");
    assert_eq!(page.number(), 8, "its own place among all pairs");
    for hidden in ["/pair/1", "/pair/4", "/pair/7"] {
        assert_eq!(browser.open(hidden).status, StatusCode::NOT_FOUND, "{hidden}");
    }
    // A new dispute comes before it, and changes no place; the open page is still about its pair.
    say("anna", 3, Lhs);
    say("ben", 3, Rhs);
    assert!(browser.open("/pair/8").text.contains("href=\"/pair/4\" rel=\"prev\""));
    let next = browser.press_on(&page, "left");
    assert_eq!(next.number(), 4);
    assert!(next.text.contains("Last: pair 8, answered left, saved."), "{}", next.text);
    // The two now agree on it, so it no longer needs adjudication.
    let recorded = attempts(review.path());
    say("ben", 3, Lhs);
    let got = browser.press(&next, "right", "");
    assert_eq!(got.status, StatusCode::CONFLICT);
    assert!(got.text.contains("annotators do not disagree on it now"), "{}", got.text);
    assert_eq!(attempts(review.path()), recorded + 1, "ben's own");
    let page = browser.open("/next");
    assert!(
        page.text.contains("1 of 1 pair answered") && !page.text.contains("llull report"),
        "{}",
        page.text
    );

    let people = |study: &llull::Study| study.annotators().comparisons(&inputs, &evidence).unwrap();
    let found = people(&study);
    assert_eq!(
        (found.annotators, found.adjudicators),
        (vec![("anna".to_owned(), 3), ("ben".to_owned(), 3)], vec![("carla".to_owned(), 1)])
    );
    // Both pairs on which anna and ben agree have two votes; an adjudicated pair has the adjudicator's alone.
    assert_eq!(found.drawn.iter().map(|(_, of_topic)| of_topic.ballots.len()).sum::<usize>(), 5);
    let decided = |study: &llull::Study| {
        let evidence = study.evidence(&inputs).unwrap();
        let report = study.report(&inputs, &evidence).unwrap();
        let people = report.summary().tournaments.as_ref().unwrap().people.clone().unwrap();
        (people.random.as_ref().unwrap().decided, people.who())
    };
    assert_eq!(decided(&study), (3, "anna 3, ben 3; settled by carla 1".to_owned()));
    let last = browser.open("/pair/8");
    browser.undo(&last);
    assert_eq!(decided(&study), (2, "anna 3, ben 3".to_owned()), "divided again");
}
