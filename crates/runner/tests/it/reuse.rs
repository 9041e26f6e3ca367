//! Tests that no question with an answer is sent, and none twice.

use std::sync::Arc;

use llull_core::{Document, FailureKind, Reason, Status, Topic};
use llull_runner::{EvidenceError, Exhaustive, Judge, PooledDocument, RunError, RunOptions, Workload};
use llull_store::MemoryLedger;

use crate::stage::{
    Stub, failed, grade_of, graded, options, pair, read, run_all, samples, statuses, unusable, workload,
};

#[test]
fn a_second_run_asks_nothing_and_says_the_same() {
    let (workload, mut store) = (workload(5, 20), MemoryLedger::default());
    let first = Arc::new(Stub::steady("j"));
    let (outcome, transcript) = run_all(&workload, &[first.clone()], &mut store, &options());
    let outcome = outcome.unwrap();
    assert!(outcome.evidence.is_complete());
    assert_eq!((outcome.judges[0].judged, outcome.judges[0].reused, first.calls()), (100, 0, 100));
    assert_eq!(transcript.count("judged 0"), 100);
    assert_eq!(outcome.evidence.len(), 100);
    for (case, status) in workload.cases().zip(statuses(&outcome.evidence, 0)) {
        assert_eq!(status.grade(), Some(grade_of(&case)));
    }

    let second = Arc::new(Stub::steady("j"));
    let (again, transcript) = run_all(&workload, &[second.clone()], &mut store, &options());
    let again = again.unwrap();
    assert_eq!((second.calls(), again.judges[0].reused), (0, 100));
    assert_eq!(statuses(&again.evidence, 0), statuses(&outcome.evidence, 0));
    assert_eq!(
        transcript.lines(),
        [
            "wave 0: 100 questions, 100 reused",
            "planned j: 100, 100 reused, 0 shared, 0 without text",
            "finished"
        ]
    );
}

#[test]
fn an_added_pair_is_all_that_is_asked() {
    let mut store = MemoryLedger::default();
    run_all(&workload(2, 10), &[Arc::new(Stub::steady("j"))], &mut store, &options()).0.unwrap();
    let judge = Arc::new(Stub::steady("j"));
    let outcome = run_all(&workload(3, 10), &[judge.clone()], &mut store, &options()).0.unwrap();
    assert_eq!((judge.calls(), outcome.judges[0].reused), (10, 20));
    assert!(judge.asked().iter().all(|question| question.topic == "q2"));
}

#[test]
fn one_text_under_two_names_is_asked_once() {
    let document = |id: &str, text: &str| {
        PooledDocument::Found(Document { id: id.into(), text: text.into(), ..Document::default() })
    };
    let topics = vec![Topic { id: "q".into(), text: "what".into() }];
    let documents =
        vec![document("a", "same"), document("b", "same"), document("c", "other"), document("d", "same")];
    let pairs = (0..4).map(|document| pair(0, document)).collect();
    let workload = Arc::new(Workload::new(topics, documents, pairs).unwrap());
    for in_process in [false, true] {
        let judge = Arc::new(Stub { in_process, ..Stub::steady("j") });
        let outcome =
            run_all(&workload, &[judge.clone()], &mut MemoryLedger::default(), &options()).0.unwrap();
        assert_eq!((judge.calls(), outcome.judges[0].shared, outcome.judges[0].judged), (2, 2, 4));
        let statuses = statuses(&outcome.evidence, 0);
        assert!(statuses[0] == statuses[1] && statuses[1] == statuses[3]);
    }
    // If the first task has no answer, neither have those that share it.
    let judge = Arc::new(Stub::new("j", |case, _| {
        let refused = case.document_id() == "a";
        Some(if refused { failed(FailureKind::Rejected) } else { graded(1) })
    }));
    let outcome = run_all(&workload, &[judge], &mut MemoryLedger::default(), &options()).0.unwrap();
    assert_eq!((outcome.judges[0].gave_up, outcome.judges[0].judged, outcome.judges[0].shared), (3, 1, 0));
}

#[test]
fn an_unusable_answer_is_asked_again_once_over_all_runs() {
    let (workload, mut store) = (workload(1, 3), MemoryLedger::default());
    // d0 is usable the second time, d1 never, d2 the first time.
    let script = |case: &llull_runner::Case<'_>, before| {
        Some(match (case.document_id(), before) {
            ("d0", 0) | ("d1", _) => unusable(Reason::Malformed),
            _ => graded(2),
        })
    };
    let judge = Arc::new(Stub::new("j", script));
    let (outcome, transcript) = run_all(&workload, &[judge.clone()], &mut store, &options());
    let outcome = outcome.unwrap();
    assert_eq!((judge.calls(), outcome.judges[0].judged, outcome.judges[0].unusable), (5, 2, 1));
    assert_eq!(transcript.count("unusable 0 q0 d1 again=true"), 1);
    assert_eq!(transcript.count("unusable 0 q0 d1 again=false"), 1);
    let d1 = outcome.evidence.judges()[0].status(1);
    assert_eq!(*d1, Status::Unusable { reason: Reason::Malformed, times: 2 });

    let judge = Arc::new(Stub::new("j", script));
    let outcome = run_all(&workload, &[judge.clone()], &mut store, &options()).0.unwrap();
    assert_eq!((judge.calls(), outcome.judges[0].reused, outcome.judges[0].unusable), (0, 3, 1));
    let judge = Arc::new(Stub::new("j", script));
    let patient = RunOptions { reask: 3, ..options() };
    run_all(&workload, &[judge.clone()], &mut store, &patient).0.unwrap();
    assert_eq!(judge.calls(), 2, "of four asks two were used");
}

