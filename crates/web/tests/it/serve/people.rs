//! Tests the page of annotators who label a sample.

use std::path::Path;
use std::time::{Duration, Instant};

use llull::core::{SampleDesign, Seed};
use llull::review::{
    AnnotatorAnswer, HumanLabelsStatus, ReviewAnswer, ReviewDesk, ReviewMark, ReviewOptions,
};
use llull::sampling::SampleRequest;

use crate::serve::study::{NOT_IN_A_PAGE, Shown, folder, judge, open};

/// The hostile study with a measure that sampled pairs correct, more queries, and a sample of all but two pairs.
fn sampled() -> tempfile::TempDir {
    let folder = folder();
    let write = |name: &str, text: &str| fs_err::write(folder.path().join(name), text).unwrap();
    let config = fs_err::read_to_string(folder.path().join("llull.toml")).unwrap();
    write("llull.toml", &config.replace("nDCG@3", "P(rel=2)@2"));
    judge(folder.path());
    folder
}

fn draw(folder: &Path) {
    let study = open(folder);
    let inputs = study.inputs().unwrap();
    let evidence = study.evidence(&inputs).unwrap();
    let request = SampleRequest {
        measure: "P(rel=2)@2".parse().unwrap(),
        design: Some(SampleDesign::Pairs),
        compare: None,
        baseline: "old".into(),
        by: Vec::new(),
        scale: (0, 3),
        confidence: 0.95,
        seed: Seed(1),
    };
    let frame =
        study.annotators().sample_choice(&inputs, &evidence, &[request.measure], &request).unwrap().frame;
    study.annotators().keep_sample(&inputs, &evidence, &frame.draw(5).unwrap(), false).unwrap();
}

/// Answers the pair at a place of the sample.
fn label(folder: &Path, annotator: &str, at: usize, grade: i32) {
    let study = open(folder);
    let inputs = study.inputs().unwrap();
    let evidence = study.evidence(&inputs).unwrap();
    let mut desk = ReviewDesk::of_study(&study, &inputs, &evidence, &ReviewOptions::default()).unwrap();
    let (item, times) = (desk.item(at).unwrap().id.to_owned(), desk.times(at, annotator));
    let answer = ReviewAnswer {
        annotator: annotator.into(),
        item,
        verdict: AnnotatorAnswer::Grade(grade),
        note: String::new(),
        times,
    };
    desk.answer(&answer).unwrap();
}

/// The page of annotators once it contains this: while a study is being read, pages show the previous state.
fn once(browser: &Shown, held: &str) -> String {
    let began = Instant::now();
    loop {
        let page = browser.get("/people").text;
        if page.contains(held) {
            return page;
        }
        assert!(began.elapsed() < Duration::from_secs(60), "a reload does not show {held:?}: {page}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn people_have_a_page_once_a_sample_is_drawn_and_a_reload_shows_what_was_labelled() {
    let folder = sampled();
    let browser = Shown::new(folder);
    assert!(!browser.get("/queries").text.contains("href=\"/people\""), "nobody labels this study");
    assert_eq!(browser.get("/people").status, reqwest::StatusCode::NOT_FOUND);

    draw(browser.folder.path());
    // The study is read again after a pause.
    let page = loop {
        let page = browser.get("/people");
        if page.status == reqwest::StatusCode::OK {
            break page.text;
        }
        std::thread::sleep(std::time::Duration::from_millis(20));
    };
    assert!(page.contains("0 of 5 pairs labelled") && page.contains("Nothing is labelled yet"), "{page}");
    for page in ["/", "/queries", "/query/1", "/judges", "/labels", "/ledger", "/live"] {
        assert!(browser.get(page).text.contains("href=\"/people\""), "{page} leads to the page of people");
    }

    let annotator = "anna<b>\u{202e}";
    label(browser.folder.path(), "anna<b>", 0, 3);
    label(browser.folder.path(), "ben", 0, 1);
    label(browser.folder.path(), "ben", 1, 1);
    let page = once(&browser, "2 of 5 pairs labelled");
    assert!(page.contains("anna&lt;b&gt;</bdi> 3, <bdi>ben</bdi> 1"), "{page}");
    assert!(page.contains("who disagree on 1;"), "{page}");
    assert!(page.contains("Interim: decides nothing before 5 labels; 2 there are."), "{page}");
    assert!(page.contains("<a href=\"/query/"), "a disputed pair leads to its query: {page}");
    for wrong in NOT_IN_A_PAGE.into_iter().chain([annotator, "anna<b>"]) {
        assert!(!page.contains(wrong), "{wrong:?}");
    }

    for at in 1..5 {
        label(browser.folder.path(), "anna<b>", at, 2 + i32::from(at % 2 == 0));
    }
    let study = open(browser.folder.path());
    let inputs = study.inputs().unwrap();
    let evidence = study.evidence(&inputs).unwrap();
    let mut desk = ReviewDesk::of_study(&study, &inputs, &evidence, &ReviewOptions::default()).unwrap();
    let third = desk.item(2).unwrap().id.to_owned();
    desk.mark("ben", &third, ReviewMark::CannotTell).unwrap();
    let page = once(&browser, "5 of 5 pairs labelled");
    let status = HumanLabelsStatus::of_study(&study, &inputs, &evidence).unwrap();
    assert_eq!(status.people[1].set_aside.cannot_tell, 1);
    for sentence in &status.courses[0].says {
        assert!(page.contains(&sentence.replace('\'', "&#x27;")), "{sentence}: {page}");
    }

    // The file of marks is next to the ledger: it changes the page, too.
    let fourth = desk.item(3).unwrap().id.to_owned();
    desk.mark("ben", &fourth, ReviewMark::Skip).unwrap();
    let counts = [2, 0, 1, 0, 1].map(|count| format!("<td class=\"n\">{count}</td>")).concat();
    once(&browser, &format!("<bdi>ben</bdi></th>{counts}"));
}
