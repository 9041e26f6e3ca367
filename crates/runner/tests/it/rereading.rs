//! Replies in a ledger that an earlier version read.

use std::{num::NonZeroU32, sync::Arc};

use llull_core::{Answer, Attempt, GradedVerdict, Outcome, Reason, Status, Unusable, Verdict};
use llull_judge::{Prompt, READER_VERSION, Rubric};
use llull_runner::{Evidence, Exhaustive, JudgeIdentity, Prompted, PromptedSettings, ReadOptions};
use llull_store::{LedgerWriter, MemoryLedger};

use crate::stage::workload;

fn judge() -> Arc<dyn JudgeIdentity> {
    let rubric = Arc::new(Rubric::parse(Rubric::default_text(), "rubric.md").unwrap());
    let prompt = Prompt::builtin("graded-direct").unwrap();
    Arc::new(Prompted::new(PromptedSettings::new("m", "openai/m"), prompt, rubric))
}

fn read(ledger: &MemoryLedger) -> Evidence {
    let options = ReadOptions { samples: NonZeroU32::MIN, ..ReadOptions::default() };
    Evidence::read(ledger, &[judge()], &mut Exhaustive::new(workload(1, 4)), &options).unwrap()
}

fn statuses(evidence: &Evidence) -> Vec<Status> {
    evidence.judges()[0].tasks().cloned().collect()
}

/// Version 1 read `The document says {"grade":3}` as a 3.
#[test]
fn a_quoted_grade_in_an_old_ledger_counts_no_longer_and_is_asked_again() {
    let (judge, workload) = (judge(), workload(1, 4));
    let mut ledger = MemoryLedger::default();
    let id = ledger.register("m", judge.spec()).unwrap();
    let keys: Vec<_> = workload.cases().map(|case| judge.key(&case, 0)).collect();
    let attempt = |at: usize, grade, reply: &str, reader| {
        let verdict = Verdict::Graded(GradedVerdict { grade, ..Default::default() });
        let outcome = Outcome::Judged { verdict };
        let answer = Answer { reply: Some(reply.to_owned()), ..outcome.into() };
        (id, Attempt { reader, ..Attempt::new(keys[at], answer) })
    };
    let quoted = "The document says {\"grade\": 3}";
    ledger
        .append(&[
            attempt(0, 3, quoted, 1),
            attempt(1, 2, "{\"grade\": 2}", 1),
            attempt(2, 3, "{\"grade\": 2.9999999999999999999}", 1),
            // Not read again: it was read by the rules of today, or there is nothing to read.
            attempt(3, 1, quoted, READER_VERSION),
        ])
        .unwrap();

    let evidence = read(&ledger);
    let found = statuses(&evidence);
    let unusable = |reason| Status::Unusable { reason, times: 1 };
    assert_eq!(found[0], unusable(Reason::NotAlone));
    assert_eq!(found[2], unusable(Reason::WrongShape));
    assert!(found[1].is_judged() && found[3].is_judged());
    assert_eq!(evidence.judges()[0].open(), 2, "both are asked again by the next run");
    let changes: Vec<_> = evidence.judges()[0].reread().changes().collect();
    assert_eq!(changes, [("grade 3", "unusable (not_alone)", 1), ("grade 3", "unusable (wrong_shape)", 1)]);

    // A later answer is not counted as a change.
    ledger.append(&[attempt(0, 0, "{\"grade\": 0}", READER_VERSION)]).unwrap();
    let evidence = read(&ledger);
    assert!(statuses(&evidence)[0].is_judged());
    assert_eq!(evidence.judges()[0].reread().total(), 1);
}

/// Version 2 threw whole answers away if the server had ended the reply at its token limit.
#[test]
fn a_whole_answer_that_was_cut_off_in_an_old_ledger_counts_and_is_not_paid_for_again() {
    let (judge, workload) = (judge(), workload(1, 4));
    let mut ledger = MemoryLedger::default();
    let id = ledger.register("m", judge.spec()).unwrap();
    let keys: Vec<_> = workload.cases().map(|case| judge.key(&case, 0)).collect();
    let attempt = |at: usize, reason, reply: &str| {
        let outcome = Outcome::Unusable(Unusable { reason, detail: "why".into() });
        let answer = Answer { reply: Some(reply.to_owned()), ..outcome.into() };
        (id, Attempt { reader: 2, ..Attempt::new(keys[at], answer) })
    };
    ledger
        .append(&[
            attempt(0, Reason::CutOff, "{\"grade\": 2}  \n"),
            attempt(1, Reason::CutOff, "{\"grade\": "),
            attempt(2, Reason::Refused, "{\"grade\": 2}"),
        ])
        .unwrap();

    let evidence = read(&ledger);
    let found = statuses(&evidence);
    assert!(found[0].is_judged());
    assert_eq!(found[1], Status::Unusable { reason: Reason::CutOff, times: 1 });
    assert_eq!(found[2], Status::Refused(Reason::Refused));
    let changes: Vec<_> = evidence.judges()[0].reread().changes().collect();
    assert_eq!(changes, [("unusable (cut_off)", "grade 2", 1)]);
}