#[test]
fn a_judge_in_process_is_not_asked_again() {
    let judge =
        Arc::new(Stub { in_process: true, ..Stub::new("j", |_, _| Some(unusable(Reason::NoAnswer))) });
    let outcome =
        run_all(&workload(1, 9), &[judge.clone()], &mut MemoryLedger::default(), &options()).0.unwrap();
    assert_eq!((judge.calls(), outcome.judges[0].unusable), (9, 9));
}

#[test]
fn a_failure_is_asked_again_by_the_next_run() {
    let (workload, mut store) = (workload(1, 4), MemoryLedger::default());
    let judge = Arc::new(Stub::new("j", |_, _| Some(failed(FailureKind::Rejected))));
    let outcome = run_all(&workload, &[judge], &mut store, &options()).0.unwrap();
    assert_eq!((outcome.judges[0].gave_up, outcome.judges[0].missing()), (4, 4));
    assert_eq!(outcome.stopped, None, "a request that is refused is no reason to stop");
    assert_eq!(store.attempts().len(), 4, "what will fail again is not tried again");
    let outcome = run_all(&workload, &[Arc::new(Stub::steady("j"))], &mut store, &options()).0.unwrap();
    assert_eq!((outcome.judges[0].judged, outcome.judges[0].reused), (4, 0));
}

#[test]
fn samples_are_tasks_of_their_own() {
    let (workload, mut store) = (workload(2, 3), MemoryLedger::default());
    let judge = Arc::new(Stub::steady("j"));
    let three = RunOptions { samples: samples(3), ..options() };
    let outcome = run_all(&workload, &[judge.clone()], &mut store, &three).0.unwrap();
    assert_eq!((judge.calls(), outcome.judges[0].planned), (18, 18));
    let questions = outcome.evidence.judges()[0].questions();
    assert_eq!(questions.len(), 6);
    assert!(
        questions
            .map(|samples| samples.filter(|status| status.is_judged()).count())
            .all(|judged| judged == 3)
    );
    let mut seen: Vec<_> = judge.asked().into_iter().map(|q| (q.document, q.sample)).collect();
    seen.sort();
    seen.dedup();
    assert_eq!(seen.len(), 18);
}

#[test]
fn the_same_judge_twice_is_a_mistake() {
    let judges: Vec<Arc<dyn Judge>> =
        vec![Arc::new(Stub::steady("j")), Arc::new(Stub { name: "k".into(), ..Stub::steady("j") })];
    let error = run_all(&workload(1, 1), &judges, &mut MemoryLedger::default(), &options()).0.unwrap_err();
    assert!(matches!(error, RunError::Evidence(EvidenceError::SameJudge { .. })));
    assert!(error.to_string().starts_with("judges j and k are one and the same"), "{error}");
}

#[test]
fn a_document_without_text_is_missing_unless_the_judge_reads_none() {
    let topics = vec![Topic { id: "q".into(), text: "what".into() }];
    let documents = vec![
        PooledDocument::IdOnly("gone".into()),
        PooledDocument::Found(Document { id: "here".into(), text: "text".into(), ..Document::default() }),
    ];
    let pairs = (0..2).map(|document| pair(0, document)).collect();
    let workload = Arc::new(Workload::new(topics, documents, pairs).unwrap());
    let judge = Arc::new(Stub::steady("j"));
    let outcome = run_all(&workload, &[judge.clone()], &mut MemoryLedger::default(), &options()).0.unwrap();
    assert_eq!((judge.calls(), outcome.judges[0].without_text, outcome.judges[0].judged), (1, 1, 1));
    assert_eq!(*outcome.evidence.judges()[0].status(0), Status::WithoutText);
    assert!(!outcome.evidence.is_complete());
}

#[test]
fn the_order_of_arrival_changes_nothing() {
    let workload = workload(6, 10);
    let outcome = |concurrency, latency: fn(u32) -> std::time::Duration| {
        let judge = Arc::new(Stub {
            concurrency,
            latency,
            ..Stub::new("j", |case, before| {
                let grade = grade_of(case);
                Some(match (grade, before) {
                    (3, 0) => failed(FailureKind::Server),
                    (2, 0) => unusable(Reason::CutOff),
                    (1, _) if case.document_id().ends_with('7') => unusable(Reason::Declined),
                    _ => graded(grade),
                })
            })
        });
        let mut store = MemoryLedger::default();
        let judges: [Arc<dyn Judge>; 1] = [judge];
        let outcome = run_all(&workload, &judges, &mut store, &options()).0.unwrap();
        let kept = read(&store, &judges, &mut Exhaustive::new(workload.clone()), &options()).unwrap();
        (outcome.judges[0].clone(), statuses(&outcome.evidence, 0), statuses(&kept, 0))
    };
    let one_by_one = outcome(1, |_| std::time::Duration::ZERO);
    let scrambled = outcome(16, |call| std::time::Duration::from_millis(u64::from(call * 7919 % 13)));
    assert_eq!(one_by_one, scrambled);
}
