//! Tests reviews of documents side by side, and the ledger afterwards.

use llull::core::{Outcome, Paradigm, Verdict};
use llull::preferences::annotator_agreement;
use llull::review::{ReviewDesk, ReviewOptions, ReviewQueue};
use llull::runner::AnnotatorJudge;
use llull::store::{Detail, LedgerReader as _};
use llull_web::ReviewServerOptions;
use reqwest::StatusCode;

use crate::review::study::{Review, attempts, by, comparing, draw, folder, labels, open, review, sampled};

/// Every two of five documents, of six queries.
const PAIRS: usize = 60;

fn of_queue(queue: ReviewQueue, most: Option<usize>) -> Review {
    let review = ReviewOptions { queue, most, overlap: None, expected: None };
    super::study::review(comparing(false), ReviewServerOptions { review, annotator: Some("anna".into()) })
}

/// The documents on the left and on the right, and the annotator's order; `None` after a withdrawal.
type Said = ([String; 2], Option<Vec<Vec<u16>>>);

/// The annotators' answers in the ledger.
fn said(review: &Review) -> Vec<Said> {
    let ledger = open(review.path()).ledger().file().unwrap();
    let people =
        ledger.judges().unwrap().into_iter().filter(|judge| AnnotatorJudge::annotator(&judge.spec).is_some());
    let people: Vec<_> = people.collect();
    assert!(people.iter().all(|judge| judge.spec.paradigm == Paradigm::Pairwise));
    let ids: Vec<_> = people.iter().map(|judge| judge.id).collect();
    let mut said = Vec::new();
    ledger
        .scan(Some(&ids), Detail::Replies, &mut |_, attempt| {
            let order = match attempt.answer.outcome {
                Outcome::Judged { verdict: Verdict::Compared(verdict) } => Some(verdict.order),
                _ => None,
            };
            said.push((<[String; 2]>::try_from(attempt.documents).unwrap(), order));
            Ok(())
        })
        .unwrap();
    said
}

#[test]
fn every_comparison_is_recorded_in_the_order_in_which_it_was_shown() {
    let review = of_queue(ReviewQueue::Random, Some(9));
    let study = open(review.path());
    let inputs = study.inputs().unwrap();
    let before = study.evidence(&inputs).unwrap();
    let browser = review.browser();
    let mut page = browser.open("/");
    let mut expected = Vec::new();
    for (act, order) in
        [("left", vec![vec![0], vec![1]]), ("right", vec![vec![1], vec![0]]), ("neither", vec![vec![0, 1]])]
            .into_iter()
            .cycle()
            .take(9)
    {
        let sides = page.sides();
        let got = browser.press(&page, act, "a \"note\"");
        assert_eq!(got.status, StatusCode::SEE_OTHER, "{}", got.text);
        expected.push((sides, Some(order)));
        assert_eq!(said(&review), expected, "nothing more is asked for");
        page = browser.open(got.leads_to());
    }
    assert!(page.text.contains("9 of 9 pairs answered"), "{}", page.text);

    // How each pair was drawn is recorded with it.
    let ledger = study.ledger().file().unwrap();
    let anna = ledger.judges().unwrap().into_iter().find(|judge| judge.name == "anna").unwrap();
    let mut number = 0;
    ledger
        .scan(Some(&[anna.id]), Detail::Replies, &mut |_, attempt| {
            let record: serde_json::Value =
                serde_json::from_str(attempt.answer.reply.as_deref().unwrap()).unwrap();
            number += 1;
            assert_eq!((&record["queue"], &record["number"]), (&"random".into(), &number.into()));
            assert_eq!((&record["draw"]["seed"], &record["draw"]["pairs"]), (&42.into(), &PAIRS.into()));
            assert_eq!(record["grade"], serde_json::Value::Null);
            Ok(())
        })
        .unwrap();

    // Annotators' comparisons are not votes; judges are compared with them.
    let after = study.evidence(&inputs).unwrap();
    assert_eq!(after.labels, before.labels);
    let people = study.annotators().comparisons(&inputs, &after).unwrap();
    assert_eq!(people.annotators, [("anna".to_owned(), 9)]);
    let agreement = annotator_agreement(&after, people, &[], 0.95).unwrap();
    assert_eq!((agreement.other_queues, agreement.without.len()), (None, 0));
    let random = agreement.random.unwrap();
    assert_eq!(random.truth.pairs, 6, "three were neither");
    for judge in &random.judges {
        assert_eq!((judge.unknown, judge.tied), (0, 3), "{}", judge.judge);
        assert_eq!(judge.modes[0].n, 6);
    }
}

