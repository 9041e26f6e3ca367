//! Judges that cannot answer.

use std::sync::Arc;

use llull_core::{Answer, Hash, Paradigm, Qrels, Reason, Scale};
use llull_runner::{Judge, JudgeStop, ReplayJudge, RunOptions, StopReason, UnusableReplies};
use llull_store::MemoryLedger;

use crate::stage::{Stub, grade_of, graded, options, run_all, unusable, workload};

/// A judge that writes prose, with a reply that names its document.
fn prose(name: &str) -> Stub {
    Stub::new(name, |case, _| {
        let reply = Some(format!("I would say {} is fine.", case.document_id()));
        Some(Answer { reply, ..unusable(Reason::NoAnswer) })
    })
}

#[test]
fn a_judge_that_cannot_answer_stops_and_the_other_goes_on() {
    // One at a time: how many more are in flight when it stops is up to the scheduler.
    let bad = Arc::new(Stub { concurrency: 1, ..prose("bad") });
    let good = Arc::new(Stub::steady("good"));
    let judges: Vec<Arc<dyn Judge>> = vec![bad.clone(), good.clone()];
    let mut store = MemoryLedger::default();
    let (outcome, transcript) = run_all(&workload(60, 10), &judges, &mut store, &options());
    let outcome = outcome.unwrap();
    let [stop] = &outcome.stopped_judges[..] else { panic!("{:?}", outcome.stopped_judges) };
    assert_eq!((stop.judge.as_str(), stop.reason), ("bad", Reason::NoAnswer));
    // 10 documents a query, sent twice each: 41 replies reach the third query.
    assert_eq!(stop.found, UnusableReplies::InARow { replies: 41, queries: 3 });
    assert_eq!(stop.reply.as_deref(), Some("I would say d20 is fine."));
    assert!(stop.likely_cause().starts_with("prose instead of JSON"), "{}", stop.likely_cause());
    assert_eq!(bad.calls(), 42);
    assert_eq!(store.attempts().len(), bad.calls() + good.calls(), "and it is recorded");
    assert_eq!((outcome.stopped, outcome.judges[1].judged), (None, 600));
    assert_eq!(outcome.judges[0].not_asked, 600 - outcome.judges[0].unusable);
    assert_eq!(transcript.count("judge 0 stops: 41 unparsable replies in a row, about 3 queries"), 1);
}

#[test]
fn the_likely_cause_fits_the_reply_that_is_shown() {
    let stop = |reason, reply: Option<&str>, documents| JudgeStop {
        judge: "j".into(),
        found: UnusableReplies::InARow { replies: 20, queries: 3 },
        reason,
        detail: String::new(),
        reply: reply.map(str::to_owned),
        topic: "q".into(),
        document: "d".into(),
        documents,
    };
    let cause = |reason, reply, documents| stop(reason, reply, documents).likely_cause();
    assert!(cause(Reason::Empty, Some(""), 1).contains("raise it"));
    let thought = cause(Reason::Empty, Some("<think>\nIt is a 2.\n</think>\n"), 1);
    assert!(thought.contains("reasoning without an answer") && !thought.contains("max_tokens"), "{thought}");
    assert!(cause(Reason::ToolCall, Some("[{}]"), 1).contains("calls a tool"));
    assert!(cause(Reason::NotAnOrder, Some("{}"), 4).contains("lower the window"));
    let two = cause(Reason::NotAnOrder, Some("{}"), 2);
    assert!(!two.contains("window"), "a window of 2 cannot be lowered: {two}");
}

