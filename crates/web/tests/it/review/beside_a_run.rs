//! Tests annotators' answers while another process runs judges.

use std::sync::atomic::{AtomicBool, Ordering};

use llull::Folder;
use llull::core::{Attempt, GradedVerdict, Hash, Outcome, Verdict};
use llull::store::{LedgerLock, LedgerReader as _, LedgerWriter as _, SqliteLedger};
use reqwest::StatusCode;

use crate::review::study::{DRAWN, attempts, by, labels, review, sampled};

/// A run holds the lock from its begin to its end, and appends in small batches.
#[test]
fn answers_are_recorded_while_a_run_writes() {
    let review = review(sampled(), by("anna"));
    let browser = review.browser();
    let ledger = Folder::new(review.path()).ledger();
    let stop = AtomicBool::new(false);
    let before = attempts(review.path());
    let written = std::thread::scope(|scope| {
        let run = scope.spawn(|| {
            let _lock = LedgerLock::acquire(&ledger).unwrap();
            let mut writer = SqliteLedger::open(&ledger).unwrap();
            let judge = writer.judges().unwrap().remove(0).id;
            let outcome = Outcome::Judged { verdict: Verdict::Graded(GradedVerdict::default()) };
            let mut written = 0;
            while !stop.load(Ordering::Relaxed) {
                let attempt = Attempt::new(Hash::of(&u64::to_le_bytes(written)), outcome.clone());
                writer.append(&vec![(judge, attempt); 3]).unwrap();
                written += 3;
            }
            written
        });
        let mut page = browser.open("/");
        for _ in 0..DRAWN {
            page = browser.press_on(&page, "grade 2");
        }
        assert!(page.text.contains("Nothing is left"), "{}", page.text);
        stop.store(true, Ordering::Relaxed);
        run.join().unwrap()
    });
    assert_eq!(labels(review.path()).len(), DRAWN);
    assert_eq!(attempts(review.path()), before + written + DRAWN as u64, "each has a number of its own");
    let whole = SqliteLedger::open_read_only(&ledger).unwrap();
    assert_eq!(whole.loss(), None);
}

/// Each of two servers sees the other's records.
#[test]
fn two_servers_of_one_study_lose_nothing() {
    let one = review(sampled(), by("anna"));
    let options = llull_web::ServeOptions::default();
    let study = crate::review::study::open(one.path());
    let server = llull_web::Server::review(study, &options, &by("anna")).unwrap();
    let other = crate::review::study::Review { server, folder: tempfile::tempdir().unwrap() };
    let (first, second) = (one.browser(), other.browser());
    let stale = second.open("/pair/1");
    first.press_on(&first.open("/pair/1"), "grade 3");
    assert_eq!(second.press(&stale, "grade 0", "").status, StatusCode::CONFLICT);
    assert!(second.open("/pair/1").text.contains("Your answer is 3"));
    second.press_on(&second.open("/pair/2"), "later");
    assert!(first.open("/list").text.contains("1 answered, 6 open, 1 for later"));
    assert_eq!(labels(one.path()).len(), 1);
}