/// A judge with the annotators' answers agrees with all; one with the opposite answers agrees with none.
#[test]
fn agreement_is_with_what_judges_said_whatever_the_sides_were() {
    let review = of_queue(ReviewQueue::Random, None);
    let browser = review.browser();
    let grades = fs_err::read_to_string(review.path().join("alpha.qrels")).unwrap();
    let grade = |document: &str| -> i32 {
        let line = grades.lines().find(|line| line.split(' ').nth(2) == Some(document)).unwrap();
        line.split(' ').nth(3).unwrap().parse().unwrap()
    };
    let mut page = browser.open("/");
    let mut decided = 0;
    while page.text.contains("id=\"answer\"") {
        let [left, right] = page.sides().map(|document| grade(&document));
        decided += u64::from(left != right);
        page = browser.press_on(
            &page,
            match left.cmp(&right) {
                std::cmp::Ordering::Greater => "left",
                std::cmp::Ordering::Less => "right",
                std::cmp::Ordering::Equal => "neither",
            },
        );
    }
    let study = open(review.path());
    let inputs = study.inputs().unwrap();
    let evidence = study.evidence(&inputs).unwrap();
    let people = study.annotators().comparisons(&inputs, &evidence).unwrap();
    let agreement = annotator_agreement(&evidence, people, &["judge-alpha".into()], 0.95).unwrap();
    let judge = &agreement.random.unwrap().judges[0];
    assert_eq!((judge.modes[0].n, judge.modes[0].precision), (decided, Some(1.0)));
    assert!(judge.modes[0].precision_interval.unwrap().0 > 0.9);
    assert_eq!(judge.tied + judge.modes[0].n, PAIRS as u64);

    // The report has the same agreement, and that of the tiers; the check compares with annotators.
    let report = study.report(&inputs, &evidence).unwrap();
    let people = report.summary().tournaments.as_ref().unwrap().people.as_ref().unwrap();
    assert_eq!(people.who(), "anna 60");
    let random = people.random.as_ref().unwrap();
    let names: Vec<&str> = random.judges.iter().map(|judge| judge.judge.as_str()).collect();
    assert_eq!(
        (names, random.decided, &people.other_queues),
        (vec!["judge-alpha", "judge-beta"], decided, &None)
    );
    let alpha = &random.judges[0];
    assert_eq!((alpha.n, alpha.decided, alpha.alike, alpha.share), (decided, decided, decided, Some(1.0)));
    let tiers = random.tiers.as_ref().unwrap();
    assert!(tiers.n == decided && tiers.alike < tiers.decided && tiers.alike > 0, "{tiers:?}");
    assert!(random.judges[1].alike < random.judges[1].decided);
    let kappa = |judge: &str| {
        let checks = report.summary().checks.iter();
        let found: Vec<_> =
            checks.filter(|check| check.kind.name() == "kappa" && check.judge == judge).collect();
        (found[0].n, found[0].value.unwrap(), found[0].finding.clone())
    };
    let (n, value, finding) = kappa("judge-alpha");
    assert_eq!((n as u64, value), (decided, 1.0));
    assert!(
        finding.contains("with human comparisons of pairs in random order beyond chance: kappa 1.00"),
        "{finding}"
    );
    let beta = &random.judges[1];
    let (n, value, _) = kappa("judge-beta");
    assert_eq!(n as u64, beta.decided);
    assert!((value - (2.0 * beta.alike as f64 / beta.decided as f64 - 1.0)).abs() < 1e-12, "{value}");
    let text = report.markdown().unwrap();
    let row = format!("| judge-alpha | {decided} | {decided} | {decided} | 100.0% | [");
    assert!(text.contains("### Compared with human labels") && text.contains(&row), "{row}");
    let page = report.html().unwrap();
    assert!(page.contains("tiers of all together") && page.contains("<bdi>anna 60</bdi>"));
}