#[test]
fn whether_a_judge_stops_does_not_depend_on_how_many_are_asked_at_once() {
    let stop = |concurrency, share: u8| -> Option<JudgeStop> {
        let judge = Stub::new("j", move |case, _| {
            let drawn = Hash::of(case.document_id().as_bytes()).0[0];
            Some(if drawn < share { unusable(Reason::CutOff) } else { graded(grade_of(case)) })
        });
        let judge = Arc::new(Stub { concurrency, ..judge });
        let outcome = run_all(&workload(60, 5), &[judge], &mut MemoryLedger::default(), &options()).0;
        outcome.unwrap().stopped_judges.pop()
    };
    for share in [0, 40, 140, 180, 255] {
        let one = stop(1, share);
        assert_eq!(one.is_some(), share >= 140, "{share} {one:?}");
        for concurrency in [3, 16, 200] {
            assert_eq!(stop(concurrency, share), one, "{share} of 256 at {concurrency}");
        }
    }
}

#[test]
fn the_run_ends_when_no_judge_is_left() {
    let judge = Arc::new(prose("bad"));
    let outcome = run_all(&workload(60, 2), &[judge], &mut MemoryLedger::default(), &options()).0.unwrap();
    assert_eq!((outcome.stopped, outcome.stopped_judges.len()), (Some(StopReason::NoJudgeLeft), 1));
}

#[test]
fn the_next_run_stops_at_the_first_reply_or_goes_on() {
    let mut store = MemoryLedger::default();
    let one_by_one = |stub: Stub| Arc::new(Stub { concurrency: 1, ..stub });
    let bad = one_by_one(prose("j"));
    run_all(&workload(60, 2), &[bad.clone()], &mut store, &options()).0.unwrap();
    assert_eq!(bad.calls(), 20, "two for each document");
    let still = one_by_one(prose("j"));
    let outcome = run_all(&workload(60, 2), &[still.clone()], &mut store, &options()).0.unwrap();
    assert_eq!((still.calls(), outcome.judges[0].reused), (2, 10), "one more question is enough");
    let [stop] = &outcome.stopped_judges[..] else { panic!("it stops again") };
    assert_eq!(stop.found, UnusableReplies::InARow { replies: 21, queries: 6 });
    let mended = one_by_one(Stub::steady("j"));
    let outcome = run_all(&workload(60, 2), &[mended], &mut store, &options()).0.unwrap();
    assert_eq!((outcome.stopped_judges.len(), outcome.judges[0].judged), (0, 109));
}

#[test]
fn whoever_wants_to_go_on_is_not_stopped() {
    let judge = Arc::new(prose("bad"));
    let going_on = RunOptions { unusable: None, ..options() };
    let outcome = run_all(&workload(60, 2), &[judge], &mut MemoryLedger::default(), &going_on).0.unwrap();
    assert_eq!((outcome.stopped, outcome.judges[0].unusable), (None, 120));
}

#[test]
fn a_file_that_lacks_most_pairs_is_not_a_judge_that_cannot_answer() {
    let mut labels = Qrels::default();
    labels.insert("q59", "d119", 1);
    let hash = Hash::of(b"q59 0 d119 1");
    let judge = ReplayJudge::new("known", Arc::new(labels), "f", hash, Scale::default(), Paradigm::Graded);
    let judge: Arc<dyn Judge> = Arc::new(judge);
    let outcome = run_all(&workload(60, 2), &[judge], &mut MemoryLedger::default(), &options()).0.unwrap();
    assert_eq!((outcome.stopped_judges.len(), outcome.judges[0].judged), (0, 1));
}

#[test]
fn a_file_whose_grades_are_off_the_scale_is() {
    let mut labels = Qrels::default();
    (0..120).for_each(|at| _ = labels.insert(&format!("q{}", at / 2), &format!("d{at}"), 7));
    let hash = Hash::of(b"seven");
    let judge = ReplayJudge::new("known", Arc::new(labels), "f", hash, Scale::default(), Paradigm::Graded);
    let judge: Arc<dyn Judge> = Arc::new(judge);
    let outcome = run_all(&workload(60, 2), &[judge], &mut MemoryLedger::default(), &options()).0.unwrap();
    let [stop] = &outcome.stopped_judges[..] else { panic!("{outcome:?}") };
    assert_eq!((stop.reason, &stop.reply), (Reason::OutOfRange, &None));
    assert!(stop.likely_cause().contains("the scale of the rubric"));
}