/// A judge with the opposite answers is below chance, and the report shows it; pairs of another queue do not count.
#[test]
fn a_judge_that_says_the_opposite_of_people_is_below_chance() {
    for (queue, random) in [(ReviewQueue::Random, true), (ReviewQueue::Disagreement, false)] {
        let review = of_queue(queue, None);
        let browser = review.browser();
        let grades = fs_err::read_to_string(review.path().join("alpha.qrels")).unwrap();
        let grade = |document: &str| -> i32 {
            let line = grades.lines().find(|line| line.split(' ').nth(2) == Some(document)).unwrap();
            line.split(' ').nth(3).unwrap().parse().unwrap()
        };
        let mut page = browser.open("/");
        while page.text.contains("id=\"answer\"") {
            let [left, right] = page.sides().map(|document| grade(&document));
            page = browser.press_on(&page, if left < right { "left" } else { "right" });
        }
        let study = open(review.path());
        let inputs = study.inputs().unwrap();
        let evidence = study.evidence(&inputs).unwrap();
        let report = study.report(&inputs, &evidence).unwrap();
        let mut checks = report.summary().checks.iter();
        let kappa =
            checks.find(|check| check.kind.name() == "kappa" && check.judge == "judge-alpha").unwrap();
        let people = report.summary().tournaments.as_ref().unwrap().people.as_ref().unwrap();
        assert_eq!((people.random.is_some(), people.other_queues.is_some()), (random, !random));
        let alpha = &people.random.as_ref().or(people.other_queues.as_ref()).unwrap().judges[0];
        assert_eq!((alpha.alike, alpha.share), (0, Some(0.0)));
        if random {
            assert_eq!((kappa.value, kappa.high.is_some_and(|high| high < 0.0)), (Some(-1.0), true));
            assert!(kappa.finding.contains("The judge contradicts human comparisons"), "{}", kappa.finding);
        } else {
            assert!(kappa.finding.contains("the other judge"), "{}", kappa.finding);
        }
    }
}

#[test]
fn a_second_tab_undo_and_the_same_form_again_are_as_where_documents_are_graded() {
    let review = of_queue(ReviewQueue::Random, None);
    let browser = review.browser();
    let (one, other) = (browser.open("/pair/1"), browser.open("/pair/1"));
    let before = attempts(review.path());
    for _ in 0..3 {
        assert_eq!(browser.press(&one, "left", "").status, StatusCode::SEE_OTHER);
    }
    assert_eq!(attempts(review.path()), before + 1);
    let got = browser.press(&other, "right", "");
    assert_eq!(got.status, StatusCode::CONFLICT);
    assert!(
        got.text.contains("in another tab or by another process: left. Nothing was recorded"),
        "{}",
        got.text
    );
    let again = browser.open("/pair/1");
    assert!(
        again.text.contains("Your answer is left") && again.text.contains("aria-pressed=\"true\""),
        "{}",
        again.text
    );
    assert_eq!(browser.press(&again, "skip", "").status, StatusCode::CONFLICT, "it has an answer");
    let next = browser.press_on(&again, "neither");
    assert!(next.text.contains("Last: pair 1, answered neither, saved."), "{}", next.text);
    assert_eq!(browser.undo(&next).leads_to(), "/pair/1");
    let orders: Vec<_> = said(&review).into_iter().map(|(_, order)| order).collect();
    assert_eq!(orders, [Some(vec![vec![0], vec![1]]), Some(vec![vec![0, 1]]), None]);
    for act in ["skip", "later", "cannot-tell"] {
        browser.press_on(&browser.open("/next"), act);
    }
    assert!(
        browser.open("/list").text.contains("0 answered, 57 open, 1 for later, 1 skipped, 1 cannot be told")
    );
    assert_eq!(attempts(review.path()), before + 3);
}

fn item_of(page: &crate::browser::Got) -> String {
    page.answer_form().into_iter().find(|(name, _)| name == "item").unwrap().1
}

/// Another seed draws other sides. Earlier answers, and pairs set aside, stay valid for any sides; previously the
/// review showed such a pair again.
#[test]
fn answers_are_known_where_another_seed_turns_the_sides() {
    let review = of_queue(ReviewQueue::Random, None);
    let browser = review.browser();
    // Of every two documents the one with the lower identifier is better, whichever side it is on.
    let better = |sides: [String; 2]| if sides[0] < sides[1] { "left" } else { "right" };
    browser.press_on(&browser.open("/pair/1"), "skip");
    let first = browser.open("/pair/1").sides();
    let mut before = std::collections::BTreeMap::new();
    for number in 2..=PAIRS {
        let page = browser.open(&format!("/pair/{number}"));
        let sides = page.sides();
        let mut pair = sides.clone();
        pair.sort();
        browser.press_on(&page, better(sides.clone()));
        before.insert(pair, (sides, item_of(&page)));
    }
    let Review { server, folder } = review;
    server.stop();
    let config = folder.path().join("llull.toml");
    let text = fs_err::read_to_string(&config).unwrap();
    fs_err::write(&config, format!("seed = 5\n{text}")).unwrap();
    crate::review::study::judge(folder.path());
    let options = ReviewOptions { queue: ReviewQueue::Random, ..ReviewOptions::default() };
    let annotator = Some("anna".into());
    let review = super::study::review(folder, ReviewServerOptions { review: options, annotator });
    let (browser, recorded) = (review.browser(), attempts(review.path()));
    assert!(browser.open("/list").text.contains("59 answered, 0 open, 0 for later, 1 skipped"));
    let mut turned = Vec::new();
    for number in 1..=PAIRS {
        let page = browser.open(&format!("/pair/{number}"));
        let sides = page.sides();
        let mut pair = sides.clone();
        pair.sort();
        match before.get(&pair) {
            None => assert!(first.iter().all(|document| pair.contains(document)), "{pair:?}"),
            Some((shown, item)) => {
                assert!(
                    page.text.contains(&format!("Your answer is {}.", better(sides.clone()))),
                    "{pair:?}"
                );
                turned.extend((*shown != sides).then(|| (number, page, item.clone())));
            }
        }
    }
    assert!(turned.len() > 15, "{}", turned.len());
    assert_eq!(attempts(review.path()), recorded);
    // A form of the old sides is about a pair that is not here.
    let (number, page, item) = &turned[0];
    let form = page.answer_form();
    let old = |name: &str| if name == "item" { Some(item.as_str()) } else { None };
    let mut fields: Vec<(&str, &str)> =
        form.iter().map(|(name, value)| (name.as_str(), old(name).unwrap_or(value))).collect();
    fields.push(("act", "left"));
    assert_eq!(browser.post("/answer", &fields).status, StatusCode::CONFLICT);
    assert_eq!(attempts(review.path()), recorded);
    // A correction, and taking it back, are of the same two documents.
    browser.press_on(page, "neither");
    let next = browser.open("/pair/1");
    assert!(next.text.contains(&format!("Last: pair {number}, answered neither, saved.")), "{}", next.text);
    let of = |study: &llull::Study| {
        let inputs = study.inputs().unwrap();
        study.annotators().comparisons(&inputs, &study.evidence(&inputs).unwrap()).unwrap()
    };
    let study = open(review.path());
    assert_eq!(of(&study).annotators, [("anna".to_owned(), 59)]);
    let votes = |study: &llull::Study| {
        let found = study.attempts().ballots(&["anna".into()]).unwrap();
        found.ballots.iter().map(|(_, of_topic)| of_topic.ballots.len()).sum::<usize>()
    };
    assert_eq!(votes(&study), 59, "one vote a pair");
    browser.undo(&next);
    assert_eq!((of(&study).annotators, votes(&study)), (vec![("anna".to_owned(), 58)], 58));
}

#[test]
fn an_answer_to_another_question_is_refused() {
    let (pairs, graded) = (of_queue(ReviewQueue::Random, None), review(sampled(), by("anna")));
    for (review, acts) in [(&pairs, ["grade 1", "both"]), (&graded, ["left", "neither"])] {
        let browser = review.browser();
        let page = browser.open("/");
        let before = attempts(review.path());
        for act in acts {
            let got = browser.press(&page, act, "");
            assert_eq!(got.status, StatusCode::BAD_REQUEST, "{act}: {}", got.text);
        }
        assert_eq!(attempts(review.path()), before);
    }
}

#[test]
fn a_page_shows_both_documents_and_keys_that_are_no_others() {
    let review = of_queue(ReviewQueue::Random, None);
    let browser = review.browser();
    let page = browser.open("/pair/2").text;
    for (act, key, name) in [("left", "1", "Left"), ("right", "2", "Right"), ("neither", "0", "Neither")] {
        let button = format!("value=\"{act}\" data-key=\"{key}\"><kbd>{key}</kbd> {name}</button>");
        assert!(page.contains(&button), "{button} in {page}");
    }
    let mut keys: Vec<&str> =
        page.split("data-key=\"").skip(1).map(|rest| rest.split('"').next().unwrap()).collect();
    keys.sort_unstable();
    let all = keys.len();
    keys.dedup();
    assert_eq!(keys.len(), all, "no two do the same: {keys:?}");
    assert_eq!(page.matches("<section class=\"document\"").count(), 2);
    for hostile in ["<script>", "<img", "\u{202e}", "\u{1b}", "style=\"", " onclick"] {
        assert!(!page.contains(hostile), "{hostile:?} in {page}");
    }
    assert!(
        page.matches("&lt;<mark>script</mark>&gt;").count() >= 4 && page.contains("<mark>question</mark>"),
        "{page}"
    );
    assert!(!browser.open("/list").text.contains("<script>"));
}

#[test]
fn queues_hold_the_pairs_that_they_name() {
    let grades = |review: &Review, judge: &str| {
        let text = fs_err::read_to_string(review.path().join(judge)).unwrap();
        move |document: &str| -> i32 {
            let line = text.lines().find(|line| line.split(' ').nth(2) == Some(document)).unwrap();
            line.split(' ').nth(3).unwrap().parse().unwrap()
        }
    };
    let review = of_queue(ReviewQueue::Disagreement, None);
    let (alpha, beta) = (grades(&review, "alpha.qrels"), grades(&review, "beta.qrels"));
    let browser = review.browser();
    let mut apart = Vec::new();
    for number in 1.. {
        let page = browser.open(&format!("/pair/{number}"));
        if page.status == StatusCode::NOT_FOUND {
            break;
        }
        let [left, right] = page.sides();
        let side = |of: &dyn Fn(&str) -> i32| (of(&left) - of(&right)).signum();
        apart.push((side(&alpha) - side(&beta)).abs());
    }
    assert!(apart.len() > 5 && !apart.contains(&0) && apart.iter().rev().is_sorted(), "{apart:?}");
    let page = browser.press_on(&browser.open("/"), "left");
    assert_eq!(page.number(), 2);
    // Another queue shows the pair again: seeing a pair because judges disagree reveals something about their answers.
    let study = open(review.path());
    let inputs = study.inputs().unwrap();
    let people = study.annotators().comparisons(&inputs, &study.evidence(&inputs).unwrap()).unwrap();
    assert_eq!((people.drawn.len(), people.chosen.len()), (0, 1));
    assert!(people.chosen.iter().all(|(_, of_topic)| of_topic.ballots.len() == 1));

    let review = of_queue(ReviewQueue::Query("q2".into()), None);
    let browser = review.browser();
    assert_eq!(browser.open("/pair/11").status, StatusCode::NOT_FOUND);
    assert!((1..=10).all(|number| browser.open(&format!("/pair/{number}")).pair().0 == "q2"));
}

#[test]
fn a_queue_that_is_empty_or_of_another_paradigm_says_so() {
    let error = |folder: &tempfile::TempDir, queue| {
        let study = open(folder.path());
        let inputs = study.inputs().unwrap();
        let evidence = study.evidence(&inputs).unwrap();
        let options = ReviewOptions { queue, ..ReviewOptions::default() };
        ReviewDesk::of_study(&study, &inputs, &evidence, &options).err().unwrap().to_string()
    };
    let pairs = comparing(false);
    for (queue, words) in [
        (ReviewQueue::Cycles, "no documents lead each other in a cycle"),
        (ReviewQueue::Failures, "every comparison has an answer"),
        (ReviewQueue::Query("q9".into()), "no two documents of query \"q9\" together"),
    ] {
        let said = error(&pairs, queue);
        assert!(said.contains(words), "{said}");
    }
    let said = error(&folder(false), ReviewQueue::Cycles);
    assert!(said.contains("judges grade") && said.contains("--queue sample"), "{said}");
}

/// Human grades correct figures there, too.
#[test]
fn a_sample_is_graded_where_judges_compare() {
    let folder = comparing(false);
    draw(folder.path());
    let review = review(folder, by("anna"));
    let browser = review.browser();
    let page = browser.open("/");
    assert!(
        page.text.contains("value=\"grade 3\"") && !page.text.contains("value=\"left\""),
        "{}",
        page.text
    );
    browser.press_on(&page, "grade 3");
    assert_eq!(labels(review.path()).len(), 1);
}
